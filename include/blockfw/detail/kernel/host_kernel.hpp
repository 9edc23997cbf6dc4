// SPDX-License-Identifier: MIT
/// \file
/// \brief The two tile operations on a host core: explicit vectors over packed panels.
///
/// A team is one thread. The panels of a round are views, as a rule of the matrix itself. relax() packs A and B into
/// the team's scratch, then walks C in register tiles: a block of rows x columns stays in vector registers for all
/// pivots of the round, so that C is read and written once a round, whatever its leading dimension. (The scheme of BLIS
/// and of Goto and van de Geijn, "Anatomy of high-performance matrix multiplication", ACM TOMS 34, 2008; here over a
/// semiring.)
#pragma once

#include "blockfw/detail/backend/vectors.hpp"
#include "blockfw/detail/kernel/concepts.hpp"
#include "blockfw/detail/kernel/group_panels.hpp"
#include "blockfw/detail/kernel/host_tile.hpp"
#include "blockfw/detail/kernel/index_ranges.hpp"
#include "blockfw/detail/kernel/panel_layout.hpp"
#include "blockfw/detail/kernel/task_order.hpp"
#include "blockfw/detail/rounding.hpp"
#include "blockfw/matrix.hpp"
#include "blockfw/part.hpp"
#include "blockfw/semiring.hpp"
#include "blockfw/tile.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace blockfw::detail {

template <class TileShape, class ExecSpace, class Semiring>
class HostKernel {
  using T = typename Semiring::value_type;
  using Ref = MatrixRef<T, ExecSpace>;

  template <class Level>
  using TileOf = HostTile<TileShape, Ref, Semiring, Level>;

 public:
  static constexpr int block = TileShape::block;
  /// An entry of the left operand as the kernel reads it.
  using LeftEntry = T;
  /// The register tile where the compiler's vectors are chosen.
  static constexpr int rows = TileOf<TargetedLevel>::rows, cols = TileOf<TargetedLevel>::cols;

 private:
  static constexpr std::size_t alignment = 64;
  static constexpr std::size_t tile_bytes = round_up(sizeof(T) * block * block, alignment);

 public:
  static constexpr int team_size = 1;
  static constexpr int scratch_level = 1;
  /// The longest side of a C, in tiles. relax() packs all of A for it, which takes half of a level-2 cache of 1 MiB.
  static constexpr int longest_tiles = static_cast<int>(std::max<std::size_t>(1, (std::size_t{1} << 19) / tile_bytes));
  static constexpr std::size_t scratch_bytes = (longest_tiles + 1) * tile_bytes + 2 * alignment;

  static constexpr LookAheadProgress look_ahead = LookAheadProgress::pivot;
  static constexpr int rounds_at_once(int) { return 1; }
  static int teams_at_once(const ExecSpace& exec) { return exec.concurrency(); }
  /// C stays in its place in the matrix, so there is no write().
  static constexpr bool in_place = true;

  using Policy = Kokkos::TeamPolicy<ExecSpace, Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::IndexType<std::int64_t>>;

  /// The longest index range of a task. Longer ranges share more packing; shorter ones give each thread several tasks,
  /// which balance the load. It is never shorter than a tile, so that the next pivot lies in one task.
  static int longest_range(const ExecSpace& exec, int height, int width) {
    const int wanted_tasks = exec.concurrency() == 1 ? 1 : 16 * exec.concurrency();
    int tiles = std::min(longest_tiles, div_up(std::max(height, width), block));
    while (tiles > 1 && div_up(height, tiles * block) * div_up(width, tiles * block) < wanted_tasks) --tiles;
    return std::max(tiles, 1) * block;
  }

  /// \brief The panels of one round: views, no copies.
  struct Panels {
    static constexpr bool self_contained = false;
    Ref left_panel, right_panel, pivot;

