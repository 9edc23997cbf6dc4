// SPDX-License-Identifier: MIT
/// \file
/// \brief The register tile: a thread's part of a tile of C, and the micro-kernel that relaxes it.
#pragma once

#include "blockfw/detail/backend/instructions.hpp"
#include "blockfw/detail/backend/portable.hpp"
#include "blockfw/detail/base/lanes.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace blockfw::detail {

/// \brief A grid of Rows x Cols threads. The threads of a warp form a rectangle of 8 columns where the grid allows it.
/// So they share the data that they read of a row and of a column.
template <int Rows, int Cols, int WarpSize>
struct ThreadGrid {
  static constexpr int width = 8, height = WarpSize / width;
  static constexpr bool in_rectangles = height > 0 && Rows % (height > 0 ? height : 1) == 0 && Cols % width == 0;

  static KOKKOS_FORCEINLINE_FUNCTION int row(int rank) {
    if constexpr (in_rectangles)
      return rank / WarpSize / (Cols / width) * height + rank % WarpSize / width;
    else
      return rank / Cols;
  }
  static KOKKOS_FORCEINLINE_FUNCTION int col(int rank) {
    if constexpr (in_rectangles)
      return rank / WarpSize % (Cols / width) * width + rank % width;
    else
      return rank % Cols;
  }
};

/// \brief The entries of a tile C that a thread holds in registers, with the team's scratch pad and the thread's rank.
///
/// The classes that derive from it add the team's operations on the tile, and no members with data.
/// \tparam Shape  a DeviceShape
template <class Shape>
class RegisterTile : protected Shape {
 protected:
  using typename Shape::RowGroup, typename Shape::ColGroup, typename Shape::StoredGroup;
  using typename Shape::Semiring, typename Shape::T, typename Shape::V;

  using Shape::depends_on_negative, Shape::always_two;
  using Shape::row_group, Shape::col_group, Shape::row_groups, Shape::col_groups, Shape::group_vs;
  using Shape::rows, Shape::cols, Shape::vs, Shape::packed, Shape::thread_rows, Shape::thread_cols;
  using Shape::target, Shape::side, Shape::depth, Shape::unrolled, Shape::left_bytes, Shape::vector_bytes;

 public:
  KOKKOS_FORCEINLINE_FUNCTION RegisterTile(std::byte* scratch, int rank) : scratch_(scratch), rank_(rank) {}

  /// Reads the tile C, at most block x block, into registers. The padding is zero() (no path).
  template <class Ref>
  KOKKOS_FORCEINLINE_FUNCTION void read(const Ref& c, bool = false) {
    const Memory m(c);
    if (m.vectors) {
      for_each_group([&](int i, int j, V* own) {
        const ColGroup group = load(m.at + i * m.row_stride + j);
        BLOCKFW_UNROLL
        for (int v = 0; v < group_vs; ++v) own[v] = group.at[v];
      });
    } else {
      for_each_entry([&](int i, int j, V& own, int w) {
        set_value(own, w, i < m.height && j < m.width ? m.at[i * m.row_stride + j * m.col_stride] : Semiring::zero());
      });
    }
  }

  /// Writes the tile C to memory, without the padding.
  template <class Ref>
  KOKKOS_FORCEINLINE_FUNCTION void write(const Ref& c) {
    const Memory m(c);
    if (m.vectors) {
      for_each_group([&](int i, int j, const V* own) {
        ColGroup group;
        BLOCKFW_UNROLL
        for (int v = 0; v < group_vs; ++v) group.at[v] = own[v];
        store(m.at + i * m.row_stride + j, group);
      });
    } else {
      for_each_entry([&](int i, int j, V own, int w) {
        if (i < m.height && j < m.width) m.at[i * m.row_stride + j * m.col_stride] = get_value<T>(own, w);
      });
    }
  }

  /// Notes in the panels that the tile has a negative entry, if relax() on this device depends on it. It is called
  /// before the tile is closed or taken through the pivot. Neither step makes a negative entry out of others.
  template <class AnyPanels>
  KOKKOS_FORCEINLINE_FUNCTION void note_negative(const AnyPanels& panels) const {
    if constexpr (depends_on_negative) {
      bool any = false;
      BLOCKFW_UNROLL
      for (int r = 0; r < rows; ++r) BLOCKFW_UNROLL
      for (int v = 0; v < vs; ++v) any |= is_negative(acc_[r][v]);
      if (any) panels.note_negative();
    }
  }

