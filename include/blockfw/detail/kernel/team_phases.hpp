// SPDX-License-Identifier: MIT
/// \file
/// \brief A team's work on the tile that it has read: phases 1 and 2, and the end of a task of phase 3.
#pragma once

#include "blockfw/detail/backend/backend.hpp"
#include "blockfw/detail/kernel/concepts.hpp"
#include "blockfw/detail/kernel/flagged_panels.hpp"
#include "blockfw/detail/kernel/kernel_for.hpp"
#include "blockfw/detail/kernel/part.hpp"
#include "blockfw/detail/kernel/task_order.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

namespace blockfw::detail {

/// \brief A team's share of the phases for one tile shape, execution space, semiring and device; see Phases.
template <class TileShape, class ExecSpace, class Semiring, class Device>
struct TeamPhases {
  using Kernel = KernelFor<TileShape, ExecSpace, Semiring, Device>;
  using Ref = MatrixRef<typename Semiring::value_type, ExecSpace>;
  using Part = blockfw::Part<Ref>;
  using Team = TeamOf<Kernel>;
  using Panels = typename Kernel::Panels;
  static constexpr int block = TileShape::block;

  /// Whether the phases can do half the work for a symmetric matrix.
  static constexpr bool can_halve = is_commutative<Semiring> && kernel_has::mirrors<Kernel, Panels>;

  /// Whether only the tiles on the diagonal and above are updated.
  static KOKKOS_FORCEINLINE_FUNCTION bool is_half(const Part& part) {
    return can_halve && part.direction == Direction::undirected;
  }
  /// Whether the phases update this tile, or index ranges of some tiles.
  static KOKKOS_FORCEINLINE_FUNCTION bool counts(const Part& part, const IndexRange& i, const IndexRange& j) {
    return !is_half(part) || i.first <= j.first;
  }

  /// The rank of a team in the order in which the teams of a launch start. Where that is not the order of their league
  /// ranks, each team draws a number. (rocPRIM's scans number their teams for the same reason.)
  static KOKKOS_FORCEINLINE_FUNCTION int start_rank(const MemberOf<Kernel>& member,
                                                    [[maybe_unused]] const Panels& panels, [[maybe_unused]] int round) {
    if constexpr (Kernel::starts_in_order)
      return member.league_rank();
    else
      return panels.start_rank(member, round);
  }

  /// Whether the operands of a task's last round come through the relay. They do for a task of the next panels.
  static KOKKOS_FORCEINLINE_FUNCTION bool takes_relayed(const Task& task, int last) {
    return Panels::relays && (task.in_next_rows || task.in_next_cols) && task.since <= last;
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
    if constexpr (Panels::flagged && !Panels::relays)
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
    if constexpr (Panels::relays)
      if (const Task p = task(); takes_relayed(p, round))
        tile.relax_relayed(team, panels, panels.left(p.i), panels.right(p.j), round);
  }

  /// Completes a task after phase 3 of the round before `next`: writes the tile, or first does phase 1 (on a device
  /// also phase 2) of `next` on it.
  static KOKKOS_FORCEINLINE_FUNCTION void finish(const Team& team, Kernel& tile, const Part& part, const Panels& panels,
                                                 int next, const Task& task) {
    const IndexRange &i = task.i, &j = task.j;
    if (!task.in_next_rows && !task.in_next_cols) {
      tile.write(sub(part.d, i, j));
      panels.post_tile(team, i, j, next);
    } else if (task.in_next_rows && task.in_next_cols) {
      finish_pivot<true>(team, tile, part, panels, next, i, j);
    } else if constexpr (Kernel::look_ahead == LookAheadProgress::panels) {
      finish_panel(team, tile, part, panels, next, task.in_next_rows, i, j);
    }
  }

