// SPDX-License-Identifier: MIT
#include "matrices.hpp"

#include <cmath>

TEST_CASE("every kind of float matrix") { check_all_tiles<float>(); }

TEST_CASE("every kind of double matrix") { check_all_tiles<double>(); }

TEST_CASE_TEMPLATE("fractions: as close as their type allows", T, float, double) {
  Random random(7);
  std::uniform_real_distribution<T> weight(T(0.001), T(1));
  const int n = 150;
  oracle::Graph<double> g{n, {}};
  const SharedMatrix<T> d("d", n, n);
  Kokkos::deep_copy(d, blockfw::infinity<T>);
  for (int i = 0; i < n; ++i) d(i, i) = 0;
  for (int e = 0; e < 3 * n; ++e) {
    const int from = uniform(random, 0, n - 1), to = uniform(random, 0, n - 1);
    const T w = weight(random);
    g.edges.push_back({from, to, static_cast<double>(w)});
    d(from, to) = std::min(d(from, to), w);
  }
  blockfw::blocked_floyd_warshall<blockfw::Tile<32>>(d);

  const auto expected = oracle::distances(g);
  const double tolerance = 20 * static_cast<double>(std::numeric_limits<T>::epsilon());
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const double e = expected[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
      const auto is = static_cast<double>(d(i, j));
      wrong += e == oracle::unreachable<double> ? !std::isinf(is) : !(std::abs(is - e) <= tolerance * e);
    }
  CHECK(wrong == 0);
}

// A device may relax two pivots at a time as long as no entry of a panel has been negative.
TEST_CASE("floats below 0, in a few tiles only") {
  const int n = 330;
  for (const int vertex : {0, 100, n - 1})
    for (const int potential : {-1000, 1000, 0})
      for (const float zero : {0.0f, -0.0f}) {
        CAPTURE(vertex);
        CAPTURE(potential);
        CAPTURE(std::signbit(zero));
        Random random(5);
        Graph g = scattered(random, n, 4 * n, 0, 100);
        // The vertex only has edges to and from late vertices. They are negative in one direction, so that only late
        // panels have negative entries.
        std::erase_if(g.edges, [&](const auto& e) {
          return (e.from == vertex || e.to == vertex) && e.from + e.to < vertex + n / 2;
        });
        std::vector<int> h(n, 0);
        h[static_cast<std::size_t>(vertex)] = potential;
        g = shifted(g, h);
        const SharedMatrix<float> d("d", n, n), e("e", n, n);
        fill(d, g);
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < n; ++j)
            if (i != j && d(i, j) == 0) d(i, j) = zero;
        Kokkos::deep_copy(e, d);
        const auto expected = oracle::distances(g);
        blockfw::blocked_floyd_warshall<blockfw::Tile<8>>(d);
        CHECK(difference(d, expected) == "");
        blockfw::blocked_floyd_warshall(e);
        CHECK(difference(e, expected) == "");
      }
}

// A NaN is neither smaller nor larger than a sum, so it does not spread. On a host it hides the paths between its two
// vertices; a device may replace it with the length of one.
TEST_CASE_TEMPLATE("a NaN: part of no sum", T, float, double) {
  const int n = 20;
  Random random(3);
  const Graph g = scattered(random, n, 3 * n, 0, 100);
  const auto expected = oracle::distances(g);
  for (const T nan : {std::numeric_limits<T>::quiet_NaN(), -std::numeric_limits<T>::quiet_NaN()}) {
    const SharedMatrix<T> d("d", n, n);
    fill(d, g);
    d(4, 9) = nan;
    blockfw::blocked_floyd_warshall<blockfw::Tile<8>>(d);

    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        CAPTURE(i);
        CAPTURE(j);
        const auto e = expected[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
        if (i == 4 && j == 9 && (!on_device || std::isnan(d(i, j))))
          CHECK(std::isnan(d(i, j)));
        else
          CHECK(d(i, j) >= static_cast<T>(e == oracle::unreachable<std::int64_t> ? 0 : e));
      }
  }
}
