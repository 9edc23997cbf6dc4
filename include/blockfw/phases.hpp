/// \file
/// \brief The three phases of a round as team policies over tiles with scratch pads; every driver is made of these.
///
/// A round eliminates the pivots of one tile. Each phase takes views of the pivot tile, of the panels and of the block
/// to update, wherever they lie: in one matrix, in a device's own rows, in a panel received from another rank. Nothing
/// is fenced; work is queued on the given execution-space instance alone.
///
/// A pivot tile that holds a negative cycle is left out of its round by every phase: sums then stay bounded (no
/// integer overflows), and the negative entry on its diagonal remains as evidence.
#pragma once

#include "blockfw/detail/host_kernel.hpp"
#include "blockfw/detail/runs.hpp"
#include "blockfw/matrix.hpp"
#include "blockfw/semiring.hpp"
#include "blockfw/tile.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace blockfw {

/// Where the pivot lies in the block to update, counted in tiles: that row and column are finished and are skipped.
struct PivotPosition {
  static constexpr std::int64_t outside = -1;
  std::int64_t row = outside;
  std::int64_t col = outside;
};

/// \brief The phases for one tile shape, execution space and semiring.
template <class TileShape, class ExecSpace, class Semiring>
class Phases {
  static_assert(is_host_space<ExecSpace>, "blockfw: so far there is a tile kernel for host execution spaces only");
  using Kernel = detail::HostKernel<TileShape, ExecSpace, Semiring>;
  using Policy = Kokkos::TeamPolicy<ExecSpace, Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::IndexType<std::int64_t>>;
  using Member = typename Policy::member_type;
  using Runs = detail::Runs;

 public:
  using Ref = MatrixRef<typename Semiring::value_type, ExecSpace>;
  static constexpr std::int64_t block = TileShape::block;

  /// \brief Phase 1: closes the pivot tile, block x block or smaller, in place.
  static void close_pivot(const ExecSpace& exec, const Ref& pivot) {
    Kokkos::parallel_for(
        "blockfw::phase1", teams(exec, 1), KOKKOS_LAMBDA(const Member& team) { Kernel::close(team, pivot); });
  }

  /// \brief Phase 2: the pivot's row panel and column panel through the closed pivot.
  /// \param row_panel  block x any; its tile at.col is skipped
  /// \param col_panel  any x block; its tile at.row is skipped
  static void update_panels(const ExecSpace& exec, const Ref& pivot, const Ref& row_panel, const Ref& col_panel,
                            PivotPosition at) {
    const Runs across(tiles(row_panel, 1), at.col, Kernel::run), down(tiles(col_panel, 0), at.row, Kernel::run);
    if (across.size() + down.size() == 0) return;
    Kokkos::parallel_for(
        "blockfw::phase2", teams(exec, across.size() + down.size()), KOKKOS_LAMBDA(const Member& team) {
          if (diverges(pivot)) return;
          const std::int64_t t = team.league_rank();
          if (t < across.size()) {
            const Ref c = columns(row_panel, across[t]);
            Kernel::relax(team, c, pivot, c);
          } else {
            const Ref c = rows(col_panel, down[t - across.size()]);
            Kernel::relax(team, c, c, pivot);
          }
        });
  }

  /// \brief Phase 3: the rest through both panels.
  /// \param rest  as many rows as col_panel and columns as row_panel; its tiles in row at.row and column at.col are
  ///              skipped
  static void update_rest(const ExecSpace& exec, const Ref& pivot, const Ref& row_panel, const Ref& col_panel,
                          const Ref& rest, PivotPosition at) {
    const std::int64_t run = balanced_run(exec, tiles(rest, 0) * tiles(rest, 1));
    const Runs down(tiles(rest, 0), at.row, run), across(tiles(rest, 1), at.col, run);
    if (down.size() * across.size() == 0) return;
    Kokkos::parallel_for(
        "blockfw::phase3", teams(exec, down.size() * across.size()), KOKKOS_LAMBDA(const Member& team) {
          if (diverges(pivot)) return;
          const Runs::Run i = down[team.league_rank() / across.size()], j = across[team.league_rank() % across.size()];
          Kernel::relax(team, columns(rows(rest, i), j), rows(col_panel, i), columns(row_panel, j));
        });
  }

 private:
  static auto teams(const ExecSpace& exec, std::int64_t league) {
    return Policy(exec, static_cast<int>(league), Kernel::team_size)
        .set_scratch_size(Kernel::scratch_level, Kokkos::PerTeam(Kernel::scratch_bytes));
  }

  /// Longer runs share more packing; shorter ones leave every thread several pieces to balance with.
  static std::int64_t balanced_run(const ExecSpace& exec, std::int64_t all_tiles) {
    std::int64_t run = Kernel::run;
    while (run > 1 && all_tiles / (run * run) < 4 * static_cast<std::int64_t>(exec.concurrency())) run /= 2;
    return run;
  }

  static std::int64_t tiles(const Ref& m, int dimension) {
    return (static_cast<std::int64_t>(m.extent(static_cast<std::size_t>(dimension))) + block - 1) / block;
  }

  static KOKKOS_FUNCTION Ref rows(const Ref& m, Runs::Run r) {
    const std::int64_t height = m.extent_int(0), width = m.extent_int(1), first = r.first * block;
    return submatrix(m, first, Kokkos::min(r.tiles * block, height - first), 0, width);
  }

  static KOKKOS_FUNCTION Ref columns(const Ref& m, Runs::Run r) {
    const std::int64_t height = m.extent_int(0), width = m.extent_int(1), first = r.first * block;
    return submatrix(m, 0, height, first, Kokkos::min(r.tiles * block, width - first));
  }

  static KOKKOS_FUNCTION bool diverges(const Ref& pivot) {
    for (int k = 0; k < pivot.extent_int(0); ++k)
      if (Semiring::diverges(pivot(k, k))) return true;
    return false;
  }
};

}  // namespace blockfw
