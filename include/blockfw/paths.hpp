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
///   const auto next_hops = paths.next_hops();        // next_hops(i, j): the vertex after i on the path to j
/// \endcode
///
/// An edge u → v is tight if its weight is the distance d(u, v). Shortest paths consist of tight edges. On a shortest
/// path from i each edge has d(i, u) + w(u, v) = d(i, v). So a breadth-first search over the tight edges, which are
/// usually few, finds shortest paths (docs/authors/paths.md has the proofs).
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/graph/adjacency.hpp"
#include "blockfw/detail/graph/path_search.hpp"
#include "blockfw/detail/graph/rounded_tree.hpp"
#include "blockfw/detail/loops/threads.hpp"
#include "blockfw/detail/matrices/copies.hpp"
#include "blockfw/detail/matrices/edge_entries.hpp"
#include "blockfw/edges.hpp"
#include "blockfw/ground/answers.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <ranges>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace blockfw {

/// An n x n matrix of vertices in the memory of an execution space.
template <class Space = Kokkos::DefaultExecutionSpace>
using VertexMatrix = Kokkos::View<std::int32_t**, Kokkos::LayoutRight, typename Space::memory_space>;

namespace detail {

/// The matrix itself where the host can read it, otherwise a copy.
template <class ExecSpace, class View>
auto matrix_on_host([[maybe_unused]] const ExecSpace& exec, const View& d) {
  if constexpr (Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename View::memory_space>::accessible) {
    return d;
  } else {
    const auto bytes = static_cast<double>(d.extent(0)) * static_cast<double>(d.extent(1)) * sizeof(d(0, 0));
    require_memory(exec, "copies of distances", bytes);
    require_host_memory("copies of distances", bytes);
    const auto together = without_values<DistanceMatrix<typename View::non_const_value_type, ExecSpace>>(
        exec, "blockfw::distances", d.extent(0), d.extent(1));
    Kokkos::deep_copy(exec, together, d);
    exec.fence("blockfw::distances");
    return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, together);
  }
}

/// Rows of n vertices, which are not set.
template <class ExecSpace>
VertexMatrix<ExecSpace> vertex_rows(const ExecSpace& exec, std::size_t rows, std::size_t n) {
  return without_values<VertexMatrix<ExecSpace>>(exec, "blockfw::predecessors", rows, n);
}

/// Copies a single row of vertices to the host. Fences exec.
template <class ExecSpace>
std::vector<std::int32_t> row_on_host(const ExecSpace& exec, const VertexMatrix<ExecSpace>& found) {
  std::vector<std::int32_t> result(found.extent(1));
  copy_rows(exec, UnmanagedView<std::int32_t**, Kokkos::HostSpace>(result.data(), 1, result.size()), found);
  exec.fence("blockfw::tree");
  return result;
}

/// \brief Searches the trees of the vertices from `source` on, one for each row of `found`. Fences exec.
/// \param d        the distances, as search() takes them
/// \param of_rows  of_rows() returns the matrix of the distances from these vertices. Where sums round, a tree may need
///                 it on the host.
/// \return as search()
template <class ExecSpace, class T, class Distances, class Rows, class OfRows>
std::int64_t search_trees(const ExecSpace& exec, const TightEdges<T, ExecSpace>& tight, const Distances& d,
                          std::int64_t source, const Rows& found, [[maybe_unused]] const OfRows& of_rows) {
  const std::int64_t lost = search(exec, tight, ToAll<Distances>{d}, source, found, Keep::predecessors);
  if constexpr (std::is_floating_point_v<T>)
    if (lost < static_cast<std::int64_t>(found.size())) {
      const auto rows = matrix_on_host(exec, of_rows());
      return finish_rows(exec, tight, source, found, [&](std::int64_t from, std::vector<T>& distances) {
        for (std::size_t v = 0; v < distances.size(); ++v)
          distances[v] = entry_at(rows, from - source, std::int64_t(v));
      });
    }
  return lost;
}

/// \param what  the name of the distances, and a verb
[[noreturn]] inline void throw_lost(const std::string& what, std::int64_t from, std::int64_t to) {
  throw InvalidInput(what, " a distance from vertex ", from, " to ", to,
                     ", but no path of these edges has this length, expected their solved distances (of the same "
                     "direction)");
}

}  // namespace detail

