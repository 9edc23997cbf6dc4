// SPDX-License-Identifier: MIT
/// \file
/// \brief The solve of a filled matrix that is spread over shares, with all checks: on devices and on ranks.
#pragma once

#include "blockfw/detail/plan/finish.hpp"
#include "blockfw/detail/plan/potentials.hpp"
#include "blockfw/matrix.hpp"
#include "blockfw/options.hpp"
#include "blockfw/semiring.hpp"
#include "blockfw/weights.hpp"

#include <cstdint>
#include <type_traits>

namespace blockfw::detail {

/// \brief Solves shares whose range of weights is known, as solve_distances() solves a matrix.
/// \param n      number of vertices
/// \param guard  guard() decides on cycles of floats before the rounds; see GuardOf
/// \param half   half() says whether half the work is to be done; the same for all shares
/// \param rounds rounds(negative, direction) does all rounds
/// \param find   find() returns a vertex on a cycle that diverges, if the diagonal shows one
/// \param mark   mark(limit) calls mark_unreachable() for all shares
/// \throws as solve_distances()
template <Semiring S, class T = typename S::value_type, class Guard, class Half, class Rounds, class Find, class Mark>
void solve_shares(std::int64_t n, WeightRange<T> range, const SolveOptions& options, const Guard& guard,
                  const Half& half, const Rounds& rounds, const Find& find, const Mark& mark) {
  require_safe_sums<S>(n, range);
  require_accepted<S>(range);
  auto cycles = guard();
  const auto direction = half() ? Direction::undirected : Direction::directed;
  const bool negative = !std::is_same_v<S, MinPlus<T>> || range.any_negative();
  rounds(negative, direction);
  const bool halved = direction == Direction::undirected;
  const auto vertices = static_cast<double>(n);
  const double relaxes = vertices * vertices * vertices * (halved ? 0.5 : 1);
  report_queued(options, {.bits = 8 * int(sizeof(T)), .half = halved, .relaxes = relaxes, .dense_relaxes = relaxes});
  if (cycles.again(find)) rounds(negative, direction);
  finish_rounds<S>(finish_of<S>(n, range), find, mark);
  cycles.restore();
}

}  // namespace blockfw::detail
