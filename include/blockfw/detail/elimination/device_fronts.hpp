// SPDX-License-Identifier: MIT
/// \file
/// \brief Elimination of the supernodes of a sparse graph with weights, on a device: level by level of the tree.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/base/lanes.hpp"
#include "blockfw/detail/elimination/device_tree.hpp"
#include "blockfw/detail/elimination/factor.hpp"
#include "blockfw/detail/elimination/front_arcs.hpp"
#include "blockfw/detail/elimination/team_product.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/detail/matrices/copies.hpp"
#include "blockfw/detail/plan/finish.hpp"
#include "blockfw/ground/answers.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace blockfw::detail {

/// \brief The numbers of a factor in the memory of a device.
template <class T, class ExecSpace>
struct DeviceFactor : FactorArrays<T, typename ExecSpace::memory_space> {
  using typename FactorArrays<T, typename ExecSpace::memory_space>::Array;

  /// \brief Copies a factor that a host has made. Fences the instance.
  /// \throws OutOfMemory
  static DeviceFactor copy_of(const ExecSpace& exec, const FactorValues<T>& values) {
    DeviceFactor factor;
    factor.assign(values, [&](const char* label, const auto& from) {
      require_memory(exec, "the numbers of a sparse factor", static_cast<double>(from.size()) * sizeof(T));
      const Array to = new_array<T>(exec, label, from.size());
      copy_array(exec, to, from);
      return to;
    });
    exec.fence("blockfw::sparse_factor");
    return factor;
  }

  /// \brief The same numbers in a host's memory. Fences the instance.
  /// \throws OutOfMemory
  FactorValues<T> on_host(const ExecSpace& exec, const Elimination& structure) const {
    FactorValues<T> values;
    values.start = starts_of(structure);
    values.assign(*this, [&](const char* label, const Array& from) {
      require_host_memory("the numbers of a sparse factor", static_cast<double>(from.size()) * sizeof(T));
      const auto to = FactorValues<T>::allocate(label, from.size());
      copy_array(exec, to, from);
      return to;
    });
    exec.fence("blockfw::sparse_factor");
    return values;
  }
};

/// \brief Makes the numbers of a factor on a device. See Fronts for the method, DeviceTree for the order of the work.
template <Semiring S, class ExecSpace>
class DeviceFronts {
 public:
  using T = typename S::value_type;
  using Index = std::int32_t;
  using Tree = DeviceTree<ExecSpace>;
  using Product = TeamProduct<S, ExecSpace, Tree::tile>;
  using Policy = Kokkos::TeamPolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>;
  using Member = typename Policy::member_type;
  template <class E>
  using Array = typename Tree::template Array<E>;

  static constexpr int lanes = is_host_space<ExecSpace> ? 1 : 32;
  static constexpr int threads = is_host_space<ExecSpace> ? 1 : 8;
  static constexpr Index pivots = Tree::pivots, tile = Tree::tile;

  /// Arrays that the kernels read and write.
  struct Data {
    Array<DeviceNode> nodes;
    Array<Index> parent_row, children, block;
    Array<FrontTask> tasks;
    Array<std::int64_t> first_arc;  ///< the first arc of each supernode, and the end of the last
    Array<ArcPlan::Place> places;
    Array<T> weights;
    T* fronts;
    T* closed;  ///< the closed block of pivots of each large front
    DeviceFactor<T, ExecSpace> factor;
    Array<Index> diverged;  ///< one number: a vertex on a cycle that diverges, or no_vertex
  };

