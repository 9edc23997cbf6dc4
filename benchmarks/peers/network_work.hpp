// SPDX-License-Identifier: MIT
// The work of a table of distances by RoutingKit's contraction hierarchy, and the time that its parts take.
#pragma once

#include "network_peers.hpp"

#include <cstdint>

/// Times are the least of some runs, in seconds. Numbers of a source are means over the sources.
struct HierarchyWork {
  double table = 0;
  double pin = 0;             ///< marks all targets, once for the table
  double search = 0;          ///< from a source up the hierarchy
  double sweep = 0;           ///< of a source, down to all targets
  double settled = 0;         ///< vertices of a search
  double searched = 0;        ///< arcs of a search
  std::int64_t vertices = 0;  ///< of a sweep
  std::int64_t swept = 0;     ///< arcs of a sweep
  std::int64_t arcs = 0;      ///< of the hierarchy: those that lead up, in both directions
  std::uint64_t sum = 0;      ///< of all distances that are finite
};

/// \brief Makes a table on one thread, several times.
/// \param prepared  filled with the seconds of the preparation
HierarchyWork work_of_routingkit_program(const Graph& graph, const Ints& sources, const Ints& targets, int runs,
                                         double& prepared);
