// SPDX-License-Identifier: MIT
/// \file
/// \brief solve_from(): shortest distances from some vertices only, without the n x n matrix.
///
/// \code
///   const std::vector<std::int32_t> sources = {3, 17};
///   auto d = blockfw::solve_from(exec, n, edges, sources);  // d(1, v): from vertex 17 to v
/// \endcode
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/graph/adjacency.hpp"
#include "blockfw/detail/graph/cycles.hpp"
#include "blockfw/detail/graph/frontier.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/detail/loops/threads.hpp"
#include "blockfw/detail/matrices/copies.hpp"
#include "blockfw/detail/matrices/edge_entries.hpp"
#include "blockfw/detail/plan/finish.hpp"
#include "blockfw/detail/plan/potentials.hpp"
#include "blockfw/detail/plan/recipe.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"
#include "blockfw/solve.hpp"
#include "blockfw/sparse.hpp"
#include "blockfw/sparse_analysis.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace blockfw {

/// \brief The choice of solve_from() on a host: the structure, if elimination takes less time than a search from each
/// source. A caller who writes the rows to other memory makes a Network in the same order.
/// \param n        number of vertices
/// \param edges    host container of edges; none may have a negative weight
/// \param sources  the number of sources
/// \throws as SparseAnalysis
template <std::ranges::contiguous_range Edges>
std::optional<SparseAnalysis> analysis_if_rows(std::int64_t n, const Edges& edges, std::int64_t sources) {
  // An analysis and a factor take the time of some dozen searches. A row then takes a tenth of a search or less, unless
  // the fill is large. (Measured.)
  constexpr std::int64_t least_sources = 16, least_vertices = 2000;
  constexpr double most_fill = 60, most_steps = 100;  // the limits for each vertex
  if (sources < least_sources || n < least_vertices || static_cast<std::int64_t>(std::ranges::size(edges)) > 16 * n)
    return {};
  return SparseAnalysis::within({most_fill * static_cast<double>(n), most_steps * static_cast<double>(n)}, n, edges);
}

namespace detail {

/// \brief Computes the distances from sources(row) for each row of d, by the method of Bellman and Ford. Each round
/// follows the edges of the vertices whose distance fell in the round before. Fences exec.
///
/// \return the first row whose rounds do not end, because of a negative cycle; or the number of rows if all rounds end
template <class ExecSpace, Distance T, class Sources, class Rows>
std::int64_t relax_from(const ExecSpace& exec, const Adjacency<T, ExecSpace>& edges, const Sources& sources,
                        const Rows& d, T shortest) {
  using Search = Frontier<ExecSpace>;
  const int n = d.extent_int(1);
  const auto rows = extent_along(d, 0);
  if (rows == 0 || n == 0) return rows;
  const auto first = edges.first;
  const auto to = edges.to;
  const auto weight = edges.weight;

  auto teams = search_teams(exec, rows);
  using Team = typename decltype(teams)::member_type;
  teams.set_scratch_size(1, Kokkos::PerTeam(Search::bytes(n)));
  std::int64_t endless = rows;
  detail::reduce_teams(
      "blockfw::relax_from", teams,
      KOKKOS_LAMBDA(const Team& team, std::int64_t& first_endless) {
        const std::int64_t row = team.league_rank();
        const int source = static_cast<int>(sources(row));
        Search frontier(team.team_scratch(1), n);
        int& diverged = frontier.word();
        Kokkos::parallel_for(Kokkos::TeamVectorRange(team, n),
                             [&](int v) { d(row, v) = v == source ? T(0) : infinity<T>; });
        Kokkos::single(Kokkos::PerTeam(team), [&] { diverged = 0; });
        frontier.start(team, source);
        int stop = 0;
        for (int round = 0; !frontier.empty() && round <= n && stop == 0; ++round) {
          frontier.follow(team, [&](int u, const auto& next) {
            const T before = d(row, u);
            Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, first(u), first(u + 1)), [&](std::int64_t e) {
              const int v = to(e);
              const T length = static_cast<T>(before + weight(e));
              if (!(length < d(row, v))) return;
              if (length < shortest || v == source) {  // (v == source: a negative cycle goes through the source.)
                diverged = 1;
                return;
              }
              team_lower<ExecSpace>(d(row, v), length);
              next.insert(v);
            });
          });
          stop = diverged;
          frontier.advance(team);
        }
        if (!frontier.empty() || stop != 0) first_endless = Kokkos::min(first_endless, row);
      },
      Kokkos::Min<std::int64_t>(endless));
  return std::min(endless, rows);
}

