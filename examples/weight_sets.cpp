// SPDX-License-Identifier: MIT
// Travel times by the hour: a motorway is slow at some hours, and then a country road is faster. The tables of all
// hours are made together.
#include <blockfw/apsp.hpp>

#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const Kokkos::DefaultHostExecutionSpace exec;

  const std::vector<blockfw::Edge<int>> roads = {{0, 1, 300}, {1, 2, 600}, {0, 2, 1500}};
  const blockfw::Network network(exec, 3, roads);
  const Kokkos::View<int**, Kokkos::LayoutRight, Kokkos::HostSpace> seconds("seconds", 24, roads.size());
  for (std::size_t h = 0; h < 24; ++h)
    for (std::size_t e = 0; e < roads.size(); ++e)
      seconds(h, e) = roads[e].weight + (e == 1 && (h == 8 || h == 17) ? 1200 : 0);

  const std::vector<int> depots = {0, 1}, customers = {2};
  const blockfw::WeightSets hours(network, seconds);   // seconds(h, e): of edge e in hour h
  const auto tables = hours.table(depots, customers);  // tables(h, i, j): in hour h from depots[i] to customers[j]
  for (const int h : {3, 8}) std::printf("hour %d: %d s and %d s\n", h, tables(h, 0, 0), tables(h, 1, 0));
}
// Output:
// hour 3: 900 s and 600 s
// hour 8: 1500 s and 1800 s
