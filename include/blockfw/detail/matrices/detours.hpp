// SPDX-License-Identifier: MIT
/// \file
/// \brief Detours: paths by one place of a graph, a new edge or vertex, where they are shorter than solved distances.
#pragma once

#include "blockfw/detail/backend/vectors.hpp"
#include "blockfw/detail/backend/workspace.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/base/lanes.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/detail/matrices/copies.hpp"
#include "blockfw/detail/matrices/edge_entries.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace blockfw::detail {

/// The lengths of paths from each vertex to one place, and from the place to each vertex. The place is the end of a new
/// edge, or a new vertex.
template <class T, class ExecSpace>
class Detours {
  Workspace<ExecSpace> memory_;

 public:
  /// Paths to the place begin at the rows of a matrix, or of a part of it. Paths from the place end at its columns.
  Detours(const ExecSpace& exec, std::int64_t rows, std::int64_t columns)
      : memory_(exec, static_cast<std::size_t>(rows + columns) * sizeof(T), "blockfw::detours"),
        to(reinterpret_cast<T*>(memory_.data()), static_cast<std::size_t>(rows)),
        from(to.data() + rows, static_cast<std::size_t>(columns)) {}

  const UnmanagedView<T*, ExecSpace> to, from;
  WeightsSeen<T> to_seen, from_seen;  ///< the lengths of paths that exist
};

/// The length of a path and one more edge. An integer sum that reaches infinity becomes the largest integer: it must
/// not look like "no path", and require_safe() must find it.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T lengthened(T path, T edge) {
  const T sum = static_cast<T>(path + edge);
  return std::is_integral_v<T> && sum >= infinity<T> ? Kokkos::Experimental::finite_max_v<T> : sum;
}

/// Throws OverflowRisk unless each sum of a length to a place and a length from the place fits T and differs from "no
/// path".
/// \param a, b  the lengths to the place, and the lengths from the place
template <class T>
void require_safe(const WeightsSeen<T>& a, const WeightsSeen<T>& b) {
  if constexpr (std::is_integral_v<T>) {
    if (a.smallest > a.largest || b.smallest > b.largest) return;
    constexpr T limit = infinity<T>;  // (The sum of two lengths of smaller magnitude fits T.)
    const auto near = [](T length) { return length > -limit && length < limit; };
    if (!near(a.smallest) || !near(a.largest) || !near(b.smallest) || !near(b.largest) ||
        !near(static_cast<T>(a.smallest + b.smallest)) || !near(static_cast<T>(a.largest + b.largest)))
      throw OverflowRisk("new paths of lengths from ", a.smallest, " + ", b.smallest, " to ", a.largest, " + ",
                         b.largest, " could reach infinity, ", limit, ", in ", type_name<T>(),
                         "; solve again in a wider type");
  }
}

/// The length of a path through the place: the sum of its two parts, to the place and from the place. It is infinity if
/// one of the parts does not exist.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T detour(T there, T onward) {
  const bool possible = (there != infinity<T>)&(onward != infinity<T>);
  return possible ? static_cast<T>(there + onward) : infinity<T>;
}

/// \brief take_detours() for a row whose numbers lie next to each other, with a level of vectors.
/// \param to_place  the length of the path from the row's vertex to the place
template <bool InPlace, class Level, class T>
BLOCKFW_ALWAYS_INLINE void detours_of_row(T to_place, const T* from, const T* old, T* result, std::int64_t n) {
  if (to_place == infinity<T>) {
    if (!InPlace) std::copy_n(old, n, result);
    return;
  }
  constexpr int width = Level::bytes / static_cast<int>(sizeof(T));
  using V = Lanes<Level, T, width>;
  const V none = V::broadcast(infinity<T>), there = V::broadcast(to_place);
  std::int64_t j = 0;
  for (; j + width <= n; j += width) {
    const V onward = V::load(from + j), before = V::load(old + j);
    const V other = choose(onward != none, there + onward, none);
    if (!InPlace || (other < before).any()) smaller(other, before).store(result + j);
  }
  for (; j < n; ++j) {
    const T other = detour(to_place, from[j]);
    if (!InPlace || other < old[j]) result[j] = other < old[j] ? other : old[j];
  }
}

/// \brief take_detours() on a host, row by row. In place it writes only vectors in which an entry falls.
template <bool InPlace, class T, class ExecSpace, class Result, class Old>
void take_detours_by_rows(const ExecSpace& exec, const Result& result, const Old& old,
                          const Detours<T, ExecSpace>& detours) {
  const auto to = detours.to, from = detours.from;
  const auto n = extent_along(old, 1);
  require_vectors();
  const bool contiguous = old.stride(1) == 1 && result.stride(1) == 1;
  for_range("blockfw::take_detours", exec, 0, extent_along(old, 0), [=](std::int64_t i) {
    const T to_place = to(i);
    if (contiguous) {
      KOKKOS_IF_ON_HOST((with_vectors([&](auto level) __attribute__((always_inline)) {
                           detours_of_row<InPlace, decltype(level)>(to_place, from.data(), &old(i, 0), &result(i, 0),
                                                                    n);
                         });))
    } else {
      for (std::int64_t j = 0; j < n; ++j) {
        const T length = old(i, j), other = detour(to_place, from(j));
        if (!InPlace || other < length) result(i, j) = other < length ? other : length;
      }
    }
  });
}

