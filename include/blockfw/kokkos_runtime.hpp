// SPDX-License-Identifier: MIT
/// \file
/// \brief Starts Kokkos for callers that do not use Kokkos themselves.
///
/// \code
///   void shortest_paths(int n, int* d) {  // in a plugin or an exercise, called by a main() that is not ours
///     blockfw::start_kokkos();
///     const Kokkos::DefaultHostExecutionSpace cores;
///     blockfw::blocked_floyd_warshall(cores, d, n, n);
///   }
/// \endcode
#pragma once

#include "blockfw/detail/backend/backend.hpp"
#include "blockfw/error.hpp"

#include <Kokkos_Core.hpp>

#include <cstdlib>
#include <mutex>

namespace blockfw {

/// \brief Starts Kokkos, unless it runs already, and ends it when the program exits.
///
/// Any thread may call this, any number of times. The first call starts Kokkos, on the calling thread's current device
/// if the settings name none. Kokkos ends by std::atexit: after main(), before the device's own
/// runtime, and before static objects that existed at the first call. A View in such an object outlives Kokkos and must
/// be emptied earlier. A program that starts Kokkos itself must do so before the first call, and must end it itself.
///
/// \throws InvalidInput  when Kokkos has ended: it can start only once in a program
inline void start_kokkos(Kokkos::InitializationSettings settings = {}) {
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  if (Kokkos::is_initialized()) return;
  if (Kokkos::is_finalized()) throw InvalidInput("start_kokkos: Kokkos has ended, and starts once in a program");

  if (!settings.has_device_id())
    if (const auto device = detail::Backend<Kokkos::DefaultExecutionSpace>::current_device())
      settings.set_device_id(*device);
  Kokkos::initialize(settings);
  std::atexit([] {
    if (Kokkos::is_initialized()) Kokkos::finalize();
  });
}

}  // namespace blockfw
