// SPDX-License-Identifier: MIT
/// \file
/// \brief Copies that leave the caches as they are.
#pragma once

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
