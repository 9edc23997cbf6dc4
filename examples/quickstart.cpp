// SPDX-License-Identifier: MIT
// Shortest paths between all pairs of a few towns: roads in, a matrix of distances out.
// On a GPU the matrix is in the GPU's memory, so it is copied to the host before it is printed.
#include <blockfw/apsp.hpp>

#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);  // in main(), before the first call

  std::vector<blockfw::Edge<int>> roads = {{0, 1, 5}, {1, 2, 2}, {0, 2, 9}, {2, 3, 1}};
  auto distance = blockfw::solve(4, roads);  // distance(0, 2) == 7, in the default space's memory

  const auto on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, distance);
  for (int to = 0; to < 4; ++to) std::printf("from 0 to %d: %d\n", to, blockfw::entry_at(on_host, 0, to));
  std::printf("a path from 3 to 0: %s\n", blockfw::entry_at(on_host, 3, 0) == blockfw::infinity<int> ? "no" : "yes");
}

// Output:
// from 0 to 0: 0
// from 0 to 1: 5
// from 0 to 2: 7
// from 0 to 3: 8
// a path from 3 to 0: no
