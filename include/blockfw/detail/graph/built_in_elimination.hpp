// SPDX-License-Identifier: MIT
/// \file
/// \brief The structure of an elimination in the order that blockfw finds.
#pragma once

#include "blockfw/detail/graph/elimination_order.hpp"
#include "blockfw/detail/graph/neighbours.hpp"
#include "blockfw/detail/graph/supernodes.hpp"
#include "blockfw/ground/options.hpp"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace blockfw::detail {

/// \brief The supernodes of an order of little fill (minimum_degree_steps()); nothing if a limit is exceeded.
///
/// The search for the order finds the boundaries, too. With hubs, or with steps that are too wide, they are found anew.
/// \param purpose, most_width, memory  as in find_supernodes()
/// \param limits, size                 as in minimum_degree_steps()
/// \throws OutOfMemory if the supernodes would take more than `memory`; thrown before they are allocated
///
/// (A template, so that a library can hold it: ../compiled.)
template <class = void>
std::optional<Elimination> built_in_elimination(const Neighbours& neighbours, Purpose purpose, std::int32_t most_width,
                                                double memory, const OrderLimits& limits = {},
                                                std::int32_t size = size_of_region) {
  std::vector<std::int32_t> hubs;
  std::optional<EliminationSteps> steps = minimum_degree_steps(neighbours, limits, size, hubs);
  if (!steps) return std::nullopt;
  if (hubs.empty() && steps->widest() <= most_width) return supernodes_of_steps(*steps, purpose, most_width, memory);
  std::vector<std::int32_t> order = std::move(steps->order);
  steps.reset();  // frees the boundaries
  order.insert(order.end(), hubs.begin(), hubs.end());
  return find_supernodes(neighbours, order, purpose, most_width, memory);
}

}  // namespace blockfw::detail
