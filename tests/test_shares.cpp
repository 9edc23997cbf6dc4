// SPDX-License-Identifier: MIT
// A matrix in shares: its rounds find the oracle's distances, by all of the work or by half of it. Tiles are small, so
// that a few vertices make many groups, blocks of tiles and partial tiles.
//
// Compiled twice: for devices, and (BLOCKFW_PLACE_OF_RANKS) for the ranks of MPI that mpiexec starts.
#include "places.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <thread>
#include <vector>

namespace {

using blockfw::Direction;
using blockfw::Edge;

template <class T>
constexpr int tile_of = blockfw::default_tile<Exec, T>::block;
constexpr int tile = tile_of<std::int32_t>;

template <class T>
void check(const Place& place, const Answer& answer, const Graph& graph, Direction direction) {
  const std::string name = place.name();
  CAPTURE(name);
  CAPTURE(graph.n);
  check_against(answer, [&] {
    auto d = place.matrix<T>(graph.n);
    d.solve(d.fill(mine(edges_of<T>(graph)), {.direction = direction}));
    return on_host(d);
  });
}

/// Solves an undirected graph by half the work, which needs shares with neighbouring rows.
template <class T>
HostMatrix<T> half_the_work(const Place& place, const Graph& graph, bool negative) {
  auto d = place.matrix<T>(graph.n);
  d.fill(mine(edges_of<T>(graph)), {.direction = Direction::undirected});
  d.floyd_warshall({Direction::undirected}, negative);
  return on_host(d);
}

}  // namespace

TEST_CASE("every type, family of graphs and direction") {
  Random random(2), pick(3);  // (Ranks that share few cores take long, so each graph takes one of the grids.)
  const auto all = places();
  for (const Family& family : families)
    for (const int n : {0, 1, tile - 1, tile, tile + 1, 2 * tile + 3, 61, 97}) {
      CAPTURE(family.name);
      const Graph graph = n > 0 ? family.make(random, n) : Graph{};
      for (const auto direction : {Direction::directed, Direction::undirected}) {
        const Answer answer(graph, direction);
        for_each_type([&]<class T>(T) {
          const int one = uniform(pick, 0, static_cast<int>(all.size()) - 1);
          for (std::size_t p = 0; p < all.size(); ++p)
            if (ranks() == 1 || p == static_cast<std::size_t>(one)) check<T>(all[p], answer, graph, direction);
        });
      }
    }
}

TEST_CASE("every order and place, those of more shares than tiles among them") {
  Random random(1);
  for (const int n : {1, 2, tile - 1, tile, tile + 1, 2 * tile, 3 * tile + 1, 47, 6 * tile, 97, 12 * tile + 3}) {
    const Graph graph = scattered(random, n, 3 * n, 0, 100);
    const Answer answer(graph, Direction::directed);
    for (const Place& place : more_places()) check<std::int32_t>(place, answer, graph, Direction::directed);
  }
}

TEST_CASE_TEMPLATE("half the work for undirected graphs, every type and order", T, ALL_TYPES) {
  constexpr int b = tile_of<T>;
  for (const int n : {0, 1, b - 1, b, b + 1, 2 * b, 3 * b + 1, 4 * b + 7, 7 * b - 3, 12 * b + 3})
    for (std::size_t family = 0; family < 6; ++family) {
      if (ranks() > 1 && n > 4 * b + 7 && family > 0) continue;
      Random random(static_cast<unsigned>(n));
      const Graph graph = n > 0 ? families[family].make(random, n) : Graph{};
      const auto expected = on_first<T>(n, [&] { return host_matrix<T>(oracle::distances(oracle::mirrored(graph))); });
      CAPTURE(families[family].name);
      CAPTURE(n);
      for (const Place& place : family == 0 ? more_places() : places()) {
        if (!place.halves()) continue;
        CAPTURE(place.parts());
        const bool negative = (family + static_cast<std::size_t>(place.parts())) % 2 == 0;
        CHECK(wrong_entries(half_the_work<T>(place, graph, negative), expected) == 0);
      }
    }
}

TEST_CASE("half the work: a cycle that diverges shows on the diagonal, wherever its vertices are") {
  const int n = 6 * tile + 3;
  Random random(18);
  for (const Place& place : places())
    for (const int other : {1, tile + 2, 3 * tile, n - 1}) {
      if (!place.halves()) continue;
      Graph graph = scattered(random, n, 3 * n, 1, 1000);
      graph.edges.push_back({0, other, -1});
      const auto d = half_the_work<std::int32_t>(place, graph, true);
      int cycles = 0;
      for (int v = 0; v < n; ++v) cycles += d(v, v) < 0;
      CHECK(cycles > 0);
    }
}

