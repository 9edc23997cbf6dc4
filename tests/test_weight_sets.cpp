// SPDX-License-Identifier: MIT
// Several sets of weights of a network. Tables and pairs of each set are compared with the oracle, over families of
// graphs, types, levels of vectors and semirings. Some sums need 64 bits, some floats round, and errors name the set.
#include "graphs.hpp"
#include "nearest_and_within.hpp"
#include "spaces.hpp"
#include "sparse_graphs.hpp"

#include "blockfw/detail/elimination/factorise.hpp"
#include "blockfw/detail/elimination/front_arcs.hpp"
#include "blockfw/detail/elimination/sets_factor.hpp"
#include "blockfw/detail/graph/elimination_order.hpp"
#include "blockfw/detail/graph/neighbours.hpp"
#include "blockfw/detail/graph/supernodes.hpp"
#include "blockfw/ground/weights.hpp"
#include "blockfw/network.hpp"
#include "blockfw/weight_sets.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using Host = Kokkos::DefaultHostExecutionSpace;
using blockfw::Direction;
template <class T>
using Net = blockfw::Network<blockfw::MinPlus<T>>;
template <class T>
using Sets = blockfw::WeightSets<blockfw::MinPlus<T>>;
template <class T>
using Edges = std::vector<blockfw::Edge<T>>;

template <class T>
HostMatrix<T> matrix(int rows, std::size_t columns) {
  return HostMatrix<T>("weights", static_cast<std::size_t>(rows), columns);
}

Vertices every(int n) {
  Vertices list(static_cast<std::size_t>(n));
  std::iota(list.begin(), list.end(), 0);
  return list;
}

/// Counts the wrong entries of a table and of pairs. expected(h, i, j) is the distance from i to j in set h.
template <class Given, class Expected>
int wrong_answers(Random& random, const Given& sets, int n, const Expected& expected) {
  int wrong = 0;
  const auto count = static_cast<std::size_t>(sets.sets());
  const auto check_table = [&](const Vertices& from, const Vertices& to) {
    const auto tables = sets.table(from, to);
    wrong += tables.extent(0) != count || tables.extent(1) != from.size() || tables.extent(2) != to.size();
    for (std::size_t h = 0; h < count; ++h)
      for (std::size_t i = 0; i < from.size(); ++i)
        for (std::size_t j = 0; j < to.size(); ++j) wrong += tables(h, i, j) != expected(h, from[i], to[j]);
  };
  check_table(every(n), every(n));
  check_table(some(random, n, 90), some(random, n, 7));
  check_table(some(random, n, 4200), some(random, n, 3));  // (more sources than have labels at once)
  check_table(some(random, n, 3), {});
  for (const int pairs : {0, 3, n / 2 + 100}) {  // (many pairs take the labels of all vertices)
    const Vertices from = some(random, n, pairs), to = some(random, n, pairs);
    const auto distances = sets.distances(from, to);
    wrong += distances.extent(0) != count || distances.extent(1) != from.size();
    for (std::size_t h = 0; h < count; ++h)
      for (std::size_t p = 0; p < from.size(); ++p) wrong += distances(h, p) != expected(h, from[p], to[p]);
  }
  return wrong;
}

/// Random sets of weights of a graph's edges, some of which are closed. No set has a negative cycle if the graph has
/// none.
template <class T>
struct RandomSets {
  HostMatrix<T> weights;
  std::vector<Graph> graphs;

  RandomSets(Random& random, const Graph& g, int sets) : weights(matrix<T>(sets, g.edges.size())) {
    for (std::size_t h = 0; h < weights.extent(0); ++h) {
      graphs.push_back({g.n, {}});
      for (std::size_t e = 0; e < g.edges.size(); ++e) {
        auto edge = g.edges[e];
        if (edge.weight <= heaviest(g.n)) edge.weight += uniform(random, 0, 3);  // (so that sums fit as before)
        const bool closed = uniform(random, 0, 5) == 0;
        weights(h, e) = closed ? blockfw::infinity<T> : static_cast<T>(edge.weight);
        if (!closed) graphs.back().edges.push_back(edge);
      }
    }
  }
};

