// SPDX-License-Identifier: MIT
/// \file
/// \brief Sweeps over a sparse factor on a device: a launch for each level of the tree.
#pragma once

#include "blockfw/detail/backend/backend.hpp"
#include "blockfw/detail/backend/kept_on_devices.hpp"
#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/backend/workspace.hpp"
#include "blockfw/detail/elimination/device_fronts.hpp"
#include "blockfw/detail/elimination/device_labels.hpp"
#include "blockfw/detail/elimination/device_table.hpp"
#include "blockfw/detail/elimination/device_tree.hpp"
#include "blockfw/detail/elimination/factor.hpp"
#include "blockfw/detail/elimination/factorise.hpp"
#include "blockfw/detail/elimination/front_arcs.hpp"
#include "blockfw/detail/graph/supernodes.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/detail/matrices/copies.hpp"
#include "blockfw/detail/matrices/reach_of_matrix.hpp"
#include "blockfw/detail/plan/finish.hpp"
#include "blockfw/detail/plan/potentials.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/progress.hpp"
#include "blockfw/ground/reach.hpp"
#include "blockfw/ground/rounding.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/spaces.hpp"
#include "blockfw/ground/unroll.hpp"
#include "blockfw/ground/weights.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace blockfw::detail {

/// \brief The distances of some rows of a supernode for some columns, and the data that a team of a device needs for
/// them.
///
/// A row of the result has the distances between a vertex and the vertices of a batch; these are its columns. A team
/// takes a few rows. Each of its threads takes some columns, which stay in registers: neighbouring threads read and
/// write neighbouring numbers. The rows' ways to the boundary are in the team's scratch.
template <Semiring S, class ExecSpace>
class DeviceSweeps {
 public:
  using T = typename S::value_type;
  using Index = std::int32_t;
  using Memory = typename ExecSpace::memory_space;
  using Policy = Kokkos::TeamPolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>;
  using Member = typename Policy::member_type;
  using Tree = DeviceTree<ExecSpace>;
  template <class E>
  using Array = Kokkos::View<E*, Memory>;
  /// Distances: a row for each vertex, in the caller's order.
  using RowsView = Kokkos::View<T**, Kokkos::LayoutRight, Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  static constexpr int rows = Tree::sweep_rows, wide = sizeof(T) > 4 ? 2 : 4, depth = 32;
  static constexpr int team_size = is_host_space<ExecSpace> ? 1 : 128, columns = wide * team_size;
  static constexpr int scratch_level = is_host_space<ExecSpace> ? 1 : 0;
  static constexpr std::size_t scratch_bytes = rows * depth * sizeof(T) + depth * sizeof(Index) + 64;

  using Node = DeviceNode;
  using Task = SweepTask;

  DeviceSweeps() = default;

  /// \brief Eliminates the arcs; see SparseFactor. A host eliminates if sums might not fit the type, or if a cycle may
  /// be negative by rounding alone.
  static DeviceSweeps eliminated(const ExecSpace& exec, const Elimination& structure, KeptOnDevices& kept,
                                 const FrontArcs<T>& arcs, const WeightRange<T>& range, const FactorOptions& options) {
    const auto tree = kept.get<Tree>(exec, [&] { return std::make_shared<const Tree>(exec, structure); });
    const auto n = static_cast<std::int64_t>(structure.order.size());
    require_accepted<S>(range);
    bool fits = true;
    if constexpr (std::is_same_v<S, MinPlus<T>> && std::is_integral_v<T> && sizeof(T) < 8) fits = sums_fit<S>(n, range);
    if (fits) {
      require_safe_sums<S>(n, range);
      const bool symmetric = options.direction == Direction::undirected && is_commutative<S>;
      std::optional<DeviceSweeps> sweeps;
      try {
        sweeps.emplace(exec, structure, tree, arcs, symmetric);
      } catch (const DivergentCycle&) {
        if (!may_cancel<S> || options.strict_cycles) throw;
      }
      if (sweeps) {
        if (options.progress && n > 0) options.progress(n, n);
        return *sweeps;
      }
    }
    return DeviceSweeps(
        exec, structure, tree,
        factorise<S>(exec, structure, arcs, range, options.direction, options.progress, options.strict_cycles, false));
  }

