// SPDX-License-Identifier: MIT
/// \file
/// \brief The arcs of an elimination: where each edge of a graph goes in the fronts, with which weight, and the arcs by
/// the vertex that they leave.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/graph/supernodes.hpp"
#include "blockfw/detail/loops/threads.hpp"
#include "blockfw/detail/matrices/edge_entries.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace blockfw::detail {

/// \brief The places of arcs in the fronts. They depend on the edges' vertices, not on their weights.
///
/// An edge is one arc, or two if it leads in both directions. An arc belongs to the front of its earlier vertex.
struct ArcPlan {
  /// Row and column of a front.
  struct Place {
    std::int32_t row, column;
    bool operator==(const Place&) const = default;
  };
  std::vector<std::size_t> first;   ///< supernode s has the arcs [first[s], first[s + 1])
  std::vector<Place> places;        ///< the place of each arc
  std::vector<std::uint32_t> edge;  ///< the edge of each arc; in a supernode the edges ascend
  std::size_t edges = 0;            ///< the number of edges, including edges without arcs
};

/// \brief Arcs with weights. The plan is shared by copies.
template <class T>
struct FrontArcs {
  std::shared_ptr<const ArcPlan> plan;
  std::vector<T> weights;
};

/// The number, in the order of elimination, of a row of a supernode's front.
inline std::int32_t number_of_row(const Supernode& node, std::int32_t row) {
  return row < node.width() ? node.first + row : node.boundary[static_cast<std::size_t>(row - node.width())];
}

/// \brief Finds the place of an edge.
/// \param place   on return the place in the front; a row or column of -1 if the structure has none
/// \return the supernode of the front
template <class E>
std::int32_t find_place(const Elimination& structure, const E& edge, ArcPlan::Place& place) {
  const std::int32_t from = structure.place[at(edge.from)], to = structure.place[at(edge.to)];
  const std::int32_t s = structure.owner[at(std::min(from, to))];
  const Supernode& node = structure.supernodes[at(s)];
  const auto row = [&](std::int32_t k) {
    if (k < node.last) return k - node.first;
    const auto there = std::lower_bound(node.boundary.begin(), node.boundary.end(), k);
    const bool found = there != node.boundary.end() && *there == k;
    return found ? node.width() + static_cast<std::int32_t>(there - node.boundary.begin()) : -1;
  };
  place = {row(from), row(to)};
  return s;
}

/// The host's threads look for the first edge of [0, count) for which accepts(edge) is false. The result is `count` if
/// accepts() is true for all edges.
template <class Host, class F>
std::size_t first_refused(const Host& exec, std::size_t count, const F& accepts) {
  constexpr std::size_t at_once = 1 << 13;
  std::atomic<std::size_t> refused = count;
  for_tasks(exec, static_cast<std::int64_t>(div_up(count, at_once)), "blockfw::arcs", [&](std::int64_t task) {
    std::size_t e = at(task) * at_once;
    const std::size_t end = std::min(count, e + at_once);
    while (e < end && accepts(e)) ++e;
    if (e == end) return;
    for (std::size_t before = refused; e < before && !refused.compare_exchange_weak(before, e);) {
    }
  });
  return refused;
}

