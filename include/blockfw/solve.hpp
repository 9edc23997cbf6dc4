// SPDX-License-Identifier: MIT
/// \file
/// \brief solve() takes a graph or a matrix and returns all shortest distances.
#pragma once

#include "blockfw/detail/backend/compiled.hpp"
#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/elimination/place.hpp"
#include "blockfw/detail/kernel/rounds.hpp"
#include "blockfw/detail/matrices/copies.hpp"
#include "blockfw/detail/matrices/edge_entries.hpp"
#include "blockfw/detail/matrices/packed_rows.hpp"
#include "blockfw/detail/matrices/read_weights.hpp"
#include "blockfw/detail/plan/finish.hpp"
#include "blockfw/detail/plan/narrow.hpp"
#include "blockfw/detail/plan/potentials.hpp"
#include "blockfw/detail/plan/recipe.hpp"
#include "blockfw/edges.hpp"
#include "blockfw/floyd_warshall.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"
#include "blockfw/sparse.hpp"

#include <Kokkos_Core.hpp>

#include <concepts>
#include <cstdint>
#include <optional>
#include <ranges>
#include <span>
#include <type_traits>
#include <vector>

namespace blockfw {

namespace detail {

/// \brief Solves d in a narrower type, within the memory of d. The rows or columns of d must be contiguous, and the
/// infinity of the type must exceed every finite distance. Queued on exec.
template <class Small, class ExecSpace, class View>
void solve_narrower(const ExecSpace& exec, const View& d, Direction direction, const Progress& progress) {
  const auto wide = matrix_ref<ExecSpace>(d);
  solve_matrix<TunedTile, MinPlus<Small>>(exec, pack_matrix<Small>(exec, wide), direction, progress);
  convert_rows<false, Small>(exec, wide);
}

/// The steps of solve_filled() for a matrix on one instance.
template <Semiring S, class ExecSpace, class View, class T = typename S::value_type>
struct StepsOnInstance {
  const ExecSpace& exec;
  const View& d;
  const WeightRange<T>& range;
  std::int64_t n = extent_along(d, 0);

