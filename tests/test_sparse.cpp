// SPDX-License-Identifier: MIT
// Elimination in a fill-reducing order against the oracle: families of graphs, types, semirings, orders, errors.
#include "folder.hpp"
#include "graphs.hpp"

#include "blockfw/io/distances.hpp"
#include "blockfw/sparse.hpp"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <numeric>
#include <string>

namespace {

using Host = Kokkos::DefaultHostExecutionSpace;
using blockfw::Direction;

Graph path(Random& random, int n) {
  Graph g{n, {}};
  for (int v = 0; v + 1 < n; ++v) g.edges.push_back({v, v + 1, uniform(random, 0, heaviest(n))});
  return g;
}
Graph tree(Random& random, int n) {
  Graph g{n, {}};
  for (int v = 1; v < n; ++v) {
    const int parent = uniform(random, 0, v - 1);
    g.edges.push_back({v, parent, uniform(random, 0, heaviest(n))});
    g.edges.push_back({parent, v, uniform(random, 0, heaviest(n))});
  }
  return g;
}
Graph grid(Random& random, int n) {
  Graph g{n, {}};
  int side = 1;
  while ((side + 1) * (side + 1) <= n) ++side;
  for (int v = 0; v < n; ++v)
    for (const int other : {v + 1, v + side})
      if (other < n && (other != v + 1 || other % side != 0)) {
        g.edges.push_back({v, other, uniform(random, 0, heaviest(n))});
        if (uniform(random, 0, 3) > 0) g.edges.push_back({other, v, uniform(random, 0, heaviest(n))});
      }
  return g;
}
Graph star(Random& random, int n) {
  Graph g{n, {}};
  const int hub = n > 0 ? uniform(random, 0, n - 1) : 0;
  for (int v = 0; v < n; ++v) {
    g.edges.push_back({v, hub, uniform(random, 0, heaviest(n))});
    g.edges.push_back({hub, v, uniform(random, 0, heaviest(n))});
  }
  return g;
}
Graph cycle(Random& random, int n) {
  Graph g = path(random, n);
  if (n > 0) g.edges.push_back({n - 1, 0, uniform(random, 0, heaviest(n))});
  return g;
}
/// Each new vertex is joined to some earlier ones, mostly to those that have many.
Graph attached(Random& random, int n) {
  Graph g{n, {}};
  std::vector<int> ends = {0};
  for (int v = 1; v < n; ++v)
    for (int e = 0; e < 3; ++e) {
      const int other = ends[static_cast<std::size_t>(uniform(random, 0, static_cast<int>(ends.size()) - 1))];
      g.edges.push_back({v, other, uniform(random, 0, heaviest(n))});
      g.edges.push_back({other, v, uniform(random, 0, heaviest(n))});
      ends.push_back(v), ends.push_back(other);
    }
  return g;
}

const Family sparse_families[] = {
    {"path", path}, {"tree", tree}, {"grid", grid}, {"star", star}, {"cycle", cycle}, {"attached", attached},
};

std::vector<std::int32_t> shuffled(Random& random, int n) {
  std::vector<std::int32_t> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  return order;
}

template <class T>
using S = blockfw::MinPlus<T>;
template <class T>
using Factor = blockfw::SparseFactor<S<T>>;
/// The device's sweeps, on the host's threads.
template <class T>
using DeviceFactor = blockfw::SparseFactor<S<T>, Host, blockfw::detail::DeviceSweeps<S<T>, Host>>;

/// Everything that a factor answers, against the distances of the oracle.
template <class Factor, class Expected>
void check_answers(const Factor& factor, const Expected& expected, int n) {
  using T = typename Factor::T;
  constexpr bool exact = std::is_integral_v<T>;
  const auto all = factor.solve();
  CHECK(difference(all, expected) == "");
  std::vector<int> sources(static_cast<std::size_t>(n));
  std::iota(sources.begin(), sources.end(), 0);
  CHECK(difference(factor.distances_from(sources), expected) == "");
  int wrong = 0;
  std::int64_t next = 0;
  factor.for_each_block([&](std::int64_t first, const auto& rows) {
    wrong += first != next;
    for (std::size_t r = 0; r < rows.extent(0); ++r)
      for (std::size_t v = 0; v < rows.extent(1); ++v) wrong += exact && rows(r, v) != all(next + std::int64_t(r), v);
    next += rows.extent_int(0);
  });
  CHECK(next == n);
  CHECK(wrong == 0);
  for (const auto towards : {blockfw::Towards::others, blockfw::Towards::itself}) {
    const auto seen = factor.reach(towards), there = blockfw::reach(Host(), all, towards);
    wrong = seen.size() != there.size();
    for (std::size_t v = 0; v < seen.size(); ++v)
      wrong += seen[v].vertices != there[v].vertices ||
               (exact && (seen[v].sum != there[v].sum || seen[v].farthest != there[v].farthest ||
                          seen[v].farthest_vertex != there[v].farthest_vertex));
    CHECK(wrong == 0);
  }
}

/// Distances of pairs, and the edges of their paths.
template <class T>
void check_pairs(const Factor<T>& factor, const Graph& g) {
  const auto all = factor.solve();
  int wrong = 0;
  for (int i = 0; i < g.n; ++i)
    for (int j = i % 3; j < g.n; j += 3) {
      const T there = all(i, j);
      const double far = 1e-5 * (1 + std::abs(double(there)));
      const auto differs = [&](double length) {
        return std::is_integral_v<T> ? length != double(there) : !(std::abs(length - double(there)) <= far);
      };
      if (!(there < blockfw::infinity<T>)) {
        wrong += factor.distance(i, j) != blockfw::infinity<T> || !factor.path(i, j).empty();
        continue;
      }
      wrong += differs(double(factor.distance(i, j)));
      if ((i + j) % 5 != 0) continue;
      const auto path = factor.path(i, j);
      wrong += path.empty() || path.front() != i || path.back() != j;
      double length = 0;
      for (std::size_t p = 0; p + 1 < path.size(); ++p) {
        std::int64_t lightest = std::numeric_limits<std::int32_t>::max();
        for (const auto& e : g.edges)
          if (e.from == path[p] && e.to == path[p + 1]) lightest = std::min<std::int64_t>(lightest, e.weight);
        length += double(lightest);
      }
      wrong += differs(length);
    }
  CHECK(wrong == 0);
}

template <class T>
void check(const Graph& g, Direction direction, const blockfw::SparseAnalysis& analysis) {
  const auto edges = edges_of<T>(g);
  const Graph both = direction == Direction::undirected ? oracle::mirrored(g) : g;
  if (oracle::has_negative_cycle(both)) {
    std::int64_t vertex = -1;
    try {
      const Factor<T> factor(Host(), analysis, edges, direction);
    } catch (const blockfw::NegativeCycle& error) {
      vertex = error.vertex;
    }
    CHECK(vertex >= 0);
    return;
  }
  const auto expected = oracle::distances(both);
  const Factor<T> factor(Host(), analysis, edges, direction);
  check_answers(factor, expected, g.n);
  if (g.n == 20 || g.n == 61) check_answers(DeviceFactor<T>(Host(), analysis, edges, direction), expected, g.n);
  if (g.n <= 20) check_pairs<T>(factor, both);
}

}  // namespace

