/// \file
/// \brief The one include of blockfw: solve() takes a graph or a matrix and gives all shortest distances.
///
/// \code
///   std::vector<blockfw::Edge<int>> edges = {{0, 1, 5}, {1, 2, 2}, {0, 2, 9}};
///   auto d = blockfw::solve(3, edges);   // d(0, 2) == 7; on a device, d is in its memory
/// \endcode
#pragma once

#include "blockfw/detail/memory.hpp"
#include "blockfw/edges.hpp"
#include "blockfw/error.hpp"
#include "blockfw/floyd_warshall.hpp"
#include "blockfw/matrix.hpp"
#include "blockfw/semiring.hpp"
#include "blockfw/tile.hpp"
#include "blockfw/weights.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <functional>
#include <ranges>
#include <string>
#include <type_traits>

namespace blockfw {

/// An n x n matrix of distances in the memory of a space: d(i, j) from i to j, infinity<T> without a path.
template <class T, class Space = Kokkos::DefaultExecutionSpace>
using DistanceMatrix = Kokkos::View<T**, Kokkos::LayoutRight, typename Space::memory_space>;

/// What solve() may be told.
struct SolveOptions {
  Direction direction = Direction::directed;
  /// Called as progress(rounds done, rounds in all) from the calling thread after each round, if set.
  std::function<void(std::int64_t, std::int64_t)> progress = {};
  /// Called once from the calling thread, if set, when all rounds are queued: while a device still works on them, if
  /// there is no progress to wait for.
  std::function<void()> meanwhile = {};
};

/// \brief Memory for the distances of n vertices, not yet filled.
/// \throws InvalidInput for n < 0; OutOfMemory when it does not fit, before it is allocated
template <Distance T, class ExecSpace>
DistanceMatrix<T, ExecSpace> allocate_distances(const ExecSpace& exec, std::int64_t n) {
  if (n < 0) throw InvalidInput("the number of vertices is " + std::to_string(n) + ", expected 0 or more");
  const double length = static_cast<double>(n);
  detail::require_memory(exec, "the distances of " + std::to_string(n) + " vertices", length * length * sizeof(T),
                         detail::workspace_bytes<T>(exec, n));
  const auto order = static_cast<std::size_t>(n);
  const DistanceMatrix<T, ExecSpace> d(Kokkos::view_alloc(exec, "blockfw::distances", Kokkos::WithoutInitializing),
                                       order, order);
  if constexpr (is_host_space<ExecSpace>) detail::prefer_large_pages(d.data(), d.size() * sizeof(T));
  return d;
}

/// \brief The edges where exec can reach them: as they are, or a copy in its memory, queued on exec.
///
/// \param edges  rank-1 view, to be kept until the copy is done
/// \throws OutOfMemory when the copy does not fit, before it is allocated
template <class ExecSpace, class Edges>
auto reachable_edges(const ExecSpace& exec, const Edges& edges) {
  if constexpr (Kokkos::SpaceAccessibility<ExecSpace, typename Edges::memory_space>::accessible) {
    return edges;
  } else {
    detail::require_memory(exec, std::to_string(edges.extent(0)) + " edges",
                           static_cast<double>(edges.extent(0)) * sizeof(typename Edges::value_type));
    const Kokkos::View<typename Edges::non_const_value_type*, typename ExecSpace::memory_space> there(
        Kokkos::view_alloc(exec, "blockfw::edges", Kokkos::WithoutInitializing), edges.extent(0));
    Kokkos::deep_copy(exec, there, edges);
    return there;
  }
}

/// \brief Solves, in place, a filled matrix whose range of weights is known, with all checks; fences exec.
///
/// solve() is allocate_distances(), reachable_edges(), fill_from_edges() and this.
///
/// \throws OverflowRisk  before the solve, when sums could overflow T
/// \throws NegativeCycle with a vertex on it
template <class ExecSpace, MatrixView View>
void solve_distances(const ExecSpace& exec, const View& d, WeightRange<typename View::value_type> range,
                     const SolveOptions& options = {}) {
  using T = typename View::value_type;
  const auto n = static_cast<std::int64_t>(d.extent(0));
  require_safe_sums(n, range);
  if (options.progress)
    blocked_floyd_warshall(exec, d, options.progress);
  else
    blocked_floyd_warshall(exec, d);
  if (options.meanwhile) options.meanwhile();
  if (range.any_negative()) {
    if (const auto vertex = find_negative_cycle(exec, d)) throw NegativeCycle(*vertex);
    if constexpr (std::is_integral_v<T>) mark_unreachable(exec, d, longest_path(n, range));
  }
  exec.fence("blockfw::solve");
}

/// \brief All shortest distances of the graph of n vertices with these edges.
///
/// Repeated edges keep the smallest weight, self loops are harmless, weights may be negative. (With float weights a
/// cycle of length zero may round to a negative one.)
///
/// \tparam T     type of the distances; the weights', W, if left out. int64_t for int32_t weights whose sums are large.
/// \param exec   the instance to run on; fenced on return
/// \param n      number of vertices
/// \param edges  rank-1 Kokkos view of Edge<W> that exec can reach
/// \throws InvalidInput, InvalidEdge  for bad arguments (a vertex out of range, a NaN)
/// \throws OutOfMemory                when the matrix does not fit, before it is allocated
/// \throws OverflowRisk               when sums could overflow T, before the solve
/// \throws NegativeCycle              with a vertex on it
///
/// n³ relaxes; memory n² elements, and on a device the edges and what blocked_floyd_warshall takes.
template <class T = void, class ExecSpace, class Edges>
  requires Kokkos::is_execution_space_v<ExecSpace> && Kokkos::is_view_v<Edges>
auto solve(const ExecSpace& exec, std::int64_t n, const Edges& edges, const SolveOptions& options = {}) {
  using W = decltype(Edges::non_const_value_type::weight);
  using Result = std::conditional_t<std::is_void_v<T>, W, T>;
  const auto d = allocate_distances<Result>(exec, n);
  const auto range = fill_from_edges(exec, d, edges, options.direction);
  solve_distances(exec, d, range, options);
  return d;
}

/// \brief The same for edges in a host container (std::vector, std::array, std::span).
template <class T = void, class ExecSpace, std::ranges::contiguous_range Edges>
  requires Kokkos::is_execution_space_v<ExecSpace> && (!Kokkos::is_view_v<Edges>)
auto solve(const ExecSpace& exec, std::int64_t n, const Edges& edges, const SolveOptions& options = {}) {
  return solve<T>(exec, n, reachable_edges(exec, detail::view_of(edges)), options);
}

/// \brief The same on the default execution space.
template <class T = void, class Edges>
  requires(!Kokkos::is_execution_space_v<Edges>)
auto solve(std::int64_t n, const Edges& edges, const SolveOptions& options = {}) {
  return solve<T>(Kokkos::DefaultExecutionSpace{}, n, edges, options);
}

/// \brief All shortest distances of the graph whose edge i → j has length w(i, j); infinity<T> or more is no edge.
///
/// w is left as it is. The diagonal counts as 0 unless it is negative.
///
/// \param w  square rank-2 view, any layout, that exec can reach
/// \throws as solve() of edges; InvalidInput names the place of a NaN
template <class ExecSpace, MatrixView Matrix>
  requires Kokkos::is_execution_space_v<ExecSpace>
DistanceMatrix<typename Matrix::non_const_value_type, ExecSpace> solve(const ExecSpace& exec, const Matrix& w,
                                                                       const SolveOptions& options = {}) {
  using T = typename Matrix::non_const_value_type;
  static_assert(Distance<T>, "blockfw: elements must be int16_t, int32_t, int64_t, float or double");
  static_assert(Kokkos::SpaceAccessibility<ExecSpace, typename Matrix::memory_space>::accessible,
                "blockfw: the matrix lies in a memory space that the execution space cannot reach");
  require_square(w);
  const auto n = static_cast<std::int64_t>(w.extent(0));
  const auto d = allocate_distances<T>(exec, n);
  const bool both_ways = options.direction == Direction::undirected;

  std::int64_t invalid = n * n;
  WeightRange<T> range;
  Kokkos::parallel_reduce(
      "blockfw::copy_weights", Kokkos::RangePolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>(exec, 0, n * n),
      KOKKOS_LAMBDA(std::int64_t e, std::int64_t& first_invalid, T& smallest, T& largest) {
        const std::int64_t i = e / n, j = e % n;
        const T there = w(i, j), back = both_ways ? w(j, i) : there;
        if (there != there || back != back) first_invalid = Kokkos::min(first_invalid, e);
        const T weight = Kokkos::min(Kokkos::min(there, back), i == j ? T(0) : infinity<T>);
        d(i, j) = weight;
        if (weight == infinity<T> || (i == j && !MinPlus<T>::diverges(weight))) return;
        smallest = Kokkos::min(smallest, weight);
        largest = Kokkos::max(largest, weight);
      },
      Kokkos::Min<std::int64_t>(invalid), Kokkos::Min<T>(range.smallest), Kokkos::Max<T>(range.largest));
  if (invalid < n * n)
    throw InvalidInput("the matrix '" + w.label() + "' holds NaN at (" + std::to_string(invalid / n) + ", " +
                       std::to_string(invalid % n) + "), expected a number or infinity");
  solve_distances(exec, d, range, options);
  return d;
}

/// \brief The same on the default execution space.
template <MatrixView Matrix>
auto solve(const Matrix& w, const SolveOptions& options = {}) {
  return solve(Kokkos::DefaultExecutionSpace{}, w, options);
}

}  // namespace blockfw
