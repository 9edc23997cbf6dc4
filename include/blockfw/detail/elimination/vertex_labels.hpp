// SPDX-License-Identifier: MIT
/// \file
/// \brief The labels of single vertices, and the distance that two labels give.
#pragma once

#include "blockfw/detail/elimination/factor.hpp"
#include "blockfw/detail/elimination/kept_labels.hpp"
#include "blockfw/detail/elimination/label_block.hpp"
#include "blockfw/detail/elimination/row_products.hpp"
#include "blockfw/detail/graph/supernodes.hpp"
#include "blockfw/detail/plan/finish.hpp"
#include "blockfw/ground/semiring.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace blockfw::detail {

/// \brief The labels of a factor's vertices: made, or read where they are kept.
template <Semiring S>
class VertexLabels {
  using T = typename S::value_type;

 public:
  /// \brief The structure, the numbers and the kept labels must outlive this object.
  /// \param kept  the labels of all vertices, if they are kept
  VertexLabels(const Elimination& structure, const FactorValues<T>& values, const KeptLabels<T>* kept = nullptr)
      : structure_(structure), values_(values), kept_(kept), block_(structure, values) {}

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
    label.node = index(structure_.owner[index(k)]);
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
    while (a != b) (a < b ? a : b) = index(structure_.supernodes[std::min(a, b)].parent);
    if (a == no_node) return S::zero();
    return RowProducts<S>::meet(index(structure_.supernodes[a].path_length()), from.entries, to.entries);
  }

 private:
  static constexpr std::size_t no_node = static_cast<std::size_t>(std::int64_t{-1});
  static std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

  const Elimination& structure_;
  const FactorValues<T>& values_;
  const KeptLabels<T>* kept_;
  LabelBlock<S> block_;
};

/// \brief The distance of a pair.
/// \param labels  of the factor
/// \param own     whether the distance of a vertex to itself is to be set to one(), as sums may round
template <Semiring S>
typename S::value_type pair_distance(VertexLabels<S> labels, std::int32_t source, std::int32_t target,
                                     const Finish<S>& finish, bool own) {
  if (own && source == target) return S::one();
  return finish.marked(
      labels.meet(labels.template of<Sweep::from>(source), labels.template of<Sweep::towards>(target)));
}

}  // namespace blockfw::detail
