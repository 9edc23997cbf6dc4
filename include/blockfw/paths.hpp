// SPDX-License-Identifier: MIT
/// \file
/// \brief Finds shortest paths from solved distances, at no cost to the solver.
///
/// \code
///   auto d = blockfw::solve(exec, n, roads);
///   const blockfw::Paths paths(exec, d, roads);
///   const auto route = paths.path(0, 3);             // {0, ..., 3}; {0} from 0 to 0; empty without a path
///   const auto before = paths.tree(0);               // the vertex before each on a path from 0
///   const auto predecessors = paths.predecessors();  // the trees of all vertices, a matrix
///   const auto next_hops = paths.next_hops();        // next_hops(i, j): the vertex after i on the way to j
/// \endcode
///
/// An edge u → v is tight if its weight is the distance d(u, v). Shortest paths consist of tight edges, and on one from
/// i each edge has d(i, u) + w(u, v) = d(i, v). So a breadth-first search over the tight edges, usually few, finds
/// shortest paths (docs/paths.md has the proofs).
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/copies.hpp"
#include "blockfw/detail/graph/adjacency.hpp"
#include "blockfw/detail/graph/frontier.hpp"
#include "blockfw/detail/graph/rounded_tree.hpp"
#include "blockfw/detail/in_parts.hpp"
#include "blockfw/detail/launch.hpp"
#include "blockfw/edges.hpp"
#include "blockfw/error.hpp"
#include "blockfw/matrix.hpp"
#include "blockfw/progress.hpp"
#include "blockfw/semiring.hpp"
#include "blockfw/solve.hpp"
#include "blockfw/weights.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <ranges>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace blockfw {

/// Means "no vertex", where there is no path and at the source itself. SciPy uses the same value.
inline constexpr std::int32_t no_vertex = -9999;

/// An n x n matrix of vertices in the memory of an execution space.
template <class Space = Kokkos::DefaultExecutionSpace>
using VertexMatrix = Kokkos::View<std::int32_t**, Kokkos::LayoutRight, typename Space::memory_space>;

namespace detail {

/// Twice the unit roundoff; 0 for integers, which do not round.
template <Distance T>
inline constexpr T epsilon = std::is_integral_v<T> ? T(0) : std::numeric_limits<T>::epsilon();

/// The tight edges by the vertex where they begin.
template <Distance T, class ExecSpace>
struct TightEdges : Adjacency<T, ExecSpace> {
  Rounding<T> rounding;
  T detour;  ///< what a path by way of a vertex on it may exceed the distance by, besides rounding.path relative to
             ///< that
};

/// Whether an edge is tight: its weight is the solved distance, or larger by what rounding may cause.
template <Distance T, class View>
struct IsTight {
  View d;
  bool all;   ///< whether every edge counts as tight
  T longest;  ///< no tight edge is longer
  T rounding;

