// SPDX-License-Identifier: MIT
/// \file
/// \brief The two tile operations on a device: a team of threads holds a tile of C in its registers.
///
/// Each thread owns a register tile. The team copies the pivots of a round from packed panels into its scratch pad, a
/// few at a time. Meanwhile it works on the pivots before. (The scheme of CUTLASS and of Volkov and Demmel,
/// "Benchmarking GPUs to tune dense linear algebra", SC 2008; here over a semiring.)
#pragma once

#include "blockfw/detail/backend/backend.hpp"
#include "blockfw/detail/backend/instructions.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/base/lanes.hpp"
#include "blockfw/detail/kernel/concepts.hpp"
#include "blockfw/detail/kernel/device_shape.hpp"
#include "blockfw/detail/kernel/flagged_panels.hpp"
#include "blockfw/detail/kernel/group_panels.hpp"
#include "blockfw/detail/kernel/part.hpp"
#include "blockfw/detail/kernel/slab_copies.hpp"
#include "blockfw/detail/kernel/task_order.hpp"
#include "blockfw/detail/kernel/team_tile.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace blockfw::detail {

/// \brief A thread of a team that holds a tile of C and updates it with packed panels.
///
/// This class has the members that the phases ask of a kernel, and the pipelines that update the tile with slabs of
/// the panels. The rest comes from its bases, each in its own header:
///   - DeviceShape: the division of the tile among the team, and the contents of scratch.
///   - RegisterTile: the entries of C; read(), write() and the micro-kernel.
///   - TeamTile: close(), Floyd-Warshall inside the tile (phase 1); publish(), which writes the tile as an operand.
///
/// The tiles are a chain of bases, so that all of a thread's values are members of one object and stay in registers.
///
/// \tparam Device  the device whose `target` sets the shape of the kernel
template <class TileShape, class ExecSpace, class Semiring, class Device = ThisDevice>
class DeviceKernel : public TeamTile<DeviceShape<TileShape, Semiring, Device>> {
  using Shape = DeviceShape<TileShape, Semiring, Device>;
  using Base = TeamTile<Shape>;
  using typename Shape::T, typename Shape::V;
  using Ref = MatrixRef<T, ExecSpace>;

  using Base::rank_, Base::left, Base::right, Base::own_bytes, Base::relax_slab, Base::relaxes_two;
  using Base::write_rows, Base::write_columns;
  using Shape::always_two, Shape::relays, Shape::enough, Shape::threads, Shape::warps, Shape::not_ours, Shape::wanted;
  using Shape::target, Shape::side, Shape::depth, Shape::stages, Shape::block_slabs, Shape::by_slabs;
  using Shape::vector_bytes, Shape::left_bytes, Shape::right_bytes, Shape::left_tile, Shape::right_tile;

 public:
  using Shape::block, Shape::rows, Shape::cols;  // `rows` and `cols`: of the register tile
  using Shape::team_size, Shape::scratch_bytes;
  using typename Shape::LeftEntry;
  static constexpr int scratch_level = 0;
  static constexpr bool starts_in_order = target.starts_in_order;
  static constexpr LookAheadProgress look_ahead = LookAheadProgress::panels;

  // The teams that a device holds at once, by their scratch and by the bound that the compiler is given.

  /// Scratch of a team that shall share a multiprocessor with few others. Kokkos allows 48 KiB, its own words included.
  /// It allows no more than leaves room for the teams of the launch bounds.
  static constexpr int most_scratch = 45 * 1024;

  /// Teams for which a multiprocessor has scratch.
  static constexpr int scratch_teams = std::max(1, target.scratch / (static_cast<int>(scratch_bytes) + not_ours));

 private:
  static constexpr int resident = std::min(scratch_teams, wanted);
  /// `resident` in the units of the compiler's bound.
  static constexpr int bound = target.simds == 0 ? resident : std::clamp((resident * warps) / target.simds, 1, 2);
  static constexpr bool can_take_more_scratch = by_slabs && static_cast<int>(scratch_bytes) <= most_scratch &&
                                                most_scratch + 8 * (threads + 2) + vector_bytes <= 48 * 1024 &&
                                                resident * (most_scratch + not_ours) <= target.scratch;
  static int processors(const ExecSpace& exec) { return std::max(1, exec.concurrency() / target.threads); }

 public:
  using Policy = Kokkos::TeamPolicy<ExecSpace, Kokkos::LaunchBounds<threads, bound>, Kokkos::IndexType<int>>;

