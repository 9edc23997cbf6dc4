// SPDX-License-Identifier: MIT
/// \file
/// \brief Copies a column of a share to the host.
#pragma once

#include "blockfw/detail/launch.hpp"
#include "blockfw/detail/plan/narrow.hpp"
#include "blockfw/matrix.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace blockfw::detail {

/// \brief Copies a column of a part of a matrix to the host, of the same or of a wider type; fences exec.
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

}  // namespace blockfw::detail
