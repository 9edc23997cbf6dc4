// SPDX-License-Identifier: MIT
/// \file
/// \brief The numbers of a sparse factor: the ways between each supernode and its boundary, and among the supernode's
/// vertices. Also the form of a factor that answers on a host read.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/graph/supernodes.hpp"
#include "blockfw/detail/plan/finish.hpp"
#include "blockfw/detail/plan/potentials.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <concepts>
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

/// The other sweep.
constexpr Sweep opposite(Sweep sweep) { return sweep == Sweep::towards ? Sweep::from : Sweep::towards; }

/// Where a supernode's rows begin.
struct FactorStart {
  std::size_t ways, own;
};

/// The list of where the rows of each supernode begin. Its last entry is the end of the last rows.
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

/// \brief The arrays of a factor in some memory.
///
/// A supernode with w vertices and a boundary of b vertices has w rows of b `ways`. A way is a vertex's best path to a
/// vertex of the boundary (towards), or from it (from), inside the supernode's subtree. `own` has w rows of w: the best
/// paths between its vertices inside the subtree. A row is for one vertex: the paths to it (towards), or the paths from
/// it (from).
///
/// A vertex has a *label*: its best paths from each vertex on its path in the tree (towards), or to each of them
/// (from). Each of these paths stays inside the subtree of the other vertex. LabelMaker makes
/// labels by the ways of the opposite sweep. (Labels in the sense of hub labels: Abraham et al., "A hub-based labeling
/// algorithm for shortest paths in road networks", SEA 2011.)
template <class T, class Memory>
struct FactorArrays {
  using Array = Kokkos::View<T*, Memory>;
  bool symmetric = false;
  Array ways[2], own[2];  ///< the arrays by the sweep; a symmetric factor has only the first of each

  int sweeps() const { return symmetric ? 1 : 2; }
  /// The place of a sweep's arrays.
  int index(Sweep sweep) const { return symmetric ? 0 : int(sweep); }

  /// Sets each array to make(label, the same array of another factor).
  template <class From, class Make>
  void assign(const From& from, const Make& make) {
    symmetric = from.symmetric;
    for (int sweep = 0; sweep < sweeps(); ++sweep) {
      ways[sweep] = make("blockfw::ways", from.ways[sweep]);
      own[sweep] = make("blockfw::own", from.own[sweep]);
    }
  }
  /// Frees the arrays of the second sweep if equal(first, second) is true: the factor is symmetric then.
  template <class Equal>
  void find_symmetry(const Equal& equal) {
    if (symmetric || !equal(ways[0], ways[1]) || !equal(own[0], own[1])) return;
    symmetric = true;
    ways[1] = own[1] = {};
  }
};

/// \brief The numbers of a factor on a host.
template <class T>
struct FactorValues : FactorArrays<T, Kokkos::HostSpace> {
  using typename FactorArrays<T, Kokkos::HostSpace>::Array;
  std::vector<FactorStart> start;      ///< where each supernode's rows begin, and the end of the last
  std::shared_ptr<const void> memory;  ///< the owner of the arrays' memory, if the arrays do not own it

  /// Numbers behind the end of an array, which whole vectors read.
  static constexpr std::size_t beyond = 128 / sizeof(T);

  /// \brief Allocates memory so that each thread touches first the part that it writes.
  /// \throws OutOfMemory
  static Array allocate(const std::string& label, std::size_t count) {
    try {
      const Array array(Kokkos::view_alloc(label, Kokkos::WithoutInitializing), count + beyond);
      prefer_large_pages(array.data(), count * sizeof(T));
      std::fill_n(array.data() + count, beyond, T());
      return Kokkos::subview(array, Kokkos::pair<std::size_t, std::size_t>(0, count));
    } catch (const std::exception&) {  // (Kokkos throws another type in each of its versions)
      throw OutOfMemory("the factor needs " + gigabytes(static_cast<double>(count) * sizeof(T)) +
                        " for its numbers, which could not be allocated");
    }
  }
  static Array copy_of(const char* label, const Array& array) {
    const Array copy = allocate(label, array.size());
    std::copy_n(array.data(), array.size(), copy.data());
    return copy;
  }

  /// The same numbers in memory of their own.
  FactorValues copy() const {
    FactorValues result;
    result.start = start;
    result.assign(*this, copy_of);
    return result;
  }

  /// The rows of supernode s.
  T* ways_of(Sweep sweep, std::size_t s) const { return this->ways[this->index(sweep)].data() + start[s].ways; }
  T* own_of(Sweep sweep, std::size_t s) const { return this->own[this->index(sweep)].data() + start[s].own; }
};

/// An array where an instance works, not initialised.
template <class E, class ExecSpace>
Kokkos::View<E*, typename ExecSpace::memory_space> new_array(const ExecSpace& exec, const char* label,
                                                             std::integral auto count) {
  return Kokkos::View<E*, typename ExecSpace::memory_space>(
      Kokkos::view_alloc(exec, std::string(label), Kokkos::WithoutInitializing), static_cast<std::size_t>(count));
}

template <class T>
struct KeptLabels;

/// The number of one of several sets of weights, or the only number.
template <class E>
auto entry_of(const E& numbers, [[maybe_unused]] std::size_t set) {
  if constexpr (is_per_set<E>)
    return numbers.of[set];
  else
    return numbers;
}

/// \brief A factor in the form that answers on a host read. It owns nothing.
template <Semiring S>
struct HostFactor {
  using Over = S;
  using T = typename S::value_type;

  const Elimination& structure;
  const FactorValues<T>& values;
  const KeptLabels<T>* kept;  ///< labels of all vertices or of the top of the tree, if they are kept
  WeightRange<T> range;       ///< the range of the weights

  std::int64_t vertices() const { return static_cast<std::int64_t>(structure.order.size()); }
  /// The supernode of number k of the order of elimination.
  const Supernode& node_of(std::int32_t k) const { return structure.supernodes[at(structure.owner[at(k)])]; }
  /// The numbers of all sets of weights. Set 0 is the only one here.
  const HostFactor& numbers() const { return *this; }
  std::size_t sets() const { return 1; }
  /// Marks distances without a path.
  Finish<S> finish(std::size_t = 0) const { return finish_of<S>(vertices(), range); }
  /// Whether the distance of a vertex to itself is to be set to one(), as sums may round.
  bool sets_own(std::size_t = 0) const { return cancels<S>(range); }
};

/// The first address of memory that is aligned for vectors. The memory has vector_padding<T> elements more than are
/// needed.
template <class T>
T* aligned(T* memory) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  return memory + (round_up(address, std::uintptr_t{64}) - address) / sizeof(T);
}
template <class T>
inline constexpr std::size_t vector_padding = 64 / sizeof(T);

}  // namespace blockfw::detail
