// SPDX-License-Identifier: MIT
/// \file
/// \brief Labels that are kept: for sweeps of all vertices those of inner supernodes' vertices, and each leaf's own
/// paths; for many single distances those of all vertices.
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

/// Which labels are kept whole: those of inner supernodes' vertices, or all.
enum class Whole { inner, all };

/// Entries of a row of a supernode's labels as they are kept.
inline std::size_t kept_label_length(const Supernode& node, Whole whole) {
  return static_cast<std::size_t>(node.leaf && whole == Whole::inner ? node.width() : node.path_length());
}

template <class T>
struct KeptLabels {
  Whole whole = Whole::inner;
  std::vector<std::size_t> start;             ///< of each supernode; its vertices' labels follow each other
  typename FactorValues<T>::Array labels[2];  ///< by the sweep; of a symmetric factor the first only
};

/// \brief The labels of some vertices of a supernode for the vertices above it.
///
/// Take a best path from an ancestor x to a vertex, inside the subtree of x. It enters the vertex's supernode from a
/// vertex y of the boundary, which lies in this subtree, too. The label of y is kept.
///
/// \param k       the first vertex
/// \param count   of the vertices
/// \param above   the results; each has the length of the supernode's depth
/// \param stride  from a result to the next
template <Semiring S, Sweep Heading, class T = typename S::value_type>
void complete_labels(const Elimination& structure, const FactorValues<T>& factor, const KeptLabels<T>& kept,
                     std::int32_t k, std::size_t count, T* above, std::size_t stride) {
  constexpr Side side = compiled_side<S>(Heading == Sweep::towards ? Side::right : Side::left);
  constexpr std::size_t unit = RowProducts<S>::unit, at_once = 64;
  const T* const all = kept.labels[factor.symmetric ? 0 : int(Heading)].data();
  const std::size_t s = at(structure.owner[at(k)]);
  const Supernode& node = structure.supernodes[s];
  const std::size_t boundary = node.boundary.size();
  for (std::size_t i = 0; i < count; ++i) std::fill_n(above + i * stride, node.depth, S::zero());
  const T* const ways = factor.of(Heading).opposite_ways + factor.start[s].ways + at(k - node.first) * boundary;
  for (std::size_t y = 0; y < boundary;) {  // the vertices of one supernode: their labels have the same length
    const std::size_t o = at(structure.owner[at(node.boundary[y])]);
    const Supernode& owner = structure.supernodes[o];
    const std::size_t length = kept_label_length(owner, kept.whole), whole = length / unit * unit;
    const T *labels[at_once], *ends[at_once];
    std::size_t some = 0;
    for (; some < at_once && y + some < boundary && node.boundary[y + some] < owner.last; ++some) {
      labels[some] = all + kept.start[o] + at(node.boundary[y + some] - owner.first) * length;
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
template <Semiring S, class Host, class T = typename S::value_type>
KeptLabels<T> kept_labels(const Host& exec, const Elimination& structure, const FactorValues<T>& factor, Whole whole) {
  KeptLabels<T> kept;
  kept.whole = whole;
  struct Rows {
    std::size_t node, first, count;
  };
  std::vector<std::vector<Rows>> levels;  // of the tree: rows that are kept whole
  std::vector<std::size_t> level(structure.supernodes.size(), 0);
  std::size_t count = 0;
  for (const Supernode& node : structure.supernodes) {
    kept.start.push_back(count);
    count += at(node.width()) * kept_label_length(node, whole);
  }
  constexpr std::size_t at_once = 64;
  for (std::size_t s = structure.supernodes.size(); s-- > 0;) {
    const Supernode& node = structure.supernodes[s];
    if (node.parent >= 0) level[s] = level[at(node.parent)] + 1;
    if ((node.leaf && whole == Whole::inner) || node.parent < 0) continue;
    if (levels.size() <= level[s]) levels.resize(level[s] + 1);
    for (std::size_t first = 0; first < at(node.width()); first += at_once)
      levels[level[s]].push_back({s, first, std::min(at_once, at(node.width()) - first)});
  }
  const int sweeps = factor.symmetric ? 1 : 2;
  require_memory(exec, "the labels of " + std::to_string(structure.order.size()) + " vertices",
                 sweeps * static_cast<double>(count) * sizeof(T));
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    kept.labels[sweep] = factor.allocate("blockfw::labels", count);
    for (std::size_t s = 0; s < structure.supernodes.size(); ++s) {
      const Supernode& node = structure.supernodes[s];
      const std::size_t w = at(node.width()), length = kept_label_length(node, whole);
      for (std::size_t i = 0; i < w; ++i)
        std::copy_n(factor.own[sweep].data() + factor.start[s].own + i * w, w,
                    kept.labels[sweep].data() + kept.start[s] + i * length + (length - w));
    }
  }
  for (const auto& rows : levels)
    for_tasks(exec, static_cast<std::int64_t>(rows.size()), "blockfw::labels", [&](std::int64_t task) {
      const Rows& some = rows[at(task)];
      const Supernode& node = structure.supernodes[some.node];
      const std::size_t length = kept_label_length(node, whole);
      const std::int32_t k = node.first + static_cast<std::int32_t>(some.first);
      const auto row = [&](int sweep) {
        return kept.labels[sweep].data() + kept.start[some.node] + some.first * length;
      };
      complete_labels<S, Sweep::towards>(structure, factor, kept, k, some.count, row(0), length);
      if (sweeps == 2) complete_labels<S, Sweep::from>(structure, factor, kept, k, some.count, row(1), length);
    });
  return kept;
}

/// The kept row of a vertex: its whole label, or in a leaf its own paths if only inner labels are kept whole.
template <Sweep Heading, class T>
const T* kept_row(const Elimination& structure, const FactorValues<T>& factor, const KeptLabels<T>& kept,
                  std::int32_t k) {
  const auto s = static_cast<std::size_t>(structure.owner[static_cast<std::size_t>(k)]);
  const Supernode& node = structure.supernodes[s];
  return kept.labels[factor.symmetric ? 0 : int(Heading)].data() + kept.start[s] +
         static_cast<std::size_t>(k - node.first) * kept_label_length(node, kept.whole);
}

/// The whole label of any vertex, for all vertices on its path.
template <Semiring S, Sweep Heading, class T = typename S::value_type>
void whole_label(const Elimination& structure, const FactorValues<T>& factor, const KeptLabels<T>& kept, std::int32_t k,
                 T* label) {
  const Supernode& node = structure.supernodes[static_cast<std::size_t>(structure.owner[static_cast<std::size_t>(k)])];
  const bool own = node.leaf && kept.whole == Whole::inner;
  if (own) complete_labels<S, Heading>(structure, factor, kept, k, 1, label, 0);
  std::copy_n(kept_row<Heading>(structure, factor, kept, k), kept_label_length(node, kept.whole),
              label + (own ? node.depth : 0));
}

}  // namespace blockfw::detail