/// \brief Makes a path by following the predecessors of one source back from a vertex.
///
/// \param tree  the predecessors: the result of Paths::tree(), or a row of Paths::predecessors()
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
  for (std::int64_t v = to;; v = tree[detail::at(v)]) {
    path.push_back(static_cast<std::int32_t>(v));
    if (v == from) break;
    const std::int32_t before = tree[detail::at(v)];
    if (before == no_vertex && v == to) return {};
    if (before < 0 || before >= n || static_cast<std::int64_t>(path.size()) >= n)
      throw InvalidInput("the vertices before ", to, " do not lead back to ", from,
                         ", expected the predecessors of a tree from there");
  }
  std::reverse(path.begin(), path.end());
  return path;
}

/// \brief Shortest paths of a graph whose distances are solved.
///
/// Among the shortest paths from i to j it chooses a path with the fewest edges. On this path each vertex is the
/// smallest that can precede the next vertex. The choice is the same on any machine and in all members. Floats count as
/// equal if they differ by no more than rounding may cause. Of two paths whose lengths differ by rounding, next_hops()
/// of floats may then take the other path.
///
/// All predecessors of a source form a tree, and so do all next hops to a target. So following them always ends.
///
/// Memory: the tight edges, 4 + sizeof(T) bytes each. There are at most as many as the graph has edges, and about n log
/// n if weights are random. d is shared, not copied, and must not change.
///
/// \tparam ExecSpace  the execution space. Each call runs on the instance given to the constructor, and fences it.
/// \tparam View       the matrix of distances
template <class ExecSpace, MatrixView View>
  requires Kokkos::is_execution_space_v<ExecSpace>
class Paths {
 public:
  /// The type of the distances.
  using T = typename View::non_const_value_type;

  /// \param exec       the instance to run on
  /// \param d          solved distances of any layout that exec can reach, from solve() or blocked_floyd_warshall()
  /// \param edges      the edges that were solved: container or rank-1 view of Edge<W>
  /// \param options    the direction that was solved with
  /// \throws InvalidInput, InvalidEdge  for a matrix that is not square, a vertex out of range, a NaN
  /// \throws OutOfMemory                when the tight edges do not fit
  ///
  /// O(n + edges). This does not check that d holds the distances of these edges. A search may detect it.
  template <EdgeList Edges>
  Paths(const ExecSpace& exec, const View& d, const Edges& edges, const EdgeOptions& options = {})
      : exec_(exec), d_(checked(d)), tight_(of_view(exec, d, reachable_edges(exec, edges), options.direction)) {}

  /// \brief The same for the matrix of weights that was solved. An entry of infinity<T> or more is no edge.
  /// \throws InvalidInput when the two matrices differ in order
  ///
  /// O(n²).
  template <MatrixView Matrix>
  Paths(const ExecSpace& exec, const View& d, const Matrix& weights, const EdgeOptions& options = {})
      : exec_(exec), d_(checked(d)), tight_(of_matrix(exec, d, weights, options.direction)) {}

  /// \brief A shortest path: {from, ..., to}; {from} for to == from; empty without a path.
  ///
  /// The sum of its weights is d(from, to). For floats see docs/paths.md. No vertex occurs twice.
  ///
  /// \throws InvalidInput for a vertex out of range, or when the search finds that d does not hold the distances of the
  ///         edges
  ///
  /// O(n + tight edges of the vertices on shortest paths between `from` and `to`). It copies n vertices to the host.
  std::vector<std::int32_t> path(std::int64_t from, std::int64_t to) const {
    detail::require_vertex(from, vertices());
    detail::require_vertex(to, vertices());
    const detail::ToOne<detail::Uncounted<View>> condition{d_, static_cast<int>(to), tight_.rounding.path,
                                                           tight_.detour};
    const auto found = detail::vertex_rows(exec_, 1, d_.extent(0));
    const std::int64_t lost = detail::search(exec_, tight_, condition, from, found, detail::Keep::predecessors);
    if (lost < vertices()) {
      if constexpr (std::is_floating_point_v<T>)
        return path_in(tree(from), from, to);
      else
        refuse(from, lost);
    }
    return path_in(detail::row_on_host(exec_, found), from, to);
  }

  /// \brief For each vertex, its predecessor on a shortest path from the source. It is no_vertex without a path, and
  /// for the source. path_in() makes paths from the result.
  /// \throws as path()
  ///
  /// O(n + tight edges).
  std::vector<std::int32_t> tree(std::int64_t source) const {
    detail::require_vertex(source, vertices());
    const auto found = detail::vertex_rows(exec_, 1, d_.extent(0));
    search_rows(source, found);
    return detail::row_on_host(exec_, found);
  }

