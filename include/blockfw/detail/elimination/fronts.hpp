// SPDX-License-Identifier: MIT
/// \file
/// \brief Elimination of the supernodes of a sparse graph with weights, on a host: a dense front for each.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/elimination/factor.hpp"
#include "blockfw/detail/elimination/front_arcs.hpp"
#include "blockfw/detail/elimination/row_products.hpp"
#include "blockfw/detail/graph/supernodes.hpp"
#include "blockfw/detail/kernel/rounds.hpp"
#include "blockfw/detail/loops/threads.hpp"
#include "blockfw/detail/matrices/copies.hpp"
#include "blockfw/detail/plan/finish.hpp"
#include "blockfw/ground/answers.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace blockfw::detail {

/// \brief Makes the numbers of a factor.
///
/// The multifrontal method, over a semiring: children before parents, subtrees at the same time. (Duff and Reid, "The
/// multifrontal solution of indefinite sparse symmetric linear equations", ACM TOMS 9, 1983.)
template <Semiring S, class Host>
class Fronts {
  using T = typename S::value_type;
  using Index = std::int32_t;

 public:
  /// The updates of all supernodes for their parents: a matrix of each boundary. Copies share them.
  using Updates = std::vector<std::shared_ptr<T[]>>;

  /// \param keeps  whether the updates of all supernodes are kept, for eliminate_again(). Then the numbers of a
  ///               directed graph are kept for both directions, too, as a change may make them differ.
  /// \throws InvalidInput as require_vectors()
  Fronts(const Host& exec, const Elimination& structure, const FrontArcs<T>& arcs, bool keeps = false)
      : exec_(exec), structure_(structure), arcs_(arcs), updates_(structure.supernodes.size()), kept_(keeps) {
    require_vectors();
  }

  /// Elements of the updates of all supernodes.
  static double elements_of_updates(const Elimination& structure) {
    double elements = 0;
    for (const Supernode& node : structure.supernodes) elements += update_elements(node);
    return elements;
  }

  /// The updates that were kept.
  Updates take_updates() { return std::move(updates_); }

  /// \brief Eliminates some supernodes and all supernodes above them again.
  /// \param values   the numbers of all supernodes, which are changed in place. They are useless after an exception.
  /// \param updates  of all supernodes
  /// \param changed  supernodes whose arcs have changed
  /// \throws NegativeCycle, DivergentCycle
  FactorValues<T> eliminate_again(FactorValues<T> values, const Updates& updates, const std::vector<Index>& changed) {
    factor_ = std::move(values);
    updates_ = updates;
    std::set<Index> open(changed.begin(), changed.end());
    std::atomic<Index> diverged = no_vertex;
    while (!open.empty() && diverged == no_vertex) {
      const std::size_t s = at(open.extract(open.begin()).value());
      const Supernode& node = structure_.supernodes[s];
      eliminate(s, relaxes(node) > for_all, diverged, {});
      if (node.parent >= 0) open.insert(node.parent);
    }
    if (diverged != no_vertex) {
      factor_ = FactorValues<T>();  // (The caller may eliminate all supernodes anew, while this object lives.)
      updates_.clear();
      throw_cycle<S>(diverged);
    }
    return std::move(factor_);
  }

  /// \param symmetric  whether it is known that the arcs are symmetric and that ⊗ is commutative
  /// \param progress   if set, called as progress(vertices eliminated, n)
  /// \throws NegativeCycle, DivergentCycle
  FactorValues<T> eliminate(bool symmetric, const Progress& progress) {
    factor_.symmetric = symmetric;
    cut();
    reserve();
    std::atomic<Index> diverged = no_vertex;
    for_tasks(exec_, static_cast<std::int64_t>(subtrees_.size()), "blockfw::eliminate", [&](std::int64_t task) {
      const auto [first, end] = subtrees_[at(task)];
      for (std::size_t s = first; s < end; ++s)
        if (diverged == no_vertex) eliminate(s, false, diverged, {});
    });
    const auto order = static_cast<std::int64_t>(structure_.order.size());
    std::int64_t done = order;
    for (const std::size_t s : above_) done -= structure_.supernodes[s].width();
    const auto tell = [&](std::int64_t more) {
      if (progress) progress(done + more, order);
    };
    if (!subtrees_.empty()) tell(0);
    for (const std::size_t s : above_) {
      const Supernode& node = structure_.supernodes[s];
      if (diverged == no_vertex)
        eliminate(s, relaxes(node) > for_all, diverged,
                  progress ? Progress([&](std::int64_t some, std::int64_t) { tell(some); }) : Progress());
      done += node.width();
      if (diverged == no_vertex) tell(0);
    }
    if (diverged != no_vertex) throw_cycle<S>(diverged);
    if (!kept_ && is_commutative<S>)
      factor_.find_symmetry(
          [](const auto& a, const auto& b) { return std::equal(a.data(), a.data() + a.size(), b.data()); });
    if (progress && order > 0) progress(order, order);
    return std::move(factor_);
  }

 private:
  static constexpr std::size_t block = 16;  // pivots at once
  using Products = RowProducts<S>;

