// SPDX-License-Identifier: MIT
// solve() on thousands of small graphs, with small tiles.
#include "graphs.hpp"
#include "small_tiles.hpp"

using blockfw::Direction;
using blockfw::solve;

namespace {

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

}  // namespace

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
