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

#include "blockfw/detail/backend/backend.hpp"
#include "blockfw/detail/backend/unroll.hpp"
#include "blockfw/detail/rounding.hpp"
#include "blockfw/matrix.hpp"
#include "blockfw/semiring.hpp"
#include "blockfw/tile.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace blockfw {

/// \brief Summary of the vertices that one vertex reaches, or that reach it; the vertex itself is among them.
template <Element T>
struct Reach {
  /// The type of a sum of distances: exact for integers of up to 32 bits.
  using Sum = std::conditional_t<std::is_integral_v<T> && sizeof(T) < 8, std::int64_t, double>;

  std::int64_t vertices = 0;          ///< the number of these vertices
  Sum sum = 0;                        ///< of the distances to, or from, them
  T farthest = -infinity<T>;          ///< the longest of these distances
  std::int64_t farthest_vertex = -1;  ///< the smallest vertex at that distance

  /// Adds `Count` vertices from `vertex` on, `apart` from each other, while they are below `end`; all must be larger
  /// than those added before. Reads all distances before it uses any.
  template <int Count, class Distances>
  KOKKOS_FORCEINLINE_FUNCTION void see(std::int64_t vertex, int apart, std::int64_t end, const Distances& distance) {
    T there[Count];
    BLOCKFW_UNROLL
    for (int i = 0; i < Count; ++i) there[i] = vertex + i * apart < end ? distance(vertex + i * apart) : infinity<T>;
    BLOCKFW_UNROLL
    for (int i = 0; i < Count; ++i) {
      if (!(there[i] < infinity<T>)) continue;
      ++vertices;
      sum += static_cast<Sum>(there[i]);
      if (!(there[i] > farthest)) continue;
      farthest = there[i];
      farthest_vertex = vertex + i * apart;
    }
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

namespace blockfw {

namespace detail {

/// \brief Reach of the lines of a matrix: of its rows, or of its columns.
/// \return on the host, an entry for each line; exec is fenced
template <class ExecSpace, MatrixView View>
std::vector<Reach<typename View::non_const_value_type>> reach_of_lines(const ExecSpace& exec, const View& d,
                                                                       bool rows) {
  using T = typename View::non_const_value_type;
  const auto lines = static_cast<std::int64_t>(d.extent(rows ? 0 : 1)),
             n = static_cast<std::int64_t>(d.extent(rows ? 1 : 0));
  const Kokkos::View<Reach<T>*, typename ExecSpace::memory_space> seen(Kokkos::view_alloc(exec, "blockfw::reach"),
                                                                       d.extent(rows ? 0 : 1));
  const bool contiguous = rows == (d.stride(1) <= d.stride(0));
  // A line is a row or column to sum up. A team reads each contiguous line; others are read side by side. A thread
  // reads several entries before it uses any, to hide a device's memory latency.
  constexpr bool on_host = is_host_space<ExecSpace>;
  if (contiguous) {
    constexpr int at_once = on_host ? 1 : 8;
    using Lines = Kokkos::TeamPolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>;
    const int league = static_cast<int>(lines);
    Kokkos::parallel_for(
        "blockfw::reach", on_host ? Lines(exec, league, Kokkos::AUTO) : Lines(exec, league, 128),
        KOKKOS_LAMBDA(const typename Lines::member_type& team) {
          const std::int64_t v = team.league_rank();
          const int threads = team.team_size();
          Reach<T> all;
          Kokkos::parallel_reduce(
              Kokkos::TeamThreadRange(team, threads),
              [&](int thread, Reach<T>& part) {
                for (std::int64_t w = thread; w < n; w += at_once * threads)
                  part.template see<at_once>(w, threads, n,
                                             [&](std::int64_t to) { return rows ? d(v, to) : d(to, v); });
              },
              Kokkos::Sum<Reach<T>>(all));
          Kokkos::single(Kokkos::PerTeam(team), [&] { seen(v) = all; });
        });
  } else {
    // An iteration takes some lines and a slice of their entries: a device needs many iterations.
    constexpr int beside = on_host ? 64 : 1, at_once = 8;
    const std::int64_t runs = detail::div_up(lines, beside);
    const std::int64_t slices = on_host ? 1 : 1 + (1 << 18) / (runs + 1);
    const Kokkos::View<Reach<T>**, Kokkos::LayoutRight, typename ExecSpace::memory_space> parts(
        Kokkos::view_alloc(exec, "blockfw::reach", Kokkos::WithoutInitializing), static_cast<std::size_t>(slices),
        seen.extent(0));
    using Range = Kokkos::RangePolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>;
    Kokkos::parallel_for(
        "blockfw::reach", Range(exec, 0, runs * slices), KOKKOS_LAMBDA(std::int64_t part) {
          const std::int64_t slice = part / runs, first = part % runs * beside, end = n * (slice + 1) / slices;
          const int columns = static_cast<int>(Kokkos::min<std::int64_t>(beside, lines - first));
          Reach<T> all[beside];
          for (std::int64_t w = n * slice / slices; w < end; w += at_once)
            for (int c = 0; c < columns; ++c)
              all[c].template see<at_once>(w, 1, end,
                                           [&](std::int64_t to) { return rows ? d(first + c, to) : d(to, first + c); });
          for (int c = 0; c < columns; ++c) parts(slice, first + c) = all[c];
        });
    Kokkos::parallel_for(
        "blockfw::reach", Range(exec, 0, lines), KOKKOS_LAMBDA(std::int64_t v) {
          Reach<T> all;
          for (std::int64_t slice = 0; slice < slices; ++slice) all += parts(slice, v);
          seen(v) = all;
        });
  }
  std::vector<Reach<T>> result(seen.extent(0));
  Kokkos::deep_copy(
      exec,
      Kokkos::View<Reach<T>*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(result.data(), result.size()),
      seen);
  exec.fence("blockfw::reach");
  return result;
}

}  // namespace detail

/// \brief Computes for each vertex of a solved graph what it reaches, or what it is reached from.
///
/// \param exec     the instance to run on
/// \param d        square rank-2 view as solve() gives it: infinity<T> without a path
/// \param towards  which distances count: the rows of d (others), or the columns (itself)
/// \return on the host, an entry for each vertex; exec is fenced
/// \throws InvalidInput when d is not square
///
/// O(n²), one read of the matrix. Memory: n entries; if the lines to sum up are not contiguous, n more, and on a device
/// up to 2^18 on top. A sum of floats rounds, in an order that may differ between calls.
template <class ExecSpace, MatrixView View>
std::vector<Reach<typename View::non_const_value_type>> reach(const ExecSpace& exec, const View& d,
                                                              Towards towards = Towards::others) {
  require_reachable<ExecSpace, View>();
  require_square(d);
  return detail::reach_of_lines(exec, d, towards == Towards::others);
}

/// The longest distance from the vertex to any of the n vertices; infinity<T> when it does not reach all of them.
template <Element T>
T eccentricity(const Reach<T>& reach, std::int64_t n) {
  return reach.vertices < n ? infinity<T> : reach.farthest;
}

/// \brief Closeness centrality: (r - 1) / (sum of distances) · (r - 1) / (n - 1), where r vertices are reached.
///
/// The definition is that of Wasserman and Faust (*Social Network Analysis*, 1994). NetworkX uses it, too, with the
/// distances to a vertex, Towards::itself. 0 for a vertex that reaches no other.
template <Element T>
double closeness(const Reach<T>& reach, std::int64_t n) {
  const auto others = static_cast<double>(reach.vertices - 1), sum = static_cast<double>(reach.sum);
  return others > 0 && sum > 0 ? others / sum * (others / static_cast<double>(n - 1)) : 0;
}

/// \brief Radius, diameter and centre of a graph.
template <Element T>
struct Extent {
  bool connected = true;             ///< whether every vertex reaches all others
  T radius = T(0);                   ///< the smallest eccentricity; infinity<T> when no vertex reaches all
  T diameter = T(0);                 ///< the largest eccentricity; infinity<T> when not connected
  T longest = T(0);                  ///< the longest finite distance, between `from` and `to`
  std::int64_t from = -1,            ///< where the longest finite distance begins; -1 in a graph without vertices
      to = -1;                       ///< where it ends
  std::vector<std::int64_t> centre;  ///< the vertices whose eccentricity is the radius; empty when that is infinite
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
