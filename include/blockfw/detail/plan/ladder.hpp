// SPDX-License-Identifier: MIT
/// \file
/// \brief The ladder of narrower types: from a bound of all distances to the fewest bits that hold them.
#pragma once

#include "blockfw/ground/semiring.hpp"

#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

namespace blockfw::detail {

/// \brief The narrower types in which distances over S may be solved if they hold all distances, the narrowest first.
/// Only shortest distances in integers have them: 8 bits where a place works on 8 bits, 16 bits, and for int64 also 32
/// bits.
/// \tparam bytes  whether 8 bits count. (Only hosts work on several 8-bit numbers at once.)
template <Semiring S, bool bytes>
struct Ladder {
  using T = typename S::value_type;

  /// Whether S has any narrower type.
  static constexpr bool any = std::is_same_v<S, MinPlus<T>> && std::is_integral_v<T> && (sizeof(T) > 2);

  /// \brief Calls f(Small()) for each type, the narrowest first, until f returns true.
  /// \return whether f has returned true
  template <class F>
  static bool find([[maybe_unused]] const F& f) {
    bool found = false;
    if constexpr (any && bytes) found = f(std::int8_t());
    if constexpr (any) found = found || f(std::int16_t());
    if constexpr (any && sizeof(T) > 4) found = found || f(std::int32_t());
    return found;
  }

  /// The infinities of the types, ascending: a type holds all distances below its infinity.
  static std::vector<T> limits() {
    std::vector<T> all;
    find([&]<class Small>(Small) {
      all.push_back(infinity<Small>);
      return false;
    });
    return all;
  }

  /// \brief Calls f(Small()) for the types that hold a longest distance, the narrowest first, until f returns true.
  /// \param longest  a bound of all distances; without one no type is known to hold them
  /// \return whether f has returned true
  template <class F>
  static bool take(const std::optional<T>& longest, const F& f) {
    return longest && find([&]<class Small>(Small small) { return *longest < infinity<Small> && f(small); });
  }

  /// Whether a type has this many bits.
  static bool has(std::int64_t bits) {
    return find([&]<class Small>(Small) { return bits == 8 * std::int64_t(sizeof(Small)); });
  }
};

}  // namespace blockfw::detail