/// \brief take_detours() on a device. A thread updates an entry in each of several rows, and reads all before it writes
/// any, to hide memory latency. In place it writes only entries that fall.
///
/// The rows of a result of n + 1 vertices begin anywhere in a cache line. A cache line that is written in two parts
/// costs more than a cache line that is read twice. So neighbouring threads begin where a cache line of `result`
/// begins. All rows of a thread begin at the same place in a cache line: they are as many rows apart as a cache line
/// has entries.
template <bool InPlace, class T, class ExecSpace, class Result, class Old>
void take_detours_by_teams(const ExecSpace& exec, const Result& result, const Old& old,
                           const Detours<T, ExecSpace>& detours) {
  using Teams = Kokkos::TeamPolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>;
  // (Teams are short, and neighbours in a row. So the teams that run at one time are in one part of the matrix, and
  // they end at about the same time.)
  constexpr int rows = 8, between = 128 / static_cast<int>(sizeof(T)), width = 1024;
  const auto height = extent_along(old, 0), n = extent_along(old, 1);
  const auto to = detours.to, from = detours.from;
  const auto parts = static_cast<int>(div_up(n + between - 1, width));
  const std::int64_t firsts =
      height / (rows * between) * between + Kokkos::min<std::int64_t>(height % (rows * between), between);
  const int league = static_cast<int>(firsts * parts);
  const auto address = reinterpret_cast<std::uintptr_t>(result.data()) / sizeof(T);
  const auto old_step = static_cast<std::ptrdiff_t>(old.stride(0)),
             old_beside = static_cast<std::ptrdiff_t>(old.stride(1)),
             step = static_cast<std::ptrdiff_t>(result.stride(0)),
             beside = static_cast<std::ptrdiff_t>(result.stride(1));
  const auto* const old_data = old.data();
  T* const data = result.data();
  for_teams(
      "blockfw::take_detours", is_host_space<ExecSpace> ? Teams(exec, league, Kokkos::AUTO) : Teams(exec, league, 256),
      KOKKOS_LAMBDA(const typename Teams::member_type& team) {
        const int row = team.league_rank() / parts, part = team.league_rank() % parts;
        const std::int64_t first = std::int64_t(row / between) * (rows * between) + row % between;
        T there[rows];
        bool reached = false;
        BLOCKFW_UNROLL
        for (int r = 0; r < rows; ++r) {
          there[r] = first + r * between < height ? to(first + r * between) : infinity<T>;
          reached = reached || there[r] != infinity<T>;
        }
        if (InPlace && !reached) return;
        const auto height_here = static_cast<int>(Kokkos::min<std::int64_t>(rows * between, height - first));
        const auto shift = static_cast<int>((address + static_cast<std::uintptr_t>(first * step)) % between);
        // (Captured by value: else the compiler must assume that writes to result change `there`.)
        Kokkos::parallel_for(Kokkos::TeamVectorRange(team, width), [=](int c) {
          const std::int64_t j = std::int64_t(part) * width + c - shift;
          if (j < 0 || j >= n) return;
          const T onward = from(j);
          const auto* old_entry = old_data + first * old_step + j * old_beside;
          T* entry = data + first * step + j * beside;
          T length[rows];
          BLOCKFW_UNROLL
          for (int r = 0; r < rows; ++r, old_entry += between * old_step)
            length[r] = r * between < height_here ? *old_entry : infinity<T>;
          BLOCKFW_UNROLL
          for (int r = 0; r < rows; ++r, entry += between * step) {
            const T other = detour(there[r], onward);
            if (InPlace ? other < length[r] : r * between < height_here) *entry = other < length[r] ? other : length[r];
          }
        });
      });
}

/// \brief result(i, j) ← min(old(i, j), to(i) + from(j)) for all entries of `old`, where both paths exist. Fences exec.
/// \tparam InPlace  whether `old` is `result`; then entries (on a host: vectors) that stay the same are not written
template <bool InPlace, class T, class ExecSpace, class Result, class Old>
void take_detours(const ExecSpace& exec, const Result& result, const Old& old, const Detours<T, ExecSpace>& detours) {
  if (old.extent(0) == 0 || old.extent(1) == 0) return;
  if constexpr (is_host_space<ExecSpace>)
    take_detours_by_rows<InPlace>(exec, result, old, detours);
  else
    take_detours_by_teams<InPlace>(exec, result, old, detours);
  exec.fence("blockfw::take_detours");
}

