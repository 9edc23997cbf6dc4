/// \file
/// \brief Starts Kokkos for callers that know nothing of it.
///
/// \code
///   void shortest_paths(int n, int* d) {     // a plugin's, or an exercise's, called by somebody else's main()
///     blockfw::start_kokkos();
///     blockfw::blocked_floyd_warshall(d, n, n);
///   }
/// \endcode
#pragma once

#include "blockfw/error.hpp"

#include <Kokkos_Core.hpp>

#include <cstdlib>
#include <mutex>

namespace blockfw {

/// \brief Starts Kokkos, unless it runs already, and has it ended when the program exits.
///
/// Any thread may call this, any number of times; the first call starts it, on the calling thread's current device (of
/// CUDA or HIP) if settings name none. Kokkos ends by std::atexit: after main(), before the device's own runtime, and
/// before static objects that existed at the first call. A View in one of these outlives Kokkos and must be emptied
/// earlier. A program that starts Kokkos itself does so before, and ends it itself.
///
/// \throws InvalidInput  when Kokkos has ended: it starts once in a program
inline void start_kokkos(Kokkos::InitializationSettings settings = {}) {
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  if (Kokkos::is_initialized()) return;
  if (Kokkos::is_finalized()) throw InvalidInput("start_kokkos: Kokkos has ended, and starts once in a program");

  [[maybe_unused]] int device = 0;
#if defined(KOKKOS_ENABLE_CUDA)
  if (!settings.has_device_id() && cudaGetDevice(&device) == cudaSuccess) settings.set_device_id(device);
#elif defined(KOKKOS_ENABLE_HIP)
  if (!settings.has_device_id() && hipGetDevice(&device) == hipSuccess) settings.set_device_id(device);
#endif
  Kokkos::initialize(settings);
  std::atexit([] {
    if (Kokkos::is_initialized()) Kokkos::finalize();
  });
}

}  // namespace blockfw
