// SPDX-License-Identifier: MIT
/// \file
/// \brief The structure of an elimination: the tree of supernodes, and the boundary of each.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/backend/workspace.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/graph/neighbours.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/weights.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace blockfw::detail {

/// \brief Vertices that are eliminated together. Vertices are numbered in the order of elimination here.
struct Supernode {
  std::int32_t first, last;                ///< the vertices [first, last)
  std::int32_t parent;                     ///< the supernode of the least vertex of the boundary; -1 for a root
  std::span<const std::int32_t> boundary;  ///< ascending: the later vertices that are their neighbours by then
  std::int64_t below;                      ///< vertices of this supernode and of all supernodes below it
  bool leaf = true;                        ///< whether there is no supernode below it
  /// Positions on a supernode's path count the vertices of its ancestors and its own, from the root's first vertex on.
  std::int32_t depth = 0;                   ///< the position of this supernode's first vertex
  std::span<const std::int32_t> positions;  ///< the positions of the boundary

  std::int32_t width() const { return last - first; }
  std::int64_t subtree_first() const { return last - below; }  ///< the subtree's vertices are [subtree_first(), last)
  std::int32_t path_length() const { return depth + width(); }
};

/// The order of elimination. In it, the vertices of a supernode are neighbours, and children come before parents.
struct Elimination {
  std::vector<std::int32_t> order;    ///< order[k]: the vertex of the graph that is eliminated as number k
  std::vector<std::int32_t> place;    ///< place[v]: the number of vertex v in the order
  std::vector<Supernode> supernodes;  ///< children before parents
  std::vector<std::int32_t> owner;    ///< owner[k]: the supernode of number k
  std::int32_t longest_path = 0;      ///< the most vertices of a supernode and its ancestors
  /// Storage of all boundaries and positions, shared by copies.
  std::shared_ptr<const std::int32_t[]> boundaries;
  /// The structure in the memory of each device that has used it, shared by copies.
  std::shared_ptr<KeptOnDevices> on_devices = std::make_shared<KeptOnDevices>();

  std::int64_t vertices() const { return static_cast<std::int64_t>(order.size()); }
  /// \brief The number of a caller's vertex.
  /// \throws InvalidInput for a vertex out of range
  std::int32_t number_of(std::int64_t vertex) const {
    require_vertex(vertex, vertices());
    return place[at(vertex)];
  }
  /// \brief The numbers of a caller's list of vertices.
  /// \throws InvalidInput for a vertex out of range
  template <class List>
  std::vector<std::int32_t> numbers_of(const List& list) const {
    std::vector<std::int32_t> numbers = checked_vertices(list, vertices());
    for (std::int32_t& number : numbers) number = place[at(number)];
    return numbers;
  }
  /// \brief The numbers of the vertices [begin, end).
  /// \throws InvalidInput if these are no vertices
  std::vector<std::int32_t> numbers_from(std::int64_t begin, std::int64_t end) const {
    if (begin < 0 || begin > end || end > vertices())
      throw InvalidInput("vertices from " + std::to_string(begin) + " to before " + std::to_string(end) +
                         " are asked for, expected some from 0 to " + std::to_string(vertices()));
    return {place.begin() + begin, place.begin() + end};
  }
};

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
  std::int32_t top;       ///< the last number: its boundary is the cluster's
  std::int32_t width;     ///< the count of its numbers
  std::int32_t boundary;  ///< the size of the boundary
  std::int32_t parent;
  double below = 0;               ///< vertices of this cluster and of all clusters below it
  std::int32_t merged_into = -1;  ///< another cluster; -1: none
  std::int32_t child = -1, last_child = -1, sibling = -1;
};

