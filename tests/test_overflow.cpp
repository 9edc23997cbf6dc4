// SPDX-License-Identifier: MIT
// Sums near the limits of a type.
#include "graphs.hpp"

#include <limits>
#include <type_traits>

namespace {

template <class T>
using Edges = std::vector<blockfw::Edge<T>>;

/// A path of n vertices whose edges weigh w.
template <class T>
Edges<T> path(int n, T w) {
  Edges<T> edges;
  for (int v = 0; v + 1 < n; ++v) edges.push_back({v, v + 1, w});
  return edges;
}

/// The distances, for the host to read.
template <class T = void, class E>
auto solved(int n, const Edges<E>& edges) {
  return readable(blockfw::solve<T>(n, edges));
}

template <class T, class E>
void check_refused(int n, const Edges<E>& edges, const char* type, const char* wider) {
  try {
    blockfw::solve<T>(n, edges);
    FAIL("no OverflowRisk was thrown");
  } catch (const blockfw::OverflowRisk& e) {
    const std::string text = e.what();
    CAPTURE(text);
    CHECK(text.find("over " + std::to_string(n) + " vertices could reach infinity, " +
                    std::to_string(blockfw::infinity<T>)) != std::string::npos);
    CHECK(text.find(std::string("in ") + type + "; use " + wider) != std::string::npos);
  }
}

}  // namespace

// infinity - 1 is even for every integer type, and infinity divisible by 3.
TEST_CASE_TEMPLATE("without negative weights: a path may be just below infinity", T, std::int16_t, std::int32_t,
                   std::int64_t) {
  constexpr T infinity = blockfw::infinity<T>;
  const char* const type = sizeof(T) == 2 ? "int16" : sizeof(T) == 4 ? "int32" : "int64";
  const char* const wider = sizeof(T) == 2 ? "int32, int64 or double" : sizeof(T) == 4 ? "int64 or double" : "double";

  const auto d = solved(3, path<T>(3, (infinity - 1) / 2));
  CHECK(d(0, 2) == infinity - 1);
  CHECK(d(2, 0) == infinity);
  check_refused<T>(3, path<T>(3, (infinity - 1) / 2 + 1), type, wider);

  static_assert(infinity % 3 == 0);
  check_refused<T>(4, path<T>(4, infinity / 3), type, wider);
  CHECK(solved(4, path<T>(4, infinity / 3 - 1))(0, 3) == infinity - 3);

  CHECK(solved(2, path<T>(2, infinity - 1))(0, 1) == infinity - 1);
  check_refused<T>(2, path<T>(2, infinity), type, wider);
  check_refused<T>(2, path<T>(2, std::numeric_limits<T>::max()), type, wider);
}

TEST_CASE_TEMPLATE("with negative weights: the largest sums of both signs fit", T, std::int16_t, std::int32_t,
                   std::int64_t) {
  constexpr T infinity = blockfw::infinity<T>;
  const char* const type = sizeof(T) == 2 ? "int16" : sizeof(T) == 4 ? "int32" : "int64";
  const char* const wider = sizeof(T) == 2 ? "int32, int64 or double" : sizeof(T) == 4 ? "int64 or double" : "double";
  const int n = 5;
  const T most = (infinity - 1) / (n + 1);  // the most that |smallest| + largest may be

  // The sums of this cycle are as low and as high as weights allow. Vertex 4 is isolated, and stays isolated.
  const auto graph = [](T down, T up) { return Edges<T>{{0, 1, down}, {1, 2, down}, {2, 3, up}, {3, 0, up}}; };
  const T down = static_cast<T>(-(most / 2)), up = static_cast<T>(most - most / 2);
  const auto d = solved(n, graph(down, up));
  CHECK(d(0, 2) == 2 * down);
  CHECK(d(2, 0) == 2 * up);
  CHECK(d(0, 0) == 0);
  CHECK(d(0, 4) == infinity);
  CHECK(d(4, 0) == infinity);
  check_refused<T>(n, graph(down, static_cast<T>(up + 1)), type, wider);
  check_refused<T>(n, graph(static_cast<T>(down - 1), up), type, wider);

  // Only negative weights: all distances are exact, and a pair without a path remains unreachable.
  const auto e = solved(n, path<T>(n, static_cast<T>(-most)));
  CHECK(e(0, 4) == -4 * most);
  CHECK(e(4, 0) == infinity);
  check_refused<T>(n, path<T>(n, static_cast<T>(-most - 1)), type, wider);
  check_refused<T>(2, path<T>(2, std::numeric_limits<T>::lowest()), type, wider);
}

