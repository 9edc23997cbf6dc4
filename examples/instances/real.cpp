// SPDX-License-Identifier: MIT
#include "instances.hpp"

BLOCKFW_REAL()
