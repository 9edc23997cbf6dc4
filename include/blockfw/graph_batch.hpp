// SPDX-License-Identifier: MIT
/// \file
/// \brief Many small graphs of different orders: their distances and paths, in one call.
///
/// \code
///   const blockfw::GraphBatch<int> molecules(orders, entries);  // matrices one after the other in a view of rank 1
///   const auto cycles = blockfw::batched_floyd_warshall(exec, molecules);
/// \endcode
///
/// batch.hpp is for graphs of one order, in a view of rank 3.
#pragma once

#include "blockfw/batch.hpp"
#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/loops/host_tasks.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/detail/small/close_on_thread.hpp"
#include "blockfw/detail/small/path_closer.hpp"
#include "blockfw/detail/small/predecessor_rows.hpp"
#include "blockfw/detail/small/team_paths.hpp"
#include "blockfw/floyd_warshall.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/spaces.hpp"
#include "blockfw/ground/vertex.hpp"

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace blockfw {

/// \brief The matrices of graphs of different orders in one buffer, not owned. Each is row-major.
///
/// \tparam T          the elements
/// \tparam ExecSpace  the space that reaches them
template <Distance T, class ExecSpace = Kokkos::DefaultExecutionSpace>
class GraphBatch {
 public:
  /// All entries.
  using Entries = Kokkos::View<T*, typename ExecSpace::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  /// \brief Matrices one after the other, without gaps: n · n entries for a graph of n vertices.
  /// \param orders   the number of vertices of each graph
  /// \param entries  rank-1 view of entries_of(orders) elements, which outlives the batch
  /// \throws InvalidInput for a negative order, another number of entries
  GraphBatch(std::vector<std::int32_t> orders, const Entries& entries) : GraphBatch(std::move(orders), 0, entries) {}

  /// \brief Matrices padded to `most` rows and columns each; what lies outside of a graph's n · n is not touched.
  /// \param orders   the number of vertices of each graph, at most `most`
  /// \param most     rows and columns of each matrix, 1 or more
  /// \param entries  rank-1 view of orders.size() · most · most elements, which outlives the batch
  /// \throws InvalidInput for an order out of range, another number of entries
  GraphBatch(std::vector<std::int32_t> orders, std::int32_t most, const Entries& entries)
      : orders_(std::move(orders)), row_(most), entries_(entries) {
    std::int64_t end = 0;
    for (std::size_t g = 0; g < orders_.size(); ++g) {
      const std::int64_t n = orders_[g];
      if (n < 0 || (row_ > 0 && n > row_))
        throw InvalidInput("graph " + std::to_string(g) + " of the batch has " + std::to_string(n) +
                           " vertices, expected 0 " + (row_ > 0 ? "to " + std::to_string(row_) : "or more"));
      starts_.push_back(end);
      end += row_ > 0 ? row_ * row_ : n * n;
      largest_ = std::max(largest_, orders_[g]);
    }
    if (static_cast<std::size_t>(end) != entries.extent(0))
      throw InvalidInput("the matrices of the batch have " + std::to_string(entries.extent(0)) + " entries, expected " +
                         std::to_string(end));
    if (entries.data() == nullptr && end > 0)
      throw InvalidInput("the batch of " + std::to_string(graphs()) + " graphs has no memory (null pointer)");
  }

  /// The entries of matrices one after the other.
  static std::int64_t entries_of(const std::vector<std::int32_t>& orders) {
    std::int64_t count = 0;
    for (const std::int64_t n : orders) count += n * n;
    return count;
  }

  /// The number of graphs.
  std::int64_t graphs() const { return static_cast<std::int64_t>(orders_.size()); }
  /// The number of vertices of a graph.
  std::int32_t order(std::int64_t g) const { return orders_[static_cast<std::size_t>(g)]; }
  /// The orders of all graphs.
  const std::vector<std::int32_t>& orders() const { return orders_; }
  /// The number of vertices of the largest graph.
  std::int32_t largest() const { return largest_; }
  /// The first entry of a graph's matrix.
  std::int64_t start(std::int64_t g) const { return starts_[static_cast<std::size_t>(g)]; }
  /// Of all graphs.
  const std::vector<std::int64_t>& starts() const { return starts_; }
  /// From a row of a graph's matrix to the next.
  std::int64_t row(std::int64_t g) const { return row_ > 0 ? row_ : order(g); }
  /// The rows and columns of each matrix if they are padded, else 0.
  std::int64_t padded_to() const { return row_; }
  /// All entries.
  const Entries& entries() const { return entries_; }
  /// The matrix of a graph.
  MatrixRef<T, ExecSpace> matrix(std::int64_t g) const {
    const auto n = static_cast<std::size_t>(order(g));
    return MatrixRef<T, ExecSpace>(entries_.data() + start(g),
                                   Kokkos::LayoutStride(n, static_cast<std::size_t>(row(g)), n, 1));
  }

 private:
  std::vector<std::int32_t> orders_;
  std::vector<std::int64_t> starts_;
  std::int64_t row_;
  std::int32_t largest_ = 0;
  Entries entries_;
};

/// \brief What is to be known of the paths of a batch. A view without elements is not computed. The others have as many
/// elements as the batch, and the same places.
/// \tparam ExecSpace  the space that reaches them
template <class ExecSpace = Kokkos::DefaultExecutionSpace>
struct BatchPaths {
  /// Vertices, or numbers of edges.
  using Numbers =
      Kokkos::View<std::int32_t*, typename ExecSpace::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  Numbers predecessors;  ///< (i, j): the vertex before j on a best path from i; no_vertex without one, and for i == j
  Numbers next_hops;     ///< the vertex after i on this path; no_vertex without one, and for i == j
  /// The number of edges of this path, 0 for i == j, no_vertex without one. If it is asked for, all paths of this call
  /// have the fewest edges among the best paths.
  Numbers hops;
};

namespace detail {

/// \brief Some graphs of a batch in the memory of their space, the matrices as a kernel for graphs of one order takes
/// them.
template <class T, class ExecSpace>
struct SomeGraphs {
  Kokkos::View<const std::int64_t*, typename ExecSpace::memory_space> start;
  Kokkos::View<const std::int32_t*, typename ExecSpace::memory_space> order;
  MatrixRef<T, ExecSpace> first;  ///< the largest of them
  std::int64_t graphs, padded_to;
  T* entries;

  KOKKOS_FORCEINLINE_FUNCTION MatrixRef<T, ExecSpace> at(std::int64_t g) const {
    const auto n = static_cast<std::size_t>(order(g));
    return MatrixRef<T, ExecSpace>(
        entries + start(g), Kokkos::LayoutStride(n, padded_to > 0 ? static_cast<std::size_t>(padded_to) : n, n, 1));
  }
};

/// A host container in the memory of a space.
template <class ExecSpace, class T>
auto in_space(const ExecSpace& exec, const std::vector<T>& list) {
  const Kokkos::View<T*, typename ExecSpace::memory_space> there(
      Kokkos::view_alloc(exec, "blockfw::batch", Kokkos::WithoutInitializing), list.size());
  copy_array(
      exec, there,
      Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(list.data(), list.size()));
  return there;
}

/// Calls f(first, last) for the graphs of a host's tasks: some at a time, of about the same work.
template <class T, class Host, class F>
void for_some_graphs(const Host& exec, const GraphBatch<T, Host>& batch, const char* label, const F& f) {
  constexpr double relaxes = 1e6;
  std::vector<std::int64_t> first = {0};
  double work = 0;
  for (std::int64_t g = 0; g < batch.graphs(); ++g) {
    const double n = batch.order(g);
    work += n * n * n + 1000;
    if (work < relaxes && g + 1 < batch.graphs()) continue;
    first.push_back(g + 1);
    work = 0;
  }
  for_tasks(exec, static_cast<std::int64_t>(first.size()) - 1, label, [&](std::int64_t task) {
    f(first[static_cast<std::size_t>(task)], first[static_cast<std::size_t>(task) + 1]);
  });
}

/// The graphs of a batch on a host: each of at most largest_on_thread vertices by one thread, larger ones by all.
template <Semiring S, class Host, class T = typename S::value_type>
void close_batch_on_host(const Host& exec, const GraphBatch<T, Host>& batch) {
  require_vectors();
  for_some_graphs(exec, batch, "blockfw::batch", [&](std::int64_t first, std::int64_t last) {
    ThreadCloser<S> closer;
    for (std::int64_t g = first; g < last; ++g)
      if (batch.order(g) > 0 && batch.order(g) <= largest_on_thread)
        closer.close(batch.matrix(g), batch.matrix(std::min(g + 1, batch.graphs() - 1)));
  });
  for (std::int64_t g = 0; g < batch.graphs(); ++g)
    if (batch.order(g) > largest_on_thread) solve_in_place<TunedTile, S, T>(exec, batch.matrix(g), {});
}

/// The graphs of more than `above` and at most Shape::block vertices in one launch; then the larger ones.
template <Semiring S, class ExecSpace, class T = typename S::value_type>
void close_batch_on_device(const ExecSpace& exec, const GraphBatch<T, ExecSpace>& batch, int above, TileList<>) {
  for (std::int64_t g = 0; g < batch.graphs(); ++g)
    if (batch.order(g) > above) solve_in_place<TunedTile, S, T>(exec, batch.matrix(g), {});
}
template <Semiring S, class ExecSpace, class Shape, class... Larger, class T = typename S::value_type>
void close_batch_on_device(const ExecSpace& exec, const GraphBatch<T, ExecSpace>& batch, int above,
                           TileList<Shape, Larger...>) {
  std::vector<std::int64_t> start;
  std::vector<std::int32_t> order;
  std::int64_t largest = -1;
  for (std::int64_t g = 0; g < batch.graphs(); ++g) {
    if (batch.order(g) <= above || batch.order(g) > Shape::block) continue;
    start.push_back(batch.start(g));
    order.push_back(batch.order(g));
    if (largest < 0 || batch.order(g) > batch.order(largest)) largest = g;
  }
  if (largest >= 0) {
    const SomeGraphs<T, ExecSpace> some{in_space(exec, start), in_space(exec, order),
                                        batch.matrix(largest), static_cast<std::int64_t>(order.size()),
                                        batch.padded_to(),     batch.entries().data()};
    close_graphs<Shape, S>(exec, some);
    exec.fence("blockfw::batch");  // (The lists are freed.)
  }
  close_batch_on_device<S>(exec, batch, Shape::block, TileList<Larger...>());
}

/// A graph of a batch on one thread, with its paths.
template <Semiring S, bool Edges, class Host, class T = typename S::value_type>
void write_paths(const GraphBatch<T, Host>& batch, std::int64_t g, PathCloser<S, Edges>& closer,
                 std::vector<std::int32_t>& memory, const BatchPaths<Host>& paths, std::int64_t& cycle) {
  const auto weights = batch.matrix(g);
  const int n = batch.order(g), vertex = closer.close(weights);
  const std::int64_t row = batch.row(g);
  cycle = vertex < n ? vertex : std::int64_t{no_vertex};
  memory.resize(3 * static_cast<std::size_t>(n));
  const auto place = [&](const auto& wanted, int i, int number) {
    return wanted.extent(0) > 0 ? wanted.data() + batch.start(g) + i * row : memory.data() + number * n;
  };
  for (int i = 0; i < n; ++i) {
    std::int32_t *const before = place(paths.predecessors, i, 0), *const next = place(paths.next_hops, i, 1),
                        *const edges = place(paths.hops, i, 2);
    if (vertex < n) {
      for (std::int32_t* const list : {before, next, edges}) std::fill_n(list, n, no_vertex);
      continue;
    }
    std::copy_n(closer.before(i), n, before);
    if (trace_row(n, i, before, next, edges)) continue;
    const auto weight = [&](int u, int v) { return S::relax(S::zero(), weights(u, v), S::one()); };
    grow_row<S>(n, i, closer.distances(i), weight, before, next, edges);
    trace_row(n, i, before, next, edges);
  }
  for (int i = 0; i < n; ++i) std::copy_n(closer.distances(i), n, batch.entries().data() + batch.start(g) + i * row);
}

template <Semiring S, bool Edges, class Host, class T = typename S::value_type>
void write_batch_on_host(const Host& exec, const GraphBatch<T, Host>& batch, const BatchPaths<Host>& paths,
                         std::vector<std::int64_t>& cycles) {
  require_vectors();
  if (batch.largest() > PathCloser<S, Edges>::largest)
    throw InvalidInput("a graph of the batch has " + std::to_string(batch.largest()) + " vertices, expected at most " +
                       std::to_string(PathCloser<S, Edges>::largest) + " in this type");
  for_some_graphs(exec, batch, "blockfw::batch_paths", [&](std::int64_t first, std::int64_t last) {
    PathCloser<S, Edges> closer;
    std::vector<std::int32_t> memory;
    for (std::int64_t g = first; g < last; ++g)
      write_paths<S>(batch, g, closer, memory, paths, cycles[static_cast<std::size_t>(g)]);
  });
}

template <Semiring S, class ExecSpace, class T = typename S::value_type>
void write_batch_on_device(const ExecSpace& exec, const GraphBatch<T, ExecSpace>& batch,
                           const BatchPaths<ExecSpace>& paths, std::vector<std::int64_t>& cycles) {
  using Memory = typename ExecSpace::memory_space;
  const std::size_t count = batch.entries().extent(0);
  const auto numbers = [&](const auto& wanted) {
    if (wanted.extent(0) > 0) return Kokkos::View<std::int32_t*, Memory>();
    require_memory(exec, "the paths of a batch", static_cast<double>(count) * sizeof(std::int32_t));
    return Kokkos::View<std::int32_t*, Memory>(Kokkos::view_alloc(exec, "blockfw::batch", Kokkos::WithoutInitializing),
                                               count);
  };
  require_memory(exec, "a copy of a batch", static_cast<double>(count) * sizeof(T));
  const Kokkos::View<T*, Memory> weights(Kokkos::view_alloc(exec, "blockfw::weights", Kokkos::WithoutInitializing),
                                         count);
  copy_array(exec, weights, batch.entries());
  const auto start = in_space(exec, batch.starts());
  const auto order = in_space(exec, batch.orders());
  const auto before = numbers(paths.predecessors), next = numbers(paths.next_hops), edges = numbers(paths.hops);
  const Kokkos::View<std::int64_t*, Memory> cycle(
      Kokkos::view_alloc(exec, "blockfw::batch", Kokkos::WithoutInitializing), cycles.size());
  const auto of = [](const auto& wanted, const auto& made) {
    return typename BatchPaths<ExecSpace>::Numbers(wanted.extent(0) > 0 ? wanted.data() : made.data(),
                                                   std::max(wanted.extent(0), made.extent(0)));
  };
  const TeamPaths<T, ExecSpace> team{start,
                                     order,
                                     batch.padded_to(),
                                     weights,
                                     batch.entries(),
                                     of(paths.predecessors, before),
                                     of(paths.next_hops, next),
                                     of(paths.hops, edges),
                                     cycle};
  if (paths.hops.extent(0) > 0)
    close_by_teams<S, true>(exec, team);
  else
    close_by_teams<S, false>(exec, team);
  trace_by_teams<S>(exec, team);
  copy_array(exec,
             Kokkos::View<std::int64_t*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(cycles.data(),
                                                                                                     cycles.size()),
             cycle);
  exec.fence("blockfw::batch_paths");
}

template <class T, class ExecSpace>
void require_places(const GraphBatch<T, ExecSpace>& batch, const typename BatchPaths<ExecSpace>::Numbers& numbers,
                    const char* name) {
  if (numbers.extent(0) > 0 && numbers.extent(0) != batch.entries().extent(0))
    throw InvalidInput("the " + std::string(name) + " of the batch have " + std::to_string(numbers.extent(0)) +
                       " entries, expected as many as the matrices, " + std::to_string(batch.entries().extent(0)) +
                       ", or none");
}

}  // namespace detail

/// \brief Shortest distances of all pairs of many graphs of different orders, in place.
///
/// Each graph's matrix is as for blocked_floyd_warshall(), on entry and on exit. The graphs do not affect each other. A
/// graph with a negative cycle ends with a negative diagonal entry (see find_negative_cycles).
///
/// \tparam Over  the semiring, as in solve(); if left out, shortest paths
/// \param exec   the instance to run on. A host returns when it is done; a device fences between its launches.
/// \param batch  the matrices
/// \throws InvalidInput  for entries of a device's tile 2³¹ elements apart
///
/// The sum of n³ relaxes. A host's thread closes a graph of up to 512 vertices in a tile that holds it whole; larger
/// graphs are solved one after another by all threads. A device has one launch for the graphs of each size of its
/// tiles, up to 128 vertices; larger graphs are solved one after another.
template <class Over = void, class ExecSpace, Distance T>
  requires Kokkos::is_execution_space_v<ExecSpace>
void batched_floyd_warshall(const ExecSpace& exec, const GraphBatch<T, ExecSpace>& batch) {
  using S = semiring_of<Over, T>;
  static_assert(std::is_same_v<typename S::value_type, T>,
                "blockfw: the matrix's elements are not of the semiring's type");
  const Kokkos::Profiling::ScopedRegion region("blockfw::batched_floyd_warshall");
  if constexpr (is_host_space<ExecSpace>)
    detail::close_batch_on_host<S>(exec, batch);
  else
    detail::close_batch_on_device<S>(exec, batch, 0, typename detail::GraphTiles<ExecSpace, T>::type());
}

/// \brief The same with what is to be known of the paths.
///
/// \param exec   the instance to run on; fenced
/// \param batch  the matrices. On the diagonal only weights that make a cycle diverge count.
/// \param paths  the views to write
/// \return of each graph a vertex on a negative cycle, or no_vertex. Of a graph with a negative cycle the paths are
///         no_vertex, and the distances unspecified.
/// \throws InvalidInput  for views of another size; a graph of more than 16,383 vertices in int16_t
/// \throws OutOfMemory   on a device, when the copies do not fit
///
/// Of several best paths it takes any, and with `hops` one with the fewest edges (of floats: among those whose computed
/// sums are equal). All predecessors of a source form a tree. A pair without a path ends as zero(), also with negative
/// integer weights. Sum of n³ relaxes, each of some more instructions than without paths. Memory: a host's thread has a
/// copy of one graph, its predecessors and numbers of edges; a device has a copy of all matrices, and of each view that
/// is not asked for.
template <class Over = void, class ExecSpace, Distance T>
  requires Kokkos::is_execution_space_v<ExecSpace>
std::vector<std::int64_t> batched_floyd_warshall(const ExecSpace& exec, const GraphBatch<T, ExecSpace>& batch,
                                                 const BatchPaths<ExecSpace>& paths) {
  using S = semiring_of<Over, T>;
  static_assert(std::is_same_v<typename S::value_type, T>,
                "blockfw: the matrix's elements are not of the semiring's type");
  detail::require_places(batch, paths.predecessors, "predecessors");
  detail::require_places(batch, paths.next_hops, "next hops");
  detail::require_places(batch, paths.hops, "numbers of edges");
  std::vector<std::int64_t> cycles(static_cast<std::size_t>(batch.graphs()), no_vertex);
  if (batch.entries().extent(0) == 0) return cycles;
  const Kokkos::Profiling::ScopedRegion region("blockfw::batched_floyd_warshall");
  if constexpr (is_host_space<ExecSpace>) {
    if (paths.hops.extent(0) > 0)
      detail::write_batch_on_host<S, true>(exec, batch, paths, cycles);
    else
      detail::write_batch_on_host<S, false>(exec, batch, paths, cycles);
  } else {
    detail::write_batch_on_device<S>(exec, batch, paths, cycles);
  }
  return cycles;
}

/// \brief Finds for each solved graph of a batch a vertex on a negative cycle, or no_vertex. The vertex is the smallest
/// whose diagonal entry is negative (over another semiring: diverges).
///
/// The sum of n, on the host; exec is fenced.
template <class Over = void, class ExecSpace, Distance T>
  requires Kokkos::is_execution_space_v<ExecSpace>
std::vector<std::int64_t> find_negative_cycles(const ExecSpace& exec, const GraphBatch<T, ExecSpace>& batch) {
  using S = semiring_of<Over, T>;
  std::vector<std::int64_t> result(static_cast<std::size_t>(batch.graphs()));
  const auto start = detail::in_space(exec, batch.starts());
  const auto order = detail::in_space(exec, batch.orders());
  const Kokkos::View<std::int64_t*, typename ExecSpace::memory_space> found(
      Kokkos::view_alloc(exec, "blockfw::negative_cycles", Kokkos::WithoutInitializing), result.size());
  const auto entries = batch.entries();
  const std::int64_t padded_to = batch.padded_to();
  detail::for_range(
      "blockfw::find_negative_cycles", exec, 0, batch.graphs(), KOKKOS_LAMBDA(std::int64_t g) {
        const std::int64_t n = order(g), row = padded_to > 0 ? padded_to : n;
        std::int64_t vertex = 0;
        while (vertex < n && !S::diverges(entries(start(g) + vertex * row + vertex))) ++vertex;
        found(g) = vertex < n ? vertex : std::int64_t{no_vertex};
      });
  detail::copy_array(exec,
                     Kokkos::View<std::int64_t*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
                         result.data(), result.size()),
                     found);
  exec.fence("blockfw::find_negative_cycles");
  return result;
}

