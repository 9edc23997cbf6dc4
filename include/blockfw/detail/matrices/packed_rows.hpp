// SPDX-License-Identifier: MIT
/// \file
/// \brief Numbers in another type. A part of a share, or a column, is copied to the host. A row of numbers is packed at
/// its own start in a narrower type, and put back.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/backend/vectors.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/base/lanes.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/detail/matrices/copies.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
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

/// \brief Copies distances back from a narrower type. Queued on exec.
template <class ExecSpace, class SmallView, class View>
void widen(const ExecSpace& exec, const SmallView& small, const View& d) {
  using T = typename View::non_const_value_type;
  using Rows = Kokkos::TeamPolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>;
  const auto n = extent_along(d, 1);
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
  const auto packed = without_values<Array<T, ExecSpace>>(exec, "blockfw::column", part.extent(0));
  for_range("blockfw::column", exec, 0, part.extent(0), KOKKOS_LAMBDA(std::int64_t i) { packed(i) = part(i, column); });
  exec.fence("blockfw::column");
  const auto on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, packed);
  std::transform(on_host.data(), on_host.data() + on_host.size(), to.data(),
                 [](T x) { return widened<typename To::value_type>(x); });
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
    using Buffer = Kokkos::View<Wide**, Kokkos::LayoutRight, typename ExecSpace::memory_space>;
    const auto buffer = without_values<Buffer>(exec, "blockfw::buffer", at_once, n);
    for (std::size_t first = 0; first < count; first += at_once) {
      const Kokkos::pair rows(first, std::min(count, first + at_once));
      const auto wide = Kokkos::subview(buffer, Kokkos::pair(std::size_t(0), rows.second - first), Kokkos::ALL);
      widen(exec, Kokkos::subview(from, rows, Kokkos::ALL), wide);
      copy_rows(exec, Kokkos::subview(to, rows, Kokkos::ALL), wide);
    }
    exec.fence("blockfw::buffer");  // before it is destroyed
  }
  exec.fence("blockfw::copy_to");
}

/// A vector in another type of integers, in steps that halve or double the bits. (GCC takes longer steps number by
/// number.)
template <class To, class Level, class T, int Width>
BLOCKFW_ALWAYS_INLINE Lanes<Level, To, Width> in_steps(const Lanes<Level, T, Width>& v) {
  if constexpr (sizeof(To) > 2 * sizeof(T))
    return in_steps<To>(v.template as<std::conditional_t<sizeof(T) == 1, std::int16_t, std::int32_t>>());
  else if constexpr (2 * sizeof(To) < sizeof(T))
    return in_steps<To>(v.template as<std::conditional_t<sizeof(T) == 4, std::int16_t, std::int32_t>>());
  else
    return v.template as<To>();
}

// (Objects in place of lambdas: see vectors.hpp.)
/// A number or vector in a narrower type. Numbers that are not less than infinity<Small> become infinity<Small>.
template <class Small>
struct InNarrower {
  template <class V>
  BLOCKFW_ALWAYS_INLINE auto operator()(const V& v) const {
    if constexpr (is_lanes<V>)
      return in_steps<Small>(V::smaller(v, V::broadcast(infinity<Small>)));
    else
      return static_cast<Small>(std::min<V>(v, infinity<Small>));
  }
};
/// The number or vector again.
template <class T, class Small>
struct InWider {
  template <class V>
  BLOCKFW_ALWAYS_INLINE auto operator()(const V& v) const {
    if constexpr (is_lanes<V>) {
      const auto wide = in_steps<T>(v);
      using Wide = std::remove_cvref_t<decltype(wide)>;
      return Wide::choose(wide < Wide::broadcast(infinity<Small>), wide, Wide::broadcast(infinity<T>));
    } else {
      return widened<T>(v);
    }
  }
};

/// Copies numbers to another type, whole vectors and the rest one by one.
template <class From, class To, class Change>
void convert_entries(const From* from, std::int64_t count, To* to, const Change& change) {
  const std::int64_t done = with_vectors([&](auto level) __attribute__((always_inline)) {
    constexpr int width = decltype(level)::bytes / static_cast<int>(std::max(sizeof(From), sizeof(To)));
    std::int64_t e = 0;
    for (; e + width <= count; e += width) change(Lanes<decltype(level), From, width>::load(from + e)).store(to + e);
    return e;
  });
  for (std::int64_t e = done; e < count; ++e) to[e] = change(from[e]);
}

