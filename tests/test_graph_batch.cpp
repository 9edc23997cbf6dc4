// SPDX-License-Identifier: MIT
// Batches of graphs of different orders: distances, predecessors, next hops and hops, each against the oracle.
#include "graphs.hpp"

#include "blockfw/batch.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using Host = Kokkos::DefaultHostExecutionSpace;
using Shared = Kokkos::View<std::int32_t*, Kokkos::SharedSpace>;
using blockfw::no_vertex;
template <class T>
using Batch = blockfw::GraphBatch<T, Exec>;

/// The matrices of graphs in a batch. If they are padded, the padding has a value that no kernel may read.
template <class T>
struct Filled {
  Kokkos::View<T*, Kokkos::SharedSpace> entries;
  Batch<T> batch;

  static constexpr T outside = T(-77);

  Filled(const std::vector<Graph>& graphs, std::int32_t padded_to, T none = blockfw::infinity<T>, T own = T(0))
      : entries("entries", size(graphs, padded_to)), batch(orders(graphs), padded_to, entries) {
    Kokkos::deep_copy(entries, outside);
    for (std::size_t g = 0; g < graphs.size(); ++g) {
      const auto d = matrix(g);
      fill(d, graphs[g], none);
      for (int i = 0; i < graphs[g].n; ++i)
        if (own != T(0)) d(i, i) = own;
    }
  }
  static std::vector<std::int32_t> orders(const std::vector<Graph>& graphs) {
    std::vector<std::int32_t> list;
    for (const Graph& g : graphs) list.push_back(g.n);
    return list;
  }
  static std::size_t size(const std::vector<Graph>& graphs, std::int32_t padded_to) {
    const auto most = static_cast<std::size_t>(padded_to);
    return padded_to > 0 ? graphs.size() * most * most : static_cast<std::size_t>(Batch<T>::entries_of(orders(graphs)));
  }
  /// A graph's matrix, for the host.
  blockfw::MatrixRef<T, Host> matrix(std::size_t g) const {
    const auto d = batch.matrix(static_cast<std::int64_t>(g));
    return blockfw::MatrixRef<T, Host>(d.data(), Kokkos::LayoutStride(d.extent(0), d.stride(0), d.extent(1), 1));
  }
  /// The numbers of a graph in an array of the batch.
  auto numbers(const Shared& all, std::size_t g) const {
    const auto graph = static_cast<std::int64_t>(g);
    return [=, start = batch.start(graph), row = batch.row(graph)](int i, int j) { return all(start + i * row + j); };
  }
  /// Calls f(entry) for the entries outside of the matrices.
  template <class F>
  void for_outside(const F& f) const {
    for (std::int64_t g = 0; batch.padded_to() > 0 && g < batch.graphs(); ++g)
      for (std::int64_t i = 0; i < batch.row(g); ++i)
        for (std::int64_t j = 0; j < batch.row(g); ++j)
          if (i >= batch.order(g) || j >= batch.order(g)) f(entries(batch.start(g) + i * batch.row(g) + j));
  }
  /// The number of entries outside of the matrices that have changed.
  int changed_outside(T was = outside) const {
    int changed = 0;
    for_outside([&](const T& entry) { changed += entry != was; });
    return changed;
  }
};

/// Graphs of all families and of the given orders, one after the other.
std::vector<Graph> mixed(Random& random, const std::vector<int>& orders) {
  std::vector<Graph> graphs;
  for (std::size_t g = 0; g < orders.size(); ++g)
    graphs.push_back(orders[g] == 0 ? Graph{0, {}} : families[g % std::size(families)].make(random, orders[g]));
  return graphs;
}

/// The length of the longest path in any of the graphs.
template <class T>
T longest(const std::vector<Graph>& graphs) {
  double most = 0;
  for (const Graph& g : graphs) most = std::max(most, (g.n - 1.) * 2 * heaviest(g.n));
  return static_cast<T>(most);
}

