// SPDX-License-Identifier: MIT
/// \file
/// \brief Loops that check a solved matrix: which entries stand for no path, and whether a cycle diverges.
#pragma once

#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <optional>

namespace blockfw::detail {

/// mark_unreachable() of floyd_warshall.hpp.
template <Semiring S, class ExecSpace, MatrixView View>
void mark_entries(const ExecSpace& exec, const View& d, typename S::value_type longest) {
  using T = typename S::value_type;
  const auto rows = static_cast<std::int64_t>(d.extent(0)), columns = static_cast<std::int64_t>(d.extent(1));
  for_square(
      "blockfw::mark_unreachable", exec, rows, columns, KOKKOS_LAMBDA(std::int64_t i, std::int64_t j) {
        constexpr T none = S::zero();
        if (none > T(0) ? d(i, j) > longest : d(i, j) < longest) d(i, j) = none;
      });
}

/// find_negative_cycle() of floyd_warshall.hpp.
template <Semiring S, class ExecSpace, MatrixView View>
std::optional<std::int64_t> find_diverging(const ExecSpace& exec, const View& d, std::int64_t first = 0) {
  const auto n = static_cast<std::int64_t>(d.extent(0));
  std::int64_t vertex = n;
  reduce_range(
      "blockfw::find_negative_cycle", exec, 0, n,
      KOKKOS_LAMBDA(std::int64_t i, std::int64_t& least) {
        if (S::diverges(d(i, first + i))) least = Kokkos::min(least, i);
      },
      Kokkos::Min<std::int64_t>(vertex));
  if (vertex >= n) return std::nullopt;
  return first + vertex;
}

}  // namespace blockfw::detail
