// SPDX-License-Identifier: MIT
/// \file
/// \brief The optional parts of a tile kernel and of panels, as functions that the phases can call in any case.
#pragma once

#include "blockfw/detail/kernel/concepts.hpp"
#include "blockfw/detail/kernel/index_ranges.hpp"
#include "blockfw/detail/kernel/task_order.hpp"
#include "blockfw/detail/matrices/part.hpp"

#include <Kokkos_Core.hpp>

namespace blockfw::detail {

/// Whether slabs of a pivot, and of the panels that it makes, go through a relay.
template <class Panels>
inline constexpr bool relays = requires { requires Panels::relays; };

/// The rank of a team in the order in which the teams of a launch start.
template <class Kernel, class Panels>
KOKKOS_FORCEINLINE_FUNCTION int start_rank(const MemberOf<Kernel>& member, [[maybe_unused]] const Panels& panels,
                                           [[maybe_unused]] int round) {
  if constexpr (kernel_has::start_rank<Kernel, Panels>)
    return Kernel::start_rank(member, panels, round);
  else
    return member.league_rank();
}

/// \brief The flags of panels. Panels without flags post nothing, and their readers wait for nothing.
template <class Kernel, class Panels>
struct FlagsOf {
  using Team = TeamOf<Kernel>;
  static KOKKOS_FORCEINLINE_FUNCTION int wait_for_operands(const Team&, const Panels&, const Task&, int, int, int) {
    return 0;
  }
  static KOKKOS_FORCEINLINE_FUNCTION void note_negative(const Kernel&, const Panels&) {}
  static KOKKOS_FORCEINLINE_FUNCTION void post_pivot(const Team&, const Panels&, int, int) {}
  static KOKKOS_FORCEINLINE_FUNCTION void post_panel(const Team&, const Panels&, bool, const IndexRange&,
                                                     const IndexRange&, int, int) {}
  static KOKKOS_FORCEINLINE_FUNCTION void post_tile(const Team&, const Panels&, const IndexRange&, const IndexRange&,
                                                    int) {}
  static KOKKOS_FORCEINLINE_FUNCTION void post_team_done(const MemberOf<Kernel>&, const Panels&, int) {}
};

template <class Kernel, class Panels>
  requires panels_have::flags<Panels, TeamOf<Kernel>>
struct FlagsOf<Kernel, Panels> {
  using Team = TeamOf<Kernel>;
  static KOKKOS_FORCEINLINE_FUNCTION int wait_for_operands(const Team& team, const Panels& panels, const Task& task,
                                                           int last_panels, int last, int teams) {
    return panels.wait_for_operands(team, task, last_panels, last, teams);
  }
  static KOKKOS_FORCEINLINE_FUNCTION void note_negative(const Kernel& tile, const Panels& panels) {
    tile.note_negative(panels);
  }
  static KOKKOS_FORCEINLINE_FUNCTION void post_pivot(const Team& team, const Panels& panels, int round, int slabs) {
    panels.post_pivot(team, round, slabs);
  }
  static KOKKOS_FORCEINLINE_FUNCTION void post_panel(const Team& team, const Panels& panels, bool of_rows,
                                                     const IndexRange& i, const IndexRange& j, int round, int slabs) {
    panels.post_panel(team, of_rows, i, j, round, slabs);
  }
  static KOKKOS_FORCEINLINE_FUNCTION void post_tile(const Team& team, const Panels& panels, const IndexRange& i,
                                                    const IndexRange& j, int next) {
    panels.post_tile(team, i, j, next);
  }
  static KOKKOS_FORCEINLINE_FUNCTION void post_team_done(const MemberOf<Kernel>& member, const Panels& panels,
                                                         int round) {
    panels.post_team_done(member, round);
  }
};

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
