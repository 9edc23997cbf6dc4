// SPDX-License-Identifier: MIT
/// \file
/// \brief Tiles that hold a small graph whole, and their launch: each graph is closed by one team.
#pragma once

#include "blockfw/detail/backend/concepts.hpp"
#include "blockfw/detail/backend/vectors.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/kernel/kernel_for.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/detail/matrices/copies.hpp"
#include "blockfw/ground/answers.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace blockfw::detail {

/// \brief A tile that holds a graph whole.
/// \tparam Step   the pivots of one step of close()
/// \tparam Teams  the teams that a multiprocessor shall hold at once
template <int Block, int RegisterRows, int RegisterCols, int Step, int Teams>
struct GraphTile : Tile<Block, RegisterRows, RegisterCols> {
  static constexpr int step = Step;
  static constexpr int teams = Teams;
};

template <class... Shapes>
struct TileList {};

/// The tiles of a space and type, the smallest first. The batch uses the first tile that holds a graph whole.
template <class ExecSpace, class T>
struct GraphTiles {
  using type = TileList<Tile<16>, Tile<32>, Tile<64>, Tile<128>, Tile<256>>;
};

/// The same for devices, chosen by measurement (benchmarks/bench_batch.cpp with the plan "full").
template <class ExecSpace, class T>
  requires(!is_host_space<ExecSpace>)
struct GraphTiles<ExecSpace, T> {
  template <class... Larger>
  using Smallest = TileList<GraphTile<16, 4, 2, 2, 32>, GraphTile<32, 8, 4, 2, 16>, Larger...>;
  using Longs = Smallest<GraphTile<64, 8, 4, 2, 4>, GraphTile<96, 12, 6, 2, 2>, GraphTile<128, 8, 4, 2, 1>>;
  // (With two warps per graph the last graphs take less time. With one warp per graph all graphs together take less
  // time, floats much less.)
  using SixtyFour =
      std::conditional_t<std::is_floating_point_v<T>, GraphTile<64, 16, 8, 2, 10>, GraphTile<64, 16, 4, 4, 8>>;
  using Words = Smallest<SixtyFour, GraphTile<96, 12, 6, 2, 4>, GraphTile<128, 16, 8, 2, 2>>;
  using Halves = Smallest<GraphTile<64, 16, 8, 2, 10>, GraphTile<96, 12, 12, 2, 4>, GraphTile<128, 16, 8, 2, 3>>;
  using Narrow = Smallest<GraphTile<64, 16, 4, 4, 8>, GraphTile<96, 12, 4, 2, 2>, GraphTile<128, 16, 4, 2, 1>>;
  using type = std::conditional_t<
      (sizeof(T) > 4), Longs,
      std::conditional_t<!target.wide_graphs, Narrow, std::conditional_t<sizeof(T) == 4, Words, Halves>>>;
};

/// The team policy of a kernel for graphs. (It asks for no more teams than a multiprocessor has scratch for, as Kokkos
/// refuses more. Where the compiler's bound counts warps, the kernel's own bound holds.)
template <class Shape, class Kernel, class ExecSpace>
auto graph_policy(const ExecSpace& exec, int league) {
  if constexpr (target.vendor != Vendor::none && target.simds == 0 && requires { Shape::teams; }) {
    using Bounds = Kokkos::LaunchBounds<Kernel::team_size, std::min(Kernel::scratch_teams, Shape::teams)>;
    return Kokkos::TeamPolicy<ExecSpace, Bounds, Kokkos::IndexType<int>>(exec, league, Kernel::team_size);
  } else {
    return typename Kernel::Policy(exec, league, Kernel::team_size);
  }
}

/// Solves each graph by one team, in a tile that holds it whole.
/// \tparam S       the semiring
/// \tparam Graphs  their matrices: a Batch, or others with its members
/// \tparam Device  the device that the device kernel is shaped for. If it is not ThisDevice, a host runs the device
///                 kernel, too.
template <class Shape, Semiring S, class Device = ThisDevice, class ExecSpace, class Graphs>
void close_graphs(const ExecSpace& exec, const Graphs& batch) {
  constexpr bool on_host = runs_host_kernel<ExecSpace, Device>;
  if constexpr (on_host)
    require_vectors();
  else
    require_near_entries(batch.first, Shape::block);
  using Kernel = KernelFor<Shape, ExecSpace, S, Device>;
  using Member = MemberOf<Kernel>;
  using Team = TeamOf<Kernel>;
  // A host's team solves several small graphs, so that it can prefetch the next one.
  const std::int64_t graphs = batch.graphs, n = batch.first.extent_int(0);
  const std::int64_t each =
      on_host ? std::clamp<std::int64_t>(graphs / (16 * exec.concurrency()), 1, 1 + (1 << 21) / (n * n * n)) : 1;
  detail::for_teams(
      "blockfw::batch",
      graph_policy<Shape, Kernel>(exec, static_cast<int>(div_up(graphs, each)))
          .set_scratch_size(Kernel::scratch_level, Kokkos::PerTeam(Kernel::scratch_bytes)),
      KOKKOS_LAMBDA(const Member& member) {
        const Team team(member);
        const std::int64_t first = member.league_rank() * each, last = Kokkos::min(first + each, graphs);
        for (std::int64_t g = first; g < last; ++g) {
          const auto d = batch.at(g);
          Kernel tile(team);
          tile.read(d);
          tile.close(team, d.extent_int(0), batch.at(Kokkos::min(g + 1, graphs - 1)));
          tile.write(d);
        }
      });
}

/// \brief The first vertex of each graph whose diagonal entry diverges, or no_vertex, on the host. Fences exec.
/// \tparam Graphs  as for close_graphs()
template <Semiring S, class ExecSpace, class Graphs>
std::vector<std::int64_t> first_diverging(const ExecSpace& exec, const Graphs& batch) {
  std::vector<std::int64_t> result(at(batch.graphs));
  const auto found = without_values<Array<std::int64_t, ExecSpace>>(exec, "blockfw::negative_cycles", batch.graphs);
  for_range(
      "blockfw::find_negative_cycles", exec, 0, batch.graphs, KOKKOS_LAMBDA(std::int64_t g) {
        const auto d = batch.at(g);
        const std::int64_t n = d.extent_int(0);
        std::int64_t vertex = 0;
        while (vertex < n && !S::diverges(entry_at(d, vertex, vertex))) ++vertex;
        found(g) = vertex < n ? vertex : std::int64_t{no_vertex};
      });
  copy_array(exec, UnmanagedView<std::int64_t*, Kokkos::HostSpace>(result.data(), result.size()), found);
  exec.fence("blockfw::find_negative_cycles");
  return result;
}

}  // namespace blockfw::detail
