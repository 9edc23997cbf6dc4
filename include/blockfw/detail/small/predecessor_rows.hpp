// SPDX-License-Identifier: MIT
/// \file
/// \brief Rows of predecessors of a small graph: next hops and numbers of edges from them, and their
/// mending where they lead in a circle.
#pragma once

#include "blockfw/ground/answers.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace blockfw::detail {

/// Whether the choice of a path with the fewest edges, among paths of the same length, can be made edge by edge. It can
/// where lengths are sums.
template <Semiring S>
inline constexpr bool counts_edges =
    std::is_same_v<S, MinPlus<typename S::value_type>> || std::is_same_v<S, MaxPlus<typename S::value_type>>;

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
    edges[v] = before[v] == no_vertex ? std::int32_t{no_vertex} : std::int32_t{unknown};
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

/// \brief The weights of a row-major matrix: S::zero() where there is no edge.
template <Semiring S>
struct MatrixWeights {
  using T = typename S::value_type;
  const T* entries;
  std::int64_t row;  ///< the entries from a row to the next

  KOKKOS_FUNCTION T operator()(int u, int v) const {
    return u == v ? S::zero() : S::relax(S::zero(), entries[u * row + v], S::one());
  }
};

/// \brief Finds the predecessors of a source again if those of close() lead in a circle. That happens along edges of
/// length 0, and where sums of floats round.
/// \param n          vertices
/// \param source     the source
/// \param distances  its distances
/// \param weights    the weights of the edges
/// \param before     becomes the predecessors
/// \param edges      memory of n numbers
/// \param reached    memory of n numbers
///
/// A tree grows from the source. The next vertex is the one whose path by the tree exceeds its distance the least: by
/// 0, unless sums are rounded. Of several such vertices, the vertex with the fewest edges comes next. O(n²).
template <Semiring S, class T = typename S::value_type>
KOKKOS_INLINE_FUNCTION void grow_row(int n, int source, const T* distances, const MatrixWeights<S>& weights,
                                     std::int32_t* before, std::int32_t* edges, std::int32_t* reached) {
  const auto path_by = [&](int u, int v) {
    const T weight = weights(u, v);
    return weight == S::zero() ? S::zero() : S::relax(S::zero(), u == source ? S::one() : distances[u], weight);
  };
  const auto loss_by = [&](int u, int v) {
    const T path = path_by(u, v);
    return path == distances[v] ? 0. : Kokkos::abs(static_cast<double>(path) - static_cast<double>(distances[v]));
  };
  for (int v = 0; v < n; ++v) {
    before[v] = no_vertex;  // if v is not reached yet, the best predecessor so far
    reached[v] = v == source || distances[v] == S::zero();
  }
  edges[source] = 0;
  for (int last = source; last >= 0;) {
    int next = -1;
    double least = 0;
    for (int v = 0; v < n; ++v) {
      if (reached[v]) continue;
      if (path_by(last, v) != S::zero()) {
        const double loss = loss_by(last, v), there = before[v] < 0 ? loss : loss_by(before[v], v);
        if (before[v] < 0 || loss < there || (loss == there && edges[last] < edges[before[v]])) before[v] = last;
      }
      if (before[v] < 0) continue;
      const double loss = loss_by(before[v], v);
      if (next < 0 || loss < least || (loss == least && edges[before[v]] < edges[before[next]])) next = v, least = loss;
    }
    if (next >= 0) {
      reached[next] = 1;
      edges[next] = edges[before[next]] + 1;
    }
    last = next;
  }
}

}  // namespace blockfw::detail
