// SPDX-License-Identifier: MIT
// Each level of vectors that this processor has gives the same result, to the bit. (Compiled without -march.)
#include "graphs.hpp"
#include "spaces.hpp"

#include "blockfw/detail/backend/vectors.hpp"
#include "blockfw/measures.hpp"
#include "blockfw/sparse.hpp"
#include "blockfw/transitive_closure.hpp"
#include "blockfw/updates.hpp"

#include <algorithm>
#include <cstring>

namespace {

namespace detail = blockfw::detail;
using Exec = Kokkos::DefaultHostExecutionSpace;

/// A user's semiring: the length of a path is the sum of its edges, but at most a limit. The limit means "no path".
template <class T>
struct AtMost {
  using value_type = T;
  static KOKKOS_FUNCTION constexpr T zero() { return T(100); }
  static KOKKOS_FUNCTION constexpr T one() { return T(0); }
  template <class V>
  static KOKKOS_FORCEINLINE_FUNCTION constexpr V relax(V c, V a, V b) {
    return blockfw::smaller(static_cast<V>(a + b), c);
  }
  static KOKKOS_FORCEINLINE_FUNCTION constexpr bool diverges(T) { return false; }
};
/// The same with a relax() that is never inlined. It is compiled without the instructions of a level, and calls
/// functions that have them.
template <class T>
struct CalledAtMost : AtMost<T> {
  template <class V>
  __attribute__((noinline)) static KOKKOS_FUNCTION constexpr V relax(V c, V a, V b) {
    return AtMost<T>::relax(c, a, b);
  }
};

template <class S>
HostMatrix<typename S::value_type> matrix_over(const Graph& g) {
  using T = typename S::value_type;
  const auto n = static_cast<std::size_t>(g.n);
  HostMatrix<T> d("d", n, n);
  Kokkos::deep_copy(d, S::zero());
  for (int i = 0; i < g.n; ++i) d(i, i) = S::one();
  for (const auto& e : edges_over<S>(g)) d(e.from, e.to) = S::relax(d(e.from, e.to), e.weight, S::one());
  return d;
}

template <class T>
HostMatrix<T> copy_of(const HostMatrix<T>& m) {
  const HostMatrix<T> copy("copy", m.extent(0), m.extent(1));
  Kokkos::deep_copy(copy, m);
  return copy;
}

template <class S>
HostMatrix<typename S::value_type> by_three_loops(const HostMatrix<typename S::value_type>& of) {
  const auto d = copy_of(of);
  for (std::size_t k = 0; k < d.extent(0); ++k)
    for (std::size_t i = 0; i < d.extent(0); ++i)
      for (std::size_t j = 0; j < d.extent(0); ++j) d(i, j) = S::relax(d(i, j), d(i, k), d(k, j));
  return d;
}

template <class View>
bool same_bits(const View& a, const View& b) {
  return a.size() == 0 || std::memcmp(a.data(), b.data(), a.size() * sizeof(*a.data())) == 0;
}

/// Orders around the tile's side, and some prime orders. The weights' sums are exact for every type.
template <class S>
void check() {
  constexpr int block = blockfw::default_tile<Exec, typename S::value_type>::block;
  Random random(5);
  for (const int n : {0, 1, 2, 7, 31, 97, block - 1, block, block + 1}) {
    CAPTURE(n);
    const auto start = matrix_over<S>(scattered(random, std::max(n, 1), n > 0 ? 3 * n : 0, 1, 9));
    const auto side = std::pair(std::size_t{0}, static_cast<std::size_t>(n));
    HostMatrix<typename S::value_type> given("given", side.second, side.second);
    Kokkos::deep_copy(given, Kokkos::subview(start, side, side));
    const auto expected = by_three_loops<S>(given);
    on_each_level([&] {
      const auto d = copy_of(given);
      blockfw::blocked_floyd_warshall<S>(Exec{}, d);
      CHECK(same_bits(d, expected));
    });
  }
}

/// Semirings of sums, and of the larger and the smaller of two numbers, in every type. The other semirings take long to
/// compile for all levels. So each of them is tested in one type of integers and one of floats.
template <class T>
void check_semirings() {
  check<blockfw::MinPlus<T>>();
  check<blockfw::MaxMin<T>>();
  if constexpr (std::is_same_v<T, std::int16_t> || std::is_same_v<T, double>) check<blockfw::MinMax<T>>();
  if constexpr (std::is_same_v<T, std::int32_t> || std::is_same_v<T, float>) check<AtMost<T>>();
  if constexpr (std::is_same_v<T, std::int32_t>) check<CalledAtMost<T>>();
  if constexpr (std::is_floating_point_v<T>) check<blockfw::MaxTimes<T>>();
}

}  // namespace