/// Copies numbers to a narrower type. Numbers that are not less than infinity<Small> become infinity<Small>.
template <class T, class Small>
void narrow_entries(const T* from, std::int64_t count, Small* to) {
  convert_entries(from, count, to, InNarrower<Small>());
}
/// Copies numbers back.
template <class Small, class T>
void widen_entries(const Small* from, std::int64_t count, T* to) {
  convert_entries(from, count, to, InWider<T, Small>());
}

/// \brief Packs a row's entries at its start, or puts them back, from the last ones on.
///
/// The entries are converted through buffers, within the row's own memory. The compiler may assume that numbers of two
/// types do not overlap. So only whole buffers are copied from and to the row, as bytes.
/// \tparam pack  whether to pack; if not, the entries are put back
template <bool pack, class T, class Small>
void convert_row(T* row, std::int64_t count) {
  using From = std::conditional_t<pack, T, Small>;
  using To = std::conditional_t<pack, Small, T>;
  constexpr std::int64_t size = 1024;
  From from[size];
  To to[size];
  auto* const bytes = reinterpret_cast<std::byte*>(row);
  const std::int64_t parts = div_up(count, size);
  for (std::int64_t part = 0; part < parts; ++part) {
    const std::int64_t first = (pack ? part : parts - 1 - part) * size, some = std::min(size, count - first);
    std::memcpy(from, bytes + first * std::int64_t(sizeof(From)), at(some) * sizeof(From));
    if constexpr (pack)
      narrow_entries(from, some, to);
    else
      widen_entries(from, some, to);
    std::memcpy(bytes + first * std::int64_t(sizeof(To)), to, at(some) * sizeof(To));
  }
}

/// The same by a device's team: all threads read some entries before any thread writes them.
template <bool pack, class T, class Small, class Team>
KOKKOS_FORCEINLINE_FUNCTION void convert_row_by_team(const Team& team, T* row, int count) {
  using From = std::conditional_t<pack, T, Small>;
  using To = std::conditional_t<pack, Small, T>;
  constexpr int at_once = 4;  // entries a thread
  const auto* from = reinterpret_cast<const From*>(row);
  auto* to = reinterpret_cast<To*>(row);
  const int threads = team.team_size(), step = threads * at_once, steps = (count + step - 1) / step;
  for (int s = 0; s < steps; ++s) {
    const int first = (pack ? s : steps - 1 - s) * step + team.team_rank();
    From some[at_once];
    BLOCKFW_UNROLL
    for (int e = 0; e < at_once; ++e)
      if (first + e * threads < count) some[e] = from[first + e * threads];
    team.team_barrier();
    BLOCKFW_UNROLL
    for (int e = 0; e < at_once; ++e)
      if (first + e * threads < count) {
        if constexpr (pack)
          to[first + e * threads] = static_cast<To>(some[e] < From(infinity<To>) ? some[e] : From(infinity<To>));
        else
          to[first + e * threads] = widened<To>(some[e]);
      }
    team.team_barrier();
  }
}

/// Packs each row of a matrix whose rows are contiguous, or puts them back. Queued on exec.
template <bool pack, class Small, class ExecSpace, class T>
void convert_rows(const ExecSpace& exec, const MatrixRef<T, ExecSpace>& d) {
  const auto n = static_cast<int>(d.extent(1));
  const auto stride = static_cast<std::int64_t>(d.stride(0));
  T* const data = d.data();
  if constexpr (is_host_space<ExecSpace>) {
    require_vectors();
    for_range("blockfw::fewer_bits", exec, 0, d.extent(0),
              [=](std::int64_t i) { convert_row<pack, T, Small>(data + i * stride, n); });
  } else {
    using Rows = Kokkos::TeamPolicy<ExecSpace, Kokkos::IndexType<int>>;
    for_teams(
        "blockfw::fewer_bits", Rows(exec, static_cast<int>(d.extent(0)), 256),
        KOKKOS_LAMBDA(const typename Rows::member_type& team) {
          convert_row_by_team<pack, T, Small>(team, data + team.league_rank() * stride, n);
        });
  }
}

/// \brief A matrix, whose rows are contiguous, in a narrower type within its own memory: each row at its own start.
/// Entries that are not less than infinity<Small> become infinity<Small>. Queued on exec.
template <class Small, class ExecSpace, class T>
MatrixRef<Small, ExecSpace> pack_matrix(const ExecSpace& exec, const MatrixRef<T, ExecSpace>& d) {
  convert_rows<true, Small>(exec, d);
  return MatrixRef<Small, ExecSpace>(
      reinterpret_cast<Small*>(d.data()),
      Kokkos::LayoutStride(d.extent(0), d.stride(0) * (sizeof(T) / sizeof(Small)), d.extent(1), 1));
}

}  // namespace blockfw::detail
