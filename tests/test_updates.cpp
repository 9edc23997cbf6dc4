// SPDX-License-Identifier: MIT
// Solved distances of a graph that grows, compared with the oracle's for the grown graph.
#include "graphs.hpp"

#include "blockfw/updates.hpp"

#include <algorithm>
#include <vector>

namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using blockfw::Edge;

template <class T, class Layout>
using Matrix = Kokkos::View<T**, Layout, Exec::memory_space>;

/// A copy with contiguous rows or columns, which is a part of a larger matrix.
template <class Layout, class T, class View>
auto copy_of(const View& d) {
  const Matrix<T, Layout> wide("wide", d.extent(0) + 3, d.extent(1) + 3);
  const auto part = Kokkos::subview(wide, Kokkos::pair<std::size_t, std::size_t>(1, 1 + d.extent(0)),
                                    Kokkos::pair<std::size_t, std::size_t>(2, 2 + d.extent(1)));
  Kokkos::deep_copy(Exec{}, part, d);
  return part;
}

/// A copy that the host can read.
template <class T, class View>
HostMatrix<T> on_host(const View& d) {
  const Matrix<T, Kokkos::LayoutRight> packed("packed", d.extent(0), d.extent(1));
  Kokkos::deep_copy(Exec{}, packed, d);
  const HostMatrix<T> host("host", d.extent(0), d.extent(1));
  Kokkos::deep_copy(host, packed);
  return host;
}

template <class T, class Layout>
void check_growing_edges(Random& random, const Family& family, int n) {
  const Answer answer(family.make(random, n), blockfw::Direction::directed);
  if (answer.negative_cycle) return;
  Graph g = answer.graph;
  const auto d = copy_of<Layout, T>(blockfw::solve(n, edges_of<T>(g)));
  for (int repeat = 0; repeat < 12; ++repeat) {
    CAPTURE(repeat);
    const Edge<std::int64_t> e{uniform(random, 0, n - 1), uniform(random, 0, n - 1),
                               uniform(random, -heaviest(n) / 8, heaviest(n) / 2)};
    g.edges.push_back(e);
    const bool cycle = oracle::has_negative_cycle(g);
    if (cycle) {
      const auto before = on_host<T>(d);
      CHECK_THROWS_AS(blockfw::insert_edge(Exec{}, d, e.from, e.to, static_cast<T>(e.weight)), blockfw::NegativeCycle);
      g.edges.pop_back();
      const auto after = on_host<T>(d);
      int changed = 0;
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) changed += after(i, j) != before(i, j);
      CHECK(changed == 0);
    } else {
      blockfw::insert_edge(Exec{}, d, e.from, e.to, static_cast<T>(e.weight));
    }
    CHECK(difference(on_host<T>(d), oracle::distances(g)) == "");
  }
}

template <class T, class Layout, class View, class Expected>
void check_given_memory(const View& d, const std::vector<Edge<T>>& edges, blockfw::Direction direction,
                        const Expected& expected) {
  const std::size_t n = d.extent(0);
  const Matrix<T, Layout> wide("wide", n + 4, n + 4), tall("tall", n + 4, n + 4);
  const auto more = Kokkos::subview(wide, std::pair<std::size_t, std::size_t>(1, n + 2),
                                    std::pair<std::size_t, std::size_t>(2, n + 3)),
             grown = Kokkos::subview(tall, std::pair<std::size_t, std::size_t>(3, n + 4),
                                     std::pair<std::size_t, std::size_t>(1, n + 2));
  blockfw::add_vertex(Exec{}, more, d, edges, {.direction = direction});
  CHECK(difference(on_host<T>(more), expected) == "");
  const auto room =
      Kokkos::subview(grown, std::pair<std::size_t, std::size_t>(0, n), std::pair<std::size_t, std::size_t>(0, n));
  Kokkos::deep_copy(Exec{}, room, d);
  blockfw::add_vertex(Exec{}, grown, room, edges, {.direction = direction});
  CHECK(difference(on_host<T>(grown), expected) == "");
}