 protected:
  /// Whether the team takes pivots two at a time. The panels that it has waited for allow that if no entry is negative.
  template <class AnyPanels>
  static KOKKOS_FORCEINLINE_FUNCTION bool relaxes_two(const AnyPanels& panels) {
    return always_two || (depends_on_negative && !panels.any_negative());
  }

  /// Relaxes the tile with the slab in a stage.
  KOKKOS_FORCEINLINE_FUNCTION void relax_slab(int stage, [[maybe_unused]] bool two) {
    const V* a_there = left(stage);
    const T* b_there = right(stage);
    BLOCKFW_NO_UNROLL
    for (int k = 0; k < depth; k += unrolled) {
      if constexpr (can_relax_two<Semiring>(target))
        if (always_two || two) {
          relax_pivots<unrolled, 2>(a_there + k * side, b_there + k * side);
          continue;
        }
      relax_pivots<unrolled, 1>(a_there + k * side, b_there + k * side);
    }
  }

  /// A stage's slab of the left operand in scratch, and of the right one.
  KOKKOS_FORCEINLINE_FUNCTION V* left(int stage = 0) const {
    return reinterpret_cast<V*>(scratch_) + stage * (depth * side);
  }
  KOKKOS_FORCEINLINE_FUNCTION T* right(int stage = 0) const {
    return reinterpret_cast<T*>(scratch_ + left_bytes) + stage * (depth * side);
  }

  /// The place in a copy where this thread starts.
  KOKKOS_FORCEINLINE_FUNCTION std::byte* own_bytes(void* to) const {
    return static_cast<std::byte*>(to) + rank_ * vector_bytes;
  }

  using Grid = ThreadGrid<thread_rows, thread_cols, target.warp_size>;
  /// The entries of the tile that a thread holds, by their rows and columns.
  struct ThreadEntries {
    int thread_row, thread_col;

    explicit KOKKOS_FORCEINLINE_FUNCTION ThreadEntries(int rank)
        : thread_row(Grid::row(rank)), thread_col(Grid::col(rank)) {}
    KOKKOS_FORCEINLINE_FUNCTION int row(int r) const {
      return (r / row_group * thread_rows + thread_row) * row_group + r % row_group;
    }
    KOKKOS_FORCEINLINE_FUNCTION int col(int c) const {
      return (c / col_group * thread_cols + thread_col) * col_group + c % col_group;
    }
  };
  /// The thread's own entries, which the compiler recomputes at each call and keeps in no register.
  KOKKOS_FORCEINLINE_FUNCTION ThreadEntries own_entries() const {
    return ThreadEntries(Instructions::forgotten(rank_));
  }
  /// The number in row r and column c of the register tile.
  KOKKOS_FORCEINLINE_FUNCTION T entry(int r, int c) const { return get_value<T>(acc_[r][c / packed], c % packed); }

  /// Loads a group of neighbours in a row.
  static KOKKOS_FORCEINLINE_FUNCTION ColGroup load(const T* from) {
    if constexpr (sizeof(ColGroup) == sizeof(StoredGroup)) {
      return *reinterpret_cast<const ColGroup*>(from);
    } else {
      const StoredGroup stored = *reinterpret_cast<const StoredGroup*>(from);
      ColGroup group;
      BLOCKFW_UNROLL
      for (int v = 0; v < group_vs; ++v) group.at[v] = stored.at[v];
      return group;
    }
  }
  /// A group as it lies in memory.
  static KOKKOS_FORCEINLINE_FUNCTION StoredGroup stored(const ColGroup& group) {
    if constexpr (sizeof(ColGroup) == sizeof(StoredGroup)) {
      return Kokkos::bit_cast<StoredGroup>(group);
    } else {
      StoredGroup stored;
      BLOCKFW_UNROLL
      for (int v = 0; v < group_vs; ++v) stored.at[v] = get_value<T>(group.at[v], 0);
      return stored;
    }
  }
  /// Stores a group of neighbours in a row.
  static KOKKOS_FORCEINLINE_FUNCTION void store(T* to, const ColGroup& group) {
    if constexpr (sizeof(ColGroup) == sizeof(StoredGroup))
      *reinterpret_cast<ColGroup*>(to) = group;
    else
      *reinterpret_cast<StoredGroup*>(to) = stored(group);
  }

