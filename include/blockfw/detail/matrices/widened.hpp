// SPDX-License-Identifier: MIT
/// \file
/// \brief Distances in a wider type.
#pragma once

#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace blockfw::detail {

/// A distance in the same or, for shortest paths, in a wider type.
template <class Wide, class T>
KOKKOS_FORCEINLINE_FUNCTION Wide widened(T x) {
  if constexpr (std::is_same_v<Wide, T>)
    return x;
  else
    return x < infinity<T> ? static_cast<Wide>(x) : infinity<Wide>;
}

/// Copies distances on the host, to the same or a wider type.
template <class Wide, class T>
void copy_widened(const T* from, std::int64_t count, Wide* to) {
  std::transform(from, from + count, to, [](T x) { return widened<Wide>(x); });
}

/// \brief Copies distances back from a narrower type. Queued on exec.
template <class ExecSpace, class SmallView, class View>
void widen(const ExecSpace& exec, const SmallView& small, const View& d) {
  using T = typename View::non_const_value_type;
  using Rows = Kokkos::TeamPolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>;
  const auto n = static_cast<std::int64_t>(d.extent(1));
  for_teams(
      "blockfw::widen", Rows(exec, static_cast<int>(d.extent(0)), Kokkos::AUTO),
      KOKKOS_LAMBDA(const typename Rows::member_type& team) {
        const std::int64_t i = team.league_rank();
        Kokkos::parallel_for(Kokkos::TeamVectorRange(team, n),
                             [&](std::int64_t j) { d(i, j) = widened<T>(small(i, j)); });
      });
}

}  // namespace blockfw::detail
