// SPDX-License-Identifier: MIT
// Second weights, and several sets of weights, of roads with turns. The oracles are pairs of sums from road to road,
// and walks in each set.
#include "graphs.hpp"
#include "roads.hpp"

#include "blockfw/end_points.hpp"
#include "blockfw/second_weights.hpp"
#include "blockfw/turns.hpp"
#include "blockfw/weight_sets.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using blockfw::SecondWeights;
template <class T>
using Roads = blockfw::RoadNetwork<blockfw::MinPlus<T>>;

/// Both sums of a walk. Comparing them compares the first; where these are equal, the second.
struct Both {
  double first = std::numeric_limits<double>::infinity(), second = 0;

  friend auto operator<=>(const Both&, const Both&) = default;
  Both operator+(const Both& other) const { return {first + other.first, second + other.second}; }
};

/// A place, or an end of a leg: a road, both weights of the road before it, and both behind it.
struct On {
  int road;
  Both before, behind;
};

/// The oracle: the best walks from road to road, computed directly from the definition.
class BothWalks {
 public:
  /// \param second  the second weights of the edges
  BothWalks(const Case& given, const std::vector<double>& second) : walks_(shortest, given), c_(given) {
    for (int r = 0; r < roads(); ++r) weight_.push_back({road(r).weight, second[std::size_t(r) % second.size()]});
    for (int r = 0; r < roads(); ++r)
      for (int q = 0; q < roads(); ++q)
        if (road(r).to == road(q).from)
          if (const double cost = walks_.cost(r, q); cost != shortest.zero) steps_.push_back({r, q, cost});
  }
  int roads() const { return walks_.roads(); }
  const blockfw::Edge<double>& road(int r) const { return walks_.road(r); }
  const Both& weight(int r) const { return weight_[std::size_t(r)]; }

  std::vector<Both> from_vertex(int v) const {
    std::vector<Both> best(weight_.size());
    for (int r = 0; r < roads(); ++r)
      if (road(r).from == v) best[std::size_t(r)] = weight(r);
    return extended(best);
  }
  std::vector<Both> from_place(const On& on) const {
    std::vector<Both> best(weight_.size());
    best[std::size_t(on.road)] = on.behind;
    return extended(best);
  }
  /// \param from  the vertex where the walk starts; -1: none
  Both to_vertex(const std::vector<Both>& best, int v, int from) const {
    Both found = from == v ? Both{0, 0} : Both();
    for (int r = 0; r < roads(); ++r)
      if (road(r).to == v) found = std::min(found, best[std::size_t(r)]);
    return found;
  }
  Both to_place(const std::vector<Both>& best, const On& on, int from) const {
    Both found = from == road(on.road).from ? on.before : Both();
    for (const Step& step : steps_)
      if (step.to == on.road) found = std::min(found, best[std::size_t(step.from)] + Both{step.cost, 0} + on.before);
    return found;
  }

 private:
  struct Step {
    int from, to;
    double cost;
  };

  std::vector<Both> extended(std::vector<Both> best) const {
    for (bool changed = true; changed;) {
      changed = false;
      for (const Step& step : steps_) {
        const Both more = best[std::size_t(step.from)] + Both{step.cost, 0} + weight(step.to);
        if (more.first == shortest.zero || !(more < best[std::size_t(step.to)])) continue;
        best[std::size_t(step.to)] = more;
        changed = true;
      }
    }
    return best;
  }

  Walks walks_;
  Case c_;
  std::vector<Both> weight_;
  std::vector<Step> steps_;
};

template <class Sum>
bool is_wrong(Sum found, const Both& expected) {
  if (expected.first == shortest.zero) return found != blockfw::infinity<Sum>;
  if constexpr (std::is_integral_v<Sum>)
    return found != static_cast<Sum>(expected.second);
  else
    return !(std::abs(found - expected.second) <= 1e-9 * (1 + std::abs(expected.second)));
}

