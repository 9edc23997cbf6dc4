// SPDX-License-Identifier: MIT
/// \file
/// \brief A product of two matrices over a semiring by a team of a device, for matrices of any shape and place.
#pragma once

#include "blockfw/detail/backend/backend.hpp"
#include "blockfw/detail/backend/portable.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/base/lanes.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace blockfw::detail {

/// \brief A tile C of `side` rows and columns, in the registers of a team, and C ← C ⊕ A ⊗ B.
///
/// Some columns of A and rows of B at a time are copied to the team's scratch. A thread of a device has 8 x 4 entries.
/// A host's team has one thread, which has all entries (tests run it).
/// \tparam Side   a multiple of 8
/// \tparam Depth  columns of A that are copied at a time
template <Semiring S, class ExecSpace, int Side, int Depth = (sizeof(typename S::value_type) > 4 ? 16 : 32)>
class TeamProduct {
 public:
  using T = typename S::value_type;
  static constexpr int side = Side, depth = Depth;
  static constexpr int high = 8, wide = 4;  // entries of a thread
  static constexpr int thread_rows = side / high, thread_columns = side / wide;
  static constexpr int team_size = is_host_space<ExecSpace> ? 1 : thread_rows * thread_columns;
  static constexpr int scratch_level = is_host_space<ExecSpace> ? 1 : 0;
  static constexpr int stride = side + 16 / int(sizeof(T));  // (so that fewer threads write to the same bank)
  static constexpr std::size_t scratch_bytes = 2 * stride * depth * sizeof(T) + 64;

  /// \brief Teams of `team_size` threads.
  ///
  /// Without bounds, AMD's compiler assumes teams of 1024 threads. The entries do not fit the registers that it gives a
  /// thread of those. Two wavefronts a SIMD leave it 256. Other compilers count registers without bounds.
  using Policy = Kokkos::TeamPolicy<
      ExecSpace, Kokkos::IndexType<std::int64_t>,
      std::conditional_t<target.vendor == Vendor::amd, Kokkos::LaunchBounds<team_size, 2>, Kokkos::LaunchBounds<>>>;

  /// All entries are zero().
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION explicit TeamProduct(const Team& team) : rank_(team.team_rank()) {
    const int level = scratch_level;
    constexpr std::size_t bytes = stride * depth * sizeof(T);
    a_ = static_cast<T*>(Instructions::known_scratch(team.team_scratch(level).get_shmem_aligned(bytes, 16)));
    b_ = static_cast<T*>(Instructions::known_scratch(team.team_scratch(level).get_shmem_aligned(bytes, 16)));
    BLOCKFW_UNROLL
    for (int p = 0; p < parts; ++p) BLOCKFW_UNROLL
    for (int r = 0; r < high; ++r) BLOCKFW_UNROLL
    for (int c = 0; c < wide; ++c) sum_[p][r][c] = S::zero();
  }

  /// \brief C ← C ⊕ A ⊗ B. The team's threads call it together.
  /// \param deep  columns of A, and rows of B
  /// \param a     a(row, k), for each row of the tile. Neighbouring threads read neighbouring columns.
  /// \param b     b(k, column), for each column of the tile
  template <class Team, class A, class B>
  KOKKOS_FORCEINLINE_FUNCTION void add(const Team& team, int deep, const A& a, const B& b) {
    for (int first = 0; first < deep; first += depth) {
      const int some = Kokkos::min(+depth, deep - first);
      team.team_barrier();
      for (int e = rank_; e < side * depth; e += team_size) {
        const int k = e % depth, row = e / depth, l = e / side, column = e % side;
        a_[k * stride + row] = k < some ? a(row, first + k) : S::zero();
        b_[l * stride + column] = l < some ? b(first + l, column) : S::zero();
      }
      team.team_barrier();
      relax_slab(some);
    }
  }

  /// \brief The same for operands whose neighbouring rows of A, and columns of B, are neighbours in memory, too.
  /// \param a  entry (row, k) of A is a[row + k * a_stride]
  /// \param b  entry (k, column) of B is b[column + k * b_stride]
  /// \param cut         whether some entries do not count
  /// \param row_end     if so: entry (row, k) of A counts for k < row_end(row)
  /// \param column_end  if so: entry (k, column) of B counts for k < column_end(column)
  ///
  /// Pointers and strides are multiples of 16 bytes. All `side` rows and columns are read.
  template <class Team, class RowEnd, class ColumnEnd>
  KOKKOS_FORCEINLINE_FUNCTION void add_columns(const Team& team, int deep, const T* a, std::int64_t a_stride,
                                               const T* b, std::int64_t b_stride, bool cut, const RowEnd& row_end,
                                               const ColumnEnd& column_end) {
    Slab slab;
    Ends ends;
    if (cut) ends.find(rank_, row_end, column_end);
    if (deep > 0) slab.read(rank_, Kokkos::min(+depth, deep), a, a_stride, b, b_stride);
    for (int first = 0; first < deep; first += depth) {
      const int some = Kokkos::min(+depth, deep - first), next = first + depth;
      if (cut) slab.cut(rank_, first, ends);
      team.team_barrier();
      slab.write(rank_, a_, b_);
      team.team_barrier();
      if (next < deep)  // (they arrive while the team works on these)
        slab.read(rank_, Kokkos::min(+depth, deep - next), a + next * a_stride, a_stride, b + next * b_stride,
                  b_stride);
      relax_slab(some);
    }
  }

