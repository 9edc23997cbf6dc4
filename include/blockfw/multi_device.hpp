// SPDX-License-Identifier: MIT
/// \file
/// \brief Several devices (or groups of a host's threads) solve one matrix: each holds some of its rows only.
///
/// \code
///   // The first two devices, or two groups of a host's threads:
///   const blockfw::Devices<> devices(2);
///   // Each edge is sent only to the device that owns its entry:
///   auto d = blockfw::solve(devices.list(), n, edges);
///   Kokkos::View<int**, Kokkos::LayoutRight, Kokkos::HostSpace> all("all", n, n);
///   d.copy_to(all);
/// \endcode
#pragma once

#include "blockfw/detail/backend/streams.hpp"
#include "blockfw/detail/devices/block_cyclic_map.hpp"
#include "blockfw/detail/devices/edges_by_owner.hpp"
#include "blockfw/detail/devices/peer_link.hpp"
#include "blockfw/detail/devices/share_solver.hpp"
#include "blockfw/detail/in_threads.hpp"
#include "blockfw/detail/plan/finish.hpp"
#include "blockfw/detail/rounding.hpp"
#include "blockfw/solve.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <ranges>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace blockfw {

/// \brief Instances on several devices, one for each; on a host, one for each of several equal groups of its threads.
template <class ExecSpace = Kokkos::DefaultExecutionSpace>
class Devices {
 public:
  /// \param count  number of devices, or of groups on a host; 0 for all devices, or one group of all threads of a host
  /// \throws InvalidInput when count < 0, or when there are fewer devices (groups of a host may share threads)
  explicit Devices(int count = 0) {
    if (count < 0) throw InvalidInput(std::to_string(count) + " devices are wanted, expected 1 or more, or 0 for all");
    if constexpr (is_host_space<ExecSpace>) {
      const ExecSpace all;
      const int groups = std::max(count, 1);
      for (int g = 0; g < groups && count > 1; ++g)
        if constexpr (std::is_constructible_v<ExecSpace, int>)
          list_.emplace_back(std::max(1, all.concurrency() / groups));
        else
          list_.push_back(Kokkos::Experimental::partition_space(all, std::vector<int>{1}).front());
      if (count <= 1) list_.push_back(all);
    } else {
      const int there = Api::count();
      if (count > there)
        throw InvalidInput(std::to_string(count) + " devices are wanted, there are " + std::to_string(there));
      for (int device = 0; device < (count > 0 ? count : there); ++device) {
        streams_.push_back(std::make_unique<detail::Stream<ExecSpace>>(device));
        list_.push_back(streams_.back()->exec());
      }
    }
  }

  /// \brief All instances. They are valid while this object lives, so a temporary has no list().
  const std::vector<ExecSpace>& list() const& { return list_; }
  void list() && = delete;

  /// \brief The first instances of the list, one or more: as many as pay off for n vertices.
  ///
  /// With few rows on each device, the pivots and panels, which are made one after the other, take longer than the rest
  /// of the work: two H200s need as long as one at n = 5700.
  std::vector<ExecSpace> list_for(std::int64_t n) const& {
    constexpr std::int64_t rows = is_host_space<ExecSpace> ? 0 : 3200;
    std::vector<ExecSpace> worth = list_;
    while (worth.size() > 1 && n < rows * static_cast<std::int64_t>(worth.size())) worth.pop_back();
    return worth;
  }
  void list_for(std::int64_t) && = delete;

 private:
  using Api = detail::Backend<ExecSpace>;
  std::vector<std::unique_ptr<detail::Stream<ExecSpace>>> streams_;
  std::vector<ExecSpace> list_;
};

/// \brief A matrix of distances whose rows are spread over several devices in order, about equally many on each.
///
/// A device's share has about n²/devices elements, in whole rows of tiles. During a solve the device also holds panels:
/// the rows and columns of at most 16 tiles, and from n = 32768 on at most a twentieth of the share.
template <Distance T, class ExecSpace = Kokkos::DefaultExecutionSpace>
class RowBlocks {
  using Phase = Phases<default_tile<ExecSpace, T>, ExecSpace, MinPlus<T>>;

