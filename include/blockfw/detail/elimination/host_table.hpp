// SPDX-License-Identifier: MIT
/// \file
/// \brief A table of distances from some vertices to others, on a host's threads: products of labels.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/backend/vectors.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/elimination/bounded_labels.hpp"
#include "blockfw/detail/elimination/factor.hpp"
#include "blockfw/detail/elimination/labels.hpp"
#include "blockfw/detail/elimination/row_products.hpp"
#include "blockfw/detail/elimination/sorted_numbers.hpp"
#include "blockfw/detail/graph/supernodes.hpp"
#include "blockfw/detail/loops/threads.hpp"
#include "blockfw/detail/plan/finish.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace blockfw::detail {

/// A supernode above the vertices [first, end) of a block.
struct SupernodeAbove {
  std::size_t first, end;
  std::int32_t subtree_first, subtree_last;  ///< the numbers of its subtree
  std::size_t depth, depth_end;              ///< the positions of its own vertices
};

/// \brief Lists the supernodes on the paths of some numbers, parents before children.
/// \param numbers  ascending
inline void list_above(const Elimination& structure, std::span<const std::int32_t> numbers,
                       std::vector<SupernodeAbove>& list) {
  list.clear();
  // From the last number to the first. A supernode is listed already if its subtree also has the number after this one.
  for (std::size_t c = numbers.size(); c-- > 0;) {
    const auto before = static_cast<std::ptrdiff_t>(list.size());
    for (std::int32_t s = structure.owner[at(numbers[c])]; s >= 0; s = structure.supernodes[at(s)].parent) {
      const Supernode& node = structure.supernodes[at(s)];
      if (c + 1 < numbers.size() && numbers[c + 1] < node.last) break;
      const auto subtree_first = static_cast<std::int32_t>(node.subtree_first());
      const auto first = std::lower_bound(numbers.begin(), numbers.end(), subtree_first);
      list.push_back(
          {at(first - numbers.begin()), c + 1, subtree_first, node.last, at(node.depth), at(node.path_length())});
    }
    std::reverse(list.begin() + before, list.end());
  }
}

/// \brief Calls f(supernode, first, end) for each supernode of a list of list_above() that has some of `others` in its
/// subtree. Parents come before children. The numbers in the subtree are [first, end) of `others`.
/// \param others  ascending
template <class F>
void for_each_above(const std::vector<SupernodeAbove>& list, std::span<const std::int32_t> others, const F& f) {
  for (auto node = list.begin(); node != list.end();) {
    const auto below = std::lower_bound(others.begin(), others.end(), node->subtree_first);
    const auto past = std::lower_bound(below, others.end(), node->subtree_last);
    if (below < past) {
      f(*node, at(below - others.begin()), at(past - others.begin()));
      ++node;
    } else {  // leave out all supernodes below it
      node = std::partition_point(node + 1, list.end(), [first = node->subtree_first](const SupernodeAbove& other) {
        return other.subtree_last > first;
      });
    }
  }
}

/// \brief The distances to some targets. The labels of the targets are made once, for any number of sources.
///
/// Sources and targets are sorted by their numbers in the order of elimination. Below a supernode lie consecutive
/// sources and consecutive targets. Let S and T be the sources and targets below supernode k, X the sources' labels
/// (from) and Y the targets' labels (towards). For each k the table gets D(S, T) ← D(S, T) ⊕ X(S, k) ⊗ Y(k, T).
///
/// The work is done block by block. For most blocks all sources and all targets are below the same few supernodes,
/// which lie on one path of the tree. So most of the work is one product.
///
/// Shortest paths take few of a path's vertices: sources of a block are near each other, and so are targets. A bound
/// shows which vertices are too far away to be on any shortest path of a tile (BoundedLabels).
///
/// Several sets of weights have several times the labels. So the labels of some sources are made in all sets first.
/// Then each set is multiplied by itself, and the labels of its targets stay in a cache.
///
/// \tparam Maker  makes the labels: a LabelMaker, or a SetLabelMaker, with which each of several sets of weights has a
///                table
template <class Maker, class Host>
class HostTable {
  using S = typename Maker::Over;
  using T = typename S::value_type;
  using Factor = typename Maker::Factor;
  using Index = std::int32_t;
  using Products = RowProducts<S>;
  using Labels = BoundedLabels<S>;
  static constexpr std::size_t columns = Labels::columns, tile_rows = Products::tile_rows,
                               tile_columns = Products::tile_columns;
  static constexpr bool one_set = std::is_same_v<Factor, HostFactor<S>>;

