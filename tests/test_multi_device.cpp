// SPDX-License-Identifier: MIT
// Several devices on one matrix: groups of a host's threads, or several instances on each device there is. The
// default tiles are small, of a different size for each type, so that small graphs take many rounds.
#include "graphs.hpp"
#include "small_tiles.hpp"

#include "shares.hpp"

#include <cmath>
#include <stdexcept>
#include <type_traits>

namespace {

constexpr int tile = blockfw::default_tile<Exec, std::int32_t>::block;

}  // namespace

TEST_CASE_TEMPLATE("several devices find what the oracle does", T, ALL_TYPES) {
  const int block = blockfw::default_tile<Exec, T>::block;
  Random random(11);
  for (const int count : {1, 2, 3, 5}) {
    const Instances devices(count);
    for (const int n : {0, 1, block - 1, block, block + 1, 2 * block + 3, 61, 97})
      for (const Family& family : families) {
        CAPTURE(count);
        CAPTURE(n);
        CAPTURE(family.name);
        if (n == 0) {
          CHECK(blockfw::solve(devices.list(), 0, std::vector<blockfw::Edge<T>>{}).vertices() == 0);
          continue;
        }
        const Graph g = family.make(random, n);
        if (oracle::has_negative_cycle(g))
          CHECK_THROWS_AS(blockfw::solve(devices.list(), g.n, edges_of<T>(g)), blockfw::NegativeCycle);
        else
          CHECK(difference(on_host(blockfw::solve(devices.list(), g.n, edges_of<T>(g))), oracle::distances(g)) == "");
      }
  }
}

TEST_CASE("many tiles, on each number of devices up to more than there are tiles") {
  const int n = 9 * tile + 5;
  Random random(12);
  const Graph g = scattered(random, n, 4 * n, 0, 1000);
  const auto expected = readable(blockfw::solve(n, edges_of<std::int32_t>(g)));
  for (const int count : {2, 3, 4, 7, 10, 12}) {
    CAPTURE(count);
    const Instances devices(count);
    const auto d = on_host(blockfw::solve(devices.list(), n, edges_of<std::int32_t>(g)));
    int wrong = 0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) wrong += d(i, j) != expected(i, j);
    CHECK(wrong == 0);
  }
}

TEST_CASE_TEMPLATE("any semiring on several devices", S, blockfw::MaxPlus<std::int32_t>, blockfw::MaxMin<std::int32_t>,
                   blockfw::MinMax<std::int64_t>, blockfw::MaxMin<float>, blockfw::MaxTimes<double>) {
  using T = typename S::value_type;
  const int n = 4 * blockfw::default_tile<Exec, T>::block + 3;
  Random random(15);
  auto edges = edges_over<S>(scattered(random, n, 4 * n, 1, 1000));
  for (const int shares : {1, 2, 3, 4})
    for (const auto direction : {blockfw::Direction::directed, blockfw::Direction::undirected}) {
      CAPTURE(shares);
      CHECK(different<S>(shares, n, edges, {.direction = direction}) == 0);
    }
  if constexpr (std::is_same_v<S, blockfw::MaxPlus<std::int32_t>>) {
    edges.push_back({0, 1, 9}), edges.push_back({1, 0, -8});
    CHECK_THROWS_AS(blockfw::solve<S>(Instances(2).list(), n, edges), blockfw::DivergentCycle);
  }
}

TEST_CASE("each row is on one device, about as many on each") {
  for (const int n : {1, tile, 5 * tile + 1, 12 * tile})
    for (const int count : {1, 2, 3, 5, 8}) {
      const Instances devices(count);
      const blockfw::RowBlocks<std::int32_t, Exec> d(devices.list(), n);
      std::int64_t next = 0, most = 0;
      for (int s = 0; s < d.shares(); ++s) {
        CHECK(d.first_row(s) == next);
        CHECK(static_cast<std::int64_t>(d.view(s).extent(0)) == d.rows(s));
        next += d.rows(s);
        most = std::max(most, d.rows(s));
      }
      CHECK(next == n);
      CHECK(most <= ((n + tile - 1) / tile + count - 1) / count * tile);
    }
}

TEST_CASE("few vertices are worth one device, many all; groups of a host's threads are taken as asked for") {
  const blockfw::Devices<Exec> devices(blockfw::is_host_space<Exec> ? 3 : 0);
  CHECK(devices.list_for(0).size() == (blockfw::is_host_space<Exec> ? 3 : 1));
  CHECK(devices.list_for(std::int64_t(6500) * 1000, 16, blockfw::Direction::undirected).size() ==
        devices.list().size());
  // Fewer bits and half the work take more vertices.
  for (std::int64_t n = 1000; n < 20000; n += 1000)
    for (const auto direction : {blockfw::Direction::directed, blockfw::Direction::undirected}) {
      CHECK(devices.list_for(n, 16, direction).size() <= devices.list_for(n, 32, direction).size());
      CHECK(devices.list_for(n, 32, direction).size() <= devices.list_for(n).size());
    }
}

