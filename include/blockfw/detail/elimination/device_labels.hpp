// SPDX-License-Identifier: MIT
/// \file
/// \brief The labels of vertices on a device.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/base/lanes.hpp"
#include "blockfw/detail/base/rounding.hpp"
#include "blockfw/detail/elimination/device_fronts.hpp"
#include "blockfw/detail/elimination/device_tree.hpp"
#include "blockfw/detail/elimination/factor.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace blockfw::detail {

/// \brief A factor on a device, and the labels that it keeps: those of inner supernodes' vertices, and each leaf's own
/// paths. Copies share the arrays.
///
/// Take a best path from an ancestor x to a vertex, inside the subtree of x. It enters the vertex's supernode from a
/// vertex y of the boundary, which lies in this subtree, too. The label of y is kept. So labels are made from the roots
/// down, level by level.
template <Semiring S, class ExecSpace>
class DeviceLabels {
 public:
  using T = typename S::value_type;
  using Index = std::int32_t;
  using Tree = DeviceTree<ExecSpace>;
  template <class E>
  using Array = typename Tree::template Array<E>;
  using Policy = Kokkos::TeamPolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>;
  using Member = typename Policy::member_type;
  /// A row for each vertex, as long as the longest path of the tree. Entries of neighbouring rows are neighbours.
  using Labels =
      Kokkos::View<T**, Kokkos::LayoutLeft, typename ExecSpace::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  /// The arrays that the labels towards a vertex, or from it, are made of.
  struct Data {
    Array<DeviceNode> nodes;
    Array<Index> owner, label_length;
    Array<std::int64_t> label_start;
    Array<T> ways, kept;
  };

  DeviceLabels() = default;
  /// \throws OutOfMemory if the labels do not fit; thrown before they are allocated
  DeviceLabels(const ExecSpace& exec, std::shared_ptr<const Tree> tree, const DeviceFactor<T, ExecSpace>& factor)
      : tree_(std::move(tree)), factor_(factor) {
    const int sweeps = factor_.symmetric ? 1 : 2;
    require_memory(exec, "the labels of " + std::to_string(tree_->vertices) + " vertices",
                   sweeps * static_cast<double>(tree_->labels) * sizeof(T));
    for (int sweep = 0; sweep < sweeps; ++sweep)
      kept_[sweep] = DeviceFactor<T, ExecSpace>::allocate(exec, "blockfw::labels", tree_->labels);
    keep_labels<Sweep::towards>(exec);
    if (sweeps == 2) keep_labels<Sweep::from>(exec);
  }

  const Tree& tree() const { return *tree_; }
  const DeviceFactor<T, ExecSpace>& factor() const { return factor_; }

  /// The ways that a sweep reads.
  const Array<T>& ways(Sweep heading) const { return factor_.ways[factor_.symmetric ? 0 : int(heading)]; }

  template <Sweep Heading>
  Data data() const {
    return {tree_->nodes,
            tree_->owner,
            tree_->label_length,
            tree_->label_start,
            factor_.ways[factor_.symmetric ? 0 : 1 - int(Heading)],
            kept_[factor_.symmetric ? 0 : int(Heading)]};
  }

  /// \brief An entry of the labels of some neighbouring vertices of a supernode, for a vertex above the supernode.
  /// \tparam Count  of the vertices
  /// \param i       the first of them among the supernode's vertices
  /// \param x       the position on the path, less than the supernode's depth
  /// \param best    the entries
  template <Sweep Heading, int Count>
  static KOKKOS_FORCEINLINE_FUNCTION void entries_above(const Data& d, const DeviceNode& node, std::int64_t i,
                                                        std::int64_t x, T (&best)[Count]) {
    const T* const ways = d.ways.data() + node.ways + i * node.boundary;
    BLOCKFW_UNROLL
    for (int r = 0; r < Count; ++r) best[r] = S::zero();
    for (Index y = 0; y < node.boundary && x < d.label_length(node.boundary_first + y); ++y) {
      const T label = d.kept(d.label_start(node.boundary_first + y) + x);
      BLOCKFW_UNROLL
      for (int r = 0; r < Count; ++r) {
        const T way = ways[r * std::int64_t{node.boundary} + y];
        best[r] = Heading == Sweep::towards ? S::relax(best[r], label, way) : S::relax(best[r], way, label);
      }
    }
  }

