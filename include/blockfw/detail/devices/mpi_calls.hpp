// SPDX-License-Identifier: MIT
/// \file
/// \brief MPI calls that throw on errors.
#pragma once

#include "blockfw/error.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace blockfw::detail {

/// \throws RankError unless status is MPI_SUCCESS
inline void require_mpi(int status, const char* what) {
  if (status == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(status, text, &length);
  throw RankError(std::string("MPI, ") + what + ": " + text);
}

/// The MPI datatype of T.
template <class T>
MPI_Datatype mpi_type() {
  if constexpr (std::is_same_v<T, std::int16_t>) return MPI_INT16_T;
  if constexpr (std::is_same_v<T, std::int32_t>) return MPI_INT32_T;
  if constexpr (std::is_same_v<T, std::int64_t>) return MPI_INT64_T;
  if constexpr (std::is_same_v<T, float>) return MPI_FLOAT;
  if constexpr (std::is_same_v<T, double>) return MPI_DOUBLE;
}

/// MPI counts are int: calls f(first, count) for consecutive ranges of at most `most` elements.
template <class F>
void in_mpi_ranges(std::size_t count, const F& f, std::size_t most = std::size_t(1) << 30) {
  for (std::size_t first = 0; first < count; first += most) f(first, static_cast<int>(std::min(most, count - first)));
}

}  // namespace blockfw::detail
