// SPDX-License-Identifier: MIT
// Edges of paths: they lead from the source to the target, and are the best of parallel edges. Their sum is the
// distance of three plain loops. Loads of edges: they are sums over these paths, pair by pair.
#include "graphs.hpp"
#include "nearest_and_within.hpp"
#include "sparse_graphs.hpp"

#include "blockfw/edge_loads.hpp"
#include "blockfw/network.hpp"
#include "blockfw/sparse.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using Host = Kokkos::DefaultHostExecutionSpace;
using blockfw::Direction;
using Indices = std::vector<std::int64_t>;
template <class T>
using Edges = std::vector<blockfw::Edge<T>>;
template <class T>
using Net = blockfw::Network<blockfw::MinPlus<T>>;

/// a ⊗ b, where neither is zero().
template <class S, class T = typename S::value_type>
T joined(T a, T b) {
  return S::relax(S::zero(), a, b);
}
template <class S, class T = typename S::value_type>
bool is_better(T a, T b) {
  return a != b && S::relax(b, a, S::one()) == a;
}

/// All distances, by three loops.
template <class S, class T = typename S::value_type>
HostMatrix<T> distances_over(int n, const Edges<T>& edges, Direction direction) {
  const HostMatrix<T> d("d", static_cast<std::size_t>(n), static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) d(i, j) = i == j ? S::one() : S::zero();
  const auto improve = [&](int i, int j, T length) {
    if (is_better<S>(length, d(i, j))) d(i, j) = length;
  };
  for (const auto& e : edges) {
    if (e.weight == S::zero()) continue;
    improve(e.from, e.to, e.weight);
    if (direction == Direction::undirected) improve(e.to, e.from, e.weight);
  }
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        if (d(i, k) != S::zero() && d(k, j) != S::zero()) improve(i, j, joined<S>(d(i, k), d(k, j)));
  return d;
}

/// Whether an edge leads from u to v.
template <class T>
bool leads(const blockfw::Edge<T>& e, int u, int v, Direction direction) {
  return (e.from == u && e.to == v) || (direction == Direction::undirected && e.from == v && e.to == u);
}

/// The faults of some paths' edges.
template <class S, class Asked, class T = typename S::value_type>
int wrong_paths(const Asked& asked, const Edges<T>& edges, Direction direction, const Vertices& from,
                const Vertices& to) {
  const auto all = distances_over<S>(static_cast<int>(asked.vertices()), edges, direction);
  const auto paths = asked.path_edges(from, to);
  const auto through = asked.paths(from, to);
  if (paths.first.size() != from.size() + 1 || paths.first.front() != 0 ||
      paths.first.back() != std::ssize(paths.edges))
    return 1;
  int wrong = asked.edge_count() != std::ssize(edges);
  for (std::size_t p = 0; p < from.size(); ++p) {
    const Indices path(paths.edges.begin() + paths.first[p], paths.edges.begin() + paths.first[p + 1]);
    const Vertices vertices(through.vertices.begin() + through.first[p],
                            through.vertices.begin() + through.first[p + 1]);
    wrong += path != asked.path_edges(from[p], to[p]);
    if (all(from[p], to[p]) == S::zero()) {
      wrong += !path.empty();
      continue;
    }
    if (vertices.size() != path.size() + 1) {
      ++wrong;
      continue;
    }
    T length = S::one();
    for (std::size_t step = 0; step < path.size(); ++step) {
      const int u = vertices[step], v = vertices[step + 1];
      const auto taken = static_cast<std::size_t>(path[step]);
      if (taken >= edges.size() || !leads(edges[taken], u, v, direction)) {
        ++wrong;
        break;
      }
      length = joined<S>(length, edges[taken].weight);
      for (std::size_t e = 0; e < edges.size(); ++e)
        if (leads(edges[e], u, v, direction))
          wrong += is_better<S>(edges[e].weight, edges[taken].weight) ||
                   (e < taken && edges[e].weight == edges[taken].weight);
    }
    wrong += length != all(from[p], to[p]);
    wrong += vertices.front() != from[p] || vertices.back() != to[p];
  }
  return wrong;
}

