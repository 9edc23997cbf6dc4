// SPDX-License-Identifier: MIT
/// \file
/// \brief What the library blockfw_compiled holds of blockfw/floyd_warshall.hpp.
#pragma once

#include "blockfw/detail/compiled/types.hpp"
#include "blockfw/floyd_warshall.hpp"
#include "blockfw/matrix.hpp"
#include "blockfw/progress.hpp"
#include "blockfw/tile.hpp"

/// The rounds with the tuned tiles.
#define BLOCKFW_COMPILED_ROUNDS(LINKAGE, S)                                                            \
  LINKAGE template void blockfw::detail::solve_matrix<blockfw::TunedTile, S>(                          \
      const blockfw::detail::compiled::Exec&,                                                          \
      const blockfw::MatrixRef<blockfw::detail::compiled::Value<S>, blockfw::detail::compiled::Exec>&, \
      blockfw::Direction, const blockfw::Progress&);

BLOCKFW_COMPILED_INT8(BLOCKFW_COMPILED_ROUNDS, extern)
BLOCKFW_COMPILED_SEMIRINGS(BLOCKFW_COMPILED_ROUNDS, extern)
