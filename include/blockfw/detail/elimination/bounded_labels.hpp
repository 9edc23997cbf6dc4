// SPDX-License-Identifier: MIT
/// \file
/// \brief The labels of a block of vertices with their bounds, and the positions of two blocks' labels that matter.
#pragma once

#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/base/two_sums.hpp"
#include "blockfw/detail/elimination/factor.hpp"
#include "blockfw/detail/elimination/labels.hpp"
#include "blockfw/detail/graph/supernodes.hpp"
#include "blockfw/ground/semiring.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

namespace blockfw::detail {

/// \brief The labels of a block of vertices, and for groups of them the least and the largest entry of each position.
template <Semiring S>
class BoundedLabels {
  using T = typename S::value_type;
  using Bound = Leading<T>;
  using Index = std::int32_t;

 public:
  static constexpr std::size_t columns = LabelMaker<S>::columns;

  /// Elements of the labels of some vertices.
  static std::size_t elements(const Elimination& structure, std::span<const Index> numbers) {
    std::int32_t path = 0;
    for (const Index k : numbers) path = std::max(path, structure.supernodes[at(structure.owner[at(k)])].path_length());
    return at(path) * columns;
  }
  /// The most elements of the labels of any block of vertices.
  static std::size_t most_elements(const Elimination& structure) { return at(structure.longest_path) * columns; }

  /// Takes the labels of a LabelMaker, and finds the bounds of groups of vertices, and of all. A group is the rows of a
  /// tile (from), or its columns (towards).
  /// \param path    the length of the longest path
  /// \param count   the number of vertices, at most `columns`
  /// \param memory  the labels
  template <Sweep Heading>
  void take(std::size_t path, std::size_t count, const T* memory) {
    constexpr std::size_t of_group = Heading == Sweep::from ? RowProducts<S>::tile_rows : RowProducts<S>::tile_columns;
    path_ = path;
    memory_ = memory;
    groups_ = div_up(count, of_group);
    least_.resize((groups_ + 1) * path_);
    most_.resize((groups_ + 1) * path_);
    for (std::size_t k = 0; k < path_; ++k) {
      Bound least_of_all = leading(row(k)[0]), most_of_all = least_of_all;
      for (std::size_t g = 0; g < groups_; ++g) {
        const T* const some = row(k) + g * of_group;
        const std::size_t size = std::min(of_group, count - g * of_group);
        Bound least = leading(some[0]), most = least;
        for (std::size_t c = 1; c < size; ++c) {
          least = std::min(least, leading(some[c]));
          most = std::max(most, leading(some[c]));
        }
        least_[(g + 1) * path_ + k] = least;
        most_[(g + 1) * path_ + k] = most;
        least_of_all = std::min(least_of_all, least);
        most_of_all = std::max(most_of_all, most);
      }
      least_[k] = least_of_all;
      most_[k] = most_of_all;
    }
  }

  /// The entries of a position: one for each vertex.
  const T* row(std::size_t position) const { return memory_ + position * columns; }
  std::size_t groups() const { return groups_; }
  /// The bounds of all positions, of group g - 1; g = 0 stands for all vertices.
  const Bound* least(std::size_t g) const { return least_.data() + g * path_; }
  const Bound* most(std::size_t g) const { return most_.data() + g * path_; }

 private:
  const T* memory_ = nullptr;
  std::size_t path_ = 0, groups_ = 0;
  std::vector<Bound> least_, most_;
};

/// \brief The positions of labels through which a shortest path may lead, from some sources to some targets.
///
/// For each position the length of all paths through it is at least the least entry of the sources plus the least entry
/// of the targets. No shortest path is longer than the largest entries of any one position. So a position whose least
/// sum exceeds the least of all largest sums is not needed. (Sums of floats are rounded, which keeps the order: the
/// result is the same to the last bit.) Other semirings take all positions.
///
/// A position is given by the start of its row in the labels.
template <Semiring S>
class NearPositions {
  using T = Leading<typename S::value_type>;
  static constexpr bool bounded = std::is_same_v<S, MinPlus<typename S::value_type>>;

 public:
  /// Finds the positions of [first, end) that all sources and all targets need.
  void find(const BoundedLabels<S>& from, const BoundedLabels<S>& towards, std::size_t first, std::size_t end) {
    chosen_.resize(end - first);
    std::iota(chosen_.begin(), chosen_.end(), static_cast<std::uint32_t>(first));
    if constexpr (bounded) {
      tile_ = chosen_;
      const T bound = bound_of(from.most(0) + first, towards.most(0) + first, end - first);
      chosen_.resize(
          choose(tile_.data(), end - first, from.least(0) + first, towards.least(0) + first, bound, chosen_.data()));
      gather(from, from_);
      gather(towards, towards_);
    }
    block_.resize(chosen_.size());
    for (std::size_t k = 0; k < chosen_.size(); ++k)
      block_[k] = chosen_[k] * static_cast<std::uint32_t>(BoundedLabels<S>::columns);
  }

  /// Finds the positions that one group of the sources and one group of the targets need.
  std::span<const std::uint32_t> find_for_tile(std::size_t sources, std::size_t targets) {
    if constexpr (bounded) {
      const std::size_t count = block_.size(), a = sources * count, b = targets * count;
      const T bound = bound_of(from_.most.data() + a, towards_.most.data() + b, count);
      const std::size_t kept =
          choose(block_.data(), count, from_.least.data() + a, towards_.least.data() + b, bound, tile_.data());
      return std::span(tile_).first(kept);
    } else {
      return block_;
    }
  }

 private:
  /// Bounds of the block's positions, for each group.
  struct Bounds {
    std::vector<T> least, most;
  };

  static T bound_of(const T* a, const T* b, std::size_t count) {
    T bound = count > 0 ? static_cast<T>(a[0] + b[0]) : leading(S::zero());
    for (std::size_t k = 1; k < count; ++k) {
      const T sum = static_cast<T>(a[k] + b[k]);
      bound = sum < bound ? sum : bound;
    }
    return bound;
  }

  /// Copies the positions whose sums do not exceed the bound.
  static std::size_t choose(const std::uint32_t* __restrict positions, std::size_t count, const T* __restrict a,
                            const T* __restrict b, T bound, std::uint32_t* __restrict chosen) {
    std::size_t kept = 0;
    for (std::size_t k = 0; k < count; ++k) {
      chosen[kept] = positions[k];
      kept += !(static_cast<T>(a[k] + b[k]) > bound);
    }
    return kept;
  }

  void gather(const BoundedLabels<S>& labels, Bounds& bounds) const {
    const std::size_t count = chosen_.size();
    bounds.least.resize(labels.groups() * count);
    bounds.most.resize(labels.groups() * count);
    for (std::size_t g = 0; g < labels.groups(); ++g) {
      const T *const least = labels.least(g + 1), *const most = labels.most(g + 1);
      for (std::size_t k = 0; k < count; ++k) {
        bounds.least[g * count + k] = least[chosen_[k]];
        bounds.most[g * count + k] = most[chosen_[k]];
      }
    }
  }

  std::vector<std::uint32_t> block_, chosen_, tile_;
  Bounds from_, towards_;
};

}  // namespace blockfw::detail
