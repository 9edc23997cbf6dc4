// SPDX-License-Identifier: MIT
/// \file
/// \brief Rounds of the transitive closure for hosts, and for devices that cannot multiply matrices of bits: the method
/// of the four Russians.
#pragma once

#include "blockfw/detail/backend/backend.hpp"
#include "blockfw/detail/backend/portable.hpp"
#include "blockfw/detail/backend/vectors.hpp"
#include "blockfw/detail/base/lanes.hpp"
#include "blockfw/detail/closure/bits.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/ground/matrix.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <type_traits>

namespace blockfw::detail {

/// \brief The rounds of the closure: each one eliminates its pivots from all rows.
///
/// A row gains the vertices that its pivots lead to: C ← C ∨ (A ∧ (P ∧ B)). A is the pivots' columns, P the closed
/// pivot tile, and B the pivots' rows. A, P and P ∧ B are kept in panels, so that no team reads the words that another
/// team writes. Unlike with distances, no entry has to be left out: joining a bit twice changes nothing.
///
/// Tables replace the products (Arlazarov, Dinic, Kronrod and Faradzhev, 1970). Four rows of B have 16
/// unions. All 16 are worked out for each four pivots. Four bits of A then choose one of them. So a row takes one load
/// and one "or", in place of four of each. For the 32 bits of a word of A it takes eight of each.
template <class ExecSpace>
class BitTableRounds {
  using Word = BitWord;
  using Words = BitWords<ExecSpace>;
  static constexpr bool on_host = is_host_space<ExecSpace>;

  static constexpr int pivots = 128, pivot_words = pivots / 32;
  using Pivots = Pack<Word, pivot_words>;  // a row's bits in the columns of the pivots
  static_assert(sizeof(Pivots) == 16);

  // A strip of columns, as wide as a table. It has parts of vs vectors. On a device a vector is a word, and a thread
  // has one part of each row. Eight threads read 128 neighbouring bytes: scratch cannot give more at a time. On a host
  // a thread has all parts, that is one part with the widest vectors.
  static constexpr int vs = 4, strip_words = on_host ? bit_columns / 32 : 32;
  static_assert(bit_columns % (32 * strip_words) == 0);
  template <class V>
  static constexpr int part_words = vs * int(sizeof(V) / sizeof(Word));
  template <class V>
  static constexpr int parts = strip_words / part_words<V>;

  static constexpr int threads = on_host ? 1 : 256;
  // Rows of a strip that threads have in registers at a time. On a device these are all rows of a tile, for the whole
  // round.
  static constexpr int row_step = on_host ? 1 : threads / parts<Word>;
  static constexpr int tile_held = on_host ? 1 : 8, panel_held = on_host ? 1 : 2;
  static constexpr int panel_rows = on_host ? pivots : panel_held * row_step;
  static constexpr int at_a_time = 4;  // pivots that are closed together

  // The tables of one step, for a word of A.
  static constexpr int bits = 4, entries = 1 << bits, tables = 32 / bits;
  static constexpr int table_words = entries * strip_words;
  static constexpr std::size_t table_bytes = sizeof(Word) * tables * table_words, pivot_bytes = sizeof(Pivots) * pivots;

  using Policy = Kokkos::TeamPolicy<ExecSpace, Kokkos::LaunchBounds<threads, on_host ? 1 : target.bits_bound>,
                                    Kokkos::IndexType<int>>;
  using Member = typename Policy::member_type;
  using PivotRows = Array<Pivots, ExecSpace>;

  static constexpr int scratch_level = on_host ? 1 : 0;
  Policy policy(int teams) const {
    if constexpr (on_host) require_vectors();
    return Policy(exec_, teams, threads)
        .set_scratch_size(scratch_level, Kokkos::PerTeam(table_bytes + pivot_bytes + 256));
  }

