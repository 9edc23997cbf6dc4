// SPDX-License-Identifier: MIT
// Small matrices on the calling thread, with each level of vectors. Closures are compared with the oracle, and edges
// are inserted one after the other. (Compiled without -march.)
#include "graphs.hpp"

#include "blockfw/small.hpp"

#include <cstring>
#include <optional>
#include <thread>
#include <tuple>

namespace {

namespace detail = blockfw::detail;

template <class T>
constexpr T mark = T(-77);

/// A matrix with gaps between its rows. The memory around and between the rows is marked.
template <class T>
struct Padded {
  std::int64_t n, ld;
  std::vector<T> memory;

  Padded(std::int64_t order, std::int64_t leading_dimension)
      : n(order), ld(leading_dimension), memory(static_cast<std::size_t>((order + 2) * leading_dimension), mark<T>) {}

  T* data() { return memory.data() + ld; }
  T& at(std::int64_t i, std::int64_t j) { return data()[i * ld + j]; }
  blockfw::MatrixRef<T, Kokkos::HostSpace> view() {
    const auto order = static_cast<std::size_t>(n);
    return blockfw::MatrixRef<T, Kokkos::HostSpace>(
        data(), Kokkos::LayoutStride(order, static_cast<std::size_t>(ld), order, 1));
  }
  bool padding_is_untouched() {
    for (std::int64_t i = -1; i <= n; ++i)
      for (std::int64_t j = i < 0 || i == n ? 0 : n; j < ld; ++j)
        if (at(i, j) != mark<T>) return false;
    return true;
  }
  bool same_bits(const Padded& other) const {
    return std::memcmp(memory.data(), other.memory.data(), memory.size() * sizeof(T)) == 0;
  }
};

/// The graph's matrix over a semiring: edges of its weights, one() on the diagonal.
template <class S, class T = typename S::value_type>
Padded<T> matrix_over(int n, const std::vector<blockfw::Edge<T>>& edges, int beyond) {
  Padded<T> d(n, n + beyond);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) d.at(i, j) = i == j ? S::one() : S::zero();
  for (const auto& e : edges) d.at(e.from, e.to) = S::relax(d.at(e.from, e.to), e.weight, S::one());
  return d;
}

template <class S, class T = typename S::value_type>
std::optional<std::int64_t> close(Padded<T>& d) {
  const auto cycle = blockfw::small_floyd_warshall<S>(d.data(), d.n, d.ld);
  CHECK(d.padding_is_untouched());
  return cycle;
}

/// Calls f(T()) for each type under test.
template <class F>
void for_types(const F& f) {
  [&]<class... Types>(std::tuple<Types...>*) { (f(Types()), ...); }(static_cast<std::tuple<ALL_TYPES>*>(nullptr));
}

/// The graph without edges that are too heavy for 16 bits: n such edges would exceed infinity / 2.
Graph light(Graph g) {
  std::erase_if(g.edges, [&](const auto& e) { return std::abs(e.weight) * g.n > blockfw::infinity<std::int16_t> / 2; });
  return g;
}

/// Checks the closure over S. Its weights and distances, times `sign`, are those of shortest paths.
template <class S>
void check_closure(const Answer& answer, int sign, int beyond) {
  using T = typename S::value_type;
  auto edges = edges_of<T>(answer.graph);
  for (auto& e : edges) e.weight = static_cast<T>(static_cast<T>(sign) * e.weight);
  const auto start = matrix_over<S>(answer.graph.n, edges, beyond);
  on_each_level([&] {
    auto d = start;
    const auto cycle = close<S>(d);
    REQUIRE(cycle.has_value() == answer.negative_cycle);
    if (cycle) {
      REQUIRE(*cycle >= 0);
      REQUIRE(*cycle < d.n);
      CHECK(oracle::on_negative_walk(answer.graph, static_cast<int>(*cycle)));
      return;
    }
    for (std::int64_t i = 0; i < d.n; ++i)
      for (std::int64_t j = 0; j < d.n; ++j) d.at(i, j) = static_cast<T>(static_cast<T>(sign) * d.at(i, j));
    CHECK(difference(d.view(), answer.distances) == "");
  });
}