/// Random edges, with many parallel edges, self loops and closed edges.
template <class S, class T = typename S::value_type>
Edges<T> with_parallel_edges(Random& random, int n, Direction direction) {
  Graph g = scattered(random, n, 3 * n, 0, 9);
  for (int e = 0; e < n; ++e) {
    auto copy = g.edges[static_cast<std::size_t>(uniform(random, 0, 3 * n - 1))];
    if (direction == Direction::undirected && e % 3 == 0) std::swap(copy.from, copy.to);
    if (e % 2 == 0) copy.weight = uniform(random, 0, 9);
    g.edges.push_back(copy);
  }
  std::shuffle(g.edges.begin(), g.edges.end(), random);
  if (std::is_same_v<S, blockfw::MinPlus<T>> && direction == Direction::directed)
    g = shifted(g, potentials(random, n));  // (with negative weights)
  auto edges = edges_over<S>(g);
  for (std::size_t e = 0; e < edges.size(); e += 7) edges[e].weight = S::zero();
  return edges;
}

/// Paths that are found one after the other, and loads along them.
struct SinglePaths {
  std::vector<Indices> paths;
  std::vector<bool> found;
  std::size_t edges;

  template <class Network>
  SinglePaths(const Network& network, const Vertices& from, const Vertices& to) : edges(network.edges().size()) {
    for (std::size_t p = 0; p < from.size(); ++p) {
      paths.push_back(network.path_edges(from[p], to[p]));
      found.push_back(!paths.back().empty() || !network.path(from[p], to[p]).empty());
    }
  }
  template <class Demand>
  blockfw::EdgeLoads loads(const Demand& demand) const {
    blockfw::EdgeLoads sums{std::vector<double>(edges), 0};
    for (std::size_t p = 0; p < paths.size(); ++p) {
      const auto carried = static_cast<double>(demand[p]);
      for (const std::int64_t e : paths[p]) sums.loads[static_cast<std::size_t>(e)] += carried;
      if (!found[p]) sums.unserved += carried;
    }
    return sums;
  }
};

void check_same(const blockfw::EdgeLoads& found, const blockfw::EdgeLoads& expected) {
  CHECK(found.loads == expected.loads);
  CHECK(found.unserved == expected.unserved);
}

}  // namespace

TEST_CASE_TEMPLATE("edges of paths, with parallel and closed edges, and after changes of weights", S,
                   blockfw::MinPlus<std::int32_t>, blockfw::MinPlus<double>, blockfw::MaxMin<std::int32_t>,
                   blockfw::MaxTimes<double>) {
  using T = typename S::value_type;
  Random random(91);
  for (const auto direction : {Direction::directed, Direction::undirected})
    for (const int n : {1, 2, 9, 60}) {
      CAPTURE(n);
      const auto edges = with_parallel_edges<S>(random, n, direction);
      const Vertices from = some(random, n, 150), to = some(random, n, 150);
      auto network = blockfw::Network<S>(Host(), n, edges, {.direction = direction});
      CHECK(wrong_paths<S>(network, edges, direction, from, to) == 0);

      // All edges get other weights, then some edges do. An edge is closed, and others are opened.
      std::vector<T> weights;
      for (std::size_t e = 0; e < edges.size(); ++e) weights.push_back(edges[(e + 7) % edges.size()].weight);
      if (direction == Direction::directed)  // (so that no cycle is negative)
        for (auto& weight : weights)
          if (weight < T(0) && weight != S::zero()) weight = T(0);
      network = network.with_weights(weights);
      CHECK(wrong_paths<S>(network, network.edges(), direction, from, to) == 0);
      for (int round = 0; round < 3; ++round) {
        const auto& other = edges[static_cast<std::size_t>(uniform(random, 0, 4 * n - 1))];
        const auto& closed = edges[static_cast<std::size_t>(uniform(random, 0, 4 * n - 1))];
        if (other.from == other.to || closed.from == closed.to) continue;
        network.change(Edges<T>{{other.from, other.to, T(1)}, {closed.from, closed.to, S::zero()}});
        CHECK(wrong_paths<S>(network, network.edges(), direction, from, to) == 0);
      }
      network.keep_labels();
      CHECK(wrong_paths<S>(network, network.edges(), direction, from, to) == 0);
    }
}

