// SPDX-License-Identifier: MIT
/// \file
/// \brief Random graphs of many families, and the comparison of a result with the oracle.
#pragma once

#include "blockfw/solve.hpp"
#include "oracle.hpp"
#include "spaces.hpp"

#include <doctest/doctest.h>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

/// Every type of distances. With sanitizers there are fewer types, since sanitizers take long to compile and to run.
#ifdef __SANITIZE_ADDRESS__
#define ALL_TYPES std::int16_t, std::int32_t, double
#else
#define ALL_TYPES std::int16_t, std::int32_t, std::int64_t, float, double
#endif

/// Weights in tests are integers for all types under test, so that every sum is exact.
using Graph = oracle::Graph<std::int64_t>;
using Random = std::mt19937;

inline int uniform(Random& random, int low, int high) { return std::uniform_int_distribution(low, high)(random); }

/// The weights of the families lie in [-heaviest - 1, 2 heaviest], which int16 can take (see require_safe_sums).
inline int heaviest(int n) { return std::min(1000, (16382 / (n + 1) - 1) / 3); }

/// Random edges, with repeated ones and self loops among them.
inline Graph scattered(Random& random, int n, int edges, int low, int high) {
  Graph g{n, {}};
  for (int e = 0; e < edges; ++e)
    g.edges.push_back({uniform(random, 0, n - 1), uniform(random, 0, n - 1), uniform(random, low, high)});
  return g;
}

inline Graph complete(Random& random, int n, int high) {
  Graph g{n, {}};
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) g.edges.push_back({i, j, uniform(random, 0, high)});
  return g;
}

inline std::vector<int> potentials(Random& random, int n) {
  std::vector<int> h(static_cast<std::size_t>(n));
  for (int& x : h) x = uniform(random, 0, heaviest(n));
  return h;
}

/// Adds h(from) - h(to) to each weight: many become negative, and every cycle keeps its length.
inline Graph shifted(Graph g, const std::vector<int>& h) {
  for (auto& e : g.edges) e.weight += h[static_cast<std::size_t>(e.from)] - h[static_cast<std::size_t>(e.to)];
  return g;
}

/// A shifted graph with a ring of the given length through some vertices: shortest paths tie (0) or do not exist (-1)
/// only there.
inline Graph with_ring(Random& random, int n, int length) {
  Graph g = scattered(random, n, 2 * n, 0, heaviest(n));
  const int first = uniform(random, 0, n - 1), vertices = uniform(random, 1, n);
  for (int v = 0; v < vertices; ++v)
    g.edges.push_back({(first + v) % n, (first + (v + 1) % vertices) % n, v == 0 ? length : 0});
  return shifted(g, potentials(random, n));
}

struct Family {
  const char* name;
  Graph (*make)(Random&, int n);
};

inline const Family families[] = {
    {"sparse", [](Random& r, int n) { return scattered(r, n, 2 * n, 0, heaviest(n)); }},
    {"complete", [](Random& r, int n) { return complete(r, n, heaviest(n)); }},
    {"disconnected",
     [](Random& r, int n) {
       Graph g = scattered(r, n, 6 * n, 0, heaviest(n));
       std::erase_if(g.edges, [](const auto& e) { return e.from % 3 != e.to % 3; });
       return g;
     }},
    {"no edges", [](Random&, int n) { return Graph{n, {}}; }},
    {"zero weights", [](Random& r, int n) { return scattered(r, n, 2 * n, 0, 0); }},
    {"ties", [](Random& r, int n) { return scattered(r, n, 4 * n, 0, 2); }},
    {"negative, sparse",
     [](Random& r, int n) { return shifted(scattered(r, n, 2 * n, 0, heaviest(n)), potentials(r, n)); }},
    {"negative, complete", [](Random& r, int n) { return shifted(complete(r, n, heaviest(n)), potentials(r, n)); }},
    {"cycle of length 0", [](Random& r, int n) { return with_ring(r, n, 0); }},
    {"cycle of length -1", [](Random& r, int n) { return with_ring(r, n, -1); }},
    {"negative cycles", [](Random& r, int n) { return scattered(r, n, 2 * n, -heaviest(n) / 4, heaviest(n)); }},
};

template <class T>
std::vector<blockfw::Edge<T>> edges_of(const Graph& g) {
  std::vector<blockfw::Edge<T>> edges;
  for (const auto& e : g.edges) edges.push_back({e.from, e.to, static_cast<T>(e.weight)});
  return edges;
}

