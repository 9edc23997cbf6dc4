// SPDX-License-Identifier: MIT
// Orders of elimination by other libraries: those that CMakeLists.txt finds, each of which defines ORDERS_BY_NAME. An
// order must be a permutation with little fill, and must give the oracle's distances.
#include "graphs.hpp"

#include "blockfw/detail/graph/neighbours.hpp"
#include "blockfw/sparse.hpp"
#ifdef ORDERS_BY_AMD
#include "blockfw/orders/amd.hpp"
#endif
#ifdef ORDERS_BY_METIS
#include "blockfw/orders/metis.hpp"
#endif

#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using Edges = std::vector<blockfw::Edge<std::int32_t>>;

inline std::vector<std::int32_t> natural(int n) {
  std::vector<std::int32_t> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

inline bool is_permutation(std::vector<std::int32_t> order, int n) {
  std::sort(order.begin(), order.end());
  return order == natural(n);
}

/// Streets of side x side crossings, whose vertices are numbered at random.
inline Graph shuffled_grid(Random& random, int side) {
  auto name = natural(side * side);
  std::shuffle(name.begin(), name.end(), random);
  Graph g{side * side, {}};
  const auto add = [&](int from, int to) {
    g.edges.push_back(
        {name[static_cast<std::size_t>(from)], name[static_cast<std::size_t>(to)], uniform(random, 0, heaviest(g.n))});
  };
  for (int v = 0; v < g.n; ++v) {
    if (v % side < side - 1) add(v, v + 1);
    if (v / side < side - 1) add(v, v + side);
  }
  return g;
}

/// A star: an edge from each vertex to the hub, and an edge back.
inline Graph doubled_star(Random& random, int n) {
  Graph g{n, {}};
  for (int v = 0; v < n; ++v)
    for (const auto& [from, to] : {std::pair(v, n / 2), std::pair(n / 2, v)})
      g.edges.push_back({from, to, uniform(random, 0, heaviest(n))});
  return g;
}

/// Checks that an elimination in the order finds the oracle's distances.
template <class Order>
void check_distances(const Graph& g, const Order& order_of) {
  using T = std::int32_t;
  const auto edges = edges_of<T>(g);
  const std::vector<std::int32_t> order = order_of(g.n, edges);
  CHECK(is_permutation(order, g.n));
  if (oracle::has_negative_cycle(g)) return;
  const blockfw::SparseAnalysis analysis(g.n, edges, {.order = order});
  const Kokkos::DefaultHostExecutionSpace exec;
  const blockfw::SparseFactor<blockfw::MinPlus<T>> factor(exec, analysis, edges);
  CHECK(difference(factor.solve(), oracle::distances(g)) == "");
}

/// \brief All checks of the order of a library.
/// \param order_of  order_of(n, edges)
template <class Order>
void check_order(const Order& order_of) {
  SUBCASE("families of graphs") {
    for (const unsigned seed : {1u, 2u})
      for (const int n : {1, 2, 3, 7, 20, 61, 250}) {
        Random random(seed * 1000 + static_cast<unsigned>(n));
        const auto run = [&](const Family& family) {
          CAPTURE(family.name);
          CAPTURE(n);
          CAPTURE(seed);
          Graph g = family.make(random, n);
          g.n = n;
          check_distances(g, order_of);
          g.n = n + 5;  // five vertices without an edge
          check_distances(g, order_of);
        };
        for (const Family& family : families) run(family);
        run({"star", doubled_star});
      }
    Random random(3);
    check_distances(shuffled_grid(random, 20), order_of);
  }
  SUBCASE("a grid has less fill than in an order at random, and not much more than in the built-in one") {
    Random random(6);
    const Graph g = shuffled_grid(random, 30);
    const auto edges = edges_of<std::int32_t>(g);
    const blockfw::SparseAnalysis ours(g.n, edges, {.order = order_of(g.n, edges)});
    CHECK(ours.factor_elements() <
          0.5 * blockfw::SparseAnalysis(g.n, edges, {.order = natural(g.n)}).factor_elements());
    CHECK(ours.factor_elements() < 1.5 * blockfw::SparseAnalysis(g.n, edges).factor_elements());
  }
  SUBCASE("the order is the same each time, whatever the weights, the directions and the repetitions") {
    Random random(7);
    Graph g = shuffled_grid(random, 25);
    const auto order = order_of(g.n, edges_of<std::int32_t>(g));
    for (std::size_t e = 0, count = g.edges.size(); e < count; ++e) {
      const auto edge = g.edges[e];
      g.edges[e] = {edge.to, edge.from, 0};
      if (e % 3 == 0) g.edges.push_back(edge);
      if (e % 5 == 0) g.edges.push_back({edge.to, edge.to, 1});
    }
    CHECK(order_of(g.n, edges_of<double>(g)) == order);
  }
  SUBCASE("little or nothing to order") {
    CHECK(order_of(0, Edges{}).empty());
    CHECK(order_of(1, Edges{}) == std::vector<std::int32_t>{0});
    CHECK(order_of(1, Edges{{0, 0, 5}}) == std::vector<std::int32_t>{0});
    CHECK(is_permutation(order_of(300, Edges{}), 300));
    CHECK(is_permutation(order_of(300, Edges{{7, 7, 5}, {299, 299, 1}}), 300));
    CHECK(is_permutation(order_of(300, Edges{{7, 299, 5}}), 300));
    CHECK(is_permutation(order_of(2, Edges{{0, 1, 5}, {1, 0, 5}, {0, 1, 6}}), 2));
  }
  SUBCASE("invalid graphs: refused") {
    const Edges path = {{0, 1, 5}, {1, 2, 3}};
    CHECK_THROWS_WITH_AS(order_of(-1, path), "the number of vertices is -1, expected 0 to 2^31 - 1",
                         blockfw::InvalidInput);
    CHECK_THROWS_WITH_AS(order_of(std::int64_t(1) << 31, path),
                         "the number of vertices is 2147483648, expected 0 to 2^31 - 1", blockfw::InvalidInput);
    CHECK_THROWS_WITH_AS(order_of(2, path), "edge 1: vertex 2 is out of range, expected 0 to 1", blockfw::InvalidEdge);
    CHECK_THROWS_WITH_AS(order_of(0, path), "edge 0: vertex 0 is out of range, the graph has no vertices",
                         blockfw::InvalidEdge);
    CHECK_THROWS_WITH_AS(order_of(2, Edges{{0, -1, 5}}), "edge 0: vertex -1 is out of range, expected 0 to 1",
                         blockfw::InvalidEdge);
  }
  SUBCASE("a graph too large for the integers of the library") {
    const auto counted = [](int n) {
      Random random(8);
      int neighbours = 0;
      (void)blockfw::detail::order_by_library<std::int8_t>(
          blockfw::detail::neighbours_of(n, doubled_star(random, n).edges), "it", 0, 1,
          [&](std::int8_t vertices, const std::int8_t* first, const std::int8_t*, const std::int8_t*) {
            CHECK(vertices == n);
            neighbours = first[vertices];
            return 0;
          });
      return neighbours;
    };
    CHECK(counted(64) == 126);
    CHECK_THROWS_WITH_AS(counted(65),
                         "a graph of 65 vertices with 128 neighbours in all is too large for it, whose integers have 8 "
                         "bits here",
                         blockfw::InvalidInput);
  }
}

#ifdef ORDERS_BY_AMD
TEST_CASE("the order by AMD") {
  check_order([](std::int64_t n, const auto& edges) { return blockfw::amd_order(n, edges); });
}

TEST_CASE("AMD with 32 and with 64 bits") {
  Random random(9);
  for (const auto& g :
       {shuffled_grid(random, 25), doubled_star(random, 100), Graph{0, {}}, Graph{1, {}}, Graph{9, {}}}) {
    const auto neighbours = blockfw::detail::neighbours_of(g.n, g.edges);
    CHECK(blockfw::detail::amd_order_of<std::int64_t>(neighbours) ==
          blockfw::detail::amd_order_of<std::int32_t>(neighbours));
  }
  CHECK(blockfw::detail::fits_short_amd(100'000'000, 1'000'000'000));
  CHECK(!blockfw::detail::fits_short_amd(100'000'000, 1'300'000'000));
  CHECK(!blockfw::detail::fits_short_amd(2'000'000'000, 10));
}
#endif

#ifdef ORDERS_BY_METIS
TEST_CASE("the order by METIS") {
  check_order([](std::int64_t n, const auto& edges) { return blockfw::metis_order(n, edges); });
}

extern "C" inline void metis_test_handler(int) {}

TEST_CASE("signal handlers: kept by calls from several threads") {
  Random random(9);
  const Graph g = shuffled_grid(random, 25);
  const auto edges = edges_of<std::int32_t>(g);
  const auto before = std::signal(SIGTERM, metis_test_handler);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int call = 0; call < 5; ++call) blockfw::metis_order(g.n, edges);
    });
  for (auto& thread : threads) thread.join();
  CHECK(std::signal(SIGTERM, before) == metis_test_handler);
}
#endif
