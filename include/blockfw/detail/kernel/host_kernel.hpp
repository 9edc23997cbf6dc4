// SPDX-License-Identifier: MIT
/// \file
/// \brief The two tile operations on a host core: explicit vectors over packed panels.
///
/// A team is one thread. The panels of a round are views, as a rule of the matrix itself. relax() packs A and B into
/// the team's scratch, then walks C in register tiles: a block of rows x columns stays in vector registers for all
/// pivots of the round, so that C is read and written once a round, whatever its leading dimension. (The scheme of BLIS
/// and of Goto and van de Geijn, "Anatomy of high-performance matrix multiplication", ACM TOMS 34, 2008; here over a
/// semiring.)
#pragma once

#include "blockfw/detail/backend/simd.hpp"
#include "blockfw/detail/kernel/concepts.hpp"
#include "blockfw/detail/kernel/group_panels.hpp"
#include "blockfw/detail/kernel/index_ranges.hpp"
#include "blockfw/detail/kernel/panel_layout.hpp"
#include "blockfw/detail/kernel/task_order.hpp"
#include "blockfw/detail/rounding.hpp"
#include "blockfw/matrix.hpp"
#include "blockfw/part.hpp"
#include "blockfw/semiring.hpp"
#include "blockfw/tile.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>

namespace blockfw::detail {

template <class TileShape, class ExecSpace, class Semiring>
class HostKernel {
  using T = typename Semiring::value_type;
  using Ref = MatrixRef<T, ExecSpace>;

  static constexpr int native_width = vector_bytes / static_cast<int>(sizeof(T));
  static constexpr int wanted_rows = vector_registers >= 32 ? 8 : 4;

 public:
  static constexpr int block = TileShape::block;
  /// An entry of the left operand as the kernel reads it.
  using LeftEntry = T;
  /// The register tile. Accumulators of eight rows by two vectors hide the latency of ⊕ and leave registers for B and a
  /// broadcast of A. With sixteen registers there are four rows. Smaller tiles take the largest shape that divides
  /// them.
  static constexpr int rows = TileShape::register_rows > 0 ? TileShape::register_rows : std::gcd(block, wanted_rows);
  static constexpr int cols = TileShape::register_cols > 0 ? TileShape::register_cols
                                                           : std::gcd(block, 2 * native_width);

 private:
  static constexpr int vector_width = std::gcd(cols, native_width);
  static constexpr int vectors = cols / vector_width;
  // The pivots of one step of close(): more for a large tile, which does not fit into the level-1 cache, but at most a
  // vector's width.
  static constexpr int step = rows * std::gcd(block / rows, block > 64 && 2 * rows <= native_width ? 2 : 1);
  static_assert(block % rows == 0 && block % cols == 0, "blockfw: the register tile must divide the block");

  using Simd = simd<T, vector_width>;
  static constexpr std::size_t alignment = 64;
  static constexpr std::size_t tile_bytes = round_up(sizeof(T) * block * block, alignment);

 public:
  static constexpr int team_size = 1;
  static constexpr int scratch_level = 1;
  /// The longest side of a C, in tiles. relax() packs all of A for it, which takes half of a level-2 cache of 1 MiB.
  static constexpr int longest_tiles = static_cast<int>(std::max<std::size_t>(1, (std::size_t{1} << 19) / tile_bytes));
  static constexpr std::size_t scratch_bytes = (longest_tiles + 1) * tile_bytes + 2 * alignment;

  static constexpr LookAheadProgress look_ahead = LookAheadProgress::pivot;
  static constexpr int rounds_at_once(int) { return 1; }
  static int teams_at_once(const ExecSpace& exec) { return exec.concurrency(); }
  /// C stays in its place in the matrix, so there is no write().
  static constexpr bool in_place = true;

  using Policy = Kokkos::TeamPolicy<ExecSpace, Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::IndexType<std::int64_t>>;