  /// \brief p(i, j) is the vertex before j on a shortest path from i. It is no_vertex without a path, and for j == i.
  ///
  /// The convention is that of SciPy's csgraph.floyd_warshall(return_predecessors=True). SciPy may choose other paths
  /// of the same length.
  ///
  /// \param progress  called, if set, as progress(sources done, n) from the calling thread, after some sources. It may
  ///                  throw.
  /// \return a matrix in the memory of exec
  /// \throws OutOfMemory when it does not fit, before it is allocated; otherwise as path()
  ///
  /// O(n · (n + tight edges)), parallel over the sources. Memory: 4n² bytes.
  VertexMatrix<ExecSpace> predecessors(const Progress& progress = {}) const {
    const auto found = allocate_all();
    in_parts(progress, [&](std::int64_t first, std::int64_t end) {
      search_rows(first, Kokkos::subview(found, Kokkos::pair(first, end), Kokkos::ALL));
    });
    return found;
  }

  /// \brief h(i, j) is the vertex after i on a shortest path to j. It is no_vertex without a path, and for j == i.
  ///
  /// Otherwise as predecessors(), and on the same paths except for rounding. If some floats are negative, it works on
  /// the host, in O(n · edges). It takes longer where rounding hides the paths.
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
      const std::int64_t n = vertices(), nothing = (end - first) * n;
      const std::int64_t lost = detail::search(exec_, tight_, detail::ToAll<detail::Uncounted<View>>{d_}, first, rows,
                                               detail::Keep::next_hops);
      if (std::is_integral_v<T> && lost < nothing) refuse(first + lost / n, lost % n);
    });
    if constexpr (std::is_floating_point_v<T>) hops_to(detail::doubtful_targets(exec_, d_, found), found, {});
    return found;
  }

  /// The number of tight edges. Repeated edges of equal weight each count.
  std::int64_t tight_edges() const { return detail::extent_along(tight_.to, 0); }

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
    return detail::tight_edges<T>(exec, d, edges, direction);
  }

  template <class Matrix>
  static Tight of_matrix(const ExecSpace& exec, const View& d, const Matrix& weights, Direction direction) {
    require_reachable<ExecSpace, Matrix>();
    require_square(weights);
    if (weights.extent(0) != d.extent(0))
      throw InvalidInput("the matrix '", weights.label(), "' is of order ", weights.extent(0),
                         ", the distances are of order ", d.extent(0), ", expected the same");
    return detail::tight_edges<T>(exec, d, detail::MatrixEdges<T, Matrix>{weights, direction});
  }

  std::int64_t vertices() const { return detail::extent_along(d_, 0); }

  [[noreturn]] void refuse(std::int64_t from, std::int64_t to) const {
    detail::throw_lost("the matrix '" + d_.label() + "' has", from, to);
  }

  VertexMatrix<ExecSpace> allocate_all() const {
    const auto n = static_cast<double>(vertices());
    detail::require_memory(exec_, "the paths of " + std::to_string(vertices()) + " vertices",
                           n * n * sizeof(std::int32_t));
    return detail::vertex_rows(exec_, d_.extent(0), d_.extent(0));
  }

  template <class F>
  void in_parts(const Progress& progress, const F& f) const {
    detail::in_parts(exec_, vertices(), vertices() + tight_edges(), 4, progress, f);
  }

  /// The trees of some sources.
  template <class Rows>
  void search_rows(std::int64_t source, const Rows& found) const {
    const std::int64_t end = source + detail::extent_along(found, 0), n = vertices();
    const std::int64_t lost = detail::search_trees(exec_, tight_, detail::Uncounted<View>(d_), source, found, [&] {
      return Kokkos::subview(d_, Kokkos::pair(source, end), Kokkos::ALL);
    });
    if (lost < static_cast<std::int64_t>(found.size())) refuse(source + lost / n, lost % n);
  }

  /// The next hops to some targets, found on the host. They form a tree for each target.
  void hops_to(const std::vector<std::int32_t>& targets, const VertexMatrix<ExecSpace>& found,
               const Progress& progress) const {
    if (targets.empty()) return;
    const std::int64_t n = vertices();
    const auto lists = detail::reversed(detail::on_host(tight_));
    const auto d = detail::matrix_on_host(exec_, d_);
    const auto hops = std::ssize(targets) == n
                          ? Kokkos::create_mirror_view(Kokkos::WithoutInitializing, Kokkos::HostSpace{}, found)
                          : Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, found);
    in_parts(progress, [&](std::int64_t first, std::int64_t end) {
      const auto begin = targets.begin();
      const std::vector<std::int32_t> some(begin + static_cast<std::ptrdiff_t>(first),
                                           begin + std::min(static_cast<std::ptrdiff_t>(end), std::ssize(targets)));
      const std::int64_t lost = detail::rounded_trees(
          detail::host_of(exec_), lists, detail::Root::target, tight_.rounding, some,
          [&](std::int64_t to, std::vector<T>& distances) {
            for (std::int64_t v = 0; v < n; ++v) distances[detail::at(v)] = d(v, to);
          },
          [&](std::int64_t to, const detail::RoundedTree<T>& tree) {
            for (std::int64_t v = 0; v < n; ++v) hops(v, to) = tree.beside(static_cast<std::int32_t>(v), no_vertex);
          });
      if (lost >= 0) refuse(lost % n, lost / n);
    });
    detail::copy_rows(exec_, found, hops);
    exec_.fence("blockfw::next_hops");
  }

  ExecSpace exec_;
  View d_;
  Tight tight_;
};