const int orders[] = {1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 255, 256, 257, 511, 512};

}  // namespace

TEST_CASE("small: all families, orders, types and levels") {
  Random random(1);
  for (const int n : orders)
    for (std::size_t f = 0; f < std::size(families); ++f) {
      // (The largest graphs take long. So only sparse graphs with negative weights, or a cycle of length 0 or -1, are
      // that large.)
      if (n > 257 && f != 6 && f != 8 && f != 9) continue;
      CAPTURE(n);
      CAPTURE(std::string(families[f].name));
      const Answer answer(light(families[f].make(random, n)), blockfw::Direction::directed);
      for_types([&](auto x) { check_closure<blockfw::MinPlus<decltype(x)>>(answer, 1, 0); });
    }
}

TEST_CASE_TEMPLATE("small: a leading dimension beyond the order", T, ALL_TYPES) {
  Random random(2);
  for (const int n : {1, 15, 16, 31, 33, 64, 100, 129, 260})
    for (const int beyond : {1, 3, 70}) {
      CAPTURE(n);
      CAPTURE(beyond);
      const Answer answer(light(families[6].make(random, n)), blockfw::Direction::directed);
      check_closure<blockfw::MinPlus<T>>(answer, 1, beyond);
    }
}

TEST_CASE_TEMPLATE("small: longest paths", T, std::int16_t, double) {
  Random random(3);
  for (const int n : {1, 2, 17, 64, 65, 130, 300})
    for (const int family : {0, 2, 6, 8, 9, 10}) {
      CAPTURE(n);
      const Answer answer(light(families[family].make(random, n)), blockfw::Direction::directed);
      check_closure<blockfw::MaxPlus<T>>(answer, -1, 2);
    }
}

TEST_CASE("small: an empty matrix") {
  CHECK_FALSE(blockfw::small_floyd_warshall(static_cast<int*>(nullptr), 0, 0).has_value());
  int untouched = 5;
  CHECK_FALSE(blockfw::small_floyd_warshall(&untouched, 0, 3).has_value());
  CHECK(untouched == 5);
}

// The heaviest weights that are allowed, on a path through all vertices. Distances, and infinity minus a distance, come
// as near to infinity / 2 as possible.
TEST_CASE_TEMPLATE("small: the heaviest integers", T, std::int16_t, std::int32_t, std::int64_t) {
  for (const int n : {2, 16, 33, 129, 512}) {
    CAPTURE(n);
    for (const int sign : {1, -1}) {
      CAPTURE(sign);
      const auto heaviest_of_all = static_cast<T>(sign * (blockfw::infinity<T> / 2 / n));
      Graph g{n, {}};
      for (int i = 0; i + 1 < n; ++i) g.edges.push_back({i, i + 1, heaviest_of_all});
      const Answer answer(g, blockfw::Direction::directed);
      check_closure<blockfw::MinPlus<T>>(answer, 1, 0);
      if constexpr (sizeof(T) == 2) check_closure<blockfw::MaxPlus<T>>(answer, -1, 0);
      // The same, edge by edge from the far end, so that paths grow at their beginning.
      on_each_level([&] {
        auto d = matrix_over<blockfw::MinPlus<T>>(n, {}, 0);
        REQUIRE_FALSE(close<blockfw::MinPlus<T>>(d).has_value());
        for (int i = n - 2; i >= 0; --i)
          REQUIRE_FALSE(blockfw::small_insert_edge(d.data(), n, d.ld, i, i + 1, heaviest_of_all).has_value());
        CHECK(difference(d.view(), answer.distances) == "");
      });
    }
  }
}