  /// The longest index range of a task. Longer ranges share more packing; shorter ones give each thread several tasks,
  /// which balance the load. It is never shorter than a tile, so that the next pivot lies in one task.
  static int longest_range(const ExecSpace& exec, int height, int width) {
    const int wanted_tasks = exec.concurrency() == 1 ? 1 : 16 * exec.concurrency();
    int tiles = std::min(longest_tiles, div_up(std::max(height, width), block));
    while (tiles > 1 && div_up(height, tiles * block) * div_up(width, tiles * block) < wanted_tasks) --tiles;
    return std::max(tiles, 1) * block;
  }

  /// \brief The panels of one round: views, no copies.
  struct Panels {
    static constexpr bool self_contained = false;
    Ref left_panel, right_panel, pivot;

    KOKKOS_FUNCTION Ref left(const IndexRange& i) const {
      return submatrix(left_panel, i.first, i.count, 0, left_panel.extent_int(1));
    }
    KOKKOS_FUNCTION Ref right(const IndexRange& j) const {
      return submatrix(right_panel, 0, right_panel.extent_int(0), j.first, j.count);
    }
    KOKKOS_FUNCTION int pivots(int) const { return pivot.extent_int(0); }
    KOKKOS_FUNCTION Ref left_pivot() const { return pivot; }
    KOKKOS_FUNCTION Ref right_pivot() const { return pivot; }

    KOKKOS_FUNCTION const Ref& operand(int, const Ref& there) const { return there; }

    KOKKOS_FUNCTION bool diverges() const {
      for (int k = 0; k < pivot.extent_int(0); ++k)
        if (Semiring::diverges(pivot(k, k))) return true;
      return false;
    }

    // There are no flags: the team that closes a pivot is done before other teams read it.
    template <class Team>
    KOKKOS_FUNCTION bool wait_for_pivot(const Team&, int, bool) const {
      return diverges();
    }
  };

  /// The panels of a solve's rounds: views of its matrix, so there is no memory to keep.
  class PanelStorage {
   public:
    PanelStorage(const ExecSpace&, const PanelStorageOptions&) {}
    static double bytes(std::int64_t, std::int64_t) { return 0; }

    Panels panels(const Ref& d, int row, int col, int pivots) const {
      return {submatrix(d, 0, d.extent_int(0), col, pivots), submatrix(d, row, pivots, 0, d.extent_int(1)),
              submatrix(d, row, pivots, col, pivots)};
    }
  };

  using GroupStorage = detail::GroupStorage<ExecSpace, Semiring, RowLayout<T, ExecSpace, block>>;

  static HostTaskOrder task_order(const ExecSpace& exec, const Part<Ref>& part, int round, const Panels& panels,
                                  LookAheadProgress wanted) {
    const int height = part.d.extent_int(0), width = part.d.extent_int(1);
    const int longest = longest_range(exec, height, width), pivots = panels.pivot.extent_int(0);
    return {IndexRanges(height, (round - part.row) * block, pivots, longest),
            IndexRanges(width, (round - part.col) * block, pivots, longest), round, wanted};
  }

  // A build with a device compiles the phases for it, too; the host's code in them is empty there.

  /// The team's scratch pad.
  template <class Member>
  struct Team {
    explicit KOKKOS_FUNCTION Team(const Member& team)
        : member(team), a(scratch(team, longest_tiles * tile_bytes)), b(scratch(team, tile_bytes)) {}
    const Member& member;
    T* const a;
    T* const b;

   private:
    static KOKKOS_FUNCTION T* scratch(const Member& team, std::size_t bytes) {
      const int level = scratch_level, at = alignment;
      return static_cast<T*>(team.team_scratch(level).get_shmem_aligned(bytes, at));
    }
  };

  template <class Member>
  explicit KOKKOS_FUNCTION HostKernel(const Team<Member>& team) : a_(team.a), b_(team.b) {}

