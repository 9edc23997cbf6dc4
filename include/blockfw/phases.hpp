/// \file
/// \brief The three phases of a round as team policies over tiles with scratch pads; every driver is made of these.
///
/// A round eliminates the pivots of one tile. Phase 1 closes the pivot tile, phase 2 takes the pivot's rows and columns
/// through it and makes the round's panels of them, in the form that the tile kernel reads best, and phase 3 takes the
/// rest through the panels. Nothing is fenced; work is queued on the given execution-space instance alone.
///
/// A pivot tile that holds a negative cycle is left out of its round by every phase: sums then stay bounded (no
/// integer overflows), and the negative entry on its diagonal remains as evidence.
#pragma once

#include "blockfw/detail/backend/target.hpp"
#include "blockfw/detail/kernel/device_kernel.hpp"
#include "blockfw/detail/kernel/host_kernel.hpp"
#include "blockfw/detail/kernel/index_ranges.hpp"
#include "blockfw/detail/kernel/task_order.hpp"
#include "blockfw/error.hpp"
#include "blockfw/matrix.hpp"
#include "blockfw/semiring.hpp"
#include "blockfw/tile.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>
#include <type_traits>

namespace blockfw {

/// What phase 3 has done for the next round already.
using detail::LookAheadProgress;

/// \brief The phases for one tile shape, execution space and semiring.
///
/// Round k eliminates the pivots of tile k, rows and columns k · block onwards. Each phase works on a part of the
/// matrix, cut along the tiles; what of the pivot's rows and columns lies outside the part must be in the panels.
/// Rounds are done in their order, from 0, all that can look ahead or none: on a device phase 3 waits for what earlier
/// rounds have to do first.
///
/// Of an undirected graph, whose matrix is symmetric, the phases touch the tiles on the diagonal and above alone (on a
/// host those below, too, which panels go to): half the work. The part must be the whole matrix then.
///
/// \tparam Device  the device that device code is shaped for; one that is named is played by a host, too
template <class TileShape, class ExecSpace, class Semiring, class Device = ThisDevice,
          Direction direction = Direction::directed>
class Phases {
  static constexpr bool mirrored = direction == Direction::undirected;
  static constexpr bool as_host = is_host_space<ExecSpace> && std::is_same_v<Device, ThisDevice>;
  using Kernel = std::conditional_t<as_host, detail::HostKernel<TileShape, ExecSpace, Semiring>,
                                    detail::DeviceKernel<TileShape, ExecSpace, Semiring, Device>>;
  using IndexRange = detail::IndexRange;
  using IndexRanges = detail::IndexRanges;
  using Task = detail::Task;
  using Selection = detail::Selection;

 public:
  using Ref = MatrixRef<typename Semiring::value_type, ExecSpace>;
  using Part = blockfw::Part<Ref>;
  using Policy = typename Kernel::Policy;
  using Member = typename Policy::member_type;
  using Team = typename Kernel::template Team<Member>;
  using Panels = typename Kernel::Panels;
  using PanelStorage = typename Kernel::PanelStorage;
  using GroupStorage = typename Kernel::GroupStorage;
  static constexpr int block = TileShape::block;
  static constexpr RegisterTile register_tile = Kernel::register_tile;
  static constexpr int team_size = Kernel::team_size;

  /// How many rounds update_rest can do in one call for a matrix of so many tiles a side.
  static constexpr int rounds_at_once(int tiles) { return Kernel::rounds_at_once(tiles); }

  /// \brief Phase 1: closes the pivot tile, which lies in the part.
  template <class AnyPanels = Panels>
  static void close_pivot(const ExecSpace& exec, const Part& part, int round, const AnyPanels& panels) {
    require_pivots(panels.pivots(round));
    const IndexRange i = down(part, round, panels).pivot(), j = across(part, round, panels).pivot();
    if (i.count == 0 || i.count != j.count)
      throw InvalidInput("phase 1: the pivot of round " + std::to_string(round) + " does not lie in the part of " +
                         shape(part) + " that starts with tile (" + std::to_string(part.row) + ", " +
                         std::to_string(part.col) + ")");
    Kokkos::parallel_for(
        "blockfw::phase1", teams(exec, 1), KOKKOS_LAMBDA(const Member& member) {
          const Team team(member);
          Kernel tile(team);
          tile.read(sub(part.d, i, j));
          finish_pivot(team, tile, part, panels, round, i, j);
        });
  }

