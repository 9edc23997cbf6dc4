// What the benchmarks share: a graph, the clock, and the time of one solve.
#pragma once

#include <Kokkos_Core.hpp>
#include <Kokkos_Random.hpp>
#include <blockfw/apsp.hpp>
#include <blockfw/limit.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace bench {

using Exec = Kokkos::DefaultExecutionSpace;

template <class T>
using Matrix = blockfw::DistanceMatrix<T, Exec>;

/// A random graph in which one pair of eight has an edge.
template <class T>
Matrix<T> random_graph(std::int64_t n) {
  const auto order = static_cast<std::size_t>(n);
  const Matrix<T> weights(Kokkos::view_alloc("weights", Kokkos::WithoutInitializing), order, order);
  const Kokkos::Random_XorShift64_Pool<Exec> pool(1);
  Kokkos::parallel_for(
      "random_graph", Kokkos::RangePolicy<Exec>(0, order), KOKKOS_LAMBDA(const std::size_t i) {
        auto random = pool.get_state();
        for (std::size_t j = 0; j < order; ++j) {
          const auto weight = static_cast<T>(1 + random.urand(100));
          weights(i, j) = i == j ? T(0) : random.urand(8) == 0 ? weight : blockfw::infinity<T>;
        }
        pool.free_state(random);
      });
  return weights;
}

/// Seconds of the fastest of so many solves. (The fastest, for whatever else the machine does only slows.)
template <class TileShape, class T>
double best_time(const Matrix<T>& weights, int repetitions) {
  const Exec exec;
  const Matrix<T> d = blockfw::allocate_distances<T>(exec, weights.extent_int(0));
  double best = std::numeric_limits<double>::infinity();
  for (int r = 0; r < repetitions; ++r) {
    Kokkos::deep_copy(exec, d, weights);
    exec.fence();
    const Kokkos::Timer timer;
    blockfw::blocked_floyd_warshall<TileShape>(exec, d);
    exec.fence();
    best = std::min(best, timer.seconds());
  }
  return best;
}

/// Enough repetitions for about a second of work at so many relaxes a second, but no fewer than three.
inline int repetitions(std::int64_t n, double limit) {
  const double seconds = static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n) / limit;
  return static_cast<int>(std::clamp(1.0 / seconds, 3.0, 50.0));
}

}  // namespace bench
