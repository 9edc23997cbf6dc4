// SPDX-License-Identifier: MIT
/// \file
/// \brief The labels of some vertices, made on demand from the ways of a factor.
#pragma once

#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/elimination/factor.hpp"
#include "blockfw/detail/elimination/row_products.hpp"
#include "blockfw/detail/graph/supernodes.hpp"
#include "blockfw/ground/semiring.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace blockfw::detail {

/// \brief Makes the labels of a block of vertices.
///
/// A vertex's label starts with the vertex itself, at length one(), and climbs the tree. At each supernode it is closed
/// by the paths among the supernode's vertices. Then the ways carry it to the supernode's boundary. The vertices of a
/// block climb together where their paths in the tree meet: one vector has the entries of many vertices.
///
/// A vertex takes w·(w + b) relaxes for each supernode on its path, with w vertices and a boundary of b vertices.
template <Semiring S>
class LabelBlock {
  using T = typename S::value_type;
  using Index = std::int32_t;
  using Products = RowProducts<S>;

 public:
  /// The most vertices of a block.
  static constexpr std::size_t columns = 2 * std::size_t{Products::unit};

  /// \brief The structure and the numbers must outlive this object.
  LabelBlock(const Elimination& structure, const FactorValues<T>& factor) : structure_(&structure), factor_(&factor) {}

  /// \brief Writes the labels of a block.
  ///
  /// \param numbers  of at most `columns` vertices in the order of elimination, ascending; a number may occur twice
  /// \param labels   the entry of vertex c for position p of its path is labels[p · columns + c]. The memory has room
  ///                 for the longest path of the block.
  /// \tparam Heading  from: the paths from the vertices; towards: the paths to them
  template <Sweep Heading>
  void make(std::span<const Index> numbers, T* labels) {
    std::size_t path = 0;
    for (const Index k : numbers) path = std::max(path, at(node_of(k).path_length()));
    std::fill_n(labels, path * columns, S::zero());
    open_.clear();
    for (std::size_t c = 0; c < numbers.size(); ++c) {
      const Index s = structure_->owner[at(numbers[c])];
      while (!open_.empty() && open_.back().node < s) climb<Heading>(c, labels);
      if (open_.empty() || open_.back().node != s) open_.push_back({s, c});
      const Supernode& node = structure_->supernodes[at(s)];
      labels[at(node.depth + numbers[c] - node.first) * columns + c] = S::one();
    }
    while (!open_.empty()) climb<Heading>(numbers.size(), labels);
  }

  /// Writes the whole label of one vertex: labels[p] for position p of its path.
  template <Sweep Heading>
  void make_one(Index k, T* label) {
    const Supernode& own = node_of(k);
    std::fill_n(label, own.path_length(), S::zero());
    label[own.depth + k - own.first] = S::one();
    for (Index s = structure_->owner[at(k)]; s >= 0; s = structure_->supernodes[at(s)].parent)
      climb_one<Heading>(s, label, 1);
  }

  /// The number of entries of the label of a vertex.
  std::size_t length_of(Index k) const { return at(node_of(k).path_length()); }

 private:
  /// A supernode that the vertices [first, ...) of the block have reached.
  struct Reached {
    Index node;
    std::size_t first;
  };
  static constexpr std::size_t few = 4;  // vertices that climb one by one (measured)

  const Supernode& node_of(Index k) const { return structure_->supernodes[at(structure_->owner[at(k)])]; }

  /// Takes the vertices [first, end) of the block through the supernode that they reached last, to its parent.
  template <Sweep Heading>
  void climb(std::size_t end, T* labels) {
    const Reached reached = open_.back();
    open_.pop_back();
    if (end - reached.first < few)
      for (std::size_t c = reached.first; c < end; ++c) climb_one<Heading>(reached.node, labels + c, columns);
    else
      climb_some<Heading>(reached.node, reached.first, end, labels);
    const Index parent = structure_->supernodes[at(reached.node)].parent;
    if (parent >= 0 && (open_.empty() || open_.back().node != parent)) open_.push_back({parent, reached.first});
  }

