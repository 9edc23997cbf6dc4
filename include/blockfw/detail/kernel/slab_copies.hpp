// SPDX-License-Identifier: MIT
/// \file
/// \brief The updates of a tile whose operands other teams relay, slab by slab.
#pragma once

#include "blockfw/detail/backend/instructions.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/base/lanes.hpp"
#include "blockfw/detail/kernel/group_panels.hpp"
#include "blockfw/detail/kernel/launch_flags.hpp"
#include "blockfw/detail/kernel/packable_tile.hpp"

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
  static constexpr int bytes = Shape::depth * Shape::side * sizeof(Element);  ///< of a slab
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

/// \brief A register tile whose team can update the tile with operands from a relay (see launch_flags.hpp).
/// \tparam Shape  a DeviceShape
template <class Shape>
class RelayedTile : public PackableTile<Shape> {
  using Base = PackableTile<Shape>;

 protected:
  using typename Shape::T, typename Shape::V;

  using Base::rank_, Base::left, Base::right, Base::relax_slab, Base::write_rows, Base::write_columns;
  using Shape::depth, Shape::stages, Shape::always_two;

 public:
  KOKKOS_FORCEINLINE_FUNCTION RelayedTile(std::byte* scratch, int rank) : Base(scratch, rank) {}

  /// C ← C ⊕ (A ⊗ B) for the operands of one round, which other teams relay slab by slab.
  template <class Team, class AnyPanels>
  KOKKOS_FORCEINLINE_FUNCTION void relax_relayed(const Team& team, const AnyPanels& panels, PackedLeft a_place,
                                                 PackedRight b_place, int round) {
    static_assert(stages == 2);
    const int slabs = div_up(panels.pivots(round), depth);
    IncomingSlabs<Shape, Slab<V>, Slab<T>> incoming(rank_);
    const auto a = [&](int stage) { return Slab<V>{left(stage), a_place.at}; };
    const auto b = [&](int stage) { return Slab<T>{right(stage), b_place.at}; };
    incoming.request(panels, round, 0, a(0), b(0));
    BLOCKFW_NO_UNROLL
    for (int slab = 0; slab < slabs; ++slab) {
      const int stage = slab % stages;
      static_cast<void>(incoming.land(panels, round, slab, a(stage), b(stage)));
      team.member.team_barrier();  // both operands are in scratch, and no thread still reads the ones before
      if (slab + 1 < slabs) incoming.request(panels, round, slab + 1, a(1 - stage), b(1 - stage));
      relax_slab(stage, always_two);
    }
    team.member.team_barrier();
  }

  /// Phase 2 of the tile C, which lies in the pivot's rows or columns: takes it through the relayed pivot.
  /// \param of_rows  whether it lies in the pivot's rows
  /// \param publish  publish(slab, paths) writes the slab's rows (columns) of C for their readers. It is called for
  ///                 each slab.
  template <class Team, class AnyPanels, class Publish>
  KOKKOS_FORCEINLINE_FUNCTION void take_through_relayed(const Team& team, const AnyPanels& panels, int round,
                                                        bool of_rows, const Publish& publish) {
    if (of_rows)
      take_through_relayed<true>(team, panels, round, publish);
    else
      take_through_relayed<false>(team, panels, round, publish);
  }

 private:
  template <class Element>
  using Slab = RelayedSlab<Shape, Element>;

  template <bool of_rows, class Team, class AnyPanels, class Publish>
  KOKKOS_FORCEINLINE_FUNCTION void take_through_relayed(const Team& team, const AnyPanels& panels, int round,
                                                        const Publish& publish) {
    static_assert(stages == 2);
    using Operand = Slab<std::conditional_t<of_rows, V, T>>;
    const auto pivot = [&](int stage) {
      if constexpr (of_rows)
        return Operand{left(stage), panels.left_pivot().at};
      else
        return Operand{right(stage), panels.right_pivot().at};
    };
    IncomingSlabs<Shape, Operand> incoming(rank_);
    const int slabs = div_up(panels.pivots(round), depth);
    incoming.request(panels, round, 0, pivot(0));
    BLOCKFW_NO_UNROLL
    for (int slab = 0; slab < slabs; ++slab) {
      const int stage = slab % stages;
      if constexpr (of_rows)
        write_rows(InMemory<T>{right(stage)}, slab * depth, depth, true);
      else
        write_columns(InMemory<V>{left(stage)}, slab * depth, depth, true);
      const bool paths = incoming.land(panels, round, slab, pivot(stage));
      team.member.team_barrier();  // both operands are in scratch, and no thread still reads the ones before
      if (slab + 1 < slabs) incoming.request(panels, round, slab + 1, pivot(1 - stage));
      if (paths) relax_slab(stage, always_two);
      publish(slab, paths);
    }
  }
};

}  // namespace blockfw::detail
