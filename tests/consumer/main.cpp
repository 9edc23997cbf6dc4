// SPDX-License-Identifier: MIT
#include "blockfw/apsp.hpp"

#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  // Not with -Wconversion -Werror, which are ours alone.
  const short weight = argc + 1.5;
  const std::vector<blockfw::Edge<int>> edges = {{0, 1, 5}, {1, 2, weight}, {0, 2, 9}};
  const auto d = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, blockfw::solve(3, edges));
  std::printf("distance %d\n", d(0, 2));
}