 public:
  /// \brief Makes the labels of the targets.
  /// \param targets  numbers of the order of elimination, in any order; a number may occur twice
  ///
  /// The instance, the structure and the numbers must outlive the table.
  HostTable(const Host& exec, const Factor& factor, std::span<const Index> targets)
      : exec_(exec), factor_(factor), targets_(targets) {
    if (Labels::most_elements(factor_.structure) > std::numeric_limits<std::uint32_t>::max())
      throw InvalidInput("the longest path of the tree of supernodes has " +
                         std::to_string(factor_.structure.longest_path) + " vertices, expected at most " +
                         std::to_string(std::numeric_limits<std::uint32_t>::max() / columns) + " for a table");
    make_all<Sweep::towards>("targets", targets_.numbers, labels_);
    const std::size_t count = targets.size();
    places_.resize(count);
    for (std::size_t c = 0; c < count; ++c) places_[targets_.place[c]] = static_cast<Index>(c);
    in_order_ = std::is_sorted(places_.begin(), places_.end());
  }

  /// \brief Writes the rows of some sources.
  /// \param sources  numbers of the order of elimination, in any order; a number may occur twice
  /// \param first    the first row begins here: row r has the distances from sources[r] to the targets
  /// \param stride   from the start of a row to the start of the next
  /// \param of_set   the entries from the first row of a set to the first row of the next set
  void rows(std::span<const Index> sources, T* first, std::size_t stride, std::size_t of_set = 0) const {
    if (sources.empty() || targets_.numbers.empty()) return;
    const SortedNumbers sorted(sources);
    // Blocks of sources for which the labels of a set's targets are read, and whose labels take some memory.
    constexpr std::size_t least = 16, largest = 64;
    const std::size_t most =
        one_set ? sources.size() : columns * std::clamp(4 * at(exec_.concurrency()), least, largest);
    LabelsOfBlocks mine;  // (With one set a thread makes them, where it multiplies them.)
    for (std::size_t begin = 0; begin < sources.size(); begin += most) {
      const std::size_t count = std::min(most, sources.size() - begin);
      const auto some = std::span<const Index>(sorted.numbers).subspan(begin, count);
      if constexpr (!one_set) make_all<Sweep::from>("sources", some, mine);
      write(some, std::span<const std::size_t>(sorted.place).subspan(begin, count), mine, first, stride, of_set);
    }
  }

 private:
  /// The labels of vertices, block by block.
  struct LabelsOfBlocks {
    std::vector<Labels> of;  ///< each block in each set
    typename FactorValues<T>::Array memory;
  };

  /// The sets of weights.
  std::size_t sets() const { return factor_.sets(); }

  /// \brief Makes the labels of all blocks of some numbers.
  /// \param what     the vertices, for errors
  /// \param numbers  ascending
  /// \param labels   the result; its memory is used again
  template <Sweep Heading>
  void make_all(const char* what, std::span<const Index> numbers, LabelsOfBlocks& labels) const {
    const std::size_t blocks = div_up(numbers.size(), columns);
    std::vector<std::size_t> start(blocks + 1, 0);
    for (std::size_t b = 0; b < blocks; ++b)
      start[b + 1] = start[b] + Labels::elements(factor_.structure, block_of(numbers, b));
    if (const std::size_t needed = start[blocks] * sets() + vector_padding<T>; needed > labels.memory.size()) {
      labels.memory = {};
      require_memory(exec_, "the labels of " + std::to_string(numbers.size()) + " " + what,
                     static_cast<double>(needed) * sizeof(T));
      labels.memory = FactorValues<T>::allocate("blockfw::labels", needed);
    }
    labels.of.resize(blocks * sets());
    const std::size_t workers = std::min(at(exec_.concurrency()), blocks);
    std::atomic<std::size_t> next = 0;
    for_tasks(exec_, static_cast<std::int64_t>(workers), "blockfw::labels", [&](std::int64_t) {
      Maker maker(factor_);
      for (std::size_t b; (b = next++) < blocks;)
        make<Heading>(maker, block_of(numbers, b), aligned(labels.memory.data()) + start[b] * sets(),
                      start[b + 1] - start[b], &labels.of[b * sets()]);
    });
  }

