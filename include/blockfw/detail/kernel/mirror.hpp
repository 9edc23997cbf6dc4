// SPDX-License-Identifier: MIT
/// \file
/// \brief Compares the entries below the diagonal of a matrix with those above it, or copies those above to below.
#pragma once

#include "blockfw/detail/backend/instructions.hpp"
#include "blockfw/detail/rounding.hpp"
#include "blockfw/tile.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace blockfw::detail {

inline constexpr int mirror_tile = 32;

/// \brief Calls f(i, j, d(j, i)) for the entries below the diagonal whose mirror images lie in the given tiles.
///
/// d is read, and f is called, along rows: the entries pass through the team's scratch pad.
///
/// \param first, last  tiles [first, last), counted row by row
template <class ExecSpace, class View, class F>
void for_each_below(const ExecSpace& exec, const View& d, std::int64_t first, std::int64_t last, const F& f) {
  using T = typename View::non_const_value_type;
  using Policy = Kokkos::TeamPolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>;
  constexpr int side = mirror_tile, row = side + 1;  // (one more entry, so that a column is spread over all banks)
  constexpr std::size_t scratch = sizeof(T) * side * row;
  const auto n = static_cast<std::int64_t>(d.extent(0)), tiles = div_up(n, side);
  constexpr int row_threads = is_host_space<ExecSpace> ? 1 : side;
  if (first == last) return;
  Kokkos::parallel_for(
      "blockfw::mirror",
      Policy(exec, static_cast<int>(last - first), Kokkos::AUTO, row_threads)
          .set_scratch_size(0, Kokkos::PerTeam(scratch + alignof(T))),
      KOKKOS_LAMBDA(const typename Policy::member_type& team) {
        const std::int64_t pair = first + team.league_rank(), i0 = pair / tiles * side, j0 = pair % tiles * side;
        if (i0 > j0) return;
        const std::size_t bytes = scratch, alignment = alignof(T);
        T* const tile = static_cast<T*>(known_scratch(team.team_scratch(0).get_shmem_aligned(bytes, alignment)));
        const int height = static_cast<int>(Kokkos::min<std::int64_t>(side, n - i0));
        const int width = static_cast<int>(Kokkos::min<std::int64_t>(side, n - j0));
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, height), [&](int i) {
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, width),
                               [&](int j) { tile[i * row + j] = d(i0 + i, j0 + j); });
        });
        team.team_barrier();
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, width), [&](int j) {
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, i0 == j0 ? j : height),
                               [&](int i) { f(j0 + j, i0 + i, tile[i * row + j]); });
        });
      });
}

template <class View>
struct CopyBelow {
  View d;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t j, typename View::value_type above) const {
    d(i, j) = above;
  }
};

template <class View, class Flag>
struct Compare {
  View d;
  Flag differs;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t j, typename View::value_type above) const {
    if (d(i, j) != above) differs() = 1;
  }
};

inline std::int64_t mirror_tiles(std::int64_t n) { return div_up(n, mirror_tile); }

/// \brief Copies the entries above the diagonal to below it.
///
/// O(n²) at memory speed; queued on exec, not fenced.
template <class ExecSpace, class View>
void mirror(const ExecSpace& exec, const View& d) {
  const std::int64_t tiles = mirror_tiles(static_cast<std::int64_t>(d.extent(0)));
  for_each_below(exec, d, 0, tiles * tiles, CopyBelow<View>{d});
}

}  // namespace blockfw::detail
