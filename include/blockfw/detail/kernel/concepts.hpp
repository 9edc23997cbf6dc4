// SPDX-License-Identifier: MIT
/// \file
/// \brief The contract between the phases, a tile kernel, its panels and the storage of panels.
///
/// Each requirement is an assertion with a sentence. A type that lacks a member fails to compile with that sentence.
#pragma once

#include "blockfw/detail/kernel/part.hpp"
#include "blockfw/detail/kernel/task_order.hpp"

#include <Kokkos_Core.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace blockfw::detail {

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

namespace kernel_has {

/// Optional: publish() of the transposed C, for half the work where ⊗ is commutative.
template <class Kernel, class Panels>
concept mirrors = requires(Kernel& tile, const Panels& panels, const IndexRange& i) {
  tile.publish_mirrored(panels, 0, panels.left(i), true);
  tile.publish_mirrored(panels, 0, panels.right(i), true);
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

/// \brief Panels: packed copies of a round's pivot rows and columns, by which phases 2 and 3 update tiles.
template <class Kernel, class Panels>
constexpr bool require_panels() {
  using Team = TeamOf<Kernel>;
  // Panels are self-contained if a reader needs nothing else. A pivot that diverges is then published without paths.
  static_assert(
      requires(const Panels& panels, const IndexRange& range, int round) {
        panels.left(range);
        panels.right(range);
        panels.left_pivot();
        panels.right_pivot();
        { panels.pivots(round) } -> std::same_as<int>;
        { Panels::self_contained } -> std::convertible_to<bool>;
      },
      "blockfw: panels have left(), right(), left_pivot(), right_pivot() and pivots(), and say whether they are "
      "self_contained");
  // Panels are flagged if their readers run in the same launch: flags that one team posts and others wait for. They
  // relay if slabs of a pivot, and of the panels that it makes, go through a relay.
  static_assert(
      requires(const Panels& panels, const Team& team, const IndexRange& range, const Task& task, int round) {
        { Panels::flagged } -> std::convertible_to<bool>;
        { Panels::relays } -> std::convertible_to<bool>;
        { panels.wait_for_pivot(team, round, true, 0) } -> std::same_as<int>;
        { panels.wait_for_operands(team, task, round, round, 1) } -> std::same_as<int>;
        panels.post_pivot(team, round, 1);
        panels.post_panel(team, true, range, range, round, 1);
        panels.post_tile(team, range, range, round);
        panels.post_team_done(team.member, round);
        { panels.any_negative() } -> std::same_as<bool>;
      },
      "blockfw: panels have wait_for_pivot(), wait_for_operands(), post_pivot(), post_panel(), post_tile(), "
      "post_team_done() and any_negative(), and say whether they are flagged and whether they relay (NoFlags has all "
      "for panels without flags)");
  static_assert(
      !Panels::flagged || requires(const Panels& panels, Kernel& tile, const Team& team, const IndexRange& range) {
        { panels.wait_for_slab(team, range, range, 0, 0) } -> std::same_as<int>;
        tile.note_negative(panels);
      }, "blockfw: flagged panels have wait_for_slab(), and their kernel has note_negative()");
  // C ← C ⊕ (A ⊗ B) for the operands of the rounds from `first` to `last`, both included. An earlier publish() of the
  // same team may have written A or B.
  static_assert(
      requires(Kernel& tile, const Team& team, const Panels& panels, const IndexRange& i, const IndexRange& j) {
        tile.relax(team, panels, panels.left(i), panels.right(j), 0, 0);
      }, "blockfw: a tile kernel relaxes a tile through the panels of some rounds");
  // Writes C, with its padding, as an operand A (left) or B (right) of a round. If the last argument is false, the
  // operand has no paths: all its entries are zero(). Flags, or the end of the launch, make the operand visible to
  // other teams.
  static_assert(
      requires(Kernel& tile, const Panels& panels, const IndexRange& i) {
        tile.publish(panels, 0, panels.left(i), true);
        tile.publish(panels, 0, panels.right(i), true);
      }, "blockfw: a tile kernel publishes a tile as part of a left and of a right panel");
  return true;
}

/// \brief A tile kernel: how a team holds a tile, closes it and updates it with panels. A missing part does not
/// compile, and the message names it.
template <class Kernel, class ExecSpace, class Part, class Ref>
constexpr bool require_tile_kernel() {
  // The side of a tile (TileShape::block); the rows and columns of its register tile; and the type of an entry of the
  // left operand as it is read. Benchmarks count bytes by these.
  static_assert(
      requires {
        { Kernel::block } -> std::convertible_to<int>;
        { Kernel::rows } -> std::convertible_to<int>;
        { Kernel::cols } -> std::convertible_to<int>;
        typename Kernel::LeftEntry;
      }, "blockfw: a tile kernel has a block, rows and cols of a register tile, and a LeftEntry");
  // A team of Kokkos and its scratch pad, and how many teams the space holds at once. If teams do not start in the
  // order of their league ranks, flagged panels have start_rank(). A kernel object holds one tile C for a team.
  static_assert(
      requires(const ExecSpace& exec, const MemberOf<Kernel>& member, const TeamOf<Kernel>& team) {
        Kernel(TeamOf<Kernel>(member));
        { team.member } -> std::convertible_to<const MemberOf<Kernel>&>;
        { Kernel::teams_at_once(exec) } -> std::same_as<int>;
        { Kernel::starts_in_order } -> std::convertible_to<bool>;
        { Kernel::team_size } -> std::convertible_to<int>;
        { Kernel::scratch_level } -> std::convertible_to<int>;
        { Kernel::scratch_bytes } -> std::convertible_to<std::size_t>;
      },
      "blockfw: a tile kernel has Policy, Team<Member> with its member, team_size, teams_at_once(), starts_in_order, "
      "scratch_level and scratch_bytes");
  // The panels of a solve, and the storage of these and of a group's panels.
  static_assert(
      requires {
        typename Kernel::Panels;
        typename Kernel::PanelStorage;
        typename Kernel::GroupStorage;
      }, "blockfw: a tile kernel has Panels, PanelStorage and GroupStorage");
  using Panels = typename Kernel::Panels;
  using Storage = typename Kernel::PanelStorage;
  using Groups = typename Kernel::GroupStorage;
  // The index ranges of a task are whole tiles, or parts of a tile whose sides side_of_tasks() gives. A range has more
  // than one tile only where the kernel works on C in its place in the matrix. (All other index ranges are one tile at
  // most.)
  static_assert(
      requires(const ExecSpace& exec, const Part& part, const Panels& panels) {
        { Kernel::task_order(exec, part, 0, panels, LookAheadProgress::nothing, 1, false) } -> TaskOrder;
        { Kernel::side_of_tasks(exec, std::int64_t{1}) } -> std::convertible_to<int>;
      }, "blockfw: a tile kernel cuts phase 3 into tasks by task_order(), and other phases by side_of_tasks()");
  // The work of phase 3 on the next round, and the most rounds of one launch for a matrix of some tiles a side.
  static_assert(
      requires {
        { Kernel::look_ahead } -> std::convertible_to<LookAheadProgress>;
        { Kernel::rounds_at_once(1) } -> std::same_as<int>;
      }, "blockfw: a tile kernel says by look_ahead and rounds_at_once() how far phase 3 goes");
  static_assert(Panels::flagged || Kernel::look_ahead != LookAheadProgress::panels,
                "blockfw: a kernel whose phase 3 makes the next panels needs flagged panels");
  // Takes a tile, or the part of it that is there, as C; padding is zero(). The second argument says that only the
  // tiles on C's diagonal and above will be updated. write() does nothing if C stays in its place in the matrix.
  static_assert(
      requires(Kernel& tile, const Ref& c) {
        tile.read(c);
        tile.read(c, true);
        tile.write(c);
      }, "blockfw: a tile kernel reads a tile of the matrix, and writes it");
  // Floyd-Warshall inside C, for its first pivots. Stops at the first pivot on a cycle that diverges, and returns
  // whether it did.
  static_assert(
      requires(Kernel& tile, const TeamOf<Kernel>& team) {
        { tile.close(team, 1) } -> std::same_as<bool>;
      }, "blockfw: a tile kernel closes a tile and says whether it diverges");
  static_assert(
      std::constructible_from<Storage, const ExecSpace&, const PanelStorageOptions&, const ExecSpace&> &&
          requires(const Storage& storage, const Ref& d, std::int64_t n) {
            storage.panels(d);
            { Storage::bytes(n, n) } -> std::same_as<double>;
          },
      "blockfw: panel storage is made from PanelStorageOptions for two instances and has panels() and bytes()");
  // Links send the panels of groups of rounds.
  static_assert(
      std::constructible_from<Groups, const ExecSpace&, const GroupStorageOptions&> &&
          requires(const Groups& storage, std::int64_t n) {
            storage.panels();
            storage.panels(1);
            storage.panels().of(0);
            { storage.left(0) } -> std::same_as<Message>;
            { storage.right(0) } -> std::same_as<Message>;
            { storage.left(0, 0, 1) } -> std::same_as<Message>;
            { storage.left_pivot(0) } -> std::same_as<Message>;
            { Groups::bytes(n, n, 1, 1) } -> std::same_as<double>;
          },
      "blockfw: group panel storage is made from GroupStorageOptions and has panels(), left(), right(), left_pivot() "
      "and bytes()");
  return require_panels<Kernel, Panels>() &&
         require_panels<Kernel, std::remove_cvref_t<decltype(std::declval<const Groups&>().panels())>>();
}

}  // namespace blockfw::detail
