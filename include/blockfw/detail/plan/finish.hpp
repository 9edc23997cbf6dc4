// SPDX-License-Identifier: MIT
/// \file
/// \brief The end of a solve, after its rounds. It is the same on one device, several devices, ranks and a file.
#pragma once

#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/detail/matrices/copies.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace blockfw::detail {

/// \brief The work that is left after the rounds.
template <Semiring S, class T = typename S::value_type>
struct Finish {
  bool cycles;             ///< whether a cycle may diverge, so that the diagonal must be checked
  std::optional<T> limit;  ///< entries beyond it stand for "no path" and must be marked so

  /// Marks the entries without a path among some distances on the host.
  void mark(T* distances, std::size_t count) const {
    if (!limit) return;
    constexpr T none = S::zero();
    for (std::size_t i = 0; i < count; ++i)
      if (none > T(0) ? distances[i] > *limit : distances[i] < *limit) distances[i] = none;
  }
  T marked(T distance) const {
    mark(&distance, 1);
    return distance;
  }
};

/// Whether an edge may make paths better: a negative edge of shortest paths, a positive edge of longest paths.
template <Semiring S, class T = typename S::value_type>
bool may_improve([[maybe_unused]] const WeightRange<T>& range) {
  if constexpr (std::is_same_v<S, MinPlus<T>>)
    return range.any_negative();
  else
    return std::is_same_v<S, MaxPlus<T>> && !range.empty() && range.largest > 0;
}

/// A lower bound of the lengths of paths of integers: n - 1 times the smallest weight, if that weight is negative.
template <std::integral T>
T shortest_path(std::int64_t n, const WeightRange<T>& range) {
  return static_cast<T>(range.any_negative() ? (n - 1) * range.smallest : 0);
}

/// The work that is left for n vertices and edges of these weights.
template <Semiring S, class T = typename S::value_type>
Finish<S> finish_of([[maybe_unused]] std::int64_t n, const WeightRange<T>& range) {
  constexpr bool shortest = std::is_same_v<S, MinPlus<T>>;
  Finish<S> finish{!shortest || may_improve<S>(range), {}};
  if constexpr (std::is_integral_v<T>)
    if (may_improve<S>(range)) finish.limit = shortest ? longest_path(n, range) : shortest_path(n, range);
  return finish;
}

/// Throws the semiring's error for a vertex on a cycle that diverges, or for both ends of an undirected edge that is
/// such a cycle by itself.
template <Semiring S, class... Vertices>
[[noreturn]] void throw_cycle(const Vertices&... vertices) {
  using Cycle = std::conditional_t<std::is_same_v<S, MinPlus<typename S::value_type>>, NegativeCycle, DivergentCycle>;
  throw Cycle(vertices...);
}

/// \brief Looks for a cycle that diverges, and marks the entries without a path.
///
/// \param find  find() returns a vertex on a cycle that diverges, if the diagonal of the matrix shows one
/// \param mark  mark(limit) calls mark_unreachable() for the whole matrix
/// \throws NegativeCycle, or DivergentCycle for another semiring than shortest paths
template <Semiring S, class Find, class Mark>
void finish_rounds(const Finish<S>& finish, const Find& find, const Mark& mark) {
  if (finish.cycles)
    if (const std::optional<std::int64_t> vertex = find()) throw_cycle<S>(*vertex);
  if (finish.limit) mark(*finish.limit);
}

/// \brief Whether an edge of these weights may be a cycle by itself.
///
/// Such a cycle of floats is negative by the rules of cycles.hpp, too: its length is -Σ|w|.
template <Semiring S, class T = typename S::value_type>
bool may_be_cycles(const WeightRange<T>& range, Direction direction) {
  return direction == Direction::undirected && may_improve<S>(range);
}

/// The first undirected edge that is a cycle by itself, among the edges that it sees.
template <Semiring S, class T = typename S::value_type>
class CycleOfEdge {
 public:
  void see(std::int64_t from, std::int64_t to, T weight) {
    if (from != to && S::diverges(weight)) first_ = std::min(first_, Ends(std::min(from, to), std::max(from, to)));
  }
  /// \throws NegativeCycle, for longest paths DivergentCycle, that name the edge
  void require_none() const {
    if (first_.first < none) throw_cycle<S>(first_.first, first_.second);
  }

 private:
  using Ends = std::pair<std::int64_t, std::int64_t>;
  static constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
  Ends first_{none, none};
};

/// \brief Looks for such an edge in a list on the host.
/// \throws NegativeCycle, for longest paths DivergentCycle
template <Semiring S, class Edges, class T = typename S::value_type>
void require_no_cycle_of_edge(const Edges& edges) {
  CycleOfEdge<S> found;
  for (std::int64_t e = 0; e < extent_along(edges, 0); ++e)
    found.see(edges(e).from, edges(e).to, static_cast<T>(edges(e).weight));
  found.require_none();
}
/// The same, if the range of the weights permits such an edge.
template <Semiring S, class Edges, class T = typename S::value_type>
void require_no_cycle_of_edge(const Edges& edges, const WeightRange<T>& range, Direction direction) {
  if (may_be_cycles<S>(range, direction)) require_no_cycle_of_edge<S>(edges);
}

/// \brief The first pair i < j of vertices whose entry is such an edge, as i·n + j; n² if there is none.
/// \param rows, columns  the vertices of the rows and columns of d
template <Semiring S, class ExecSpace, class View>
std::int64_t first_cycle_of_entry(const ExecSpace& exec, const View& d, const std::vector<std::int32_t>& rows,
                                  const std::vector<std::int32_t>& columns, std::int64_t n) {
  const auto of_rows = in_space(exec, rows), of_columns = in_space(exec, columns);
  const auto count = static_cast<std::int64_t>(columns.size());
  std::int64_t first = n * n;
  reduce_range(
      "blockfw::cycle_of_edge", exec, 0, static_cast<std::int64_t>(rows.size()),
      KOKKOS_LAMBDA(std::int64_t i, std::int64_t& least) {
        const std::int64_t from = of_rows(i);
        for (std::int64_t j = 0; j < count; ++j)
          if (from < of_columns(j) && S::diverges(d(i, j))) least = Kokkos::min(least, from * n + of_columns(j));
      },
      Kokkos::Min<std::int64_t>(first));
  return first;
}

/// Throws for first_cycle_of_entry(), unless there is none.
template <Semiring S>
void require_no_cycle_of_entry(std::int64_t first, std::int64_t n) {
  if (first < n * n) throw_cycle<S>(first / n, first % n);
}

}  // namespace blockfw::detail
