// SPDX-License-Identifier: MIT
/// \file
/// \brief Networks of roads with turns: forbidden turns, costs of turns, and a rule for U-turns.
///
/// \code
///   const auto roads = blockfw::by_roads(exec, 4, streets, turns, {.u_turns = blockfw::UTurns::dead_ends});
///   const auto seconds = roads.table(depots, customers);
/// \endcode
///
/// Questions stay questions about vertices, or about places on edges. A vertex is parted only where turns need it, into
/// the classes of arriving roads that continue alike. So a network with few turns is little more than the plain one. A
/// rule for U-turns parts nearly all vertices, into about three each.
/// docs/networks.md shows all calls.
#pragma once

#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/elimination/point_questions.hpp"
#include "blockfw/detail/elimination/road_ends.hpp"
#include "blockfw/detail/graph/arrivals.hpp"
#include "blockfw/detail/graph/neighbours.hpp"
#include "blockfw/detail/matrices/checks.hpp"
#include "blockfw/detail/matrices/reach_of_matrix.hpp"
#include "blockfw/detail/plan/finish.hpp"
#include "blockfw/edges.hpp"
#include "blockfw/end_points.hpp"
#include "blockfw/ground/answers.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/turn.hpp"
#include "blockfw/network.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace blockfw {

/// \brief A network of roads with turns, prepared for many questions about its vertices.
///
/// It owns a plain Network, whose vertices are *arrivals*: classes of roads that end at the same vertex and continue by
/// the same turns at the same costs. A vertex where nothing is listed is one arrival. A distance is that of the best
/// walk along roads by allowed turns. A walk pays no turn at its start or its end. A walk may pass a vertex twice. From
/// a vertex to itself the empty walk counts, too: it is S::one(), which is 0 for shortest paths.
///
/// Sources and targets of its questions are lists of vertices, or EndPoints that it has made.
///
/// \tparam S     the semiring
/// \tparam Host  a host's execution space
///
/// Copies share all data. Any number of threads may ask at the same time.
template <Semiring S, class Host = Kokkos::DefaultHostExecutionSpace>
class RoadNetwork {
  static constexpr bool shortest = std::is_same_v<S, MinPlus<typename S::value_type>>;

 public:
  /// The type of a distance.
  using T = typename S::value_type;

  /// \brief Parts the vertices where turns need it, and eliminates the result.
  /// \param exec     the instance to run on
  /// \param n        number of vertices
  /// \param edges    host container of edges: the roads. An edge of weight S::zero() (infinity<T> for shortest paths)
  ///                 is closed, until with_weights() opens it.
  /// \param turns    host container of Turn. A turn that is not listed costs S::one(), or it is a U-turn. A listed turn
  ///                 comes before the rule for U-turns. It may be listed again at the same cost.
  /// \param options  the direction of the edges, the rule for U-turns, restrictions, an order of elimination
  /// \throws InvalidInput, InvalidEdge  for n, a vertex or a road out of range, a turn of roads that do not meet, or
  ///                                    a turn with two costs. Also for a number that the semiring refuses, an order
  ///                                    that is no permutation, and an option that is not used.
  /// \throws OverflowRisk               when sums could overflow T, and for integers beyond infinity
  /// \throws OutOfMemory                when the lists, the structure or the numbers do not fit, before they are
  ///                                    allocated
  /// \throws NegativeCycle with a vertex on the cycle; for other semirings DivergentCycle. A cycle with a forbidden
  ///         turn does not count.
  ///
  /// At a vertex with a classes of arriving roads and b leaving roads it makes up to a · b arcs. It takes the time and
  /// the memory of a Network of these arrivals and arcs, and about 60 bytes for each road.
  template <std::ranges::contiguous_range Edges, std::ranges::contiguous_range Turns = std::vector<Turn<T>>>
  RoadNetwork(const Host& exec, std::int64_t n, const Edges& edges, const Turns& turns = {},
              const RoadOptions<T>& options = {})
      : direction_(options.direction),
        roads_(checked_roads(n, edges, options.direction)),
        arrivals_(found_arrivals(n, *roads_, turns, options)),
        network_(eliminated(exec, options)) {}

