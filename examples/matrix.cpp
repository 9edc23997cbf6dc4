// SPDX-License-Identifier: MIT
// Solves a matrix of your own in place: a Kokkos view of any layout, with a tile that you choose, or a raw pointer.
// Distances are a matrix of weights, too: after a change they can be solved again.
#include <blockfw/apsp.hpp>

#include <cstdio>

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const Kokkos::DefaultExecutionSpace exec;
  constexpr int n = 4;

  Kokkos::View<float**> d("d", n, n);  // d(i, j): an edge's length or blockfw::infinity<float>; d(i, i): 0
  Kokkos::deep_copy(d, blockfw::infinity<float>);
  const auto set = [&](int i, int j, float length) { Kokkos::deep_copy(Kokkos::subview(d, i, j), length); };
  const auto print = [&](const char* what) {
    const auto on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, d);
    std::printf("%-22s %4.1f\n", what, on_host(0, 3));
  };

  for (int i = 0; i < n; ++i) set(i, i, 0);
  set(0, 1, 1.5F), set(1, 2, 2), set(2, 3, 4);
  blockfw::blocked_floyd_warshall(d);  // in place, the tuned tile
  print("from 0 to 3:");

  set(1, 3, 3);
  blockfw::blocked_floyd_warshall<blockfw::Tile<64>>(exec, d);  // your tile, your execution-space instance
  print("with a road 1 to 3:");

  set(0, 3, 4);
  float* const pointer = d.data();
  const int leading_dimension = n;
  blockfw::blocked_floyd_warshall(exec, pointer, n, leading_dimension);
  print("with a road 0 to 3:");
}

// Output:
// from 0 to 3:            7.5
// with a road 1 to 3:     4.5
// with a road 0 to 3:     4.0