TEST_CASE_TEMPLATE("dense graphs on every level", T, ALL_TYPES) { check_semirings<T>(); }

TEST_CASE("longest paths without cycles, on every level") {
  Random random(6);
  auto g = scattered(random, 257, 2000, 1, 9);
  std::erase_if(g.edges, [](const auto& e) { return e.from >= e.to; });
  using S = blockfw::MaxPlus<std::int32_t>;
  auto start = matrix_over<S>(g);
  const auto expected = by_three_loops<S>(start);
  HostMatrix<std::int32_t> before;
  on_each_level([&] {
    const auto d = copy_of(start);
    blockfw::blocked_floyd_warshall<S>(Exec{}, d);
    int wrong = 0;
    for (std::size_t i = 0; i < d.extent(0); ++i)
      for (std::size_t j = 0; j < d.extent(1); ++j) wrong += expected(i, j) >= 0 && d(i, j) != expected(i, j);
    CHECK(wrong == 0);
    if (before.size() != 0) CHECK(same_bits(d, before));
    before = d;
  });
}

// solve() works in int8 if all distances fit.
TEST_CASE_TEMPLATE("narrow and sparse solves on every level", T, std::int16_t, std::int32_t, std::int64_t) {
  Random random(7);
  for (const auto method : {blockfw::Method::dense, blockfw::Method::sparse})
    for (const int n : {1, 17, 127, 300}) {
      CAPTURE(n);
      const auto g = scattered(random, n, 4 * n, 0, 3);
      const auto expected = by_three_loops<blockfw::MinPlus<T>>(matrix_over<blockfw::MinPlus<T>>(g));
      on_each_level([&] {
        const auto solved = blockfw::solve(Exec(), n, edges_of<T>(g), {.method = method});
        int wrong = 0;
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < n; ++j) wrong += solved(i, j) != expected(i, j);
        CHECK(wrong == 0);
      });
    }
}

// The matrices of these tests have any numbers, not distances.

namespace {

/// A few different numbers from `least` on, so that many entries are equal. One in `one_in` is infinity.
template <class T, class Layout = Kokkos::LayoutRight>
Kokkos::View<T**, Layout, Kokkos::HostSpace> numbers(Random& random, std::size_t rows, std::size_t columns, int least,
                                                     int one_in) {
  const Kokkos::View<T**, Layout, Kokkos::HostSpace> m("numbers", rows, columns);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j)
      m(i, j) = uniform(random, 1, one_in) == 1 ? blockfw::infinity<T> : static_cast<T>(uniform(random, least, 60));
  return m;
}

template <class T>
void check_reach_of(const std::vector<blockfw::Reach<T>>& reach, std::size_t vertices, std::size_t length,
                    const auto& entry) {
  REQUIRE(reach.size() == vertices);
  int wrong = 0;
  for (std::size_t u = 0; u < vertices; ++u) {
    blockfw::Reach<T> expected;
    for (std::size_t v = 0; v < length; ++v) {
      const T there = entry(u, v);
      if (there == blockfw::infinity<T>) continue;
      ++expected.vertices;
      expected.sum += static_cast<typename blockfw::Reach<T>::Sum>(there);
      if (there <= expected.farthest) continue;
      expected.farthest = there;
      expected.farthest_vertex = static_cast<std::int64_t>(v);
    }
    const blockfw::Reach<T>& found = reach[u];
    wrong += found.vertices != expected.vertices || std::memcmp(&found.sum, &expected.sum, sizeof found.sum) != 0 ||
             found.farthest != expected.farthest || found.farthest_vertex != expected.farthest_vertex;
  }
  CHECK(wrong == 0);
}

