// SPDX-License-Identifier: MIT
// Cycles of length zero in floats: all places and methods agree, and rounding errors do not grow. (The rule is in
// docs/dense.md.)
#include "folder.hpp"
#include "graphs.hpp"
#include "shares.hpp"

#include "blockfw/io/distance_file.hpp"
#include "blockfw/network.hpp"
#include "blockfw/out_of_core.hpp"
#include "blockfw/solve.hpp"
#include "blockfw/solve_from.hpp"
#include "blockfw/sparse.hpp"
#include "blockfw/updates.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace {

using Host = Kokkos::DefaultHostExecutionSpace;
template <class T>
using Edges = std::vector<blockfw::Edge<T>>;
/// The distances, or a vertex on a negative cycle.
template <class T>
struct Outcome {
  std::string place;
  HostMatrix<T> distances;
  std::int64_t vertex = -1;
};

template <class T, class View>
HostMatrix<T> copied(const View& d) {
  const auto here = readable(d);
  const HostMatrix<T> copy("copy", here.extent(0), here.extent(1));
  for (std::size_t i = 0; i < here.extent(0); ++i)
    for (std::size_t j = 0; j < here.extent(1); ++j) copy(i, j) = here(i, j);
  return copy;
}

/// The outcomes of a graph in every place and by every method.
template <class T, class Over = T>
std::vector<Outcome<T>> everywhere(int n, const Edges<T>& edges, bool strict = false) {
  using blockfw::Method;
  using S = blockfw::semiring_of<Over, T>;
  constexpr bool shortest = std::is_same_v<S, blockfw::MinPlus<T>>;
  std::vector<Outcome<T>> all;
  const auto in = [&](const std::string& place, const std::function<HostMatrix<T>()>& solve) {
    Outcome<T> outcome{place, {}, -1};
    try {
      outcome.distances = solve();
    } catch (const blockfw::DivergentCycle& cycle) {
      CHECK((dynamic_cast<const blockfw::NegativeCycle*>(&cycle) != nullptr) == shortest);
      outcome.vertex = cycle.vertex;
    }
    all.push_back(outcome);
  };
  in("dense", [&] {
    return copied<T>(blockfw::solve<Over>(Exec(), n, edges, {.method = Method::dense, .strict_cycles = strict}));
  });
  in("sparse", [&] {
    return copied<T>(blockfw::solve<Over>(Exec(), n, edges, {.method = Method::sparse, .strict_cycles = strict}));
  });
  const auto filled = [&] {
    const HostMatrix<T> d("d", static_cast<std::size_t>(n), static_cast<std::size_t>(n));
    const auto range = blockfw::fill_from_edges<S>(Host(), d, edges);
    return std::pair(d, range);
  };
  in("matrix", [&] { return copied<T>(blockfw::solve<Over>(Host(), filled().first, {.strict_cycles = strict})); });
  in("shares", [&] {
    const Place place = usual_place();
    return on_host(place.solve<Over>({.strict_cycles = strict}, n, edges));
  });
  in("out of core", [&] {
    const auto [d, range] = filled();
    blockfw::solve_out_of_core<Over>(Exec(), d, range, {.solve = {.strict_cycles = strict}});
    return d;
  });
  in("file", [&] {
    const Folder folder;
    blockfw::io::DistanceFile<std::conditional_t<shortest, T, S>> file(folder / "out", n, "a graph");
    file.fill(edges, {.strict_cycles = strict});
    file.solve(Exec());
    return copied<T>(file.view());
  });
  if constexpr (shortest)
    in("from", [&] {
      std::vector<int> sources;
      for (int i = 0; i < n; ++i) sources.push_back(i);
      return copied<T>(blockfw::solve_from(Exec(), n, edges, sources, {.strict_cycles = strict}));
    });
  if (n > 100) return all;
  in("factor", [&] {
    const blockfw::SparseAnalysis analysis(n, edges);
    const blockfw::SparseFactor<S, Exec> factor(Exec(), analysis, edges, {.strict_cycles = strict});
    const HostMatrix<T> d("d", static_cast<std::size_t>(n), static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) d(i, j) = factor.distance(i, j);
    return d;
  });
  return all;
}

