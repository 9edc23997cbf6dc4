// SPDX-License-Identifier: MIT
// Graphs as arrays: read from files of any format that the library reads, and from the dicts of a NetworkX graph. In
// Python, a call for each edge of these dicts would take longer than a solve.
#include "arrays.hpp"
#include "conversion.hpp"
#include "rooms.hpp"
#include "runtime.hpp"

#include <nanobind/stl/string.h>
#include <blockfw/io/graph_file.hpp>
#ifdef BLOCKFW_PYTHON_ZLIB
#include <blockfw/io/gzip.hpp>
#endif

#include <string>
#include <utility>

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

/// The weights: integers as long as all weights are integers, else floats.
class Weights {
 public:
  /// Throws nb::python_error or nb::type_error for a weight that is no number, or no int64 or float64 exactly.
  void add(PyObject* weight) {
    if (PyFloat_Check(weight)) return add_float(PyFloat_AsDouble(weight));
    if (PyLong_Check(weight)) return add_integer(weight);
    if (PyIndex_Check(weight)) {
      const nb::object whole = nb::steal(PyNumber_Index(weight));
      if (!whole.is_valid()) throw nb::python_error();
      return add_integer(whole.ptr());
    }
    if (is_float_of_numpy(weight)) {
      const nb::object number = nb::steal(PyNumber_Float(weight));
      if (!number.is_valid()) throw nb::python_error();
      const double value = PyFloat_AsDouble(number.ptr());
      if (value == value && !number.equal(nb::handle(weight)))  // (a long double)
        throw nb::type_error(
            (std::string("the weight ") + nb::str(nb::handle(weight)).c_str() + of_edge() + " is not a float64")
                .c_str());
      return add_float(value);
    }
    throw nb::type_error("a weight is not an int or a float");
  }
  nb::object array() { return whole_ ? as_array(std::move(integers_)) : as_array(std::move(floats_)); }

 private:
  void add_integer(PyObject* weight) {
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(weight, &overflow);
    if (overflow != 0) throw nb::type_error("a weight has more than 64 bits");
    if (whole_)
      integers_.push_back(value);
    else
      add_as_float(value);
  }
  void add_float(double weight) {
    if (whole_) {
      whole_ = false;
      for (const std::int64_t value : std::exchange(integers_, {})) add_as_float(value);
    }
    floats_.push_back(weight);
  }
  void add_as_float(std::int64_t value) {
    if (!fits<double>(value))
      throw nb::type_error(
          ("the weight " + std::to_string(value) + of_edge() + " is not a float64, and other weights are floats")
              .c_str());
    floats_.push_back(static_cast<double>(value));
  }
  std::string of_edge() const { return " of edge " + std::to_string(integers_.size() + floats_.size()); }
  static bool is_float_of_numpy(PyObject* weight) {
    const nb::handle number(weight);
    return nb::hasattr(number, "dtype") && nb::str(number.attr("dtype").attr("kind")).equal(nb::str("f"));
  }

  bool whole_ = true;
  std::vector<std::int64_t> integers_;
  std::vector<double> floats_;
};

/// \brief The edges of the dict {vertex: {neighbour: data}}, whose data is {name: value} or, of a multigraph,
/// {key: {name: value}}.
/// \param index   the number of each vertex
/// \param weight  the name of the weight, or None: the weights are 1, and none are returned
/// \param missing the weight of an edge without a weight
/// \return (from, to, weights or None)
nb::tuple edges_of_dicts(const nb::dict& adjacency, const nb::dict& index, bool multigraph, const nb::object& weight,
                         const nb::object& missing) {
  std::vector<std::int32_t> from, to;
  Weights weights;
  const bool weighted = !weight.is_none();
  const auto number = [&](PyObject* vertex) {
    PyObject* const found = PyDict_GetItemWithError(index.ptr(), vertex);
    if (found == nullptr) {
      if (PyErr_Occurred() != nullptr) throw nb::python_error();
      throw nb::value_error("the graph has an edge to a vertex that is not in it");
    }
    return static_cast<std::int32_t>(PyLong_AsLong(found));
  };
  const auto require_dict = [](PyObject* dict) {
    if (!PyDict_Check(dict)) throw nb::type_error("the graph does not consist of dicts");
  };
  const auto add = [&](std::int32_t tail, std::int32_t head, PyObject* data) {
    from.push_back(tail);
    to.push_back(head);
    if (!weighted) return;
    require_dict(data);
    PyObject* found = PyDict_GetItemWithError(data, weight.ptr());
    if (found == nullptr && PyErr_Occurred() != nullptr) throw nb::python_error();
    weights.add(found != nullptr ? found : missing.ptr());
  };

  Py_ssize_t at = 0;
  PyObject *vertex, *neighbours;
  while (PyDict_Next(adjacency.ptr(), &at, &vertex, &neighbours)) {
    const auto tail = number(vertex);
    require_dict(neighbours);
    Py_ssize_t at_neighbour = 0;
    PyObject *neighbour, *data;
    while (PyDict_Next(neighbours, &at_neighbour, &neighbour, &data)) {
      const auto head = number(neighbour);
      if (!multigraph) {
        add(tail, head, data);
        continue;
      }
      require_dict(data);
      Py_ssize_t at_key = 0;
      PyObject *key, *one;
      while (PyDict_Next(data, &at_key, &key, &one)) add(tail, head, one);
    }
  }
  nb::object found = weighted ? weights.array() : nb::none();
  return nb::make_tuple(as_array(std::move(from)), as_array(std::move(to)), found);
}

}  // namespace

void bind_graphs(nb::module_& m) {
  m.def("read_graph", &read_graph, nb::arg("name"), nb::arg("type"));
  m.def("edges_of_dicts", &edges_of_dicts, nb::arg("adjacency"), nb::arg("index"), nb::arg("multigraph"),
        nb::arg("weight").none(), nb::arg("missing"));
}

}  // namespace bindings