/// The numbers of edges of the paths with the fewest edges among the shortest.
std::vector<std::vector<std::int64_t>> fewest_edges(const Answer& answer) {
  constexpr std::int64_t scale = 1 << 20;
  Graph scaled = answer.graph;
  for (auto& e : scaled.edges) e.weight = e.weight * scale + 1;
  auto both = oracle::distances(scaled);
  for (std::size_t i = 0; i < both.size(); ++i)
    for (std::size_t j = 0; j < both.size(); ++j)
      both[i][j] = both[i][j] == oracle::unreachable<std::int64_t> ? std::int64_t{no_vertex}
                                                                   : both[i][j] - scale * answer.distances[i][j];
  return both;
}

/// Counts the faults of a graph's paths. Predecessors must lead to the source along edges whose sum is the distance.
/// Next hops and hops must belong to these paths.
template <class Distances, class Before, class Next, class Hops>
int wrong_paths(const Answer& answer, const Distances& d, const Before& before, const Next& next, const Hops& hops,
                bool fewest) {
  const int n = answer.graph.n;
  const auto weights = host_matrix<std::int64_t>(answer.graph);
  const auto least = fewest_edges(answer);
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const auto expected = answer.distances[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
      if (i == j || expected == oracle::unreachable<std::int64_t>) {
        wrong += before(i, j) != no_vertex || next(i, j) != no_vertex || hops(i, j) != (i == j ? 0 : no_vertex);
        continue;
      }
      std::int64_t length = 0, steps = 0;
      int v = j, first = no_vertex;
      for (; v != i && steps <= n; ++steps) {
        const int u = before(i, v);
        if (u < 0 || u >= n || u == v || weights(u, v) >= blockfw::infinity<std::int64_t>) break;
        length += weights(u, v);
        first = v;
        v = u;
      }
      wrong += v != i || length != expected || static_cast<std::int64_t>(d(i, j)) != expected || next(i, j) != first ||
               hops(i, j) != steps;
      if (fewest) wrong += steps != least[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
    }
  return wrong;
}

/// A call that solves a batch with paths: the library's, or the kernel of devices on a host.
template <class T>
using SolveWithPaths = std::function<std::vector<std::int64_t>(const Batch<T>&, const blockfw::BatchPaths<Exec>&)>;

/// The views that a call asks for.
struct Wanted {
  bool before, next, hops;
};
constexpr Wanted wanted_lists[] = {{true, true, true},   {true, true, false}, {true, false, true},
                                   {true, false, false}, {false, true, true}, {false, false, true}};

Shared if_wanted(bool is, const Shared& list) { return is ? list : Shared(); }

template <class T>
void check_paths(const std::vector<Graph>& graphs, std::int32_t padded_to, Wanted wanted,
                 const SolveWithPaths<T>& solve) {
  const Filled<T> filled(graphs, padded_to);
  const std::size_t count = filled.entries.extent(0);
  const Shared before("before", count), next("next", count), hops("hops", count);
  const auto cycles = solve(
      filled.batch, {if_wanted(wanted.before, before), if_wanted(wanted.next, next), if_wanted(wanted.hops, hops)});
  Kokkos::fence();
  REQUIRE(cycles.size() == graphs.size());
  CHECK(filled.changed_outside() == 0);
  for (std::size_t g = 0; g < graphs.size(); ++g) {
    CAPTURE(g);
    const Answer answer(graphs[g], blockfw::Direction::directed);
    const int n = graphs[g].n;
    const auto there = filled.numbers(before, g), onward = filled.numbers(next, g), steps = filled.numbers(hops, g);
    REQUIRE((cycles[g] != no_vertex) == answer.negative_cycle);
    if (answer.negative_cycle) {
      REQUIRE(cycles[g] < n);
      CHECK(oracle::on_negative_walk(answer.graph, static_cast<int>(cycles[g])));
      int wrong = 0;
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
          wrong += (wanted.before && there(i, j) != no_vertex) || (wanted.next && onward(i, j) != no_vertex) ||
                   (wanted.hops && steps(i, j) != no_vertex);
      CHECK(wrong == 0);
      continue;
    }
    CHECK(difference(filled.matrix(g), answer.distances) == "");
    if (wanted.hops) {
      const auto least = fewest_edges(answer);
      int wrong = 0;
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
          wrong += steps(i, j) != least[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
      CHECK(wrong == 0);
    }
    if (!wanted.before) continue;
    // The views that were not asked for follow from the predecessors.
    const auto chain = [&](int i, int j) {
      if (there(i, j) == no_vertex) return i == j ? 0 : std::int32_t{no_vertex};
      std::int32_t edges = 0;
      for (int v = j; v != i && v >= 0 && edges <= n; v = there(i, v)) ++edges;
      return edges;
    };
    const auto first = [&](int i, int j) {
      if (wanted.next) return onward(i, j);
      if (i == j || there(i, j) == no_vertex) return std::int32_t{no_vertex};
      std::int32_t v = j;
      for (int edges = 0; there(i, v) != i && there(i, v) >= 0 && edges < n; ++edges) v = there(i, v);
      return v;
    };
    CHECK(wrong_paths(answer, filled.matrix(g), there, first, chain, wanted.hops) == 0);
  }
}

/// Orders at the edges of vectors and tiles, with empty graphs among them, in no order of size.
const std::vector<int> orders = {3, 0, 16, 1, 33, 2, 64, 7, 17, 31, 0, 8, 65, 32, 15, 1, 40, 5, 63, 100, 9, 25};

}  // namespace

TEST_CASE_TEMPLATE("graphs of different orders: distances", T, ALL_TYPES) {
  Random random(1);
  for (int round = 0; round < 4; ++round) {
    auto some = orders;
    if (round == 0) some.insert(some.end(), {127, 128, 129, 256, 257, 0, 300});
    std::shuffle(some.begin(), some.end(), random);
    const auto graphs = mixed(random, some);
    for (const std::int32_t padded_to : {0, round == 0 ? 301 : 103}) {
      const Filled<T> filled(graphs, padded_to);
      const Exec exec;
      blockfw::batched_floyd_warshall(exec, filled.batch);
      const auto cycles = blockfw::find_negative_cycles(exec, filled.batch);
      exec.fence();
      CHECK(filled.changed_outside() == 0);
      if constexpr (std::is_integral_v<T>) {
        constexpr T far = blockfw::infinity<T> - 1;  // longer than any path, and not infinity
        filled.for_outside([&](T& entry) { entry = far; });
        blockfw::mark_unreachable(exec, filled.batch, longest<T>(graphs));
        CHECK(filled.changed_outside(far) == 0);
      }
      REQUIRE(cycles.size() == graphs.size());
      for (std::size_t g = 0; g < graphs.size(); ++g) {
        CAPTURE(g);
        const Answer answer(graphs[g], blockfw::Direction::directed);
        REQUIRE((cycles[g] != no_vertex) == answer.negative_cycle);
        if (answer.negative_cycle)
          CHECK(oracle::on_negative_walk(answer.graph, static_cast<int>(cycles[g])));
        else
          CHECK(difference(filled.matrix(g), answer.distances) == "");
      }
    }
  }
}

TEST_CASE("graphs of different orders: graphs that no thread closes alone") {
  Random random(2);
  const std::vector<Graph> graphs = {families[1].make(random, 20), families[0].make(random, 600), Graph{0, {}},
                                     families[6].make(random, 513), families[0].make(random, 512)};
  const Filled<std::int32_t> filled(graphs, 0);
  blockfw::batched_floyd_warshall(Exec(), filled.batch);
  blockfw::mark_unreachable(Exec(), filled.batch, longest<std::int32_t>(graphs));
  Kokkos::fence();
  for (std::size_t g = 0; g < graphs.size(); ++g)
    CHECK(difference(filled.matrix(g), oracle::distances(graphs[g])) == "");
}

TEST_CASE_TEMPLATE("graphs of different orders: paths", T, ALL_TYPES) {
  Random random(3);
  const SolveWithPaths<T> solve = [](const auto& batch, const auto& paths) {
    return blockfw::batched_floyd_warshall(Exec(), batch, paths);
  };
  for (int round = 0; round < 3; ++round) {
    auto some = orders;
    std::shuffle(some.begin(), some.end(), random);
    const auto graphs = mixed(random, some);
    for (const Wanted wanted : wanted_lists)
      for (const std::int32_t padded_to : {0, 101}) check_paths<T>(graphs, padded_to, wanted, solve);
  }
}

TEST_CASE_TEMPLATE("graphs of different orders: paths where sums fit 16 bits, or just do not", T, std::int32_t,
                   std::int64_t) {
  Random random(8);
  const SolveWithPaths<T> solve = [](const auto& batch, const auto& paths) {
    return blockfw::batched_floyd_warshall(Exec(), batch, paths);
  };
  std::vector<Graph> graphs;
  for (const int n : {2, 3, 10, 33})
    for (const int more : {-1, 0, 1, 20000})
      for (const int sign : {1, -1}) {
        const int weight = 16383 / n + more;
        Graph g{n, {}};  // a path through all vertices, one way, and light edges back
        for (int v = 0; v + 1 < n; ++v) g.edges.push_back({v, v + 1, sign * weight});
        for (int v = 2; v < n; ++v) g.edges.push_back({v, v - 2, 2 * weight});
        graphs.push_back(g);
      }
  for (const Wanted wanted : wanted_lists) check_paths<T>(graphs, 0, wanted, solve);
  // A loop counts only if it is negative, however long it is.
  for (const T loop : {T(5), T(32767), T(32768), T(40000), T(65535), T(100000), T(1) << 28}) {
    CAPTURE(loop);
    std::vector<Graph> loops(3, Graph{2, {{0, 1, 5}}});
    const Filled<T> filled(loops, 0);
    filled.matrix(0)(1, 1) = loop;
    filled.matrix(1)(1, 1) = -loop;
    const auto cycles = blockfw::batched_floyd_warshall(Exec(), filled.batch, blockfw::BatchPaths<Exec>());
    CHECK(cycles == std::vector<std::int64_t>{no_vertex, 1, no_vertex});
    CHECK(filled.matrix(0)(1, 1) == 0);
    CHECK(filled.matrix(0)(0, 1) == 5);
  }
}

/// The kernels of devices, on a host, by one thread a team and by two.
TEST_CASE_TEMPLATE("graphs of different orders: paths by teams", T, std::int16_t, std::int32_t, double) {
  Random random(4);
  const auto graphs = mixed(random, {3, 0, 16, 1, 33, 2, 7, 17, 8, 32, 5, 9});
  for (const int threads : {1, std::min(2, Host().concurrency())})
    for (const bool fewest : {false, true})
      for (const std::int32_t padded_to : {0, 40}) {
        const SolveWithPaths<T> solve = [&](const Batch<T>& batch, const blockfw::BatchPaths<Exec>& paths) {
          std::vector<std::int64_t> cycles(batch.orders().size());
          const std::size_t count = batch.entries().extent(0);
          const Kokkos::View<T*, Kokkos::HostSpace> weights("weights", count);
          const Kokkos::View<std::int32_t*, Kokkos::HostSpace> edges("edges", count);
          Kokkos::deep_copy(weights, batch.entries());
          using Team = blockfw::detail::TeamPaths<T, Host>;
          using Numbers = typename Team::Numbers;
          const blockfw::GraphBatch<T, Host> on_host(
              batch.orders(), padded_to, blockfw::detail::UnmanagedView<T*, Host>(batch.entries().data(), count));
          const Team team{blockfw::detail::SomeGraphs<T, Host>(Host(), on_host),
                          weights,
                          Numbers(paths.predecessors.data(), count),
                          Numbers(paths.next_hops.data(), count),
                          Numbers(fewest ? paths.hops.data() : edges.data(), count),
                          blockfw::detail::UnmanagedView<std::int64_t*, Host>(cycles.data(), cycles.size())};
          using S = blockfw::MinPlus<T>;
          if (fewest)
            blockfw::detail::close_by_teams<S, true>(Host(), team, threads);
          else
            blockfw::detail::close_by_teams<S, false>(Host(), team, threads);
          blockfw::detail::trace_by_teams<S>(Host(), team);
          return cycles;
        };
        check_paths<T>(graphs, padded_to, {true, true, fewest}, solve);
      }
}

TEST_CASE_TEMPLATE("graphs of different orders: other semirings", S, blockfw::MaxPlus<std::int32_t>,
                   blockfw::MaxMin<std::int32_t>, blockfw::MinMax<double>, blockfw::MaxTimes<double>) {
  using T = typename S::value_type;
  Random random(5);
  std::vector<Graph> graphs;
  std::vector<HostMatrix<T>> expected;
  for (const int n : {1, 5, 16, 33, 70, 2}) {
    graphs.push_back(Graph{n, {}});
    for (int i = 0; i < n; ++i)  // edges from smaller to larger vertices: no cycle
      for (int j = i + 1; j < n; ++j)
        if (uniform(random, 0, 2) == 0) graphs.back().edges.push_back({i, j, uniform(random, 1, 5)});
  }
  Filled<T> filled(graphs, 0, S::zero(), S::one()), with_paths(graphs, 0, S::zero(), S::one());
  for (std::size_t g = 0; g < graphs.size(); ++g) {
    const auto n = static_cast<std::size_t>(graphs[g].n);
    const HostMatrix<T> d("d", n, n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) d(i, j) = i == j ? S::one() : S::zero();
    for (const auto& e : edges_over<S>(graphs[g])) {
      d(e.from, e.to) = S::relax(d(e.from, e.to), e.weight, S::one());
      filled.matrix(g)(e.from, e.to) = with_paths.matrix(g)(e.from, e.to) = d(e.from, e.to);
    }
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
          if (d(i, k) != S::zero() && d(k, j) != S::zero()) d(i, j) = S::relax(d(i, j), d(i, k), d(k, j));
    expected.push_back(d);
  }
  const Shared before("before", with_paths.entries.extent(0)), hops("hops", before.extent(0));
  const auto weights = with_paths.entries;
  const Kokkos::View<T*, Kokkos::HostSpace> kept("kept", weights.extent(0));
  Kokkos::deep_copy(kept, weights);
  blockfw::batched_floyd_warshall<S>(Exec(), filled.batch);
  const auto cycles = blockfw::batched_floyd_warshall<S>(Exec(), with_paths.batch, {before, {}, hops});
  Kokkos::fence();
  for (std::size_t g = 0; g < graphs.size(); ++g) {
    CHECK(cycles[g] == no_vertex);
    const auto there = with_paths.numbers(before, g);
    const std::int64_t start = with_paths.batch.start(static_cast<std::int64_t>(g));
    const int n = graphs[g].n;
    int wrong = 0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        wrong += with_paths.matrix(g)(i, j) != expected[g](i, j);
        if (expected[g](i, j) != S::zero()) wrong += filled.matrix(g)(i, j) != expected[g](i, j);
        if (i == j || expected[g](i, j) == S::zero()) {
          wrong += there(i, j) != no_vertex;
          continue;
        }
        T length = S::one();
        int v = j, steps = 0;
        for (; v != i && v >= 0 && steps++ < n; v = there(i, v))
          length = S::relax(S::zero(), kept(start + there(i, v) * n + v), length);
        wrong += v != i || length != expected[g](i, j);
        wrong += hops(start + i * n + j) != steps;
      }
    CHECK(wrong == 0);
  }
}

