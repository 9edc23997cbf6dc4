// SPDX-License-Identifier: MIT
/// \file
/// \brief The range of the weights, and whether sums fit the type; weights and distances in messages.
#pragma once

#include "blockfw/ground/error.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <charconv>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>

namespace blockfw {

/// \brief The lightest and the heaviest edge, smallest > largest when there is no edge; and the sum of all.
template <Element T>
struct WeightRange {
  T smallest = std::numeric_limits<T>::max();    ///< the lightest weight
  T largest = std::numeric_limits<T>::lowest();  ///< the heaviest weight
  /// The sum of all magnitudes, repeated edges included; infinite if it is not known. A sum that leaves out an entry of
  /// the matrix makes distances wrong.
  double total = std::numeric_limits<double>::infinity();

  /// Whether there is no edge.
  bool empty() const { return smallest > largest; }
  /// Whether an edge is negative.
  bool any_negative() const { return !empty() && smallest < T(0); }
};

/// The name of an element type in messages and file headers.
template <class T>
constexpr const char* type_name() {
  if constexpr (std::is_same_v<T, std::int16_t>) return "int16";
  if constexpr (std::is_same_v<T, std::int32_t>) return "int32";
  if constexpr (std::is_same_v<T, std::int64_t>) return "int64";
  if constexpr (std::is_same_v<T, float>) return "float";
  return "double";
}

namespace detail {

/// The range of the weights seen in a row, and the number of weights that are refused.
template <Element T>
struct WeightsSeen {
  T smallest = Kokkos::Experimental::finite_max_v<T>;
  T largest = Kokkos::Experimental::finite_min_v<T>;
  int refused = 0;  ///< number of NaNs, and of others that the semiring does not take

  /// Adds a weight, without a branch; `counts` says whether it belongs to the range.
  KOKKOS_FORCEINLINE_FUNCTION void add(T weight, bool counts, bool is_refused = false) {
    smallest = (counts & (weight < smallest)) ? weight : smallest;
    largest = (counts & (weight > largest)) ? weight : largest;
    refused += is_refused;
  }

