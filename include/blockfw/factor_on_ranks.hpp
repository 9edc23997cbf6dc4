// SPDX-License-Identifier: MIT
/// \file
/// \brief Factors of one graph on ranks of MPI. Each rank answers for some of the vertices.
///
/// solve() of distributed.hpp keeps all distances on the ranks. These answers need no n x n memory. A table needs no
/// function: each rank calls SparseFactor::table() with its sources.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/shares/mpi_failure.hpp"
#include "blockfw/ground/communicator.hpp"
#include "blockfw/ground/reach.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/sparse.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
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

}  // namespace blockfw
