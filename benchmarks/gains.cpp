// SPDX-License-Identifier: MIT
// The gain from fewer bits, half the work and other semirings on the same random graph, and the additional cost of
// paths. All speeds are relative to the limit of int32.

#include "bench.hpp"

#include <blockfw/paths.hpp>
#include <blockfw/transitive_closure.hpp>

namespace {

using T = std::int32_t;
using bench::Exec, bench::Matrix, bench::Plan;

template <class Run>
void add_gain(const char* what, std::int64_t n, const Run& run, bool relaxes = true) {
  bench::add(std::string("gains/what:") + what, {{"n", n}}, [=](benchmark::State& state) {
    run(state);
    if (relaxes) bench::count_relaxes<T>(state, bench::relaxes(n));
  });
}

Matrix<T> symmetric_graph(std::int64_t n) {
  const auto d = bench::random_graph<T>(n);
  blockfw::detail::mirror(Exec{}, d);
  return d;
}

/// solve() without its first step, of a graph whose weights are 1 to 100 times `scale`.
template <bool narrow>
void solve(benchmark::State& state, const Matrix<T>& weights, T scale = 1) {
  const auto scaled = bench::scaled(weights, scale);
  blockfw::SolveReport report;
  blockfw::SolveOptions options;
  options.narrow = narrow;
  options.report = &report;
  bench::measure_solve(state, scaled, [&](const Exec& exec, const Matrix<T>& d) {
    blockfw::solve_distances(exec, d, blockfw::WeightRange<T>{1, T(100 * scale)}, options);
  });
  state.counters["bits"] = report.bits;
}

/// blocked_floyd_warshall() over a semiring, in place.
template <class S>
void in_place(benchmark::State& state, std::int64_t n, typename S::value_type scale) {
  using Value = typename S::value_type;
  bench::measure_solve(state, bench::scaled(bench::random_graph<Value>(n), scale),
                       [](const Exec& exec, const auto& d) { blockfw::blocked_floyd_warshall<S>(exec, d); });
}

/// Four edges from each vertex.
void scatter_bits(const blockfw::BitMatrix<Exec>& bits) {
  const auto words = bits.words();
  const std::int64_t n = bits.vertices();
  Kokkos::deep_copy(Exec{}, words, 0u);
  Kokkos::parallel_for(
      "scatter", Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(Exec{}, 0, 4 * n),
      KOKKOS_LAMBDA(std::int64_t e) {
        const auto to =
            static_cast<std::int64_t>(bench::random_at(static_cast<std::uint64_t>(e)) % static_cast<std::uint64_t>(n));
        Kokkos::atomic_or(&words(e / 4, to / 32), 1u << to % 32);
      });
}

void closure(benchmark::State& state, std::int64_t n) {
  const blockfw::BitMatrix<Exec> bits(Exec{}, n);
  bench::measure(state, Exec{}, [&] { scatter_bits(bits); }, [&] { blockfw::transitive_closure(Exec{}, bits); });
}

/// Times the construction of Paths, or all predecessors; the solve is not timed.
template <bool predecessors>
void paths(benchmark::State& state, std::int64_t n) {
  const Exec exec;
  const auto weights = bench::kept_random_graph<T>(n);
  const auto d = blockfw::solve(exec, weights);
  const blockfw::Paths known(exec, d, weights);
  bench::measure(
      state, exec, [] {},
      [&] {
        if constexpr (predecessors)
          known.predecessors();
        else
          blockfw::Paths(exec, d, weights);
      });
  state.counters["tight_edges"] = static_cast<double>(known.tight_edges());
}

}  // namespace

void bench::add_gains(Plan plan) {
  const auto orders = on_host ? of<std::int64_t>(plan, {1024}, {2048}, {4096, 8192})
                              : of<std::int64_t>(plan, {5000}, {10000}, {8192, 10000, 20000});
  for (const std::int64_t n : orders) {
    add_gain("32-bits-directed", n, [n](auto& state) { solve<false>(state, kept_random_graph<T>(n)); });
    add_gain("32-bits-undirected", n, [n](auto& state) { solve<false>(state, symmetric_graph(n)); });
    add_gain("fewest-bits-directed", n, [n](auto& state) { solve<true>(state, kept_random_graph<T>(n)); });
    add_gain("fewest-bits-undirected", n, [n](auto& state) { solve<true>(state, symmetric_graph(n)); });
    // (Only hosts have 8 bits; these distances are too long for them.)
    if (on_host)
      add_gain("16-bits-directed", n, [n](auto& state) { solve<true>(state, kept_random_graph<T>(n), 100); });
    add_gain("transitive-closure", n, [n](auto& state) { closure(state, n); });
    add_gain("paths", n, [n](auto& state) { paths<false>(state, n); }, false);
    if (plan == Plan::quick) continue;
    add_gain("all-predecessors", n, [n](auto& state) { paths<true>(state, n); }, false);
    add_gain("longest-int32", n, [n](auto& state) { in_place<blockfw::MaxPlus<T>>(state, n, -1); });
    add_gain("widest-int32", n, [n](auto& state) { in_place<blockfw::MaxMin<T>>(state, n, 1); });
    add_gain("widest-float", n, [n](auto& state) { in_place<blockfw::MaxMin<float>>(state, n, 1); });
    add_gain("bottleneck-int32", n, [n](auto& state) { in_place<blockfw::MinMax<T>>(state, n, 1); });
    add_gain("most-reliable-float", n, [n](auto& state) { in_place<blockfw::MaxTimes<float>>(state, n, 0.01f); });
  }
}
