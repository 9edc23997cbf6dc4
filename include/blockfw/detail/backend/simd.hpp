// SPDX-License-Identifier: MIT
/// \file
/// \brief Vectors with the vector width of the processor that the compiler targets (GCC and clang vector extensions).
///
/// For what is not worth a choice at run time (lanes.hpp, vectors.hpp).
#pragma once

#include "blockfw/detail/backend/lanes.hpp"
#include "blockfw/detail/backend/unroll.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__) && !defined(__CUDA_ARCH__) && !defined(__HIP_DEVICE_COMPILE__)
#if defined(__AVX512F__)
#include <immintrin.h>  // (30,000 lines)
#else
#include <emmintrin.h>
#endif
#endif

namespace blockfw::detail {

inline constexpr int vector_bytes = TargetedLevel::bytes;
inline constexpr int vector_registers = TargetedLevel::registers;

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

/// Copies numbers to memory that will not be read soon, past the caches where the processor can.
template <class T>
inline void copy_past_cache(const T* from, T* to, std::size_t count) {
#if defined(__SSE2__) && !defined(__CUDA_ARCH__) && !defined(__HIP_DEVICE_COMPILE__)
  constexpr std::size_t line = 64;
  const std::size_t before = (line - reinterpret_cast<std::uintptr_t>(to) % line) % line / sizeof(T);
  if (count >= before + line / sizeof(T)) {
    std::memcpy(to, from, before * sizeof(T));
    from += before, to += before, count -= before;
    for (; count >= line / sizeof(T); count -= line / sizeof(T), from += line / sizeof(T), to += line / sizeof(T)) {
#if defined(__AVX512F__)
      _mm512_stream_si512(reinterpret_cast<__m512i*>(to), _mm512_loadu_si512(from));
#else
      for (std::size_t part = 0; part < line / sizeof(__m128i); ++part)
        _mm_stream_si128(reinterpret_cast<__m128i*>(to) + part,
                         _mm_loadu_si128(reinterpret_cast<const __m128i*>(from) + part));
#endif
    }
  }
#endif
  std::memcpy(to, from, count * sizeof(T));
}

}  // namespace blockfw::detail
