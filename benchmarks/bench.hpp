// What the benchmarks share: a graph, the clock, the time of one solve, and the textbook's loops on a device.
#pragma once

#include <Kokkos_Core.hpp>
#include <blockfw/apsp.hpp>
#include <blockfw/limit.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace bench {

using Exec = Kokkos::DefaultExecutionSpace;
inline constexpr bool on_host = blockfw::is_host_space<Exec>;

template <class T>
using Matrix = blockfw::DistanceMatrix<T, Exec>;

/// A team for each row.
using Rows = Kokkos::TeamPolicy<Exec, Kokkos::IndexType<int>>;

/// A random number for each place, the same wherever it is worked out (splitmix64).
KOKKOS_INLINE_FUNCTION std::uint64_t random_at(std::uint64_t place) {
  std::uint64_t x = (place + 1) * 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/// Fills some rows of a random graph of n vertices, from vertex `first` on, in which one pair of so many has an edge.
template <class View>
void fill_random(const Exec& exec, const View& d, std::int64_t first, unsigned one_in = 1) {
  using T = typename View::value_type;
  const auto n = static_cast<std::int64_t>(d.extent(1));
  Kokkos::parallel_for(
      "random_graph", Rows(exec, static_cast<int>(d.extent(0)), Kokkos::AUTO),
      KOKKOS_LAMBDA(const Rows::member_type& team) {
        const std::int64_t row = team.league_rank(), i = first + row;
        Kokkos::parallel_for(Kokkos::TeamVectorRange(team, n), [&](const std::int64_t j) {
          const std::uint64_t random = random_at(static_cast<std::uint64_t>(i * n + j));
          const auto length = static_cast<T>(1 + (random >> 32) % 100);
          d(row, j) = i == j ? T(0) : random % one_in == 0 ? length : blockfw::infinity<T>;
        });
      });
}

template <class T>
Matrix<T> random_graph(std::int64_t n, unsigned one_in = 1) {
  const auto d = blockfw::allocate_distances<T>(Exec{}, n);
  fill_random(Exec{}, d, 0, one_in);
  return d;
}

/// The same graph with all weights times a factor.
template <class T>
Matrix<T> scaled(const Matrix<T>& weights, T factor) {
  const auto result = blockfw::allocate_distances<T>(Exec{}, weights.extent_int(0));
  const std::int64_t n = weights.extent_int(0);
  Kokkos::parallel_for(
      "scale", Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(Exec{}, 0, n * n),
      KOKKOS_LAMBDA(std::int64_t e) { result(e / n, e % n) = factor * weights(e / n, e % n); });
  return result;
}

/// What a device does without blocks and tiles: all of d, once for each pivot.
template <class T>
void textbook_floyd_warshall(const Exec& exec, const Matrix<T>& d) {
  const std::int64_t n = d.extent_int(0);
  for (std::int64_t k = 0; k < n; ++k)
    Kokkos::parallel_for(
        "textbook", Rows(exec, static_cast<int>(n), Kokkos::AUTO), KOKKOS_LAMBDA(const Rows::member_type& team) {
          const std::int64_t i = team.league_rank();
          Kokkos::parallel_for(Kokkos::TeamVectorRange(team, n), [&](const std::int64_t j) {
            const T sum = static_cast<T>(d(i, k) + d(k, j));
            if (sum < d(i, j)) d(i, j) = sum;
          });
        });
}

/// Seconds of the fastest of so many calls, each of which something is prepared for. (The fastest, for whatever else
/// the machine does only slows.)
template <class Prepare, class Call>
double best_of(int repetitions, const Prepare& prepare, const Call& call) {
  double best = std::numeric_limits<double>::infinity();
  for (int r = 0; r < repetitions; ++r) {
    prepare();
    Exec().fence();
    const Kokkos::Timer timer;
    call();
    Exec().fence();
    best = std::min(best, timer.seconds());
  }
  return best;
}

/// Of so many solves.
template <class T, class Solve>
double best_time(const Matrix<T>& weights, int repetitions, const Solve& solve) {
  const Exec exec;
  const Matrix<T> d = blockfw::allocate_distances<T>(exec, weights.extent_int(0));
  return best_of(repetitions, [&] { Kokkos::deep_copy(exec, d, weights); }, [&] { solve(exec, d); });
}

/// The library's, with a tile.
template <class TileShape, class T>
double best_time(const Matrix<T>& weights, int repetitions) {
  return best_time(weights, repetitions,
                   [](const Exec& exec, const Matrix<T>& d) { blockfw::blocked_floyd_warshall<TileShape>(exec, d); });
}

/// A sum over some rows, from vertex `first` on, that no wrong entry is likely to leave as it is.
template <class AnyExec, class View>
std::uint64_t checksum(const AnyExec& exec, const View& d, std::int64_t first = 0) {
  const auto n = static_cast<std::int64_t>(d.extent(1)), entries = static_cast<std::int64_t>(d.extent(0)) * n;
  std::uint64_t sum = 0;
  Kokkos::parallel_reduce(
      "checksum", Kokkos::RangePolicy<AnyExec, Kokkos::IndexType<std::int64_t>>(exec, 0, entries),
      KOKKOS_LAMBDA(std::int64_t e, std::uint64_t& part) {
        part += static_cast<std::uint64_t>(d(e / n, e % n)) * random_at(static_cast<std::uint64_t>(first * n + e));
      },
      sum);
  return sum;
}

/// What a solve took, at best, and what came out.
struct Result {
  double seconds = std::numeric_limits<double>::infinity();
  std::uint64_t sum = 0;
};

/// The solver for one device, which holds all of a random graph; besides a first solve, which warms up.
template <class T>
Result solve_in_memory(std::int64_t n, int repetitions) {
  Result result;
  const Exec exec;
  const auto d = blockfw::allocate_distances<T>(exec, n);
  for (int r = 0; r <= repetitions; ++r) {
    fill_random(exec, d, 0);
    exec.fence();
    const Kokkos::Timer timer;
    blockfw::blocked_floyd_warshall(exec, d);
    exec.fence();
    if (r > 0) result.seconds = std::min(result.seconds, timer.seconds());
  }
  result.sum = checksum(exec, d);
  return result;
}

/// How many relaxes a solve takes.
inline double relaxes(std::int64_t n) {
  const auto order = static_cast<double>(n);
  return order * order * order;
}

/// Enough repetitions for about a second of work at so many relaxes a second, but no fewer than three.
inline int repetitions(std::int64_t n, double limit) {
  return static_cast<int>(std::clamp(limit / relaxes(n), 3.0, 50.0));
}

}  // namespace bench
