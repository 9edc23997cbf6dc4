// SPDX-License-Identifier: MIT
/// \file
/// \brief A user's semiring that is not commutative.
#pragma once

#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

/// Paths are compared by their last edge. a ⊗ b is b, unless a or b is the empty path or no path. Weights are not
/// negative.
struct LastEdge {
  using value_type = std::int32_t;
  static constexpr std::int32_t none = 1 << 20, empty = -1;
  static KOKKOS_FUNCTION constexpr std::int32_t zero() { return none; }
  static KOKKOS_FUNCTION constexpr std::int32_t one() { return empty; }
  template <class V>
  static KOKKOS_FORCEINLINE_FUNCTION constexpr V relax(V c, V a, V b) {
    const V last = blockfw::choose(b == V{} + empty, a, blockfw::choose(a == V{} + none, a, b));
    return blockfw::smaller(last, c);
  }
  static KOKKOS_FORCEINLINE_FUNCTION constexpr bool diverges(std::int32_t) { return false; }
};
