// SPDX-License-Identifier: MIT
/// \file
/// \brief The two tile operations on a device: a team of threads holds a tile of C in its registers.
///
/// Each thread owns a register tile. The team copies the pivots of a round from packed panels into its scratch pad, a
/// few at a time, while it works on the ones before. (The scheme of CUTLASS and of Volkov and Demmel, "Benchmarking
/// GPUs to tune dense linear algebra", SC 2008; here over a semiring.)
#pragma once

#include "blockfw/detail/backend/backend.hpp"
#include "blockfw/detail/backend/instructions.hpp"
#include "blockfw/detail/backend/unroll.hpp"
#include "blockfw/detail/kernel/flagged_panels.hpp"
#include "blockfw/detail/kernel/group_panels.hpp"
#include "blockfw/detail/kernel/index_ranges.hpp"
#include "blockfw/detail/kernel/panel_layout.hpp"
#include "blockfw/detail/kernel/relay.hpp"
#include "blockfw/detail/kernel/task_order.hpp"
#include "blockfw/detail/kernel/thread_grid.hpp"
#include "blockfw/detail/rounding.hpp"
#include "blockfw/error.hpp"
#include "blockfw/matrix.hpp"
#include "blockfw/semiring.hpp"
#include "blockfw/tile.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>

namespace blockfw::detail {

/// \tparam Device  the device whose `target` sets the shape of the kernel
template <class TileShape, class ExecSpace, class Semiring, class Device = ThisDevice>
class DeviceKernel {
  static constexpr Target target = Device::target;
  using T = typename Semiring::value_type;
  using Ref = MatrixRef<T, ExecSpace>;

  // 64 entries of C a thread on a large tile, 16 on a small one, whose rounds must be short.
  static constexpr int usual = TileShape::block >= 64 && sizeof(T) <= 4 ? 8 : 4;

 public:
  static constexpr int block = TileShape::block;
  /// The register tile.
  static constexpr int rows = TileShape::register_rows > 0 ? TileShape::register_rows : usual;
  static constexpr int cols = TileShape::register_cols > 0 ? TileShape::register_cols : usual;

 private:
  static constexpr int vector_bytes = 16;  // the longest access of one thread
  static constexpr int vector = vector_bytes / static_cast<int>(sizeof(T));

  static_assert((TileShape::register_rows == 0 || block % rows == 0) &&
                    (TileShape::register_cols == 0 || block % cols == 0),
                "blockfw: the register tile must divide the block");

  /// The pivots of one step of close() if the tile shape names a number, else 0.
  static constexpr int named_step = [] {
    if constexpr (requires { TileShape::step; })
      return TileShape::step;
    else
      return 0;
  }();

  static constexpr int packed = sizeof(T) == 2 && cols % 2 == 0 && target.pairs ? 2 : 1;

 public:
  /// An entry of the left operand as the kernel reads it.
  using LeftEntry = PackedValue<T, packed>;

 private:
  using V = LeftEntry;

  /// The side of the tile with padding up to whole register tiles and whole vectors.
  static constexpr int multiple = std::lcm(std::lcm(rows, cols), vector);
  static constexpr int side = round_up(block, multiple);
  static constexpr int thread_rows = side / rows, thread_cols = side / cols;

  // A thread's rows (columns) form groups of neighbours that fill one vector. A tile consists of the first groups of
  // all threads, then their second groups, and so on, so that neighbouring threads read neighbouring vectors.
  static constexpr int row_group =
      std::gcd(std::gcd(rows, named_step), std::min(4, vector_bytes / static_cast<int>(sizeof(V))));
  static constexpr int col_group = std::gcd(std::gcd(cols, named_step), vector);
  static constexpr int row_groups = rows / row_group, col_groups = cols / col_group;
  static constexpr int vs = cols / packed;             // V's in a row of the register tile
  static constexpr int group_vs = col_group / packed;  // V's in a group of columns
  using RowGroup = Pack<V, row_group>;
  using ColGroup = Pack<V, group_vs>;
  using StoredGroup = Pack<T, col_group>;  // a ColGroup in memory

  static constexpr int threads = thread_rows * thread_cols;
  static constexpr int warps = div_up(threads, target.warp_size);
  /// Teams that a multiprocessor shall hold at once: those of the warps that hide latencies, if the target says how
  /// many do; else three quarters of the teams that fit with 128 registers a thread (with all of them some kernels
  /// spill).
  static constexpr int wanted = std::clamp(
      target.warps > 0 ? target.warps / warps : (target.registers / (128 * threads) * 3 + 3) / 4, 1, target.teams);

  // Chunks of pivots in scratch: one in use, one being copied. (A team of one warp that copies through registers
  // needs no second one.)
  static constexpr int stages = target.async_copies || warps > 1 ? 2 : 1;
  /// Further bytes of scratch that each team takes: Kokkos's words for reductions and a reserve of the device's.
  static constexpr int not_ours = 8 * (threads + 2) + 1024;
  /// Pivots in a chunk: as many as fit into the scratch of `wanted` teams a multiprocessor, and into the scratch that
  /// Kokkos allows a team.
  static constexpr int depth = [] {
    const int most = std::min(47 * 1024, target.scratch / wanted - not_ours - vector_bytes);
    int pivots = std::gcd(side, 16);
    while (pivots > 1 && stages * pivots * side * static_cast<int>(sizeof(V) + sizeof(T)) > most) pivots /= 2;
    return pivots;
  }();
  static constexpr int block_chunks = div_up(block, depth);
  /// Whether teams pass on pivots chunk by chunk. (Where copies go through registers, none are left for that.)
  static constexpr bool by_chunks = target.async_copies;
  /// Whether pivots are taken two at a time if no operand has a negative entry, and whether always.
  static constexpr bool depends_on_negative = can_relax_two<Semiring>(target) && target.floats_as_ints;
  static constexpr bool always_two = can_relax_two<Semiring>(target) && !target.floats_as_ints;
  /// Whether the tile shape asks that chunks go through a relay.
  static constexpr bool relays = [] {
    if constexpr (requires { TileShape::relays; })
      return TileShape::relays;
    else
      return false;
  }();
  static_assert(!relays || (by_chunks && !depends_on_negative && sizeof(T) * std::gcd(row_group, col_group) % 4 == 0),
                "blockfw: a relay takes whole words, needs copies past the registers, and does not tell which entries "
                "are negative");
  /// Tiles that keep all multiprocessors busy to the end of a round. (The teams of a small tile have more threads.)
  static constexpr int enough = by_chunks && threads >= 128 && rows * cols <= 32 && sizeof(T) <= 4 ? 400 : 800;
  static constexpr int unrolled = std::gcd(depth, 8);
  // The pivots of one step of close(). Registers also hold the square of these pivots.
  static constexpr int step = std::gcd(depth, named_step > 0 ? named_step : sizeof(T) == 8 ? target.long_step : 4);
  static_assert(step % row_group == 0, "blockfw: so large a block needs a register tile of fewer rows");
  static constexpr int cols_together = std::gcd(col_group, step);  // columns that are in one step, or none of them
  /// Whether a step's pivots are one group of rows and one group of columns. The compiler then knows which registers
  /// hold them.
  static constexpr bool steps_are_groups = named_step > 0 && (row_group == step) &&
                                           (col_group == step) && thread_cols % thread_rows == 0;
  // Scratch: the chunks of both operands in relax(), or the columns and rows of two steps in close().
  static constexpr std::size_t left_bytes = sizeof(V) * side * std::max(stages * depth, 2 * step);
  static constexpr std::size_t right_bytes = sizeof(T) * side * std::max(stages * depth, 2 * step);

