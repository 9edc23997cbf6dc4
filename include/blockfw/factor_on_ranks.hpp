// SPDX-License-Identifier: MIT
/// \file
/// \brief Factors of one graph on ranks of MPI. Each rank answers for some of the vertices.
///
/// solve() of distributed.hpp keeps all distances on the ranks. These answers need no n x n memory. A table needs no
/// function: each rank calls SparseFactor::table() with its sources.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/shares/mpi_failure.hpp"
#include "blockfw/ground/answers.hpp"
#include "blockfw/ground/communicator.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/histogram.hpp"
#include "blockfw/sparse.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace blockfw {

/// \brief SparseFactor::reach() of all vertices; collective. Each rank sums up the vertices of its part.
/// \param comm     the ranks that take part
/// \param factor   of the same graph on all ranks, made by each
/// \param towards  which distances count, the same on all ranks
/// \return all summaries, on all ranks
/// \throws InvalidInput for factors of different graphs; OutOfMemory; RankError; the same on all ranks
template <Semiring S, class ExecSpace>
std::vector<Reach<typename S::value_type>> reach(MPI_Comm comm, const SparseFactor<S, ExecSpace>& factor,
                                                 Towards towards = Towards::others) {
  using Summary = Reach<typename S::value_type>;
  const Communicator ranks(comm);
  const std::int64_t n = factor.vertices(), count = ranks.size();
  detail::require_same(ranks, {n}, "numbers of vertices");
  detail::require_same(ranks, {int(towards)}, "directions");
  std::vector<Summary> all;
  detail::together(ranks, [&] {
    detail::require_host_memory("the measures of " + std::to_string(n) + " vertices",
                                static_cast<double>(n) * sizeof(Summary));
    all.resize(static_cast<std::size_t>(n));
    const std::int64_t first = n * ranks.rank() / count, end = n * (ranks.rank() + 1) / count;
    std::ranges::copy(factor.reach(first, end, towards), all.begin() + first);
  });
  for (int rank = 0; rank < count; ++rank) {
    Summary* const part = all.data() + n * rank / count;
    const auto some = static_cast<std::size_t>(n * (rank + 1) / count - n * rank / count);
    detail::in_mpi_ranges(some * sizeof(Summary), [&](std::size_t first, int size) {
      detail::require_mpi(MPI_Bcast(reinterpret_cast<std::byte*>(part) + first, size, MPI_BYTE, rank, ranks.get()),
                          "sending measures");
    });
  }
  return all;
}

/// \brief The sum of the histograms of all ranks; collective. Each rank adds the rows of some vertices, as
/// SparseFactor::for_whole_rows(first, end, f) gives them.
/// \param comm       the ranks that take part
/// \param histogram  of this rank; its bins are the same on all ranks
/// \return the sum, on all ranks
/// \throws InvalidInput for bins that differ, RankError; the same on all ranks
template <Distance T>
DistanceHistogram<T> all_reduce(MPI_Comm comm, const DistanceHistogram<T>& histogram) {
  const Communicator ranks(comm);
  std::int64_t width = 0;  // its bits
  const T own_width = histogram.width();
  std::memcpy(&width, &own_width, sizeof(T));
  detail::require_same(ranks, {histogram.bins(), width}, "bins of histograms");
  std::vector<std::int64_t> counts = histogram.counts();
  counts.push_back(histogram.negative());
  counts.push_back(histogram.unreachable());
  detail::require_mpi(
      MPI_Allreduce(MPI_IN_PLACE, counts.data(), static_cast<int>(counts.size()), MPI_INT64_T, MPI_SUM, ranks.get()),
      "adding up histograms");
  const std::int64_t unreachable = counts.back(), negative = counts[counts.size() - 2];
  counts.resize(counts.size() - 2);
  return DistanceHistogram<T>(own_width, counts, negative, unreachable);
}

}  // namespace blockfw
