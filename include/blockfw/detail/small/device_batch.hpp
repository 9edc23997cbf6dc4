// SPDX-License-Identifier: MIT
/// \file
/// \brief A batch of graphs of different orders on a device: distances and paths.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/kernel/rounds.hpp"
#include "blockfw/detail/matrices/copies.hpp"
#include "blockfw/detail/small/graph_tiles.hpp"
#include "blockfw/detail/small/team_paths.hpp"
#include "blockfw/ground/graph_batch.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/tile.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace blockfw::detail {

/// \brief Some graphs of a batch in the memory of their space, the matrices as a kernel for graphs of one order takes
/// them.
template <class T, class ExecSpace>
struct SomeGraphs {
  Kokkos::View<const std::int64_t*, typename ExecSpace::memory_space> start;
  Kokkos::View<const std::int32_t*, typename ExecSpace::memory_space> order;
  MatrixRef<T, ExecSpace> first;  ///< the largest of them
  std::int64_t graphs, padded_to;
  T* entries;

  KOKKOS_FORCEINLINE_FUNCTION MatrixRef<T, ExecSpace> at(std::int64_t g) const {
    const auto n = static_cast<std::size_t>(order(g));
    return MatrixRef<T, ExecSpace>(
        entries + start(g), Kokkos::LayoutStride(n, padded_to > 0 ? static_cast<std::size_t>(padded_to) : n, n, 1));
  }
};

/// The graphs of more than `above` and at most Shape::block vertices in one launch; then the larger ones.
template <Semiring S, class ExecSpace, class T = typename S::value_type>
void close_batch_on_device(const ExecSpace& exec, const GraphBatch<T, ExecSpace>& batch, int above, TileList<>) {
  for (std::int64_t g = 0; g < batch.graphs(); ++g)
    if (batch.order(g) > above) solve_matrix<TunedTile, S>(exec, batch.matrix(g), Direction::directed, {});
}
template <Semiring S, class ExecSpace, class Shape, class... Larger, class T = typename S::value_type>
void close_batch_on_device(const ExecSpace& exec, const GraphBatch<T, ExecSpace>& batch, int above,
                           TileList<Shape, Larger...>) {
  std::vector<std::int64_t> start;
  std::vector<std::int32_t> order;
  std::int64_t largest = -1;
  for (std::int64_t g = 0; g < batch.graphs(); ++g) {
    if (batch.order(g) <= above || batch.order(g) > Shape::block) continue;
    start.push_back(batch.start(g));
    order.push_back(batch.order(g));
    if (largest < 0 || batch.order(g) > batch.order(largest)) largest = g;
  }
  if (largest >= 0) {
    const SomeGraphs<T, ExecSpace> some{in_space(exec, start), in_space(exec, order),
                                        batch.matrix(largest), static_cast<std::int64_t>(order.size()),
                                        batch.padded_to(),     batch.entries().data()};
    close_graphs<Shape, S>(exec, some);
    exec.fence("blockfw::batch");  // (The lists are freed.)
  }
  close_batch_on_device<S>(exec, batch, Shape::block, TileList<Larger...>());
}

template <Semiring S, class ExecSpace, class T = typename S::value_type>
void write_batch_on_device(const ExecSpace& exec, const GraphBatch<T, ExecSpace>& batch,
                           const BatchPaths<ExecSpace>& paths, std::vector<std::int64_t>& cycles) {
  using Memory = typename ExecSpace::memory_space;
  const std::size_t count = batch.entries().extent(0);
  const auto numbers = [&](const auto& wanted) {
    if (wanted.extent(0) > 0) return Kokkos::View<std::int32_t*, Memory>();
    require_memory(exec, "the paths of a batch", static_cast<double>(count) * sizeof(std::int32_t));
    return Kokkos::View<std::int32_t*, Memory>(Kokkos::view_alloc(exec, "blockfw::batch", Kokkos::WithoutInitializing),
                                               count);
  };
  require_memory(exec, "a copy of a batch", static_cast<double>(count) * sizeof(T));
  const Kokkos::View<T*, Memory> weights(Kokkos::view_alloc(exec, "blockfw::weights", Kokkos::WithoutInitializing),
                                         count);
  copy_array(exec, weights, batch.entries());
  const auto start = in_space(exec, batch.starts());
  const auto order = in_space(exec, batch.orders());
  const auto before = numbers(paths.predecessors), next = numbers(paths.next_hops), edges = numbers(paths.hops);
  const Kokkos::View<std::int64_t*, Memory> cycle(
      Kokkos::view_alloc(exec, "blockfw::batch", Kokkos::WithoutInitializing), cycles.size());
  const auto of = [](const auto& wanted, const auto& made) {
    return typename BatchPaths<ExecSpace>::Numbers(wanted.extent(0) > 0 ? wanted.data() : made.data(),
                                                   std::max(wanted.extent(0), made.extent(0)));
  };
  const TeamPaths<T, ExecSpace> team{start,
                                     order,
                                     batch.padded_to(),
                                     weights,
                                     batch.entries(),
                                     of(paths.predecessors, before),
                                     of(paths.next_hops, next),
                                     of(paths.hops, edges),
                                     cycle};
  bool counted = false;
  if constexpr (counts_edges<S>) {
    counted = paths.hops.extent(0) > 0;
    if (counted) close_by_teams<S, true>(exec, team);
  }
  if (!counted) close_by_teams<S, false>(exec, team);
  trace_by_teams<S>(exec, team);
  copy_array(exec,
             Kokkos::View<std::int64_t*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(cycles.data(),
                                                                                                     cycles.size()),
             cycle);
  exec.fence("blockfw::batch_paths");
}

}  // namespace blockfw::detail
