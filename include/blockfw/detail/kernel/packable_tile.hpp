// SPDX-License-Identifier: MIT
/// \file
/// \brief The packing of a tile: a team writes its rows and columns as operands, to panels, a relay or scratch.
#pragma once

#include "blockfw/detail/backend/instructions.hpp"
#include "blockfw/detail/backend/packed.hpp"
#include "blockfw/detail/base/lanes.hpp"
#include "blockfw/detail/kernel/closable_tile.hpp"
#include "blockfw/detail/kernel/group_panels.hpp"
#include "blockfw/detail/kernel/relay.hpp"
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

/// Whether a place is that of a left operand.
template <class To>
inline constexpr bool is_left = std::is_same_v<To, PackedLeft> || std::is_same_v<To, Relayed<PackedLeft>>;

/// \brief A register tile whose team can publish the tile as an operand.
///
/// publish() writes the tile, or a slab of its rows (of its columns), to the panels of a round or to a relay. It also
/// writes the padding beyond the edges of C, which stands for vertices without edges. Without `paths` it writes every
/// entry as zero() (no path).
///
/// \tparam Shape  a DeviceShape
template <class Shape>
class PackableTile : public ClosableTile<Shape> {
  using Base = ClosableTile<Shape>;

 protected:
  using typename Base::ThreadEntries, typename Shape::ColGroup;
  using typename Shape::Semiring, typename Shape::T, typename Shape::V;

  using Base::acc_, Base::rank_, Base::own_entries, Base::entry, Base::stored;
  using Shape::row_group, Shape::col_group, Shape::row_groups, Shape::col_groups, Shape::group_vs;
  using Shape::target, Shape::side, Shape::depth, Shape::rows, Shape::cols, Shape::thread_rows, Shape::thread_cols;

 public:
  KOKKOS_FORCEINLINE_FUNCTION PackableTile(std::byte* scratch, int rank) : Base(scratch, rank) {}

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
    V& left = *reinterpret_cast<V*>(at + panels.left_pivot().at);
    T first = get_value<T>(left, 0);
    AnyPanels::mark_paths(first);
    left = spread<V>(first);
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
};

}  // namespace blockfw::detail
