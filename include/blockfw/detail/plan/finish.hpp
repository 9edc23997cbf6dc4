// SPDX-License-Identifier: MIT
/// \file
/// \brief The end of a solve, after its rounds. It is the same on one device, several devices, ranks and a file.
#pragma once

#include "blockfw/ground/error.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>

namespace blockfw::detail {

/// \brief The work that is left after the rounds.
template <Semiring S, class T = typename S::value_type>
struct Finish {
  bool cycles;             ///< whether a cycle may diverge, so that the diagonal must be checked
  std::optional<T> limit;  ///< entries beyond it stand for "no path" and must be marked so

  /// Marks the entries without a path among some distances on the host.
  void mark(T* distances, std::size_t count) const {
    if (!limit) return;
    constexpr T none = S::zero();
    for (std::size_t i = 0; i < count; ++i)
      if (none > T(0) ? distances[i] > *limit : distances[i] < *limit) distances[i] = none;
  }
  T marked(T distance) const {
    mark(&distance, 1);
    return distance;
  }
};

/// The work that is left for n vertices and edges of these weights.
template <Semiring S, class T = typename S::value_type>
Finish<S> finish_of([[maybe_unused]] std::int64_t n, [[maybe_unused]] WeightRange<T> range) {
  if constexpr (std::is_same_v<S, MinPlus<T>>) {
    if (!range.any_negative()) return {false, {}};
    if constexpr (std::is_integral_v<T>)
      return {true, longest_path(n, range)};
    else
      return {true, {}};
  } else {
    if constexpr (std::is_integral_v<T> && std::is_same_v<S, MaxPlus<T>>)
      if (!range.empty() && range.largest > 0)
        return {true, static_cast<T>(range.any_negative() ? (n - 1) * range.smallest : 0)};
    return {true, {}};
  }
}

/// Throws the semiring's error for a vertex on a cycle that diverges.
template <Semiring S>
[[noreturn]] void throw_cycle(std::int64_t vertex) {
  if constexpr (std::is_same_v<S, MinPlus<typename S::value_type>>)
    throw NegativeCycle(vertex);
  else
    throw DivergentCycle(vertex);
}
/// The same for an undirected edge that is such a cycle by itself.
template <Semiring S>
[[noreturn]] void throw_cycle(std::int64_t from, std::int64_t to) {
  if constexpr (std::is_same_v<S, MinPlus<typename S::value_type>>)
    throw NegativeCycle(from, to);
  else
    throw DivergentCycle(from, to);
}

/// \brief Looks for a cycle that diverges, and marks the entries without a path.
///
/// \param find  find() returns a vertex on a cycle that diverges, if the diagonal of the matrix shows one
/// \param mark  mark(limit) calls mark_unreachable() for the whole matrix
/// \throws NegativeCycle, or DivergentCycle for another semiring than shortest paths
template <Semiring S, class Find, class Mark>
void finish_rounds(const Finish<S>& finish, const Find& find, const Mark& mark) {
  if (finish.cycles)
    if (const std::optional<std::int64_t> vertex = find()) throw_cycle<S>(*vertex);
  if (finish.limit) mark(*finish.limit);
}

}  // namespace blockfw::detail
