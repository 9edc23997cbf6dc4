// SPDX-License-Identifier: MIT
// Second weights are sums along a shortest path, the one with the smallest sum. They are compared with three loops over
// both sums. Weights are packed or not packed. Where first sums round, small graphs are compared with all their paths.
#include "graphs.hpp"
#include "nearest_and_within.hpp"
#include "spaces.hpp"
#include "sparse_graphs.hpp"

#include "blockfw/end_points.hpp"
#include "blockfw/network.hpp"
#include "blockfw/second_weights.hpp"
#include "blockfw/turns.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using Host = Kokkos::DefaultHostExecutionSpace;
using Device = Kokkos::DefaultExecutionSpace;
using blockfw::Direction;
using blockfw::SecondWeights;
template <class T>
using Net = blockfw::Network<blockfw::MinPlus<T>>;
template <class T>
using Edges = std::vector<blockfw::Edge<T>>;

constexpr Direction directions[] = {Direction::directed, Direction::undirected};

/// The second sums of best paths, by three loops.
template <class Sum>
HostMatrix<Sum> by_three_loops(const Graph& g, const std::vector<Sum>& second, Direction direction) {
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
  const auto n = static_cast<std::size_t>(g.n);
  const HostMatrix<std::int64_t> d("first", n, n);
  const HostMatrix<Sum> sums("second", n, n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) d(i, j) = i == j ? 0 : none;
  const auto improve = [&](auto i, auto j, std::int64_t length, Sum sum) {
    if (length > d(i, j) || (length == d(i, j) && !(sum < sums(i, j)))) return;
    d(i, j) = length;
    sums(i, j) = sum;
  };
  for (std::size_t e = 0; e < g.edges.size(); ++e) {
    improve(g.edges[e].from, g.edges[e].to, g.edges[e].weight, second[e]);
    if (direction == Direction::undirected) improve(g.edges[e].to, g.edges[e].from, g.edges[e].weight, second[e]);
  }
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        if (d(i, k) != none && d(k, j) != none) improve(i, j, d(i, k) + d(k, j), sums(i, k) + sums(k, j));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      if (d(i, j) == none) sums(i, j) = blockfw::infinity<Sum>;
  return sums;
}

/// Whether a sum is the wanted one; doubles may be rounded.
template <class Sum>
bool is_near(Sum sum, Sum wanted) {
  if constexpr (std::is_floating_point_v<Sum>)
    return sum == wanted || std::abs(sum - wanted) <= 1e-9 * (1 + std::abs(wanted));
  else
    return sum == wanted;
}

/// Checks tables, rows, and pairs: fewer than half the number of vertices, and more.
template <class Sums, class Sum = typename Sums::T>
void check(Random& random, const Sums& sums, const HostMatrix<Sum>& all) {
  const int n = all.extent_int(0);
  CHECK(sums.vertices() == n);
  Vertices whole;
  for (int v = 0; v < n; ++v) whole.push_back(v);
  int wrong = 0;
  const auto look_at = [&](const auto& table, const Vertices& from, const Vertices& to) {
    wrong += table.extent(0) != from.size() || table.extent(1) != to.size();
    for (std::size_t i = 0; i < from.size(); ++i)
      for (std::size_t j = 0; j < to.size(); ++j) wrong += !is_near<Sum>(table(i, j), all(from[i], to[j]));
  };
  const std::pair<int, int> shapes[] = {{0, 5}, {5, 0}, {1, 1}, {1, 90}, {40, 3}, {70, 90}};
  for (const auto& [rows, columns] : shapes) {
    const Vertices from = some(random, n, rows), to = some(random, n, columns);
    look_at(sums.table(from, to), from, to);
    look_at(sums.distances_from(from), from, whole);
  }
  look_at(sums.table(whole, whole), whole, whole);
  for (const int pairs : {0, 3, 300}) {
    const Vertices from = some(random, n, pairs), to = some(random, n, pairs);
    const auto found = sums.distances(from, to);
    wrong += found.size() != from.size();
    for (std::size_t p = 0; p < from.size(); ++p) wrong += !is_near<Sum>(found[p], all(from[p], to[p]));
  }
  CHECK(wrong == 0);
}

/// Small weights, so that many paths tie, in graphs of several families. Some have cycles of length 0, negative
/// weights, parallel edges and self loops.
std::vector<Graph> graphs_with_ties(Random& random, Direction direction) {
  std::vector<Graph> graphs = {grid(random, 90), with_ring(random, 60, 0), attached(random, 50),
                               scattered(random, 60, 150, 0, 2), Graph{1, {}}};
  for (Graph& g : graphs)
    for (auto& e : g.edges)
      if (direction == Direction::undirected || g.n != 60) e.weight = std::abs(e.weight) % 4;
  return graphs;
}

template <class Sum>
std::vector<Sum> random_second(Random& random, std::size_t edges, std::int64_t low, std::int64_t high) {
  std::uniform_int_distribution<std::int64_t> any(low, high);
  std::vector<Sum> second;
  for (std::size_t e = 0; e < edges; ++e) second.push_back(static_cast<Sum>(any(random)));
  return second;
}

