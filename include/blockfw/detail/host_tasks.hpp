// SPDX-License-Identifier: MIT
/// \file
/// \brief Tasks for the threads of a host.
#pragma once

#include "blockfw/tile.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace blockfw::detail {

/// Calls f(task) for the tasks [0, count), each on the next host thread that is free. f must not throw.
template <class Host, class F>
void for_tasks(const Host& exec, std::int64_t count, const char* label, const F& f) {
  if (count == 1) return f(0);
  Kokkos::parallel_for(label,
                       Kokkos::RangePolicy<Host, Kokkos::Schedule<Kokkos::Dynamic>>(exec, 0, count).set_chunk_size(1),
                       [&](std::int64_t task) { f(task); });
  exec.fence(label);
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
