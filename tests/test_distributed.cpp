// SPDX-License-Identifier: MIT
// Several ranks on one matrix. Tiles are small, so that a few vertices make many groups, blocks of tiles and partial
// tiles. mpiexec starts any number of ranks; each checks its own share.
#include "ranks.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using blockfw::Direction;
using blockfw::DistributedMatrix;
using blockfw::Edge;
using blockfw::ProcessGrid;
using Space = Kokkos::DefaultExecutionSpace;
template <class T>
using SmallTile = std::conditional_t<on_device, blockfw::default_tile<Space, T>, blockfw::Tile<8>>;
template <class T>
using Matrix = DistributedMatrix<T, Space, SmallTile<T>>;

/// Compares a solve on all ranks with the oracle. Each rank checks its own share.
/// \param half  whether to do half the work, of an undirected graph without negative weights
template <class T>
void check(const Answer& answer, const Graph& graph, Direction direction, const ProcessGrid& grid, bool half = false) {
  CAPTURE(answer.graph.n);
  CAPTURE(grid.rows);
  CAPTURE(grid.block_tiles);
  check_against(answer, [&] {
    Matrix<T> d(MPI_COMM_WORLD, graph.n, grid);
    const auto range = d.fill(mine(edges_of<T>(graph)), {.direction = direction});
    half ? d.floyd_warshall({direction}, false) : d.solve(range);
    const auto all = d.gather(0);
    if (rank() == 0) return all;
    // Other ranks: their share, and the oracle's distances elsewhere.
    typename Matrix<T>::HostView own("own", static_cast<std::size_t>(graph.n), static_cast<std::size_t>(graph.n));
    for (int i = 0; i < graph.n && !answer.negative_cycle; ++i)
      for (int j = 0; j < graph.n; ++j) {
        const auto expected = answer.distances[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
        own(i, j) = expected == oracle::unreachable<std::int64_t> ? blockfw::infinity<T> : static_cast<T>(expected);
      }
    const auto here = readable(d.local());
    for (std::int64_t i = 0; i < d.local().extent_int(0); ++i)
      for (std::int64_t j = 0; j < d.local().extent_int(1); ++j) own(d.row(i), d.column(j)) = here(i, j);
    return own;
  });
}

}  // namespace

TEST_CASE("every order, grid and size of blocks agrees with the oracle") {
  Random random(1);
  constexpr int tile = SmallTile<int>::block;
  for (const int n : {1, 2, tile - 1, tile, tile + 1, 2 * tile, 3 * tile + 1, 47, 6 * tile, 97, 12 * tile + 3}) {
    const Graph graph = scattered(random, n, 3 * n, 0, 100);
    const Answer answer(graph, Direction::directed);
    for (ProcessGrid grid : grids())
      for (grid.block_tiles = 1; grid.block_tiles < 4; ++grid.block_tiles)
        check<int>(answer, graph, Direction::directed, grid);
  }
}

TEST_CASE("every type agrees with the oracle on every family of graphs") {
  Random random(2);
  for (const Family& family : families) {
    CAPTURE(family.name);
    for (const int n : {13, 70}) {
      const Graph graph = family.make(random, n);
      for (const auto direction : {Direction::directed, Direction::undirected}) {
        const Answer answer(graph, direction);
        check<int>(answer, graph, direction, {1, ranks(), 2});
        if ((n < 20) == (direction == Direction::directed))
          for_each_type([&](auto zero) { check<decltype(zero)>(answer, graph, direction, {}); });
      }
    }
  }
}

TEST_CASE("half the work for undirected graphs, every order and type, on ranks with neighbouring rows") {
  Random random(21);
  for_each_type([&]<class T>(T) {
    constexpr int tile = SmallTile<T>::block;
    for (const int n : {1, tile, tile + 1, 2 * tile, 5 * tile + 1, 6 * tile, 12 * tile + 3}) {
      const Graph graph = scattered(random, n, 3 * n, 0, heaviest(n));
      check<T>(Answer(graph, Direction::undirected), graph, Direction::undirected,
               Matrix<T>::neighbouring_rows(ranks(), n), true);
    }
  });
}

