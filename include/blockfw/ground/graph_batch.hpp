// SPDX-License-Identifier: MIT
/// \file
/// \brief The matrices of graphs of different orders in one buffer, and arrays of their paths.
#pragma once

#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace blockfw {

/// \brief The matrices of graphs of different orders in one buffer, not owned. Each is row-major.
///
/// \tparam T          the elements
/// \tparam ExecSpace  the space that reaches them
template <Distance T, class ExecSpace = Kokkos::DefaultExecutionSpace>
class GraphBatch {
 public:
  /// All entries.
  using Entries = Kokkos::View<T*, typename ExecSpace::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  /// \brief Matrices one after the other, without gaps: n · n entries for a graph of n vertices.
  /// \param orders   the number of vertices of each graph
  /// \param entries  rank-1 view of entries_of(orders) elements, which outlives the batch
  /// \throws InvalidInput for a negative order, another number of entries
  GraphBatch(std::vector<std::int32_t> orders, const Entries& entries) : GraphBatch(std::move(orders), 0, entries) {}

  /// \brief Matrices padded to `most` rows and columns each; the padding is not touched.
  /// \param orders   the number of vertices of each graph, at most `most`
  /// \param most     rows and columns of each matrix; 0: they lie one after the other, without gaps
  /// \param entries  rank-1 view of orders.size() · most · most elements, which outlives the batch
  /// \throws InvalidInput for an order out of range, another number of entries
  GraphBatch(std::vector<std::int32_t> orders, std::int32_t most, const Entries& entries)
      : orders_(std::move(orders)), row_(most), entries_(entries) {
    if (most < 0) throw InvalidInput("the matrices of the batch are padded to ", most, " rows, expected 0 or more");
    std::int64_t end = 0;
    for (std::size_t g = 0; g < orders_.size(); ++g) {
      const std::int64_t n = orders_[g];
      if (n < 0 || (row_ > 0 && n > row_))
        throw InvalidInput("graph ", g, " of the batch has ", n, " vertices, expected 0 ",
                           (row_ > 0 ? "to " + std::to_string(row_) : "or more"));
      starts_.push_back(end);
      end += row_ > 0 ? row_ * row_ : n * n;
      largest_ = std::max(largest_, orders_[g]);
    }
    if (static_cast<std::size_t>(end) != entries.extent(0))
      throw InvalidInput("the matrices of the batch have ", entries.extent(0), " entries, expected ", end);
    if (entries.data() == nullptr && end > 0)
      throw InvalidInput("the batch of ", graphs(), " graphs has no memory (null pointer)");
  }

  /// The entries of matrices one after the other.
  static std::int64_t entries_of(const std::vector<std::int32_t>& orders) {
    std::int64_t count = 0;
    for (const std::int64_t n : orders) count += n * n;
    return count;
  }

  /// The number of graphs.
  std::int64_t graphs() const { return static_cast<std::int64_t>(orders_.size()); }
  /// The number of vertices of a graph.
  std::int32_t order(std::int64_t g) const { return orders_[static_cast<std::size_t>(g)]; }
  /// The orders of all graphs.
  const std::vector<std::int32_t>& orders() const { return orders_; }
  /// The number of vertices of the largest graph.
  std::int32_t largest() const { return largest_; }
  /// The first entry of a graph's matrix.
  std::int64_t start(std::int64_t g) const { return starts_[static_cast<std::size_t>(g)]; }
  /// Of all graphs.
  const std::vector<std::int64_t>& starts() const { return starts_; }
  /// From a row of a graph's matrix to the next.
  std::int64_t row(std::int64_t g) const { return row_ > 0 ? row_ : order(g); }
  /// The rows and columns of each matrix if they are padded, else 0.
  std::int64_t padded_to() const { return row_; }
  /// All entries.
  const Entries& entries() const { return entries_; }
  /// The matrix of a graph.
  MatrixRef<T, ExecSpace> matrix(std::int64_t g) const {
    return detail::row_major<ExecSpace>(entries_.data() + start(g), order(g), row(g));
  }

 private:
  std::vector<std::int32_t> orders_;
  std::vector<std::int64_t> starts_;
  std::int64_t row_;
  std::int32_t largest_ = 0;
  Entries entries_;
};

/// \brief Views for the paths of a batch. A view without elements is not computed. The other views have as many
/// elements as the batch, and the same places.
/// \tparam ExecSpace  the space that reaches them
template <class ExecSpace = Kokkos::DefaultExecutionSpace>
struct BatchPaths {
  /// Vertices, or numbers of edges.
  using Numbers =
      Kokkos::View<std::int32_t*, typename ExecSpace::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  Numbers predecessors =
      {};                  ///< (i, j): the vertex before j on a best path from i; no_vertex without one, and for i == j
  Numbers next_hops = {};  ///< the vertex after i on this path; no_vertex without one, and for i == j
  /// The number of edges of this path, 0 for i == j, no_vertex without one. If it is asked for, all shortest paths (and
  /// longest paths, MaxPlus) of this call have the fewest edges among the best paths.
  Numbers hops = {};
};

}  // namespace blockfw
