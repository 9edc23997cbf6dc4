// SPDX-License-Identifier: MIT
// blocked_floyd_warshall on every kind of matrix. CMakeLists.txt compiles a program of each part: for short and long
// integers, and for real numbers.
#include "graphs.hpp"

#include <cmath>
#include <map>
#include <set>
#include <type_traits>
#include <utility>

#ifndef BLOCKFW_IN_PART
#define BLOCKFW_IN_PART(number) 1
#endif

namespace {

/// Stands for the call without a tile.
struct NoTile {
  static constexpr int block = 128;
};

template <class Shape, class... Args>
void run_blocked(const Args&... args) {
  if constexpr (std::is_same_v<Shape, NoTile>)
    blockfw::blocked_floyd_warshall(args...);
  else
    blockfw::blocked_floyd_warshall<Shape>(args...);
}

struct Sample {
  Graph graph;
  oracle::Distances<std::int64_t> expected;
};

/// One graph for each order and density, with its distances, worked out once.
const Sample& sample(int n, bool dense) {
  static std::map<std::pair<int, bool>, Sample> all;
  const auto [place, fresh] = all.try_emplace({n, dense});
  if (fresh && n > 0) {
    Random random(static_cast<unsigned>(n));
    place->second.graph = scattered(random, n, dense ? n * n / 2 : 2 * n, 0, heaviest(n));
    place->second.expected = oracle::distances(place->second.graph);
  }
  return place->second;
}

/// Memory of which a matrix takes a part. The rest holds a value that would spoil distances if it were read, and that
/// must still be there afterwards.
template <class T>
class Field {
 public:
  explicit Field(int elements) : memory_("field", static_cast<std::size_t>(elements + 2 * guard)) {
    std::fill_n(memory_.data(), memory_.size(), canary);
  }

  T* data() const { return memory_.data() + guard; }

  /// Whether all of the memory except the entries of d is unchanged.
  template <class View>
  bool intact_outside(const View& d) const {
    std::vector<T> rest(memory_.data(), memory_.data() + memory_.size());
    for (std::size_t i = 0; i < d.extent(0); ++i)
      for (std::size_t j = 0; j < d.extent(1); ++j) rest[static_cast<std::size_t>(&d(i, j) - memory_.data())] = canary;
    return std::all_of(rest.begin(), rest.end(), [](T x) { return x == canary; });
  }

 private:
  static constexpr T canary = -77;
  static constexpr int guard = 256;
  Kokkos::View<T*, Kokkos::SharedSpace> memory_;
};

/// The kinds of matrix that the library must take, of order n, each in a field of its own.
template <class T, class Check>
void for_each_layout(int n, const Check& check) {
  using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  using Right = Kokkos::View<T**, Kokkos::LayoutRight, Kokkos::SharedSpace, Unmanaged>;
  using Left = Kokkos::View<T**, Kokkos::LayoutLeft, Kokkos::SharedSpace, Unmanaged>;
  using Strided = Kokkos::View<T**, Kokkos::LayoutStride, Kokkos::SharedSpace, Unmanaged>;
  const auto order = static_cast<std::size_t>(n), wide = 2 * order + 3;
  {
    const Field<T> field(n * n);
    check("LayoutRight", field, Right(field.data(), order, order));
  }
  {
    const Field<T> field(n * n);
    check("LayoutLeft", field, Left(field.data(), order, order));
  }
  {
    const Field<T> field((n + 3) * (n + 5));
    const Right whole(field.data(), order + 3, order + 5);
    check("rows of a larger leading dimension", field,
          Kokkos::subview(whole, Kokkos::pair(2, 2 + n), Kokkos::pair(1, 1 + n)));
  }
  {
    const Field<T> field((n + 3) * (n + 5));
    const Left whole(field.data(), order + 3, order + 5);
    check("columns of a larger leading dimension", field,
          Kokkos::subview(whole, Kokkos::pair(2, 2 + n), Kokkos::pair(1, 1 + n)));
  }
  {
    const Field<T> field(2 * n * (2 * n + 3));
    check("every second row and column", field, Strided(field.data(), Kokkos::LayoutStride(order, 2 * wide, order, 2)));
  }
  {
    const Field<T> field(2 * n * (2 * n + 3));
    check("every second row and column, transposed", field,
          Strided(field.data(), Kokkos::LayoutStride(order, 2, order, 2 * wide)));
  }
}

/// Fills a matrix with a sample, and compares it with the sample's distances afterwards. (All layouts use one view
/// type, so that the compiler has less to do.)
template <class T>
struct Trial {
  using Strided = Kokkos::View<T**, Kokkos::LayoutStride, Kokkos::SharedSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  Trial(const Sample& s, const Field<T>& f, const Strided& view) : sample_(s), field_(f), d_(view) {
    fill(d_, s.graph);
  }

  void check() const {
    CHECK(difference(d_, sample_.expected) == "");
    CHECK(field_.intact_outside(d_));
  }