  KOKKOS_FUNCTION bool operator()(const Edge<T>& edge) const {
    return edge.from != edge.to && edge.weight < infinity<T> && edge.weight <= longest && entry(edge);
  }
  /// The same without comparing with `longest`: for edges in matrix order, reading the distance is as cheap. Has no
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

/// The longest finite distance. A longer edge is not tight; its distance need not be looked up.
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

/// Rounding errors are bounded only if no weight is negative. Else (`any_will_do`) all edges count as tight, and those
/// of the least excess will do.
///
/// \param heaviest  bounds the weights' magnitudes, where some are negative
template <Distance T, class ExecSpace>
TightEdges<T, ExecSpace> with_tolerance(const Adjacency<T, ExecSpace>& lists, bool any_will_do, std::int64_t n,
                                        T heaviest = infinity<T>) {
  const T path = static_cast<T>(8 * rounding_of<T>(n));
  return {lists,
          {4 * epsilon<T>, path, any_will_do},
          any_will_do ? static_cast<T>(path * static_cast<T>(n) * heaviest) : T(0)};
}

template <Distance T, class ExecSpace, class View, class List>
TightEdges<T, ExecSpace> tight_edges(const ExecSpace& exec, const View& d, const ListedEdges<T, List>& edges) {
  const auto n = static_cast<std::int64_t>(d.extent(0));
  const auto range = std::is_floating_point_v<T> ? checked_range<T>(exec, n, edges) : WeightRange<T>();
  const bool any_will_do = range.any_negative();
  T longest = infinity<T>;
  if (!any_will_do && edges.count() >= n * n / 16) {
    longest = longest_distance(exec, d);
    longest = static_cast<T>(longest + 2 * rounding_of<T>(n) * Kokkos::abs(longest));
  }
  const IsTight<T, View> tight{d, any_will_do, longest, rounding_of<T>(n)};
  return with_tolerance<T, ExecSpace>(list_edges<T>(exec, n, edges, tight), any_will_do, n,
                                      std::max(range.largest, static_cast<T>(-range.smallest)));
}

template <Distance T, class ExecSpace, class View, class Matrix>
TightEdges<T, ExecSpace> tight_edges(const ExecSpace& exec, const View& d, const MatrixEdges<T, Matrix>& edges) {
  const auto n = static_cast<std::int64_t>(d.extent(0));
  const typename Adjacency<T, ExecSpace>::template Array<std::int64_t> first(
      Kokkos::view_alloc(exec, "blockfw::first_edge"), d.extent(0) + 1);
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
/// \tparam View  of the distances; copies must cost nothing
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
  KOKKOS_FUNCTION bool wanted(std::int64_t source, int v) const { return v != source && d(source, v) < infinity<T>; }
};

/// The same for a search for one target: only by vertices on shortest paths to it, which are the ones that matter.
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
  T relative, more;  ///< a path by a vertex that matters may be longer by these

