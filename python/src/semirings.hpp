// SPDX-License-Identifier: MIT
// Solves over other semirings than that of shortest paths, in types that blockfw_compiled does not hold. A part
// of semirings.cpp for each type compiles these solves.
#pragma once

#include <blockfw/product.hpp>
#include <blockfw/solve.hpp>

#include <cstdint>

#define BLOCKFW_PYTHON_SOLVE(LINKAGE, S) \
  BLOCKFW_COMPILED_ROUNDS(LINKAGE, S)    \
  BLOCKFW_COMPILED_PRODUCT(LINKAGE, S)   \
  BLOCKFW_COMPILED_EDGES(LINKAGE, S)     \
  BLOCKFW_COMPILED_SOLVE(LINKAGE, S)
#define BLOCKFW_PYTHON_SEMIRINGS(LINKAGE, T)         \
  BLOCKFW_PYTHON_SOLVE(LINKAGE, blockfw::MaxPlus<T>) \
  BLOCKFW_PYTHON_SOLVE(LINKAGE, blockfw::MaxMin<T>)  \
  BLOCKFW_PYTHON_SOLVE(LINKAGE, blockfw::MinMax<T>)
#define BLOCKFW_PYTHON_INT16(LINKAGE) BLOCKFW_PYTHON_SEMIRINGS(LINKAGE, std::int16_t)
#define BLOCKFW_PYTHON_INT64(LINKAGE) BLOCKFW_PYTHON_SEMIRINGS(LINKAGE, std::int64_t)
#define BLOCKFW_PYTHON_FLOAT(LINKAGE)      \
  BLOCKFW_PYTHON_SEMIRINGS(LINKAGE, float) \
  BLOCKFW_PYTHON_SOLVE(LINKAGE, blockfw::MaxTimes<float>)

BLOCKFW_PYTHON_INT16(extern)
BLOCKFW_PYTHON_INT64(extern)
BLOCKFW_PYTHON_FLOAT(extern)