  /// \brief Eliminates on the device.
  /// \throws NegativeCycle, DivergentCycle, OutOfMemory
  DeviceSweeps(const ExecSpace& exec, const Elimination& structure, std::shared_ptr<const Tree> tree,
               const FrontArcs<T>& arcs, bool symmetric)
      : DeviceSweeps(exec, structure, tree,
                     DeviceFronts<S, ExecSpace>(exec, *tree, arcs, symmetric).eliminate(structure.order)) {}

  /// Copies a factor that a host has made.
  DeviceSweeps(const ExecSpace& exec, const Elimination& structure, std::shared_ptr<const Tree> tree,
               std::shared_ptr<const FactorValues<T>> values)
      : DeviceSweeps(exec, structure, std::move(tree), copied_to(exec, *values)) {
    host_->values = std::move(values);
  }

  /// The numbers of the factor on the host. The first call copies them.
  const FactorValues<T>& values() const {
    const std::lock_guard lock(host_->mutex);
    if (!host_->values) host_->values = std::make_shared<const FactorValues<T>>(copied_back());
    return *host_->values;
  }

  bool is_symmetric() const { return labels_.factor().symmetric; }

  /// The number of rows that rows_from() makes efficiently together: 1024, or more of a smaller graph.
  std::size_t rows_at_once() const {
    const std::size_t n = std::max<std::size_t>(structure_->order.size(), 1);
    return std::clamp<std::size_t>((std::size_t{1} << 28) / n / columns * columns, 1024, 1 << 14);
  }

  /// Writes the distances from all vertices to all vertices.
  template <class Matrix>
  void towards_all(const Finish<S>& finish, const Matrix& d, const Progress& progress) const {
    run<Sweep::towards>(labels_.tree().place, finish, RowsView(d));
    exec_.fence("blockfw::sparse_solve");
    if (progress) progress(1, 1);
  }

  /// Writes rows of distances from the vertices with these numbers.
  template <class Rows>
  void rows_from(const std::vector<Index>& numbers, const Finish<S>& finish, const Rows& d) const {
    const std::size_t n = structure_->order.size();
    for (std::size_t first = 0; first < numbers.size(); first += rows_at_once()) {
      const std::size_t count = std::min(rows_at_once(), numbers.size() - first);
      const auto at = numbers.begin() + static_cast<std::ptrdiff_t>(first);
      require_memory(exec_, "the distances of " + std::to_string(count) + " vertices",
                     static_cast<double>(n) * static_cast<double>(count) * sizeof(T));
      const Kokkos::View<T**, Kokkos::LayoutRight, Memory> distances(
          Kokkos::view_alloc(exec_, "blockfw::distances", Kokkos::WithoutInitializing), n, count);
      run<Sweep::from>(in_memory({at, at + static_cast<std::ptrdiff_t>(count)}), finish,
                       RowsView(distances.data(), n, count));
      transpose(exec_, distances, d, static_cast<std::int64_t>(first));
      exec_.fence("blockfw::sparse_rows");
    }
  }

  /// Writes the distances from each source to each target.
  template <class Matrix>
  void table(std::span<const Index> sources, std::span<const Index> targets, const Finish<S>& finish, bool own,
             const Matrix& d) const {
    DeviceTable<S, ExecSpace>(exec_, labels_, finish, own).table(sources, targets, d);
  }

  /// \brief Writes the distance of each pair.
  /// \param distances  on the host
  void pairs(std::span<const Index> sources, std::span<const Index> targets, const Finish<S>& finish, bool own,
             T* distances) const {
    DeviceTable<S, ExecSpace>(exec_, labels_, finish, own).pairs(sources, targets, distances);
  }

