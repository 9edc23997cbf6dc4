// SPDX-License-Identifier: MIT
/// \file
/// \brief The supernodes on the paths of a block of vertices, and which of them other vertices share.
#pragma once

#include "blockfw/detail/graph/supernodes.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace blockfw::detail {

/// \brief The supernodes above the vertices of a block.
class PathsOfBlock {
  using Index = std::int32_t;

 public:
  /// A supernode above the vertices [first, end) of the block.
  struct Above {
    std::size_t first, end;
    Index subtree_first, subtree_last;  ///< the numbers of its subtree
    std::size_t depth, depth_end;       ///< the positions of its own vertices
    std::size_t next;                   ///< the first supernode of the list that is not below this one
  };

  /// Lists the supernodes on the paths of some numbers, which are ascending.
  void find(const Elimination& structure, std::span<const Index> numbers) {
    const auto& nodes = structure.supernodes;
    list_.clear();
    open_.clear();
    // From the last number on: parents come before children in the list.
    for (std::size_t c = numbers.size(); c-- > 0;) {
      while (!open_.empty() && list_[open_.back()].subtree_first > numbers[c]) close();
      for (const std::size_t a : open_) list_[a].first = c;
      path_.clear();
      const Index last = open_.empty() ? -1 : last_;
      for (Index s = structure.owner[at(numbers[c])]; s != last; s = nodes[at(s)].parent) path_.push_back(s);
      while (!path_.empty()) {
        const Supernode& node = nodes[at(path_.back())];
        open_.push_back(list_.size());
        list_.push_back(
            {c, c + 1, static_cast<Index>(node.subtree_first()), node.last, at(node.depth), at(node.path_length()), 0});
        last_ = path_.back();
        nodes_.resize(list_.size());
        nodes_[list_.size() - 1] = last_;
        path_.pop_back();
      }
    }
    while (!open_.empty()) close();
  }

  /// \brief Calls f(supernode, first, end) for each supernode of the list with some of other numbers below it, parents
  /// before children. These are the numbers [first, end) of `others`.
  /// \param others  ascending
  template <class F>
  void for_each_above(std::span<const Index> others, const F& f) const {
    for (std::size_t a = 0; a < list_.size();) {
      const Above& node = list_[a];
      const auto below = std::lower_bound(others.begin(), others.end(), node.subtree_first);
      const auto past = std::lower_bound(below, others.end(), node.subtree_last);
      if (below == past) {
        a = node.next;
        continue;
      }
      f(node, at(below - others.begin()), at(past - others.begin()));
      ++a;
    }
  }

 private:
  template <class I>
  static std::size_t at(I i) {
    return static_cast<std::size_t>(i);
  }
  void close() {
    list_[open_.back()].next = list_.size();
    open_.pop_back();
    if (!open_.empty()) last_ = nodes_[open_.back()];
  }

  std::vector<Above> list_;
  std::vector<std::size_t> open_;  ///< entries of the list: the path of the last number
  std::vector<Index> nodes_;       ///< the supernodes of the list
  std::vector<Index> path_;
  Index last_ = -1;  ///< the supernode of the last open entry
};

}  // namespace blockfw::detail
