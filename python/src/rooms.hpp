// SPDX-License-Identifier: MIT
// The parts that the files of this folder add to the module blockfw._core.
#pragma once

#include <nanobind/nanobind.h>

namespace bindings {

namespace nb = nanobind;

void bind_errors(nb::module_& m);         ///< the C++ exceptions as Python's
void bind_runtime(nb::module_& m);        ///< Kokkos, threads, forks
void bind_dense(nb::module_& m);          ///< matrices of weights
void bind_edges(nb::module_& m);          ///< lists of edges
void bind_sources(nb::module_& m);        ///< distances from some vertices
void bind_network(nb::module_& m);        ///< networks that are asked many questions
void bind_paths(nb::module_& m);          ///< predecessors, trees and paths
void bind_product(nb::module_& m);        ///< products of matrices
void bind_measures(nb::module_& m);       ///< measures of the vertices in reach of each vertex
void bind_closure(nb::module_& m);        ///< transitive closure
void bind_updates(nb::module_& m);        ///< an edge more, a vertex more
void bind_batch(nb::module_& m);          ///< many small graphs
void bind_files(nb::module_& m);          ///< graphs in files
void bind_devices(nb::module_& m);        ///< several devices
void bind_out_of_core(nb::module_& m);    ///< a limit of memory
void bind_adjacency(nb::module_& m);      ///< the dicts of NetworkX
void bind_device_arrays(nb::module_& m);  ///< arrays in a GPU's memory

}  // namespace bindings
