// SPDX-License-Identifier: MIT
/// \file
/// \brief The three phases of a round as team policies over tiles with scratch pads. All drivers consist of these, but
/// for the transitive closure, whose numbers are bits, and graphs of a batch that fit one tile.
///
/// A round eliminates the pivots of one tile. Phase 1 closes the pivot tile (Floyd-Warshall inside it). Phase 2 updates
/// the pivot's rows and columns with it and writes them to the round's panels, in the form that the tile kernel reads
/// best. Phase 3 updates the rest with the panels. The phases fence nothing and queue work on the given execution-space
/// instance only.
///
/// Every phase leaves a pivot tile that holds a negative cycle out of its round, from the chunk of pivots on that
/// closes it: sums then stay bounded (no integer overflows), and the negative entry on its diagonal remains as
/// evidence. Other entries may then differ from run to run.
#pragma once

#include "blockfw/detail/backend/backend.hpp"
#include "blockfw/detail/kernel/concepts.hpp"
#include "blockfw/detail/kernel/index_ranges.hpp"
#include "blockfw/detail/kernel/kernel_for.hpp"
#include "blockfw/detail/kernel/task_order.hpp"
#include "blockfw/detail/launch.hpp"
#include "blockfw/detail/rounding.hpp"
#include "blockfw/error.hpp"
#include "blockfw/matrix.hpp"
#include "blockfw/part.hpp"
#include "blockfw/semiring.hpp"
#include "blockfw/tile.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>

namespace blockfw {

/// \brief The phases for one tile shape, execution space and semiring.
///
/// Round k eliminates the pivots of tile k, rows and columns k · block onwards. Each phase works on a part of the
/// matrix, cut along the tiles. The panels must hold those of the pivot's rows and columns that lie outside the part.
/// Call the rounds in order, from 0. Phase 3 is update_rest() in all rounds, or update_through() in all: on a device
/// update_rest() waits for what the earlier rounds have posted.
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
  using IndexRanges = detail::IndexRanges;
  using Task = detail::Task;

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
  static constexpr bool can_halve = detail::is_commutative<Semiring> && detail::kernel_has::mirrors<Kernel, Panels>;

  /// The most rounds that one call of update_rest() can do for a matrix of `tiles` tiles a side.
  static constexpr int rounds_at_once(int tiles) { return Kernel::rounds_at_once(tiles); }

  /// \brief Phase 1: closes the pivot tile, which lies in the part.
  template <class AnyPanels = Panels>
  static void close_pivot(const ExecSpace& exec, const Part& part, int round, const AnyPanels& panels) {
    require_pivots(panels.pivots(round));
    const IndexRange i = clipped(down(part, round, panels)), j = clipped(across(part, round, panels));
    if (i.count == 0 || i.count != j.count)
      throw InvalidInput("phase 1: the pivot of round " + std::to_string(round) + " does not lie in the part of " +
                         shape(part) + " that starts with tile (" + std::to_string(part.row) + ", " +
                         std::to_string(part.col) + ")");
    detail::for_teams(
        "blockfw::phase1", teams(exec, 1), KOKKOS_LAMBDA(const Member& member) {
          const Team team(member);
          Kernel tile(team);
          tile.read(sub(part.d, i, j));
          finish_pivot<false>(team, tile, part, panels, round, i, j);
        });
  }

  /// \brief Phase 2: updates the pivot's rows and columns, where they lie in the part, with the closed pivot, and
  /// writes them to the panels.
  static void update_panels(const ExecSpace& exec, const Part& part, int round, const Panels& panels) {
    require_pivots(panels.pivots(round));
    update_panels(exec, part, round, panels, down(part, round, panels), across(part, round, panels));
  }

