// SPDX-License-Identifier: MIT
/// \file
/// \brief The labels of vertices on a device, and products of labels: the distances from some vertices to others, as
/// tables and pairs.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/backend/workspace.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/base/lanes.hpp"
#include "blockfw/detail/elimination/device_fronts.hpp"
#include "blockfw/detail/elimination/device_tree.hpp"
#include "blockfw/detail/elimination/factor.hpp"
#include "blockfw/detail/elimination/sorted_numbers.hpp"
#include "blockfw/detail/elimination/team_product.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/detail/matrices/copies.hpp"
#include "blockfw/detail/plan/finish.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace blockfw::detail {

/// The limit of a Finish, as a device reads it.
template <Semiring S, class T = typename S::value_type>
struct DeviceLimit {
  bool exists;
  T limit;

  explicit DeviceLimit(const Finish<S>& finish)
      : exists(finish.limit.has_value()), limit(finish.limit.value_or(T(0))) {}
  /// The distance, or zero() if it is beyond the limit. To be called only if the limit exists.
  KOKKOS_FORCEINLINE_FUNCTION T marked(T distance) const {
    constexpr T none = S::zero();
    return (none > T(0) ? distance > limit : distance < limit) ? none : distance;
  }
};

/// \brief A factor on a device, and its kept labels: the whole labels of inner supernodes' vertices, and each leaf's
/// own paths. Copies share the arrays.
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
    const int sweeps = factor_.sweeps();
    require_memory(exec, "the labels of " + std::to_string(tree_->vertices) + " vertices",
                   sweeps * static_cast<double>(tree_->labels) * sizeof(T));
    for (int sweep = 0; sweep < sweeps; ++sweep) kept_[sweep] = new_array<T>(exec, "blockfw::labels", tree_->labels);
    keep_labels<Sweep::towards>(exec);
    if (sweeps == 2) keep_labels<Sweep::from>(exec);
  }

  const Tree& tree() const { return *tree_; }
  const DeviceFactor<T, ExecSpace>& factor() const { return factor_; }

  /// The ways that a sweep reads.
  const Array<T>& ways(Sweep heading) const { return factor_.ways[factor_.index(heading)]; }

  template <Sweep Heading>
  Data data() const {
    return {tree_->nodes,
            tree_->owner,
            tree_->label_length,
            tree_->label_start,
            ways(opposite(Heading)),
            kept_[factor_.index(Heading)]};
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

  /// \brief Makes the whole labels of some vertices. Queued on the instance.
  /// \param numbers    of the vertices in the order of elimination
  /// \param rows_made  the number of rows of the labels. Rows without a vertex get zero().
  /// \param purpose    the name of the memory, which is kept for the next call of the same purpose
  /// \param memory     on return the memory of the labels
  ///
  /// A team makes a square of entries. Neighbouring threads make neighbouring entries of a label, and write
  /// neighbouring labels.
  template <Sweep Heading>
  Labels make(const ExecSpace& exec, const Array<Index>& numbers, std::size_t rows_made, const char* purpose,
              Workspace<ExecSpace>& memory) const {
    const auto count = static_cast<std::int64_t>(numbers.extent(0)), rows = static_cast<std::int64_t>(rows_made),
               path = tree_->longest_path;
    memory = Workspace<ExecSpace>(exec, rows_made * at(path) * sizeof(T), purpose);
    const Labels labels(reinterpret_cast<T*>(memory.data()), rows_made, at(path));
    constexpr int side = 32, stride = side + 1, team_size = is_host_space<ExecSpace> ? 1 : 256;
    constexpr int level = is_host_space<ExecSpace> ? 1 : 0;
    const Data d = data<Heading>();
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
    return labels;
  }

  // (Public, since nvcc requires public functions for kernels.)

  template <Sweep Heading>
  void keep_labels(const ExecSpace& exec) {
    constexpr int lanes = DeviceFronts<S, ExecSpace>::lanes, at_once = DeviceFronts<S, ExecSpace>::threads;
    const Data d = data<Heading>();
    const auto own = factor_.own[factor_.index(Heading)];
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

/// \brief Tables and pairs of a factor on a device.
///
/// Sources and targets are sorted by their numbers in the order of elimination, as in HostTable. A team makes a tile
/// of 64 sources and 64 targets. The labels of a source and a target have common positions up to the supernode where
/// the paths of both meet. Where the numbers of the tile's sources and targets lie apart, the tile is one product.
/// Else the product of the positions that all have in common is followed by each pair's own.
template <Semiring S, class ExecSpace>
class DeviceTable {
 public:
  using T = typename S::value_type;
  using Index = std::int32_t;
  using Product = TeamProduct<S, ExecSpace, 64, 16>;
  using Kept = DeviceLabels<S, ExecSpace>;
  using Labels = typename Kept::Labels;
  using Memory = typename ExecSpace::memory_space;
  using Policy = typename Product::Policy;
  using Member = typename Policy::member_type;
  template <class E>
  using Array = typename Kept::template Array<E>;

  /// \param own  whether the distance of a vertex to itself is to be set to one(), as sums may round
  DeviceTable(const ExecSpace& exec, const Kept& labels, const Finish<S>& finish, bool own)
      : exec_(exec), labels_(labels), finish_(finish), own_(own) {}

  /// \brief Writes the distances from each source to each target. Fences the instance.
  /// \param sources, targets  numbers of the order of elimination, in any order; a number may occur twice
  /// \param d                 rows and columns as they are in the lists
  /// \throws OutOfMemory
  template <class Matrix>
  void table(std::span<const Index> sources, std::span<const Index> targets, const Matrix& d) const {
    if (sources.empty() || targets.empty()) return;
    const std::size_t most = most_labels(), most_targets = std::min<std::size_t>(most, most_permuted<T>);
    for (std::size_t s = 0; s < sources.size(); s += most) {
      const Side from = sorted_side<Sweep::from>(sources.subspan(s, std::min(most, sources.size() - s)));
      for (std::size_t t = 0; t < targets.size(); t += most_targets) {
        const Side to = sorted_side<Sweep::towards>(targets.subspan(t, std::min(most_targets, targets.size() - t)));
        multiply(from, to, d, static_cast<std::int64_t>(s), static_cast<std::int64_t>(t));
        if (!to.ascends)
          permute_columns(exec_, d, static_cast<std::int64_t>(s), from.count(), static_cast<std::int64_t>(t), to.place);
        exec_.fence("blockfw::table");  // before the lists are freed
      }
    }
  }

  /// \brief The distance of each pair. Fences the instance.
  /// \param distances  on the host, of as many entries
  /// \throws OutOfMemory
  void pairs(std::span<const Index> sources, std::span<const Index> targets, T* distances) const {
    const std::size_t most = most_labels();
    for (std::size_t p = 0; p < sources.size(); p += most) {
      const std::size_t count = std::min(most, sources.size() - p);
      const Side from = side_of<Sweep::from>(sources.subspan(p, count), count),
                 to = side_of<Sweep::towards>(targets.subspan(p, count), count);
      const Array<T> result = new_array<T>(exec_, "blockfw::pairs", count);
      multiply_pairs(from, to, result);
      copy_bytes<Kokkos::HostSpace, Memory>(exec_, distances + p, result.data(), count * sizeof(T));
      exec_.fence("blockfw::pairs");
    }
  }

  /// Sources or targets, with their labels.
  struct Side {
    bool ascends;                        ///< whether the list is in the order of the numbers
    Workspace<ExecSpace> lists, memory;  ///< the memory of the arrays, and of the labels
    Array<Index> numbers;
    Array<Index> place;  ///< the place of each vertex in the caller's list, for a table
    Labels labels;       ///< the labels, with the number of rows of whole tiles
    std::int64_t count() const { return static_cast<std::int64_t>(numbers.extent(0)); }
  };

  // (Public, since nvcc requires public functions for kernels.)

  /// The data that the kernels read.
  struct Data {
    Array<DeviceNode> nodes;
    Array<Index> owner;
    Array<Index> sources, targets, row, column;
    Labels from, to;
    DeviceLimit<S> limit;
    bool own;

    /// Common positions of the labels of two vertices.
    KOKKOS_INLINE_FUNCTION std::int64_t common(Index source, Index target) const {
      Index p = owner(source), q = owner(target);
      while (p != q) {
        const Index parent = nodes(Kokkos::min(p, q)).parent;
        if (parent < 0) return 0;
        if (p < q)  // (No reference to the lower one: both would lie in memory.)
          p = parent;
        else
          q = parent;
      }
      return std::int64_t{nodes(p).depth} + nodes(p).width();
    }

    KOKKOS_INLINE_FUNCTION T limited(T distance) const { return limit.exists ? limit.marked(distance) : distance; }

    /// The distance from source i to target j.
    /// \param done  common positions that `best` has taken
    KOKKOS_INLINE_FUNCTION T finished(std::int64_t i, std::int64_t j, std::int64_t done, T best) const {
      const Index source = sources(i), target = targets(j);
      if (own && source == target) return S::one();
      const std::int64_t end = common(source, target);
      for (std::int64_t x = done; x < end; ++x) best = S::relax(best, from(i, x), to(j, x));
      return limited(best);
    }
  };

  /// \brief Common positions of the labels of a tile's pairs.
  ///
  /// Every pair has the first `all` in common. The numbers of the sources may be apart from those of the targets: all
  /// sources before all targets, or behind them. No pair has more than `most` in common then. Let s be the source and t
  /// the target that are nearest to each other. A pair (p, q) has the positions in common that both (p, t) and (s, q)
  /// have. (Subtrees are ranges of numbers. So of two subtrees with s and t, one contains the other.)
  struct Common {
    std::int64_t all, most;
    bool apart;
    Index source, target;  ///< the nearest ones
  };

  /// Finds the common positions for all tiles. A thread for each tile follows the tree, so the teams of the product
  /// need not wait for that.
  /// \param memory  on return the memory of the result
  Array<Common> common_of_tiles(const Data& data, std::int64_t rows, std::int64_t columns,
                                Workspace<ExecSpace>& memory) const {
    constexpr std::int64_t side = Product::side;
    const std::int64_t across = div_up(columns, side), tiles = div_up(rows, side) * across;
    memory = Workspace<ExecSpace>(exec_, at(tiles) * sizeof(Common), "blockfw::tiles");
    const Array<Common> result(reinterpret_cast<Common*>(memory.data()), at(tiles));
    for_range(
        "blockfw::tiles", exec_, 0, tiles, KOKKOS_LAMBDA(std::int64_t tile) {
          const std::int64_t i0 = tile / across * side, j0 = tile % across * side;
          const Index low_source = data.sources(i0), high_source = data.sources(Kokkos::min(rows, i0 + side) - 1);
          const Index low_target = data.targets(j0), high_target = data.targets(Kokkos::min(columns, j0 + side) - 1);
          // (Unary + makes values. A choice between references would keep the numbers in memory.)
          const bool before = high_source < low_target, behind = high_target < low_source;
          Common& common = result(tile);
          common.all = data.common(Kokkos::min(low_source, low_target), Kokkos::max(high_source, high_target));
          common.apart = before || behind;
          common.source = before ? +high_source : +low_source;
          common.target = before ? +low_target : +high_target;
          common.most = common.apart ? data.common(common.source, common.target) : +common.all;
        });
    return result;
  }

  /// Writes the distances. Columns are in ascending order of the targets. (Stores of single numbers to the caller's
  /// columns would take several times longer than the products; see permute_columns().)
  template <class Matrix>
  void multiply(const Side& from, const Side& to, const Matrix& d, std::int64_t first_row,
                std::int64_t first_column) const {
    const Data data = data_of(from, to);
    constexpr std::int64_t side = Product::side;
    const std::int64_t rows = from.count(), columns = to.count(), across = div_up(columns, side);
    const std::int64_t tiles = div_up(rows, side) * across;
    Workspace<ExecSpace> memory;
    const auto common_of = common_of_tiles(data, rows, columns, memory);
    const auto from_stride = static_cast<std::int64_t>(data.from.stride(1));
    const auto to_stride = static_cast<std::int64_t>(data.to.stride(1));
    for_teams(
        "blockfw::table",
        Policy(exec_, static_cast<int>(tiles), Product::team_size)
            .set_scratch_size(Product::scratch_level, Kokkos::PerTeam(static_cast<int>(Product::scratch_bytes))),
        KOKKOS_LAMBDA(const Member& team) {
          const std::int64_t tile = team.league_rank(), i0 = tile / across * side, j0 = tile % across * side;
          const std::int64_t i1 = Kokkos::min(rows, i0 + side) - 1, j1 = Kokkos::min(columns, j0 + side) - 1;
          const Common common = common_of(tile);
          const auto source = [&](int r) { return data.sources(Kokkos::min(i0 + r, i1)); };
          const auto target = [&](int c) { return data.targets(Kokkos::min(j0 + c, j1)); };
          Product product(team);
          product.add_columns(
              team, static_cast<int>(common.most), &data.from(i0, 0), from_stride, &data.to(j0, 0), to_stride,
              common.all < common.most, [&](int r) { return static_cast<int>(data.common(source(r), common.target)); },
              [&](int c) { return static_cast<int>(data.common(common.source, target(c))); });
          product.for_each([&](int r) { return i0 + r > i1 ? -1 : data.row(i0 + r); },
                           [&](Index row, int c, const T& entry) {
                             if (row < 0 || j0 + c > j1) return;
                             d(first_row + row, first_column + j0 + c) = common.apart ? data.limited(entry) : entry;
                           });
          if (common.apart) return;
          team.team_barrier();
          for (std::int64_t e = team.team_rank(); e < side * side; e += Product::team_size) {
            const std::int64_t i = i0 + e / side, j = j0 + e % side;
            if (i > i1 || j > j1) continue;
            T& entry = d(first_row + data.row(i), first_column + j);
            entry = data.finished(i, j, common.all, entry);
          }
        });
  }

  void multiply_pairs(const Side& from, const Side& to, const Array<T>& result) const {
    const Data data = data_of(from, to);
    for_range(
        "blockfw::pairs", exec_, 0, from.count(),
        KOKKOS_LAMBDA(std::int64_t p) { result(p) = data.finished(p, p, 0, S::zero()); });
  }

  /// The number of vertices whose labels take an eighth of the memory that is left.
  std::size_t most_labels() const {
    const double label = static_cast<double>(std::max<std::int64_t>(1, labels_.tree().longest_path)) * sizeof(T);
    return static_cast<std::size_t>(std::clamp(available_bytes(exec_) / 8 / label, 4096., 1e9));
  }

  /// \param list  its labels are in ascending order of the numbers
  template <Sweep Heading>
  Side sorted_side(std::span<const Index> list) const {
    const SortedNumbers sorted(list);
    std::vector<Index> both(sorted.numbers);
    both.insert(both.end(), sorted.place.begin(), sorted.place.end());
    Side side = side_of<Heading>(both, list.size());
    side.ascends = std::is_sorted(sorted.place.begin(), sorted.place.end());
    return side;
  }

  /// \param list   numbers, and for a table their places behind them
  /// \param count  of the numbers
  template <Sweep Heading>
  Side side_of(std::span<const Index> list, std::size_t count) const {
    const auto path = static_cast<std::size_t>(labels_.tree().longest_path);
    const std::size_t rows = round_up(count, std::size_t{Product::side});
    require_memory(exec_, "the labels of " + std::to_string(count) + " vertices",
                   static_cast<double>(rows) * (static_cast<double>(path) * sizeof(T) + 2 * sizeof(Index)));
    constexpr bool sources = Heading == Sweep::from;
    Side side{false, {exec_, list.size_bytes(), sources ? "blockfw::source_list" : "blockfw::target_list"}, {}, {}, {},
              {}};
    auto* const there = reinterpret_cast<Index*>(side.lists.data());
    side.numbers = Array<Index>(there, count);
    side.place = Array<Index>(there + count, list.size() - count);
    copy_bytes<Memory, Kokkos::HostSpace>(exec_, there, list.data(), list.size_bytes());
    exec_.fence("blockfw::table");  // before the list is freed
    side.labels = labels_.template make<Heading>(exec_, side.numbers, rows,
                                                 sources ? "blockfw::sources" : "blockfw::targets", side.memory);
    return side;
  }

  Data data_of(const Side& from, const Side& to) const {
    return {labels_.tree().nodes,
            labels_.tree().owner,
            from.numbers,
            to.numbers,
            from.place,
            to.place,
            from.labels,
            to.labels,
            DeviceLimit<S>(finish_),
            own_};
  }

 private:
  const ExecSpace& exec_;
  const Kept& labels_;
  Finish<S> finish_;
  bool own_;
};

}  // namespace blockfw::detail
