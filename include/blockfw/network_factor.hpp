// SPDX-License-Identifier: MIT
/// \file
/// \brief A network and a device: the network's factor there, and a network whose large questions a device answers.
#pragma once

#include "blockfw/detail/backend/compiled.hpp"
#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/elimination/factor.hpp"
#include "blockfw/detail/elimination/host_sweeps.hpp"
#include "blockfw/detail/elimination/labels.hpp"
#include "blockfw/detail/elimination/place.hpp"
#include "blockfw/detail/graph/supernodes.hpp"
#include "blockfw/detail/matrices/copies.hpp"
#include "blockfw/ground/answers.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"
#include "blockfw/network.hpp"
#include "blockfw/sparse.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace blockfw::detail {

/// \brief The choice between a host and a device, for each question by its size. Answers are on the host.
///
/// A device takes some launches, a copy of the answer and, once, a copy of the factor. So it answers from 2^20
/// distances on. (Measured for the Python module on an H100: see benchmarks/results/networks.md.)
/// If the device has too little memory, the host answers. The first large question copies the factor. One large
/// question runs at a time.
template <Semiring S, class Host, class DevicePlace>
class HostOrDevice : public HostSweeps<S, Host> {
  using OnHost = HostSweeps<S, Host>;

 public:
  using T = typename S::value_type;

  static constexpr double least_distances = 1 << 20;
  static constexpr std::size_t of_pair = 16;       ///< distances of a table that take as long as a pair
  static constexpr std::size_t least_rows = 1024;  ///< rows of nearest places, as a thread of a device takes a row

  /// Copies the factor to the device.
  using Make = std::function<DevicePlace()>;

  HostOrDevice() = default;
  HostOrDevice(OnHost host, Make make)
      : OnHost(std::move(host)), device_(std::make_shared<OnDevice>(std::move(make))) {}

  HostOrDevice on(const Host& exec) const {
    HostOrDevice same = *this;
    static_cast<OnHost&>(same) = OnHost::on(exec);
    return same;
  }

  template <class Rows>
  void rows_from(std::span<const std::int32_t> numbers, const Rows& d) const {
    const std::size_t n = this->structure().order.size();
    answer(
        numbers.size(), n,
        [&](const DevicePlace& device) {
          for_rows_from(device, numbers, rows_that_fit(device, n),
                        [&](std::size_t first, const auto& rows) { copy_to(d, first, device, rows); });
        },
        [&] { OnHost::rows_from(numbers, d); });
  }

  template <class Matrix>
  void table(std::span<const std::int32_t> sources, std::span<const std::int32_t> targets, const Matrix& d) const {
    constexpr std::size_t least = 8192, entries = std::size_t{1} << 28;
    answer(
        sources.size(), targets.size(),
        [&](const DevicePlace& device) {
          device.for_rows_of_table(sources, targets,
                                   std::max(least, entries / std::max<std::size_t>(targets.size(), 1)),
                                   [&](std::size_t first, const auto& rows) { copy_to(d, first, device, rows); });
        },
        [&] { OnHost::table(sources, targets, d); });
  }

  template <class F>
  void for_rows_of_table(std::span<const std::int32_t> sources, std::span<const std::int32_t> targets, std::size_t most,
                         const F& f) const {
    if (!is_large(std::min(most, sources.size()), targets.size()))
      return OnHost::for_rows_of_table(sources, targets, most, f);
    blocks_of_table(*this, sources, targets, most, f);
  }

  void pairs(std::span<const std::int32_t> sources, std::span<const std::int32_t> targets, T* distances) const {
    answer(
        sources.size(), of_pair, [&](const DevicePlace& device) { device.pairs(sources, targets, distances); },
        [&] { OnHost::pairs(sources, targets, distances); });
  }

  template <Sweep Heading>
  std::vector<Reach<T>> reach(std::span<const std::int32_t> numbers, const Progress& progress) const {
    return answer(
        numbers.size(), this->structure().order.size(),
        [&](const DevicePlace& device) { return device.template reach<Heading>(numbers, progress); },
        [&] { return OnHost::template reach<Heading>(numbers, progress); });
  }

  /// \brief A large answer by the device, a small one by the host.
  /// \param rows, columns  the size of the answer, or of a table that takes as long
  template <class ByDevice, class ByHost>
  auto answer(std::size_t rows, std::size_t columns, [[maybe_unused]] const ByDevice& by_device,
              const ByHost& by_host) const {
    if constexpr (!DevicePlace::searches)
      if (is_large(rows, columns)) try {
          const std::lock_guard lock(device_->mutex);
          if (!device_->place) device_->place = std::make_unique<const DevicePlace>(device_->make());
          return by_device(*device_->place);
        } catch (const OutOfMemory&) {  // the host goes on
        }
    return by_host();
  }

