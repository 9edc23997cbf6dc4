// SPDX-License-Identifier: MIT
// A project that asks for the component metis.
#include "blockfw/orders/metis.hpp"
#include "blockfw/sparse.hpp"

#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const int n = 3;
  const std::vector<blockfw::Edge<int>> edges = {{0, 1, 5}, {1, 2, 2}, {0, 2, 9}};
  const blockfw::SparseAnalysis analysis(n, edges, {.order = blockfw::metis_order(n, edges)});
  const blockfw::SparseFactor<blockfw::MinPlus<int>> factor({}, analysis, edges);
  std::printf("distance %d\n", factor.solve()(0, 2));
}
