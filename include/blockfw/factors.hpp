// SPDX-License-Identifier: MIT
/// \file
/// \brief Several factors of one graph, on several devices. Each answers for some of the vertices.
///
/// \code
///   std::vector<blockfw::SparseFactor<blockfw::MinPlus<int>, Exec>> factors;
///   for (const Exec& device : devices.list()) factors.emplace_back(device, analysis, edges);
///   const auto all = blockfw::reach(factors);
/// \endcode
///
/// solve() of multi_device.hpp keeps all distances on the devices. These answers need no n x n memory.
#pragma once

#include "blockfw/detail/loops/threads.hpp"
#include "blockfw/edges.hpp"
#include "blockfw/ground/answers.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/sparse.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

namespace blockfw {

namespace detail {

/// Calls f(factor, first, end) for each factor at the same time, with a part of the range [0, count).
/// \throws InvalidInput without a factor, or for factors of different graphs
template <class Factor, class F>
void divide(const std::vector<Factor>& factors, std::int64_t count, const F& f) {
  if (factors.empty()) throw InvalidInput("an empty list of factors, expected one or more");
  for (const Factor& factor : factors)
    if (factor.vertices() != factors.front().vertices())
      throw InvalidInput("the factors have " + std::to_string(factors.front().vertices()) + " and " +
                         std::to_string(factor.vertices()) + " vertices, expected as many of each");
  const auto parts = static_cast<std::int64_t>(factors.size());
  in_threads(static_cast<int>(parts),
             [&](int p) { f(factors[static_cast<std::size_t>(p)], count * p / parts, count * (p + 1) / parts); });
}

}  // namespace detail

/// \brief SparseFactor::reach() of all vertices, by several factors of the same graph.
/// \param factors  on different devices. (On a host one factor has all threads.)
/// \param towards  which distances count
/// \throws InvalidInput without a factor, or for factors of different graphs; OutOfMemory
///
/// Each device sums up the vertices of its part: the time of one, divided by the number of devices.
template <Semiring S, class ExecSpace>
std::vector<Reach<typename S::value_type>> reach(const std::vector<SparseFactor<S, ExecSpace>>& factors,
                                                 Towards towards = Towards::others) {
  const std::int64_t n = factors.empty() ? 0 : factors.front().vertices();
  std::vector<Reach<typename S::value_type>> all(static_cast<std::size_t>(n));
  detail::divide(factors, n, [&](const auto& factor, std::int64_t first, std::int64_t end) {
    std::ranges::copy(factor.reach(first, end, towards), all.begin() + first);
  });
  return all;
}

/// \brief SparseFactor::table() by several factors of the same graph, on the host.
/// \param factors  on different devices
/// \param sources  host container of vertices
/// \param targets  likewise
/// \return a matrix on the host, with a row for each source and a column for each target
/// \throws InvalidInput without a factor, for factors of different graphs, or for a vertex out of range; OutOfMemory
///
/// Each device makes the rows of some sources.
template <Semiring S, class ExecSpace, std::ranges::contiguous_range Sources, std::ranges::contiguous_range Targets>
DistanceMatrix<typename S::value_type, Kokkos::DefaultHostExecutionSpace> table(
    const std::vector<SparseFactor<S, ExecSpace>>& factors, const Sources& sources, const Targets& targets) {
  using T = typename S::value_type;
  using Host = Kokkos::DefaultHostExecutionSpace;
  const std::vector<std::int64_t> from(std::ranges::begin(sources), std::ranges::end(sources));
  const std::size_t columns = std::ranges::size(targets);
  detail::require_host_memory(
      "a table of " + std::to_string(from.size()) + " x " + std::to_string(columns) + " distances",
      static_cast<double>(from.size()) * static_cast<double>(columns) * sizeof(T));
  const DistanceMatrix<T, Host> all(Kokkos::view_alloc("blockfw::distances", Kokkos::WithoutInitializing), from.size(),
                                    columns);
  detail::divide(
      factors, static_cast<std::int64_t>(from.size()), [&](const auto& factor, std::int64_t first, std::int64_t end) {
        const auto rows = factor.table(std::vector<std::int64_t>(from.begin() + first, from.begin() + end), targets);
        Kokkos::deep_copy(Kokkos::subview(all, Kokkos::pair(first, end), Kokkos::ALL), rows);
      });
  return all;
}

}  // namespace blockfw
