// SPDX-License-Identifier: MIT
/// \file
/// \brief The numbers of a sparse factor: the ways between each supernode and its boundary, and the labels.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/elimination/row_products.hpp"
#include "blockfw/detail/graph/supernodes.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <numeric>
#include <string>
#include <vector>

namespace blockfw::detail {

/// Arcs between numbers of the order of elimination, in groups.
template <class T>
struct Arcs {
  struct Arc {
    std::int32_t from, to;
    T weight;
  };
  std::vector<std::size_t> first;  ///< group g has the arcs [first[g], first[g + 1])
  std::vector<Arc> arcs;
};

/// The same arcs in other groups: group(arc) is from 0 to groups - 1.
template <class T, class Group>
Arcs<T> sorted_by(const Arcs<T>& arcs, std::int64_t groups, const Group& group) {
  Arcs<T> sorted{std::vector<std::size_t>(static_cast<std::size_t>(groups) + 1, 0), {}};
  for (const auto& arc : arcs.arcs) ++sorted.first[static_cast<std::size_t>(group(arc)) + 1];
  std::partial_sum(sorted.first.begin(), sorted.first.end(), sorted.first.begin());
  sorted.arcs.resize(arcs.arcs.size());
  auto next = sorted.first;
  for (const auto& arc : arcs.arcs) sorted.arcs[next[static_cast<std::size_t>(group(arc))]++] = arc;
  return sorted;
}

/// \brief A sweep *towards* some vertices finds the distances from all vertices to these. A sweep *from* some vertices
/// finds the distances from these to all vertices. In a symmetric graph both are the same.
enum class Sweep { towards, from };

/// \brief The numbers that one sweep reads.
///
/// A supernode with w vertices and a boundary of b vertices has w rows of b `ways`. A way is a vertex's best path to a
/// vertex of the boundary (towards), or from it (from), inside the supernode's subtree. A vertex has a *label*: its
/// best paths from each vertex on its path in the tree (towards), or to each of them (from). Each of these paths stays
/// inside the subtree of the other vertex. A leaf's label is kept for the leaf's own vertices only. complete_labels()
/// makes the rest. (Labels in the sense of hub labels: Abraham et al., "A hub-based labeling algorithm for shortest
/// paths in road networks", SEA 2011.)
template <class T>
struct SweepValues {
  const T *ways,       ///< of this sweep
      *opposite_ways,  ///< of the other sweep, by which labels are completed
      *labels;         ///< of this sweep
};

/// Where a supernode's rows begin.
struct FactorStart {
  std::size_t ways, labels;
};

/// \brief The numbers of a factor.
template <class T>
struct FactorValues {
  std::vector<FactorStart> start;  ///< of each supernode
  bool symmetric = false;
  using Array = Kokkos::View<T*, Kokkos::HostSpace>;
  Array ways[2], labels[2];  ///< by the sweep; see SweepValues. A symmetric factor has the first only

  /// \brief Allocates memory so that each thread touches first the part that it writes.
  /// \throws OutOfMemory
  static Array allocate(const std::string& label, std::size_t count) {
    try {
      const Array array(Kokkos::view_alloc(label, Kokkos::WithoutInitializing), count);
      prefer_large_pages(array.data(), count * sizeof(T));
      return array;
    } catch (const std::exception&) {  // (of Kokkos, by another type in each of its versions)
      throw OutOfMemory("the factor needs " + gigabytes(static_cast<double>(count) * sizeof(T)) +
                        " for its numbers, which could not be allocated");
    }
  }