  bool undirected(Direction direction) const { return direction == Direction::undirected; }
  std::int64_t first_cycle_of_entry() const {
    const auto all = vertices_from(0, n);
    return detail::first_cycle_of_entry<S>(exec, d, all, all, n);
  }
  auto guard(const WeightRange<T>& weights, bool strict) const { return guard_of<S>(exec, d, weights, strict, true); }
  bool half_pays([[maybe_unused]] Direction direction) const {
    if constexpr (is_commutative<S>)
      return n >= half_from<ExecSpace> && (direction == Direction::undirected || is_symmetric(exec, d));
    return false;
  }
  int rounds(const TaskOptions& task, bool, [[maybe_unused]] bool narrow) const {
    using Types = Ladder<S, is_host_space<ExecSpace>>;
    const auto m = matrix_ref<ExecSpace>(d);
    int bits = 8 * int(sizeof(T));
    if constexpr (Types::any)
      if (narrow && n >= narrow_from<ExecSpace> && !range.any_negative() && m.stride(1) == 1 &&
          Types::take(distance_bound(exec, d, range, Types::limits()), [&]<class Small>(Small) {
            bits = 8 * int(sizeof(Small));
            solve_narrower<Small>(exec, d, task.direction, task.progress);
            return true;
          }))
        return bits;
    solve_matrix<TunedTile, S>(exec, m, task.direction, task.progress);
    return bits;
  }
  std::optional<std::int64_t> vertex_on_cycle() const { return find_negative_cycle<S>(exec, d); }
  void mark_unreachable(T limit) const { blockfw::mark_unreachable<S>(exec, d, limit); }
  void fence() const { exec.fence("blockfw::solve"); }
};

}  // namespace detail

/// \brief Solves, in place and with all checks, a filled matrix whose range of weights is known. Fences exec.
///
/// solve() is allocate_distances(), reachable_edges(), fill_from_edges() and this function. Integer shortest distances
/// that are known to fit fewer bits are solved in fewer bits (see detail/plan/narrow.hpp). This is done within the
/// matrix's own memory, if its rows or columns are contiguous. A symmetric matrix takes half the work.
///
/// \tparam Over     the semiring; if left out, shortest paths
/// \param exec     the instance to run on
/// \param d        square rank-2 view of any layout that exec can reach; S::zero() is no edge
/// \param range    the result of fill_from_edges()
/// \param options  as in solve(). direction: undirected only if the matrix is known to be symmetric; entries below its
///                 diagonal are then not read.
/// \throws InvalidInput   for Method::sparse, since a matrix is solved by the dense method
/// \throws OverflowRisk   before the solve, when sums could overflow T
/// \throws NegativeCycle  with a vertex on the cycle; for other semirings than shortest paths, DivergentCycle
template <class Over = void, class ExecSpace, MatrixView View>
void solve_distances(const ExecSpace& exec, const View& d, WeightRange<typename View::value_type> range,
                     const SolveOptions& options = {}) {
  using T = typename View::value_type;
  using S = semiring_of<Over, T>;
  detail::require_dense(options, "for a matrix");
  detail::solve_filled<S>(detail::StepsOnInstance<S, ExecSpace, View>{exec, d, range}, detail::extent_along(d, 0),
                          range, options);
}

/// \brief The choice of solve(): the structure of the graph if elimination is to find its distances.
/// \tparam ExecSpace  where the distances are to be
/// \param n           number of vertices
/// \param edges       host container of edges
/// \param direction   undirected only if ⊗ is commutative, too, as the dense method then does half the work
/// \param method      sparse: elimination always; automatic: elimination if it costs less than the dense method
/// \throws as SparseAnalysis
template <class ExecSpace, std::ranges::contiguous_range Edges>
std::optional<SparseAnalysis> analysis_if_sparse(std::int64_t n, const Edges& edges, Direction direction,
                                                 Method method) {
  if (!detail::may_be_sparse<ExecSpace>(n, std::ranges::size(edges), method)) return {};
  if (method == Method::sparse) return SparseAnalysis(n, edges);
  const bool half = direction == Direction::undirected && n >= detail::half_from<ExecSpace>;
  auto analysis = SparseAnalysis::within(detail::order_limits<ExecSpace>(n, half), n, edges);
  if (analysis && detail::sparse_cost<ExecSpace>(n, analysis->factor_relaxes(), analysis->solve_relaxes()) >
                      detail::dense_relaxes(n, half))
    analysis.reset();
  return analysis;
}

namespace detail {

/// \brief Solves a graph by elimination, if elimination is requested, or is cheaper.
/// \param edges  on the host
/// \param into   memory of n x n distances. If it is a null pointer, the memory is allocated.
/// \return the distances, or nothing if the dense method is to be used
template <Semiring S, class ExecSpace, class W>
std::optional<DistanceMatrix<typename S::value_type, ExecSpace>> solve_sparse(
    const ExecSpace& exec, std::int64_t n, const std::span<const Edge<W>>& edges, const SolveOptions& options,
    const DistanceMatrix<typename S::value_type, ExecSpace>& into = {}) {
  using T = typename S::value_type;
  using Matrix = DistanceMatrix<T, ExecSpace>;
  const bool allocates = into.data() == nullptr;
  if (allocates) require_distances<T>(exec, n);
  const auto direction = is_commutative<S> ? options.direction : Direction::directed;
  SolveReport report{.bits = 8 * int(sizeof(T)), .method = Method::sparse};
  Kokkos::Timer timer;
  const auto lap = [&] {
    const double seconds = timer.seconds();
    timer.reset();
    return seconds;
  };
  auto result =
      eliminated_if_it_fits(n, std::vector{exec}, options, [&](const SolveOptions& watched) -> std::optional<Matrix> {
        const auto analysis = analysis_if_sparse<ExecSpace>(n, edges, direction, watched.method);
        report.analysis_seconds = lap();
        if (options.report != nullptr) options.report->analysis_seconds = report.analysis_seconds;
        if (!analysis) return {};
        const Matrix d = allocates ? allocate_distances<T>(exec, n) : into;
        lap();
        Progress of_factor, of_solve;
        if (watched.progress) {
          of_factor = [&](std::int64_t done, std::int64_t) { watched.progress(done, 2 * n); };
          of_solve = [&](std::int64_t done, std::int64_t all) { watched.progress(n + n * done / all, 2 * n); };
        }
        const SparseFactor<S, ExecSpace> factor(exec, *analysis, edges,
                                                {watched.direction, of_factor, watched.strict_cycles});
        report.factor_seconds = lap();
        factor.solve(d, of_solve);
        report.solve_seconds = lap();
        report.half = factor.is_symmetric();
        report.dense_relaxes = dense_relaxes(n, report.half);
        report.factor_relaxes = analysis->factor_relaxes();
        report.solve_relaxes = analysis->solve_relaxes();
        report.relaxes = report.factor_relaxes + report.solve_relaxes;
        report.separator = analysis->widest();
        return d;
      });
  if (result) report_queued(options, report);
  return result;
}

/// \brief Solves a graph by the dense method.
/// \param edges  the edges, as fill_from_edges() takes them
/// \param into   as for solve_sparse()
template <Semiring S, class ExecSpace, class Edges>
DistanceMatrix<typename S::value_type, ExecSpace> solve_dense(
    const ExecSpace& exec, std::int64_t n, const Edges& edges, const SolveOptions& options,
    const DistanceMatrix<typename S::value_type, ExecSpace>& into = {}) {
  const auto d = into.data() == nullptr ? allocate_distances<typename S::value_type>(exec, n) : in_large_pages(into);
  const auto range = fill_from_edges<S>(exec, d, edges, {.direction = options.direction});
  solve_distances<S>(exec, d, range, options);
  return d;
}

/// solve() of a view that exec can reach.
template <Semiring S, class ExecSpace, EdgeView Edges>
DistanceMatrix<typename S::value_type, ExecSpace> solve_view(const ExecSpace& exec, std::int64_t n, const Edges& edges,
                                                             const SolveOptions& options) {
  using W = decltype(Edges::non_const_value_type::weight);
  if (options.report != nullptr) *options.report = {};
  if (may_be_sparse<ExecSpace>(n, edges.extent(0), options.method)) {
    const auto on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, edges);
    if (on_host.span_is_contiguous()) {
      const std::span<const Edge<W>> there(on_host.data(), on_host.extent(0));
      if (const auto d = solve_sparse<S>(exec, n, there, options)) return *d;
    } else if (options.method == Method::sparse) {
      throw InvalidInput("the view of edges '" + edges.label() + "' is not contiguous, which Method::sparse expects");
    }
  }
  return solve_dense<S>(exec, n, edges, options);
}

/// The same for edges in the host's memory. (Its result type is named, so a library can hold it; see
/// detail/backend/compiled.hpp.)
/// \param into  as for solve_sparse()
template <Semiring S, class ExecSpace, class W>
DistanceMatrix<typename S::value_type, ExecSpace> solve_edges(
    const ExecSpace& exec, std::int64_t n, const std::span<const Edge<W>>& edges, const SolveOptions& options,
    const DistanceMatrix<typename S::value_type, ExecSpace>& into = {}) {
  if (options.report != nullptr) *options.report = {};
  if (may_be_sparse<ExecSpace>(n, edges.size(), options.method))
    if (const auto d = solve_sparse<S>(exec, n, edges, options, into)) return *d;
  return solve_dense<S>(exec, n, reachable_edges(exec, view_of(edges)), options, into);
}

}  // namespace detail

