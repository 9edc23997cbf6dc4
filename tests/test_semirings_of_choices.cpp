// SPDX-License-Identifier: MIT
// Semirings whose ⊕ and ⊗ choose one of two numbers, compared with closures by repeated squaring.
#include "semirings.hpp"

TEST_CASE_TEMPLATE("widest paths", T, std::int16_t, std::int64_t, float) {
  check<MaxMin<T>>({maximum, minimum, -top<T>, top<T>}, whole);
}

TEST_CASE_TEMPLATE("bottlenecks", T, std::int32_t, double) {
  check<MinMax<T>>({minimum, maximum, top<T>, -top<T>}, whole);
}
