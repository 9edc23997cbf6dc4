// The phases as parts for other drivers, and the runs they are cut into.
#include "graphs.hpp"

#include "blockfw/detail/runs.hpp"
#include "blockfw/phases.hpp"

namespace {

using Exec = Kokkos::DefaultHostExecutionSpace;
using T = std::int32_t;
using Matrix = Kokkos::View<T**, Kokkos::LayoutRight, Kokkos::HostSpace>;
using Phases = blockfw::Phases<blockfw::Tile<8>, Exec, blockfw::MinPlus<T>>;
using Ref = Phases::Ref;
constexpr int block = 8;

/// A range of rows (or columns), and where in it the pivot of round k lies.
struct Part {
  std::int64_t first, count;
  std::int64_t start(std::int64_t k) const {
    const std::int64_t at = k * block - first;
    return at >= 0 && at < count ? at : blockfw::PivotPosition::outside;
  }
};

/// A matrix in a memory of its own.
Ref piece(const Matrix& m) {
  return Ref(m.data(), Kokkos::LayoutStride(m.extent(0), m.stride(0), m.extent(1), m.stride(1)));
}

/// Solves a graph as several devices would: each part of the rows, and of the columns, is a matrix of its own, and
/// what a part needs of another goes through copies.
Matrix solve_in_parts(const Graph& g, const std::vector<Part>& down, const std::vector<Part>& across) {
  const Exec exec;
  const std::int64_t n = g.n;
  const Matrix whole("whole", g.n, g.n);
  fill(whole, g);

  std::vector<std::vector<Matrix>> parts(down.size());
  for (std::size_t r = 0; r < down.size(); ++r)
    for (const Part& c : across) {
      parts[r].emplace_back("part", down[r].count, c.count);
      Kokkos::deep_copy(parts[r].back(),
                        blockfw::submatrix(piece(whole), down[r].first, down[r].count, c.first, c.count));
    }

  for (std::int64_t k = 0; k * block < n; ++k) {
    const std::int64_t count = std::min<std::int64_t>(block, n - k * block);
    std::size_t pr = 0, pc = 0;
    while (down[pr].start(k) < 0) ++pr;
    while (across[pc].start(k) < 0) ++pc;
    const std::int64_t row = down[pr].start(k), col = across[pc].start(k);

    // What is sent around: the pivot, the row panel in pieces, the column panel in pieces.
    const Matrix pivot("pivot", count, count);
    std::vector<Matrix> row_panel, col_panel;
    const Ref home = blockfw::submatrix(piece(parts[pr][pc]), row, count, col, count);
    Phases::close_pivot(exec, home);
    Kokkos::deep_copy(exec, pivot, home);
    for (std::size_t c = 0; c < across.size(); ++c) {
      const Ref own = blockfw::submatrix(piece(parts[pr][c]), row, count, 0, across[c].count);
      const Ref nothing = blockfw::submatrix(own, 0, 0, 0, count);
      Phases::update_panels(exec, piece(pivot), own, nothing, {blockfw::PivotPosition::outside, across[c].start(k)});
      row_panel.emplace_back("row panel", count, across[c].count);
      Kokkos::deep_copy(exec, row_panel.back(), own);
    }
    for (std::size_t r = 0; r < down.size(); ++r) {
      const Ref own = blockfw::submatrix(piece(parts[r][pc]), 0, down[r].count, col, count);
      const Ref nothing = blockfw::submatrix(own, 0, std::min(count, down[r].count), 0, 0);
      Phases::update_panels(exec, piece(pivot), nothing, own, {down[r].start(k), blockfw::PivotPosition::outside});
      col_panel.emplace_back("column panel", down[r].count, count);
      Kokkos::deep_copy(exec, col_panel.back(), own);
    }
    for (std::size_t r = 0; r < down.size(); ++r)
      for (std::size_t c = 0; c < across.size(); ++c)
        Phases::update_rest(exec, piece(pivot), piece(row_panel[c]), piece(col_panel[r]), piece(parts[r][c]),
                            {down[r].start(k), across[c].start(k)});
  }

  for (std::size_t r = 0; r < down.size(); ++r)
    for (std::size_t c = 0; c < across.size(); ++c)
      Kokkos::deep_copy(
          blockfw::submatrix(piece(whole), down[r].first, down[r].count, across[c].first, across[c].count),
          parts[r][c]);
  exec.fence();
  return whole;
}

}  // namespace

TEST_CASE("rows and columns on several devices") {
  const int n = 61;
  const std::vector<Part> whole{{0, n}}, halves{{0, 24}, {24, n - 24}}, thirds{{0, 8}, {8, 40}, {48, n - 48}};
  Random random(5);
  for (const Graph& g : {scattered(random, n, 3 * n, 0, 50), complete(random, n, 1000),
                         shifted(scattered(random, n, 10 * n, 0, 50), potentials(random, n))}) {
    Matrix expected("expected", n, n);
    fill(expected, g);
    blockfw::blocked_floyd_warshall<blockfw::Tile<block>>(expected);
    if (!std::any_of(g.edges.begin(), g.edges.end(), [](const auto& e) { return e.weight < 0; }))
      CHECK(difference(expected, oracle::distances(g)) == "");
    oracle::Distances<std::int64_t> in_one(n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) in_one[static_cast<std::size_t>(i)].push_back(expected(i, j));

    CHECK(difference(solve_in_parts(g, whole, whole), in_one) == "");
    CHECK(difference(solve_in_parts(g, halves, whole), in_one) == "");
    CHECK(difference(solve_in_parts(g, whole, halves), in_one) == "");
    CHECK(difference(solve_in_parts(g, halves, thirds), in_one) == "");
    CHECK(difference(solve_in_parts(g, thirds, halves), in_one) == "");
  }
}

