// SPDX-License-Identifier: MIT
/// \file
/// \brief The choice of vector instructions at run time: the best level of the processor, or the level that
/// BLOCKFW_VECTORS names.
#pragma once

#include "blockfw/detail/base/lanes.hpp"
#include "blockfw/ground/error.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace blockfw::detail {

enum class Vectors { baseline, avx2, avx512 };

/// \brief A level that a program can choose on this processor, with its name in BLOCKFW_VECTORS.
struct NamedVectors {
  std::string_view name;
  Vectors level;
};

/// \brief The levels that the program can choose here, the lowest first: the same in each of its files, whether
/// optimised or not.
/// \tparam Target  the compiler's level, which becomes a part of this function's name
template <class Target = TargetedLevel>
std::vector<NamedVectors> vectors_there_are() {
#if defined(__AVX512BW__)
  return {{"avx512", Vectors::avx512}};
#elif defined(__AVX2__)
  return {{"avx2", Vectors::avx2}};
#else
  std::vector<NamedVectors> levels{{"baseline", Vectors::baseline}};
#if BLOCKFW_CHOOSES_LEVEL
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  if (avx2) levels.push_back({"avx2", Vectors::avx2});
  if (avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    levels.push_back({"avx512", Vectors::avx512});
#endif
  return levels;
#endif
}

/// \brief The level of a name, or the best level if there is no name.
/// \throws InvalidInput  when there is no level of this name
inline Vectors vectors_named(const char* name) {
  const auto levels = vectors_there_are();
  if (name == nullptr) return levels.back().level;
  std::string there;
  for (const NamedVectors& one : levels) {
    if (one.name == name) return one.level;
    there += (there.empty() ? "" : ", ") + std::string(one.name);
  }
  throw InvalidInput("the environment variable BLOCKFW_VECTORS is '" + std::string(name) +
                     "', expected a level of vectors that this program and processor have: " + there);
}

/// \brief The level that the program uses. The environment is read once; tests change the level.
/// \throws InvalidInput  each time until the environment names an existing level
inline Vectors& chosen_vectors() {
  static Vectors chosen = vectors_named(std::getenv("BLOCKFW_VECTORS"));
  return chosen;
}

/// \throws InvalidInput  when BLOCKFW_VECTORS names no existing level; to be called before threads are at work
inline void require_vectors() { chosen_vectors(); }

/// Calls f(level), compiled with the instructions of the chosen level. f must be BLOCKFW_ALWAYS_INLINE, as must the
/// functions below it whose speed depends on it. Functions with vectors must not be lambdas. nvcc drops the attributes
/// of lambdas, and GCC may leave one of several calls of a lambda as a call.
template <class F>
BLOCKFW_ALWAYS_INLINE decltype(auto) with_vectors(const F& f) {
#if BLOCKFW_LEVELS
  switch (chosen_vectors()) {
    case Vectors::avx512:
      return Avx512::run(f);
    case Vectors::avx2:
      return Avx2::run(f);
    case Vectors::baseline:
      break;
  }
#endif
  return TargetedLevel::run(f);
}

}  // namespace blockfw::detail

#if defined(__SSE2__) && !defined(__CUDA_ARCH__) && !defined(__HIP_DEVICE_COMPILE__)
#if defined(__AVX512F__)
#include <immintrin.h>  // (30,000 lines)
#else
#include <emmintrin.h>
#endif
#endif

namespace blockfw::detail {

/// \brief Looks up the pages of numbers that will soon be written, by reading a line of each, and the last line, which
/// other numbers share. (Several look-ups run at once. A store that meets an unknown page waits for it alone.)
/// \param count  1 or more
template <class T>
inline void expect_stores([[maybe_unused]] const T* to, [[maybe_unused]] std::size_t count) {
#if defined(__GNUC__) && !defined(__CUDA_ARCH__) && !defined(__HIP_DEVICE_COMPILE__)
  constexpr std::size_t page = 4096 / sizeof(T);
  for (std::size_t i = 0; i < count; i += page) __builtin_prefetch(to + i, 1);
  __builtin_prefetch(to + count - 1, 1);
#endif
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
