// SPDX-License-Identifier: MIT
/// \file
/// \brief The panels of groups of rounds, in memory of their own, which links copy to other devices.
///
/// Launches that use these panels run in order, so teams need no flags to wait for each other. A reader may have
/// nothing but the panels. If the pivot holds a negative cycle, its right panels and the pivots in the panels therefore
/// hold no path at all. Even from the pivot's first vertex to itself there is none, and readers look at this entry.
/// Left panels may hold paths then. With a right panel without paths these join to nothing, and cannot overflow.
#pragma once

#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/kernel/concepts.hpp"
#include "blockfw/detail/kernel/part.hpp"
#include "blockfw/detail/kernel/task_order.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace blockfw::detail {

/// An operand in a round's slot: its offset in bytes.
struct PackedLeft {
  int at;
};
struct PackedRight {
  int at;
};

/// \brief The layout of the panels of a few rounds, one slot a round, packed tile by tile. A later round takes the slot
/// of an earlier one. Offsets in a slot are in bytes.
///
/// The kernel decides how it packs a tile into LeftTile or RightTile bytes. The padding of a tile stands for vertices
/// without edges, whose entries change no result. If the pivot holds a negative cycle, all entries of the panels that
/// phase 2 makes are zero() (no path). The exception is slabs that were posted before. In self-contained panels the
/// entries of the pivot tile are zero(), too (see group_panels.hpp).
template <int Block, int LeftTile, int RightTile>
class PackedLayout {
 public:
  static constexpr int block = Block;

  KOKKOS_FORCEINLINE_FUNCTION int slot(int round) const { return round % kept_; }
  KOKKOS_FORCEINLINE_FUNCTION int after(int slot) const { return slot + 1 < kept_ ? slot + 1 : 0; }
  KOKKOS_FORCEINLINE_FUNCTION std::byte* at(int slot) const {
    return memory_ + slot * static_cast<std::int64_t>(round_bytes_);
  }
  KOKKOS_FORCEINLINE_FUNCTION int pivots(int round) const {
    const int left = order_ - round * Block;
    return left < Block ? +left : +Block;
  }

  KOKKOS_FORCEINLINE_FUNCTION PackedLeft left(const IndexRange& i) const { return {i.first / Block * LeftTile}; }
  KOKKOS_FORCEINLINE_FUNCTION PackedRight right(const IndexRange& j) const {
    return {right_at_ + j.first / Block * RightTile};
  }
  KOKKOS_FORCEINLINE_FUNCTION PackedLeft left_pivot() const { return left_pivot_before(right_at_); }
  KOKKOS_FORCEINLINE_FUNCTION PackedRight right_pivot() const { return {round_bytes_ - RightTile}; }

  /// The pivot of the left panel that ends at an offset.
  static KOKKOS_FORCEINLINE_FUNCTION PackedLeft left_pivot_before(int end) { return {end - LeftTile}; }

  /// The offset of a tile in the left panel.
  int left_tile(int tile) const { return tile * LeftTile; }

  std::size_t bytes() const { return static_cast<std::size_t>(kept_) * static_cast<std::size_t>(round_bytes_); }
  int right_at() const { return right_at_; }
  int right_bytes() const { return round_bytes_ - right_at_; }

  /// \brief Bytes of some rounds' panels.
  ///
  /// (In double, since callers also ask for the memory of an order beyond all bounds.)
  /// \param lefts  left panels a round
  static double bytes_of(double rows, double columns, int rounds, int lefts) {
    return rounds * (lefts * left_bytes_of(rows) + (std::ceil(columns / Block) + 1) * RightTile);
  }
  static double left_bytes_of(double rows) { return (std::ceil(rows / Block) + 1) * LeftTile; }
  static constexpr double most_bytes =
      std::numeric_limits<int>::max();  ///< the most bytes of a round's slot that offsets can count

 protected:
  /// \param order  rows and columns of the whole matrix
  /// \param kept   the number of rounds whose panels have memory
  /// \param lefts  left panels a round
  PackedLayout(int order, int height, int width, int kept, int lefts)
      : order_(order),
        kept_(kept),
        right_at_(lefts * static_cast<int>(left_bytes_of(height))),
        round_bytes_(static_cast<int>(bytes_of(height, width, 1, lefts))) {}

  std::byte* memory_ = nullptr;
  int order_, kept_;
  int right_at_, round_bytes_;
};

/// \brief The flags of panels that no other team of a launch waits for: nothing is posted, and nobody waits.
struct NoFlags {
  static constexpr bool flagged = false, relays = false;

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION int wait_for_operands(const Team&, const Task&, int, int, int) const {
    return 0;
  }
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void post_pivot(const Team&, int, int) const {}
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void post_panel(const Team&, bool, const IndexRange&, const IndexRange&, int, int) const {
  }
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void post_tile(const Team&, const IndexRange&, const IndexRange&, int) const {}
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION void post_team_done(const Member&, int) const {}
};