template <class T>
void check_sets(Random& random, const Graph& g, int sets, Direction direction) {
  const RandomSets<T> given(random, g, sets);
  Edges<T> edges = edges_of<T>(g);
  for (auto& edge : edges) edge.weight = 1;  // (a network's own weights do not matter)
  const Net<T> network(Host(), g.n, edges, {.direction = direction});
  std::vector<HostMatrix<T>> all;
  for (std::size_t h = 0; h < given.graphs.size(); ++h) {
    const Answer answer(given.graphs[h], direction);
    if (!answer.negative_cycle) {
      all.push_back(host_matrix<T>(answer.distances));
      continue;
    }
    try {
      Sets<T>(network, given.weights);
      FAIL_CHECK("a negative cycle was expected");
    } catch (const blockfw::NegativeCycle& error) {
      const std::string start = "set " + std::to_string(h) + " of the weights: negative cycle: ";
      CHECK(std::string(error.what()).starts_with(start));
      CHECK(oracle::on_negative_walk(answer.graph, static_cast<int>(error.vertex)));
    }
    return;
  }
  const auto expected = [&](std::size_t h, int i, int j) { return all[h](i, j); };
  const Sets<T> found(network, given.weights);
  CHECK(found.sets() == sets);
  CHECK(found.vertices() == g.n);
  CHECK(wrong_answers(random, found, g.n, expected) == 0);
}

/// All distances, by three loops.
template <class S, class T = typename S::value_type>
HostMatrix<T> distances_over(int n, const Edges<T>& edges, Direction direction) {
  const HostMatrix<T> d = matrix<T>(n, static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) d(i, j) = i == j ? S::one() : S::zero();
  const auto improve = [&](int i, int j, T length) { d(i, j) = S::relax(d(i, j), length, S::one()); };
  for (const auto& e : edges) {
    if (e.weight == S::zero()) continue;
    improve(e.from, e.to, e.weight);
    if (direction == Direction::undirected) improve(e.to, e.from, e.weight);
  }
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        if (d(i, k) != S::zero() && d(k, j) != S::zero()) d(i, j) = S::relax(d(i, j), d(i, k), d(k, j));
  return d;
}

/// \brief A semiring that is not commutative: arrivals by departure, in three slots of a timetable.
///
/// A function of the slots 0, 1, 2 has two bits for each: the slot of the arrival, not before the departure, or 3 for
/// never. A later departure does not arrive earlier. A number is these bits minus the bits of one(), so that the number
/// 1 is a function, too. For each slot the operation ⊕ takes the earlier arrival; a ⊗ b is b after a.
struct SlotTimes {
  using value_type = std::int32_t;
  static constexpr std::int32_t bits_of_one = 0 + 4 * 1 + 16 * 2;
  static KOKKOS_FUNCTION constexpr std::int32_t zero() { return 3 + 4 * 3 + 16 * 3 - bits_of_one; }
  static KOKKOS_FUNCTION constexpr std::int32_t one() { return 0; }
  // (This is never inlined: a call must be right, too.)
  template <class V>
  __attribute__((noinline)) static KOKKOS_FUNCTION constexpr V relax(V best, V earlier, V later) {
    using blockfw::choose;
    const V first(3), second(12), third(48), bits(bits_of_one);  // (the bits of each slot)
    const V a = earlier + bits, b = later + bits, c = best + bits;
    const V a_0 = a & first, a_1 = a & second, a_2 = a & third, b_0 = b & first, b_1 = b & second, b_2 = b & third;
    const V from_0 = choose(a_0 == V(0), b_0,
                            choose(a_0 == V(1), choose(b_1 == V(4), V(1), choose(b_1 == V(8), V(2), V(3))),
                                   choose(a_0 == V(2), choose(b_2 == V(32), V(2), V(3)), V(3))));
    const V from_1 = choose(a_1 == V(4), b_1, choose(a_1 == V(8), choose(b_2 == V(32), V(8), V(12)), V(12)));
    const V from_2 = choose(a_2 == V(32), b_2, V(48));
    return blockfw::smaller(c & first, from_0) + blockfw::smaller(c & second, from_1) +
           blockfw::smaller(c & third, from_2) - bits;
  }
  static KOKKOS_FUNCTION constexpr bool diverges(std::int32_t) { return false; }
  /// A function for each number of 0 or more.
  static constexpr std::int32_t of(std::int32_t number) {
    const std::int32_t from_0 = number % 4, from_1 = std::max({1, from_0, number / 4 % 4}),
                       from_2 = std::max({2, from_1, number / 16 % 4});
    return from_0 + 4 * from_1 + 16 * from_2 - bits_of_one;
  }
};

