/// \file
/// \brief The panels of a device, and the flags through which the teams of one launch wait for each other.
#pragma once

#include "blockfw/detail/backend/instructions.hpp"
#include "blockfw/detail/backend/workspace.hpp"
#include "blockfw/detail/kernel/concepts.hpp"
#include "blockfw/detail/kernel/index_ranges.hpp"
#include "blockfw/detail/kernel/task_order.hpp"
#include "blockfw/error.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

namespace blockfw::detail {

inline constexpr int longest_lag = 16;
/// Rounds whose panels are kept besides those in use: the next round, and further ones so that some teams can be in a
/// later round while others still work on this one.
inline constexpr int spare = 3;
inline constexpr int most_kept = longest_lag + spare;

/// The rounds from one update of a tile to the next, in a matrix of down x across tiles. A longer lag reduces memory
/// traffic, as long as each round has enough tiles to keep all multiprocessors busy to its end.
inline int lag_of(std::int64_t down, std::int64_t across, LookAhead look) {
  return look == LookAhead::no ? 1 : static_cast<int>(std::clamp<std::int64_t>(down * across / 800, 1, longest_lag));
}

inline constexpr std::int64_t apart = 128 / sizeof(std::int64_t);  ///< from a round's flag to the next: a cache line

/// The offset of an operand in the memory of a round, in bytes.
struct Left {
  int at;
};
struct Right {
  int at;
};

/// \brief The layout of the panels of a few rounds: packed tile by tile, one round after the other.
///
/// A round's left panel comes first, then the pivot, then the right panel, then the pivot again. The kernel decides how
/// it packs a tile into LeftTile or RightTile bytes. The padding of a tile stands for vertices without edges, which
/// change no result whatever their entries become. If the pivot holds a negative cycle, all entries are zero() (no
/// path).
template <int Block, int LeftTile, int RightTile>
class PackedPanels {
 public:
  KOKKOS_FORCEINLINE_FUNCTION Left left(const IndexRange& i) const { return {i.first / Block * LeftTile}; }
  KOKKOS_FORCEINLINE_FUNCTION Right right(const IndexRange& j) const {
    return {right_at_ + j.first / Block * RightTile};
  }
  KOKKOS_FORCEINLINE_FUNCTION Left left_pivot() const { return {right_at_ - LeftTile}; }
  KOKKOS_FORCEINLINE_FUNCTION Right right_pivot() const { return {round_bytes_ - RightTile}; }

  /// The slot of a round's panels, and its address.
  KOKKOS_FORCEINLINE_FUNCTION int slot(int round) const { return round % kept_; }
  KOKKOS_FORCEINLINE_FUNCTION std::byte* at(int slot) const {
    return memory_ + slot * static_cast<std::int64_t>(round_bytes_);
  }
  KOKKOS_FORCEINLINE_FUNCTION int after(int slot) const { return slot + 1 < kept_ ? slot + 1 : 0; }
  KOKKOS_FORCEINLINE_FUNCTION int pivots(int round) const {
    const int left = order_ - round * Block;
    return left < Block ? +left : +Block;
  }

 protected:
  PackedPanels() = default;
  /// \param order         rows and columns of the whole matrix
  /// \param down, across  rows and columns of tiles in the part of it
  /// \param kept          rounds whose panels there is memory for
  PackedPanels(int order, int down, int across, int kept)
      : order_(order),
        kept_(kept),
        right_at_((down + 1) * LeftTile),
        round_bytes_(right_at_ + (across + 1) * RightTile) {}

  std::size_t bytes() const { return static_cast<std::size_t>(kept_) * static_cast<std::size_t>(round_bytes_); }

  std::byte* memory_ = nullptr;
  int order_ = 0, kept_ = 1, right_at_ = 0, round_bytes_ = 0;
};

/// \brief The panels of the last few rounds and of the next ones, and the flags of pivots, panels, tiles and teams.
template <int Block, int LeftTile, int RightTile>
class Panels : public PackedPanels<Block, LeftTile, RightTile> {
  using Packed = PackedPanels<Block, LeftTile, RightTile>;
  using Packed::kept_, Packed::order_;

 public:
  static constexpr bool self_contained = false;
  using Packed::slot;