/// Calls f(v, weight) for each edge from u to v, of lists on the host.
template <class Lists, class F>
void for_each_from(const Lists& lists, std::size_t u, const F& f) {
  for (std::int64_t e = lists.first(u); e < lists.first(u + 1); ++e) f(at(lists.to(e)), lists.weight(e));
}

/// Finds on the host a vertex on a negative cycle that the source reaches. Returns the source if there is no negative
/// cycle.
template <Distance T, class ExecSpace>
std::int64_t vertex_on_cycle(const Adjacency<T, ExecSpace>& edges, std::int64_t source) {
  const auto lists = on_host(edges);
  const std::size_t n = lists.first.extent(0) - 1;
  using Sum = std::conditional_t<std::is_integral_v<T>, std::int64_t, T>;
  constexpr Sum none = std::numeric_limits<Sum>::max();
  std::vector<Sum> length(n, none);
  std::vector<std::size_t> before(n, at(source));
  length[at(source)] = 0;
  std::size_t changed = n;
  for (std::size_t round = 0; round <= n; ++round) {
    changed = n;
    const auto from_round_before = length;
    for (std::size_t u = 0; u < n; ++u)
      if (from_round_before[u] != none)
        for_each_from(lists, u, [&](std::size_t v, T weight) {
          const Sum sum = from_round_before[u] + static_cast<Sum>(weight);
          if (!(sum < length[v])) return;
          length[v] = sum;
          before[v] = u;
          changed = v;
        });
    if (changed == n) return source;
  }
  for (std::size_t step = 0; step < n; ++step) changed = before[changed];
  return static_cast<std::int64_t>(changed);
}

/// The vertices that some sources reach, by lists on the host.
template <class Lists>
std::vector<char> reached_from(std::vector<std::int32_t> sources, const Lists& lists) {
  std::vector<char> reached(lists.first.extent(0) - 1, 0);
  while (!sources.empty()) {
    const std::size_t u = at(sources.back());
    sources.pop_back();
    if (!std::exchange(reached[u], 1))
      for_each_from(lists, u, [&](std::size_t v, auto) { sources.push_back(static_cast<std::int32_t>(v)); });
  }
  return reached;
}

/// \brief Looks for an edge of an undirected graph that is a cycle by itself, among the edges that a source reaches.
/// \throws NegativeCycle  with the edge's ends
template <class T, class ExecSpace>
void require_no_cycle_of_edge_from(const Adjacency<T, ExecSpace>& edges, const std::vector<std::int32_t>& sources) {
  const auto lists = on_host(edges);
  const std::vector<char> reached = reached_from(sources, lists);
  CycleOfEdge<MinPlus<T>> found;
  for (std::size_t u = 0; u < reached.size(); ++u)
    if (reached[u])
      for_each_from(lists, u, [&](std::size_t v, T weight) {
        found.see(static_cast<std::int64_t>(u), static_cast<std::int64_t>(v), weight);
      });
  found.require_none();
}

/// \brief Takes potentials out of the weights of adjacency lists, if a source reaches a cycle that rounding alone has
/// made negative.
/// \return the potentials; none if no source reaches a cycle that rounding alone has made negative
/// \throws NegativeCycle  with a vertex on a negative cycle that a source reaches
///
/// This is done on the host; see judge_lists().
template <class T, class ExecSpace>
std::vector<double> take_potentials_from(const ExecSpace& exec, const Adjacency<T, ExecSpace>& edges,
                                         const std::vector<std::int32_t>& sources, bool strict) {
  const auto lists = on_host(edges);
  const std::vector<char> reached = reached_from(sources, lists);
  CycleVerdict verdict = judge_lists<T>(std::ssize(reached), strict, [&](std::size_t u, const auto& f) {
    if (reached[u]) for_each_from(lists, u, f);
  });
  if (verdict.negative >= 0) throw NegativeCycle(verdict.negative);
  if (verdict.potentials.empty()) return {};
  for (std::size_t u = 0; u < reached.size(); ++u)
    for_each_from(lists, u, [&](std::size_t v, T& weight) {
      weight = reduced_weight(weight, verdict.potentials[u], verdict.potentials[v], 1);
    });
  copy_array(exec, edges.weight, lists.weight);
  exec.fence("blockfw::potentials");  // before the mirror is freed
  return std::move(verdict.potentials);
}

