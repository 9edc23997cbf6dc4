// SPDX-License-Identifier: MIT
/// \file
/// \brief Answers that are no matrices: the reach of a vertex, its nearest places, paths, loads of edges. And the
/// number that stands for no vertex.
#pragma once

#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace blockfw {

/// Stands for no vertex in every array and structure of vertices: predecessors and next hops where there is no path and
/// at the source itself, cycles of graphs without one. SciPy uses the same value. (A function that returns a single
/// vertex returns a std::optional.)
inline constexpr std::int32_t no_vertex = -9999;

/// \brief Summary of the vertices that one vertex reaches, or that reach it; the vertex itself is among them.
template <Element T>
struct Reach {
  /// The type of a sum of distances: exact for integers of up to 32 bits.
  using Sum = std::conditional_t<std::is_integral_v<T> && sizeof(T) < 8, std::int64_t, double>;

  std::int64_t vertices = 0;                 ///< the number of these vertices
  Sum sum = 0;                               ///< the sum of the distances to, or from, these vertices
  T farthest = -infinity<T>;                 ///< the longest of these distances
  std::int64_t farthest_vertex = no_vertex;  ///< the smallest vertex at that distance

  /// Adds a vertex at a distance, which may be infinite. The vertex must be larger than all vertices that were added
  /// before.
  KOKKOS_FORCEINLINE_FUNCTION void see(std::int64_t vertex, T distance) {
    if (!(distance < infinity<T>)) return;
    ++vertices;
    sum += static_cast<Sum>(distance);
    if (!(distance > farthest)) return;
    farthest = distance;
    farthest_vertex = vertex;
  }

  /// Adds a summary of other vertices. Of two vertices at the same distance the smaller one is kept.
  KOKKOS_FUNCTION Reach& operator+=(const Reach& other) {
    vertices += other.vertices;
    sum += other.sum;
    if (other.vertices > 0 && (farthest_vertex < 0 || other.farthest > farthest ||
                               (other.farthest == farthest && other.farthest_vertex < farthest_vertex))) {
      farthest = other.farthest;
      farthest_vertex = other.farthest_vertex;
    }
    return *this;
  }
};

/// Which distances count: from a vertex to the others, or from the others to it.
enum class Towards { others, itself };

/// \brief The nearest places of some vertices.
template <Element T>
struct NearestPlaces {
  std::size_t count = 0;            ///< places of each vertex
  std::vector<std::int32_t> place;  ///< entry v · count + i: the index, in the caller's list, of the place that is
                                    ///< number i of vertex v; no_vertex if it has fewer
  std::vector<T> distance;  ///< the distance from the vertex to this place; infinity<T> if the vertex has fewer places
};

/// \brief Rows of vertices with distances. Row r has the entries [first[r], first[r + 1]), by ascending vertices.
template <Element T>
struct VerticesInReach {
  std::vector<std::int64_t> first = {0};  ///< where each row begins, and the end of the last
  std::vector<std::int32_t> vertices;     ///< of all rows
  std::vector<T> distances;               ///< the distances of these vertices
};

/// \brief Some paths. Path p has the vertices [first[p], first[p + 1]), both ends included; it is empty without a path.
struct PathList {
  std::vector<std::int64_t> first = {0};  ///< where each path begins, and the end of the last
  std::vector<std::int32_t> vertices;     ///< of all paths
};

/// \brief The edges of some paths. Path p has the edges [first[p], first[p + 1]), in its order; it is empty without a
/// path, and from a vertex to itself.
struct PathEdges {
  std::vector<std::int64_t> first = {0};  ///< where each path begins, and the end of the last
  std::vector<std::int64_t> edges;        ///< the edges of all paths, as indices in the caller's list of edges
};

/// \brief The loads of edges: the demand of the pairs of vertices whose path takes the edge.
struct EdgeLoads {
  std::vector<double> loads;  ///< the load of each edge, in the order of the caller's list
  double unserved = 0;        ///< the demand of the pairs without a path
};

}  // namespace blockfw

/// \cond
template <class T>
struct Kokkos::reduction_identity<blockfw::Reach<T>> {
  static KOKKOS_FUNCTION blockfw::Reach<T> sum() { return {}; }
};
/// \endcond
