// SPDX-License-Identifier: MIT
/// \file
/// \brief Makes the panels of a group's rounds, for shares and for chunks.
///
/// A group's pivots are taken as one large pivot of several tiles. Its square P is closed by rounds of its own; the
/// right panels are its rows after all these rounds, P ⊗ R. The left panels are its columns L as they are before: L ⊗
/// (P ⊗ R) has all paths through the group. So only the square takes one round after the other, and left panels need
/// not wait for it; the columns are updated with the rest.
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

/// \brief Closes the square of a group's pivots, and makes left panels of it.
/// \param rows, columns  the rows and columns of the group's pivots
/// \param where          where(round) returns the PivotPlace
/// \param tick           called after each round
template <class Phase, class ExecSpace, class Panels, class Where, class Tick>
void close_square(const ExecSpace& exec, const Group& group, const Panels& panels, const IndexRange& rows,
                  const IndexRange& columns, const Where& where, const Tick& tick) {
  for (int k = group.first; k <= group.last(); ++k) {
    const auto [part, row, column] = where(k);
    Phase::close_pivot(exec, part, k, panels);
    Phase::update_panels(exec, part, k, panels, {rows, row}, {columns, column});
    Phase::update_through(exec, part, k, k, panels, {rows, row}, {columns, column});
    tick();
  }
  Phase::template publish<false>(exec, where(group.first).part, group.first, group.last(), panels, columns, {rows},
                                 true);
}

/// \brief Makes the right panels of a group out of the rows of its pivots, which it updates, and of the left panels of
/// its square.
/// \param rows     the rows of the group's pivots
/// \param columns  all columns, without those of the group's pivots, which are closed, if the part has them
/// \param part     the share or chunk
template <class Phase, class ExecSpace, class Panels>
void make_right_panels(const ExecSpace& exec, const Group& group, const Panels& panels, const IndexRange& rows,
                       const Selection& columns, const typename Phase::Part& part) {
  const int first = group.first, last = group.last();
  Phase::template publish<true>(exec, part, first, last, panels, rows, columns, true);  // the operand
  Phase::update_through(exec, part, first, last, panels, {rows}, columns);
  Phase::template publish<true>(exec, part, first, last, panels, rows, {columns.all}, true);
}

}  // namespace blockfw::detail
