// SPDX-License-Identifier: MIT
#include "runtime.hpp"

#include "rooms.hpp"

#include <nanobind/stl/string.h>
#include <blockfw/ground/error.hpp>
#include <blockfw/kokkos_runtime.hpp>

#ifdef _OPENMP
#include <omp.h>
#endif
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

namespace bindings {

namespace {

/// The state that lasts from call to call. (Not destroyed: a thread may still be in a turn when the program ends.)
struct Runtime {
  std::timed_mutex turn;
  std::atomic<std::thread::id> in_turn;
  std::atomic<int> leaving = 0;           ///< threads that are about to take the interpreter's lock
  std::atomic<bool> ending = false;       ///< whether Python ends
  bool without_device = false;            ///< whether this process was forked when Kokkos ran on a device
  std::atomic<std::thread::id> ended_by;  ///< the thread that keeps the turn from then on
  int threads = 0;                        ///< wanted; 0: as many as Kokkos takes
  std::optional<Host> all, one;           ///< instances of that many threads, and of one
  const Host* current = nullptr;
};

/// The most threads, the same for each build.
constexpr int most_threads = std::min(512, blockfw::most_threads);

/// A graph of fewer vertices is small.
constexpr std::int64_t small_below = 256;

Runtime& runtime() {
  static auto* const all = new Runtime;
  return *all;
}

/// An instance of that many threads, or of all.
Host instance_of([[maybe_unused]] int threads) {
  if constexpr (std::is_constructible_v<Host, int>) {
    if (threads > 0) return Host(threads);
  }
  return Host();
}

#if defined(KOKKOS_ENABLE_CUDA)
int current_device() {
  int device = -1;
  return cudaGetDevice(&device) == cudaSuccess ? device : -1;
}
void use_device(int device) { static_cast<void>(cudaSetDevice(device)); }
#elif defined(KOKKOS_ENABLE_HIP)
int current_device() {
  int device = -1;
  return hipGetDevice(&device) == hipSuccess ? device : -1;
}
void use_device(int device) { static_cast<void>(hipSetDevice(device)); }
#else
constexpr int current_device() { return -1; }
constexpr void use_device(int) {}
#endif

void start() {
  if (without_device())
    throw std::runtime_error(
        "this process was forked after blockfw had started its device, which it cannot use: "
        "expected processes of multiprocessing's method \"spawn\"");
  if (Kokkos::is_initialized() && runtime().all) return;
  Kokkos::InitializationSettings settings;
  settings.set_disable_warnings(true);
  if (runtime().threads > 0) settings.set_num_threads(runtime().threads);
  blockfw::start_kokkos(settings);
  Kokkos::push_finalize_hook([] {
    runtime().all.reset();
    runtime().one.reset();
  });
  runtime().all.emplace();
  runtime().one = instance_of(1);
}

bool holds_turn() { return runtime().in_turn.load() == std::this_thread::get_id(); }

void lock_turn() {
  if (runtime().ended_by.load() != std::this_thread::get_id()) runtime().turn.lock();
}

void unlock_turn() {
  if (runtime().ended_by.load() != std::this_thread::get_id()) runtime().turn.unlock();
}

/// lock_turn(), with a look for signals now and then. Not while Python ends: then the turn is never free again.
void wait_for_turn(Leaving& leaving) {
  auto& all = runtime();
  if (all.ended_by.load() == std::this_thread::get_id()) return;
  while (!all.turn.try_lock_for(std::chrono::milliseconds(50))) {
    leaving.begin();
    if (!all.ending.load()) check_signals();
    leaving.end();
  }
}

void set_threads(std::int64_t count) {
  if (count < 1 || count > most_threads)
    throw nb::value_error(
        ("set_threads: " + std::to_string(count) + " threads, expected 1 to " + std::to_string(most_threads)).c_str());
  auto& all = runtime();
  if (!holds_turn()) {
    Leaving leaving;
    const nb::gil_scoped_release released;
    wait_for_turn(leaving);
    const bool started = all.all.has_value();
    if (!started) all.threads = static_cast<int>(count);
    unlock_turn();
    if (!started) return;
  }
  const Turn turn(small_below);
  all.threads = static_cast<int>(count);
  all.all = instance_of(all.threads);
}

int threads() {
  const Turn turn(small_below);
  if constexpr (std::is_constructible_v<Host, int>) {  // (in Kokkos 4 an instance reports the default's threads)
    if (runtime().threads > 0) return runtime().threads;
  }
  return host().concurrency();
}

/// A forked process has only the thread that forked. So no thread may be in a turn, and OpenMP must have no pool of
/// threads. Otherwise the new process would wait for these threads without end.
void before_fork() {
  if (!holds_turn()) {
    const nb::gil_scoped_release released;
    lock_turn();
  }
#ifdef _OPENMP
  if (Kokkos::is_initialized()) omp_pause_resource_all(omp_pause_soft);
#endif
}

void after_fork() {
  if (!holds_turn()) unlock_turn();
}

void after_fork_in_child() {
  runtime().leaving = 0;  // (the forked process does not have these threads)
#if defined(BLOCKFW_BUILT_FOR_DEVICE)
  if (Kokkos::is_initialized() && !without_device()) {
    runtime().without_device = true;
    // The end of Kokkos and of static objects would call the device. So the process ends without them.
    on_exit(
        [](int status, void*) {
          std::fflush(nullptr);
          _exit(status);
        },
        nullptr);
  }
#endif
  after_fork();
}

/// \brief Ends the solves of daemon threads while they can still return to Python, and lets them begin no other.
///
/// A thread that asked for the interpreter's lock later would be ended by Python in the midst of a destructor. This
/// thread may go on to call the library.
void at_exit() {
  auto& all = runtime();
  if (holds_turn() || all.ending.exchange(true)) return;
  const nb::gil_scoped_release released;
  all.turn.lock();
  all.ended_by = std::this_thread::get_id();
  while (all.leaving.load() > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

/// Ends this thread, quietly, if Python ends.
void require_python() {
  if (!runtime().ending.load() || runtime().ended_by.load() == std::this_thread::get_id()) return;
  PyErr_SetNone(PyExc_SystemExit);
  throw nb::python_error();
}

}  // namespace

void Leaving::begin() {
  begun = true;
  ++runtime().leaving;
}

void Leaving::end() {
  if (begun) --runtime().leaving;
  begun = false;
}

Turn::Turn(std::int64_t vertices) {
  if (holds_turn()) throw std::runtime_error("blockfw is called while it calls this thread's progress function");
  wait_for_turn(leaving_);
  runtime().in_turn = std::this_thread::get_id();
  try {
    if (!without_device()) callers_device_ = current_device();
    start();
    runtime().current = vertices < small_below ? &*runtime().one : &*runtime().all;
  } catch (...) {
    leave();
    throw;
  }
}

Turn::~Turn() { leave(); }

void Turn::leave() {
  if (callers_device_ >= 0) use_device(callers_device_);
  leaving_.begin();
  runtime().in_turn = std::thread::id();
  unlock_turn();
}

const Host& host() { return *runtime().current; }

void check_signals() {
  const nb::gil_scoped_acquire python;
  require_python();
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

bool without_device() { return runtime().without_device; }

blockfw::Progress watch(const nb::object& callback) {
  const bool calls = !callback.is_none();
  using Clock = std::chrono::steady_clock;
  return [&callback, calls, last = Clock::now()](std::int64_t done, std::int64_t all) mutable {
    const auto now = Clock::now();
    if (done < all && now - last < std::chrono::milliseconds(20)) return;
    last = now;
    check_signals();
    if (!calls) return;
    const nb::gil_scoped_acquire python;
    callback(done, all);
  };
}

void bind_runtime(nb::module_& m) {
  m.def("set_threads", &set_threads, nb::arg("count"));
  m.def("threads", &threads);
  m.def("started", [] { return Kokkos::is_initialized(); });
  m.def("backend", [] {
    const Turn turn(0);
    return std::string(Exec::name());
  });
  m.def("before_fork", &before_fork);
  m.def("after_fork", &after_fork);
  m.def("after_fork_in_child", &after_fork_in_child);
  m.def("at_exit", &at_exit);
}

}  // namespace bindings
