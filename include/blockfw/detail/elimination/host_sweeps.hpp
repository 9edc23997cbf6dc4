// SPDX-License-Identifier: MIT
/// \file
/// \brief The distances between all vertices and batches of them, out of a sparse factor on a host: each thread takes
/// batches.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/backend/vectors.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/elimination/cycles_of_arcs.hpp"
#include "blockfw/detail/elimination/factor.hpp"
#include "blockfw/detail/elimination/factorise.hpp"
#include "blockfw/detail/elimination/front_arcs.hpp"
#include "blockfw/detail/elimination/fronts.hpp"
#include "blockfw/detail/elimination/host_table.hpp"
#include "blockfw/detail/elimination/kept_labels.hpp"
#include "blockfw/detail/elimination/labels.hpp"
#include "blockfw/detail/elimination/place.hpp"
#include "blockfw/detail/elimination/row_products.hpp"
#include "blockfw/detail/elimination/sorted_numbers.hpp"
#include "blockfw/detail/graph/supernodes.hpp"
#include "blockfw/detail/loops/threads.hpp"
#include "blockfw/detail/matrices/reach_of_matrix.hpp"
#include "blockfw/detail/plan/finish.hpp"
#include "blockfw/ground/answers.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
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
  struct NothingAhead {
    void operator()(std::int32_t) const {}
  };

 public:
  /// \param kept  labels that are kept, or null: then each batch's labels are made on demand
  HostSweep(const HostFactor<S>& factor, std::size_t most_of_batch, const KeptLabels<T>* kept = nullptr)
      : factor_(factor),
        finish_(factor.finish()),
        kept_(kept),
        label_stride_(kept != nullptr ? 1 : LabelMaker<S>::columns),
        path_(at(factor.structure.longest_path)),
        stride_(round_up(most_of_batch, std::size_t{Products::unit})),
        memory_(path_ * stride_ + vector_padding<T>),
        label_memory_(round_up(most_of_batch, LabelMaker<S>::columns) * path_),
        maker_(factor),
        stack_(aligned(memory_.data())) {}

  /// \brief Computes the distances from all vertices to the batch's (towards), or from the batch's to all (from).
  ///
  /// \param batch  numbers of the order of elimination; a number may occur twice
  /// \param emit   emit(v, row): called for each vertex v; row[c] is the distance between v and the vertex of batch[c].
  ///               Distances without a path are marked.
  /// \param ahead  ahead(v): called for the vertices of a supernode before its distances are computed
  template <Sweep Heading, class Emit, class Ahead = NothingAhead>
  void run(std::span<const std::int32_t> batch, const Emit& emit, const Ahead& ahead = {}) {
    constexpr Side side = compiled_side<S>(Heading == Sweep::towards ? Side::left : Side::right);
    const Elimination& structure = factor_.structure;
    const std::size_t length = round_up(batch.size(), std::size_t{Products::unit});
    sorted_ = SortedNumbers(batch);
    make_labels<Heading>();
    const auto& numbers = sorted_.numbers;
    std::size_t end = numbers.size();  // the end of the numbers that lie before the end of supernode s
    for (std::size_t s = structure.supernodes.size(); s-- > 0;) {
      const Supernode& node = structure.supernodes[s];
      const std::size_t w = at(node.width()), b = node.boundary.size();
      T* const rows = stack_ + at(node.depth) * stride_;
      for (std::size_t i = 0; i < w; ++i) ahead(structure.order[at(node.first) + i]);
      boundary_.clear();
      for (const std::int32_t position : node.positions) boundary_.push_back(stack_ + at(position) * stride_);
      Products::template relax<side>(w, b, factor_.values.ways_of(Heading, s), b, 1, boundary_.data(), rows, stride_,
                                     length, true);
      while (end > 0 && numbers[end - 1] >= node.last) --end;
      for (std::size_t c = end; c-- > 0 && numbers[c] >= node.subtree_first();) {  // the numbers in its subtree
        const T* const label = labels_[c] + at(node.depth) * label_stride_;
        T* const column = rows + sorted_.place[c];
        for (std::size_t i = 0; i < w; ++i)
          column[i * stride_] = S::relax(column[i * stride_], label[i * label_stride_], S::one());
      }
      for (std::size_t i = 0; i < w; ++i) {
        finish_.mark(rows + i * stride_, batch.size());
        emit(structure.order[at(node.first) + i], rows + i * stride_);
      }
    }
  }

 private:
  /// Makes the labels of the sorted batch.
  template <Sweep Heading>
  void make_labels() {
    const std::span<const std::int32_t> numbers = sorted_.numbers;
    T* memory = label_memory_.data();
    labels_.clear();
    if (kept_ != nullptr) {
      for (const std::int32_t k : numbers) {
        const Supernode& node = factor_.node_of(k);
        labels_.push_back(kept_row<Heading>(factor_, *kept_, k));
        if (!node.leaf) continue;
        complete_labels<Heading>(factor_, *kept_, k, 1, memory, 0);
        std::copy_n(labels_.back(), node.width(), memory + node.depth);
        labels_.back() = memory;
        memory += path_;
      }
      return;
    }
    constexpr std::size_t columns = LabelMaker<S>::columns;
    for (std::size_t first = 0; first < numbers.size(); first += columns, memory += columns * path_) {
      const auto some = numbers.subspan(first, std::min(columns, numbers.size() - first));
      maker_.template make<Heading>(some, memory);
      for (std::size_t c = 0; c < some.size(); ++c) labels_.push_back(memory + c);
    }
  }

  HostFactor<S> factor_;
  Finish<S> finish_;
  const KeptLabels<T>* kept_;  ///< labels of inner supernodes' vertices, or null
  std::size_t label_stride_;
  std::size_t path_, stride_;
  std::vector<T> memory_, label_memory_;
  LabelMaker<S> maker_;
  T* stack_;
  std::vector<const T*> boundary_;
  SortedNumbers sorted_{{}};      ///< the batch
  std::vector<const T*> labels_;  ///< of the sorted batch; the entries of a label are label_stride_ numbers apart
};

