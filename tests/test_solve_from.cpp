// SPDX-License-Identifier: MIT
// Distances from some vertices only, compared with the oracle's.
#include "graphs.hpp"
#include "sparse_graphs.hpp"

#include "blockfw/solve_from.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using blockfw::Direction;
using Sources = std::vector<std::int32_t>;

/// Whether a source reaches a vertex that is on a negative cycle.
bool reaches_cycle(const Graph& g, int source) {
  std::vector<std::int64_t> length(static_cast<std::size_t>(g.n), oracle::unreachable<std::int64_t>);
  length[static_cast<std::size_t>(source)] = 0;
  return !oracle::bellman_ford(g, length);
}

template <class T>
void check(const Graph& directed, const Sources& sources, Direction direction) {
  const Graph g = direction == Direction::directed ? directed : oracle::mirrored(directed);
  const bool cycle = std::any_of(sources.begin(), sources.end(), [&](int s) { return reaches_cycle(g, s); });
  try {
    const auto d = readable(blockfw::solve_from(Exec{}, g.n, edges_of<T>(directed), sources, {.direction = direction}));
    CHECK_FALSE(cycle);
    REQUIRE(d.extent(0) == sources.size());
    REQUIRE(d.extent(1) == static_cast<std::size_t>(g.n));
    for (std::size_t row = 0; row < sources.size(); ++row) {
      std::vector<std::int64_t> length(d.extent(1), oracle::unreachable<std::int64_t>);
      length[static_cast<std::size_t>(sources[row])] = 0;
      oracle::bellman_ford(g, length);
      int wrong = 0;
      for (std::size_t v = 0; v < length.size(); ++v) {
        const bool none = length[v] == oracle::unreachable<std::int64_t>;
        wrong += d(row, v) != (none ? blockfw::infinity<T> : static_cast<T>(length[v]));
      }
      CHECK(wrong == 0);
    }
  } catch (const blockfw::NegativeCycle& e) {
    CHECK(cycle);
    CHECK(oracle::on_negative_walk(g, static_cast<int>(e.vertex)));
    const auto vertex = static_cast<std::size_t>(e.vertex);
    CHECK(std::any_of(sources.begin(), sources.end(), [&](int s) -> bool { return oracle::reach(g, s)[vertex]; }));
  }
}

/// A grid with the diagonals of its squares: six edges of a vertex.
Graph with_diagonals(Random& random, int side) {
  Graph g{side * side, {}};
  for (int v = 0; v < g.n; ++v)
    for (const int other : {v + 1, v + side, v + side + 1})
      if (other < g.n && (other == v + side || v % side != side - 1)) {
        g.edges.push_back({v, other, uniform(random, 0, 7)});
        g.edges.push_back({other, v, uniform(random, 0, 7)});
      }
  return g;
}

}  // namespace

TEST_CASE_TEMPLATE("sources: searches, rounds and elimination", T, ALL_TYPES) {
  Random random(32);
  for (const bool roads : {true, false}) {  // (few edges: searches; many: rounds; both: elimination for many sources)
    Graph g = roads ? grid(random, 2116) : with_diagonals(random, 46);
    for (auto& e : g.edges) e.weight = uniform(random, 0, 7);
    for (const Direction direction : {Direction::directed, Direction::undirected})
      for (const int count : {3, 40}) {
        Sources sources;
        for (int s = 0; s < count; ++s) sources.push_back(uniform(random, 0, g.n - 1));
        check<T>(g, sources, direction);
      }
  }
}

TEST_CASE_TEMPLATE("sources: some vertices of graphs of all families", T, ALL_TYPES) {
  Random random(30);
  for (const Family& family : families)
    for (const Direction direction : {Direction::directed, Direction::undirected})
      for (const int n : {1, 2, 31, 32, 33, 64, 97}) {
        const std::string name = family.name;
        CAPTURE(name);
        CAPTURE(n);
        const Graph g = family.make(random, n);
        Sources sources;
        for (int s = 0; s < std::min(n, 5); ++s) sources.push_back(uniform(random, 0, n - 1));
        check<T>(g, sources, direction);
        check<T>(g, {n - 1}, direction);
      }
}