namespace {

/// Checks the closure over a semiring without cycles that diverge against three loops.
template <class S>
void check_semiring() {
  using T = typename S::value_type;
  Random random(4);
  for (const int n : {1, 2, 15, 33, 64, 100, 129, 257})
    for (const int family : {0, 1, 2, 3}) {
      CAPTURE(n);
      CAPTURE(family);
      const auto start = matrix_over<S>(n, edges_over<S>(families[family].make(random, n)), 5);
      auto expected = start;
      for (int k = 0; k < n; ++k)
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < n; ++j)
            expected.at(i, j) = S::relax(expected.at(i, j), expected.at(i, k), expected.at(k, j));
      on_each_level([&] {
        auto d = start;
        CHECK_FALSE(close<S>(d).has_value());
        CHECK(std::equal(d.memory.begin(), d.memory.end(), expected.memory.begin(), [](T a, T b) { return a == b; }));
      });
    }
}

}  // namespace

TEST_CASE("small: widest paths, bottlenecks, most reliable paths") {
  check_semiring<blockfw::MaxMin<std::int32_t>>();
  check_semiring<blockfw::MaxMin<float>>();
  check_semiring<blockfw::MinMax<std::int16_t>>();
  check_semiring<blockfw::MinMax<double>>();
  check_semiring<blockfw::MaxTimes<float>>();
  check_semiring<blockfw::MaxTimes<double>>();
}

TEST_CASE("small: products of a cycle beyond 1 diverge") {
  using S = blockfw::MaxTimes<double>;
  on_each_level([&] {
    auto d = matrix_over<S>(40, {{0, 20, 0.5}, {20, 30, 3.0}, {30, 20, 0.5}, {30, 39, 1.0}}, 0);
    const auto cycle = close<S>(d);
    REQUIRE(cycle.has_value());
    CHECK((*cycle == 20 || *cycle == 30));
    // First the matrix without the last edge of the cycle, then the same with this edge.
    d = matrix_over<S>(40, {{0, 20, 0.5}, {20, 30, 3.0}, {30, 39, 1.0}}, 0);
    REQUIRE_FALSE(close<S>(d).has_value());
    const auto before = d;
    CHECK(blockfw::small_insert_edge<S>(d.data(), d.n, d.ld, 30, 20, 0.5) == 30);
    CHECK(d.same_bits(before));
    CHECK_FALSE(blockfw::small_insert_edge<S>(d.data(), d.n, d.ld, 30, 20, 0.25).has_value());
    CHECK(d.at(0, 30) == 1.5);
    CHECK(d.at(30, 20) == 0.25);
    CHECK(d.at(30, 30) == 1);
  });
}

namespace {

/// Inserts random edges. After each edge the matrix is compared with a new closure of all edges.
/// \param weight  weight(from, to) is the weight of the next edge
/// \return the number of edges that closed a cycle that diverges, and were left out
template <class S, class Weight>
int check_insertions(Random& random, int n, int edges, int beyond, const Weight& weight) {
  using T = typename S::value_type;
  std::vector<blockfw::Edge<T>> there;
  auto d = matrix_over<S>(n, there, beyond);
  REQUIRE_FALSE(close<S>(d).has_value());
  int refused = 0;
  for (int e = 0; e < edges; ++e) {
    const int from = uniform(random, 0, n - 1), to = uniform(random, 0, n - 1);
    there.push_back({from, to, weight(from, to)});
    CAPTURE(e);
    CAPTURE(from);
    CAPTURE(to);
    CAPTURE(there.back().weight);
    auto fresh = matrix_over<S>(n, there, beyond);
    const bool diverges = close<S>(fresh).has_value();
    const auto before = d;
    const auto cycle = blockfw::small_insert_edge<S>(d.data(), n, d.ld, from, to, there.back().weight);
    REQUIRE(cycle.has_value() == diverges);
    if (cycle) {
      REQUIRE(*cycle == from);
      REQUIRE(d.same_bits(before));
      there.pop_back();
      ++refused;
    } else {
      REQUIRE(std::equal(d.memory.begin(), d.memory.end(), fresh.memory.begin(), [](T a, T b) { return a == b; }));
    }
  }
  return refused;
}

const int orders_of_insertions[] = {1, 2, 7, 16, 31, 33, 64, 65, 100};

}  // namespace