  /// \brief The same roads out of their plain network, which a file may hold. Nothing is eliminated.
  /// \param network  network() of a RoadNetwork with the same edges, turns and options
  /// \param n        number of vertices
  /// \param edges    host container of edges
  /// \param turns    host container of Turn
  /// \param options  those of that object, without an order, progress and strict cycles
  /// \throws InvalidInput for a network of other edges, turns or options; the exceptions above, except those of cycles
  template <std::ranges::contiguous_range Edges, std::ranges::contiguous_range Turns = std::vector<Turn<T>>>
  RoadNetwork(const Network<S, Host>& network, std::int64_t n, const Edges& edges, const Turns& turns = {},
              const RoadOptions<T>& options = {})
      : direction_(options.direction),
        roads_(checked_roads(n, edges, options.direction)),
        arrivals_(found_arrivals(n, *roads_, turns, options)),
        network_(network) {
    const std::string call = "a network that is eliminated";
    detail::require_unused(!options.order.empty(), "order", call);
    detail::require_unused(bool(options.progress), "progress", call);
    detail::require_unused(options.strict_cycles, "strict_cycles", call);
    ends().require_network(network);
  }

  std::int64_t vertices() const { return arrivals_->vertices(); }  ///< the number of vertices
  std::int64_t edge_count() const { return std::ssize(edges()); }  ///< the number of the caller's edges
  Direction direction() const { return direction_; }               ///< the direction of the caller's edges
  /// The edges with their weights, in the caller's order.
  std::span<const Edge<T>> edges() const {
    return std::span(*roads_).first(direction_ == Direction::undirected ? roads_->size() / 2 : roads_->size());
  }
  /// The roads with their weights, by the numbers that Turn has: the edges. If these are undirected, the roads in the
  /// other direction follow.
  const std::vector<Edge<T>>& roads() const { return *roads_; }
  /// The plain network, whose vertices are arrivals. Its questions are about points that this object has made, also by
  /// a factor on a device (factor_of()).
  const Network<S, Host>& network() const { return network_; }
  /// Lets further questions run on another instance, as Network::run_on().
  void run_on(const Host& exec) { network_.run_on(exec); }

  /// \brief Vertices as sources, for network().
  /// \param list  host container of vertices. A vertex may occur twice.
  /// \throws InvalidInput for a vertex out of range
  template <std::ranges::contiguous_range List>
  EndPoints<S> from_vertices(const List& list) const {
    return EndPoints<S>(ends().from(detail::lists_of_vertices<S>(vertices(), list)));
  }
  /// \brief Vertices as targets, for network(). A vertex has a leg for each of its arrivals.
  /// \param list  host container of vertices. A vertex may occur twice.
  /// \throws InvalidInput for a vertex out of range
  template <std::ranges::contiguous_range List>
  EndPoints<S> to_vertices(const List& list) const {
    return EndPoints<S>(ends().to(detail::lists_of_vertices<S>(vertices(), list)));
  }
  /// \brief Points with legs to vertices, as sources.
  /// \param points  the number of points
  /// \param legs    host container of Leg, to vertices of the caller, as the constructor of EndPoints takes them
  /// \param second  their second lengths for SecondWeights, or none, likewise
  /// \throws InvalidInput, OverflowRisk as that constructor
  template <std::ranges::contiguous_range Legs, std::ranges::contiguous_range Second = std::vector<double>>
  EndPoints<S> from_legs(std::int64_t points, const Legs& legs, const Second& second = {}) const {
    return EndPoints<S>(ends().from(detail::lists_of_legs<S>(vertices(), points, legs, second)));
  }
  /// \brief Points with legs from vertices, as targets. Otherwise as from_legs().
  template <std::ranges::contiguous_range Legs, std::ranges::contiguous_range Second = std::vector<double>>
  EndPoints<S> to_legs(std::int64_t points, const Legs& legs, const Second& second = {}) const {
    return EndPoints<S>(ends().to(detail::lists_of_legs<S>(vertices(), points, legs, second)));
  }
  detail::RoadEnds<S> ends() const { return {*arrivals_, *roads_}; }  ///< the ends of paths. Not for callers.
  detail::Identity identity() const { return roads_; }  ///< identifies the roads and their weights. Not for callers.

