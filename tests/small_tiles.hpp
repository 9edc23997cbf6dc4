// SPDX-License-Identifier: MIT
/// \file
/// \brief Small default tiles, of a different size for each type, so that small graphs take many rounds. Include this
/// before any call of a solver.
#pragma once

#include "blockfw/detail/kernel/tuned_tiles.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

template <>
struct blockfw::DefaultTile<Kokkos::DefaultExecutionSpace, std::int16_t> {
  using type = Tile<1>;
};
template <>
struct blockfw::DefaultTile<Kokkos::DefaultExecutionSpace, std::int32_t> {
  using type = Tile<4>;
};
template <>
struct blockfw::DefaultTile<Kokkos::DefaultExecutionSpace, std::int64_t> {
  using type = Tile<7>;
};
template <>
struct blockfw::DefaultTile<Kokkos::DefaultExecutionSpace, float> {
  using type = Tile<16>;
};
template <>
struct blockfw::DefaultTile<Kokkos::DefaultExecutionSpace, double> {
  using type = Tile<12, 3, 4>;
};

#include "instances.hpp"

/// The template instances that programs with these tiles share (instances_of_small_tiles.cpp).
#define SMALL_TILES_INSTANCES(LINKAGE)                   \
  TEST_INT8(LINKAGE)                                     \
  TEST_INSTANCE(LINKAGE, blockfw::MinPlus<std::int16_t>) \
  TEST_INSTANCE(LINKAGE, blockfw::MinPlus<std::int32_t>) \
  TEST_INSTANCE(LINKAGE, blockfw::MinPlus<std::int64_t>) \
  TEST_INSTANCE(LINKAGE, blockfw::MinPlus<float>)        \
  TEST_INSTANCE(LINKAGE, blockfw::MinPlus<double>)       \
  TEST_GUARD(LINKAGE, blockfw::MinPlus<float>)           \
  TEST_GUARD(LINKAGE, blockfw::MinPlus<double>)

SMALL_TILES_INSTANCES(extern)
