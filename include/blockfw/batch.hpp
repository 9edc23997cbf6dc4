/// \file
/// \brief batched_floyd_warshall: all-pairs shortest paths of many small graphs of one order, in one launch.
///
/// \code
///   Kokkos::View<int***> d("d", graphs, n, n);   // d(g, i, j), as for blocked_floyd_warshall
///   blockfw::batched_floyd_warshall(Kokkos::DefaultExecutionSpace{}, d);
/// \endcode
#pragma once

#include "blockfw/detail/device_kernel.hpp"
#include "blockfw/detail/host_kernel.hpp"
#include "blockfw/error.hpp"
#include "blockfw/floyd_warshall.hpp"
#include "blockfw/matrix.hpp"
#include "blockfw/semiring.hpp"
#include "blockfw/tile.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace blockfw {

/// Whether V is a rank-3 Kokkos view.
template <class V>
concept BatchView = Kokkos::is_view_v<V> && (V::rank() == 3);

namespace detail {

/// \brief Matrices of one order, not owned, each after the one before.
template <class T, class ExecSpace>
struct Batch {
  using Ref = MatrixRef<T, ExecSpace>;
  Ref first;
  std::int64_t graphs, stride;

  KOKKOS_FORCEINLINE_FUNCTION Ref at(std::int64_t graph) const {
    return Ref(first.data() + graph * stride, first.layout());
  }
};

/// \brief The batch of a rank-3 view; see matrix_ref().
/// \throws InvalidInput when the matrices are not square or there is a null pointer
template <class ExecSpace, BatchView View>
Batch<typename View::value_type, ExecSpace> batch_of(const View& d) {
  const auto graphs = static_cast<std::int64_t>(d.extent(0));
  if (d.extent(1) != d.extent(2))
    throw InvalidInput("the graphs of the batch '" + d.label() + "' have matrices of " + std::to_string(d.extent(1)) +
                       " rows and " + std::to_string(d.extent(2)) + " columns, expected square ones");
  if (d.data() == nullptr && d.size() > 0)
    throw InvalidInput("the batch '" + d.label() + "' of " + std::to_string(graphs) + " graphs of " +
                       std::to_string(d.extent(1)) + " vertices has no memory (null pointer)");
  if (graphs == 0) return {{}, 0, 0};
  return {matrix_ref<ExecSpace>(Kokkos::subview(d, 0, Kokkos::ALL, Kokkos::ALL)), graphs,
          static_cast<std::int64_t>(d.stride(0))};
}

/// \brief The tiles that hold a graph whole, by its order: the first that does is taken.
template <class ExecSpace, class T>
struct BatchTiles;
template <class... TileShape>
struct TileList {};

/// Each graph by one team, in a tile that holds it whole.
template <class TileShape, class T, class ExecSpace>
void close_batch(const ExecSpace& exec, const Batch<T, ExecSpace>& batch) {
  using Kernel = std::conditional_t<is_host_space<ExecSpace>, HostKernel<TileShape, ExecSpace, MinPlus<T>>,
                                    DeviceKernel<TileShape, ExecSpace, MinPlus<T>>>;
  using Policy = typename Kernel::Policy;
  using Member = typename Policy::member_type;
  using Team = typename Kernel::template Team<Member>;
  const auto n = batch.first.extent_int(0);
  const std::int64_t graphs = batch.graphs;
  const std::int64_t each = is_host_space<ExecSpace> ? std::clamp(graphs / (16 * exec.concurrency()), std::int64_t{1},
                                                                  std::int64_t{1} + (1 << 20) / (n * n * n))
                                                     : 1;
  const auto teams = static_cast<int>((graphs + each - 1) / each);
  Kokkos::parallel_for(
      "blockfw::batch",
      Policy(exec, teams, Kernel::team_size).set_scratch_size(Kernel::scratch_level, Kokkos::PerTeam(Kernel::scratch_bytes)),
      KOKKOS_LAMBDA(const Member& member) {
        const Team team(member);
        const std::int64_t first = member.league_rank() * each, last = Kokkos::min(first + each, graphs);
        for (std::int64_t g = first; g < last; ++g) {
          Kernel tile(team);
          const auto d = batch.at(g);
          tile.read(d);
          tile.close(team, n);
          tile.write(d);
        }
      });
}

}  // namespace detail

}  // namespace blockfw
