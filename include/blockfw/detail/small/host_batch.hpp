// SPDX-License-Identifier: MIT
/// \file
/// \brief A batch of graphs of different orders on a host's threads: distances and paths, each small graph by one
/// thread.
#pragma once

#include "blockfw/detail/backend/compiled.hpp"
#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/backend/vectors.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/base/lanes.hpp"
#include "blockfw/detail/kernel/rounds.hpp"
#include "blockfw/detail/loops/threads.hpp"
#include "blockfw/detail/small/close_on_thread.hpp"
#include "blockfw/detail/small/predecessor_rows.hpp"
#include "blockfw/ground/answers.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/graph_batch.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace blockfw::detail {

/// add_edges() in vectors of a level.
template <Semiring S, class Level, class E, class T = typename S::value_type>
BLOCKFW_ALWAYS_INLINE void add_edges_by(std::int64_t count, E* entries, WeightsSeen<T>& seen) {
  constexpr int width = Level::bytes / static_cast<int>(sizeof(T));
  using V = Lanes<Level, T, width>;
  const V zero = V::broadcast(S::zero()), one = V::broadcast(S::one());
  V smallest = V::broadcast(seen.smallest), largest = V::broadcast(seen.largest);
  std::int64_t e = 0;
  for (; e + width <= count; e += width) {
    const V weight = S::relax(zero, V::load(entries + e), one);
    const auto none = weight == zero;
    smallest = V::smaller(V::choose(none, smallest, weight), smallest);
    largest = V::larger(V::choose(none, largest, weight), largest);
    if constexpr (!std::is_const_v<E>) weight.store(entries + e);
  }
  for (int lane = 0; e > 0 && lane < width; ++lane) {
    seen.smallest = std::min(seen.smallest, smallest[lane]);
    seen.largest = std::max(seen.largest, largest[lane]);
  }
  for (; e < count; ++e) {
    const T weight = S::relax(S::zero(), entries[e], S::one());
    seen.add(weight, weight != S::zero());
    if constexpr (!std::is_const_v<E>) entries[e] = weight;
  }
}

/// \brief Adds the edges among some entries of a matrix to the range of its weights.
/// \tparam E  the type of the entries. Unless it is const, entries beyond zero() become zero().
template <Semiring S, class E, class T = typename S::value_type>
void add_edges([[maybe_unused]] std::int64_t count, [[maybe_unused]] E* entries,
               [[maybe_unused]] WeightsSeen<T>& seen) {
  // (A device's compiler knows no vectors.)
  KOKKOS_IF_ON_HOST((with_vectors([&](auto level) __attribute__((always_inline)) {
                       add_edges_by<S, decltype(level)>(count, entries, seen);
                     });))
}

/// \brief Closes matrices with predecessors on one thread, one after another. It keeps the memory to work in.
///
/// A pivot's row improves other rows vector by vector. Where it does, the predecessors of the pivot's row replace those
/// of the other row. A path replaces another path only if it is better. With Edges a path of fewer edges also replaces
/// a path of the same length.
///
/// \tparam Edges  whether to count the edges of paths
template <Semiring S, bool Edges>
class PathCloser {
  using T = typename S::value_type;

 public:
  /// A vertex, in as many bits as a distance, so that one comparison of vectors chooses both.
  using Index = MaskElement<T>;
  /// The largest order: sums of two numbers of edges fit an Index.
  static constexpr std::int64_t largest = std::numeric_limits<Index>::max() / 2;

  /// \brief Closes a copy of a matrix of weights.
  /// \param weights  with contiguous rows. Their type may be a wider one, if all sums fit T.
  /// \return a vertex on a diverging cycle, or the number of vertices
  template <class W>
  int close(const MatrixRef<W, Kokkos::HostSpace>& weights) {
    allocate(weights.extent_int(0));
    // (A device's compiler knows no vectors.)
    KOKKOS_IF_ON_HOST((return with_vectors([&](auto level) __attribute__((always_inline)) {
                                read(weights);
                                return close_on<decltype(level)>();
                              });))
    KOKKOS_IF_ON_DEVICE((return n_;))
  }

