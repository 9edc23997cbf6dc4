// SPDX-License-Identifier: MIT
// Kokkos is started once, by any of the threads that ask for it, and not again after its end.
#include <doctest/doctest.h>

#include <blockfw/kokkos_runtime.hpp>
#include <blockfw/solve.hpp>

#include <thread>
#include <vector>

TEST_CASE("threads that all ask for Kokkos find it started, and once it has ended it is refused") {
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) threads.emplace_back([] { blockfw::start_kokkos(); });
  for (std::thread& thread : threads) thread.join();
  REQUIRE(Kokkos::is_initialized());

  const std::vector<blockfw::Edge<int>> roads = {{0, 1, 5}, {1, 2, 2}, {0, 2, 9}};
  CHECK(Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, blockfw::solve(3, roads))(0, 2) == 7);

  Kokkos::finalize();
  CHECK_THROWS_WITH_AS(blockfw::start_kokkos(), "start_kokkos: Kokkos has ended, and starts once in a program",
                       blockfw::InvalidInput);
}
