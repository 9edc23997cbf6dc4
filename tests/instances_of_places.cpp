// SPDX-License-Identifier: MIT
// What the programs of test_places.cpp share.
#include "places.hpp"

PLACES_INSTANCES()