  /// The bytes that a graph of n vertices takes.
  static double bytes(double n) { return n * (n + line) * sizeof(T) * (Edges ? 3 : 2); }

  /// From a row to the next.
  std::int64_t row_length() const { return row_; }
  /// The distance without a path.
  static constexpr T no_distance() { return S::zero(); }
  /// A row of distances, and of predecessors, after close().
  const T* distances(int i) const { return distances_.data() + static_cast<std::ptrdiff_t>(i) * row_; }
  const Index* before(int i) const { return before_.data() + static_cast<std::ptrdiff_t>(i) * row_; }
  /// The numbers of edges of a row's paths; `largest` without a path.
  const Index* edges(int i) const { return edges_.data() + static_cast<std::ptrdiff_t>(i) * row_; }

 private:
  static constexpr int line = 64 / static_cast<int>(sizeof(T));  // the widest vector
  static constexpr Index no_path = largest;

  /// The better of a weight and `none`, which is zero() or one(). (A weight beyond zero() is no edge, too.)
  template <class W>
  static T better(T none, W weight) {
    if constexpr (std::is_same_v<T, W>)
      return S::relax(none, weight, S::one());
    else
      return weight < (none == S::zero() ? infinity<W> : W{none}) ? static_cast<T>(weight) : none;
  }

  void allocate(int n) {
    n_ = n;
    row_ = round_up(n_, line);
    const auto count = static_cast<std::size_t>(n_) * static_cast<std::size_t>(row_);
    distances_.resize(count);
    before_.resize(count);
    if constexpr (Edges) edges_.resize(count);
  }

  template <class W>
  BLOCKFW_ALWAYS_INLINE void read(const MatrixRef<W, Kokkos::HostSpace>& weights) {
    static_assert(std::is_same_v<T, W> || std::is_same_v<S, MinPlus<T>>);
    for (int i = 0; i < n_; ++i) {
      const W* const from = &weights(i, 0);
      const std::ptrdiff_t first = static_cast<std::ptrdiff_t>(i) * row_;
      T* const to = distances_.data() + first;
      Index* const before = before_.data() + first;
      for (int j = 0; j < n_; ++j) to[j] = better(S::zero(), from[j]);
      std::fill(to + n_, to + row_, S::zero());
      to[i] = S::zero();
      for (int j = 0; j < row_; ++j) before[j] = to[j] == S::zero() ? Index(no_vertex) : static_cast<Index>(i);
      if constexpr (Edges) {
        Index* const edges = edges_.data() + first;
        for (int j = 0; j < row_; ++j) edges[j] = to[j] == S::zero() ? no_path : Index(1);
        edges[i] = 0;
      }
      to[i] = better(S::one(), from[i]);
    }
  }

