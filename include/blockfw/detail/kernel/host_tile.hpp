// SPDX-License-Identifier: MIT
/// \file
/// \brief The work of a host core on one tile: explicit vectors over packed panels.
///
/// All of it is compiled for each level of vectors, and called through with_vectors().
#pragma once

#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/base/lanes.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/semiring.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <numeric>
#include <type_traits>

namespace blockfw::detail {

/// Copies a segment of row i of m.
template <class Ref, class T>
BLOCKFW_ALWAYS_INLINE void copy_row(const Ref& m, int i, int j, int count, T* to) {
  if (m.stride(1) == 1)
    std::copy_n(&entry_at(m, i, j), count, to);
  else
    for (int l = 0; l < count; ++l) to[l] = entry_at(m, i, j + l);
}

/// \brief The form of packed operands, the same for all levels of vectors.
template <class TileShape, class T>
struct HostPacking {
  static constexpr int block = TileShape::block;
  /// Columns of a sliver of B: one cache line, so that a register tile's B lies in all sets of the level-1 cache.
  static constexpr int sliver = TileShape::register_cols > 0 ? TileShape::register_cols
                                                             : std::gcd(block, 64 / static_cast<int>(sizeof(T)));
  /// B's columns are padded to a multiple of this: the register tile of the widest vectors.
  static constexpr int padded = TileShape::register_cols > 0 ? TileShape::register_cols
                                                             : std::gcd(block, 128 / static_cast<int>(sizeof(T)));
  /// An entry of A: a word, where numbers are shorter than a word.
  static constexpr bool repeats = sizeof(T) < 4 && sliver * sizeof(T) % 4 == 0;
  using LeftEntry = std::conditional_t<repeats, Repeated<T>, T>;
  /// Rows of A that are packed together: the rows of the highest register tile.
  static constexpr int rows = TileShape::register_rows > 0 ? TileShape::register_rows : std::gcd(block, 8);
  /// Pivots of a row that lie together: one cache line.
  static constexpr int slab = std::gcd(block, 64 / static_cast<int>(sizeof(LeftEntry)));
};

/// \brief A tile C in its place in the matrix.
///
/// A packed A holds some rows together, slab by slab of the pivots. This is the order in which the micro-kernel reads
/// them, so A is one stream. Entry k of row i is at (i / rows · block + k / slab · slab) · rows + i % rows · slab +
/// k % slab. A packed B is slivers: entry k of column j is at (j / sliver · block + k) · sliver + j % sliver. Packed
/// tiles one after the other are one packed operand.
/// \tparam Ref    of matrices
/// \tparam Level  of vectors
template <class TileShape, class Ref, class Semiring, class Level>
struct HostTile {
  using T = typename Semiring::value_type;

  static constexpr int block = TileShape::block;

 private:
  static constexpr int native_width = Level::bytes / static_cast<int>(sizeof(T));
  static constexpr int wanted_rows = Level::registers >= 32 ? 8 : 4;

 public:
  /// The register tile. Accumulators of eight rows by two vectors hide the latency of ⊕ and leave registers for B and a
  /// broadcast of A. With sixteen registers there are four rows. Smaller tiles take the largest shape that divides
  /// them.
  static constexpr int rows = TileShape::register_rows > 0 ? TileShape::register_rows : std::gcd(block, wanted_rows);
  static constexpr int cols = TileShape::register_cols > 0 ? TileShape::register_cols
                                                           : std::gcd(block, 2 * native_width);

  using Packing = HostPacking<TileShape, T>;
  using LeftEntry = typename Packing::LeftEntry;

  Ref c;
  bool upper = false;  ///< whether to update only the tiles on C's diagonal and above

