// SPDX-License-Identifier: MIT
// Matrices in a GPU's memory, by DLPack: CuPy's, PyTorch's, and our own. A build for hosts has none of this.
#include "rooms.hpp"
#include "runtime.hpp"

#include <blockfw/solve.hpp>

#if defined(BLOCKFW_BUILT_FOR_DEVICE)
#include "arrays.hpp"
#include "conversion.hpp"

#include <nanobind/stl/string.h>
#include <blockfw/edges.hpp>
#include <blockfw/ground/error.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#endif

namespace bindings {

#if defined(BLOCKFW_BUILT_FOR_DEVICE)

namespace {

#if defined(KOKKOS_ENABLE_CUDA)
constexpr int device_type = nb::device::cuda::value, managed_type = nb::device::cuda_managed::value;
int device_of(const Exec& exec) { return exec.cuda_device(); }
#else
constexpr int device_type = nb::device::rocm::value, managed_type = device_type;
int device_of(const Exec& exec) { return exec.hip_device(); }
#endif

/// An array wherever it lies.
using AnywhereArray = nb::ndarray<>;
template <class T>
using MatrixThere = Kokkos::View<T**, Kokkos::LayoutRight, Exec::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// \brief The matrix as a view in the memory of the device that solves. Returns when all work that writes the matrix
/// has ended, on any stream.
///
/// Throws InvalidInput for another array.
template <class T>
MatrixThere<T> view_there(const Exec& exec, const AnywhereArray& array) {
  if (array.ndim() != 2)
    throw blockfw::InvalidInput("the array has " + std::to_string(array.ndim()) + " dimensions, expected a matrix");
  const std::size_t n = array.shape(0);
  if (array.shape(1) != n)
    throw blockfw::InvalidInput("the matrix has " + std::to_string(n) + " rows and " + std::to_string(array.shape(1)) +
                                " columns, expected a square one");
  if (array.device_type() != device_type && array.device_type() != managed_type)
    throw blockfw::InvalidInput("the matrix lies in memory of DLPack's type " + std::to_string(array.device_type()) +
                                ", expected that of a device of " + Exec::name());
  if (array.device_id() != device_of(exec))
    throw blockfw::InvalidInput("the matrix lies on device " + std::to_string(array.device_id()) +
                                ", and this process solves on device " + std::to_string(device_of(exec)));
  if (n > 1 && (array.stride(1) != 1 || array.stride(0) != static_cast<std::int64_t>(n)))
    throw blockfw::InvalidInput("the rows of the matrix are not contiguous");
  Kokkos::fence("blockfw::view_there");
  return MatrixThere<T>(static_cast<T*>(array.data()), n, n);
}

/// Reads the weights in place.
template <class T>
blockfw::WeightRange<T> prepare(const Exec& exec, const MatrixThere<T>& d) {
  const auto n = static_cast<std::int64_t>(d.extent(0));
  blockfw::WeightRange<T> range;
  std::int64_t nan = 0;
  Kokkos::parallel_reduce(
      "blockfw::prepare_matrix", Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(exec, 0, n * n),
      KOKKOS_LAMBDA(std::int64_t entry, std::int64_t& nans, T& smallest, T& largest) {
        const std::int64_t i = entry / n, j = entry % n;
        if (!read_in_place(d(i, j), i == j, smallest, largest)) ++nans;
      },
      Kokkos::Sum<std::int64_t>(nan), Kokkos::Min<T>(range.smallest), Kokkos::Max<T>(range.largest));
  if (nan > 0) throw blockfw::InvalidInput("the matrix holds NaN or -infinity, expected numbers or infinity");
  return range;
}

/// Shortest distances in place.
void solve_on_device(const AnywhereArray& array, const nb::object& progress) {
  with_type_of(array, [&]<class T>(T) {
    const Turn turn(0);
    const Exec exec = solver();
    const auto d = view_there<T>(exec, array);
    blockfw::solve_distances(exec, d, prepare<T>(exec, d),
                             {.progress = watch_rounds(progress, static_cast<std::int64_t>(d.extent(0)))});
  });
}

/// A matrix in the device's memory that Python keeps.
struct MatrixOnDevice {
  std::shared_ptr<void> view;  ///< the owner of the memory
  void* data;
  std::size_t n;
  nb::dlpack::dtype type;
  std::string type_name;  ///< as NumPy has it
  int device;
};

MatrixOnDevice copy_on_device(const AnywhereArray& array) {
  return with_type_of(array, [&]<class T>(T) {
    const Turn turn(0);
    const Exec exec = solver();
    const auto from = view_there<T>(exec, array);
    const auto to = blockfw::allocate_distances<T>(exec, static_cast<std::int64_t>(from.extent(0)));
    Kokkos::deep_copy(exec, to, from);
    exec.fence("blockfw::copy_on_device");
    const std::string type = (std::is_integral_v<T> ? "i" : "f") + std::to_string(sizeof(T));
    using View = std::remove_const_t<decltype(to)>;
    return MatrixOnDevice{std::shared_ptr<View>(new View(to), DeleteUnlessForked()),
                          to.data(),
                          to.extent(0),
                          nb::dtype<T>(),
                          type,
                          device_of(exec)};
  });
}

/// DLPack's capsule of the memory, which keeps the object.
nb::object capsule_of(nb::handle object) {
  const auto& matrix = nb::cast<const MatrixOnDevice&>(object);
  const std::size_t shape[] = {matrix.n, matrix.n};
  return nb::cast(nb::ndarray<>(matrix.data, 2, shape, object, nullptr, matrix.type, device_type, matrix.device));
}

}  // namespace

void bind_device_arrays(nb::module_& m) {
  m.def("solve_on_device", &solve_on_device, nb::arg("array").noconvert(), nb::arg("progress").none());
  m.def("copy_on_device", &copy_on_device, nb::arg("array").noconvert());
  nb::class_<MatrixOnDevice>(m, "MatrixOnDevice")
      .def_ro("n", &MatrixOnDevice::n)
      .def_ro("dtype", &MatrixOnDevice::type_name)
      .def_prop_ro("device", [](const MatrixOnDevice& matrix) { return nb::make_tuple(device_type, matrix.device); })
      .def("capsule", &capsule_of);
}

#else

void bind_device_arrays(nb::module_&) {}

#endif

}  // namespace bindings
