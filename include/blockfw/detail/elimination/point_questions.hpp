// SPDX-License-Identifier: MIT
/// \file
/// \brief The questions of points beside a network, by the network's own questions about the vertices of their legs.
///
/// A network here is any class with the questions of NetworkQuestions.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/elimination/nearest_and_within.hpp"
#include "blockfw/detail/elimination/place.hpp"
#include "blockfw/detail/elimination/point_rows.hpp"
#include "blockfw/detail/graph/neighbours.hpp"
#include "blockfw/detail/loops/threads.hpp"
#include "blockfw/detail/matrices/checks.hpp"
#include "blockfw/ground/answers.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <new>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace blockfw::detail {

/// \throws InvalidInput for a number of points that 32 bits do not count
inline void require_points(std::int64_t points) {
  if (points < 0 || points > std::numeric_limits<std::int32_t>::max())
    throw InvalidInput("the number of points is " + std::to_string(points) + ", expected 0 to " +
                       std::to_string(std::numeric_limits<std::int32_t>::max()));
}

/// The begin of a sentence about an item of a list, such as a leg.
inline std::string item(const char* kind, std::int64_t index) { return kind + (" " + std::to_string(index)) + ": "; }

/// \throws InvalidInput for the point of an item that is out of range
inline void require_point(const char* kind, std::int64_t index, std::int64_t point, std::int64_t points) {
  if (point < 0 || point >= points)
    throw InvalidInput(item(kind, index) + out_of_range("point", point, points, "there are no points"));
}

/// \throws InvalidInput for points of a network with another number of vertices, of another role, or on edges of
///                      another network or of other weights
template <class Network, class T>
void require_points_of(const Network& network, const PointLists<T>& points, PointRole role) {
  if (points.role != PointRole::either && points.role != role)
    throw InvalidInput(role == PointRole::source
                           ? "the sources are points made as targets, expected points as sources"
                           : "the targets are points made as sources, expected points as targets");
  if (points.vertices != network.vertices())
    throw InvalidInput("the points belong to a network of " + std::to_string(points.vertices) +
                       " vertices, expected one of " + std::to_string(network.vertices()));
  if (!is_same(points.network, Identity()) && !is_same(points.network, network.identity()))
    throw InvalidInput(
        "the points lie on edges of another network, or of other weights, expected points that this network made");
}

