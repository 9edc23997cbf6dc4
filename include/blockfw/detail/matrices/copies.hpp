// SPDX-License-Identifier: MIT
/// \file
/// \brief Copies between any two memories, and a matrix of one number, queued on an instance. Copies of a transposed
/// matrix, a test of symmetry, a copy of the entries above the diagonal to below it, and columns in another order.
///
/// Kokkos::deep_copy of a matrix is an instance of a dozen loops for each type and layout. Here arrays without gaps are
/// copied as bytes, and on a host rows, too. So few instances serve all types.
#pragma once

#include "blockfw/detail/backend/backend.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

namespace blockfw::detail {

/// \brief Copies bytes from the memory of a space to the memory of another space.
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
    throw InvalidInput("the array '", from.label(), "' has ", from.size(), " elements and '", to.label(), "' ",
                       to.size(), ", expected equal numbers without gaps");
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
    throw InvalidInput("the matrix '", from.label(), "' is ", from.extent(0), " x ", from.extent(1), ", expected ",
                       to.extent(0), " x ", to.extent(1), " as '", to.label(), "'");
  const bool contiguous = (to.stride(1) == 1 && from.stride(1) == 1) || to.extent(1) <= 1;
  const auto rows = extent_along(to, 0), columns = extent_along(to, 1);
  if (static_cast<const void*>(to.data()) == from.data()) return;  // a mirror of a host's view is that view
  if constexpr (is_host_space<ExecSpace>) {
    if (contiguous) {
      constexpr std::int64_t width = 65536 / sizeof(T);
      for_square("blockfw::copy", exec, rows, (columns + width - 1) / width, [=](std::int64_t i, std::int64_t part) {
        const std::int64_t first = part * width, count = std::min(width, columns - first);
        std::memcpy(&to(i, first), &from(i, first), at(count) * sizeof(T));
      });
    } else {
      for_square("blockfw::copy", exec, rows, columns, [=](std::int64_t i, std::int64_t j) { to(i, j) = from(i, j); });
    }
  } else {
    if (!contiguous)
      throw InvalidInput("the matrices '", from.label(), "' and '", to.label(), "' have columns ", from.stride(1),
                         " and ", to.stride(1), " entries apart, expected 1 for a copy between a device and the host");
    if (rows > 0 && columns > 0)
      Backend<ExecSpace>::copy(exec, to.data(), to.stride(0) * sizeof(T), from.data(), from.stride(0) * sizeof(T),
                               to.extent(1) * sizeof(T), to.extent(0));
  }
}

/// \brief Sets all entries of a matrix to a number.
template <class ExecSpace, MatrixView View>
void fill_matrix(const ExecSpace& exec, const View& d, typename View::value_type number) {
  if constexpr (returns_when_done<ExecSpace>)
    for_square("blockfw::fill", exec, extent_along(d, 0), extent_along(d, 1),
               [=](std::int64_t i, std::int64_t j) { d(i, j) = number; });
  else
    Kokkos::deep_copy(exec, d, number);
}

/// \brief The rows of a matrix, or its columns, for a loop over their entries.
template <class T>
struct RowsOrColumns {
  using value_type = T;

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
  std::ptrdiff_t step, entry_step;  ///< the steps from a row (column) to the next, and from an entry to the next
};

/// A host's list in the memory of a space. The copy is queued on exec.
template <class ExecSpace, class T>
auto in_space(const ExecSpace& exec, const std::vector<T>& list) {
  const auto there = without_values<Array<T, ExecSpace>>(exec, "blockfw::list", list.size());
  copy_array(exec, there, UnmanagedView<const T*, Kokkos::HostSpace>(list.data(), list.size()));
  return there;
}

/// The most columns that permute_columns() moves, so that a team's scratch holds a row.
template <class T>
inline constexpr std::size_t most_permuted = 40 * 1024 / sizeof(T);

/// \brief Moves column `first_column` + c to `first_column` + place(c), in some rows of d. Queued on the instance.
/// \param place  a permutation of 0 to its length - 1, at most most_permuted<T> numbers
///
/// A team moves a row through its scratch, so that device memory is read and written in order.
template <class ExecSpace, class Matrix, class Place>
void permute_columns(const ExecSpace& exec, const Matrix& d, std::int64_t first_row, std::int64_t rows,
                     std::int64_t first_column, const Place& place) {
  using T = typename Matrix::non_const_value_type;
  using Policy = Kokkos::TeamPolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>;
  constexpr int team_size = is_host_space<ExecSpace> ? 1 : 256, level = is_host_space<ExecSpace> ? 1 : 0;
  const auto columns = static_cast<std::int64_t>(place.extent(0));
  const std::size_t bytes = place.extent(0) * sizeof(T);
  for_teams(
      "blockfw::columns",
      Policy(exec, static_cast<int>(rows), team_size).set_scratch_size(level, Kokkos::PerTeam(bytes + 64)),
      KOKKOS_LAMBDA(const typename Policy::member_type& team) {
        const int scratch = is_host_space<ExecSpace> ? 1 : 0;
        T* const moved = static_cast<T*>(team.team_scratch(scratch).get_shmem_aligned(bytes, 16));
        const std::int64_t row = first_row + team.league_rank();
        for (std::int64_t c = team.team_rank(); c < columns; c += team_size) moved[place(c)] = d(row, first_column + c);
        team.team_barrier();
        for (std::int64_t c = team.team_rank(); c < columns; c += team_size) d(row, first_column + c) = moved[c];
      });
}

