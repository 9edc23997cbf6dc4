/// \file
/// \brief Device memory that is kept from call to call, since getting it would take longer than to solve a small graph.
#pragma once

#include <Kokkos_Core.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace blockfw::detail {

/// \brief At least so many bytes for the work queued on this instance, all zero when new.
///
/// The same memory is given for the next call on the instance that names the same purpose: work on one instance runs in
/// order, so the earlier call is done with it. Freed by Kokkos::finalize().
template <class ExecSpace>
Kokkos::View<std::byte*, typename ExecSpace::memory_space> workspace(const ExecSpace& exec, std::size_t bytes,
                                                                     const char* purpose) {
  using Memory = Kokkos::View<std::byte*, typename ExecSpace::memory_space>;
  struct Kept {
    ExecSpace exec;
    Memory memory;
  };
  static std::mutex mutex;
  static std::vector<Kept> kept;

  const std::lock_guard lock(mutex);
  if (kept.empty()) Kokkos::push_finalize_hook([] { kept.clear(); });
  for (Kept& k : kept)
    if (k.exec == exec && k.memory.label() == purpose) {
      if (k.memory.size() < bytes) {
        k.memory = Memory(Kokkos::view_alloc(exec, std::string(purpose)), bytes);
      }
      return k.memory;
    }
  kept.push_back({exec, Memory(Kokkos::view_alloc(exec, std::string(purpose)), bytes)});
  return kept.back().memory;
}

/// The first of so many numbers above 0 that nobody else has.
inline std::int64_t take_tickets(std::int64_t count) {
  static std::atomic<std::int64_t> next = 1;
  return next.fetch_add(count);
}

}  // namespace blockfw::detail
