/// \file
/// \brief The panels of groups of rounds, in memory of their own, which links copy to other devices.
///
/// Launches that use these panels run in order, so teams need no flags to wait for each other. A reader may have
/// nothing but the panels: if the pivot holds a negative cycle, its panels hold no path at all, not even from the
/// pivot's first vertex to itself, and readers look at this entry.
#pragma once

#include "blockfw/detail/kernel/concepts.hpp"
#include "blockfw/detail/kernel/index_ranges.hpp"
#include "blockfw/detail/kernel/panels.hpp"
#include "blockfw/detail/kernel/task_order.hpp"
#include "blockfw/error.hpp"
#include "blockfw/matrix.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace blockfw::detail {

/// \brief The memory of panels, on the device (or host) of an instance. The destructor frees it.
template <class ExecSpace>
using PanelMemory = Kokkos::View<std::byte*, typename ExecSpace::memory_space>;

/// \brief The group panels of a device, packed tile by tile.
template <class Semiring, int Block, int LeftTile, int RightTile>
class GroupPanels : public PackedPanels<Block, LeftTile, RightTile> {
  using T = typename Semiring::value_type;

 public:
  static constexpr bool self_contained = true;

  KOKKOS_FORCEINLINE_FUNCTION Left left(const IndexRange& i) const { return Left{left_at_ + Packed::left(i).at}; }
  KOKKOS_FORCEINLINE_FUNCTION Left left_pivot() const { return Left{left_at_ + (left_bytes_ - LeftTile)}; }

  /// Waits until all that the team has published is there. \return whether the pivot holds a negative cycle
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION bool wait_for_pivot(const Team& team, int round, bool of_rows) const {
    team.member.team_barrier();
    const int pivot = of_rows ? left_pivot().at : this->right_pivot().at;
    return *reinterpret_cast<const T*>(this->at(this->slot(round)) + pivot) == Semiring::zero();
  }
  KOKKOS_FORCEINLINE_FUNCTION bool any_negative() const { return negative_; }

  /// The panels of one of the sets of a GroupStorage.
  KOKKOS_FORCEINLINE_FUNCTION GroupPanels of(int set) const {
    GroupPanels panels = *this;
    panels.memory_ = this->at(set * this->kept_);
    return panels;
  }

 private:
  template <class, class, int, int, int>
  friend class GroupStorage;
  using Packed = PackedPanels<Block, LeftTile, RightTile>;
  GroupPanels(int order, int down, int across, int kept, bool negative, int lefts)
      : Packed(order, lefts * (down + 1) - 1, across, kept), left_bytes_((down + 1) * LeftTile), negative_(negative) {}

  int left_bytes_, left_at_ = 0;
  bool negative_;
};

template <class ExecSpace, class Semiring, int Block, int LeftTile, int RightTile>
class GroupStorage {
  using Panels = GroupPanels<Semiring, Block, LeftTile, RightTile>;

 public:
  GroupStorage(const ExecSpace& exec, const GroupStorageOptions& o)
      : panels_(o.order, tiles(o.height), tiles(o.width), o.rounds, o.negative, o.left_panels),
        memory_(Kokkos::view_alloc(exec, "blockfw::panels", Kokkos::WithoutInitializing),
                static_cast<std::size_t>(o.sets) * panels_.bytes()) {
    panels_.memory_ = memory_.data();
  }

  const Panels& panels() const { return panels_; }
  /// The panels with left panel number `left` of each round.
  Panels panels(int left) const {
    Panels panels = panels_;
    panels.left_at_ = left * panels.left_bytes_;
    return panels;
  }

  Message left(int round) const { return {panels_.at(panels_.slot(round)), bytes_of(panels_.left_bytes_)}; }
  Message right(int round) const {
    return {panels_.at(panels_.slot(round)) + panels_.right_at_, bytes_of(panels_.round_bytes_ - panels_.right_at_)};
  }
  /// `count` tiles of the left panel from number `tile` on: with left_pivot(), what the pivots' own rows need of it.
  Message left(int round, int tile, int count) const {
    return {panels_.at(panels_.slot(round)) + tile * LeftTile, bytes_of(count * LeftTile)};
  }
  Message left_pivot(int round) const {
    return {panels_.at(panels_.slot(round)) + panels_.left_pivot().at, bytes_of(LeftTile)};
  }

  static double bytes(std::int64_t height, std::int64_t width, int kept, int lefts = 1) {
    return double(kept) * (lefts * double(height / Block + 2) * LeftTile + double(width / Block + 2) * RightTile);
  }

 private:
  static int tiles(int entries) { return (entries + Block - 1) / Block; }
  static std::size_t bytes_of(int count) { return static_cast<std::size_t>(count); }

  Panels panels_;
  PanelMemory<ExecSpace> memory_;
};

