// SPDX-License-Identifier: MIT
/// \file
/// \brief The team policies of a tile kernel's launches.
#pragma once

#include "blockfw/detail/backend/vectors.hpp"
#include "blockfw/detail/kernel/concepts.hpp"
#include "blockfw/detail/kernel/kernel_for.hpp"

#include <Kokkos_Core.hpp>

namespace blockfw::detail {

/// \brief The team policy of `league` teams.
/// \tparam Device  the device that the kernel is shaped for
template <class Kernel, class Device, class ExecSpace>
inline auto team_policy(const ExecSpace& exec, int league) {
  if constexpr (runs_host_kernel<ExecSpace, Device>) require_vectors();
  return typename Kernel::Policy(exec, league, Kernel::team_size)
      .set_scratch_size(Kernel::scratch_level, Kokkos::PerTeam(Kernel::scratch_bytes));
}

/// The team policy of a launch of phase 3 with its task order.
template <class Kernel, class Device, class ExecSpace, TaskOrder Tasks>
inline auto task_policy(const ExecSpace& exec, const Tasks& tasks) {
  const auto policy = [&] { return team_policy<Kernel, Device>(exec, tasks.all()); };
  if constexpr (kernel_has::teams_together<Kernel, ExecSpace>) {
    using Kokkos::Experimental::DesiredOccupancy, Kokkos::Experimental::prefer;
    const int together = Kernel::teams_together(exec, tasks.tiles());
    if (together == 0) return prefer(policy(), DesiredOccupancy{100});
    // A multiprocessor sets scratch aside for these teams. The scratch of each team leaves none for one more team.
    return prefer(policy().set_scratch_size(Kernel::scratch_level, Kokkos::PerTeam(Kernel::most_scratch)),
                  DesiredOccupancy{Kernel::share_of(together)});
  } else {
    return policy();
  }
}

}  // namespace blockfw::detail
