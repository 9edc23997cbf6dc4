// SPDX-License-Identifier: MIT
// Semirings other than that of shortest paths, and a user's semiring, compared with closures by repeated squaring.
// (The semirings whose ⊕ and ⊗ choose one of two numbers are a part of their own, so that two parts compile at once.)
#include "semirings.hpp"

#ifndef BLOCKFW_IN_PART
#define BLOCKFW_IN_PART(number) 1
#endif

#if BLOCKFW_IN_PART(1)
namespace {

/// A user's semiring: the shortest path, and among several shortest paths the path whose most dangerous edge is the
/// least dangerous. Length and danger are packed in one number. (The shortest of the safest paths would be no semiring:
/// a path that is worse so far may be better in the end, when a more dangerous edge follows.)
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
  const double zero = -top<T>;
  check<MaxPlus<T>>({maximum, std::plus<>(), zero, 0}, whole, true);
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
  // Tasks of a project: two chains that meet, 3 + 5 + 2 and 4 + 1 + 2, and a chain that starts late.
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
  // A NegativeCycle is a DivergentCycle, too.
  CHECK_THROWS_AS(solve(2, std::vector<blockfw::Edge<int>>{{0, 1, 1}, {1, 0, -2}}), blockfw::DivergentCycle);
}

TEST_CASE("weights that a semiring does not accept") {
  CHECK_THROWS_WITH_AS(solve<MaxTimes<double>>(2, std::vector<blockfw::Edge<double>>{{0, 1, -0.5}, {1, 0, 0.25}}),
                       "edge 0: the weight is -0.500000, expected one that the semiring's accepts() takes",
                       blockfw::InvalidInput);
  using Edges = std::vector<blockfw::Edge<int>>;
  CHECK(readable(solve<MaxPlus<int>>(1000, Edges{{0, 1, -2'000'000}}))(0, 1) == -2'000'000);  // their sum fits
  CHECK_THROWS_AS(solve<MaxPlus<int>>(1000, Edges{{0, 1, -2'000'000}, {1, 2, -1'072'000'000}}), blockfw::OverflowRisk);
  CHECK_THROWS_AS(solve<MaxPlus<int>>(1000, Edges{{0, 1, 2'000'000}}), blockfw::OverflowRisk);
  CHECK_THROWS_WITH_AS(solve<MaxMin<int>>(2, Edges{{0, 1, 2'000'000'000}}),
                       doctest::Contains("expected none beyond infinity, 1073741823, in int32"), blockfw::OverflowRisk);
  CHECK_NOTHROW(solve<MaxMin<int>>(2, Edges{{0, 1, 1'000'000'000}}));
}
#endif

#if BLOCKFW_IN_PART(2)
TEST_CASE_TEMPLATE("widest paths", T, std::int16_t, std::int64_t, float) {
  check<MaxMin<T>>({maximum, minimum, -top<T>, top<T>}, whole);
}

TEST_CASE_TEMPLATE("bottlenecks", T, std::int32_t, double) {
  check<MinMax<T>>({minimum, maximum, top<T>, -top<T>}, whole);
}
#endif
