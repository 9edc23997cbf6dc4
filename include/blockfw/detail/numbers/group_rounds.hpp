// SPDX-License-Identifier: MIT
/// \file
/// \brief Makes the panels of a group's rounds, for shares and for chunks.
///
/// A group's pivots are taken as one large pivot of several tiles. Its square P is solved as a matrix of its own. The
/// right panels are its rows R as they are after all these rounds: P ⊗ R. The left panels are its columns L as they are
/// before these rounds: L ⊗ (P ⊗ R) has all paths through the group. So only the square takes one round after the
/// other. The left panels need not wait for it. The columns are updated together with the rest of the matrix.
#pragma once

#include "blockfw/detail/kernel/rounds.hpp"
#include "blockfw/detail/matrices/part.hpp"
#include "blockfw/ground/matrix.hpp"

#include <Kokkos_Core.hpp>

namespace blockfw::detail {

/// \brief Closes the square of a group's pivots, and makes left panels of it.
/// \param rows, columns  the rows and columns of the group's pivots
/// \param part           the share or chunk
/// \param keeper         an instance on the same device; the memory of the square's panels is kept for it, see
///                       keep_memory_of_square()
/// \param progress       on a host, called after each round of the square
template <class Phase, class ExecSpace, class Panels>
void close_square(const ExecSpace& exec, const Group& group, const Panels& panels, const IndexRange& rows,
                  const IndexRange& columns, const typename Phase::Part& part, const ExecSpace& keeper,
                  const Progress& progress = {}) {
  const int first = group.first, last = group.last();
  eliminate<Phase>(exec, submatrix(part.d, rows.first, rows.count, columns.first, columns.count), Direction::directed,
                   is_host_space<ExecSpace> ? progress : Progress(), keeper);
  Phase::publish_pivots(exec, part, first, last, panels, rows, columns);
  Phase::publish(exec, part, first, last, panels, false, columns, {rows});
}

/// \brief Allocates the memory that close_square() takes for squares of up to `pivots` pivots. To be called before
/// other work is queued, as the allocation would wait for that work. Fences the keeper.
template <class Phase, class ExecSpace>
void keep_memory_of_square(const ExecSpace& keeper, int pivots) {
  static_cast<void>(typename Phase::PanelStorage(keeper, {.order = pivots, .height = pivots, .width = pivots}, keeper));
  keeper.fence("blockfw::memory_of_square");
}

/// \brief Makes the right panels of a group, out of the rows of its pivots and the left panels of its square. Updates
/// these rows.
/// \param rows     the rows of the group's pivots
/// \param columns  the columns; if the part has the columns of the group's pivots, these are left out, as they are
///                 closed
/// \param part     the share or chunk
template <class Phase, class ExecSpace, class Panels>
void make_right_panels(const ExecSpace& exec, const Group& group, const Panels& panels, const IndexRange& rows,
                       const Selection& columns, const typename Phase::Part& part) {
  const int first = group.first, last = group.last();
  Phase::publish(exec, part, first, last, panels, true, rows, columns);  // the operand
  Phase::update_through(exec, part, first, last, panels, {rows}, columns);
  Phase::publish(exec, part, first, last, panels, true, rows, {columns.all});
}

}  // namespace blockfw::detail