/// The roads of a case at quarters: `quarters` of edge e lie before the place.
std::vector<On> at_quarters(const BothWalks& walks, const Case& c, int e, int quarters) {
  const auto part = [&](int r, int count) {
    return Both{walks.weight(r).first / 4 * count, walks.weight(r).second / 4 * count};
  };
  std::vector<On> on;
  if (c.edges[std::size_t(e)].weight == shortest.zero) return on;
  on.push_back({e, part(e, quarters), part(e, 4 - quarters)});
  const int back = e + static_cast<int>(c.edges.size());
  if (c.direction == Direction::undirected) on.push_back({back, part(back, 4 - quarters), part(back, quarters)});
  return on;
}

/// Checks all questions between vertices, points on edges, and points with legs.
template <class T, class Sum>
void check_along(Random& random, const Roads<T>& roads, const Case& c, const std::vector<Sum>& second) {
  const std::vector<double> as_doubles(second.begin(), second.end());
  const BothWalks walks(c, as_doubles);
  const SecondWeights sums(roads, second);
  CHECK(sums.vertices() == c.n);
  const Vertices whole = every(c.n);
  std::vector<std::vector<Both>> from_vertex;
  for (int v = 0; v < c.n; ++v) from_vertex.push_back(walks.from_vertex(v));
  const auto between = [&](int v, int w) { return walks.to_vertex(from_vertex[std::size_t(v)], w, v); };
  int wrong = 0;
  const auto compare = [&](const auto& table, std::size_t rows, std::size_t columns, const auto& expected) {
    wrong += table.extent(0) != rows || table.extent(1) != columns;
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < columns; ++j) wrong += is_wrong<Sum>(table(i, j), expected(int(i), int(j)));
  };
  const auto n = std::size_t(c.n);
  compare(sums.table(whole, whole), n, n, between);
  compare(sums.distances_from(whole), n, n, between);
  compare(sums.table(roads, roads.from_vertices(whole), roads.to_vertices(whole)), n, n, between);
  compare(sums.table(whole, Vertices{}), n, 0, between);
  Vertices some, others;
  for (int p = 0; p < 3 * c.n; ++p) {
    some.push_back(uniform(random, 0, c.n - 1));
    others.push_back(uniform(random, 0, c.n - 1));
  }
  const auto check_pairs = [&](const std::vector<Sum>& found) {
    wrong += found.size() != some.size();
    for (std::size_t p = 0; p < found.size(); ++p) wrong += is_wrong<Sum>(found[p], between(some[p], others[p]));
  };
  check_pairs(sums.distances(some, others));
  check_pairs(sums.distances(roads, roads.from_vertices(some), roads.to_vertices(others)));
  CHECK(wrong == 0);

  // Points on edges. Some points are on several edges. No place is on an edge of weight 0 with a second weight.
  constexpr int count = 9;
  const int m = static_cast<int>(c.edges.size());
  std::vector<blockfw::PlaceOnEdge<T>> places;
  std::vector<std::vector<On>> on(std::size_t{count});
  std::set<Pair> taken;
  for (int i = 0; i < 14 && m > 0; ++i) {
    const int point = uniform(random, 0, count - 2), edge = uniform(random, 0, m - 1), quarters = uniform(random, 0, 4);
    const double weight = c.edges[std::size_t(edge)].weight;
    if ((weight == 0 && second[std::size_t(edge)] != 0) || !taken.insert({point, edge}).second) continue;
    places.push_back({point, edge, weight == shortest.zero ? T(1) : static_cast<T>(weight / 4 * quarters)});
    const auto roads_there = at_quarters(walks, c, edge, quarters);
    on[std::size_t(point)].insert(on[std::size_t(point)].end(), roads_there.begin(), roads_there.end());
  }
  const auto points = blockfw::on_edges(roads, count, places);
  const auto of_points = [&](int i, int j) {
    Both best;
    for (const On& start : on[std::size_t(i)]) {
      const auto walk = walks.from_place(start);
      for (const On& end : on[std::size_t(j)]) {
        best = std::min(best, walks.to_place(walk, end, -1));
        if (start.road == end.road && std::abs(start.before.first) <= std::abs(end.before.first))
          best = std::min(best, Both{end.before.first - start.before.first, end.before.second - start.before.second});
      }
    }
    return best;
  };
  const auto to_points = [&](int v, int j) {
    Both best;
    for (const On& end : on[std::size_t(j)]) best = std::min(best, walks.to_place(from_vertex[std::size_t(v)], end, v));
    return best;
  };
  const auto from_points = [&](int i, int v) {
    Both best;
    for (const On& start : on[std::size_t(i)]) best = std::min(best, walks.to_vertex(walks.from_place(start), v, -1));
    return best;
  };
  compare(sums.table(roads, points.from, points.to), count, count, of_points);
  compare(sums.table(roads, roads.from_vertices(whole), points.to), n, count, to_points);
  compare(sums.table(roads, points.from, roads.to_vertices(whole)), count, n, from_points);
  const auto pairs = sums.distances(roads, points.from, points.to);
  for (int p = 0; p < count; ++p) wrong += is_wrong<Sum>(pairs[std::size_t(p)], of_points(p, p));
  CHECK(wrong == 0);

  // Points with legs, one of which leads nowhere.
  std::vector<blockfw::Leg<T>> legs;
  std::vector<double> of_legs;
  for (int i = 0; i < 12 && c.n > 0; ++i) {
    legs.push_back({uniform(random, 0, count - 2), uniform(random, 0, c.n - 1),
                    i == 5 ? blockfw::infinity<T> : static_cast<T>(uniform(random, 0, 9))});
    of_legs.push_back(i == 5 ? std::nan("") : uniform(random, 0, 30));
  }
  const auto by_legs = [&](int i, int j) {
    Both best;
    for (std::size_t a = 0; a < legs.size(); ++a)
      for (std::size_t b = 0; b < legs.size(); ++b)
        if (a != 5 && b != 5 && legs[a].point == i && legs[b].point == j)
          best = std::min(best, Both{double(legs[a].length), of_legs[a]} + between(legs[a].vertex, legs[b].vertex) +
                                    Both{double(legs[b].length), of_legs[b]});
    return best;
  };
  compare(sums.table(roads, roads.from_legs(count, legs, of_legs), roads.to_legs(count, legs, of_legs)), count, count,
          by_legs);
  CHECK(wrong == 0);
}

