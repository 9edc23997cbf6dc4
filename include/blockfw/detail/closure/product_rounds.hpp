// SPDX-License-Identifier: MIT
/// \file
/// \brief Rounds of the transitive closure for devices whose matrix units multiply matrices of bits
/// (Target::multiplies_bits).
#pragma once

#include "blockfw/detail/backend/backend.hpp"
#include "blockfw/detail/backend/portable.hpp"
#include "blockfw/detail/base/lanes.hpp"
#include "blockfw/detail/closure/bits.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/ground/matrix.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace blockfw::detail {

/// A left operand: a thread's words of 16 rows of 256 bits. Row lane / 4 (r = 0) and the eighth row behind it (r = 1)
/// each give two words. Word 2 * (lane % 4) of the row is at[r], and its next word is at[2 + r].
struct Rows16 : Pack<BitWord, 4> {
  KOKKOS_FORCEINLINE_FUNCTION Pack<BitWord, 2> two(int r) const { return {{this->at[r], this->at[2 + r]}}; }
  KOKKOS_FORCEINLINE_FUNCTION void set(int r, Pack<BitWord, 2> two) {
    this->at[r] = two.at[0];
    this->at[2 + r] = two.at[1];
  }
};

/// \brief The rounds of the closure: each one eliminates its pivots from all rows.
///
/// A row gains the vertices that its pivots lead to: C ← C ∨ ((A ∧ P) ∧ B). A is the pivots' columns, P the closed
/// pivot tile, and B the pivots' rows. A, P and B are copies (panels), so that no team reads the words that another
/// team writes. The teams of a round make the panels of the next round from the words that they have just updated. The
/// first team takes the next pivot tile alone, and closes it while the other teams work. Unlike with distances, no
/// entry has to be left out: joining a bit twice changes nothing.
///
/// One instruction multiplies 16 rows of 256 bits with 8 columns. (multiply_bits() in portable.hpp says which
/// thread has which bits.) So B and P are transposed, and their columns are put in a special order. In this order a
/// thread's bits of the product are whole words of C. They are also whole words of the left operand of the next
/// product.
template <class ExecSpace>
class BitProductRounds {
  using Word = BitWord;
  using Two = Pack<Word, 2>;
  using Words = BitWords<ExecSpace>;
  static constexpr int pivots = bit_pivots, row_words = bit_pivot_words;
  static constexpr int warp_size = 32, warps = 8, threads = warps * warp_size;

  // A tile is 256 rows of some blocks. A warp has 64 of these rows, in every second block.
  static constexpr int block = 256, block_words = block / 32;
  static constexpr int column_twos = row_words / 2, block_twos = block * column_twos;  // of a transposed panel
  static constexpr int warp_rows = 64, row_groups = pivots / warp_rows, sides = warps / row_groups;
  static constexpr int tall = warp_rows / 16, closed_tall = pivots / warps / 16;
  static_assert(threads == pivots && pivots == block && sides == 2);

  // The pivot tile in scratch, as rows and as columns. In the rows, 32 neighbouring rows are followed by four words, so
  // that threads that transpose read from different banks.
  static constexpr int rows_skip = 4;
  static constexpr std::size_t rows_bytes = sizeof(Word) * pivots / 32 * (32 * row_words + rows_skip);
  static constexpr std::size_t columns_bytes = sizeof(Two) * block_twos;

  using Policy = Kokkos::TeamPolicy<ExecSpace, Kokkos::LaunchBounds<threads, 2>, Kokkos::IndexType<int>>;
  using Member = typename Policy::member_type;
  using Twos = Array<Two, ExecSpace>;

  using Left = Array<Rows16, ExecSpace>;
  static constexpr int tile_rows16 = pivots / 16 * warp_size;  // operands of a tile's rows

 public:
  struct Panels {
    Left left;          // the pivots' columns
    Twos right, pivot;  // transposed: columns of the pivots' rows, and of the closed pivot tile
  };

  BitProductRounds(const ExecSpace& exec, const Words& c) : exec_(exec), c_(c) {
    const auto make = [&](const char* name, std::size_t count) {
      return without_values<Twos>(exec, name, count * column_twos);
    };
    for (Panels& p : panels_)
      p = {without_values<Left>(exec, "blockfw::left_bits", c.extent(0) / 16 * warp_size),
           make("blockfw::right_bits", c.extent(1) * 32), make("blockfw::pivot_bits", pivots)};
    tile_blocks_ = best_tile(c.extent_int(0) / pivots);
  }

  /// The number of rounds.
  int count() const { return c_.extent_int(0) / pivots; }

