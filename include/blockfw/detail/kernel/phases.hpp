// SPDX-License-Identifier: MIT
/// \file
/// \brief The three phases of a round as team policies over tiles with scratch pads.
///
/// All drivers consist of these phases, with two exceptions: the transitive closure, whose numbers are bits, and graphs
/// of a batch that fit one tile.
///
/// A round eliminates the pivots of one tile. Phase 1 closes the pivot tile (Floyd-Warshall inside it). Phase 2 updates
/// the pivot's rows and columns with the closed pivot. It writes them to the round's panels, in the form that the tile
/// kernel reads best. Phase 3 updates the rest with the panels. The phases fence nothing. They queue work on the given
/// execution-space instance only.
///
/// A pivot tile may hold a negative cycle. Every phase then leaves the tile out of its round, from the slab of pivots
/// that closes the cycle onwards. So sums stay bounded (no integer overflows), and the negative entry on the tile's
/// diagonal remains as evidence. Other entries may then differ from run to run.
#pragma once

#include "blockfw/detail/backend/backend.hpp"
#include "blockfw/detail/backend/vectors.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/kernel/concepts.hpp"
#include "blockfw/detail/kernel/kernel_for.hpp"
#include "blockfw/detail/kernel/part.hpp"
#include "blockfw/detail/kernel/task_order.hpp"
#include "blockfw/detail/kernel/team_phases.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>

namespace blockfw {

/// \brief The phases for one tile shape, execution space and semiring.
///
/// Round k eliminates the pivots of tile k: the rows and columns from k · block on. Each phase works on a part of the
/// matrix, cut along the tiles. The panels must hold the pivot's rows and columns that lie outside the part. Call the
/// rounds in order, from 0. Phase 3 is update_rest() in all rounds, or update_through() in all: on a device
/// update_rest() waits for the flags that the earlier rounds have posted.
///
/// If the part's direction is undirected, and its matrix symmetric, update_panels() and update_rest() update only the
/// tiles on the diagonal and above (half the work). The part must be the whole matrix then. Phases that cannot halve
/// the work (`can_halve`) do all of it.
///
/// \tparam Device  the device that the device kernel is shaped for; if it is not ThisDevice, a host runs the device
///                 kernel, too
template <class TileShape, class ExecSpace, class Semiring, class Device = ThisDevice>
class Phases {
  using Kernel = detail::KernelFor<TileShape, ExecSpace, Semiring, Device>;
  static_assert(
      detail::require_tile_kernel<Kernel, ExecSpace, blockfw::Part<MatrixRef<typename Semiring::value_type, ExecSpace>>,
                                  MatrixRef<typename Semiring::value_type, ExecSpace>>());
  using OfTeam = detail::TeamPhases<TileShape, ExecSpace, Semiring, Device>;
  using IndexRanges = detail::IndexRanges;

 public:
  /// The matrix.
  using Ref = MatrixRef<typename Semiring::value_type, ExecSpace>;
  /// The part of the matrix that a phase works on.
  using Part = blockfw::Part<Ref>;
  /// The team policy of every phase.
  using Policy = typename Kernel::Policy;
  /// A team, as Kokkos knows it.
  using Member = typename Policy::member_type;
  /// A team, as the tile kernel knows it.
  using Team = typename Kernel::template Team<Member>;
  /// The panels of a round.
  using Panels = typename Kernel::Panels;
  /// Memory for the panels of a solve on one instance.
  using PanelStorage = typename Kernel::PanelStorage;
  /// Memory for the panels of groups of rounds.
  using GroupStorage = typename Kernel::GroupStorage;
  /// The semiring.
  using semiring = Semiring;
  /// Rows and columns of a tile.
  static constexpr int block = TileShape::block;
  /// Threads of a team.
  static constexpr int team_size = Kernel::team_size;

  /// Whether update_rest() can do phases 1 and 2 of its first round.
  static constexpr bool can_open = Kernel::look_ahead == LookAheadProgress::panels;

  /// \brief Whether the phases can do half the work for a symmetric matrix: if ⊗ is commutative, and the kernel
  /// publishes mirrored tiles.
  static constexpr bool can_halve = OfTeam::can_halve;

  /// The most rounds that one call of update_rest() can do for a matrix of `tiles` tiles a side.
  static constexpr int rounds_at_once(int tiles) { return Kernel::rounds_at_once(tiles); }

