// SPDX-License-Identifier: MIT
/// \file
/// \brief Transitive closure: which vertices reach which, in the semiring of "or" and "and", 32 vertices a word.
///
/// \code
///   const auto reach = blockfw::transitive_closure(n, edges);  // or (exec, n, edges, direction)
///   const auto on_host = reach.on_host();
///   std::printf("main needs strings: %s\n", on_host(0, 3) ? "yes" : "no");  // whether a path leads from 0 to 3
/// \endcode
#pragma once

#include "blockfw/detail/backend/backend.hpp"
#include "blockfw/detail/backend/instructions.hpp"
#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/backend/simd.hpp"
#include "blockfw/detail/backend/unroll.hpp"
#include "blockfw/detail/closure/product_rounds.hpp"
#include "blockfw/detail/rounding.hpp"
#include "blockfw/edges.hpp"
#include "blockfw/error.hpp"
#include "blockfw/matrix.hpp"
#include "blockfw/tile.hpp"

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <cstdint>
#include <ranges>
#include <string>
#include <type_traits>

namespace blockfw {

/// \brief An n x n matrix of bits in the memory of an execution space. Row i is words()(i, 0), words()(i, 1), ...; a
/// word holds 32 columns, the first in the lowest bit. Rows and columns are padded with zeros to whole tiles.
template <class Space = Kokkos::DefaultExecutionSpace>
class BitMatrix {
 public:
  /// The words of a matrix: 32 columns each, row by row.
  using Words = Kokkos::View<std::uint32_t**, Kokkos::LayoutRight, typename Space::memory_space>;
  static constexpr int multiple = 2048;     ///< columns are padded to a multiple of this, rows to one of round_pivots
  static constexpr int round_pivots = 256;  ///< pivots that one round eliminates

  /// Makes a matrix of zeros; queued on exec.
  /// \throws InvalidInput for n < 0; OutOfMemory when it does not fit, before it is allocated
  template <class ExecSpace>
  BitMatrix(const ExecSpace& exec, std::int64_t n) : n_(n) {
    if (n < 0) throw InvalidInput("the number of vertices is " + std::to_string(n) + ", expected 0 or more");
    const std::int64_t rows = padded(n, round_pivots), columns = padded(n, multiple);
    detail::require_memory(exec, "the bits of " + std::to_string(n) + " vertices",
                           static_cast<double>(rows) * static_cast<double>(columns) / 8);
    words_ = Words(Kokkos::view_alloc(exec, "blockfw::bits"), static_cast<std::size_t>(rows),
                   static_cast<std::size_t>(columns / 32));
  }
  /// A matrix of n vertices whose words are there already, padded as this class pads them.
  BitMatrix(std::int64_t n, const Words& words) : n_(n), words_(words) {}

  /// The number of vertices.
  KOKKOS_FUNCTION std::int64_t size() const { return n_; }
  /// The words, which this object shares.
  KOKKOS_FUNCTION const Words& words() const { return words_; }
  /// Bit (i, j), where the memory can be reached.
  KOKKOS_FUNCTION bool operator()(std::int64_t i, std::int64_t j) const {
    return (words_(i, j / 32) >> j % 32 & 1) != 0;
  }

  /// The matrix in memory that the host can read; a copy only if it is not there already.
  BitMatrix<Kokkos::DefaultHostExecutionSpace> on_host() const {
    return {n_, Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, words_)};
  }

 private:
  static std::int64_t padded(std::int64_t n, std::int64_t to) { return detail::round_up(n, to); }
  std::int64_t n_;
  Words words_;
};

namespace detail {

/// \brief The rounds of the closure: each one eliminates its pivots from all rows.
///
/// A row gains the vertices that its pivots lead to: C ← C ∨ ((A ∧ P) ∧ B), with the pivots' columns A, the closed
/// pivot tile P and the pivots' rows B. A, P and B are copies (panels), so that no team reads what another writes. The
/// teams of a round make those of the next round from the entries that they have just updated. The tile with the next
/// pivots comes first, so that it is closed while other teams work. Unlike with distances, no entry has to be left out:
/// joining a bit twice changes nothing.
template <class ExecSpace>
class BitRounds {
  using Word = std::uint32_t;
  using Words = typename BitMatrix<ExecSpace>::Words;
  static constexpr bool on_host = is_host_space<ExecSpace>;

  static constexpr int pivots = 128, pivot_words = pivots / 32;
  using Pivots = Pack<Word, pivot_words>;  // a row's bits in the pivots' columns
  static_assert(sizeof(Pivots) == 16);

