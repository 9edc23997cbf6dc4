// SPDX-License-Identifier: MIT
/// \file
/// \brief Distances between points beside a network: places on its edges, doors, zones with several connectors.
///
/// \code
///   const auto houses = blockfw::on_edges(network, 3, places);
///   const auto seconds = blockfw::table(network, houses.from, houses.to);
/// \endcode
///
/// A point has legs: ways to vertices of the network, or from vertices, with their lengths. The distance of two points
/// is the best sum of a leg of the first, a distance of vertices, and a leg of the second. So no vertices are added to
/// the network, and nothing is eliminated again. A question costs as much as that about the legs' vertices, and sums
/// for each leg. docs/networks.md shows all calls.
#pragma once

#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/elimination/nearest_and_within.hpp"
#include "blockfw/detail/elimination/place.hpp"
#include "blockfw/detail/elimination/point_questions.hpp"
#include "blockfw/detail/elimination/point_rows.hpp"
#include "blockfw/detail/matrices/checks.hpp"
#include "blockfw/edges.hpp"
#include "blockfw/ground/answers.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"
#include "blockfw/network.hpp"
#include "blockfw/network_questions.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <numeric>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace blockfw {

/// \brief A way between a point and a vertex.
///
/// It leads from the point to the vertex if the point is a source, and from the vertex to the point if it is a target.
template <Distance T>
struct Leg {
  std::int32_t point,  ///< counts from 0
      vertex;          ///< a vertex of the network
  T length;            ///< its length, or its weight in another semiring
};

/// \brief A place of a point on an edge of a network.
///
/// A point may have several places: one on each edge of a road that leads in both directions, for example.
template <Distance T>
struct PlaceOnEdge {
  std::int32_t point;  ///< counts from 0
  std::int64_t edge;   ///< the index of the edge, in the order of Network::edges()
  T position;          ///< the part of the edge's weight that lies before the place: from 0 to the weight
};

namespace detail {

/// \brief The lists of points with these legs. Legs that are no path are left out.
/// \param given  a second length for each leg, or none at all
/// \throws InvalidInput, OverflowRisk as the constructor of EndPoints
/// \throws OutOfMemory if they do not fit; thrown before they are allocated
template <Semiring S, class Legs, class Second = std::vector<double>, class T = typename S::value_type>
PointLists<T> lists_of_legs(std::int64_t vertices, std::int64_t points, const Legs& legs, const Second& given = {}) {
  static_assert(converts<decltype(std::ranges::range_value_t<Legs>::length), T>,
                "blockfw: the lengths of legs must convert to the distances' type without loss");
  require_points(points);
  const std::vector<double> second(std::ranges::begin(given), std::ranges::end(given));
  if (!second.empty() && second.size() != std::ranges::size(legs))
    throw InvalidInput("there are " + std::to_string(second.size()) + " second lengths, expected " +
                       std::to_string(std::ranges::size(legs)) + ", one for each leg");
  const auto all = static_cast<double>(std::ranges::size(legs));
  require_host_memory("the legs of " + std::to_string(points) + " points",
                      2 * sizeof(std::int64_t) * static_cast<double>(points) +
                          all * (2 * sizeof(Leg<T>) + sizeof(std::size_t)) +
                          2 * sizeof(double) * static_cast<double>(second.size()));
  std::vector<Leg<T>> kept;
  std::vector<double> kept_second;
  std::int64_t index = 0;
  for (const auto& leg : legs) {
    require_point("leg", index, leg.point, points);
    if (leg.vertex < 0 || leg.vertex >= vertices)
      throw InvalidInput(item("leg", index) + vertex_out_of_range(leg.vertex, vertices));
    const T length = static_cast<T>(leg.length);
    require_number<S>(length, [&] { return item("leg", index) + "the length"; });
    if (length != S::zero()) {
      if (!second.empty() && !(std::abs(second[at(index)]) < infinity<double>))
        throw InvalidInput(item("leg", index) + "the second length is " + digits_of(second[at(index)]) +
                           ", expected a finite number");
      kept.push_back({static_cast<std::int32_t>(leg.point), static_cast<std::int32_t>(leg.vertex), length});
      if (!second.empty()) kept_second.push_back(second[at(index)]);
    }
    ++index;
  }
  PointLists<T> lists;
  lists.vertices = vertices;
  for (const std::size_t leg : order_by_point(at(points), kept, lists.first)) {
    lists.vertex.push_back(kept[leg].vertex);
    lists.length.push_back(kept[leg].length);
    if (!second.empty()) lists.second.push_back(kept_second[leg]);
  }
  return lists;
}

/// Legs by edges, point by point.
template <class T>
struct LegsOnEdges {
  std::vector<Leg<T>> legs;
  std::vector<std::int32_t> part;  ///< the part of each leg, as in PointLists

