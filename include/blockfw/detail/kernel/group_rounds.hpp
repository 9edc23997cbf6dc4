/// \file
/// \brief Makes the panels of a group's rounds, for shares and for chunks.
///
/// The tiles of a group's pivots come first through all rounds of the group: each round makes its panels from rows (or
/// columns) that the rounds before it in the group have updated.
#pragma once

#include "blockfw/part.hpp"

#include <Kokkos_Core.hpp>

namespace blockfw::detail {

/// Consecutive rounds. Their pivots' rows lie in one part, and so do their pivots' columns.
struct Group {
  int first, count;
  int last() const { return first + count - 1; }
};

/// \brief Where the matrix at hand has a round's pivots: {-1, 0} for rows or columns that another one has.
template <class Part>
struct PivotPlace {
  Part part;  ///< the matrix, numbered so that the pivots have their place in it
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
