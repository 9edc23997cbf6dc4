// SPDX-License-Identifier: MIT
/// \file
/// \brief Sweeps over a sparse factor on a device: large subtrees level by level, then all small ones in one launch.
#pragma once

#include "blockfw/detail/backend/backend.hpp"
#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/backend/vectors.hpp"
#include "blockfw/detail/backend/workspace.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/base/lanes.hpp"
#include "blockfw/detail/elimination/cycles_of_arcs.hpp"
#include "blockfw/detail/elimination/device_fronts.hpp"
#include "blockfw/detail/elimination/device_table.hpp"
#include "blockfw/detail/elimination/device_tree.hpp"
#include "blockfw/detail/elimination/factor.hpp"
#include "blockfw/detail/elimination/factorise.hpp"
#include "blockfw/detail/elimination/front_arcs.hpp"
#include "blockfw/detail/elimination/place.hpp"
#include "blockfw/detail/graph/supernodes.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/detail/loops/threads.hpp"
#include "blockfw/detail/matrices/copies.hpp"
#include "blockfw/detail/matrices/reach_of_matrix.hpp"
#include "blockfw/detail/plan/finish.hpp"
#include "blockfw/detail/plan/potentials.hpp"
#include "blockfw/ground/answers.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/semiring.hpp"
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

/// \brief A factor on a device, and the sweeps over it.
///
/// A row of the result has the distances between a vertex and the vertices of a batch; these are its columns. Each
/// thread of a team takes some columns: neighbouring threads read and write neighbouring numbers.
///
/// Supernodes with large subtrees come first, level by level. A team takes a few rows of one of them. Then a team takes
/// a whole small subtree, from its root down. Its threads read distances of the levels, and distances that they have
/// written themselves. Threads of a team share nothing.
template <Semiring S, class ExecSpace>
class DeviceSweeps {
 public:
  using T = typename S::value_type;
  using Space = ExecSpace;
  static constexpr bool searches = false;
  using Index = std::int32_t;
  using Memory = typename ExecSpace::memory_space;
  using Policy = Kokkos::TeamPolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>;
  using Member = typename Policy::member_type;
  using Tree = DeviceTree<ExecSpace>;
  using Labels = typename DeviceLabels<S, ExecSpace>::Labels;
  template <class E>
  using Array = Kokkos::View<E*, Memory>;
  /// Distances: a row for each vertex, in the caller's order.
  using RowsView = Kokkos::View<T**, Kokkos::LayoutRight, Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  static constexpr int rows = Tree::sweep_rows, thread_columns = sizeof(T) > 4 ? 2 : 4;
  static constexpr int team_size = is_host_space<ExecSpace> ? 1 : 128, columns = thread_columns * team_size;

  DeviceSweeps() = default;

  /// \brief Eliminates the arcs; see SparseFactor. A host eliminates if sums might not fit the type, if a cycle may be
  /// negative by rounding alone, or if the decision on cycles is strict.
  static DeviceSweeps eliminated(const ExecSpace& exec, const Elimination& structure, const FrontArcs<T>& arcs,
                                 const WeightRange<T>& range, const FactorOptions& options) {
    const auto n = static_cast<std::int64_t>(structure.order.size());
    require_accepted<S>(range);
    require_no_cycle_of_arc<S>(structure, arcs, range, options.direction);
    // (By the strict rule the decision on the cycles comes first, on the host.)
    if (sums_fit<S>(n, range) && !(options.strict_cycles && cancels<S>(range))) {
      const auto tree = tree_of(exec, structure);
      const bool symmetric = options.direction == Direction::undirected && is_commutative<S>;
      std::optional<DeviceFactor<T, ExecSpace>> factor;
      try {
        factor = DeviceFronts<S, ExecSpace>(exec, *tree, arcs, symmetric).eliminate(structure.order);
      } catch (const DivergentCycle&) {
        if (!may_cancel<S>) throw;
      }
      if (factor) {
        DeviceSweeps sweeps(exec, structure, tree, *factor, range);
        if (options.progress && n > 0) options.progress(n, n);
        return sweeps;
      }
    }
    return {exec, structure, factorise<S>(host_of(exec), structure, arcs, range, options, false), range};
  }

