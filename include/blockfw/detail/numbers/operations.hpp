// SPDX-License-Identifier: MIT
/// \file
/// \brief The seam between numbers and places: the operations on the numbers of a matrix that a driver of shares or of
/// chunks calls.
///
/// A driver knows where blocks of the matrix lie, which share or chunk has each block, and how panels travel. It does
/// not know the numbers: OperationsOf (operations_of.hpp) has the semiring, type, tile and kernel. So a driver is
/// compiled once for an execution space and a link. A call takes nanoseconds and queues work of micro- to milliseconds.
#pragma once

#include "blockfw/detail/kernel/part.hpp"
#include "blockfw/ground/options.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace blockfw::detail {

/// Sizes of the numbers, for a layout.
struct TileBytes {
  int tile;                                                  ///< rows and columns of a tile
  std::size_t entry;                                         ///< bytes of an entry
  double (*round)(std::int64_t height, std::int64_t width);  ///< bytes of a round's panels
};

/// \brief A block of a matrix of any numbers, whose rows are contiguous.
struct Block {
  std::byte* data;      ///< its first entry
  int rows, columns;    ///< the numbers of rows and columns
  std::int64_t stride;  ///< the entries from a row to the next
};

/// A group of pivots, and the part of a matrix that the group is applied to.
struct GroupOfPart {
  Part<Block> part;
  Group group;
  int left = 0;  ///< the number of the group's left panels, if there are several
};

/// Tells which tiles of a part are updated, if half of a symmetric matrix is updated (HalfTiles).
struct HalfOfTiles {
  int tiles = 0;  ///< tiles a side of the whole matrix; 0 if all of it is updated
  int first = 0;  ///< the first tile row of the part
};

/// \brief The operations on blocks, and the panels of groups of rounds that they make and use.
///
/// Every operation is queued on the given instance. On a device the call returns at once; on a host the work is done
/// when the call returns. Each round has one left panel or more (GroupStorageOptions::left_panels); `left` chooses one
/// of them. A part is a block, with the numbers of the tiles where it starts. Pivots are named by their rows, or
/// columns, in the part.
template <class ExecSpace>
class Operations {
 public:
  Operations() = default;
  Operations(const Operations&) = delete;
  Operations& operator=(const Operations&) = delete;
  virtual ~Operations() = default;

  /// Bytes of an entry.
  virtual std::size_t entry_bytes() const = 0;

  /// \brief Allocates the memory that close_square() takes for squares of up to `pivots` pivots. Fences the keeper.
  virtual void reserve_square(const ExecSpace& keeper, int pivots) const = 0;
  /// \brief Closes the square of a group's pivots, and makes left panels of it.
  /// \param keeper    an instance on the same device; the square's memory is kept for it
  /// \param progress  on a host, called after each round of the square
  virtual void close_square(const ExecSpace& exec, const GroupOfPart& of, const IndexRange& rows,
                            const IndexRange& columns, const ExecSpace& keeper, const Progress& progress) const = 0;
  /// \brief Makes right panels out of the rows of a group's pivots. Updates these rows with the square's left panels.
  /// \param columns  the columns; the pivots' columns are the gap in this range
  virtual void make_right(const ExecSpace& exec, const GroupOfPart& of, const IndexRange& rows,
                          const Selection& columns) const = 0;
  /// \brief Makes left panels out of the columns of a group's pivots.
  virtual void make_left(const ExecSpace& exec, const GroupOfPart& of, const IndexRange& columns,
                         const Selection& rows) const = 0;
  /// \brief Updates the selected rows and columns with the panels of a group.
  /// \param half  if it has tiles: only the tiles in this half of a symmetric matrix are updated
  virtual void update(const ExecSpace& exec, const GroupOfPart& of, const Selection& rows, const Selection& columns,
                      const HalfOfTiles& half) const = 0;

  /// Copies a block.
  virtual void copy(const ExecSpace& exec, const Block& to, const Block& from) const = 0;
  /// Copies a block transposed.
  virtual void transpose(const ExecSpace& exec, const Block& from, const Block& to) const = 0;
  /// Combines each entry with the entry of another block at the same place: the better one stays.
  virtual void combine(const ExecSpace& exec, const Block& to, const Block& from) const = 0;

  /// The left and right panels of a round, as links send them.
  virtual Message left(int round) const = 0;
  virtual Message right(int round) const = 0;
  /// Tiles `tile` to `tile` + `count` - 1 of a round's left panel, and the pivots of that panel.
  virtual Message left(int round, int tile, int count) const = 0;
  virtual Message left_pivot(int round) const = 0;
};

/// Makes the operations of one kind of numbers, with the panels that the caller asks for.
template <class ExecSpace>
using NumbersMaker = std::unique_ptr<Operations<ExecSpace>> (*)(const ExecSpace&, const GroupStorageOptions&);

}  // namespace blockfw::detail
