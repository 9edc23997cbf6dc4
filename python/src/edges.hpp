// SPDX-License-Identifier: MIT
// Arrays of vertices and weights as a list of edges.
#pragma once

#include "arrays.hpp"
#include "conversion.hpp"
#include "runtime.hpp"

#include <blockfw/edges.hpp>
#include <blockfw/ground/error.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace bindings {

/// \brief The edges from[e] → to[e] of weights[e], or of weight 1. During a turn.
///
/// A weight that is no edge becomes a loop of weight 0, which changes nothing. Loops become loops of weight 0, too,
/// unless the caller wants them.
/// \param no_edge  the numbers that mean no edge. Other weights that are no numbers are left to the library, which
///                 refuses them.
/// \throws blockfw::InvalidEdge   for a weight that is not a number of type T
/// \throws blockfw::OverflowRisk for an integer weight that reaches infinity<T>
template <class T>
std::vector<blockfw::Edge<T>> read_edges(const ConstArray<std::int32_t>& from, const ConstArray<std::int32_t>& to,
                                         const std::optional<AnyArray>& weights, bool loops, NoEdge no_edge = {}) {
  const std::size_t count = from.shape(0);
  if (to.shape(0) != count || (weights && (weights->ndim() != 1 || weights->shape(0) != count)))
    throw blockfw::InvalidInput("the edges begin at " + std::to_string(count) +
                                " vertices, expected as many ends and weights");
  std::vector<blockfw::Edge<T>> edges(count);
  auto* const all = edges.data();
  const auto *const tails = from.data(), *const heads = to.data();
  const auto read = [&]<class W>(const W* of, std::int64_t step) {
    auto wrong = static_cast<std::int64_t>(count);
    Kokkos::parallel_reduce(
        "blockfw::read_edges", Kokkos::RangePolicy<Host, Kokkos::IndexType<std::int64_t>>(host(), 0, wrong),
        [=](std::int64_t e, std::int64_t& first_wrong) {
          const W weight = of == nullptr ? W(1) : of[e * step];
          const bool counts = !is_no_edge<double>(weight, no_edge) && (loops || tails[e] != heads[e]);
          const bool good = !counts || (fits<T>(weight) && !is_far<T>(weight));
          if (!good) first_wrong = std::min(first_wrong, e);
          const std::int32_t end = std::max(tails[e], heads[e]);  // (if an end is a new vertex, it is the larger one)
          all[e] = {counts ? tails[e] : end, counts ? heads[e] : end, good && counts ? static_cast<T>(weight) : T(0)};
        },
        Kokkos::Min<std::int64_t>(wrong));
    if (wrong >= static_cast<std::int64_t>(count)) return;
    const W weight = of[wrong * step];
    const std::string place = "from " + std::to_string(tails[wrong]) + " to " + std::to_string(heads[wrong]);
    if (!fits<T>(weight)) throw blockfw::InvalidEdge(wrong, misfit<T>(weight, place));
    if constexpr (std::is_integral_v<T>)
      throw blockfw::OverflowRisk("edge " + std::to_string(wrong) + ": " + too_far<T>(weight, place));
  };
  if (weights)
    with_type_of(*weights, [&](auto w) { read(static_cast<const decltype(w)*>(weights->data()), weights->stride(0)); });
  else
    read(static_cast<const T*>(nullptr), 0);
  return edges;
}

/// Compiled once, in edges.cpp. LINKAGE is extern for a declaration.
#define BLOCKFW_PYTHON_READ_EDGES(LINKAGE, T)                   \
  LINKAGE template std::vector<blockfw::Edge<T>> read_edges<T>( \
      const ConstArray<std::int32_t>&, const ConstArray<std::int32_t>&, const std::optional<AnyArray>&, bool, NoEdge);

BLOCKFW_PYTHON_READ_EDGES(extern, double)
BLOCKFW_PYTHON_READ_EDGES(extern, float)
BLOCKFW_PYTHON_READ_EDGES(extern, std::int32_t)
BLOCKFW_PYTHON_READ_EDGES(extern, std::int64_t)
BLOCKFW_PYTHON_READ_EDGES(extern, std::int16_t)

}  // namespace bindings
