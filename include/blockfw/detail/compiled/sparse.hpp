// SPDX-License-Identifier: MIT
/// \file
/// \brief What the library blockfw_compiled holds of blockfw/sparse.hpp.
#pragma once

#include "blockfw/detail/compiled/types.hpp"
#include "blockfw/detail/elimination/factor.hpp"
#include "blockfw/detail/graph/elimination_order.hpp"
#include "blockfw/detail/graph/neighbours.hpp"
#include "blockfw/detail/graph/supernodes.hpp"
#include "blockfw/distances.hpp"
#include "blockfw/edges.hpp"
#include "blockfw/progress.hpp"
#include "blockfw/sparse.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

/// The orders and supernodes of SparseAnalysis.
#define BLOCKFW_COMPILED_ANALYSIS(LINKAGE)                                                               \
  LINKAGE template std::optional<std::vector<std::int32_t>> blockfw::detail::minimum_degree_order<void>( \
      const blockfw::detail::Neighbours&, const blockfw::detail::OrderLimits&);                          \
  LINKAGE template blockfw::detail::Elimination blockfw::detail::find_supernodes<void>(                  \
      const blockfw::detail::Neighbours&, const std::vector<std::int32_t>&, std::int32_t, double);
/// The neighbours in a vector of edges.
#define BLOCKFW_COMPILED_NEIGHBOURS(LINKAGE, S)                                \
  LINKAGE template blockfw::detail::Neighbours blockfw::detail::neighbours_of( \
      std::int64_t, const std::vector<blockfw::Edge<blockfw::detail::compiled::Value<S>>>&);
/// A factor.
#define BLOCKFW_COMPILED_ELIMINATE(LINKAGE, S)                                                               \
  LINKAGE template std::shared_ptr<const blockfw::detail::FactorValues<blockfw::detail::compiled::Value<S>>> \
  blockfw::SparseFactor<S, blockfw::detail::compiled::Exec>::eliminate(                                      \
      std::span<const blockfw::Edge<blockfw::detail::compiled::Value<S>>>, blockfw::Direction,               \
      const blockfw::Progress&, bool);
/// The same with all answers.
#define BLOCKFW_COMPILED_FACTOR(LINKAGE, S) \
  BLOCKFW_COMPILED_ELIMINATE(LINKAGE, S)    \
  LINKAGE template class blockfw::SparseFactor<S, blockfw::detail::compiled::Exec>;
/// A factor over another semiring, and its answers: it has no reach().
#define BLOCKFW_COMPILED_SEMIRING_FACTOR(LINKAGE, S)                                                             \
  BLOCKFW_COMPILED_ELIMINATE(LINKAGE, S)                                                                         \
  LINKAGE template blockfw::DistanceMatrix<blockfw::detail::compiled::Value<S>, blockfw::detail::compiled::Exec> \
  blockfw::SparseFactor<S, blockfw::detail::compiled::Exec>::solve() const;                                      \
  LINKAGE template void blockfw::SparseFactor<S, blockfw::detail::compiled::Exec>::solve(                        \
      const blockfw::DistanceMatrix<blockfw::detail::compiled::Value<S>, blockfw::detail::compiled::Exec>&,      \
      const blockfw::Progress&) const;                                                                           \
  LINKAGE template blockfw::DistanceMatrix<blockfw::detail::compiled::Value<S>, blockfw::detail::compiled::Exec> \
  blockfw::SparseFactor<S, blockfw::detail::compiled::Exec>::rows_from(const std::vector<std::int32_t>&) const;  \
  LINKAGE template blockfw::detail::compiled::Value<S>                                                           \
  blockfw::SparseFactor<S, blockfw::detail::compiled::Exec>::distance(std::int64_t, std::int64_t) const;         \
  LINKAGE template std::vector<std::int32_t> blockfw::SparseFactor<S, blockfw::detail::compiled::Exec>::path(    \
      std::int64_t, std::int64_t) const;

BLOCKFW_COMPILED_ANALYSIS(extern)
BLOCKFW_COMPILED_SHORTEST(BLOCKFW_COMPILED_NEIGHBOURS, extern)
BLOCKFW_COMPILED_SHORTEST(BLOCKFW_COMPILED_FACTOR, extern)
BLOCKFW_COMPILED_SEMIRINGS_INT32(BLOCKFW_COMPILED_SEMIRING_FACTOR, extern)
BLOCKFW_COMPILED_SEMIRINGS_DOUBLE(BLOCKFW_COMPILED_SEMIRING_FACTOR, extern)