 private:
  static bool is_large(std::size_t rows, std::size_t columns) {
    return !DevicePlace::searches && static_cast<double>(rows) * static_cast<double>(columns) >= least_distances;
  }

  /// The number of rows that a quarter of the device's memory holds, together with the memory to make these rows.
  static std::size_t rows_that_fit(const DevicePlace& device, std::size_t n) {
    constexpr std::size_t least = 32;
    const double fit = available_bytes(device.exec()) / 8 / static_cast<double>(n) / sizeof(T);
    return std::clamp(static_cast<std::size_t>(std::min(fit, 1e9)), least, device.rows_at_once());
  }

  template <class Matrix, class Rows>
  static void copy_to(const Matrix& d, std::size_t first, const DevicePlace& device, const Rows& rows) {
    copy_rows(device.exec(), Kokkos::subview(d, Kokkos::pair(first, first + rows.extent(0)), Kokkos::ALL), rows);
    device.exec().fence("blockfw::answer");
  }

  struct OnDevice {
    explicit OnDevice(Make how) : make(std::move(how)) {}
    std::mutex mutex;
    Make make;
    std::unique_ptr<const DevicePlace> place;
  };

  std::shared_ptr<OnDevice> device_;
};

/// Calls f with the place that answers a question of some rows and columns: the host's or the device's.
template <Semiring S, class Host, class DevicePlace, class F>
auto answered_by(const HostOrDevice<S, Host, DevicePlace>& place, std::size_t rows, std::size_t columns, const F& f) {
  constexpr std::size_t least = HostOrDevice<S, Host, DevicePlace>::least_rows;
  const HostSweeps<S, Host>& host = place;
  return place.answer(rows < least ? 0 : rows, columns, f, [&] { return f(host); });
}

}  // namespace blockfw::detail

namespace blockfw {

/// \brief A network's factor for another place, such as a GPU. It answers there as the network does.
/// \param exec     the instance to run on
/// \param network  keeps its weights. The factor does not change with it, and may outlive it.
/// \throws OutOfMemory when the factor does not fit, before it is allocated
///
/// The numbers are copied: nothing is eliminated. A device then makes the labels that it keeps. For other weights take
/// the factor of Network::with_weights() or with_changes().
template <class ExecSpace, Semiring S, class Host>
SparseFactor<S, ExecSpace> factor_of(const ExecSpace& exec, const Network<S, Host>& network) {
  return SparseFactor<S, ExecSpace>(exec, network);
}

/// \brief A network on a host whose large questions a device answers. All answers are on the host.
///
/// \code
///   const blockfw::NetworkWithDevice either(device, network);
///   const auto minutes = either.table(depots, customers);
/// \endcode
///
/// From 2^20 distances on a table, rows, pairs, nearest places and reach() are made by the device. The first of these
/// copies the factor there. If the device's memory does not hold the factor or the answer, the host goes on. The host
/// answers the other questions. If ExecSpace is a host's, the host answers all questions.
///
/// \tparam S            the semiring
/// \tparam ExecSpace    where the device works
/// \tparam Host         where the network is
/// \tparam DevicePlace  the class that holds the numbers on the device
template <Semiring S, class ExecSpace, class Host = Kokkos::DefaultHostExecutionSpace,
          class DevicePlace = detail::place_for<S, ExecSpace>>
class NetworkWithDevice : public NetworkQuestions<S, Host, detail::HostOrDevice<S, Host, DevicePlace>> {
  using Place = detail::HostOrDevice<S, Host, DevicePlace>;
  using Questions = NetworkQuestions<S, Host, Place>;

 public:
  /// \brief The same network, and a device.
  /// \param exec     the instance for large questions
  /// \param network  keeps its weights. This object does not change with it, and may outlive it. They share the numbers
  ///                 on the host.
  NetworkWithDevice(const ExecSpace& exec, const std::type_identity_t<NetworkQuestions<S, Host>>& network)
      : Questions(network, Place(network.place_, [exec, analysis = network.analysis_, here = network.place_] {
                    return DevicePlace(exec, here.structure(), here.values(), here.range());  // (of the analysis)
                  })) {}
};

/// \brief Deduces the types of a network with a device from the arguments of its constructor.
// (Written out because Clang 21 ends by a fault where it makes the guide out of the constructor.)
template <class ExecSpace, Semiring S, class Host>
NetworkWithDevice(const ExecSpace&, const Network<S, Host>&) -> NetworkWithDevice<S, ExecSpace, Host>;

}  // namespace blockfw
