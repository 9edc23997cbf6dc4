// SPDX-License-Identifier: MIT
// The forms of calls of the solver, and its side effects: labels of kernels, fences, calls of progress.
#include "graphs.hpp"

#include "../benchmarks/limit.hpp"

#include <algorithm>
#include <atomic>
#include <set>
#include <thread>
#include <utility>
#include <vector>

namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using Matrix = SharedMatrix<std::int32_t>;
using Small = blockfw::Tile<8>;

Matrix matrix_of(const Graph& g) {
  const Matrix d("d", static_cast<std::size_t>(g.n), static_cast<std::size_t>(g.n));
  fill(d, g);
  return d;
}

Graph some_graph(unsigned seed, int n = 50) {
  Random random(seed);
  return scattered(random, n, 3 * n, 0, 100);
}

std::vector<std::string> kernels, regions;

/// Records the kernels and regions that Kokkos reports to a tool during its lifetime.
struct RecordKernels {
  RecordKernels() {
    kernels.clear();
    regions.clear();
    listen(on_kernel, [](const char* name) { regions.emplace_back(name); });
  }
  ~RecordKernels() { listen(nullptr, nullptr); }

 private:
  static void on_kernel(const char* name, const std::uint32_t, std::uint64_t*) { kernels.emplace_back(name); }

  static void listen(Kokkos_Profiling_beginFunction kernel, Kokkos_Profiling_pushFunction region) {
    namespace Tools = Kokkos::Tools::Experimental;
    Tools::set_begin_parallel_for_callback(kernel);
    Tools::set_begin_parallel_reduce_callback(kernel);
    Tools::set_begin_parallel_scan_callback(kernel);
    Tools::set_push_region_callback(region);
  }
};

using Fence = std::pair<std::string, std::uint32_t>;
std::vector<Fence> fences;

/// Records each fence and its instance. (This is a tool of its own, since Kokkos adds fences for a tool that records
/// kernels.)
struct RecordFences {
  RecordFences() {
    fences.clear();
    Kokkos::Tools::Experimental::set_begin_fence_callback(
        [](const char* name, const std::uint32_t instance, std::uint64_t*) { fences.emplace_back(name, instance); });
  }
  ~RecordFences() { Kokkos::Tools::Experimental::set_begin_fence_callback(nullptr); }
};

bool all_ours(const std::vector<std::string>& names) {
  return std::all_of(names.begin(), names.end(), [](const auto& name) { return name.starts_with("blockfw::"); });
}

}  // namespace

TEST_CASE("views: plain, with a space, with an instance") {
  const Graph g = some_graph(1);
  const auto expected = oracle::distances(g);
  const Exec exec;

  const Matrix plain = matrix_of(g), space = matrix_of(g), instance = matrix_of(g), tuned = matrix_of(g);
  blockfw::blocked_floyd_warshall(plain);
  blockfw::blocked_floyd_warshall<Small, Exec>(space);
  blockfw::blocked_floyd_warshall<Small>(exec, instance);
  blockfw::blocked_floyd_warshall(exec, tuned);
  exec.fence();
  for (const auto& d : {plain, space, instance, tuned}) CHECK(difference(d, expected) == "");
}

TEST_CASE("pointers: plain, with a space, with an instance, with progress") {
  const Graph g = some_graph(2);
  const auto expected = oracle::distances(g);
  const Exec exec;
  const std::int64_t n = g.n;

  const Matrix plain = matrix_of(g), space = matrix_of(g), instance = matrix_of(g), watched = matrix_of(g);
  int rounds = 0;
  blockfw::blocked_floyd_warshall(plain.data(), n, n);
  blockfw::blocked_floyd_warshall<Small, Exec>(space.data(), n, n);
  blockfw::blocked_floyd_warshall<Small>(exec, instance.data(), n, n);
  blockfw::blocked_floyd_warshall<Small>(exec, watched.data(), n, n,
                                         {.progress = [&](std::int64_t, std::int64_t) { ++rounds; }});
  exec.fence();
  for (const auto& d : {plain, space, instance, watched}) CHECK(difference(d, expected) == "");
  CHECK(rounds == 7);
}

