// SPDX-License-Identifier: MIT
/// \file
/// \brief Measures of a graph from its distances: reachability, eccentricities, diameter, centre, closeness, histogram.
///
/// \code
///   const auto reach = blockfw::reach(exec, d);  // on the host, an entry for each vertex
///   const auto extent = blockfw::extent_of(reach);
///   const double closeness = blockfw::closeness(reach[0], d.extent_int(0));
///   std::printf("%-10s radius %d, diameter %d\n", when, extent.radius, extent.diameter);
/// \endcode
///
/// A histogram takes rows that are never stored together:
///
/// \code
///   blockfw::DistanceHistogram<int> minutes(60, 3);  // bins of an hour; the last one has all longer distances
///   network.for_whole_rows([&](std::int64_t first, const auto& rows) {
///     minutes.add(exec, first, rows);
///   });
/// \endcode
#pragma once

#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/matrices/histogram_of_matrix.hpp"
#include "blockfw/detail/matrices/reach_of_matrix.hpp"
#include "blockfw/ground/answers.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <type_traits>
#include <vector>

namespace blockfw {

/// \brief Computes for each vertex of a solved graph a summary of the vertices that it reaches, or that reach it.
///
/// \param exec     the instance to run on
/// \param d        square rank-2 view as solve() gives it: infinity<T> without a path
/// \param towards  which distances count: rows of d (others), or columns (itself)
/// \return on the host, an entry for each vertex. exec is fenced.
/// \throws InvalidInput when d is not square
///
/// O(n²), one read of the matrix. Memory: n entries. A device has n more entries, and up to 2^18 further ones, kept for
/// the next call. A sum of floats rounds; the order of its additions is always the same.
template <class ExecSpace, MatrixView View>
std::vector<Reach<typename View::non_const_value_type>> reach(const ExecSpace& exec, const View& d,
                                                              Towards towards = Towards::others) {
  require_reachable<ExecSpace, View>();
  require_square(d);
  return detail::reach_of_matrix(exec, d, towards == Towards::others);
}

/// The longest distance from the vertex to any of the n vertices. It is infinity<T> when the vertex does not reach all
/// of them.
template <Element T>
T eccentricity(const Reach<T>& reach, std::int64_t n) {
  return reach.vertices < n ? infinity<T> : reach.farthest;
}

/// \brief Closeness centrality: (r - 1) / (sum of distances) · (r - 1) / (n - 1), where r vertices are reached.
///
/// The definition is that of Wasserman and Faust (*Social Network Analysis*, 1994). NetworkX uses it, too, with the
/// distances to a vertex, Towards::itself. The result is 0 for a vertex that reaches no other vertex.
template <Element T>
double closeness(const Reach<T>& reach, std::int64_t n) {
  const auto others = static_cast<double>(reach.vertices - 1), sum = static_cast<double>(reach.sum);
  return others > 0 && sum > 0 ? others / sum * (others / static_cast<double>(n - 1)) : 0;
}

/// \brief Radius, diameter and centre of a graph.
///
/// For integers printf() prints infinity<T> as a number. `centre.empty()` says that there is no radius, and `connected`
/// says whether there is a diameter.
template <Element T>
struct Extent {
  bool connected = true;             ///< whether every vertex reaches all others
  T radius = T(0);                   ///< the smallest eccentricity; infinity<T> when no vertex reaches all
  T diameter = T(0);                 ///< the largest eccentricity; infinity<T> when not connected
  T longest = T(0);                  ///< the longest finite distance, between `from` and `to`
  std::int64_t from = no_vertex,     ///< where the longest finite distance begins; no_vertex in an empty graph
      to = no_vertex;                ///< where that distance ends
  std::vector<std::int64_t> centre;  ///< the vertices whose eccentricity is the radius; empty if the radius is infinite
};

/// Computes the extent from the Reach of every vertex. O(n).
template <Element T>
Extent<T> extent_of(const std::vector<Reach<T>>& reach) {
  const auto n = static_cast<std::int64_t>(reach.size());
  Extent<T> extent;
  if (n == 0) return extent;
  extent.radius = infinity<T>;
  extent.longest = -infinity<T>;
  for (std::int64_t v = 0; v < n; ++v) {
    const Reach<T>& r = reach[detail::at(v)];
    const T e = eccentricity(r, n);
    extent.diameter = v == 0 ? e : std::max(extent.diameter, e);
    extent.connected = extent.connected && r.vertices == n;
    if (r.farthest > extent.longest) {
      extent.longest = r.farthest;
      extent.from = v;
      extent.to = r.farthest_vertex;
    }
    if (e == infinity<T> || e > extent.radius) continue;
    if (e < extent.radius) extent.centre.clear();
    extent.radius = e;
    extent.centre.push_back(v);
  }
  return extent;
}

/// \brief Numbers of pairs of vertices by their distance, in bins of equal width.
///
/// Bin b has the distances from b · width up to, and without, (b + 1) · width. The last bin has all longer distances,
/// too. The pairs (i, j) and (j, i) count as two. Negative distances, and pairs without a path, have counters of their
/// own. For floats the product b · width is rounded as a T; there is no further rounding.
///
/// Its numbers are on the host. Rows may come from several devices, one after the other. The operator += adds up
/// histograms of several threads, and all_reduce() of distributed.hpp adds up histograms of ranks.
/// \tparam T  the type of a distance
template <Distance T>
class DistanceHistogram {
 public:
  /// The largest number of bins.
  static constexpr std::int64_t most_bins = std::int64_t{1} << 20;