  /// \brief Phase 1: closes the pivot tile, which lies in the part.
  template <class AnyPanels = Panels>
  static void close_pivot(const ExecSpace& exec, const Part& part, int round, const AnyPanels& panels) {
    const int pivots = checked(panels.pivots(round));
    const IndexRange i = clipped(down(part, round, pivots)), j = clipped(across(part, round, pivots));
    if (i.count == 0 || i.count != j.count)
      throw InvalidInput("phase 1: the pivot of round ", round, " does not lie in the part of ", shape(part),
                         " that starts with tile (", part.row, ", ", part.col, ")");
    detail::for_teams(
        "blockfw::phase1", teams(exec, 1), KOKKOS_LAMBDA(const Member& member) {
          const Team team(member);
          Kernel tile(team);
          tile.read(OfTeam::sub(part.d, i, j));
          OfTeam::template finish_pivot<false>(team, tile, part, panels, round, i, j);
        });
  }

  /// \brief Phase 2: updates the pivot's rows and columns, where they lie in the part, with the closed pivot, and
  /// writes them to the panels.
  static void update_panels(const ExecSpace& exec, const Part& part, int round, const Panels& panels) {
    const int pivots = checked(panels.pivots(round));
    update_panels(exec, part, round, panels, down(part, round, pivots), across(part, round, pivots));
  }

  /// \brief The same for a selection of these rows and columns.
  /// \param exec     the instance to queue the phase on
  /// \param part     the part to update
  /// \param round    the number of the round
  /// \param panels   where the closed pivot is, and where the panels go
  /// \param rows     the rows of the pivot's columns to update, if the part has these columns
  /// \param columns  the columns of the pivot's rows to update, if the part has these rows
  template <class AnyPanels = Panels>
  static void update_panels(const ExecSpace& exec, const Part& part, int round, const AnyPanels& panels,
                            const Selection& rows, const Selection& columns) {
    const int pivots = panels.pivots(round);
    const int side =
        Kernel::side_of_tasks(exec, std::int64_t{IndexRanges(rows, block).size()} + IndexRanges(columns, block).size());
    const IndexRanges i_ranges(rows, side), j_ranges(columns, side);
    const IndexRange pivot_i = clipped(down(part, round, pivots)), pivot_j = clipped(across(part, round, pivots));
    const int in_rows = pivot_i.count == 0 ? 0 : j_ranges.size();
    const int in_cols = pivot_j.count == 0 ? 0 : i_ranges.size();
    if (in_rows + in_cols == 0) return;
    detail::for_teams(
        "blockfw::phase2", teams(exec, in_rows + in_cols), KOKKOS_LAMBDA(const Member& member) {
          const Team team(member);
          const int t = member.league_rank();
          const bool of_rows = t < in_rows;
          const IndexRange i = of_rows ? pivot_i : i_ranges[t - in_rows], j = of_rows ? j_ranges[t] : pivot_j;
          if (!OfTeam::counts(part, i, j)) return;
          Kernel tile(team);
          tile.read(OfTeam::sub(part.d, i, j));
          OfTeam::finish_panel(team, tile, part, panels, round, of_rows, i, j);
        });
  }

