// SPDX-License-Identifier: MIT
// The solver with its defaults, by type and order. On a host: with each level of vectors that the processor has. Then:
// - its phases, timed one by one
// - the order from which on a device is worth its copies; both go from a matrix on the host to distances on the host
// - solves out of core

#include "bench.hpp"

#include <blockfw/detail/backend/vectors.hpp>
#include <blockfw/out_of_core.hpp>

#include <numeric>

namespace {

using bench::Exec, bench::Orders, bench::Plan;

template <class T>
void add_type(const Orders& orders) {
  for (const std::int64_t n : orders)
    bench::add("solve/" + bench::type_name<T>, {{"n", n}}, [n](benchmark::State& state) {
      bench::measure_solve(state, bench::kept_random_graph<T>(n), [](const Exec& exec, const bench::Matrix<T>& d) {
        blockfw::blocked_floyd_warshall(exec, d);
      });
      bench::count_relaxes<T>(state, bench::relaxes(n));
    });
}

template <class T>
void add_levels(const bench::Orders& orders) {
  using blockfw::detail::chosen_vectors;
  for (const auto& level : blockfw::detail::vectors_there_are())
    for (const std::int64_t n : orders)
      bench::add("vectors/" + bench::type_name<T> + "/level:" + std::string(level.name), {{"n", n}},
                 [n, vectors = level.level](benchmark::State& state) {
                   const double limit = bench::limit_now<T>();
                   const auto usual = chosen_vectors();
                   chosen_vectors() = vectors;
                   bench::measure_solve(
                       state, bench::kept_random_graph<T>(n),
                       [](const Exec& exec, const bench::Matrix<T>& d) { blockfw::blocked_floyd_warshall(exec, d); });
                   chosen_vectors() = usual;
                   bench::count_relaxes<T>(state, bench::relaxes(n), limit);
                 });
}

template <class AnyExec>
void add_all_levels(Plan plan) {
  if constexpr (blockfw::is_host_space<AnyExec>) {
    add_levels<std::int32_t>(bench::of<std::int64_t>(plan, {1024}, {1024, 2048}, {1024, 2048, 4096}));
    if (plan == Plan::quick) return;
    add_levels<std::int16_t>({2048});
    add_levels<float>({2048});
  }
}

// The time of each phase, fenced, one after the other, and the time of the solver, in which they overlap.

template <class T, class TileShape>
void run_phases(benchmark::State& state, std::int64_t n) {
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
void run_tuned_phases(benchmark::State& state, std::int64_t n) {
  using Tuned = blockfw::DefaultTile<Exec, T>;
  if constexpr (requires { typename Tuned::small_type; }) {
    if constexpr (Tuned::relay_below > 0)
      if (n < Tuned::relay_below) return run_phases<T, typename Tuned::relay_type>(state, n);
    if (n < Tuned::small_below) return run_phases<T, typename Tuned::small_type>(state, n);
  }
  run_phases<T, typename Tuned::type>(state, n);
}

template <class T>
void add_phases_of(const Orders& orders) {
  for (const std::int64_t n : orders)
    bench::add("phases/" + bench::type_name<T>, {{"n", n}},
               [n](benchmark::State& state) { run_tuned_phases<T>(state, n); });
}

// A device beside the host, copies included.

using Host = Kokkos::DefaultHostExecutionSpace;
using OnHost = Kokkos::View<std::int32_t**, Kokkos::LayoutRight, Kokkos::HostSpace>;

template <class AnyExec>
void run_with_copies(benchmark::State& state, std::int64_t n) {
  const AnyExec exec;
  const auto order = static_cast<std::size_t>(n);
  const OnHost weights("weights", order, order), d("distances", order, order);
  Kokkos::deep_copy(weights, bench::kept_random_graph<std::int32_t>(n));
  bench::measure(
      state, exec, [&] { Kokkos::deep_copy(d, weights); },
      [&] {
        if constexpr (blockfw::is_host_space<AnyExec>) {
          blockfw::blocked_floyd_warshall(exec, d);
        } else {
          const auto there = blockfw::allocate_distances<std::int32_t>(exec, n);
          Kokkos::deep_copy(exec, there, d);
          blockfw::blocked_floyd_warshall(exec, there);
          Kokkos::deep_copy(exec, d, there);
        }
      });
  bench::count_relaxes<std::int32_t>(state, bench::relaxes(n), bench::limit_now<std::int32_t>(exec));
}

// Out-of-core solves of random graphs on the host, of which the device (or host) may hold a given percentage. The
// matrix lies in pinned memory, in memory that the solve pins, or in memory that is copied through pinned memory.

using Pinned = Kokkos::View<std::int32_t**, Kokkos::LayoutRight, Kokkos::SharedHostPinnedSpace>;

/// The graph of bench::fill_random(), filled by the host.
template <class View>
void fill_on_host(const View& d) {
  const auto n = static_cast<std::int64_t>(d.extent(1));
  Kokkos::parallel_for("random_graph", Kokkos::RangePolicy<Host, Kokkos::IndexType<std::int64_t>>(0, n),
                       [=](std::int64_t i) {
                         for (std::int64_t j = 0; j < n; ++j) {
                           const std::uint64_t random = bench::random_at(static_cast<std::uint64_t>(i * n + j));
                           d(i, j) = i == j ? std::int32_t(0) : static_cast<std::int32_t>(1 + (random >> 32) % 100);
                         }
                       });
  Host().fence();
}

template <class View>
void run_out_of_core(benchmark::State& state, std::int64_t n, const blockfw::OutOfCoreOptions& options) {
  const auto order = static_cast<std::size_t>(n);
  const View d(Kokkos::view_alloc("distances", Kokkos::WithoutInitializing), order, order);
  blockfw::OutOfCoreStats stats;
  bench::measure(
      state, Exec(), [&] { fill_on_host(d); },
      [&] { stats = blockfw::out_of_core_floyd_warshall(Exec{}, d, options); });
  bench::count_relaxes<std::int32_t>(state, bench::relaxes(n));
  state.counters["waited"] = stats.waiting_seconds;
  state.counters["prepared"] = stats.preparing_seconds;
  state.counters["bytes"] = stats.loaded + stats.stored;
}

template <class View>
void add_memory(const char* host, std::int64_t n, bool pin) {
  for (const std::int64_t percent : {25, 50})
    bench::add(std::string("out_of_core/host:") + host, {{"percent", percent}, {"n", n}}, [=](benchmark::State& state) {
      const double memory = 0.01 * double(percent) * double(n) * double(n) * sizeof(std::int32_t);
      run_out_of_core<View>(state, n, {.memory = memory, .negative = false, .pin = pin});
    });
}

}  // namespace

void bench::add_solve(Plan plan) {
  const Orders orders = on_host
                            ? of<std::int64_t>(plan, {256, 512, 1024, 2048}, {256, 512, 1000, 1024, 2000, 2048, 4096},
                                               {256, 512, 1000, 1024, 2000, 2048, 4096, 5000, 6000, 8192})
                            : of<std::int64_t>(plan, {1000, 2500, 5000}, {500, 1000, 2500, 5000, 7500, 10000, 20000},
                                               {500, 1000, 2500, 5000, 7500, 10000, 20000, 30000, 40000});
  const Orders others =
      on_host ? of<std::int64_t>(plan, {1024}, {512, 1024, 2048}, {512, 1024, 2048, 4096})
              : of<std::int64_t>(plan, {2500}, {1000, 2500, 5000, 10000}, {1000, 2500, 5000, 10000, 20000});
  add_type<std::int32_t>(orders);
  add_type<std::int16_t>(others);
  add_type<float>(others);
  add_type<std::int64_t>(others);
  add_type<double>(others);
}

void bench::add_vectors(Plan plan) { add_all_levels<Exec>(plan); }

void bench::add_phases(Plan plan) {
  add_phases_of<std::int32_t>(
      on_host ? of<std::int64_t>(plan, {512, 1024, 2048}, {512, 1024, 2048, 4096}, {512, 1024, 2048, 4096, 6000})
              : of<std::int64_t>(plan, {1000, 2500, 5000}, {1000, 2500, 5000, 10000, 20000},
                                 {500, 1000, 2500, 5000, 7500, 10000, 20000}));
  if (plan == Plan::full) add_phases_of<float>(on_host ? Orders{1024, 4096} : Orders{1000, 5000, 20000});
}

void bench::add_crossover(Plan plan) {
  const auto orders = of<std::int64_t>(plan, {64, 128, 256, 512, 1024}, {64, 128, 192, 256, 384, 512, 768, 1024, 2048},
                                       {64, 128, 192, 256, 384, 512, 768, 1024, 2048, 4096, 8192});
  for (const std::int64_t n : orders) {
    add("crossover/space:host", {{"n", n}}, [n](benchmark::State& state) { run_with_copies<Host>(state, n); });
    if constexpr (!on_host)
      add("crossover/space:device", {{"n", n}}, [n](benchmark::State& state) { run_with_copies<Exec>(state, n); });
  }
}

void bench::add_out_of_core(Plan plan) {
  if (plan != Plan::full) return;
  const std::int64_t n = on_host ? 4096 : 30000;
  add_memory<Pinned>("pinned", n, true);
  add_memory<OnHost>("plain", n, true);
  add_memory<OnHost>("staged", n, false);
}
