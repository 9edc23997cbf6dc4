// SPDX-License-Identifier: MIT
/// \file
/// \brief Shortest paths of distances that stay on several devices or ranks.
#pragma once

#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/paths.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <ranges>
#include <utility>
#include <vector>

namespace blockfw {

/// \brief Shortest paths of a graph whose distances are a SolvedRows or SolvedRanks, with the members of Paths that
/// take one source. On ranks all calls are collective.
///
/// A source takes one row of the distances, and tree_from() on the host: O(n + edges), and 4 + sizeof(T) bytes an edge
/// while it works. (On ranks each rank throws for invalid edges of its own; the other ranks do not know of it.)
///
/// \tparam Distances  a SolvedRows or SolvedRanks over shortest paths
/// \tparam Edges      host container or rank-1 view of Edge<W>
template <class Distances, EdgeList Edges>
class PathsInShares {
  static_assert(
      requires { Distances::holds_shortest; },
      "blockfw: PathsInShares takes a SolvedRows or SolvedRanks; Paths takes a matrix on one instance");

 public:
  /// \param distances  the solved distances
  /// \param edges      all edges that were solved; each rank passes all of them
  /// \param options    the direction that was solved with
  ///
  /// The distances and the edges must outlive this object.
  PathsInShares(const Distances& distances, const Edges& edges, const EdgeOptions& options = {})
      : distances_(&distances), edges_(detail::view_of(edges)), options_(options) {
    static_assert(Distances::holds_shortest, "blockfw: paths are those of shortest distances");
  }
  /// Refused at compile time: temporaries, which would end before this object.
  PathsInShares(const Distances&&, const Edges&, const EdgeOptions& = {}) = delete;
  PathsInShares(const Distances&, const Edges&&, const EdgeOptions& = {})
    requires(!Kokkos::is_view_v<Edges> && !std::ranges::borrowed_range<Edges>)
  = delete;
  PathsInShares(const Distances&&, const Edges&&, const EdgeOptions& = {}) = delete;

  /// \brief A shortest path: {from, ..., to}; {from} for to == from; empty without a path.
  /// \throws as tree_from()
  std::vector<std::int32_t> path(std::int64_t from, std::int64_t to) const { return path_in(tree(from), from, to); }

  /// \brief For each vertex its predecessor on a shortest path from the source. It is no_vertex without a path, and for
  /// the source. path_in() makes paths from the result.
  /// \throws as tree_from()
  std::vector<std::int32_t> tree(std::int64_t source) const {
    const std::int64_t sources[] = {source};
    const auto row = distances_->distances_from(sources);
    return tree_from(Kokkos::DefaultHostExecutionSpace{}, Kokkos::subview(row, 0, Kokkos::ALL), source, edges_,
                     options_);
  }

 private:
  const Distances* distances_;
  decltype(detail::view_of(std::declval<const Edges&>())) edges_;
  EdgeOptions options_;
};

}  // namespace blockfw
