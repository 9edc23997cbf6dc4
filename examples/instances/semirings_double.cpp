// SPDX-License-Identifier: MIT
#include "instances.hpp"

BLOCKFW_SEMIRINGS_DOUBLE()