TEST_CASE_TEMPLATE("graphs of different orders: sums that round have trees of predecessors, and hops count their edges",
                   T, float, double) {
  Random random(6);
  std::vector<Graph> graphs;
  for (int g = 0; g < 60; ++g) graphs.push_back(Graph{uniform(random, 2, 30), {}});
  for (const bool tiny : {false, true})
    for (const Wanted wanted : wanted_lists) {
      const Filled<T> filled(graphs, 0);
      for (std::size_t g = 0; g < graphs.size(); ++g)
        for (int i = 0; i < graphs[g].n; ++i)
          for (int j = 0; j < graphs[g].n; ++j) {
            if (i == j || uniform(random, 0, 3) > 0) continue;
            // Sums of tenths round. Tiny lengths vanish in sums with tenths.
            const bool vanishes = tiny && uniform(random, 0, 1) == 0;
            const auto length = static_cast<T>(uniform(random, vanishes ? 0 : 1, 9));
            filled.matrix(g)(i, j) = length * (vanishes ? T(1e-17) : T(0.1));
          }
      const std::size_t count = filled.entries.extent(0);
      const Kokkos::View<T*, Kokkos::HostSpace> weights("weights", count);
      Kokkos::deep_copy(weights, filled.entries);
      const Shared before("before", count), hops("hops", count), next("next", count);
      const auto cycles = blockfw::batched_floyd_warshall(
          Exec(), filled.batch,
          {if_wanted(wanted.before, before), if_wanted(wanted.next, next), if_wanted(wanted.hops, hops)});
      Kokkos::fence();
      if (!wanted.before) continue;
      int wrong = 0;
      for (std::size_t g = 0; g < graphs.size(); ++g) {
        const auto there = filled.numbers(before, g), steps = filled.numbers(hops, g), onward = filled.numbers(next, g);
        const int n = graphs[g].n;
        const std::int64_t start = filled.batch.start(static_cast<std::int64_t>(g));
        wrong += cycles[g] != no_vertex;
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < n; ++j) {
            const T d = filled.matrix(g)(i, j);
            if (i == j || !(d < blockfw::infinity<T>)) {
              wrong += there(i, j) != no_vertex;
              continue;
            }
            double length = 0;
            int v = j, edges = 0, last = j;
            for (; v != i && there(i, v) >= 0 && edges <= n; ++edges) {
              length += static_cast<double>(weights(start + there(i, v) * n + v));
              last = v;
              v = there(i, v);
            }
            wrong += v != i || std::abs(length - static_cast<double>(d)) > 1e-4 * (1 + length);
            wrong += (wanted.hops && steps(i, j) != edges) || (wanted.next && onward(i, j) != last);
          }
      }
      CHECK(wrong == 0);
      if constexpr (blockfw::is_host_space<Exec>)  // (edges_of_paths() must not write outside of its arrays)
        if (wanted.hops)
          blockfw::edges_of_paths(Exec(), filled.batch, {before, {}, hops}, {}, 4, Shared("edges", 4 * count));
    }
}