  /// \brief The distances from some vertices or points to others.
  /// \param sources  host container of vertices, or EndPoints. A vertex may occur twice.
  /// \param targets  likewise
  /// \return a matrix with a row for each source and a column for each target. An entry is S::zero() without a path.
  /// \throws InvalidInput for a vertex out of range; OverflowRisk if a sum of integers reaches infinity<T>; OutOfMemory
  ///
  /// It takes the time and the memory of table() of end_points.hpp.
  template <class Sources, class Targets>
  DistanceMatrix<T, Host> table(const Sources& sources, const Targets& targets) const {
    return blockfw::table(network_, sources_of(sources), targets_of(targets));
  }
  /// \brief The same into the caller's memory.
  /// \param sources, targets  as above
  /// \param d                 a matrix with contiguous rows
  /// \throws InvalidInput when d has another number of rows or columns
  template <class Sources, class Targets>
  void table(const Sources& sources, const Targets& targets, const DistanceMatrix<T, Host>& d) const {
    blockfw::table(network_, sources_of(sources), targets_of(targets), d);
  }

  /// \brief The distances of pairs: entry i is the distance from sources[i] to targets[i].
  /// \param sources  host container of vertices, or EndPoints
  /// \param targets  host container of the same size
  /// \throws InvalidInput for a vertex out of range, or other numbers of both; OverflowRisk, OutOfMemory as table()
  template <class Sources, class Targets>
  std::vector<T> distances(const Sources& sources, const Targets& targets) const {
    return blockfw::distances(network_, sources_of(sources), targets_of(targets));
  }

  /// \brief The distances from some vertices or points to all vertices.
  /// \param sources  host container of vertices, or EndPoints
  /// \throws InvalidInput, OverflowRisk, OutOfMemory as table(), whose time it takes
  template <class Sources>
  DistanceMatrix<T, Host> distances_from(const Sources& sources) const {
    return table(sources, detail::vertices_from(0, vertices()));
  }

  /// \brief Calls f(first, rows) for blocks of rows of a table, in order. rows(r, j) is the distance from source
  /// first + r to target j.
  /// \param sources  host container of vertices, or EndPoints
  /// \param targets  likewise
  /// \param f        called from the calling thread. It must not keep `rows`.
  /// \param at_once  the number of rows of a block; 0: as many as are made efficiently together
  /// \throws InvalidInput, OverflowRisk, OutOfMemory as table(); any exception of f
  template <class Sources, class Targets, class F>
  void for_rows_of_table(const Sources& sources, const Targets& targets, const F& f, std::int64_t at_once = 0) const {
    blockfw::for_rows_of_table(network_, sources_of(sources), targets_of(targets), f, at_once);
  }
  /// \brief The same for rows to all vertices, as group_sums() takes them, in the time of network()'s rows. Memory: a
  /// block of these and two blocks of rows. Sums of floats round as those of sweeps, not as those of table().
  /// \param from        the sources: points, or from_vertices()
  /// \param f, at_once  as above
  /// \throws InvalidInput, OverflowRisk, OutOfMemory as above; any exception of f
  template <class F>
  void for_whole_rows(const EndPoints<S>& from, const F& f, std::int64_t at_once = 0) const {
    const EndPoints<S> to = to_vertices(detail::vertices_from(0, vertices()));
    detail::write_points<S, Host>(network_, from.lists(), &to.lists(), nullptr, at_once, std::cref(f), true);
  }
  /// The same from all vertices: rows(r, v) is the distance from vertex first + r to vertex v.
  template <class F>
  void for_whole_rows(const F& f, std::int64_t at_once = 0) const {
    for_whole_rows(from_vertices(detail::vertices_from(0, vertices())), f, at_once);
  }
  /// \brief For each vertex a summary of the vertices that it reaches, or that reach it, as reach() of a Network.
  /// \param towards   which distances count
  /// \param progress  called as progress(vertices done, vertices) from the calling thread, if set
  /// \throws OverflowRisk, OutOfMemory as for_whole_rows(), whose time and memory it takes; any exception of progress
  std::vector<Reach<T>> reach(Towards towards = Towards::others, const Progress& progress = {}) const
    requires shortest
  {
    return detail::reach_of_rows(*this, network_.exec(), towards == Towards::others, progress);
  }

