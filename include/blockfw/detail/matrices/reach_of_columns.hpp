// SPDX-License-Identifier: MIT
/// \file
/// \brief Reach of rows or columns of distances on a host core, with vectors: of many side by side, and of one row or
/// column.
#pragma once

#include "blockfw/detail/backend/vectors.hpp"
#include "blockfw/detail/base/lanes.hpp"
#include "blockfw/detail/base/rounding.hpp"
#include "blockfw/ground/answers.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace blockfw::detail {

/// \brief The vectors of a level that sum up distances.
/// \tparam Reach  as in measures.hpp
template <class Reach, class Level>
struct ReachVectors {
  using T = decltype(Reach::farthest);
  using Sum = typename Reach::Sum;
  /// The type of the sum of some distances. For integers of up to 16 bits, 32 bits hold a sum of 2^16 distances.
  using PartialSum = std::conditional_t<sizeof(T) <= 2, std::int32_t, Sum>;

  static constexpr int width = Level::bytes / static_cast<int>(sizeof(T));
  using V = Lanes<Level, T, width>;
  using Counts = Lanes<Level, MaskElement<T>, width>;
  using PartialSums = Lanes<Level, PartialSum, width>;

  V farthest = V::broadcast(-infinity<T>);
  Counts vertices = Counts::broadcast(0);

  /// Takes distances in, except for their sum.
  /// \return the distances that exist; 0 for others
  BLOCKFW_ALWAYS_INLINE V see(V distances) {
    const auto reached = distances < V::broadcast(infinity<T>);
    vertices = vertices - reached.numbers();
    farthest = larger(choose(reached, distances, V::broadcast(-infinity<T>)), farthest);
    return choose(reached, distances, V::broadcast(T(0)));
  }
};

/// \brief Reach of many columns side by side, some in a vector. For a sweep, a vertex of its batch is a column.
///
/// No distance is kept, and each column's sum is always added up in the same order.
template <class Reach>
class ReachOfColumns {
  using T = decltype(Reach::farthest);
  using Sum = typename Reach::Sum;
  static constexpr int unit = 64 / static_cast<int>(sizeof(T));  // for every level
  static constexpr int at_once = 16;                             // rows

  struct Group {
    Sum sum[unit] = {};
    T farthest[unit];
    std::int32_t vertex[unit], vertices[unit] = {};
  };

 public:
  /// \param count  the number of columns
  void start(std::size_t count) {
    groups_.assign(div_up(count, std::size_t{unit}), Group{});
    for (Group& group : groups_) {
      std::fill_n(group.farthest, unit, -infinity<T>);
      std::fill_n(group.vertex, unit, no_vertex);
    }
  }

  /// \brief Adds the distances of one vertex. Vertices may come in any order.
  /// \param distances  one of each column, padded to whole groups
  void add([[maybe_unused]] std::int32_t vertex, [[maybe_unused]] const T* distances) {
    KOKKOS_IF_ON_HOST((with_vectors([&](auto level) __attribute__((always_inline)) {
                         add_rows<decltype(level), 1, false>(vertex, distances, 0, groups_.size());
                       });))
  }

  /// \brief Adds the distances of all vertices, the first one's first.
  /// \param rows    the rows, each with the distances of one vertex
  /// \param stride  from one row to the next
  void add_matrix([[maybe_unused]] const T* rows, [[maybe_unused]] std::ptrdiff_t stride, [[maybe_unused]] int vertices,
                  [[maybe_unused]] int columns) {
    KOKKOS_IF_ON_HOST((with_vectors([&](auto level) __attribute__((always_inline)) {
                         int v = 0;
                         for (; v + at_once <= vertices; v += at_once)
                           add_unpadded<decltype(level), at_once>(v, rows + v * stride, stride, columns);
                         for (; v < vertices; ++v)
                           add_unpadded<decltype(level), 1>(v, rows + v * stride, stride, columns);
                       });))
  }

  Reach operator[](std::size_t column) const {
    const Group& group = groups_[column / unit];
    const std::size_t i = column % unit;
    return {group.vertices[i], group.sum[i], group.farthest[i], group.vertex[i]};
  }

 private:
  template <class Level, int Rows>
  BLOCKFW_ALWAYS_INLINE void add_unpadded(std::int32_t vertex, const T* rows, std::ptrdiff_t stride, int columns) {
    const int whole = columns / unit, rest = columns % unit;
    add_rows<Level, Rows, true>(vertex, rows, stride, static_cast<std::size_t>(whole));
    if (rest == 0) return;
    T padded[Rows][unit];
    for (int r = 0; r < Rows; ++r) {
      std::copy_n(rows + r * stride + whole * unit, rest, padded[r]);
      std::fill(padded[r] + rest, padded[r] + unit, infinity<T>);
    }
    add_group<Level, Rows, true>(groups_.back(), vertex, padded[0], unit);
  }

