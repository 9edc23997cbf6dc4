// SPDX-License-Identifier: MIT
/// \file
/// \brief Solves with the tuned tiles, compiled once a type and shared by the programs and tests of this project.
///
/// The compiler sees these declarations before any other line of a program (see CMakeLists.txt here), and leaves the
/// code of the templates they name to the library blockfw_instances. A file that needs another instance makes it
/// itself, as everywhere.
#pragma once

#include "blockfw/solve.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace blockfw::instances {

using Exec = Kokkos::DefaultExecutionSpace;
/// The edges of a host's container as solve() hands them on: in place, or as a copy on the device.
template <class T>
using EdgeView = decltype(reachable_edges(Exec(), detail::view_of(std::vector<Edge<T>>())));
template <class S>
using Value = typename S::value_type;

}  // namespace blockfw::instances

/// LINKAGE is extern for a declaration and empty for the one definition; S is a semiring.
#define BLOCKFW_ROUNDS(LINKAGE, ...)                                                               \
  LINKAGE template void blockfw::detail::solve_in_place<blockfw::TunedTile, __VA_ARGS__>(          \
      const blockfw::instances::Exec&,                                                             \
      const blockfw::MatrixRef<blockfw::instances::Value<__VA_ARGS__>, blockfw::instances::Exec>&, \
      const blockfw::Progress&);                                                                   \
  LINKAGE template void blockfw::detail::solve_symmetric<blockfw::TunedTile, __VA_ARGS__>(         \
      const blockfw::instances::Exec&,                                                             \
      const blockfw::MatrixRef<blockfw::instances::Value<__VA_ARGS__>, blockfw::instances::Exec>&, \
      const blockfw::Progress&);

#define BLOCKFW_SOLVE(LINKAGE, ...)                                                                                    \
  BLOCKFW_ROUNDS(LINKAGE, __VA_ARGS__)                                                                                 \
  LINKAGE template void blockfw::solve_distances<__VA_ARGS__>(                                                         \
      const blockfw::instances::Exec&,                                                                                 \
      const blockfw::DistanceMatrix<blockfw::instances::Value<__VA_ARGS__>, blockfw::instances::Exec>&,                \
      blockfw::WeightRange<blockfw::instances::Value<__VA_ARGS__>>, const blockfw::SolveOptions&);                     \
  LINKAGE template blockfw::WeightRange<blockfw::instances::Value<__VA_ARGS__>> blockfw::fill_from_edges<__VA_ARGS__>( \
      const blockfw::instances::Exec&,                                                                                 \
      const blockfw::DistanceMatrix<blockfw::instances::Value<__VA_ARGS__>, blockfw::instances::Exec>&,                \
      const blockfw::instances::EdgeView<blockfw::instances::Value<__VA_ARGS__>>&, blockfw::Direction);                \
  BLOCKFW_SPARSE(LINKAGE, __VA_ARGS__)

#define BLOCKFW_SPARSE(LINKAGE, ...)                                                                               \
  LINKAGE template std::optional<                                                                                  \
      blockfw::DistanceMatrix<blockfw::instances::Value<__VA_ARGS__>, blockfw::instances::Exec>>                   \
  blockfw::detail::solve_sparse<__VA_ARGS__>(                                                                      \
      const blockfw::instances::Exec&, std::int64_t,                                                               \
      const std::span<const blockfw::Edge<blockfw::instances::Value<__VA_ARGS__>>>&, const blockfw::SolveOptions&, \
      const blockfw::DistanceMatrix<blockfw::instances::Value<__VA_ARGS__>, blockfw::instances::Exec>&);

#define BLOCKFW_INT32(LINKAGE)                           \
  BLOCKFW_SOLVE(LINKAGE, blockfw::MinPlus<std::int16_t>) \
  BLOCKFW_SOLVE(LINKAGE, blockfw::MinPlus<std::int32_t>)
#define BLOCKFW_INT64(LINKAGE) BLOCKFW_SOLVE(LINKAGE, blockfw::MinPlus<std::int64_t>)
#define BLOCKFW_REAL(LINKAGE)                     \
  BLOCKFW_SOLVE(LINKAGE, blockfw::MinPlus<float>) \
  BLOCKFW_SOLVE(LINKAGE, blockfw::MinPlus<double>)
#define BLOCKFW_SEMIRINGS_INT32(LINKAGE)                 \
  BLOCKFW_SOLVE(LINKAGE, blockfw::MaxPlus<std::int32_t>) \
  BLOCKFW_SOLVE(LINKAGE, blockfw::MaxMin<std::int32_t>)  \
  BLOCKFW_SOLVE(LINKAGE, blockfw::MinMax<std::int32_t>)
#define BLOCKFW_SEMIRINGS_DOUBLE(LINKAGE)          \
  BLOCKFW_SOLVE(LINKAGE, blockfw::MaxPlus<double>) \
  BLOCKFW_SOLVE(LINKAGE, blockfw::MaxMin<double>)  \
  BLOCKFW_SOLVE(LINKAGE, blockfw::MinMax<double>)  \
  BLOCKFW_SOLVE(LINKAGE, blockfw::MaxTimes<double>)

BLOCKFW_INT32(extern)
BLOCKFW_INT64(extern)
BLOCKFW_REAL(extern)
BLOCKFW_SEMIRINGS_INT32(extern)
BLOCKFW_SEMIRINGS_DOUBLE(extern)
#if !defined(BLOCKFW_BUILT_FOR_DEVICE)  // no device works on 8 bits
BLOCKFW_ROUNDS(extern, blockfw::MinPlus<std::int8_t>)
#endif