  /// \param arcs       with weights
  /// \param symmetric  whether it is known that the arcs are symmetric and that ⊗ is commutative
  /// \throws OutOfMemory
  DeviceFronts(const ExecSpace& exec, const Tree& tree, const FrontArcs<T>& arcs, bool symmetric)
      : exec_(exec), tree_(tree) {
    data_.factor.symmetric = symmetric;
    const int sweeps = data_.factor.sweeps();
    const std::size_t blocks = static_cast<std::size_t>(tree.blocks) * pivots * pivots;
    require_memory(exec, "the factor of " + std::to_string(tree.vertices) + " vertices",
                   (sweeps * static_cast<double>(tree.ways + tree.own) + static_cast<double>(tree.fronts) +
                    static_cast<double>(blocks)) *
                           sizeof(T) +
                       static_cast<double>(arcs.weights.size()) * (sizeof(T) + sizeof(ArcPlan::Place)));
    memory_ = new_array<T>(exec, "blockfw::fronts", tree.fronts + static_cast<std::int64_t>(blocks));
    data_.nodes = tree.nodes;
    data_.parent_row = tree.parent_row;
    data_.children = tree.children;
    data_.block = tree.block;
    data_.tasks = tree.tasks;
    const std::vector<std::int64_t> first(arcs.plan->first.begin(), arcs.plan->first.end());
    const std::vector<Index> none{no_vertex};
    data_.first_arc = in_space(exec, first);
    data_.places = in_space(exec, arcs.plan->places);
    data_.weights = in_space(exec, arcs.weights);
    data_.diverged = in_space(exec, none);
    data_.fronts = memory_.data();
    data_.closed = data_.fronts + tree.fronts;
    for (int sweep = 0; sweep < sweeps; ++sweep) {
      data_.factor.ways[sweep] = new_array<T>(exec, "blockfw::ways", tree.ways);
      data_.factor.own[sweep] = new_array<T>(exec, "blockfw::own", tree.own);
    }
    exec.fence("blockfw::fronts");  // before the lists are freed
  }

  /// \brief Eliminates all supernodes. Fences the instance.
  /// \throws NegativeCycle, DivergentCycle  with a vertex on the cycle
  DeviceFactor<T, ExecSpace> eliminate(const std::vector<Index>& order) {
    for (const FrontLaunch& launch : tree_.launches) switch (launch.step) {
        case FrontStep::whole:
          eliminate_whole(launch);
          break;
        case FrontStep::assemble:
        case FrontStep::keep:
          assemble_or_keep(launch, launch.step == FrontStep::assemble);
          break;
        case FrontStep::panels:
          update_panels(launch);
          break;
        case FrontStep::rest:
          update_rest(launch);
          break;
      }
    Index diverged = no_vertex;
    copy_bytes<Kokkos::HostSpace, typename ExecSpace::memory_space>(exec_, &diverged, data_.diverged.data(),
                                                                    sizeof(Index));
    exec_.fence("blockfw::eliminate");
    if (diverged != no_vertex) throw_cycle<S>(order[static_cast<std::size_t>(diverged)]);
    DeviceFactor<T, ExecSpace> factor = data_.factor;
    if constexpr (is_commutative<S>)
      factor.find_symmetry([&](const Array<T>& a, const Array<T>& b) { return equal(exec_, a, b); });
    return factor;
  }

  // (Public, since nvcc requires public functions for kernels.)

  void eliminate_whole(const FrontLaunch& launch) const {
    const Data d = data_;
    const std::int64_t first = launch.first;
    for_teams(
        "blockfw::fronts", Policy(exec_, static_cast<int>(launch.count), threads, lanes),
        KOKKOS_LAMBDA(const Member& team) {
          if (has_diverged(team, d)) return;
          const DeviceNode& node = d.nodes(d.tasks(first + team.league_rank()).node);
          assemble_rows(team, d, node, d.tasks(first + team.league_rank()).node, 0, node.order());
          if (close(team, d, node)) keep_rows(team, d, node, 0, node.width());
        });
  }

