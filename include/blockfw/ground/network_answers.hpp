// SPDX-License-Identifier: MIT
/// \file
/// \brief Answers of a network that are no matrix: nearest places, vertices in reach, paths.
#pragma once

#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/vertex.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace blockfw {

/// \brief The nearest places of some vertices.
template <Element T>
struct NearestPlaces {
  std::size_t count = 0;            ///< places of each vertex
  std::vector<std::int32_t> place;  ///< entry v · count + i: the index, in the caller's list, of the place that is
                                    ///< number i of vertex v; no_vertex if it has fewer
  std::vector<T> distance;          ///< from the vertex to this place; infinity<T> if it has fewer
};

/// \brief Rows of vertices with distances. Row r has the entries [first[r], first[r + 1]), by ascending vertices.
template <Element T>
struct VerticesInReach {
  std::vector<std::int64_t> first = {0};  ///< where each row begins, and the end of the last
  std::vector<std::int32_t> vertices;     ///< of all rows
  std::vector<T> distances;               ///< of these vertices
};

/// \brief Some paths. Path p has the vertices [first[p], first[p + 1]), both ends included; none without a path.
struct PathList {
  std::vector<std::int64_t> first = {0};  ///< where each path begins, and the end of the last
  std::vector<std::int32_t> vertices;     ///< of all paths
};

}  // namespace blockfw
