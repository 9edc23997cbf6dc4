// SPDX-License-Identifier: MIT
// Each level of vectors that this processor has gives the same result, to the bit. (Compiled without -march.)
#include "graphs.hpp"

#include "blockfw/detail/backend/vectors.hpp"
#include "blockfw/sparse.hpp"

#include <cstring>

namespace {

namespace detail = blockfw::detail;
using Exec = Kokkos::DefaultHostExecutionSpace;

/// A user's semiring: a path is as long as its sum, and no longer than a limit; "no path" is the limit.
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

/// Calls f() with each level, and then sets the best one again.
template <class F>
void on_each_level(const F& f) {
  for (const auto& level : detail::vectors_there_are()) {
    CAPTURE(std::string(level.name));
    detail::chosen_vectors() = level.level;
    f();
  }
  detail::chosen_vectors() = detail::vectors_named(nullptr);
}

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

/// Orders around the tile's, and some that nothing divides. The weights' sums are exact for every type.
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
      blockfw::blocked_floyd_warshall(Exec{}, d, S{});
      CHECK(same_bits(d, expected));
    });
  }
}

template <class T>
void check_semirings() {
  check<blockfw::MinPlus<T>>();
  check<blockfw::MaxMin<T>>();
  check<blockfw::MinMax<T>>();
  check<AtMost<T>>();
  if constexpr (std::is_floating_point_v<T>) check<blockfw::MaxTimes<T>>();
}

}  // namespace

TEST_CASE_TEMPLATE("every level of vectors solves dense graphs alike", T, ALL_TYPES) { check_semirings<T>(); }

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
    blockfw::blocked_floyd_warshall(Exec{}, d, S{});
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
        const auto solved = blockfw::solve(n, edges_of<T>(g), {.method = method});
        int wrong = 0;
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < n; ++j) wrong += solved(i, j) != expected(i, j);
        CHECK(wrong == 0);
      });
    }
}

#if defined(__x86_64__)
TEST_CASE("each level has vectors of its own width, and the best one is taken") {
  std::vector<int> widths;
  on_each_level([&] { widths.push_back(detail::with_vectors([](auto level) { return decltype(level)::bytes; })); });
  std::vector<int> known{16, 32, 64};
  known.resize(widths.size());
  CHECK(widths == known);
  CHECK(detail::with_vectors([](auto level) { return decltype(level)::bytes; }) == widths.back());
  if (__builtin_cpu_supports("avx512bw")) CHECK(widths.size() == 3);
}
#endif

TEST_CASE("levels by name") {
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
