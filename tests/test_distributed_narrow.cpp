// SPDX-License-Identifier: MIT
// solve() on ranks: fewer bits only where no distance needs more, and answers that every rank gets, as one instance
// gives them. mpiexec starts any number of ranks.
#include "ranks.hpp"

#include "blockfw/paths_in_shares.hpp"
#include "blockfw/solve_from.hpp"
#include "blockfw/updates.hpp"

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
using Space = Kokkos::DefaultExecutionSpace;

/// The order from which on numbers may be narrower.
constexpr int least = static_cast<int>(blockfw::detail::narrow_from<Space>);
constexpr int order = least + 77;
// (16 bits are the fewest on a device.)
constexpr int fewest = blockfw::is_host_space<Space> ? 8 : 16;

SolveOptions options_of(Direction direction, bool narrow = true) {
  SolveOptions options;
  options.direction = direction;
  options.narrow = narrow;
  return options;
}

template <class T>
auto one_instance(int n, const std::vector<Edge<T>>& edges, Direction direction) {
  SolveOptions options = options_of(direction, false);
  options.method = blockfw::Method::dense;
  return blockfw::solve(Space(), n, edges, options);
}

/// \brief Solves on all ranks, and compares each entry with one instance's.
/// \param my_edges  those of this rank
/// \return the bits that were held, the same on all ranks
template <class Over, class T>
int bits(int n, const std::vector<Edge<T>>& edges, const std::vector<Edge<T>>& my_edges,
         Direction direction = Direction::directed, blockfw::ProcessGrid grid = {}) {
  SolveReport report;
  SolveOptions options = options_of(direction);
  options.report = &report;
  const auto d = blockfw::solve<Over>(MPI_COMM_WORLD, n, my_edges, blockfw::RankOptions{options, grid});
  CHECK(report.bits == d.bits());
  CHECK(d.ranks().reduce(d.bits(), MPI_MIN) == d.ranks().reduce(d.bits(), MPI_MAX));
  const auto all = d.gather(0);
  if (rank() == 0) {
    options = options_of(direction, false);
    options.method = blockfw::Method::dense;
    const auto expected = readable(blockfw::solve<Over>(Space(), n, edges, options));
    int wrong = 0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) wrong += all(i, j) != expected(i, j);
    CHECK(wrong == 0);
  }
  return d.bits();
}

template <class T>
int bits(const Graph& graph, Direction direction = Direction::directed, blockfw::ProcessGrid grid = {}) {
  const auto edges = edges_of<T>(graph);
  return bits<T>(graph.n, edges, mine(edges), direction, grid);
}

/// A path through all vertices, of this length. Each edge but the first has the same weight.
Graph chain(int n, std::int64_t length) {
  Graph graph{n, {}};
  const std::int64_t each = length / (n - 1);
  for (int v = 0; v + 1 < n; ++v) graph.edges.push_back({v, v + 1, v == 0 ? length - (n - 2) * each : each});
  return graph;
}

}  // namespace

