// SPDX-License-Identifier: MIT
// Fewer bits on several devices: used only where no distance needs more, with the result of one instance.
#include "shares.hpp"

TEST_CASE("integers are held in fewer bits where a bound of the edges shows that they fit") {
  const int n = on_device ? 3100 : 1100;
  Random random(16);
  const auto light = [&](int heaviest) { return scattered(random, n, 20 * n, 1, heaviest); };
  blockfw::SolveReport report;
  const auto bits = [&]<class T>(T, int shares, const Graph& g, bool narrow = true) {
    CAPTURE(shares);
    blockfw::SolveOptions options;
    options.narrow = narrow;
    CHECK(different<T>(shares, n, edges_of<T>(g), options, &report) == 0);
    return report.bits;
  };
  CHECK(bits(std::int32_t(), 2, light(100)) == 16);
  CHECK(bits(std::int64_t(), 3, light(100)) == 16);
  CHECK(bits(std::int32_t(), 2, light(100), false) == 32);
  CHECK(bits(std::int64_t(), 2, light(40'000)) == 32);
  CHECK(bits(std::int32_t(), 2, light(40'000)) == 32);
  CHECK(bits(std::int16_t(), 2, scattered(random, n, 20 * n, 1, 10)) == 16);
  Graph g = light(100);
  std::erase_if(g.edges,
                [](const auto& e) { return e.from == 7 || e.to == 9; });  // one reaches none, one is not reached
  CHECK(bits(std::int32_t(), 3, g) == 16);
  g.edges.push_back({3, 4, 30'000});  // heavier than 16 bits hold, and on no shortest path
  CHECK(bits(std::int32_t(), 2, g) == 16);
  g.edges.push_back({5, 6, -1});
  CHECK(bits(std::int32_t(), 2, g) == 32);
  Graph chain{n, {}};
  for (int v = 0; v + 1 < n; ++v) chain.edges.push_back({v, v + 1, 16382 / (n - 1)});
  CHECK(bits(std::int32_t(), 2, chain) == 16);
  chain.edges[1].weight = 16383;
  CHECK(bits(std::int32_t(), 2, chain) == 32);
}