TEST_CASE("pivots on a negative cycle do not double lengths") {
  // (Each pivot would double the lengths, so they would overflow within a tile.)
  Random random(15);
  const int n = 3 * tile + 2;
  Graph graph = complete(random, n, 0);
  for (auto& e : graph.edges) e.weight = -1000;
  for (const Place& place : places()) {
    auto d = place.matrix<std::int32_t>(n);
    d.fill(mine(edges_of<std::int32_t>(graph)));
    d.floyd_warshall();
    const auto all = on_host(d);
    int out_of_bounds = 0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) out_of_bounds += all(i, j) < -5000 || all(i, j) >= 0;
    CHECK(out_of_bounds == 0);
  }
}

TEST_CASE("progress is told by the calling thread, to the end") {
  const auto caller = std::this_thread::get_id();
  for (const Place& place : places()) {
    auto d = place.matrix<std::int32_t>(6 * tile);
    std::int64_t last = 0, calls = 0;
    const auto range = d.fill(mine(std::vector<Edge<std::int32_t>>{{0, 1, 1}}));
    d.solve(range, {.progress = [&](std::int64_t done, std::int64_t all) {
              CHECK(std::this_thread::get_id() == caller);
              CHECK(all == 6);
              CHECK(done > last);
              last = done;
              ++calls;
            }});
    CHECK(last == 6);
    CHECK(calls >= 2);
  }
}

TEST_CASE("whole rows come some at a time, each on one process; and a matrix is copied in and out") {
  const int n = 5 * tile + 3;
  const HostMatrix<std::int32_t> all("all", n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) all(i, j) = i * n + j;
  for (const Place& place : more_places()) {
    auto d = place.matrix<std::int32_t>(n);
    d.copy_from(all);
    const HostMatrix<std::int32_t> own("own", n, n);
    Kokkos::deep_copy(own, -1);
    d.copy_to(own);
    std::int64_t copied = 0, wrong = 0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) copied += own(i, j) == all(i, j), wrong += own(i, j) != -1 && own(i, j) != all(i, j);
    CHECK(wrong == 0);
    CHECK(sum_of_ranks(copied) == n * n);
    check_whole_rows(d, all, {1, 2000, 1 << 20});
  }
}

TEST_CASE_TEMPLATE("cycles of length zero in floats are not negative, and a shorter one is", T, float, double) {
  const int n = 70;
  Random random(6);
  std::vector<double> at;
  for (int i = 0; i < n; ++i) at.push_back(uniform(random, -1000, 1000) / 10.);
  std::vector<Edge<T>> edges;
  const auto add = [&](int i, int j, double longer) {
    const double weight = at[static_cast<std::size_t>(j)] - at[static_cast<std::size_t>(i)] + longer;
    edges.push_back({i, j, static_cast<T>(std::round(10 * weight) / 10)});
  };
  for (int i = 0; i < n; ++i) add(i, (i + 1) % n, 0);
  for (int e = 0; e < 3 * n; ++e) add(uniform(random, 0, n - 1), uniform(random, 0, n - 1), 0);
  const auto longer = edges;
  add(3, 5, -.1);
  for (const Place& place : places()) {
    auto d = place.matrix<T>(n);
    d.solve(d.fill(mine(longer)));
    const auto all = on_host(d);
    double error = 0;
    for (int i = 0; i < n; ++i) {
      CHECK(all(i, i) == 0);
      for (int j = 0; j < n; ++j)
        error = std::max(error, std::abs(static_cast<double>(all(i, j)) -
                                         (at[static_cast<std::size_t>(j)] - at[static_cast<std::size_t>(i)])));
    }
    CHECK(error < 2 * n * 100. * static_cast<double>(std::numeric_limits<T>::epsilon()));
    CHECK_THROWS_AS(d.solve(d.fill(mine(longer)), {.strict_cycles = rank() == 0}), blockfw::NegativeCycle);
    CHECK_THROWS_AS(d.solve(d.fill(mine(edges))), blockfw::NegativeCycle);
  }
}

TEST_CASE("paths of any magnitude do not hide a negative cycle") {
  const int n = 40;
  for (const double magnitude : {1e-290, 1., 1e40})
    for (const bool negative : {false, true}) {
      Random random(7);
      std::vector<Edge<double>> edges = {
          {20, 21, -magnitude}, {21, 22, -magnitude}, {22, 20, (negative ? 1.5 : 2) * magnitude}};
      for (int e = 0; e < 4 * n; ++e) {
        const int a = uniform(random, 0, n - 1), b = uniform(random, 0, n - 1);
        const double size = std::pow(10., uniform(random, -300, 290));
        if (a < b && !(a >= 20 && b <= 22)) edges.push_back({a, b, uniform(random, 0, 1) > 0 ? size : -size});
      }
      CAPTURE(magnitude);
      for (const Place& place : places()) {
        auto d = place.matrix<double>(n);
        std::int64_t vertex = -1;
        try {
          d.solve(d.fill(mine(edges)));
        } catch (const blockfw::NegativeCycle& cycle) {
          vertex = cycle.vertex;
        }
        CHECK((negative ? vertex >= 20 && vertex <= 22 : vertex == -1));
      }
    }
}
