// SPDX-License-Identifier: MIT
/// \file
/// \brief Values that are loaded and stored together, and two 16-bit numbers in one register.
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace blockfw::detail {

/// `Count` values that are loaded and stored together.
template <class V, int Count>
struct alignas(sizeof(V) * Count < 16 ? sizeof(V) * Count : 16) Pack {
  V at[Count];
};

/// A packed value: two 16-bit numbers in one register that one instruction works on.
struct Pair {
  std::uint32_t bits;
};

/// The operand of one instruction: `Width` values of T. A single 16-bit value is widened to 32 bits, since all devices
/// have registers of that size.
template <class T, int Width>
using PackedValue = std::conditional_t<Width == 2, Pair, std::conditional_t<sizeof(T) == 2, std::int32_t, T>>;

/// Every number of the result is x.
template <class V, class T>
KOKKOS_FORCEINLINE_FUNCTION V spread(T x) {
  if constexpr (std::is_same_v<V, Pair>)
    return {static_cast<std::uint16_t>(x) * 0x10001u};
  else
    return x;
}

/// Number w of v.
template <class T, class V>
KOKKOS_FORCEINLINE_FUNCTION T get_value(V v, [[maybe_unused]] int w) {
  if constexpr (std::is_same_v<V, Pair>)
    return static_cast<T>(v.bits >> (16 * w));
  else
    return static_cast<T>(v);
}

/// Sets number w of v. Number 0 must be set first, since that clears number 1.
template <class T, class V>
KOKKOS_FORCEINLINE_FUNCTION void set_value(V& v, [[maybe_unused]] int w, T x) {
  if constexpr (std::is_same_v<V, Pair>) {
    const std::uint32_t bits = static_cast<std::uint16_t>(x);
    v.bits = w == 0 ? bits : v.bits | bits << 16;
  } else {
    v = x;
  }
}

}  // namespace blockfw::detail
