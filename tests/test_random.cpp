// SPDX-License-Identifier: MIT
// solve() on random graphs: on thousands of small ones with small tiles, and on those of several of the tiles that
// users get. CMakeLists.txt compiles the parts one by one: the small graphs, a library of their template instances, and
// a program of the large ones.
#include "graphs.hpp"
#include "instances.hpp"

#include "blockfw/detail/kernel/tuned_tiles.hpp"

#include <cstdint>
#include <random>

#ifndef BLOCKFW_IN_PART
#define BLOCKFW_IN_PART(number) 1
#endif

#if BLOCKFW_IN_PART(1) || BLOCKFW_IN_PART(2)
// Small default tiles, of a different size for each type, so that small graphs take many rounds.
template <>
struct blockfw::DefaultTile<Kokkos::DefaultExecutionSpace, std::int16_t> {
  using type = Tile<1>;
};
template <>
struct blockfw::DefaultTile<Kokkos::DefaultExecutionSpace, std::int32_t> {
  using type = Tile<4>;
};
template <>
struct blockfw::DefaultTile<Kokkos::DefaultExecutionSpace, std::int64_t> {
  using type = Tile<7>;
};
template <>
struct blockfw::DefaultTile<Kokkos::DefaultExecutionSpace, float> {
  using type = Tile<16>;
};
template <>
struct blockfw::DefaultTile<Kokkos::DefaultExecutionSpace, double> {
  using type = Tile<12, 3, 4>;
};

/// The template instances of these tiles.
#define RANDOM_INSTANCES(LINKAGE)                        \
  TEST_INT8(LINKAGE)                                     \
  TEST_INSTANCE(LINKAGE, blockfw::MinPlus<std::int16_t>) \
  TEST_INSTANCE(LINKAGE, blockfw::MinPlus<std::int32_t>) \
  TEST_INSTANCE(LINKAGE, blockfw::MinPlus<std::int64_t>) \
  TEST_INSTANCE(LINKAGE, blockfw::MinPlus<float>)        \
  TEST_INSTANCE(LINKAGE, blockfw::MinPlus<double>)       \
  TEST_GUARD(LINKAGE, blockfw::MinPlus<float>)           \
  TEST_GUARD(LINKAGE, blockfw::MinPlus<double>)

RANDOM_INSTANCES(extern)
#endif

#if BLOCKFW_IN_PART(1)
using blockfw::Direction;
using blockfw::solve;

template <class T>
void check_type(const Graph& g, unsigned seed, const Answer& one_direction, const Answer& both_directions) {
  const blockfw::SolveOptions undirected{.direction = Direction::undirected};
  const auto edges = edges_of<T>(g);
  const SharedMatrix<T> w("w", static_cast<std::size_t>(g.n), static_cast<std::size_t>(g.n));
  fill(w, g);
  check_against(one_direction, [&] { return solve(g.n, edges); });
  if (seed % 3 == 0) check_against(both_directions, [&] { return solve(g.n, edges, undirected); });
  if (seed % 3 == 1) check_against(one_direction, [&] { return solve(w); });
  if (seed % 3 == 2) check_against(both_directions, [&] { return solve(w, undirected); });
}

TEST_CASE("random graphs: thousands") {
  for (unsigned seed = 0; seed < 120; ++seed)
    for (const Family& family : families) {
      CAPTURE(seed);
      CAPTURE(family.name);
      Random random(seed);
      const int n = 1 + static_cast<int>(seed) % 40;
      CAPTURE(n);
      const Graph g = family.make(random, n);
      const Answer one_direction(g, Direction::directed), both_directions(g, Direction::undirected);
      for_each_type([&]<class T>(T) { check_type<T>(g, seed, one_direction, both_directions); });
    }
}
#endif

#if BLOCKFW_IN_PART(2)
RANDOM_INSTANCES()
#endif

#if BLOCKFW_IN_PART(3)
TEST_CASE("random graphs: of several tiles") {
  for (const int n : {100, 173, 300})
    for (const Family& family : families) {
      CAPTURE(n);
      CAPTURE(family.name);
      Random random(static_cast<unsigned>(n));
      const Graph g = family.make(random, n);
      const Answer answer(g, blockfw::Direction::directed);
      for_each_type([&]<class T>(T) { check_against(answer, [&] { return blockfw::solve(n, edges_of<T>(g)); }); });
    }
}

TEST_CASE("int64 distances beyond 32 bits") {
  const int n = 200;
  Random random(9);
  std::uniform_int_distribution<std::int64_t> weight(0, 1'000'000'000'000'000);
  Graph g = scattered(random, n, 3 * n, 0, 0);
  for (auto& e : g.edges) e.weight = weight(random);
  CHECK(difference(blockfw::solve(n, g.edges), oracle::distances(g)) == "");
}
#endif
