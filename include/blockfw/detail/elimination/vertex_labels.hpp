// SPDX-License-Identifier: MIT
/// \file
/// \brief A factor as a host reads it, the labels of its vertices, and distances of pairs by labels.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/elimination/factor.hpp"
#include "blockfw/detail/elimination/kept_labels.hpp"
#include "blockfw/detail/elimination/label_block.hpp"
#include "blockfw/detail/elimination/row_products.hpp"
#include "blockfw/detail/graph/supernodes.hpp"
#include "blockfw/detail/loops/threads.hpp"
#include "blockfw/detail/plan/finish.hpp"
#include "blockfw/detail/plan/potentials.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

namespace blockfw::detail {

/// \brief A factor as answers on a host read it. It owns nothing.
template <Semiring S>
struct HostFactor {
  using T = typename S::value_type;

  const Elimination& structure;
  const FactorValues<T>& values;
  const KeptLabels<T>* kept;  ///< the labels of all vertices, if they are kept
  WeightRange<T> range;       ///< of the weights

  std::int64_t vertices() const { return static_cast<std::int64_t>(structure.order.size()); }
  /// Marks distances without a path.
  Finish<S> finish() const { return finish_of<S>(vertices(), range); }
  /// Whether the distance of a vertex to itself is to be set to one(), as sums may round.
  bool sets_own() const { return cancels<S>(range); }
};

/// \brief The labels of a factor's vertices: made, or read where they are kept.
template <Semiring S>
class VertexLabels {
  using T = typename S::value_type;

 public:
  /// The structure, the numbers and the kept labels must outlive this object.
  explicit VertexLabels(const HostFactor<S>& factor)
      : structure_(factor.structure),
        values_(factor.values),
        kept_(factor.kept),
        block_(factor.structure, factor.values) {}

  /// A vertex with its whole label.
  struct Label {
    std::size_t node = 0;
    const T* entries = nullptr;
    std::vector<T> memory;
  };
  template <Sweep Heading>
  Label of(std::int32_t k) {
    Label label;
    make<Heading>(k, label);
    return label;
  }
  /// The same in the memory of another label.
  template <Sweep Heading>
  void make(std::int32_t k, Label& label) {
    label.node = at(structure_.owner[at(k)]);
    if (kept_) {
      label.entries = kept_row<Heading>(structure_, values_, *kept_, k);
      return;
    }
    label.memory.resize(block_.length_of(k));
    label.entries = label.memory.data();
    block_.template make_one<Heading>(k, label.memory.data());
  }

  /// The best path through a vertex that both labels have.
  T meet(const Label& from, const Label& to) const {
    std::size_t a = from.node, b = to.node;
    while (a != b) (a < b ? a : b) = at(structure_.supernodes[std::min(a, b)].parent);
    if (a == no_node) return S::zero();
    return RowProducts<S>::meet(at(structure_.supernodes[a].path_length()), from.entries, to.entries);
  }

 private:
  static constexpr std::size_t no_node = static_cast<std::size_t>(std::int64_t{-1});

  const Elimination& structure_;
  const FactorValues<T>& values_;
  const KeptLabels<T>* kept_;
  LabelBlock<S> block_;
};

/// \brief The distance of a pair.
/// \param source, target  numbers of the order of elimination
template <Semiring S>
typename S::value_type pair_distance(const HostFactor<S>& factor, std::int32_t source, std::int32_t target) {
  if (source == target && factor.sets_own()) return S::one();
  VertexLabels<S> labels(factor);
  return factor.finish().marked(
      labels.meet(labels.template of<Sweep::from>(source), labels.template of<Sweep::towards>(target)));
}

/// \brief Writes the distance of each pair.
/// \param sources    numbers of the order of elimination
/// \param targets    as many
/// \param distances  of as many entries
///
/// A pair takes two labels and their common part. Pairs with the same source share its label. The labels of all
/// vertices are made first if there are at least n/2 pairs (measured), and if the labels fit a quarter of the free
/// memory.
template <Semiring S, class Host>
void pair_distances(const Host& exec, HostFactor<S> factor, std::span<const std::int32_t> sources,
                    std::span<const std::int32_t> targets, typename S::value_type* distances) {
  require_vectors();
  using T = typename S::value_type;
  constexpr std::size_t at_once = 256;  // pairs of a task
  std::vector<std::size_t> pairs(sources.size());
  std::iota(pairs.begin(), pairs.end(), std::size_t{0});
  std::sort(pairs.begin(), pairs.end(), [&](std::size_t a, std::size_t b) {
    return sources[a] != sources[b] ? sources[a] < sources[b] : targets[a] < targets[b];
  });
  std::optional<KeptLabels<T>> made;
  if (!factor.kept && 2 * pairs.size() >= factor.structure.order.size() &&
      bytes_of_kept_labels<T>(factor.structure, factor.values.symmetric, Whole::all) < available_host_bytes() / 4) {
    made = kept_labels<S>(exec, factor.structure, factor.values, Whole::all);
    factor.kept = &*made;
  }
  const Finish<S> finish = factor.finish();
  const bool own = factor.sets_own();
  const std::size_t tasks = div_up(pairs.size(), at_once);
  const std::size_t workers = std::min(tasks, static_cast<std::size_t>(exec.concurrency()));
  std::atomic<std::size_t> next = 0;
  for_tasks(exec, static_cast<std::int64_t>(workers), "blockfw::pairs", [&](std::int64_t) {
    VertexLabels<S> labels(factor);
    typename VertexLabels<S>::Label from, to;
    for (std::size_t task; (task = next++) < tasks;) {
      std::int32_t source = -1, target = -1;
      for (std::size_t p = task * at_once; p < std::min(pairs.size(), (task + 1) * at_once); ++p) {
        const std::size_t pair = pairs[p];
        if (sources[pair] != source) labels.template make<Sweep::from>(source = sources[pair], from);
        if (targets[pair] != target) labels.template make<Sweep::towards>(target = targets[pair], to);
        distances[pair] = own && source == target ? S::one() : finish.marked(labels.meet(from, to));
      }
    }
  });
}

}  // namespace blockfw::detail
