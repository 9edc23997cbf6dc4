// SPDX-License-Identifier: MIT
/// \file
/// \brief An order of elimination by METIS: nested dissection, for SparseAnalysis.
///
/// This header needs the package's component `metis`: find_package(blockfw COMPONENTS metis), target blockfw::metis.
#pragma once

#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/graph/neighbours.hpp"

#include <metis.h>

#include <cstdint>
#include <mutex>
#include <ranges>
#include <vector>

namespace blockfw {
namespace detail {

inline std::vector<std::int32_t> metis_order_of(const Neighbours& neighbours) {
  return order_by_library<idx_t>(neighbours, "METIS", METIS_OK, METIS_ERROR_MEMORY,
                                 [](idx_t n, idx_t* first, idx_t* all, idx_t* order) {
                                   std::vector<idx_t> place(at(n));
                                   // While it runs, METIS replaces the process's signal handlers. If two calls
                                   // overlapped, the later call could restore the handlers of the earlier call, for
                                   // good.
                                   static std::mutex one_at_a_time;
                                   const std::lock_guard lock(one_at_a_time);
                                   return METIS_NodeND(&n, first, all, nullptr, nullptr, order, place.data());
                                 });
}

}  // namespace detail

/// \brief Orders the vertices by nested dissection (METIS_NodeND). Vertices that cut the graph in two, the separator,
/// come last. Both parts are ordered likewise.
/// \param n      number of vertices
/// \param edges  host container of edges. Their weights and directions do not matter.
/// \return the vertices in the order of elimination, for SparseAnalysis(n, edges, order)
/// \throws InvalidInput, InvalidEdge  for n out of range, a vertex out of range, a graph too large for METIS's integers
/// \throws OutOfMemory                when METIS reports it
/// \throws Error                      when METIS fails otherwise
///
/// METIS mostly takes longer than the built-in order, and has a little less fill. It runs on the calling thread. There
/// is one call at a time; other calls wait. METIS seeds rand(), so the order is the same each time. While METIS runs,
/// it handles SIGABRT and SIGTERM itself. A SIGTERM then becomes an Error. Memory: O(n + edges).
template <std::ranges::contiguous_range Edges>
std::vector<std::int32_t> metis_order(std::int64_t n, const Edges& edges) {
  return detail::metis_order_of(detail::neighbours_of(n, edges));
}

}  // namespace blockfw
