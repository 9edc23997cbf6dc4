// SPDX-License-Identifier: MIT
// Elimination in a fill-reducing order against the oracle: families of graphs, types, semirings, orders, errors.
#include "folder.hpp"
#include "graphs.hpp"
#include "sparse_graphs.hpp"

#include "blockfw/io/distances.hpp"
#include "blockfw/measures.hpp"
#include "blockfw/sparse.hpp"

#include <algorithm>
#include <bitset>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <new>
#include <numeric>
#include <string>

namespace {

using Host = Kokkos::DefaultHostExecutionSpace;
using blockfw::Direction;

template <class T>
using S = blockfw::MinPlus<T>;
template <class T>
using Factor = blockfw::SparseFactor<S<T>>;
/// The device's sweeps, on the host's threads if there is no device.
using Device = Kokkos::DefaultExecutionSpace;
template <class T>
using DeviceFactor = blockfw::SparseFactor<S<T>, Device, blockfw::detail::DeviceSweeps<S<T>, Device>>;

/// A factor in the default execution space.
template <class T>
using DeviceOrHost = blockfw::SparseFactor<S<T>, Device>;

template <class View, class Expected>
int wrong_entries(const View& d, const Expected& expected) {
  int wrong = d.extent(0) != expected.extent(0) || d.extent(1) != expected.extent(1);
  for (std::size_t i = 0; wrong == 0 && i < d.extent(0); ++i)
    for (std::size_t j = 0; j < d.extent(1); ++j) wrong += d(i, j) != expected(i, j);
  return wrong;
}

/// Compares all answers of a factor with the distances of the oracle.
template <class Factor, class Expected>
void check_answers(const Factor& factor, const Expected& expected, int n) {
  using T = typename Factor::T;
  constexpr bool exact = std::is_integral_v<T>;
  const auto all = readable(factor.solve());
  CHECK(difference(all, expected) == "");
  std::vector<int> sources(static_cast<std::size_t>(n));
  std::iota(sources.begin(), sources.end(), 0);
  CHECK(difference(readable(factor.distances_from(sources)), expected) == "");
  int wrong = 0;
  std::int64_t next = 0;
  factor.for_whole_rows([&](std::int64_t first, const auto& block) {
    const auto rows = readable(block);
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

/// Compares tables and pairs with all distances. Vertices come in any order, some of them twice.
template <class Factor, class Expected>
void check_tables(const Factor& factor, const Expected& expected, int n) {
  using T = typename Factor::T;
  std::vector<int> sources, targets;
  for (int i = 0; n > 0 && i < n + n / 2 + 1; ++i) {
    sources.push_back((7 * i + 3) % n);
    targets.push_back((5 * i * i + i) % n);
  }
  const auto is = [&](T distance, int i, int j) {
    const auto there = expected[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
    if (there == oracle::unreachable<std::int64_t>) return !(distance < blockfw::infinity<T>);
    return std::abs(static_cast<double>(distance) - static_cast<double>(there)) <=
           (std::is_integral_v<T> ? 0 : 1e-5 * (1 + std::abs(static_cast<double>(there))));
  };
  const auto table = readable(factor.table(sources, targets));
  const auto pairs = factor.distances(sources, targets);
  REQUIRE(table.extent(0) == sources.size());
  REQUIRE(table.extent(1) == targets.size());
  REQUIRE(pairs.size() == sources.size());
  int wrong = 0;
  for (std::size_t r = 0; r < sources.size(); ++r) {
    for (std::size_t c = 0; c < targets.size(); ++c) wrong += !is(table(r, c), sources[r], targets[c]);
    wrong += !is(pairs[r], sources[r], targets[r]);
  }
  CHECK(wrong == 0);
  CHECK(readable(factor.table(sources, std::vector<int>())).size() == 0);
  CHECK_THROWS_AS(factor.table(std::vector<int>{n}, targets), blockfw::InvalidInput);
  if (n > 0) CHECK_THROWS_AS(factor.distances(sources, std::vector<int>{0}), blockfw::InvalidInput);
}

/// Checks distances of pairs, and the edges of their paths.
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
      const Factor<T> factor(Host(), analysis, edges, {.direction = direction});
    } catch (const blockfw::NegativeCycle& error) {
      vertex = error.vertex;
    }
    CHECK(vertex >= 0);
    return;
  }
  const auto expected = oracle::distances(both);
  const Factor<T> factor(Host(), analysis, edges, {.direction = direction});
  check_answers(factor, expected, g.n);
  check_tables(factor, expected, g.n);
  if (g.n != 20 && g.n != 61 && g.n != 130) return;
  if constexpr (!std::is_same_v<T, std::int16_t>) {  // (test_network_factor.cpp has that type)
    const DeviceFactor<T> there(Device(), analysis, edges, {.direction = direction});
    check_answers(there, expected, g.n);
    check_tables(there, expected, g.n);
  }
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
        check<T>(g, direction, blockfw::SparseAnalysis(n, edges_of<T>(g), {.order = shuffled(random, n)}));
      };
      for (const Family& family : families) run(family);
      for (const Family& family : sparse_families) run(family);
    }
}

