// SPDX-License-Identifier: MIT
/// \file
/// \brief The vertices of a network of roads: classes of roads that end at the same vertex and continue alike.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/graph/neighbours.hpp"
#include "blockfw/detail/matrices/edge_entries.hpp"
#include "blockfw/ground/answers.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/turn.hpp"
#include "blockfw/ground/weights.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace blockfw::detail {

/// \brief The weight of an edge of a list.
/// \throws InvalidEdge   for a vertex out of range, a weight that the semiring does not take
/// \throws OverflowRisk  for an integer that reaches infinity
template <Semiring S, class Edges>
typename S::value_type checked_weight(const Edges& edges, std::int64_t number, std::int64_t n) {
  const auto& edge = std::ranges::data(edges)[number];
  if (!is_valid<S>(edge, n)) throw_invalid_edge<S>(view_of(edges), number, n);
  const auto weight = static_cast<typename S::value_type>(edge.weight);
  require_number<S>(weight, [&] { return "edge " + std::to_string(number) + ": the weight"; });
  return weight;
}

/// \brief a ⊗ b, of numbers that require_number() accepts.
/// \param what  what() returns the words of the message that name a and b
/// \throws OverflowRisk where a sum of integers reaches infinity
template <Semiring S, class What, class T = typename S::value_type>
T checked_product(T a, T b, [[maybe_unused]] const What& what) {
  if (a == S::zero() || b == S::zero()) return S::zero();
  if constexpr (sums_integers<S>) {
    const T sum = static_cast<T>(a + b);  // (T holds the sum, as both numbers are within infinity)
    if (magnitude(sum) >= magnitude(infinity<T>))
      throw OverflowRisk(what() + ": the sum of " + std::to_string(a) + " and " + std::to_string(b) +
                         " reaches infinity, " + std::to_string(infinity<T>) + ", in " + type_name<T>() + "; use " +
                         wider_types<T>());
  }
  return S::relax(S::zero(), a, b);
}

/// The best of each set of parallel arcs, by their ends.
template <Semiring S, class T = typename S::value_type>
std::vector<Edge<T>> best_arcs(std::vector<Edge<T>> arcs) {
  const auto ends = [](const Edge<T>& arc) { return std::pair(arc.from, arc.to); };
  std::ranges::sort(arcs, {}, ends);
  std::size_t kept = 0;
  for (std::size_t a = 0; a < arcs.size(); ++a) {
    if (a > 0 && ends(arcs[a]) == ends(arcs[kept - 1]))
      arcs[kept - 1].weight = S::relax(arcs[kept - 1].weight, arcs[a].weight, S::one());
    else
      arcs[kept++] = arcs[a];
  }
  arcs.resize(kept);
  return arcs;
}

/// Numbers of roads in lists, one for each vertex.
using RoadLists = Neighbours;

/// Lists of the roads by a vertex of each: vertex_of(road).
template <class VertexOf>
RoadLists roads_by(std::int64_t n, std::size_t roads, const VertexOf& vertex_of) {
  RoadLists lists;
  lists.first.assign(at(n) + 1, 0);
  for (std::size_t r = 0; r < roads; ++r) ++lists.first[at(vertex_of(r)) + 1];
  std::partial_sum(lists.first.begin(), lists.first.end(), lists.first.begin());
  lists.all.resize(roads);
  std::vector<std::size_t> next = lists.first;
  for (std::size_t r = 0; r < roads; ++r) lists.all[next[at(vertex_of(r))]++] = static_cast<std::int32_t>(r);
  return lists;
}

/// \brief The roads of a list of edges: the edges themselves. If the edges are undirected, the roads in the other
/// direction follow.
/// \throws InvalidEdge   for a vertex out of range, a weight that the semiring does not take
/// \throws InvalidInput  for n out of range, more than 2^31 - 1 roads
/// \throws OverflowRisk  for a weight that reaches infinity
/// \throws OutOfMemory   if the roads do not fit; thrown before they are allocated
template <Semiring S, class Edges, class T = typename S::value_type>
std::vector<Edge<T>> roads_of(std::int64_t n, const Edges& edges, Direction direction) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  if (n < 0 || n > most)
    throw InvalidInput("the number of vertices is " + std::to_string(n) + ", expected 0 to 2^31 - 1");
  const std::size_t count = std::ranges::size(edges), all = direction == Direction::undirected ? 2 * count : count;
  if (all > at(most)) throw InvalidInput("there are " + std::to_string(all) + " roads, expected at most 2^31 - 1");
  // (This includes the lists of Arrivals, except its arcs.)
  require_host_memory("the lists of " + std::to_string(n) + " vertices and " + std::to_string(all) + " roads",
                      static_cast<double>(all) * (sizeof(Edge<T>) + 4 * sizeof(std::size_t)) +
                          static_cast<double>(n) * (4 * sizeof(std::size_t)));
  std::vector<Edge<T>> roads;
  roads.reserve(all);
  for (const auto& edge : edges)
    roads.push_back({edge.from, edge.to, checked_weight<S>(edges, static_cast<std::int64_t>(roads.size()), n)});
  if (direction == Direction::undirected)
    for (std::size_t e = 0; e < count; ++e) roads.push_back({roads[e].to, roads[e].from, roads[e].weight});
  return roads;
}

