// SPDX-License-Identifier: MIT
// Products of matrices over semirings, compared with three loops over sums of doubles.
#include "last_edge.hpp"
#include "semirings.hpp"

#include "blockfw/product.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using blockfw::min_plus_product;
using doctest::Contains;

struct Shape {
  int height, depth, width;
};

/// A matrix on the host, row by row.
template <class T>
struct Numbers {
  int rows, columns;
  std::vector<T> entries;
  T& operator()(int i, int j) {
    return entries[static_cast<std::size_t>(i) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(j)];
  }
  T operator()(int i, int j) const {
    return entries[static_cast<std::size_t>(i) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(j)];
  }
};

/// Whether ⊗ multiplies, so that numbers are powers of two, whose products are exact.
template <class S>
constexpr bool multiplies = false;
template <class T>
constexpr bool multiplies<MaxTimes<T>> = true;

/// Random numbers, of which about one in four is no path.
template <class S, class T = typename S::value_type>
Numbers<T> random_numbers(Random& random, int rows, int columns, int low, int high) {
  Numbers<T> m{rows, columns, std::vector<T>(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns))};
  for (T& x : m.entries) {
    const int number = uniform(random, low, high);
    x = uniform(random, 0, 3) == 0 ? S::zero() : static_cast<T>(number);
    if constexpr (multiplies<S>)
      if (x != S::zero()) x = std::ldexp(T(1), -(number % 7));
  }
  return m;
}

/// c ⊕ a ⊗ b by three loops.
template <class S, class T = typename S::value_type>
Numbers<T> product(const Numbers<T>& a, const Numbers<T>& b, Numbers<T> c) {
  for (int i = 0; i < c.rows; ++i)
    for (int k = 0; k < b.rows; ++k) {
      if (a(i, k) == S::zero()) continue;
      for (int j = 0; j < c.columns; ++j)
        if (b(k, j) != S::zero()) c(i, j) = S::relax(c(i, j), a(i, k), b(k, j));
    }
  return c;
}

/// The least sum by definition, in 64 bits: an oracle that knows no semiring.
Numbers<int> least_sums(const Numbers<int>& a, const Numbers<int>& b, Numbers<int> c) {
  constexpr std::int64_t none = infinity<int>;
  for (int i = 0; i < c.rows; ++i)
    for (int j = 0; j < c.columns; ++j) {
      std::int64_t least = c(i, j);
      for (int k = 0; k < b.rows; ++k)
        if (a(i, k) != none && b(k, j) != none) least = std::min(least, std::int64_t{a(i, k)} + b(k, j));
      c(i, j) = static_cast<int>(least);
    }
  return c;
}

/// A part of a larger array whose other entries hold a number that would spoil the product.
template <class T, class Layout>
struct Placed {
  static constexpr int before = 2, behind = 3;
  Kokkos::View<T**, Layout, Kokkos::SharedSpace> all;
  T other;

  Placed(const Numbers<T>& m, T spoils)
      : all("all", static_cast<std::size_t>(m.rows + before + behind),
            static_cast<std::size_t>(m.columns + before + behind)),
        other(spoils) {
    const auto fill = [&](int i, int j) {
      const bool inside = i >= before && i < before + m.rows && j >= before && j < before + m.columns;
      return inside ? m(i - before, j - before) : spoils;
    };
    for (std::size_t i = 0; i < all.extent(0); ++i)
      for (std::size_t j = 0; j < all.extent(1); ++j) all(i, j) = fill(static_cast<int>(i), static_cast<int>(j));
  }
  auto view() const {
    return Kokkos::subview(all, Kokkos::pair<std::size_t, std::size_t>(before, all.extent(0) - behind),
                           Kokkos::pair<std::size_t, std::size_t>(before, all.extent(1) - behind));
  }
  /// The number of entries that differ, of the part and of its surroundings.
  int differences(const Numbers<T>& m) const {
    int wrong = 0;
    for (int i = 0; i < int(all.extent(0)); ++i)
      for (int j = 0; j < int(all.extent(1)); ++j) {
        const bool inside = i >= before && i < before + m.rows && j >= before && j < before + m.columns;
        const T entry = all(static_cast<std::size_t>(i), static_cast<std::size_t>(j));
        wrong += entry != (inside ? m(i - before, j - before) : other);
      }
    return wrong;
  }
};

