// SPDX-License-Identifier: MIT
/// \file
/// \brief What the library blockfw_compiled holds of blockfw/solve.hpp.
#pragma once

#include "blockfw/detail/compiled/types.hpp"
#include "blockfw/distances.hpp"
#include "blockfw/edges.hpp"
#include "blockfw/solve.hpp"
#include "blockfw/weights.hpp"

#include <cstdint>
#include <optional>
#include <span>

/// Both methods: a filled matrix, and a graph by elimination. And what chooses one of them.
#define BLOCKFW_COMPILED_SOLVE(LINKAGE, S)                                                                       \
  LINKAGE template void blockfw::solve_distances<S>(                                                             \
      const blockfw::detail::compiled::Exec&,                                                                    \
      const blockfw::DistanceMatrix<blockfw::detail::compiled::Value<S>, blockfw::detail::compiled::Exec>&,      \
      blockfw::WeightRange<blockfw::detail::compiled::Value<S>>, const blockfw::SolveOptions&);                  \
  LINKAGE template std::optional<                                                                                \
      blockfw::DistanceMatrix<blockfw::detail::compiled::Value<S>, blockfw::detail::compiled::Exec>>             \
  blockfw::detail::solve_sparse<S>(                                                                              \
      const blockfw::detail::compiled::Exec&, std::int64_t,                                                      \
      const std::span<const blockfw::Edge<blockfw::detail::compiled::Value<S>>>&, const blockfw::SolveOptions&,  \
      const blockfw::DistanceMatrix<blockfw::detail::compiled::Value<S>, blockfw::detail::compiled::Exec>&);     \
  LINKAGE template blockfw::DistanceMatrix<blockfw::detail::compiled::Value<S>, blockfw::detail::compiled::Exec> \
  blockfw::detail::solve_edges<S>(const blockfw::detail::compiled::Exec&, std::int64_t,                          \
                                  const std::span<const blockfw::Edge<blockfw::detail::compiled::Value<S>>>&,    \
                                  const blockfw::SolveOptions&);

BLOCKFW_COMPILED_SEMIRINGS(BLOCKFW_COMPILED_SOLVE, extern)