/// \brief The vertices of a network of roads, and its arcs. They depend on the ends of the roads and on the turns, not
/// on the weights.
///
/// An *arrival* is a class of roads that end at the same vertex and continue by the same turns at the same costs. So a
/// vertex without turns has one arrival, and a network without turns is the plain one. At a vertex with one forbidden
/// turn the first road of the turn has an arrival of its own. The first arrival of each vertex is the *free* one: from
/// it each turn costs S::one(), as at the start of a path. Where each road has a turn, no road leads to it.
///
/// A road is an arc from each arrival at its start that may turn into it, to its own arrival. The arc weighs the cost
/// of the turn ⊗ the weight of the road.
template <Semiring S>
class Arrivals {
 public:
  using T = typename S::value_type;

  /// A turn into a road.
  struct Arc {
    std::int32_t from;  ///< an arrival
    T cost;
  };

  /// \brief Finds the arrivals.
  /// \param n      number of vertices
  /// \param roads  as roads_of() makes them
  /// \param turns  host container of turns
  /// \throws InvalidInput  for a turn of roads that do not meet or do not exist, two costs of a turn, a cost that the
  ///                       semiring does not take. Also for more than 2^31 - 1 arrivals.
  /// \throws OverflowRisk  for a cost that reaches infinity
  /// \throws OutOfMemory   if the turns or arcs do not fit; thrown before they are allocated
  ///
  /// O((roads + arcs + d) · log), where log is of the roads at a vertex, and d the number of turns that are listed or
  /// follow from a rule. A road of `only` counts one turn for each road that begins at its end.
  template <class Turns>
  Arrivals(std::int64_t n, std::span<const Edge<T>> roads, const Turns& turns, const RoadOptions<T>& options)
      : direction_(options.direction),
        leaving_(roads_by(n, roads.size(), [&](std::size_t r) { return roads[r].from; })) {
    for (std::int32_t v = 0; v < n; ++v) {
      const auto begin = leaving_.all.begin() + static_cast<std::ptrdiff_t>(leaving_.first[at(v)]),
                 end = leaving_.all.begin() + static_cast<std::ptrdiff_t>(leaving_.first[at(v) + 1]);
      std::sort(begin, end, [&](std::int32_t a, std::int32_t b) {
        return std::pair(roads[at(a)].to, a) < std::pair(roads[at(b)].to, b);
      });
    }
    require_unused(options.u_turns == UTurns::forbidden && options.u_turn_cost.has_value(), "u_turn_cost",
                   "UTurns::forbidden");
    const T u_turn = options.u_turn_cost.value_or(S::one());
    require_number<S>(u_turn, [] { return std::string("the cost of U-turns"); });
    const Rows rows = rows_of(roads, listed_turns(roads, turns, options.only), options.u_turns, u_turn);
    find_arcs(roads, rows, find_arrivals(roads, rows));
  }

