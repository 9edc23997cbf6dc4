// SPDX-License-Identifier: MIT
/// \file
/// \brief Copies between any two memories, and a matrix of one number, queued on an instance.
///
/// Kokkos::deep_copy of a matrix is an instance of a dozen loops for each type and layout. Here arrays without gaps are
/// copied as bytes, and on a host rows, too. So few instances serve all types.
#pragma once

#include "blockfw/detail/backend/backend.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace blockfw::detail {

/// \brief Copies bytes from memory of a space to that of another one.
template <class ToSpace, class FromSpace, class ExecSpace>
void copy_bytes(const ExecSpace& exec, void* to, const void* from, std::size_t bytes) {
  if (to == from || bytes == 0) return;
  Kokkos::deep_copy(exec, UnmanagedView<std::byte*, ToSpace>(static_cast<std::byte*>(to), bytes),
                    UnmanagedView<const std::byte*, FromSpace>(static_cast<const std::byte*>(from), bytes));
}

/// \brief Copies an array without gaps, or a matrix without gaps in the same order.
template <class ExecSpace, class To, class From>
void copy_array(const ExecSpace& exec, const To& to, const From& from) {
  static_assert(std::is_same_v<typename To::value_type, typename From::non_const_value_type> &&
                    To::rank() == From::rank() && std::is_trivially_copyable_v<typename To::value_type>,
                "blockfw: an array is copied to one of the same type");
  static_assert(To::rank() == 1 || std::is_same_v<typename To::array_layout, typename From::array_layout>,
                "blockfw: a matrix without gaps is copied to one of the same layout");
  if (to.size() != from.size() || to.extent(0) != from.extent(0) || !to.span_is_contiguous() ||
      !from.span_is_contiguous())
    throw InvalidInput("the array '" + from.label() + "' has " + std::to_string(from.size()) + " elements and '" +
                       to.label() + "' " + std::to_string(to.size()) + ", expected equal numbers without gaps");
  copy_bytes<typename To::memory_space, typename From::memory_space>(exec, to.data(), from.data(),
                                                                     to.size() * sizeof(typename To::value_type));
}

/// \brief Copies a matrix to one of the same shape. Rows may lie apart. The entries of a row must be contiguous, except
/// on a host.
template <class ExecSpace, MatrixView To, MatrixView From>
void copy_rows(const ExecSpace& exec, const To& to, const From& from) {
  using T = typename To::value_type;
  static_assert(std::is_same_v<T, typename From::non_const_value_type>,
                "blockfw: a matrix is copied to one of the same type");
  if (to.extent(0) != from.extent(0) || to.extent(1) != from.extent(1))
    throw InvalidInput("the matrix '" + from.label() + "' is " + std::to_string(from.extent(0)) + " x " +
                       std::to_string(from.extent(1)) + ", expected " + std::to_string(to.extent(0)) + " x " +
                       std::to_string(to.extent(1)) + " as '" + to.label() + "'");
  const bool contiguous = (to.stride(1) == 1 && from.stride(1) == 1) || to.extent(1) <= 1;
  const auto rows = static_cast<std::int64_t>(to.extent(0)), columns = static_cast<std::int64_t>(to.extent(1));
  if (static_cast<const void*>(to.data()) == from.data()) return;  // a mirror of a host's view is that view
  if constexpr (is_host_space<ExecSpace>) {
    if (contiguous) {
      constexpr std::int64_t width = 65536 / sizeof(T);
      for_square("blockfw::copy", exec, rows, (columns + width - 1) / width, [=](std::int64_t i, std::int64_t part) {
        const std::int64_t first = part * width, count = std::min(width, columns - first);
        std::memcpy(&to(i, first), &from(i, first), static_cast<std::size_t>(count) * sizeof(T));
      });
    } else {
      for_square("blockfw::copy", exec, rows, columns, [=](std::int64_t i, std::int64_t j) { to(i, j) = from(i, j); });
    }
  } else {
    if (!contiguous)
      throw InvalidInput("the matrices '" + from.label() + "' and '" + to.label() + "' have columns " +
                         std::to_string(from.stride(1)) + " and " + std::to_string(to.stride(1)) +
                         " entries apart, expected 1 for a copy between a device and the host");
    if (rows > 0 && columns > 0)
      Backend<ExecSpace>::copy(exec, to.data(), to.stride(0) * sizeof(T), from.data(), from.stride(0) * sizeof(T),
                               to.extent(1) * sizeof(T), to.extent(0));
  }
}

/// \brief Sets all entries of a matrix to a number.
template <class ExecSpace, MatrixView View>
void fill_matrix(const ExecSpace& exec, const View& d, typename View::value_type number) {
  if constexpr (returns_when_done<ExecSpace>)
    for_square("blockfw::fill", exec, static_cast<std::int64_t>(d.extent(0)), static_cast<std::int64_t>(d.extent(1)),
               [=](std::int64_t i, std::int64_t j) { d(i, j) = number; });
  else
    Kokkos::deep_copy(exec, d, number);
}

/// \brief The rows of a matrix, or its columns, for a loop over their entries.
template <class T>
struct RowsOrColumns {
  template <class View>
  RowsOrColumns(const View& d, bool rows)
      : data(d.data()),
        count(static_cast<std::int64_t>(d.extent(rows ? 0 : 1))),
        length(static_cast<std::int64_t>(d.extent(rows ? 1 : 0))),
        step(static_cast<std::ptrdiff_t>(d.stride(rows ? 0 : 1))),
        entry_step(static_cast<std::ptrdiff_t>(d.stride(rows ? 1 : 0))) {}

  bool contiguous() const { return entry_step <= step; }

  const T* data;
  std::int64_t count, length;       ///< the number of rows (columns), and of the entries of each
  std::ptrdiff_t step, entry_step;  ///< from a row (column) to the next, and from an entry to the next
};

/// A host's list in the memory of a space. The copy is queued on exec.
template <class ExecSpace, class T>
auto in_space(const ExecSpace& exec, const std::vector<T>& list) {
  Kokkos::View<T*, typename ExecSpace::memory_space> there(
      Kokkos::view_alloc(exec, "blockfw::list", Kokkos::WithoutInitializing), list.size());
  copy_array(exec, there, UnmanagedView<const T*, Kokkos::HostSpace>(list.data(), list.size()));
  return there;
}

}  // namespace blockfw::detail