  /// The number of teams that the device holds at once.
  static int teams_at_once(const ExecSpace& exec) { return processors(exec) * resident; }

  /// The most teams that a multiprocessor shall hold at once while the chain of pivots takes longer than all other
  /// work. The other work needs no more teams. Further teams would take issue slots from the team for which all others
  /// wait. 0: no limit.
  /// \param tiles  of the matrix
  static int teams_together(const ExecSpace& exec, std::int64_t tiles)
    requires(can_take_more_scratch && requires { multiprocessor_scratch(exec); })
  {
    if (multiprocessor_scratch(exec) < std::size_t{resident * (most_scratch + not_ours)}) return 0;
    const std::int64_t teams = (tiles + processors(exec) / 2) / processors(exec);
    return teams < resident + relays ? static_cast<int>(std::max<std::int64_t>(1, teams)) : 0;
  }
  /// The share of the threads of a full multiprocessor that a number of teams have, in percent.
  static constexpr int share_of(int teams) { return 100 * teams * threads / target.threads; }

  // The panels, and the tasks of phase 3.

  using Layout = PackedLayout<block, left_tile, right_tile>;
  using Panels = FlaggedPanels<Layout, relays>;
  using PanelStorage = FlaggedPanelStorage<ExecSpace, Layout, relays, enough>;
  using GroupStorage = detail::GroupStorage<ExecSpace, Semiring, Layout>;

  static DeviceTaskOrder task_order(const ExecSpace& exec, const Part<Ref>& part, int round, const Panels& panels,
                                    LookAheadProgress, int rounds, bool opens) {
    const int height = part.d.extent_int(0), width = part.d.extent_int(1);
    const DeviceTaskOrder::Range down{part.row, div_up(height, block), height},
        across{part.col, div_up(width, block), width};
    if (!panels.are_of(down, across))
      throw InvalidInput("phase 3: found a part of a matrix, expected the whole matrix on a device");
    return {down, across, block, panels.lag(), round, rounds, opens, teams_at_once(exec)};
  }

  /// Rows, or columns, of the tasks of a launch of phases that do not look ahead.
  static constexpr int side_of_tasks(const ExecSpace&, std::int64_t) { return block; }

  /// The rounds that one launch does for a matrix of `tiles` tiles a side.
  static constexpr int rounds_at_once(std::int64_t tiles) {
    return static_cast<int>(std::max<std::int64_t>(1, (1 << 30) / std::max<std::int64_t>(1, tiles * (tiles + 2))));
  }

  // The team.

  /// The team's scratch pad, which the constructor takes from Kokkos.
  template <class Member>
  class Team {
   public:
    explicit KOKKOS_FORCEINLINE_FUNCTION Team(const Member& team) : member(team) {
      const int level = scratch_level, alignment = vector_bytes;
      scratch = static_cast<std::byte*>(Instructions::known_scratch(
          team.team_scratch(level).get_shmem_aligned(left_bytes + right_bytes + vector_bytes, alignment)));
    }
    /// Words in which threads that wait for flags leave values for the other threads.
    KOKKOS_FORCEINLINE_FUNCTION int* seen() const { return reinterpret_cast<int*>(scratch + left_bytes + right_bytes); }
    static constexpr int size = team_size;
    const Member& member;
    std::byte* scratch;
  };

  template <class Member>
  explicit KOKKOS_FORCEINLINE_FUNCTION DeviceKernel(const Team<Member>& team)
      : Base(team.scratch, team.member.team_rank()) {}

  // The updates of the tile.

  /// C ← C ⊕ (A ⊗ B) for the operands of rounds `first` to `last`, both included.
  template <class Member, class AnyPanels>
  KOKKOS_FORCEINLINE_FUNCTION void relax(const Team<Member>& team, const AnyPanels& panels, PackedLeft a, PackedRight b,
                                         int first, int last) {
    relax(team, panels, a, b, first, last, block_slabs, [](int) { return +block_slabs; });
  }

