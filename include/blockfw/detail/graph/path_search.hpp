// SPDX-License-Identifier: MIT
/// \file
/// \brief The tight edges of a solved graph, of which shortest paths consist. A breadth-first search over them finds
/// the paths, and is checked where sums round.
///
/// An edge is tight if its weight is the distance from its start to its end. In floats rounding may make a tight edge
/// longer; docs/authors/paths.md derives the tolerance.
#pragma once

#include "blockfw/detail/graph/adjacency.hpp"
#include "blockfw/detail/graph/frontier.hpp"
#include "blockfw/detail/graph/rounded_tree.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/detail/loops/threads.hpp"
#include "blockfw/detail/matrices/copies.hpp"
#include "blockfw/detail/matrices/edge_entries.hpp"
#include "blockfw/ground/answers.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace blockfw::detail {

/// Twice the unit roundoff; 0 for integers, which do not round.
template <Distance T>
inline constexpr T epsilon = std::is_integral_v<T> ? T(0) : std::numeric_limits<T>::epsilon();

/// The tight edges by the vertex where they begin.
template <Distance T, class ExecSpace>
struct TightEdges : Adjacency<T, ExecSpace> {
  Rounding<T> rounding;
  T detour;  ///< a path through a vertex of a shortest path exceeds the distance by at most detour + rounding.path
             ///< times the distance
};

/// Whether an edge is tight: its weight is the solved distance, or larger by no more than rounding may cause.
template <Distance T, class View>
struct IsTight {
  View d;
  bool all;   ///< whether every edge counts as tight
  T longest;  ///< no tight edge is longer
  T rounding;

  KOKKOS_FUNCTION bool operator()(const Edge<T>& edge) const {
    return edge.from != edge.to && edge.weight < infinity<T> && edge.weight <= longest && entry(edge);
  }
  /// The same without a comparison with `longest`. For edges in matrix order, reading the distance is as cheap. Has no
  /// branches.
  KOKKOS_FORCEINLINE_FUNCTION bool entry(const Edge<T>& edge) const {
    const T distance = entry_at(d, edge.from, edge.to);
    bool tight = all | (edge.weight == distance);
    if constexpr (std::is_floating_point_v<T>) tight |= edge.weight - distance <= rounding * edge.weight;
    return tight & (edge.from != edge.to) & (edge.weight < infinity<T>);
  }
  KOKKOS_FUNCTION void fetch(const Edge<T>& edge) const {
    if (edge.weight <= longest) prefetch_entry(d, edge.from, edge.to);
  }
};

/// The longest finite distance. A longer edge is not tight, so its distance need not be looked up.
template <class ExecSpace, class View>
typename View::non_const_value_type longest_distance(const ExecSpace& exec, const View& d) {
  using T = typename View::non_const_value_type;
  using Rows = Kokkos::TeamPolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>;
  const auto n = static_cast<std::int64_t>(d.extent(0));
  T longest = -infinity<T>;
  detail::reduce_teams(
      "blockfw::longest_distance", Rows(exec, static_cast<int>(n), Kokkos::AUTO),
      KOKKOS_LAMBDA(const typename Rows::member_type& team, T& most) {
        const std::int64_t i = team.league_rank();
        T farthest = -infinity<T>;
        Kokkos::parallel_reduce(
            Kokkos::TeamVectorRange(team, n),
            [&](std::int64_t j, T& x) {
              const T distance = d(i, j);
              const bool there = distance < infinity<T>;
              const bool farther = distance > x;
              x = (there & farther) ? distance : x;
            },
            Kokkos::Max<T>(farthest));
        Kokkos::single(Kokkos::PerTeam(team), [&] { most = Kokkos::max(most, farthest); });
      },
      Kokkos::Max<T>(longest));
  return longest;
}

/// A bound of the relative rounding error of a distance.
template <Distance T>
T rounding_of(std::int64_t n) {
  return static_cast<T>(2 * n) * epsilon<T>;
}

