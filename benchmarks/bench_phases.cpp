// SPDX-License-Identifier: MIT
// The time of each phase, fenced, one after the other, and the time of the solver, in which they overlap.

#include "bench.hpp"

#include <numeric>

namespace {

using bench::Exec, bench::Orders;

template <class T, class TileShape>
void run(benchmark::State& state, std::int64_t n) {
  const Exec exec;
  const auto weights = bench::kept_random_graph<T>(n);
  const auto d = blockfw::allocate_distances<T>(exec, n);
  std::vector<bench::ThreeOf> seconds;  // of each call; the first may warm up
  bench::measure_solve(state, weights, [&](const Exec&, const bench::Matrix<T>& matrix) {
    seconds.push_back(bench::time_phases<TileShape, T>(exec, matrix));
  });
  const auto calls = static_cast<std::ptrdiff_t>(state.iterations());
  for (int repeat = 0; repeat < 2; ++repeat) {  // the first warms up
    Kokkos::deep_copy(exec, d, weights);
    exec.fence();
    const Kokkos::Timer timer;
    blockfw::blocked_floyd_warshall(exec, d);
    exec.fence();
    state.counters["solver"] = timer.seconds();
  }
  bench::count_relaxes<T>(state, bench::relaxes(n));

  for (std::size_t phase = 0; phase < 3; ++phase) {
    const double all = std::accumulate(seconds.end() - calls, seconds.end(), 0.0,
                                       [&](double sum, const bench::ThreeOf& call) { return sum + call[phase]; });
    state.counters["phase" + std::to_string(phase + 1)] = all / static_cast<double>(calls);
  }
}

/// With the tile that the solver takes for the order.
template <class T>
void run_tuned(benchmark::State& state, std::int64_t n) {
  using Tuned = blockfw::DefaultTile<Exec, T>;
  if constexpr (requires { typename Tuned::small_type; }) {
    if constexpr (Tuned::relay_below > 0)
      if (n < Tuned::relay_below) return run<T, typename Tuned::relay_type>(state, n);
    if (n < Tuned::small_below) return run<T, typename Tuned::small_type>(state, n);
  }
  run<T, typename Tuned::type>(state, n);
}

template <class T>
void add_type(const Orders& orders) {
  for (const std::int64_t n : orders)
    bench::add("phases/" + bench::type_name<T>, {{"n", n}}, [n](benchmark::State& state) { run_tuned<T>(state, n); });
}

}  // namespace

void bench::add_phases(Plan plan) {
  add_type<std::int32_t>(
      on_host ? of<std::int64_t>(plan, {512, 1024, 2048}, {512, 1024, 2048, 4096}, {512, 1024, 2048, 4096, 6000})
              : of<std::int64_t>(plan, {1000, 2500, 5000}, {1000, 2500, 5000, 10000, 20000},
                                 {500, 1000, 2500, 5000, 7500, 10000, 20000}));
  if (plan == Plan::full) add_type<float>(on_host ? Orders{1024, 4096} : Orders{1000, 5000, 20000});
}
