// SPDX-License-Identifier: MIT
/// \file
/// \brief The row and the column of a new vertex, out of its edges and the solved distances of the other vertices.
#pragma once

#include "blockfw/detail/base/lanes.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/detail/matrices/detours.hpp"
#include "blockfw/detail/matrices/edge_entries.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace blockfw::detail {

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
  const auto n = static_cast<std::int64_t>(d.extent(0)), count = static_cast<std::int64_t>(there.extent(0));
  const auto to_new = detours.to, from_new = detours.from;
  std::int64_t on_cycle = n + 1;
  WeightRange<T> to_range, from_range;
  reduce_range(
      "blockfw::new_vertex", exec, first_vertex, end,
      KOKKOS_LAMBDA(std::int64_t v, std::int64_t& cycle, T& to_least, T& to_most, T& from_least, T& from_most) {
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
        if (in != infinity<T>) to_least = Kokkos::min(to_least, in), to_most = Kokkos::max(to_most, in);
        if (out != infinity<T>) from_least = Kokkos::min(from_least, out), from_most = Kokkos::max(from_most, out);
        if (in < infinity<T> && out < infinity<T> && MinPlus<T>::diverges(static_cast<T>(in + out)))
          cycle = Kokkos::min(cycle, v);
      },
      Kokkos::Min<std::int64_t>(on_cycle), Kokkos::Min<T>(to_range.smallest), Kokkos::Max<T>(to_range.largest),
      Kokkos::Min<T>(from_range.smallest), Kokkos::Max<T>(from_range.largest));
  const auto include = [](WeightRange<T>& all, const WeightRange<T>& some) {
    all.smallest = std::min(all.smallest, some.smallest);
    all.largest = std::max(all.largest, some.largest);
  };
  include(detours.to_range, to_range);
  include(detours.from_range, from_range);
  return std::min(on_cycle, n + 1);  // (If there is none, the reduction gives the largest integer.)
}

}  // namespace blockfw::detail