  /// The micro-kernel: relaxes the register tile with `Pivots` pivots in scratch, `AtATime` of them at once.
  template <int Pivots, int AtATime>
  KOKKOS_FORCEINLINE_FUNCTION void relax_pivots(const V* left, const T* right) {
    static_assert(Pivots % AtATime == 0);
    const ThreadEntries own(rank_);
    left += own.row(0);
    right += own.col(0);
    BLOCKFW_UNROLL
    for (int k = 0; k < Pivots; k += AtATime) {
      RowGroup a[AtATime][row_groups];
      ColGroup b[AtATime][col_groups];
      const auto read_rows = [&](int g) {
        BLOCKFW_UNROLL
        for (int p = 0; p < AtATime; ++p)
          a[p][g] = *reinterpret_cast<const RowGroup*>(left + (k + p) * side + g * (thread_rows * row_group));
      };
      constexpr bool late = AtATime > 1;  // read rows just before their use: two pivots take twice the registers
      BLOCKFW_UNROLL
      for (int g = 0; g < row_groups && !late; ++g) read_rows(g);
      BLOCKFW_UNROLL
      for (int p = 0; p < AtATime; ++p) BLOCKFW_UNROLL
      for (int g = 0; g < col_groups; ++g) b[p][g] = load(right + (k + p) * side + g * (thread_cols * col_group));
      BLOCKFW_UNROLL
      for (int g = 0; g < row_groups; ++g) {
        if (late) read_rows(g);
        relax_rows<AtATime>(
            g, [&](int p, int e) { return a[p][g].at[e]; },
            [&](int p, int v) { return b[p][v / group_vs].at[v % group_vs]; });
      }
    }
  }

  /// Relaxes a group of rows with operands in registers: a(pivot, row of the group) and b(pivot, column).
  template <int AtATime, class A, class B>
  KOKKOS_FORCEINLINE_FUNCTION void relax_rows(int group, const A& a, const B& b) {
    BLOCKFW_UNROLL
    for (int e = 0; e < row_group; ++e) {
      const int r = group * row_group + e;
      if constexpr (AtATime == 1) {
        BLOCKFW_UNROLL
        for (int v = 0; v < vs; ++v) acc_[r][v] = Instructions::relax<Semiring>(acc_[r][v], a(0, e), b(0, v));
      } else if constexpr (can_add_two<Semiring>(target) && vs % 2 == 0) {
        BLOCKFW_UNROLL
        for (int v = 0; v < vs; v += 2) {
          const auto sums0 = Instructions::add_two(a(0, e), b(0, v), b(0, v + 1)),
                     sums1 = Instructions::add_two(a(1, e), b(1, v), b(1, v + 1));
          acc_[r][v] = Instructions::least(acc_[r][v], sums0.at[0], sums1.at[0]);
          acc_[r][v + 1] = Instructions::least(acc_[r][v + 1], sums0.at[1], sums1.at[1]);
        }
      } else {
        BLOCKFW_UNROLL
        for (int v = 0; v < vs; ++v) acc_[r][v] = Instructions::least(acc_[r][v], a(0, e) + b(0, v), a(1, e) + b(1, v));
      }
    }
  }

  /// Calls f(row, column, values) for each group of neighbours that this thread holds.
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void for_each_group(const F& f) {
    const ThreadEntries own = own_entries();
    BLOCKFW_UNROLL
    for (int r = 0; r < rows; ++r) BLOCKFW_UNROLL
    for (int g = 0; g < col_groups; ++g) f(own.row(r), own.col(g * col_group), &acc_[r][g * group_vs]);
  }

  /// Calls f(row, column, packed value, index in it) for each entry that this thread holds.
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void for_each_entry(const F& f) {
    BLOCKFW_UNROLL
    for (int r = 0; r < rows; ++r) {
      const ThreadEntries own = own_entries();
      BLOCKFW_UNROLL
      for (int c = 0; c < cols; ++c) f(own.row(r), own.col(c), acc_[r][c / packed], c % packed);
    }
  }

  /// The tile C in memory.
  struct Memory {
    template <class Ref>
    explicit KOKKOS_FORCEINLINE_FUNCTION Memory(const Ref& c)
        : at(c.data()),
          row_stride(static_cast<int>(c.stride(0))),
          col_stride(static_cast<int>(c.stride(1))),
          height(static_cast<int>(c.extent(0))),
          width(static_cast<int>(c.extent(1))) {
      constexpr std::size_t group = sizeof(StoredGroup);
      vectors = height == side && width == side && col_stride == 1 &&
                reinterpret_cast<std::uintptr_t>(at) % group == 0 &&
                static_cast<std::size_t>(row_stride) * sizeof(T) % group == 0;
    }
    T* at;
    int row_stride, col_stride, height, width;
    bool vectors;  ///< whether C is a whole tile and can be read and written as vectors
  };

  V acc_[rows][vs];
  std::byte* scratch_;
  int rank_;
};

}  // namespace blockfw::detail