 public:
  BitTableRounds(const ExecSpace& exec, const Words& c) : exec_(exec), c_(c) {
    left_ = without_values<PivotRows>(exec, "blockfw::left_bits", c.extent(0));
    closed_ = without_values<PivotRows>(exec, "blockfw::pivot_bits", pivots);
    right_ = without_values<Words>(exec, "blockfw::right_bits", pivots, c.extent(1));
    if constexpr (!on_host) {
      tile_rows_ = tile_held * row_step;
    } else {
      // Large tiles need fewer tables, but there should be several for each thread.
      const int least = 4 * static_cast<int>(exec.concurrency()), strips = c.extent_int(1) / strip_words;
      for (tile_rows_ = 1024; tile_rows_ > pivots && c.extent_int(0) / tile_rows_ * strips < least;) tile_rows_ /= 2;
    }
  }

  /// The number of rounds.
  int count() const { return c_.extent_int(0) / pivots; }

  /// \brief Does a round, and closes the pivot tile of the next round.
  /// \param round  its pivot tile must be closed; or -1, which only closes the pivot tile of round 0
  void update(int round) const {
    if (round >= 0) update_panels(round);
    update_rest(round);
  }

  /// Copies A, and works out P ∧ B.
  void update_panels(int round) const {
    const int strips = c_.extent_int(1) / strip_words, teams = strips * (pivots / panel_rows);
    const auto c = c_, right = right_;
    const auto left = left_, closed = closed_;
    for_teams(
        "blockfw::transitive_closure_panels", policy(teams), KOKKOS_LAMBDA(const Member& team) {
          const int n = c.extent_int(0), first = round * pivots;
          for (int i = team.league_rank() * threads + team.team_rank(); i < n; i += teams * threads) {
            Pivots row;
            BLOCKFW_UNROLL
            for (int w = 0; w < pivot_words; ++w) row.at[w] = entry_at(c, i, round * pivot_words + w);
            left(i) = row;
          }
          const int r0 = team.league_rank() / strips * panel_rows, w0 = team.league_rank() % strips * strip_words;
          multiply<panel_held>(team, panel_rows, &closed(r0), &entry_at(c, first, w0), &entry_at(c, first + r0, w0),
                               &entry_at(right, r0, w0), static_cast<int>(c.stride(0)));
        });
  }

  /// Updates all rows. The tile with the next pivots comes first, so that it is closed while other teams work.
  void update_rest(int round) const {
    const int n = c_.extent_int(0), tile_rows = tile_rows_, across = c_.extent_int(1) / strip_words;
    const int tiles = (n + tile_rows - 1) / tile_rows * across;
    const int next = round + 1, next_row = next * pivots, next_word = next * pivot_words;
    const bool last = next == count();
    const int first = last ? 0 : next_row / tile_rows * across + next_word / strip_words;
    const auto c = c_, right = right_;
    const auto left = left_, closed = closed_;
    for_teams(
        "blockfw::transitive_closure", policy(round < 0 ? 1 : tiles), KOKKOS_LAMBDA(const Member& team) {
          const int tile = (first + team.league_rank()) % tiles;
          const int i0 = tile / across * tile_rows, w0 = tile % across * strip_words;
          if (round >= 0)
            multiply<tile_held>(team, Kokkos::min(tile_rows, n - i0), &left(i0), &entry_at(right, 0, w0),
                                &entry_at(c, i0, w0), &entry_at(c, i0, w0), static_cast<int>(c.stride(0)));
          if (tile != first || last) return;
          team.team_barrier();
          auto* const pivot_tile = static_cast<Pivots*>(bit_scratch<scratch_level>(team, pivot_bytes));
          const auto each_row = [&](const auto& f) { Kokkos::parallel_for(Kokkos::TeamThreadRange(team, +pivots), f); };
          each_row([&](int r) {
            BLOCKFW_UNROLL
            for (int w = 0; w < pivot_words; ++w) pivot_tile[r].at[w] = entry_at(c, next_row + r, next_word + w);
          });
          team.team_barrier();
          close(team, pivot_tile);
          each_row([&](int r) { closed(r) = pivot_tile[r]; });
        });
  }