double one_decimal(double x) { return std::round(10 * x) / 10; }

/// Each vertex has a time p, and an edge weighs the difference of two times. So all cycles have length zero.
template <class T>
struct Times {
  std::vector<double> at;
  Edges<T> edges;

  Times(Random& random, int n, int more) {
    for (int i = 0; i < n; ++i) at.push_back(uniform(random, -1000, 1000) / 10.);
    for (int i = 0; i < n; ++i) add(i, (i + 1) % n, 0);
    for (int e = 0; e < more; ++e) add(uniform(random, 0, n - 1), uniform(random, 0, n - 1), 0);
  }
  void add(int i, int j, double longer) {
    const auto of = [&](int v) { return at[static_cast<std::size_t>(v)]; };
    edges.push_back({i, j, static_cast<T>(one_decimal(of(j) - of(i) + longer))});
  }
  /// The largest difference between a distance and the difference of the times.
  double error(const HostMatrix<T>& d) const {
    double most = 0;
    for (std::size_t i = 0; i < at.size(); ++i)
      for (std::size_t j = 0; j < at.size(); ++j)
        most = std::max(most, std::abs(static_cast<double>(d(i, j)) - (at[j] - at[i])));
    return most;
  }
};

template <class T>
bool own_are_zero(const HostMatrix<T>& d) {
  for (std::size_t i = 0; i < d.extent(0); ++i)
    if (d(i, i) != 0) return false;
  return true;
}

}  // namespace

TEST_CASE("cycles: negative beyond rounding, or by their exact length if strict") {
  // The exact length of these doubles is 2.8e-17, though its computed sum is negative in most orders.
  const Edges<double> edges = {{0, 1, -.1}, {1, 2, 1.8}, {2, 3, -.2}, {3, 0, -1.5}};
  for (const bool strict : {false, true})
    for (const auto& outcome : everywhere(4, edges, strict)) {
      CAPTURE(outcome.place);
      REQUIRE(outcome.vertex == -1);
      CHECK(own_are_zero(outcome.distances));
      CHECK(std::abs(outcome.distances(0, 3) - 1.5) < 1e-15);
      CHECK(std::abs(outcome.distances(2, 1) + 1.8) < 1e-15);
    }
  Edges<double> mirrored = edges;  // of length -2.8e-17
  for (auto& edge : mirrored) edge.weight = -edge.weight;
  for (const bool strict : {false, true})
    for (const auto& outcome : everywhere(4, mirrored, strict)) {
      CAPTURE(outcome.place);
      CHECK((outcome.vertex >= 0) == strict);
    }
  for (const auto& outcome : everywhere<double, blockfw::MaxPlus<double>>(4, edges, true)) CHECK(outcome.vertex >= 0);
  for (const auto& outcome : everywhere<double, blockfw::MaxPlus<double>>(4, mirrored, true))
    CHECK(outcome.vertex == -1);
}

