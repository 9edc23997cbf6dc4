// SPDX-License-Identifier: MIT
/// \file
/// \brief Makes the panels of a group's rounds, for shares and for chunks.
///
/// The rows and columns of a group's pivots go through all rounds of the group before the other tiles do, since each
/// round makes its panels from rows (or columns) that the group's earlier rounds have updated.
#pragma once

#include "blockfw/part.hpp"

#include <Kokkos_Core.hpp>

namespace blockfw::detail {

/// Consecutive rounds. Their pivots' rows lie in one part, and so do their pivots' columns.
struct Group {
  int first, count;
  int last() const { return first + count - 1; }
};

/// \brief The place of a round's pivots in a share or chunk. A share has {-1, 0} for rows or columns that lie in
/// another.
template <class Part>
struct PivotPlace {
  Part part;  ///< the share or chunk, numbered so that the pivots have their place in it
  IndexRange row, column;
};

/// \brief Makes the right panels of a group from the rows of its pivots.
/// \param rows, columns  the rows of the group's pivots, and the columns to make panels of
/// \param where          where(round) returns the PivotPlace
/// \param tick           called after each round
template <class Phase, class ExecSpace, class Panels, class Where, class Tick>
void make_right_panels(const ExecSpace& exec, const Group& group, const Panels& panels, const IndexRange& rows,
                       const IndexRange& columns, const Where& where, const Tick& tick) {
  for (int k = group.first; k <= group.last(); ++k) {
    const auto [part, row, column] = where(k);
    if (column.count > 0) Phase::close_pivot(exec, part, k, panels);
    Phase::update_panels(exec, part, k, panels, {rows, row}, {columns, column});
    Phase::update_through(exec, part, k, k, panels, {rows, row}, {columns, column});
    tick();
  }
}

/// \brief Makes the left panels of a group from the columns of its pivots.
/// \param rows     the rows to make panels of
/// \param columns  the columns of the group's pivots
/// \param where, tick  as for make_right_panels()
template <class Phase, class ExecSpace, class Panels, class Where, class Tick>
void make_left_panels(const ExecSpace& exec, const Group& group, const Panels& panels, const Selection& rows,
                      const IndexRange& columns, const Where& where, const Tick& tick) {
  for (int k = group.first; k <= group.last(); ++k) {
    const auto [part, row, column] = where(k);
    Phase::update_panels(exec, part, k, panels, rows, {{0, 0}});
    Phase::update_through(exec, part, k, k, panels, rows, {columns, column});
    tick();
  }
}

}  // namespace blockfw::detail
