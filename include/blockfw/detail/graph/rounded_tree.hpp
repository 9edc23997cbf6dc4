// SPDX-License-Identifier: MIT
/// \file
/// \brief A tree of shortest paths where sums of floats round, found on the host.
///
/// Each vertex is attached only once, to a vertex that is attached already. So the result is a tree, whatever the
/// distances are, and every path in it ends.
#pragma once

#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/graph/adjacency.hpp"
#include "blockfw/detail/loops/threads.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <mutex>
#include <queue>
#include <tuple>
#include <type_traits>
#include <vector>

namespace blockfw::detail {

/// Whether part + weight = whole. A sum of floats may be too large by tolerance times the largest of the three.
template <Distance T>
KOKKOS_FORCEINLINE_FUNCTION bool adds_up(T part, T weight, T whole, [[maybe_unused]] T tolerance) {
  const T sum = static_cast<T>(part + weight);
  if constexpr (std::is_integral_v<T>) {
    return sum == whole;
  } else {
    // (Most sums are far too large. This test of fewer operations finds them: weight <= |part| + |whole| + excess.)
    const T excess = sum - whole, twice = 2 * tolerance;
    if (excess * Kokkos::max(T(0), 1 - twice) > twice * Kokkos::abs(part) + twice * Kokkos::abs(whole)) return false;
    const T largest = Kokkos::max(Kokkos::max(Kokkos::abs(part), Kokkos::abs(weight)), Kokkos::abs(whole));
    return sum == whole || excess <= tolerance * largest;
  }
}

/// \brief How far a sum may exceed a distance.
template <Distance T>
struct Rounding {
  T step;     ///< the rounding of the sum itself, relative to its three numbers
  T path;     ///< the rounding of a path's distances, relative to the largest number on the path
  bool more;  ///< whether a larger excess is allowed where there is no other path, as weights cancel
};

/// Whether the paths of a tree begin at its root or end there.
enum class Root { source, target };

/// \brief Finds a tree.
///
/// First comes a breadth-first search by the edges that add up. As in Paths, the predecessor is the smallest of several
/// vertices with the fewest edges. Rounding leaves out some vertices. Each of these is then attached by the path of
/// least excess over the distances. The order is Dijkstra's, with the distances as the potentials.
template <Distance T>
class RoundedTree {
 public:
  using Lists = Adjacency<T, Kokkos::DefaultHostExecutionSpace>;

  /// \param lists  the edges that lead away from the root; for Root::target the edges against their direction, each
  ///               list in ascending order
  RoundedTree(const Lists& lists, Root root, Rounding<T> rounding)
      : lists_(lists), root_is_(root), rounding_(rounding), seen_(lists.first.extent(0) - 1) {}

  /// \brief Finds the tree. To be called once.
  /// \param d  for each vertex its distance from the root, or to the root
  /// \return the first vertex that has a distance and no path, or the number of vertices
  std::size_t find(std::int32_t root, const std::vector<T>& d) {
    root_ = root;
    seen_[at(root)] = {0, 0, 0, 0, root, 0};
    order_.assign(1, root);
    for (std::size_t v = 0; v < d.size(); ++v) missing_ += wanted(v, d);
    for (std::size_t first = 0; first < order_.size() && missing_ > 0;) {
      const auto end = order_.size();
      if (root_is_ == Root::source) std::sort(order_.begin() + std::ptrdiff_t(first), order_.end());
      for (; first < end && missing_ > 0; ++first) follow_sums(order_[first], d);
    }
    if (missing_ > 0) {
      best_.resize(seen_.size());
      for (const std::int32_t u : order_) offer_from(u, d);
      while (missing_ > 0 && !waiting_.empty()) {
        const Candidate next = waiting_.top();
        waiting_.pop();
        if (seen_[at(next.to)].edges >= 0) continue;
        attach(next);
        offer_from(next.to, d);
      }
    }
    if (missing_ == 0) return d.size();
    std::size_t lost = 0;
    while (!(wanted(lost, d) && seen_[lost].edges < 0)) ++lost;
    return lost;
  }

  /// The vertex next to v on the path between the root and v; `none` if there is no path.
  std::int32_t beside(std::int32_t v, std::int32_t none) const {
    return seen_[at(v)].edges > 0 ? seen_[at(v)].beside : none;
  }

 private:
  /// A path between the root and vertex `to`, on which `beside` is the neighbour of `to`. 0 edges: `to` is the root. -1
  /// edges: there is no path.
  struct Candidate {
    T excess = infinity<T>,  ///< the excess of the path over the distances that rounding does not explain
        relative = 0;        ///< the largest excess of a step that rounding explains
    std::int32_t edges = -1, beside = 0, to = 0;
    T largest = 0;  ///< the largest number on the path

    auto rank() const { return std::tie(excess, relative, edges, beside, to); }
    bool operator>(const Candidate& other) const { return rank() > other.rank(); }
  };

