// SPDX-License-Identifier: MIT
/// \file
/// \brief What the library blockfw_compiled_mpi holds of blockfw/distributed.hpp.
#pragma once

#include "blockfw/detail/compiled/edges.hpp"
#include "blockfw/detail/compiled/types.hpp"
#include "blockfw/distributed.hpp"
#include "blockfw/solve.hpp"
#include "blockfw/solved.hpp"

#include <mpi.h>

#include <cstdint>

/// A rank's part of a matrix.
#define BLOCKFW_COMPILED_PARTS(LINKAGE, S)                                               \
  LINKAGE template class blockfw::DistributedMatrix<blockfw::detail::compiled::Value<S>, \
                                                    blockfw::detail::compiled::Exec>;
/// A graph in a container, and its distances.
#define BLOCKFW_COMPILED_RANKS(LINKAGE, S)                                                                           \
  LINKAGE template class blockfw::Solved<blockfw::DistributedMatrix, blockfw::detail::compiled::Value<S>,            \
                                         blockfw::detail::compiled::Exec>;                                           \
  LINKAGE template class blockfw::SolvedRanks<blockfw::detail::compiled::Value<S>, blockfw::detail::compiled::Exec>; \
  LINKAGE template blockfw::SolvedRanks<blockfw::detail::compiled::Value<S>, blockfw::detail::compiled::Exec>::      \
      SolvedRanks(                                                                                                   \
          MPI_Comm, std::int64_t, const blockfw::detail::compiled::HostEdges<blockfw::detail::compiled::Value<S>>&,  \
          const blockfw::SolveOptions&, std::int64_t, blockfw::ProcessGrid, const blockfw::detail::compiled::Exec&);

BLOCKFW_COMPILED_INT8(BLOCKFW_COMPILED_PARTS, extern)
BLOCKFW_COMPILED_SHORTEST(BLOCKFW_COMPILED_PARTS, extern)
BLOCKFW_COMPILED_SHORTEST(BLOCKFW_COMPILED_RANKS, extern)
