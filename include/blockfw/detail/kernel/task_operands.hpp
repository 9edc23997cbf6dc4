// SPDX-License-Identifier: MIT
/// \file
/// \brief How a team takes the operands of a task of phase 3: all at once, slab by slab as they come, or by a relay.
#pragma once

#include "blockfw/detail/kernel/concepts.hpp"
#include "blockfw/detail/kernel/optional_parts.hpp"
#include "blockfw/detail/kernel/task_order.hpp"

#include <Kokkos_Core.hpp>

namespace blockfw::detail {

/// \brief The operands of a kernel's tasks, in the panels of a solve.
template <class Kernel>
struct TaskOperands {
  using Panels = typename Kernel::Panels;
  using Team = TeamOf<Kernel>;

  /// Whether the operands of a task's last round come through the relay: those of the next panels do.
  static KOKKOS_FORCEINLINE_FUNCTION bool takes_relayed(const Task& task, int last) {
    return relays<Panels> && (task.in_next_rows || task.in_next_cols) && task.since <= last;
  }

  /// The last round whose panels a task takes.
  static KOKKOS_FORCEINLINE_FUNCTION int last_panels(const Task& task, int last) {
    return takes_relayed(task, last) ? last - 1 : last;
  }

  /// \brief Updates a task's tile with the panels of its rounds up to `now`.
  /// \param there  the number of slabs of the last round that are there
  /// \param task   task() makes the task again; this takes fewer registers than to keep the task
  template <class TaskOf>
  static KOKKOS_FORCEINLINE_FUNCTION void relax(const Team& team, Kernel& tile, const Panels& panels, const Task& p,
                                                int now, [[maybe_unused]] int there,
                                                [[maybe_unused]] const TaskOf& task) {
    if constexpr (panels_have::flags<Panels, Team> && !relays<Panels>)
      tile.relax(team, panels, panels.left(p.i), panels.right(p.j), p.since, now, there, [&](int slab) {
        const Task t = task();
        return panels.wait_for_slab(team, t.i, t.j, now, slab);
      });
    else
      tile.relax(team, panels, panels.left(p.i), panels.right(p.j), p.since, now);
  }

  /// Updates the tile with a round's operands that come through the relay, if the task takes any.
  template <class TaskOf>
  static KOKKOS_FORCEINLINE_FUNCTION void relax_relayed([[maybe_unused]] const Team& team,
                                                        [[maybe_unused]] Kernel& tile,
                                                        [[maybe_unused]] const Panels& panels,
                                                        [[maybe_unused]] int round,
                                                        [[maybe_unused]] const TaskOf& task) {
    if constexpr (relays<Panels>)
      if (const Task p = task(); takes_relayed(p, round))
        tile.relax_relayed(team, panels, panels.left(p.i), panels.right(p.j), round);
  }
};

}  // namespace blockfw::detail
