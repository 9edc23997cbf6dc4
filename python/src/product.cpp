// SPDX-License-Identifier: MIT
// Products of matrices in the host's memory.
#include "arrays.hpp"
#include "rooms.hpp"
#include "runtime.hpp"
#include "solver.hpp"

#include <nanobind/stl/string.h>
#include <blockfw/detail/backend/memory.hpp>
#include <blockfw/product.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace bindings {

namespace {

/// Matrices one after the other, without gaps.
template <class T>
using Matrices = nb::ndarray<T, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

template <class T>
auto on_host_of(const Matrices<T>& array) {
  return Kokkos::View<T***, Kokkos::LayoutRight, Kokkos::HostSpace>(array.data(), array.shape(0), array.shape(1),
                                                                    array.shape(2));
}

/// The matrices where the instance works: themselves, or a copy on the device.
template <class T>
auto there(const Exec& exec, const Matrices<T>& array) {
  const auto from = on_host_of(array);
  if constexpr (on_host) {
    return from;
  } else {
    using Number = std::remove_const_t<T>;
    blockfw::detail::require_memory(exec, "copies of the matrices", static_cast<double>(from.size()) * sizeof(Number));
    const Kokkos::View<Number***, Kokkos::LayoutRight, Exec::memory_space> copy(
        Kokkos::view_alloc(exec, "product", Kokkos::WithoutInitializing), from.extent(0), from.extent(1),
        from.extent(2));
    Kokkos::deep_copy(exec, copy, from);
    return copy;
  }
}

/// c ← a ⊗ b, or, with accumulate, c ⊕ a ⊗ b
template <class T>
void product(const Matrices<const T>& a, const Matrices<const T>& b, const Matrices<T>& c, const std::string& semiring,
             bool accumulate, const nb::object& progress) {
  with_semiring<T>(semiring, [&]<class S>(S) {
    const auto relaxes = static_cast<double>(c.size()) * static_cast<double>(a.shape(2));
    const Turn turn(relaxes < 1e6 ? 0 : static_cast<std::int64_t>(a.shape(1) + a.shape(2) + b.shape(2)));
    const auto exec = solver();
    const auto result = there(exec, c);
    blockfw::min_plus_product<S>(exec, there(exec, a), there(exec, b), result, {accumulate, watch(progress)});
    if constexpr (!on_host) Kokkos::deep_copy(exec, on_host_of(c), result);
    exec.fence("blockfw::product");
  });
}

}  // namespace

void bind_product(nb::module_& m) {
  for_each_type([&]<class T>() {
    m.def("product", &product<T>, nb::arg("a").noconvert(), nb::arg("b").noconvert(), nb::arg("c").noconvert(),
          nb::arg("semiring"), nb::arg("accumulate"), nb::arg("progress").none());
  });
}

}  // namespace bindings