/// Checks one product, for the layouts of its matrices.
template <class S, class OfA, class OfB, class OfC, class T = typename S::value_type>
void check_product(const Numbers<T>& a, const Numbers<T>& b, const Numbers<T>& c) {
  const T best = S::zero() > T(0) ? T(-3000) : T(3000);  // around the matrices
  const T around = multiplies<S> ? T(1) : best;
  const Placed<T, OfA> left(a, around);
  const Placed<T, OfB> right(b, around);
  const Placed<T, OfC> to(c, around);
  min_plus_product<S>(Exec(), left.view(), right.view(), to.view());
  Exec().fence();
  CHECK(to.differences(product<S>(a, b, c)) == 0);
  CHECK(left.differences(a) == 0);
  CHECK(right.differences(b) == 0);
}

template <class S, class T = typename S::value_type>
void check_shapes(int low, int high) {
  constexpr int tile = blockfw::default_tile<Exec, T>::block;
  Random random(5);
  const Shape shapes[] = {{1, 1, 1},
                          {7, 5, 3},
                          {tile - 1, tile + 1, 13},
                          {tile, tile, tile},
                          {tile + 1, 29, tile},
                          {31, 2 * tile + 1, 2},
                          {2 * tile + 3, 1, tile - 1},
                          {3, 3 * tile, 3 * tile + 7}};
  for (const Shape s : shapes) {
    CAPTURE(s.height);
    CAPTURE(s.depth);
    CAPTURE(s.width);
    const auto a = random_numbers<S>(random, s.height, s.depth, low, high),
               b = random_numbers<S>(random, s.depth, s.width, low, high),
               c = random_numbers<S>(random, s.height, s.width, low, high);
    using Right = Kokkos::LayoutRight;
    check_product<S, Right, Right, Right>(a, b, c);
  }
}

template <class T>
using SharedBatch = Kokkos::View<T***, Kokkos::LayoutRight, Kokkos::SharedSpace>;

}  // namespace

TEST_CASE_TEMPLATE("a product of every type, and sizes around the tile's", T, ALL_TYPES) {
  SUBCASE("no negative numbers") { check_shapes<blockfw::MinPlus<T>>(0, 5000); }
  SUBCASE("negative numbers") { check_shapes<blockfw::MinPlus<T>>(-2500, 3000); }
}

TEST_CASE("a product over each semiring") {
  check_shapes<MaxPlus<std::int16_t>>(-2000, 3000);
  check_shapes<MaxPlus<double>>(-2000, 3000);
  check_shapes<MaxMin<int>>(-2000, 3000);
  check_shapes<MinMax<float>>(-2000, 3000);
  check_shapes<MaxTimes<float>>(0, 3000);
  check_shapes<MaxTimes<double>>(0, 3000);
}

TEST_CASE("a product by the definition of sums") {
  Random random(3);
  for (const int n : {1, 2, 63, 300}) {
    CAPTURE(n);
    const auto a = random_numbers<blockfw::MinPlus<int>>(random, n, n + 5, -40, 1000),
               b = random_numbers<blockfw::MinPlus<int>>(random, n + 5, n, -40, 1000);
    Numbers<int> c{n, n, std::vector<int>(static_cast<std::size_t>(n * n), infinity<int>)};
    const Placed<int, Kokkos::LayoutRight> left(a, 0), right(b, 0), to(c, 0);
    min_plus_product(left.view(), right.view(), to.view());
    CHECK(to.differences(least_sums(a, b, c)) == 0);
  }
}

TEST_CASE("matrices of every layout, as parts of larger ones") {
  using Right = Kokkos::LayoutRight;
  using Left = Kokkos::LayoutLeft;
  using S = blockfw::MinPlus<int>;
  Random random(7);
  const auto a = random_numbers<S>(random, 270, 70, 0, 900), b = random_numbers<S>(random, 70, 131, 0, 900),
             c = random_numbers<S>(random, 270, 131, 0, 900);
  check_product<S, Right, Right, Left>(a, b, c);
  check_product<S, Right, Left, Right>(a, b, c);
  check_product<S, Right, Left, Left>(a, b, c);
  check_product<S, Left, Right, Right>(a, b, c);
  check_product<S, Left, Right, Left>(a, b, c);
  check_product<S, Left, Left, Right>(a, b, c);
  check_product<S, Left, Left, Left>(a, b, c);
}

