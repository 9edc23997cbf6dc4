// SPDX-License-Identifier: MIT
// A call into the library: Kokkos runs, no other call is running, and Python's other threads go on.
#pragma once

#include <nanobind/nanobind.h>
#include <Kokkos_Core.hpp>
#include <blockfw/ground/options.hpp>

#include <cstdint>
#include <type_traits>

namespace bindings {

namespace nb = nanobind;

using Host = Kokkos::DefaultHostExecutionSpace;
/// Where matrices and lists of edges are solved.
using Exec = Kokkos::DefaultExecutionSpace;
inline constexpr bool on_host = std::is_same_v<Exec, Host>;

/// A thread that is about to take the interpreter's lock, for which the end of the program waits.
struct Leaving {
  bool begun = false;
  Leaving() = default;
  Leaving(const Leaving&) = delete;
  Leaving& operator=(const Leaving&) = delete;
  ~Leaving() { end(); }
  void begin();
  void end();
};

/// \brief A turn at the library. While it lives this thread does not hold the interpreter's lock, and every other turn
/// waits: solves share the threads, and the memory of an instance. After the turn the thread has the same current
/// device as before.
class Turn {
 public:
  /// Waits for its turn, and looks for signals meanwhile. Starts Kokkos in the first turn.
  /// \param vertices  the vertices of the graph. One thread solves a small graph in less time than several threads take
  ///                  to meet.
  /// \throws std::runtime_error in a thread that has a turn already (in a callback). Also in a process that was forked
  ///         while Kokkos ran on a device. Any exception that a signal's handler raises.
  explicit Turn(std::int64_t vertices);
  ~Turn();
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  void leave();

  int callers_device_ = -1;
  Leaving leaving_;  ///< lasts until the thread holds the interpreter's lock again
  nb::gil_scoped_release released_;
};

/// The host's instance: all threads, or the number of set_threads(); one thread for a small graph. During a turn only.
const Host& host();

/// The instance that solves. During a turn only.
template <class Space = Exec>
Space solver() {
  if constexpr (std::is_same_v<Space, Host>)
    return host();
  else
    return Space();
}

/// Runs the handlers of pending signals, which may raise KeyboardInterrupt or another exception. During a turn only.
void check_signals();

/// \brief The function that work calls between its rounds. It looks for signals, and calls the Python function, if
/// there is one.
/// \param callback  None, or a function of (done, in all), which must outlive the result
blockfw::Progress watch(const nb::object& callback);

/// The same for rounds where matrices are solved. On a device, the rounds of a small graph have no function unless the
/// caller has one: a call would cut launches of many rounds.
/// \param vertices  of the graph
inline blockfw::Progress watch_rounds(const nb::object& callback, std::int64_t vertices) {
  constexpr std::int64_t seconds_from = 50'000;
  if (!on_host && callback.is_none() && vertices < seconds_from) return {};
  return watch(callback);
}

/// \brief Whether this process was forked while Kokkos ran on a device. Such a process cannot use the device, and
/// cannot free Kokkos's memory, as that waits for the device.
bool without_device();

/// The deleter of a std::unique_ptr to an object with memory of Kokkos's.
struct DeleteUnlessForked {
  template <class T>
  void operator()(T* pointer) const noexcept {
    if (!without_device()) delete pointer;
  }
};

}  // namespace bindings
