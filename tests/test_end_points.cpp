// SPDX-License-Identifier: MIT
// Points beside a network are compared with graphs that have a vertex for each place on an edge, and for each point
// with legs.
#include "graphs.hpp"
#include "sparse_graphs.hpp"

#include "blockfw/end_points.hpp"
#include "blockfw/network.hpp"
#include "blockfw/network_factor.hpp"
#include "blockfw/sparse.hpp"
#include "blockfw/turns.hpp"

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

using Host = Kokkos::DefaultHostExecutionSpace;
using Device = Kokkos::DefaultExecutionSpace;
using blockfw::Direction;
using blockfw::Edge;
using blockfw::EndPoints;
using blockfw::Leg;
using blockfw::MinPlus;
using blockfw::PlaceOnEdge;
template <class T>
using Net = blockfw::Network<MinPlus<T>>;
template <class T>
using Table = std::vector<std::vector<T>>;

/// The best paths of a graph that grows, by three loops.
template <class S>
class Expanded {
 public:
  using T = typename S::value_type;

  explicit Expanded(int n) {
    for (int v = 0; v < n; ++v) add_vertex();
  }
  int add_vertex() {
    for (auto& row : d_) row.push_back(S::zero());
    d_.emplace_back(d_.size() + 1, S::zero());
    d_.back().back() = S::one();
    return static_cast<int>(d_.size()) - 1;
  }
  void add_edge(int from, int to, T weight) { improve(at(from, to), weight, S::one()); }
  void close() {
    const int n = static_cast<int>(d_.size());
    for (int k = 0; k < n; ++k)
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) improve(at(i, j), at(i, k), at(k, j));
  }
  /// The best distance from any vertex of one list to any vertex of another list.
  T best(const std::vector<int>& from, const std::vector<int>& to) {
    T best = S::zero();
    for (const int i : from)
      for (const int j : to) improve(best, at(i, j), S::one());
    return best;
  }

 private:
  T& at(int i, int j) { return d_[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)]; }
  static void improve(T& c, T a, T b) {
    if (a != S::zero() && b != S::zero()) c = S::relax(c, a, b);
  }

  Table<T> d_;
};

/// The distances from some groups of vertices to others.
template <class S>
Table<typename S::value_type> expected_of(Expanded<S>& all, const std::vector<std::vector<int>>& from,
                                          const std::vector<std::vector<int>>& to) {
  Table<typename S::value_type> d;
  for (const auto& i : from) {
    d.emplace_back();
    for (const auto& j : to) d.back().push_back(all.best(i, j));
  }
  return d;
}

/// A group of one vertex for each vertex.
std::vector<std::vector<int>> single(int n) {
  std::vector<std::vector<int>> all;
  for (int v = 0; v < n; ++v) all.push_back({v});
  return all;
}
std::vector<std::int32_t> every(int n) {
  std::vector<std::int32_t> list;
  for (int v = 0; v < n; ++v) list.push_back(v);
  return list;
}

/// A graph whose edges are split by places, and the vertices of each point.
template <class T>
struct Split {
  Expanded<MinPlus<T>> all;
  std::vector<std::vector<int>> points;

  Split(int n, const std::vector<Edge<T>>& edges, Direction direction, int count, std::vector<PlaceOnEdge<T>> places)
      : all(n), points(static_cast<std::size_t>(count)) {
    const auto add = [&](int from, int to, T weight) {
      all.add_edge(from, to, weight);
      if (direction == Direction::undirected) all.add_edge(to, from, weight);
    };
    std::sort(places.begin(), places.end(), [](const auto& a, const auto& b) {
      return std::pair(a.edge, std::abs(double(a.position))) < std::pair(b.edge, std::abs(double(b.position)));
    });
    auto place = places.begin();
    for (std::size_t e = 0; e < edges.size(); ++e) {
      int before = edges[e].from;
      bool is_split = false;
      T reached = 0;
      for (; place != places.end() && place->edge == std::int64_t(e); ++place) {
        if (edges[e].weight == blockfw::infinity<T>) continue;
        if (!is_split || place->position != reached) {
          const int vertex = all.add_vertex();
          add(before, vertex, static_cast<T>(place->position - reached));
          before = vertex;
          reached = place->position;
          is_split = true;
        }
        points[static_cast<std::size_t>(place->point)].push_back(before);
      }
      add(before, edges[e].to, is_split ? static_cast<T>(edges[e].weight - reached) : edges[e].weight);
    }
    all.close();
  }
};

/// Some points with up to two places each.
template <class T>
std::vector<PlaceOnEdge<T>> some_places(Random& random, const std::vector<Edge<T>>& edges, int points) {
  std::vector<PlaceOnEdge<T>> places;
  for (int p = 0; p < points && !edges.empty(); ++p)
    for (int left = uniform(random, 0, 5), last = -1; left > 1; left -= 2) {
      const int e = uniform(random, 0, static_cast<int>(edges.size()) - 1);
      if (e == last) continue;
      last = e;
      const T weight = edges[static_cast<std::size_t>(e)].weight;
      const bool closed = weight == blockfw::infinity<T>;
      const auto quarters = static_cast<T>(uniform(random, 0, 4));
      // (For integers the position is any whole number within the weight. For floats the sums of these fractions are
      // exact.)
      T position = closed ? T(0) : static_cast<T>(weight * quarters / 4);
      if (std::is_integral_v<T> && !closed && quarters > 0 && quarters < 4)
        position = static_cast<T>(uniform(random, std::min(0, int(weight)), std::max(0, int(weight))));
      places.push_back({p, e, position});
    }
  std::shuffle(places.begin(), places.end(), random);
  return places;
}

