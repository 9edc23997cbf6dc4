// SPDX-License-Identifier: MIT
/// \file
/// \brief The panels of a device's solve. The teams of one launch wait for each other by flags of pivots, panels, tiles
/// and finished teams. They pass slabs by a relay.
///
/// The relay is memory through which the teams of the chain of pivots pass slabs. A slab goes as words of 32 bits. Each
/// word is stored together with a tag that names its round. A reader polls the words themselves, so neither side needs
/// a fence or a flag: one trip through memory instead of two. (The scheme of NCCL's protocol LL.) A round's pivot goes
/// through a relay to the teams of phase 2. Their tiles of the panels go through it to the teams that make the next
/// panels. So these teams can follow the chain of pivots. All other readers take the panels.
#pragma once

#include "blockfw/detail/backend/backend.hpp"
#include "blockfw/detail/backend/workspace.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/kernel/group_panels.hpp"
#include "blockfw/detail/kernel/part.hpp"
#include "blockfw/detail/kernel/task_order.hpp"
#include "blockfw/ground/error.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

namespace blockfw::detail {

/// The most rounds from one update of a tile to the next; see lag_of().
inline constexpr int longest_lag = 16;
/// Rounds whose panels are kept beside the panels in use: the next round, and further rounds. With these, some teams
/// can be in a later round while other teams still work on this round.
inline constexpr int spare = 3;
inline constexpr int most_kept = longest_lag + spare;

/// Rounds after which the tags of a relay start again.
inline constexpr std::int64_t tagged_rounds = std::int64_t(1) << 29;

inline constexpr std::int64_t apart =
    128 / sizeof(std::int64_t);  ///< the step from a round's flag to the next: a cache line

/// The rounds from one update of a tile to the next, in a matrix of down x across tiles. A longer lag reduces memory
/// traffic, as long as each round has enough tiles to keep all multiprocessors busy to its end.
/// \param enough  the number of tiles that keep them busy
inline int lag_of(std::int64_t down, std::int64_t across, int enough) {
  return static_cast<int>(std::clamp<std::int64_t>(down * across / enough, 1, longest_lag));
}

/// An operand in a round's slot of the relay.
template <class Packed>
struct Relayed {
  Packed place;
};

/// A bit of a tag. It says that the tile is published without paths.
inline constexpr std::uint32_t tag_no_paths = 1;

/// \brief The panels of the last few rounds and of the next ones, with their flags.
/// \tparam Layout  a PackedLayout
/// \tparam Relays  whether teams use a relay: a pivot then goes through it to the teams of phase 2, and their tiles go
///                 to the teams of the next panels
template <class Layout, bool Relays>
class FlaggedPanels : public Layout {
 public:
  static constexpr bool self_contained = false, flagged = true, relays = Relays;

  int lag() const { return this->kept_ - spare; }
  bool are_of(const DeviceTaskOrder::Range& down, const DeviceTaskOrder::Range& across) const {
    return down.first == 0 && across.first == 0 && down.count == down_ && across.count == across_;
  }

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
    const int i = task.i.first / Layout::block, j = task.j.first / Layout::block;
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
    wait_for<2>(team, base, {left_flag(i.first / Layout::block), there}, {right_flag(j.first / Layout::block), there});
    return Kokkos::min(team.seen()[2], team.seen()[3]);
  }

  /// Posts that the tile has been updated by all rounds before `next`.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void post_tile(const Team& team, const IndexRange& i, const IndexRange& j,
                                             int next) const {
    post(team, tile_flag(i.first / Layout::block, j.first / Layout::block), number(next));
  }
  /// Posts that the first slabs of a tile of a round's panels are written, or all_slabs.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void post_panel(const Team& team, bool of_rows, const IndexRange& i, const IndexRange& j,
                                              int round, int slabs) const {
    post(team, of_rows ? right_flag(j.first / Layout::block) : left_flag(i.first / Layout::block),
         number(round) + slabs);
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

  /// Posts how many of the first slabs of a round's pivots are eliminated; all_slabs stands for all of them. If the
  /// pivots hold a negative cycle, the number is all_slabs + 1. The team has passed a barrier.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void post_pivot(const Team& team, int round, int slabs) const {
    if (team.member.team_rank() == 0) Instructions::post_flag(closed(this->slot(round)), number(round) + slabs);
  }
  /// Waits until a slab of the round's pivot is closed. \return the number of closed slabs; 0 if the pivot holds a
  /// negative cycle
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION int wait_for_pivot(const Team& team, int round, bool, int slab) const {
    const std::int64_t base = number(round);
    wait_for(team, base, {closed(this->slot(round)), base + slab + 1});
    const int seen = team.seen()[0];
    return seen > all_slabs ? 0 : seen;
  }

  /// The place, in the relay, of the word and tag that hold byte `at` of a round's slot. A slot of the relay is laid
  /// out as a slot of the panels, with two bytes for each byte there.
  KOKKOS_FORCEINLINE_FUNCTION std::byte* relayed(int round, int at) const {
    return relay_ + (round % relayed_rounds * relay_bytes_ + 2 * std::int64_t{at});
  }

 private:
  template <class, class, bool, int>
  friend class FlaggedPanelStorage;
  FlaggedPanels(const PanelStorageOptions& o, int enough)
      : Layout(o.order, o.height, o.width,
               lag_of(div_up(o.height, Layout::block), div_up(o.width, Layout::block), enough) + spare, 1),
        down_(div_up(o.height, Layout::block)),
        across_(div_up(o.width, Layout::block)) {}

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

  /// Rounds whose tiles the relay keeps. A team overwrites a tile once all teams of phase 3 of the round `spare` before
  /// have finished. The readers are the teams of that round and of the round before it.
  static constexpr int relayed_rounds = spare + 1;

  // The number in a flag never falls, not even from one call to the next. It counts slabs from the ticket on,
  // all_slabs a round. A pivot's flag holds the number of closed slabs, and one more than all if the pivot diverges.
  // The flag of a tile of the panels holds the number of written slabs. A tile's flag holds the rounds done, counted
  // in slabs. The negative flag holds the ticket once a panel has a negative entry.
  std::int64_t* flags_ = nullptr;
  std::int64_t* finished_ = nullptr;  ///< for each round, the teams of its phase 3 that are done
  int* started_ = nullptr;            ///< for each launch, by its first round, the teams that have started
  std::int64_t ticket_ = 0;
  int down_, across_;  ///< tiles of the part of the matrix
  std::byte* relay_ = nullptr;
  std::int64_t relay_bytes_ = 0;  ///< the bytes of a slot
};

