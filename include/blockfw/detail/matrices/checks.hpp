// SPDX-License-Identifier: MIT
/// \file
/// \brief Loops that check a solved matrix: which entries stand for no path, and whether a cycle diverges. Checks of
/// limits of distances, and of numbers of nearest places.
#pragma once

#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ranges>
#include <vector>

namespace blockfw::detail {

/// \brief A limit of distances, less than infinity<T>.
/// \throws InvalidInput for a NaN
template <class T>
T checked_limit(T limit) {
  if (limit != limit) throw InvalidInput("the limit is NaN, expected a number");
  return std::min(limit, longest_finite<T>);
}

/// \brief Some limits, each less than infinity<T>.
/// \throws InvalidInput for a NaN
template <class T, class Limits>
std::vector<T> checked_limits(const Limits& limits) {
  static_assert(converts<std::ranges::range_value_t<Limits>, T>,
                "blockfw: the limits must convert to the distances' type without loss");
  std::vector<T> checked;
  checked.reserve(std::ranges::size(limits));
  for (const auto limit : limits) {
    if (limit != limit) throw InvalidInput("limit ", checked.size(), " is NaN, expected a number");
    checked.push_back(std::min(static_cast<T>(limit), longest_finite<T>));
  }
  return checked;
}

/// \throws InvalidInput for no limits
inline void require_limits(std::size_t count) {
  if (count == 0) throw InvalidInput("there are no limits, expected 1 or more");
}

/// \throws InvalidInput for lists of different lengths, where each source has a limit
inline void require_limit_of_each(std::size_t sources, std::size_t limits) {
  if (limits != sources)
    throw InvalidInput("there are ", sources, " sources and ", limits, " limits, expected as many of each");
}

/// \brief A number of nearest places.
/// \throws InvalidInput for none
inline std::size_t checked_count(std::int64_t count) {
  if (count < 1) throw InvalidInput("the number of nearest places is ", count, ", expected 1 or more");
  return at(count);
}

/// mark_unreachable() of floyd_warshall.hpp.
template <Semiring S, class ExecSpace, MatrixView View>
void mark_entries(const ExecSpace& exec, const View& d, typename S::value_type longest) {
  using T = typename S::value_type;
  const auto rows = extent_along(d, 0), columns = extent_along(d, 1);
  for_square(
      "blockfw::mark_unreachable", exec, rows, columns, KOKKOS_LAMBDA(std::int64_t i, std::int64_t j) {
        constexpr T none = S::zero();
        if (none > T(0) ? d(i, j) > longest : d(i, j) < longest) d(i, j) = none;
      });
}

/// find_negative_cycle() of floyd_warshall.hpp.
template <Semiring S, class ExecSpace, MatrixView View>
std::optional<std::int64_t> find_diverging(const ExecSpace& exec, const View& d, std::int64_t first = 0) {
  const auto n = extent_along(d, 0);
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