  /// The same where the operands of the last round come slab by slab.
  /// \param there  the number of its slabs that are there, at least one
  /// \param wait   wait(slab) waits for this slab and passes a barrier. It returns the number of slabs that are
  ///               there.
  template <class Member, class AnyPanels, class Wait>
  KOKKOS_FORCEINLINE_FUNCTION void relax(const Team<Member>& team, const AnyPanels& panels, PackedLeft a, PackedRight b,
                                         int first, int last, int there, const Wait& wait) {
    constexpr int a_slab = depth * side * sizeof(V), b_slab = depth * side * sizeof(T);  // bytes
    const int before = (last - first) * block_slabs, slabs = before + div_up(panels.pivots(last), depth);
    int slot = panels.slot(first), next = 0;  // the slab to fetch next: its round's slot, its number in that round
    SlabCopy<Shape, a_slab> a_copy;
    SlabCopy<Shape, b_slab> b_copy;
    const auto fetch = [&](int stage) {
      const std::byte* const from = panels.at(slot) + rank_ * vector_bytes;
      a_copy.send(rank_, own_bytes(left(stage)), from + (a.at + next * a_slab));
      b_copy.send(rank_, own_bytes(right(stage)), from + (b.at + next * b_slab));
      if (++next < block_slabs) return;
      next = 0;
      slot = panels.after(slot);
    };
    there = by_slabs ? Kokkos::min(before + there, slabs) : +slabs;
    bool two = relaxes_two(panels);
    for (int slab = 0;;) {
      fetch(slab % stages);
      Instructions::end_copies();
      for (; slab < there; ++slab) {
        const int stage = slab % stages;
        if (stages == 1 && slab > 0) team.member.team_barrier();
        a_copy.land(rank_, own_bytes(left(stage)));
        b_copy.land(rank_, own_bytes(right(stage)));
        Instructions::wait_for_copies();
        team.member.team_barrier();  // the slab is in scratch, and no thread still reads the slab before
        if (slab + 1 < there) fetch((stage + 1) % stages);
        Instructions::end_copies();
        relax_slab(stage, two);
      }
      if (!by_slabs || slab == slabs) break;
      there = Kokkos::min(before + wait(slab - before), slabs);
      two = relaxes_two(panels);
    }
    team.member.team_barrier();
  }

  /// Phase 2 of the tile C, which lies in the pivot's rows or columns: takes it through the closed pivot. The pivot's
  /// slabs are taken as they come. If copies of slabs take registers, all slabs are taken at once.
  /// \param of_rows   whether C lies in the pivot's rows
  /// \param publish   publish(slab, paths, own) writes the slab's rows (columns) of C to the panels. It is called for
  ///                  each slab. `own` says that they are an operand of C itself only.
  /// \param post      post(n) tells that the first n slabs are written. The caller posts the last slab.
  /// \param wait      wait(slab) waits for this slab of the pivot and passes a barrier. It returns the number of the
  ///                  pivot's slabs that are there, or 0 if the pivot diverges.
  template <class Member, class AnyPanels, class Publish, class Post, class Wait>
  KOKKOS_FORCEINLINE_FUNCTION void take_through(const Team<Member>& team, const AnyPanels& panels, int round,
                                                bool of_rows, const IndexRange& i, const IndexRange& j,
                                                const Publish& publish, const Post& post, const Wait& wait) {
    if constexpr (!by_slabs) {
      publish(whole_tile, true, true);
      const bool paths = wait(all_slabs - 1) > 0;
      // (Two calls: a single call with chosen operands spills registers on gfx90a.)
      if (paths && of_rows) relax(team, panels, panels.left_pivot(), panels.right(j), round, round);
      if (paths && !of_rows) relax(team, panels, panels.left(i), panels.right_pivot(), round, round);
      publish(whole_tile, paths, false);
    } else if (of_rows) {
      take_slabs_through<true>(team, panels, round, publish, post, wait);
    } else {
      take_slabs_through<false>(team, panels, round, publish, post, wait);
    }
  }

  /// C ← C ⊕ (A ⊗ B) for the operands of one round, which other teams relay slab by slab.
  template <class Member, class AnyPanels>
  KOKKOS_FORCEINLINE_FUNCTION void relax_relayed(const Team<Member>& team, const AnyPanels& panels, PackedLeft a_place,
                                                 PackedRight b_place, int round) {
    static_assert(stages == 2);
    const int slabs = div_up(panels.pivots(round), depth);
    IncomingSlabs<Shape, Slab<V>, Slab<T>> incoming(rank_);
    const auto a = [&](int stage) { return Slab<V>{left(stage), a_place.at}; };
    const auto b = [&](int stage) { return Slab<T>{right(stage), b_place.at}; };
    incoming.request(panels, round, 0, a(0), b(0));
    BLOCKFW_NO_UNROLL
    for (int slab = 0; slab < slabs; ++slab) {
      const int stage = slab % stages;
      static_cast<void>(incoming.land(panels, round, slab, a(stage), b(stage)));
      team.member.team_barrier();  // both operands are in scratch, and no thread still reads the ones before
      if (slab + 1 < slabs) incoming.request(panels, round, slab + 1, a(1 - stage), b(1 - stage));
      relax_slab(stage, always_two);
    }
    team.member.team_barrier();
  }

