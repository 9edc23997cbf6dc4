// SPDX-License-Identifier: MIT
/// \file
/// \brief The tuned tiles of each execution space and type.
#pragma once

#include "blockfw/detail/backend/backend.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"

#include <Kokkos_Core.hpp>

#include <type_traits>

namespace blockfw {

/// \brief The tuned tiles of an execution space and element type: `type`, and two tiles for smaller orders.
///
/// `small_type` is for orders below `small_below`. It is slower on many tiles but takes less time from one pivot to the
/// next. `relay_type` is for orders below `relay_below`, where that time matters most.
///
/// On the host, the number of pivots of one pass over C is chosen so that the packed tiles fit a level-2 cache
/// (docs/authors/host-kernel.md; benchmarks/tiles.cpp).
template <class ExecSpace, class T>
struct DefaultTile {
  /// The tile for all orders.
  using type = std::conditional_t<(sizeof(T) > 4), Tile<128>, Tile<256>>;
};

/// \brief A row of the table of device tiles, for elements of `bytes` bytes.
struct DeviceTiles {
  /// The parameters of a Tile.
  struct Shape {
    int block,          ///< rows and columns of a tile
        register_rows,  ///< rows of the register tile
        register_cols;  ///< columns of the register tile
  };
  Vendor vendor;     ///< the vendor that the row is for
  int architecture;  ///< the first architecture (see Target) that the row is for
  int bytes;         ///< the bytes of an element
  Shape large,       ///< the tile for large matrices
      small;         ///< the tile for orders below `small_below`
  int small_below;   ///< the order from which on `large` is faster
  int relay_below;   ///< for integers: the order from which on `small` is as fast with flags as with a relay
};

/// The tuned tiles of devices; the first row that matches is used (docs/authors/device-kernel.md;
/// benchmarks/tiles.cpp). The shapes for NVIDIA are measured on architecture 90. They depend on the number of
/// registers, which is the same from Pascal on. The shapes for AMD are not measured; they are chosen by the code that
/// the compiler generates for gfx908, 90a and 942 (docs/authors/portability.md).
// clang-format off
inline constexpr DeviceTiles device_tiles[] = {
    {Vendor::nvidia, 90, 2, {64, 8, 8}, {64, 8, 4}, 3000, 3000},
    {Vendor::nvidia, 90, 4, {64, 8, 8}, {64, 8, 4}, 3000, 1200},
    {Vendor::nvidia, 0, 2, {64, 8, 8}, {64, 8, 4}, 3000, 0},
    {Vendor::nvidia, 0, 4, {64, 8, 8}, {64, 8, 4}, 3000, 0},
    {Vendor::nvidia, 90, 8, {64, 8, 4}, {64, 4, 4}, 2000, 0},
    {Vendor::nvidia, 0, 8, {64, 4, 4}, {64, 4, 4}, 0, 0},
    {Vendor::amd, 0x908, 2, {64, 8, 8}, {64, 8, 4}, 3000, 0},
    {Vendor::amd, 0x908, 4, {64, 8, 8}, {64, 8, 4}, 3000, 0},
    {Vendor::amd, 0x90a, 8, {64, 8, 4}, {64, 8, 4}, 0, 0},
    {Vendor::amd, 0, 2, {64, 4, 4}, {64, 4, 4}, 0, 0},
    {Vendor::amd, 0, 4, {64, 4, 4}, {64, 4, 4}, 0, 0},
    {Vendor::amd, 0, 8, {64, 4, 4}, {64, 4, 4}, 0, 0},
};
// clang-format on

/// \brief The tuned tiles of devices, from the table.
template <class ExecSpace, class T>
  requires(!is_host_space<ExecSpace>)
struct DefaultTile<ExecSpace, T> {
  static_assert(target.vendor != Vendor::none, "blockfw: Kokkos's device is of no vendor in detail/backend");
  /// The row of the table for the device and the type.
  static constexpr DeviceTiles tiles = [] {
    for (const DeviceTiles& row : device_tiles)
      if (row.vendor == target.vendor && row.bytes == int(sizeof(T)) && row.architecture <= target.architecture)
        return row;
    return DeviceTiles{};
  }();
  static_assert(tiles.large.block > 0,
                "blockfw: the table device_tiles has no row for this vendor and size of elements");
  /// The tile for large matrices.
  using type = Tile<tiles.large.block, tiles.large.register_rows, tiles.large.register_cols>;
  /// The tile for orders below small_below.
  using small_type = Tile<tiles.small.block, tiles.small.register_rows, tiles.small.register_cols>;
  /// The order from which on `type` is faster.
  static constexpr int small_below = tiles.small_below;
  /// The tile for orders below relay_below.
  using relay_type = RelayTile<tiles.small.block, tiles.small.register_rows, tiles.small.register_cols>;
  /// The order from which on `small_type` is as fast; 0 if it always is.
  static constexpr int relay_below = std::is_integral_v<T> ? tiles.relay_below : 0;
};

/// The tuned tile for large matrices of T in a space.
template <class ExecSpace, class T>
using default_tile = typename DefaultTile<ExecSpace, T>::type;

}  // namespace blockfw
