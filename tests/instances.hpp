// SPDX-License-Identifier: MIT
/// \file
/// \brief Template instances that several tests with their own default tiles share: the numbers, and the solve of one
/// instance over a semiring. The macros are for places after the tiles.
#pragma once

#include "blockfw/detail/kernel/part.hpp"
#include "blockfw/detail/kernel/phases.hpp"
#include "blockfw/detail/kernel/tuned_tiles.hpp"
#include "blockfw/detail/numbers/operations_of.hpp"
#include "blockfw/detail/plan/potentials.hpp"
#include "blockfw/edges.hpp"
#include "blockfw/floyd_warshall.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/weights.hpp"
#include "blockfw/measures.hpp"
#include "blockfw/solve.hpp"

#include <Kokkos_Core.hpp>

#include <memory>
#include <vector>

namespace instances {

using Exec = Kokkos::DefaultExecutionSpace;
template <class S>
using Value = typename S::value_type;
template <class S>
using Phases = blockfw::Phases<blockfw::default_tile<Exec, Value<S>>, Exec, S>;
template <class T>
using EdgesOf = decltype(blockfw::reachable_edges(Exec(), blockfw::detail::view_of(std::vector<blockfw::Edge<T>>())));

}  // namespace instances

/// The kernels and rounds. LINKAGE is `extern` for the declaration, and empty for the definition.
#define TEST_NUMBERS(LINKAGE, S)                                                                                  \
  LINKAGE template class blockfw::detail::OperationsOf<instances::Phases<S>, instances::Exec>;                    \
  LINKAGE template std::unique_ptr<blockfw::detail::Operations<instances::Exec>>                                  \
  blockfw::detail::numbers_of<instances::Phases<S>>(const instances::Exec&, const blockfw::GroupStorageOptions&); \
  LINKAGE template void blockfw::detail::eliminate<instances::Phases<S>>(                                         \
      const instances::Exec&, const instances::Phases<S>::Ref&, blockfw::Direction, const blockfw::Progress&,     \
      const instances::Exec&);
/// The rounds of a matrix.
#define TEST_ROUNDS(LINKAGE, S)                                                                                    \
  LINKAGE template void blockfw::detail::solve_matrix<blockfw::TunedTile, S>(                                      \
      const instances::Exec&, const blockfw::MatrixRef<instances::Value<S>, instances::Exec>&, blockfw::Direction, \
      const blockfw::Progress&);
/// The matrix of the edges of a container, and its solve with all checks.
#define TEST_DENSE(LINKAGE, S)                                                                        \
  LINKAGE template blockfw::WeightRange<instances::Value<S>> blockfw::detail::fill_from_view<S>(      \
      const instances::Exec&,                                                                         \
      const Kokkos::View<instances::Value<S>**, Kokkos::LayoutRight, instances::Exec::memory_space>&, \
      const instances::EdgesOf<instances::Value<S>>&, const blockfw::FillOptions&);                   \
  LINKAGE template void blockfw::solve_distances<S>(                                                  \
      const instances::Exec&, const blockfw::DistanceMatrix<instances::Value<S>, instances::Exec>&,   \
      blockfw::WeightRange<instances::Value<S>>, const blockfw::SolveOptions&);
/// All of the instances above.
#define TEST_INSTANCE(LINKAGE, S) \
  TEST_NUMBERS(LINKAGE, S)        \
  TEST_ROUNDS(LINKAGE, S)         \
  TEST_DENSE(LINKAGE, S)
/// The search for cycles whose length is zero except for rounding.
#define TEST_GUARD(LINKAGE, S) LINKAGE template class blockfw::detail::CycleGuard<S, instances::Exec>;
/// The measures of rows or columns of a matrix.
#if defined(BLOCKFW_BUILT_FOR_DEVICE)
#define TEST_REACH(LINKAGE, T)
#else
#define TEST_REACH(LINKAGE, T)                                                       \
  LINKAGE template std::vector<blockfw::Reach<T>> blockfw::detail::reach_by_threads( \
      const instances::Exec&, const blockfw::detail::RowsOrColumns<T>&);
#endif
/// Shortest paths in 8 bits. Only hosts have them.
#if defined(BLOCKFW_BUILT_FOR_DEVICE)
#define TEST_INT8(LINKAGE)
#else
#define TEST_INT8(LINKAGE)                             \
  TEST_NUMBERS(LINKAGE, blockfw::MinPlus<std::int8_t>) \
  TEST_ROUNDS(LINKAGE, blockfw::MinPlus<std::int8_t>)  \
  TEST_REACH(LINKAGE, std::int8_t)
#endif
