// SPDX-License-Identifier: MIT
// Networks: every question against the oracle, over families of graphs, types and semirings; new weights; errors.
#include "folder.hpp"
#include "graphs.hpp"
#include "nearest_and_within.hpp"
#include "sparse_graphs.hpp"

#include "blockfw/io/network_file.hpp"
#include "blockfw/measures.hpp"
#include "blockfw/network.hpp"
#include "blockfw/sparse.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace {

using Host = Kokkos::DefaultHostExecutionSpace;
using blockfw::Direction;
template <class T>
using Net = blockfw::Network<blockfw::MinPlus<T>>;

Vertices every(int n) {
  Vertices list(static_cast<std::size_t>(n));
  std::iota(list.begin(), list.end(), 0);
  return list;
}

template <class T, class View>
int wrong_entries(const View& table, const Vertices& sources, const Vertices& targets, const HostMatrix<T>& all) {
  int wrong = table.extent(0) != sources.size() || table.extent(1) != targets.size();
  for (std::size_t i = 0; i < sources.size(); ++i)
    for (std::size_t j = 0; j < targets.size(); ++j) wrong += table(i, j) != all(sources[i], targets[j]);
  return wrong;
}

/// Checks tables, pairs, rows and blocks of rows.
template <class Network, class T>
void check_tables(Random& random, const Network& network, const HostMatrix<T>& all, int n) {
  const std::pair<int, int> shapes[] = {{0, 0}, {0, 5}, {5, 0}, {1, 1}, {1, 300}, {70, 90}, {200, 31}};
  for (const auto& [rows, columns] : shapes) {
    const Vertices sources = some(random, n, rows), targets = some(random, n, columns);
    CHECK(wrong_entries<T>(network.table(sources, targets), sources, targets, all) == 0);
    int wrong = 0;
    std::int64_t next = 0;
    network.for_rows_of_table(
        sources, targets,
        [&](std::int64_t first, const auto& block) {
          wrong += first != next;
          const auto begin = sources.begin() + first;
          next += block.extent_int(0);
          wrong += wrong_entries<T>(block, Vertices(begin, begin + block.extent_int(0)), targets, all);
        },
        33);
    CHECK(next == static_cast<std::int64_t>(sources.size()));
    CHECK(wrong == 0);
  }
  const Vertices whole = every(n);
  CHECK(wrong_entries<T>(network.table(whole, whole), whole, whole, all) == 0);
  CHECK(wrong_entries<T>(network.distances_from(whole), whole, whole, all) == 0);
  const blockfw::DistanceMatrix<T, Host> given("given", whole.size(), whole.size());
  network.distances_from(whole, given);
  CHECK(wrong_entries<T>(given, whole, whole, all) == 0);
  std::int64_t next = 0;
  network.for_whole_rows(
      [&](std::int64_t first, const auto& block) {
        CHECK(first == next);
        const auto begin = whole.begin() + first;
        next += block.extent_int(0);
        CHECK(wrong_entries<T>(block, Vertices(begin, begin + block.extent_int(0)), whole, all) == 0);
      },
      50);
  CHECK(next == n);
  const Vertices from = some(random, n, 600), to = some(random, n, 600);
  const auto distances = network.distances(from, to);
  int wrong = distances.size() != from.size();
  for (std::size_t p = 0; p < from.size(); ++p) wrong += distances[p] != all(from[p], to[p]);
  CHECK(wrong == 0);
  if (n > 0) CHECK(network.distance(0, n - 1) == all(0, n - 1));
}

