// SPDX-License-Identifier: MIT
/// \file
/// \brief Edge lists, and the functions that fill the solver's matrix from one.
#pragma once

#include "blockfw/detail/backend/backend.hpp"
#include "blockfw/detail/backend/compiled.hpp"
#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/kernel/rounds.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/detail/matrices/copies.hpp"
#include "blockfw/detail/matrices/edge_entries.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <concepts>
#include <cstdint>
#include <ranges>
#include <string>

namespace blockfw {

/// An n x n matrix of distances in the memory of a space: d(i, j) from i to j, infinity<T> without a path.
template <class T, class Space = Kokkos::DefaultExecutionSpace>
using DistanceMatrix = Kokkos::View<T**, Kokkos::LayoutRight, typename Space::memory_space>;

namespace detail {

/// \brief Checks that the distances of n vertices can be had.
/// \throws InvalidInput for n < 0; OutOfMemory
template <Element T, class ExecSpace>
void require_distances(const ExecSpace& exec, std::int64_t n, double besides = 0) {
  require_order(n);
  const double length = static_cast<double>(n);
  require_memory(exec, "the distances of " + std::to_string(n) + " vertices", length * length * sizeof(T), besides);
}

}  // namespace detail

/// \brief Memory for the distances of n vertices, not yet filled.
/// \throws InvalidInput for n < 0; OutOfMemory when it does not fit, before it is allocated
template <Element T, class ExecSpace>
DistanceMatrix<T, ExecSpace> allocate_distances(const ExecSpace& exec, std::int64_t n) {
  detail::require_distances<T>(exec, n, n < 0 ? 0 : detail::workspace_bytes<T>(exec, n));
  const auto d = detail::without_values<DistanceMatrix<T, ExecSpace>>(exec, "blockfw::distances", n, n);
  if constexpr (is_host_space<ExecSpace>) detail::prefer_large_pages(d.data(), d.size() * sizeof(T));
  return d;
}

namespace detail {

/// fill_from_edges() of a view that exec can reach.
template <Semiring S, class ExecSpace, MatrixView View, class Edges>
WeightRange<typename S::value_type> fill_from_view(const ExecSpace& exec, const View& d, const Edges& edges,
                                                   const FillOptions& options) {
  using T = typename View::non_const_value_type;
  const Kokkos::Profiling::ScopedRegion region("blockfw::fill_from_edges");
  matrix_ref<ExecSpace>(d);  // throws unless d is square

  const auto n = static_cast<std::int64_t>(d.extent(0)), count = static_cast<std::int64_t>(edges.extent(0));
  using Square = Kokkos::TeamPolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>;
  for_teams(
      "blockfw::fill_infinity", Square(exec, static_cast<int>(n), Kokkos::AUTO),
      KOKKOS_LAMBDA(const typename Square::member_type& team) {
        const std::int64_t i = team.league_rank();
        Kokkos::parallel_for(Kokkos::TeamVectorRange(team, n),
                             [&](std::int64_t j) { d(i, j) = i == j ? S::one() : S::zero(); });
      });

  constexpr std::int64_t ahead = 32;  // in edges; enough to have the entry in a cache when it is needed
  const bool undirected = options.direction == Direction::undirected;
  return for_checked_edges<S>(
      "blockfw::scatter_edges", exec, edges, n, options.first_edge,
      KOKKOS_LAMBDA(std::int64_t e, const typename Edges::non_const_value_type& edge) {
        if (e + ahead < count) {
          const auto later = edges(e + ahead);
          prefetch_entry(d, later.from, later.to);
        }
        const T weight = static_cast<T>(edge.weight);
        atomic_improve<S>(&entry_at(d, edge.from, edge.to), weight);
        if (undirected) atomic_improve<S>(&entry_at(d, edge.to, edge.from), weight);
      });
}

}  // namespace detail

/// \brief Fills the n x n matrix d: 0 on the diagonal, the lightest edge i → j at (i, j), infinity where there is none.
///
/// Parallel over the edges, in any order. Repeated edges keep the smallest weight, and a self loop counts only if it is
/// negative. Among floats a weight of infinity is no edge. Among integers a weight of infinity<T> or more is an error
/// (OverflowRisk, by solve). Weights of another type W are converted to T. For other semirings the diagonal is one(),
/// the best edge is kept, and zero() means no edge. A self loop then counts only if it diverges(). docs/weights.md has
/// the table.
///
/// \tparam Over  the semiring; if left out, shortest paths
/// \param exec   the instance to run on. It is fenced, because the result is checked.
/// \param d      square rank-2 view
/// \param edges  container or rank-1 view of Edge<W>. Where exec cannot reach it, a copy is made.
/// \param options  the direction, and the number of the first edge
/// \return the range of the weights
/// \throws InvalidEdge for a vertex outside [0, n), a weight of NaN, a float of -infinity, or another weight that the
///         semiring refuses. d is then unspecified.
///
/// O(n² + edges). Memory: a copy of the edges, if one is made.
template <class Over = void, class ExecSpace, MatrixView View, EdgeList Edges>
WeightRange<typename View::non_const_value_type> fill_from_edges(const ExecSpace& exec, const View& d,
                                                                 const Edges& edges, const FillOptions& options = {}) {
  using S = semiring_of<Over, typename View::non_const_value_type>;
  static_assert(detail::converts<detail::WeightOf<Edges>, typename S::value_type>,
                "blockfw: the weights must convert to the distances' type without loss");
  return detail::fill_from_view<S>(exec, d, reachable_edges(exec, edges), options);
}

}  // namespace blockfw

namespace blockfw::detail::compiled {

/// The edges of a host container in the form that solve() passes on: in place, or as a copy on the device.
template <class T>
using EdgesOf = decltype(reachable_edges(Exec(), view_of(std::vector<Edge<T>>())));
/// The same on the host.
template <class T>
using HostEdges = decltype(view_of(std::vector<Edge<T>>()));

}  // namespace blockfw::detail::compiled

/// A matrix of the edges of a container.
#define BLOCKFW_COMPILED_EDGES(LINKAGE, S)                                                                       \
  LINKAGE template blockfw::WeightRange<blockfw::detail::compiled::Value<S>> blockfw::detail::fill_from_view<S>( \
      const blockfw::detail::compiled::Exec&,                                                                    \
      const Kokkos::View<blockfw::detail::compiled::Value<S>**, Kokkos::LayoutRight,                             \
                         blockfw::detail::compiled::Exec::memory_space>&,                                        \
      const blockfw::detail::compiled::EdgesOf<blockfw::detail::compiled::Value<S>>&, const blockfw::FillOptions&);

#if defined(BLOCKFW_COMPILED)
BLOCKFW_COMPILED_SEMIRINGS(BLOCKFW_COMPILED_EDGES, extern)
#endif
