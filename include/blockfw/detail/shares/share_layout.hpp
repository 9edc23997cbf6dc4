// SPDX-License-Identifier: MIT
/// \file
/// \brief The entries of a matrix that each share holds.
#pragma once

#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/kernel/part.hpp"
#include "blockfw/ground/matrix.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace blockfw::detail {

/// \brief Maps the rows (or columns) of a matrix to several parts, in blocks of neighbouring tiles: block b goes to
/// part b % parts. A part holds its blocks one behind another. (All parts get the same number of tiles, up to one
/// block. There is no map of shares of other sizes.)
class BlockCyclicMap {
 public:
  /// \param order            rows of the matrix
  /// \param block            rows of a tile
  /// \param parts            number of parts
  /// \param tiles_per_block  tiles of a block; 0 for one block per part
  BlockCyclicMap(std::int64_t order, int block, int parts, int tiles_per_block = 0)
      : order_(order), block_(block), tiles_(static_cast<int>(div_up(order, block))), parts_(parts) {
    tiles_per_block_ = tiles_per_block > 0 ? tiles_per_block : std::max(1, div_up(tiles_, parts));
  }

  int tiles() const { return tiles_; }
  /// Rows of a tile, and of a block.
  int tile() const { return block_; }
  std::int64_t block_rows() const { return std::int64_t(tiles_per_block_) * block_; }
  int parts() const { return parts_; }
  int owner(int tile) const { return tile / tiles_per_block_ % parts_; }
  /// The index of the tile among its owner's tiles.
  int local(int tile) const { return tile / tiles_per_block_ / parts_ * tiles_per_block_ + tile % tiles_per_block_; }
  /// The number of tiles from `tile` to the end of its block.
  int left_in_block(int tile) const { return std::min(tiles_per_block_ - tile % tiles_per_block_, tiles_ - tile); }

  /// The number, in the matrix, of the first tile of a part.
  int first_tile(int part) const { return part * tiles_per_block_; }

  /// The part that holds a row of the matrix, and the row's index in that part.
  struct OwnedRow {
    int part;
    std::int64_t row;
  };
  OwnedRow part(std::int64_t row) const {
    const auto tile = static_cast<int>(row / block_);
    return {owner(tile), std::int64_t(local(tile)) * block_ + row % block_};
  }
  /// The inverse of part(): the row of the matrix for a row of a part.
  std::int64_t whole(int part, std::int64_t row) const {
    const std::int64_t rows = block_rows();
    return (row / rows * parts_ + part) * rows + row % rows;
  }

  /// The rows of the matrix for `count` rows of a part.
  std::vector<std::int32_t> whole(int part, std::int64_t first, std::int64_t count) const {
    std::vector<std::int32_t> rows;
    for (std::int64_t row = first; row < first + count; ++row)
      rows.push_back(static_cast<std::int32_t>(whole(part, row)));
    return rows;
  }

  /// The number of rows of a part.
  std::int64_t rows(int part) const {
    std::int64_t sum = 0;
    for_each_block(part, [&](std::int64_t, std::int64_t, std::int64_t count) { sum += count; });
    return sum;
  }
  /// Calls f(first row in the matrix, first row in the part, number of rows) for each block of a part.
  template <class F>
  void for_each_block(int part, const F& f) const {
    std::int64_t local = 0;
    for (std::int64_t tile = std::int64_t(part) * tiles_per_block_; tile < tiles_;
         tile += std::int64_t(tiles_per_block_) * parts_) {
      const std::int64_t first = tile * block_, count = std::min(block_rows(), order_ - first);
      f(first, local, count);
      local += count;
    }
  }

  /// The rows of `count` tiles, starting at `tile`, as an index range of the part; {-1, 0} if another part owns them.
  /// The tiles must lie in one block.
  IndexRange rows_of(int part, int tile, int count) const {
    if (tile >= tiles_ || owner(tile) != part) return {-1, 0};
    const std::int64_t rows = std::min(std::int64_t(count) * block_, order_ - std::int64_t(tile) * block_);
    return {local(tile) * block_, static_cast<int>(rows)};
  }

 private:
  std::int64_t order_;
  int block_, tiles_, parts_, tiles_per_block_;
};

/// The share that owns an entry of the matrix, and the entry's place in that share.
struct OwnedEntry {
  int part;
  std::int32_t row, column;
};

/// \brief The map of a matrix to shares: `down` maps its rows, `across` maps its columns.
///
/// Shares are numbered row by row. Share s has part s / across.parts() of the rows and part s % across.parts() of the
/// columns.
struct ShareLayout {
  std::int64_t order;
  BlockCyclicMap down, across;
  int kept_rounds;  ///< rounds whose panels a share keeps: the rounds of two groups

  int shares() const { return down.parts() * across.parts(); }
  int row_part(int share) const { return share / across.parts(); }
  int column_part(int share) const { return share % across.parts(); }

  /// The number of rows of a share, and of its columns.
  std::int64_t rows(int share) const { return down.rows(row_part(share)); }
  std::int64_t columns(int share) const { return across.rows(column_part(share)); }
  /// The vertex of a row of a share, and of a column.
  std::int64_t row(int share, std::int64_t i) const { return down.whole(row_part(share), i); }
  std::int64_t column(int share, std::int64_t j) const { return across.whole(column_part(share), j); }

  OwnedEntry owner(std::int64_t from, std::int64_t to) const {
    const auto i = down.part(from), j = across.part(to);
    return {i.part * across.parts() + j.part, static_cast<std::int32_t>(i.row), static_cast<std::int32_t>(j.row)};
  }

  /// Numbers that are equal for two layouts only if both give every entry the same place.
  std::array<std::int64_t, 5> numbers() const {
    return {order, down.block_rows(), down.parts(), across.block_rows(), across.parts()};
  }

  /// Whether each share has neighbouring rows, and all columns.
  bool has_neighbouring_rows() const {
    return shares() == 1 || (across.parts() == 1 && down.block_rows() * down.parts() >= order);
  }

  /// The most pivots of a group.
  int most_pivots() const { return (kept_rounds + 1) / 2 * down.tile(); }

  /// The groups of all rounds. (The panels of two groups are kept, one group in use and one that is sent.)
  std::vector<Group> groups() const {
    std::vector<Group> all;
    for (int tile = 0; tile < down.tiles(); tile += all.back().count) {
      const int most = (kept_rounds + static_cast<int>(all.size() % 2)) / 2;
      all.push_back({tile, std::min({most, down.left_in_block(tile), across.left_in_block(tile)})});
    }
    return all;
  }
};

/// The entries from one row of a share to the next. A device reads rows as vectors if each row starts at a multiple of
/// a vector.
template <class ExecSpace>
std::int64_t leading_dimension(std::int64_t columns, std::size_t entry_bytes) {
  return is_host_space<ExecSpace> ? columns : round_up(columns, static_cast<std::int64_t>(128 / entry_bytes));
}

}  // namespace blockfw::detail