/// A device closes large fronts block by block, with a team for each tile. Here it closes all fronts in this way.
TEST_CASE_TEMPLATE("fronts on a device have the numbers of fronts on a host", T, std::int16_t, std::int32_t, double) {
  namespace detail = blockfw::detail;
  using Tree = detail::DeviceTree<Device>;
  Random random(11);
  for (const int n : {1, 20, 150, 400})
    for (const auto direction : {Direction::directed, Direction::undirected}) {
      CAPTURE(n);
      Graph g = n == 400 ? sparse_families[0].make(random, n) : families[0].make(random, n);
      for (auto& e : g.edges) e.weight = std::abs(e.weight) % 100;
      if (n > 1)
        for (auto& e : g.edges)
          if (e.from + 1 == e.to && direction == Direction::directed) e.weight = -1;  // (no way back is shorter)
      const auto edges = edges_of<T>(g);
      const Graph both = direction == Direction::undirected ? oracle::mirrored(g) : g;
      const auto neighbours = detail::neighbours_of(n, edges);
      const auto structure = detail::find_supernodes(neighbours, *detail::minimum_degree_order(neighbours),
                                                     blockfw::Purpose::all_pairs, 1 << 20);
      detail::FrontArcs<T> arcs;
      const std::span<const blockfw::Edge<T>> list(edges);
      arcs.plan =
          std::make_shared<const detail::ArcPlan>(detail::plan_arcs<S<T>>(Host(), structure, list, direction, false));
      arcs.weights = detail::weights_of<S<T>>(*arcs.plan, list);
      const bool symmetric = direction == Direction::undirected, cyclic = oracle::has_negative_cycle(both);
      for (const double most_whole : {0., 1e9}) {
        const Tree tree(Device(), structure, most_whole);
        detail::DeviceFronts<S<T>, Device> fronts(Device(), tree, arcs, symmetric);
        if (cyclic) {
          CHECK_THROWS_AS(fronts.eliminate(structure.order), blockfw::NegativeCycle);
          continue;
        }
        const auto there = fronts.eliminate(structure.order);
        const auto here = detail::Fronts<S<T>, Host>(Host(), structure, arcs).eliminate(symmetric, {});
        REQUIRE(there.symmetric == here.symmetric);
        int wrong = 0;
        // (Infinity plus a negative number is no path, either.)
        const auto is_none = [](T value) { return value > blockfw::infinity<T> / 2; };
        const auto compare = [&](const auto& device, const auto& host) {
          const auto copy = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), device);
          wrong += copy.size() != host.size();
          for (std::size_t e = 0; e < host.size(); ++e)
            wrong += is_none(host(e)) ? !is_none(copy(e)) : copy(e) != host(e);
        };
        for (int sweep = 0; sweep < (here.symmetric ? 1 : 2); ++sweep) {
          compare(there.ways[sweep], here.ways[sweep]);
          compare(there.own[sweep], here.own[sweep]);
        }
        CHECK(wrong == 0);
      }
    }
}

