// SPDX-License-Identifier: MIT
/// \file
/// \brief A matrix in shares: the common part of several devices and several ranks. See multi_device.hpp and
/// distributed.hpp.
#pragma once

#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/numbers/numbers.hpp"
#include "blockfw/detail/numbers/numbers_of.hpp"
#include "blockfw/detail/shares/place.hpp"
#include "blockfw/detail/shares/shares.hpp"
#include "blockfw/detail/shares/shares_to_solve.hpp"
#include "blockfw/edges.hpp"
#include "blockfw/ground/answers.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"

#include <Kokkos_Core.hpp>

#include <any>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace blockfw {

/// \brief A matrix of distances in shares, and its answers. Each share is on one device or rank. Copies are the same
/// matrix.
///
/// The entries may be of a narrower type than T. With ranks every function is collective, unless it is marked as local:
/// all ranks call it together, with the same arguments. If some ranks fail, all ranks throw the error of the lowest
/// failed rank, and no rank is left waiting. Only a RankError is different: MPI failed, or this rank failed within the
/// rounds. The other ranks do not learn of this error.
///
/// \tparam Over       type of the distances, for shortest paths, or a semiring
/// \tparam ExecSpace  of the shares
template <class Over, class ExecSpace>
class ShareAnswers {
 protected:
  using S = semiring_of<Over, void>;  ///< the semiring
  using T = typename S::value_type;   ///< type of the distances

 public:
  /// Distances on the host, of the same or of a wider type.
  template <class Wide>
  using OnHost = DistanceMatrix<Wide, Kokkos::DefaultHostExecutionSpace>;

  // Local functions.

  /// The number of vertices.
  std::int64_t vertices() const { return shares_.vertices(); }
  /// The number of shares of all ranks.
  int shares() const { return shares_.layout().shares(); }
  /// Bits of the numbers that are held.
  int bits() const { return 8 * static_cast<int>(shares_.type().bytes); }

  // Collective functions.

  /// \brief Copies the distances to an n x n matrix on the host, of the same or of a wider type. With ranks each rank
  /// copies its share, and leaves the other entries unchanged.
  /// \throws InvalidInput when the matrix is of another shape; OutOfMemory on a device
  template <MatrixView Matrix>
  void copy_to(const Matrix& distances) const {
    shares_.copy_to(whole<typename Matrix::value_type>(distances));
  }

  /// \brief The distances from some vertices, on every rank.
  /// \tparam Wide    their type, the same or a wider one
  /// \param sources  host container of vertices, the same on all ranks. A vertex may occur twice.
  /// \return on the host, a row of n distances for each source, in their order
  /// \throws InvalidInput for a source out of range, or when ranks pass different sources
  ///
  /// Memory besides the result: 64 MB, or the parts of one row.
  template <Element Wide = T, std::ranges::contiguous_range Sources>
  OnHost<Wide> distances_from(const Sources& sources) const {
    return some_of<Wide>({std::ranges::begin(sources), std::ranges::end(sources)}, true);
  }

  /// \brief The distances to some vertices, on every rank. Otherwise as distances_from().
  /// \return on the host, a row of n distances for each target, in their order
  template <Element Wide = T, std::ranges::contiguous_range Targets>
  OnHost<Wide> distances_to(const Targets& targets) const {
    return some_of<Wide>({std::ranges::begin(targets), std::ranges::end(targets)}, false);
  }

  /// \brief The distance from vertex i to vertex j, on every rank. It is S::zero() without a path.
  /// \throws InvalidInput for a vertex out of range, or when ranks pass different vertices
  T distance(std::int64_t i, std::int64_t j) const {
    T result;
    shares_.distance(i, j, detail::entry_type<T>, reinterpret_cast<std::byte*>(&result));
    return result;
  }

