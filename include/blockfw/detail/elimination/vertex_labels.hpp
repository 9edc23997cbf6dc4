// SPDX-License-Identifier: MIT
/// \file
/// \brief The labels of single vertices, and the best path that two labels give.
#pragma once

#include "blockfw/detail/elimination/factor.hpp"
#include "blockfw/detail/elimination/label_block.hpp"
#include "blockfw/detail/elimination/row_products.hpp"
#include "blockfw/detail/graph/supernodes.hpp"
#include "blockfw/ground/semiring.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace blockfw::detail {

/// \brief The labels of a factor's vertices. The structure and the numbers must outlive this object.
template <Semiring S>
class VertexLabels {
  using T = typename S::value_type;

 public:
  VertexLabels(const Elimination& structure, const FactorValues<T>& values)
      : structure_(structure), block_(structure, values) {}

  /// A vertex with its whole label.
  struct Label {
    std::size_t node = 0;
    std::vector<T> entries;
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
    label.entries.resize(block_.length_of(k));
    block_.template make_one<Heading>(k, label.entries.data());
  }

  /// The best path through a vertex that both labels have.
  T meet(const Label& from, const Label& to) const {
    std::size_t a = from.node, b = to.node;
    while (a != b) (a < b ? a : b) = index(structure_.supernodes[std::min(a, b)].parent);
    if (a == no_node) return S::zero();
    return RowProducts<S>::meet(index(structure_.supernodes[a].path_length()), from.entries.data(), to.entries.data());
  }

 private:
  static constexpr std::size_t no_node = static_cast<std::size_t>(std::int64_t{-1});
  static std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

  const Elimination& structure_;
  LabelBlock<S> block_;
};

}  // namespace blockfw::detail
