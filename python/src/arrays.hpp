// SPDX-License-Identifier: MIT
// Makes the library's views of Python's arrays, and arrays of views.
#pragma once

#include "runtime.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <Kokkos_Core.hpp>
#include <blockfw/ground/semiring.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace bindings {

namespace nb = nanobind;

/// A matrix with contiguous rows that is written to.
template <class T>
using Matrix = nb::ndarray<T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
/// The same, read only.
template <class T>
using ConstMatrix = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
/// A contiguous array that is read.
template <class T>
using ConstArray = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
/// Weights of any type and layout, or None.
using AnyArray = nb::ndarray<nb::ro, nb::device::cpu>;

/// Calls f.operator()<T>() for each type that a distance can have.
template <class F>
void for_each_type(const F& f) {
  f.template operator()<double>();
  f.template operator()<float>();
  f.template operator()<std::int32_t>();
  f.template operator()<std::int64_t>();
  f.template operator()<std::int16_t>();
}

/// Calls f(W()) with the type of the array's elements, which Python's part made one of the five.
template <class Array, class F>
decltype(auto) with_type_of(const Array& array, const F& f) {
  const auto type = array.dtype();
  if (type == nb::dtype<float>()) return f(float());
  if (type == nb::dtype<std::int16_t>()) return f(std::int16_t());
  if (type == nb::dtype<std::int32_t>()) return f(std::int32_t());
  if (type == nb::dtype<std::int64_t>()) return f(std::int64_t());
  if (type == nb::dtype<double>()) return f(double());
  throw nb::type_error("weights of this type cannot be read, expected int16, int32, int64, float32 or float64");
}

/// The matrix as a view in the memory of the host.
template <class T>
auto view_of(const Matrix<T>& array) {
  return Kokkos::View<T**, Kokkos::LayoutRight, Kokkos::HostSpace>(array.data(), array.shape(0), array.shape(1));
}
/// The same for a matrix that is only read.
template <class T>
auto view_of(const ConstMatrix<T>& array) {
  return Kokkos::View<const T**, Kokkos::LayoutRight, Kokkos::HostSpace>(array.data(), array.shape(0), array.shape(1));
}

/// A view's memory on the host as an array, which keeps the view.
template <class View>
nb::object as_array(const View& view) {
  using T = typename View::non_const_value_type;
  auto* const kept = new View(view);
  const nb::capsule owner(kept, [](void* p) noexcept { DeleteUnlessForked()(static_cast<View*>(p)); });
  if constexpr (View::rank() == 2) {
    const std::size_t shape[] = {view.extent(0), view.extent(1)};
    return nb::cast(nb::ndarray<nb::numpy, T>(kept->data(), 2, shape, owner));
  } else {
    const std::size_t shape[] = {view.extent(0)};
    return nb::cast(nb::ndarray<nb::numpy, T>(kept->data(), 1, shape, owner));
  }
}

/// A vector as an array, which keeps it.
template <class T>
nb::object as_array(std::vector<T> vector) {
  auto* const kept = new std::vector<T>(std::move(vector));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  const std::size_t shape[] = {kept->size()};
  return nb::cast(nb::ndarray<nb::numpy, T>(kept->data(), 1, shape, owner));
}

}  // namespace bindings