/// \brief The group panels of a host. The left panel lies row by row, with the pivot's rows after its last row. Each
/// row of the right panel has the pivot's row after its last entry.
template <class Semiring, class ExecSpace, int Block>
class HostGroupPanels {
  using T = typename Semiring::value_type;
  using Ref = MatrixRef<T, ExecSpace>;

 public:
  static constexpr bool self_contained = true;

  struct Left {
    int first, count;
  };
  struct Right {
    int first, count;
  };

  KOKKOS_FUNCTION Left left(const IndexRange& i) const { return {i.first, i.count}; }
  KOKKOS_FUNCTION Right right(const IndexRange& j) const { return {j.first, j.count}; }
  KOKKOS_FUNCTION Left left_pivot() const { return {height_, Block}; }
  KOKKOS_FUNCTION Right right_pivot() const { return {width_, Block}; }

  KOKKOS_FUNCTION int pivots(int round) const { return Kokkos::min(order_ - round * Block, +Block); }

  KOKKOS_FUNCTION Ref operand(int round, const Left& a) const {
    const int count = a.first == height_ ? pivots(round) : a.count;
    return matrix(at(round) + left_at_ + std::int64_t(a.first) * Block, count, pivots(round), Block);
  }
  KOKKOS_FUNCTION Ref operand(int round, const Right& b) const {
    const int count = b.first == width_ ? pivots(round) : b.count;
    return matrix(at(round) + lefts_ * left_size() + b.first, pivots(round), count, width_ + Block);
  }

  template <class Team>
  KOKKOS_FUNCTION bool wait_for_pivot(const Team&, int round, bool of_rows) const {
    const Ref pivot = of_rows ? operand(round, left_pivot()) : operand(round, right_pivot());
    return pivot(0, 0) == Semiring::zero();
  }

 private:
  template <class, class, int>
  friend class HostGroupStorage;
  HostGroupPanels(int order, int height, int width, int kept, int lefts)
      : order_(order), height_(height), width_(width), kept_(kept), lefts_(lefts) {}

  static KOKKOS_FUNCTION Ref matrix(T* data, int rows, int columns, int row_stride) {
    return Ref(data, Kokkos::LayoutStride(static_cast<std::size_t>(rows), static_cast<std::size_t>(row_stride),
                                          static_cast<std::size_t>(columns), 1));
  }
  KOKKOS_FUNCTION T* at(int round) const { return memory_ + (round % kept_) * size(); }
  KOKKOS_FUNCTION std::int64_t left_size() const { return std::int64_t(height_ + Block) * Block; }
  KOKKOS_FUNCTION std::int64_t right_size() const { return std::int64_t(width_ + Block) * Block; }
  KOKKOS_FUNCTION std::int64_t size() const { return lefts_ * left_size() + right_size(); }

  T* memory_ = nullptr;
  int order_, height_, width_, kept_, lefts_;
  std::int64_t left_at_ = 0;
};

template <class ExecSpace, class Semiring, int Block>
class HostGroupStorage {
  using T = typename Semiring::value_type;
  using Panels = HostGroupPanels<Semiring, ExecSpace, Block>;

 public:
  HostGroupStorage(const ExecSpace& exec, const GroupStorageOptions& o)
      : panels_(o.order, o.height, o.width, o.rounds, o.left_panels),
        memory_(Kokkos::view_alloc(exec, "blockfw::panels", Kokkos::WithoutInitializing),
                static_cast<std::size_t>(o.rounds * panels_.size()) * sizeof(T)) {
    if (o.sets != 1) throw InvalidInput("a host's panels in " + std::to_string(o.sets) + " sets, expected 1");
    panels_.memory_ = reinterpret_cast<T*>(memory_.data());
  }

  const Panels& panels() const { return panels_; }
  Panels panels(int left) const {
    Panels panels = panels_;
    panels.left_at_ = left * panels.left_size();
    return panels;
  }

  Message left(int round) const { return message(panels_.at(round), panels_.left_size()); }
  Message right(int round) const {
    return message(panels_.at(round) + panels_.lefts_ * panels_.left_size(), panels_.right_size());
  }
  Message left(int round, int tile, int count) const {
    const std::int64_t first = std::min<std::int64_t>(std::int64_t(tile) * Block, panels_.height_);
    const std::int64_t last = std::min<std::int64_t>(first + std::int64_t(count) * Block, panels_.height_);
    return message(panels_.at(round) + first * Block, (last - first) * Block);
  }
  Message left_pivot(int round) const {
    return message(panels_.at(round) + std::int64_t(panels_.height_) * Block, std::int64_t(Block) * Block);
  }

  static double bytes(std::int64_t height, std::int64_t width, int kept, int lefts = 1) {
    return double(kept) * (lefts * double(height + Block) + double(width + Block)) * Block * sizeof(T);
  }

 private:
  static Message message(T* data, std::int64_t count) {
    return {reinterpret_cast<std::byte*>(data), static_cast<std::size_t>(count) * sizeof(T)};
  }

  Panels panels_;
  PanelMemory<ExecSpace> memory_;
};

}  // namespace blockfw::detail
