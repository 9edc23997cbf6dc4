// SPDX-License-Identifier: MIT
// Streets with turns: no left turn from the first street, U-turns at dead ends only. The seconds of the best way, and
// its streets.
#include <blockfw/apsp.hpp>

#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const Kokkos::DefaultHostExecutionSpace exec;

  // 0 -> 1 -> 2, and a dead end 3 beside 1.
  const std::vector<blockfw::Edge<int>> streets = {{0, 1, 10}, {1, 2, 10}, {1, 3, 5}, {3, 1, 5}};
  const std::vector<blockfw::Turn<int>> turns = {{0, 1, blockfw::infinity<int>}};  // not from street 0 into street 1
  const std::vector<int> depots = {0}, customers = {2};

  const blockfw::Network plain(exec, 4, streets);
  const auto roads = blockfw::by_roads(exec, 4, streets, turns, {.u_turns = blockfw::UTurns::dead_ends});
  const auto seconds = roads.table(depots, customers);
  std::printf("%d seconds, %d without turns\n", seconds(0, 0), plain.distance(0, 2));
  for (const int road : roads.path_roads(depots, customers).roads) std::printf("street %d\n", road);
}
// Output:
// 30 seconds, 20 without turns
// street 0
// street 2
// street 3
// street 1
