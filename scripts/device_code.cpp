// All of the library's device code, for scripts/inspect-device to compile. It is never run.
#include <blockfw/apsp.hpp>

#include <cstdint>

namespace {

template <class... T>
void solve_all(const Kokkos::DefaultExecutionSpace& exec) {
  (blockfw::solve(exec, blockfw::DistanceMatrix<T>()), ...);
  (blockfw::solve(exec, 0, Kokkos::View<blockfw::Edge<T>*, Kokkos::DefaultExecutionSpace>()), ...);
}

}  // namespace

int main() {
  solve_all<std::int16_t, std::int32_t, std::int64_t, float, double>(Kokkos::DefaultExecutionSpace());
}
