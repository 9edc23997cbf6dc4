// The phases one after the other, each fenced, and what they move, counted.
#pragma once

#include "bench.hpp"

#include <array>

namespace bench {

/// Of each phase.
using ThreeOf = std::array<double, 3>;

template <class TileShape, class T>
using PhasesOf = blockfw::Phases<TileShape, Exec, blockfw::MinPlus<T>>;

/// Seconds of each phase of a solve without look-ahead, in launches of their own.
template <class TileShape, class T>
ThreeOf time_phases(const Exec& exec, const Matrix<T>& matrix) {
  using Phases = PhasesOf<TileShape, T>;
  const int n = matrix.extent_int(0), block = Phases::block;
  const typename Phases::Part all{blockfw::matrix_ref<Exec>(matrix)};
  typename Phases::PanelStorage storage(exec, n, n, n, blockfw::LookAhead::no);
  ThreeOf seconds{};
  Kokkos::Timer timer;
  const auto lap = [&](std::size_t phase) {
    exec.fence();
    seconds[phase] += timer.seconds();
    timer.reset();
  };
  for (int k = 0; k * block < n; ++k) {
    const auto panels = storage.panels(all.d, k * block, k * block, std::min(block, n - k * block));
    exec.fence();
    timer.reset();
    Phases::close_pivot(exec, all, k, panels);
    lap(0);
    Phases::update_panels(exec, all, k, panels);
    lap(1);
    Phases::update_rest(exec, all, k, panels);
    lap(2);
  }
  return seconds;
}

/// How many teams the first round's phase 3 has.
template <class TileShape, class T>
int teams_of_phase_3(const Exec& exec, const Matrix<T>& matrix) {
  using Phases = PhasesOf<TileShape, T>;
  const int n = matrix.extent_int(0);
  const typename Phases::Part all{blockfw::matrix_ref<Exec>(matrix)};
  typename Phases::PanelStorage storage(exec, n, n, n, blockfw::LookAhead::no);
  return Phases::teams_of_rest(exec, all, 0, storage.panels(all.d, 0, 0, std::min(+Phases::block, n)));
}

/// What the phases relax and move in all rounds.
struct Counted {
  ThreeOf relaxes{};
  ThreeOf bytes{};          ///< between scratch or registers and memory or its caches
  ThreeOf scratch_bytes{};  ///< between registers and scratch (on a host packed operands, in a core's own caches)
};

/// \param lag  rounds between two visits of a tile of phase 3
template <class TileShape, class T>
Counted count_phases(std::int64_t n, double teams, int lag) {
  using Phases = PhasesOf<TileShape, T>;
  constexpr double block = Phases::block, size = sizeof(T);
  constexpr blockfw::RegisterTile tile = Phases::register_tile;
  const double order = static_cast<double>(n), rounds = std::max(1.0, order / block);
  Counted counted;
  // (Tiles of a round: one, the others of a row and a column, the rest.)
  const ThreeOf tiles{1, 2 * (rounds - 1), (rounds - 1) * (rounds - 1)};
  for (std::size_t phase = 0; phase < 3; ++phase) {
    const double entries = rounds * tiles[phase] * block * block;  // in all rounds
    counted.relaxes[phase] = entries * block;
    counted.bytes[phase] = 2 * entries * size;  // C, read and written
    counted.scratch_bytes[phase] = entries * block * tile.bytes_a_pivot / (tile.rows * tile.cols);
  }
  counted.bytes[1] *= 2;  // the pivot's tile is read, the panel written
  // Phase 3: a team's operands are as high and as wide as what it has of C.
  counted.bytes[2] /= lag;
  const double side = order / std::sqrt(teams);
  counted.bytes[2] += rounds * teams * 2 * side * block * size;
  for (std::size_t phase = 1; phase < 3; ++phase)  // operands into scratch
    counted.scratch_bytes[phase] += rounds * tiles[phase] * 2 * block * block * size;
  return counted;
}

/// Rounds between two visits of a tile when the solver looks ahead.
template <class TileShape>
int lag_of(std::int64_t n) {
  const std::int64_t tiles = (n + TileShape::block - 1) / TileShape::block;
  return on_host ? 1 : blockfw::detail::lag_of(tiles, tiles, blockfw::LookAhead::yes);
}

}  // namespace bench