template <class T, class Matrix>
int wrong_entries(const Matrix& d, const Table<T>& expected, std::size_t first = 0) {
  const auto there = readable(d);
  if (first + there.extent(0) > expected.size()) return 1;
  int wrong = 0;
  for (std::size_t i = 0; i < there.extent(0); ++i) {
    if (there.extent(1) != expected[first + i].size()) return 1;
    for (std::size_t j = 0; j < there.extent(1); ++j) wrong += there(i, j) != expected[first + i][j];
  }
  return wrong;
}

/// Checks tables, pairs and rows, over any semiring.
template <class Asked, class S, class T>
void check_tables(const Asked& asked, const EndPoints<S>& from, const EndPoints<S>& to, const Table<T>& expected,
                  const Table<T>& expected_rows) {
  const auto table = blockfw::table(asked, from, to);
  CHECK(table.extent(0) == expected.size());
  CHECK(wrong_entries(table, expected) == 0);
  const auto rows = blockfw::distances_from(asked, from);
  CHECK(rows.extent(0) == expected_rows.size());
  CHECK(wrong_entries(rows, expected_rows) == 0);
  for (const int at_once : {0, 1, 4}) {
    std::size_t next = 0, next_row = 0;
    int wrong = 0;
    blockfw::for_rows_of_table(
        asked, from, to,
        [&](std::int64_t first, const auto& block) {
          wrong += first != std::int64_t(next) || (at_once > 0 && block.extent_int(0) > at_once);
          wrong += wrong_entries(block, expected, next);
          next += block.extent(0);
        },
        at_once);
    blockfw::for_whole_rows(
        asked, from,
        [&](std::int64_t first, const auto& block) {
          wrong += first != std::int64_t(next_row);
          wrong += wrong_entries(block, expected_rows, next_row);
          next_row += block.extent(0);
        },
        at_once);
    CHECK(next == expected.size());
    CHECK(next_row == expected.size());
    CHECK(wrong == 0);
  }
  if (from.points() != to.points()) return;
  const auto pairs = blockfw::distances(asked, from, to);
  int wrong = pairs.size() != expected.size();
  for (std::size_t p = 0; p < pairs.size(); ++p) wrong += pairs[p] != expected[p][p];
  CHECK(wrong == 0);
}

/// The vertices within each point's limit, as the rows have them.
template <class T>
blockfw::VerticesInReach<T> expected_within(const Table<T>& rows, const std::vector<T>& limits) {
  blockfw::VerticesInReach<T> found;
  for (std::size_t p = 0; p < rows.size(); ++p) {
    const auto& row = rows[p];
    for (std::size_t v = 0; v < row.size(); ++v)
      if (row[v] < blockfw::infinity<T> && row[v] <= limits[p]) {
        found.vertices.push_back(static_cast<std::int32_t>(v));
        found.distances.push_back(row[v]);
      }
    found.first.push_back(static_cast<std::int64_t>(found.vertices.size()));
  }
  return found;
}

/// Checks nearest places and vertices within a limit, too.
template <class Asked, class T>
void check_shortest(const Asked& asked, const EndPoints<MinPlus<T>>& from, const EndPoints<MinPlus<T>>& to,
                    const Table<T>& expected, const Table<T>& expected_rows) {
  check_tables(asked, from, to, expected, expected_rows);
  for (const std::int64_t count : {1, 3}) {
    const auto nearest = blockfw::nearest(asked, from, to, count);
    std::size_t entry = 0;
    int wrong = nearest.place.size() != expected.size() * std::size_t(count);
    for (const auto& row : expected) {
      std::vector<std::pair<T, std::int32_t>> sorted;
      for (std::size_t j = 0; j < row.size(); ++j)
        if (row[j] < blockfw::infinity<T>) sorted.push_back({row[j], static_cast<std::int32_t>(j)});
      std::sort(sorted.begin(), sorted.end());
      sorted.resize(static_cast<std::size_t>(count), {blockfw::infinity<T>, blockfw::no_vertex});
      for (const auto& [distance, place] : sorted) {
        wrong += nearest.place[entry] != place || nearest.distance[entry] != distance;
        ++entry;
      }
    }
    CHECK(wrong == 0);
  }
  const std::vector<T> limits = {T(7), T(-3), std::numeric_limits<T>::max(), T(0), std::numeric_limits<T>::lowest(),
                                 T(40)};
  const std::size_t points = expected_rows.size();
  const auto check_lists = [&](const blockfw::VerticesInReach<T>& found, const std::vector<T>& limit_of) {
    const auto wanted = expected_within(expected_rows, limit_of);
    CHECK(found.first == wanted.first);
    CHECK(found.vertices == wanted.vertices);
    CHECK(found.distances == wanted.distances);
  };
  const auto of_all = blockfw::count_within(asked, from, limits);
  REQUIRE(of_all.size() == points * limits.size());
  std::vector<T> mine;  // a limit for each point
  for (std::size_t p = 0; p < points; ++p) mine.push_back(limits[p % limits.size()]);
  check_lists(blockfw::within(asked, from, mine), mine);
  for (std::size_t l = 0; l < limits.size(); ++l) {
    const std::vector<T> same(points, limits[l]);
    const auto wanted = expected_within(expected_rows, same);
    check_lists(blockfw::within(asked, from, limits[l]), same);
    const auto counts = blockfw::count_within(asked, from, limits[l]);
    REQUIRE(counts.size() == points);
    for (std::size_t p = 0; p < points; ++p) {
      CHECK(counts[p] == wanted.first[p + 1] - wanted.first[p]);
      CHECK(of_all[p * limits.size() + l] == counts[p]);
    }
  }
}

/// A network that makes a few rows at a time, so that points come in several groups.
template <class Network>
struct FewRows {
  const Network& network;