#ifdef KOKKOS_ENABLE_SERIAL
TEST_CASE("execution spaces: not the default one") {
  const Graph g = some_graph(3);
  const Matrix d = matrix_of(g);
  blockfw::blocked_floyd_warshall<Small, Kokkos::Serial>(d);
  CHECK(difference(d, oracle::distances(g)) == "");
  CHECK(difference(blockfw::solve(Kokkos::Serial{}, g.n, edges_of<std::int32_t>(g)), oracle::distances(g)) == "");
}
#endif

TEST_CASE("instances: two, from two threads at once") {
  if (Exec().concurrency() < 2) {
    MESSAGE("skipped: one thread cannot be parted");
    return;
  }
  auto parts = Kokkos::Experimental::partition_space(Exec(), 1, 1);
  for (unsigned repetition = 0; repetition < 20; ++repetition) {
    const Graph g[] = {some_graph(10 + repetition, 60), some_graph(100 + repetition, 90)};
    const Matrix d[] = {matrix_of(g[0]), matrix_of(g[1])};
    const auto solve = [&](std::size_t i) {
      blockfw::blocked_floyd_warshall<Small>(parts[i], d[i]);
      parts[i].fence();
    };
    std::thread other(solve, 1);
    solve(0);
    other.join();
    for (const std::size_t i : {0u, 1u}) CHECK(difference(d[i], oracle::distances(g[i])) == "");
  }
}

TEST_CASE("progress: counts the rounds") {
  using Call = std::pair<std::int64_t, std::int64_t>;
  std::vector<Call> calls;
  const auto record = [&](std::int64_t done, std::int64_t all) { calls.emplace_back(done, all); };

  for (const int n : {1, 8, 9, 25}) {
    const Graph g = some_graph(4, n);
    const Matrix d = matrix_of(g);
    calls.clear();
    blockfw::blocked_floyd_warshall<Small>(Exec(), d, {.progress = record});
    std::vector<Call> expected;
    for (int round = 1; round <= (n + 7) / 8; ++round) expected.emplace_back(round, (n + 7) / 8);
    CHECK(calls == expected);
    CHECK(difference(d, oracle::distances(g)) == "");
  }

  calls.clear();
  blockfw::blocked_floyd_warshall<Small>(Exec(), Matrix("empty", 0, 0), {.progress = record});
  CHECK(calls.empty());
}

TEST_CASE("progress: called when its round is finished") {
  // A path 0 → 1 → ...: after k rounds of 8 pivots the first 8k + 1 vertices are reached, and no others. (A device may
  // have reached fewer, since it updates a tile only every few rounds, or more, since the rows and columns of the next
  // pivot are one round further.)
  const int n = 40;
  Graph g{n, {}};
  for (int v = 0; v + 1 < n; ++v) g.edges.push_back({v, v + 1, 1});
  const Matrix d = matrix_of(g);
  blockfw::blocked_floyd_warshall<Small>(Exec(), d, {.progress = [&](std::int64_t done, std::int64_t all) {
                                           int reached = 0;
                                           while (reached + 1 < n && d(0, reached + 1) == reached + 1) ++reached;
                                           const std::int64_t expected = done < all ? 8 * done : n - 1;
                                           if (on_device && done < all)
                                             CHECK(reached < expected + 8);
                                           else
                                             CHECK(reached == expected);
                                         }});
}

TEST_CASE("progress: may solve another graph on the same instance") {
  const Graph g = some_graph(8), other = some_graph(9, 30);
  const Matrix d = matrix_of(g);
  const Exec exec;
  int wrong = 0;
  blockfw::blocked_floyd_warshall<Small>(exec, d, {.progress = [&](std::int64_t, std::int64_t) {
                                           const Matrix e = matrix_of(other);
                                           blockfw::blocked_floyd_warshall<Small>(exec, e);
                                           exec.fence();
                                           wrong += difference(e, oracle::distances(other)) != "";
                                         }});
  exec.fence();
  CHECK(wrong == 0);
  CHECK(difference(d, oracle::distances(g)) == "");
}

