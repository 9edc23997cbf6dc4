// SPDX-License-Identifier: MIT
/// \file
/// \brief Transitive closure: which vertices reach which other vertices, in the semiring of "or" and "and". A word
/// holds 32 vertices.
///
/// \code
///   const auto reach = blockfw::transitive_closure(n, edges);  // or (exec, n, edges, options)
///   const auto on_host = reach.on_host();
///   std::printf("main needs strings: %s\n", on_host(0, 3) ? "yes" : "no");  // whether a path leads from 0 to 3
/// \endcode
#pragma once

#include "blockfw/detail/backend/backend.hpp"
#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/closure/bits.hpp"
#include "blockfw/detail/closure/component_rows.hpp"
#include "blockfw/detail/closure/product_rounds.hpp"
#include "blockfw/detail/closure/table_rounds.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/detail/matrices/edge_entries.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <cstdint>
#include <ranges>
#include <string>
#include <type_traits>

namespace blockfw {

/// \brief An n x n matrix of bits in the memory of an execution space. Row i is words()(i, 0), words()(i, 1), ... A
/// word holds 32 columns, the first column in the lowest bit. Rows and columns are padded with zeros to whole tiles.
template <class Space = Kokkos::DefaultExecutionSpace>
class BitMatrix {
 public:
  /// The words of a matrix: 32 columns each, row by row.
  using Words = Kokkos::View<std::uint32_t**, Kokkos::LayoutRight, typename Space::memory_space>;
  static constexpr int multiple = detail::bit_columns;     ///< columns are padded to a multiple of this number,
  static constexpr int round_pivots = detail::bit_pivots;  ///< and rows to a multiple of this number

  /// Makes a matrix of zeros. Queued on exec.
  /// \throws InvalidInput for n < 0; OutOfMemory when it does not fit, before it is allocated
  template <class ExecSpace>
  BitMatrix(const ExecSpace& exec, std::int64_t n) : n_(n) {
    detail::require_order(n);
    const double order = static_cast<double>(n);
    detail::require_memory(exec, "the bits of " + std::to_string(n) + " vertices",
                           (order + round_pivots) * (order + multiple) / 8);
    words_ = Words(Kokkos::view_alloc(exec, "blockfw::bits"), detail::at(detail::round_up(n, round_pivots)),
                   detail::at(detail::round_up(n, multiple) / 32));
  }
  /// A matrix of n vertices from existing words, padded as this class pads them.
  BitMatrix(std::int64_t n, const Words& words) : n_(n), words_(words) {}

  /// The number of vertices.
  KOKKOS_FUNCTION std::int64_t vertices() const { return n_; }
  /// The words, which this object shares.
  KOKKOS_FUNCTION const Words& words() const { return words_; }
  /// Bit (i, j). The caller must be able to reach the memory.
  KOKKOS_FUNCTION bool operator()(std::int64_t i, std::int64_t j) const {
    return (words_(i, j / 32) >> j % 32 & 1) != 0;
  }

  /// The matrix in memory that the host can read. A copy is made only if it is not there already.
  BitMatrix<Kokkos::DefaultHostExecutionSpace> on_host() const {
    return {n_, Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, words_)};
  }

 private:
  std::int64_t n_;
  Words words_;
};

namespace detail {

/// Lets each vertex reach itself, and does all rounds.
template <class Rounds, class ExecSpace>
void close_bits(const ExecSpace& exec, const BitMatrix<ExecSpace>& bits, const Progress& progress = {}) {
  const std::int64_t n = bits.vertices();
  const auto words = bits.words();
  detail::for_range(
      "blockfw::diagonal", exec, 0, n, KOKKOS_LAMBDA(std::int64_t i) { words(i, i / 32) |= 1u << i % 32; });
  if (n == 0) return;
  const Rounds rounds(exec, words);
  for (int round = -1; round < rounds.count(); ++round) {
    rounds.update(round);
    if (progress && round >= 0) {
      exec.fence("blockfw::progress");
      progress(round + 1, rounds.count());
    }
  }
}

/// \brief Sets the bits of some edges; fences exec.
/// \throws InvalidEdge for a vertex out of range
template <class ExecSpace, class Edges>
void scatter_bits(const ExecSpace& exec, const BitMatrix<ExecSpace>& bits, const Edges& edges, Direction direction) {
  using S = MinPlus<decltype(Edges::non_const_value_type::weight)>;
  const auto words = bits.words();
  const bool undirected = direction == Direction::undirected;
  for_checked_edges<S, false>(
      "blockfw::scatter_bits", exec, edges, bits.vertices(), 0,
      KOKKOS_LAMBDA(std::int64_t, const typename Edges::non_const_value_type& edge) {
        Kokkos::atomic_or(&entry_at(words, edge.from, edge.to / 32), 1u << edge.to % 32);
        if (undirected) Kokkos::atomic_or(&entry_at(words, edge.to, edge.from / 32), 1u << edge.from % 32);
      });
}

}  // namespace detail

