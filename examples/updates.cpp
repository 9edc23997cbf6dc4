// SPDX-License-Identifier: MIT
// Solved distances after a change of the graph, without another solve, and measures of the graph. Six towns lie on a
// one-way ring road. Then there is a short cut, then a new town.
#include <blockfw/apsp.hpp>

#include <cstdio>
#include <vector>

template <class Exec, class Matrix>
void print(const char* when, const Exec& exec, const Matrix& d) {
  const auto reach = blockfw::reach(exec, d);  // on the host, an entry for each vertex
  const auto extent = blockfw::extent_of(reach);
  const double closeness = blockfw::closeness(reach[0], d.extent_int(0));
  std::printf("%-10s radius %d, diameter %d\n", when, extent.radius, extent.diameter);
  std::printf("%-10s centre %d, closeness of 0: %.3f\n", "", int(extent.centre[0]), closeness);
}

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const Kokkos::DefaultExecutionSpace exec;
  const int n = 6;
  const std::vector<blockfw::Edge<int>> ring = {{0, 1, 10}, {1, 2, 10}, {2, 3, 10}, {3, 4, 10}, {4, 5, 10}, {5, 0, 10}};

  auto d = blockfw::solve(n, ring);
  print("ring", exec, d);
  blockfw::insert_edge(exec, d, 0, 3, 5);  // from 0 to 3, of length 5
  print("short cut", exec, d);
  const std::vector<blockfw::Edge<int>> to_and_from_new = {{3, n, 1}, {n, 0, 20}};
  d = blockfw::add_vertex(exec, d, to_and_from_new);
  print("new town", exec, d);
}

// Output:
// ring       radius 50, diameter 50
//            centre 0, closeness of 0: 0.033
// short cut  radius 25, diameter 50
//            centre 0, closeness of 0: 0.067
// new town   radius 25, diameter 45
//            centre 0, closeness of 0: 0.074
