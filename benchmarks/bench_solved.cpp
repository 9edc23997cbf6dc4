// SPDX-License-Identifier: MIT
// What follows a solve.
//
// Paths, and distances from some vertices only, beside that solve as solve() chooses it. Graphs are undirected
// (networks.hpp); "edges" counts both directions of each. "bits" is of the solve's numbers, "elimination" is 1 where
// that was the faster method.
//
// The O(n²) functions, compared with reading or copying the matrix once: one edge or vertex more, and measures of the
// graph. "bytes" is the size of the matrix, "limit" how often a second memory can read or copy it.

#include "bench.hpp"
#include "networks.hpp"

#include <blockfw/measures.hpp>
#include <blockfw/paths.hpp>
#include <blockfw/solve_from.hpp>
#include <blockfw/updates.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace {

using T = std::int32_t;
using bench::Exec, bench::Matrix, bench::Plan;
constexpr auto undirected = blockfw::Direction::undirected;

/// A graph with its distances, and its paths.
struct Solved {
  explicit Solved(const std::string& graph) : name(graph) {
    const bench::Network network = bench::network_of(graph);
    n = network.n;
    directed_edges = network.arcs.size();
    edges = bench::edges_of<T>(network);
    d = solve();
    paths.emplace(Exec(), d, edges, blockfw::EdgeOptions{.direction = undirected});
  }
  Matrix<T> solve() {
    return blockfw::solve(Exec(), n, edges, blockfw::SolveOptions{.direction = undirected, .report = &report});
  }

  std::string name;
  std::int64_t n = 0;
  std::size_t directed_edges = 0;
  std::vector<blockfw::Edge<T>> edges;
  blockfw::SolveReport report;
  Matrix<T> d;
  std::optional<blockfw::Paths<Exec, Matrix<T>>> paths;
};

/// A solved graph, which is kept until something else is.
Solved& solved(const std::string& graph) {
  static std::optional<Solved> kept;
  if (!kept || kept->name != graph) {
    bench::forget_kept();
    kept.emplace(graph);
    bench::forget_kept = [] { kept.reset(); };
  }
  return *kept;
}

void add_call(const char* what, const std::string& graph, const std::function<void(Solved&)>& call) {
  std::string name = graph;
  std::replace(name.begin(), name.end(), ':', '-');
  bench::add(std::string("paths/what:") + what + "/graph:" + name, {}, [=](benchmark::State& state) {
    Solved& of = solved(graph);
    bench::measure(state, Exec(), [] {}, [&] { call(of); });
    state.counters["n"] = static_cast<double>(of.n);
    state.counters["edges"] = static_cast<double>(of.directed_edges);
    state.counters["tight_edges"] = static_cast<double>(of.paths->tight_edges());
    state.counters["bits"] = of.report.bits;
    state.counters["elimination"] = of.report.method == blockfw::Method::sparse;
  });
}

/// Distances from the first vertices.
void solve_from(const Solved& of, std::int64_t many) {
  std::vector<std::int32_t> sources(bench::index(many));
  std::iota(sources.begin(), sources.end(), 0);
  blockfw::solve_from(Exec(), of.n, of.edges, sources, {.direction = undirected});
}

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

void bench::add_paths(Plan plan) {
  for (const std::string& graph :
       of<std::string>(plan, {"planar:1024"}, {"planar:3364", "er:2000:20"},
                       {"planar:3364", "planar:10000", "er:3364:6", "er:2000:20", "er:5000:20", "dense:5000:43"})) {
    add_call("solve", graph, [](Solved& of) { of.solve(); });
    add_call("lists", graph, [](Solved& of) { blockfw::Paths(Exec(), of.d, of.edges, {.direction = undirected}); });
    add_call("predecessors", graph, [](Solved& of) { of.paths->predecessors(); });
    add_call("100-sources", graph, [](Solved& of) { solve_from(of, 100); });
  }
}

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