/// \brief The panels of a group's rounds.
/// \tparam Layout  a PackedLayout
template <class Semiring, class Layout>
class GroupPanels : public Layout, public NoFlags {
  using T = typename Semiring::value_type;

 public:
  static constexpr bool self_contained = true;

  /// Panels without memory so far. \throws InvalidInput if offsets cannot count all of a round's slot
  explicit GroupPanels(const GroupStorageOptions& o)
      : Layout(fitting(o).order, o.height, o.width, o.rounds, o.left_panels),
        left_bytes_(static_cast<int>(Layout::left_bytes_of(o.height))),
        negative_(o.negative) {}
  void use(std::byte* memory) { this->memory_ = memory; }

  KOKKOS_FORCEINLINE_FUNCTION PackedLeft left(const IndexRange& i) const {
    PackedLeft place = Layout::left(i);
    place.at += left_at_;
    return place;
  }
  KOKKOS_FORCEINLINE_FUNCTION PackedLeft left_pivot() const {
    return Layout::left_pivot_before(left_at_ + left_bytes_);
  }

  /// Marks the first entry of a pivot that is published with paths: the entry is one() instead of zero(). This changes
  /// no result, since every entry is joined with its old value anyway.
  static KOKKOS_FORCEINLINE_FUNCTION void mark_paths(T& first) {
    if (first == Semiring::zero()) first = Semiring::one();
  }

  /// A barrier, after which all threads of the team see the tiles that it has published. (Other teams' panels are of
  /// earlier launches.)
  /// A pivot without paths is known by its first entry, zero().
  /// \return the number of slabs of the closed pivot: all, or 0 if it holds a negative cycle
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION int wait_for_pivot(const Team& team, int round, bool of_rows, int) const {
    team.member.team_barrier();
    const auto pivot = of_rows ? left_pivot().at : this->right_pivot().at;
    return *reinterpret_cast<const T*>(this->at(this->slot(round)) + pivot) == Semiring::zero() ? 0 : +all_slabs;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool any_negative() const { return negative_; }

  /// The panels of one of the sets of a GroupStorage.
  KOKKOS_FORCEINLINE_FUNCTION GroupPanels of(int set) const {
    GroupPanels panels = *this;
    panels.memory_ = this->at(set * this->kept_);
    return panels;
  }

  int left_bytes() const { return left_bytes_; }

 private:
  template <class, class, class>
  friend class GroupStorage;

  static const GroupStorageOptions& fitting(const GroupStorageOptions& o) {
    if (Layout::bytes_of(o.height, o.width, 1, o.left_panels) > Layout::most_bytes)
      throw InvalidInput("a part of ", o.height, " x ", o.width, " is too large for panels of ", Layout::block,
                         " pivots, name a smaller tile");
    return o;
  }

  int left_bytes_, left_at_ = 0;  ///< the size of the left panel that these panels use, and where it starts
  bool negative_;
};

/// \brief The memory of group panels, on the device (or host) of an instance. The destructor frees it.
template <class ExecSpace, class Semiring, class Layout>
class GroupStorage {
  using Memory = Array<std::byte, ExecSpace>;

 public:
  using Panels = GroupPanels<Semiring, Layout>;

  GroupStorage(const ExecSpace& exec, const GroupStorageOptions& o)
      : panels_(o),
        memory_(without_values<Memory>(exec, "blockfw::panels", static_cast<std::size_t>(o.sets) * panels_.bytes())) {
    panels_.use(memory_.data());
  }

  const Panels& panels() const { return panels_; }
  /// The same panels with another left panel: number `left` of the left panels of each round.
  Panels panels(int left) const {
    Panels panels = panels_;
    panels.left_at_ = left * panels.left_bytes();
    return panels;
  }

  Message left(int round) const { return message(round, 0, panels_.left_bytes()); }
  Message right(int round) const { return message(round, panels_.right_at(), panels_.right_bytes()); }
  /// Tiles `tile` to `tile` + `count` - 1 of the left panel. To make their right panels, the shares with the pivots'
  /// rows need only these tiles and left_pivot().
  Message left(int round, int tile, int count) const {
    const auto first = panels_.left_tile(tile), last = panels_.left_tile(tile + count);
    return message(round, first, last - first);
  }
  Message left_pivot(int round) const {
    const auto pivot = panels_.left_pivot().at;
    return message(round, pivot, panels_.left_bytes() - pivot);
  }

  static double bytes(std::int64_t height, std::int64_t width, int kept, int lefts = 1) {
    return Layout::bytes_of(static_cast<double>(height), static_cast<double>(width), kept, lefts);
  }

 private:
  Message message(int round, std::int64_t first, std::int64_t bytes) const {
    return {panels_.at(panels_.slot(round)) + first, static_cast<std::size_t>(bytes)};
  }

  Panels panels_;
  Memory memory_;
};

}  // namespace blockfw::detail
