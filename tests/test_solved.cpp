// SPDX-License-Identifier: MIT
// Solved distances in shares, with the thresholds and tiles that users have: fewer bits only where no distance needs
// more. Their answers, reports and errors are those of one instance. (test_places.cpp tests more answers.)
//
// Compiled twice: for devices, and (BLOCKFW_PLACE_OF_RANKS) for the ranks of MPI that mpiexec starts.
#include "shares.hpp"

#include "blockfw/paths.hpp"
#include "blockfw/updates.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using blockfw::Direction;
using blockfw::Edge;
using blockfw::SolveOptions;
using blockfw::SolveReport;

/// The order from which on numbers may be narrower.
constexpr int least = static_cast<int>(blockfw::detail::narrow_from<Exec>);
constexpr int order = least + 77;
// (16 bits are the fewest on a device.)
constexpr int fewest = on_device ? 16 : 8;

SolveOptions options_of(Direction direction, bool narrow = true) {
  SolveOptions options;
  options.direction = direction;
  options.narrow = narrow;
  return options;
}

/// \brief Solves in some places, and compares each entry with the entry of one instance.
/// \return the bits that were held, the same in all places and on all ranks
template <class Over, class T>
int bits(int n, const std::vector<Edge<T>>& edges, SolveOptions options = {},
         const std::vector<Place>& where = {usual_place()}) {
  const auto expected = by_one<Over>(n, edges, options);
  int held = 0;
  for (const Place& place : where) {
    SolveReport report;
    options.report = &report;
    const auto d = place.solve<Over>(options, n, mine(edges));
    CHECK(wrong_entries(on_host(d), expected) == 0);
    CHECK(report.bits == d.bits());
    CHECK(sum_of_ranks(d.bits()) == ranks() * d.bits());
    CHECK((held == 0 || held == d.bits()));
    held = d.bits();
  }
  return held;
}
template <class T>
int bits(const Graph& graph, const SolveOptions& options = {}, const std::vector<Place>& where = {usual_place()}) {
  return bits<T>(graph.n, edges_of<T>(graph), options, where);
}

/// A graph without edges from vertex 7, and without edges to vertex 9.
Graph with_ends(Random& random, int edges) {
  Graph graph = scattered(random, order, edges, 1, 100);
  std::erase_if(graph.edges, [](const auto& e) { return e.from == 7 || e.to == 9; });
  return graph;
}

