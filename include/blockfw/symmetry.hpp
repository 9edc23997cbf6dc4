// SPDX-License-Identifier: MIT
/// \file
/// \brief Whether a matrix is symmetric, like the matrix of an undirected graph.
#pragma once

#include "blockfw/detail/kernel/mirror.hpp"
#include "blockfw/matrix.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace blockfw {

/// \brief Whether d(i, j) == d(j, i) everywhere.
///
/// O(n²) at memory speed; if the first few rows and columns differ already, only these are read. Fences exec.
///
/// \param exec  the instance to run on
/// \param d     square rank-2 view that exec can reach
/// \throws InvalidInput when d is not square
template <class ExecSpace, MatrixView View>
bool is_symmetric(const ExecSpace& exec, const View& d) {
  require_square(d);
  using Flag = Kokkos::View<int, typename ExecSpace::memory_space>;
  const Flag differs(Kokkos::view_alloc(exec, "blockfw::is_symmetric"));
  const std::int64_t tiles = detail::mirror_tiles(static_cast<std::int64_t>(d.extent(0)));
  const auto differ = [&](std::int64_t first, std::int64_t last) {
    detail::for_each_transposed<true>(exec, d, first, last, detail::Compare<View, Flag>{d, differs});
    int any = 0;
    Kokkos::deep_copy(exec, any, differs);
    exec.fence("blockfw::is_symmetric");
    return any != 0;
  };
  return !differ(0, tiles) && !differ(tiles, Kokkos::max(tiles, tiles * tiles));
}

}  // namespace blockfw
