// SPDX-License-Identifier: MIT
// The solves of apsp and apsp-mpi, a part each: on one instance, by elimination, on devices, out of core, on ranks.
// CMakeLists.txt compiles the parts one by one, each for the programs that have it.
#ifndef BLOCKFW_IN_PART
#define BLOCKFW_IN_PART(number) 1
#endif

#if BLOCKFW_IN_PART(1)
#include "distances.hpp"

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
#endif

#if BLOCKFW_IN_PART(2)
#include "elimination.hpp"

APSP_SEMIRINGS(APSP_ELIMINATION, )
#endif

#if BLOCKFW_IN_PART(3)
#include "places.hpp"

APSP_SEMIRINGS(APSP_DEVICES, )
#endif

#if BLOCKFW_IN_PART(4)
#include "places.hpp"

APSP_SEMIRINGS(APSP_OUT_OF_CORE, )
#endif

#if BLOCKFW_IN_PART(5) && defined(BLOCKFW_COMPILED_MPI)
#include "ranks.hpp"

APSP_SEMIRINGS(APSP_RANKS, )
#endif