/// mark_unreachable() for each graph of a batch. No graph may have a path longer than `longest`.
template <class ExecSpace, Distance T>
  requires Kokkos::is_execution_space_v<ExecSpace>
void mark_unreachable(const ExecSpace& exec, const GraphBatch<T, ExecSpace>& batch, std::type_identity_t<T> longest) {
  const auto entries = batch.entries();
  if (batch.padded_to() > 0) {  // (what lies outside of a graph is not touched)
    const auto start = detail::in_space(exec, batch.starts());
    const auto order = detail::in_space(exec, batch.orders());
    const std::int64_t row = batch.padded_to();
    detail::for_range(
        "blockfw::mark_unreachable", exec, 0, batch.graphs() * row, KOKKOS_LAMBDA(std::int64_t r) {
          const std::int64_t g = r / row, i = r % row, n = order(g);
          for (std::int64_t j = 0; i < n && j < n; ++j) {
            T& entry = entries(start(g) + i * row + j);
            if (entry > longest) entry = infinity<T>;
          }
        });
    exec.fence("blockfw::mark_unreachable");
    return;
  }
  detail::for_range(
      "blockfw::mark_unreachable", exec, 0, entries.extent(0), KOKKOS_LAMBDA(std::int64_t e) {
        if (entries(e) > longest) entries(e) = infinity<T>;
      });
}