TEST_CASE_TEMPLATE("families of graphs, in the built-in order and in any", T, ALL_TYPES) {
  const char* const more = std::getenv("BLOCKFW_TEST_SEEDS");  // for a longer run than the suite's
  const unsigned seeds = more != nullptr                   ? static_cast<unsigned>(std::atoi(more))
                         : std::is_same_v<T, std::int32_t> ? 3
                                                           : 1;
  for (unsigned seed = 1; seed <= seeds; ++seed)
    for (const int n : {0, 1, 2, 3, 7, 20, 61, 130}) {
      const auto run = [&](const Family& family) {
        CAPTURE(family.name);
        CAPTURE(n);
        CAPTURE(seed);
        Random random(seed * 1000 + static_cast<unsigned>(n));
        Graph g{0, {}};
        if (n > 0) g = family.make(random, n);
        g.n = n;
        const auto direction = seed % 3 == 2 ? Direction::undirected : Direction::directed;
        check<T>(g, direction, {n, edges_of<T>(g)});
        check<T>(g, direction, {n, edges_of<T>(g), shuffled(random, n)});
      };
      for (const Family& family : families) run(family);
      for (const Family& family : sparse_families) run(family);
    }
}

TEST_CASE("sources, orders and semirings") {
  Random random(5);
  const Graph g = grid(random, 100);
  const auto edges = edges_of<std::int32_t>(g);
  const blockfw::SparseAnalysis analysis(g.n, edges);
  const Host exec;

  const blockfw::SparseFactor<blockfw::MinPlus<std::int32_t>> factor(exec, analysis, edges);
  const auto all = factor.solve();
  std::vector<std::int64_t> sources;
  for (int s = 0; s < 150; ++s) sources.push_back(uniform(random, 0, g.n - 1));  // (more than one block, some twice)
  const auto rows = factor.distances_from(sources);
  int wrong = 0;
  for (std::size_t r = 0; r < sources.size(); ++r)
    for (int v = 0; v < g.n; ++v) wrong += rows(r, v) != all(sources[r], v);
  CHECK(wrong == 0);
  CHECK(factor.distances_from(std::vector<int>{}).extent(0) == 0);

  // The same structure with other weights.
  auto heavier = g;
  for (auto& e : heavier.edges) e.weight += 7;
  const blockfw::SparseFactor<blockfw::MinPlus<std::int32_t>> again(exec, analysis, edges_of<std::int32_t>(heavier));
  CHECK(difference(again.solve(), oracle::distances(heavier)) == "");

  // Widest paths, against the dense solve.
  const blockfw::SparseFactor<blockfw::MaxMin<std::int32_t>> widest(exec, analysis, edges);
  const auto width = widest.solve();
  const auto expected = blockfw::solve<blockfw::MaxMin<std::int32_t>>(exec, g.n, edges);
  wrong = 0;
  for (int i = 0; i < g.n; ++i)
    for (int j = 0; j < g.n; ++j) wrong += width(i, j) != expected(i, j);
  CHECK(wrong == 0);
}

