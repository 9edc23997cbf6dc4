// SPDX-License-Identifier: MIT
/// \file
/// \brief Many small graphs of different orders: their distances and paths, in one call.
///
/// \code
///   const blockfw::GraphBatch<int> molecules(orders, d);
///   const auto cycles = blockfw::batched_floyd_warshall(Exec(), molecules, {.predecessors = before});
/// \endcode
///
/// batch.hpp is for graphs of one order, in a view of rank 3.
#pragma once

#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/detail/matrices/copies.hpp"
#include "blockfw/detail/small/device_batch.hpp"
#include "blockfw/detail/small/graph_tiles.hpp"
#include "blockfw/detail/small/host_batch.hpp"
#include "blockfw/detail/small/predecessor_rows.hpp"
#include "blockfw/ground/answers.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/graph_batch.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace blockfw {

namespace detail {

template <class T, class ExecSpace>
void require_places(const GraphBatch<T, ExecSpace>& batch, const typename BatchPaths<ExecSpace>::Numbers& numbers,
                    const char* name) {
  if (numbers.extent(0) > 0 && numbers.extent(0) != batch.entries().extent(0))
    throw InvalidInput("the " + std::string(name) + " of the batch have " + std::to_string(numbers.extent(0)) +
                       " entries, expected as many as the matrices, " + std::to_string(batch.entries().extent(0)) +
                       ", or none");
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
/// The sum of n³ relaxes. A host's thread closes a graph of up to 512 vertices in a tile that holds it whole; larger
/// graphs are solved one after another by all threads. A device has one launch for the graphs of each size of its
/// tiles, up to 128 vertices; larger graphs are solved one after another.
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
/// Of several best paths it takes any, and with `hops` one with the fewest edges (of floats: about the fewest among
/// those whose computed sums are equal). All predecessors of a source form a tree, and hops counts its edges. A pair
/// without a path ends as zero(), also with negative integer weights. Of floats, the computed sum says whether a cycle
/// is negative.
///
/// Sum of n³ relaxes, each of some more instructions than without paths. A host's thread, or a device's team, solves
/// each graph, whatever its order. Memory: a host's thread has a copy of one graph, its predecessors and numbers of
/// edges. A device has a copy of all matrices, and the views that the caller leaves out.
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
/// The sum of n, on exec, which is fenced. The result is on the host.
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
/// \param length   the first edges of each path that are wanted
/// \param to       batch.entries().extent(0) · length elements: `length` for each entry. They become the numbers; the
///                 number is -1 behind the last edge.
/// \throws InvalidInput  for views of another size; without `numbers` for a graph of more than 46,340 vertices
///
/// The sum of n² · length at most, on the host's threads, and the number of edges of all paths.
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
  constexpr std::int64_t most = 46'340;  // whose entries 32 bits number
  if (numbers.extent(0) == 0 && batch.largest() > most)
    throw InvalidInput("a graph of the batch has " + std::to_string(batch.largest()) + " vertices, expected at most " +
                       std::to_string(most) + " without numbers of the edges");
  if (length < 0 || to.extent(0) != count * static_cast<std::size_t>(length))
    throw InvalidInput("the edges of the paths have " + std::to_string(to.extent(0)) + " entries, expected " +
                       std::to_string(count) + " times " + std::to_string(length));
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