TEST_CASE("progress: passed on by solve()") {
  std::int64_t last = 0, rounds = 0;
  const blockfw::SolveOptions options{.method = blockfw::Method::dense,
                                      .progress = [&](std::int64_t done, std::int64_t all) {
                                        CHECK(done == ++last);
                                        rounds = all;
                                      }};
  const Graph g = some_graph(5, 2 * blockfw::default_tile<Exec, std::int32_t>::block + 1);
  CHECK(difference(blockfw::solve(g.n, edges_of<std::int32_t>(g), options), oracle::distances(g)) == "");
  CHECK(rounds >= 3);  // more if a device has a smaller tile for small orders
  CHECK(last == rounds);
}

TEST_CASE("labels: seen by Kokkos's tools") {
  const Matrix d = matrix_of(some_graph(6));
  blockfw::blocked_floyd_warshall<Small>(Exec(), d);  // the first call may get memory, which Kokkos sets to 0
  {
    const RecordKernels recorder;
    blockfw::blocked_floyd_warshall<Small>(Exec(), d);
  }
  // Phase 1 of a later round is part of phase 3. On a device phases 1 and 2 of all rounds are part of phase 3, and one
  // launch may do several rounds.
  std::vector<std::string> expected;
  if (!on_device) expected.emplace_back("blockfw::phase1");
  for (int round = 0; round < 7; ++round) {
    if (!on_device) expected.emplace_back("blockfw::phase2");
    expected.emplace_back("blockfw::phase3");
  }
  if (on_device) {
    REQUIRE(!kernels.empty());
    expected.resize(std::min(kernels.size(), expected.size()));
  }
  CHECK(kernels == expected);
  REQUIRE(regions.size() == 1);
  CHECK(regions[0] == "blockfw::blocked_floyd_warshall");

  Graph g = some_graph(7);
  std::erase_if(g.edges, [](const auto& e) { return e.from >= e.to; });
  for (auto& e : g.edges) e.weight -= 50;  // so that solve() looks for cycles; there are none
  const auto edges = edges_of<std::int32_t>(g);
  const Matrix w = matrix_of(g);
  blockfw::solve(Exec(), w);
  {
    const RecordKernels recorder;
    blockfw::solve(Exec(), g.n, edges);
    blockfw::solve(Exec(), w);
  }
  CHECK(all_ours(kernels));
  CHECK(all_ours(regions));
  const std::set<std::string> seen(kernels.begin(), kernels.end());
  for (const char* name : {"fill_infinity", "scatter_edges", "copy_weights", on_device ? "phase3" : "phase1",
                           "find_negative_cycle", "mark_unreachable"})
    CHECK(seen.contains(std::string("blockfw::") + name));
}

TEST_CASE("fences: none that the caller does not ask for") {
  const Matrix d = matrix_of(some_graph(6));
  const Exec exec;
  const auto instance = Kokkos::Tools::Experimental::device_id(exec);
  // The first call may allocate memory, and Kokkos fences then.
  blockfw::blocked_floyd_warshall<Small>(exec, d);
  {
    const RecordFences recorder;
    blockfw::blocked_floyd_warshall<Small>(exec, d);
  }
  CHECK(fences.empty());
  {
    const RecordFences recorder;
    blockfw::blocked_floyd_warshall<Small>(exec, d, {.progress = [](std::int64_t, std::int64_t) {}});
  }
  CHECK((fences == std::vector<Fence>(7, {"blockfw::progress", instance})));
  {
    const RecordFences recorder;
    blockfw::blocked_floyd_warshall<Small>(d);
  }
  CHECK((fences == std::vector<Fence>{{"blockfw::blocked_floyd_warshall", instance}}));
}

TEST_CASE("the machine's limit: measured") { CHECK(blockfw::measure_limit<std::int32_t>(Exec()) > 0); }

TEST_CASE("the machine's limit: the same beside other work, which takes the cores most of the time") {
  const Kokkos::DefaultHostExecutionSpace host;
  std::atomic<bool> wanted = true;
  std::vector<std::thread> others;
  for (unsigned i = 0; i < 4 * std::max(1U, std::thread::hardware_concurrency()); ++i)
    others.emplace_back([&] {
      while (wanted) {
      }
    });
  const double beside_others = blockfw::measure_limit<std::int32_t>(host);
  wanted = false;
  for (std::thread& other : others) other.join();
  CHECK(beside_others >
        0.25 * blockfw::measure_limit<std::int32_t>(host));  // (threads of one core may share its units)
}
