// SPDX-License-Identifier: MIT
// Orders of elimination, by name: those of other libraries are there where CMake found these. For files of apsp_parts
// alone, as the macros are defined there only.
#pragma once

#include "graph.hpp"

#ifdef APSP_AMD
#include <blockfw/orders/amd.hpp>
#endif
#ifdef APSP_METIS
#include <blockfw/orders/metis.hpp>
#endif

#include <cstdint>
#include <string>
#include <vector>

namespace apsp {

/// Whether this build has an order. \param name  auto, amd or metis
inline bool has_order(const std::string& name) {
#ifdef APSP_AMD
  if (name == "amd") return true;
#endif
#ifdef APSP_METIS
  if (name == "metis") return true;
#endif
  return name == "auto";
}

/// The order of that name, which the build must have; none for auto.
template <class T>
std::vector<std::int32_t> order_of([[maybe_unused]] const Graph<T>& graph, [[maybe_unused]] const std::string& name) {
#ifdef APSP_AMD
  if (name == "amd") return blockfw::amd_order(graph.vertices, graph.edges);
#endif
#ifdef APSP_METIS
  if (name == "metis") return blockfw::metis_order(graph.vertices, graph.edges);
#endif
  return {};
}

}  // namespace apsp
