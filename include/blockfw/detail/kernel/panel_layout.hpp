// SPDX-License-Identifier: MIT
/// \file
/// \brief The layout of a round's panels in memory, packed tile by tile.
///
/// A round's left panels come first, then its right panel. Each panel ends with a copy of the closed pivot tile. How
/// readers wait for panels is not part of the layout: see launch_flags.hpp and group_panels.hpp.
#pragma once

#include "blockfw/detail/base/rounding.hpp"
#include "blockfw/detail/kernel/index_ranges.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>

namespace blockfw::detail {

/// \brief Memory for the panels of a few rounds, one slot a round. A later round takes the slot of an earlier one.
/// Offsets in a slot are in bytes.
template <int Block>
class RoundSlots {
 public:
  KOKKOS_FORCEINLINE_FUNCTION int slot(int round) const { return round % kept_; }
  KOKKOS_FORCEINLINE_FUNCTION int after(int slot) const { return slot + 1 < kept_ ? slot + 1 : 0; }
  KOKKOS_FORCEINLINE_FUNCTION std::byte* at(int slot) const {
    return memory_ + slot * static_cast<std::int64_t>(round_bytes_);
  }
  KOKKOS_FORCEINLINE_FUNCTION int pivots(int round) const {
    const int left = order_ - round * Block;
    return left < Block ? +left : +Block;
  }

  std::size_t bytes() const { return static_cast<std::size_t>(kept_) * static_cast<std::size_t>(round_bytes_); }
  int right_at() const { return right_at_; }
  int right_bytes() const { return round_bytes_ - right_at_; }

 protected:
  RoundSlots() = default;
  /// \param order  rows and columns of the whole matrix
  /// \param kept   the number of rounds whose panels have memory
  /// \param lefts  left panels a round
  RoundSlots(int order, int kept, int lefts, int left_bytes, int right_bytes)
      : order_(order), kept_(kept), right_at_(lefts * left_bytes), round_bytes_(right_at_ + right_bytes) {}

  std::byte* memory_ = nullptr;
  int order_ = 0, kept_ = 1;
  int right_at_ = 0, round_bytes_ = 0;
};

/// An operand in a round's slot: its offset in bytes.
struct PackedLeft {
  int at;
};
struct PackedRight {
  int at;
};

/// \brief The layout: panels packed tile by tile.
///
/// The kernel decides how it packs a tile into LeftTile or RightTile bytes. The padding of a tile stands for vertices
/// without edges, whose entries change no result. If the pivot holds a negative cycle, all entries of the panels that
/// phase 2 makes are zero() (no path). The exception is slabs that were posted before. In self-contained panels the
/// entries of the pivot tile are zero(), too (see group_panels.hpp).
template <int Block, int LeftTile, int RightTile>
class PackedLayout : public RoundSlots<Block> {
 public:
  static constexpr int block = Block;
  using Left = PackedLeft;
  using Right = PackedRight;

  KOKKOS_FORCEINLINE_FUNCTION Left left(const IndexRange& i) const { return Left{i.first / Block * LeftTile}; }
  KOKKOS_FORCEINLINE_FUNCTION Right right(const IndexRange& j) const {
    return Right{this->right_at_ + j.first / Block * RightTile};
  }
  KOKKOS_FORCEINLINE_FUNCTION Left left_pivot() const { return left_pivot_before(this->right_at_); }
  KOKKOS_FORCEINLINE_FUNCTION Right right_pivot() const { return Right{this->round_bytes_ - RightTile}; }

  /// The pivot of the left panel that ends at an offset.
  static KOKKOS_FORCEINLINE_FUNCTION Left left_pivot_before(int end) { return Left{end - LeftTile}; }

  /// The offset of a tile in the left panel.
  int left_tile(int tile) const { return tile * LeftTile; }

  static constexpr std::int64_t left_bytes_of(std::int64_t rows) { return (div_up(rows, Block) + 1) * LeftTile; }
  static constexpr std::int64_t right_bytes_of(std::int64_t columns) {
    return (div_up(columns, Block) + 1) * RightTile;
  }
  /// The bytes of both panels of a round, for any number of tiles.
  static constexpr double round_bytes_of(double down, double across) {
    return (down + 1) * LeftTile + (across + 1) * RightTile;
  }
  static constexpr double most_bytes = std::numeric_limits<int>::max();  ///< that offsets in a round's slot can count

 protected:
  PackedLayout() = default;
  PackedLayout(int order, int height, int width, int kept, int lefts)
      : RoundSlots<Block>(order, kept, lefts, static_cast<int>(left_bytes_of(height)),
                          static_cast<int>(right_bytes_of(width))) {}
};

}  // namespace blockfw::detail