 public:
  static constexpr int team_size = threads;
  static_assert(team_size <= 1024, "blockfw: the tile needs more than 1024 threads; name a larger register tile");
  static constexpr int scratch_level = 0;
  static constexpr std::size_t scratch_bytes = left_bytes + right_bytes + 2 * vector_bytes;
  static constexpr LookAheadProgress look_ahead = LookAheadProgress::panels;

  /// Scratch of a team that shall share a multiprocessor with few others. Kokkos allows 48 KiB with its own words, and
  /// no more than leaves room for the teams of the launch bounds.
  static constexpr int most_scratch = 45 * 1024;

  /// Teams for which a multiprocessor has scratch.
  static constexpr int scratch_teams = std::max(1, target.scratch / (static_cast<int>(scratch_bytes) + not_ours));

  /// The rounds that one launch does for a matrix of `tiles` tiles a side.
  static constexpr int rounds_at_once(std::int64_t tiles) {
    return static_cast<int>(std::max<std::int64_t>(1, (1 << 30) / std::max<std::int64_t>(1, tiles * (tiles + 2))));
  }

 private:
  // Bytes of a tile of the panels. Entry k of row i of the left panel is V number k · side + i of its tile; entry k of
  // column j of the right panel is T number k · side + j.
  static constexpr int left_tile = sizeof(V) * side * side, right_tile = sizeof(T) * side * side;

  static constexpr int resident = std::min(scratch_teams, wanted);
  static constexpr bool can_take_more_scratch = by_chunks && static_cast<int>(scratch_bytes) <= most_scratch &&
                                                most_scratch + 8 * (threads + 2) + vector_bytes <= 48 * 1024 &&
                                                resident * (most_scratch + not_ours) <= target.scratch;
  static int processors(const ExecSpace& exec) { return std::max(1, exec.concurrency() / target.threads); }
  /// `resident` in the units of the compiler's bound.
  static constexpr int bound = target.simds == 0 ? resident : std::clamp((resident * warps) / target.simds, 1, 2);

 public:
  using Policy = Kokkos::TeamPolicy<ExecSpace, Kokkos::LaunchBounds<team_size, bound>, Kokkos::IndexType<int>>;

  /// The number of teams that the device holds at once.
  static int teams_at_once(const ExecSpace& exec) { return processors(exec) * resident; }

  /// The most teams that a multiprocessor shall hold at once while the chain of pivots takes longer than all other
  /// work: no more than this needs, as others take issue slots from the team for which all wait. 0: as many as fit.
  /// \param tiles  of the matrix
  static int teams_together(const ExecSpace& exec, std::int64_t tiles)
    requires(can_take_more_scratch && requires { multiprocessor_scratch(exec); })
  {
    if (multiprocessor_scratch(exec) < std::size_t{resident * (most_scratch + not_ours)}) return 0;
    const std::int64_t teams = (tiles + processors(exec) / 2) / processors(exec);
    return teams < resident + relays ? static_cast<int>(std::max<std::int64_t>(1, teams)) : 0;
  }
  /// What share of the threads that a multiprocessor can hold a number of teams have, in percent.
  static constexpr int share_of(int teams) { return 100 * teams * threads / target.threads; }

  /// The team's start rank in phase 3. A device that does not start teams in the order of their league ranks has each
  /// team draw a number (rocPRIM's scans number their teams for the same reason).
  template <class Member, class AnyPanels>
  static KOKKOS_FORCEINLINE_FUNCTION int start_rank(const Member& member, const AnyPanels& panels,
                                                    [[maybe_unused]] int round) {
    if constexpr (target.starts_in_order)
      return member.league_rank();
    else
      return panels.start_rank(member, round);
  }

  using Layout = PackedLayout<block, left_tile, right_tile>;
  using Panels = FlaggedPanels<block, Layout, relays>;
  using PanelStorage = FlaggedPanelStorage<ExecSpace, block, Layout, relays, enough>;
  using GroupStorage = detail::GroupStorage<ExecSpace, Semiring, Layout>;

  static DeviceTaskOrder task_order(const ExecSpace& exec, const Part<Ref>& part, int round, const Panels& panels,
                                    LookAheadProgress, int rounds, bool opens) {
    const int height = part.d.extent_int(0), width = part.d.extent_int(1);
    const DeviceTaskOrder::Range down{part.row, div_up(height, block), height},
        across{part.col, div_up(width, block), width};
    if (!panels.are_of(down, across)) throw InvalidInput("phase 3: on a device a part is the whole matrix, so far");
    return {down, across, block, panels.lag(), round, rounds, opens, teams_at_once(exec)};
  }

  /// The team's scratch pad, which the constructor takes from Kokkos.
  template <class Member>
  class Team {
   public:
    explicit KOKKOS_FORCEINLINE_FUNCTION Team(const Member& team) : member(team) {
      const int level = scratch_level, alignment = vector_bytes;
      scratch = static_cast<std::byte*>(known_scratch(
          team.team_scratch(level).get_shmem_aligned(left_bytes + right_bytes + vector_bytes, alignment)));
    }
    /// Words for what threads that wait for flags tell the others.
    KOKKOS_FORCEINLINE_FUNCTION int* seen() const { return reinterpret_cast<int*>(scratch + left_bytes + right_bytes); }
    static constexpr int size = team_size;
    const Member& member;
    std::byte* scratch;
  };

  template <class Member>
  explicit KOKKOS_FORCEINLINE_FUNCTION DeviceKernel(const Team<Member>& team)
      : scratch_(team.scratch), rank_(team.member.team_rank()) {}

