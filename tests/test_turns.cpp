// SPDX-License-Identifier: MIT
// Networks of roads with turns, against Bellman-Ford from road to road: forbidden turns, costs, rules of U-turns,
// places on roads, other semirings, new weights, errors.
#include "folder.hpp"
#include "graphs.hpp"
#include "roads.hpp"

#include "blockfw/edge_loads.hpp"
#include "blockfw/group_sums.hpp"
#include "blockfw/io/network_file.hpp"
#include "blockfw/measures.hpp"
#include "blockfw/network_factor.hpp"
#include "blockfw/turns.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace {

template <class S, class View>
int wrong_entries(const View& found, const Algebra& algebra, const std::vector<std::vector<double>>& expected,
                  const Vertices& sources, const Vertices& targets) {
  int wrong = found.extent(0) != sources.size() || found.extent(1) != targets.size();
  for (std::size_t i = 0; i < sources.size(); ++i)
    for (std::size_t j = 0; j < targets.size(); ++j)
      wrong += found(i, j) != in_type<S>(algebra, expected[std::size_t(sources[i])][std::size_t(targets[j])]);
  return wrong;
}

/// Checks that the roads of every path meet by allowed turns, and that the length of the path is the distance.
template <class S>
int wrong_paths(const blockfw::RoadNetwork<S>& network, const Algebra& algebra, const Walks& walks,
                const std::vector<std::vector<double>>& all, const Vertices& from, const Vertices& to) {
  const auto paths = network.path_roads(from, to);
  int wrong = paths.first.size() != from.size() + 1;
  for (std::size_t p = 0; p < from.size(); ++p) {
    const auto begin = paths.roads.begin() + paths.first[p], end = paths.roads.begin() + paths.first[p + 1];
    const std::span roads(begin, end);
    const double expected = all[std::size_t(from[p])][std::size_t(to[p])];
    if (roads.empty()) {
      wrong += expected != (from[p] == to[p] ? algebra.one : algebra.zero);
      continue;
    }
    wrong += walks.road(roads.front()).from != from[p] || walks.road(roads.back()).to != to[p];
    double length = walks.road(roads.front()).weight;
    for (std::size_t r = 1; r < roads.size(); ++r) {
      wrong += walks.road(roads[r - 1]).to != walks.road(roads[r]).from;
      length = walks.times(length, walks.times(walks.cost(roads[r - 1], roads[r]), walks.road(roads[r]).weight));
    }
    wrong += length != expected;
  }
  return wrong;
}

/// Checks that the edges of paths are those of their roads, and that the loads of edges are sums along the paths.
template <class S>
int wrong_loads(Random& random, const blockfw::RoadNetwork<S>& network, const Vertices& from, const Vertices& to) {
  const auto paths = network.path_roads(from, to);
  const auto found = network.path_edges(from, to);
  const auto edges = network.edge_count();
  int wrong = found.first != paths.first || found.edges.size() != paths.roads.size() ||
              edges != static_cast<std::int64_t>(network.edges().size());
  blockfw::EdgeLoads expected{std::vector<double>(static_cast<std::size_t>(edges)), 0};
  std::vector<int> demand;
  for (std::size_t p = 0; p < from.size(); ++p) {
    demand.push_back(uniform(random, 0, 9));
    if (paths.first[p] == paths.first[p + 1] && from[p] != to[p]) expected.unserved += demand[p];
    for (auto e = std::size_t(paths.first[p]); e < std::size_t(paths.first[p + 1]); ++e) {
      wrong += found.edges[e] != paths.roads[e] % edges;
      expected.loads[std::size_t(found.edges[e])] += demand[p];
    }
  }
  const auto loads = blockfw::edge_loads(network, from, to, demand);
  return wrong + (loads.loads != expected.loads) + (loads.unserved != expected.unserved);
}

/// The rows of `count` sources that call(f) gives to f, block by block.
template <class T, class Call>
HostMatrix<T> gathered(std::size_t count, std::size_t columns, const Call& call) {
  const HostMatrix<T> all("rows", count, columns);
  std::int64_t next = 0;
  call([&](std::int64_t first, const auto& rows) {
    CHECK(first == next);
    REQUIRE(rows.extent(1) == columns);
    for (std::size_t r = 0; r < rows.extent(0); ++r)
      for (std::size_t v = 0; v < columns; ++v) all(static_cast<std::size_t>(first) + r, v) = rows(r, v);
    next += rows.extent_int(0);
  });
  CHECK(next == static_cast<std::int64_t>(count));
  return all;
}

/// Checks rows, block by block.
template <class S>
int wrong_rows(const blockfw::RoadNetwork<S>& network, const Algebra& algebra,
               const std::vector<std::vector<double>>& all, const Vertices& some, const Vertices& others) {
  using T = typename S::value_type;
  const Vertices whole = every(static_cast<int>(all.size()));
  int wrong = 0;
  constexpr std::int64_t rows_at_once[] = {0, 2};
  for (const std::int64_t at_once : rows_at_once) {
    const auto table = gathered<T>(some.size(), others.size(), [&](const auto& f) {
      network.for_rows_of_table(some, network.to_vertices(others), f, at_once);
    });
    wrong += wrong_entries<S>(table, algebra, all, some, others);
    const auto rows =
        gathered<T>(whole.size(), whole.size(), [&](const auto& f) { network.for_whole_rows(f, at_once); });
    wrong += wrong_entries<S>(rows, algebra, all, whole, whole);
    const auto of_points = gathered<T>(some.size(), whole.size(), [&](const auto& f) {
      network.for_whole_rows(network.from_vertices(some), f, at_once);
    });
    wrong += wrong_entries<S>(of_points, algebra, all, some, whole);
  }
  return wrong;
}