/// A point at a number of quarters of an edge.
struct Quarter {
  int point;
  std::size_t edge;
  int quarters;
};

/// A graph with a vertex for each place on an edge, and two vertices for each point: as a source and as a target. Edges
/// of undirected graphs are there in both directions.
struct WithPoints {
  Graph g;
  std::vector<std::int64_t> second;
  Vertices from, to;

  WithPoints(const Graph& plain, const std::vector<std::int64_t>& weights, Direction direction,
             std::vector<Quarter> places, int points)
      : g{plain.n, {}} {
    for (int p = 0; p < points; ++p) {
      from.push_back(g.n++);
      to.push_back(g.n++);
    }
    std::ranges::sort(places, {}, [](const Quarter& q) { return std::pair(q.edge, q.quarters); });
    auto place = places.begin();
    for (std::size_t e = 0; e < plain.edges.size(); ++e) {
      const auto& edge = plain.edges[e];
      int before = edge.from, done = 0;
      const auto go_on = [&](int vertex, int quarters) {
        add(before, vertex, edge.weight / 4 * (quarters - done), weights[e] / 4 * (quarters - done));
        if (direction == Direction::undirected)
          add(vertex, before, edge.weight / 4 * (quarters - done), weights[e] / 4 * (quarters - done));
        before = vertex;
        done = quarters;
      };
      for (; place != places.end() && place->edge == e; ++place) {
        if (before == edge.from || done != place->quarters) go_on(g.n++, place->quarters);
        add(from[std::size_t(place->point)], before, 0, 0);
        add(before, to[std::size_t(place->point)], 0, 0);
      }
      go_on(edge.to, 4);
    }
  }
  void add(int tail, int head, std::int64_t weight, std::int64_t sum) {
    g.edges.push_back({tail, head, weight});
    second.push_back(sum);
  }
};

/// Adds two vertices and a tiny edge between them. Other weights as multiples of the tiny weight take more than 61
/// bits.
Edges<double> with_tiny_edge(Graph& g, Edges<double> edges) {
  g.n += 2;
  g.edges.push_back({g.n - 2, g.n - 1, 1});
  edges.push_back({g.n - 2, g.n - 1, 1e-30});
  return edges;
}

}  // namespace

TEST_CASE_TEMPLATE("packed: the smallest sum along a shortest path", T, ALL_TYPES) {
  Random random(13);
  for (const auto direction : directions)
    for (const Graph& g : graphs_with_ties(random, direction)) {
      auto edges = edges_of<T>(g);
      if constexpr (std::is_floating_point_v<T>)
        for (auto& e : edges) e.weight /= 8;  // (exact)
      const Net<T> network(Host(), g.n, edges, {.direction = direction});
      const auto whole = random_second<std::int64_t>(random, edges.size(), 0, 50);
      check(random, SecondWeights(network, std::vector<int>(whole.begin(), whole.end())),
            by_three_loops(g, whole, direction));
      auto quarters = random_second<double>(random, edges.size(), 0, 200);
      for (double& weight : quarters) weight /= 4;
      CHECK(SecondWeights(network, quarters).is_packed());
      check(random, SecondWeights(network, quarters), by_three_loops(g, quarters, direction));
      check(random, SecondWeights(network, std::vector<float>(quarters.begin(), quarters.end())),
            by_three_loops(g, quarters, direction));
    }
}

TEST_CASE_TEMPLATE("weights that do not fit 62 bits together", T, ALL_TYPES) {
  Random random(14);
  for (const auto direction : directions)
    for (const Graph& g : graphs_with_ties(random, direction)) {
      const auto edges = edges_of<T>(g);
      const Net<T> network(Host(), g.n, edges, {.direction = direction});
      const auto large = random_second<std::int64_t>(random, edges.size(), 0, std::int64_t{1} << 53);
      check(random, SecondWeights(network, large), by_three_loops(g, large, direction));
      std::uniform_real_distribution<double> real(0, 50);
      std::vector<double> reals;
      for (std::size_t e = 0; e < edges.size(); ++e) reals.push_back(real(random));
      CHECK(SecondWeights(network, reals).is_packed() == edges.empty());
      check(random, SecondWeights(network, reals), by_three_loops(g, reals, direction));
    }
}

TEST_CASE("first weights that are no multiples of a power of two, but whose sums do not round") {
  Random random(15);
  for (const auto direction : directions)
    for (Graph g : graphs_with_ties(random, direction)) {
      if (std::ranges::any_of(g.edges, [](const auto& e) { return e.weight < 0; })) continue;
      const auto edges = with_tiny_edge(g, edges_of<double>(g));
      const Net<double> network(Host(), g.n, edges, {.direction = direction});
      const auto whole = random_second<std::int64_t>(random, edges.size(), 0, 50),
                 large = random_second<std::int64_t>(random, edges.size(), 0, std::int64_t{1} << 53);
      check(random, SecondWeights(network, whole), by_three_loops(g, whole, direction));
      check(random, SecondWeights(network, large), by_three_loops(g, large, direction));
      const std::vector<double> halves(whole.begin(), whole.end());
      check(random, SecondWeights(network, halves), by_three_loops(g, halves, direction));
    }
}

