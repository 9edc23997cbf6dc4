// SPDX-License-Identifier: MIT
/// \file
/// \brief Edges that are spread over ranks of MPI: a bound of all distances, and the edges of all ranks on each.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/matrices/edge_entries.hpp"
#include "blockfw/detail/plan/hub_of_edges.hpp"
#include "blockfw/detail/plan/narrow.hpp"
#include "blockfw/detail/shares/mpi_failure.hpp"
#include "blockfw/ground/communicator.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/weights.hpp"

#include <Kokkos_Core.hpp>

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace blockfw::detail {

/// \brief distance_bound() of edges that are spread over ranks. Any edge may be on any rank. Collective.
///
/// A pass reads every edge on its rank. Between passes the bounds, 2 n numbers, go to all ranks. So all ranks find the
/// same bound.
///
/// \param exec       the instance that reads this rank's edges
/// \param edges      rank-1 view on the host, checked
/// \param direction  with undirected this rank's edges count in both directions
/// \param range      of all ranks' weights
template <class T, class ExecSpace, class Edges>
std::optional<T> distance_bound(const Communicator& ranks, const ExecSpace& exec, std::int64_t n, const Edges& edges,
                                Direction direction, WeightRange<T> range, const std::vector<T>& limits) {
  decltype(reachable_edges(exec, edges)) there;
  HubDistances<T, ExecSpace> distances;
  const auto find_hub = [&] {
    std::pair<std::int64_t, std::int64_t> hub;
    together(ranks, [&] {
      there = reachable_edges(exec, edges);
      distances = HubDistances<T, ExecSpace>(
          Kokkos::view_alloc(exec, "blockfw::hub_distances", Kokkos::WithoutInitializing), static_cast<std::size_t>(n));
      hub = find_hub_of_edges(edges);
    });
    const std::int64_t most = ranks.reduce(hub.second, MPI_MAX);
    return ranks.reduce(hub.second == most ? hub.first : n, MPI_MIN);
  };
  return distance_bound_of_edges(n, range, limits, find_hub, [&](const HostHubDistances<T>& best) {
    together(ranks, [&] { improve_hub_distances_by(exec, there, 0, direction, distances, best, best); });
    in_mpi_ranges(best.size(), [&](std::size_t first, int count) {
      require_mpi(MPI_Allreduce(MPI_IN_PLACE, best.data() + first, count, mpi_type<T>(), MPI_MIN, ranks.get()),
                  "lowering bounds");
    });
  });
}

/// \brief The edges of all ranks, on each rank, in the order of the ranks; collective.
/// \param direction  of this rank's edges. On return it is directed unless it was undirected on all ranks: then
///                   undirected edges of some ranks are two edges each.
/// \throws OutOfMemory if they do not fit, before memory is asked for
template <class W, class Edges>
std::vector<Edge<W>> edges_of_ranks(const Communicator& ranks, const Edges& edges, Direction& direction) {
  const bool undirected = direction == Direction::undirected;
  const bool all_undirected = ranks.reduce(std::int32_t(undirected), MPI_MIN) == 1;
  const bool twice = undirected && !all_undirected;
  direction = all_undirected ? Direction::undirected : Direction::directed;
  const std::int64_t mine = (twice ? 2 : 1) * static_cast<std::int64_t>(edges.extent(0));
  std::vector<std::int64_t> counts(static_cast<std::size_t>(ranks.size()));
  require_mpi(MPI_Allgather(&mine, 1, MPI_INT64_T, counts.data(), 1, MPI_INT64_T, ranks.get()), "counting edges");
  const auto count = static_cast<std::size_t>(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}));
  std::vector<Edge<W>> all;
  together(ranks, [&] {
    require_host_memory("the edges of all ranks, " + std::to_string(count),
                        static_cast<double>(count) * sizeof(Edge<W>));
    all.resize(count);
  });
  Edge<W>* part = all.data();
  for (int rank = 0; rank < ranks.size(); ++rank) {
    const auto some = static_cast<std::size_t>(counts[static_cast<std::size_t>(rank)]);
    if (rank == ranks.rank())
      for (std::size_t e = 0; e < edges.extent(0); ++e) {
        part[e] = edges(e);
        if (twice) part[edges.extent(0) + e] = {edges(e).to, edges(e).from, edges(e).weight};
      }
    broadcast(ranks, part, some * sizeof(Edge<W>), rank, "sending edges");
    part += some;
  }
  return all;
}

}  // namespace blockfw::detail
