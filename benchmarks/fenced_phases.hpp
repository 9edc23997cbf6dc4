// SPDX-License-Identifier: MIT
// The phases one after the other, each fenced.
#pragma once

#include "bench.hpp"

#include <array>

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

}  // namespace bench