/// Checks summaries of all distances: reach, histograms, sums by group.
template <class T>
void check_summaries(Random& random, const blockfw::RoadNetwork<blockfw::MinPlus<T>>& network,
                     const std::vector<std::vector<double>>& all) {
  const std::size_t n = all.size();
  const auto distance = [&](std::size_t v, std::size_t w) { return in_type<blockfw::MinPlus<T>>(shortest, all[v][w]); };
  int wrong = 0;
  constexpr blockfw::Towards both[] = {blockfw::Towards::others, blockfw::Towards::itself};
  for (const blockfw::Towards towards : both) {
    const auto check = [&](const std::vector<blockfw::Reach<T>>& found) {
      REQUIRE(found.size() == n);
      for (std::size_t v = 0; v < n; ++v) {
        blockfw::Reach<T> expected;
        for (std::size_t w = 0; w < n; ++w)
          expected.see(static_cast<std::int64_t>(w),
                       towards == blockfw::Towards::others ? distance(v, w) : distance(w, v));
        wrong += found[v].vertices != expected.vertices || found[v].sum != expected.sum ||
                 found[v].farthest != expected.farthest || found[v].farthest_vertex != expected.farthest_vertex;
      }
    };
    std::int64_t done = 0;
    const auto see = [&](std::int64_t vertices, std::int64_t) { done = vertices; };
    check(network.reach(towards, see));
    CHECK(done == static_cast<std::int64_t>(n));
    // The same in several blocks of rows.
    check(blockfw::detail::reach_of_rows(network, Host(), towards == blockfw::Towards::others, see, 2));
    CHECK(done == static_cast<std::int64_t>(n));
  }
  CHECK(wrong == 0);

  std::vector<std::int32_t> group_of;
  for (std::size_t v = 0; v < n; ++v) group_of.push_back(uniform(random, 0, 2) - 1 < 0 ? blockfw::no_vertex : 1);
  const blockfw::VertexGroups groups(Host(), group_of, {.groups = 2});
  const T limit = 20;
  blockfw::DistanceHistogram<T> histogram(8, 4), expected(8, 4);
  network.for_whole_rows([&](std::int64_t first, const auto& rows) {
    histogram.add(Host(), first, rows);
    const auto sums = blockfw::group_sums(Host(), rows, groups, limit);
    for (std::size_t r = 0; r < rows.extent(0); ++r) {
      double reached = 0, sum = 0;
      for (std::size_t w = 0; w < n; ++w) {
        const T there = distance(static_cast<std::size_t>(first) + r, w);
        if (group_of[w] != 1 || there == blockfw::infinity<T> || there > limit) continue;
        ++reached;
        sum += static_cast<double>(there);
      }
      wrong += sums.reached(r, 0) != 0 || sums.reached(r, 1) != reached || sums.sum(r, 1) != sum;
    }
  });
  CHECK(wrong == 0);
  HostMatrix<T> d("d", n, n);
  for (std::size_t v = 0; v < n; ++v)
    for (std::size_t w = 0; w < n; ++w) d(v, w) = distance(v, w);
  expected.add(Host(), 0, d);
  CHECK(histogram.counts() == expected.counts());
  CHECK(histogram.negative() == expected.negative());
  CHECK(histogram.unreachable() == expected.unreachable());
}

/// \brief Counts the wrong ones of the two nearest places of some sources.
/// \param of  of(i, p) is the distance from source i to place p
template <class T, class Of>
int wrong_nearest(const blockfw::NearestPlaces<T>& found, std::size_t sources, std::size_t places, const Of& of) {
  int wrong = found.place.size() != 2 * sources || found.distance.size() != 2 * sources;
  for (std::size_t i = 0; wrong == 0 && i < sources; ++i) {
    std::vector<std::pair<T, std::int32_t>> expected;
    for (std::size_t p = 0; p < places; ++p)
      if (const T there = of(i, p); there < blockfw::infinity<T>)
        expected.push_back({there, static_cast<std::int32_t>(p)});
    std::sort(expected.begin(), expected.end());
    expected.resize(2, {blockfw::infinity<T>, blockfw::no_vertex});
    for (std::size_t k = 0; k < 2; ++k)
      wrong += found.distance[2 * i + k] != expected[k].first || found.place[2 * i + k] != expected[k].second;
  }
  return wrong;
}

