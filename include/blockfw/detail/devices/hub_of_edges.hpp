// SPDX-License-Identifier: MIT
/// \file
/// \brief An upper bound of all distances, out of edges that lie on several devices.
#pragma once

#include "blockfw/detail/in_threads.hpp"
#include "blockfw/detail/plan/narrow.hpp"
#include "blockfw/edges.hpp"
#include "blockfw/matrix.hpp"
#include "blockfw/weights.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace blockfw::detail {

/// The vertex that most of a few samples of the edges leave.
template <class Edges>
std::int64_t find_hub_of_edges(const Edges& edges) {
  const auto count = static_cast<std::int64_t>(edges.extent(0)), samples = std::min<std::int64_t>(count, 4096);
  std::map<std::int64_t, std::int64_t> leaving;
  for (std::int64_t sample = 0; sample < samples; ++sample) ++leaving[edges(count * sample / samples).from];
  const auto most = std::max_element(leaving.begin(), leaving.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == leaving.end() ? 0 : most->first;
}

/// \brief Lowers each vertex's bounds by paths of one more edge, or of several, out of the edges of some rows.
/// \param entries  the edges; `from` is a row, `to` a vertex
/// \param first    the vertex of row 0
///
/// (A thread that reads a bound while another one lowers it gets the old or the new bound, and both are valid.)
template <class ExecSpace, class Entries, class Lines>
void improve_hub_lines_by(const ExecSpace& exec, const Entries& entries, std::int64_t first, const Lines& lines) {
  using T = typename Lines::value_type;
  Kokkos::parallel_for(
      "blockfw::improve_hub_lines",
      Kokkos::RangePolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>(exec, 0, entries.extent(0)),
      KOKKOS_LAMBDA(std::int64_t e) {
        const auto entry = entries(e);
        const std::int64_t u = first + entry.from, v = entry.to;
        const T weight = static_cast<T>(entry.weight);
        const T from_hub = lines(u, 0), to_hub = lines(v, 1);
        if (from_hub < infinity<T> && static_cast<T>(from_hub + weight) < lines(v, 0))
          Kokkos::atomic_min(&lines(v, 0), static_cast<T>(from_hub + weight));
        if (to_hub < infinity<T> && static_cast<T>(weight + to_hub) < lines(u, 1))
          Kokkos::atomic_min(&lines(u, 1), static_cast<T>(weight + to_hub));
      });
}

/// \brief distance_bound() of edges that are spread over devices by the rows of their entries.
///
/// A pass reads every edge where it lies; between passes the lines, 2 n numbers a device, meet on the host. There are
/// at most 16 + n/1024.
///
/// \param devices  an instance for each share
/// \param entries  entries[s] is a rank-1 view of the edges of share s; see improve_hub_lines_by()
/// \param rows     rows of a share but the last
/// \param hub      hub() is the vertex that paths are to lead through
template <class T, class ExecSpace, class Entries, class Hub>
std::optional<T> distance_bound(const std::vector<ExecSpace>& devices, const std::vector<Entries>& entries,
                                std::int64_t rows, std::int64_t n, const Hub& hub, WeightRange<T> range,
                                const std::vector<T>& limits) {
  using OnHost = HubLines<T, Kokkos::DefaultHostExecutionSpace>;
  const auto order = static_cast<std::size_t>(n);
  OnHost best;
  std::vector<HubLines<T, ExecSpace>> lines;
  std::vector<OnHost> seen;
  const auto bounds = [&] {
    HubBounds<T> now;
    for (int way = 0; way < 2; ++way)
      for (std::size_t v = 0; v < order; ++v)
        if (const T x = best(v, way); x < infinity<T>)
          now.farthest[way] = std::max(now.farthest[way], x);
        else
          ++now.missing[way];
    return now;
  };
  const auto start = [&] {
    best = OnHost("blockfw::hub_lines", order);
    Kokkos::deep_copy(best, infinity<T>);
    const std::int64_t through = hub();
    best(through, 0) = best(through, 1) = T(0);
    for (const ExecSpace& exec : devices) {
      lines.emplace_back(Kokkos::view_alloc(exec, "blockfw::hub_lines", Kokkos::WithoutInitializing), order);
      seen.emplace_back("blockfw::hub_lines", order);
    }
    return bounds();
  };
  return distance_bound(n, range, limits, 16 + n / 1024, start, [&] {
    in_threads(static_cast<int>(devices.size()), [&](int share) {
      const auto s = static_cast<std::size_t>(share);
      Kokkos::deep_copy(devices[s], lines[s], best);
      improve_hub_lines_by(devices[s], entries[s], share * rows, lines[s]);
      Kokkos::deep_copy(devices[s], seen[s], lines[s]);
      devices[s].fence("blockfw::hub_lines");
    });
    for (const OnHost& there : seen)
      for (int way = 0; way < 2; ++way)
        for (std::size_t v = 0; v < order; ++v) best(v, way) = std::min(best(v, way), there(v, way));
    return bounds();
  });
}

}  // namespace blockfw::detail
