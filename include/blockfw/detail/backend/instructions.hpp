/// \file
/// \brief Device instructions that Kokkos does not offer: packed values (two 16-bit numbers in one register), the least
/// of three numbers, copies into scratch that bypass registers, and flags that teams post and wait for.
#pragma once

#include "blockfw/detail/backend/target.hpp"
#include "blockfw/detail/backend/unroll.hpp"
#include "blockfw/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define BLOCKFW_ASYNC_COPY 1
#endif

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

/// Whether the device has instructions for packed values.
KOKKOS_FUNCTION constexpr bool has_pairs(const Target& device) {
  return device.vendor == Vendor::amd || (device.vendor == Vendor::nvidia && device.architecture >= 90);
}

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

/// c ⊕ (a ⊗ b), for each number of a packed value.
template <class Semiring, class V>
KOKKOS_FORCEINLINE_FUNCTION V relax_values(V c, V a, V b) {
  using T = typename Semiring::value_type;
  if constexpr (std::is_same_v<V, T>) {
#if defined(__HIP_DEVICE_COMPILE__)
    // (For fmin() the compiler adds instructions against a kind of NaN that no sum can be.)
    if constexpr (std::is_same_v<Semiring, MinPlus<double>>) {
      asm("v_min_f64 %0, %1, %0" : "+v"(c) : "v"(a + b));
      return c;
    }
#endif
    return Semiring::relax(c, a, b);
  } else if constexpr (!std::is_same_v<V, Pair>) {
    if constexpr (std::is_same_v<Semiring, MinPlus<T>>)
      return MinPlus<V>::relax(c, a, b);
    else
      return Semiring::relax(static_cast<T>(c), static_cast<T>(a), static_cast<T>(b));
  } else {
#if defined(__CUDA_ARCH__)
    if constexpr (std::is_same_v<Semiring, MinPlus<std::int16_t>>)
      return {__viaddmin_s16x2(a.bits, b.bits, c.bits)};
    else
#elif defined(__HIP_DEVICE_COMPILE__)
    // (The compiler splits a vector of two into two numbers and packs them again.)
    if constexpr (std::is_same_v<Semiring, MinPlus<std::int16_t>>) {
      std::uint32_t sum;
      asm("v_pk_add_u16 %0, %1, %2" : "=v"(sum) : "v"(a.bits), "v"(b.bits));
      asm("v_pk_min_i16 %0, %1, %2" : "=v"(c.bits) : "v"(sum), "v"(c.bits));
      return c;
    } else
#endif
    {
      Pair better;
      for (int w = 0; w < 2; ++w)
        set_value(better, w, Semiring::relax(get_value<T>(c, w), get_value<T>(a, w), get_value<T>(b, w)));
      return better;
    }
  }
}

/// Whether two relaxes at once are faster. AMD has instructions for the least of three numbers; NVIDIA, from Hopper on,
/// has one for integers.
template <class Semiring>
KOKKOS_FUNCTION constexpr bool can_relax_two(const Target& device) {
  constexpr bool floats = std::is_same_v<Semiring, MinPlus<float>>;
  return device.vendor == Vendor::amd ? floats || std::is_same_v<Semiring, MinPlus<std::int32_t>>
                                      : floats && device.architecture >= 90;
}

/// Whether two relaxes at once require sums that are not negative: only then do the bits of floats, read as integers,
/// have the order of the floats.
KOKKOS_FUNCTION constexpr bool two_must_not_be_negative(const Target& device) {
  return device.vendor == Vendor::nvidia;
}

/// The least of c and two sums; c may be negative in any case. (A NaN sum is never the least: an addition produces the
/// NaN whose bits lie above those of infinity.)
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T least(T c, T sum0, T sum1) {
#if defined(__CUDA_ARCH__)
  return __int_as_float(__vimin3_s32(__float_as_int(c), __float_as_int(sum0), __float_as_int(sum1)));
#elif defined(__HIP_DEVICE_COMPILE__)
  // (The compiler knows these instructions, but uses them for only three quarters of the sums.)
  if constexpr (std::is_same_v<T, float>)
    asm("v_min3_f32 %0, %1, %2, %0" : "+v"(c) : "v"(sum0), "v"(sum1));
  else
    asm("v_min3_i32 %0, %1, %2, %0" : "+v"(c) : "v"(sum0), "v"(sum1));
  return c;
#else
  return Kokkos::min(c, Kokkos::min(sum0, sum1));
#endif
}

/// Whether the device has an instruction for two sums.
template <class Semiring>
KOKKOS_FUNCTION constexpr bool can_add_two(const Target& device) {
  return device.vendor == Vendor::amd && device.architecture >= 0x90a && device.architecture < 0x1000 &&
         std::is_same_v<Semiring, MinPlus<float>>;
}

/// a + b0 and a + b1.
KOKKOS_FORCEINLINE_FUNCTION Pack<float, 2> add_two(float a, float b0, float b1) {
#if defined(__HIP_DEVICE_COMPILE__)
  using Two = float __attribute__((ext_vector_type(2)));
  const Two sums = Two{a, a} + Two{b0, b1};
  return {sums[0], sums[1]};
#else
  return {a + b0, a + b1};
#endif
}

/// Whether the sign bit is set, also that of a zero or a NaN.
KOKKOS_FORCEINLINE_FUNCTION bool is_negative(float x) { return Kokkos::bit_cast<std::int32_t>(x) < 0; }

