// SPDX-License-Identifier: MIT
// solve(): known answers, every form of input, and unusual edges.
#include "graphs.hpp"

#include <array>
#include <span>

namespace {

using Edge = blockfw::Edge<std::int32_t>;
using Edges = std::vector<Edge>;
using blockfw::solve;
constexpr auto none = blockfw::infinity<std::int32_t>;
const blockfw::SolveOptions undirected{.direction = blockfw::Direction::undirected};

template <class View>
std::vector<std::int64_t> values(const View& matrix) {
  const auto d = readable(matrix);
  std::vector<std::int64_t> all;
  for (std::size_t i = 0; i < d.extent(0); ++i)
    for (std::size_t j = 0; j < d.extent(1); ++j) all.push_back(static_cast<std::int64_t>(d(i, j)));
  return all;
}

using Values = std::vector<std::int64_t>;

}  // namespace

TEST_CASE_TEMPLATE("the example of Cormen, Leiserson, Rivest and Stein (all-pairs shortest paths)", T, ALL_TYPES) {
  const std::vector<blockfw::Edge<T>> edges{{0, 1, 3}, {0, 2, 8}, {0, 4, -4}, {1, 3, 1}, {1, 4, 7},
                                            {2, 1, 4}, {3, 0, 2}, {3, 2, -5}, {4, 3, 6}};
  CHECK(values(solve(5, edges)) == Values{0, 1,  -3, 2, -4,  //
                                          3, 0,  -4, 1, -1,  //
                                          7, 4,  0,  5, 3,   //
                                          2, -1, -5, 0, -2,  //
                                          8, 5,  1,  6, 0});
}

TEST_CASE("a ring") {
  const int n = 300;
  Edges edges;
  for (int v = 0; v < n; ++v) edges.push_back({v, (v + 1) % n, 2});
  const auto one_direction = readable(solve(n, edges)), both_directions = readable(solve(n, edges, undirected));
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const int ahead = (j - i + n) % n;
      wrong += one_direction(i, j) != 2 * ahead;
      wrong += both_directions(i, j) != 2 * std::min(ahead, n - ahead);
    }
  CHECK(wrong == 0);
}

TEST_CASE("a path") {
  const int n = 300;
  Edges edges;
  for (int v = 0; v + 1 < n; ++v) edges.push_back({v, v + 1, -1});
  const auto d = readable(solve(n, edges));
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) wrong += d(i, j) != (j < i ? none : i - j);
  CHECK(wrong == 0);
}

TEST_CASE("a grid") {
  const int width = 17, n = width * 13;
  Edges edges;
  for (int v = 0; v < n; ++v) {
    if ((v + 1) % width != 0) edges.push_back({v, v + 1, 1});
    if (v + width < n) edges.push_back({v, v + width, 1});
  }
  const auto d = readable(solve(n, edges, undirected));
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) wrong += d(i, j) != std::abs(i % width - j % width) + std::abs(i / width - j / width);
  CHECK(wrong == 0);
}

TEST_CASE("orders 0 and 1") {
  CHECK(solve(0, Edges{}).extent(0) == 0);
  CHECK(solve(SharedMatrix<int>("w", 0, 0)).extent(0) == 0);
  CHECK(values(solve(1, Edges{})) == Values{0});
  CHECK(values(solve(1, Edges{{0, 0, 7}})) == Values{0});
  CHECK(values(solve(2, Edges{})) == Values{0, none, none, 0});
}

TEST_CASE("repeated edges: the lightest counts, at any place") {
  for (const Edges& edges : {Edges{{0, 1, 4}, {0, 1, 9}, {0, 1, 6}}, Edges{{0, 1, 9}, {0, 1, 4}, {0, 1, 6}},
                             Edges{{0, 1, 6}, {0, 1, 9}, {0, 1, 4}}}) {
    CHECK(values(solve(2, edges)) == Values{0, 4, none, 0});
    CHECK(values(solve(2, edges, undirected)) == Values{0, 4, 4, 0});
  }
}

// Two threads lower the same entry many times, and one of them lowers it to 1 at last. The other thread must not
// overwrite this 1 when it comes between that thread's load and its store.
TEST_CASE("repeated edges: the lightest of a great many counts") {
  const int n = 16, times = 400;
  Edges edges;
  for (int half = 0; half < 2; ++half)
    for (int pair = 0; pair < n * n; ++pair)
      for (int left = times; left > 0; --left)
        edges.push_back({pair / n, pair % n, left == 1 && pair % 2 == half ? 1 : 2 * left + half});
  const Kokkos::View<Edge*, Kokkos::SharedSpace> view("edges", edges.size());
  std::copy(edges.begin(), edges.end(), view.data());
  const SharedMatrix<std::int32_t> d("d", n, n);
  for (int repetition = 0; repetition < 10; ++repetition) {
    blockfw::fill_from_edges(Kokkos::DefaultExecutionSpace(), d, view);
    int wrong = 0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) wrong += d(i, j) != (i == j ? 0 : 1);
    CHECK(wrong == 0);
  }
}

