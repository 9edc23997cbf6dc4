// SPDX-License-Identifier: MIT
// More threads of a host, or more devices, on the same graph (strong scaling), and on one with the same work for each
// (weak scaling). The limit is that of all threads or devices together. Devices are also measured in 16 bits and with
// half the work.

#include "bench.hpp"

#include <blockfw/multi_device.hpp>

#include <cmath>

namespace {

using bench::Exec, bench::Orders, bench::Plan;
using blockfw::Direction;
using T = std::int32_t;

/// The order at which each of `count` has as much work as one has at order n.
std::int64_t weak_order(std::int64_t n, int count) { return std::lround(static_cast<double>(n) * std::cbrt(count)); }

/// 1, 2, 4, ... and all.
std::vector<int> counts(int all) {
  std::vector<int> result;
  for (int count = 1; count < all; count *= 2) result.push_back(count);
  result.push_back(all);
  return result;
}

template <class AnyExec>
void run_threads(benchmark::State& state, int threads, std::int64_t n) {
  const AnyExec exec(threads);
  const auto weights =
      Kokkos::create_mirror_view_and_copy(typename AnyExec::memory_space(), bench::kept_random_graph<T>(n));
  const auto d = blockfw::allocate_distances<T>(exec, n);
  bench::measure(
      state, exec, [&] { Kokkos::deep_copy(exec, d, weights); }, [&] { blockfw::blocked_floyd_warshall(exec, d); });
  bench::count_relaxes<T>(state, bench::relaxes(n), bench::limit_now<T>(exec));
}

/// One device runs the library's solver for one device; with several, each holds some rows.
template <class AnyExec, class Number = T, Direction direction = Direction::directed>
void run_devices(benchmark::State& state, int count, std::int64_t n) {
  constexpr unsigned every_pair = 1;
  constexpr bool symmetric = direction == Direction::undirected;
  if (count == 1) {
    const auto d = blockfw::allocate_distances<Number>(Exec{}, n);
    bench::measure(
        state, Exec{}, [&] { bench::fill_random(Exec{}, d, 0, every_pair, symmetric); },
        [&] { blockfw::blocked_floyd_warshall(Exec{}, d, {direction}); });
    return bench::count_relaxes<Number>(state, bench::relaxes(n));
  }
  const blockfw::Devices<AnyExec> devices(count);
  blockfw::RowBlocks<Number> d(devices.list(), n);
  const auto all = [&](const auto& call) {
    for (int s = 0; s < d.shares(); ++s) call(s);
    for (int s = 0; s < d.shares(); ++s) d.exec(s).fence();
  };
  bench::measure(
      state, Exec(),
      [&] { all([&](int s) { bench::fill_random(d.exec(s), d.view(s), d.first_row(s), every_pair, symmetric); }); },
      [&] { d.floyd_warshall({direction}, false); });
  bench::count_relaxes<Number>(state, bench::relaxes(n), bench::limit_now<Number>() * count);
}

template <class Run>
void add_counts(const char* what, const std::vector<int>& all, const Orders& orders, const Run& run) {
  for (const std::int64_t n : orders)
    for (const int count : all) {
      bench::add("scaling/strong", {{what, count}, {"n", n}}, [=](benchmark::State& state) { run(state, count, n); });
      if (const std::int64_t order = weak_order(n, count); count > 1)
        bench::add("scaling/weak", {{what, count}, {"n", order}, {"n1", n}},
                   [=](benchmark::State& state) { run(state, count, order); });
    }
}

/// Devices alone, in other numbers or with half the work.
template <class Run>
void add_kind(const char* kind, const std::vector<int>& all, const Orders& orders, const Run& run) {
  for (const std::int64_t n : orders)
    for (const int count : all)
      bench::add(std::string("scaling/") + kind, {{"devices", count}, {"n", n}},
                 [=](benchmark::State& state) { run(state, count, n); });
}

template <class AnyExec>
void add_all(Plan plan) {
  if constexpr (!blockfw::is_host_space<AnyExec>) {
    const blockfw::Devices<AnyExec> devices;
    const auto all = counts(static_cast<int>(devices.list().size()));
    add_counts("devices", all, bench::of<std::int64_t>(plan, {5000}, {10000, 20000}, {10000, 20000, 40000}),
               run_devices<AnyExec>);
    const auto orders =
        bench::of<std::int64_t>(plan, {5000}, {10000, 20000}, {4000, 6000, 8000, 10000, 12000, 20000, 40000, 60000});
    add_kind("int32/work:half", all, orders, run_devices<AnyExec, T, Direction::undirected>);
    add_kind("int16/work:whole", all, orders, run_devices<AnyExec, std::int16_t>);
    add_kind("int16/work:half", all, orders, run_devices<AnyExec, std::int16_t, Direction::undirected>);
  } else if constexpr (std::is_constructible_v<AnyExec, int>) {
    add_counts("threads", counts(AnyExec().concurrency()),
               bench::of<std::int64_t>(plan, {1024}, {1024, 4096}, {1024, 2048, 4096}), run_threads<AnyExec>);
  }
}

}  // namespace

void bench::add_scaling(Plan plan) {
  add_all<Exec>(plan);
  if constexpr (!on_host) add_all<Kokkos::DefaultHostExecutionSpace>(plan);
}