TEST_CASE("several factors of a graph answer for some vertices each") {
  Random random(12);
  for (const int n : {0, 1, 7, 100}) {
    Graph g{0, {}};
    if (n > 0) g = grid(random, n);
    const auto edges = edges_of<std::int32_t>(g);
    const blockfw::SparseAnalysis analysis(g.n, edges);
    using Factors = std::vector<DeviceOrHost<std::int32_t>>;
    for (const int count : {1, 2, 3}) {
      Factors factors;
      for (int f = 0; f < count; ++f) factors.emplace_back(Device(), analysis, edges);
      for (const auto towards : {blockfw::Towards::others, blockfw::Towards::itself}) {
        const auto all = blockfw::reach(factors, towards), one = factors.front().reach(towards);
        REQUIRE(all.size() == one.size());
        for (std::size_t v = 0; v < all.size(); ++v) CHECK(all[v].sum == one[v].sum);
      }
      if (g.n == 0) continue;
      const std::vector<int> sources{g.n - 1, 0, 0}, targets{0, g.n / 2};
      const auto table = blockfw::table(factors, sources, targets),
                 one = readable(factors.front().table(sources, targets));
      CHECK(wrong_entries(table, one) == 0);
      CHECK(blockfw::table(factors, std::vector<int>(), targets).size() == 0);
      CHECK_THROWS_AS(blockfw::table(factors, std::vector<int>{g.n}, targets), blockfw::InvalidInput);
    }
    CHECK_THROWS_WITH_AS(blockfw::reach(Factors()), "an empty list of factors, expected one or more",
                         blockfw::InvalidInput);
    const Factors one(1, {Device(), analysis, edges});
    CHECK_THROWS_WITH_AS(one.front().reach(0, g.n + 1),
                         ("vertices from 0 to before " + std::to_string(g.n + 1) +
                          " are asked for, expected some from 0 to " + std::to_string(g.n))
                             .c_str(),
                         blockfw::InvalidInput);
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

  // A factor with the same structure and other weights.
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

TEST_CASE("a grid: far fewer relaxes than a dense solve, whatever its numbering") {
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

TEST_CASE("solve(): takes the cheaper method, or the method that is named") {
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
      if (by_elimination) CHECK(report.relaxes == report.factor_relaxes + report.solve_relaxes);
      if (by_elimination && sparse) CHECK(report.relaxes < report.dense_relaxes / 10);
      if (by_elimination) CHECK(report.separator > 0);
    }
  }
}

TEST_CASE("supernodes of any width") {
  Random random(9);
  for (const Graph& g : {grid(random, 121), attached(random, 90)}) {
    const auto edges = edges_of<std::int32_t>(g);
    const auto order = blockfw::SparseAnalysis(g.n, edges).order();
    const auto expected = oracle::distances(g);
    std::int64_t supernodes = g.n + 1;
    for (const int most : {1, 2, 7, 1000}) {
      const blockfw::SparseAnalysis analysis(g.n, edges, {.order = order, .most_width = most});
      CHECK(analysis.widest() <= most);
      CHECK((analysis.supernodes() == g.n) == (most == 1));
      CHECK(analysis.supernodes() <= supernodes);
      supernodes = analysis.supernodes();
      check_answers(Factor<std::int32_t>(Host(), analysis, edges), expected, g.n);
    }
  }
}

TEST_CASE("sums of few bits: safe if the longest paths up and down the tree fit") {
  // 39 edges of 400 reach infinity<int16>, 16383, and 99 edges of 100 in the bound of a dense solve, of n - 1 edges.
  const auto streets = [](int side, int weight) {
    std::vector<blockfw::Edge<std::int16_t>> edges;
    for (int v = 0; v < side * side; ++v) {
      if (v % side < side - 1) edges.push_back({v, v + 1, static_cast<std::int16_t>(weight)});
      if (v + side < side * side) edges.push_back({v, v + side, static_cast<std::int16_t>(weight)});
    }
    return edges;
  };
  const auto undirected = Direction::undirected;
  const auto edges = streets(20, 100);
  CHECK_FALSE(blockfw::sums_fit<std::int16_t>(400, {100, 100}));
  const blockfw::SparseAnalysis analysis(400, edges);
  const Factor<std::int16_t> factor(Host(), analysis, edges, {.direction = undirected});
  const auto d = factor.solve();
  int wrong = 0;
  for (int i = 0; i < 400; ++i)
    for (int j = 0; j < 400; ++j) wrong += d(i, j) != 100 * (std::abs(i / 20 - j / 20) + std::abs(i % 20 - j % 20));
  CHECK(wrong == 0);
  CHECK_THROWS_AS(Factor<std::int16_t>(Host(), analysis, streets(20, 440), {.direction = undirected}),
                  blockfw::OverflowRisk);
  // Each entry of the factor fits, but the sums do not: a path of 200 vertices.
  std::vector<blockfw::Edge<std::int16_t>> path;
  for (int v = 0; v + 1 < 200; ++v) path.push_back({v, v + 1, 100});
  const blockfw::SparseAnalysis of_path(200, path);
  CHECK_THROWS_AS(Factor<std::int16_t>(Host(), of_path, path, {.direction = undirected}), blockfw::OverflowRisk);
}

TEST_CASE("paths: a widest path, and an edge beyond infinity") {
  using Widest = blockfw::SparseFactor<blockfw::MaxMin<float>>;
  const std::vector<blockfw::Edge<float>> edges = {{0, 2, 5}, {0, 1, 5}, {1, 0, 5}, {1, 3, 1}, {2, 3, 5}};
  const blockfw::SparseAnalysis analysis(4, edges);
  const Widest widest(Host(), analysis, edges);
  CHECK(widest.distance(0, 3) == 5);
  CHECK(widest.path(0, 3) == std::vector<std::int32_t>{0, 2, 3});
  const std::vector<blockfw::Edge<std::int32_t>> heavy = {{0, 1, 2147483647}, {0, 1, 1}, {1, 2, 1}};
  const blockfw::SparseAnalysis of_heavy(3, heavy);
  CHECK(Factor<std::int32_t>(Host(), of_heavy, heavy).path(0, 2) == std::vector<std::int32_t>{0, 1, 2});
}

TEST_CASE("progress: counts vertices, and stops each part of a solve") {
  Random random(10);
  struct Stopped {};
  for (const Graph& g : {grid(random, 900), complete(random, 300, 1000)}) {
    const std::int64_t n = g.n;
    std::vector<std::int64_t> told;
    blockfw::SolveOptions options{.method = blockfw::Method::sparse};
    options.progress = [&](std::int64_t done, std::int64_t all) {
      CHECK(all == 2 * n);
      told.push_back(done);
    };
    const auto edges = edges_of<std::int32_t>(g);
    blockfw::solve(Host(), n, edges, options);
    CHECK(std::is_sorted(told.begin(), told.end()));
    CHECK(told.front() > 0);
    CHECK(told.back() == 2 * n);
    for (const std::int64_t part : {0, 1}) {
      // (If all supernodes are small, a part may have no call of progress.)
      const auto in_part = [&](std::int64_t done) { return done > part * n && done <= (part + 1) * n; };
      const auto at = std::find_if(told.begin(), told.end(), in_part);
      if (part > 0 || n == 300) REQUIRE(at != told.end());
      if (at == told.end()) continue;
      std::int64_t last = 0;
      options.progress = [&](std::int64_t done, std::int64_t) {
        last = done;
        if (in_part(done)) throw Stopped();
      };
      CHECK_THROWS_AS(blockfw::solve(Host(), n, edges, options), Stopped);
      CHECK(in_part(last));
    }
    if (n == 300) CHECK(told.front() < n);  // within the one large supernode

    // An exception of the caller's function is not a lack of memory of the library. Only after such a lack the dense
    // method would follow.
    struct OfCaller : std::bad_alloc {};
    for (const auto method : {blockfw::Method::sparse, blockfw::Method::automatic}) {
      int calls = 0;
      options.method = method;
      options.progress = [&](std::int64_t, std::int64_t) {
        ++calls;
        throw OfCaller();
      };
      CHECK_THROWS_AS(blockfw::solve(Host(), n, edges, options), OfCaller);
      CHECK(calls == 1);
    }
  }
}

TEST_CASE("rows: written to a file without the matrix") {
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
    factor.for_whole_rows([&](std::int64_t, const auto& rows) { output.append(rows); });
    CHECK_THROWS_AS(output.append(factor.distances_from(std::vector<int>{0})), blockfw::InvalidInput);
    CHECK_FALSE(std::filesystem::exists(streamed));
    output.commit();
    CHECK(get(streamed) == get(whole));
  }
  blockfw::io::DistanceOutput<std::int32_t> text(folder / "rows.txt", g.n);
  CHECK_THROWS_AS(text.append(factor.distances_from(std::vector<int>{0})), blockfw::FileError);
}

