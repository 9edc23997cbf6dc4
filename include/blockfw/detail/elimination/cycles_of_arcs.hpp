// SPDX-License-Identifier: MIT
/// \file
/// \brief Cycles of length zero in an elimination: the decision whether one is negative, and numbers of a factor that
/// rounding has not spoilt (see cycles.hpp).
#pragma once

#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/elimination/factor.hpp"
#include "blockfw/detail/elimination/front_arcs.hpp"
#include "blockfw/detail/graph/cycles.hpp"
#include "blockfw/detail/graph/supernodes.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/detail/matrices/copies.hpp"
#include "blockfw/detail/plan/finish.hpp"
#include "blockfw/detail/plan/potentials.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace blockfw::detail {

/// \brief Looks for an edge of an undirected graph that is a cycle by itself.
/// \throws NegativeCycle with the edge's ends; for longest paths DivergentCycle
template <Semiring S, class T = typename S::value_type>
void require_no_cycle_of_arc(const Elimination& structure, const FrontArcs<T>& arcs, const WeightRange<T>& range,
                             Direction direction) {
  if (!may_be_cycles<S>(range, direction)) return;
  CycleOfEdge<S> found;
  for_each_arc(structure, *arcs.plan, [&](std::int32_t from, std::int32_t to, std::size_t a) {
    found.see(structure.order[at(from)], structure.order[at(to)], arcs.weights[a]);
  });
  found.require_none();
}

/// \brief Puts potentials back into the numbers of a factor. Each number is the length of a path between two vertices.
/// \throws OutOfMemory only for a factor that is symmetric without the potentials
template <Semiring S, class T = typename S::value_type>
void restore_factor(const Elimination& structure, const std::vector<double>& potentials, FactorValues<T>& factor) {
  if (factor.symmetric) {  // as long as the potentials are taken out
    factor.ways[1] = factor.copy_of("blockfw::restored", factor.ways[0]);
    factor.own[1] = factor.copy_of("blockfw::restored", factor.own[0]);
  }
  factor.symmetric = false;
  const auto restore = [&](T& length, std::int32_t k, std::int32_t other, Sweep sweep) {
    const double of_k = potentials[at(k)], of_other = potentials[at(other)];
    length = restored_length(length, of_k, of_other, sweep == Sweep::towards ? sign_of<S>() : -sign_of<S>());
  };
  for (std::size_t s = 0; s < structure.supernodes.size(); ++s) {
    const Supernode& node = structure.supernodes[s];
    const std::size_t w = at(node.width()), boundary = node.boundary.size();
    for (const Sweep sweep : {Sweep::towards, Sweep::from})
      for (std::int32_t i = 0; i < node.width(); ++i) {
        const std::int32_t k = node.first + i;
        T* const ways = factor.ways_of(sweep, s) + at(i) * boundary;
        for (std::size_t y = 0; y < boundary; ++y) restore(ways[y], k, node.boundary[y], sweep);
        // (A row of `own` of the sweep towards k has the paths from the supernode's vertices to k.)
        T* const own = factor.own_of(sweep, s) + at(i) * w;
        for (std::size_t x = 0; x < w; ++x)
          restore(own[x], k, node.first + static_cast<std::int32_t>(x), opposite(sweep));
      }
  }
}

/// Decides on the cycles of arcs, whose potentials are by numbers of the order of elimination; see judge_lists().
template <Semiring S, class T = typename S::value_type>
CycleVerdict judge_arcs(const Elimination& structure, const FrontArcs<T>& arcs, bool strict) {
  const LeavingArcs<T> leaving = leaving_arcs<S>(structure, arcs);
  return judge_lists<T>(static_cast<std::int64_t>(structure.order.size()), strict, [&](std::size_t k, const auto& f) {
    for (const auto& arc : leaving.of(k)) f(at(arc.to), sign_of<S>() * static_cast<double>(arc.weight));
  });
}

/// \brief Eliminates arcs whose weights may cancel, so that rounding makes no cycle diverge.
///
/// By the usual rule it decides on the cycles only if one diverges as it is computed. By the strict rule it decides
/// before, as rounding could hide a negative cycle. If rounding matters, it eliminates without the potentials.
/// \param strict     whether the strict rule holds; see cycles.hpp
/// \param eliminate  eliminate(arcs) makes the numbers of a factor
/// \throws NegativeCycle with a vertex on the cycle; for longest paths DivergentCycle
template <Semiring S, class Eliminate, class T = typename S::value_type>
auto eliminate_cancelling(const Elimination& structure, const FrontArcs<T>& arcs, bool strict,
                          const Eliminate& eliminate) {
  const auto judge = [&] {
    CycleVerdict verdict = judge_arcs<S>(structure, arcs, strict);
    if (verdict.negative >= 0) throw_cycle<S>(structure.order[at(verdict.negative)]);
    return std::move(verdict.potentials);
  };
  std::vector<double> potentials;
  if (strict) potentials = judge();
  if (potentials.empty()) try {
      return eliminate(arcs);
    } catch (const DivergentCycle&) {
      if (!strict) potentials = judge();
      if (potentials.empty()) throw;
    }
  FrontArcs<T> reduced = arcs;
  for_each_arc(structure, *arcs.plan, [&](std::int32_t from, std::int32_t to, std::size_t a) {
    reduced.weights[a] = reduced_weight(arcs.weights[a], potentials[at(from)], potentials[at(to)], sign_of<S>());
  });
  auto values = eliminate(reduced);
  restore_factor<S>(structure, potentials, *values);
  return values;
}

/// \brief Sets rows(r, v) to one(), where v is the vertex of row r, order[numbers[r]], if sums of these weights round.
/// Fences exec.
template <Semiring S, class ExecSpace, class Rows>
void mark_own(const ExecSpace& exec, const std::vector<std::int32_t>& order,
              const WeightRange<typename S::value_type>& range, std::span<const std::int32_t> numbers,
              const Rows& rows) {
  if (!cancels<S>(range)) return;
  std::vector<std::int32_t> list;
  list.reserve(numbers.size());
  for (const std::int32_t k : numbers) list.push_back(order[at(k)]);
  const auto vertices = in_space(exec, list);
  for_range(
      "blockfw::own", exec, 0, numbers.size(),
      KOKKOS_LAMBDA(std::int64_t r) { rows(r, static_cast<std::int64_t>(vertices(r))) = S::one(); });
  exec.fence("blockfw::own");
}

}  // namespace blockfw::detail