 public:
  /// The rows of one share, all columns.
  using View = Kokkos::View<T**, Kokkos::LayoutStride, typename ExecSpace::memory_space>;

  /// \brief Memory for the distances of n vertices, not yet filled.
  /// \param devices  an instance for each share; several may be on one device. The instances and their streams must
  ///                 outlive this object.
  /// \param n        number of vertices
  /// \throws InvalidInput for no device, n < 0 or n >= 2^31; OutOfMemory, which names the device, when a share does not
  ///         fit
  RowBlocks(const std::vector<ExecSpace>& devices, std::int64_t n)
      : devices_(devices),
        map_(checked(devices, n), Phase::block, static_cast<int>(devices.size())),
        whole_(n, Phase::block, 1) {
    for (int s = 0; s < shares(); ++s) {
      const std::string kind = is_host_space<ExecSpace> ? "group of threads " : "device ";
      const std::string whose = shares() > 1 ? kind + std::to_string(s) + ": " : "";
      const auto rows_there = static_cast<double>(rows(s));
      const double elements = rows_there * static_cast<double>(leading_dimension(n));
      // (On a host all shares lie in one memory, which counts as available until it is touched. So the check is for all
      // of them together.)
      const double all = is_host_space<ExecSpace> ? double(n) * double(n) : elements;
      try {
        detail::require_memory(exec(s), "the distances of " + std::to_string(n) + " vertices", all * sizeof(T),
                               shares() > 1 ? Phase::GroupStorage::bytes(rows(s), n, panel_rounds())
                                            : detail::workspace_bytes<T>(exec(s), n));
      } catch (const OutOfMemory& error) {
        throw OutOfMemory(whose + error.what());
      }
      const Kokkos::View<T**, Kokkos::LayoutRight, typename ExecSpace::memory_space> all_columns(
          Kokkos::view_alloc(exec(s), "blockfw::rows", Kokkos::WithoutInitializing), static_cast<std::size_t>(rows(s)),
          static_cast<std::size_t>(leading_dimension(n)));
      views_.push_back(Kokkos::subview(all_columns, Kokkos::ALL, Kokkos::pair(std::int64_t(0), n)));
    }
  }

  /// The number of vertices.
  std::int64_t order() const { return whole_.rows(0); }
  /// The number of shares, one for each instance.
  int shares() const { return map_.parts(); }
  /// The instance that works on a share.
  const ExecSpace& exec(int share) const { return devices_[index(share)]; }

  /// The first row of a share.
  std::int64_t first_row(int share) const {
    return std::min(std::int64_t(share) * map_.left_in_block(0) * Phase::block, order());
  }
  /// The number of rows of a share.
  std::int64_t rows(int share) const { return map_.rows(share); }
  /// The rows of a share, in its device's memory; there may be gaps between them.
  const View& view(int share) const { return views_[index(share)]; }

  /// \brief Fills the matrix as fill_from_edges() does; each edge is sent only to the device that owns its entry.
  /// \param edges      rank-1 view on the host
  /// \param direction  with undirected each edge counts in both directions
  /// \return the range of the weights
  /// \throws as fill_from_edges()
  template <class Edges>
    requires Kokkos::is_view_v<Edges>
  WeightRange<T> fill(const Edges& edges, Direction direction = Direction::directed) {
    const std::int64_t own = map_.left_in_block(0) * std::int64_t(Phase::block);
    const auto owner = [own](std::int32_t i, std::int32_t j) {
      const auto part = static_cast<std::int32_t>(i / own);
      return detail::OwnedEntry{part, static_cast<std::int32_t>(i - part * own), j};
    };
    const auto by_owner = detail::sort_by_owner<T>(edges, order(), shares(), owner, direction);
    for_each_share([&](int s) {
      detail::fill_part(exec(s), view(s), reachable_edges(exec(s), by_owner.first.of(index(s))));
      detail::lower_diagonal(exec(s), view(s), first_row(s));
      exec(s).fence("blockfw::fill");
    });
    return by_owner.second;
  }

