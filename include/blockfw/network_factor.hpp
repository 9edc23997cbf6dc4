// SPDX-License-Identifier: MIT
/// \file
/// \brief The factor of a Network on a device: it makes tables, rows and sums there, and finds nearest places.
#pragma once

#include "blockfw/ground/semiring.hpp"
#include "blockfw/network.hpp"
#include "blockfw/sparse.hpp"

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

}  // namespace blockfw