  static bool exists(T distance) { return distance < infinity<T>; }
  bool wanted(std::size_t v, const std::vector<T>& d) const {
    const bool there = exists(d[v]), other = at(root_) != v;
    return there & other;
  }

  void attach(const Candidate& c) {
    seen_[at(c.to)] = c;
    order_.push_back(c.to);
    if (c.to != root_) --missing_;
  }

  /// Calls f(candidate, weight) for each edge of u that leads to a vertex that is not yet attached.
  template <class F>
  void for_each_edge(std::int32_t u, const std::vector<T>& d, const F& f) {
    const Candidate here = seen_[at(u)];
    for (std::int64_t e = lists_.first(u); e < lists_.first(u + 1); ++e) {
      const std::int32_t v = lists_.to(e);
      const T weight = lists_.weight(e), distance = d[at(v)];
      if (seen_[at(v)].edges >= 0 || !exists(distance)) continue;
      f(Candidate{here.excess, here.relative, here.edges + 1, u, v,
                  std::max({here.largest, std::abs(weight), std::abs(distance)})},
        weight);
    }
  }

  void follow_sums(std::int32_t u, const std::vector<T>& d) {
    for_each_edge(u, d, [&](const Candidate& c, T weight) {
      if (adds_up(d[at(u)], weight, d[at(c.to)], rounding_.step)) attach(c);
    });
  }

  void offer_from(std::int32_t u, const std::vector<T>& d) {
    for_each_edge(u, d, [&](Candidate c, T weight) {
      const T sum = d[at(u)] + weight, whole = d[at(c.to)];
      const T excess = sum > whole ? sum - whole : T(0);  // (By rounding, a distance may be longer than the sum.)
      if (excess > rounding_.path * c.largest || excess == infinity<T>) {
        if (!rounding_.more) return;
        c.excess += excess;
      } else if (excess > 0) {
        c.relative = std::max(c.relative, excess / c.largest);
      }
      Candidate& best = best_[at(c.to)];
      if (best.edges > 0 && !(best > c)) return;
      best = c;
      waiting_.push(c);
    });
  }

  const Lists& lists_;
  Root root_is_;
  Rounding<T> rounding_;
  std::int32_t root_ = 0;
  std::vector<Candidate> seen_;      ///< the paths to the attached vertices
  std::vector<std::int32_t> order_;  ///< the attached vertices, in the order in which they were attached
  std::vector<Candidate> best_;      ///< the best candidate for each waiting vertex
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> waiting_;
  std::size_t missing_ = 0;
};

/// The edges against their direction, each list in ascending order.
template <class T>
Adjacency<T, Kokkos::DefaultHostExecutionSpace> reversed(const Adjacency<T, Kokkos::DefaultHostExecutionSpace>& lists) {
  using Host = Kokkos::DefaultHostExecutionSpace;
  const Kokkos::View<std::int64_t*, Kokkos::HostSpace> first("blockfw::first_edge", lists.first.extent(0));
  for (std::size_t e = 0; e < lists.to.extent(0); ++e) ++first(lists.to(e));
  const auto result = allocate_lists<T>(Host(), first);
  for (auto u = static_cast<std::int32_t>(lists.first.extent(0)) - 1; u-- > 0;)  // (lists are filled from their end)
    for (std::int64_t e = lists.first(u); e < lists.first(u + 1); ++e)
      list_edge(result, Edge<T>{lists.to(e), u, lists.weight(e)});
  return result;
}

/// \brief Finds some trees, each on the next free host thread.
///
/// \param exec  the host's instance
/// \param distances  distances(root, d) sets d to the root's distances
/// \param put   put(root, tree) takes the result
/// \return the lost pair of the first root that has a lost pair, as root · n + vertex; or -1
template <class Host, class T, class Distances, class Put>
std::int64_t rounded_trees(const Host& exec, const typename RoundedTree<T>::Lists& lists, Root root,
                           Rounding<T> rounding, const std::vector<std::int32_t>& roots, const Distances& distances,
                           const Put& put) {
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
  const std::size_t n = lists.first.extent(0) - 1;
  std::int64_t lost = none;    // of several lost pairs, the least
  std::exception_ptr failure;  // (a lack of memory)
  std::mutex one_at_a_time;
  for_tasks(exec, static_cast<std::int64_t>(roots.size()), "blockfw::rounded_trees", [&](std::int64_t task) {
    try {
      thread_local std::vector<T> d;
      d.resize(n);
      const std::int32_t r = roots[at(task)];
      distances(r, d);
      RoundedTree<T> tree(lists, root, rounding);
      const std::size_t v = tree.find(r, d);
      if (v == n) return put(r, tree);
      const std::lock_guard lock(one_at_a_time);
      lost = std::min(lost, r * static_cast<std::int64_t>(n) + static_cast<std::int64_t>(v));
    } catch (...) {
      const std::lock_guard lock(one_at_a_time);
      failure = std::current_exception();
    }
  });
  if (failure) std::rethrow_exception(failure);
  return lost == none ? -1 : lost;
}

}  // namespace blockfw::detail
