// SPDX-License-Identifier: MIT
/// \file
/// \brief The panels of a device's solve, with the flags through which the teams of one launch wait for each other.
#pragma once

#include "blockfw/detail/backend/backend.hpp"
#include "blockfw/detail/backend/workspace.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/kernel/concepts.hpp"
#include "blockfw/detail/kernel/group_panels.hpp"
#include "blockfw/detail/kernel/launch_flags.hpp"
#include "blockfw/detail/kernel/task_order.hpp"
#include "blockfw/ground/error.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

namespace blockfw::detail {

/// The rounds from one update of a tile to the next, in a matrix of down x across tiles. A longer lag reduces memory
/// traffic, as long as each round has enough tiles to keep all multiprocessors busy to its end.
/// \param enough  the number of tiles that keep them busy
inline int lag_of(std::int64_t down, std::int64_t across, int enough) {
  return static_cast<int>(std::clamp<std::int64_t>(down * across / enough, 1, longest_lag));
}

/// \brief The panels of the last few rounds and of the next ones, with their flags.
/// \tparam Layout      a PackedLayout
/// \tparam Relays      whether teams use a relay: a pivot then goes through it to the teams of phase 2, and their tiles
///                     go to the teams of the next panels
template <int Block, class Layout, bool Relays>
class FlaggedPanels : public Layout, public LaunchFlags<Block> {
  using Flags = LaunchFlags<Block>;

 public:
  static constexpr bool self_contained = false, flagged = true, relays = Relays;

  int lag() const { return this->kept_ - spare; }
  bool are_of(const DeviceTaskOrder::Range& down, const DeviceTaskOrder::Range& across) const {
    return down.first == 0 && across.first == 0 && down.count == this->down_ && across.count == this->across_;
  }

  /// Posts how many of the first slabs of a round's pivots are eliminated; all_slabs stands for all of them. If the
  /// pivots hold a negative cycle, the number is all_slabs + 1. The team has passed a barrier.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void post_pivot(const Team& team, int round, int slabs) const {
    if (team.member.team_rank() == 0)
      Instructions::post_flag(this->closed(this->slot(round)), this->number(round) + slabs);
  }
  /// Waits until a slab of the round's pivot is closed. \return the number of closed slabs; 0 if the pivot holds a
  /// negative cycle
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION int wait_for_pivot(const Team& team, int round, bool, int slab) const {
    const std::int64_t base = this->number(round);
    Flags::wait_for(team, base, {this->closed(this->slot(round)), base + slab + 1});
    const int seen = team.seen()[0];
    return seen > all_slabs ? 0 : seen;
  }

  /// The place, in the relay, of the word and tag that hold byte `at` of a round's slot. A slot of the relay is laid
  /// out as a slot of the panels, with two bytes for each byte there.
  KOKKOS_FORCEINLINE_FUNCTION std::byte* relayed(int round, int at) const {
    return relay_ + (round % relayed_rounds * relay_bytes_ + 2 * std::int64_t{at});
  }

 private:
  template <class, int, class, bool, int>
  friend class FlaggedPanelStorage;
  FlaggedPanels(const PanelStorageOptions& o, int lag, const Flags& flags)
      : Layout(o.order, o.height, o.width, lag + spare, 1), Flags(flags) {}

  /// Rounds whose tiles the relay keeps. A team overwrites a tile once all teams of phase 3 of the round `spare` before
  /// have finished. The readers are the teams of that round and of the round before it.
  static constexpr int relayed_rounds = spare + 1;

  std::byte* relay_ = nullptr;
  std::int64_t relay_bytes_ = 0;  ///< of a slot
};

/// \brief The memory of the panels and flags of one solve.
/// \tparam Enough  see lag_of()
template <class ExecSpace, int Block, class Layout, bool Relays, int Enough>
class FlaggedPanelStorage {
  using Panels = FlaggedPanels<Block, Layout, Relays>;

 public:
  /// \param exec    the instance that the launches run on
  /// \param keeper  the instance for which the memory is kept
  FlaggedPanelStorage(const ExecSpace& exec, const PanelStorageOptions& o, const ExecSpace& keeper)
      : flags_(exec, keeper, div_up(o.order, Block), div_up(fitting(o).height, Block), div_up(o.width, Block)),
        panels_(o, lag_of(div_up(o.height, Block), div_up(o.width, Block), Enough), flags_.flags()),
        memory_(keeper, panels_.bytes(), "blockfw::panels") {
    panels_.memory_ = memory_.data();
    if constexpr (Relays) {
      panels_.relay_bytes_ = 2 * static_cast<std::int64_t>(panels_.round_bytes_);
      // Where tags start again the memory is new, so it holds no word that has a tag by chance.
      const std::string purpose = "blockfw::relay" + std::to_string(flags_.first_round() / tagged_rounds);
      relay_ = {keeper, static_cast<std::size_t>(Panels::relayed_rounds * panels_.relay_bytes_), purpose.c_str()};
      panels_.relay_ = relay_.data();
    }
  }

  template <class Ref>
  Panels panels(const Ref& d) const {
    require_near_entries(d, Block);
    return panels_;
  }

  /// The most memory, in bytes, that this takes for a matrix of that many rows and columns.
  static double bytes(std::int64_t rows, std::int64_t columns) {
    const double height = static_cast<double>(rows), width = static_cast<double>(columns);
    const double down = std::ceil(height / Block), across = std::ceil(width / Block);
    return Layout::bytes_of(height, width, most_kept + (Relays ? 2 * Panels::relayed_rounds : 0), 1) +
           FlagStorage<ExecSpace, Block>::bytes(std::max(down, across), down, across);
  }

 private:
  /// Returns the options if offsets and indices of 32 bits suffice. \throws InvalidInput if they do not
  static const PanelStorageOptions& fitting(const PanelStorageOptions& o) {
    if (bytes(o.height, o.width) > 8e8 * most_kept)
      throw InvalidInput("a matrix of " + std::to_string(o.height) + " x " + std::to_string(o.width) +
                         " is too large for tiles of " + std::to_string(Block) + ", name another tile");
    return o;
  }

  FlagStorage<ExecSpace, Block> flags_;
  Panels panels_;
  Workspace<ExecSpace> memory_, relay_;
};

}  // namespace blockfw::detail
