// Shortest paths between all pairs of a few towns.

#include <Kokkos_Core.hpp>
#include <blockfw/apsp.hpp>

#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);

  const std::vector<blockfw::Edge<int>> roads = {{0, 1, 5}, {1, 2, 2}, {0, 2, 9}, {2, 3, 1}};
  const auto distance = blockfw::solve(4, roads);

  const auto on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, distance);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      if (on_host(i, j) == blockfw::infinity<int>)
        std::printf("  -%c", j < 3 ? ' ' : '\n');
      else
        std::printf("%3d%c", on_host(i, j), j < 3 ? ' ' : '\n');
}
