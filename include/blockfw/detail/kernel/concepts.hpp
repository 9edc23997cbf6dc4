// SPDX-License-Identifier: MIT
/// \file
/// \brief The contract between the phases, a tile kernel, its panels and the storage of panels.
///
/// Each requirement is a concept with a sentence. A type that lacks one fails to compile with that sentence. Optional
/// parts of a kernel and of panels are also functions, which the phases can call in any case.
#pragma once

#include "blockfw/detail/kernel/index_ranges.hpp"
#include "blockfw/detail/kernel/task_order.hpp"
#include "blockfw/detail/matrices/part.hpp"

#include <Kokkos_Core.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace blockfw::detail {

/// \brief The storage of the panels of one solve.
template <class Storage, class ExecSpace, class Ref>
concept SolvePanelStorage =
    std::constructible_from<Storage, const ExecSpace&, const PanelStorageOptions&, const ExecSpace&> &&
    requires(const Storage& storage, const Ref& d, std::int64_t n) {
      storage.panels(d);
      { Storage::bytes(n, n) } -> std::same_as<double>;
    };

/// \brief The storage of the panels of groups of rounds. Links send these panels.
template <class Storage, class ExecSpace>
concept GroupPanelStorage = std::constructible_from<Storage, const ExecSpace&, const GroupStorageOptions&> &&
                            requires(const Storage& storage, std::int64_t n) {
                              storage.panels();
                              storage.panels(1);
                              storage.panels().of(0);
                              { storage.left(0) } -> std::same_as<Message>;
                              { storage.right(0) } -> std::same_as<Message>;
                              { storage.left(0, 0, 1) } -> std::same_as<Message>;
                              { storage.left_pivot(0) } -> std::same_as<Message>;
                              { Storage::bytes(n, n, 1, 1) } -> std::same_as<double>;
                            };

template <class Kernel>
using MemberOf = typename Kernel::Policy::member_type;
template <class Kernel>
using TeamOf = typename Kernel::template Team<MemberOf<Kernel>>;

/// The order in which the teams of phase 3 take its tasks.
template <class Order>
concept TaskOrder = requires(const Order& order, int rank, int round) {
  { order.all() } -> std::same_as<int>;
  { order.size() } -> std::same_as<int>;
  { order.round(rank) } -> std::same_as<int>;
  { order.at(rank, round) } -> std::same_as<Task>;
};

namespace panels_have {

template <class Panels>
concept places = requires(const Panels& panels, const IndexRange& range, int round) {
  panels.left(range);
  panels.right(range);
  panels.left_pivot();
  panels.right_pivot();
  { panels.pivots(round) } -> std::same_as<int>;
};

/// Panels are self-contained if a reader needs nothing else. A pivot that diverges is then published without paths.
template <class Panels>
concept self_contained = requires {
  { Panels::self_contained } -> std::convertible_to<bool>;
};

template <class Panels, class Team>
concept pivot_wait = requires(const Panels& panels, const Team& team, int round, bool of_rows) {
  { panels.wait_for_pivot(team, round, of_rows, 0) } -> std::same_as<int>;
};

/// Optional, for panels whose readers run in the same launch: flags that one team posts and others wait for.
template <class Panels, class Team>
concept flags = requires(const Panels& panels, const Team& team, const IndexRange& range, const Task& task, int round) {
  panels.post_pivot(team, round, 1);
  panels.post_panel(team, true, range, range, round, 1);
  panels.post_tile(team, range, range, round);
  panels.post_team_done(team.member, round);
  { panels.wait_for_operands(team, task, round, round, 1) } -> std::same_as<int>;
  { panels.wait_for_slab(team, range, range, round, 0) } -> std::same_as<int>;
  panels.note_negative();
  { panels.any_negative() } -> std::same_as<bool>;
};

/// Panels have all of these flags or none.
template <class Panels, class Team>
concept some_flags =
    requires(const Panels& panels, const Team& team, int round) { panels.post_pivot(team, round, 1); } ||
    requires(const Panels& panels, const Team& team, const IndexRange& i) {
      panels.post_panel(team, true, i, i, 0, 1);
    } || requires(const Panels& panels, const Team& team, const IndexRange& i) { panels.post_tile(team, i, i, 0); } ||
    requires(const Panels& panels) { panels.note_negative(); };

}  // namespace panels_have

