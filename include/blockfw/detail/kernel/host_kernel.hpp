// SPDX-License-Identifier: MIT
/// \file
/// \brief The two tile operations on a host core: explicit vectors over packed panels.
///
/// A team is one thread. The team that makes a round's panels packs them, once for all tasks. relax() walks C in
/// register tiles. A block of rows x columns stays in vector registers for all pivots of the round. So C is read and
/// written once a round, whatever its leading dimension. (The scheme of BLIS and of Goto and van de Geijn, "Anatomy of
/// high-performance matrix multiplication", ACM TOMS 34, 2008; here over a semiring.)
#pragma once

#include "blockfw/detail/backend/vectors.hpp"
#include "blockfw/detail/backend/workspace.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/kernel/concepts.hpp"
#include "blockfw/detail/kernel/group_panels.hpp"
#include "blockfw/detail/kernel/host_tile.hpp"
#include "blockfw/detail/kernel/part.hpp"
#include "blockfw/detail/kernel/task_order.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/semiring.hpp"

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
  using LeftEntry = typename HostPacking<TileShape, T>::LeftEntry;
  /// The register tile where the compiler's vectors are chosen.
  static constexpr int rows = TileOf<TargetedLevel>::rows, cols = TileOf<TargetedLevel>::cols;

 private:
  static constexpr std::size_t alignment = 64;
  static constexpr int left_tile = sizeof(LeftEntry) * block * block, right_tile = sizeof(T) * block * block;

 public:
  static constexpr int team_size = 1;
  static constexpr int scratch_level = 1;
  /// The longest side of a C, in tiles: the packed B for it takes a quarter of a level-2 cache of 1 MiB.
  static constexpr int longest_tiles = std::max(1, (1 << 18) / right_tile);
  static constexpr std::size_t scratch_bytes = left_tile + alignment;

  static constexpr LookAheadProgress look_ahead = LookAheadProgress::pivot;
  static constexpr int rounds_at_once(int) { return 1; }
  static int teams_at_once(const ExecSpace& exec) { return exec.concurrency(); }
  static constexpr bool starts_in_order = true;

  using Policy = Kokkos::TeamPolicy<ExecSpace, Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::IndexType<std::int64_t>>;

  /// Index ranges may also start inside a tile, at a multiple of finest_side.
  struct Layout : PackedLayout<block, left_tile, right_tile> {
    using PackedLayout<block, left_tile, right_tile>::PackedLayout;
    KOKKOS_FORCEINLINE_FUNCTION PackedLeft left(const IndexRange& i) const {
      const int at = i.first * (left_tile / block);
      return {at};
    }
    KOKKOS_FORCEINLINE_FUNCTION PackedRight right(const IndexRange& j) const {
      const int at = this->right_at_ + j.first * (right_tile / block);
      return {at};
    }
  };
  using Panels = GroupPanels<Semiring, Layout>;
  using GroupStorage = detail::GroupStorage<ExecSpace, Semiring, Layout>;

  /// \brief The memory of the panels of one round. The next round's panels take their place, since they are made when
  /// phase 3 is over. (Phase 3 publishes the next pivot before that, but reads no pivot.)
  class PanelStorage {
   public:
    PanelStorage(const ExecSpace&, const PanelStorageOptions& o, const ExecSpace& keeper)
        : panels_({.order = o.order, .height = o.height, .width = o.width, .rounds = 1}),
          memory_(keeper, panels_.bytes(), "blockfw::panels") {
      panels_.use(memory_.data());
    }
    static double bytes(std::int64_t height, std::int64_t width) { return GroupStorage::bytes(height, width, 1); }

    const Panels& panels(const Ref&) const { return panels_; }

   private:
    Panels panels_;
    Workspace<ExecSpace> memory_;
  };

  static HostTaskOrder task_order(const ExecSpace& exec, const Part<Ref>& part, int round, const Panels& panels,
                                  LookAheadProgress wanted, int, bool) {
    const int height = part.d.extent_int(0), width = part.d.extent_int(1), pivots = panels.pivots(round);
    const int longest = longest_side(exec, height, width);
    const IndexRanges down({{0, height}, {(round - part.row) * block, pivots}}, longest),
        across({{0, width}, {(round - part.col) * block, pivots}}, longest);
    const int side = longest > block ? longest : side_of_tasks(exec, std::int64_t{down.size()} * across.size());
    return {down, across, round, wanted, longest / side, side};
  }

  /// \brief Rows, or columns, of the tasks of a launch: a tile's, or fewer where each thread would have few tiles.
  /// (Half of the wanted tasks suffice: with more cuts, doubles took longer on sixteen threads.)
  /// \param tiles  of the launch
  static int side_of_tasks(const ExecSpace& exec, std::int64_t tiles) {
    int side = block;
    while (side / 2 >= finest_side && exec.concurrency() > 1 && 2 * tiles * (block / side) < wanted_tasks(exec))
      side /= 2;
    return side;
  }

  // A build with a device compiles the phases for the device, too. There the host's code in them is empty.

  /// The team's scratch pad.
  template <class Member>
  struct Team {
    explicit KOKKOS_FUNCTION Team(const Member& team) : member(team) {
      const int level = scratch_level, bytes = left_tile, at = alignment;
      scratch = static_cast<std::byte*>(team.team_scratch(level).get_shmem_aligned(bytes, at));
    }
    const Member& member;
    std::byte* scratch;
  };

  template <class Member>
  explicit KOKKOS_FUNCTION HostKernel(const Team<Member>& team) : scratch_(team.scratch) {}

  /// C stays in its place in the matrix.
  /// \param upper  whether to update only its tiles on its diagonal and above
  KOKKOS_FUNCTION void read(const Ref& c, bool upper = false) {
    c_ = c;
    upper_ = upper;
  }
  KOKKOS_FUNCTION void write(const Ref&) const {}
  template <class Operand>
  KOKKOS_FUNCTION void publish([[maybe_unused]] const Panels& panels, [[maybe_unused]] int round,
                               [[maybe_unused]] const Operand& to, [[maybe_unused]] bool paths,
                               int = whole_tile) const {
    KOKKOS_IF_ON_HOST((pack(c_, panels.at(panels.slot(round)), to, paths);))
  }
  /// The same for the transposed tile.
  template <class Operand>
  KOKKOS_FUNCTION void publish_mirrored([[maybe_unused]] const Panels& panels, [[maybe_unused]] int round,
                                        [[maybe_unused]] const Operand& to, [[maybe_unused]] bool paths,
                                        int = whole_tile) const {
    KOKKOS_IF_ON_HOST(
        (const Ref mirrored(c_.data(), Kokkos::LayoutStride(c_.extent(1), c_.stride(1), c_.extent(0), c_.stride(0)));
         pack(mirrored, panels.at(panels.slot(round)), to, paths);))
  }

  /// See GroupPanels::wait_for_pivot().
  KOKKOS_FUNCTION void mark_paths([[maybe_unused]] const Panels& panels, [[maybe_unused]] int round) const {
    KOKKOS_IF_ON_HOST((std::byte* const at = panels.at(panels.slot(round));
                       T* const left = reinterpret_cast<T*>(left_at(at, panels.left_pivot()));
                       for (std::size_t copy = 0; copy < sizeof(LeftEntry) / sizeof(T); ++copy)
                           Panels::mark_paths(left[copy]);
                       Panels::mark_paths(*right_at(at, panels.right_pivot()));))
  }

  /// C ← C ⊕ (A ⊗ B) for the operands of rounds `first` to `last`, one round after the other.
  template <class Member>
  KOKKOS_FUNCTION void relax(const Team<Member>&, [[maybe_unused]] const Panels& panels,
                             [[maybe_unused]] const PackedLeft& a, [[maybe_unused]] const PackedRight& b,
                             [[maybe_unused]] int first, [[maybe_unused]] int last) const {
    KOKKOS_IF_ON_HOST((for (int round = first; round <= last; ++round) {
      std::byte* const at = panels.at(panels.slot(round));
      relax_packed(panels.pivots(round), left_at(at, a), right_at(at, b));
    }))
  }

  /// Floyd-Warshall inside the tile. Stops before the first pivot that lies on a negative cycle.
  /// \param next  a tile that will be read soon, which close() prefetches meanwhile
  /// \return whether it stopped
  template <class Member>
  KOKKOS_FUNCTION bool close(const Team<Member>&, int, [[maybe_unused]] const Ref& next = {}) const {
    KOKKOS_IF_ON_HOST((return close_tile(next);))
    KOKKOS_IF_ON_DEVICE((return false;))
  }

  /// The same for a tile that other teams wait for. The tile goes out as one slab.
  template <class Member, class Publish, class Post>
  KOKKOS_FUNCTION bool close(const Team<Member>& team, int height, const Publish& publish, const Post&) const {
    const bool stopped = close(team, height);
    publish(whole_tile, stopped);
    return stopped;
  }

  /// Phase 2 of the tile C, which lies in the pivot's rows or columns: its old entries are its own operand.
  template <class Member, class Publish, class Post, class Wait>
  KOKKOS_FUNCTION void take_through(const Team<Member>&, [[maybe_unused]] const Panels& panels,
                                    [[maybe_unused]] int round, [[maybe_unused]] bool of_rows, const IndexRange&,
                                    const IndexRange&, const Publish& publish, const Post&, const Wait& wait) const {
    const bool paths = wait(all_slabs - 1) > 0;
    KOKKOS_IF_ON_HOST((if (paths) {
      std::byte* const at = panels.at(panels.slot(round));
      of_rows ? pack(c_, scratch_, PackedRight{0}, true) : pack(c_, scratch_, PackedLeft{0}, true);
      relax_packed(panels.pivots(round),
                   left_at(of_rows ? at : scratch_, of_rows ? panels.left_pivot() : PackedLeft{0}),
                   right_at(of_rows ? scratch_ : at, of_rows ? PackedRight{0} : panels.right_pivot()));
    }))
    publish(whole_tile, paths, false);
  }

 private:
  /// The longest side of a task of phase 3. Larger tasks share more data in the cache of a core. Smaller tasks give
  /// each thread several, which balance the load. The side is never less than a tile, so that the next pivot lies in
  /// one task.
  static int longest_side(const ExecSpace& exec, int height, int width) {
    int tiles = std::min(longest_tiles, div_up(std::max(height, width), block));
    while (tiles > 1 && div_up(height, tiles * block) * div_up(width, tiles * block) < wanted_tasks(exec)) --tiles;
    return std::max(tiles, 1) * block;
  }
  /// The number of tasks that balance the load of the threads.
  static int wanted_tasks(const ExecSpace& exec) { return exec.concurrency() == 1 ? 1 : 16 * exec.concurrency(); }

  /// The shortest side of a task: a quarter of a tile's, cut between packed rows and between slivers of all levels.
  static constexpr int finest_side = [] {
    using Packing = HostPacking<TileShape, T>;
    int side = block;
    while (4 * side > block && side % 2 == 0 && side / 2 % Packing::rows == 0 && side / 2 % Packing::padded == 0)
      side /= 2;
    return side;
  }();

  static LeftEntry* left_at(std::byte* at, PackedLeft a) { return reinterpret_cast<LeftEntry*>(at + a.at); }
  static T* right_at(std::byte* at, PackedRight b) { return reinterpret_cast<T*>(at + b.at); }

  void pack(const Ref& c, std::byte* at, PackedLeft to, bool paths) const {
    with_vectors([&](auto level)
                     __attribute__((always_inline)) { TileOf<decltype(level)>{c}.pack_left(left_at(at, to), paths); });
  }
  void pack(const Ref& c, std::byte* at, PackedRight to, bool paths) const {
    with_vectors([&](auto level) __attribute__((always_inline)) {
      TileOf<decltype(level)>{c}.pack_right(right_at(at, to), paths);
    });
  }
  void relax_packed(int depth, const LeftEntry* left, const T* right) const {
    with_vectors([&](auto level)
                     __attribute__((always_inline)) { TileOf<decltype(level)>{c_, upper_}.relax(depth, left, right); });
  }
  bool close_tile(const Ref& next) const {
    return with_vectors([&](auto level) __attribute__((always_inline)) {
      return TileOf<decltype(level)>{c_}.close(reinterpret_cast<T*>(scratch_), next);
    });
  }

  std::byte* scratch_;  ///< room for a tile that close() works on, or for an operand
  Ref c_;
  bool upper_ = false;
};

}  // namespace blockfw::detail
