// SPDX-License-Identifier: MIT
/// \file
/// \brief Distances from some vertices to others on a device: tables and pairs, by products of labels.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/backend/workspace.hpp"
#include "blockfw/detail/base/rounding.hpp"
#include "blockfw/detail/elimination/device_labels.hpp"
#include "blockfw/detail/elimination/device_tree.hpp"
#include "blockfw/detail/elimination/factor.hpp"
#include "blockfw/detail/elimination/sorted_numbers.hpp"
#include "blockfw/detail/elimination/team_product.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/detail/matrices/copies.hpp"
#include "blockfw/detail/plan/finish.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace blockfw::detail {

/// \brief Tables and pairs of a factor on a device.
///
/// Sources and targets are sorted by their numbers in the order of elimination, as in HostTable. A team makes a tile of
/// 64 sources and 64 targets. The labels of a source and a target have common positions up to the supernode where the
/// paths of both meet. All pairs of most tiles meet in the same supernode, so the tile is one product.
template <Semiring S, class ExecSpace>
class DeviceTable {
 public:
  using T = typename S::value_type;
  using Index = std::int32_t;
  using Product = TeamProduct<S, ExecSpace, 64, 16>;
  using Kept = DeviceLabels<S, ExecSpace>;
  using Labels = typename Kept::Labels;
  using Policy = typename Kept::Policy;
  using Member = typename Kept::Member;
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
    const std::size_t most = most_labels();
    for (std::size_t t = 0; t < targets.size(); t += most) {
      const Side to = side_of<Sweep::towards>(sorted(targets.subspan(t, std::min(most, targets.size() - t))));
      for (std::size_t s = 0; s < sources.size(); s += most) {
        const Side from = side_of<Sweep::from>(sorted(sources.subspan(s, std::min(most, sources.size() - s))));
        multiply(from, to, d, static_cast<std::int64_t>(s), static_cast<std::int64_t>(t));
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
      const Side from = side_of<Sweep::from>(unsorted(sources.subspan(p, count)));
      const Side to = side_of<Sweep::towards>(unsorted(targets.subspan(p, count)));
      const Array<T> result(Kokkos::view_alloc(exec_, "blockfw::pairs", Kokkos::WithoutInitializing), count);
      multiply_pairs(from, to, result);
      copy_array(exec_,
                 Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(distances + p, count),
                 result);
      exec_.fence("blockfw::pairs");
    }
  }

  /// Sources or targets, with their labels.
  struct Side {
    Array<Index> numbers;
    Array<Index> place;  ///< of each in the caller's list
    Workspace<ExecSpace> memory;
    Labels labels;  ///< with as many rows as whole tiles have
    std::int64_t count() const { return static_cast<std::int64_t>(numbers.extent(0)); }
  };

  // (Public, as nvcc requires that of functions with a kernel in them.)

  /// The data that the kernels read.
  struct Data {
    Array<DeviceNode> nodes;
    Array<Index> owner;
    Array<Index> sources, targets, row, column;
    Labels from, to;
    bool limited, own;
    T limit;

    /// Common positions of the labels of two vertices.
    KOKKOS_INLINE_FUNCTION std::int64_t common(Index source, Index target) const {
      Index p = owner(source), q = owner(target);
      while (p != q) {
        Index& lower = p < q ? p : q;
        lower = nodes(lower).parent;
        if (lower < 0) return 0;
      }
      return std::int64_t{nodes(p).depth} + nodes(p).width();
    }

    KOKKOS_INLINE_FUNCTION T finished(Index source, Index target, T distance) const {
      constexpr T none = S::zero();
      if (own && source == target) return S::one();
      return limited && (none > T(0) ? distance > limit : distance < limit) ? none : distance;
    }
  };

  /// Common positions of the labels of a tile's pairs. Every pair has the first `all` in common, and none has more than
  /// `most`.
  struct Common {
    std::int64_t all, most;
  };

  /// Finds them for all tiles. A thread for each tile follows the tree, so the teams of the product need not wait for
  /// it.
  Array<Common> common_of_tiles(const Data& data, std::int64_t rows, std::int64_t columns) const {
    constexpr std::int64_t side = Product::side;
    const std::int64_t across = div_up(columns, side), tiles = div_up(rows, side) * across;
    const auto longest = static_cast<std::int64_t>(labels_.tree().longest_path);
    const Array<Common> result(Kokkos::view_alloc(exec_, "blockfw::tiles", Kokkos::WithoutInitializing),
                               static_cast<std::size_t>(tiles));
    for_range(
        "blockfw::tiles", exec_, 0, tiles, KOKKOS_LAMBDA(std::int64_t tile) {
          const std::int64_t i0 = tile / across * side, j0 = tile % across * side;
          const Index low_source = data.sources(i0), high_source = data.sources(Kokkos::min(rows, i0 + side) - 1);
          const Index low_target = data.targets(j0), high_target = data.targets(Kokkos::min(columns, j0 + side) - 1);
          // (Subtrees are ranges of numbers.)
          Common& common = result(tile);
          common.all = data.common(Kokkos::min(low_source, low_target), Kokkos::max(high_source, high_target));
          common.most = longest;
          if (high_source < low_target) common.most = data.common(high_source, low_target);
          if (high_target < low_source) common.most = data.common(high_target, low_source);
        });
    return result;
  }

