// SPDX-License-Identifier: MIT
// The places of a team's threads in a tile, for warps of 32 threads and wavefronts of 64. This test needs no device.
#include "blockfw/detail/kernel/register_tile.hpp"

#include <doctest/doctest.h>

#include <set>
#include <utility>

namespace {

template <int Rows, int Cols, int WarpSize>
void check_grid() {
  using Grid = blockfw::detail::ThreadGrid<Rows, Cols, WarpSize>;
  CAPTURE(Rows);
  CAPTURE(Cols);
  CAPTURE(WarpSize);
  std::set<std::pair<int, int>> places;
  for (int rank = 0; rank < Rows * Cols; ++rank) {
    const int row = Grid::row(rank), col = Grid::col(rank);
    CHECK((0 <= row && row < Rows && 0 <= col && col < Cols));
    places.insert({row, col});
  }
  CHECK(places.size() == Rows * Cols);  // each place is one thread's

  if constexpr (Rows % (WarpSize / 8) == 0 && Cols % 8 == 0)
    for (int first = 0; first < Rows * Cols;
         first += WarpSize) {  // threads of a warp share rows and columns as best they can
      std::set<int> rows, cols;
      for (int rank = first; rank < first + WarpSize; ++rank) {
        rows.insert(Grid::row(rank));
        cols.insert(Grid::col(rank));
      }
      CHECK(rows.size() == WarpSize / 8);
      CHECK(*rows.rbegin() - *rows.begin() == WarpSize / 8 - 1);
      CHECK(cols.size() == 8);
      CHECK(*cols.rbegin() - *cols.begin() == 7);
    }
}

template <int WarpSize>
void check_grids() {
  check_grid<8, 8, WarpSize>();
  check_grid<8, 16, WarpSize>();
  check_grid<16, 16, WarpSize>();
  check_grid<4, 24, WarpSize>();
  check_grid<16, 8, WarpSize>();
  check_grid<3, 5, WarpSize>();
  check_grid<1, 1, WarpSize>();
}

}  // namespace

TEST_CASE("threads: each at its own place; threads that work in step form rectangles") {
  check_grids<32>();
  check_grids<64>();
}
