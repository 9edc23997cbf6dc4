// SPDX-License-Identifier: MIT
/// \file
/// \brief An upper bound of all distances, out of edges that lie on several devices or ranks.
#pragma once

#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/detail/loops/threads.hpp"
#include "blockfw/detail/matrices/copies.hpp"
#include "blockfw/detail/plan/narrow.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace blockfw::detail {

/// The vertex that is left by the most edges of a few samples, and the number of these edges.
template <class Edges>
std::pair<std::int64_t, std::int64_t> find_hub_of_edges(const Edges& edges) {
  const auto count = static_cast<std::int64_t>(edges.extent(0)), samples = std::min<std::int64_t>(count, 4096);
  std::map<std::int64_t, std::int64_t> leaving;
  for (std::int64_t sample = 0; sample < samples; ++sample) ++leaving[edges(count * sample / samples).from];
  const auto most = std::max_element(leaving.begin(), leaving.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most == leaving.end()) return {0, 0};
  return *most;
}

/// The hub's bounds on the host.
template <class T>
using HostHubDistances = HubDistances<T, Kokkos::DefaultHostExecutionSpace>;

/// \brief Lowers each vertex's bounds by paths of one more edge, or of several, out of some edges. Fences exec.
/// \param entries    the edges; `from` is a row, `to` a vertex
/// \param first      the vertex of row 0
/// \param direction  with undirected each edge counts in both directions
/// \param distances  memory for the hub's bounds
/// \param before     the bounds
/// \param after      the lowered bounds; may be `before`
///
/// (A thread may read a bound while another thread lowers it. It gets the old or the new bound, and both are valid.)
template <class ExecSpace, class Entries, class Distances, class T = typename Distances::value_type>
void improve_hub_distances_by(const ExecSpace& exec, const Entries& entries, std::int64_t first, Direction direction,
                              const Distances& distances, const HostHubDistances<T>& before,
                              const HostHubDistances<T>& after) {
  const bool undirected = direction == Direction::undirected;
  copy_array(exec, distances, before);
  for_range(
      "blockfw::improve_hub_distances", exec, 0, entries.extent(0), KOKKOS_LAMBDA(std::int64_t e) {
        const auto entry = entries(e);
        const T weight = static_cast<T>(entry.weight);
        const auto lower = [&](std::int64_t u, std::int64_t v) {
          const T from_hub = distances(u, 0), to_hub = distances(v, 1);
          if (from_hub < infinity<T> && static_cast<T>(from_hub + weight) < distances(v, 0))
            Kokkos::atomic_min(&distances(v, 0), static_cast<T>(from_hub + weight));
          if (to_hub < infinity<T> && static_cast<T>(weight + to_hub) < distances(u, 1))
            Kokkos::atomic_min(&distances(u, 1), static_cast<T>(weight + to_hub));
        };
        const std::int64_t u = first + entry.from, v = entry.to;
        if (u == v) return;  // (The range of the weights leaves out self loops, so a sum with one could overflow.)
        lower(u, v);
        if (undirected) lower(v, u);
      });
  copy_array(exec, after, distances);
  exec.fence("blockfw::hub_distances");
}

/// \brief distance_bound() of edges in several places, whose bounds are combined on the host. Takes at most 16 + n/1024
/// passes.
/// \param find_hub  find_hub() is called before the first pass; it returns the vertex through which paths are to lead
/// \param improve   improve(distances) lowers the hub's bounds by all edges
template <class T, class FindHub, class Improve>
std::optional<T> distance_bound_of_edges(std::int64_t n, WeightRange<T> range, const std::vector<T>& limits,
                                         const FindHub& find_hub, const Improve& improve) {
  HostHubDistances<T> best;
  const auto bounds = [&] { return hub_bounds(Kokkos::DefaultHostExecutionSpace(), best); };
  const auto start = [&] {
    const std::int64_t hub = find_hub();
    best = HostHubDistances<T>("blockfw::hub_distances", static_cast<std::size_t>(n));
    std::fill_n(best.data(), best.size(), infinity<T>);
    best(hub, 0) = best(hub, 1) = T(0);
    return bounds();
  };
  return distance_bound(n, range, limits, 16 + n / 1024, start, [&] {
    improve(best);
    return bounds();
  });
}

/// \brief distance_bound() of edges that are spread over devices by the rows of their entries.
///
/// A pass reads every edge where it lies. Between passes the bounds, 2 n numbers a device, are combined on the host.
///
/// \param devices  an instance for each share
/// \param entries  entries[s] is a rank-1 view of the edges of share s; see improve_hub_distances_by(), directed
/// \param rows     rows of each share except the last
/// \param hub      hub() is the vertex through which paths are to lead
template <class T, class ExecSpace, class Entries, class Hub>
std::optional<T> distance_bound(const std::vector<ExecSpace>& devices, const std::vector<Entries>& entries,
                                std::int64_t rows, std::int64_t n, const Hub& hub, WeightRange<T> range,
                                const std::vector<T>& limits) {
  const auto order = static_cast<std::size_t>(n);
  std::vector<HubDistances<T, ExecSpace>> distances;
  std::vector<HostHubDistances<T>> seen;
  const auto find_hub = [&] {
    for (const ExecSpace& exec : devices) {
      distances.emplace_back(Kokkos::view_alloc(exec, "blockfw::hub_distances", Kokkos::WithoutInitializing), order);
      seen.emplace_back("blockfw::hub_distances", order);
    }
    return hub();
  };
  return distance_bound_of_edges(n, range, limits, find_hub, [&](const HostHubDistances<T>& best) {
    in_threads(static_cast<int>(devices.size()), [&](int share) {
      const auto s = static_cast<std::size_t>(share);
      improve_hub_distances_by(devices[s], entries[s], share * rows, Direction::directed, distances[s], best, seen[s]);
    });
    for (const HostHubDistances<T>& there : seen)
      for (int side = 0; side < 2; ++side)
        for (std::size_t v = 0; v < order; ++v) best(v, side) = std::min(best(v, side), there(v, side));
  });
}

}  // namespace blockfw::detail
