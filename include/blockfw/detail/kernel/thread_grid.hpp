// SPDX-License-Identifier: MIT
/// \file
/// \brief Maps the ranks of a team's threads to a grid over a tile.
#pragma once

#include <Kokkos_Core.hpp>

namespace blockfw::detail {

/// \brief A grid of Rows x Cols threads. The threads of a warp form a rectangle of 8 columns where the grid allows it.
/// So they share the data that they read of a row and of a column.
template <int Rows, int Cols, int WarpSize>
struct ThreadGrid {
  static constexpr int width = 8, height = WarpSize / width;
  static constexpr bool in_rectangles = height > 0 && Rows % (height > 0 ? height : 1) == 0 && Cols % width == 0;

  static KOKKOS_FORCEINLINE_FUNCTION int row(int rank) {
    if constexpr (in_rectangles)
      return rank / WarpSize / (Cols / width) * height + rank % WarpSize / width;
    else
      return rank / Cols;
  }
  static KOKKOS_FORCEINLINE_FUNCTION int col(int rank) {
    if constexpr (in_rectangles)
      return rank / WarpSize % (Cols / width) * width + rank % width;
    else
      return rank % Cols;
  }
};

}  // namespace blockfw::detail
