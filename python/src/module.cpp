// SPDX-License-Identifier: MIT
// The module blockfw._core: the library's calls on arrays, and its errors. The part that callers see is in ../blockfw.
#include "rooms.hpp"

#include <nanobind/stl/string.h>
#include <blockfw/ground/error.hpp>
#include <blockfw/ground/version.hpp>

#include <exception>
#include <string>

namespace bindings {

namespace {

/// Raises the class of that name in the module blockfw._errors, which takes SciPy's.
void raise_ours(const char* name, const char* what) {
  try {
    const nb::object type = nb::module_::import_("blockfw._errors").attr(name)();
    PyErr_SetString(type.ptr(), what);
  } catch (nb::python_error& error) {
    error.restore();
  }
}

/// The C++ exceptions as Python's.
void bind_errors(nb::module_& m) {
  m.def(
      "edge_sentence",
      [](const std::string& from, const std::string& to, bool negative) {
        return blockfw::DivergentCycle::edge_sentence(from, to, negative);
      },
      nb::arg("from_"), nb::arg("to"), nb::arg("negative"));
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const blockfw::NegativeCycle& error) {
      raise_ours("negative_cycle_error", error.what());
    } catch (const blockfw::DivergentCycle& error) {
      PyErr_SetString(PyExc_ValueError, error.what());
    } catch (const blockfw::InvalidInput& error) {
      PyErr_SetString(PyExc_ValueError, error.what());
    } catch (const blockfw::OverflowRisk& error) {
      PyErr_SetString(PyExc_OverflowError, error.what());
    } catch (const blockfw::OutOfMemory& error) {
      PyErr_SetString(PyExc_MemoryError, error.what());
    } catch (const blockfw::FileError& error) {
      PyErr_SetString(PyExc_OSError, error.what());
    } catch (const blockfw::Error& error) {
      PyErr_SetString(PyExc_RuntimeError, error.what());
    }
  });
}

}  // namespace

}  // namespace bindings

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
  bind_solved(m);
  bind_product(m);
  bind_closure(m);
  bind_batch(m);
  bind_graphs(m);
  bind_places(m);
  bind_device_arrays(m);
}
