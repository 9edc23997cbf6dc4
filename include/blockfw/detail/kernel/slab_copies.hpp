// SPDX-License-Identifier: MIT
/// \file
/// \brief The copies of slabs into the scratch of a team: from panels, and from a relay.
#pragma once

#include "blockfw/detail/backend/instructions.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/base/lanes.hpp"
#include "blockfw/detail/kernel/flagged_panels.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace blockfw::detail {

/// \brief A relayed operand: where its slab goes in scratch, and its place in the round's slot.
/// \tparam Shape  a DeviceShape
template <class Shape, class Element>
struct RelayedSlab {
  Element* to;
  int from;

  static constexpr int at_once = Shape::team_size * Shape::vector_bytes;      ///< bytes that the team takes at once
  static constexpr int bytes = Shape::depth * Shape::side * sizeof(Element);  ///< the bytes of a slab
  static constexpr int parts = div_up(bytes, at_once);                        ///< a thread's parts
  static constexpr bool even = bytes % at_once == 0;                          ///< whether all threads have them all
};

/// \brief A thread's parts of a slab of relayed operands, before they are in scratch. (A thread without a part of its
/// own takes another thread's part.)
/// \tparam Slabs  a RelayedSlab for each operand
template <class Shape, class... Slabs>
class IncomingSlabs {
 public:
  explicit KOKKOS_FORCEINLINE_FUNCTION IncomingSlabs(int rank) : rank_(rank) {}

  /// Asks for the parts, which may not be there yet.
  template <class AnyPanels>
  KOKKOS_FORCEINLINE_FUNCTION void request(const AnyPanels& panels, int round, int slab, const Slabs&... operands) {
    for_each(
        [&](PostedWords& part, int at, const auto& operand) {
          using Operand = std::remove_cvref_t<decltype(operand)>;
          if (!Operand::even) at %= Operand::bytes;
          part.load(
              reinterpret_cast<const std::uint64_t*>(panels.relayed(round, operand.from + slab * Operand::bytes + at)));
        },
        operands...);
  }

  /// Waits until the parts are there, and copies them to scratch. \return whether they are published with paths
  template <class AnyPanels>
  KOKKOS_FORCEINLINE_FUNCTION bool land(const AnyPanels& panels, int round, int slab, const Slabs&... operands) {
    const std::uint32_t tag = panels.tag(round);
    const auto there = [&] {
      bool all = true;
      for_each([&](const PostedWords& part, int, const auto&) { all = all && part.there(tag, tag_no_paths); },
               operands...);
      return all;
    };
    while (!there()) request(panels, round, slab, operands...);
    std::uint32_t tags = 0;
    for_each(
        [&](const PostedWords& part, int at, const auto& operand) {
          using Operand = std::remove_cvref_t<decltype(operand)>;
          tags |= part.tags();
          if (Operand::even || at < Operand::bytes) part.land(reinterpret_cast<std::byte*>(operand.to) + at);
        },
        operands...);
    return (tags & tag_no_paths) == 0;
  }

 private:
  /// Calls f(part, its place in the slab in bytes, operand) for each part.
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void for_each(const F& f, const Slabs&... operands) {
    int p = 0;
    const auto of = [&](const auto& operand) {
      constexpr int parts = std::remove_cvref_t<decltype(operand)>::parts;
      BLOCKFW_UNROLL
      for (int own = 0; own < parts; ++own)
        f(words_[p + own], (rank_ + own * Shape::team_size) * Shape::vector_bytes, operand);
      p += parts;
    };
    (of(operands), ...);
  }

  PostedWords words_[(0 + ... + Slabs::parts)];
  int rank_;
};

/// \brief A thread's part of the team's copy of `Bytes` bytes into scratch, 16 a thread at a time.
///
/// send() starts the copy and land() ends it; see PortableInstructions::Transfer. `to` and `from` are where this thread
/// starts.
/// \tparam Shape  a DeviceShape
template <class Shape, int Bytes>
class SlabCopy {
 public:
  KOKKOS_FORCEINLINE_FUNCTION void send(int rank, std::byte* to, const std::byte* from) {
    for_each(rank, [&](Instructions::Transfer& part, int at) { part.send(to + at, from + at); });
  }
  KOKKOS_FORCEINLINE_FUNCTION void land(int rank, std::byte* to) {
    for_each(rank, [&](const Instructions::Transfer& part, int at) { part.land(to + at); });
  }

 private:
  static constexpr int vector_bytes = Shape::vector_bytes, at_once = Shape::team_size * vector_bytes;
  static constexpr int parts = div_up(Bytes, at_once);

  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void for_each(int rank, const F& f) {
    BLOCKFW_UNROLL
    for (int p = 0; p < parts; ++p)
      if (Bytes % at_once == 0 || rank * vector_bytes + p * at_once < Bytes) f(part_[p], p * at_once);
  }

  Instructions::Transfer part_[parts];
};

}  // namespace blockfw::detail
