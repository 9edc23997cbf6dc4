// SPDX-License-Identifier: MIT
// The phases one after the other, each fenced, and counts of their relaxes and bytes.
#pragma once

#include "bench.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace bench {

/// A number for each phase.
using ThreeOf = std::array<double, 3>;

template <class TileShape, class T>
using PhasesOf = blockfw::Phases<TileShape, Exec, blockfw::MinPlus<T>>;
template <class TileShape, class T>
using KernelOf = blockfw::detail::KernelFor<TileShape, Exec, blockfw::MinPlus<T>>;

/// A solve without look-ahead, with a launch for each phase of each round; done(phase) is called after each.
template <class TileShape, class T, class Done>
void run_phases(const Exec& exec, const blockfw::MatrixRef<T, Exec>& d, const Done& done) {
  using Phases = PhasesOf<TileShape, T>;
  const int n = d.extent_int(0), block = Phases::block;
  const typename Phases::Part all{d};
  const typename Phases::PanelStorage storage(exec, {.order = n, .height = n, .width = n}, exec);
  const auto panels = storage.panels(d);
  for (int k = 0; k * block < n; ++k) {
    Phases::close_pivot(exec, all, k, panels);
    done(0);
    Phases::update_panels(exec, all, k, panels);
    done(1);
    const blockfw::Selection rest{{0, n}, {k * block, panels.pivots(k)}};
    Phases::update_through(exec, all, k, k, panels, rest, rest);
    done(2);
  }
}

/// Seconds of each phase, fenced.
template <class TileShape, class T>
ThreeOf time_phases(const Exec& exec, const Matrix<T>& matrix) {
  ThreeOf seconds{};
  exec.fence();
  Kokkos::Timer timer;
  run_phases<TileShape, T>(exec, blockfw::matrix_ref<Exec>(matrix), [&](std::size_t phase) {
    exec.fence();
    seconds[phase] += timer.seconds();
    timer.reset();
  });
  return seconds;
}

/// How many teams phase 3 of a round has, without look-ahead.
template <class TileShape, class T>
int teams_of_phase_3(const Matrix<T>& matrix) {
  constexpr int block = TileShape::block;
  const int ranges = blockfw::detail::IndexRanges({{0, matrix.extent_int(0)}, {0, block}}, block).size();
  return ranges * ranges;
}

/// The relaxes and bytes of the phases in all rounds, as the kernels are written; caches may serve any of these bytes.
struct Counted {
  ThreeOf relaxes{};
  ThreeOf bytes{};          ///< between memory and a team
  ThreeOf scratch_bytes{};  ///< between scratch and registers, as each thread receives them (a host: packed operands)
};

/// \param teams  of phase 3, each with an equal part of C
/// \param lag    rounds from one update of a tile in phase 3 to the next
template <class TileShape, class T>
Counted count_phases(std::int64_t n, double teams, int lag) {
  using Kernel = KernelOf<TileShape, T>;
  // The kernel reads an entry of the left operand as a LeftEntry, one of the right operand as a T.
  constexpr double left = sizeof(typename Kernel::LeftEntry), right = sizeof(T);
  constexpr double block = Kernel::block, size = sizeof(T), operand = left + right;
  const double order = static_cast<double>(n), rounds = std::max(1.0, order / block), rest = order - order / rounds;
  // Entries of a round: the pivot's, the others of its rows and columns, the rest.
  const ThreeOf entries{block * block, 2 * rest * block, rest * rest};
  // How often phases 1 and 2 move an entry: each reads and writes it. A device also publishes it twice, in phase 1 for
  // both operands, in phase 2 before and after the update. In phase 2 a device reads two operands, a host only its own.
  constexpr ThreeOf moved{on_host ? 2 : 4, on_host ? 3 : 6, 0};
  Counted counted;
  for (std::size_t phase = 0; phase < 3; ++phase) {
    counted.relaxes[phase] = rounds * entries[phase] * block;
    counted.bytes[phase] = rounds * entries[phase] * moved[phase] * size;
  }
  // Phase 3: C, and for each team operands as high and as wide as its part of C.
  const double side = on_host ? order / std::sqrt(teams) : block;
  const double operands = rest > 0 ? rounds * entries[2] / side * block * operand : 0;
  counted.bytes[2] = rounds * entries[2] * 2 * size / lag + operands;
  // (Phase 1 reads scratch in another order, which is not counted.)
  const double a_pivot = (Kernel::rows * left + Kernel::cols * right) / (Kernel::rows * Kernel::cols);
  counted.scratch_bytes[1] = counted.relaxes[1] * a_pivot + rounds * entries[1] * operand * (on_host ? 0.5 : 1);
  counted.scratch_bytes[2] = counted.relaxes[2] * a_pivot + operands;
  return counted;
}

/// Rounds from one update of a tile to the next, with look-ahead.
template <class TileShape>
int lag_of(std::int64_t n) {
  const std::int64_t tiles = blockfw::detail::div_up(n, TileShape::block);
  const int enough = TileShape::block == 64 && TileShape::register_rows * TileShape::register_cols == 32
                         ? 400
                         : 800;  // as DeviceShape
  return on_host ? 1 : blockfw::detail::lag_of(tiles, tiles, enough);
}

}  // namespace bench
