// SPDX-License-Identifier: MIT
// Points beside a network: houses on streets, and a park with two gates. The seconds between them, and the nearest
// station of each house.
#include <blockfw/apsp.hpp>

#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const Kokkos::DefaultHostExecutionSpace exec;

  const std::vector<blockfw::Edge<int>> streets = {{0, 1, 60}, {1, 2, 60}, {2, 3, 60}, {3, 0, 300}};
  const blockfw::Network network(exec, 4, streets, {.direction = blockfw::Direction::undirected});

  // Of each house its street, and the seconds from the begin of the street.
  const std::vector<blockfw::PlaceOnEdge<int>> places = {{0, 0, 10}, {1, 0, 40}, {2, 2, 30}};
  const auto houses = blockfw::on_edges(network, 3, places);
  const auto seconds = blockfw::table(network, houses.from, houses.to);
  for (int i = 0; i < 3; ++i)
    std::printf("from house %d: %d %d %d seconds\n", i, seconds(i, 0), seconds(i, 1), seconds(i, 2));

  // One point, 5 seconds from crossing 0 and 15 from crossing 2.
  const std::vector<blockfw::Leg<int>> gates = {{0, 0, 5}, {0, 2, 15}};
  const blockfw::EndPoints park(network, 1, gates), stations(network, std::vector<int>{1, 3});
  const auto to_park = blockfw::table(network, houses.from, park);
  const auto nearest = blockfw::nearest(network, houses.from, stations);
  for (std::size_t i = 0; i < 3; ++i)
    std::printf("house %zu: %d seconds to the park, station %d in %d\n", i, to_park(i, 0), nearest.place[i],
                nearest.distance[i]);
}
// Output:
// from house 0: 0 30 140 seconds
// from house 1: 30 0 110 seconds
// from house 2: 140 110 0 seconds
// house 0: 15 seconds to the park, station 0 in 50
// house 1: 45 seconds to the park, station 0 in 20
// house 2: 45 seconds to the park, station 1 in 30
