// SPDX-License-Identifier: MIT
// The template instances that the programs of test_places.cpp share.
#include "places.hpp"

PLACES_INSTANCES()
