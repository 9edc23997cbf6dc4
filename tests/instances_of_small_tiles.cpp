// SPDX-License-Identifier: MIT
// The template instances that the tests with small tiles share.
#include "small_tiles.hpp"

SMALL_TILES_INSTANCES()