    KOKKOS_FUNCTION Ref left(const IndexRange& i) const {
      return submatrix(left_panel, i.first, i.count, 0, left_panel.extent_int(1));
    }
    KOKKOS_FUNCTION Ref right(const IndexRange& j) const {
      return submatrix(right_panel, 0, right_panel.extent_int(0), j.first, j.count);
    }
    KOKKOS_FUNCTION int pivots(int) const { return pivot.extent_int(0); }
    KOKKOS_FUNCTION Ref left_pivot() const { return pivot; }
    KOKKOS_FUNCTION Ref right_pivot() const { return pivot; }

    KOKKOS_FUNCTION const Ref& operand(int, const Ref& there) const { return there; }

    KOKKOS_FUNCTION bool diverges() const {
      for (int k = 0; k < pivot.extent_int(0); ++k)
        if (Semiring::diverges(pivot(k, k))) return true;
      return false;
    }

    // There are no flags: the team that closes a pivot is done before other teams read it.
    template <class Team>
    KOKKOS_FUNCTION int wait_for_pivot(const Team&, int, bool, int) const {
      return diverges() ? 0 : +all_chunks;
    }
  };

  /// The panels of a solve's rounds: views of its matrix, so there is no memory to keep.
  class PanelStorage {
   public:
    PanelStorage(const ExecSpace&, const PanelStorageOptions&, const ExecSpace&) {}
    static double bytes(std::int64_t, std::int64_t) { return 0; }

    Panels panels(const Ref& d, int row, int col, int pivots) const {
      return {submatrix(d, 0, d.extent_int(0), col, pivots), submatrix(d, row, pivots, 0, d.extent_int(1)),
              submatrix(d, row, pivots, col, pivots)};
    }
  };

  using GroupStorage = detail::GroupStorage<ExecSpace, Semiring, RowLayout<T, ExecSpace, block>>;

  static HostTaskOrder task_order(const ExecSpace& exec, const Part<Ref>& part, int round, const Panels& panels,
                                  LookAheadProgress wanted, int, bool) {
    const int height = part.d.extent_int(0), width = part.d.extent_int(1);
    const int longest = longest_range(exec, height, width), pivots = panels.pivot.extent_int(0);
    return {IndexRanges(height, (round - part.row) * block, pivots, longest),
            IndexRanges(width, (round - part.col) * block, pivots, longest), round, wanted};
  }

  // A build with a device compiles the phases for it, too; the host's code in them is empty there.

  /// The team's scratch pad.
  template <class Member>
  struct Team {
    explicit KOKKOS_FUNCTION Team(const Member& team)
        : member(team), a(scratch(team, longest_tiles * tile_bytes)), b(scratch(team, tile_bytes)) {}
    const Member& member;
    T* const a;
    T* const b;

   private:
    static KOKKOS_FUNCTION T* scratch(const Member& team, std::size_t bytes) {
      const int level = scratch_level, at = alignment;
      return static_cast<T*>(team.team_scratch(level).get_shmem_aligned(bytes, at));
    }
  };

  template <class Member>
  explicit KOKKOS_FUNCTION HostKernel(const Team<Member>& team) : a_(team.a), b_(team.b) {}

  // C stays in memory. Panels that are views of the matrix see it there; publish() copies it to other panels.
  /// \param upper  whether to update only its tiles on its diagonal and above
  KOKKOS_FUNCTION void read(const Ref& c, bool upper = false) {
    c_ = c;
    upper_ = upper;
  }
  template <class AnyPanels, class Place>
  KOKKOS_FUNCTION void publish([[maybe_unused]] const AnyPanels& panels, [[maybe_unused]] int round,
                               [[maybe_unused]] const Place& to, [[maybe_unused]] bool paths, int = whole_tile) const {
    if constexpr (AnyPanels::self_contained) KOKKOS_IF_ON_HOST((copy_to(panels.operand(round, to), paths);))
  }
  /// Writes the transposed tile to its place in the matrix.
  KOKKOS_FUNCTION void publish_mirrored(const Panels&, int, const Ref& to, bool, int = whole_tile) const {
    constexpr int side = 32;
    T part[side][side];
    for (int i0 = 0; i0 < c_.extent_int(0); i0 += side)
      for (int j0 = 0; j0 < c_.extent_int(1); j0 += side) {
        const int height = Kokkos::min(+side, c_.extent_int(0) - i0), width = Kokkos::min(+side, c_.extent_int(1) - j0);
        for (int i = 0; i < height; ++i)
          for (int j = 0; j < width; ++j) part[i][j] = c_(i0 + i, j0 + j);
        for (int j = 0; j < width; ++j)
          for (int i = 0; i < height; ++i) to(j0 + j, i0 + i) = part[i][j];
      }
  }

