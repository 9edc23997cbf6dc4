// SPDX-License-Identifier: MIT
/// \file
/// \brief Sorts edges by the part that owns their entry of the matrix, and checks them.
#pragma once

#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/detail/matrices/copies.hpp"
#include "blockfw/detail/matrices/edge_entries.hpp"
#include "blockfw/detail/shares/share_layout.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace blockfw::detail {

/// Edges, sorted by part; `from` and `to` are the row and column of the edge's entry in its part.
template <class W>
struct EdgesByOwner {
  Array<Edge<W>, Kokkos::HostSpace> edges;
  std::vector<std::size_t> first;  ///< index of the first edge of each part; the last index is the end

  auto of(std::size_t part) const { return Kokkos::subview(edges, Kokkos::pair(first[part], first[part + 1])); }
};

/// Segments of a list of edges. Threads of the host read them at the same time.
struct EdgeSegments {
  explicit EdgeSegments(std::size_t all)
      : edges(static_cast<std::int64_t>(all)),
        count(std::min<std::int64_t>(Kokkos::DefaultHostExecutionSpace().concurrency(), 1 + edges / 4096)) {}
  /// The first edge of a segment, which is also the end of the previous segment.
  std::int64_t first(std::int64_t segment) const { return edges * segment / count; }

  std::int64_t edges, count;
};

/// \brief Checks edges on the host, in a parallel pass over them.
///
/// \param edges  rank-1 host view
/// \param n      vertices
/// \param first  the number of edges[0], for the error of an invalid edge
/// \param see    see(segment, edge) is called for each edge that counts; segment is the number of its segment
/// \return the range of the weights as numbers of S
/// \throws InvalidEdge as fill_from_edges()
template <Semiring S, class Edges, class See>
auto check_edges(const Edges& edges, std::int64_t n, std::int64_t first, const See& see) {
  using T = typename S::value_type;
  using W = decltype(Edges::non_const_value_type::weight);
  static_assert(converts<W, T>, "blockfw: the weights must convert to the distances' type without loss");
  const EdgeSegments segments(edges.extent(0));
  std::int64_t invalid = segments.edges;
  WeightRange<T> range;
  reduce_range(
      "blockfw::check_edges", Kokkos::DefaultHostExecutionSpace(), 0, segments.count,
      [&](std::int64_t segment, std::int64_t& first_invalid, T& smallest, T& largest, double& total) {
        for (std::int64_t e = segments.first(segment); e < segments.first(segment + 1); ++e) {
          const auto edge = edges(e);
          if (!is_valid<S>(edge, n)) {
            first_invalid = std::min(first_invalid, e);
            return;
          }
          if (!matters<S>(edge)) continue;
          smallest = std::min(smallest, static_cast<T>(edge.weight));
          largest = std::max(largest, static_cast<T>(edge.weight));
          total += std::abs(static_cast<double>(edge.weight));
          see(segment, edge);
        }
      },
      Kokkos::Min<std::int64_t>(invalid), Kokkos::Min<T>(range.smallest), Kokkos::Max<T>(range.largest),
      Kokkos::Sum<double>(range.total));
  if (invalid < segments.edges) throw_invalid_edge<S>(edges, invalid, n, first);
  return range;
}

/// \brief Sorts edges by owner on the host, in two parallel passes over them.
///
/// \param edges  rank-1 host view
/// \param n      vertices
/// \param parts  number of parts
/// \param owner  owner(i, j) returns the OwnedEntry of entry (i, j)
/// \param first  the number of edges[0], for the error of an invalid edge
/// \return the sorted edges, and the range of their weights as numbers of S
/// \throws InvalidEdge as fill_from_edges()
template <Semiring S, class Edges, class Owner>
auto sort_by_owner(const Edges& edges, std::int64_t n, int parts, const Owner& owner, Direction direction,
                   std::int64_t first = 0) {
  using W = decltype(Edges::non_const_value_type::weight);
  const EdgeSegments segments(edges.extent(0));
  const auto sides = at(parts);
  std::vector<std::vector<std::size_t>> places(at(segments.count), std::vector<std::size_t>(sides));

  const auto for_each_entry = [&owner, undirected = direction == Direction::undirected](const auto& edge,
                                                                                        const auto& f) {
    f(owner(edge.from, edge.to), edge.weight);
    if (undirected && edge.from != edge.to) f(owner(edge.to, edge.from), edge.weight);
  };

  const auto range = check_edges<S>(edges, n, first, [&](std::int64_t segment, const auto& edge) {
    auto& mine = places[at(segment)];
    for_each_entry(edge, [&](const OwnedEntry& to, W) { ++mine[at(to.part)]; });
  });

  EdgesByOwner<W> by_owner;
  std::size_t place = 0;
  for (std::size_t part = 0; part < sides; ++part) {
    by_owner.first.push_back(place);
    for (auto& mine : places) place += std::exchange(mine[part], place);
  }
  by_owner.first.push_back(place);
  require_host_memory("the lists of " + std::to_string(place) + " edges",
                      static_cast<double>(place) * sizeof(typename decltype(by_owner.edges)::value_type));
  by_owner.edges = without_values<Array<Edge<W>, Kokkos::HostSpace>>("blockfw::edges_by_owner", place);
  for_range("blockfw::sort_by_owner", Kokkos::DefaultHostExecutionSpace(), 0, segments.count,
            [&](std::int64_t segment) {
              auto& mine = places[at(segment)];
              for (std::int64_t e = segments.first(segment); e < segments.first(segment + 1); ++e)
                if (matters<S>(edges(e)))
                  for_each_entry(edges(e), [&](const OwnedEntry& to, W weight) {
                    by_owner.edges(mine[at(to.part)]++) = {to.row, to.column, weight};
                  });
            });
  return std::pair(std::move(by_owner), range);
}

}  // namespace blockfw::detail