template <class T>
void check_growing_vertices(Random& random, const Family& family, int n, blockfw::Direction direction) {
  const bool both = direction == blockfw::Direction::undirected;
  Graph g = both ? oracle::mirrored(family.make(random, n)) : family.make(random, n);
  if (oracle::has_negative_cycle(g)) return;
  auto d = blockfw::solve(n, edges_of<T>(g));
  for (int repeat = 0; repeat < 4; ++repeat, ++n) {
    CAPTURE(repeat);
    std::vector<Edge<T>> edges;
    Graph grown{n + 1, g.edges}, own{n + 1, {}};
    for (int e = 0; e < 3 * repeat; ++e) {
      const int other = uniform(random, 0, n), weight = uniform(random, both ? 0 : -heaviest(n) / 8, heaviest(n) / 2);
      own.edges.push_back(uniform(random, 0, 1) == 0 ? Edge<std::int64_t>{n, other, weight}
                                                     : Edge<std::int64_t>{other, n, weight});
    }
    edges = edges_of<T>(own);
    if (both) own = oracle::mirrored(own);
    grown.edges.insert(grown.edges.end(), own.edges.begin(), own.edges.end());
    if (oracle::has_negative_cycle(grown)) {
      CHECK_THROWS_AS(blockfw::add_vertex(Exec{}, d, edges, {.direction = direction}), blockfw::NegativeCycle);
      return;
    }
    const auto old = d;
    d = blockfw::add_vertex(Exec{}, old, edges, {.direction = direction});
    g = grown;
    const auto expected = oracle::distances(g);
    CHECK(difference(d, expected) == "");
    // The same in the caller's memory of any layout, and in place.
    check_given_memory<T, Kokkos::LayoutRight>(old, edges, direction, expected);
    check_given_memory<T, Kokkos::LayoutLeft>(old, edges, direction, expected);
  }
}

}  // namespace

TEST_CASE_TEMPLATE("new edges, one after another", T, ALL_TYPES) {
  Random random(11);
  for (const Family& family : families)
    for (const int n : {1, 2, 17, 66}) {
      const std::string name = family.name;
      CAPTURE(name);
      CAPTURE(n);
      check_growing_edges<T, Kokkos::LayoutRight>(random, family, n);
      check_growing_edges<T, Kokkos::LayoutLeft>(random, family, n);
    }
}

TEST_CASE_TEMPLATE("new vertices, one after another", T, ALL_TYPES) {
  Random random(12);
  for (const Family& family : families)
    for (const int n : {0, 1, 2, 17, 66}) {
      if (n == 0 && family.make != families[3].make) continue;  // (the others need a vertex)
      const std::string name = family.name;
      CAPTURE(name);
      CAPTURE(n);
      for (const auto direction : {blockfw::Direction::directed, blockfw::Direction::undirected})
        check_growing_vertices<T>(random, family, n, direction);
    }
}