/// \brief Computes the transitive closure in place: bit (i, j) means an edge i → j on entry and a path from i to j on
/// return. Every vertex reaches itself.
///
/// \param exec      the instance to run on
/// \param bits      the edges, then the paths
/// \param progress  called, if given, as progress(rounds done, rounds in all) after each round. Each call fences exec.
///                  If it throws, each bit still means a path, and another call finds the missing paths.
///
/// n³/32 word operations. Memory: n²/8 bytes, and at most 128 n bytes for panels. Queued on exec.
template <class ExecSpace>
void transitive_closure(const ExecSpace& exec, const BitMatrix<ExecSpace>& bits, const Progress& progress = {}) {
  const Kokkos::Profiling::ScopedRegion region("blockfw::transitive_closure");
  using Rounds = std::conditional_t<!is_host_space<ExecSpace> && target.multiplies_bits,
                                    detail::BitProductRounds<ExecSpace>, detail::BitTableRounds<ExecSpace>>;
  detail::close_bits<Rounds>(exec, bits, progress);
}

/// \brief Computes which vertices each vertex of the graph reaches. Each vertex reaches itself. Weights do not matter,
/// except that an infinite weight of floats is no edge, as in solve().
///
/// \param exec   the instance to run on; fenced on return
/// \param n      number of vertices
/// \param edges  host container or rank-1 view of Edge
/// \param options  the direction, and progress, as above. progress may throw.
/// \throws InvalidInput, InvalidEdge for bad arguments (among float weights also NaN and -infinity); OutOfMemory when
///                                    the closure does not fit, before it is allocated
///
/// n³/32 word operations. A sparse graph (fewer than n²/256 edges) takes (edges + n) · n/32: each strong component gets
/// its row from the rows of the components to which its edges lead.
template <class ExecSpace, class Edges>
  requires Kokkos::is_execution_space_v<ExecSpace> && EdgeList<Edges>
BitMatrix<ExecSpace> transitive_closure(const ExecSpace& exec, std::int64_t n, const Edges& edges,
                                        const TaskOptions& options = {}) {
  const auto there = reachable_edges(exec, edges);
  const BitMatrix<ExecSpace> bits(exec, n);
  // (Measured from n = 1000 to 16,000: components and rounds take the same time at one edge for 150 to 400 pairs of
  // vertices.)
  if (256 * detail::extent_along(there, 0) < n * n) {
    const Kokkos::Profiling::ScopedRegion region("blockfw::transitive_closure");
    const auto list = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, there);
    const auto components = detail::strong_components(static_cast<std::int32_t>(n), list, options.direction);
    detail::close_by_components(exec, bits.words(), components, options.progress);
    return bits;
  }
  detail::scatter_bits(exec, bits, there, options.direction);
  transitive_closure(exec, bits, options.progress);
  exec.fence("blockfw::transitive_closure");
  return bits;
}

/// Refused at compile time: an argument that is no list of edges.
template <class ExecSpace, class Edges>
  requires Kokkos::is_execution_space_v<ExecSpace> && (!EdgeList<Edges>)
BitMatrix<ExecSpace> transitive_closure(const ExecSpace& exec, std::int64_t, const Edges&, const TaskOptions& = {}) {
  detail::require_edges<Edges>();
  return {exec, 0};
}

/// \brief The same on the default execution space.
template <class Edges>
  requires(!Kokkos::is_execution_space_v<Edges>)
auto transitive_closure(std::int64_t n, const Edges& edges, const TaskOptions& options = {}) {
  return transitive_closure(detail::default_instance<Kokkos::DefaultExecutionSpace>(), n, edges, options);
}

}  // namespace blockfw
