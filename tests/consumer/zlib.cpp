// SPDX-License-Identifier: MIT
// A project that asks for the component zlib.
#include "blockfw/io/graph_file.hpp"
#include "blockfw/io/gzip.hpp"
#include "blockfw/solve.hpp"

#include <cstdio>
#include <string>

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  // "0 1 5\n1 2 2\n0 2 9\n", by gzip.
  const std::string packed(
      "\037\213\010\000\000\000\000\000\002\377\063\120\060\124\060\345\062\124\060\122\060\342\062\000\222\226\134\000"
      "\037\253\070\065\022\000\000\000",
      36);
  const auto graph = blockfw::io::read_graph<int>(blockfw::io::unpacked({"three.txt.gz", packed}));
  const Kokkos::DefaultHostExecutionSpace host;
  std::printf("distance %d\n", blockfw::solve(host, graph.vertices, graph.edges)(0, 2));
}
