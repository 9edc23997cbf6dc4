// SPDX-License-Identifier: MIT
/// \file
/// \brief Copies a part of a share, or a column, to the host.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/detail/matrices/copies.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace blockfw::detail {

/// A distance in the same or, for shortest paths, in a wider type.
template <class Wide, class T>
KOKKOS_FORCEINLINE_FUNCTION Wide widened(T x) {
  if constexpr (std::is_same_v<Wide, T>)
    return x;
  else
    return x < infinity<T> ? static_cast<Wide>(x) : infinity<Wide>;
}

/// Copies distances on the host, to the same or a wider type.
template <class Wide, class T>
void copy_widened(const T* from, std::int64_t count, Wide* to) {
  std::transform(from, from + count, to, [](T x) { return widened<Wide>(x); });
}

/// \brief Copies distances back from a narrower type. Queued on exec.
template <class ExecSpace, class SmallView, class View>
void widen(const ExecSpace& exec, const SmallView& small, const View& d) {
  using T = typename View::non_const_value_type;
  using Rows = Kokkos::TeamPolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>;
  const auto n = static_cast<std::int64_t>(d.extent(1));
  for_teams(
      "blockfw::widen", Rows(exec, static_cast<int>(d.extent(0)), Kokkos::AUTO),
      KOKKOS_LAMBDA(const typename Rows::member_type& team) {
        const std::int64_t i = team.league_rank();
        Kokkos::parallel_for(Kokkos::TeamVectorRange(team, n),
                             [&](std::int64_t j) { d(i, j) = widened<T>(small(i, j)); });
      });
}

/// \brief Copies a column of a part of a matrix to the host, in the same or in a wider type. Fences exec.
/// \param to  rank-1 view on the host, an entry for each row of the part
template <class ExecSpace, MatrixView View, class To>
void column_to_host(const ExecSpace& exec, const View& part, std::int64_t column, const To& to) {
  using T = typename View::non_const_value_type;
  const Kokkos::View<T*, typename ExecSpace::memory_space> packed(
      Kokkos::view_alloc(exec, "blockfw::column", Kokkos::WithoutInitializing), part.extent(0));
  for_range("blockfw::column", exec, 0, part.extent(0), KOKKOS_LAMBDA(std::int64_t i) { packed(i) = part(i, column); });
  exec.fence("blockfw::column");
  const auto on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, packed);
  copy_widened(on_host.data(), static_cast<std::int64_t>(on_host.extent(0)), to.data());
}

/// \brief Copies numbers to the host, in the same type or, for shortest distances, in a wider type. Fences exec.
/// \param from  a part of a matrix, in memory of exec
/// \param to    of the same shape
/// \throws OutOfMemory on a device, for a buffer of rows in the wider type
template <class ExecSpace, MatrixView From, MatrixView To>
void copy_to_host(const ExecSpace& exec, const From& from, const To& to) {
  using Wide = typename To::value_type;
  static_assert(converts<typename From::value_type, Wide>,
                "blockfw: the distances must convert to the result's type without loss");
  if constexpr (std::is_same_v<Wide, typename From::value_type>) {
    copy_rows(exec, to, from);
  } else if constexpr (is_host_space<ExecSpace>) {
    widen(exec, from, to);
  } else if (to.size() > 0) {  // some rows at a time, widened on the device
    constexpr std::size_t buffer_entries = std::size_t(1) << 24;
    const std::size_t count = to.extent(0), n = to.extent(1),
                      at_once = std::clamp<std::size_t>(buffer_entries / n, 1, count);
    require_memory(exec, std::to_string(at_once) + " rows",
                   static_cast<double>(at_once) * static_cast<double>(n) * sizeof(Wide));
    const Kokkos::View<Wide**, Kokkos::LayoutRight, typename ExecSpace::memory_space> buffer(
        Kokkos::view_alloc(exec, "blockfw::buffer", Kokkos::WithoutInitializing), at_once, n);
    for (std::size_t first = 0; first < count; first += at_once) {
      const Kokkos::pair<std::size_t, std::size_t> rows(first, std::min(count, first + at_once));
      const auto wide =
          Kokkos::subview(buffer, Kokkos::pair<std::size_t, std::size_t>(0, rows.second - first), Kokkos::ALL);
      widen(exec, Kokkos::subview(from, rows, Kokkos::ALL), wide);
      copy_rows(exec, Kokkos::subview(to, rows, Kokkos::ALL), wide);
    }
    exec.fence("blockfw::buffer");  // before it is destroyed
  }
  exec.fence("blockfw::copy_to");
}

}  // namespace blockfw::detail
