// SPDX-License-Identifier: MIT
/// \file
/// \brief Whether a matrix is symmetric, like the matrix of an undirected graph.
#pragma once

#include "blockfw/detail/matrices/mirror.hpp"
#include "blockfw/ground/matrix.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace blockfw {

/// \brief Whether d(i, j) == d(j, i) everywhere.
///
/// O(n²) at memory speed. If the first few rows and columns already differ, only these are read. Fences exec.
///
/// \param exec  the instance to run on
/// \param d     square rank-2 view that exec can reach
/// \throws InvalidInput when d is not square
template <class ExecSpace, MatrixView View>
bool is_symmetric(const ExecSpace& exec, const View& d) {
  require_square(d);
  return detail::equals_its_transpose(exec, d);
}

}  // namespace blockfw
