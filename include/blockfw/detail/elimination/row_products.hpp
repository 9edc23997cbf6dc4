// SPDX-License-Identifier: MIT
/// \file
/// \brief Products of a small matrix and rows of numbers, on a host core: the inner loops of a sparse elimination.
///
/// A row has as many numbers as a batch has vertices, and is padded to whole vectors. The operands are used where they
/// are: a sparse factor's blocks are too small to pay for packing.
#pragma once

#include "blockfw/detail/backend/vectors.hpp"
#include "blockfw/detail/base/lanes.hpp"
#include "blockfw/detail/base/two_sums.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace blockfw::detail {

/// The side of ⊗ on which a matrix stands.
enum class Side { left, right };

/// The side for which code is compiled. Where ⊗ is commutative, one side serves both.
template <Semiring S>
constexpr Side compiled_side(Side side) {
  return is_commutative<S> ? Side::left : side;
}

/// \brief The functions of RowProducts with a level of vectors; RowProducts describes them.
template <Semiring S, class Level>
class RowProductsOn {
  using T = typename S::value_type;
  using V = typename RowLanes<Level, T>::type;
  static constexpr int width = RowLanes<Level, T>::width, vectors = RowLanes<Level, T>::vectors;
  static constexpr int most_rows = Level::registers >= 32 ? 8 : 4;

 public:
  static constexpr int tile_rows = 8, tile_columns = 128 / int(sizeof(T));

  template <Side A>
  static BLOCKFW_ALWAYS_INLINE void relax(std::size_t rows, std::size_t depth, const T* a, std::size_t lda,
                                          std::size_t step, const T* const* x, T* y, std::size_t stride,
                                          std::size_t length, bool fresh) {
    constexpr std::size_t at_once = 256;  // the rows x that stay in a level-1 cache, a segment at a time
    std::size_t first = 0;
    do {
      const std::size_t some = std::min(at_once, depth - first);
      relax_some<A>(rows, some, a + first * step, lda, step, x + first, y, stride, length, fresh && first == 0);
      first += some;
    } while (first < depth);
  }

  static BLOCKFW_ALWAYS_INLINE void relax_tile(std::size_t depth, const std::uint32_t* start, const T* a, const T* x,
                                               T* y, std::size_t stride) {
    for (int i = 0; i < tile_rows; i += most_rows)
      for (int j = 0; j < tile_columns; j += width * vectors) {
        V sum[most_rows][vectors];
        T* const at = y + std::size_t(i) * stride + std::size_t(j);
        BLOCKFW_UNROLL
        for (int r = 0; r < most_rows; ++r) BLOCKFW_UNROLL
        for (int v = 0; v < vectors; ++v) sum[r][v] = V::broadcast(S::zero());
        for (std::size_t k = 0; k < depth; ++k) {
          const T* const entries = a + start[k] + i;
          const T* const numbers = x + start[k] + j;
          V row[vectors];
          BLOCKFW_UNROLL
          for (int v = 0; v < vectors; ++v) row[v] = V::load(numbers + v * width);
          BLOCKFW_UNROLL
          for (int r = 0; r < most_rows; ++r) {
            const V entry = V::broadcast(entries[r]);
            BLOCKFW_UNROLL
            for (int v = 0; v < vectors; ++v) sum[r][v] = relaxed<Side::left>(sum[r][v], entry, row[v]);
          }
        }
        BLOCKFW_UNROLL
        for (int r = 0; r < most_rows; ++r) BLOCKFW_UNROLL
        for (int v = 0; v < vectors; ++v) sum[r][v].store(at + std::size_t(r) * stride + std::size_t(v) * width);
      }
  }

  static BLOCKFW_ALWAYS_INLINE T meet(std::size_t count, const T* a, const T* b) {
    constexpr std::size_t at_once = 2 * width;
    T best = S::zero();
    std::size_t x = 0;
    if (count >= at_once) {
      V first = V::broadcast(S::zero()), second = first;
      for (; x + at_once <= count; x += at_once) {
        first = S::relax(first, V::load(a + x), V::load(b + x));
        second = S::relax(second, V::load(a + x + width), V::load(b + x + width));
      }
      T lanes[at_once];
      first.store(lanes);
      second.store(lanes + width);
      for (const T lane : lanes) best = S::relax(best, lane, S::one());
    }
    for (; x < count; ++x) best = S::relax(best, a[x], b[x]);
    return best;
  }

  template <Side A>
  static BLOCKFW_ALWAYS_INLINE void combine_rows(std::size_t rows, const T* a, const T* x, std::size_t stride, T* y,
                                                 std::size_t length) {
    std::size_t j = 0;
    for (; j + 3 * width < length; j += 4 * width) combine_some<A, 4>(rows, a, x + j, stride, y + j);
    for (; j + width < length; j += 2 * width) combine_some<A, 2>(rows, a, x + j, stride, y + j);
    if (j < length) combine_some<A, 1>(rows, a, x + j, stride, y + j);
  }