TEST_CASE_TEMPLATE("strict cycles: the same decision in every order of the vertices", T, float, double) {
  std::vector<int> v = {0, 1, 2, 3};
  do {
    CAPTURE(v);
    const T there = T(.87), less = -std::nextafter(there, T(1));
    const auto edges = [&](T back) {
      return Edges<T>{{v[0], v[1], 1},    {v[1], v[0], -1}, {v[1], v[2], there},
                      {v[2], v[1], back}, {v[2], v[3], 5},  {v[3], v[2], -5}};
    };
    const auto check_zero = [&](const HostMatrix<T>& d) {
      CHECK(own_are_zero(d));
      CHECK(d(v[0], v[3]) == doctest::Approx(6.87));
      CHECK(d(v[3], v[0]) == doctest::Approx(-6.87));
    };
    for (const auto& outcome : everywhere(4, edges(-there), true)) {
      CAPTURE(outcome.place);
      REQUIRE(outcome.vertex == -1);
      check_zero(outcome.distances);
    }
    for (const auto& outcome : everywhere(4, edges(less), true)) {  // negative by one bit
      CAPTURE(outcome.place);
      CHECK((outcome.vertex == v[1] || outcome.vertex == v[2]));
    }
    using Network = blockfw::Network<blockfw::MinPlus<T>, Host>;
    const Network open(Host(), 4, edges(there), {.strict_cycles = true});
    const std::vector<blockfw::Edge<T>> zero = {{v[2], v[1], -there}}, negative = {{v[2], v[1], less}};
    const Network network = open.with_changes(zero);
    const std::vector<std::int32_t> all = {0, 1, 2, 3};
    check_zero(copied<T>(network.table(all, all)));
    check_zero(copied<T>(open.with_weights(std::vector<T>{1, -1, there, -there, 5, -5}).table(all, all)));
    CHECK_THROWS_AS(open.with_changes(negative), blockfw::NegativeCycle);
    CHECK_THROWS_AS(network.with_changes(negative), blockfw::NegativeCycle);
    CHECK_THROWS_AS(Network(Host(), 4, edges(less), {.strict_cycles = true}), blockfw::NegativeCycle);
    check_zero(copied<T>(network.table(all, all)));
  } while (std::next_permutation(v.begin(), v.end()));
}

TEST_CASE("strict cycles: beside weights so heavy that no sum is exact") {
  for (const bool negative : {false, true}) {
    const double back = negative ? -1 - 0x1p-52 : -1;
    const Edges<double> edges = {{0, 1, 1e300}, {1, 0, -1e300}, {1, 2, 1}, {2, 1, back}, {2, 3, 1e-300}};
    for (const auto& outcome : everywhere(4, edges, true)) {
      CAPTURE(outcome.place);
      CHECK((outcome.vertex == 1 || outcome.vertex == 2) == negative);
      CHECK((outcome.vertex >= 0) == negative);
    }
  }
}

TEST_CASE("longest paths: the mirror image of shortest paths") {
  Edges<double> edges = {{0, 1, .1}, {1, 2, -1.8}, {2, 3, .2}, {3, 0, 1.5}};
  for (const auto& outcome : everywhere<double, blockfw::MaxPlus<double>>(4, edges)) {
    CAPTURE(outcome.place);
    REQUIRE(outcome.vertex == -1);
    CHECK(own_are_zero(outcome.distances));
    CHECK(std::abs(outcome.distances(0, 3) + 1.5) < 1e-15);
  }
  edges[3].weight = 1.6;
  for (const auto& outcome : everywhere<double, blockfw::MaxPlus<double>>(4, edges)) CHECK(outcome.vertex >= 0);
}

TEST_CASE_TEMPLATE("cycles of decimals whose sum is zero", T, float, double) {
  Random random(1);
  for (int length = 3; length <= 300; length += 1 + length / 3)
    for (int again = 0; again < 60 / length + 1; ++again) {
      CAPTURE(length);
      const Times<T> ring(random, length, 0);
      for (const auto& outcome : everywhere(length, ring.edges)) {
        CAPTURE(outcome.place);
        REQUIRE(outcome.vertex == -1);
        CHECK(own_are_zero(outcome.distances));
        CHECK(ring.error(outcome.distances) <
              2 * length * 100. * static_cast<double>(std::numeric_limits<T>::epsilon()));
      }
    }
}

TEST_CASE_TEMPLATE("networks of times: rounding does not grow", T, float, double) {
  Random random(2);
  for (const int n : {10, 30, 100, 300}) {
    CAPTURE(n);
    const Times<T> times(random, n, 3 * n);
    for (const auto& outcome : everywhere(n, times.edges)) {
      CAPTURE(outcome.place);
      REQUIRE(outcome.vertex == -1);
      CHECK(own_are_zero(outcome.distances));
      CHECK(times.error(outcome.distances) < 2 * n * 100. * static_cast<double>(std::numeric_limits<T>::epsilon()));
    }
    Times<T> shorter = times;  // a tenth, in a network that has a cycle through every edge
    shorter.add(3, 5, -.1);
    for (const auto& outcome : everywhere(n, shorter.edges)) {
      CAPTURE(outcome.place);
      CHECK(outcome.vertex >= 0);
      CHECK(outcome.vertex < n);
    }
  }
}

