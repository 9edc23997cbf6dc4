// SPDX-License-Identifier: MIT
// The parts that the files of this folder add to the module blockfw._core.
#pragma once

#include <nanobind/nanobind.h>

namespace bindings {

namespace nb = nanobind;

void bind_runtime(nb::module_& m);        ///< Kokkos, threads, forks
void bind_dense(nb::module_& m);          ///< matrices of weights
void bind_edges(nb::module_& m);          ///< lists of edges
void bind_sources(nb::module_& m);        ///< distances from some vertices
void bind_network(nb::module_& m);        ///< networks that are asked many questions
void bind_solved(nb::module_& m);         ///< paths out of distances, measures, an edge more, a vertex more
void bind_product(nb::module_& m);        ///< products of matrices
void bind_closure(nb::module_& m);        ///< transitive closure
void bind_batch(nb::module_& m);          ///< many small graphs, lists of matrices
void bind_graphs(nb::module_& m);         ///< graphs in files, the dicts of NetworkX
void bind_places(nb::module_& m);         ///< several devices, a limit of memory
void bind_device_arrays(nb::module_& m);  ///< arrays in a GPU's memory

}  // namespace bindings
