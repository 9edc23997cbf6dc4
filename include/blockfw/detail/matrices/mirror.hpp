// SPDX-License-Identifier: MIT
/// \file
/// \brief Copies a matrix transposed; compares the entries below the diagonal with those above it, or copies the
/// entries above the diagonal to below it.
#pragma once

#include "blockfw/detail/backend/backend.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/ground/matrix.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace blockfw::detail {

inline constexpr int mirror_tile = 32;

/// \brief Calls f(j, i, d(i, j)) for the entries in some tiles of d.
///
/// d is read, and f is called, along rows: the entries pass through the team's scratch pad.
///
/// \tparam upper       whether only entries above the diagonal count
/// \param first, last  tiles [first, last), counted row by row
template <bool upper, class ExecSpace, class View, class F>
void for_each_transposed(const ExecSpace& exec, const View& d, std::int64_t first, std::int64_t last, const F& f) {
  using T = typename View::non_const_value_type;
  using Policy = Kokkos::TeamPolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>;
  constexpr int side = mirror_tile, row = side + 1;  // (one more entry, so that a column is spread over all banks)
  constexpr std::size_t scratch = sizeof(T) * side * row;
  const auto rows = static_cast<std::int64_t>(d.extent(0)), columns = static_cast<std::int64_t>(d.extent(1)),
             tiles = div_up(columns, side);
  constexpr int row_threads = is_host_space<ExecSpace> ? 1 : side;
  if (first == last) return;
  for_teams(
      "blockfw::mirror",
      Policy(exec, static_cast<int>(last - first), Kokkos::AUTO, row_threads)
          .set_scratch_size(0, Kokkos::PerTeam(scratch + alignof(T))),
      KOKKOS_LAMBDA(const typename Policy::member_type& team) {
        const std::int64_t pair = first + team.league_rank(), i0 = pair / tiles * side, j0 = pair % tiles * side;
        if (upper && i0 > j0) return;
        const std::size_t bytes = scratch, alignment = alignof(T);
        T* const tile =
            static_cast<T*>(Instructions::known_scratch(team.team_scratch(0).get_shmem_aligned(bytes, alignment)));
        const int height = static_cast<int>(Kokkos::min<std::int64_t>(side, rows - i0));
        const int width = static_cast<int>(Kokkos::min<std::int64_t>(side, columns - j0));
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, height), [&](int i) {
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, width),
                               [&](int j) { tile[i * row + j] = d(i0 + i, j0 + j); });
        });
        team.team_barrier();
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, width), [&](int j) {
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, upper && i0 == j0 ? j : height),
                               [&](int i) { f(j0 + j, i0 + i, tile[i * row + j]); });
        });
      });
}

/// Stores entries in a matrix.
template <class View>
struct CopyTo {
  View d;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t j, typename View::value_type x) const { d(i, j) = x; }
};

template <class View, class Flag>
struct Compare {
  View d;
  Flag differs;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t j, typename View::value_type above) const {
    if (d(i, j) != above) differs() = 1;
  }
};

inline std::int64_t mirror_tiles(std::int64_t rows) { return div_up(rows, mirror_tile); }

/// \brief Copies the entries above the diagonal to below it.
///
/// O(n²) at memory speed; queued on exec, not fenced.
template <class ExecSpace, class View>
void mirror(const ExecSpace& exec, const View& d) {
  const std::int64_t tiles = mirror_tiles(static_cast<std::int64_t>(d.extent(0)));
  for_each_transposed<true>(exec, d, 0, tiles * tiles, CopyTo<View>{d});
}

/// \brief Copies `from`, transposed, to `to`. Queued on exec, not fenced.
template <class ExecSpace, class From, class To>
void transpose(const ExecSpace& exec, const From& from, const To& to) {
  const std::int64_t tiles =
      mirror_tiles(static_cast<std::int64_t>(from.extent(0))) * mirror_tiles(static_cast<std::int64_t>(from.extent(1)));
  for_each_transposed<false>(exec, from, 0, tiles, CopyTo<To>{to});
}

/// is_symmetric() of a square matrix.
template <class ExecSpace, MatrixView View>
bool equals_its_transpose(const ExecSpace& exec, const View& d) {
  using Flag = Kokkos::View<int, typename ExecSpace::memory_space>;
  const Flag differs(Kokkos::view_alloc(exec, "blockfw::is_symmetric"));
  const std::int64_t tiles = mirror_tiles(static_cast<std::int64_t>(d.extent(0)));
  const auto differ = [&](std::int64_t first, std::int64_t last) {
    for_each_transposed<true>(exec, d, first, last, Compare<View, Flag>{d, differs});
    int any = 0;
    Kokkos::deep_copy(exec, any, differs);
    exec.fence("blockfw::is_symmetric");
    return any != 0;
  };
  return !differ(0, tiles) && !differ(tiles, Kokkos::max(tiles, tiles * tiles));
}

}  // namespace blockfw::detail