TEST_CASE("negative cycles: matter to sources that reach them") {
  const std::vector<blockfw::Edge<std::int32_t>> edges{{0, 1, 4}, {2, 3, -2}, {3, 2, 1}, {3, 4, 0}};
  const auto d = readable(blockfw::solve_from(Exec{}, 5, edges, Sources{0, 1, 4}));
  CHECK(d(0, 1) == 4);
  CHECK(d(0, 2) == blockfw::infinity<std::int32_t>);
  try {
    blockfw::solve_from(Exec{}, 5, edges, Sources{0, 2});
    FAIL("no NegativeCycle was thrown");
  } catch (const blockfw::NegativeCycle& e) {
    CHECK((e.vertex == 2 || e.vertex == 3));
  }
  const std::vector<blockfw::Edge<double>> loop{{0, 1, 1.0}, {1, 1, -0.5}};
  CHECK_THROWS_AS(blockfw::solve_from(Exec{}, 2, loop, Sources{0}), blockfw::NegativeCycle);
  // A negative cycle whose weights are nearly the heaviest that int16 allows.
  std::vector<blockfw::Edge<std::int16_t>> ring;
  for (int v = 0; v < 15; ++v) ring.push_back({v, (v + 1) % 15, static_cast<std::int16_t>(v == 14 ? 500 : -500)});
  CHECK_THROWS_AS(blockfw::solve_from(Exec{}, 15, ring, Sources{3}), blockfw::NegativeCycle);
}

TEST_CASE("a long path, whose vertices come nearer many times") {
  const int n = 400;
  Graph g{n, {}};
  for (int v = 0; v + 1 < n; ++v) g.edges.push_back({v, v + 1, -1});
  for (int v = 0; v < n; v += 7) g.edges.push_back({0, v, 0});
  check<std::int32_t>(g, {0, 399, 17}, Direction::directed);
}

TEST_CASE("progress: counts the sources, and stops the solve; a negative cycle of a later source is found") {
  struct Stopped {};
  Random random(31);
  const int n = 300;
  const Graph g = scattered(random, n, 60000, 1, 9);
  auto edges = edges_of<std::int32_t>(g);
  Sources sources;
  for (int s = 0; s < 700; ++s) sources.push_back(s % (n - 1));
  const auto once = readable(blockfw::solve_from(Exec{}, n, edges, sources));
  std::vector<std::int64_t> told;
  const blockfw::SolveOptions options{.progress = [&](std::int64_t done, std::int64_t all) {
    CHECK(all == 700);
    told.push_back(done);
  }};
  const auto d = readable(blockfw::solve_from(Exec{}, n, edges, sources, options));
  int wrong = 0;
  for (std::size_t row = 0; row < sources.size(); ++row)
    for (int v = 0; v < n; ++v) wrong += d(row, v) != once(row, v);
  CHECK(wrong == 0);
  CHECK(std::is_sorted(told.begin(), told.end()));
  CHECK(told.back() == 700);
  if (blockfw::is_host_space<Exec> && Exec{}.concurrency() < 50) CHECK(told.size() > 1);
  CHECK_THROWS_AS(
      blockfw::solve_from(Exec{}, n, edges, sources, {.progress = [](std::int64_t, std::int64_t) { throw Stopped(); }}),
      Stopped);

  // If progress throws OutOfMemory, that is the caller's exception, not a lack of memory: no other method is tried.
  Graph roads = grid(random, 2116);
  for (auto& e : roads.edges) e.weight = uniform(random, 0, 7);
  int calls = 0;
  const blockfw::SolveOptions ends{.progress = [&](std::int64_t, std::int64_t) {
    ++calls;
    throw blockfw::OutOfMemory("the caller's");
  }};
  CHECK_THROWS_WITH_AS(blockfw::solve_from(Exec{}, roads.n, edges_of<std::int32_t>(roads), Sources(40, 3), ends),
                       "the caller's", blockfw::OutOfMemory);
  CHECK(calls == 1);

  // Only the last source reaches the cycle. No edge leads to this source.
  const int last = n + 2;
  edges.push_back({n, n + 1, -2});
  edges.push_back({n + 1, n, 1});
  edges.push_back({last, n, 5});
  sources.push_back(last);
  try {
    blockfw::solve_from(Exec{}, n + 3, edges, sources, {.progress = [](std::int64_t, std::int64_t) {}});
    FAIL("no NegativeCycle was thrown");
  } catch (const blockfw::NegativeCycle& e) {
    CHECK((e.vertex == n || e.vertex == n + 1));
  }
}

