// SPDX-License-Identifier: MIT
/// \file
/// \brief Tasks for the threads of a host.
#pragma once

#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/ground/matrix.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

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

/// The instance for the host's part of the work.
template <class ExecSpace>
auto host_of(const ExecSpace& exec) {
  if constexpr (is_host_space<ExecSpace>)
    return exec;
  else
    return Kokkos::DefaultHostExecutionSpace();
}

}  // namespace blockfw::detail
