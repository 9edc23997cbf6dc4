// SPDX-License-Identifier: MIT
#include "matrices.hpp"

TEST_CASE("every kind of int16 matrix") { check_all_tiles<std::int16_t>(); }

TEST_CASE("every kind of int32 matrix") { check_all_tiles<std::int32_t>(); }
