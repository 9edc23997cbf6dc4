// SPDX-License-Identifier: MIT
/// \file
/// \brief Several devices (or groups of a host's threads) solve one matrix. Each device holds only some of its rows.
///
/// \code
///   // The first two devices, or two groups of a host's threads:
///   const blockfw::Devices<> devices(2);
///   // Each device has the rows of 300 stations:
///   const auto d = blockfw::solve(devices.list(), n, edges);
///   Kokkos::View<int**, Kokkos::LayoutRight, Kokkos::HostSpace> all("all", n, n);
///   d.copy_to(all);
/// \endcode
/// solve(devices, n, edges) takes as many of the devices as pay off.
#pragma once

#include "blockfw/detail/backend/compiled.hpp"
#include "blockfw/detail/backend/streams.hpp"
#include "blockfw/detail/plan/narrow.hpp"
#include "blockfw/detail/shares/device_place.hpp"
#include "blockfw/detail/shares/place.hpp"
#include "blockfw/floyd_warshall.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"
#include "blockfw/shares.hpp"
#include "blockfw/solve.hpp"
#include "blockfw/solved.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace blockfw {

/// \brief Instances on several devices, one for each device. On a host, one for each of several equal groups of its
/// threads.
template <class ExecSpace = Kokkos::DefaultExecutionSpace>
class Devices {
 public:
  /// \param count  number of devices, or of groups on a host. 0 means all devices, or on a host one group of all
  ///               threads.
  /// \throws InvalidInput when count < 0, or when there are fewer devices. Groups of a host may share threads. There
  ///         are at most 512 groups, as many as Kokkos has threads. Before Kokkos's start and after its end, too.
  explicit Devices(int count = 0) {
    if (count < 0) throw InvalidInput(count, " devices are requested, expected 1 or more, or 0 for all");
    if constexpr (is_host_space<ExecSpace>) {
      constexpr int most = 512;  // (each has memory of its own)
      if (count > most) throw InvalidInput(count, " groups of threads are requested, expected at most ", most);
      const auto all = detail::default_instance<ExecSpace>();
      const int groups = std::max(count, 1);
      for (int g = 0; g < groups && count > 1; ++g)
        if constexpr (std::is_constructible_v<ExecSpace, int>)
          list_.emplace_back(std::max(1, all.concurrency() / groups));
        else
          list_.push_back(Kokkos::Experimental::partition_space(all, std::vector<int>{1}).front());
      if (count <= 1) list_.push_back(all);
    } else {
      detail::require_kokkos();
      const int there = Api::count();
      if (count > there) throw InvalidInput(count, " devices are requested, ", there, " are available");
      for (int device = 0; device < (count > 0 ? count : there); ++device) {
        streams_.push_back(std::make_unique<detail::Stream<ExecSpace>>(device));
        list_.push_back(streams_.back()->exec());
      }
    }
  }

  /// \brief All instances. They are valid while this object lives, so a temporary has no list().
  const std::vector<ExecSpace>& list() const& { return list_; }
  void list() && = delete;

  /// \brief The first instances of the list, one or more: as many as pay off for n vertices. On a host, all instances.
  ///
  /// The pivots and panels are made one after another. With few rows on each device, they take longer than the rest of
  /// the work. Fewer bits and half the work shorten only the rest. So two H100s do the rounds faster than one H100 from
  /// n = 5500 on, and in 16 bits from 6300 on. With half the work these limits are 9600 and 11900. The limits here are
  /// higher, since a first solve also allocates.
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

/// The instances that work on a solve: all instances of a list; of Devices, as many as pay off, or all.
template <class ExecSpace>
std::vector<ExecSpace> instances_for(const std::vector<ExecSpace>& list, std::int64_t, int, const SolveOptions&) {
  return list;
}
template <class ExecSpace>
std::vector<ExecSpace> instances_for(const Devices<ExecSpace>& devices, std::int64_t n, int bits,
                                     const SolveOptions& options) {
  return options.fewer_devices ? devices.list_for(n, bits, options.direction) : devices.list();
}

/// The execution space of a list of instances, or of Devices.
template <class AnyDevices>
using SpaceOfDevices =
    typename decltype(instances_for(std::declval<const AnyDevices&>(), 0, 0, SolveOptions()))::value_type;

/// Chooses the devices of a solve.
template <class ExecSpace>
class DevicePlanner final : public Planner<ExecSpace> {
 public:
  /// \param instances  instances(bits) are the instances for numbers of that many bits
  /// \param fewest     the fewest bits that numbers may have
  DevicePlanner(std::function<std::vector<ExecSpace>(int)> instances, int fewest)
      : instances_(std::move(instances)), fewest_(fewest) {}

