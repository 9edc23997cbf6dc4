// What costs O(n²), held against reading all of the matrix once, and copying it, in one run: an edge or a vertex more,
// and what the distances say of the graph.
//
//   memory_speed [N...]

#include "bench.hpp"

#include <CLI/CLI.hpp>
#include <blockfw/measures.hpp>
#include <blockfw/updates.hpp>

#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

using T = std::int32_t;
using bench::Exec;

template <class Call>
double best_of(const Call& call) {
  return bench::best_of(7, [] {}, call);
}

void print_lines(std::int64_t n) {
  const auto d = bench::random_graph<T>(n), other = bench::random_graph<T>(n);
  blockfw::blocked_floyd_warshall(Exec{}, d);
  const double bytes = static_cast<double>(n) * static_cast<double>(n) * sizeof(T);

  const T* const entries = d.data();
  const double read = best_of([&] {
    std::int64_t sum = 0;
    Kokkos::parallel_reduce(
        "read", Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(0, n * n),
        KOKKOS_LAMBDA(std::int64_t e, std::int64_t& part) { part += entries[e]; }, sum);
  });
  const double copied = best_of([&] { Kokkos::deep_copy(Exec{}, other, d); });
  const auto line = [&](const char* what, double seconds, double limit) {
    std::printf("%8lld %-28s %10.3f ms %8.1f GB/s of the matrix, %5.1f%% of %s's speed\n", static_cast<long long>(n),
                what, 1e3 * seconds, bytes * 1e-9 / seconds, 100 * limit / seconds,
                limit == read ? "reading" : "copying");
    std::fflush(stdout);
  };
  line("reading", read, read);
  line("copying", copied, copied);
  line("insert_edge", best_of([&] { blockfw::insert_edge(Exec{}, d, 0, n - 1, T(2)); }), read);
  std::vector<blockfw::Edge<T>> edges;
  for (std::int32_t v = 0; v < 8; ++v)
    edges.push_back({static_cast<std::int32_t>(n), v, 50}), edges.push_back({v, static_cast<std::int32_t>(n), 50});
  line("memory for add_vertex", best_of([&] { blockfw::allocate_distances<T>(Exec{}, n + 1); }), copied);
  line("add_vertex, 16 edges", best_of([&] { blockfw::add_vertex(Exec{}, d, edges); }), copied);
  line("reach, of rows", best_of([&] { blockfw::reach(Exec{}, d); }), read);
  line("reach, of columns", best_of([&] { blockfw::reach(Exec{}, d, blockfw::Towards::itself); }), read);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Updates and measures beside the speed of memory");
  std::vector<std::int64_t> orders{4096};
  app.add_option("N", orders, "orders")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  const Kokkos::ScopeGuard kokkos(Kokkos::InitializationSettings().set_disable_warnings(true));
  for (const std::int64_t n : orders) print_lines(n);
}
