// SPDX-License-Identifier: MIT
// The module blockfw._core: the library's calls on arrays. The part that callers see is in ../blockfw.
#include "rooms.hpp"

#include <nanobind/stl/string.h>
#include <blockfw/ground/version.hpp>

#include <string>

NB_MODULE(_core, m) {
  using namespace bindings;
  m.attr("version") = std::to_string(BLOCKFW_VERSION_MAJOR) + "." + std::to_string(BLOCKFW_VERSION_MINOR) + "." +
                      std::to_string(BLOCKFW_VERSION_PATCH);
  nb::set_leak_warnings(false);  // (an array that outlives the interpreter is no error)
  bind_errors(m);
  bind_runtime(m);
  bind_dense(m);
  bind_edges(m);
  bind_sources(m);
  bind_network(m);
  bind_paths(m);
  bind_product(m);
  bind_measures(m);
  bind_closure(m);
  bind_updates(m);
  bind_batch(m);
  bind_files(m);
  bind_devices(m);
  bind_out_of_core(m);
  bind_adjacency(m);
  bind_device_arrays(m);
}
