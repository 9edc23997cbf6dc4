// SPDX-License-Identifier: MIT
/// \file
/// \brief A vertex that the search for a path of a sparse factor may go on from.
#pragma once

#include "blockfw/ground/semiring.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace blockfw::detail {

/// \brief A way from the first vertex to another one, and what is known of its best continuation.
///
/// Where ⊗ is a sum of floats, small numbers vanish beside large ones, which may cancel later. Ways are compared then
/// by what their edges lose against the best way on, and what rounding explains comes second.
template <Semiring S>
struct PathStep {
  using T = typename S::value_type;

  T whole,                 ///< the best way by the vertex; of sums of floats the losses that rounding does not explain
      so_far,              ///< the way to it
      rest;                ///< the best way on from it
  std::int32_t at;         ///< the vertex
  std::int32_t before;     ///< the one before, or itself
  std::int64_t found = 0;  ///< as number found
  T relative{},            ///< the largest loss of an edge that rounding explains
      largest{};           ///< number on the way

  /// The way that is only the first vertex.
  static PathStep start(std::int32_t at, T length) { return {adds_floats ? T(0) : length, S::one(), length, at, at}; }
  static bool is_edge(T weight) { return times(weight, S::one()) != S::zero(); }

  /// \brief The way by one more edge.
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
      next.whole = by_it;  // (Where it is better, only rounding made it so.)
    return next;
  }

  /// Whether the other is to go on from first: of equally good ones, that found last.
  bool operator<(const PathStep& other) const {
    if (whole != other.whole) return better(other.whole, whole);
    return relative != other.relative ? other.relative < relative : found < other.found;
  }

 private:
  static constexpr bool adds_floats =
      std::is_floating_point_v<T> && (std::is_same_v<S, MinPlus<T>> || std::is_same_v<S, MaxPlus<T>>);

  static T times(T a, T b) { return S::relax(S::zero(), a, b); }
  static bool better(T a, T b) { return a != b && S::relax(b, a, S::one()) == a; }

  /// Adds what the way by an edge is longer (in longest paths: shorter) than the best one.
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
