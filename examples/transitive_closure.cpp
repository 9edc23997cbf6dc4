// SPDX-License-Identifier: MIT
// The vertices that each vertex reaches, without lengths: one bit for a pair. Here a module of a program reaches the
// modules that it needs, also through others. Weights do not matter.
#include <blockfw/apsp.hpp>

#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const char* const modules[] = {"main", "parser", "lexer", "strings", "network"};
  const int n = 5;
  const std::vector<blockfw::Edge<int>> edges = {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {4, 3, 1}};

  const auto reach = blockfw::transitive_closure(n, edges);  // or (exec, n, edges, options)
  const auto on_host = reach.on_host();
  std::printf("main needs strings: %s\n", on_host(0, 3) ? "yes" : "no");  // whether a path leads from 0 to 3
  for (int i = 0; i < n; ++i) {
    std::printf("%-8s", modules[i]);
    for (int j = 0; j < n; ++j) std::printf(" %d", int(on_host(i, j)));
    std::printf("\n");
  }
}

// Output:
// main needs strings: yes
// main     1 1 1 1 0
// parser   0 1 1 1 0
// lexer    0 0 1 1 0
// strings  0 0 0 1 0
// network  0 0 0 1 1
