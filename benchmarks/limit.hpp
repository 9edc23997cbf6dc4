// SPDX-License-Identifier: MIT
/// \file
/// \brief The machine's own speed limit, measured: add and min on registers alone. Also vectors of the level that the
/// compiler targets, for benchmarks of memory and of ladders.
#pragma once

#include "blockfw/detail/backend/backend.hpp"
#include "blockfw/detail/backend/portable.hpp"
#include "blockfw/detail/backend/vectors.hpp"
#include "blockfw/detail/base/lanes.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <thread>
#ifdef KOKKOS_ENABLE_OPENMP
#include <omp.h>
#endif

namespace blockfw {

namespace detail {

/// The inner loop of a register tile without its loads. forget() hides the values of a, and of b in each iteration,
/// from the compiler, so that it cannot fold or keep a sum. (Every loop over the accumulators is unrolled: if a
/// variable indexed them even once, GCC would keep them in memory and show a quarter of the limit.)
template <class Level, Element T>
BLOCKFW_ALWAYS_INLINE std::int64_t relax_registers_only(std::int64_t iterations) {
  constexpr int vector_width = Level::bytes / static_cast<int>(sizeof(T));
  constexpr int rows = 4, vectors = Level::registers / 8;
  using V = Lanes<Level, T, vector_width>;
  V c[rows][vectors], a[rows], b[vectors];
  BLOCKFW_UNROLL
  for (int v = 0; v < vectors; ++v) b[v] = V::broadcast(static_cast<T>(v));
  BLOCKFW_UNROLL
  for (int r = 0; r < rows; ++r) {
    a[r] = V::broadcast(static_cast<T>(r));
    a[r].forget();
    BLOCKFW_UNROLL
    for (int v = 0; v < vectors; ++v) c[r][v] = V::broadcast(infinity<T>);
  }
  for (std::int64_t t = 0; t < iterations; ++t) {
    BLOCKFW_UNROLL
    for (int v = 0; v < vectors; ++v) b[v].forget();
    BLOCKFW_UNROLL
    for (int r = 0; r < rows; ++r) BLOCKFW_UNROLL
    for (int v = 0; v < vectors; ++v) c[r][v] = MinPlus<T>::relax(c[r][v], a[r], b[v]);
  }
  BLOCKFW_UNROLL
  for (int r = 0; r < rows; ++r) BLOCKFW_UNROLL
  for (int v = 0; v < vectors; ++v) c[r][v].forget();
  return iterations * rows * vectors * vector_width;
}

/// Seconds for which the calling thread has had a core. Other work that has taken the core in between does not count,
/// where the system has such a clock.
inline double thread_seconds() {
  std::timespec now{};
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) != 0) clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// The hardware threads that this process may use. (A control group's quota does not count.)
inline int hardware_threads() {
#ifdef KOKKOS_ENABLE_OPENMP
  return omp_get_num_procs();
#else
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
#endif
}

/// Relaxes a second of the calling thread, while it has a core.
template <Element T>
double thread_rate() {
  constexpr std::int64_t iterations = 10'000;  // a small part of the time
  const double begun = thread_seconds();
  double seconds = 0;
  std::int64_t relaxes = 0;
  do {
    relaxes += with_vectors(
        [](auto level) __attribute__((always_inline)) { return relax_registers_only<decltype(level), T>(iterations); });
    seconds = thread_seconds() - begun;
  } while (seconds < 0.004);
  return static_cast<double>(relaxes) / seconds;
}

/// Relaxes a second of a host's threads: the sum of their rates. So a thread that waits for a core, while other work
/// has it, does not lower the limit. More threads than hardware threads are as fast as these. (Beside other work,
/// hardware threads of one core may be measured one after another, each with the whole core.)
template <Element T, class ExecSpace>
double host_rate(const ExecSpace& exec) {
  using Policy = Kokkos::RangePolicy<ExecSpace, Kokkos::Schedule<Kokkos::Static>, Kokkos::IndexType<std::int64_t>>;
  const int threads = exec.concurrency();
  double rate = 0;
  Kokkos::parallel_reduce(
      "blockfw::limit", Policy(exec, 0, threads),
      [=](std::int64_t, [[maybe_unused]] double& sum) {
        // (In a build for a device, the device compiler must not see the vectors.)
        KOKKOS_IF_ON_HOST((sum += thread_rate<T>();))
      },
      rate);
  return rate * std::min(1.0, static_cast<double>(hardware_threads()) / threads);
}

/// The same for a device. Each thread has values of its own that depend on each other in a ring, so that the compiler
/// can leave out none. (There are as many threads as the device can hold; it need not hold all of them at once.)
///
/// \param hidden  1, but the compiler does not know this and must assume that something is written
template <Distance T, class ExecSpace>
double device_rate(const ExecSpace& exec, T hidden) {
  constexpr int width = sizeof(T) == 2 && target.pairs ? 2 : 1, team_size = 256, iterations = 10'000;
  using V = PackedValue<T, width>;
  constexpr int values = 128 / sizeof(V);  // a quarter of a thread's registers, or half of them with more threads
  using Policy =
      Kokkos::TeamPolicy<ExecSpace, Kokkos::LaunchBounds<team_size, sizeof(V) == 8 ? 4 : 2>, Kokkos::IndexType<int>>;
  const int league = exec.concurrency() / team_size;
  T* const nowhere = nullptr;
  const Kokkos::Timer timer;
  Kokkos::parallel_for(
      "blockfw::limit", Policy(exec, league, team_size), KOKKOS_LAMBDA(const typename Policy::member_type& team) {
        V c[values];
        const V b = spread<V>(hidden);
        BLOCKFW_UNROLL
        for (int i = 0; i < values; ++i)
          c[i] = spread<V>(static_cast<T>(hidden * static_cast<T>(team.team_rank() + i)));
        for (int iteration = 0; iteration < iterations; ++iteration) {
          BLOCKFW_UNROLL
          for (int i = 0; i < values; ++i) c[i] = Instructions::relax<MinPlus<T>>(c[i], c[(i + 5) % values], b);
        }
        BLOCKFW_UNROLL
        for (int i = 0; i < values; ++i) BLOCKFW_UNROLL
        for (int w = 0; w < width; ++w)
          if (const T x = get_value<T>(c[i], w); x < T(0)) *nowhere = x;
      });
  exec.fence("blockfw::limit");
  return static_cast<double>(league) * team_size * iterations * values * width / timer.seconds();
}

}  // namespace detail

