// SPDX-License-Identifier: MIT
/// \file
/// \brief Device instructions that Kokkos does not offer.
///
/// Some work on packed values (two 16-bit numbers in one register), find the least of three numbers, or copy into
/// scratch past the registers. Others post flags and wait for the flags of other teams.
#pragma once

#include "blockfw/detail/backend/backend.hpp"
#include "blockfw/detail/backend/packed.hpp"
#include "blockfw/detail/base/lanes.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace blockfw::detail {

/// c ⊕ (a ⊗ b), for each number of a packed value.
template <class Semiring, class V>
KOKKOS_FORCEINLINE_FUNCTION V relax_values(V c, V a, V b) {
  return Instructions::template relax<Semiring>(c, a, b);
}

/// Whether two relaxes at once are faster: the device has an instruction for the least of three numbers.
template <class Semiring>
KOKKOS_FUNCTION constexpr bool can_relax_two(const Target& device) {
  return (std::is_same_v<Semiring, MinPlus<float>> && device.least_of_floats) ||
         (std::is_same_v<Semiring, MinPlus<std::int32_t>> && device.least_of_ints);
}

/// The least of c and two sums; c may be negative in any case. (A NaN sum is never the least: an addition produces the
/// NaN whose bits lie above those of infinity.)
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T least(T c, T sum0, T sum1) {
  return Instructions::least(c, sum0, sum1);
}

/// Whether the device has an instruction for two sums.
template <class Semiring>
KOKKOS_FUNCTION constexpr bool can_add_two(const Target& device) {
  return std::is_same_v<Semiring, MinPlus<float>> && device.adds_two_floats;
}

/// a + b0 and a + b1.
KOKKOS_FORCEINLINE_FUNCTION Pack<float, 2> add_two(float a, float b0, float b1) {
  return Instructions::add_two(a, b0, b1);
}

/// Whether the sign bit is set, also for a zero or a NaN.
KOKKOS_FORCEINLINE_FUNCTION bool is_negative(float x) { return Kokkos::bit_cast<std::int32_t>(x) < 0; }

/// Returns x, but hides its value from the compiler. Values that depend on the result are then recomputed where they
/// are needed. They are not kept in registers, since the registers all hold C.
KOKKOS_FORCEINLINE_FUNCTION int forgotten(int x) { return Instructions::forgotten(x); }

/// The same for an x that is equal in all threads of a team.
KOKKOS_FORCEINLINE_FUNCTION int forgotten_by_all(int x) { return Instructions::forgotten_by_all(x); }

/// Returns x and tells the compiler that it is equal in all threads of a team.
KOKKOS_FORCEINLINE_FUNCTION int known_same(int x) { return Instructions::known_same(x); }

/// Returns the pointer and tells the compiler that it points into scratch.
KOKKOS_FORCEINLINE_FUNCTION void* known_scratch(void* pointer) { return Instructions::known_scratch(pointer); }

/// \brief A copy of sixteen bytes from global memory to scratch: send() starts it, land() ends it.
///
/// If the device copies past the registers (Target::async_copies), the bytes are in scratch after wait_for_copies() and
/// a barrier. Otherwise they stay in registers until land(), so that the thread can do other work during the
/// load.
using Transfer = Instructions::Transfer;

/// \brief Stores words of 32 bits, each together with a tag. A word and its tag are stored at once. So a reader that
/// finds the new tag of a word has its new value, also without a fence.
/// \param to  where the first word goes; each takes 8 bytes with its tag, and a pair is aligned to 16
template <int Count>
KOKKOS_FORCEINLINE_FUNCTION void post_words(std::uint64_t* to, const Pack<std::uint32_t, Count>& words,
                                            std::uint32_t tag) {
  static_assert(Count == 1 || Count % 2 == 0);
  const auto tagged = [&](int w) { return static_cast<std::uint64_t>(tag) << 32 | words.at[w]; };
  if constexpr (Count == 1) {
    *static_cast<volatile std::uint64_t*>(to) = tagged(0);
  } else {
    BLOCKFW_UNROLL
    for (int w = 0; w < Count; w += 2) Instructions::store_tagged(to + w, tagged(w), tagged(w + 1));
  }
}