  /// Reads the tile C, at most block x block, into registers; the padding is zero() (no path).
  KOKKOS_FORCEINLINE_FUNCTION void read(const Ref& c, bool = false) {
    const Memory m(c);
    if (m.vectors) {
      for_each_group([&](int i, int j, V* own) {
        const ColGroup group = load(m.at + i * m.row_stride + j);
        BLOCKFW_UNROLL
        for (int v = 0; v < group_vs; ++v) own[v] = group.at[v];
      });
    } else {
      for_each_entry([&](int i, int j, V& own, int w) {
        set_value(own, w, i < m.height && j < m.width ? m.at[i * m.row_stride + j * m.col_stride] : Semiring::zero());
      });
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void write(const Ref& c) {
    const Memory m(c);
    if (m.vectors) {
      for_each_group([&](int i, int j, const V* own) {
        ColGroup group;
        BLOCKFW_UNROLL
        for (int v = 0; v < group_vs; ++v) group.at[v] = own[v];
        store(m.at + i * m.row_stride + j, group);
      });
    } else {
      for_each_entry([&](int i, int j, V own, int w) {
        if (i < m.height && j < m.width) m.at[i * m.row_stride + j * m.col_stride] = get_value<T>(own, w);
      });
    }
  }

  /// C ← C ⊕ (A ⊗ B) for the operands of rounds `first` to `last`, both included.
  template <class Member, class AnyPanels>
  KOKKOS_FORCEINLINE_FUNCTION void relax(const Team<Member>& team, const AnyPanels& panels, PackedLeft a, PackedRight b,
                                         int first, int last) {
    relax(team, panels, a, b, first, last, block_chunks, [](int) { return +block_chunks; });
  }

  /// The same where the operands of the last round come chunk by chunk.
  /// \param there  its chunks that are there, at least one
  /// \param wait   wait(chunk) returns how many are there once this one is, after a barrier
  template <class Member, class AnyPanels, class Wait>
  KOKKOS_FORCEINLINE_FUNCTION void relax(const Team<Member>& team, const AnyPanels& panels, PackedLeft a, PackedRight b,
                                         int first, int last, int there, const Wait& wait) {
    constexpr int a_chunk = depth * side * sizeof(V), b_chunk = depth * side * sizeof(T);  // bytes
    const int before = (last - first) * block_chunks, chunks = before + div_up(panels.pivots(last), depth);
    int slot = panels.slot(first), next = 0;  // the chunk to fetch next: its round's slot, its number in that round
    Copy<a_chunk> a_copy;
    Copy<b_chunk> b_copy;
    const auto fetch = [&](int stage) {
      const std::byte* const from = panels.at(slot) + rank_ * vector_bytes;
      a_copy.send(rank_, own_bytes(left(stage)), from + (a.at + next * a_chunk));
      b_copy.send(rank_, own_bytes(right(stage)), from + (b.at + next * b_chunk));
      if (++next < block_chunks) return;
      next = 0;
      slot = panels.after(slot);
    };
    there = by_chunks ? Kokkos::min(before + there, chunks) : +chunks;
    bool two = relaxes_two(panels);
    for (int chunk = 0;;) {
      fetch(chunk % stages);
      end_copies();
      for (; chunk < there; ++chunk) {
        const int stage = chunk % stages;
        if (stages == 1 && chunk > 0) team.member.team_barrier();
        a_copy.land(rank_, own_bytes(left(stage)));
        b_copy.land(rank_, own_bytes(right(stage)));
        wait_for_copies();
        team.member.team_barrier();  // the chunk is in scratch, and no thread still reads the one before
        if (chunk + 1 < there) fetch((stage + 1) % stages);
        end_copies();
        relax_chunk(stage, two);
      }
      if (!by_chunks || chunk == chunks) break;
      there = Kokkos::min(before + wait(chunk - before), chunks);
      two = relaxes_two(panels);
    }
    team.member.team_barrier();
  }

  /// The same for the operands of one round, which other teams relay chunk by chunk.
  template <class Member, class AnyPanels>
  KOKKOS_FORCEINLINE_FUNCTION void relax_relayed(const Team<Member>& team, const AnyPanels& panels, PackedLeft a_place,
                                                 PackedRight b_place, int round) {
    static_assert(stages == 2);
    const int chunks = div_up(panels.pivots(round), depth);
    Incoming<Receipt<V>, Receipt<T>> incoming(rank_);
    const auto a = [&](int stage) { return Receipt<V>{left(stage), a_place.at}; };
    const auto b = [&](int stage) { return Receipt<T>{right(stage), b_place.at}; };
    incoming.request(panels, round, 0, a(0), b(0));
    BLOCKFW_NO_UNROLL
    for (int chunk = 0; chunk < chunks; ++chunk) {
      const int stage = chunk % stages;
      static_cast<void>(incoming.land(panels, round, chunk, a(stage), b(stage)));
      team.member.team_barrier();  // both operands are in scratch, and no thread still reads the ones before
      if (chunk + 1 < chunks) incoming.request(panels, round, chunk + 1, a(1 - stage), b(1 - stage));
      relax_chunk(stage, always_two);
    }
    team.member.team_barrier();
  }

  /// Floyd-Warshall inside the tile, for its first `height` pivots. Stops at the first pivot that lies on a negative
  /// cycle.
  ///
  /// A step eliminates a few pivots. The threads write the pivots' rows and columns to scratch. Each thread then closes
  /// the rows in its own columns and relaxes its entries with the pivots' columns and the closed rows. Old entries of
  /// the columns suffice, since the closed rows hold all paths among the pivots.
  ///
  /// \return whether it stopped
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION bool close(const Team<Member>& team, int height) {
    return close(team, height, [](int, bool) {}, [](int) {});
  }

  /// The same for a tile that others wait for: its rows and columns go out chunk by chunk, as soon as the pivots of a
  /// chunk are eliminated. Readers take them for operands like those of the closed tile: a path through the tile splits
  /// at a pivot of the last chunk that it visits.
  /// \param publish  publish(chunk, stopped) writes the chunk's rows and columns; it is called for each, if the tile
  ///                 is not stopped at one, and for the last
  /// \param post     post(n) tells that the first n chunks are written, after a barrier and a step later, when the
  ///                 writes have had time to arrive; not called for the last one, which the caller posts
  template <class Member, class Publish, class Post>
  KOKKOS_FORCEINLINE_FUNCTION bool close(const Team<Member>& team, int height, const Publish& publish,
                                         const Post& post) {
    const Place own = place();
    bool stopped = false;
    const auto take = [&](int k0, const auto& write) {
      const int buffer = k0 / step % 2;  // two, so that some threads may go on while others still read
      V* const columns = left() + buffer * (step * side);
      T* const open = right() + buffer * (step * side);
      // The chunks that are done, if the step before has completed one.
      const int done = by_chunks && k0 % depth == 0 ? k0 / depth : 0;
      if (done > 0) publish(done - 1, false);
      write(columns, open);
      team.member.team_barrier();
      if (done > 0) post(done);
      stopped = close_step(own, k0, columns, open);
    };
    if constexpr (steps_are_groups) {
      BLOCKFW_UNROLL
      for (int g = 0; g < row_groups; ++g) BLOCKFW_NO_UNROLL
      for (int t = 0; t < thread_rows && (g * thread_rows + t) * step < height && !stopped; ++t)
        take((g * thread_rows + t) * step, [&](V* columns, T* open) { write_group(own, g, t, columns, open); });
    } else {
      BLOCKFW_NO_UNROLL
      for (int k0 = 0; k0 < height && !stopped; k0 += step)
        take(k0, [&](V* columns, T* open) { write_step(own, k0, columns, open); });
    }
    team.member.team_barrier();
    publish(by_chunks ? (height - 1) / depth : whole_tile, stopped);
    return stopped;
  }

  /// Phase 2 of the tile C, which lies in the pivot's rows or columns: takes it through the closed pivot, chunk by
  /// chunk as these come, or at once if it takes registers to copy chunks.
  /// \param of_rows   whether it lies in the pivot's rows
  /// \param publish   publish(chunk, paths, own) writes the chunk's rows (columns) of C to the panels; it is called for
  ///                  each; `own`: as an operand of C itself only
  /// \param post      post(n) tells that the first n are written; not called for the last one, which the caller posts
  /// \param wait      wait(chunk) returns how many chunks of the pivot are there once this one is, after a barrier; 0
  ///                  if the pivot diverges
  template <class Member, class AnyPanels, class Publish, class Post, class Wait>
  KOKKOS_FORCEINLINE_FUNCTION void take_through(const Team<Member>& team, const AnyPanels& panels, int round,
                                                bool of_rows, const IndexRange& i, const IndexRange& j,
                                                const Publish& publish, const Post& post, const Wait& wait) {
    if constexpr (!by_chunks)
      take_whole_through(*this, team, panels, round, of_rows, i, j, publish, wait);
    else if (of_rows)
      take_chunks_through<true>(team, panels, round, publish, post, wait);
    else
      take_chunks_through<false>(team, panels, round, publish, post, wait);
  }

  /// Phase 2 of the tile C, which lies in the pivot's rows or columns: takes it through the relayed pivot.
  /// \param publish  publish(chunk, paths), called for each chunk, writes its rows (columns) of C for their readers
  template <class Member, class AnyPanels, class Publish>
  KOKKOS_FORCEINLINE_FUNCTION void take_through_relayed(const Team<Member>& team, const AnyPanels& panels, int round,
                                                        bool of_rows, const Publish& publish) {
    if (of_rows)
      take_through_relayed<true>(team, panels, round, publish);
    else
      take_through_relayed<false>(team, panels, round, publish);
  }

  /// Notes in the panels that the tile has a negative entry, if relax() on this device depends on it. Called before the
  /// tile is closed or taken through the pivot, which make no negative entry out of others.
  template <class AnyPanels>
  KOKKOS_FORCEINLINE_FUNCTION void note_negative(const AnyPanels& panels) const {
    if constexpr (depends_on_negative) {
      bool any = false;
      BLOCKFW_UNROLL
      for (int r = 0; r < rows; ++r) BLOCKFW_UNROLL
      for (int v = 0; v < vs; ++v) any |= is_negative(acc_[r][v]);
      if constexpr (requires { panels.note_negative(); })
        if (any) panels.note_negative();
    }
  }

  // publish() writes the tile, or a chunk of its rows (of its columns), to the panels of a round or to a relay. The
  // padding beyond the edges of C is written, too; it stands for vertices without edges. Without `paths` every entry is
  // written as zero() (no path).

  /// Publishes the tile as an operand A, to a left place, or B, to a right one.
  template <class AnyPanels, class To>
  KOKKOS_FORCEINLINE_FUNCTION void publish(const AnyPanels& panels, int round, To to, bool paths,
                                           int chunk = whole_tile) {
    if constexpr (is_left<To>)
      write_columns(place_of<V>(panels, round, to, paths, chunk), first_of(chunk), count_of(chunk), paths);
    else
      write_rows(place_of<T>(panels, round, to, paths, chunk), first_of(chunk), count_of(chunk), paths);
  }
  /// See GroupPanels::wait_for_pivot(). (The thread of rank 0 has published these entries.)
  template <class AnyPanels>
  KOKKOS_FORCEINLINE_FUNCTION void mark_paths(const AnyPanels& panels, int round) const {
    if (rank_ != 0) return;
    std::byte* const at = panels.at(panels.slot(round));
    V& left = *reinterpret_cast<V*>(at + panels.left_pivot().at);
    T first = get_value<T>(left, 0);
    AnyPanels::mark_paths(first);
    left = spread<V>(first);
    AnyPanels::mark_paths(*reinterpret_cast<T*>(at + panels.right_pivot().at));
  }
  /// The same as publish() for the transposed tile. (It takes registers, which large tiles do not leave on all
  /// devices.)
  template <class AnyPanels, class To>
    requires(target.mirrors_large || rows * cols < 64)
  KOKKOS_FORCEINLINE_FUNCTION void publish_mirrored(const AnyPanels& panels, int round, To to, bool paths,
                                                    int chunk = whole_tile) {
    if constexpr (is_left<To>)
      write_rows(place_of<V>(panels, round, to, paths, chunk), first_of(chunk), count_of(chunk), paths);
    else
      write_columns(place_of<T>(panels, round, to, paths, chunk), first_of(chunk), count_of(chunk), paths);
  }

 private:
  template <bool of_rows, class Member, class AnyPanels, class Publish, class Post, class Wait>
  KOKKOS_FORCEINLINE_FUNCTION void take_chunks_through(const Team<Member>& team, const AnyPanels& panels, int round,
                                                       const Publish& publish, const Post& post, const Wait& wait) {
    static_assert(stages == 2);
    using Element = std::conditional_t<of_rows, V, T>;  // of the pivot as an operand
    constexpr int bytes = depth * side * sizeof(Element);
    const int chunks = div_up(panels.pivots(round), depth);
    Copy<bytes> copy;
    const auto place_of_pivot = [&](int stage) {
      if constexpr (of_rows)
        return own_bytes(left(stage));
      else
        return own_bytes(right(stage));
    };
    const auto fetch = [&](int chunk) {
      const int at = [&] {
        if constexpr (of_rows)
          return panels.left_pivot().at;
        else
          return panels.right_pivot().at;
      }();
      copy.send(rank_, place_of_pivot(chunk % stages),
                panels.at(panels.slot(round)) + rank_ * vector_bytes + (at + chunk * bytes));
    };
    int there = 0;
    bool two = false;
    BLOCKFW_NO_UNROLL
    for (int chunk = 0; chunk < chunks; ++chunk) {
      const int stage = chunk % stages;
      if (chunk == there) {
        if (chunk > 0) post(chunk);
        there = Kokkos::min(wait(chunk), chunks);
        two = relaxes_two(panels);
        if (there > 0) fetch(chunk);
        end_copies();
      }
      if (there > 0) {
        if constexpr (of_rows)
          write_rows(InMemory<T>{right(stage)}, chunk * depth, depth, true);
        else
          write_columns(InMemory<V>{left(stage)}, chunk * depth, depth, true);
        copy.land(rank_, place_of_pivot(stage));
        wait_for_copies();
        team.member.team_barrier();  // both operands are in scratch, and no thread still reads the ones before
        if (chunk + 1 < there) fetch(chunk + 1);
        end_copies();
        relax_chunk(stage, two);
      }
      publish(chunk, there > 0, false);
    }
  }

  template <bool of_rows, class Member, class AnyPanels, class Publish>
  KOKKOS_FORCEINLINE_FUNCTION void take_through_relayed(const Team<Member>& team, const AnyPanels& panels, int round,
                                                        const Publish& publish) {
    static_assert(stages == 2);
    using Operand = Receipt<std::conditional_t<of_rows, V, T>>;
    const auto pivot = [&](int stage) {
      if constexpr (of_rows)
        return Operand{left(stage), panels.left_pivot().at};
      else
        return Operand{right(stage), panels.right_pivot().at};
    };
    Incoming<Operand> incoming(rank_);
    const int chunks = div_up(panels.pivots(round), depth);
    incoming.request(panels, round, 0, pivot(0));
    BLOCKFW_NO_UNROLL
    for (int chunk = 0; chunk < chunks; ++chunk) {
      const int stage = chunk % stages;
      if constexpr (of_rows)
        write_rows(InMemory<T>{right(stage)}, chunk * depth, depth, true);
      else
        write_columns(InMemory<V>{left(stage)}, chunk * depth, depth, true);
      const bool paths = incoming.land(panels, round, chunk, pivot(stage));
      team.member.team_barrier();  // both operands are in scratch, and no thread still reads the ones before
      if (chunk + 1 < chunks) incoming.request(panels, round, chunk + 1, pivot(1 - stage));
      if (paths) relax_chunk(stage, always_two);
      publish(chunk, paths);
    }
  }

  /// Where a relayed operand goes in scratch, and its place in the round's slot.
  template <class Element>
  struct Receipt {
    Element* to;
    int from;
    static constexpr int bytes = depth * side * sizeof(Element);           ///< of a chunk
    static constexpr int parts = div_up(bytes, team_size* vector_bytes);   ///< a thread's parts
    static constexpr bool even = bytes % (team_size * vector_bytes) == 0;  ///< whether all threads have them all
  };

  /// \brief A thread's parts of a chunk of relayed operands, on their way to scratch. (A thread for which there is none
  /// takes another's.)
  template <class... Receipts>
  class Incoming {
   public:
    explicit KOKKOS_FORCEINLINE_FUNCTION Incoming(int rank) : rank_(rank) {}

    /// Asks for the parts, which may not be there yet.
    template <class AnyPanels>
    KOKKOS_FORCEINLINE_FUNCTION void request(const AnyPanels& panels, int round, int chunk,
                                             const Receipts&... operands) {
      for_each(
          [&](PostedWords& part, int at, const auto& operand) {
            using Operand = std::remove_cvref_t<decltype(operand)>;
            if (!Operand::even) at %= Operand::bytes;
            part.load(reinterpret_cast<const std::uint64_t*>(
                panels.relayed(round, operand.from + chunk * Operand::bytes + at)));
          },
          operands...);
    }
    /// Waits until the parts are there, and copies them to scratch. \return whether they are published with paths
    template <class AnyPanels>
    KOKKOS_FORCEINLINE_FUNCTION bool land(const AnyPanels& panels, int round, int chunk, const Receipts&... operands) {
      const std::uint32_t tag = panels.tag(round);
      const auto there = [&] {
        bool all = true;
        for_each([&](const PostedWords& part, int, const auto&) { all = all && part.there(tag, tag_no_paths); },
                 operands...);
        return all;
      };
      while (!there()) request(panels, round, chunk, operands...);
      std::uint32_t tags = 0;
      for_each(
          [&](const PostedWords& part, int at, const auto& operand) {
            using Operand = std::remove_cvref_t<decltype(operand)>;
            tags |= part.tags();
            if (Operand::even || at < Operand::bytes) part.land(reinterpret_cast<std::byte*>(operand.to) + at);
          },
          operands...);
      return (tags & tag_no_paths) == 0;
    }

   private:
    /// Calls f(part, its place in the chunk in bytes, operand) for each part.
    template <class F>
    KOKKOS_FORCEINLINE_FUNCTION void for_each(const F& f, const Receipts&... operands) {
      int p = 0;
      const auto of = [&](const auto& operand) {
        constexpr int parts = std::remove_cvref_t<decltype(operand)>::parts;
        BLOCKFW_UNROLL
        for (int own = 0; own < parts; ++own) f(words_[p + own], (rank_ + own * team_size) * vector_bytes, operand);
        p += parts;
      };
      (of(operands), ...);
    }
    PostedWords words_[(0 + ... + Receipts::parts)];
    int rank_;
  };

  static KOKKOS_FORCEINLINE_FUNCTION int first_of(int chunk) { return chunk == whole_tile ? 0 : chunk * depth; }
  static KOKKOS_FORCEINLINE_FUNCTION int count_of(int chunk) { return chunk == whole_tile ? +side : +depth; }

  /// Rows or columns in memory, an Element for each entry.
  template <class Element>
  struct InMemory {
    Element* at;
    KOKKOS_FORCEINLINE_FUNCTION InMemory from(int index) const { return {at + index}; }
    template <int Count>
    KOKKOS_FORCEINLINE_FUNCTION void write(int index, const Pack<Element, Count>& group) const {
      *reinterpret_cast<Pack<Element, Count>*>(at + index) = group;
    }
  };
  /// The same in a relay.
  template <class Element>
  struct InRelay {
    std::byte* at;
    std::uint32_t tag;
    KOKKOS_FORCEINLINE_FUNCTION InRelay from(int index) const { return {at + index * bytes, tag}; }
    template <int Count>
    KOKKOS_FORCEINLINE_FUNCTION void write(int index, const Pack<Element, Count>& group) const {
      static_assert(sizeof(group) % 4 == 0);
      post_words(reinterpret_cast<std::uint64_t*>(at + index * bytes),
                 Kokkos::bit_cast<Pack<std::uint32_t, static_cast<int>(sizeof(group)) / 4>>(group), tag);
    }
    static constexpr int bytes = 2 * sizeof(Element);
  };
  template <class To>
  static constexpr bool is_left = std::is_same_v<To, PackedLeft> || std::is_same_v<To, Relayed<PackedLeft>>;
  /// A chunk of an operand.
  template <class Element, class AnyPanels, class To>
  static KOKKOS_FORCEINLINE_FUNCTION auto place_of(const AnyPanels& panels, int round, To to,
                                                   [[maybe_unused]] bool paths, int chunk) {
    const int first = first_of(chunk) * (side * static_cast<int>(sizeof(Element)));
    if constexpr (requires { to.at; })
      return InMemory<Element>{reinterpret_cast<Element*>(panels.at(panels.slot(round)) + to.at + first)};
    else
      return InRelay<Element>{panels.relayed(round, to.place.at + first),
                              panels.tag(round) | (paths ? 0 : +tag_no_paths)};
  }

  /// Writes `count` rows of the tile, from `first` on, to an InMemory or InRelay. (Both numbers are multiples of
  /// row_group and col_group.)
  template <template <class> class To, class Element>
  KOKKOS_FORCEINLINE_FUNCTION void write_rows(const To<Element>& to, int first, int count, bool paths) const {
    const Place own = place();
    const To<Element> own_to = to.from((own.row(0) - first) * side + own.col(0));
    BLOCKFW_UNROLL
    for (int h = 0; h < row_groups; ++h) {
      const int i = own.row(h * row_group);
      if (i < first || i >= first + count) continue;
      BLOCKFW_UNROLL
      for (int e = 0; e < row_group; ++e) BLOCKFW_UNROLL
      for (int g = 0; g < col_groups; ++g) {
        const int r = h * row_group + e;
        const int at = (h * (thread_rows * row_group) + e) * side + g * (thread_cols * col_group);
        if constexpr (std::is_same_v<Element, T>) {
          ColGroup group;
          BLOCKFW_UNROLL
          for (int v = 0; v < group_vs; ++v)
            group.at[v] = paths ? acc_[r][g * group_vs + v] : spread<V>(Semiring::zero());
          own_to.write(at, stored(group));
        } else {
          BLOCKFW_UNROLL
          for (int c = 0; c < col_group; ++c)
            own_to.write(at + c, Pack<Element, 1>{spread<V>(paths ? entry(r, g * col_group + c) : Semiring::zero())});
        }
      }
    }
  }

  /// The same for columns; each becomes a row.
  template <template <class> class To, class Element>
  KOKKOS_FORCEINLINE_FUNCTION void write_columns(const To<Element>& to, int first, int count, bool paths) const {
    const Place own = place();
    const To<Element> own_to = to.from((own.col(0) - first) * side + own.row(0));
    BLOCKFW_UNROLL
    for (int h = 0; h < col_groups; ++h) {
      const int j = own.col(h * col_group);
      if (j < first || j >= first + count) continue;
      BLOCKFW_UNROLL
      for (int e = 0; e < col_group; ++e) BLOCKFW_UNROLL
      for (int g = 0; g < row_groups; ++g) {
        Pack<Element, row_group> group;
        BLOCKFW_UNROLL
        for (int r = 0; r < row_group; ++r)
          group.at[r] = spread<Element>(paths ? entry(g * row_group + r, h * col_group + e) : Semiring::zero());
        own_to.write((h * (thread_cols * col_group) + e) * side + g * (thread_rows * row_group), group);
      }
    }
  }

  /// Whether pivots are taken two at a time, which the entries of the panels allow that the team has waited for.
  template <class AnyPanels>
  static KOKKOS_FORCEINLINE_FUNCTION bool relaxes_two(const AnyPanels& panels) {
    return always_two || (depends_on_negative && !panels.any_negative());
  }

  /// Relaxes the tile with the chunk in a stage.
  KOKKOS_FORCEINLINE_FUNCTION void relax_chunk(int stage, [[maybe_unused]] bool two) {
    const V* a_there = left(stage);
    const T* b_there = right(stage);
    BLOCKFW_NO_UNROLL
    for (int k = 0; k < depth; k += unrolled) {
      if constexpr (can_relax_two<Semiring>(target))
        if (always_two || two) {
          relax_pivots<unrolled, 2>(a_there + k * side, b_there + k * side);
          continue;
        }
      relax_pivots<unrolled, 1>(a_there + k * side, b_there + k * side);
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION V* left(int stage = 0) const {
    return reinterpret_cast<V*>(scratch_) + stage * (depth * side);
  }
  KOKKOS_FORCEINLINE_FUNCTION T* right(int stage = 0) const {
    return reinterpret_cast<T*>(scratch_ + left_bytes) + stage * (depth * side);
  }

  /// Where this thread starts in a copy.
  KOKKOS_FORCEINLINE_FUNCTION std::byte* own_bytes(void* to) const {
    return static_cast<std::byte*>(to) + rank_ * vector_bytes;
  }

  using Grid = ThreadGrid<thread_rows, thread_cols, target.warp_size>;
  /// The rows and columns of the tile that a thread holds.
  struct Place {
    int thread_row, thread_col;

    explicit KOKKOS_FORCEINLINE_FUNCTION Place(int rank) : thread_row(Grid::row(rank)), thread_col(Grid::col(rank)) {}
    KOKKOS_FORCEINLINE_FUNCTION int row(int r) const {
      return (r / row_group * thread_rows + thread_row) * row_group + r % row_group;
    }
    KOKKOS_FORCEINLINE_FUNCTION int col(int c) const {
      return (c / col_group * thread_cols + thread_col) * col_group + c % col_group;
    }
  };
  KOKKOS_FORCEINLINE_FUNCTION Place place() const { return Place(forgotten(rank_)); }
  KOKKOS_FORCEINLINE_FUNCTION T entry(int r, int c) const { return get_value<T>(acc_[r][c / packed], c % packed); }

  /// Loads a group of neighbours in a row.
  static KOKKOS_FORCEINLINE_FUNCTION ColGroup load(const T* from) {
    if constexpr (sizeof(ColGroup) == sizeof(StoredGroup)) {
      return *reinterpret_cast<const ColGroup*>(from);
    } else {
      const StoredGroup stored = *reinterpret_cast<const StoredGroup*>(from);
      ColGroup group;
      BLOCKFW_UNROLL
      for (int v = 0; v < group_vs; ++v) group.at[v] = stored.at[v];
      return group;
    }
  }
  static KOKKOS_FORCEINLINE_FUNCTION StoredGroup stored(const ColGroup& group) {
    if constexpr (sizeof(ColGroup) == sizeof(StoredGroup)) {
      return Kokkos::bit_cast<StoredGroup>(group);
    } else {
      StoredGroup stored;
      BLOCKFW_UNROLL
      for (int v = 0; v < group_vs; ++v) stored.at[v] = get_value<T>(group.at[v], 0);
      return stored;
    }
  }
  static KOKKOS_FORCEINLINE_FUNCTION void store(T* to, const ColGroup& group) {
    if constexpr (sizeof(ColGroup) == sizeof(StoredGroup))
      *reinterpret_cast<ColGroup*>(to) = group;
    else
      *reinterpret_cast<StoredGroup*>(to) = stored(group);
  }

  /// Calls f(row, column, values) for each group of neighbours that this thread holds.
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void for_each_group(const F& f) {
    const Place own = place();
    BLOCKFW_UNROLL
    for (int r = 0; r < rows; ++r) BLOCKFW_UNROLL
    for (int g = 0; g < col_groups; ++g) f(own.row(r), own.col(g * col_group), &acc_[r][g * group_vs]);
  }

  /// Calls f(row, column, packed value, index in it) for each entry that this thread holds.
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void for_each_entry(const F& f) {
    BLOCKFW_UNROLL
    for (int r = 0; r < rows; ++r) {
      const Place own = place();
      BLOCKFW_UNROLL
      for (int c = 0; c < cols; ++c) f(own.row(r), own.col(c), acc_[r][c / packed], c % packed);
    }
  }

  /// The team's copy of `Bytes` bytes into scratch, 16 a thread at a time. `to` and `from` are where this thread
  /// starts.
  template <int Bytes>
  class Copy {
   public:
    KOKKOS_FORCEINLINE_FUNCTION void send(int rank, std::byte* to, const std::byte* from) {
      for_each(rank, [&](Transfer& part, int at) { part.send(to + at, from + at); });
    }
    KOKKOS_FORCEINLINE_FUNCTION void land(int rank, std::byte* to) {
      for_each(rank, [&](const Transfer& part, int at) { part.land(to + at); });
    }

   private:
    template <class F>
    KOKKOS_FORCEINLINE_FUNCTION void for_each(int rank, const F& f) {
      BLOCKFW_UNROLL
      for (int p = 0; p < parts; ++p)
        if (Bytes % at_once == 0 || rank * vector_bytes + p * at_once < Bytes) f(part_[p], p * at_once);
    }
    static constexpr int at_once = team_size * vector_bytes, parts = div_up(Bytes, at_once);
    Transfer part_[parts];
  };

  /// The micro-kernel: relaxes the register tile with `Pivots` pivots in scratch, `AtATime` of them at once.
  template <int Pivots, int AtATime>
  KOKKOS_FORCEINLINE_FUNCTION void relax_pivots(const V* left, const T* right) {
    static_assert(Pivots % AtATime == 0);
    const Place own(rank_);
    left += own.row(0);
    right += own.col(0);
    BLOCKFW_UNROLL
    for (int k = 0; k < Pivots; k += AtATime) {
      RowGroup a[AtATime][row_groups];
      ColGroup b[AtATime][col_groups];
      const auto read_rows = [&](int g) {
        BLOCKFW_UNROLL
        for (int p = 0; p < AtATime; ++p)
          a[p][g] = *reinterpret_cast<const RowGroup*>(left + (k + p) * side + g * (thread_rows * row_group));
      };
      constexpr bool late = AtATime > 1;  // read rows just before their use: two pivots take twice the registers
      BLOCKFW_UNROLL
      for (int g = 0; g < row_groups && !late; ++g) read_rows(g);
      BLOCKFW_UNROLL
      for (int p = 0; p < AtATime; ++p) BLOCKFW_UNROLL
      for (int g = 0; g < col_groups; ++g) b[p][g] = load(right + (k + p) * side + g * (thread_cols * col_group));
      BLOCKFW_UNROLL
      for (int g = 0; g < row_groups; ++g) {
        if (late) read_rows(g);
        relax_rows<AtATime>(
            g, [&](int p, int e) { return a[p][g].at[e]; },
            [&](int p, int v) { return b[p][v / group_vs].at[v % group_vs]; });
      }
    }
  }

  /// Relaxes a group of rows with operands in registers: a(pivot, row of the group) and b(pivot, column).
  template <int AtATime, class A, class B>
  KOKKOS_FORCEINLINE_FUNCTION void relax_rows(int group, const A& a, const B& b) {
    BLOCKFW_UNROLL
    for (int e = 0; e < row_group; ++e) {
      const int r = group * row_group + e;
      if constexpr (AtATime == 1) {
        BLOCKFW_UNROLL
        for (int v = 0; v < vs; ++v) acc_[r][v] = relax_values<Semiring>(acc_[r][v], a(0, e), b(0, v));
      } else if constexpr (can_add_two<Semiring>(target) && vs % 2 == 0) {
        BLOCKFW_UNROLL
        for (int v = 0; v < vs; v += 2) {
          const auto sums0 = add_two(a(0, e), b(0, v), b(0, v + 1)), sums1 = add_two(a(1, e), b(1, v), b(1, v + 1));
          acc_[r][v] = least(acc_[r][v], sums0.at[0], sums1.at[0]);
          acc_[r][v + 1] = least(acc_[r][v + 1], sums0.at[1], sums1.at[1]);
        }
      } else {
        BLOCKFW_UNROLL
        for (int v = 0; v < vs; ++v) acc_[r][v] = least(acc_[r][v], a(0, e) + b(0, v), a(1, e) + b(1, v));
      }
    }
  }

  /// Writes the columns and the rows of a step's pivots to scratch. In the columns a pivot's entry for itself is
  /// written as one() (the empty path), whatever it is, so that relaxing the pivot's row gives exactly the closed row.
  KOKKOS_FORCEINLINE_FUNCTION void write_step(const Place& own, int k0, V* columns, T* open) const {
    BLOCKFW_UNROLL
    for (int g = 0; g < row_groups; ++g) {
      const int k = own.row(g * row_group) - k0;
      if (k < 0 || k >= step) continue;
      BLOCKFW_UNROLL
      for (int e = 0; e < row_group; ++e) BLOCKFW_UNROLL
      for (int c = 0; c < col_groups; ++c) {
        ColGroup group;
        BLOCKFW_UNROLL
        for (int v = 0; v < group_vs; ++v) group.at[v] = acc_[g * row_group + e][c * group_vs + v];
        store(open + (k + e) * side + own.col(c * col_group), group);
      }
    }
    BLOCKFW_UNROLL
    for (int h = 0; h < cols; h += cols_together) {
      const int k = own.col(h) - k0;
      if (k < 0 || k >= step) continue;
      BLOCKFW_UNROLL
      for (int c = 0; c < cols_together; ++c) BLOCKFW_UNROLL
      for (int g = 0; g < row_groups; ++g) {
        RowGroup group;
        BLOCKFW_UNROLL
        for (int e = 0; e < row_group; ++e)
          group.at[e] = spread<V>(own.row(g * row_group) - own.col(h) == c - e ? Semiring::one()
                                                                               : entry(g * row_group + e, h + c));
        *reinterpret_cast<RowGroup*>(columns + (k + c) * side + own.row(g * row_group)) = group;
      }
    }
  }

  /// The same for a step whose rows are group g of the threads in row t. The compiler then knows the registers, and no
  /// thread has to search for the rows.
  KOKKOS_FORCEINLINE_FUNCTION void write_group(const Place& own, int g, int t, V* columns, T* open) const {
    const bool in_rows = own.thread_row == t;
    if (in_rows) {
      BLOCKFW_UNROLL
      for (int e = 0; e < step; ++e) BLOCKFW_UNROLL
      for (int c = 0; c < col_groups; ++c) {
        ColGroup group;
        BLOCKFW_UNROLL
        for (int v = 0; v < group_vs; ++v) group.at[v] = acc_[g * step + e][c * group_vs + v];
        store(open + e * side + own.col(c * step), group);
      }
    }
    const int col = g * thread_rows / thread_cols;  // the group of columns of the same pivots
    if (own.thread_col == g * thread_rows % thread_cols + t) {
      BLOCKFW_UNROLL
      for (int k = 0; k < step; ++k) BLOCKFW_UNROLL
      for (int r = 0; r < row_groups; ++r) {
        RowGroup group;
        BLOCKFW_UNROLL
        for (int e = 0; e < step; ++e) {
          const T old = entry(r * step + e, col * step + k);
          group.at[e] = spread<V>(r == g && e == k && in_rows ? Semiring::one() : old);
        }
        *reinterpret_cast<RowGroup*>(columns + k * side + own.row(r * step)) = group;
      }
    }
  }

  /// Relaxes the tile with a step's pivots.
  /// \return whether one of them lies on a negative cycle. If so, rows are not closed through it and the later pivots,
  /// so that no entry falls below a sum of two entries.
  KOKKOS_FORCEINLINE_FUNCTION bool close_step(const Place& own, int k0, const V* columns, const T* open) {
    // The pivots' rows in the pivots' own columns (the square, which every thread closes for itself) and in this
    // thread's columns.
    Pack<T, step> square[step];
    V row[step][vs];
    BLOCKFW_UNROLL
    for (int i = 0; i < step; ++i) {
      square[i] = *reinterpret_cast<const Pack<T, step>*>(open + i * side + k0);
      BLOCKFW_UNROLL
      for (int g = 0; g < col_groups; ++g) {
        const ColGroup group = load(open + i * side + own.col(g * col_group));
        BLOCKFW_UNROLL
        for (int v = 0; v < group_vs; ++v) row[i][g * group_vs + v] = group.at[v];
      }
    }
    bool stopped = false;
    BLOCKFW_UNROLL
    for (int k = 0; k < step; ++k) {
      stopped = stopped || Semiring::diverges(square[k].at[k]);
      BLOCKFW_UNROLL
      for (int i = 0; i < step; ++i) {
        if (i == k) continue;
        const T to_pivot = stopped ? Semiring::zero() : square[i].at[k];
        BLOCKFW_UNROLL
        for (int l = k + 1; l < step; ++l)
          square[i].at[l] = Semiring::relax(square[i].at[l], to_pivot, square[k].at[l]);
        BLOCKFW_UNROLL
        for (int v = 0; v < vs; ++v) row[i][v] = relax_values<Semiring>(row[i][v], spread<V>(to_pivot), row[k][v]);
      }
    }
    constexpr int at_a_time = always_two ? 2 : 1;
    BLOCKFW_UNROLL
    for (int k = 0; k < step; k += at_a_time) {
      BLOCKFW_UNROLL
      for (int g = 0; g < row_groups; ++g) {
        RowGroup a[at_a_time];
        BLOCKFW_UNROLL
        for (int p = 0; p < at_a_time; ++p)
          a[p] = *reinterpret_cast<const RowGroup*>(columns + (k + p) * side + own.row(g * row_group));
        relax_rows<at_a_time>(g, [&](int p, int e) { return a[p].at[e]; }, [&](int p, int v) { return row[k + p][v]; });
      }
    }
    return stopped;
  }

  /// The tile C in memory.
  struct Memory {
    explicit KOKKOS_FORCEINLINE_FUNCTION Memory(const Ref& c)
        : at(c.data()),
          row_stride(static_cast<int>(c.stride(0))),
          col_stride(static_cast<int>(c.stride(1))),
          height(static_cast<int>(c.extent(0))),
          width(static_cast<int>(c.extent(1))) {
      constexpr std::size_t group = sizeof(StoredGroup);
      vectors = height == side && width == side && col_stride == 1 &&
                reinterpret_cast<std::uintptr_t>(at) % group == 0 &&
                static_cast<std::size_t>(row_stride) * sizeof(T) % group == 0;
    }
    T* at;
    int row_stride, col_stride, height, width;
    bool vectors;  ///< whether C is a whole tile and can be read and written as vectors
  };

  V acc_[rows][vs];
  std::byte* scratch_;
  int rank_;
};

}  // namespace blockfw::detail