TEST_CASE("a semiring whose product is not commutative keeps its order, whatever the layout") {
  Random random(9);
  const auto a = random_numbers<LastEdge>(random, 65, 40, 0, 900), b = random_numbers<LastEdge>(random, 40, 67, 0, 900),
             c = random_numbers<LastEdge>(random, 65, 67, 0, 900);
  check_product<LastEdge, Kokkos::LayoutRight, Kokkos::LayoutRight, Kokkos::LayoutRight>(a, b, c);
  check_product<LastEdge, Kokkos::LayoutLeft, Kokkos::LayoutRight, Kokkos::LayoutLeft>(a, b, c);
  check_product<LastEdge, Kokkos::LayoutRight, Kokkos::LayoutLeft, Kokkos::LayoutLeft>(a, b, c);
}

TEST_CASE("every second row and column") {
  Random random(2);
  using S = blockfw::MinPlus<float>;
  const SharedMatrix<float> wide("wide", 101, 90);
  for (std::size_t i = 0; i < 101; ++i)
    for (std::size_t j = 0; j < 90; ++j) wide(i, j) = static_cast<float>(uniform(random, 0, 500));
  const auto strided = [&](float* data, std::size_t rows, std::size_t columns) {
    return Kokkos::View<float**, Kokkos::LayoutStride, Kokkos::SharedSpace>(
        data, Kokkos::LayoutStride(rows, 2 * 90, columns, 2));
  };
  const auto a = strided(wide.data(), 50, 45), b = strided(wide.data() + 1, 45, 44),
             c = strided(wide.data() + 91, 50, 44);
  Numbers<float> of_a{50, 45, {}}, of_b{45, 44, {}}, of_c{50, 44, {}};
  const auto read = [](Numbers<float>& to, const auto& from) {
    for (std::size_t i = 0; i < from.extent(0); ++i)
      for (std::size_t j = 0; j < from.extent(1); ++j) to.entries.push_back(from(i, j));
  };
  read(of_a, a), read(of_b, b), read(of_c, c);
  const Numbers<float> expected = product<S>(of_a, of_b, of_c);
  min_plus_product(Exec(), a, b, c);  // (they lie among each other, and share no entry)
  Exec().fence();
  Numbers<float> found{50, 44, {}};
  read(found, c);
  CHECK(found.entries == expected.entries);
}

TEST_CASE("rows that lie more than 2^31 entries apart in all") {
  constexpr std::size_t rows = 300, apart = 8'000'000;
  const Kokkos::View<std::int16_t*, Kokkos::SharedSpace> memory(
      Kokkos::view_alloc("memory", Kokkos::WithoutInitializing), rows * apart);
  using Rows = Kokkos::View<std::int16_t**, Kokkos::LayoutStride, Kokkos::SharedSpace>;
  const Rows a(memory.data(), Kokkos::LayoutStride(rows, apart, 3, 1)),
      c(memory.data() + 1000, Kokkos::LayoutStride(rows, apart, 2, 1));
  const SharedMatrix<std::int16_t> b("b", 3, 2);
  for (std::size_t k = 0; k < 3; ++k)
    b(k, 0) = static_cast<std::int16_t>(k), b(k, 1) = static_cast<std::int16_t>(9 - k);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = 0; k < 3; ++k) a(i, k) = static_cast<std::int16_t>(i + 20 * (k + i) % 3);
    c(i, 0) = c(i, 1) = infinity<std::int16_t>;
  }
  min_plus_product(Exec(), a, b, c);
  Exec().fence();
  int wrong = 0;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < 2; ++j)
      wrong += c(i, j) != std::min({a(i, 0) + b(0, j), a(i, 1) + b(1, j), a(i, 2) + b(2, j)});
  CHECK(wrong == 0);
}

