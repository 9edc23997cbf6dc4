// SPDX-License-Identifier: MIT
// Shortest paths, each compared with the graph and with trees that are computed from the oracle's distances.
#include "graphs.hpp"

#include "blockfw/paths.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <type_traits>

namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using blockfw::Direction;
using blockfw::no_vertex;
using blockfw::Paths;
using Route = std::vector<std::int32_t>;
using Routes = std::vector<Route>;

/// For each source and vertex the predecessor on a shortest path with the fewest edges; the smallest of several.
Routes expected_predecessors(const Graph& g, const oracle::Distances<std::int64_t>& d) {
  const auto n = static_cast<std::size_t>(g.n);
  const auto out = oracle::adjacency(g);
  Routes all(n, Route(n, no_vertex));
  for (std::size_t source = 0; source < n; ++source) {
    std::vector<int> edges(n, -1);
    std::vector<std::size_t> here{source};
    edges[source] = 0;
    for (int count = 1; !here.empty(); ++count) {
      std::set<std::size_t> next;
      for (const std::size_t u : here)
        for (const auto& e : out[u]) {
          const auto v = static_cast<std::size_t>(e.to);
          if (d[source][u] + e.weight != d[source][v] || (edges[v] >= 0 && edges[v] < count)) continue;
          edges[v] = count;
          next.insert(v);
          auto& before = all[source][v];
          if (before == no_vertex || static_cast<std::int32_t>(u) < before) before = static_cast<std::int32_t>(u);
        }
      here.assign(next.begin(), next.end());
    }
  }
  return all;
}

template <class View>
Routes rows_of(const View& matrix) {
  const auto m = readable(matrix);
  Routes rows(m.extent(0));
  for (std::size_t i = 0; i < m.extent(0); ++i)
    for (std::size_t j = 0; j < m.extent(1); ++j) rows[i].push_back(m(i, j));
  return rows;
}

/// The weight of the lightest edge between each two vertices.
template <class T>
std::vector<std::vector<T>> lightest(int n, const std::vector<blockfw::Edge<T>>& edges, bool both_directions = false) {
  const auto order = static_cast<std::size_t>(n);
  std::vector<std::vector<T>> weight(order, std::vector<T>(order, blockfw::infinity<T>));
  for (const auto& e : edges) {
    T& there = weight[static_cast<std::size_t>(e.from)][static_cast<std::size_t>(e.to)];
    T& back = weight[static_cast<std::size_t>(e.to)][static_cast<std::size_t>(e.from)];
    there = std::min(there, e.weight);
    if (both_directions) back = std::min(back, e.weight);
  }
  return weight;
}

/// Describes the fault of a path from i to j of that length; empty without a fault.
template <class T>
std::string flaw(const Route& path, std::size_t i, std::size_t j, const std::vector<std::vector<T>>& weight,
                 long double length, long double tolerance = 0) {
  if (path.empty()) return "there is none";
  if (path.front() != static_cast<std::int32_t>(i) || path.back() != static_cast<std::int32_t>(j)) return "wrong ends";
  if (std::set<std::int32_t>(path.begin(), path.end()).size() != path.size()) return "a vertex comes twice";
  long double sum = 0;
  for (std::size_t v = 1; v < path.size(); ++v) {
    const T edge = weight[static_cast<std::size_t>(path[v - 1])][static_cast<std::size_t>(path[v])];
    if (edge == blockfw::infinity<T>) return "a step that is not an edge";
    sum += static_cast<long double>(edge);
  }
  return std::abs(sum - length) <= tolerance ? "" : "its length is " + as_text(sum) + ", expected " + as_text(length);
}

/// Whether a pair is in a sample of about a thousand, or of all if there are fewer. (A search takes a launch, which may
/// have to wait for the work of others.)
bool is_sampled(std::size_t n, std::size_t i, std::size_t j) { return (i * n + j) % (1 + n * n / 1000) == 0; }