/// \brief Counts the wrong answers about the vertices within limits of some sources.
/// \param n   the number of vertices
/// \param of  of(i, v) is the distance from source i to vertex v
template <class T, class Sources, class Of>
int wrong_within(const blockfw::RoadNetwork<blockfw::MinPlus<T>>& network, const Sources& from, std::size_t sources,
                 int n, const Of& of) {
  int wrong = 0;
  const auto check = [&](const blockfw::VerticesInReach<T>& found, const std::vector<T>& limit_of) {
    if (found.first.size() != sources + 1) return void(++wrong);
    for (std::size_t i = 0; i < sources; ++i) {
      Vertices vertices;
      std::vector<T> distances;
      for (std::int32_t v = 0; v < n; ++v)
        if (const T there = of(i, v); there < blockfw::infinity<T> && there <= limit_of[i]) {
          vertices.push_back(v);
          distances.push_back(there);
        }
      const auto first = found.first[i], end = found.first[i + 1];
      wrong += vertices != Vertices(found.vertices.begin() + first, found.vertices.begin() + end);
      wrong += distances != std::vector<T>(found.distances.begin() + first, found.distances.begin() + end);
    }
  };
  const std::vector<T> limits = {T(17), T(-1), std::numeric_limits<T>::max(), T(0)};
  const auto of_all = network.count_within(from, limits);
  if (of_all.size() != sources * limits.size()) return 1;
  std::vector<T> mine;  // a limit for each source
  for (std::size_t i = 0; i < sources; ++i) mine.push_back(limits[i % limits.size()]);
  check(network.within(from, mine), mine);
  for (std::size_t l = 0; l < limits.size(); ++l) {
    const auto found = network.within(from, limits[l]);
    check(found, std::vector<T>(sources, limits[l]));
    const auto counts = network.count_within(from, limits[l]);
    if (counts.size() != sources || found.first.size() != sources + 1) return wrong + 1;
    for (std::size_t i = 0; i < sources; ++i) {
      wrong += counts[i] != found.first[i + 1] - found.first[i];
      wrong += of_all[i * limits.size() + l] != counts[i];
    }
  }
  return wrong;
}

/// Checks all questions of shortest paths.
template <class T>
void check_all(Random& random, const blockfw::RoadNetwork<blockfw::MinPlus<T>>& network, const Case& c) {
  using S = blockfw::MinPlus<T>;
  const Walks walks(shortest, c);
  const auto all = walks.all();
  const Vertices whole = every(c.n);
  Vertices some, others;
  for (int i = 0; c.n > 0 && i < 9; ++i) {
    some.push_back(uniform(random, 0, c.n - 1));
    others.push_back(uniform(random, 0, c.n - 1));
  }
  CHECK(network.vertices() == c.n);
  CHECK(wrong_entries<S>(network.table(whole, whole), shortest, all, whole, whole) == 0);
  CHECK(wrong_entries<S>(network.distances_from(some), shortest, all, some, whole) == 0);
  const blockfw::DistanceMatrix<T, Host> given("given", some.size(), others.size());
  network.table(some, others, given);
  CHECK(wrong_entries<S>(given, shortest, all, some, others) == 0);
  CHECK(wrong_paths(network, shortest, walks, all, whole, whole) == 0);
  CHECK(wrong_rows(network, shortest, all, some, others) == 0);
  check_summaries<T>(random, network, all);
  CHECK(wrong_paths(network, shortest, walks, all, some, others) == 0);
  CHECK(wrong_loads(random, network, some, others) == 0);
  const auto distance = [&](std::int32_t v, std::int32_t w) {
    return in_type<S>(shortest, all[std::size_t(v)][std::size_t(w)]);
  };
  const auto pairs = network.distances(some, others);
  int wrong = pairs.size() != some.size();
  for (std::size_t p = 0; p < pairs.size(); ++p) wrong += pairs[p] != distance(some[p], others[p]);
  CHECK(wrong == 0);
  const auto to_other = [&](const Vertices& of) {
    return [&](std::size_t i, std::size_t p) { return distance(of[i], others[p]); };
  };
  CHECK(wrong_nearest<T>(network.nearest(others, 2), whole.size(), others.size(), to_other(whole)) == 0);
  CHECK(wrong_nearest<T>(network.nearest(some, others, 2), some.size(), others.size(), to_other(some)) == 0);
  const auto to_vertex = [&](std::size_t i, std::int32_t v) { return distance(some[i], v); };
  CHECK(wrong_within<T>(network, some, some.size(), c.n, to_vertex) == 0);
}