/// \brief All shortest distances of the graph of n vertices with these edges.
///
/// Repeated edges keep the smallest weight, self loops are harmless, and weights may be negative. Among floats,
/// infinity is no edge (docs/weights.md). A cycle of float weights is negative if its length is negative by more than
/// rounding explains; see SolveOptions::strict_cycles.
///
/// \tparam Over  type of the distances. If left out, the type W of the weights. Use int64_t for int32_t weights whose
///               sums are large. Over may also be a semiring, for example MaxMin<float>. Then the result is the ⊕ of
///               all paths, and ⊕ combines repeated edges, which keeps the best weight.
/// \param exec   the instance to run on; fenced on return
/// \param n      number of vertices
/// \param edges  host container (std::vector, std::array, std::span) of Edge<W>, or rank-1 view that exec can reach
/// \param options  direction, fewer bits, progress, report
/// \return an n x n DistanceMatrix in the memory of exec
/// \throws InvalidInput, InvalidEdge  for bad arguments (a vertex out of range, a NaN, a float weight of -infinity)
/// \throws OutOfMemory                when the matrix does not fit, before it is allocated
/// \throws OverflowRisk               when sums could overflow T, before the solve
/// \throws NegativeCycle              with a vertex on it; if an undirected edge is negative, with its ends
///
/// n³ relaxes. Memory: n² elements, and on a device the edges and the memory of blocked_floyd_warshall.
template <class Over = void, class ExecSpace, EdgeList Edges>
  requires Kokkos::is_execution_space_v<ExecSpace>
