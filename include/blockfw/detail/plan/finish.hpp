/// \file
/// \brief What is left to do when the rounds are done, the same in every place.
#pragma once

#include "blockfw/error.hpp"
#include "blockfw/semiring.hpp"
#include "blockfw/weights.hpp"

#include <cstdint>
#include <optional>
#include <type_traits>

namespace blockfw::detail {

/// \brief What the weights leave to do after the rounds.
template <Distance T>
struct Finish {
  bool cycles;             ///< whether a cycle may diverge, so that the diagonal has to be looked at
  std::optional<T> limit;  ///< entries beyond it stand for "no path" and have to be marked so
};

template <Semiring S, class T = typename S::value_type>
Finish<T> finish_of([[maybe_unused]] std::int64_t n, [[maybe_unused]] WeightRange<T> range) {
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

/// \brief Looks for a cycle that diverges, and marks what has no path.
///
/// \param find  find() returns a vertex on such a cycle, if the matrix, wherever it is, shows one
/// \param mark  mark(limit) does mark_unreachable() to the whole matrix
/// \throws NegativeCycle, or DivergentCycle for another semiring than shortest paths
template <Semiring S, class T, class Find, class Mark>
void finish_rounds(const Finish<T>& finish, const Find& find, const Mark& mark) {
  if (finish.cycles)
    if (const std::optional<std::int64_t> vertex = find()) {
      if constexpr (std::is_same_v<S, MinPlus<T>>)
        throw NegativeCycle(*vertex);
      else
        throw DivergentCycle(*vertex);
    }
  if (finish.limit) mark(*finish.limit);
}

}  // namespace blockfw::detail
