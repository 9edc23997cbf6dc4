// SPDX-License-Identifier: MIT
// Tests of several devices alone: their lists, the rows of each device, errors that end the rounds of all devices, and
// links for groups of several tiles. The default tiles are small, so that small graphs take many rounds.
// (test_places.cpp, test_shares.cpp and test_solved.cpp test ranks and devices alike.)
#include "places.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

namespace {

using blockfw::Direction;
using blockfw::Edge;
constexpr int default_block = blockfw::default_tile<Exec, std::int32_t>::block;

/// The distances of a mirrored graph by half the work, with `rounds` rounds in a group. (A device has several, a host
/// one.)
template <class S, class T = typename S::value_type>
HostMatrix<T> half_in_groups(int shares, int rounds, const HostMatrix<T>& weights, bool negative) {
  using Phase = blockfw::Phases<blockfw::default_tile<Exec, T>, Exec, S>;
  using Numbers = blockfw::detail::OperationsOf<Phase, Exec>;
  const int n = weights.extent_int(0), kept = 2 * rounds;
  const HostMatrix<T> all("all", weights.extent(0), weights.extent(1));
  Kokkos::deep_copy(all, weights);
  const Instances devices(shares);
  const blockfw::detail::BlockCyclicMap map(n, Phase::block, shares), whole(n, Phase::block, 1);
  const blockfw::detail::ShareLayout layout{n, map, whole, kept};
  const auto groups = layout.groups();
  CHECK(groups[0].count == std::min(rounds, map.left_in_block(0)));
  const auto exec = [&](int s) { return devices.list()[static_cast<std::size_t>(s)]; };
  const auto height = [&](int s) { return static_cast<int>(map.rows(s)); };
  const auto block = [&](int s) {
    int first = 0;
    for (int before = 0; before < s; ++before) first += height(before);
    return blockfw::detail::block_of(
        typename Phase::Ref(Kokkos::subview(all, std::pair(first, first + height(s)), Kokkos::ALL)));
  };
  const blockfw::detail::ShareRounds<Exec> work{
      groups, true,
      [&](int s) {
        return std::make_unique<Numbers>(
            exec(s), blockfw::GroupStorageOptions{
                         .order = n, .height = height(s), .width = n, .rounds = kept, .negative = negative});
      },
      block, [](const Exec&, int) {}};
  blockfw::detail::PeerLinks<Exec>(layout, devices.list(), work).solve();
  return all;
}

}  // namespace

TEST_CASE("each row is on one device, about as many on each") {
  for (const int n : {1, default_block, 5 * default_block + 1, 12 * default_block})
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
      CHECK(most <= ((n + default_block - 1) / default_block + count - 1) / count * default_block);
    }
}

TEST_CASE("few vertices are worth one device, many all; groups of a host's threads are taken as asked for") {
  const blockfw::Devices<Exec> devices(blockfw::is_host_space<Exec> ? 3 : 0);
  CHECK(devices.list_for(0).size() == (blockfw::is_host_space<Exec> ? 3 : 1));
  CHECK(devices.list_for(std::int64_t(6500) * 1000, 16, Direction::undirected).size() == devices.list().size());
  // With fewer bits or half the work, several devices pay off only for more vertices.
  for (std::int64_t n = 1000; n < 20000; n += 1000)
    for (const auto direction : {Direction::directed, Direction::undirected}) {
      CHECK(devices.list_for(n, 16, direction).size() <= devices.list_for(n, 32, direction).size());
      CHECK(devices.list_for(n, 32, direction).size() <= devices.list_for(n).size());
    }
}

template <class AnyDevices>
concept Solves = requires(std::vector<Edge<int>> edges) { blockfw::solve(AnyDevices(), 1, edges); };
template <class AnyDevices>
concept SolvesWithOptions = requires(std::vector<Edge<int>> edges) {
  blockfw::solve(AnyDevices(), 1, edges, {.direction = Direction::undirected});
};
static_assert(Solves<std::vector<Exec>> && SolvesWithOptions<std::vector<Exec>>);
#ifndef __CUDACC__  // (nvcc takes the deleted overload for one that a requirement may call)
static_assert(!Solves<blockfw::Devices<Exec>> && !SolvesWithOptions<blockfw::Devices<Exec>>,
              "the result would outlive its instances");
#endif

TEST_CASE("of Devices as many are taken as pay off in the bits of the solve, or all") {
  const blockfw::Devices<Exec> devices(on_device ? 0 : 2);
  const int n = on_device ? 7000 : 200;  // (In 16 bits one of the two devices is faster. In 32 bits both are.)
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
    CHECK(wrong_entries(on_host(d), on_host(whole)) == 0);
  }
}

