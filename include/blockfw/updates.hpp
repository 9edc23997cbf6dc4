// SPDX-License-Identifier: MIT
/// \file
/// \brief Updates solved distances when an edge is added or gets shorter, or when a vertex is added.
///
/// Each update takes O(n²), a few reads of the matrix. A solve takes O(n³). (After an edge gets longer, or an edge or a
/// vertex is removed, only a new solve helps.)
#pragma once

#include "blockfw/detail/graph/cycles.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/detail/loops/threads.hpp"
#include "blockfw/detail/matrices/detours.hpp"
#include "blockfw/detail/matrices/edge_entries.hpp"
#include "blockfw/detail/plan/finish.hpp"
#include "blockfw/detail/plan/potentials.hpp"
#include "blockfw/edges.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <ranges>
#include <type_traits>

namespace blockfw {

/// \brief Updates distances in place for one more edge from → to, or for a smaller weight of that edge.
///
/// \param exec    the instance to run on
/// \param d       solved distances, of any layout; unchanged when this throws
/// \param from    the vertex where the edge begins
/// \param to      the vertex where it ends
/// \param weight  its length. Among floats, infinity is no edge, and changes nothing.
/// \throws InvalidInput for a vertex out of range, a NaN, a float of -infinity, a matrix that is not square
/// \throws NegativeCycle when the edge would close a negative cycle. A cycle of floats must be negative by more than
///         rounding explains.
/// \throws OverflowRisk   when a path through the edge could be as long as infinity
///
/// O(n²), one read of the matrix. For each pair it tries the path through the edge. Memory: 2n elements. Fences exec.
template <class ExecSpace, MatrixView View>
void insert_edge(const ExecSpace& exec, const View& d, std::int64_t from, std::int64_t to,
                 typename View::non_const_value_type weight) {
  using T = typename View::value_type;
  const auto m = matrix_ref<ExecSpace>(d);
  const auto n = detail::extent_along(d, 0);
  detail::require_vertex(from, n);
  detail::require_vertex(to, n);
  detail::require_weight(weight);
  if (weight == infinity<T>) return;
  const bool transposed = d.stride(0) < d.stride(1);
  const std::int64_t tail = transposed ? to : from, head = transposed ? from : to;

  // Copies of a column and a row, as d changes: the lengths to the end of the edge, and the lengths from its end on.
  using Seen = detail::WeightsSeen<T>;
  detail::Detours<T, ExecSpace> detours(exec, n, n);
  const auto by_edge = detours.to, onward = detours.from;
  int closes = 0;  // whether the edge closes a negative cycle; an int, as Kokkos for CUDA reduces words of 4 bytes
  detail::reduce_range(
      "blockfw::detours", exec, 0, n,
      KOKKOS_LAMBDA(std::int64_t v, Seen& to_place, Seen& from_place, int& any_cycle) {
        const T old = m(v, tail), in = old == infinity<T> ? infinity<T> : detail::lengthened(old, weight),
                out = m(head, v);
        by_edge(v) = in;
        onward(v) = out;
        to_place.add(in, in != infinity<T>);
        from_place.add(out, out != infinity<T>);
        if (v == tail && out < infinity<T> && MinPlus<T>::diverges(static_cast<T>(weight + out))) any_cycle = 1;
      },
      Kokkos::Sum<Seen>(detours.to_seen), Kokkos::Sum<Seen>(detours.from_seen), Kokkos::Max<int>(closes));
  if (closes > 0 && detail::negative_through(by_edge, onward)) throw NegativeCycle(from);
  detail::require_safe(detours.to_seen, detours.from_seen);
  detail::take_detours<true>(exec, m, m, detours);
  detail::raise_own(exec, m);
}

namespace detail {

/// \brief add_vertex() without the checks of its arguments.
/// \tparam InPlace  whether d is the upper left part of `more`
template <bool InPlace, class ExecSpace, class More, class View, class Edges>
void write_with_vertex(const ExecSpace& exec, const More& more, const View& d, const Edges& edges, Direction direction,
                       const Progress& progress) {
  using T = typename More::value_type;
  const auto n = extent_along(d, 0), count = extent_along(edges, 0);
  const auto there = reachable_edges(exec, edges);
  const bool undirected = direction == Direction::undirected;
  if (undirected) require_no_cycle_of_edge<MinPlus<T>>(edges);
  Detours<T, ExecSpace> detours(exec, n + 1, n + 1);
  std::int64_t on_cycle = n + 1;
  in_parts(exec, n + 1, count, 64, progress, [&](std::int64_t first, std::int64_t end) {
    on_cycle = std::min(on_cycle, write_row_and_column(exec, more, d, there, undirected, detours, first, end));
  });
  require_safe(detours.to_seen, detours.from_seen);  // (otherwise a sum that overflows looks like a negative cycle)
  if (on_cycle <= n)
    if (const auto vertex = negative_through(detours.to, detours.from)) throw NegativeCycle(*vertex);
  take_detours<InPlace>(exec, more, d, detours);
  raise_own(exec, more);
}

}  // namespace detail

/// \brief Computes the distances of a graph with one more vertex, n, and its edges.
///
/// \param exec       the instance to run on
/// \param d          solved distances of n vertices, of any layout. They are only read.
/// \param edges      a host container of the edges that begin or end at vertex n; among floats, infinity is no edge
/// \param options    the direction, and progress. It is called as progress(vertices done, n + 1) while edges are joined
///                   to distances.
/// \return a matrix of n + 1 vertices
/// \throws InvalidEdge for an edge that does not begin or end at vertex n, or has a vertex out of range or a NaN
///         weight; OutOfMemory; otherwise as insert_edge()
///
/// O(n² + n · edges). Memory: (n + 1)² elements for the result. Fences exec.
template <class ExecSpace, MatrixView View, std::ranges::contiguous_range Edges>
DistanceMatrix<typename View::non_const_value_type, ExecSpace> add_vertex(const ExecSpace& exec, const View& d,
                                                                          const Edges& edges,
                                                                          const TaskOptions& options = {}) {
  using T = typename View::non_const_value_type;
  require_reachable<ExecSpace, View>();
  require_square(d);
  const auto n = detail::extent_along(d, 0);
  const auto on_host = detail::view_of(edges);
  detail::require_edges_of_vertex<T>(on_host, n);
  const auto more = allocate_distances<T>(exec, n + 1);
  detail::write_with_vertex<false>(exec, more, d, on_host, options.direction, options.progress);
  return more;
}

/// \brief The same in the caller's memory. A device takes nearly as long to allocate a matrix as to copy it.
///
/// \param exec       the instance to run on
/// \param more       square view of n + 1 vertices, of any layout, for the result. It shares no memory with d, or d is
///                   its upper left part. In the second case only distances that get shorter are written. So a matrix
///                   with room for later vertices takes one read for each vertex.
/// \param d          solved distances of n vertices, of any layout
/// \param edges      a host container of the edges that begin or end at vertex n; among floats, infinity is no edge
/// \param options    as above
/// \throws InvalidInput for `more` of another order; otherwise as the function above. d is unchanged when this throws.
///
/// O(n² + n · edges). Memory: 2n elements. Fences exec.
template <class ExecSpace, MatrixView More, MatrixView View, std::ranges::contiguous_range Edges>
void add_vertex(const ExecSpace& exec, const More& more, const View& d, const Edges& edges,
                const TaskOptions& options = {}) {
  using T = typename View::non_const_value_type;
  static_assert(std::is_same_v<typename More::value_type, T>,
                "blockfw: the result must have the type of the distances, and not be const");
  require_reachable<ExecSpace, More>();
  require_reachable<ExecSpace, View>();
  require_square(d);
  require_square(more);
  if (more.extent(0) != d.extent(0) + 1)
    throw InvalidInput("the matrix '", more.label(), "' has ", more.extent(0), " rows, expected one more than '",
                       d.label(), "', which has ", d.extent(0));
  const auto on_host = detail::view_of(edges);
  detail::require_edges_of_vertex<T>(on_host, detail::extent_along(d, 0));
  if (more.data() == d.data() && more.stride(0) == d.stride(0) && more.stride(1) == d.stride(1))
    detail::write_with_vertex<true>(exec, more, d, on_host, options.direction, options.progress);
  else
    detail::write_with_vertex<false>(exec, more, d, on_host, options.direction, options.progress);
}

}  // namespace blockfw