  // All threads share a front of more than `for_all` relaxes. A front of more than `large` relaxes lies above the
  // subtrees.
  static constexpr double for_all = 2e6, large = 2e7;
  static double relaxes(const Supernode& node) {
    const double w = node.width(), m = w + static_cast<double>(node.boundary.size());
    return Products::sets * w * m * m;
  }

  /// Elements of the update of a supernode.
  static double update_elements(const Supernode& node) {
    const auto b = static_cast<double>(node.boundary.size());
    return b * b;
  }

  /// Calls f(first, end) for parts of the rows [0, count), on all threads, or once.
  template <class F>
  void for_rows(bool by_all, std::size_t count, const F& f) const {
    constexpr std::size_t at_once = 64;
    if (!by_all || count <= at_once) return f(std::size_t{0}, count);
    for_tasks(exec_, static_cast<std::int64_t>(div_up(count, at_once)), "blockfw::front", [&](std::int64_t task) {
      const std::size_t first = at(task) * at_once;
      f(first, std::min(count, first + at_once));
    });
  }

  /// Finds several subtrees for each thread, and the supernodes above all these subtrees.
  void cut() {
    const std::size_t count = structure_.supernodes.size();
    std::vector<double> work(count, 0);
    double all = 0, waiting = 0, largest = 0;
    for (std::size_t s = 0; s < count; ++s) {
      const Supernode& node = structure_.supernodes[s];
      const double w = node.width(), m = w + static_cast<double>(node.boundary.size());
      largest = std::max(largest, m * (m + Products::unit));
      most_elements_ = std::max(most_elements_, waiting + m * m + (m - w) * (m - w));
      for_each_child(structure_, s, [&](std::size_t c) { waiting -= update_elements(structure_.supernodes[c]); });
      waiting += update_elements(node);
      work[s] += w * m * m;
      all += w * m * m;
      if (node.parent >= 0) work[at(node.parent)] += work[s];
    }
    const double of_thread = 1e5;  // relaxes; fewer take less time than to wake a thread
    const double most = exec_.concurrency() > 1 ? std::max(all / (8 * exec_.concurrency()), of_thread) : all;
    std::vector<char> above(count, 0);  // above the subtrees: large supernodes and their ancestors
    for (std::size_t s = 0; s < count; ++s) {
      const Index parent = structure_.supernodes[s].parent;
      above[s] |= work[s] > most || relaxes(structure_.supernodes[s]) > large;
      if (above[s]) above_.push_back(s);
      if (above[s] && parent >= 0) above[at(parent)] = 1;
    }
    for (std::size_t s = 0; s < count; ++s) {
      const Supernode& node = structure_.supernodes[s];
      if (!above[s] && (node.parent < 0 || above[at(node.parent)]))
        subtrees_.emplace_back(at(structure_.owner[at(node.subtree_first())]), s + 1);
    }
    if (exec_.concurrency() > 1) {  // threads work on several subtrees at a time, and their updates wait
      most_elements_ += (exec_.concurrency() - 1) * largest;
      for (const auto& [first, end] : subtrees_) most_elements_ += update_elements(structure_.supernodes[end - 1]);
    }
  }

  void reserve() {
    factor_.start = starts_of(structure_);
    const auto [ways, own] = factor_.start.back();
    const double kept = factor_.sweeps() * (static_cast<double>(ways) + static_cast<double>(own));
    require_memory(exec_, "the factor of " + std::to_string(structure_.order.size()) + " vertices", kept * sizeof(T),
                   most_elements_ * sizeof(T));
    for (int sweep = 0; sweep < factor_.sweeps(); ++sweep) {
      factor_.ways[sweep] = factor_.allocate("blockfw::ways", ways);
      factor_.own[sweep] = factor_.allocate("blockfw::own", own);
    }
  }

  /// \param progress  called as progress(vertices eliminated, width), if set
  void eliminate(std::size_t s, bool by_all, std::atomic<Index>& diverged, const Progress& progress) {
    const Supernode& node = structure_.supernodes[s];
    const std::size_t w = at(node.width()), b = node.boundary.size(), m = w + b;
    const std::size_t stride = round_up(m, std::size_t{Products::unit});
    thread_local std::vector<T> small;  // a thread keeps the memory of small fronts
    std::unique_ptr<T[]> own;
    if (by_all)
      own = std::make_unique_for_overwrite<T[]>(m * stride);
    else if (small.size() < m * stride)
      small = std::vector<T>(m * stride);
    T* const front = by_all ? own.get() : small.data();
    assemble(s, front, stride, by_all);
    const Index bad = close(front, w, m, stride, by_all, progress);
    if (bad != no_vertex) {
      diverged = structure_.order[at(node.first + bad)];
      return;
    }
    keep(s, front, stride);
    updates_[s] = std::shared_ptr<T[]>(new T[b * b]);
    for_rows(by_all, b, [&](std::size_t i, std::size_t end) {
      for (; i < end; ++i) std::copy_n(&front[(w + i) * stride + w], b, updates_[s].get() + i * b);
    });
  }