/// \brief A factor on a host.
template <Semiring S, class Host>
class HostSweeps {
 public:
  using T = typename S::value_type;
  using Space = Host;
  static constexpr bool searches = true;

  HostSweeps() = default;
  /// \brief Eliminates the arcs; see SparseFactor.
  static HostSweeps eliminated(const Host& exec, const Elimination& structure, const FrontArcs<T>& arcs,
                               const WeightRange<T>& range, const FactorOptions& options) {
    return {exec, structure, factorise<S>(exec, structure, arcs, range, options, false), range};
  }

  /// Takes numbers that are made. The structure must outlive the sweeps.
  HostSweeps(const Host& exec, const Elimination& structure, std::shared_ptr<const FactorValues<T>> values,
             const WeightRange<T>& range)
      : exec_(exec), structure_(&structure), factor_(std::move(values)), range_(range) {}

  /// The same factor for another instance.
  HostSweeps on(const Host& exec) const {
    HostSweeps same = *this;
    same.exec_ = exec;
    return same;
  }

  /// Makes the labels that some bytes hold and keeps them, in place of those kept so far.
  void keep_labels(double memory) {
    const Whole whole = labels_within<T>(*structure_, is_symmetric(), memory);
    if (labels_ && labels_->whole == whole) return;
    labels_ = nullptr;  // (Their memory counts as free then.)
    const bool any = whole == Whole::all() || bytes_of_kept_labels<T>(*structure_, is_symmetric(), whole) > 0;
    if (any) labels_ = std::make_shared<const KeptLabels<T>>(kept_labels(*exec_, on_host(), whole));
  }

  const Host& exec() const { return *exec_; }
  const Elimination& structure() const { return *structure_; }
  WeightRange<T> range() const { return range_; }
  bool is_symmetric() const { return factor_->symmetric; }
  /// \throws InvalidInput as require_vectors()
  HostFactor<S> on_host() const {
    require_vectors();
    return {*structure_, *factor_, labels_.get(), range_};
  }
  const std::shared_ptr<const FactorValues<T>>& values() const { return factor_; }

  /// The number of rows that 64 MB hold; at least a block of rows for each thread.
  std::size_t rows_of_table(std::size_t columns) const {
    constexpr std::size_t bytes = std::size_t{1} << 26;
    return std::max(bytes / sizeof(T) / std::max<std::size_t>(columns, 1), row_block * at(exec_->concurrency()));
  }
  std::size_t rows_at_once() const { return rows_of_table(structure_->order.size()); }

  /// Writes the distances from all vertices to all vertices.
  template <class Matrix>
  void towards_all(const Matrix& d, const Progress& progress) const {
    for_batches(structure_->place, {.progress = progress}, [&] {
      return [&](HostSweep<S>& sweep, const auto& batch, std::size_t first) {
        sweep.template run<Sweep::towards>(
            batch, [&](std::int32_t v, const T* row) { copy_past_cache(row, &d(v, first), batch.size()); },
            [&](std::int32_t v) { expect_stores(&d(v, first), batch.size()); });
      };
    });
    mark_own<S>(*exec_, structure_->order, range_, structure_->place, d);
  }

