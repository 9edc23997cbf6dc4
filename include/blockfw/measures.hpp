// SPDX-License-Identifier: MIT
/// \file
/// \brief Measures of a graph from its solved distances: reachability, eccentricities, diameter, centre, closeness.
///
/// \code
///   const auto reach = blockfw::reach(exec, d);  // on the host, an entry for each vertex
///   const auto extent = blockfw::extent_of(reach);
///   const double closeness = blockfw::closeness(reach[0], d.extent_int(0));
///   std::printf("%-10s radius %d, diameter %d\n", when, extent.radius, extent.diameter);
/// \endcode
#pragma once

#include "blockfw/detail/matrices/reach_of_matrix.hpp"
#include "blockfw/ground/answers.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace blockfw {

/// \brief Computes for each vertex of a solved graph a summary of the vertices that it reaches, or that reach it.
///
/// \param exec     the instance to run on
/// \param d        square rank-2 view as solve() gives it: infinity<T> without a path
/// \param towards  which distances count: rows of d (others), or columns (itself)
/// \return on the host, an entry for each vertex. exec is fenced.
/// \throws InvalidInput when d is not square
///
/// O(n²), one read of the matrix. Memory: n entries. A device has n more entries, and up to 2^18 further ones, kept for
/// the next call. A sum of floats rounds; the order of its additions is always the same.
template <class ExecSpace, MatrixView View>
std::vector<Reach<typename View::non_const_value_type>> reach(const ExecSpace& exec, const View& d,
                                                              Towards towards = Towards::others) {
  require_reachable<ExecSpace, View>();
  require_square(d);
  return detail::reach_of_matrix(exec, d, towards == Towards::others);
}

/// The longest distance from the vertex to any of the n vertices. It is infinity<T> when the vertex does not reach all
/// of them.
template <Element T>
T eccentricity(const Reach<T>& reach, std::int64_t n) {
  return reach.vertices < n ? infinity<T> : reach.farthest;
}

/// \brief Closeness centrality: (r - 1) / (sum of distances) · (r - 1) / (n - 1), where r vertices are reached.
///
/// The definition is that of Wasserman and Faust (*Social Network Analysis*, 1994). NetworkX uses it, too, with the
/// distances to a vertex, Towards::itself. The result is 0 for a vertex that reaches no other vertex.
template <Element T>
double closeness(const Reach<T>& reach, std::int64_t n) {
  const auto others = static_cast<double>(reach.vertices - 1), sum = static_cast<double>(reach.sum);
  return others > 0 && sum > 0 ? others / sum * (others / static_cast<double>(n - 1)) : 0;
}

/// \brief Radius, diameter and centre of a graph.
///
/// For integers printf() prints infinity<T> as a number. `centre.empty()` says that there is no radius, and `connected`
/// says whether there is a diameter.
template <Element T>
struct Extent {
  bool connected = true;             ///< whether every vertex reaches all others
  T radius = T(0);                   ///< the smallest eccentricity; infinity<T> when no vertex reaches all
  T diameter = T(0);                 ///< the largest eccentricity; infinity<T> when not connected
  T longest = T(0);                  ///< the longest finite distance, between `from` and `to`
  std::int64_t from = no_vertex,     ///< where the longest finite distance begins; no_vertex in an empty graph
      to = no_vertex;                ///< where that distance ends
  std::vector<std::int64_t> centre;  ///< the vertices whose eccentricity is the radius; empty if the radius is infinite
};

/// Computes the extent from the Reach of every vertex. O(n).
template <Element T>
Extent<T> extent_of(const std::vector<Reach<T>>& reach) {
  const auto n = static_cast<std::int64_t>(reach.size());
  Extent<T> extent;
  if (n == 0) return extent;
  extent.radius = infinity<T>;
  extent.longest = -infinity<T>;
  for (std::int64_t v = 0; v < n; ++v) {
    const Reach<T>& r = reach[static_cast<std::size_t>(v)];
    const T e = eccentricity(r, n);
    extent.diameter = v == 0 ? e : std::max(extent.diameter, e);
    extent.connected = extent.connected && r.vertices == n;
    if (r.farthest > extent.longest) {
      extent.longest = r.farthest;
      extent.from = v;
      extent.to = r.farthest_vertex;
    }
    if (e == infinity<T> || e > extent.radius) continue;
    if (e < extent.radius) extent.centre.clear();
    extent.radius = e;
    extent.centre.push_back(v);
  }
  return extent;
}

}  // namespace blockfw
