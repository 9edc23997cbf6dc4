// SPDX-License-Identifier: MIT
/// \file
/// \brief Labels that are kept. Sweeps of all vertices keep the labels of inner supernodes' vertices, and each leaf's
/// own paths. Many single distances keep the labels of all vertices, or of the top of the tree.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/elimination/factor.hpp"
#include "blockfw/detail/elimination/row_products.hpp"
#include "blockfw/detail/graph/supernodes.hpp"
#include "blockfw/detail/loops/threads.hpp"
#include "blockfw/ground/semiring.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace blockfw::detail {

/// The supernodes whose vertices' labels are kept whole. Each ancestor of such a supernode is one, too.
struct Whole {
  std::int64_t least = 1;  ///< the fewest vertices that the subtree of such a supernode has
  bool leaves = true;      ///< false: no leaf is such a supernode, and its vertices keep their own paths only

  bool has(const Supernode& node) const { return node.below >= least && (leaves || !node.leaf); }
  /// Entries of a row of a supernode's labels as they are kept.
  std::size_t length(const Supernode& node) const {
    return has(node) ? at(node.path_length()) : leaves ? 0 : at(node.width());
  }
  bool operator==(const Whole&) const = default;

  static constexpr Whole all() { return {}; }
  static constexpr Whole inner() { return {.leaves = false}; }
};

template <class T>
struct KeptLabels {
  Whole whole;
  std::vector<std::size_t> start;  ///< where the labels of each supernode's vertices start; they follow each other
  typename FactorValues<T>::Array labels[2];  ///< the labels by the sweep; a symmetric factor has only the first array
};

/// Whether the labels of all vertices are kept.
template <Semiring S>
bool keeps_all_labels(const HostFactor<S>& factor) {
  return factor.kept && factor.kept->whole == Whole::all();
}

/// The kept row of a vertex: its whole label, or in a leaf its own paths if only inner labels are kept whole.
template <Sweep Heading, Semiring S, class T>
T* kept_row(const HostFactor<S>& factor, const KeptLabels<T>& kept, std::int32_t k) {
  const Supernode& node = factor.node_of(k);
  return kept.labels[factor.values.index(Heading)].data() + kept.start[at(factor.structure.owner[at(k)])] +
         at(k - node.first) * kept.whole.length(node);
}

/// \brief The labels of some vertices of a subtree for the vertices above it.
///
/// Take a best path from an ancestor x to a vertex, inside the subtree of x. It enters the vertex's subtree from a
/// vertex y of the boundary, which lies in the subtree of x, too. The label of y is kept.
///
/// \param node    the subtree's root
/// \param ways    for each vertex its best paths over the boundary
/// \param count   of the vertices
/// \param above   the results; each has the length of the root's depth
/// \param stride  from a result to the next
/// \param needed  entries of a result that are needed
template <Sweep Heading, Semiring S, class T>
void complete_labels(const HostFactor<S>& factor, const KeptLabels<T>& kept, const Supernode& node, const T* ways,
                     std::size_t count, T* above, std::size_t stride, std::size_t needed) {
  constexpr Side side = compiled_side<S>(Heading == Sweep::towards ? Side::right : Side::left);
  constexpr std::size_t unit = RowProducts<S>::unit, at_once = 64;
  const std::size_t boundary = node.boundary.size();
  for (std::size_t i = 0; i < count; ++i) std::fill_n(above + i * stride, node.depth, S::zero());
  for (std::size_t y = 0; y < boundary;) {  // the vertices of one supernode: their labels have the same length
    const Supernode& owner = factor.node_of(node.boundary[y]);
    const std::size_t stored = kept.whole.length(owner), length = std::min(stored, round_up(needed, unit));
    const std::size_t whole = length / unit * unit;
    const T *const first = kept_row<Heading>(factor, kept, owner.first), *labels[at_once], *ends[at_once];
    std::size_t some = 0;
    for (; some < at_once && y + some < boundary && node.boundary[y + some] < owner.last; ++some) {
      labels[some] = first + at(node.boundary[y + some] - owner.first) * stored;
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

/// The same for some vertices of a supernode, k and those after it.
template <Sweep Heading, Semiring S, class T>
void complete_labels(const HostFactor<S>& factor, const KeptLabels<T>& kept, std::int32_t k, std::size_t count,
                     T* above, std::size_t stride) {
  const Supernode& node = factor.node_of(k);
  const T* const ways = factor.values.ways_of(opposite(Heading), at(factor.structure.owner[at(k)]));
  complete_labels<Heading>(factor, kept, node, ways + at(k - node.first) * node.boundary.size(), count, above, stride,
                           at(node.depth));
}

/// Bytes of the labels that are kept.
template <class T>
double bytes_of_kept_labels(const Elimination& structure, bool symmetric, Whole whole = Whole::all()) {
  double elements = 0;
  for (const Supernode& node : structure.supernodes)
    elements += static_cast<double>(node.width()) * static_cast<double>(whole.length(node));
  return (symmetric ? 1 : 2) * elements * sizeof(T);
}

/// The labels that some memory holds, from the roots down. The least size of a subtree is a power of two.
template <class T>
Whole labels_within(const Elimination& structure, bool symmetric, double bytes) {
  Whole whole = Whole::all();
  while (whole.least <= structure.vertices() && !(bytes_of_kept_labels<T>(structure, symmetric, whole) <= bytes))
    whole.least *= 2;
  return whole;
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
    count += at(node.width()) * whole.length(node);
  }
  require_memory(exec, "the labels of " + std::to_string(structure.order.size()) + " vertices",
                 bytes_of_kept_labels<T>(structure, values.symmetric, whole));
  for (int sweep = 0; sweep < values.sweeps(); ++sweep) {
    kept.labels[sweep] = values.allocate("blockfw::labels", count);
    for (std::size_t s = 0; s < structure.supernodes.size(); ++s) {
      const Supernode& node = structure.supernodes[s];
      const std::size_t w = at(node.width()), length = whole.length(node);
      if (length == 0) continue;
      for (std::size_t i = 0; i < w; ++i)
        std::copy_n(values.own_of(Sweep(sweep), s) + i * w, w,
                    kept.labels[sweep].data() + kept.start[s] + i * length + (length - w));
    }
  }
  constexpr std::int32_t at_once = 64;
  const auto is_completed = [&](const Supernode& node) { return node.parent >= 0 && whole.has(node); };
  for (const auto& rows : rows_by_level(structure, at_once, is_completed))
    for_tasks(exec, static_cast<std::int64_t>(rows.size()), "blockfw::labels", [&](std::int64_t task) {
      const RowsTask& some = rows[at(task)];
      const Supernode& node = structure.supernodes[at(some.node)];
      const std::size_t length = whole.length(node), here = at(std::min(at_once, node.width() - some.row));
      const std::int32_t k = node.first + some.row;
      complete_labels<Sweep::towards>(factor, kept, k, here, kept_row<Sweep::towards>(factor, kept, k), length);
      if (!values.symmetric)
        complete_labels<Sweep::from>(factor, kept, k, here, kept_row<Sweep::from>(factor, kept, k), length);
    });
  return kept;
}

}  // namespace blockfw::detail
