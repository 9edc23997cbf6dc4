// SPDX-License-Identifier: MIT
// Transitive closures, compared with searches from each vertex.
#include "graphs.hpp"

#include "blockfw/transitive_closure.hpp"

#include <array>

namespace {

using blockfw::Direction;
using blockfw::transitive_closure;
using Exec = Kokkos::DefaultExecutionSpace;

/// Counts the entries that differ from the oracle's, and the bits of padding that are not zero.
template <class Bits>
int wrong_bits(const Bits& there, const Graph& g) {
  const auto bits = there.on_host();
  CHECK(bits.size() == g.n);
  int wrong = 0;
  for (int i = 0; i < g.n; ++i) {
    const auto reached = oracle::reach(g, i);
    for (int j = 0; j < g.n; ++j) wrong += bits(i, j) != reached[static_cast<std::size_t>(j)];
  }
  const auto words = bits.words();
  for (std::size_t i = 0; i < words.extent(0); ++i)
    for (std::size_t j = 0; j < 32 * words.extent(1); ++j)
      if (static_cast<int>(i) >= g.n || static_cast<int>(j) >= g.n) wrong += (words(i, j / 32) >> j % 32 & 1) != 0;
  return wrong;
}

}  // namespace

TEST_CASE("graphs of every family") {
  for (const int n : {1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 257, 300})
    for (const Family& family : families) {
      const std::string name = family.name;
      CAPTURE(n);
      CAPTURE(name);
      Random random(static_cast<unsigned>(n));
      const Graph g = family.make(random, n);
      CHECK(wrong_bits(transitive_closure(n, edges_of<int>(g)), g) == 0);
      CHECK(wrong_bits(transitive_closure(n, edges_of<int>(g), Direction::undirected), oracle::mirrored(g)) == 0);
    }
}

TEST_CASE("chains that only lead on, from either end, and at random") {
  for (const int n : {500, 2100}) {
    Random random(1);
    std::vector<int> order(static_cast<std::size_t>(n));
    for (int way = 0; way < 3; ++way) {
      for (int v = 0; v < n; ++v) order[static_cast<std::size_t>(v)] = way == 1 ? n - 1 - v : v;
      if (way == 2) std::shuffle(order.begin(), order.end(), random);
      Graph g{n, {}};
      for (std::size_t v = 0; v + 1 < order.size(); ++v) g.edges.push_back({order[v], order[v + 1], 0});
      CHECK(wrong_bits(transitive_closure(n, edges_of<int>(g)), g) == 0);
    }
  }
}

TEST_CASE("no vertices, no edges, an array of edges, an instance") {
  CHECK(transitive_closure(0, std::vector<blockfw::Edge<float>>{}).size() == 0);
  const auto alone = transitive_closure(40, std::vector<blockfw::Edge<float>>{}).on_host();
  CHECK(alone(39, 39));
  CHECK_FALSE(alone(39, 38));
  const std::array<blockfw::Edge<double>, 2> edges{{{0, 2, 1.5}, {2, 1, -3}}};
  const auto reach = transitive_closure(Exec(), 3, edges).on_host();
  CHECK(reach(0, 1));
  CHECK_FALSE(reach(1, 0));
}

TEST_CASE("bad input") {
  using Edges = std::vector<blockfw::Edge<int>>;
  CHECK_THROWS_WITH_AS(transitive_closure(-2, Edges{}), "the number of vertices is -2, expected 0 or more",
                       blockfw::InvalidInput);
  CHECK_THROWS_WITH_AS(transitive_closure(3, Edges{{0, 1, 1}, {1, 3, 1}, {-1, 0, 1}}),
                       "edge 1: vertex 3 is out of range, expected 0 to 2", blockfw::InvalidEdge);
  CHECK_THROWS_WITH_AS(transitive_closure(30'000'000, Edges{}), doctest::Contains("the bits of 30000000 vertices need"),
                       blockfw::OutOfMemory);
}
