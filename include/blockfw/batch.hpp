// SPDX-License-Identifier: MIT
/// \file
/// \brief batched_floyd_warshall: all-pairs shortest paths of many small graphs, of one order or of different orders,
/// in one call.
///
/// \code
///   Kokkos::View<int***> d("d", graphs, n, n);  // d(g, i, j), as for blocked_floyd_warshall
///   blockfw::batched_floyd_warshall(Kokkos::DefaultExecutionSpace{}, d);
/// \endcode
///
/// Graphs of different orders lie one after the other:
///
/// \code
///   const blockfw::GraphBatch<int> molecules(orders, d);
///   const auto cycles = blockfw::batched_floyd_warshall(Exec(), molecules, {.predecessors = before});
/// \endcode
#pragma once

#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/kernel/phases.hpp"
#include "blockfw/detail/kernel/tuned_tiles.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/detail/matrices/copies.hpp"
#include "blockfw/detail/small/device_batch.hpp"
#include "blockfw/detail/small/graph_tiles.hpp"
#include "blockfw/detail/small/host_batch.hpp"
#include "blockfw/detail/small/predecessor_rows.hpp"
#include "blockfw/floyd_warshall.hpp"
#include "blockfw/ground/answers.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/graph_batch.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
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
    throw InvalidInput("the graphs of the batch '", d.label(), "' have matrices of ", d.extent(1), " rows and ",
                       d.extent(2), " columns, expected square ones");
}

