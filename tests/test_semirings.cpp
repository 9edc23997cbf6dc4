// SPDX-License-Identifier: MIT
// Semirings other than that of shortest paths, also one of a user, compared with closures by repeated squaring.
#include "graphs.hpp"

#include <array>
#include <cmath>
#include <functional>

namespace {

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
std::vector<double> closure(const Algebra& s, int n, std::vector<double> d) {
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

/// The graph's matrix over the algebra: repeated edges are ⊕ed, self loops left out.
std::vector<double> matrix_of(const Algebra& s, const oracle::Graph<double>& g) {
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
oracle::Graph<double> random_graph(Random& random, int n, int edges, const std::function<double(Random&)>& weight) {
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

double minimum(double a, double b) { return a < b ? a : b; }
double maximum(double a, double b) { return a > b ? a : b; }
template <class T>
constexpr double large = static_cast<double>(infinity<T>);

double whole(Random& random) { return uniform(random, -20, 20); }
/// A power of 1/2: products are exact.
double probability(Random& random) { return std::ldexp(1, -uniform(random, 0, 1)); }

/// A user's semiring: the shortest path, and among several the one whose most dangerous edge is the least dangerous.
/// Length and danger are packed in one number. (The shortest of the safest paths would be no semiring: a path that is
/// worse so far may be better in the end, when a more dangerous edge follows.)
struct ShortestThenSafest {
  using value_type = std::int32_t;
  static constexpr std::int32_t unit = 256;  ///< of length; the remainder is danger
  static KOKKOS_FUNCTION constexpr std::int32_t zero() { return (1 << 30) - unit; }
  static KOKKOS_FUNCTION constexpr std::int32_t one() { return 0; }
  template <class V>
  static KOKKOS_FORCEINLINE_FUNCTION constexpr V relax(V c, V a, V b) {
    const V length = static_cast<V>((a & -unit) + (b & -unit));
    const V danger = blockfw::larger(static_cast<V>(a & (unit - 1)), static_cast<V>(b & (unit - 1)));
    return blockfw::smaller(static_cast<V>(length | danger), c);
  }
  static KOKKOS_FORCEINLINE_FUNCTION constexpr bool diverges(std::int32_t) { return false; }
};

}  // namespace

TEST_CASE_TEMPLATE("longest paths of graphs without cycles", T, std::int16_t, std::int32_t, double) {
  const double zero = -large<T>;
  check<MaxPlus<T>>({maximum, std::plus<>(), zero, 0}, whole, true);
}

TEST_CASE_TEMPLATE("widest paths", T, std::int16_t, std::int64_t, float) {
  check<MaxMin<T>>({maximum, minimum, -large<T>, large<T>}, whole);
}

TEST_CASE_TEMPLATE("bottlenecks", T, std::int32_t, double) {
  check<MinMax<T>>({minimum, maximum, large<T>, -large<T>}, whole);
}

TEST_CASE_TEMPLATE("most reliable paths", T, float, double) {
  check<MaxTimes<T>>({maximum, std::multiplies<>(), 0, 1}, probability);
}

TEST_CASE("a caller's own semiring") {
  using S = ShortestThenSafest;
  const auto times = [](double a, double b) {
    const double length = std::floor(a / S::unit) + std::floor(b / S::unit);
    return length * S::unit + maximum(std::fmod(a, S::unit), std::fmod(b, S::unit));
  };
  check<S>({minimum, times, double(S::zero()), 0},
           [](Random& random) { return double(uniform(random, 0, 5) * S::unit + uniform(random, 0, 200)); });

  const SharedMatrix<int> d("d", 3, 3);  // S does not declare that it is commutative
  CHECK_THROWS_WITH_AS(blockfw::blocked_floyd_warshall<S>(Exec(), d, {Direction::undirected}),
                       "half the work for an undirected graph needs a semiring whose member commutative is true",
                       blockfw::InvalidInput);
}

TEST_CASE("a critical path") {
  // Two courses of work that meet: 3 + 5 + 2 and 4 + 1 + 2, and one that starts late.
  const std::vector<blockfw::Edge<int>> work{{0, 1, 3}, {1, 3, 5}, {0, 2, 4}, {2, 3, 1}, {3, 4, 2}, {5, 4, 7}};
  const auto d = readable(solve<MaxPlus<int>>(6, work));
  CHECK(d(0, 4) == 10);
  CHECK(d(0, 3) == 8);
  CHECK(d(5, 4) == 7);
  CHECK(d(4, 0) == -infinity<int>);
  CHECK(d(0, 5) == -infinity<int>);
  CHECK(d(2, 2) == 0);
}

TEST_CASE("a cycle that gains in each turn: NegativeCycle") {
  const std::vector<blockfw::Edge<int>> loop{{0, 1, 3}, {1, 2, -5}, {2, 0, 3}, {3, 0, 1}};
  try {
    solve<MaxPlus<int>>(4, loop);
    FAIL("no DivergentCycle was thrown");
  } catch (const blockfw::DivergentCycle& e) {
    CHECK(e.vertex >= 0);
    CHECK(e.vertex <= 2);
    CHECK(e.what() == "divergent cycle: vertex " + std::to_string(e.vertex) +
                          " can return to itself and gain each time, so best paths do not exist");
  }
  CHECK_THROWS_AS(solve<MaxTimes<double>>(2, std::vector<blockfw::Edge<double>>{{0, 1, 1.5}, {1, 0, 1}}),
                  blockfw::DivergentCycle);
  CHECK_NOTHROW(solve<MaxTimes<double>>(2, std::vector<blockfw::Edge<double>>{{0, 1, 1.5}, {1, 0, 0.5}}));
  // A negative cycle is one, too.
  CHECK_THROWS_AS(solve(2, std::vector<blockfw::Edge<int>>{{0, 1, 1}, {1, 0, -2}}), blockfw::DivergentCycle);
}

TEST_CASE("weights that a semiring does not accept") {
  CHECK_THROWS_WITH_AS(solve<MaxTimes<double>>(2, std::vector<blockfw::Edge<double>>{{0, 1, -0.5}, {1, 0, 0.25}}),
                       "edge 0: the weight is -0.500000, expected one that the semiring's accepts() takes",
                       blockfw::InvalidInput);
  using Edges = std::vector<blockfw::Edge<int>>;
  CHECK(readable(solve<MaxPlus<int>>(1000, Edges{{0, 1, -2'000'000}}))(0, 1) == -2'000'000);  // all together fit
  CHECK_THROWS_AS(solve<MaxPlus<int>>(1000, Edges{{0, 1, -2'000'000}, {1, 2, -1'072'000'000}}), blockfw::OverflowRisk);
  CHECK_THROWS_AS(solve<MaxPlus<int>>(1000, Edges{{0, 1, 2'000'000}}), blockfw::OverflowRisk);
  CHECK_THROWS_WITH_AS(solve<MaxMin<int>>(2, Edges{{0, 1, 2'000'000'000}}),
                       doctest::Contains("expected none beyond infinity, 1073741823, in int32"), blockfw::OverflowRisk);
  CHECK_NOTHROW(solve<MaxMin<int>>(2, Edges{{0, 1, 1'000'000'000}}));
}