  /// \brief For each vertex the nearest of some places, by the shortest paths from the vertex.
  /// \param places  host container of vertices, or EndPoints as targets
  /// \param count   places of each vertex
  /// \throws InvalidInput, OverflowRisk, OutOfMemory as table(), whose time it takes; InvalidInput for a count below 1
  template <class Places>
  NearestPlaces<T> nearest(const Places& places, std::int64_t count = 1) const
    requires shortest
  {
    return nearest(detail::vertices_from(0, vertices()), places, count);
  }
  /// \brief The same for some vertices or points only.
  /// \param sources  host container of vertices, or EndPoints
  /// \param places   host container of vertices, or EndPoints as targets
  /// \param count    places of each of them
  template <class Sources, class Places>
  NearestPlaces<T> nearest(const Sources& sources, const Places& places, std::int64_t count) const
    requires shortest
  {
    return blockfw::nearest(network_, sources_of(sources), targets_of(places), count);
  }

  /// \brief The vertices within a limit of each source, with their distances.
  /// \param sources  host container of vertices, or EndPoints
  /// \param limit    the largest distance; a path of this length is within it
  /// \throws InvalidInput for a vertex out of range, a limit that is NaN; OverflowRisk, OutOfMemory
  ///
  /// It takes the time of within() of end_points.hpp.
  template <class Sources>
  VerticesInReach<T> within(const Sources& sources, T limit) const
    requires shortest
  {
    const auto& from = sources_of(sources);
    return within(from, std::vector<T>(detail::at(from.points()), detail::checked_limit(limit)));
  }
  /// \brief The same with limits[i] for source i.
  /// \throws InvalidInput also for another number of limits than of sources
  template <class Sources, std::ranges::contiguous_range Limits>
  VerticesInReach<T> within(const Sources& sources, const Limits& limits) const
    requires shortest
  {
    return detail::vertices_in_reach_of(network_, sources_of(sources).lists(), detail::checked_limits<T>(limits),
                                        [&](const auto& list) { return ends().vertices_of(list); });
  }
  /// \brief The number of vertices within a limit of each source, in the time of within().
  /// \param sources  host container of vertices, or EndPoints
  /// \param limit    the largest distance; a path of this length is within it
  /// \throws InvalidInput, OverflowRisk, OutOfMemory as within()
  template <class Sources>
  std::vector<std::int64_t> count_within(const Sources& sources, T limit) const
    requires shortest
  {
    return count_within(sources, std::vector<T>{detail::checked_limit(limit)});
  }
  /// \brief The same within each of some limits, in any order, in the time of the largest.
  /// \return entry i · limits + l for source i and limits[l]
  /// \throws InvalidInput also for no limits
  template <class Sources, std::ranges::contiguous_range Limits>
  std::vector<std::int64_t> count_within(const Sources& sources, const Limits& limits) const
    requires shortest
  {
    return detail::counts_in_reach_of(network_, sources_of(sources).lists(), detail::checked_limits<T>(limits),
                                      [&](const auto& list) { return ends().vertices_of(list); });
  }

  /// \brief The roads of best paths of pairs of vertices: path p leads from sources[p] to targets[p].
  /// \param sources  host container of vertices
  /// \param targets  host container of the same size
  /// \throws InvalidInput for a vertex out of range, or lists of different lengths; OverflowRisk, OutOfMemory
  ///
  /// Of parallel roads the best one is taken; of equally good roads the first. It takes distances() and the time of
  /// Network::paths().
  template <std::ranges::contiguous_range Sources, std::ranges::contiguous_range Targets>
  PathRoads path_roads(const Sources& sources, const Targets& targets) const {
    return ends().paths(network_, detail::checked_vertices(sources, vertices()),
                        detail::checked_vertices(targets, vertices()));
  }

  /// \brief The edges of these paths, as indices in edges(), in either direction. The exceptions are the same.
  template <std::ranges::contiguous_range Sources, std::ranges::contiguous_range Targets>
  PathEdges path_edges(const Sources& sources, const Targets& targets) const {
    const PathRoads paths = path_roads(sources, targets);
    PathEdges result{paths.first, {paths.roads.begin(), paths.roads.end()}};
    for (std::int64_t& road : result.edges) road %= edge_count();
    return result;
  }

