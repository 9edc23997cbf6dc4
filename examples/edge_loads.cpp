// SPDX-License-Identifier: MIT
// The traffic on the streets of a network of 40 x 40 crossings, where all commuters take their fastest way, and the
// streets of one way.
#include <blockfw/apsp.hpp>

#include <algorithm>
#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const Kokkos::DefaultHostExecutionSpace exec;

  const int side = 40, n = side * side;
  std::vector<blockfw::Edge<int>> edges;  // minutes; the streets of row 20 are fast
  for (int v = 0; v < n; ++v) {
    if (v % side < side - 1) edges.push_back({v, v + 1, v / side == 20 ? 1 : 3});
    if (v / side < side - 1) edges.push_back({v, v + side, 3});
  }
  const blockfw::Network network(exec, n, edges, {.direction = blockfw::Direction::undirected});

  const std::vector<int> homes = {800, 810, 839}, works = {839, 830, 800}, commuters = {100, 50, 20};
  const auto traffic = blockfw::edge_loads(network, homes, works, commuters);
  // traffic.loads[e]: the commuters on edge e; traffic.unserved: those without a way
  const auto busiest = std::max_element(traffic.loads.begin(), traffic.loads.end()) - traffic.loads.begin();
  const auto& street = edges[static_cast<std::size_t>(busiest)];
  std::printf("busiest street: %d-%d, %g commuters\n", street.from, street.to, traffic.loads[std::size_t(busiest)]);
  for (const std::int64_t e : network.path_edges(839, 836))
    std::printf("%d-%d takes %d minute\n", edges[std::size_t(e)].from, edges[std::size_t(e)].to,
                edges[std::size_t(e)].weight);
}
// Output:
// busiest street: 810-811, 170 commuters
// 838-839 takes 1 minute
// 837-838 takes 1 minute
// 836-837 takes 1 minute