TEST_CASE("graphs of different orders: a sum that is no number any more is no path") {
  const auto check = [](auto semiring, double large) {
    using S = decltype(semiring);
    for (const bool with_hops : {false, true}) {
      const Filled<double> filled({Graph{3, {}}}, 0, S::zero(), S::one());
      filled.matrix(0)(0, 1) = filled.matrix(0)(1, 2) = large;
      const Shared before("before", 9), hops("hops", 9);
      blockfw::batched_floyd_warshall<S>(Exec(), filled.batch, {before, {}, if_wanted(with_hops, hops)});
      Kokkos::fence();
      CHECK(filled.matrix(0)(0, 2) == S::zero());
      CHECK(before(2) == no_vertex);
      if (with_hops) CHECK(hops(2) == no_vertex);
      CHECK(before(1) == 0);
    }
  };
  check(blockfw::MinPlus<double>(), 1e308);
  check(blockfw::MaxTimes<double>(), 1e-200);
}

TEST_CASE("graphs of different orders: the longest paths with the fewest edges") {
  Random random(9);
  std::vector<Graph> graphs, negated;
  for (const int n : {1, 6, 20, 40}) {
    Graph g{n, {}}, less{n, {}};
    for (int i = 0; i < n; ++i)
      for (int j = i + 1; j < n; ++j)
        if (uniform(random, 0, 2) == 0) {
          const int weight = uniform(random, -3, 3);
          g.edges.push_back({i, j, weight});
          less.edges.push_back({i, j, -weight});
        }
    graphs.push_back(g);
    negated.push_back(less);
  }
  using S = blockfw::MaxPlus<std::int32_t>;
  const Filled<std::int32_t> longest_ones(graphs, 0, S::zero()), shortest(negated, 0);
  for (std::size_t g = 0; g < graphs.size(); ++g)  // (fill() keeps the least of zero() and a weight)
    for (const auto& e : graphs[g].edges) longest_ones.matrix(g)(e.from, e.to) = static_cast<std::int32_t>(e.weight);
  const std::size_t count = shortest.entries.extent(0);
  const Shared of_longest("of_longest", count), of_shortest("of_shortest", count);
  blockfw::batched_floyd_warshall<S>(Exec(), longest_ones.batch, {{}, {}, of_longest});
  blockfw::batched_floyd_warshall(Exec(), shortest.batch, {{}, {}, of_shortest});
  Kokkos::fence();
  int wrong = 0;
  for (std::size_t e = 0; e < count; ++e)
    wrong += of_longest(e) != of_shortest(e) ||
             (shortest.entries(e) < blockfw::infinity<std::int32_t> && longest_ones.entries(e) != -shortest.entries(e));
  CHECK(wrong == 0);
}

