// SPDX-License-Identifier: MIT
/// \file
/// \brief The numbers of a sparse factor: the ways between each supernode and its boundary, and among the
/// supernode's vertices.
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
#include <memory>
#include <string>
#include <vector>

namespace blockfw::detail {

/// \brief A sweep *towards* some vertices finds the distances from all vertices to these. A sweep *from* some vertices
/// finds the distances from these to all vertices. In a symmetric graph both are the same.
enum class Sweep { towards, from };

/// \brief The numbers that one sweep reads.
///
/// A supernode with w vertices and a boundary of b vertices has w rows of b `ways`. A way is a vertex's best path to a
/// vertex of the boundary (towards), or from it (from), inside the supernode's subtree. `own` has w rows of w: the best
/// paths between its vertices inside the subtree. A row is for one vertex: the paths to it (towards), or the paths from
/// it (from).
///
/// A vertex has a *label*: its best paths from each vertex on its path in the tree (towards), or to each of them
/// (from). Each of these paths stays inside the subtree of the other vertex. Labels are not kept: LabelBlock makes
/// them. (Labels in the sense of hub labels: Abraham et al., "A hub-based labeling algorithm for shortest paths in road
/// networks", SEA 2011.)
template <class T>
struct SweepValues {
  const T *ways,       ///< of this sweep
      *opposite_ways,  ///< of the other sweep, by which labels climb the tree
      *own;            ///< of this sweep
};

/// Where a supernode's rows begin.
struct FactorStart {
  std::size_t ways, own;
};

/// Where the rows of each supernode begin; behind them, where the last rows end.
inline std::vector<FactorStart> starts_of(const Elimination& structure) {
  std::vector<FactorStart> start;
  start.reserve(structure.supernodes.size() + 1);
  FactorStart next{0, 0};
  for (const Supernode& node : structure.supernodes) {
    start.push_back(next);
    const auto w = static_cast<std::size_t>(node.width());
    next = {next.ways + w * node.boundary.size(), next.own + w * w};
  }
  start.push_back(next);
  return start;
}

/// \brief The numbers of a factor.
template <class T>
struct FactorValues {
  std::vector<FactorStart> start;  ///< of each supernode, and the end
  bool symmetric = false;
  using Array = Kokkos::View<T*, Kokkos::HostSpace>;
  std::shared_ptr<const void> memory;  ///< of the arrays, where they are no memory of their own
  Array ways[2], own[2];               ///< by the sweep; see SweepValues. A symmetric factor has the first only

  /// Numbers behind the end of an array, which whole vectors read.
  static constexpr std::size_t beyond = 128 / sizeof(T);

  /// \brief Allocates memory so that each thread touches first the part that it writes.
  /// \throws OutOfMemory
  static Array allocate(const std::string& label, std::size_t count) {
    try {
      const Array array(Kokkos::view_alloc(label, Kokkos::WithoutInitializing), count + beyond);
      prefer_large_pages(array.data(), count * sizeof(T));
      std::fill_n(array.data() + count, beyond, T(0));
      return Kokkos::subview(array, Kokkos::pair<std::size_t, std::size_t>(0, count));
    } catch (const std::exception&) {  // (of Kokkos, by another type in each of its versions)
      throw OutOfMemory("the factor needs " + gigabytes(static_cast<double>(count) * sizeof(T)) +
                        " for its numbers, which could not be allocated");
    }
  }

  /// The same numbers in memory of their own.
  FactorValues copy() const {
    FactorValues result{start, symmetric, {}, {}, {}};
    for (const int sweep : {0, 1}) {
      result.ways[sweep] = allocate("blockfw::ways", ways[sweep].size());
      result.own[sweep] = allocate("blockfw::own", own[sweep].size());
      std::copy_n(ways[sweep].data(), ways[sweep].size(), result.ways[sweep].data());
      std::copy_n(own[sweep].data(), own[sweep].size(), result.own[sweep].data());
    }
    return result;
  }

  SweepValues<T> of(Sweep sweep) const {
    const int mine = symmetric ? 0 : int(sweep), other = symmetric ? 0 : 1 - int(sweep);
    return {ways[mine].data(), ways[other].data(), own[mine].data()};
  }
};

}  // namespace blockfw::detail
