// SPDX-License-Identifier: MIT
#include "semirings.hpp"

BLOCKFW_PYTHON_INT16()