  void assemble_or_keep(const FrontLaunch& launch, bool assembles) const {
    const Data d = data_;
    const std::int64_t first = launch.first;
    for_teams(
        "blockfw::front_rows", Policy(exec_, static_cast<int>(launch.count), threads, lanes),
        KOKKOS_LAMBDA(const Member& team) {
          if (has_diverged(team, d)) return;
          const FrontTask task = d.tasks(first + team.league_rank());
          const DeviceNode& node = d.nodes(task.node);
          const Index end = Kokkos::min(task.row + Tree::rows, node.order());
          if (assembles)
            assemble_rows(team, d, node, task.node, task.row, end);
          else
            keep_rows(team, d, node, task.row, Kokkos::min(end, node.width()));
        });
  }

  void update_panels(const FrontLaunch& launch) const {
    const Data d = data_;
    const std::int64_t first = launch.first;
    const Index pivot = launch.pivot;
    for_teams(
        "blockfw::front_panels", team_policy(launch), KOKKOS_LAMBDA(const Member& team) {
          const FrontTask task = d.tasks(first + team.league_rank());
          if (pivot < d.nodes(task.node).width() && !has_diverged(team, d)) close_panel(team, d, task, pivot);
        });
  }

  void update_rest(const FrontLaunch& launch) const {
    const Data d = data_;
    const std::int64_t first = launch.first;
    const Index pivot = launch.pivot;
    for_teams(
        "blockfw::front_tiles", team_policy(launch), KOKKOS_LAMBDA(const Member& team) {
          const FrontTask task = d.tasks(first + team.league_rank());
          if (pivot < d.nodes(task.node).width() && !has_diverged(team, d)) relax_tile(team, d, task, pivot);
        });
  }

  /// For launches of products. (The members of its teams are of the type Member, too.)
  auto team_policy(const FrontLaunch& launch) const {
    return typename Product::Policy(exec_, static_cast<int>(launch.count), Product::team_size)
        .set_scratch_size(Product::scratch_level, Kokkos::PerTeam(static_cast<int>(scratch_bytes)));
  }

  /// The scratch of a product. Panels have a closed block of pivots, and a part of the rows or columns.
  static constexpr std::size_t panel_bytes = (pivots * pivots + pivots * tile) * sizeof(T) + 64;
  static constexpr std::size_t scratch_bytes =
      panel_bytes > Product::scratch_bytes ? panel_bytes : Product::scratch_bytes;

  /// Whether a cycle is known to diverge. All threads of a team get the same answer, while other teams find cycles.
  static KOKKOS_FUNCTION bool has_diverged(const Member& team, const Data& d) {
    Index vertex = no_vertex;
    Kokkos::single(Kokkos::PerTeam(team), [&](Index& value) { value = d.diverged(0); }, vertex);
    return vertex != no_vertex;
  }