TEST_CASE("half the work is refused where rows are dealt another way, and finds cycles") {
  const int n = 12 * SmallTile<int>::block;
  Matrix<int> d(MPI_COMM_WORLD, n, {ranks(), 1, 1});
  if (ranks() > 1)
    CHECK(error_of<blockfw::InvalidInput>([&] { d.floyd_warshall({Direction::undirected}, false); }) ==
          "half the work for an undirected graph needs a grid of one column whose ranks have neighbouring rows, as "
          "neighbouring_rows() makes it");
  Matrix<int> cycle(MPI_COMM_WORLD, n, Matrix<int>::neighbouring_rows(ranks(), n));
  cycle.fill(mine(std::vector<Edge<int>>{{0, 1, 3}, {2, n - 1, -1}}), {.direction = Direction::undirected});
  cycle.floyd_warshall({Direction::undirected});
  int negative = 0;
  const auto here = readable(cycle.local());
  for (int i = 0; i < cycle.local().extent_int(0); ++i) negative += here(i, static_cast<int>(cycle.row(i))) < 0;
  CHECK(cycle.ranks().reduce(negative, MPI_SUM) > 0);
}

TEST_CASE("the tuned tile") {
  Random random(3);
  constexpr int tile = blockfw::default_tile<Space, int>::block;
  const Graph graph = scattered(random, 2 * tile + 5, 8 * tile, 0, 1000);
  const auto expected = blockfw::solve(graph.n, edges_of<int>(graph));
  DistributedMatrix<int> d(MPI_COMM_WORLD, graph.n);
  d.solve(d.fill(mine(edges_of<int>(graph))));
  const auto on_host = readable(expected);
  const auto here = readable(d.local());
  bool equal = true;
  for (std::int64_t i = 0; i < d.local().extent_int(0); ++i)
    for (std::int64_t j = 0; j < d.local().extent_int(1); ++j)
      equal = equal && here(i, j) == on_host(d.row(i), d.column(j));
  CHECK(equal);
}

TEST_CASE("no vertices") {
  Matrix<int> d(MPI_COMM_WORLD, 0);
  const auto range = d.fill(std::vector<Edge<int>>{});
  CHECK(range.empty());
  d.solve(range);
  CHECK(d.local().size() == 0);
  CHECK(d.gather().size() == 0);
}

TEST_CASE("each entry lies in one place") {
  for (ProcessGrid grid : grids())
    for (grid.block_tiles = 1; grid.block_tiles < 4; ++grid.block_tiles) {
      const int n = 5 * SmallTile<int>::block + 3;
      const Matrix<int> d(MPI_COMM_WORLD, n, grid);
      std::int64_t here = 0;
      bool right = true;
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
          const auto place = d.place(i, j);
          if (place.rank != rank()) continue;
          ++here;
          right = right && d.row(place.row) == i && d.column(place.column) == j;
        }
      CHECK(right);
      CHECK(here == static_cast<std::int64_t>(d.local().size()));
      CHECK(d.ranks().reduce(here, MPI_SUM) == std::int64_t(n) * n);
    }
}

TEST_CASE("rows come together, each on one rank") {
  for (ProcessGrid grid : grids())
    for (grid.block_tiles = 1; grid.block_tiles < 3; ++grid.block_tiles)
      for (const std::size_t at_once : {1u, 2000u, 1u << 20}) {
        const int n = 5 * SmallTile<int>::block + 3;
        Matrix<int> d(MPI_COMM_WORLD, n, grid);
        const HostMatrix<int> all("all", n, n);
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < n; ++j) all(i, j) = i * n + j;
        d.copy_from(all);
        std::int64_t count = 0;
        bool right = true;
        d.for_whole_rows(
            [&](std::int64_t first, const auto& rows) {
              count += static_cast<std::int64_t>(rows.extent(0));
              right = right && rows.extent_int(1) == n && rows.span_is_contiguous();
              for (int i = 0; i < rows.extent_int(0); ++i)
                for (int j = 0; j < n; ++j) right = right && rows(i, j) == (first + i) * n + j;
            },
            at_once);
        CHECK(right);
        CHECK(d.ranks().reduce(count, MPI_SUM) == n);
      }
}