  /// \brief The same for edges in a host container.
  template <std::ranges::contiguous_range Edges>
  WeightRange<T> fill(const Edges& edges, Direction direction = Direction::directed) {
    return fill(detail::view_of(edges), direction);
  }

  /// \brief Copies from an n x n matrix on the host: d(i, j) is the length of the edge i → j, infinity<T> is no edge.
  /// \throws InvalidInput when the matrix is of another shape
  template <MatrixView Matrix>
  void copy_from(const Matrix& weights) {
    for_each_share([&](int s) {
      detail::copy_rows(exec(s), view(s), rows_of(weights, s));
      exec(s).fence("blockfw::copy_from");
    });
  }

  /// \brief Copies to an n x n matrix on the host.
  /// \throws InvalidInput when the matrix is of another shape
  template <MatrixView Matrix>
  void copy_to(const Matrix& distances) const {
    for_each_share([&](int s) {
      detail::copy_rows(exec(s), rows_of(distances, s), view(s));
      exec(s).fence("blockfw::copy_to");
    });
  }

  /// \brief blocked_floyd_warshall() on all devices at once, with one host thread for each; they are fenced on return.
  ///
  /// A diagonal entry counts as 0 unless it is negative.
  ///
  /// \param negative  whether an entry may be negative
  /// \param progress  called as progress(rounds done, rounds in all) from the calling thread after each group of rounds
  /// \throws the first error of any device
  void floyd_warshall(bool negative = true, const Progress& progress = {}) {
    if (shares() == 1) {
      detail::lower_diagonal(exec(0), view(0), 0);
      blocked_floyd_warshall(exec(0), view(0), progress);
      exec(0).fence("blockfw::floyd_warshall");
      return;
    }
    const auto groups = detail::groups_of(map_, whole_, panel_rounds());
    detail::PeerLinks<Phase, ExecSpace> links(map_, groups, devices_, [&](int s) {
      return typename Phase::GroupStorage(exec(s), {.order = static_cast<int>(order()),
                                                    .height = static_cast<int>(rows(s)),
                                                    .width = static_cast<int>(order()),
                                                    .rounds = panel_rounds(),
                                                    .negative = negative});
    });
    for_each_share([&](int s) {
      links.guard([&] {
        detail::lower_diagonal(exec(s), view(s), first_row(s));
        detail::PeerLink link(links, s);
        static_assert(detail::LinkReleases<decltype(link), ExecSpace>);
        detail::ShareSolver<Phase, ExecSpace, decltype(link)> share(exec(s), links.ahead(s), ref(s), map_, whole_, s, 0,
                                                                    groups, links.storage(s), link);
        share.solve([&](int done) {
          if (progress && s == 0) {
            exec(s).fence("blockfw::progress");
            progress(groups[index(done - 1)].last() + 1, map_.tiles());
          }
        });
      });
      links.ahead(s).fence("blockfw::floyd_warshall");  // (After an error it may still be busy.)
      exec(s).fence("blockfw::floyd_warshall");
    });
    links.rethrow();
  }

  /// \brief Solves a filled matrix whose range of weights is known, as solve_distances() does.
  /// \param range    the weights' range, as fill() returns it
  /// \param options  progress, meanwhile and report; direction and narrow are not used
  /// \throws OverflowRisk, NegativeCycle
  void solve(WeightRange<T> range, const SolveOptions& options = {}) {
    require_safe_sums(order(), range);
    floyd_warshall(range.any_negative(), options.progress);
    detail::report_queued(options, {8 * int(sizeof(T)), false});
    detail::finish_rounds<MinPlus<T>>(
        detail::finish_of<MinPlus<T>>(order(), range),
        [&] {
          std::optional<std::int64_t> vertex;
          for (int s = 0; s < shares() && !vertex; ++s) vertex = find_negative_cycle(exec(s), view(s), first_row(s));
          return vertex;
        },
        [&](T limit) {
          for_each_share([&](int s) {
            mark_unreachable(exec(s), view(s), limit);
            exec(s).fence("blockfw::solve");
          });
        });
  }

 private:
  static std::size_t index(int share) { return static_cast<std::size_t>(share); }

