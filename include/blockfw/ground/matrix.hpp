// SPDX-License-Identifier: MIT
/// \file
/// \brief The strided matrix that the solver works on, made from any square rank-2 view or raw pointer.
#pragma once

#include "blockfw/ground/error.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>
#include <type_traits>

namespace blockfw {

/// Whether the space runs on the host's cores (and so uses the vector kernel).
template <class ExecSpace>
inline constexpr bool is_host_space =
    Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename ExecSpace::memory_space>::accessible &&
    Kokkos::SpaceAccessibility<ExecSpace, Kokkos::HostSpace>::accessible;

/// Whether code of Space can read and write the memory of a view.
template <class Space, class View>
inline constexpr bool can_reach = Kokkos::SpaceAccessibility<Space, typename View::memory_space>::accessible;

/// A view in memory that code of Space cannot reach does not compile.
template <class Space, class View>
constexpr void require_reachable() {
  static_assert(can_reach<Space, View>,
                "blockfw: the view lies in a memory space that the execution space cannot reach");
}

/// \brief An n x m matrix somewhere in the memory of Space, not owned; entry (i, j) lies at i·stride(0) + j·stride(1).
template <class T, class Space>
using MatrixRef =
    Kokkos::View<T**, Kokkos::LayoutStride, typename Space::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// Whether V is a rank-2 Kokkos view.
template <class V>
concept MatrixView = Kokkos::is_view_v<V> && (V::rank() == 2);

/// \brief Entry (i, j) of a matrix of any order.
///
/// Kokkos 5 computes the offset of view(i, j) in the type of the indices. With two indices of 32 bits it wraps in a
/// matrix of more than 2³¹ entries: from 46,341 vertices on. This function takes indices of any type.
///
/// O(1).
///
/// \param view  a matrix in memory that the caller can reach
/// \param i     the row
/// \param j     the column
template <MatrixView V>
KOKKOS_FORCEINLINE_FUNCTION typename V::reference_type entry_at(const V& view, std::int64_t i, std::int64_t j) {
  return view(i, j);
}

/// Whether edges lead in one direction (any matrix) or in both directions (a symmetric matrix).
enum class Direction { directed, undirected };

/// \brief Checks that a matrix is square.
/// \throws InvalidInput when the view is not square
template <MatrixView V>
void require_square(const V& view) {
  if (view.extent(0) != view.extent(1))
    throw InvalidInput("the matrix '", view.label(), "' has ", view.extent(0), " rows and ", view.extent(1),
                       " columns, expected a square one");
}

namespace detail {

/// \brief A view of memory in a space, which something else owns.
/// \tparam Data  T* or T**
template <class Data, class Space>
using UnmanagedView = Kokkos::View<Data, typename Space::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

template <class T, class Space>
using Array = Kokkos::View<T*, typename Space::memory_space>;

/// A view whose memory is allocated, and whose elements have no values yet.
template <class View, class ExecSpace, class... Extents>
  requires Kokkos::is_execution_space_v<ExecSpace>
View without_values(const ExecSpace& exec, const std::string& label, Extents... extents) {
  return View(Kokkos::view_alloc(exec, label, Kokkos::WithoutInitializing), static_cast<std::size_t>(extents)...);
}
template <class View, class... Extents>
View without_values(const std::string& label, Extents... extents) {
  return View(Kokkos::view_alloc(label, Kokkos::WithoutInitializing), static_cast<std::size_t>(extents)...);
}

/// The number of entries along a side of a view, as a signed number.
template <class View>
KOKKOS_FORCEINLINE_FUNCTION std::int64_t extent_along(const View& view, std::size_t side) {
  return static_cast<std::int64_t>(view.extent(side));
}

/// \brief Checks that Kokkos runs, before a call meets Kokkos's own check, which ends the program.
/// \throws InvalidInput before Kokkos's start and after its end
inline void require_kokkos() {
  if (Kokkos::is_initialized()) return;
  throw InvalidInput(std::string("Kokkos ") + (Kokkos::is_finalized() ? "has ended" : "is not initialised") +
                     ", expected a call between its start (Kokkos::ScopeGuard in main(), or blockfw::start_kokkos()) "
                     "and its end");
}

/// \brief The default instance of a space.
/// \throws InvalidInput when Kokkos does not run
template <class ExecSpace>
ExecSpace default_instance() {
  require_kokkos();
  return ExecSpace();
}

/// \throws InvalidInput for a negative number of vertices
inline void require_order(std::int64_t n) {
  if (n < 0) throw InvalidInput("the number of vertices is ", n, ", expected 0 or more");
}

/// The matrix of order n whose entry (i, j) lies at data[i · row + j].
template <class Space, class T>
KOKKOS_FORCEINLINE_FUNCTION MatrixRef<T, Space> row_major(T* data, std::int64_t n, std::int64_t row) {
  const auto order = static_cast<std::size_t>(n);
  return MatrixRef<T, Space>(data, Kokkos::LayoutStride(order, static_cast<std::size_t>(row), order, 1));
}

/// \throws InvalidInput for a leading dimension below n, or a null pointer to a matrix that is not empty
inline void require_rows(const void* data, std::int64_t n, std::int64_t leading_dimension) {
  if (leading_dimension < n)
    throw InvalidInput("the leading dimension is ", leading_dimension, ", expected at least the order of the matrix, ",
                       n);
  if (data == nullptr && n > 0) throw InvalidInput("null pointer given for a matrix of order ", n);
}

/// \brief Checks that 32 bits count the elements between any two entries of a tile: device kernels address a tile in 64
/// bits and its entries, from there, in 32.
/// \param block  rows and columns of a tile
/// \throws InvalidInput when they do not
template <class T, class Space, class... P>
void require_near_entries(const Kokkos::View<T**, Kokkos::LayoutStride, Space, P...>& m, int block) {
  double farthest = 0;
  for (const std::size_t side : {std::size_t(0), std::size_t(1)})
    farthest += Kokkos::min(m.extent_int(side), block) * static_cast<double>(m.stride(side));
  if (farthest > INT32_MAX)
    throw InvalidInput("the matrix's strides are ", m.stride(0), " and ", m.stride(1),
                       ", expected entries of a tile of ", block, " rows and columns at most ", INT32_MAX,
                       " elements apart");
}

}  // namespace detail

/// \brief The matrix given by pointer, order and leading dimension: entry (i, j) lies at data[i·ld + j].
///
/// \throws InvalidInput for n < 0, a leading dimension below n, or a null pointer to a matrix that is not empty
template <class ExecSpace, Element T>
MatrixRef<T, ExecSpace> matrix_ref(T* data, std::int64_t n, std::int64_t leading_dimension) {
  detail::require_kokkos();
  if (n < 0) throw InvalidInput("the order of the matrix is ", n, ", expected 0 or more");
  detail::require_rows(data, n, leading_dimension);
  return detail::row_major<ExecSpace>(data, n, leading_dimension);
}

/// \brief The matrix of a rank-2 view of any layout.
///
/// A view whose columns are contiguous (LayoutLeft) is taken as its transpose, so the solver sees contiguous rows only.
/// (The shortest paths of the reversed graph are the same paths reversed.)
///
/// \throws InvalidInput when the view is not square or holds a null pointer
template <class ExecSpace, MatrixView V>
MatrixRef<typename V::value_type, ExecSpace> matrix_ref(const V& view) {
  using T = typename V::value_type;
  static_assert(!std::is_const_v<T>, "blockfw: the matrix is solved in place, its elements must not be const");
  static_assert(Element<T>, "blockfw: elements must be int16_t, int32_t, int64_t, float or double");
  require_reachable<ExecSpace, V>();
  detail::require_kokkos();
  require_square(view);
  const std::size_t n = view.extent(0);
  if (view.data() == nullptr && n > 0)
    throw InvalidInput("the matrix '", view.label(), "' of order ", n, " has no memory (null pointer)");
  const auto down = static_cast<std::size_t>(view.stride(0)), across = static_cast<std::size_t>(view.stride(1));
  return MatrixRef<T, ExecSpace>(view.data(),
                                 Kokkos::LayoutStride(n, Kokkos::max(down, across), n, Kokkos::min(down, across)));
}

/// Rows [row, row + rows) and columns [col, col + cols) of m.
template <class T, class Space, class... P>
KOKKOS_FORCEINLINE_FUNCTION auto submatrix(const Kokkos::View<T**, Kokkos::LayoutStride, Space, P...>& m,
                                           std::int64_t row, std::int64_t rows, std::int64_t col, std::int64_t cols) {
  return Kokkos::subview(m, Kokkos::pair(row, row + rows), Kokkos::pair(col, col + cols));
}

}  // namespace blockfw
