// SPDX-License-Identifier: MIT
/// \file
/// \brief Labels that are kept. Sweeps of all vertices keep the labels of inner supernodes' vertices, and each leaf's
/// own paths. Many single distances keep the labels of all vertices.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/elimination/factor.hpp"
#include "blockfw/detail/elimination/row_products.hpp"
#include "blockfw/detail/elimination/tree.hpp"
#include "blockfw/detail/graph/supernodes.hpp"
#include "blockfw/detail/loops/threads.hpp"
#include "blockfw/ground/semiring.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace blockfw::detail {

/// The labels that are kept whole: the labels of inner supernodes' vertices, or all labels.
enum class Whole { inner, all };

/// Entries of a row of a supernode's labels as they are kept.
inline std::size_t kept_label_length(const Supernode& node, Whole whole) {
  return static_cast<std::size_t>(node.leaf && whole == Whole::inner ? node.width() : node.path_length());
}

template <class T>
struct KeptLabels {
  Whole whole = Whole::inner;
  std::vector<std::size_t> start;  ///< where the labels of each supernode's vertices start; they follow each other
  typename FactorValues<T>::Array labels[2];  ///< the labels by the sweep; a symmetric factor has only the first array
};

/// The kept row of a vertex: its whole label, or in a leaf its own paths if only inner labels are kept whole.
template <Sweep Heading, Semiring S, class T>
T* kept_row(const HostFactor<S>& factor, const KeptLabels<T>& kept, std::int32_t k) {
  const Supernode& node = factor.node_of(k);
  return kept.labels[factor.values.index(Heading)].data() + kept.start[at(factor.structure.owner[at(k)])] +
         at(k - node.first) * kept_label_length(node, kept.whole);
}

/// \brief The labels of some vertices of a supernode for the vertices above it.
///
/// Take a best path from an ancestor x to a vertex, inside the subtree of x. It enters the vertex's supernode from a
/// vertex y of the boundary, which lies in this subtree, too. The label of y is kept.
///
/// \param k       the first vertex
/// \param count   of the vertices
/// \param above   the results; each has the length of the supernode's depth
/// \param stride  from a result to the next
template <Sweep Heading, Semiring S, class T>
void complete_labels(const HostFactor<S>& factor, const KeptLabels<T>& kept, std::int32_t k, std::size_t count,
                     T* above, std::size_t stride) {
  constexpr Side side = compiled_side<S>(Heading == Sweep::towards ? Side::right : Side::left);
  constexpr std::size_t unit = RowProducts<S>::unit, at_once = 64;
  const Supernode& node = factor.node_of(k);
  const std::size_t boundary = node.boundary.size();
  for (std::size_t i = 0; i < count; ++i) std::fill_n(above + i * stride, node.depth, S::zero());
  const T* const ways =
      factor.values.ways_of(opposite(Heading), at(factor.structure.owner[at(k)])) + at(k - node.first) * boundary;
  for (std::size_t y = 0; y < boundary;) {  // the vertices of one supernode: their labels have the same length
    const Supernode& owner = factor.node_of(node.boundary[y]);
    const std::size_t length = kept_label_length(owner, kept.whole), whole = length / unit * unit;
    const T *const first = kept_row<Heading>(factor, kept, owner.first), *labels[at_once], *ends[at_once];
    std::size_t some = 0;
    for (; some < at_once && y + some < boundary && node.boundary[y + some] < owner.last; ++some) {
      labels[some] = first + at(node.boundary[y + some] - owner.first) * length;
      if (length >= unit) ends[some] = labels[some] + length - unit;
    }
    if (length < unit) {
      for (std::size_t i = 0; i < count; ++i)
        for (std::size_t l = 0; l < some; ++l)
          RowProducts<S>::template relax_row<side>(ways[i * boundary + y + l], labels[l], above + i * stride, length);
    } else {
      RowProducts<S>::template relax<side>(count, some, ways + y, boundary, 1, labels, above, stride, whole, false);
      if (whole < length)  // (⊕ is idempotent: some entries are done twice.)
        RowProducts<S>::template relax<side>(count, some, ways + y, boundary, 1, ends, above + length - unit, stride,
                                             unit, false);
    }
    y += some;
  }
}

/// Bytes of the labels that are kept.
template <class T>
double bytes_of_kept_labels(const Elimination& structure, bool symmetric, Whole whole) {
  double elements = 0;
  for (const Supernode& node : structure.supernodes)
    elements += static_cast<double>(node.width()) * static_cast<double>(kept_label_length(node, whole));
  return (symmetric ? 1 : 2) * elements * sizeof(T);
}

/// \brief Makes labels on the host's threads, from the roots down.
/// \throws OutOfMemory if they do not fit; thrown before they are allocated
template <class Host, Semiring S, class T = typename S::value_type>
KeptLabels<T> kept_labels(const Host& exec, const HostFactor<S>& factor, Whole whole) {
  const Elimination& structure = factor.structure;
  const FactorValues<T>& values = factor.values;
  KeptLabels<T> kept{whole, {}, {}};
  std::size_t count = 0;
  for (const Supernode& node : structure.supernodes) {
    kept.start.push_back(count);
    count += at(node.width()) * kept_label_length(node, whole);
  }
  require_memory(exec, "the labels of " + std::to_string(structure.order.size()) + " vertices",
                 bytes_of_kept_labels<T>(structure, values.symmetric, whole));
  for (int sweep = 0; sweep < values.sweeps(); ++sweep) {
    kept.labels[sweep] = values.allocate("blockfw::labels", count);
    for (std::size_t s = 0; s < structure.supernodes.size(); ++s) {
      const Supernode& node = structure.supernodes[s];
      const std::size_t w = at(node.width()), length = kept_label_length(node, whole);
      for (std::size_t i = 0; i < w; ++i)
        std::copy_n(values.own_of(Sweep(sweep), s) + i * w, w,
                    kept.labels[sweep].data() + kept.start[s] + i * length + (length - w));
    }
  }
  constexpr std::int32_t at_once = 64;
  const auto is_completed = [&](const Supernode& node) {
    return node.parent >= 0 && !(node.leaf && whole == Whole::inner);
  };
  for (const auto& rows : rows_by_level(structure, at_once, is_completed))
    for_tasks(exec, static_cast<std::int64_t>(rows.size()), "blockfw::labels", [&](std::int64_t task) {
      const RowsTask& some = rows[at(task)];
      const Supernode& node = structure.supernodes[at(some.node)];
      const std::size_t length = kept_label_length(node, whole), here = at(std::min(at_once, node.width() - some.row));
      const std::int32_t k = node.first + some.row;
      complete_labels<Sweep::towards>(factor, kept, k, here, kept_row<Sweep::towards>(factor, kept, k), length);
      if (!values.symmetric)
        complete_labels<Sweep::from>(factor, kept, k, here, kept_row<Sweep::from>(factor, kept, k), length);
    });
  return kept;
}

}  // namespace blockfw::detail