  /// Assembles the supernode's own arcs and its children's updates.
  void assemble(std::size_t s, T* front, std::size_t stride, bool by_all) {
    const Supernode& node = structure_.supernodes[s];
    const std::size_t w = at(node.width());
    for_rows(by_all, w + node.boundary.size(),
             [&](std::size_t i, std::size_t end) { std::fill(front + i * stride, front + end * stride, S::zero()); });
    for (std::size_t i = 0; i < w; ++i) front[i * stride + i] = S::one();
    const ArcPlan& plan = *arcs_.plan;
    for (std::size_t a = plan.first[s]; a < plan.first[s + 1]; ++a) {
      T& entry = front[at(plan.places[a].row) * stride + at(plan.places[a].column)];
      entry = S::relax(entry, arcs_.weights[a], S::one());
    }
    thread_local std::vector<std::size_t> memory;  // a thread keeps it
    std::vector<std::size_t>& places = memory;     // of a child's boundary; of this thread, for all threads
    for_each_child(structure_, s, [&](std::size_t c) {
      places.clear();
      for_rows_in_parent(structure_.supernodes[c], node, [&](Index row) { places.push_back(at(row)); });
      for_rows(by_all, places.size(), [&](std::size_t i, std::size_t end) {
        for (; i < end; ++i)
          Products::improve(front + places[i] * stride, places.data(), 1, updates_[c].get() + i * places.size(),
                            places.size());
      });
      if (!kept_) updates_[c] = {};
    });
  }

  /// Floyd-Warshall with the front's first w vertices as pivots.
  /// \return a pivot on a cycle that diverges, or no_vertex
  Index close(T* front, std::size_t w, std::size_t m, std::size_t stride, bool by_all, const Progress& progress) {
    const auto width = static_cast<std::int64_t>(w);
    if constexpr (Distance<T>)
      if (by_all && w == m) {  // a root's front is an ordinary matrix
        const auto order = w;
        const MatrixRef<T, Host> d(front, Kokkos::LayoutStride(order, stride, order, 1));
        auto direction = Direction::directed;
        if constexpr (is_commutative<S>)
          if (factor_.symmetric || equals_its_transpose(exec_, d)) direction = Direction::undirected;
        Progress rounds;
        if (progress) rounds = [&](std::int64_t done, std::int64_t all) { progress(width * done / all, width); };
        solve_matrix<TunedTile, S>(exec_, d, direction, rounds);
        exec_.fence("blockfw::eliminate");
        for (std::size_t k = 0; k < w; ++k)
          if (S::diverges(front[k * stride + k])) return static_cast<Index>(k);
        return no_vertex;
      }
    const T* pivots[block];
    for (std::size_t first = 0; first < w; first += block) {
      const std::size_t some = std::min(block, w - first);
      for (std::size_t k = first; k < first + some; ++k) {
        const T* const pivot = pivots[k - first] = front + k * stride;
        if (S::diverges(pivot[k])) return static_cast<Index>(k);
        for (std::size_t i = first; i < first + some; ++i)
          if (i != k)
            Products::template relax_row<Side::left>(front[i * stride + k], pivot, front + i * stride, stride);
      }
      // The other rows. (Whether an entry of these columns is read before or after its update makes no difference.)
      const auto rows = [&](std::size_t i, std::size_t end) {
        if (i < end)
          Products::template relax<Side::left>(end - i, some, front + i * stride + first, stride, 1, pivots,
                                               front + i * stride, stride, stride, false);
      };
      for_rows(by_all, m, [&](std::size_t i, std::size_t end) {
        rows(i, std::min(first, end));
        rows(std::max(i, first + some), end);
      });
      if (progress && by_all) progress(static_cast<std::int64_t>(first + some), width);
    }
    return no_vertex;
  }

  void keep(std::size_t s, const T* front, std::size_t stride) {
    const Supernode& node = structure_.supernodes[s];
    const std::size_t w = at(node.width()), b = node.boundary.size();
    for (int sweep = 0; sweep < factor_.sweeps(); ++sweep) {
      T *const ways = factor_.ways_of(Sweep(sweep), s), *const own = factor_.own_of(Sweep(sweep), s);
      const bool towards = Sweep(sweep) == Sweep::towards;
      for (std::size_t i = 0; i < w; ++i) {
        for (std::size_t y = 0; y < b; ++y)
          ways[i * b + y] = towards ? front[i * stride + w + y] : front[(w + y) * stride + i];
        for (std::size_t x = 0; x < w; ++x) own[i * w + x] = towards ? front[x * stride + i] : front[i * stride + x];
      }
    }
  }

  const Host& exec_;
  const Elimination& structure_;
  const FrontArcs<T>& arcs_;
  std::vector<std::pair<std::size_t, std::size_t>> subtrees_;  ///< the first supernode, and the end
  std::vector<std::size_t> above_;  ///< the supernodes in no subtree, children before parents
  Updates updates_;
  bool kept_ = false;         ///< whether updates are kept when the parent has them
  double most_elements_ = 0;  ///< entries of the fronts that threads work on, and of the updates that wait
  FactorValues<T> factor_;
};

}  // namespace blockfw::detail