/// \brief Paths::tree() of one source, from its distances alone, without the n x n matrix. The distances are a row of
/// solve_from() or SparseFactor::distances_from().
///
/// \param exec       the instance to run on; fenced on return
/// \param row        rank-1 view, which exec can reach, of the distances from the source to the n vertices
/// \param source     the source
/// \param edges      container or rank-1 view of the edges that were solved
/// \param options    the direction that was solved with
/// \return for each vertex its predecessor on a shortest path, for path_in(). It is chosen as Paths chooses, except for
///         rounding of floats.
/// \throws InvalidInput, InvalidEdge  for a vertex out of range, a NaN, or a row that does not belong to these edges
/// \throws OutOfMemory                when a copy of the edges does not fit
///
/// O(n + edges). Memory: 4 + sizeof(T) bytes an edge.
template <class ExecSpace, class Row, EdgeList Edges>
  requires Kokkos::is_execution_space_v<ExecSpace> && Kokkos::is_view_v<Row>
std::vector<std::int32_t> tree_from(const ExecSpace& exec, const Row& row, std::int64_t source, const Edges& edges,
                                    const EdgeOptions& options = {}) {
  using T = typename Row::non_const_value_type;
  require_reachable<ExecSpace, Row>();
  const auto n = detail::extent_along(row, 0);
  detail::require_vertex(source, n);
  const auto view = reachable_edges(exec, edges);
  const bool any_will_do = std::is_floating_point_v<T> && detail::checked_range<T>(exec, n, view).any_negative();
  const auto lists = detail::list_edges<T>(
      exec, n, view, options.direction,
      KOKKOS_LAMBDA(const Edge<T>& edge) { return edge.from != edge.to && edge.weight < infinity<T>; });
  const auto found = detail::vertex_rows(exec, 1, row.extent(0));
  const std::int64_t lost =
      detail::search_trees(exec, detail::with_tolerance(lists, any_will_do, n),
                           detail::RowOfMatrix<detail::Uncounted<Row>>{row}, source, found, [&] {
                             return MatrixRef<typename Row::value_type, typename Row::memory_space>(
                                 row.data(), Kokkos::LayoutStride(1, row.extent(0), row.extent(0), row.stride(0)));
                           });
  if (lost < n) detail::throw_lost("the distances '" + row.label() + "' have", source, lost);
  return detail::row_on_host(exec, found);
}

/// \brief The length of a path: the sum of its edges' weights. Of repeated edges the lightest edge counts.
///
/// \param path       vertices, as Paths::path() gives them
/// \param edges      host container of the graph's edges
/// \param options    the direction: with undirected each edge may be used in both directions
/// \return the length, in the weights' type or in T. For an empty path it is the infinity of that type.
/// \throws InvalidInput when there is no edge from a vertex of the path to the next
///
/// O(edges + path).
template <class T = void, std::ranges::contiguous_range Edges>
auto path_length(const std::vector<std::int32_t>& path, const Edges& edges, const EdgeOptions& options = {}) {
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
    if (options.direction == Direction::undirected) see(step(edge.to, edge.from), static_cast<Length>(edge.weight));
  }
  Length length = 0;
  for (std::size_t v = 1; v < path.size(); ++v) {
    const Length weight = lightest[step(path[v - 1], path[v])];
    if (weight == infinity<Length>)
      throw InvalidInput("the path's step ", v - 1, ", from vertex ", path[v - 1], " to ", path[v],
                         ", is not an edge of the graph");
    length = static_cast<Length>(length + weight);
  }
  return length;
}

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