  /// \tparam Heading  from: the vertices that a vertex reaches; towards: the vertices that reach it
  /// \param numbers  of the vertices that are summed up
  template <Sweep Heading>
  std::vector<Reach<T>> reach(const std::vector<Index>& numbers, const Finish<S>& finish,
                              const Progress& progress) const {
    const std::size_t n = structure_->order.size(), vertices = numbers.size();
    std::vector<Reach<T>> all;
    const double bytes_of_vertex = static_cast<double>(std::max<std::size_t>(n, 1)) * 2 * sizeof(T);
    const auto fits = static_cast<std::size_t>(std::min(1e9, available_bytes(exec_) / 4 / bytes_of_vertex));
    const std::size_t most = std::clamp<std::size_t>(fits / columns * columns, columns, 64 * columns);
    require_memory(exec_, "the distances of " + std::to_string(std::min(vertices, most)) + " vertices",
                   static_cast<double>(n) * static_cast<double>(std::min(vertices, most)) * sizeof(T));
    const Kokkos::View<T**, Kokkos::LayoutRight, Memory> memory(
        Kokkos::view_alloc(exec_, "blockfw::distances", Kokkos::WithoutInitializing), n, std::min(vertices, most));
    for (std::size_t first = 0; first < vertices; first += most) {
      const std::size_t count = std::min(most, vertices - first);
      const auto at = numbers.begin() + static_cast<std::ptrdiff_t>(first);
      const RowsView distances(memory.data(), n, count);
      run<Heading>(in_memory({at, at + static_cast<std::ptrdiff_t>(count)}), finish, distances);
      const auto some = reach_of_matrix(exec_, distances, false);
      all.insert(all.end(), some.begin(), some.end());
      if (progress)
        progress(static_cast<std::int64_t>(div_up(first + count, most)),
                 static_cast<std::int64_t>(div_up(vertices, most)));
    }
    return all;
  }

  // (Public, as nvcc requires that of functions with a kernel in them.)

  /// \brief Writes the rows of distances of all vertices for a batch of vertices. Queued on the instance.
  /// \param numbers  of the batch's vertices in the order of elimination
  template <Sweep Heading>
  void run(const Array<Index>& numbers, const Finish<S>& finish, const RowsView& distances) const {
    const auto count = static_cast<std::int64_t>(numbers.extent(0));
    if (count == 0 || structure_->order.empty()) return;
    const auto path = static_cast<std::size_t>(structure_->longest_path);
    require_memory(exec_, "labels of " + std::to_string(count) + " vertices",
                   static_cast<double>(count) * static_cast<double>(path) * sizeof(T));
    const Workspace<ExecSpace> memory(exec_, numbers.extent(0) * path * sizeof(T), "blockfw::labels");
    const RowsView labels(reinterpret_cast<T*>(memory.data()), numbers.extent(0), path);
    labels_.template make<Heading>(exec_, numbers, labels);
    const std::vector<std::int64_t>& levels = labels_.tree().sweep_levels;
    for (std::size_t level = 0; level + 1 < levels.size(); ++level)
      sweep_level<Heading>(levels[level], levels[level + 1] - levels[level], numbers, labels, finish, distances);
  }

  /// The data that the kernel reads besides the rows of distances.
  template <class Labels>
  struct Level {
    Array<Node> nodes;
    Array<Task> tasks;
    Array<Index> boundary, order, numbers;
    Array<T> ways;
    Labels labels;
    std::int64_t first_task, task_count, count;
    bool limited;
    T limit;
  };

