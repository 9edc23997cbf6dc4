// SPDX-License-Identifier: MIT
// METIS's order of elimination, in a build with METIS.
#pragma once

#ifdef WITH_METIS
#include <blockfw/orders/metis.hpp>
#endif