  /// \brief Writes the rows of some sources.
  /// \param sources  ascending
  /// \param rows     the row of each source
  /// \param mine     the labels of the sources, where there are several sets
  void write(std::span<const Index> sources, std::span<const std::size_t> rows, const LabelsOfBlocks& mine, T* first,
             std::size_t stride, std::size_t of_set) const {
    const std::size_t blocks = div_up(sources.size(), columns), of_targets = labels_.of.size() / sets();
    // A task has a block of sources and a segment of targets in one set. Each thread gets several tasks.
    const std::size_t threads = at(exec_.concurrency());
    const std::size_t segments = std::clamp<std::size_t>(div_up(4 * threads, blocks * sets()), 1, of_targets);
    const std::size_t in_segment = div_up(of_targets, segments);
    const std::size_t in_set = blocks * div_up(of_targets, in_segment), tasks = sets() * in_set;
    const std::size_t workers = std::min(threads, tasks);
    require_memory(exec_, "the products of " + std::to_string(workers) + " threads",
                   static_cast<double>(workers * Worker::elements(factor_, in_segment * columns)) * sizeof(T));
    std::atomic<std::size_t> next = 0;
    for_tasks(exec_, static_cast<std::int64_t>(workers), "blockfw::table", [&](std::int64_t) {
      Worker worker(*this, in_segment * columns);
      for (std::size_t task; (task = next++) < tasks;) {
        const std::size_t set = task / in_set, block = task % in_set % blocks,
                          target = task % in_set / blocks * in_segment;
        worker.take(block_of(sources, block), one_set ? nullptr : &mine.of[block * sets() + set]);
        worker.multiply(set, target, std::min(of_targets, target + in_segment));
        worker.write(set, block_of(rows, block), target * columns, first + set * of_set, stride);
      }
    });
  }

  /// \brief Makes the labels of a block of vertices in each set, and their bounds.
  /// \param memory  of the labels
  /// \param of_set  the elements from the labels of a set to the labels of the next set
  /// \param labels  one for each set
  template <Sweep Heading>
  void make(Maker& maker, std::span<const Index> numbers, T* memory, std::size_t of_set, Labels* labels) const {
    const std::size_t path = maker.template make<Heading>(numbers, memory, of_set);
    for (std::size_t set = 0; set < sets(); ++set)
      labels[set].template take<Heading>(path, numbers.size(), memory + set * of_set);
  }

  template <class E>
  static std::span<const E> block_of(std::span<const E> all, std::size_t b) {
    return all.subspan(b * columns, std::min(columns, all.size() - b * columns));
  }

  /// Sources, targets, and positions of their labels.
  struct Product {
    std::size_t row_first = 0, row_end = 0, first = 0, end = 0, depth = 0, depth_end = 0;
    bool continues(const Product& p) const {
      return row_first == p.row_first && row_end == p.row_end && first == p.first && end == p.end &&
             depth == p.depth_end;
    }
  };

  /// One thread's part: some sources, and their distances to a segment of the targets.
  class Worker {
   public:
    static std::size_t elements(const Factor& factor, std::size_t width) {
      return columns * width + tile_rows * tile_columns +
             (one_set ? Labels::most_elements(factor.structure) : std::size_t{0}) + vector_padding<T>;
    }

    Worker(const HostTable& table, std::size_t width)
        : table_(table),
          maker_(table.factor_),
          width_(width),
          memory_(std::make_unique_for_overwrite<T[]>(elements(table.factor_, width))),
          distances_(aligned(memory_.get())),
          tile_(distances_ + columns * width) {}

