// SPDX-License-Identifier: MIT
/// \file
/// \brief The contents of the library blockfw_compiled: the types and semirings, and the symbol that its users link.
///
/// A header ends with a macro for each of its templates that the library holds, and with their declarations if
/// BLOCKFW_COMPILED is defined. (CMake's target blockfw::compiled defines it.) A macro is for one semiring S. Its
/// LINKAGE is `extern` for the declaration and empty for the definition, which is in src. A call in other types is
/// compiled where it is made, as without the library.
#pragma once

#include "blockfw/detail/backend/backend.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/version.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

/// The semirings of one file of src. EACH(LINKAGE, S) is a macro.
#define BLOCKFW_COMPILED_INT16(EACH, LINKAGE) EACH(LINKAGE, blockfw::MinPlus<std::int16_t>)
#define BLOCKFW_COMPILED_INT32(EACH, LINKAGE) EACH(LINKAGE, blockfw::MinPlus<std::int32_t>)
#define BLOCKFW_COMPILED_INT64(EACH, LINKAGE) EACH(LINKAGE, blockfw::MinPlus<std::int64_t>)
#define BLOCKFW_COMPILED_FLOAT(EACH, LINKAGE) EACH(LINKAGE, blockfw::MinPlus<float>)
#define BLOCKFW_COMPILED_DOUBLE(EACH, LINKAGE) EACH(LINKAGE, blockfw::MinPlus<double>)
#if defined(BLOCKFW_COMPILED_SHORTEST_ONLY)  // (CMake's BLOCKFW_COMPILED_SEMIRINGS=OFF)
#define BLOCKFW_COMPILED_SEMIRINGS_INT32(EACH, LINKAGE)
#define BLOCKFW_COMPILED_SEMIRINGS_DOUBLE(EACH, LINKAGE)
#define BLOCKFW_COMPILED_LONGEST_DOUBLE(EACH, LINKAGE)
#else
#define BLOCKFW_COMPILED_SEMIRINGS_INT32(EACH, LINKAGE) \
  EACH(LINKAGE, blockfw::MaxPlus<std::int32_t>)         \
  EACH(LINKAGE, blockfw::MaxMin<std::int32_t>)          \
  EACH(LINKAGE, blockfw::MinMax<std::int32_t>)
#define BLOCKFW_COMPILED_SEMIRINGS_DOUBLE(EACH, LINKAGE) \
  EACH(LINKAGE, blockfw::MaxPlus<double>)                \
  EACH(LINKAGE, blockfw::MaxMin<double>)                 \
  EACH(LINKAGE, blockfw::MinMax<double>)                 \
  EACH(LINKAGE, blockfw::MaxTimes<double>)
#define BLOCKFW_COMPILED_LONGEST_DOUBLE(EACH, LINKAGE) EACH(LINKAGE, blockfw::MaxPlus<double>)
#endif

/// Shortest paths in all types.
#define BLOCKFW_COMPILED_SHORTEST(EACH, LINKAGE) \
  BLOCKFW_COMPILED_INT16(EACH, LINKAGE)          \
  BLOCKFW_COMPILED_INT32(EACH, LINKAGE)          \
  BLOCKFW_COMPILED_INT64(EACH, LINKAGE)          \
  BLOCKFW_COMPILED_FLOAT(EACH, LINKAGE)          \
  BLOCKFW_COMPILED_DOUBLE(EACH, LINKAGE)
/// All semirings.
#define BLOCKFW_COMPILED_SEMIRINGS(EACH, LINKAGE) \
  BLOCKFW_COMPILED_SHORTEST(EACH, LINKAGE)        \
  BLOCKFW_COMPILED_SEMIRINGS_INT32(EACH, LINKAGE) \
  BLOCKFW_COMPILED_SEMIRINGS_DOUBLE(EACH, LINKAGE)
/// The semirings whose sums may cancel.
#define BLOCKFW_COMPILED_CANCELLING(EACH, LINKAGE) \
  BLOCKFW_COMPILED_FLOAT(EACH, LINKAGE)            \
  BLOCKFW_COMPILED_DOUBLE(EACH, LINKAGE)           \
  BLOCKFW_COMPILED_LONGEST_DOUBLE(EACH, LINKAGE)
/// Shortest paths in 8 bits. Only hosts have them, as no device computes in 8 bits.
#if defined(BLOCKFW_BUILT_FOR_DEVICE)
#define BLOCKFW_COMPILED_INT8(EACH, LINKAGE)
#else
#define BLOCKFW_COMPILED_INT8(EACH, LINKAGE) EACH(LINKAGE, blockfw::MinPlus<std::int8_t>)
#endif

namespace blockfw::detail::compiled {

using Exec = Kokkos::DefaultExecutionSpace;
template <class S>
using Value = typename S::value_type;

/// \brief A symbol that only the library of these headers has: in its name are the versions of blockfw and Kokkos.
///
/// Views of another Kokkos may have the same names and other members. (Other execution spaces have other names.)
template <int Major, int Minor, int Patch, int Kokkos>
void linked();

#if defined(BLOCKFW_COMPILED)
/// Refers to the symbol in every file, so that a library of other headers does not link.
[[gnu::used]] static void (*const needed)() =
    &linked<BLOCKFW_VERSION_MAJOR, BLOCKFW_VERSION_MINOR, BLOCKFW_VERSION_PATCH, KOKKOS_VERSION>;
#endif

}  // namespace blockfw::detail::compiled
