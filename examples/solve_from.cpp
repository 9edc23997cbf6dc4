// SPDX-License-Identifier: MIT
// Distances from a few vertices only, without the n x n matrix: how far each town is from the next of two hospitals.
// The towns lie along one road, 2 km apart, which leads in both directions.
#include <blockfw/apsp.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const Kokkos::DefaultExecutionSpace exec;
  const int n = 20;
  std::vector<blockfw::Edge<int>> edges;
  for (int town = 1; town < n; ++town) {
    edges.push_back({town - 1, town, 2});
    edges.push_back({town, town - 1, 2});
  }

  const std::vector<std::int32_t> sources = {3, 17};
  auto d = blockfw::solve_from(exec, n, edges, sources);  // d(1, v): from vertex 17 to v

  const auto km = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, d);
  for (const int town : {0, 9, 10, 19})
    std::printf("town %2d: %2d km to 3, %2d km to 17\n", town, blockfw::entry_at(km, 0, town),
                blockfw::entry_at(km, 1, town));
}

// Output:
// town  0:  6 km to 3, 34 km to 17
// town  9: 12 km to 3, 16 km to 17
// town 10: 14 km to 3, 14 km to 17
// town 19: 32 km to 3,  4 km to 17