  /// \brief Writes the whole labels of some vertices. Queued on the instance.
  /// \param numbers  of the vertices in the order of elimination
  /// \param labels   with as many rows, or more: these get zero()
  ///
  /// A team makes a square of entries. Neighbouring threads make neighbouring entries of a label, and write
  /// neighbouring labels.
  template <Sweep Heading>
  void make(const ExecSpace& exec, const Array<Index>& numbers, const Labels& labels) const {
    constexpr int side = 32, stride = side + 1, team_size = is_host_space<ExecSpace> ? 1 : 256;
    constexpr int level = is_host_space<ExecSpace> ? 1 : 0;
    const Data d = data<Heading>();
    const auto count = static_cast<std::int64_t>(numbers.extent(0)), rows = static_cast<std::int64_t>(labels.extent(0)),
               path = static_cast<std::int64_t>(labels.extent(1));
    const std::int64_t across = div_up(path, std::int64_t{side}), tiles = div_up(rows, std::int64_t{side}) * across;
    for_teams(
        "blockfw::labels",
        Policy(exec, static_cast<int>(tiles), team_size)
            .set_scratch_size(level, Kokkos::PerTeam(static_cast<int>(side * stride * sizeof(T)) + 64)),
        KOKKOS_LAMBDA(const Member& team) {
          const std::int64_t c0 = team.league_rank() / across * side, x0 = team.league_rank() % across * side;
          const int scratch = is_host_space<ExecSpace> ? 1 : 0;
          T* const square =
              static_cast<T*>(team.team_scratch(scratch).get_shmem_aligned(side * stride * sizeof(T), 16));
          for (int e = team.team_rank(); e < side * side; e += team_size) {
            const std::int64_t c = c0 + e / side, x = x0 + e % side;
            T entry[1] = {S::zero()};
            if (c < count) {
              const Index number = numbers(c);
              const DeviceNode& node = d.nodes(d.owner(number));
              const std::int64_t i = number - node.first, from = node.depth + node.width() - node.label_length;
              if (x < from)
                entries_above<Heading>(d, node, i, x, entry);
              else if (x < node.depth + node.width())
                entry[0] = d.kept(node.labels + i * node.label_length + x - from);
            }
            square[e / side * stride + e % side] = entry[0];
          }
          team.team_barrier();
          for (int e = team.team_rank(); e < side * side; e += team_size) {
            const std::int64_t c = c0 + e % side, x = x0 + e / side;
            if (c < rows && x < path) labels(c, x) = square[e % side * stride + e / side];
          }
        });
  }

  // (Public, as nvcc requires that of functions with a kernel in them.)

  template <Sweep Heading>
  void keep_labels(const ExecSpace& exec) {
    constexpr int lanes = DeviceFronts<S, ExecSpace>::lanes, at_once = DeviceFronts<S, ExecSpace>::threads;
    const Data d = data<Heading>();
    const auto own = factor_.own[factor_.symmetric ? 0 : int(Heading)];
    const std::int64_t n = tree_->vertices;
    for_teams(
        "blockfw::own_labels", Policy(exec, static_cast<int>(div_up(n, std::int64_t{at_once})), at_once, lanes),
        KOKKOS_LAMBDA(const Member& team) {
          const std::int64_t first = std::int64_t{team.league_rank()} * at_once;
          Kokkos::parallel_for(
              Kokkos::TeamThreadRange(team, first, Kokkos::min(n, first + at_once)), [&](std::int64_t number) {
                const DeviceNode& node = d.nodes(d.owner(number));
                const std::int64_t i = number - node.first, w = node.width();
                const std::int64_t to = node.labels + (i + 1) * node.label_length - w;
                Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, w),
                                     [&](std::int64_t x) { d.kept(to + x) = own(node.own + i * w + x); });
              });
        });
    const auto tasks = tree_->label_tasks;
    for (std::size_t level = 0; level + 1 < tree_->label_levels.size(); ++level) {
      const std::int64_t start = tree_->label_levels[level], end = tree_->label_levels[level + 1];
      if (start == end) continue;
      for_teams(
          "blockfw::level_labels", Policy(exec, static_cast<int>(end - start), at_once, lanes),
          KOKKOS_LAMBDA(const Member& team) {
            const RowsTask task = tasks(start + team.league_rank());
            const DeviceNode& node = d.nodes(task.node);
            if (node.width() - task.row >= Tree::label_rows)
              keep_rows<Heading, Tree::label_rows>(team, d, node, task.row);
            else
              for (Index row = task.row; row < node.width(); ++row) keep_rows<Heading, 1>(team, d, node, row);
          });
    }
  }

  /// Keeps the labels of some neighbouring vertices of a supernode.
  template <Sweep Heading, int Count>
  static KOKKOS_FORCEINLINE_FUNCTION void keep_rows(const Member& team, const Data& d, const DeviceNode& node,
                                                    Index row) {
    T* const kept = d.kept.data() + node.labels + std::int64_t{row} * node.label_length;
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, node.depth), [&](Index x) {
      T entry[Count];
      entries_above<Heading>(d, node, row, x, entry);
      BLOCKFW_UNROLL
      for (int r = 0; r < Count; ++r) kept[r * std::int64_t{node.label_length} + x] = entry[r];
    });
  }

 private:
  std::shared_ptr<const Tree> tree_;
  DeviceFactor<T, ExecSpace> factor_;
  Array<T> kept_[2];
};

}  // namespace blockfw::detail
