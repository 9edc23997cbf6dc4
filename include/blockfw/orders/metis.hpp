// SPDX-License-Identifier: MIT
/// \file
/// \brief An order of elimination by METIS: nested dissection, for SparseAnalysis.
///
/// This header needs the package's component `metis`: find_package(blockfw COMPONENTS metis), target blockfw::metis.
#pragma once

#include "blockfw/detail/graph/neighbours.hpp"
#include "blockfw/ground/error.hpp"

#include <metis.h>

#include <cstdint>
#include <mutex>
#include <ranges>
#include <string>
#include <vector>

namespace blockfw {
namespace detail {

inline std::vector<std::int32_t> metis_order_of(const Neighbours& neighbours) {
  auto graph = arrays_of<idx_t>(neighbours, "METIS");
  if (graph.neighbours.empty()) return natural_order(neighbours.vertices());
  auto n = static_cast<idx_t>(neighbours.vertices());
  std::vector<idx_t> order(neighbours.vertices()), place(neighbours.vertices());
  const int status = [&] {
    // While it runs, METIS replaces the process's signal handlers. If two calls overlapped, the later call could
    // restore the handlers of the earlier call, for good.
    static std::mutex one_at_a_time;
    const std::lock_guard lock(one_at_a_time);
    return METIS_NodeND(&n, graph.first.data(), graph.neighbours.data(), nullptr, nullptr, order.data(), place.data());
  }();
  const std::string graph_name = "the order of " + std::to_string(neighbours.vertices()) + " vertices with " +
                                 std::to_string(graph.neighbours.size()) + " neighbours in all";
  if (status == METIS_ERROR_MEMORY) throw OutOfMemory(graph_name + " needs more memory than METIS could allocate");
  if (status != METIS_OK)
    throw Error("METIS failed to find " + graph_name + ", its status is " + std::to_string(status));
  return {order.begin(), order.end()};
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
