// SPDX-License-Identifier: MIT
/// \file
/// \brief The types that the phases work with: parts of the matrix, index ranges for one task each, half of the tiles,
/// look-ahead, and how much storage panels need.
#pragma once

#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/ground/matrix.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <limits>

namespace blockfw {

/// \brief A part of the matrix, cut along its tiles. It starts with tile (row, col), numbered in the whole matrix.
template <class Ref>
struct Part {
  Ref d;                                      ///< the entries of the part
  int row = 0,                                ///< the tile row that it starts with
      col = 0;                                ///< the tile column that it starts with
  Direction direction = Direction::directed;  ///< the direction of the graph
};

/// \brief Neighbouring rows or columns, numbered in the part.
struct IndexRange {
  int first,  ///< the first one
      count;  ///< how many there are
};

/// \brief An index range from which up to two gaps are left out, in either order.
struct Selection {
  IndexRange all,      ///< the range, including its gaps
      gap = {-1, 0},   ///< a gap; none by default
      gap2 = {-1, 0};  ///< another gap
};

/// \brief The work on the next round that phase 3 has done: nothing, its pivot (phase 1), or its panels, too (phase 2).
enum class LookAheadProgress { nothing, pivot, panels };

/// \brief How much panel storage a solve of one matrix needs.
struct PanelStorageOptions {
  int order;   ///< rows and columns of the whole matrix
  int height,  ///< rows of the part at hand
      width;   ///< its columns
};

/// \brief How much panel storage groups of rounds need.
struct GroupStorageOptions {
  int order;             ///< rows and columns of the whole matrix
  int height,            ///< rows of the part at hand
      width;             ///< its columns
  int rounds;            ///< rounds whose panels are kept
  bool negative = true;  ///< whether an entry of the panels may be negative
  int left_panels = 1;   ///< left panels a round
  int sets = 1;          ///< independent sets of these panels, for teams that each solve a matrix of their own
};

/// \brief A contiguous range of memory that a link sends or receives.
struct Message {
  std::byte* data;    ///< where it starts
  std::size_t bytes;  ///< its size
};

}  // namespace blockfw

namespace blockfw::detail {

/// Consecutive rounds. Their pivots' rows lie in one part, and so do their pivots' columns.
struct Group {
  int first,  ///< the first round
      count;  ///< how many there are
  int last() const { return first + count - 1; }
};

/// A selection cut into index ranges of at most `longest` rows or columns.
class IndexRanges {
 public:
  IndexRanges(const Selection& rows, int longest) : longest_(longest) {
    const int begin = rows.all.first, end = begin + rows.all.count;
    const auto inside = [&](IndexRange r) {
      const int first = Kokkos::max(r.first, begin), last = Kokkos::min(r.first + r.count, end);
      return first < last ? IndexRange{first, last - first} : IndexRange{end, 0};
    };
    const IndexRange gap = inside(rows.gap), gap2 = inside(rows.gap2);
    const IndexRange low = gap2.first < gap.first ? gap2 : gap, high = gap2.first < gap.first ? gap : gap2;
    pivot_ = gap;
    const int starts[] = {begin, low.first + low.count, high.first + high.count};
    const int ends[] = {low.first, high.first, end};
    for (int s = 0, ranges = 0; s < stretches; ++s) {
      first_[s] = starts[s];
      end_[s] = Kokkos::max(ends[s], starts[s]);
      ranges += div_up(end_[s] - first_[s], longest);
      ranges_[s] = ranges;
    }
    before_ = gap.first == low.first ? ranges_[0] : ranges_[1];
  }

  KOKKOS_FORCEINLINE_FUNCTION int size() const { return ranges_[stretches - 1]; }

  /// The number of ranges before the selection's `gap`; so it is also the index of the first range after `gap`, if a
  /// range follows.
  KOKKOS_FORCEINLINE_FUNCTION int before() const { return before_; }

  KOKKOS_FORCEINLINE_FUNCTION IndexRange operator[](int r) const {
    // (Unary + makes values. A choice between references would keep the kernel's arguments in memory.)
    const int from = r < ranges_[0] ? +first_[0] : r < ranges_[1] ? +first_[1] : +first_[2];
    const int to = r < ranges_[0] ? +end_[0] : r < ranges_[1] ? +end_[1] : +end_[2];
    const int skipped = r < ranges_[0] ? 0 : r < ranges_[1] ? +ranges_[0] : +ranges_[1];
    const int first = from + (r - skipped) * longest_, present = to - first;
    return {first, present < longest_ ? +present : +longest_};
  }

  /// The selection's `gap`, clipped to the range.
  KOKKOS_FORCEINLINE_FUNCTION IndexRange pivot() const { return pivot_; }

 private:
  static constexpr int stretches = 3;
  int first_[stretches], end_[stretches];
  int ranges_[stretches];  ///< the number of index ranges up to the end of each stretch
  int longest_, before_;
  IndexRange pivot_;
};

/// \brief Half of the tiles of a symmetric matrix: of each tile and its mirror image at least one. A row of tiles
/// starts at the diagonal and has half of the tiles that follow, cyclically. So all rows have the same number of tiles,
/// and neighbouring rows are equal work. By default the matrix is one tile, which counts.
struct HalfTiles {
  int block = std::numeric_limits<int>::max();  ///< rows of a tile
  int tiles = 1;                                ///< tiles a side
  int first = 0;  ///< the tile row, in the matrix, that the part starts with; it has all columns

  /// Whether one of the tiles in these rows of the part and columns counts.
  KOKKOS_FORCEINLINE_FUNCTION bool operator()(const IndexRange& i, const IndexRange& j) const {
    const int top = first + i.first / block, bottom = first + (i.first + i.count - 1) / block;
    const int left = j.first / block, right = (j.first + j.count - 1) / block;
    int nearest = left - bottom;  // from the diagonal, to the right
    if (nearest < 0) nearest += tiles;
    return nearest <= tiles / 2 || nearest + (right - left) + (bottom - top) >= tiles;
  }
};

}  // namespace blockfw::detail
