// SPDX-License-Identifier: MIT
/// \file
/// \brief Summary of the vertices that one vertex reaches.
#pragma once

#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/vertex.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace blockfw {

/// \brief Summary of the vertices that one vertex reaches, or that reach it; the vertex itself is among them.
template <Element T>
struct Reach {
  /// The type of a sum of distances: exact for integers of up to 32 bits.
  using Sum = std::conditional_t<std::is_integral_v<T> && sizeof(T) < 8, std::int64_t, double>;

  std::int64_t vertices = 0;                 ///< the number of these vertices
  Sum sum = 0;                               ///< of the distances to, or from, them
  T farthest = -infinity<T>;                 ///< the longest of these distances
  std::int64_t farthest_vertex = no_vertex;  ///< the smallest vertex at that distance

  /// Adds a vertex at a distance, which may be infinite. The vertex must be larger than those added before.
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

}  // namespace blockfw

/// \cond
template <class T>
struct Kokkos::reduction_identity<blockfw::Reach<T>> {
  static KOKKOS_FUNCTION blockfw::Reach<T> sum() { return {}; }
};
/// \endcond
