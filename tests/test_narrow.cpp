// SPDX-License-Identifier: MIT
// Fewer bits: used only where no distance needs more, with the same result.
#include "graphs.hpp"

namespace {

using blockfw::infinity;
using blockfw::solve;
using blockfw::SolveOptions;
using blockfw::SolveReport;
using Exec = Kokkos::DefaultExecutionSpace;

/// Large enough for solve() to look for fewer bits.
constexpr int order = static_cast<int>(blockfw::detail::narrow_from<Exec>) + 7;

/// Solves by default and in all bits, and checks that the results agree.
/// \return how many bits the default took
template <class T>
int bits(const Graph& g, blockfw::Direction direction = blockfw::Direction::directed) {
  SolveReport report, wide_report;
  const auto edges = edges_of<T>(g);
  const auto d =
      readable(solve(g.n, edges, {.direction = direction, .method = blockfw::Method::dense, .report = &report}));
  const auto wide = readable(solve(
      g.n, edges, {.direction = direction, .method = blockfw::Method::dense, .narrow = false, .report = &wide_report}));
  CHECK(wide_report.bits == 8 * int(sizeof(T)));
  int differ = 0;
  for (int i = 0; i < g.n; ++i)
    for (int j = 0; j < g.n; ++j) differ += d(i, j) != wide(i, j);
  CHECK(differ == 0);
  return report.bits;
}

/// A star: edges from each vertex to vertex 0, and back.
Graph star(int n, int there, int back) {
  Graph g{n, {}};
  for (int v = 1; v < n; ++v) {
    g.edges.push_back({v, 0, there});
    g.edges.push_back({0, v, back});
  }
  return g;
}

constexpr int limit = infinity<std::int16_t>, limit8 = infinity<std::int8_t>;
constexpr int fewest = blockfw::is_host_space<Exec> ? 8 : 16;

}  // namespace

