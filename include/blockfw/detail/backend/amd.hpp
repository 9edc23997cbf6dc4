// SPDX-License-Identifier: MIT
/// \file
/// \brief AMD's devices: the table of targets, the instructions, and the calls of HIP's runtime.
#pragma once

#include "blockfw/detail/backend/concepts.hpp"
#include "blockfw/detail/backend/portable.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace blockfw {

/// The target of an architecture. An architecture without a row has the target of the next older row.
/// \param architecture  the number after gfx, hexadecimal: 0x90a
constexpr Target amd_target(int architecture) {
  struct Row {
    int architecture, warp_size, threads, scratch, registers;
  };
  constexpr Row rows[] = {
      {0x1030, 32, 1024, 64 * 1024, 65536},  // RDNA
      {0x950, 64, 2048, 160 * 1024, 131072}, {0x942, 64, 2048, 64 * 1024, 131072}, {0x90a, 64, 2048, 64 * 1024, 131072},
      {0x908, 64, 2560, 64 * 1024, 65536},   {0x906, 64, 2560, 64 * 1024, 65536},
  };
  for (const Row& row : rows)
    if (row.architecture <= architecture)
      return {.vendor = Vendor::amd,
              .architecture = row.architecture,
              .warp_size = row.warp_size,
              .threads = row.threads,
              .scratch = row.scratch,
              .registers = row.registers,
              .teams = 8,
              .warps = 8,
              .simds = 4,
              .starts_in_order = false,
              .pairs = true,
              .least_of_floats = true,
              .least_of_ints = true,
              .adds_two_floats = row.architecture >= 0x90a && row.architecture < 0x1000,
              .long_step = 2,
              .mirrors_large = false};
  return {};
}

namespace detail {

/// The architecture of this build, if it is for HIP.
inline constexpr int amd_architecture =
#if defined(KOKKOS_ARCH_AMD_GFX90A)
    0x90a;
#elif defined(KOKKOS_ARCH_AMD_GFX940) || defined(KOKKOS_ARCH_AMD_GFX942) || defined(KOKKOS_ARCH_AMD_GFX942_APU)
    0x942;
#elif defined(KOKKOS_ARCH_AMD_GFX950)
    0x950;
#elif defined(KOKKOS_ARCH_AMD_GFX908)
    0x908;
#elif defined(KOKKOS_ARCH_AMD_GFX906)
    0x906;
#else
    0x1030;
#endif

#if defined(__HIP_DEVICE_COMPILE__)

struct AmdInstructions : PortableInstructions {
  template <class Semiring, class V>
  static KOKKOS_FORCEINLINE_FUNCTION V relax(V c, V a, V b) {
    if constexpr (std::is_same_v<V, Pair> && std::is_same_v<Semiring, MinPlus<std::int16_t>>) {
      // (The compiler splits a vector of two into two numbers and packs them again.)
      std::uint32_t sum;
      asm("v_pk_add_u16 %0, %1, %2" : "=v"(sum) : "v"(a.bits), "v"(b.bits));
      asm("v_pk_min_i16 %0, %1, %2" : "=v"(c.bits) : "v"(sum), "v"(c.bits));
      return c;
    } else if constexpr (std::is_same_v<V, double> && std::is_same_v<Semiring, MinPlus<double>>) {
      // (For fmin() the compiler adds instructions for signalling NaNs. No sum is a signalling NaN.)
      asm("v_min_f64 %0, %1, %0" : "+v"(c) : "v"(a + b));
      return c;
    } else {
      return PortableInstructions::relax<Semiring>(c, a, b);
    }
  }

  // (The compiler knows these instructions, but uses them for only three quarters of the sums.)
  template <class T>
  static KOKKOS_FORCEINLINE_FUNCTION T least(T c, T sum0, T sum1) {
    if constexpr (std::is_same_v<T, float>)
      asm("v_min3_f32 %0, %1, %2, %0" : "+v"(c) : "v"(sum0), "v"(sum1));
    else
      asm("v_min3_i32 %0, %1, %2, %0" : "+v"(c) : "v"(sum0), "v"(sum1));
    return c;
  }

  static KOKKOS_FORCEINLINE_FUNCTION Pack<float, 2> add_two(float a, float b0, float b1) {
    using Two = float __attribute__((ext_vector_type(2)));
    const Two sums = Two{a, a} + Two{b0, b1};
    return {sums[0], sums[1]};
  }

  static KOKKOS_FORCEINLINE_FUNCTION int forgotten(int x) {
    asm volatile("" : "+v"(x));
    return x;
  }
  static KOKKOS_FORCEINLINE_FUNCTION int forgotten_by_all(int x) {
    asm volatile("" : "+s"(x));  // in a register that all threads share
    return x;
  }
  static KOKKOS_FORCEINLINE_FUNCTION int known_same(int x) { return __builtin_amdgcn_readfirstlane(x); }
};

#endif

}  // namespace detail
}  // namespace blockfw

#if defined(KOKKOS_ENABLE_HIP)
#define BLOCKFW_RUNTIME_SPACE Kokkos::HIP
#define BLOCKFW_RUNTIME(name) hip##name
#define BLOCKFW_RUNTIME_OF(exec, what) (exec).hip_##what()
#include "blockfw/detail/backend/runtime.hpp"
#endif
