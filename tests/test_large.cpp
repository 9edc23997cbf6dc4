// SPDX-License-Identifier: MIT
// Matrices of more than 2³¹ entries, whose offsets 32 bits cannot count. 46,341 is the least such order: only the last
// entries of its matrix lie beyond 2³¹. (A solve takes 10¹⁴ relaxes. So on a host all paths lead through vertices of
// the first tile, and the solve ends after the first round.)
#include "graphs.hpp"

#include <blockfw/detail/backend/memory.hpp>
#include <blockfw/detail/matrices/edge_entries.hpp>
#include <blockfw/detail/shares/edges_by_owner.hpp>
#include <blockfw/measures.hpp>
#include <blockfw/paths.hpp>
#include <blockfw/transitive_closure.hpp>
#include <blockfw/updates.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using blockfw::Direction;
using Exec = Kokkos::DefaultExecutionSpace;
using Memory = Exec::memory_space;
using T = std::int16_t;
using Edges = std::vector<blockfw::Edge<T>>;
using Matrix = blockfw::DistanceMatrix<T, Exec>;

/// The orders under test. A device also takes a matrix of twice the entries.
const std::vector<int> orders = on_device ? std::vector<int>{46'341, 70'000} : std::vector<int>{46'341, 47'003};

/// The paths between two vertices lead through one or two of the first `hubs` vertices, except for a few pairs with an
/// edge.
constexpr int hubs = 100;

Graph through_hubs(int n) {
  Random random(static_cast<unsigned>(n));
  Graph g{n, {}};
  for (int h = 0; h < hubs; ++h)
    for (int other = 0; other < hubs; ++other)
      if (other != h) g.edges.push_back({h, other, uniform(random, 1, 50)});
  for (int v = hubs; v < n; ++v) {
    g.edges.push_back({v, uniform(random, 0, hubs - 1), uniform(random, 100, 170)});
    g.edges.push_back({uniform(random, 0, hubs - 1), v, uniform(random, 100, 170)});
  }
  // Edges in the last rows of the matrix. They are shorter than paths through hubs, and too long to be a part of other
  // shortest paths.
  for (int k = 0; k < 600; ++k) g.edges.push_back({n - 1 - k % 2, n - 3 - 7 * k, uniform(random, 150, 199)});
  return g;
}

/// Some rows: the first, some around the middle, and the last. Offsets of 32 bits are wrong in the last rows.
std::vector<int> rows_of(int n) { return {0, hubs - 1, n / 2, n - 700, n - 2, n - 1}; }

/// The row as it lies in memory: without the view, whose offsets are under test.
std::vector<T> row_in_memory(const Matrix& d, std::int64_t row) {
  const std::size_t n = d.extent(1);
  std::vector<T> entries(n);
  using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  Kokkos::deep_copy(Kokkos::View<T*, Kokkos::HostSpace, Unmanaged>(entries.data(), n),
                    Kokkos::View<const T*, Memory, Unmanaged>(d.data() + static_cast<std::size_t>(row) * n, n));
  return entries;
}

/// The number of entries less than infinity in the memory of the matrix.
std::int64_t finite_entries(const Matrix& d) {
  const T* const entries = d.data();
  std::int64_t count = 0;
  Kokkos::parallel_reduce(
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(0, static_cast<std::int64_t>(d.size())),
      KOKKOS_LAMBDA(std::int64_t e, std::int64_t& sum) { sum += entries[e] < blockfw::infinity<T> ? 1 : 0; }, count);
  return count;
}

/// Compares the matrix with the edges: some rows, and how many entries are edges or on the diagonal.
void check_filled(const Matrix& d, const Edges& edges, Direction direction) {
  const int n = d.extent_int(0);
  const bool both_directions = direction == Direction::undirected;
  for (const int row : rows_of(n)) {
    CAPTURE(row);
    std::vector<T> expected(static_cast<std::size_t>(n), blockfw::infinity<T>);
    const auto see = [&](int from, int to, T weight) {
      T& entry = expected[static_cast<std::size_t>(to)];
      if (from == row) entry = std::min(entry, weight);
    };
    see(row, row, 0);
    for (const auto& e : edges) {
      see(e.from, e.to, e.weight);
      if (both_directions) see(e.to, e.from, e.weight);
    }
    CHECK(row_in_memory(d, row) == expected);
  }
  // (A vertex may have its edge from a hub and its edge to a hub with the same one.)
  std::int64_t twice = 0;
  if (both_directions) {
    twice = hubs * (hubs - 1) / 2;
    for (std::size_t e = hubs * (hubs - 1); e + 1 < edges.size() - 600; e += 2)
      twice += edges[e].to == edges[e + 1].from;
  }
  const auto count = static_cast<std::int64_t>(edges.size());
  CHECK(finite_entries(d) == n + (both_directions ? 2 * count - 2 * twice : count));
}

