// SPDX-License-Identifier: MIT
/// \file
/// \brief Reach of some vertices, from the lines of a sweep: no distance is kept.
#pragma once

#include "blockfw/detail/backend/simd.hpp"
#include "blockfw/detail/backend/unroll.hpp"
#include "blockfw/detail/rounding.hpp"
#include "blockfw/measures.hpp"
#include "blockfw/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace blockfw::detail {

/// \brief Reach of the vertices of a chunk, some side by side in a vector. What is usual is done by vectors: all are
/// reached, and none is farther than those before. The rest goes one by one.
/// \tparam Level  the vectors, part of the name of what depends on them
template <Distance T, class Level = TargetedLevel>
class ReachOfLines {
  using Sum = typename Reach<T>::Sum;
  static constexpr std::size_t unit = vector_bytes / sizeof(T);
  using V = simd<T, int(unit)>;
  using Sums = simd<Sum, int(unit)>;

  struct Group {
    Sum sum[unit] = {};
    T farthest[unit];
    std::int32_t vertex[unit], unreached[unit] = {};
  };

 public:
  /// \param count  vertices of the chunk
  void start(std::size_t count) {
    groups_.assign(div_up(count, unit), Group{});
    for (Group& group : groups_) {
      std::fill_n(group.farthest, unit, -infinity<T>);
      std::fill_n(group.vertex, unit, -1);
    }
    lines_ = 0;
  }

  /// \brief Adds the distances between a vertex and the chunk's.
  /// \param line  padded to whole vectors
  void add(std::int32_t vertex, const T* line) {
    ++lines_;
    for (std::size_t g = 0; g < groups_.size(); ++g) add(groups_[g], vertex, line + g * unit);
  }

  Reach<T> operator[](std::size_t c) const {
    const Group& group = groups_[c / unit];
    const std::size_t i = c % unit;
    return {lines_ - group.unreached[i], group.sum[i], group.farthest[i], group.vertex[i]};
  }

 private:
  static void add([[maybe_unused]] Group& to, [[maybe_unused]] std::int32_t vertex, [[maybe_unused]] const T* line) {
    // (A device's compiler knows no vectors.)
    KOKKOS_IF_ON_HOST((const V there = load<V>(line);
                       const auto unusual = (there >= load<V>(to.farthest)) | (there >= broadcast<V>(infinity<T>));
                       if (any(unusual)) return add_each(to, vertex, line); Sums sum;
                       std::memcpy(&sum, to.sum, sizeof sum); sum += __builtin_convertvector(there, Sums);
                       std::memcpy(to.sum, &sum, sizeof sum);))
  }

  static void add_each(Group& to, std::int32_t vertex, const T* line) {
    for (std::size_t i = 0; i < unit; ++i) {
      if (!(line[i] < infinity<T>)) {
        ++to.unreached[i];
        continue;
      }
      to.sum[i] += static_cast<Sum>(line[i]);
      if (line[i] < to.farthest[i] || (line[i] == to.farthest[i] && vertex > to.vertex[i])) continue;
      to.farthest[i] = line[i];
      to.vertex[i] = vertex;
    }
  }

  template <class Mask>
  static BLOCKFW_ALWAYS_INLINE bool any(const Mask& mask) {
    std::uint64_t words[sizeof(Mask) / sizeof(std::uint64_t)], all = 0;
    std::memcpy(words, &mask, sizeof mask);
    BLOCKFW_UNROLL
    for (std::size_t w = 0; w < sizeof(Mask) / sizeof(std::uint64_t); ++w) all |= words[w];
    return all != 0;
  }

  std::vector<Group> groups_;
  std::int64_t lines_ = 0;
};

}  // namespace blockfw::detail
