// SPDX-License-Identifier: MIT
/// \file
/// \brief The range of the weights of a small graph, on the calling thread.
#pragma once

#include "blockfw/detail/backend/vectors.hpp"
#include "blockfw/detail/base/lanes.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace blockfw::detail {

/// add_edges() in vectors of a level.
template <Semiring S, class Level, class E, class T = typename S::value_type>
BLOCKFW_ALWAYS_INLINE void add_edges_by(std::int64_t count, E* entries, WeightsSeen<T>& seen) {
  constexpr int width = Level::bytes / static_cast<int>(sizeof(T));
  using V = Lanes<Level, T, width>;
  const V zero = V::broadcast(S::zero()), one = V::broadcast(S::one());
  V smallest = V::broadcast(seen.smallest), largest = V::broadcast(seen.largest);
  std::int64_t e = 0;
  for (; e + width <= count; e += width) {
    const V weight = S::relax(zero, V::load(entries + e), one);
    const auto none = weight == zero;
    smallest = V::smaller(V::choose(none, smallest, weight), smallest);
    largest = V::larger(V::choose(none, largest, weight), largest);
    if constexpr (!std::is_const_v<E>) weight.store(entries + e);
  }
  for (int lane = 0; e > 0 && lane < width; ++lane) {
    seen.smallest = std::min(seen.smallest, smallest[lane]);
    seen.largest = std::max(seen.largest, largest[lane]);
  }
  for (; e < count; ++e) {
    const T weight = S::relax(S::zero(), entries[e], S::one());
    seen.add(weight, weight != S::zero());
    if constexpr (!std::is_const_v<E>) entries[e] = weight;
  }
}

/// \brief Adds the edges among some entries of a matrix to the range of its weights.
/// \tparam E  the type of the entries. Unless it is const, entries beyond zero() become zero().
template <Semiring S, class E, class T = typename S::value_type>
void add_edges([[maybe_unused]] std::int64_t count, [[maybe_unused]] E* entries,
               [[maybe_unused]] WeightsSeen<T>& seen) {
  // (A device's compiler knows no vectors.)
  KOKKOS_IF_ON_HOST((with_vectors([&](auto level) __attribute__((always_inline)) {
                       add_edges_by<S, decltype(level)>(count, entries, seen);
                     });))
}

}  // namespace blockfw::detail