  /// The number of the caller's vertices.
  std::int64_t vertices() const { return static_cast<std::int64_t>(leaving_.vertices()); }
  /// The number of arrivals.
  std::int32_t count() const { return first_.back(); }
  /// The free arrival of a vertex.
  std::int32_t free_of(std::int32_t v) const { return first_[at(v)]; }
  /// The arrivals of a vertex: from the first to before the second.
  std::pair<std::int32_t, std::int32_t> of_vertex(std::int32_t v) const { return {first_[at(v)], first_[at(v) + 1]}; }
  /// Where the arrivals of each vertex begin, and the end of the last.
  const std::vector<std::int32_t>& first() const { return first_; }
  /// The vertex of an arrival.
  std::int32_t vertex_of(std::int32_t arrival) const { return vertex_[at(arrival)]; }
  /// The arrival of a road, at its end.
  std::int32_t of_road(std::int32_t road) const { return of_road_[at(road)]; }
  /// The turns into a road, by ascending arrivals.
  std::span<const Arc> into(std::int32_t road) const {
    return std::span(arcs_).subspan(first_arc_[at(road)], first_arc_[at(road) + 1] - first_arc_[at(road)]);
  }
  /// The number of arcs.
  std::size_t arcs() const { return arcs_.size(); }
  /// The road of an arc of edges().
  std::size_t road_of(std::size_t arc) const {
    return at(std::ranges::upper_bound(first_arc_, arc) - first_arc_.begin()) - 1;
  }
  /// The roads that begin at a vertex, by their ends.
  std::span<const std::int32_t> leaving(std::int32_t v) const { return leaving_.of(v); }
  /// The roads from a vertex to another.
  std::span<const std::int32_t> between(std::span<const Edge<T>> roads, std::int32_t from, std::int32_t to) const {
    const auto all = leaving_.of(from);
    const auto [begin, end] = std::ranges::equal_range(all, to, {}, [&](std::int32_t r) { return roads[at(r)].to; });
    return all.subspan(at(begin - all.begin()), at(end - begin));
  }

  /// \brief The weight of a turn into a road and of the road.
  /// \throws OverflowRisk where a sum of integers reaches infinity
  static T weight(const Arc& arc, T length, std::int32_t road) {
    return checked_product<S>(
        arc.cost, length, [&] { return "the cost of a turn into road " + std::to_string(road) + " and its length"; });
  }
  /// \brief The arcs of the network, by roads.
  /// \throws OverflowRisk where a sum of integers reaches infinity
  std::vector<Edge<T>> edges(std::span<const Edge<T>> roads) const {
    require_host_memory("the copy of " + std::to_string(arcs_.size()) + " turns",
                        static_cast<double>(arcs_.size()) * sizeof(Edge<T>));
    std::vector<Edge<T>> all;
    all.reserve(arcs_.size());
    for (std::int32_t r = 0; at(r) < roads.size(); ++r)
      for (const Arc& arc : into(r)) all.push_back({arc.from, of_road(r), weight(arc, roads[at(r)].weight, r)});
    return all;
  }
  /// \brief The order of arrivals that follows from an order of vertices.
  /// \throws InvalidInput for an order that is no permutation of the vertices
  std::vector<std::int32_t> order(const std::vector<std::int32_t>& of_vertices) const {
    std::vector<std::int32_t> all;
    if (of_vertices.empty()) return all;
    all.reserve(at(count()));
    for (const std::int32_t v : checked_order(vertices(), of_vertices))
      for (std::int32_t a = first_[at(v)]; a < first_[at(v) + 1]; ++a) all.push_back(a);
    return all;
  }

 private:
  /// A turn of the caller.
  struct Listed {
    std::int32_t from, to;
    std::optional<T> cost;  ///< empty for a pair of `only`
    std::size_t number;     ///< the index of the turn in its list
  };
  /// A turn of a road that does not cost S::one().
  struct Deviation {
    std::int32_t to;
    T cost;
  };
  using Row = std::span<const Deviation>;
  /// The deviations of all roads, each road's by ascending `to`. Road r has the entries [first[r], first[r + 1]).
  struct Rows {
    std::vector<std::size_t> first = {0};
    std::vector<Deviation> all;
    Row of(std::int32_t r) const { return Row(all).subspan(first[at(r)], first[at(r) + 1] - first[at(r)]); }
  };

  /// \param name  name() has the words of the message for the turn
  template <class Name>
  static void require_turn(std::span<const Edge<T>> roads, const Name& name, std::int32_t from, std::int32_t to) {
    for (const std::int32_t r : {from, to})
      if (r < 0 || at(r) >= roads.size())
        throw InvalidInput(
            name() + ": road " + std::to_string(r) + " is out of range, " +
            (roads.empty() ? "there are no roads" : "expected 0 to " + std::to_string(roads.size() - 1)));
    if (roads[at(from)].to != roads[at(to)].from)
      throw InvalidInput(name() + ": road " + std::to_string(from) + " ends at vertex " +
                         std::to_string(roads[at(from)].to) + ", and road " + std::to_string(to) +
                         " begins at vertex " + std::to_string(roads[at(to)].from) + ", expected the same vertex");
  }

