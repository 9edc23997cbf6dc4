// SPDX-License-Identifier: MIT
// Factors where a device works, against the oracle: a network's factor, and a factor of the same edges with other
// weights. These factors also find nearest places, and vertices within a limit.
#include "graphs.hpp"
#include "nearest_and_within.hpp"
#include "sparse_graphs.hpp"

#include "blockfw/network_factor.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using Host = Kokkos::DefaultHostExecutionSpace;
using Device = Kokkos::DefaultExecutionSpace;
using blockfw::Direction;
template <class T>
using S = blockfw::MinPlus<T>;
template <class T>
using Net = blockfw::Network<S<T>>;
/// The device's sweeps, on the host's threads if there is no device.
template <class T>
using DeviceFactor = blockfw::SparseFactor<S<T>, Device, blockfw::detail::DeviceSweeps<S<T>, Device>>;

Vertices every(int n) {
  Vertices list;
  for (int v = 0; v < n; ++v) list.push_back(v);
  return list;
}

/// Checks tables, pairs, rows and the answers that are lists.
template <class Factor, class T>
void check_answers(Random& random, const Factor& factor, const HostMatrix<T>& all, int n) {
  const Vertices whole = every(n), from = some(random, n, 70), to = some(random, n, 130);
  const auto rows = readable(factor.distances_from(whole));
  const auto table = readable(factor.table(from, to));
  const Vertices ends = some(random, n, 70);
  const auto pairs = factor.distances(from, ends);
  int wrong = rows.extent_int(0) != n || table.extent(0) != from.size() || pairs.size() != from.size();
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) wrong += rows(i, j) != all(i, j);
  for (std::size_t i = 0; i < from.size(); ++i)
    for (std::size_t j = 0; j < to.size(); ++j) wrong += table(i, j) != all(from[i], to[j]);
  for (std::size_t p = 0; p < from.size(); ++p) wrong += pairs[p] != all(from[p], ends[p]);
  const auto reach = factor.reach();
  wrong += static_cast<int>(reach.size()) != n;
  for (int i = 0; i < n; ++i) {
    std::int64_t vertices = 0;
    for (int j = 0; j < n; ++j) vertices += all(i, j) < blockfw::infinity<T> ? 1 : 0;
    wrong += reach[static_cast<std::size_t>(i)].vertices != vertices;
  }
  CHECK(wrong == 0);
  check_nearest(random, factor, all, n);
  check_within(random, factor, all, n);
}

/// The distances of edges by a factor of a new analysis.
template <class T>
HostMatrix<T> expected_of(const Graph& g, Direction direction) {
  return host_matrix<T>(Answer(g, direction).distances);
}

}  // namespace

TEST_CASE_TEMPLATE("nearest places, vertices within a limit, and a network's factor", T, ALL_TYPES) {
  Random random(71);
  for (const Direction direction : {Direction::directed, Direction::undirected})
    for (const int n : {0, 1, 2, 31, 150, 300}) {
      const Graph g = n == 300 ? grid(random, n) : scattered(random, n, 3 * n, 1, 9);
      CAPTURE(n);
      const auto edges = edges_of<T>(g);
      const auto expected = expected_of<T>(g, direction);
      const blockfw::SparseAnalysis analysis(n, edges);
      check_answers(random, blockfw::SparseFactor<S<T>>(Host(), analysis, edges, {.direction = direction}), expected,
                    n);
      if constexpr (std::is_same_v<T, std::int16_t>)  // (test_sparse.cpp has the other types)
        check_answers(random, DeviceFactor<T>(Device(), analysis, edges, {.direction = direction}), expected, n);

      const Net<T> network(Host(), n, edges, {.direction = direction});
      const auto factor = blockfw::factor_of(Device(), network);
      check_answers(random, factor, expected, n);
      CHECK(factor.is_symmetric() == network.is_symmetric());
      if (n > 0) CHECK(factor.path(0, n - 1) == network.path(0, n - 1));
      if (n > 0) CHECK(factor.path_edges(0, n - 1) == network.path_edges(0, n - 1));
    }
}

