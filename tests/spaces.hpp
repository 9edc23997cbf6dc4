// SPDX-License-Identifier: MIT
/// \file
/// \brief Whether the tests run on a device, memory that both the library and the host can access, and every level of
/// vectors that this processor has.
#pragma once

#include "blockfw/detail/backend/vectors.hpp"
#include "blockfw/detail/matrices/copies.hpp"
#include "blockfw/ground/options.hpp"

#include <doctest/doctest.h>
#include <Kokkos_Core.hpp>

#include <string>
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

/// Calls f() with each level, and then sets the best one again.
template <class F>
void on_each_level(const F& f) {
  for (const auto& level : blockfw::detail::vectors_there_are()) {
    CAPTURE(std::string(level.name));
    blockfw::detail::chosen_vectors() = level.level;
    f();
  }
  blockfw::detail::chosen_vectors() = blockfw::detail::vectors_named(nullptr);
}