/// Compares some rows with Dijkstra's distances.
void check_solved(const Matrix& d, const Graph& g) {
  const auto out = oracle::adjacency(g);
  for (const int row : rows_of(g.n)) {
    CAPTURE(row);
    const auto expected = oracle::dijkstra(out, row);
    CHECK(row_in_memory(d, row) == std::vector<T>(expected.begin(), expected.end()));
  }
}

/// Thrown to end a solve.
struct Enough {};

/// Solves the matrix of through_hubs().
void solve_dense(const Exec& exec, const Matrix& d) {
  if (on_device) {
    blockfw::blocked_floyd_warshall(exec, d);
    exec.fence("solve_dense");
    return;
  }
  const std::int64_t n = d.extent_int(0);
  CHECK_THROWS_AS(blockfw::blocked_floyd_warshall(exec, d,
                                                  {.progress =
                                                       [n](std::int64_t done, std::int64_t all) {
                                                         if (done * n / all >= hubs) throw Enough();
                                                       }}),
                  Enough);
}

/// Fills the matrix as shares and chunks do.
void fill_by_owner(const Exec& exec, const Matrix& d, const Edges& edges, Direction direction) {
  const auto whole = [](int i, int j) { return blockfw::detail::OwnedEntry{0, i, j}; };
  using S = blockfw::MinPlus<T>;
  const auto sorted =
      blockfw::detail::sort_by_owner<S>(blockfw::detail::view_of(edges), d.extent_int(0), 1, whole, direction).first;
  const auto entries = blockfw::reachable_edges(exec, sorted.of(0));
  blockfw::detail::fill_part<S>(exec, d, entries);
  blockfw::detail::lower_diagonal<S>(exec, d, 0);
  exec.fence("fill_by_owner");
}

/// Paths, next hops, measures and updates of a solved matrix.
void check_answers(const Exec& exec, const Matrix& d, const Graph& g, const Edges& edges) {
  const int n = g.n, middle = n / 2;
  const blockfw::Paths paths(exec, d, edges);
  const int corner = n - 3 - 7 * 17;  // there is an edge to it from n - 2
  for (const auto& [from, to] :
       {std::pair(n - 1, middle), std::pair(middle, n - 1), std::pair(n - 2, corner), std::pair(n - 2, n - 1)}) {
    CAPTURE(from);
    CAPTURE(to);
    const auto path = paths.path(from, to);
    REQUIRE(!path.empty());
    CHECK(path.front() == from);
    CHECK(path.back() == to);
    CHECK(blockfw::path_length(path, edges) == row_in_memory(d, from)[static_cast<std::size_t>(to)]);
  }

  const auto last = row_in_memory(d, n - 1);
  const auto tree = paths.tree(n - 1);
  for (const int to : {0, middle, n - 2, corner}) {
    CAPTURE(to);
    CHECK(blockfw::path_length(blockfw::path_in(tree, n - 1, to), edges) == last[static_cast<std::size_t>(to)]);
  }
  // The searches of the last vertices, whose distances and results are rows in the corner.
  namespace detail = blockfw::detail;
  const auto there = blockfw::reachable_edges(exec, detail::view_of(edges));
  const auto tight = detail::tight_edges<T>(exec, d, there, Direction::directed);
  const blockfw::VertexMatrix<Exec> hops("next hops", 2, static_cast<std::size_t>(n));
  const detail::ToAll<Matrix> condition{d};
  CHECK(detail::search(exec, tight, condition, n - 2, hops, detail::Keep::next_hops) == 2 * n);
  const auto hops_of_last = readable(hops);
  for (const int to : {0, middle, n - 2, corner}) CHECK(hops_of_last(1, to) == paths.path(n - 1, to)[1]);
  if constexpr (on_device) {
    const auto predecessors = paths.predecessors();  // 4 n² bytes more
    const auto row = readable(Kokkos::subview(predecessors, Kokkos::pair(n - 1, n), Kokkos::ALL));
    CHECK(std::vector<std::int32_t>(row.data(), row.data() + n) == tree);
  }

  const auto reach = blockfw::reach(exec, d);
  REQUIRE(reach.size() == static_cast<std::size_t>(n));
  const auto farthest = std::max_element(last.begin(), last.end());
  CHECK(reach.back().vertices == n);
  CHECK(reach.back().farthest == *farthest);
  CHECK(reach.back().farthest_vertex == farthest - last.begin());
  CHECK(!blockfw::find_negative_cycle(exec, d));

  const auto from_middle = row_in_memory(d, middle);
  blockfw::insert_edge(exec, d, n - 1, middle, T(1));
  auto expected = last;
  for (std::size_t v = 0; v < expected.size(); ++v)
    expected[v] = std::min(expected[v], static_cast<T>(1 + from_middle[v]));
  CHECK(row_in_memory(d, n - 1) == expected);
}