  std::int64_t vertices() const { return network.vertices(); }
  auto identity() const { return network.identity(); }
  auto exec() const { return network.exec(); }
  const auto& analysis() const { return network.analysis(); }
  std::size_t rows_at_once(std::size_t = 0) const { return 3; }
  template <class... A>
  void for_rows_of_table(const A&... a) const {
    network.for_rows_of_table(a...);
  }
  template <class... A>
  void distances_from(const A&... a) const {
    network.distances_from(a...);
  }
  template <class... A>
  auto within(const A&... a) const {
    return network.within(a...);
  }
};

template <class T>
void check_groups(const Net<T>& network, const EndPoints<MinPlus<T>>& from, const EndPoints<MinPlus<T>>& to,
                  const Table<T>& expected, const Table<T>& expected_rows) {
  using S = MinPlus<T>;
  namespace detail = blockfw::detail;
  const FewRows<Net<T>> few{network};
  const auto n = static_cast<std::size_t>(network.vertices());
  const blockfw::DistanceMatrix<T, Host> d("d", expected.size(), static_cast<std::size_t>(to.points()));
  detail::write_points<S, Host>(few, from.lists(), &to.lists(), &d, 0, {});
  CHECK(wrong_entries(d, expected) == 0);
  const blockfw::DistanceMatrix<T, Host> rows("rows", expected.size(), n);
  detail::write_points<S, Host>(few, from.lists(), nullptr, &rows, 0, {});
  CHECK(wrong_entries(rows, expected_rows) == 0);
  for (const int at_once : {0, 1, 2, 5}) {
    std::size_t next = 0;
    int wrong = 0;
    detail::write_points<S, Host>(few, from.lists(), &to.lists(), nullptr, at_once,
                                  [&](std::int64_t first, const auto& block) {
                                    const std::size_t left = expected.size() - next;
                                    wrong += first != std::int64_t(next);
                                    wrong += at_once > 0 && block.extent(0) != std::min(left, std::size_t(at_once));
                                    wrong += wrong_entries(block, expected, next);
                                    next += block.extent(0);
                                  });
    CHECK(next == expected.size());
    CHECK(wrong == 0);
  }
  std::vector<T> limits;  // neighbouring points have other limits, and legs to the same vertices
  for (std::size_t p = 0; p < expected.size(); ++p) limits.push_back(p % 3 == 0 ? T(4) : T(20));
  const auto wanted = expected_within(expected_rows, limits);
  std::size_t point = 0, entry = 0;
  int wrong = 0;
  detail::for_lists_within<T>(few, from.lists(), limits, [&](const auto& list) {
    for (const auto& [vertex, distance] : list) {
      wrong += wanted.vertices[entry] != vertex || wanted.distances[entry] != distance;
      ++entry;
    }
    wrong += std::int64_t(entry) != wanted.first[++point];
  });
  CHECK(point == expected.size());
  CHECK(wrong == 0);
}

/// Legs of some points, in any order.
template <class S, class T = typename S::value_type, class Length>
std::vector<Leg<T>> some_legs(Random& random, int n, int points, const Length& length) {
  std::vector<Leg<T>> legs;
  for (int p = 0; p < points; ++p)
    for (int left = uniform(random, 0, 3); left > 0 && n > 0; --left)
      legs.push_back({p, uniform(random, 0, n - 1), uniform(random, 0, 6) == 0 ? S::zero() : length()});
  std::shuffle(legs.begin(), legs.end(), random);
  return legs;
}

/// Checks points with legs in a network over S.
template <class S, class T = typename S::value_type, class Length, class Check>
void check_legs(Random& random, int n, const std::vector<Edge<T>>& edges, Direction direction, const Length& length,
                const Check& check) {
  const blockfw::Network<S> network(Host(), n, edges, {.direction = direction});
  const std::pair<int, int> shapes[] = {{9, 9}, {0, 3}, {4, 0}, {1, 12}};
  for (const auto& [sources, targets] : shapes) {
    const auto leaving = some_legs<S>(random, n, sources, length), arriving = some_legs<S>(random, n, targets, length);
    Expanded<S> all(n);
    for (const auto& e : edges) {
      all.add_edge(e.from, e.to, e.weight);
      if (direction == Direction::undirected) all.add_edge(e.to, e.from, e.weight);
    }
    std::vector<std::vector<int>> from, to;
    for (int p = 0; p < sources; ++p) from.push_back({all.add_vertex()});
    for (int p = 0; p < targets; ++p) to.push_back({all.add_vertex()});
    for (const auto& leg : leaving) all.add_edge(from[std::size_t(leg.point)][0], leg.vertex, leg.length);
    for (const auto& leg : arriving) all.add_edge(leg.vertex, to[std::size_t(leg.point)][0], leg.length);
    all.close();
    check(network, EndPoints<S>(network, sources, leaving), EndPoints<S>(network, targets, arriving),
          expected_of(all, from, to), expected_of(all, from, single(n)));
  }
}

/// Graphs with loops, parallel edges and closed ones; directed ones with negative weights, too.
template <class T>
std::vector<Edge<T>> some_edges(Random& random, int n, Direction direction, bool negative) {
  Graph g{n, {}};
  if (n > 0) g = scattered(random, n, 2 * n, 0, 12);
  if (negative && direction == Direction::directed && n > 0) {
    std::vector<int> potential(static_cast<std::size_t>(n));
    for (int& x : potential) x = uniform(random, 0, 20);
    g = shifted(g, potential);
  }
  auto edges = edges_of<T>(g);
  for (auto& edge : edges)
    if (uniform(random, 0, 9) == 0) edge.weight = blockfw::infinity<T>;
  return edges;
}

}  // namespace

