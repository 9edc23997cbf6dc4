// SPDX-License-Identifier: MIT
// One matrix on several ranks of MPI: each has some of the edges, and gets a share of the distances.
// The graph is a ring of 600 stations, one minute from each to the next. Run as mpirun -n 3 example_mpi.
#include <blockfw/apsp.hpp>
#include <blockfw/distributed.hpp>

#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
  int level, rank, ranks;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  {
    const Kokkos::ScopeGuard kokkos(argc, argv);
    const int n = 600;
    std::vector<blockfw::Edge<int>> my_edges;
    for (int station = rank; station < n; station += ranks) my_edges.push_back({station, (station + 1) % n, 1});

    blockfw::DistributedMatrix<int> d(MPI_COMM_WORLD, n);
    d.solve(d.fill(my_edges));  // each rank has some of the edges
    auto local = d.local();     // this rank's share: local(i, j) is the distance from d.row(i) to d.column(j)

    const auto on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, local);
    int mine = 0, minutes = 0;
    for (int i = 0; i < on_host.extent_int(0); ++i)
      for (int j = 0; j < on_host.extent_int(1); ++j)
        if (d.row(i) == 0 && d.column(j) == 599) mine = on_host(i, j);
    MPI_Reduce(&mine, &minutes, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) std::printf("%d ranks: %d minutes from 0 to 599\n", ranks, minutes);
  }
  MPI_Finalize();
}

// Output:
// 3 ranks: 599 minutes from 0 to 599
