// SPDX-License-Identifier: MIT
/// \file
/// \brief Checks that Kokkos runs, before a call meets Kokkos's own check, which ends the program.
#pragma once

#include "blockfw/error.hpp"

#include <Kokkos_Core.hpp>

#include <string>

namespace blockfw::detail {

/// \brief Checks that Kokkos runs.
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

}  // namespace blockfw::detail
