// SPDX-License-Identifier: MIT
#include "devices.hpp"

APSP_SEMIRINGS(APSP_DEVICES, )