TEST_CASE("the range of the weights is that of all edges") {
  Matrix<int> d(MPI_COMM_WORLD, 20);
  std::vector<Edge<int>> edges;
  if (rank() == 0) edges = {{0, 1, 7}};
  if (rank() == ranks() - 1) edges.push_back({3, 4, -2});
  const auto range = d.fill(edges);
  CHECK(range.smallest == -2);
  CHECK(range.largest == 7);
}

TEST_CASE("weights that are narrower than distances") {
  DistributedMatrix<std::int64_t, Space, SmallTile<std::int64_t>> d(MPI_COMM_WORLD, 3);
  const std::vector<Edge<std::int32_t>> edges = {{0, 1, 1 << 30}, {1, 2, 1 << 30}};
  d.solve(d.fill(mine(edges)));
  const auto all = d.gather();
  if (rank() == 0) CHECK(all(0, 2) == std::int64_t(1) << 31);
}

TEST_CASE("progress is told") {
  Matrix<int> d(MPI_COMM_WORLD, 5 * SmallTile<int>::block);
  std::vector<std::pair<std::int64_t, std::int64_t>> told;
  d.solve(d.fill(std::vector<Edge<int>>{}), {.progress = [&](auto done, auto all) { told.emplace_back(done, all); }});
  REQUIRE(!told.empty());
  CHECK(told.back() == std::pair<std::int64_t, std::int64_t>(5, 5));
}

TEST_CASE_TEMPLATE("any semiring on all ranks", S, blockfw::MaxPlus<std::int32_t>, blockfw::MaxMin<std::int32_t>,
                   blockfw::MinMax<std::int64_t>, blockfw::MaxMin<float>, blockfw::MaxTimes<double>) {
  using T = typename S::value_type;
  const int n = 35;
  Random random(21);
  auto edges = edges_over<S>(scattered(random, n, 4 * n, 1, 1000));
  for (const auto direction : {Direction::directed, Direction::undirected}) {
    blockfw::SolveOptions options;
    options.direction = direction;
    const auto expected = by_one_instance<S>(n, edges, options);
    for (const ProcessGrid& grid : grids()) {
      CAPTURE(grid.rows);
      DistributedMatrix<S, Space, SmallTile<T>> d(MPI_COMM_WORLD, n, grid);
      d.solve(d.fill(mine(edges), {.direction = direction}));
      const auto all = d.gather(0);
      int wrong = 0;
      if (rank() == 0)
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < n; ++j) wrong += all(i, j) != expected(i, j);
      CHECK(wrong == 0);
    }
  }
  if constexpr (std::is_same_v<S, blockfw::MaxPlus<std::int32_t>>) {
    DistributedMatrix<S, Space, SmallTile<T>> d(MPI_COMM_WORLD, n);
    const std::vector<Edge<T>> gains =
        rank() == 0 ? std::vector<Edge<T>>{{0, 1, 9}, {1, 0, -8}} : std::vector<Edge<T>>{};
    CHECK_THROWS_AS(d.solve(d.fill(gains)), blockfw::DivergentCycle);
  }
}

