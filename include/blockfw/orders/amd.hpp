// SPDX-License-Identifier: MIT
/// \file
/// \brief An order of elimination by SuiteSparse's AMD: approximate minimum degree, for SparseAnalysis.
///
/// This header needs the package's component `amd`: find_package(blockfw COMPONENTS amd), target blockfw::amd.
#pragma once

#include "blockfw/detail/graph/neighbours.hpp"

#include <amd.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <ranges>
#include <vector>

namespace blockfw {
namespace detail {

/// \brief The order by AMD with integers of 32 or 64 bits.
/// \tparam Index  std::int32_t or std::int64_t
/// \param neighbours  of each vertex
template <std::signed_integral Index>
std::vector<std::int32_t> amd_order_of(const Neighbours& neighbours) {
  return order_by_library<Index>(neighbours, "AMD", AMD_OK, AMD_OUT_OF_MEMORY,
                                 [](Index n, const Index* first, const Index* all, Index* order) {
                                   if constexpr (sizeof(Index) == 4)
                                     return ::amd_order(n, first, all, order, nullptr, nullptr);
                                   else
                                     return static_cast<int>(::amd_l_order(n, first, all, order, nullptr, nullptr));
                                 });
}

/// Whether AMD with 32 bits can number its workspace. That is the neighbours, a fifth more, and seven arrays of n.
inline bool fits_short_amd(std::size_t n, std::size_t neighbours) {
  return neighbours + neighbours / 5 + 7 * n < static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max());
}

}  // namespace detail

/// \brief Orders the vertices by approximate minimum degree (amd_order, or amd_l_order where 32 bits are too few).
/// \param n      number of vertices
/// \param edges  host container of edges. Their weights and directions do not matter.
/// \return the vertices in the order of elimination, for SparseAnalysis(n, edges, order)
/// \throws InvalidInput, InvalidEdge  for n out of range, a vertex out of range
/// \throws OutOfMemory                when AMD reports it
/// \throws Error                      when AMD fails otherwise
///
/// AMD is the algorithm of the built-in order. It takes about the same time, and has about the same fill. It runs on
/// the calling thread. Memory: O(n + edges).
template <std::ranges::contiguous_range Edges>
std::vector<std::int32_t> amd_order(std::int64_t n, const Edges& edges) {
  const auto neighbours = detail::neighbours_of(n, edges);
  return detail::fits_short_amd(neighbours.vertices(), neighbours.all.size())
             ? detail::amd_order_of<std::int32_t>(neighbours)
             : detail::amd_order_of<std::int64_t>(neighbours);
}

}  // namespace blockfw
