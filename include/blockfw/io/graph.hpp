/// \file
/// \brief A graph read from a file, and a survey of its weights by which to choose a type for them.
#pragma once

#include "blockfw/edges.hpp"
#include "blockfw/io/detail/file_weights.hpp"
#include "blockfw/semiring.hpp"
#include "blockfw/weights.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace blockfw::io {

/// \brief A graph read from a file, in the form that solve() takes. Vertices count from 0 here.
template <Distance W>
struct Graph {
  using Weight = W;

  std::int64_t vertices = 0;
  std::vector<Edge<W>> edges;
  Direction direction = Direction::directed;
  std::int64_t first_vertex = 0;  ///< the number of the first vertex in the file: 0 or 1

  void add(std::int32_t from, std::int32_t to, W weight) { edges.push_back({from, to, weight}); }
  void reserve(std::size_t count) { edges.reserve(count); }
};

/// \brief Facts about the graph in a file, found by reading it without keeping its edges.
struct Survey {
  using Weight = detail::Number;

  std::int64_t vertices = 0, edges = 0;
  Direction direction = Direction::directed;
  std::int64_t first_vertex = 0;
  bool whole = true;                ///< whether all weights are whole numbers that int64 holds
  WeightRange<std::int64_t> range;  ///< of the weights that are such numbers

  void add(std::int32_t, std::int32_t, Weight weight) {
    ++edges;
    whole = whole && weight.whole;
    if (!weight.whole) return;
    range.smallest = std::min(range.smallest, *weight.whole);
    range.largest = std::max(range.largest, *weight.whole);
  }
  void reserve(std::size_t) {}
};

/// Whether T holds all weights, and all sums of a solve.
template <Distance T>
bool suffices(const Survey& survey) {
  if constexpr (!std::is_integral_v<T>) {
    return true;
  } else {
    if (!survey.whole) return false;
    if (survey.range.empty()) return true;
    const auto smallest = detail::held<T>(survey.range.smallest), largest = detail::held<T>(survey.range.largest);
    return smallest && largest && sums_fit<T>(survey.vertices, {*smallest, *largest});
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
