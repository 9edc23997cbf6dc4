// SPDX-License-Identifier: MIT
/// \file
/// \brief The closing of a tile: a team runs Floyd-Warshall inside it, a step of a few pivots at a time. Also the
/// packing of a tile: the team writes its rows and columns as operands to panels, a relay or scratch.
#pragma once

#include "blockfw/detail/backend/instructions.hpp"
#include "blockfw/detail/backend/portable.hpp"
#include "blockfw/detail/base/lanes.hpp"
#include "blockfw/detail/kernel/flagged_panels.hpp"
#include "blockfw/detail/kernel/group_panels.hpp"
#include "blockfw/detail/kernel/register_tile.hpp"
#include "blockfw/detail/kernel/task_order.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace blockfw::detail {

/// Packed rows or columns in memory, an Element for each entry.
template <class Element>
struct InMemory {
  Element* at;
  KOKKOS_FORCEINLINE_FUNCTION InMemory from(int index) const { return {at + index}; }
  template <int Count>
  KOKKOS_FORCEINLINE_FUNCTION void write(int index, const Pack<Element, Count>& group) const {
    *reinterpret_cast<Pack<Element, Count>*>(at + index) = group;
  }
};

/// The same in a relay, where a word has its tag beside it.
template <class Element>
struct InRelay {
  std::byte* at;
  std::uint32_t tag;
  KOKKOS_FORCEINLINE_FUNCTION InRelay from(int index) const { return {at + index * bytes, tag}; }
  template <int Count>
  KOKKOS_FORCEINLINE_FUNCTION void write(int index, const Pack<Element, Count>& group) const {
    static_assert(sizeof(group) % 4 == 0);
    post_words(reinterpret_cast<std::uint64_t*>(at + index * bytes),
               Kokkos::bit_cast<Pack<std::uint32_t, static_cast<int>(sizeof(group)) / 4>>(group), tag);
  }
  static constexpr int bytes = 2 * sizeof(Element);
};

/// Whether a place belongs to a left operand.
template <class To>
inline constexpr bool is_left = std::is_same_v<To, PackedLeft> || std::is_same_v<To, Relayed<PackedLeft>>;

/// \brief A register tile whose team can close the tile, and publish it as an operand.
///
/// close(): a step eliminates a few pivots. The threads write the pivots' rows and columns to scratch. Each thread then
/// closes the rows in its own columns and relaxes its entries with the pivots' columns and the closed rows. Old entries
/// of the columns suffice, since the closed rows hold all paths among the pivots.
///
/// publish() writes the tile, or a slab of its rows (of its columns), to the panels of a round or to a relay. It also
/// writes the padding beyond the edges of C, which stands for vertices without edges. Without `paths` it writes every
/// entry as zero() (no path).
///
/// \tparam Shape  a DeviceShape
template <class Shape>
class TeamTile : public RegisterTile<Shape> {
  using Base = RegisterTile<Shape>;

 protected:
  using typename Base::ThreadEntries, typename Shape::RowGroup, typename Shape::ColGroup;
  using typename Shape::Semiring, typename Shape::T, typename Shape::V;

  using Base::acc_, Base::rank_, Base::left, Base::right, Base::own_entries, Base::entry, Base::load, Base::store;
  using Base::stored, Shape::always_two, Shape::by_slabs, Shape::step, Shape::cols_together, Shape::steps_are_groups;
  using Shape::row_group, Shape::col_group, Shape::row_groups, Shape::col_groups, Shape::group_vs;
  using Shape::target, Shape::side, Shape::depth, Shape::rows, Shape::cols, Shape::vs;
  using Shape::thread_rows, Shape::thread_cols;

 public:
  KOKKOS_FORCEINLINE_FUNCTION TeamTile(std::byte* scratch, int rank) : Base(scratch, rank) {}

  /// Floyd-Warshall inside the tile, for its first `height` pivots. Stops at the first pivot that lies on a negative
  /// cycle. (A host also gets the next tile, to prefetch it.)
  /// \return whether it stopped
  template <class Team, class Next = int>
  KOKKOS_FORCEINLINE_FUNCTION bool close(const Team& team, int height, const Next& = {}) {
    return close(team, height, [](int, bool) {}, [](int) {});
  }

