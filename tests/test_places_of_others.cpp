// SPDX-License-Identifier: MIT
// Tests that every place gives the same distances (every_place.hpp), over the semirings that test_places.cpp leaves
// out.
#include "every_place.hpp"

TEST_CASE_TEMPLATE("every place gives the oracle's distances", S, blockfw::MinPlus<float>, blockfw::MaxMin<float>,
                   blockfw::MinMax<std::int64_t>, blockfw::MaxTimes<double>, LastEdge) {
  check_combinations<S>();
}

TEST_CASE_TEMPLATE("a matrix of weights gives in shares what its edges do", S, blockfw::MinPlus<float>,
                   blockfw::MinMax<std::int64_t>) {
  check_matrices_of_weights<S>();
}
