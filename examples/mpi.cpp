// SPDX-License-Identifier: MIT
// One matrix on several ranks of MPI: each has some of the edges, and gets a share of the distances.
// The graph is a ring of 600 stations, one minute from each to the next. Run as mpirun -n 3 example_mpi.
#include <blockfw/apsp.hpp>
#include <blockfw/distributed.hpp>

#include <cstdint>
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

    const auto d = blockfw::solve(MPI_COMM_WORLD, n, my_edges);  // each rank has some of the edges
    const int minutes = d.distance(0, n - 1);                    // on every rank, as all answers
    if (rank == 0) std::printf("%d ranks: %d minutes from 0 to %d\n", ranks, minutes, n - 1);

    // The same step by step, in the type of the distances:
    blockfw::DistributedMatrix<int> m(MPI_COMM_WORLD, n);
    m.solve(m.fill(my_edges));
    auto local = m.local();  // this rank's share: local(i, j) is the distance from m.row(i) to m.column(j)
    const long all = m.ranks().reduce(std::int64_t(local.size()), MPI_SUM);
    if (rank == 0) std::printf("%ld distances in all shares\n", all);
  }
  MPI_Finalize();
}

// Output:
// 3 ranks: 599 minutes from 0 to 599
// 360000 distances in all shares