TEST_CASE_TEMPLATE("small: edge by edge", T, ALL_TYPES) {
  on_each_level([&] {
    Random random(5);
    int refused = 0;
    for (const int n : orders_of_insertions) {
      CAPTURE(n);
      // Many negative weights, of which few close a negative cycle.
      const auto h = potentials(random, n);
      refused += check_insertions<blockfw::MinPlus<T>>(random, n, 4 * n, n % 3, [&](int from, int to) {
        if (uniform(random, 0, 9) == 0) return blockfw::infinity<T>;
        const int shift = h[static_cast<std::size_t>(from)] - h[static_cast<std::size_t>(to)];
        return static_cast<T>((shift + uniform(random, -heaviest(n) / 8, heaviest(n))) / 2);
      });
    }
    CHECK(refused > 0);
  });
}

TEST_CASE("small: edge by edge over other semirings") {
  on_each_level([&] {
    Random random(6);
    for (const int n : orders_of_insertions) {
      CAPTURE(n);
      const auto any = [&](int, int) { return uniform(random, -9, heaviest(n)); };
      check_insertions<blockfw::MaxPlus<std::int16_t>>(random, n, 4 * n, 1, [&](int from, int to) {
        if (uniform(random, 0, 9) == 0) return static_cast<std::int16_t>(-blockfw::infinity<std::int16_t>);
        return static_cast<std::int16_t>(from - to + uniform(random, -9, 1));
      });
      check_insertions<blockfw::MaxMin<std::int32_t>>(random, n, 4 * n, 1, any);
      check_insertions<blockfw::MinMax<double>>(random, n, 4 * n, 1, [&](int i, int j) { return 0.5 * any(i, j); });
      check_insertions<blockfw::MaxTimes<float>>(random, n, 4 * n, 1,
                                                 [&](int, int) { return std::ldexp(1.0F, -uniform(random, 0, 4)); });
    }
  });
}

TEST_CASE("small: infinitely wide edges") {
  using S = blockfw::MaxMin<float>;
  auto d = matrix_over<S>(20, {{0, 1, 4.0F}, {2, 19, 3.0F}}, 0);
  REQUIRE_FALSE(close<S>(d).has_value());
  CHECK_FALSE(blockfw::small_insert_edge<S>(d.data(), 20, 20, 1, 2, blockfw::infinity<float>).has_value());
  CHECK(d.at(0, 2) == 4);
  CHECK(d.at(0, 19) == 3);
  CHECK(d.at(1, 2) == blockfw::infinity<float>);
}

// Also where sums round, a matrix has no negative cycle after an edge is taken.
TEST_CASE_TEMPLATE("small: rounded sums", T, float, double) {
  Random random(7);
  std::uniform_real_distribution<T> any(T(0.1), T(1));
  int taken = 0, refused = 0;
  for (int repetition = 0; repetition < 200; ++repetition) {
    const int n = 17;
    std::vector<T> height(n);
    for (T& x : height) x = any(random);
    auto d = matrix_over<blockfw::MinPlus<T>>(n, {}, 0);
    for (int e = 0; e < 60; ++e) {
      const int from = uniform(random, 0, n - 1), to = uniform(random, 0, n - 1);
      // Every cycle has length 0, except for rounding.
      const T weight = height[static_cast<std::size_t>(from)] - height[static_cast<std::size_t>(to)];
      const bool cycle = blockfw::small_insert_edge(d.data(), n, n, from, to, weight).has_value();
      ++(cycle ? refused : taken);
      for (int v = 0; v < n; ++v) REQUIRE(d.at(v, v) == 0);
    }
  }
  CHECK(taken > 0);
  CHECK(refused > 0);
}

