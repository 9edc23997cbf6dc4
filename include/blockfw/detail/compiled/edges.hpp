// SPDX-License-Identifier: MIT
/// \file
/// \brief What the library blockfw_compiled holds of blockfw/edges.hpp.
#pragma once

#include "blockfw/detail/compiled/types.hpp"
#include "blockfw/edges.hpp"
#include "blockfw/weights.hpp"

#include <Kokkos_Core.hpp>

#include <vector>

namespace blockfw::detail::compiled {

/// The edges of a host's container as solve() hands them on: in place, or as a copy on the device.
template <class T>
using EdgesOf = decltype(reachable_edges(Exec(), view_of(std::vector<Edge<T>>())));
/// The same on the host.
template <class T>
using HostEdges = decltype(view_of(std::vector<Edge<T>>()));

}  // namespace blockfw::detail::compiled

/// A matrix of the edges of a container.
#define BLOCKFW_COMPILED_EDGES(LINKAGE, S)                                                                \
  LINKAGE template blockfw::WeightRange<blockfw::detail::compiled::Value<S>> blockfw::fill_from_edges<S>( \
      const blockfw::detail::compiled::Exec&,                                                             \
      const Kokkos::View<blockfw::detail::compiled::Value<S>**, Kokkos::LayoutRight,                      \
                         blockfw::detail::compiled::Exec::memory_space>&,                                 \
      const blockfw::detail::compiled::EdgesOf<blockfw::detail::compiled::Value<S>>&, blockfw::Direction);

BLOCKFW_COMPILED_SEMIRINGS(BLOCKFW_COMPILED_EDGES, extern)