  /// Makes the rows of distances of all supernodes of a level, out of the rows of the levels above.
  template <Sweep Heading, class Labels>
  void sweep_level(std::int64_t first_task, std::int64_t task_count, const Array<Index>& numbers, const Labels& labels,
                   const Finish<S>& finish, const RowsView& distances) const {
    const auto count = static_cast<std::int64_t>(numbers.extent(0)), tiles = div_up(count, std::int64_t{columns});
    const Level<Labels> level{labels_.tree().nodes,
                              labels_.tree().sweep_tasks,
                              labels_.tree().boundary,
                              labels_.tree().order,
                              numbers,
                              labels_.ways(Heading),
                              labels,
                              first_task,
                              task_count,
                              count,
                              finish.limit.has_value(),
                              finish.limit.value_or(T(0))};
    for_teams(
        "blockfw::sparse_level",
        Policy(exec_, static_cast<int>(task_count * tiles), team_size)
            .set_scratch_size(scratch_level, Kokkos::PerTeam(scratch_bytes)),
        KOKKOS_LAMBDA(const Member& team) {
          const Task task = level.tasks(level.first_task + team.league_rank() % level.task_count);
          const Node& node = level.nodes(task.node);
          const int height = node.last - node.first - task.row;  // (missing rows cost as much as others)
          if (height <= rows / 4)
            sweep_rows<Heading, rows / 4>(team, level, distances, node, task.row);
          else if (height <= rows / 2)
            sweep_rows<Heading, rows / 2>(team, level, distances, node, task.row);
          else
            sweep_rows<Heading, rows>(team, level, distances, node, task.row);
        });
  }

