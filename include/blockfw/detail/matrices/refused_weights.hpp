// SPDX-License-Identifier: MIT
/// \file
/// \brief The first weight of a matrix that the semiring does not take.
#pragma once

#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <string>

namespace blockfw::detail {

/// The index of the first weight in row i, or in column i, that the semiring does not take; n if there is none.
template <Semiring S, class ExecSpace, class Matrix>
std::int64_t find_refused(const ExecSpace& exec, const Matrix& w, std::int64_t i, bool in_column) {
  const auto n = static_cast<std::int64_t>(w.extent(0));
  std::int64_t found = n;
  detail::reduce_range(
      "blockfw::find_refused", exec, 0, n,
      KOKKOS_LAMBDA(std::int64_t j, std::int64_t& first) {
        if (!is_weight<S>(in_column ? w(j, i) : w(i, j))) first = Kokkos::min(first, j);
      },
      Kokkos::Min<std::int64_t>(found));
  return std::min(found, n);
}

/// Throws the error for a weight in row i of a matrix, or else in column i, that the semiring does not take. (The
/// search is a separate function: nvcc accepts no lambda in a function that does not return.)
template <Semiring S, class ExecSpace, class Matrix>
[[noreturn]] void throw_refused(const ExecSpace& exec, const Matrix& w, std::int64_t i) {
  const std::int64_t j = find_refused<S>(exec, w, i, false);
  const bool in_row = j < static_cast<std::int64_t>(w.extent(0));
  const std::int64_t row = in_row ? i : find_refused<S>(exec, w, i, true), column = in_row ? j : i;
  const auto entry = Kokkos::subview(w, row, column);
  const auto there = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), entry);
  throw InvalidInput(refused_weight<S>("the matrix '" + w.label() + "' holds ", there(),
                                       " at (" + std::to_string(row) + ", " + std::to_string(column) + ")"));
}

}  // namespace blockfw::detail