  /// \brief Phase 3: updates the rest of the part with the panels, and starts the next round if its pivot lies in the
  /// part (look-ahead).
  ///
  /// The task with the next pivot comes first, and its team closes the pivot while the other teams are still at work.
  /// So phase 1, the only phase without parallelism, costs no time of its own. On a device the teams of the next
  /// pivot's rows and columns then wait for the pivot and write the next panels (phase 2). One launch may do several
  /// rounds there, from phases 1 and 2 of the first round on. A team waits for its tile, for its panels, slab by
  /// slab, and for the readers of the panels that it overwrites. These are always teams of smaller rank. (Teams start
  /// in the order of their ranks, or get ranks as they start. So a team at work never waits for a team that has not
  /// started.) On a device a tile that the next round does not need may be left to a later round. The later round then
  /// updates it with the pivots of several rounds at once.
  ///
  /// \param exec    the instance to queue the phase on
  /// \param part    the part to update
  /// \param round   the number of the (first) round
  /// \param panels  the panels of the round
  /// \param rounds  the number of rounds to do, at most rounds_at_once()
  /// \param opens   whether to do phases 1 and 2 of the first round, too, if the kernel can (`can_open`)
  /// \throws InvalidInput  when several rounds are to be done and one has no pivot; on a device when the part is not
  ///         the whole matrix (parts go through update_through())
  ///
  /// The matrix is complete after the last round only. Until then tiles wait for later rounds, and the next pivot may
  /// be closed already.
  /// \return the work on the next round that has been done
  [[nodiscard]] static LookAheadProgress update_rest(const ExecSpace& exec, const Part& part, int round,
                                                     const Panels& panels, int rounds = 1, bool opens = false) {
    checked(panels.pivots(round));
    const bool looks =
        clipped(down(part, round + 1, block)).count > 0 && clipped(across(part, round + 1, block)).count > 0;
    if (rounds > 1 && (round + rounds - 1) * block >= part.d.extent_int(0))
      throw InvalidInput("phase 3: ", rounds, " rounds from round ", round, ", expected rounds that have pivots");
    const LookAheadProgress ahead = looks ? Kernel::look_ahead : LookAheadProgress::nothing;
    const auto tasks = Kernel::task_order(exec, part, round, panels, ahead, rounds, opens);
    if (tasks.all() == 0) return LookAheadProgress::nothing;
    detail::for_teams(
        "blockfw::phase3", teams_of(exec, tasks), KOKKOS_LAMBDA(const Member& member) {
          const int rank = OfTeam::start_rank(member, panels, round), now = tasks.round(rank);
          const auto task = [&] { return tasks.at(detail::Instructions::forgotten_by_all(rank), now); };
          if (const detail::Task p = task(); p.exists && OfTeam::counts(part, p.i, p.j)) {
            const Team team(member);
            Kernel tile(team);
            const int last = OfTeam::last_panels(p, now);
            const int there = panels.wait_for_operands(team, p, last, now, tasks.size());
            tile.read(OfTeam::sub(part.d, p.i, p.j), OfTeam::is_half(part) && p.i.first == p.j.first);
            if (p.since <= last) OfTeam::relax(team, tile, panels, p, last, there, task);
            OfTeam::relax_relayed(team, tile, panels, now, task);
            OfTeam::finish(team, tile, part, panels, now + 1, task());
          }
          if (now >= round) panels.post_team_done(member, now);
        });
    return ahead;
  }

  /// \brief Phase 3 of several rounds whose panels are all there, for a selection of the part. Reads and writes each
  /// entry once on a device, and once a round on a host.
  /// \param exec     the instance to queue the phase on
  /// \param part     the part to update
  /// \param first    the first round
  /// \param last     the last round, which is included
  /// \param panels   the panels of these rounds
  /// \param rows     the rows to update
  /// \param columns  the columns to update
  /// \param chosen   chosen(i, j) says whether to update these index ranges; by default all are updated
  template <class AnyPanels = Panels>
  static void update_through(const ExecSpace& exec, const Part& part, int first, int last, const AnyPanels& panels,
                             const Selection& rows, const Selection& columns, const detail::HalfTiles& chosen = {}) {
    const IndexRanges i_ranges(rows, block), all_j_ranges(columns, block);
    const int side = Kernel::side_of_tasks(exec, std::int64_t{i_ranges.size()} * all_j_ranges.size());
    const IndexRanges j_ranges(columns, side);
    const int tasks = i_ranges.size() * j_ranges.size();
    if (tasks == 0) return;
    detail::for_teams(
        "blockfw::phase3", teams(exec, tasks), KOKKOS_LAMBDA(const Member& member) {
          const auto [i, j] = detail::range_pair(i_ranges, j_ranges, static_cast<unsigned>(member.league_rank()));
          if (!chosen(i, j)) return;
          const Team team(member);
          Kernel tile(team);
          const Ref c = OfTeam::sub(part.d, i, j);
          tile.read(c);
          tile.relax(team, panels, panels.left(i), panels.right(j), first, last);
          tile.write(c);
        });
  }

