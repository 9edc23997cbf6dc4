// SPDX-License-Identifier: MIT
/// \file
/// \brief Division that rounds up.
#pragma once

#include <Kokkos_Core.hpp>

namespace blockfw::detail {

/// The least number of parts of size `part` that hold x. x is 0 or more.
template <class X, class Y>
KOKKOS_FORCEINLINE_FUNCTION constexpr auto div_up(X x, Y part) {
  return (x + part - 1) / part;
}

/// The least multiple of `part` that is x or more.
template <class X, class Y>
KOKKOS_FORCEINLINE_FUNCTION constexpr auto round_up(X x, Y part) {
  return (x + part - 1) / part * part;
}

}  // namespace blockfw::detail
