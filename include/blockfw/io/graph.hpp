/// \file
/// \brief A graph as files give it, and what is known of its weights before a type is chosen for them.
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

/// \brief What solve() takes, out of a file. Vertices count from 0 here, whatever the file calls them.
template <Distance W>
struct Graph {
  using Weight = W;

  std::int64_t vertices = 0;
  std::vector<Edge<W>> edges;
  Direction direction = Direction::directed;
  std::int64_t first_vertex = 0;  ///< what the file calls the first one: 0 or 1

  void add(std::int32_t from, std::int32_t to, W weight) { edges.push_back({from, to, weight}); }
  void reserve(std::size_t count) { edges.reserve(count); }
};

/// \brief What is known of a graph once its file was read for it, without its edges.
struct Survey {
  using Weight = detail::Number;

  std::int64_t vertices = 0, edges = 0;
  Direction direction = Direction::directed;
  std::int64_t first_vertex = 0;
  bool whole = true;                ///< whether all weights are whole numbers that int64 holds
  WeightRange<std::int64_t> range;  ///< of those that are

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

/// What a reader makes of a file: a Graph or a Survey.
template <class Result, class Reader>
Result made_by(const Reader& read) {
  Result result;
  read(result);
  return result;
}

}  // namespace detail

}  // namespace blockfw::io
