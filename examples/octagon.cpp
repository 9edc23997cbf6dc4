// SPDX-License-Identifier: MIT
// An octagon, bounds on sums and differences of integers, as a small matrix: all bounds that follow from some.
// Entry (i, j) bounds v(j) - v(i), where v(0), v(1), ... are x, -x, y, -y, z, -z; so v(i ^ 1) is -v(i).
#include <blockfw/apsp.hpp>

#include <algorithm>
#include <cstdio>

enum { x = 0, minus_x = 1, y = 2, minus_y = 3, z = 4, minus_z = 5, n = 6, none = blockfw::infinity<int> };

// Entries (i ^ 1, i) bound 2 v(i). Half of two of them bounds a sum of v's, which is no sum along a path. An integer's
// half is rounded down (>> 1): from 2x <= 5 follows x <= 2.
void strengthen(int* m) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const int from = m[i * n + (i ^ 1)], to = m[(j ^ 1) * n + j];
      if (from != none && to != none) m[i * n + j] = std::min(m[i * n + j], (from >> 1) + (to >> 1));
    }
}

int main() {
  int m[n * n];
  for (int i = 0; i < n * n; ++i) m[i] = i % (n + 1) == 0 ? 0 : none;  // (0 on the diagonal)
  m[minus_x * n + y] = m[minus_y * n + x] = 3;                         // x + y <= 3: y - (-x) and x - (-y)
  m[y * n + x] = m[minus_x * n + minus_y] = 2;                         // x - y <= 2
  m[minus_z * n + z] = 2 * 4;                                          // z <= 4
  if (blockfw::small_floyd_warshall(m, n, n)) return 1;                // a negative cycle: no x, y, z
  std::printf("2x <= %d, x + z is %s\n", m[minus_x * n + x], m[minus_z * n + x] == none ? "not bounded" : "bounded");
  strengthen(m);
  std::printf("2x <= %d, x + z <= %d\n", m[minus_x * n + x], m[minus_z * n + x]);
  if (blockfw::small_insert_edge(m, n, n, x, z, -1)) return 1;              // one more bound: z - x <= -1
  if (blockfw::small_insert_edge(m, n, n, minus_z, minus_x, -1)) return 1;  // the same: -x - (-z) <= -1
  strengthen(m);
  std::printf("2z <= %d, x + z <= %d\n", m[minus_z * n + z], m[minus_z * n + x]);
}

// Output:
// 2x <= 5, x + z is not bounded
// 2x <= 4, x + z <= 6
// 2z <= 2, x + z <= 3
