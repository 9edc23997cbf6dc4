/// \file
/// \brief How much memory is left, asked before a matrix is allocated.
#pragma once

#include "blockfw/error.hpp"
#include "blockfw/tile.hpp"

#include <Kokkos_Core.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

namespace blockfw::detail {

/// The sum of some entries of a file of lines "key value ...".
inline double sum_of(const char* path, std::initializer_list<std::string_view> keys) {
  std::ifstream file(path);
  double sum = 0, value = 0;
  for (std::string key, rest; file >> key >> value; std::getline(file, rest))
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) sum += value;
  return sum;
}

/// Bytes that Linux, and the limit of the control group (version 2) whose files are in sight, leave; what the machine
/// has where neither says anything.
inline double available_host_bytes() {
  double available = 1024 * sum_of("/proc/meminfo", {"MemAvailable:"});
  if (available <= 0)
    available = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  double limit = 0, used = 0;
  if (std::ifstream("/sys/fs/cgroup/memory.max") >> limit && std::ifstream("/sys/fs/cgroup/memory.current") >> used) {
    const double files = sum_of("/sys/fs/cgroup/memory.stat", {"active_file", "inactive_file", "slab_reclaimable"});
    available = std::min(available, limit - used + files);  // what caches files is given up when memory is asked for
  }
  return available;
}

/// Asks for large pages under a large array that nothing has touched yet: fewer page faults, fewer TLB misses when
/// edges are scattered. Only a hint.
inline void prefer_large_pages([[maybe_unused]] void* data, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  const std::uintptr_t page = 4096, first = (reinterpret_cast<std::uintptr_t>(data) + page - 1) / page * page;
  const std::uintptr_t last = reinterpret_cast<std::uintptr_t>(data) + bytes;
  if (first < last) madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
#endif
}

inline std::string gigabytes(double bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f GB", bytes * 1e-9);
  return text;
}

/// To four digits.
inline std::string amount(double bytes) {
  const char* const units[] = {"bytes", "kB", "MB", "GB", "TB"};
  int unit = 0;
  for (; unit < 4 && bytes >= 999.95; ++unit) bytes /= 1000;
  char text[32];
  std::snprintf(text, sizeof text, "%.4g %s", bytes, units[unit]);
  return text;
}

/// Bytes left in the memory that the instance works on; infinity where that cannot be asked.
template <class ExecSpace>
double available_bytes([[maybe_unused]] const ExecSpace& exec) {
  [[maybe_unused]] std::size_t available = 0, all = 0;
  [[maybe_unused]] int current = 0;
  if constexpr (is_host_space<ExecSpace>) return available_host_bytes();
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (std::is_same_v<ExecSpace, Kokkos::Cuda>) {
    cudaGetDevice(&current);
    cudaSetDevice(exec.cuda_device());
    const bool answered = cudaMemGetInfo(&available, &all) == cudaSuccess;
    cudaSetDevice(current);
    if (answered) return static_cast<double>(available);
  }
#endif
#ifdef KOKKOS_ENABLE_HIP
  if constexpr (std::is_same_v<ExecSpace, Kokkos::HIP>) {
    (void)hipGetDevice(&current);
    (void)hipSetDevice(exec.hip_device());
    const bool answered = hipMemGetInfo(&available, &all) == hipSuccess;
    (void)hipSetDevice(current);
    if (answered) return static_cast<double>(available);
  }
#endif
  return std::numeric_limits<double>::infinity();
}

/// \brief Refuses what does not fit the memory that the instance works on.
/// \param what     what it is for, in the plural ("5 edges")
/// \param needed   bytes
/// \param besides  bytes that will be needed for other things then
/// \throws OutOfMemory
template <class ExecSpace>
void require_memory(const ExecSpace& exec, const std::string& what, double needed, double besides = 0) {
  const double available = available_bytes(exec);
  if (needed + besides > available)
    throw OutOfMemory(what + " need " + gigabytes(needed) + " of " + (is_host_space<ExecSpace> ? "" : "device ") +
                      "memory, " + gigabytes(available) + " are available" +
                      (needed <= available ? ", and " + gigabytes(besides) + " are needed for the solve" : ""));
}

}  // namespace blockfw::detail