/// Rounding errors are bounded only if no weight is negative. Otherwise (`any_will_do`) all edges count as tight, and
/// the edges of the least excess are good enough.
///
/// \param heaviest  bounds the weights' magnitudes, where some weights are negative
template <Distance T, class ExecSpace>
TightEdges<T, ExecSpace> with_tolerance(const Adjacency<T, ExecSpace>& lists, bool any_will_do, std::int64_t n,
                                        T heaviest = infinity<T>) {
  const T path = static_cast<T>(8 * rounding_of<T>(n));
  return {lists,
          {4 * epsilon<T>, path, any_will_do},
          any_will_do ? static_cast<T>(path * static_cast<T>(n) * heaviest) : T(0)};
}

template <Distance T, class ExecSpace, class View, class List>
TightEdges<T, ExecSpace> tight_edges(const ExecSpace& exec, const View& d, const List& edges, Direction direction) {
  const auto n = static_cast<std::int64_t>(d.extent(0));
  const auto range = std::is_floating_point_v<T> ? checked_range<T>(exec, n, edges) : WeightRange<T>();
  const bool any_will_do = range.any_negative();
  T longest = infinity<T>;
  const std::int64_t directions = direction == Direction::undirected ? 2 : 1;
  if (!any_will_do && directions * static_cast<std::int64_t>(edges.extent(0)) >= n * n / 16) {
    longest = longest_distance(exec, d);
    longest = static_cast<T>(longest + 2 * rounding_of<T>(n) * Kokkos::abs(longest));
  }
  const IsTight<T, View> tight{d, any_will_do, longest, rounding_of<T>(n)};
  return with_tolerance<T, ExecSpace>(list_edges<T>(exec, n, edges, direction, tight), any_will_do, n,
                                      std::max(range.largest, static_cast<T>(-range.smallest)));
}

template <Distance T, class ExecSpace, class View, class Matrix>
TightEdges<T, ExecSpace> tight_edges(const ExecSpace& exec, const View& d, const MatrixEdges<T, Matrix>& edges) {
  const auto n = static_cast<std::int64_t>(d.extent(0));
  const decltype(Adjacency<T, ExecSpace>::first) first(Kokkos::view_alloc(exec, "blockfw::first_edge"),
                                                       d.extent(0) + 1);
  IsTight<T, View> tight{d, false, infinity<T>, rounding_of<T>(n)};
  const bool negative = count_entries(exec, edges, tight, first);
  if (std::is_floating_point_v<T> && negative) {
    tight.all = true;
    count_entries(exec, edges, tight, first);
  }
  const auto lists = allocate_lists<T>(exec, first);
  list_entries(exec, edges, tight, lists);
  exec.fence("blockfw::list_entries");
  return with_tolerance<T, ExecSpace>(lists, tight.all, n);
}

/// A view of the same memory that counts no references: a loop copies it for each vertex.
template <class View>
using Uncounted = Kokkos::View<typename View::data_type, typename View::array_layout, typename View::device_type,
                               Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// Selects the edges that a search for all vertices follows from u.
/// \tparam View  of the distances; copies of it must cost nothing
template <class View>
struct ToAll {
  using T = typename View::non_const_value_type;

  struct From {
    View d;
    std::int64_t source;
    T before;

    KOKKOS_FORCEINLINE_FUNCTION bool operator()(int v, T weight, T tolerance) const {
      const T whole = d(source, v);
      return adds_up(before, weight, whole, tolerance) && whole < infinity<T>;
    }
  };

  View d;

  KOKKOS_FUNCTION From from(std::int64_t source, int u) const { return {d, source, d(source, u)}; }
  // (No && in a condition that is counted: detail/base/arithmetic.hpp.)
  KOKKOS_FUNCTION bool wanted(std::int64_t source, int v) const {
    const T whole = d(source, v);
    return (v != source) & (whole < infinity<T>);
  }
};

/// The same for a search for one target. The search visits only vertices on shortest paths to the target, as only these
/// vertices matter.
template <class View>
struct ToOne {
  using T = typename View::non_const_value_type;

  struct From {
    typename ToAll<View>::From leads;
    int target;
    T longest;

    KOKKOS_FORCEINLINE_FUNCTION bool operator()(int v, T weight, T tolerance) const {
      return leads(v, weight, tolerance) &&
             entry_at(leads.d, leads.source, v) + entry_at(leads.d, v, target) <= longest;
    }
  };

  View d;
  int target;
  T relative, more;  ///< a path may exceed the distance by these amounts, relative and absolute

