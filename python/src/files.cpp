// SPDX-License-Identifier: MIT
// Graphs in files of any format that the library reads.
#include "arrays.hpp"
#include "rooms.hpp"
#include "runtime.hpp"

#include <nanobind/stl/string.h>
#ifdef BLOCKFW_PYTHON_ZLIB
#include <blockfw/io/gzip.hpp>
#endif
#include <blockfw/io/graph_file.hpp>

#include <string>

namespace bindings {

namespace {

/// The file, unpacked if gzip has compressed it. (Without zlib the readers refuse it.)
blockfw::io::InputFile input_of(const std::string& name) {
#ifdef BLOCKFW_PYTHON_ZLIB
  return blockfw::io::unpacked(name);
#else
  return name;
#endif
}

template <class T>
nb::object read_as(const std::string& name) {
  blockfw::io::Graph<T> graph;
  std::vector<std::int32_t> from, to;
  std::vector<T> weights;
  {
    const nb::gil_scoped_release released;
    const auto file = input_of(name);
    graph = blockfw::io::read_graph<T>(file);
    for (const auto& edge : graph.edges) {
      from.push_back(edge.from);
      to.push_back(edge.to);
      weights.push_back(edge.weight);
    }
  }
  return nb::make_tuple(graph.vertices, as_array(std::move(from)), as_array(std::move(to)),
                        as_array(std::move(weights)), graph.direction == blockfw::Direction::directed,
                        graph.first_vertex);
}

/// The narrowest of the types that hold all weights and all sums.
std::string type_for(const std::string& name) {
  const nb::gil_scoped_release released;
  const auto survey = blockfw::io::survey(input_of(name));
  if (blockfw::io::suffices<std::int32_t>(survey)) return "int32";
  return blockfw::io::suffices<std::int64_t>(survey) ? "int64" : "float64";
}

nb::object read_graph(const std::string& name, const std::string& type) {
  const auto wanted = type.empty() ? type_for(name) : type;
  if (wanted == "int16") return read_as<std::int16_t>(name);
  if (wanted == "int32") return read_as<std::int32_t>(name);
  if (wanted == "int64") return read_as<std::int64_t>(name);
  if (wanted == "float32") return read_as<float>(name);
  return read_as<double>(name);
}

}  // namespace

void bind_files(nb::module_& m) { m.def("read_graph", &read_graph, nb::arg("name"), nb::arg("type")); }

}  // namespace bindings
