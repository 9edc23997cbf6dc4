// SPDX-License-Identifier: MIT
/// \file
/// \brief Splits a row of a matrix into segments of entries whose loads overlap.
#pragma once

#include "blockfw/detail/base/lanes.hpp"
#include "blockfw/detail/base/rounding.hpp"
#include "blockfw/ground/matrix.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace blockfw::detail {

/// \brief Calls f(j) for the columns of a segment of a row. One thread takes a segment, and its loads overlap.
///
/// On a host the columns are neighbours, so that vectors hold them. On a device they lie apart, since other threads
/// take the columns between them.
template <class ExecSpace>
class RowSegments {
 public:
  explicit RowSegments(std::int64_t n) : n_(n), segments_(div_up(n, length)) {}

  KOKKOS_FUNCTION std::int64_t count() const { return segments_; }

  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void for_each(std::int64_t segment, const F& f) const {
    if constexpr (is_host_space<ExecSpace>) {
      const int first = static_cast<int>(length * segment),
                end = static_cast<int>(Kokkos::min<std::int64_t>(n_, first + length));
      for (int j = first; j < end; ++j) f(j);
    } else {
      BLOCKFW_UNROLL
      for (int c = 0; c < length; ++c)
        if (const std::int64_t j = segment + c * segments_; j < n_) f(static_cast<int>(j));
    }
  }

 private:
  static constexpr int length = is_host_space<ExecSpace> ? 64 : 8;
  std::int64_t n_, segments_;
};

}  // namespace blockfw::detail