TEST_CASE("sources: none, one twice, of another type; a wider type; edges in a view") {
  const std::vector<blockfw::Edge<std::int32_t>> edges{{0, 1, 2'000'000'000}, {1, 2, 2'000'000'000}};
  CHECK_THROWS_AS(blockfw::solve_from(Exec{}, 3, edges, Sources{0}), blockfw::OverflowRisk);
  const auto wide = readable(blockfw::solve_from<std::int64_t>(Exec{}, 3, edges, std::array<std::int64_t, 2>{0, 0}));
  CHECK(wide(0, 2) == 4'000'000'000);
  CHECK(wide(1, 2) == 4'000'000'000);
  CHECK(blockfw::solve_from<std::int64_t>(Exec{}, 3, edges, Sources{}).extent(0) == 0);
  CHECK(blockfw::solve_from(Exec{}, 0, std::vector<blockfw::Edge<int>>{}, Sources{}).extent(1) == 0);
  const Kokkos::View<blockfw::Edge<float>*, Kokkos::SharedSpace> view("edges", 2);
  view(0) = {0, 1, 0.5f};
  view(1) = {0, 1, 0.25f};
  CHECK(readable(blockfw::solve_from(Exec{}, 2, view, Sources{0}))(0, 1) == 0.25f);
}

TEST_CASE("errors: name the wrong argument") {
  using Edges = std::vector<blockfw::Edge<int>>;
  CHECK_THROWS_WITH_AS(blockfw::solve_from(Exec{}, 2, Edges{{0, 1, 1}}, Sources{2}),
                       "vertex 2 is out of range, expected 0 to 1", blockfw::InvalidInput);
  CHECK_THROWS_WITH_AS(blockfw::solve_from(Exec{}, 2, Edges{{0, 1, 1}, {0, -1, 1}}, Sources{0}),
                       "edge 1: vertex -1 is out of range, expected 0 to 1", blockfw::InvalidEdge);
  CHECK_THROWS_WITH_AS(blockfw::solve_from(Exec{}, -1, Edges{}, Sources{}),
                       "the number of vertices is -1, expected 0 to 2^31 - 1", blockfw::InvalidInput);
  CHECK_THROWS_WITH_AS(blockfw::solve_from(Exec{}, std::int64_t{1} << 31, Edges{}, Sources{}),
                       "the number of vertices is 2147483648, expected 0 to 2^31 - 1", blockfw::InvalidInput);
  const auto refuses = [](const blockfw::SolveOptions& options, const char* option) {
    CAPTURE(option);
    CHECK_THROWS_WITH_AS(blockfw::solve_from(Exec{}, 2, Edges{{0, 1, 1}}, Sources{0}, options),
                         ("the option " + std::string(option) + " is set, which solve_from() does not use").c_str(),
                         blockfw::InvalidInput);
  };
  blockfw::SolveReport report;
  refuses({.method = blockfw::Method::sparse}, "method");
  refuses({.method = blockfw::Method::dense}, "method");
  refuses({.meanwhile = [] {}}, "meanwhile");
  refuses({.report = &report}, "report");
}