TEST_CASE_TEMPLATE("NegativeCycle: its vertex lies on a negative cycle", T, float, double) {
  Random random(3);
  for (int again = 0; again < 8; ++again) {
    const int n = 60;
    Times<T> times(random, n, n);
    // The negative cycle has vertices of its own, and an edge leads to it.
    times.edges.push_back({7, n, 3});
    times.edges.push_back({n, n + 1, static_cast<T>(.3)});
    times.edges.push_back({n + 1, n + 2, static_cast<T>(-.7)});
    times.edges.push_back({n + 2, n, static_cast<T>(.3)});
    for (const auto& outcome : everywhere(n + 3, times.edges)) {
      CAPTURE(outcome.place);
      CHECK(outcome.vertex >= n);
    }
  }
}

TEST_CASE_TEMPLATE("cycles: just below the bound and just above it", T, float, double) {
  // A cycle of three edges in a graph of eight vertices: N·u·Σ|w| = 8·u·4.
  const T u = std::numeric_limits<T>::epsilon() / 2;
  for (const bool below : {false, true}) {
    const T less = (below ? 34 : 30) * u;
    const Edges<T> edges = {{0, 1, 1}, {1, 2, -1 - less}, {2, 3, 1}, {3, 0, -1}, {0, 5, 3}};
    CAPTURE(below);
    for (const auto& outcome : everywhere(8, edges)) {
      CAPTURE(outcome.place);
      CHECK((outcome.vertex >= 0) == below);
      CHECK(outcome.vertex < 4);
    }
    for (const auto& outcome : everywhere(8, edges, true)) CHECK(outcome.vertex >= 0);
  }
}

TEST_CASE_TEMPLATE("sums that do not round: no tolerance", T, float, double) {
  // 1 in 300·10000 is within N·u·Σ|w| of floats, but the sums of these integers are exact.
  Edges<T> edges;
  const int n = 300;
  for (int i = 0; i < n; ++i) edges.push_back({i, (i + 1) % n, i % 2 == 0 ? T(10000) : T(-10000)});
  for (const auto& outcome : everywhere(n, edges)) {
    CAPTURE(outcome.place);
    REQUIRE(outcome.vertex == -1);
    CHECK(outcome.distances(0, 1) == 10000);
    CHECK(outcome.distances(1, 0) == -10000);
  }
  edges[5].weight -= 1;
  for (const auto& outcome : everywhere(n, edges)) {
    CAPTURE(outcome.place);
    CHECK(outcome.vertex >= 0);
  }
}

TEST_CASE("cycles: the same decision beside magnitudes from 1e-300 to 1e300") {
  // Huge edges lead to a cycle of tiny edges. The length of this cycle is negative, and then zero.
  const Edges<double> negative = {{0, 1, -1e300}, {1, 2, 1e-300}, {2, 1, -2e-300}};
  for (const auto& outcome : everywhere(3, negative)) {
    CAPTURE(outcome.place);
    CHECK(outcome.vertex >= 1);
  }
  const Edges<double> zero = {{0, 1, -1e300}, {1, 2, 1e-300}, {2, 1, -1e-300}};
  for (const auto& outcome : everywhere(3, zero)) {
    CAPTURE(outcome.place);
    REQUIRE(outcome.vertex == -1);
    CHECK(outcome.distances(1, 2) == 1e-300);
  }
}

TEST_CASE("negative cycles: found whatever the lengths of paths that lead to them") {
  const Edges<double> first = {{3, 4, 2.8e206}, {1, 3, -5.3e-139}, {3, 1, -2.1e-166}, {0, 2, 8.8e230},
                               {4, 3, 4e130},   {1, 0, 2e143},     {2, 1, -1.7e86}};
  for (const auto& outcome : everywhere(5, first)) {
    CAPTURE(outcome.place);
    CHECK((outcome.vertex == 1 || outcome.vertex == 3));
  }
  const Edges<double> second = {{0, 5, -7.2e70}, {5, 0, 1.1e-131}, {2, 5, -4.5e130}, {1, 2, 3.7e50}, {0, 4, 1.5e281},
                                {4, 1, 1.6e141}, {4, 5, 406.6},    {5, 4, 1.8e-241}, {2, 3, 2e-168}, {3, 1, -7.9e-118}};
  for (const auto& outcome : everywhere(6, second)) {
    CAPTURE(outcome.place);
    CHECK((outcome.vertex == 0 || outcome.vertex == 5));
  }
}