  // The register tile: rows x vs vectors of words; on a device a vector is one word.
  static constexpr int vector_width = on_host ? vector_bytes / int(sizeof(Word)) : 1;
  using V = std::conditional_t<on_host, simd<Word, vector_width>, Word>;
  static constexpr int rows = on_host ? 4 : 8, vs = !on_host ? 8 : vector_registers >= 32 ? 4 : 2;
  static constexpr int register_words = vs * vector_width;
  static constexpr int at_a_time = 4;  // pivots that are closed together
  // Pivots that are unrolled. (With more, GCC keeps C in memory, and hipcc keeps all masks in registers.)
  static constexpr int unrolled = on_host ? 1 : target.bits_unrolled;
  static constexpr int tile_rows = pivots, tile_words = 64;
  static constexpr int thread_rows = tile_rows / rows, thread_cols = tile_words / register_words;
  static constexpr int threads = on_host ? 1 : thread_rows * thread_cols;
  // The least number of teams on a multiprocessor, or of warps on a SIMD, as the compiler counts.
  static constexpr int bound = on_host ? 1 : target.bits_bound;
  static_assert(BitMatrix<ExecSpace>::multiple == 32 * tile_words && tile_words % pivot_words == 0);
  static constexpr std::size_t panel_bytes = sizeof(Word) * pivots * tile_words, pivot_bytes = sizeof(Pivots) * pivots;

  using Policy = Kokkos::TeamPolicy<ExecSpace, Kokkos::LaunchBounds<threads, bound>, Kokkos::IndexType<int>>;
  using Member = typename Policy::member_type;
  using PivotRows = Kokkos::View<Pivots*, typename ExecSpace::memory_space>;

  template <class Team>
  static KOKKOS_FORCEINLINE_FUNCTION void* scratch(const Team& team, std::size_t bytes) {
    const int level = on_host ? 1 : 0, alignment = 64;
    return known_scratch(team.team_scratch(level).get_shmem_aligned(bytes, alignment));
  }

 public:
  struct Panels {
    PivotRows left, pivot;
    Words right;
  };

  explicit BitRounds(const ExecSpace& exec, const Words& c) : exec_(exec), c_(c) {
    for (Panels& p : panels_)
      p = {PivotRows(Kokkos::view_alloc(exec, "blockfw::left_bits", Kokkos::WithoutInitializing), c.extent(0)),
           PivotRows(Kokkos::view_alloc(exec, "blockfw::pivot_bits", Kokkos::WithoutInitializing), std::size_t(pivots)),
           Words(Kokkos::view_alloc(exec, "blockfw::right_bits", Kokkos::WithoutInitializing), std::size_t(pivots),
                 c.extent(1))};
  }

  int count() const { return c_.extent_int(0) / pivots; }

  /// \brief Does a round, and makes the panels of the next one.
  /// \param round  its panels must exist; or -1, which only makes the panels of round 0
  void update(int round) const {
    const int down = c_.extent_int(0) / tile_rows, across = c_.extent_int(1) / tile_words, tiles = down * across;
    const int next = round + 1, next_word = next * pivot_words;
    const int first = next < down ? next * across + next_word / tile_words : 0;
    const auto c = c_;
    const Panels now = panels_[next % 2], then = panels_[1 - next % 2];
    Kokkos::parallel_for(
        "blockfw::transitive_closure",
        Policy(exec_, tiles, threads)
            .set_scratch_size(on_host ? 1 : 0, Kokkos::PerTeam(panel_bytes + 2 * pivot_bytes + 256)),
        KOKKOS_LAMBDA(const Member& team) {
          const int tile = (first + team.league_rank()) % tiles;
          const int i0 = tile / across * tile_rows, w0 = tile % across * tile_words;
          auto* const b = static_cast<Word*>(scratch(team, panel_bytes));
          auto* const closed = static_cast<Pivots*>(scratch(team, pivot_bytes));
          auto* const a = static_cast<Pivots*>(scratch(team, pivot_bytes));
          const auto each_row = [&](const auto& f) { Kokkos::parallel_for(Kokkos::TeamThreadRange(team, +pivots), f); };

          if (round >= 0) {
            constexpr int vector = 4, in_row = tile_words / vector;
            for (int e = team.team_rank(); e < pivots * in_row; e += threads)
              reinterpret_cast<Pack<Word, vector>*>(b)[e] =
                  *reinterpret_cast<const Pack<Word, vector>*>(&now.right(e / in_row, w0 + e % in_row * vector));
            each_row([&](int r) { closed[r] = now.pivot(r); });
            team.team_barrier();
            each_row([&](int r) {
              const Pivots bits = now.left(i0 + r);
              Pivots row = {};
              BLOCKFW_UNROLL
              for (int v = 0; v < pivot_words; ++v)
                for (int k = 0; k < 32; ++k) join(row, closed[v * 32 + k], bits.at[v] >> k);
              a[r] = row;
            });
            team.team_barrier();
            for (int t = team.team_rank(); t < thread_rows * thread_cols; t += threads) {
              const int i = t / thread_cols * rows, w = t % thread_cols;
              relax_registers(a + i, b + w * step, &c(i0 + i, w0 + w * step), static_cast<int>(c.stride(0)));
            }
            team.team_barrier();
          }

          if (next >= down) return;
          const bool in_rows = i0 == next * pivots, in_columns = w0 == next_word / tile_words * tile_words;
          if (in_rows) {
            for (int e = team.team_rank(); e < pivots * tile_words; e += threads)
              then.right(e / tile_words, w0 + e % tile_words) = c(i0 + e / tile_words, w0 + e % tile_words);
          }
          if (in_columns)
            each_row([&](int r) {
              Pivots bits;
              for (int w = 0; w < pivot_words; ++w) bits.at[w] = c(i0 + r, next_word + w);
              then.left(i0 + r) = bits;
              closed[r] = bits;
            });
          if (in_rows && in_columns) {
            team.team_barrier();
            close(team, closed);
            each_row([&](int r) { then.pivot(r) = closed[r]; });
          }
        });
  }

