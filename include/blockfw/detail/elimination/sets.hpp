// SPDX-License-Identifier: MIT
/// \file
/// \brief Several sets of weights at once: lists with a number for each set, side by side, and the semiring of these
/// lists.
///
/// If S is a semiring, lists of numbers are one, too, with the operations of S entry by entry. So a network with
/// several sets of weights is a network over another semiring. Fronts and labels are made as over any other. The work
/// that does not depend on the weights is done once for all sets: places, indices, the wait for memory. And the entries
/// of a list are the numbers of a vector: even a supernode of one vertex has loops for vectors.
#pragma once

#include "blockfw/detail/backend/vectors.hpp"
#include "blockfw/detail/base/lanes.hpp"
#include "blockfw/detail/elimination/row_products.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>

namespace blockfw::detail {

/// A number for each of N sets of weights.
template <class T, int N>
struct alignas(32) PerSet {
  T of[N];

  bool operator==(const PerSet&) const = default;
  PerSet& operator+=(const PerSet& other) {
    for (int set = 0; set < N; ++set) of[set] = static_cast<T>(of[set] + other.of[set]);
    return *this;
  }
};
template <class T, int N>
inline constexpr bool is_per_set<PerSet<T, N>> = true;

/// The sets that are worked on at once: a vector of AVX2 has a number for each. (Twice as many were slower: their
/// fronts and labels leave the caches sooner.)
template <class T>
inline constexpr int sets_at_once = 32 / int(sizeof(T));

/// The semiring of lists of numbers: S for each set by itself.
template <Semiring S, int N>
struct EachSet {
  using value_type = PerSet<typename S::value_type, N>;
  static constexpr bool commutative = is_commutative<S>;

  static value_type zero() { return everywhere(S::zero()); }
  static value_type one() { return everywhere(S::one()); }
  static value_type relax(const value_type& c, const value_type& a, const value_type& b) {
    value_type best;
    for (int set = 0; set < N; ++set) best.of[set] = S::relax(c.of[set], a.of[set], b.of[set]);
    return best;
  }
  /// Whether a cycle of any set gets better each time around.
  static bool diverges(const value_type& diagonal) {
    for (const auto number : diagonal.of)
      if (S::diverges(number)) return true;
    return false;
  }

 private:
  static value_type everywhere(typename S::value_type number) {
    value_type all;
    for (auto& entry : all.of) entry = number;
    return all;
  }
};

/// \brief The functions of RowProducts<EachSet<S, N>> with a level of vectors.
///
/// An operand has a number for each set. So no number is broadcast. A relax of a single entry has two loads; a tile
/// shares most loads among its entries.
template <Semiring S, int N, class Level>
class SetProductsOn {
  using T = typename S::value_type;
  using E = PerSet<T, N>;
  static constexpr int width = std::min(Level::bytes / int(sizeof(T)), N);
  static constexpr int most_rows = Level::registers >= 32 ? 4 : 2, most_columns = 4;
  using V = Lanes<Level, T, width>;
  static_assert(N % width == 0);

 public:
  /// \param x  x(k) is row k
  template <Side A, class Rows>
  static BLOCKFW_ALWAYS_INLINE void relax(std::size_t rows, std::size_t depth, const E* a, std::size_t lda,
                                          std::size_t step, const Rows& x, E* y, std::size_t stride, std::size_t length,
                                          bool fresh) {
    std::size_t i = 0;
    for (; i + most_rows <= rows; i += most_rows)
      relax_rows<A, most_rows>(depth, a + i * lda, lda, step, x, y + i * stride, stride, length, fresh);
    for (; i < rows; ++i) relax_rows<A, 1>(depth, a + i * lda, lda, step, x, y + i * stride, stride, length, fresh);
  }

  template <Side A>
  static BLOCKFW_ALWAYS_INLINE void relax_row(const E* a, const E* x, E* y, std::size_t length) {
    for (int set = 0; set < N; set += width) {
      const V entry = load(a, set);  // (this may be an entry of y)
      for (std::size_t j = 0; j < length; ++j) store(relaxed<A>(load(y + j, set), entry, load(x + j, set)), y + j, set);
    }
  }

  static BLOCKFW_ALWAYS_INLINE E meet(std::size_t count, const E* a, const E* b) {
    E best{};
    for (int set = 0; set < N; set += width) {
      V sum = V::broadcast(S::zero());
      for (std::size_t x = 0; x < count; ++x) sum = S::relax(sum, load(a + x, set), load(b + x, set));
      store(sum, &best, set);
    }
    return best;
  }

  template <class Index>
  static BLOCKFW_ALWAYS_INLINE void improve(E* y, const Index* places, std::size_t step, const E* x,
                                            std::size_t count) {
    const V one = V::broadcast(S::one());
    for (std::size_t i = 0; i < count; ++i) {
      E* const entry = y + static_cast<std::size_t>(places[i]) * step;
      for (int set = 0; set < N; set += width) store(S::relax(load(entry, set), load(x + i, set), one), entry, set);
    }
  }

 private:
  static BLOCKFW_ALWAYS_INLINE V load(const E* from, int set) {
    return V::load(reinterpret_cast<const T*>(from) + set);
  }
  static BLOCKFW_ALWAYS_INLINE void store(V numbers, E* to, int set) { numbers.store(reinterpret_cast<T*>(to) + set); }

  template <Side A>
  static BLOCKFW_ALWAYS_INLINE V relaxed(V y, V a, V x) {
    if constexpr (A == Side::left)
      return S::relax(y, a, x);
    else
      return S::relax(y, x, a);
  }