TEST_CASE("rows of predecessors that lead in a circle are found, and found again from the distances") {
  // 0 -> 1 of length 1; between 1 and 2 edges of length 0.
  const std::int32_t circle[] = {no_vertex, 2, 1};
  std::int32_t before[3], next[3], edges[3];
  CHECK_FALSE(blockfw::detail::trace_row(3, 0, circle, next, edges));
  const int distances[] = {0, 1, 1};
  constexpr int none = blockfw::infinity<int>;
  const int weights[] = {0, 1, none, none, 0, 0, none, 0, 0};
  using Ints = blockfw::MinPlus<int>;
  std::int32_t reached[3];
  blockfw::detail::grow_row<Ints>(3, 0, distances, {weights, 3}, before, edges, reached);
  CHECK(before[0] == no_vertex);
  CHECK(before[1] == 0);
  CHECK(before[2] == 1);
  CHECK(blockfw::detail::trace_row(3, 0, before, next, edges));
  CHECK(next[2] == 1);
  CHECK(edges[2] == 2);
  // Sums of weights are not exactly the distances: the path with the least loss is taken.
  constexpr double far = blockfw::infinity<double>;
  const double rounded[] = {0, 1 + 1e-9, 2}, rough[] = {0, 1, 2.5, far, 0, 1, far, far, 0};
  blockfw::detail::grow_row<blockfw::MinPlus<double>>(3, 0, rounded, {rough, 3}, before, edges, reached);
  CHECK(before[1] == 0);
  CHECK(before[2] == 1);
  // Of several equally good paths the path with the fewest edges is taken. A vertex that is not reached has no path.
  const int no_way[] = {0, 0, 0, none};
  const int shortcut[] = {0, 0, 0, none, none, 0, 0, none, none, none, 0, none, 0, 0, 0, 0};
  std::int32_t four[4], more[4], seen[4];
  blockfw::detail::grow_row<Ints>(4, 0, no_way, {shortcut, 4}, four, more, seen);
  CHECK(four[2] == 0);
  CHECK(four[3] == no_vertex);
}

