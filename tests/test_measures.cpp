// SPDX-License-Identifier: MIT
// Measures of a graph from its solved distances, compared with loops over the oracle's distances.
#include "graphs.hpp"

#include "blockfw/measures.hpp"

#include <cmath>
#include <set>

namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using blockfw::Towards;

/// Row v of the oracle's distances, or column v.
std::vector<std::int64_t> distances_of(const oracle::Distances<std::int64_t>& d, std::size_t v, Towards towards) {
  if (towards == Towards::others) return d[v];
  std::vector<std::int64_t> column;
  for (const auto& row : d) column.push_back(row[v]);
  return column;
}

template <class T, class View>
void check_reach(const View& d, const oracle::Distances<std::int64_t>& expected) {
  const auto n = static_cast<std::int64_t>(expected.size());
  for (const Towards towards : {Towards::others, Towards::itself}) {
    const auto reach = blockfw::reach(Exec{}, d, towards);
    REQUIRE(static_cast<std::int64_t>(reach.size()) == n);
    std::int64_t radius = oracle::unreachable<std::int64_t>, diameter = n > 0 ? radius : 0;
    bool connected = true;
    std::multiset<std::int64_t> eccentricities;
    for (std::size_t v = 0; v < reach.size(); ++v) {
      CAPTURE(v);
      const auto lengths = distances_of(expected, v, towards);
      std::int64_t vertices = 0, sum = 0, farthest = -1, farthest_vertex = -1;
      for (std::size_t w = 0; w < lengths.size(); ++w) {
        if (lengths[w] == oracle::unreachable<std::int64_t>) continue;
        ++vertices;
        sum += lengths[w];
        if (farthest_vertex < 0 || lengths[w] > farthest) {
          farthest = lengths[w];
          farthest_vertex = static_cast<std::int64_t>(w);
        }
      }
      CHECK(reach[v].vertices == vertices);
      CHECK(static_cast<std::int64_t>(reach[v].sum) == sum);
      CHECK(static_cast<std::int64_t>(reach[v].farthest) == farthest);
      CHECK(reach[v].farthest_vertex == farthest_vertex);
      const bool all = vertices == n;
      CHECK(blockfw::eccentricity(reach[v], n) == (all ? static_cast<T>(farthest) : blockfw::infinity<T>));
      connected = connected && all;
      if (all) radius = std::min(radius, farthest);
      if (all) eccentricities.insert(farthest);
    }
    if (connected && n > 0) diameter = *eccentricities.rbegin();
    const auto extent = blockfw::extent_of(reach);
    const auto number = [](std::int64_t length) {
      return length == oracle::unreachable<std::int64_t> ? blockfw::infinity<T> : static_cast<T>(length);
    };
    CHECK(extent.connected == connected);
    CHECK(extent.diameter == number(diameter));
    if (n == 0) continue;
    CHECK(extent.radius == number(radius));
    CHECK(extent.centre.size() == eccentricities.count(radius));
    for (const std::int64_t v : extent.centre)
      CHECK(static_cast<std::int64_t>(reach[static_cast<std::size_t>(v)].farthest) == radius);
    std::int64_t longest = std::numeric_limits<std::int64_t>::min();
    for (const auto& row : expected)
      for (const auto length : row)
        if (length != oracle::unreachable<std::int64_t>) longest = std::max(longest, length);
    CHECK(static_cast<std::int64_t>(extent.longest) == longest);
    const auto there = distances_of(expected, static_cast<std::size_t>(extent.from), towards);
    CHECK(there[static_cast<std::size_t>(extent.to)] == longest);
  }
}

}  // namespace

TEST_CASE_TEMPLATE("reach: graphs of all families", T, ALL_TYPES) {
  Random random(1);
  for (const Family& family : families)
    for (const int n : {1, 2, 63, 130}) {
      const std::string name = family.name;
      CAPTURE(name);
      CAPTURE(n);
      const Answer answer(family.make(random, n), blockfw::Direction::directed);
      if (answer.negative_cycle) continue;
      const auto d = blockfw::solve(n, edges_of<T>(answer.graph));
      check_reach<T>(d, answer.distances);
      // The same for a matrix whose columns are contiguous.
      const Kokkos::View<T**, Kokkos::LayoutLeft, Exec::memory_space> left("left", d.extent(0), d.extent(1));
      Kokkos::deep_copy(left, d);
      check_reach<T>(left, answer.distances);
    }
}