TEST_CASE("edges of paths: by a factor, which has no places for edges that do not matter") {
  using S = blockfw::MinPlus<std::int32_t>;
  Random random(92);
  for (const auto direction : {Direction::directed, Direction::undirected}) {
    auto edges = with_parallel_edges<S>(random, 40, direction);
    std::erase_if(edges, [](const auto& e) { return e.weight == S::zero(); });
    edges.insert(edges.begin(), blockfw::Edge<std::int32_t>{7, 7, 3});
    const blockfw::SparseAnalysis analysis(40, edges);
    const blockfw::SparseFactor<S, Host> factor(Host(), analysis, edges, {.direction = direction});
    CHECK(wrong_paths<S>(factor, edges, direction, some(random, 40, 99), some(random, 40, 99)) == 0);
  }
  const Edges<std::int32_t> heavy = {{0, 1, 2147483647}, {0, 1, 1}, {1, 2, 1}};  // (the first is no edge)
  const blockfw::SparseAnalysis of_heavy(3, heavy);
  const blockfw::SparseFactor<S, Host> factor(Host(), of_heavy, heavy);
  CHECK(factor.path_edges(0, 2) == Indices{1, 2});
  CHECK(blockfw::edge_loads(factor, Vertices{0, 1}, Vertices{2, 2}).loads == std::vector<double>{0, 1, 2});
}

TEST_CASE("edges of paths: of parallel edges the best one, of equal ones the first") {
  const Edges<std::int32_t> edges = {{0, 1, 5}, {0, 1, 3}, {0, 1, 3}, {1, 2, 0}, {1, 0, 1}, {2, 2, 0}};
  const Net<std::int32_t> network(Host(), 4, edges);
  CHECK(network.path_edges(0, 2) == Indices{1, 3});
  CHECK(network.path_edges(1, 0) == Indices{4});
  CHECK(network.path_edges(2, 2).empty());
  CHECK(network.path_edges(2, 0).empty());
  CHECK(network.edge_count() == 6);
  const auto far = blockfw::infinity<std::int32_t>;
  CHECK(network.with_weights(std::vector<std::int32_t>{5, far, 3, 0, 1, 0}).path_edges(0, 2) == Indices{2, 3});
  CHECK(network.with_changes(Edges<std::int32_t>{{0, 1, far}}).path_edges(0, 2).empty());
  CHECK(network.with_changes(Edges<std::int32_t>{{0, 1, 9}}).path_edges(0, 2) == Indices{0, 3});
  const auto paths = network.path_edges(Vertices{0, 2, 1, 0}, Vertices{2, 0, 1, 1});
  CHECK(paths.first == Indices{0, 2, 2, 2, 3});
  CHECK(paths.edges == Indices{1, 3, 1});
  CHECK(network.path_edges(Vertices{}, Vertices{}).first == Indices{0});

  const Net<double> both(Host(), 2, Edges<double>{{1, 0, 3}, {0, 1, 3}}, {.direction = Direction::undirected});
  CHECK(both.path_edges(0, 1) == Indices{0});
  CHECK(both.path_edges(1, 0) == Indices{0});
  const blockfw::Network<blockfw::MaxMin<std::int32_t>> widest(Host(), 2,
                                                               Edges<std::int32_t>{{0, 1, 3}, {0, 1, 7}, {0, 1, 7}});
  CHECK(widest.path_edges(0, 1) == Indices{1});
  // Both edges from 0 to 1 are on a path that costs 9.
  const blockfw::Network<blockfw::MinMax<double>> cheapest(Host(), 3, Edges<double>{{0, 1, 2}, {0, 1, 1}, {1, 2, 9}});
  CHECK(cheapest.path_edges(0, 2) == Indices{1, 2});
}