TEST_CASE("batches: many small products, few large ones, one matrix for all") {
  using S = blockfw::MinPlus<int>;
  Random random(13);
  struct Batch {
    int count;
    Shape shape;
    bool one_a, one_b;
  };
  const Batch batches[] = {{0, {3, 3, 3}, false, false},   {1, {5, 4, 3}, false, false},
                           {700, {9, 8, 7}, false, false}, {5, {300, 40, 290}, false, true},
                           {40, {33, 1, 65}, true, false}, {3, {70, 70, 1100}, true, true}};
  for (const Batch& batch : batches) {
    CAPTURE(batch.count);
    const auto [height, depth, width] = batch.shape;
    const auto size = [](int x) { return static_cast<std::size_t>(x); };
    const SharedBatch<int> a("a", size(batch.one_a ? 1 : batch.count), size(height), size(depth)),
        b("b", size(batch.one_b ? 1 : batch.count), size(depth), size(width)),
        c("c", size(batch.count), size(height), size(width));
    std::vector<Numbers<int>> of_a, of_b, expected;
    const auto fill = [&](const SharedBatch<int>& to, std::vector<Numbers<int>>& all) {
      for (std::size_t g = 0; g < to.extent(0); ++g) {
        all.push_back(random_numbers<S>(random, to.extent_int(1), to.extent_int(2), 0, 900));
        std::copy(all.back().entries.begin(), all.back().entries.end(), to.data() + g * to.extent(1) * to.extent(2));
      }
    };
    fill(a, of_a), fill(b, of_b), fill(c, expected);
    for (std::size_t g = 0; g < expected.size(); ++g)
      expected[g] = product<S>(of_a[batch.one_a ? 0 : g], of_b[batch.one_b ? 0 : g], expected[g]);
    const auto first_of = [](const SharedBatch<int>& all) { return Kokkos::subview(all, 0, Kokkos::ALL, Kokkos::ALL); };
    if (batch.one_a && batch.one_b && batch.count > 2)
      min_plus_product(Exec(), a, first_of(b), c);  // (a batch of one matrix)
    else if (batch.one_a && batch.one_b)
      min_plus_product(Exec(), first_of(a), first_of(b), c);
    else if (batch.one_a)
      min_plus_product(Exec(), first_of(a), b, c);
    else if (batch.one_b)
      min_plus_product(Exec(), a, first_of(b), c);
    else
      min_plus_product(Exec(), a, b, c);
    Exec().fence();
    int wrong = 0;
    for (std::size_t g = 0; g < expected.size(); ++g)
      wrong +=
          !std::equal(expected[g].entries.begin(), expected[g].entries.end(), c.data() + g * c.extent(1) * c.extent(2));
    CHECK(wrong == 0);
  }
}

TEST_CASE("squares of a matrix end with its shortest distances") {
  Random random(21);
  const Graph g = shifted(scattered(random, 90, 200, 0, heaviest(90)), potentials(random, 90));
  const auto expected = blockfw::solve(90, edges_of<int>(g));
  const SharedMatrix<int> d("d", 90, 90), next("next", 90, 90);
  blockfw::fill_from_edges(Exec(), d, blockfw::reachable_edges(Exec(), edges_of<int>(g)));
  Exec().fence();
  for (int edges = 1; edges < 90; edges *= 2) {
    Kokkos::deep_copy(Exec(), next, d);
    min_plus_product(Exec(), d, d, next);
    Kokkos::deep_copy(Exec(), d, next);
    Exec().fence();
  }
  const auto there = readable(expected);
  int wrong = 0;
  for (std::size_t i = 0; i < 90; ++i)
    for (std::size_t j = 0; j < 90; ++j) wrong += d(i, j) != there(i, j);
  CHECK(wrong == 0);
}

TEST_CASE_TEMPLATE("factors that are not negative, and a result that is", T, ALL_TYPES) {
  Random random(4);
  using S = blockfw::MinPlus<T>;
  auto a = random_numbers<S>(random, 70, 30, 0, 50), b = random_numbers<S>(random, 30, 66, 0, 50);
  const auto c = random_numbers<S>(random, 70, 66, -90, 60);
  if constexpr (std::is_floating_point_v<T>) a(3, 4) = b(4, 5) = -T(0);
  check_product<S, Kokkos::LayoutRight, Kokkos::LayoutRight, Kokkos::LayoutRight>(a, b, c);
}

TEST_CASE("no path stays no path, and sums that just fit are right") {
  using T = std::int16_t;
  constexpr T none = infinity<T>;  // 16383
  const SharedMatrix<T> a("a", 1, 2), b("b", 2, 1), c("c", 1, 1);
  const auto found = [&](T a0, T a1, T b0, T b1, T before) {
    a(0, 0) = a0, a(0, 1) = a1, b(0, 0) = b0, b(1, 0) = b1, c(0, 0) = before;
    min_plus_product(a, b, c);
    return c(0, 0);
  };
  CHECK(found(none, none, none, none, none) == none);
  CHECK(found(none, -5, -7, none, none) == none);
  CHECK(found(8191, none, 8191, none, none) == none - 1);
  CHECK(found(-100, 3, none, 16279, none) == 16282);
  CHECK(found(-8191, 3, -8191, 5, none) == -16382);
  const std::pair<T, T> far[] = {{8192, 8191}, {-8192, -8191}, {-200, 16200}};
  for (const auto& [a0, b0] : far) {
    c(0, 0) = 77;
    a(0, 0) = a0, b(0, 0) = b0, a(0, 1) = 0, b(1, 0) = 16200;
    CHECK_THROWS_AS(min_plus_product(a, b, c), blockfw::OverflowRisk);
    CHECK(c(0, 0) == 77);
  }
  a(0, 0) = 16384;
  CHECK_THROWS_WITH_AS(
      min_plus_product(a, b, c),
      "the matrix a holds 16384 at (0, 0), beyond infinity, 16383, in int16; use int32, int64 or double",
      blockfw::OverflowRisk);
}

