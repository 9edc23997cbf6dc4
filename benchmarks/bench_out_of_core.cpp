// SPDX-License-Identifier: MIT
// Out-of-core solves of random graphs on the host, of which the device (or host) may hold a given percentage. The
// matrix lies in pinned memory, in memory that the solve pins, or in memory that is copied through pinned memory.

#include "bench.hpp"

#include <blockfw/out_of_core.hpp>

namespace {

using T = std::int32_t;
using bench::Exec, bench::Plan;
using Host = Kokkos::DefaultHostExecutionSpace;
using Pinned = Kokkos::View<T**, Kokkos::LayoutRight, Kokkos::SharedHostPinnedSpace>;
using Plain = Kokkos::View<T**, Kokkos::LayoutRight, Kokkos::HostSpace>;

/// The graph of bench::fill_random(), filled by the host.
template <class View>
void fill_on_host(const View& d) {
  const auto n = static_cast<std::int64_t>(d.extent(1));
  Kokkos::parallel_for("random_graph", Kokkos::RangePolicy<Host, Kokkos::IndexType<std::int64_t>>(0, n),
                       [=](std::int64_t i) {
                         for (std::int64_t j = 0; j < n; ++j) {
                           const std::uint64_t random = bench::random_at(static_cast<std::uint64_t>(i * n + j));
                           d(i, j) = i == j ? T(0) : static_cast<T>(1 + (random >> 32) % 100);
                         }
                       });
  Host().fence();
}

template <class View>
void run(benchmark::State& state, std::int64_t n, const blockfw::OutOfCoreOptions& options) {
  const auto order = static_cast<std::size_t>(n);
  const View d(Kokkos::view_alloc("distances", Kokkos::WithoutInitializing), order, order);
  blockfw::OutOfCoreStats stats;
  bench::measure(
      state, Exec(), [&] { fill_on_host(d); },
      [&] { stats = blockfw::out_of_core_floyd_warshall(Exec{}, d, options); });
  bench::count_relaxes<T>(state, bench::relaxes(n));
  state.counters["waited"] = stats.waiting_seconds;
  state.counters["prepared"] = stats.preparing_seconds;
  state.counters["bytes"] = stats.loaded + stats.stored;
}

template <class View>
void add_memory(const char* host, std::int64_t n, bool pin) {
  for (const std::int64_t percent : {25, 50})
    bench::add(std::string("out_of_core/host:") + host, {{"percent", percent}, {"n", n}}, [=](benchmark::State& state) {
      const double memory = 0.01 * double(percent) * double(n) * double(n) * sizeof(T);
      run<View>(state, n, {.memory = memory, .negative = false, .pin = pin});
    });
}

}  // namespace

void bench::add_out_of_core(Plan plan) {
  if (plan != Plan::full) return;
  const std::int64_t n = on_host ? 4096 : 30000;
  add_memory<Pinned>("pinned", n, true);
  add_memory<Plain>("plain", n, true);
  add_memory<Plain>("staged", n, false);
}