TEST_CASE_TEMPLATE("loads of edges: the same sums as along one path after the other", T, std::int32_t, double) {
  Random random(93);
  Graph g = grid(random, 81);
  const Graph other = grid(random, 30);
  for (const auto& e : other.edges) g.edges.push_back({e.from + 81, e.to + 81, e.weight});
  g.n = 111;  // (two parts)
  for (const auto direction : {Direction::directed, Direction::undirected}) {
    auto network = Net<T>(Host(), g.n, edges_of<T>(g), {.direction = direction});
    const Vertices from = some(random, g.n, 1300), to = some(random, g.n, 1300);  // (more than one block)
    const SinglePaths single(network, from, to);
    std::vector<double> demand;
    for (std::size_t p = 0; p < from.size(); ++p) demand.push_back(p % 5 == 0 ? 0. : uniform(random, 0, 99) / 7.);
    const auto expected = single.loads(demand);
    CHECK(expected.unserved > 0);
    check_same(blockfw::edge_loads(network, from, to, demand), expected);
    const std::vector<int> whole(from.size(), 3);
    check_same(blockfw::edge_loads(network, from, to, whole), single.loads(whole));
    check_same(blockfw::edge_loads(network, from, to), single.loads(std::vector<int>(from.size(), 1)));

    // A table of demand: pairs are added target by target.
    const Vertices sources(from.begin(), from.begin() + 20), targets(to.begin(), to.begin() + 60);
    const Kokkos::View<double**, Kokkos::LayoutLeft, Kokkos::HostSpace> table("demand", 20, 60);
    const Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::HostSpace> floats("demand", 20, 60);
    Vertices rows, columns;
    std::vector<double> of_pairs;
    for (std::size_t j = 0; j < targets.size(); ++j)
      for (std::size_t i = 0; i < sources.size(); ++i) {
        floats(i, j) = static_cast<float>(uniform(random, 0, 9)) / 4;
        table(i, j) = static_cast<double>(floats(i, j)) / 7;
        rows.push_back(sources[i]);
        columns.push_back(targets[j]);
        of_pairs.push_back(table(i, j));
      }
    const SinglePaths of_table(network, rows, columns);
    check_same(blockfw::edge_loads(network, sources, targets, table), of_table.loads(of_pairs));
    for (double& x : of_pairs) x = std::round(x * 28) / 4;  // (now as in the table of floats)
    check_same(blockfw::edge_loads(network, sources, targets, floats), of_table.loads(of_pairs));

    // The same with another number of threads, and with labels.
    if (Host().concurrency() > 1) {
      const auto parts = Kokkos::Experimental::partition_space(Host(), 1, 1);
      network.run_on(parts[0]);
      check_same(blockfw::edge_loads(network, from, to, demand), expected);
    }
    network.keep_labels();
    check_same(blockfw::edge_loads(network, from, to, demand), expected);
  }
}

TEST_CASE("loads of edges: none, all, and pairs from a vertex to itself") {
  const Net<std::int32_t> network(Host(), 4, Edges<std::int32_t>{{0, 1, 2}, {1, 2, 2}, {1, 2, 2}});
  const auto loads = [&](const Vertices& from, const Vertices& to) { return blockfw::edge_loads(network, from, to); };
  check_same(loads({}, {}), {{0, 0, 0}, 0});
  check_same(loads({3, 3}, {3, 3}), {{0, 0, 0}, 0});
  check_same(loads({0, 0, 2, 1, 3}, {2, 1, 0, 2, 1}), {{2, 2, 0}, 2});
  check_same(blockfw::edge_loads(network, Vertices{0, 3}, Vertices{2, 0}, std::vector<float>{2.5F, 0.25F}),
             {{2.5, 2.5, 0}, 0.25});
  check_same(blockfw::edge_loads(network, Vertices{0, 1}, Vertices{2, 0}, HostMatrix<std::int16_t>("none", 2, 2)),
             {{0, 0, 0}, 0});
  check_same(blockfw::edge_loads(network, Vertices{}, Vertices{2, 0}, HostMatrix<std::int16_t>("none", 0, 2)),
             {{0, 0, 0}, 0});
  const Net<std::int32_t> empty(Host(), 2, Edges<std::int32_t>{});
  check_same(blockfw::edge_loads(empty, Vertices{0, 1}, Vertices{1, 1}), {{}, 1});
}

