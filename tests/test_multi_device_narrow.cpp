// SPDX-License-Identifier: MIT
// The plan on several devices: fewer bits where no distance needs more, half the work for undirected edges, with the
// result of one instance.
#include "blockfw/paths_in_shares.hpp"
#include "blockfw/updates.hpp"
#include "shares.hpp"

#include <cmath>
#include <type_traits>
#include <utility>
#include <vector>

TEST_CASE_TEMPLATE("answers from where the rows are, wide and narrow", T, std::int32_t, std::int64_t, float) {
  const int n = on_device ? 3100 : 1100;
  Random random(17);
  Graph g = scattered(random, n, 8 * n, 1, 100);
  std::erase_if(g.edges, [](const auto& e) { return e.from == 7 || e.to == 9; });
  const auto edges = edges_of<T>(g);
  const auto one = blockfw::solve(Exec(), n, edges, {.method = blockfw::Method::dense});
  const auto expected = readable(one);
  for (const bool narrow : {false, true}) {
    const Instances devices(3);
    blockfw::SolveOptions options;
    options.narrow = narrow;
    const auto d = blockfw::solve(devices.list(), n, edges, options);
    CHECK(d.vertices() == n);
    CHECK(d.shares() == 3);
    CHECK(d.bits() == (narrow && std::is_integral_v<T> ? 16 : 8 * int(sizeof(T))));
    const std::vector<int> sources = {n - 1, 0, 7, n / 2, 0};
    const auto rows = d.distances_from(sources);
    int wrong = 0;
    for (std::size_t s = 0; s < sources.size(); ++s)
      for (int v = 0; v < n; ++v) wrong += rows(s, v) != expected(sources[s], v);
    CHECK(wrong == 0);
    const std::pair<int, int> pairs[] = {{0, 0}, {7, 8}, {8, 9}, {n - 1, 3}, {n / 2, n - 2}};
    for (const auto& pair : pairs) CHECK(d.distance(pair.first, pair.second) == expected(pair.first, pair.second));
    for (const auto towards : {blockfw::Towards::others, blockfw::Towards::itself}) {
      const auto found = d.reach(towards), right = blockfw::reach(Exec(), one, towards);
      REQUIRE(found.size() == right.size());
      int different = 0;
      for (std::size_t v = 0; v < found.size(); ++v)
        different += found[v].vertices != right[v].vertices || found[v].sum != right[v].sum ||
                     found[v].farthest != right[v].farthest || found[v].farthest_vertex != right[v].farthest_vertex;
      CHECK(different == 0);
    }
    const auto columns = d.distances_to(sources);
    wrong = 0;
    for (std::size_t s = 0; s < sources.size(); ++s)
      for (int v = 0; v < n; ++v) wrong += columns(s, v) != expected(v, sources[s]);
    CHECK(wrong == 0);
    CHECK_THROWS_AS(d.distances_to(std::vector<int>{n}), blockfw::InvalidInput);
    CHECK(!d.is_symmetric());
    const blockfw::Paths paths(Exec(), one, edges);
    const blockfw::PathsInShares in_shares(d, edges);
    for (const auto& pair : pairs)
      CHECK(in_shares.path(pair.first, pair.second) == paths.path(pair.first, pair.second));
    CHECK(in_shares.tree(n / 2) == paths.tree(n / 2));
    CHECK_THROWS_WITH_AS(d.distance(0, n), doctest::Contains(" is out of range, expected 0 to "),
                         blockfw::InvalidInput);
    CHECK_THROWS_AS(d.distances_from(std::vector<int>{-1}), blockfw::InvalidInput);
  }
  CHECK_THROWS_AS(blockfw::solve(Instances(2).list(), 0, std::vector<blockfw::Edge<T>>{}).distance(0, 0),
                  blockfw::InvalidInput);
}