  int lag() const { return kept_ - spare; }
  bool are_of(const DeviceTaskOrder::Range& down, const DeviceTaskOrder::Range& across) const {
    return down.first == 0 && across.first == 0 && down.count == down_ && across.count == across_;
  }

  // One thread of a team posts a flag, after a barrier of the team: all that the team wrote before is then there. A few
  // threads wait for flags, before a barrier: no thread of the team reads earlier.

  /// Waits until the tile has been updated by all rounds before task.since and the panels of all rounds to `last` are
  /// there. A task of the next panels also waits until no team needs the panels that it overwrites.
  /// \param teams  the number of teams in phase 3 of a round
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void wait_for_operands(const Team& team, const Task& task, int last, int teams) const {
    const int i = task.i.first / Block, j = task.j.first / Block;
    const std::int64_t there = task.since <= last ? ticket_ + last + 1 : 0;
    wait_for(team, {tile_flag(i, j), task.since > 0 ? ticket_ + task.since : 0}, {left_flag(i), there},
             {right_flag(j), there}, not_needed(task.in_next_rows || task.in_next_cols, last, teams));
  }

  /// Posts that the tile has been updated by all rounds before `next`.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void post_tile(const Team& team, const IndexRange& i, const IndexRange& j,
                                             int next) const {
    post(team, tile_flag(i.first / Block, j.first / Block), ticket_ + next);
  }
  /// Posts that a tile of the panels of the round before `next` is there.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void post_panel(const Team& team, bool of_rows, const IndexRange& i, const IndexRange& j,
                                              int next) const {
    post(team, of_rows ? right_flag(j.first / Block) : left_flag(i.first / Block), ticket_ + next);
  }
  /// The team's start rank in a launch of phase 3.
  /// \param round  the first round of the launch
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION int start_rank(const Member& member, int round) const {
    int mine = 0;
    if (member.team_rank() == 0) mine = Kokkos::atomic_fetch_inc(started_ + round);
    member.team_broadcast(mine, 0);
    return known_same(mine);
  }
  /// Counts a team of phase 3 of the round as done.
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION void post_team_done(const Member& member, int round) const {
    if (member.team_rank() == 0) increment_flag(finished_ + round);
  }

  /// Posts that the round's pivot is closed.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void post_pivot(const Team& team, int round, bool diverges) const {
    post(team, closed(round), 2 * (ticket_ + round) + diverges);
  }
  /// Waits until the round's pivot is closed. \return whether it holds a negative cycle
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION bool wait_for_pivot(const Team& team, int round, bool) const {
    const std::int64_t state = 2 * (ticket_ + round);
    wait_for(team, {closed(round), state});
    return poll_flag(closed(round)) != state;
  }

  /// Notes that there is a negative entry in a panel. The caller then passes a barrier and posts the panel's flag.
  KOKKOS_FORCEINLINE_FUNCTION void note_negative() const { *static_cast<volatile std::int64_t*>(negative()) = ticket_; }
  /// Whether a negative entry was noted: in the panels that the team has waited for, or already in any others.
  KOKKOS_FORCEINLINE_FUNCTION bool any_negative() const { return poll_flag(negative()) == ticket_; }

 private:
  template <class, int, int, int>
  friend class PanelStorage;

  Panels() = default;
  Panels(int order, int down, int across, LookAhead look)
      : Packed(order, down, across, lag_of(down, across, look) + spare), down_(down), across_(across) {}

  KOKKOS_FORCEINLINE_FUNCTION std::int64_t* closed(int round) const { return flags_ + slot(round) * apart; }
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
  /// The goal that no team needs the panels which those of the round after `last` overwrite.
  KOKKOS_FORCEINLINE_FUNCTION Goal not_needed(bool wanted, int last, int teams) const {
    const int reader = last - spare;
    return wanted && reader >= 0 ? Goal{finished_ + reader, teams} : Goal{};
  }
  /// Waits for all goals, each by one thread. (By value, so that the choice of a goal needs no memory.)
  template <class Team>
  static KOKKOS_FORCEINLINE_FUNCTION void wait_for(const Team& team, Goal first, Goal second = {}, Goal third = {},
                                                   Goal fourth = {}) {
    for (int g = team.member.team_rank(); g < 4; g += Team::size) {
      const std::int64_t* const flag = g == 0 ? first.flag : g == 1 ? second.flag : g == 2 ? third.flag : fourth.flag;
      const std::int64_t least = g == 0 ? first.least : g == 1 ? second.least : g == 2 ? third.least : fourth.least;
      if (least > 0) wait_for_flag(flag, least);
    }
    team.member.team_barrier();
  }
  template <class Team>
  static KOKKOS_FORCEINLINE_FUNCTION void post(const Team& team, std::int64_t* flag, std::int64_t value) {
    team.member.team_barrier();
    if (team.member.team_rank() == 0) post_flag(flag, value);
  }

  // The number in a flag only grows, from call to call, too. A pivot's flag holds 2 · (ticket + round) once the pivot
  // is closed, plus 1 if it diverges. The negative flag holds the ticket once a panel has a negative entry. The flags
  // of panels and tiles hold the ticket plus the number of rounds done.
  std::int64_t* flags_;
  std::int64_t* finished_;  ///< for each round, the teams of its phase 3 that are done
  int* started_;            ///< for each launch, by its first round, the teams that have started
  std::int64_t ticket_;
  int down_, across_;
};