  /// \param stride  from an entry of the label to the next
  template <Sweep Heading>
  void climb_one(Index s, T* label, std::size_t stride) {
    constexpr Side side = compiled_side<S>(Heading == Sweep::from ? Side::left : Side::right);
    const Supernode& node = structure_->supernodes[at(s)];
    const std::size_t w = at(node.width()), b = node.boundary.size();
    const SweepValues<T> values = factor_->of(Heading);
    const T *own = values.own + factor_->start[at(s)].own, *ways = values.opposite_ways + factor_->start[at(s)].ways;
    const std::size_t room = round_up(w, std::size_t{Products::unit});
    T* const entries = workspace(2 * room + round_up(b, std::size_t{Products::unit}));
    T *const closed = entries + room, *const above = closed + room;
    T* const mine = label + at(node.depth) * stride;
    for (std::size_t i = 0; i < w; ++i) entries[i] = mine[i * stride];
    if (w > 1) {
      Products::template combine_rows<side>(w, entries, own, w, closed, w);
      for (std::size_t i = 0; i < w; ++i) mine[i * stride] = closed[i];
    }
    Products::template combine_rows<side>(w, w > 1 ? closed : entries, ways, b, above, b);
    const Index* const positions = node.positions.data();
    for (std::size_t y = 0; y < b; ++y) improve(label[at(positions[y]) * stride], above[y]);
  }

  template <Sweep Heading>
  void climb_some(Index s, std::size_t first, std::size_t end, T* labels) {
    constexpr Side side = compiled_side<S>(Heading == Sweep::from ? Side::right : Side::left);
    constexpr std::size_t unit = Products::unit;
    const Supernode& node = structure_->supernodes[at(s)];
    const std::size_t w = at(node.width()), b = node.boundary.size();
    const std::size_t start = first / unit * unit, length = round_up(end, unit) - start;
    // (A product takes whole vectors. Columns of other vertices are computed, too, and dropped.)
    T* const closed = workspace((w + b) * length);
    T* const above = closed + w * length;
    T* const mine = labels + at(node.depth) * columns;
    rows_.clear();
    for (std::size_t i = 0; i < w; ++i) rows_.push_back(mine + i * columns + start);
    const SweepValues<T> opposite = factor_->of(Heading == Sweep::from ? Sweep::towards : Sweep::from);
    if (w > 1) {
      Products::template relax<side>(w, w, opposite.own + factor_->start[at(s)].own, w, 1, rows_.data(), closed, length,
                                     length, true);
      for (std::size_t i = 0; i < w; ++i) {
        std::copy(closed + i * length + (first - start), closed + i * length + (end - start),
                  mine + i * columns + first);
      }
    }
    Products::template relax<side>(b, w, opposite.ways + factor_->start[at(s)].ways, 1, b, rows_.data(), above, length,
                                   length, true);
    for (std::size_t y = 0; y < b; ++y) {
      T* const row = labels + at(node.positions[y]) * columns;
      for (std::size_t c = first; c < end; ++c) improve(row[c], above[y * length + c - start]);
    }
  }

  static void improve(T& entry, T value) { entry = S::relax(entry, value, S::one()); }

  /// Memory for some numbers, aligned for vectors.
  T* workspace(std::size_t count) {
    constexpr std::size_t line = 64;
    if (count > room_) {
      room_ = count + count / 2;
      memory_ = std::make_unique_for_overwrite<T[]>(room_ + line / sizeof(T));
    }
    const auto address = reinterpret_cast<std::uintptr_t>(memory_.get());
    return memory_.get() + (round_up(address, std::uintptr_t{line}) - address) / sizeof(T);
  }

  const Elimination* structure_;
  const FactorValues<T>* factor_;
  std::vector<Reached> open_;  ///< supernodes that wait for more vertices of the block; the last is the least
  std::vector<const T*> rows_;
  std::unique_ptr<T[]> memory_;
  std::size_t room_ = 0;
};

}  // namespace blockfw::detail
