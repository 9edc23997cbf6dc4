// All of the library's device code, for scripts/inspect-device to compile. It is never run.
#include <blockfw/apsp.hpp>
#include <blockfw/batch.hpp>
#include <blockfw/transitive_closure.hpp>

#include <cstddef>
#include <cstdint>

namespace {

using Device = Kokkos::DefaultExecutionSpace;

/// A kernel whose name says how much scratch a team of another one takes, and how much there is for all teams.
template <class Kernel, std::size_t Scratch = Kernel::scratch_bytes, int OfMultiprocessor = blockfw::target.scratch>
struct Takes {
  KOKKOS_FUNCTION void operator()(int) const {}
};

template <class T, class Shape>
void name_scratch(const Device& exec) {
  using Kernel = blockfw::detail::DeviceKernel<Shape, Device, blockfw::MinPlus<T>>;
  Kokkos::parallel_for(Kokkos::RangePolicy<Device, Kokkos::IndexType<int>>(exec, 0, 1), Takes<Kernel>());
}

/// What solve() is made of, for each type; all of it, in fewer bits and with half the work, and batches, for one.
template <class... T>
void solve_all(const Device& exec) {
  (blockfw::fill_from_edges(exec, blockfw::DistanceMatrix<T>(), Kokkos::View<blockfw::Edge<T>*, Device>()), ...);
  (blockfw::blocked_floyd_warshall(exec, blockfw::DistanceMatrix<T>()), ...);
  (blockfw::find_negative_cycle(exec, blockfw::DistanceMatrix<T>()), ...);
  (blockfw::mark_unreachable(exec, blockfw::DistanceMatrix<T>(), T(0)), ...);
  blockfw::solve(exec, blockfw::DistanceMatrix<std::int32_t>());
  const Kokkos::View<blockfw::Edge<std::int32_t>*, Device> edges;
  blockfw::solve(exec, 0, edges);
  blockfw::transitive_closure(exec, 0, edges);
  blockfw::batched_floyd_warshall(exec, Kokkos::View<std::int32_t***, Device>());
  (name_scratch<T, typename blockfw::DefaultTile<Device, T>::type>(exec), ...);
  (name_scratch<T, typename blockfw::DefaultTile<Device, T>::small_type>(exec), ...);
}

}  // namespace

int main() { solve_all<std::int16_t, std::int32_t, std::int64_t, float, double>(Device()); }
