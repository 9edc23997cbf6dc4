// SPDX-License-Identifier: MIT
// Undirected graphs: half the work, and whether a matrix is symmetric.
#include "graphs.hpp"

#include <map>
#include <utility>

namespace {

using blockfw::Direction;
using blockfw::MinPlus;
using blockfw::Tile;
using Exec = Kokkos::DefaultExecutionSpace;

struct Sample {
  Graph graph;
  oracle::Distances<std::int64_t> expected;
};

/// A mirrored graph of a family without negative weights.
const Sample& sample(int n, std::size_t family) {
  static std::map<std::pair<int, std::size_t>, Sample> all;
  const auto [place, fresh] = all.try_emplace({n, family});
  if (fresh && n > 0) {
    Random random(static_cast<unsigned>(n));
    place->second.graph = oracle::mirrored(families[family].make(random, n));
    place->second.expected = oracle::distances(place->second.graph);
  }
  return place->second;
}

template <class T, class Shape, class Layout>
void check_order(int n) {
  CAPTURE(n);
  for (std::size_t family = 0; family < 6; ++family) {
    const std::string name = families[family].name;
    CAPTURE(name);
    const Sample& s = sample(n, family);
    const auto order = static_cast<std::size_t>(n);
    const Kokkos::View<T**, Layout, Kokkos::SharedSpace> whole("whole", order + 3, order + 5);
    Kokkos::deep_copy(whole, T(-77));
    const auto d = Kokkos::subview(whole, Kokkos::pair<int, int>(2, 2 + n), Kokkos::pair<int, int>(1, 1 + n));
    fill(d, s.graph);
    CHECK(blockfw::is_symmetric(Exec(), d));
    blockfw::blocked_floyd_warshall<Shape>(Exec(), d, {Direction::undirected});
    Exec().fence();
    CHECK(difference(d, s.expected) == "");
    int touched = 0;
    for (int i = 0; i < n + 3; ++i)
      for (int j = 0; j < n + 5; ++j) touched += (i < 2 || i >= 2 + n || j < 1 || j >= 1 + n) && whole(i, j) != T(-77);
    CHECK(touched == 0);
  }
}

template <class T, class Shape>
void check_tile() {
  const int block = Shape::block;
  CAPTURE(block);
  for (const int n : {0, 1, 2, block - 1, block, block + 1, 2 * block + 1, 131})
    check_order<T, Shape, Kokkos::LayoutRight>(n);
  check_order<T, Shape, Kokkos::LayoutLeft>(3 * block + 2);
}

template <class T>
SharedMatrix<T> symmetric_matrix(int n) {
  const SharedMatrix<T> d("d", static_cast<std::size_t>(n), static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) d(i, j) = static_cast<T>((i + j) % 100 + i * j % 7);
  return d;
}

}  // namespace

TEST_CASE_TEMPLATE("half the work, every type and tile", T, ALL_TYPES) {
  check_tile<T, Tile<16>>();
  if constexpr (sizeof(T) == 4) check_tile<T, Tile<24, 8, 3>>();
  if constexpr (std::is_same_v<T, std::int32_t>) check_tile<T, Tile<7>>();
  if constexpr (sizeof(T) == 2) check_tile<T, Tile<64>>();
}

TEST_CASE("tiles of one entry") {
  for (const int n : {1, 2, 3, 31}) check_order<std::int32_t, Tile<1>, Kokkos::LayoutRight>(n);
}

TEST_CASE_TEMPLATE("the tuned tiles, many of them", T, std::int32_t, std::int16_t, double) {
  // On a host, index ranges of more than one tile; the order is no multiple of a tile.
  const int n = on_device ? 3203 : 1531;
  Random random(3);
  Graph g = oracle::mirrored(scattered(random, n, 3 * n, 1, 9));
  const SharedMatrix<T> d("d", static_cast<std::size_t>(n), static_cast<std::size_t>(n)),
      directed("directed", d.layout());
  fill(d, g);
  Kokkos::deep_copy(directed, d);
  blockfw::blocked_floyd_warshall(Exec(), d, {Direction::undirected});
  blockfw::blocked_floyd_warshall(Exec(), directed);
  Exec().fence();
  const auto out = oracle::adjacency(g);
  int wrong = 0, differ = 0;
  for (const int source : {0, 1, n / 2, n - 1}) {
    const auto expected = oracle::dijkstra(out, source);
    for (int j = 0; j < n; ++j) {
      const auto e = expected[static_cast<std::size_t>(j)];
      wrong += d(source, j) != (e == oracle::unreachable<std::int64_t> ? blockfw::infinity<T> : static_cast<T>(e));
    }
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) differ += d(i, j) != directed(i, j);
  CHECK(wrong == 0);
  CHECK(differ == 0);
}

