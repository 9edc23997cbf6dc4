// SPDX-License-Identifier: MIT
/// \file
/// \brief The vertices and the edges of best paths, found by the labels of vertices along them.
#pragma once

#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/elimination/factor.hpp"
#include "blockfw/detail/elimination/front_arcs.hpp"
#include "blockfw/detail/elimination/labels.hpp"
#include "blockfw/detail/elimination/place.hpp"
#include "blockfw/detail/loops/threads.hpp"
#include "blockfw/detail/plan/finish.hpp"
#include "blockfw/ground/answers.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/semiring.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <queue>
#include <string>
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
  static bool is_edge(T weight) { return alone(weight) != S::zero(); }
  /// Whether an edge is better than another edge between the same vertices.
  static bool is_better_edge(T weight, T other) { return better(alone(weight), alone(other)); }

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

  /// Whether the search continues from the other step first. Of equally good steps, the latest comes first.
  bool operator<(const PathStep& other) const {
    if (whole != other.whole) return better(other.whole, whole);
    return relative != other.relative ? other.relative < relative : found < other.found;
  }

 private:
  static constexpr bool adds_floats =
      std::is_floating_point_v<T> && (std::is_same_v<S, MinPlus<T>> || std::is_same_v<S, MaxPlus<T>>);

  static T times(T a, T b) { return S::relax(S::zero(), a, b); }
  /// The path that consists of one edge only.
  static T alone(T weight) { return times(weight, S::one()); }
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

/// \brief Searches best paths in a factor, for one thread.
///
/// A search starts at the first vertex. It always continues from the vertex through which the best path leads; of
/// several equally good vertices, from the vertex that was found last. So it leads straight to the end where no sums
/// round, and no vertex occurs twice. A search takes a label for each arc that leaves one of its vertices. Several
/// searches for the same last vertex, one after the other, take the label of a vertex once.
template <Semiring S>
class PathSearch {
  using T = typename S::value_type;
  using Index = std::int32_t;

 public:
  /// The factor's numbers and the arcs must outlive this object.
  PathSearch(const HostFactor<S>& factor, const LeavingArcs<T>& leaving)
      : factor_(factor), leaving_(leaving), finish_(factor.finish()), labels_(factor) {}

  /// \brief The vertices of a best path from `first` to `last`, both included. It is empty without a path.
  /// \param first, last numbers of the order of elimination. The result has such numbers, too.
  std::vector<Index> find(Index first, Index last) {
    if (last != last_) {
      labels_.template make<Sweep::towards>(last_ = last, end_);
      rest_ = std::unordered_map<Index, T>();  // (clear() would keep the memory of a long search)
    }
    const T length = rest_from(first);
    if (first != last && length == S::zero()) return {};
    std::unordered_map<Index, Index> before;  // of each vertex of the search, the vertex before it
    std::priority_queue<PathStep<S>> open;
    open.push(PathStep<S>::start(first, length));
    for (std::int64_t found = 1; !open.empty();) {
      const auto step = open.top();
      open.pop();
      if (!before.try_emplace(step.at, step.before).second) continue;
      if (step.at == last) break;
      for (const auto& arc : leaving_.of(at(step.at))) {
        if (before.contains(arc.to) || !step.is_edge(arc.weight)) continue;
        open.push(step.by(arc.weight, arc.to, rest_from(arc.to), found++, factor_.vertices()));
      }
    }
    std::vector<Index> path;
    if (!before.contains(last)) return path;
    for (Index k = last;; k = before[k]) {
      path.push_back(k);
      if (k == first) break;
    }
    std::reverse(path.begin(), path.end());
    return path;
  }

 private:
  /// The best path from a vertex to the last vertex.
  T rest_from(Index k) {
    if (keeps_all_labels(factor_)) return meet(k);  // (the labels are read, not made)
    const auto [entry, is_new] = rest_.try_emplace(k);
    if (is_new) entry->second = meet(k);
    return entry->second;
  }
  T meet(Index k) {
    labels_.template make<Sweep::from>(k, on_);
    return finish_.marked(labels_.meet(on_, end_));
  }

  HostFactor<S> factor_;
  const LeavingArcs<T>& leaving_;
  Finish<S> finish_;
  LabelMaker<S> labels_;
  typename LabelMaker<S>::Label on_, end_;
  Index last_ = -1;                    ///< the vertex of the label end_
  std::unordered_map<Index, T> rest_;  ///< the best paths from vertices to the last vertex
};

