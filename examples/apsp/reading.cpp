// SPDX-License-Identifier: MIT
#include "run.hpp"

APSP_TYPES(APSP_READING, )