/// Writes the distances from sources(row) for each row of d, by searches of the host's threads.
template <class ExecSpace, Distance T, class Sources, class Rows>
void search_from(const ExecSpace& exec, const Adjacency<T, ExecSpace>& edges, const Sources& sources, const Rows& d) {
  const std::size_t rows = d.extent(0);
  const std::size_t workers = std::min(rows, at(exec.concurrency()));
  std::atomic<std::size_t> next = 0;
  for_tasks(exec, static_cast<std::int64_t>(workers), "blockfw::dijkstra", [&](std::int64_t) {
    Dijkstra<T> search(d.extent(1));
    for (std::size_t r; (r = next++) < rows;)
      search.run(sources(r), edges.first.data(), edges.to.data(), edges.weight.data(), &d(r, 0));
  });
}

template <Distance T, class ExecSpace, class Edges, class Sources>
DistanceMatrix<T, ExecSpace> solve_rows_from(const ExecSpace& exec, std::int64_t n, const Edges& edges,
                                             const Sources& sources, const SolveOptions& options) {
  const std::string here = "solve_from()";
  require_unused(options.method != Method::automatic, "method", here);
  require_used(options, {.direction = true, .strict_cycles = true, .progress = true}, here);
  if (n < 0 || n > std::numeric_limits<std::int32_t>::max())
    throw InvalidInput("the number of vertices is ", n, ", expected 0 to 2^31 - 1");
  const auto rows = static_cast<std::int64_t>(std::ranges::size(sources));
  const std::vector<std::int32_t> vertices = checked_vertices(sources, n);
  const auto range = checked_range<T>(exec, n, edges);
  require_safe_sums(n, range);
  if constexpr (is_host_space<ExecSpace>)
    if (!range.any_negative() && edges.span_is_contiguous()) {
      using Rows = DistanceMatrix<T, ExecSpace>;
      const std::span<const typename Edges::non_const_value_type> all(edges.data(), edges.extent(0));
      const auto result =
          eliminated_if_it_fits(n, std::vector{exec}, options, [&](const SolveOptions& watched) -> std::optional<Rows> {
            const auto analysis = analysis_if_rows(n, all, rows);
            if (!analysis) return {};
            const SparseFactor<MinPlus<T>, ExecSpace> factor(exec, *analysis, all, {.direction = options.direction});
            const Rows d = factor.distances_from(vertices);
            if (watched.progress) watched.progress(rows, rows);
            return d;
          });
      if (result) return *result;
    }
  const auto lists = list_edges<T>(
      exec, n, edges, options.direction,
      KOKKOS_LAMBDA(const Edge<T>& edge) { return edge.weight < infinity<T> && matters<MinPlus<T>>(edge); });

  require_memory(exec, "distances from " + std::to_string(rows) + " vertices",
                 static_cast<double>(rows) * static_cast<double>(n) * sizeof(T));
  const auto d = without_values<DistanceMatrix<T, ExecSpace>>(exec, "blockfw::distances", rows, n);
  const auto starts = in_space(exec, vertices);
  const auto listed_edges = extent_along(lists.to, 0);
  if (may_be_cycles<MinPlus<T>>(range, options.direction)) require_no_cycle_of_edge_from(lists, vertices);
  std::vector<double> potentials;  // taken out of the lists, if there are any
  if constexpr (std::is_floating_point_v<T>)
    if (options.strict_cycles && cancels<MinPlus<T>>(range))
      potentials = take_potentials_from(exec, lists, vertices, true);
  // (Measured: with up to five edges of a vertex, as in road networks, searches by Dijkstra take a half to a third of
  // the time of rounds. Rounds are faster where paths have few edges.)
  const bool searches = is_host_space<ExecSpace> && !range.any_negative() && listed_edges <= 5 * n;
  // A walk that is shorter than all paths has gone round a negative cycle, and its sums would soon overflow an integer.
  // (Sums of floats do not overflow.)
  T shortest = -infinity<T>;
  if constexpr (std::is_integral_v<T>) shortest = shortest_path(n, range);
  in_parts(exec, rows, n + listed_edges, 4, options.progress, [&](std::int64_t first, std::int64_t end) {
    const auto some = Kokkos::subview(d, Kokkos::pair(first, end), Kokkos::ALL);
    const auto of_some = Kokkos::subview(starts, Kokkos::pair(first, end));
    if constexpr (is_host_space<ExecSpace>)
      if (searches && n > 0) return search_from(exec, lists, of_some, some);
    const auto solve_some = [&] { return relax_from(exec, lists, of_some, some, shortest); };
    std::int64_t endless = solve_some();
    if constexpr (std::is_floating_point_v<T>)
      if (endless < end - first && !options.strict_cycles && potentials.empty()) {
        potentials = take_potentials_from(exec, lists, vertices, false);
        if (!potentials.empty()) endless = solve_some();
      }
    if (endless < end - first) throw NegativeCycle(vertex_on_cycle(lists, vertices[at(first + endless)]));
    if constexpr (std::is_floating_point_v<T>)
      if (!potentials.empty())
        apply_potentials(MatrixPart<T, ExecSpace>(exec, some, {vertices.begin() + first, vertices.begin() + end},
                                                  vertices_from(0, n)),
                         potentials, 1, true);
  });
  return d;
}

}  // namespace detail