/// \brief Calls take(p, path) with a best path of each pair, on a host's threads and in any order. The path is that of
/// PathSearch::find().
/// \param leaving      the arcs
/// \param first, last  numbers of the order of elimination
/// \throws InvalidInput for lists of different lengths
/// \throws OutOfMemory  if take() throws std::bad_alloc
template <Semiring S, class Host, class Take, class T = typename S::value_type>
void for_best_paths(const Host& exec, const HostFactor<S>& factor, const LeavingArcs<T>& leaving,
                    const std::vector<std::int32_t>& first, const std::vector<std::int32_t>& last, const Take& take) {
  require_pairs(first.size(), last.size());
  // Pairs with the same last vertex are tasks of one thread, unless other threads would wait.
  constexpr std::size_t most = 64, tasks_of_thread = 4;
  const std::size_t tasks_wanted = tasks_of_thread * static_cast<std::size_t>(exec.concurrency());
  const std::size_t pairs_of_task = std::clamp(first.size() / tasks_wanted, std::size_t{1}, most);
  std::vector<std::size_t> pairs(first.size()), starts;
  std::iota(pairs.begin(), pairs.end(), std::size_t{0});
  std::stable_sort(pairs.begin(), pairs.end(), [&](std::size_t a, std::size_t b) { return last[a] < last[b]; });
  for (std::size_t i = 0; i < pairs.size(); ++i)
    if (i == 0 || last[pairs[i]] != last[pairs[i - 1]] || i - starts.back() == pairs_of_task) starts.push_back(i);
  const std::size_t tasks = starts.size();
  starts.push_back(pairs.size());
  const auto make = [&] { return PathSearch<S>(factor, leaving); };
  const bool done = for_workers(exec, 0, tasks, "blockfw::paths", make, [&](PathSearch<S>& search, std::size_t task) {
    for (std::size_t i = starts[task]; i < starts[task + 1]; ++i) {
      const std::size_t pair = pairs[i];
      take(pair, search.find(first[pair], last[pair]));
    }
  });
  if (!done) throw OutOfMemory("the paths of " + std::to_string(first.size()) + " pairs do not fit");
}

/// One list of the entries of all paths.
/// \param entries  the member of the list that has them
template <class List, class Entry>
List joined(const std::vector<std::vector<Entry>>& paths, std::vector<Entry> List::* entries) {
  List list;
  std::vector<Entry>& all = list.*entries;
  for (const auto& path : paths) {
    all.insert(all.end(), path.begin(), path.end());
    list.first.push_back(static_cast<std::int64_t>(all.size()));
  }
  return list;
}

/// \brief The vertices of best paths of pairs. Parameters and errors are those of for_best_paths().
template <Semiring S, class Host, class T = typename S::value_type>
PathList best_paths(const Host& exec, const HostFactor<S>& factor, const LeavingArcs<T>& leaving,
                    const std::vector<std::int32_t>& first, const std::vector<std::int32_t>& last) {
  std::vector<std::vector<std::int32_t>> paths(first.size());
  for_best_paths(exec, factor, leaving, first, last, [&](std::size_t p, const std::vector<std::int32_t>& path) {
    for (const std::int32_t k : path) paths[p].push_back(factor.structure.order[at(k)]);
  });
  return joined(paths, &PathList::vertices);
}

/// The edge of the step from a vertex of a path to the next: of parallel arcs the best one, of equally good arcs the
/// first.
template <Semiring S, class T = typename S::value_type>
std::uint32_t edge_of_step(const LeavingArcs<T>& leaving, std::int32_t from, std::int32_t to) {
  using Step = PathStep<S>;
  const typename LeavingArcs<T>::Arc* taken = nullptr;
  for (const auto& arc : leaving.of(at(from)))
    if (arc.to == to && Step::is_edge(arc.weight) && (!taken || Step::is_better_edge(arc.weight, taken->weight)))
      taken = &arc;
  return taken->edge;
}

/// \brief The edges of best paths of pairs. Parameters and errors are those of for_best_paths().
template <Semiring S, class Host, class T = typename S::value_type>
PathEdges edges_of_best_paths(const Host& exec, const HostFactor<S>& factor, const LeavingArcs<T>& leaving,
                              const std::vector<std::int32_t>& first, const std::vector<std::int32_t>& last) {
  std::vector<std::vector<std::int64_t>> paths(first.size());
  for_best_paths(exec, factor, leaving, first, last, [&](std::size_t p, const std::vector<std::int32_t>& path) {
    for (std::size_t v = 1; v < path.size(); ++v) paths[p].push_back(edge_of_step<S>(leaving, path[v - 1], path[v]));
  });
  return joined(paths, &PathEdges::edges);
}

}  // namespace blockfw::detail
