// SPDX-License-Identifier: MIT
/// \file
/// \brief The updates of a tile whose operands other teams relay, slab by slab.
#pragma once

#include "blockfw/detail/base/lanes.hpp"
#include "blockfw/detail/base/rounding.hpp"
#include "blockfw/detail/kernel/packable_tile.hpp"
#include "blockfw/detail/kernel/panel_layout.hpp"
#include "blockfw/detail/kernel/relayed_slabs.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <type_traits>

namespace blockfw::detail {

/// \brief A register tile whose team can update the tile with operands from a relay (see relay.hpp).
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