  SweepValues<T> of(Sweep sweep) const {
    const int mine = symmetric ? 0 : int(sweep), other = symmetric ? 0 : 1 - int(sweep);
    return {ways[mine].data(), ways[other].data(), labels[mine].data()};
  }
};

/// Entries of a row of a supernode's labels.
inline std::size_t label_length(const Supernode& node) {
  return static_cast<std::size_t>(node.leaf ? node.width() : node.path_length());
}

/// \brief The labels of some vertices of a supernode for the vertices above it.
///
/// Take a best path from an ancestor x to a vertex, inside the subtree of x. It enters the vertex's supernode from a
/// vertex y of the boundary, which lies in this subtree, too.
///
/// \param k       the first vertex
/// \param count   of the vertices
/// \param above   the results; each has the length of the supernode's depth
/// \param stride  from a result to the next
template <Semiring S, Sweep Heading, class T = typename S::value_type>
void complete_labels(const Elimination& structure, const FactorValues<T>& factor, std::int32_t k, std::size_t count,
                     T* above, std::size_t stride) {
  constexpr Side side = Heading == Sweep::towards ? Side::right : Side::left;
  constexpr std::size_t unit = RowProducts<S>::unit, at_once = 64;
  const auto at = [](auto i) { return static_cast<std::size_t>(i); };
  const SweepValues<T> values = factor.of(Heading);
  const std::size_t s = at(structure.owner[at(k)]);
  const Supernode& node = structure.supernodes[s];
  const std::size_t boundary = node.boundary.size();
  for (std::size_t i = 0; i < count; ++i) std::fill_n(above + i * stride, node.depth, S::zero());
  const T* const ways = values.opposite_ways + factor.start[s].ways + at(k - node.first) * boundary;
  for (std::size_t y = 0; y < boundary;) {  // the vertices of one supernode: their labels have the same length
    const std::size_t o = at(structure.owner[at(node.boundary[y])]);
    const Supernode& owner = structure.supernodes[o];
    const std::size_t length = label_length(owner), whole = length / unit * unit;
    const T *labels[at_once], *ends[at_once];
    std::size_t some = 0;
    for (; some < at_once && y + some < boundary && node.boundary[y + some] < owner.last; ++some) {
      labels[some] = values.labels + factor.start[o].labels + at(node.boundary[y + some] - owner.first) * length;
      if (length >= unit) ends[some] = labels[some] + length - unit;
    }
    if (length < unit) {
      for (std::size_t i = 0; i < count; ++i)
        for (std::size_t l = 0; l < some; ++l)
          RowProducts<S>::template relax_row<side>(ways[i * boundary + y + l], labels[l], above + i * stride, length);
    } else {
      RowProducts<S>::template relax<side>(count, some, ways + y, boundary, labels, above, stride, whole, false);
      if (whole < length)  // (⊕ is idempotent: some entries are done twice.)
        RowProducts<S>::template relax<side>(count, some, ways + y, boundary, ends, above + length - unit, stride, unit,
                                             false);
    }
    y += some;
  }
}

/// The whole label of any vertex, for all vertices on its path.
template <Semiring S, Sweep Heading, class T = typename S::value_type>
void whole_label(const Elimination& structure, const FactorValues<T>& factor, std::int32_t k, T* label) {
  const auto s = static_cast<std::size_t>(structure.owner[static_cast<std::size_t>(k)]);
  const Supernode& node = structure.supernodes[s];
  const T* const kept = factor.of(Heading).labels + factor.start[s].labels +
                        static_cast<std::size_t>(k - node.first) * label_length(node);
  if (node.leaf) complete_labels<S, Heading>(structure, factor, k, 1, label, 0);
  std::copy_n(kept, label_length(node), label + (node.leaf ? node.depth : 0));
}

/// \brief A length that no distance exceeds.
///
/// A shortest path may stay in one supernode's subtree and join two of its vertices. Else it goes up to a vertex that
/// lies above both its ends, and then down: each of the two parts is an entry of a label. A leaf's label for the
/// vertices above the leaf consists of a way to the boundary and an entry of the label there.
template <class T>
T longest_distance(const Elimination& structure, const FactorValues<T>& factor) {
  const auto longest = [](const T* lengths, std::size_t count, T so_far) {
    for (std::size_t i = 0; i < count; ++i)
      if (lengths[i] < infinity<T>) so_far = std::max(so_far, lengths[i]);
    return so_far;
  };
  T own = 0, there_and_back = 0;
  for (const Sweep sweep : {Sweep::from, Sweep::towards}) {
    const SweepValues<T> values = factor.of(sweep);
    T above = 0, inner = 0, way = -1;  // above its supernode; of any label kept whole; to a leaf's boundary
    for (std::size_t s = 0; s < structure.supernodes.size(); ++s) {
      const Supernode& node = structure.supernodes[s];
      const std::size_t w = static_cast<std::size_t>(node.width()), length = label_length(node);
      for (std::size_t i = 0; i < w; ++i) {
        const T* const label = values.labels + factor.start[s].labels + i * length;
        above = longest(label, length - w, above);
        own = longest(label + length - w, w, own);
        if (!node.leaf) inner = longest(label, length, inner);
      }
      // (Labels are completed by the ways of the other sweep.)
      if (node.leaf) way = longest(values.opposite_ways + factor.start[s].ways, w * node.boundary.size(), way);
    }
    there_and_back += std::max(above, way < 0 ? T(0) : way + inner);
  }
  return std::max(own, there_and_back);
}

}  // namespace blockfw::detail
