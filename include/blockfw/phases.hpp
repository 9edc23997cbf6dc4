/// \file
/// \brief The three phases of a round as team policies over tiles with scratch pads; every driver is made of these.
///
/// A round eliminates the pivots of one tile. Each phase works on a part of the matrix, in which the pivot's rows and
/// columns may or may not lie, and reads and makes the round's panels: the pivot's rows and its columns, finished, in
/// the form that the tile kernel reads best. Nothing is fenced; work is queued on the given execution-space instance
/// alone.
///
/// A pivot tile that holds a negative cycle is left out of its round by every phase: sums then stay bounded (no
/// integer overflows), and the negative entry on its diagonal remains as evidence.
#pragma once

#include "blockfw/detail/device_kernel.hpp"
#include "blockfw/detail/host_kernel.hpp"
#include "blockfw/detail/pieces.hpp"
#include "blockfw/detail/runs.hpp"
#include "blockfw/error.hpp"
#include "blockfw/matrix.hpp"
#include "blockfw/semiring.hpp"
#include "blockfw/tile.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>
#include <type_traits>

namespace blockfw {

/// Where a round's pivot lies in the part of the matrix at hand: the row and the column of its first entry, or outside.
struct PivotPosition {
  static constexpr int outside = -1;
  int row = outside;
  int col = outside;
};

/// What phase 3 has done for the next round already.
using detail::Ahead;

/// \brief The phases for one tile shape, execution space and semiring.
template <class TileShape, class ExecSpace, class Semiring>
class Phases {
  using Kernel = std::conditional_t<is_host_space<ExecSpace>, detail::HostKernel<TileShape, ExecSpace, Semiring>,
                                    detail::DeviceKernel<TileShape, ExecSpace, Semiring>>;
  using Policy = typename Kernel::Policy;
  using Member = typename Policy::member_type;
  using Team = typename Kernel::template Team<Member>;
  using Runs = detail::Runs;
  using Run = Runs::Run;
  using Piece = detail::Pieces::Piece;

 public:
  using Ref = MatrixRef<typename Semiring::value_type, ExecSpace>;
  using Panels = typename Kernel::Panels;
  using PanelStorage = typename Kernel::PanelStorage;
  static constexpr int block = TileShape::block;

  /// \brief One round as a part of the matrix sees it.
  struct Round {
    PivotPosition at;
    int pivots;  ///< 1 to block
    Panels panels;
  };

  /// \brief Phase 1: closes the pivot tile, which lies in d.
  static void close_pivot(const ExecSpace& exec, const Ref& d, const Round& round) {
    require(d, round);
    const Ref pivot = submatrix(d, round.at.row, round.pivots, round.at.col, round.pivots);
    Kokkos::parallel_for(
        "blockfw::phase1", teams(exec, 1), KOKKOS_LAMBDA(const Member& member) {
          const Team team(member);
          Kernel tile(team, pivot);
          finish_pivot(team, tile, round.panels);
        });
  }

  /// \brief Phase 2: what d has of the pivot's rows and columns, through the closed pivot, and into the panels.
  static void update_panels(const ExecSpace& exec, const Ref& d, const Round& round) {
    require(d, round);
    const int longest = Kernel::longest_run(exec, d.extent_int(1) + d.extent_int(0), 1);
    const Runs down(d.extent_int(0), round.at.row, round.pivots, longest);
    const Runs across(d.extent_int(1), round.at.col, round.pivots, longest);
    const int in_row = round.at.row == PivotPosition::outside ? 0 : across.size();
    const int in_col = round.at.col == PivotPosition::outside ? 0 : down.size();
    if (in_row + in_col == 0) return;
    Kokkos::parallel_for(
        "blockfw::phase2", teams(exec, in_row + in_col), KOKKOS_LAMBDA(const Member& member) {
          const Team team(member);
          const int t = member.league_rank();
          const bool of_row = t < in_row;
          const Run i = of_row ? down.pivot() : down[t - in_row], j = of_row ? across[t] : across.pivot();
          Kernel tile(team, part(d, i, j));
          finish_panel(team, tile, round.panels, of_row, i, j);
        });
  }