TEST_CASE("on every level of vectors, and in a front that all threads share") {
  Random random(16);
  for (Graph g : {complete(random, 280, 3), grid(random, 132)}) {
    const Net<std::int32_t> integers(Host(), g.n, edges_of<std::int32_t>(g));
    const auto large = random_second<std::int64_t>(random, g.edges.size(), 0, std::int64_t{1} << 50);
    const std::vector<double> reals(large.begin(), large.end());
    const auto of_integers = by_three_loops(g, large, Direction::directed);
    const auto edges = with_tiny_edge(g, edges_of<double>(g));
    const Net<double> doubles(Host(), g.n, edges);
    const auto small = random_second<std::int64_t>(random, edges.size(), 0, 50);
    const auto of_doubles = by_three_loops(g, small, Direction::directed);
    on_each_level([&] {
      check(random, SecondWeights(integers, large), of_integers);
      check(random, SecondWeights(doubles, small), of_doubles);
    });
    const SecondWeights in_reals(integers, reals),
        other_reals(doubles, std::vector<double>(small.begin(), small.end()));
    int wrong = 0;
    for (int i = 0; i < 130; ++i) {
      const Vertices from = {i}, to = {129 - i};
      const auto sum = static_cast<double>(of_integers(i, 129 - i)),
                 other = static_cast<double>(of_doubles(i, 129 - i));
      const bool is_path = of_integers(i, 129 - i) < blockfw::infinity<std::int64_t>;
      wrong += !is_near(in_reals.distances(from, to).front(), is_path ? sum : blockfw::infinity<double>);
      wrong += !is_near(other_reals.distances(from, to).front(), is_path ? other : blockfw::infinity<double>);
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE_TEMPLATE("negative second weights", T, std::int32_t, std::int64_t, double) {
  Random random(17);
  for (int trial = 0; trial < 6; ++trial)
    for (const auto direction : directions) {
      // First weights are 1 or more, or they may be 0 and less in a graph without cycles.
      Graph g = scattered(random, 50, 120, trial % 2 == 0 ? 1 : -2, trial % 2 == 0 ? 4 : 1);
      if (trial % 2 != 0) std::erase_if(g.edges, [](const auto& e) { return e.from >= e.to; });
      if (trial % 2 != 0 && direction == Direction::undirected) continue;
      const Net<T> network(Host(), g.n, edges_of<T>(g), {.direction = direction});
      const auto second = random_second<std::int64_t>(random, g.edges.size(), -50, 20);
      check(random, SecondWeights(network, second), by_three_loops(g, second, direction));
      std::vector<double> reals;
      for (const auto weight : second) reals.push_back(static_cast<double>(weight) / 3);
      check(random, SecondWeights(network, reals), by_three_loops(g, reals, direction));
    }
}

TEST_CASE("closed edges, and weights that the network has later") {
  Random random(18);
  Graph g = scattered(random, 60, 150, 0, 3);
  auto edges = edges_of<std::int32_t>(g);
  const auto second = random_second<std::int64_t>(random, edges.size(), 0, std::int64_t{1} << 53);
  Graph without{g.n, {}};
  std::vector<std::int64_t> of_others;
  std::vector<std::int32_t> weights;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    weights.push_back(e % 4 == 0 ? blockfw::infinity<std::int32_t> : edges[e].weight);
    if (e % 4 == 0) continue;
    without.edges.push_back(g.edges[e]);
    of_others.push_back(second[e]);
  }
  const Net<std::int32_t> network(Host(), g.n, edges);
  const auto expected = by_three_loops(without, of_others, Direction::directed);
  check(random, SecondWeights(network.with_weights(weights), second), expected);
  const std::vector<double> as_doubles(second.begin(), second.end());
  check(random, SecondWeights(network.with_weights(weights), as_doubles),
        by_three_loops(without, std::vector<double>(of_others.begin(), of_others.end()), Direction::directed));
  std::vector<double> multiples;  // (the weights of closed edges do not matter)
  for (std::size_t e = 0; e < edges.size(); ++e)
    multiples.push_back(e % 4 == 0 ? -0.1 : 0x1p80 * static_cast<double>(second[e] % 64));
  std::vector<double> of_open;
  for (std::size_t e = 0; e < edges.size(); ++e)
    if (e % 4 != 0) of_open.push_back(multiples[e]);
  const SecondWeights packed(network.with_weights(weights), multiples);
  CHECK(packed.is_packed());
  check(random, packed, by_three_loops(without, of_open, Direction::directed));
  auto sums = SecondWeights(network.with_weights(weights), second);
  const auto copy = sums;
  sums.run_on(Host());
  check(random, sums, expected);
  check(random, copy, expected);
}

TEST_CASE("first sums that round: the sum along a path that is a shortest one up to rounding") {
  Random random(19);
  for (int trial = 0; trial < 40; ++trial) {
    Graph g = scattered(random, 7, 18, 1, 5);
    Edges<double> edges;
    for (const auto& e : g.edges) edges.push_back({e.from, e.to, static_cast<double>(e.weight) * 0.1});
    if (trial % 2 == 0) edges = with_tiny_edge(g, edges);  // (else the sums of these doubles are exact)
    const auto second = random_second<std::int64_t>(random, edges.size(), 0, 1000);
    const auto n = static_cast<std::size_t>(g.n);
    // Both sums of all simple paths, the first sums in tenths.
    std::vector<std::vector<std::pair<std::int64_t, std::int64_t>>> of_pairs(n * n);
    const auto follow = [&](const auto& self, std::size_t from, std::size_t at, std::vector<bool>& seen,
                            std::int64_t length, std::int64_t sum) -> void {
      of_pairs[from * n + at].emplace_back(length, sum);
      seen[at] = true;
      for (std::size_t e = 0; e < g.edges.size(); ++e)
        if (const auto to = static_cast<std::size_t>(g.edges[e].to);
            static_cast<std::size_t>(g.edges[e].from) == at && !seen[to])
          self(self, from, to, seen, length + g.edges[e].weight, sum + second[e]);
      seen[at] = false;
    };
    Vertices all;
    for (std::size_t v = 0; v < n; ++v) {
      std::vector<bool> seen(n, false);
      follow(follow, v, v, seen, 0, 0);
      all.push_back(static_cast<std::int32_t>(v));
    }
    const auto table = SecondWeights(Net<double>(Host(), g.n, edges), second).table(all, all);
    int wrong = 0;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        const auto& paths = of_pairs[i * n + j];
        const std::int64_t shortest = paths.empty() ? 0 : std::ranges::min(paths).first;
        wrong += paths.empty() ? table(i, j) != blockfw::infinity<std::int64_t>
                               : std::ranges::count(paths, std::pair(shortest, table(i, j))) == 0;
      }
    CHECK(wrong == 0);
  }
}

TEST_CASE_TEMPLATE("negative first weights that round", T, float, double) {
  Random random(20);
  for (int trial = 0; trial < 5; ++trial) {
    const Graph g = scattered(random, 40, 130, 1, 500);
    std::uniform_real_distribution<double> height(0, 1000);
    std::vector<double> h;
    for (int v = 0; v < g.n; ++v) h.push_back(height(random));
    Edges<T> edges;
    std::vector<std::int64_t> second;  // (equally short paths have the same second sum)
    for (const auto& e : g.edges) {
      const double shift = h[static_cast<std::size_t>(e.from)] - h[static_cast<std::size_t>(e.to)];
      edges.push_back({e.from, e.to, static_cast<T>(static_cast<double>(e.weight) + shift)});
      second.push_back(3 * e.weight);
    }
    check(random, SecondWeights(Net<T>(Host(), g.n, edges), second), by_three_loops(g, second, Direction::directed));
  }
}

TEST_CASE_TEMPLATE("between points: as vertices of the graph", T, std::int32_t, float, double) {
  Random random(22);
  constexpr int on_edges = 12, beside = 12, count = on_edges + beside;
  for (const auto direction : directions)
    for (Graph g : graphs_with_ties(random, direction)) {
      for (auto& e : g.edges) e.weight *= 4;
      auto small = random_second<std::int64_t>(random, g.edges.size(), 0, 50);
      auto large = random_second<std::int64_t>(random, g.edges.size(), 0, std::int64_t{1} << 50);
      for (auto* second : {&small, &large})
        for (std::size_t e = 0; e < g.edges.size(); ++e) (*second)[e] *= g.edges[e].weight == 0 && e % 2 == 0 ? 0 : 4;
      // Points with places on up to three edges, and points with up to three legs.
      std::vector<Quarter> places;
      for (int p = 0; p < on_edges && !g.edges.empty(); ++p)
        for (int k = uniform(random, 0, 3), last = -1; k > 0; --k) {
          const int e = uniform(random, last + 1, std::min<int>(last + 5, int(g.edges.size()) - 1));
          if (e <= last || e >= int(g.edges.size())) break;
          last = e;
          const bool flat = g.edges[std::size_t(e)].weight == 0;  // (such an edge must have no second weight)
          if (!flat || e % 2 == 0) places.push_back({p, std::size_t(e), flat ? 0 : uniform(random, 0, 4)});
        }
      std::ranges::shuffle(places, random);
      std::vector<blockfw::PlaceOnEdge<T>> as_given;
      for (const Quarter& q : places)
        as_given.push_back({q.point, std::int64_t(q.edge), static_cast<T>(g.edges[q.edge].weight / 4 * q.quarters)});
      std::vector<blockfw::Leg<T>> legs;
      std::vector<std::int64_t> of_legs;
      for (int l = 0; l < 3 * beside; ++l) {
        legs.push_back({uniform(random, 0, beside - 1), uniform(random, 0, int(g.n) - 1),
                        l % 5 == 4 ? blockfw::infinity<T> : static_cast<T>(uniform(random, 0, 9))});
        of_legs.push_back(uniform(random, 0, 100));
      }
      const Net<T> network(Host(), g.n, edges_of<T>(g), {.direction = direction});
      const auto houses = blockfw::on_edges(network, on_edges, as_given);
      const blockfw::EndPoints<blockfw::MinPlus<T>> parks(network, beside, legs, of_legs);
      const auto look_at = [&](const auto& second, const std::vector<std::int64_t>& whole) {
        using Sum = typename blockfw::detail::SumOfSecond<decltype(second)>;
        WithPoints all(g, whole, direction, places, count);
        for (std::size_t l = 0; l < legs.size(); ++l)
          if (legs[l].length != blockfw::infinity<T>) {
            const auto point = std::size_t(on_edges + legs[l].point);
            all.add(all.from[point], legs[l].vertex, std::int64_t(legs[l].length), of_legs[l]);
            all.add(legs[l].vertex, all.to[point], std::int64_t(legs[l].length), of_legs[l]);
          }
        const auto sums =
            by_three_loops(all.g, std::vector<Sum>(all.second.begin(), all.second.end()), Direction::directed);
        const SecondWeights lengths(network, second);
        const auto compare = [&](const auto& from, int first, const auto& to, int first_to) {
          int wrong = 0;
          const auto table = lengths.table(network, from, to);
          CHECK(std::int64_t(table.extent(0)) == from.points());
          CHECK(std::int64_t(table.extent(1)) == to.points());
          const auto wanted = [&](std::size_t i, std::size_t j) {
            return sums(all.from[std::size_t(first) + i], all.to[std::size_t(first_to) + j]);
          };
          for (std::size_t i = 0; i < table.extent(0); ++i)
            for (std::size_t j = 0; j < table.extent(1); ++j) wrong += !is_near<Sum>(table(i, j), wanted(i, j));
          if (from.points() == to.points()) {
            const auto pairs = lengths.distances(network, from, to);
            wrong += pairs.size() != table.extent(0);
            for (std::size_t i = 0; i < pairs.size(); ++i) wrong += !is_near<Sum>(pairs[i], wanted(i, i));
          }
          CHECK(wrong == 0);
        };
        compare(houses.from, 0, houses.to, 0);
        compare(parks, on_edges, houses.to, 0);
        compare(houses.from, 0, parks, on_edges);
        compare(parks, on_edges, parks, on_edges);
      };
      look_at(small, small);
      look_at(std::vector<double>(small.begin(), small.end()), small);
      look_at(large, large);
    }
}

TEST_CASE("between points: several groups of rows") {
  // A line, from more vertices than a block has rows on this machine to each vertex.
  constexpr int n = 5000, step = 3;
  Edges<std::int32_t> line;
  for (int v = 0; v + 1 < n; ++v) line.push_back({v, v + 1, 3});
  const Net<std::int32_t> net(Host(), n, line, {.direction = Direction::undirected});
  Vertices from, to;
  for (int v = 0; v < n; ++v) to.push_back(v);
  while (from.size() <= net.rows_at_once(3 * to.size())) from.push_back(step * static_cast<int>(from.size()) % n);
  const blockfw::EndPoints<blockfw::MinPlus<std::int32_t>> sources(net, from), targets(net, to);
  const auto d = SecondWeights(net, std::vector<int>(line.size(), 7)).table(net, sources, targets);
  int wrong = 0;
  for (int i = 0; i < int(from.size()); ++i)
    for (int j = 0; j < n; ++j) wrong += d(i, j) != 7 * std::abs(from[std::size_t(i)] - j);
  CHECK(wrong == 0);
}

TEST_CASE("between points: known answers, and what is refused") {
  // A road of 60 s and 700 m, and a longer one that is as fast; then one of 30 s and 500 m.
  const Net<std::int32_t> net(Host(), 3, Edges<std::int32_t>{{0, 1, 60}, {0, 1, 60}, {1, 2, 30}});
  const std::vector<int> metres = {700, 900, 500};
  const SecondWeights lengths(net, metres);
  const SecondWeights reals(net, std::vector<double>(metres.begin(), metres.end()));
  using Points = blockfw::EndPoints<blockfw::MinPlus<std::int32_t>>;
  using Legs = std::vector<blockfw::Leg<std::int32_t>>;
  using Places = std::vector<blockfw::PlaceOnEdge<std::int32_t>>;
  const auto on = [&](const Places& places) { return blockfw::on_edges(net, 1, places); };
  const Points start(net, Vertices{0}), end(net, Vertices{2});
  CHECK(lengths.distances(net, start, end) == std::vector<std::int64_t>{1200});
  CHECK(lengths.distances(net, on({{0, 1, 30}}).from, end) == std::vector<std::int64_t>{950});
  CHECK(lengths.distances(net, on({{0, 1, 10}}).from, on({{0, 1, 30}}).to) == std::vector<std::int64_t>{300});
  CHECK(lengths.table(net, on({{0, 1, 30}}).from, on({{0, 1, 10}}).to)(0, 0) == blockfw::infinity<std::int64_t>);
  CHECK(reals.distances(net, on({{0, 2, 7}}).from, end).front() == doctest::Approx(500 * 23. / 30));
  CHECK(lengths.distances(net, Points(net, 1, Legs{{0, 1, 5}}, std::vector<double>{40}), end) ==
        std::vector<std::int64_t>{540});
  CHECK(lengths.table(net, Points(net, 2, Legs{}), end)(1, 0) == blockfw::infinity<std::int64_t>);
  CHECK(lengths.table(net, start, Points(net, Vertices{})).size() == 0);
  // Negative second weights, and parts that a double cannot hold.
  const auto along_first = [&](std::int64_t second, std::int32_t at) {
    return SecondWeights(net, std::vector<std::int64_t>{second, std::int64_t{1} << 58, 0})
        .distances(net, on({{0, 0, at}}).from, end)
        .front();
  };
  CHECK(along_first(-600, 20) == -400);
  CHECK(along_first(60 * ((std::int64_t{1} << 50) + 1), 43) == 17 * ((std::int64_t{1} << 50) + 1));
  CHECK_THROWS_AS(along_first(2 * ((std::int64_t{1} << 53) + 1), 15), blockfw::InvalidInput);
  // An edge of weight 0 cannot be parted, unless its second weight is 0, too.
  const Net<std::int32_t> flat(Host(), 2, Edges<std::int32_t>{{0, 1, 0}});
  const auto somewhere = blockfw::on_edges(flat, 1, Places{{0, 0, 0}});
  CHECK(SecondWeights(flat, std::vector<int>{0}).distances(flat, somewhere.from, Points(flat, Vertices{1})).front() ==
        0);

  const auto refuses = [](const auto& call, const char* message) {
    CHECK_THROWS_WITH_AS(call(), message, blockfw::InvalidInput);
  };
  refuses([&] { lengths.table(net, start, on({{0, 2, 7}}).to); },
          "point 0: the part of the second weight 500 of edge 2 before its place is 7 / 30 of it, expected a whole "
          "number, as "
          "the second weights are integers; second weights of doubles take any");
  refuses(
      [&] { lengths.table(net, Points(net, 1, Legs{{0, 1, 5}}, std::vector<double>{2.5}), end); },
      "point 0: a second length is 2.5, expected a whole number below 2^53, as the second weights are integers; second "
      "weights of doubles take any");
  refuses([&] { reals.table(net, Points(net, 1, Legs{{0, 1, 5}}, std::vector<double>{1e305}), end); },
          "point 0: a second length is 1e+305, expected a magnitude below 2^1000");
  const SecondWeights huge(net, std::vector<double>{1, 1e305, 1});
  refuses([&] { huge.table(net, start, on({{0, 1, 0}}).to); },
          "point 0: the second weight 1e+305 of edge 1 is 1e+305, expected a magnitude below 2^1000");
  refuses([&] { lengths.table(net, Points(net, 1, Legs{{0, 1, 5}}), end); },
          "point 0 has a leg without a second length, expected one, or a leg of length 0");
  refuses([&] { SecondWeights(flat, std::vector<int>{7}).table(flat, somewhere.from, somewhere.to); },
          "point 0: no part of the second weight 7 of edge 0, whose weight is 0, lies before a place; expected a leg "
          "in place "
          "of it");
  refuses([&] { lengths.distances(net, on({{0, 1, 30}}).to, end); },
          "the sources are points made as targets, expected points as sources");
  refuses([&] { lengths.distances(net, start, Points(net, Vertices{1, 2})); },
          "there are 1 sources and 2 targets, expected as many of each");
  refuses([&] { Points(net, 1, Legs{{0, 1, 5}}, std::vector<int>{1, 2}); },
          "there are 2 second lengths, expected 1, one for each leg");
  refuses([&] { Points(net, 1, Legs{{0, 1, 5}}, std::vector<double>{std::nan("")}); },
          "leg 0: the second length is NaN, expected a finite number");
  const Points one_way(net, 2, Legs{{0, 1, blockfw::infinity<std::int32_t>}, {1, 1, 5}},
                       std::vector<double>{std::nan(""), 40});
  CHECK(lengths.table(net, one_way, end)(0, 0) == blockfw::infinity<std::int64_t>);
  CHECK(lengths.table(net, one_way, end)(1, 0) == 540);
  const Net<std::int32_t> other(Host(), 3, Edges<std::int32_t>{{0, 1, 60}});
  const char* const of_another =
      "the network is not the one that the second weights belong to, or its weights were changed";
  refuses([&] { lengths.table(other, start, end); }, of_another);
  const char* const on_another =
      "the points lie on edges of another network, or of other weights, expected points that this network made";
  refuses([&] { SecondWeights(other, std::vector<int>{7}).table(other, on({{0, 1, 7}}).from, end); }, on_another);
  const auto slower = net.with_weights(std::vector<int>{90, 90, 45});
  refuses([&] { lengths.distances(slower, start, end); }, of_another);
  const auto on_slower = blockfw::on_edges(slower, 1, Places{{0, 1, 30}});
  refuses([&] { lengths.distances(net, on_slower.from, end); }, on_another);
  refuses([&] { lengths.distances(net, start, blockfw::on_edges(slower, 1, Places{{0, 1, 70}}).to); }, on_another);
  const auto none = blockfw::infinity<std::int32_t>;
  const auto on_closed = blockfw::on_edges(net.with_weights(std::vector<int>{60, none, 30}), 1, Places{{0, 1, 7}});
  refuses([&] { lengths.distances(net, on_closed.from, end); }, on_another);
  const Net<std::int32_t> alike(Host(), 3, net.edges());
  refuses([&] { lengths.distances(net, start, blockfw::on_edges(alike, 1, Places{{0, 1, 30}}).to); }, on_another);
  const auto copy = net;
  CHECK(lengths.distances(copy, start, blockfw::on_edges(copy, 1, Places{{0, 1, 30}}).to).front() == 450);
  const auto roads = blockfw::by_roads(Host(), 3, net.edges());
  const SecondWeights of_arcs(roads.network(), metres), of_roads(roads, metres);
  const auto on_road = blockfw::on_edges(roads, 1, Places{{0, 1, 30}});
  refuses([&] { of_arcs.table(roads.network(), on_road.from, on_road.to); },
          "the points lie on roads of a network with turns, expected points on edges of this network");
  refuses([&] { of_arcs.table(roads, on_road.from, on_road.to); }, of_another);
  refuses([&] { of_roads.table(roads.network(), on_road.from, on_road.to); }, of_another);
  const auto on_arc = blockfw::on_edges(roads.network(), 1, Places{{0, 1, 30}});
  refuses([&] { of_roads.table(roads, on_arc.from, on_arc.to); },
          "the points lie on edges of the plain network, or of other roads, expected points on these roads");
  const Points far(net, 1, Legs{{0, 0, blockfw::infinity<std::int32_t> - 1}}, std::vector<int>{1});
  CHECK_THROWS_AS(lengths.table(net, far, end), blockfw::OverflowRisk);
  CHECK_THROWS_AS(lengths.distances(net, far, end), blockfw::OverflowRisk);
}

TEST_CASE("a device answers large questions") {  // (Without a device the host is compared with itself.)
  Random random(21);
  const Graph g = grid(random, 132);
  const Vertices from = some(random, g.n, 1100), to = some(random, g.n, 1000);
  const auto compare = [&]<class T>(const Net<T>& network, const auto& second, bool packed) {
    const SecondWeights here(network, second);
    const SecondWeights there(Device(), network, second);
    CHECK(here.is_packed() == packed);
    CHECK(there.is_packed() == packed);
    if constexpr (std::is_integral_v<T>) check(random, there, by_three_loops(g, second, Direction::directed));
    const auto expected = here.table(from, to), found = there.table(from, to);
    int wrong = found.extent(0) != from.size() || found.extent(1) != to.size();
    for (std::size_t i = 0; i < from.size(); ++i)
      for (std::size_t j = 0; j < to.size(); ++j) wrong += found(i, j) != expected(i, j);
    // The same for vertices as points, in several blocks.
    const blockfw::EndPoints<blockfw::MinPlus<T>> sources(network, from), targets(network, to);
    for (const auto& table : {here.table(network, sources, targets), there.table(network, sources, targets)})
      for (std::size_t i = 0; i < from.size(); ++i)
        for (std::size_t j = 0; j < to.size(); ++j) wrong += table(i, j) != expected(i, j);
    CHECK(wrong == 0);
  };
  const Net<std::int32_t> network(Host(), g.n, edges_of<std::int32_t>(g));
  compare(network, random_second<std::int64_t>(random, g.edges.size(), 0, 50), true);
  compare(network, random_second<std::int64_t>(random, g.edges.size(), 0, std::int64_t{1} << 52), false);
  compare(network, random_second<std::int64_t>(random, g.edges.size(), -50, 50), false);
  compare(network, random_second<double>(random, g.edges.size(), 0, 50), true);
  compare(network, random_second<double>(random, g.edges.size(), -50, 50), false);
  // First sums that round: a line has one path of each pair.
  Edges<double> line;
  for (int v = 0; v + 1 < g.n; ++v) line.push_back({v, v + 1, 0.1 * (v % 7)});
  const Net<double> tenths(Host(), g.n, line, {.direction = Direction::undirected});
  compare(tenths, random_second<double>(random, line.size(), 0, 50), false);
  compare(tenths, random_second<std::int64_t>(random, line.size(), 0, 50), false);
}

TEST_CASE("integers are exact") {
  // (As a sum of doubles the last four second weights would vanish.)
  Graph line{6, {}};
  for (int v = 0; v < 5; ++v) line.edges.push_back({v, v + 1, 1});
  const std::int64_t much = (std::int64_t{1} << 55) - 4;
  const std::vector<std::int64_t> second = {much, 1, 1, 1, 1};
  const auto check_last = [&](const auto& sums) {
    CHECK(sums.distances(Vertices{0}, Vertices{5}).front() == much + 4);
  };
  check_last(SecondWeights(Net<std::int32_t>(Host(), 6, edges_of<std::int32_t>(line)), second));
  for (auto& e : line.edges) e.weight = 1000;
  check_last(SecondWeights(Net<std::int32_t>(Host(), 6, edges_of<std::int32_t>(line)), second));
  auto edges = edges_of<double>(line);
  edges[0].weight = 1e-30;
  check_last(SecondWeights(Net<double>(Host(), 6, edges), second));
  // The smaller of two first weights is taken, although both are the same double.
  const Edges<std::int64_t> near = {{0, 1, (std::int64_t{1} << 54) + 1}, {0, 1, std::int64_t{1} << 54}};
  CHECK(SecondWeights(Net<std::int64_t>(Host(), 2, near), std::vector<int>{1, 1000})
            .distances(Vertices{0}, Vertices{1})
            .front() == 1000);
}

TEST_CASE("errors name the problem, the place and what was expected") {
  const Net<std::int32_t> two(Host(), 2, Edges<std::int32_t>{{0, 1, 7}});
  const Net<std::int32_t> ring(Host(), 2, Edges<std::int32_t>{{0, 1, 0}, {1, 0, 0}});
  const Net<std::int32_t> there_and_back(Host(), 2, Edges<std::int32_t>{{0, 1, 0}},
                                         {.direction = Direction::undirected});
  const Net<double> rounding(Host(), 3, Edges<double>{{0, 1, 0.1}, {1, 2, 1e-30}});
  const auto refuses = [](const auto& call, const char* message) {
    CHECK_THROWS_WITH_AS(call(), message, blockfw::InvalidInput);
  };
  refuses([&] { SecondWeights(two, std::vector<int>{}); }, "there are 0 second weights, expected 1, one for each edge");
  refuses([&] { SecondWeights(two, std::vector<double>{std::nan("")}); },
          "the second weight of edge 0 is NaN, expected a finite number");
  refuses([&] { SecondWeights(two, std::vector<double>{-blockfw::infinity<double>}); },
          "the second weight of edge 0 is -infinity, expected a finite number");
  refuses([&] { SecondWeights(rounding, std::vector<int>{1, -3}); },
          "the second weight of edge 1 is -3, expected 0 or more where sums of the first weights round, or first "
          "weights that are whole");
  const auto on_cycle = doctest::Contains("can return to itself with a first sum of 0 and a negative second sum");
  CHECK_THROWS_WITH_AS(SecondWeights(ring, std::vector<int>{1, -2}), on_cycle, blockfw::InvalidInput);
  CHECK_THROWS_WITH_AS(SecondWeights(ring, std::vector<double>{.5, -.75}), on_cycle, blockfw::InvalidInput);
  CHECK_THROWS_WITH_AS(SecondWeights(there_and_back, std::vector<int>{-1}), on_cycle, blockfw::InvalidInput);
  CHECK(SecondWeights(ring, std::vector<int>{2, -2}).distances(Vertices{1}, Vertices{0}).front() == -2);
  CHECK(SecondWeights(two, std::vector<int>{-3}).distances(Vertices{0}, Vertices{1}).front() == -3);

  CHECK_THROWS_WITH_AS(SecondWeights(two, std::vector<std::int64_t>{std::int64_t{1} << 60}),
                       doctest::Contains("a sum could reach 2^60"), blockfw::OverflowRisk);
  CHECK_THROWS_WITH_AS(SecondWeights(two, std::vector<std::uint64_t>{std::uint64_t{1} << 63}),
                       "the second weight of edge 0 is 9223372036854775808, expected less than 2^60",
                       blockfw::OverflowRisk);
  CHECK_THROWS_WITH_AS(SecondWeights(rounding, std::vector<double>{1e308, 1e308}),
                       doctest::Contains("a sum could reach infinity"), blockfw::OverflowRisk);

  for (const std::int64_t large : {std::int64_t{1}, std::int64_t{1} << 58}) {
    const SecondWeights sums(two, std::vector<std::int64_t>{large});
    refuses([&] { sums.table(Vertices{0}, Vertices{2}); }, "vertex 2 is out of range, expected 0 to 1");
    refuses([&] { sums.distances_from(Vertices{-1}); }, "vertex -1 is out of range, expected 0 to 1");
    refuses([&] { sums.distances(Vertices{0, 1}, Vertices{0}); },
            "there are 2 sources and 1 targets, expected as many of each");
  }
  const Net<double> empty(Host(), 0, Edges<double>{});
  CHECK(SecondWeights(empty, std::vector<double>{}).distances_from(Vertices{}).size() == 0);
}
