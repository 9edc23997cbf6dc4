// SPDX-License-Identifier: MIT
// Matrices larger than a device's memory, or than the host's: solved a part at a time, on the host or in a file.
// The graph is a ring of 600 stations, one minute from each to the next.
#include <blockfw/apsp.hpp>

#include <cstdio>
#include <filesystem>
#include <vector>

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const Kokkos::DefaultExecutionSpace exec;
  constexpr int n = 600;
  std::vector<blockfw::Edge<int>> edges;
  edges.reserve(n);
  for (int station = 0; station < n; ++station) edges.push_back({station, (station + 1) % n, 1});

  Kokkos::View<int**, Kokkos::LayoutRight, Kokkos::SharedHostPinnedSpace> d("d", n, n);  // on the host
  const Kokkos::DefaultHostExecutionSpace host;
  const auto range = blockfw::fill_from_edges(host, d, edges);
  blockfw::solve_out_of_core(exec, d, range, {.memory = 4e9});  // by a device, in 4 GB of its memory
  std::printf("in memory: %d minutes from 0 to 599\n", d(0, 599));

  blockfw::io::DistanceFile<int> file("distances", n, "a ring of 600");  // only the same graph is resumed
  if (!file.filled()) file.fill(edges);
  file.solve(exec, {.memory = 4e9});
  file.commit();
  std::printf("in a file: %d, in %d bytes\n", file.view()(0, 599), int(std::filesystem::file_size("distances")));
  std::filesystem::remove("distances");
}

// Output:
// in memory: 599 minutes from 0 to 599
// in a file: 599, in 1440000 bytes