  KOKKOS_FUNCTION WeightsSeen& operator+=(const WeightsSeen& other) {
    smallest = Kokkos::min(smallest, other.smallest);
    largest = Kokkos::max(largest, other.largest);
    refused += other.refused;
    return *this;
  }
};

/// The message for a weight that the semiring does not take: its holder (`before`), the weight, its place (`after`),
/// and the weights that the semiring takes.
template <Semiring S, class T = typename S::value_type>
std::string refused_weight(const std::string& before, T weight, const std::string& after) {
  const auto text = [](T x) { return x == infinity<T> ? "infinity" : x == -infinity<T> ? "-infinity" : ""; };
  const std::string far = text(weight), none = text(S::zero()),
                    number = "a number" + (none.empty() ? "" : " or " + none);
  if (weight != weight) return before + "NaN" + after + ", expected " + number;
  return before + (far.empty() ? std::to_string(weight) : far) + after + ", expected " +
         (far.empty() ? "one that the semiring's accepts() takes" : number);
}

/// The magnitude of x, also of the smallest integer.
template <class T>
constexpr std::uint64_t magnitude(T x) {
  return x < 0 ? 0 - static_cast<std::uint64_t>(x) : static_cast<std::uint64_t>(x);
}

/// The types of wider numbers than T, for messages.
template <class T>
constexpr const char* wider_types() {
  return sizeof(T) < 4 ? "int32, int64 or double" : sizeof(T) < 8 ? "int64 or double" : "double";
}

/// Whether paths are sums of integers. Such a sum may reach infinity<T>, or leave the type.
template <Semiring S, class T = typename S::value_type>
inline constexpr bool sums_integers =
    std::is_integral_v<T> && (std::is_same_v<S, MinPlus<T>> || std::is_same_v<S, MaxPlus<T>>);

/// \brief Checks a number of the caller's that is joined to paths: a length, a cost.
/// \param what  what() returns the words that name the number
/// \throws InvalidInput for a number that the semiring does not take; OverflowRisk for one that reaches infinity
template <Semiring S, class What, class T = typename S::value_type>
void require_number(T number, const What& what) {
  if (!is_weight<S>(number)) throw InvalidInput(refused_weight<S>(what() + " is ", number, ""));
  if constexpr (std::is_integral_v<T>) {
    const std::uint64_t far = magnitude(infinity<T>) + (sums_integers<S> ? 0u : 1u);
    if (number != S::zero() && magnitude(number) >= far)
      throw OverflowRisk(what(), " ", number, " reaches infinity, ", infinity<T>, ", in ", type_name<T>(), "; use ",
                         wider_types<T>());
  }
}

/// The sum of all magnitudes, if it is known and no partial sum was rounded.
template <std::integral T>
std::optional<std::uint64_t> exact_total(WeightRange<T> range) {
  return range.total < 0x1p53 ? std::optional(static_cast<std::uint64_t>(range.total)) : std::nullopt;
}

/// Throws unless the semiring accepts the weights.
template <Semiring S, class T = typename S::value_type>
void require_accepted([[maybe_unused]] WeightRange<T> range) {
  if constexpr (requires { S::accepts(range.smallest); })
    if (!range.empty() && !(S::accepts(range.smallest) && S::accepts(range.largest)))
      throw InvalidInput("weights from ", range.smallest, " to ", range.largest,
                         ", expected weights that the semiring accepts");
}

}  // namespace detail

/// \brief Whether every sum of the solve fits T and cannot be mistaken for "no path".
///
/// A path has at most n - 1 edges, none twice. Without negative edges its length is at most (n - 1)·largest, and at
/// most the total. One of these two bounds must stay below infinity<T>. With negative edges infinity + a path may be as
/// low as infinity - (n + 1)·|smallest|, and that must still exceed every path. Floats always fit: they have an
/// infinity of their own. For longest paths (MaxPlus) the same holds with all signs changed. Other semirings add
/// nothing, so their weights must only lie between ±infinity<T>.
///
/// \tparam S     the semiring, or a distance type for shortest paths
/// \param n      number of vertices
/// \param range  range of the weights
template <Semiring S, class T = typename S::value_type>
bool sums_fit([[maybe_unused]] std::int64_t n, [[maybe_unused]] WeightRange<T> range) {
  if constexpr (std::is_integral_v<T>) {
    if (range.empty() || n < 2) return true;
    const std::uint64_t limit = detail::magnitude(infinity<T>);
    const std::uint64_t above = range.largest > 0 ? detail::magnitude(range.largest) : 0;
    const std::uint64_t below = range.any_negative() ? detail::magnitude(range.smallest) : 0;
    if (above > limit || below > limit) return false;
    if (!std::is_same_v<S, MinPlus<T>> && !std::is_same_v<S, MaxPlus<T>>) return true;
    const std::uint64_t gains = std::is_same_v<S, MinPlus<T>> ? below : above;
    if (const auto total = detail::exact_total(range); total && gains == 0 && *total < limit) return true;
    const std::uint64_t edges = static_cast<std::uint64_t>(gains > 0 ? n + 1 : n - 1);
    return above + below <= (limit - 1) / edges;
  } else {
    return true;
  }
}

/// \brief The same for shortest paths.
template <Element T>
bool sums_fit(std::int64_t n, WeightRange<T> range) {
  return sums_fit<MinPlus<T>>(n, range);
}

/// \brief Throws unless sums_fit().
/// \throws OverflowRisk that names the weights, the limit and a wider type
template <Semiring S, class T = typename S::value_type>
void require_safe_sums(std::int64_t n, WeightRange<T> range) {
  if constexpr (std::is_integral_v<T>) {
    if (sums_fit<S>(n, range)) return;
    const std::string weights =
                          "weights from " + std::to_string(range.smallest) + " to " + std::to_string(range.largest),
                      limit = std::to_string(infinity<T>) + ", in " + type_name<T>();
    if constexpr (std::is_same_v<S, MinPlus<T>> || std::is_same_v<S, MaxPlus<T>>)
      throw OverflowRisk(weights, ": a path over ", n, " vertices could reach infinity, ", limit, "; use ",
                         detail::wider_types<T>());
    else
      throw OverflowRisk(weights + ", expected none beyond infinity, " + limit);
  }
}

/// \brief The same for shortest paths.
template <Element T>
void require_safe_sums(std::int64_t n, WeightRange<T> range) {
  require_safe_sums<MinPlus<T>>(n, range);
}

/// The length that no shortest path exceeds: n - 1 of the heaviest edges, or the total. To be called only if
/// sums_fit().
template <Element T>
T longest_path(std::int64_t n, WeightRange<T> range) {
  if (range.largest <= 0 || n < 2) return T(0);
  if constexpr (std::is_integral_v<T>)
    if (const auto total = detail::exact_total(range);
        total && *total / static_cast<std::uint64_t>(n - 1) < detail::magnitude(range.largest))
      return static_cast<T>(*total);
  return static_cast<T>((n - 1) * range.largest);
}

}  // namespace blockfw

/// \cond
template <class T>
struct Kokkos::reduction_identity<blockfw::detail::WeightsSeen<T>> {
  static KOKKOS_FUNCTION blockfw::detail::WeightsSeen<T> sum() { return {}; }
};
/// \endcond

namespace blockfw::detail {

/// A distance in digits that read back as the same number, or in words.
template <class T>
std::string digits_of(T number) {
  if (number != number) return "NaN";
  if (number == infinity<T>) return "infinity";
  if (number == -infinity<T>) return "-infinity";
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, number).ptr};
}

}  // namespace blockfw::detail
