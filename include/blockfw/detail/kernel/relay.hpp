// SPDX-License-Identifier: MIT
/// \file
/// \brief The memory through which the teams of the chain of pivots pass slabs to each other.
///
/// A slab goes as words of 32 bits. Each word is stored together with a tag that names its round. A reader polls the
/// words themselves, so neither side needs a fence or a flag: one trip through memory instead of two. (The scheme of
/// NCCL's protocol LL.)
///
/// A round's pivot goes through a relay to the teams of phase 2. Their tiles of the panels go through it to the teams
/// that make the next panels. So these teams can follow the chain of pivots. All other readers take the panels.
#pragma once

#include "blockfw/detail/backend/instructions.hpp"
#include "blockfw/detail/backend/workspace.hpp"
#include "blockfw/detail/kernel/launch_flags.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace blockfw::detail {

/// An operand in a round's slot of the relay.
template <class Packed>
struct Relayed {
  Packed place;
};

/// A bit of a tag. It says that the tile is published without paths.
inline constexpr std::uint32_t tag_no_paths = 1;

/// \brief The relayed tiles of the last few rounds. A slot is laid out as a slot of the panels, with two bytes for each
/// byte there.
class Relay {
 public:
  /// The place, in the relay, of the word and tag that hold byte `at` of a round's slot.
  KOKKOS_FORCEINLINE_FUNCTION std::byte* relayed(int round, int at) const {
    return relay_ + (round % rounds * static_cast<std::int64_t>(relay_bytes_) + 2 * static_cast<std::int64_t>(at));
  }

 protected:
  /// A team overwrites a tile once all teams of phase 3 of the round `spare` before have finished. The readers are the
  /// teams of that round and of the round before it.
  static constexpr int rounds = spare + 1;

  /// The purpose of the memory. Where tags start again the memory is new: it holds no word that has a tag by chance.
  static std::string relay_purpose(std::int64_t round) {
    return "blockfw::relay" + std::to_string(round / tagged_rounds);
  }

  std::byte* relay_ = nullptr;
  std::int64_t relay_bytes_ = 0;  ///< of a slot
};

}  // namespace blockfw::detail
