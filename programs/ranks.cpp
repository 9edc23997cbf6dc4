// SPDX-License-Identifier: MIT
#include "ranks.hpp"

APSP_SEMIRINGS(APSP_RANKS, )
