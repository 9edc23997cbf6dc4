// SPDX-License-Identifier: MIT
// Measures and a table of a network on all devices, without n x n memory: a factor on each, and each has some vertices.
// The network has 40 x 40 crossings, three minutes from each to the next.
#include <blockfw/apsp.hpp>

#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  using Exec = Kokkos::DefaultExecutionSpace;
  const int side = 40, n = side * side;
  std::vector<blockfw::Edge<int>> edges;
  for (int v = 0; v < n; ++v)
    for (const int next : {v + 1, v + side})
      if (next < n && (next != v + 1 || next % side != 0)) edges.push_back({v, next, 3}), edges.push_back({next, v, 3});

  const blockfw::Devices<> devices;
  const blockfw::SparseAnalysis analysis(n, edges);
  std::vector<blockfw::SparseFactor<blockfw::MinPlus<int>, Exec>> factors;
  for (const Exec& device : devices.list()) factors.emplace_back(device, analysis, edges);
  const auto all = blockfw::reach(factors);
  std::printf("the longest way: %d minutes; from the middle: %d\n", blockfw::extent_of(all).diameter,
              all[n / 2 + side / 2].farthest);

  const std::vector<int> shops = {0, n - 1}, homes = {41, 820, 1558};
  const auto minutes = blockfw::table(factors, shops, homes);
  for (int s = 0; s < 2; ++s)
    std::printf("from shop %d: %d %d %d minutes\n", s, minutes(s, 0), minutes(s, 1), minutes(s, 2));
}
// Output:
// the longest way: 234 minutes; from the middle: 120
// from shop 0: 6 120 228 minutes
// from shop 1: 228 114 6 minutes
