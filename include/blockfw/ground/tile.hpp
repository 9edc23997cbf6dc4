// SPDX-License-Identifier: MIT
/// \file
/// \brief Tile shapes.
#pragma once

#include <Kokkos_Core.hpp>

#include <type_traits>

namespace blockfw {

/// \brief The shape of the blocking, fixed at compile time.
///
/// \tparam Block         rows and columns of a tile, and the number of pivots that one round eliminates
/// \tparam RegisterRows  rows of the register tile, the block of C kept in registers; 0: chosen for the target
/// \tparam RegisterCols  columns of the register tile, in elements; 0: chosen for the target
///
/// The register tile must divide the block.
template <int Block, int RegisterRows = 0, int RegisterCols = 0>
struct Tile {
  static_assert(Block > 0, "blockfw: a tile has at least one row");
  static_assert(RegisterRows >= 0 && RegisterCols >= 0, "blockfw: a register tile has no negative side");

  static constexpr int block = Block;                 ///< rows and columns of a tile
  static constexpr int register_rows = RegisterRows;  ///< rows of the register tile, or 0
  static constexpr int register_cols = RegisterCols;  ///< columns of the register tile, or 0
};

/// \brief A tile for integers and small orders on devices that copy past their registers to scratch (NVIDIA's, from
/// compute capability 8.0 on).
///
/// Its teams pass on pivots through a relay (docs/authors/device-kernel.md). That takes less time from one pivot to the
/// next than flags do, but more registers and traffic.
template <int Block, int RegisterRows = 0, int RegisterCols = 0>
struct RelayTile : Tile<Block, RegisterRows, RegisterCols> {
  static constexpr bool relays = true;  ///< whether slabs of pivots go through a relay
};

/// Stands for "no tile was named": the tuned tile of the space, type and order.
struct TunedTile {};

/// The shape of a tile, or TunedTile.
template <class Shape>
concept AnyTile = std::is_same_v<Shape, TunedTile> || requires { Shape::block; };

}  // namespace blockfw