auto solve(const ExecSpace& exec, std::int64_t n, const Edges& edges, const SolveOptions& options = {}) {
  using W = detail::WeightOf<Edges>;
  using S = semiring_of<Over, W>;
  if constexpr (Kokkos::is_view_v<Edges>)
    return detail::solve_view<S>(exec, n, edges, options);
  else
    return detail::solve_edges<S>(exec, n, std::span<const Edge<W>>(edges), options);
}

/// \brief The same for edges in a host container, into the caller's memory.
/// \param exec     the instance to run on; fenced on return
/// \param d        n x n view with contiguous rows, in the memory of exec. Its content does not matter. On a host,
///                 pages that nothing has touched are asked for as large ones.
/// \param edges    host container of edges, in the type of d or a narrower one
/// \param options  direction, method, fewer bits, progress, report
/// \throws as solve(), and InvalidInput when d is not square. When it throws, d is unspecified.
template <class Over = void, class ExecSpace, Distance T, std::ranges::contiguous_range Edges>
  requires Kokkos::is_execution_space_v<ExecSpace>
void solve_into(const ExecSpace& exec,
                const Kokkos::View<T**, Kokkos::LayoutRight, typename ExecSpace::memory_space>& d, const Edges& edges,
                const SolveOptions& options = {}) {
  using W = decltype(std::ranges::range_value_t<Edges>::weight);
  using S = semiring_of<Over, T>;
  matrix_ref<ExecSpace>(d);  // throws unless d is square
  detail::solve_edges<S>(exec, detail::extent_along(d, 0), std::span<const Edge<W>>(edges), options, d);
}

/// Refused at compile time: an argument that is no list of edges.
template <class Over = void, class ExecSpace, class Edges>
  requires Kokkos::is_execution_space_v<ExecSpace> && (!EdgeList<Edges>)
DistanceMatrix<std::int32_t, ExecSpace> solve(const ExecSpace&, std::int64_t, const Edges&, const SolveOptions& = {}) {
  detail::require_edges<Edges>();
  return {};
}

/// \brief The same on the default execution space.
template <class Over = void, class Edges>
  requires(!Kokkos::is_execution_space_v<Edges>)
auto solve(std::int64_t n, const Edges& edges, const SolveOptions& options = {}) {
  return solve<Over>(detail::default_instance<Kokkos::DefaultExecutionSpace>(), n, edges, options);
}

/// \brief All shortest distances of the graph whose edge i → j has length w(i, j). A length of infinity<T> or more is
/// no edge.
///
/// w is not changed. The diagonal counts as 0 unless it is negative. For another semiring S, S::zero() means no edge,
/// and the diagonal counts as S::one() unless it diverges.
///
/// \tparam Over  the semiring; if left out, shortest paths
/// \param exec     the instance to run on; fenced on return
/// \param w        square rank-2 view of any layout that exec can reach
/// \param options  direction, fewer bits, progress, report. The method is dense.
/// \throws as solve() of edges. InvalidInput names the position of a NaN or -infinity, and is also thrown for
///         Method::sparse.
template <class Over = void, class ExecSpace, MatrixView Matrix>
  requires Kokkos::is_execution_space_v<ExecSpace>