/// \brief Shortest distances from some vertices to all.
///
/// \tparam Over    type of the distances, as in solve(); by default that of the weights. (Other semirings are
///                 refused at compile time.)
/// \param exec     the instance to run on; fenced on return
/// \param n        number of vertices
/// \param edges    host container or rank-1 view of Edge<W>, as in solve()
/// \param sources  host container of vertices. A vertex may occur twice.
/// \param options  the direction, strict_cycles, and progress. It is called as progress(sources done, sources in all)
///                 after some sources.
/// \return a matrix in the memory of exec, with a row of n distances for each source. An entry is infinity<T> without a
///         path.
/// \throws InvalidInput, InvalidEdge  for bad arguments (a vertex out of range, a NaN). InvalidInput also for a method,
///                                    meanwhile or report in the options.
/// \throws OutOfMemory                when the result or the edges do not fit, before they are allocated
/// \throws OverflowRisk               when sums could overflow T, before the solve
/// \throws NegativeCycle              with a vertex on it, when a source reaches a negative cycle. Other negative
///                                    cycles do not matter.
///
/// On a host, without negative weights, a graph of few edges is searched by Dijkstra. For some dozen sources or more,
/// vertices are eliminated, as in sparse.hpp, if the fill is small. Otherwise one team (on a host one thread) works on
/// each source, in O(rounds · edges). The number of rounds is at most one more than the largest number of edges on a
/// shortest path. A round follows only edges of vertices whose distance fell. Memory: sources · n elements, and 4 +
/// sizeof(T) bytes for each edge. An elimination that does not fit is not tried. docs/paths.md says when this is
/// cheaper than solve().
template <class Over = void, class ExecSpace, EdgeList Edges, std::ranges::contiguous_range Sources>
  requires Kokkos::is_execution_space_v<ExecSpace>
auto solve_from(const ExecSpace& exec, std::int64_t n, const Edges& edges, const Sources& sources,
                const SolveOptions& options = {}) {
  using S = semiring_of<Over, detail::WeightOf<Edges>>;
  using T = typename S::value_type;
  static_assert(std::is_same_v<S, MinPlus<T>>,
                "blockfw: solve_from() finds shortest paths; solve() and SparseFactor take other semirings");
  return detail::solve_rows_from<T>(exec, n, reachable_edges(exec, edges), sources, options);
}

/// Refused at compile time: an argument that is no list of edges.
template <class Over = void, class ExecSpace, class Edges, class Sources>
  requires Kokkos::is_execution_space_v<ExecSpace> && (!EdgeList<Edges>)
DistanceMatrix<std::int32_t, ExecSpace> solve_from(const ExecSpace&, std::int64_t, const Edges&, const Sources&,
                                                   const SolveOptions& = {}) {
  detail::require_edges<Edges>();
  return {};
}

}  // namespace blockfw
