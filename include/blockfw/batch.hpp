// SPDX-License-Identifier: MIT
/// \file
/// \brief batched_floyd_warshall: all-pairs shortest paths of many small graphs of one order, in one launch.
///
/// \code
///   Kokkos::View<int***> d("d", graphs, n, n);  // d(g, i, j), as for blocked_floyd_warshall
///   blockfw::batched_floyd_warshall(Kokkos::DefaultExecutionSpace{}, d);
/// \endcode
#pragma once

#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/kernel/phases.hpp"
#include "blockfw/detail/kernel/tuned_tiles.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/detail/small/graph_tiles.hpp"
#include "blockfw/floyd_warshall.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/tile.hpp"

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace blockfw {

/// Whether V is a rank-3 Kokkos view.
template <class V>
concept BatchView = Kokkos::is_view_v<V> && (V::rank() == 3);

namespace detail {

/// \brief Matrices of one order, not owned. Each matrix starts `stride` elements after the previous matrix.
template <class T, class ExecSpace>
struct Batch {
  using Ref = MatrixRef<T, ExecSpace>;
  Ref first;
  std::int64_t graphs, stride;

  KOKKOS_FORCEINLINE_FUNCTION Ref at(std::int64_t graph) const {
    return Ref(first.data() + graph * stride, first.layout());
  }
};

/// \throws InvalidInput when the matrices are not square
template <BatchView View>
void require_square_graphs(const View& d) {
  if (d.extent(1) != d.extent(2))
    throw InvalidInput("the graphs of the batch '" + d.label() + "' have matrices of " + std::to_string(d.extent(1)) +
                       " rows and " + std::to_string(d.extent(2)) + " columns, expected square ones");
}

/// \brief The batch of a rank-3 view; see matrix_ref().
/// \throws InvalidInput when the matrices are not square or there is a null pointer
template <class ExecSpace, BatchView View>
Batch<typename View::value_type, ExecSpace> batch_of(const View& d) {
  require_square_graphs(d);
  const auto graphs = static_cast<std::int64_t>(d.extent(0));
  if (d.data() == nullptr && graphs > 0 && d.extent(1) > 0)
    throw InvalidInput("the batch '" + d.label() + "' of " + std::to_string(graphs) + " graphs of " +
                       std::to_string(d.extent(1)) + " vertices has no memory (null pointer)");
  if (graphs == 0) return {{}, 0, 0};
  return {matrix_ref<ExecSpace>(Kokkos::subview(d, 0, Kokkos::ALL, Kokkos::ALL)), graphs,
          static_cast<std::int64_t>(d.stride(0))};
}

/// The largest order that a team solves on its own.
inline constexpr int largest_of_team = 256;

/// Solves each graph by one team, tile by tile, with panels of the team's own. There are at most as many teams as the
/// device holds at once.
template <class Shape, class T, class ExecSpace, class Device = ThisDevice>
void solve_graphs_by_teams(const ExecSpace& exec, const Batch<T, ExecSpace>& batch) {
  using Phase = Phases<Shape, ExecSpace, MinPlus<T>, Device>;
  using Member = typename Phase::Member;
  if constexpr (!runs_host_kernel<ExecSpace, Device>) require_near_entries(batch.first, Shape::block);
  const std::int64_t graphs = batch.graphs;
  const int n = batch.first.extent_int(0), held = std::max(1, Phase::teams_at_once(exec));
  const int league = static_cast<int>(std::min<std::int64_t>(graphs, held));
  const typename Phase::GroupStorage storage(exec, {.order = n, .height = n, .width = n, .rounds = 1, .sets = league});
  const auto panels = storage.panels();
  detail::for_teams(
      "blockfw::batch", Phase::teams(exec, league), KOKKOS_LAMBDA(const Member& member) {
        const typename Phase::Team team(member);
        const auto own = panels.of(member.league_rank());
        for (std::int64_t g = member.league_rank(); g < graphs; g += league) Phase::eliminate(team, batch.at(g), own);
      });
}

/// Solves with the first tile that holds a graph whole. Where no tile does, a device's teams solve graphs of up to
/// largest_of_team vertices tile by tile. All other graphs go one by one to the solver for one graph.
template <class T, class ExecSpace, class... Shapes>
void solve_graphs(const ExecSpace& exec, const Batch<T, ExecSpace>& batch, TileList<Shapes...>) {
  const int n = batch.first.extent_int(0);
  const auto in_a_tile = [&]<class Shape>(Shape) {
    if (n <= Shape::block) close_graphs<Shape, MinPlus<T>>(exec, batch);
    return n <= Shape::block;
  };
  if ((in_a_tile(Shapes()) || ...)) return;
  if constexpr (!is_host_space<ExecSpace>)
    if (n <= largest_of_team && batch.graphs > 1) {
      if constexpr (sizeof(T) <= 4 && target.wide_graphs)
        if (n > 192) return solve_graphs_by_teams<Tile<128, 8, 8>, T>(exec, batch);
      return solve_graphs_by_teams<typename DefaultTile<ExecSpace, T>::small_type, T>(exec, batch);
    }
  for (std::int64_t g = 0; g < batch.graphs; ++g) do_rounds<TunedTile, void, T>(exec, batch.at(g), {});
}

}  // namespace detail

/// \brief Shortest distances of all pairs of many graphs of n vertices each, in place.
///
/// Each graph's matrix is as for blocked_floyd_warshall(), on entry and on exit. The graphs do not affect each other. A
/// graph with a negative cycle ends with a negative diagonal entry (see find_negative_cycles).
///
/// \param exec  the instance to run on. Nothing else is used or fenced, and on a device the call returns early.
/// \param d     rank-3 Kokkos view, d(graph, i, j), of int16_t, int32_t, int64_t, float or double. ExecSpace must reach
///              it. Any layout will do; LayoutRight is fast.
/// \throws InvalidInput  when the matrices are not square or have no memory. On a device also when two entries of a
///                       tile lie 2³¹ elements apart, as in a view of LayoutLeft with 2³¹ entries.
///
/// The solve takes graphs · n³ relaxes. Up to n = 256 there is one launch. Where a tile holds a graph whole (on a
/// device up to n = 128), each matrix is read and written once. The teams' scratch is then the only further memory. A
/// device's teams solve larger graphs tile by tile. Their panels take 3 · 128 · n elements for each team that the
/// device holds. blocked_floyd_warshall() solves graphs of more than 256 vertices, one after another.
template <class ExecSpace, BatchView View>
  requires Kokkos::is_execution_space_v<ExecSpace>
void batched_floyd_warshall(const ExecSpace& exec, const View& d) {
  using T = typename View::value_type;
  const auto batch = detail::batch_of<ExecSpace>(d);
  if (batch.graphs == 0 || batch.first.extent(0) == 0) return;
  const Kokkos::Profiling::ScopedRegion region("blockfw::batched_floyd_warshall");
  detail::solve_graphs<T>(exec, batch, typename detail::GraphTiles<ExecSpace, T>::type());
}

/// \brief Finds for each solved graph of a batch a vertex on a negative cycle, or no_vertex. The vertex is the smallest
/// whose diagonal entry is negative.
///
/// O(graphs · n), on exec, which is fenced. The result is on the host.
template <class ExecSpace, BatchView View>
std::vector<std::int64_t> find_negative_cycles(const ExecSpace& exec, const View& d) {
  using T = typename View::non_const_value_type;
  require_reachable<ExecSpace, View>();
  detail::require_square_graphs(d);
  const MatrixRef<const T, ExecSpace> first(
      d.data(), Kokkos::LayoutStride(d.extent(1), static_cast<std::size_t>(d.stride(1)), d.extent(2),
                                     static_cast<std::size_t>(d.stride(2))));
  return detail::first_diverging<MinPlus<T>>(
      exec, detail::Batch<const T, ExecSpace>{first, static_cast<std::int64_t>(d.extent(0)),
                                              static_cast<std::int64_t>(d.stride(0))});
}

/// mark_unreachable() for each graph of a batch. No graph may have a path longer than `longest`.
template <class ExecSpace, BatchView View>
void mark_unreachable(const ExecSpace& exec, const View& d, typename View::non_const_value_type longest) {
  using T = typename View::non_const_value_type;
  detail::require_square_graphs(d);
  const auto graphs = static_cast<std::int64_t>(d.extent(0)), n = static_cast<std::int64_t>(d.extent(1));
  if (n == 0) return;
  detail::for_range(
      "blockfw::mark_unreachable", exec, 0, graphs * n * n, KOKKOS_LAMBDA(std::int64_t e) {
        T& entry = d(e / (n * n), e / n % n, e % n);
        if (entry > longest) entry = infinity<T>;
      });
}

}  // namespace blockfw