DistanceMatrix<typename Matrix::non_const_value_type, ExecSpace> solve(const ExecSpace& exec, const Matrix& w,
                                                                       const SolveOptions& options = {}) {
  using T = typename Matrix::non_const_value_type;
  using S = semiring_of<Over, T>;
  static_assert(std::is_same_v<T, typename S::value_type>,
                "blockfw: the matrix's elements are not of the semiring's type");
  static_assert(Distance<T>, "blockfw: elements must be int16_t, int32_t, int64_t, float or double");
  require_reachable<ExecSpace, Matrix>();
  require_square(w);
  detail::require_dense(options, "for a matrix");
  const auto n = detail::extent_along(w, 0);
  const auto d = allocate_distances<T>(exec, n);
  const auto range = detail::read_weights<S>(exec, detail::WeightsOf<S, Matrix>{w, options.direction},
                                             detail::CopyTo<decltype(d)>{d}, {0, n});
  solve_distances<S>(exec, d, range, options);
  return d;
}

/// \brief The same on the default execution space.
template <class Over = void, MatrixView Matrix>
auto solve(const Matrix& w, const SolveOptions& options = {}) {
  return solve<Over>(detail::default_instance<Kokkos::DefaultExecutionSpace>(), w, options);
}

/// Refused at compile time: an argument that is no matrix.
template <class Over = void, class View>
  requires Kokkos::is_view_v<View> && (!MatrixView<View>)
DistanceMatrix<std::int32_t> solve(const View&, const SolveOptions& = {}) {
  static_assert(View::rank() == 2, "blockfw: a matrix of weights must be a view of rank 2");
  return {};
}
template <class Over = void, std::floating_point N, class Edges>
DistanceMatrix<std::int32_t> solve(N, const Edges&, const SolveOptions& = {}) {
  static_assert(std::is_integral_v<N>, "blockfw: the number of vertices must be an integer");
  return {};
}  ///< Refused at compile time: a number of vertices that is not whole.

}  // namespace blockfw

/// Instances of both methods: the solve of a filled matrix, the elimination of a graph, and the choice between them.
#define BLOCKFW_COMPILED_SOLVE(LINKAGE, S)                                                                       \
  LINKAGE template void blockfw::solve_distances<S>(                                                             \
      const blockfw::detail::compiled::Exec&,                                                                    \
      const blockfw::DistanceMatrix<blockfw::detail::compiled::Value<S>, blockfw::detail::compiled::Exec>&,      \
      blockfw::WeightRange<blockfw::detail::compiled::Value<S>>, const blockfw::SolveOptions&);                  \
  LINKAGE template std::optional<                                                                                \
      blockfw::DistanceMatrix<blockfw::detail::compiled::Value<S>, blockfw::detail::compiled::Exec>>             \
  blockfw::detail::solve_sparse<S>(                                                                              \
      const blockfw::detail::compiled::Exec&, std::int64_t,                                                      \
      const std::span<const blockfw::Edge<blockfw::detail::compiled::Value<S>>>&, const blockfw::SolveOptions&,  \
      const blockfw::DistanceMatrix<blockfw::detail::compiled::Value<S>, blockfw::detail::compiled::Exec>&);     \
  LINKAGE template blockfw::DistanceMatrix<blockfw::detail::compiled::Value<S>, blockfw::detail::compiled::Exec> \
  blockfw::detail::solve_edges<S>(                                                                               \
      const blockfw::detail::compiled::Exec&, std::int64_t,                                                      \
      const std::span<const blockfw::Edge<blockfw::detail::compiled::Value<S>>>&, const blockfw::SolveOptions&,  \
      const blockfw::DistanceMatrix<blockfw::detail::compiled::Value<S>, blockfw::detail::compiled::Exec>&);

#if defined(BLOCKFW_COMPILED)
BLOCKFW_COMPILED_SEMIRINGS(BLOCKFW_COMPILED_SOLVE, extern)
#endif
