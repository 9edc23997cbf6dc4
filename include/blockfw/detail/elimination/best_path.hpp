// SPDX-License-Identifier: MIT
/// \file
/// \brief The vertices of a best path, found by the labels of vertices along it.
#pragma once

#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/elimination/factor.hpp"
#include "blockfw/detail/elimination/front_arcs.hpp"
#include "blockfw/detail/elimination/labels.hpp"
#include "blockfw/detail/loops/threads.hpp"
#include "blockfw/detail/plan/finish.hpp"
#include "blockfw/ground/answers.hpp"
#include "blockfw/ground/semiring.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <queue>
#include <type_traits>
#include <unordered_map>
#include <vector>

namespace blockfw::detail {

/// \brief A path from the first vertex to another vertex, with the data of its best continuation.
///
/// Where ⊗ is a sum of floats, small numbers vanish beside large numbers, which may cancel later. Paths are then
/// compared by their losses: the amounts by which their edges are worse than the best continuation. Losses that
/// rounding explains come second.
template <Semiring S>
struct PathStep {
  using T = typename S::value_type;

  T whole,              ///< the best path by the vertex; for sums of floats the losses that rounding does not explain
      so_far,           ///< the path to it
      rest;             ///< the best path on from it
  std::int32_t at;      ///< the vertex
  std::int32_t before;  ///< the vertex before it, or itself
  std::int64_t found = 0;  ///< the number of this step in the order of finding
  T relative{},            ///< the largest loss of an edge that rounding explains
      largest{};           ///< the largest number on the path

  /// The path that consists of the first vertex only.
  static PathStep start(std::int32_t at, T length) { return {adds_floats ? T(0) : length, S::one(), length, at, at}; }
  static bool is_edge(T weight) { return times(weight, S::one()) != S::zero(); }

  /// \brief The path by one more edge.
  /// \param n  vertices of the graph, and the number of sums that may have rounded
  PathStep by(T weight, std::int32_t to, T on_from_there, std::int64_t number, std::int64_t n) const {
    PathStep next = *this;
    next.so_far = times(so_far, weight);
    next.rest = on_from_there;
    next.at = to;
    next.before = at;
    next.found = number;
    if constexpr (adds_floats)
      next.add_loss(weight, rest, n);
    else if (const T by_it = times(next.so_far, next.rest); better(whole, by_it))
      next.whole = by_it;  // (Where by_it is better, only rounding made it so.)
    return next;
  }

  /// Whether the search is to go on from the other step first: of equally good steps, from the latest.
  bool operator<(const PathStep& other) const {
    if (whole != other.whole) return better(other.whole, whole);
    return relative != other.relative ? other.relative < relative : found < other.found;
  }

 private:
  static constexpr bool adds_floats =
      std::is_floating_point_v<T> && (std::is_same_v<S, MinPlus<T>> || std::is_same_v<S, MaxPlus<T>>);

  static T times(T a, T b) { return S::relax(S::zero(), a, b); }
  static bool better(T a, T b) { return a != b && S::relax(b, a, S::one()) == a; }

  /// Adds the loss of an edge: the difference by which the path by the edge is longer than the best path (in longest
  /// paths: shorter).
  void add_loss(T weight, T best, std::int64_t n) {
    const T by_it = times(weight, rest);
    largest = std::max({largest, std::abs(weight), std::abs(rest)});
    if (by_it == best || better(by_it, best)) return;
    const T loss = by_it - best, size = std::abs(loss);
    if (size > 16 * static_cast<T>(n) * std::numeric_limits<T>::epsilon() * largest)
      whole += loss;
    else
      relative = std::max(relative, size / largest);
  }
};

/// \brief The vertices of a best path from number `first` to number `last` of the order of elimination, both included.
/// It is empty without a path.
/// \param leaving  the arcs
///
/// The search starts at the first vertex. It always continues from the vertex through which the best path leads; of
/// several equally good vertices, from the vertex that was found last. So it leads straight to the end where no sums
/// round, and no vertex occurs twice. It takes a label for each arc that leaves a vertex of the search.
template <Semiring S, class T = typename S::value_type>
std::vector<std::int32_t> best_path(const HostFactor<S>& factor, const LeavingArcs<T>& leaving, std::int32_t first,
                                    std::int32_t last) {
  const std::int64_t n = factor.vertices();
  const Finish<S> finish = factor.finish();
  LabelMaker<S> labels(factor);
  typename LabelMaker<S>::Label on, end;
  labels.template make<Sweep::towards>(last, end);
  const auto to_end = [&](std::int32_t k) {
    labels.template make<Sweep::from>(k, on);
    return finish.marked(labels.meet(on, end));
  };
  const T length = to_end(first);
  if (first != last && length == S::zero()) return {};
  std::unordered_map<std::int32_t, std::int32_t> before;  // of each vertex of the search, the vertex before it
  std::priority_queue<PathStep<S>> open;
  open.push(PathStep<S>::start(first, length));
  for (std::int64_t found = 1; !open.empty();) {
    const auto step = open.top();
    open.pop();
    if (!before.try_emplace(step.at, step.before).second) continue;
    if (step.at == last) break;
    for (const auto& arc : leaving.of(at(step.at))) {
      if (before.contains(arc.to) || !step.is_edge(arc.weight)) continue;
      open.push(step.by(arc.weight, arc.to, to_end(arc.to), found++, n));
    }
  }
  std::vector<std::int32_t> path;
  if (!before.contains(last)) return path;
  for (std::int32_t k = last;; k = before[k]) {
    path.push_back(factor.structure.order[at(k)]);
    if (k == first) break;
  }
  std::reverse(path.begin(), path.end());
  return path;
}

/// \brief Best paths of pairs, on a host's threads.
/// \param leaving     the arcs
/// \param first, last  numbers of the order of elimination, as many of each
template <Semiring S, class Host, class T = typename S::value_type>
PathList best_paths(const Host& exec, const HostFactor<S>& factor, const LeavingArcs<T>& leaving,
                    const std::vector<std::int32_t>& first, const std::vector<std::int32_t>& last) {
  std::vector<std::vector<std::int32_t>> paths(first.size());
  for_tasks(exec, static_cast<std::int64_t>(first.size()), "blockfw::paths", [&](std::int64_t p) {
    const auto i = static_cast<std::size_t>(p);
    paths[i] = best_path(factor, leaving, first[i], last[i]);
  });
  PathList list;
  for (const auto& path : paths) {
    list.vertices.insert(list.vertices.end(), path.begin(), path.end());
    list.first.push_back(static_cast<std::int64_t>(list.vertices.size()));
  }
  return list;
}

}  // namespace blockfw::detail