TEST_CASE("loads of edges: progress, and errors that name the problem, the place and what was expected") {
  Random random(94);
  const Graph g = grid(random, 49);
  const Net<std::int32_t> network(Host(), g.n, edges_of<std::int32_t>(g));
  const Vertices from = some(random, g.n, 3000), to = some(random, g.n, 3000);
  std::int64_t last = 0, calls = 0;
  blockfw::edge_loads(network, from, to, [&](std::int64_t done, std::int64_t all) {
    CHECK(done > last);
    CHECK(all == 3000);
    last = done;
    ++calls;
  });
  CHECK(last == 3000);
  CHECK(calls > 1);
  const std::vector<double> ones(from.size(), 1.);
  CHECK_THROWS_WITH_AS(blockfw::edge_loads(network, from, to, ones,
                                           [](std::int64_t, std::int64_t) { throw std::runtime_error("stopped"); }),
                       "stopped", std::runtime_error);

  const auto refuses = [](const auto& call, const char* message) {
    CHECK_THROWS_WITH_AS(call(), message, blockfw::InvalidInput);
  };
  const Vertices two = {0, 1}, one = {2};
  using Demand = std::vector<double>;
  constexpr double far = std::numeric_limits<double>::infinity(), none = std::numeric_limits<double>::quiet_NaN();
  const auto with = [&](const Demand& demand) {
    return [&, demand] { blockfw::edge_loads(network, two, two, demand); };
  };
  refuses([&] { network.path_edges(0, 49); }, "vertex 49 is out of range, expected 0 to 48");
  refuses([&] { network.path_edges(Vertices{-1}, one); }, "vertex -1 is out of range, expected 0 to 48");
  refuses([&] { network.path_edges(two, one); }, "there are 2 sources and 1 targets, expected as many of each");
  refuses([&] { blockfw::edge_loads(network, two, one); },
          "there are 2 sources and 1 targets, expected as many of each");
  refuses([&] { blockfw::edge_loads(network, two, one, Demand{1, 1}); },
          "there are 2 sources and 1 targets, expected as many of each");
  refuses([&] { blockfw::edge_loads(network, one, Indices{std::int64_t{1} << 32}); },
          "vertex 4294967296 is out of range, expected 0 to 48");
  refuses(with({1}), "there are 1 demands and 2 pairs, expected as many of each");
  refuses(with({1, -2}), "the demand of pair 1 is -2.000000, expected a finite number of 0 or more");
  refuses(with({none, 1}), "the demand of pair 0 is NaN, expected a finite number of 0 or more");
  refuses(with({1, far}), "the demand of pair 1 is inf, expected a finite number of 0 or more");
  const HostMatrix<double> table("table", 2, 1);
  table(1, 0) = -1;
  refuses([&] { blockfw::edge_loads(network, two, one, table); },
          "the demand at (1, 0) is -1.000000, expected a finite number of 0 or more");
  refuses([&] { blockfw::edge_loads(network, two, two, table); },
          "the matrix 'table' has 2 rows and 1 columns, expected 2 and 2");
  CHECK_THROWS_WITH_AS(with({1.5e308, 1.5e308})(),
                       "the demand of 2 pairs adds up to infinity, expected a sum that a double holds",
                       blockfw::OverflowRisk);
}