  /// \brief Phase 2: what the part has of the pivot's rows and columns, through the closed pivot, and into the panels.
  static void update_panels(const ExecSpace& exec, const Part& part, int round, const Panels& panels) {
    require_pivots(panels.pivots(round));
    const int longest = Kernel::longest_range(exec, part.d.extent_int(1) + part.d.extent_int(0), 1);
    update_panels(exec, part, round, panels, down(part, round, panels, longest), across(part, round, panels, longest));
  }

  /// \brief The same for some of them only.
  /// \param rows, columns  which rows of the pivot's columns, and which columns of its rows, if the part has these
  template <class AnyPanels = Panels>
  static void update_panels(const ExecSpace& exec, const Part& part, int round, const AnyPanels& panels,
                            const Selection& rows, const Selection& columns) {
    const int longest = Kernel::longest_range(exec, rows.all.count + columns.all.count, 1);
    update_panels(exec, part, round, panels, IndexRanges(rows, longest), IndexRanges(columns, longest));
  }

  /// \brief Phase 3: the rest of the part through the panels, and on the way what can be had of the next round.
  ///
  /// The piece with the next pivot goes first, and the team that has updated it closes the pivot while the others are
  /// still busy: the one phase that cannot be shared costs no time of its own. On a device the teams of the next
  /// pivot's rows and columns wait for it and make the next panels, phase 2, too, and one launch may do several rounds:
  /// teams wait for their tile, its panels and whoever still reads what they will replace, always teams of smaller
  /// rank. (Teams start in the order of their ranks, or are ranked as they start; so these are at work whenever another
  /// one waits.) What the next round does not need may be left to a later one there, which then takes the pivots of
  /// several rounds at once.
  ///
  /// \param look    whether to look ahead, if the next pivot lies in the part; if not, nothing is left to a later round
  /// \param rounds  how many rounds to do, at most rounds_at_once(); more than one only with look-ahead through all
  /// \throws InvalidInput when that is not so
  /// \return what has been done of the next round
  static LookAheadProgress update_rest(const ExecSpace& exec, const Part& part, int round, const Panels& panels,
                                       LookAhead look = LookAhead::no, int rounds = 1) {
    require_pivots(panels.pivots(round));
    const auto in = [&](int first, std::size_t extent) {
      return round + 1 >= first && (round + 1 - first) * block < static_cast<int>(extent);
    };
    const bool looks = look == LookAhead::yes && in(part.row, part.d.extent(0)) && in(part.col, part.d.extent(1));
    if (rounds > 1 && !(looks && (round + rounds) * block < part.d.extent_int(0)))
      throw InvalidInput("phase 3: " + std::to_string(rounds) + " rounds at once from round " + std::to_string(round) +
                         " on, expected all to have a next one");
    const LookAheadProgress ahead = looks ? Kernel::look_ahead : LookAheadProgress::nothing;
    const auto tasks = Kernel::task_order(exec, part, round, panels, ahead);
    const int size = tasks.size();
    if (size == 0) return LookAheadProgress::nothing;
    Kokkos::parallel_for(
        "blockfw::phase3", teams(exec, size * rounds), KOKKOS_LAMBDA(const Member& member) {
          const int rank = Kernel::start_rank(member, panels, round), step = rank / size, now = round + step;
          const auto task = [&] { return tasks.at(detail::forgotten_by_all(rank) - step * size, now); };
          if (const Task p = task(); p.exists && counts(p.i, p.j)) {
            const Team team(member);
            Kernel tile(team);
            panels.wait_for_operands(team, p, now, size);
            tile.read(sub(part.d, p.i, p.j), mirrored && p.i.first == p.j.first);
            if (p.since <= now) tile.relax(team, panels, panels.left(p.i), panels.right(p.j), p.since, now);
            finish(team, tile, part, panels, now + 1, task());
          }
          panels.post_team_done(member, now);
        });
    return ahead;
  }

