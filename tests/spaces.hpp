/// \file
/// \brief Where the tests let the library work, and memory that it and the host both reach.
#pragma once

#include "blockfw/tile.hpp"

#include <Kokkos_Core.hpp>

inline constexpr bool on_device = !blockfw::is_host_space<Kokkos::DefaultExecutionSpace>;

/// A matrix for the library to work on and for the host to fill and read (once the work on it is fenced).
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
