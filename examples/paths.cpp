// SPDX-License-Identifier: MIT
// Routes, not only their lengths: Paths finds them from the distances and the edges.
// Of several shortest routes it takes one with the fewest edges.
#include <blockfw/apsp.hpp>

#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const Kokkos::DefaultExecutionSpace exec;
  const int n = 5;
  const std::vector<blockfw::Edge<int>> roads = {{0, 1, 3}, {1, 2, 4}, {0, 2, 9}, {2, 3, 1}, {1, 3, 7}};

  auto d = blockfw::solve(exec, n, roads);
  const blockfw::Paths paths(exec, d, roads);
  const auto route = paths.path(0, 3);             // {0, ..., 3}; {0} from 0 to 0; empty without a path
  const auto before = paths.tree(0);               // the vertex before each on a path from 0
  const auto predecessors = paths.predecessors();  // the trees of all vertices, a matrix
  const auto next_hops = paths.next_hops();        // next_hops(i, j): the vertex after i on the path to j

  std::printf("route:");
  for (const int town : route) std::printf(" %d", town);
  std::printf(", length %d\n", blockfw::path_length(route, roads));
  std::printf("before each town:");
  for (const int town : before) town == blockfw::no_vertex ? std::printf(" -") : std::printf(" %d", town);
  const auto hops = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, next_hops);
  std::printf("\nfrom 1 to 3, go to %d first\n", hops(1, 3));
  std::printf("predecessors: %zu x %zu\n", predecessors.extent(0), predecessors.extent(1));
}

// Output:
// route: 0 1 2 3, length 8
// before each town: - 0 1 2 -
// from 1 to 3, go to 2 first
// predecessors: 5 x 5