TEST_CASE("cycles of each magnitude: decided beside edges of every other magnitude") {
  // Edges to larger vertices, with weights of any magnitude and sign. One cycle leads through some of these vertices.
  Random random(11);
  const int n = 30;
  for (const double magnitude : {1e-305, 1e-150, 1e-40, 1e-17, 1., 1e17, 1e60, 1e300}) {
    for (const bool negative : {false, true}) {
      const int first = uniform(random, 0, n - 6), last = first + uniform(random, 1, 5);
      Edges<double> edges;
      for (int e = 0; e < 4 * n; ++e) {
        const int a = uniform(random, 0, n - 1), b = uniform(random, 0, n - 1);
        const double size = std::pow(10., uniform(random, -305, 300));
        if (a < b && !(a >= first && b <= last)) edges.push_back({a, b, uniform(random, 0, 1) > 0 ? size : -size});
      }
      for (int v = first; v < last; ++v) edges.push_back({v, v + 1, -magnitude});
      edges.push_back({last, first, (last - first) * magnitude * (negative ? .75 : 1)});
      CAPTURE(magnitude);
      CAPTURE(negative);
      for (const auto& outcome : everywhere(n, edges)) {
        CAPTURE(outcome.place);
        CHECK((outcome.vertex >= 0) == negative);
        CHECK((outcome.vertex < 0 || (outcome.vertex >= first && outcome.vertex <= last)));
      }
    }
  }
}

TEST_CASE("a heavy edge elsewhere: distances and the decision on a light cycle stay correct") {
  for (const double heavy : {1e300, -1e40}) {
    const Edges<double> zero = {{0, 1, -.1}, {1, 2, 1.8}, {2, 3, -.2}, {3, 0, -1.5}, {4, 5, heavy}, {4, 0, 1e300}};
    CAPTURE(heavy);
    for (const auto& outcome : everywhere(6, zero)) {
      CAPTURE(outcome.place);
      REQUIRE(outcome.vertex == -1);
      CHECK(std::abs(outcome.distances(0, 3) - 1.5) < 1e-14);
      CHECK(std::abs(outcome.distances(2, 1) + 1.8) < 1e-14);
    }
  }
  const double a = 0x1.000008p-100;  // no multiple of a unit so that sums with 1 are exact
  for (const auto& outcome : everywhere(4, Edges<double>{{0, 1, a}, {1, 2, a}, {2, 0, -2 * a}, {0, 3, 1.}})) {
    CAPTURE(outcome.place);
    REQUIRE(outcome.vertex == -1);
    CHECK(outcome.distances(1, 0) == -a);
  }
}

TEST_CASE("paths of a factor: over edges, also after potentials") {
  Random random(5);
  const Times<double> times(random, 40, 120);
  const blockfw::SparseAnalysis analysis(40, times.edges);
  const blockfw::SparseFactor<blockfw::MinPlus<double>, Exec> factor(Exec(), analysis, times.edges);
  const auto rows = readable(factor.distances_from(std::vector<int>{7, 9, 7}));
  CHECK(rows(0, 7) == 0);
  CHECK(rows(1, 9) == 0);
  factor.for_whole_rows([&](std::int64_t first, const auto& block) {
    const auto here = readable(block);
    for (std::size_t i = 0; i < here.extent(0); ++i) CHECK(here(i, static_cast<std::size_t>(first) + i) == 0);
  });
}

