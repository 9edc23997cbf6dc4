// SPDX-License-Identifier: MIT
/// \file
/// \brief Copies of entries to a narrower type and back within their own memory, or their own file.
#pragma once

#include "blockfw/detail/out_of_core/host_rows.hpp"
#include "blockfw/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

namespace blockfw::detail {

/// Whether distances over S may be held in fewer bits out of core.
template <Semiring S, class T = typename S::value_type>
inline constexpr bool is_narrowed = std::is_same_v<S, MinPlus<T>> && std::is_integral_v<T> && (sizeof(T) > 2);

/// The infinities of the types in which T is held out of core, the narrowest first. (8 bits, from which only hosts
/// would gain, are left out.)
template <class T>
std::vector<T> held_limits() {
  std::vector<T> limits = {infinity<std::int16_t>};
  if constexpr (sizeof(T) > 4) limits.push_back(infinity<std::int32_t>);
  return limits;
}

/// Copies numbers to a narrower type, and infinity<Small> for what is not less.
template <class T, class Small>
void narrow_entries(const T* from, std::int64_t count, Small* to) {
  for (std::int64_t e = 0; e < count; ++e) to[e] = static_cast<Small>(std::min<T>(from[e], infinity<Small>));
}
/// Copies numbers back.
template <class Small, class T>
void widen_entries(const Small* from, std::int64_t count, T* to) {
  for (std::int64_t e = 0; e < count; ++e) to[e] = from[e] < infinity<Small> ? static_cast<T>(from[e]) : infinity<T>;
}

/// \brief A buffer for entries in both types. A row is converted within its own memory through it: the compiler may
/// take numbers of two types for numbers that do not overlap, so only whole buffers are copied from and to the row, as
/// bytes.
template <class T, class Small>
struct BothTypes {
  static constexpr std::int64_t size = 1024;
  T wide[size];
  Small narrow[size];

  /// Packs a row's entries at its start.
  void pack(T* row, std::int64_t count) {
    auto* const bytes = reinterpret_cast<std::byte*>(row);
    for (std::int64_t first = 0; first < count; first += size) {
      const std::int64_t some = std::min(size, count - first);
      std::memcpy(wide, bytes + first * std::int64_t(sizeof(T)), bytes_of<T>(some));
      narrow_entries(wide, some, narrow);
      std::memcpy(bytes + first * std::int64_t(sizeof(Small)), narrow, bytes_of<Small>(some));
    }
  }
  /// Puts them back, from the last one on.
  void unpack(T* row, std::int64_t count) {
    auto* const bytes = reinterpret_cast<std::byte*>(row);
    for (std::int64_t last = count; last > 0; last -= std::min(size, last)) {
      const std::int64_t some = std::min(size, last), first = last - some;
      std::memcpy(narrow, bytes + first * std::int64_t(sizeof(Small)), bytes_of<Small>(some));
      widen_entries(narrow, some, wide);
      std::memcpy(bytes + first * std::int64_t(sizeof(T)), wide, bytes_of<T>(some));
    }
  }

 private:
  template <class Number>
  static std::size_t bytes_of(std::int64_t count) {
    return static_cast<std::size_t>(count) * sizeof(Number);
  }
};

/// \brief Packs each row in memory at its own start, in a narrower type. Fences exec, an instance of a host space.
/// \return the packed rows, in the same memory
template <class Small, class ExecSpace, class T>
HostRows<Small> pack_rows(const ExecSpace& exec, const HostRows<T>& rows) {
  T* const data = rows.row(0);
  const std::int64_t n = rows.order(), stride = rows.stride();
  Kokkos::parallel_for("blockfw::narrow", Kokkos::RangePolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>(exec, 0, n),
                       [=](std::int64_t i) { BothTypes<T, Small>().pack(data + i * stride, n); });
  exec.fence("blockfw::narrow");
  return {reinterpret_cast<Small*>(data), n, stride * std::int64_t(sizeof(T) / sizeof(Small))};
}

/// The reverse of pack_rows<Small>().
template <class Small, class ExecSpace, class T>
void unpack_rows(const ExecSpace& exec, const HostRows<T>& rows) {
  T* const data = rows.row(0);
  const std::int64_t n = rows.order(), stride = rows.stride();
  Kokkos::parallel_for("blockfw::widen", Kokkos::RangePolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>(exec, 0, n),
                       [=](std::int64_t i) { BothTypes<T, Small>().unpack(data + i * stride, n); });
  exec.fence("blockfw::widen");
}

}  // namespace blockfw::detail
