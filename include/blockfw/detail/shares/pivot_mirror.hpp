// SPDX-License-Identifier: MIT
/// \file
/// \brief Half the work for an undirected graph on several shares: the pivots' rows and columns are made whole.
///
/// In each round only one of a tile and its mirror image is updated (see HalfTiles). So most rows and columns are up to
/// date only in parts. A group's pivots need whole rows and columns. All shares send their entries of the columns to
/// the owner of the pivots. The owner combines them with its rows. Once these rows have been through the group's
/// rounds, the owner sends them back, as columns. After the last round, the same for all pivots makes the whole matrix.
#pragma once

#include "blockfw/detail/matrices/part.hpp"
#include "blockfw/detail/numbers/operations.hpp"
#include "blockfw/detail/shares/share_layout.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace blockfw::detail {

/// \brief The entries of one share that travel between the columns and the rows of a group's pivots. Shares hold
/// neighbouring rows, and all columns.
///
/// A piece is the set of entries between one share's vertices and the pivots: a row for each pivot.
template <class ExecSpace>
class PivotMirror {
  using Memory = Kokkos::View<std::byte*, typename ExecSpace::memory_space>;

 public:
  /// \param numbers  the share's operations
  /// \param d        the share's entries
  /// \param map      the rows of all shares; each has one block
  /// \param most     pivots of the largest group
  PivotMirror(const ExecSpace& exec, const Operations<ExecSpace>& numbers, const Block& d, const BlockCyclicMap& map,
              int share, int most)
      : numbers_(numbers),
        d_(d),
        map_(map),
        share_(share),
        sent_(allocated(exec, d.columns, most)),
        gathered_(allocated(exec, d.columns, most)),
        scattered_(allocated(exec, d.rows, most)) {}

  /// Bytes of a share's memory, for entries of `entry_bytes` each.
  static double bytes(std::int64_t rows, std::int64_t n, int most, std::size_t entry_bytes) {
    return double(entry_bytes) * most * (2 * double(n) + double(rows));
  }

  /// The pieces that this share sends: its own piece to the pivots' owner; or, if it is the owner, to each share its
  /// piece.
  Message sent(int share, int pivots) const { return message(piece(sent_, share, pivots)); }
  /// The pieces that the owner of the pivots receives, and the piece that another share receives.
  Message gathered(int share, int pivots) const { return message(piece(gathered_, share, pivots)); }
  Message scattered(int pivots) const { return message(received(pivots)); }

  /// Queues a copy of the pivots' columns, transposed, to this share's buffer of sent pieces.
  void pack_columns(const ExecSpace& exec, const IndexRange& columns) const {
    numbers_.transpose(exec, columns_of(columns), own(columns.count));
  }
  /// Combines the pieces that the shares have sent with the pivots' rows, on their owner.
  void combine_rows(const ExecSpace& exec, const IndexRange& rows) const {
    for (int s = 0; s < map_.parts(); ++s)
      numbers_.combine(exec, part_of(rows, s), s == share_ ? own(rows.count) : piece(gathered_, s, rows.count));
  }
  /// Copies the pivots' rows to their owner's buffer of sent pieces.
  void pack_rows(const ExecSpace& exec, const IndexRange& rows) const {
    for (int s = 0; s < map_.parts(); ++s) numbers_.copy(exec, piece(sent_, s, rows.count), part_of(rows, s));
  }
  /// Copies the pivots' rows to their columns. This share has received these rows, or, as their owner, has packed them.
  void unpack_columns(const ExecSpace& exec, const IndexRange& columns, bool owner) const {
    numbers_.transpose(exec, owner ? own(columns.count) : received(columns.count), columns_of(columns));
  }

 private:
  Memory allocated(const ExecSpace& exec, int entries, int most) const {
    const std::size_t bytes =
        numbers_.entry_bytes() * static_cast<std::size_t>(entries) * static_cast<std::size_t>(most);
    return Memory(Kokkos::view_alloc(exec, "blockfw::pivot_mirror", Kokkos::WithoutInitializing), bytes);
  }

  int first(int share) const { return static_cast<int>(std::min<std::int64_t>(map_.block_rows() * share, d_.columns)); }
  std::byte* entry(std::byte* data, std::int64_t number) const {
    return data + number * static_cast<std::int64_t>(numbers_.entry_bytes());
  }
  /// Rows without gaps.
  static Block rows_at(std::byte* data, int rows, int columns) { return {data, rows, columns, columns}; }
  Block piece(const Memory& memory, int share, int pivots) const {
    return rows_at(entry(memory.data(), std::int64_t(first(share)) * pivots), pivots,
                   static_cast<int>(map_.rows(share)));
  }
  Block own(int pivots) const { return piece(sent_, share_, pivots); }
  Block received(int pivots) const { return rows_at(scattered_.data(), pivots, d_.rows); }
  Message message(const Block& piece) const {
    return {piece.data,
            static_cast<std::size_t>(piece.rows) * static_cast<std::size_t>(piece.columns) * numbers_.entry_bytes()};
  }
  /// The columns of a share's vertices in the pivots' rows.
  Block part_of(const IndexRange& rows, int share) const {
    return {entry(d_.data, rows.first * d_.stride + first(share)), rows.count, static_cast<int>(map_.rows(share)),
            d_.stride};
  }
  /// The pivots' columns in this share.
  Block columns_of(const IndexRange& columns) const {
    return {entry(d_.data, columns.first), d_.rows, columns.count, d_.stride};
  }

  const Operations<ExecSpace>& numbers_;
  Block d_;
  const BlockCyclicMap& map_;
  int share_;
  Memory sent_, gathered_, scattered_;
};

}  // namespace blockfw::detail
