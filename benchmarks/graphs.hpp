// SPDX-License-Identifier: MIT
// Random graphs on the default execution space, the textbook's loops that solve them, and checksums of results.
#pragma once

#include <Kokkos_Core.hpp>
#include <blockfw/solve.hpp>

#include <cstdint>

namespace bench {

using Exec = Kokkos::DefaultExecutionSpace;
inline constexpr bool on_host = blockfw::is_host_space<Exec>;

template <class T>
using Matrix = blockfw::DistanceMatrix<T, Exec>;

/// A team for each row.
using Rows = Kokkos::TeamPolicy<Exec, Kokkos::IndexType<int>>;

/// A random number for each place, the same on all machines (splitmix64).
KOKKOS_INLINE_FUNCTION std::uint64_t random_at(std::uint64_t place) {
  std::uint64_t x = (place + 1) * 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/// Fills some rows of a random graph of n vertices, from vertex `first` on, in which one pair in `one_in` has an edge;
/// rows beyond n belong to the next graph. If symmetric, an edge is as long in both directions.
template <class View>
void fill_random(const Exec& exec, const View& d, std::int64_t first, unsigned one_in = 1, bool symmetric = false) {
  using T = typename View::value_type;
  const auto n = static_cast<std::int64_t>(d.extent(1));
  Kokkos::parallel_for(
      "random_graph", Rows(exec, static_cast<int>(d.extent(0)), Kokkos::AUTO),
      KOKKOS_LAMBDA(const Rows::member_type& team) {
        const std::int64_t row = team.league_rank(), i = first + row;
        Kokkos::parallel_for(Kokkos::TeamVectorRange(team, n), [&](const std::int64_t j) {
          const std::int64_t place = symmetric && j < i ? j * n + i : i * n + j;
          const std::uint64_t random = random_at(static_cast<std::uint64_t>(place));
          const auto length = static_cast<T>(1 + (random >> 32) % 100);
          d(row, j) = i % n == j ? T(0) : random % one_in == 0 ? length : blockfw::infinity<T>;
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

/// The textbook's loops on the first n rows and columns: all of them once for each pivot. Neighbouring threads have
/// neighbouring entries of a row, or of a column.
template <bool of_rows = true, class T>
void textbook(const Exec& exec, const Matrix<T>& d, std::int64_t n) {
  for (std::int64_t k = 0; k < n; ++k)
    Kokkos::parallel_for(
        "textbook", Rows(exec, static_cast<int>(n), Kokkos::AUTO), KOKKOS_LAMBDA(const Rows::member_type& team) {
          const std::int64_t along = team.league_rank();
          const T known = of_rows ? d(along, k) : d(k, along);
          Kokkos::parallel_for(Kokkos::TeamVectorRange(team, n), [&](const std::int64_t place) {
            const std::int64_t i = of_rows ? along : place, j = of_rows ? place : along;
            const T sum = static_cast<T>(known + (of_rows ? d(k, place) : d(place, k)));
            if (sum < d(i, j)) d(i, j) = sum;
          });
        });
}

/// A checksum of some rows, from vertex `first` on; a wrong entry very likely changes it.
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

}  // namespace bench