TEST_CASE_TEMPLATE("places on edges: as vertices that split the edges", T, std::int32_t, double) {
  Random random(31);
  for (const int n : {0, 1, 2, 5, 14, 30})
    for (const Direction direction : {Direction::directed, Direction::undirected})
      for (const bool negative : {false, true}) {
        CAPTURE(n);
        CAPTURE(negative);
        const auto edges = some_edges<T>(random, n, direction, negative);
        const Net<T> network(Host(), n, edges, {.direction = direction});
        const int points = n == 1 ? 1 : 11;
        const auto mine = some_places(random, edges, points), theirs = some_places(random, edges, points);
        auto both = mine;
        for (const auto& place : theirs) both.push_back({place.point + points, place.edge, place.position});
        Split<T> split(n, edges, direction, 2 * points, both);
        const std::vector<std::vector<int>> from(split.points.begin(), split.points.begin() + points),
            to(split.points.begin() + points, split.points.end());
        const auto expected = expected_of(split.all, from, to), rows = expected_of(split.all, from, single(n));
        const auto sources = blockfw::on_edges(network, points, mine),
                   targets = blockfw::on_edges(network, points, theirs);
        CHECK(sources.from.points() == points);
        CHECK(sources.from.vertices() == n);
        check_shortest(network, sources.from, targets.to, expected, rows);
        check_groups(network, sources.from, targets.to, expected, rows);
        // From a point to itself; to all vertices as points.
        check_tables(network, sources.from, sources.to, expected_of(split.all, from, from), rows);
        check_tables(network, sources.from, EndPoints(network, every(n)), rows, rows);
      }
}

TEST_CASE_TEMPLATE("legs: as vertices of the points", T, std::int32_t, double) {
  Random random(32);
  for (const int n : {0, 1, 6, 25})
    for (const Direction direction : {Direction::directed, Direction::undirected}) {
      const auto edges = some_edges<T>(random, n, direction, n != 6);
      const auto length = [&] { return static_cast<T>(uniform(random, -15, 30)); };
      check_legs<MinPlus<T>>(random, n, edges, direction, length, [](const auto&... all) {
        check_shortest(all...);
        check_groups(all...);
      });
    }
}

TEST_CASE_TEMPLATE("legs over other semirings", S, blockfw::MaxMin<std::int32_t>, blockfw::MinMax<std::int32_t>,
                   blockfw::MaxTimes<double>, blockfw::MaxPlus<std::int32_t>) {
  using T = typename S::value_type;
  Random random(33);
  for (const int n : {1, 7, 24})
    for (const Direction direction : {Direction::directed, Direction::undirected}) {
      Graph g = scattered(random, n, 2 * n, 0, 12);
      const bool longest = std::is_same_v<S, blockfw::MaxPlus<T>>;  // (the graph has no cycles)
      if (longest) std::erase_if(g.edges, [](const auto& e) { return e.from >= e.to; });
      if (longest && direction == Direction::undirected) continue;
      const auto length = [&] {
        if (std::is_floating_point_v<T>) return static_cast<T>(std::ldexp(1., -uniform(random, 0, 5)));
        return static_cast<T>(uniform(random, -15, 30));
      };
      check_legs<S>(random, n, edges_over<S>(g), direction, length, [](const auto&... all) { check_tables(all...); });
    }
  if constexpr (std::is_integral_v<T> && !std::is_same_v<S, blockfw::MaxPlus<T>>) {  // a leg that is an empty path
    const blockfw::Network<S> network(Host(), 2, std::vector<Edge<T>>{{0, 1, T(5)}});
    const EndPoints<S> from(network, 1, std::vector<Leg<T>>{{0, 0, S::one()}}), to(network, every(2));
    CHECK(blockfw::distances(network, EndPoints<S>(network, every(1)), from)[0] == S::one());
    CHECK(blockfw::table(network, from, to)(0, 1) == T(5));
  }
}

TEST_CASE("where a device answers, and where it answers large questions") {
  using T = std::int32_t;
  using S = MinPlus<T>;
  Random random(34);
  const int n = 60, points = 30;
  const auto edges = some_edges<T>(random, n, Direction::directed, true);
  const Net<T> network(Host(), n, edges);
  const auto places = some_places(random, edges, points);
  Split<T> split(n, edges, Direction::directed, points, places);
  const auto expected = expected_of(split.all, split.points, split.points),
             rows = expected_of(split.all, split.points, single(n));
  const auto on = blockfw::on_edges(network, points, places);
  check_shortest(network, on.from, on.to, expected, rows);
  check_shortest(blockfw::factor_of(Device(), network), on.from, on.to, expected, rows);
  check_shortest(blockfw::NetworkWithDevice(Device(), network), on.from, on.to, expected, rows);
  // The device's sweeps, on the host's threads if there is no device.
  using Sweeps = blockfw::SparseFactor<S, Device, blockfw::detail::DeviceSweeps<S, Device>>;
  check_shortest(Sweeps(Device(), network), on.from, on.to, expected, rows);
}