/// Returns x, but hides its value from the compiler. Values that depend on the result are then recomputed where they
/// are needed and not kept in registers, which all hold C.
KOKKOS_FORCEINLINE_FUNCTION int forgotten(int x) {
#if defined(__CUDA_ARCH__)
  asm volatile("" : "+r"(x));
#elif defined(__HIP_DEVICE_COMPILE__)
  asm volatile("" : "+v"(x));
#endif
  return x;
}

/// The same for an x that is equal in all threads of a team.
KOKKOS_FORCEINLINE_FUNCTION int forgotten_by_all(int x) {
#if defined(__HIP_DEVICE_COMPILE__)
  asm volatile("" : "+s"(x));  // in a register that all threads share
  return x;
#else
  return forgotten(x);
#endif
}

/// Returns x and tells the compiler that it is equal in all threads of a team.
KOKKOS_FORCEINLINE_FUNCTION int known_same(int x) {
#if defined(__HIP_DEVICE_COMPILE__)
  return __builtin_amdgcn_readfirstlane(x);
#else
  return x;
#endif
}

/// Returns the pointer and tells the compiler that it points into scratch. (CUDA 12 would treat it as a pointer to any
/// memory.)
KOKKOS_FORCEINLINE_FUNCTION void* known_scratch(void* pointer) {
#if defined(__CUDA_ARCH__)
  __builtin_assume(__isShared(pointer));
#endif
  return pointer;
}

/// Whether the device can copy from global memory to scratch without using registers.
KOKKOS_FUNCTION constexpr bool copies_past_registers(const Target& device) {
  return device.vendor == Vendor::nvidia && device.architecture >= 80;
}

/// \brief A copy of sixteen bytes from global memory to scratch: send() starts it, land() ends it.
///
/// If the device copies past the registers, the bytes are in scratch after wait_for_copies() and a barrier.
/// Otherwise they stay in registers until land(), so that the thread can do other work while the load is under way.
/// (They are copied word by word: hipcc keeps a structure that is copied whole in stack memory.)
class Transfer {
 public:
#if defined(BLOCKFW_ASYNC_COPY)
  KOKKOS_FORCEINLINE_FUNCTION void send(void* to, const void* from) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(to))),
                 "l"(from)
                 : "memory");
  }
  KOKKOS_FORCEINLINE_FUNCTION void land(void*) const {}
#else
  KOKKOS_FORCEINLINE_FUNCTION void send(void*, const void* from) {
    const Held there = *static_cast<const Held*>(from);
    BLOCKFW_UNROLL
    for (int i = 0; i < 4; ++i) held_.at[i] = there.at[i];
  }
  KOKKOS_FORCEINLINE_FUNCTION void land(void* to) const {
    Held there;
    BLOCKFW_UNROLL
    for (int i = 0; i < 4; ++i) there.at[i] = held_.at[i];
    *static_cast<Held*>(to) = there;
  }

 private:
  using Held = Pack<std::uint32_t, 4>;
  Held held_;
#endif
};

/// Ends a group of this thread's copies.
KOKKOS_FORCEINLINE_FUNCTION void end_copies() {
#if defined(BLOCKFW_ASYNC_COPY)
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/// Waits until all groups of this thread's copies are complete.
KOKKOS_FORCEINLINE_FUNCTION void wait_for_copies() {
#if defined(BLOCKFW_ASYNC_COPY)
  asm volatile("cp.async.wait_group 0;" ::: "memory");
#endif
}

/// Waits until a flag that other teams set or increment is at least `least`. Their earlier writes are then visible to
/// this team.
KOKKOS_FORCEINLINE_FUNCTION void wait_for_flag(const std::int64_t* flag, std::int64_t least) {
  // (Not Kokkos::atomic_load, which adds 0: the additions of all waiting threads would run one after another.)
  std::int64_t value;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
  do asm volatile("ld.acquire.gpu.global.s64 %0, [%1];" : "=l"(value) : "l"(flag) : "memory");
  while (value < least);
#else
  do value = *static_cast<const volatile std::int64_t*>(flag);
  while (value < least);
  Kokkos::memory_fence();
#endif
}

/// Sets a flag. A team that sees the value also sees all writes of this team before its last barrier.
KOKKOS_FORCEINLINE_FUNCTION void post_flag(std::int64_t* flag, std::int64_t value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
  asm volatile("st.release.gpu.global.s64 [%0], %1;" ::"l"(flag), "l"(value) : "memory");
#else
  Kokkos::memory_fence();
  *static_cast<volatile std::int64_t*>(flag) = value;
#endif
}

/// Adds 1 to a flag, with the same guarantee.
KOKKOS_FORCEINLINE_FUNCTION void increment_flag(std::int64_t* flag) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
  asm volatile("red.release.gpu.global.add.u64 [%0], 1;" ::"l"(flag) : "memory");
#else
  Kokkos::memory_fence();
  Kokkos::atomic_inc(flag);
#endif
}

/// Reads a flag that is known to be set, or a word that was written before such a flag was set.
KOKKOS_FORCEINLINE_FUNCTION std::int64_t poll_flag(const std::int64_t* flag) {
  return *static_cast<const volatile std::int64_t*>(flag);
}

}  // namespace blockfw::detail

#undef BLOCKFW_ASYNC_COPY
