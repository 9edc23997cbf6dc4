// SPDX-License-Identifier: MIT
/// \file
/// \brief The structure of a sparse graph for an elimination: an order with little fill, and its supernodes.
#pragma once

#include "blockfw/detail/backend/compiled.hpp"
#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/elimination/front_arcs.hpp"
#include "blockfw/detail/graph/elimination_order.hpp"
#include "blockfw/detail/graph/neighbours.hpp"
#include "blockfw/detail/graph/supernodes.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/semiring.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <ranges>
#include <utility>
#include <vector>

namespace blockfw {

namespace detail {
template <Semiring, class>
class NetworkParts;
}  // namespace detail

/// \brief The structure of a sparse graph: the order of elimination and the supernodes. It depends on the network, not
/// on the weights. It serves any number of factors.
class SparseAnalysis {
 public:
  /// \brief Finds an order with little fill (approximate minimum degree), and the supernodes.
  /// \param n        number of vertices
  /// \param edges    host container of edges. Their weights and directions do not matter.
  /// \param options  the purpose; another order
  /// \throws InvalidInput, InvalidEdge  for n out of range, a vertex out of range, an order that is no permutation of
  ///                                    the vertices
  /// \throws OutOfMemory                when the structure does not fit, before it is allocated. The caller's order may
  ///                                    have any fill.
  ///
  /// Memory: O(n + edges), and about as much again for the fill. Once Kokkos is initialised, the threads of its host
  /// share a part of the work on large graphs; the result does not depend on their number.
  template <std::ranges::contiguous_range Edges>
  SparseAnalysis(std::int64_t n, const Edges& edges, const AnalysisOptions& options = {})
      : SparseAnalysis(detail::neighbours_of(n, edges), options) {}

  /// Refused at compile time: an argument that is no list of edges.
  template <class Edges>
    requires(!std::ranges::contiguous_range<Edges>)
  SparseAnalysis(std::int64_t, const Edges&, const AnalysisOptions& = {}) {
    detail::require_edges<Edges>();
  }

  /// The number of vertices.
  std::int64_t vertices() const { return static_cast<std::int64_t>(elimination_.order.size()); }
  /// order()[k] is the vertex that is eliminated as number k.
  const std::vector<std::int32_t>& order() const { return elimination_.order; }
  /// The number of supernodes.
  std::int64_t supernodes() const { return static_cast<std::int64_t>(elimination_.supernodes.size()); }
  /// Vertices of the widest supernode.
  std::int64_t widest() const { return widest_; }
  /// Relaxes of a factor.
  double factor_relaxes() const { return factor_relaxes_; }
  /// Relaxes of the distances from all vertices, by a factor.
  double solve_relaxes() const { return solve_relaxes_; }
  /// Elements of a factor.
  double factor_elements() const { return factor_elements_; }

 private:
  template <Semiring, class, class>
  friend class SparseFactor;
  template <Semiring, class, class>
  friend class NetworkQuestions;
  template <Semiring, class>
  friend class detail::NetworkParts;
  template <class ExecSpace, std::ranges::contiguous_range Edges>
  friend std::optional<SparseAnalysis> analysis_if_sparse(std::int64_t, const Edges&, Direction, Method);
  template <std::ranges::contiguous_range Edges>
  friend std::optional<SparseAnalysis> analysis_if_rows(std::int64_t, const Edges&, std::int64_t);

  /// \brief The structure in the built-in order, or nothing when the structure exceeds the limits.
  template <std::ranges::contiguous_range Edges>
  static std::optional<SparseAnalysis> within(const detail::OrderLimits& limits, std::int64_t n, const Edges& edges) {
    const detail::Neighbours neighbours = detail::neighbours_of(n, edges);
    const AnalysisOptions options;
    auto elimination = detail::built_in_elimination(neighbours, options.purpose, options.most_width,
                                                    detail::available_host_bytes(), limits);
    if (!elimination) return {};
    return SparseAnalysis(std::move(*elimination));
  }

  explicit SparseAnalysis(detail::Elimination&& elimination) : elimination_(std::move(elimination)) {
    const auto n = static_cast<double>(vertices());
    for (const detail::Supernode& node : elimination_.supernodes) {
      const double w = node.width(), b = static_cast<double>(node.boundary.size());
      widest_ = std::max<std::int64_t>(widest_, node.width());
      factor_relaxes_ += w * (w + b) * (w + b);
      solve_relaxes_ += n * w * b + w * (w + b + 1) * static_cast<double>(node.below);
      factor_elements_ += 2 * w * (w + b);
    }
  }

  SparseAnalysis(const detail::Neighbours& neighbours, const AnalysisOptions& options)
      : SparseAnalysis(options.order.empty()
                           ? *detail::built_in_elimination(neighbours, options.purpose, options.most_width,
                                                           detail::available_host_bytes())
                           : detail::find_supernodes(
                                 neighbours,
                                 detail::checked_order(static_cast<std::int64_t>(neighbours.vertices()), options.order),
                                 options.purpose, options.most_width, detail::available_host_bytes())) {}

  detail::Elimination elimination_;
  /// The places of the arcs of the last factor. Copies share it.
  std::shared_ptr<detail::KeptArcPlan> arcs_ = std::make_shared<detail::KeptArcPlan>();
  std::int64_t widest_ = 0;
  double factor_relaxes_ = 0, solve_relaxes_ = 0, factor_elements_ = 0;
};

}  // namespace blockfw

/// The orders and supernodes of SparseAnalysis.
#define BLOCKFW_COMPILED_ANALYSIS(LINKAGE)                                                                             \
  LINKAGE template std::optional<std::vector<std::int32_t>> blockfw::detail::minimum_degree_order<void>(               \
      const blockfw::detail::Neighbours&, const blockfw::detail::OrderLimits&, std::int32_t);                          \
  LINKAGE template std::optional<blockfw::detail::Elimination> blockfw::detail::built_in_elimination<void>(            \
      const blockfw::detail::Neighbours&, blockfw::Purpose, std::int32_t, double, const blockfw::detail::OrderLimits&, \
      std::int32_t);                                                                                                   \
  LINKAGE template blockfw::detail::Elimination blockfw::detail::find_supernodes<void>(                                \
      const blockfw::detail::Neighbours&, const std::vector<std::int32_t>&, blockfw::Purpose, std::int32_t, double);
/// The neighbours of vertices, from a vector of edges.
#define BLOCKFW_COMPILED_NEIGHBOURS(LINKAGE, S)                                \
  LINKAGE template blockfw::detail::Neighbours blockfw::detail::neighbours_of( \
      std::int64_t, const std::vector<blockfw::Edge<blockfw::detail::compiled::Value<S>>>&);

#if defined(BLOCKFW_COMPILED)
BLOCKFW_COMPILED_ANALYSIS(extern)
BLOCKFW_COMPILED_SHORTEST(BLOCKFW_COMPILED_NEIGHBOURS, extern)
#endif