TEST_CASE_TEMPLATE("updates: may close cycles of length zero, and no negative ones", T, float, double) {
  Random random(6);
  const int n = 50;
  const Times<T> times(random, n, 2 * n);
  const auto check = [&](const auto& d) {
    CHECK(times.error(copied<T>(d)) < 1000 * 100. * static_cast<double>(std::numeric_limits<T>::epsilon()));
    CHECK(own_are_zero(copied<T>(d)));
  };
  const auto d = blockfw::solve(Exec(), n, times.edges);
  const Place place = usual_place();
  auto shares = place.solve({}, n, times.edges);
  Times<T> more = times;
  for (int e = 0; e < 100; ++e) more.add(uniform(random, 0, n - 1), uniform(random, 0, n - 1), 0);
  for (std::size_t e = times.edges.size(); e < more.edges.size(); ++e) {
    const auto& edge = more.edges[e];
    blockfw::insert_edge(Exec(), d, edge.from, edge.to, edge.weight);
    shares.insert_edge(edge.from, edge.to, edge.weight);
  }
  check(d);
  check(on_host(shares));
  const auto edge = more.edges.front();
  CHECK_THROWS_AS(blockfw::insert_edge(Exec(), d, edge.from, edge.to, edge.weight - T(.1)), blockfw::NegativeCycle);
  CHECK_THROWS_AS(shares.insert_edge(edge.from, edge.to, edge.weight - T(.1)), blockfw::NegativeCycle);

  // The graph without the last vertex is solved, and then the last vertex is added.
  Edges<T> old, own;
  Times<T> twice = more;
  for (int v = 0; v < n; v += 3) twice.add(n - 1, v, 0), twice.add(v, n - 1, 0);
  for (int v = 0; v + 1 < n; ++v) twice.add(v, (v + 7) % (n - 1), 0);
  for (const auto& e : twice.edges) (e.from == n - 1 || e.to == n - 1 ? own : old).push_back(e);
  check(blockfw::add_vertex(Exec(), blockfw::solve(Exec(), n - 1, old), own));
  own.push_back({n - 1, 0, own.front().weight});
  own.back().weight = static_cast<T>(times.at[0] - times.at[n - 1] - .1);
  CHECK_THROWS_AS(blockfw::add_vertex(Exec(), blockfw::solve(Exec(), n - 1, old), own), blockfw::NegativeCycle);
}

TEST_CASE_TEMPLATE("a file: resumed with the potentials of its record", T, float, double) {
  Random random(7);
  const int n = 40;
  const Times<T> times(random, n, 3 * n);
  const Folder folder;
  {
    blockfw::io::DistanceFile<T> file(folder / "out", n, "a graph");
    file.fill(times.edges);
  }
  blockfw::io::DistanceFile<T> file(folder / "out", n, "a graph");
  REQUIRE(file.filled());
  file.solve(Exec());
  const auto d = copied<T>(file.view());
  CHECK(times.error(d) < 2 * n * 100. * static_cast<double>(std::numeric_limits<T>::epsilon()));
  CHECK(own_are_zero(d));
}

TEST_CASE("integers beyond the precision of a double: a negative cycle is found") {
  const blockfw::DistanceMatrix<std::int64_t, Exec> d = blockfw::allocate_distances<std::int64_t>(Exec(), 1);
  Kokkos::deep_copy(d, std::int64_t{0});
  constexpr std::int64_t large = std::int64_t{1} << 60;
  const std::vector<blockfw::Edge<std::int64_t>> edges{{0, 1, large}, {1, 0, -large - 1}},
      zero{{0, 1, large}, {1, 0, -large}};
  CHECK_THROWS_AS(blockfw::add_vertex(Exec(), d, edges), blockfw::NegativeCycle);
  CHECK(copied<std::int64_t>(blockfw::add_vertex(Exec(), d, zero))(0, 1) == large);
}

namespace {

/// Checks that a call names the edge between 1 and 2 as a cycle by itself.
template <class Error = blockfw::NegativeCycle>
void names_edge(const std::string& place, const std::function<void()>& call) {
  CAPTURE(place);
  try {
    call();
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.vertex == 1);
    CHECK(error.other == 2);
    const std::string what = error.what();
    CAPTURE(what);
    CHECK(what.find("the edge between 1 and 2 is ") != std::string::npos);
    CHECK(what.find("leads in both directions, so it is a cycle by itself") != std::string::npos);
  }
}

}  // namespace

