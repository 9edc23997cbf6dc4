// SPDX-License-Identifier: MIT
// The order from which on a device is worth its copies: the host's cores compared with the device, both from a matrix
// on the host to distances on the host.

#include "bench.hpp"

namespace {

using bench::Exec;
using Host = Kokkos::DefaultHostExecutionSpace;
using T = std::int32_t;
using OnHost = Kokkos::View<T**, Kokkos::LayoutRight, Kokkos::HostSpace>;

template <class AnyExec>
void run(benchmark::State& state, std::int64_t n) {
  const AnyExec exec;
  const auto order = static_cast<std::size_t>(n);
  const OnHost weights("weights", order, order), d("distances", order, order);
  Kokkos::deep_copy(weights, bench::kept_random_graph<T>(n));
  bench::measure(
      state, exec, [&] { Kokkos::deep_copy(d, weights); },
      [&] {
        if constexpr (blockfw::is_host_space<AnyExec>) {
          blockfw::blocked_floyd_warshall(exec, d);
        } else {
          const auto there = blockfw::allocate_distances<T>(exec, n);
          Kokkos::deep_copy(exec, there, d);
          blockfw::blocked_floyd_warshall(exec, there);
          Kokkos::deep_copy(exec, d, there);
        }
      });
  bench::count_relaxes<T>(state, bench::relaxes(n), bench::limit_now<T>(exec));
}

}  // namespace

void bench::add_crossover(Plan plan) {
  const auto orders = of<std::int64_t>(plan, {64, 128, 256, 512, 1024}, {64, 128, 192, 256, 384, 512, 768, 1024, 2048},
                                       {64, 128, 192, 256, 384, 512, 768, 1024, 2048, 4096, 8192});
  for (const std::int64_t n : orders) {
    add("crossover/space:host", {{"n", n}}, [n](benchmark::State& state) { run<Host>(state, n); });
    if constexpr (!on_host)
      add("crossover/space:device", {{"n", n}}, [n](benchmark::State& state) { run<Exec>(state, n); });
  }
}