TEST_CASE("a grid takes far fewer relaxes than a dense solve, whatever its vertices are called") {
  Random random(6);
  Graph g = grid(random, 900);
  const auto name = shuffled(random, g.n);
  for (auto& e : g.edges) {
    e.from = name[static_cast<std::size_t>(e.from)];
    e.to = name[static_cast<std::size_t>(e.to)];
  }
  const blockfw::SparseAnalysis analysis(g.n, edges_of<std::int32_t>(g));
  CHECK(analysis.factor_relaxes() + analysis.solve_relaxes() < 900.0 * 900 * 900 / 10);
  CHECK(analysis.vertices() == 900);
  CHECK(analysis.widest() < 200);
  CHECK(analysis.factor_elements() < 900.0 * 900 / 3);
}

TEST_CASE("solve() takes the method that costs less, or the one that is named") {
  Random random(7);
  const Graph streets = grid(random, 900), all = complete(random, 300, 1000);
  for (const auto& [g, sparse] : {std::pair(streets, true), std::pair(all, false)}) {
    const auto edges = edges_of<std::int32_t>(g);
    const auto expected = oracle::distances(g);
    for (const auto method : {blockfw::Method::automatic, blockfw::Method::dense, blockfw::Method::sparse}) {
      blockfw::SolveReport report;
      std::int64_t last = -1, rounds = -1;
      int calls = 0;
      const auto d = blockfw::solve(Host(), g.n, edges,
                                    {.method = method,
                                     .progress = [&](std::int64_t done, std::int64_t of) { last = done, rounds = of; },
                                     .meanwhile = [&] { ++calls; },
                                     .report = &report});
      CHECK(difference(d, expected) == "");
      const bool by_elimination = method == blockfw::Method::automatic ? sparse : method == blockfw::Method::sparse;
      CHECK((report.method == blockfw::Method::sparse) == by_elimination);
      CHECK(last == rounds);
      CHECK(calls == 1);
      CHECK(report.dense_relaxes == std::pow(double(g.n), 3));
      if (by_elimination) CHECK(report.relaxes == report.sparse_relaxes);
      if (by_elimination && sparse) CHECK(report.relaxes < report.dense_relaxes / 10);
      if (by_elimination) CHECK(report.separator > 0);
    }
  }
}