  /// C ← C ⊕ (A ⊗ B) for the operands of rounds `first` to `last`, one round after the other, unless the pivot holds a
  /// negative cycle. C has at most `longest_tiles` tiles a side, whole or partial. All of A is read before C is
  /// written, and each tile's columns of B before the same columns of C, so A or B may be C.
  template <class Member, class AnyPanels, class A, class B>
  KOKKOS_FUNCTION void relax(const Team<Member>&, [[maybe_unused]] const AnyPanels& panels, [[maybe_unused]] const A& a,
                             [[maybe_unused]] const B& b, [[maybe_unused]] int first, [[maybe_unused]] int last) const {
    if constexpr (!AnyPanels::self_contained)
      if (panels.diverges()) return;
    KOKKOS_IF_ON_HOST((for (int round = first; round <= last; ++round)
                           relax_tiles(panels.operand(round, a), panels.operand(round, b));))
  }

  /// Floyd-Warshall inside the tile. Stops before the first pivot that lies on a negative cycle.
  /// \param next  a tile that will be read soon, which close() prefetches meanwhile
  /// \return whether it stopped
  template <class Member>
  KOKKOS_FUNCTION bool close(const Team<Member>&, int, [[maybe_unused]] const Ref& next = {}) const {
    KOKKOS_IF_ON_HOST((return close_tile(next);))
    KOKKOS_IF_ON_DEVICE((return false;))
  }

  /// The same for a tile that others wait for. It goes out as one chunk.
  template <class Member, class Publish, class Post>
  KOKKOS_FUNCTION bool close(const Team<Member>& team, int height, const Publish& publish, const Post&) const {
    const bool stopped = close(team, height);
    publish(whole_tile, stopped);
    return stopped;
  }

  /// Phase 2 of the tile C, which lies in the pivot's rows or columns.
  template <class Member, class AnyPanels, class Publish, class Post, class Wait>
  KOKKOS_FUNCTION void take_through(const Team<Member>& team, const AnyPanels& panels, int round, bool of_rows,
                                    const IndexRange& i, const IndexRange& j, const Publish& publish, const Post&,
                                    const Wait& wait) const {
    take_whole_through(*this, team, panels, round, of_rows, i, j, publish, wait);
  }

 private:
  void relax_tiles(const Ref& a, const Ref& b) const {
    with_vectors([&](auto level)
                     __attribute__((always_inline)) { TileOf<decltype(level)>{a_, b_, c_, upper_}.relax(a, b); });
  }
  bool close_tile(const Ref& next) const {
    return with_vectors([&](auto level) __attribute__((always_inline)) {
      return TileOf<decltype(level)>{a_, b_, c_, upper_}.close(next);
    });
  }

  void copy_to(const Ref& place, bool paths) const {
    for (int i = 0; i < c_.extent_int(0); ++i)
      if (paths)
        copy_row(c_, i, 0, c_.extent_int(1), &place(i, 0));
      else
        std::fill_n(&place(i, 0), c_.extent_int(1), Semiring::zero());
  }

  T* a_;  ///< the packed tiles of A, or the tile in close()
  T* b_;  ///< one packed tile of B
  Ref c_;
  bool upper_ = false;
};

}  // namespace blockfw::detail
