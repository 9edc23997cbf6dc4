// SPDX-License-Identifier: MIT
/// \file
/// \brief The tasks of phase 3, in the order in which teams start.
#pragma once

#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/kernel/part.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace blockfw::detail {

/// Stands for all slabs of a round's pivots. A tile kernel may post fewer slabs at a time.
inline constexpr int all_slabs = 1024;
/// Stands for a whole tile in place of the number of a slab.
inline constexpr int whole_tile = -1;

/// The index ranges that one team updates, and through which rounds.
struct Task {
  IndexRange i, j;
  int since;                        ///< the first round whose update the tile lacks
  bool in_next_rows, in_next_cols;  ///< with look-ahead: whether it lies in the next pivot's rows, in its columns
  bool exists;
};

/// \brief The task order of a host: index ranges of whole tiles, or parts of a tile's columns, updated by one round.
/// The tile with the next pivot comes first, as one task.
class HostTaskOrder {
 public:
  /// \param cuts   the number of parts that a tile's columns are cut into, if index ranges are single tiles; or 1
  /// \param width  columns of a part
  HostTaskOrder(const IndexRanges& down, const IndexRanges& across, int round, LookAheadProgress ahead, int cuts,
                int width)
      : down_(down),
        across_(across),
        round_(round),
        cuts_(cuts),
        width_(width),
        ahead_(ahead != LookAheadProgress::nothing) {}

  KOKKOS_FORCEINLINE_FUNCTION int size() const { return down_.size() * across_.size() * cuts_; }
  KOKKOS_FORCEINLINE_FUNCTION int all() const { return size(); }
  KOKKOS_FORCEINLINE_FUNCTION int round(int) const { return round_; }

  KOKKOS_FORCEINLINE_FUNCTION Task at(int rank, int) const {
    const int next = ahead_ ? down_.before() * across_.size() + across_.before() : 0, cut = rank % cuts_;
    const int tile = (next + rank / cuts_) % (down_.size() * across_.size());
    const int i = tile / across_.size(), j = tile % across_.size();
    const bool in_next_rows = ahead_ && i == down_.before(), in_next_cols = ahead_ && j == across_.before();
    const bool whole = cuts_ == 1 || (in_next_rows && in_next_cols);
    IndexRange columns = across_[j];
    if (!whole) columns = {columns.first + cut * width_, Kokkos::min(+width_, columns.count - cut * width_)};
    return {down_[i], columns, round_, in_next_rows, in_next_cols, whole ? cut == 0 : columns.count > 0};
  }

 private:
  IndexRanges down_, across_;
  int round_, cuts_, width_;
  bool ahead_;
};

/// Tasks go by groups of this many rows of tiles, column by column within a group. So teams that run at the same time
/// read the same few tiles of the panels.
inline constexpr unsigned rows_together = 32;

struct RangePair {
  IndexRange i, j;
};

/// The pair of index ranges for a team's rank, in that order. (Unsigned, since devices divide unsigned numbers faster.)
KOKKOS_FORCEINLINE_FUNCTION RangePair range_pair(const IndexRanges& down, const IndexRanges& across, unsigned rank) {
  const auto height = static_cast<unsigned>(down.size()), width = static_cast<unsigned>(across.size());
  const unsigned first = rank / (rows_together * width) * rows_together, within = rank - first * width;
  const unsigned rows = height - first;
  const unsigned column = rows < rows_together ? within / rows : within / rows_together;
  const unsigned row = within - column * (rows < rows_together ? +rows : +rows_together);
  return {down[static_cast<int>(first + row)], across[static_cast<int>(column)]};
}

/// \brief The task order of a device: single tiles. Each tile is updated every few rounds by the pivots of all these
/// rounds at once, so that it is read and written less often.
///
/// The next round needs only some tiles. Let s be the sum of a tile's group of rows, its column and the round. Of the
/// remaining tiles, a round updates the tiles whose s is a multiple of `lag`. So each round updates about the same
/// number of tiles. With look-ahead the tile of the next pivot comes first, so that its team closes it while other
/// teams update tiles. The other tiles of the next pivot's rows and columns come when the pivot can be expected to be
/// closed. The rest goes by groups of rows.
class DeviceTaskOrder {
 public:
  /// Tiles are numbered in the whole matrix.
  struct Range {
    int first, count;
    int entries;  ///< rows (or columns) of the matrix that these tiles cover
  };