  /// \brief Phase 3 of rounds whose panels are all there, for some of the part: each entry is read and written once.
  /// \param first, last     rounds
  /// \param rows, columns   which
  template <class AnyPanels = Panels>
  static void update_through(const ExecSpace& exec, const Part& part, int first, int last, const AnyPanels& panels,
                             const Selection& rows, const Selection& columns) {
    const int longest = Kernel::longest_range(exec, rows.all.count, columns.all.count);
    const IndexRanges i_ranges(rows, longest), j_ranges(columns, longest);
    const int tasks = i_ranges.size() * j_ranges.size();
    if (tasks == 0) return;
    Kokkos::parallel_for(
        "blockfw::phase3", teams(exec, tasks), KOKKOS_LAMBDA(const Member& member) {
          const auto [i, j] = detail::range_pair(i_ranges, j_ranges, static_cast<unsigned>(member.league_rank()));
          const Team team(member);
          Kernel tile(team);
          const Ref c = sub(part.d, i, j);
          tile.read(c);
          tile.relax(team, panels, panels.left(i), panels.right(j), first, last);
          tile.write(c);
        });
  }

  /// \brief All rounds by one team on its own, whose panels nobody else knows. (For many matrices at once.)
  template <class AnyPanels>
  static KOKKOS_FORCEINLINE_FUNCTION void eliminate(const Team& team, const Ref& d, const AnyPanels& panels) {
    const Part part{d};
    const int n = d.extent_int(0), tiles = (n + block - 1) / block;
    const auto range = [&](int tile) { return IndexRange{tile * block, Kokkos::min(+block, n - tile * block)}; };
    Kernel tile(team);
    for (int k = 0; k < tiles; ++k) {
      const IndexRange pivot = range(k);
      tile.read(sub(d, pivot, pivot));
      finish_pivot(team, tile, part, panels, k, pivot, pivot);
      for (int t = 0; t < 2 * tiles; ++t) {
        const bool of_rows = t < tiles;
        const int other = of_rows ? t : t - tiles;
        if (other == k) continue;
        const IndexRange i = of_rows ? pivot : range(other), j = of_rows ? range(other) : pivot;
        tile.read(sub(d, i, j));
        finish_panel(team, tile, part, panels, k, of_rows, i, j);
      }
      team.member.team_barrier();
      for (int t = 0; t < tiles * tiles; ++t) {
        if (t / tiles == k || t % tiles == k) continue;
        const IndexRange i = range(t / tiles), j = range(t % tiles);
        tile.read(sub(d, i, j));
        tile.relax(team, panels, panels.left(i), panels.right(j), k, k);
        tile.write(sub(d, i, j));
      }
      team.member.team_barrier();  // before the next round's panels take the place of these
    }
  }

  // (For nvcc, whose lambdas must not be in private functions.)
  template <class AnyPanels = Panels>
  static void update_panels(const ExecSpace& exec, const Part& part, int round, const AnyPanels& panels,
                            const IndexRanges& i_ranges, const IndexRanges& j_ranges) {
    const IndexRange pivot_i = down(part, round, panels).pivot(), pivot_j = across(part, round, panels).pivot();
    const int in_rows = pivot_i.count == 0 ? 0 : j_ranges.size();
    const int in_cols = pivot_j.count == 0 ? 0 : i_ranges.size();
    if (in_rows + in_cols == 0) return;
    Kokkos::parallel_for(
        "blockfw::phase2", teams(exec, in_rows + in_cols), KOKKOS_LAMBDA(const Member& member) {
          const Team team(member);
          const int t = member.league_rank();
          const bool of_rows = t < in_rows;
          const IndexRange i = of_rows ? pivot_i : i_ranges[t - in_rows], j = of_rows ? j_ranges[t] : pivot_j;
          if (!counts(i, j)) return;
          Kernel tile(team);
          tile.read(sub(part.d, i, j));
          finish_panel(team, tile, part, panels, round, of_rows, i, j);
        });
  }

  static int teams_at_once(const ExecSpace& exec) { return Kernel::teams_at_once(exec); }

  /// How many teams phase 3 of a round has if it does not look ahead.
  static int teams_of_rest(const ExecSpace& exec, const Part& part, int round, const Panels& panels) {
    return Kernel::task_order(exec, part, round, panels, LookAheadProgress::nothing).size();
  }

  static auto teams(const ExecSpace& exec, int league) {
    return Policy(exec, league, Kernel::team_size)
        .set_scratch_size(Kernel::scratch_level, Kokkos::PerTeam(Kernel::scratch_bytes));
  }