  /// The same for a tile that other teams wait for. Its rows and columns go out slab by slab, as soon as the pivots
  /// of a slab are eliminated. Readers use them as operands, like those of the closed tile. A path through the tile
  /// splits at a pivot of the last slab that it visits.
  /// \param publish  publish(slab, stopped) writes the slab's rows and columns. It is called for each slab before
  ///                 the tile stops, and for the last.
  /// \param post     post(n) tells that the first n slabs are written. It is called after a barrier and a step later,
  ///                 when the writes have had time to arrive. The caller posts the last slab.
  template <class Team, class Publish, class Post>
  KOKKOS_FORCEINLINE_FUNCTION bool close(const Team& team, int height, const Publish& publish, const Post& post) {
    const ThreadEntries own = own_entries();
    bool stopped = false;
    const auto take = [&](int k0, const auto& write) {
      const int buffer = k0 / step % 2;  // two, so that some threads may go on while others still read
      V* const columns = left() + buffer * (step * side);
      T* const open = right() + buffer * (step * side);
      // The number of slabs that are done, if the step before has completed a slab.
      const int done = by_slabs && k0 % depth == 0 ? k0 / depth : 0;
      if (done > 0) publish(done - 1, false);
      write(columns, open);
      team.member.team_barrier();
      if (done > 0) post(done);
      stopped = close_step(own, k0, columns, open);
    };
    if constexpr (steps_are_groups) {
      BLOCKFW_UNROLL
      for (int g = 0; g < row_groups; ++g) BLOCKFW_NO_UNROLL
      for (int t = 0; t < thread_rows && (g * thread_rows + t) * step < height && !stopped; ++t)
        take((g * thread_rows + t) * step, [&](V* columns, T* open) { write_group(own, g, t, columns, open); });
    } else {
      BLOCKFW_NO_UNROLL
      for (int k0 = 0; k0 < height && !stopped; k0 += step)
        take(k0, [&](V* columns, T* open) { write_step(own, k0, columns, open); });
    }
    team.member.team_barrier();
    publish(by_slabs ? (height - 1) / depth : whole_tile, stopped);
    return stopped;
  }

  /// Publishes the tile as an operand A to a left place, or as an operand B to a right place.
  template <class AnyPanels, class To>
  KOKKOS_FORCEINLINE_FUNCTION void publish(const AnyPanels& panels, int round, To to, bool paths,
                                           int slab = whole_tile) {
    if constexpr (is_left<To>)
      write_columns(place_of<V>(panels, round, to, paths, slab), first_of(slab), count_of(slab), paths);
    else
      write_rows(place_of<T>(panels, round, to, paths, slab), first_of(slab), count_of(slab), paths);
  }

  /// Marks a pivot that is published with paths; see GroupPanels::wait_for_pivot(). (The thread of rank 0 has published
  /// these entries.)
  template <class AnyPanels>
  KOKKOS_FORCEINLINE_FUNCTION void mark_paths(const AnyPanels& panels, int round) const {
    if (rank_ != 0) return;
    std::byte* const at = panels.at(panels.slot(round));
    V& in_left = *reinterpret_cast<V*>(at + panels.left_pivot().at);
    T first = get_value<T>(in_left, 0);
    AnyPanels::mark_paths(first);
    in_left = spread<V>(first);
    AnyPanels::mark_paths(*reinterpret_cast<T*>(at + panels.right_pivot().at));
  }

  /// The same as publish() for the transposed tile. (It takes registers, which large tiles do not leave on all
  /// devices.)
  template <class AnyPanels, class To>
    requires(target.mirrors_large || rows * cols < 64)
  KOKKOS_FORCEINLINE_FUNCTION void publish_mirrored(const AnyPanels& panels, int round, To to, bool paths,
                                                    int slab = whole_tile) {
    if constexpr (is_left<To>)
      write_rows(place_of<V>(panels, round, to, paths, slab), first_of(slab), count_of(slab), paths);
    else
      write_columns(place_of<T>(panels, round, to, paths, slab), first_of(slab), count_of(slab), paths);
  }

