// SPDX-License-Identifier: MIT
/// \file
/// \brief Reach of some vertices, from the lines of a sweep: no distance is kept.
#pragma once

#include "blockfw/measures.hpp"
#include "blockfw/semiring.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace blockfw::detail {

/// \brief Reach of the vertices of a chunk, side by side, so that a compiler makes vectors of it.
template <Distance T>
class ReachOfLines {
  using Sum = typename Reach<T>::Sum;
  static constexpr std::size_t unit = 64;

  struct Group {
    Sum sum[unit] = {};
    T farthest[unit];
    std::int32_t vertex[unit], vertices[unit] = {};
  };

 public:
  void start(std::size_t count) {
    groups_.assign((count + unit - 1) / unit, Group{});
    for (Group& group : groups_) {
      std::fill_n(group.farthest, unit, -infinity<T>);
      std::fill_n(group.vertex, unit, -1);
    }
    count_ = count;
  }

  /// Adds the distances between a vertex and the chunk's.
  void add(std::int32_t vertex, const T* line) {
    std::size_t group = 0;
    for (; (group + 1) * unit <= count_; ++group) add(groups_[group], vertex, line + group * unit);
    if (group * unit == count_) return;
    T rest[unit];
    std::fill_n(rest, unit, infinity<T>);
    std::copy(line + group * unit, line + count_, rest);
    add(groups_[group], vertex, rest);
  }

  Reach<T> operator[](std::size_t c) const {
    const Group& group = groups_[c / unit];
    const std::size_t i = c % unit;
    return {group.vertices[i], group.sum[i], group.farthest[i], group.vertex[i]};
  }

 private:
  static void add(Group& to, std::int32_t vertex, const T* line) {
    for (std::size_t i = 0; i < unit; ++i) {
      const bool reached = line[i] < infinity<T>;
      to.sum[i] += reached ? static_cast<Sum>(line[i]) : Sum(0);
      to.vertices[i] += reached;
    }
    for (std::size_t i = 0; i < unit; ++i) {
      const bool reached = line[i] < infinity<T>;
      const bool farther = reached & ((line[i] > to.farthest[i]) |
                                      ((line[i] == to.farthest[i]) & (vertex < to.vertex[i])));
      to.farthest[i] = farther ? line[i] : to.farthest[i];
      to.vertex[i] = farther ? vertex : to.vertex[i];
    }
  }

  std::vector<Group> groups_;
  std::size_t count_ = 0;
};

}  // namespace blockfw::detail