  /// Adds a leg that is a path.
  void add(std::int32_t point, std::int32_t vertex, T length, std::int32_t by) {
    if (length == infinity<T>) return;
    legs.push_back({point, vertex, length});
    part.push_back(by);
  }
};

/// The lists of points with places on edges.
template <class Network, class T>
PointLists<T> lists_of_places(const Network& network, std::int64_t points, LegsOnEdges<T>&& legs,
                              const std::vector<PlaceOnEdge<T>>& places, bool undirected, PointRole role) {
  PointLists<T> lists = lists_of_legs<MinPlus<T>>(network.vertices(), points, legs.legs);
  lists.network = network.identity();
  lists.part = std::move(legs.part);
  lists.undirected = undirected;
  lists.role = role;
  for (const std::size_t p : order_by_point(at(points), places, lists.first_place)) {
    lists.edge.push_back(places[p].edge);
    lists.position.push_back(places[p].position);
  }
  return lists;
}

/// \brief A caller's places on edges, sorted by points and edges. Places on closed edges are left out.
/// \throws InvalidInput for a point or an edge out of range, a position that is not on the edge, two places of a point
///                      on an edge
template <Distance T, class Places>
std::vector<PlaceOnEdge<T>> checked_places(std::span<const Edge<T>> edges, std::int64_t points, const Places& places) {
  static_assert(converts<decltype(std::ranges::range_value_t<Places>::position), T>,
                "blockfw: the positions of places must convert to the distances' type without loss");
  require_points(points);
  const auto count = static_cast<std::int64_t>(edges.size());
  std::vector<PlaceOnEdge<T>> kept;
  std::int64_t index = 0;
  for (const auto& place : places) {
    require_point("place", index, place.point, points);
    if (place.edge < 0 || place.edge >= count)
      throw InvalidInput(item("place", index) + out_of_range("edge", place.edge, count, "the network has no edges"));
    const Edge<T>& edge = edges[at(place.edge)];
    const T position = static_cast<T>(place.position);
    const T least = std::min(edge.weight, T(0)), most = std::max(edge.weight, T(0));
    if (!(position >= least && position <= most))
      throw InvalidInput(item("place", index) + "the position " + digits_of(position) + " is not on edge " +
                         std::to_string(place.edge) + " from " + std::to_string(edge.from) + " to " +
                         std::to_string(edge.to) + ", expected " + digits_of(least) + " to " + digits_of(most));
    kept.push_back({static_cast<std::int32_t>(place.point), static_cast<std::int64_t>(place.edge), position});
    ++index;
  }
  const auto both = [](const PlaceOnEdge<T>& place) { return std::pair(place.point, place.edge); };
  std::ranges::sort(kept, {}, both);
  if (const auto twice = std::ranges::adjacent_find(kept, {}, both); twice != kept.end())
    throw InvalidInput("point " + std::to_string(twice->point) + " has two places on edge " +
                       std::to_string(twice->edge) + ", expected one");
  std::erase_if(kept, [&](const PlaceOnEdge<T>& place) { return edges[at(place.edge)].weight == infinity<T>; });
  return kept;
}

/// The lists of points that are vertices.
template <Semiring S, class Vertices, class T = typename S::value_type>
PointLists<T> lists_of_vertices(std::int64_t vertices, const Vertices& list) {
  require_points(static_cast<std::int64_t>(std::ranges::size(list)));
  PointLists<T> lists;
  lists.vertices = vertices;
  lists.vertex = checked_vertices(list, vertices);
  lists.length.assign(lists.vertex.size(), S::one());
  lists.first.resize(lists.vertex.size() + 1);
  std::iota(lists.first.begin(), lists.first.end(), std::int64_t{0});
  return lists;
}

}  // namespace detail