template <class T, class Layout>
void check_reach_of_layout(Random& random, std::size_t rows, std::size_t columns, int least, int one_in) {
  const auto m = numbers<T, Layout>(random, rows, columns, least, one_in);
  on_each_level([&] {
    check_reach_of<T>(detail::reach_of_matrix(Exec{}, m, true), rows, columns,
                      [&](std::size_t u, std::size_t v) { return m(u, v); });
    check_reach_of<T>(detail::reach_of_matrix(Exec{}, m, false), columns, rows,
                      [&](std::size_t u, std::size_t v) { return m(v, u); });
  });
}

}  // namespace

TEST_CASE_TEMPLATE("reach of rows and columns on every level", T, std::int8_t, std::int16_t, std::int32_t, std::int64_t,
                   float, double) {
  Random random(8);
  const std::vector<std::pair<std::size_t, std::size_t>> shapes{{0, 0},     {1, 1},    {7, 33},  {64, 64},
                                                                {130, 321}, {3, 9001}, {9001, 3}};
  const std::vector<std::pair<int, int>> kinds{{0, 10}, {-60, 2}, {59, 1000}};
  for (const auto& [rows, columns] : shapes)
    for (const auto& [least, one_in] : kinds) {
      CAPTURE(rows);
      CAPTURE(columns);
      CAPTURE(one_in);
      check_reach_of_layout<T, Kokkos::LayoutRight>(random, rows, columns, least, one_in);
      check_reach_of_layout<T, Kokkos::LayoutLeft>(random, rows, columns, least, one_in);
    }
}

// (A sum of floats depends on the order of the additions.)
TEST_CASE("reach: lengths that rise, sums that round, rows with gaps, on every level") {
  const Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace> wide("wide", 300, 300);
  for (std::size_t i = 0; i < 300; ++i)
    for (std::size_t j = 0; j < 300; ++j) wide(i, j) = std::pow(1.1, static_cast<double>((i * 7 + j * 3) % 400)) / 3;
  const auto m = Kokkos::subview(wide, std::pair{2, 299}, std::pair{1, 290});
  on_each_level([&] {
    check_reach_of<double>(detail::reach_of_matrix(Exec{}, m, true), m.extent(0), m.extent(1),
                           [&](std::size_t u, std::size_t v) { return m(u, v); });
    check_reach_of<double>(detail::reach_of_matrix(Exec{}, m, false), m.extent(1), m.extent(0),
                           [&](std::size_t u, std::size_t v) { return m(v, u); });
  });
}

TEST_CASE_TEMPLATE("reach without distances on every level", T, ALL_TYPES) {
  Random random(9);
  const auto g = scattered(random, 300, 500, 1, 4);
  const auto d = by_three_loops<blockfw::MinPlus<T>>(matrix_over<blockfw::MinPlus<T>>(g));
  const blockfw::SparseAnalysis analysis(g.n, edges_of<T>(g));
  const blockfw::SparseFactor<blockfw::MinPlus<T>, Exec> factor(Exec{}, analysis, edges_of<T>(g));
  on_each_level([&] {
    for (const auto towards : {blockfw::Towards::others, blockfw::Towards::itself}) {
      const auto reach = factor.reach(towards);
      check_reach_of<T>(reach, d.extent(0), d.extent(0), [&](std::size_t u, std::size_t v) {
        return towards == blockfw::Towards::others ? d(u, v) : d(v, u);
      });
    }
  });
}