/// Second weights that tie often, or that are large; multiples of four.
template <class Sum>
std::vector<Sum> some_second(Random& random, std::size_t edges, int most) {
  std::vector<Sum> second;
  for (std::size_t e = 0; e < edges; ++e) second.push_back(static_cast<Sum>(4 * uniform(random, 0, most)));
  return second;
}

/// A case whose weights are small multiples of four, so that many walks tie.
Case case_with_ties(Random& random) {
  Case c = random_case(random, uniform(random, 1, 8), shortest.zero);
  for (auto& e : c.edges)
    if (e.weight != shortest.zero) e.weight = 4 * (static_cast<int>(e.weight) % 4);
  add_turns(random, c, shortest, uniform(random, 1, 8), 8);
  c.u_turn = uniform(random, 0, 1) * uniform(random, 0, 9);
  return c;
}

/// Sets of weights of a case, some of which are closed, and the distances in each.
template <class T>
struct RandomSets {
  HostMatrix<T> weights;
  std::vector<std::vector<std::vector<double>>> all;

  RandomSets(Random& random, Case c, int sets) : weights("weights", std::size_t(sets), c.edges.size()) {
    for (std::size_t h = 0; h < weights.extent(0); ++h) {
      for (std::size_t e = 0; e < c.edges.size(); ++e) {
        c.edges[e].weight = uniform(random, 0, 6) == 0 ? shortest.zero : double(uniform(random, 0, 30));
        weights(h, e) = in_type<blockfw::MinPlus<T>>(shortest, c.edges[e].weight);
      }
      all.push_back(Walks(shortest, c).all());
    }
  }
};