/// Checks that paths exist where distances are finite, lead along edges, and have the length of the distance. The edges
/// of paths are checked in the same way.
template <class T>
void check_paths(Random& random, const Net<T>& network, const HostMatrix<T>& all, const Graph& g) {
  const Vertices from = some(random, g.n, 60), to = some(random, g.n, 60);
  const auto paths = network.paths(from, to);
  const auto along = network.path_edges(from, to);
  REQUIRE(paths.first.size() == from.size() + 1);
  REQUIRE(along.first.size() == from.size() + 1);
  int wrong = 0;
  for (std::size_t p = 0; p < from.size(); ++p) {
    const auto begin = paths.vertices.begin() + paths.first[p], end = paths.vertices.begin() + paths.first[p + 1];
    const Vertices path(begin, end);
    const T there = all(from[p], to[p]);
    if (along.first[p + 1] - along.first[p] != std::max<std::int64_t>(std::ssize(path), 1) - 1) {
      ++wrong;
      continue;
    }
    if (!(there < blockfw::infinity<T>)) {
      wrong += !path.empty();
      continue;
    }
    wrong += path.empty() || path.front() != from[p] || path.back() != to[p];
    double length = 0;
    for (std::size_t e = 0; e + 1 < path.size(); ++e) {
      std::int64_t lightest = std::numeric_limits<std::int32_t>::max();
      for (const auto& edge : g.edges)
        if (edge.from == path[e] && edge.to == path[e + 1]) lightest = std::min<std::int64_t>(lightest, edge.weight);
      length += double(lightest);
      const std::int64_t index = along.edges[static_cast<std::size_t>(along.first[p]) + e];
      const auto& taken = network.edges()[static_cast<std::size_t>(index)];
      const bool back = network.direction() == Direction::undirected && taken.from == path[e + 1];
      wrong += (back ? taken.to : taken.from) != path[e] || (back ? taken.from : taken.to) != path[e + 1];
      wrong += double(taken.weight) != double(lightest);
    }
    wrong += length != double(there);
  }
  CHECK(wrong == 0);
}

template <class T>
void check_reach(const Net<T>& network, const HostMatrix<T>& all) {
  for (const auto towards : {blockfw::Towards::others, blockfw::Towards::itself}) {
    const auto seen = network.reach(towards), there = blockfw::reach(Host(), all, towards);
    int wrong = seen.size() != there.size();
    for (std::size_t v = 0; v < seen.size(); ++v)
      wrong += seen[v].vertices != there[v].vertices || seen[v].farthest != there[v].farthest ||
               seen[v].sum != there[v].sum || seen[v].farthest_vertex != there[v].farthest_vertex;
    CHECK(wrong == 0);
  }
}

/// Checks pairs and single distances with the labels that some memory holds.
template <class Network, class T>
void check_labelled(Random& random, Network& network, double memory, const HostMatrix<T>& all, int n) {
  network.keep_labels(memory);
  const Vertices from = some(random, n, 200), to = some(random, n, 200);
  const auto distances = network.distances(from, to);
  int wrong = distances.size() != from.size();
  for (std::size_t p = 0; p < from.size(); ++p)
    wrong += distances[p] != all(from[p], to[p]) || network.distance(from[p], to[p]) != distances[p];
  CAPTURE(memory);
  CHECK(wrong == 0);
}

/// Checks distances, pairs and paths with kept labels: of all vertices, and of the top of the tree. A copy that was
/// made before has no labels.
template <class T>
void check_labels(Random& random, const Net<T>& network, const HostMatrix<T>& all, const Graph& g) {
  auto with_labels = network;
  constexpr double shares[] = {1, 0.6, 0.3, 0.1};
  for (const double share : shares) {
    check_labelled(random, with_labels, share * network.label_bytes(), all, g.n);
    if (share == 1) CHECK(with_labels.has_labels());
    CHECK_FALSE(network.has_labels());
  }
  check_paths<T>(random, with_labels, all, g);
  with_labels.keep_labels();
  CHECK(with_labels.has_labels());
  check_paths<T>(random, with_labels, all, g);
  with_labels.keep_labels(0);
  CHECK(with_labels.has_labels() == (g.n == 0));
  CHECK_THROWS_WITH_AS(with_labels.keep_labels(-1), "the memory is -1, expected 0 or more bytes",
                       blockfw::InvalidInput);
}

template <class T>
void check_all(Random& random, const Net<T>& network, const Answer& answer) {
  const auto all = host_matrix<T>(answer.distances);
  const int n = answer.graph.n;
  check_tables(random, network, all, n);
  check_nearest(random, network, all, n);
  check_within(random, network, all, n);
  check_paths<T>(random, network, all, answer.graph);
  check_reach<T>(network, all);
  check_labels<T>(random, network, all, answer.graph);
}