  // C stays in memory. Panels that are views of the matrix see it there; publish() copies it to other panels.
  /// \param upper  whether to update only its tiles on its diagonal and above
  KOKKOS_FUNCTION void read(const Ref& c, bool upper = false) {
    c_ = c;
    upper_ = upper;
  }
  template <class AnyPanels, class Place>
  KOKKOS_FUNCTION void publish([[maybe_unused]] const AnyPanels& panels, [[maybe_unused]] int round,
                               [[maybe_unused]] const Place& to, [[maybe_unused]] bool paths) const {
    if constexpr (AnyPanels::self_contained) KOKKOS_IF_ON_HOST((copy_to(panels.operand(round, to), paths);))
  }
  /// Writes the transposed tile to its place in the matrix.
  KOKKOS_FUNCTION void publish_mirrored(const Panels&, int, const Ref& to, bool) const {
    constexpr int side = 32;
    T part[side][side];
    for (int i0 = 0; i0 < c_.extent_int(0); i0 += side)
      for (int j0 = 0; j0 < c_.extent_int(1); j0 += side) {
        const int height = Kokkos::min(+side, c_.extent_int(0) - i0), width = Kokkos::min(+side, c_.extent_int(1) - j0);
        for (int i = 0; i < height; ++i)
          for (int j = 0; j < width; ++j) part[i][j] = c_(i0 + i, j0 + j);
        for (int j = 0; j < width; ++j)
          for (int i = 0; i < height; ++i) to(j0 + j, i0 + i) = part[i][j];
      }
  }

  /// C ← C ⊕ (A ⊗ B) for the operands of rounds `first` to `last`, one round after the other, unless the pivot holds a
  /// negative cycle. C has at most `longest_tiles` tiles a side, whole or partial. All of A is read before C is
  /// written, and each tile's columns of B before the same columns of C, so A or B may be C.
  template <class Member, class AnyPanels, class A, class B>
  KOKKOS_FUNCTION void relax(const Team<Member>&, [[maybe_unused]] const AnyPanels& panels, [[maybe_unused]] const A& a,
                             [[maybe_unused]] const B& b, [[maybe_unused]] int first, [[maybe_unused]] int last) const {
    if constexpr (!AnyPanels::self_contained)
      if (panels.diverges()) return;
    KOKKOS_IF_ON_HOST((for (int round = first; round <= last; ++round)
                           relax_tiles(panels.operand(round, a), panels.operand(round, b));))
  }

  /// Floyd-Warshall inside the tile. Stops before the first pivot that lies on a negative cycle.
  /// \param next  a tile that will be read soon, which close() prefetches meanwhile
  /// \return whether it stopped
  template <class Member>
  KOKKOS_FUNCTION bool close(const Team<Member>&, int, [[maybe_unused]] const Ref& next = {}) const {
    KOKKOS_IF_ON_HOST((return close_tile(next);))
    KOKKOS_IF_ON_DEVICE((return false;))
  }

 private:
  void relax_tiles(const Ref& a, const Ref& b) const {
    pack_rows(a, a_);
    for (int j0 = 0; j0 < c_.extent_int(1); j0 += block) {
      const int j1 = std::min(c_.extent_int(1), j0 + block);
      pack_slivers(b, j0, j1, b_);
      relax_packed(a.extent_int(1), c_, upper_ ? std::min(c_.extent_int(0), j1) : c_.extent_int(0), j0, j1);
    }
  }

