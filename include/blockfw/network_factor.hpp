// SPDX-License-Identifier: MIT
/// \file
/// \brief A network and a device: the network's factor there, and a network whose large questions a device answers.
#pragma once

#include "blockfw/detail/backend/compiled.hpp"
#include "blockfw/detail/elimination/host_or_device.hpp"
#include "blockfw/detail/elimination/place.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/network.hpp"
#include "blockfw/sparse.hpp"

#include <memory>
#include <type_traits>

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
/// copies the factor there. If the device's memory does not hold the factor or the answer, the host goes on. The other
/// questions are the host's. Where ExecSpace is a host's, all are.
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
                    return NetworkQuestions<S, Host>::template place_of<DevicePlace>(exec, *analysis, here);
                  })) {}
};

/// \brief Deduces the types of a network with a device from what its constructor takes.
// (Written out because Clang 21 ends by a fault where it makes the guide out of the constructor.)
template <class ExecSpace, Semiring S, class Host>
NetworkWithDevice(const ExecSpace&, const Network<S, Host>&) -> NetworkWithDevice<S, ExecSpace, Host>;

}  // namespace blockfw