TEST_CASE_TEMPLATE("an undirected negative edge: a cycle by itself, which the error names", T, int, float, double) {
  using blockfw::Method;
  constexpr auto both = blockfw::Direction::undirected;
  using S = blockfw::MinPlus<T>;
  const Edges<T> edges = {{0, 1, 5}, {2, 1, -2}, {2, 3, 7}}, open = {{0, 1, 5}, {2, 1, 2}, {2, 3, 7}};
  const std::vector<std::int32_t> sources = {0, 3};
  for (const bool strict : {false, true}) {
    for (const Method method : {Method::automatic, Method::dense, Method::sparse})
      names_edge("edges", [&] {
        blockfw::solve(Exec(), 4, edges, {.direction = both, .method = method, .strict_cycles = strict});
      });
    names_edge("shares", [&] { usual_place().solve({.direction = both, .strict_cycles = strict}, 4, edges); });
    names_edge("from",
               [&] { blockfw::solve_from(Exec(), 4, edges, sources, {.direction = both, .strict_cycles = strict}); });
    const blockfw::SparseAnalysis analysis(4, edges);
    names_edge("factor", [&] {
      blockfw::SparseFactor<S, Exec>(Exec(), analysis, edges, {.direction = both, .strict_cycles = strict});
    });
    using Network = blockfw::Network<S, Host>;
    names_edge("network", [&] { Network(Host(), 4, edges, {.direction = both, .strict_cycles = strict}); });
    const Network network(Host(), 4, open, {.direction = both, .strict_cycles = strict});
    const std::vector<blockfw::Edge<T>> negative = {{1, 2, -2}}, longer = {{1, 2, 3}};
    names_edge("weights", [&] { network.with_weights(std::vector<T>{5, -2, 7}); });
    names_edge("changes", [&] { network.with_changes(negative); });
    names_edge("later changes", [&] { network.with_changes(longer).with_changes(negative); });
  }
  const HostMatrix<T> weights("weights", 4, 4);
  blockfw::fill_from_edges<S>(Host(), weights, edges);  // the entries above the diagonal do not show the cycle
  names_edge("matrix", [&] { blockfw::solve(Host(), weights, {.direction = both}); });
  names_edge("file", [&] {
    const Folder folder;
    blockfw::io::DistanceFile<T>(folder / "out", 4, "a graph").fill(edges, {.direction = both});
  });
  const auto d = blockfw::solve(Exec(), 2, Edges<T>{{0, 1, 5}}, {.direction = both});
  names_edge("vertex", [&] { blockfw::add_vertex(Exec(), d, Edges<T>{{2, 0, 4}, {2, 1, -1}}, {.direction = both}); });
  // Without a source that reaches the edge there is no error.
  const auto apart =
      blockfw::solve_from(Exec(), 5, Edges<T>{{0, 4, 5}, {2, 1, -2}}, std::vector<int>{0}, {.direction = both});
  CHECK(readable(apart)(0, 4) == 5);
  // A negative edge from a vertex to itself is a cycle in any graph. Its message is the usual one.
  try {
    blockfw::solve(Exec(), 3, Edges<T>{{0, 1, 5}, {2, 2, -1}}, {.direction = both});
    FAIL("no error");
  } catch (const blockfw::NegativeCycle& error) {
    CHECK(error.vertex == 2);
    CHECK(error.other == -1);
  }
}

TEST_CASE("longest paths: an undirected positive edge is a cycle by itself") {
  using S = blockfw::MaxPlus<int>;
  const Edges<int> edges = {{0, 1, -5}, {2, 1, 2}, {2, 3, -7}};
  for (const auto method : {blockfw::Method::dense, blockfw::Method::sparse})
    names_edge<blockfw::DivergentCycle>("edges", [&] {
      blockfw::solve<S>(Exec(), 4, edges, {.direction = blockfw::Direction::undirected, .method = method});
    });
}
