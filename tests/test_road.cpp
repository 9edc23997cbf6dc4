// SPDX-License-Identifier: MIT
// A real road network, Rome's (DIMACS shortest-path challenge), if the file is there: BLOCKFW_ROME is its path.
#include "graphs.hpp"

#include "blockfw/io/dimacs.hpp"

#include <filesystem>
#include <utility>

TEST_CASE("Rome") {
  if (!std::filesystem::exists(BLOCKFW_ROME)) {
    MESSAGE("skipped: there is no " << BLOCKFW_ROME);
    return;
  }
  auto rome = blockfw::io::read_dimacs<std::int64_t>(BLOCKFW_ROME);
  Graph g{static_cast<int>(rome.vertices), std::move(rome.edges)};
  REQUIRE(g.n == 3353);
  REQUIRE(g.edges.size() == 8870);
#ifndef __OPTIMIZE__
  g.n = 700;  // all of it would take minutes
  std::erase_if(g.edges, [&](const auto& e) { return e.from >= g.n || e.to >= g.n; });
#endif

  const auto d = readable(blockfw::solve(g.n, edges_of<std::int32_t>(g)));
  const auto out = oracle::adjacency(g);
  const auto expected = [](std::int64_t length) {
    return length == oracle::unreachable<std::int64_t> ? blockfw::infinity<std::int32_t> : length;
  };

  Random random(2024);
  for (int pair = 0; pair < 300; ++pair) {
    const int from = uniform(random, 0, g.n - 1), to = uniform(random, 0, g.n - 1);
    CAPTURE(from);
    CAPTURE(to);
    CHECK(d(from, to) == expected(oracle::dijkstra(out, from)[static_cast<std::size_t>(to)]));
  }
  for (const int from : {0, 1, 127, 128, 699, g.n / 2, g.n - 1}) {
    const auto length = oracle::dijkstra(out, from);
    int wrong = 0;
    for (int to = 0; to < g.n; ++to) wrong += d(from, to) != expected(length[static_cast<std::size_t>(to)]);
    CHECK(wrong == 0);
  }
}