template <class T>
void check_sets(Random& random, const Roads<T>& roads, const Case& c, int count) {
  using S = blockfw::MinPlus<T>;
  const RandomSets<T> given(random, c, count);
  const blockfw::WeightSets sets(roads, given.weights);
  CHECK(sets.sets() == count);
  CHECK(sets.vertices() == c.n);
  Vertices some, others;
  for (int p = 0; p < 3 * c.n; ++p) {
    some.push_back(uniform(random, 0, c.n - 1));
    others.push_back(uniform(random, 0, c.n - 1));
  }
  const auto table = sets.table(some, others);
  const auto pairs = sets.distances(some, others);
  // Memory of the caller's, with gaps between the rows.
  using Tables = typename blockfw::WeightSets<S>::Tables;
  const Tables own("own", std::size_t(count), some.size(), others.size());
  sets.table(some, others, own);
  int wrong = table.extent(0) != std::size_t(count) || table.extent(1) != some.size() ||
              table.extent(2) != others.size() || pairs.extent(1) != some.size();
  for (std::size_t h = 0; h < std::size_t(count); ++h)
    for (std::size_t i = 0; i < some.size(); ++i) {
      const auto expected = [&](std::int32_t target) {
        return in_type<S>(shortest, given.all[h][std::size_t(some[i])][std::size_t(target)]);
      };
      wrong += pairs(h, i) != expected(others[i]);
      for (std::size_t j = 0; j < others.size(); ++j)
        wrong += table(h, i, j) != expected(others[j]) || own(h, i, j) != expected(others[j]);
    }
  CHECK(wrong == 0);
}

const std::vector<blockfw::Edge<int>> streets = {{0, 1, 10}, {1, 2, 10}, {1, 3, 5}, {3, 1, 5}};
const std::vector<blockfw::Turn<int>> not_straight = {{0, 1, blockfw::infinity<int>}};

HostMatrix<int> matrix(const std::vector<std::vector<int>>& rows) {
  const HostMatrix<int> m("weights", rows.size(), rows.front().size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < rows[i].size(); ++j) m(i, j) = rows[i][j];
  return m;
}

}  // namespace

TEST_CASE("known answers: the metres of the way round a block, and the hours of it") {
  const auto roads = blockfw::by_roads(Host(), 4, streets, not_straight);
  const SecondWeights metres(roads, std::vector<int>{1, 2, 3, 4});
  CHECK(metres.is_packed());
  CHECK(metres.table(Vertices{0}, Vertices{2})(0, 0) == 10);
  CHECK(metres.distances(Vertices{0, 1, 2, 2}, Vertices{2, 2, 0, 2}) ==
        std::vector<std::int64_t>{10, 2, blockfw::infinity<std::int64_t>, 0});
  const auto house = blockfw::on_edges(roads, 1, std::vector<blockfw::PlaceOnEdge<int>>{{0, 0, 5}});
  const SecondWeights reals(Kokkos::DefaultExecutionSpace(), roads, std::vector<double>{1, 2, 3, 4});
  CHECK(reals.distances(roads, house.from, roads.to_vertices(Vertices{2})) == std::vector<double>{9.5});
  CHECK(reals.distances(roads, roads.from_vertices(Vertices{0}), house.to) == std::vector<double>{0.5});
  // A turn with a cost has no second weight.
  const auto slow = blockfw::by_roads(Host(), 4, streets, std::vector<blockfw::Turn<int>>{{0, 1, 8}});
  CHECK(slow.distances(Vertices{0}, Vertices{2}) == std::vector<int>{28});
  CHECK(SecondWeights(slow, std::vector<int>{1, 2, 3, 4}).distances(Vertices{0}, Vertices{2}).front() == 3);
  // Two walks have the same length: by a turn of cost 10, or round the block. The walk with fewer metres is taken.
  const auto alike = blockfw::by_roads(Host(), 4, streets, std::vector<blockfw::Turn<int>>{{0, 1, 10}});
  const auto along = [&](const std::vector<int>& second) {
    return SecondWeights(alike, second).distances(Vertices{0}, Vertices{2}).front();
  };
  CHECK(along({1, 2, 3, 4}) == 3);
  CHECK(along({1, 2, -3, 2}) == 2);
  const blockfw::WeightSets hours(roads, matrix({{10, 10, 5, 5}, {10, 10, 5, 9}, {10, 10, blockfw::infinity<int>, 5}}));
  const auto tables = hours.table(Vertices{0}, Vertices{1, 2});
  CHECK(tables(0, 0, 1) == 30);
  CHECK(tables(1, 0, 1) == 34);
  CHECK(tables(2, 0, 1) == blockfw::infinity<int>);
  CHECK(tables(2, 0, 0) == 10);
  CHECK(hours.distances(Vertices{3}, Vertices{2})(1, 0) == 19);
}