  /// \brief The same roads and turns with other weights. This takes a fraction of the time of a new network.
  /// \param weights  a weight for each edge, in the order of the edges; S::zero() closes an edge
  /// \throws InvalidInput for another number of weights; the other exceptions of the constructor
  template <std::ranges::contiguous_range Weights>
  RoadNetwork with_weights(const Weights& weights) const {
    return with_edges(detail::reweighted(edges(), weights));
  }
  /// \brief The same with other weights of some edges. Only the supernodes above these edges are eliminated again.
  /// \param changed  host container of edges. All edges from the same vertex to the same vertex get the weight;
  ///                 S::zero() closes them. In an undirected network edges in either direction get it.
  /// \throws InvalidEdge for an edge that is not there; the other exceptions of the constructor
  ///
  /// It takes the time and the memory of Network::with_changes().
  template <std::ranges::contiguous_range Changed>
  RoadNetwork with_changes(const Changed& changed) const {
    RoadNetwork result = *this;
    result.change(changed);
    return result;
  }
  /// \brief Changes the weights of some edges of this network, as with_changes(). Copies of the network keep their
  /// weights.
  ///
  /// It must not run while other threads ask this object. After an exception the network is as before.
  template <std::ranges::contiguous_range Changed>
  void change(const Changed& changed) {
    apply(detail::copied_edges<T>(changed));
  }

 private:
  using Arrivals = detail::Arrivals<S>;
  using Roads = std::vector<Edge<T>>;

  template <class Edges>
  static std::shared_ptr<const Roads> checked_roads(std::int64_t n, const Edges& edges, Direction direction) {
    detail::require_edges<Edges>();
    static_assert(detail::converts<detail::WeightOf<Edges>, T>,
                  "blockfw: the weights must convert to the distances' type without loss");
    return std::make_shared<const Roads>(detail::roads_of<S>(n, edges, direction));
  }
  template <class Turns>
  static std::shared_ptr<const Arrivals> found_arrivals(std::int64_t n, const Roads& roads, const Turns& turns,
                                                        const RoadOptions<T>& options) {
    static_assert(detail::is_turn<std::ranges::range_value_t<Turns>>,
                  "blockfw: the elements of a container of turns must be of type blockfw::Turn<W>, where W is int16_t, "
                  "int32_t, int64_t, float or double");
    static_assert(detail::converts<decltype(std::ranges::range_value_t<Turns>::cost), T>,
                  "blockfw: the costs of turns must convert to the distances' type without loss");
    return std::make_shared<const Arrivals>(n, roads, turns, options);
  }

  /// A cycle of arrivals as one of the caller's vertices.
  template <class F>
  auto by_vertices(const F& f) const {
    try {
      return f();
    } catch (const DivergentCycle& cycle) {
      detail::throw_cycle<S>(std::int64_t{arrivals_->vertex_of(static_cast<std::int32_t>(cycle.vertex))});
    }
  }
  Network<S, Host> eliminated(const Host& exec, const RoadOptions<T>& options) const {
    return by_vertices([&] {
      return Network<S, Host>(exec, arrivals_->count(), arrivals_->edges(*roads_),
                              {.direction = Direction::directed,
                               .order = arrivals_->order(options.order),
                               .progress = options.progress,
                               .strict_cycles = options.strict_cycles});
    });
  }
  RoadNetwork with_edges(const Roads& edges) const;
  void apply(const Roads& changed);

  const EndPoints<S>& sources_of(const EndPoints<S>& points) const { return points; }
  template <std::ranges::contiguous_range List>
  EndPoints<S> sources_of(const List& list) const {
    return from_vertices(list);
  }
  const EndPoints<S>& targets_of(const EndPoints<S>& points) const { return points; }
  template <std::ranges::contiguous_range List>
  EndPoints<S> targets_of(const List& list) const {
    return to_vertices(list);
  }

  Direction direction_;
  std::shared_ptr<const Roads> roads_;
  std::shared_ptr<const Arrivals> arrivals_;
  Network<S, Host> network_;
};

/// \brief The semiring of roads and turns out of their plain network.
// (Written out because Clang 21 ends by a fault where it makes the guide out of the constructor.)
template <Semiring S, class Host, std::ranges::contiguous_range Edges,
          std::ranges::contiguous_range Turns = std::vector<Turn<typename S::value_type>>>
RoadNetwork(const Network<S, Host>&, std::int64_t, const Edges&, const Turns& = {},
            const RoadOptions<typename S::value_type>& = {}) -> RoadNetwork<S, Host>;