TEST_CASE("invalid updates: refused, and nothing changes") {
  const std::vector<Edge<int>> path = {{0, 1, 5}, {1, 2, 5}};
  const auto d = blockfw::solve(3, path);
  const auto refuse = [&](std::int64_t from, std::int64_t to) { blockfw::insert_edge(Exec{}, d, from, to, 1); };
  CHECK_THROWS_WITH_AS(refuse(0, 3), "vertex 3 is out of range, expected 0 to 2", blockfw::InvalidInput);
  CHECK_THROWS_WITH_AS(refuse(-1, 0), "vertex -1 is out of range, expected 0 to 2", blockfw::InvalidInput);
  CHECK_THROWS_WITH_AS(
      blockfw::insert_edge(Exec{}, d, 2, 0, -11),
      "negative cycle: vertex 2 can return to itself at a negative length, so shortest paths do not exist",
      blockfw::NegativeCycle);
  CHECK_THROWS_WITH_AS(blockfw::insert_edge(Exec{}, d, 2, 0, blockfw::infinity<int>),
                       "the weight 1073741823 reaches infinity, 1073741823, in int32; solve again in a wider type",
                       blockfw::OverflowRisk);
  const auto f = blockfw::solve(2, std::vector<Edge<float>>{{0, 1, 1}});
  CHECK_THROWS_WITH_AS(blockfw::insert_edge(Exec{}, f, 1, 0, NAN), "the weight is NaN, expected a number or infinity",
                       blockfw::InvalidInput);
  blockfw::insert_edge(Exec{}, f, 1, 0, blockfw::infinity<float>);  // no edge
  CHECK(readable(f)(1, 0) == blockfw::infinity<float>);
  const HostMatrix<int> oblong("oblong", 3, 4);
  CHECK_THROWS_AS(blockfw::insert_edge(Kokkos::DefaultHostExecutionSpace{}, oblong, 0, 1, 1), blockfw::InvalidInput);
  CHECK_THROWS_AS(blockfw::add_vertex(Kokkos::DefaultHostExecutionSpace{}, oblong, path), blockfw::InvalidInput);

  const auto add = [&](const std::vector<Edge<int>>& edges) { return blockfw::add_vertex(Exec{}, d, edges); };
  CHECK_THROWS_WITH_AS(add({{3, 0, 1}, {3, 4, 1}}), "edge 1: vertex 4 is out of range, expected 0 to 3",
                       blockfw::InvalidEdge);
  CHECK_THROWS_WITH_AS(add({{0, 1, 1}}), "edge 0: from 0 to 1, expected one that begins or ends at the new vertex, 3",
                       blockfw::InvalidEdge);
  CHECK_THROWS_WITH_AS(
      add({{3, 3, -1}}),
      "negative cycle: vertex 3 can return to itself at a negative length, so shortest paths do not exist",
      blockfw::NegativeCycle);
  CHECK_THROWS_AS(blockfw::add_vertex(Exec{}, d, path, {.direction = blockfw::Direction::undirected}),
                  blockfw::InvalidEdge);
  const auto unchanged = [](const auto& now) {
    const auto host = readable(now);
    CHECK(host(0, 2) == 10);
    CHECK(host(2, 0) == blockfw::infinity<int>);
    for (int v = 0; v < 3; ++v) CHECK(host(v, v) == 0);
  };
  unchanged(d);

  // The same in place.
  const auto more = blockfw::allocate_distances<int>(Exec{}, 4);
  const auto part = Kokkos::subview(more, Kokkos::pair(0, 3), Kokkos::pair(0, 3));
  Kokkos::deep_copy(more, 0);
  const auto here = readable(more);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) here(i, j) = readable(d)(i, j);
  Kokkos::deep_copy(more, here);
  const auto add_here = [&](const std::vector<Edge<int>>& edges) { blockfw::add_vertex(Exec{}, more, part, edges); };
  CHECK_THROWS_AS(add_here({{2, 3, 1}, {3, 0, -20}}), blockfw::NegativeCycle);
  CHECK_THROWS_AS(add_here({{2, 3, blockfw::infinity<int> - 1}, {3, 0, blockfw::infinity<int> - 1}}),
                  blockfw::OverflowRisk);
  const auto after = readable(more);
  CHECK(after(0, 2) == 10);
  CHECK(after(2, 0) == blockfw::infinity<int>);
  for (int v = 0; v < 3; ++v) CHECK(after(v, v) == 0);
}

