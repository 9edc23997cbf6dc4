// SPDX-License-Identifier: MIT
// Tests of ranks alone: the place of each entry, and common decisions, answers and errors, so that no rank is left
// waiting. mpiexec starts any number of ranks. (test_places.cpp, test_shares.cpp and test_solved.cpp test ranks and
// devices alike.)
#include "ranks.hpp"

#include "blockfw/paths.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using blockfw::Direction;
using blockfw::Edge;
using blockfw::ProcessGrid;
using blockfw::SolveOptions;
using Edges = std::vector<Edge<std::int32_t>>;
using Exec = Kokkos::DefaultExecutionSpace;
using Matrix = blockfw::DistributedMatrix<std::int32_t>;
constexpr int tile = blockfw::default_tile<Exec, std::int32_t>::block;

/// The text of the InvalidInput that f throws.
template <class F>
std::string refusal(const F& f) {
  return error_of<blockfw::InvalidInput>(f);
}
std::string different(const std::string& what) { return "the ranks pass different " + what + ", expected the same"; }

}  // namespace

TEST_CASE("half the work is refused where rows are dealt another way") {
  if (ranks() == 1) return;
  Matrix d(MPI_COMM_WORLD, 12 * tile, {ranks(), 1, 1});
  CHECK(refusal([&] { d.floyd_warshall({Direction::undirected}, false); }) ==
        "half the work for an undirected graph needs a grid of one column whose ranks have neighbouring rows, as "
        "neighbouring_rows() makes it");
}