 private:
  /// \brief to ← from ∨ (A ∧ B) for some rows of a strip.
  /// \param rows    on a device the rows that its threads hold
  /// \param stride  of B, from and to
  template <int held>
  static KOKKOS_FORCEINLINE_FUNCTION void multiply(const Member& team, [[maybe_unused]] int rows, const Pivots* left,
                                                   const Word* b, const Word* from, Word* to, int stride) {
    auto* const table = static_cast<Word*>(bit_scratch<scratch_level>(team, table_bytes));
    if constexpr (on_host)
      KOKKOS_IF_ON_HOST((with_vectors([&](auto level) __attribute__((always_inline)) {
                           using V = Lanes<decltype(level), Word, decltype(level)::bytes / int(sizeof(Word))>;
                           multiply<V, held>(team, rows, left, b, from, to, stride, table);
                         });))
    else
      multiply<Word, held>(team, 1, left, b, from, to, stride, table);
  }

  template <class V, int held>
  static KOKKOS_FORCEINLINE_FUNCTION void multiply(const Member& team, int rows, const Pivots* left, const Word* b,
                                                   const Word* from, Word* to, int stride, Word* table) {
    const int row = rank_of(team) / parts<V>, own = rank_of(team) % parts<V> * part_words<V>;
    const Word* now = from;
    V acc[held][vs];
    BLOCKFW_NO_UNROLL
    for (int step = 0; step < pivot_words; ++step) {
      make_tables<V>(team, b + step * 32 * stride, stride, table);
      wait_for(team);
      BLOCKFW_NO_UNROLL
      for (int r0 = 0; r0 < rows; r0 += held) {
        BLOCKFW_UNROLL
        for (int h = 0; h < held; ++h) BLOCKFW_UNROLL
        for (int part = 0; part < (on_host ? parts<V> : 1); ++part) {
          const int r = row + r0 + h * row_step, column = own + part * part_words<V>;
          if (on_host || step == 0) read(acc[h], now + r * stride + column);
          join_entries(acc[h], left[r].at[step], table + column);
          if (on_host || step == pivot_words - 1) write(to + r * stride + column, acc[h]);
        }
      }
      now = to;
      wait_for(team);
    }
  }

  // (On a host a team is one thread.)
  static KOKKOS_FORCEINLINE_FUNCTION int rank_of(const Member& team) { return on_host ? 0 : team.team_rank(); }
  static KOKKOS_FORCEINLINE_FUNCTION void wait_for(const Member& team) {
    if constexpr (!on_host) team.team_barrier();
  }

  /// Makes the tables of 32 rows. Each thread works out four entries at a time.
  template <class V>
  static KOKKOS_FORCEINLINE_FUNCTION void make_tables(const Member& team, const Word* b, int stride, Word* table) {
    constexpr int quarters = entries / 4;
    for (int e = rank_of(team); e < tables * quarters * parts<V>; e += threads) {
      const int column = e % parts<V> * part_words<V>, quarter = e / parts<V> % quarters;
      const int which = e / (parts<V> * quarters);
      V rows[bits][vs];
      BLOCKFW_UNROLL
      for (int r = 0; r < bits; ++r) read(rows[r], b + (which * bits + r) * stride + column);
      const Word third = 0 - Word(quarter & 1), fourth = 0 - Word(quarter >> 1);
      V joined[4][vs];
      BLOCKFW_UNROLL
      for (int v = 0; v < vs; ++v) {
        joined[0][v] = (rows[2][v] & third) | (rows[3][v] & fourth);
        joined[1][v] = joined[0][v] | rows[0][v];
        joined[2][v] = joined[0][v] | rows[1][v];
        joined[3][v] = joined[1][v] | rows[1][v];
      }
      BLOCKFW_UNROLL
      for (int j = 0; j < 4; ++j)
        write(table + which * table_words + (quarter * 4 + j) * strip_words + column, joined[j]);
    }
  }