TEST_CASE("points on edges are for the network that made them, with its weights") {
  using T = std::int32_t;
  using S = MinPlus<T>;
  const std::vector<Edge<T>> edges = {{0, 1, 10}, {1, 2, 20}};
  const std::vector<PlaceOnEdge<T>> places = {{0, 0, 5}};
  Net<T> network(Host(), 3, edges);
  const auto on = blockfw::on_edges(network, 1, places);
  const EndPoints all(network, every(3));
  const auto refuses = [&](const auto& of) {
    const char* const message =
        "the points lie on edges of another network, or of other weights, expected points that this network made";
    using Error = blockfw::InvalidInput;
    CHECK_THROWS_WITH_AS(blockfw::table(of, on.from, all), message, Error);
    CHECK_THROWS_WITH_AS(blockfw::table(of, all, on.to), message, Error);
    CHECK_THROWS_WITH_AS(blockfw::distances(of, on.from, on.to), message, Error);
    CHECK_THROWS_WITH_AS(blockfw::distances_from(of, on.from), message, Error);
    CHECK_THROWS_WITH_AS(blockfw::nearest(of, all, on.to), message, Error);
    CHECK_THROWS_WITH_AS(blockfw::within(of, on.from, 100), message, Error);
    CHECK_THROWS_WITH_AS(blockfw::count_within(of, on.from, 100), message, Error);
  };
  refuses(Net<T>(Host(), 3, edges));  // (another network of the same edges)
  refuses(network.with_weights(std::vector<T>{10, 20}));
  refuses(network.with_changes(std::vector<Edge<T>>{{1, 2, 3}}));
  refuses(blockfw::by_roads(Host(), 3, edges).network());
  const blockfw::SparseAnalysis analysis(3, edges);
  refuses(blockfw::SparseFactor(Host(), analysis, edges));
  const Net<T> copy = network;
  CHECK(blockfw::distances_from(copy, on.from)(0, 2) == 25);
  CHECK(blockfw::distances_from(blockfw::SparseFactor<S, Host>(Host(), copy), on.from)(0, 2) == 25);
  network.change(std::vector<Edge<T>>{{0, 1, 4}});  // (the edge has no position 5 any more)
  refuses(network);
  CHECK(blockfw::distances_from(copy, on.from)(0, 2) == 25);
  const auto moved = blockfw::on_edges(network, 1, std::vector<PlaceOnEdge<T>>{{0, 0, 4}});
  CHECK(blockfw::distances_from(network, moved.from)(0, 2) == 20);
  // Points on the closed edge reach nothing. They are for these weights only.
  const auto closed = network.with_changes(std::vector<Edge<T>>{{0, 1, blockfw::infinity<T>}});
  const auto nowhere = blockfw::on_edges(closed, 1, places);
  CHECK_THROWS_AS(blockfw::distances_from(network, nowhere.from), blockfw::InvalidInput);
  // Points of vertices and legs are for any network with the same number of vertices.
  CHECK(blockfw::distances(Net<T>(Host(), 3, edges), all, all) == std::vector<T>{0, 0, 0});
}

TEST_CASE("known answers: streets in both directions, ends of edges, closed edges") {
  using T = int;
  // A street between 0 and 1 in both directions, and one-way streets from 1 over 2 and 3 to 0.
  const std::vector<Edge<T>> edges = {{0, 1, 60}, {1, 0, 60}, {1, 2, 60}, {2, 3, 60}, {3, 0, 300}};
  const Net<T> network(Host(), 4, edges);
  // Points 0, 1 and 2 lie on both edges of a street. Point 3 lies only on the edge from 1 to 0. Point 4 is at the end
  // of 2 -> 3.
  const std::vector<PlaceOnEdge<T>> places = {{0, 0, 10}, {0, 1, 50}, {1, 0, 40}, {1, 1, 20},
                                              {2, 0, 40}, {2, 1, 20}, {3, 1, 50}, {4, 3, 60}};
  const auto on = blockfw::on_edges(network, 6, places);
  const auto d = blockfw::table(network, on.from, on.to);
  constexpr T none = blockfw::infinity<T>;
  const T expected[6][6] = {{0, 30, 30, 0, 170, none},  // (point 3 is one of the places of point 0)
                            {30, 0, 0, 30, 140, none},     {30, 0, 0, 30, 140, none},
                            {0, 50, 50, 0, 190, none},  // by 0, as the edge leads only there
                            {310, 340, 340, 410, 0, none}, {none, none, none, none, none, none}};
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) {
      CAPTURE(i);
      CAPTURE(j);
      CHECK(d(i, j) == expected[i][j]);
    }
  // A path from a place at the start of an edge leaves only by the edge's end. A path from the vertex leaves by all its
  // edges.
  const auto begins = blockfw::on_edges(network, 1, std::vector<PlaceOnEdge<T>>{{0, 4, 0}});
  const EndPoints at_three(network, std::vector<int>{3}), at_two(network, std::vector<int>{2});
  CHECK(blockfw::distances(network, begins.from, at_three)[0] == 480);
  CHECK(blockfw::distances(network, at_two, begins.to)[0] == 60);
  CHECK(blockfw::distances(network, at_three, at_three)[0] == 0);
  // The legs are those that were given, without legs that lead nowhere.
  const std::vector<Leg<T>> given = {{1, 2, 7}, {0, 3, none}, {0, 1, 4}};
  const EndPoints points(network, 3, given);
  const auto legs = points.legs();
  REQUIRE(legs.size() == 2);
  CHECK((legs[0].point == 0 && legs[0].vertex == 1 && legs[0].length == 4));
  CHECK((legs[1].point == 1 && legs[1].vertex == 2 && legs[1].length == 7));
  CHECK(points.points() == 3);
  // Points on a closed street reach nothing. Once the street is opened again, the distances are as before.
  const auto closed = network.with_changes(std::vector<Edge<T>>{{2, 3, none}});
  const auto nowhere = blockfw::on_edges(closed, 1, std::vector<PlaceOnEdge<T>>{{0, 3, 30}});
  CHECK(nowhere.from.legs().empty());
  CHECK(blockfw::table(closed, nowhere.from, nowhere.to)(0, 0) == none);
  CHECK(blockfw::count_within(closed, nowhere.from, 1000) == std::vector<std::int64_t>{0});
  // A network in 16 bits, with lengths of another type that convert.
  const blockfw::Network<MinPlus<std::int16_t>> narrow(Host(), 2, std::vector<Edge<std::int16_t>>{{0, 1, 100}});
  const auto middle = blockfw::on_edges(narrow, 1, std::vector<PlaceOnEdge<std::int16_t>>{{0, 0, 50}});
  CHECK(blockfw::distances_from(narrow, middle.from)(0, 1) == 50);
  const Net<double> real(Host(), 2, std::vector<Edge<double>>{{0, 1, 2.5}});
  const EndPoints whole(real, 1, std::vector<Leg<int>>{{0, 0, 3}});
  CHECK(blockfw::distances_from(real, whole)(0, 1) == 5.5);
}