  /// Writes rows of distances from the vertices with these numbers.
  template <class Rows>
  void rows_from(std::span<const std::int32_t> numbers, const Rows& d) const {
    // (Few rows are written entry by entry: they take less time than the first touch of a block's memory.)
    const bool few = numbers.size() <= few_rows;
    const std::size_t n = structure_->order.size(), block = few ? 0 : n * row_block;
    for_batches(numbers, {.most = row_block, .elements_of_worker = static_cast<double>(block)}, [&] {
      // The distances of all vertices for a batch, which are then transposed to rows.
      return [&, distances = std::vector<T>(block)](HostSweep<S>& sweep, const auto& batch, std::size_t first) mutable {
        sweep.template run<Sweep::from>(batch, [&](std::int32_t v, const T* row) {
          if (!few) return void(std::copy_n(row, batch.size(), &distances[at(v) * row_block]));
          for (std::size_t c = 0; c < batch.size(); ++c) d(first + c, v) = row[c];
        });
        if (few) return;
        constexpr std::size_t at_once = 256 / sizeof(T);
        T tile[row_block][at_once];
        for (std::size_t v = 0; v < n; v += at_once) {
          const std::size_t some = std::min(at_once, n - v);
          for (std::size_t j = 0; j < some; ++j)
            for (std::size_t c = 0; c < row_block; ++c) tile[c][j] = distances[(v + j) * row_block + c];
          for (std::size_t c = 0; c < batch.size(); ++c) std::copy_n(tile[c], some, &d(first + c, v));
        }
      };
    });
    mark_own<S>(*exec_, structure_->order, range_, numbers, d);
  }

  /// Writes the distances from each source to each target; see write_table().
  template <class Matrix>
  void table(std::span<const std::int32_t> sources, std::span<const std::int32_t> targets, const Matrix& d) const {
    write_table<LabelMaker<S>>(*exec_, on_host(), sources, targets, d.data(), d.stride(0));
  }

  /// Calls f(first, rows) for blocks of at most `most` rows of a table. The labels of the targets are made once, if
  /// they fit.
  template <class F>
  void for_rows_of_table(std::span<const std::int32_t> sources, std::span<const std::int32_t> targets, std::size_t most,
                         const F& f) const {
    if (targets.size() > labels_at_once<T>(*structure_, targets.size()))
      return blocks_of_table(*this, sources, targets, most, f);
    const HostTable<LabelMaker<S>, Host> table(*exec_, on_host(), targets);
    const auto make = [&](std::size_t first, const auto& rows) {
      table.rows(sources.subspan(first, rows.extent(0)), rows.data(), rows.stride(0));
    };
    for_blocks<T>(*exec_, sources.size(), targets.size(), most, make, f);
  }

  /// Writes the distance of each pair; see pair_distances().
  void pairs(std::span<const std::int32_t> sources, std::span<const std::int32_t> targets, T* distances) const {
    pair_distances(*exec_, on_host(), sources, targets, distances);
  }

  /// \tparam Heading  from: the vertices that a vertex reaches; towards: the vertices that reach it
  /// \param numbers  of the vertices that are summed up
  template <Sweep Heading>
  std::vector<Reach<T>> reach(std::span<const std::int32_t> numbers, const Progress& progress) const {
    require_host_memory("the measures of " + std::to_string(numbers.size()) + " vertices",
                        static_cast<double>(numbers.size()) * sizeof(Reach<T>));
    std::vector<Reach<T>> all(numbers.size());
    for_batches(numbers, {.most = reach_block, .progress = progress}, [&] {
      return [&, seen = ReachOfColumns<Reach<T>>()](HostSweep<S>& sweep, const auto& batch, std::size_t first) mutable {
        seen.start(batch.size());
        sweep.template run<Heading>(batch, [&](std::int32_t v, const T* row) { seen.add(v, row); });
        for (std::size_t c = 0; c < batch.size(); ++c) all[first + c] = seen[c];
      };
    });
    return all;
  }

