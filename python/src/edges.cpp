// SPDX-License-Identifier: MIT
// Lists of edges: solved into the result's memory, or written into a matrix.
#include "edges.hpp"

#include "rooms.hpp"
#include "solver.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

namespace bindings {

BLOCKFW_PYTHON_READ_EDGES(, double)
BLOCKFW_PYTHON_READ_EDGES(, float)
BLOCKFW_PYTHON_READ_EDGES(, std::int32_t)
BLOCKFW_PYTHON_READ_EDGES(, std::int64_t)
BLOCKFW_PYTHON_READ_EDGES(, std::int16_t)

namespace {

blockfw::Method method_of(const std::string& name) {
  if (name == "automatic") return blockfw::Method::automatic;
  if (name == "dense") return blockfw::Method::dense;
  if (name == "sparse") return blockfw::Method::sparse;
  throw nb::value_error(("the method is '" + name + "', expected automatic, dense or sparse").c_str());
}

template <class T>
void solve_edges(const Matrix<T>& d, const ConstArray<std::int32_t>& from, const ConstArray<std::int32_t>& to,
                 const std::optional<AnyArray>& weights, bool loops, const std::string& semiring, bool directed,
                 const std::string& method, bool strict_cycles, const nb::object& progress) {
  const auto how = method_of(method);
  with_semiring<T>(semiring, [&]<class S>(S) {
    const auto n = static_cast<std::int64_t>(d.shape(0));
    const Turn turn(n);
    const auto edges = read_edges<T>(from, to, weights, loops, NoEdge::of<S>());
    solve_where_it_lies(d, false, [&](const auto& exec, const auto& there) {
      blockfw::solve_into<S>(
          exec, there, edges,
          {.direction = direction_of(directed),
           .method = how,
           .strict_cycles = strict_cycles,
           .progress = how == blockfw::Method::sparse ? watch(progress) : watch_rounds(progress, n)});
    });
  });
}

/// Fills d with edges, for solve_matrix() and the other solves of matrices.
template <class T>
Range<T> fill_edges(const Matrix<T>& d, const ConstArray<std::int32_t>& from, const ConstArray<std::int32_t>& to,
                    const std::optional<AnyArray>& weights, bool loops, const std::string& semiring, bool directed) {
  blockfw::WeightRange<T> range;
  with_semiring<T>(semiring, [&]<class S>(S) {
    const Turn turn(static_cast<std::int64_t>(d.shape(0)));
    const auto edges = read_edges<T>(from, to, weights, loops, NoEdge::of<S>());
    const auto direction = direction_of(directed);
    range = blockfw::fill_from_edges<S>(host(), view_of(d), edges, {.direction = direction});
    blockfw::detail::require_no_cycle_of_edge<S>(blockfw::detail::view_of(edges), range, direction);
  });
  return to_python(range);
}

}  // namespace

void bind_edges(nb::module_& m) {
  for_each_type([&]<class T>() {
    m.def("solve_edges", &solve_edges<T>, nb::arg("d").noconvert(), nb::arg("from_"), nb::arg("to"),
          nb::arg("weights").none(), nb::arg("loops"), nb::arg("semiring"), nb::arg("directed"), nb::arg("method"),
          nb::arg("strict_cycles"), nb::arg("progress").none());
    m.def("fill_edges", &fill_edges<T>, nb::arg("d").noconvert(), nb::arg("from_"), nb::arg("to"),
          nb::arg("weights").none(), nb::arg("loops"), nb::arg("semiring"), nb::arg("directed"));
  });
}

}  // namespace bindings
