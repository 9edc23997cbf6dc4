// SPDX-License-Identifier: MIT
/// \file
/// \brief Execution spaces: whether a space is a host's, which memory it reaches, and its default instance.
#pragma once

#include "blockfw/ground/error.hpp"

#include <Kokkos_Core.hpp>

#include <string>

namespace blockfw {

/// Whether the space runs on the host's cores (and so uses the vector kernel).
template <class ExecSpace>
inline constexpr bool is_host_space =
    Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename ExecSpace::memory_space>::accessible &&
    Kokkos::SpaceAccessibility<ExecSpace, Kokkos::HostSpace>::accessible;

/// Whether code of Space can read and write the memory of a view.
template <class Space, class View>
inline constexpr bool can_reach = Kokkos::SpaceAccessibility<Space, typename View::memory_space>::accessible;

/// A view in memory that code of Space cannot reach does not compile.
template <class Space, class View>
constexpr void require_reachable() {
  static_assert(can_reach<Space, View>,
                "blockfw: the view lies in a memory space that the execution space cannot reach");
}

namespace detail {

/// \brief Checks that Kokkos runs, before a call meets Kokkos's own check, which ends the program.
/// \throws InvalidInput before Kokkos's start and after its end
inline void require_kokkos() {
  if (Kokkos::is_initialized()) return;
  throw InvalidInput(std::string("Kokkos ") + (Kokkos::is_finalized() ? "has ended" : "is not initialised") +
                     ", expected a call between its start (Kokkos::ScopeGuard in main(), or blockfw::start_kokkos()) "
                     "and its end");
}

/// \brief The default instance of a space.
/// \throws InvalidInput when Kokkos does not run
template <class ExecSpace>
ExecSpace default_instance() {
  require_kokkos();
  return ExecSpace();
}

}  // namespace detail

}  // namespace blockfw
