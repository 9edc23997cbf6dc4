// SPDX-License-Identifier: MIT
/// \file
/// \brief Checks of a solved matrix: which entries mean "no path", and whether a cycle is negative.
#pragma once

#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <optional>

namespace blockfw {

/// \brief Sets every entry above `longest` to infinity. For longest paths (MaxPlus), sets every entry below it to
/// -infinity.
///
/// With negative integer edges a solve leaves pairs without a path at infinity plus a negative number. No real path is
/// longer than longest_path(), so `longest` may be longest_path() or any number between it and those entries.
///
/// O(n²) at memory speed. Queued on exec, not fenced. d may be any part of the matrix.
template <class S = void, class ExecSpace, MatrixView View>
void mark_unreachable(const ExecSpace& exec, const View& d, typename View::non_const_value_type longest) {
  using T = typename View::non_const_value_type;
  const auto rows = static_cast<std::int64_t>(d.extent(0)), columns = static_cast<std::int64_t>(d.extent(1));
  detail::for_square(
      "blockfw::mark_unreachable", exec, rows, columns, KOKKOS_LAMBDA(std::int64_t i, std::int64_t j) {
        constexpr T none = semiring_of<S, T>::zero();
        if (none > T(0) ? d(i, j) > longest : d(i, j) < longest) d(i, j) = none;
      });
}

/// \brief A vertex on a negative cycle of a solved matrix (the smallest one with a negative diagonal entry), or none.
/// For another semiring, it is a vertex on a cycle that gets better each time around.
///
/// \param exec   the instance to run on
/// \param d      the matrix, or some rows of it
/// \param first  the vertex of the first row of d
///
/// O(n); fences exec.
template <class S = void, class ExecSpace, MatrixView View>
std::optional<std::int64_t> find_negative_cycle(const ExecSpace& exec, const View& d, std::int64_t first = 0) {
  using Over = semiring_of<S, typename View::non_const_value_type>;
  const auto n = static_cast<std::int64_t>(d.extent(0));
  std::int64_t vertex = n;
  detail::reduce_range(
      "blockfw::find_negative_cycle", exec, 0, n,
      KOKKOS_LAMBDA(std::int64_t i, std::int64_t& least) {
        if (Over::diverges(d(i, first + i))) least = Kokkos::min(least, i);
      },
      Kokkos::Min<std::int64_t>(vertex));
  if (vertex >= n) return std::nullopt;
  return first + vertex;
}

}  // namespace blockfw