  /// Joins an entry of each table to a row's vectors. A word of A chooses the entries.
  template <class V>
  static KOKKOS_FORCEINLINE_FUNCTION void join_entries(V (&acc)[vs], Word word, const Word* table) {
    BLOCKFW_UNROLL
    for (int t = 0; t < tables; t += 2) {
      V first[vs], second[vs];
      read(first, table + t * table_words + (word >> t * bits) % entries * strip_words);
      read(second, table + (t + 1) * table_words + (word >> (t + 1) * bits) % entries * strip_words);
      BLOCKFW_UNROLL
      for (int v = 0; v < vs; ++v) acc[v] = acc[v] | first[v] | second[v];
    }
  }

  template <class V>
  static KOKKOS_FORCEINLINE_FUNCTION void read(V (&to)[vs], const Word* from) {
    if constexpr (on_host) {
      BLOCKFW_UNROLL
      for (int v = 0; v < vs; ++v) to[v] = V::load(from + v * (part_words<V> / vs));
    } else {
      const auto four = *reinterpret_cast<const Pack<Word, vs>*>(from);
      BLOCKFW_UNROLL
      for (int v = 0; v < vs; ++v) to[v] = four.at[v];
    }
  }
  template <class V>
  static KOKKOS_FORCEINLINE_FUNCTION void write(Word* to, const V (&from)[vs]) {
    if constexpr (on_host) {
      BLOCKFW_UNROLL
      for (int v = 0; v < vs; ++v) from[v].store(to + v * (part_words<V> / vs));
    } else {
      Pack<Word, vs> four;
      BLOCKFW_UNROLL
      for (int v = 0; v < vs; ++v) four.at[v] = from[v];
      *reinterpret_cast<Pack<Word, vs>*>(to) = four;
    }
  }

  /// Closes the pivot tile, a few pivots at a time. Every thread closes the rows of these pivots for itself, then
  /// updates some rows (on a host from a table, as above).
  static KOKKOS_FORCEINLINE_FUNCTION void close(const Member& team, Pivots* closed) {
    BLOCKFW_UNROLL
    for (int v = 0; v < pivot_words; ++v) BLOCKFW_NO_UNROLL
    for (int k = 0; k < 32; k += at_a_time) {
      Pivots some[at_a_time];
      BLOCKFW_UNROLL
      for (int p = 0; p < at_a_time; ++p) some[p] = closed[v * 32 + k + p];
      BLOCKFW_UNROLL
      for (int p = 0; p < at_a_time; ++p) BLOCKFW_UNROLL
      for (int q = 0; q < at_a_time; ++q) join_if(some[q].at[v] >> (k + p), some[q], some[p]);
      if constexpr (on_host) {
        Pivots joined[1 << at_a_time] = {};
        for (int p = 0; p < at_a_time; ++p)
          for (int e = 0; e < 1 << p; ++e) joined[e + (1 << p)] = join(joined[e], some[p]);
        for (int r = 0; r < pivots; ++r) closed[r] = join(closed[r], joined[(closed[r].at[v] >> k) % (1 << at_a_time)]);
      } else {
        team.team_barrier();
        for (int r = team.team_rank(); r < pivots; r += threads) {
          Pivots row = closed[r];
          const Word bits_of_some = row.at[v] >> k;
          BLOCKFW_UNROLL
          for (int p = 0; p < at_a_time; ++p) join_if(bits_of_some >> p, row, some[p]);
          closed[r] = row;
        }
        team.team_barrier();
      }
    }
  }

  static KOKKOS_FORCEINLINE_FUNCTION Pivots join(Pivots row, const Pivots& other) {
    BLOCKFW_UNROLL
    for (int w = 0; w < pivot_words; ++w) row.at[w] |= other.at[w];
    return row;
  }
  /// row ← row ∨ other if the lowest bit of `bit` is set.
  static KOKKOS_FORCEINLINE_FUNCTION void join_if(Word bit, Pivots& row, const Pivots& other) {
    const Word mask = 0 - (bit & 1);
    for (int w = 0; w < pivot_words; ++w) row.at[w] |= other.at[w] & mask;
  }

  ExecSpace exec_;
  Words c_, right_;
  PivotRows left_, closed_;
  int tile_rows_ = 0;
};

}  // namespace blockfw::detail