  /// \brief Copies entries to the panels of several rounds: rows of pivots to right panels, columns to left panels.
  /// \param exec      the instance to queue the phase on
  /// \param part      the part with the entries
  /// \param first     the first round
  /// \param last      the last round, which is included
  /// \param panels    the panels of these rounds
  /// \param of_rows   whether the entries are rows of pivots, not columns
  /// \param pivots    the rows (columns) of all these rounds' pivots in the part
  /// \param across    the columns of these rows (the rows of these columns) to copy
  /// \param closed    whether the closed pivots are in the panels. If one has a negative cycle, its right panels get
  ///                  no paths. (Its left panels may have paths, which then join with nothing.)
  template <class AnyPanels>
  static void publish(const ExecSpace& exec, const Part& part, int first, int last, const AnyPanels& panels,
                      bool of_rows, const IndexRange& pivots, const Selection& across, bool closed = true) {
    const IndexRanges ranges(across, block);
    const int tasks = ranges.size();
    if (tasks == 0) return;
    detail::for_teams(
        "blockfw::publish", teams(exec, (last - first + 1) * tasks), KOKKOS_LAMBDA(const Member& member) {
          const int step = static_cast<int>(member.league_rank()) / tasks, begin = step * block;
          const IndexRange other = ranges[static_cast<int>(member.league_rank()) - step * tasks],
                           pivot{pivots.first + begin, Kokkos::min(+block, pivots.count - begin)};
          // (A copy in each branch: a choice between references would keep both in memory.)
          const IndexRange i = of_rows ? IndexRange(pivot) : other, j = of_rows ? IndexRange(other) : pivot;
          const Team team(member);
          Kernel tile(team);
          tile.read(OfTeam::sub(part.d, i, j));
          const int round = first + step;
          const bool paths = !of_rows || !closed || panels.wait_for_pivot(team, round, of_rows, 0) > 0;
          of_rows ? tile.publish(panels, round, panels.right(j), paths)
                  : tile.publish(panels, round, panels.left(i), paths);
        });
  }

  /// \brief Copies closed pivots to the panels of several rounds, without paths if one holds a negative cycle.
  /// \param exec     the instance to queue the phase on
  /// \param part     the part with the pivots
  /// \param first    the first round
  /// \param last     the last round, which is included
  /// \param panels   the panels of these rounds
  /// \param rows     the rows of all these rounds' pivots in the part
  /// \param columns  their columns
  template <class AnyPanels>
  static void publish_pivots(const ExecSpace& exec, const Part& part, int first, int last, const AnyPanels& panels,
                             const IndexRange& rows, const IndexRange& columns) {
    detail::for_teams(
        "blockfw::publish_pivots", teams(exec, last - first + 1), KOKKOS_LAMBDA(const Member& member) {
          const int step = static_cast<int>(member.league_rank()), begin = step * block;
          const int pivots = Kokkos::min(+block, rows.count - begin);
          const Ref pivot = OfTeam::sub(part.d, {rows.first + begin, pivots}, {columns.first + begin, pivots});
          bool paths = true;
          for (int k = 0; k < pivots; ++k) paths = paths && !Semiring::diverges(entry_at(pivot, k, k));
          const Team team(member);
          Kernel tile(team);
          tile.read(pivot);
          tile.publish(panels, first + step, panels.left_pivot(), paths);
          tile.publish(panels, first + step, panels.right_pivot(), paths);
          if (paths) tile.mark_paths(panels, first + step);
        });
  }

  /// \brief Solves the matrix d by one team, with panels that no other team uses. (For many matrices at once.)
  template <class AnyPanels>
  static KOKKOS_FORCEINLINE_FUNCTION void eliminate(const Team& team, const Ref& d, const AnyPanels& panels) {
    const Part part{d};
    const int n = d.extent_int(0), tiles = detail::div_up(n, block);
    const auto range = [&](int tile) { return IndexRange{tile * block, Kokkos::min(+block, n - tile * block)}; };
    Kernel tile(team);
    for (int k = 0; k < tiles; ++k) {
      const IndexRange pivot = range(k);
      tile.read(OfTeam::sub(d, pivot, pivot));
      OfTeam::template finish_pivot<true>(team, tile, part, panels, k, pivot, pivot);
      for (int t = 0; t < 2 * tiles; ++t) {
        const bool of_rows = t < tiles;
        const int other = of_rows ? t : t - tiles;
        if (other == k) continue;
        const IndexRange i = of_rows ? pivot : range(other), j = of_rows ? range(other) : pivot;
        tile.read(OfTeam::sub(d, i, j));
        OfTeam::finish_panel(team, tile, part, panels, k, of_rows, i, j);
      }
      team.member.team_barrier();
      for (int t = 0; t < tiles * tiles; ++t) {
        if (t / tiles == k || t % tiles == k) continue;
        const IndexRange i = range(t / tiles), j = range(t % tiles);
        tile.read(OfTeam::sub(d, i, j));
        tile.relax(team, panels, panels.left(i), panels.right(j), k, k);
        tile.write(OfTeam::sub(d, i, j));
      }
      team.member.team_barrier();  // before the next round's panels take the place of these
    }
  }

