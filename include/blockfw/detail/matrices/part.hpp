// SPDX-License-Identifier: MIT
/// \file
/// \brief The types that the phases work with: parts of the matrix, index ranges, look-ahead, and how much storage
/// panels need.
#pragma once

#include "blockfw/ground/matrix.hpp"

#include <cstddef>

namespace blockfw {

/// \brief A part of the matrix, cut along its tiles. It starts with tile (row, col), numbered in the whole matrix.
template <class Ref>
struct Part {
  Ref d;                                      ///< the entries of the part
  int row = 0,                                ///< the tile row that it starts with
      col = 0;                                ///< the tile column that it starts with
  Direction direction = Direction::directed;  ///< of the graph
};

/// \brief Neighbouring rows or columns, numbered in the part.
struct IndexRange {
  int first,  ///< the first one
      count;  ///< how many there are
};

/// \brief An index range from which up to two gaps are left out, in either order.
struct Selection {
  IndexRange all,      ///< with the gaps
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
  int sets = 1;          ///< independent sets of all that, for teams that each solve a matrix of their own
};

namespace detail {

/// Consecutive rounds. Their pivots' rows lie in one part, and so do their pivots' columns.
struct Group {
  int first,  ///< the first round
      count;  ///< how many there are
  int last() const { return first + count - 1; }
};

}  // namespace detail

/// \brief A contiguous range of memory that a link sends or receives.
struct Message {
  std::byte* data;    ///< where it starts
  std::size_t bytes;  ///< its size
};

}  // namespace blockfw
