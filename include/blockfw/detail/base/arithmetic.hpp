// SPDX-License-Identifier: MIT
/// \file
/// \brief Small arithmetic: indices, numbers rounded up, and terms of sums under a condition.
#pragma once

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace blockfw::detail {

/// A number that is 0 or more, as an index of a container.
template <class I>
constexpr std::size_t at(I i) {
  return static_cast<std::size_t>(i);
}

/// The least number of parts of size `part` that hold x. x is 0 or more.
template <class X, class Y>
KOKKOS_FORCEINLINE_FUNCTION constexpr auto div_up(X x, Y part) {
  return (x + part - 1) / part;
}

/// The least multiple of `part` that is x or more.
template <class X, class Y>
KOKKOS_FORCEINLINE_FUNCTION constexpr auto round_up(X x, Y part) {
  return (x + part - 1) / part * part;
}

/// \brief The number if it counts, 0 if not.
///
/// This masks bits, so that GCC 14.2 finds no condition of the sum. With AVX-512, loops of GCC 14.2 can lose a sum
/// where its condition does not hold. For floats, a condition is also a branch, which processors often predict wrongly.
///
/// Where `a && b` is counted, `b` is added under the condition `a`. So it must be `a & b`.
template <class N>
KOKKOS_FORCEINLINE_FUNCTION N if_it_counts(bool counts, N number) {
  return Kokkos::bit_cast<N>(Kokkos::bit_cast<std::int64_t>(number) & -std::int64_t{counts});
}

}  // namespace blockfw::detail