TEST_CASE("a network's factor: keeps the weights that it was made with, and outlives the network") {
  using T = std::int32_t;
  Random random(72);
  const Graph g = grid(random, 132);
  auto network = std::make_unique<Net<T>>(Host(), g.n, edges_of<T>(g));
  const auto before = blockfw::factor_of(Device(), *network);
  std::vector<T> weights;
  Graph closed{g.n, {}};
  for (std::size_t e = 0; e < g.edges.size(); ++e) {
    weights.push_back(e % 5 == 0 ? blockfw::infinity<T> : static_cast<T>(g.edges[e].weight + 2));
    if (e % 5 != 0) closed.edges.push_back({g.edges[e].from, g.edges[e].to, weights.back()});
  }
  const auto after = blockfw::factor_of(Device(), network->with_weights(weights));
  network.reset();
  check_answers(random, before, expected_of<T>(g, Direction::directed), g.n);
  check_answers(random, after, expected_of<T>(closed, Direction::directed), g.n);
}

TEST_CASE_TEMPLATE("other weights of the same edges, and edges that an analysis has not placed before", T, std::int32_t,
                   double) {
  Random random(73);
  const Graph g = grid(random, 126);
  const blockfw::SparseAnalysis analysis(g.n, edges_of<T>(g));
  const auto check = [&](const Graph& of, Direction direction) {
    const auto edges = edges_of<T>(of);
    const auto expected = expected_of<T>(of, direction);
    const auto d =
        readable(blockfw::SparseFactor<S<T>, Device>(Device(), analysis, edges, {.direction = direction}).solve());
    int wrong = 0;
    for (int i = 0; i < g.n; ++i)
      for (int j = 0; j < g.n; ++j) wrong += d(i, j) != expected(i, j);
    CHECK(wrong == 0);
  };
  check(g, Direction::directed);
  Graph other = g;
  for (auto& edge : other.edges) edge.weight = 1 + edge.weight * 7 % 10;
  check(other, Direction::directed);
  check(other, Direction::undirected);
  check(g, Direction::undirected);
  std::swap(other.edges.front(), other.edges.back());  // the same edges in another order
  check(other, Direction::undirected);
  other.edges.pop_back();
  check(other, Direction::directed);
  // Another edge has the ends of the first one: the arcs are elsewhere.
  other.edges.front() = {other.edges.back().to, other.edges.back().from, 1};
  check(other, Direction::directed);
  other.edges.front().weight = 2;
  check(other, Direction::directed);
  // A loop does not matter, and has no arc, until it is negative.
  Graph loop = g;
  loop.edges.push_back({5, 5, 3});
  check(loop, Direction::directed);
  loop.edges.back().weight = -1;
  CHECK_THROWS_AS(blockfw::SparseFactor(Device(), analysis, edges_of<T>(loop)), blockfw::NegativeCycle);
  check(g, Direction::directed);
  // An infinite weight of floats is no edge, until it is finite.
  if constexpr (std::is_floating_point_v<T>) {
    auto edges = edges_of<T>(g);
    const auto finite = edges[3];
    edges[3].weight = blockfw::infinity<T>;
    const blockfw::SparseFactor<S<T>, Device> without(Device(), analysis, edges);
    Graph missing = g;
    missing.edges.erase(missing.edges.begin() + 3);
    CHECK(without.distance(finite.from, finite.to) ==
          expected_of<T>(missing, Direction::directed)(finite.from, finite.to));
    check(g, Direction::directed);
  }
  CHECK_THROWS_AS(blockfw::SparseFactor(Device(), analysis, std::vector<blockfw::Edge<T>>{{0, g.n - 1, T(1)}}),
                  blockfw::InvalidEdge);
  check(g, Direction::directed);
}

TEST_CASE("the places of arcs: kept for edges with the same ends") {
  using T = std::int32_t;
  Random random(76);
  auto edges = edges_of<T>(grid(random, 60));
  const blockfw::SparseAnalysis analysis(60, edges);
  blockfw::detail::KeptArcPlan kept;
  const blockfw::detail::Elimination structure = blockfw::detail::find_supernodes(
      blockfw::detail::neighbours_of(60, edges), analysis.order(), blockfw::Purpose::tables, 60, 1e12);
  const auto plan = [&](Direction direction) {
    return kept.get<S<T>>(Host(), structure, std::span<const blockfw::Edge<T>>(edges), direction);
  };
  const auto first = plan(Direction::directed);
  for (auto& edge : edges) edge.weight += 3;
  CHECK(plan(Direction::directed) == first);
  CHECK(plan(Direction::undirected) != first);
  CHECK(plan(Direction::directed) != first);  // only the last plan is kept
}