  template <class Matrix>
  void multiply(const Side& from, const Side& to, const Matrix& d, std::int64_t first_row,
                std::int64_t first_column) const {
    const Data data = data_of(from, to);
    constexpr std::int64_t side = Product::side;
    const std::int64_t rows = from.count(), columns = to.count(), across = div_up(columns, side);
    const std::int64_t tiles = div_up(rows, side) * across;
    const auto common_of = common_of_tiles(data, rows, columns);
    const auto from_stride = static_cast<std::int64_t>(data.from.stride(1));
    const auto to_stride = static_cast<std::int64_t>(data.to.stride(1));
    for_teams(
        "blockfw::table",
        Policy(exec_, static_cast<int>(tiles), Product::team_size)
            .set_scratch_size(Product::scratch_level, Kokkos::PerTeam(static_cast<int>(Product::scratch_bytes))),
        KOKKOS_LAMBDA(const Member& team) {
          const std::int64_t tile = team.league_rank(), i0 = tile / across * side, j0 = tile % across * side;
          const std::int64_t i1 = Kokkos::min(rows, i0 + side) - 1, j1 = Kokkos::min(columns, j0 + side) - 1;
          const std::int64_t all = common_of(tile).all, most = common_of(tile).most;
          Product product(team);
          product.add_columns(team, static_cast<int>(all), &data.from(i0, 0), from_stride, &data.to(j0, 0), to_stride);
          product.for_each([&](int r, int c, T& entry) {
            if (i0 + r > i1 || j0 + c > j1) return;
            const Index source = data.sources(i0 + r), target = data.targets(j0 + c);
            if (all < most) {
              const std::int64_t both = data.common(source, target);
              for (std::int64_t x = all; x < both; ++x)
                entry = S::relax(entry, data.from(i0 + r, x), data.to(j0 + c, x));
            }
            d(first_row + data.row(i0 + r), first_column + data.column(j0 + c)) = data.finished(source, target, entry);
          });
        });
  }

  void multiply_pairs(const Side& from, const Side& to, const Array<T>& result) const {
    const Data data = data_of(from, to);
    for_range(
        "blockfw::pairs", exec_, 0, from.count(), KOKKOS_LAMBDA(std::int64_t p) {
          const Index source = data.sources(p), target = data.targets(p);
          const std::int64_t end = data.common(source, target);
          T best = S::zero();
          for (std::int64_t x = 0; x < end; ++x) best = S::relax(best, data.from(p, x), data.to(p, x));
          result(p) = data.finished(source, target, best);
        });
  }

  /// The number of vertices whose labels take an eighth of the memory that is left.
  std::size_t most_labels() const {
    const double label = static_cast<double>(std::max<std::int64_t>(1, labels_.tree().longest_path)) * sizeof(T);
    return static_cast<std::size_t>(std::clamp(available_bytes(exec_) / 8 / label, 4096., 1e9));
  }

  /// Numbers, and the place of each in the caller's list.
  struct List {
    std::vector<Index> numbers, place;
  };
  static List sorted(std::span<const Index> list) {
    SortedNumbers sorted(list);
    return {std::move(sorted.numbers), {sorted.place.begin(), sorted.place.end()}};
  }
  static List unsorted(std::span<const Index> list) { return {{list.begin(), list.end()}, {}}; }

  template <Sweep Heading>
  Side side_of(const List& list) const {
    const auto path = static_cast<std::size_t>(labels_.tree().longest_path);
    const std::size_t count = list.numbers.size(), rows = round_up(count, std::size_t{Product::side});
    require_memory(exec_, "the labels of " + std::to_string(count) + " vertices",
                   static_cast<double>(rows) * (static_cast<double>(path) * sizeof(T) + 2 * sizeof(Index)));
    Side side{in_space(exec_, list.numbers),
              in_space(exec_, list.place),
              Workspace<ExecSpace>(exec_, rows * path * sizeof(T),
                                   Heading == Sweep::from ? "blockfw::sources" : "blockfw::targets"),
              {}};
    exec_.fence("blockfw::table");  // before the lists are freed
    side.labels = Labels(reinterpret_cast<T*>(side.memory.data()), rows, path);
    labels_.template make<Heading>(exec_, side.numbers, side.labels);
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
            finish_.limit.has_value(),
            own_,
            finish_.limit.value_or(T(0))};
  }

 private:
  const ExecSpace& exec_;
  const Kept& labels_;
  Finish<S> finish_;
  bool own_;
};

}  // namespace blockfw::detail
