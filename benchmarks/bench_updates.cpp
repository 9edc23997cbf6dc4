// SPDX-License-Identifier: MIT
// The O(n²) functions, compared with reading or copying the matrix once: one edge or vertex more, and measures of the
// graph. "bytes" is the size of the matrix, "limit" how often a second memory can read or copy it.

#include "bench.hpp"

#include <blockfw/measures.hpp>
#include <blockfw/updates.hpp>

namespace {

using T = std::int32_t;
using bench::Exec, bench::Matrix, bench::Plan;

double bytes_of(std::int64_t n) { return static_cast<double>(n) * static_cast<double>(n) * sizeof(T); }

void read_all(const Matrix<T>& d) {
  const T* const entries = d.data();
  const std::int64_t count = static_cast<std::int64_t>(d.extent(0) * d.extent(1));
  std::int64_t sum = 0;
  Kokkos::parallel_reduce(
      "read", Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(0, count),
      KOKKOS_LAMBDA(std::int64_t e, std::int64_t& part) { part += entries[e]; }, sum);
}

/// Calls a second, by the fastest of a few.
template <class Call>
double calls_a_second(const Call& call) {
  double best = 0;
  for (int repeat = 0; repeat < 5; ++repeat) {
    Exec().fence();
    const Kokkos::Timer timer;
    call();
    Exec().fence();
    best = std::max(best, 1 / timer.seconds());
  }
  return best;
}

enum class Against { reading, copying };

template <class Call>
void add_call(const char* what, std::int64_t n, Against against, const Call& call) {
  bench::add(std::string("updates/what:") + what, {{"n", n}}, [=](benchmark::State& state) {
    const auto d = bench::kept_random_graph<T>(n), other = blockfw::allocate_distances<T>(Exec{}, n);
    Kokkos::deep_copy(Exec{}, other, d);
    blockfw::blocked_floyd_warshall(Exec{}, other);
    bench::measure(state, Exec{}, [] {}, [&] { call(other); });
    state.counters["bytes"] = bytes_of(n);
    state.counters["limit"] = against == Against::reading
                                  ? calls_a_second([&] { read_all(other); })
                                  : calls_a_second([&] { Kokkos::deep_copy(Exec{}, other, d); });
  });
}

}  // namespace

void bench::add_updates(Plan plan) {
  for (const std::int64_t n : on_host ? of<std::int64_t>(plan, {1024}, {2048}, {2048, 4096})
                                      : of<std::int64_t>(plan, {5000}, {10000}, {10000, 20000})) {
    add_call("insert_edge", n, Against::reading,
             [n](const Matrix<T>& d) { blockfw::insert_edge(Exec{}, d, 0, n - 1, T(2)); });
    std::vector<blockfw::Edge<T>> edges;
    for (std::int32_t v = 0; v < 8; ++v)
      edges.push_back({static_cast<std::int32_t>(n), v, 50}), edges.push_back({v, static_cast<std::int32_t>(n), 50});
    add_call("add_vertex", n, Against::copying, [edges](const Matrix<T>& d) { blockfw::add_vertex(Exec{}, d, edges); });
    add_call("add_vertex-to-memory", n, Against::copying, [edges, n](const Matrix<T>& d) {
      static Matrix<T> more;  // (allocated by the call that is not timed)
      if (more.extent_int(0) != n + 1) {
        more = blockfw::allocate_distances<T>(Exec{}, n + 1);
        forget_kept = [before = forget_kept] {
          before();
          more = {};
        };
      }
      blockfw::add_vertex(Exec{}, more, d, edges);
    });
    add_call("reach-of-rows", n, Against::reading, [](const Matrix<T>& d) { blockfw::reach(Exec{}, d); });
    add_call("reach-of-columns", n, Against::reading,
             [](const Matrix<T>& d) { blockfw::reach(Exec{}, d, blockfw::Towards::itself); });
  }
}