TEST_CASE("a wider result: checked by its own infinity") {
  CHECK(solved<std::int64_t>(4, path<std::int32_t>(4, 2'000'000'000))(0, 3) == 6'000'000'000);
  CHECK(solved<std::int32_t>(4, path<std::int16_t>(4, 32'000))(0, 3) == 96'000);
  CHECK(solved<double>(4, path<float>(4, 16'777'216.0f))(0, 3) == 50'331'648.0);
  CHECK_THROWS_AS(blockfw::require_safe_sums<std::int32_t>(65'540, {0, 32'000}), blockfw::OverflowRisk);
}

TEST_CASE_TEMPLATE("the sum of all weights: a bound, too", T, std::int16_t, std::int32_t, std::int64_t) {
  // One heavy edge and many light edges: n - 1 times the heaviest weight reaches infinity, the sum of all weights does
  // not.
  const int n = 600;
  auto edges = path<T>(n, 1);
  const T all = sizeof(T) < 8 ? blockfw::infinity<T> : static_cast<T>(std::int64_t{1} << 53),
          heavy = static_cast<T>(all - (n - 2) - 1);
  edges[5].weight = heavy;
  CHECK(solved(n, edges)(0, n - 1) == all - 1);
  CHECK(solved(n, edges)(n - 1, 0) == blockfw::infinity<T>);
  CHECK(blockfw::longest_path<T>(n, {1, heavy, static_cast<double>(all - 1)}) == all - 1);
  if constexpr (sizeof(T) < 8) {
    edges.push_back({0, 1, 1});  // it counts, though it changes nothing
    CHECK_THROWS_AS(solved(n, edges), blockfw::OverflowRisk);
    // The bound by n - 1 of the heaviest edges still holds if the total is not known, or too large.
    CHECK(blockfw::sums_fit<T>(3, {1, 2}));
    CHECK(blockfw::sums_fit<T>(3, {1, 2, 1e6 * blockfw::infinity<T>}));
    CHECK_FALSE(blockfw::sums_fit<T>(n, {-1, heavy, static_cast<double>(heavy + 1)}));
  }
}

TEST_CASE_TEMPLATE("floats: their own infinity", T, float, double) {
  const T large = std::numeric_limits<T>::max() / 2;
  CHECK(solved(4, path<T>(4, large))(0, 3) == blockfw::infinity<T>);
  CHECK(solved(4, path<T>(4, -large))(3, 0) == blockfw::infinity<T>);
  CHECK(solved(2, path<T>(2, blockfw::infinity<T>))(0, 1) == blockfw::infinity<T>);
}

TEST_CASE("an OverflowRisk in a matrix") {
  const SharedMatrix<std::int16_t> w("w", 3, 3);
  w(0, 1) = 9'000;
  CHECK_THROWS_AS(blockfw::solve(w), blockfw::OverflowRisk);
  w(0, 1) = 8'191;
  CHECK(readable(blockfw::solve(w))(0, 1) == 0);  // (edges of weight 0)
}

// The heaviest weights that pass, and many negative cycles through every vertex. The same graph is solved in 64 bits,
// too, with the narrow infinity as an ordinary number. Of a graph with a negative cycle only the evidence is specified.
// On a device its other entries depend on time, and on the type (docs/authors/device-kernel.md); on a host both results
// are equal. All weights, and infinity, are multiples of 3, and so are all sums. A sum that wrapped around is no
// multiple of 3: it is wrong by 2^16 or 2^32.
TEST_CASE_TEMPLATE("negative cycles: no overflow", T, std::int16_t, std::int32_t) {
  using Shape = blockfw::Tile<8, 4, 8>;
  constexpr T infinity = blockfw::infinity<T>;
  static_assert(infinity % 3 == 0);
  int with_cycle = 0, without = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const int n = 2 + static_cast<int>(seed) % 60, most = (infinity - 1) / (n + 1) / 3;
    const int kind = uniform(random, 0, 3);
    Graph g = kind == 0   ? scattered(random, n, 3 * n, -most, 0)
              : kind == 1 ? scattered(random, n, n * n / 2, -most / 2, most / 2)
                          : Graph{n, {}};
    // A ring, or a path, of edges of weight -most.
    if (kind != 1)
      for (int v = 0; v < n - (kind == 3); ++v) g.edges.push_back({v, (v + 1) % n, -most});
    for (auto& e : g.edges) e.weight *= 3;
    const auto order = static_cast<std::size_t>(n);
    const SharedMatrix<T> narrow("narrow", order, order);
    const SharedMatrix<std::int64_t> wide("wide", order, order);
    const HostMatrix<std::int64_t> edges("edges", order, order);
    fill(narrow, g);
    fill(wide, g, infinity);
    fill(edges, g, infinity);
    blockfw::blocked_floyd_warshall<Shape>(narrow);
    blockfw::blocked_floyd_warshall<Shape>(wide);

    const bool negative_cycle = oracle::has_negative_cycle(g);
    ++(negative_cycle ? with_cycle : without);
    int different = 0, grown = 0, wrapped = 0;
    std::int64_t lowest = 0;
    bool seen_narrow = false, seen_wide = false;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        different += narrow(i, j) != wide(i, j);
        grown += narrow(i, j) > edges(i, j) || wide(i, j) > edges(i, j);
        wrapped += narrow(i, j) % 3 != 0;
        lowest = std::min({lowest, wide(i, j), std::int64_t{narrow(i, j)}});
      }
      seen_narrow = seen_narrow || narrow(i, i) < 0;
      seen_wide = seen_wide || wide(i, i) < 0;
    }
    CHECK(seen_narrow == negative_cycle);
    CHECK(seen_wide == negative_cycle);
    CHECK(grown == 0);
    CHECK(wrapped == 0);
    // A device adds two entries once more in a pivot tile with a negative cycle before it leaves the tile out.
    CHECK(lowest >= (on_device && negative_cycle ? 2 : 1) * -std::int64_t{infinity});
    if (!on_device || !negative_cycle) CHECK(different == 0);
  }
  CHECK(with_cycle > 100);
  CHECK(without > 50);
}
