// SPDX-License-Identifier: MIT
// The optimisation ladder: the same graph, solved step by step from three loops to what the library does. Every step's
// distances are compared with the library's.

#include "bench_ladder.hpp"

namespace {

using bench::Exec, bench::Matrix, bench::Plan;
using bench::ladder::Padded, bench::ladder::Step, bench::ladder::Tiles;
using T = bench::ladder::T;

/// The graph, padded so that all blocks divide its order.
Padded padded_graph(std::int64_t n) {
  constexpr std::int64_t whole = 64;
  const Exec exec;
  const auto weights = bench::kept_random_graph<T>(n);
  const auto d = blockfw::allocate_distances<T>(exec, (n + whole - 1) / whole * whole);
  Kokkos::deep_copy(exec, d, blockfw::infinity<T>);
  const auto all = std::make_pair(std::int64_t{0}, n);
  Kokkos::deep_copy(exec, Kokkos::subview(d, all, all), weights);
  exec.fence();
  return {d, n};
}

auto graph_of(const Padded& padded) {
  const auto all = std::make_pair(std::int64_t{0}, padded.n);
  return Kokkos::subview(padded.d, all, all);
}

std::uint64_t right_checksum(std::int64_t n) {
  static std::map<std::int64_t, std::uint64_t> known;
  if (!known.contains(n)) {
    const auto d = bench::random_graph<T>(n);
    blockfw::blocked_floyd_warshall(Exec{}, d);
    known[n] = bench::checksum(Exec{}, d);
  }
  return known[n];
}

template <class Solve>
void run(benchmark::State& state, std::int64_t n, const Solve& solve) {
  const Exec exec;
  const Padded weights = padded_graph(n), padded{blockfw::allocate_distances<T>(exec, weights.d.extent_int(0)), n};
  bench::measure(state, exec, [&] { Kokkos::deep_copy(exec, padded.d, weights.d); }, [&] { solve(exec, padded); });
  bench::count_relaxes<T>(state, bench::relaxes(n));
  if (bench::checksum(exec, graph_of(padded)) != right_checksum(n)) state.SkipWithError("wrong distances");
}

template <class Solve>
void add_step(const std::string& step, std::int64_t n, const Solve& solve) {
  bench::add("ladder/step:" + step, {{"n", n}}, [=](benchmark::State& state) { run(state, n, solve); });
}

template <bool of_rows>
void by_textbook(const Exec& exec, const Padded& padded) {
  bench::textbook<of_rows>(exec, padded.d, padded.n);
}

void solve_without_look_ahead(const Exec& exec, const Padded& padded) {
  bench::run_phases<blockfw::default_tile<Exec, T>, T>(exec, blockfw::matrix_ref<Exec>(graph_of(padded)),
                                                       [](std::size_t) {});
}

}  // namespace

void bench::add_ladder(Plan plan) {
  const auto orders =
      on_host ? of<std::int64_t>(plan, {1200}, {1500}, {2000}) : of<std::int64_t>(plan, {3200}, {5000}, {5000, 10000});
  // A host keeps 8 x 2 vectors of C in its registers; a device uses fewer, which leaves registers for more threads.
  constexpr int rows = on_host ? 8 : 4, cols = on_host ? 2 * bench::vector_bytes / 4 : 4;
  for (const std::int64_t n : orders) {
    if (!on_host) add_step("textbook", n, by_textbook<false>);
    add_step(on_host ? "loops" : "coalesced", n, by_textbook<true>);
    add_step("scratch", n, Tiles<Step{32, 1, 1}>::solve);
    add_step("larger", n, Tiles<Step{64, 4, 1}>::solve);
    add_step("registers", n, Tiles<Step{64, rows, cols}>::solve);
    add_step("vectors", n, Tiles<Step{64, rows, cols, true}>::solve);
    add_step("unrolled", n, Tiles<Step{64, rows, cols, true, 8}>::solve);
    add_step("padded", n, Tiles<Step{64, rows, cols, true, 8, cols}>::solve);
    add_step("panels", n, solve_without_look_ahead);
    add_step("look-ahead", n,
             [](const Exec& exec, const Padded& padded) { blockfw::blocked_floyd_warshall(exec, graph_of(padded)); });
    add_step("narrow", n, [](const Exec& exec, const Padded& padded) {
      blockfw::solve_distances(exec, graph_of(padded), blockfw::WeightRange<T>{1, 100});
    });
  }
  // The courses' naive kernel, at the orders of the programs that benchmarks/peers.py runs.
  if constexpr (!on_host)
    for (const std::int64_t n : of<std::int64_t>(plan, {500}, {2000}, {3000}))
      bench::add("naive", {{"n", n}}, [n](benchmark::State& state) { run(state, n, by_textbook<true>); });
}
