// SPDX-License-Identifier: MIT
/// \file
/// \brief The shape of the device kernel, known at compile time: the division of a tile among a team, and the contents
/// of scratch.
#pragma once

#include "blockfw/detail/backend/concepts.hpp"
#include "blockfw/detail/backend/instructions.hpp"
#include "blockfw/detail/backend/portable.hpp"
#include "blockfw/detail/base/arithmetic.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace blockfw::detail {

/// \brief The constants and types that follow from a tile shape, a semiring and a device.
///
/// A team of threads holds a tile of C. Each thread holds a register tile of it, in packed values V.
///
/// \tparam Numbers  the semiring
/// \tparam Device   the device whose `target` sets the shape
template <class TileShape, class Numbers, class Device>
struct DeviceShape {
  using Semiring = Numbers;
  using T = typename Semiring::value_type;
  static constexpr Target target = Device::target;
  static constexpr int block = TileShape::block;

  // The register tile.

  /// A thread has 64 entries of C on a large tile. It has 16 on a small tile, whose rounds must be short.
  static constexpr int usual = TileShape::block >= 64 && sizeof(T) <= 4 ? 8 : 4;
  static constexpr int rows = TileShape::register_rows > 0 ? TileShape::register_rows : usual;
  static constexpr int cols = TileShape::register_cols > 0 ? TileShape::register_cols : usual;
  static_assert((TileShape::register_rows == 0 || block % rows == 0) &&
                    (TileShape::register_cols == 0 || block % cols == 0),
                "blockfw: the register tile must divide the block");

  static constexpr int packed = sizeof(T) == 2 && cols % 2 == 0 && target.pairs ? 2 : 1;  // numbers in a V
  /// An entry of the left operand as the kernel reads it.
  using LeftEntry = PackedValue<T, packed>;
  using V = LeftEntry;
  static constexpr int vs = cols / packed;  // V's in a row of the register tile

  static constexpr int vector_bytes = 16;  // the longest access of one thread
  static constexpr int vector = vector_bytes / static_cast<int>(sizeof(T));

  // The grid of threads.

  /// The side of the tile with padding up to whole register tiles and whole vectors.
  static constexpr int multiple = std::lcm(std::lcm(rows, cols), vector);
  static constexpr int side = round_up(block, multiple);
  static constexpr int thread_rows = side / rows, thread_cols = side / cols;
  static constexpr int threads = thread_rows * thread_cols;
  static constexpr int team_size = threads;
  static_assert(team_size <= 1024, "blockfw: the tile needs more than 1024 threads; name a larger register tile");
  static constexpr int warps = div_up(threads, target.warp_size);

  /// The pivots of one step of close() if the tile shape names a number, else 0.
  static constexpr int named_step = [] {
    if constexpr (requires { TileShape::step; })
      return TileShape::step;
    else
      return 0;
  }();

  // A thread's rows (columns) form groups of neighbours that fill one vector. A tile consists of the first groups of
  // all threads, then their second groups, and so on. So neighbouring threads read neighbouring vectors.
  static constexpr int row_group =
      std::gcd(std::gcd(rows, named_step), std::min(4, vector_bytes / static_cast<int>(sizeof(V))));
  static constexpr int col_group = std::gcd(std::gcd(cols, named_step), vector);
  static constexpr int row_groups = rows / row_group, col_groups = cols / col_group;
  static constexpr int group_vs = col_group / packed;  // V's in a group of columns
  using RowGroup = Pack<V, row_group>;
  using ColGroup = Pack<V, group_vs>;
  using StoredGroup = Pack<T, col_group>;  // a ColGroup in memory

  // The slabs of pivots in scratch.

  /// Teams that a multiprocessor shall hold at once. If the target says how many warps hide latencies, these warps make
  /// the teams. Otherwise three quarters of the teams that fit with 128 registers a thread are wanted. (With all of
  /// these teams some kernels spill.)
  static constexpr int wanted = std::clamp(
      target.warps > 0 ? target.warps / warps : (target.registers / (128 * threads) * 3 + 3) / 4, 1, target.teams);
  /// Slabs in scratch: one in use, one being copied. (A team of one warp that copies through registers needs no second
  /// slab.)
  static constexpr int stages = target.async_copies || warps > 1 ? 2 : 1;
  /// Further bytes of scratch that each team takes: Kokkos's words for reductions and a reserve of the device's.
  static constexpr int not_ours = 8 * (threads + 2) + 1024;
  /// Pivots in a slab: as many as fit into the scratch of `wanted` teams a multiprocessor, and into the scratch that
  /// Kokkos allows a team.
  static constexpr int depth = [] {
    const int most = std::min(47 * 1024, target.scratch / wanted - not_ours - vector_bytes);
    int pivots = std::gcd(side, 16);
    while (pivots > 1 && stages * pivots * side * static_cast<int>(sizeof(V) + sizeof(T)) > most) pivots /= 2;
    return pivots;
  }();
  static constexpr int block_slabs = div_up(block, depth);
  static constexpr int unrolled = std::gcd(depth, 8);  // pivots of a slab that the compiler unrolls
  /// Whether teams pass on pivots slab by slab. (Where copies go through registers, none are left for that.)
  static constexpr bool by_slabs = target.async_copies;
  /// Whether the tile shape asks that slabs go through a relay.
  static constexpr bool relays = [] {
    if constexpr (requires { TileShape::relays; })
      return TileShape::relays;
    else
      return false;
  }();

  /// Whether pivots are taken two at a time if no operand has a negative entry, and whether they always are.
  static constexpr bool depends_on_negative = can_relax_two<Semiring>(target) && target.floats_as_ints;
  static constexpr bool always_two = can_relax_two<Semiring>(target) && !target.floats_as_ints;
  static_assert(!relays || (by_slabs && !depends_on_negative && sizeof(T) * std::gcd(row_group, col_group) % 4 == 0),
                "blockfw: a relay takes whole words, needs copies past the registers, and does not tell which entries "
                "are negative");

  // The steps of close().

  /// The pivots of one step. Registers also hold the square of these pivots.
  static constexpr int step = std::gcd(depth, named_step > 0 ? named_step : sizeof(T) == 8 ? target.long_step : 4);
  static_assert(step % row_group == 0, "blockfw: a block of this size needs a register tile of fewer rows");
  static constexpr int cols_together = std::gcd(col_group, step);  // columns that are in one step, or none of them
  /// Whether a step's pivots are one group of rows and one group of columns. The compiler then knows which registers
  /// hold them.
  static constexpr bool steps_are_groups = named_step > 0 && (row_group == step) &&
                                           (col_group == step) && thread_cols % thread_rows == 0;

  // Bytes.

  // Scratch holds the slabs of both operands in relax(), or the columns and rows of two steps in close().
  static constexpr std::size_t left_bytes = sizeof(V) * side * std::max(stages * depth, 2 * step);
  static constexpr std::size_t right_bytes = sizeof(T) * side * std::max(stages * depth, 2 * step);
  static constexpr std::size_t scratch_bytes = left_bytes + right_bytes + 2 * vector_bytes;
  // A tile of the panels. Entry k of row i of the left panel is V number k · side + i of its tile. Entry k of column j
  // of the right panel is T number k · side + j.
  static constexpr int left_tile = sizeof(V) * side * side, right_tile = sizeof(T) * side * side;

  /// The number of tiles that keep all multiprocessors busy to the end of a round. (The teams of a small tile have more
  /// threads.)
  static constexpr int enough = by_slabs && threads >= 128 && rows * cols <= 32 && sizeof(T) <= 4 ? 400 : 800;
};

}  // namespace blockfw::detail