TEST_CASE_TEMPLATE("a point is at distance 0 from itself, also where sums round", T, float, double) {
  Random random(35);
  const int n = 40;
  std::vector<T> potential;
  for (int v = 0; v < n; ++v) potential.push_back(static_cast<T>(uniform(random, -9000, 9000)) / T(7));
  std::vector<Edge<T>> edges;
  for (int v = 0; v < n; ++v)
    for (const int step : {1, n - 1}) {  // (cycles of length 0, except for rounding)
      const int to = (v + step) % n;
      edges.push_back({v, to, potential[std::size_t(v)] - potential[std::size_t(to)]});
    }
  const Net<T> network(Host(), n, edges);
  std::vector<PlaceOnEdge<T>> places;
  for (int e = 0; e < 2 * n; ++e) places.push_back({e, e, edges[std::size_t(e)].weight / T(3)});
  const auto on = blockfw::on_edges(network, 2 * n, places);
  const auto d = blockfw::table(network, on.from, on.to);
  const auto pairs = blockfw::distances(network, on.from, on.to);
  int wrong = 0;
  for (std::size_t p = 0; p < pairs.size(); ++p) wrong += d(p, p) != T(0) || pairs[p] != T(0);
  CHECK(wrong == 0);
}

TEST_CASE("input that is refused") {
  using T = int;
  const Net<T> network(Host(), 3, std::vector<Edge<T>>{{0, 1, 10}, {1, 2, -4}});
  const Net<double> real(Host(), 3, std::vector<Edge<double>>{{0, 1, 10}});
  const Net<T> empty(Host(), 0, std::vector<Edge<T>>{});
  const auto legs = [](const auto& of, std::int64_t points, const auto& leg) {
    return EndPoints(of, points, std::vector{leg});
  };
  using L = Leg<T>;
  using Error = blockfw::InvalidInput;
  CHECK_THROWS_WITH_AS(legs(network, 2, L{2, 0, 1}), "leg 0: point 2 is out of range, expected 0 to 1", Error);
  CHECK_THROWS_WITH_AS(legs(network, 2, L{-1, 0, 1}), "leg 0: point -1 is out of range, expected 0 to 1", Error);
  CHECK_THROWS_WITH_AS(legs(network, 0, L{0, 0, 1}), "leg 0: point 0 is out of range, there are no points", Error);
  CHECK_THROWS_WITH_AS(legs(network, 2, L{0, 3, 1}), "leg 0: vertex 3 is out of range, expected 0 to 2", Error);
  CHECK_THROWS_WITH_AS(legs(empty, 2, L{0, 0, 1}), "leg 0: vertex 0 is out of range, the graph has no vertices", Error);
  CHECK_THROWS_WITH_AS(legs(network, -1, L{0, 0, 1}), "the number of points is -1, expected 0 to 2147483647", Error);
  CHECK_THROWS_WITH_AS(legs(real, 1, Leg<double>{0, 0, std::nan("")}),
                       "leg 0: the length is NaN, expected a number or infinity", Error);
  CHECK_THROWS_WITH_AS(legs(real, 1, Leg<double>{0, 0, -blockfw::infinity<double>}),
                       "leg 0: the length is -infinity, expected a number or infinity", Error);
  for (const T far : {2'000'000'000, -2'000'000'000, -blockfw::infinity<T>, std::numeric_limits<T>::lowest()})
    CHECK_THROWS_WITH_AS(legs(network, 1, L{0, 0, far}),
                         doctest::Contains(" reaches infinity, 1073741823, in int32; use int64 or double"),
                         blockfw::OverflowRisk);
  const blockfw::Network<blockfw::MaxTimes<double>> chances(Host(), 2, std::vector<Edge<double>>{{0, 1, 0.5}});
  CHECK_THROWS_WITH_AS(legs(chances, 1, Leg<double>{0, 0, -0.5}),
                       "leg 0: the length is -0.500000, expected one that the semiring's accepts() takes", Error);
  CHECK_THROWS_WITH_AS(EndPoints(network, std::vector<int>{0, 3}), "vertex 3 is out of range, expected 0 to 2", Error);

  using P = PlaceOnEdge<T>;
  const auto places = [&](std::int64_t points, const std::vector<P>& list) {
    return blockfw::on_edges(network, points, list);
  };
  CHECK_THROWS_WITH_AS(places(2, {P{0, 0, 1}, P{2, 0, 1}}), "place 1: point 2 is out of range, expected 0 to 1", Error);
  CHECK_THROWS_WITH_AS(places(2, {P{0, 2, 1}}), "place 0: edge 2 is out of range, expected 0 to 1", Error);
  CHECK_THROWS_WITH_AS(places(2, {P{0, -1, 1}}), "place 0: edge -1 is out of range, expected 0 to 1", Error);
  CHECK_THROWS_WITH_AS(blockfw::on_edges(empty, 1, std::vector{P{0, 0, 0}}),
                       "place 0: edge 0 is out of range, the network has no edges", Error);
  CHECK_THROWS_WITH_AS(places(1, {P{0, 0, 11}}),
                       "place 0: the position 11 is not on edge 0 from 0 to 1, expected 0 to 10", Error);
  CHECK_THROWS_WITH_AS(places(1, {P{0, 0, -1}}),
                       "place 0: the position -1 is not on edge 0 from 0 to 1, expected 0 to 10", Error);
  CHECK_THROWS_WITH_AS(places(1, {P{0, 1, 1}}),
                       "place 0: the position 1 is not on edge 1 from 1 to 2, expected -4 to 0", Error);
  CHECK_THROWS_WITH_AS(places(1, {P{0, 0, std::numeric_limits<T>::lowest()}}),
                       doctest::Contains("is not on edge 0 from 0 to 1"), Error);
  CHECK_THROWS_WITH_AS(places(1, {P{0, 0, 1}, P{0, 1, -1}, P{0, 0, 2}}),
                       "point 0 has two places on edge 0, expected one", Error);
  CHECK_THROWS_AS(blockfw::on_edges(real, 1, std::vector{PlaceOnEdge<double>{0, 0, std::nan("")}}), Error);
  const Net<double> short_edge(Host(), 2, std::vector<Edge<double>>{{0, 1, 1e-9}});
  CHECK_THROWS_WITH_AS(blockfw::on_edges(short_edge, 1, std::vector{PlaceOnEdge<double>{0, 0, 2e-9}}),
                       "place 0: the position 2e-09 is not on edge 0 from 0 to 1, expected 0 to 1e-09", Error);
  const Net<double> closed(Host(), 2, std::vector<Edge<double>>{{0, 1, blockfw::infinity<double>}});
  CHECK_THROWS_WITH_AS(
      blockfw::on_edges(closed, 1, std::vector{PlaceOnEdge<double>{0, 0, 1}, PlaceOnEdge<double>{0, 0, 2}}),
      "point 0 has two places on edge 0, expected one", Error);
  const auto held = places(1, {P{0, 0, 4}});
  CHECK_THROWS_WITH_AS(blockfw::table(network, held.to, held.to),
                       "the sources are points made as targets, expected points as sources", Error);
  CHECK_THROWS_WITH_AS(blockfw::distances(network, held.from, held.from),
                       "the targets are points made as sources, expected points as targets", Error);

  const EndPoints points(network, every(3)), two(network, every(2)), of_none(empty, every(0));
  const blockfw::DistanceMatrix<T, Host> d("d", 3, 3);
  const std::string another = "the points belong to a network of 0 vertices, expected one of 3";
  CHECK_THROWS_WITH_AS(blockfw::table(network, points, of_none), another.c_str(), Error);
  CHECK_THROWS_WITH_AS(blockfw::table(network, of_none, points), another.c_str(), Error);
  CHECK_THROWS_WITH_AS(blockfw::distances(network, of_none, of_none), another.c_str(), Error);
  CHECK_THROWS_WITH_AS(blockfw::within(network, of_none, 3), another.c_str(), Error);
  CHECK_THROWS_WITH_AS(blockfw::table(network, points, two, d),
                       "the matrix 'd' has 3 rows and 3 columns, expected 3 and 2", Error);
  CHECK_THROWS_WITH_AS(blockfw::distances_from(network, two, d),
                       "the matrix 'd' has 3 rows and 3 columns, expected 2 and 3", Error);
  CHECK_THROWS_WITH_AS(blockfw::distances(network, points, two),
                       "there are 3 sources and 2 targets, expected as many of each", Error);
  CHECK_THROWS_WITH_AS(blockfw::nearest(network, points, two, 0),
                       "the number of nearest places is 0, expected 1 or more", Error);
  const EndPoints real_points(real, every(2));
  CHECK_THROWS_WITH_AS(blockfw::within(real, real_points, std::nan("")), "the limit is NaN, expected a number", Error);
  CHECK_THROWS_WITH_AS(blockfw::within(real, real_points, std::vector<double>{1, std::nan("")}),
                       "limit 1 is NaN, expected a number", Error);
  CHECK_THROWS_WITH_AS(blockfw::within(real, real_points, std::vector<double>{1}),
                       "there are 2 sources and 1 limits, expected as many of each", Error);
  CHECK_THROWS_WITH_AS(blockfw::count_within(real, real_points, std::vector<double>{}),
                       "there are no limits, expected 1 or more", Error);
  CHECK_THROWS_WITH_AS(blockfw::count_within(real, real_points, std::nan("")), "the limit is NaN, expected a number",
                       Error);
  CHECK_THROWS_AS(blockfw::for_rows_of_table(network, points, two, [](std::int64_t, const auto&) { throw 3; }), int);
  blockfw::table(network, points, points, d);
  CHECK(d(0, 2) == 6);
}