TEST_CASE("sources of a table: sorted, equal ones in their order") {
  Random random(74);
  for (const int count : {0, 1, 2, 999, 1000, 5000})
    for (const int most : {0, 2047, 2048, 5'000'000, 2'147'483'647}) {
      std::vector<std::int32_t> list;
      for (int i = 0; i < count; ++i)
        list.push_back(i % 7 == 3 ? list[static_cast<std::size_t>(i / 2)] : uniform(random, 0, most));
      if (count > 0) list.front() = most;
      const blockfw::detail::SortedNumbers sorted(list);
      std::vector<std::pair<std::int32_t, std::size_t>> expected;
      for (const std::int32_t number : list) expected.emplace_back(number, expected.size());
      std::sort(expected.begin(), expected.end());
      int wrong = sorted.numbers.size() != list.size() || sorted.place.size() != list.size();
      for (std::size_t i = 0; i < list.size(); ++i)
        wrong += sorted.numbers[i] != expected[i].first || sorted.place[i] != expected[i].second;
      CHECK(wrong == 0);
    }
}

TEST_CASE("answers about some vertices: made in several parts") {
  const int n = 40;
  Random random(75);
  const auto edges = edges_of<std::int32_t>(grid(random, n));
  const blockfw::SparseAnalysis analysis(n, edges);
  const DeviceFactor<std::int32_t> factor(Device(), analysis, edges);
  const auto whole = readable(factor.solve());
  Vertices sources;
  for (std::int32_t i = 0; i < 100; ++i) sources.push_back(i * 7 % n);
  int parts = 0, wrong = 0;
  std::size_t next = 0;
  const auto check = [&](const Vertices& list, std::int64_t first, const auto& block) {
    const auto rows = readable(block);
    ++parts;
    wrong += first != static_cast<std::int64_t>(next);
    for (std::size_t r = 0; r < rows.extent(0); ++r, ++next)
      for (int j = 0; j < n; ++j) wrong += rows(r, j) != whole(list[next], j);
  };
  factor.for_rows_of_table(
      sources, every(n), [&](std::int64_t first, const auto& rows) { check(sources, first, rows); }, 32);
  CHECK(parts == 4);
  CHECK(next == sources.size());
  next = 0;
  factor.for_whole_rows([&](std::int64_t first, const auto& rows) { check(every(n), first, rows); }, 15);
  CHECK(parts == 7);
  CHECK(next == std::size_t{n});
  CHECK(wrong == 0);
  const auto all = factor.solve();
  blockfw::VerticesInReach<std::int32_t> twice;
  const std::vector<std::int32_t> limits(static_cast<std::size_t>(n), 20);
  blockfw::detail::append_within(Device(), all, limits, twice);
  const auto once = twice;
  blockfw::detail::append_within(Device(), all, limits, twice);
  const auto half = static_cast<std::ptrdiff_t>(once.vertices.size());
  REQUIRE(half > n);
  REQUIRE(twice.vertices.size() == 2 * once.vertices.size());
  REQUIRE(twice.first.size() == 2 * n + 1);
  CHECK(std::equal(once.vertices.begin(), once.vertices.end(), twice.vertices.begin() + half));
  CHECK(twice.first[n + 3] == twice.first[n] + once.first[3]);
}

TEST_CASE("a table on a device: vertices in any order, more targets than a team's scratch holds") {
  const int n = 400;
  Random random(76);
  const auto edges = edges_of<double>(grid(random, n));
  const blockfw::SparseAnalysis analysis(n, edges, {.purpose = blockfw::Purpose::tables});
  const DeviceFactor<double> factor(Device(), analysis, edges);
  const auto whole = readable(factor.solve());
  constexpr std::size_t most = blockfw::detail::most_permuted<double>;
  for (const std::size_t count : {std::size_t{130}, most - 1, most, most + 1, 2 * most + 70}) {
    Vertices sources, targets;
    for (int i = 0; i < 150; ++i) sources.push_back(uniform(random, 0, n - 1));
    for (std::size_t j = 0; j < count; ++j) targets.push_back(uniform(random, 0, n - 1));
    const auto table = readable(factor.table(sources, targets));
    int wrong = table.extent(0) != sources.size() || table.extent(1) != count;
    for (std::size_t i = 0; wrong == 0 && i < sources.size(); ++i)
      for (std::size_t j = 0; j < count; ++j) wrong += table(i, j) != whole(sources[i], targets[j]);
    CHECK(wrong == 0);
  }
}

TEST_CASE("errors of nearest() and within() of a factor") {
  const std::vector<blockfw::Edge<double>> edges{{0, 1, 2.}};
  const blockfw::SparseAnalysis analysis(2, edges);
  const DeviceFactor<double> factor(Device(), analysis, edges);
  CHECK_THROWS_WITH_AS(factor.nearest(Vertices{0}, 0), "the number of nearest places is 0, expected 1 or more",
                       blockfw::InvalidInput);
  CHECK_THROWS_AS(factor.nearest(Vertices{2}), blockfw::InvalidInput);
  CHECK_THROWS_AS(factor.nearest(Vertices{0}, std::int64_t{1} << 45), blockfw::OutOfMemory);
  CHECK_THROWS_AS(factor.nearest(Vertices{-1}, Vertices{0}, 1), blockfw::InvalidInput);
  CHECK_THROWS_WITH_AS(factor.within(Vertices{0}, std::nan("")), "the limit is NaN, expected a number",
                       blockfw::InvalidInput);
  CHECK_THROWS_AS(factor.within(Vertices{2}, 1.), blockfw::InvalidInput);
}

TEST_CASE("a network with a device: small questions to the host, large ones to the device, the same answers") {
  using T = std::int32_t;
  using DevicePlace = blockfw::detail::DeviceSweeps<S<T>, Device>;
  const int n = 1100;  // (so that a table of all vertices is large)
  Random random(77);
  const Graph g = grid(random, n);
  const Net<T> network(Host(), n, edges_of<T>(g));
  const blockfw::NetworkWithDevice<S<T>, Device, Host, DevicePlace> either(Device(), network);
  check_answers(random, either, expected_of<T>(g, Direction::directed), n);
  const Vertices whole = every(n);
  CHECK(either.distance(3, 1000) == network.distance(3, 1000));
  CHECK(either.path(3, 1000) == network.path(3, 1000));
  CHECK(either.path_edges(3, 1000) == network.path_edges(3, 1000));
  const auto table = network.table(whole, whole), rows = either.distances_from(whole);
  int wrong = 0;
  std::size_t next = 0;
  either.for_rows_of_table(
      whole, whole,
      [&](std::int64_t first, const auto& block) {
        for (std::size_t r = 0; r < block.extent(0); ++r, ++next)
          for (std::size_t j = 0; j < whole.size(); ++j) wrong += block(r, j) != table(next, j);
        wrong += first + static_cast<std::int64_t>(block.extent(0)) != static_cast<std::int64_t>(next);
      },
      1000);
  for (std::size_t i = 0; i < whole.size(); ++i)
    for (std::size_t j = 0; j < whole.size(); ++j) wrong += rows(i, j) != table(i, j);
  Vertices from, to;
  for (int p = 0; p < 70000; ++p) from.push_back(uniform(random, 0, n - 1)), to.push_back(uniform(random, 0, n - 1));
  CHECK(either.distances(from, to) == network.distances(from, to));
  const auto near = either.nearest(whole, 3), as_near = network.nearest(whole, 3);
  CHECK(near.place == as_near.place);
  CHECK(near.distance == as_near.distance);
  CHECK(wrong == 0);
  CHECK(next == whole.size());

  const blockfw::NetworkWithDevice alone(Host(), network);  // (without a device)
  CHECK(alone.distances(from, to) == network.distances(from, to));
}

TEST_CASE("a network with a device: the host goes on where the device's memory lacks") {
  using T = std::int32_t;
  using DevicePlace = blockfw::detail::DeviceSweeps<S<T>, Device>;
  const auto place = [&](bool lacks) {
    return blockfw::detail::HostOrDevice<S<T>, Host, DevicePlace>({}, [lacks]() -> DevicePlace {
      if (lacks) throw blockfw::OutOfMemory("none");
      return {};
    });
  };
  const auto by = [](const auto& some, std::size_t rows) {
    return some.answer(rows, 1024, [](const DevicePlace&) { return 'd'; }, [] { return 'h'; });
  };
  CHECK(by(place(false), 1023) == 'h');
  CHECK(by(place(false), 1024) == 'd');
  CHECK(by(place(true), 1024) == 'h');
}