/// The streets of a town of side x side crossings, eastwards and southwards.
template <class T>
Edges<T> streets(int side) {
  Edges<T> edges;
  for (int v = 0; v < side * side; ++v) {
    if (v % side < side - 1) edges.push_back({v, v + 1, T(1)});
    if (v + side < side * side) edges.push_back({v, v + side, T(1)});
  }
  return edges;
}

}  // namespace

TEST_CASE_TEMPLATE("every set as a network with its weights, over families of graphs", T, ALL_TYPES) {
  const int counts[] = {1, 3, 16, 17, 35};  // fewer sets than numbers of a vector, the same number, more
  int next = 0;
  for (const int n : {0, 1, 2, 9, 50, 100}) {
    const auto run = [&](const Family& family) {
      const int sets = counts[next++ % 5];
      CAPTURE(family.name);
      CAPTURE(n);
      CAPTURE(sets);
      Random random(static_cast<unsigned>(n) + 5);
      Graph g{0, {}};
      if (n > 0) g = family.make(random, n);
      g.n = n;
      const auto direction = next % 3 == 2 ? Direction::undirected : Direction::directed;
      if (n == 50)
        on_each_level([&] { check_sets<T>(random, g, sets, direction); });
      else
        check_sets<T>(random, g, sets, direction);
    };
    for (const Family& family : families) run(family);
    for (const Family& family : sparse_families) run(family);
  }
}

TEST_CASE_TEMPLATE("every set over a semiring", S, blockfw::MaxMin<std::int32_t>, blockfw::MinMax<double>,
                   blockfw::MaxTimes<double>, blockfw::MaxPlus<std::int32_t>, SlotTimes) {
  using T = typename S::value_type;
  Random random(8);
  for (const auto direction : {Direction::directed, Direction::undirected})
    for (Graph g : {grid(random, 100), tree(random, 70), attached(random, 50), scattered(random, 40, 120, 0, 9)}) {
      if constexpr (std::is_same_v<S, blockfw::MaxPlus<T>>) {  // (longest paths need a graph without cycles)
        std::erase_if(g.edges, [](const auto& e) { return e.from >= e.to; });
        if (direction == Direction::undirected) continue;
      }
      auto edges = edges_over<S>(g);
      if constexpr (std::is_same_v<S, SlotTimes>)
        for (auto& e : edges) e.weight = S::of(uniform(random, 0, 63));
      const blockfw::Network<S> network(Host(), g.n, edges, {.direction = direction});
      const auto weights = matrix<T>(19, edges.size());
      std::vector<HostMatrix<T>> all;
      for (std::size_t h = 0; h < weights.extent(0); ++h) {
        auto mine = edges;
        for (std::size_t e = 0; e < edges.size(); ++e)
          weights(h, e) = mine[e].weight = (e + h) % 7 == 0 ? S::zero() : edges[(e + h) % edges.size()].weight;
        all.push_back(distances_over<S>(g.n, mine, direction));
      }
      const blockfw::WeightSets sets(network, weights);
      const auto expected = [&](std::size_t h, int i, int j) { return all[h](i, j); };
      on_each_level([&] { CHECK(wrong_answers(random, sets, g.n, expected) == 0); });
    }
}