  /// Fills rows [first, end) of a front: zero(), the supernode's own arcs, and the updates of its children.
  static KOKKOS_FUNCTION void assemble_rows(const Member& team, const Data& d, const DeviceNode& node, Index s,
                                            Index first, Index end) {
    const Index m = node.order(), w = node.width();
    T* const front = d.fronts + node.front;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first, end), [&](Index i) {
      T* const row = front + std::int64_t{i} * m;
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, m),
                           [&](Index j) { row[j] = i == j && i < w ? S::one() : S::zero(); });
      Kokkos::single(Kokkos::PerThread(team), [&]() {
        for (std::int64_t a = d.first_arc(s); a < d.first_arc(s + 1); ++a)
          if (d.places(a).row == i) {
            T& entry = row[d.places(a).column];
            entry = S::relax(entry, d.weights(a), S::one());
          }
      });
    });
    for (Index c = node.child_first; c < node.child_end; ++c) {
      team.team_barrier();
      const DeviceNode& child = d.nodes(d.children(c));
      const Index b = child.boundary, order = child.order();
      const T* const update = d.fronts + child.front + std::int64_t{child.width()} * (order + 1);
      const Index* const place = d.parent_row.data() + child.boundary_first;
      // Which of the child's rows are among these? Their places ascend.
      Index begin = 0, past = b;
      if (first > 0 || end < m) {
        while (begin < b && place[begin] < first) ++begin;
        for (past = begin; past < b && place[past] < end;) ++past;
      }
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, begin, past), [&](Index i) {
        T* const row = front + std::int64_t{place[i]} * m;
        const T* const from = update + std::int64_t{i} * order;
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, b), [&](Index j) {
          T& entry = row[place[j]];
          entry = S::relax(entry, from[j], S::one());
        });
      });
    }
    team.team_barrier();
  }

  /// \brief Floyd-Warshall with the front's own vertices as pivots.
  /// \return whether no cycle diverges
  static KOKKOS_FUNCTION bool close(const Member& team, const Data& d, const DeviceNode& node) {
    const Index m = node.order(), w = node.width();
    T* const front = d.fronts + node.front;
    for (Index k = 0; k < w; ++k) {
      const T* const through = front + std::int64_t{k} * m;
      if (S::diverges(through[k])) {
        Kokkos::single(Kokkos::PerTeam(team), [&]() { Kokkos::atomic_max(&d.diverged(0), node.first + k); });
        return false;
      }
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, m), [&](Index i) {
        T* const row = front + std::int64_t{i} * m;
        const T to_pivot = row[k];
        if (i == k || to_pivot == S::zero()) return;
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, m), [&](Index j) {
          const T old = row[j], best = S::relax(old, to_pivot, through[j]);
          if (best != old && j != k) row[j] = best;
        });
      });
      team.team_barrier();
    }
    return true;
  }

  /// Copies rows [first, end) of the supernode's numbers to the factor.
  static KOKKOS_FUNCTION void keep_rows(const Member& team, const Data& d, const DeviceNode& node, Index first,
                                        Index end) {
    const Index m = node.order(), w = node.width(), b = node.boundary;
    const T* const front = d.fronts + node.front;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first, Kokkos::max(first, end)), [&](Index i) {
      const std::int64_t ways = node.ways + std::int64_t{i} * b, own = node.own + std::int64_t{i} * w;
      const T* const row = front + std::int64_t{i} * m;
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, m), [&](Index j) {
        const T out = row[j], in = front[std::int64_t{j} * m + i];
        if (j < w)
          d.factor.own[0](own + j) = in;
        else
          d.factor.ways[0](ways + j - w) = out;
        if (d.factor.symmetric) return;
        if (j < w)
          d.factor.own[1](own + j) = out;
        else
          d.factor.ways[1](ways + j - w) = in;
      });
    });
  }

  /// \brief Closes a block of pivots in scratch, and updates a part of its rows or of its columns. Each team closes the
  /// block by itself. A team with neither rows nor columns stores it for relax_tile().
  static KOKKOS_FUNCTION void close_panel(const Member& team, const Data& d, const FrontTask& task, Index pivot) {
    const DeviceNode& node = d.nodes(task.node);
    const Index m = node.order(), some = Kokkos::min(+pivots, node.width() - pivot);
    const int rank = team.team_rank(), level = Product::scratch_level;
    T* const front = d.fronts + node.front;
    T* const closed = static_cast<T*>(team.team_scratch(level).get_shmem_aligned(pivots * pivots * sizeof(T), 16));
    T* const part = static_cast<T*>(team.team_scratch(level).get_shmem_aligned(pivots * tile * sizeof(T), 16));
    for (int e = rank; e < pivots * pivots; e += Product::team_size) {
      const Index i = e / pivots, j = e % pivots;
      closed[e] = i < some && j < some ? front[std::int64_t{pivot + i} * m + pivot + j] : i == j ? S::one() : S::zero();
    }
    const bool is_row = task.row < 0;  // (a part of the pivots' rows: some columns)
    const Index begin = is_row ? task.column : task.row, count = begin < 0 ? 0 : Kokkos::min(+tile, m - begin);
    const std::int64_t next_pivot = is_row ? m : 1, next = is_row ? 1 : m;
    T* const there = front + (is_row ? std::int64_t{pivot} * m + begin : std::int64_t{begin} * m + pivot);
    for (int e = rank; begin >= 0 && e < pivots * tile; e += Product::team_size) {
      const Index k = is_row ? e / tile : e % pivots, v = is_row ? e % tile : e / pivots;
      part[k * tile + v] = k < some && v < count ? there[k * next_pivot + v * next] : S::zero();
    }
    team.team_barrier();
    for (Index k = 0; k < some; ++k) {
      if (S::diverges(closed[k * pivots + k])) {
        if (rank == 0) Kokkos::atomic_max(&d.diverged(0), node.first + pivot + k);
        return;
      }
      BLOCKFW_UNROLL
      for (int e = rank; e < pivots * pivots; e += Product::team_size) {
        const Index i = e / pivots, j = e % pivots;
        const T best = S::relax(closed[e], closed[i * pivots + k], closed[k * pivots + j]);
        if (i != k && j != k) closed[e] = best;
      }
      team.team_barrier();
    }
    if (begin < 0) {
      T* const to = d.closed + std::int64_t{d.block(task.node)} * pivots * pivots;
      for (int e = rank; e < pivots * pivots; e += Product::team_size) to[e] = closed[e];
      return;
    }
    for (int e = rank; e < pivots * tile; e += Product::team_size) {
      const Index i = is_row ? e / tile : e % pivots, v = is_row ? e % tile : e / pivots;
      if (i >= some || v >= count || (begin + v >= pivot && begin + v < pivot + some)) continue;
      T best = part[i * tile + v];
      for (Index k = 0; k < some; ++k)
        best = is_row ? S::relax(best, closed[i * pivots + k], part[k * tile + v])
                      : S::relax(best, part[k * tile + v], closed[k * pivots + i]);
      there[i * next_pivot + v * next] = best;
    }
  }

  /// Updates a tile by a block of pivots. The pivots' own rows and columns are done, and their block is stored.
  static KOKKOS_FUNCTION void relax_tile(const Member& team, const Data& d, const FrontTask& task, Index pivot) {
    const DeviceNode& node = d.nodes(task.node);
    const Index m = node.order(), some = Kokkos::min(+pivots, node.width() - pivot);
    T* const front = d.fronts + node.front;
    const auto is_pivot = [&](Index v) { return v >= pivot && v < pivot + some; };
    Product product(team);
    product.add(
        team, some,
        [&](int row, int k) {
          const Index i = task.row + row;
          return i < m && !is_pivot(i) ? front[std::int64_t{i} * m + pivot + k] : S::zero();
        },
        [&](int k, int column) {
          const Index j = task.column + column;
          return j < m && !is_pivot(j) ? front[std::int64_t{pivot + k} * m + j] : S::zero();
        });
    const T* const closed = d.closed + std::int64_t{d.block(task.node)} * pivots * pivots;
    product.for_each([&](int row, int column, const T& best) {
      const Index i = task.row + row, j = task.column + column;
      if (i >= m || j >= m) return;
      T& entry = front[std::int64_t{i} * m + j];
      if (is_pivot(i) && is_pivot(j))
        entry = closed[(i - pivot) * pivots + j - pivot];
      else if (!is_pivot(i) && !is_pivot(j))
        entry = S::relax(entry, best, S::one());
    });
  }

  /// Whether two arrays agree.
  static bool equal(const ExecSpace& exec, const Array<T>& a, const Array<T>& b) {
    std::int64_t different = 0;
    reduce_range(
        "blockfw::symmetry", exec, 0, a.extent(0),
        KOKKOS_LAMBDA(std::int64_t e, std::int64_t& sum) { sum += a(e) != b(e) ? 1 : 0; }, different);
    return different == 0;
  }

 private:
  ExecSpace exec_;
  const Tree& tree_;
  Array<T> memory_;  ///< the memory of all fronts
  Data data_;
};

}  // namespace blockfw::detail
