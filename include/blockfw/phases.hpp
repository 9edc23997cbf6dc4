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
#include "blockfw/error.hpp"
#include "blockfw/matrix.hpp"
#include "blockfw/semiring.hpp"
#include "blockfw/tile.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>

namespace blockfw {

/// Where the pivot lies in the block to update: the row and the column of its first entry. Its rows and its columns are
/// finished and are skipped. A pivot
/// may lie outside the block in either direction.
struct PivotPosition {
  static constexpr std::int64_t outside = -1;
  std::int64_t row = outside;
  std::int64_t col = outside;
};

/// Whether phase 3 closes the next pivot tile, which starts right behind the pivot, as soon as it has updated it.
enum class LookAhead { none, close_next };

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
        "blockfw::phase1", teams(exec, 1), KOKKOS_LAMBDA(const Member& team) { Kernel(team).close(pivot); });
  }

  /// \brief Phase 2: the pivot's row panel and column panel through the closed pivot.
  /// \param row_panel  as many rows as the pivot; the pivot's own columns, from at.col, are skipped
  /// \param col_panel  as many columns as the pivot; the pivot's own rows, from at.row, are skipped
  static void update_panels(const ExecSpace& exec, const Ref& pivot, const Ref& row_panel, const Ref& col_panel,
                            PivotPosition at) {
    require_fit(pivot, row_panel, col_panel);
    const std::int64_t longest = balanced(exec, row_panel.extent_int(1) + col_panel.extent_int(0), 1);
    const Runs across(row_panel.extent_int(1), at.col, pivot.extent_int(1), longest);
    const Runs down(col_panel.extent_int(0), at.row, pivot.extent_int(0), longest);
    if (across.size() + down.size() == 0) return;
    Kokkos::parallel_for(
        "blockfw::phase2", teams(exec, across.size() + down.size()), KOKKOS_LAMBDA(const Member& team) {
          if (diverges(pivot)) return;
          const std::int64_t t = team.league_rank();
          if (t < across.size()) {
            const Ref c = columns(row_panel, across[t]);
            Kernel(team).relax(c, pivot, c);
          } else {
            const Ref c = rows(col_panel, down[t - across.size()]);
            Kernel(team).relax(c, c, pivot);
          }
        });
  }

  /// \brief Phase 3: the rest through both panels, and phase 1 of the next round if it can be had on the way.
  ///
  /// The piece with the next pivot goes first, and the team that has updated it closes the pivot while the others are
  /// still busy: the one phase that cannot be shared costs no time of its own.
  ///
  /// \param rest  as many rows as col_panel and columns as row_panel; the pivot's rows, from at.row, and columns, from
  ///              at.col, are skipped
  /// \return whether the next pivot is closed; not if it is not wanted, or if it does not lie in rest
  static bool update_rest(const ExecSpace& exec, const Ref& pivot, const Ref& row_panel, const Ref& col_panel,
                          const Ref& rest, PivotPosition at, LookAhead ahead = LookAhead::none) {
    require_fit(pivot, row_panel, col_panel);
    if (rest.extent(0) != col_panel.extent(0) || rest.extent(1) != row_panel.extent(1))
      throw InvalidInput("phase 3: the block is " + shape(rest) + ", expected " + std::to_string(col_panel.extent(0)) +
                         " x " + std::to_string(row_panel.extent(1)) + " as the panels are");
    const std::int64_t longest = balanced(exec, rest.extent_int(0), rest.extent_int(1));
    const Runs down(rest.extent_int(0), at.row, pivot.extent_int(0), longest);
    const Runs across(rest.extent_int(1), at.col, pivot.extent_int(1), longest);
    const std::int64_t pieces = down.size() * across.size();
    if (pieces == 0) return false;
    const bool closes_next =
        ahead == LookAhead::close_next && down.before() < down.size() && across.before() < across.size();
    const std::int64_t first = closes_next ? down.before() * across.size() + across.before() : 0;
    Kokkos::parallel_for(
        "blockfw::phase3", teams(exec, pieces), KOKKOS_LAMBDA(const Member& team) {
          const std::int64_t piece = (first + team.league_rank()) % pieces;
          const Runs::Run i = down[piece / across.size()], j = across[piece % across.size()];
          const Ref c = columns(rows(rest, i), j);
          const Kernel kernel(team);
          if (!diverges(pivot)) kernel.relax(c, rows(col_panel, i), columns(row_panel, j));
          if (closes_next && piece == first) {
            const std::int64_t next = Kokkos::min(block, Kokkos::min(i.count, j.count));
            kernel.close(submatrix(c, 0, next, 0, next));
          }
        });
    return closes_next;
  }

 private:
  static std::string shape(const Ref& m) { return std::to_string(m.extent(0)) + " x " + std::to_string(m.extent(1)); }

  static void require_fit(const Ref& pivot, const Ref& row_panel, const Ref& col_panel) {
    if (pivot.extent(0) > block || pivot.extent(0) != pivot.extent(1) || row_panel.extent(0) != pivot.extent(0) ||
        col_panel.extent(1) != pivot.extent(1))
      throw InvalidInput("a pivot of " + shape(pivot) + ", a row panel of " + shape(row_panel) +
                         " and a column panel of " + shape(col_panel) + " do not fit together, or not a tile of " +
                         std::to_string(block));
  }

  static auto teams(const ExecSpace& exec, std::int64_t league) {
    return Policy(exec, static_cast<int>(league), Kernel::team_size)
        .set_scratch_size(Kernel::scratch_level, Kokkos::PerTeam(Kernel::scratch_bytes));
  }

  /// Longer runs share more packing; shorter ones leave every thread several pieces to balance with. A run is never
  /// shorter than a tile if the next pivot is to lie in one piece.
  static std::int64_t balanced(const ExecSpace& exec, std::int64_t height, std::int64_t width) {
    constexpr std::int64_t pieces_a_thread = 16;
    const auto runs = [](std::int64_t extent, std::int64_t longest) { return (extent + longest - 1) / longest; };
    std::int64_t tiles = Kokkos::min<std::int64_t>(Kernel::run, runs(Kokkos::max(height, width), block));
    while (tiles > 1 && runs(height, tiles * block) * runs(width, tiles * block) < pieces_a_thread * exec.concurrency())
      --tiles;
    return Kokkos::max<std::int64_t>(tiles, 1) * block;
  }

  static KOKKOS_FUNCTION Ref rows(const Ref& m, Runs::Run r) {
    return submatrix(m, r.first, r.count, 0, m.extent_int(1));
  }

  static KOKKOS_FUNCTION Ref columns(const Ref& m, Runs::Run r) {
    return submatrix(m, 0, m.extent_int(0), r.first, r.count);
  }

  static KOKKOS_FUNCTION bool diverges(const Ref& pivot) {
    for (int k = 0; k < pivot.extent_int(0); ++k)
      if (Semiring::diverges(pivot(k, k))) return true;
    return false;
  }
};

}  // namespace blockfw