TEST_CASE("a pivot that holds a negative cycle leaves all else alone") {
  const Exec exec;
  Random random(6);
  Graph g = complete(random, 3 * block, 1000);
  g.edges.push_back({block + 1, block + 2, -5});
  g.edges.push_back({block + 2, block + 1, 4});
  const Matrix d("d", g.n, g.n), before("before", g.n, g.n);
  fill(d, g);
  const Ref m = piece(d), pivot = blockfw::submatrix(m, block, block, block, block);
  const Ref row_panel = blockfw::submatrix(m, block, block, 0, g.n),
            col_panel = blockfw::submatrix(m, 0, g.n, block, block);
  Phases::close_pivot(exec, pivot);
  Kokkos::deep_copy(before, d);
  CHECK(d(block + 2, block + 2) < 0);
  Phases::update_panels(exec, pivot, row_panel, col_panel, {block, block});
  Phases::update_rest(exec, pivot, row_panel, col_panel, m, {block, block});
  exec.fence();
  int changed = 0;
  for (int i = 0; i < g.n; ++i)
    for (int j = 0; j < g.n; ++j) changed += d(i, j) != before(i, j);
  CHECK(changed == 0);
}

TEST_CASE("looking ahead closes the next pivot, even past one that holds a negative cycle") {
  const Exec exec;
  for (const bool cycle : {false, true})
    for (const int n : {block + 3, 3 * block, 20 * block}) {
      CAPTURE(cycle);
      CAPTURE(n);
      Random random(7);
      Graph g = complete(random, n, 1000);
      if (cycle) g.edges.push_back({1, 1, -5});
      Matrix solved[2];
      for (const auto ahead : {blockfw::LookAhead::none, blockfw::LookAhead::close_next}) {
        const Matrix d("d", g.n, g.n);
        fill(d, g);
        const Ref m = piece(d), pivot = blockfw::submatrix(m, 0, block, 0, block);
        const Ref row_panel = blockfw::submatrix(m, 0, block, 0, n), col_panel = blockfw::submatrix(m, 0, n, 0, block);
        Phases::close_pivot(exec, pivot);
        Phases::update_panels(exec, pivot, row_panel, col_panel, {0, 0});
        Phases::update_rest(exec, pivot, row_panel, col_panel, m, {0, 0}, ahead);
        if (ahead == blockfw::LookAhead::none) {
          const std::int64_t next = std::min<std::int64_t>(block, n - block);
          Phases::close_pivot(exec, blockfw::submatrix(m, block, next, block, next));
        }
        exec.fence();
        solved[ahead == blockfw::LookAhead::close_next] = d;
      }
      int different = 0;
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) different += solved[0](i, j) != solved[1](i, j);
      CHECK(different == 0);
    }
}

TEST_CASE("panels that do not fit are refused before anything runs") {
  const Exec exec;
  const Matrix d("d", 3 * block, 3 * block);
  const Ref m = piece(d), pivot = blockfw::submatrix(m, 0, block, 0, block), wide = blockfw::submatrix(m, 0, 9, 0, 9);
  const Ref row_panel = blockfw::submatrix(m, 0, block, 0, 24), col_panel = blockfw::submatrix(m, 0, 24, 0, block);
  CHECK_THROWS_AS(Phases::update_panels(exec, wide, row_panel, col_panel, {0, 0}), blockfw::InvalidInput);
  CHECK_THROWS_AS(Phases::update_panels(exec, pivot, m, col_panel, {0, 0}), blockfw::InvalidInput);
  CHECK_THROWS_AS(Phases::update_panels(exec, pivot, row_panel, m, {0, 0}), blockfw::InvalidInput);
  CHECK_THROWS_AS(Phases::update_rest(exec, pivot, row_panel, col_panel, pivot, {0, 0}), blockfw::InvalidInput);
}

TEST_CASE("runs cover everything but the pivot once") {
  for (std::int64_t extent = 0; extent <= 12; ++extent)
    for (std::int64_t pivot = -2; pivot <= extent + 2; ++pivot)
      for (std::int64_t width = 1; width <= 4; ++width)
        for (std::int64_t longest = 1; longest <= 5; ++longest) {
          CAPTURE(extent);
          CAPTURE(pivot);
          CAPTURE(width);
          CAPTURE(longest);
          const blockfw::detail::Runs runs(extent, pivot, width, longest);
          std::vector<int> covered(static_cast<std::size_t>(extent), 0);
          for (std::int64_t r = 0; r < runs.size(); ++r) {
            const auto run = runs[r];
            CHECK(run.count >= 1);
            CHECK(run.count <= longest);
            for (std::int64_t t = run.first; t < run.first + run.count; ++t) ++covered.at(static_cast<std::size_t>(t));
          }
          for (std::int64_t t = 0; t < extent; ++t)
            CHECK(covered[static_cast<std::size_t>(t)] == (pivot >= 0 && t >= pivot && t < pivot + width ? 0 : 1));
          if (pivot >= 0 && pivot + width < extent) CHECK(runs[runs.before()].first == pivot + width);
        }
}
