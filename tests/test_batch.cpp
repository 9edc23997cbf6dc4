// SPDX-License-Identifier: MIT
// Batches of small graphs, each compared with the oracle.
#include "graphs.hpp"

#include "blockfw/batch.hpp"

namespace {

using Exec = Kokkos::DefaultExecutionSpace;

template <class T, class Layout = Kokkos::LayoutRight>
using SharedBatch = Kokkos::View<T***, Layout, Kokkos::SharedSpace>;

/// Solves the graphs, all of n vertices, and checks each; `batch` has room for them.
template <class Batch>
void check_batch(const Batch& batch, const std::vector<Graph>& graphs, int n) {
  using T = typename Batch::value_type;
  for (std::size_t g = 0; g < graphs.size(); ++g) fill(Kokkos::subview(batch, g, Kokkos::ALL, Kokkos::ALL), graphs[g]);
  const Exec exec;
  blockfw::batched_floyd_warshall(exec, batch);
  const auto cycles = blockfw::find_negative_cycles(exec, batch);
  if constexpr (std::is_integral_v<T>)
    blockfw::mark_unreachable(exec, batch, static_cast<T>((n - 1) * 2 * heaviest(n)));
  exec.fence();
  REQUIRE(cycles.size() == graphs.size());
  for (std::size_t g = 0; g < graphs.size(); ++g) {
    CAPTURE(g);
    const Answer answer(graphs[g], blockfw::Direction::directed);
    REQUIRE((cycles[g] >= 0) == answer.negative_cycle);
    if (answer.negative_cycle) {
      REQUIRE(cycles[g] < n);
      CHECK(oracle::on_negative_walk(answer.graph, static_cast<int>(cycles[g])));
    } else {
      CHECK(difference(Kokkos::subview(batch, g, Kokkos::ALL, Kokkos::ALL), answer.distances) == "");
    }
  }
}

template <class T, class Layout = Kokkos::LayoutRight>
void check_graphs(const std::vector<Graph>& graphs, int n) {
  const auto order = static_cast<std::size_t>(n);
  check_batch(SharedBatch<T, Layout>("batch", graphs.size(), order, order), graphs, n);
}

/// `count` graphs of n vertices that cycle through the families.
std::vector<Graph> mixed(Random& random, int n, std::size_t count) {
  std::vector<Graph> graphs;
  for (std::size_t g = 0; g < count; ++g) graphs.push_back(families[g % std::size(families)].make(random, n));
  return graphs;
}

}  // namespace

TEST_CASE_TEMPLATE("batches: all families and orders", T, ALL_TYPES) {
  Random random(1);
  for (const int n : {1, 2, 7, 8, 31, 32, 33, 63, 64, 65, 95, 96, 97, 100}) {
    CAPTURE(n);
    check_graphs<T>(mixed(random, n, std::size(families)), n);
  }
  for (const int n : {127, 128, 129, 200, 256}) {
    CAPTURE(n);
    check_graphs<T>({families[0].make(random, n), families[9].make(random, n), families[6].make(random, n)}, n);
  }
}

TEST_CASE_TEMPLATE("batches: any size", T, ALL_TYPES) {
  Random random(2);
  for (const std::size_t count : {0u, 1u, 3u, 100u})
    for (const int n : {5, 40}) {
      CAPTURE(count);
      CAPTURE(n);
      check_graphs<T>(mixed(random, n, count), n);
    }
  CHECK_NOTHROW(check_graphs<T>({Graph{0, {}}, Graph{0, {}}}, 0));
}

TEST_CASE("batches: graphs larger than every tile") {
  Random random(3);
  check_graphs<std::int32_t>({families[0].make(random, 300), families[10].make(random, 300)}, 300);
}

TEST_CASE_TEMPLATE("batches: any layout", T, std::int16_t, std::int32_t, double) {
  Random random(4);
  for (const int n : {7, 64, 70, 130}) {
    CAPTURE(n);
    const auto graphs = mixed(random, n, n < 100 ? std::size(families) : 2);
    const auto order = static_cast<std::size_t>(n);
    check_graphs<T, Kokkos::LayoutLeft>(graphs, n);
    const auto all = Kokkos::ALL;
    const auto middle = Kokkos::pair<std::size_t, std::size_t>(3, 3 + order);
    const SharedBatch<T> larger("larger", graphs.size(), order + 5, order + 6);
    Kokkos::deep_copy(larger, T(-77));
    check_batch(Kokkos::subview(larger, all, middle, middle), graphs, n);
    for (std::size_t g = 0; g < graphs.size(); ++g)
      for (std::size_t i = 0; i < order + 5; ++i)
        for (std::size_t j = 0; j < order + 6; ++j)
          if (i < 3 || j < 3 || i >= 3 + order || j >= 3 + order) REQUIRE(larger(g, i, j) == T(-77));
    // Contiguous columns, as in LayoutLeft, one graph after the other.
    const SharedBatch<T> there("there", graphs.size(), order, order);
    const SharedBatch<T, Kokkos::LayoutStride> columns(
        there.data(), Kokkos::LayoutStride(graphs.size(), order * order, order, 1, order, order));
    check_batch(columns, graphs, n);
  }
}

TEST_CASE_TEMPLATE("batches: a negative cycle leaves the other graphs correct, whatever its weight", T, std::int16_t,
                   std::int32_t, std::int64_t, float) {
  Random random(5);
  for (const int n : {2, 16, 64, 90, 128}) {
    CAPTURE(n);
    std::vector<Graph> graphs;
    for (int g = 0; g < 12; ++g) {
      graphs.push_back(complete(random, n, heaviest(n)));
      if (g % 3 != 1) continue;
      for (auto& e : graphs.back().edges) e.weight = -heaviest(n);
    }
    check_graphs<T>(graphs, n);
  }
}

TEST_CASE("batches: matrices that are not square, and null pointers, are refused") {
  using Batch = Kokkos::View<int***, Kokkos::LayoutRight, Exec::memory_space>;
  const Exec exec;
  CHECK_THROWS_WITH_AS(blockfw::batched_floyd_warshall(exec, Batch("trips", 5, 3, 4)),
                       "the graphs of the batch 'trips' have matrices of 3 rows and 4 columns, expected square ones",
                       blockfw::InvalidInput);
  CHECK_THROWS_WITH_AS(blockfw::find_negative_cycles(exec, Batch("trips", 5, 3, 4)),
                       "the graphs of the batch 'trips' have matrices of 3 rows and 4 columns, expected square ones",
                       blockfw::InvalidInput);
  using Foreign = Kokkos::View<int***, Kokkos::LayoutRight, Exec::memory_space, Kokkos::MemoryUnmanaged>;
  CHECK_THROWS_WITH_AS(blockfw::batched_floyd_warshall(exec, Foreign(nullptr, 5, 3, 3)),
                       "the batch '' of 5 graphs of 3 vertices has no memory (null pointer)", blockfw::InvalidInput);
  CHECK_NOTHROW(blockfw::batched_floyd_warshall(exec, Foreign(nullptr, 0, 3, 3)));
  CHECK_NOTHROW(blockfw::batched_floyd_warshall(exec, Foreign(nullptr, 5, 0, 0)));
}
