// SPDX-License-Identifier: MIT
#include "instances.hpp"

BLOCKFW_INT64()
#if !defined(BLOCKFW_BUILT_FOR_DEVICE)
BLOCKFW_ROUNDS(, blockfw::MinPlus<std::int8_t>)
#endif