  /// \brief For each vertex a summary of the vertices that it reaches, or that reach it, as reach() of measures.hpp.
  /// Eccentricities, diameter, centre and closeness follow from it. The result is on the host, on every rank.
  ///
  /// Each share is summed up where it lies. The sums, a few for each vertex, are sent to all ranks.
  std::vector<Reach<T>> reach(Towards towards = Towards::others) const {
    static_assert(std::is_same_v<S, MinPlus<T>>, "blockfw: reach() sums up shortest distances");
    std::vector<Reach<T>> all;
    shares_.where().together([&] { all.resize(detail::at(vertices())); });
    shares_.reach(towards == Towards::others,
                  [&](std::int64_t vertex, const detail::AnyReach& part) { all[detail::at(vertex)] += part.as<T>(); });
    return all;
  }

  /// \brief insert_edge() of updates.hpp. Updates solved distances for one more edge, or for a smaller weight of an
  /// edge.
  /// \tparam Wide  the type of the weight, the same or a wider one
  /// \throws as insert_edge() of updates.hpp, and InvalidInput when ranks name different edges. OverflowRisk also when
  ///         the current bits() may not hold the new distances; then solve again. The distances are then unchanged.
  ///
  /// Reads the matrix once. Memory: 2n elements on each device, and on the host.
  template <Element Wide = T>
  void insert_edge(std::int64_t from, std::int64_t to, std::type_identity_t<Wide> weight) {
    static_assert(std::is_same_v<S, MinPlus<T>>, "blockfw: insert_edge() updates shortest distances");
    static_assert(Distance<Wide> && detail::NarrowedTo<Wide, S>,
                  "blockfw: the weight must be of the distances' type, or of a wider integer type");
    shares_.insert_edge(from, to, weight, detail::entry_type<Wide>);
  }

  /// \brief Gathers whole rows, some at a time. Each row is gathered on one of the ranks that hold parts of it.
  /// \tparam Wide    the type of the rows, the same or a wider one
  /// \param f        called as f(first, rows) on each rank that has gathered rows. `rows` is a host matrix of
  ///                 neighbouring whole rows, which is there during the call. Its first row is the row of vertex
  ///                 `first`.
  /// \param at_once  the number of bytes, approximately, of the whole rows that a rank has at a time
  /// \throws any exception of f on any rank
  template <Element Wide = T, class F>
  void for_whole_rows(const F& f, std::size_t at_once = std::size_t(16) << 20) const {
    require_wider<Wide>();
    shares_.for_whole_rows(
        [&](std::int64_t first, std::int64_t rows, const std::byte* entries) {
          auto* const data = reinterpret_cast<Wide*>(const_cast<std::byte*>(entries));
          f(first, OnHost<Wide>(data, detail::at(rows), detail::at(vertices())));
        },
        detail::entry_type<Wide>, at_once);
  }

  /// \brief Whether for all pairs the distance from i to j is the distance from j to i.
  ///
  /// Compares some rows with the columns of the same vertices at a time, on the host, until two entries differ. Memory
  /// on the host: 128n elements.
  bool is_symmetric() const { return shares_.is_symmetric(); }

  /// \brief Gathers the whole matrix on rank `root`. The other ranks get an empty matrix. For small matrices.
  /// \tparam Wide  the type of the result, the same or a wider one
  /// \throws OutOfMemory when the matrix does not fit rank `root`; InvalidInput for a root that is no rank, or is not
  ///         the same on all ranks
  template <Element Wide = T>
  OnHost<Wide> gather(int root = 0) const {
    require_wider<Wide>();
    OnHost<Wide> all;
    shares_.gather(root, detail::entry_type<Wide>, [&] {
      all = allocate_distances<Wide>(Kokkos::DefaultHostExecutionSpace{}, vertices());
      return reinterpret_cast<std::byte*>(all.data());
    });
    return all;
  }

 protected:
  /// Takes the entries.
  explicit ShareAnswers(detail::Shares<ExecSpace> shares) : shares_(std::move(shares)) {}

  /// The entries.
  const detail::Shares<ExecSpace>& in_shares() const { return shares_; }

  /// A matrix of the caller on the host.
  template <class Wide, class Matrix>
  static detail::HostEntries whole(const Matrix& d) {
    require_wider<Wide>();
    return {reinterpret_cast<std::byte*>(const_cast<Wide*>(d.data())),
            detail::entry_type<Wide>,
            detail::extent_along(d, 0),
            detail::extent_along(d, 1),
            static_cast<std::int64_t>(d.stride(0)),
            static_cast<std::int64_t>(d.stride(1)),
            d.label()};
  }