  /// \brief Phase 3: the rest of d through the panels, and on the way what can be had of the next round.
  ///
  /// The piece with the next pivot goes first, and the team that has updated it closes the pivot while the others are
  /// still busy: the one phase that cannot be shared costs no time of its own. On a device the teams of the next
  /// pivot's rows and columns wait for it and make the next panels, phase 2, too. (Only that first team is waited for.
  /// Devices start teams in the order of their ranks, so it is at work whenever another one waits.)
  ///
  /// \param next  the next round, if its pivot lies in d right behind this one
  /// \return what has been done of it
  static Ahead update_rest(const ExecSpace& exec, const Ref& d, const Round& round, const Round* next = nullptr) {
    require(d, round);
    const int longest = Kernel::longest_run(exec, d.extent_int(0), d.extent_int(1));
    const Runs down(d.extent_int(0), round.at.row, round.pivots, longest);
    const Runs across(d.extent_int(1), round.at.col, round.pivots, longest);
    if (down.size() * across.size() == 0) return Ahead::nothing;
    const Ahead ahead = next == nullptr ? Ahead::nothing : Kernel::ahead;
    const detail::Pieces pieces(down, across, ahead, Kernel::teams_at_once(exec));
    const Round then = next == nullptr ? round : *next;
    Kokkos::parallel_for(
        "blockfw::phase3", teams(exec, pieces.size()), KOKKOS_LAMBDA(const Member& member) {
          const Team team(member);
          const Piece piece = pieces[member.league_rank()];
          Kernel tile(team, part(d, piece.i, piece.j));
          if (!piece.in_pivot) tile.relax(team, round.panels, round.panels.left(piece.i), round.panels.right(piece.j));
          if (ahead == Ahead::nothing)
            tile.write_back();
          else
            look_ahead(team, tile, d, piece, then);
        });
    return ahead;
  }

 private:
  static KOKKOS_FORCEINLINE_FUNCTION void look_ahead(const Team& team, Kernel& tile, const Ref& d, const Piece& piece,
                                                     const Round& next) {
    if constexpr (Kernel::ahead == Ahead::pivot) {
      tile.write_back();
      if (!piece.in_next_rows || !piece.in_next_cols) return;
      Kernel pivot(team, submatrix(d, next.at.row, next.pivots, next.at.col, next.pivots));
      finish_pivot(team, pivot, next.panels);
    } else if (piece.in_next_rows && piece.in_next_cols) {
      finish_pivot(team, tile, next.panels);
    } else if (piece.in_next_rows || piece.in_next_cols) {
      finish_panel(team, tile, next.panels, piece.in_next_rows, piece.i, piece.j);
    } else {
      tile.write_back();
    }
  }

  static KOKKOS_FORCEINLINE_FUNCTION void finish_pivot(const Team& team, Kernel& tile, const Panels& panels) {
    const bool diverges = tile.close(team);
    tile.write_back();
    tile.publish(panels.left_pivot());
    tile.publish(panels.right_pivot());
    panels.announce(team, diverges);
  }

  /// \param of_row  whether the tile belongs to the pivot's rows; if not, to its columns
  static KOKKOS_FORCEINLINE_FUNCTION void finish_panel(const Team& team, Kernel& tile, const Panels& panels,
                                                       bool of_row, const Run& i, const Run& j) {
    // The tile is its own operand: its old entries are read from where the new ones go.
    of_row ? tile.publish(panels.right(j)) : tile.publish(panels.left(i));
    panels.wait(team);
    tile.relax(team, panels, of_row ? panels.left_pivot() : panels.left(i),
               of_row ? panels.right(j) : panels.right_pivot());
    of_row ? tile.publish(panels.right(j)) : tile.publish(panels.left(i));
    tile.write_back();
  }

  static KOKKOS_FORCEINLINE_FUNCTION Ref part(const Ref& d, const Run& i, const Run& j) {
    return submatrix(d, i.first, i.count, j.first, j.count);
  }

  static void require(const Ref& d, const Round& round) {
    const auto within = [&](int first, std::size_t extent) {
      return first == PivotPosition::outside || (first >= 0 && first + round.pivots <= static_cast<int>(extent));
    };
    if (round.pivots < 1 || round.pivots > block || !within(round.at.row, d.extent(0)) ||
        !within(round.at.col, d.extent(1)))
      throw InvalidInput("a pivot of " + std::to_string(round.pivots) + " at (" + std::to_string(round.at.row) + ", " +
                         std::to_string(round.at.col) + ") does not lie in a block of " + std::to_string(d.extent(0)) +
                         " x " + std::to_string(d.extent(1)) + ", or is larger than a tile of " +
                         std::to_string(block));
  }

  static auto teams(const ExecSpace& exec, int league) {
    return Policy(exec, league, Kernel::team_size)
        .set_scratch_size(Kernel::scratch_level, Kokkos::PerTeam(Kernel::scratch_bytes));
  }
};

}  // namespace blockfw
