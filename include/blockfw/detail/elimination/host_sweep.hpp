// SPDX-License-Identifier: MIT
/// \file
/// \brief The distances between all vertices and a batch of them, out of a sparse factor, by one host thread.
#pragma once

#include "blockfw/detail/base/rounding.hpp"
#include "blockfw/detail/elimination/factor.hpp"
#include "blockfw/detail/elimination/kept_labels.hpp"
#include "blockfw/detail/elimination/label_block.hpp"
#include "blockfw/detail/elimination/row_products.hpp"
#include "blockfw/detail/graph/supernodes.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace blockfw::detail {

/// \brief Goes down the tree of supernodes with the distances of a batch of vertices.
///
/// A supernode's distances come from the distances of its boundary, which its ancestors have, and from the labels of
/// the batch's vertices in its subtree. Only the supernodes on one path of the tree are held. They are a stack, small
/// enough for a level-2 cache. The tree is walked in depth-first order: a supernode's distances take the place of
/// distances that are not needed any more.
template <Semiring S>
class HostSweep {
  using T = typename S::value_type;
  using Products = RowProducts<S>;

 public:
  /// The most vertices of a batch.
  static constexpr std::size_t most = 2048;
  /// The vertices of a batch that one thread takes. A batch is as large as possible while the stack stays in a cache,
  /// and each thread gets some batches.
  static std::size_t batch_size(const Elimination& structure, std::size_t vertices, int threads) {
    const std::size_t unit = Products::unit, stack = std::size_t(std::max(structure.longest_path, 1)) * sizeof(T);
    const std::size_t fits = cache_bytes / stack / unit * unit;
    const std::size_t balanced = vertices / (4 * static_cast<std::size_t>(threads)) / unit * unit;
    return std::clamp(std::min(fits, balanced), unit, most);
  }

  /// \param kept  labels that are kept, or null: then each batch's labels are made on demand
  HostSweep(const Elimination& structure, const FactorValues<T>& factor, std::size_t most_of_batch,
            const KeptLabels<T>* kept = nullptr)
      : structure_(structure),
        factor_(factor),
        kept_(kept),
        label_stride_(kept != nullptr ? 1 : LabelBlock<S>::columns),
        path_(index(structure.longest_path)),
        stride_(round_up(most_of_batch, std::size_t{Products::unit})),
        memory_(path_ * stride_ + padding),
        label_memory_(round_up(most_of_batch, LabelBlock<S>::columns) * path_),
        block_(structure, factor) {
    const auto address = reinterpret_cast<std::uintptr_t>(memory_.data());
    stack_ = memory_.data() + (round_up(address, std::uintptr_t{64}) - address) / sizeof(T);
  }

  /// \brief Computes the distances from all vertices to the batch's (towards), or from the batch's to all (from).
  ///
  /// \param batch  numbers of the order of elimination; a number may occur twice
  /// \param emit   emit(k, row): called for each number k; row[c] is the distance between k and batch[c]
  template <Sweep Heading, class Emit>
  void run(const std::vector<std::int32_t>& batch, const Emit& emit) {
    constexpr Side side = compiled_side<S>(Heading == Sweep::towards ? Side::left : Side::right);
    const SweepValues<T> values = factor_.of(Heading);
    const std::size_t length = round_up(batch.size(), std::size_t{Products::unit});
    make_labels<Heading>(batch);
    for (std::size_t s = structure_.supernodes.size(); s-- > 0;) {
      const Supernode& node = structure_.supernodes[s];
      const std::size_t w = index(node.width()), b = node.boundary.size();
      T* const rows = stack_ + index(node.depth) * stride_;
      boundary_.clear();
      for (const std::int32_t position : node.positions) boundary_.push_back(stack_ + index(position) * stride_);
      Products::template relax<side>(w, b, values.ways + factor_.start[s].ways, b, 1, boundary_.data(), rows, stride_,
                                     length, true);
      const auto inside = std::equal_range(sorted_.begin(), sorted_.end(), node, InSubtree{});
      for (auto c = inside.first; c != inside.second; ++c) {
        const T* const label = c->label + index(node.depth) * label_stride_;
        for (std::size_t i = 0; i < w; ++i) {
          T& entry = rows[i * stride_ + c->column];
          entry = S::relax(entry, label[i * label_stride_], S::one());
        }
      }
      for (std::size_t i = 0; i < w; ++i) emit(node.first + static_cast<std::int32_t>(i), rows + i * stride_);
    }
  }

 private:
  static constexpr std::size_t cache_bytes = std::size_t{1} << 20, padding = 64 / sizeof(T);

  struct Member {
    std::int32_t number;
    std::size_t column;
    const T* label;  ///< its entries are label_stride_ numbers apart
  };
  struct InSubtree {
    bool operator()(const Member& c, const Supernode& node) const { return c.number < node.subtree_first(); }
    bool operator()(const Supernode& node, const Member& c) const { return c.number >= node.last; }
  };
  template <class I>
  static std::size_t index(I i) {
    return static_cast<std::size_t>(i);
  }

  /// Sorts the batch by number, and makes each vertex's label.
  template <Sweep Heading>
  void make_labels(const std::vector<std::int32_t>& batch) {
    constexpr std::size_t columns = LabelBlock<S>::columns;
    sorted_.clear();
    numbers_.clear();
    for (std::size_t c = 0; c < batch.size(); ++c) sorted_.push_back({batch[c], c, nullptr});
    std::sort(sorted_.begin(), sorted_.end(), [](const Member& a, const Member& b) { return a.number < b.number; });
    if (kept_ != nullptr) {
      T* memory = label_memory_.data();
      for (Member& c : sorted_) {
        const std::size_t s = index(structure_.owner[index(c.number)]);
        const Supernode& node = structure_.supernodes[s];
        if (node.leaf) {
          whole_label<S, Heading>(structure_, factor_, *kept_, c.number, memory);
          c.label = memory;
          memory += path_;
        } else {
          c.label = kept_->labels[factor_.symmetric ? 0 : int(Heading)].data() + kept_->start[s] +
                    index(c.number - node.first) * kept_label_length(node, kept_->whole);
        }
      }
      return;
    }
    for (const Member& c : sorted_) numbers_.push_back(c.number);
    for (std::size_t first = 0; first < sorted_.size(); first += columns) {
      const std::size_t some = std::min(columns, sorted_.size() - first);
      T* const labels = label_memory_.data() + first * path_;
      block_.template make<Heading>(std::span(numbers_).subspan(first, some), labels);
      for (std::size_t c = 0; c < some; ++c) sorted_[first + c].label = labels + c;
    }
  }

  const Elimination& structure_;
  const FactorValues<T>& factor_;
  const KeptLabels<T>* kept_;
  std::size_t label_stride_;
  std::size_t path_, stride_;
  std::vector<T> memory_, label_memory_;
  LabelBlock<S> block_;
  T* stack_;
  std::vector<const T*> boundary_;
  std::vector<Member> sorted_;
  std::vector<std::int32_t> numbers_;  ///< of the sorted batch
};

}  // namespace blockfw::detail
