// SPDX-License-Identifier: MIT
// blockfw on the matrix of a file; after the seconds it prints the machine's limit in relaxes a second.
#include "measure.hpp"

#include <Kokkos_Core.hpp>
#include <blockfw/floyd_warshall.hpp>
#include "../limit.hpp"

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  const Kokkos::ScopeGuard kokkos(Kokkos::InitializationSettings().set_disable_warnings(true));
  const Kokkos::DefaultExecutionSpace exec;
  const Matrix matrix = read_matrix(argv[1]);
  const Kokkos::View<const int**, Kokkos::LayoutRight, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>
      weights(matrix.entries.data(), matrix.n, matrix.n);
  const Kokkos::View<int**, Kokkos::LayoutRight> d("distances", matrix.n, matrix.n);
  measure(
      argv, [&] { Kokkos::deep_copy(d, weights); },
      [&] {
        blockfw::blocked_floyd_warshall(exec, d);
        exec.fence();
      });
  const auto on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, d);
  write_matrix(argv[2], on_host.data(), on_host.size());
  std::printf("%.9g\n", blockfw::measure_limit<int>(exec));
}
