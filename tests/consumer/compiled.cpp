// SPDX-License-Identifier: MIT
// A project that asks for the component compiled.
#include "blockfw/apsp.hpp"

#include <cstddef>
#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const int n = 3;
  const std::vector<blockfw::Edge<int>> edges = {{0, 1, 5}, {1, 2, 2}, {0, 2, 9}};
  const Kokkos::DefaultExecutionSpace exec;

  const auto d = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, blockfw::solve(exec, n, edges));
  const blockfw::SparseAnalysis analysis(n, edges);
  const blockfw::SparseFactor factor(exec, analysis, edges);
  const blockfw::Devices<> devices;
  const auto shares = blockfw::solve(devices, n, edges);
  const Kokkos::View<int**, Kokkos::LayoutRight, Kokkos::HostSpace> large("large", n, n);
  const auto range = blockfw::fill_from_edges(Kokkos::DefaultHostExecutionSpace(), large, edges);
  blockfw::solve_out_of_core(exec, large, range);

  const blockfw::Network network(Kokkos::DefaultHostExecutionSpace(), n, edges);
  const Kokkos::View<int**, Kokkos::LayoutRight, Kokkos::HostSpace> weights("weights", 1, edges.size());
  for (std::size_t e = 0; e < edges.size(); ++e) weights(0, e) = edges[e].weight;
  const auto tables = blockfw::WeightSets(network, weights).table(std::vector<int>{0}, std::vector<int>{2});

  const bool same = factor.distance(0, 2) == d(0, 2) && shares.distance(0, 2) == d(0, 2) && large(0, 2) == d(0, 2) &&
                    tables(0, 0, 0) == d(0, 2);
  std::printf("%s %d\n", same ? "distance" : "places differ:", d(0, 2));
}