/// \brief The panels and flags of one solve, in memory of their own.
template <class ExecSpace, int Block, int LeftTile, int RightTile>
class PanelStorage {
  using Panels = detail::Panels<Block, LeftTile, RightTile>;

 public:
  PanelStorage(const ExecSpace& exec, const PanelStorageOptions& o) {
    if (bytes(o.height, o.width) > 8e8 * most_kept)  // offsets and indices have 32 bits
      throw InvalidInput("a matrix of " + std::to_string(o.height) + " x " + std::to_string(o.width) +
                         " is too large for tiles of " + std::to_string(Block) + ", name another tile");
    const int rounds = tiles(o.order);
    Panels& p = panels_ = Panels(o.order, tiles(o.height), tiles(o.width), o.look);
    memory_ = {exec, p.bytes(), "blockfw::panels"};
    p.memory_ = memory_.data();
    flags_ = {exec, flags(p.down_, p.across_) * sizeof(std::int64_t), "blockfw::flags"};
    p.flags_ = reinterpret_cast<std::int64_t*>(flags_.data());
    finished_ = {exec, static_cast<std::size_t>(rounds) * (sizeof(std::int64_t) + sizeof(int)), "blockfw::finished"};
    Kokkos::deep_copy(exec, finished_.memory(), std::byte{0});
    p.finished_ = reinterpret_cast<std::int64_t*>(finished_.data());
    p.started_ = reinterpret_cast<int*>(p.finished_ + rounds);
    p.ticket_ = take_tickets(rounds + 1);  // now: above all values that earlier calls wrote to these flags
  }

  template <class Ref>
  Panels panels(const Ref& d, int, int, int) const {
    if (d.stride(0) * Block > INT32_MAX || d.stride(1) * Block > INT32_MAX)
      throw InvalidInput("the matrix's strides are " + std::to_string(d.stride(0)) + " and " +
                         std::to_string(d.stride(1)) + ", expected less than " + std::to_string(INT32_MAX / Block));
    return panels_;
  }

  /// The most memory, in bytes, that this takes for a matrix of that many rows and columns.
  static double bytes(std::int64_t rows, std::int64_t columns) {
    const double down = std::ceil(static_cast<double>(rows) / Block),
                 across = std::ceil(static_cast<double>(columns) / Block);
    return most_kept * ((down + 1) * LeftTile + (across + 1) * RightTile) +
           (static_cast<double>(flags(0, 0)) + 3 * down + across + down * across) * sizeof(std::int64_t);
  }

 private:
  static int tiles(int entries) { return (entries + Block - 1) / Block; }
  static std::size_t flags(std::int64_t down, std::int64_t across) {
    return static_cast<std::size_t>((most_kept + 1) * apart + down + across + down * across);
  }

  Panels panels_;
  Workspace<ExecSpace> memory_, flags_, finished_;
};

}  // namespace blockfw::detail
