// SPDX-License-Identifier: MIT
// The main program of tests that ranks of MPI run together. It fails on all ranks if it fails on one.
#define DOCTEST_CONFIG_IMPLEMENT
#include "ranks.hpp"

int main(int argc, char** argv) {
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  int failed = 0;
  {
    const Kokkos::ScopeGuard kokkos(argc, argv);
    doctest::Context context(argc, argv);
    context.setOption("minimal", rank() != 0);
    failed = context.run();
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return failed;
}
