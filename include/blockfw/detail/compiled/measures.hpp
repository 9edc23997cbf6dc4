// SPDX-License-Identifier: MIT
/// \file
/// \brief What the library blockfw_compiled holds of blockfw/measures.hpp.
#pragma once

#include "blockfw/detail/compiled/types.hpp"
#include "blockfw/measures.hpp"

#include <vector>

/// The measures of lines of a matrix in memory, on hosts.
#if defined(BLOCKFW_BUILT_FOR_DEVICE)
#define BLOCKFW_COMPILED_REACH(LINKAGE, S)
#else
#define BLOCKFW_COMPILED_REACH(LINKAGE, S)                                                                             \
  LINKAGE template std::vector<blockfw::Reach<blockfw::detail::compiled::Value<S>>> blockfw::detail::reach_by_threads( \
      const blockfw::detail::compiled::Exec&,                                                                          \
      const blockfw::detail::LinesOfMatrix<blockfw::detail::compiled::Value<S>>&);
#endif

BLOCKFW_COMPILED_INT8(BLOCKFW_COMPILED_REACH, extern)
BLOCKFW_COMPILED_SHORTEST(BLOCKFW_COMPILED_REACH, extern)