/// \brief Finds the places of edges in the fronts, on the host's threads.
/// \param every  whether every edge gets an arc. This is needed if weights change later. Otherwise only edges that can
///               change a result get arcs, and the structure needs no places for the other edges.
/// \throws InvalidEdge  for a vertex out of range, an edge that the structure has no place for
/// \throws InvalidInput for more than 2^32 edges
/// \throws OutOfMemory  if the lists do not fit; thrown before they are allocated
template <Semiring S, class Host, class E>
ArcPlan plan_arcs(const Host& exec, const Elimination& structure, std::span<const E> edges, Direction direction,
                  bool every) {
  const auto n = static_cast<std::int64_t>(structure.order.size());
  const bool both = direction == Direction::undirected;
  if (edges.size() > std::numeric_limits<std::uint32_t>::max())
    throw InvalidInput("the graph has " + std::to_string(edges.size()) + " edges, expected at most 2^32 - 1");
  require_host_memory(
      "the lists of " + std::to_string(edges.size()) + " edges",
      static_cast<double>(edges.size()) * (both ? 3 : 2) * (sizeof(ArcPlan::Place) + sizeof(std::uint32_t)));
  constexpr std::int32_t none = -1;
  std::vector<ArcPlan::Place> places(edges.size());
  std::vector<std::int32_t> owner(edges.size(), none);
  const std::size_t e = first_refused(exec, edges.size(), [&](std::size_t edge) {
    if (!has_vertices(edges[edge], n)) return false;
    if (!every && !matters<S>(edges[edge])) return true;
    owner[edge] = find_place(structure, edges[edge], places[edge]);
    return std::min(places[edge].row, places[edge].column) >= 0;
  });
  if (e < edges.size()) {
    if (!has_vertices(edges[e], n)) throw_invalid_edge<S>(view_of(edges), static_cast<std::int64_t>(e), n);
    throw InvalidEdge(static_cast<std::int64_t>(e), "from " + std::to_string(edges[e].from) + " to " +
                                                        std::to_string(edges[e].to) +
                                                        ", expected one of the analysed network");
  }
  ArcPlan plan;
  plan.edges = edges.size();
  plan.first.resize(structure.supernodes.size() + 1, 0);
  for (const std::int32_t s : owner)
    if (s != none) plan.first[at(s) + 1] += both ? 2 : 1;
  std::partial_sum(plan.first.begin(), plan.first.end(), plan.first.begin());
  plan.places.resize(plan.first.back());
  plan.edge.resize(plan.first.back());
  auto next = plan.first;
  for (std::size_t edge = 0; edge < edges.size(); ++edge) {
    if (owner[edge] == none) continue;
    std::size_t& arc = next[at(owner[edge])];
    const auto add = [&](std::int32_t i, std::int32_t j) {
      plan.places[arc] = {i, j};
      plan.edge[arc++] = static_cast<std::uint32_t>(edge);
    };
    add(places[edge].row, places[edge].column);
    if (both) add(places[edge].column, places[edge].row);
  }
  return plan;
}

/// The weight of an arc: zero() for a self loop that does not matter.
template <Semiring S, class E, class T = typename S::value_type>
T weight_of_arc(const E& edge) {
  return matters<S>(edge) ? static_cast<T>(edge.weight) : S::zero();
}

/// \brief The range of the weights of edges.
/// \param closed  whether an integer weight of zero() is no edge. If not, the weight is a length that does not fit.
/// \throws InvalidEdge for a weight that the semiring does not take
template <Semiring S, class E, class T = typename S::value_type>
WeightRange<T> range_of(std::span<const E> edges, bool closed) {
  static_assert(converts<decltype(E::weight), T>,
                "blockfw: the weights must convert to the distances' type without loss");
  WeightRange<T> range;
  range.total = 0;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const T weight = static_cast<T>(edges[e].weight);
    if (!is_weight<S>(weight))
      throw_invalid_edge<S>(view_of(edges), static_cast<std::int64_t>(e), std::numeric_limits<std::int32_t>::max());
    if (!matters<S>(edges[e]) || (closed && weight == S::zero())) continue;
    range.smallest = std::min(range.smallest, weight);
    range.largest = std::max(range.largest, weight);
    range.total += std::abs(static_cast<double>(weight));
  }
  return range;
}

/// \brief The weights of the arcs of a plan.
/// \throws OutOfMemory if they do not fit; thrown before they are allocated
template <Semiring S, class E, class T = typename S::value_type>
std::vector<T> weights_of(const ArcPlan& plan, std::span<const E> edges) {
  require_host_memory("the weights of " + std::to_string(plan.edge.size()) + " arcs",
                      static_cast<double>(plan.edge.size()) * sizeof(T));
  std::vector<T> weights(plan.edge.size());
  for (std::size_t a = 0; a < weights.size(); ++a) weights[a] = weight_of_arc<S>(edges[plan.edge[a]]);
  return weights;
}

