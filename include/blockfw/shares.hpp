// SPDX-License-Identifier: MIT
/// \file
/// \brief A matrix in shares: the common part of several devices and several ranks. See multi_device.hpp and
/// distributed.hpp.
#pragma once

#include "blockfw/detail/numbers/numbers.hpp"
#include "blockfw/detail/numbers/numbers_of.hpp"
#include "blockfw/detail/numbers/operations_of.hpp"
#include "blockfw/detail/shares/place.hpp"
#include "blockfw/detail/shares/shares.hpp"
#include "blockfw/detail/shares/shares_to_solve.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/tile.hpp"
#include "blockfw/ground/weights.hpp"
#include "blockfw/share_answers.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace blockfw {

/// \brief A matrix of distances in shares: RowBlocks, or DistributedMatrix. Each share is on one device or rank.
///
/// With ranks every function is collective; see ShareAnswers. During a solve a share also has panels. Half the work
/// takes twice the memory of the panels.
///
/// \tparam Over       type of the distances, for shortest paths, or a semiring
/// \tparam ExecSpace  of the shares
/// \tparam TileShape  the tile, as for blocked_floyd_warshall()
template <class Over, class ExecSpace,
          class TileShape = default_tile<ExecSpace, typename semiring_of<Over, void>::value_type>>
class MatrixInShares : public ShareAnswers<Over, ExecSpace> {
  using Base = ShareAnswers<Over, ExecSpace>;

 protected:
  using Base::in_shares;
  using typename Base::S, typename Base::T, typename Base::Shares;

 public:
  using Base::vertices, Base::shares;

  /// The entries of a share, in memory of its instance, while the matrix lives. There may be gaps between rows.
  using View = Kokkos::View<T**, Kokkos::LayoutStride, typename ExecSpace::memory_space>;

  // Collective functions.

  /// \brief Fills the matrix as fill_from_edges() does. Each edge is sent only to the share that owns its entry.
  /// \tparam From      the type in which the weights are read: the type of the matrix, or a wider type. Lengths of a
  ///                   wider type are cut off at infinity of the matrix's type.
  /// \param edges      container or rank-1 view on the host. Each rank passes any part of the edges.
  /// \param options    the direction, and the number of this list's first edge among all edges
  /// \return the range of the weights of all edges
  /// \throws as fill_from_edges()
  template <class From = Over, EdgeList Edges>
  auto fill(const Edges& edges, const FillOptions& options = {}) {
    const auto spread = detail::spread_edges<semiring_of<From, void>>(in_shares().where(), detail::view_of(edges),
                                                                      options.direction, options.first_edge);
    detail::fill_shares(in_shares(), spread);
    return spread.range;
  }

  /// \brief Copies from an n x n matrix of the same type on the host. d(i, j) is the length of the edge i → j, and
  /// S::zero() is no edge. With ranks each rank passes the matrix, and its share of it is read.
  /// \throws InvalidInput when the matrix is of another shape
  template <MatrixView Matrix>
  void copy_from(const Matrix& weights) {
    static_assert(std::is_same_v<typename Matrix::non_const_value_type, T>,
                  "blockfw: the matrix's elements are not of the semiring's type");
    to_solve().copy_from(this->template whole<T>(weights));
  }

  /// \brief blocked_floyd_warshall() on all shares at once. Their instances are fenced on return.
  ///
  /// A diagonal entry counts as S::one() unless it is better. In shortest paths it counts as 0 unless it is negative.
  ///
  /// \param options   direction: undirected for half the work. The matrix must be known to be symmetric, and the ⊗ of
  ///                  the semiring must be commutative. Ranks must then have neighbouring rows; see
  ///                  DistributedMatrix::neighbouring_rows(). A share has memory for the pivots' rows that travel.
  ///                  progress: called as progress(rounds done, rounds in all) after each group of rounds, from the
  ///                  calling thread, on each rank that sets it. With ranks it must not throw.
  /// \param negative  whether an entry may be negative, in any share
  /// \throws OutOfMemory when panels do not fit; InvalidInput for undirected without these conditions; RankError; with
  ///         devices, the first error of any device
  void floyd_warshall(const TaskOptions& options = {}, bool negative = true) {
    to_solve().floyd_warshall(options, negative);
  }

  /// \brief Solves a filled matrix whose range of weights is known, as solve_distances() does.
  /// \param range    the result of fill()
  /// \param options  progress, meanwhile and report, each on the ranks that set it. direction: if it is undirected, on
  ///                 all ranks, the matrix is symmetric. strict_cycles, if it is set on any rank. narrow is not used.
  /// \throws OverflowRisk, NegativeCycle with a vertex on the cycle, the same on all ranks; for other semirings than
  ///         shortest paths, DivergentCycle; InvalidInput for Method::sparse
  void solve(WeightRange<T> range, const SolveOptions& options = {}) {
    const auto& where = in_shares().where();
    where.together([&] { detail::require_dense(options, where.name()); });
    if (options.report != nullptr) *options.report = {};
    to_solve().solve(detail::AnyRange(range), options);
  }

 protected:
  /// \param held  entries of type T
  explicit MatrixInShares(Shares held) : Base(std::move(held)) {}

  /// The operations of the entries.
  static const detail::Numbers<ExecSpace>& numbers() { return detail::numbers_in_shares<S, TileShape, ExecSpace>(); }

  detail::SharesToSolve<ExecSpace> to_solve() const { return detail::SharesToSolve<ExecSpace>(in_shares()); }

  /// The entries of a share of this process.
  View view_of(int share) const {
    const detail::Block& d = in_shares().block(share);
    const auto typed = detail::matrix_of<T, ExecSpace>(d);
    return View(typed.data(), typed.layout());
  }
};

}  // namespace blockfw
