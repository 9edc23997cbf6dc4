// SPDX-License-Identifier: MIT
// A part for each type; python/CMakeLists.txt compiles the parts one by one.
#include "semirings.hpp"

#ifndef BLOCKFW_IN_PART
#define BLOCKFW_IN_PART(number) 1
#endif

#if BLOCKFW_IN_PART(1)
BLOCKFW_PYTHON_FLOAT()
#endif

#if BLOCKFW_IN_PART(2)
BLOCKFW_PYTHON_INT16()
#endif

#if BLOCKFW_IN_PART(3)
BLOCKFW_PYTHON_INT64()
#endif
