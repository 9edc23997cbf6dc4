// SPDX-License-Identifier: MIT
/// \file
/// \brief What the library blockfw_compiled holds of blockfw/multi_device.hpp.
#pragma once

#include "blockfw/detail/compiled/edges.hpp"
#include "blockfw/detail/compiled/types.hpp"
#include "blockfw/multi_device.hpp"
#include "blockfw/solve.hpp"
#include "blockfw/solved.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <vector>

/// The shares of a matrix on devices.
#define BLOCKFW_COMPILED_ROWS(LINKAGE, S) \
  LINKAGE template class blockfw::RowBlocks<blockfw::detail::compiled::Value<S>, blockfw::detail::compiled::Exec>;
/// A graph in a container, on instances or Devices, and its distances.
#define BLOCKFW_COMPILED_DEVICES(LINKAGE, S)                                                                          \
  LINKAGE template class blockfw::Solved<blockfw::RowBlocks, blockfw::detail::compiled::Value<S>,                     \
                                         blockfw::detail::compiled::Exec>;                                            \
  LINKAGE template blockfw::SolvedRows<blockfw::detail::compiled::Value<S>, blockfw::detail::compiled::Exec>::        \
      SolvedRows(const std::vector<blockfw::detail::compiled::Exec>&, std::int64_t,                                   \
                 const blockfw::detail::compiled::HostEdges<blockfw::detail::compiled::Value<S>>&,                    \
                 const blockfw::SolveOptions&);                                                                       \
  LINKAGE template blockfw::SolvedRows<blockfw::detail::compiled::Value<S>, blockfw::detail::compiled::Exec>::        \
      SolvedRows(const blockfw::Devices<blockfw::detail::compiled::Exec>&, std::int64_t,                              \
                 const blockfw::detail::compiled::HostEdges<blockfw::detail::compiled::Value<S>>&,                    \
                 const blockfw::SolveOptions&);                                                                       \
  LINKAGE template void                                                                                               \
  blockfw::Solved<blockfw::RowBlocks, blockfw::detail::compiled::Value<S>, blockfw::detail::compiled::Exec>::copy_to( \
      const Kokkos::View<blockfw::detail::compiled::Value<S>**, Kokkos::LayoutRight, Kokkos::HostSpace>&) const;

BLOCKFW_COMPILED_INT8(BLOCKFW_COMPILED_ROWS, extern)
BLOCKFW_COMPILED_SHORTEST(BLOCKFW_COMPILED_ROWS, extern)
BLOCKFW_COMPILED_SHORTEST(BLOCKFW_COMPILED_DEVICES, extern)
