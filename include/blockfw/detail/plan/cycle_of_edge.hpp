// SPDX-License-Identifier: MIT
/// \file
/// \brief Finds an edge of an undirected graph that is a cycle by itself: it leads there and back, and gets better each
/// time.
#pragma once

#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/detail/matrices/copies.hpp"
#include "blockfw/detail/plan/finish.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

namespace blockfw::detail {

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