 private:
  template <class Wide>
  static constexpr void require_wider() {
    static_assert(std::is_same_v<Wide, T> || std::is_same_v<S, MinPlus<T>>,
                  "blockfw: only shortest distances are copied to a wider type");
    static_assert(detail::WidenedFrom<Wide, S>,
                  "blockfw: the distances must convert to the result's type without loss");
  }

  template <Element Wide>
  OnHost<Wide> some_of(const std::vector<std::int64_t>& some, bool rows) const {
    require_wider<Wide>();
    OnHost<Wide> all;
    shares_.some_of(some, rows, detail::entry_type<Wide>, [&] {
      all = detail::without_values<OnHost<Wide>>("blockfw::distances", some.size(), vertices());
      return reinterpret_cast<std::byte*>(all.data());
    });
    return all;
  }

  detail::Shares<ExecSpace> shares_;
};

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
  using typename Base::S, typename Base::T;

 public:
  using Base::vertices, Base::shares;

  /// The entries of a share, in memory of its instance. There may be gaps between rows.
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
    static_assert(detail::NarrowedTo<typename semiring_of<From, void>::value_type, S>,
                  "blockfw: the weights must be read in the matrix's type, or in a wider integer type");
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
    in_shares().copy_from(this->template whole<T>(weights));
  }

  /// \brief blocked_floyd_warshall() on all shares at once. Their instances are fenced on return.
  ///
  /// A diagonal entry counts as S::one() unless it is better. In shortest paths it counts as 0 unless it is negative.
  ///
  /// \param options   direction: undirected for half the work. The matrix must be known to be symmetric, and the ⊗ of
  ///                  the semiring must be commutative. Ranks must then have neighbouring rows; see
  ///                  DistributedMatrix::neighbouring_rows(). A share has memory for the pivots' rows that travel.
  ///                  Each rank that sets progress calls it as progress(rounds done, rounds in all) after each group of
  ///                  rounds, from the calling thread. With ranks it must not throw.
  /// \param negative  whether an entry may be negative, in any share
  /// \throws OutOfMemory when panels do not fit; InvalidInput for undirected without these conditions; RankError; with
  ///         devices, the first error of any device
  void floyd_warshall(const TaskOptions& options = {}, bool negative = true) {
    in_shares().floyd_warshall(options, negative);
  }

  /// \brief Solves a filled matrix whose range of weights is known, as solve_distances() does.
  /// \param range    the result of fill()
  /// \param options  progress, meanwhile and report take effect on the ranks that set them. An undirected direction on
  ///                 all ranks means a symmetric matrix. strict_cycles holds if any rank sets it. narrow is not used.
  /// \throws OverflowRisk, NegativeCycle with a vertex on the cycle, the same on all ranks; for other semirings than
  ///         shortest paths, DivergentCycle; InvalidInput for Method::sparse
  void solve(WeightRange<T> range, const SolveOptions& options = {}) {
    const auto& where = in_shares().where();
    where.together([&] { detail::require_dense(options, where.name()); });
    if (options.report != nullptr) *options.report = {};
    in_shares().solve(detail::AnyRange(range), options);
  }

 protected:
  /// \param held  entries of type T
  explicit MatrixInShares(detail::Shares<ExecSpace> held) : Base(std::move(held)) {}

  /// The operations of the entries.
  static const detail::Numbers<ExecSpace>& numbers() { return detail::numbers_in_shares<S, ExecSpace, TileShape>(); }

  /// The entries of a share of this process. They are there while a view of them is.
  View view_of(int share) const {
    const auto& padded = std::any_cast<const detail::EntriesOf<T, ExecSpace>&>(in_shares().memory(share));
    return Kokkos::subview(padded, Kokkos::ALL, Kokkos::pair(0, in_shares().block(share).columns));
  }
};

}  // namespace blockfw
