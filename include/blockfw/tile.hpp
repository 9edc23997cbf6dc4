/// \file
/// \brief Tile shapes, and the tuned default of each execution space and type.
#pragma once

#include "blockfw/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <type_traits>

namespace blockfw {

/// \brief The shape of the blocking, fixed at compile time.
///
/// \tparam Block         rows and columns of a tile, and how many pivots one round eliminates
/// \tparam RegisterRows  rows of the block of C kept in registers; 0: what suits the target
/// \tparam RegisterCols  its columns, in elements; 0: what suits the target
///
/// The register tile must divide the block.
template <int Block, int RegisterRows = 0, int RegisterCols = 0>
struct Tile {
  static_assert(Block > 0, "blockfw: a tile has at least one row");
  static_assert(RegisterRows >= 0 && RegisterCols >= 0, "blockfw: a register tile has no negative side");

  static constexpr int block = Block;
  static constexpr int register_rows = RegisterRows;
  static constexpr int register_cols = RegisterCols;
};

/// Whether the space runs on the host's cores (and so uses the vector kernel).
template <class ExecSpace>
inline constexpr bool is_host_space =
    Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename ExecSpace::memory_space>::accessible &&
    Kokkos::SpaceAccessibility<ExecSpace, Kokkos::HostSpace>::accessible;

/// \brief The tuned tiles of an execution space and element type: `type`, and for orders below `small_below`
/// `small_type`, which trades speed on many tiles for a shorter way from one pivot to the next.
///
/// On the host as many pivots a pass over C as leave the packed tiles room in a level-2 cache (docs/host-kernel.md;
/// benchmarks/sweep).
template <class ExecSpace, class T>
struct DefaultTile {
  using type = std::conditional_t<(sizeof(T) > 4), Tile<128>, Tile<256>>;
};

/// \brief The same for devices (docs/device-kernel.md; benchmarks/sweep). Measured on an H200; for older devices the
/// same shapes, which need no more than 128 registers a thread there either.
template <class ExecSpace, class T>
  requires(!is_host_space<ExecSpace>)
struct DefaultTile<ExecSpace, T> {
  using type = std::conditional_t<(sizeof(T) > 4), Tile<64, 4, 4>, Tile<64, 8, 8>>;
  using small_type = Tile<64, 4, 4>;
  static constexpr int small_below = 3000;
};

template <class ExecSpace, class T>
using default_tile = typename DefaultTile<ExecSpace, T>::type;

}  // namespace blockfw
