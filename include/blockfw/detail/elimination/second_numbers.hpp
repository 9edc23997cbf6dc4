// SPDX-License-Identifier: MIT
/// \file
/// \brief A caller's weights for sums of two weights: checks, a bound of the sums, weights as multiples of a power of
/// two, first weights of 64 bits.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/elimination/cycles_of_arcs.hpp"
#include "blockfw/detail/elimination/front_arcs.hpp"
#include "blockfw/detail/graph/cycles.hpp"
#include "blockfw/detail/graph/supernodes.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace blockfw::detail {

/// The type of a sum of second weights.
template <class Second>
using SumOfSecond =
    std::conditional_t<std::is_floating_point_v<std::ranges::range_value_t<Second>>, double, std::int64_t>;

/// A container of second weights whose sums have type Sum.
template <class Second, class Sum>
concept SecondNumbers =
    std::ranges::contiguous_range<Second> && std::is_arithmetic_v<std::ranges::range_value_t<Second>> &&
    std::is_same_v<Sum, SumOfSecond<Second>>;

/// \brief A caller's second weights.
/// \throws InvalidInput for another number of weights, or one that is not finite
/// \throws OverflowRisk for an integer that int64 does not hold; OutOfMemory
template <class Sum, class Second>
std::vector<Sum> second_weights_of(const Second& given, std::size_t edges) {
  using W = std::ranges::range_value_t<Second>;
  static_assert(sizeof(W) <= sizeof(Sum), "blockfw: second weights must be integers of up to 64 bits, float or double");
  if (std::ranges::size(given) != edges)
    throw InvalidInput("there are " + std::to_string(std::ranges::size(given)) + " second weights, expected " +
                       std::to_string(edges) + ", one for each edge");
  require_host_memory("the second weights of " + std::to_string(edges) + " edges",
                      static_cast<double>(edges) * sizeof(Sum));
  std::vector<Sum> weights;
  weights.reserve(edges);
  for (std::size_t e = 0; e < edges; ++e) {
    const W number = std::ranges::data(given)[e];
    const Sum weight = static_cast<Sum>(number);
    [[maybe_unused]] const auto is = [&](const std::string& text) {
      return "the second weight of edge " + std::to_string(e) + " is " + text;
    };
    if constexpr (std::is_floating_point_v<Sum>) {
      if (!(std::abs(weight) < infinity<Sum>)) throw InvalidInput(is(digits_of(weight)) + ", expected a finite number");
    } else if constexpr (std::is_unsigned_v<W>) {
      if (weight < 0) throw OverflowRisk(is(std::to_string(number)) + ", expected less than 2^60");
    }
    weights.push_back(weight);
  }
  return weights;
}

/// \brief A bound of the magnitudes of the sums of all paths. A path has each edge once, and fewer than n edges.
/// \throws OverflowRisk if a sum could reach 2^60, or infinity in doubles
template <class Sum>
double longest_sum(const std::vector<Sum>& weights, std::int64_t n) {
  constexpr double rounding = 1 + 0x1p-20;  // a bound of the rounding of 2^32 additions
  double total = 0, largest = 0;
  for (const Sum weight : weights) {
    const double size = std::abs(static_cast<double>(weight));
    total += size;
    largest = std::max(largest, size);
  }
  const double longest = rounding * std::min(total, static_cast<double>(n) * largest);
  if (!(longest < (std::is_integral_v<Sum> ? 0x1p60 : infinity<double>)))
    throw OverflowRisk("second weights up to " + digits_of(largest) + ": a sum could reach " +
                       (std::is_integral_v<Sum> ? "2^60" : "infinity") + ", expected smaller second weights");
  return longest;
}