TEST_CASE("errors of sparse calls") {
  using Edges = std::vector<blockfw::Edge<std::int32_t>>;
  const Host exec;
  const Edges path = {{0, 1, 5}, {1, 2, 3}};
  CHECK_THROWS_WITH_AS(blockfw::SparseAnalysis(-1, path), "the number of vertices is -1, expected 0 to 2^31 - 1",
                       blockfw::InvalidInput);
  CHECK_THROWS_WITH_AS(blockfw::SparseAnalysis(2, path), "edge 1: vertex 2 is out of range, expected 0 to 1",
                       blockfw::InvalidEdge);
  // (80 bytes a vertex: 160 GB.)
  if (blockfw::detail::available_host_bytes() < 150e9)
    CHECK_THROWS_WITH_AS(blockfw::SparseAnalysis(2'000'000'000, path),
                         doctest::Contains("the lists of 2000000000 vertices and 2 edges for an elimination need"),
                         blockfw::OutOfMemory);
  CHECK_THROWS_WITH_AS(blockfw::SparseAnalysis(3, path, {.order = {0, 1}}),
                       "the order of elimination has 2 vertices, expected all 3", blockfw::InvalidInput);
  CHECK_THROWS_WITH_AS(blockfw::SparseAnalysis(3, path, {.order = {0, 1, 1}}),
                       "the order of elimination has vertex 1 at place 2, expected each from 0 to 2 once",
                       blockfw::InvalidInput);
  const blockfw::SparseAnalysis analysis(3, path, {.order = {1, 0, 2}}),
      of_ends(3, Edges{{0, 1, 1}}, {.order = {0, 1, 2}});
  CHECK_THROWS_WITH_AS(Factor<std::int32_t>(exec, of_ends, path),
                       "edge 1: from 1 to 2, expected one of the analysed network", blockfw::InvalidEdge);
  CHECK_THROWS_WITH_AS(Factor<std::int32_t>(exec, analysis, Edges{{0, 3, 1}}),
                       "edge 0: vertex 3 is out of range, expected 0 to 2", blockfw::InvalidEdge);
  CHECK_THROWS_AS(Factor<std::int32_t>(exec, analysis, Edges{{0, 1, 1 << 29}, {1, 2, 1 << 29}}), blockfw::OverflowRisk);
  const Factor<std::int32_t> factor(exec, analysis, path);
  CHECK_THROWS_WITH_AS(factor.distances_from(std::vector<int>{1, 3}), "vertex 3 is out of range, expected 0 to 2",
                       blockfw::InvalidInput);
  CHECK(factor.solve()(0, 2) == 8);
  CHECK(factor.solve()(2, 0) == blockfw::infinity<std::int32_t>);
}

namespace {

using Neighbourhood = std::bitset<512>;

/// The neighbours of number k or later.
Neighbourhood from(const Neighbourhood& all, std::size_t k) { return all >> k << k; }

/// For each vertex, the later vertices that are its neighbours when it is eliminated. All vertices are numbers of the
/// order.
std::vector<Neighbourhood> eliminated_one_by_one(const Graph& g, const std::vector<std::int32_t>& order) {
  std::vector<std::size_t> place(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) place[std::size_t(order[k])] = k;
  std::vector<Neighbourhood> later(order.size());
  for (const auto& e : g.edges)
    if (e.from != e.to) {
      const auto [k, i] = std::minmax(place[std::size_t(e.from)], place[std::size_t(e.to)]);
      later[k].set(i);
    }
  for (std::size_t k = 0; k < order.size(); ++k)
    for (std::size_t i = k + 1; i < order.size(); ++i)
      if (later[k][i]) later[i] |= from(later[k], i + 1);
  return later;
}

std::size_t fill_of(const std::vector<Neighbourhood>& later) {
  std::size_t fill = 0;
  for (const auto& mine : later) fill += mine.count();
  return fill;
}

/// The number of faults of a structure whose fill is to be that of an order.
int wrong_elimination(const Graph& g, const blockfw::detail::Elimination& found, const std::vector<std::int32_t>& order,
                      std::int32_t most_width) {
  const auto later = eliminated_one_by_one(g, found.order);
  int wrong = fill_of(later) != fill_of(eliminated_one_by_one(g, order));  // (so the new order is as good)
  std::int32_t next = 0, longest = 0;
  for (std::size_t s = 0; s < found.supernodes.size(); ++s) {
    const auto& node = found.supernodes[s];
    wrong += node.first != next || node.last <= node.first || node.width() > most_width;
    next = node.last;
    longest = std::max(longest, node.path_length());
    for (std::int32_t k = node.first; k < node.last; ++k)
      wrong +=
          found.owner[std::size_t(k)] != std::int32_t(s) || found.place[std::size_t(found.order[std::size_t(k)])] != k;
    // The boundary consists of all later neighbours of the supernode's vertices. They lie in the ancestors of the
    // supernode.
    Neighbourhood expected;
    for (std::int32_t k = node.first; k < node.last; ++k) expected |= later[std::size_t(k)];
    expected = from(expected, std::size_t(node.last));
    Neighbourhood boundary;
    for (const std::int32_t k : node.boundary) boundary.set(std::size_t(k));
    wrong += boundary != expected || !std::ranges::is_sorted(node.boundary);
    wrong += node.parent != (node.boundary.empty() ? -1 : found.owner[std::size_t(node.boundary[0])]);
    wrong += node.parent >= 0 && node.parent <= std::int32_t(s);
    std::int64_t below = node.width();
    bool leaf = true;
    for (std::size_t c = 0; c < s; ++c)
      if (found.supernodes[c].parent == std::int32_t(s)) below += found.supernodes[c].below, leaf = false;
    wrong += node.below != below || node.leaf != leaf;
    wrong += node.depth != (node.parent < 0 ? 0 : found.supernodes[std::size_t(node.parent)].path_length());
    wrong += node.positions.size() != node.boundary.size();
    for (std::size_t y = 0; y < node.boundary.size(); ++y) {
      std::int32_t above = node.parent;
      while (above >= 0 && node.boundary[y] >= found.supernodes[std::size_t(above)].last)
        above = found.supernodes[std::size_t(above)].parent;
      if (above < 0) return wrong + 1;
      const auto& owner = found.supernodes[std::size_t(above)];
      wrong += node.positions[y] != owner.depth + node.boundary[y] - owner.first;
    }
  }
  return wrong + (next != std::int32_t(order.size()) || longest != found.longest_path);
}

/// The number of faults of an order's supernodes.
int wrong_supernodes(const Graph& g, const blockfw::detail::Neighbours& neighbours,
                     const std::vector<std::int32_t>& order, blockfw::Purpose purpose, std::int32_t most_width) {
  const auto found = blockfw::detail::find_supernodes(neighbours, order, purpose, most_width);
  std::size_t entries = 0;
  for (const auto& node : found.supernodes) entries += node.boundary.size();
  const double bytes = 8.0 * double(entries) + 16.0 * double(order.size()) +
                       double(found.supernodes.size() * sizeof(blockfw::detail::Supernode)) +
                       8.0 * double(order.size() + 1) + 4.0 * double(neighbours.all.size());
  (void)blockfw::detail::find_supernodes(neighbours, order, purpose, most_width, bytes);
  if (!order.empty())
    CHECK_THROWS_AS(blockfw::detail::find_supernodes(neighbours, order, purpose, most_width, bytes - 1),
                    blockfw::OutOfMemory);
  return wrong_elimination(g, found, order, most_width);
}

int wrong_structure(Random& random, const Graph& g, std::int32_t size_of_region) {
  const auto neighbours = blockfw::detail::neighbours_of(g.n, g.edges);
  const auto order = *blockfw::detail::minimum_degree_order(neighbours, {}, size_of_region);
  auto all = order;
  std::ranges::sort(all);
  int wrong = int(all.size()) != g.n;
  for (int v = 0; v < int(all.size()); ++v) wrong += all[std::size_t(v)] != v;
  if (wrong > 0) return wrong;
  const auto any = shuffled(random, g.n);
  int of_supernodes = 0;
  for (const auto purpose : {blockfw::Purpose::all_pairs, blockfw::Purpose::tables}) {
    for (const std::int32_t most_width : {5, std::numeric_limits<std::int32_t>::max()})
      of_supernodes += wrong_elimination(
          g, *blockfw::detail::built_in_elimination(neighbours, purpose, most_width, 1e12, {}, size_of_region), order,
          most_width);
    of_supernodes += wrong_supernodes(g, neighbours, order, purpose, std::numeric_limits<std::int32_t>::max()) +
                     wrong_supernodes(g, neighbours, any, purpose, 5);
  }
  return of_supernodes;
}

Graph any_edges(Random& random, int n) {
  Graph g{n, {}};
  const int count = n > 0 ? uniform(random, 0, 4 * n) : 0;
  for (int e = 0; e < count; ++e) g.edges.push_back({uniform(random, 0, n - 1), uniform(random, 0, n - 1), 1});
  return g;
}

}  // namespace

TEST_CASE("orders and supernodes: those of elimination vertex by vertex") {
  Random random(8);
  int wrong = 0;
  for (int round = 0; round < 3000; ++round)
    wrong += wrong_structure(random, any_edges(random, uniform(random, 0, 40)), uniform(random, 1, 50));
  for (const Family& family : sparse_families)
    for (const int n : {1, 2, 30, 500}) {
      Graph g = family.make(random, n);
      g.n = n;
      for (const std::int32_t size : {1, 7, 60, 4096}) wrong += wrong_structure(random, g, size);
    }
  CHECK(wrong == 0);
}

TEST_CASE("supernodes: the memory of the search's steps counts, too") {
  Random random(12);
  const Graph g = scattered(random, 500, 700, 1, 9);
  const auto neighbours = blockfw::detail::neighbours_of(g.n, g.edges);
  std::vector<std::int32_t> hubs;
  const double bytes = blockfw::detail::minimum_degree_steps(neighbours, {}, 4096, hubs)->bytes();
  const auto made = [&](double memory) {
    return *blockfw::detail::built_in_elimination(neighbours, blockfw::Purpose::tables, g.n, memory);
  };
  CHECK(bytes > 4 * g.n);
  CHECK_THROWS_AS(made(bytes), blockfw::OutOfMemory);
  CHECK(std::ssize(made(bytes + 1e6).order) == g.n);
}

TEST_CASE("an order: by regions it has little more fill, and the same in each call") {
  Random random(11);
  for (const Family& family : sparse_families)
    for (const int n : {9000, 20000}) {
      Graph g = family.make(random, n);
      CAPTURE(g.n);
      const auto neighbours = blockfw::detail::neighbours_of(g.n, g.edges);
      const auto fill = [&](const std::vector<std::int32_t>& order) {
        double sum = 0;
        for (const blockfw::detail::Supernode& node :
             blockfw::detail::find_supernodes(neighbours, order, blockfw::Purpose::tables, 1).supernodes)
          sum += double(node.boundary.size());
        return sum;
      };
      const auto order = *blockfw::detail::minimum_degree_order(neighbours);
      CHECK(order == *blockfw::detail::minimum_degree_order(neighbours));
      CHECK(fill(order) < 1.25 * fill(*blockfw::detail::minimum_degree_order(neighbours, {}, g.n)));
    }
}

TEST_CASE("an order: inside a loop of the host's threads it is the same") {
  Random random(12);
  Graph g = any_edges(random, 20000);
  const auto order = blockfw::SparseAnalysis(g.n, g.edges).order();
  std::vector<int> wrong(4, -1);
  Kokkos::parallel_for("orders", Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace>(0, 4), [&](int task) {
    wrong[std::size_t(task)] = blockfw::SparseAnalysis(g.n, g.edges).order() != order;
  });
  CHECK(wrong == std::vector<int>(4, 0));
}

TEST_CASE("an order: a chain gives a low tree, however its vertices are numbered") {
  Random random(10);
  constexpr int n = 40000;
  const auto longest_path = [](const std::vector<int>& chain, bool ring) {
    std::vector<blockfw::Edge<std::int32_t>> edges;
    for (std::size_t i = ring ? 0 : 1; i < chain.size(); ++i)
      edges.push_back({chain[i == 0 ? chain.size() - 1 : i - 1], chain[i], 1});
    const auto neighbours = blockfw::detail::neighbours_of(n, edges);
    return blockfw::detail::find_supernodes(neighbours, *blockfw::detail::minimum_degree_order(neighbours),
                                            blockfw::Purpose::tables, std::numeric_limits<std::int32_t>::max())
        .longest_path;
  };
  std::vector<int> chain(n);
  std::iota(chain.begin(), chain.end(), 0);
  for (const bool ring : {false, true}) {
    CAPTURE(ring);
    CHECK(longest_path(chain, ring) < 150);  // (4 log2(n) is 61)
    std::vector<int> reversed(chain.rbegin(), chain.rend());
    CHECK(longest_path(reversed, ring) < 150);
    CHECK(longest_path(shuffled(random, n), ring) < 150);
  }
}

TEST_CASE("an order: given up where the fill or the steps exceed a limit") {
  Random random(9);
  int wrong = 0;
  for (int round = 0; round < 200; ++round) {
    const Graph g = any_edges(random, uniform(random, 2, 60));  // (too small for hubs: the fill is counted exactly)
    const auto neighbours = blockfw::detail::neighbours_of(g.n, g.edges);
    const std::int32_t size = uniform(random, 1, 60);
    const auto order_within = [&](const blockfw::detail::OrderLimits& limits) {
      return blockfw::detail::minimum_degree_order(neighbours, limits, size);
    };
    const auto order = order_within({});
    const auto fill = double(fill_of(eliminated_one_by_one(g, *order)));
    wrong += order_within({.most_fill = fill}) != order;
    wrong += order_within({.most_fill = fill - 1}).has_value();
    wrong += order_within({.most_steps = 1e9}) != order;
    wrong += order_within({.most_steps = -1}).has_value();
  }
  CHECK(wrong == 0);
}