  static constexpr std::size_t most_of_batch = 2048;  ///< vertices
  /// Batches of vertices, and the threads that take them.
  struct Batches {
    std::size_t size, count;
    int threads;
  };
  /// \brief A batch is as large as possible while the stack of a sweep stays in a cache, and each thread gets some
  /// batches.
  /// \param most  vertices of a batch
  Batches batches_of(std::size_t vertices, std::size_t most = most_of_batch) const {
    constexpr double entries_of_thread = 1 << 16;  // fewer take less time than to wake a thread
    constexpr std::size_t cache_bytes = std::size_t{1} << 20, unit = RowProducts<S>::unit;
    const double entries = static_cast<double>(vertices) * static_cast<double>(structure_->order.size());
    const int threads =
        std::min(exec_->concurrency(), 1 + static_cast<int>(std::min(1e9, entries / entries_of_thread)));
    const std::size_t fits = cache_bytes / (at(std::max(structure_->longest_path, 1)) * sizeof(T)) / unit * unit;
    const std::size_t balanced = vertices / (4 * at(threads)) / unit * unit;
    const std::size_t size = std::clamp(std::min(fits, balanced), unit, most), count = div_up(vertices, size);
    return {size, count, static_cast<int>(std::min(count, at(threads)))};
  }

  struct BatchOptions {
    std::size_t most = most_of_batch;  ///< vertices of a batch
    Progress progress = {};            ///< called as progress(batches done, batches in all)
    double elements_of_worker = 0;     ///< memory that a worker takes
    bool may_keep_labels = true;       ///< sums of floats may round otherwise where labels are kept
  };
  /// Sweeps for batches of the vertices numbers[...], on all threads. Each thread calls start() for its worker, and
  /// worker(sweep, batch, first) for each batch that it takes. `first` is the place of the batch in `numbers`.
  template <class Start>
  void for_batches(std::span<const std::int32_t> numbers, const BatchOptions& options, const Start& start) const {
    if (numbers.empty()) return;
    const HostFactor<S> factor = on_host();
    const Batches batches = batches_of(numbers.size(), options.most);
    const Progress& progress = options.progress;
    const auto caller = std::this_thread::get_id();
    std::optional<KeptLabels<T>> kept;
    if (options.may_keep_labels && keeps_labels(numbers.size())) kept = kept_labels(*exec_, factor, Whole::inner());
    std::atomic<std::size_t> next = 0, done = 0;
    std::exception_ptr thrown;  // the exception of progress, which only the calling thread calls
    const double path = static_cast<double>(structure_->longest_path), length = static_cast<double>(batches.size);
    require_memory(*exec_, "the sweeps of " + std::to_string(batches.threads) + " threads",
                   batches.threads * (2 * length * path + options.elements_of_worker) * sizeof(T));
    for_tasks(*exec_, batches.threads, "blockfw::sparse_solve", [&](std::int64_t) {
      if (next >= batches.count) return;
      HostSweep<S> sweep(factor, batches.size, kept ? &*kept : nullptr);
      auto worker = start();
      for (std::size_t c; (c = next++) < batches.count;) {
        const std::size_t first = c * batches.size;
        worker(sweep, numbers.subspan(first, std::min(batches.size, numbers.size() - first)), first);
        ++done;
        if (!progress || std::this_thread::get_id() != caller) continue;
        try {
          progress(static_cast<std::int64_t>(done), static_cast<std::int64_t>(batches.count));
        } catch (...) {
          thrown = std::current_exception();
          next = batches.count;
        }
      }
    });
    if (thrown) std::rethrow_exception(thrown);
    if (progress) progress(static_cast<std::int64_t>(batches.count), static_cast<std::int64_t>(batches.count));
  }

 private:
  // (Long segments of rows are written faster. A small stack is better for distances that are only looked at.)
  static constexpr std::size_t row_block = 64, reach_block = 256, few_rows = 8;

  /// \brief Whether the labels of inner supernodes are kept for a sweep of some vertices.
  ///
  /// In road networks the labels of a batch, made on demand, take a few hundredths of the sweep. In meshes, whose
  /// supernodes are large, they take as long as the sweep. If they are kept, a vertex's label takes a fraction.
  bool keeps_labels(std::size_t vertices) const {
    double climbing = 0, sweep = 0;
    for (const Supernode& node : structure_->supernodes) {
      const double w = node.width(), b = static_cast<double>(node.boundary.size());
      climbing += w * (w + b) * static_cast<double>(node.below);
      sweep += w * b;
    }
    const auto n = static_cast<double>(structure_->order.size());
    return 8 * static_cast<double>(vertices) > n && 20 * climbing > n * sweep &&
           bytes_of_kept_labels<T>(*structure_, factor_->symmetric, Whole::inner()) < available_host_bytes() / 4;
  }

  std::optional<Host> exec_;
  const Elimination* structure_ = nullptr;
  std::shared_ptr<const FactorValues<T>> factor_;
  std::shared_ptr<const KeptLabels<T>> labels_;  ///< the labels that are kept, if any
  WeightRange<T> range_;
};

}  // namespace blockfw::detail
