// SPDX-License-Identifier: MIT
// A function for callers that know nothing of Kokkos: its first call starts Kokkos, which ends with the program.
// The pointer is to the host's memory. (To a GPU's, leave out `cores`.)
#include <blockfw/apsp.hpp>

#include <cstdio>

void shortest_paths(int n, int* d) {  // in a plugin or an exercise, called by a main() that is not ours
  blockfw::start_kokkos();
  const Kokkos::DefaultHostExecutionSpace cores;
  blockfw::blocked_floyd_warshall(cores, d, n, n);
}

int main() {
  const int none = blockfw::infinity<int>;  // 1073741823
  int d[3][3] = {{0, 5, 9}, {none, 0, 2}, {none, none, 0}};
  shortest_paths(3, d[0]);
  std::printf("from 0 to 2: %d\n", d[0][2]);
}

// Output:
// from 0 to 2: 7
