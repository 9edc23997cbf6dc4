// SPDX-License-Identifier: MIT
/// \file
/// \brief A vertex from which the search for a path of a sparse factor may go on.
#pragma once

#include "blockfw/ground/semiring.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace blockfw::detail {

/// \brief A path from the first vertex to another vertex, with the data of its best continuation.
///
/// Where ⊗ is a sum of floats, small numbers vanish beside large numbers, which may cancel later. Paths are then
/// compared by their losses: the amounts by which their edges are worse than the best continuation. Losses that
/// rounding explains come second.
template <Semiring S>
struct PathStep {
  using T = typename S::value_type;

  T whole,              ///< the best path by the vertex; for sums of floats the losses that rounding does not explain
      so_far,           ///< the path to it
      rest;             ///< the best path on from it
  std::int32_t at;      ///< the vertex
  std::int32_t before;  ///< the vertex before it, or itself
  std::int64_t found = 0;  ///< the number of this step in the order of finding
  T relative{},            ///< the largest loss of an edge that rounding explains
      largest{};           ///< the largest number on the path

  /// The path that consists of the first vertex only.
  static PathStep start(std::int32_t at, T length) { return {adds_floats ? T(0) : length, S::one(), length, at, at}; }
  static bool is_edge(T weight) { return times(weight, S::one()) != S::zero(); }

  /// \brief The path by one more edge.
  /// \param n  vertices of the graph, and the number of sums that may have rounded
  PathStep by(T weight, std::int32_t to, T on_from_there, std::int64_t number, std::int64_t n) const {
    PathStep next = *this;
    next.so_far = times(so_far, weight);
    next.rest = on_from_there;
    next.at = to;
    next.before = at;
    next.found = number;
    if constexpr (adds_floats)
      next.add_loss(weight, rest, n);
    else if (const T by_it = times(next.so_far, next.rest); better(whole, by_it))
      next.whole = by_it;  // (Where by_it is better, only rounding made it so.)
    return next;
  }

  /// Whether the search is to go on from the other step first: of equally good steps, from the latest.
  bool operator<(const PathStep& other) const {
    if (whole != other.whole) return better(other.whole, whole);
    return relative != other.relative ? other.relative < relative : found < other.found;
  }

 private:
  static constexpr bool adds_floats =
      std::is_floating_point_v<T> && (std::is_same_v<S, MinPlus<T>> || std::is_same_v<S, MaxPlus<T>>);

  static T times(T a, T b) { return S::relax(S::zero(), a, b); }
  static bool better(T a, T b) { return a != b && S::relax(b, a, S::one()) == a; }

  /// Adds the loss of an edge: the difference by which the path by the edge is longer than the best path (in longest
  /// paths: shorter).
  void add_loss(T weight, T best, std::int64_t n) {
    const T by_it = times(weight, rest);
    largest = std::max({largest, std::abs(weight), std::abs(rest)});
    if (by_it == best || better(by_it, best)) return;
    const T loss = by_it - best, size = std::abs(loss);
    if (size > 16 * static_cast<T>(n) * std::numeric_limits<T>::epsilon() * largest)
      whole += loss;
    else
      relative = std::max(relative, size / largest);
  }
};

}  // namespace blockfw::detail