  static std::int64_t checked(const std::vector<ExecSpace>& devices, std::int64_t n) {
    if (devices.empty()) throw InvalidInput("an empty list of devices, expected one or more");
    if (n < 0) throw InvalidInput("the number of vertices is " + std::to_string(n) + ", expected 0 or more");
    if (n > std::numeric_limits<std::int32_t>::max())
      throw InvalidInput("the number of vertices is " + std::to_string(n) + ", expected less than 2^31");
    return n;
  }

  /// A device reads rows as vectors if each row starts at a multiple of a vector. The host kernel takes any rows.
  static std::int64_t leading_dimension(std::int64_t n) {
    constexpr std::int64_t line = 128 / sizeof(T);
    return is_host_space<ExecSpace> ? n : detail::round_up(n, line);
  }

  /// The number of rounds whose panels are kept: two on a host, more on a device. A group has half of these rounds. On
  /// a device a tile is read and written once per group. The panels of a large matrix may take a twentieth of its
  /// memory.
  static int panel_rounds(std::int64_t n, std::int64_t rows_of_share, std::int64_t shares) {
    constexpr int most = 16;
    if (is_host_space<ExecSpace>) return 2;
    if (n < 32768) return most;
    const double spared =
        1.05 * double(n) * double(n) / double(shares) - double(rows_of_share) * double(leading_dimension(n));
    const double round = Phase::GroupStorage::bytes(rows_of_share, n, 1) / sizeof(T);
    return static_cast<int>(std::clamp(spared / round, 2.0, double(most)));
  }
  int panel_rounds() const { return panel_rounds(order(), rows(0), shares()); }

  typename Phase::Ref ref(int s) const { return typename Phase::Ref(view(s)); }

  template <MatrixView Matrix>
  auto rows_of(const Matrix& matrix, int s) const {
    if (static_cast<std::int64_t>(matrix.extent(0)) != order() ||
        static_cast<std::int64_t>(matrix.extent(1)) != order())
      throw InvalidInput("the matrix '" + matrix.label() + "' is " + std::to_string(matrix.extent(0)) + " x " +
                         std::to_string(matrix.extent(1)) + ", expected " + std::to_string(order()) +
                         " rows and columns");
    return Kokkos::subview(matrix, Kokkos::pair(first_row(s), first_row(s) + rows(s)), Kokkos::ALL);
  }

  template <class F>
  void for_each_share(const F& f) const {
    detail::in_threads(shares(), f);
  }

  std::vector<ExecSpace> devices_;
  detail::BlockCyclicMap map_, whole_;
  std::vector<View> views_;
};

/// \brief All shortest distances of the graph of n vertices with these edges, on several devices.
/// \param devices  an instance for each share, for example Devices::list()
/// \param n        number of vertices
/// \param edges    in a host container
/// \param options  as in solve(); narrow is not used, and an undirected graph takes the whole work
/// \return the distances, a RowBlocks
/// \throws as solve()
template <class T = void, class ExecSpace, std::ranges::contiguous_range Edges>
auto solve(const std::vector<ExecSpace>& devices, std::int64_t n, const Edges& edges,
           const SolveOptions& options = {}) {
  using W = decltype(std::ranges::range_value_t<Edges>::weight);
  RowBlocks<std::conditional_t<std::is_void_v<T>, W, T>, ExecSpace> d(devices, n);
  const auto range = d.fill(edges, options.direction);
  d.solve(range, options);
  return d;
}

/// \brief blocked_floyd_warshall() of a matrix on the host by several devices, each of which holds some of its rows.
/// A diagonal entry counts as 0 unless it is negative.
/// \throws InvalidInput when d is not square; OutOfMemory when the devices cannot hold it
template <class ExecSpace, MatrixView View>
void blocked_floyd_warshall(const std::vector<ExecSpace>& devices, const View& d) {
  RowBlocks<typename View::value_type, ExecSpace> blocks(devices, static_cast<std::int64_t>(d.extent(0)));
  blocks.copy_from(d);
  blocks.floyd_warshall();
  blocks.copy_to(d);
}

}  // namespace blockfw
