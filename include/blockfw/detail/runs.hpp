/// \file
/// \brief What lies on both sides of the pivot, cut into runs that a team takes at once.
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace blockfw::detail {

/// The rows (or columns) 0 to extent, in runs of at most `longest` neighbours, with the pivot's as a run of its own.
class Runs {
 public:
  struct Run {
    int first, count;
    int slot;  ///< its number among all runs, the pivot's included
  };

  /// \param pivot  the first of the pivot's rows; anything outside [0, extent) is no pivot
  /// \param width  how many they are
  Runs(int extent, int pivot, int width, int longest)
      : end_(extent),
        gap_(pivot < 0 || pivot > extent ? extent : pivot),
        gap_end_(Kokkos::min(gap_ + width, extent)),
        longest_(longest),
        before_((gap_ + longest - 1) / longest),
        after_((extent - gap_end_ + longest - 1) / longest) {}

  /// How many runs there are without the pivot's; they are numbered from 0.
  KOKKOS_FORCEINLINE_FUNCTION int size() const { return before_ + after_; }

  /// How many runs lie before the pivot; the run of that number, if there is one, starts right behind the pivot.
  KOKKOS_FORCEINLINE_FUNCTION int before() const { return before_; }

  KOKKOS_FORCEINLINE_FUNCTION Run operator[](int r) const {
    const bool left = r < before_;
    const int first = left ? r * longest_ : gap_end_ + (r - before_) * longest_;
    const int left_over = left ? gap_ - first : end_ - first;
    return {first, left_over < longest_ ? +left_over : +longest_, left ? r : r + 1};
  }

  KOKKOS_FORCEINLINE_FUNCTION Run pivot() const { return {gap_, gap_end_ - gap_, before_}; }

  /// How many runs there are, the pivot's included if it lies inside.
  KOKKOS_FORCEINLINE_FUNCTION int slots() const { return size() + (gap_ < gap_end_ ? 1 : 0); }

  KOKKOS_FORCEINLINE_FUNCTION Run at_slot(int slot) const {
    return slot == before_ ? pivot() : (*this)[slot < before_ ? slot : slot - 1];
  }

 private:
  int end_, gap_, gap_end_, longest_, before_, after_;
};

}  // namespace blockfw::detail