/// Compares everything that `paths` returns with the oracle's distances.
template <class T, class AllPaths>
void check_paths(const AllPaths& paths, const Answer& answer) {
  const auto n = static_cast<std::size_t>(answer.graph.n);
  const auto expected = expected_predecessors(answer.graph, answer.distances);
  const auto weight = lightest<T>(answer.graph.n, edges_of<T>(answer.graph));
  CHECK(rows_of(paths.predecessors()) == expected);
  Routes hops(n, Route(n, no_vertex));
  std::string first_flaw;
  int unlike = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Route tree = paths.tree(static_cast<std::int64_t>(i));
    CHECK(tree == expected[i]);
    for (std::size_t j = 0; j < n; ++j) {
      const auto from = static_cast<std::int64_t>(i), to = static_cast<std::int64_t>(j);
      const Route path = blockfw::path_in(expected[i], from, to);
      if (is_sampled(n, i, j)) unlike += paths.path(from, to) != path;
      const auto length = answer.distances[i][j];
      const bool none = length == oracle::unreachable<std::int64_t>;
      const std::string here = none ? (path.empty() ? "" : "a path to what is out of reach")
                                    : flaw(path, i, j, weight, static_cast<long double>(length));
      if (first_flaw.empty() && !here.empty()) first_flaw = as_text(i) + " to " + as_text(j) + ": " + here;
      if (path.size() > 1) hops[i][j] = path[1];
    }
  }
  CHECK(first_flaw == "");
  CHECK(unlike == 0);
  CHECK(rows_of(paths.next_hops()) == hops);
}

template <class T>
void check_family(Random& random, const Family& family, int n, Direction direction) {
  const std::string name = family.name;
  CAPTURE(name);
  CAPTURE(n);
  const Answer answer(family.make(random, n), direction);
  if (answer.negative_cycle) return;
  const auto edges = edges_of<T>(answer.graph);
  const auto d = blockfw::solve(Exec{}, n, edges);
  const Paths paths(Exec{}, d, edges);
  check_paths<T>(paths, answer);
  for (int source = 0; source < n; source += 1 + n / 4)
    CHECK(blockfw::tree_from(Exec{}, Kokkos::subview(d, source, Kokkos::ALL), source, edges) == paths.tree(source));
}

const std::vector<blockfw::Edge<int>> square = {{0, 1, 5}, {1, 2, 2}, {0, 2, 9}, {2, 3, 1}};

}  // namespace

TEST_CASE_TEMPLATE("paths of all families", T, ALL_TYPES) {
  Random random(20);
  for (const Family& family : families)
    for (const int n : {1, 2, 31, 32, 33, 67}) check_family<T>(random, family, n, Direction::directed);
}

TEST_CASE("paths of larger graphs") {
  Random random(21);
  for (const Family& family : families)
    for (const int n : {64, 65, 131}) check_family<std::int32_t>(random, family, n, Direction::directed);
}

TEST_CASE("paths of undirected graphs") {
  Random random(22);
  for (const Family& family : families)
    for (const int n : {2, 63, 97}) {
      const Graph g = family.make(random, n);
      const Answer answer(g, Direction::undirected);
      if (answer.negative_cycle) continue;
      const auto edges = edges_of<int>(g);
      const auto d = blockfw::solve(Exec{}, n, edges, {.direction = Direction::undirected});
      CHECK(difference(d, answer.distances) == "");
      check_paths<int>(Paths(Exec{}, d, edges, {.direction = Direction::undirected}), answer);
    }
}

TEST_CASE("all weights equal: the fewest edges, of dense graphs too") {
  Random random(23);
  for (const int weight : {0, 1, 7})
    for (const int edges : {200, 2000, 6000}) {
      const Answer answer(scattered(random, 90, edges, weight, weight), Direction::directed);
      const auto list = edges_of<std::int16_t>(answer.graph);
      check_paths<std::int16_t>(Paths(Exec{}, blockfw::solve(Exec{}, 90, list), list), answer);
    }
}

TEST_CASE("progress: counts the sources, and stops the search") {
  struct Stopped {};
  Random random(29);
  const int n = 400;  // all edges of the graph are tight
  const Answer answer(scattered(random, n, 80000, 7, 7), Direction::directed);
  const auto edges = edges_of<int>(answer.graph);
  const auto d = blockfw::solve(Exec{}, n, edges);
  const Paths paths(Exec{}, d, edges);
  std::vector<std::int64_t> told;
  const auto count = [&](std::int64_t done, std::int64_t all) {
    CHECK(all == n);
    told.push_back(done);
  };
  const auto stop = [](std::int64_t, std::int64_t) { throw Stopped(); };
  const auto once = rows_of(paths.predecessors());
  CHECK(rows_of(paths.predecessors(count)) == once);
  CHECK(std::is_sorted(told.begin(), told.end()));
  CHECK(told.back() == n);
  if (blockfw::is_host_space<Exec> && Exec{}.concurrency() < 50) CHECK(told.size() > 1);
  told.clear();
  CHECK(rows_of(paths.next_hops(count)) == rows_of(paths.next_hops()));
  CHECK(told.back() == n);
  CHECK_THROWS_AS(paths.predecessors(stop), Stopped);
  CHECK_THROWS_AS(paths.next_hops(stop), Stopped);
  CHECK(rows_of(paths.predecessors()) == once);
}

