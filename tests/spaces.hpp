// SPDX-License-Identifier: MIT
/// \file
/// \brief Whether the tests run on a device, and memory that both the library and the host can access.
#pragma once

#include "blockfw/tile.hpp"

#include <Kokkos_Core.hpp>

inline constexpr bool on_device = !blockfw::is_host_space<Kokkos::DefaultExecutionSpace>;

/// A matrix that the library works on and that the host fills and reads (once the work on it is fenced).
template <class T, class Layout = Kokkos::LayoutRight>
using SharedMatrix = Kokkos::View<T**, Layout, Kokkos::SharedSpace>;

/// The same entries where the host can read them.
template <class View>
auto readable(const View& view) {
  if constexpr (Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename View::memory_space>::accessible)
    return view;
  else
    return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, view);
}
