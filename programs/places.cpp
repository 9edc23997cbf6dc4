// SPDX-License-Identifier: MIT
// A part for each place; CMakeLists.txt compiles the parts one by one.
#include "places.hpp"

#ifndef BLOCKFW_IN_PART
#define BLOCKFW_IN_PART(number) 1
#endif

#if BLOCKFW_IN_PART(1)
APSP_SEMIRINGS(APSP_DEVICES, )
#endif

#if BLOCKFW_IN_PART(2)
APSP_SEMIRINGS(APSP_OUT_OF_CORE, )
#endif
