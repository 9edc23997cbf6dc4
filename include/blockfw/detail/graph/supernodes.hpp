// SPDX-License-Identifier: MIT
/// \file
/// \brief The structure of an elimination: the tree of supernodes, and the boundary of each.
#pragma once

#include "blockfw/detail/graph/elimination_order.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace blockfw::detail {

/// \brief Vertices that are eliminated together. Vertices are numbered in the order of elimination here.
struct Supernode {
  std::int32_t first, last;            ///< the vertices [first, last)
  std::int32_t parent;                 ///< the supernode of the least vertex of the boundary; -1 for a root
  std::vector<std::int32_t> boundary;  ///< ascending: the later vertices that these are neighbours of by then
  std::int64_t below;                  ///< vertices of this supernode and of all supernodes below it
  bool leaf = true;                    ///< whether there is no supernode below it
  /// The vertices of a supernode's ancestors and its own have positions on its path, from the root's first vertex on.
  std::int32_t depth = 0;               ///< the position of this supernode's first vertex
  std::vector<std::int32_t> positions;  ///< the positions of the boundary

  std::int32_t width() const { return last - first; }
  std::int64_t subtree_first() const { return last - below; }  ///< the subtree's vertices are [this, last)
  std::int32_t path_length() const { return depth + width(); }
};

/// The order of elimination, such that a supernode's vertices are neighbours in it and children come before parents.
struct Elimination {
  std::vector<std::int32_t> order;    ///< order[k]: the vertex of the graph that is eliminated as number k
  std::vector<std::int32_t> place;    ///< place[v]: the number of vertex v
  std::vector<Supernode> supernodes;  ///< children before parents
  std::vector<std::int32_t> owner;    ///< owner[k]: the supernode of number k
  std::int32_t longest_path = 0;      ///< the most vertices of a supernode and its ancestors
};

/// The cost of a supernode of w vertices and b of boundary, in relaxes: its front, its lines in a sweep for each of n
/// vertices, and its part of the labels of those below it. (Measured: to read a line of the boundary costs 2 relaxes,
/// an entry of a label 150, as it is stored by itself.)
inline double cost_of(double w, double b, double below, double n) {
  const double front = w + b;
  return w * front * front + n * (w * b + 2 * b) + 150 * below * w;
}