    /// Takes some sources, and finds the supernodes on their paths.
    /// \param labels  of the sources in a set; with one set they are made here
    void take(std::span<const Index> sources, const Labels* labels) {
      sources_ = sources;
      mine_ = labels;
      if constexpr (one_set) {
        table_.template make<Sweep::from>(maker_, sources, tile_ + tile_rows * tile_columns,
                                          Labels::most_elements(table_.factor_.structure), &own_);
        mine_ = &own_;
      }
      list_above(table_.factor_.structure, sources, above_);
    }

    /// The distances of a set to the targets of the blocks [first, end).
    void multiply(std::size_t set, std::size_t first, std::size_t end) {
      const Labels& mine = *mine_;
      for (std::size_t b = first; b < end; ++b) {
        const auto targets = block_of(std::span<const Index>(table_.targets_.numbers), b);
        const Labels& theirs = table_.labels_.of[b * table_.sets() + set];
        T* const d = distances_ + (b - first) * columns;
        Product product;
        bool fresh = true;
        for_each_above(above_, targets, [&](const SupernodeAbove& node, std::size_t below, std::size_t past) {
          const Product its{node.first, node.end, below, past, node.depth, node.depth_end};
          if (its.continues(product)) {
            product.depth_end = its.depth_end;
          } else {
            fresh = multiply(product, mine, theirs, d, targets.size(), fresh);
            product = its;
          }
        });
        fresh = multiply(product, mine, theirs, d, targets.size(), fresh);
        if (fresh) clear(d);
      }
    }

    /// \brief Writes the rows of a set, with the targets in the caller's order.
    /// \param rows   the caller's rows
    /// \param first  the first target of the segment, as sorted
    void write(std::size_t set, std::span<const std::size_t> rows, std::size_t first, T* out, std::size_t stride) {
      const std::size_t count = std::min(width_, table_.targets_.numbers.size() - first);
      const bool whole = count == table_.targets_.numbers.size();
      const Finish<S> finish = table_.factor_.finish(set);
      for (std::size_t r = 0; r < rows.size(); ++r) {
        T* const d = distances_ + r * width_;
        finish.mark(d, count);
        if (table_.factor_.sets_own(set)) set_own(r, d, first, count);
        T* const row = out + rows[r] * stride;
        if (table_.in_order_)
          std::copy_n(d, count, row + first);
        else if (whole)
          gather(d, count, row);
        else
          for (std::size_t c = 0; c < count; ++c) row[table_.targets_.place[first + c]] = d[c];
      }
    }

   private:
    void clear(T* d) const {
      for (std::size_t r = 0; r < columns; ++r) std::fill_n(d + r * width_, columns, S::zero());
    }

    /// \param mine, theirs  the labels of the sources, and of the targets of a block
    /// \param d             the distances to these targets
    /// \param fresh         whether nothing has been written to d
    /// \return the same afterwards
    bool multiply(const Product& p, const Labels& mine, const Labels& theirs, T* d, std::size_t targets, bool fresh) {
      if (p.row_first == p.row_end) return fresh;
      if (p.row_first == 0 && p.row_end == sources_.size() && p.first == 0 && p.end == targets && fresh) {
        multiply_all(p, mine, theirs, d, targets);
        return false;
      }
      if (fresh) clear(d);
      starts_.clear();
      for (std::size_t k = p.depth; k < p.depth_end; ++k) starts_.push_back(static_cast<std::uint32_t>(k * columns));
      // (A product takes whole tiles. Entries of other sources and targets are computed, too, and dropped.)
      for (std::size_t i = p.row_first / tile_rows * tile_rows; i < p.row_end; i += tile_rows)
        for (std::size_t j = p.first / tile_columns * tile_columns; j < p.end; j += tile_columns) {
          Products::relax_tile(starts_.size(), starts_.data(), mine.row(0) + i, theirs.row(0) + j, tile_, tile_columns);
          for (std::size_t r = std::max(i, p.row_first); r < std::min(p.row_end, i + tile_rows); ++r)
            for (std::size_t c = std::max(j, p.first); c < std::min(p.end, j + tile_columns); ++c) {
              T& entry = d[r * width_ + c];
              entry = S::relax(entry, tile_[(r - i) * tile_columns + c - j], S::one());
            }
        }
      return false;
    }