TEST_CASE("a path of many vertices, forth and back") {
  const int n = 300;
  Graph g{n, {}};
  for (int v = 0; v + 1 < n; ++v) g.edges.push_back({v, v + 1, -1});
  for (int v = 0; v + 1 < n; ++v) g.edges.push_back({v + 1, v, 1});
  const Answer answer(g, Direction::directed);
  const auto list = edges_of<int>(g);
  check_paths<int>(Paths(Exec{}, blockfw::solve(Exec{}, n, list), list), answer);
}

TEST_CASE("paths of a matrix of weights: any layout, directed and undirected") {
  Random random(24);
  for (const Direction direction : {Direction::directed, Direction::undirected})
    for (const int n : {1, 65, 90}) {
      const Graph g = scattered(random, n, 4 * n, 0, 5);
      const Answer answer(g, direction);
      const SharedMatrix<double> weights("weights", static_cast<std::size_t>(n), static_cast<std::size_t>(n));
      fill(weights, g);
      weights(0, 0) = 4;
      const auto d = blockfw::solve(Exec{}, weights, {.direction = direction});
      check_paths<double>(Paths(Exec{}, d, weights, {.direction = direction}), answer);

      const Kokkos::View<double**, Kokkos::LayoutLeft, Exec::memory_space> left("left", d.extent(0), d.extent(1));
      Kokkos::deep_copy(left, d);
      check_paths<double>(Paths(Exec{}, left, weights, {.direction = direction}), answer);
      const SharedMatrix<double, Kokkos::LayoutLeft> weights_left("weights", d.extent(0), d.extent(1));
      fill(weights_left, g);
      check_paths<double>(Paths(Exec{}, left, weights_left, {.direction = direction}), answer);
    }
}

TEST_CASE_TEMPLATE("paths of a matrix of weights: all families, where no edge is infinity or more", T, std::int16_t,
                   std::int32_t, float, double) {
  Random random(27);
  for (const Family& family : families)
    for (const int n : {0, 1, 63, 66}) {
      const std::string name = family.name;
      CAPTURE(name);
      CAPTURE(n);
      if (n == 0 && family.make != families[3].make) continue;  // (the others need a vertex)
      const Graph g = family.make(random, n);
      const Answer answer(g, Direction::directed);
      if (answer.negative_cycle) continue;
      const auto order = static_cast<std::size_t>(n);
      const SharedMatrix<T> wide("wide", order + 2, order + 3);
      const auto weights = Kokkos::subview(wide, Kokkos::pair<std::size_t, std::size_t>(1, 1 + order),
                                           Kokkos::pair<std::size_t, std::size_t>(2, 2 + order));
      fill(weights, g);
      const auto d = blockfw::solve(Exec{}, weights);
      for (std::size_t i = 0; i < order; ++i)
        for (std::size_t j = 0; j < order; ++j)
          if (weights(i, j) == blockfw::infinity<T> && (i + j) % 2 == 0) weights(i, j) = std::numeric_limits<T>::max();
      check_paths<T>(Paths(Exec{}, d, weights), answer);
    }
}

TEST_CASE("paths: edges in a view, narrower than the distances; a part of a larger matrix") {
  Random random(25);
  const int n = 70;
  const Answer answer(scattered(random, n, 300, 0, 9), Direction::directed);
  const auto list = edges_of<std::int16_t>(answer.graph);
  const Kokkos::View<blockfw::Edge<std::int16_t>*, Kokkos::SharedSpace> view("edges", list.size());
  std::copy(list.begin(), list.end(), view.data());
  const auto d = blockfw::solve<std::int64_t>(Exec{}, n, view);
  const Kokkos::View<std::int64_t**, Kokkos::LayoutRight, Exec::memory_space> wide("wide", 80, 85);
  const auto part = Kokkos::subview(wide, Kokkos::pair(3, 3 + n), Kokkos::pair(5, 5 + n));
  Kokkos::deep_copy(Exec{}, part, d);
  check_paths<std::int64_t>(Paths(Exec{}, part, view), answer);
}

