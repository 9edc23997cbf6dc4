// SPDX-License-Identifier: MIT
// The plan of a solve out of core, on the host and in a file: any semiring, fewer bits, and the results of one
// instance.
#include "folder.hpp"
#include "graphs.hpp"
#include "spaces.hpp"

#include "blockfw/out_of_core.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using blockfw::OutOfCoreOptions;
using doctest::Contains;
using Exec = Kokkos::DefaultExecutionSpace;
using Host = Kokkos::DefaultHostExecutionSpace;

/// The entries that are not those of a solve by one instance.
template <class View, class Expected>
int wrong_entries(const View& d, const Expected& expected) {
  int wrong = 0;
  for (std::size_t i = 0; i < d.extent(0); ++i)
    for (std::size_t j = 0; j < d.extent(1); ++j) wrong += d(i, j) != expected(i, j);
  return wrong;
}

template <class S>
auto solved_by_one(const Graph& g, const std::vector<blockfw::Edge<typename S::value_type>>& edges) {
  return readable(blockfw::solve<S>(Exec(), g.n, edges, {.method = blockfw::Method::dense, .narrow = false}));
}

/// A matrix on the host with the edges.
template <class S, class T = typename S::value_type>
HostMatrix<T> filled(const Graph& g, const std::vector<blockfw::Edge<T>>& edges, blockfw::WeightRange<T>& range) {
  const auto order = static_cast<std::size_t>(g.n);
  const HostMatrix<T> d("d", order, order);
  range = blockfw::fill_from_edges<S>(Host(), d, blockfw::detail::view_of(edges));
  return d;
}

template <class S>
void check_semiring(const Graph& g) {
  using T = typename S::value_type;
  const auto edges = edges_over<S>(g);
  const auto expected = solved_by_one<S>(g, edges);
  blockfw::WeightRange<T> range;
  const auto d = filled<S>(g, edges, range);
  blockfw::SolveReport report;
  int last = 0, calls = 0;
  blockfw::solve_out_of_core<S>(Exec(), d, range,
                                {.progress = [&](std::int64_t done, std::int64_t) { last = static_cast<int>(done); },
                                 .meanwhile = [&] { ++calls; },
                                 .report = &report});
  CHECK(wrong_entries(d, expected) == 0);
  CHECK(report.bits == 8 * int(sizeof(T)));
  CHECK(report.relaxes == double(g.n) * g.n * g.n);
  CHECK(last > 0);
  CHECK(calls == 1);

  const auto rounds_only = filled<S>(g, edges, range);
  for (std::size_t i = 0; i < rounds_only.extent(0); ++i) rounds_only(i, i) = S::zero();  // counts as one()
  blockfw::out_of_core_floyd_warshall<blockfw::Tile<8>>(Exec(), rounds_only, S{});
  if constexpr (!std::is_same_v<S, blockfw::MaxPlus<T>>) CHECK(wrong_entries(rounds_only, expected) == 0);
}

/// Paths as a whole, ordered by their first edge: a ⊗ b is a, unless one of them is empty. It is not commutative.
struct FirstEdge {
  using value_type = std::int32_t;
  static constexpr std::int32_t none = 1 << 20, empty = -1;
  static KOKKOS_FUNCTION constexpr std::int32_t zero() { return none; }
  static KOKKOS_FUNCTION constexpr std::int32_t one() { return empty; }
  template <class V>
  static KOKKOS_FORCEINLINE_FUNCTION constexpr V relax(V c, V a, V b) {
    const V first = a == V{} + empty ? b : (b == V{} + none ? b : a);
    return blockfw::smaller(first, c);
  }
  static KOKKOS_FORCEINLINE_FUNCTION constexpr bool diverges(std::int32_t) { return false; }
};

}  // namespace

TEST_CASE("any semiring, on the host") {
  Random random(1);
  for (const int n : {1, 75, 300}) {
    CAPTURE(n);
    Graph g = scattered(random, n, 4 * n, 1, 100);
    check_semiring<blockfw::MaxMin<float>>(g);
    check_semiring<blockfw::MinMax<std::int32_t>>(g);
    check_semiring<blockfw::MaxTimes<double>>(g);
    check_semiring<blockfw::MaxPlus<std::int32_t>>(g);
  }
}

TEST_CASE("a solve on the host checks weights and cycles") {
  const auto solve = [&]<class S>(S, const Graph& g, auto weight) {
    std::vector<blockfw::Edge<decltype(weight)>> edges;
    for (const auto& e : g.edges) edges.push_back({e.from, e.to, static_cast<decltype(weight)>(e.weight) * weight});
    blockfw::WeightRange<decltype(weight)> range;
    const auto d = filled<S>(g, edges, range);
    blockfw::solve_out_of_core<S>(Exec(), d, range);
    return d;
  };
  using Shortest = blockfw::MinPlus<int>;
  const Graph ring{3, {{0, 1, 1}, {1, 2, 1}, {2, 0, -3}}};
  CHECK_THROWS_AS(solve(Shortest(), ring, 1), blockfw::NegativeCycle);
  CHECK_THROWS_AS(solve(Shortest(), ring, 400'000'000), blockfw::OverflowRisk);
  CHECK_THROWS_AS(solve(blockfw::MaxPlus<int>(), ring, -1), blockfw::DivergentCycle);
  CHECK_THROWS_AS(solve(blockfw::MaxTimes<double>(), ring, 1.0), blockfw::InvalidInput);
  CHECK(solve(blockfw::MaxPlus<int>(), ring, 1)(0, 2) == 2);

  // Pairs without a path, beside negative edges.
  Random random(2);
  for (const Family& family : families) {
    const std::string name = family.name;
    CAPTURE(name);
    const Answer answer(family.make(random, 60), blockfw::Direction::directed);
    check_against(answer, [&] { return solve(Shortest(), answer.graph, 1); });
  }
}

TEST_CASE("a transpose takes a semiring that is commutative") {
  using S = FirstEdge;
  const Kokkos::View<int**, Kokkos::LayoutLeft, Kokkos::HostSpace> left("left", 4, 4);
  CHECK_THROWS_WITH_AS(blockfw::out_of_core_floyd_warshall(Exec(), left, S{}),
                       Contains("'left' are contiguous, which takes a semiring that is commutative"),
                       blockfw::InvalidInput);
  const HostMatrix<int> d("d", 4, 4);
  Kokkos::deep_copy(d, S::zero());
  d(0, 1) = 7, d(1, 2) = 3, d(2, 3) = 5, d(0, 2) = 8;
  blockfw::out_of_core_floyd_warshall(Exec(), d, S{});
  CHECK(d(0, 2) == 7);
  CHECK(d(0, 3) == 7);
  CHECK(d(1, 3) == 3);
  CHECK(d(3, 0) == S::zero());
}