/// \brief Puts each number into its parent's cluster if their boundaries agree.
/// \param most_width  the most numbers of a cluster
/// \param cluster_of  on return the cluster of each number
inline std::vector<Cluster> alike_clusters(const EliminationTree& tree, std::int32_t most_width,
                                           std::vector<std::int32_t>& cluster_of) {
  using Index = std::int32_t;
  const std::vector<Index> size = tree.boundary_sizes();
  std::vector<Cluster> clusters;
  clusters.reserve(size.size());
  cluster_of.resize(size.size());
  for (Index k = 0; k < tree.vertices(); ++k) {
    const bool joins =
        k > 0 && tree.parent(k - 1) == k && size[at(k - 1)] == size[at(k)] + 1 && clusters.back().width < most_width;
    if (!joins) clusters.push_back({k, 0, 0, -1});
    Cluster& mine = clusters.back();
    mine.top = k;
    mine.boundary = size[at(k)];
    ++mine.width;
    cluster_of[at(k)] = static_cast<Index>(clusters.size()) - 1;
  }
  for (std::size_t g = 0; g < clusters.size(); ++g) {
    Cluster& mine = clusters[g];
    mine.below += mine.width;
    const Index above = tree.parent(mine.top);
    if (above < 0) continue;
    mine.parent = cluster_of[at(above)];
    Cluster& parent = clusters[at(mine.parent)];
    (parent.child < 0 ? parent.child : clusters[at(parent.last_child)].sibling) = static_cast<Index>(g);
    parent.last_child = static_cast<Index>(g);
    parent.below += mine.below;
  }
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

/// Completes a structure except for the boundaries. It has the order, and the vertices and parents of supernodes
/// already.
inline void complete_structure(Elimination& elimination) {
  auto& nodes = elimination.supernodes;
  elimination.place = places_of(elimination.order);
  elimination.owner.resize(elimination.order.size());
  for (std::size_t s = 0; s < nodes.size(); ++s) {
    Supernode& node = nodes[s];
    std::fill(elimination.owner.begin() + node.first, elimination.owner.begin() + node.last,
              static_cast<std::int32_t>(s));
    node.below += node.width();
    if (node.parent >= 0) nodes[at(node.parent)].below += node.below;
  }
  for (std::size_t s = nodes.size(); s-- > 0;) {
    Supernode& node = nodes[s];
    if (node.parent >= 0) {
      Supernode& parent = nodes[at(node.parent)];
      parent.leaf = false;
      node.depth = parent.path_length();
    }
    elimination.longest_path = std::max(elimination.longest_path, node.path_length());
  }
}

/// \brief Makes supernodes of the remaining clusters, without their boundaries. Numbers the vertices by supernode.
inline Elimination supernodes_of(const EliminationTree& tree, const std::vector<Cluster>& clusters,
                                 const std::vector<std::int32_t>& cluster_of) {
  using Index = std::int32_t;
  Elimination result;
  // Remaining clusters keep their order. A merged cluster gets the number of the cluster it was merged into. So
  // subtrees stay without gaps.
  std::vector<Index> supernode(clusters.size());
  Index count = 0;
  for (std::size_t g = 0; g < clusters.size(); ++g)
    if (clusters[g].merged_into < 0) supernode[g] = count++;
  for (std::size_t g = clusters.size(); g-- > 0;)
    if (clusters[g].merged_into >= 0) supernode[g] = supernode[at(clusters[g].merged_into)];
  result.supernodes.reserve(at(count));
  Index next = 0;
  for (const Cluster& cluster : clusters) {
    if (cluster.merged_into >= 0) continue;
    const Index parent = cluster.parent < 0 ? -1 : supernode[at(cluster.parent)];
    result.supernodes.push_back({next, next, parent, {}, 0, true, 0, {}});
    next += cluster.width;
  }
  result.order.resize(at(next));
  for (Index k = 0; k < tree.vertices(); ++k) {
    const Index s = supernode[at(cluster_of[at(k)])];
    const Index number = result.supernodes[at(s)].last++;
    result.order[at(number)] = tree.vertex(k);
  }
  complete_structure(result);
  return result;
}

/// Sets the positions of a boundary. \return whether all its vertices are above the supernode in the tree, if subtrees
/// have no gaps
inline bool set_positions(const Elimination& elimination, Supernode& node, std::int32_t* positions) {
  node.positions = {positions, node.boundary.size()};
  for (const std::int32_t k : node.boundary) {
    if (k < node.last || at(k) >= elimination.owner.size()) return false;
    const Supernode& above = elimination.supernodes[at(elimination.owner[at(k)])];
    if (above.subtree_first() > node.first) return false;
    *positions++ = above.depth + k - above.first;
  }
  return true;
}

/// \brief Finds the boundaries: the later neighbours of a supernode's vertices, and its children's boundaries.
/// \param entries  the number of entries of all boundaries
inline void find_boundaries(Elimination& elimination, const Neighbours& neighbours, std::size_t entries) {
  using Index = std::int32_t;
  auto& nodes = elimination.supernodes;
  std::vector<Index> seen_by(elimination.order.size(), -1);
  const std::shared_ptr<Index[]> storage(new Index[2 * entries]);
  Index* boundary = storage.get();
  for (std::size_t s = 0; s < nodes.size(); ++s) {
    Supernode& node = nodes[s];
    const auto name = static_cast<Index>(s);
    Index* end = boundary;
    const auto add = [&](Index k) {
      if (k >= node.last && std::exchange(seen_by[at(k)], name) != name) *end++ = k;
    };
    for (Index k = node.first; k < node.last; ++k)
      for (const Index v : neighbours.of(elimination.order[at(k)])) add(elimination.place[at(v)]);
    // Each child's subtree ends where the next child's subtree begins. The last one ends where the supernode begins.
    for (std::int64_t k = node.first; k > node.subtree_first();) {
      const Supernode& child = nodes[at(elimination.owner[at(k - 1)])];
      for (const Index later : child.boundary) add(later);
      k = child.subtree_first();
    }
    std::sort(boundary, end);
    const Index* const start = boundary;
    node.boundary = {start, end};
    set_positions(elimination, node, boundary + entries);
    boundary = end;
  }
  elimination.boundaries = storage;
}

/// \brief Sets boundaries that are known.
/// \param sizes   of each boundary
/// \param all     the boundaries one after another
/// \return whether they can be boundaries: ascending, later numbers, all above the supernode in the tree
inline bool set_boundaries(Elimination& elimination, std::span<const std::int32_t> sizes,
                           std::span<const std::int32_t> all) {
  auto& nodes = elimination.supernodes;
  const std::shared_ptr<std::int32_t[]> storage(new std::int32_t[2 * all.size()]);
  std::copy(all.begin(), all.end(), storage.get());
  std::int32_t* next = storage.get();
  std::vector<std::size_t> open;  // supernodes whose parents are still to come
  for (std::size_t s = 0; s < nodes.size(); ++s) {
    Supernode& node = nodes[s];
    node.boundary = {next, at(sizes[s])};
    if (std::ranges::adjacent_find(node.boundary, std::greater_equal<>{}) != node.boundary.end() ||
        !set_positions(elimination, node, next + all.size()))
      return false;
    next += sizes[s];
    // Subtrees have no gaps. The boundary of a child lies in its parent and the parent's boundary.
    std::int64_t below = node.width();
    for (; !open.empty() && at(nodes[open.back()].parent) == s; open.pop_back()) {
      const Supernode& child = nodes[open.back()];
      const auto later = std::lower_bound(child.boundary.begin(), child.boundary.end(), node.last);
      if (!std::includes(node.boundary.begin(), node.boundary.end(), later, child.boundary.end())) return false;
      below += child.below;
    }
    if (below != node.below) return false;
    open.push_back(s);
  }
  elimination.boundaries = storage;
  return true;
}

/// \brief Finds the supernodes of an order of elimination.
///
/// The tree's parent of a vertex is the least later vertex that is its neighbour when it is eliminated. Vertices whose
/// neighbours are the same, except for themselves, are one supernode. A child is merged into its parent where that
/// makes the solve cheaper.
///
/// \param neighbours  of each vertex
/// \param order       a permutation of the vertices
/// \param purpose     the costs that decide which supernodes are merged
/// \param most_width  the most vertices of a merged supernode
/// \param memory      bytes that the supernodes and their boundaries may take
/// \throws OutOfMemory if they would take more; thrown before they are allocated
///
/// O(n + neighbours + vertices in all boundaries) time, except for sorting.
///
/// (A template, so that a library can hold it: ../compiled.)
template <class = void>
Elimination find_supernodes(const Neighbours& neighbours, const std::vector<std::int32_t>& order, Purpose purpose,
                            std::int32_t most_width, double memory = std::numeric_limits<double>::infinity()) {
  // (In the order's own numbers, as neighbours that are eliminated one after another are near in the memory then.)
  const Neighbours local = renumbered(neighbours, order);
  const EliminationTree tree(local);
  std::vector<std::int32_t> cluster_of;
  std::vector<Cluster> clusters = alike_clusters(tree, most_width, cluster_of);
  merge_clusters(clusters, purpose, most_width, static_cast<double>(order.size()));
  std::size_t entries = 0, count = 0;
  for (const Cluster& cluster : clusters) {
    const bool stays = cluster.merged_into < 0;
    entries += if_it_counts(stays, static_cast<std::size_t>(cluster.boundary));
    count += stays;
  }
  // The renumbered lists; supernodes; numbers of each vertex (order, place, owner, and an array for the boundaries);
  // the boundaries.
  const double needed =
      sizeof(std::size_t) * static_cast<double>(local.first.size()) +
      sizeof(std::int32_t) * static_cast<double>(local.all.size()) + sizeof(Supernode) * static_cast<double>(count) +
      sizeof(std::int32_t) * (4.0 * static_cast<double>(order.size()) + 2.0 * static_cast<double>(entries));
  if (needed > memory)
    throw_out_of_memory("the supernodes of " + std::to_string(order.size()) + " vertices", needed, memory, 0, true);

  Elimination result = supernodes_of(tree, clusters, cluster_of);
  find_boundaries(result, local, entries);
  for (std::int32_t& v : result.order) v = order[at(v)];
  result.place = places_of(result.order);
  return result;
}

}  // namespace blockfw::detail