  template <class Level>
  BLOCKFW_ALWAYS_INLINE int close_on() {
    constexpr int width = Level::bytes / static_cast<int>(sizeof(T));
    using V = Lanes<Level, T, width>;
    using Vertices = Lanes<Level, Index, width>;
    const V zero = V::broadcast(S::zero()), one = V::broadcast(S::one());
    // (The compiler must assume that stores of vectors change members.)
    const int n = n_, filled = round_up(n_, width);
    const std::ptrdiff_t length = row_;
    T* const distances = distances_.data();
    Index* const before = before_.data();
    Index* const edges = edges_.data();
    for (int k = 0; k < n; ++k) {
      const T* const through = distances + k * length;
      const Index* const before_through = before + k * length;
      if (S::diverges(through[k])) return k;
      for (int i = 0; i < n; ++i) {
        T* const mine = distances + i * length;
        Index* const before_mine = before + i * length;
        if (i == k || mine[k] == S::zero()) continue;
        const V to_pivot = V::broadcast(mine[k]);
        for (int j = 0; j < filled; j += width) {
          const V onward = V::load(through + j), old = V::load(mine + j);
          const V path = V::choose(onward == zero, zero, S::relax(zero, to_pivot, onward));
          const V best = S::relax(old, path, one);
          if constexpr (Edges) {
            Index* const edges_mine = edges + i * length + j;
            const Vertices more = Vertices::broadcast(edges[i * length + k]) + Vertices::load(edges + k * length + j);
            const Vertices fewest = Vertices::load(edges_mine);
            const Vertices shorter = (path == old).numbers() & (path != zero).numbers() & (more < fewest).numbers();
            const auto takes = ((best != old).numbers() | shorter) != Vertices::broadcast(Index(0));
            best.store(mine + j);
            Vertices::choose(takes, more, fewest).store(edges_mine);
            Vertices::choose(takes, Vertices::load(before_through + j), Vertices::load(before_mine + j))
                .store(before_mine + j);
          } else {
            best.store(mine + j);
            Vertices::choose(best != old, Vertices::load(before_through + j), Vertices::load(before_mine + j))
                .store(before_mine + j);
          }
        }
      }
    }
    return n;
  }

  int n_ = 0, row_ = 0;
  std::vector<T> distances_;
  std::vector<Index> before_, edges_;
};

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
    if (batch.order(g) > largest_on_thread) solve_matrix<TunedTile, S>(exec, batch.matrix(g), Direction::directed, {});
}

/// copy_rows_as() in vectors of a level.
template <class Level, class From, class To>
BLOCKFW_ALWAYS_INLINE void copy_row_as(int n, const From* from, To* to, From none, To no_number) {
  if constexpr (std::is_same_v<From, To>)
    if (none == no_number) return static_cast<void>(std::copy_n(from, n, to));
  constexpr int width = Level::bytes / static_cast<int>(std::max(sizeof(From), sizeof(To)));
  using V = Lanes<Level, To, width>;
  for (int j = 0; n < width && j < n; ++j) to[j] = from[j] == none ? no_number : static_cast<To>(from[j]);
  for (int first = 0; n >= width && first < n; first += width) {
    const int j = std::min(first, n - width);
    const V numbers = Lanes<Level, From, width>::load(from + j).template as<To>();
    V::choose(numbers == V::broadcast(static_cast<To>(none)), V::broadcast(no_number), numbers).store(to + j);
  }
}

/// \brief Copies rows of n numbers into another type.
/// \param from_row, to_row  the numbers from a row to the next
/// \param none              a number that becomes `no_number`
template <class From, class To>
void copy_rows_as([[maybe_unused]] int rows, [[maybe_unused]] int n, [[maybe_unused]] const From* from,
                  [[maybe_unused]] std::int64_t from_row, [[maybe_unused]] To* to, [[maybe_unused]] std::int64_t to_row,
                  [[maybe_unused]] From none, [[maybe_unused]] To no_number) {
  KOKKOS_IF_ON_HOST((with_vectors([&](auto level) __attribute__((always_inline)) {
                       for (int i = 0; i < rows; ++i)
                         copy_row_as<decltype(level)>(n, from + i * from_row, to + i * to_row, none, no_number);
                     });))
}

/// Whether every edge makes a path longer, also where sums of floats round. Then all predecessors lead to the source.
template <Semiring S, class T = typename S::value_type>
bool edges_lengthen(int n, const WeightsSeen<T>& seen) {
  if (!std::is_same_v<S, MinPlus<T>> || n < 2 || seen.smallest > seen.largest) return false;
  if constexpr (std::is_floating_point_v<T>)
    return seen.smallest > 4 * static_cast<T>(n) * static_cast<T>(n) * std::numeric_limits<T>::epsilon() * seen.largest;
  return seen.smallest > T(0);
}

