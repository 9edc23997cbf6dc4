// SPDX-License-Identifier: MIT
/// \file
/// \brief Adjacency lists, built in parallel from edges in any order or from a matrix of weights.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/detail/matrices/edge_entries.hpp"
#include "blockfw/detail/matrices/read_weights.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace blockfw::detail {

/// The edges of a list that `keep` selects. An undirected edge leads in both directions.
template <Distance T, class List, class Keep>
struct KeptEdges {
  static_assert(converts<decltype(List::non_const_value_type::weight), T>,
                "blockfw: the weights must convert to the distances' type without loss");
  List list;
  Direction direction;
  Keep keep;

  /// Calls f(edge) for edge e of the list, in each direction that is kept.
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void of(std::int64_t e, const F& f) const {
    constexpr std::int64_t ahead = 32;  // edges to prefetch, as in fill_from_edges()
    if constexpr (requires(const Edge<T>& later) { keep.fetch(later); })
      if (e + ahead < static_cast<std::int64_t>(list.extent(0)))
        for_each_direction(e + ahead, [&](const Edge<T>& later) { keep.fetch(later); });
    for_each_direction(e, [&](const Edge<T>& edge) {
      if (keep(edge)) f(edge);
    });
  }

 private:
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void for_each_direction(std::int64_t e, const F& f) const {
    const auto edge = list(e);
    const T weight = static_cast<T>(edge.weight);
    f(Edge<T>{edge.from, edge.to, weight});
    if (direction == Direction::undirected) f(Edge<T>{edge.to, edge.from, weight});
  }
};

/// The edges of a matrix of weights: one for each entry, of weight infinity<T> where there is none.
template <Distance T, class Matrix>
struct MatrixEdges {
  static_assert(std::is_same_v<typename Matrix::non_const_value_type, T>,
                "blockfw: the weights must be of the distances' type");
  Matrix weights;
  Direction direction;

  KOKKOS_FORCEINLINE_FUNCTION Edge<T> operator()(int i, int j) const {
    const T there = entry_at(weights, i, j),
            back = direction == Direction::undirected ? entry_at(weights, j, i) : there;
    const bool back_is_better = (back < there) | (back != back);  // (NaN counts as better, so that it is found)
    const T weight = back_is_better ? back : there;
    return {i, j, weight > infinity<T> ? infinity<T> : weight};
  }
};

/// \brief Checks the edges of a list, and returns the range of their weights. Self loops count only if they are
/// negative.
/// \throws InvalidEdge, InvalidInput for a vertex out of range, for a NaN, and in floats for -infinity
///
/// O(edges); fences exec.
template <Distance T, class ExecSpace, class List>
WeightRange<T> checked_range(const ExecSpace& exec, std::int64_t n, const List& list) {
  return for_checked_edges<MinPlus<T>>("blockfw::check_edges", exec, list, n, 0,
                                       KOKKOS_LAMBDA(std::int64_t, const typename List::non_const_value_type&){});
}

/// Adjacency lists: the edges from u have the numbers [first(u), first(u + 1)), in no order.
template <class T, class ExecSpace>
struct Adjacency {
  Kokkos::View<std::int64_t*, typename ExecSpace::memory_space> first;
  Kokkos::View<std::int32_t*, typename ExecSpace::memory_space> to;
  Kokkos::View<T*, typename ExecSpace::memory_space> weight;
};

/// The lists in host memory.
template <class T, class ExecSpace>
Adjacency<T, Kokkos::DefaultHostExecutionSpace> on_host(const Adjacency<T, ExecSpace>& lists) {
  const auto copy = [](const auto& list) { return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, list); };
  return {copy(lists.first), copy(lists.to), copy(lists.weight)};
}

/// \brief Allocates adjacency lists, not yet filled.
///
/// \param first  n + 1 entries. On entry the number of edges from each vertex; on return the end of each vertex's list.
///               list_edge() fills a list from its end to its start.
/// \throws OutOfMemory if the lists do not fit; thrown before they are allocated
template <class T, class ExecSpace>
Adjacency<T, ExecSpace> allocate_lists(const ExecSpace& exec, const decltype(Adjacency<T, ExecSpace>::first)& first) {
  using Lists = Adjacency<T, ExecSpace>;
  std::int64_t kept = 0;
  Kokkos::parallel_scan(
      "blockfw::first_edge", Kokkos::RangePolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>(exec, 0, first.extent(0)),
      KOKKOS_LAMBDA(std::int64_t v, std::int64_t& before, bool last) {
        const std::int64_t own = first(v);
        before += own;
        if (last) first(v) = before;
      },
      kept);
  exec.fence("blockfw::first_edge");

  require_memory(exec, "lists of " + std::to_string(kept) + " edges",
                 static_cast<double>(kept) * (sizeof(std::int32_t) + sizeof(T)));
  const auto room = static_cast<std::size_t>(kept);
  return {
      first, decltype(Lists::to)(Kokkos::view_alloc(exec, "blockfw::edge_ends", Kokkos::WithoutInitializing), room),
      decltype(Lists::weight)(Kokkos::view_alloc(exec, "blockfw::edge_weights", Kokkos::WithoutInitializing), room)};
}