  template <Side A, int Rows, class X>
  static BLOCKFW_ALWAYS_INLINE void relax_rows(std::size_t depth, const E* a, std::size_t lda, std::size_t step,
                                               const X& x, E* y, std::size_t stride, std::size_t length, bool fresh) {
    std::size_t j = 0;
    for (; j + most_columns <= length; j += most_columns)
      relax_tile<A, Rows, most_columns>(depth, a, lda, step, x, j, y + j, stride, fresh);
    for (; j < length; ++j) relax_tile<A, Rows, 1>(depth, a, lda, step, x, j, y + j, stride, fresh);
  }

  /// A tile of y, for as many sets at a time as a vector has numbers.
  template <Side A, int Rows, int Columns, class X>
  static BLOCKFW_ALWAYS_INLINE void relax_tile(std::size_t depth, const E* a, std::size_t lda, std::size_t step,
                                               const X& x, std::size_t j, E* y, std::size_t stride, bool fresh) {
    for (int set = 0; set < N; set += width) {
      V sum[Rows][Columns];
      BLOCKFW_UNROLL
      for (int r = 0; r < Rows; ++r) BLOCKFW_UNROLL
      for (int c = 0; c < Columns; ++c)
        sum[r][c] = fresh ? V::broadcast(S::zero()) : load(y + std::size_t(r) * stride + c, set);
      for (std::size_t k = 0; k < depth; ++k) {
        const E* const numbers = x(k) + j;
        V row[Columns];
        BLOCKFW_UNROLL
        for (int c = 0; c < Columns; ++c) row[c] = load(numbers + c, set);
        BLOCKFW_UNROLL
        for (int r = 0; r < Rows; ++r) {
          const V entry = load(a + std::size_t(r) * lda + k * step, set);
          BLOCKFW_UNROLL
          for (int c = 0; c < Columns; ++c) sum[r][c] = relaxed<A>(sum[r][c], entry, row[c]);
        }
      }
      BLOCKFW_UNROLL
      for (int r = 0; r < Rows; ++r) BLOCKFW_UNROLL
      for (int c = 0; c < Columns; ++c) store(sum[r][c], y + std::size_t(r) * stride + c, set);
    }
  }
};

/// The products of RowProducts for several sets of weights: of rows of lists, which need no padding.
template <Semiring S, int N>
class RowProducts<EachSet<S, N>> {
  using E = PerSet<typename S::value_type, N>;

 public:
  static constexpr int sets = N;
  static constexpr int unit = 1;

  template <Side A>
  static void relax([[maybe_unused]] std::size_t rows, [[maybe_unused]] std::size_t depth, [[maybe_unused]] const E* a,
                    [[maybe_unused]] std::size_t lda, [[maybe_unused]] std::size_t step,
                    [[maybe_unused]] const E* const* x, [[maybe_unused]] E* y, [[maybe_unused]] std::size_t stride,
                    [[maybe_unused]] std::size_t length, [[maybe_unused]] bool fresh) {
    // (A device's compiler knows no vectors.)
    KOKKOS_IF_ON_HOST((with_vectors([&](auto level) __attribute__((always_inline)) {
                         SetProductsOn<S, N, decltype(level)>::template relax<A>(
                             rows, depth, a, lda, step,
                             [x](std::size_t k) __attribute__((always_inline)) { return x[k]; }, y, stride, length,
                             fresh);
                       });))
  }

  template <Side A>
  static void combine_rows([[maybe_unused]] std::size_t rows, [[maybe_unused]] const E* a, [[maybe_unused]] const E* x,
                           [[maybe_unused]] std::size_t stride, [[maybe_unused]] E* y,
                           [[maybe_unused]] std::size_t length) {
    KOKKOS_IF_ON_HOST((with_vectors([&](auto level) __attribute__((always_inline)) {
                         SetProductsOn<S, N, decltype(level)>::template relax<A>(
                             1, rows, a, 0, 1,
                             [=](std::size_t k) __attribute__((always_inline)) { return x + k * stride; }, y, 0, length,
                             true);
                       });))
  }

  template <Side A>
  static void relax_row([[maybe_unused]] const E& a, [[maybe_unused]] const E* x, [[maybe_unused]] E* y,
                        [[maybe_unused]] std::size_t length) {
    KOKKOS_IF_ON_HOST((with_vectors([&](auto level) __attribute__((always_inline)) {
                         SetProductsOn<S, N, decltype(level)>::template relax_row<A>(&a, x, y, length);
                       });))
  }

  static E meet([[maybe_unused]] std::size_t count, [[maybe_unused]] const E* a, [[maybe_unused]] const E* b) {
    KOKKOS_IF_ON_HOST((return with_vectors([&](auto level) __attribute__((always_inline)) {
                                return SetProductsOn<S, N, decltype(level)>::meet(count, a, b);
                              });))
    KOKKOS_IF_ON_DEVICE((return EachSet<S, N>::zero();))
  }

  template <class Index>
  static void improve([[maybe_unused]] E* y, [[maybe_unused]] const Index* places, [[maybe_unused]] std::size_t step,
                      [[maybe_unused]] const E* x, [[maybe_unused]] std::size_t count) {
    KOKKOS_IF_ON_HOST((with_vectors([&](auto level) __attribute__((always_inline)) {
                         SetProductsOn<S, N, decltype(level)>::improve(y, places, step, x, count);
                       });))
  }
};

}  // namespace blockfw::detail