/// Compares points on edges and points with legs with the oracle: tables, the nearest of them, vertices within limits.
template <class T>
void check_points(Random& random, const blockfw::RoadNetwork<blockfw::MinPlus<T>>& network, const Case& c) {
  const Walks walks(shortest, c);
  const int m = static_cast<int>(c.edges.size()), count = 12;
  if (m == 0) return;
  std::vector<blockfw::PlaceOnEdge<T>> places;
  std::vector<std::vector<Start>> on(std::size_t{count});  // the places of each point, on roads
  std::set<Pair> taken;
  for (int i = 0; i < 16; ++i) {
    const int point = uniform(random, 0, count - 2), edge = uniform(random, 0, m - 1);
    const double weight = c.edges[std::size_t(edge)].weight;
    if (!taken.insert({point, edge}).second) continue;
    const int end = weight == shortest.zero ? 5 : static_cast<int>(weight);
    const int position = uniform(random, std::min(0, end), std::max(0, end));
    places.push_back({point, edge, static_cast<T>(position)});
    if (weight == shortest.zero) continue;
    on[std::size_t(point)].push_back({edge, double(position)});
    if (c.direction == Direction::undirected) on[std::size_t(point)].push_back({edge + m, weight - position});
  }
  const auto points = blockfw::on_edges(network, count, places);
  CHECK(points.from.points() == count);
  const Vertices whole = every(c.n);
  const auto table = network.table(points.from, points.to), from_vertices = network.table(whole, points.to),
             to_vertices = network.table(points.from, whole);
  const auto rows =
      gathered<T>(std::size_t{count}, whole.size(), [&](const auto& f) { network.for_whole_rows(points.from, f, 5); });
  int wrong = 0;
  const auto is_wrong = [](T found, double expected) {
    return found != in_type<blockfw::MinPlus<T>>(shortest, expected);
  };
  std::vector<std::vector<double>> from_vertex;
  for (int v = 0; v < c.n; ++v) from_vertex.push_back(walks.from_vertex(v));
  std::vector<std::vector<double>> to_points(count, std::vector<double>(count, shortest.zero)),
      to_all(count, std::vector<double>(whole.size(), shortest.zero));
  for (std::size_t i = 0; i < std::size_t{count}; ++i) {
    std::vector<std::vector<double>> lengths;
    for (const Start& start : on[i]) lengths.push_back(walks.from_place(start.road, start.position));
    for (std::size_t j = 0; j < std::size_t{count}; ++j) {
      double best = shortest.zero;
      for (const Start& end : on[j]) {
        for (const auto& length : lengths) walks.improve(best, walks.to_place(length, end.road, end.position));
        for (const Start& start : on[i])
          if (start.road == end.road && std::abs(start.position) <= std::abs(end.position))
            walks.improve(best, end.position - start.position);
      }
      wrong += is_wrong(table(i, j), to_points[i][j] = best);
    }
    for (std::size_t v = 0; v < whole.size(); ++v) {
      double there = shortest.zero, back = shortest.zero;
      for (const auto& length : lengths) walks.improve(there, walks.to_vertex(length, static_cast<int>(v)));
      for (const Start& end : on[i]) {
        walks.improve(back, walks.to_place(from_vertex[v], end.road, end.position));
        if (walks.road(end.road).from == static_cast<int>(v)) walks.improve(back, end.position);
      }
      wrong += is_wrong(to_vertices(i, v), to_all[i][v] = there) + is_wrong(rows(i, v), there) +
               is_wrong(from_vertices(v, i), back);
    }
  }
  CHECK(wrong == 0);
  const auto entry_of = [](const std::vector<std::vector<double>>& d) {
    return [&](std::size_t i, auto j) { return in_type<blockfw::MinPlus<T>>(shortest, d[i][std::size_t(j)]); };
  };
  CHECK(wrong_nearest<T>(network.nearest(points.from, points.to, 2), count, count, entry_of(to_points)) == 0);
  CHECK(wrong_within<T>(network, points.from, count, c.n, entry_of(to_all)) == 0);

  // Points with legs to vertices.
  std::vector<blockfw::Leg<T>> legs;
  for (int i = 0; i < 14; ++i)
    legs.push_back({uniform(random, 0, count - 2), uniform(random, 0, c.n - 1), static_cast<T>(uniform(random, 0, 9))});
  const auto all = walks.all();
  const auto leaving = network.from_legs(count, legs), arriving = network.to_legs(count, legs);
  const auto by_legs = network.table(leaving, arriving);
  to_points.assign(count, std::vector<double>(count, shortest.zero));
  to_all.assign(count, std::vector<double>(whole.size(), shortest.zero));
  for (const auto& a : legs) {
    const auto i = std::size_t(a.point);
    const auto& from = all[std::size_t(a.vertex)];
    for (std::size_t v = 0; v < whole.size(); ++v) walks.improve(to_all[i][v], walks.times(double(a.length), from[v]));
    for (const auto& b : legs)
      walks.improve(to_points[i][std::size_t(b.point)],
                    walks.times(walks.times(double(a.length), from[std::size_t(b.vertex)]), double(b.length)));
  }
  for (std::size_t i = 0; i < std::size_t{count}; ++i)
    for (std::size_t j = 0; j < std::size_t{count}; ++j) wrong += is_wrong(by_legs(i, j), to_points[i][j]);
  CHECK(wrong == 0);
  CHECK(wrong_nearest<T>(network.nearest(leaving, arriving, 2), count, count, entry_of(to_points)) == 0);
  CHECK(wrong_within<T>(network, leaving, count, c.n, entry_of(to_all)) == 0);
}

}  // namespace