  /// Calls f(row, column, entry) for each entry, which f may change.
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void for_each(const F& f) {
    for_each([](int row) { return row; }, f);
  }

  /// Calls f(of_row(row), column, entry) for each entry. A thread calls of_row() once for each of its rows.
  template <class OfRow, class F>
  KOKKOS_FORCEINLINE_FUNCTION void for_each(const OfRow& of_row, const F& f) {
    BLOCKFW_UNROLL
    for (int p = 0; p < parts; ++p) {
      decltype(of_row(0)) row[high];
      BLOCKFW_UNROLL
      for (int r = 0; r < high; ++r) row[r] = of_row(first_row(p) + r);
      BLOCKFW_UNROLL
      for (int r = 0; r < high; ++r) BLOCKFW_UNROLL
      for (int c = 0; c < wide; ++c) f(row[r], first_column(p) + c * thread_columns, sum_[p][r][c]);
    }
  }

 private:
  static constexpr int count = 16 / int(sizeof(T));  // entries that are loaded together
  using Entries = Pack<T, count>;
  static_assert(side % count == 0 && high % count == 0);

  static constexpr int groups = side / count;
  static_assert(team_size == 1 || team_size % groups == 0);

  /// The numbers that end the rows of A, and the columns of B, whose entries a thread copies.
  struct Ends {
    static constexpr int starts = team_size == 1 ? groups : 1;  // groups of rows that a thread copies
    int left[starts][count], right[starts][count];

    template <class RowEnd, class ColumnEnd>
    KOKKOS_FORCEINLINE_FUNCTION void find(int rank, const RowEnd& row_end, const ColumnEnd& column_end) {
      BLOCKFW_UNROLL
      for (int g = 0; g < starts; ++g) BLOCKFW_UNROLL
      for (int v = 0; v < count; ++v) {
        left[g][v] = row_end((rank + g) % groups * count + v);
        right[g][v] = column_end((rank + g) % groups * count + v);
      }
    }
  };

  /// A thread's part of the columns of A and rows of B that are copied to scratch.
  struct Slab {
    static constexpr int each = groups * depth / team_size;
    static_assert(groups * depth % team_size == 0);
    Entries left[each], right[each];

    KOKKOS_FORCEINLINE_FUNCTION void read(int rank, int some, const T* a, std::int64_t a_stride, const T* b,
                                          std::int64_t b_stride) {
      BLOCKFW_UNROLL
      for (int i = 0; i < each; ++i) {
        const int e = rank + i * team_size, k = Kokkos::min(e / groups, some - 1), at = e % groups * count;
        left[i] = *reinterpret_cast<const Entries*>(a + k * a_stride + at);
        right[i] = *reinterpret_cast<const Entries*>(b + k * b_stride + at);
      }
    }
    /// Entries that do not count become zero().
    KOKKOS_FORCEINLINE_FUNCTION void cut(int rank, int first, const Ends& ends) {
      BLOCKFW_UNROLL
      for (int i = 0; i < each; ++i) BLOCKFW_UNROLL
      for (int v = 0; v < count; ++v) {
        const int k = first + (rank + i * team_size) / groups, g = i % Ends::starts;
        if (k >= ends.left[g][v]) left[i].at[v] = S::zero();
        if (k >= ends.right[g][v]) right[i].at[v] = S::zero();
      }
    }
    KOKKOS_FORCEINLINE_FUNCTION void write(int rank, T* a, T* b) const {
      BLOCKFW_UNROLL
      for (int i = 0; i < each; ++i) {
        const int e = rank + i * team_size, to = e / groups * stride + e % groups * count;
        *reinterpret_cast<Entries*>(a + to) = left[i];
        *reinterpret_cast<Entries*>(b + to) = right[i];
      }
    }
  };

  static constexpr int unrolled = 4;
  static_assert(depth % unrolled == 0);

  /// Updates C by some columns of A and rows of B in scratch, rounded up to a multiple of `unrolled`. (The columns
  /// beyond are zero(), or repeat the last one. They change nothing, as ⊕ is idempotent.)
  KOKKOS_FORCEINLINE_FUNCTION void relax_slab(int some) {
    BLOCKFW_NO_UNROLL
    for (int first = 0; first < some; first += unrolled) BLOCKFW_UNROLL
    for (int k = first; k < first + unrolled; ++k) BLOCKFW_UNROLL
    for (int p = 0; p < parts; ++p) {
      Entries left[high / count];
      T right[wide];
      BLOCKFW_UNROLL
      for (int g = 0; g < high / count; ++g)
        left[g] = *reinterpret_cast<const Entries*>(a_ + k * stride + first_row(p) + g * count);
      BLOCKFW_UNROLL
      for (int c = 0; c < wide; ++c) right[c] = b_[k * stride + first_column(p) + c * thread_columns];
      BLOCKFW_UNROLL
      for (int r = 0; r < high; ++r) BLOCKFW_UNROLL
      for (int c = 0; c < wide; ++c) sum_[p][r][c] = S::relax(sum_[p][r][c], left[r / count].at[r % count], right[c]);
    }
  }

  static constexpr int parts = thread_rows * thread_columns / team_size;

  KOKKOS_FORCEINLINE_FUNCTION int first_row(int p) const { return (rank_ + p * team_size) / thread_columns * high; }
  KOKKOS_FORCEINLINE_FUNCTION int first_column(int p) const { return (rank_ + p * team_size) % thread_columns; }

  int rank_;
  T *a_, *b_;
  T sum_[parts][high][wide];
};

}  // namespace blockfw::detail
