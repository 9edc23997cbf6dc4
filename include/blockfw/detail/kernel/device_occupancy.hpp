// SPDX-License-Identifier: MIT
/// \file
/// \brief How many teams of the device kernel share a multiprocessor.
#pragma once

#include "blockfw/detail/backend/backend.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace blockfw::detail {

/// \brief The teams that a device holds at once, by their scratch and by the bound that the compiler is given.
/// \tparam Shape  a DeviceShape
template <class ExecSpace, class Shape>
class DeviceOccupancy {
  static constexpr int threads = Shape::threads;

 public:
  /// Scratch of a team that shall share a multiprocessor with few others. Kokkos allows 48 KiB, its own words included.
  /// It allows no more than leaves room for the teams of the launch bounds.
  static constexpr int most_scratch = 45 * 1024;

  /// Teams for which a multiprocessor has scratch.
  static constexpr int scratch_teams =
      std::max(1, Shape::target.scratch / (static_cast<int>(Shape::scratch_bytes) + Shape::not_ours));

 private:
  static constexpr int resident = std::min(scratch_teams, Shape::wanted);
  /// `resident` in the units of the compiler's bound.
  static constexpr int bound =
      Shape::target.simds == 0 ? resident : std::clamp((resident * Shape::warps) / Shape::target.simds, 1, 2);
  static constexpr bool can_take_more_scratch = Shape::by_slabs &&
                                                static_cast<int>(Shape::scratch_bytes) <= most_scratch &&
                                                most_scratch + 8 * (threads + 2) + Shape::vector_bytes <= 48 * 1024 &&
                                                resident * (most_scratch + Shape::not_ours) <= Shape::target.scratch;
  static int processors(const ExecSpace& exec) { return std::max(1, exec.concurrency() / Shape::target.threads); }

 public:
  using Policy = Kokkos::TeamPolicy<ExecSpace, Kokkos::LaunchBounds<threads, bound>, Kokkos::IndexType<int>>;

  /// The number of teams that the device holds at once.
  static int teams_at_once(const ExecSpace& exec) { return processors(exec) * resident; }

  /// The most teams that a multiprocessor shall hold at once while the chain of pivots takes longer than all other
  /// work. These are no more than the other work needs: further teams would take issue slots from the team for which
  /// all wait. 0: as many as fit.
  /// \param tiles  of the matrix
  static int teams_together(const ExecSpace& exec, std::int64_t tiles)
    requires(can_take_more_scratch && requires { multiprocessor_scratch(exec); })
  {
    if (multiprocessor_scratch(exec) < std::size_t{resident * (most_scratch + Shape::not_ours)}) return 0;
    const std::int64_t teams = (tiles + processors(exec) / 2) / processors(exec);
    return teams < resident + Shape::relays ? static_cast<int>(std::max<std::int64_t>(1, teams)) : 0;
  }
  /// The share of the threads of a full multiprocessor that a number of teams have, in percent.
  static constexpr int share_of(int teams) { return 100 * teams * threads / Shape::target.threads; }
};

}  // namespace blockfw::detail