/// \brief A network of roads with turns.
/// \tparam Over    the semiring; if left out, shortest paths in the type of the weights
/// \param exec     the instance to run on
/// \param n        number of vertices
/// \param edges    host container of edges: the roads
/// \param turns    host container of Turn
/// \param options  the direction of the edges, the rule for U-turns, restrictions, an order of elimination
///
/// Exceptions, time and memory are those of the constructor of RoadNetwork.
template <class Over = void, class Host, std::ranges::contiguous_range Edges,
          class S = semiring_of<Over, detail::WeightOf<Edges>>,
          std::ranges::contiguous_range Turns = std::vector<Turn<typename S::value_type>>>
RoadNetwork<S, Host> by_roads(const Host& exec, std::int64_t n, const Edges& edges, const Turns& turns = {},
                              const RoadOptions<typename S::value_type>& options = {}) {
  return RoadNetwork<S, Host>(exec, n, edges, turns, options);
}

/// \brief Points on edges of a network of roads, for shortest paths.
/// \param network  has the edges. The points are for its weights and turns, as those of a Network are.
/// \param points   the number of points
/// \param places   host container of PlaceOnEdge, in any order: of the caller's edges. A point may have any number, one
///                 on an edge.
/// \throws InvalidInput as on_edges() of end_points.hpp, whose rules these are
/// \throws OutOfMemory  if the legs do not fit; thrown before they are allocated
///
/// A path to a place comes by a turn into its road, whose cost counts. So a place at position 0 is behind this turn,
/// and a place at the end of a road is before the next turn. A place on an undirected edge is on both of its roads.
template <Distance T, class Host, std::ranges::contiguous_range Places>
PlacesOnEdges<MinPlus<T>> on_edges(const RoadNetwork<MinPlus<T>, Host>& network, std::int64_t points,
                                   const Places& places) {
  using S = MinPlus<T>;
  const detail::RoadEnds<S> ends = network.ends();
  const bool undirected = network.direction() == Direction::undirected;
  const auto edges = static_cast<std::int32_t>(network.edges().size());
  const std::vector<PlaceOnEdge<T>> kept = detail::checked_places(network.edges(), points, places);
  ends.require_places(kept, undirected, 3 * (sizeof(Leg<T>) + sizeof(std::int32_t)));
  detail::LegsOnEdges<T> leaving, arriving;
  const auto add = [&](std::int32_t point, std::int32_t road, T before, T behind, std::int32_t by) {
    leaving.add(point, ends.arrivals.of_road(road), behind, ~by);
    for (const auto& arc : ends.arrivals.into(road))
      arriving.add(point, arc.from, detail::Arrivals<S>::weight(arc, before, road), by);
  };
  for (std::int32_t p = 0; p < std::ssize(kept); ++p) {
    const PlaceOnEdge<T>& place = kept[detail::at(p)];
    const auto road = static_cast<std::int32_t>(place.edge);
    const T rest = static_cast<T>(ends.roads[detail::at(road)].weight - place.position);
    add(place.point, road, place.position, rest, p);
    if (undirected) add(place.point, road + edges, rest, place.position, ~p);
  }
  const auto lists_of = [&](detail::LegsOnEdges<T>& list, detail::PointRole role) {
    auto lists = detail::lists_of_places(network.network(), points, std::move(list), kept, undirected, role);
    lists.roads = network.identity();
    return EndPoints<S>(std::move(lists));
  };
  return {lists_of(leaving, detail::PointRole::source), lists_of(arriving, detail::PointRole::target)};
}

// Functions that take long to compile are not defined in the class, as in network.hpp.

template <Semiring S, class Host>
auto RoadNetwork<S, Host>::with_edges(const Roads& edges) const -> RoadNetwork {
  RoadNetwork result = *this;
  result.roads_ = checked_roads(vertices(), edges, direction_);
  const Roads arcs = arrivals_->edges(*result.roads_);
  std::vector<T> weights(arcs.size());
  std::ranges::transform(arcs, weights.begin(), &Edge<T>::weight);
  result.network_ = by_vertices([&] { return network_.with_weights(weights); });
  return result;
}

template <Semiring S, class Host>
void RoadNetwork<S, Host>::apply(const Roads& changed) {
  if (changed.empty()) return;
  auto roads = std::make_shared<Roads>(*roads_);
  const Roads arcs = ends().change(changed, direction_, *roads);
  if (!arcs.empty()) by_vertices([&] { network_.change(arcs); });
  roads_ = std::move(roads);
}

}  // namespace blockfw
