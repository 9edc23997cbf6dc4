// SPDX-License-Identifier: MIT
/// \file
/// \brief Whether the tests run on a device, and memory that both the library and the host can access.
#pragma once

#include "blockfw/detail/matrices/copies.hpp"
#include "blockfw/ground/options.hpp"

#include <Kokkos_Core.hpp>

#include <type_traits>

inline constexpr bool on_device = !blockfw::is_host_space<Kokkos::DefaultExecutionSpace>;

/// A matrix that the library works on and that the host fills and reads (once the work on it is fenced).
template <class T, class Layout = Kokkos::LayoutRight>
using SharedMatrix = Kokkos::View<T**, Layout, Kokkos::SharedSpace>;

/// The same entries where the host can read them.
template <class View>
auto readable(const View& view) {
  if constexpr (Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename View::memory_space>::accessible) {
    return view;
  } else if constexpr (std::is_same_v<typename View::array_layout, Kokkos::LayoutStride>) {  // (it may have gaps)
    const typename View::execution_space exec;
    const Kokkos::View<typename View::non_const_data_type, Kokkos::LayoutRight, Kokkos::HostSpace> all(
        view.label(), view.extent(0), view.extent(1));
    blockfw::detail::copy_rows(exec, all, view);
    exec.fence();
    return all;
  } else {
    return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, view);
  }
}
