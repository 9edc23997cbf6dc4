// SPDX-License-Identifier: MIT
/// \file
/// \brief Small matrices on the calling thread, without a launch: closures of difference-bound matrices, octagons, and
/// other steps of a larger algorithm that is parallel itself.
///
/// \code
///   if (blockfw::small_floyd_warshall(bounds.data(), 3, 3)) return;               // a negative cycle: no solution
///   if (blockfw::small_insert_edge(bounds.data(), 3, 3, 2, 0, -4)) return;        // one more bound
/// \endcode
///
/// Any number of threads may call these functions at the same time, each with a matrix of its own. They are for hosts.
#pragma once

#include "blockfw/detail/backend/vectors.hpp"
#include "blockfw/detail/small/close_on_thread.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>

namespace blockfw {

namespace detail {

template <class T>
void require_small(const T* d, std::int64_t n, std::int64_t leading_dimension) {
  require_vectors();
  if (n < 0 || n > largest_on_thread)
    throw InvalidInput("the order of the matrix is " + std::to_string(n) + ", expected 0 to " +
                       std::to_string(largest_on_thread));
  if (leading_dimension < n)
    throw InvalidInput("the leading dimension is " + std::to_string(leading_dimension) +
                       ", expected at least the order of the matrix, " + std::to_string(n));
  if (d == nullptr && n > 0) throw InvalidInput("null pointer given for a matrix of order " + std::to_string(n));
}

/// d_x ← d_x ⊕ (a ⊗ d_y) for rows of n entries, of which one may be both.
template <class S, class T = typename S::value_type>
void relax_small_row(std::int64_t n, T a, const T* row, T* to) {
  with_vectors([&](auto level) __attribute__((always_inline)) {
    using Level = decltype(level);
    constexpr int width = Level::bytes / static_cast<int>(sizeof(T));
    using V = Lanes<Level, T, width>;
    std::int64_t j = 0;
    for (; j + width <= n; j += width) S::relax(V::load(to + j), V::broadcast(a), V::load(row + j)).store(to + j);
    for (; j < n; ++j) to[j] = S::relax(to[j], a, row[j]);
  });
}

/// Sets the entries of a row to zero() that stand for no path: sums of zero() and weights that are far smaller.
template <class S, class T = typename S::value_type>
void mark_far(std::int64_t n, T* row) {
  constexpr T half = infinity<T> / 2;
  if constexpr (std::is_integral_v<T> && std::is_same_v<S, MinPlus<T>>)
    for (std::int64_t j = 0; j < n; ++j) row[j] = row[j] > half ? infinity<T> : row[j];
  if constexpr (std::is_integral_v<T> && std::is_same_v<S, MaxPlus<T>>)
    for (std::int64_t j = 0; j < n; ++j) row[j] = row[j] < -half ? S::zero() : row[j];
}

}  // namespace detail

/// \brief Shortest distances of all pairs of a small graph, in place, on the calling thread.
///
/// \tparam Over  the semiring, as in solve(); if left out, shortest paths
/// \param d                  row-major matrix: d[i · leading_dimension + j] is the length of the edge i → j or
///                           infinity<T>, and 0 on the diagonal; over another semiring S::zero() and S::one()
/// \param n                  its order, at most 512
/// \param leading_dimension  entries from one row to the next
/// \return a vertex on a negative cycle (over another semiring: on a cycle that diverges), if there is one. Then the
///         other entries are unspecified.
/// \throws InvalidInput for n or leading_dimension out of range, a null pointer
///
/// n³ relaxes; some microseconds for n = 64. Memory: a copy of the matrix, padded to 16, 32, 64, 128, 256 or 512 rows
/// and columns. n times the largest absolute value of an integer weight must be at most infinity<T> / 2.
template <class Over = void, Distance T>
std::optional<std::int64_t> small_floyd_warshall(T* d, std::int64_t n, std::int64_t leading_dimension) {
  using S = detail::semiring_of<Over, T>;
  static_assert(std::is_same_v<typename S::value_type, T>,
                "blockfw: the matrix's elements are not of the semiring's type");
  detail::require_small(d, n, leading_dimension);
  if (n == 0) return std::nullopt;
  using Closer = detail::ThreadCloser<S>;
  const auto order = static_cast<std::size_t>(n);
  Closer().close(
      typename Closer::Ref(d, Kokkos::LayoutStride(order, static_cast<std::size_t>(leading_dimension), order, 1)));
  for (std::int64_t v = 0; v < n; ++v)
    if (S::diverges(d[v * leading_dimension + v])) return v;
  for (std::int64_t v = 0; v < n; ++v) detail::mark_far<S>(n, d + v * leading_dimension);
  return std::nullopt;
}

/// \brief Updates a closed matrix for one more edge, or a better weight of an edge, on the calling thread.
///
/// \tparam Over  the semiring, as in solve(); if left out, shortest paths
/// \param d                  as small_floyd_warshall() leaves it
/// \param n                  its order, at most 512
/// \param leading_dimension  entries from one row to the next
/// \param from               the vertex where the edge begins
/// \param to                 the vertex where it ends
/// \param weight             of the edge
/// \return `from` if the edge closes a negative cycle (a cycle that diverges). Then d is unchanged.
/// \throws InvalidInput for n, leading_dimension or a vertex out of range, a null pointer
///
/// n² relaxes, or none if the edge is no better than d's entry. Weights are limited as in small_floyd_warshall().
template <class Over = void, Distance T>
std::optional<std::int64_t> small_insert_edge(T* d, std::int64_t n, std::int64_t leading_dimension, std::int64_t from,
                                              std::int64_t to, std::type_identity_t<T> weight) {
  using S = detail::semiring_of<Over, T>;
  static_assert(std::is_same_v<typename S::value_type, T>,
                "blockfw: the matrix's elements are not of the semiring's type");
  detail::require_small(d, n, leading_dimension);
  detail::require_vertex(from, n);
  detail::require_vertex(to, n);
  const T* const onward = d + to * leading_dimension;
  if (weight == S::zero()) return std::nullopt;
  if (onward[from] != S::zero() && S::diverges(S::relax(S::zero(), weight, onward[from]))) return from;
  if (const T old = d[from * leading_dimension + to]; S::relax(old, weight, S::one()) == old) return std::nullopt;
  // A best path takes the edge once, as no cycle diverges. So neither the row nor the column that is read changes.
  for (std::int64_t v = 0; v < n; ++v) {
    T* const row = d + v * leading_dimension;
    if (v == to || row[from] == S::zero()) continue;
    detail::relax_small_row<S>(n, S::relax(S::zero(), row[from], weight), onward, row);
    detail::mark_far<S>(n, row);
  }
  return std::nullopt;
}

}  // namespace blockfw
