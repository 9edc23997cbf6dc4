// SPDX-License-Identifier: MIT
// All code that indexes a matrix, for test_indices.py. It is never run.
#include "../scripts/device_code.cpp"  // which has a call of each driver

#include <blockfw/io/distance_file.hpp>
#include <blockfw/io/distances.hpp>
#include <blockfw/sparse.hpp>
#if __has_include(<mpi.h>)
#include <blockfw/distributed.hpp>
#include <blockfw/io/binary_edges_mpi.hpp>
#endif

// (Explicit instances have all members.)
template class blockfw::detail::Shares<Kokkos::DefaultExecutionSpace>;
template class blockfw::ShareAnswers<std::int32_t, Kokkos::DefaultExecutionSpace>;
template class blockfw::MatrixInShares<std::int32_t, Kokkos::DefaultExecutionSpace>;
template class blockfw::RowBlocks<std::int32_t>;
template class blockfw::SolvedRows<std::int32_t>;
template class blockfw::SparseFactor<blockfw::MinPlus<std::int32_t>>;
template class blockfw::io::DistanceFile<std::int32_t>;
template class blockfw::io::DistanceOutput<std::int32_t>;
#if __has_include(<mpi.h>)
template class blockfw::DistributedMatrix<std::int32_t>;
template class blockfw::SolvedRanks<std::int32_t>;
#endif

// Code that only devices run.
template class blockfw::detail::BitProductRounds<Kokkos::DefaultHostExecutionSpace>;
template class blockfw::detail::DeviceSweeps<blockfw::MinPlus<std::int32_t>, Kokkos::DefaultHostExecutionSpace>;

namespace {

using blockfw::Direction;
using Host = Kokkos::DefaultHostExecutionSpace;
using HostMatrix = blockfw::DistanceMatrix<std::int32_t, Host>;

/// The calls for a caller's matrix of any layout.
template <class View>
void ask(const View& d) {
  const Host exec;
  const std::vector<blockfw::Edge<std::int32_t>> edges;
  blockfw::blocked_floyd_warshall(exec, d);
  blockfw::fill_from_edges(exec, d, edges);
  const blockfw::Paths of_edges(exec, d, edges, {.direction = Direction::undirected}), of_matrix(exec, d, d);
  of_edges.path(0, 0);
  of_edges.tree(0);
  of_matrix.next_hops();
  blockfw::reach(exec, d);
  blockfw::DistanceHistogram<std::int32_t>(1, 1).add(exec, 0, d);
  blockfw::group_sums(exec, d, blockfw::VertexGroups(exec, {}));
  blockfw::group_sums(exec, d, blockfw::VertexGroups(exec, {}), std::vector<std::int32_t>{1, 2});
  blockfw::group_sums(exec, d, blockfw::VertexGroups(exec, {}), blockfw::DistanceDecay{.step = 1, .values = {1}});
  blockfw::insert_edge(exec, d, 0, 0, 1);
  blockfw::add_vertex(exec, d, edges);
  blockfw::is_symmetric(exec, d);
  blockfw::find_negative_cycle(exec, d);
  blockfw::solve(exec, d);
  blockfw::io::write_distances("", d);
}

void call_more() {
  const Host exec;
  ask(HostMatrix());
  ask(Kokkos::View<std::int32_t**, Kokkos::LayoutLeft, Kokkos::HostSpace>());
  const std::vector<blockfw::Edge<std::int32_t>> edges;
  blockfw::solve<blockfw::MaxMin<std::int32_t>>(exec, 0, edges);
  blockfw::solve_into(exec, HostMatrix(), edges);
  blockfw::tree_from(exec, Kokkos::View<std::int32_t*, Kokkos::HostSpace>(), 0, edges);
  const Kokkos::View<std::int32_t***, Kokkos::HostSpace> batch;
  blockfw::batched_floyd_warshall(exec, batch);
  blockfw::find_negative_cycles(exec, batch);
  blockfw::mark_unreachable(exec, batch, 0);
  const blockfw::Devices<> devices;
  blockfw::solve(devices.list(), HostMatrix());

  // Code that only devices run.
  namespace detail = blockfw::detail;
  const detail::Detours<std::int32_t, Host> detours(exec, 0, 0);
  detail::take_detours_by_teams<true>(exec, HostMatrix(), HostMatrix(), detours);
  detail::reach_by_teams<true>(exec, detail::RowsOrColumns<std::int32_t>(HostMatrix(), true));
}

[[maybe_unused]] const auto used = &call_more;

}  // namespace