/// \brief Relaxes a second (`min(c, a + b)`) that the space can do at best, all its threads at once.
///
/// Takes up to 0.2 s, and little more than a second where other work has the cores. The result is the best of many
/// short tries, since other work may slow some. Fences exec.
///
/// \tparam T  a type of distances, or on a host int8_t
template <Element T, class ExecSpace>
double measure_limit(const ExecSpace& exec) {
  constexpr bool on_host = is_host_space<ExecSpace>;
  double best = 0;
  const Kokkos::Timer timer;
  for (int attempt = 0; attempt < (on_host ? 30 : 20) && (attempt < 3 || timer.seconds() < 1); ++attempt) {
    if constexpr (on_host)
      best = std::max(best, detail::host_rate<T>(exec));
    else
      best = std::max(best, detail::device_rate(exec, T(1)));
  }
  return best;
}

}  // namespace blockfw

namespace bench {

inline constexpr int vector_bytes = blockfw::detail::TargetedLevel::bytes;

template <class T, int Width>
struct SimdOf {
  typedef T type __attribute__((vector_size(sizeof(T) * Width)));
};

template <class T, int Width>
using simd = typename SimdOf<T, Width>::type;

/// Stores a vector in memory of any alignment.
template <class V, class T>
BLOCKFW_ALWAYS_INLINE void store(T* to, V v) {
  std::memcpy(to, &v, sizeof v);
}

/// A vector of x's. (x - 0 is x for every x, also for -0.0 and NaN, so this compiles to a single broadcast.)
template <class V, class T>
BLOCKFW_ALWAYS_INLINE V broadcast(T x) {
  return x - V{};
}

}  // namespace bench
