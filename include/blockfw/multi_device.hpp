// SPDX-License-Identifier: MIT
/// \file
/// \brief Several devices (or groups of a host's threads) solve one matrix: each holds some of its rows only.
///
/// \code
///   // The first two devices, or two groups of a host's threads:
///   const blockfw::Devices<> devices(2);
///   // Each edge is sent only to the device that owns its entry:
///   const auto d = blockfw::solve(devices.list(), n, edges);
///   Kokkos::View<int**, Kokkos::LayoutRight, Kokkos::HostSpace> all("all", n, n);
///   d.copy_to(all);
/// \endcode
/// solve(devices, n, edges) takes as many of the devices as pay off.
#pragma once

#include "blockfw/detail/backend/started.hpp"
#include "blockfw/detail/backend/streams.hpp"
#include "blockfw/detail/copies.hpp"
#include "blockfw/detail/devices/block_cyclic_map.hpp"
#include "blockfw/detail/devices/column.hpp"
#include "blockfw/detail/devices/edges_by_owner.hpp"
#include "blockfw/detail/devices/hub_of_edges.hpp"
#include "blockfw/detail/devices/peer_link.hpp"
#include "blockfw/detail/devices/share_solver.hpp"
#include "blockfw/detail/devices/solve_shares.hpp"
#include "blockfw/detail/in_threads.hpp"
#include "blockfw/detail/launch.hpp"
#include "blockfw/detail/numbers/operations_of.hpp"
#include "blockfw/detail/plan/narrow.hpp"
#include "blockfw/detail/plan/potentials.hpp"
#include "blockfw/detail/plan/read_weights.hpp"
#include "blockfw/detail/rounding.hpp"
#include "blockfw/measures.hpp"
#include "blockfw/solve.hpp"
#include "blockfw/solved.hpp"
#include "blockfw/updates.hpp"

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
#include <vector>

