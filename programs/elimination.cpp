// SPDX-License-Identifier: MIT
#include "elimination.hpp"

APSP_SEMIRINGS(APSP_ELIMINATION, )