/// The edges with weights that the semiring takes, and whose sums and products are exact.
template <class S, class T = typename S::value_type>
std::vector<blockfw::Edge<T>> edges_over(const Graph& g) {
  auto edges = edges_of<T>(g);
  for (auto& e : edges) {
    if constexpr (std::is_floating_point_v<T>)
      if constexpr (std::is_same_v<S, blockfw::MaxTimes<T>>)
        e.weight = std::ldexp(T(1), -1 - static_cast<int>(e.weight) % 5);
    if constexpr (std::is_same_v<S, blockfw::MaxPlus<T>>) e.weight = -e.weight;
  }
  return edges;
}

/// Writes the graph's matrix into d: 0 on the diagonal, `none` where there is no edge.
template <class View>
void fill(const View& d, const Graph& g,
          typename View::value_type none = blockfw::infinity<typename View::value_type>) {
  using T = typename View::value_type;
  for (int i = 0; i < g.n; ++i)
    for (int j = 0; j < g.n; ++j) d(i, j) = i == j ? T(0) : none;
  for (const auto& e : g.edges) d(e.from, e.to) = std::min(d(e.from, e.to), static_cast<T>(e.weight));
}

template <class T>
using HostMatrix = Kokkos::View<T**, Kokkos::LayoutRight, Kokkos::HostSpace>;

template <class T>
HostMatrix<T> host_matrix(const Graph& g) {
  const auto order = static_cast<std::size_t>(g.n);
  const HostMatrix<T> d("d", order, order);
  fill(d, g);
  return d;
}

/// The oracle's distances.
template <class T>
HostMatrix<T> host_matrix(const oracle::Distances<std::int64_t>& distances) {
  const HostMatrix<T> d("d", distances.size(), distances.size());
  for (std::size_t i = 0; i < distances.size(); ++i)
    for (std::size_t j = 0; j < distances.size(); ++j) {
      const std::int64_t x = distances[i][j];
      d(i, j) = x == oracle::unreachable<std::int64_t> ? blockfw::infinity<T> : static_cast<T>(x);
    }
  return d;
}

template <class T>
DOCTEST_NOINLINE std::string as_text(T x) {
  std::ostringstream text;
  text << x;
  return text.str();
}

/// Describes the first entry of d that differs from the oracle's distance; empty if all are equal.
template <class View, class W>
std::string difference(const View& distances, const oracle::Distances<W>& expected) {
  using T = typename View::non_const_value_type;
  const auto d = readable(distances);
  const std::size_t n = expected.size();
  if (d.extent(0) != n || d.extent(1) != n) return "the matrix is of the wrong size";
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      const W e = expected[i][j];
      const T wanted = e == oracle::unreachable<W> ? blockfw::infinity<T> : static_cast<T>(e);
      if (d(i, j) != wanted)
        return "d(" + as_text(i) + ", " + as_text(j) + ") is " + as_text(d(i, j)) + ", expected " + as_text(wanted);
    }
  return "";
}

/// The oracle's answer for a graph; distances only if there is no negative cycle.
struct Answer {
  Graph graph;
  bool negative_cycle;
  oracle::Distances<std::int64_t> distances;

  Answer(const Graph& directed, blockfw::Direction direction)
      : graph(direction == blockfw::Direction::directed ? directed : oracle::mirrored(directed)),
        negative_cycle(oracle::has_negative_cycle(graph)) {
    if (!negative_cycle) distances = oracle::distances(graph);
  }
};

/// Checks that `solved`, a call that returns distances, gives the oracle's answer, negative cycles included.
template <class Solved>
void check_against(const Answer& answer, const Solved& solved) {
  try {
    const auto d = solved();
    CHECK_FALSE(answer.negative_cycle);
    if (!answer.negative_cycle) CHECK(difference(d, answer.distances) == "");
  } catch (const blockfw::NegativeCycle& e) {
    CHECK(answer.negative_cycle);
    REQUIRE(e.vertex >= 0);
    REQUIRE(e.vertex < answer.graph.n);
    CHECK(oracle::on_negative_walk(answer.graph, static_cast<int>(e.vertex)));
  }
}

/// Calls f with a value of each type that a distance can have.
template <class F>
void for_each_type(const F& f) {
  f(std::int16_t());
  f(std::int32_t());
  f(std::int64_t());
  f(float());
  f(double());
}