/// Adds an edge to the lists; any thread may call this.
template <class Lists, Distance T>
KOKKOS_FORCEINLINE_FUNCTION void list_edge(const Lists& lists, const Edge<T>& edge) {
  const std::int64_t at = Kokkos::atomic_fetch_add(&lists.first(edge.from), std::int64_t(-1)) - 1;
  lists.to(at) = edge.to;
  lists.weight(at) = edge.weight;
}

/// \brief Makes adjacency lists of the edges that `keep` selects.
///
/// \param edges  rank-1 view that exec can reach
/// \param keep   keep(edge) says whether to list an edge that matters; it selects no other. keep.fetch(edge), if there
///               is one, prefetches the data that keep(edge) will read soon.
/// \throws InvalidEdge for a vertex out of range, for a NaN, and in floats for -infinity
/// \throws OutOfMemory if the lists do not fit; thrown before they are allocated
///
/// O(n + edges); fences exec.
template <Distance T, class ExecSpace, class List, class Keep>
Adjacency<T, ExecSpace> list_edges(const ExecSpace& exec, std::int64_t n, const List& edges, Direction direction,
                                   const Keep& keep) {
  require_memory(exec, "lists of " + std::to_string(n) + " vertices", static_cast<double>(n) * sizeof(std::int64_t));
  const decltype(Adjacency<T, ExecSpace>::first) first(Kokkos::view_alloc(exec, "blockfw::first_edge"),
                                                       static_cast<std::size_t>(n) + 1);
  const KeptEdges<T, List, Keep> kept{edges, direction, keep};
  for_checked_edges<MinPlus<T>, false>(
      "blockfw::count_edges", exec, edges, n, 0,
      KOKKOS_LAMBDA(std::int64_t e, const typename List::non_const_value_type&) {
        kept.of(e, [&](const Edge<T>& edge) { Kokkos::atomic_inc(&first(edge.from)); });
      });
  const auto lists = allocate_lists<T>(exec, first);
  for_range(
      "blockfw::list_edges", exec, 0, edges.extent(0),
      KOKKOS_LAMBDA(std::int64_t e) { kept.of(e, [&](const Edge<T>& edge) { list_edge(lists, edge); }); });
  exec.fence("blockfw::list_edges");
  return lists;
}

/// \brief Counts in first(i) the entries of row i that `keep` selects.
///
/// \return whether any weight off the diagonal is negative
/// \throws InvalidInput for a NaN, and in floats for -infinity
///
/// O(n²): reads the weights once, and the data of `keep` once; fences exec.
template <Distance T, class ExecSpace, class Matrix, class Keep>
bool count_entries(const ExecSpace& exec, const MatrixEdges<T, Matrix>& edges, const Keep& keep,
                   const decltype(Adjacency<T, ExecSpace>::first)& first) {
  using Rows = Kokkos::TeamPolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>;
  const auto n = static_cast<std::int64_t>(first.extent(0)) - 1;
  const RowSegments<ExecSpace> segments(n);
  int nan_row = static_cast<int>(n);
  int negative = 0;
  reduce_teams(
      "blockfw::count_entries", Rows(exec, static_cast<int>(n), Kokkos::AUTO),
      KOKKOS_LAMBDA(const typename Rows::member_type& team, int& first_nan, int& any_negative) {
        const int i = team.league_rank();
        int kept = 0;
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(team, segments.count()),
            [&](std::int64_t segment, int& kept_so_far) {
              int here = 0, nan = 0, below_zero = 0;  // (in registers)
              segments.for_each(segment, [&](int j) {
                const Edge<T> edge = edges(i, j);
                here += keep.entry(edge);
                if constexpr (std::is_floating_point_v<T>) nan += !is_weight<MinPlus<T>>(edge.weight);
                below_zero += (edge.weight < T(0)) & (i != j);
              });
              kept_so_far += here;
              if (nan > 0) first_nan = Kokkos::min(first_nan, i);
              if (below_zero > 0) any_negative = 1;
            },
            kept);
        Kokkos::single(Kokkos::PerTeam(team), [&] { first(i) = kept; });
      },
      Kokkos::Min<int>(nan_row), Kokkos::Max<int>(negative));
  if (nan_row < n) throw_refused<MinPlus<T>>(exec, edges.weights, nan_row);
  return negative > 0;
}

/// Lists the entries that count_entries() counted. Queued on exec.
template <Distance T, class ExecSpace, class Matrix, class Keep>
void list_entries(const ExecSpace& exec, const MatrixEdges<T, Matrix>& edges, const Keep& keep,
                  const Adjacency<T, ExecSpace>& lists) {
  using Rows = Kokkos::TeamPolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>;
  const auto n = static_cast<std::int64_t>(lists.first.extent(0)) - 1;
  const RowSegments<ExecSpace> segments(n);
  for_teams(
      "blockfw::list_entries", Rows(exec, static_cast<int>(n), Kokkos::AUTO),
      KOKKOS_LAMBDA(const typename Rows::member_type& team) {
        const int i = team.league_rank();
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, segments.count()), [&](std::int64_t segment) {
          // Few entries are kept: most segments have none, and need one pass only.
          int kept = 0;
          segments.for_each(segment, [&](int j) { kept += keep.entry(edges(i, j)); });
          if (kept == 0) return;
          segments.for_each(segment, [&](int j) {
            if (const Edge<T> edge = edges(i, j); keep.entry(edge)) list_edge(lists, edge);
          });
        });
      });
}

}  // namespace blockfw::detail