TEST_CASE("a larger network, and fronts that all threads share") {
  Random random(3);
  for (const Graph& g : {grid(random, 2500), scattered(random, 1500, 4500, 1, 300)}) {
    const RandomSets<std::int32_t> given(random, g, 20);
    const Net<std::int32_t> network(Host(), g.n, edges_of<std::int32_t>(g));
    const Sets<std::int32_t> sets(network, given.weights);
    const Vertices from = some(random, g.n, 5), to = every(g.n);
    const auto tables = sets.table(from, to);
    int wrong = 0;
    for (std::size_t h = 0; h < given.graphs.size(); ++h) {
      const auto out = oracle::adjacency(given.graphs[h]);
      for (std::size_t i = 0; i < from.size(); ++i) {
        const auto there = oracle::dijkstra(out, from[i]);
        for (std::size_t j = 0; j < to.size(); ++j)
          wrong +=
              tables(h, i, j) != (there[j] == oracle::unreachable<std::int64_t> ? blockfw::infinity<std::int32_t>
                                                                                : static_cast<std::int32_t>(there[j]));
      }
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("sums that are not known to fit: eliminated in 64 bits; a path that does not fit is refused") {
  const auto edges = streets<std::int16_t>(20);
  const Net<std::int16_t> network(Host(), 400, edges, {.direction = Direction::undirected});
  const auto weights = matrix<std::int16_t>(40, edges.size());
  for (std::size_t h = 0; h < 40; ++h)
    for (std::size_t e = 0; e < edges.size(); ++e) weights(h, e) = static_cast<std::int16_t>(100 - h);
  CHECK_FALSE(blockfw::sums_fit<std::int16_t>(400, {61, 61}));
  Random random(4);
  const auto expected = [](std::size_t h, int i, int j) {
    return (100 - static_cast<int>(h)) * (std::abs(i / 20 - j / 20) + std::abs(i % 20 - j % 20));
  };
  CHECK(wrong_answers(random, Sets<std::int16_t>(network, weights), 400, expected) == 0);
  for (std::size_t e = 0; e < edges.size(); ++e) weights(33, e) = 440;  // 38 edges of 440 reach infinity<int16>, 16383
  CHECK_THROWS_WITH_AS(Sets<std::int16_t>(network, weights),
                       doctest::Contains("set 33 of the weights: weights up to 440"), blockfw::OverflowRisk);
}

TEST_CASE("undirected sets fit where the network of each set does, also by its closer look at the lengths") {
  const auto edges = streets<std::int16_t>(20);
  const Net<std::int16_t> network(Host(), 400, edges, {.direction = Direction::undirected});
  const auto weights = matrix<std::int16_t>(2, edges.size());
  Random random(7);
  for (std::int16_t longest = 100; longest < 440; longest = static_cast<std::int16_t>(longest + 10)) {
    for (std::size_t e = 0; e < edges.size(); ++e) weights(0, e) = 1, weights(1, e) = longest;
    bool fits = true;
    try {
      (void)network.with_weights(std::vector<std::int16_t>(edges.size(), longest));
    } catch (const blockfw::OverflowRisk&) {
      fits = false;
    }
    CAPTURE(longest);
    if (!fits) {
      CHECK_THROWS_AS(Sets<std::int16_t>(network, weights), blockfw::OverflowRisk);
      continue;
    }
    const auto expected = [&](std::size_t h, int i, int j) {
      return (h == 0 ? 1 : int{longest}) * (std::abs(i / 20 - j / 20) + std::abs(i % 20 - j % 20));
    };
    CHECK(wrong_answers(random, Sets<std::int16_t>(network, weights), 400, expected) == 0);
  }
}

TEST_CASE("sets are eliminated together, but for those that must be looked at by themselves") {
  using S = blockfw::MinPlus<std::int32_t>;
  const Edges<std::int32_t> ring = {{0, 1, 1}, {1, 2, 2}, {2, 0, 3}};
  const auto neighbours = blockfw::detail::neighbours_of(3, ring);
  const auto structure =
      blockfw::detail::find_supernodes(neighbours, *blockfw::detail::minimum_degree_order(neighbours),
                                       blockfw::Purpose::tables, std::numeric_limits<std::int32_t>::max());
  const auto plan = std::make_shared<const blockfw::detail::ArcPlan>(blockfw::detail::plan_arcs<S>(
      Host(), structure, std::span<const blockfw::Edge<std::int32_t>>(ring), Direction::directed, false));
  const auto together = [&](std::int32_t weight, bool strict) {
    auto other = ring;
    other[1].weight = weight;
    const std::vector<Edges<std::int32_t>> sets = {ring, other};
    std::vector<blockfw::WeightRange<std::int32_t>> ranges;
    for (const auto& edges : sets)
      ranges.push_back(blockfw::detail::range_of<S>(std::span<const blockfw::Edge<std::int32_t>>(edges), true));
    return blockfw::detail::factorise_together<S>(Host(), structure, plan, std::span<const Edges<std::int32_t>>(sets),
                                                  std::span<const blockfw::WeightRange<std::int32_t>>(ranges),
                                                  {.strict_cycles = strict})
        .has_value();
  };
  CHECK(together(7, false));
  CHECK(together(-4, false));
  CHECK(together(7, true));
  CHECK_FALSE(together(-5, false));
}

TEST_CASE("sets that are looked at one by one: negative weights beside sums that need 64 bits") {
  constexpr std::int32_t large = 1 << 29, far = blockfw::infinity<std::int32_t>;
  const Net<std::int32_t> network(Host(), 3, Edges<std::int32_t>{{0, 1, 1}, {0, 1, 1}, {1, 2, 1}});
  const auto weights = matrix<std::int32_t>(3, 3);
  const std::int32_t given[3][3] = {{-5, 3, 4}, {large, large, 5}, {far, 7, far}};
  for (std::size_t h = 0; h < 3; ++h)
    for (std::size_t e = 0; e < 3; ++e) weights(h, e) = given[h][e];
  const std::int32_t distances[3][3] = {{-5, 4, -1}, {large, 5, large + 5}, {7, far, far}};
  const auto expected = [&](std::size_t h, int i, int j) {
    return i == j ? 0 : i > j ? far : distances[h][i == 1 ? 1 : j == 1 ? 0 : 2];
  };
  Random random(5);
  CHECK(wrong_answers(random, Sets<std::int32_t>(network, weights), 3, expected) == 0);
}

TEST_CASE_TEMPLATE("floats that round: as the network of each set, by both rules of cycles", T, float, double) {
  Random random(6);
  const int n = 60, count = 3;
  Edges<T> edges;
  const auto weights = matrix<T>(count, 3 * static_cast<std::size_t>(n));
  for (int v = 0; v < n; ++v) {
    edges.push_back({v, (v + 1) % n, T(1)});
    edges.push_back({(v + 1) % n, v, T(1)});
    edges.push_back({v, uniform(random, 0, n - 1), T(1)});
  }
  for (std::size_t h = 0; h < weights.extent(0); ++h) {
    std::vector<T> potential;
    for (int v = 0; v < n; ++v) potential.push_back(static_cast<T>(uniform(random, -9000, 9000)) / T(7));
    for (std::size_t e = 0; e < edges.size(); ++e) {  // (cycles of length 0, except for rounding)
      const T more = e % 3 < 2 ? T(0) : static_cast<T>(uniform(random, 1, 50)) / T(3);
      weights(h, e) =
          more + potential[static_cast<std::size_t>(edges[e].from)] - potential[static_cast<std::size_t>(edges[e].to)];
    }
  }
  const Vertices all = every(n);
  const T near = 3000 * std::numeric_limits<T>::epsilon() * 60;
  for (const bool strict : {false, true}) {
    const Net<T> network(Host(), n, edges, {.strict_cycles = strict});
    std::vector<blockfw::DistanceMatrix<T, Host>> expected;
    bool negative = false;
    for (std::size_t h = 0; h < weights.extent(0) && !negative; ++h) try {
        const std::vector<T> mine(&weights(h, 0), &weights(h, 0) + edges.size());
        expected.push_back(network.with_weights(mine).table(all, all));
      } catch (const blockfw::NegativeCycle&) {
        negative = true;
      }
    if (negative) {
      CHECK_THROWS_AS(Sets<T>(network, weights), blockfw::NegativeCycle);
      continue;
    }
    const Sets<T> sets(network, weights);
    const auto tables = sets.table(all, all);
    const auto pairs = sets.distances(all, all);
    int wrong = 0;
    for (std::size_t h = 0; h < expected.size(); ++h)
      for (std::size_t i = 0; i < all.size(); ++i) {
        wrong += tables(h, i, i) != T(0) || pairs(h, i) != T(0);
        for (std::size_t j = 0; j < all.size(); ++j) wrong += !(std::abs(tables(h, i, j) - expected[h](i, j)) <= near);
      }
    CHECK(wrong == 0);
  }
}

TEST_CASE("forms of weights, another instance, copies, no sets") {
  const Net<double> network(Host(), 3, Edges<double>{{0, 1, 3}, {1, 2, 5}});
  const Kokkos::View<float**, Kokkos::LayoutLeft, Kokkos::HostSpace> weights("weights", 2, 2);
  weights(0, 0) = 1, weights(0, 1) = 2, weights(1, 0) = 3, weights(1, 1) = blockfw::infinity<float>;
  blockfw::WeightSets sets(network, weights);
  const auto copy = sets;
  if (Host().concurrency() > 1) {
    const auto parts = Kokkos::Experimental::partition_space(Host(), 1, 1);
    sets.run_on(parts[0]);
  }
  for (const auto& asked : {sets, copy}) {
    const Sets<double>::Tables d("d", 2, 1, 2);
    asked.table(Vertices{0}, Vertices{2, 1}, d);
    CHECK(d(0, 0, 0) == 3);
    CHECK(d(0, 0, 1) == 1);
    CHECK(d(1, 0, 0) == blockfw::infinity<double>);
    CHECK(d(1, 0, 1) == 3);
  }
  const Sets<double> none(network, matrix<double>(0, 2));
  CHECK(none.sets() == 0);
  CHECK(none.table(Vertices{0}, Vertices{1, 2}).extent(2) == 2);
  CHECK(none.distances(Vertices{0}, Vertices{1}).extent(0) == 0);
}

TEST_CASE("errors name the problem, the set, and what was expected") {
  using blockfw::InvalidInput;
  const Net<std::int32_t> network(Host(), 3, Edges<std::int32_t>{{0, 1, 3}, {1, 2, 5}});
  const auto weights = matrix<std::int32_t>(2, 2);
  const Sets<std::int32_t> sets(network, weights);
  const auto refuses = [](const auto& call, const char* message) {
    CHECK_THROWS_WITH_AS(call(), message, InvalidInput);
  };
  refuses([&] { sets.table(Vertices{0, 3}, Vertices{1}); }, "vertex 3 is out of range, expected 0 to 2");
  refuses([&] { sets.distances(Vertices{0}, Vertices{-1}); }, "vertex -1 is out of range, expected 0 to 2");
  refuses([&] { sets.distances(Vertices{0, 1}, Vertices{2}); },
          "there are 2 sources and 1 targets, expected as many of each");
  refuses([&] { sets.table(Vertices{0, 1}, Vertices{2}, Sets<std::int32_t>::Tables("d", 1, 2, 1)); },
          "the tables 'd' are of 1 x 2 x 1 entries, expected 2 x 2 x 1");
  refuses([&] { Sets<std::int32_t>(network, matrix<std::int32_t>(2, 3)); },
          "there are 3 weights in each set, expected 2, one for each edge");
  const Net<double> of_floats(Host(), 2, Edges<double>{{0, 1, 1.}});
  const auto none = matrix<double>(20, 1);
  none(17, 0) = std::nan("");
  CHECK_THROWS_WITH_AS(Sets<double>(of_floats, none),
                       doctest::Contains("set 17 of the weights: edge 0: the weight is NaN"), blockfw::InvalidEdge);
  weights(1, 0) = weights(1, 1) = 1 << 29;
  CHECK_THROWS_WITH_AS(Sets<std::int32_t>(network, weights), doctest::Contains("set 1 of the weights: weights up to"),
                       blockfw::OverflowRisk);

  const Net<std::int32_t> both_ways(Host(), 3, Edges<std::int32_t>{{0, 1, 3}, {2, 1, 5}},
                                    {.direction = Direction::undirected});
  weights(0, 0) = 4, weights(0, 1) = 1, weights(1, 0) = 2, weights(1, 1) = -1;
  try {
    Sets<std::int32_t>(both_ways, weights);
    FAIL_CHECK("a negative cycle was expected");
  } catch (const blockfw::NegativeCycle& error) {
    CHECK(error.vertex == 1);
    CHECK(error.other == 2);
    CHECK(std::string(error.what()).starts_with("set 1 of the weights: negative cycle: the edge between 1 and 2 is"));
  }
  const blockfw::Network<blockfw::MaxPlus<std::int32_t>> ring(Host(), 2, Edges<std::int32_t>{{0, 1, -3}, {1, 0, 1}});
  CHECK_THROWS_WITH_AS(blockfw::WeightSets(ring, weights),
                       doctest::Contains("set 0 of the weights: divergent cycle: vertex"), blockfw::DivergentCycle);

  // Sets that do not fit the memory are refused.
  const Kokkos::View<const std::int32_t**, Kokkos::LayoutRight, Kokkos::HostSpace> endless(weights.data(),
                                                                                           std::size_t{1} << 40, 2);
  CHECK_THROWS_AS(Sets<std::int32_t>(network, endless), blockfw::OutOfMemory);
  const Vertices many(std::size_t{1} << 20, 0);
  CHECK_THROWS_AS(sets.table(many, many), blockfw::OutOfMemory);
}
