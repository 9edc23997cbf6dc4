// SPDX-License-Identifier: MIT
/// \file
/// \brief A graph read from a file, and a survey of its weights, from which a type for them can be chosen.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/io/file_weights.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace blockfw::io {

/// \brief A graph read from a file, in the form that solve() takes. Vertices count from 0 here.
template <Distance W>
struct Graph {
  /// The type of the weights.
  using Weight = W;

  std::int64_t vertices = 0;                  ///< the number of vertices
  std::vector<Edge<W>> edges;                 ///< in the order of the file
  Direction direction = Direction::directed;  ///< whether each edge leads in one direction or both
  std::int64_t first_vertex = 0;              ///< the number of the first vertex in the file: 0 or 1

  /// Adds an edge. \throws OutOfMemory when the list has to grow, and a larger list does not fit
  void add(std::int32_t from, std::int32_t to, W weight) {
    if (edges.size() == edges.capacity()) reserve(2 * edges.size() + 1);
    edges.push_back({from, to, weight});
  }
  /// Takes memory for `count` edges. \throws OutOfMemory when it does not fit, before it is allocated
  void reserve(std::size_t count) {
    blockfw::detail::require_host_memory(std::to_string(count) + " edges",
                                         static_cast<double>(count) * sizeof(Edge<W>));
    edges.reserve(count);
  }
};

/// \brief Facts about the graph in a file, found by reading it without keeping its edges.
struct Survey {
  /// A weight as it is in the file.
  using Weight = Number;

  std::int64_t vertices = 0,                    ///< the number of vertices
      edges = 0;                                ///< the number of edges
  Direction direction = Direction::directed;    ///< whether each edge leads in one direction or both
  std::int64_t first_vertex = 0;                ///< the number of the first vertex in the file: 0 or 1
  bool whole = true;                            ///< whether all weights are whole numbers that int64 holds
  int bits = 0;                                 ///< the largest number of significant bits of one of these numbers
  WeightRange<std::int64_t> range{.total = 0};  ///< the range of the weights that are whole numbers in int64

  /// Counts an edge and looks at its weight.
  void add(std::int32_t, std::int32_t, Weight weight) {
    ++edges;
    whole = whole && weight.whole;
    if (!weight.whole) return;
    bits = std::max(bits, detail::significant_bits(*weight.whole));
    range.smallest = std::min(range.smallest, *weight.whole);
    range.largest = std::max(range.largest, *weight.whole);
    range.total += std::abs(static_cast<double>(*weight.whole));
  }
  /// Does nothing, since no edge is kept.
  void reserve(std::size_t) {}
};

/// \brief Whether T holds all weights, and all sums of a solve. (Real numbers are not checked, since floats round
/// them.)
/// \tparam Over  the semiring; if left out, shortest paths
template <Distance T, class Over = void>
bool suffices(const Survey& survey) {
  if constexpr (!std::is_integral_v<T>) {
    return survey.bits <= std::numeric_limits<T>::digits;
  } else {
    if (!survey.whole) return false;
    if (survey.range.empty()) return true;
    const auto smallest = detail::held<T>(survey.range.smallest), largest = detail::held<T>(survey.range.largest);
    return smallest && largest &&
           sums_fit<semiring_of<Over, T>>(survey.vertices, {*smallest, *largest, survey.range.total});
  }
}

namespace detail {

/// Makes a Graph or a Survey and lets a reader fill it.
template <class Result, class Reader>
Result made_by(const Reader& read) {
  Result result;
  read(result);
  return result;
}

}  // namespace detail

}  // namespace blockfw::io
