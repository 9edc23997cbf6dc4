// SPDX-License-Identifier: MIT
/// \file
/// \brief The ends of paths in a network of roads with turns: from the caller's vertices to arrivals, and back.
#pragma once

#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/elimination/place.hpp"
#include "blockfw/detail/elimination/point_questions.hpp"
#include "blockfw/detail/elimination/point_rows.hpp"
#include "blockfw/detail/graph/arrivals.hpp"
#include "blockfw/detail/matrices/edge_entries.hpp"
#include "blockfw/ground/answers.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/turn.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace blockfw::detail {

/// \brief The ends of paths along roads. A path starts at the free arrival of a vertex, where it pays no turn. It ends
/// at any arrival of a vertex. This owns nothing.
template <Semiring S>
struct RoadEnds {
  using T = typename S::value_type;

  const Arrivals<S>& arrivals;
  const std::vector<Edge<T>>& roads;

  /// Sources with legs to vertices as sources with legs to arrivals.
  PointLists<T> from(PointLists<T> points) const {
    points.vertices = arrivals.count();
    points.role = PointRole::source;
    for (std::int32_t& vertex : points.vertex) vertex = arrivals.free_of(vertex);
    return points;
  }

  /// \brief Targets with legs from vertices as targets with legs from arrivals.
  /// \throws OutOfMemory if they do not fit; thrown before they are allocated
  PointLists<T> to(const PointLists<T>& points) const {
    double legs = 0;
    for (const std::int32_t v : points.vertex) {
      const auto [begin, end] = arrivals.of_vertex(v);
      legs += end - begin;
    }
    require_host_memory("the legs of " + std::to_string(points.points()) + " points",
                        2 * legs * (sizeof(std::int32_t) + sizeof(T) + (points.second.empty() ? 0 : sizeof(double))));
    PointLists<T> result;
    result.vertices = arrivals.count();
    result.role = PointRole::target;
    for (std::size_t point = 0; point < points.points(); ++point) {
      for (std::size_t leg = at(points.first[point]); leg < at(points.first[point + 1]); ++leg) {
        const auto [begin, end] = arrivals.of_vertex(points.vertex[leg]);
        for (std::int32_t a = begin; a < end; ++a) {
          result.vertex.push_back(a);
          result.length.push_back(points.length[leg]);
          if (!points.second.empty()) result.second.push_back(points.second[leg]);
        }
      }
      result.first.push_back(static_cast<std::int64_t>(result.vertex.size()));
    }
    return result;
  }

  /// \brief Checks whether the legs of places on edges fit the memory.
  /// \param bytes  of a leg
  /// \throws OutOfMemory if they do not
  template <class Places>
  void require_places(const Places& places, bool undirected, std::size_t bytes) const {
    const auto edges = static_cast<std::int32_t>(roads.size() / 2);
    std::size_t legs = 0;
    for (const auto& place : places) {
      const auto road = static_cast<std::int32_t>(place.edge);
      legs += arrivals.into(road).size() + (undirected ? arrivals.into(road + edges).size() : 0);
    }
    require_host_memory("the legs of " + std::to_string(places.size()) + " places",
                        static_cast<double>(legs) * static_cast<double>(bytes));
  }

  /// \brief The arcs of these edges with other weights.
  /// \throws InvalidEdge, OverflowRisk, OutOfMemory as roads_of() and Arrivals::edges()
  std::vector<Edge<T>> arcs_of(const std::vector<Edge<T>>& edges, Direction direction) const {
    return arrivals.edges(roads_of<S>(arrivals.vertices(), edges, direction));
  }
  /// \brief A number for each arc of Arrivals::edges(), out of a number for each edge.
  /// \throws OutOfMemory if they do not fit; thrown before they are allocated
  template <class Number>
  std::vector<Number> of_arcs(const std::vector<Number>& of_edges) const {
    require_host_memory("the numbers of " + std::to_string(arrivals.arcs()) + " arcs",
                        static_cast<double>(arrivals.arcs()) * sizeof(Number));
    std::vector<Number> all;
    all.reserve(arrivals.arcs());
    for (std::size_t r = 0; r < roads.size(); ++r)
      all.insert(all.end(), arrivals.into(static_cast<std::int32_t>(r)).size(), of_edges[r % of_edges.size()]);
    return all;
  }

  /// \brief Checks a network that a caller has for these roads.
  /// \throws InvalidInput for a network of other arcs
  template <class Network>
  void require_network(const Network& network) const {
    // (A change gives parallel arcs one weight.)
    const auto both = [](const Edge<T>& arc) { return std::pair(arc.from, arc.to); };
    const auto all = [](const Edge<T>& arc) { return std::tuple(arc.from, arc.to, arc.weight); };
    const std::vector<Edge<T>> arcs = arrivals.edges(roads);
    if (network.vertices() != arrivals.count() || network.direction() != Direction::directed ||
        !std::ranges::equal(arcs, network.edges(), {}, both, both) ||
        !std::ranges::equal(best_arcs<S>(arcs), best_arcs<S>(network.edges()), {}, all, all))
      throw InvalidInput("the network of " + std::to_string(network.vertices()) + " vertices and " +
                         std::to_string(network.edges().size()) +
                         " edges has other roads or turns, expected that of these edges, turns and options");
  }

