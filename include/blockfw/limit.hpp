/// \file
/// \brief The machine's own speed limit, measured: add and min on registers alone.
#pragma once

#include "blockfw/detail/simd.hpp"
#include "blockfw/semiring.hpp"
#include "blockfw/tile.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>

namespace blockfw {

namespace detail {

#if defined(__x86_64__)
#define BLOCKFW_FORGET(v) __asm__ volatile("" : "+v"(v))
#elif defined(__aarch64__)
#define BLOCKFW_FORGET(v) __asm__ volatile("" : "+w"(v))
#else
#define BLOCKFW_FORGET(v) __asm__ volatile("" : "+m"(v))
#endif

/// The inner loop of a register tile without its loads. The compiler is made to forget what a is, and b each turn, so
/// that no sum can be folded or kept. (Every loop over the accumulators is unrolled: indexed by a variable even once,
/// GCC would keep them in memory and show a quarter of the limit.)
template <Distance T>
std::int64_t relax_registers_only(std::int64_t turns) {
  constexpr int lanes = vector_bytes / static_cast<int>(sizeof(T));
  constexpr int rows = 4, vectors = vector_registers / 8;
  using V = simd<T, lanes>;
  V c[rows][vectors], a[rows], b[vectors];
  BLOCKFW_UNROLL
  for (int v = 0; v < vectors; ++v) b[v] = broadcast<V>(static_cast<T>(v));
  BLOCKFW_UNROLL
  for (int r = 0; r < rows; ++r) {
    a[r] = broadcast<V>(static_cast<T>(r));
    BLOCKFW_FORGET(a[r]);
    BLOCKFW_UNROLL
    for (int v = 0; v < vectors; ++v) c[r][v] = broadcast<V>(infinity<T>);
  }
  for (std::int64_t t = 0; t < turns; ++t) {
    BLOCKFW_UNROLL
    for (int v = 0; v < vectors; ++v) BLOCKFW_FORGET(b[v]);
    BLOCKFW_UNROLL
    for (int r = 0; r < rows; ++r) BLOCKFW_UNROLL
    for (int v = 0; v < vectors; ++v) c[r][v] = MinPlus<T>::relax(c[r][v], a[r], b[v]);
  }
  BLOCKFW_UNROLL
  for (int r = 0; r < rows; ++r) BLOCKFW_UNROLL
  for (int v = 0; v < vectors; ++v) BLOCKFW_FORGET(c[r][v]);
  return turns * rows * vectors * lanes;
}
#undef BLOCKFW_FORGET

}  // namespace detail

/// \brief Relaxes a second (`min(c, a + b)`) that the space can do at best, all its threads at once.
///
/// Takes about 0.2 s; the best of many short tries, for others may be at work too. Host spaces.
template <Distance T, class ExecSpace>
double measure_limit(const ExecSpace& exec) {
  static_assert(is_host_space<ExecSpace>, "blockfw: the limit is measured on host execution spaces only");
  using Policy = Kokkos::RangePolicy<ExecSpace, Kokkos::Schedule<Kokkos::Static>, Kokkos::IndexType<std::int64_t>>;
  const std::int64_t threads = exec.concurrency(), turns = 500'000;
  double best = 0;
  for (int attempt = 0; attempt < 20; ++attempt) {
    std::int64_t relaxes = 0;
    const Kokkos::Timer timer;
    Kokkos::parallel_reduce(
        "blockfw::limit", Policy(exec, 0, threads),
        [=](std::int64_t, std::int64_t& sum) { sum += detail::relax_registers_only<T>(turns); }, relaxes);
    best = std::max(best, static_cast<double>(relaxes) / timer.seconds());
  }
  return best;
}

}  // namespace blockfw
