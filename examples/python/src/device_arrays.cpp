// SPDX-License-Identifier: MIT
// Matrices in a GPU's memory, by DLPack: CuPy's and PyTorch's. A build for hosts has none of this.
#include "rooms.hpp"
#include "runtime.hpp"

#include <nanobind/ndarray.h>
#include <blockfw/solve.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

#if defined(BLOCKFW_BUILT_FOR_DEVICE)
#include "arrays.hpp"
#endif

namespace bindings {

#if defined(BLOCKFW_BUILT_FOR_DEVICE)

namespace {

#if defined(KOKKOS_ENABLE_CUDA)
using OfDevice = nb::device::cuda;
#else
using OfDevice = nb::device::rocm;
#endif
template <class T>
using DeviceArray = nb::ndarray<T, nb::ndim<2>, nb::c_contig, OfDevice>;

/// Reads the weights in place, as solve() takes them: what is as far as infinity is no edge, the diagonal is 0.
template <class T, class View>
blockfw::WeightRange<T> prepare(const Exec& exec, const View& d) {
  const auto n = static_cast<std::int64_t>(d.extent(0));
  blockfw::WeightRange<T> range;
  std::int64_t nan = 0;
  Kokkos::parallel_reduce(
      "blockfw::prepare_matrix", Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(exec, 0, n * n),
      KOKKOS_LAMBDA(std::int64_t entry, std::int64_t& nans, T& smallest, T& largest) {
        const std::int64_t i = entry / n, j = entry % n;
        T& weight = d(i, j);
        nans += weight != weight ? 1 : 0;
        if (weight > blockfw::infinity<T>) weight = blockfw::infinity<T>;
        if (i == j && !(weight < T(0))) weight = T(0);
        if (weight == blockfw::infinity<T> || (i == j && weight == T(0))) return;
        smallest = Kokkos::min(smallest, weight);
        largest = Kokkos::max(largest, weight);
      },
      Kokkos::Sum<std::int64_t>(nan), Kokkos::Min<T>(range.smallest), Kokkos::Max<T>(range.largest));
  if (nan > 0) throw blockfw::InvalidInput("the matrix holds NaN, expected numbers or infinity");
  return range;
}

/// Shortest distances in place.
template <class T>
void solve_on_device(const DeviceArray<T>& array, const nb::object& progress) {
  const Turn turn(static_cast<std::int64_t>(array.shape(0)));
  const Exec exec = solver();
  if (array.shape(0) != array.shape(1))
    throw blockfw::InvalidInput("the matrix has " + std::to_string(array.shape(0)) + " rows and " +
                                std::to_string(array.shape(1)) + " columns, expected a square one");
#if defined(KOKKOS_ENABLE_CUDA)
  const int device = exec.cuda_device();
#else
  const int device = exec.hip_device();
#endif
  if (array.device_id() != device)
    throw blockfw::InvalidInput("the matrix lies on device " + std::to_string(array.device_id()) +
                                ", and this process solves on device " + std::to_string(device));
  Kokkos::fence("blockfw::solve_on_device");  // (what wrote the matrix may be on another stream)
  const Kokkos::View<T**, Kokkos::LayoutRight, typename Exec::memory_space> d(array.data(), array.shape(0),
                                                                              array.shape(1));
  const auto range = prepare<T>(exec, d);
  blockfw::solve_distances(exec, d, range, {.progress = watch(progress)});
}

}  // namespace

void bind_device_arrays(nb::module_& m) {
  for_each_type([&]<class T>() {
    m.def("solve_on_device", &solve_on_device<T>, nb::arg("array").noconvert(), nb::arg("progress").none());
  });
}

#else

void bind_device_arrays(nb::module_&) {}

#endif

}  // namespace bindings