/// Numbers as whole multiples of a power of two.
struct Multiples {
  std::vector<std::int64_t> numbers;  ///< infinity<std::int64_t> of infinite ones
  int digits = 0;                     ///< they count 2^-digits; it is negative for large powers of two
};
inline std::optional<Multiples> multiples_of(const std::vector<std::int64_t>& numbers) { return Multiples{numbers}; }
/// Doubles as whole multiples, unless a multiple would take more than 61 bits.
inline std::optional<Multiples> multiples_of(const std::vector<double>& numbers) {
  constexpr int digits = std::numeric_limits<double>::digits, none = std::numeric_limits<int>::min();
  Multiples whole{{}, none};
  for (const double number : numbers) {
    if (number == 0 || number == infinity<double>) continue;
    int exponent = 0;
    const double fraction = std::frexp(number, &exponent);
    const auto bits = static_cast<std::uint64_t>(std::abs(std::ldexp(fraction, digits)));
    whole.digits = std::max(whole.digits, digits - exponent - std::countr_zero(bits));
  }
  if (whole.digits == none) whole.digits = 0;  // (all finite numbers are 0)
  whole.numbers.reserve(numbers.size());
  for (const double number : numbers) {
    const double times = std::ldexp(number, whole.digits);
    if (number == infinity<double>)
      whole.numbers.push_back(infinity<std::int64_t>);
    else if (std::abs(times) < 0x1p61)
      whole.numbers.push_back(static_cast<std::int64_t>(times));
    else
      return {};
  }
  return whole;
}

/// The edges with weights in whole multiples of a power of two; nothing if a weight is no such multiple.
template <class First>
std::optional<std::vector<Edge<std::int64_t>>> in_integers(const std::vector<Edge<First>>& edges) {
  std::vector<First> weights;
  weights.reserve(edges.size());
  for (const Edge<First>& edge : edges) weights.push_back(edge.weight);
  const auto whole = multiples_of(weights);
  if (!whole) return {};
  std::vector<Edge<std::int64_t>> result;
  result.reserve(edges.size());
  for (std::size_t e = 0; e < edges.size(); ++e) result.push_back({edges[e].from, edges[e].to, whole->numbers[e]});
  return result;
}

inline WeightRange<std::int64_t> range_of_integers(const std::vector<Edge<std::int64_t>>& edges) {
  return range_of<MinPlus<std::int64_t>>(std::span<const Edge<std::int64_t>>(edges), true);
}
/// Whether no sum can reach infinity. (A total in doubles is off by far less than a half.)
inline bool fits_integers(std::int64_t n, const WeightRange<std::int64_t>& range) {
  if (range.any_negative()) return sums_fit(n, range);
  return std::min(range.total, static_cast<double>(n) * static_cast<double>(range.largest)) < 0x1p61;
}

/// \brief Edges with first weights of 64 bits. Potentials are taken out of negative floats, so that no cycle is
/// negative by rounding. The same paths stay the shortest paths.
/// \param arcs   the arcs of a network of these edges; an arc may be the shortest of parallel edges
/// \param given  the edges
/// \throws OutOfMemory
template <class W, class First = std::conditional_t<std::is_integral_v<W>, std::int64_t, double>>
std::vector<Edge<First>> first_weights_of(const Elimination& structure, const FrontArcs<W>& arcs,
                                          const std::vector<Edge<W>>& given) {
  require_host_memory("the first weights of " + std::to_string(given.size()) + " edges",
                      static_cast<double>(given.size()) * sizeof(Edge<First>));
  std::vector<Edge<First>> edges;
  edges.reserve(given.size());
  for (const Edge<W>& edge : given)
    edges.push_back(
        {edge.from, edge.to, edge.weight == infinity<W> ? infinity<First> : static_cast<First>(edge.weight)});
  if constexpr (std::is_floating_point_v<W>)
    if (std::ranges::any_of(given, [](const Edge<W>& edge) { return edge.weight < 0; })) {
      const auto potentials = judge_arcs<MinPlus<W>>(structure, arcs, false).potentials;
      const auto of = [&](std::int32_t vertex) { return potentials[at(structure.place[at(vertex)])]; };
      if (!potentials.empty())
        for (Edge<First>& edge : edges) edge.weight = reduced_weight(edge.weight, of(edge.from), of(edge.to), 1);
    }
  return edges;
}

}  // namespace blockfw::detail
