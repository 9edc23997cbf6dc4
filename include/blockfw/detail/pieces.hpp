/// \file
/// \brief Which piece of the matrix each team of phase 3 takes, in the order in which teams start.
#pragma once

#include "blockfw/detail/runs.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace blockfw::detail {

/// \brief How far phase 3 goes into the next round.
enum class Ahead { nothing, pivot, panels };

/// \brief The pieces of phase 3: every run of rows by every run of columns, the pivot's left out.
///
/// Looking ahead, the piece of the next pivot comes first, so that it is closed while others are at work. If the next
/// panels are made as well, the pieces of the next pivot's row and column, those in this pivot's row and column
/// included, come when it can be expected to be closed. The rest goes in groups of rows, column by column, so that
/// teams at work at the same time read the same few tiles of the panels.
class Pieces {
 public:
  struct Piece {
    Runs::Run i, j;
    bool in_pivot;  ///< in the rows or columns of the pivot: finished but for the next round
    bool in_next_rows, in_next_cols;
  };

  /// \param at_once  how many teams run at once
  Pieces(const Runs& down, const Runs& across, Ahead ahead, int at_once) : down_(down), across_(across), ahead_(ahead) {
    const bool panels = ahead == Ahead::panels;
    rest_rows_ = down.size() - panels;
    rest_cols_ = across.size() - panels;
    const int rest = rest_rows_ * rest_cols_;
    if (ahead == Ahead::nothing) {
      size_ = rest;
      return;
    }
    if (!panels) {
      size_ = rest;
      return;
    }
    cross_ = down.slots() + across.slots() - 2;
    lead_ = Kokkos::min(2 * at_once, Kokkos::max(0, rest - at_once));
    size_ = 1 + cross_ + rest;
  }

  KOKKOS_FORCEINLINE_FUNCTION int size() const { return size_; }

  KOKKOS_FORCEINLINE_FUNCTION Piece operator[](int rank) const {
    const int next_row = down_.before() + 1, next_col = across_.before() + 1;  // slots
    if (ahead_ == Ahead::nothing) return at_rest(rank);
    if (ahead_ == Ahead::pivot) {
      const int first = down_.before() * rest_cols_ + across_.before(), p = (first + rank) % size_;
      const Runs::Run i = down_[p / rest_cols_], j = across_[p % rest_cols_];
      return {i, j, false, i.slot == next_row, j.slot == next_col};
    }
    if (rank == 0) return at(next_row, next_col);
    int r = rank - 1;
    if (r < lead_) return at_rest(r);
    if (r -= lead_; r < cross_) {
      const int in_row = across_.slots() - 1;
      return r < in_row ? at(next_row, r < next_col ? r : r + 1)
                        : at(r - in_row < next_row ? r - in_row : r - in_row + 1, next_col);
    }
    return at_rest(r - cross_ + lead_);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION Piece at(int row, int col) const {
    return {down_.at_slot(row), across_.at_slot(col), row == down_.before() || col == across_.before(),
            row == down_.before() + 1, col == across_.before() + 1};
  }

  /// Number r of those that the next round does not need early.
  KOKKOS_FORCEINLINE_FUNCTION Piece at_rest(int r) const {
    constexpr int group = 16;
    const int skipped = ahead_ == Ahead::panels ? 2 : 1;
    const int first = r / (group * rest_cols_) * group, within = r % (group * rest_cols_);
    const int left = rest_rows_ - first, rows = left < group ? +left : +group;
    const int row = first + within % rows, col = within / rows;
    return {down_.at_slot(row < down_.before() ? row : row + skipped),
            across_.at_slot(col < across_.before() ? col : col + skipped), false, false, false};
  }

  Runs down_, across_;
  Ahead ahead_;
  int rest_rows_, rest_cols_, cross_ = 0, lead_ = 0, size_;
};

}  // namespace blockfw::detail