 protected:
  /// Writes `count` rows of the tile, from `first` on, to an InMemory or InRelay. (Both numbers are multiples of
  /// row_group and col_group.)
  template <template <class> class To, class Element>
  KOKKOS_FORCEINLINE_FUNCTION void write_rows(const To<Element>& to, int first, int count, bool paths) const {
    const ThreadEntries own = own_entries();
    const To<Element> own_to = to.from((own.row(0) - first) * side + own.col(0));
    BLOCKFW_UNROLL
    for (int h = 0; h < row_groups; ++h) {
      const int i = own.row(h * row_group);
      if (i < first || i >= first + count) continue;
      BLOCKFW_UNROLL
      for (int e = 0; e < row_group; ++e) BLOCKFW_UNROLL
      for (int g = 0; g < col_groups; ++g) {
        const int r = h * row_group + e;
        const int at = (h * (thread_rows * row_group) + e) * side + g * (thread_cols * col_group);
        if constexpr (std::is_same_v<Element, T>) {
          ColGroup group;
          BLOCKFW_UNROLL
          for (int v = 0; v < group_vs; ++v)
            group.at[v] = paths ? acc_[r][g * group_vs + v] : spread<V>(Semiring::zero());
          own_to.write(at, stored(group));
        } else {
          BLOCKFW_UNROLL
          for (int c = 0; c < col_group; ++c)
            own_to.write(at + c, Pack<Element, 1>{spread<V>(paths ? entry(r, g * col_group + c) : Semiring::zero())});
        }
      }
    }
  }

  /// The same for columns. Each becomes a row.
  template <template <class> class To, class Element>
  KOKKOS_FORCEINLINE_FUNCTION void write_columns(const To<Element>& to, int first, int count, bool paths) const {
    const ThreadEntries own = own_entries();
    const To<Element> own_to = to.from((own.col(0) - first) * side + own.row(0));
    BLOCKFW_UNROLL
    for (int h = 0; h < col_groups; ++h) {
      const int j = own.col(h * col_group);
      if (j < first || j >= first + count) continue;
      BLOCKFW_UNROLL
      for (int e = 0; e < col_group; ++e) BLOCKFW_UNROLL
      for (int g = 0; g < row_groups; ++g) {
        Pack<Element, row_group> group;
        BLOCKFW_UNROLL
        for (int r = 0; r < row_group; ++r)
          group.at[r] = spread<Element>(paths ? entry(g * row_group + r, h * col_group + e) : Semiring::zero());
        own_to.write((h * (thread_cols * col_group) + e) * side + g * (thread_rows * row_group), group);
      }
    }
  }

 private:
  /// The first row (column) of a slab, and the number of its rows (columns).
  static KOKKOS_FORCEINLINE_FUNCTION int first_of(int slab) { return slab == whole_tile ? 0 : slab * depth; }
  static KOKKOS_FORCEINLINE_FUNCTION int count_of(int slab) { return slab == whole_tile ? +side : +depth; }

  /// The memory of a slab of an operand.
  template <class Element, class AnyPanels, class To>
  static KOKKOS_FORCEINLINE_FUNCTION auto place_of(const AnyPanels& panels, int round, To to,
                                                   [[maybe_unused]] bool paths, int slab) {
    const int first = first_of(slab) * (side * static_cast<int>(sizeof(Element)));
    if constexpr (requires { to.at; })
      return InMemory<Element>{reinterpret_cast<Element*>(panels.at(panels.slot(round)) + to.at + first)};
    else
      return InRelay<Element>{panels.relayed(round, to.place.at + first),
                              panels.tag(round) | (paths ? 0 : +tag_no_paths)};
  }

  /// Writes the columns and the rows of a step's pivots to scratch. In the columns a pivot's entry for itself is always
  /// written as one() (the empty path). So relaxing the pivot's row gives exactly the closed row.
  KOKKOS_FORCEINLINE_FUNCTION void write_step(const ThreadEntries& own, int k0, V* columns, T* open) const {
    BLOCKFW_UNROLL
    for (int g = 0; g < row_groups; ++g) {
      const int k = own.row(g * row_group) - k0;
      if (k < 0 || k >= step) continue;
      BLOCKFW_UNROLL
      for (int e = 0; e < row_group; ++e) BLOCKFW_UNROLL
      for (int c = 0; c < col_groups; ++c) {
        ColGroup group;
        BLOCKFW_UNROLL
        for (int v = 0; v < group_vs; ++v) group.at[v] = acc_[g * row_group + e][c * group_vs + v];
        store(open + (k + e) * side + own.col(c * col_group), group);
      }
    }
    BLOCKFW_UNROLL
    for (int h = 0; h < cols; h += cols_together) {
      const int k = own.col(h) - k0;
      if (k < 0 || k >= step) continue;
      BLOCKFW_UNROLL
      for (int c = 0; c < cols_together; ++c) BLOCKFW_UNROLL
      for (int g = 0; g < row_groups; ++g) {
        RowGroup group;
        BLOCKFW_UNROLL
        for (int e = 0; e < row_group; ++e)
          group.at[e] = spread<V>(own.row(g * row_group) - own.col(h) == c - e ? Semiring::one()
                                                                               : entry(g * row_group + e, h + c));
        *reinterpret_cast<RowGroup*>(columns + (k + c) * side + own.row(g * row_group)) = group;
      }
    }
  }

