// SPDX-License-Identifier: MIT
/// \file
/// \brief blocked_floyd_warshall: all-pairs shortest paths in place; and checks of a matrix before and after.
#pragma once

#include "blockfw/detail/kernel/rounds.hpp"
#include "blockfw/detail/matrices/checks.hpp"
#include "blockfw/detail/matrices/copies.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <optional>

namespace blockfw {

namespace detail {

/// Over a semiring. (This function, not its callers, names the semiring of a type. So for an unsupported type their
/// static_assert comes before the compiler's error.)
template <class TileShape, class Over, class T, class ExecSpace>
void do_rounds(const ExecSpace& exec, const MatrixRef<T, ExecSpace>& d, const TaskOptions& options) {
  solve_matrix<TileShape, typename SemiringOfMatrix<Over, T>::type>(exec, d, options.direction, options.progress);
}

}  // namespace detail

/// \brief Shortest distances of all pairs, in place, by blocked Floyd-Warshall.
///
/// On entry d(i, j) is the length of the edge i → j or infinity<T>. On exit it is the length of the shortest path.
/// d(i, i) is 0 if it was 0. Integers above infinity<T>, and sums that overflow, are the caller's error
/// (require_safe_sums checks a range of weights). Edges may be negative. With a negative cycle the matrix ends with a
/// negative diagonal entry (see find_negative_cycle), and its other entries are unspecified. With negative integer
/// edges a pair without a path may end below infinity; mark_unreachable corrects it. A sum with a NaN never replaces an
/// entry, so a NaN entry hides the paths through it. A device may replace the NaN by the length of a path around it.
/// solve() takes care of all of this.
///
/// Over another semiring (see ground/semiring.hpp) d(i, j) is on entry the weight of the edge i → j, or S::zero()
/// without an edge. The diagonal is S::one(). On exit it is the ⊕ of all paths. A cycle that gets better each time
/// around leaves a diagonal entry for which S::diverges() is true.
///
/// \tparam TileShape  a Tile<...>; by default the tuned one of the space and type
/// \tparam Over       the semiring, as in solve(); if left out, shortest paths. blocked_floyd_warshall<Over>()
///                    takes the tuned tile.
/// \tparam ExecSpace  the space to run in; deduced from exec, or the default execution space
/// \param exec      the instance to run on. Nothing else is used or fenced, and on a device the call returns early.
/// \param d         a square rank-2 Kokkos view of int16_t, int32_t, int64_t, float or double, of any order. Its layout
///                  is LayoutRight, LayoutLeft or strided, and ExecSpace must reach it.
/// \param options   progress: called, if set, as progress(rounds done, rounds in all) after each round; each
///                  call fences exec. direction: undirected for n³/2 relaxes. The matrix must then be known to be
///                  symmetric (see is_symmetric()); if it is not, the entries below its diagonal are lost.
/// \throws InvalidInput  when d is not square, has no memory, or is too large for the tile. Also when the direction is
///                       undirected and the semiring does not say that its ⊗ is commutative.
///
/// n³ relaxes. On a host each of the n/block rounds reads and writes the matrix once. The host has memory for the
/// panels of one round: 2·block·n elements (3·block·n of 16 bits, 5·block·n of 8 bits). On a device one launch does all
/// rounds; above an order of 65000 a few launches do. An entry is read and written every few rounds. The device has
/// memory for the panels of 4 to 19 rounds, and for a word for each tile. The panels take 2·block·n elements for each
/// round (3·block·n for int16_t). A RelayTile takes as much memory again as the panels of 8 rounds. The memory is kept
/// for the next call on the instance until Kokkos is finalized. Its allocation, in the first call and in a larger call,
/// may fence.
template <AnyTile TileShape = TunedTile, class Over = void, class ExecSpace, MatrixView View>
  requires Kokkos::is_execution_space_v<ExecSpace>
void blocked_floyd_warshall(const ExecSpace& exec, const View& d, const TaskOptions& options = {}) {
  detail::do_rounds<TileShape, Over, typename View::value_type>(exec, matrix_ref<ExecSpace>(d), options);
}

/// The same with the tuned tile.
template <class Over, class ExecSpace, MatrixView View>
  requires Kokkos::is_execution_space_v<ExecSpace> && (!AnyTile<Over>)
void blocked_floyd_warshall(const ExecSpace& exec, const View& d, const TaskOptions& options = {}) {
  blocked_floyd_warshall<TunedTile, Over>(exec, d, options);
}

/// \brief The same on a raw pointer: entry (i, j) lies at data[i·leading_dimension + j], in memory that exec can reach.
/// \throws InvalidInput for n < 0, leading_dimension < n, or a null pointer with n > 0
template <AnyTile TileShape = TunedTile, class Over = void, class ExecSpace, Distance T>
  requires Kokkos::is_execution_space_v<ExecSpace>
void blocked_floyd_warshall(const ExecSpace& exec, T* data, std::int64_t n, std::int64_t leading_dimension,
                            const TaskOptions& options = {}) {
  detail::do_rounds<TileShape, Over, T>(exec, matrix_ref<ExecSpace>(data, n, leading_dimension), options);
}

/// The same with the tuned tile.
template <class Over, class ExecSpace, Distance T>
  requires Kokkos::is_execution_space_v<ExecSpace> && (!AnyTile<Over>)
void blocked_floyd_warshall(const ExecSpace& exec, T* data, std::int64_t n, std::int64_t leading_dimension,
                            const TaskOptions& options = {}) {
  blocked_floyd_warshall<TunedTile, Over>(exec, data, n, leading_dimension, options);
}

/// \brief The same on the default instance of the space, shortest paths; fenced, so that d is ready on return.
template <AnyTile TileShape = TunedTile, class ExecSpace = Kokkos::DefaultExecutionSpace, MatrixView View>
  requires Kokkos::is_execution_space_v<ExecSpace>
void blocked_floyd_warshall(const View& d) {
  const auto exec = detail::default_instance<ExecSpace>();
  blocked_floyd_warshall<TileShape>(exec, d);
  exec.fence("blockfw::blocked_floyd_warshall");
}

/// \brief The same on the default instance of the space and a raw pointer; fenced, so that data is ready on return.
template <AnyTile TileShape = TunedTile, class ExecSpace = Kokkos::DefaultExecutionSpace, Distance T>
  requires Kokkos::is_execution_space_v<ExecSpace>
void blocked_floyd_warshall(T* data, std::int64_t n, std::int64_t leading_dimension) {
  const auto exec = detail::default_instance<ExecSpace>();
  blocked_floyd_warshall<TileShape>(exec, data, n, leading_dimension);
  exec.fence("blockfw::blocked_floyd_warshall");
}

/// \brief Sets every entry above `longest` to infinity. For longest paths (MaxPlus), sets every entry below it to
/// -infinity.
///
/// With negative integer edges a solve leaves pairs without a path at infinity plus a negative number. No real path is
/// longer than longest_path(), so `longest` may be longest_path(), or any number between longest_path() and these
/// entries.
///
/// O(n²) at memory speed. Queued on exec, not fenced. d may be any part of the matrix.
template <class S = void, class ExecSpace, MatrixView View>
void mark_unreachable(const ExecSpace& exec, const View& d, typename View::non_const_value_type longest) {
  detail::mark_entries<semiring_of<S, typename View::non_const_value_type>>(exec, d, longest);
}

/// \brief A vertex on a negative cycle of a solved matrix (the smallest one with a negative diagonal entry), or none.
/// For another semiring, it is a vertex on a cycle that gets better each time around.
///
/// \param exec   the instance to run on
/// \param d      the matrix, or some rows of it
/// \param first  the vertex of the first row of d
///
/// O(n); fences exec.
template <class S = void, class ExecSpace, MatrixView View>
std::optional<std::int64_t> find_negative_cycle(const ExecSpace& exec, const View& d, std::int64_t first = 0) {
  return detail::find_diverging<semiring_of<S, typename View::non_const_value_type>>(exec, d, first);
}

/// \brief Whether d(i, j) == d(j, i) everywhere.
///
/// O(n²) at memory speed. If the first few rows and columns already differ, only these are read. Fences exec.
///
/// \param exec  the instance to run on
/// \param d     square rank-2 view that exec can reach
/// \throws InvalidInput when d is not square
template <class ExecSpace, MatrixView View>
bool is_symmetric(const ExecSpace& exec, const View& d) {
  require_square(d);
  return detail::equals_its_transpose(exec, d);
}

}  // namespace blockfw
