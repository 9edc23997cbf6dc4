// SPDX-License-Identifier: MIT
/// \file
/// \brief Sums of a second weight along the shortest paths of a network: the metres of the fastest way.
///
/// \code
///   const auto lengths = blockfw::SecondWeights(network, metres).table(depots, customers);
/// \endcode
#pragma once

#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"
#include "blockfw/network.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace blockfw {

/// \brief A network with two weights of each edge. The first weight chooses the paths; the second is summed along them.
/// Of several shortest paths the path with the smallest second sum is taken.
///
/// Both weights are packed into one integer of 64 bits, the first in its high bits. Then a shortest path by the packed
/// weight is the path described. So the first weights must be integers, or floats that are whole multiples of a power
/// of two, and both sums together must fit 62 bits.
///
/// \tparam Host  a host's execution space
template <class Host = Kokkos::DefaultHostExecutionSpace>
class SecondWeights {
  using Packed = MinPlus<std::int64_t>;

 public:
  /// The type of a sum.
  using T = std::int64_t;

  /// \brief Eliminates the vertices of a network with both weights.
  /// \param network  its edges, with the first weights; it need not outlive this object
  /// \param second   an integer of 0 or more for each edge, in the order of the edges
  /// \throws InvalidInput for another number of weights, a negative one, a first weight that is no whole multiple
  /// \throws OverflowRisk if both sums together could exceed 62 bits
  /// \throws OutOfMemory
  ///
  /// It takes the time of Network::with_weights() in 64 bits.
  template <class W, std::ranges::contiguous_range Second>
    requires std::integral<std::ranges::range_value_t<Second>>
  SecondWeights(const Network<MinPlus<W>, Host>& network, const Second& second)
      : bits_(bits_of(network, second)),
        packed_(network.place_.exec(), network.analysis_, network.arcs_.plan, packed(network, second, bits_),
                {.direction = network.direction()}) {}

  /// Lets further questions run on another instance, as Network::run_on().
  void run_on(const Host& exec) { packed_.run_on(exec); }

  /// The number of vertices.
  std::int64_t vertices() const { return packed_.vertices(); }

  /// \brief The second sums of the best paths from some vertices to others.
  /// \param sources  host container of vertices. A vertex may occur twice.
  /// \param targets  likewise
  /// \return a matrix with a row for each source and a column for each target. An entry is infinity<T> without a path.
  /// \throws InvalidInput for a vertex out of range; OutOfMemory
  ///
  /// The time and memory of Network::table() in 64 bits.
  template <std::ranges::contiguous_range Sources, std::ranges::contiguous_range Targets>
  DistanceMatrix<T, Host> table(const Sources& sources, const Targets& targets) const {
    return second_of(packed_.table(sources, targets));
  }

  /// \brief The second sums of the best paths of pairs: entry i is that from sources[i] to targets[i].
  /// \throws InvalidInput for a vertex out of range, or lists of different lengths
  template <std::ranges::contiguous_range Sources, std::ranges::contiguous_range Targets>
  std::vector<T> distances(const Sources& sources, const Targets& targets) const {
    auto sums = packed_.distances(sources, targets);
    for (T& sum : sums) sum = second_of(sum);
    return sums;
  }

  /// \brief The second sums of the best paths from some vertices to all.
  /// \throws InvalidInput for a source out of range; OutOfMemory
  template <std::ranges::contiguous_range Sources>
  DistanceMatrix<T, Host> distances_from(const Sources& sources) const {
    return second_of(packed_.distances_from(sources));
  }

 private:
  T second_of(T packed) const { return packed == infinity<T> ? packed : packed & ((T(1) << bits_) - 1); }
  DistanceMatrix<T, Host> second_of(const DistanceMatrix<T, Host>& d) const {
    for (std::size_t i = 0; i < d.extent(0); ++i)
      for (std::size_t j = 0; j < d.extent(1); ++j) d(i, j) = second_of(d(i, j));
    return d;
  }