  KOKKOS_FUNCTION From from(std::int64_t source, int u) const {
    const T whole = d(source, target);
    const T longest = static_cast<T>(whole + relative * Kokkos::abs(whole) + more);
    return {ToAll<View>{d}.from(source, u), target, longest};
  }
  KOKKOS_FUNCTION bool wanted(std::int64_t source, int v) const {
    return v == target && v != source && d(source, v) < infinity<T>;
  }
};

enum class Keep { predecessors, next_hops };

/// Marks a row of a search that has not found all vertices.
inline constexpr std::int32_t unfinished = -1;

/// \brief A breadth-first search for each row of `found`, over the tight edges that `way` allows. Fences exec.
///
/// \param source  the source of row 0; that of row r is source + r
/// \param found   int32 view of rows of n vertices, the result: the vertex before each on a path with the fewest edges,
///                the smallest of several such vertices; or, for next_hops, the vertex after the source on that path.
///                The source's own entry is no_vertex, or `unfinished` where a vertex is wanted and not found
/// \return the index in `found` of the first vertex that is wanted and not found, or the number of entries of `found`
template <class ExecSpace, Distance T, class Way, class Rows>
std::int64_t search(const ExecSpace& exec, const TightEdges<T, ExecSpace>& tight, const Way& way, std::int64_t source,
                    const Rows& found, Keep keep) {
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
            Kokkos::TeamVectorRange(team, n), [&](int v, int& sum) { sum += way.wanted(from, v) ? 1 : 0; }, wanted);
        Kokkos::parallel_for(Kokkos::TeamVectorRange(team, n), [&](int v) {
          level(v) = v == from ? 0 : unseen;
          found(row, v) = far;
        });
        Kokkos::single(Kokkos::PerTeam(team), [&] { missing_yet = wanted; });
        frontier.start(team, static_cast<int>(from));
        int missing = wanted;
        for (int edges = 1; !frontier.empty() && missing > 0; ++edges) {
          frontier.follow(team, [&](int u, const auto& next) {
            if (alone && missing_yet == 0) return;  // (Later vertices u are larger and change nothing.)
            const auto leads = way.from(from, u);
            Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, first(u), first(u + 1)), [&](std::int64_t e) {
              const int v = to(e);
              if (!leads(v, weight(e), tolerance)) return;
              if (team_claim<ExecSpace>(level(v), unseen, edges)) {
                next.insert(v);
                if (way.wanted(from, v)) team_decrement<ExecSpace>(missing_yet);
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
              if (level(v) == unseen && way.wanted(from, v)) smallest = Kokkos::min(smallest, row * n + v);
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

/// The matrix itself where the host can read it, else a copy.
template <class ExecSpace, class View>
auto matrix_on_host([[maybe_unused]] const ExecSpace& exec, const View& d) {
  if constexpr (Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename View::memory_space>::accessible) {
    return d;
  } else {
    const auto bytes = static_cast<double>(d.extent(0)) * static_cast<double>(d.extent(1)) * sizeof(d(0, 0));
    require_memory(exec, "copies of distances", bytes);
    require_host_memory("copies of distances", bytes);
    const DistanceMatrix<typename View::non_const_value_type, ExecSpace> together(
        Kokkos::view_alloc(exec, "blockfw::distances", Kokkos::WithoutInitializing), d.extent(0), d.extent(1));
    Kokkos::deep_copy(exec, together, d);
    exec.fence("blockfw::distances");
    return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, together);
  }
}

/// \brief The targets to which next hops might not lead: a vertex has none, or one that is no nearer to the target.
/// Where all are nearer, they end there. Fences exec.
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

}  // namespace detail

/// \brief Makes a path by following the predecessors of one source back from a vertex.
///
/// \param tree  the predecessors: Paths::tree(), or a row of Paths::predecessors()
/// \param from  the vertex that the tree belongs to
/// \param to    the last vertex of the path
/// \return {from, ..., to}; {from} for to == from; empty without a path
/// \throws InvalidInput for a vertex out of range, or when the predecessors do not lead back to `from`
///
/// O(length of the path).
inline std::vector<std::int32_t> path_in(const std::vector<std::int32_t>& tree, std::int64_t from, std::int64_t to) {
  const auto n = static_cast<std::int64_t>(tree.size());
  detail::require_vertex(from, n);
  detail::require_vertex(to, n);
  std::vector<std::int32_t> path;
  for (std::int64_t v = to;; v = tree[static_cast<std::size_t>(v)]) {
    path.push_back(static_cast<std::int32_t>(v));
    if (v == from) break;
    const std::int32_t before = tree[static_cast<std::size_t>(v)];
    if (before == no_vertex && v == to) return {};
    if (before < 0 || before >= n || static_cast<std::int64_t>(path.size()) >= n)
      throw InvalidInput("the vertices before " + std::to_string(to) + " do not lead back to " + std::to_string(from) +
                         ", expected the predecessors of a tree from there");
  }
  std::reverse(path.begin(), path.end());
  return path;
}

/// \brief Shortest paths of a graph whose distances are solved.
///
/// Among the shortest paths from i to j it chooses one with the fewest edges, on which each vertex is the smallest that
/// can precede the next. The choice is the same on any machine and in all members. Floats count as equal if they differ
/// by no more than rounding may cause; next_hops() of floats may then take another of two paths whose lengths differ by
/// rounding.
///
/// All predecessors of a source form a tree, and all next hops to a target do: following them ends.
///
/// Memory: the tight edges, 4 + sizeof(T) bytes each; never more than the edges took, and about n log n edges where
/// weights are random. d is shared, not copied, and must not change.
///
/// \tparam ExecSpace  the execution space; each call runs on the instance given to the constructor and fences it
/// \tparam View       the matrix of distances
template <class ExecSpace, MatrixView View>
  requires Kokkos::is_execution_space_v<ExecSpace>
class Paths {
 public:
  /// The type of the distances.
  using T = typename View::non_const_value_type;

  /// \param exec       the instance to run on
  /// \param d          solved distances of any layout that exec can reach, from solve() or blocked_floyd_warshall()
  /// \param edges      the edges that were solved: rank-1 Kokkos view of Edge<W> that exec can reach
  /// \param direction  as in SolveOptions
  /// \throws InvalidInput, InvalidEdge  for a matrix that is not square, a vertex out of range, a NaN
  /// \throws OutOfMemory                when the tight edges do not fit
  ///
  /// O(n + edges). This does not check that d holds the distances of these edges; a search may find out.
  template <class Edges>
    requires(Kokkos::is_view_v<Edges> && !MatrixView<Edges>)
  Paths(const ExecSpace& exec, const View& d, const Edges& edges, Direction direction = Direction::directed)
      : exec_(exec), d_(checked(d)), tight_(of_view(exec, d, edges, direction)) {}

  /// The same for edges in a host container.
  template <std::ranges::contiguous_range Edges>
    requires(!Kokkos::is_view_v<Edges>)
  Paths(const ExecSpace& exec, const View& d, const Edges& edges, Direction direction = Direction::directed)
      : exec_(exec),
        d_(checked(d)),
        tight_(of_view(exec, d, reachable_edges(exec, detail::view_of(edges)), direction)) {}

  /// \brief The same for the matrix of weights that was solved; an entry of infinity<T> or more is no edge.
  /// \throws InvalidInput when the two matrices differ in order
  ///
  /// O(n²).
  template <MatrixView Matrix>
  Paths(const ExecSpace& exec, const View& d, const Matrix& weights, Direction direction = Direction::directed)
      : exec_(exec), d_(checked(d)), tight_(of_matrix(exec, d, weights, direction)) {}

  /// \brief A shortest path: {from, ..., to}; {from} for to == from; empty without a path.
  ///
  /// The sum of its weights is d(from, to); for floats see docs/paths.md. No vertex occurs twice.
  ///
  /// \throws InvalidInput for a vertex out of range, or when the search finds that d is not the distances of the edges
  ///
  /// O(n + tight edges of the vertices on shortest paths between the two); copies n vertices to the host.
  std::vector<std::int32_t> path(std::int64_t from, std::int64_t to) const {
    detail::require_vertex(from, order());
    detail::require_vertex(to, order());
    const detail::ToOne<detail::Uncounted<View>> way{d_, static_cast<int>(to), tight_.rounding.path, tight_.detour};
    const auto found = allocate(1);
    const std::int64_t lost = detail::search(exec_, tight_, way, from, found, detail::Keep::predecessors);
    if (lost < order()) {
      if constexpr (std::is_floating_point_v<T>)
        return path_in(tree(from), from, to);
      else
        refuse(from, lost);
    }
    return path_in(first_row(found), from, to);
  }

  /// \brief For each vertex, its predecessor on a shortest path from the source; no_vertex without a path, and for the
  /// source. path_in() makes paths from the result.
  /// \throws as path()
  ///
  /// O(n + tight edges).
  std::vector<std::int32_t> tree(std::int64_t source) const {
    detail::require_vertex(source, order());
    const auto found = allocate(1);
    search_rows(source, found);
    return first_row(found);
  }

  /// \brief p(i, j): the vertex before j on a shortest path from i; no_vertex without a path, and for j == i.
  ///
  /// The convention is that of SciPy's csgraph.floyd_warshall(return_predecessors=True), which may choose other paths
  /// of the same length.
  ///
  /// \param progress  called as progress(sources done, n) from the calling thread, if set, after some sources; it may
  ///                  throw
  /// \return a matrix in the memory of exec
  /// \throws OutOfMemory when it does not fit, before it is allocated; otherwise as path()
  ///
  /// O(n · (n + tight edges)), parallel over the sources; 4n² bytes.
  VertexMatrix<ExecSpace> predecessors(const Progress& progress = {}) const {
    const auto found = allocate_all();
    in_parts(progress, [&](std::int64_t first, std::int64_t end) {
      search_rows(first, Kokkos::subview(found, Kokkos::pair(first, end), Kokkos::ALL));
    });
    return found;
  }

  /// \brief h(i, j): the vertex after i on a shortest path to j; no_vertex without a path, and for j == i.
  ///
  /// Otherwise as predecessors(), and on the same paths but for rounding. With floats of which some are negative it
  /// works on the host, in O(n · edges), and more where rounding hides the paths.
  VertexMatrix<ExecSpace> next_hops(const Progress& progress = {}) const {
    const auto found = allocate_all();
    if constexpr (std::is_floating_point_v<T>) {
      if (tight_.rounding.more) {
        std::vector<std::int32_t> targets(d_.extent(0));
        std::iota(targets.begin(), targets.end(), 0);
        hops_to(targets, found, progress);
        return found;
      }
    }
    in_parts(progress, [&](std::int64_t first, std::int64_t end) {
      const auto rows = Kokkos::subview(found, Kokkos::pair(first, end), Kokkos::ALL);
      const std::int64_t n = order(), nothing = (end - first) * n;
      const std::int64_t lost = detail::search(exec_, tight_, detail::ToAll<detail::Uncounted<View>>{d_}, first, rows,
                                               detail::Keep::next_hops);
      if (std::is_integral_v<T> && lost < nothing) refuse(first + lost / n, lost % n);
    });
    if constexpr (std::is_floating_point_v<T>) hops_to(detail::doubtful_targets(exec_, d_, found), found, {});
    return found;
  }

  /// The number of tight edges; repeated edges of equal weight each count.
  std::int64_t tight_edges() const { return static_cast<std::int64_t>(tight_.to.extent(0)); }

 private:
  using Tight = detail::TightEdges<T, ExecSpace>;

  static View checked(const View& d) {
    static_assert(Distance<T>, "blockfw: elements must be int16_t, int32_t, int64_t, float or double");
    require_reachable<ExecSpace, View>();
    require_square(d);
    return d;
  }

  template <class Edges>
  static Tight of_view(const ExecSpace& exec, const View& d, const Edges& edges, Direction direction) {
    require_reachable<ExecSpace, Edges>();
    return detail::tight_edges<T>(exec, d, detail::ListedEdges<T, Edges>(edges, direction));
  }

  template <class Matrix>
  static Tight of_matrix(const ExecSpace& exec, const View& d, const Matrix& weights, Direction direction) {
    require_reachable<ExecSpace, Matrix>();
    require_square(weights);
    if (weights.extent(0) != d.extent(0))
      throw InvalidInput("the matrix '" + weights.label() + "' is of order " + std::to_string(weights.extent(0)) +
                         ", the distances are of order " + std::to_string(d.extent(0)) + ", expected the same");
    return detail::tight_edges<T>(exec, d, detail::MatrixEdges<T, Matrix>(weights, direction));
  }

  std::int64_t order() const { return static_cast<std::int64_t>(d_.extent(0)); }

  [[noreturn]] void refuse(std::int64_t from, std::int64_t to) const {
    throw InvalidInput(
        "the matrix '" + d_.label() + "' has a distance from vertex " + std::to_string(from) + " to " +
        std::to_string(to) +
        ", but no path of these edges is as long, expected their solved distances (of the same direction)");
  }

  VertexMatrix<ExecSpace> allocate(std::int64_t rows) const {
    return VertexMatrix<ExecSpace>(Kokkos::view_alloc(exec_, "blockfw::predecessors", Kokkos::WithoutInitializing),
                                   static_cast<std::size_t>(rows), d_.extent(0));
  }

  VertexMatrix<ExecSpace> allocate_all() const {
    const auto n = static_cast<double>(order());
    detail::require_memory(exec_, "the paths of " + std::to_string(order()) + " vertices",
                           n * n * sizeof(std::int32_t));
    return allocate(order());
  }

  template <class F>
  void in_parts(const Progress& progress, const F& f) const {
    detail::in_parts(exec_, order(), order() + tight_edges(), 4, progress, f);
  }

  /// The trees of some sources.
  template <class Rows>
  void search_rows(std::int64_t source, const Rows& found) const {
    const auto nothing = static_cast<std::int64_t>(found.size()), n = order();
    std::int64_t lost = detail::search(exec_, tight_, detail::ToAll<detail::Uncounted<View>>{d_}, source, found,
                                       detail::Keep::predecessors);
    if constexpr (std::is_floating_point_v<T>) {
      if (lost < nothing) {
        const std::int64_t end = source + static_cast<std::int64_t>(found.extent(0));
        const auto d = detail::matrix_on_host(exec_, Kokkos::subview(d_, Kokkos::pair(source, end), Kokkos::ALL));
        lost = detail::finish_rows(exec_, tight_, source, found, [&](std::int64_t from, std::vector<T>& line) {
          for (std::int64_t v = 0; v < n; ++v) line[static_cast<std::size_t>(v)] = d(from - source, v);
        });
      }
    }
    if (lost < nothing) refuse(source + lost / n, lost % n);
  }

  /// The next hops to some targets, a tree for each, found on the host.
  void hops_to(const std::vector<std::int32_t>& targets, const VertexMatrix<ExecSpace>& found,
               const Progress& progress) const {
    if (targets.empty()) return;
    const std::int64_t n = order();
    const auto lists = detail::reversed(detail::on_host(tight_));
    const auto d = detail::matrix_on_host(exec_, d_);
    const auto hops = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, found);
    in_parts(progress, [&](std::int64_t first, std::int64_t end) {
      const auto begin = targets.begin();
      const std::vector<std::int32_t> some(begin + static_cast<std::ptrdiff_t>(first),
                                           begin + std::min(static_cast<std::ptrdiff_t>(end), std::ssize(targets)));
      const std::int64_t lost = detail::rounded_trees(
          detail::host_of(exec_), lists, detail::Root::target, tight_.rounding, some,
          [&](std::int64_t to, std::vector<T>& line) {
            for (std::int64_t v = 0; v < n; ++v) line[static_cast<std::size_t>(v)] = d(v, to);
          },
          [&](std::int64_t to, const detail::RoundedTree<T>& tree) {
            for (std::int64_t v = 0; v < n; ++v) hops(v, to) = tree.beside(static_cast<std::int32_t>(v), no_vertex);
          });
      if (lost >= 0) refuse(lost % n, lost / n);
    });
    detail::copy_rows(exec_, found, hops);
    exec_.fence("blockfw::next_hops");
  }

  /// Copies a row to the host.
  std::vector<std::int32_t> first_row(const VertexMatrix<ExecSpace>& found) const {
    std::vector<std::int32_t> result(d_.extent(0));
    detail::copy_rows(
        exec_,
        Kokkos::View<std::int32_t**, Kokkos::LayoutRight, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
            result.data(), 1, result.size()),
        found);
    exec_.fence("blockfw::tree");
    return result;
  }

  ExecSpace exec_;
  View d_;
  Tight tight_;
};

namespace detail {

/// Selects the edges that may lie on a shortest path.
template <Distance T>
struct LeadsOn {
  KOKKOS_FUNCTION bool operator()(const Edge<T>& edge) const {
    return edge.from != edge.to && edge.weight < infinity<T>;
  }
  KOKKOS_FUNCTION void fetch(const Edge<T>&) const {}
};

/// The distances from one vertex, as if they were a row of a matrix.
template <class Row>
struct RowOfMatrix {
  using non_const_value_type = typename Row::non_const_value_type;
  Row row;

