// SPDX-License-Identifier: MIT
// Questions about a network of 40 x 40 crossings: minutes of the fastest ways, their metres, the nearest depot, and
// crossings within 10 minutes. The same questions follow while a street is closed.
#include <blockfw/apsp.hpp>

#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const Kokkos::DefaultHostExecutionSpace exec;

  const int side = 40, n = side * side;
  std::vector<blockfw::Edge<int>> edges;  // minutes; the streets of row 20 are fast
  std::vector<int> metres;
  for (int v = 0; v < n; ++v)
    for (const int other : {v + 1, v + side}) {
      if (other == v + 1 ? v % side == side - 1 : v / side == side - 1) continue;
      edges.push_back({v, other, other == v + 1 && v / side == 20 ? 1 : 3});
      metres.push_back(other == v + 1 ? 400 : 250);
    }
  const blockfw::Network network(exec, n, edges, {.direction = blockfw::Direction::undirected});

  const std::vector<int> depots = {0, 820}, customers = {n - 1};
  const auto minutes = network.table(depots, customers);
  const auto lengths = blockfw::SecondWeights(network, metres).table(depots, customers);
  for (std::size_t i = 0; i < depots.size(); ++i)
    std::printf("from %d: %d minutes, %d metres\n", depots[i], minutes(i, 0), int(lengths(i, 0)));
  const auto nearest = network.nearest(depots);
  const auto within = network.within(depots, 10);
  std::printf("vertex 700: depot %d, %d minutes; within 10 minutes: %zu crossings\n", nearest.place[700],
              nearest.distance[700], within.vertices.size());
  const auto closed = network.with_changes(std::vector<blockfw::Edge<int>>{{820, 821, blockfw::infinity<int>}});
  std::printf("820 to 821: %d minutes while the street is closed\n", closed.distance(820, 821));
}
// Output:
// from 0: 156 minutes, 25350 metres
// from 820: 76 minutes, 12350 metres
// vertex 700: depot 1, 9 minutes; within 10 minutes: 85 crossings
// 820 to 821: 9 minutes while the street is closed
