// SPDX-License-Identifier: MIT
#include "runtime.hpp"

#include "rooms.hpp"

#include <nanobind/stl/string.h>
#include <blockfw/kokkos_runtime.hpp>

#ifdef _OPENMP
#include <omp.h>
#endif

#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

namespace bindings {

namespace {

/// All that lasts from call to call. (Not destroyed: a thread may still be in a turn when the program ends.)
struct Runtime {
  std::mutex turn;
  std::atomic<std::thread::id> in_turn;
  int threads = 0;               ///< wanted; 0: as many as Kokkos takes
  std::optional<Host> all, one;  ///< instances of that many threads, and of one
  const Host* current = nullptr;
};

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

void start() {
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

void set_threads(int count) {
  if (count < 1)
    throw nb::value_error(("set_threads: " + std::to_string(count) + " threads, expected 1 or more").c_str());
  auto& all = runtime();
  if (!Kokkos::is_initialized()) {
    all.threads = count;
    return;
  }
  const Turn turn(small_below);
  all.threads = count;
  all.all = instance_of(count);
}

int threads() {
  const Turn turn(small_below);
  return host().concurrency();
}

bool holds_turn() { return runtime().in_turn.load() == std::this_thread::get_id(); }

/// A forked process has the thread that forked only: none may be in a turn, and a pool of OpenMP's threads must not be
/// there, since the new process would wait for them for ever.
void before_fork() {
  if (!holds_turn()) {
    const nb::gil_scoped_release released;
    runtime().turn.lock();
  }
#ifdef _OPENMP
  if (Kokkos::is_initialized()) omp_pause_resource_all(omp_pause_soft);
#endif
}

void after_fork() {
  if (!holds_turn()) runtime().turn.unlock();
}

}  // namespace

Turn::Turn(std::int64_t vertices) {
  if (holds_turn()) throw std::runtime_error("blockfw is called while it calls this thread's progress function");
  runtime().turn.lock();
  runtime().in_turn = std::this_thread::get_id();
  try {
    start();
    runtime().current = vertices < small_below ? &*runtime().one : &*runtime().all;
  } catch (...) {
    runtime().in_turn = std::thread::id();
    runtime().turn.unlock();
    throw;
  }
}

Turn::~Turn() {
  runtime().in_turn = std::thread::id();
  runtime().turn.unlock();
}

const Host& host() { return *runtime().current; }

void check_signals() {
  const nb::gil_scoped_acquire python;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

blockfw::Progress watch(const nb::object& callback) {
  const bool calls = !callback.is_none();
  if (!on_host && !calls) return {};  // (on a device it would cut the launches that do many rounds)
  using Clock = std::chrono::steady_clock;
  return [&callback, calls, last = Clock::now()](std::int64_t done, std::int64_t all) mutable {
    const auto now = Clock::now();
    if (done < all && now - last < std::chrono::milliseconds(20)) return;
    last = now;
    const nb::gil_scoped_acquire python;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (calls) callback(done, all);
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
}

}  // namespace bindings
