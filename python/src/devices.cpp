// SPDX-License-Identifier: MIT
// One matrix on several devices, or by several groups of a host's threads.
#include "rooms.hpp"
#include "solver.hpp"

#include <blockfw/multi_device.hpp>

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

}  // namespace

void bind_devices(nb::module_& m) {
  for_each_type([&]<class T>() {
    m.def("solve_on_devices", &solve_on_devices<T>, nb::arg("d").noconvert(), nb::arg("count"),
          nb::arg("strict_cycles"), nb::arg("progress").none());
  });
}

}  // namespace bindings
