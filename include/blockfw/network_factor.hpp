// SPDX-License-Identifier: MIT
/// \file
/// \brief The factor of a Network on a device: it makes tables, rows and sums there, and finds nearest places.
#pragma once

#include "blockfw/network.hpp"
#include "blockfw/sparse.hpp"

#include <memory>

namespace blockfw {

namespace detail {

/// The parts of a Network that a factor is made of.
template <Semiring S, class Host>
struct NetworkOfFactor {
  template <class ExecSpace>
  static SparseFactor<S, ExecSpace> factor(const ExecSpace& exec, const Network<S, Host>& network) {
    return {exec, network.analysis_, network.arcs_, network.range_, network.values_};
  }
};

}  // namespace detail

/// \brief A network's factor for another place, such as a GPU. It answers there as the network does.
/// \param exec     the instance to run on
/// \param network  keeps its weights. The factor does not change with it, and may outlive it.
/// \throws OutOfMemory when the factor does not fit, before it is allocated
///
/// The numbers are copied: nothing is eliminated. A device then makes the labels that it keeps. For other weights take
/// the factor of Network::with_weights() or with_changes().
template <class ExecSpace, Semiring S, class Host>
SparseFactor<S, ExecSpace> factor_of(const ExecSpace& exec, const Network<S, Host>& network) {
  return detail::NetworkOfFactor<S, Host>::factor(exec, network);
}

}  // namespace blockfw
