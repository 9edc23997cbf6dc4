// SPDX-License-Identifier: MIT
// Every error: the type that is thrown, and its text.
#include "graphs.hpp"

#include <cmath>
#include <limits>

namespace {

using blockfw::blocked_floyd_warshall;
using blockfw::solve;
using doctest::Contains;
using Matrix = SharedMatrix<int>;
using Unmanaged =
    Kokkos::View<int**, Kokkos::LayoutRight, Kokkos::SharedSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

template <class T>
using Edges = std::vector<blockfw::Edge<T>>;

/// Solves, and returns the InvalidEdge that this throws.
template <class T>
blockfw::InvalidEdge invalid_edge(std::int64_t n, const Edges<T>& edges) {
  try {
    solve(n, edges);
  } catch (const blockfw::InvalidEdge& e) {
    return e;
  }
  FAIL("no InvalidEdge was thrown");
  return {-1, ""};
}

}  // namespace

TEST_CASE("a matrix that is not square") {
  const Matrix oblong("oblong", 3, 4);
  const auto text = Contains("the matrix 'oblong' has 3 rows and 4 columns, expected a square one");
  CHECK_THROWS_WITH_AS(blocked_floyd_warshall(oblong), text, blockfw::InvalidInput);
  CHECK_THROWS_WITH_AS(solve(oblong), text, blockfw::InvalidInput);
  const Kokkos::View<blockfw::Edge<int>*> no_edges("edges", 0);
  CHECK_THROWS_WITH_AS(blockfw::fill_from_edges(Kokkos::DefaultExecutionSpace{}, oblong, no_edges), text,
                       blockfw::InvalidInput);
}

TEST_CASE("an invalid edge: named by its number among all edges") {
  const Matrix d("d", 3, 3);
  const std::vector<blockfw::Edge<int>> part{{0, 1, 5}, {0, 7, 5}};
  const auto fill = [&](std::int64_t first) {
    blockfw::fill_from_edges(Kokkos::DefaultExecutionSpace{}, d, part, {.first_edge = first});
  };
  CHECK_THROWS_WITH_AS(fill(0), "edge 1: vertex 7 is out of range, expected 0 to 2", blockfw::InvalidEdge);
  CHECK_THROWS_WITH_AS(fill(100), "edge 101: vertex 7 is out of range, expected 0 to 2", blockfw::InvalidEdge);
}

TEST_CASE("a null pointer") {
  CHECK_THROWS_WITH_AS(blocked_floyd_warshall(static_cast<int*>(nullptr), 4, 4),
                       "null pointer given for a matrix of order 4", blockfw::InvalidInput);
  CHECK_THROWS_WITH_AS(blocked_floyd_warshall(Unmanaged(nullptr, 5, 5)),
                       Contains("of order 5 has no memory (null pointer)"), blockfw::InvalidInput);
  CHECK_NOTHROW(blocked_floyd_warshall(static_cast<int*>(nullptr), 0, 0));
  CHECK_NOTHROW(blocked_floyd_warshall(Unmanaged(nullptr, 0, 0)));
}

TEST_CASE("numbers of vertices and leading dimensions") {
  int data[16] = {};
  CHECK_THROWS_WITH_AS(blocked_floyd_warshall(data, -1, 4), "the order of the matrix is -1, expected 0 or more",
                       blockfw::InvalidInput);
  CHECK_THROWS_WITH_AS(blocked_floyd_warshall(data, 4, 3),
                       "the leading dimension is 3, expected at least the order of the matrix, 4",
                       blockfw::InvalidInput);
  CHECK_THROWS_WITH_AS(solve(-3, Edges<int>{}), "the number of vertices is -3, expected 0 or more",
                       blockfw::InvalidInput);
}