  KOKKOS_FUNCTION From from(std::int64_t source, int u) const {
    const T whole = d(source, target);
    const T longest = static_cast<T>(whole + relative * Kokkos::abs(whole) + more);
    return {ToAll<View>{d}.from(source, u), target, longest};
  }
  KOKKOS_FUNCTION bool wanted(std::int64_t source, int v) const {
    const T whole = d(source, target);
    return (v == target) & (v != source) & (whole < infinity<T>);
  }
};

/// The distances from one vertex, as if they were a row of a matrix.
template <class Row>
struct RowOfMatrix {
  using non_const_value_type = typename Row::non_const_value_type;
  Row row;

  KOKKOS_FUNCTION non_const_value_type operator()(std::int64_t, std::int64_t v) const { return row(v); }
};

enum class Keep { predecessors, next_hops };

/// Marks a row whose search has not found all vertices.
inline constexpr std::int32_t unfinished = -1;

/// \brief A breadth-first search for each row of `found`, over the tight edges that `condition` allows. Fences exec.
///
/// \param source  the source of row 0; the source of row r is source + r
/// \param found   int32 view of rows of n vertices, the result. Entry v is the vertex before v on a path with the
///                fewest edges; of several candidates, the smallest. For next_hops, entry v is the vertex after the
///                source on that path. The source's own entry is no_vertex, or `unfinished` if a vertex is wanted and
///                not found.
/// \return the index in `found` of the first vertex that is wanted and not found, or the number of entries of `found`
template <class ExecSpace, Distance T, class Condition, class Rows>
std::int64_t search(const ExecSpace& exec, const TightEdges<T, ExecSpace>& tight, const Condition& condition,
                    std::int64_t source, const Rows& found, Keep keep) {
  using Search = Frontier<ExecSpace>;
  using Words = typename Search::Words;
  const int n = found.extent_int(1);
  const auto rows = static_cast<std::int64_t>(found.extent(0)), nothing = rows * n;
  if (nothing == 0) return nothing;
  constexpr int unseen = -1, far = std::numeric_limits<int>::max();
  constexpr bool alone = is_host_space<ExecSpace>;
  const T tolerance = tight.rounding.step;
  const bool hops = keep == Keep::next_hops;
  const auto first = tight.first;
  const auto to = tight.to;
  const auto weight = tight.weight;

  auto teams = search_teams(exec, rows);
  using Team = typename decltype(teams)::member_type;
  const auto order = static_cast<std::size_t>(n);
  teams.set_scratch_size(1, Kokkos::PerTeam(Words::shmem_size(order) + Search::bytes(n)));
  std::int64_t lost = nothing;
  detail::reduce_teams(
      "blockfw::search", teams,
      KOKKOS_LAMBDA(const Team& team, std::int64_t& first_lost) {
        const std::int64_t row = team.league_rank(), from = source + row;
        const Words level(team.team_scratch(1), order);
        Search frontier(team.team_scratch(1), n);
        int& missing_yet = frontier.word();

        int wanted = 0;
        Kokkos::parallel_reduce(
            Kokkos::TeamVectorRange(team, n), [&](int v, int& sum) { sum += condition.wanted(from, v) ? 1 : 0; },
            wanted);
        Kokkos::parallel_for(Kokkos::TeamVectorRange(team, n), [&](int v) {
          level(v) = v == from ? 0 : unseen;
          found(row, v) = far;
        });
        Kokkos::single(Kokkos::PerTeam(team), [&] { missing_yet = wanted; });
        frontier.start(team, static_cast<int>(from));
        int missing = wanted;
        for (int edges = 1; !frontier.empty() && missing > 0; ++edges) {
          frontier.follow(team, [&](int u, const auto& next) {
            if (alone && missing_yet == 0) return;  // (Later vertices u are larger, so they change no predecessor.)
            const auto leads = condition.from(from, u);
            Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, first(u), first(u + 1)), [&](std::int64_t e) {
              const int v = to(e);
              if (!leads(v, weight(e), tolerance)) return;
              if (team_claim<ExecSpace>(level(v), unseen, edges)) {
                next.insert(v);
                if (condition.wanted(from, v)) team_decrement<ExecSpace>(missing_yet);
              }
              if (level(v) == edges) team_lower<ExecSpace>(found(row, v), u);
            });
          });
          if (hops)
            frontier.for_each_next(team, [&](int v) {
              const int before = found(row, v);
              Kokkos::single(Kokkos::PerThread(team), [&] { found(row, v) = before == from ? v : found(row, before); });
            });
          missing = missing_yet;
          frontier.advance(team);
        }

        std::int64_t least;
        Kokkos::parallel_reduce(
            Kokkos::TeamVectorRange(team, n),
            [&](int v, std::int64_t& smallest) {
              if (level(v) <= 0) found(row, v) = no_vertex;
              if (level(v) == unseen && condition.wanted(from, v)) smallest = Kokkos::min(smallest, row * n + v);
            },
            Kokkos::Min<std::int64_t>(least));
        if (least < nothing) Kokkos::single(Kokkos::PerTeam(team), [&] { found(row, from) = unfinished; });
        first_lost = Kokkos::min(first_lost, least);
      },
      Kokkos::Min<std::int64_t>(lost));
  return std::min(lost, nothing);  // (If all are found, the reduction gives the largest integer.)
}

