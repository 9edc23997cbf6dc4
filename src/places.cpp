// SPDX-License-Identifier: MIT
// Matrices in other places than one instance: in shares of several devices, and out of core, parts for some types each.
// src/CMakeLists.txt compiles the parts one by one.
#include "blockfw/multi_device.hpp"
#include "blockfw/out_of_core.hpp"

#ifndef BLOCKFW_IN_PART
#define BLOCKFW_IN_PART(number) 1
#endif

#define BLOCKFW_DEVICES(LINKAGE, S)   \
  BLOCKFW_COMPILED_SHARES(LINKAGE, S) \
  BLOCKFW_COMPILED_DEVICES(LINKAGE, S)

#if BLOCKFW_IN_PART(1)
template class blockfw::detail::DevicePlace<blockfw::detail::compiled::Exec>;
template class blockfw::detail::Shares<blockfw::detail::compiled::Exec>;
BLOCKFW_COMPILED_INT8(BLOCKFW_COMPILED_SHARES, )
BLOCKFW_COMPILED_INT16(BLOCKFW_DEVICES, )
#endif

#if BLOCKFW_IN_PART(2)
BLOCKFW_COMPILED_INT64(BLOCKFW_DEVICES, )
#endif

#if BLOCKFW_IN_PART(3)
BLOCKFW_COMPILED_FLOAT(BLOCKFW_DEVICES, )
BLOCKFW_COMPILED_DOUBLE(BLOCKFW_DEVICES, )
#endif

#if BLOCKFW_IN_PART(4)
BLOCKFW_COMPILED_INT32(BLOCKFW_DEVICES, )
#endif

#if BLOCKFW_IN_PART(5)
BLOCKFW_COMPILED_INT16(BLOCKFW_COMPILED_OUT_OF_CORE, )
BLOCKFW_COMPILED_INT32(BLOCKFW_COMPILED_OUT_OF_CORE, )
BLOCKFW_COMPILED_INT64(BLOCKFW_COMPILED_OUT_OF_CORE, )
#endif

#if BLOCKFW_IN_PART(6)
BLOCKFW_COMPILED_FLOAT(BLOCKFW_COMPILED_OUT_OF_CORE, )
BLOCKFW_COMPILED_DOUBLE(BLOCKFW_COMPILED_OUT_OF_CORE, )
#endif