TEST_CASE("known answers: a path of four vertices, an isolated vertex, no vertex") {
  const std::vector<blockfw::Edge<int>> path = {{0, 1, 2}, {1, 2, 3}, {2, 3, 4}};
  const blockfw::SolveOptions both{.direction = blockfw::Direction::undirected};
  const auto reach = blockfw::reach(Exec{}, blockfw::solve(4, path, both));
  const auto extent = blockfw::extent_of(reach);
  CHECK(extent.connected);
  CHECK(extent.diameter == 9);
  CHECK(extent.radius == 5);
  CHECK(extent.centre == std::vector<std::int64_t>{2});
  CHECK(extent.from == 0);
  CHECK(extent.to == 3);
  // The value of networkx.closeness_centrality with distance="weight".
  CHECK(blockfw::closeness(reach[1], 4) == doctest::Approx(3.0 / 12));

  const auto lone = blockfw::reach(Exec{}, blockfw::solve(5, path, both));
  CHECK(blockfw::closeness(lone[2], 5) == doctest::Approx(3.0 / 12 * 3 / 4));
  CHECK(blockfw::closeness(lone[4], 5) == 0);
  const auto apart = blockfw::extent_of(lone);
  CHECK_FALSE(apart.connected);
  CHECK(apart.diameter == blockfw::infinity<int>);
  CHECK(apart.radius == blockfw::infinity<int>);
  CHECK(apart.longest == 9);
  CHECK(apart.centre.empty());

  const auto none = blockfw::extent_of(blockfw::reach(Exec{}, blockfw::solve(0, std::vector<blockfw::Edge<int>>{})));
  CHECK(none.connected);
  CHECK(none.diameter == 0);
  CHECK(none.from == blockfw::no_vertex);
  CHECK(blockfw::closeness(blockfw::reach(Exec{}, blockfw::solve(1, std::vector<blockfw::Edge<int>>{}))[0], 1) == 0);
}

TEST_CASE("sums of 32-bit distances: exact") {
  const std::int32_t far = blockfw::infinity<std::int32_t> - 1;
  const HostMatrix<std::int32_t> d("d", 200, 200);
  Kokkos::deep_copy(d, far);
  const auto reach = blockfw::reach(Kokkos::DefaultHostExecutionSpace{}, d);
  CHECK(reach[17].sum == std::int64_t(200) * far);
}

TEST_CASE_TEMPLATE("reach by teams: rows and columns of any number, length and layout", T, ALL_TYPES) {
  using RowsOrColumns = blockfw::detail::RowsOrColumns<T>;
  Random random(3);
  const auto check = [&]<class Layout>(Layout, std::size_t height, std::size_t width, std::size_t more) {
    CAPTURE(height);
    CAPTURE(width);
    CAPTURE(more);
    const Kokkos::View<T**, Layout, Exec::memory_space> room("room", height + more, width + more);
    const auto d = Kokkos::subview(room, std::pair(more, more + height), std::pair(more / 2, more / 2 + width));
    const HostMatrix<T> host("host", height, width);
    for (std::size_t i = 0; i < height; ++i)
      for (std::size_t j = 0; j < width; ++j)
        host(i, j) = uniform(random, 0, 5) == 0 ? blockfw::infinity<T> : static_cast<T>(uniform(random, -20, 20));
    const Kokkos::View<T**, Kokkos::LayoutRight, Exec::memory_space> packed("packed", height, width);
    Kokkos::deep_copy(packed, host);
    Kokkos::deep_copy(Exec{}, d, packed);
    for (const bool rows : {true, false}) {
      const RowsOrColumns matrix(d, rows);
      const auto reach = matrix.contiguous() ? blockfw::detail::reach_by_teams<true>(Exec{}, matrix)
                                             : blockfw::detail::reach_by_teams<false>(Exec{}, matrix);
      REQUIRE(reach.size() == (rows ? height : width));
      int wrong = 0;
      for (std::size_t v = 0; v < reach.size(); ++v) {
        blockfw::Reach<T> expected;
        for (std::size_t w = 0; w < (rows ? width : height); ++w) {
          const T distance = rows ? host(v, w) : host(w, v);
          if (distance == blockfw::infinity<T>) continue;
          ++expected.vertices;
          expected.sum += static_cast<typename blockfw::Reach<T>::Sum>(distance);
          if (!(distance > expected.farthest)) continue;
          expected.farthest = distance;
          expected.farthest_vertex = static_cast<std::int64_t>(w);
        }
        wrong += reach[v].vertices != expected.vertices || reach[v].sum != expected.sum ||
                 reach[v].farthest != expected.farthest || reach[v].farthest_vertex != expected.farthest_vertex;
      }
      CHECK(wrong == 0);
    }
  };
  for (const std::size_t height : {0u, 1u, 8u, 65u})
    for (const std::size_t width : {0u, 1u, 511u, 513u}) {
      check(Kokkos::LayoutRight(), height, width, 0);
      check(Kokkos::LayoutRight(), height, width, 3);
      check(Kokkos::LayoutLeft(), width, height, 3);
    }
  check(Kokkos::LayoutRight(), 3, 9000, 1);  // (long enough for several segments of a row)
  check(Kokkos::LayoutLeft(), 9000, 3, 1);
}

TEST_CASE("measures: a matrix that is not square is refused") {
  const HostMatrix<int> oblong("oblong", 3, 4);
  CHECK_THROWS_WITH_AS(blockfw::reach(Kokkos::DefaultHostExecutionSpace{}, oblong),
                       "the matrix 'oblong' has 3 rows and 4 columns, expected a square one", blockfw::InvalidInput);
}