  /// The same for a step whose rows are group g of the threads in row t. The compiler then knows the registers, and no
  /// thread has to search for the rows.
  KOKKOS_FORCEINLINE_FUNCTION void write_group(const ThreadEntries& own, int g, int t, V* columns, T* open) const {
    const bool in_rows = own.thread_row == t;
    if (in_rows) {
      BLOCKFW_UNROLL
      for (int e = 0; e < step; ++e) BLOCKFW_UNROLL
      for (int c = 0; c < col_groups; ++c) {
        ColGroup group;
        BLOCKFW_UNROLL
        for (int v = 0; v < group_vs; ++v) group.at[v] = acc_[g * step + e][c * group_vs + v];
        store(open + e * side + own.col(c * step), group);
      }
    }
    const int col = g * thread_rows / thread_cols;  // the group of columns of the same pivots
    if (own.thread_col == g * thread_rows % thread_cols + t) {
      BLOCKFW_UNROLL
      for (int k = 0; k < step; ++k) BLOCKFW_UNROLL
      for (int r = 0; r < row_groups; ++r) {
        RowGroup group;
        BLOCKFW_UNROLL
        for (int e = 0; e < step; ++e) {
          const T old = entry(r * step + e, col * step + k);
          group.at[e] = spread<V>(r == g && e == k && in_rows ? Semiring::one() : old);
        }
        *reinterpret_cast<RowGroup*>(columns + k * side + own.row(r * step)) = group;
      }
    }
  }

  /// Relaxes the tile with a step's pivots.
  /// \return whether one of them lies on a negative cycle. If so, rows are not closed through it and the later pivots,
  /// so that no entry falls below a sum of two entries.
  KOKKOS_FORCEINLINE_FUNCTION bool close_step(const ThreadEntries& own, int k0, const V* columns, const T* open) {
    // The pivots' rows in the pivots' own columns (the square, which every thread closes for itself) and in this
    // thread's columns.
    Pack<T, step> square[step];
    V row[step][vs];
    BLOCKFW_UNROLL
    for (int i = 0; i < step; ++i) {
      square[i] = *reinterpret_cast<const Pack<T, step>*>(open + i * side + k0);
      BLOCKFW_UNROLL
      for (int g = 0; g < col_groups; ++g) {
        const ColGroup group = load(open + i * side + own.col(g * col_group));
        BLOCKFW_UNROLL
        for (int v = 0; v < group_vs; ++v) row[i][g * group_vs + v] = group.at[v];
      }
    }
    bool stopped = false;
    BLOCKFW_UNROLL
    for (int k = 0; k < step; ++k) {
      stopped = stopped || Semiring::diverges(square[k].at[k]);
      BLOCKFW_UNROLL
      for (int i = 0; i < step; ++i) {
        if (i == k) continue;
        const T to_pivot = stopped ? Semiring::zero() : square[i].at[k];
        BLOCKFW_UNROLL
        for (int l = k + 1; l < step; ++l)
          square[i].at[l] = Semiring::relax(square[i].at[l], to_pivot, square[k].at[l]);
        BLOCKFW_UNROLL
        for (int v = 0; v < vs; ++v)
          row[i][v] = Instructions::relax<Semiring>(row[i][v], spread<V>(to_pivot), row[k][v]);
      }
    }
    constexpr int at_a_time = always_two ? 2 : 1;
    BLOCKFW_UNROLL
    for (int k = 0; k < step; k += at_a_time) {
      BLOCKFW_UNROLL
      for (int g = 0; g < row_groups; ++g) {
        RowGroup a[at_a_time];
        BLOCKFW_UNROLL
        for (int p = 0; p < at_a_time; ++p)
          a[p] = *reinterpret_cast<const RowGroup*>(columns + (k + p) * side + own.row(g * row_group));
        this->template relax_rows<at_a_time>(
            g, [&](int p, int e) { return a[p].at[e]; }, [&](int p, int v) { return row[k + p][v]; });
      }
    }
    return stopped;
  }
};

}  // namespace blockfw::detail
