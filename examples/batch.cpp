// SPDX-License-Identifier: MIT
// Many small graphs at once: the same three towns at four hours of a day, in minutes.
// One launch solves all graphs, each by one team of threads.
#include <blockfw/apsp.hpp>

#include <cstdio>

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  constexpr int graphs = 4, n = 3;

  Kokkos::View<int***> d("d", graphs, n, n);  // d(g, i, j), as for blocked_floyd_warshall
  const auto on_host = Kokkos::create_mirror_view(d);
  Kokkos::deep_copy(on_host, blockfw::infinity<int>);
  for (int g = 0; g < graphs; ++g) {
    on_host(g, 0, 1) = 10;
    on_host(g, 1, 2) = 10 + 5 * g;  // the road 1 -> 2 fills up
    on_host(g, 0, 2) = 27;
  }
  Kokkos::deep_copy(d, on_host);
  blockfw::batched_floyd_warshall(Kokkos::DefaultExecutionSpace{}, d);
  Kokkos::deep_copy(on_host, d);

  for (int g = 0; g < graphs; ++g) std::printf("hour %d: %d minutes from 0 to 2\n", g, on_host(g, 0, 2));
}

// Output:
// hour 0: 20 minutes from 0 to 2
// hour 1: 25 minutes from 0 to 2
// hour 2: 27 minutes from 0 to 2
// hour 3: 27 minutes from 0 to 2