TEST_CASE("a turn that is forbidden: the way round a block") {
  // Road a leads from 0 to 1, b from 1 to 2, c from 1 to 3, d from 3 to 1. The turn from a to b is forbidden.
  const std::vector<blockfw::Edge<int>> edges = {{0, 1, 10}, {1, 2, 10}, {1, 3, 5}, {3, 1, 5}};
  const std::vector<blockfw::Turn<int>> turns = {{0, 1, blockfw::infinity<int>}};
  const auto roads = blockfw::by_roads(Host(), 4, edges, turns);
  CHECK(roads.distances(Vertices{0, 1, 3, 0}, Vertices{2, 2, 2, 0}) == std::vector<int>{30, 10, 15, 0});
  CHECK(roads.path_roads(Vertices{0}, Vertices{2}).roads == Vertices{0, 2, 3, 1});
  CHECK(roads.network().vertices() == 5);  // (road a has an arrival of its own)
  CHECK(roads.network().edges().size() == 5);
  CHECK(blockfw::by_roads(Host(), 4, edges).distances(Vertices{0}, Vertices{2}).front() == 20);
  using Rules = blockfw::RoadOptions<int>;
  const auto by_rule = [&](const Rules& rules) {
    return blockfw::by_roads(Host(), 4, edges, turns, rules).distances(Vertices{0}, Vertices{2}).front();
  };
  CHECK(by_rule({.u_turns = UTurns::forbidden}) == blockfw::infinity<int>);
  CHECK(by_rule({.u_turns = UTurns::dead_ends}) == 30);
  CHECK(by_rule({.u_turns = UTurns::dead_ends, .u_turn_cost = 7}) == 37);
  CHECK(by_rule({.only = {{2, 3}, {0, 2}}}) == 30);
  CHECK(by_rule({.only = {{0, 1}}}) == blockfw::infinity<int>);  // (the turn is still forbidden)
  const auto undirected =
      blockfw::by_roads(Host(), 4, std::vector<blockfw::Edge<int>>{{0, 1, 10}, {1, 2, 10}, {1, 3, 5}}, turns,
                        {.direction = Direction::undirected});
  CHECK(undirected.distances(Vertices{0, 2}, Vertices{2, 0}) == std::vector<int>{30, 20});
  CHECK(undirected.path_roads(Vertices{0, 2}, Vertices{2, 0}).roads == Vertices{0, 2, 5, 1, 4, 3});
  CHECK(undirected.path_edges(Vertices{0, 2}, Vertices{2, 0}).edges == std::vector<std::int64_t>{0, 2, 2, 1, 1, 0});
  const auto loads = blockfw::edge_loads(undirected, Vertices{0, 2, 1}, Vertices{2, 0, 1}, std::vector<int>{4, 3, 9});
  CHECK(loads.loads == std::vector<double>{7, 7, 8});
  CHECK(loads.unserved == 0);
  const auto one_way = blockfw::edge_loads(roads, Vertices{0, 2}, Vertices{2, 3});
  CHECK(one_way.loads == std::vector<double>{1, 1, 1, 1});
  CHECK(one_way.unserved == 1);  // (no road leaves vertex 2)
  HostMatrix<double> table("demand", 2, 1);
  table(0, 0) = 2.5;
  table(1, 0) = 4;
  std::int64_t told = 0;
  const auto from_table = blockfw::edge_loads(roads, Vertices{3, 0}, Vertices{2}, table,
                                              [&](std::int64_t done, std::int64_t) { told = done; });
  CHECK(from_table.loads == std::vector<double>{4, 6.5, 4, 6.5});
  CHECK(told == 2);
}

TEST_CASE_TEMPLATE("every question, over random roads, turns and rules", T, ALL_TYPES) {
  using S = blockfw::MinPlus<T>;
  for (unsigned seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    Case c = random_case(random, uniform(random, 0, 8), shortest.zero);
    if (c.direction == Direction::directed && seed % 3 == 0) {  // negative weights, and no negative cycles
      const auto h = potentials(random, c.n);
      for (auto& e : c.edges) e.weight += h[std::size_t(e.from)] % 40 - h[std::size_t(e.to)] % 40;
    }
    if (seed % 5 > 0) add_turns(random, c, shortest, uniform(random, 1, 12), 10);
    c.u_turn = uniform(random, 0, 1) * uniform(random, 0, 9);
    auto network = network_of<S>(shortest, c);
    check_all<T>(random, network, c);
    check_points<T>(random, network, c);

    // All edges get other weights, then some edges do. The first change eliminates all supernodes, the next changes do
    // not.
    const bool negative = std::any_of(c.edges.begin(), c.edges.end(), [](const auto& e) { return e.weight < 0; });
    if (negative) continue;
    const auto other = [&](double& weight) {
      return weight = uniform(random, 0, 7) == 0 ? shortest.zero : double(uniform(random, 0, 20));
    };
    std::vector<T> weights;
    for (auto& e : c.edges) weights.push_back(in_type<S>(shortest, other(e.weight)));
    const auto before = network;
    network = network.with_weights(weights);
    check_all<T>(random, network, c);
    for (int round = 0; round < 3 && !c.edges.empty(); ++round) {
      std::vector<blockfw::Edge<T>> changes;
      for (int i = 0; i < 2; ++i) {
        const auto& e = c.edges[std::size_t(uniform(random, 0, static_cast<int>(c.edges.size()) - 1))];
        double weight = 0;
        changes.push_back({e.from, e.to, in_type<S>(shortest, other(weight))});
        const Pair there{e.from, e.to}, back{e.to, e.from};
        for (auto& mine : c.edges)
          if (const Pair ends{mine.from, mine.to};
              ends == there || (c.direction == Direction::undirected && ends == back))
            mine.weight = weight;
      }
      network.change(changes);
      check_all<T>(random, network, c);
    }
    check_points<T>(random, network, c);
    CHECK(before.roads().size() == network.roads().size());
  }
}

TEST_CASE("cycles by turns that are forbidden are none; others are found, with a vertex on them") {
  using S = blockfw::MinPlus<std::int32_t>;
  int bad = 0;
  for (unsigned seed = 0; seed < 80; ++seed) {
    CAPTURE(seed);
    Random random(seed + 1000);
    Case c = random_case(random, 6, shortest.zero);
    for (auto& e : c.edges) e.weight -= 3;
    add_turns(random, c, shortest, 2, 9);
    const Walks walks(shortest, c);
    if (walks.has_bad_cycle()) {
      ++bad;
      try {
        network_of<S>(shortest, c);
        FAIL("expected a negative cycle");
      } catch (const blockfw::NegativeCycle& cycle) {
        CHECK(walks.is_on_bad_cycle(cycle.vertex));
      }
    } else {
      check_all<std::int32_t>(random, network_of<S>(shortest, c), c);
    }
  }
  CHECK(bad > 5);
  CHECK(bad < 75);
}