  const char* name() const override { return DevicePlace<ExecSpace>::where; }
  std::vector<ExecSpace> instances() const override { return instances_(fewest_); }
  std::shared_ptr<const Place<ExecSpace>> place(const Numbers<ExecSpace>& numbers, std::int64_t n,
                                                PlaceFor task) const override {
    const int bits = 8 * static_cast<int>(numbers.sizes().entry);
    return std::make_shared<const DevicePlace<ExecSpace>>(instances_(task == PlaceFor::rounds ? bits : fewest_), n,
                                                          numbers.sizes());
  }

  template <class Edges>
  bool takes(const Edges& edges) const {
    return edges.span_is_contiguous();
  }
  template <Semiring S, class Edges>
  const Edges& all_edges(std::int64_t, const Edges& edges, Direction) const {
    return edges;
  }
  template <Semiring S, class Edges, class T = typename S::value_type>
  DenseSource<T, ExecSpace> dense_source(std::int64_t n, const Edges& edges, const SolveOptions& options) const {
    const auto likely = place(numbers_in_shares<S, ExecSpace>(), n, PlaceFor::rows_by_elimination);
    auto spread = spread_edges<S>(*likely, edges, options.direction);
    require_safe_sums<S>(n, spread.range);
    const auto there = std::make_shared<decltype(spread)>(std::move(spread));
    DenseSource<T, ExecSpace> source;
    if constexpr (Ladder<S, is_host_space<ExecSpace>>::any)
      source.bound = [likely, there, n, &edges](const std::vector<T>& limits) -> std::optional<T> {
        if (there->range.any_negative()) return {};
        const auto hub = [&] { return find_hub_of_edges(edges).first; };
        return distance_bound(likely->instances(), there->entries, there->block_rows(), n, hub, there->range, limits);
      };
    source.fill = [there, &edges, direction = options.direction](const Shares<ExecSpace>& d) {
      const WeightRange<T> range = there->range;
      // (Shares of numbers of another type may have other rows, and there may be more shares.)
      if (!there->are_for(d.where())) {
        *there = {};
        *there = spread_edges<S>(d.where(), edges, direction);
      }
      fill_shares(d, *there);
      *there = {};  // before the rounds, as it takes the devices' memory
      return range;
    };
    return source;
  }

 private:
  std::function<std::vector<ExecSpace>(int)> instances_;
  int fewest_;
};

}  // namespace detail

/// \brief A matrix of distances whose rows are spread over several devices in order, about equally many on each.
///
/// \tparam Over       type of the distances, for shortest paths, or a semiring
/// \tparam ExecSpace  of the devices
///
/// A device's share has about n²/devices elements, in whole rows of tiles. During a solve the device also holds panels:
/// the rows and columns of at most 16 tiles, and from n = 32768 on at most a twentieth of the share. For half the work
/// it holds about as much again, for the pivots' rows that travel.
template <class Over, class ExecSpace = Kokkos::DefaultExecutionSpace>
class RowBlocks : public MatrixInShares<Over, ExecSpace> {
  using Base = MatrixInShares<Over, ExecSpace>;
  template <template <class...> class, class, class>
  friend class Solved;

 public:
  /// \brief Memory for the distances of n vertices, not yet filled.
  /// \param devices  an instance for each share. Several instances may be on one device. The instances and their
  ///                 streams must outlive this object.
  /// \param n        number of vertices
  /// \throws InvalidInput for no device, n < 0 or n >= 2^31; OutOfMemory, which names the device, when a share does not
  ///         fit
  RowBlocks(const std::vector<ExecSpace>& devices, std::int64_t n)
      : Base(detail::Shares<ExecSpace>(place_of(devices, n), Base::numbers())) {}

