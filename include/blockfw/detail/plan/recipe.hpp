// SPDX-License-Identifier: MIT
/// \file
/// \brief A solve of a filled matrix with all checks, from its range of weights to its distances: the same on one
/// instance, in shares, and out of core.
#pragma once

#include "blockfw/detail/plan/choice_of_method.hpp"
#include "blockfw/detail/plan/finish.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace blockfw::detail {

/// \brief Solves a filled matrix.
///
/// \param at       the steps that depend on where the matrix lies. `at.half_pays(direction)` tells whether half the
///                 work suffices, and takes less time. `at.rounds(task, negative, narrow)` does or queues all rounds,
///                 in fewer bits if `narrow` allows it and all distances fit, and returns the bits. `negative` tells
///                 whether an entry may be negative. The members guard(range, strict), first_cycle_of_entry(),
///                 undirected(direction), vertex_on_cycle(), mark_unreachable(limit) and fence() are used, too.
/// \param n        number of vertices
/// \param range    of the weights
/// \param options  all but the method; a report keeps the seconds of an analysis
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