  /// Phase 2 of the tile C, which lies in the pivot's rows or columns: takes it through the relayed pivot.
  /// \param of_rows  whether it lies in the pivot's rows
  /// \param publish  publish(slab, paths) writes the slab's rows (columns) of C for their readers. It is called for
  ///                 each slab.
  template <class Member, class AnyPanels, class Publish>
  KOKKOS_FORCEINLINE_FUNCTION void take_through_relayed(const Team<Member>& team, const AnyPanels& panels, int round,
                                                        bool of_rows, const Publish& publish) {
    if (of_rows)
      take_through_relayed<true>(team, panels, round, publish);
    else
      take_through_relayed<false>(team, panels, round, publish);
  }

 private:
  template <class Element>
  using Slab = RelayedSlab<Shape, Element>;

  template <bool of_rows, class Member, class AnyPanels, class Publish>
  KOKKOS_FORCEINLINE_FUNCTION void take_through_relayed(const Team<Member>& team, const AnyPanels& panels, int round,
                                                        const Publish& publish) {
    static_assert(stages == 2);
    using Operand = Slab<std::conditional_t<of_rows, V, T>>;
    const auto pivot = [&](int stage) {
      if constexpr (of_rows)
        return Operand{left(stage), panels.left_pivot().at};
      else
        return Operand{right(stage), panels.right_pivot().at};
    };
    IncomingSlabs<Shape, Operand> incoming(rank_);
    const int slabs = div_up(panels.pivots(round), depth);
    incoming.request(panels, round, 0, pivot(0));
    BLOCKFW_NO_UNROLL
    for (int slab = 0; slab < slabs; ++slab) {
      const int stage = slab % stages;
      if constexpr (of_rows)
        write_rows(InMemory<T>{right(stage)}, slab * depth, depth, true);
      else
        write_columns(InMemory<V>{left(stage)}, slab * depth, depth, true);
      const bool paths = incoming.land(panels, round, slab, pivot(stage));
      team.member.team_barrier();  // both operands are in scratch, and no thread still reads the ones before
      if (slab + 1 < slabs) incoming.request(panels, round, slab + 1, pivot(1 - stage));
      if (paths) relax_slab(stage, always_two);
      publish(slab, paths);
    }
  }

  template <bool of_rows, class Member, class AnyPanels, class Publish, class Post, class Wait>
  KOKKOS_FORCEINLINE_FUNCTION void take_slabs_through(const Team<Member>& team, const AnyPanels& panels, int round,
                                                      const Publish& publish, const Post& post, const Wait& wait) {
    static_assert(stages == 2);
    using Element = std::conditional_t<of_rows, V, T>;  // of the pivot as an operand
    constexpr int bytes = depth * side * sizeof(Element);
    const int slabs = div_up(panels.pivots(round), depth);
    SlabCopy<Shape, bytes> copy;
    const auto place_of_pivot = [&](int stage) { return of_rows ? own_bytes(left(stage)) : own_bytes(right(stage)); };
    const auto fetch = [&](int slab) {
      const int at = of_rows ? panels.left_pivot().at : panels.right_pivot().at;
      copy.send(rank_, place_of_pivot(slab % stages),
                panels.at(panels.slot(round)) + rank_ * vector_bytes + (at + slab * bytes));
    };
    int there = 0;
    bool two = false;
    BLOCKFW_NO_UNROLL
    for (int slab = 0; slab < slabs; ++slab) {
      const int stage = slab % stages;
      if (slab == there) {
        if (slab > 0) post(slab);
        there = Kokkos::min(wait(slab), slabs);
        two = relaxes_two(panels);
        if (there > 0) fetch(slab);
        Instructions::end_copies();
      }
      if (there > 0) {
        if constexpr (of_rows)
          write_rows(InMemory<T>{right(stage)}, slab * depth, depth, true);
        else
          write_columns(InMemory<V>{left(stage)}, slab * depth, depth, true);
        copy.land(rank_, place_of_pivot(stage));
        Instructions::wait_for_copies();
        team.member.team_barrier();  // both operands are in scratch, and no thread still reads earlier operands
        if (slab + 1 < there) fetch(slab + 1);
        Instructions::end_copies();
        relax_slab(stage, two);
      }
      publish(slab, there > 0, false);
    }
  }
};

}  // namespace blockfw::detail