  /// A step eliminates a few pivots: close_square() closes the square of their rows and columns, then the micro-kernel
  /// updates the pivots' rows with the square, and every other row with the pivots' rows. The other operand may hold
  /// old entries each time, since the square, and then the pivots' rows, already hold all paths among the pivots.
  bool close_tile(const Ref& next) const {
    T* tile = a_;
    pack_rows(c_, tile);
    const int n = c_.extent_int(0), width = round_up(n, cols);
    const int at_once = div_up(step * rows, n);  // rows of `next` to prefetch with each call of relax_row
    int coming = 0;
    bool stopped = false;
    for (int k0 = 0; k0 < n && !stopped; k0 += step) {
      T* const pivots = tile + k0 * block;
      const int depth = std::min(step, n - k0);
      const auto relax_row = [&](int i) {
        prefetch_rows(next, coming, at_once);
        coming += at_once;
        for (int j = 0; j < width; j += cols)
          relax_registers(depth, tile + i * block + k0, pivots + j, block, tile + i * block + j, block);
      };
      stopped = close_square(depth, pivots + k0);
      if (stopped) break;
      for (int i = k0; i < k0 + depth; i += rows) relax_row(i);
      for (int i = 0; i < n; i += rows)
        if (i < k0 || i >= k0 + depth) relax_row(i);
    }
    copy_out(tile, c_);
    return stopped;
  }

  /// Floyd-Warshall inside a step's square, one vector per row. Stops before the first pivot on a negative cycle.
  /// \return whether it stopped
  static bool close_square(int depth, T* square) {
    using Row = simd<T, std::bit_ceil(unsigned{step})>;
    Row row[step];
    BLOCKFW_UNROLL
    for (int i = 0; i < step; ++i) {
      row[i] = Row{};
      if (i < depth) std::memcpy(&row[i], square + i * block, step * sizeof(T));
    }
    bool stopped = false;
    BLOCKFW_UNROLL
    for (int k = 0; k < step; ++k) {
      stopped = stopped || (k < depth && Semiring::diverges(row[k][k]));
      if (stopped || k >= depth) continue;
      BLOCKFW_UNROLL
      for (int i = 0; i < step; ++i)
        if (i != k) row[i] = Semiring::relax(row[i], broadcast<Row>(row[i][k]), row[k]);
    }
    BLOCKFW_UNROLL
    for (int i = 0; i < step; ++i)
      if (i < depth) std::memcpy(square + i * block, &row[i], step * sizeof(T));
    return stopped;
  }

