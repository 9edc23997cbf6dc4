// SPDX-License-Identifier: MIT
#include "elimination.hpp"

APSP_TYPES(APSP_ANALYSIS, )
APSP_SEMIRINGS(APSP_ELIMINATION, )
