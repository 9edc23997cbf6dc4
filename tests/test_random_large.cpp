// SPDX-License-Identifier: MIT
// solve() with the tiles that users get, on graphs of several tiles.
#include "graphs.hpp"

TEST_CASE("random graphs: of several tiles") {
  for (const int n : {100, 173, 300})
    for (const Family& family : families) {
      CAPTURE(n);
      CAPTURE(family.name);
      Random random(static_cast<unsigned>(n));
      const Graph g = family.make(random, n);
      const Answer answer(g, blockfw::Direction::directed);
      for_each_type([&]<class T>(T) { check_against(answer, [&] { return blockfw::solve(n, edges_of<T>(g)); }); });
    }
}

TEST_CASE("int64 distances beyond 32 bits") {
  const int n = 200;
  Random random(9);
  std::uniform_int_distribution<std::int64_t> weight(0, 1'000'000'000'000'000);
  Graph g = scattered(random, n, 3 * n, 0, 0);
  for (auto& e : g.edges) e.weight = weight(random);
  CHECK(difference(blockfw::solve(n, g.edges), oracle::distances(g)) == "");
}