  /// \brief Checks that the distances of n vertices would fit, without memory for them.
  /// \throws as the constructor
  static void require_memory(const std::vector<ExecSpace>& devices, std::int64_t n) {
    detail::Shares<ExecSpace>::require_memory(*place_of(devices, n), Base::numbers());
  }

  /// The number of rows of each share except the last, in a matrix of n vertices over these devices.
  static std::int64_t rows_of_share(const std::vector<ExecSpace>& devices, std::int64_t n) {
    return place_of(devices, n)->layout().down.block_rows();
  }

  /// The instance that works on a share.
  const ExecSpace& exec(int share) const { return this->in_shares().where().exec(share); }
  /// The first row of a share.
  std::int64_t first_row(int share) const {
    return std::min(this->in_shares().layout().down.block_rows() * share, this->vertices());
  }
  /// The number of rows of a share.
  std::int64_t rows(int share) const { return this->in_shares().layout().rows(share); }
  /// The rows of a share, all columns, in its device's memory. There may be gaps between rows.
  typename Base::View view(int share) const { return this->view_of(share); }

 private:
  explicit RowBlocks(detail::Shares<ExecSpace> held) : Base(std::move(held)) {}

  static std::shared_ptr<const detail::DevicePlace<ExecSpace>> place_of(const std::vector<ExecSpace>& devices,
                                                                        std::int64_t n) {
    return std::make_shared<const detail::DevicePlace<ExecSpace>>(devices, n, Base::numbers().sizes());
  }
};

/// \brief The distances that several devices have found; each device holds its rows. They are held in the type of the
/// distances, or in a narrower type that holds them.
/// \tparam Over       type of the distances, for shortest paths, or a semiring
/// \tparam ExecSpace  of the devices
template <class Over, class ExecSpace = Kokkos::DefaultExecutionSpace>
class SolvedRows : public Solved<RowBlocks, Over, ExecSpace> {
  using Base = Solved<RowBlocks, Over, ExecSpace>;
  using typename Base::S;

 public:
  /// \brief Plans and solves; see solve().
  template <class Edges>
    requires Kokkos::is_view_v<Edges>
  SolvedRows(const detail::DevicePlanner<ExecSpace>& devices, std::int64_t n, const Edges& edges,
             const SolveOptions& options)
      : Base(detail::solve_in_shares<S>(devices, n, edges, options)) {}

  /// \brief The same for a matrix of weights on the host.
  template <MatrixView Matrix>
  SolvedRows(const detail::DevicePlanner<ExecSpace>& devices, const Matrix& weights, const SolveOptions& options)
      : Base(detail::solve_matrix_in_shares<S, ExecSpace>(devices, weights, options)) {}
};

namespace detail {

/// The planner of a solve on a list of instances, or on Devices.
template <Semiring S, class AnyDevices, class ExecSpace = SpaceOfDevices<AnyDevices>>
DevicePlanner<ExecSpace> planner_of(const AnyDevices& devices, std::int64_t n, const SolveOptions& options) {
  const auto& least = least_numbers<S, ExecSpace>(options.narrow && n >= narrow_from<ExecSpace>);
  return {[&devices, n, options](int bits) { return instances_for(devices, n, bits, options); },
          8 * static_cast<int>(least.type().bytes)};
}

}  // namespace detail

/// \brief All shortest distances of the graph of n vertices with these edges, on several devices.
///
/// Integers are held and solved in 8 (on hosts), 16 or 32 bits if all distances are known to fit. A bound that is
/// computed from the edges decides this. A device then needs half the memory or less.
///
/// \tparam Over    type of the distances, or a semiring, as in solve() on one instance
/// \param devices  an instance for each share, for example Devices::list(); or Devices. Of Devices as many are taken as
///                 pay off, if options.fewer_devices allows it. They must outlive the result.
/// \param n        number of vertices
/// \param edges    container or rank-1 view on the host
/// \param options  as in solve(). By elimination each device makes its rows; it holds a factor of its own (on hosts all
///                 shares have one).
/// \return the distances, a SolvedRows
/// \throws as solve()
template <class Over = void, class AnyDevices, EdgeList Edges, class ExecSpace = detail::SpaceOfDevices<AnyDevices>>
auto solve(const AnyDevices& devices, std::int64_t n, const Edges& edges, const SolveOptions& options = {}) {
  using S = semiring_of<Over, detail::WeightOf<Edges>>;
  return SolvedRows<detail::OverOf<S>, ExecSpace>(detail::planner_of<S>(devices, n, options), n, detail::view_of(edges),
                                                  options);
}

