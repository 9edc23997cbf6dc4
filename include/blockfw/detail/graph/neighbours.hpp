// SPDX-License-Identifier: MIT
/// \file
/// \brief The neighbours of each vertex, out of a list of edges: lists, or the arrays that libraries for orders take.
#pragma once

#include "blockfw/detail/graph/elimination_order.hpp"
#include "blockfw/edges.hpp"
#include "blockfw/error.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <ranges>
#include <string>
#include <vector>

namespace blockfw::detail {

/// \brief For each vertex its neighbours either way: ascending, without repetitions or the vertex itself.
/// \param n      number of vertices
/// \param edges  host container of edges; their weights and directions do not matter
/// \throws InvalidInput, InvalidEdge  for n out of range, a vertex out of range
template <std::ranges::contiguous_range Edges>
Neighbours neighbours_of(std::int64_t n, const Edges& edges) {
  if (n < 0 || n > std::numeric_limits<std::int32_t>::max())
    throw InvalidInput("the number of vertices is " + std::to_string(n) + ", expected 0 to 2^31 - 1");
  Neighbours all(static_cast<std::size_t>(n));
  std::int64_t index = 0;
  for (const auto& edge : edges) {
    if (!has_vertices(edge, n))
      throw_invalid_edge<decltype(std::ranges::range_value_t<Edges>::weight)>(view_of(edges), index, n);
    if (edge.from != edge.to) {
      all[static_cast<std::size_t>(edge.from)].push_back(edge.to);
      all[static_cast<std::size_t>(edge.to)].push_back(edge.from);
    }
    ++index;
  }
  for (auto& mine : all) {
    std::sort(mine.begin(), mine.end());
    mine.erase(std::unique(mine.begin(), mine.end()), mine.end());
  }
  return all;
}

/// The number of all neighbours of all vertices: two for each pair.
inline std::size_t count_neighbours(const Neighbours& neighbours) {
  std::size_t count = 0;
  for (const auto& mine : neighbours) count += mine.size();
  return count;
}

/// The neighbours of all vertices in one array: those of vertex v are [first[v], first[v + 1]) of it.
template <std::integral Index>
struct NeighbourArrays {
  std::vector<Index> first;       ///< one more than there are vertices
  std::vector<Index> neighbours;  ///< of vertex 0, of vertex 1, ...
};

/// \brief Copies the lists into arrays for a library.
/// \tparam Index  the library's integers
/// \param neighbours  of each vertex
/// \param library     its name, for the message
/// \throws InvalidInput when Index is too short to count the vertices or their neighbours
template <std::integral Index>
NeighbourArrays<Index> arrays_of(const Neighbours& neighbours, const std::string& library) {
  const std::size_t n = neighbours.size(), count = count_neighbours(neighbours);
  constexpr auto most = static_cast<std::size_t>(std::numeric_limits<Index>::max());
  if (n + 1 > most || count > most)
    throw InvalidInput("a graph of " + std::to_string(n) + " vertices with " + std::to_string(count) +
                       " neighbours in all is too large for " + library + ", whose integers have " +
                       std::to_string(8 * sizeof(Index)) + " bits here");
  NeighbourArrays<Index> arrays;
  arrays.first.reserve(n + 1);
  arrays.neighbours.reserve(count);
  for (const auto& mine : neighbours) {
    arrays.first.push_back(static_cast<Index>(arrays.neighbours.size()));
    for (const std::int32_t v : mine) arrays.neighbours.push_back(static_cast<Index>(v));
  }
  arrays.first.push_back(static_cast<Index>(count));
  return arrays;
}

/// The vertices as they are numbered: as good as any order where there are no edges, which libraries may refuse.
inline std::vector<std::int32_t> natural_order(std::size_t n) {
  std::vector<std::int32_t> order(n);
  for (std::size_t k = 0; k < n; ++k) order[k] = static_cast<std::int32_t>(k);
  return order;
}

}  // namespace blockfw::detail
