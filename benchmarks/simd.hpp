// SPDX-License-Identifier: MIT
/// \file
/// \brief Vectors of the level that the compiler targets, for what measures a machine.
#pragma once

#include "blockfw/detail/base/lanes.hpp"

#include <cstring>

namespace bench {

inline constexpr int vector_bytes = blockfw::detail::TargetedLevel::bytes;
inline constexpr int vector_registers = blockfw::detail::TargetedLevel::registers;

template <class T, int Width>
struct SimdOf {
  typedef T type __attribute__((vector_size(sizeof(T) * Width)));
};

template <class T, int Width>
using simd = typename SimdOf<T, Width>::type;

/// Loads a vector from memory of any alignment.
template <class V, class T>
BLOCKFW_ALWAYS_INLINE V load(const T* from) {
  V v;
  std::memcpy(&v, from, sizeof v);
  return v;
}

template <class V, class T>
BLOCKFW_ALWAYS_INLINE void store(T* to, V v) {
  std::memcpy(to, &v, sizeof v);
}

/// A vector of x's. (x - 0 is x for every x, also for -0.0 and NaN, so this compiles to a single broadcast.)
template <class V, class T>
BLOCKFW_ALWAYS_INLINE V broadcast(T x) {
  return x - V{};
}

}  // namespace bench
