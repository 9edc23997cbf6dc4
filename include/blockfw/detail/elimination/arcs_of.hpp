// SPDX-License-Identifier: MIT
/// \file
/// \brief The arcs of an elimination, out of the edges of a graph.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/elimination/factor.hpp"
#include "blockfw/detail/graph/supernodes.hpp"
#include "blockfw/detail/matrices/edge_entries.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace blockfw::detail {

/// \brief The arcs that matter, by the supernode of their earlier end.
/// \param range  takes up the weights' range
/// \throws InvalidEdge  for an edge that the structure has no place for, a vertex out of range, a NaN
/// \throws OutOfMemory  if the lists do not fit; thrown before they are allocated
template <Semiring S, class E, class T = typename S::value_type>
Arcs<T> arcs_of(const Elimination& structure, std::span<const E> edges, Direction direction, WeightRange<T>& range) {
  static_assert(converts<decltype(E::weight), T>,
                "blockfw: the weights must convert to the distances' type without loss");
  const auto n = static_cast<std::int64_t>(structure.order.size());
  const auto at = [](auto i) { return static_cast<std::size_t>(i); };
  const auto place = [&](std::int64_t vertex) { return structure.place[at(vertex)]; };
  const auto owner = [&](std::int32_t number) { return at(structure.owner[at(number)]); };
  const bool both = direction == Direction::undirected;
  Arcs<T> arcs;
  const std::size_t count = (both ? 2 : 1) * edges.size();
  constexpr int copies = 3;  // in the order of the edges, by supernodes, by the vertex that the arcs leave
  require_host_memory("the lists of " + std::to_string(count) + " arcs",
                      copies * static_cast<double>(count) * sizeof(typename Arcs<T>::Arc));
  arcs.arcs.reserve(count);
  range.total = 0;
  std::int64_t number = 0;
  for (const auto& edge : edges) {
    if (!is_valid<S>(edge, n)) throw_invalid_edge<S>(view_of(edges), number, n);
    const std::int64_t index = number++;
    if (!matters<S>(edge)) continue;
    const T weight = static_cast<T>(edge.weight);
    range.smallest = std::min(range.smallest, weight);
    range.largest = std::max(range.largest, weight);
    range.total += std::abs(static_cast<double>(weight));
    const std::int32_t i = place(edge.from), j = place(edge.to), late = std::max(i, j);
    const Supernode& node = structure.supernodes[owner(std::min(i, j))];
    if (late >= node.last && !std::binary_search(node.boundary.begin(), node.boundary.end(), late))
      throw InvalidEdge(index, "from " + std::to_string(edge.from) + " to " + std::to_string(edge.to) +
                                   ", expected one of the analysed network");
    arcs.arcs.push_back({i, j, weight});
    if (both) arcs.arcs.push_back({j, i, weight});
  }
  return sorted_by(arcs, static_cast<std::int64_t>(structure.supernodes.size()),
                   [&](const auto& arc) { return owner(std::min(arc.from, arc.to)); });
}

}  // namespace blockfw::detail