TEST_CASE("wrong matrices of a product are refused with their place") {
  const SharedMatrix<double> a("a", 3, 4), b("b", 4, 2), c("c", 3, 2), other("other", 4, 3);
  CHECK_THROWS_WITH_AS(min_plus_product(a, b, other),
                       "the matrices a, b and c are 3 x 4, 4 x 2 and 4 x 3, expected m x k, k x n and m x n",
                       blockfw::InvalidInput);
  CHECK_THROWS_AS(min_plus_product(b, a, c), blockfw::InvalidInput);
  b(3, 1) = std::nan("");
  CHECK_THROWS_WITH_AS(min_plus_product(a, b, c), Contains("the matrix b holds NaN at (3, 1), expected a number"),
                       blockfw::InvalidInput);
  b(3, 1) = 0;
  const Kokkos::View<double**, Kokkos::LayoutLeft, Kokkos::SharedSpace> by_columns("by_columns", 3, 4);
  by_columns(2, 1) = -infinity<double>;
  CHECK_THROWS_WITH_AS(min_plus_product(by_columns, b, c), Contains("the matrix a holds -infinity at (2, 1), expected"),
                       blockfw::InvalidInput);
  c(1, 1) = -1;
  CHECK_THROWS_WITH_AS(min_plus_product<MaxTimes<double>>(Exec(), a, b, c), Contains("the matrix c holds -1"),
                       blockfw::InvalidInput);
  const SharedBatch<double> batch("batch", 3, 4, 2), to("to", 2, 3, 2);
  CHECK_THROWS_WITH_AS(min_plus_product(a, batch, to),
                       "there are 3 matrices b and 2 matrices c, expected as many, or one", blockfw::InvalidInput);
  const SharedBatch<double> two("two", 2, 4, 2);
  two(1, 2, 0) = std::nan("");
  CHECK_THROWS_WITH_AS(min_plus_product(a, two, to), Contains("the matrix b holds NaN at (1, 2, 0)"),
                       blockfw::InvalidInput);
  const Kokkos::View<double**, Kokkos::SharedSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> nowhere(
      static_cast<double*>(nullptr), 3, 4);
  CHECK_THROWS_WITH_AS(min_plus_product(nowhere, b, c), "the matrix a of 3 x 4 has no memory (null pointer)",
                       blockfw::InvalidInput);
}

TEST_CASE("a result that shares memory with a factor is refused, parts of one matrix are not") {
  const SharedMatrix<int> all("all", 12, 12);
  const auto part = [&](std::size_t i, std::size_t rows, std::size_t j, std::size_t columns) {
    return Kokkos::subview(all, Kokkos::pair<std::size_t, std::size_t>(i, i + rows),
                           Kokkos::pair<std::size_t, std::size_t>(j, j + columns));
  };
  const char* const shared = "the matrices a and c share memory, expected a matrix c of its own";
  CHECK_THROWS_WITH_AS(min_plus_product(all, all, all), shared, blockfw::InvalidInput);
  CHECK_THROWS_WITH_AS(min_plus_product(part(0, 4, 0, 4), part(8, 4, 8, 4), part(3, 4, 3, 4)), shared,
                       blockfw::InvalidInput);
  CHECK_THROWS_WITH_AS(min_plus_product(part(3, 4, 3, 4), part(8, 4, 8, 4), part(0, 4, 0, 4)), shared,
                       blockfw::InvalidInput);
  CHECK_THROWS_AS(min_plus_product(part(0, 4, 8, 4), part(5, 4, 2, 4), part(3, 4, 5, 4)), blockfw::InvalidInput);
  CHECK_NOTHROW(min_plus_product(part(0, 4, 0, 4), part(4, 4, 4, 4), part(0, 4, 4, 4)));
  const Kokkos::View<int***, Kokkos::LayoutLeft, Kokkos::SharedSpace> pairs("pairs", 3, 5, 5);  // (among each other)
  const auto one = [&](int which) { return Kokkos::subview(pairs, which, Kokkos::ALL, Kokkos::ALL); };
  CHECK_NOTHROW(min_plus_product(one(0), one(1), one(2)));
  CHECK_THROWS_AS(min_plus_product(one(0), one(1), one(1)), blockfw::InvalidInput);
  CHECK_NOTHROW(min_plus_product(part(0, 4, 8, 4), part(8, 4, 0, 4), part(1, 4, 0, 4)));
  CHECK_NOTHROW(min_plus_product(part(8, 4, 0, 4), part(0, 4, 8, 4), part(4, 4, 7, 4)));
}

