// SPDX-License-Identifier: MIT
/// \file
/// \brief A batch of graphs of different orders on a device: distances and paths, each graph by a team.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/kernel/rounds.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/detail/matrices/copies.hpp"
#include "blockfw/detail/small/graph_tiles.hpp"
#include "blockfw/detail/small/predecessor_rows.hpp"
#include "blockfw/ground/answers.hpp"
#include "blockfw/ground/graph_batch.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace blockfw::detail {

/// \brief Some graphs of a batch, for code of their space.
template <class T, class ExecSpace>
struct SomeGraphs {
  /// Graphs of a batch with their starts and orders, which are copied on exec: these lists live until it is fenced.
  SomeGraphs(const ExecSpace& exec, const GraphBatch<T, ExecSpace>& batch, const std::vector<std::int64_t>& starts,
             const std::vector<std::int32_t>& orders)
      : start(in_space(exec, starts)),
        order(in_space(exec, orders)),
        graphs(static_cast<std::int64_t>(orders.size())),
        padded_to(batch.padded_to()),
        entries(batch.entries().data()) {}
  /// All graphs of a batch, which lives until exec is fenced.
  SomeGraphs(const ExecSpace& exec, const GraphBatch<T, ExecSpace>& batch)
      : SomeGraphs(exec, batch, batch.starts(), batch.orders()) {}

  /// From a row of a graph's matrix to the next.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t row(std::int64_t g) const { return padded_to > 0 ? padded_to : order(g); }
  KOKKOS_FORCEINLINE_FUNCTION MatrixRef<T, ExecSpace> at(std::int64_t g) const {
    return row_major<ExecSpace>(entries + start(g), order(g), row(g));
  }

  Array<const std::int64_t, ExecSpace> start;  ///< where each graph's matrix starts
  Array<const std::int32_t, ExecSpace> order;  ///< the order of each graph
  std::int64_t graphs, padded_to;
  T* entries;
  MatrixRef<T, ExecSpace> first;  ///< the largest of them, for close_graphs()
};

/// \brief Graphs whose paths are wanted, and the memory for these.
template <class T, class ExecSpace>
struct TeamPaths {
  using Numbers = UnmanagedView<std::int32_t*, ExecSpace>;

  SomeGraphs<T, ExecSpace> graphs;                ///< their entries are the weights, and then the distances
  UnmanagedView<const T*, ExecSpace> weights;     ///< the entries before the solve
  Numbers before, next;                           ///< predecessors, next hops
  Numbers edges;                                  ///< the edges of each path
  UnmanagedView<std::int64_t*, ExecSpace> cycle;  ///< for each graph a vertex on a diverging cycle, or no_vertex
};

/// Closes the matrices, each by one team.
/// \tparam Edges  whether a path with the fewest edges is taken among paths of equal length
/// \param threads of a team; 0: Kokkos chooses
template <Semiring S, bool Edges, class ExecSpace, class T = typename S::value_type>
void close_by_teams(const ExecSpace& exec, const TeamPaths<T, ExecSpace>& p, int threads = 0) {
  using Policy = Kokkos::TeamPolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>;
  using Member = typename Policy::member_type;
  constexpr int lanes = is_host_space<ExecSpace> ? 1 : 32;
  constexpr std::int32_t no_path = INT32_MAX / 2;
  const auto graphs = static_cast<int>(p.graphs.graphs);
  const auto close = KOKKOS_LAMBDA(const Member& team) {
    const int g = team.league_rank(), n = p.graphs.order(g);
    const std::int64_t row = p.graphs.row(g), start = p.graphs.start(g);
    T* const d = p.graphs.entries + start;
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

/// Makes next hops and numbers of edges from predecessors. Predecessors that lead in a circle are found again.
template <Semiring S, class ExecSpace, class T = typename S::value_type>
void trace_by_teams(const ExecSpace& exec, const TeamPaths<T, ExecSpace>& p) {
  using Policy = Kokkos::TeamPolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>;
  using Member = typename Policy::member_type;
  const auto graphs = static_cast<int>(p.graphs.graphs);
  const auto trace = KOKKOS_LAMBDA(const Member& team) {
    const int g = team.league_rank(), n = p.graphs.order(g);
    const std::int64_t row = p.graphs.row(g), start = p.graphs.start(g);
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
      grow_row<S>(n, i, p.graphs.entries + first, weights, before, next, edges);
      trace_row(n, i, before, next, edges);
    });
  };
  for_teams("blockfw::batch_traces", Policy(exec, graphs, Kokkos::AUTO), trace);
}