  /// Copies numbers that a host has made.
  DeviceSweeps(const ExecSpace& exec, const Elimination& structure, std::shared_ptr<const FactorValues<T>> values,
               const WeightRange<T>& range)
      : DeviceSweeps(exec, structure, tree_of(exec, structure), DeviceFactor<T, ExecSpace>::copy_of(exec, *values),
                     range) {
    host_->values = std::move(values);
  }

  const ExecSpace& exec() const { return exec_; }
  const Elimination& structure() const { return *structure_; }
  WeightRange<T> range() const { return range_; }

  /// The factor on the host. The first call copies its numbers.
  /// \throws OutOfMemory; InvalidInput as require_vectors()
  HostFactor<S> on_host() const {
    require_vectors();
    const std::lock_guard lock(host_->mutex);
    if (!host_->values)
      host_->values = std::make_shared<const FactorValues<T>>(labels_.factor().on_host(exec_, *structure_));
    return {*structure_, *host_->values, nullptr, range_};
  }

  bool is_symmetric() const { return labels_.factor().symmetric; }

  /// The number of rows that 256 MB hold; 32 or more.
  std::size_t rows_of_table(std::size_t distances) const {
    return std::max<std::size_t>((std::size_t{1} << 28) / sizeof(T) / (distances + 1), 32);
  }

  /// The number of rows: 1024, or more for a smaller graph.
  std::size_t rows_at_once() const {
    const std::size_t n = std::max<std::size_t>(structure_->order.size(), 1);
    return std::clamp<std::size_t>((std::size_t{1} << 28) / n / columns * columns, 1024, 1 << 14);
  }

  /// Writes the distances from all vertices to all vertices.
  template <class Matrix>
  void towards_all(const Matrix& d, const Progress& progress) const {
    run<Sweep::towards>(labels_.tree().place, RowsView(d));
    exec_.fence("blockfw::sparse_solve");
    mark_own<S>(exec_, structure_->order, range_, structure_->place, d);
    if (progress) progress(1, 1);
  }

  /// Writes rows of distances from the vertices with these numbers.
  template <class Rows>
  void rows_from(std::span<const Index> numbers, const Rows& d) const {
    for_batches<Sweep::from>(numbers, rows_at_once(), [&](std::size_t first, const RowsView& distances) {
      transpose(exec_, distances, d, static_cast<std::int64_t>(first));
      exec_.fence("blockfw::sparse_rows");
    });
    mark_own<S>(exec_, structure_->order, range_, numbers, d);
  }

  /// Writes the distances from each source to each target.
  template <class Matrix>
  void table(std::span<const Index> sources, std::span<const Index> targets, const Matrix& d) const {
    products().table(sources, targets, d);
  }

  /// Calls f(first, rows) for blocks of at most `most` rows of a table.
  template <class F>
  void for_rows_of_table(std::span<const Index> sources, std::span<const Index> targets, std::size_t most,
                         const F& f) const {
    blocks_of_table(*this, sources, targets, most, f);
  }

  /// \brief Writes the distance of each pair.
  /// \param distances  on the host
  void pairs(std::span<const Index> sources, std::span<const Index> targets, T* distances) const {
    products().pairs(sources, targets, distances);
  }

  /// \tparam Heading  from: the vertices that a vertex reaches; towards: the vertices that reach it
  /// \param numbers  of the vertices that are summed up
  template <Sweep Heading>
  std::vector<Reach<T>> reach(std::span<const Index> numbers, const Progress& progress) const {
    std::vector<Reach<T>> all;
    const double bytes_of_vertex =
        static_cast<double>(std::max<std::size_t>(structure_->order.size(), 1)) * 2 * sizeof(T);
    const auto fits = static_cast<std::size_t>(std::min(1e9, available_bytes(exec_) / 4 / bytes_of_vertex));
    const std::size_t most = std::clamp<std::size_t>(fits / columns * columns, columns, 64 * columns);
    for_batches<Heading>(numbers, most, [&](std::size_t first, const RowsView& distances) {
      const auto some = reach_of_matrix(exec_, distances, false);
      all.insert(all.end(), some.begin(), some.end());
      if (progress)
        progress(static_cast<std::int64_t>(first / most + 1), static_cast<std::int64_t>(div_up(numbers.size(), most)));
    });
    return all;
  }

