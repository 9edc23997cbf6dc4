// SPDX-License-Identifier: MIT
// Solved distances after an edge more, or a vertex more.
#include "edges.hpp"
#include "rooms.hpp"
#include "solver.hpp"

#include <nanobind/stl/optional.h>
#include <blockfw/updates.hpp>

namespace bindings {

namespace {

template <class T>
void insert_edge(const Matrix<T>& d, std::int64_t from, std::int64_t to, T weight, bool directed) {
  const Turn turn(static_cast<std::int64_t>(d.shape(0)));
  if (!directed && weight < T(0)) throw from == to ? blockfw::NegativeCycle(from) : blockfw::NegativeCycle(from, to);
  blockfw::insert_edge(host(), view_of(d), from, to, weight);
  if (!directed) blockfw::insert_edge(host(), view_of(d), to, from, weight);
}

template <class T>
void add_vertex(const Matrix<T>& more, const ConstMatrix<T>& d, const ConstArray<std::int32_t>& from,
                const ConstArray<std::int32_t>& to, const std::optional<AnyArray>& weights, bool directed,
                const nb::object& progress) {
  const Turn turn(static_cast<std::int64_t>(d.shape(0)));
  blockfw::add_vertex(host(), view_of(more), view_of(d), read_edges<T>(from, to, weights, true),
                      {direction_of(directed), watch(progress)});
}

}  // namespace

void bind_updates(nb::module_& m) {
  for_each_type([&]<class T>() {
    m.def("insert_edge", &insert_edge<T>, nb::arg("d").noconvert(), nb::arg("from_"), nb::arg("to"), nb::arg("weight"),
          nb::arg("directed"));
    m.def("add_vertex", &add_vertex<T>, nb::arg("more").noconvert(), nb::arg("d").noconvert(), nb::arg("from_"),
          nb::arg("to"), nb::arg("weights").none(), nb::arg("directed"), nb::arg("progress").none());
  });
}

}  // namespace bindings
