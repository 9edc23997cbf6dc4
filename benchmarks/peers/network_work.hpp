// SPDX-License-Identifier: MIT
// The work of a table of distances by RoutingKit's contraction hierarchy, and the time that its parts take.
#pragma once

#include "network_peers.hpp"

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <limits>

/// Time that the processor spent on this program.
inline double processor_seconds() { return double(std::clock()) / CLOCKS_PER_SEC; }

/// The least time of some runs of f.
template <class F>
double seconds_of(int runs, const F& f) {
  double least = std::numeric_limits<double>::infinity();
  for (int run = 0; run < runs; ++run) {
    const double begin = processor_seconds();
    f();
    least = std::min(least, processor_seconds() - begin);
  }
  return least;
}

/// Times are the least of some runs, in seconds of the processor. Numbers of a source are means.
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
  double compact = 0;         ///< a sweep whose vertices and arcs lie in its order
  double without_arcs = 0;    ///< the same, but it does not keep the arcs: no branch depends on a distance
  double apart = 0;           ///< the same, and no distance that it writes is read
};

/// \brief Makes a table on one thread, several times.
/// \param prepared  filled with the seconds of the preparation
HierarchyWork work_of_routingkit_program(const Graph& graph, const Ints& sources, const Ints& targets, int runs,
                                         double& prepared);