/// Refused at compile time: an argument that is no list of edges.
template <class Over = void, class AnyDevices, class Edges, class ExecSpace = detail::SpaceOfDevices<AnyDevices>>
  requires(!EdgeList<Edges>)
SolvedRows<std::int32_t, ExecSpace> solve(const AnyDevices& devices, std::int64_t n, const Edges&,
                                          const SolveOptions& options = {}) {
  detail::require_edges<Edges>();
  return solve<Over>(devices, n, Kokkos::View<Edge<std::int32_t>*, Kokkos::HostSpace>(), options);
}

/// \brief The same for the graph whose edge i → j has length w(i, j), as solve() of a matrix on one instance. The bound
/// of distances is computed on the host.
/// \param devices  as in solve() of edges
/// \param w        square rank-2 view on the host, of any layout. It is not changed.
/// \param options  as in solve() of edges
/// \throws as solve() of a matrix
template <class Over = void, class AnyDevices, MatrixView Matrix, class ExecSpace = detail::SpaceOfDevices<AnyDevices>>
auto solve(const AnyDevices& devices, const Matrix& w, const SolveOptions& options = {}) {
  using S = semiring_of<Over, typename Matrix::non_const_value_type>;
  return SolvedRows<detail::OverOf<S>, ExecSpace>(detail::planner_of<S>(devices, detail::extent_along(w, 0), options),
                                                  w, options);
}

/// Refused at compile time: the instances of Devices must outlive the result.
template <class Over = void, class ExecSpace, class Edges>
void solve(Devices<ExecSpace>&&, std::int64_t, const Edges&, const SolveOptions& = {}) = delete;
/// Refused for the same reason.
template <class Over = void, class ExecSpace, class Matrix>
void solve(Devices<ExecSpace>&&, const Matrix&, const SolveOptions& = {}) = delete;

/// \brief blocked_floyd_warshall() of a matrix on the host, by several devices. Each device holds some of its rows. A
/// diagonal entry counts as S::one() unless it is better; for shortest paths, as 0 unless it is negative.
/// \tparam Over    the semiring, as in solve(); if left out, shortest paths
/// \param devices  an instance for each share
/// \param d        a square rank-2 view that the host can reach, of the semiring's value_type
/// \param options  as for blocked_floyd_warshall() on one instance
/// \throws InvalidInput when d is not square; OutOfMemory when the devices cannot hold it
template <class Over = void, class ExecSpace, MatrixView View>
void blocked_floyd_warshall(const std::vector<ExecSpace>& devices, const View& d, const TaskOptions& options = {}) {
  using T = typename View::value_type;
  RowBlocks<std::conditional_t<std::is_void_v<Over>, T, Over>, ExecSpace> blocks(devices, detail::extent_along(d, 0));
  blocks.copy_from(d);
  blocks.floyd_warshall(options);
  blocks.copy_to(d);
}

}  // namespace blockfw

/// A graph in a container, on several devices.
#define BLOCKFW_COMPILED_DEVICES(LINKAGE, S)                                                                     \
  LINKAGE template blockfw::detail::Shares<blockfw::detail::compiled::Exec> blockfw::detail::solve_in_shares<S>( \
      const blockfw::detail::DevicePlanner<blockfw::detail::compiled::Exec>&, std::int64_t,                      \
      const blockfw::detail::compiled::HostEdges<blockfw::detail::compiled::Value<S>>&, const blockfw::SolveOptions&);

#if defined(BLOCKFW_COMPILED)
BLOCKFW_COMPILED_SHORTEST(BLOCKFW_COMPILED_DEVICES, extern)
#endif
