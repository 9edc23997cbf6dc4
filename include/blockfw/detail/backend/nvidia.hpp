// SPDX-License-Identifier: MIT
/// \file
/// \brief NVIDIA's devices: the table of targets, the instructions, and the calls of CUDA's runtime.
#pragma once

#include "blockfw/detail/backend/concepts.hpp"
#include "blockfw/detail/backend/portable.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace blockfw {

/// The target of an architecture. An architecture without a row has the target of the next older row.
/// \param architecture  the compute capability, 10 · major + minor
constexpr Target nvidia_target(int architecture) {
  struct Row {
    int architecture, threads, scratch, teams;
  };
  constexpr Row rows[] = {
      {120, 1536, 100 * 1024, 6}, {100, 2048, 228 * 1024, 6}, {90, 2048, 228 * 1024, 6},
      {86, 1536, 100 * 1024, 6},  {80, 2048, 164 * 1024, 6},  {75, 1024, 64 * 1024, 4},
      {70, 2048, 96 * 1024, 4},   {61, 2048, 96 * 1024, 4},   {60, 2048, 64 * 1024, 4},
  };
  for (const Row& row : rows)
    if (row.architecture <= architecture)
      return {.vendor = Vendor::nvidia,
              .architecture = row.architecture,
              .warp_size = 32,
              .threads = row.threads,
              .scratch = row.scratch,
              .registers = 65536,
              .teams = row.teams,
              .starts_in_order = true,
              .pairs = row.architecture >= 90,
              .least_of_floats = row.architecture >= 90,
              .floats_as_ints = true,
              .async_copies = row.architecture >= 80,
              .multiplies_bits = row.architecture >= 80 && row.architecture < 100,  // newer ones emulate it slowly
              .mirrors_large = row.architecture >= 90,
              .wide_graphs = row.architecture >= 90};
  return {};
}

namespace detail {

/// The architecture of this build, if it is for CUDA.
inline constexpr int nvidia_architecture =
#if defined(KOKKOS_ARCH_BLACKWELL100) || defined(KOKKOS_ARCH_BLACKWELL103)
    100;
#elif defined(KOKKOS_ARCH_BLACKWELL)
    120;
#elif defined(KOKKOS_ARCH_HOPPER)
    90;
#elif defined(KOKKOS_ARCH_AMPERE80)
    80;
#elif defined(KOKKOS_ARCH_AMPERE) || defined(KOKKOS_ARCH_ADA89)
    86;
#elif defined(KOKKOS_ARCH_TURING75)
    75;
#elif defined(KOKKOS_ARCH_VOLTA)
    70;
#elif defined(KOKKOS_ARCH_PASCAL61)
    61;
#else
    60;  // the first Pascal, also for architectures that are not listed
#endif

#if defined(__CUDA_ARCH__)

struct NvidiaInstructions : PortableInstructions {
  template <class Semiring, class V>
  static KOKKOS_FORCEINLINE_FUNCTION V relax(V c, V a, V b) {
    if constexpr (std::is_same_v<V, Pair> && std::is_same_v<Semiring, MinPlus<std::int16_t>>)
      return {__viaddmin_s16x2(a.bits, b.bits, c.bits)};
    else
      return PortableInstructions::relax<Semiring>(c, a, b);
  }

  template <class T>
  static KOKKOS_FORCEINLINE_FUNCTION T least(T c, T sum0, T sum1) {
    return __int_as_float(__vimin3_s32(__float_as_int(c), __float_as_int(sum0), __float_as_int(sum1)));
  }

  static KOKKOS_FORCEINLINE_FUNCTION int forgotten(int x) {
    asm volatile("" : "+r"(x));
    return x;
  }
  static KOKKOS_FORCEINLINE_FUNCTION int forgotten_by_all(int x) { return forgotten(x); }