  /// \brief A histogram of no pairs.
  /// \param width  of a bin
  /// \param bins   their number
  /// \throws InvalidInput for a width that is not positive and finite (for floats, also if its reciprocal is not), for
  ///         no bins, or for more than most_bins
  DistanceHistogram(T width, std::int64_t bins)
      : width_(require_width(width)),
        counter_of_(width, require_bins(bins)),
        counts_(detail::at(counter_of_.counters())) {}

  /// \brief A histogram of pairs that were counted before, as by another process.
  /// \param width        of a bin
  /// \param counts       the pairs of each bin
  /// \param negative     the pairs at a negative distance
  /// \param unreachable  the pairs without a path
  /// \throws InvalidInput as the constructor above; for a number below 0
  DistanceHistogram(T width, const std::vector<std::int64_t>& counts, std::int64_t negative, std::int64_t unreachable)
      : DistanceHistogram(width, static_cast<std::int64_t>(counts.size())) {
    std::copy(counts.begin(), counts.end(), counts_.begin() + 1);
    counts_.front() = negative;
    counts_.back() = unreachable;
    for (const std::int64_t count : counts_)
      if (count < 0) throw InvalidInput("a number of pairs is ", count, ", expected 0 or more");
  }

  /// \brief Adds the distances of some vertices to all n vertices, except for a vertex's distance to itself.
  /// \param exec   the instance to run on
  /// \param first  row r has the distances from vertex first + r
  /// \param rows   a matrix of n columns where exec works; infinity<T> without a path
  /// \throws InvalidInput for rows of vertices that are no columns; OutOfMemory
  ///
  /// It reads the rows once, and fences exec. Memory: on a host 16 bytes for each bin and thread, or 4 where there are
  /// more than 4094 bins; on a device 8 for each bin.
  template <class ExecSpace, MatrixView View>
  void add(const ExecSpace& exec, std::int64_t first, const View& rows) {
    const auto count = detail::extent_along(rows, 0), n = detail::extent_along(rows, 1);
    if (first < 0 || count > n || first > n - count)
      throw InvalidInput("the rows '", rows.label(), "' are those of ", count, " vertices from vertex ", first,
                         " on, expected vertices from 0 to ", n - 1, ", one for each column");
    add_entries(exec, first, rows);
  }

  /// \brief Adds all entries of a matrix, as of a table of some sources and some targets.
  /// \param exec   the instance to run on
  /// \param table  a matrix where exec works; infinity<T> without a path
  /// \throws OutOfMemory
  template <class ExecSpace, MatrixView View>
  void add(const ExecSpace& exec, const View& table) {
    add_entries(exec, std::nullopt, table);
  }

  /// \brief Adds the pairs of another histogram.
  /// \throws InvalidInput when its bins are others
  DistanceHistogram& operator+=(const DistanceHistogram& other) {
    if (other.width_ != width_ || other.bins() != bins())
      throw InvalidInput("the other histogram has ", other.bins(), " bins of width ", other.width_, ", expected ",
                         bins(), " of width ", width_);
    for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
    return *this;
  }

  /// The number of bins.
  std::int64_t bins() const { return static_cast<std::int64_t>(counts_.size()) - 2; }
  /// The width of a bin.
  T width() const { return width_; }
  /// The pairs of each bin.
  std::vector<std::int64_t> counts() const { return {counts_.begin() + 1, counts_.end() - 1}; }
  /// The pairs at a negative distance.
  std::int64_t negative() const { return counts_.front(); }
  /// The pairs without a path.
  std::int64_t unreachable() const { return counts_.back(); }
  /// All pairs that were added.
  std::int64_t pairs() const { return std::accumulate(counts_.begin(), counts_.end(), std::int64_t{0}); }

 private:
  template <class ExecSpace, class View>
  void add_entries(const ExecSpace& exec, std::optional<std::int64_t> first, const View& rows) {
    static_assert(std::is_same_v<typename View::non_const_value_type, T>,
                  "blockfw: the rows have the type of the histogram's distances");
    require_reachable<ExecSpace, View>();
    const Kokkos::Profiling::ScopedRegion region("blockfw::histogram");
    const detail::CountedEntries<T> entries(rows, first);
    if constexpr (is_host_space<ExecSpace>)
      detail::count_by_threads(exec, entries, counter_of_, counts_);
    else
      detail::count_by_teams(exec, entries, counter_of_, counts_);
  }

  static T require_width(T width) {
    // (Bins are found by the reciprocal of the width.)
    const bool is_finite = std::is_integral_v<T> || (width < infinity<T> && T(1) / width < infinity<T>);
    if (width > T(0) && is_finite) return width;
    throw InvalidInput("the width of a bin is ", width, ", expected a positive number");
  }
  static std::int32_t require_bins(std::int64_t bins) {
    if (bins < 1 || bins > most_bins) throw InvalidInput("the number of bins is ", bins, ", expected 1 to ", most_bins);
    return static_cast<std::int32_t>(bins);
  }

  T width_;
  detail::CounterOfDistance<T> counter_of_;
  std::vector<std::int64_t> counts_;  ///< the counts: of negative distances, of each bin, of pairs without a path
};

}  // namespace blockfw