/// \brief Writes rows of distances from points.
/// \param to       the targets; null: all vertices
/// \param d        the matrix of all rows; null: a block of rows, which f gets
/// \param at_once  the rows of a block; 0: as many as are made efficiently
/// \param f        called as f(first, rows) for blocks of rows, in order; with d after each block of points, which may
///                 come in another order; may be empty
/// \param sweeps   whether sums of floats may round as those of sweeps. Where the targets have legs from all vertices,
///                 sweeps take a fraction of a table's time. Sums of integers are the same, and so sweeps make them.
/// \throws InvalidInput, OverflowRisk, OutOfMemory; any exception of f
template <Semiring S, class ExecSpace, class Network>
void write_points(const Network& network, const PointLists<typename S::value_type>& from,
                  const PointLists<typename S::value_type>* to, const RowsOf<typename S::value_type, ExecSpace>* d,
                  std::int64_t at_once, const typename PointRows<S, ExecSpace>::Takes& f, bool sweeps = false) {
  using T = typename S::value_type;
  const Kokkos::Profiling::ScopedRegion region("blockfw::point_rows");
  require_points_of(network, from, PointRole::source);
  if (to) require_points_of(network, *to, PointRole::target);
  const ExecSpace exec = network.exec();
  const std::vector<std::int32_t> columns = to ? to->distinct_vertices() : std::vector<std::int32_t>();
  const std::size_t points = from.points(), width = to ? columns.size() : at(network.vertices()),
                    targets = to ? to->points() : width;
  const bool whole = !to || (width == at(network.vertices()) && (sweeps || std::is_integral_v<T>));
  if (d) require_shape(*d, points, targets);
  const std::size_t efficient = network.rows_at_once(std::max(width, targets));
  const std::size_t most = std::min(at_once > 0 ? at(at_once) : efficient, std::max<std::size_t>(points, 1));
  // The rows of a group may take a quarter of the memory of a large result, so that fewer rows are made twice. The
  // memory of the result does not count as free, although its pages may be untouched yet.
  double beside = 0;
  if (d) {
    const double result = static_cast<double>(points) * static_cast<double>(targets) * sizeof(T);
    beside = std::min(result / 4, std::max(0., available_bytes(exec) - result) / 2);
  }
  const auto fit =
      static_cast<std::size_t>(beside / (static_cast<double>(std::max<std::size_t>(width, 1)) * sizeof(T)));
  const std::size_t in_rows = at_once > 0 ? most : std::max(network.rows_at_once(width), fit);
  PointGroups groups(from, at_once > 0 ? most : 1, in_rows);
  if (d && groups.count() > 1)  // (Where points of two groups share a vertex, its row is made for both.)
    groups = PointGroups(from, 1, in_rows, order_by_place(from, places_of(network.analysis().order())));
  const RowsOf<T, ExecSpace> rows = d ? *d : allocate_rows<T>(exec, std::min(most, points), targets);
  const PointRows<S, ExecSpace> point_rows(exec, from, to, columns, groups, most);
  const std::size_t in_group = groups.most_vertices();
  const auto write = [&](std::int64_t first, const RowsOf<T, ExecSpace>& distances) {
    point_rows.write(at(first) / in_group, distances, rows, d != nullptr, f);
  };
  if (in_group == 0) {  // no point has a leg
    for (std::size_t g = 0; g < groups.count(); ++g) point_rows.write(g, RowsOf<T, ExecSpace>(), rows, d != nullptr, f);
  } else if (!whole) {
    network.for_rows_of_table(groups.padded(), columns, write, static_cast<std::int64_t>(in_group));
  } else {
    const std::vector<std::int32_t> sources = groups.padded();
    const auto make = [&](std::size_t first, const RowsOf<T, ExecSpace>& block) {
      network.distances_from(std::span(sources).subspan(first, block.extent(0)), block);
    };
    for_blocks<T>(exec, sources.size(), width, in_group, make,
                  [&](std::size_t first, const auto& block) { write(static_cast<std::int64_t>(first), block); });
  }
  exec.fence("blockfw::point_rows");
}

/// Calls f(leg) for the legs of a point.
template <class T, class F>
void for_legs(const PointLists<T>& points, std::size_t point, const F& f) {
  for (std::size_t leg = at(points.first[point]); leg < at(points.first[point + 1]); ++leg) f(leg);
}

/// \brief Calls f(p, q, alone) for each place p of a source and place q of a target on the same edge.
///
/// `alone` is for relax_piece().
template <class T, class F>
void for_pieces(const PointLists<T>& from, std::size_t source, const PointLists<T>& to, std::size_t target,
                const F& f) {
  if (!from.has_places() || !to.has_places()) return;
  const bool alone = from.is_alone(source) && to.is_alone(target);
  for (std::size_t p = at(from.first_place[source]); p < at(from.first_place[source + 1]); ++p)
    for (std::size_t q = at(to.first_place[target]); q < at(to.first_place[target + 1]); ++q)
      if (from.edge[p] == to.edge[q]) f(p, q, alone);
}

/// \brief distance ⊕ the pieces of edges from a source to a target.
template <Semiring S, class T = typename S::value_type>
T relax_pieces(T distance, const PointLists<T>& from, std::size_t source, const PointLists<T>& to, std::size_t target) {
  for_pieces(from, source, to, target, [&](std::size_t p, std::size_t q, bool alone) {
    distance = relax_piece<S>(distance, from.position[p], to.position[q], from.undirected, alone);
  });
  return distance;
}

/// \brief Calls f(first, end, sources, targets) for blocks of pairs of points. The lists have a pair of vertices for
/// each leg of a point's source and each leg of its target.
template <class T, class F>
void for_pairs_of_legs(const PointLists<T>& from, const PointLists<T>& to, const F& f) {
  constexpr std::size_t at_once = std::size_t{1} << 22;  // pairs of vertices, unless a pair of points has more
  for (std::size_t first = 0, end = 0; first < from.points(); first = end) {
    std::vector<std::int32_t> sources, targets;
    for (; end < from.points() && sources.size() < at_once; ++end)
      for_legs(from, end, [&](std::size_t p) {
        for_legs(to, end, [&](std::size_t q) {
          sources.push_back(from.vertex[p]);
          targets.push_back(to.vertex[q]);
        });
      });
    f(first, end, sources, targets);
  }
}