template <class T>
void check(Random& random, const Graph& g, const blockfw::NetworkOptions& options) {
  const Answer answer(g, options.direction);
  if (answer.negative_cycle) {
    CHECK_THROWS_AS(Net<T>(Host(), g.n, edges_of<T>(g), options), blockfw::NegativeCycle);
    return;
  }
  const Net<T> network(Host(), g.n, edges_of<T>(g), options);
  CHECK(network.vertices() == g.n);
  check_all<T>(random, network, answer);

  // The same with other weights: heavier ones, some edges closed.
  Graph other{g.n, {}};
  std::vector<T> weights;
  for (const auto& e : g.edges) {
    const bool closed = uniform(random, 0, 4) == 0;
    weights.push_back(closed ? blockfw::infinity<T> : static_cast<T>(e.weight + uniform(random, 0, 3)));
    if (!closed) other.edges.push_back({e.from, e.to, static_cast<std::int64_t>(weights.back())});
  }
  check_all<T>(random, network.with_weights(weights), Answer(other, options.direction));

  // Some edges change, several times. The first change eliminates all supernodes, later changes only the supernodes
  // above the edges.
  auto changed = network;
  Graph now = g;
  for (int round = 0; round < 3 && !g.edges.empty(); ++round) {
    std::vector<blockfw::Edge<T>> changes;
    for (int c = 0; c < 1 + round; ++c) {
      const auto& e = g.edges[std::size_t(uniform(random, 0, static_cast<int>(g.edges.size()) - 1))];
      const auto weight = e.weight + uniform(random, 0, 5);
      changes.push_back({e.from, e.to, static_cast<T>(weight)});
      for (auto& mine : now.edges)
        if ((mine.from == e.from && mine.to == e.to) ||
            (options.direction == Direction::undirected && mine.from == e.to && mine.to == e.from))
          mine.weight = weight;
    }
    const auto before = changed;
    changed.keep_labels(changed.label_bytes() / (1 + round));  // (labels of the old weights)
    changed.change(changes);
    CHECK_FALSE(changed.has_labels());
    const Answer next(now, options.direction);
    REQUIRE_FALSE(next.negative_cycle);
    const auto all = host_matrix<T>(next.distances);
    CHECK(wrong_entries<T>(changed.table(every(g.n), every(g.n)), every(g.n), every(g.n), all) == 0);
    check_paths<T>(random, before.with_changes(changes), all, next.graph);
  }
}

}  // namespace

TEST_CASE_TEMPLATE("every question, over families of graphs, in the built-in order and in any", T, ALL_TYPES) {
  for (const int n : {0, 1, 2, 7, 20, 61, 130}) {
    const auto run = [&](const Family& family) {
      CAPTURE(family.name);
      CAPTURE(n);
      Random random(static_cast<unsigned>(n) + 77);
      Graph g{0, {}};
      if (n > 0) g = family.make(random, n);
      g.n = n;
      const auto direction = n % 3 == 2 ? Direction::undirected : Direction::directed;
      check<T>(random, g, {.direction = direction});
      if (n == 61) check<T>(random, g, {.direction = direction, .order = shuffled(random, n)});
    };
    for (const Family& family : families) run(family);
    for (const Family& family : sparse_families) run(family);
  }
}

