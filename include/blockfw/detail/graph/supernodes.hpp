// SPDX-License-Identifier: MIT
/// \file
/// \brief The structure of an elimination: the tree of supernodes, the boundary of each, and walks over the tree.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/backend/workspace.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/graph/clusters.hpp"
#include "blockfw/detail/graph/elimination_steps.hpp"
#include "blockfw/detail/graph/neighbours.hpp"
#include "blockfw/detail/loops/threads.hpp"
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
  std::int64_t below = 0;                  ///< vertices of this supernode and of all supernodes below it
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

/// \brief Makes supernodes of the remaining clusters, without their boundaries. Numbers the vertices by supernode: each
/// subtree without gaps, children before parents.
/// \param vertex  vertex(k) is the vertex of the clusters' number k
/// \param tops    on return the remaining cluster of each supernode
template <class Vertex>
Elimination supernodes_of(const std::vector<Cluster>& clusters, std::int32_t vertices, const Vertex& vertex,
                          std::vector<std::int32_t>& tops) {
  using Index = std::int32_t;
  struct Subtree {
    Index top;             ///< the remaining cluster that the cluster is a part of
    Index supernodes = 0;  ///< of a remaining cluster: the supernodes of its subtree
    Index name = 0;        ///< its supernode. The subtrees below end before `free` and `free_vertex`.
    Index free = 0, free_vertex = 0;
  };
  std::vector<Subtree> subtrees(clusters.size());
  for (std::size_t g = clusters.size(); g-- > 0;) {
    const Index into = clusters[g].merged_into;
    subtrees[g].top = into < 0 ? static_cast<Index>(g) : subtrees[at(into)].top;
  }
  Subtree all{-1, 0, -1, 0, vertices};
  const auto above = [&](const Cluster& its) -> Subtree& {
    return its.parent < 0 ? all : subtrees[at(subtrees[at(its.parent)].top)];
  };
  for (std::size_t g = 0; g < clusters.size(); ++g)
    if (clusters[g].merged_into < 0) above(clusters[g]).supernodes += ++subtrees[g].supernodes;
  all.free = all.supernodes;

  Elimination result;
  result.supernodes.resize(at(all.free));
  tops.resize(at(all.free));
  for (std::size_t g = clusters.size(); g-- > 0;) {
    const Cluster& mine = clusters[g];
    if (mine.merged_into >= 0) continue;
    Subtree &its = subtrees[g], &parent = above(mine);
    its.name = its.free = parent.free - 1;
    its.free_vertex = parent.free_vertex - mine.width;
    parent.free -= its.supernodes;
    parent.free_vertex -= static_cast<Index>(mine.below);
    Supernode& node = result.supernodes[at(its.name)];
    node.first = node.last = its.free_vertex;
    node.parent = parent.name;
    tops[at(its.name)] = static_cast<Index>(g);
  }
  result.order.resize(at(vertices));
  for (std::size_t g = 0; g < clusters.size(); ++g) {
    Index& last = result.supernodes[at(subtrees[at(subtrees[g].top)].name)].last;
    const Index end = g + 1 < clusters.size() ? clusters[g + 1].first : vertices;
    for (Index k = clusters[g].first; k < end; ++k) result.order[at(last++)] = vertex(k);
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

/// \brief The boundaries of the steps that end the supernodes.
/// \param tops     the step of each supernode
/// \param entries  the number of entries of all boundaries
inline void take_boundaries(Elimination& elimination, const EliminationSteps& steps,
                            const std::vector<std::int32_t>& tops, std::size_t entries) {
  auto& nodes = elimination.supernodes;
  const std::shared_ptr<std::int32_t[]> storage(new std::int32_t[2 * entries]);
  std::vector<std::size_t> first(nodes.size());
  std::size_t end = 0;
  for (std::size_t s = 0; s < nodes.size(); ++s) {
    first[s] = end;
    end += at(steps.steps[at(tops[s])].size);
  }
  for_host_pieces(nodes.size(), "blockfw::boundaries", [&](std::size_t begin, std::size_t behind) {
    for (std::size_t s = begin; s < behind; ++s) {
      std::int32_t *const boundary = storage.get() + first[s], *next = boundary;
      // (The vertices of a run are in the same supernode, one after another.)
      for (const auto& [k, count] : steps.boundary(at(tops[s])))
        for (std::int32_t j = 0; j < count; ++j) *next++ = elimination.place[at(k)] + j;
      std::sort(boundary, next);
      nodes[s].boundary = {boundary, next};
      set_positions(elimination, nodes[s], boundary + entries);
    }
  });
  elimination.boundaries = storage;
}

/// \brief The entries of the boundaries of the remaining clusters.
/// \param lists  bytes of other lists that are kept
/// \throws OutOfMemory if these and the supernodes would take more than `memory`
inline std::size_t checked_entries(const std::vector<Cluster>& clusters, std::size_t vertices, double lists,
                                   double memory) {
  std::size_t entries = 0, count = 0;
  for (const Cluster& cluster : clusters) {
    const bool stays = cluster.merged_into < 0;
    entries += if_it_counts(stays, static_cast<std::size_t>(cluster.boundary));
    count += stays;
  }
  // The lists; supernodes; numbers of each vertex (order, place, owner, and an array for the boundaries); the
  // boundaries.
  const double needed =
      lists + sizeof(Supernode) * static_cast<double>(count) +
      sizeof(std::int32_t) * (4.0 * static_cast<double>(vertices) + 2.0 * static_cast<double>(entries));
  if (needed > memory)
    throw_out_of_memory("the supernodes of " + std::to_string(vertices) + " vertices", needed, memory, 0, true);
  return entries;
}

/// The caller's vertices instead of their places in an order.
inline void name_vertices(Elimination& elimination, const std::vector<std::int32_t>& order) {
  for (std::int32_t& v : elimination.order) v = order[at(v)];
  elimination.place = places_of(elimination.order);
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
  std::vector<Cluster> clusters = alike_clusters(tree, most_width);
  merge_clusters(clusters, purpose, most_width, static_cast<double>(order.size()));
  const double lists = sizeof(std::size_t) * static_cast<double>(local.first.size()) +
                       sizeof(std::int32_t) * static_cast<double>(local.all.size());
  const std::size_t entries = checked_entries(clusters, order.size(), lists, memory);
  std::vector<std::int32_t> tops;
  Elimination result = supernodes_of(clusters, tree.vertices(), [&](std::int32_t k) { return tree.vertex(k); }, tops);
  find_boundaries(result, local, entries);
  name_vertices(result, order);
  return result;
}

/// \brief Finds the supernodes of the steps of an elimination. Steps of the same later vertices are joined where that
/// makes the solve cheaper.
/// \param steps  of all vertices, with boundaries; the rest as in find_supernodes()
inline Elimination supernodes_of_steps(const EliminationSteps& steps, Purpose purpose, std::int32_t most_width,
                                       double memory) {
  std::vector<Cluster> clusters = clusters_of(steps);
  merge_clusters(clusters, purpose, most_width, static_cast<double>(steps.order.size()));
  const std::size_t entries = checked_entries(clusters, steps.order.size(), steps.bytes(), memory);
  std::vector<std::int32_t> tops;
  Elimination result =
      supernodes_of(clusters, static_cast<std::int32_t>(steps.order.size()), [](std::int32_t k) { return k; }, tops);
  take_boundaries(result, steps, tops, entries);
  name_vertices(result, steps.order);
  return result;
}

/// Some rows of a supernode, from `row` on.
struct RowsTask {
  std::int32_t node, row;
};

/// Calls f(child) for the children of supernode s, from the last to the first. (They come right before it, each with
/// its subtree.)
template <class F>
void for_each_child(const Elimination& structure, std::size_t s, const F& f) {
  const Supernode& node = structure.supernodes[s];
  for (std::int64_t first = node.first; first > node.subtree_first();) {
    const std::size_t child = at(structure.owner[at(first - 1)]);
    f(child);
    first = structure.supernodes[child].subtree_first();
  }
}

/// Calls f(row) for each vertex of a child's boundary, in order, with its row in the front of the parent.
template <class F>
void for_rows_in_parent(const Supernode& child, const Supernode& parent, const F& f) {
  auto later = parent.boundary.begin();
  for (const std::int32_t k : child.boundary) {
    while (k >= parent.last && *later != k) ++later;
    f(k < parent.last ? k - parent.first : parent.width() + static_cast<std::int32_t>(later - parent.boundary.begin()));
  }
}

/// \brief The rows of some supernodes, by the level of the tree, from the roots down.
/// \param at_once  rows of a task
/// \param takes    takes(node): whether the rows of a supernode are among them
template <class Takes>
std::vector<std::vector<RowsTask>> rows_by_level(const Elimination& structure, std::int32_t at_once,
                                                 const Takes& takes) {
  const auto& nodes = structure.supernodes;
  std::vector<std::size_t> level(nodes.size(), 0);
  std::vector<std::vector<RowsTask>> tasks;
  for (std::size_t s = nodes.size(); s-- > 0;) {
    const Supernode& node = nodes[s];
    if (node.parent >= 0) level[s] = level[at(node.parent)] + 1;
    if (tasks.size() <= level[s]) tasks.resize(level[s] + 1);
    for (std::int32_t row = 0; takes(node) && row < node.width(); row += at_once)
      tasks[level[s]].push_back({static_cast<std::int32_t>(s), row});
  }
  return tasks;
}

}  // namespace blockfw::detail
