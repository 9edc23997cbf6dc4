// SPDX-License-Identifier: MIT
#include "matrices.hpp"

TEST_CASE("every kind of int64 matrix") { check_all_tiles<std::int64_t>(); }
