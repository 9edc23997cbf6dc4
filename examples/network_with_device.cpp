// SPDX-License-Identifier: MIT
// A network on a host, whose large questions a GPU answers: minutes between all crossings of two quarters. Where Kokkos
// has no GPU, the host answers these, too.
#include <blockfw/apsp.hpp>

#include <cstdio>
#include <numeric>
#include <vector>

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const Kokkos::DefaultHostExecutionSpace host;
  const Kokkos::DefaultExecutionSpace device;

  const int side = 50, n = side * side;
  std::vector<blockfw::Edge<int>> edges;  // three minutes each; the streets of row 20 are fast
  for (int v = 0; v < n; ++v) {
    if (v % side < side - 1) edges.push_back({v, v + 1, v / side == 20 ? 1 : 3});
    if (v / side < side - 1) edges.push_back({v, v + side, 3});
  }
  const blockfw::Network network(host, n, edges, {.direction = blockfw::Direction::undirected});

  std::vector<int> depots(1200), customers(1200);
  std::iota(depots.begin(), depots.end(), 0);
  std::iota(customers.begin(), customers.end(), n - 1200);
  const blockfw::NetworkWithDevice either(device, network);
  const auto minutes = either.table(depots, customers);
  std::printf("from %d to %d: %d minutes\n", depots[0], customers[1199], minutes(0, 1199));
  std::printf("from %d to %d: %d minutes\n", depots[1199], customers[0], minutes(1199, 0));
}
// Output:
// from 0 to 2499: 196 minutes
// from 1199 to 1300: 76 minutes
