// SPDX-License-Identifier: MIT
// All of the library's device code, for scripts/inspect-device to compile. It is never run.
#include <blockfw/apsp.hpp>
#include <blockfw/batch.hpp>
#include <blockfw/measures.hpp>
#include <blockfw/multi_device.hpp>
#include <blockfw/out_of_core.hpp>
#include <blockfw/paths.hpp>
#include <blockfw/solve_from.hpp>
#include <blockfw/transitive_closure.hpp>
#include <blockfw/updates.hpp>
#include "../benchmarks/limit.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

using Device = Kokkos::DefaultExecutionSpace;

/// A kernel whose name contains the scratch that a team of `Kernel` takes, and that of a multiprocessor.
template <class Kernel, std::size_t Scratch = Kernel::scratch_bytes, int OfMultiprocessor = blockfw::target.scratch>
struct Takes {
  KOKKOS_FUNCTION void operator()(int) const {}
};

/// What the solver does not compile of a tile: this kernel, and phases 1 and 2, which it leaves to phase 3.
template <class T, class Shape>
void call_tile(const Device& exec) {
  using Phases = blockfw::Phases<Shape, Device, blockfw::MinPlus<T>>;
  const typename Phases::Part part;
  const typename Phases::PanelStorage storage(exec, {}, exec);
  Phases::close_pivot(exec, part, 0, storage.panels(part.d));
  Phases::update_panels(exec, part, 0, storage.panels(part.d));
  using Kernel = blockfw::detail::KernelFor<Shape, Device, blockfw::MinPlus<T>>;
  Kokkos::parallel_for(Kokkos::RangePolicy<Device, Kokkos::IndexType<int>>(exec, 0, 1), Takes<Kernel>());
}

/// The same for the tuned tiles.
template <class T>
void call_tiles(const Device& exec) {
  using Tuned = blockfw::DefaultTile<Device, T>;
  call_tile<T, typename Tuned::type>(exec);
  if constexpr (Tuned::relay_below == 0 || Tuned::relay_below < Tuned::small_below)
    call_tile<T, typename Tuned::small_type>(exec);
  if constexpr (Tuned::relay_below > 0) call_tile<T, typename Tuned::relay_type>(exec);
}

/// Everything besides the solver, for one type: fewer bits, half the work, batches, paths, several devices,
/// chunks of a matrix on the host and more.
void call_all(const Device& exec) {
  const Kokkos::View<blockfw::Edge<std::int32_t>*, Device> edges;
  const blockfw::DistanceMatrix<std::int32_t> d = blockfw::solve(exec, 0, edges);
  blockfw::solve(exec, d);
  blockfw::min_plus_product(exec, d, d, d);
  blockfw::transitive_closure(exec, 0, edges);
  blockfw::batched_floyd_warshall(exec, Kokkos::View<std::int32_t***, Device>());
  const blockfw::Paths of_edges(exec, d, edges), of_matrix(exec, d, d);
  of_edges.path(0, 0);
  of_matrix.predecessors();
  blockfw::solve_from(exec, 0, edges, std::vector<std::int64_t>());
  blockfw::insert_edge(exec, d, 0, 0, 1);
  blockfw::add_vertex(exec, d, std::vector<blockfw::Edge<std::int32_t>>());
  blockfw::add_vertex(exec, d, d, std::vector<blockfw::Edge<std::int32_t>>());
  blockfw::reach(exec, d);
  blockfw::DistanceHistogram<std::int32_t>(1, 1).add(exec, 0, d);
  blockfw::group_sums(exec, d, blockfw::VertexGroups(exec, {}));
  blockfw::group_sums(exec, d, blockfw::VertexGroups(exec, {}), std::vector<std::int32_t>{1, 2});
  blockfw::group_sums(exec, d, blockfw::VertexGroups(exec, {}), blockfw::DistanceDecay{.step = 1, .values = {1}});
  const std::vector<blockfw::Edge<std::int64_t>> long_edges;
  const blockfw::SparseAnalysis analysis(0, long_edges);
  const blockfw::SparseFactor factor(exec, analysis, long_edges);
  factor.solve();
  factor.distances_from(std::vector<int>());
  factor.reach();
  const blockfw::Devices<> devices;
  blockfw::solve(devices.list(), 0, std::vector<blockfw::Edge<std::int32_t>>());
  const Kokkos::View<std::int32_t**, Kokkos::LayoutRight, Kokkos::HostSpace> on_host;
  blockfw::out_of_core_floyd_warshall(exec, on_host);
  blockfw::solve_out_of_core(exec, on_host, {});
}

/// A host's solver and its limit in a build for a device, whose compiler knows no vectors.
void call_host() {
  const Kokkos::DefaultHostExecutionSpace exec;
  blockfw::blocked_floyd_warshall(exec, Kokkos::View<std::int32_t**, Kokkos::HostSpace>());
  blockfw::measure_limit<std::int32_t>(exec);
}

/// The parts of solve(), for each type.
template <class... T>
void solve_all(const Device& exec) {
  (blockfw::fill_from_edges(exec, blockfw::DistanceMatrix<T>(), Kokkos::View<blockfw::Edge<T>*, Device>()), ...);
  (blockfw::blocked_floyd_warshall(exec, blockfw::DistanceMatrix<T>()), ...);
  (blockfw::find_negative_cycle(exec, blockfw::DistanceMatrix<T>()), ...);
  (blockfw::mark_unreachable(exec, blockfw::DistanceMatrix<T>(), T(0)), ...);
  if constexpr (!blockfw::is_host_space<Device>) (call_tiles<T>(exec), ...);
}

}  // namespace

int main() {
  solve_all<std::int16_t, std::int32_t, std::int64_t, float, double>(Device());
  call_all(Device());
  call_host();
}