namespace kernel_has {

/// The side of a tile (TileShape::block); the rows and columns of its register tile; and the type of an entry of the
/// left operand as it is read. Benchmarks count bytes by these.
template <class Kernel>
concept shape = requires {
  { Kernel::block } -> std::convertible_to<int>;
  { Kernel::rows } -> std::convertible_to<int>;
  { Kernel::cols } -> std::convertible_to<int>;
  typename Kernel::LeftEntry;
};

/// A team of Kokkos and its scratch pad, and how many teams the space holds at once. A kernel object holds one tile C
/// for a team.
template <class Kernel, class ExecSpace>
concept team = requires(const ExecSpace& exec, const MemberOf<Kernel>& member, const TeamOf<Kernel>& of_member) {
  TeamOf<Kernel>(member);
  { of_member.member } -> std::convertible_to<const MemberOf<Kernel>&>;
  { Kernel::teams_at_once(exec) } -> std::same_as<int>;
  Kernel(TeamOf<Kernel>(member));
  { Kernel::team_size } -> std::convertible_to<int>;
  { Kernel::scratch_level } -> std::convertible_to<int>;
  { Kernel::scratch_bytes } -> std::convertible_to<std::size_t>;
};

/// The panels of a solve, and the storage of these and of a group's panels.
template <class Kernel>
concept panels = requires {
  typename Kernel::Panels;
  typename Kernel::PanelStorage;
  typename Kernel::GroupStorage;
};

/// The tasks of update_rest(). The index ranges of a task are whole tiles. A range has more than one tile only where
/// the kernel works in place. (All other index ranges are one tile at most.)
template <class Kernel, class ExecSpace, class Part>
concept tasks = requires(const ExecSpace& exec, const Part& part, const typename Kernel::Panels& panels) {
  { Kernel::task_order(exec, part, 0, panels, LookAheadProgress::nothing, 1, false) } -> TaskOrder;
};

/// The work of phase 3 on the next round, and the most rounds of one launch for a matrix of some tiles a side.
template <class Kernel>
concept look_ahead = requires {
  { Kernel::look_ahead } -> std::convertible_to<LookAheadProgress>;
  { Kernel::rounds_at_once(1) } -> std::same_as<int>;
};

/// Takes a tile, or the part of it that is there, as C; padding is zero(). The second argument says that only the tiles
/// on C's diagonal and above will be updated.
template <class Kernel, class Ref>
concept read = requires(Kernel& tile, const Ref& c) {
  tile.read(c);
  tile.read(c, true);
};

/// Writes C to the matrix. A kernel that works on the tile in its place in the matrix has no write(), and says so.
template <class Kernel, class Ref>
concept write = requires(Kernel& tile, const Ref& c) { tile.write(c); };
template <class Kernel>
concept in_place = requires { requires bool(Kernel::in_place); };

/// Floyd-Warshall inside C, for its first pivots. Stops at the first pivot on a cycle that diverges, and returns
/// whether it did.
template <class Kernel>
concept closes = requires(Kernel& tile, const TeamOf<Kernel>& team) {
  { tile.close(team, 1) } -> std::same_as<bool>;
};

/// C ← C ⊕ (A ⊗ B) for the operands of the rounds from `first` to `last`, both included. An earlier publish() of the
/// same team may have written A or B.
template <class Kernel, class Panels>
concept relaxes = requires(Kernel& tile, const TeamOf<Kernel>& team, const Panels& panels, const IndexRange& i,
                           const IndexRange& j) { tile.relax(team, panels, panels.left(i), panels.right(j), 0, 0); };

/// Writes C, with its padding, as an operand A (left) or B (right) of a round. If the last argument is false, the
/// operand has no paths: all its entries are zero(). Flags, or the end of the launch, make the operand visible to other
/// teams.
template <class Kernel, class Panels>
concept publishes = requires(Kernel& tile, const Panels& panels, const IndexRange& i) {
  tile.publish(panels, 0, panels.left(i), true);
  tile.publish(panels, 0, panels.right(i), true);
};

/// Optional: the same for the transposed C, for half the work where ⊗ is commutative.
template <class Kernel, class Panels>
concept mirrors = requires(Kernel& tile, const Panels& panels, const IndexRange& i) {
  tile.publish_mirrored(panels, 0, panels.left(i), true);
  tile.publish_mirrored(panels, 0, panels.right(i), true);
};

/// Optional, for a device that starts teams in any order: the order in which they have started.
template <class Kernel, class Panels>
concept start_rank = requires(const MemberOf<Kernel>& member, const Panels& panels) {
  { Kernel::start_rank(member, panels, 0) } -> std::same_as<int>;
};

/// Optional, together: the number of teams that shall share a multiprocessor (0: as many as fit); the share of its
/// threads that these teams have; the scratch of each team. This scratch leaves none for one more team, and is at least
/// scratch_bytes.
template <class Kernel, class ExecSpace>
concept teams_together = requires(const ExecSpace& exec) {
  { Kernel::teams_together(exec, 1) } -> std::same_as<int>;
  { Kernel::share_of(1) } -> std::same_as<int>;
  { Kernel::most_scratch } -> std::convertible_to<int>;
};

}  // namespace kernel_has

/// Writes the tile to the matrix, unless the kernel works on it in its place there.
template <class Kernel, class Ref>
KOKKOS_FORCEINLINE_FUNCTION void write_back([[maybe_unused]] Kernel& tile, [[maybe_unused]] const Ref& c) {
  if constexpr (kernel_has::write<Kernel, Ref>) tile.write(c);
}

