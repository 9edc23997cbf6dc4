// SPDX-License-Identifier: MIT
// The solver with its defaults, by type and order. On a host: with each level of vectors that the processor has. Also
// the order from which on a device is worth its copies; both go from a matrix on the host to distances on the host.

#include "bench.hpp"

#include <blockfw/detail/backend/vectors.hpp>

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

void bench::add_crossover(Plan plan) {
  const auto orders = of<std::int64_t>(plan, {64, 128, 256, 512, 1024}, {64, 128, 192, 256, 384, 512, 768, 1024, 2048},
                                       {64, 128, 192, 256, 384, 512, 768, 1024, 2048, 4096, 8192});
  for (const std::int64_t n : orders) {
    add("crossover/space:host", {{"n", n}}, [n](benchmark::State& state) { run_with_copies<Host>(state, n); });
    if constexpr (!on_host)
      add("crossover/space:device", {{"n", n}}, [n](benchmark::State& state) { run_with_copies<Exec>(state, n); });
  }
}
