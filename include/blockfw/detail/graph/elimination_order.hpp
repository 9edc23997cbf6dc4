// SPDX-License-Identifier: MIT
/// \file
/// \brief An order of elimination with little fill by approximate minimum degree, and the structure of the elimination
/// in this order.
#pragma once

#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/graph/elimination_steps.hpp"
#include "blockfw/detail/graph/minimum_degree.hpp"
#include "blockfw/detail/graph/neighbours.hpp"
#include "blockfw/detail/graph/supernodes.hpp"
#include "blockfw/detail/loops/threads.hpp"
#include "blockfw/ground/options.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace blockfw::detail {

/// The mean number of vertices of a region of a large graph.
inline constexpr std::int32_t size_of_region = 4096;

/// \brief Finds an order of elimination with little fill, by approximate minimum degree.
/// \param neighbours  of each vertex
/// \param limits      when to give up
/// \param size        the mean number of vertices of a region
/// \param hubs        on return the vertices with very many neighbours, which no step has
/// \return the steps that eliminate the other vertices. Boundaries are places in the order, without hubs. Nothing if a
///         limit is exceeded
///
/// A large graph is parted into regions. First come their inner vertices of low degree: the next free host thread
/// eliminates the inner vertices of a region. Then the calling thread eliminates the rest, some percent of a road
/// network. The order does not depend on the number of threads.
///
/// Hubs are to come last. Otherwise each of their neighbours would read these long lists when it is eliminated.
inline std::optional<EliminationSteps> minimum_degree_steps(const Neighbours& neighbours, const OrderLimits& limits,
                                                            std::int32_t size, std::vector<std::int32_t>& hubs) {
  using Index = std::int32_t;
  // (Measured on roads, meshes and random graphs: from 4 to 8 the elements of a factor are the same within 5%. Lower
  // degrees leave more to the calling thread. With 16, random graphs get 15% more elements.)
  constexpr Index most_degree = 6;
  const auto n = static_cast<Index>(neighbours.vertices());
  const Regions regions = regions_of(neighbours, size, std::max(16.0, 10 * std::sqrt(static_cast<double>(n))));
  const auto count = static_cast<Index>(regions.order.size());
  std::vector<Index> place(at(n), -1);
  for (Index k = 0; k < count; ++k) place[at(regions.order[at(k)])] = k;
  double fill_of_hubs = 0;
  for (Index v = 0; count < n && v < n; ++v) {
    if (place[at(v)] >= 0) continue;
    hubs.push_back(v);
    for (const Index u : neighbours.of(v)) fill_of_hubs += place[at(u)] >= 0 || u > v;  // (each edge once)
  }

  QuotientGraph graph;
  std::vector<QuotientGraph::Region> rooms;
  std::int64_t room = 0;
  for (std::size_t r = 0; r < regions.entries.size(); ++r) {
    const Index first = regions.first[r], end = regions.first[r + 1];
    const std::int64_t entries = regions.entries[r] + regions.entries[r] / 5 + end - first;
    rooms.push_back({first, end, room, room, room + entries});
    room += entries;
  }
  graph.nodes = std::make_unique_for_overwrite<QuotientGraph::Node[]>(at(count));
  graph.lists = std::make_unique_for_overwrite<Index[]>(static_cast<std::size_t>(room));
  MinimumDegree rest(graph, {0, count, 0, room, room}, count, count);
  std::vector<std::optional<MinimumDegree>> parts(rooms.size());
  for_host_tasks(std::ssize(parts), "blockfw::minimum_degree", [&](std::int64_t task) {
    const auto r = static_cast<std::size_t>(task);
    graph.fill(rooms[r], neighbours, regions.order, place);
    if (parts.size() > 1) parts[r].emplace(graph, rooms[r], most_degree, count).eliminate(limits);
  });
  rest.add_fill(fill_of_hubs);
  for (auto& part : parts) {
    if (part) rest.follow(*part);
    part.reset();  // frees its memory
  }
  rest.eliminate(limits);
  if (rest.exceeds(limits)) return std::nullopt;
  EliminationSteps steps = std::move(rest.steps());
  for (std::size_t k = 0; k < steps.order.size(); ++k)
    place[at(std::exchange(steps.order[k], regions.order[at(steps.order[k])]))] = static_cast<Index>(k);
  for_host_pieces(steps.boundaries.size(), "blockfw::runs", [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) steps.boundaries[i].first = place[at(steps.boundaries[i].first)];
  });
  return steps;
}

/// \brief The order of minimum_degree_steps(), and then the hubs.
/// \return nothing if a limit is exceeded
///
/// (A template, so that a library can hold it: ../compiled.)
template <class = void>
std::optional<std::vector<std::int32_t>> minimum_degree_order(const Neighbours& neighbours,
                                                              const OrderLimits& limits = {},
                                                              std::int32_t size = size_of_region) {
  std::vector<std::int32_t> hubs;
  auto steps = minimum_degree_steps(neighbours, limits, size, hubs);
  if (!steps) return std::nullopt;
  steps->order.insert(steps->order.end(), hubs.begin(), hubs.end());
  return std::move(steps->order);
}

/// \brief The supernodes of an order of little fill (minimum_degree_steps()); nothing if a limit is exceeded.
///
/// The search for the order finds the boundaries, too. With hubs, or with steps that are too wide, they are found anew.
/// \param purpose, most_width, memory  as in find_supernodes()
/// \param limits, size                 as in minimum_degree_steps()
/// \throws OutOfMemory if the supernodes would take more than `memory`; thrown before they are allocated
///
/// (A template, so that a library can hold it: ../compiled.)
template <class = void>
std::optional<Elimination> built_in_elimination(const Neighbours& neighbours, Purpose purpose, std::int32_t most_width,
                                                double memory, const OrderLimits& limits = {},
                                                std::int32_t size = size_of_region) {
  std::vector<std::int32_t> hubs;
  std::optional<EliminationSteps> steps = minimum_degree_steps(neighbours, limits, size, hubs);
  if (!steps) return std::nullopt;
  if (hubs.empty() && steps->widest() <= most_width) return supernodes_of_steps(*steps, purpose, most_width, memory);
  std::vector<std::int32_t> order = std::move(steps->order);
  steps.reset();  // frees the boundaries
  order.insert(order.end(), hubs.begin(), hubs.end());
  return find_supernodes(neighbours, order, purpose, most_width, memory);
}

}  // namespace blockfw::detail