 private:
  /// Whether a tile, or a run of some, is worked on.
  static KOKKOS_FORCEINLINE_FUNCTION bool counts(const IndexRange& i, const IndexRange& j) {
    return !mirrored || i.first <= j.first;
  }

  /// What follows on phase 3 of the round before `next`.
  static KOKKOS_FORCEINLINE_FUNCTION void finish(const Team& team, Kernel& tile, const Part& part, const Panels& panels,
                                                 int next, const Task& task) {
    const IndexRange &i = task.i, &j = task.j;
    if (!task.in_next_rows && !task.in_next_cols) {
      tile.write(sub(part.d, i, j));
      panels.post_tile(team, i, j, next);
    } else if (task.in_next_rows && task.in_next_cols) {
      finish_pivot(team, tile, part, panels, next, i, j);
    } else if constexpr (Kernel::look_ahead == LookAheadProgress::panels) {
      finish_panel(team, tile, part, panels, next, task.in_next_rows, i, j);
    }
  }

  template <class AnyPanels>
  static KOKKOS_FORCEINLINE_FUNCTION void finish_pivot(const Team& team, Kernel& tile, const Part& part,
                                                       const AnyPanels& panels, int round, const IndexRange& i,
                                                       const IndexRange& j) {
    // (A piece of a host may be more than the tile.)
    const Ref pivot = sub(part.d, {i.first, Kokkos::min(+block, i.count)}, {j.first, Kokkos::min(+block, j.count)});
    if constexpr (as_host) tile.read(pivot);
    const bool diverges = tile.close(team, pivot.extent_int(0));
    const bool paths = !AnyPanels::read_elsewhere || !diverges;
    tile.publish(panels, round, panels.left_pivot(), paths);
    tile.publish(panels, round, panels.right_pivot(), paths);
    panels.post_pivot(team, round, diverges);
    tile.write(pivot);
    panels.post_tile(team, i, j, round + 1);
  }

  /// \param of_rows  whether the tile is of the pivot's rows; if not, of its columns
  template <class AnyPanels>
  static KOKKOS_FORCEINLINE_FUNCTION void finish_panel(const Team& team, Kernel& tile, const Part& part,
                                                       const AnyPanels& panels, int round, bool of_rows,
                                                       const IndexRange& i, const IndexRange& j) {
    const Ref c = sub(part.d, i, j);
    const auto publish = [&](bool paths) {
      of_rows ? tile.publish(panels, round, panels.right(j), paths)
              : tile.publish(panels, round, panels.left(i), paths);
    };
    publish(true);  // the tile is its own operand: its old entries are read from where the new ones go
    const bool diverges = panels.wait_for_pivot(team, round, of_rows);
    if (!diverges)
      tile.relax(team, panels, of_rows ? panels.left_pivot() : panels.left(i),
                 of_rows ? panels.right(j) : panels.right_pivot(), round, round);
    publish(!diverges);
    if constexpr (mirrored) {
      of_rows ? tile.publish_mirrored(panels, round, panels.left(j), !diverges)
              : tile.publish_mirrored(panels, round, panels.right(i), !diverges);
      panels.post_panel(team, !of_rows, j, i, round + 1);
    }
    panels.post_panel(team, of_rows, i, j, round + 1);  // first, as others wait for it; d is another matter
    tile.write(c);
    panels.post_tile(team, i, j, round + 1);
  }

  static KOKKOS_FORCEINLINE_FUNCTION Ref sub(const Ref& d, const IndexRange& i, const IndexRange& j) {
    return submatrix(d, i.first, i.count, j.first, j.count);
  }

  template <class AnyPanels>
  static IndexRanges down(const Part& part, int round, const AnyPanels& panels, int longest = block) {
    return {part.d.extent_int(0), (round - part.row) * block, panels.pivots(round), longest};
  }
  template <class AnyPanels>
  static IndexRanges across(const Part& part, int round, const AnyPanels& panels, int longest = block) {
    return {part.d.extent_int(1), (round - part.col) * block, panels.pivots(round), longest};
  }

  static void require_pivots(int pivots) {
    if (pivots < 1 || pivots > block)
      throw InvalidInput("a round of " + std::to_string(pivots) + " pivots, expected 1 to " + std::to_string(block));
  }

  static std::string shape(const Part& part) {
    return std::to_string(part.d.extent(0)) + " x " + std::to_string(part.d.extent(1));
  }
};

}  // namespace blockfw