TEST_CASE_TEMPLATE("edges of paths", T, std::int32_t, double) {
  if constexpr (blockfw::is_host_space<Exec>) {
    Random random(7);
    const auto graphs = mixed(random, {5, 0, 12, 1, 30});
    for (const std::int32_t padded_to : {0, 31}) {
      const Filled<T> filled(graphs, padded_to);
      const std::size_t count = filled.entries.extent(0);
      const Shared before("before", count), hops("hops", count), numbers("numbers", count);
      const blockfw::BatchPaths<Exec> paths{before, {}, hops};
      blockfw::batched_floyd_warshall(Exec(), filled.batch, paths);
      std::iota(numbers.data(), numbers.data() + count, 0);
      for (const std::int64_t length : {0, 1, 3, 40}) {
        const Shared edges("edges", count * static_cast<std::size_t>(length));
        Kokkos::deep_copy(edges, 99);
        const bool own = length == 3;  // the numbers i · n + j
        blockfw::edges_of_paths(Exec(), filled.batch, paths, own ? Shared() : numbers, length, edges);
        int wrong = 0;
        for (std::size_t g = 0; g < graphs.size(); ++g) {
          const auto there = filled.numbers(before, g), steps = filled.numbers(hops, g),
                     number = filled.numbers(numbers, g);
          for (int i = 0; i < graphs[g].n; ++i)
            for (int j = 0; j < graphs[g].n; ++j) {
              std::vector<std::int32_t> expected;
              for (int v = j; v != i && steps(i, j) > 0; v = there(i, v))
                expected.push_back(own ? there(i, v) * graphs[g].n + v : number(there(i, v), v));
              std::reverse(expected.begin(), expected.end());
              expected.resize(static_cast<std::size_t>(length), -1);
              for (std::int64_t l = 0; l < length; ++l)
                wrong += edges(number(i, j) * length + l) != expected[static_cast<std::size_t>(l)];
            }
        }
        CHECK(wrong == 0);
      }
    }
  }
}