TEST_CASE("an undirected edge of negative length: a negative cycle") {
  for (const int n : {2, 64, 65, 300}) {
    CAPTURE(n);
    Random random(static_cast<unsigned>(n));
    Graph g = scattered(random, n, 3 * n, 0, 50);
    const int v = uniform(random, 1, n - 1);
    g.edges.push_back({v - 1, v, -1});
    const SharedMatrix<int> d("d", static_cast<std::size_t>(n), static_cast<std::size_t>(n));
    fill(d, oracle::mirrored(g));
    blockfw::blocked_floyd_warshall<Tile<16>>(Exec(), d, {Direction::undirected});
    Exec().fence();
    CHECK(blockfw::find_negative_cycle(Exec(), d).has_value());
  }
}

TEST_CASE("progress: called for each round") {
  const auto d = symmetric_matrix<int>(100);
  std::vector<std::int64_t> done;
  blockfw::blocked_floyd_warshall<Tile<16>>(Exec(), d, {Direction::undirected, [&](std::int64_t k, std::int64_t of) {
                                                          CHECK(of == 7);
                                                          done.push_back(k);
                                                        }});
  CHECK(done == std::vector<std::int64_t>{1, 2, 3, 4, 5, 6, 7});
}

TEST_CASE("is_symmetric(): any matrix") {
  for (const int n : {0, 1, 2, 31, 32, 33, 64, 65, 97}) {
    CAPTURE(n);
    const auto d = symmetric_matrix<int>(n);
    CHECK(blockfw::is_symmetric(Exec(), d));
    int missed = 0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; j += i % 3 + 1)
        if (i != j) {
          d(i, j) += 1;
          missed += blockfw::is_symmetric(Exec(), d);
          d(i, j) -= 1;
        }
    CHECK(missed == 0);
    if (n > 0) d(n - 1, n - 1) += 5;
    CHECK(blockfw::is_symmetric(Exec(), d));
  }
  const SharedMatrix<int> oblong("oblong", 3, 4);
  CHECK_THROWS_WITH_AS(blockfw::is_symmetric(Exec(), oblong),
                       doctest::Contains("has 3 rows and 4 columns, expected a square one"), blockfw::InvalidInput);
}

TEST_CASE("solve(): half the work of a symmetric matrix, declared or detected") {
  const int n = on_device ? 3001 : 1030;
  Random random(8);
  const Graph g = scattered(random, n, 3 * n, 1, 1000);
  const auto edges = edges_of<float>(g), both_directions = edges_of<float>(oracle::mirrored(g));
  blockfw::SolveReport report;
  const auto half = readable(blockfw::solve(n, edges, {.direction = Direction::undirected, .report = &report}));
  CHECK(report.half);
  const auto found = readable(blockfw::solve(n, both_directions, {.report = &report}));
  CHECK(report.half);
  const auto directed = readable(blockfw::solve(n, edges, {.report = &report}));
  CHECK_FALSE(report.half);
  CHECK(report.bits == 32);
  int differ = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) differ += half(i, j) != found(i, j);
  CHECK(differ == 0);
  const auto expected = oracle::dijkstra(oracle::adjacency(oracle::mirrored(g)), 17);
  int wrong = 0;
  for (int j = 0; j < n; ++j) {
    const auto e = expected[static_cast<std::size_t>(j)];
    wrong += half(17, j) != (e == oracle::unreachable<std::int64_t> ? blockfw::infinity<float> : static_cast<float>(e));
  }
  CHECK(wrong == 0);
}
