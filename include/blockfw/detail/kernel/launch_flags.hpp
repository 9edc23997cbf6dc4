// SPDX-License-Identifier: MIT
/// \file
/// \brief The means by which teams of one launch wait for each other, and pass slabs: flags of pivots, panels, tiles
/// and finished teams; a relay.
///
/// The relay is memory through which the teams of the chain of pivots pass slabs. A slab goes as words of 32 bits. Each
/// word is stored together with a tag that names its round. A reader polls the words themselves, so neither side needs
/// a fence or a flag: one trip through memory instead of two. (The scheme of NCCL's protocol LL.) A round's pivot goes
/// through a relay to the teams of phase 2. Their tiles of the panels go through it to the teams that make the next
/// panels. So these teams can follow the chain of pivots. All other readers take the panels.
#pragma once

#include "blockfw/detail/backend/backend.hpp"
#include "blockfw/detail/backend/workspace.hpp"
#include "blockfw/detail/kernel/index_ranges.hpp"
#include "blockfw/detail/kernel/task_order.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace blockfw::detail {

/// The most rounds from one update of a tile to the next; see lag_of().
inline constexpr int longest_lag = 16;
/// Rounds whose panels are kept beside the panels in use: the next round, and further rounds. With these, some teams
/// can be in a later round while other teams still work on this round.
inline constexpr int spare = 3;
inline constexpr int most_kept = longest_lag + spare;

/// Rounds after which the tags of a relay start again.
inline constexpr std::int64_t tagged_rounds = std::int64_t(1) << 29;

inline constexpr std::int64_t apart = 128 / sizeof(std::int64_t);  ///< from a round's flag to the next: a cache line

/// \brief The flags of one solve. They do not depend on the layout of the panels, with one exception: a pivot's flag
/// has the slot of its round as its index.
template <int Block>
class LaunchFlags {
  template <class, int>
  friend class FlagStorage;

 public:
  // One thread of a team posts a flag, after a barrier of the team, so that all writes of the team come before it. A
  // few threads wait for flags, before a barrier, so that all reads of the team come after it.

  /// Waits until all rounds before task.since have updated the tile, and until its panels are written. These are the
  /// panels of all rounds before `panels`, and a slab of the panels of round `panels`. A task of the next panels also
  /// waits until no team needs the panels that it overwrites.
  /// \param last   the last round that updates the tile
  /// \param teams  the number of teams in phase 3 of a round
  /// \return the number of slabs of the last panels that are written, if the task takes any panels
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION int wait_for_operands(const Team& team, const Task& task, int panels, int last,
                                                    int teams) const {
    const int i = task.i.first / Block, j = task.j.first / Block;
    const std::int64_t base = number(panels), there = task.since <= panels ? base + 1 : 0;
    // (Not the words of wait_for_pivot(), which may follow without a barrier if the task takes no panels.)
    wait_for<2>(team, base, {left_flag(i), there}, {right_flag(j), there},
                {tile_flag(i, j), task.since > 0 ? number(task.since) : 0},
                not_needed(task.in_next_rows || task.in_next_cols, last, teams));
    return Kokkos::min(team.seen()[2], team.seen()[3]);
  }
  /// Waits until a slab of a round's panels of the tile is written. \return the number of slabs that are written
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION int wait_for_slab(const Team& team, const IndexRange& i, const IndexRange& j, int round,
                                                int slab) const {
    const std::int64_t base = number(round), there = base + slab + 1;
    wait_for<2>(team, base, {left_flag(i.first / Block), there}, {right_flag(j.first / Block), there});
    return Kokkos::min(team.seen()[2], team.seen()[3]);
  }

