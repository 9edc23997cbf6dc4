// SPDX-License-Identifier: MIT
// Transitive closures, compared with searches from each vertex.
#include "graphs.hpp"

#include "blockfw/transitive_closure.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <numeric>
#include <vector>

namespace {

using blockfw::Direction;
using blockfw::transitive_closure;
using Exec = Kokkos::DefaultExecutionSpace;

/// Counts the entries that differ from the oracle's, and the bits of padding that are not zero.
template <class Bits>
int wrong_bits(const Bits& there, const Graph& g) {
  const auto bits = there.on_host();
  CHECK(bits.vertices() == g.n);
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

/// The edges as bits.
blockfw::BitMatrix<> bits_of(const Graph& g) {
  const blockfw::BitMatrix<> bits(Exec(), g.n);
  const auto words = Kokkos::create_mirror_view(bits.words());
  Kokkos::deep_copy(words, 0u);
  for (const auto& e : g.edges) words(e.from, e.to / 32) |= 1u << e.to % 32;
  Kokkos::deep_copy(bits.words(), words);
  return bits;
}

/// The closure by tables, for devices that multiply matrices of bits instead.
[[maybe_unused]] blockfw::BitMatrix<> by_tables(const Graph& g) {
  const blockfw::BitMatrix<> bits = bits_of(g);
  blockfw::detail::close_bits<blockfw::detail::BitTableRounds<Exec>>(Exec(), bits);
  return bits;
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
      CHECK(wrong_bits(transitive_closure(n, edges_of<int>(g), {.direction = Direction::undirected}),
                       oracle::mirrored(g)) == 0);
    }
}

static void check_chains(int n) {
  Random random(1);
  std::vector<int> order(static_cast<std::size_t>(n));
  for (int kind = 0; kind < 3; ++kind) {
    for (int v = 0; v < n; ++v) order[static_cast<std::size_t>(v)] = kind == 1 ? n - 1 - v : v;
    if (kind == 2) std::shuffle(order.begin(), order.end(), random);
    Graph g{n, {}};
    for (std::size_t v = 0; v + 1 < order.size(); ++v) g.edges.push_back({order[v], order[v + 1], 0});
    CHECK(wrong_bits(transitive_closure(n, edges_of<int>(g)), g) == 0);
  }
}
TEST_CASE("chains: numbered from either end, and at random") { check_chains(500); }
TEST_CASE("exhaustive: longer chains") { check_chains(2100); }

static void check_sizes(std::initializer_list<int> sizes) {
  for (const int n : sizes) {
    CAPTURE(n);
    Random random(static_cast<unsigned>(n));
    std::vector<int> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    const auto at = [&](int v) { return order[static_cast<std::size_t>(v % n)]; };
    // A cycle through all vertices; two cycles with an edge from the first to the second; an acyclic graph.
    Graph cycle{n, {}}, halves{n, {}}, dag{n, {}};
    const int half = n / 2;
    for (int v = 0; v < n; ++v) {
      cycle.edges.push_back({at(v), at(v + 1), 0});
      halves.edges.push_back({at(v), at(v < half ? (v + 1) % half : half + (v - half + 1) % (n - half)), 0});
      for (int e = 0; e < 2; ++e)
        if (const int to = v + uniform(random, 1, 20); to < n) dag.edges.push_back({at(v), at(to), 0});
    }
    halves.edges.push_back({at(0), at(n - 1), 0});
    for (const Graph& g : {cycle, halves, dag}) {
      CHECK(wrong_bits(transitive_closure(n, edges_of<int>(g)), g) == 0);
      if (blockfw::target.multiplies_bits) CHECK(wrong_bits(by_tables(g), g) == 0);
    }
  }
}

TEST_CASE("sizes around those of tiles, and primes") { check_sizes({3, 97, 127, 128, 129, 255, 257, 384, 511}); }
TEST_CASE("exhaustive: further sizes around those of tiles, and primes") {
  check_sizes({5, 126, 256, 383, 385, 509, 512, 513, 1021, 1024, 1025});
}

static void check_strips(std::initializer_list<int> sizes) {
  for (const int n : sizes) {
    CAPTURE(n);
    Random random(static_cast<unsigned>(n));
    const Graph g = scattered(random, n, n, 0, 0);
    CHECK(wrong_bits(transitive_closure(n, edges_of<int>(g)), g) == 0);  // (by components)
    const blockfw::BitMatrix<> bits = bits_of(g);
    transitive_closure(Exec(), bits);  // (by rounds)
    CHECK(wrong_bits(bits, g) == 0);
    if (blockfw::target.multiplies_bits) CHECK(wrong_bits(by_tables(g), g) == 0);
  }
}

TEST_CASE("several strips and tiles of rows") { check_strips({2049}); }
TEST_CASE("exhaustive: more strips and tiles of rows") { check_strips({2047, 4099}); }

static void check_components(std::initializer_list<int> sizes) {
  for (const int n : sizes) {
    Random random(static_cast<unsigned>(n) + 7);
    for (const int edges : {0, n / 3, n, 3 * n}) {
      CAPTURE(n);
      CAPTURE(edges);
      const Graph g = scattered(random, n, edges, 0, 0);
      for (const auto direction : {Direction::directed, Direction::undirected}) {
        const blockfw::BitMatrix<> bits(Exec(), n);
        const auto list = edges_of<int>(g);
        const auto components = blockfw::detail::strong_components(n, blockfw::detail::view_of(list), direction);
        blockfw::detail::close_by_components(Exec(), bits.words(), components, {});
        CHECK(wrong_bits(bits, direction == Direction::directed ? g : oracle::mirrored(g)) == 0);
      }
    }
  }
}

TEST_CASE("sparse graphs by components: every family, both directions") {
  check_components({1, 2, 31, 32, 33, 65, 129, 511});
}
TEST_CASE("exhaustive: larger sparse graphs by components") { check_components({513, 1025, 2100}); }

TEST_CASE("strong components: known ones") {
  const auto components_of = [](int n, const std::vector<blockfw::Edge<int>>& edges) {
    return blockfw::detail::strong_components(n, blockfw::detail::view_of(edges), Direction::directed);
  };
  // 0 and 1 form a circle, from which an edge leads to 2. From 2 an edge leads to the circle of 3 and 4. Vertex 5 is
  // isolated. There are loops and repeated edges.
  const auto found = components_of(
      6, {{0, 1, 1}, {1, 0, 1}, {1, 2, 1}, {1, 2, 1}, {2, 3, 1}, {3, 4, 1}, {4, 3, 1}, {0, 3, 1}, {5, 5, -1}});
  CHECK(found.count() == 4);
  const auto of = [&](int v) { return found.of[static_cast<std::size_t>(v)]; };
  CHECK(of(0) == of(1));
  CHECK(of(3) == of(4));
  CHECK(of(4) < of(2));
  CHECK(of(2) < of(0));
  CHECK(found.to.size() == 3);
  for (std::int32_t c = 0; c < found.count(); ++c) {
    CHECK(of(found.representative[static_cast<std::size_t>(c)]) == c);
    for (auto e = found.first[static_cast<std::size_t>(c)]; e < found.first[static_cast<std::size_t>(c) + 1]; ++e)
      CHECK(found.to[static_cast<std::size_t>(e)] < c);
  }
  // A chain that is deeper than a stack of calls.
  std::vector<blockfw::Edge<int>> chain;
  const int deep = 1'000'000;
  for (int v = 0; v + 1 < deep; ++v) chain.push_back({v, v + 1, 1});
  CHECK(components_of(deep, chain).count() == deep);
  chain.push_back({deep - 1, 0, 1});
  CHECK(components_of(deep, chain).count() == 1);
}

TEST_CASE("a transposition of 32 x 32 bits") {
  Random random(1);
  std::uint32_t words[32], transposed[32];
  for (int r = 0; r < 32; ++r) words[r] = transposed[r] = static_cast<std::uint32_t>(random());
  blockfw::detail::transpose_bits(transposed);
  int wrong = 0;
  for (int r = 0; r < 32; ++r)
    for (int c = 0; c < 32; ++c) wrong += (words[r] >> c & 1) != (transposed[c] >> r & 1);
  CHECK(wrong == 0);
}

TEST_CASE("no vertices, no edges, an array of edges, an instance") {
  CHECK(transitive_closure(0, std::vector<blockfw::Edge<float>>{}).vertices() == 0);
  const auto alone = transitive_closure(40, std::vector<blockfw::Edge<float>>{}).on_host();
  CHECK(alone(39, 39));
  CHECK_FALSE(alone(39, 38));
  const std::array<blockfw::Edge<double>, 2> edges{{{0, 2, 1.5}, {2, 1, -3}}};
  const auto reach = transitive_closure(Exec(), 3, edges).on_host();
  CHECK(reach(0, 1));
  CHECK_FALSE(reach(1, 0));
}

TEST_CASE("progress: called for each round, and stops the rounds") {
  struct Stopped {};
  const int n = 1100;
  Random random(2);
  const Graph g = scattered(random, n, 2 * n, 0, 0);
  const auto edges = edges_of<int>(g);
  std::int64_t last = 0, rounds = 0;
  const auto count = [&](std::int64_t done, std::int64_t all) {
    CHECK(done == ++last);
    rounds = all;
  };
  CHECK(wrong_bits(transitive_closure(n, edges, {.progress = count}), g) == 0);
  CHECK(rounds >= 3);
  CHECK(last == rounds);
  CHECK_THROWS_AS(
      transitive_closure(Exec(), n, edges, {.progress = [](std::int64_t, std::int64_t) { throw Stopped(); }}), Stopped);

  // In place: after a stop each bit means a path, and another call finds the missing paths.
  rounds = last = 0;
  transitive_closure(Exec(), bits_of(g), count);
  CHECK(last == rounds);
  for (const std::int64_t stop : {std::int64_t(1), rounds / 2, rounds}) {
    const blockfw::BitMatrix<> bits = bits_of(g);
    CHECK_THROWS_AS(transitive_closure(Exec(), bits,
                                       [&](std::int64_t done, std::int64_t) {
                                         if (done == stop) throw Stopped();
                                       }),
                    Stopped);
    const auto there = bits.on_host();
    int wrong = 0, missing = 0;
    for (int i = 0; i < n; ++i) {
      const auto reached = oracle::reach(g, i);
      for (int j = 0; j < n; ++j) {
        wrong += there(i, j) && !reached[static_cast<std::size_t>(j)];
        missing += !there(i, j) && reached[static_cast<std::size_t>(j)];
      }
    }
    CHECK(wrong == 0);
    CHECK((missing == 0) == (stop == rounds));
    transitive_closure(Exec(), bits);
    CHECK(wrong_bits(bits, g) == 0);
  }
}

TEST_CASE("bad input") {
  using Edges = std::vector<blockfw::Edge<int>>;
  CHECK_THROWS_WITH_AS(transitive_closure(-2, Edges{}), "the number of vertices is -2, expected 0 or more",
                       blockfw::InvalidInput);
  CHECK_THROWS_WITH_AS(transitive_closure(3, Edges{{0, 1, 1}, {1, 3, 1}, {-1, 0, 1}}),
                       "edge 1: vertex 3 is out of range, expected 0 to 2", blockfw::InvalidEdge);
  CHECK_THROWS_WITH_AS(transitive_closure(30'000'000, Edges{}), doctest::Contains("the bits of 30000000 vertices need"),
                       blockfw::OutOfMemory);
  CHECK_THROWS_AS(transitive_closure(std::numeric_limits<std::int64_t>::max(), Edges{}), blockfw::OutOfMemory);
}