/// All distances, as whole rows and on the last rank.
template <class Solved, class T>
void check_rows(const Solved& d, const HostMatrix<T>& expected) {
  check_whole_rows(d, expected, {10'000, std::size_t(1) << 30});
  const auto all = d.gather(ranks() - 1);
  if (rank() == ranks() - 1)
    CHECK(wrong_entries(all, expected) == 0);
  else
    CHECK(all.size() == 0);
}

}  // namespace

TEST_CASE("integers are held in fewer bits from an order on, where a bound of the edges shows that they fit") {
  Random random(31);
  const auto light = [&](int n, int heaviest) { return scattered(random, n, 12 * n, 1, heaviest); };
  for (const int n : {least - 1, least, least + 1, least + 62})
    CHECK(bits<std::int32_t>(light(n, 100)) == (n < least ? 32 : 16));
  CHECK(bits<std::int64_t>(light(least - 1, 100)) == 64);
  CHECK(bits<std::int64_t>(light(order, 100), {}, places()) == 16);
  CHECK(bits<std::int64_t>(light(order, 40'000), {}, places()) == 32);
  CHECK(bits<std::int32_t>(light(order, 40'000)) == 32);
  CHECK(bits<std::int32_t>(light(order, 100), options_of(Direction::directed, false)) == 32);
  CHECK(bits<std::int16_t>(light(order, 5)) == 16);
  CHECK(bits<std::int32_t>(Graph{order, {}}) == fewest);
}

TEST_CASE("a bound by paths through one vertex that just fits, and just does not") {
  constexpr std::int64_t in_int = blockfw::infinity<std::int32_t>;
  // The sum of all edges is too long for 16 bits. Vertex 0 is in the middle, and two vertices are the farthest from it.
  const auto star = [](std::int64_t longest) {
    Graph graph{order, {}};
    for (int v = 1; v < order; ++v) graph.edges.push_back({0, v, 8000});
    graph.edges[5].weight = graph.edges[500].weight = longest;
    return graph;
  };
  const auto undirected = options_of(Direction::undirected);
  CHECK(bits<std::int32_t>(star(8191), undirected) == 16);
  CHECK(bits<std::int32_t>(star(8192), undirected) == 32);
  CHECK(bits<std::int64_t>(star(8192), undirected) == 32);
  CHECK(bits<std::int32_t>(star(8191)) == 32);  // no path leads back
  CHECK(bits<std::int64_t>(star(in_int / 2), undirected) == 32);
  CHECK(bits<std::int64_t>(star(in_int / 2 + 1), undirected) == 64);
}

TEST_CASE("fewer bits: graphs of several parts, and vertices alone") {
  Random random(32);
  Graph graph{order, {}};
  for (int e = 0; e < 12 * order; ++e) {
    const int part = uniform(random, 0, 2), from = uniform(random, 0, order / 3 - 1),
              to = uniform(random, 0, order / 3 - 1);
    // (A path through all vertices of a part fits 16 bits, even if all its edges have the greatest weight.)
    graph.edges.push_back({part * (order / 3) + from, part * (order / 3) + to, uniform(random, 1, 7)});
  }
  std::erase_if(graph.edges, [](const auto& e) { return e.from == 7 || e.to == 9; });
  for (const auto direction : {Direction::directed, Direction::undirected}) {
    CHECK(bits<std::int32_t>(graph, options_of(direction)) == 16);
    CHECK(bits<std::int64_t>(graph, options_of(direction)) == 16);
  }
  for (auto& edge : graph.edges) edge.weight *= 1000;
  CHECK(bits<std::int64_t>(graph, options_of(Direction::undirected)) == 32);
}

TEST_CASE("fewer bits: weights beyond the narrower type, self loops, and negative weights") {
  Random random(33);
  auto edges = edges_of<std::int32_t>(with_ends(random, 20 * order));
  edges.push_back({3, 4, 30'000});                                                   // heavier than 16 bits hold
  const Edge<std::int32_t> loop = {5, 5, std::numeric_limits<std::int32_t>::max()};  // this loop does not count
  edges.push_back(loop);
  CHECK(bits<std::int32_t>(order, edges, {}, places()) == 16);
  CHECK(bits<std::int64_t>(order, edges) == 16);
  edges.push_back({6, 7, -1});
  CHECK(bits<std::int32_t>(order, edges) == 32);
  CHECK(bits<std::int64_t>(order, edges) == 64);
  auto heavy = edges_of<std::int32_t>(scattered(random, order, 12 * order, 1, 40'000));
  heavy.push_back(loop);  // (A sum with it would overflow, and make the bound too small.)
  CHECK(bits<std::int32_t>(order, heavy) == 32);
  // Weights that are infinity or more in the narrow type.
  heavy.back() = {3, 4, 1'500'000'000};
  CHECK(bits<std::int64_t>(order, heavy) == 32);
  auto short_edges = edges_of<std::int16_t>(scattered(random, order, 20 * order, 1, 20));
  short_edges.push_back({3, 4, 20'000});
  CHECK(bits<std::int32_t>(order, short_edges) == fewest);
}

TEST_CASE_TEMPLATE("paths, whole rows and vertices that there are not, wide and narrow", T, std::int32_t, std::int64_t,
                   float) {
  Random random(36);
  const auto edges = edges_of<T>(with_ends(random, 8 * order));
  const auto expected = by_one<T>(order, edges);
  const auto reachable = Kokkos::create_mirror_view_and_copy(Exec::memory_space(), expected);
  const blockfw::Paths paths(Exec(), reachable, edges);
  for (const bool narrow : {false, true})
    for (const Place& place : narrow ? places() : std::vector<Place>{usual_place()}) {
      const std::string name = place.name();
      CAPTURE(name);
      CAPTURE(narrow);
      const auto d = place.solve(options_of(Direction::directed, narrow), order, mine(edges));
      CHECK(d.bits() == (narrow && std::is_integral_v<T> ? 16 : 8 * int(sizeof(T))));
      const blockfw::PathsInShares in_shares(d, edges);
      using InShares = std::decay_t<decltype(in_shares)>;
      using Distances = std::decay_t<decltype(d)>;
      using Edges = std::decay_t<decltype(edges)>;
      static_assert(std::is_constructible_v<InShares, const Distances&, const Edges&>);
      static_assert(!std::is_constructible_v<InShares, Distances, const Edges&>);
      static_assert(!std::is_constructible_v<InShares, const Distances, const Edges&>);
      static_assert(!std::is_constructible_v<InShares, const Distances&, Edges>);
      static_assert(!std::is_constructible_v<InShares, const Distances&, const Edges>);
      static_assert(!std::is_constructible_v<InShares, Distances, Edges>);
      const std::pair<int, int> pairs[] = {{0, 0}, {7, 8}, {8, 9}, {order - 1, 3}, {order / 2, order - 2}};
      for (const auto& pair : pairs)
        CHECK(in_shares.path(pair.first, pair.second) == paths.path(pair.first, pair.second));
      CHECK(in_shares.tree(order / 2) == paths.tree(order / 2));
      check_rows(d, expected);

      CHECK(d.distances_from(std::vector<int>{}).extent(0) == 0);
      const auto text =
          "vertex " + std::to_string(order) + " is out of range, expected 0 to " + std::to_string(order - 1);
      const auto refused = [&](const auto& f) { CHECK_THROWS_WITH_AS(f(), text.c_str(), blockfw::InvalidInput); };
      refused([&] { d.distance(0, rank() == ranks() - 1 ? order : 1); });
      refused([&] { d.distances_from(std::vector<int>{1, order}); });
      refused([&] { d.distances_to(std::vector<int>{order}); });
      CHECK_THROWS_AS(d.distances_from(std::vector<int>{-1}), blockfw::InvalidInput);
      for (const int root : {-1, ranks()})
        CHECK_THROWS_WITH_AS(
            d.gather(root),
            ("the root is " + std::to_string(root) + ", expected 0 to " + std::to_string(ranks() - 1)).c_str(),
            blockfw::InvalidInput);
    }
}

TEST_CASE_TEMPLATE("whole rows of few vertices", T, std::int16_t, std::int64_t, double) {
  Random random(29);
  for (const int n : {0, 1, 130})
    for (const Place& place : places()) {
      const auto d = place.solve({}, n, mine(edges_of<T>(scattered(random, n, 5 * n, 1, 5))));
      check_rows(d, on_host(d));
    }
}

TEST_CASE_TEMPLATE("an edge more, wide and narrow", T, std::int32_t, std::int64_t, double) {
  Random random(38);
  Graph graph = scattered(random, order, 5 * order, 1, 100);
  std::erase_if(graph.edges, [](const auto& e) { return e.from == 7; });
  const auto edges = edges_of<T>(graph);
  const Place place = usual_place();
  for (const bool narrow : {false, true}) {
    const auto one = blockfw::solve(Exec(), order, edges, {.method = blockfw::Method::dense});
    auto d = place.solve(options_of(Direction::directed, narrow), order, mine(edges));
    for (const auto& e : std::vector<Edge<T>>{{7, order - 1, 3}, {order - 2, 5, 0}, {3, 3, 9}}) {
      blockfw::insert_edge(Exec(), one, e.from, e.to, e.weight);
      d.insert_edge(e.from, e.to, e.weight);
      CHECK(wrong_entries(on_host(d), readable(one)) == 0);
    }
    // The edge is refused, and the distances stay unchanged.
    CHECK_THROWS_AS(d.insert_edge(0, 1, T(-2000)), blockfw::NegativeCycle);
    CHECK_THROWS_AS(d.insert_edge(order, 1, 1), blockfw::InvalidInput);
    CHECK((d.bits() == 16) == (narrow && std::is_integral_v<T>));
    if (d.bits() == 16) {
      CHECK_THROWS_AS(d.insert_edge(0, 1, T(blockfw::infinity<std::int16_t> - 1)), blockfw::OverflowRisk);
      CHECK_THROWS_WITH_AS(d.insert_edge(0, 1, T(blockfw::infinity<std::int16_t>)),
                           "the weight 16383 does not fit the 16 bits that hold the distances; solve again",
                           blockfw::OverflowRisk);
    }
    CHECK(wrong_entries(on_host(d), readable(one)) == 0);
  }
  // After the insertion the matrix is not symmetric, unless both distances are 0.
  auto d = place.solve(options_of(Direction::undirected), 30, mine(edges_of<T>(scattered(random, 30, 90, 1, 9))));
  CHECK(d.is_symmetric());
  d.insert_edge(29, 28, 0);
  CHECK(d.is_symmetric() == (d.distance(28, 29) == 0));
}

TEST_CASE("one share does half the work of a symmetric matrix by itself, and others are not asked") {
  Random random(30);
  const Graph graph = scattered(random, order, 5 * order, 1, 9);
  for (const bool symmetric : {false, true})
    for (const Place& place : {places().front(), usual_place()}) {
      SolveReport report;
      place.solve({.report = &report}, order, mine(edges_of<float>(symmetric ? oracle::mirrored(graph) : graph)));
      CHECK(report.half == (symmetric && place.parts() == 1));
    }
}

TEST_CASE("report and progress, on the ranks that ask for them") {
  Random random(37);
  const auto edges = edges_of<std::int64_t>(scattered(random, order, 12 * order, 1, 100));
  for (const bool narrow : {false, true}) {
    SolveReport report;
    report.half = true;
    bool told = false, queued = false;
    SolveOptions options = options_of(Direction::directed, narrow);
    if (rank() == 0) {
      options.report = &report;
      options.progress = [&](std::int64_t done, std::int64_t all) { told = done == all; };
      options.meanwhile = [&] { queued = true; };
    }
    usual_place().solve(options, order, mine(edges));
    if (rank() > 0) continue;
    CHECK(report.bits == (narrow ? 16 : 64));
    CHECK(report.relaxes == double(order) * order * order);
    CHECK(report.dense_relaxes == report.relaxes);
    CHECK(report.solve_seconds > 0);
    CHECK(!report.half);
    CHECK(report.method == blockfw::Method::dense);
    CHECK(told);
    CHECK(queued);
  }
}

TEST_CASE("fewer vertices than shares, and distances wider than weights") {
  for (const Place& place : places()) {
    const auto solve = [&](const std::vector<Edge<std::int32_t>>& edges) {
      return place.solve<std::int64_t>({}, 3, rank() == 0 ? edges : std::vector<Edge<std::int32_t>>{});
    };
    const auto d = solve({{0, 1, 5}, {1, 2, 2}});
    CHECK(d.bits() == 64);
    CHECK(d.distance(0, 2) == 7);
    CHECK(d.distance(2, 0) == blockfw::infinity<std::int64_t>);
    const auto rows = d.distances_from(std::vector<int>{0, 1});
    CHECK(rows(0, 2) == 7);
    CHECK(rows(1, 2) == 2);
    const auto reach = d.reach(blockfw::Towards::itself);
    CHECK(reach[2].vertices == 3);
    CHECK(reach[2].farthest_vertex == 0);
    CHECK(solve({{0, 1, 1 << 30}, {1, 2, 1 << 30}}).distance(0, 2) == std::int64_t(1) << 31);

    const auto none = place.solve({.direction = Direction::undirected}, 0, std::vector<Edge<int>>{});
    CHECK(none.vertices() == 0);
    CHECK(none.reach().empty());
    CHECK(none.gather().size() == 0);
    CHECK_THROWS_WITH_AS(none.distance(0, 0), "vertex 0 is out of range, the graph has no vertices",
                         blockfw::InvalidInput);
  }
}

TEST_CASE("bad input is refused as one instance refuses it") {
  const Place place = usual_place();
  const auto solve = [&]<class T>(std::int64_t n, const std::vector<Edge<T>>& edges) {
    return place.solve({}, n, rank() == 0 ? edges : std::vector<Edge<T>>{});
  };
  using Edges = std::vector<Edge<int>>;
  CHECK_THROWS_WITH_AS(solve(-1, Edges{}), "the number of vertices is -1, expected 0 or more", blockfw::InvalidInput);
  CHECK_THROWS_WITH_AS(solve(3, Edges{{0, 1, 1}, {0, 3, 1}}), "edge 1: vertex 3 is out of range, expected 0 to 2",
                       blockfw::InvalidEdge);
  CHECK_THROWS_AS(solve(3, Edges{{0, 1, blockfw::infinity<int>}}), blockfw::OverflowRisk);
  CHECK_THROWS_AS(solve(3, Edges{{0, 1, -1}, {1, 0, 0}}), blockfw::NegativeCycle);
  CHECK_THROWS_AS(solve(2, std::vector<Edge<float>>{{0, 1, NAN}}), blockfw::InvalidEdge);
  CHECK_THROWS_AS(solve(50'000'000, Edges{}), blockfw::OutOfMemory);

  HostMatrix<int> cycle("cycle", 3, 3);
  Kokkos::deep_copy(cycle, 5);
  cycle(0, 2) = -6;
  CHECK_THROWS_AS(place.solve({}, cycle), blockfw::NegativeCycle);
  const HostMatrix<float> nan("nan", 9, 9);
  if (rank() == ranks() - 1) nan(8, 3) = NAN;  // (each rank reads some rows)
  CHECK_THROWS_WITH_AS(place.solve({}, nan), "the matrix 'nan' holds NaN at (8, 3), expected a number or infinity",
                       blockfw::InvalidInput);
  CHECK_THROWS_WITH_AS(place.solve({}, HostMatrix<int>("oblong", 3, 4)),
                       "the matrix 'oblong' has 3 rows and 4 columns, expected a square one", blockfw::InvalidInput);
}

/// Roads: a grid with some streets left out, some of them one-way.
template <class T>
std::vector<Edge<T>> roads(Random& random, int side) {
  std::vector<Edge<T>> edges;
  for (int v = 0; v < side * side; ++v)
    for (const int next : {v + 1, v + side}) {
      if (next >= side * side || (next == v + 1 && next % side == 0) || uniform(random, 0, 4) == 0) continue;
      edges.push_back({v, next, static_cast<T>(uniform(random, 1, 9))});
      if (uniform(random, 0, 5) != 0) edges.push_back({next, v, static_cast<T>(uniform(random, 1, 9))});
    }
  return edges;
}

TEST_CASE_TEMPLATE("elimination on shares: the distances of one instance, in every place", Over, std::int16_t,
                   std::int32_t, std::int64_t, double, blockfw::MaxMin<std::int32_t>) {
  using T = typename blockfw::semiring_of<Over, void>::value_type;
  Random random(51);
  for (const int side : {0, 1, 5, 20, 38})
    for (const auto direction : {Direction::directed, Direction::undirected}) {
      CAPTURE(side);
      const int n = side * side;
      const auto edges = roads<T>(random, side);
      SolveOptions options = options_of(direction);
      const auto expected = on_first<T>(n, [&] {
        SolveOptions by_rounds = options_of(direction, false);
        by_rounds.method = blockfw::Method::dense;
        return readable(blockfw::solve<Over>(Exec(), n, edges, by_rounds));
      });
      // (All ranks take elimination if any of them asks for it.)
      options.method = rank() == 0 ? blockfw::Method::sparse : blockfw::Method::automatic;
      for (const Place& place : places()) {
        CAPTURE(place.name());
        SolveReport report;
        options.report = &report;
        std::vector<std::int64_t> told;
        options.progress = [&](std::int64_t done, std::int64_t all) {
          CHECK(all == 2 * n);
          told.push_back(done);
        };
        const auto d = place.template solve<Over>(options, n, mine(edges));
        CHECK(wrong_entries(on_host(d), expected) == 0);
        CHECK(report.method == blockfw::Method::sparse);
        CHECK(report.bits == d.bits());
        CHECK(std::is_sorted(told.begin(), told.end()));
        if (n > 0) CHECK(told.back() == 2 * n);
        if (n >= least && std::is_same_v<Over, std::int64_t>) CHECK(d.bits() == 16);
      }
    }
}

TEST_CASE("elimination on shares is chosen where it is cheaper, and not where it is not") {
  Random random(52);
  const int side = on_device ? 130 : 40;
  const auto edges = roads<std::int32_t>(random, side);
  SolveReport report;
  SolveOptions options;
  options.report = &report;
  const Place place = usual_place();
  const auto d = place.solve(options, side * side, mine(edges));
  CHECK(report.method == blockfw::Method::sparse);
  CHECK(report.analysis_seconds > 0);
  CHECK(report.relaxes < report.dense_relaxes);
  place.solve(options, order, mine(edges_of<std::int32_t>(scattered(random, order, 12 * order, 1, 9))));
  CHECK(report.method == blockfw::Method::dense);
  if (!on_device && order * order / 16 > 12 * order) CHECK(report.analysis_seconds > 0);
  options.method = blockfw::Method::dense;
  CHECK(wrong_entries(on_host(place.solve(options, side * side, mine(edges))), on_host(d)) == 0);
  CHECK(report.method == blockfw::Method::dense);
}

TEST_CASE("elimination on shares: errors are those of one instance") {
  const Place place = usual_place();
  const SolveOptions sparse{.method = blockfw::Method::sparse};
  using Edges = std::vector<Edge<int>>;
  const auto solve = [&]<class T>(std::int64_t n, const std::vector<Edge<T>>& edges) {
    return place.solve(sparse, n, rank() == 0 ? edges : std::vector<Edge<T>>{});
  };
  CHECK_THROWS_AS(solve(-1, Edges{}), blockfw::InvalidInput);
  CHECK_THROWS_WITH_AS(solve(3, Edges{{0, 1, 1}, {0, 3, 1}}), "edge 1: vertex 3 is out of range, expected 0 to 2",
                       blockfw::InvalidEdge);
  CHECK_THROWS_AS(solve(3, Edges{{0, 1, blockfw::infinity<int>}}), blockfw::OverflowRisk);
  CHECK_THROWS_AS(solve(3, Edges{{0, 1, -1}, {1, 0, 0}}), blockfw::NegativeCycle);
  CHECK_THROWS_AS(solve(2, std::vector<Edge<float>>{{0, 1, NAN}}), blockfw::InvalidEdge);
  const auto negative = solve(3, Edges{{0, 1, -1}, {1, 2, -2}});
  CHECK(negative.distance(0, 2) == -3);
  CHECK(negative.distance(2, 0) == blockfw::infinity<int>);
  // The solve passes on exceptions of the caller's functions. (On ranks they must not throw.)
  if (ranks() == 1)
    for (const bool in_progress : {true, false}) {
      int calls = 0;
      const auto ends = [&] {
        ++calls;
        throw blockfw::OutOfMemory("the caller's");
      };
      SolveOptions own;
      if (in_progress)
        own.progress = [&](std::int64_t, std::int64_t) { ends(); };
      else
        own.meanwhile = ends;
      Random random(54);
      CHECK_THROWS_WITH_AS(place.solve(own, 40 * 40, roads<int>(random, 40)), "the caller's", blockfw::OutOfMemory);
      CHECK(calls == 1);
    }
#ifdef BLOCKFW_PLACE_OF_RANKS
  if (ranks() > 1) {
    SolveOptions mixed;
    mixed.method = rank() == 0 ? blockfw::Method::sparse : blockfw::Method::dense;
    CHECK_THROWS_WITH_AS(place.solve(mixed, 2, Edges{}),
                         "a rank passes Method::sparse and another one Method::dense, expected the same method",
                         blockfw::InvalidInput);
    // The direction of each rank holds for its own edges.
    SolveOptions own = sparse;
    own.direction = rank() == 0 ? Direction::undirected : Direction::directed;
    const auto d = place.solve(own, 3, rank() == 0 ? Edges{{0, 1, 5}} : rank() == 1 ? Edges{{1, 2, 7}} : Edges{});
    CHECK(d.distance(1, 0) == 5);
    CHECK(d.distance(0, 2) == 12);
    CHECK(d.distance(2, 1) == blockfw::infinity<int>);
  }
  if (ranks() > 1) {
    using Reals = std::vector<Edge<double>>;
    CHECK_THROWS_AS(place.solve({}, rank() == 0 ? 300 : 3, Reals{}), blockfw::InvalidInput);
  }
  // Each rank sums up the distances of some vertices.
  Random random(53);
  for (const int side : {0, 1, 9}) {
    const auto streets = roads<int>(random, side);
    const blockfw::SparseAnalysis analysis(side * side, streets);
    const blockfw::SparseFactor<blockfw::MinPlus<int>, Exec> factor(Exec(), analysis, streets);
    for (const auto towards : {blockfw::Towards::others, blockfw::Towards::itself}) {
      const auto all = blockfw::reach(MPI_COMM_WORLD, factor, towards), alone = factor.reach(towards);
      REQUIRE(all.size() == alone.size());
      for (std::size_t v = 0; v < all.size(); ++v) {
        CHECK(all[v].sum == alone[v].sum);
        CHECK(all[v].farthest_vertex == alone[v].farthest_vertex);
      }
    }
    // Each rank counts the pairs of some rows.
    using Histogram = blockfw::DistanceHistogram<int>;
    const std::int64_t n = side * side;
    Histogram mine(5, 4), alone(5, 4);
    factor.for_whole_rows(n * rank() / ranks(), n * (rank() + 1) / ranks(),
                          [&](std::int64_t first, const auto& rows) { mine.add(Exec(), first, rows); });
    factor.for_whole_rows([&](std::int64_t first, const auto& rows) { alone.add(Exec(), first, rows); });
    const Histogram all = blockfw::all_reduce(MPI_COMM_WORLD, mine);
    CHECK(all.counts() == alone.counts());
    CHECK(all.unreachable() == alone.unreachable());
    CHECK(all.pairs() == n * std::max<std::int64_t>(n - 1, 0));
    if (ranks() > 1)
      CHECK_THROWS_AS(blockfw::all_reduce(MPI_COMM_WORLD, Histogram(rank() == 0 ? 4 : 5, 4)), blockfw::InvalidInput);
  }
#endif
}

TEST_CASE("elimination, which matrices do not have, is refused, even if one process alone asks for it") {
  const Place place = usual_place();
  SolveOptions sparse;
  if (rank() == 0) sparse.method = blockfw::Method::sparse;
  const auto edges = mine(std::vector<Edge<int>>{{0, 1, 1}});
  const auto says = std::string("the option method is Method::sparse, expected automatic or dense ") + Place::where();
  const auto refused = [&](const auto& f) { CHECK_THROWS_WITH_AS(f(), says.c_str(), blockfw::InvalidInput); };
  refused([&] { place.solve(sparse, HostMatrix<int>("weights", 2, 2)); });
  auto d = place.matrix<int>(2);
  refused([&] { d.solve(d.fill(edges), sparse); });
}
