// SPDX-License-Identifier: MIT
// Tests that every place finds the distances of an independent oracle, over a semiring. All combinations of
// place, direction, kind of weights and narrow are tested. Reports must tell the choices of the solve.
//
// Each semiring is run with orders above and below the thresholds. Three kinds of combinations are left out:
// - further types of other semirings, and shortest paths of double: each pair takes seconds to compile in each place.
//   (test_semirings.cpp and test_random.cpp test them on one instance, test_shares.cpp tests double in shares.)
// - distances of 8 to 64 bits, and distances at the limits. They are tested only for shortest paths in large graphs of
//   integers without negative weights: only these may be narrower. (All other cases run with narrow, too, and keep
//   their type.)
// - negative weights over LastEdge, which mean nothing.
//
// Compiled twice: for the places of one process, and (BLOCKFW_PLACE_OF_RANKS) for the ranks of MPI that mpiexec starts.
// The parts compile at once: integers and each threshold, other semirings, and a library of the template instances that
// the programs of all places share.
#include "places.hpp"

#include <cmath>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#ifndef BLOCKFW_IN_PART
#define BLOCKFW_IN_PART(number) 1
#endif

#if BLOCKFW_IN_PART(1) || BLOCKFW_IN_PART(2)
using blockfw::Direction;

// ⊕ and ⊗ once more, for the oracle.
template <class T>
T plus(blockfw::MaxPlus<T>, T a, T b) {
  return a > b ? a : b;
}
template <class T>
T times(blockfw::MaxPlus<T>, T a, T b) {
  return static_cast<T>(a + b);
}
template <class T>
T plus(blockfw::MaxMin<T>, T a, T b) {
  return a > b ? a : b;
}
template <class T>
T times(blockfw::MaxMin<T>, T a, T b) {
  return a < b ? a : b;
}
template <class T>
T plus(blockfw::MinMax<T>, T a, T b) {
  return a < b ? a : b;
}
template <class T>
T times(blockfw::MinMax<T>, T a, T b) {
  return a > b ? a : b;
}
template <class T>
T plus(blockfw::MaxTimes<T>, T a, T b) {
  return a > b ? a : b;
}
template <class T>
T times(blockfw::MaxTimes<T>, T a, T b) {
  return a * b;
}
inline std::int32_t plus(LastEdge, std::int32_t a, std::int32_t b) { return a < b ? a : b; }
inline std::int32_t times(LastEdge, std::int32_t a, std::int32_t b) { return b == LastEdge::empty ? a : b; }

template <class S>
inline constexpr bool is_shortest = std::is_same_v<S, blockfw::MinPlus<typename S::value_type>>;
template <class S>
inline constexpr bool is_longest = std::is_same_v<S, blockfw::MaxPlus<typename S::value_type>>;
template <class S>
inline constexpr bool is_product = [] {
  if constexpr (std::is_floating_point_v<typename S::value_type>)
    return std::is_same_v<S, blockfw::MaxTimes<typename S::value_type>>;
  return false;
}();
/// Whether shortest distances may be narrower than their type.
template <class S>
inline constexpr bool is_narrowed =
    is_shortest<S> && std::is_integral_v<typename S::value_type> && (sizeof(typename S::value_type) > 2);

/// The kind of weights: none is negative, some are negative, or a cycle gets better each time around.
enum class Kind { plain, negative, divergent };
/// The bits that the longest of the shortest paths needs: 8, 16, 32 or 64.
enum class Weights { few, some, many, most };

/// One combination, for every place.
struct Case {
  int n;
  Direction direction;
  Kind kind;
  Weights weights;
  std::int64_t chain = 0;  ///< if not 0, the graph is a path of this length through all vertices
};

inline std::string described(const Case& c, bool narrow) {
  return ", n " + std::to_string(c.n) + (c.direction == Direction::directed ? ", directed" : ", undirected") +
         ", kind " + std::to_string(int(c.kind)) + ", weights " + std::to_string(int(c.weights)) + ", chain " +
         std::to_string(c.chain) + (narrow ? ", narrow" : ", wide");
}