/// \brief The memory of the panels and flags of one solve.
/// \tparam Enough  see lag_of()
template <class ExecSpace, class Layout, bool Relays, int Enough>
class FlaggedPanelStorage {
  using Panels = FlaggedPanels<Layout, Relays>;
  static constexpr int block = Layout::block;

 public:
  /// \param exec    the instance that the launches run on
  /// \param keeper  the instance for which the memory is kept
  FlaggedPanelStorage(const ExecSpace& exec, const PanelStorageOptions& o, const ExecSpace& keeper)
      : panels_(fitting(o), Enough),
        posted_(keeper, static_cast<std::size_t>(flags(panels_.down_, panels_.across_)) * sizeof(std::int64_t),
                "blockfw::flags"),
        finished_(keeper, static_cast<std::size_t>(div_up(o.order, block)) * bytes_of_round, "blockfw::finished"),
        memory_(keeper, panels_.bytes(), "blockfw::panels") {
    const int rounds = div_up(o.order, block);
    Kokkos::deep_copy(exec, finished_.memory(), std::byte{0});
    panels_.memory_ = memory_.data();
    panels_.flags_ = reinterpret_cast<std::int64_t*>(posted_.data());
    panels_.finished_ = reinterpret_cast<std::int64_t*>(finished_.data());
    panels_.started_ = reinterpret_cast<int*>(panels_.finished_ + rounds);
    // Taken here, after the memory, so that it is above all values that earlier calls wrote to these flags.
    // All rounds of a solve lie between two starts of the tags.
    do panels_.ticket_ = take_tickets(std::int64_t(all_slabs) * (rounds + 1));
    while (first_round() / tagged_rounds != (first_round() + rounds) / tagged_rounds);
    if constexpr (Relays) {
      panels_.relay_bytes_ = 2 * static_cast<std::int64_t>(panels_.round_bytes_);
      // Where tags start again the memory is new, so it holds no word that has a tag by chance.
      const std::string purpose = "blockfw::relay" + std::to_string(first_round() / tagged_rounds);
      relay_ = {keeper, static_cast<std::size_t>(Panels::relayed_rounds * panels_.relay_bytes_), purpose.c_str()};
      panels_.relay_ = relay_.data();
    }
  }

  template <class Ref>
  Panels panels(const Ref& d) const {
    require_near_entries(d, block);
    return panels_;
  }
  /// The number of the solve's first round among all solves.
  std::int64_t first_round() const { return panels_.ticket_ / all_slabs; }

  /// The most memory, in bytes, that this takes for a matrix of that many rows and columns.
  static double bytes(std::int64_t rows, std::int64_t columns) {
    const double height = static_cast<double>(rows), width = static_cast<double>(columns);
    const double down = std::ceil(height / block), across = std::ceil(width / block);
    return Layout::bytes_of(height, width, most_kept + (Relays ? 2 * Panels::relayed_rounds : 0), 1) +
           (flags(down, across) * sizeof(std::int64_t) + std::max(down, across) * bytes_of_round);
  }

 private:
  /// Returns the options if offsets and indices of 32 bits suffice. \throws InvalidInput if they do not
  static const PanelStorageOptions& fitting(const PanelStorageOptions& o) {
    if (bytes(o.height, o.width) > 8e8 * most_kept)
      throw InvalidInput("a matrix of ", o.height, " x ", o.width, " is too large for tiles of ", block,
                         ", name another tile");
    return o;
  }

  /// The number of flags for a matrix of down x across tiles.
  static double flags(double down, double across) {
    return static_cast<double>((most_kept + 1) * apart) + down + across + down * across;
  }
  static constexpr std::size_t bytes_of_round =
      sizeof(std::int64_t) + sizeof(int);  ///< the bytes of a round in `finished_` and `started_`

  Panels panels_;
  Workspace<ExecSpace> posted_, finished_, memory_, relay_;
};

}  // namespace blockfw::detail