  /// Calls f(first, distances) for batches of the vertices numbers[...], in order. distances(v, c) is the distance
  /// between vertex v and vertex number numbers[first + c]: to that vertex (towards), or from it (from).
  /// \param most  vertices of a batch
  template <Sweep Heading, class F>
  void for_batches(std::span<const Index> numbers, std::size_t most, const F& f) const {
    const std::size_t n = structure_->order.size(), widest = std::min(numbers.size(), most);
    require_memory(exec_, "the distances of " + std::to_string(widest) + " vertices",
                   static_cast<double>(n) * static_cast<double>(widest) * sizeof(T));
    const auto memory = new_array<T>(exec_, "blockfw::distances", n * widest);
    for (std::size_t first = 0; first < numbers.size(); first += most) {
      const std::size_t count = std::min(most, numbers.size() - first);
      const RowsView distances(memory.data(), n, count);
      run<Heading>(in_memory(numbers.subspan(first, count)), distances);
      f(first, distances);
    }
  }

  // (Public, since nvcc requires public functions for kernels.)

  /// \brief Writes the rows of distances of all vertices for a batch of vertices. Queued on the instance.
  /// \param numbers  of the batch's vertices in the order of elimination
  template <Sweep Heading>
  void run(const Array<Index>& numbers, const RowsView& distances) const {
    const auto count = static_cast<std::int64_t>(numbers.extent(0));
    if (count == 0 || structure_->order.empty()) return;
    require_memory(exec_, "labels of " + std::to_string(count) + " vertices",
                   static_cast<double>(count) * static_cast<double>(structure_->longest_path) * sizeof(T));
    Workspace<ExecSpace> memory;
    const Tree& tree = labels_.tree();
    const Labels labels = labels_.template make<Heading>(exec_, numbers, numbers.extent(0), "blockfw::labels", memory);
    const Data data{tree.nodes, tree.boundary,           tree.order, numbers, labels_.ways(Heading), labels,
                    count,      DeviceLimit<S>(finish())};
    sweep_columns<Heading>(data, distances);
  }

  /// The data that the kernels read besides the rows of distances.
  struct Data {
    Array<DeviceNode> nodes;
    Array<Index> boundary, order, numbers;
    Array<T> ways;
    Labels labels;
    std::int64_t count;  ///< columns
    DeviceLimit<S> limit;
  };

  template <Sweep Heading>
  void sweep_columns(const Data& data, const RowsView& distances) const {
    const std::int64_t tiles = div_up(data.count, std::int64_t{columns});
    const Tree& tree = labels_.tree();
    for (std::size_t level = 0; level + 1 < tree.sweep_levels.size(); ++level) {
      const auto tasks = tree.sweep_tasks;
      const std::int64_t first = tree.sweep_levels[level], count = tree.sweep_levels[level + 1] - first;
      if (count == 0) continue;
      for_teams(
          "blockfw::sparse_level", Policy(exec_, static_cast<int>(count * tiles), team_size),
          KOKKOS_LAMBDA(const Member& team) {
            const RowsTask task = tasks(first + team.league_rank() / tiles);
            with_columns(team, data, distances, tiles, [&](const auto& own) {
              sweep_rows<Heading, rows>(data, own, true, data.nodes(task.node), task.row);
            });
          });
    }
    const auto subtrees = tree.subtrees;
    if (subtrees.extent(0) == 0) return;
    for_teams(
        "blockfw::sparse_subtrees",
        Policy(exec_, static_cast<int>(static_cast<std::int64_t>(subtrees.extent(0)) * tiles), team_size),
        KOKKOS_LAMBDA(const Member& team) {
          const SubtreeTask task = subtrees(team.league_rank() / tiles);
          with_columns(team, data, distances, tiles, [&](const auto& own) { sweep_subtree<Heading>(data, own, task); });
        });
  }