TEST_CASE("small: several threads at once") {
  struct Task {
    Graph graph;
    Padded<std::int32_t> start, closed, updated;
  };
  using S = blockfw::MinPlus<std::int32_t>;
  Random random(8);
  std::vector<Task> tasks;
  for (const int n : {5, 16, 40, 64, 65, 100, 128, 200}) {
    Graph g = families[6].make(random, n);
    auto start = matrix_over<S>(n, edges_of<std::int32_t>(g), 3), closed = start;
    REQUIRE_FALSE(close<S>(closed).has_value());
    CHECK(difference(closed.view(), oracle::distances(g)) == "");
    auto updated = closed;
    REQUIRE_FALSE(blockfw::small_insert_edge(updated.data(), n, updated.ld, 1, 3, 5000).has_value());
    CHECK_FALSE(blockfw::small_insert_edge(updated.data(), n, updated.ld, 3, 1, 5000).has_value());
    tasks.push_back({std::move(g), std::move(start), std::move(closed), std::move(updated)});
  }
  std::vector<int> wrong(4, 0);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < wrong.size(); ++t)
    threads.emplace_back([&, t] {
      for (std::size_t repetition = 0; repetition < 400; ++repetition) {
        const Task& task = tasks[(repetition * (t + 1) + t) % tasks.size()];
        auto d = task.start;
        wrong[t] += blockfw::small_floyd_warshall(d.data(), d.n, d.ld).has_value() || !d.same_bits(task.closed);
        for (const auto& [from, to] : {std::pair(1, 3), std::pair(3, 1)})
          wrong[t] += blockfw::small_insert_edge(d.data(), d.n, d.ld, from, to, 5000).has_value();
        wrong[t] += !d.same_bits(task.updated);
      }
    });
  for (auto& thread : threads) thread.join();
  CHECK(wrong == std::vector<int>(4, 0));
}

TEST_CASE("small: what is refused") {
  using blockfw::InvalidInput;
  using blockfw::small_floyd_warshall;
  using blockfw::small_insert_edge;
  std::vector<double> d = {0, 1, 2, 0};
  const auto before = d;
  double* const none = nullptr;
  const auto check = [&](auto closes, auto inserts, const char* message) {
    CHECK_THROWS_WITH_AS(closes(), message, InvalidInput);
    CHECK_THROWS_WITH_AS(inserts(), message, InvalidInput);
  };
  const auto of = [&](double* data, std::int64_t n, std::int64_t ld, const char* message) {
    check([=] { small_floyd_warshall(data, n, ld); }, [=] { small_insert_edge(data, n, ld, 0, 0, 1); }, message);
  };
  of(d.data(), -1, 2, "the order of the matrix is -1, expected 0 to 512");
  of(d.data(), 513, 513, "the order of the matrix is 513, expected 0 to 512");
  of(d.data(), 2, 1, "the leading dimension is 1, expected at least the order of the matrix, 2");
  of(d.data(), 0, -1, "the leading dimension is -1, expected at least the order of the matrix, 0");
  of(none, 2, 2, "null pointer given for a matrix of order 2");

  const auto insert = [&](std::int64_t n, std::int64_t from, std::int64_t to, double weight, const char* message) {
    CHECK_THROWS_WITH_AS(small_insert_edge(d.data(), n, 2, from, to, weight), message, InvalidInput);
  };
  insert(2, 2, 0, 1, "vertex 2 is out of range, expected 0 to 1");
  insert(2, 0, 2, 1, "vertex 2 is out of range, expected 0 to 1");
  insert(2, -1, 0, 1, "vertex -1 is out of range, expected 0 to 1");
  insert(2, 0, -1, 1, "vertex -1 is out of range, expected 0 to 1");
  insert(0, 0, 0, 1, "vertex 0 is out of range, the graph has no vertices");
  insert(2, 0, 1, std::nan(""), "the weight is NaN, expected a number or infinity");
  insert(2, 0, 1, -blockfw::infinity<double>, "the weight is -infinity, expected a number or infinity");
  CHECK_THROWS_WITH_AS(small_insert_edge<blockfw::MaxTimes<double>>(d.data(), 2, 2, 0, 1, -0.5),
                       "the weight is -0.500000, expected one that the semiring's accepts() takes", InvalidInput);
  CHECK_THROWS_WITH_AS(small_insert_edge<blockfw::MaxMin<double>>(d.data(), 2, 2, 0, 1, std::nan("")),
                       "the weight is NaN, expected a number or -infinity", InvalidInput);
  CHECK(d == before);
}
