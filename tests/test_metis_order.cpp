// SPDX-License-Identifier: MIT
// Orders of elimination by METIS.
#include "orders.hpp"

#include "blockfw/orders/metis.hpp"

#include <csignal>
#include <thread>

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