  /// The number of bits that every second sum fits.
  template <class W, class Second>
  static int bits_of(const Network<MinPlus<W>, Host>& network, const Second& second) {
    const std::size_t edges = network.edges().size();
    if (std::ranges::size(second) != edges)
      throw InvalidInput("there are " + std::to_string(std::ranges::size(second)) + " second weights, expected " +
                         std::to_string(edges) + ", one for each edge");
    std::uint64_t largest = 0, total = 0, longest = 0;
    constexpr std::uint64_t most = std::uint64_t{1} << 60;
    for (std::size_t e = 0; e < edges; ++e) {
      const auto weight = std::ranges::data(second)[e];
      if (std::cmp_less(weight, 0))
        throw InvalidInput("the second weight of edge " + std::to_string(e) + " is " + std::to_string(weight) +
                           ", expected 0 or more");
      largest = std::max(largest, static_cast<std::uint64_t>(weight));
      total = std::min(most, total + std::min(most, static_cast<std::uint64_t>(weight)));
    }
    // A path has at most n - 1 edges, and each edge once.
    if (__builtin_mul_overflow(largest, static_cast<std::uint64_t>(network.vertices()), &longest)) longest = most;
    longest = std::min(longest, total);
    if (longest >= most)
      throw OverflowRisk("second weights up to " + std::to_string(largest) +
                         ": a sum could reach 2^60, expected smaller second weights");
    return std::bit_width(longest + 1);
  }

  /// The first weights times a power of two that makes them integers; infinity<std::int64_t> of closed edges.
  template <class W>
  static std::vector<std::int64_t> integers_of(const std::vector<Edge<W>>& edges) {
    constexpr int most = 30;
    const auto is_whole = [](double x) { return x == std::rint(x); };
    int digits = 0;  // after the point, in binary
    if constexpr (std::is_floating_point_v<W>)
      for (const Edge<W>& edge : edges)
        while (digits < most && !is_whole(std::ldexp(static_cast<double>(edge.weight), digits))) ++digits;
    std::vector<std::int64_t> integers;
    integers.reserve(edges.size());
    for (const Edge<W>& edge : edges) {
      if (edge.weight == infinity<W>) {
        integers.push_back(infinity<std::int64_t>);
      } else if constexpr (std::is_floating_point_v<W>) {
        const double scaled = std::ldexp(static_cast<double>(edge.weight), digits);
        if (!is_whole(scaled) || std::abs(scaled) >= 0x1p52)
          throw InvalidInput("the weight of edge " + std::to_string(integers.size()) + " is " +
                             std::to_string(edge.weight) + ", expected integers, or multiples of 2^-" +
                             std::to_string(most) + " of at most 52 bits, in a network with second weights");
        integers.push_back(static_cast<std::int64_t>(scaled));
      } else {
        integers.push_back(edge.weight);
      }
    }
    return integers;
  }

  template <class W, class Second>
  static std::vector<Edge<std::int64_t>> packed(const Network<MinPlus<W>, Host>& network, const Second& second,
                                                int bits) {
    const auto& edges = network.edges();
    const std::vector<std::int64_t> first = integers_of(edges);
    std::vector<Edge<std::int64_t>> result;
    result.reserve(edges.size());
    for (std::size_t e = 0; e < edges.size(); ++e) {
      const bool closed = first[e] == infinity<std::int64_t>;
      if (!closed && std::abs(static_cast<double>(first[e])) * std::ldexp(1., bits) >= 0x1p61)
        throw OverflowRisk("the weight " + std::to_string(first[e]) + " and sums of second weights of " +
                           std::to_string(bits) + " bits do not fit 62 bits, expected smaller weights");
      const std::int64_t weight =
          closed ? first[e]
                 : first[e] * (std::int64_t{1} << bits) + static_cast<std::int64_t>(std::ranges::data(second)[e]);
      result.push_back({edges[e].from, edges[e].to, weight});
    }
    return result;
  }

  int bits_;
  Network<Packed, Host> packed_;
};

}  // namespace blockfw