/// \brief Points beside a network, as sources or as targets of questions.
///
/// They are for any network over S with the same number of vertices. Points on edges are only for the network that made
/// them. A point without legs reaches nothing.
///
/// \tparam S  the semiring
template <Semiring S>
class EndPoints {
 public:
  /// The type of a length.
  using T = typename S::value_type;

  /// \brief Points with legs.
  /// \param network  has the vertices. It need not outlive the points.
  /// \param points   the number of points
  /// \param legs     host container of legs, in any order. A point may have any number. A leg of length S::zero()
  ///                 (infinity<T> for shortest paths) leads nowhere.
  /// \param second   host container of numbers: the second length of each leg, for SecondWeights; or empty
  /// \throws InvalidInput for a point or a vertex out of range, a NaN, a length that the semiring does not take. Also
  ///                      for another number of second lengths, or an infinite one of a leg that leads somewhere.
  /// \throws OverflowRisk for an integer that reaches infinity<T>
  /// \throws OutOfMemory if the legs do not fit; thrown before they are allocated
  ///
  /// Memory: 4 bytes, a T and its second length of 8 bytes for each leg, and 8 bytes for each point.
  template <class Space, class Place, std::ranges::contiguous_range Legs,
            std::ranges::contiguous_range Second = std::vector<double>>
  EndPoints(const NetworkQuestions<S, Space, Place>& network, std::int64_t points, const Legs& legs,
            const Second& second = {})
      : lists_(detail::lists_of_legs<S>(network.vertices(), points, legs, second)) {}

  /// \brief Points that are vertices: each has a leg to its vertex, which is the empty path.
  /// \param network   has the vertices. It need not outlive the points.
  /// \param vertices  host container of vertices. A vertex may occur twice.
  /// \throws InvalidInput for a vertex out of range
  template <class Space, class Place, std::ranges::contiguous_range Vertices>
    requires std::integral<std::ranges::range_value_t<Vertices>>
  EndPoints(const NetworkQuestions<S, Space, Place>& network, const Vertices& vertices)
      : lists_(detail::lists_of_vertices<S>(network.vertices(), vertices)) {}

  /// Takes lists that are checked. For on_edges(), not for callers.
  explicit EndPoints(detail::PointLists<T>&& lists) : lists_(std::move(lists)) {}

  /// The number of points.
  std::int64_t points() const { return static_cast<std::int64_t>(lists_.points()); }
  /// The number of vertices of the network.
  std::int64_t vertices() const { return lists_.vertices; }

  /// \brief The legs of all points, point by point, without legs that lead nowhere.
  std::vector<Leg<T>> legs() const {
    std::vector<Leg<T>> all;
    for (std::size_t point = 0; point < lists_.points(); ++point)
      for (std::size_t leg = detail::at(lists_.first[point]); leg < detail::at(lists_.first[point + 1]); ++leg)
        all.push_back({static_cast<std::int32_t>(point), lists_.vertex[leg], lists_.length[leg]});
    return all;
  }

  /// The lists of legs and places. Not for callers.
  const detail::PointLists<T>& lists() const { return lists_; }

 private:
  detail::PointLists<T> lists_;
};

/// Points on edges in both roles. They are the same points. Sources that are asked as targets are refused, and targets
/// as sources, unless the edges are undirected.
template <Semiring S>
struct PlacesOnEdges {
  EndPoints<S> from,  ///< the points as sources
      to;             ///< as targets
};