  /// Packs row i of m at to[i · block] and pads to whole register tiles with zero() (no path).
  static void pack_rows(const Ref& m, T* to) {
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

  /// Packs columns [j0, j1) of m in slivers as wide as the register tile, each contiguous, and pads the last one with
  /// zero() (no path).
  static void pack_slivers(const Ref& m, int j0, int j1, T* to) {
    const int depth = m.extent_int(0);
    for (int k = 0; k < depth; ++k)
      for (int j = j0; j < j1; j += cols) {
        T* row = to + (j - j0) * block + k * cols;
        if (const int present = std::min(cols, j1 - j); present == cols)
          copy_row(m, k, j, cols, row);
        else {
          copy_row(m, k, j, present, row);
          std::fill(row + present, row + cols, Semiring::zero());
        }
      }
  }

  static void copy_out(const T* tile, const Ref& m) {
    const int width = m.extent_int(1);
    for (int i = 0; i < m.extent_int(0); ++i)
      if (m.stride(1) == 1)
        std::copy_n(tile + i * block, width, &m(i, 0));
      else
        for (int j = 0; j < width; ++j) m(i, j) = tile[i * block + j];
  }

  void copy_to(const Ref& place, bool paths) const {
    for (int i = 0; i < c_.extent_int(0); ++i)
      if (paths)
        copy_row(c_, i, 0, c_.extent_int(1), &place(i, 0));
      else
        std::fill_n(&place(i, 0), c_.extent_int(1), Semiring::zero());
  }

  static BLOCKFW_ALWAYS_INLINE void copy_row(const Ref& m, int i, int j, int count, T* to) {
    if (m.stride(1) == 1)
      std::copy_n(&m(i, j), count, to);
    else
      for (int l = 0; l < count; ++l) to[l] = m(i, j + l);
  }

  /// Relaxes the first `height` rows of C's columns [j0, j1) with the packed A and B.
  void relax_packed(int depth, const Ref& c, int height, int j0, int j1) const {
    const auto ldc = static_cast<std::ptrdiff_t>(c.stride(0));
    const bool contiguous = c.stride(1) == 1;
    for (int i = 0; i < height; i += rows)
      for (int j = j0; j < j1; j += cols) {
        const T* a = a_ + i * block;
        const T* b = b_ + (j - j0) * block;
        if (contiguous && i + rows <= height && j + cols <= j1) {
          const bool same_rows = j + cols < j1;
          prefetch(&c(i, j) + (same_rows ? cols : rows * ldc + j0 - j), ldc);
          relax_registers(depth, a, b, cols, &c(i, j), ldc);
        } else {
          relax_edge(depth, a, b, c, i, j);
        }
      }
  }

  /// Prefetches the next register tile of C while this one is updated. (A prefetch past the end of C does no harm.)
  static BLOCKFW_ALWAYS_INLINE void prefetch(const T* c, std::ptrdiff_t ldc) {
    BLOCKFW_UNROLL
    for (int r = 0; r < rows; ++r) BLOCKFW_UNROLL
    for (int v = 0; v < vectors; ++v) __builtin_prefetch(c + r * ldc + v * vector_width, 1);
  }

  /// Prefetches those of the rows [first, first + count) that m has, if rows are contiguous.
  static void prefetch_rows(const Ref& m, int first, int count) {
    constexpr int line = alignment / sizeof(T);
    if (m.stride(1) != 1) return;
    for (int i = first; i < std::min(m.extent_int(0), first + count); ++i)
      for (int j = 0; j < m.extent_int(1); j += line) __builtin_prefetch(&m(i, j), 1, 2);
  }

  /// The micro-kernel: relaxes one register tile of C with all pivots.
  static BLOCKFW_ALWAYS_INLINE void relax_registers(int depth, const T* a, const T* b, int ldb, T* c,
                                                    std::ptrdiff_t ldc) {
    Simd acc[rows][vectors];
    BLOCKFW_UNROLL
    for (int r = 0; r < rows; ++r) BLOCKFW_UNROLL
    for (int v = 0; v < vectors; ++v) acc[r][v] = load<Simd>(c + r * ldc + v * vector_width);
    for (int k = 0; k < depth; ++k) {
      Simd b_row[vectors];
      BLOCKFW_UNROLL
      for (int v = 0; v < vectors; ++v) b_row[v] = load<Simd>(b + k * ldb + v * vector_width);
      BLOCKFW_UNROLL
      for (int r = 0; r < rows; ++r) {
        const Simd a_entry = broadcast<Simd>(a[r * block + k]);
        BLOCKFW_UNROLL
        for (int v = 0; v < vectors; ++v) acc[r][v] = Semiring::relax(acc[r][v], a_entry, b_row[v]);
      }
    }
    BLOCKFW_UNROLL
    for (int r = 0; r < rows; ++r) BLOCKFW_UNROLL
    for (int v = 0; v < vectors; ++v) store(c + r * ldc + v * vector_width, acc[r][v]);
  }

  /// The same, by way of a copy, for a register tile that extends past the edge of C or whose rows are not contiguous.
  static void relax_edge(int depth, const T* a, const T* b, const Ref& c, int i0, int j0) {
    alignas(alignment) T copy[rows * cols];
    const int height = std::min(rows, c.extent_int(0) - i0), width = std::min(cols, c.extent_int(1) - j0);
    std::fill_n(copy, rows * cols, Semiring::zero());
    for (int i = 0; i < height; ++i)
      for (int j = 0; j < width; ++j) copy[i * cols + j] = c(i0 + i, j0 + j);
    relax_registers(depth, a, b, cols, copy, cols);
    for (int i = 0; i < height; ++i)
      for (int j = 0; j < width; ++j) c(i0 + i, j0 + j) = copy[i * cols + j];
  }

  T* a_;  ///< the packed tiles of A, or the tile in close()
  T* b_;  ///< one packed tile of B
  Ref c_;
  bool upper_ = false;
};

}  // namespace blockfw::detail
