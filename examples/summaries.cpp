// SPDX-License-Identifier: MIT
// Sums over all distances of a network of 40 x 40 crossings, whose matrix is never stored. They tell how far pairs are
// apart, and how many jobs each crossing reaches within 10 minutes.
#include <blockfw/apsp.hpp>

#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const Kokkos::DefaultHostExecutionSpace exec;

  const int side = 40, n = side * side;
  std::vector<blockfw::Edge<int>> edges;  // minutes
  for (int v = 0; v < n; ++v) {
    if (v % side < side - 1) edges.push_back({v, v + 1, v / side == 20 ? 1 : 3});
    if (v / side < side - 1) edges.push_back({v, v + side, 3});
  }
  const blockfw::Network network(exec, n, edges, {.direction = blockfw::Direction::undirected});

  const int shop = 0, office = 1;
  std::vector<std::int32_t> kind(n, blockfw::no_vertex);
  std::vector<double> jobs(n, 0);
  for (std::size_t v = 0; v < kind.size(); v += 97) kind[v] = shop, jobs[v] = 5;
  for (std::size_t v = 820; v < 830; ++v) kind[v] = office, jobs[v] = 200;
  const blockfw::VertexGroups kinds(exec, kind, {.weights = jobs});
  blockfw::DistanceHistogram<int> minutes(60, 3);  // bins of an hour; the last one has all longer distances
  int far_from_jobs = 0;
  network.for_whole_rows([&](std::int64_t first, const auto& rows) {
    minutes.add(exec, first, rows);
    const auto near = blockfw::group_sums(exec, rows, kinds, 10);  // within 10 minutes
    for (std::size_t r = 0; r < rows.extent(0); ++r)
      far_from_jobs += near.reached(r, shop) + near.reached(r, office) == 0;
  });
  const auto pairs = minutes.counts();
  std::printf("pairs: %d, %d, %d; crossings without jobs nearby: %d\n", int(pairs[0]), int(pairs[1]), int(pairs[2]),
              far_from_jobs);
}
// Output:
// pairs: 1179172, 1326072, 53156; crossings without jobs nearby: 1103