/// \brief Points on edges of a network, for shortest paths.
/// \param network  has the edges. The points are for its weights: copies of the network and factor_of() take them.
///                 Other networks and factors refuse them, also a network of the same edges that was made anew.
/// \param points   the number of points
/// \param places   host container of places, in any order. A point may have any number, one on an edge.
/// \throws InvalidInput for a point or an edge out of range, a NaN, a position that is not on the edge, two places of a
///                      point on an edge
///
/// Let u → v be a directed edge of weight w, and a the position of a place on it. A path from the place goes on to v,
/// with length w - a. A path to the place comes from u, with length a. On an undirected edge a path may leave and
/// arrive at both ends. Between two places on the same edge, the piece of the edge between them is a path, too. A piece
/// of a directed edge leads only in the edge's direction.
///
/// A place at position 0 or w of a directed edge is still on the edge, not at its vertex: a vertex may have other
/// edges. The positions on a directed edge of a negative weight lie between 0 and this weight. On a closed edge a place
/// reaches nothing, and nothing reaches it.
///
/// Memory: for each place and role, the memory of two legs, 16 bytes and a T.
template <Distance T, class Host, std::ranges::contiguous_range Places>
PlacesOnEdges<MinPlus<T>> on_edges(const Network<MinPlus<T>, Host>& network, std::int64_t points,
                                   const Places& places) {
  using S = MinPlus<T>;
  const bool undirected = network.direction() == Direction::undirected;
  const std::span<const Edge<T>> edges(network.edges());
  const std::vector<PlaceOnEdge<T>> kept = detail::checked_places(edges, points, places);
  detail::LegsOnEdges<T> leaving, arriving;
  for (std::int32_t p = 0; p < std::ssize(kept); ++p) {
    const PlaceOnEdge<T>& place = kept[detail::at(p)];
    const Edge<T>& edge = edges[detail::at(place.edge)];
    const T rest = static_cast<T>(edge.weight - place.position);
    leaving.add(place.point, edge.to, rest, ~p);
    arriving.add(place.point, edge.from, place.position, p);
    if (!undirected) continue;
    leaving.add(place.point, edge.from, place.position, p);
    arriving.add(place.point, edge.to, rest, ~p);
  }
  const auto lists_of = [&](detail::LegsOnEdges<T>& legs, detail::PointRole role) {
    return EndPoints<S>(detail::lists_of_places(network, points, std::move(legs), kept, undirected,
                                                undirected ? detail::PointRole::either : role));
  };
  return {lists_of(leaving, detail::PointRole::source), lists_of(arriving, detail::PointRole::target)};
}

/// \brief The distances from some points to others.
/// \param network  a Network, a SparseFactor, a NetworkWithDevice
/// \param from     the sources
/// \param to       the targets
/// \return a matrix where the network's answers are, with a row for each source and a column for each target. An entry
///         is S::zero() without a path.
/// \throws InvalidInput for points of a network with another number of vertices, on edges of another network or of
///                      other weights, or made for the other end
/// \throws OverflowRisk if a sum of integers reaches infinity<T>
/// \throws OutOfMemory
///
/// It takes the time of the table of the legs' vertices. The rows of this table are made some at a time, for points
/// that are neighbours in the network. Where points of two blocks share a vertex, its row is made for both. Then each
/// vertex of a target's leg takes a sum for each leg of a source, and each source a sum for each leg of a target.
/// Memory: the result, and two blocks of rows, of which one may be as large as a quarter of the result. (A block has a
/// row for each leg of a point at least.)
template <Semiring S, class Space, class Place>
DistanceMatrix<typename S::value_type, Space> table(const NetworkQuestions<S, Space, Place>& network,
                                                    const EndPoints<S>& from, const EndPoints<S>& to) {
  const auto d =
      detail::allocate_rows<typename S::value_type>(network.exec(), detail::at(from.points()), detail::at(to.points()));
  detail::write_points<S, Space>(network, from.lists(), &to.lists(), &d, 0, {});
  return d;
}

/// \brief The same into the caller's memory.
/// \param network  as above
/// \param from     the sources
/// \param to       the targets
/// \param d        a matrix with contiguous rows
/// \throws InvalidInput when d has another number of rows or columns
template <Semiring S, class Space, class Place>
void table(const NetworkQuestions<S, Space, Place>& network, const EndPoints<S>& from, const EndPoints<S>& to,
           const DistanceMatrix<typename S::value_type, Space>& d) {
  detail::write_points<S, Space>(network, from.lists(), &to.lists(), &d, 0, {});
}