TEST_CASE("a product without rows, columns or depth changes nothing, or writes no path") {
  const Shape shapes[] = {{0, 3, 4}, {3, 0, 4}, {3, 4, 0}, {0, 0, 0}};
  for (const Shape s : shapes) {
    const auto size = [](int x) { return static_cast<std::size_t>(x); };
    const SharedMatrix<float> a("a", size(s.height), size(s.depth)), b("b", size(s.depth), size(s.width)),
        c("c", size(s.height), size(s.width));
    const auto all_are = [&](float number) {
      return std::all_of(c.data(), c.data() + c.size(), [&](float x) { return x == number; });
    };
    Kokkos::deep_copy(c, 5.F);
    min_plus_product(a, b, c);
    CHECK(all_are(5));
    min_plus_product(a, b, c, {.accumulate = false});
    CHECK(all_are(infinity<float>));
  }
}

TEST_CASE("without accumulate the product alone is written, and c is not read") {
  Random random(17);
  using S = MaxMin<double>;
  const auto a = random_numbers<S>(random, 131, 20, -90, 900), b = random_numbers<S>(random, 20, 140, -90, 900);
  const std::vector<double> nowhere(131 * 140, S::zero()), wrong(131 * 140, std::nan(""));
  const Placed<double, Kokkos::LayoutLeft> left(a, 5000), right(b, 5000), to({131, 140, wrong}, 5000);
  min_plus_product<S>(Exec(), left.view(), right.view(), to.view(), {.accumulate = false});
  Exec().fence();
  CHECK(to.differences(product<S>(a, b, {131, 140, nowhere})) == 0);
  const SharedMatrix<int> empty("empty", 3, 2), numbers("numbers", 2, 4), result("result", 3, 4);
  Kokkos::deep_copy(empty, infinity<int>);
  min_plus_product(empty, numbers, result, {.accumulate = false});
  CHECK(result(2, 3) == infinity<int>);
  numbers(1, 1) = -infinity<int>;
  empty(0, 0) = -1;
  result(0, 0) = 9;
  CHECK_THROWS_AS(min_plus_product(empty, numbers, result, {.accumulate = false}), blockfw::OverflowRisk);
  CHECK(result(0, 0) == 9);
}

TEST_CASE("progress of a product is told, and may end it") {
  const SharedMatrix<std::int16_t> a("a", 600, 2000), b("b", 2000, 600), c("c", 600, 600);
  Kokkos::deep_copy(a, std::int16_t{2});
  Kokkos::deep_copy(b, std::int16_t{3});
  std::vector<std::int64_t> told;
  std::int64_t steps = 0;
  const auto note = [&](std::int64_t done, std::int64_t all) { told.push_back(done), steps = all; };
  min_plus_product(Exec(), a, b, c, {.accumulate = false, .progress = note});
  Exec().fence();
  CHECK(c(599, 599) == 5);
  REQUIRE(told.size() > 0);
  CHECK(told.back() == steps);
  CHECK(std::is_sorted(told.begin(), told.end()));
  const auto end = [](std::int64_t, std::int64_t) { throw std::runtime_error("end"); };
  CHECK_THROWS_WITH(min_plus_product(Exec(), a, b, c, {.progress = end}), "end");
  Exec().fence();
  const SharedBatch<std::int16_t> many("many", 500, 4, 4), sums("sums", 500, 4, 4);
  min_plus_product(Exec(), many, many, sums, {.progress = note});
  Exec().fence();
  CHECK(told.back() == 500);
  CHECK(steps == 500);
}