  /// The turns of both lists, by roads; a turn with a cost comes before the same turn of `only`.
  template <class Turns>
  static std::vector<Listed> listed_turns(std::span<const Edge<T>> roads, const Turns& turns,
                                          const std::vector<std::pair<std::int32_t, std::int32_t>>& only) {
    const std::size_t listed_in_all = std::ranges::size(turns) + only.size();
    require_host_memory("the copy of " + std::to_string(listed_in_all) + " turns",
                        static_cast<double>(listed_in_all) * sizeof(Listed));
    std::vector<Listed> listed;
    listed.reserve(listed_in_all);
    for (const auto& turn : turns) {
      const auto name = [&] { return "turn " + std::to_string(listed.size()); };
      require_turn(roads, name, turn.from, turn.to);
      const T cost = static_cast<T>(turn.cost);
      require_number<S>(cost, [&] { return name() + ": the cost"; });
      listed.push_back({turn.from, turn.to, cost, listed.size()});
    }
    for (std::size_t i = 0; i < only.size(); ++i) {
      require_turn(roads, [&] { return "pair " + std::to_string(i) + " of `only`"; }, only[i].first, only[i].second);
      listed.push_back({only[i].first, only[i].second, {}, i});
    }
    std::ranges::sort(listed, {}, [](const Listed& turn) {
      return std::tuple(turn.from, turn.to, !turn.cost.has_value(), turn.number);
    });
    for (std::size_t i = 1; i < listed.size(); ++i) {
      const Listed &one = listed[i - 1], &other = listed[i];
      if (one.from == other.from && one.to == other.to && one.cost && other.cost && *one.cost != *other.cost)
        throw InvalidInput("turn " + std::to_string(other.number) + ": from road " + std::to_string(other.from) +
                           " to road " + std::to_string(other.to) + " at the cost " + digits_of(*other.cost) +
                           ", in turn " + std::to_string(one.number) + " at the cost " + digits_of(*one.cost) +
                           ", expected one cost");
    }
    return listed;
  }

  /// The deviations of all roads: first the deviations of the lists, then those of the rule.
  Rows rows_of(std::span<const Edge<T>> roads, const std::vector<Listed>& listed, UTurns rule, T u_turn) const {
    Rows rows;
    rows.first.reserve(roads.size() + 1);
    const auto one_way = static_cast<std::int32_t>(roads.size() / 2);  // roads in the direction of undirected edges
    std::int32_t reverse = 0;
    const auto u_turns_of = [&](std::int32_t r) -> std::span<const std::int32_t> {
      const Edge<T>& road = roads[at(r)];
      if (road.from == road.to) return {};
      if (direction_ == Direction::directed) return between(roads, road.to, road.from);
      reverse = r < one_way ? r + one_way : r - one_way;
      return {&reverse, 1};
    };
    double most = static_cast<double>(listed.size());
    for (std::size_t i = 0; i < listed.size(); ++i)
      if (!listed[i].cost && (i == 0 || listed[i - 1].from != listed[i].from || listed[i - 1].cost))
        most += static_cast<double>(leaving(roads[at(listed[i].from)].to).size());
    if (rule != UTurns::allowed || u_turn != S::one())
      for (std::int32_t r = 0; at(r) < roads.size(); ++r) most += static_cast<double>(u_turns_of(r).size());
    require_host_memory("the lists of " + std::to_string(static_cast<std::int64_t>(most)) + " turns",
                        2 * most * sizeof(Deviation));
    std::vector<Deviation> row;
    std::size_t next = 0;
    for (std::int32_t r = 0; at(r) < roads.size(); ++r) {
      std::size_t end = next;
      while (end < listed.size() && listed[end].from == r) ++end;
      const auto mine = std::span(listed).subspan(next, end - next);
      next = end;
      const auto listed_as = [&](std::int32_t to) { return std::ranges::equal_range(mine, to, {}, &Listed::to); };
      const auto out = leaving(roads[at(r)].to);
      row.clear();
      if (std::ranges::any_of(mine, [](const Listed& turn) { return !turn.cost; })) {
        for (const std::int32_t s : out) {
          const auto as = listed_as(s);
          const bool is_kept = !as.empty() && !as.back().cost;
          row.push_back({s, is_kept ? as.front().cost.value_or(S::one()) : S::zero()});
        }
      } else {
        for (std::size_t i = 0; i < mine.size(); ++i)
          if (i == 0 || mine[i].to != mine[i - 1].to) row.push_back({mine[i].to, *mine[i].cost});
        if (rule != UTurns::allowed || u_turn != S::one()) {
          const auto back = u_turns_of(r);
          const bool is_dead_end = back.size() == out.size();
          const bool is_allowed = rule == UTurns::allowed || (rule == UTurns::dead_ends && is_dead_end);
          for (const std::int32_t s : back)
            if (listed_as(s).empty()) row.push_back({s, is_allowed ? u_turn : S::zero()});
        }
      }
      std::erase_if(row, [](const Deviation& turn) { return turn.cost == S::one(); });
      std::ranges::sort(row, {}, &Deviation::to);
      rows.all.insert(rows.all.end(), row.begin(), row.end());
      rows.first.push_back(rows.all.size());
    }
    return rows;
  }

