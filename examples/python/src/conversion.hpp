// SPDX-License-Identifier: MIT
// From a caller's numbers to weights of the result's type: what is no edge, and what cannot be converted.
#pragma once

#include <blockfw/semiring.hpp>
#include <blockfw/weights.hpp>

#include <cstdint>
#include <limits>
#include <sstream>
#include <string>
#include <type_traits>

namespace bindings {

/// \brief Whether a number stands for "no edge": NaN and infinity of floats; of integers, for a result of integers,
/// what is as far as their infinity.
template <class T, class W>
constexpr bool is_no_edge(W weight) {
  if constexpr (std::is_floating_point_v<W>)
    return !(weight - weight == W(0));
  else if constexpr (std::is_integral_v<T>)
    return weight >= blockfw::infinity<W> || weight <= -blockfw::infinity<W>;
  else
    return false;
}

/// Whether a weight that is an edge is a number of type T, but for the rounding of floats.
template <class T, class W>
constexpr bool fits(W weight) {
  if constexpr (std::is_same_v<T, W>) {
    return true;
  } else if constexpr (std::is_floating_point_v<T>) {
    if constexpr (std::is_floating_point_v<W> && sizeof(T) < sizeof(W))
      return weight <= std::numeric_limits<T>::max() && weight >= std::numeric_limits<T>::lowest();
    return true;
  } else if constexpr (std::is_floating_point_v<W>) {
    constexpr auto limit = static_cast<W>(std::uint64_t(1) << (8 * sizeof(T) - 1));
    return weight >= -limit && weight < limit && static_cast<W>(static_cast<T>(weight)) == weight;
  } else {
    return static_cast<W>(static_cast<T>(weight)) == weight;
  }
}

/// The sentence about a weight that does not fit.
template <class T, class W>
std::string misfit(W weight, const std::string& place) {
  std::ostringstream text;
  text.precision(std::numeric_limits<double>::max_digits10);
  text << "the weight " << weight << " " << place << " is no number of type " << blockfw::type_name<T>();
  return text.str();
}

}  // namespace bindings