/// \brief Calls f(first, rows) for blocks of rows of a table, in order. rows(r, j) is the distance from point first + r
/// of the sources to point j of the targets.
/// \param network  a Network, a SparseFactor, a NetworkWithDevice
/// \param from     the sources
/// \param to       the targets
/// \param f        called from the calling thread. It must not keep `rows`.
/// \param at_once  the number of rows of a block; 0: as many as are made efficiently together. Some blocks have fewer.
/// \throws InvalidInput, OverflowRisk, OutOfMemory as table(); any exception of f
///
/// If points in several blocks share a vertex, its row is made for each block. So neighbours in the list should be
/// neighbours in the network.
template <Semiring S, class Space, class Place, class F>
void for_rows_of_table(const NetworkQuestions<S, Space, Place>& network, const EndPoints<S>& from,
                       const EndPoints<S>& to, const F& f, std::int64_t at_once = 0) {
  detail::write_points<S, Space>(network, from.lists(), &to.lists(), nullptr, at_once, std::cref(f));
}

/// \brief The distances of pairs: entry i is the distance from point i of the sources to point i of the targets. The
/// result is on the host.
/// \param network  a Network, a SparseFactor, a NetworkWithDevice
/// \param from     the sources
/// \param to       the targets, one for each source
/// \throws InvalidInput if the numbers of sources and targets differ, and for points as table()
/// \throws OverflowRisk if a sum of integers reaches infinity<T>
/// \throws OutOfMemory
///
/// A pair takes the time of a pair of vertices for each leg of the source and each leg of the target.
template <Semiring S, class Space, class Place>
std::vector<typename S::value_type> distances(const NetworkQuestions<S, Space, Place>& network,
                                              const EndPoints<S>& from, const EndPoints<S>& to) {
  return detail::pairs_of_points<S>(network, from.lists(), to.lists(), {});
}

/// \brief The distances from some points to all vertices.
/// \param network  a Network, a SparseFactor, a NetworkWithDevice
/// \param from     the sources
/// \return a matrix where the network's answers are, with a row of n distances for each source
/// \throws InvalidInput, OverflowRisk, OutOfMemory as table()
///
/// It takes the time of the rows of the legs' vertices, as table() does, and a sum for each leg and vertex.
template <Semiring S, class Space, class Place>
DistanceMatrix<typename S::value_type, Space> distances_from(const NetworkQuestions<S, Space, Place>& network,
                                                             const EndPoints<S>& from) {
  const auto d = detail::allocate_rows<typename S::value_type>(network.exec(), detail::at(from.points()),
                                                               detail::at(network.vertices()));
  detail::write_points<S, Space>(network, from.lists(), nullptr, &d, 0, {});
  return d;
}

/// \brief The same into the caller's memory.
/// \param network  as above
/// \param from     the sources
/// \param d        a matrix with contiguous rows
/// \throws InvalidInput when d has another number of rows or columns
template <Semiring S, class Space, class Place>
void distances_from(const NetworkQuestions<S, Space, Place>& network, const EndPoints<S>& from,
                    const DistanceMatrix<typename S::value_type, Space>& d) {
  detail::write_points<S, Space>(network, from.lists(), nullptr, &d, 0, {});
}

/// \brief Calls f(first, rows) for blocks of rows from points to all vertices, in order. rows(r, v) is the distance
/// from point first + r to vertex v. DistanceHistogram::add() of all entries and group_sums() take these rows.
/// \param network  a Network, a SparseFactor, a NetworkWithDevice
/// \param from     the sources
/// \param f        called from the calling thread. It must not keep `rows`.
/// \param at_once  the number of rows of a block; 0: as many as are made efficiently together. Some blocks have fewer.
/// \throws InvalidInput, OverflowRisk, OutOfMemory as table(); any exception of f
template <Semiring S, class Space, class Place, class F>
void for_whole_rows(const NetworkQuestions<S, Space, Place>& network, const EndPoints<S>& from, const F& f,
                    std::int64_t at_once = 0) {
  detail::write_points<S, Space>(network, from.lists(), nullptr, nullptr, at_once, std::cref(f));
}

