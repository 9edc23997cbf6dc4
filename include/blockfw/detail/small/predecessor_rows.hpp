// SPDX-License-Identifier: MIT
/// \file
/// \brief Rows of predecessors of a small graph: what follows from them, and their mending where they lead in a circle.
#pragma once

#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/vertex.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace blockfw::detail {

/// \brief Follows all predecessors of a source.
/// \param n       vertices
/// \param source  the source
/// \param before  of each vertex its predecessor, or no_vertex
/// \param next    becomes the vertex after the source on the path to each vertex, or no_vertex
/// \param edges   becomes the number of edges of this path, or no_vertex
/// \return whether all predecessors lead back to the source
///
/// O(n).
KOKKOS_INLINE_FUNCTION bool trace_row(int n, int source, const std::int32_t* before, std::int32_t* next,
                                      std::int32_t* edges) {
  constexpr std::int32_t unknown = -1;
  for (int v = 0; v < n; ++v) {
    edges[v] = before[v] == no_vertex ? no_vertex : unknown;
    next[v] = no_vertex;
  }
  edges[source] = 0;
  for (int v = 0; v < n; ++v) {
    int known = v, steps = 0, last = v;
    for (; edges[known] == unknown; known = before[known]) {
      if (++steps > n) return false;
      last = known;
    }
    if (steps == 0) continue;
    if (edges[known] == no_vertex) return false;
    const std::int32_t hop = known == source ? last : next[known];
    std::int32_t length = edges[known] + steps;
    for (int u = v; u != known; u = before[u]) {
      edges[u] = length--;
      next[u] = hop;
    }
  }
  return true;
}

/// The amount by which one path is worse than another; 0 if they are equal.
template <Semiring S, class T = typename S::value_type>
KOKKOS_INLINE_FUNCTION double loss_of(T path, T best) {
  return path == best ? 0 : Kokkos::abs(static_cast<double>(path) - static_cast<double>(best));
}

/// \brief Finds predecessors of a source again, where those of the closing lead in a circle: along edges without
/// length, or as sums of floats round.
/// \param n          vertices
/// \param source     the source
/// \param distances  its distances
/// \param weight     weight(u, v) is the weight of the edge u → v, S::zero() without one
/// \param before     becomes the predecessors
/// \param queue      memory of n numbers
/// \param reached    likewise
///
/// A search by breadth along the edges of best paths. Where rounding hides them it takes the edge with the least loss.
/// O(n²), and O(n³) at most where sums round.
template <Semiring S, class T, class Weight>
KOKKOS_INLINE_FUNCTION void grow_row(int n, int source, const T* distances, const Weight& weight, std::int32_t* before,
                                     std::int32_t* queue, std::int32_t* reached) {
  int waiting = 0, end = 0, left = 0;
  for (int v = 0; v < n; ++v) {
    before[v] = no_vertex;
    reached[v] = v == source || distances[v] == S::zero();
    left += !reached[v];
  }
  queue[end++] = source;
  const auto reach = [&](int v, int by) {
    before[v] = by;
    reached[v] = 1;
    queue[end++] = v;
    --left;
  };
  const auto by_edge = [&](int u, int v) {
    const T w = weight(u, v);
    return w == S::zero() || u == v ? S::zero() : S::relax(S::zero(), u == source ? S::one() : distances[u], w);
  };
  while (left > 0) {
    for (; waiting < end; ++waiting)
      for (int v = 0; v < n; ++v)
        if (!reached[v] && by_edge(queue[waiting], v) == distances[v]) reach(v, queue[waiting]);
    if (left == 0) break;
    int best = -1, best_by = -1;
    double least = 0;
    for (int k = 0; k < end; ++k)
      for (int v = 0; v < n; ++v) {
        if (reached[v]) continue;
        const T path = by_edge(queue[k], v);
        if (path == S::zero()) continue;
        const double loss = loss_of<S>(path, distances[v]);
        if (best < 0 || loss < least) best = v, best_by = queue[k], least = loss;
      }
    if (best < 0) return;  // (no edges lead there: not the distances of these edges)
    reach(best, best_by);
  }
}

/// \brief The edges of the path from a source to a vertex, in order, as far as there is room.
/// \param number  number(u, v) is the number of the edge u → v
/// \param edges   the path's edges
/// \param to      memory of `room` numbers, which the caller has filled
template <class Number>
KOKKOS_INLINE_FUNCTION void write_edges_of_path(const std::int32_t* before, std::int32_t edges, int target,
                                                const Number& number, std::int64_t room, std::int32_t* to) {
  for (int v = target; edges > 0; v = before[v], --edges)
    if (edges <= room) to[edges - 1] = number(before[v], v);
}

}  // namespace blockfw::detail