TEST_CASE("a matrix on the host is solved in place, whatever its layout and its diagonal") {
  const int n = 3 * default_block + 11;
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

TEST_CASE("an error on one device ends all, and is thrown as it is; the matrix can be solved again") {
  const int n = 6 * default_block;
  const Instances devices(3);
  blockfw::RowBlocks<std::int32_t, Exec> d(devices.list(), n);
  const std::vector<Edge<int>> edges{{0, 1, 1}, {1, n - 1, 1}};
  const auto enough = [](std::int64_t done, std::int64_t) {
    if (done >= 3) throw std::runtime_error("enough");
  };
  const auto range = d.fill(edges);
  CHECK_THROWS_WITH_AS(d.solve(range, {.progress = enough}), "enough", std::runtime_error);
  d.solve(range);
  CHECK(on_host(d)(0, n - 1) == 2);
  d.fill(edges, {.direction = Direction::undirected});
  CHECK_THROWS_WITH_AS(d.floyd_warshall({Direction::undirected, enough}, false), "enough", std::runtime_error);
  d.floyd_warshall({}, false);
  CHECK(on_host(d)(n - 1, 0) == 2);
}

TEST_CASE("lists of devices, and matrices, that are refused") {
  CHECK_THROWS_WITH_AS(blockfw::solve(std::vector<Exec>{}, 3, std::vector<Edge<int>>{}),
                       "an empty list of devices, expected one or more", blockfw::InvalidInput);
  CHECK_THROWS_WITH_AS(blockfw::Devices<Exec>(-1), "-1 devices are requested, expected 1 or more, or 0 for all",
                       blockfw::InvalidInput);
  if constexpr (blockfw::is_host_space<Exec>)
    CHECK_THROWS_WITH_AS(blockfw::Devices<Exec>(1'000'000),
                         "1000000 groups of threads are requested, expected at most 512", blockfw::InvalidInput);
  const HostMatrix<int> oblong("oblong", 3, 4);
  CHECK_THROWS_WITH_AS(blockfw::blocked_floyd_warshall(Instances(2).list(), oblong),
                       "the matrix 'oblong' is 3 x 4, expected 3 rows and columns", blockfw::InvalidInput);
}

TEST_CASE_TEMPLATE("half the work in groups of several tiles", T, ALL_TYPES) {
  if constexpr (!on_device) {
    using S = blockfw::MinPlus<T>;
    constexpr int tile = blockfw::default_tile<Exec, T>::block;
    Random random(21);
    for (const int n : {4 * tile, 9 * tile + 1, 14 * tile - tile / 2}) {
      CAPTURE(n);
      const Graph g = oracle::mirrored(scattered(random, n, 3 * n, 1, 100));
      const auto expected = oracle::distances(g);
      const HostMatrix<T> weights("weights", static_cast<std::size_t>(n), static_cast<std::size_t>(n));
      Kokkos::deep_copy(weights, S::zero());
      for (int i = 0; i < n; ++i) weights(i, i) = S::one();
      for (const auto& e : edges_of<T>(g)) weights(e.from, e.to) = S::relax(weights(e.from, e.to), e.weight, S::one());
      for (const int shares : {2, 3})
        for (const int rounds : {1, 2, 3, 5}) {
          CAPTURE(shares);
          CAPTURE(rounds);
          CHECK(difference(half_in_groups<S>(shares, rounds, weights, rounds % 2 == 0), expected) == "");
        }
    }
  }
}

TEST_CASE("half of the tiles: of a tile and its mirror image one, and as many in each row") {
  using blockfw::IndexRange;
  constexpr int block = 8;
  for (const int tiles : {1, 2, 3, 4, 7, 8, 13}) {
    const blockfw::detail::HalfTiles whole{block, tiles, 0};
    const auto at = [](int tile) { return IndexRange{tile * block, block}; };
    CHECK(blockfw::detail::HalfTiles()(at(tiles - 1), at(0)));
    for (int i = 0; i < tiles; ++i) {
      int in_row = 0;
      for (int j = 0; j < tiles; ++j) {
        CHECK((whole(at(i), at(j)) || whole(at(j), at(i))));
        in_row += whole(at(i), at(j));
        for (int first = 0; first <= i; ++first)
          CHECK(blockfw::detail::HalfTiles{block, tiles, first}(at(i - first), at(j)) == whole(at(i), at(j)));
        // Several tiles count if one of them does.
        for (int height = 1; i + height <= tiles; ++height)
          for (int width = 1; j + width <= tiles; ++width) {
            bool any = false;
            for (int a = i; a < i + height; ++a)
              for (int b = j; b < j + width; ++b) any = any || whole(at(a), at(b));
            CHECK(whole({i * block, height * block - 3}, {j * block, width * block - 5}) == any);
          }
      }
      CHECK(in_row == tiles / 2 + 1);
    }
  }
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
        const blockfw::detail::ShareLayout layout{order, map, BlockCyclicMap(order, 8, 1), 5};
        for (const auto& group : layout.groups()) {
          CHECK(group.first == next);
          CHECK(group.count >= 1);
          CHECK(group.count <= 3);
          CHECK(map.owner(group.first) == map.owner(group.last()));
          next = group.last() + 1;
        }
        CHECK(next == map.tiles());
      }
}
