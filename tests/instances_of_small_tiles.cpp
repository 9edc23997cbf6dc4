// SPDX-License-Identifier: MIT
// What the tests with small tiles share.
#include "small_tiles.hpp"

SMALL_TILES_INSTANCES()