/// \brief The weights of a graph's edges: without loops, and without entries that are no edge.
/// \param own  memory for the diagonal. The matrix has zero() there meanwhile; then the diagonal is put back.
template <Semiring S, class Host, class T = typename S::value_type>
WeightsSeen<T> weights_seen(const GraphBatch<T, Host>& batch, std::int64_t g, std::vector<T>& own) {
  const std::int64_t n = batch.order(g), row = batch.row(g);
  T* const entries = batch.entries().data() + batch.start(g);
  own.resize(static_cast<std::size_t>(n));
  for (std::int64_t v = 0; v < n; ++v)
    own[static_cast<std::size_t>(v)] = std::exchange(entries[v * row + v], S::zero());
  WeightsSeen<T> seen;
  if (row == n)
    add_edges<S, const T>(n * n, entries, seen);
  else
    for (std::int64_t i = 0; i < n; ++i) add_edges<S, const T>(n, entries + i * row, seen);
  for (std::int64_t v = 0; v < n; ++v) entries[v * row + v] = own[static_cast<std::size_t>(v)];
  return seen;
}

/// Graphs of a batch with their paths, on one thread, one after another.
template <Semiring S, bool Edges, class Host>
class PathWriter {
  using T = typename S::value_type;

 public:
  PathWriter(const GraphBatch<T, Host>& batch, const BatchPaths<Host>& paths) : batch_(batch), paths_(paths) {}

  /// \brief Writes the distances and the paths of a graph.
  /// \return a vertex on a diverging cycle, or no_vertex
  std::int64_t write(std::int64_t g) {
    const auto seen = weights_seen<S>(batch_, g, distances_);
    if constexpr (std::is_integral_v<T> && sizeof(T) > sizeof(std::int16_t) && std::is_same_v<S, MinPlus<T>>) {
      // Numbers of 16 bits are closed twice as fast.
      const std::int64_t n = batch_.order(g), most = infinity<std::int16_t> / std::max<std::int64_t>(n, 1);
      bool fits =
          n <= Narrow::largest && (seen.smallest > seen.largest || (seen.smallest >= -most && seen.largest <= most));
      for (std::int64_t v = 0; fits && v < n; ++v) fits = batch_.matrix(g)(v, v) >= -most;
      if (fits) return write_by(narrow_, g, edges_lengthen<S>(batch_.order(g), seen));
    }
    return write_by(closer_, g, edges_lengthen<S>(batch_.order(g), seen));
  }

 private:
  using Narrow = std::conditional_t<std::is_integral_v<T> && std::is_same_v<S, MinPlus<T>>,
                                    PathCloser<MinPlus<std::int16_t>, Edges>, PathCloser<S, Edges>>;

  template <class Closer>
  std::int64_t write_by(Closer& closer, std::int64_t g, bool lengthen) {
    const auto weights = batch_.matrix(g);
    const int n = batch_.order(g), vertex = closer.close(weights);
    const std::int64_t first = batch_.start(g), row = batch_.row(g);
    const bool keeps = paths_.predecessors.extent(0) > 0;
    memory_.resize(3 * static_cast<std::size_t>(n));
    const auto place = [&](const auto& wanted, int i, int number) {
      return wanted.extent(0) > 0 ? wanted.data() + first + i * row : memory_.data() + number * n;
    };
    // (Where no sums round, the closer's numbers of edges belong to its predecessors.)
    const bool traced = !lengthen || paths_.next_hops.extent(0) > 0 ||
                        (paths_.hops.extent(0) > 0 && (!Edges || std::is_floating_point_v<T>));
    using Index = typename Closer::Index;
    if (keeps)
      copy_rows_as(n, n, closer.before(0), closer.row_length(), paths_.predecessors.data() + first, row,
                   Index{no_vertex}, no_vertex);
    if constexpr (Edges)
      if (!traced)
        copy_rows_as(n, n, closer.edges(0), closer.row_length(), paths_.hops.data() + first, row,
                     Index{Closer::largest}, no_vertex);
    for (int i = 0; i < n && (traced || vertex < n); ++i) {
      std::int32_t *const before = place(paths_.predecessors, i, 0), *const next = place(paths_.next_hops, i, 1),
                          *const edges = place(paths_.hops, i, 2);
      if (vertex < n) {
        for (std::int32_t* const list : {before, next, edges}) std::fill_n(list, n, no_vertex);
        continue;
      }
      if (!keeps) copy_rows_as(1, n, closer.before(i), 0, before, 0, Index{no_vertex}, no_vertex);
      if (trace_row(n, i, before, next, edges)) continue;
      distances_.resize(static_cast<std::size_t>(n));
      copy_rows_as(1, n, closer.distances(i), 0, distances_.data(), 0, Closer::no_distance(), S::zero());
      const MatrixWeights<S> weights_of_edges{weights.data(), row};
      grow_row<S>(n, i, distances_.data(), weights_of_edges, before, next, edges);
      trace_row(n, i, before, next, edges);
    }
    copy_rows_as(n, n, closer.distances(0), closer.row_length(), batch_.entries().data() + first, row,
                 Closer::no_distance(), S::zero());
    return vertex < n ? vertex : std::int64_t{no_vertex};
  }