  /// Rows [row, row + Rows) of a supernode, or those of them that it has, for a team's columns.
  template <Sweep Heading, int Rows, class Labels>
  static KOKKOS_FORCEINLINE_FUNCTION void sweep_rows(const Member& team, const Level<Labels>& level,
                                                     const RowsView& distances, const Node& node, int row) {
    constexpr int at_once = 4;  // rows that are loaded
    const int height = Kokkos::min(+Rows, node.last - node.first - row);
    const int scratch = scratch_level;
    T* const ways = static_cast<T*>(team.team_scratch(scratch).get_shmem_aligned(rows * depth * sizeof(T), 16));
    Index* const vertex = static_cast<Index*>(team.team_scratch(scratch).get_shmem_aligned(depth * sizeof(Index), 16));
    std::int64_t column[wide];
    bool exists[wide];
    T sum[Rows][wide];
    BLOCKFW_UNROLL
    for (int v = 0; v < wide; ++v) {
      column[v] = team.league_rank() / level.task_count * columns + v * team_size + team.team_rank();
      exists[v] = column[v] < level.count;
      if (!exists[v]) column[v] = level.count - 1;
    }
    BLOCKFW_UNROLL
    for (int r = 0; r < Rows; ++r) BLOCKFW_UNROLL
    for (int v = 0; v < wide; ++v) sum[r][v] = S::zero();
    for (int start = 0; start < node.boundary; start += depth) {
      const int deep = Kokkos::min(+depth, node.boundary - start);
      team.team_barrier();
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, Rows * round_up(deep, at_once)), [&](int e) {
        const int r = e % Rows, k = e / Rows, there = Kokkos::min(k, deep - 1);
        const bool counts = r < height && k < deep;
        ways[e] = counts ? level.ways(node.ways + (row + r) * std::int64_t{node.boundary} + start + k) : S::zero();
        if (r == 0) vertex[k] = level.order(level.boundary(node.boundary_first + start + there));
      });
      team.team_barrier();
      for (int k = 0; k < deep; k += at_once) {
        T there[at_once][wide];
        BLOCKFW_UNROLL
        for (int l = 0; l < at_once; ++l) BLOCKFW_UNROLL
        for (int v = 0; v < wide; ++v) there[l][v] = distances(vertex[k + l], column[v]);
        BLOCKFW_UNROLL
        for (int l = 0; l < at_once; ++l) BLOCKFW_UNROLL
        for (int r = 0; r < Rows; ++r) {
          const T way = ways[(k + l) * Rows + r];
          BLOCKFW_UNROLL
          for (int v = 0; v < wide; ++v)
            sum[r][v] = Heading == Sweep::towards ? S::relax(sum[r][v], way, there[l][v])
                                                  : S::relax(sum[r][v], there[l][v], way);
        }
      }
    }
    BLOCKFW_UNROLL
    for (int v = 0; v < wide; ++v) {
      const Index number = level.numbers(column[v]);
      if (number < node.subtree_first || number >= node.last) continue;
      BLOCKFW_UNROLL
      for (int r = 0; r < Rows; ++r)
        if (r < height) sum[r][v] = S::relax(sum[r][v], level.labels(column[v], node.depth + row + r), S::one());
    }
    BLOCKFW_UNROLL
    for (int r = 0; r < Rows; ++r) {
      if (r >= height) continue;
      const Index to = level.order(node.first + row + r);
      BLOCKFW_UNROLL
      for (int v = 0; v < wide; ++v) {
        constexpr T none = S::zero();
        if (level.limited && (none > T(0) ? sum[r][v] > level.limit : sum[r][v] < level.limit)) sum[r][v] = none;
        if (exists[v]) distances(to, column[v]) = sum[r][v];
      }
    }
  }

  /// d(first + c, v) = distances(v, c)
  template <class Distances, class Rows>
  static void transpose(const ExecSpace& exec, const Distances& distances, const Rows& d, std::int64_t first) {
    using Square = Kokkos::MDRangePolicy<ExecSpace, Kokkos::Rank<2, Kokkos::Iterate::Right, Kokkos::Iterate::Right>,
                                         Kokkos::IndexType<std::int64_t>>;
    Kokkos::parallel_for(
        "blockfw::rows", Square(exec, {0, 0}, {distances.extent_int(1), distances.extent_int(0)}),
        KOKKOS_LAMBDA(std::int64_t c, std::int64_t v) { d(first + c, v) = distances(v, c); });
  }

 private:
  DeviceSweeps(const ExecSpace& exec, const Elimination& structure, std::shared_ptr<const Tree> tree,
               const DeviceFactor<T, ExecSpace>& factor)
      : exec_(exec),
        structure_(&structure),
        labels_(exec, std::move(tree), factor),
        host_(std::make_shared<OnHost>()) {}

  static DeviceFactor<T, ExecSpace> copied_to(const ExecSpace& exec, const FactorValues<T>& values) {
    DeviceFactor<T, ExecSpace> factor{values.symmetric, {}, {}};
    const auto copy = [&](const char* label, const typename FactorValues<T>::Array& from) {
      require_memory(exec, "the numbers of a sparse factor", static_cast<double>(from.size()) * sizeof(T));
      const auto to = factor.allocate(exec, label, static_cast<std::int64_t>(from.size()));
      copy_array(exec, to, from);
      return to;
    };
    for (int sweep = 0; sweep < (values.symmetric ? 1 : 2); ++sweep) {
      factor.ways[sweep] = copy("blockfw::ways", values.ways[sweep]);
      factor.own[sweep] = copy("blockfw::own", values.own[sweep]);
    }
    exec.fence("blockfw::sparse_factor");
    return factor;
  }

  FactorValues<T> copied_back() const {
    const DeviceFactor<T, ExecSpace>& factor = labels_.factor();
    FactorValues<T> values{starts_of(*structure_), factor.symmetric, {}, {}, {}};
    const auto copy = [&](const char* label, const Array<T>& from) {
      require_host_memory("the numbers of a sparse factor", static_cast<double>(from.size()) * sizeof(T));
      const auto to = FactorValues<T>::allocate(label, from.size());
      copy_array(exec_, to, from);
      return to;
    };
    for (int sweep = 0; sweep < (factor.symmetric ? 1 : 2); ++sweep) {
      values.ways[sweep] = copy("blockfw::ways", factor.ways[sweep]);
      values.own[sweep] = copy("blockfw::own", factor.own[sweep]);
    }
    exec_.fence("blockfw::sparse_factor");
    return values;
  }

  Array<Index> in_memory(const std::vector<Index>& list) const {
    const Array<Index> there = in_space(exec_, list);
    exec_.fence("blockfw::sparse_numbers");  // before the list is freed
    return there;
  }

  /// The factor's numbers on the host, if they were asked for. Copies share them.
  struct OnHost {
    std::mutex mutex;
    std::shared_ptr<const FactorValues<T>> values;
  };

  ExecSpace exec_;
  const Elimination* structure_ = nullptr;
  DeviceLabels<S, ExecSpace> labels_;
  std::shared_ptr<OnHost> host_;
};

}  // namespace blockfw::detail