/// Compares take_detours_by_teams() with a plain loop, for a part of a matrix whose rows begin at any address.
template <class T, class Layout>
void check_detours(Random& random, std::size_t height, std::size_t width) {
  CAPTURE(height);
  CAPTURE(width);
  const auto number = [&] {
    return uniform(random, 0, 5) == 0 ? blockfw::infinity<T> : static_cast<T>(uniform(random, -20, 20));
  };
  const auto part_of = [&](const Matrix<T, Layout>& wide) {
    return Kokkos::subview(wide, std::pair<std::size_t, std::size_t>(1, 1 + height),
                           std::pair<std::size_t, std::size_t>(2, 2 + width));
  };
  const Matrix<T, Layout> of_old("old", height + 2, width + 3), of_result("result", height + 3, width + 5);
  const auto old = part_of(of_old), result = part_of(of_result);
  const HostMatrix<T> host("host", height, width);
  for (std::size_t i = 0; i < height; ++i)
    for (std::size_t j = 0; j < width; ++j) host(i, j) = number();
  const Matrix<T, Kokkos::LayoutRight> packed("packed", height, width);
  Kokkos::deep_copy(packed, host);
  Kokkos::deep_copy(Exec{}, old, packed);
  blockfw::detail::Detours<T, Exec> detours(Exec{}, static_cast<std::int64_t>(height),
                                            static_cast<std::int64_t>(width));
  const auto to = Kokkos::create_mirror_view(detours.to), from = Kokkos::create_mirror_view(detours.from);
  for (std::size_t i = 0; i < height; ++i) to(i) = number();
  for (std::size_t j = 0; j < width; ++j) from(j) = number();
  Kokkos::deep_copy(detours.to, to);
  Kokkos::deep_copy(detours.from, from);
  blockfw::detail::take_detours_by_teams<false>(Exec{}, result, old, detours);
  blockfw::detail::take_detours_by_teams<true>(Exec{}, old, old, detours);
  const auto apart = on_host<T>(result), in_place = on_host<T>(old);
  int wrong = 0;
  for (std::size_t i = 0; i < height; ++i)
    for (std::size_t j = 0; j < width; ++j) {
      const bool path = to(i) != blockfw::infinity<T> && from(j) != blockfw::infinity<T>;
      const T expected = path ? std::min(host(i, j), static_cast<T>(to(i) + from(j))) : host(i, j);
      wrong += apart(i, j) != expected || in_place(i, j) != expected;
    }
  CHECK(wrong == 0);
}

TEST_CASE_TEMPLATE("detours by teams: matrices of any shape and layout", T, ALL_TYPES) {
  Random random(13);
  for (const std::size_t height : {1u, 15u, 33u, 130u, 520u})
    for (const std::size_t width : {1u, 31u, 129u, 1030u}) {
      check_detours<T, Kokkos::LayoutRight>(random, height, width);
      check_detours<T, Kokkos::LayoutLeft>(random, height, width);
    }
}

TEST_CASE("progress: counts the vertices, and stops an addition; entries that only some vertices see count") {
  struct Stopped {};
  Random random(13);
  const int n = 700;
  const Graph g = scattered(random, n, 5 * n, 1, 50);
  const auto d = blockfw::solve(n, edges_of<int>(g));
  const auto before = readable(d);
  std::vector<Edge<int>> edges;  // many edges, so that a part has few vertices
  for (int e = 0; e < 150'000; ++e) {
    const int v = uniform(random, 0, n - 1), weight = uniform(random, 1, 90);
    edges.push_back(e % 2 == 0 ? Edge<int>{n, v, weight} : Edge<int>{v, n, weight});
  }
  const auto once = readable(blockfw::add_vertex(Exec{}, d, edges));
  std::vector<std::int64_t> told;
  const auto count = [&](std::int64_t done, std::int64_t all) {
    CHECK(all == n + 1);
    told.push_back(done);
  };
  const auto direction = blockfw::Direction::directed;
  const auto again = readable(blockfw::add_vertex(Exec{}, d, edges, {direction, count}));
  int wrong = 0;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= n; ++j) wrong += again(i, j) != once(i, j);
  CHECK(wrong == 0);
  CHECK(std::is_sorted(told.begin(), told.end()));
  CHECK(told.back() == n + 1);
  if (blockfw::is_host_space<Exec> && Exec{}.concurrency() <= 8) CHECK(told.size() > 1);

  // In place: the distances stay as they were.
  const auto more = blockfw::allocate_distances<int>(Exec{}, n + 1);
  const auto part = Kokkos::subview(more, Kokkos::pair(0, n), Kokkos::pair(0, n));
  Kokkos::deep_copy(part, d);
  CHECK_THROWS_AS(
      blockfw::add_vertex(Exec{}, more, part, edges, {direction, [](std::int64_t, std::int64_t) { throw Stopped(); }}),
      Stopped);
  const auto after = readable(more);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) wrong += after(i, j) != before(i, j);
  CHECK(wrong == 0);

  // A cycle, or a sum that is too large, in the first part or in the last.
  for (const int v : {0, n - 1}) {
    auto bad = edges;
    bad.push_back({n, v, -91});
    CHECK_THROWS_AS(blockfw::add_vertex(Exec{}, d, bad, {direction, count}), blockfw::NegativeCycle);
    CHECK_THROWS_AS(
        blockfw::add_vertex(Exec{}, blockfw::solve(n, std::vector<Edge<int>>{}),
                            std::vector<Edge<int>>{{v, n, 1 << 29}, {n, n / 2, 1 << 29}}, {direction, count}),
        blockfw::OverflowRisk);
  }
}

