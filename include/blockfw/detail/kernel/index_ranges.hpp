/// \file
/// \brief What lies on both sides of a pivot, or of two, cut into runs that a team takes at once.
#pragma once

#include <Kokkos_Core.hpp>

namespace blockfw::detail {

/// Rows (or columns) without some of them: neighbours without what two gaps, in any order, leave out of them.
struct Selection {
  struct Run {
    int first, count;
  };
  Run all, gap = {-1, 0}, gap2 = {-1, 0};
};

/// The same in runs of at most `longest` neighbours.
class Runs {
 public:
  using Run = Selection::Run;

  /// The rows 0 to extent without the pivot's.
  /// \param pivot  the first of the rows to leave out
  /// \param width  how many rows are left out from there
  Runs(int extent, int pivot, int width, int longest) : Runs({{0, extent}, {pivot, width}}, longest) {}

  Runs(const Selection& rows, int longest) : longest_(longest) {
    const int begin = rows.all.first, end = begin + rows.all.count;
    const auto inside = [&](Run r) {
      const int first = Kokkos::max(r.first, begin), last = Kokkos::min(r.first + r.count, end);
      return first < last ? Run{first, last - first} : Run{end, 0};
    };
    const Run gap = inside(rows.gap), gap2 = inside(rows.gap2);
    const Run low = gap2.first < gap.first ? gap2 : gap, high = gap2.first < gap.first ? gap : gap2;
    pivot_ = gap;
    const int starts[] = {begin, low.first + low.count, high.first + high.count};
    const int ends[] = {low.first, high.first, end};
    for (int s = 0, runs = 0; s < stretches; ++s) {
      first_[s] = starts[s];
      end_[s] = Kokkos::max(ends[s], starts[s]);
      runs += (end_[s] - first_[s] + longest - 1) / longest;
      runs_[s] = runs;
    }
    before_ = gap.first == low.first ? runs_[0] : runs_[1];
  }

  KOKKOS_FORCEINLINE_FUNCTION int size() const { return runs_[stretches - 1]; }

  /// How many runs lie before the first gap; the run of that number, if there is one, starts right behind it.
  KOKKOS_FORCEINLINE_FUNCTION int before() const { return before_; }

  KOKKOS_FORCEINLINE_FUNCTION Run operator[](int r) const {
    // (Values, not places: those of a kernel's arguments would all go through memory.)
    const int from = r < runs_[0] ? +first_[0] : r < runs_[1] ? +first_[1] : +first_[2];
    const int to = r < runs_[0] ? +end_[0] : r < runs_[1] ? +end_[1] : +end_[2];
    const int skipped = r < runs_[0] ? 0 : r < runs_[1] ? +runs_[0] : +runs_[1];
    const int first = from + (r - skipped) * longest_, present = to - first;
    return {first, present < longest_ ? +present : +longest_};
  }

  /// The first gap.
  KOKKOS_FORCEINLINE_FUNCTION Run pivot() const { return pivot_; }

 private:
  static constexpr int stretches = 3;
  int first_[stretches], end_[stretches];
  int runs_[stretches];  ///< in so many stretches, and those before
  int longest_, before_;
  Run pivot_;
};

}  // namespace blockfw::detail
