// SPDX-License-Identifier: MIT
// The solves by other semirings than the shortest paths' in the types that ../../instances does not have. A file for
// each type compiles them.
#pragma once

#include <cstdint>

// (BLOCKFW_SOLVE is of instances.hpp, which each file of this module includes first.)
#define BLOCKFW_PYTHON_SEMIRINGS(LINKAGE, T)  \
  BLOCKFW_SOLVE(LINKAGE, blockfw::MaxPlus<T>) \
  BLOCKFW_SOLVE(LINKAGE, blockfw::MaxMin<T>)  \
  BLOCKFW_SOLVE(LINKAGE, blockfw::MinMax<T>)
#define BLOCKFW_PYTHON_INT16(LINKAGE) BLOCKFW_PYTHON_SEMIRINGS(LINKAGE, std::int16_t)
#define BLOCKFW_PYTHON_INT64(LINKAGE) BLOCKFW_PYTHON_SEMIRINGS(LINKAGE, std::int64_t)
#define BLOCKFW_PYTHON_FLOAT(LINKAGE)      \
  BLOCKFW_PYTHON_SEMIRINGS(LINKAGE, float) \
  BLOCKFW_SOLVE(LINKAGE, blockfw::MaxTimes<float>)

BLOCKFW_PYTHON_INT16(extern)
BLOCKFW_PYTHON_INT64(extern)
BLOCKFW_PYTHON_FLOAT(extern)
