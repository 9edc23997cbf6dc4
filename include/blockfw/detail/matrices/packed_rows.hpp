// SPDX-License-Identifier: MIT
/// \file
/// \brief Packs each row of numbers at its own start in a narrower type, and puts the numbers back.
#pragma once

#include "blockfw/detail/backend/vectors.hpp"
#include "blockfw/detail/base/lanes.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/detail/matrices/to_host.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace blockfw::detail {

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

/// Copies numbers to another type, whole vectors by `change`, the rest by `change_one`.
template <class From, class To, class Change, class ChangeOne>
void convert_entries(const From* from, std::int64_t count, To* to, const Change& change, const ChangeOne& change_one) {
  const std::int64_t done = with_vectors([&](auto level) __attribute__((always_inline)) {
    constexpr int width = decltype(level)::bytes / static_cast<int>(std::max(sizeof(From), sizeof(To)));
    std::int64_t e = 0;
    for (; e + width <= count; e += width) change(Lanes<decltype(level), From, width>::load(from + e)).store(to + e);
    return e;
  });
  for (std::int64_t e = done; e < count; ++e) to[e] = change_one(from[e]);
}

/// Copies numbers to a narrower type. Numbers that are not less than infinity<Small> become infinity<Small>.
template <class T, class Small>
void narrow_entries(const T* from, std::int64_t count, Small* to) {
  convert_entries(
      from, count, to,
      [](const auto& v) __attribute__((always_inline)) {
        using V = std::remove_cvref_t<decltype(v)>;
        return in_steps<Small>(V::smaller(v, V::broadcast(infinity<Small>)));
      },
      [](T x) { return static_cast<Small>(std::min<T>(x, infinity<Small>)); });
}
/// Copies numbers back.
template <class Small, class T>
void widen_entries(const Small* from, std::int64_t count, T* to) {
  convert_entries(
      from, count, to,
      [](const auto& v) __attribute__((always_inline)) {
        const auto wide = in_steps<T>(v);
        using V = std::remove_cvref_t<decltype(wide)>;
        return V::choose(wide < V::broadcast(infinity<Small>), wide, V::broadcast(infinity<T>));
      },
      [](Small x) { return widened<T>(x); });
}

/// \brief A buffer for entries in both types. A row is converted through it, within the row's own memory. The compiler
/// may assume that numbers of two types do not overlap. So only whole buffers are copied from and to the row, as bytes.
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

/// \brief The same by a device's team: all threads read some entries before any thread writes them.
/// \tparam pack  whether to pack; else to put back
template <bool pack, class T, class Small>
struct RowByTeam {
  static constexpr int at_once = 4;  // entries a thread

  template <class Team>
  static KOKKOS_FORCEINLINE_FUNCTION void convert(const Team& team, T* row, int count) {
    using From = std::conditional_t<pack, T, Small>;
    using To = std::conditional_t<pack, Small, T>;
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
        if (first + e * threads < count) to[first + e * threads] = converted(some[e]);
      team.team_barrier();
    }
  }

 private:
  static KOKKOS_FORCEINLINE_FUNCTION auto converted(std::conditional_t<pack, T, Small> x) {
    if constexpr (pack)
      return static_cast<Small>(x < static_cast<T>(infinity<Small>) ? x : static_cast<T>(infinity<Small>));
    else
      return widened<T>(x);
  }
};

/// Packs each row of a matrix whose rows are contiguous, or puts them back. Queued on exec.
template <bool pack, class Small, class ExecSpace, class T>
void convert_rows(const ExecSpace& exec, const MatrixRef<T, ExecSpace>& d) {
  const auto n = static_cast<int>(d.extent(1));
  const auto stride = static_cast<std::int64_t>(d.stride(0));
  T* const data = d.data();
  if constexpr (is_host_space<ExecSpace>) {
    require_vectors();
    for_range("blockfw::fewer_bits", exec, 0, d.extent(0), [=](std::int64_t i) {
      BothTypes<T, Small> both;
      pack ? both.pack(data + i * stride, n) : both.unpack(data + i * stride, n);
    });
  } else {
    using Rows = Kokkos::TeamPolicy<ExecSpace, Kokkos::IndexType<int>>;
    for_teams(
        "blockfw::fewer_bits", Rows(exec, static_cast<int>(d.extent(0)), 256),
        KOKKOS_LAMBDA(const typename Rows::member_type& team) {
          RowByTeam<pack, T, Small>::convert(team, data + team.league_rank() * stride, n);
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
/// The reverse of pack_matrix<Small>().
template <class Small, class ExecSpace, class T>
void unpack_matrix(const ExecSpace& exec, const MatrixRef<T, ExecSpace>& d) {
  convert_rows<false, Small>(exec, d);
}

}  // namespace blockfw::detail
