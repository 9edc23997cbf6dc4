// SPDX-License-Identifier: MIT
// Times of trips with one change: a min-plus product of the times to the stops, and of the times from there.
// Trips without a change stay where they are faster.
#include <blockfw/apsp.hpp>

#include <cstddef>
#include <cstdio>

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  using Minutes = Kokkos::View<int**, Kokkos::SharedSpace>;  // hosts and devices read it
  constexpr int none = blockfw::infinity<int>;
  const int from_homes[2][3] = {{5, 9, none}, {none, 4, 12}}, to_offices[3][2] = {{20, 30}, {15, 6}, {1, none}};
  const Minutes to_stop("to_stop", 2, 3), onwards("onwards", 3, 2), trip("trip", 2, 2);
  for (std::size_t stop = 0; stop < 3; ++stop)
    for (std::size_t i = 0; i < 2; ++i) to_stop(i, stop) = from_homes[i][stop], onwards(stop, i) = to_offices[stop][i];

  trip(0, 0) = 40, trip(0, 1) = 15, trip(1, 0) = trip(1, 1) = none;  // without a change
  // trip(i, j) becomes the least of trip(i, j) and all to_stop(i, k) + onwards(k, j).
  blockfw::min_plus_product(to_stop, onwards, trip);
  for (std::size_t home = 0; home < 2; ++home)
    std::printf("home %zu: %d minutes to office 0, %d to office 1\n", home, trip(home, 0), trip(home, 1));
}

// Output:
// home 0: 24 minutes to office 0, 15 to office 1
// home 1: 13 minutes to office 0, 10 to office 1