namespace blockfw {

/// \brief Instances on several devices, one for each; on a host, one for each of several equal groups of its threads.
template <class ExecSpace = Kokkos::DefaultExecutionSpace>
class Devices {
 public:
  /// \param count  number of devices, or of groups on a host; 0 for all devices, or one group of all threads of a host
  /// \throws InvalidInput when count < 0, or when there are fewer devices. Groups of a host may share threads; there
  /// are
  ///         at most 512, as many as Kokkos has threads.
  explicit Devices(int count = 0) {
    if (count < 0) throw InvalidInput(std::to_string(count) + " devices are wanted, expected 1 or more, or 0 for all");
    if constexpr (is_host_space<ExecSpace>) {
      constexpr int most = 512;  // (each has memory of its own)
      if (count > most)
        throw InvalidInput(std::to_string(count) + " groups of threads are wanted, expected at most " +
                           std::to_string(most));
      const auto all = detail::default_instance<ExecSpace>();
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

  /// \brief The first instances of the list, one or more: as many as pay off for n vertices. Of a host all.
  ///
  /// With few rows on each device, the pivots and panels, which are made one after the other, take longer than the rest
  /// of the work. Fewer bits and half the work shorten the rest only. So two H100s do the rounds faster than one from
  /// n = 5500 on, in 16 bits from 6300, with half the work from 9600 and 11900. The limits here are higher, since a
  /// first solve also allocates.
  ///
  /// \param n          number of vertices
  /// \param bits       of the numbers in the solve
  /// \param direction  undirected for half the work
  std::vector<ExecSpace> list_for(std::int64_t n, int bits = 32, Direction direction = Direction::directed) const& {
    constexpr std::int64_t rows_of[2][2] = {{3200, 5200}, {4000, 6500}};
    const std::int64_t rows =
        is_host_space<ExecSpace> ? 0 : rows_of[bits < 32 ? 1 : 0][direction == Direction::undirected ? 1 : 0];
    std::vector<ExecSpace> worth = list_;
    while (worth.size() > 1 && n < rows * static_cast<std::int64_t>(worth.size())) worth.pop_back();
    return worth;
  }
  void list_for(std::int64_t, int = 32, Direction = Direction::directed) && = delete;

 private:
  using Api = detail::Backend<ExecSpace>;
  std::vector<std::unique_ptr<detail::Stream<ExecSpace>>> streams_;
  std::vector<ExecSpace> list_;
};

namespace detail {

/// The execution space of a list of instances, or of Devices.
template <class AnyDevices>
struct SpaceOfDevices {};
template <class ExecSpace>
struct SpaceOfDevices<std::vector<ExecSpace>> {
  using type = ExecSpace;
};
template <class ExecSpace>
struct SpaceOfDevices<Devices<ExecSpace>> {
  using type = ExecSpace;
};

/// The instances that work on a solve: of a list all, of Devices as many as pay off.
template <class ExecSpace>
const std::vector<ExecSpace>& instances_for(const std::vector<ExecSpace>& list, std::int64_t, int, Direction) {
  return list;
}
template <class ExecSpace>
std::vector<ExecSpace> instances_for(const Devices<ExecSpace>& devices, std::int64_t n, int bits, Direction direction) {
  return devices.list_for(n, bits, direction);
}

/// \brief Edges on the devices that own the rows where they start.
/// \tparam Entries  a rank-1 view of edges in a device's memory; `from` is a row of the share
template <class T, class Entries>
struct SpreadEdges {
  std::int64_t rows;             ///< of a share but the last
  std::vector<Entries> entries;  ///< of each share
  WeightRange<T> range;          ///< of the weights
};

/// \brief Copies numbers to the host, of the same or, for shortest distances, of a wider type; fences exec.
/// \param from  a part of a matrix, in memory of exec
/// \param to    of the same shape
/// \throws OutOfMemory on a device, for a chunk in the wider type
template <class ExecSpace, MatrixView From, MatrixView To>
void copy_to_host(const ExecSpace& exec, const From& from, const To& to) {
  using Wide = typename To::value_type;
  static_assert(converts<typename From::value_type, Wide>,
                "blockfw: the distances must convert to the result's type without loss");
  if constexpr (std::is_same_v<Wide, typename From::value_type>) {
    copy_rows(exec, to, from);
  } else if constexpr (is_host_space<ExecSpace>) {
    widen(exec, from, to);
  } else if (to.size() > 0) {  // some rows at a time, widened on the device
    constexpr std::size_t chunk_entries = std::size_t(1) << 24;
    const std::size_t count = to.extent(0), n = to.extent(1),
                      at_once = std::clamp<std::size_t>(chunk_entries / n, 1, count);
    require_memory(exec, std::to_string(at_once) + " rows",
                   static_cast<double>(at_once) * static_cast<double>(n) * sizeof(Wide));
    const Kokkos::View<Wide**, Kokkos::LayoutRight, typename ExecSpace::memory_space> chunk(
        Kokkos::view_alloc(exec, "blockfw::chunk", Kokkos::WithoutInitializing), at_once, n);
    for (std::size_t first = 0; first < count; first += at_once) {
      const Kokkos::pair<std::size_t, std::size_t> rows(first, std::min(count, first + at_once));
      const auto wide =
          Kokkos::subview(chunk, Kokkos::pair<std::size_t, std::size_t>(0, rows.second - first), Kokkos::ALL);
      widen(exec, Kokkos::subview(from, rows, Kokkos::ALL), wide);
      copy_rows(exec, Kokkos::subview(to, rows, Kokkos::ALL), wide);
    }
    exec.fence("blockfw::chunk");  // before it goes
  }
  exec.fence("blockfw::copy_to");
}

}  // namespace detail

/// \brief A matrix of distances whose rows are spread over several devices in order, about equally many on each.
///
/// \tparam Over       type of the distances, for shortest paths, or a semiring
/// \tparam ExecSpace  of the devices
///
/// A device's share has about n²/devices elements, in whole rows of tiles. During a solve the device also holds panels:
/// the rows and columns of at most 16 tiles, and from n = 32768 on at most a twentieth of the share. For half the work
/// it has about as much again, for the pivots' rows that travel.
template <class Over, class ExecSpace = Kokkos::DefaultExecutionSpace>
class RowBlocks {
  using S = semiring_of<Over, void>;
  using T = typename S::value_type;
  using Phase = Phases<default_tile<ExecSpace, T>, ExecSpace, S>;

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
    require_memory();
    for (int s = 0; s < shares(); ++s) {
      const Kokkos::View<T**, Kokkos::LayoutRight, typename ExecSpace::memory_space> all_columns(
          Kokkos::view_alloc(exec(s), "blockfw::rows", Kokkos::WithoutInitializing), static_cast<std::size_t>(rows(s)),
          static_cast<std::size_t>(leading_dimension(n)));
      views_.push_back(Kokkos::subview(all_columns, Kokkos::ALL, Kokkos::pair(std::int64_t(0), n)));
    }
  }

  /// \brief Checks that the distances of n vertices would fit, without memory for them.
  /// \throws as the constructor
  static void require_memory(const std::vector<ExecSpace>& devices, std::int64_t n) {
    RowBlocks(devices, n, Unallocated{}).require_memory();
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
    const auto spread_edges = spread(devices_, order(), edges, direction, own_rows(map_));
    fill(spread_edges);
    return spread_edges.range;
  }

  /// \brief The same for edges in a host container.
  template <std::ranges::contiguous_range Edges>
  WeightRange<T> fill(const Edges& edges, Direction direction = Direction::directed) {
    return fill(detail::view_of(edges), direction);
  }

  /// \brief Fills the matrix with edges that are on the devices already, as spread() has them; the weights may be of a
  /// wider type.
  /// \throws InvalidInput when they are spread for shares of other rows
  template <class W, class Entries>
  void fill(const detail::SpreadEdges<W, Entries>& edges) {
    if (edges.rows != own_rows(map_))
      throw InvalidInput("the edges are spread for shares of " + std::to_string(edges.rows) + " rows, expected " +
                         std::to_string(own_rows(map_)));
    for_each_share([&](int s) {
      detail::fill_part<S>(exec(s), view(s), edges.entries[index(s)]);
      detail::lower_diagonal<S>(exec(s), view(s), first_row(s));
      exec(s).fence("blockfw::fill");
    });
  }

  /// The rows of a share but the last, in a matrix of n vertices over these devices.
  static std::int64_t rows_of_share(const std::vector<ExecSpace>& devices, std::int64_t n) {
    return own_rows(detail::BlockCyclicMap(checked(devices, n), Phase::block, static_cast<int>(devices.size())));
  }

  /// \brief Sends each edge to the device that owns its entry, in shares of `own` rows.
  /// \throws as fill_from_edges()
  template <class Edges>
    requires Kokkos::is_view_v<Edges>
  static auto spread(const std::vector<ExecSpace>& devices, std::int64_t n, const Edges& edges, Direction direction,
                     std::int64_t own) {
    const int shares = static_cast<int>(devices.size());
    const auto owner = [own](std::int32_t i, std::int32_t j) {
      const auto part = static_cast<std::int32_t>(i / own);
      return detail::OwnedEntry{part, static_cast<std::int32_t>(i - part * own), j};
    };
    const auto by_owner = detail::sort_by_owner<S>(edges, n, shares, owner, direction);
    detail::SpreadEdges<T, decltype(reachable_edges(devices[0], by_owner.first.of(0)))> spread_edges{
        own, {}, by_owner.second};
    spread_edges.entries.resize(devices.size());
    detail::in_threads(shares, [&](int s) {
      spread_edges.entries[index(s)] = reachable_edges(devices[index(s)], by_owner.first.of(index(s)));
      devices[index(s)].fence("blockfw::fill");
    });
    return spread_edges;
  }

  /// \brief Copies from an n x n matrix of the same type on the host: d(i, j) is the length of the edge i → j,
  /// S::zero() is no edge.
  /// \throws InvalidInput when the matrix is of another shape
  template <MatrixView Matrix>
  void copy_from(const Matrix& weights) {
    for_each_share([&](int s) {
      detail::copy_rows(exec(s), view(s), rows_of(weights, s));
      exec(s).fence("blockfw::copy_from");
    });
  }

  /// \brief Fills the matrix with weights on the host, as WeightsOf has them, some rows at a time; lengths are cut off
  /// at infinity of the matrix's type.
  template <class Weights>
  void fill_from_weights(const Weights& weights) {
    using Host = Kokkos::DefaultHostExecutionSpace;
    constexpr std::int64_t chunk_entries = std::int64_t(1) << 24;
    const std::int64_t at_once = std::max<std::int64_t>(1, chunk_entries / std::max<std::int64_t>(order(), 1));
    const Kokkos::View<T**, Kokkos::LayoutRight, Kokkos::SharedHostPinnedSpace> chunk(
        Kokkos::view_alloc("blockfw::chunk", Kokkos::WithoutInitializing), static_cast<std::size_t>(at_once),
        static_cast<std::size_t>(order()));
    for (int s = 0; s < shares(); ++s)
      for (std::int64_t first = 0; first < rows(s); first += at_once) {
        const std::int64_t count = std::min(at_once, rows(s) - first), vertex = first_row(s) + first, n = order();
        detail::for_range("blockfw::weights", Host(), 0, count, [&](std::int64_t i) {
          for (std::int64_t j = 0; j < n; ++j) chunk(i, j) = detail::narrowed<S>(weights(vertex + i, j));
        });
        detail::copy_rows(exec(s), Kokkos::subview(view(s), Kokkos::pair(first, first + count), Kokkos::ALL),
                          Kokkos::subview(chunk, Kokkos::pair(std::int64_t(0), count), Kokkos::ALL));
        exec(s).fence("blockfw::weights");  // before the next chunk
      }
  }

  /// \brief Copies to an n x n matrix on the host, of the same or of a wider type.
  /// \throws InvalidInput when the matrix is of another shape
  template <MatrixView Matrix>
  void copy_to(const Matrix& distances) const {
    static_assert(std::is_same_v<typename Matrix::value_type, T> || std::is_same_v<S, MinPlus<T>>,
                  "blockfw: only shortest distances are copied to a wider type");
    for_each_share([&](int s) { detail::copy_to_host(exec(s), view(s), rows_of(distances, s)); });
  }

  /// \brief The distances from some vertices.
  /// \tparam Wide    their type, the same or a wider one
  /// \param sources  host container of vertices; a vertex may occur twice
  /// \return on the host, a row of n distances for each source, in their order
  /// \throws InvalidInput for a source out of range
  template <Element Wide = T, std::ranges::contiguous_range Sources>
  DistanceMatrix<Wide, Kokkos::DefaultHostExecutionSpace> distances_from(const Sources& sources) const {
    const auto rows = lines_on_host<Wide>(std::ranges::size(sources));
    std::int64_t row = 0;
    for (const auto source : sources) {
      detail::require_vertex(source, order());
      copy_part(source, {0, order()}, Kokkos::subview(rows, Kokkos::pair(row, row + 1), Kokkos::ALL));
      ++row;
    }
    return rows;
  }

  /// \brief The distances to some vertices.
  /// \tparam Wide    their type, the same or a wider one
  /// \param targets  host container of vertices; a vertex may occur twice
  /// \return on the host, a row of n distances for each target, in their order
  /// \throws InvalidInput for a target out of range
  template <Element Wide = T, std::ranges::contiguous_range Targets>
  DistanceMatrix<Wide, Kokkos::DefaultHostExecutionSpace> distances_to(const Targets& targets) const {
    const auto rows = lines_on_host<Wide>(std::ranges::size(targets));
    for (const auto vertex : targets) detail::require_vertex(vertex, order());
    for_each_share([&](int s) {
      std::size_t number = 0;
      for (const auto vertex : targets)
        detail::column_to_host(
            exec(s), view(s), vertex,
            Kokkos::subview(rows, number++, Kokkos::pair(first_row(s), first_row(s) + this->rows(s))));
    });
    return rows;
  }

  /// \brief The distance from vertex i to vertex j; S::zero() without a path.
  /// \throws InvalidInput for a vertex out of range
  T distance(std::int64_t i, std::int64_t j) const {
    detail::require_vertex(i, order());
    detail::require_vertex(j, order());
    const DistanceMatrix<T, Kokkos::DefaultHostExecutionSpace> one("blockfw::distance", 1, 1);
    copy_part(i, {j, j + 1}, one);
    return entry_at(one, 0, 0);
  }

  /// \brief For each vertex what it reaches, or what it is reached from, as reach() of measures.hpp. On the host.
  std::vector<Reach<T>> reach(Towards towards = Towards::others) const {
    static_assert(std::is_same_v<S, MinPlus<T>>, "blockfw: reach() sums up shortest distances");
    std::vector<std::vector<Reach<T>>> parts(devices_.size());
    for_each_share(
        [&](int s) { parts[index(s)] = detail::reach_of_lines(exec(s), view(s), towards == Towards::others); });
    std::vector<Reach<T>> all;
    for (int s = 0; s < shares(); ++s) {
      auto& part = parts[index(s)];
      if (towards == Towards::others) {
        all.insert(all.end(), part.begin(), part.end());
        continue;
      }
      all.resize(part.size());
      for (std::size_t v = 0; v < part.size(); ++v) {
        if (part[v].farthest_vertex >= 0) part[v].farthest_vertex += first_row(s);
        all[v] += part[v];
      }
    }
    return all;
  }

  /// \brief insert_edge() of updates.hpp: updates solved distances for one more edge, or for a smaller weight of it.
  /// \throws as that; the distances are unchanged then
  ///
  /// Reads the matrix once. Memory: 2n elements on each device, and on the host.
  template <Distance Wide = T>
  void insert_edge(std::int64_t from, std::int64_t to, std::type_identity_t<Wide> wide_weight) {
    static_assert(std::is_same_v<S, MinPlus<T>>, "blockfw: insert_edge() updates shortest distances");
    detail::require_vertex(from, order());
    detail::require_vertex(to, order());
    const T weight = detail::required_weight<T>(wide_weight);
    if (weight == infinity<T>) return;
    const std::int64_t tail[] = {from}, head[] = {to};
    const auto to_tail = distances_to(tail), from_head = distances_from(head);
    const detail::DetoursOnHost<T> all(Kokkos::subview(to_tail, 0, Kokkos::ALL),
                                       Kokkos::subview(from_head, 0, Kokkos::ALL), from, weight);
    std::vector<std::optional<detail::Detours<T, ExecSpace>>> detours(devices_.size());
    for_each_share([&](int s) {
      all.send(
          exec(s), detours[index(s)].emplace(exec(s), rows(s), order()),
          [&](std::int64_t i) { return first_row(s) + i; }, [](std::int64_t j) { return j; });
    });
    for_each_share([&](int s) {
      detail::take_detours<true>(exec(s), view(s), view(s), *detours[index(s)]);
      detail::raise_own(exec(s), view(s), first_row(s));
    });
  }

  /// \brief blocked_floyd_warshall() on all devices at once, with one host thread for each; they are fenced on return.
  ///
  /// A diagonal entry counts as S::one() unless it is better, in shortest paths as 0 unless it is negative.
  ///
  /// \param negative   whether an entry may be negative
  /// \param progress   called as progress(rounds done, rounds in all) from the calling thread after each group of
  /// rounds
  /// \param direction  undirected for a matrix that is known to be symmetric and a semiring whose ⊗ is commutative:
  /// half
  ///                   the work. A share then also has memory for the pivots' rows that travel.
  /// \throws the first error of any device
  void floyd_warshall(bool negative = true, const Progress& progress = {}, Direction direction = Direction::directed) {
    if (shares() == 1) {
      detail::lower_diagonal<S>(exec(0), view(0), 0);
      blocked_floyd_warshall(exec(0), view(0), S{}, direction, progress);
      exec(0).fence("blockfw::floyd_warshall");
      return;
    }
    require_commutative(direction);
    const auto groups = detail::groups_of(map_, whole_, panel_rounds());
    using Links = detail::PeerLinks<ExecSpace>;
    using Numbers = detail::OperationsOf<Phase, ExecSpace>;
    using Mirror = typename Links::Mirror;
    const auto block = [&](int s) { return Numbers::block(ref(s)); };
    Links links(
        map_, groups, devices_,
        [&](int s) {
          return std::make_unique<Numbers>(exec(s), GroupStorageOptions{.order = static_cast<int>(order()),
                                                                        .height = static_cast<int>(rows(s)),
                                                                        .width = static_cast<int>(order()),
                                                                        .rounds = panel_rounds(),
                                                                        .negative = negative});
        },
        [&](int s, const auto& numbers) {
          return direction == Direction::directed
                     ? std::unique_ptr<Mirror>()
                     : std::make_unique<Mirror>(exec(s), numbers, block(s), map_, s, most_pivots());
        });
    for_each_share([&](int s) {
      links.guard([&] {
        detail::lower_diagonal<S>(exec(s), view(s), first_row(s));
        detail::PeerLink link(links, s);
        static_assert(detail::LinkReleases<decltype(link), ExecSpace>);
        detail::ShareSolver<ExecSpace, decltype(link)> share(exec(s), links.ahead(s), links.numbers(s), block(s), map_,
                                                             whole_, s, 0, groups, link, links.mirror(s));
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
  /// \param options  direction, strict_cycles, progress, meanwhile and report; undirected says that the matrix is
  ///                 symmetric. Several shares do not use narrow.
  /// \throws OverflowRisk, NegativeCycle; for other semirings than shortest paths, DivergentCycle; InvalidInput for
  ///         Method::sparse
  void solve(WeightRange<T> range, const SolveOptions& options = {}) {
    detail::require_dense(options, "on several devices");
    if (options.report != nullptr) *options.report = {};
    const Kokkos::Timer timer;
    if (shares() == 1) {
      detail::lower_diagonal<S>(exec(0), view(0), 0);
      solve_distances<S>(exec(0), view(0), range, options);
    } else {
      solve_shares(range, options);
    }
    if (options.report != nullptr) options.report->solve_seconds = timer.seconds();
  }

 private:
  void solve_shares(WeightRange<T> range, const SolveOptions& options) {
    detail::solve_shares<S>(
        order(), range, options, [&] { return guard_of(range, options.strict_cycles); },
        [&] { return options.direction == Direction::undirected && half_pays(); },
        [&](bool negative, Direction direction) { floyd_warshall(negative, options.progress, direction); },
        [&] {
          std::optional<std::int64_t> vertex;
          for (int s = 0; s < shares() && !vertex; ++s) vertex = find_negative_cycle<S>(exec(s), view(s), first_row(s));
          return vertex;
        },
        [&](T limit) {
          for_each_share([&](int s) {
            mark_unreachable<S>(exec(s), view(s), limit);
            exec(s).fence("blockfw::solve");
          });
        });
  }

  /// Decides on cycles of floats; see detail/graph/cycles.hpp.
  detail::GuardOf<S, ExecSpace> guard_of([[maybe_unused]] WeightRange<T> range, [[maybe_unused]] bool strict) const {
    if constexpr (detail::may_cancel<S>)
      if (!strict && detail::cancels<S>(range)) {
        std::vector<detail::MatrixPart<T, ExecSpace>> parts;
        for (int s = 0; s < shares(); ++s)
          parts.emplace_back(exec(s), view(s), detail::vertices_from(first_row(s), rows(s)),
                             detail::vertices_from(0, order()));
        return {order(), range, std::move(parts), true};
      }
    return {};
  }

  struct Unallocated {};
  RowBlocks(const std::vector<ExecSpace>& devices, std::int64_t n, Unallocated)
      : devices_(devices),
        map_(checked(devices, n), Phase::block, static_cast<int>(devices.size())),
        whole_(n, Phase::block, 1) {}

  void require_memory() const {
    const std::int64_t n = order();
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
                               shares() > 1 ? panel_bytes(s) : detail::workspace_bytes<T>(exec(s), n));
      } catch (const OutOfMemory& error) {
        throw OutOfMemory(whose + error.what());
      }
    }
  }

  static std::size_t index(int share) { return static_cast<std::size_t>(share); }

  /// The rows of a share but the last.
  static std::int64_t own_rows(const detail::BlockCyclicMap& map) {
    return std::max<std::int64_t>(map.left_in_block(0), 1) * Phase::block;
  }

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

  /// Whether half the work takes less time, and there is memory for the pivots' rows that travel.
  bool half_pays() const {
    if (!detail::is_commutative<S> || order() < detail::half_from<ExecSpace> * shares()) return false;
    double on_host = 0;
    for (int s = 0; s < shares(); ++s) {
      const double bytes =
          detail::PivotMirror<ExecSpace>::bytes(rows(s), order(), most_pivots(), sizeof(T)) + panel_bytes(s);
      on_host += bytes;
      if ((is_host_space<ExecSpace> ? on_host : bytes) > detail::available_bytes(exec(s))) return false;
    }
    return true;
  }

  /// Of the panels of a share's groups, and of the square of a group's pivots.
  double panel_bytes(int s) const {
    return Phase::GroupStorage::bytes(rows(s), order(), panel_rounds()) +
           Phase::PanelStorage::bytes(most_pivots(), most_pivots());
  }

  /// The most pivots of a group.
  int most_pivots() const { return (panel_rounds() + 1) / 2 * Phase::block; }

  static void require_commutative(Direction direction) {
    if (direction == Direction::undirected && !detail::is_commutative<S>)
      throw InvalidInput("half the work for an undirected graph takes a semiring that is commutative, and says so");
  }

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

  /// Memory on the host for the rows, or columns, of some vertices.
  template <class Wide>
  DistanceMatrix<Wide, Kokkos::DefaultHostExecutionSpace> lines_on_host(std::size_t vertices) const {
    static_assert(std::is_same_v<Wide, T> || std::is_same_v<S, MinPlus<T>>,
                  "blockfw: only shortest distances are copied to a wider type");
    return DistanceMatrix<Wide, Kokkos::DefaultHostExecutionSpace>(
        Kokkos::view_alloc("blockfw::distances", Kokkos::WithoutInitializing), vertices,
        static_cast<std::size_t>(order()));
  }

  /// Copies some entries of a vertex's row.
  template <class Part>
  void copy_part(std::int64_t vertex, Kokkos::pair<std::int64_t, std::int64_t> columns, const Part& to) const {
    const auto owner = static_cast<int>(vertex / own_rows(map_));
    const std::int64_t row = vertex - first_row(owner);
    detail::copy_to_host(exec(owner), Kokkos::subview(view(owner), Kokkos::pair(row, row + 1), columns), to);
  }

  template <class F>
  void for_each_share(const F& f) const {
    detail::in_threads(shares(), f);
  }

  std::vector<ExecSpace> devices_;
  detail::BlockCyclicMap map_, whole_;
  std::vector<View> views_;
};

/// \brief The distances that several devices have found, each its rows, in the type of the distances or in a narrower
/// one that holds them.
/// \tparam Over       type of the distances, for shortest paths, or a semiring
/// \tparam ExecSpace  of the devices
template <class Over, class ExecSpace = Kokkos::DefaultExecutionSpace>
class SolvedRows : public Solved<RowBlocks, Over, ExecSpace> {
  using Base = Solved<RowBlocks, Over, ExecSpace>;
  using typename Base::S, typename Base::T;
  template <class Element>
  using Blocks = RowBlocks<Element, ExecSpace>;

 public:
  /// \brief Plans and solves; see solve().
  template <class AnyDevices, class Edges>
    requires Kokkos::is_view_v<Edges>
  SolvedRows(const AnyDevices& devices, std::int64_t n, const Edges& edges, const SolveOptions& options);

  /// \brief The same for a matrix of weights on the host.
  template <class AnyDevices, MatrixView Matrix>
  SolvedRows(const AnyDevices& devices, const Matrix& weights, const SolveOptions& options)
      : Base(solved_matrix(devices, weights, options)) {}

  /// The number of shares, one for each instance.
  int shares() const {
    return this->visit([](const auto& d) { return d.shares(); });
  }

  /// \brief Copies to an n x n matrix on the host.
  /// \throws InvalidInput when the matrix is of another shape
  template <MatrixView Matrix>
  void copy_to(const Matrix& distances) const;

 private:
  template <class AnyDevices, class Edges>
  static typename Base::Held solved(const AnyDevices& devices, std::int64_t n, const Edges& edges,
                                    const SolveOptions& options) {
    detail::require_dense(options, "on several devices");
    const bool narrower = Base::may_be_narrower(n, options.narrow);
    const auto& likely =
        narrower ? instances<typename Base::Narrowest>(devices, n, options) : instances<Over>(devices, n, options);
    auto spread = Blocks<Over>::spread(likely, n, edges, options.direction, Blocks<Over>::rows_of_share(likely, n));
    const auto range = spread.range;
    require_safe_sums<S>(n, range);
    const auto bound = [&](const auto& limits) {
      const auto hub = [&] { return detail::find_hub_of_edges(edges).first; };
      return detail::distance_bound(likely, spread.entries, spread.rows, n, hub, range, limits);
    };
    return Base::planned(narrower && !range.any_negative(), bound, [&]<class Element>(std::type_identity<Element>) {
      const auto& list = instances<Element>(devices, n, options);
      Blocks<Element> d(list, n);
      // (Shares of other numbers may have other rows, and there may be more of them.)
      if (const std::int64_t rows = Blocks<Element>::rows_of_share(list, n);
          rows != spread.rows || list.size() != spread.entries.size()) {
        spread = {};
        spread = Blocks<Over>::spread(list, n, edges, options.direction, rows);
      }
      d.fill(spread);
      spread = {};  // before the rounds, as it takes the devices' memory
      return solved_as_planned(std::move(d), range, options);
    });
  }

  template <class AnyDevices, class Matrix>
  static typename Base::Held solved_matrix(const AnyDevices& devices, const Matrix& w, const SolveOptions& options) {
    const Kokkos::DefaultHostExecutionSpace host;
    detail::require_dense(options, "on several devices");
    require_square(w);
    const auto n = static_cast<std::int64_t>(w.extent(0));
    const detail::WeightsOf<S, Matrix> weights{w, options.direction};
    const auto range = detail::read_weights<S>(host, weights, detail::IgnoreWeights{});
    require_safe_sums<S>(n, range);
    const auto bound = [&](const auto& limits) { return detail::distance_bound(host, weights, range, limits); };
    return Base::planned(Base::may_be_narrower(n, options.narrow) && !range.any_negative(), bound,
                         [&]<class Element>(std::type_identity<Element>) {
                           Blocks<Element> d(instances<Element>(devices, n, options), n);
                           d.fill_from_weights(weights);
                           return solved_as_planned(std::move(d), range, options);
                         });
  }

  /// The instances that a solve in the type of Element takes.
  template <class Element, class AnyDevices>
  static decltype(auto) instances(const AnyDevices& devices, std::int64_t n, const SolveOptions& options) {
    constexpr int bits = 8 * int(sizeof(typename semiring_of<Element, void>::value_type));
    return detail::instances_for(devices, n, bits, options.direction);
  }

  template <class Element>
  static Blocks<Element> solved_as_planned(Blocks<Element> d, WeightRange<T> range, SolveOptions options) {
    options.narrow = false;
    d.solve(Base::template range_in<Element>(range), options);
    return d;
  }
};

// (Not in the class, or they would be inline, and compiled by each file that calls them: see detail/compiled.)

template <class Over, class ExecSpace>
template <MatrixView Matrix>
void SolvedRows<Over, ExecSpace>::copy_to(const Matrix& distances) const {
  this->visit([&](const auto& d) { d.copy_to(distances); });
}

template <class Over, class ExecSpace>
template <class AnyDevices, class Edges>
  requires Kokkos::is_view_v<Edges>
SolvedRows<Over, ExecSpace>::SolvedRows(const AnyDevices& devices, std::int64_t n, const Edges& edges,
                                        const SolveOptions& options)
    : Base(solved(devices, n, edges, options)) {}

/// \brief All shortest distances of the graph of n vertices with these edges, on several devices.
///
/// Integers are held and solved in 8 (on hosts), 16 or 32 bits if all distances are known to fit, by a bound that is
/// worked out over the edges: then a device needs half the memory or less.
///
/// \tparam Over    type of the distances, or a semiring, as in solve() on one instance
/// \param devices  an instance for each share, for example Devices::list(), or Devices, of which as many are taken as
///                 pay off (Devices::list_for()); they must outlive the result
/// \param n        number of vertices
/// \param edges    rank-1 view on the host
/// \param options  as in solve(); the method is dense, and Method::sparse an InvalidInput
/// \return the distances, a SolvedRows
/// \throws as solve()
template <class Over = void, class AnyDevices, detail::EdgeView Edges,
          class ExecSpace = typename detail::SpaceOfDevices<AnyDevices>::type>
auto solve(const AnyDevices& devices, std::int64_t n, const Edges& edges, const SolveOptions& options = {}) {
  using S = semiring_of<Over, decltype(Edges::non_const_value_type::weight)>;
  using T = typename S::value_type;
  return SolvedRows<std::conditional_t<std::is_same_v<S, MinPlus<T>>, T, S>, ExecSpace>(devices, n, edges, options);
}

/// \brief The same for edges in a host container.
template <class Over = void, class AnyDevices, detail::EdgeRange Edges,
          class = typename detail::SpaceOfDevices<AnyDevices>::type>
auto solve(const AnyDevices& devices, std::int64_t n, const Edges& edges, const SolveOptions& options = {}) {
  return solve<Over>(devices, n, detail::view_of(edges), options);
}

/// Refused at compile time: edges that are none.
template <class Over = void, class AnyDevices, class Edges,
          class ExecSpace = typename detail::SpaceOfDevices<AnyDevices>::type>
  requires(!detail::EdgeView<Edges> && !detail::EdgeRange<Edges>)
SolvedRows<std::int32_t, ExecSpace> solve(const AnyDevices& devices, std::int64_t n, const Edges&,
                                          const SolveOptions& options = {}) {
  detail::require_edges<Edges>();
  return {devices, n, Kokkos::View<Edge<std::int32_t>*, Kokkos::HostSpace>(), options};
}

/// \brief The same for the graph whose edge i → j has length w(i, j), as solve() of a matrix on one instance. The bound
/// of distances is worked out on the host.
/// \param devices  as in solve() of edges
/// \param w        square rank-2 view on the host, of any layout; it is not changed
/// \param options  as in solve() of edges
/// \throws as solve() of a matrix
template <class Over = void, class AnyDevices, MatrixView Matrix,
          class ExecSpace = typename detail::SpaceOfDevices<AnyDevices>::type>
auto solve(const AnyDevices& devices, const Matrix& w, const SolveOptions& options = {}) {
  using S = semiring_of<Over, typename Matrix::non_const_value_type>;
  using T = typename S::value_type;
  static_assert(std::is_same_v<typename Matrix::non_const_value_type, T>,
                "blockfw: the matrix is of another type than the semiring");
  return SolvedRows<std::conditional_t<std::is_same_v<S, MinPlus<T>>, T, S>, ExecSpace>(devices, w, options);
}

/// Refused at compile time: the instances of Devices must outlive the result.
template <class Over = void, class ExecSpace, class Edges>
void solve(Devices<ExecSpace>&&, std::int64_t, const Edges&, const SolveOptions& = {}) = delete;
/// Refused for the same reason.
template <class Over = void, class ExecSpace, class Matrix>
void solve(Devices<ExecSpace>&&, const Matrix&, const SolveOptions& = {}) = delete;

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

#if defined(BLOCKFW_COMPILED)
#include "blockfw/detail/compiled/multi_device.hpp"
#endif
