// SPDX-License-Identifier: MIT
// Tests that every place gives the same distances (every_place.hpp): integers, and each threshold.
// test_places_of_others.cpp tests the other semirings, so that two files compile at once.
//
// Compiled twice: for the places of one process, and (BLOCKFW_PLACE_OF_RANKS) for the ranks of MPI that mpiexec starts.
#include "every_place.hpp"

TEST_CASE_TEMPLATE("every place gives the oracle's distances", S, blockfw::MinPlus<std::int16_t>,
                   blockfw::MinPlus<std::int32_t>, blockfw::MinPlus<std::int64_t>, blockfw::MaxPlus<std::int32_t>) {
  check_combinations<S>();
}

TEST_CASE("at each threshold") {
  constexpr auto half_from = blockfw::detail::half_from<Exec>, narrow_from = blockfw::detail::narrow_from<Exec>;
  for (const auto direction : {Direction::directed, Direction::undirected})
    for (int less = 0; less < 2; ++less) {
      check_places<blockfw::MinPlus<std::int32_t>>(
          {static_cast<int>(narrow_from) - less, direction, Kind::plain, Weights::few});
      for (const Place& place : places()) {
        const Expected<blockfw::MinPlus<std::int64_t>> expected(
            {static_cast<int>(half_from) * place.parts() - less, direction, Kind::plain, Weights::some});
        check(InShares{place}, expected, true);
        if (rank() == 0) check(OneInstance(), expected, true);
      }
    }
#ifndef BLOCKFW_PLACE_OF_RANKS  // shares of narrower numbers have other rows, so that edges are spread again
  const Instances devices(2);
  CHECK(blockfw::RowBlocks<std::int32_t, Exec>::rows_of_share(devices.list(), large) !=
        blockfw::RowBlocks<std::int16_t, Exec>::rows_of_share(devices.list(), large));
#endif
}

TEST_CASE_TEMPLATE("a matrix of weights gives in shares what its edges do", S, blockfw::MinPlus<std::int16_t>,
                   blockfw::MinPlus<std::int32_t>) {
  check_matrices_of_weights<S>();
}