  template <Side A>
  static BLOCKFW_ALWAYS_INLINE void relax_row(T a, const T* x, T* y, std::size_t length) {
    std::size_t j = 0;
    const V v = V::broadcast(a);
    for (; j + width <= length; j += width) relaxed<A>(V::load(y + j), v, V::load(x + j)).store(y + j);
    for (; j < length; ++j) y[j] = relaxed<A>(y[j], a, x[j]);
  }

 private:
  // (No lambdas with vectors: see vectors.hpp.)
  template <Side A, class N>
  static BLOCKFW_ALWAYS_INLINE N relaxed(N y, N a, N x) {
    if constexpr (A == Side::left)
      return S::relax(y, a, x);
    else
      return S::relax(y, x, a);
  }

  /// Some vectors of combine_rows().
  template <Side A, int Vectors>
  static BLOCKFW_ALWAYS_INLINE void combine_some(std::size_t rows, const T* a, const T* x, std::size_t stride, T* y) {
    V sum[Vectors];
    BLOCKFW_UNROLL
    for (int v = 0; v < Vectors; ++v) sum[v] = V::broadcast(S::zero());
    for (std::size_t k = 0; k < rows; ++k, x += stride) {
      const V entry = V::broadcast(a[k]);
      BLOCKFW_UNROLL
      for (int v = 0; v < Vectors; ++v) sum[v] = relaxed<A>(sum[v], entry, V::load(x + v * width));
    }
    BLOCKFW_UNROLL
    for (int v = 0; v < Vectors; ++v) sum[v].store(y + std::size_t(v) * width);
  }

  template <Side A>
  static BLOCKFW_ALWAYS_INLINE void relax_some(std::size_t rows, std::size_t depth, const T* a, std::size_t lda,
                                               std::size_t step, const T* const* x, T* y, std::size_t stride,
                                               std::size_t length, bool fresh) {
    std::size_t i = 0;
    for (; i + most_rows <= rows; i += most_rows)
      relax_rows<A, most_rows>(depth, a + i * lda, lda, step, x, y + i * stride, stride, length, fresh);
    relax_rest<A, most_rows - 1>(rows - i, depth, a + i * lda, lda, step, x, y + i * stride, stride, length, fresh);
  }

  /// The last rows, at most Rows, at once: each row x is loaded once.
  template <Side A, int Rows>
  static BLOCKFW_ALWAYS_INLINE void relax_rest(std::size_t rows, std::size_t depth, const T* a, std::size_t lda,
                                               std::size_t step, const T* const* x, T* y, std::size_t stride,
                                               std::size_t length, bool fresh) {
    if (rows == std::size_t{Rows}) return relax_rows<A, Rows>(depth, a, lda, step, x, y, stride, length, fresh);
    if constexpr (Rows > 1) relax_rest<A, Rows - 1>(rows, depth, a, lda, step, x, y, stride, length, fresh);
  }

  template <Side A, int Rows>
  static BLOCKFW_ALWAYS_INLINE void relax_rows(std::size_t depth, const T* a, std::size_t lda, std::size_t step,
                                               const T* const* x, T* y, std::size_t stride, std::size_t length,
                                               bool fresh) {
    for (std::size_t j = 0; j < length; j += width * vectors) {
      V sum[Rows][vectors];
      BLOCKFW_UNROLL
      for (int r = 0; r < Rows; ++r) BLOCKFW_UNROLL
      for (int v = 0; v < vectors; ++v)
        sum[r][v] = fresh ? V::broadcast(S::zero()) : V::load(y + std::size_t(r) * stride + j + std::size_t(v) * width);
      const T* entries = a;
      for (std::size_t k = 0; k < depth; ++k, entries += step) {
        V row[vectors];
        BLOCKFW_UNROLL
        for (int v = 0; v < vectors; ++v) row[v] = V::load(x[k] + j + std::size_t(v) * width);
        BLOCKFW_UNROLL
        for (int r = 0; r < Rows; ++r) {
          const V entry = V::broadcast(entries[std::size_t(r) * lda]);
          BLOCKFW_UNROLL
          for (int v = 0; v < vectors; ++v) sum[r][v] = relaxed<A>(sum[r][v], entry, row[v]);
        }
      }
      BLOCKFW_UNROLL
      for (int r = 0; r < Rows; ++r) BLOCKFW_UNROLL
      for (int v = 0; v < vectors; ++v) sum[r][v].store(y + std::size_t(r) * stride + j + std::size_t(v) * width);
    }
  }
};

template <Semiring S>
class RowProducts {
  using T = typename S::value_type;

 public:
  /// The sets of weights whose numbers lie side by side (sets.hpp).
  static constexpr int sets = 1;
  /// Rows are padded to a multiple of this, for every level of vectors.
  static constexpr int unit = 128 / int(sizeof(T));