TEST_CASE_TEMPLATE("second weights over random roads, turns and rules", T, std::int32_t, double) {
  using S = blockfw::MinPlus<T>;
  for (unsigned seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    Case c = case_with_ties(random);
    const auto check = [&](const auto& roads) {
      check_along<T>(random, roads, c, some_second<std::int64_t>(random, c.edges.size(), 5));
      check_along<T>(random, roads, c, some_second<double>(random, c.edges.size(), 5));
      auto large = some_second<std::int64_t>(random, c.edges.size(), 5);
      for (std::int64_t& weight : large) weight <<= 40;  // (weights this large are not packed)
      check_along<T>(random, roads, c, large);
    };
    auto roads = network_of<S>(shortest, c);
    check(roads);
    // The same after a change of parallel roads, whose turns may cost different amounts.
    if (c.edges.empty()) continue;
    for (int round = 0; round < 2; ++round) {
      const auto changed = c.edges[std::size_t(uniform(random, 0, static_cast<int>(c.edges.size()) - 1))];
      const double weight = 4 * uniform(random, 0, 3);
      for (auto& e : c.edges)
        if ((e.from == changed.from && e.to == changed.to) ||
            (c.direction == Direction::undirected && e.from == changed.to && e.to == changed.from))
          e.weight = weight;
      roads.change(std::vector<blockfw::Edge<T>>{{changed.from, changed.to, static_cast<T>(weight)}});
      check(roads);
    }
  }
}

TEST_CASE("parallel roads that one turn leads into at a cost: a change does not mix their second weights") {
  // Roads a, b lead from 1 to 2. The turn into b costs 5.
  const std::vector<blockfw::Edge<int>> edges = {{0, 1, 1}, {1, 2, 4}, {1, 2, 6}};
  auto roads = blockfw::by_roads(Host(), 3, edges, std::vector<blockfw::Turn<int>>{{0, 2, 5}});
  const auto metres = [&] {
    return SecondWeights(roads, std::vector<int>{1, 50, 2}).distances(Vertices{0, 1}, Vertices{2, 2});
  };
  CHECK(metres() == std::vector<std::int64_t>{51, 50});
  roads.change(std::vector<blockfw::Edge<int>>{{1, 2, 3}});
  CHECK(roads.distances(Vertices{0, 1}, Vertices{2, 2}) == std::vector<int>{4, 3});
  CHECK(metres() == std::vector<std::int64_t>{51, 2});  // (b is as short as a where no turn leads into it)
}

TEST_CASE_TEMPLATE("sets of weights over random roads, turns and rules", T, std::int16_t, std::int32_t, std::int64_t,
                   float, double) {
  using S = blockfw::MinPlus<T>;
  for (unsigned seed = 0; seed < 25; ++seed) {
    CAPTURE(seed);
    Random random(seed + 100);
    Case c = case_with_ties(random);
    check_sets<T>(random, network_of<S>(shortest, c), c, uniform(random, 0, 1) ? 3 : 19);
  }
}