TEST_CASE_TEMPLATE("other semirings", S, MaxMin<std::int32_t>, MinMax<double>, MaxTimes<double>,
                   MaxPlus<std::int32_t>) {
  using T = typename S::value_type;
  const double far = std::numeric_limits<double>::infinity();
  Algebra algebra{[](double a, double b) { return std::max(a, b); }, [](double a, double b) { return a + b; }, -far, 0};
  if constexpr (std::is_same_v<S, MaxMin<T>>)
    algebra = {[](double a, double b) { return std::max(a, b); }, [](double a, double b) { return std::min(a, b); },
               -far, far};
  if constexpr (std::is_same_v<S, MinMax<T>>)
    algebra = {[](double a, double b) { return std::min(a, b); }, [](double a, double b) { return std::max(a, b); },
               far, -far};
  if constexpr (std::is_same_v<S, MaxTimes<double>>)
    algebra = {[](double a, double b) { return std::max(a, b); }, [](double a, double b) { return a * b; }, 0, 1};
  for (unsigned seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    Random random(seed + 2000);
    Case c = random_case(random, uniform(random, 1, 9), algebra.zero);
    if constexpr (std::is_same_v<S, MaxPlus<T>>) {  // (longest paths need roads without cycles)
      c.direction = Direction::directed;
      std::erase_if(c.edges, [](const auto& e) { return e.from >= e.to; });
    }
    c.u_turn = algebra.one;
    add_turns(random, c, algebra, 3, 10);
    if constexpr (std::is_same_v<S, MaxTimes<double>>) {  // (products are exact)
      for (auto& e : c.edges) e.weight = e.weight == 0 ? 0 : std::ldexp(1., -static_cast<int>(e.weight) % 4);
      for (auto& turn : c.turns)
        turn.second = turn.second == 0 ? 0 : std::ldexp(1., -static_cast<int>(turn.second) % 3);
    }
    const auto network = network_of<S>(algebra, c);
    const Walks walks(algebra, c);
    const auto all = walks.all();
    const Vertices whole = every(c.n);
    CHECK(wrong_entries<S>(network.table(whole, whole), algebra, all, whole, whole) == 0);
    CHECK(wrong_rows(network, algebra, all, whole, whole) == 0);
    CHECK(wrong_paths(network, algebra, walks, all, whole, whole) == 0);
    const auto pairs = network.distances(whole, whole);
    for (std::size_t v = 0; v < whole.size(); ++v) CHECK(pairs[v] == in_type<S>(algebra, all[v][v]));
  }
}

TEST_CASE("without turns a network of roads is the plain one; both forms of an undirected edge are the same") {
  Random random(5);
  for (const int n : {0, 1, 5, 40}) {
    Graph g{n, {}};
    if (n > 0) g = scattered(random, n, 3 * n, 0, 50);
    const auto edges = edges_of<std::int32_t>(g);
    const auto roads = blockfw::by_roads(Host(), n, edges);
    CHECK(roads.network().vertices() == n);
    REQUIRE(roads.network().edges().size() == edges.size());
    for (std::size_t e = 0; e < edges.size(); ++e) {
      const auto& arc = roads.network().edges()[e];
      CHECK((arc.from == edges[e].from && arc.to == edges[e].to && arc.weight == edges[e].weight));
    }
    // (Without parallel edges, whose U-turns differ.)
    std::vector<blockfw::Edge<std::int32_t>> single, there_and_back;
    std::set<Pair> seen;
    for (const auto& e : edges)
      if (seen.insert(std::minmax(e.from, e.to)).second) single.push_back(e);
    there_and_back = single;
    for (const auto& e : single) there_and_back.push_back({e.to, e.from, e.weight});
    std::vector<blockfw::Turn<std::int32_t>> turns;
    for (std::int32_t r = 0; std::size_t(r) < there_and_back.size(); ++r)
      for (std::int32_t q = 0; std::size_t(q) < there_and_back.size(); ++q)
        if (there_and_back[std::size_t(r)].to == there_and_back[std::size_t(q)].from && uniform(random, 0, 4) == 0)
          turns.push_back({r, q, uniform(random, 0, 1) ? uniform(random, 0, 30) : blockfw::infinity<std::int32_t>});
    for (const auto rule : {UTurns::allowed, UTurns::forbidden, UTurns::dead_ends}) {
      const auto one =
                     blockfw::by_roads(Host(), n, single, turns, {.direction = Direction::undirected, .u_turns = rule}),
                 other = blockfw::by_roads(Host(), n, there_and_back, turns, {.u_turns = rule});
      const auto a = one.distances_from(every(n)), b = other.distances_from(every(n));
      for (std::size_t i = 0; i < a.extent(0); ++i)
        for (std::size_t j = 0; j < a.extent(1); ++j) CHECK(a(i, j) == b(i, j));
    }
  }
}

