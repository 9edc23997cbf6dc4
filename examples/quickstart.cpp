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
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      if (on_host(i, j) == blockfw::infinity<int>)
        std::printf("  -%c", j < 3 ? ' ' : '\n');
      else
        std::printf("%3d%c", on_host(i, j), j < 3 ? ' ' : '\n');
}

// Output:
//   0   5   7   8
//   -   0   2   3
//   -   -   0   1
//   -   -   -   0