inline constexpr int mirror_tile = 32;

/// \brief Calls f(j, i, d(i, j)) for the entries in some tiles of d.
///
/// d is read, and f is called, along rows: the entries pass through the team's scratch pad.
///
/// \tparam upper       whether only entries above the diagonal count
/// \param first, last  tiles [first, last), counted row by row
template <bool upper, class ExecSpace, class View, class F>
void for_each_transposed(const ExecSpace& exec, const View& d, std::int64_t first, std::int64_t last, const F& f) {
  using T = typename View::non_const_value_type;
  using Policy = Kokkos::TeamPolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>;
  constexpr int side = mirror_tile, row = side + 1;  // (one more entry, so that a column is spread over all banks)
  constexpr std::size_t scratch = sizeof(T) * side * row;
  const auto rows = extent_along(d, 0), columns = extent_along(d, 1), tiles = div_up(columns, side);
  constexpr int row_threads = is_host_space<ExecSpace> ? 1 : side;
  if (first == last) return;
  for_teams(
      "blockfw::mirror",
      Policy(exec, static_cast<int>(last - first), Kokkos::AUTO, row_threads)
          .set_scratch_size(0, Kokkos::PerTeam(scratch + alignof(T))),
      KOKKOS_LAMBDA(const typename Policy::member_type& team) {
        const std::int64_t pair = first + team.league_rank(), i0 = pair / tiles * side, j0 = pair % tiles * side;
        if (upper && i0 > j0) return;
        const std::size_t bytes = scratch, alignment = alignof(T);
        T* const tile =
            static_cast<T*>(Instructions::known_scratch(team.team_scratch(0).get_shmem_aligned(bytes, alignment)));
        const int height = static_cast<int>(Kokkos::min<std::int64_t>(side, rows - i0));
        const int width = static_cast<int>(Kokkos::min<std::int64_t>(side, columns - j0));
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, height), [&](int i) {
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, width),
                               [&](int j) { tile[i * row + j] = d(i0 + i, j0 + j); });
        });
        team.team_barrier();
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, width), [&](int j) {
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, upper && i0 == j0 ? j : height),
                               [&](int i) { f(j0 + j, i0 + i, tile[i * row + j]); });
        });
      });
}

/// Stores entries in a matrix.
template <class View>
struct CopyTo {
  View d;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t j, typename View::value_type x) const { d(i, j) = x; }
};

template <class View, class Flag>
struct Compare {
  View d;
  Flag differs;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t j, typename View::value_type above) const {
    if (d(i, j) != above) differs() = 1;
  }
};

inline std::int64_t mirror_tiles(std::int64_t rows) { return div_up(rows, mirror_tile); }

/// \brief Copies the entries above the diagonal to below it.
///
/// O(n²) at memory speed; queued on exec, not fenced.
template <class ExecSpace, class View>
void mirror(const ExecSpace& exec, const View& d) {
  const std::int64_t tiles = mirror_tiles(extent_along(d, 0));
  for_each_transposed<true>(exec, d, 0, tiles * tiles, CopyTo<View>{d});
}

/// \brief Copies `from`, transposed, to `to`. Queued on exec, not fenced.
template <class ExecSpace, class From, class To>
void transpose(const ExecSpace& exec, const From& from, const To& to) {
  const std::int64_t tiles = mirror_tiles(extent_along(from, 0)) * mirror_tiles(extent_along(from, 1));
  for_each_transposed<false>(exec, from, 0, tiles, CopyTo<To>{to});
}

/// is_symmetric() of a square matrix.
template <class ExecSpace, MatrixView View>
bool equals_its_transpose(const ExecSpace& exec, const View& d) {
  using Flag = Kokkos::View<int, typename ExecSpace::memory_space>;
  const Flag differs(Kokkos::view_alloc(exec, "blockfw::is_symmetric"));
  const std::int64_t tiles = mirror_tiles(extent_along(d, 0));
  const auto differ = [&](std::int64_t first, std::int64_t last) {
    for_each_transposed<true>(exec, d, first, last, Compare<View, Flag>{d, differs});
    int any = 0;
    Kokkos::deep_copy(exec, any, differs);
    exec.fence("blockfw::is_symmetric");
    return any != 0;
  };
  return !differ(0, tiles) && !differ(tiles, Kokkos::max(tiles, tiles * tiles));
}

}  // namespace blockfw::detail