/// The graphs of each size of tiles in one launch, the smallest first; then the larger ones.
template <Semiring S, class ExecSpace, class... Shapes, class T = typename S::value_type>
void close_batch_on_device(const ExecSpace& exec, const GraphBatch<T, ExecSpace>& batch, TileList<Shapes...>) {
  int above = 0;
  const auto close = [&]<class Shape>(Shape) {
    std::vector<std::int64_t> starts;
    std::vector<std::int32_t> orders;
    MatrixRef<T, ExecSpace> largest;
    for (std::int64_t g = 0; g < batch.graphs(); ++g) {
      if (batch.order(g) <= above || batch.order(g) > Shape::block) continue;
      starts.push_back(batch.start(g));
      orders.push_back(batch.order(g));
      if (batch.order(g) > largest.extent_int(0)) largest = batch.matrix(g);
    }
    above = Shape::block;
    if (orders.empty()) return;
    SomeGraphs<T, ExecSpace> some(exec, batch, starts, orders);
    some.first = largest;
    close_graphs<Shape, S>(exec, some);
    exec.fence("blockfw::batch");  // (The lists are freed.)
  };
  (close(Shapes()), ...);
  for (std::int64_t g = 0; g < batch.graphs(); ++g)
    if (batch.order(g) > above) solve_matrix<TunedTile, S>(exec, batch.matrix(g), Direction::directed, {});
}

template <Semiring S, class ExecSpace, class T = typename S::value_type>
void write_batch_on_device(const ExecSpace& exec, const GraphBatch<T, ExecSpace>& batch,
                           const BatchPaths<ExecSpace>& paths, std::vector<std::int64_t>& cycles) {
  const std::size_t count = batch.entries().extent(0);
  using Numbers = typename BatchPaths<ExecSpace>::Numbers;
  require_memory(exec, "a copy of a batch", static_cast<double>(count) * sizeof(T));
  const auto weights = without_values<Array<T, ExecSpace>>(exec, "blockfw::weights", count);
  copy_array(exec, weights, batch.entries());
  const auto cycle = without_values<Array<std::int64_t, ExecSpace>>(exec, "blockfw::batch", cycles.size());
  Array<std::int32_t, ExecSpace> made[3];
  const auto memory = [&](const Numbers& wanted, Array<std::int32_t, ExecSpace>& own) {
    if (wanted.extent(0) > 0) return wanted;
    require_memory(exec, "the paths of a batch", static_cast<double>(count) * sizeof(std::int32_t));
    own = without_values<Array<std::int32_t, ExecSpace>>(exec, "blockfw::batch", count);
    return Numbers(own.data(), count);
  };
  const TeamPaths<T, ExecSpace> team{SomeGraphs<T, ExecSpace>(exec, batch), weights,
                                     memory(paths.predecessors, made[0]),   memory(paths.next_hops, made[1]),
                                     memory(paths.hops, made[2]),           cycle};
  bool counted = false;
  if constexpr (counts_edges<S>) {
    counted = paths.hops.extent(0) > 0;
    if (counted) close_by_teams<S, true>(exec, team);
  }
  if (!counted) close_by_teams<S, false>(exec, team);
  trace_by_teams<S>(exec, team);
  copy_array(exec, UnmanagedView<std::int64_t*, Kokkos::HostSpace>(cycles.data(), cycles.size()), cycle);
  exec.fence("blockfw::batch_paths");
}

}  // namespace blockfw::detail