  /// \brief The same for a selection of them.
  /// \param exec     the instance to queue the phase on
  /// \param part     the part to update
  /// \param round    the number of the round
  /// \param panels   where the closed pivot is, and where the panels go
  /// \param rows     the rows of the pivot's columns to update, if the part has these columns
  /// \param columns  the columns of the pivot's rows to update, if the part has these rows
  template <class AnyPanels = Panels>
  static void update_panels(const ExecSpace& exec, const Part& part, int round, const AnyPanels& panels,
                            const Selection& rows, const Selection& columns) {
    const IndexRanges i_ranges(rows, block), j_ranges(columns, block);
    const IndexRange pivot_i = clipped(down(part, round, panels)), pivot_j = clipped(across(part, round, panels));
    const int in_rows = pivot_i.count == 0 ? 0 : j_ranges.size();
    const int in_cols = pivot_j.count == 0 ? 0 : i_ranges.size();
    if (in_rows + in_cols == 0) return;
    detail::for_teams(
        "blockfw::phase2", teams(exec, in_rows + in_cols), KOKKOS_LAMBDA(const Member& member) {
          const Team team(member);
          const int t = member.league_rank();
          const bool of_rows = t < in_rows;
          const IndexRange i = of_rows ? pivot_i : i_ranges[t - in_rows], j = of_rows ? j_ranges[t] : pivot_j;
          if (!counts(part, i, j)) return;
          Kernel tile(team);
          tile.read(sub(part.d, i, j));
          finish_panel(team, tile, part, panels, round, of_rows, i, j);
        });
  }

