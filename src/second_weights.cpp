// SPDX-License-Identifier: MIT
#include "blockfw/second_weights.hpp"

BLOCKFW_COMPILED_SUMS()
