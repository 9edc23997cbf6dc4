// SPDX-License-Identifier: MIT
// The transitive closure: the vertices that each vertex reaches.
#include "edges.hpp"
#include "rooms.hpp"
#include "solver.hpp"

#include <blockfw/transitive_closure.hpp>

#include <optional>

namespace bindings {

namespace {

/// Fills n x n truth values.
void transitive_closure(const Matrix<bool>& reached, const ConstArray<std::int32_t>& from,
                        const ConstArray<std::int32_t>& to, bool directed, const nb::object& progress) {
  const auto n = static_cast<std::int64_t>(reached.shape(0));
  const Turn turn(n);
  const auto edges = read_edges<std::int32_t>(from, to, {}, true);
  const auto bits =
      blockfw::transitive_closure(solver(), n, edges, {direction_of(directed), watch_rounds(progress, n)}).on_host();
  bool* const out = reached.data();
  Kokkos::parallel_for("blockfw::unpack_bits", Kokkos::RangePolicy<Host>(host(), 0, n), [=](std::int64_t i) {
    for (std::int64_t j = 0; j < n; ++j) out[i * n + j] = bits(i, j);
  });
}

}  // namespace

void bind_closure(nb::module_& m) {
  m.def("transitive_closure", &transitive_closure, nb::arg("reached").noconvert(), nb::arg("from_"), nb::arg("to"),
        nb::arg("directed"), nb::arg("progress").none());
}

}  // namespace bindings