  /// \brief Does a round, and makes the panels of the next round.
  /// \param round  its panels must exist; or -1, which only makes the panels of round 0
  void update(int round) const {
    const int down = c_.extent_int(0) / pivots, blocks = c_.extent_int(1) / block_words, tile_blocks = tile_blocks_;
    const int across = (blocks + tile_blocks - 1) / tile_blocks, next = round + 1;
    const auto c = c_;
    const Panels now = panels_[next % 2], then = panels_[1 - next % 2];
    for_teams(
        "blockfw::transitive_closure",
        Policy(exec_, 1 + down * across, threads)
            .set_scratch_size(0, Kokkos::PerTeam(rows_bytes + columns_bytes + 512)),
        KOKKOS_LAMBDA(const Member& team) {
          const int thread = team.team_rank(), lane = thread % warp_size, warp = thread / warp_size;
          const bool closes = team.league_rank() == 0;
          if (closes && next >= down) return;
          const int tile = team.league_rank() - 1;
          const int i0 = (closes ? next : tile / across) * pivots;
          const int first = closes ? next : tile % across * tile_blocks;
          const int end = closes ? next + 1 : Kokkos::min(first + tile_blocks, blocks);
          const int left_out = !closes && i0 == next * pivots ? next : -1;  // the block of the team that closes it
          auto* const rows = static_cast<Word*>(bit_scratch<0>(team, rows_bytes));
          auto* const left = reinterpret_cast<Rows16*>(rows);
          auto* const columns = static_cast<Two*>(bit_scratch<0>(team, columns_bytes));

          if (round >= 0) {
            const int row = warp % row_groups * warp_rows + lane / 4, side = warp / row_groups;
            const int first16 = warp % row_groups * (tall * warp_size) + lane;
            Rows16 a[tall];
            Word bits[tall][2];
            BLOCKFW_UNROLL
            for (int m = 0; m < tall; ++m) a[m] = now.left(i0 / pivots * tile_rows16 + first16 + m * warp_size);
            // Each side works out every second word of A ∧ P.
            multiply(a, &now.pivot(side * block_twos / 2 + lane), bits);
            BLOCKFW_UNROLL
            for (int m = 0; m < tall; ++m)
              reinterpret_cast<Two*>(left + first16 + m * warp_size)[side] = {{bits[m][0], bits[m][1]}};
            team.team_barrier();
            BLOCKFW_UNROLL
            for (int m = 0; m < tall; ++m) a[m] = left[first16 + m * warp_size];

            BLOCKFW_NO_UNROLL
            for (int b = first + side; b < end; b += sides) {
              if (b == left_out) continue;
              const int stride = Instructions::forgotten_by_all(static_cast<int>(c.stride(0)));
              Word* const to = &entry_at(c, i0 + row, b * block_words + lane % 4 * 2);
              Two old[tall][2];
              BLOCKFW_UNROLL
              for (int m = 0; m < tall; ++m) BLOCKFW_UNROLL
              for (int r = 0; r < 2; ++r) old[m][r] = *reinterpret_cast<const Two*>(to + (16 * m + 8 * r) * stride);
              BLOCKFW_UNROLL
              for (int w = 0; w < 2; ++w) {
                multiply(a, &now.right(b * block_twos + w * block_twos / 2 + lane), bits);
                BLOCKFW_UNROLL
                for (int m = 0; m < tall; ++m) BLOCKFW_UNROLL
                for (int r = 0; r < 2; ++r) old[m][r].at[w] |= bits[m][r];
              }
              BLOCKFW_UNROLL
              for (int m = 0; m < tall; ++m) BLOCKFW_UNROLL
              for (int r = 0; r < 2; ++r) *reinterpret_cast<Two*>(to + (16 * m + 8 * r) * stride) = old[m][r];
            }
            team.team_barrier();
          }

          if (next >= down) return;
          if (i0 == next * pivots) {
            for (int e = thread; e < (end - first) * transpositions; e += threads) {
              const int b = first + e / transpositions;
              if (b == left_out) continue;
              transpose(&entry_at(c, i0, b * block_words), static_cast<int>(c.stride(0)), 0, e % transpositions,
                        &then.right(b * block_twos));
            }
          }
          if (first <= next && next < end && left_out < 0) {
            for (int e = thread; e < tile_rows16; e += threads) {
              const Word* const from =
                  &entry_at(c, i0 + e / warp_size * 16 + lane / 4, next * block_words + lane % 4 * 2);
              Rows16 some;
              BLOCKFW_UNROLL
              for (int r = 0; r < 2; ++r) some.set(r, *reinterpret_cast<const Two*>(from + 8 * r * c.stride(0)));
              then.left(i0 / pivots * tile_rows16 + e) = some;
            }
          }
          if (closes) {
            close(team, &entry_at(c, i0, next * block_words), static_cast<int>(c.stride(0)), rows, columns);
            for (int e = thread; e < block_twos; e += threads) then.pivot(e) = columns[e];
          }
        });
  }

 private:
  /// The blocks of a tile. Every tile works out its rows of A ∧ P, which takes as long as one block. But many small
  /// tiles are faster for large matrices (docs/authors/gains.md).
  static constexpr int best_tile(int down) { return down < 64 ? 4 : 2; }

  static KOKKOS_FORCEINLINE_FUNCTION Word* row_of(Word* rows, int r) {
    return rows + r * row_words + r / 32 * rows_skip;
  }