  /// Posts that the tile has been updated by all rounds before `next`.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void post_tile(const Team& team, const IndexRange& i, const IndexRange& j,
                                             int next) const {
    post(team, tile_flag(i.first / Block, j.first / Block), number(next));
  }
  /// Posts that the first slabs of a tile of a round's panels are written, or all_slabs.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void post_panel(const Team& team, bool of_rows, const IndexRange& i, const IndexRange& j,
                                              int round, int slabs) const {
    post(team, of_rows ? right_flag(j.first / Block) : left_flag(i.first / Block), number(round) + slabs);
  }
  /// The team's start rank in a launch of phase 3.
  /// \param round  the first round of the launch
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION int start_rank(const Member& member, int round) const {
    int mine = 0;
    if (member.team_rank() == 0) mine = Kokkos::atomic_fetch_inc(started_ + round);
    member.team_broadcast(mine, 0);
    return Instructions::known_same(mine);
  }
  /// Counts a team of phase 3 of the round as done.
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION void post_team_done(const Member& member, int round) const {
    if (member.team_rank() == 0) Instructions::increment_flag(finished_ + round);
  }

  /// The tag of a round's words in a relay, without its lowest bits. The tag is never 0, which new memory holds. Tags
  /// start again after `tagged_rounds` rounds.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t tag(int round) const {
    return static_cast<std::uint32_t>(ticket_ / all_slabs + round) * 8 + 4;
  }

  /// Notes that there is a negative entry in a panel. The caller then passes a barrier and posts the panel's flag.
  KOKKOS_FORCEINLINE_FUNCTION void note_negative() const { *static_cast<volatile std::int64_t*>(negative()) = ticket_; }
  /// Whether a negative entry was noted. This covers all panels that the team has waited for. Other panels may already
  /// count, too.
  KOKKOS_FORCEINLINE_FUNCTION bool any_negative() const {
    return *static_cast<const volatile std::int64_t*>(negative()) == ticket_;
  }

 protected:
  /// The number of a flag before the first slab of a round.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t number(int round) const { return ticket_ + std::int64_t(all_slabs) * round; }
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t* closed(int slot) const { return flags_ + slot * apart; }
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t* negative() const { return flags_ + most_kept * apart; }
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t* left_flag(int i) const { return flags_ + ((most_kept + 1) * apart + i); }
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t* right_flag(int j) const { return left_flag(down_ + j); }
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t* tile_flag(int i, int j) const {
    return left_flag(down_ + across_ + i * across_ + j);
  }

  /// A condition to wait for: the flag holds at least `least`.
  struct Goal {
    const std::int64_t* flag = nullptr;
    std::int64_t least = 0;
  };
  /// The goal that all teams are done with the panels whose memory the panels of round `last` + 1 will use.
  /// \param wanted  if false, there is no goal
  KOKKOS_FORCEINLINE_FUNCTION Goal not_needed(bool wanted, int last, int teams) const {
    const int reader = last - spare;
    return wanted && reader >= 0 ? Goal{finished_ + reader, teams} : Goal{};
  }
  /// Waits for all goals, each by one thread. team.seen() then holds, from `First` on, the values beyond `base` of the
  /// first two flags. (Goals are passed by value, so that the choice of a goal needs no memory.)
  template <int First = 0, class Team>
  static KOKKOS_FORCEINLINE_FUNCTION void wait_for(const Team& team, std::int64_t base, Goal first, Goal second = {},
                                                   Goal third = {}, Goal fourth = {}) {
    for (int g = team.member.team_rank(); g < 4; g += Team::size) {
      const std::int64_t* const flag = g == 0 ? first.flag : g == 1 ? second.flag : g == 2 ? third.flag : fourth.flag;
      const std::int64_t least = g == 0 ? first.least : g == 1 ? second.least : g == 2 ? third.least : fourth.least;
      if (least > 0) {
        const std::int64_t value = Instructions::wait_for_flag(flag, least);
        if (g < 2) team.seen()[First + g] = static_cast<int>(Kokkos::min<std::int64_t>(value - base, all_slabs + 1));
      }
    }
    team.member.team_barrier();
  }
  template <class Team>
  static KOKKOS_FORCEINLINE_FUNCTION void post(const Team& team, std::int64_t* flag, std::int64_t value) {
    team.member.team_barrier();
    if (team.member.team_rank() == 0) Instructions::post_flag(flag, value);
  }

  // The number in a flag never falls, not even from one call to the next. It counts slabs from the ticket on,
  // all_slabs a round. A pivot's flag holds the number of closed slabs, and one more than all if the pivot diverges.
  // The flag of a tile of the panels holds the number of written slabs. A tile's flag holds the rounds done, counted
  // in slabs. The negative flag holds the ticket once a panel has a negative entry.
  std::int64_t* flags_ = nullptr;
  std::int64_t* finished_ = nullptr;  ///< for each round, the teams of its phase 3 that are done
  int* started_ = nullptr;            ///< for each launch, by its first round, the teams that have started
  std::int64_t ticket_ = 0;
  int down_ = 0, across_ = 0;  ///< tiles of the part of the matrix
};

/// \brief The memory of the flags of one solve.
template <class ExecSpace, int Block>
class FlagStorage {
 public:
  /// \param exec          the instance that the launches run on
  /// \param keeper        the instance for which the memory is kept
  /// \param down, across  tiles of the part of the matrix
  FlagStorage(const ExecSpace& exec, const ExecSpace& keeper, int rounds, int down, int across)
      : posted_(keeper, static_cast<std::size_t>(count(down, across)) * sizeof(std::int64_t), "blockfw::flags"),
        finished_(keeper, static_cast<std::size_t>(rounds) * (sizeof(std::int64_t) + sizeof(int)),
                  "blockfw::finished") {
    Kokkos::deep_copy(exec, finished_.memory(), std::byte{0});
    flags_.flags_ = reinterpret_cast<std::int64_t*>(posted_.data());
    flags_.finished_ = reinterpret_cast<std::int64_t*>(finished_.data());
    flags_.started_ = reinterpret_cast<int*>(flags_.finished_ + rounds);
    // Taken here, after the memory, so that it is above all values that earlier calls wrote to these flags.
    // All rounds of a solve lie between two starts of the tags.
    do flags_.ticket_ = take_tickets(std::int64_t(all_slabs) * (rounds + 1));
    while (first_round() / tagged_rounds != (first_round() + rounds) / tagged_rounds);
    flags_.down_ = down;
    flags_.across_ = across;
  }

  const LaunchFlags<Block>& flags() const { return flags_; }
  /// The number of a solve's first round among all solves.
  std::int64_t first_round() const { return flags_.ticket_ / all_slabs; }

  /// The most memory, in bytes, that this takes for some rounds and tiles.
  static double bytes(double rounds, double down, double across) {
    return count(down, across) * sizeof(std::int64_t) + rounds * (sizeof(std::int64_t) + sizeof(int));
  }

 private:
  static double count(double down, double across) {
    return static_cast<double>((most_kept + 1) * apart) + down + across + down * across;
  }

  LaunchFlags<Block> flags_;
  Workspace<ExecSpace> posted_, finished_;
};

/// An operand in a round's slot of the relay.
template <class Packed>
struct Relayed {
  Packed place;
};

/// A bit of a tag. It says that the tile is published without paths.
inline constexpr std::uint32_t tag_no_paths = 1;

}  // namespace blockfw::detail