  /// \brief Gives edges other weights, as Network::change() does.
  /// \param changed    the edges with their new weights
  /// \param direction  of the edges
  /// \param changes    the roads that get the weights: a copy of `roads`
  /// \return the arcs of these roads. Of parallel ones it has the best, as the network gives all of them one weight.
  ///         (These arcs belong to the same edges.)
  /// \throws InvalidEdge for an edge that is not there; OverflowRisk where a sum of integers reaches infinity
  std::vector<Edge<T>> change(const std::vector<Edge<T>>& changed, Direction direction,
                              std::vector<Edge<T>>& changes) const {
    std::vector<std::int32_t> of_changed;  // the roads that get another weight
    for (std::int64_t number = 0; const Edge<T>& edge : changed) {
      checked_weight<S>(changed, number, arrivals.vertices());
      const std::size_t before = of_changed.size();
      const auto set = [&](std::int32_t from, std::int32_t to) {
        for (const std::int32_t r : arrivals.between(roads, from, to)) {
          changes[at(r)].weight = edge.weight;
          of_changed.push_back(r);
        }
      };
      set(edge.from, edge.to);
      if (direction == Direction::undirected) set(edge.to, edge.from);
      if (of_changed.size() == before) throw_no_edge(number, edge);
      ++number;
    }
    std::vector<Edge<T>> arcs;
    for (const std::int32_t r : of_changed)
      for (const auto& arc : arrivals.into(r))
        arcs.push_back({arc.from, arrivals.of_road(r), Arrivals<S>::weight(arc, changes[at(r)].weight, r)});
    return best_arcs<S>(std::move(arcs));
  }

  /// The vertices of arrivals in reach: a vertex is as near as the nearest of its arrivals.
  ListedVertices<T> vertices_of(const ListedVertices<T>& reached) const {
    ListedVertices<T> list;
    for (const auto& [arrival, distance] : reached) {
      const std::int32_t vertex = arrivals.vertex_of(arrival);
      if (!list.empty() && list.back().first == vertex)
        list.back().second = std::min(list.back().second, distance);
      else
        list.push_back({vertex, distance});
    }
    return list;
  }

  /// \brief The roads of best paths of pairs of vertices.
  /// \param network  the network of the arrivals
  /// \throws InvalidInput for lists of different lengths; OutOfMemory
  template <class Network>
  PathRoads paths(const Network& network, const std::vector<std::int32_t>& sources,
                  const std::vector<std::int32_t>& targets) const {
    require_pairs(sources.size(), targets.size());
    constexpr std::size_t at_once = std::size_t{1} << 22;  // pairs of arrivals
    std::vector<std::int32_t> starts, ends;                // the arrivals of the best paths
    for (std::size_t p = 0; p < sources.size();) {
      std::vector<std::int32_t> from_arrivals, to_arrivals;
      for (; p < sources.size() && from_arrivals.size() < at_once; ++p) {
        const auto [begin, end] = arrivals.of_vertex(targets[p]);
        starts.push_back(arrivals.free_of(sources[p]));
        from_arrivals.resize(from_arrivals.size() + at(end - begin), starts.back());
        for (std::int32_t a = begin; a < end; ++a) to_arrivals.push_back(a);
      }
      const std::vector<T> lengths = network.distances(from_arrivals, to_arrivals);
      for (std::size_t next = 0; ends.size() < p;) {
        const auto [begin, end] = arrivals.of_vertex(targets[ends.size()]);
        std::int32_t taken = begin;
        T best = S::zero();
        for (std::int32_t a = begin; a < end; ++a) {
          const T better = S::relax(best, lengths[next++], S::one());
          if (better != best) taken = a;
          best = better;
        }
        ends.push_back(taken);
      }
    }
    const PathList walks = network.paths(starts, ends);
    PathRoads found;
    for (std::size_t p = 0; p < sources.size(); ++p) {
      for (std::size_t a = at(walks.first[p]) + 1; a < at(walks.first[p + 1]); ++a)
        found.roads.push_back(road_between(walks.vertices[a - 1], walks.vertices[a]));
      found.first.push_back(static_cast<std::int64_t>(found.roads.size()));
    }
    return found;
  }

 private:
  /// The best road between two arrivals that are neighbours on a path.
  std::int32_t road_between(std::int32_t before, std::int32_t after) const {
    std::int32_t road = no_vertex;
    T best = S::zero();
    for (const std::int32_t r : arrivals.between(roads, arrivals.vertex_of(before), arrivals.vertex_of(after))) {
      const auto turns = arrivals.into(r);
      const auto turn = std::ranges::lower_bound(turns, before, {}, &Arrivals<S>::Arc::from);
      if (arrivals.of_road(r) != after || turn == turns.end() || turn->from != before) continue;
      const T better = S::relax(best, Arrivals<S>::weight(*turn, roads[at(r)].weight, r), S::one());
      if (better != best) road = r;
      best = better;
    }
    return road;
  }
};

}  // namespace blockfw::detail
