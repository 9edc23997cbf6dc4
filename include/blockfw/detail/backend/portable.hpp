// SPDX-License-Identifier: MIT
/// \file
/// \brief The base of every vendor's header: values that are loaded and stored together, instructions in plain C++, and
/// the runtime of a host.
#pragma once

#include "blockfw/detail/base/lanes.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
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

/// \brief Device instructions that Kokkos does not offer, in plain C++ for any compiler. A vendor's class replaces the
/// functions for which it has faster instructions.
///
/// Some work on packed values (two 16-bit numbers in one register), find the least of three numbers, or copy into
/// scratch past the registers. Others post flags and wait for the flags of other teams.
struct PortableInstructions {
  /// c ⊕ (a ⊗ b), for each number of a packed value.
  template <class Semiring, class V>
  static KOKKOS_FORCEINLINE_FUNCTION V relax(V c, V a, V b) {
    using T = typename Semiring::value_type;
    if constexpr (std::is_same_v<V, T>) {
      return Semiring::relax(c, a, b);
    } else if constexpr (!std::is_same_v<V, Pair>) {
      if constexpr (std::is_same_v<Semiring, MinPlus<T>>)
        return MinPlus<V>::relax(c, a, b);
      else
        return Semiring::relax(static_cast<T>(c), static_cast<T>(a), static_cast<T>(b));
    } else {
      Pair better;
      for (int w = 0; w < 2; ++w)
        set_value(better, w, Semiring::relax(get_value<T>(c, w), get_value<T>(a, w), get_value<T>(b, w)));
      return better;
    }
  }

  /// The least of c and two sums; c may be negative in any case. (A NaN sum is never the least: an addition produces
  /// the NaN whose bits lie above those of infinity.)
  template <class T>
  static KOKKOS_FORCEINLINE_FUNCTION T least(T c, T sum0, T sum1) {
    return Kokkos::min(c, Kokkos::min(sum0, sum1));
  }
  /// a + b0 and a + b1.
  static KOKKOS_FORCEINLINE_FUNCTION Pack<float, 2> add_two(float a, float b0, float b1) { return {a + b0, a + b1}; }

  /// Returns x, but hides its value from the compiler. Values that depend on the result are then recomputed where they
  /// are needed. They are not kept in registers, since the registers all hold C.
  static KOKKOS_FORCEINLINE_FUNCTION int forgotten(int x) { return x; }
  /// The same for an x that is equal in all threads of a team.
  static KOKKOS_FORCEINLINE_FUNCTION int forgotten_by_all(int x) { return x; }
  /// Returns x and tells the compiler that it is equal in all threads of a team.
  static KOKKOS_FORCEINLINE_FUNCTION int known_same(int x) { return x; }
  /// Returns the pointer and tells the compiler that it points into scratch.
  static KOKKOS_FORCEINLINE_FUNCTION void* known_scratch(void* pointer) { return pointer; }

  /// \brief A copy of sixteen bytes from global memory to scratch: send() starts it, land() ends it.
  ///
  /// If the device copies past the registers (Target::async_copies), the bytes are in scratch after wait_for_copies()
  /// and a barrier. Otherwise they stay in registers until land(), so that the thread can do other work during the
  /// load. (The bytes are copied word by word: hipcc keeps a structure that is copied whole in stack memory.)
  class Transfer {
   public:
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
  };
  /// Ends a group of this thread's copies.
  static KOKKOS_FORCEINLINE_FUNCTION void end_copies() {}
  /// Waits until all groups of this thread's copies are complete.
  static KOKKOS_FORCEINLINE_FUNCTION void wait_for_copies() {}

  /// Stores two words, each with its tag, and each at once; `to` is aligned to 16.
  static KOKKOS_FORCEINLINE_FUNCTION void store_tagged(std::uint64_t* to, std::uint64_t first, std::uint64_t second) {
    volatile std::uint64_t* const there = to;
    there[0] = first;
    there[1] = second;
  }
  /// Loads two of these words.
  static KOKKOS_FORCEINLINE_FUNCTION void load_tagged(std::uint64_t& first, std::uint64_t& second,
                                                      const std::uint64_t* from) {
    const volatile std::uint64_t* const there = from;
    first = there[0];
    second = there[1];
  }