TEST_CASE("an error of one rank is that of all") {
  const int last = ranks() - 1;
  Matrix<int> d(MPI_COMM_WORLD, 20);
  std::vector<Edge<int>> edges = {{0, 1, 5}};

  if (rank() == last) edges.push_back({3, 20, 1});
  CHECK(error_of<blockfw::InvalidEdge>([&] { d.fill(edges, {.first_edge = 100}); }) ==
        "edge 101: vertex 20 is out of range, expected 0 to 19");
  if (rank() == 0) edges = {{-1, 0, 1}};
  CHECK(error_of<blockfw::InvalidEdge>([&] { d.fill(edges); }).starts_with("edge 0: vertex -1 is out of range"));

  edges = {{0, 1, rank() == last ? 1 << 29 : 1}, {2, 3, rank() == 0 ? 1 << 29 : 1}};
  CHECK(error_of<blockfw::OverflowRisk>([&] { d.solve(d.fill(edges)); }).starts_with("weights from "));

  edges = {};
  if (rank() == last) edges = {{17, 18, 1}, {18, 17, -2}};
  const std::string cycle = error_of<blockfw::NegativeCycle>([&] { d.solve(d.fill(edges)); });
  CHECK((cycle.starts_with("negative cycle: vertex 17 ") || cycle.starts_with("negative cycle: vertex 18 ")));

  const blockfw::Communicator world(MPI_COMM_WORLD);
  for (int failing = 0; failing <= last; ++failing) {
    const auto fail = [&](const auto& error) {
      return [&] {
        if (rank() >= failing) throw error;
      };
    };
    const auto text = "of rank " + std::to_string(failing), own = "of rank " + std::to_string(rank());
    const auto check = [&]<class E>(const E&) {
      CHECK(error_of<E>([&] { blockfw::detail::together(world, fail(E(own))); }) == text);
    };
    check(blockfw::Error(""));
    check(blockfw::InvalidInput(""));
    check(blockfw::OverflowRisk(""));
    check(blockfw::OutOfMemory(""));
    check(blockfw::DeviceError(""));
    check(blockfw::FileError(""));
    CHECK(error_of<blockfw::Error>([&] { blockfw::detail::together(world, fail(std::runtime_error(own))); }) == text);
    const auto cycle_of = [&]<class E>(const E&) {  // each as itself, with its vertex
      const std::string first = E(failing).what();
      CHECK(error_of<E>([&] { blockfw::detail::together(world, fail(E(rank()))); }) == first);
    };
    cycle_of(blockfw::DivergentCycle(0));
    cycle_of(blockfw::NegativeCycle(0));
    CHECK(error_of<blockfw::NegativeCycle>([&] {
            blockfw::detail::together(world, fail(blockfw::DivergentCycle(rank())));
          }).starts_with("another error: divergent cycle: vertex "));
  }
  // The matrix can still be used.
  edges = {{0, 1, 5}};
  d.solve(d.fill(edges));
}

TEST_CASE("wrong arguments are refused on all ranks") {
  const auto refusal = [](std::int64_t n, ProcessGrid grid = {}) {
    return error_of<blockfw::InvalidInput>([&] { Matrix<int>(MPI_COMM_WORLD, n, grid); });
  };
  CHECK(refusal(-1) == "the number of vertices is -1, expected 0 or more");
  const std::int64_t most = std::numeric_limits<std::int32_t>::max() - SmallTile<int>::block;
  CHECK(refusal(std::int64_t(1) << 31) ==
        "the number of vertices is 2147483648, expected " + std::to_string(most) + " or fewer");
  const std::string all = std::to_string(ranks());
  CHECK(refusal(5, {ranks() + 1, 1}) ==
        "a grid of " + std::to_string(ranks() + 1) + " x 1 processes, expected one of " + all);
  CHECK(refusal(5, {ranks(), 2}) == "a grid of " + all + " x 2 processes, expected one of " + all);
  CHECK(refusal(5, {-1, 1}) == "a grid of -1 x 1 processes, expected one of " + all);
  CHECK(refusal(5, {0, 0, -1}) == "blocks of -1 tiles, expected 1 or more");
  if (ranks() > 1) {
    CHECK(refusal(5 + rank()) == "the ranks pass different numbers of vertices, expected the same");
    CHECK(refusal(5, {rank() == 0 ? 1 : 0, 0}) == "the ranks pass different grids, expected the same");
  }
  // Elimination, which ranks do not have, even if one rank alone asks for it.
  blockfw::SolveOptions options;
  if (rank() == 0) options.method = blockfw::Method::sparse;
  const std::vector<blockfw::Edge<int>> edges{{0, 1, 1}};
  CHECK(error_of<blockfw::InvalidInput>([&] {
          Matrix<int> d(MPI_COMM_WORLD, 5);
          d.solve(d.fill(edges), options);
        }) == "the option method is Method::sparse, expected automatic or dense on ranks");
}