TEST_CASE("an order of elimination, progress, other instances, factors, and a network of a file") {
  using S = blockfw::MinPlus<std::int32_t>;
  Random random(9);
  Case c = random_case(random, 9, shortest.zero);
  c.u_turns = UTurns::dead_ends;
  add_turns(random, c, shortest, 4, 10);
  const auto edges = edges_in<S>(shortest, c);
  const auto turns = turns_of<S>(shortest, c);
  auto options = options_of<S>(shortest, c);
  options.order = every(c.n);
  std::reverse(options.order.begin(), options.order.end());
  std::int64_t calls = 0;
  options.progress = [&](std::int64_t, std::int64_t) { ++calls; };
  auto network = blockfw::by_roads(Host(), c.n, edges, turns, options);
  CHECK(calls > 0);
  network.run_on(Host());
  check_all<std::int32_t>(random, network, c);

  const Vertices whole = every(c.n);
  const auto d = network.table(whole, whole);
  const auto by_factor = blockfw::table(blockfw::factor_of(Host(), network.network()), network.from_vertices(whole),
                                        network.to_vertices(whole));
  for (std::size_t i = 0; i < d.extent(0); ++i)
    for (std::size_t j = 0; j < d.extent(1); ++j) CHECK(by_factor(i, j) == d(i, j));

  const Folder folder;
  blockfw::save_network(folder / "roads", network.network());
  const auto plain = blockfw::load_network<S>(Host(), folder / "roads");
  const auto same = options_of<S>(shortest, c);
  check_all<std::int32_t>(random, blockfw::RoadNetwork(plain, c.n, edges, turns, same), c);
  auto longer = edges;
  longer[0].weight = 33;
  CHECK_THROWS_WITH_AS(blockfw::RoadNetwork(plain, c.n, longer, turns, same),
                       doctest::Contains("has other roads or turns, expected that of these edges, turns and options"),
                       blockfw::InvalidInput);
  CHECK_THROWS_WITH_AS(blockfw::RoadNetwork(plain, c.n, edges, turns, options),
                       "the option order is set, which a network that is eliminated does not use",
                       blockfw::InvalidInput);
}

TEST_CASE("errors name the problem, the place and what was expected") {
  using Edges = std::vector<blockfw::Edge<std::int32_t>>;
  using Turns = std::vector<blockfw::Turn<std::int32_t>>;
  using Options = blockfw::RoadOptions<std::int32_t>;
  constexpr std::int32_t far = blockfw::infinity<std::int32_t>;
  const Edges path = {{0, 1, 3}, {1, 2, 5}};
  const auto refuses = [&](const Turns& turns, const Options& options, const char* message) {
    CHECK_THROWS_WITH_AS(blockfw::by_roads(Host(), 3, path, turns, options), message, blockfw::InvalidInput);
  };
  refuses({{0, 2, 1}}, {}, "turn 0: road 2 is out of range, expected 0 to 1");
  refuses({{0, 1, 1}, {-1, 0, 1}}, {}, "turn 1: road -1 is out of range, expected 0 to 1");
  refuses({{1, 0, 1}}, {}, "turn 0: road 1 ends at vertex 2, and road 0 begins at vertex 0, expected the same vertex");
  refuses({{0, 1, 1}, {0, 1, 4}}, {},
          "turn 1: from road 0 to road 1 at the cost 4, in turn 0 at the cost 1, expected one cost");
  refuses({}, {.only = {{0, 1}, {1, 1}}},
          "pair 1 of `only`: road 1 ends at vertex 2, and road 1 begins at vertex 1, expected the same vertex");
  refuses({}, {.u_turns = UTurns::forbidden, .u_turn_cost = 3},
          "the option u_turn_cost is set, which UTurns::forbidden does not use");
  refuses({}, {.order = {0, 1, 1}}, "the order of elimination has vertex 1 at place 2, expected each from 0 to 2 once");
  refuses({}, {.order = {0}}, "the order of elimination has 1 vertices, expected all 3");
  CHECK_THROWS_WITH_AS(blockfw::by_roads(Host(), 3, Edges{}, Turns{{0, 0, 1}}),
                       "turn 0: road 0 is out of range, there are no roads", blockfw::InvalidInput);
  CHECK_THROWS_WITH_AS(blockfw::by_roads(Host(), 3, Edges{{0, 3, 1}}),
                       "edge 0: vertex 3 is out of range, expected 0 to 2", blockfw::InvalidEdge);
  CHECK_THROWS_WITH_AS(blockfw::by_roads(Host(), -1, Edges{}), "the number of vertices is -1, expected 0 to 2^31 - 1",
                       blockfw::InvalidInput);
  const std::vector<blockfw::Edge<double>> reals = {{0, 1, 3}, {1, 2, 5}};
  const std::vector<blockfw::Turn<double>> no_number = {{0, 1, std::nan("")}};
  CHECK_THROWS_WITH_AS(blockfw::by_roads(Host(), 3, reals, no_number),
                       "turn 0: the cost is NaN, expected a number or infinity", blockfw::InvalidInput);
  CHECK_THROWS_AS(blockfw::by_roads(Host(), 3, path, Turns{{0, 1, far + 1}}), blockfw::OverflowRisk);
  CHECK_THROWS_AS(blockfw::by_roads(Host(), 3, path, Turns{{0, 1, -far}}), blockfw::OverflowRisk);
  CHECK_THROWS_WITH_AS(blockfw::by_roads(Host(), 3, path, Turns{{0, 1, far - 5}}),
                       doctest::Contains("the cost of a turn into road 1 and its length: the sum of 1073741818 and 5 "
                                         "reaches infinity, 1073741823, in int32"),
                       blockfw::OverflowRisk);
  CHECK_THROWS_AS(blockfw::by_roads(Host(), 3, Edges{{0, 1, far + 1}}), blockfw::OverflowRisk);
  CHECK_THROWS_AS(blockfw::by_roads(Host(), 3, Edges{{0, 1, far / 2 + 1}, {1, 2, far / 2 + 1}}), blockfw::OverflowRisk);
  CHECK_THROWS_AS(blockfw::by_roads<std::int64_t>(Host(), 2, Edges{{0, 1, -4}, {1, 0, 3}}), blockfw::NegativeCycle);

  auto roads = blockfw::by_roads(Host(), 3, path, Turns{{0, 1, 1}});
  const auto asks = [](const auto& call, const char* message) {
    CHECK_THROWS_WITH_AS(call(), message, blockfw::InvalidInput);
  };
  asks([&] { roads.table(Vertices{0, 3}, Vertices{1}); }, "vertex 3 is out of range, expected 0 to 2");
  asks([&] { roads.distances(Vertices{0, 1}, Vertices{1}); },
       "there are 2 sources and 1 targets, expected as many of each");
  asks([&] { roads.path_roads(Vertices{0, 1}, Vertices{1}); },
       "there are 2 sources and 1 targets, expected as many of each");
  asks([&] { blockfw::edge_loads(roads, Vertices{0, 3}, Vertices{1, 1}); },
       "vertex 3 is out of range, expected 0 to 2");
  asks([&] { blockfw::edge_loads(roads, Vertices{0}, Vertices{1}, std::vector<float>{-1}); },
       "the demand of pair 0 is -1.000000, expected a finite number of 0 or more");
  asks([&] { roads.nearest(Vertices{0}, 0); }, "the number of nearest places is 0, expected 1 or more");
  asks([&] { roads.within(Vertices{0, 1}, Vertices{5}); },
       "there are 2 sources and 1 limits, expected as many of each");
  asks([&] { roads.count_within(Vertices{0}, Vertices{}); }, "there are no limits, expected 1 or more");
  asks([&] { roads.with_weights(std::vector<std::int32_t>{1}); }, "there are 1 weights, expected 2, one for each edge");
  asks([&] { roads.change(Edges{{0, 2, 1}}); }, "edge 0: from 0 to 2, expected one of the network's edges");
  asks([&] { roads.change(Edges{{0, 1, 1}, {0, 2, 1}}); }, "edge 1: from 0 to 2, expected one of the network's edges");
  asks([&] { roads.change(Edges{{0, 9, 1}}); }, "edge 0: vertex 9 is out of range, expected 0 to 2");
  CHECK_THROWS_AS(roads.change(Edges{{0, 1, far - 1}, {1, 2, far - 1}}), blockfw::OverflowRisk);
  CHECK(roads.distances(Vertices{0}, Vertices{2}) == std::vector<std::int32_t>{9});  // (the distance before the change)
  using Places = std::vector<blockfw::PlaceOnEdge<std::int32_t>>;
  CHECK_THROWS_AS(blockfw::on_edges(roads, 1, Places{{0, 2, 0}}), blockfw::InvalidInput);
  CHECK_THROWS_AS(blockfw::on_edges(roads, 1, Places{{0, 0, 4}}), blockfw::InvalidInput);
  asks([&] { blockfw::table(roads.network(), roads.to_vertices(Vertices{0}), roads.to_vertices(Vertices{1})); },
       "the sources are points made as targets, expected points as sources");
  asks([&] { roads.distances(roads.from_vertices(Vertices{0}), roads.from_vertices(Vertices{1})); },
       "the targets are points made as sources, expected points as targets");
  const std::vector<blockfw::Turn<double>> small_costs = {{0, 1, 1e-9}, {0, 1, blockfw::infinity<double>}};
  CHECK_THROWS_WITH_AS(blockfw::by_roads(Host(), 3, reals, small_costs),
                       "turn 1: from road 0 to road 1 at the cost infinity, in turn 0 at the cost 1e-09, expected one "
                       "cost",
                       blockfw::InvalidInput);
}

