/// \file
/// \brief The types that the phases work with: parts of the matrix, index ranges in them, and how far the next round
/// is.
#pragma once

namespace blockfw {

/// \brief A part of the matrix, cut along its tiles. It starts with tile (row, col), numbered in the whole matrix.
template <class Ref>
struct Part {
  Ref d;
  int row = 0, col = 0;
};

/// \brief Neighbouring rows or columns, numbered in the part.
struct IndexRange {
  int first, count;
};

/// \brief An index range from which up to two gaps are left out, in either order.
struct Selection {
  IndexRange all, gap = {-1, 0}, gap2 = {-1, 0};
};

/// \brief The work on the next round that phase 3 has done: nothing, its pivot (phase 1), or its panels, too (phase 2).
enum class LookAheadProgress { nothing, pivot, panels };

}  // namespace blockfw