TEST_CASE("more than the memory is refused on all ranks before it is asked for") {
  const std::string text = error_of<blockfw::OutOfMemory>([&] { Matrix<int>(MPI_COMM_WORLD, 50'000'000); });
  CHECK(text.starts_with("rank 0 of " + std::to_string(ranks()) + ": "));
  CHECK(text.find("of the distances of 50000000 vertices need ") != std::string::npos);
}

TEST_CASE_TEMPLATE("cycles of length zero in floats are not negative, and a shorter one is, on every rank", T, float,
                   double) {
  const int n = 70;
  Random random(6);  // (the same on all ranks)
  std::vector<double> at;
  for (int i = 0; i < n; ++i) at.push_back(uniform(random, -1000, 1000) / 10.);
  std::vector<Edge<T>> edges;
  const auto add = [&](int i, int j, double longer) {
    const double weight = at[static_cast<std::size_t>(j)] - at[static_cast<std::size_t>(i)] + longer;
    edges.push_back({i, j, static_cast<T>(std::round(10 * weight) / 10)});
  };
  for (int i = 0; i < n; ++i) add(i, (i + 1) % n, 0);
  for (int e = 0; e < 3 * n; ++e) add(uniform(random, 0, n - 1), uniform(random, 0, n - 1), 0);
  for (const ProcessGrid& grid : grids()) {
    Matrix<T> d(MPI_COMM_WORLD, n, grid);
    d.solve(d.fill(mine(edges)));
    const auto here = readable(d.local());
    double error = 0;
    for (std::int64_t i = 0; i < d.local().extent_int(0); ++i)
      for (std::int64_t j = 0; j < d.local().extent_int(1); ++j) {
        const auto from = static_cast<std::size_t>(d.row(i)), to = static_cast<std::size_t>(d.column(j));
        error = std::max(error, std::abs(static_cast<double>(here(i, j)) - (at[to] - at[from])));
        if (from == to) CHECK(here(i, j) == 0);
      }
    CHECK(error < 2 * n * 100. * static_cast<double>(std::numeric_limits<T>::epsilon()));
    CHECK(error_of<blockfw::NegativeCycle>([&] {
            d.solve(d.fill(mine(edges)), {.strict_cycles = rank() == 0});
          }).starts_with("negative cycle: vertex "));
  }
  add(3, 5, -.1);
  Matrix<T> d(MPI_COMM_WORLD, n);
  const std::string found = error_of<blockfw::NegativeCycle>([&] { d.solve(d.fill(mine(edges))); });
  CHECK(found.starts_with("negative cycle: vertex "));
}

TEST_CASE("paths of any magnitude do not hide a negative cycle from the ranks") {
  const int n = 40;
  for (const double magnitude : {1e-290, 1., 1e40}) {
    for (const bool negative : {false, true}) {
      Random random(7);  // (the same on all ranks)
      std::vector<Edge<double>> edges = {
          {20, 21, -magnitude}, {21, 22, -magnitude}, {22, 20, (negative ? 1.5 : 2) * magnitude}};
      for (int e = 0; e < 4 * n; ++e) {
        const int a = uniform(random, 0, n - 1), b = uniform(random, 0, n - 1);
        const double size = std::pow(10., uniform(random, -300, 290));
        if (a < b && !(a >= 20 && b <= 22)) edges.push_back({a, b, uniform(random, 0, 1) > 0 ? size : -size});
      }
      CAPTURE(magnitude);
      for (const ProcessGrid& grid : grids()) {
        Matrix<double> d(MPI_COMM_WORLD, n, grid);
        if (negative)
          CHECK(error_of<blockfw::NegativeCycle>([&] {
                  d.solve(d.fill(mine(edges)));
                }).starts_with("negative cycle: vertex 2"));
        else
          CHECK_NOTHROW(d.solve(d.fill(mine(edges))));
      }
    }
  }
}
