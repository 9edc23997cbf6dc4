// SPDX-License-Identifier: MIT
/// \file
/// \brief The tree of an elimination, and its clusters of vertices that become supernodes.
#pragma once

#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/graph/elimination_steps.hpp"
#include "blockfw/detail/graph/neighbours.hpp"
#include "blockfw/detail/loops/threads.hpp"
#include "blockfw/ground/options.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace blockfw::detail {

/// \brief The cost of a supernode of w vertices with a boundary of b vertices, where `below` vertices are in its
/// subtree.
///
/// For all pairs the cost, in relaxes, has three parts: its front, its rows in n sweeps, and its part of the labels of
/// the supernodes below it. (Measured: to read a row of the boundary costs 2 relaxes. To read an entry of a label costs
/// 150, as it is stored by itself.)
///
/// For tables the cost has two parts: its front; and for each vertex below it a label. The label passes the supernode,
/// is closed there, goes on to the boundary, and is multiplied by other labels. (Measured: between 60 and 300 relaxes
/// for a passage, and between 5 and 60 for a product, tables take the same time within 10%.)
inline double cost_of(Purpose purpose, double w, double b, double below, double n) {
  const double front = w + b;
  if (purpose == Purpose::all_pairs) return w * front * front + n * (w * b + 2 * b) + 150 * below * w;
  constexpr double of_front = 300, passage = 100, product = 20;
  return of_front + w * front * front + below * (passage + w * front / 8 + product * w);
}

/// \brief A tree of vertices. Its nodes are the numbers of an order; a parent's number is greater than its children's.
///
/// The parent of a number is the least later number that is its neighbour when it is eliminated.
class EliminationTree {
  using Index = std::int32_t;

 public:
  /// Finds the parents, by Liu's algorithm with shortcuts to the roots so far. Then numbers the order anew.
  /// \param neighbours  of each vertex; vertex k is eliminated as number k
  explicit EliminationTree(const Neighbours& neighbours) : neighbours_(neighbours), parent_(neighbours.vertices(), -1) {
    std::vector<Index> shortcut(parent_.size(), -1);
    for (Index k = 0; k < vertices(); ++k)
      for (Index i : neighbours.of(k))
        while (i < k && i != -1) {
          const Index next = std::exchange(shortcut[at(i)], k);
          if (next == -1) parent_[at(i)] = k;
          i = next == k ? -1 : next;
        }
    renumber();
  }

  Index vertices() const { return static_cast<Index>(parent_.size()); }
  Index vertex(Index k) const { return order_[at(k)]; }
  Index parent(Index k) const { return parent_[at(k)]; }

  /// \brief For each number, the size of its boundary: the number of later neighbours when it is eliminated.
  ///
  /// Number i is in the boundaries of the numbers on the tree's paths from its earlier neighbours up to it. These
  /// numbers form a subtree. Its leaves are the neighbours that have no other neighbour below them. The paths end
  /// before i. Each leaf adds one to every number above it. Two neighbouring leaves share a part of their paths, and
  /// this part counts once. (Gilbert, Ng and Peyton, "An efficient algorithm to compute row and column counts for
  /// sparse Cholesky factorization", SIAM J. Matrix Anal. Appl. 15, 1994.) Near O(n + neighbours).
  std::vector<Index> boundary_sizes() const {
    struct Number {
      Index size = 0, first, root, last_neighbour = -1, last_leaf = -1;
    };
    std::vector<Number> numbers(order_.size());
    for (Index k = 0; k < vertices(); ++k) numbers[at(k)].first = numbers[at(k)].root = k;
    const auto root_so_far = [&](Index k) {
      while (numbers[at(k)].root != k) k = numbers[at(k)].root = numbers[at(numbers[at(k)].root)].root;
      return k;
    };
    for (Index k = 0; k < vertices(); ++k) {
      Number& its = numbers[at(k)];
      for (const Index v : neighbours_.of(vertex(k))) {
        const Index i = place_[at(v)];
        if (i < k || std::exchange(numbers[at(i)].last_neighbour, k) >= its.first) continue;
        ++its.size;
        const Index leaf = std::exchange(numbers[at(i)].last_leaf, k);
        --numbers[at(leaf < 0 ? i : root_so_far(leaf))].size;
      }
      if (parent(k) < 0) continue;
      // (All numbers below k are done.)
      Number& above = numbers[at(parent(k))];
      above.size += its.size;
      above.first = std::min(above.first, its.first);
      its.root = parent(k);
    }
    std::vector<Index> sizes(numbers.size());
    std::ranges::transform(numbers, sizes.begin(), &Number::size);
    return sizes;
  }

 private:
  /// Numbers each subtree without gaps, children before parents. This changes no boundary.
  void renumber() {
    std::vector<Index> size(parent_.size(), 1), end(parent_.size()), number(parent_.size());
    for (Index k = 0; k < vertices(); ++k)
      if (parent(k) >= 0) size[at(parent(k))] += size[at(k)];
    // The numbers are visited from the last to the first. Each subtree takes the numbers just before `end` of its
    // parent.
    Index end_of_roots = vertices();
    for (Index k = vertices(); k-- > 0;) {
      Index& before = parent(k) < 0 ? end_of_roots : end[at(parent(k))];
      number[at(k)] = end[at(k)] = before - 1;
      before -= size[at(k)];
    }
    std::vector<Index> parents(parent_.size());
    order_.resize(parent_.size());
    for (Index k = 0; k < vertices(); ++k) {
      order_[at(number[at(k)])] = k;
      parents[at(number[at(k)])] = parent(k) < 0 ? -1 : number[at(parent(k))];
    }
    parent_ = std::move(parents);
    place_ = std::move(number);
  }