TEST_CASE("places on the same undirected edge: the piece between them, as it is") {
  // (A float has no number between 1e8 and 1e8 - 4.)
  const std::vector<blockfw::Edge<float>> long_edge = {{0, 1, 1e8f}};
  const auto along = blockfw::by_roads(Host(), 2, long_edge, std::vector<blockfw::Turn<float>>(),
                                       {.direction = Direction::undirected, .u_turns = UTurns::dead_ends});
  const auto houses =
      blockfw::on_edges(along, 3, std::vector<blockfw::PlaceOnEdge<float>>{{0, 0, 1}, {1, 0, 2}, {2, 0, 3}});
  const auto d = along.table(houses.from, houses.to);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) CHECK(d(i, j) == static_cast<float>(std::abs(i - j)));
  // Without U-turns an undirected edge may be negative. Its pieces are then negative in both directions.
  const std::vector<blockfw::Edge<int>> falls = {{0, 1, 7}, {1, 2, -10}, {2, 3, 5}};
  const auto one_way = blockfw::by_roads(Host(), 4, falls, std::vector<blockfw::Turn<int>>(),
                                         {.direction = Direction::undirected, .u_turns = UTurns::forbidden});
  const auto places = blockfw::on_edges(one_way, 2, std::vector<blockfw::PlaceOnEdge<int>>{{0, 1, -2}, {1, 1, -9}});
  CHECK(one_way.distances(places.from, places.to) == std::vector<int>{0, 0});
  const auto between = one_way.table(places.from, places.to);
  CHECK(between(0, 1) == -7);
  CHECK(between(1, 0) == -7);
  CHECK(one_way.distances(places.from, one_way.to_vertices(Vertices{3, 3})) == std::vector<int>{-3, 4});
  CHECK(one_way.distances(one_way.from_vertices(Vertices{0, 3}), places.to) == std::vector<int>{5, 4});
}