TEST_CASE("a grid of blocks: tables in the middle of a larger network, with close and distant pairs") {
  Random random(3);
  const Graph g = grid(random, 2500);
  const auto edges = edges_of<std::int32_t>(g);
  const Net<std::int32_t> network(Host(), g.n, edges);
  const auto out = oracle::adjacency(g);
  Vertices sources = some(random, g.n, 130), targets = some(random, g.n, 400);
  for (int v = 1200; v < 1300; ++v) sources.push_back(v), targets.push_back(v + 20);
  const auto table = network.table(sources, targets);
  int wrong = 0;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const auto expected = oracle::dijkstra(out, sources[i]);
    for (std::size_t j = 0; j < targets.size(); ++j) {
      const auto there = expected[static_cast<std::size_t>(targets[j])];
      wrong += table(i, j) != (there == oracle::unreachable<std::int64_t> ? blockfw::infinity<std::int32_t>
                                                                          : static_cast<std::int32_t>(there));
    }
  }
  // Few pairs take labels that are made on demand. Many pairs take the labels of all vertices.
  for (const int count : {1, 300, 3000}) {
    const Vertices from = some(random, g.n, count);
    Vertices to;
    for (std::size_t p = 0; p < from.size(); ++p)
      to.push_back(from[p] % 3 == 0 ? from[p] : uniform(random, 0, g.n - 1));
    const auto distances = network.distances(from, to);
    for (std::size_t p = 0; p < from.size(); ++p) {
      if (p % 10 > 0) continue;  // (a search takes longer than a pair)
      const auto there = oracle::dijkstra(out, from[p])[static_cast<std::size_t>(to[p])];
      wrong += distances[p] != (there == oracle::unreachable<std::int64_t> ? blockfw::infinity<std::int32_t>
                                                                           : static_cast<std::int32_t>(there));
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("labels of the top of the tree: some memory at a time, in a grid and in two that are not connected") {
  Random random(5);
  Graph g = grid(random, 3600);
  const Graph other = grid(random, 900);
  for (const auto& e : other.edges) g.edges.push_back({e.from + g.n, e.to + g.n, e.weight});
  g.n += other.n;
  const auto out = oracle::adjacency(g);
  const Vertices from = some(random, g.n, 40), to = some(random, g.n, 400);
  for (const auto direction : {Direction::directed, Direction::undirected}) {
    const auto ways = direction == Direction::directed ? out : oracle::adjacency(oracle::mirrored(g));
    Net<std::int32_t> network(Host(), g.n, edges_of<std::int32_t>(g), {.direction = direction});
    for (const double share : {0.5, 0.25, 0.1, 0.03, 0.01, 0.9}) {
      network.keep_labels(share * network.label_bytes());
      CHECK(network.has_labels() == (share > 0.01));  // (a hundredth does not hold those of the root)
      int wrong = 0;
      for (const int v : from) {
        const auto expected = oracle::dijkstra(ways, v);
        for (const int u : to) {
          const auto there = expected[static_cast<std::size_t>(u)];
          wrong +=
              network.distance(v, u) != (there == oracle::unreachable<std::int64_t> ? blockfw::infinity<std::int32_t>
                                                                                    : static_cast<std::int32_t>(there));
        }
      }
      CAPTURE(share);
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("large fronts, which all threads share, with the updates of smaller ones") {
  Random random(4);
  for (const Graph& g : {scattered(random, 1500, 4500, 1, 300), attached(random, 1200)}) {
    const Net<std::int32_t> network(Host(), g.n, edges_of<std::int32_t>(g));
    const auto& analysis = network.analysis();
    CHECK(analysis.widest() > 130);
    CHECK(analysis.factor_relaxes() > 4e6);
    const Answer answer(g, Direction::directed);
    const Vertices from = some(random, g.n, 100), whole = every(g.n);
    CHECK(wrong_entries<std::int32_t>(network.table(from, whole), from, whole,
                                      host_matrix<std::int32_t>(answer.distances)) == 0);
  }
}

TEST_CASE_TEMPLATE("a vertex is at distance 0 from itself, also where sums round", T, float, double) {
  Random random(6);
  const int n = 150;
  std::vector<T> potential;
  for (int v = 0; v < n; ++v) potential.push_back(static_cast<T>(uniform(random, -9000, 9000)) / T(7));
  std::vector<blockfw::Edge<T>> edges;
  const auto add = [&](int from, int to, T more) {
    const auto at = [&](int v) { return potential[static_cast<std::size_t>(v)]; };
    edges.push_back({from, to, more + at(from) - at(to)});
  };
  for (int v = 0; v < n; ++v) {  // (cycles of length 0, except for rounding)
    add(v, (v + 1) % n, 0);
    add((v + 1) % n, v, 0);
    add(v, uniform(random, 0, n - 1), static_cast<T>(uniform(random, 1, 50)) / T(3));
  }
  const blockfw::SparseAnalysis analysis(n, edges, {.purpose = blockfw::Purpose::tables});
  const Net<T> network(Host(), n, edges);
  const blockfw::SparseFactor<blockfw::MinPlus<T>> factor(Host(), analysis, edges);
  const Vertices all = every(n);
  const auto check = [&](const auto& of) {
    const auto rows = of.distances_from(all), table = of.table(all, all);
    const auto pairs = of.distances(all, all);
    int wrong = 0;
    for (std::size_t v = 0; v < all.size(); ++v) wrong += rows(v, v) != T(0) || table(v, v) != T(0) || pairs[v] != T(0);
    CHECK(wrong == 0);
  };
  check(network);
  check(factor);
}

TEST_CASE_TEMPLATE("other semirings", S, blockfw::MaxMin<std::int32_t>, blockfw::MinMax<double>,
                   blockfw::MaxTimes<double>, blockfw::MaxPlus<std::int32_t>) {
  using T = typename S::value_type;
  Random random(8);
  for (const Graph& g : {grid(random, 121), tree(random, 90), path(random, 70), attached(random, 60)}) {
    Graph one_way = g;  // (longest paths need a graph without cycles)
    if constexpr (std::is_same_v<S, blockfw::MaxPlus<T>>)
      std::erase_if(one_way.edges, [](const auto& e) { return e.from >= e.to; });
    const auto edges = edges_over<S>(one_way);
    const blockfw::Network<S> network(Host(), g.n, edges);
    const auto solved = blockfw::solve<S>(Host(), g.n, edges);
    const HostMatrix<T> all("all", solved.extent(0), solved.extent(1));
    for (std::size_t i = 0; i < all.extent(0); ++i)
      for (std::size_t j = 0; j < all.extent(1); ++j) all(i, j) = solved(i, j);
    check_tables(random, network, all, g.n);
    auto with_labels = network;
    constexpr double shares[] = {1, 0.5, 0.2};
    for (const double share : shares) check_labelled(random, with_labels, share * network.label_bytes(), all, g.n);
    const auto found = network.path(0, g.n - 1);
    CHECK(found.empty() == (all(0, g.n - 1) == S::zero()));
  }
}

TEST_CASE_TEMPLATE("saved and loaded: the same answers; other, shorter and damaged files are refused", T, ALL_TYPES) {
  Random random(12);
  const Folder folder;
  const auto name = folder / "saved";
  for (const int n : {0, 1, 90}) {
    Graph g = n > 0 ? grid(random, n) : Graph{0, {}};
    g.n = n;
    for (const auto direction : {Direction::directed, Direction::undirected}) {
      const Net<T> network(Host(), n, edges_of<T>(g), {.direction = direction});
      blockfw::save_network(name, network);
      CHECK(blockfw::type_of_saved_network(name) == blockfw::type_name<T>());
      const auto loaded = blockfw::load_network<blockfw::MinPlus<T>>(Host(), name);
      const Answer answer(g, direction);
      check_all<T>(random, loaded, answer);
      CHECK(loaded.edges().size() == g.edges.size());
      const auto bytes = blockfw::bytes_of_network(network);
      check_reach<T>(blockfw::network_of_bytes<blockfw::MinPlus<T>>(Host(), bytes), host_matrix<T>(answer.distances));
      if (n > 1) {
        const auto& e = g.edges.front();
        const std::vector<blockfw::Edge<T>> changes = {{e.from, e.to, static_cast<T>(e.weight + 4)}};
        auto changed = loaded.with_changes(changes), same = network.with_changes(changes);
        changed.change(changes);
        CHECK(changed.distances(every(n), every(n)) == same.distances(every(n), every(n)));
        CHECK(wrong_entries<T>(loaded.table(every(n), every(n)), every(n), every(n),
                               host_matrix<T>(answer.distances)) == 0);
      }
    }
  }
  const auto bytes = blockfw::bytes_of_network(Net<T>(Host(), 90, edges_of<T>(grid(random, 90))));
  const auto load = [&](const std::string& some) {
    return blockfw::network_of_bytes<blockfw::MinPlus<T>>(Host(), some);
  };
  CHECK_THROWS_WITH_AS(load(""), "the bytes of a network: is too short for a saved network", blockfw::FileError);
  CHECK_THROWS_WITH_AS(load(std::string(5000, 'x')), "the bytes of a network: is not a saved network",
                       blockfw::FileError);
  CHECK_THROWS_WITH_AS(load(bytes.substr(0, bytes.size() - 8)), doctest::Contains("it is not whole"),
                       blockfw::FileError);
  using Other = blockfw::MinPlus<std::conditional_t<std::is_same_v<T, double>, float, double>>;
  CHECK_THROWS_WITH_AS(blockfw::network_of_bytes<Other>(Host(), bytes), doctest::Contains("has distances of "),
                       blockfw::FileError);
  for (int flip = 0; flip < 300; ++flip) {
    std::string damaged = bytes;
    damaged[std::size_t(uniform(random, 0, int(bytes.size()) - 1))] ^= char(1 << uniform(random, 0, 7));
    CHECK_THROWS_AS(load(damaged), blockfw::FileError);
  }
  CHECK_THROWS_WITH_AS(blockfw::load_network<blockfw::MinPlus<T>>(Host(), folder / "none"),
                       doctest::Contains("No such file"), blockfw::FileError);
}

TEST_CASE("weights as long as infinity: closed in a network, too long for a factor") {
  const std::vector<blockfw::Edge<std::int32_t>> edges = {{0, 1, blockfw::infinity<std::int32_t>}, {1, 2, 1}};
  const Net<std::int32_t> network(Host(), 3, edges);
  CHECK(network.distance(0, 1) == blockfw::infinity<std::int32_t>);
  CHECK(network.distance(1, 2) == 1);
  const blockfw::SparseAnalysis analysis(3, edges);
  CHECK_THROWS_AS(blockfw::SparseFactor<blockfw::MinPlus<std::int32_t>>(Host(), analysis, edges),
                  blockfw::OverflowRisk);
  CHECK_THROWS_AS(network.nearest(Vertices{0}, std::int64_t{1} << 60), blockfw::OutOfMemory);
  CHECK_THROWS_AS(network.nearest(Vertices{0}, Vertices{0}, std::int64_t{1} << 60), blockfw::OutOfMemory);
}

TEST_CASE("errors name the problem, the place and what was expected") {
  using Edges = std::vector<blockfw::Edge<std::int32_t>>;
  const Host exec;
  const Edges path = {{0, 1, 3}, {1, 2, 5}};
  const Net<std::int32_t> network(exec, 3, path);
  const auto refuses = [](const auto& call, const char* message) {
    CHECK_THROWS_WITH_AS(call(), message, blockfw::InvalidInput);
  };
  refuses([&] { network.table(Vertices{0, 3}, Vertices{1}); }, "vertex 3 is out of range, expected 0 to 2");
  refuses([&] { network.table(Vertices{0}, Vertices{-1}); }, "vertex -1 is out of range, expected 0 to 2");
  refuses([&] { network.distances(Vertices{0, 1}, Vertices{2}); },
          "there are 2 sources and 1 targets, expected as many of each");
  refuses([&] { network.paths(Vertices{0}, Vertices{}); },
          "there are 1 sources and 0 targets, expected as many of each");
  refuses([&] { network.nearest(Vertices{0}, 0); }, "the number of nearest places is 0, expected 1 or more");
  refuses([&] { network.within(Vertices{0, 1}, Vertices{5}); },
          "there are 2 sources and 1 limits, expected as many of each");
  refuses([&] { network.within(Vertices{0, 3}, Vertices{5, 5}); }, "vertex 3 is out of range, expected 0 to 2");
  refuses([&] { network.count_within(Vertices{0}, Vertices{}); }, "there are no limits, expected 1 or more");
  refuses([&] { network.with_weights(std::vector<std::int32_t>{1}); },
          "there are 1 weights, expected 2, one for each edge");
  refuses([&] { network.table(Vertices{0, 1}, Vertices{0}, blockfw::DistanceMatrix<std::int32_t, Host>("d", 1, 1)); },
          "the matrix 'd' has 1 rows and 1 columns, expected 2 and 1");
  refuses([&] { network.distances_from(Vertices{0}, blockfw::DistanceMatrix<std::int32_t, Host>("d", 1, 2)); },
          "the matrix 'd' has 1 rows and 2 columns, expected 1 and 3");
  CHECK_THROWS_WITH_AS(network.with_changes(Edges{{0, 1, 2}, {2, 1, 4}}),
                       "edge 1: from 2 to 1, expected one of the network's edges", blockfw::InvalidEdge);
  CHECK_THROWS_WITH_AS(network.with_changes(Edges{{0, 7, 2}}), "edge 0: vertex 7 is out of range, expected 0 to 2",
                       blockfw::InvalidEdge);
  CHECK_THROWS_AS(network.with_changes(Edges{{0, 1, 1 << 30}, {1, 2, 1 << 29}}), blockfw::OverflowRisk);
  auto ring = Net<std::int32_t>(exec, 3, Edges{{0, 1, 3}, {1, 2, 5}, {2, 0, 1}});
  for (int round = 0; round < 2; ++round) {  // (all supernodes, then some; a network is as before after an error)
    CHECK_THROWS_AS(ring.change(Edges{{0, 1, -9}}), blockfw::NegativeCycle);
    CHECK(ring.distance(0, 2) == 8);
    ring.change(Edges{{1, 2, 5}});
    CHECK(ring.distance(0, 2) == 8);
  }
  CHECK_THROWS_WITH_AS(Net<std::int32_t>(exec, 3, Edges{{0, 3, 1}}),
                       "edge 0: vertex 3 is out of range, expected 0 to 2", blockfw::InvalidEdge);
  CHECK_THROWS_WITH_AS(Net<double>(exec, 2, std::vector<blockfw::Edge<double>>{{0, 1, std::nan("")}}),
                       doctest::Contains("edge 0: the weight is NaN"), blockfw::InvalidEdge);
  const Net<double> of_floats(exec, 2, std::vector<blockfw::Edge<double>>{{0, 1, 1.}});
  refuses([&] { of_floats.within(Vertices{0}, std::nan("")); }, "the limit is NaN, expected a number");
  refuses([&] { of_floats.within(Vertices{}, std::nan("")); }, "the limit is NaN, expected a number");
  refuses([&] { of_floats.within(Vertices{0, 1}, std::vector<double>{1, std::nan("")}); },
          "limit 1 is NaN, expected a number");
  refuses([&] { of_floats.count_within(Vertices{0}, std::vector<double>{std::nan("")}); },
          "limit 0 is NaN, expected a number");
  CHECK_THROWS_AS(Net<std::int32_t>(exec, 3, Edges{{0, 1, 1 << 29}, {1, 2, 1 << 29}}), blockfw::OverflowRisk);
  CHECK_THROWS_AS(network.with_weights(std::vector<std::int32_t>{1 << 29, 1 << 29}), blockfw::OverflowRisk);
  CHECK_THROWS_AS(Net<std::int32_t>(exec, 3, path, {.order = {0, 1, 1}}), blockfw::InvalidInput);
  CHECK_THROWS_AS(Net<std::int32_t>(exec, 2, Edges{{0, 1, -1}, {1, 0, 0}}), blockfw::NegativeCycle);
}

TEST_CASE("vertices without edges, and a network of many parts") {
  std::vector<blockfw::Edge<std::int32_t>> edges;
  for (std::int32_t v = 0; v + 1 < 300; v += 2) edges.push_back({v, v + 1, v});
  const Net<std::int32_t> network(Host(), 400, edges);
  const auto found = network.within(Vertices{8, 399}, 1000);
  CHECK(found.first == std::vector<std::int64_t>{0, 2, 3});
  CHECK(found.vertices == Vertices{8, 9, 399});
  CHECK(found.distances == Vertices{0, 8, 0});
  CHECK(network.count_within(Vertices{8, 399}, Vertices{0, 1000, 8, 7}) ==
        std::vector<std::int64_t>{1, 2, 2, 1, 1, 1, 1, 1});
  CHECK(network.within(Vertices{8, 8}, Vertices{7, 8}).first == std::vector<std::int64_t>{0, 1, 3});
  CHECK(network.table(Vertices{8, 10, 399}, Vertices{9, 11})(1, 1) == 10);
  CHECK(network.distance(399, 0) == blockfw::infinity<std::int32_t>);
  CHECK(network.path(399, 0).empty());
  CHECK(network.path(399, 399) == Vertices{399});
}
