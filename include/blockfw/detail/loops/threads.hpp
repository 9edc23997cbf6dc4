// SPDX-License-Identifier: MIT
/// \file
/// \brief Tasks for the threads of a host.
#pragma once

#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <new>
#include <thread>
#include <vector>

#ifdef KOKKOS_ENABLE_OPENMP
#include <omp.h>
#endif

namespace blockfw::detail {

/// The part of for_tasks() that is compiled once.
template <class Host>
void run_tasks(const Host& exec, std::int64_t count, const char* label, const AnyBody<std::int64_t>& task) {
  using Tasks = Kokkos::RangePolicy<Host, Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::IndexType<std::int64_t>>;
  Kokkos::parallel_for(label, Tasks(exec, 0, count).set_chunk_size(1), task);
  exec.fence(label);
}

/// Calls f(task) for the tasks [0, count), each on the next host thread that is free. f must not throw.
template <class Host, class F>
void for_tasks(const Host& exec, std::int64_t count, const char* label, const F& f) {
  if (count == 1) return f(0);
  run_tasks(exec, count, label, any_body<std::int64_t>(f));
}

/// \brief Calls f(worker, task) for the tasks [begin, end), each on the next host thread that is free. Each thread
/// makes a worker by make(), and keeps it for all its tasks.
/// \return false if a task lacked memory (std::bad_alloc); then some tasks are not done. Tasks may throw no other
/// exception.
template <class Host, class Make, class F>
[[nodiscard]] bool for_workers(const Host& exec, std::size_t begin, std::size_t end, const char* label,
                               const Make& make, const F& f) {
  const std::size_t workers = std::min(end - begin, static_cast<std::size_t>(exec.concurrency()));
  std::atomic<std::size_t> next = begin;
  std::atomic<bool> full = false;
  for_tasks(exec, static_cast<std::int64_t>(workers), label, [&](std::int64_t) {
    try {
      auto worker = make();
      for (std::size_t task; (task = next++) < end;) f(worker, task);
    } catch (const std::bad_alloc&) {  // (a task must not throw)
      full = true;
      next = end;
    }
  });
  return !full;
}

/// Whether the calling thread is one of several that run a loop. A Kokkos loop that begins another one would never end.
inline bool in_parallel_loop() {
#ifdef KOKKOS_ENABLE_OPENMP
  return omp_in_parallel() != 0;
#else
  return false;
#endif
}

/// The threads of the default host instance that for_host_tasks() has.
inline int host_threads() {
  return Kokkos::is_initialized() && !in_parallel_loop() ? Kokkos::DefaultHostExecutionSpace().concurrency() : 1;
}

/// \brief Calls f(task) for the tasks [0, count) on the threads of the default host instance. Before Kokkos is
/// initialised, and inside a loop of OpenMP, the calling thread does all tasks.
/// \throws std::bad_alloc if a task lacked memory. Tasks may throw no other exception.
template <class F>
void for_host_tasks(std::int64_t count, const char* label, const F& f) {
  if (count < 2 || host_threads() < 2) {
    for (std::int64_t task = 0; task < count; ++task) f(task);
  } else if (!for_workers(
                 Kokkos::DefaultHostExecutionSpace(), 0, static_cast<std::size_t>(count), label, [] { return 0; },
                 [&](int, std::size_t task) { f(static_cast<std::int64_t>(task)); })) {
    throw std::bad_alloc();
  }
}

/// Calls f(first, end) for pieces of the items [0, count), as for_host_tasks() does.
template <class F>
void for_host_pieces(std::size_t count, const char* label, const F& f) {
  constexpr std::size_t at_once = 4096;
  for_host_tasks(static_cast<std::int64_t>((count + at_once - 1) / at_once), label, [&](std::int64_t task) {
    const std::size_t first = static_cast<std::size_t>(task) * at_once;
    f(first, std::min(count, first + at_once));
  });
}

/// The instance for the host's part of the work.
template <class ExecSpace>
auto host_of(const ExecSpace& exec) {
  if constexpr (is_host_space<ExecSpace>)
    return exec;
  else
    return Kokkos::DefaultHostExecutionSpace();
}

/// \brief Calls f(first, end) for parts of the items [0, count), and progress(items done, count) after each part.
/// Without progress it calls f once, for all items.
/// \param steps  the steps that an item may take, such as the edges that are looked at
/// \param least  the items of a host's thread that make a part worth it
template <class ExecSpace, class F>
void in_parts(const ExecSpace& exec, std::int64_t count, std::int64_t steps, std::int64_t least,
              const Progress& progress, const F& f) {
  if (!progress) return f(std::int64_t{0}, count);
  // (Some hundredths of a second on a core, and half a second in code that is not optimised.)
  constexpr std::int64_t steps_at_once = is_host_space<ExecSpace> ? 1 << 22 : 1 << 30;
  const std::int64_t threads_worth = is_host_space<ExecSpace> ? least * std::int64_t(exec.concurrency()) : 1024;
  const std::int64_t at_once = std::max(threads_worth, steps_at_once / std::max<std::int64_t>(1, steps));
  for (std::int64_t first = 0; first < count; first += at_once) {
    const std::int64_t end = std::min(count, first + at_once);
    f(first, end);
    progress(end, count);
  }
}

/// Calls f(0) on the calling thread and f(1) to f(count - 1) on a thread each.
/// \throws the error of the lowest index that has one
inline void in_threads(int count, const std::function<void(int)>& f) {
  std::vector<std::exception_ptr> errors(static_cast<std::size_t>(count));
  const auto guarded = [&](int i) {
    try {
      f(i);
    } catch (...) {
      errors[static_cast<std::size_t>(i)] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> threads;
    for (int i = 1; i < count; ++i) threads.emplace_back(guarded, i);
    guarded(0);
  }
  for (const auto& error : errors)
    if (error) std::rethrow_exception(error);
}

}  // namespace blockfw::detail
