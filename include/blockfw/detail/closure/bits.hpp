// SPDX-License-Identifier: MIT
/// \file
/// \brief The words of the transitive closure, and their transposition.
#pragma once

#include "blockfw/detail/backend/instructions.hpp"
#include "blockfw/detail/base/lanes.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace blockfw::detail {

using BitWord = std::uint32_t;

/// Pivots that one round of the closure eliminates, and the words of a row that hold the pivots' columns.
inline constexpr int bit_pivots = 256, bit_pivot_words = bit_pivots / 32;

/// The words of a matrix of bits, row by row.
template <class Space>
using BitWords = Kokkos::View<BitWord**, Kokkos::LayoutRight, typename Space::memory_space>;

/// Columns are padded to a multiple of this, in all spaces and for all vectors: four of the widest vectors.
inline constexpr int bit_columns = 2048;

/// Memory of a team's scratch, aligned for the widest vectors.
template <int level, class Team>
KOKKOS_FORCEINLINE_FUNCTION void* bit_scratch(const Team& team, std::size_t bytes) {
  return Instructions::known_scratch(team.team_scratch(level).get_shmem_aligned(bytes, 64));
}

/// Transposes 32 x 32 bits: bit c of word r becomes bit r of word c. (Halves are swapped, then quarters, and so on.)
KOKKOS_FORCEINLINE_FUNCTION void transpose_bits(BitWord (&words)[32]) {
  BLOCKFW_UNROLL
  for (int step = 0; step < 5; ++step) {
    const int half = 16 >> step;
    const BitWord low = ~BitWord{0} / ((BitWord{1} << half) + 1);  // the lower half of each 2 * half bits
    BLOCKFW_UNROLL
    for (int pair = 0; pair < 16; ++pair) {
      const int r = pair / half * 2 * half + pair % half;
      const BitWord changed = (words[r] >> half ^ words[r + half]) & low;
      words[r + half] ^= changed;
      words[r] ^= changed << half;
    }
  }
}

}  // namespace blockfw::detail