/// \brief Finds on the host the rows that search() has left unfinished for all vertices, because sums round.
/// \param distances  distances(source, d) sets d to the distances from a source, on the host
/// \return as search()
template <class ExecSpace, Distance T, class Rows, class Distances>
std::int64_t finish_rows(const ExecSpace& exec, const TightEdges<T, ExecSpace>& tight, std::int64_t source,
                         const Rows& found, const Distances& distances) {
  const auto rows = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, found);
  const auto n = static_cast<std::int64_t>(rows.extent(1));
  std::vector<std::int32_t> sources;
  for (std::int64_t r = 0; r < static_cast<std::int64_t>(rows.extent(0)); ++r)
    if (rows(r, source + r) == unfinished) sources.push_back(static_cast<std::int32_t>(source + r));
  const auto lists = on_host(tight);
  const std::int64_t lost = rounded_trees(host_of(exec), lists, Root::source, tight.rounding, sources, distances,
                                          [&](std::int32_t s, const RoundedTree<T>& tree) {
                                            for (std::int64_t v = 0; v < n; ++v)
                                              rows(s - source, v) =
                                                  tree.beside(static_cast<std::int32_t>(v), no_vertex);
                                          });
  copy_rows(exec, found, rows);
  exec.fence("blockfw::finish_rows");
  return lost < 0 ? static_cast<std::int64_t>(found.size()) : lost - source * n;
}

/// \brief The targets to which next hops might not lead. For each of them, some vertex has no next hop, or its next hop
/// is no nearer to the target. If all next hops are nearer, they lead to the target. Fences exec.
template <class ExecSpace, class View, class Rows>
std::vector<std::int32_t> doubtful_targets(const ExecSpace& exec, const View& d, const Rows& next_hops) {
  using T = typename View::non_const_value_type;
  using Teams = Kokkos::TeamPolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>;
  const auto n = static_cast<std::int64_t>(d.extent(0));
  const Kokkos::View<char*, typename ExecSpace::memory_space> doubtful(Kokkos::view_alloc(exec, "blockfw::doubtful"),
                                                                       d.extent(0));
  detail::for_teams(
      "blockfw::doubtful_targets", Teams(exec, static_cast<int>(n), Kokkos::AUTO),
      KOKKOS_LAMBDA(const typename Teams::member_type& team) {
        const std::int64_t i = team.league_rank();
        Kokkos::parallel_for(Kokkos::TeamVectorRange(team, n), [&](std::int64_t j) {
          const std::int64_t next = next_hops(i, j);
          const T distance = d(i, j);
          if (i == j)
            next_hops(i, i) = no_vertex;
          else if (distance < infinity<T> && next != j && !(next >= 0 && d(next, j) < distance))
            doubtful(j) = 1;
        });
      });
  exec.fence("blockfw::doubtful_targets");
  const auto on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, doubtful);
  std::vector<std::int32_t> targets;
  for (std::int64_t j = 0; j < n; ++j)
    if (on_host(j)) targets.push_back(static_cast<std::int32_t>(j));
  return targets;
}

}  // namespace blockfw::detail