  /// \brief Rows y(i) ← y(i) ⊕ (a(i, k) ⊗ x(k)), or ⊕ (x(k) ⊗ a(i, k)) with a on the right.
  ///
  /// \param rows    number of rows y; they begin `stride` numbers from each other, and no row y is a row x
  /// \param depth   number of rows x
  /// \param a       a(i, k) is a[i · lda + k · step]
  /// \param x       row x(k) begins at x[k]
  /// \param length  of a row, a multiple of `unit`
  /// \param fresh   whether y is zero() everywhere, and need not be read
  template <Side A>
  static void relax([[maybe_unused]] std::size_t rows, [[maybe_unused]] std::size_t depth, [[maybe_unused]] const T* a,
                    [[maybe_unused]] std::size_t lda, [[maybe_unused]] std::size_t step,
                    [[maybe_unused]] const T* const* x, [[maybe_unused]] T* y, [[maybe_unused]] std::size_t stride,
                    [[maybe_unused]] std::size_t length, [[maybe_unused]] bool fresh) {
    // (A device's compiler knows no vectors.)
    KOKKOS_IF_ON_HOST((with_vectors([&](auto level) __attribute__((always_inline)) {
                         RowProductsOn<S, decltype(level)>::template relax<A>(rows, depth, a, lda, step, x, y, stride,
                                                                              length, fresh);
                       });))
  }

  /// Rows and columns of relax_tile(), for every level of vectors.
  static constexpr int tile_rows = 8, tile_columns = unit;

  /// \brief A tile y(i, j) ← ⊕ (a(i, k) ⊗ x(k, j)) over all k.
  /// \param depth   number of k
  /// \param a       a(i, k) is a[start[k] + i]
  /// \param x       x(k, j) is x[start[k] + j]
  /// \param stride  from a row of y to the next
  static void relax_tile([[maybe_unused]] std::size_t depth, [[maybe_unused]] const std::uint32_t* start,
                         [[maybe_unused]] const T* a, [[maybe_unused]] const T* x, [[maybe_unused]] T* y,
                         [[maybe_unused]] std::size_t stride) {
    KOKKOS_IF_ON_HOST((with_vectors([&](auto level) __attribute__((always_inline)) {
                         RowProductsOn<S, decltype(level)>::relax_tile(depth, start, a, x, y, stride);
                       });))
  }

  /// The number ⊕ (a(x) ⊗ b(x)) over all x.
  static T meet([[maybe_unused]] std::size_t count, [[maybe_unused]] const T* a, [[maybe_unused]] const T* b) {
    KOKKOS_IF_ON_HOST((return with_vectors([&](auto level) __attribute__((always_inline)) {
                                return RowProductsOn<S, decltype(level)>::meet(count, a, b);
                              });))
    KOKKOS_IF_ON_DEVICE((return S::zero();))
  }

  /// \brief The row y = ⊕ (a(k) ⊗ x(k)) over all k, or ⊕ (x(k) ⊗ a(k)) with a on the right.
  /// \param rows    number of rows x
  /// \param stride  from a row x to the next
  /// \param length  of a row. A multiple of `unit` is read of the last row, and written to y: up to unit - 1 numbers
  ///                more, with any values.
  template <Side A>
  static void combine_rows([[maybe_unused]] std::size_t rows, [[maybe_unused]] const T* a, [[maybe_unused]] const T* x,
                           [[maybe_unused]] std::size_t stride, [[maybe_unused]] T* y,
                           [[maybe_unused]] std::size_t length) {
    KOKKOS_IF_ON_HOST((with_vectors([&](auto level) __attribute__((always_inline)) {
                         RowProductsOn<S, decltype(level)>::template combine_rows<A>(rows, a, x, stride, y, length);
                       });))
  }

  /// The row y ← y ⊕ (a ⊗ x), or ⊕ (x ⊗ a), of any length.
  template <Side A>
  static void relax_row([[maybe_unused]] T a, [[maybe_unused]] const T* x, [[maybe_unused]] T* y,
                        [[maybe_unused]] std::size_t length) {
    // (A short row takes less time than the choice of vectors.)
    KOKKOS_IF_ON_HOST((const auto on =
                           [&](auto level) __attribute__((always_inline)) {
                             RowProductsOn<S, decltype(level)>::template relax_row<A>(a, x, y, length);
                           };
                       length < std::size_t{unit} ? on(TargetedLevel()) : with_vectors(on);))
  }

  /// \brief Some entries of a row: y(places[i]) ← y(places[i]) ⊕ x(i).
  /// \param step   from an entry of y to the next
  /// \param count  of the places
  template <class Index>
  static void improve(T* y, const Index* places, std::size_t step, const T* x, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      T& entry = y[static_cast<std::size_t>(places[i]) * step];
      entry = S::relax(entry, x[i], S::one());
    }
  }
};

}  // namespace blockfw::detail
