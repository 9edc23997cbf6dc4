// SPDX-License-Identifier: MIT
// A graph in a file: the format (DIMACS, Matrix Market, .npy, edge lists) is found from the contents.
// The survey reads the file once without keeping it and says which type holds all sums.
#include <blockfw/apsp.hpp>

#include <cstdint>
#include <cstdio>
#include <fstream>

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  std::ofstream("towns.gr") << "c Four towns, as DIMACS writes them\np sp 4 4\na 1 2 5\na 2 3 2\na 1 3 9\na 3 4 1\n";

  const blockfw::io::InputFile file("towns.gr");
  if (blockfw::io::suffices<std::int32_t>(blockfw::io::survey(file))) {
    const auto graph = blockfw::io::read_graph<std::int32_t>(file);
    auto d = blockfw::solve(graph.vertices, graph.edges, {.direction = graph.direction});
    std::printf("%s: %d towns, %zu roads\n", blockfw::io::name_of(blockfw::io::format_of(file)), int(graph.vertices),
                graph.edges.size());
    const auto on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, d);
    std::printf("from 1 to 4: %d\n", on_host(0, 3));  // DIMACS counts from 1
    blockfw::io::write_distances("distances.txt", on_host);
  }
}

// Output:
// DIMACS: 4 towns, 4 roads
// from 1 to 4: 8