TEST_CASE_TEMPLATE("a new edge and a new vertex on every level", T, ALL_TYPES) {
  Random random(10);
  for (const int n : {1, 2, 17, 64, 130}) {
    CAPTURE(n);
    const auto g = scattered(random, n, 2 * n, 1, 9);
    const auto d = by_three_loops<blockfw::MinPlus<T>>(matrix_over<blockfw::MinPlus<T>>(g));
    auto with_edge = g, with_vertex = g;
    with_edge.edges.push_back({0, n - 1, 1});
    ++with_vertex.n;
    std::vector<blockfw::Edge<T>> edges;
    for (const int v : {0, n / 2}) {
      edges.push_back({v, n, T(1)});
      edges.push_back({n, v, T(2)});
      with_vertex.edges.push_back({v, n, 1});
      with_vertex.edges.push_back({n, v, 2});
    }
    const auto one_edge = by_three_loops<blockfw::MinPlus<T>>(matrix_over<blockfw::MinPlus<T>>(with_edge)),
               one_vertex = by_three_loops<blockfw::MinPlus<T>>(matrix_over<blockfw::MinPlus<T>>(with_vertex));
    const Kokkos::View<T**, Kokkos::LayoutLeft, Kokkos::HostSpace> columns("columns", d.extent(0), d.extent(1));
    Kokkos::deep_copy(columns, d);
    on_each_level([&] {
      const auto changed = copy_of(d);
      blockfw::insert_edge(Exec{}, changed, 0, n - 1, T(1));
      CHECK(same_bits(changed, one_edge));
      CHECK(same_bits(blockfw::add_vertex(Exec{}, d, edges), one_vertex));
      CHECK(same_bits(blockfw::add_vertex(Exec{}, columns, edges), one_vertex));
      const HostMatrix<T> room("room", one_vertex.extent(0), one_vertex.extent(1));
      const auto part = std::pair(0, n);
      const auto inside = Kokkos::subview(room, part, part);
      Kokkos::deep_copy(inside, d);
      blockfw::add_vertex(Exec{}, room, inside, edges);
      CHECK(same_bits(room, one_vertex));
    });
  }
}

TEST_CASE("the transitive closure on every level") {
  Random random(11);
  for (const int n : {0, 1, 33, 300, 1025}) {
    CAPTURE(n);
    const auto g = scattered(random, std::max(n, 1), n > 0 ? n + n / 4 : 0, 1, 1);
    std::vector<blockfw::Edge<int>> edges;
    for (const auto& e : g.edges)
      if (e.from < n && e.to < n) edges.push_back({e.from, e.to, 1});
    blockfw::BitMatrix<Exec>::Words before;
    std::int64_t reached = 0;
    on_each_level([&] {
      const auto words = blockfw::transitive_closure(Exec{}, n, edges).words();
      if (before.is_allocated()) CHECK(same_bits(words, before));
      before = words;
    });
    const auto d = blockfw::solve(Exec(), n, edges);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        reached += (d(i, j) < blockfw::infinity<int>) != bool(before(i, j / 32) >> j % 32 & 1);
    CHECK(reached == 0);
  }
}

#if defined(__x86_64__)
TEST_CASE("levels: each with its own width; the best level is chosen") {
  const auto width = [] { return detail::with_vectors([](auto level) { return decltype(level)::bytes; }); };
  std::vector<int> widths;
  on_each_level([&] { widths.push_back(width()); });
  if (!BLOCKFW_LEVELS) return;  // (without inlining, or for one processor)
  std::vector<int> known{16, 32, 64};
  known.resize(widths.size());
  CHECK(widths == known);
  CHECK(width() == widths.back());
  if (__builtin_cpu_supports("avx512bw")) CHECK(widths.size() == 3);
}
#endif

TEST_CASE("levels: by name") {
  const auto levels = detail::vectors_there_are();
  for (const auto& level : levels) CHECK(detail::vectors_named(std::string(level.name).c_str()) == level.level);
  CHECK(detail::vectors_named(nullptr) == levels.back().level);
  for (const std::string name : {"", "sse9", "AVX2"}) {
    CAPTURE(name);
    try {
      detail::vectors_named(name.c_str());
      FAIL("an error was expected");
    } catch (const blockfw::InvalidInput& e) {
      CHECK(std::string(e.what()).find("BLOCKFW_VECTORS is '" + name + "'") != std::string::npos);
      for (const auto& level : levels) CHECK(std::string(e.what()).find(level.name) != std::string::npos);
    }
  }
}
