// SPDX-License-Identifier: MIT
/// \file
/// \brief The recipe of a solve, which is the same on one instance, in shares, and out of core.
///
/// Elimination or another method is chosen by the cost, and by the memory that is there. A filled matrix is solved with
/// all checks, from its range of weights to its distances.
#pragma once

#include "blockfw/detail/backend/workspace.hpp"
#include "blockfw/detail/graph/elimination_order.hpp"
#include "blockfw/detail/plan/finish.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <vector>

namespace blockfw::detail {

/// \brief The measured cost of a sparse solve, in relaxes of a dense solve.
/// \tparam ExecSpace       where the matrix of all distances is to be
/// \param factor_relaxes, solve_relaxes  of the elimination, as SparseAnalysis counts them
template <class ExecSpace>
double sparse_cost(std::int64_t vertices, double factor_relaxes, double solve_relaxes) {
  const auto n = static_cast<double>(vertices);
  if constexpr (is_host_space<ExecSpace>)
    return 3 * factor_relaxes + 3 * solve_relaxes + 20 * n * n;
  else  // the host makes the structure
    return 100 * factor_relaxes + 4 * solve_relaxes + 100 * n * n + 2e7 * n;
}

/// The relaxes of the dense method.
inline double dense_relaxes(std::int64_t vertices, bool half) {
  const auto n = static_cast<double>(vertices);
  return n * n * n * (half ? 0.5 : 1);
}

/// The limits at which the search for an order may stop, since the dense method costs less anyway. One limit is the
/// fill from which on the cost above is more (a factor of f entries takes at least f² / n relaxes). The other limit is
/// a fiftieth of the dense method's time. (The rates are some 10^11 relaxes a second on a few cores, 2·10^13 on a
/// device, and 10^8 steps.)
template <class ExecSpace>
OrderLimits order_limits(std::int64_t n, bool half) {
  constexpr bool host = is_host_space<ExecSpace>;
  const double dense = dense_relaxes(n, half);
  return {dense / static_cast<double>(n) / (host ? 3 : 10), std::max(1e5, dense * (host ? 4e-4 : 1e-7))};
}

/// Whether it is worth looking at the structure.
template <class ExecSpace>
bool may_be_sparse(std::int64_t n, std::size_t edges, Method method) {
  constexpr std::int64_t least = is_host_space<ExecSpace> ? 200 : 4000;  // vertices for which elimination may pay off
  const auto vertices = static_cast<double>(n);
  return method == Method::sparse ||
         (method == Method::automatic && n >= least && 16 * static_cast<double>(edges) < vertices * vertices);
}

/// \brief Takes elimination, or nothing if its memory is not there and Method::sparse does not ask for it.
/// \param n          number of vertices
/// \param instances  whose kept memory is freed before another method is taken
/// \param eliminate  eliminate(options) returns an optional result. The options have no `meanwhile`, which is left to
///                   the caller.
/// \return the result, or nothing if another method is to be used
/// \throws an exception of options.progress as it is; OutOfMemory if Method::sparse asks for elimination
template <class ExecSpace, class Eliminate>
auto eliminated_if_it_fits(std::int64_t n, const std::vector<ExecSpace>& instances, const SolveOptions& options,
                           const Eliminate& eliminate) -> decltype(eliminate(options)) {
  bool stopped = false;  // whether options.progress, which may throw any exception, has stopped the work
  SolveOptions watched = options;
  watched.meanwhile = {};
  if (options.progress)
    watched.progress = [&](std::int64_t done, std::int64_t all) {
      stopped = true;  // unless progress returns
      options.progress(done, all);
      stopped = false;
    };
  try {
    return eliminate(watched);
  } catch (const OutOfMemory&) {
    if (stopped || options.method == Method::sparse) throw;
  } catch (const std::bad_alloc&) {  // a lack of memory that no check foresaw
    if (stopped) throw;
    if (options.method == Method::sparse)
      throw OutOfMemory("the elimination of ", n, " vertices needs more memory than is available");
  }
  for (const ExecSpace& exec : instances) Workspace<ExecSpace>::forget(exec);
  return {};
}

/// \brief Solves a filled matrix.
///
/// \param at       the steps that depend on where the matrix lies. `at.half_pays(direction)` tells whether half the
///                 work suffices, and takes less time. `at.rounds(task, negative, narrow)` does or queues all rounds,
///                 in fewer bits if `narrow` allows it and all distances fit, and returns the bits. `negative` tells
///                 whether an entry may be negative. The members guard(range, strict), first_cycle_of_entry(),
///                 undirected(direction), vertex_on_cycle(), mark_unreachable(limit) and fence() are used, too.
/// \param n        number of vertices
/// \param range    of the weights
/// \param options  every option except the method is used; a report keeps the seconds of an analysis
/// \throws OverflowRisk before the solve; NegativeCycle, for other semirings than shortest paths DivergentCycle;
///         InvalidInput for weights that the semiring does not accept
template <Semiring S, class Steps, class T = typename S::value_type>
void solve_filled(const Steps& at, std::int64_t n, const WeightRange<T>& range, const SolveOptions& options) {
  const Kokkos::Timer timer;
  require_safe_sums<S>(n, range);
  require_accepted<S>(range);
  if (may_be_cycles<S>(range, Direction::undirected) && at.undirected(options.direction))
    require_no_cycle_of_entry<S>(at.first_cycle_of_entry(), n);
  auto guard = at.guard(range, options.strict_cycles);

  SolveReport report{.half = at.half_pays(options.direction)};
  if (options.report != nullptr) report.analysis_seconds = options.report->analysis_seconds;
  report.relaxes = report.dense_relaxes = dense_relaxes(n, report.half);
  const TaskOptions task{report.half ? Direction::undirected : Direction::directed, options.progress};
  const bool negative = !std::is_same_v<S, MinPlus<T>> || range.any_negative();
  report.bits = at.rounds(task, negative, options.narrow);
  report.solve_seconds = timer.seconds();
  report_queued(options, report);

  const auto find = [&] { return at.vertex_on_cycle(); };
  if (guard.again(find)) at.rounds(task, negative, false);
  finish_rounds<S>(finish_of<S>(n, range), find, [&](T limit) { at.mark_unreachable(limit); });
  guard.restore();
  at.fence();
  if (options.report != nullptr) options.report->solve_seconds = timer.seconds();
}

}  // namespace blockfw::detail
