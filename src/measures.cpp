// SPDX-License-Identifier: MIT
#include "blockfw/detail/matrices/reach_of_matrix.hpp"

BLOCKFW_COMPILED_INT8(BLOCKFW_COMPILED_REACH, )
BLOCKFW_COMPILED_SHORTEST(BLOCKFW_COMPILED_REACH, )
