// SPDX-License-Identifier: MIT
#include "rooms.hpp"

#include <nanobind/stl/string.h>
#include <blockfw/ground/error.hpp>

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

}  // namespace

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

}  // namespace bindings