/// \brief The distances of pairs of points.
/// \param f  called after each block of pairs; may be empty
/// \throws InvalidInput, OverflowRisk, OutOfMemory; any exception of f
template <Semiring S, class Network, class T = typename S::value_type>
std::vector<T> pairs_of_points(const Network& network, const PointLists<T>& from, const PointLists<T>& to,
                               const std::function<void()>& f) {
  require_points_of(network, from, PointRole::source);
  require_points_of(network, to, PointRole::target);
  require_pairs(from.points(), to.points());
  std::vector<T> result(from.points(), S::zero());
  for_pairs_of_legs(from, to, [&](std::size_t first, std::size_t end, const auto& sources, const auto& targets) {
    const std::vector<T> found = network.distances(sources, targets);
    auto between = found.begin();
    for (std::size_t point = first; point < end; ++point) {
      T best = S::zero(), far = 0;
      for_legs(from, point, [&](std::size_t p) {
        for_legs(to, point, [&](std::size_t q) {
          const T until = relax_leg<S>(S::zero(), from.length[p], *between++, far);
          best = relax_leg<S>(best, until, to.length[q], far);
        });
      });
      if (far != T(0)) throw_far_sum<T>(static_cast<std::int64_t>(point));
      result[point] = relax_pieces<S>(best, from, point, to, point);
    }
    if (f) f();
  });
  return result;
}

/// A limit for the vertex of a leg, out of the limit of the leg's point. It leaves out no vertex within the point's
/// limit, also where sums round.
template <class T>
T limit_beyond(T limit, T length) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(limit - length);
  } else {
    constexpr T rounding = 4 * std::numeric_limits<T>::epsilon();
    return limit - length + rounding * std::abs(limit) + rounding * std::abs(length);
  }
}

/// Vertices with distances, by ascending vertices.
template <class T>
using ListedVertices = std::vector<std::pair<std::int32_t, T>>;

/// \brief Merges sorted runs to one. Run r has the entries [begins[r], begins[r + 1]).
template <class Entries>
void merge_runs(Entries& entries, std::vector<std::size_t> begins) {
  const auto entry = [&](std::size_t i) { return entries.begin() + static_cast<std::ptrdiff_t>(i); };
  while (begins.size() > 2) {
    std::vector<std::size_t> next;
    for (std::size_t r = 0; r + 1 < begins.size(); r += 2) {
      next.push_back(begins[r]);
      if (r + 2 < begins.size()) std::inplace_merge(entry(begins[r]), entry(begins[r + 1]), entry(begins[r + 2]));
    }
    next.push_back(begins.back());
    begins = std::move(next);
  }
}

/// \brief The vertices within a limit of a point, each with its least distance.
/// \param found  the vertices within a limit of the vertices of the point's group
/// \param far    becomes the least of its value and the point's number, if a sum reaches -infinity<T>
template <class T>
ListedVertices<T> vertices_within(const PointLists<T>& points, const PointGroups& groups,
                                  const VerticesInReach<T>& found, std::size_t point, T limit, std::int64_t& far) {
  ListedVertices<T> list;
  std::vector<std::size_t> begins;
  for_legs(points, point, [&](std::size_t leg) {
    begins.push_back(list.size());
    const std::size_t row = at(groups.row[leg]);
    for (std::size_t e = at(found.first[row]); e < at(found.first[row + 1]); ++e) {
      T reaches = 0;
      const T sum = relax_leg<MinPlus<T>>(infinity<T>, points.length[leg], found.distances[e], reaches);
      if (reaches != T(0) && sum < T(0)) Kokkos::atomic_min(&far, static_cast<std::int64_t>(point));
      if (sum <= limit) list.push_back({found.vertices[e], sum});
    }
  });
  begins.push_back(list.size());
  merge_runs(list, std::move(begins));
  const auto same = [](const auto& x, const auto& y) { return x.first == y.first; };
  list.erase(std::unique(list.begin(), list.end(), same), list.end());
  return list;
}