TEST_CASE_TEMPLATE("a NaN", T, float, double) {
  const T nan = std::numeric_limits<T>::quiet_NaN();
  const SharedMatrix<T> w("w", 9, 9);
  w(5, 7) = nan;
  w(6, 0) = nan;
  CHECK_THROWS_WITH_AS(solve(w), "the matrix 'w' holds NaN at (5, 7), expected a number or infinity",
                       blockfw::InvalidInput);
  CHECK_THROWS_WITH_AS(solve(w, {.direction = blockfw::Direction::undirected}), Contains("NaN at (6, 0)"),
                       blockfw::InvalidInput);
  w(5, 7) = 0;
  w(6, 0) = 0;
  w(3, 3) = nan;
  CHECK_THROWS_WITH_AS(solve(w), Contains("NaN at (3, 3)"), blockfw::InvalidInput);

  const auto e = invalid_edge(3, Edges<T>{{0, 1, 1}, {1, 2, nan}, {2, 0, nan}});
  CHECK(e.edge == 1);
  CHECK(std::string(e.what()) == "edge 1: the weight is NaN, expected a number or infinity");
}

TEST_CASE("a vertex out of range") {
  const std::string range = " is out of range, expected 0 to 2";
  for (const int outside : {-1, 3, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()}) {
    CAPTURE(outside);
    const std::string vertex = "vertex " + std::to_string(outside);
    const auto from = invalid_edge(3, Edges<int>{{0, 1, 1}, {0, 2, 1}, {outside, 0, 1}, {0, outside, 1}});
    CHECK(from.edge == 2);
    CHECK(from.what() == "edge 2: " + vertex + range);
    const auto to = invalid_edge(3, Edges<int>{{2, outside, 1}});
    CHECK(to.edge == 0);
    CHECK(to.what() == "edge 0: " + vertex + range);
  }

  // The first of many bad edges is reported, although several threads find bad edges.
  Edges<int> many(100'000, {0, 1, 1});
  for (std::size_t e = 61'234; e < many.size(); e += 77) many[e].to = 3;
  CHECK(invalid_edge(3, many).edge == 61'234);
}

TEST_CASE("a matrix that does not fit: refused before memory is allocated") {
  const auto large = [] { return solve(3'000'000, Edges<int>{}); };
  CHECK_THROWS_WITH_AS(large(),
                       Contains(on_device ? "the distances of 3000000 vertices need 36000.0 GB of device memory, "
                                          : "the distances of 3000000 vertices need 36000.0 GB of memory, "),
                       blockfw::OutOfMemory);
  CHECK_THROWS_WITH_AS(large(), Contains(" GB are available"), blockfw::OutOfMemory);
  CHECK_THROWS_AS(solve(std::numeric_limits<std::int64_t>::max(), Edges<int>{}), blockfw::OutOfMemory);

  // Kokkos reports every allocation; there must be none of that size.
  static bool asked;
  asked = false;
  Kokkos::Tools::Experimental::set_allocate_data_callback(
      [](const Kokkos_Profiling_SpaceHandle, const char*, const void*, const std::uint64_t bytes) {
        asked = asked || bytes > 1'000'000'000;
      });
  CHECK_THROWS_AS(large(), blockfw::OutOfMemory);
  Kokkos::Tools::Experimental::set_allocate_data_callback(nullptr);
  CHECK_FALSE(asked);
}

TEST_CASE("an option that a call does not use: refused") {
  const std::vector<blockfw::Edge<int>> edges{{0, 1, 1}};
  const auto w = blockfw::solve(2, edges);
  CHECK_THROWS_WITH_AS(blockfw::solve(w, {.method = blockfw::Method::sparse}),
                       "the option method is Method::sparse, expected automatic or dense for a matrix",
                       blockfw::InvalidInput);
  CHECK_THROWS_AS(
      blockfw::solve_distances(Kokkos::DefaultExecutionSpace(), w, {1, 1}, {.method = blockfw::Method::sparse}),
      blockfw::InvalidInput);
  // Elimination accepts a graph without vertices.
  CHECK(blockfw::solve(0, std::vector<blockfw::Edge<int>>(), {.method = blockfw::Method::sparse}).size() == 0);
}

TEST_CASE("errors: all are blockfw::Error and std::runtime_error") {
  CHECK_THROWS_AS(solve(-1, Edges<int>{}), blockfw::Error);
  CHECK_THROWS_AS(solve(1, Edges<int>{{0, 0, -1}}), blockfw::Error);
  CHECK_THROWS_AS(solve(3'000'000, Edges<int>{}), std::runtime_error);
  CHECK_THROWS_AS(solve(3, Edges<int>{{0, 1, blockfw::infinity<int>}}), blockfw::Error);
}