  /// \brief bits ← A ∧ B for half the columns of a block: one word of each row.
  /// \param b  the thread's part of the first 8 of 128 columns in the order of place_of()
  template <int count>
  static KOKKOS_FORCEINLINE_FUNCTION void multiply(const Rows16 (&a)[count], const Two* b, Word (&bits)[count][2]) {
    std::int32_t most[4];  // becomes negative when a sum is added (a known number would be copied for each sum)
    BLOCKFW_UNROLL
    for (int s = 0; s < 4; ++s) most[s] = Instructions::forgotten(0x7fffffff);
    BLOCKFW_UNROLL
    for (int m = 0; m < count; ++m) bits[m][0] = bits[m][1] = 0;
    BLOCKFW_NO_UNROLL
    for (int q0 = 0; q0 < 16; q0 += 4) {
      Two columns[4];
      BLOCKFW_UNROLL
      for (int q = 0; q < 4; ++q) columns[q] = b[(q0 + q) * 8 * column_twos];
      BLOCKFW_UNROLL
      for (int q = 0; q < 4; ++q) BLOCKFW_UNROLL
      for (int m = 0; m < count; ++m) {
        std::int32_t sums[4];
        Instructions::multiply_bits(sums, most, a[m].at, columns[q].at);
        BLOCKFW_UNROLL
        for (int s = 0; s < 4; ++s) bits[m][s / 2] = Instructions::shift_in_sign(bits[m][s / 2], sums[s]);
      }
    }
  }

  /// The place of a block's column in a transposed panel. multiply() shifts the columns of eight instructions' threads
  /// into words, the first column into the highest bit.
  static KOKKOS_FORCEINLINE_FUNCTION int place_of(int word, int bit) {
    const int turn = 31 - bit;
    return word % 2 * 128 + turn / 2 * 8 + word / 2 * 2 + turn % 2;
  }

  /// \brief One of the transpositions of a block: a word of 32 rows. Neighbouring threads write neighbouring words.
  /// \param skip  words between 32 rows and the next 32
  static constexpr int transpositions = pivots / 32 * block_words;
  static KOKKOS_FORCEINLINE_FUNCTION void transpose(const Word* from, int stride, int skip, int which, Two* to) {
    const int rows = which % row_words, word = which / row_words;
    const Word* next = from + rows * (32 * stride + skip) + word;
    Word bits[32];
    BLOCKFW_UNROLL
    for (int r = 0; r < 32; ++r, next += stride) bits[r] = *next;
    transpose_bits(bits);
    BLOCKFW_UNROLL
    for (int bit = 0; bit < 32; ++bit) reinterpret_cast<Word*>(to)[place_of(word, bit) * row_words + rows] = bits[bit];
  }

  /// Closes the pivot tile: joins its square until nothing changes, at most eight times (since paths double). The
  /// result is the columns.
  static KOKKOS_FORCEINLINE_FUNCTION void close(const Member& team, const Word* from, int stride, Word* rows,
                                                Two* columns) {
    const int thread = team.team_rank(), lane = thread % warp_size;
    const int row = thread / warp_size * (16 * closed_tall) + lane / 4;
    auto* const changed = reinterpret_cast<int*>(bit_scratch<0>(team, sizeof(int)));
    Rows16 own[closed_tall];
    BLOCKFW_UNROLL
    for (int m = 0; m < closed_tall; ++m) BLOCKFW_UNROLL
    for (int r = 0; r < 2; ++r)
      own[m].set(r, reinterpret_cast<const Two*>(from + (row + 16 * m + 8 * r) * stride)[lane % 4]);
    if (thread == 0) *changed = 0;
    for (int time = 1;; ++time) {
      BLOCKFW_UNROLL
      for (int m = 0; m < closed_tall; ++m) BLOCKFW_UNROLL
      for (int r = 0; r < 2; ++r) reinterpret_cast<Two*>(row_of(rows, row + 16 * m + 8 * r))[lane % 4] = own[m].two(r);
      team.team_barrier();
      if (thread < transpositions) transpose(rows, row_words, rows_skip, thread, columns);
      team.team_barrier();
      Word gained = 0;
      BLOCKFW_UNROLL
      for (int w = 0; w < 2; ++w) {
        Word bits[closed_tall][2];
        multiply(own, columns + w * block_twos / 2 + lane, bits);
        // (The second product may read bits that the first product has set. These bits are paths, too.)
        BLOCKFW_UNROLL
        for (int m = 0; m < closed_tall; ++m) BLOCKFW_UNROLL
        for (int r = 0; r < 2; ++r) {
          gained |= bits[m][r] & ~own[m].at[2 * w + r];
          own[m].at[2 * w + r] |= bits[m][r];
        }
      }
      if (gained != 0) *changed = time;
      team.team_barrier();
      if (*changed != time) return;
    }
  }

  ExecSpace exec_;
  Words c_;
  Panels panels_[2];
  int tile_blocks_;
};

}  // namespace blockfw::detail