TEST_CASE("self loops") {
  CHECK(values(solve(2, Edges{{0, 0, 5}, {0, 1, 3}, {1, 1, 0}})) == Values{0, 3, none, 0});
  CHECK(values(solve(2, Edges{{0, 0, 2'000'000'000}, {0, 1, 3}})) == Values{0, 3, none, 0});
  for (const int n : {3, 300}) {
    try {
      solve(n, Edges{{0, 1, 5}, {2, 2, -1}, {1, 0, 5}});
      FAIL("no NegativeCycle was thrown");
    } catch (const blockfw::NegativeCycle& e) {
      CHECK(e.vertex == 2);
      CHECK(std::string(e.what()).starts_with("negative cycle: vertex 2 can return to itself"));
    }
  }
  CHECK_THROWS_AS(solve(1, Edges{{0, 0, -1}}), blockfw::NegativeCycle);
}

TEST_CASE("an undirected edge of negative length: a negative cycle") {
  CHECK(values(solve(3, Edges{{0, 1, -2}, {1, 2, 3}}))[2] == 1);
  CHECK_THROWS_AS(solve(3, Edges{{0, 1, -2}, {1, 2, 3}}, undirected), blockfw::NegativeCycle);
}

TEST_CASE("edges in every kind of container") {
  const Values expected{0, 5, 7, none, 0, 2, none, none, 0};
  Edge array[] = {{0, 1, 5}, {1, 2, 2}, {0, 2, 9}};
  const Edges vector(std::begin(array), std::end(array));
  CHECK(values(solve(3, vector)) == expected);
  CHECK(values(solve(3, array)) == expected);
  CHECK(values(solve(3, std::array<Edge, 3>{array[0], array[1], array[2]})) == expected);
  CHECK(values(solve(3, std::span(array))) == expected);
  CHECK(values(solve(3, std::span<const Edge>(array))) == expected);

  const Kokkos::View<Edge*, Kokkos::SharedSpace> view("edges", 3);
  std::copy(std::begin(array), std::end(array), view.data());
  const Kokkos::View<const Edge*, Kokkos::SharedSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> borrowed(view.data(),
                                                                                                         3);
  CHECK(values(solve(3, view)) == expected);
  CHECK(values(solve(3, borrowed)) == expected);
  CHECK(values(solve(Kokkos::DefaultExecutionSpace{}, 3, view)) == expected);
  CHECK(values(solve(Kokkos::DefaultExecutionSpace{}, 3, vector)) == expected);
  CHECK(values(solve<std::int64_t>(Kokkos::DefaultExecutionSpace{}, 3, vector))[2] == 7);
}

TEST_CASE("solve_into(): the caller's memory") {
  const Kokkos::DefaultExecutionSpace exec;
  const int n = 300;
  Edges edges;
  for (int v = 0; v + 1 < n; ++v) edges.push_back({v, v + 1, 3});
  for (const auto method : {blockfw::Method::dense, blockfw::Method::sparse, blockfw::Method::automatic}) {
    const auto d = blockfw::allocate_distances<std::int64_t>(exec, n);
    const auto* const memory = d.data();
    blockfw::solve_into(exec, d, edges, {.method = method});
    CHECK(d.data() == memory);
    CHECK(values(d) == values(solve<std::int64_t>(n, edges, {.method = blockfw::Method::dense})));
  }
  blockfw::solve_into(exec, blockfw::allocate_distances<std::int32_t>(exec, 0), Edges());
  const blockfw::DistanceMatrix<std::int32_t> oblong("oblong", 2, 3);
  CHECK_THROWS_AS(blockfw::solve_into(exec, oblong, Edges()), blockfw::InvalidInput);
}

TEST_CASE("a matrix of weights: any layout, unchanged by the solve") {
  Random random(11);
  const std::size_t n = 150;
  const Graph g = scattered(random, n, 400, 0, 1000);
  const auto expected = oracle::distances(g), both_directions = oracle::distances(oracle::mirrored(g));
  const auto check = [&](const auto& w, const auto& as_given) {
    fill(w, g);
    const Values before = values(w);
    CHECK(difference(solve(as_given), expected) == "");
    CHECK(difference(solve(as_given, undirected), both_directions) == "");
    CHECK(difference(solve(Kokkos::DefaultExecutionSpace{}, as_given), expected) == "");
    CHECK(values(w) == before);
  };
  const SharedMatrix<int> right("right", n, n);
  check(right, right);
  check(right, SharedMatrix<const int>(right));
  const SharedMatrix<int, Kokkos::LayoutLeft> left("left", n, n);
  check(left, left);
  const SharedMatrix<int> large("large", 2 * n, 2 * n);
  const SharedMatrix<int, Kokkos::LayoutStride> strided(large.data(), Kokkos::LayoutStride(n, 4 * n, n, 2));
  check(strided, strided);
}

TEST_CASE_TEMPLATE("a diagonal of infinity, where no cycle closes it", T, std::int16_t, std::int32_t, double) {
  const int n = 600;  // several tiles
  const SharedMatrix<T> d("d", n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) d(i, j) = j == i + 1 ? T(1) : blockfw::infinity<T>;
  blockfw::blocked_floyd_warshall(d);
  Kokkos::fence();
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) wrong += j > i ? d(i, j) != T(j - i) : d(i, j) < blockfw::infinity<T> / 2;
  CHECK(wrong == 0);
}

TEST_CASE("a matrix's diagonal: counts as 0 unless it is negative") {
  const SharedMatrix<int> w("w", 2, 2);
  w(0, 0) = none, w(0, 1) = 3, w(1, 0) = std::numeric_limits<int>::max(), w(1, 1) = 8;
  CHECK(values(solve(w)) == Values{0, 3, none, 0});

  w(1, 1) = -1;
  try {
    solve(w);
    FAIL("no NegativeCycle was thrown");
  } catch (const blockfw::NegativeCycle& e) {
    CHECK(e.vertex == 1);
  }
  const SharedMatrix<int> one("one", 1, 1);
  one(0, 0) = -1;
  CHECK_THROWS_AS(solve(one), blockfw::NegativeCycle);
}
