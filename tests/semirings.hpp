// SPDX-License-Identifier: MIT
/// \file
/// \brief Compares a semiring with closures by repeated squaring, whose ⊕ and ⊗ work on doubles.
#pragma once

#include "graphs.hpp"

#include <array>
#include <cmath>
#include <functional>

using blockfw::Direction;
using blockfw::infinity;
using blockfw::MaxMin;
using blockfw::MaxPlus;
using blockfw::MaxTimes;
using blockfw::MinMax;
using blockfw::solve;
using Exec = Kokkos::DefaultExecutionSpace;

/// An independent definition of a semiring: ⊕ and ⊗ as functions on doubles.
struct Algebra {
  std::function<double(double, double)> plus, times;
  double zero, one;
};

/// The ⊕ of all paths of up to 1, 2, 4, ... edges.
inline std::vector<double> closure(const Algebra& s, int n, std::vector<double> d) {
  const auto at = [n](int i, int j) { return static_cast<std::size_t>(i * n + j); };
  for (int i = 0; i < n; ++i) d[at(i, i)] = s.one;
  for (int reach = 1; reach < n; reach *= 2) {
    std::vector<double> next = d;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        for (int k = 0; k < n; ++k)
          if (d[at(i, k)] != s.zero && d[at(k, j)] != s.zero)
            next[at(i, j)] = s.plus(next[at(i, j)], s.times(d[at(i, k)], d[at(k, j)]));
    d = std::move(next);
  }
  return d;
}

/// The graph's matrix over the algebra: repeated edges are joined by ⊕, and self loops are left out.
inline std::vector<double> matrix_of(const Algebra& s, const oracle::Graph<double>& g) {
  std::vector<double> d(static_cast<std::size_t>(g.n * g.n), s.zero);
  for (const auto& e : g.edges)
    if (double& at = d[static_cast<std::size_t>(e.from * g.n + e.to)]; e.from != e.to) at = s.plus(at, e.weight);
  return d;
}

template <class View>
int wrong_entries(const View& matrix, const std::vector<double>& expected) {
  const auto d = readable(matrix);
  int wrong = 0;
  for (std::size_t i = 0; i < d.extent(0); ++i)
    for (std::size_t j = 0; j < d.extent(1); ++j)
      wrong += static_cast<double>(d(i, j)) != expected[i * d.extent(0) + j];
  return wrong;
}

/// Graphs of few and many edges, repeated ones and self loops among them; weights that floats hold exactly.
inline oracle::Graph<double> random_graph(Random& random, int n, int edges,
                                          const std::function<double(Random&)>& weight) {
  oracle::Graph<double> g{n, {}};
  for (int e = 0; e < edges; ++e)
    g.edges.push_back({uniform(random, 0, n - 1), uniform(random, 0, n - 1), weight(random)});
  return g;
}

template <class S>
void check(const Algebra& algebra, const std::function<double(Random&)>& weight, bool acyclic = false) {
  using T = typename S::value_type;
  Random random(11);
  for (const int n : {1, 2, 7, 31, 64, 65, 100})
    for (const int edges : {0, n, 3 * n, n * n}) {
      CAPTURE(n);
      CAPTURE(edges);
      auto g = random_graph(random, n, edges, weight);
      if (acyclic) std::erase_if(g.edges, [](const auto& e) { return e.from >= e.to; });
      std::vector<blockfw::Edge<T>> list;
      for (const auto& e : g.edges) list.push_back({e.from, e.to, static_cast<T>(e.weight)});
      const auto directed = matrix_of(algebra, g), expected = closure(algebra, n, directed);
      CHECK(wrong_entries(solve<S>(n, list), expected) == 0);

      const auto order = static_cast<std::size_t>(n);
      const SharedMatrix<T> w("w", order, order);
      for (std::size_t i = 0; i < order; ++i)
        for (std::size_t j = 0; j < order; ++j) w(i, j) = static_cast<T>(directed[i * order + j]);
      CHECK(wrong_entries(solve<S>(w), expected) == 0);
      for (std::size_t i = 0; i < order; ++i) w(i, i) = S::one();
      const Kokkos::View<T**, Kokkos::LayoutRight, Kokkos::SharedSpace> at_pointer("at_pointer", order, order);
      for (std::size_t i = 0; i < order; ++i)
        for (std::size_t j = 0; j < order; ++j) at_pointer(i, j) = w(i, j);
      blockfw::blocked_floyd_warshall<blockfw::Tile<24, 8, 3>, S>(Exec(), w);
      blockfw::blocked_floyd_warshall<blockfw::Tile<24, 8, 3>, S>(Exec(), at_pointer.data(), n, n);
      Exec().fence();
      int differ = 0;
      for (std::size_t i = 0; i < order; ++i)
        for (std::size_t j = 0; j < order; ++j) differ += at_pointer(i, j) != w(i, j);
      CHECK(differ == 0);
      if constexpr (std::is_integral_v<T> && std::is_same_v<S, MaxPlus<T>>)
        blockfw::mark_unreachable<S>(Exec(), w, static_cast<T>(-20 * n));
      Exec().fence();
      CHECK(wrong_entries(w, expected) == 0);

      if (acyclic) continue;
      auto mirrored = oracle::mirrored(g);
      const auto both_directions = closure(algebra, n, matrix_of(algebra, mirrored));
      CHECK(wrong_entries(solve<S>(n, list, {.direction = Direction::undirected}), both_directions) == 0);
      if constexpr (blockfw::detail::is_commutative<S>) {
        std::vector<blockfw::Edge<T>> mirrored_list;
        for (const auto& e : mirrored.edges) mirrored_list.push_back({e.from, e.to, static_cast<T>(e.weight)});
        const Kokkos::View<blockfw::Edge<T>*, Kokkos::HostSpace> there("edges", mirrored_list.size());
        std::copy(mirrored_list.begin(), mirrored_list.end(), there.data());
        blockfw::fill_from_edges<S>(Exec(), w, blockfw::reachable_edges(Exec(), there));
        blockfw::blocked_floyd_warshall<blockfw::Tile<16>, S>(Exec(), w, {Direction::undirected});
        Exec().fence();
        CHECK(wrong_entries(w, both_directions) == 0);
      }
    }
}

inline double minimum(double a, double b) { return a < b ? a : b; }
inline double maximum(double a, double b) { return a > b ? a : b; }
template <class T>
inline constexpr double top = static_cast<double>(infinity<T>);

inline double whole(Random& random) { return uniform(random, -20, 20); }
/// A power of 1/2: products are exact.
inline double probability(Random& random) { return std::ldexp(1, -uniform(random, 0, 1)); }
