// SPDX-License-Identifier: MIT
// Orders of elimination, by name: those of other libraries are there where CMake found these.
#pragma once

#include "distances.hpp"
#include "graph.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace apsp {

/// Whether this build has an order. \param name  auto, amd or metis
bool has_order(const std::string& name);

/// The order of that name, which the build must have; none for auto.
template <class T>
std::vector<std::int32_t> order_of(const Graph<T>& graph, const std::string& name);

#define APSP_ORDERS(LINKAGE, T) \
  LINKAGE template std::vector<std::int32_t> apsp::order_of<T>(const apsp::Graph<T>&, const std::string&);

}  // namespace apsp

APSP_TYPES(APSP_ORDERS, extern)
