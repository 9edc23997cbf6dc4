// SPDX-License-Identifier: MIT
#include "out_of_core.hpp"

APSP_SEMIRINGS(APSP_OUT_OF_CORE, )
