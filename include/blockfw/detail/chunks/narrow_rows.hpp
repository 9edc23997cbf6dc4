// SPDX-License-Identifier: MIT
/// \file
/// \brief Copies of entries to a narrower type and back within their own memory, or their own file.
#pragma once

#include "blockfw/detail/backend/vectors.hpp"
#include "blockfw/detail/chunks/host_rows.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/detail/matrices/packed_rows.hpp"
#include "blockfw/detail/plan/ladder.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace blockfw::detail {

/// \brief The types in which distances are held out of core. (8 bits are left out: only hosts would gain from them.)
template <Semiring S>
using HeldLadder = Ladder<S, false>;

/// \brief Packs each row in memory into a narrower type, at the row's own start. Fences exec, an instance of a host
/// space.
/// \return the packed rows, in the same memory
template <class Small, class ExecSpace, class T>
HostRows<Small> pack_rows(const ExecSpace& exec, const HostRows<T>& rows) {
  require_vectors();
  T* const data = rows.row(0);
  const std::int64_t n = rows.order(), stride = rows.stride();
  for_range("blockfw::narrow", exec, 0, n, [=](std::int64_t i) { BothTypes<T, Small>().pack(data + i * stride, n); });
  exec.fence("blockfw::narrow");
  return {reinterpret_cast<Small*>(data), n, stride * std::int64_t(sizeof(T) / sizeof(Small))};
}

/// The reverse of pack_rows<Small>().
template <class Small, class ExecSpace, class T>
void unpack_rows(const ExecSpace& exec, const HostRows<T>& rows) {
  require_vectors();
  T* const data = rows.row(0);
  const std::int64_t n = rows.order(), stride = rows.stride();
  for_range("blockfw::widen", exec, 0, n, [=](std::int64_t i) { BothTypes<T, Small>().unpack(data + i * stride, n); });
  exec.fence("blockfw::widen");
}

}  // namespace blockfw::detail