  /// C ← C ⊕ (A ⊗ B) for packed operands of `depth` pivots.
  BLOCKFW_ALWAYS_INLINE void relax(int depth, const LeftEntry* left, const T* right) const {
    const auto ldc = static_cast<std::ptrdiff_t>(c.stride(0));
    const int height = c.extent_int(0), width = c.extent_int(1);
    const bool contiguous = c.stride(1) == 1;
    for (int i = 0; i < height; i += rows) {
      const LeftEntry* const a = left + i / most_rows * (most_rows * block) + i % most_rows * slab;
      const int first = upper ? i / block * block : 0;
      for (int j = first; j < width; j += cols) {
        const T* const b = right + j / sliver * (sliver * block) + j % sliver;
        // A register tile that extends past the edge of C, or whose rows are not contiguous, goes through a copy.
        const bool in_place = contiguous && i + rows <= height && j + cols <= width;
        alignas(alignment) T copy[rows * cols];
        if (in_place)
          prefetch(j + cols < width ? &entry_at(c, i, j + cols) : &entry_at(c, i, first) + rows * ldc, ldc);
        else
          copy_in(i, j, copy);
        relax_registers<slab, PackedRows>(depth, a, b, in_place ? &entry_at(c, i, j) : copy, in_place ? ldc : cols);
        if (!in_place) copy_back(copy, i, j);
      }
    }
  }

  /// Packs C as an operand A, with zero() (no path) up to a whole register tile. Without paths all of it is zero().
  BLOCKFW_ALWAYS_INLINE void pack_left(LeftEntry* to, bool paths) const {
    const int height = c.extent_int(0), width = c.extent_int(1);
    for (int i0 = 0; i0 < height; i0 += most_rows)
      for (int k = 0; k < width; k += slab)
        for (int r = 0; r < most_rows; ++r) {  // (so that memory is written in order)
          alignas(alignment) T copy[slab];
          const int present = paths && i0 + r < height ? std::min(slab, width - k) : 0;
          if (present == slab) {
            copy_row(c, i0 + r, k, slab, copy);
          } else {
            std::fill_n(copy, slab, Semiring::zero());
            if (present > 0) copy_row(c, i0 + r, k, present, copy);
          }
          LeftEntry* const entries = to + (i0 / most_rows * block + k) * most_rows + r * slab;
          if constexpr (Packing::repeats)
            Lanes<Level, T, slab>::load(copy).repeat(entries);
          else
            std::copy_n(copy, slab, entries);
        }
  }
  /// Packs C as an operand B in the same way.
  BLOCKFW_ALWAYS_INLINE void pack_right(T* to, bool paths) const {
    const int width = c.extent_int(1);
    for (int k = 0; k < c.extent_int(0); ++k)
      for (int j = 0; j < round_up(width, Packing::padded); j += sliver) {
        T* const row = to + j * block + k * sliver;
        const int present = paths ? std::clamp(width - j, 0, sliver) : 0;
        if (present == sliver) {
          copy_row(c, k, j, sliver, row);
        } else {
          copy_row(c, k, j, present, row);
          std::fill(row + present, row + sliver, Semiring::zero());
        }
      }
  }

  /// Floyd-Warshall inside C. A step eliminates a few pivots. First close_square() closes the square of their rows and
  /// columns. Then the micro-kernel updates the pivots' rows with the square, and every other row with the pivots'
  /// rows. The other operand may hold old entries each time: the square, and then the pivots' rows, already hold all
  /// paths among the pivots.
  /// \param tile  memory to work in
  BLOCKFW_ALWAYS_INLINE bool close(T* tile, const Ref& next) const {
    pack_rows(c, tile);
    const int n = c.extent_int(0), width = round_up(n, cols);
    const int at_once = div_up(step * rows, n);  // rows of `next` to prefetch with each row of register tiles
    int coming = 0;
    bool stopped = false;
    for (int k0 = 0; k0 < n; k0 += step) {
      T* const pivots = tile + k0 * block;
      const int depth = std::min(step, n - k0), of_pivots = round_up(depth, rows);
      stopped = close_square(depth, pivots + k0);
      if (stopped) break;
      for (int at = 0; at < n; at += rows) {  // first the pivots' rows, then the rows above and below
        const int i = at < of_pivots ? k0 + at : at < of_pivots + k0 ? at - of_pivots : at;
        prefetch_rows(next, coming, at_once);
        coming += at_once;
        for (int j = 0; j < width; j += cols)
          relax_registers<block, TileRows>(depth, tile + i * block + k0, pivots + j, tile + i * block + j, block);
      }
    }
    copy_out(tile, c);
    return stopped;
  }

