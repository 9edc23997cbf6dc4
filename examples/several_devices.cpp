// SPDX-License-Identifier: MIT
// One matrix on several devices: each holds some rows of it. On a host a device is a group of threads.
// The graph is a ring of 600 stations, one minute from each to the next.
#include <blockfw/apsp.hpp>

#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  constexpr int n = 600;
  std::vector<blockfw::Edge<int>> edges;
  edges.reserve(n);
  for (int station = 0; station < n; ++station) edges.push_back({station, (station + 1) % n, 1});

  // The first two devices, or two groups of a host's threads:
  const blockfw::Devices<> devices(2);
  // Each device has the rows of 300 stations:
  const auto d = blockfw::solve(devices.list(), n, edges);
  Kokkos::View<int**, Kokkos::LayoutRight, Kokkos::HostSpace> all("all", n, n);
  d.copy_to(all);

  std::printf("%d shares\n", d.shares());
  std::printf("from 0 to 599: %d minutes, back: %d\n", all(0, 599), all(599, 0));
}

// Output:
// 2 shares
// from 0 to 599: 599 minutes, back: 1