/// \brief The edges of the paths of a batch, in order: what a model of edge features along paths reads.
///
/// \param exec     a host's instance
/// \param batch    the solved matrices
/// \param paths    their predecessors and hops
/// \param numbers  the number of each edge i → j, at the place of (i, j); without elements it is i · n + j
/// \param length   the first edges of each path that are wanted
/// \param to       batch.entries().extent(0) · length elements: `length` for each entry. They become the numbers, and
/// -1
///                 behind the last edge.
/// \throws InvalidInput  for views of another size
///
/// The sum of n² · length at most, on the host's threads, and the number of edges of all paths.
template <class Host, Distance T>
  requires is_host_space<Host>
void edges_of_paths(const Host& exec, const GraphBatch<T, Host>& batch, const BatchPaths<Host>& paths,
                    const typename BatchPaths<Host>::Numbers& numbers, std::int64_t length,
                    const typename BatchPaths<Host>::Numbers& to) {
  const std::size_t count = batch.entries().extent(0);
  detail::require_places(batch, paths.predecessors, "predecessors");
  detail::require_places(batch, paths.hops, "numbers of edges");
  detail::require_places(batch, numbers, "numbers of the edges");
  if (count > 0 && (paths.predecessors.extent(0) == 0 || paths.hops.extent(0) == 0))
    throw InvalidInput("the batch has no predecessors or no numbers of edges, expected both");
  if (length < 0 || to.extent(0) != count * static_cast<std::size_t>(length))
    throw InvalidInput("the edges of the paths have " + std::to_string(to.extent(0)) + " entries, expected " +
                       std::to_string(count) + " times " + std::to_string(length));
  detail::for_some_graphs(exec, batch, "blockfw::edges_of_paths", [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t g = first; g < last; ++g)
      for (std::int64_t i = 0; i < batch.order(g); ++i) {
        const std::int64_t start = batch.start(g), row = batch.row(g), begin = start + i * row;
        const auto number = [&](int u, int v) {
          return numbers.extent(0) > 0 ? numbers(start + u * row + v) : u * batch.order(g) + v;
        };
        for (int j = 0; j < batch.order(g); ++j) {
          std::int32_t* const edges = to.data() + (begin + j) * length;
          std::fill_n(edges, length, -1);
          detail::write_edges_of_path(paths.predecessors.data() + begin, paths.hops(begin + j), j, number, length,
                                      edges);
        }
      }
  });
}

}  // namespace blockfw