TEST_CASE("few bits or many, at and around the order from which on they may be few") {
  Random random(31);
  for (const int n : {least - 1, least, least + 1, least + 62, order})
    CHECK(bits<std::int32_t>(scattered(random, n, 12 * n, 1, 100)) == (n < least ? 32 : 16));
  CHECK(bits<std::int64_t>(scattered(random, least - 1, 12 * least, 1, 100)) == 64);
  for (const auto& grid : grids())
    CHECK(bits<std::int64_t>(scattered(random, order, 12 * order, 1, 100), Direction::directed, grid) == 16);
  CHECK(bits<std::int64_t>(scattered(random, order, 12 * order, 1, 40'000)) == 32);
  CHECK(bits<std::int32_t>(scattered(random, order, 12 * order, 1, 40'000)) == 32);
  CHECK(bits<std::int16_t>(scattered(random, order, 12 * order, 1, 5)) == 16);
}

TEST_CASE("limits that just fit, and just do not") {
  constexpr std::int64_t in_short = blockfw::infinity<std::int16_t>, in_int = blockfw::infinity<std::int32_t>;
  CHECK(bits<std::int32_t>(chain(order, in_short - 1)) == 16);
  CHECK(bits<std::int32_t>(chain(order, in_short)) == 32);
  CHECK(bits<std::int64_t>(chain(order, in_short)) == 32);
  CHECK(bits<std::int64_t>(chain(order, in_int - 1)) == 32);
  CHECK(bits<std::int64_t>(chain(order, in_int)) == 64);
  // By paths through one vertex: all edges together are too long. Vertex 0 is in the middle; two are farthest from it.
  const auto star = [](std::int64_t longest) {
    Graph graph{order, {}};
    for (int v = 1; v < order; ++v) graph.edges.push_back({0, v, 8000});
    graph.edges[5].weight = graph.edges[500].weight = longest;
    return graph;
  };
  CHECK(bits<std::int32_t>(star(8191), Direction::undirected) == 16);
  CHECK(bits<std::int32_t>(star(8192), Direction::undirected) == 32);
  CHECK(bits<std::int64_t>(star(8192), Direction::undirected) == 32);
  CHECK(bits<std::int32_t>(star(8191)) == 32);  // no path leads back
  CHECK(bits<std::int64_t>(star(in_int / 2), Direction::undirected) == 32);
  CHECK(bits<std::int64_t>(star(in_int / 2 + 1), Direction::undirected) == 64);
}

TEST_CASE("graphs of several parts, vertices alone, undirected edges") {
  Random random(32);
  Graph graph{order, {}};
  for (int e = 0; e < 12 * order; ++e) {
    const int part = uniform(random, 0, 2), from = uniform(random, 0, order / 3 - 1),
              to = uniform(random, 0, order / 3 - 1);
    // (As many edges as a part has vertices, each of the greatest weight, are shorter than 16 bits hold.)
    graph.edges.push_back({part * (order / 3) + from, part * (order / 3) + to, uniform(random, 1, 10)});
  }
  std::erase_if(graph.edges, [](const auto& e) { return e.from == 7 || e.to == 9; });
  for (const auto direction : {Direction::directed, Direction::undirected}) {
    CHECK(bits<std::int32_t>(graph, direction) == 16);
    CHECK(bits<std::int64_t>(graph, direction) == 16);
  }
  for (auto& edge : graph.edges) edge.weight *= 1000;
  CHECK(bits<std::int64_t>(graph, Direction::undirected) == 32);
  CHECK(bits<std::int32_t>(Graph{order, {}}) == fewest);
}

TEST_CASE("weights beyond the narrower type, self loops, and negative weights") {
  Random random(33);
  auto edges = edges_of<std::int32_t>(scattered(random, order, 12 * order, 1, 100));
  edges.push_back({3, 4, 30'000});                                                   // heavier than 16 bits hold
  const Edge<std::int32_t> loop = {5, 5, std::numeric_limits<std::int32_t>::max()};  // counts nowhere
  edges.push_back(loop);
  CHECK(bits<std::int32_t>(order, edges, mine(edges)) == 16);
  CHECK(bits<std::int64_t>(order, edges, mine(edges)) == 16);
  edges.push_back({6, 7, -1});
  CHECK(bits<std::int32_t>(order, edges, mine(edges)) == 32);
  CHECK(bits<std::int64_t>(order, edges, mine(edges)) == 64);
  auto heavy = edges_of<std::int32_t>(scattered(random, order, 12 * order, 1, 40'000));
  heavy.push_back(loop);  // (A sum with it would overflow, and make the bound too small.)
  CHECK(bits<std::int32_t>(order, heavy, mine(heavy)) == 32);
  auto short_edges = edges_of<std::int16_t>(scattered(random, order, 12 * order, 1, 20));
  short_edges.push_back({3, 4, 20'000});  // 16 bits hold it, but as no edge
  CHECK(bits<std::int32_t>(order, short_edges, mine(short_edges)) <= 16);
}

TEST_CASE("ranks with all edges, and without any") {
  Random random(34);
  const auto edges = edges_of<std::int32_t>(scattered(random, order, 12 * order, 1, 100));
  for (const int owner : {0, ranks() - 1}) {
    const auto own = rank() == owner ? edges : std::vector<Edge<std::int32_t>>{};
    CHECK(bits<std::int32_t>(order, edges, own) == 16);
  }
}

TEST_CASE_TEMPLATE("other semirings and real numbers keep their type", S, blockfw::MaxMin<std::int32_t>,
                   blockfw::MinMax<std::int64_t>, blockfw::MinPlus<float>) {
  using T = typename S::value_type;
  Random random(35);
  const auto edges = edges_of<T>(scattered(random, least, 4 * least, 1, 100));
  CHECK(bits<S>(least, edges, mine(edges)) == 8 * int(sizeof(T)));
}

TEST_CASE_TEMPLATE("every rank gets the answers that one instance gives", T, std::int32_t, std::int64_t, float) {
  Random random(36);
  Graph graph = scattered(random, order, 8 * order, 1, 100);
  std::erase_if(graph.edges, [](const auto& e) { return e.from == 7 || e.to == 9; });
  const auto edges = edges_of<T>(graph);
  const auto one = one_instance(order, edges, Direction::directed);
  const auto expected = readable(one);
  const blockfw::Paths paths(Space(), one, edges);
  for (const auto& grid : grids())
    for (const bool narrow : {false, true}) {
      CAPTURE(grid.rows);
      CAPTURE(narrow);
      const auto d = blockfw::solve(MPI_COMM_WORLD, order, mine(edges),
                                    blockfw::RankOptions{options_of(Direction::directed, narrow), grid});
      CHECK(d.vertices() == order);
      CHECK(d.ranks().size() == ranks());
      CHECK(d.bits() == (narrow && std::is_integral_v<T> ? 16 : 8 * int(sizeof(T))));

      const std::vector<int> sources = {order - 1, 0, 7, order / 2, 0};
      const auto rows = d.distances_from(sources);
      static_assert(std::is_same_v<typename decltype(rows)::value_type, T>);
      int wrong = 0;
      for (std::size_t s = 0; s < sources.size(); ++s)
        for (int v = 0; v < order; ++v) wrong += rows(s, v) != expected(sources[s], v);
      CHECK(wrong == 0);
      CHECK(d.distances_from(std::vector<int>{}).extent(0) == 0);

      const auto columns = d.distances_to(sources);
      wrong = 0;
      for (std::size_t s = 0; s < sources.size(); ++s)
        for (int v = 0; v < order; ++v) wrong += columns(s, v) != expected(v, sources[s]);
      CHECK(wrong == 0);
      CHECK(!d.is_symmetric());

      const std::pair<int, int> pairs[] = {{0, 0}, {7, 8}, {8, 9}, {order - 1, 3}, {order / 2, order - 2}};
      for (const auto& pair : pairs) CHECK(d.distance(pair.first, pair.second) == expected(pair.first, pair.second));
      CHECK(blockfw::PathsInShares(d, edges).path(order - 1, 3) == paths.path(order - 1, 3));

      for (const auto towards : {blockfw::Towards::others, blockfw::Towards::itself}) {
        const auto found = d.reach(towards), right = blockfw::reach(Space(), one, towards);
        CHECK(found.size() == right.size());
        int different = 0;
        for (std::size_t v = 0; v < found.size() && v < right.size(); ++v)
          different += found[v].vertices != right[v].vertices || found[v].sum != right[v].sum ||
                       found[v].farthest != right[v].farthest || found[v].farthest_vertex != right[v].farthest_vertex;
        CHECK(different == 0);
      }

      wrong = 0;
      int seen = 0;
      d.for_whole_rows(
          [&](std::int64_t first, const auto& whole) {
            static_assert(std::is_same_v<typename std::decay_t<decltype(whole)>::value_type, T>);
            seen += whole.extent_int(0);
            for (int i = 0; i < whole.extent_int(0); ++i)
              for (int j = 0; j < order; ++j) wrong += whole(i, j) != expected(first + i, j);
          },
          100'000);
      CHECK(wrong == 0);
      CHECK(d.ranks().reduce(seen, MPI_SUM) == order);

      const auto out_of_range =
          "vertex " + std::to_string(order) + " is out of range, expected 0 to " + std::to_string(order - 1);
      CHECK(error_of<blockfw::InvalidInput>([&] { d.distance(0, rank() == ranks() - 1 ? order : 1); }) == out_of_range);
      CHECK(error_of<blockfw::InvalidInput>([&] { d.distances_from(std::vector<int>{1, order}); }) == out_of_range);
      if (ranks() > 1) {
        CHECK(error_of<blockfw::InvalidInput>([&] { d.distance(0, rank()); }) ==
              "the ranks pass different vertices, expected the same");
        const std::vector<int> own(static_cast<std::size_t>(rank()), 3);
        CHECK(error_of<blockfw::InvalidInput>([&] { d.distances_from(own); }) ==
              "the ranks pass different sources, expected the same");
      }
    }
}

TEST_CASE("an edge more, wide and narrow") {
  Random random(38);
  Graph graph = scattered(random, order, 5 * order, 1, 100);
  std::erase_if(graph.edges, [](const auto& e) { return e.from == 7; });
  const auto edges = edges_of<std::int32_t>(graph);
  for (const bool narrow : {false, true}) {
    const auto one = one_instance(order, edges, Direction::directed);
    auto d = blockfw::solve(MPI_COMM_WORLD, order, mine(edges), options_of(Direction::directed, narrow));
    const auto equal = [&] {
      const auto all = d.gather(0);
      const auto expected = readable(one);
      int wrong = 0;
      for (int i = 0; i < order && rank() == 0; ++i)
        for (int j = 0; j < order; ++j) wrong += all(i, j) != expected(i, j);
      return wrong == 0;
    };
    for (const auto& e : std::vector<Edge<std::int32_t>>{{7, order - 1, 3}, {order - 2, 5, 0}, {3, 3, 9}}) {
      blockfw::insert_edge(Space(), one, e.from, e.to, e.weight);
      d.insert_edge(e.from, e.to, e.weight);
      CHECK(equal());
    }
    CHECK_THROWS_AS(d.insert_edge(0, 1, -2000), blockfw::NegativeCycle);
    CHECK_THROWS_AS(d.insert_edge(order, 1, 1), blockfw::InvalidInput);
    if (ranks() > 1)
      CHECK(error_of<blockfw::InvalidInput>([&] { d.insert_edge(0, 1, 2000 - rank()); }) ==
            "the ranks pass different edges, expected the same");
    if (ranks() > 1)
      CHECK(error_of<blockfw::InvalidInput>([&] { d.insert_edge(0, 1, rank() == 0 ? 2 : 20'000); }) ==
            "the ranks pass different edges, expected the same");
    if (narrow) {
      CHECK_THROWS_AS(d.insert_edge(0, 1, blockfw::infinity<std::int16_t> - 1), blockfw::OverflowRisk);
      CHECK_THROWS_WITH_AS(d.insert_edge(0, 1, blockfw::infinity<std::int16_t>),
                           "the weight 16383 does not fit the 16 bits that hold the distances; solve again",
                           blockfw::OverflowRisk);
    }
    CHECK(equal());
  }
}

TEST_CASE_TEMPLATE("a matrix of weights, the same on all ranks", T, std::int16_t, std::int32_t, float) {
  Random random(40);
  for (const int n : {0, 1, 70, order}) {
    CAPTURE(n);
    HostMatrix<T> weights("weights", static_cast<std::size_t>(n), static_cast<std::size_t>(n));
    Kokkos::deep_copy(weights, blockfw::infinity<T>);
    for (int e = 0; e < 20 * n; ++e)
      weights(uniform(random, 0, n - 1), uniform(random, 0, n - 1)) = T(uniform(random, 1, 5));
    for (const auto direction : {Direction::directed, Direction::undirected}) {
      SolveOptions options = options_of(direction, false);
      const auto expected = blockfw::solve(Kokkos::DefaultHostExecutionSpace(), weights, options);
      for (const bool narrow : {false, true})
        for (const blockfw::ProcessGrid& grid : grids()) {
          if (n == order && grid.rows != 0 && grid.columns != 1) continue;
          options.narrow = narrow;
          const auto d = blockfw::solve(MPI_COMM_WORLD, weights, blockfw::RankOptions{options, grid});
          if (n == order && narrow && std::is_same_v<T, std::int32_t>) CHECK(d.bits() == fewest);
          HostMatrix<T> own("own", weights.extent(0), weights.extent(1));
          Kokkos::deep_copy(own, expected);
          d.copy_to(own);  // this rank's share
          const auto all = d.gather();
          int wrong = 0;
          for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
              wrong += own(i, j) != expected(i, j) || (rank() == 0 && all(i, j) != expected(i, j));
          CHECK(wrong == 0);
          CHECK(all.extent_int(0) == (rank() == 0 ? n : 0));
        }
    }
  }
}

TEST_CASE("a matrix of weights that ranks do not take is refused on all of them") {
  HostMatrix<float> weights("weights", 9, 9);
  Kokkos::deep_copy(weights, 1);
  if (rank() == ranks() - 1) weights(8, 3) = std::numeric_limits<float>::quiet_NaN();  // (each reads some rows)
  CHECK(error_of<blockfw::InvalidInput>([&] { blockfw::solve(MPI_COMM_WORLD, weights); }).find("(8, 3)") !=
        std::string::npos);
  CHECK(error_of<blockfw::InvalidInput>([&] { blockfw::solve(MPI_COMM_WORLD, HostMatrix<int>("oblong", 3, 4)); }) ==
        "the matrix 'oblong' has 3 rows and 4 columns, expected a square one");
  const std::size_t n = rank() == 0 && ranks() > 1 ? 4 : 5;
  const HostMatrix<int> other("other", n, n);
  if (ranks() > 1)
    CHECK(error_of<blockfw::InvalidInput>([&] { blockfw::solve(MPI_COMM_WORLD, other); }) ==
          "the ranks pass different numbers of vertices, expected the same");
  const HostMatrix<int> few("few", 4, 4);
  if (ranks() > 1) {
    SolveOptions options;
    options.direction = rank() == 0 ? Direction::undirected : Direction::directed;
    CHECK(error_of<blockfw::InvalidInput>([&] { blockfw::solve(MPI_COMM_WORLD, few, options); }) ==
          "the ranks pass different directions, expected the same");
  }
  for (const bool narrow : {false, true})
    CHECK(error_of<blockfw::InvalidInput>([&] {
            blockfw::solve(MPI_COMM_WORLD, few,
                           blockfw::RankOptions{options_of(Direction::undirected, narrow), {0, 0, -3}});
          }) == "blocks of -3 tiles, expected 1 or more");
  const auto d = blockfw::solve(MPI_COMM_WORLD, few, {});
  const std::string last = std::to_string(ranks() - 1);
  for (const int root : {-1, ranks()})
    CHECK(error_of<blockfw::InvalidInput>([&] { d.gather(root); }) ==
          "the root is " + std::to_string(root) + ", expected 0 to " + last);
  if (ranks() > 1) {
    CHECK(error_of<blockfw::InvalidInput>([&] { d.gather(rank() == 0 ? 0 : 1); }) ==
          "the ranks pass different roots, expected the same");
    CHECK(error_of<blockfw::InvalidInput>([&] {
            d.reach(rank() == 0 ? blockfw::Towards::others : blockfw::Towards::itself);
          }) == "the ranks pass different sides, expected the same");
  }
  SolveOptions sparse;
  sparse.method = blockfw::Method::sparse;
  CHECK(error_of<blockfw::InvalidInput>([&] { blockfw::solve(MPI_COMM_WORLD, other, sparse); })
            .find(ranks() > 1 ? "the ranks pass different numbers"
                              : "Method::sparse, expected automatic or dense on ranks") != std::string::npos);
  CHECK(error_of<blockfw::InvalidInput>([&] {
          blockfw::solve(MPI_COMM_WORLD, few, blockfw::RankOptions{.first_edge = 1});
        }) == "the option first_edge is set, which solve() of a matrix does not use");
  HostMatrix<int> cycle("cycle", 3, 3);
  Kokkos::deep_copy(cycle, 5);
  cycle(0, 2) = -6;
  CHECK_THROWS_AS(blockfw::solve(MPI_COMM_WORLD, cycle), blockfw::NegativeCycle);
}

TEST_CASE("ranks that name different grids or vertices are told, and none is left waiting") {
  if (ranks() == 1) return;
  Random random(39);
  const auto edges = edges_of<float>(scattered(random, 100, 300, 1, 9));
  CHECK(error_of<blockfw::InvalidInput>([&] {
          const blockfw::ProcessGrid grid = rank() == 0 ? blockfw::ProcessGrid{} : blockfw::ProcessGrid{ranks(), 1, 0};
          blockfw::solve(MPI_COMM_WORLD, 100, mine(edges), blockfw::RankOptions{.grid = grid});
        }) == "the ranks pass different grids, expected the same");
  const auto d = blockfw::solve(MPI_COMM_WORLD, 100, mine(edges));
  CHECK(error_of<blockfw::InvalidInput>([&] { blockfw::PathsInShares(d, edges).path(rank() == 0 ? 1 : 2, 5); }) ==
        "the ranks pass different sources, expected the same");
  CHECK((error_of<blockfw::InvalidInput>([&] { blockfw::PathsInShares(d, edges).path(0, rank() == 0 ? 5 : 500); }) ==
         "no error") == (rank() == 0));
}

TEST_CASE("a matrix whose shares are empty on some ranks answers, too") {
  const auto d = blockfw::solve<std::int64_t>(
      MPI_COMM_WORLD, 3, rank() == 0 ? std::vector<Edge<int>>{{0, 1, 5}, {1, 2, 2}} : std::vector<Edge<int>>{});
  CHECK(d.bits() == 64);
  CHECK(d.distance(0, 2) == 7);
  CHECK(d.distance(2, 0) == blockfw::infinity<std::int64_t>);
  const auto rows = d.distances_from(std::vector<int>{0, 1});
  CHECK(rows(0, 2) == 7);
  CHECK(rows(1, 2) == 2);
  const auto reach = d.reach(blockfw::Towards::itself);
  CHECK(reach[2].vertices == 3);
  CHECK(reach[2].farthest_vertex == 0);
  const auto none = blockfw::solve(MPI_COMM_WORLD, 0, std::vector<Edge<int>>{}, {.direction = Direction::undirected});
  CHECK(none.reach().empty());
  CHECK(none.gather().size() == 0);
  CHECK(error_of<blockfw::InvalidInput>([&] { none.distance(0, 0); }) ==
        "vertex 0 is out of range, the graph has no vertices");
}

TEST_CASE("report and progress, on the ranks that ask for them") {
  Random random(37);
  const auto edges = edges_of<std::int64_t>(scattered(random, order, 12 * order, 1, 100));
  const double relaxes = double(order) * order * order;
  for (const bool narrow : {false, true}) {
    SolveReport report;
    report.half = true;
    int told = 0;
    bool queued = false;
    SolveOptions options = options_of(Direction::directed, narrow);
    if (rank() == 0) {
      options.report = &report;
      options.progress = [&](std::int64_t done, std::int64_t all) { told = done == all ? 1 : 0; };
      options.meanwhile = [&] { queued = true; };
    }
    blockfw::solve(MPI_COMM_WORLD, order, mine(edges), options);
    if (rank() > 0) continue;
    CHECK(report.bits == (narrow ? 16 : 64));
    CHECK(report.relaxes == relaxes);
    CHECK(report.dense_relaxes == relaxes);
    CHECK(report.solve_seconds > 0);
    CHECK(!report.half);
    CHECK(report.method == blockfw::Method::dense);
    CHECK(told == 1);
    CHECK(queued);
  }
}

TEST_CASE("all ranks decide the same, and throw the same") {
  Random random(38);
  const auto edges = edges_of<std::int32_t>(scattered(random, order, 12 * order, 1, 100));
  const int last = ranks() - 1;
  const auto solve = [&](int n, const std::vector<Edge<std::int32_t>>& own, bool narrow = true) {
    return blockfw::solve(MPI_COMM_WORLD, n, own,
                          blockfw::RankOptions{.solve = options_of(Direction::directed, narrow), .first_edge = 100});
  };
  CHECK(solve(order, mine(edges), rank() != last).bits() == 32);  // not all allow fewer

  std::vector<Edge<std::int32_t>> own = {{0, 1, 5}};
  if (rank() == last) own.push_back({3, order, 1});
  const auto text =
      "edge 101: vertex " + std::to_string(order) + " is out of range, expected 0 to " + std::to_string(order - 1);
  CHECK(error_of<blockfw::InvalidEdge>([&] { solve(order, own); }) == text);
  CHECK(error_of<blockfw::InvalidEdge>([&] { solve(order, own, false); }) == text);

  own = {{0, 1, rank() == last ? 1 << 29 : 1}, {2, 3, rank() == 0 ? 1 << 29 : 1}};
  CHECK(error_of<blockfw::OverflowRisk>([&] { solve(order, own); }).starts_with("weights from "));
  own.clear();
  if (rank() == last) own = {{17, 18, 1}, {18, 17, -2}};
  CHECK(error_of<blockfw::NegativeCycle>([&] { solve(order, own); }).starts_with("negative cycle: vertex 1"));

  CHECK(error_of<blockfw::InvalidInput>([&] { solve(-1, {}); }) == "the number of vertices is -1, expected 0 or more");
  const auto refused = [&](blockfw::ProcessGrid grid) {
    return error_of<blockfw::InvalidInput>(
        [&] { blockfw::solve(MPI_COMM_WORLD, order, mine(edges), blockfw::RankOptions{.grid = grid}); });
  };
  CHECK(refused({ranks(), 2}).starts_with("a grid of " + std::to_string(ranks()) + " x 2 processes"));
  if (ranks() > 1)
    for (const int other : {least - 1, order + 1})
      CHECK(error_of<blockfw::InvalidInput>([&] { solve(rank() == 0 ? other : order, {}); }) ==
            "the ranks pass different numbers of vertices, expected the same");
  CHECK(error_of<blockfw::OutOfMemory>([&] {
          solve(50'000'000, {});
        }).starts_with("rank 0 of " + std::to_string(ranks()) + ": "));
  CHECK(solve(order, mine(edges)).bits() == 16);
}

TEST_CASE("half the work for undirected edges where each rank has rows enough, unless a grid is named") {
  if (ranks() > 3) return;  // (more take minutes; test_distributed.cpp does half the work on them)
  const int enough = static_cast<int>(blockfw::detail::half_from<Space>) * ranks();
  Random random(31);
  struct Case {
    int n;
    Direction direction;
    bool named, half;
  };
  for (const Case& c : std::vector<Case>{{enough, Direction::undirected, false, true},
                                         {enough, Direction::directed, false, false},
                                         {enough - 1, Direction::undirected, false, false},
                                         {enough, Direction::undirected, true, ranks() == 1}}) {
    CAPTURE(c.n);
    const auto edges = edges_of<std::int32_t>(scattered(random, c.n, 2 * c.n, 1, 1000));
    SolveReport report;
    SolveOptions options = options_of(c.direction);
    options.report = &report;
    const blockfw::ProcessGrid grid = c.named ? blockfw::ProcessGrid{1, ranks(), 1} : blockfw::ProcessGrid{};
    const auto d = blockfw::solve(MPI_COMM_WORLD, c.n, mine(edges), blockfw::RankOptions{options, grid});
    CHECK(report.half == c.half);
    const std::vector<int> sources = {0, c.n / 3, c.n - 1};
    const auto rows = d.distances_from(sources);
    const auto expected = readable(blockfw::solve_from(Space(), c.n, edges, sources, {.direction = c.direction}));
    int wrong = 0;
    for (std::size_t s = 0; s < sources.size(); ++s)
      for (int v = 0; v < c.n; ++v) wrong += rows(s, v) != expected(s, v);
    CHECK(wrong == 0);
  }
}