/// \brief Calls f(list) for each point, in order, with the vertices within a limit of it.
/// \param limits  one for each point, less than infinity<T>
/// \throws InvalidInput for another number of limits; OverflowRisk; OutOfMemory; any exception of f
template <Distance T, class Network, class F>
void for_lists_within(const Network& network, const PointLists<T>& points, const std::vector<T>& limits, const F& f) {
  const Kokkos::Profiling::ScopedRegion region("blockfw::points_within");
  require_points_of(network, points, PointRole::source);
  require_limit_of_each(points.points(), limits.size());
  constexpr std::size_t at_once = std::size_t{1} << 22;  // entries of lists, unless a point has more
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
  const T lowest = static_cast<T>(-longest_finite<T>);
  const PointGroups groups(points, 1, network.rows_at_once());
  for (std::size_t g = 0; g < groups.count(); ++g) {
    const std::size_t end = groups.first[g + 1];
    std::vector<T> farthest(groups.vertices_of(g), lowest);  // each vertex's limit, for all of its legs
    for (std::size_t point = groups.first[g]; point < end; ++point)
      for_legs(points, point, [&](std::size_t leg) {
        T& mine = farthest[at(groups.row[leg])];
        mine = std::max(mine, limit_beyond(std::max(limits[point], lowest), points.length[leg]));
      });
    const auto vertices = std::span(groups.vertices).subspan(groups.first_vertex[g], groups.vertices_of(g));
    const VerticesInReach<T> found = network.within(vertices, farthest);
    for (std::size_t first = groups.first[g], stop = first; first < end; first = stop) {
      for (std::size_t entries = 0; stop < end && entries < at_once; ++stop)
        for_legs(points, stop, [&](std::size_t leg) {
          const std::size_t row = at(groups.row[leg]);
          entries += at(found.first[row + 1] - found.first[row]);
        });
      std::vector<ListedVertices<T>> lists(stop - first);
      std::atomic<bool> full = false;
      std::int64_t far = none;
      for_tasks(host_of(network.exec()), static_cast<std::int64_t>(lists.size()), "blockfw::points_within",
                [&](std::int64_t i) {
                  const std::size_t point = first + at(i);
                  try {
                    lists[at(i)] = vertices_within(points, groups, found, point, limits[point], far);
                  } catch (const std::bad_alloc&) {  // (a task must not throw)
                    full = true;
                  }
                });
      if (full) throw OutOfMemory("the vertices within the limit of " + std::to_string(stop) + " points do not fit");
      if (far != none) throw_far_sum<T>(far);
      for (const ListedVertices<T>& list : lists) f(list);
    }
  }
}

/// \brief The vertices within a limit of each point.
/// \param limits  one for each point, less than infinity<T>
/// \param as      as(list) is a list as the caller gets it
/// \throws InvalidInput, OverflowRisk, OutOfMemory as for_lists_within()
template <Distance T, class Network, class As = std::identity>
VerticesInReach<T> vertices_in_reach_of(const Network& network, const PointLists<T>& points,
                                        const std::vector<T>& limits, const As& as = {}) {
  VerticesInReach<T> found;
  for_lists_within<T>(network, points, limits, [&](const ListedVertices<T>& list) {
    for (const auto& [vertex, distance] : as(list)) {
      found.vertices.push_back(vertex);
      found.distances.push_back(distance);
    }
    found.first.push_back(static_cast<std::int64_t>(found.vertices.size()));
  });
  return found;
}

/// \brief The numbers of vertices within some limits of each point, as counts_in_reach() has them.
/// \param limits  one or more for all points, less than infinity<T>
/// \param as      as above
/// \throws InvalidInput for no limits; OverflowRisk, OutOfMemory as for_lists_within()
template <Distance T, class Network, class As = std::identity>
std::vector<std::int64_t> counts_in_reach_of(const Network& network, const PointLists<T>& points,
                                             const std::vector<T>& limits, const As& as = {}) {
  std::vector<std::int64_t> counts = zero_counts(points.points(), limits);
  const std::vector<T> largest(points.points(), *std::max_element(limits.begin(), limits.end()));
  std::int64_t* of_point = counts.data();
  for_lists_within<T>(network, points, largest, [&](const ListedVertices<T>& list) {
    for (const auto& [vertex, distance] : as(list)) count_vertex(distance, limits, of_point);
    of_point += limits.size();
  });
  return counts;
}

}  // namespace blockfw::detail
