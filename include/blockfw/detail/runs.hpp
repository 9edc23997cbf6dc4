/// \file
/// \brief What lies on both sides of the pivot, cut into runs that a team takes at once.
#pragma once

#include <Kokkos_Core.hpp>

namespace blockfw::detail {

/// The rows (or columns) 0 to extent without the pivot's, in runs of at most `longest` neighbours.
class Runs {
 public:
  struct Run {
    int first, count;
  };

  /// \param pivot  the first of the rows to leave out; anything outside [0, extent) leaves out none
  /// \param width  how many rows are left out from there
  Runs(int extent, int pivot, int width, int longest)
      : end_(extent),
        gap_(pivot < 0 || pivot > extent ? extent : pivot),
        gap_end_(Kokkos::min(gap_ + width, extent)),
        longest_(longest),
        before_((gap_ + longest - 1) / longest),
        after_((extent - gap_end_ + longest - 1) / longest) {}

  KOKKOS_FORCEINLINE_FUNCTION int size() const { return before_ + after_; }

  /// How many runs lie before the pivot; the run of that number, if there is one, starts right behind the pivot.
  KOKKOS_FORCEINLINE_FUNCTION int before() const { return before_; }

  KOKKOS_FORCEINLINE_FUNCTION Run operator[](int r) const {
    const bool left = r < before_;
    const int first = left ? r * longest_ : gap_end_ + (r - before_) * longest_;
    const int present = left ? gap_ - first : end_ - first;
    return {first, present < longest_ ? +present : +longest_};  // (values, not places: those of a kernel's arguments
  }  // would all go through memory)

  KOKKOS_FORCEINLINE_FUNCTION Run pivot() const { return {gap_, gap_end_ - gap_}; }

 private:
  int end_, gap_, gap_end_, longest_, before_, after_;
};

}  // namespace blockfw::detail