/// Phase 2, all at once, of a tile that lies in the pivot's rows or columns. It publishes the tile, which is its own
/// operand, takes it through the closed pivot, and publishes it again. (The parameters are those of
/// Kernel::take_through().)
template <class Kernel, class Team, class Panels, class Publish, class Wait>
KOKKOS_FORCEINLINE_FUNCTION void take_whole_through(Kernel& tile, const Team& team, const Panels& panels, int round,
                                                    bool of_rows, const IndexRange& i, const IndexRange& j,
                                                    const Publish& publish, const Wait& wait) {
  publish(whole_tile, true, true);
  const bool paths = wait(all_slabs - 1) > 0;
  // (Two calls: a single call with chosen operands spills registers on gfx90a.)
  if (paths && of_rows) tile.relax(team, panels, panels.left_pivot(), panels.right(j), round, round);
  if (paths && !of_rows) tile.relax(team, panels, panels.left(i), panels.right_pivot(), round, round);
  publish(whole_tile, paths, false);
}

/// \brief Panels: packed copies of a round's pivot rows and columns, by which phases 2 and 3 update tiles.
template <class Kernel, class Panels>
constexpr bool require_panels() {
  using Team = TeamOf<Kernel>;
  static_assert(panels_have::places<Panels>,
                "blockfw: panels have left(), right(), left_pivot(), right_pivot() and pivots()");
  static_assert(panels_have::self_contained<Panels>, "blockfw: panels say whether they are self_contained");
  static_assert(panels_have::pivot_wait<Panels, Team>,
                "blockfw: panels have wait_for_pivot(), which says how much of the pivot is there");
  static_assert(panels_have::flags<Panels, Team> || !panels_have::some_flags<Panels, Team>,
                "blockfw: panels have all flags or none: post_pivot(), post_panel(), post_tile(), post_team_done(), "
                "wait_for_operands(), note_negative() and any_negative()");
  static_assert(kernel_has::relaxes<Kernel, Panels>,
                "blockfw: a tile kernel relaxes a tile through the panels of some rounds");
  static_assert(kernel_has::publishes<Kernel, Panels>,
                "blockfw: a tile kernel publishes a tile as part of a left and of a right panel");
  return true;
}

/// \brief A tile kernel: how a team holds a tile, closes it and updates it with panels. A missing part does not
/// compile, and the message names it.
template <class Kernel, class ExecSpace, class Part, class Ref>
constexpr bool require_tile_kernel() {
  static_assert(kernel_has::shape<Kernel>,
                "blockfw: a tile kernel has a block, rows and cols of a register tile, and a LeftEntry");
  static_assert(kernel_has::team<Kernel, ExecSpace>,
                "blockfw: a tile kernel has Policy, Team<Member> with its member, team_size, teams_at_once(), "
                "scratch_level and scratch_bytes");
  static_assert(kernel_has::panels<Kernel>, "blockfw: a tile kernel has Panels, PanelStorage and GroupStorage");
  static_assert(kernel_has::tasks<Kernel, ExecSpace, Part>,
                "blockfw: a tile kernel cuts phase 3 into tasks by task_order()");
  static_assert(kernel_has::look_ahead<Kernel>,
                "blockfw: a tile kernel says by look_ahead and rounds_at_once() how far phase 3 goes");
  static_assert(kernel_has::read<Kernel, Ref>, "blockfw: a tile kernel reads a tile of the matrix");
  static_assert(kernel_has::write<Kernel, Ref> || kernel_has::in_place<Kernel>,
                "blockfw: a tile kernel writes its tile to the matrix, or says by in_place that it lies there");
  static_assert(kernel_has::closes<Kernel>, "blockfw: a tile kernel closes a tile and says whether it diverges");
  static_assert(
      SolvePanelStorage<typename Kernel::PanelStorage, ExecSpace, Ref>,
      "blockfw: panel storage is made from PanelStorageOptions for two instances and has panels() and bytes()");
  static_assert(GroupPanelStorage<typename Kernel::GroupStorage, ExecSpace>,
                "blockfw: group panel storage is made from GroupStorageOptions and has panels(), left(), right(), "
                "left_pivot() and bytes()");
  using Panels = typename Kernel::Panels;
  constexpr bool flags = panels_have::flags<Panels, TeamOf<Kernel>>;
  static_assert(flags || Kernel::look_ahead != LookAheadProgress::panels,
                "blockfw: a kernel whose phase 3 makes the next panels needs panels with flags");
  static_assert(!flags || kernel_has::start_rank<Kernel, Panels>,
                "blockfw: a kernel whose panels have flags says by start_rank() in which order its teams start");
  return require_panels<Kernel, Panels>() &&
         require_panels<Kernel,
                        std::remove_cvref_t<decltype(std::declval<const typename Kernel::GroupStorage&>().panels())>>();
}

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