/// \brief Arcs between numbers of the order of elimination. Number k has the arcs [first[k], first[k + 1]). Parallel
/// arcs are in ascending order of their edges.
template <class T>
struct LeavingArcs {
  struct Arc {
    std::int32_t to;
    std::uint32_t edge;
    T weight;
  };
  std::vector<std::size_t> first;
  std::vector<Arc> arcs;

  std::span<const Arc> of(std::size_t k) const { return std::span(arcs).subspan(first[k], first[k + 1] - first[k]); }
};

/// \brief Calls f(from, to, arc) for each arc; from and to are numbers of the order of elimination.
template <class F>
void for_each_arc(const Elimination& structure, const ArcPlan& plan, const F& f) {
  for (std::size_t s = 0; s + 1 < plan.first.size(); ++s) {
    const Supernode& node = structure.supernodes[s];
    for (std::size_t a = plan.first[s]; a < plan.first[s + 1]; ++a)
      f(number_of_row(node, plan.places[a].row), number_of_row(node, plan.places[a].column), a);
  }
}

/// \brief The arcs that are edges, by the number that they leave.
/// \throws OutOfMemory if the lists do not fit; thrown before they are allocated
template <Semiring S, class T = typename S::value_type>
LeavingArcs<T> leaving_arcs(const Elimination& structure, const FrontArcs<T>& arcs) {
  LeavingArcs<T> leaving;
  require_host_memory("the lists of " + std::to_string(arcs.weights.size()) + " arcs",
                      static_cast<double>(arcs.weights.size()) * sizeof(typename LeavingArcs<T>::Arc));
  leaving.first.resize(structure.order.size() + 1, 0);
  for_each_arc(structure, *arcs.plan, [&](std::int32_t from, std::int32_t, std::size_t a) {
    leaving.first[at(from) + 1] += arcs.weights[a] != S::zero();
  });
  std::partial_sum(leaving.first.begin(), leaving.first.end(), leaving.first.begin());
  leaving.arcs.resize(leaving.first.back());
  auto next = leaving.first;
  for_each_arc(structure, *arcs.plan, [&](std::int32_t from, std::int32_t to, std::size_t a) {
    if (arcs.weights[a] != S::zero()) leaving.arcs[next[at(from)]++] = {to, arcs.plan->edge[a], arcs.weights[a]};
  });
  return leaving;
}

/// Leaving arcs that are made by the first call that needs them.
template <class T>
class LazyLeavingArcs {
 public:
  /// \brief The leaving arcs of `arcs`, which must be the same in each call. Any thread may call this.
  /// \throws OutOfMemory as leaving_arcs(); the next call tries again
  template <Semiring S>
  const LeavingArcs<T>& get(const Elimination& structure, const FrontArcs<T>& arcs) {
    std::call_once(made_, [&] { leaving_ = leaving_arcs<S>(structure, arcs); });
    return leaving_;
  }

 private:
  std::once_flag made_;
  LeavingArcs<T> leaving_;
};

/// \brief Keeps the plan of the last edges. Any thread may use it.
///
/// A comparison tells that edges have the vertices of the last edges. A new plan takes a search for each edge.
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
      auto made = std::make_shared<Kept>();
      made->direction = direction;
      made->plan = plan_arcs<S>(exec, structure, edges, direction, false);
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
    Direction direction = Direction::directed;
    ArcPlan plan;
    std::vector<std::pair<std::int32_t, std::int32_t>> ends;  ///< the ends of each edge
    std::vector<std::uint8_t> has_arc;                        ///< whether each edge has an arc
  };

  /// Whether edges have the vertices of the plan's edges. Edges without arcs must still change no result.
  template <Semiring S, class Host, class E>
  static bool fits(const Host& exec, const Kept& kept, std::span<const E> edges) {
    const auto is_same = [&](std::size_t e) {
      return edges[e].from == kept.ends[e].first && edges[e].to == kept.ends[e].second &&
             (kept.has_arc[e] != 0 || !matters<S>(edges[e]));
    };
    return kept.ends.size() == edges.size() && first_refused(exec, edges.size(), is_same) == edges.size();
  }

  std::mutex mutex_;
  std::shared_ptr<const Kept> last_;
};

}  // namespace blockfw::detail