  const Neighbours& neighbours_;
  std::vector<Index> order_, place_, parent_;
};

/// Numbers that become a supernode.
struct Cluster {
  std::int32_t first;     ///< its own numbers come before the first one of the next cluster
  std::int32_t width;     ///< the count of its numbers, with those of the clusters that are merged into it
  std::int32_t boundary;  ///< the size of the boundary, which is that of its own last number
  std::int32_t parent;
  double below = 0;               ///< vertices of this cluster and of all clusters below it
  std::int32_t merged_into = -1;  ///< another cluster; -1: none
  std::int32_t child = -1, last_child = -1, sibling = -1;
};

/// Lists the children of each cluster, and counts the vertices below. Children come before parents.
inline void link_clusters(std::vector<Cluster>& clusters) {
  for (std::size_t g = 0; g < clusters.size(); ++g) {
    Cluster& mine = clusters[g];
    mine.below += mine.width;
    if (mine.parent < 0) continue;
    Cluster& parent = clusters[at(mine.parent)];
    (parent.child < 0 ? parent.child : clusters[at(parent.last_child)].sibling) = static_cast<std::int32_t>(g);
    parent.last_child = static_cast<std::int32_t>(g);
    parent.below += mine.below;
  }
}

/// \brief Puts each number into its parent's cluster if their boundaries agree.
/// \param most_width  the most numbers of a cluster
inline std::vector<Cluster> alike_clusters(const EliminationTree& tree, std::int32_t most_width) {
  using Index = std::int32_t;
  const std::vector<Index> size = tree.boundary_sizes();
  std::vector<Cluster> clusters;
  clusters.reserve(size.size());
  std::vector<Index> cluster_of(size.size());
  for (Index k = 0; k < tree.vertices(); ++k) {
    const bool joins =
        k > 0 && tree.parent(k - 1) == k && size[at(k - 1)] == size[at(k)] + 1 && clusters.back().width < most_width;
    if (!joins) clusters.push_back({k, 0, 0, -1});
    Cluster& mine = clusters.back();
    mine.boundary = size[at(k)];
    ++mine.width;
    cluster_of[at(k)] = static_cast<Index>(clusters.size()) - 1;
  }
  for (Cluster& mine : clusters) {
    const Index above = tree.parent(mine.first + mine.width - 1);
    if (above >= 0) mine.parent = cluster_of[at(above)];
  }
  link_clusters(clusters);
  return clusters;
}

/// The clusters of the steps of an elimination. A step's parent is the first one that eliminates a vertex of its
/// boundary.
inline std::vector<Cluster> clusters_of(const EliminationSteps& steps) {
  using Index = std::int32_t;
  std::vector<Index> step_of(steps.order.size());
  std::vector<Cluster> clusters;
  clusters.reserve(steps.size());
  for (std::size_t s = 0; s < steps.size(); ++s) {
    const Index first = steps.first(s), end = steps.steps[s].end;
    std::fill(step_of.begin() + first, step_of.begin() + end, static_cast<Index>(s));
    clusters.push_back({first, end - first, steps.steps[s].size, -1});
  }
  for_host_pieces(steps.size(), "blockfw::parents", [&](std::size_t begin, std::size_t end) {
    for (std::size_t s = begin; s < end; ++s)
      if (const auto boundary = steps.boundary(s); !boundary.empty())
        clusters[s].parent = step_of[at(std::ranges::min(boundary, {}, &EliminationSteps::Run::first).first)];
  });
  link_clusters(clusters);
  return clusters;
}

/// Merges children into their parents, bottom-up, where that makes the solve cheaper: it reads fewer rows and does more
/// relaxes.
inline void merge_clusters(std::vector<Cluster>& clusters, Purpose purpose, std::int32_t most_width, double n) {
  for (std::size_t g = 0; g < clusters.size(); ++g) {
    Cluster& mine = clusters[g];
    // (The children of a merged child become the last children, and get their turn, too.)
    for (std::int32_t c = mine.child, before = -1; c >= 0; c = clusters[at(c)].sibling) {
      Cluster& its = clusters[at(c)];
      const double w = mine.width, cw = its.width, b = mine.boundary, cb = its.boundary;
      if (w + cw > most_width || cost_of(purpose, w + cw, b, mine.below, n) >
                                     cost_of(purpose, w, b, mine.below, n) + cost_of(purpose, cw, cb, its.below, n)) {
        before = c;
        continue;
      }
      its.merged_into = static_cast<std::int32_t>(g);
      mine.width += its.width;
      if (its.child >= 0) {
        clusters[at(mine.last_child)].sibling = its.child;
        mine.last_child = its.last_child;
      }
      if (mine.last_child == c) mine.last_child = before;
      (before < 0 ? mine.child : clusters[at(before)].sibling) = its.sibling;
    }
  }
}

}  // namespace blockfw::detail