TEST_CASE("sums of integers: those that reach infinity are refused, and none wraps") {
  using T = std::int32_t;
  const auto refused = [](const auto& question) {
    CHECK_THROWS_WITH_AS(question(), doctest::Contains("point 1: the sum of a leg and a distance leaves the distances"),
                         blockfw::OverflowRisk);
  };
  const T far = 500'000'000;
  const Net<T> network(Host(), 3, std::vector<Edge<T>>{{0, 1, far}});
  const EndPoints from(network, 2, std::vector<Leg<T>>{{0, 0, 1}, {1, 0, far}}),
      to(network, 2, std::vector<Leg<T>>{{0, 1, 1}, {1, 1, far}}), near(network, 2, std::vector<Leg<T>>{{1, 1, 1}});
  refused([&] { blockfw::table(network, from, to); });
  refused([&] { blockfw::distances(network, from, to); });
  refused([&] { blockfw::nearest(network, from, to); });
  CHECK(blockfw::table(network, from, near)(1, 1) == 2 * far + 1);
  CHECK(blockfw::table(network, from, near)(1, 0) == blockfw::infinity<T>);
  CHECK(blockfw::distances_from(network, from)(1, 1) == 2 * far);
  CHECK(blockfw::distances_from(network, from)(1, 2) == blockfw::infinity<T>);
  CHECK(blockfw::count_within(network, from, 2 * far) == std::vector<std::int64_t>{2, 2});
  // A negative leg makes no path where there is none.
  const EndPoints back(network, 2, std::vector<Leg<T>>{{0, 2, -far}, {1, 0, -far}});
  CHECK(blockfw::table(network, back, near)(0, 1) == blockfw::infinity<T>);
  CHECK(blockfw::table(network, back, near)(1, 1) == 1);
  // A sum below -infinity.
  const Net<T> negative(Host(), 2, std::vector<Edge<T>>{{0, 1, -300'000'000}});
  const EndPoints low(negative, 2, std::vector<Leg<T>>{{1, 0, -900'000'000}});
  refused([&] { blockfw::distances_from(negative, low); });
  refused([&] { blockfw::within(negative, low, 0); });
  refused([&] { blockfw::distances(negative, low, EndPoints(negative, std::vector<int>{0, 1})); });
  // Longest paths.
  using Longest = blockfw::MaxPlus<T>;
  const blockfw::Network<Longest> longest(Host(), 2, std::vector<Edge<T>>{{0, 1, 300'000'000}});
  const EndPoints<Longest> high(longest, 2, std::vector<Leg<T>>{{1, 0, 900'000'000}});
  refused([&] { blockfw::distances_from(longest, high); });
}

