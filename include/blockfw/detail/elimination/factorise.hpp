// SPDX-License-Identifier: MIT
/// \file
/// \brief The elimination of arcs, which makes the numbers of a sparse factor: in the type of the weights, or in 64
/// bits where sums might not fit.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/elimination/cycles_of_arcs.hpp"
#include "blockfw/detail/elimination/factor.hpp"
#include "blockfw/detail/elimination/front_arcs.hpp"
#include "blockfw/detail/elimination/fronts.hpp"
#include "blockfw/detail/elimination/longest_distance.hpp"
#include "blockfw/detail/graph/supernodes.hpp"
#include "blockfw/detail/loops/host_tasks.hpp"
#include "blockfw/detail/plan/potentials.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/progress.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace blockfw::detail {

/// \brief Eliminates in 64 bits, and copies the numbers to the narrower type if no distance can reach its infinity.
/// \param closed  as in factorise()
/// \throws OverflowRisk if a distance could reach it
template <class ExecSpace, std::integral T>
std::shared_ptr<const FactorValues<T>> factorise_wide(const ExecSpace& exec, const Elimination& structure,
                                                      const FrontArcs<T>& arcs, const WeightRange<T>& range,
                                                      bool symmetric, bool closed, const Progress& progress) {
  using Wide = std::int64_t;
  const auto n = static_cast<std::int64_t>(structure.order.size());
  require_safe_sums<MinPlus<Wide>>(n, {range.smallest, range.largest, range.total});
  FrontArcs<Wide> wide{arcs.plan, {}};
  require_host_memory("the weights of " + std::to_string(arcs.weights.size()) + " arcs in 64 bits",
                      static_cast<double>(arcs.weights.size()) * sizeof(Wide));
  for (const T weight : arcs.weights)
    wide.weights.push_back(closed && weight == infinity<T> ? infinity<Wide> : Wide{weight});
  const auto host = host_of(exec);
  auto values =
      Fronts<MinPlus<Wide>, std::remove_const_t<decltype(host)>>(host, structure, wide).eliminate(symmetric, progress);
  Wide bound = bound_of_distances(structure, values);
  if (bound >= infinity<T>) bound = longest_distance(host, structure, values);
  if (bound >= infinity<T>)
    throw OverflowRisk("weights up to " + std::to_string(range.largest) + ": a path could be as long as " +
                       std::to_string(bound) + ", expected less than infinity, " + std::to_string(infinity<T>) +
                       ", in " + type_name<T>() + "; use " + (sizeof(T) < 4 ? "int32, " : "") + "int64 or double");
  const auto narrow = [&](const auto& from) {
    require_memory(exec, "the numbers of a factor", static_cast<double>(from.size()) * sizeof(T));
    auto to = FactorValues<T>::allocate("blockfw::narrow", from.size());
    for (std::size_t i = 0; i < from.size(); ++i) to(i) = static_cast<T>(std::min<Wide>(from(i), infinity<T>));
    return to;
  };
  return std::make_shared<FactorValues<T>>(FactorValues<T>{std::move(values.start),
                                                           values.symmetric,
                                                           {},
                                                           {narrow(values.ways[0]), narrow(values.ways[1])},
                                                           {narrow(values.own[0]), narrow(values.own[1])}});
}

/// \brief Eliminates all supernodes; see SparseFactor.
/// \param closed  whether an integer weight of infinity is no edge. Else it is a length that does not fit.
template <Semiring S, class ExecSpace, class T = typename S::value_type>
std::shared_ptr<const FactorValues<T>> factorise(const ExecSpace& exec, const Elimination& structure,
                                                 const FrontArcs<T>& arcs, const WeightRange<T>& range,
                                                 Direction direction, const Progress& progress, bool strict_cycles,
                                                 bool closed) {
  const auto host = host_of(exec);
  require_accepted<S>(range);
  require_no_cycle_of_arc<S>(structure, arcs, range, direction);
  const auto n = static_cast<std::int64_t>(structure.order.size());
  const bool symmetric = direction == Direction::undirected && is_commutative<S>;
  if constexpr (std::is_same_v<S, MinPlus<T>> && std::is_integral_v<T> && sizeof(T) < 8)
    if (!sums_fit<S>(n, range) && !range.any_negative())
      return factorise_wide(exec, structure, arcs, range, symmetric, closed, progress);
  require_safe_sums<S>(n, range);
  const auto eliminated = [&](const FrontArcs<T>& some) {
    return std::make_shared<FactorValues<T>>(
        Fronts<S, std::remove_const_t<decltype(host)>>(host, structure, some).eliminate(symmetric, progress));
  };
  if constexpr (may_cancel<S>)
    if (cancels<S>(range)) return eliminate_cancelling<S>(structure, arcs, strict_cycles, eliminated);
  return eliminated(arcs);
}

}  // namespace blockfw::detail