  template <class Level, int Rows, bool Ascending>
  BLOCKFW_ALWAYS_INLINE void add_rows(std::int32_t vertex, const T* rows, std::ptrdiff_t stride, std::size_t groups) {
    for (std::size_t g = 0; g < groups; ++g)
      add_group<Level, Rows, Ascending>(groups_[g], vertex, rows + g * unit, stride);
  }

  template <class Level, int Rows, bool Ascending>
  static BLOCKFW_ALWAYS_INLINE void add_group(Group& to, std::int32_t vertex, const T* rows, std::ptrdiff_t stride) {
    using In = ReachVectors<Reach, Level>;
    using V = typename In::V;
    using Sums = Lanes<Level, Sum, In::width>;
    using Numbers = Lanes<Level, std::int32_t, In::width>;
    constexpr bool partial = !std::is_same_v<Sum, typename In::PartialSum>;
    for (int i = 0; i < unit; i += In::width) {
      In seen;
      typename In::PartialSums sum;
      if constexpr (partial)
        sum = 0;
      else
        sum = Sums::load(to.sum + i);
      BLOCKFW_UNROLL
      for (int r = 0; r < Rows; ++r)
        sum = sum + seen.see(V::load(rows + r * stride + i)).template as<typename In::PartialSum>();
      if constexpr (partial)
        (Sums::load(to.sum + i) + sum.template as<Sum>()).store(to.sum + i);
      else
        sum.store(to.sum + i);
      (Numbers::load(to.vertices + i) + seen.vertices.template as<std::int32_t>()).store(to.vertices + i);
      const V before = V::load(to.farthest + i);
      if (!(Ascending ? seen.farthest > before : seen.farthest >= before).any()) continue;
      T farthest[In::width];
      seen.farthest.store(farthest);
      take_farther<Rows, In::width>(to, i, farthest, vertex, rows + i, stride);
    }
  }

  /// Takes the distances that are farther than those before. Of vertices at the same distance the smallest is kept.
  template <int Rows, int Width>
  static void take_farther(Group& to, int first, const T* farthest, std::int32_t vertex, const T* rows,
                           std::ptrdiff_t stride) {
    for (int i = 0; i < Width; ++i) {
      T& most = to.farthest[first + i];
      std::int32_t& at = to.vertex[first + i];
      if (farthest[i] < most || farthest[i] == -infinity<T>) continue;
      int r = 0;
      while (r + 1 < Rows && rows[r * stride + i] != farthest[i]) ++r;
      if (farthest[i] == most && at <= vertex + r) continue;
      most = rows[r * stride + i];
      at = vertex + r;
    }
  }

  std::vector<Group> groups_;
};

/// \brief Reach of one row or column whose numbers lie next to each other, with a level of vectors.
///
/// A sum of floats goes from number to number, as its order makes a difference.
template <class Reach, class Level, class T>
BLOCKFW_ALWAYS_INLINE Reach reach_of_contiguous(const T* distances, std::int64_t n) {
  using In = ReachVectors<Reach, Level>;
  using Sum = typename Reach::Sum;
  constexpr int width = In::width, most = 64;  // vectors in a block: a count of them fits a lane of 8 bits
  constexpr bool any_order = std::is_integral_v<Sum>;
  Reach all;
  std::int64_t first = 0;
  while (first + width <= n) {
    const int count = static_cast<int>(std::min<std::int64_t>(most, (n - first) / width));
    const T* const block = distances + first;
    In seen;
    auto sum = In::PartialSums::broadcast(0);
    for (int v = 0; v < count; ++v) {
      const auto there = seen.see(In::V::load(block + v * width));
      if constexpr (any_order) sum = sum + there.template as<typename In::PartialSum>();
    }
    if constexpr (!any_order)
      for (int e = 0; e < count * width; ++e) all.sum += block[e] < infinity<T> ? static_cast<Sum>(block[e]) : Sum(0);
    T farthest[width];
    MaskElement<T> vertices[width];
    typename In::PartialSum sums[width];
    seen.farthest.store(farthest);
    seen.vertices.store(vertices);
    sum.store(sums);
    Sum total = 0;
    std::int64_t reached = 0;
    T here = -infinity<T>;
    for (int i = 0; i < width; ++i) {
      reached += vertices[i];
      here = std::max(here, farthest[i]);
      if constexpr (any_order) total += sums[i];
    }
    all.vertices += reached;
    all.sum += total;
    if (here > all.farthest) {
      const T* const at = std::find(block, block + count * width, here);
      all.farthest = *at;
      all.farthest_vertex = at - distances;
    }
    first += count * width;
  }
  for (; first < n; ++first) all.see(first, distances[first]);
  return all;
}

}  // namespace blockfw::detail