TEST_CASE("groups of points: each leg has the row of its vertex") {
  Random random(36);
  for (int round = 0; round < 300; ++round) {
    const int n = uniform(random, 1, 12), points = uniform(random, 0, 14);
    const Net<std::int32_t> network(Host(), n, std::vector<Edge<std::int32_t>>{});
    const auto length = [] { return 1; };
    const EndPoints<MinPlus<std::int32_t>> of(network, points,
                                              some_legs<MinPlus<std::int32_t>>(random, n, points, length));
    const auto& lists = of.lists();
    const auto together = static_cast<std::size_t>(uniform(random, 1, 4)),
               most = static_cast<std::size_t>(uniform(random, 1, 6));
    const std::vector<std::int32_t> place = shuffled(random, n);
    const bool sorted = round % 2 == 1;
    const blockfw::detail::PointGroups groups(
        lists, together, most, sorted ? blockfw::detail::order_by_place(lists, place) : std::vector<std::int32_t>());
    const auto padded = groups.padded();
    int wrong = groups.first.front() != 0 || groups.first.back() != std::size_t(points);
    for (std::size_t g = 0; g < groups.count(); ++g) {
      const std::size_t begin = groups.first[g], end = groups.first[g + 1];
      wrong += begin > end || begin % together != 0;
      wrong += groups.vertices_of(g) > most && end - begin > together;
      std::vector<bool> seen(std::size_t(n), false);
      for (std::size_t v = groups.first_vertex[g]; v < groups.first_vertex[g + 1]; ++v) {
        const auto vertex = static_cast<std::size_t>(groups.vertices[v]);
        wrong += seen[vertex];
        seen[vertex] = true;
      }
      for (std::size_t i = begin; i < end; ++i) {
        const std::size_t point = groups.point(i);
        wrong += !sorted && point != i;
        for (auto leg = static_cast<std::size_t>(lists.first[point]);
             leg < static_cast<std::size_t>(lists.first[point + 1]); ++leg)
          wrong += padded[g * groups.most_vertices() + static_cast<std::size_t>(groups.row[leg])] != lists.vertex[leg];
      }
    }
    int before = 0;  // the least place of a point's vertices
    std::set<std::size_t> listed;
    for (std::size_t i = 0; sorted && i < std::size_t(points); ++i) {
      const std::size_t point = groups.point(i);
      wrong += !listed.insert(point).second;
      int least = n;
      for (auto leg = lists.first[point]; leg < lists.first[point + 1]; ++leg)
        least = std::min(least, int(place[std::size_t(lists.vertex[std::size_t(leg)])]));
      if (least == n) least = 0;  // (a point without legs)
      wrong += least < before;
      before = least;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("more points than fit a block, in an order without neighbours: every row, few of them twice") {
  const std::int32_t n = 400;
  std::vector<Edge<int>> edges;
  for (std::int32_t v = 0; v < n; ++v) edges.push_back({v, (v + 1) % n, v % 7});
  const Net<int> network(Host(), n, edges);
  std::vector<Leg<int>> legs;
  for (std::int32_t point = 0; point < 5000; ++point) legs.push_back({point, (point * 149) % n, point % 11});
  const EndPoints from(network, 5000, legs);
  const auto d = blockfw::table(network, from, EndPoints(network, every(n)));
  const auto plain = network.table(every(n), every(n));
  int wrong = 0;
  for (std::int32_t point = 0; point < 5000; ++point)
    for (std::int32_t v = 0; v < n; ++v) wrong += d(point, v) != plain((point * 149) % n, v) + point % 11;
  CHECK(wrong == 0);
  const auto rows_of_groups = [&](const std::vector<std::int32_t>& order) {
    return blockfw::detail::PointGroups(from.lists(), 1, 50, order).vertices.size();
  };
  const auto& by = network.analysis().order();
  CHECK(rows_of_groups({}) == 5000);
  CHECK(rows_of_groups(blockfw::detail::order_by_place(from.lists(), blockfw::detail::places_of(by))) == 400);
  // Lists of vertices within a limit, some points at a time.
  const auto counts = blockfw::count_within(network, from, 600);
  wrong = 0;
  for (std::int32_t point = 0; point < 5000; ++point) {
    std::int64_t near = 0;
    for (std::int32_t v = 0; v < n; ++v) near += d(point, v) <= 600;
    wrong += counts[static_cast<std::size_t>(point)] != near;
  }
  CHECK(wrong == 0);
}
