// SPDX-License-Identifier: MIT
// A town's roads, in a DIMACS file as the 9th DIMACS challenge has them: blocks of streets with gaps and one-way
// streets between them, lengths in metres. Both methods solve them, and Dijkstra's searches check the distances.
#include "folder.hpp"
#include "graphs.hpp"

#include "blockfw/io/text_formats.hpp"

#include <cstdint>
#include <string>
#include <utility>

namespace {

/// A town of side x side crossings.
std::string town(Random& random, int side) {
  std::string arcs;
  int count = 0;
  const auto arc = [&](int from, int to, int metres) {
    arcs += "a " + std::to_string(from + 1) + ' ' + std::to_string(to + 1) + ' ' + std::to_string(metres) + '\n';
    ++count;
  };
  for (int v = 0; v < side * side; ++v)
    for (const int other : {v + 1, v + side}) {
      if (other >= side * side || (other == v + 1 && other % side == 0)) continue;
      if (uniform(random, 0, 9) < 2) continue;  // no street here
      const int metres = uniform(random, 30, 900), directions = uniform(random, 0, 3);
      if (directions != 0) arc(v, other, metres);
      if (directions != 1) arc(other, v, metres);
    }
  return "c a town\np sp " + std::to_string(side * side) + ' ' + std::to_string(count) + '\n' + arcs;
}

}  // namespace

TEST_CASE("a town's roads") {
  Random random(2024);
#ifdef __OPTIMIZE__
  const int side = 58;
#else
  const int side = 27;  // few, since the oracle's Dijkstra is slow
#endif
  const Folder folder;
  put(folder / "town.gr", town(random, side));
  auto roads = blockfw::io::read_dimacs<std::int64_t>(folder / "town.gr");
  const Graph g{static_cast<int>(roads.vertices), std::move(roads.edges)};
  REQUIRE(g.n == side * side);
  REQUIRE(g.edges.size() > static_cast<std::size_t>(2 * g.n));
  const auto out = oracle::adjacency(g);

  for (const auto method : {blockfw::Method::dense, blockfw::Method::sparse}) {
    CAPTURE(static_cast<int>(method));
    const auto d = readable(blockfw::solve(g.n, edges_of<std::int32_t>(g), {.method = method}));
    int wrong = 0, unreached = 0;
    for (int i = 0; i < 64; ++i) {
      const int from = i < 8 ? i : uniform(random, 0, g.n - 1);
      const auto length = oracle::dijkstra(out, from);
      for (int to = 0; to < g.n; ++to) {
        const auto expected = length[static_cast<std::size_t>(to)];
        const bool none = expected == oracle::unreachable<std::int64_t>;
        unreached += none;
        wrong += d(from, to) != (none ? blockfw::infinity<std::int32_t> : expected);
      }
    }
    CHECK(wrong == 0);
    CHECK(unreached > 0);  // crossings that no street leads to
  }
}
