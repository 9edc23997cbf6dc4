// SPDX-License-Identifier: MIT
// Solves out of core, a part for integers and one for floats; src/CMakeLists.txt compiles the parts one by one.
#include "blockfw/out_of_core.hpp"

#ifndef BLOCKFW_IN_PART
#define BLOCKFW_IN_PART(number) 1
#endif

#if BLOCKFW_IN_PART(1)
BLOCKFW_COMPILED_INT16(BLOCKFW_COMPILED_OUT_OF_CORE, )
BLOCKFW_COMPILED_INT32(BLOCKFW_COMPILED_OUT_OF_CORE, )
BLOCKFW_COMPILED_INT64(BLOCKFW_COMPILED_OUT_OF_CORE, )
#endif

#if BLOCKFW_IN_PART(2)
BLOCKFW_COMPILED_FLOAT(BLOCKFW_COMPILED_OUT_OF_CORE, )
BLOCKFW_COMPILED_DOUBLE(BLOCKFW_COMPILED_OUT_OF_CORE, )
#endif
