// SPDX-License-Identifier: MIT
/// \file
/// \brief The answers of a matrix in shares, on devices and on ranks: rows, columns, sums of rows, and updates.
#pragma once

#include "blockfw/detail/numbers/numbers.hpp"
#include "blockfw/detail/numbers/numbers_of.hpp"
#include "blockfw/detail/shares/shares.hpp"
#include "blockfw/distances.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/reach.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

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
/// failed rank, and no rank is left waiting. Only a RankError is different. MPI failed, or this rank failed within the
/// rounds, and the other ranks do not learn of it.
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
  int bits() const { return 8 * static_cast<int>(detail::bytes_of(shares_.type())); }

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
    for (const detail::AnyReach& r : shares_.reach(towards == Towards::others)) all.push_back(r.as<T>());
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
          f(first, OnHost<Wide>(data, static_cast<std::size_t>(rows), static_cast<std::size_t>(vertices())));
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
  using Shares = detail::Shares<ExecSpace>;

  explicit ShareAnswers(Shares shares) : shares_(std::move(shares)) {}

  /// The entries.
  const Shares& in_shares() const { return shares_; }

  /// An n x n matrix of the caller on the host.
  /// \throws InvalidInput for another shape
  template <class Wide, class Matrix>
  detail::HostEntries whole(const Matrix& d) const {
    require_wider<Wide>();
    const auto n = static_cast<std::size_t>(vertices());
    if (d.extent(0) != n || d.extent(1) != n)
      throw InvalidInput("the matrix '" + d.label() + "' is " + std::to_string(d.extent(0)) + " x " +
                         std::to_string(d.extent(1)) + ", expected " + std::to_string(n) + " rows and columns");
    return {reinterpret_cast<std::byte*>(const_cast<Wide*>(d.data())),
            detail::entry_type<Wide>,
            vertices(),
            vertices(),
            static_cast<std::int64_t>(d.stride(0)),
            static_cast<std::int64_t>(d.stride(1))};
  }

 private:
  template <class Wide>
  static constexpr void require_wider() {
    static_assert(std::is_same_v<Wide, T> || std::is_same_v<S, MinPlus<T>>,
                  "blockfw: only shortest distances are copied to a wider type");
    static_assert(detail::widens<S, Wide>, "blockfw: the distances must convert to the result's type without loss");
  }

  template <Element Wide>
  OnHost<Wide> some_of(const std::vector<std::int64_t>& some, bool rows) const {
    require_wider<Wide>();
    OnHost<Wide> all;
    shares_.some_of(some, rows, detail::entry_type<Wide>, [&] {
      all = OnHost<Wide>(Kokkos::view_alloc("blockfw::distances", Kokkos::WithoutInitializing), some.size(),
                         static_cast<std::size_t>(vertices()));
      return reinterpret_cast<std::byte*>(all.data());
    });
    return all;
  }

  Shares shares_;
};

}  // namespace blockfw