  const GraphBatch<T, Host>& batch_;
  const BatchPaths<Host>& paths_;
  PathCloser<S, Edges> closer_;
  Narrow narrow_;
  std::vector<std::int32_t> memory_;
  std::vector<T> distances_;
};

template <Semiring S, bool Edges, class Host, class T = typename S::value_type>
void write_batch_on_host(const Host& exec, const GraphBatch<T, Host>& batch, const BatchPaths<Host>& paths,
                         std::vector<std::int64_t>& cycles) {
  require_vectors();
  if (batch.largest() > PathCloser<S, Edges>::largest)
    throw InvalidInput("a graph of the batch has ", batch.largest(), " vertices, expected at most ",
                       PathCloser<S, Edges>::largest, " in this type");
  const auto threads = static_cast<double>(std::min<std::int64_t>(exec.concurrency(), batch.graphs()));
  require_host_memory("the paths of graphs of " + std::to_string(batch.largest()) + " vertices, one for each thread",
                      threads * PathCloser<S, Edges>::bytes(batch.largest()));
  for_some_graphs(exec, batch, "blockfw::batch_paths", [&](std::int64_t first, std::int64_t last) {
    PathWriter<S, Edges, Host> writer(batch, paths);
    for (std::int64_t g = first; g < last; ++g) cycles[static_cast<std::size_t>(g)] = writer.write(g);
  });
}

}  // namespace blockfw::detail

/// Batches on a host's threads.
#define BLOCKFW_COMPILED_GRAPHS(LINKAGE, S)                                                                \
  LINKAGE template void blockfw::detail::close_batch_on_host<S>(                                           \
      const Kokkos::DefaultHostExecutionSpace&,                                                            \
      const blockfw::GraphBatch<blockfw::detail::compiled::Value<S>, Kokkos::DefaultHostExecutionSpace>&); \
  BLOCKFW_COMPILED_GRAPH_PATHS(LINKAGE, S, false)                                                          \
  BLOCKFW_COMPILED_GRAPH_PATHS(LINKAGE, S, true)
#define BLOCKFW_COMPILED_GRAPH_PATHS(LINKAGE, S, EDGES)                                                   \
  LINKAGE template void blockfw::detail::write_batch_on_host<S, EDGES>(                                   \
      const Kokkos::DefaultHostExecutionSpace&,                                                           \
      const blockfw::GraphBatch<blockfw::detail::compiled::Value<S>, Kokkos::DefaultHostExecutionSpace>&, \
      const blockfw::BatchPaths<Kokkos::DefaultHostExecutionSpace>&, std::vector<std::int64_t>&);

#if defined(BLOCKFW_COMPILED) && !defined(BLOCKFW_BUILT_FOR_DEVICE)
BLOCKFW_COMPILED_SHORTEST(BLOCKFW_COMPILED_GRAPHS, extern)
#endif