TEST_CASE("graphs of different orders: errors") {
  const Shared entries("entries", 13);
  using Int = Batch<std::int32_t>;
  CHECK(Int::entries_of({2, 0, 3}) == 13);
  CHECK_NOTHROW(Int({2, 0, 3}, entries));
  CHECK_THROWS_WITH_AS(Int({2, 0, 2}, entries), "the matrices of the batch have 13 entries, expected 8",
                       blockfw::InvalidInput);
  CHECK_THROWS_WITH_AS(Int({2, -1, 3}, entries), "graph 1 of the batch has -1 vertices, expected 0 or more",
                       blockfw::InvalidInput);
  CHECK_THROWS_WITH_AS(Int({2, 4}, 3, entries), "graph 1 of the batch has 4 vertices, expected 0 to 3",
                       blockfw::InvalidInput);
  CHECK_THROWS_WITH_AS(Int({2}, -1, entries), "the matrices of the batch are padded to -1 rows, expected 0 or more",
                       blockfw::InvalidInput);
  CHECK_THROWS_WITH_AS(Int({2}, Int::Entries(nullptr, 4)), "the batch of 1 graphs has no memory (null pointer)",
                       blockfw::InvalidInput);
  const Int batch({2, 0, 3}, entries);
  const Shared few("few", 12);
  CHECK_THROWS_WITH_AS(blockfw::batched_floyd_warshall(Exec(), batch, {few, {}, {}}),
                       "the predecessors of the batch have 12 entries, expected as many as the matrices, 13, or none",
                       blockfw::InvalidInput);
  CHECK_THROWS_WITH_AS(blockfw::batched_floyd_warshall(Exec(), batch, {{}, few, {}}),
                       "the next hops of the batch have 12 entries, expected as many as the matrices, 13, or none",
                       blockfw::InvalidInput);
  CHECK_THROWS_WITH_AS(
      blockfw::batched_floyd_warshall(Exec(), batch, {{}, {}, few}),
      "the numbers of edges of the batch have 12 entries, expected as many as the matrices, 13, or none",
      blockfw::InvalidInput);
  // Only a host finds the edges of paths.
  using Numbers = blockfw::BatchPaths<Host>::Numbers;
  std::vector<std::int32_t> list(13), edges(26);
  const Numbers all(list.data(), 13), to(edges.data(), 26);
  const blockfw::GraphBatch<std::int32_t, Host> of_host({2, 0, 3}, all);
  CHECK_THROWS_WITH_AS(blockfw::edges_of_paths(Host(), of_host, {all, {}, {}}, all, 2, to),
                       "the batch has no predecessors or no numbers of edges, expected both", blockfw::InvalidInput);
  CHECK_THROWS_WITH_AS(blockfw::edges_of_paths(Host(), of_host, {all, {}, all}, all, 3, to),
                       "the edges of the paths have 26 entries, expected 13 times 3", blockfw::InvalidInput);
  const Int nothing({}, Int::Entries());
  CHECK_NOTHROW(blockfw::batched_floyd_warshall(Exec(), nothing));
  CHECK(blockfw::batched_floyd_warshall(Exec(), nothing, blockfw::BatchPaths<Exec>()).empty());
  CHECK(blockfw::find_negative_cycles(Exec(), nothing).empty());
}
