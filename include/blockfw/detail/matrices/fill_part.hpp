// SPDX-License-Identifier: MIT
/// \file
/// \brief Fills a part of a matrix before a solve.
#pragma once

#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/detail/matrices/copies.hpp"
#include "blockfw/detail/matrices/edge_entries.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace blockfw::detail {

/// \brief Fills a part of the matrix: weights at the places of `entries`, zero() elsewhere. Queued on exec.
/// \param entries  rank-1 view that exec can reach. A repeated place keeps the best weight. Lengths are cut off at the
///                 infinity of the matrix's type.
template <Semiring S, class ExecSpace, MatrixView View, class Entries>
void fill_part(const ExecSpace& exec, const View& d, const Entries& entries) {
  using T = typename View::non_const_value_type;
  fill_matrix(exec, d, S::zero());
  for_range(
      "blockfw::scatter_edges", exec, 0, entries.extent(0), KOKKOS_LAMBDA(std::int64_t e) {
        const auto entry = entries(e);
        constexpr bool cut_off = std::is_integral_v<T> && std::is_same_v<S, MinPlus<T>>;
        const T weight = cut_off && !(entry.weight < infinity<T>) ? infinity<T> : static_cast<T>(entry.weight);
        atomic_improve<S>(&entry_at(d, entry.from, entry.to), weight);
      });
}

/// \brief Sets each diagonal entry to one() unless it is better. For distances: to 0 unless it is negative. Queued on
/// exec.
/// \param d      some rows of the matrix
/// \param first  the vertex of its first row
template <Semiring S, class ExecSpace, MatrixView View>
void lower_diagonal(const ExecSpace& exec, const View& d, std::int64_t first) {
  for_range(
      "blockfw::diagonal", exec, 0, d.extent(0),
      KOKKOS_LAMBDA(std::int64_t i) { d(i, first + i) = S::relax(S::one(), d(i, first + i), S::one()); });
}

}  // namespace blockfw::detail
