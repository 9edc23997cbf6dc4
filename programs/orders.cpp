// SPDX-License-Identifier: MIT
#include "orders.hpp"

#ifdef APSP_AMD
#include <blockfw/orders/amd.hpp>
#endif
#ifdef APSP_METIS
#include <blockfw/orders/metis.hpp>
#endif

bool apsp::has_order(const std::string& name) {
#ifdef APSP_AMD
  if (name == "amd") return true;
#endif
#ifdef APSP_METIS
  if (name == "metis") return true;
#endif
  return name == "auto";
}

template <class T>
std::vector<std::int32_t> apsp::order_of([[maybe_unused]] const Graph<T>& graph,
                                         [[maybe_unused]] const std::string& name) {
#ifdef APSP_AMD
  if (name == "amd") return blockfw::amd_order(graph.vertices, graph.edges);
#endif
#ifdef APSP_METIS
  if (name == "metis") return blockfw::metis_order(graph.vertices, graph.edges);
#endif
  return {};
}

APSP_TYPES(APSP_ORDERS, )