  KOKKOS_FUNCTION non_const_value_type operator()(std::int64_t, std::int64_t v) const { return row(v); }
};

}  // namespace detail

/// \brief Paths::tree() of one source, out of its distances alone: a row of solve_from() or
/// SparseFactor::distances_from(), without the n x n matrix.
///
/// \param exec       the instance to run on; fenced on return
/// \param row        rank-1 view of the distances from the source to the n vertices, that exec can reach
/// \param source     the source
/// \param edges      host container of the edges that were solved
/// \param direction  as in SolveOptions
/// \return for each vertex the one before it on a shortest path, for path_in(); chosen as Paths chooses, but for
///         rounding of floats
/// \throws InvalidInput, InvalidEdge  for a vertex out of range, a NaN, or a row that is not of these edges
/// \throws OutOfMemory                when a copy of the edges does not fit
///
/// O(n + edges). Memory: 4 + sizeof(T) bytes an edge.
template <class ExecSpace, class Row, std::ranges::contiguous_range Edges>
  requires Kokkos::is_execution_space_v<ExecSpace> && Kokkos::is_view_v<Row>
std::vector<std::int32_t> tree_from(const ExecSpace& exec, const Row& row, std::int64_t source, const Edges& edges,
                                    Direction direction = Direction::directed) {
  using T = typename Row::non_const_value_type;
  require_reachable<ExecSpace, Row>();
  const auto n = static_cast<std::int64_t>(row.extent(0));
  detail::require_vertex(source, n);
  const auto view = reachable_edges(exec, detail::view_of(edges));
  const detail::ListedEdges<T, std::remove_const_t<decltype(view)>> listed(view, direction);
  const bool any_will_do = std::is_floating_point_v<T> && detail::checked_range<T>(exec, n, listed).any_negative();
  const auto lists = detail::list_edges<T>(exec, n, listed, detail::LeadsOn<T>{});
  const VertexMatrix<ExecSpace> found(Kokkos::view_alloc(exec, "blockfw::tree", Kokkos::WithoutInitializing), 1,
                                      row.extent(0));
  const detail::ToAll<detail::RowOfMatrix<detail::Uncounted<Row>>> way{{row}};
  const auto tight = detail::with_tolerance(lists, any_will_do, n);
  std::int64_t lost = detail::search(exec, tight, way, source, found, detail::Keep::predecessors);
  if constexpr (std::is_floating_point_v<T>) {
    if (lost < n) {
      const DistanceMatrix<T, ExecSpace> copy(Kokkos::view_alloc(exec, "blockfw::distances"), 1, row.extent(0));
      Kokkos::deep_copy(exec, Kokkos::subview(copy, 0, Kokkos::ALL), row);
      exec.fence("blockfw::distances");
      const auto d = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, copy);
      lost = detail::finish_rows(exec, tight, source, found, [&](std::int64_t, std::vector<T>& line) {
        for (std::int64_t v = 0; v < n; ++v) line[static_cast<std::size_t>(v)] = d(0, v);
      });
    }
  }
  if (lost < n)
    throw InvalidInput(
        "the distances '" + row.label() + "' have one from vertex " + std::to_string(source) + " to " +
        std::to_string(lost) +
        ", but no path of these edges is as long, expected their solved distances (of the same direction)");
  const auto on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, found);
  return {on_host.data(), on_host.data() + n};
}

