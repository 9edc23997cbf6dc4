// SPDX-License-Identifier: MIT
/// \file
/// \brief A matrix of weights, read once: checked, its range found, and handed on.
#pragma once

#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace blockfw::detail {

/// The index of the first weight in row i, or in column i, that the semiring does not take; n if there is none.
template <Semiring S, class ExecSpace, class Matrix>
std::int64_t find_refused(const ExecSpace& exec, const Matrix& w, std::int64_t i, bool in_column) {
  const auto n = extent_along(w, 0);
  std::int64_t found = n;
  detail::reduce_range(
      "blockfw::find_refused", exec, 0, n,
      KOKKOS_LAMBDA(std::int64_t j, std::int64_t& first) {
        if (!is_weight<S>(in_column ? w(j, i) : w(i, j))) first = Kokkos::min(first, j);
      },
      Kokkos::Min<std::int64_t>(found));
  return std::min(found, n);
}

/// Throws the error for a weight in row i of a matrix, or else in column i, that the semiring does not take. (The
/// search is a separate function: nvcc accepts no lambda in a function that does not return.)
template <Semiring S, class ExecSpace, class Matrix>
[[noreturn]] void throw_refused(const ExecSpace& exec, const Matrix& w, std::int64_t i) {
  const std::int64_t j = find_refused<S>(exec, w, i, false);
  const bool in_row = j < extent_along(w, 0);
  const std::int64_t row = in_row ? i : find_refused<S>(exec, w, i, true), column = in_row ? j : i;
  const auto entry = Kokkos::subview(w, row, column);
  const auto there = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), entry);
  throw InvalidInput(refused_weight<S>("the matrix '" + w.label() + "' holds ", there(),
                                       " at (" + std::to_string(row) + ", " + std::to_string(column) + ")"));
}

/// A matrix of weights as solve() takes it. A weight that is zero(), or beyond it, is no edge. With undirected the
/// better of w(i, j) and w(j, i) counts. The diagonal is one() unless it is better.
template <Semiring S, class Matrix>
struct WeightsOf {
  using T = typename S::value_type;
  using non_const_value_type = T;
  Matrix w;
  Direction direction;

  KOKKOS_FORCEINLINE_FUNCTION T operator()(std::int64_t i, std::int64_t j) const {
    const T there = w(i, j), back = direction == Direction::undirected ? w(j, i) : there;
    return S::relax(i == j ? S::one() : S::zero(), S::relax(there, back, S::one()), S::one());
  }
  /// Whether a weight is NaN, or another that the semiring does not take.
  KOKKOS_FORCEINLINE_FUNCTION bool is_refused(std::int64_t i, std::int64_t j) const {
    const T there = w(i, j), back = direction == Direction::undirected ? w(j, i) : there;
    return !is_weight<S>(there) || !is_weight<S>(back);
  }
  KOKKOS_FUNCTION std::size_t extent(std::size_t side) const { return w.extent(side); }
};

struct IgnoreWeights {
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(std::int64_t, std::int64_t, T) const {}
};

/// \brief Reads rows of a matrix of weights once.
/// \param store  store(i, j, weight) is called for each entry
/// \param rows   the first row, and the end
/// \return the range of the weights
/// \throws InvalidInput with the position of a NaN, or of another weight that the semiring does not accept
template <Semiring S, class ExecSpace, class Weights, class Store, class T = typename S::value_type>
WeightRange<T> read_weights(const ExecSpace& exec, const Weights& weights, const Store& store,
                            const std::pair<std::int64_t, std::int64_t>& rows) {
  using Rows = Kokkos::TeamPolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>;
  const auto n = extent_along(weights, 0), first = rows.first;
  std::int64_t refused_row = n;
  WeightRange<T> range;
  reduce_teams(
      "blockfw::copy_weights", Rows(exec, static_cast<int>(rows.second - first), Kokkos::AUTO),
      KOKKOS_LAMBDA(const typename Rows::member_type& team, std::int64_t& first_refused, T& smallest, T& largest) {
        const std::int64_t i = first + team.league_rank();
        WeightsSeen<T> row;
        Kokkos::parallel_reduce(
            Kokkos::TeamVectorRange(team, n),
            [&](std::int64_t j, WeightsSeen<T>& seen) {
              const T weight = weights(i, j);
              store(i, j, weight);
              const bool is_edge = weight != S::zero(), off_diagonal = i != j, diverges = S::diverges(weight);
              seen.add(weight, is_edge & (off_diagonal | diverges), weights.is_refused(i, j));
            },
            Kokkos::Sum<WeightsSeen<T>>(row));
        Kokkos::single(Kokkos::PerTeam(team), [&] {
          if (row.refused > 0) first_refused = Kokkos::min(first_refused, i);
          smallest = Kokkos::min(smallest, row.smallest);
          largest = Kokkos::max(largest, row.largest);
        });
      },
      Kokkos::Min<std::int64_t>(refused_row), Kokkos::Min<T>(range.smallest), Kokkos::Max<T>(range.largest));
  if (refused_row < n) throw_refused<S>(exec, weights.w, refused_row);
  return range;
}

}  // namespace blockfw::detail
