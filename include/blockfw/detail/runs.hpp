/// \file
/// \brief The tiles on both sides of the pivot, cut into runs that a team takes at once.
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace blockfw::detail {

/// A row (or column) of `count` tiles without the pivot's, in runs of at most `longest` neighbours.
class Runs {
 public:
  struct Run {
    std::int64_t first, tiles;
  };

  /// \param pivot  the tile to leave out; anything outside [0, count) leaves out none
  Runs(std::int64_t count, std::int64_t pivot, std::int64_t longest)
      : end_(count),
        pivot_(pivot < 0 || pivot > count ? count : pivot),
        longest_(longest),
        before_((pivot_ + longest - 1) / longest),
        after_((Kokkos::max<std::int64_t>(count - pivot_ - 1, 0) + longest - 1) / longest) {}

  KOKKOS_FUNCTION std::int64_t size() const { return before_ + after_; }

  KOKKOS_FUNCTION Run operator[](std::int64_t r) const {
    const bool left = r < before_;
    const std::int64_t first = left ? r * longest_ : pivot_ + 1 + (r - before_) * longest_;
    return {first, Kokkos::min(longest_, (left ? pivot_ : end_) - first)};
  }

 private:
  std::int64_t end_, pivot_, longest_, before_, after_;
};

}  // namespace blockfw::detail
