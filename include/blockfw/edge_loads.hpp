// SPDX-License-Identifier: MIT
/// \file
/// \brief Loads of the edges of a network: the demand of all pairs whose best path takes the edge.
///
/// \code
///   const auto traffic = blockfw::edge_loads(network, homes, works, commuters);
///   // traffic.loads[e]: the commuters on edge e; traffic.unserved: those without a way
/// \endcode
///
/// Planners call this an all-or-nothing assignment.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/elimination/place.hpp"
#include "blockfw/ground/answers.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <string>
#include <vector>

namespace blockfw {

namespace detail {

/// A network whose paths are told by their edges.
template <class N>
concept NetworkOfEdges = requires(const N& network, const std::vector<std::int32_t>& vertices) {
  { network.vertices() } -> std::same_as<std::int64_t>;
  { network.edge_count() } -> std::convertible_to<std::int64_t>;
  { network.path_edges(vertices, vertices) } -> std::same_as<PathEdges>;
};

/// A type of demand that a double does not hold fails to compile.
template <class W>
constexpr void require_demand() {
  static_assert(converts<W, double>, "blockfw: the demand must convert to double without loss");
}

/// \brief Sums up demand along the paths of pairs.
/// \param sources, targets  vertices
/// \param table             whether each source makes a pair with each target. If not, source i makes a pair with
///                          target i.
/// \param demand_of         demand_of(i, j) is the demand from sources[i] to targets[j]
///
/// The calling thread adds up, pair by pair. So sums are the same on any number of threads.
template <NetworkOfEdges Network, class DemandOf>
EdgeLoads sum_of_loads(const Network& network, const std::vector<std::int32_t>& sources,
                       const std::vector<std::int32_t>& targets, bool table, const DemandOf& demand_of,
                       const Progress& progress) {
  struct PairOfPlaces {
    std::size_t source, target;
  };
  constexpr std::size_t at_once = 1024;  // paths
  const Kokkos::Profiling::ScopedRegion region("blockfw::edge_loads");
  const std::size_t rows = sources.size(), pairs = table ? rows * targets.size() : rows;
  // (Pairs with the same target are neighbours: a search finds out more for all of them.)
  const auto pair_of = [&](std::size_t p) { return table ? PairOfPlaces{p % rows, p / rows} : PairOfPlaces{p, p}; };
  double total = 0;
  for (std::size_t p = 0; p < pairs; ++p) {
    const PairOfPlaces pair = pair_of(p);
    const double demand = demand_of(pair.source, pair.target);
    if (!(demand >= 0 && demand < infinity<double>))
      throw InvalidInput("the demand ",
                         (table ? "at (" + std::to_string(pair.source) + ", " + std::to_string(pair.target) + ")"
                                : "of pair " + std::to_string(p)),
                         " is ", (demand == demand ? std::to_string(demand) : "NaN"),
                         ", expected a finite number of 0 or more");
    total += demand;
  }
  if (!(total < infinity<double>))
    throw OverflowRisk("the demand of ", pairs, " pairs adds up to infinity, expected a sum that a double holds");

  EdgeLoads result;
  const auto edges = static_cast<std::size_t>(network.edge_count());
  require_host_memory("the loads of " + std::to_string(edges) + " edges", static_cast<double>(edges) * sizeof(double));
  result.loads.resize(edges);
  std::vector<std::int32_t> from, to;
  std::vector<double> demands;
  for (std::size_t p = 0; p < pairs; ++p) {
    const PairOfPlaces pair = pair_of(p);
    if (const double demand = demand_of(pair.source, pair.target); demand > 0) {
      from.push_back(sources[pair.source]);
      to.push_back(targets[pair.target]);
      demands.push_back(demand);
    }
    if (from.size() < at_once && p + 1 < pairs) continue;
    const PathEdges paths = network.path_edges(from, to);
    for (std::size_t k = 0; k < from.size(); ++k) {
      const std::size_t first = at(paths.first[k]), end = at(paths.first[k + 1]);
      if (first == end && from[k] != to[k]) result.unserved += demands[k];
      for (std::size_t e = first; e < end; ++e) result.loads[at(paths.edges[e])] += demands[k];
    }
    from.clear();
    to.clear();
    demands.clear();
    if (progress) progress(static_cast<std::int64_t>(p + 1), static_cast<std::int64_t>(pairs));
  }
  return result;
}

}  // namespace detail

/// \brief How many of the given pairs use each edge: the number of pairs whose best path takes it.
///
/// \param network   a Network, a SparseFactor, a NetworkWithDevice or a RoadNetwork, over any semiring
/// \param sources   host container of vertices. A vertex may occur twice.
/// \param targets   host container of the same size: pair p leads from sources[p] to targets[p]
/// \param progress  called as progress(pairs done, pairs) from the calling thread, if set, after a thousand pairs with
///                  demand
/// \return a load for each edge, and the number of pairs without a path. The loads have the order of the list of edges
///         from which the network was made.
/// \throws InvalidInput for a vertex out of range, or lists of different lengths; OutOfMemory; any exception of
///         progress; OverflowRisk where a RoadNetwork's path_edges() throws it
///
/// The paths are those of the network's path_edges(), also where several are equally good or edges are parallel. A
/// pair from a vertex to itself uses no edge. It takes the time of these paths, less for pairs with the same target.
/// Memory: 8 bytes for each edge, and a thousand paths.
template <detail::NetworkOfEdges Network, std::ranges::contiguous_range Sources, std::ranges::contiguous_range Targets>
EdgeLoads edge_loads(const Network& network, const Sources& sources, const Targets& targets,
                     const Progress& progress = {}) {
  const auto from = detail::checked_vertices(sources, network.vertices()),
             to = detail::checked_vertices(targets, network.vertices());
  detail::require_pairs(from.size(), to.size());
  const auto one = [](std::size_t, std::size_t) { return 1.; };
  return detail::sum_of_loads(network, from, to, false, one, progress);
}

/// \brief The same with a demand for each pair: trips, passengers, tons. A load is the sum of the demand of the pairs
/// whose best path takes the edge.
///
/// \param network   as above
/// \param sources   host container of vertices
/// \param targets   host container of the same size
/// \param demand    host container with a number of 0 or more for each pair: doubles, floats or integers of up to 32
///                  bits. A pair whose demand is 0 takes no time.
/// \param progress  as above
/// \return a load for each edge, and the demand of the pairs without a path
/// \throws InvalidInput also for a demand that is negative, infinite or NaN, or another number of them
/// \throws OverflowRisk if all demand adds up to infinity
///
/// Sums are exact up to 2^53 where the demand is whole. Other sums round, always in the order of the pairs.
template <detail::NetworkOfEdges Network, std::ranges::contiguous_range Sources, std::ranges::contiguous_range Targets,
          std::ranges::contiguous_range Demand>
EdgeLoads edge_loads(const Network& network, const Sources& sources, const Targets& targets, const Demand& demand,
                     const Progress& progress = {}) {
  detail::require_demand<std::ranges::range_value_t<Demand>>();
  const auto from = detail::checked_vertices(sources, network.vertices()),
             to = detail::checked_vertices(targets, network.vertices());
  detail::require_pairs(from.size(), to.size());
  if (std::ranges::size(demand) != from.size())
    throw InvalidInput("there are ", std::ranges::size(demand), " demands and ", from.size(),
                       " pairs, expected as many of each");
  const auto* const given = std::ranges::data(demand);
  const auto demand_of = [given](std::size_t pair, std::size_t) { return static_cast<double>(given[pair]); };
  return detail::sum_of_loads(network, from, to, false, demand_of, progress);
}

/// \brief The same with a table of demand between all sources and all targets: an origin-destination matrix. The host
/// must be able to read the table. It has a row for each source and a column for each target. Another shape is
/// InvalidInput.
///
/// If sums round, pairs are added target by target, and for each target source by source.
template <detail::NetworkOfEdges Network, std::ranges::contiguous_range Sources, std::ranges::contiguous_range Targets,
          MatrixView Demand>
EdgeLoads edge_loads(const Network& network, const Sources& sources, const Targets& targets, const Demand& demand,
                     const Progress& progress = {}) {
  detail::require_demand<typename Demand::non_const_value_type>();
  require_reachable<Kokkos::DefaultHostExecutionSpace, Demand>();
  const auto from = detail::checked_vertices(sources, network.vertices()),
             to = detail::checked_vertices(targets, network.vertices());
  detail::require_shape(demand, from.size(), to.size());
  const auto demand_of = [&demand](std::size_t i, std::size_t j) {
    return static_cast<double>(entry_at(demand, static_cast<std::int64_t>(i), static_cast<std::int64_t>(j)));
  };
  return detail::sum_of_loads(network, from, to, true, demand_of, progress);
}

}  // namespace blockfw