TEST_CASE("rows go to a file without the matrix") {
  Random random(8);
  const Graph g = grid(random, 200);
  const auto edges = edges_of<std::int32_t>(g);
  const blockfw::SparseAnalysis analysis(g.n, edges);
  const blockfw::SparseFactor factor(Host(), analysis, edges);
  const Folder folder;
  for (const std::string ending : {".npy", ".bin"}) {
    const auto whole = folder / ("whole" + ending).c_str(), streamed = folder / ("rows" + ending).c_str();
    blockfw::io::DistanceOutput<std::int32_t>(whole, g.n).write(factor.solve());
    blockfw::io::DistanceOutput<std::int32_t> output(streamed, g.n);
    CHECK_THROWS_AS(output.commit(), blockfw::InvalidInput);  // no row yet
    factor.for_each_block([&](std::int64_t, const auto& rows) { output.append(rows); });
    CHECK_THROWS_AS(output.append(factor.distances_from(std::vector<int>{0})), blockfw::InvalidInput);
    CHECK_FALSE(std::filesystem::exists(streamed));
    output.commit();
    CHECK(get(streamed) == get(whole));
  }
  blockfw::io::DistanceOutput<std::int32_t> text(folder / "rows.txt", g.n);
  CHECK_THROWS_AS(text.append(factor.distances_from(std::vector<int>{0})), blockfw::FileError);
}

TEST_CASE("what sparse calls refuse") {
  using Edges = std::vector<blockfw::Edge<std::int32_t>>;
  const Host exec;
  const Edges path = {{0, 1, 5}, {1, 2, 3}};
  CHECK_THROWS_WITH_AS(blockfw::SparseAnalysis(-1, path), "the number of vertices is -1, expected 0 to 2^31 - 1",
                       blockfw::InvalidInput);
  CHECK_THROWS_WITH_AS(blockfw::SparseAnalysis(2, path), "edge 1: vertex 2 is out of range, expected 0 to 1",
                       blockfw::InvalidEdge);
  CHECK_THROWS_WITH_AS(blockfw::SparseAnalysis(3, path, {0, 1}),
                       "the order of elimination has 2 vertices, expected all 3", blockfw::InvalidInput);
  CHECK_THROWS_WITH_AS(blockfw::SparseAnalysis(3, path, {0, 1, 1}),
                       "the order of elimination has vertex 1 at place 2, expected each from 0 to 2 once",
                       blockfw::InvalidInput);
  const blockfw::SparseAnalysis analysis(3, path, {1, 0, 2}), of_ends(3, Edges{{0, 1, 1}}, {0, 1, 2});
  CHECK_THROWS_WITH_AS(Factor<std::int32_t>(exec, of_ends, path),
                       "edge 1: from 1 to 2, expected one of the analysed network", blockfw::InvalidEdge);
  CHECK_THROWS_WITH_AS(Factor<std::int32_t>(exec, analysis, Edges{{0, 3, 1}}),
                       "edge 0: vertex 3 is out of range, expected 0 to 2", blockfw::InvalidEdge);
  CHECK_THROWS_AS(Factor<std::int32_t>(exec, analysis, Edges{{0, 1, 1 << 29}}), blockfw::OverflowRisk);
  const Factor<std::int32_t> factor(exec, analysis, path);
  CHECK_THROWS_WITH_AS(factor.distances_from(std::vector<int>{1, 3}), "vertex 3 is out of range, expected 0 to 2",
                       blockfw::InvalidInput);
  CHECK(factor.solve()(0, 2) == 8);
  CHECK(factor.solve()(2, 0) == blockfw::infinity<std::int32_t>);
}