/// \brief Finds the supernodes of an order of elimination.
///
/// The tree's parent of a vertex is the least later vertex that it is a neighbour of when it is eliminated. Vertices
/// whose neighbours are the same but for themselves are one supernode. A child is merged into its parent where that
/// makes the solve cheaper: fewer rows to read for more relaxes.
///
/// \param neighbours  sorted, without repetitions or the vertex itself, symmetric
/// \param order       a permutation of the vertices
/// \param most_width  supernodes are not merged to more vertices
///
/// O(n + vertices in all boundaries) time, but for sorting.
inline Elimination find_supernodes(const Neighbours& neighbours, const std::vector<std::int32_t>& order,
                                   std::int32_t most_width) {
  using Index = std::int32_t;
  const auto at = [](Index i) { return static_cast<std::size_t>(i); };
  const auto n = static_cast<Index>(order.size());

  // The tree of vertices (Liu's algorithm, with shortcuts to the roots so far), and its postorder.
  std::vector<Index> number(at(n)), parent(at(n), -1), shortcut(at(n), -1);
  for (Index k = 0; k < n; ++k) number[at(order[at(k)])] = k;
  for (Index k = 0; k < n; ++k)
    for (const Index v : neighbours[at(order[at(k)])])
      for (Index i = number[at(v)]; i < k && i != -1;) {
        const Index next = shortcut[at(i)];
        shortcut[at(i)] = k;
        if (next == -1) parent[at(i)] = k;
        i = next == k ? -1 : next;
      }
  const auto postorder = [&](const std::vector<Index>& above) {
    const auto count = static_cast<Index>(above.size());
    std::vector<Index> child(above.size(), -1), sibling(above.size(), -1), result, open;
    for (Index k = count; k-- > 0;)
      if (above[at(k)] >= 0) sibling[at(k)] = std::exchange(child[at(above[at(k)])], k);
    for (Index root = 0; root < count; ++root) {
      if (above[at(root)] >= 0) continue;
      for (open.push_back(root); !open.empty();) {
        const Index k = open.back();
        if (const Index c = child[at(k)]; c >= 0) {
          child[at(k)] = sibling[at(c)];
          open.push_back(c);
        } else {
          result.push_back(k);
          open.pop_back();
        }
      }
    }
    return result;
  };
  const std::vector<Index> post = postorder(parent);
  std::vector<Index> vertex(at(n)), up(at(n)), renumber(at(n));
  for (Index k = 0; k < n; ++k) renumber[at(post[at(k)])] = k;
  for (Index k = 0; k < n; ++k) {
    vertex[at(k)] = order[at(post[at(k)])];
    const Index p = parent[at(post[at(k)])];
    up[at(k)] = p < 0 ? -1 : renumber[at(p)];
  }
  for (Index k = 0; k < n; ++k) number[at(vertex[at(k)])] = k;

  // The boundaries of vertices, which become those of supernodes.
  std::vector<std::vector<Index>> later(at(n));
  std::vector<Index> mark(at(n), -1);
  std::vector<std::vector<Index>> children(at(n));
  for (Index k = 0; k < n; ++k) {
    auto& mine = later[at(k)];
    mark[at(k)] = k;
    const auto add = [&](Index i) {
      if (i <= k || mark[at(i)] == k) return;
      mark[at(i)] = k;
      mine.push_back(i);
    };
    for (const Index v : neighbours[at(vertex[at(k)])]) add(number[at(v)]);
    for (const Index c : children[at(k)])
      for (const Index i : later[at(c)]) add(i);
    if (up[at(k)] >= 0) children[at(up[at(k)])].push_back(k);
  }

  // Clusters: each vertex at first with its parent's where the boundaries agree, then merged bottom-up.
  struct Cluster {
    std::vector<Index> vertices;
    Index top;  ///< the last vertex, whose boundary is the cluster's
    Index parent = -1;
    double below = 0;
    bool merged = false;
  };
  std::vector<Cluster> clusters;
  std::vector<Index> cluster_of(at(n));
  for (Index k = 0; k < n; ++k) {
    const bool joins = k > 0 && up[at(k - 1)] == k && later[at(k - 1)].size() == later[at(k)].size() + 1 &&
                       static_cast<Index>(clusters.back().vertices.size()) < most_width;
    if (!joins) clusters.push_back({{}, k, -1, 0, false});
    clusters.back().vertices.push_back(k);
    clusters.back().top = k;
    cluster_of[at(k)] = static_cast<Index>(clusters.size()) - 1;
  }
  std::vector<std::vector<Index>> children_of(clusters.size());
  for (std::size_t g = 0; g < clusters.size(); ++g) {
    Cluster& mine = clusters[g];
    const Index above = up[at(mine.top)];
    mine.parent = above < 0 ? -1 : cluster_of[at(above)];
    if (mine.parent >= 0) children_of[at(mine.parent)].push_back(static_cast<Index>(g));
    mine.below += static_cast<double>(mine.vertices.size());
    if (mine.parent >= 0) clusters[at(mine.parent)].below += mine.below;
  }
  for (std::size_t g = 0; g < clusters.size(); ++g) {
    Cluster& mine = clusters[g];
    const auto b = static_cast<double>(later[at(mine.top)].size());
    for (std::size_t c = 0; c < children_of[g].size(); ++c) {
      const Index child = children_of[g][c];
      Cluster& its = clusters[at(child)];
      const auto w = static_cast<double>(mine.vertices.size()), cw = static_cast<double>(its.vertices.size());
      const auto cb = static_cast<double>(later[at(its.top)].size());
      if (w + cw > most_width) continue;
      if (cost_of(w + cw, b, mine.below, n) > cost_of(w, b, mine.below, n) + cost_of(cw, cb, its.below, n)) continue;
      its.merged = true;
      mine.vertices.insert(mine.vertices.end(), its.vertices.begin(), its.vertices.end());
      for (const Index grandchild : children_of[at(child)])
        if (!clusters[at(grandchild)].merged) {
          clusters[at(grandchild)].parent = static_cast<Index>(g);
          children_of[g].push_back(grandchild);
        }
    }
  }

  // The clusters that are left, in a postorder of their tree; their vertices in the old order.
  std::vector<Index> kept, kept_number(clusters.size(), -1), above;
  for (std::size_t g = 0; g < clusters.size(); ++g)
    if (!clusters[g].merged) {
      kept_number[g] = static_cast<Index>(kept.size());
      kept.push_back(static_cast<Index>(g));
    }
  for (const Index g : kept) {
    const Index p = clusters[at(g)].parent;
    above.push_back(p < 0 ? -1 : kept_number[at(p)]);
  }
  const std::vector<Index> sequence = postorder(above);
  std::vector<Index> position(kept.size());
  for (std::size_t s = 0; s < sequence.size(); ++s) position[at(sequence[s])] = static_cast<Index>(s);

  Elimination result;
  result.owner.resize(at(n));
  std::vector<Index> final_number(at(n));
  for (const Index s : sequence) {
    Cluster& cluster = clusters[at(kept[at(s)])];
    std::sort(cluster.vertices.begin(), cluster.vertices.end());
    const auto first = static_cast<Index>(result.order.size());
    for (const Index k : cluster.vertices) {
      final_number[at(k)] = static_cast<Index>(result.order.size());
      result.owner[at(final_number[at(k)])] = static_cast<Index>(result.supernodes.size());
      result.order.push_back(vertex[at(k)]);
    }
    result.supernodes.push_back({first,
                                 static_cast<Index>(result.order.size()),
                                 above[at(s)] < 0 ? -1 : position[at(above[at(s)])],
                                 std::move(later[at(cluster.top)]),
                                 static_cast<std::int64_t>(cluster.below),
                                 true,
                                 0,
                                 {}});
  }
  for (std::size_t s = result.supernodes.size(); s-- > 0;) {
    Supernode& node = result.supernodes[s];
    if (node.parent >= 0) {
      Supernode& above_it = result.supernodes[at(node.parent)];
      above_it.leaf = false;
      node.depth = above_it.path_length();
    }
    for (Index& i : node.boundary) i = final_number[at(i)];
    std::sort(node.boundary.begin(), node.boundary.end());
    for (const Index i : node.boundary) {
      const Supernode& owner = result.supernodes[at(result.owner[at(i)])];
      node.positions.push_back(owner.depth + i - owner.first);
    }
    result.longest_path = std::max(result.longest_path, node.path_length());
  }
  result.place.resize(at(n));
  for (Index k = 0; k < n; ++k) result.place[at(result.order[at(k)])] = k;
  return result;
}

}  // namespace blockfw::detail