  /// \brief C ← C ⊕ (A ⊗ B) by one team, with panels that no other team uses. (For many products at once.)
  template <class AnyPanels>
  static KOKKOS_FORCEINLINE_FUNCTION void multiply(const Team& team, const Ref& a, const Ref& b, const Ref& c,
                                                   const AnyPanels& panels) {
    const int height = c.extent_int(0), width = c.extent_int(1), depth = a.extent_int(1);
    const int down = detail::div_up(height, block), across = detail::div_up(width, block);
    const auto range = [](int tile, int end) {
      return IndexRange{tile * block, Kokkos::min(+block, end - tile * block)};
    };
    Kernel tile(team);
    for (int k = 0; k < detail::div_up(depth, block); ++k) {
      const IndexRange pivots = range(k, depth);
      for (int t = 0; t < down; ++t) {
        tile.read(OfTeam::sub(a, range(t, height), pivots));
        tile.publish(panels, k, panels.left(range(t, height)), true);
      }
      for (int t = 0; t < across; ++t) {
        tile.read(OfTeam::sub(b, pivots, range(t, width)));
        tile.publish(panels, k, panels.right(range(t, width)), true);
      }
      team.member.team_barrier();
      for (int t = 0; t < down * across; ++t) {
        const IndexRange i = range(t / across, height), j = range(t % across, width);
        tile.read(OfTeam::sub(c, i, j));
        tile.relax(team, panels, panels.left(i), panels.right(j), k, k);
        tile.write(OfTeam::sub(c, i, j));
      }
      team.member.team_barrier();  // before the next round's panels take the place of these
    }
  }

  /// The number of teams that a device holds at once.
  static int teams_at_once(const ExecSpace& exec) { return Kernel::teams_at_once(exec); }

  /// The team policy of `league` teams.
  static auto teams(const ExecSpace& exec, int league) {
    if constexpr (detail::runs_host_kernel<ExecSpace, Device>) detail::require_vectors();
    return Policy(exec, league, team_size)
        .set_scratch_size(Kernel::scratch_level, Kokkos::PerTeam(Kernel::scratch_bytes));
  }

 private:
  /// The team policy of a launch of phase 3 with its task order.
  static auto teams_of(const ExecSpace& exec, const detail::TaskOrder auto& tasks) {
    if constexpr (detail::kernel_has::teams_together<Kernel, ExecSpace>) {
      using Kokkos::Experimental::DesiredOccupancy, Kokkos::Experimental::prefer;
      const int together = Kernel::teams_together(exec, tasks.tiles());
      if (together == 0) return prefer(teams(exec, tasks.all()), DesiredOccupancy{100});
      // A multiprocessor sets scratch aside for these teams. The scratch of each team leaves none for one more team.
      return prefer(
          teams(exec, tasks.all()).set_scratch_size(Kernel::scratch_level, Kokkos::PerTeam(Kernel::most_scratch)),
          DesiredOccupancy{Kernel::share_of(together)});
    } else {
      return teams(exec, tasks.all());
    }
  }

  /// The part's rows, and its columns, without the pivots of a round.
  static Selection down(const Part& part, int round, int pivots) {
    return {{0, part.d.extent_int(0)}, {(round - part.row) * block, pivots}};
  }
  static Selection across(const Part& part, int round, int pivots) {
    return {{0, part.d.extent_int(1)}, {(round - part.col) * block, pivots}};
  }
  /// The selection's gap, as far as it lies in the range.
  static IndexRange clipped(const Selection& rows) { return IndexRanges(rows, block).pivot(); }

  /// \throws InvalidInput for a round without pivots
  static int checked(int pivots) {
    if (pivots < 1 || pivots > block) throw InvalidInput("a round of ", pivots, " pivots, expected 1 to ", block);
    return pivots;
  }

  static std::string shape(const Part& part) {
    return std::to_string(part.d.extent(0)) + " x " + std::to_string(part.d.extent(1));
  }
};

}  // namespace blockfw
