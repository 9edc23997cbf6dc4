// SPDX-License-Identifier: MIT
/// \file
/// \brief The arcs of an elimination by the vertex that they leave.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/elimination/front_arcs.hpp"
#include "blockfw/detail/graph/supernodes.hpp"
#include "blockfw/ground/semiring.hpp"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <numeric>
#include <string>
#include <vector>

namespace blockfw::detail {

/// Arcs between numbers of the order of elimination. Number k has the arcs [first[k], first[k + 1]).
template <class T>
struct LeavingArcs {
  struct Arc {
    std::int32_t to;
    T weight;
  };
  std::vector<std::size_t> first;
  std::vector<Arc> arcs;
};

/// \brief Calls f(from, to, arc) for each arc; from and to are numbers of the order of elimination.
template <class F>
void for_each_arc(const Elimination& structure, const ArcPlan& plan, const F& f) {
  for (std::size_t s = 0; s + 1 < plan.first.size(); ++s) {
    const Supernode& node = structure.supernodes[s];
    for (std::size_t a = plan.first[s]; a < plan.first[s + 1]; ++a)
      f(number_of_row(node, plan.places[a].row), number_of_row(node, plan.places[a].column), a);
  }
}

/// \brief The arcs that are edges, by the number that they leave.
/// \throws OutOfMemory if the lists do not fit; thrown before they are allocated
template <Semiring S, class T = typename S::value_type>
LeavingArcs<T> leaving_arcs(const Elimination& structure, const FrontArcs<T>& arcs) {
  const auto at = [](std::int32_t k) { return static_cast<std::size_t>(k); };
  LeavingArcs<T> leaving;
  require_host_memory("the lists of " + std::to_string(arcs.weights.size()) + " arcs",
                      static_cast<double>(arcs.weights.size()) * sizeof(typename LeavingArcs<T>::Arc));
  leaving.first.resize(structure.order.size() + 1, 0);
  for_each_arc(structure, *arcs.plan, [&](std::int32_t from, std::int32_t, std::size_t a) {
    leaving.first[at(from) + 1] += arcs.weights[a] != S::zero();
  });
  std::partial_sum(leaving.first.begin(), leaving.first.end(), leaving.first.begin());
  leaving.arcs.resize(leaving.first.back());
  auto next = leaving.first;
  for_each_arc(structure, *arcs.plan, [&](std::int32_t from, std::int32_t to, std::size_t a) {
    if (arcs.weights[a] != S::zero()) leaving.arcs[next[at(from)]++] = {to, arcs.weights[a]};
  });
  return leaving;
}

/// \brief Leaving arcs that are made by the first call that needs them. For any threads.
template <class T>
class LazyLeavingArcs {
 public:
  template <Semiring S>
  const LeavingArcs<T>& get(const Elimination& structure, const FrontArcs<T>& arcs) {
    std::call_once(made_, [&] { arcs_ = leaving_arcs<S>(structure, arcs); });
    return arcs_;
  }

 private:
  std::once_flag made_;
  LeavingArcs<T> arcs_;
};

}  // namespace blockfw::detail
