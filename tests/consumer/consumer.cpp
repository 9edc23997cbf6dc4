// SPDX-License-Identifier: MIT
// A project that asks for the headers alone (without a macro), or for a component. CMakeLists.txt defines ASKS_FOR_MPI
// (which runs as a single rank), ASKS_FOR_METIS, ASKS_FOR_AMD, ASKS_FOR_ZLIB or ASKS_FOR_COMPILED.
#if defined(ASKS_FOR_MPI)
#include "blockfw/distributed.hpp"
#include "blockfw/io/binary_edges_mpi.hpp"
#elif defined(ASKS_FOR_METIS)
#include "blockfw/orders/metis.hpp"
#elif defined(ASKS_FOR_AMD)
#include "blockfw/orders/amd.hpp"
#elif defined(ASKS_FOR_ZLIB)
#include "blockfw/io/graph_file.hpp"
#include "blockfw/io/gzip.hpp"
#include "blockfw/solve.hpp"
#else
#include "blockfw/apsp.hpp"
#endif
#if defined(ASKS_FOR_METIS) || defined(ASKS_FOR_AMD)
#include "blockfw/sparse.hpp"
#endif

#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

int main(int argc, char** argv) {
#if defined(ASKS_FOR_MPI)
  MPI_Init(&argc, &argv);
  {
    const Kokkos::ScopeGuard kokkos(argc, argv);
    const std::vector<blockfw::Edge<int>> edges = {{0, 1, 5}, {1, 2, 2}, {0, 2, 9}};
    blockfw::DistributedMatrix<int> d(MPI_COMM_WORLD, 3);
    d.solve(d.fill(edges));
    std::printf("distance %d\n", d.gather()(0, 2));
  }
  MPI_Finalize();
#elif defined(ASKS_FOR_METIS)
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const int n = 3;
  const std::vector<blockfw::Edge<int>> edges = {{0, 1, 5}, {1, 2, 2}, {0, 2, 9}};
  const blockfw::SparseAnalysis analysis(n, edges, {.order = blockfw::metis_order(n, edges)});
  const blockfw::SparseFactor<blockfw::MinPlus<int>> factor({}, analysis, edges);
  std::printf("distance %d\n", factor.solve()(0, 2));
#elif defined(ASKS_FOR_AMD)
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const int n = 3;
  const std::vector<blockfw::Edge<int>> edges = {{0, 1, 5}, {1, 2, 2}, {0, 2, 9}};
  const blockfw::SparseAnalysis analysis(n, edges, {.order = blockfw::amd_order(n, edges)});
  const blockfw::SparseFactor<blockfw::MinPlus<int>> factor({}, analysis, edges);
  std::printf("distance %d\n", factor.solve()(0, 2));
#elif defined(ASKS_FOR_ZLIB)
  const Kokkos::ScopeGuard kokkos(argc, argv);
  // "0 1 5\n1 2 2\n0 2 9\n", by gzip.
  const std::string packed(
      "\037\213\010\000\000\000\000\000\002\377\063\120\060\124\060\345\062\124\060\122\060\342\062\000\222\226\134\000"
      "\037\253\070\065\022\000\000\000",
      36);
  const auto graph = blockfw::io::read_graph<int>(blockfw::io::unpacked({"three.txt.gz", packed}));
  const Kokkos::DefaultHostExecutionSpace host;
  std::printf("distance %d\n", blockfw::solve(host, graph.vertices, graph.edges)(0, 2));
#elif defined(ASKS_FOR_COMPILED)
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const int n = 3;
  const std::vector<blockfw::Edge<int>> edges = {{0, 1, 5}, {1, 2, 2}, {0, 2, 9}};
  const Kokkos::DefaultExecutionSpace exec;

  const auto d = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, blockfw::solve(exec, n, edges));
  const blockfw::SparseAnalysis analysis(n, edges);
  const blockfw::SparseFactor factor(exec, analysis, edges);
  const blockfw::Devices<> devices;
  const auto shares = blockfw::solve(devices, n, edges);
  const Kokkos::View<int**, Kokkos::LayoutRight, Kokkos::HostSpace> large("large", n, n);
  const auto range = blockfw::fill_from_edges(Kokkos::DefaultHostExecutionSpace(), large, edges);
  blockfw::solve_out_of_core(exec, large, range);

  const blockfw::Network network(Kokkos::DefaultHostExecutionSpace(), n, edges);
  const Kokkos::View<int**, Kokkos::LayoutRight, Kokkos::HostSpace> weights("weights", 1, edges.size());
  for (std::size_t e = 0; e < edges.size(); ++e) weights(0, e) = edges[e].weight;
  const auto tables = blockfw::WeightSets(network, weights).table(std::vector<int>{0}, std::vector<int>{2});

  const bool same = factor.distance(0, 2) == d(0, 2) && shares.distance(0, 2) == d(0, 2) && large(0, 2) == d(0, 2) &&
                    tables(0, 0, 0) == d(0, 2);
  std::printf("%s %d\n", same ? "distance" : "places differ:", d(0, 2));
#else
  const Kokkos::ScopeGuard kokkos(argc, argv);
  // Not with -Wconversion -Werror, which are ours alone.
  const short weight = argc + 1.5;
  const std::vector<blockfw::Edge<int>> edges = {{0, 1, 5}, {1, 2, weight}, {0, 2, 9}};
  const auto d = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, blockfw::solve(3, edges));
  std::printf("distance %d\n", d(0, 2));
#endif
}
