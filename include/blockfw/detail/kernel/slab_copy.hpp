// SPDX-License-Identifier: MIT
/// \file
/// \brief A team's copy of a slab of pivots from the panels to scratch.
#pragma once

#include "blockfw/detail/backend/instructions.hpp"
#include "blockfw/detail/base/lanes.hpp"
#include "blockfw/detail/base/rounding.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace blockfw::detail {

/// \brief A thread's part of the team's copy of `Bytes` bytes into scratch, 16 a thread at a time.
///
/// send() starts the copy and land() ends it; see Transfer. `to` and `from` are where this thread starts.
/// \tparam Shape  a DeviceShape
template <class Shape, int Bytes>
class SlabCopy {
 public:
  KOKKOS_FORCEINLINE_FUNCTION void send(int rank, std::byte* to, const std::byte* from) {
    for_each(rank, [&](Transfer& part, int at) { part.send(to + at, from + at); });
  }
  KOKKOS_FORCEINLINE_FUNCTION void land(int rank, std::byte* to) {
    for_each(rank, [&](const Transfer& part, int at) { part.land(to + at); });
  }

 private:
  static constexpr int vector_bytes = Shape::vector_bytes, at_once = Shape::team_size * vector_bytes;
  static constexpr int parts = div_up(Bytes, at_once);

  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void for_each(int rank, const F& f) {
    BLOCKFW_UNROLL
    for (int p = 0; p < parts; ++p)
      if (Bytes % at_once == 0 || rank * vector_bytes + p * at_once < Bytes) f(part_[p], p * at_once);
  }

  Transfer part_[parts];
};

}  // namespace blockfw::detail