/// \brief The length of a path: the sum of its edges' weights. Of repeated edges the lightest counts.
///
/// \param path       vertices, as Paths::path() gives them
/// \param edges      host container of the graph's edges
/// \param direction  with undirected each edge may be used in both directions
/// \return the length, in the weights' type or in T; for an empty path the infinity of that type
/// \throws InvalidInput when there is no edge from a vertex of the path to the next
///
/// O(edges + path).
template <class T = void, std::ranges::contiguous_range Edges>
auto path_length(const std::vector<std::int32_t>& path, const Edges& edges, Direction direction = Direction::directed) {
  using W = decltype(std::ranges::range_value_t<Edges>::weight);
  using Length = std::conditional_t<std::is_void_v<T>, W, T>;
  if (path.empty()) return infinity<Length>;
  const auto step = [](std::int32_t from, std::int32_t to) {
    return static_cast<std::uint64_t>(from) << 32 | static_cast<std::uint32_t>(to);
  };
  std::unordered_map<std::uint64_t, Length> lightest;
  for (std::size_t v = 1; v < path.size(); ++v) lightest[step(path[v - 1], path[v])] = infinity<Length>;
  const auto see = [&](std::uint64_t place, Length weight) {
    if (const auto found = lightest.find(place); found != lightest.end())
      found->second = std::min(found->second, weight);
  };
  for (const auto& edge : edges) {
    see(step(edge.from, edge.to), static_cast<Length>(edge.weight));
    if (direction == Direction::undirected) see(step(edge.to, edge.from), static_cast<Length>(edge.weight));
  }
  Length length = 0;
  for (std::size_t v = 1; v < path.size(); ++v) {
    const Length weight = lightest[step(path[v - 1], path[v])];
    if (weight == infinity<Length>)
      throw InvalidInput("the path's step " + std::to_string(v - 1) + ", from vertex " + std::to_string(path[v - 1]) +
                         " to " + std::to_string(path[v]) + ", is not an edge of the graph");
    length = static_cast<Length>(length + weight);
  }
  return length;
}

/// The result of solve_with_paths().
template <class T, class ExecSpace>
struct SolvedPaths {
  DistanceMatrix<T, ExecSpace> distances;  ///< as solve() returns them
  /// Finds paths; it shares the memory of `distances`.
  Paths<ExecSpace, DistanceMatrix<T, ExecSpace>> paths;
};

/// \brief Solves a graph and makes the Paths of the result.
/// \param exec     the instance to run on; fenced on return
/// \param n        number of vertices
/// \param edges    as in solve(): a Kokkos view that exec can reach, or a host container
/// \param options  as in solve()
/// \throws as solve()
template <class T = void, class ExecSpace, class Edges>
  requires Kokkos::is_execution_space_v<ExecSpace>
auto solve_with_paths(const ExecSpace& exec, std::int64_t n, const Edges& edges, const SolveOptions& options = {}) {
  const auto d = solve<T>(exec, n, edges, options);
  using Result = typename decltype(solve<T>(exec, n, edges, options))::non_const_value_type;
  return SolvedPaths<Result, ExecSpace>{d, {exec, d, edges, options.direction}};
}

}  // namespace blockfw
