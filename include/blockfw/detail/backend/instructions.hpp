// SPDX-License-Identifier: MIT
/// \file
/// \brief Functions that kernels build on the device's instructions. Some tell which instructions are fast. Others post
/// words for another team, and poll them. portable.hpp documents each of the Instructions.
#pragma once

#include "blockfw/detail/backend/backend.hpp"
#include "blockfw/detail/backend/concepts.hpp"
#include "blockfw/detail/backend/portable.hpp"
#include "blockfw/detail/base/lanes.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace blockfw::detail {

/// Whether two relaxes at once are faster: the device has an instruction for the least of three numbers.
template <class Semiring>
KOKKOS_FUNCTION constexpr bool can_relax_two(const Target& device) {
  return (std::is_same_v<Semiring, MinPlus<float>> && device.least_of_floats) ||
         (std::is_same_v<Semiring, MinPlus<std::int32_t>> && device.least_of_ints);
}

/// Whether the device has an instruction for two sums.
template <class Semiring>
KOKKOS_FUNCTION constexpr bool can_add_two(const Target& device) {
  return std::is_same_v<Semiring, MinPlus<float>> && device.adds_two_floats;
}

/// Whether the sign bit is set, also for a zero or a NaN.
KOKKOS_FORCEINLINE_FUNCTION bool is_negative(float x) { return Kokkos::bit_cast<std::int32_t>(x) < 0; }

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

/// \brief Four words that another team posts: load() reads them. Call load() until there() is true.
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

}  // namespace blockfw::detail
