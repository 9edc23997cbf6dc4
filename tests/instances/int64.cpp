// SPDX-License-Identifier: MIT
#include "instances.hpp"

BLOCKFW_INT64()
#if !defined(KOKKOS_ENABLE_CUDA) && !defined(KOKKOS_ENABLE_HIP)
BLOCKFW_ROUNDS(, blockfw::MinPlus<std::int8_t>)
#endif
