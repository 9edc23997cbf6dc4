// SPDX-License-Identifier: MIT
/// \file
/// \brief Floyd-Warshall with predecessors of many small graphs, each by a team of a device.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/detail/small/predecessor_rows.hpp"
#include "blockfw/ground/answers.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace blockfw::detail {

/// \brief The matrices of graphs in a device's memory, and the memory for their results.
template <class T, class ExecSpace>
struct TeamPaths {
  template <class N>
  using Numbers = Kokkos::View<N*, typename ExecSpace::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  Numbers<const std::int64_t> start;   ///< of each graph's matrix
  Numbers<const std::int32_t> order;   ///< of each graph
  std::int64_t row;                    ///< entries from a row to the next; 0: the order
  Numbers<const T> weights;            ///< as they were
  Numbers<T> distances;                ///< the weights, and then the distances
  Numbers<std::int32_t> before, next;  ///< predecessors, next hops
  Numbers<std::int32_t> edges;         ///< the edges of each path
  Numbers<std::int64_t> cycle;         ///< of each graph a vertex on a diverging cycle, or no_vertex
};

/// Closes the matrices, each by one team.
/// \tparam Edges  whether of paths of equal length one with the fewest edges is taken
/// \param threads  of a team; 0: as Kokkos likes
template <Semiring S, bool Edges, class ExecSpace, class T = typename S::value_type>
void close_by_teams(const ExecSpace& exec, const TeamPaths<T, ExecSpace>& p, int threads = 0) {
  using Policy = Kokkos::TeamPolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>;
  using Member = typename Policy::member_type;
  constexpr int lanes = is_host_space<ExecSpace> ? 1 : 32;
  constexpr std::int32_t no_path = INT32_MAX / 2;
  const auto graphs = static_cast<int>(p.order.extent(0));
  const auto close = KOKKOS_LAMBDA(const Member& team) {
    const int g = team.league_rank(), n = p.order(g);
    const std::int64_t row = p.row > 0 ? p.row : n, start = p.start(g);
    T* const d = p.distances.data() + start;
    std::int32_t* const before = p.before.data() + start;
    std::int32_t* const edges = p.edges.data() + start;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, n), [&](int i) {
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, n), [&](int j) {
        const std::int64_t e = i * row + j;
        const T weight = S::relax(i == j ? S::one() : S::zero(), d[e], S::one());
        d[e] = weight;
        before[e] = i == j || weight == S::zero() ? std::int32_t{no_vertex} : i;
        edges[e] = i == j ? 0 : weight == S::zero() ? no_path : 1;
      });
    });
    team.team_barrier();
    int k = 0;
    for (; k < n && !S::diverges(d[k * row + k]); ++k) {
      const T* const through = d + k * row;
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, n), [&](int i) {
        T* const mine = d + i * row;
        const T to_pivot = mine[k];
        const std::int32_t edges_to_pivot = edges[i * row + k];
        if (i == k || to_pivot == S::zero()) return;
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, n), [&](int j) {
          if (j == k || through[j] == S::zero()) return;
          const T old = mine[j], path = S::relax(S::zero(), to_pivot, through[j]), best = S::relax(old, path, S::one());
          const std::int32_t more = edges_to_pivot + edges[k * row + j];
          const bool shorter = Edges && path == old && path != S::zero() && more < edges[i * row + j];
          if (best == old && !shorter) return;
          mine[j] = best;
          before[i * row + j] = before[k * row + j];
          edges[i * row + j] = more;
        });
      });
      team.team_barrier();
    }
    Kokkos::single(Kokkos::PerTeam(team), [&]() { p.cycle(g) = k < n ? k : std::int64_t{no_vertex}; });
  };
  for_teams("blockfw::batch_paths",
            threads > 0 ? Policy(exec, graphs, threads, lanes) : Policy(exec, graphs, Kokkos::AUTO, lanes), close);
}

/// Makes next hops and numbers of edges from predecessors, and mends these where they lead in a circle.
template <Semiring S, class ExecSpace, class T = typename S::value_type>
void trace_by_teams(const ExecSpace& exec, const TeamPaths<T, ExecSpace>& p) {
  using Policy = Kokkos::TeamPolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>;
  using Member = typename Policy::member_type;
  const auto graphs = static_cast<int>(p.order.extent(0));
  const auto trace = KOKKOS_LAMBDA(const Member& team) {
    const int g = team.league_rank(), n = p.order(g);
    const std::int64_t row = p.row > 0 ? p.row : n, start = p.start(g);
    const bool cyclic = p.cycle(g) != no_vertex;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, n), [&](int i) {
      const std::int64_t first = start + i * row;
      std::int32_t* const before = p.before.data() + first;
      std::int32_t* const next = p.next.data() + first;
      std::int32_t* const edges = p.edges.data() + first;
      if (cyclic) {
        for (int j = 0; j < n; ++j) before[j] = next[j] = edges[j] = std::int32_t{no_vertex};
        return;
      }
      if (trace_row(n, i, before, next, edges)) return;
      const MatrixWeights<S> weights{p.weights.data() + start, row};
      grow_row<S>(n, i, p.distances.data() + first, weights, before, next, edges);
      trace_row(n, i, before, next, edges);
    });
  };
  for_teams("blockfw::batch_traces", Policy(exec, graphs, Kokkos::AUTO), trace);
}

}  // namespace blockfw::detail