  /// \brief Multiplies 16 rows of 256 bits with 8 columns; called only where Target::multiplies_bits is set. Each sum
  /// is its start plus the number of bits that a row and a column have in common. All 32 threads of a warp take part.
  ///
  /// The thread of rank 4 r + q has:
  ///   - words q (a[0], a[1]) and q + 4 (a[2], a[3]) of the rows r and r + 8;
  ///   - words q (b[0]) and q + 4 (b[1]) of column r;
  ///   - the sums of columns 2 q and 2 q + 1, for row r (sums[0], sums[1]) and for row r + 8 (sums[2], sums[3]).
  static KOKKOS_FORCEINLINE_FUNCTION void multiply_bits(std::int32_t (&)[4], const std::int32_t (&)[4],
                                                        const std::uint32_t (&)[4], const std::uint32_t (&)[2]) {
    Kokkos::abort("blockfw: this device does not multiply matrices of bits");
  }

  /// The word shifted by one bit, with the sign of a sum as its lowest bit.
  static KOKKOS_FORCEINLINE_FUNCTION std::uint32_t shift_in_sign(std::uint32_t word, std::int32_t sum) {
    return word << 1 | static_cast<std::uint32_t>(sum) >> 31;
  }

  /// Waits until a flag that other teams set or increment is at least `least`. Their earlier writes are then visible to
  /// this team. (It does not use Kokkos::atomic_load, which adds 0: the additions of all waiting threads would run one
  /// after another.)
  /// \return the value of the flag
  static KOKKOS_FORCEINLINE_FUNCTION std::int64_t wait_for_flag(const std::int64_t* flag, std::int64_t least) {
    std::int64_t value;
    do value = *static_cast<const volatile std::int64_t*>(flag);
    while (value < least);
    Kokkos::memory_fence();
    return value;
  }
  /// Sets a flag. A team that sees the value also sees all writes of this team before its last barrier.
  static KOKKOS_FORCEINLINE_FUNCTION void post_flag(std::int64_t* flag, std::int64_t value) {
    Kokkos::memory_fence();
    *static_cast<volatile std::int64_t*>(flag) = value;
  }
  /// Adds 1 to a flag, with the same guarantee.
  static KOKKOS_FORCEINLINE_FUNCTION void increment_flag(std::int64_t* flag) {
    Kokkos::memory_fence();
    Kokkos::atomic_inc(flag);
  }
};

/// \brief Calls of a vendor's runtime for which Kokkos has no function; see concepts.hpp. These are for a host:
/// work is done when a call returns, so most of them do nothing.
template <class ExecSpace>
struct Backend {
  using StreamHandle = int;
  using EventHandle = int;
  static int device_of(const ExecSpace&) { return 0; }
  static std::optional<int> current_device() { return {}; }
  static void use(int) {}
  static std::optional<double> available_bytes(const ExecSpace&) { return {}; }
  static EventHandle make_event() { return 0; }
  static void drop(EventHandle) {}
  static void record(EventHandle, const ExecSpace&) {}
  static void wait(EventHandle, const ExecSpace&) {}
  static void wait_on_host(EventHandle) {}
  static void connect(int, int) {}
  static bool is_pinned(void*) { return false; }
  static bool pin(void*, std::size_t) { return false; }
  static void unpin(void*) {}
  static void copy(const ExecSpace&, void* to, std::size_t to_stride, const void* from, std::size_t from_stride,
                   std::size_t bytes, std::size_t rows) {
    for (std::size_t row = 0; row < rows; ++row)
      std::memcpy(static_cast<std::byte*>(to) + row * to_stride,
                  static_cast<const std::byte*>(from) + row * from_stride, bytes);
  }
};

}  // namespace blockfw::detail