/// \brief The batch of a rank-3 view; see matrix_ref().
/// \throws InvalidInput when the matrices are not square or there is a null pointer
template <class ExecSpace, BatchView View>
Batch<typename View::value_type, ExecSpace> batch_of(const View& d) {
  require_square_graphs(d);
  const auto graphs = extent_along(d, 0);
  if (d.data() == nullptr && graphs > 0 && d.extent(1) > 0)
    throw InvalidInput("the batch '", d.label(), "' of ", graphs, " graphs of ", d.extent(1),
                       " vertices has no memory (null pointer)");
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
/// O(graphs · n), on exec. The call fences exec. The result is on the host.
template <class ExecSpace, BatchView View>
std::vector<std::int64_t> find_negative_cycles(const ExecSpace& exec, const View& d) {
  using T = typename View::non_const_value_type;
  require_reachable<ExecSpace, View>();
  detail::require_square_graphs(d);
  const MatrixRef<const T, ExecSpace> first(
      d.data(), Kokkos::LayoutStride(d.extent(1), static_cast<std::size_t>(d.stride(1)), d.extent(2),
                                     static_cast<std::size_t>(d.stride(2))));
  return detail::first_diverging<MinPlus<T>>(
      exec,
      detail::Batch<const T, ExecSpace>{first, detail::extent_along(d, 0), static_cast<std::int64_t>(d.stride(0))});
}

/// mark_unreachable() for each graph of a batch. No graph may have a path longer than `longest`.
template <class ExecSpace, BatchView View>
void mark_unreachable(const ExecSpace& exec, const View& d, typename View::non_const_value_type longest) {
  using T = typename View::non_const_value_type;
  detail::require_square_graphs(d);
  const auto graphs = detail::extent_along(d, 0), n = detail::extent_along(d, 1);
  if (n == 0) return;
  detail::for_range(
      "blockfw::mark_unreachable", exec, 0, graphs * n * n, KOKKOS_LAMBDA(std::int64_t e) {
        T& entry = d(e / (n * n), e / n % n, e % n);
        if (entry > longest) entry = infinity<T>;
      });
}

namespace detail {

template <class T, class ExecSpace>
void require_places(const GraphBatch<T, ExecSpace>& batch, const typename BatchPaths<ExecSpace>::Numbers& numbers,
                    const char* name) {
  if (numbers.extent(0) > 0 && numbers.extent(0) != batch.entries().extent(0))
    throw InvalidInput("the ", name, " of the batch have ", numbers.extent(0),
                       " entries, expected as many as the matrices, ", batch.entries().extent(0), ", or none");
}

}  // namespace detail

/// \brief Shortest distances of all pairs of many graphs of different orders, in place.
///
/// Each graph's matrix is as for blocked_floyd_warshall(), on entry and on exit. The graphs do not affect each other. A
/// graph with a negative cycle ends with a negative diagonal entry (see find_negative_cycles).
///
/// \tparam Over  the semiring, as in solve(); if left out, shortest paths
/// \param exec   the instance to run on. A host returns when it is done; a device fences between its launches.
/// \param batch  the matrices
/// \throws InvalidInput  for entries of a device's tile 2³¹ elements apart
/// \throws OutOfMemory   when the panels of a large graph do not fit, before they are allocated
///
/// The solve takes the sum of n³ relaxes. A host's thread closes a graph of up to 512 vertices in a tile that holds it
/// whole; larger graphs are solved one after another by all threads. A device has one launch for the graphs of each
/// size of its tiles, up to 128 vertices; larger graphs are solved one after another.
template <class Over = void, class ExecSpace, Distance T>
  requires Kokkos::is_execution_space_v<ExecSpace>
void batched_floyd_warshall(const ExecSpace& exec, const GraphBatch<T, ExecSpace>& batch) {
  using S = typename detail::SemiringOfMatrix<Over, T>::type;
  const Kokkos::Profiling::ScopedRegion region("blockfw::batched_floyd_warshall");
  if constexpr (is_host_space<ExecSpace>)
    detail::close_batch_on_host<S>(exec, batch);
  else
    detail::close_batch_on_device<S>(exec, batch, typename detail::GraphTiles<ExecSpace, T>::type());
}

/// \brief The same with predecessors, next hops and numbers of edges.
///
/// \param exec   the instance to run on; fenced
/// \param batch  the matrices. On the diagonal only weights that make a cycle diverge count.
/// \param paths  the views to write
/// \return of each graph a vertex on a negative cycle, or no_vertex. Of a graph with a negative cycle the paths are
///         no_vertex, and the distances unspecified.
/// \throws InvalidInput  for views of another size; a graph of more than 16,383 vertices in int16_t
/// \throws OutOfMemory   when the copies do not fit, before they are allocated
///
/// Of several best paths it takes any, and with `hops` one with the fewest edges (for floats: about the fewest among
/// paths whose computed sums are equal). All predecessors of a source form a tree, and hops counts its edges. A pair
/// without a path ends as zero(), also with negative integer weights. For floats, the computed sum says whether a cycle
/// is negative.
///
/// The solve takes the sum of n³ relaxes. A relax takes a few more instructions than without paths. A host's thread, or
/// a device's team, solves each graph, whatever its order. Memory: a host's thread has a copy of one graph, its
/// predecessors and numbers of edges. A device has a copy of all matrices, and the views that the caller leaves out.
template <class Over = void, class ExecSpace, Distance T>
  requires Kokkos::is_execution_space_v<ExecSpace>
std::vector<std::int64_t> batched_floyd_warshall(const ExecSpace& exec, const GraphBatch<T, ExecSpace>& batch,
                                                 const BatchPaths<ExecSpace>& paths) {
  using S = typename detail::SemiringOfMatrix<Over, T>::type;
  detail::require_places(batch, paths.predecessors, "predecessors");
  detail::require_places(batch, paths.next_hops, "next hops");
  detail::require_places(batch, paths.hops, "numbers of edges");
  std::vector<std::int64_t> cycles(static_cast<std::size_t>(batch.graphs()), no_vertex);
  if (batch.entries().extent(0) == 0) return cycles;
  const Kokkos::Profiling::ScopedRegion region("blockfw::batched_floyd_warshall");
  if constexpr (is_host_space<ExecSpace>) {
    if constexpr (detail::counts_edges<S>)
      if (paths.hops.extent(0) > 0) {
        detail::write_batch_on_host<S, true>(exec, batch, paths, cycles);
        return cycles;
      }
    detail::write_batch_on_host<S, false>(exec, batch, paths, cycles);
  } else {
    detail::write_batch_on_device<S>(exec, batch, paths, cycles);
  }
  return cycles;
}

/// \brief Finds for each solved graph of a batch a vertex on a negative cycle, or no_vertex. The vertex is the smallest
/// whose diagonal entry is negative (over another semiring: diverges).
///
/// O(sum of n), on exec, which is fenced. The result is on the host.
template <class Over = void, class ExecSpace, Distance T>
  requires Kokkos::is_execution_space_v<ExecSpace>
std::vector<std::int64_t> find_negative_cycles(const ExecSpace& exec, const GraphBatch<T, ExecSpace>& batch) {
  return detail::first_diverging<semiring_of<Over, T>>(exec, detail::SomeGraphs<T, ExecSpace>(exec, batch));
}

/// mark_unreachable() for each graph of a batch. No graph may have a path longer than `longest`. exec is fenced.
template <class ExecSpace, Distance T>
  requires Kokkos::is_execution_space_v<ExecSpace>
void mark_unreachable(const ExecSpace& exec, const GraphBatch<T, ExecSpace>& batch, std::type_identity_t<T> longest) {
  const auto entries = batch.entries();
  if (batch.padded_to() > 0) {  // (the entries outside of a graph are not touched)
    const detail::SomeGraphs<T, ExecSpace> all(exec, batch);
    const std::int64_t row = batch.padded_to();
    detail::for_range(
        "blockfw::mark_unreachable", exec, 0, batch.graphs() * row, KOKKOS_LAMBDA(std::int64_t r) {
          const std::int64_t g = r / row, i = r % row, n = all.order(g);
          for (std::int64_t j = 0; i < n && j < n; ++j) {
            T& entry = entries(all.start(g) + i * row + j);
            if (entry > longest) entry = infinity<T>;
          }
        });
    exec.fence("blockfw::mark_unreachable");  // (The lists are freed.)
  } else {
    detail::for_range(
        "blockfw::mark_unreachable", exec, 0, entries.extent(0), KOKKOS_LAMBDA(std::int64_t e) {
          if (entries(e) > longest) entries(e) = infinity<T>;
        });
    exec.fence("blockfw::mark_unreachable");
  }
}

/// \brief The edges of the paths of a batch, in order, for models that read features of edges along paths.
///
/// \param exec     a host's instance
/// \param batch    the solved matrices
/// \param paths    their predecessors and hops
/// \param numbers  the number of each edge i → j, at the place of (i, j); without elements it is i · n + j
/// \param length   the number of edges of each path that are wanted, from its first edge on
/// \param to       batch.entries().extent(0) · length elements: `length` for each entry. They become the numbers; the
///                 number is -1 behind the last edge.
/// \throws InvalidInput  for views of another size; without `numbers` for a graph of more than 46,340 vertices
///
/// O(sum of n² · length + edges of all paths), on the host's threads.
template <class Host, Distance T>
  requires is_host_space<Host>
void edges_of_paths(const Host& exec, const GraphBatch<T, Host>& batch, const BatchPaths<Host>& paths,
                    const typename BatchPaths<Host>::Numbers& numbers, std::int64_t length,
                    const typename BatchPaths<Host>::Numbers& to) {
  const std::size_t count = batch.entries().extent(0);
  detail::require_places(batch, paths.predecessors, "predecessors");
  detail::require_places(batch, paths.hops, "numbers of edges");
  detail::require_places(batch, numbers, "numbers of the edges");
  if (count > 0 && (paths.predecessors.extent(0) == 0 || paths.hops.extent(0) == 0))
    throw InvalidInput("the batch has no predecessors or no numbers of edges, expected both");
  constexpr std::int64_t most = 46'340;  // 32 bits can number the entries
  if (numbers.extent(0) == 0 && batch.largest() > most)
    throw InvalidInput("a graph of the batch has ", batch.largest(), " vertices, expected at most ", most,
                       " without numbers of the edges");
  if (length < 0 || to.extent(0) != count * static_cast<std::size_t>(length))
    throw InvalidInput("the edges of the paths have ", to.extent(0), " entries, expected ", count, " times ", length);
  detail::for_some_graphs(exec, batch, "blockfw::edges_of_paths", [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t g = first; g < last; ++g)
      for (std::int64_t i = 0; i < batch.order(g); ++i) {
        const std::int64_t start = batch.start(g), row = batch.row(g), begin = start + i * row;
        const std::int32_t* const before = paths.predecessors.data() + begin;
        for (int j = 0; j < batch.order(g); ++j) {
          std::int32_t* const edges = to.data() + (begin + j) * length;
          std::fill_n(edges, length, -1);
          int left = paths.hops(begin + j);  // edges of the path from i to v
          for (int v = j; left > 0 && before[v] >= 0; v = before[v], --left)
            if (left <= length)
              edges[left - 1] =
                  numbers.extent(0) > 0 ? numbers(start + before[v] * row + v) : before[v] * batch.order(g) + v;
        }
      }
  });
}

}  // namespace blockfw