/// Whether there is memory; if not, the test reports that it is skipped.
bool fits(const Exec& exec, double bytes) {
  const double available = blockfw::detail::available_bytes(exec);
  if (bytes <= available) return true;
  const std::string skipped = "skipped: it needs " + blockfw::detail::gigabytes(bytes) + " of memory, " +
                              blockfw::detail::gigabytes(available) + " are available";
  MESSAGE(skipped);
  return false;
}

double bytes_of(int n) { return static_cast<double>(n) * n * sizeof(T); }

}  // namespace

TEST_CASE("a matrix of more than 2^31 entries: filled, solved and read") {
  const Exec exec;
  // (A device also needs memory for the predecessors.)
  if (!fits(exec, 1e9 + bytes_of(orders.back()) * (on_device ? 3 : 1))) return;
  const auto most = static_cast<std::size_t>(orders.back());
  const Matrix memory(Kokkos::view_alloc("memory", Kokkos::WithoutInitializing), most, most);
  for (const int n : orders) {
    CAPTURE(n);
    const Matrix d(memory.data(), static_cast<std::size_t>(n), static_cast<std::size_t>(n));
    const Graph g = through_hubs(n);
    const Edges edges = edges_of<T>(g);

    blockfw::fill_from_edges(exec, d, edges);
    check_filled(d, edges, Direction::directed);
    if (n == orders.back()) {
      // The entries as a list of edges: all are tight, since they are compared with themselves.
      CHECK(blockfw::Paths(exec, d, d).tight_edges() == static_cast<std::int64_t>(edges.size()));
      fill_by_owner(exec, d, edges, Direction::undirected);
      check_filled(d, edges, Direction::undirected);
      blockfw::fill_from_edges(exec, d, edges, {.direction = Direction::undirected});
      check_filled(d, edges, Direction::undirected);
      blockfw::fill_from_edges(exec, d, edges);
    }

    solve_dense(exec, d);
    check_solved(d, g);
    check_answers(exec, d, g, edges);

    blockfw::solve_into(exec, d, edges, {.method = blockfw::Method::sparse});
    check_solved(d, g);
  }
}

TEST_CASE("bits of more than 2^31 words: written and closed") {
  const Exec exec;
  const int n = 262'145;
  const double bytes = static_cast<double>(n) * n / 8;
  if (!fits(exec, 1e9 + bytes)) return;
  Random random(3);
  std::vector<blockfw::Edge<T>> edges;
  // All paths lead through a pivot of the first round.
  for (int v = hubs; v < n; ++v) edges.push_back({v, v % hubs, 1});
  for (int h = 0; h < hubs; ++h) edges.push_back({h, n - 1 - h, 1});
  const blockfw::BitMatrix<Exec> bits(exec, n);
  blockfw::detail::scatter_bits(exec, bits, blockfw::reachable_edges(exec, blockfw::detail::view_of(edges)),
                                Direction::directed);
  const auto words = static_cast<std::int64_t>(bits.words().extent(1));
  const auto row = [&](std::int64_t i) {
    std::vector<std::uint32_t> copy(static_cast<std::size_t>(words));
    using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
    Kokkos::deep_copy(
        Kokkos::View<std::uint32_t*, Kokkos::HostSpace, Unmanaged>(copy.data(), copy.size()),
        Kokkos::View<const std::uint32_t*, Memory, Unmanaged>(bits.words().data() + i * words, copy.size()));
    return copy;
  };
  const auto vertices_in = [](const std::vector<std::uint32_t>& some) {
    std::vector<int> vertices;
    for (std::size_t w = 0; w < some.size(); ++w)
      for (int bit = 0; bit < 32; ++bit)
        if ((some[w] >> bit & 1) != 0) vertices.push_back(static_cast<int>(w) * 32 + bit);
    return vertices;
  };
  using Vertices = std::vector<int>;
  const int last = n - 1, hub = last % hubs;
  CHECK(vertices_in(row(last)) == Vertices{hub});
  CHECK(vertices_in(row(3)) == Vertices{last - 3});

  // (All rounds together take minutes.)
  CHECK_THROWS_AS(blockfw::transitive_closure(exec, bits, [](std::int64_t, std::int64_t) { throw Enough(); }), Enough);
  CHECK(vertices_in(row(last)) == Vertices{hub, last - hub, last});
  CHECK(vertices_in(row(n / 2)) == Vertices{n / 2 % hubs, n / 2, last - n / 2 % hubs});
  CHECK(vertices_in(row(3)) == Vertices{3, last - 3});
}
