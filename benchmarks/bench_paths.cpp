// SPDX-License-Identifier: MIT
// Paths after a solve, and distances from some vertices only, beside that solve as solve() chooses it. Graphs are
// undirected (networks.hpp); "edges" counts both directions of each. "bits" is of the solve's numbers, "elimination" is
// 1 where that was the faster method.

#include "bench.hpp"
#include "networks.hpp"

#include <blockfw/paths.hpp>
#include <blockfw/solve_from.hpp>

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