TEST_CASE("orders 0 and 1") {
  const std::vector<blockfw::Edge<int>> none;
  const Paths nothing(Exec{}, blockfw::solve(Exec{}, 0, none), none);
  CHECK(nothing.predecessors().extent(0) == 0);
  CHECK(nothing.next_hops().extent(1) == 0);
  CHECK_THROWS_WITH_AS(nothing.tree(0), "vertex 0 is out of range, the graph has no vertices", blockfw::InvalidInput);
  const std::vector<blockfw::Edge<int>> loop{{0, 0, 3}};
  const Paths one(Exec{}, blockfw::solve(Exec{}, 1, loop), loop);
  CHECK(one.path(0, 0) == Route{0});
  CHECK(one.tree(0) == Route{no_vertex});
  CHECK(one.tight_edges() == 0);
}

TEST_CASE("known answers") {
  const auto d = blockfw::solve(Exec{}, 5, square);
  const Paths paths(Exec{}, d, square);
  CHECK(paths.tight_edges() == 3);
  CHECK(paths.path(0, 3) == Route{0, 1, 2, 3});
  CHECK(paths.path(3, 0).empty());
  CHECK(paths.path(2, 2) == Route{2});
  CHECK(paths.path(0, 4).empty());
  CHECK(blockfw::path_length(paths.path(0, 3), square) == 8);
  const auto from_0 = Kokkos::subview(d, 0, Kokkos::ALL);
  CHECK(blockfw::tree_from(Exec{}, from_0, 0, square) == Route{-9999, 0, 1, 2, -9999});
  CHECK_THROWS_WITH_AS(blockfw::tree_from(Exec{}, from_0, 5, square), "vertex 5 is out of range, expected 0 to 4",
                       blockfw::InvalidInput);
  CHECK_THROWS_WITH_AS(blockfw::tree_from(Exec{}, from_0, 0, std::vector<blockfw::Edge<int>>{{0, 1, 5}, {1, 2, 2}}),
                       "the distances 'blockfw::distances' have a distance from vertex 0 to 3, but no path of these "
                       "edges has this length, expected their solved distances (of the same direction)",
                       blockfw::InvalidInput);

  // The result of scipy.sparse.csgraph.floyd_warshall(return_predecessors=True).
  CHECK(rows_of(paths.predecessors()) == Routes{{-9999, 0, 1, 2, -9999},
                                                {-9999, -9999, 1, 2, -9999},
                                                {-9999, -9999, -9999, 2, -9999},
                                                {-9999, -9999, -9999, -9999, -9999},
                                                {-9999, -9999, -9999, -9999, -9999}});
  CHECK(rows_of(paths.next_hops()) == Routes{{-9999, 1, 1, 1, -9999},
                                             {-9999, -9999, 2, 2, -9999},
                                             {-9999, -9999, -9999, 3, -9999},
                                             {-9999, -9999, -9999, -9999, -9999},
                                             {-9999, -9999, -9999, -9999, -9999}});
}

