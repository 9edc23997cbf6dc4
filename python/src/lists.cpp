// SPDX-License-Identifier: MIT
// Lists of NumPy's matrices.
#include "arrays.hpp"
#include "rooms.hpp"
#include "runtime.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace bindings {

namespace {

/// The memory of arrays of NumPy's, which stays valid until the end of the object.
class Buffers {
 public:
  /// For at most `count` arrays.
  explicit Buffers(std::size_t count) { all_.reserve(count); }
  Buffers(const Buffers&) = delete;
  Buffers& operator=(const Buffers&) = delete;
  ~Buffers() {
    for (Py_buffer& buffer : all_) PyBuffer_Release(&buffer);
  }

  /// \brief Adds a contiguous array.
  /// \return false if it is none
  bool add(const nb::handle array, int flags) {
    Py_buffer buffer;
    if (PyObject_GetBuffer(array.ptr(), &buffer, flags | PyBUF_C_CONTIGUOUS) != 0) {
      PyErr_Clear();
      return false;
    }
    all_.push_back(buffer);
    return true;
  }

  const std::vector<Py_buffer>& all() const { return all_; }

 private:
  std::vector<Py_buffer> all_;
};

/// \brief Copies the matrices of a list, one after the other.
/// \param dtype  the type of the first one, of numbers or bool
/// \return the number of rows of each matrix, and an array of all entries. None, unless all are square, contiguous
/// arrays of one type.
nb::object joined_matrices(const nb::list& matrices, const nb::object& dtype) {
  Buffers buffers(matrices.size());
  std::vector<std::int32_t> orders;
  std::vector<std::ptrdiff_t> starts;
  std::ptrdiff_t bytes = 0;
  const nb::handle type = nb::object(matrices[0]).type();
  for (const nb::handle matrix : matrices) {
    if (!matrix.type().is(type) || !buffers.add(matrix, PyBUF_FORMAT)) return nb::none();
    const Py_buffer &buffer = buffers.all().back(), &first = buffers.all().front();
    if (buffer.ndim != 2 || buffer.shape[0] != buffer.shape[1] || std::strcmp(buffer.format, first.format) != 0)
      return nb::none();
    orders.push_back(static_cast<std::int32_t>(buffer.shape[0]));
    starts.push_back(bytes);
    bytes += buffer.len;
  }
  const auto count = bytes / nb::cast<std::ptrdiff_t>(dtype.attr("itemsize"));
  const nb::object entries = nb::module_::import_("numpy").attr("empty")(count, dtype);
  Buffers joined(1);
  if (!joined.add(entries, PyBUF_WRITABLE)) return nb::none();
  {
    char* const to = static_cast<char*>(joined.all()[0].buf);
    const Turn turn(static_cast<std::int64_t>(std::sqrt(count)));
    Kokkos::parallel_for(
        "blockfw::joined_matrices", Kokkos::RangePolicy<Host>(host(), 0, static_cast<std::int64_t>(starts.size())),
        [&](std::int64_t g) {
          const Py_buffer& buffer = buffers.all()[static_cast<std::size_t>(g)];
          std::memcpy(to + starts[static_cast<std::size_t>(g)], buffer.buf, static_cast<std::size_t>(buffer.len));
        });
    host().fence("blockfw::joined_matrices");
  }
  return nb::make_tuple(as_array(std::move(orders)), entries);
}

}  // namespace

void bind_lists(nb::module_& m) { m.def("joined_matrices", &joined_matrices, nb::arg("matrices"), nb::arg("dtype")); }

}  // namespace bindings