/// \brief Four words that another team posts: load() reads them. Call it until they are there().
class PostedWords {
 public:
  KOKKOS_FORCEINLINE_FUNCTION void load(const std::uint64_t* from) {
    BLOCKFW_UNROLL
    for (int w = 0; w < 4; w += 2) Instructions::load_tagged(tagged_[w], tagged_[w + 1], from + w);
  }
  /// Whether all words have the tag. The bits of the tag that are set in `ignored` do not count.
  KOKKOS_FORCEINLINE_FUNCTION bool there(std::uint32_t tag, std::uint32_t ignored) const {
    std::uint32_t wrong = 0;
    BLOCKFW_UNROLL
    for (int w = 0; w < 4; ++w) wrong |= tag_of(w) ^ tag;
    return (wrong & ~ignored) == 0;
  }
  /// The bits that are set in any of the tags.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t tags() const { return tag_of(0) | tag_of(1) | tag_of(2) | tag_of(3); }
  KOKKOS_FORCEINLINE_FUNCTION void land(void* to) const {
    Pack<std::uint32_t, 4> words;
    BLOCKFW_UNROLL
    for (int w = 0; w < 4; ++w) words.at[w] = static_cast<std::uint32_t>(tagged_[w]);
    *static_cast<Pack<std::uint32_t, 4>*>(to) = words;
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t tag_of(int w) const { return static_cast<std::uint32_t>(tagged_[w] >> 32); }
  std::uint64_t tagged_[4];
};

/// Ends a group of this thread's copies.
KOKKOS_FORCEINLINE_FUNCTION void end_copies() { Instructions::end_copies(); }

/// Waits until all groups of this thread's copies are complete.
KOKKOS_FORCEINLINE_FUNCTION void wait_for_copies() { Instructions::wait_for_copies(); }

/// \brief Multiplies 16 rows of 256 bits with 8 columns, if the device can (Target::multiplies_bits). Each sum is its
/// start plus the number of bits that a row and a column have in common. All 32 threads of a warp take part.
///
/// The thread of rank 4 r + q has:
///   - words q (a[0], a[1]) and q + 4 (a[2], a[3]) of the rows r and r + 8;
///   - words q (b[0]) and q + 4 (b[1]) of column r;
///   - the sums of columns 2 q and 2 q + 1, for row r (sums[0], sums[1]) and for row r + 8 (sums[2], sums[3]).
KOKKOS_FORCEINLINE_FUNCTION void multiply_bits(std::int32_t (&sums)[4], const std::int32_t (&start)[4],
                                               const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]) {
  Instructions::multiply_bits(sums, start, a, b);
}

/// The word shifted by one bit, with the sign of a sum as its lowest bit.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t shift_in_sign(std::uint32_t word, std::int32_t sum) {
  return Instructions::shift_in_sign(word, sum);
}

/// Waits until a flag that other teams set or increment is at least `least`. Their earlier writes are then visible to
/// this team. \return the value of the flag
KOKKOS_FORCEINLINE_FUNCTION std::int64_t wait_for_flag(const std::int64_t* flag, std::int64_t least) {
  return Instructions::wait_for_flag(flag, least);
}

/// Sets a flag. A team that sees the value also sees all writes of this team before its last barrier.
KOKKOS_FORCEINLINE_FUNCTION void post_flag(std::int64_t* flag, std::int64_t value) {
  Instructions::post_flag(flag, value);
}

/// Adds 1 to a flag, with the same guarantee.
KOKKOS_FORCEINLINE_FUNCTION void increment_flag(std::int64_t* flag) { Instructions::increment_flag(flag); }

/// Reads a flag that is known to be set, or a word that was written before a flag that is known to be set.
KOKKOS_FORCEINLINE_FUNCTION std::int64_t poll_flag(const std::int64_t* flag) {
  return *static_cast<const volatile std::int64_t*>(flag);
}

}  // namespace blockfw::detail
