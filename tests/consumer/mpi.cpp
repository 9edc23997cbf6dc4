// SPDX-License-Identifier: MIT
// A project that asks for the component mpi; run as a single rank.
#include "blockfw/distributed.hpp"
#include "blockfw/io/binary_edges_mpi.hpp"

#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  {
    const Kokkos::ScopeGuard kokkos(argc, argv);
    const std::vector<blockfw::Edge<int>> edges = {{0, 1, 5}, {1, 2, 2}, {0, 2, 9}};
    blockfw::DistributedMatrix<int> d(MPI_COMM_WORLD, 3);
    d.solve(d.fill(edges));
    std::printf("distance %d\n", d.gather()(0, 2));
  }
  MPI_Finalize();
}