  /// \brief The columns of a thread.
  /// \tparam Whole  whether all of them exist. Then their places are known when the program is compiled.
  template <bool Whole>
  struct Columns {
    std::int64_t column;  ///< the first
    T* first;             ///< its entry of the first row
    std::uint32_t stride;
    Index number[thread_columns];  ///< the number of each column's vertex in the order of elimination
    std::int32_t there[thread_columns];
    int exist;

    KOKKOS_FORCEINLINE_FUNCTION Columns(const Data& data, const RowsView& distances, std::int64_t tile, int rank) {
      column = Kokkos::min(tile * columns + rank, data.count - 1);
      first = distances.data() + column;
      stride = static_cast<std::uint32_t>(distances.stride(0));
      exist = 0;
      BLOCKFW_UNROLL
      for (int v = 0; v < thread_columns; ++v) {
        const std::int64_t mine = tile * columns + rank + v * team_size;
        there[v] = mine < data.count ? v * team_size : 0;
        exist += mine < data.count ? 1 : 0;
        number[v] = data.numbers(column + place(v));
      }
    }
    /// From the first column to column v. A missing column is the first one: other threads' columns are not read.
    KOKKOS_FORCEINLINE_FUNCTION std::int32_t place(int v) const { return Whole ? v * team_size : there[v]; }
    KOKKOS_FORCEINLINE_FUNCTION bool exists(int v) const { return Whole || v < exist; }
    KOKKOS_FORCEINLINE_FUNCTION T* row(Index vertex) const {
      return first + std::uint64_t{static_cast<std::uint32_t>(vertex)} * stride;
    }
  };

  /// Calls f with the columns of a thread, if it has any.
  /// \param tiles  teams that share a task; each has other columns
  template <class F>
  static KOKKOS_FORCEINLINE_FUNCTION void with_columns(const Member& team, const Data& data, const RowsView& distances,
                                                       std::int64_t tiles, const F& f) {
    const std::int64_t tile = team.league_rank() % tiles;
    if ((tile + 1) * columns <= data.count)
      f(Columns<true>(data, distances, tile, team.team_rank()));
    else if (const Columns<false> own(data, distances, tile, team.team_rank()); own.exists(0))
      f(own);
  }

  /// Makes the rows of a small subtree for a thread's columns.
  template <Sweep Heading, bool Whole>
  static KOKKOS_FORCEINLINE_FUNCTION void sweep_subtree(const Data& data, const Columns<Whole>& own,
                                                        const SubtreeTask& task) {
    const DeviceNode root = data.nodes(task.root);
    bool below = false;
    BLOCKFW_UNROLL
    for (int v = 0; v < thread_columns; ++v)
      below = below || (own.number[v] >= root.subtree_first && own.number[v] < root.last);
    for (Index s = task.root; s >= task.first; --s) {
      const DeviceNode node = data.nodes(s);
      int row = 0;
      for (; row < node.width() - rows / 2; row += rows) sweep_rows<Heading, rows>(data, own, below, node, row);
      if (row < node.width()) sweep_rows<Heading, rows / 2>(data, own, below, node, row);
    }
  }

