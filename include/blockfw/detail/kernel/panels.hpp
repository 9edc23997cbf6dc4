/// \file
/// \brief The panels of a device, and the flags by which teams of one launch wait for each other.
#pragma once

#include "blockfw/detail/backend/instructions.hpp"
#include "blockfw/detail/backend/workspace.hpp"
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
/// Rounds whose panels are kept besides those that are in use: the next one, and those that let some teams be in the
/// round after while others are not done with this one.
inline constexpr int spare = 3;
inline constexpr int most_kept = longest_lag + spare;

/// How many rounds a tile of so many can be left alone: longer pays by less traffic, as long as each round has enough
/// tiles to keep all multiprocessors busy to its end.
inline int lag_of(std::int64_t down, std::int64_t across, LookAhead look) {
  return look == LookAhead::no ? 1 : static_cast<int>(std::clamp<std::int64_t>(down * across / 800, 1, longest_lag));
}

inline constexpr std::int64_t apart = 128 / sizeof(std::int64_t);  ///< flags of different rounds, a cache line each

/// Where an operand is in the memory of a round, in bytes.
struct Left {
  int at;
};
struct Right {
  int at;
};

/// \brief Where the panels of a few rounds are, packed tile by tile, those of one round after those of another.
///
/// How a tile is packed, into LeftTile or RightTile bytes, is the kernel's affair. What a tile lacks is a vertex
/// without edges, which changes nothing whatever becomes of it; if the pivot holds a negative cycle, all is no path.
/// A round's left panel comes first, with the pivot behind it, then the right panel, likewise.
template <int Block, int LeftTile, int RightTile>
class PackedPanels {
 public:
  KOKKOS_FORCEINLINE_FUNCTION Left left(const IndexRange& i) const { return {i.first / Block * LeftTile}; }
  KOKKOS_FORCEINLINE_FUNCTION Right right(const IndexRange& j) const {
    return {right_at_ + j.first / Block * RightTile};
  }
  KOKKOS_FORCEINLINE_FUNCTION Left left_pivot() const { return {right_at_ - LeftTile}; }
  KOKKOS_FORCEINLINE_FUNCTION Right right_pivot() const { return {round_bytes_ - RightTile}; }

  /// Which place a round's panels have, and where that is.
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
  /// \param down, across  tiles of the part of it at hand
  /// \param kept          rounds
  PackedPanels(int order, int down, int across, int kept)
      : order_(order),
        kept_(kept),
        right_at_((down + 1) * LeftTile),
        round_bytes_(right_at_ + (across + 1) * RightTile) {}

  std::size_t bytes() const { return static_cast<std::size_t>(kept_) * static_cast<std::size_t>(round_bytes_); }

  std::byte* memory_ = nullptr;
  int order_ = 0, kept_ = 1, right_at_ = 0, round_bytes_ = 0;
};

/// \brief The panels of the last few rounds and of the next ones, and what is known of who is done with what.
template <int Block, int LeftTile, int RightTile>
class Panels : public PackedPanels<Block, LeftTile, RightTile> {
  using Packed = PackedPanels<Block, LeftTile, RightTile>;
  using Packed::kept_, Packed::order_;

 public:
  static constexpr bool read_elsewhere = false;
  using Packed::slot;

  int lag() const { return kept_ - spare; }
  bool are_of(const DeviceTaskOrder::Range& down, const DeviceTaskOrder::Range& across) const {
    return down.first == 0 && across.first == 0 && down.count == down_ && across.count == across_;
  }

  // Who says so is one thread of a team, and who waits are a few: with the team's barrier before or after, that holds
  // for what the others have written or will read.

