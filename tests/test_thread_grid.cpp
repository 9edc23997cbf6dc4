// How a team's threads are laid over a tile: for warps of 32 and wavefronts of 64, none of which is needed here.
#include "blockfw/detail/kernel/thread_grid.hpp"

#include <doctest/doctest.h>

#include <set>
#include <utility>

namespace {

template <int Rows, int Cols, int Lanes>
void check_grid() {
  using Grid = blockfw::detail::ThreadGrid<Rows, Cols, Lanes>;
  CAPTURE(Rows);
  CAPTURE(Cols);
  CAPTURE(Lanes);
  std::set<std::pair<int, int>> places;
  for (int rank = 0; rank < Rows * Cols; ++rank) {
    const int row = Grid::row(rank), col = Grid::col(rank);
    CHECK((0 <= row && row < Rows && 0 <= col && col < Cols));
    places.insert({row, col});
  }
  CHECK(places.size() == Rows * Cols);  // each place is one thread's

  if constexpr (Rows % (Lanes / 8) == 0 && Cols % 8 == 0)
    for (int first = 0; first < Rows * Cols; first += Lanes) {  // those in step share rows and columns as best they can
      std::set<int> rows, cols;
      for (int rank = first; rank < first + Lanes; ++rank) {
        rows.insert(Grid::row(rank));
        cols.insert(Grid::col(rank));
      }
      CHECK(rows.size() == Lanes / 8);
      CHECK(*rows.rbegin() - *rows.begin() == Lanes / 8 - 1);
      CHECK(cols.size() == 8);
      CHECK(*cols.rbegin() - *cols.begin() == 7);
    }
}

template <int Lanes>
void check_grids() {
  check_grid<8, 8, Lanes>();
  check_grid<8, 16, Lanes>();
  check_grid<16, 16, Lanes>();
  check_grid<4, 24, Lanes>();
  check_grid<16, 8, Lanes>();
  check_grid<3, 5, Lanes>();
  check_grid<1, 1, Lanes>();
}

}  // namespace

TEST_CASE("every thread has a place of its own, and those that work in step form rectangles") {
  check_grids<32>();
  check_grids<64>();
}
