// SPDX-License-Identifier: MIT
#include "one_instance.hpp"

#include <blockfw/transitive_closure.hpp>

std::unique_ptr<apsp::Distances<std::int32_t>> apsp::reachability(const Space& exec, const Graph<std::int32_t>& graph) {
  const auto bits = blockfw::transitive_closure(exec, graph.vertices, graph.edges, {.direction = graph.direction});
  const auto d = blockfw::allocate_distances<std::int32_t>(exec, graph.vertices);
  const std::int64_t n = graph.vertices;
  Kokkos::parallel_for(
      "unpack", Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(exec, 0, n * n),
      KOKKOS_LAMBDA(std::int64_t e) { d(e / n, e % n) = bits(e / n, e % n) ? 1 : blockfw::infinity<std::int32_t>; });
  exec.fence("unpack");
  return std::make_unique<OnInstance<blockfw::MinPlus<std::int32_t>>>(exec, d, blockfw::SolveReport{});
}

APSP_SEMIRINGS(APSP_ONE_INSTANCE, )