TEST_CASE_TEMPLATE("a graph of many edges", T, std::int32_t, std::int64_t) {
  Random random(1);
  for (const auto direction : {blockfw::Direction::directed, blockfw::Direction::undirected}) {
    CHECK(bits<T>(scattered(random, order, 40 * order, 1, 1), direction) == fewest);
    CHECK(bits<T>(scattered(random, order, 40 * order, 0, 10), direction) == fewest);
    CHECK(bits<T>(scattered(random, order, 40 * order, 200, 1000), direction) == 16);
  }
  Graph heavy = scattered(random, order, 40 * order, 100, 200);
  for (int e = 0; e < 1000; ++e)  // on no shortest path, and too long for 16 bits
    heavy.edges.push_back({uniform(random, 0, order - 1), uniform(random, 0, order - 1), 60'000 + e});
  CHECK(bits<T>(heavy) == 16);
  for (auto& e : heavy.edges) e.weight += 30'000;
  CHECK(bits<T>(heavy) == 32);
}

TEST_CASE("the longest distance that a type holds, and a distance one longer") {
  CHECK(bits<std::int32_t>(star(order, 20, limit8 - 1 - 20)) == fewest);
  CHECK(bits<std::int32_t>(star(order, 20, limit8 - 20)) == 16);
  CHECK(bits<std::int64_t>(star(order, limit8, 1)) == 16);
  CHECK(bits<std::int32_t>(star(order, 10'000, limit - 1 - 10'000)) == 16);
  CHECK(bits<std::int32_t>(star(order, 10'000, limit - 10'000)) == 32);
  CHECK(bits<std::int64_t>(star(order, limit, 1)) == 32);
  CHECK(bits<std::int64_t>(star(order, infinity<std::int32_t> - 1 - 10'000, 10'000)) == 32);
  CHECK(bits<std::int64_t>(star(order, infinity<std::int32_t> - 10'000, 10'000)) == 64);

  Graph chain{order, {}};
  for (int v = 0; v + 1 < order; ++v) chain.edges.push_back({v, v + 1, 1});
  chain.edges.back().weight = (limit - 1) - (order - 2);
  CHECK(bits<std::int32_t>(chain) == 16);  // the sum of all edges is below the limit
  chain.edges.push_back({order - 1, 0, 1});
  CHECK(bits<std::int32_t>(chain) == 32);  // the bound assumes that all edges are as long as the longest edge
  chain.edges.pop_back();
  for (auto& e : chain.edges) e.weight = (limit - 1) / (order - 1);
  CHECK(bits<std::int32_t>(chain) == 16);  // now all edges are as long, and the path is short enough
}

TEST_CASE("64 bits: become 16 where some passes show that 16 suffice") {
  Random random(7);
  const int heaviest = blockfw::is_host_space<Exec> ? 100'000 : 60'000;  // a device's graph has more vertices
  CHECK(bits<std::int64_t>(scattered(random, order, 200 * order, 1, heaviest)) == 16);
  CHECK(bits<std::int32_t>(complete(random, order, 300)) == fewest);
}

TEST_CASE("pairs without a path") {
  Random random(2);
  Graph g = scattered(random, order, 40 * order, 100, 200);
  const auto in_core = [](int v) { return v >= 20; };
  std::erase_if(g.edges, [&](const auto& e) { return !in_core(e.from) || !in_core(e.to); });
  CHECK(bits<std::int32_t>(g) == 16);                                // twenty vertices without edges
  for (int v = 0; v < 10; ++v) g.edges.push_back({v, 20 + v, 700});  // edges into the core,
  for (int v = 10; v < 19; ++v) g.edges.push_back({20 + v, v, 700}), g.edges.push_back({v, v + 1, 700});  // and out
  CHECK(bits<std::int32_t>(g) == 16);

  Graph hops = scattered(random, order, 40 * order, 1, 1);
  std::erase_if(hops.edges, [&](const auto& e) { return !in_core(e.from) || !in_core(e.to); });
  CHECK(bits<std::int32_t>(hops) == fewest);

  Graph two = scattered(random, order, 40 * order, 100, 200);  // will fall into two large halves
  std::erase_if(two.edges, [](const auto& e) { return e.from % 2 != e.to % 2; });
  CHECK(bits<std::int32_t>(two) == 32);
  std::erase_if(two.edges, [](const auto& e) { return e.from % 2 == 1; });
  CHECK(bits<std::int32_t>(two) == 32);  // (no edge joins the halves, but the bound does not find that)
}

TEST_CASE("weights of zero, no edges, negative edges") {
  Random random(3);
  CHECK(bits<std::int32_t>(scattered(random, order, 2 * order, 0, 0)) == fewest);
  CHECK(bits<std::int32_t>(Graph{order, {}}) == fewest);
  CHECK(bits<std::int32_t>(Graph{order, {{1, 1, 5}}}) == fewest);
  CHECK(bits<std::int32_t>(shifted(scattered(random, order, 40 * order, 0, 5), potentials(random, order))) == 32);
}

TEST_CASE("bits: those of the type, for small graphs, int16 and floats") {
  Random random(4);
  CHECK(bits<std::int32_t>(complete(random, 100, 10)) == 32);
  SolveReport report;
  solve(order, edges_of<std::int16_t>(scattered(random, order, 40 * order, 0, 5)),
        {.method = blockfw::Method::dense, .report = &report});
  CHECK(report.bits == 16);
  solve(order, edges_of<float>(scattered(random, order, 40 * order, 0, 10)),
        {.method = blockfw::Method::dense, .report = &report});
  CHECK(report.bits == 32);
}

TEST_CASE("progress: called for each round; meanwhile: called once") {
  Random random(5);
  SolveReport report;
  std::int64_t rounds = 0;
  int meanwhile = 0;
  solve(order, edges_of<int>(scattered(random, order, 40 * order, 0, 10)),
        {.method = blockfw::Method::dense,
         .progress = [&](std::int64_t done, std::int64_t) { CHECK(done == ++rounds); },
         .meanwhile = [&] { ++meanwhile; },
         .report = &report});
  CHECK(report.bits == fewest);
  CHECK(rounds > 0);
  CHECK(meanwhile == 1);
}

TEST_CASE("bounds: never too low") {
  int bounded = 0, longest_met = 0;
  for (int n = 1; n < 40; ++n)
    for (const Family& family : families) {
      Random random(static_cast<unsigned>(n));
      const Graph g = family.make(random, n);
      if (std::any_of(g.edges.begin(), g.edges.end(), [](const auto& e) { return e.weight < 0; })) continue;
      const std::string name = family.name;
      CAPTURE(n);
      CAPTURE(name);
      const auto d = blockfw::allocate_distances<int>(Exec(), n);
      const auto edges = edges_of<int>(g);
      const auto range =
          blockfw::fill_from_edges(Exec(), d, blockfw::reachable_edges(Exec(), blockfw::detail::view_of(edges)));
      std::int64_t longest = 0;
      for (const auto& row : oracle::distances(g))
        for (const std::int64_t x : row)
          if (x != oracle::unreachable<std::int64_t>) longest = std::max(longest, x);
      for (const std::int64_t below : {std::int64_t(1), longest, longest + 1, 2 * longest, 4 * longest + 50}) {
        if (below < 1) continue;
        const int last = static_cast<int>(below);
        for (const std::vector<int>& limits : {std::vector{last}, std::vector{std::max(1, last / 2), last}}) {
          const auto bound = blockfw::detail::distance_bound(Exec(), d, range, limits);
          if (!bound) continue;
          ++bounded;
          longest_met += *bound == longest;
          CHECK(*bound >= longest);
          CHECK(*bound < below);
        }
      }
    }
  CHECK(bounded > 100);
  CHECK(longest_met > 0);
}

TEST_CASE_TEMPLATE("a type that is too narrow: cuts off distances, no other change", Small, std::int8_t, std::int16_t,
                   std::int32_t) {
  if constexpr (sizeof(Small) > 1 || blockfw::is_host_space<Exec>) {
    // The proof says more than solve() relies on: the result is min(distance, infinity).
    Random random(6);
    int cut_off = 0;
    for (const int n : {1, 2, 63, 150, 255, 256, 257, 520})
      for (const auto direction : {blockfw::Direction::directed, blockfw::Direction::undirected}) {
        CAPTURE(n);
        Graph g = scattered(random, n, 2 * n, 0, static_cast<int>(infinity<Small> / 5));
        if (direction == blockfw::Direction::undirected) g = oracle::mirrored(g);
        const auto d = blockfw::allocate_distances<std::int64_t>(Exec(), g.n);
        const auto edges = edges_of<std::int64_t>(g);
        blockfw::fill_from_edges(Exec(), d, blockfw::reachable_edges(Exec(), blockfw::detail::view_of(edges)));
        blockfw::detail::solve_narrower<Small>(Exec(), d, direction, {});
        Exec().fence();
        auto expected = oracle::distances(g);
        for (auto& row : expected)
          for (auto& x : row)
            if (x >= infinity<Small> && x != oracle::unreachable<std::int64_t>) {
              x = oracle::unreachable<std::int64_t>;
              ++cut_off;
            }
        CHECK(difference(d, expected) == "");
      }
    CHECK(cut_off > 0);
  }
}
