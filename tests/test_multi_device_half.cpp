// SPDX-License-Identifier: MIT
// Half the work for an undirected graph on several devices: of a tile and its mirror image one is updated. The default
// tiles are small, so that small graphs take many rounds.
#include "graphs.hpp"
#include "small_tiles.hpp"

#include "shares.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

namespace {

using blockfw::Direction;

/// The distances of a mirrored graph by several shares that do half the work.
template <class S, class T = typename S::value_type>
HostMatrix<T> half_the_work(int shares, int n, const std::vector<blockfw::Edge<T>>& edges, bool negative = true) {
  const Instances devices(shares);
  blockfw::RowBlocks<S, Exec> d(devices.list(), n);
  d.fill(edges);
  d.floyd_warshall({Direction::undirected}, negative);
  return on_host(d);
}

/// The same with `rounds` rounds in a group, of which a device has several, and a host one.
template <class S, class T = typename S::value_type>
HostMatrix<T> half_in_groups(int shares, int rounds, const HostMatrix<T>& weights, bool negative) {
  using Phase = blockfw::Phases<blockfw::default_tile<Exec, T>, Exec, S>;
  using Links = blockfw::detail::PeerLinks<Exec>;
  using Numbers = blockfw::detail::OperationsOf<Phase, Exec>;
  const int n = weights.extent_int(0), kept = 2 * rounds;
  const HostMatrix<T> all("all", weights.extent(0), weights.extent(1));
  Kokkos::deep_copy(all, weights);
  const Instances devices(shares);
  const blockfw::detail::BlockCyclicMap map(n, Phase::block, shares), whole(n, Phase::block, 1);
  const auto groups = blockfw::detail::groups_of(map, whole, kept);
  CHECK(groups[0].count == std::min(rounds, map.left_in_block(0)));
  const auto exec = [&](int s) { return devices.list()[static_cast<std::size_t>(s)]; };
  const auto height = [&](int s) { return static_cast<int>(map.rows(s)); };
  const auto block = [&](int s) {
    int first = 0;
    for (int before = 0; before < s; ++before) first += height(before);
    return Numbers::block(typename Phase::Ref(Kokkos::subview(all, std::pair(first, first + height(s)), Kokkos::ALL)));
  };
  Links links(
      map, groups, devices.list(),
      [&](int s) {
        return std::make_unique<Numbers>(
            exec(s), blockfw::GroupStorageOptions{
                         .order = n, .height = height(s), .width = n, .rounds = kept, .negative = negative});
      },
      [&](int s, const auto& numbers) {
        return std::make_unique<typename Links::Mirror>(exec(s), numbers, block(s), map, s, rounds * Phase::block);
      });
  blockfw::detail::in_threads(shares, [&](int s) {
    links.guard([&] {
      blockfw::detail::PeerLink link(links, s);
      blockfw::detail::ShareSolver<Exec, decltype(link)>(exec(s), links.ahead(s), links.numbers(s), block(s), map,
                                                         whole, s, 0, groups, link, links.mirror(s))
          .solve([](int) {});
    });
    exec(s).fence();
  });
  links.rethrow();
  return all;
}

}  // namespace

TEST_CASE_TEMPLATE("half the work on several devices: every type, any order, any number of shares", T, ALL_TYPES) {
  constexpr int tile = blockfw::default_tile<Exec, T>::block;
  for (const int n : {0, 1, tile - 1, tile, tile + 1, 2 * tile, 3 * tile + 1, 4 * tile + 7, 7 * tile - 3})
    for (std::size_t family = 0; family < 6; ++family) {
      Random random(static_cast<unsigned>(n));
      const Graph g = n > 0 ? oracle::mirrored(families[family].make(random, n)) : Graph{};
      const auto expected = oracle::distances(g);
      const std::string name = families[family].name;
      CAPTURE(name);
      CAPTURE(n);
      for (const int shares : {2, 3, 4, 5}) {
        CAPTURE(shares);
        const bool negative = shares % 2 == 0;
        CHECK(difference(half_the_work<blockfw::MinPlus<T>>(shares, n, edges_of<T>(g), negative), expected) == "");
      }
    }
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

TEST_CASE_TEMPLATE("the other semirings", S, blockfw::MaxMin<std::int32_t>, blockfw::MinMax<float>,
                   blockfw::MaxTimes<double>) {
  using T = typename S::value_type;
  const int n = 6 * blockfw::default_tile<Exec, T>::block + 3;
  Random random(15);
  const auto edges = edges_over<S>(oracle::mirrored(scattered(random, n, 4 * n, 1, 1000)));
  const auto expected = by_one_instance<S>(n, edges, {});
  for (const int shares : {2, 3, 4}) {
    const auto d = half_the_work<S>(shares, n, edges);
    int wrong = 0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) wrong += d(i, j) != expected(i, j);
    CHECK(wrong == 0);
  }
}

TEST_CASE("a cycle that diverges shows on the diagonal, wherever its vertices are") {
  constexpr int tile = blockfw::default_tile<Exec, std::int32_t>::block;
  const int n = 6 * tile + 3;
  Random random(18);
  for (const int shares : {2, 3})
    for (const int other : {1, tile + 2, 3 * tile, n - 1}) {
      Graph g = oracle::mirrored(scattered(random, n, 3 * n, 1, 1000));
      g.edges.push_back({0, other, -1});
      g.edges.push_back({other, 0, -1});
      const auto d = half_the_work<blockfw::MinPlus<std::int32_t>>(shares, n, edges_of<std::int32_t>(g));
      int cycles = 0;
      for (int v = 0; v < n; ++v) cycles += d(v, v) < 0;
      CHECK(cycles > 0);
    }
}

TEST_CASE("an error on one device ends all; the matrix can be solved again") {
  const int n = 6 * blockfw::default_tile<Exec, std::int32_t>::block;
  const Instances devices(3);
  blockfw::RowBlocks<std::int32_t, Exec> d(devices.list(), n);
  d.fill(std::vector<blockfw::Edge<int>>{{0, 1, 1}, {1, n - 1, 1}}, {.direction = Direction::undirected});
  const auto enough = [](std::int64_t done, std::int64_t) {
    if (done >= 3) throw std::runtime_error("enough");
  };
  CHECK_THROWS_WITH_AS(d.floyd_warshall({Direction::undirected, enough}, false), "enough", std::runtime_error);
  d.floyd_warshall({}, false);
  CHECK(on_host(d)(n - 1, 0) == 2);
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