template <Element T>
void require_weight(T weight) {
  if (!is_weight<MinPlus<T>>(weight)) throw InvalidInput(refused_weight<MinPlus<T>>("the weight is ", weight, ""));
  if constexpr (std::is_integral_v<T>)
    if (weight >= infinity<T> || weight <= -infinity<T>)
      throw OverflowRisk("the weight ", weight, " reaches infinity, ", infinity<T>, ", in ", type_name<T>(),
                         "; solve again in a wider type");
}

/// The weight of a new edge in T, the type that holds the distances. T may be narrower than the type of the weight.
/// \throws as require_weight()
template <Element T, Distance Wide>
T required_weight(Wide weight) {
  if constexpr (!std::is_same_v<T, Wide>)
    if (weight >= static_cast<Wide>(infinity<T>) || weight <= -static_cast<Wide>(infinity<T>))
      throw OverflowRisk("the weight ", weight, " does not fit the ", 8 * sizeof(T),
                         " bits that hold the distances; solve again");
  require_weight(static_cast<T>(weight));
  return static_cast<T>(weight);
}

/// Throws unless each edge, on the host, begins or ends at the new vertex n, and its vertices and weight are valid.
template <Element T, class Edges>
void require_edges_of_vertex(const Edges& edges, std::int64_t n) {
  for (std::size_t e = 0; e < edges.extent(0); ++e) {
    const Edge<T> edge = edges(e);
    const auto index = static_cast<std::int64_t>(e);
    if (!is_valid<MinPlus<T>>(edge, n + 1)) throw_invalid_edge<MinPlus<T>>(edges, index, n + 1);
    if (edge.from != n && edge.to != n)
      throw InvalidEdge(index, "from " + std::to_string(edge.from) + " to " + std::to_string(edge.to) +
                                   ", expected one that begins or ends at the new vertex, " + std::to_string(n));
    require_weight(edge.weight);
  }
}

/// \brief Writes the new vertex's row and column, and the detours by it, for the vertices [first_vertex, end).
/// \param there  the edges, where exec can reach them
/// \return the first of these vertices on a negative cycle, or n + 1
template <class ExecSpace, class More, class View, class Edges, class T>
std::int64_t write_row_and_column(const ExecSpace& exec, const More& more, const View& d, const Edges& there,
                                  bool undirected, Detours<T, ExecSpace>& detours, std::int64_t first_vertex,
                                  std::int64_t end) {
  const auto n = extent_along(d, 0), count = extent_along(there, 0);
  const auto to_new = detours.to, from_new = detours.from;
  std::int64_t on_cycle = n + 1;
  WeightsSeen<T> to_seen, from_seen;
  reduce_range(
      "blockfw::new_vertex", exec, first_vertex, end,
      KOKKOS_LAMBDA(std::int64_t v, std::int64_t& cycle, WeightsSeen<T>& to_place, WeightsSeen<T>& from_place) {
        const auto length = [&](bool applies, std::int64_t first, std::int64_t last) {
          if (!applies) return infinity<T>;
          return first == last ? T(0) : first < n && last < n ? d(first, last) : infinity<T>;
        };
        const auto relax = [](T& best, T old, T weight) {
          if (old == infinity<T> || weight == infinity<T>) return;
          const T longer = lengthened(old, weight);
          if (best == infinity<T> || longer < best) best = longer;
        };
        T in = v == n ? T(0) : infinity<T>, out = in;
        // v → ... → x → n, and n → x → ... → v. (Reads of several edges at once, to hide memory latency.)
        constexpr int at_once = 4;
        for (std::int64_t e = 0; e < count; e += at_once) {
          T weight[at_once], old_in[at_once], old_out[at_once];
          BLOCKFW_UNROLL
          for (int i = 0; i < at_once; ++i) {
            const auto edge = there(Kokkos::min(e + i, count - 1));
            const std::int64_t x = edge.from == n ? edge.to : edge.from;
            weight[i] = edge.weight;
            old_in[i] = length(edge.to == n || undirected, v, x);
            old_out[i] = length(edge.from == n || undirected, x, v);
          }
          BLOCKFW_UNROLL
          for (int i = 0; i < at_once; ++i) {
            relax(in, old_in[i], weight[i]);
            relax(out, old_out[i], weight[i]);
          }
        }
        to_new(v) = in;
        from_new(v) = out;
        more(n, v) = out;
        more(v, n) = v < n ? in : out;
        to_place.add(in, in != infinity<T>);
        from_place.add(out, out != infinity<T>);
        if (in < infinity<T> && out < infinity<T> && MinPlus<T>::diverges(static_cast<T>(in + out)))
          cycle = Kokkos::min(cycle, v);
      },
      Kokkos::Min<std::int64_t>(on_cycle), Kokkos::Sum<WeightsSeen<T>>(to_seen),
      Kokkos::Sum<WeightsSeen<T>>(from_seen));
  detours.to_seen += to_seen;
  detours.from_seen += from_seen;
  return std::min(on_cycle, n + 1);  // (If there is none, the reduction gives the largest integer.)
}

}  // namespace blockfw::detail
