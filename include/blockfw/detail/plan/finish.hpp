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

/// The work that is left for n vertices and edges of these weights.
template <Semiring S, class T = typename S::value_type>
Finish<S> finish_of([[maybe_unused]] std::int64_t n, [[maybe_unused]] WeightRange<T> range) {
  if constexpr (std::is_same_v<S, MinPlus<T>>) {
    if (!range.any_negative()) return {false, {}};
    if constexpr (std::is_integral_v<T>)
      return {true, longest_path(n, range)};
    else
      return {true, {}};
  } else {
    if constexpr (std::is_integral_v<T> && std::is_same_v<S, MaxPlus<T>>)
      if (!range.empty() && range.largest > 0)
        return {true, static_cast<T>(range.any_negative() ? (n - 1) * range.smallest : 0)};
    return {true, {}};
  }
}

/// Throws the semiring's error for a vertex on a cycle that diverges.
template <Semiring S>
[[noreturn]] void throw_cycle(std::int64_t vertex) {
  if constexpr (std::is_same_v<S, MinPlus<typename S::value_type>>)
    throw NegativeCycle(vertex);
  else
    throw DivergentCycle(vertex);
}
/// The same for an undirected edge that is such a cycle by itself.
template <Semiring S>
[[noreturn]] void throw_cycle(std::int64_t from, std::int64_t to) {
  if constexpr (std::is_same_v<S, MinPlus<typename S::value_type>>)
    throw NegativeCycle(from, to);
  else
    throw DivergentCycle(from, to);
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
/// Of floats it is negative by the rules of cycles.hpp, too: its length is -Σ|w|.
template <Semiring S, class T = typename S::value_type>
bool may_be_cycles([[maybe_unused]] const WeightRange<T>& range, [[maybe_unused]] Direction direction) {
  if constexpr (std::is_same_v<S, MinPlus<T>>)
    return direction == Direction::undirected && range.any_negative();
  else if constexpr (std::is_same_v<S, MaxPlus<T>>)
    return direction == Direction::undirected && !range.empty() && range.largest > 0;
  else
    return false;
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
  for (std::int64_t e = 0; e < static_cast<std::int64_t>(edges.extent(0)); ++e)
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
  using Vertices = Kokkos::View<std::int32_t*, typename ExecSpace::memory_space>;
  const auto there = [&](const std::vector<std::int32_t>& vertices) {
    const Vertices copy(Kokkos::view_alloc(exec, "blockfw::vertices"), vertices.size());
    const auto here = Kokkos::create_mirror_view(copy);
    std::copy(vertices.begin(), vertices.end(), here.data());
    copy_array(exec, copy, here);
    exec.fence("blockfw::vertices");
    return copy;
  };
  const Vertices of_rows = there(rows), of_columns = there(columns);
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