  /// \param lag      rounds from one update of a tile to the next
  /// \param first    the first round of the launch
  /// \param rounds   the rounds of the launch
  /// \param opens    whether the launch first makes the panels of its first round
  /// \param at_once  the number of teams that run at once
  DeviceTaskOrder(Range down, Range across, int block, int lag, int first, int rounds, bool opens, int at_once)
      : down_(down), across_(across), block_(block), lag_(lag), first_(first) {
    const int panels = down.count + across.count - 1;
    in_row_ = div_up(across.count, lag);
    const int rest = down.count * in_row_;
    lead_ = Kokkos::min(2 * at_once, Kokkos::max(0, rest - at_once));
    size_ = rest + panels;
    opening_ = opens ? panels : 0;
    ahead_ = Kokkos::min(down.first + down.count, across.first + across.count) - 1;
    const int last = first + rounds > ahead_ ? 1 : 0;
    all_ = opening_ + (rounds - last) * size_ + last * down.count * across.count;
  }

  /// The number of tasks of the launch, and of a round whose next pivot is in the part.
  KOKKOS_FORCEINLINE_FUNCTION int all() const { return all_; }
  KOKKOS_FORCEINLINE_FUNCTION int size() const { return size_; }
  /// The number of tiles of the matrix.
  std::int64_t tiles() const { return std::int64_t{down_.count} * across_.count; }

  /// The round of a task.
  KOKKOS_FORCEINLINE_FUNCTION int round(int rank) const {
    if (rank < opening_) return first_ - 1;
    return Kokkos::min(first_ + (rank - opening_) / size_, +ahead_);
  }
  KOKKOS_FORCEINLINE_FUNCTION Task at(int rank, int round) const {
    if (round < first_) return next(rank, round);
    rank -= opening_ + (round - first_) * size_;
    if (round == ahead_) return rest(rank, round, +across_.count, 1);
    if (rank == 0) return next(0, round);
    if (rank - 1 < lead_) return rest(rank - 1, round, +in_row_, +lag_);
    if (rank - lead_ < down_.count + across_.count - 1) return next(rank - lead_, round);
    return rest(rank - (down_.count + across_.count - 1), round, +in_row_, +lag_);
  }

 private:
  /// The tasks of the next panels.
  KOKKOS_FORCEINLINE_FUNCTION Task next(int rank, int round) const {
    const int next_row = round + 1 - down_.first, next_col = round + 1 - across_.first;
    if (rank == 0) return tile(next_row, next_col, round);
    rank -= 1;
    if (rank < across_.count - 1) return tile(next_row, rank + (rank >= next_col), round);
    rank -= across_.count - 1;
    return tile(rank + (rank >= next_row), next_col, round);
  }

  KOKKOS_FORCEINLINE_FUNCTION Task rest(int r, int round, int in_row, int every) const {
    const int first = r / (group * in_row) * group, within = r % (group * in_row);
    const int left = down_.count - first, rows = left < group ? +left : +group;
    const int row = first + within % rows, off = (stagger(row) + across_.first + round) % every;
    const int col = within / rows * every + (off == 0 ? 0 : every - off);
    Task task = tile(row, col, round);
    const int i = row + down_.first - round, j = col + across_.first - round;
    task.exists = col < across_.count && i != 0 && j != 0 && !(round < ahead_ && (i == 1 || j == 1));
    return task;
  }

  KOKKOS_FORCEINLINE_FUNCTION Task tile(int row, int col, int round) const {
    const int i = row + down_.first, j = col + across_.first;
    const int off = (stagger(row) + j + round + lag_) % lag_;
    int since = Kokkos::max(0, round - (off == 0 ? lag_ : off) + 1);
    if (i <= round) since = Kokkos::max(since, i + 1);  // it was a tile of a panel in round i
    if (j <= round) since = Kokkos::max(since, j + 1);
    return {range_of(down_, row),
            range_of(across_, col),
            since,
            round < ahead_ && i == round + 1,
            round < ahead_ && j == round + 1,
            true};
  }

  /// A row's term in the sum that chooses a round's tiles. It is the same for all rows of a group, so that they read
  /// the same tiles of the right panel.
  KOKKOS_FORCEINLINE_FUNCTION int stagger(int row) const { return row / group; }

  KOKKOS_FORCEINLINE_FUNCTION IndexRange range_of(const Range& range, int tile) const {
    const int first = tile * block_, left = range.entries - first;
    return {first, left < block_ ? +left : +block_};
  }

  static constexpr int group = static_cast<int>(rows_together);

  Range down_, across_;
  int block_, lag_;
  int first_, ahead_;  ///< rounds before `ahead_` have a next pivot
  int opening_, in_row_, lead_, size_, all_;
};

}  // namespace blockfw::detail