  /// \brief Phase 3: updates the rest of the part with the panels, and starts the next round if its pivot lies in the
  /// part (look-ahead).
  ///
  /// The task with the next pivot comes first, and its team closes the pivot while the other teams are still at work:
  /// the one phase without parallelism costs no time of its own. On a device the teams of the next pivot's rows and
  /// columns then wait for it and write the next panels (phase 2), and one launch may do several rounds, from the first
  /// round's phases 1 and 2 on. A team waits for its tile, for its panels, chunk by chunk, and for the readers of the
  /// panels that it overwrites. These are always teams of smaller rank. (Teams start in the order of their ranks, or
  /// get ranks as they start, so a team at work never waits for one that has not started.) On a device a tile that the
  /// next round does not need may be left to a later round, which then updates it with the pivots of several rounds at
  /// once.
  ///
  /// \param exec    the instance to queue the phase on
  /// \param part    the part to update
  /// \param round   the number of the (first) round
  /// \param panels  the panels of the round
  /// \param rounds  the rounds to do, at most rounds_at_once()
  /// \param opens   whether phases 1 and 2 of the first round are to be done, too, if the kernel can (`can_open`)
  /// \throws InvalidInput  when several rounds are to be done and one has no pivot; on a device when the part is not
  ///         the whole matrix (parts go through update_through())
  ///
  /// The matrix is complete after the last round only: until then tiles wait for later rounds, and the next pivot may
  /// be closed already.
  /// \return the work on the next round that has been done
  [[nodiscard]] static LookAheadProgress update_rest(const ExecSpace& exec, const Part& part, int round,
                                                     const Panels& panels, int rounds = 1, bool opens = false) {
    require_pivots(panels.pivots(round));
    const auto in = [&](int first, std::size_t extent) {
      return round + 1 >= first && (round + 1 - first) * block < static_cast<int>(extent);
    };
    const bool looks = in(part.row, part.d.extent(0)) && in(part.col, part.d.extent(1));
    if (rounds > 1 && (round + rounds - 1) * block >= part.d.extent_int(0))
      throw InvalidInput("phase 3: " + std::to_string(rounds) + " rounds from round " + std::to_string(round) +
                         " on, expected a pivot for each");
    const LookAheadProgress ahead = looks ? Kernel::look_ahead : LookAheadProgress::nothing;
    const auto tasks = Kernel::task_order(exec, part, round, panels, ahead, rounds, opens);
    if (tasks.all() == 0) return LookAheadProgress::nothing;
    detail::for_teams(
        "blockfw::phase3", teams_for(exec, tasks), KOKKOS_LAMBDA(const Member& member) {
          const int rank = start_rank(member, panels, round), now = tasks.round(rank);
          const auto task = [&] { return tasks.at(detail::forgotten_by_all(rank), now); };
          if (const Task p = task(); p.exists && counts(part, p.i, p.j)) {
            const Team team(member);
            Kernel tile(team);
            const int last = last_panels(p, now), there = wait_for_operands(team, panels, p, last, now, tasks.size());
            tile.read(sub(part.d, p.i, p.j), is_half(part) && p.i.first == p.j.first);
            if (p.since <= last) relax(team, tile, panels, p, last, there, task);
            relax_relayed(team, tile, panels, now, task);
            finish(team, tile, part, panels, now + 1, task());
          }
          if (now >= round) post_team_done(member, panels, now);
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
  /// \param chosen   chosen(i, j) says whether to update these index ranges; as it is, all
  template <class AnyPanels = Panels>
  static void update_through(const ExecSpace& exec, const Part& part, int first, int last, const AnyPanels& panels,
                             const Selection& rows, const Selection& columns, const detail::HalfTiles& chosen = {}) {
    const IndexRanges i_ranges(rows, block), j_ranges(columns, block);
    const int tasks = i_ranges.size() * j_ranges.size();
    if (tasks == 0) return;
    detail::for_teams(
        "blockfw::phase3", teams(exec, tasks), KOKKOS_LAMBDA(const Member& member) {
          const auto [i, j] = detail::range_pair(i_ranges, j_ranges, static_cast<unsigned>(member.league_rank()));
          if (!chosen(i, j)) return;
          const Team team(member);
          Kernel tile(team);
          const Ref c = sub(part.d, i, j);
          tile.read(c);
          tile.relax(team, panels, panels.left(i), panels.right(j), first, last);
          detail::write_back(tile, c);
        });
  }

  /// \brief Copies entries to the panels of several rounds: rows of pivots to right panels, columns to left panels.
  /// \param exec      the instance to queue the phase on
  /// \param part      the part with the entries
  /// \param first     the first round
  /// \param last      the last round, which is included
  /// \param panels    the panels of these rounds
  /// \param of_rows   whether rows
  /// \param pivots    the rows (columns) of all these rounds' pivots in the part
  /// \param across    the columns of these rows (the rows of these columns) to copy
  ///
  /// Right panels of a pivot with a negative cycle, which is in the panels already, get no paths. Its left panels may
  /// have some, which join with nothing then.
  template <class AnyPanels>
  static void publish(const ExecSpace& exec, const Part& part, int first, int last, const AnyPanels& panels,
                      bool of_rows, const IndexRange& pivots, const Selection& across) {
    const IndexRanges ranges(across, block);
    const int tasks = ranges.size();
    if (tasks == 0) return;
    detail::for_teams(
        "blockfw::publish", teams(exec, (last - first + 1) * tasks), KOKKOS_LAMBDA(const Member& member) {
          const int step = static_cast<int>(member.league_rank()) / tasks, begin = step * block;
          const IndexRange other = ranges[static_cast<int>(member.league_rank()) - step * tasks],
                           pivot{pivots.first + begin, Kokkos::min(+block, pivots.count - begin)};
          // (A copy in each: a choice between references would keep both in memory.)
          const IndexRange i = of_rows ? IndexRange(pivot) : other, j = of_rows ? IndexRange(other) : pivot;
          const Team team(member);
          Kernel tile(team);
          tile.read(sub(part.d, i, j));
          const int round = first + step;
          const bool paths = !of_rows || panels.wait_for_pivot(team, round, of_rows, 0) > 0;
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
          const Ref pivot = sub(part.d, {rows.first + begin, pivots}, {columns.first + begin, pivots});
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
      tile.read(sub(d, pivot, pivot));
      finish_pivot<true>(team, tile, part, panels, k, pivot, pivot);
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
        detail::write_back(tile, sub(d, i, j));
      }
      team.member.team_barrier();  // before the next round's panels take the place of these
    }
  }

  /// The number of teams that a device holds at once.
  static int teams_at_once(const ExecSpace& exec) { return Kernel::teams_at_once(exec); }

  /// The team policy of `league` teams.
  static auto teams(const ExecSpace& exec, int league) {
    if constexpr (detail::runs_host_kernel<ExecSpace, Device>) detail::require_vectors();
    return Policy(exec, league, Kernel::team_size)
        .set_scratch_size(Kernel::scratch_level, Kokkos::PerTeam(Kernel::scratch_bytes));
  }

  /// The team policy of a launch of phase 3 with its task order.
  template <class TaskOrder>
  static auto teams_for(const ExecSpace& exec, const TaskOrder& tasks) {
    if constexpr (detail::kernel_has::teams_together<Kernel, ExecSpace>) {
      using Kokkos::Experimental::DesiredOccupancy, Kokkos::Experimental::prefer;
      const int together = Kernel::teams_together(exec, tasks.tiles());
      if (together == 0) return prefer(teams(exec, tasks.all()), DesiredOccupancy{100});
      // A multiprocessor sets scratch aside for these teams, each of which takes as much as leaves none for one more.
      return prefer(
          teams(exec, tasks.all()).set_scratch_size(Kernel::scratch_level, Kokkos::PerTeam(Kernel::most_scratch)),
          DesiredOccupancy{Kernel::share_of(together)});
    } else {
      return teams(exec, tasks.all());
    }
  }

 private:
  // The optional parts of a kernel and of panels. (Functions, as nvcc allows no capture inside `if constexpr`.)

  template <class AnyPanels>
  static constexpr bool has_flags = detail::panels_have::flags<AnyPanels, Team>;

  static KOKKOS_FORCEINLINE_FUNCTION int start_rank(const Member& member, [[maybe_unused]] const Panels& panels,
                                                    [[maybe_unused]] int round) {
    if constexpr (detail::kernel_has::start_rank<Kernel, Panels>)
      return Kernel::start_rank(member, panels, round);
    else
      return member.league_rank();
  }
  static KOKKOS_FORCEINLINE_FUNCTION int wait_for_operands([[maybe_unused]] const Team& team,
                                                           [[maybe_unused]] const Panels& panels,
                                                           [[maybe_unused]] const Task& task,
                                                           [[maybe_unused]] int last_panels, [[maybe_unused]] int last,
                                                           [[maybe_unused]] int teams) {
    if constexpr (has_flags<Panels>)
      return panels.wait_for_operands(team, task, last_panels, last, teams);
    else
      return 0;
  }
  template <class TaskOf>
  static KOKKOS_FORCEINLINE_FUNCTION void relax(const Team& team, Kernel& tile, const Panels& panels, const Task& p,
                                                int now, [[maybe_unused]] int there,
                                                [[maybe_unused]] const TaskOf& task) {
    if constexpr (has_flags<Panels> && !relays<Panels>)
      tile.relax(team, panels, panels.left(p.i), panels.right(p.j), p.since, now, there, [&](int chunk) {
        const Task t = task();
        return panels.wait_for_chunk(team, t.i, t.j, now, chunk);
      });
    else
      tile.relax(team, panels, panels.left(p.i), panels.right(p.j), p.since, now);
  }

  /// Whether chunks of a pivot, and of the panels that it makes, go through a relay.
  template <class AnyPanels>
  static constexpr bool relays = requires { requires AnyPanels::relays; };
  /// Whether the operands of a task's last round come through the relay: those of the next panels do.
  static KOKKOS_FORCEINLINE_FUNCTION bool takes_relayed(const Task& task, int last) {
    return relays<Panels> && (task.in_next_rows || task.in_next_cols) && task.since <= last;
  }
  /// The last round whose panels a task takes.
  static KOKKOS_FORCEINLINE_FUNCTION int last_panels(const Task& task, int last) {
    return takes_relayed(task, last) ? last - 1 : last;
  }
  template <class TaskOf>
  static KOKKOS_FORCEINLINE_FUNCTION void relax_relayed([[maybe_unused]] const Team& team,
                                                        [[maybe_unused]] Kernel& tile,
                                                        [[maybe_unused]] const Panels& panels,
                                                        [[maybe_unused]] int round,
                                                        [[maybe_unused]] const TaskOf& task) {
    if constexpr (relays<Panels>)
      if (const Task p = task(); takes_relayed(p, round))
        tile.relax_relayed(team, panels, panels.left(p.i), panels.right(p.j), round);
  }

  static KOKKOS_FORCEINLINE_FUNCTION void post_team_done([[maybe_unused]] const Member& member,
                                                         [[maybe_unused]] const Panels& panels,
                                                         [[maybe_unused]] int round) {
    if constexpr (has_flags<Panels>) panels.post_team_done(member, round);
  }
  template <class AnyPanels>
  static KOKKOS_FORCEINLINE_FUNCTION void note_negative([[maybe_unused]] const Kernel& tile,
                                                        [[maybe_unused]] const AnyPanels& panels) {
    if constexpr (has_flags<AnyPanels>) tile.note_negative(panels);
  }
  template <class AnyPanels>
  static KOKKOS_FORCEINLINE_FUNCTION void post_pivot([[maybe_unused]] const Team& team,
                                                     [[maybe_unused]] const AnyPanels& panels,
                                                     [[maybe_unused]] int round, [[maybe_unused]] int chunks) {
    if constexpr (has_flags<AnyPanels>) panels.post_pivot(team, round, chunks);
  }
  template <class AnyPanels>
  static KOKKOS_FORCEINLINE_FUNCTION void post_panel([[maybe_unused]] const Team& team,
                                                     [[maybe_unused]] const AnyPanels& panels,
                                                     [[maybe_unused]] bool of_rows,
                                                     [[maybe_unused]] const IndexRange& i,
                                                     [[maybe_unused]] const IndexRange& j, [[maybe_unused]] int round,
                                                     [[maybe_unused]] int chunks) {
    if constexpr (has_flags<AnyPanels>) panels.post_panel(team, of_rows, i, j, round, chunks);
  }
  template <class AnyPanels>
  static KOKKOS_FORCEINLINE_FUNCTION void post_tile([[maybe_unused]] const Team& team,
                                                    [[maybe_unused]] const AnyPanels& panels,
                                                    [[maybe_unused]] const IndexRange& i,
                                                    [[maybe_unused]] const IndexRange& j, [[maybe_unused]] int next) {
    if constexpr (has_flags<AnyPanels>) panels.post_tile(team, i, j, next);
  }

  /// Whether only the tiles on the diagonal and above are updated.
  static KOKKOS_FORCEINLINE_FUNCTION bool is_half(const Part& part) {
    return can_halve && part.direction == Direction::undirected;
  }
  /// Whether the phases update this tile, or index ranges of some tiles.
  static KOKKOS_FORCEINLINE_FUNCTION bool counts(const Part& part, const IndexRange& i, const IndexRange& j) {
    return !is_half(part) || i.first <= j.first;
  }

  /// Completes a task after phase 3 of the round before `next`: writes the tile, or first does phase 1 (on a device
  /// also phase 2) of `next` on it.
  static KOKKOS_FORCEINLINE_FUNCTION void finish(const Team& team, Kernel& tile, const Part& part, const Panels& panels,
                                                 int next, const Task& task) {
    const IndexRange &i = task.i, &j = task.j;
    if (!task.in_next_rows && !task.in_next_cols) {
      detail::write_back(tile, sub(part.d, i, j));
      post_tile(team, panels, i, j, next);
    } else if (task.in_next_rows && task.in_next_cols) {
      finish_pivot<true>(team, tile, part, panels, next, i, j);
    } else if constexpr (Kernel::look_ahead == LookAheadProgress::panels) {
      finish_panel(team, tile, part, panels, next, task.in_next_rows, i, j);
    }
  }

  /// \tparam by_chunks  whether the pivot goes out chunk by chunk: others of the launch wait for it, or, where one team
  ///                    does all, that takes fewer registers
  template <bool by_chunks, class AnyPanels>
  static KOKKOS_FORCEINLINE_FUNCTION void finish_pivot(const Team& team, Kernel& tile, const Part& part,
                                                       const AnyPanels& panels, int round, const IndexRange& i,
                                                       const IndexRange& j) {
    // (On a host the task may be larger than the tile.)
    const Ref pivot = sub(part.d, {i.first, Kokkos::min(+block, i.count)}, {j.first, Kokkos::min(+block, j.count)});
    if constexpr (detail::runs_host_kernel<ExecSpace, Device>) tile.read(pivot);
    note_negative(tile, panels);
    const auto publish = [&](bool paths, auto... chunk) {
      tile.publish(panels, round, panels.left_pivot(), paths, chunk...);
      tile.publish(panels, round, panels.right_pivot(), paths, chunk...);
    };
    const auto post = [&](int chunks) { post_pivot(team, panels, round, chunks); };
    bool diverges = false;
    if constexpr (relays<AnyPanels>) {
      const auto relay = [&](int chunk, bool paths) {
        tile.publish(panels, round, detail::Relayed{panels.left_pivot()}, paths, chunk);
        tile.publish(panels, round, detail::Relayed{panels.right_pivot()}, paths, chunk);
      };
      diverges = tile.close(
          team, pivot.extent_int(0),
          [&](int chunk, bool stopped) {
            if (stopped)
              for (int c = 0; c < chunk; ++c) relay(c, false);
            relay(chunk, !stopped);
          },
          [](int) {});
    } else if constexpr (by_chunks) {
      diverges = tile.close(team, pivot.extent_int(0), [&](int chunk, bool) { publish(true, chunk); }, post);
      if (AnyPanels::self_contained && diverges) publish(false);
    } else {
      diverges = tile.close(team, pivot.extent_int(0));
      publish(!AnyPanels::self_contained || !diverges);
    }
    if constexpr (AnyPanels::self_contained)
      if (!diverges) tile.mark_paths(panels, round);
    if constexpr (!relays<AnyPanels>) {
      if constexpr (has_flags<AnyPanels>) team.member.team_barrier();
      post(detail::all_chunks + diverges);
    }
    detail::write_back(tile, pivot);
    post_tile(team, panels, i, j, round + 1);
  }

  /// \param of_rows  whether the tile lies in the pivot's rows; if not, it lies in its columns
  template <class AnyPanels>
  static KOKKOS_FORCEINLINE_FUNCTION void finish_panel(const Team& team, Kernel& tile, const Part& part,
                                                       const AnyPanels& panels, int round, bool of_rows,
                                                       const IndexRange& i, const IndexRange& j) {
    const Ref c = sub(part.d, i, j);
    const bool half = is_half(part);
    note_negative(tile, panels);
    const auto publish_at = [&](const auto& left, const auto& right, int chunk, bool paths, [[maybe_unused]] bool own) {
      of_rows ? tile.publish(panels, round, right(j), paths, chunk)
              : tile.publish(panels, round, left(i), paths, chunk);
      if constexpr (can_halve) {
        if (!half || own) return;
        of_rows ? tile.publish_mirrored(panels, round, left(j), paths, chunk)
                : tile.publish_mirrored(panels, round, right(i), paths, chunk);
      }
    };
    const auto publish = [&](int chunk, bool paths, bool own) {
      publish_at([&](const IndexRange& rows) { return panels.left(rows); },
                 [&](const IndexRange& columns) { return panels.right(columns); }, chunk, paths, own);
    };
    const auto post = [&](int chunks) {
      if (half) post_panel(team, panels, !of_rows, j, i, round, chunks);
      post_panel(team, panels, of_rows, i, j, round, chunks);
    };
    if constexpr (relays<AnyPanels>) {
      tile.take_through_relayed(team, panels, round, of_rows, [&](int chunk, bool paths) {
        publish_at([&](const IndexRange& rows) { return detail::Relayed{panels.left(rows)}; },
                   [&](const IndexRange& columns) { return detail::Relayed{panels.right(columns)}; }, chunk, paths,
                   false);
        publish(chunk, paths, false);
      });
    } else {
      const auto wait = [&](int chunk) { return panels.wait_for_pivot(team, round, of_rows, chunk); };
      tile.take_through(team, panels, round, of_rows, i, j, publish, post, wait);
    }
    post(detail::all_chunks);  // before the tile goes to d, as other teams wait for the panel
    detail::write_back(tile, c);
    post_tile(team, panels, i, j, round + 1);
  }

  static KOKKOS_FORCEINLINE_FUNCTION Ref sub(const Ref& d, const IndexRange& i, const IndexRange& j) {
    return submatrix(d, i.first, i.count, j.first, j.count);
  }

  template <class AnyPanels>
  static Selection down(const Part& part, int round, const AnyPanels& panels) {
    return {{0, part.d.extent_int(0)}, {(round - part.row) * block, panels.pivots(round)}};
  }
  template <class AnyPanels>
  static Selection across(const Part& part, int round, const AnyPanels& panels) {
    return {{0, part.d.extent_int(1)}, {(round - part.col) * block, panels.pivots(round)}};
  }
  /// The selection's gap, as far as it lies in the range.
  static IndexRange clipped(const Selection& rows) { return IndexRanges(rows, block).pivot(); }

  static void require_pivots(int pivots) {
    if (pivots < 1 || pivots > block)
      throw InvalidInput("a round of " + std::to_string(pivots) + " pivots, expected 1 to " + std::to_string(block));
  }

  static std::string shape(const Part& part) {
    return std::to_string(part.d.extent(0)) + " x " + std::to_string(part.d.extent(1));
  }
};

}  // namespace blockfw