TEST_CASE("a matrix on the host is solved in place, whatever its layout and its diagonal") {
  const int n = 3 * tile + 11;
  Random random(13);
  const Graph g = scattered(random, n, 5 * n, 1, 1000);
  const auto order = static_cast<std::size_t>(n);
  const Instances devices(3);
  const auto check = [&](const auto& d) {
    fill(d, g);
    for (int i = 0; i < n; i += 2) d(i, i) = i % 3 == 0 ? 5 : blockfw::infinity<std::int32_t>;
    blockfw::blocked_floyd_warshall(devices.list(), d);
    CHECK(difference(d, oracle::distances(g)) == "");
  };
  check(HostMatrix<std::int32_t>("d", order, order));
  if constexpr (!on_device) {  // (Kokkos copies between memory spaces only if layouts are equal)
    check(Kokkos::View<std::int32_t**, Kokkos::LayoutLeft, Kokkos::HostSpace>("left", order, order));
  }
}

TEST_CASE("pivots on a negative cycle do not double lengths") {
  // (Each would, which would overflow within a tile.)
  Random random(15);
  for (const int shares : {2, 3}) {
    const int n = 3 * tile + 2;
    Graph g = complete(random, n, 0);
    for (auto& e : g.edges) e.weight = -1000;
    const Instances devices(shares);
    blockfw::RowBlocks<std::int32_t> d(devices.list(), n);
    d.fill(edges_of<std::int32_t>(g));
    d.floyd_warshall();
    const auto all = on_host(d);
    int out_of_bounds = 0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) out_of_bounds += all(i, j) < -5000 || all(i, j) >= 0;
    CHECK(out_of_bounds == 0);
  }
}