 private:
  static constexpr std::size_t alignment = 64;
  static constexpr int vector_width = std::gcd(cols, native_width);
  static constexpr int vectors = cols / vector_width;
  static constexpr bool large = block > 64;
  // The pivots of one step of close(): more for a large tile, which does not fit into the level-1 cache, but at most a
  // vector's width.
  static constexpr int step = rows * std::gcd(block / rows, large && 2 * rows <= native_width ? 2 : 1);
  static_assert(block % rows == 0 && block % cols == 0, "blockfw: the register tile must divide the block");

  static constexpr int sliver = Packing::sliver;
  static constexpr int most_rows = Packing::rows, slab = Packing::slab;
  static_assert(most_rows % rows == 0 && (sliver % cols == 0 || cols % sliver == 0));

  /// The place of row k of B: in a packed B, or in a tile that close() works on.
  struct PackedRows {
    static constexpr int step = sliver, next_sliver = sliver * block;
  };
  struct TileRows {
    static constexpr int step = block, next_sliver = sliver;
  };

  using V = Lanes<Level, T, vector_width>;

  /// Floyd-Warshall inside a step's square, one vector per row. Stops before the first pivot on a negative cycle.
  ///
  /// The square of a small tile is kept in registers, which takes code for each pair of rows. A large tile may have
  /// larger squares, and they are a small part of its work.
  /// \return whether it stopped
  static BLOCKFW_ALWAYS_INLINE bool close_square(int depth, T* square) {
    using Row = Lanes<Level, T, int(std::bit_ceil(unsigned{step}))>;
    if constexpr (large) {
      for (int k = 0; k < depth; ++k) {
        if (Semiring::diverges(square[k * block + k])) return true;
        const Row pivot = Row::template load_some<step>(square + k * block);
        for (int i = 0; i < depth; ++i) {
          T* const row = square + i * block;
          Semiring::relax(Row::template load_some<step>(row), Row::broadcast(row[k]), pivot)
              .template store_some<step>(row);
        }
        pivot.template store_some<step>(square + k * block);  // (its own row stays; a branch would cost more)
      }
      return false;
    } else {
      Row row[step];
      BLOCKFW_UNROLL
      for (int i = 0; i < step; ++i)
        row[i] = i < depth ? Row::template load_some<step>(square + i * block) : Row::broadcast(T(0));
      bool stopped = false;
      BLOCKFW_UNROLL
      for (int k = 0; k < step; ++k) {
        stopped = stopped || (k < depth && Semiring::diverges(row[k][k]));
        if (stopped || k >= depth) continue;
        BLOCKFW_UNROLL
        for (int i = 0; i < step; ++i)
          if (i != k) row[i] = Semiring::relax(row[i], Row::broadcast(row[i][k]), row[k]);
      }
      BLOCKFW_UNROLL
      for (int i = 0; i < step; ++i)
        if (i < depth) row[i].template store_some<step>(square + i * block);
      return stopped;
    }
  }

  /// Packs row i of m at to[i · block] and pads to whole register tiles with zero() (no path).
  static BLOCKFW_ALWAYS_INLINE void pack_rows(const Ref& m, T* to) {
    const int height = m.extent_int(0), width = m.extent_int(1);
    const int padded_width = round_up(width, cols);
    for (int i = 0; i < round_up(height, rows); ++i) {
      T* row = to + i * block;
      const int present = i < height ? width : 0;
      copy_row(m, i, 0, present, row);
      // (GCC warns of a count below zero, which it cannot exclude.)
      if (present < padded_width) std::fill_n(row + present, padded_width - present, Semiring::zero());
    }
  }

  static BLOCKFW_ALWAYS_INLINE void copy_out(const T* tile, const Ref& m) {
    const int width = m.extent_int(1);
    for (int i = 0; i < m.extent_int(0); ++i)
      if (m.stride(1) == 1)
        std::copy_n(tile + i * block, width, &entry_at(m, i, 0));
      else
        for (int j = 0; j < width; ++j) entry_at(m, i, j) = tile[i * block + j];
  }

