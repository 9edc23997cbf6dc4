// SPDX-License-Identifier: MIT
/// \file
/// \brief Half the work for an undirected graph on several shares: the pivots' rows and columns are made whole.
///
/// Of a tile and its mirror image only one is updated in each round (see HalfTiles), so most rows and columns are up to
/// date in parts. Those of a group's pivots are needed whole. All shares send their entries of the columns to the owner
/// of the pivots, which combines them with its rows. Once these rows have been through the group's rounds, the owner
/// sends them back, as columns. The same for all pivots, after the last round, makes the whole matrix.
#pragma once

#include "blockfw/detail/backend/streams.hpp"
#include "blockfw/detail/devices/block_cyclic_map.hpp"
#include "blockfw/detail/kernel/mirror.hpp"
#include "blockfw/detail/launch.hpp"
#include "blockfw/matrix.hpp"
#include "blockfw/part.hpp"
#include "blockfw/tile.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace blockfw::detail {

/// Combines the entries of a matrix with those of another one. Queued on exec.
template <class S, class ExecSpace, class To, class From>
void combine(const ExecSpace& exec, const To& to, const From& from) {
  const auto width = static_cast<std::int64_t>(from.extent(1)), entries = static_cast<std::int64_t>(from.size());
  for_range(
      "blockfw::combine", exec, 0, entries, KOKKOS_LAMBDA(std::int64_t e) {
        const std::int64_t i = e / width, j = e % width;
        to(i, j) = S::relax(to(i, j), from(i, j), S::one());
      });
}

/// \brief The entries of one share that travel between the columns and the rows of a group's pivots. Shares hold
/// neighbouring rows, and all columns.
///
/// A piece is what one share's vertices and the pivots have in common: a row for each pivot.
template <class S, class ExecSpace>
class PivotMirror {
  using T = typename S::value_type;
  using Memory = Kokkos::View<T*, typename ExecSpace::memory_space>;
  using Piece =
      Kokkos::View<T**, Kokkos::LayoutRight, typename ExecSpace::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  using Ref = MatrixRef<T, ExecSpace>;

 public:
  /// \param d     the share's entries
  /// \param map   the rows of all shares; each has one block
  /// \param most  pivots of the largest group
  PivotMirror(const ExecSpace& exec, const Ref& d, const BlockCyclicMap& map, int share, int most)
      : d_(d),
        map_(map),
        share_(share),
        sent_(allocated(exec, d.extent(1), most)),
        gathered_(allocated(exec, d.extent(1), most)),
        scattered_(allocated(exec, d.extent(0), most)) {}

  /// Bytes of a share's memory.
  static double bytes(std::int64_t rows, std::int64_t n, int most) {
    return double(sizeof(T)) * most * (2 * double(n) + double(rows));
  }

  /// The pieces that this share sends: its own to the pivots' owner, or, as the owner, each share its piece.
  Message sent(int share, int pivots) const { return message(piece(sent_, share, pivots)); }
  /// The pieces that the owner of the pivots receives, and the one that another share receives.
  Message gathered(int share, int pivots) const { return message(piece(gathered_, share, pivots)); }
  Message scattered(int pivots) const { return message(Piece(scattered_.data(), index(pivots), d_.extent(0))); }

  /// Queues a copy of the pivots' columns, transposed, to what this share sends.
  void pack_columns(const ExecSpace& exec, const IndexRange& columns) const {
    transpose(exec, submatrix(d_, 0, d_.extent_int(0), columns.first, columns.count), own(columns.count));
  }
  /// Combines what the shares have sent with the pivots' rows, on their owner.
  void combine_rows(const ExecSpace& exec, const IndexRange& rows) const {
    for (int s = 0; s < map_.parts(); ++s)
      combine<S>(exec, part_of(rows, s), s == share_ ? own(rows.count) : piece(gathered_, s, rows.count));
  }
  /// Copies the pivots' rows to what their owner sends.
  void pack_rows(const ExecSpace& exec, const IndexRange& rows) const {
    for (int s = 0; s < map_.parts(); ++s) {
      copy_rows(exec, piece(sent_, s, rows.count), part_of(rows, s));
    }
  }
  /// Copies the pivots' rows, as this share has received (or, on the owner, packed) them, to their columns.
  void unpack_columns(const ExecSpace& exec, const IndexRange& columns, bool owner) const {
    const Piece from = owner ? own(columns.count) : Piece(scattered_.data(), index(columns.count), d_.extent(0));
    transpose(exec, from, submatrix(d_, 0, d_.extent_int(0), columns.first, columns.count));
  }

 private:
  static std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }
  static Memory allocated(const ExecSpace& exec, std::size_t entries, int most) {
    return Memory(Kokkos::view_alloc(exec, "blockfw::pivot_mirror", Kokkos::WithoutInitializing),
                  entries * index(most));
  }

  std::int64_t first(int share) const {
    std::int64_t first_row = 0;
    map_.for_each_block(share, [&](std::int64_t first, std::int64_t, std::int64_t) { first_row = first; });
    return first_row;
  }
  Piece piece(const Memory& memory, int share, int pivots) const {
    return Piece(memory.data() + first(share) * pivots, index(pivots), index(map_.rows(share)));
  }
  Piece own(int pivots) const { return piece(sent_, share_, pivots); }
  static Message message(const Piece& piece) {
    return {reinterpret_cast<std::byte*>(piece.data()), piece.size() * sizeof(T)};
  }
  /// The columns of a share's vertices in the pivots' rows.
  Ref part_of(const IndexRange& rows, int share) const {
    return submatrix(d_, rows.first, rows.count, static_cast<int>(first(share)), static_cast<int>(map_.rows(share)));
  }

  Ref d_;
  const BlockCyclicMap& map_;
  int share_;
  Memory sent_, gathered_, scattered_;
};

}  // namespace blockfw::detail
