// SPDX-License-Identifier: MIT
#include "apsp.hpp"

#include <blockfw/floyd_warshall.hpp>
#include <blockfw/kokkos_runtime.hpp>

void apsp(int n, /* device */ int* graph) {
  blockfw::start_kokkos(Kokkos::InitializationSettings().set_disable_warnings(true));
  blockfw::blocked_floyd_warshall(graph, n, n);
}
