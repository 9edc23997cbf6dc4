/// \file
/// \brief What lies on both sides of the pivot, cut into runs that a team takes at once.
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace blockfw::detail {

/// The rows (or columns) 0 to extent without the pivot's, in runs of at most `longest` neighbours.
class Runs {
 public:
  struct Run {
    std::int64_t first, count;
  };

  /// \param pivot  the first of the rows to leave out; anything outside [0, extent) leaves out none
  /// \param width  how many rows are left out from there
  Runs(std::int64_t extent, std::int64_t pivot, std::int64_t width, std::int64_t longest)
      : end_(extent),
        gap_(pivot < 0 || pivot > extent ? extent : pivot),
        gap_end_(Kokkos::min(gap_ + width, extent)),
        longest_(longest),
        before_((gap_ + longest - 1) / longest),
        after_((extent - gap_end_ + longest - 1) / longest) {}

  KOKKOS_FUNCTION std::int64_t size() const { return before_ + after_; }

  /// How many runs lie before the pivot; the run of that number, if there is one, starts right behind the pivot.
  KOKKOS_FUNCTION std::int64_t before() const { return before_; }

  KOKKOS_FUNCTION Run operator[](std::int64_t r) const {
    const bool left = r < before_;
    const std::int64_t first = left ? r * longest_ : gap_end_ + (r - before_) * longest_;
    return {first, Kokkos::min(longest_, (left ? gap_ : end_) - first)};
  }

 private:
  std::int64_t end_, gap_, gap_end_, longest_, before_, after_;
};

}  // namespace blockfw::detail