  /// Sets the arrivals of all vertices and roads.
  /// \return for each arrival a road of it; no_vertex where there is none
  std::vector<std::int32_t> find_arrivals(std::span<const Edge<T>> roads, const Rows& rows) {
    const std::size_t n = leaving_.vertices();
    const RoadLists entering =
        roads_by(static_cast<std::int64_t>(n), roads.size(), [&](std::size_t r) { return roads[r].to; });
    first_.reserve(n + 1);
    of_road_.resize(roads.size());
    std::vector<std::int32_t> alike, one_of;
    const auto add = [&](std::int32_t v, std::int32_t road) {
      if (vertex_.size() == at(std::numeric_limits<std::int32_t>::max()))
        throw InvalidInput("the turns part the roads' ends into more than 2^31 - 1 classes, expected fewer");
      vertex_.push_back(v);
      one_of.push_back(road);
    };
    for (std::int32_t v = 0; at(v) < n; ++v) {
      const auto in = entering.of(v);
      alike.assign(in.begin(), in.end());
      std::ranges::stable_sort(alike, [&](std::int32_t a, std::int32_t b) {
        return std::ranges::lexicographical_compare(rows.of(a), rows.of(b), {}, key, key);
      });
      if (alike.empty() || !rows.of(alike.front()).empty()) add(v, no_vertex);
      for (const std::int32_t r : alike) {
        if (r == alike.front() || !std::ranges::equal(rows.of(one_of.back()), rows.of(r), {}, key, key)) add(v, r);
        of_road_[at(r)] = static_cast<std::int32_t>(vertex_.size() - 1);
      }
      first_.push_back(static_cast<std::int32_t>(vertex_.size()));
    }
    return one_of;
  }

  /// Sets the arcs.
  /// \param one_of  a road of each arrival
  void find_arcs(std::span<const Edge<T>> roads, const Rows& rows, const std::vector<std::int32_t>& one_of) {
    std::size_t most = 0;
    for (const Edge<T>& road : roads) most += at(first_[at(road.from) + 1] - first_[at(road.from)]);
    require_host_memory("the lists of " + std::to_string(most) + " turns", static_cast<double>(most) * sizeof(Arc));
    arcs_.reserve(most);
    first_arc_.reserve(roads.size() + 1);
    for (std::int32_t r = 0; at(r) < roads.size(); ++r) {
      const auto [begin, end] = of_vertex(roads[at(r)].from);
      for (std::int32_t a = begin; a < end; ++a) {
        T cost = S::one();
        if (one_of[at(a)] != no_vertex) {
          const Row row = rows.of(one_of[at(a)]);
          const auto there = std::ranges::lower_bound(row, r, {}, &Deviation::to);
          if (there != row.end() && there->to == r) cost = there->cost;
        }
        if (cost != S::zero()) arcs_.push_back({a, cost});
      }
      first_arc_.push_back(arcs_.size());
    }
  }

  static std::pair<std::int32_t, T> key(const Deviation& turn) { return {turn.to, turn.cost}; }

  Direction direction_;
  RoadLists leaving_;                         ///< the roads that begin at each vertex, sorted by their ends
  std::vector<std::int32_t> first_ = {0};     ///< vertex v has the arrivals [first_[v], first_[v + 1])
  std::vector<std::int32_t> vertex_;          ///< the vertex of each arrival
  std::vector<std::int32_t> of_road_;         ///< the arrival of each road
  std::vector<std::size_t> first_arc_ = {0};  ///< the arcs [first_arc_[r], first_arc_[r + 1]) lead into road r
  std::vector<Arc> arcs_;
};

}  // namespace blockfw::detail