/// \brief For each point the nearest of some places, by the shortest paths from the point.
/// \param network  a Network, a SparseFactor, a NetworkWithDevice
/// \param from     the points
/// \param places   the places, which are points, too
/// \param count    places of each point
/// \return entry i · count + k for point i: the index of a place among the points of `places`, and its distance
/// \throws InvalidInput, OverflowRisk, OutOfMemory as table(); InvalidInput for a count below 1
///
/// A point has each place once, by its best legs. Of places at the same distance the first is nearer. It takes the time
/// of table(), whose rows are made some at a time.
template <Distance T, class Space, class Place>
NearestPlaces<T> nearest(const NetworkQuestions<MinPlus<T>, Space, Place>& network, const EndPoints<MinPlus<T>>& from,
                         const EndPoints<MinPlus<T>>& places, std::int64_t count = 1) {
  NearestPlaces<T> found{detail::checked_count(count), {}, {}};
  const Space exec = network.exec();
  for_rows_of_table(network, from, places, [&](std::int64_t, const DistanceMatrix<T, Space>& rows) {
    detail::append_nearest(exec, rows, found);
  });
  return found;
}

/// \brief The vertices within a limit of each point, with their distances.
/// \param network  a Network, a SparseFactor, a NetworkWithDevice
/// \param from     the points
/// \param limit    the largest distance; a path of this length is within it
/// \throws InvalidInput for points as table(), a limit that is NaN
/// \throws OverflowRisk if a sum of integers reaches -infinity<T>
/// \throws OutOfMemory
///
/// It takes the time of within() of the network for the legs' vertices, each with the limit less its shortest leg.
template <Distance T, class Space, class Place>
VerticesInReach<T> within(const NetworkQuestions<MinPlus<T>, Space, Place>& network, const EndPoints<MinPlus<T>>& from,
                          std::type_identity_t<T> limit) {
  const std::vector<T> limits(detail::at(from.points()), detail::checked_limit(limit));
  return detail::vertices_in_reach_of(network, from.lists(), limits);
}

/// \brief The same with limits[i] for point i.
/// \param network  as above
/// \param from     the points
/// \param limits   host container of limits
/// \throws InvalidInput also for another number of limits than of points
template <Distance T, class Space, class Place, std::ranges::contiguous_range Limits>
VerticesInReach<T> within(const NetworkQuestions<MinPlus<T>, Space, Place>& network, const EndPoints<MinPlus<T>>& from,
                          const Limits& limits) {
  return detail::vertices_in_reach_of(network, from.lists(), detail::checked_limits<T>(limits));
}

/// \brief The number of vertices within a limit of each point, in the time of within().
/// \param network  a Network, a SparseFactor, a NetworkWithDevice
/// \param from     the points
/// \param limit    the largest distance; a path of this length is within it
/// \throws InvalidInput, OverflowRisk, OutOfMemory as within()
template <Distance T, class Space, class Place>
std::vector<std::int64_t> count_within(const NetworkQuestions<MinPlus<T>, Space, Place>& network,
                                       const EndPoints<MinPlus<T>>& from, std::type_identity_t<T> limit) {
  const std::vector<T> limits = {detail::checked_limit(limit)};
  return detail::counts_in_reach_of(network, from.lists(), limits);
}

/// \brief The same within each of some limits, in any order, in the time of the largest.
/// \param network  as above
/// \param from     the points
/// \param limits   host container of limits
/// \return entry i · limits + l for point i and limits[l]
/// \throws InvalidInput also for no limits
template <Distance T, class Space, class Place, std::ranges::contiguous_range Limits>
std::vector<std::int64_t> count_within(const NetworkQuestions<MinPlus<T>, Space, Place>& network,
                                       const EndPoints<MinPlus<T>>& from, const Limits& limits) {
  return detail::counts_in_reach_of(network, from.lists(), detail::checked_limits<T>(limits));
}

}  // namespace blockfw
