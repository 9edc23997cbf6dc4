// SPDX-License-Identifier: MIT
// Converts a caller's numbers to weights of the result's type. Some numbers mean no edge, and some cannot be converted.
#pragma once

#include <Kokkos_Core.hpp>
#include <blockfw/ground/semiring.hpp>
#include <blockfw/ground/weights.hpp>

#include <charconv>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

namespace bindings {

/// Which numbers stand for "no edge". docs/weights.md has the table.
struct NoEdge {
  bool above = true;      ///< infinity, or
  bool below = false;     ///< -infinity
  bool as_scipy = false;  ///< infinity, and for floats -infinity and NaN, as SciPy reads a dense matrix

  /// The numbers that stand for it in a semiring: its "no path".
  template <class S>
  static constexpr NoEdge of(bool as_scipy = false) {
    constexpr auto far = blockfw::infinity<typename S::value_type>;
    return {S::zero() == far, S::zero() == -far, as_scipy};
  }
};

/// Whether a number stands for "no edge". In a result of integers, two kinds of numbers do: integers as far as the
/// infinity of their own type, and the infinity of the result's type.
template <class T, class W>
constexpr bool is_no_edge(W weight, NoEdge no_edge) {
  const bool above = no_edge.above | no_edge.as_scipy;
  bool none = false;
  if constexpr (std::is_floating_point_v<W>)
    none = no_edge.as_scipy
               ? !(weight - weight == W(0))
               : (above & (weight == blockfw::infinity<W>)) | (no_edge.below & (weight == -blockfw::infinity<W>));
  else if constexpr (std::is_integral_v<T>)
    none = (above & (weight >= blockfw::infinity<W>)) | (no_edge.below & (weight <= -blockfw::infinity<W>));
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, W>) {
    using Both = std::common_type_t<T, W>;
    constexpr auto far = static_cast<Both>(blockfw::infinity<T>);
    none |= (above & (static_cast<Both>(weight) == far)) | (no_edge.below & (static_cast<Both>(weight) == -far));
  }
  return none;
}

/// Whether a number may be a weight of type T: not NaN, and infinite only where an edge may be infinitely wide.
template <class T, class W>
constexpr bool is_weight([[maybe_unused]] W weight, [[maybe_unused]] bool infinite) {
  if constexpr (std::is_floating_point_v<W>)
    return (weight - weight == W(0)) | (infinite & std::is_floating_point_v<T> & (weight == weight));
  return true;
}

/// \brief Whether a weight that is an edge is a number of type T. An integer must be one exactly; a wider float may be
/// rounded, but not to infinity or 0.
template <class T, class W>
constexpr bool fits(W weight) {
  if constexpr (std::is_floating_point_v<T> == std::is_floating_point_v<W> && sizeof(W) <= sizeof(T)) {
    return true;
  } else if constexpr (std::is_floating_point_v<T> && std::is_floating_point_v<W>) {
    if (!(weight - weight == W(0))) return true;  // (infinity, and NaN, which another check finds)
    return weight <= std::numeric_limits<T>::max() && weight >= std::numeric_limits<T>::lowest() &&
           (static_cast<T>(weight) != T(0) || weight == W(0));
  } else if constexpr (std::is_floating_point_v<T>) {
    if constexpr (std::numeric_limits<W>::digits <= std::numeric_limits<T>::digits) return true;
    constexpr auto end = static_cast<T>(std::uint64_t(1) << std::numeric_limits<W>::digits);
    const T rounded = static_cast<T>(weight);
    return rounded < end && static_cast<W>(rounded) == weight;
  } else if constexpr (std::is_floating_point_v<W>) {
    constexpr auto limit = static_cast<W>(std::uint64_t(1) << (8 * sizeof(T) - 1));
    return weight >= -limit && weight < limit && static_cast<W>(static_cast<T>(weight)) == weight;
  } else {
    return static_cast<W>(static_cast<T>(weight)) == weight;
  }
}

/// Whether the weight of a listed edge is as far as infinity in a result of integers. (A list has no number for "no
/// edge": it has only the existing edges.)
template <class T, class W>
constexpr bool is_far(W weight) {
  if constexpr (std::is_integral_v<T>) {
    constexpr auto far = static_cast<std::common_type_t<T, W>>(blockfw::infinity<T>);
    return (weight >= far) | (weight <= -far);
  }
  return false;
}

/// \brief Reads an entry of a matrix in place as a solve for shortest paths does, and adds it to the range of the
/// weights. An entry of infinity or more is no edge. A diagonal entry becomes 0, unless it is negative.
/// \return false for NaN, and for a float of -infinity
template <class T>
KOKKOS_INLINE_FUNCTION bool read_in_place(T& weight, bool diagonal, T& smallest, T& largest) {
  const bool number = blockfw::MinPlus<T>::accepts(weight);
  if (weight > blockfw::infinity<T>) weight = blockfw::infinity<T>;
  if (diagonal && !(weight < T(0))) weight = T(0);
  if (weight == blockfw::infinity<T> || (diagonal && weight == T(0))) return number;
  smallest = Kokkos::min(smallest, weight);
  largest = Kokkos::max(largest, weight);
  return number;
}

/// The sentence about a weight that is NaN, or infinite where that is not allowed.
template <class W>
std::string no_weight(W weight, const std::string& place, NoEdge no_edge) {
  return "the weight " + (weight == weight ? std::to_string(weight) : "NaN") + " " + place +
         " is not valid, expected a number" +
         (no_edge.above   ? " or infinity"
          : no_edge.below ? " or -infinity"
                          : "");
}

/// NumPy's name of T.
template <class T>
constexpr const char* numpy_name() {
  if constexpr (std::is_same_v<T, float>) return "float32";
  if constexpr (std::is_same_v<T, double>) return "float64";
  return blockfw::type_name<T>();
}

/// The digits that read back as the same number.
template <class W>
std::string digits_of(W number) {
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, number).ptr};
}

/// "the weight 0.5 at (0, 1)".
/// \param name  the kind of number
template <class W>
std::string weight_at(W weight, const std::string& place, const std::string& name = "weight") {
  return "the " + name + " " + digits_of(weight) + " " + place;
}

/// The sentence about a weight that does not fit.
template <class T, class W>
std::string misfit(W weight, const std::string& place, const std::string& name = "weight") {
  return weight_at(weight, place, name) + " is not a number of type " + numpy_name<T>();
}

/// The sentence about a weight that is as far as infinity.
template <class T, class W>
std::string too_far(W weight, const std::string& place, const std::string& name = "weight") {
  return weight_at(weight, place, name) + " reaches infinity, " + std::to_string(blockfw::infinity<T>) + ", in " +
         numpy_name<T>() + "; use " +
         (sizeof(T) < 4   ? "int32, int64 or "
          : sizeof(T) < 8 ? "int64 or "
                          : "") +
         "float64";
}

}  // namespace bindings