 private:
  /// Closes the pivot tile, a few pivots at a time: every thread closes their rows for itself, then updates some rows.
  static KOKKOS_FORCEINLINE_FUNCTION void close(const Member& team, Pivots* closed) {
    BLOCKFW_UNROLL
    for (int v = 0; v < pivot_words; ++v) BLOCKFW_NO_UNROLL
    for (int k = 0; k < 32; k += at_a_time) {
      Pivots some[at_a_time];
      BLOCKFW_UNROLL
      for (int p = 0; p < at_a_time; ++p) some[p] = closed[v * 32 + k + p];
      BLOCKFW_UNROLL
      for (int p = 0; p < at_a_time; ++p) BLOCKFW_UNROLL
      for (int q = 0; q < at_a_time; ++q) join(some[q], some[p], some[q].at[v] >> (k + p));
      team.team_barrier();
      for (int r = team.team_rank(); r < pivots; r += threads) {
        Pivots row = closed[r];
        const Word bits = row.at[v] >> k;
        BLOCKFW_UNROLL
        for (int p = 0; p < at_a_time; ++p) join(row, some[p], bits >> p);
        closed[r] = row;
      }
      team.team_barrier();
    }
  }

  /// row ← row ∨ other if the lowest bit of `bit` is set.
  static KOKKOS_FORCEINLINE_FUNCTION void join(Pivots& row, const Pivots& other, Word bit) {
    const Word mask = 0 - (bit & 1);
    for (int w = 0; w < pivot_words; ++w) row.at[w] |= other.at[w] & mask;
  }

  // On a device neighbouring threads read neighbouring groups of four words: a thread's second group lies behind the
  // first groups of all threads.
  static constexpr int together = on_host ? register_words : 4, groups = register_words / together;
  static constexpr int step = together, group_step = thread_cols * together;

  static KOKKOS_FORCEINLINE_FUNCTION void read(V* to, const Word* from) {
    if constexpr (on_host) {
      BLOCKFW_UNROLL
      for (int v = 0; v < vs; ++v) to[v] = load<V>(from + v * vector_width);
    } else {
      BLOCKFW_UNROLL
      for (int g = 0; g < groups; ++g) {
        const auto four = *reinterpret_cast<const Pack<Word, together>*>(from + g * group_step);
        BLOCKFW_UNROLL
        for (int e = 0; e < together; ++e) to[g * together + e] = four.at[e];
      }
    }
  }
  static KOKKOS_FORCEINLINE_FUNCTION void write(Word* to, const V* from) {
    if constexpr (on_host) {
      BLOCKFW_UNROLL
      for (int v = 0; v < vs; ++v) store(to + v * vector_width, from[v]);
    } else {
      BLOCKFW_UNROLL
      for (int g = 0; g < groups; ++g) {
        Pack<Word, together> four;
        BLOCKFW_UNROLL
        for (int e = 0; e < together; ++e) four.at[e] = from[g * together + e];
        *reinterpret_cast<Pack<Word, together>*>(to + g * group_step) = four;
      }
    }
  }