/// A random graph. Vertices 7 and 9 have edges one way only, 11 has none, and one path leads to 13.
inline Graph graph_of(const Case& c) {
  Graph chain{c.n, {}};
  for (int v = 0, last = c.n - 1; v < last; ++v)
    chain.edges.push_back({v, v + 1, c.chain * (v + 1) / last - c.chain * v / last});
  if (c.chain > 0) return chain;

  Random random(static_cast<unsigned>(c.n));
  std::int64_t heaviest_of[] = {2, 80, 40'000, std::int64_t(1) << 31};
  // (So that int16 can take the sums of shifted edges.)
  if (c.kind != Kind::plain) heaviest_of[int(Weights::some)] = heaviest(c.n);
  const std::int64_t high = heaviest_of[int(c.weights)];
  Graph g = scattered(random, c.n, 8 * c.n, 1, static_cast<int>(std::min<std::int64_t>(high, 40'000)));
  std::erase_if(g.edges, [](const auto& e) {
    const auto at = [&](int v) { return e.from == v || e.to == v; };
    return e.from == 7 || e.to == 9 || at(11) || at(13);
  });
  g.edges.push_back({0, 13, high});
  if (c.kind == Kind::negative) g = shifted(g, potentials(random, c.n));
  if (c.kind == Kind::divergent) {  // of length -1, among the last vertices only: no edge leads there
    const int one = c.n - 20, other = c.n - 5;
    std::erase_if(g.edges, [&](const auto& e) { return e.to == one || e.to == other; });
    g.edges.push_back({one, other, 1});
    g.edges.push_back({other, one, -2});
  }
  return g;
}

/// The edges with weights over the semiring, whose sums and products are exact.
template <class S, class T = typename S::value_type>
EdgesOver<S> edges_of_case(const Graph& g, Kind kind) {
  EdgesOver<S> edges = edges_of<T>(g);
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const std::int64_t weight = g.edges[e].weight;
    if constexpr (is_longest<S>) edges[e].weight = static_cast<T>(-weight);
    if constexpr (is_product<S>) {
      const T below_zero = kind == Kind::divergent ? T(8) : T(-0.5);  // (around the cycle 8 / 4)
      edges[e].weight = weight < 0 ? below_zero : std::ldexp(T(1), -1 - static_cast<int>(weight % 5));
    }
  }
  return edges;
}

enum class Outcome { distances, diverges, refused };

template <class S>
Outcome outcome_of(const Case& c) {
  if (is_product<S> && c.kind == Kind::negative) return Outcome::refused;
  const bool gains = is_shortest<S> || is_longest<S> || is_product<S>;  // whether a cycle can get better
  const bool back_and_forth = c.kind == Kind::negative && c.direction == Direction::undirected;
  return gains && (c.kind == Kind::divergent || back_and_forth) ? Outcome::diverges : Outcome::distances;
}

/// The matrix of the graph by three plain loops.
template <class S, class T = typename S::value_type>
HostMatrix<T> plain_loops(int n, const EdgesOver<S>& edges, Direction direction) {
  const HostMatrix<T> d("oracle", static_cast<std::size_t>(n), static_cast<std::size_t>(n));
  Kokkos::deep_copy(d, S::zero());
  for (const auto& e : edges) {
    d(e.from, e.to) = plus(S(), d(e.from, e.to), e.weight);
    if (direction == Direction::undirected) d(e.to, e.from) = plus(S(), d(e.to, e.from), e.weight);
  }
  for (int v = 0; v < n; ++v) d(v, v) = S::one();
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < n; ++i) {
      const T first = d(i, k);
      if (first == S::zero()) continue;
      for (int j = 0; j < n; ++j)
        if (d(k, j) != S::zero()) d(i, j) = plus(S(), d(i, j), times(S(), first, d(k, j)));
    }
  return d;
}

/// A combination with its expected distances.
template <class S, class T = typename S::value_type>
struct Expected {
  Case c;
  Graph graph;  ///< with edges in both directions if it is undirected
  EdgesOver<S> edges;
  Outcome outcome;
  HostMatrix<T> d;  ///< by the oracle

  explicit Expected(const Case& given)
      : c(given), graph(graph_of(c)), edges(edges_of_case<S>(graph, c.kind)), outcome(outcome_of<S>(c)) {
    if (c.direction == Direction::undirected) graph = oracle::mirrored(graph);
    // (The oracle is slow. So rank 0 alone runs it, for all ranks.)
    if (outcome == Outcome::distances) d = on_first<T>(c.n, [&] { return by_oracle(); });
  }

  /// The longest distance.
  T longest() const {
    T most = 0;
    for (int i = 0; i < c.n; ++i)
      for (int j = 0; j < c.n; ++j)
        if (d(i, j) < blockfw::infinity<T>) most = std::max(most, d(i, j));
    return most;
  }

 private:
  HostMatrix<T> by_oracle() const {
    if constexpr (is_shortest<S>)
      return host_matrix<T>(oracle::distances(graph));
    else
      return plain_loops<S>(c.n, edges, c.direction);
  }
};

/// The bits that a place has to take.
template <class S, class Where>
int bits_in(const Where&, [[maybe_unused]] const Expected<S>& expected, [[maybe_unused]] bool narrow) {
  constexpr int all = 8 * int(sizeof(typename S::value_type));
  if constexpr (is_narrowed<S>)
    if (narrow && expected.c.kind == Kind::plain && expected.c.n >= Where::narrow_from)
      for (int bits = Where::fewest_bits; bits < all; bits *= 2)
        if (static_cast<std::int64_t>(expected.longest()) < (std::int64_t(1) << (bits - 2)) - 1) return bits;
  return all;
}

/// A summary of distances that are some `apart` in memory.
template <class T>
blockfw::Reach<T> reach_of(const T* d, int n, int apart) {
  blockfw::Reach<T> reach;
  for (int v = 0; v < n; ++v) {
    const T x = d[std::int64_t(v) * apart];
    if (!(x < blockfw::infinity<T>)) continue;
    ++reach.vertices;
    reach.sum += static_cast<typename blockfw::Reach<T>::Sum>(x);
    if (reach.farthest_vertex >= 0 && !(x > reach.farthest)) continue;
    reach.farthest = x;
    reach.farthest_vertex = v;
  }
  return reach;
}

/// Checks the answers of solved distances in shares against the matrix.
template <class S, class Solved, class T = typename S::value_type>
void check_answers(const Solved& solved, const Expected<S>& expected) {
  const int n = expected.c.n;
  const HostMatrix<T>& d = expected.d;
  CHECK(solved.vertices() == n);
  const std::vector<int> vertices = {n - 1, 0, 7, n / 2, 0};
  const auto rows = solved.distances_from(vertices), columns = solved.distances_to(vertices);
  static_assert(std::is_same_v<typename decltype(rows)::non_const_value_type, T>);
  REQUIRE(rows.extent(0) == vertices.size());
  REQUIRE(columns.extent(0) == vertices.size());
  int wrong = 0, asymmetric = 0;
  for (std::size_t s = 0; s < vertices.size(); ++s)
    for (int v = 0; v < n; ++v) wrong += rows(s, v) != d(vertices[s], v) || columns(s, v) != d(v, vertices[s]);
  CHECK(wrong == 0);
  const std::pair<int, int> pairs[] = {{0, 0}, {7, 8}, {8, 9}, {n - 1, 13}, {n / 2, n - 2}};
  for (const auto& pair : pairs) CHECK(solved.distance(pair.first, pair.second) == d(pair.first, pair.second));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) asymmetric += d(i, j) != d(j, i);
  CHECK(solved.is_symmetric() == (asymmetric == 0));
  if constexpr (is_shortest<S>)
    for (const auto towards : {blockfw::Towards::others, blockfw::Towards::itself}) {
      const auto reach = solved.reach(towards);
      REQUIRE(reach.size() == static_cast<std::size_t>(n));
      wrong = 0;
      for (int v = 0; v < n; ++v) {
        const bool others = towards == blockfw::Towards::others;
        const auto right = others ? reach_of<T>(&d(v, 0), n, 1) : reach_of<T>(&d(0, v), n, n);
        const auto& there = reach[static_cast<std::size_t>(v)];
        wrong += there.vertices != right.vertices || there.sum != right.sum || there.farthest != right.farthest ||
                 there.farthest_vertex != right.farthest_vertex;
      }
      CHECK(wrong == 0);
    }
}

template <class S>
void check_cycle(const blockfw::DivergentCycle& cycle, const Expected<S>& expected) {
  CHECK(expected.outcome == Outcome::diverges);
  const bool negative = dynamic_cast<const blockfw::NegativeCycle*>(&cycle) != nullptr;
  CHECK(negative == is_shortest<S>);
  REQUIRE(cycle.vertex >= 0);
  REQUIRE(cycle.vertex < expected.c.n);
  CHECK(oracle::on_negative_walk(expected.graph, static_cast<int>(cycle.vertex)));
}

/// Checks the report of one combination in a place.
template <class S, class Where>
void check_report(const Where& place, const Expected<S>& expected, bool narrow, const blockfw::SolveReport& report) {
  const Case& c = expected.c;
  // (A solve looks for 8 bits in a few passes only. These passes differ between places.)
  const int fewest = bits_in(place, expected, narrow);
  CHECK((report.bits == fewest || (fewest == 8 && report.bits == 16)));
  CHECK(report.half == (place.halves() && blockfw::detail::is_commutative<S> && c.direction == Direction::undirected &&
                        c.n >= blockfw::detail::half_from<Exec> * place.parts()));
  CHECK(report.relaxes == doctest::Approx((report.half ? 0.5 : 1) * c.n * c.n * c.n));
  CHECK(report.dense_relaxes == report.relaxes);
}

template <class S>
blockfw::SolveOptions options_of(const Expected<S>& expected, bool narrow) {
  blockfw::SolveOptions options;
  options.direction = expected.c.direction;
  options.narrow = narrow;
  return options;
}

/// Tests one combination in one place. (Equal integers have equal bits. One instance is compared with the same oracle.)
template <class S, class Where, class T = typename S::value_type>
void check(const Where& place, const Expected<S>& expected, bool narrow) {
  const Case& c = expected.c;
  INFO(place.name(), described(c, narrow));
  Found<T> found;
  try {
    found = place.template solve<S>(c.n, expected.edges, options_of(expected, narrow), [&](const auto& d) {
      if (expected.outcome == Outcome::distances) check_answers<S>(d, expected);
    });
  } catch (const blockfw::DivergentCycle& cycle) {
    return check_cycle(cycle, expected);
  } catch (const blockfw::InvalidInput&) {
    CHECK(expected.outcome == Outcome::refused);
    return;
  }
  CHECK(expected.outcome == Outcome::distances);
  if (expected.outcome != Outcome::distances) return;
  CHECK(wrong_entries(found.d, expected.d) == 0);
  CHECK(found.bits == found.report.bits);
  check_report(place, expected, narrow, found.report);
}

template <class S>
void check_places(const Case& c) {
  const Expected<S> expected(c);
  for (const bool narrow : {false, true}) {
    for (const Place& place : places()) check(InShares{place}, expected, narrow);
    if (rank() == 0) check(OneInstance(), expected, narrow);
#ifndef BLOCKFW_PLACE_OF_RANKS
    check(OutOfCore(), expected, narrow);
    check(File(), expected, narrow);
#endif
  }
}

/// `large` is above all thresholds, also with four shares or six ranks. `small` is below most thresholds: only one
/// instance does half the work.
inline constexpr int large = 199, small = 61;

/// All combinations over a semiring.
template <class S>
void check_combinations() {
  constexpr bool negative = !std::is_same_v<S, LastEdge>;
  for (const auto direction : {Direction::directed, Direction::undirected}) {
    for (const int n : {small, large})
      for (int kind = 0; kind < (negative ? 3 : 1); ++kind) check_places<S>({n, direction, Kind(kind), Weights::some});
    if constexpr (is_narrowed<S>) {
      check_places<S>({large, direction, Kind::plain, Weights::few});
      check_places<S>({large, direction, Kind::plain, Weights::many});
      if constexpr (sizeof(typename S::value_type) > 4) check_places<S>({large, direction, Kind::plain, Weights::most});
    }
  }
  if constexpr (is_narrowed<S>)  // the longest distance just fits, and just does not
    for (int bits = 8; bits < 8 * int(sizeof(typename S::value_type)); bits *= 2)
      for (int less = 0; less < 2; ++less) {
        const std::int64_t no_path = (std::int64_t(1) << (bits - 2)) - 1;
        check_places<S>({large, Direction::directed, Kind::plain, Weights::some, no_path - less});
      }
}

/// Tests that a matrix of weights has the same distances in shares as its edges.
template <class S>
void check_matrices_of_weights() {
  using T = typename S::value_type;
  for (const auto direction : {Direction::directed, Direction::undirected})
    for (const Case& c :
         {Case{small, direction, Kind::plain, Weights::some}, Case{large, direction, Kind::plain, Weights::some},
          Case{large, direction, Kind::plain, is_narrowed<S> ? Weights::many : Weights::some},
          Case{large, direction, Kind::plain, is_narrowed<S> ? Weights::few : Weights::some},
          Case{large, direction, Kind::negative, Weights::some},
          Case{large, direction, Kind::divergent, Weights::some}}) {
      const Expected<S> expected(c);
      const HostMatrix<T> weights("weights", static_cast<std::size_t>(c.n), static_cast<std::size_t>(c.n));
      Kokkos::deep_copy(weights, S::zero());
      for (const auto& e : expected.edges) weights(e.from, e.to) = S::relax(weights(e.from, e.to), e.weight, S::one());
      if constexpr (is_shortest<S>) weights(3, 3) = 17;                                                  // counts as 0
      if constexpr (is_shortest<S> && std::is_integral_v<T>) weights(2, 11) = blockfw::infinity<T> + 5;  // no edge
      for (const bool narrow : {false, true})
        for (const Place& place : places()) {
          INFO(place.name(), described(c, narrow));
          blockfw::SolveReport report;
          auto options = options_of(expected, narrow);
          options.report = &report;
          try {
            const auto d = place.solve<S>(options, weights);
            CHECK(expected.outcome == Outcome::distances);
            if (expected.outcome == Outcome::distances) CHECK(wrong_entries(on_host(d), expected.d) == 0);
            check_report(InShares{place}, expected, narrow, report);
          } catch (const blockfw::DivergentCycle& cycle) {
            check_cycle(cycle, expected);
          }
        }
    }
  for (const Place& place : places()) {
    CHECK(place.solve<S>({}, HostMatrix<T>("none", 0, 0)).vertices() == 0);
    CHECK(place.solve<S>({}, HostMatrix<T>("one", 1, 1)).distance(0, 0) == S::one());
  }
}
#endif

#if BLOCKFW_IN_PART(1)
TEST_CASE_TEMPLATE("every place gives the oracle's distances", S, blockfw::MinPlus<std::int16_t>,
                   blockfw::MinPlus<std::int32_t>, blockfw::MinPlus<std::int64_t>, blockfw::MaxPlus<std::int32_t>) {
  check_combinations<S>();
}

TEST_CASE("at each threshold") {
  constexpr auto half_from = blockfw::detail::half_from<Exec>, narrow_from = blockfw::detail::narrow_from<Exec>;
  for (const auto direction : {Direction::directed, Direction::undirected})
    for (int less = 0; less < 2; ++less) {
      check_places<blockfw::MinPlus<std::int32_t>>(
          {static_cast<int>(narrow_from) - less, direction, Kind::plain, Weights::few});
      for (const Place& place : places()) {
        const Expected<blockfw::MinPlus<std::int64_t>> expected(
            {static_cast<int>(half_from) * place.parts() - less, direction, Kind::plain, Weights::some});
        check(InShares{place}, expected, true);
        if (rank() == 0) check(OneInstance(), expected, true);
      }
    }
#ifndef BLOCKFW_PLACE_OF_RANKS  // shares of narrower numbers have other rows, so that edges are spread again
  const Instances devices(2);
  CHECK(blockfw::RowBlocks<std::int32_t, Exec>::rows_of_share(devices.list(), large) !=
        blockfw::RowBlocks<std::int16_t, Exec>::rows_of_share(devices.list(), large));
#endif
}

TEST_CASE_TEMPLATE("a matrix of weights gives in shares what its edges do", S, blockfw::MinPlus<std::int16_t>,
                   blockfw::MinPlus<std::int32_t>) {
  check_matrices_of_weights<S>();
}
#endif

#if BLOCKFW_IN_PART(2)
TEST_CASE_TEMPLATE("every place gives the oracle's distances: other semirings", S, blockfw::MinPlus<float>,
                   blockfw::MaxMin<float>, blockfw::MinMax<std::int64_t>, blockfw::MaxTimes<double>, LastEdge) {
  check_combinations<S>();
}

TEST_CASE_TEMPLATE("a matrix of weights gives in shares what its edges do: other semirings", S, blockfw::MinPlus<float>,
                   blockfw::MinMax<std::int64_t>) {
  check_matrices_of_weights<S>();
}
#endif

#if BLOCKFW_IN_PART(3)
PLACES_INSTANCES()
#endif