  /// Until the piece has been through all rounds before `since`, the panels of all rounds to `last` are there, and,
  /// for a piece of the next panels, nobody needs the panels that those will take the place of.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void wait_for_operands(const Team& team, const Task& task, int last, int teams) const {
    const int i = task.i.first / Block, j = task.j.first / Block;
    const std::int64_t there = task.since <= last ? ticket_ + last + 1 : 0;
    wait_for(team, {tile_flag(i, j), task.since > 0 ? ticket_ + task.since : 0}, {left_flag(i), there},
             {right_flag(j), there}, not_needed(task.in_next_rows || task.in_next_cols, last, teams));
  }

  /// Says that the piece has been through all rounds before `next`.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void post_tile(const Team& team, const IndexRange& i, const IndexRange& j,
                                             int next) const {
    post(team, tile_flag(i.first / Block, j.first / Block), ticket_ + next);
  }
  /// Says that a tile of the panels of the round before `next` is there.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void post_panel(const Team& team, bool of_rows, const IndexRange& i, const IndexRange& j,
                                              int next) const {
    post(team, of_rows ? right_flag(j.first / Block) : left_flag(i.first / Block), ticket_ + next);
  }
  /// Which team of a launch of phase 3 this one is, in the order in which they start; the launch is named by its first
  /// round.
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION int start_rank(const Member& member, int round) const {
    int mine = 0;
    if (member.team_rank() == 0) mine = Kokkos::atomic_fetch_inc(started_ + round);
    member.team_broadcast(mine, 0);
    return known_same(mine);
  }
  /// Says that one of the teams of phase 3 of the round is done.
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION void post_team_done(const Member& member, int round) const {
    if (member.team_rank() == 0) increment_flag(finished_ + round);
  }

  /// Says that the round's pivot is closed.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void post_pivot(const Team& team, int round, bool diverges) const {
    post(team, closed(round), 2 * (ticket_ + round) + diverges);
  }
  /// Until it is. \return whether it holds a negative cycle
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION bool wait_for_pivot(const Team& team, int round, bool) const {
    const std::int64_t state = 2 * (ticket_ + round);
    wait_for(team, {closed(round), state});
    return poll_flag(closed(round)) != state;
  }

  /// Says that there is a negative entry in a panel, before a barrier and the panel's flag.
  KOKKOS_FORCEINLINE_FUNCTION void note_negative() const { *static_cast<volatile std::int64_t*>(negative()) = ticket_; }
  /// Whether there is one in the panels that have been waited for, or in any others.
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

  /// Something to wait for: that a number is at least so large.
  struct Goal {
    const std::int64_t* flag = nullptr;
    std::int64_t least = 0;
  };
  /// That nobody needs the panels that those of the round after `last` will take the place of.
  KOKKOS_FORCEINLINE_FUNCTION Goal not_needed(bool wanted, int last, int teams) const {
    const int reader = last - spare;
    return wanted && reader >= 0 ? Goal{finished_ + reader, teams} : Goal{};
  }
  /// A goal a thread. (By value, so that choosing one does not take memory.)
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

  // Each flag holds numbers that only grow, from call to call too: 2 · (ticket + round), and 1 more if it diverges,
  // once the round's pivot is closed; the ticket once a panel has a negative entry; the ticket and how many rounds the
  // others have been through.
  std::int64_t* flags_;
  std::int64_t* finished_;  ///< how many teams of each round's phase 3 are done
  int* started_;            ///< how many have started of each round's launch
  std::int64_t ticket_;
  int down_, across_;
};

/// \brief Where the panels of one solve are: in memory of their own.
template <class ExecSpace, int Block, int LeftTile, int RightTile>
class PanelStorage {
  using Panels = detail::Panels<Block, LeftTile, RightTile>;

 public:
  /// \param order   rows and columns of the whole matrix
  /// \param height, width  of the part of it at hand
  /// \param look    whether phase 3 will look ahead, in any round
  PanelStorage(const ExecSpace& exec, int order, int height, int width, LookAhead look = LookAhead::yes) {
    if (bytes(height, width) > 8e8 * most_kept)  // numbers below are of 32 bits
      throw InvalidInput("a matrix of " + std::to_string(height) + " x " + std::to_string(width) +
                         " is too large for tiles of " + std::to_string(Block) + ", name another tile");
    const int rounds = tiles(order);
    Panels& p = panels_ = Panels(order, tiles(height), tiles(width), look);
    memory_ = {exec, p.bytes(), "blockfw::panels"};
    p.memory_ = memory_.data();
    flags_ = {exec, flags(p.down_, p.across_) * sizeof(std::int64_t), "blockfw::flags"};
    p.flags_ = reinterpret_cast<std::int64_t*>(flags_.data());
    finished_ = {exec, static_cast<std::size_t>(rounds) * (sizeof(std::int64_t) + sizeof(int)), "blockfw::finished"};
    Kokkos::deep_copy(exec, finished_.memory(), std::byte{0});
    p.finished_ = reinterpret_cast<std::int64_t*>(finished_.data());
    p.started_ = reinterpret_cast<int*>(p.finished_ + rounds);
    p.ticket_ = take_tickets(rounds + 1);  // now, so that it is above all that have been written to these flags
  }

  template <class Ref>
  Panels panels(const Ref& d, int, int, int) const {
    if (d.stride(0) * Block > INT32_MAX || d.stride(1) * Block > INT32_MAX)
      throw InvalidInput("the matrix's strides are " + std::to_string(d.stride(0)) + " and " +
                         std::to_string(d.stride(1)) + ", expected less than " + std::to_string(INT32_MAX / Block));
    return panels_;
  }

  /// How much memory that can be for a matrix of so many rows and columns.
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
