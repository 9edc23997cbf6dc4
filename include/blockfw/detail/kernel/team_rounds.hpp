// SPDX-License-Identifier: MIT
/// \file
/// \brief All rounds of a matrix by one team, for batches.
#pragma once

#include "blockfw/detail/base/rounding.hpp"
#include "blockfw/detail/kernel/concepts.hpp"
#include "blockfw/detail/matrices/part.hpp"

#include <Kokkos_Core.hpp>

namespace blockfw::detail {

/// \brief Solves the matrix d by one team, with panels that no other team uses. (For many matrices at once.)
/// \tparam OfTeam  a TeamPhases
template <class OfTeam, class Panels>
KOKKOS_FORCEINLINE_FUNCTION void eliminate_by_team(const typename OfTeam::Team& team, const typename OfTeam::Ref& d,
                                                   const Panels& panels) {
  constexpr int block = OfTeam::block;
  const typename OfTeam::Part part{d};
  const int n = d.extent_int(0), tiles = div_up(n, block);
  const auto range = [&](int tile) { return IndexRange{tile * block, Kokkos::min(+block, n - tile * block)}; };
  typename OfTeam::Kernel tile(team);
  for (int k = 0; k < tiles; ++k) {
    const IndexRange pivot = range(k);
    tile.read(OfTeam::sub(d, pivot, pivot));
    OfTeam::template finish_pivot<true>(team, tile, part, panels, k, pivot, pivot);
    for (int t = 0; t < 2 * tiles; ++t) {
      const bool of_rows = t < tiles;
      const int other = of_rows ? t : t - tiles;
      if (other == k) continue;
      const IndexRange i = of_rows ? pivot : range(other), j = of_rows ? range(other) : pivot;
      tile.read(OfTeam::sub(d, i, j));
      OfTeam::finish_panel(team, tile, part, panels, k, of_rows, i, j);
    }
    team.member.team_barrier();
    for (int t = 0; t < tiles * tiles; ++t) {
      if (t / tiles == k || t % tiles == k) continue;
      const IndexRange i = range(t / tiles), j = range(t % tiles);
      tile.read(OfTeam::sub(d, i, j));
      tile.relax(team, panels, panels.left(i), panels.right(j), k, k);
      write_back(tile, OfTeam::sub(d, i, j));
    }
    team.member.team_barrier();  // before the next round's panels take the place of these
  }
}

}  // namespace blockfw::detail
