// SPDX-License-Identifier: MIT
/// \file
/// \brief The places of the arcs of a factor, kept for the next factor of the same edges with other weights.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/elimination/front_arcs.hpp"
#include "blockfw/detail/graph/supernodes.hpp"
#include "blockfw/detail/loops/host_tasks.hpp"
#include "blockfw/detail/matrices/edge_entries.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/rounding.hpp"
#include "blockfw/ground/semiring.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace blockfw::detail {

/// \brief The plan of the last edges. For any threads.
///
/// It takes some comparisons to see that edges have the vertices of the last edges, and a search for each edge to place
/// its arcs.
class KeptArcPlan {
 public:
  /// \brief The plan of these edges; see plan_arcs(). Edges that do not matter have no arcs.
  template <Semiring S, class Host, class E>
  std::shared_ptr<const ArcPlan> get(const Host& exec, const Elimination& structure, std::span<const E> edges,
                                     Direction direction) {
    std::shared_ptr<const Kept> last;
    {
      const std::lock_guard lock(mutex_);
      last = last_;
    }
    if (!last || last->direction != direction || !fits<S>(exec, *last, edges)) {
      require_host_memory("the ends of " + std::to_string(edges.size()) + " edges",
                          static_cast<double>(edges.size()) * (2 * sizeof(std::int32_t) + 1));
      auto made = std::make_shared<Kept>(direction, plan_arcs<S>(exec, structure, edges, direction, false));
      made->has_arc.resize(edges.size());
      for (const std::uint32_t e : made->plan.edge) made->has_arc[e] = 1;
      made->ends.reserve(edges.size());
      for (const E& edge : edges) made->ends.emplace_back(edge.from, edge.to);
      last = std::move(made);
      const std::lock_guard lock(mutex_);
      last_ = last;
    }
    return {last, &last->plan};
  }

 private:
  struct Kept {
    Kept(Direction of, ArcPlan&& arcs) : direction(of), plan(std::move(arcs)) {}
    Direction direction;
    ArcPlan plan;
    std::vector<std::pair<std::int32_t, std::int32_t>> ends;  ///< of each edge
    std::vector<std::uint8_t> has_arc;                        ///< of each edge
  };

  /// Whether edges have the vertices of the plan's edges, and those without arcs still do not matter.
  template <Semiring S, class Host, class E>
  static bool fits(const Host& exec, const Kept& kept, std::span<const E> edges) {
    if (kept.ends.size() != edges.size()) return false;
    constexpr std::size_t at_once = 1 << 14;
    std::atomic<bool> same = true;
    for_tasks(exec, static_cast<std::int64_t>(div_up(edges.size(), at_once)), "blockfw::arcs", [&](std::int64_t task) {
      const std::size_t first = static_cast<std::size_t>(task) * at_once;
      for (std::size_t e = first; e < std::min(edges.size(), first + at_once); ++e)
        if (edges[e].from != kept.ends[e].first || edges[e].to != kept.ends[e].second ||
            (kept.has_arc[e] == 0 && matters<S>(edges[e]))) {
          same = false;
          return;
        }
    });
    return same;
  }

  std::mutex mutex_;
  std::shared_ptr<const Kept> last_;
};

}  // namespace blockfw::detail
