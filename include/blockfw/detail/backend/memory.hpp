// SPDX-License-Identifier: MIT
/// \file
/// \brief Checks how much memory is available before a matrix is allocated.
#pragma once

#include "blockfw/detail/backend/backend.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"

#include <Kokkos_Core.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>

namespace blockfw::detail {

/// The sum of the values of some keys in a file of lines "key value ...".
inline double sum_of(const char* path, std::initializer_list<std::string_view> keys) {
  std::ifstream file(path);
  double sum = 0, value = 0;
  for (std::string key, rest; file >> key >> value; std::getline(file, rest))
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) sum += value;
  return sum;
}

/// The bytes that Linux reports as available on the host. The limit of the control group (version 2) counts, too, if
/// its files are visible. If Linux reports nothing, all memory of the machine counts as available.
inline double available_host_bytes() {
  double available = 1024 * sum_of("/proc/meminfo", {"MemAvailable:"});
  if (available <= 0)
    available = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  double limit = 0, used = 0;
  if (std::ifstream("/sys/fs/cgroup/memory.max") >> limit && std::ifstream("/sys/fs/cgroup/memory.current") >> used) {
    const double files = sum_of("/sys/fs/cgroup/memory.stat", {"active_file", "inactive_file", "slab_reclaimable"});
    available = std::min(available, limit - used + files);  // Linux gives up file caches for allocations
  }
  return available;
}

/// Asks for large pages for a large array that nothing has touched yet: fewer page faults, and fewer TLB misses when
/// edges are scattered. This is only a hint.
inline void prefer_large_pages([[maybe_unused]] void* data, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  const std::uintptr_t page = 4096, start = reinterpret_cast<std::uintptr_t>(data);
  const std::size_t skipped = round_up(start, page) - start;
  if (skipped < bytes) madvise(static_cast<std::byte*>(data) + skipped, bytes - skipped, MADV_HUGEPAGE);
#endif
}

inline std::string gigabytes(double bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f GB", bytes * 1e-9);
  return text;
}

/// Bytes with a unit, to four digits.
inline std::string amount(double bytes) {
  const char* const units[] = {"bytes", "kB", "MB", "GB", "TB"};
  int unit = 0;
  for (; unit < 4 && bytes >= 999.95; ++unit) bytes /= 1000;
  char text[32];
  std::snprintf(text, sizeof text, "%.4g %s", bytes, units[unit]);
  return text;
}

/// Bytes available in the memory that the instance works on; infinity if that is not known.
template <class ExecSpace>
double available_bytes([[maybe_unused]] const ExecSpace& exec) {
  if constexpr (is_host_space<ExecSpace>)
    return available_host_bytes();
  else
    return Backend<ExecSpace>::available_bytes(exec).value_or(std::numeric_limits<double>::infinity());
}

/// \throws OutOfMemory with the numbers of bytes that are needed and available
[[noreturn]] inline void throw_out_of_memory(const std::string& what, double needed, double available, double besides,
                                             bool on_host) {
  throw OutOfMemory(what + " need " + gigabytes(needed) + " of " + (on_host ? "" : "device ") + "memory, " +
                    gigabytes(available) + " are available" +
                    (needed <= available ? ", and " + gigabytes(besides) + " are needed for the solve" : ""));
}

/// \brief Throws if an array on the host does not fit. Needs no Kokkos.
/// \param what    the content of the memory, in the plural ("5 edges")
/// \param needed  bytes
/// \throws OutOfMemory
inline void require_host_memory(const std::string& what, double needed) {
  constexpr double always_there = 1 << 20;  // (a look at the system takes longer than a small array)
  if (needed <= always_there) return;
  const double available = available_host_bytes();
  if (needed > available) throw_out_of_memory(what, needed, available, 0, true);
}

/// \brief Throws if an allocation does not fit the memory that the instance works on.
/// \param what     the content of the memory, in the plural ("5 edges")
/// \param needed   bytes
/// \param besides  bytes that other allocations will need at the same time
/// \throws OutOfMemory
template <class ExecSpace>
void require_memory(const ExecSpace& exec, const std::string& what, double needed, double besides = 0) {
  require_kokkos();
  const double available = available_bytes(exec);
  if (needed + besides > available) throw_out_of_memory(what, needed, available, besides, is_host_space<ExecSpace>);
}

}  // namespace blockfw::detail
