// SPDX-License-Identifier: MIT
/// \file
/// \brief The tight edges of a solved graph: the edges of which shortest paths consist.
///
/// An edge is tight if its weight is the distance from its start to its end. In floats rounding may make a tight edge
/// longer; docs/authors/paths.md derives the tolerance.
#pragma once

#include "blockfw/detail/graph/adjacency.hpp"
#include "blockfw/detail/graph/rounded_tree.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/detail/matrices/edge_entries.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace blockfw::detail {

/// Twice the unit roundoff; 0 for integers, which do not round.
template <Distance T>
inline constexpr T epsilon = std::is_integral_v<T> ? T(0) : std::numeric_limits<T>::epsilon();

/// The tight edges by the vertex where they begin.
template <Distance T, class ExecSpace>
struct TightEdges : Adjacency<T, ExecSpace> {
  Rounding<T> rounding;
  T detour;  ///< the most by which a path through a vertex of a shortest path may exceed the distance, besides
             ///< rounding.path relative to the distance
};

/// Whether an edge is tight: its weight is the solved distance, or larger by no more than rounding may cause.
template <Distance T, class View>
struct IsTight {
  View d;
  bool all;   ///< whether every edge counts as tight
  T longest;  ///< no tight edge is longer
  T rounding;

  KOKKOS_FUNCTION bool operator()(const Edge<T>& edge) const {
    return edge.from != edge.to && edge.weight < infinity<T> && edge.weight <= longest && entry(edge);
  }
  /// The same without a comparison with `longest`. For edges in matrix order, reading the distance is as cheap. Has no
  /// branches.
  KOKKOS_FORCEINLINE_FUNCTION bool entry(const Edge<T>& edge) const {
    const T distance = entry_at(d, edge.from, edge.to);
    bool tight = all | (edge.weight == distance);
    if constexpr (std::is_floating_point_v<T>) tight |= edge.weight - distance <= rounding * edge.weight;
    return tight & (edge.from != edge.to) & (edge.weight < infinity<T>);
  }
  KOKKOS_FUNCTION void fetch(const Edge<T>& edge) const {
    if (edge.weight <= longest) prefetch_entry(d, edge.from, edge.to);
  }
};

/// Selects the edges that may lie on a shortest path.
template <Distance T>
struct LeadsOn {
  KOKKOS_FUNCTION bool operator()(const Edge<T>& edge) const {
    return edge.from != edge.to && edge.weight < infinity<T>;
  }
  KOKKOS_FUNCTION void fetch(const Edge<T>&) const {}
};

/// The longest finite distance. A longer edge is not tight, so its distance need not be looked up.
template <class ExecSpace, class View>
typename View::non_const_value_type longest_distance(const ExecSpace& exec, const View& d) {
  using T = typename View::non_const_value_type;
  using Rows = Kokkos::TeamPolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>;
  const auto n = static_cast<std::int64_t>(d.extent(0));
  T longest = -infinity<T>;
  detail::reduce_teams(
      "blockfw::longest_distance", Rows(exec, static_cast<int>(n), Kokkos::AUTO),
      KOKKOS_LAMBDA(const typename Rows::member_type& team, T& most) {
        const std::int64_t i = team.league_rank();
        T farthest = -infinity<T>;
        Kokkos::parallel_reduce(
            Kokkos::TeamVectorRange(team, n),
            [&](std::int64_t j, T& x) {
              const T distance = d(i, j);
              const bool there = distance < infinity<T>;
              const bool farther = distance > x;
              x = (there & farther) ? distance : x;
            },
            Kokkos::Max<T>(farthest));
        Kokkos::single(Kokkos::PerTeam(team), [&] { most = Kokkos::max(most, farthest); });
      },
      Kokkos::Max<T>(longest));
  return longest;
}

/// A bound of the relative rounding error of a distance.
template <Distance T>
T rounding_of(std::int64_t n) {
  return static_cast<T>(2 * n) * epsilon<T>;
}

/// Rounding errors are bounded only if no weight is negative. Otherwise (`any_will_do`) all edges count as tight, and
/// the edges of the least excess are good enough.
///
/// \param heaviest  bounds the weights' magnitudes, where some weights are negative
template <Distance T, class ExecSpace>
TightEdges<T, ExecSpace> with_tolerance(const Adjacency<T, ExecSpace>& lists, bool any_will_do, std::int64_t n,
                                        T heaviest = infinity<T>) {
  const T path = static_cast<T>(8 * rounding_of<T>(n));
  return {lists,
          {4 * epsilon<T>, path, any_will_do},
          any_will_do ? static_cast<T>(path * static_cast<T>(n) * heaviest) : T(0)};
}

template <Distance T, class ExecSpace, class View, class List>
TightEdges<T, ExecSpace> tight_edges(const ExecSpace& exec, const View& d, const ListedEdges<T, List>& edges) {
  const auto n = static_cast<std::int64_t>(d.extent(0));
  const auto range = std::is_floating_point_v<T> ? checked_range<T>(exec, n, edges) : WeightRange<T>();
  const bool any_will_do = range.any_negative();
  T longest = infinity<T>;
  if (!any_will_do && edges.count() >= n * n / 16) {
    longest = longest_distance(exec, d);
    longest = static_cast<T>(longest + 2 * rounding_of<T>(n) * Kokkos::abs(longest));
  }
  const IsTight<T, View> tight{d, any_will_do, longest, rounding_of<T>(n)};
  return with_tolerance<T, ExecSpace>(list_edges<T>(exec, n, edges, tight), any_will_do, n,
                                      std::max(range.largest, static_cast<T>(-range.smallest)));
}

template <Distance T, class ExecSpace, class View, class Matrix>
TightEdges<T, ExecSpace> tight_edges(const ExecSpace& exec, const View& d, const MatrixEdges<T, Matrix>& edges) {
  const auto n = static_cast<std::int64_t>(d.extent(0));
  const typename Adjacency<T, ExecSpace>::template Array<std::int64_t> first(
      Kokkos::view_alloc(exec, "blockfw::first_edge"), d.extent(0) + 1);
  IsTight<T, View> tight{d, false, infinity<T>, rounding_of<T>(n)};
  const bool negative = count_entries(exec, edges, tight, first);
  if (std::is_floating_point_v<T> && negative) {
    tight.all = true;
    count_entries(exec, edges, tight, first);
  }
  const auto lists = allocate_lists<T>(exec, first);
  list_entries(exec, edges, tight, lists);
  exec.fence("blockfw::list_entries");
  return with_tolerance<T, ExecSpace>(lists, tight.all, n);
}

}  // namespace blockfw::detail