    /// The product of all sources and all targets of a block.
    void multiply_all(const Product& p, const Labels& mine, const Labels& theirs, T* d, std::size_t targets) {
      near_.find(mine, theirs, p.depth, p.depth_end);
      for (std::size_t i = 0; i < sources_.size(); i += tile_rows)
        for (std::size_t j = 0; j < targets; j += tile_columns) {
          const auto starts = near_.find_for_tile(i / tile_rows, j / tile_columns);
          Products::relax_tile(starts.size(), starts.data(), mine.row(0) + i, theirs.row(0) + j, d + i * width_ + j,
                               width_);
        }
    }

    /// Writes a whole row in the caller's order, past the cache.
    void gather(const T* d, std::size_t count, T* row) const {
      constexpr std::size_t at_once = 1024;
      T some[at_once];
      for (std::size_t first = 0; first < count; first += at_once) {
        const std::size_t size = std::min(at_once, count - first);
        const Index* const places = table_.places_.data() + first;
        for (std::size_t c = 0; c < size; ++c) some[c] = d[places[c]];
        copy_past_cache(some, row + first, size);
      }
    }

    void set_own(std::size_t r, T* d, std::size_t first, std::size_t count) const {
      const auto begin = table_.targets_.numbers.begin() + static_cast<std::ptrdiff_t>(first);
      const auto same = std::equal_range(begin, begin + static_cast<std::ptrdiff_t>(count), sources_[r]);
      std::fill(d + (same.first - begin), d + (same.second - begin), S::one());
    }

    const HostTable& table_;
    Maker maker_;
    std::size_t width_;
    std::unique_ptr<T[]> memory_;
    T *distances_, *tile_;
    Labels own_;  ///< labels that are made here
    const Labels* mine_ = nullptr;
    std::span<const Index> sources_;
    std::vector<SupernodeAbove> above_;  ///< the supernodes above the sources
    NearPositions<S> near_;
    std::vector<std::uint32_t> starts_;
  };

  const Host& exec_;
  Factor factor_;
  SortedNumbers targets_;
  LabelsOfBlocks labels_;      ///< of the targets
  std::vector<Index> places_;  ///< the places of the caller's targets among the sorted targets
  bool in_order_;
};

/// \brief The number of targets whose labels are made at once: a quarter of the free memory holds these labels.
/// \param sets  of weights
template <class T>
std::size_t labels_at_once(const Elimination& structure, std::size_t targets, std::size_t sets = 1) {
  constexpr std::size_t few = 4096;
  if (targets <= few) return few;
  const double label = std::max(1., static_cast<double>(at(structure.longest_path) * sets) * sizeof(T));
  return static_cast<std::size_t>(std::clamp(available_host_bytes() / 4 / label, static_cast<double>(few), 1e9));
}

/// \brief Writes the distances from each source to each target. The labels of some targets are made at once.
/// \param sources, targets  numbers of the order of elimination
/// \param first             the first row begins here
/// \param stride            from the start of a row to the start of the next
/// \param of_set            the entries from the first row of a set of weights to the first row of the next set
template <class Maker, class Host, class T>
void write_table(const Host& exec, const typename Maker::Factor& factor, std::span<const std::int32_t> sources,
                 std::span<const std::int32_t> targets, T* first, std::size_t stride, std::size_t of_set = 0) {
  const std::size_t most = labels_at_once<T>(factor.structure, targets.size(), factor.sets());
  for (std::size_t target = 0; target < targets.size(); target += most) {
    const auto some = targets.subspan(target, std::min(most, targets.size() - target));
    HostTable<Maker, Host>(exec, factor, some).rows(sources, first + target, stride, of_set);
  }
}

}  // namespace blockfw::detail