 private:
  const Sample& sample_;
  const Field<T>& field_;
  Strided d_;
};

template <class T, class Shape>
void check_order(int n) {
  CAPTURE(n);
  bool dense = false;
  for_each_layout<T>(n, [&](const char* layout, const Field<T>& field, const auto& d) {
    CAPTURE(layout);
    const Trial<T> trial(sample(n, dense = !dense), field, d);
    run_blocked<Shape>(d);
    trial.check();
  });

  // Leading dimensions: the order itself, 13 more, a power of two.
  for (const int ld : {n, n + 13, 512}) {
    CAPTURE(ld);
    const auto order = static_cast<std::size_t>(n);
    const Field<T> field(n * ld);
    const Kokkos::LayoutStride layout(order, static_cast<std::size_t>(ld), order, 1);
    const Trial<T> trial(sample(n, dense = !dense), field, typename Trial<T>::Strided(field.data(), layout));
    run_blocked<Shape>(field.data(), std::int64_t(n), std::int64_t(ld));
    trial.check();
  }
}

/// Tests every kind of matrix, of orders around the multiples of a tile.
template <class T, class Shape>
void check_tile() {
  const int block = Shape::block;
  CAPTURE(block);
  std::set<int> orders{0, 1, 2, block - 1, block, block + 1, 2 * block + 1};
  // A tile of one takes n³ teams.
  orders.insert(block == 1 ? std::initializer_list<int>{31, 61} : std::initializer_list<int>{131, 257});
  for (const int n : orders) check_order<T, Shape>(n);
}

template <class T>
void check_all_tiles() {
  check_tile<T, blockfw::Tile<1>>();
  check_tile<T, blockfw::Tile<7>>();
  check_tile<T, blockfw::Tile<16>>();
  check_tile<T, blockfw::Tile<48>>();
  check_tile<T, blockfw::Tile<64>>();
  check_tile<T, blockfw::Tile<64, 4, 16>>();
  check_tile<T, blockfw::Tile<24, 8, 3>>();
  check_tile<T, NoTile>();
  if constexpr (on_device) check_tile<T, blockfw::default_tile<Kokkos::DefaultExecutionSpace, T>>();  // of large orders
}

}  // namespace

#if BLOCKFW_IN_PART(1)
TEST_CASE("every kind of int16 matrix") { check_all_tiles<std::int16_t>(); }

TEST_CASE("every kind of int32 matrix") { check_all_tiles<std::int32_t>(); }
#endif

#if BLOCKFW_IN_PART(2)
TEST_CASE("every kind of int64 matrix") { check_all_tiles<std::int64_t>(); }
#endif

#if BLOCKFW_IN_PART(3)
TEST_CASE("every kind of float matrix") { check_all_tiles<float>(); }

TEST_CASE("every kind of double matrix") { check_all_tiles<double>(); }

TEST_CASE_TEMPLATE("fractions: as close as their type allows", T, float, double) {
  Random random(7);
  std::uniform_real_distribution<T> weight(T(0.001), T(1));
  const int n = 150;
  oracle::Graph<double> g{n, {}};
  const SharedMatrix<T> d("d", n, n);
  Kokkos::deep_copy(d, blockfw::infinity<T>);
  for (int i = 0; i < n; ++i) d(i, i) = 0;
  for (int e = 0; e < 3 * n; ++e) {
    const int from = uniform(random, 0, n - 1), to = uniform(random, 0, n - 1);
    const T w = weight(random);
    g.edges.push_back({from, to, static_cast<double>(w)});
    d(from, to) = std::min(d(from, to), w);
  }
  blockfw::blocked_floyd_warshall<blockfw::Tile<32>>(d);

  const auto expected = oracle::distances(g);
  const double tolerance = 20 * static_cast<double>(std::numeric_limits<T>::epsilon());
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const double e = expected[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
      const auto is = static_cast<double>(d(i, j));
      wrong += e == oracle::unreachable<double> ? !std::isinf(is) : !(std::abs(is - e) <= tolerance * e);
    }
  CHECK(wrong == 0);
}

// A device may relax two pivots at a time as long as no entry of a panel has been negative.
TEST_CASE("floats below 0, in a few tiles only") {
  const int n = 330;
  for (const int vertex : {0, 100, n - 1})
    for (const int potential : {-1000, 1000, 0})
      for (const float zero : {0.0f, -0.0f}) {
        CAPTURE(vertex);
        CAPTURE(potential);
        CAPTURE(std::signbit(zero));
        Random random(5);
        Graph g = scattered(random, n, 4 * n, 0, 100);
        // The vertex only has edges to and from late vertices. They are negative in one direction, so that only late
        // panels have negative entries.
        std::erase_if(g.edges, [&](const auto& e) {
          return (e.from == vertex || e.to == vertex) && e.from + e.to < vertex + n / 2;
        });
        std::vector<int> h(n, 0);
        h[static_cast<std::size_t>(vertex)] = potential;
        g = shifted(g, h);
        const SharedMatrix<float> d("d", n, n), e("e", n, n);
        fill(d, g);
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < n; ++j)
            if (i != j && d(i, j) == 0) d(i, j) = zero;
        Kokkos::deep_copy(e, d);
        const auto expected = oracle::distances(g);
        blockfw::blocked_floyd_warshall<blockfw::Tile<8>>(d);
        CHECK(difference(d, expected) == "");
        blockfw::blocked_floyd_warshall(e);
        CHECK(difference(e, expected) == "");
      }
}

// A NaN is neither smaller nor larger than a sum, so it does not spread. On a host it hides the paths between its two
// vertices; a device may replace it with the length of one.
TEST_CASE_TEMPLATE("a NaN: part of no sum", T, float, double) {
  const int n = 20;
  Random random(3);
  const Graph g = scattered(random, n, 3 * n, 0, 100);
  const auto expected = oracle::distances(g);
  for (const T nan : {std::numeric_limits<T>::quiet_NaN(), -std::numeric_limits<T>::quiet_NaN()}) {
    const SharedMatrix<T> d("d", n, n);
    fill(d, g);
    d(4, 9) = nan;
    blockfw::blocked_floyd_warshall<blockfw::Tile<8>>(d);

    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        CAPTURE(i);
        CAPTURE(j);
        const auto e = expected[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
        if (i == 4 && j == 9 && (!on_device || std::isnan(d(i, j))))
          CHECK(std::isnan(d(i, j)));
        else
          CHECK(d(i, j) >= static_cast<T>(e == oracle::unreachable<std::int64_t> ? 0 : e));
      }
  }
}
#endif
