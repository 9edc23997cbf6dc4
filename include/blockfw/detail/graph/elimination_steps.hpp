// SPDX-License-Identifier: MIT
/// \file
/// \brief The steps of an elimination, as the search for its order finds them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

namespace blockfw::detail {

/// \brief The steps of an elimination. A step eliminates vertices that are neighbours of each other and of the same
/// later vertices, the boundary.
struct EliminationSteps {
  using Index = std::int32_t;

  /// Where a step's vertices and boundary end. They begin where those of the step before end.
  struct Step {
    Index end;                  ///< in `order`
    Index size;                 ///< the number of vertices of the boundary
    std::int64_t boundary_end;  ///< in `boundaries`
  };
  /// Vertices that are eliminated one after another: a vertex, and count - 1 others behind it.
  struct Run {
    Index first, count;
  };

  std::vector<Index> order;  ///< the vertices in the order of elimination
  std::vector<Step> steps;
  std::vector<Run> boundaries;

  std::size_t size() const { return steps.size(); }
  double bytes() const {
    return static_cast<double>(sizeof(Index)) * static_cast<double>(order.size()) +
           static_cast<double>(sizeof(Step)) * static_cast<double>(steps.size()) +
           static_cast<double>(sizeof(Run)) * static_cast<double>(boundaries.size());
  }
  /// The place in `order` of the first vertex of step s.
  Index first(std::size_t s) const { return s == 0 ? 0 : steps[s - 1].end; }
  /// The most vertices of a step.
  Index widest() const {
    Index most = 0;
    for (std::size_t s = 0; s < size(); ++s) most = std::max(most, steps[s].end - first(s));
    return most;
  }
  std::span<const Run> boundary(std::size_t s) const {
    const std::int64_t start = s == 0 ? 0 : steps[s - 1].boundary_end;
    return {boundaries.data() + start, boundaries.data() + steps[s].boundary_end};
  }

  /// Makes room for the steps of some vertices. (Most boundaries of a road network have one to three vertices.)
  void reserve(std::size_t vertices) {
    order.reserve(vertices);
    steps.reserve(vertices);
    boundaries.reserve(3 * vertices);
  }
  /// Ends a step. Its vertices are the last ones of `order`, and its boundary is at the end of `boundaries`.
  void end_step(Index boundary_size) {
    steps.push_back({static_cast<Index>(order.size()), boundary_size, std::ssize(boundaries)});
  }
  /// Adds the steps of another region.
  void append(const EliminationSteps& other) {
    const auto end = static_cast<Index>(order.size());
    const std::int64_t boundary_end = std::ssize(boundaries);
    order.insert(order.end(), other.order.begin(), other.order.end());
    boundaries.insert(boundaries.end(), other.boundaries.begin(), other.boundaries.end());
    for (const Step& step : other.steps) steps.push_back({end + step.end, step.size, boundary_end + step.boundary_end});
  }
};

}  // namespace blockfw::detail