TEST_CASE("edges are spread again where a narrower type has tiles, and so shares, of other rows") {
  using blockfw::RowBlocks;
  using Narrow = std::conditional_t<on_device, std::int16_t, std::int8_t>;
  const int n = on_device ? 3100 : 1100;
  Random random(19);
  for (const auto direction : {blockfw::Direction::directed, blockfw::Direction::undirected}) {
    const auto edges = edges_of<std::int32_t>(scattered(random, n, 10 * n, 1, 5));
    const auto expected = blockfw::solve(Exec(), n, edges, {.direction = direction, .method = blockfw::Method::sparse});
    const auto right = readable(expected);
    for (const int shares : {2, 3}) {
      CAPTURE(shares);
      const Instances devices(shares);
      REQUIRE(RowBlocks<std::int32_t, Exec>::rows_of_share(devices.list(), n) !=
              RowBlocks<Narrow, Exec>::rows_of_share(devices.list(), n));
      blockfw::SolveReport report;
      const auto d = on_host(blockfw::solve(devices.list(), n, edges, {.direction = direction, .report = &report}));
      CHECK(report.bits == 8 * int(sizeof(Narrow)));
      int wrong = 0;
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) wrong += d(i, j) != right(i, j);
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("undirected edges lead both ways") {
  const int n = 2 * tile + 3;
  Random random(14);
  Graph g = scattered(random, n, 2 * n, 1, 1000);
  const Instances devices(2);
  const auto d = blockfw::solve(devices.list(), n, edges_of<std::int32_t>(g),
                                blockfw::SolveOptions{.direction = blockfw::Direction::undirected});
  for (std::size_t e = 0, edges = g.edges.size(); e < edges; ++e)
    g.edges.push_back({g.edges[e].to, g.edges[e].from, g.edges[e].weight});
  CHECK(difference(on_host(d), oracle::distances(g)) == "");
}

TEST_CASE("progress is told from the calling thread, to the end") {
  const int n = 6 * tile;
  const Instances devices(2);
  const auto caller = std::this_thread::get_id();
  std::int64_t last = 0, calls = 0;
  blockfw::SolveOptions options;
  options.progress = [&](std::int64_t done, std::int64_t all) {
    CHECK(std::this_thread::get_id() == caller);
    CHECK(all == 6);
    CHECK(done > last);
    last = done;
    ++calls;
  };
  blockfw::solve(devices.list(), n, std::vector<blockfw::Edge<int>>{{0, 1, 1}}, options);
  CHECK(last == 6);
  CHECK(calls >= 2);
}

TEST_CASE("an error on one device ends all, and is thrown as it is; the matrix can be solved again") {
  const int n = 6 * tile;
  const Instances devices(3);
  blockfw::RowBlocks<std::int32_t, Exec> d(devices.list(), n);
  const auto range = d.fill(std::vector<blockfw::Edge<int>>{{0, 1, 1}, {1, 2, 1}});
  blockfw::SolveOptions options;
  options.progress = [](std::int64_t done, std::int64_t) {
    if (done >= 3) throw std::runtime_error("enough");
  };
  CHECK_THROWS_WITH_AS(d.solve(range, options), "enough", std::runtime_error);
  d.solve(range);
  CHECK(on_host(d)(0, 2) == 2);
}

TEST_CASE("bad input is refused as one device refuses it") {
  using blockfw::Edge;
  const Instances devices(2);
  const auto solve = [&](std::int64_t n, const std::vector<Edge<int>>& edges) {
    return blockfw::solve(devices.list(), n, edges);
  };
  CHECK_THROWS_WITH_AS(solve(-1, {}), "the number of vertices is -1, expected 0 or more", blockfw::InvalidInput);
  CHECK_THROWS_WITH_AS(solve(3, {{0, 1, 1}, {0, 3, 1}}), "edge 1: vertex 3 is out of range, expected 0 to 2",
                       blockfw::InvalidEdge);
  CHECK_THROWS_AS(solve(3, {{0, 1, blockfw::infinity<int>}}), blockfw::OverflowRisk);
  CHECK_THROWS_AS(solve(3, {{0, 1, -1}, {1, 0, 0}}), blockfw::NegativeCycle);
  CHECK_THROWS_AS(blockfw::solve(devices.list(), 2, std::vector<Edge<float>>{{0, 1, NAN}}), blockfw::InvalidEdge);
  CHECK_THROWS_AS(solve(5'000'000, {}), blockfw::OutOfMemory);
  CHECK_THROWS_WITH_AS(blockfw::solve(std::vector<Exec>{}, 3, std::vector<Edge<int>>{}),
                       "an empty list of devices, expected one or more", blockfw::InvalidInput);
  CHECK_THROWS_WITH_AS(blockfw::Devices<Exec>(-1), "-1 devices are requested, expected 1 or more, or 0 for all",
                       blockfw::InvalidInput);
  if constexpr (blockfw::is_host_space<Exec>)
    CHECK_THROWS_WITH_AS(blockfw::Devices<Exec>(1'000'000),
                         "1000000 groups of threads are requested, expected at most 512", blockfw::InvalidInput);
  const HostMatrix<int> oblong("oblong", 3, 4);
  CHECK_THROWS_WITH_AS(blockfw::blocked_floyd_warshall(devices.list(), oblong),
                       "the matrix 'oblong' is 3 x 4, expected 3 rows and columns", blockfw::InvalidInput);
}

TEST_CASE("a block-cyclic map gives each tile to one part, and keeps their order") {
  using blockfw::detail::BlockCyclicMap;
  for (const std::int64_t order : {0, 1, 7, 8, 9, 40, 61})
    for (const int parts : {1, 2, 3, 6})
      for (const int tiles_per_block : {0, 1, 2, 3}) {
        CAPTURE(order);
        CAPTURE(parts);
        CAPTURE(tiles_per_block);
        const BlockCyclicMap map(order, 8, parts, tiles_per_block);
        std::vector<int> owner(static_cast<std::size_t>(order), -1);
        for (int part = 0; part < parts; ++part) {
          std::int64_t held = 0;
          map.for_each_block(part, [&](std::int64_t first, std::int64_t local, std::int64_t count) {
            CHECK(local == held);
            held += count;
            for (std::int64_t i = 0; i < count; ++i) {
              CHECK(owner.at(static_cast<std::size_t>(first + i)) == -1);
              owner[static_cast<std::size_t>(first + i)] = part;
              const int tile_of = static_cast<int>((first + i) / 8);
              CHECK(map.owner(tile_of) == part);
              CHECK(map.local(tile_of) == (local + i) / 8);
            }
          });
          CHECK(map.rows(part) == held);
        }
        CHECK(std::count(owner.begin(), owner.end(), -1) == 0);
        int next = 0;
        for (const auto& group : blockfw::detail::groups_of(map, BlockCyclicMap(order, 8, 1), 5)) {
          CHECK(group.first == next);
          CHECK(group.count >= 1);
          CHECK(group.count <= 3);
          CHECK(map.owner(group.first) == map.owner(group.last()));
          next = group.last() + 1;
        }
        CHECK(next == map.tiles());
      }
}
