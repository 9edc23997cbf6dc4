// SPDX-License-Identifier: MIT
// Other places of a solve than one instance: several devices (or groups of a host's threads), and a limit of memory
// besides the matrix. The matrix may lie in a file (numpy.memmap).
#include "rooms.hpp"
#include "solver.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <blockfw/multi_device.hpp>
#include <blockfw/out_of_core.hpp>

namespace bindings {

namespace {

/// Shortest paths of a matrix as read_matrix() leaves it, in place.
template <class T>
void solve_on_devices(const Matrix<T>& d, int count, bool strict_cycles, const nb::object& progress) {
  const auto n = static_cast<std::int64_t>(d.shape(0));
  const Turn turn(n);
  const blockfw::Devices<Exec> devices(count);
  blockfw::solve(devices.list(), view_of(d), {.strict_cycles = strict_cycles, .progress = watch_rounds(progress, n)})
      .copy_to(view_of(d));
}

/// Shortest paths of a matrix as read_matrix() leaves it, in place.
template <class T>
void solve_out_of_core(const Matrix<T>& d, const Range<T>& range, double memory, bool strict_cycles,
                       const nb::object& progress) {
  const Turn turn(static_cast<std::int64_t>(d.shape(0)));
  blockfw::solve_out_of_core(
      solver(), view_of(d), from_python(range),
      {.solve = {.strict_cycles = strict_cycles, .progress = watch(progress)}, .memory = memory});
}

}  // namespace

void bind_places(nb::module_& m) {
  for_each_type([&]<class T>() {
    m.def("solve_on_devices", &solve_on_devices<T>, nb::arg("d").noconvert(), nb::arg("count"),
          nb::arg("strict_cycles"), nb::arg("progress").none());
    m.def("solve_out_of_core", &solve_out_of_core<T>, nb::arg("d").noconvert(), nb::arg("range").none(),
          nb::arg("memory"), nb::arg("strict_cycles"), nb::arg("progress").none());
  });
}

}  // namespace bindings
