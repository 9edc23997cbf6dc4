// SPDX-License-Identifier: MIT
/// \file
/// \brief What the library blockfw_compiled holds of blockfw/out_of_core.hpp.
#pragma once

#include "blockfw/detail/compiled/types.hpp"
#include "blockfw/out_of_core.hpp"
#include "blockfw/weights.hpp"

#include <Kokkos_Core.hpp>

/// Shortest paths in a matrix on the host.
#define BLOCKFW_COMPILED_OUT_OF_CORE(LINKAGE, S)                                                          \
  LINKAGE template blockfw::OutOfCoreStats blockfw::solve_out_of_core(                                    \
      const blockfw::detail::compiled::Exec&,                                                             \
      const Kokkos::View<blockfw::detail::compiled::Value<S>**, Kokkos::LayoutRight, Kokkos::HostSpace>&, \
      blockfw::WeightRange<blockfw::detail::compiled::Value<S>>, const blockfw::OutOfCoreOptions&);

BLOCKFW_COMPILED_SHORTEST(BLOCKFW_COMPILED_OUT_OF_CORE, extern)
