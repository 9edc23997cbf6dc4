// SPDX-License-Identifier: MIT
/// \file
/// \brief Small matrices on the calling thread, without a launch: closures of difference-bound matrices, octagons, and
/// other steps of a larger algorithm that is parallel itself.
///
/// \code
///   if (blockfw::small_floyd_warshall(m, n, n)) return 1;         // a negative cycle: no x, y, z
///   if (blockfw::small_insert_edge(m, n, n, x, z, -1)) return 1;  // one more bound: z - x <= -1
/// \endcode
///
/// Any number of threads may call these functions at the same time, each with a matrix of its own. The matrix lies in
/// memory of the host. Kokkos need not run.
#pragma once

#include "blockfw/detail/backend/vectors.hpp"
#include "blockfw/detail/base/lanes.hpp"
#include "blockfw/detail/small/close_on_thread.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <optional>
#include <type_traits>

namespace blockfw {

namespace detail {

inline void require_small(const void* d, std::int64_t n, std::int64_t leading_dimension) {
  require_vectors();
  if (n < 0 || n > largest_on_thread)
    throw InvalidInput("the order of the matrix is ", n, ", expected 0 to ", largest_on_thread);
  require_rows(d, n, leading_dimension);
}

}  // namespace detail

/// \brief Shortest distances of all pairs of a small graph, in place, on the calling thread.
///
/// \tparam Over  the semiring, as in solve(); if left out, shortest paths
/// \param d                  row-major matrix: d[i · leading_dimension + j] is the length of the edge i → j or
///                           infinity<T>, and 0 on the diagonal. Over another semiring these are S::zero() and
///                           S::one().
/// \param n                  its order, at most 512
/// \param leading_dimension  entries from one row to the next
/// \return a vertex on a negative cycle (over another semiring: on a cycle that diverges), if there is one. Then the
///         entries of d are unspecified.
/// \throws InvalidInput  for n or leading_dimension out of range, a null pointer
///
/// Weights are not checked. n times the largest absolute value of an integer weight must be at most infinity<T> / 2.
/// Then pairs without a path have infinity<T>, also with negative weights. (Over a semiring of your own an entry is the
/// result of its relax().) For floats, the computed sum says whether a cycle is negative.
///
/// It takes n³ relaxes: some microseconds for n = 64. Memory: a copy of the matrix, padded to 16, 32, 64, 128, 256 or
/// 512 rows and columns.
template <class Over = void, Distance T>
std::optional<std::int64_t> small_floyd_warshall(T* d, std::int64_t n, std::int64_t leading_dimension) {
  using S = typename detail::SemiringOfMatrix<Over, T>::type;
  detail::require_small(d, n, leading_dimension);
  if (n == 0) return std::nullopt;
  detail::ThreadCloser<S>().close(detail::row_major<Kokkos::HostSpace>(d, n, leading_dimension));
  for (std::int64_t v = 0; v < n; ++v)
    if (S::diverges(d[v * leading_dimension + v])) return v;
  // (A device's compiler knows no vectors.)
  KOKKOS_IF_ON_HOST((detail::with_vectors([&](auto level) __attribute__((always_inline)) {
                       for (std::int64_t v = 0; v < n; ++v)
                         detail::for_lanes_of_row<decltype(level)>(n, d + v * leading_dimension,
                                                                   detail::WithoutFar<S>());
                     });))
  return std::nullopt;
}

/// \brief Updates a closed matrix for one more edge, or a better weight of an edge, on the calling thread.
///
/// \tparam Over  the semiring, as in solve(); if left out, shortest paths
/// \param d                  as small_floyd_warshall() leaves it without a negative cycle
/// \param n                  its order, at most 512
/// \param leading_dimension  entries from one row to the next
/// \param from               the vertex where the edge begins
/// \param to                 the vertex where it ends
/// \param weight             its length. infinity<T> (over another semiring S::zero()) is no edge.
/// \return `from` if the edge closes a negative cycle (a cycle that diverges). Then d is unchanged.
/// \throws InvalidInput  for n, leading_dimension or a vertex out of range, a null pointer, a NaN and every weight that
///                       the semiring refuses. Then d is unchanged.
///
/// The limit of integer weights is that of small_floyd_warshall(), for all edges together. For floats, the computed sum
/// says whether a cycle is negative.
///
/// It takes n² relaxes, or no relax if the edge is no better than d's entry. It takes no memory.
template <class Over = void, Distance T>
std::optional<std::int64_t> small_insert_edge(T* d, std::int64_t n, std::int64_t leading_dimension, std::int64_t from,
                                              std::int64_t to, std::type_identity_t<T> weight) {
  using S = typename detail::SemiringOfMatrix<Over, T>::type;
  detail::require_small(d, n, leading_dimension);
  detail::require_vertex(from, n);
  detail::require_vertex(to, n);
  if (!detail::is_weight<S>(weight)) throw InvalidInput(detail::refused_weight<S>("the weight is ", weight, ""));
  const T* const onward = d + to * leading_dimension;
  if (S::diverges(S::relax(S::zero(), weight, onward[from]))) return from;
  if (const T old = d[from * leading_dimension + to]; S::relax(old, weight, S::one()) == old) return std::nullopt;
  // A best path takes the edge once, as no cycle diverges. So neither the row nor the column that is read changes.
  KOKKOS_IF_ON_HOST((detail::with_vectors([&](auto level) __attribute__((always_inline)) {
                       for (std::int64_t v = 0; v < n; ++v) {
                         T* const row = d + v * leading_dimension;
                         if (v == to || row[from] == S::zero()) continue;
                         const T by_edge = S::relax(S::zero(), row[from], weight), empty = row[v];
                         detail::for_lanes_of_row<decltype(level)>(n, row, detail::BetterByEdge<S>{by_edge, onward});
                         row[v] = empty;  // (The sum of a cycle of floats may be rounded to less.)
                       }
                     });))
  return std::nullopt;
}

}  // namespace blockfw