TEST_CASE("each entry lies in one place") {
  for (ProcessGrid grid : grids())
    for (grid.block_tiles = 1; grid.block_tiles < 4; ++grid.block_tiles) {
      const int n = 5 * tile + 3;
      const Matrix d(MPI_COMM_WORLD, n, grid);
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

TEST_CASE("a dense solve, dealt to the ranks in every grid") {
  Random random(37);
  const int n = 5 * tile + 3;
  const Graph g = scattered(random, n, 8 * n, 1, 50);
  const auto expected = oracle::distances(g);
  const Edges edges = edges_of<std::int32_t>(g);
  for (ProcessGrid grid : grids())
    for (grid.block_tiles = 1; grid.block_tiles < 3; ++grid.block_tiles) {
      Matrix d(MPI_COMM_WORLD, n, grid);
      d.solve(d.fill(mine(edges)));
      const auto local = readable(d.local());
      int wrong = 0;
      for (std::size_t i = 0; i < local.extent(0); ++i)
        for (std::size_t j = 0; j < local.extent(1); ++j) {
          const auto there = expected[static_cast<std::size_t>(d.row(static_cast<std::int64_t>(i)))]
                                     [static_cast<std::size_t>(d.column(static_cast<std::int64_t>(j)))];
          wrong += local(i, j) != (there == oracle::unreachable<std::int64_t> ? blockfw::infinity<std::int32_t>
                                                                              : static_cast<std::int32_t>(there));
        }
      CHECK(wrong == 0);
    }
}

TEST_CASE("the range of the weights is that of all edges") {
  Matrix d(MPI_COMM_WORLD, 20);
  Edges edges;
  if (rank() == 0) edges = {{0, 1, 7}};
  if (rank() == ranks() - 1) edges.push_back({3, 4, -2});
  CHECK(d.fill(Edges{}).empty());
  const auto range = d.fill(edges);
  CHECK(range.smallest == -2);
  CHECK(range.largest == 7);
}

TEST_CASE("a matrix of another shape on one rank is an error on all") {
  Matrix d(MPI_COMM_WORLD, 20);
  d.solve(d.fill(Edges{}));
  const std::size_t rows = rank() == ranks() - 1 ? 19 : 20;
  const Kokkos::View<std::int32_t**, Kokkos::LayoutRight, Kokkos::HostSpace> other("other", rows, 20);
  const std::string expected = "the matrix 'other' is 19 x 20, expected 20 rows and columns";
  CHECK(error_of<blockfw::InvalidInput>([&] { d.copy_to(other); }) == expected);
  CHECK(error_of<blockfw::InvalidInput>([&] { d.copy_from(other); }) == expected);
}

TEST_CASE("an error of one rank is that of all") {
  const int last = ranks() - 1;
  Matrix d(MPI_COMM_WORLD, 20);
  Edges edges = {{0, 1, 5}};

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
    CHECK(error_of<blockfw::OutOfMemory>([&] { blockfw::detail::together(world, fail(std::bad_alloc())); }) ==
          "a rank needs more memory than is available");
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
  const auto refused = [](std::int64_t n, ProcessGrid grid = {}) {
    return refusal([&] { Matrix(MPI_COMM_WORLD, n, grid); });
  };
  CHECK(refused(-1) == "the number of vertices is -1, expected 0 or more");
  const std::int64_t most = std::numeric_limits<std::int32_t>::max() - tile;
  CHECK(refused(std::int64_t(1) << 31) ==
        "the number of vertices is 2147483648, expected " + std::to_string(most) + " or fewer");
  const std::string all = std::to_string(ranks());
  CHECK(refused(5, {ranks() + 1, 1}) ==
        "a grid of " + std::to_string(ranks() + 1) + " x 1 processes, expected one of " + all);
  CHECK(refused(5, {ranks(), 2}) == "a grid of " + all + " x 2 processes, expected one of " + all);
  CHECK(refused(5, {-1, 1}) == "a grid of -1 x 1 processes, expected one of " + all);
  CHECK(refused(5, {0, 0, -1}) == "blocks of -1 tiles, expected 1 or more");
  if (ranks() > 1) {
    CHECK(refused(5 + rank()) == different("numbers of vertices"));
    CHECK(refused(5, {rank() == 0 ? 1 : 0, 0}) == different("grids"));
  }
}

TEST_CASE("more than the memory is refused on all ranks before it is asked for") {
  const std::string text = error_of<blockfw::OutOfMemory>([&] { Matrix(MPI_COMM_WORLD, 50'000'000); });
  CHECK(text.starts_with("rank 0 of " + std::to_string(ranks()) + ": "));
  CHECK(text.find("of the distances of 50000000 vertices need ") != std::string::npos);
}

TEST_CASE("all ranks decide the same, and throw the same") {
  constexpr int least = static_cast<int>(blockfw::detail::narrow_from<Exec>), order = least + 77;
  Random random(38);
  const auto edges = edges_of<std::int32_t>(scattered(random, order, 12 * order, 1, 100));
  const int last = ranks() - 1;
  const auto solve = [&](int n, const Edges& own, bool narrow = true, blockfw::Method method = {}) {
    blockfw::RankOptions options{.first_edge = 100};
    options.solve.narrow = narrow;
    options.solve.method = method;
    return blockfw::solve(MPI_COMM_WORLD, n, own, options);
  };
  CHECK(solve(order, mine(edges)).bits() == 16);
  CHECK(solve(order, mine(edges), rank() != last).bits() == 32);  // not all allow fewer
  for (const int owner : {0, last})                               // the others have none
    CHECK(solve(order, rank() == owner ? edges : Edges{}).bits() == 16);

  Edges own = {{0, 1, 5}};
  if (rank() == last) own.push_back({3, order, 1});
  const auto text =
      "edge 101: vertex " + std::to_string(order) + " is out of range, expected 0 to " + std::to_string(order - 1);
  CHECK(error_of<blockfw::InvalidEdge>([&] { solve(order, own); }) == text);
  CHECK(error_of<blockfw::InvalidEdge>([&] { solve(order, own, false); }) == text);
  own = {{0, 1, rank() == last ? 1 << 29 : 1}, {2, 3, rank() == 0 ? 1 << 29 : 1}};
  CHECK(error_of<blockfw::OverflowRisk>([&] {
          solve(order, own, true, blockfw::Method::dense);
        }).starts_with("weights from "));
  // (Elimination finds that no path is longer than an edge.)
  CHECK(solve(order, own, true, blockfw::Method::sparse).distance(0, 1) == (ranks() > 1 ? 1 : 1 << 29));
  own.clear();
  if (rank() == last) own = {{17, 18, 1}, {18, 17, -2}};
  CHECK(error_of<blockfw::NegativeCycle>([&] { solve(order, own); }).starts_with("negative cycle: vertex 1"));
  CHECK(error_of<blockfw::OutOfMemory>([&] {
          solve(50'000'000, {});
        }).starts_with("rank 0 of " + std::to_string(ranks()) + ": "));
  const auto in_grid = [&](ProcessGrid grid) {
    return refusal([&] { blockfw::solve(MPI_COMM_WORLD, order, mine(edges), blockfw::RankOptions{.grid = grid}); });
  };
  CHECK(in_grid({ranks(), 2}).starts_with("a grid of " + std::to_string(ranks()) + " x 2 processes"));
  if (ranks() == 1) return;
  CHECK(in_grid(rank() == 0 ? ProcessGrid{} : ProcessGrid{ranks(), 1, 0}) == different("grids"));
  for (const int other : {least - 1, order + 1})
    CHECK(refusal([&] { solve(rank() == 0 ? other : order, {}); }) == different("numbers of vertices"));
}

TEST_CASE("ranks that ask for different answers are told, and none is left waiting") {
  if (ranks() == 1) return;
  Random random(39);
  const auto edges = edges_of<std::int32_t>(scattered(random, 100, 300, 1, 9));
  auto d = blockfw::solve(MPI_COMM_WORLD, 100, mine(edges));
  CHECK(d.ranks().size() == ranks());
  CHECK(refusal([&] { d.distance(0, rank()); }) == different("vertices"));
  CHECK(refusal([&] { d.distances_from(std::vector<int>(static_cast<std::size_t>(rank()), 3)); }) ==
        different("sources"));
  CHECK(refusal([&] { blockfw::PathsInShares(d, edges).path(rank() == 0 ? 1 : 2, 5); }) == different("sources"));
  CHECK((refusal([&] { blockfw::PathsInShares(d, edges).path(0, rank() == 0 ? 5 : 500); }) == "no error") ==
        (rank() == 0));
  CHECK(refusal([&] { d.gather(rank() == 0 ? 0 : 1); }) == different("roots"));
  CHECK(refusal([&] { d.reach(rank() == 0 ? blockfw::Towards::others : blockfw::Towards::itself); }) ==
        different("sides"));
  CHECK(refusal([&] { d.insert_edge(0, 1, 2000 - rank()); }) == different("edges"));
  CHECK(refusal([&] { d.insert_edge(0, 1, rank() == 0 ? 2 : 20'000); }) == different("edges"));
}

TEST_CASE("a matrix of weights that ranks do not take is refused on all of them") {
  const HostMatrix<int> few("few", 4, 4);
  SolveOptions options, sparse;
  options.direction = rank() == 0 ? Direction::undirected : Direction::directed;
  sparse.method = blockfw::Method::sparse;
  if (ranks() > 1) {
    const std::size_t n = rank() == 0 ? 4 : 5;
    const HostMatrix<int> other("other", n, n);
    CHECK(refusal([&] { blockfw::solve(MPI_COMM_WORLD, other); }) == different("numbers of vertices"));
    CHECK(refusal([&] { blockfw::solve(MPI_COMM_WORLD, other, sparse); }) == different("numbers of vertices"));
    CHECK(refusal([&] { blockfw::solve(MPI_COMM_WORLD, few, options); }) == different("directions"));
  }
  for (const bool narrow : {false, true}) {
    options.direction = Direction::undirected;
    options.narrow = narrow;
    CHECK(refusal([&] { blockfw::solve(MPI_COMM_WORLD, few, blockfw::RankOptions{options, {0, 0, -3}}); }) ==
          "blocks of -3 tiles, expected 1 or more");
  }
  CHECK(refusal([&] { blockfw::solve(MPI_COMM_WORLD, few, blockfw::RankOptions{.first_edge = 1}); }) ==
        "the option first_edge is set, which solve() of a matrix does not use");
}