TEST_CASE_TEMPLATE("whole rows of several devices come some at a time, and all together", T, std::int16_t, std::int64_t,
                   double) {
  for (const int n : {0, 1, 130, on_device ? 3100 : 1100}) {
    CAPTURE(n);
    Random random(29);
    const auto edges = edges_of<T>(scattered(random, n, 5 * n, 1, 5));
    for (const int shares : {1, 2, 3}) {
      const Instances devices(shares);
      const auto d = blockfw::solve(devices.list(), n, edges);
      const auto expected = on_host(d), all = d.gather();
      for (const std::size_t bytes : {std::size_t(1), std::size_t(10'000), std::size_t(1) << 30}) {
        std::int64_t next = 0, wrong = 0;
        d.for_whole_rows(
            [&](std::int64_t first, const auto& rows) {
              CHECK(first == next);
              next += rows.extent_int(0);
              if (bytes == 10'000)
                CHECK(rows.extent(0) <= std::max<std::size_t>(1, bytes / rows.extent(1) / sizeof(T)));
              for (int i = 0; i < rows.extent_int(0); ++i)
                for (int j = 0; j < n; ++j) wrong += rows(i, j) != expected(first + i, j);
            },
            bytes);
        CHECK(next == n);
        CHECK(wrong == 0);
      }
      int wrong = 0;
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) wrong += all(i, j) != expected(i, j);
      CHECK(all.extent_int(0) == n);
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("one device of a list does half the work of a symmetric matrix by itself, and others are not asked") {
  const int n = on_device ? 3100 : 1100;
  Random random(30);
  const auto edges = edges_of<float>(scattered(random, n, 5 * n, 1, 9));
  std::vector<blockfw::Edge<float>> both = edges;
  for (const auto& e : edges) both.push_back({e.to, e.from, e.weight});
  for (const bool symmetric : {false, true}) {
    blockfw::SolveReport report;
    blockfw::solve(Instances(1).list(), n, symmetric ? both : edges, {.report = &report});
    CHECK(report.half == symmetric);
  }
  const Instances two(2);
  const auto d = blockfw::solve(two.list(), 3, std::vector<blockfw::Edge<int>>{{0, 1, 1}});
  CHECK_THROWS_WITH_AS(d.gather(1), "the root is 1, expected 0 to 0", blockfw::InvalidInput);
}

TEST_CASE("elimination, which several devices do not have, is refused") {
  const Instances devices(2);
  const blockfw::SolveOptions sparse{.method = blockfw::Method::sparse};
  const std::vector<blockfw::Edge<int>> edges{{0, 1, 1}};
  const char* const says = "the option method is Method::sparse, expected automatic or dense on several devices";
  CHECK_THROWS_WITH_AS(blockfw::solve(devices.list(), 2, edges, sparse), says, blockfw::InvalidInput);
  CHECK_THROWS_WITH_AS(blockfw::solve(devices.list(), HostMatrix<int>("weights", 2, 2), sparse), says,
                       blockfw::InvalidInput);
  blockfw::RowBlocks<int, Exec> d(devices.list(), 2);
  CHECK_THROWS_WITH_AS(d.solve(d.fill(edges), sparse), says, blockfw::InvalidInput);
}

TEST_CASE_TEMPLATE("an edge more, wide and narrow", T, std::int32_t, std::int64_t, double) {
  const int n = on_device ? 3100 : 1100;
  Random random(23);
  Graph g = scattered(random, n, 5 * n, 1, 100);
  std::erase_if(g.edges, [](const auto& e) { return e.from == 7; });
  const auto edges = edges_of<T>(g);
  for (const bool narrow : {false, true}) {
    const auto one = blockfw::solve(Exec(), n, edges, {.method = blockfw::Method::dense});
    const Instances devices(3);
    blockfw::SolveOptions options;
    options.narrow = narrow;
    auto d = blockfw::solve(devices.list(), n, edges, options);
    const auto equal = [&] {
      const auto expected = readable(one), now = on_host(d);
      int wrong = 0;
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) wrong += now(i, j) != expected(i, j);
      return wrong == 0;
    };
    const blockfw::Edge<T> more[] = {{7, n - 1, 3}, {n - 2, 5, 0}, {3, 3, 9}};
    for (const auto& e : more) {
      blockfw::insert_edge(Exec(), one, e.from, e.to, e.weight);
      d.insert_edge(e.from, e.to, e.weight);
      CHECK(equal());
    }
    // Refused, and unchanged.
    CHECK_THROWS_AS(d.insert_edge(0, 1, T(-2000)), blockfw::NegativeCycle);
    CHECK_THROWS_AS(d.insert_edge(n, 1, 1), blockfw::InvalidInput);
    if (d.bits() == 16) {
      CHECK_THROWS_WITH_AS(d.insert_edge(0, 1, T(blockfw::infinity<std::int16_t>)),
                           "the weight 16383 does not fit the 16 bits that hold the distances; solve again",
                           blockfw::OverflowRisk);
      CHECK_THROWS_AS(d.insert_edge(0, 1, T(blockfw::infinity<std::int16_t> - 1)), blockfw::OverflowRisk);
    }
    CHECK(equal());
  }
}

TEST_CASE("integers are held in fewer bits where a bound of the edges shows that they fit") {
  const int n = on_device ? 3100 : 1100;
  Random random(16);
  const auto light = [&](int heaviest) { return scattered(random, n, 20 * n, 1, heaviest); };
  blockfw::SolveReport report;
  const auto bits = [&]<class T>(T, int shares, const Graph& g, bool narrow = true) {
    CAPTURE(shares);
    blockfw::SolveOptions options;
    options.narrow = narrow;
    CHECK(different<T>(shares, n, edges_of<T>(g), options, &report) == 0);
    return report.bits;
  };
  CHECK(bits(std::int32_t(), 2, light(100)) == 16);
  CHECK(bits(std::int64_t(), 3, light(100)) == 16);
  CHECK(bits(std::int32_t(), 2, light(100), false) == 32);
  for (const int shares : {1, 2, 3}) CHECK(bits(std::int64_t(), shares, light(40'000)) == 32);
  CHECK(bits(std::int32_t(), 2, light(40'000)) == 32);
  CHECK(bits(std::int16_t(), 2, scattered(random, n, 20 * n, 1, 5)) == 16);
  Graph g = light(100);
  std::erase_if(g.edges,
                [](const auto& e) { return e.from == 7 || e.to == 9; });  // one reaches none, one is not reached
  CHECK(bits(std::int32_t(), 3, g) == 16);
  g.edges.push_back({3, 4, 30'000});  // heavier than 16 bits hold, and on no shortest path
  CHECK(bits(std::int32_t(), 2, g) == 16);
  CHECK(bits(std::int64_t(), 1, g) == 16);
  // Weights that the narrow type holds, but as infinity or more.
  auto short_edges = edges_of<std::int16_t>(light(20));
  short_edges.push_back({3, 4, 20'000});
  CHECK(different<std::int32_t>(2, n, short_edges, {}, &report) == 0);
  CHECK(report.bits == (on_device ? 16 : 8));
  auto int_edges = edges_of<std::int32_t>(light(40'000));
  int_edges.push_back({3, 4, 1'500'000'000});
  CHECK(different<std::int64_t>(2, n, int_edges, {}, &report) == 0);
  CHECK(report.bits == 32);
  g.edges.push_back({5, 6, -1});
  CHECK(bits(std::int32_t(), 2, g) == 32);
  Graph chain{n, {}};
  for (int v = 0; v + 1 < n; ++v) chain.edges.push_back({v, v + 1, 16382 / (n - 1)});
  CHECK(bits(std::int32_t(), 2, chain) == 16);
  chain.edges[1].weight = 16383;
  CHECK(bits(std::int32_t(), 2, chain) == 32);
}

template <class AnyDevices>
concept Solves = requires(std::vector<blockfw::Edge<int>> edges) { blockfw::solve(AnyDevices(), 1, edges); };
template <class AnyDevices>
concept SolvesWithOptions = requires(std::vector<blockfw::Edge<int>> edges) {
  blockfw::solve(AnyDevices(), 1, edges, {.direction = blockfw::Direction::undirected});
};
static_assert(Solves<std::vector<Exec>> && SolvesWithOptions<std::vector<Exec>>);
#ifndef __CUDACC__  // (nvcc takes the deleted overload for one that a requirement may call)
static_assert(!Solves<blockfw::Devices<Exec>> && !SolvesWithOptions<blockfw::Devices<Exec>>,
              "the result would outlive its instances");
#endif

TEST_CASE("of Devices as many are taken as pay off in the bits of the solve, or all") {
  const blockfw::Devices<Exec> devices(on_device ? 0 : 2);
  const int n = on_device ? 7000 : 1100;  // (Of two devices one is enough in 16 bits, both pay in 32.)
  Random random(23);
  const auto edges = edges_of<std::int32_t>(scattered(random, n, 6 * n, 1, 400));
  for (const bool narrow : {false, true}) {
    CAPTURE(narrow);
    blockfw::SolveReport report;
    blockfw::SolveOptions options{.report = &report};
    options.narrow = narrow;
    const auto d = blockfw::solve(devices, n, edges, options);
    CHECK((report.bits == 32) == !narrow);
    CHECK(d.shares() == static_cast<int>(devices.list_for(n, report.bits).size()));
    const auto whole = blockfw::solve(devices.list(), n, edges, options);
    CHECK(whole.shares() == static_cast<int>(devices.list().size()));
    options.fewer_devices = false;
    CHECK(blockfw::solve(devices, n, edges, options).shares() == whole.shares());
    const std::vector<int> sources{0, n / 2, n - 1};
    const auto rows = d.distances_from(sources), expected = whole.distances_from(sources);
    int wrong = 0;
    for (std::size_t i = 0; i < sources.size(); ++i)
      for (int j = 0; j < n; ++j) wrong += rows(i, j) != expected(i, j);
    CHECK(wrong == 0);
  }
}

TEST_CASE("solve() takes half the work for undirected edges, in any width, and says so") {
  for (const int shares : {1, 2, 3}) {
    const int n = (on_device ? 3000 : 1024) * shares + 5;
    Random random(19);
    const auto edges = edges_of<std::int32_t>(scattered(random, n, 6 * n, 1, 500));
    CAPTURE(shares);
    for (const bool narrow : {false, true})
      for (const auto direction : {blockfw::Direction::directed, blockfw::Direction::undirected}) {
        blockfw::SolveReport report;
        blockfw::SolveOptions options{.direction = direction};
        options.narrow = narrow;
        CHECK(different<std::int32_t>(shares, n, edges, options, &report) == 0);
        CHECK(report.half == (direction == blockfw::Direction::undirected));
        if (shares == 2 && narrow) {
          const Instances devices(shares);
          auto d = blockfw::solve(devices.list(), n, edges, options);
          CHECK(d.is_symmetric() == (direction == blockfw::Direction::undirected));
          if (direction == blockfw::Direction::undirected) {  // but for one of the last pair
            d.insert_edge(n - 1, n - 2, 0);
            CHECK((!d.is_symmetric() || d.distance(n - 2, n - 1) == 0));
          }
        }
        CHECK((report.bits == 32) == !narrow);
        CHECK(report.relaxes == doctest::Approx((report.half ? 0.5 : 1.0) * n * n * n));
      }
  }
  const int n = (on_device ? 6000 : 2048) - 1;  // too few vertices for two shares
  blockfw::SolveReport report;
  blockfw::SolveOptions options{.direction = blockfw::Direction::undirected, .report = &report};
  const Instances devices(2);
  blockfw::solve(devices.list(), n, std::vector<blockfw::Edge<int>>{{0, 1, 1}}, options);
  CHECK(!report.half);
}

TEST_CASE("an undirected graph with a negative edge is refused for its cycle; a semiring that is not commutative") {
  const int n = on_device ? 6000 : 2048;
  const Instances devices(2);
  blockfw::SolveOptions options{.direction = blockfw::Direction::undirected};
  CHECK_THROWS_AS(
      blockfw::solve(devices.list(), n, std::vector<blockfw::Edge<int>>{{0, 1, 1}, {5, n - 1, -1}}, options),
      blockfw::NegativeCycle);
  CHECK_THROWS_AS(
      blockfw::solve<blockfw::MaxPlus<int>>(devices.list(), n, std::vector<blockfw::Edge<int>>{{0, 1, 1}}, options),
      blockfw::DivergentCycle);
}

TEST_CASE("a matrix of weights is solved as one instance does: in fewer bits, both ways, over any semiring") {
  const int n = (on_device ? 6000 : 2048) + 5;
  Random random(29);
  const HostMatrix<int> w("w", static_cast<std::size_t>(n), static_cast<std::size_t>(n));
  Kokkos::deep_copy(w, blockfw::infinity<int> + 5);  // no edge
  for (const auto& e : scattered(random, n, 8 * n, 1, 1000).edges) w(e.from, e.to) = static_cast<int>(e.weight);
  w(3, 3) = 17;
  const Instances devices(2);
  const auto check = [&]<class Over>(std::type_identity<Over>, blockfw::Direction direction, int bits) {
    blockfw::SolveReport report;
    blockfw::SolveOptions options{.direction = direction, .report = &report};
    const auto d = on_host(blockfw::solve<Over>(devices.list(), w, options));
    CHECK(report.bits == bits);
    CHECK(report.half == (direction == blockfw::Direction::undirected));
    options.report = nullptr;
    const auto expected =
        readable(blockfw::solve<Over>(Exec(), Kokkos::create_mirror_view_and_copy(Exec::memory_space(), w), options));
    int wrong = 0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) wrong += d(i, j) != expected(i, j);
    CHECK(wrong == 0);
  };
  check(std::type_identity<int>(), blockfw::Direction::directed, 16);
  check(std::type_identity<int>(), blockfw::Direction::undirected, 16);
  check(std::type_identity<blockfw::MinMax<int>>(), blockfw::Direction::undirected, 32);
  w(1, 2) = 20'000, w(2, 1) = blockfw::infinity<int>;
  for (int v = 0; v < n; ++v)
    if (v != 1) w(v, 2) = blockfw::infinity<int>;  // the only way to 2 is too long for 16 bits
  check(std::type_identity<int>(), blockfw::Direction::directed, 32);
  const HostMatrix<float> nan("nan", 3, 3);
  nan(1, 2) = NAN;
  CHECK_THROWS_WITH_AS(blockfw::solve(devices.list(), nan),
                       "the matrix 'nan' holds NaN at (1, 2), expected a number or infinity", blockfw::InvalidInput);
  CHECK_THROWS_AS(blockfw::solve(devices.list(), HostMatrix<int>("oblong", 3, 4)), blockfw::InvalidInput);
}
