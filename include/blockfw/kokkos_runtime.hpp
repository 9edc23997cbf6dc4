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
#include "blockfw/ground/error.hpp"

#include <Kokkos_Core.hpp>

#ifdef KOKKOS_ENABLE_OPENMP
#include <omp.h>
#endif

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <mutex>
#include <string>
#include <string_view>
#include <system_error>

namespace blockfw {

/// The most threads that Kokkos has room for. Its instances of OpenMP hold an array of this length, without a check.
inline constexpr int most_threads =
#ifdef KOKKOS_ENABLE_OPENMP
    512;
#else
    std::numeric_limits<int>::max();
#endif

namespace detail {

/// The number of threads that an environment variable asks for, or 0 if its value is no whole number. Of a list (OpenMP
/// has a list for nested regions) it is the first number.
inline int threads_in(std::string_view text, bool list) {
  constexpr std::string_view blanks = " \t";
  if (list) text = text.substr(0, text.find(','));
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  text = text.substr(0, text.find_last_not_of(blanks) + 1);
  int threads = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), threads);
  if (error == std::errc::result_out_of_range) return std::numeric_limits<int>::max();
  return error == std::errc() && end == text.data() + text.size() ? threads : 0;
}

/// \throws InvalidInput where an environment variable asks for no threads, or for more threads than Kokkos has room for
inline void require_threads(const char* variable, bool list) {
  const char* const value = std::getenv(variable);
  if (value == nullptr || (list && *value == '\0')) return;
  const int threads = threads_in(value, list);
  if (threads >= 1 && threads <= most_threads) return;
  throw InvalidInput(variable, " is '", value, "', expected 1 to ", most_threads, " threads");
}

}  // namespace detail

/// \brief Settings with which Kokkos can start, for Kokkos::ScopeGuard and Kokkos::initialize().
///
/// Kokkos itself does not check the number of threads. More than most_threads threads overwrite memory, and the program
/// hangs or crashes. Kokkos ends the program where KOKKOS_NUM_THREADS is no number.
///
/// \param settings  the caller's settings. A number of threads in them has precedence over the numbers in environment
///                  variables.
/// \return the same settings, with most_threads threads where the machine has more processors
/// \throws InvalidInput where the settings, KOKKOS_NUM_THREADS or OMP_NUM_THREADS ask for less than 1 thread or more
///         than most_threads
inline Kokkos::InitializationSettings checked_settings(Kokkos::InitializationSettings settings = {}) {
  if (settings.has_num_threads()) {
    if (const int threads = settings.get_num_threads(); threads < 1 || threads > most_threads)
      throw InvalidInput("the settings ask for ", threads, " threads, expected 1 to ", most_threads);
    return settings;
  }
  detail::require_threads("KOKKOS_NUM_THREADS", false);
#ifdef KOKKOS_ENABLE_OPENMP
  detail::require_threads("OMP_NUM_THREADS", true);
  if (omp_get_max_threads() > most_threads) settings.set_num_threads(most_threads);
#endif
  return settings;
}

/// \brief Starts Kokkos, unless it runs already, and ends it when the program exits.
///
/// Any thread may call this, any number of times. The first call starts Kokkos, on the calling thread's current device
/// if the settings name none. Kokkos ends by std::atexit: after main(), before the device's own runtime, and before
/// static objects that existed at the first call. A View in one of these static objects outlives Kokkos, and must be
/// emptied earlier. A program that starts Kokkos itself must do so before the first call, and must end Kokkos itself.
///
/// \throws InvalidInput  when Kokkos has ended, since it can start only once in a program; otherwise as
///                       checked_settings()
inline void start_kokkos(Kokkos::InitializationSettings settings = {}) {
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  if (Kokkos::is_initialized()) return;
  if (Kokkos::is_finalized()) throw InvalidInput("start_kokkos: Kokkos has ended, and starts once in a program");

  settings = checked_settings(settings);
  if (!settings.has_device_id())
    if (const auto device = detail::Backend<Kokkos::DefaultExecutionSpace>::current_device())
      settings.set_device_id(*device);
  Kokkos::initialize(settings);
  std::atexit([] {
    if (Kokkos::is_initialized()) Kokkos::finalize();
  });
}

}  // namespace blockfw