  /// \tparam by_slabs  whether the pivot goes out slab by slab: other teams of the launch wait for it; or one team
  ///                    does all, and this takes fewer registers
  template <bool by_slabs, class AnyPanels>
  static KOKKOS_FORCEINLINE_FUNCTION void finish_pivot(const Team& team, Kernel& tile, const Part& part,
                                                       const AnyPanels& panels, int round, const IndexRange& i,
                                                       const IndexRange& j) {
    // (On a host the task may be larger than the tile.)
    const Ref pivot = sub(part.d, {i.first, Kokkos::min(+block, i.count)}, {j.first, Kokkos::min(+block, j.count)});
    if constexpr (runs_host_kernel<ExecSpace, Device>) tile.read(pivot);
    if constexpr (AnyPanels::flagged) tile.note_negative(panels);
    const auto publish = [&](bool paths, auto... slab) {
      tile.publish(panels, round, panels.left_pivot(), paths, slab...);
      tile.publish(panels, round, panels.right_pivot(), paths, slab...);
    };
    const auto post = [&](int slabs) { panels.post_pivot(team, round, slabs); };
    bool diverges = false;
    if constexpr (AnyPanels::relays) {
      const auto relay = [&](int slab, bool paths) {
        tile.publish(panels, round, Relayed{panels.left_pivot()}, paths, slab);
        tile.publish(panels, round, Relayed{panels.right_pivot()}, paths, slab);
      };
      diverges = tile.close(
          team, pivot.extent_int(0),
          [&](int slab, bool stopped) {
            if (stopped)
              for (int c = 0; c < slab; ++c) relay(c, false);
            relay(slab, !stopped);
          },
          [](int) {});
    } else if constexpr (by_slabs) {
      diverges = tile.close(team, pivot.extent_int(0), [&](int slab, bool) { publish(true, slab); }, post);
      if (AnyPanels::self_contained && diverges) publish(false);
    } else {
      diverges = tile.close(team, pivot.extent_int(0));
      publish(!AnyPanels::self_contained || !diverges);
    }
    if constexpr (AnyPanels::self_contained)
      if (!diverges) tile.mark_paths(panels, round);
    if constexpr (!AnyPanels::relays) {
      if constexpr (AnyPanels::flagged) team.member.team_barrier();
      post(all_slabs + diverges);
    }
    tile.write(pivot);
    panels.post_tile(team, i, j, round + 1);
  }

  /// \param of_rows  whether the tile lies in the pivot's rows; if not, it lies in its columns
  template <class AnyPanels>
  static KOKKOS_FORCEINLINE_FUNCTION void finish_panel(const Team& team, Kernel& tile, const Part& part,
                                                       const AnyPanels& panels, int round, bool of_rows,
                                                       const IndexRange& i, const IndexRange& j) {
    const Ref c = sub(part.d, i, j);
    const bool half = is_half(part);
    if constexpr (AnyPanels::flagged) tile.note_negative(panels);
    const auto publish_at = [&](const auto& place, int slab, bool paths, [[maybe_unused]] bool own) {
      of_rows ? tile.publish(panels, round, place(panels.right(j)), paths, slab)
              : tile.publish(panels, round, place(panels.left(i)), paths, slab);
      if constexpr (can_halve) {
        if (!half || own) return;
        of_rows ? tile.publish_mirrored(panels, round, place(panels.left(j)), paths, slab)
                : tile.publish_mirrored(panels, round, place(panels.right(i)), paths, slab);
      }
    };
    const auto publish = [&](int slab, bool paths, bool own) {
      publish_at([](auto packed) { return packed; }, slab, paths, own);
    };
    const auto post = [&](int slabs) {
      if (half) panels.post_panel(team, !of_rows, j, i, round, slabs);
      panels.post_panel(team, of_rows, i, j, round, slabs);
    };
    if constexpr (AnyPanels::relays) {
      tile.take_through_relayed(team, panels, round, of_rows, [&](int slab, bool paths) {
        publish_at([](auto packed) { return Relayed{packed}; }, slab, paths, false);
        publish(slab, paths, false);
      });
    } else {
      const auto wait = [&](int slab) { return panels.wait_for_pivot(team, round, of_rows, slab); };
      tile.take_through(team, panels, round, of_rows, i, j, publish, post, wait);
    }
    post(all_slabs);  // before the tile goes to d, as other teams wait for the panel
    tile.write(c);
    panels.post_tile(team, i, j, round + 1);
  }

  static KOKKOS_FORCEINLINE_FUNCTION Ref sub(const Ref& d, const IndexRange& i, const IndexRange& j) {
    return submatrix(d, i.first, i.count, j.first, j.count);
  }
};

}  // namespace blockfw::detail