TEST_CASE("path_length(): of paths, and of routes that are not paths") {
  CHECK(blockfw::path_length({}, square) == blockfw::infinity<int>);
  CHECK(blockfw::path_length({3}, square) == 0);
  CHECK(blockfw::path_length({2, 1, 0}, square, {.direction = Direction::undirected}) == 7);
  CHECK(blockfw::path_length({0, 1}, std::array{blockfw::Edge<int>{0, 1, 9}, blockfw::Edge<int>{0, 1, 4}}) == 4);
  const std::vector<blockfw::Edge<std::int16_t>> heavy{{0, 1, 32'000}, {1, 2, 32'000}};
  CHECK(blockfw::path_length<std::int32_t>({0, 1, 2}, heavy) == 64'000);
  CHECK_THROWS_WITH_AS(blockfw::path_length({0, 1, 3}, square),
                       "the path's step 1, from vertex 1 to 3, is not an edge of the graph", blockfw::InvalidInput);
  CHECK_THROWS_WITH_AS(blockfw::path_in({1, 2, 1}, 0, 2),
                       "the vertices before 2 do not lead back to 0, expected the predecessors of a tree from there",
                       blockfw::InvalidInput);
  CHECK_THROWS_AS(blockfw::path_in({no_vertex, 7}, 0, 1), blockfw::InvalidInput);
  CHECK_THROWS_AS(blockfw::path_in({no_vertex, no_vertex, 1}, 0, 2), blockfw::InvalidInput);
}

TEST_CASE("errors: name the wrong argument") {
  const auto d = blockfw::solve(Exec{}, 4, square);
  const Paths paths(Exec{}, d, square);
  CHECK_THROWS_WITH_AS(paths.path(0, 4), "vertex 4 is out of range, expected 0 to 3", blockfw::InvalidInput);
  CHECK_THROWS_WITH_AS(paths.path(-1, 0), "vertex -1 is out of range, expected 0 to 3", blockfw::InvalidInput);
  CHECK_THROWS_AS(paths.tree(4), blockfw::InvalidInput);

  using Edges = std::vector<blockfw::Edge<int>>;
  CHECK_THROWS_WITH_AS(Paths(Exec{}, d, Edges{{0, 1, 5}, {0, 4, 1}}),
                       "edge 1: vertex 4 is out of range, expected 0 to 3", blockfw::InvalidEdge);
  CHECK_THROWS_WITH_AS(Paths(Exec{}, SharedMatrix<int>("oblong", 3, 4), square),
                       "the matrix 'oblong' has 3 rows and 4 columns, expected a square one", blockfw::InvalidInput);
  CHECK_THROWS_WITH_AS(Paths(Exec{}, d, SharedMatrix<int>("w", 3, 3)),
                       "the matrix 'w' is of order 3, the distances are of order 4, expected the same",
                       blockfw::InvalidInput);
  const SharedMatrix<float> spoilt("spoilt", 2, 2);
  const SharedMatrix<float> zeros("zeros", 2, 2);
  spoilt(1, 0) = std::nanf("");
  for (const Direction direction : {Direction::directed, Direction::undirected})
    CHECK_THROWS_WITH_AS(Paths(Exec{}, zeros, spoilt, {.direction = direction}),
                         "the matrix 'spoilt' holds NaN at (1, 0), expected a number or infinity",
                         blockfw::InvalidInput);

  // Distances of another graph, or numbers that are no distances.
  const std::string says =
      "the matrix 'blockfw::distances' has a distance from vertex 0 to 3, but no path of these "
      "edges has this length, expected their solved distances (of the same direction)";
  const Paths wrong(Exec{}, d, Edges{{0, 1, 5}, {1, 2, 2}, {0, 3, 9}});
  CHECK_THROWS_WITH_AS(wrong.path(0, 3), says.c_str(), blockfw::InvalidInput);
  CHECK_THROWS_WITH_AS(wrong.tree(0), says.c_str(), blockfw::InvalidInput);
  CHECK_THROWS_WITH_AS(wrong.predecessors(), says.c_str(), blockfw::InvalidInput);
  CHECK_THROWS_AS(wrong.next_hops(), blockfw::InvalidInput);
  CHECK(wrong.path(0, 2) == Route{0, 1, 2});
  CHECK_THROWS_AS(Paths(Exec{}, zeros, std::vector<blockfw::Edge<float>>{{0, 1, 1.0f}}).path(0, 1),
                  blockfw::InvalidInput);
}

// The solver's sums are rounded here; paths are checked with sums in long double.
TEST_CASE_TEMPLATE("weights that are not integers", T, float, double) {
  constexpr long double epsilon = std::numeric_limits<T>::epsilon();
  Random random(26);
  const auto real = [&](double low, double high) { return std::uniform_real_distribution<double>(low, high)(random); };
  struct Kind {
    const char* name;
    bool negative, both_directions;
  };
  for (const Kind kind : {Kind{"uniform", false, false}, Kind{"uniform, undirected", false, true},
                          Kind{"of all magnitudes", false, false}, Kind{"of all magnitudes, undirected", false, true},
                          Kind{"near ties, undirected", false, true}, Kind{"denormal", false, false},
                          Kind{"shifted", true, false}, Kind{"shifted near ties", true, false}})
    for (const int n : {2, 40, 120})
      for (const int per_vertex : {1, 3, 30}) {
        const std::string name = kind.name;
        CAPTURE(name);
        CAPTURE(n);
        CAPTURE(per_vertex);
        std::vector<double> shift;
        for (int v = 0; v < n; ++v) shift.push_back(kind.negative ? real(0, 1) : 0);
        std::vector<blockfw::Edge<T>> edges;
        for (int e = 0; e < n * per_vertex; ++e) {
          const int from = uniform(random, 0, n - 1), to = uniform(random, 0, n - 1);
          double weight = real(0, 1);
          if (name.find("magnitudes") != std::string::npos) weight = std::pow(10, real(-30, 30));
          if (name.find("near ties") != std::string::npos) weight = 0.1 * uniform(random, 1, 5);
          if (name == "denormal")
            weight = static_cast<double>(std::numeric_limits<T>::denorm_min()) * uniform(random, 0, 40);
          // (The shifts cancel on a cycle, so no cycle is negative, except for rounding.)
          if (kind.negative)
            weight += 1e-3 + shift[static_cast<std::size_t>(from)] - shift[static_cast<std::size_t>(to)];
          edges.push_back({from, to, static_cast<T>(weight)});
        }
        const blockfw::SolveOptions options{.direction =
                                                kind.both_directions ? Direction::undirected : Direction::directed};
        const auto solved = blockfw::solve(Exec{}, n, edges, options);
        const Paths paths(Exec{}, solved, edges, {.direction = options.direction});
        const auto d = readable(solved);
        const auto weight = lightest<T>(n, edges, kind.both_directions);
        const auto p = rows_of(paths.predecessors()), h = rows_of(paths.next_hops());
        const auto from_0 = blockfw::tree_from(Exec{}, Kokkos::subview(solved, 0, Kokkos::ALL), 0, edges,
                                               {.direction = options.direction});
        // (Hops may differ where paths from both ends round differently.)
        const bool hops_agree = name.find("magnitudes") == std::string::npos && name != "shifted near ties";
        std::string first_flaw;
        for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i)
          for (std::size_t j = 0; j < static_cast<std::size_t>(n); ++j) {
            const auto from = static_cast<std::int64_t>(i), to = static_cast<std::int64_t>(j);
            const Route in_tree = blockfw::path_in(p[i], from, to);
            const Route path = is_sampled(p.size(), i, j) ? paths.path(from, to) : in_tree;
            if (d(i, j) == blockfw::infinity<T>) {
              if (!path.empty() || !in_tree.empty() || h[i][j] != no_vertex) first_flaw = "a path out of reach";
              continue;
            }
            Route by_hops{static_cast<std::int32_t>(i)};
            while (by_hops.back() != to && by_hops.back() != no_vertex && by_hops.size() <= p.size())
              by_hops.push_back(h[static_cast<std::size_t>(by_hops.back())][j]);
            if (hops_agree && by_hops != in_tree) first_flaw = "other next hops";
            const Route by_row = i == 0 ? blockfw::path_in(from_0, from, to) : path;
            for (const Route& route : {path, in_tree, by_hops, by_row}) {
              const long double size = kind.negative ? 2.0L : static_cast<long double>(d(i, j));
              const std::string here = flaw(route, i, j, weight, static_cast<long double>(d(i, j)),
                                            16 * epsilon * size * static_cast<long double>(route.size()));
              if (!here.empty()) first_flaw = as_text(i) + " to " + as_text(j) + ": " + here;
            }
          }
        CHECK(first_flaw == "");
      }
}

TEST_CASE("weights that vanish beside others, and infinite ones") {
  // Vertices 1 to 6 all have distance 1e10, since sums are rounded, and neighbours are connected in both directions.
  std::vector<blockfw::Edge<float>> edges{{0, 1, 1e10f}, {0, 6, 1e10f}};
  for (int v = 1; v < 6; ++v) edges.push_back({v, v + 1, 1e-10f});
  for (int v = 1; v < 6; ++v) edges.push_back({v + 1, v, 0.0f});
  edges.push_back({6, 7, std::numeric_limits<float>::infinity()});
  const Paths paths(Exec{}, blockfw::solve(Exec{}, 8, edges), edges);
  CHECK(paths.path(0, 3) == Route{0, 1, 2, 3});
  CHECK(paths.path(0, 5) == Route{0, 6, 5});
  CHECK(paths.path(0, 7).empty());
  CHECK(paths.tree(0) == Route{no_vertex, 0, 1, 2, 5, 6, 0, no_vertex});
}