  // (Without this, CUDA 12 treats it as a pointer to any memory.)
  static KOKKOS_FORCEINLINE_FUNCTION void* known_scratch(void* pointer) {
    __builtin_assume(__isShared(pointer));
    return pointer;
  }

#if __CUDA_ARCH__ >= 800
  class Transfer {
   public:
    KOKKOS_FORCEINLINE_FUNCTION void send(void* to, const void* from) {
      asm volatile(
          "cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(to))),
          "l"(from)
          : "memory");
    }
    KOKKOS_FORCEINLINE_FUNCTION void land(void*) const {}
  };
  static KOKKOS_FORCEINLINE_FUNCTION void multiply_bits(std::int32_t (&sums)[4], const std::int32_t (&start)[4],
                                                        const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]) {
    asm("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%10, %11, %12, %13};"
        : "=r"(sums[0]), "=r"(sums[1]), "=r"(sums[2]), "=r"(sums[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(start[0]), "r"(start[1]), "r"(start[2]),
          "r"(start[3]));
  }

  // (The compiler makes three instructions of the portable version.)
  static KOKKOS_FORCEINLINE_FUNCTION std::uint32_t shift_in_sign(std::uint32_t word, std::int32_t sum) {
    return __funnelshift_l(static_cast<std::uint32_t>(sum), word, 1);
  }

  static KOKKOS_FORCEINLINE_FUNCTION void end_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }
  static KOKKOS_FORCEINLINE_FUNCTION void wait_for_copies() { asm volatile("cp.async.wait_group 0;" ::: "memory"); }
#endif

#if __CUDA_ARCH__ >= 700
  static KOKKOS_FORCEINLINE_FUNCTION std::int64_t wait_for_flag(const std::int64_t* flag, std::int64_t least) {
    std::int64_t value;
    do asm volatile("ld.acquire.gpu.global.s64 %0, [%1];" : "=l"(value) : "l"(flag) : "memory");
    while (value < least);
    return value;
  }
  static KOKKOS_FORCEINLINE_FUNCTION void post_flag(std::int64_t* flag, std::int64_t value) {
    asm volatile("st.release.gpu.global.s64 [%0], %1;" ::"l"(flag), "l"(value) : "memory");
  }
  static KOKKOS_FORCEINLINE_FUNCTION void store_tagged(std::uint64_t* to, std::uint64_t first, std::uint64_t second) {
    asm volatile("st.relaxed.gpu.global.v2.b64 [%0], {%1, %2};" ::"l"(to), "l"(first), "l"(second) : "memory");
  }
  static KOKKOS_FORCEINLINE_FUNCTION void load_tagged(std::uint64_t& first, std::uint64_t& second,
                                                      const std::uint64_t* from) {
    asm volatile("ld.relaxed.gpu.global.v2.b64 {%0, %1}, [%2];" : "=l"(first), "=l"(second) : "l"(from) : "memory");
  }
  static KOKKOS_FORCEINLINE_FUNCTION void increment_flag(std::int64_t* flag) {
    asm volatile("red.release.gpu.global.add.u64 [%0], 1;" ::"l"(flag) : "memory");
  }
#endif
};

#endif

#if defined(KOKKOS_ENABLE_CUDA)
/// The scratch of a multiprocessor of the instance's device, in bytes. (A build for one architecture also runs on later
/// ones, which may have less than its target.)
inline std::size_t multiprocessor_scratch(const Kokkos::Cuda& exec) {
  return exec.cuda_device_prop().sharedMemPerMultiprocessor;
}
#endif

}  // namespace detail
}  // namespace blockfw

#if defined(KOKKOS_ENABLE_CUDA)
#define BLOCKFW_RUNTIME_SPACE Kokkos::Cuda
#define BLOCKFW_RUNTIME(name) cuda##name
#define BLOCKFW_RUNTIME_OF(exec, what) (exec).cuda_##what()
#include "blockfw/detail/backend/runtime.hpp"
#endif
