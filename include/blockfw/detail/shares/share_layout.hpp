// SPDX-License-Identifier: MIT
/// \file
/// \brief The entries of a matrix that each share holds.
#pragma once

#include "blockfw/detail/base/rounding.hpp"
#include "blockfw/detail/kernel/index_ranges.hpp"
#include "blockfw/detail/matrices/part.hpp"
#include "blockfw/detail/shares/block_cyclic_map.hpp"
#include "blockfw/ground/matrix.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace blockfw::detail {

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

  /// Calls f(rows, columns, vertex) for each square of a share on the diagonal of the matrix. It passes index ranges of
  /// the share, and the square's first vertex.
  template <class F>
  void for_each_on_diagonal(int share, const F& f) const {
    for (int tile = 0, count = 0; tile < down.tiles(); tile += count) {
      count = down.left_in_block(tile);
      const IndexRange rows = down.rows_of(row_part(share), tile, count),
                       columns = across.rows_of(column_part(share), tile, count);
      if (rows.count > 0 && columns.count > 0) f(rows, columns, std::int64_t(tile) * down.tile());
    }
  }

  /// Calls f(row, column, i, j, height, width) for each block of a share. It passes the vertices of the block's first
  /// row and column, and its place in the share.
  template <class F>
  void for_each_block(int share, const F& f) const {
    down.for_each_block(row_part(share), [&](std::int64_t row, std::int64_t i, std::int64_t height) {
      across.for_each_block(column_part(share), [&](std::int64_t column, std::int64_t j, std::int64_t width) {
        f(row, column, i, j, height, width);
      });
    });
  }

  std::vector<Group> groups() const { return groups_of(down, across, kept_rounds); }
};

/// The entries from one row of a share to the next. A device reads rows as vectors if each row starts at a multiple of
/// a vector.
template <class ExecSpace>
std::int64_t leading_dimension(std::int64_t columns, std::size_t entry_bytes) {
  return is_host_space<ExecSpace> ? columns : round_up(columns, static_cast<std::int64_t>(128 / entry_bytes));
}

}  // namespace blockfw::detail