TEST_CASE("errors name the caller's edges and vertices") {
  const auto refuses = [](const auto& call, const char* message) {
    CHECK_THROWS_WITH_AS(call(), message, blockfw::InvalidInput);
  };
  auto roads = blockfw::by_roads(Host(), 4, streets, not_straight);
  const SecondWeights metres(roads, std::vector<int>{1, 2, 3, 4});
  refuses([&] { SecondWeights(roads, std::vector<int>{1}); },
          "there are 1 second weights, expected 4, one for each edge");
  refuses([&] { SecondWeights(roads, std::vector<double>{1, 2, std::nan(""), 1}); },
          "the second weight of edge 2 is NaN, expected a finite number");
  refuses([&] { metres.table(Vertices{0}, Vertices{4}); }, "vertex 4 is out of range, expected 0 to 3");
  refuses([&] { metres.distances_from(Vertices{-1}); }, "vertex -1 is out of range, expected 0 to 3");
  refuses([&] { metres.distances(Vertices{0, 1}, Vertices{0}); },
          "there are 2 sources and 1 targets, expected as many of each");
  refuses(
      [&] {
        metres.table(roads, roads.from_legs(1, std::vector<blockfw::Leg<int>>{{0, 1, 5}}),
                     roads.to_vertices(Vertices{2}));
      },
      "point 0 has a leg without a second length, expected one, or a leg of length 0");
  refuses([&] { roads.to_legs(1, std::vector<blockfw::Leg<int>>{{0, 1, 5}}, std::vector<int>{1, 2}); },
          "there are 2 second lengths, expected 1, one for each leg");
  const auto places = std::vector<blockfw::PlaceOnEdge<int>>{{0, 0, 5}};
  const auto here = blockfw::on_edges(roads, 1, places);
  const auto before = roads;
  roads.change(std::vector<blockfw::Edge<int>>{{3, 1, 7}});
  const char* const changed =
      "the network is not the one that the second weights belong to, or its weights were changed";
  refuses([&] { metres.distances(roads, here.from, here.to); }, changed);
  const char* const of_another =
      "the points lie on edges of another network, or of other weights, expected points that this network made";
  refuses([&] { roads.table(here.from, here.to); }, of_another);
  refuses([&] { roads.within(here.from, 9); }, of_another);
  refuses([&] { SecondWeights(roads, std::vector<int>{1, 2, 3, 4}).table(roads, here.from, here.to); }, of_another);
  CHECK(before.table(here.from, here.to)(0, 0) == 0);
  CHECK(SecondWeights(before, std::vector<int>{2, 2, 3, 4})
            .distances(before, here.from, before.to_vertices(Vertices{1}))
            .front() == 1);

  // Undirected edge 1 is roads 1 and 3, at vertices that are parted.
  const std::vector<blockfw::Edge<double>> rounding = {{0, 1, 0.1}, {1, 2, 1e-30}};
  const auto both_ways = blockfw::by_roads(Host(), 3, rounding, std::vector<blockfw::Turn<double>>(),
                                           {.direction = Direction::undirected, .u_turns = UTurns::dead_ends});
  refuses([&] { SecondWeights(both_ways, std::vector<int>{1, -3}); },
          "the second weight of edge 1 is -3, expected 0 or more where sums of the first weights round, or first "
          "weights that are whole");
  const std::vector<blockfw::Edge<int>> ring = {{0, 1, 5}, {1, 2, 0}, {2, 1, 0}};
  const auto parted = blockfw::by_roads(Host(), 3, ring, std::vector<blockfw::Turn<int>>{{0, 1, 3}});
  try {
    SecondWeights(parted, std::vector<int>{0, 1, -2});
    FAIL("expected a cycle");
  } catch (const blockfw::InvalidInput& error) {
    const std::string message = error.what();
    CHECK((message.starts_with("vertex 1 can return to itself") || message.starts_with("vertex 2 can return to it")));
  }

  const auto sets = [&](const std::vector<std::vector<int>>& rows) {
    return blockfw::WeightSets(parted, matrix(rows));
  };
  refuses([&] { sets({{1, 2}}); }, "there are 2 weights in each set, expected 3, one for each edge");
  refuses([&] { sets({{1, 2, 3}}).table(Vertices{0}, Vertices{3}); }, "vertex 3 is out of range, expected 0 to 2");
  refuses([&] { sets({{1, 2, 3}}).distances(Vertices{0, 1}, Vertices{2}); },
          "there are 2 sources and 1 targets, expected as many of each");
  CHECK_THROWS_WITH_AS(sets({{1, 2, 3}, {1, 2, std::numeric_limits<int>::max()}}),
                       doctest::Contains("set 1 of the weights: edge 2"), blockfw::OverflowRisk);
  CHECK_THROWS_WITH_AS(sets({{1, 2, 3}, {1, blockfw::infinity<int> - 2, 3}}),
                       doctest::Contains("set 1 of the weights: the cost of a turn into road 1"),
                       blockfw::OverflowRisk);
  for (const int other : {1, 9}) try {
      sets({{1, 2, other}, {1, 2, -3}});
      FAIL("expected a negative cycle");
    } catch (const blockfw::NegativeCycle& cycle) {
      CHECK(std::string(cycle.what()).starts_with("set 1 of the weights: negative cycle: vertex "));
      CHECK((cycle.vertex == 1 || cycle.vertex == 2));
    }
}