TEST_CASE("memory for a new vertex: must have its order") {
  const auto d = blockfw::solve(3, std::vector<Edge<int>>{{0, 1, 5}});
  const Matrix<int, Kokkos::LayoutRight> same("same", 3, 3), oblong("oblong", 4, 5);
  const std::vector<Edge<int>> edges = {{1, 3, 2}};
  CHECK_THROWS_WITH_AS(blockfw::add_vertex(Exec{}, same, d, edges),
                       "the matrix 'same' has 3 rows, expected one more than 'blockfw::distances', which has 3",
                       blockfw::InvalidInput);
  CHECK_THROWS_AS(blockfw::add_vertex(Exec{}, oblong, d, edges), blockfw::InvalidInput);
}

TEST_CASE("paths: may come close to infinity, and not reach it") {
  constexpr std::int32_t half = 1 << 29, limit = blockfw::infinity<std::int32_t>;
  for (const std::int32_t weight : {limit - half - 1, limit - half, limit - half + 1}) {
    CAPTURE(weight);
    const bool fits = half + weight < limit;
    const auto d =
        Kokkos::create_mirror_view_and_copy(Exec::memory_space{}, host_matrix<std::int32_t>(Graph{3, {{0, 1, half}}}));
    if (fits) {
      blockfw::insert_edge(Exec{}, d, 1, 2, weight);
      CHECK(readable(d)(0, 2) == half + weight);
    } else {
      CHECK_THROWS_AS(blockfw::insert_edge(Exec{}, d, 1, 2, weight), blockfw::OverflowRisk);
      CHECK(readable(d)(1, 2) == limit);
    }
    const auto three =
        Kokkos::create_mirror_view_and_copy(Exec::memory_space{}, host_matrix<std::int32_t>(Graph{3, {{0, 1, half}}}));
    const std::vector<Edge<std::int32_t>> on = {{1, 3, weight}};
    if (fits)
      CHECK(readable(blockfw::add_vertex(Exec{}, three, on))(0, 3) == half + weight);
    else
      CHECK_THROWS_AS(blockfw::add_vertex(Exec{}, three, on), blockfw::OverflowRisk);
  }
  // Distances far below 0 on both sides of the new edge, with a sum below -infinity.
  const auto d = blockfw::solve(4, std::vector<Edge<std::int32_t>>{{0, 1, -(limit / 8)}, {2, 3, -(limit / 8)}});
  CHECK_THROWS_AS(blockfw::insert_edge(Exec{}, d, 1, 2, -(limit / 8) * 7), blockfw::OverflowRisk);
  blockfw::insert_edge(Exec{}, d, 1, 2, -(limit / 8) * 2);
  CHECK(readable(d)(0, 3) == -(limit / 8) * 4);
}