  /// Prefetches the next register tile of C while this one is updated. (A prefetch past the end of C does no harm. It
  /// is one for reading, so that all builds have the same: one for writing is another instruction with -march=native.)
  static BLOCKFW_ALWAYS_INLINE void prefetch(const T* next, std::ptrdiff_t ldc) {
    BLOCKFW_UNROLL
    for (int r = 0; r < rows; ++r) {
      BLOCKFW_UNROLL
      for (int v = 0; v < vectors; ++v) __builtin_prefetch(next + r * ldc + v * vector_width);
      __builtin_prefetch(next + r * ldc + cols - 1);  // in one more cache line, if rows are not aligned
    }
  }

  /// Prefetches the rows [first, first + count), as far as m has them, if rows are contiguous.
  static BLOCKFW_ALWAYS_INLINE void prefetch_rows(const Ref& m, int first, int count) {
    constexpr int line = alignment / sizeof(T);
    if (m.stride(1) != 1) return;
    for (int i = first; i < std::min(m.extent_int(0), first + count); ++i)
      for (int j = 0; j < m.extent_int(1); j += line) __builtin_prefetch(&entry_at(m, i, j), 0, 2);
  }

  /// The micro-kernel: relaxes one register tile of C with all pivots.
  /// \tparam row   entries from one row of A to the next; this is also the number of pivots in each slab of A
  /// \tparam Rows  entries from one row of B to the next, and from one sliver of B to the next
  template <int row, class Rows, class Entry>
  static BLOCKFW_ALWAYS_INLINE void relax_registers(int depth, const Entry* from, const T* with, T* to,
                                                    std::ptrdiff_t ldc) {
    V acc[rows][vectors];
    BLOCKFW_UNROLL
    for (int r = 0; r < rows; ++r) BLOCKFW_UNROLL
    for (int v = 0; v < vectors; ++v) acc[r][v] = V::load(to + r * ldc + v * vector_width);
    for (int left = depth; left > 0; left -= row, from += row * most_rows, with += row * Rows::step)
      for (int k = 0; k < std::min(row, left); ++k) {
        V b_row[vectors];
        BLOCKFW_UNROLL
        for (int v = 0; v < vectors; ++v)
          b_row[v] = V::load(with + k * Rows::step + v * vector_width / sliver * Rows::next_sliver +
                             v * vector_width % sliver);
        BLOCKFW_UNROLL
        for (int r = 0; r < rows; ++r) {
          const V a_entry = V::broadcast(from[r * row + k]);
          BLOCKFW_UNROLL
          for (int v = 0; v < vectors; ++v) acc[r][v] = Semiring::relax(acc[r][v], a_entry, b_row[v]);
        }
      }
    BLOCKFW_UNROLL
    for (int r = 0; r < rows; ++r) BLOCKFW_UNROLL
    for (int v = 0; v < vectors; ++v) acc[r][v].store(to + r * ldc + v * vector_width);
  }

  /// The height and the width of the register tile at (i, j), as far as C has them.
  BLOCKFW_ALWAYS_INLINE int height_at(int i) const { return std::min(rows, c.extent_int(0) - i); }
  BLOCKFW_ALWAYS_INLINE int width_at(int j) const { return std::min(cols, c.extent_int(1) - j); }

  /// Copies the register tile at (i, j), padded with zero().
  BLOCKFW_ALWAYS_INLINE void copy_in(int i, int j, T* copy) const {
    std::fill_n(copy, rows * cols, Semiring::zero());
    for (int r = 0; r < height_at(i); ++r) copy_row(c, i + r, j, width_at(j), copy + r * cols);
  }
  /// Copies it back.
  BLOCKFW_ALWAYS_INLINE void copy_back(const T* copy, int i, int j) const {
    for (int r = 0; r < height_at(i); ++r)
      for (int l = 0; l < width_at(j); ++l) entry_at(c, i + r, j + l) = copy[r * cols + l];
  }
};

}  // namespace blockfw::detail