  static KOKKOS_FORCEINLINE_FUNCTION void relax_registers(const Pivots* left, const Word* b, Word* c, int stride) {
    V acc[rows][vs];
    BLOCKFW_UNROLL
    for (int r = 0; r < rows; ++r) read(acc[r], c + r * stride);
    BLOCKFW_NO_UNROLL
    for (int v = 0; v < pivot_words; ++v) {
      Word a[rows];
      BLOCKFW_UNROLL
      for (int r = 0; r < rows; ++r) a[r] = left[r].at[v];
      BLOCKFW_NO_UNROLL
      for (int k0 = 0; k0 < 32; k0 += unrolled) BLOCKFW_UNROLL
      for (int k = 0; k < unrolled; ++k) {
        V b_row[vs];
        read(b_row, b + (v * 32 + 31 - k0 - k) * tile_words);
        BLOCKFW_UNROLL
        for (int r = 0; r < rows; ++r) {
          const Word mask = static_cast<Word>(static_cast<std::int32_t>(a[r]) >> 31);  // the highest bit, 32 times
          a[r] <<= 1;
          BLOCKFW_UNROLL
          for (int x = 0; x < vs; ++x) acc[r][x] |= b_row[x] & mask;
        }
      }
    }
    BLOCKFW_UNROLL
    for (int r = 0; r < rows; ++r) write(c + r * stride, acc[r]);
  }

  ExecSpace exec_;
  Words c_;
  Panels panels_[2];
};

template <class ExecSpace>
using BitRoundsFor = std::conditional_t<!is_host_space<ExecSpace> && target.multiplies_bits,
                                        BitProductRounds<ExecSpace>, BitRounds<ExecSpace>>;

}  // namespace detail

/// \brief Computes the transitive closure in place: bit (i, j) means an edge i → j on entry, and a path from i to j on
/// return. Every vertex reaches itself.
///
/// n³/32 word operations. Memory: n²/8 bytes, and 64 n bytes for the panels of two rounds. Queued on exec.
template <class ExecSpace>
void transitive_closure(const ExecSpace& exec, const BitMatrix<ExecSpace>& bits) {
  const Kokkos::Profiling::ScopedRegion region("blockfw::transitive_closure");
  const std::int64_t n = bits.size();
  const auto words = bits.words();
  Kokkos::parallel_for(
      "blockfw::diagonal", Kokkos::RangePolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>(exec, 0, n),
      KOKKOS_LAMBDA(std::int64_t i) { words(i, i / 32) |= 1u << i % 32; });
  if (n == 0) return;
  const detail::BitRoundsFor<ExecSpace> rounds(exec, words);
  for (int round = -1; round < rounds.count(); ++round) rounds.update(round);
}

/// \brief Computes which vertices each vertex of the graph reaches; each reaches itself. Weights do not matter.
///
/// \param exec   the instance to run on; fenced on return
/// \param n      number of vertices
/// \param edges  rank-1 view of Edge that exec can reach, or a host container of them
/// \param direction  with undirected each edge leads both ways
/// \throws InvalidInput, InvalidEdge  for bad arguments; OutOfMemory when it does not fit, before it is allocated
template <class ExecSpace, class Edges>
  requires Kokkos::is_execution_space_v<ExecSpace>
BitMatrix<ExecSpace> transitive_closure(const ExecSpace& exec, std::int64_t n, const Edges& edges,
                                        Direction direction = Direction::directed) {
  if constexpr (!Kokkos::is_view_v<Edges>) {
    return transitive_closure(exec, n, reachable_edges(exec, detail::view_of(edges)), direction);
  } else {
    const BitMatrix<ExecSpace> bits(exec, n);
    const auto words = bits.words();
    const auto count = static_cast<std::int64_t>(edges.extent(0));
    const bool both_ways = direction == Direction::undirected;
    std::int64_t invalid = count;
    Kokkos::parallel_reduce(
        "blockfw::scatter_bits", Kokkos::RangePolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>(exec, 0, count),
        KOKKOS_LAMBDA(std::int64_t e, std::int64_t& first_invalid) {
          const auto edge = edges(e);
          if (!detail::has_vertices(edge, n)) {
            first_invalid = Kokkos::min(first_invalid, e);
            return;
          }
          Kokkos::atomic_or(&words(edge.from, edge.to / 32), 1u << edge.to % 32);
          if (both_ways) Kokkos::atomic_or(&words(edge.to, edge.from / 32), 1u << edge.from % 32);
        },
        Kokkos::Min<std::int64_t>(invalid));
    if (invalid < count) detail::throw_invalid_edge<decltype(Edges::non_const_value_type::weight)>(edges, invalid, n);
    transitive_closure(exec, bits);
    exec.fence("blockfw::transitive_closure");
    return bits;
  }
}

/// \brief The same on the default execution space.
template <class Edges>
  requires(!Kokkos::is_execution_space_v<Edges>)
auto transitive_closure(std::int64_t n, const Edges& edges, Direction direction = Direction::directed) {
  return transitive_closure(Kokkos::DefaultExecutionSpace{}, n, edges, direction);
}

}  // namespace blockfw