  /// \brief Makes rows [row, row + Rows) of a supernode, as far as the supernode has these rows, for a thread's
  /// columns.
  /// \param below  whether a vertex of the columns may lie in the supernode's subtree
  template <Sweep Heading, int Rows, bool Whole>
  static KOKKOS_FORCEINLINE_FUNCTION void sweep_rows(const Data& data, const Columns<Whole>& own, bool below,
                                                     const DeviceNode& node, int row) {
    constexpr int at_once = 4;  // rows that are loaded
    const int height = Kokkos::min(+Rows, node.width() - row);
    const auto deep = static_cast<std::uint32_t>(node.boundary);
    const Index* const boundary = data.boundary.data() + node.boundary_first;
    const T* const ways = data.ways.data() + node.ways;
    std::uint32_t of_row[Rows];
    T sum[Rows][thread_columns];
    // (The last row stands for missing rows of the boundary, and of the supernode.)
    BLOCKFW_UNROLL
    for (int r = 0; r < Rows; ++r) {
      of_row[r] = static_cast<std::uint32_t>(row + Kokkos::min(r, height - 1)) * deep;
      BLOCKFW_UNROLL
      for (int v = 0; v < thread_columns; ++v) sum[r][v] = S::zero();
    }
    for (std::uint32_t k = 0; k < deep; k += at_once) {
      // (All loads come before the first use, so that their latencies overlap.)
      std::uint32_t at[at_once];
      Index vertex[at_once];
      T way[Rows][at_once], there[at_once][thread_columns];
      BLOCKFW_UNROLL
      for (int l = 0; l < at_once; ++l) {
        at[l] = Kokkos::min(k + static_cast<std::uint32_t>(l), deep - 1);
        vertex[l] = boundary[at[l]];
      }
      BLOCKFW_UNROLL
      for (int l = 0; l < at_once; ++l) BLOCKFW_UNROLL
      for (int r = 0; r < Rows; ++r) way[r][l] = ways[of_row[r] + at[l]];
      BLOCKFW_UNROLL
      for (int l = 0; l < at_once; ++l) {
        const T* const from = own.row(vertex[l]);
        BLOCKFW_UNROLL
        for (int v = 0; v < thread_columns; ++v) there[l][v] = from[own.place(v)];
      }
      BLOCKFW_UNROLL
      for (int l = 0; l < at_once; ++l) BLOCKFW_UNROLL
      for (int r = 0; r < Rows; ++r) BLOCKFW_UNROLL
      for (int v = 0; v < thread_columns; ++v)
        sum[r][v] = Heading == Sweep::towards ? S::relax(sum[r][v], way[r][l], there[l][v])
                                              : S::relax(sum[r][v], there[l][v], way[r][l]);
    }
    finish_rows(data, own, below, node, row, height, sum);
  }

  /// Adds the paths inside the supernode's subtree, and stores the rows.
  template <int Rows, bool Whole>
  static KOKKOS_FORCEINLINE_FUNCTION void finish_rows(const Data& data, const Columns<Whole>& own, bool below,
                                                      const DeviceNode& node, int row, int height,
                                                      T (&sum)[Rows][thread_columns]) {
    if (below) {
      BLOCKFW_UNROLL
      for (int v = 0; v < thread_columns; ++v) {
        if (own.number[v] < node.subtree_first || own.number[v] >= node.last) continue;
        BLOCKFW_UNROLL
        for (int r = 0; r < Rows; ++r)
          if (r < height)
            sum[r][v] = S::relax(sum[r][v], data.labels(own.column + own.place(v), node.depth + row + r), S::one());
      }
    }
    if (data.limit.exists) {
      BLOCKFW_UNROLL
      for (int r = 0; r < Rows; ++r) BLOCKFW_UNROLL
      for (int v = 0; v < thread_columns; ++v) sum[r][v] = data.limit.marked(sum[r][v]);
    }
    BLOCKFW_UNROLL
    for (int r = 0; r < Rows; ++r) {
      if (r >= height) break;
      T* const to = own.row(data.order(node.first + row + r));
      BLOCKFW_UNROLL
      for (int v = 0; v < thread_columns; ++v)
        if (own.exists(v)) to[own.place(v)] = sum[r][v];
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
               const DeviceFactor<T, ExecSpace>& factor, const WeightRange<T>& range)
      : exec_(exec),
        structure_(&structure),
        range_(range),
        labels_(exec, std::move(tree), factor),
        host_(std::make_shared<OnHost>()) {}

  Finish<S> finish() const { return finish_of<S>(static_cast<std::int64_t>(structure_->order.size()), range_); }
  DeviceTable<S, ExecSpace> products() const { return {exec_, labels_, finish(), cancels<S>(range_)}; }
  static std::shared_ptr<const Tree> tree_of(const ExecSpace& exec, const Elimination& structure) {
    return structure.on_devices->get<Tree>(exec, [&] { return std::make_shared<const Tree>(exec, structure); });
  }

  Array<Index> in_memory(std::span<const Index> list) const {
    const std::vector<Index> copy(list.begin(), list.end());
    const Array<Index> there = in_space(exec_, copy);
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
  WeightRange<T> range_;
  DeviceLabels<S, ExecSpace> labels_;
  std::shared_ptr<OnHost> host_;
};

}  // namespace blockfw::detail
