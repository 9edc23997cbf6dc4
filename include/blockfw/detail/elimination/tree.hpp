// SPDX-License-Identifier: MIT
/// \file
/// \brief Walks over the tree of supernodes: a supernode's children, their rows in its front, and rows by level.
#pragma once

#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/graph/supernodes.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace blockfw::detail {

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
