// SPDX-License-Identifier: MIT
/// \file
/// \brief Distances in a sparse graph by elimination in an order with little fill: analyse, factorise, solve.
///
/// Vertices are eliminated one supernode after the other, each with the vertices that it borders on by then (its
/// boundary): Floyd-Warshall of a small dense matrix, the front. Then a path from any source goes up the tree of
/// supernodes, and down to every vertex: two sweeps over the fronts, with some sources side by side. Road networks take
/// a thousandth of the relaxes of a dense solve. (Planken, de Weerdt and van der Krogt, "Computing all-pairs shortest
/// paths by leveraging low treewidth", JAIR 43, 2012; Sao et al., "A supernodal all-pairs shortest path algorithm",
/// PPoPP 2020.)
///
/// So far on hosts only, and chosen by the caller, not by solve(). The order, the fronts and the two sweeps are exact
/// for every semiring and for negative weights.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/backend/simd.hpp"
#include "blockfw/detail/backend/unroll.hpp"
#include "blockfw/detail/graph/elimination_order.hpp"
#include "blockfw/detail/graph/supernodes.hpp"
#include "blockfw/detail/plan/finish.hpp"
#include "blockfw/detail/rounding.hpp"
#include "blockfw/edges.hpp"
#include "blockfw/error.hpp"
#include "blockfw/matrix.hpp"
#include "blockfw/semiring.hpp"
#include "blockfw/solve.hpp"
#include "blockfw/weights.hpp"

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

namespace blockfw {

/// \brief The structure of a sparse graph: the order of elimination and the supernodes. It depends on the network, not
/// on the weights, and serves any number of factors.
class SparseAnalysis {
 public:
  /// \brief Finds an order with little fill (approximate minimum degree), and the supernodes.
  /// \param n      number of vertices
  /// \param edges  host container of edges; their weights and directions do not matter
  /// \throws InvalidInput, InvalidEdge  for n out of range, a vertex out of range
  ///
  /// O(n + edges) memory and about as much again for the fill; on the calling thread.
  template <std::ranges::contiguous_range Edges>
  SparseAnalysis(std::int64_t n, const Edges& edges) : SparseAnalysis(neighbours(n, edges)) {}

  /// \brief The same with an order of the caller's.
  /// \param n      number of vertices
  /// \param edges  host container of edges
  /// \param order  order[k]: the vertex to eliminate as number k
  /// \throws InvalidInput when the order is no permutation of the vertices
  template <std::ranges::contiguous_range Edges>
  SparseAnalysis(std::int64_t n, const Edges& edges, const std::vector<std::int32_t>& order)
      : elimination_(detail::find_supernodes(neighbours(n, edges), permutation(n, order), most_width)) {
    count();
  }

  /// The number of vertices.
  std::int64_t vertices() const { return static_cast<std::int64_t>(elimination_.order.size()); }
  /// order()[k]: the vertex that is eliminated as number k.
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
  template <Semiring>
  friend class SparseFactor;
  static constexpr std::int32_t most_width = 4096;

  explicit SparseAnalysis(detail::Neighbours neighbours) {
    const auto order = detail::minimum_degree_order(neighbours);
    elimination_ = detail::find_supernodes(neighbours, order, most_width);
    count();
  }

  template <class Edges>
  static detail::Neighbours neighbours(std::int64_t n, const Edges& edges) {
    if (n < 0 || n > std::numeric_limits<std::int32_t>::max())
      throw InvalidInput("the number of vertices is " + std::to_string(n) + ", expected 0 to 2^31 - 1");
    detail::Neighbours all(static_cast<std::size_t>(n));
    std::int64_t index = 0;
    for (const auto& edge : edges) {
      if (!detail::has_vertices(edge, n))
        detail::throw_invalid_edge<decltype(std::ranges::range_value_t<Edges>::weight)>(detail::view_of(edges), index,
                                                                                        n);
      if (edge.from != edge.to) {
        all[static_cast<std::size_t>(edge.from)].push_back(edge.to);
        all[static_cast<std::size_t>(edge.to)].push_back(edge.from);
      }
      ++index;
    }
    for (auto& mine : all) {
      std::sort(mine.begin(), mine.end());
      mine.erase(std::unique(mine.begin(), mine.end()), mine.end());
    }
    return all;
  }

  static const std::vector<std::int32_t>& permutation(std::int64_t n, const std::vector<std::int32_t>& order) {
    if (static_cast<std::int64_t>(order.size()) != n)
      throw InvalidInput("the order of elimination has " + std::to_string(order.size()) + " vertices, expected all " +
                         std::to_string(n));
    std::vector<char> seen(order.size(), 0);
    for (std::size_t k = 0; k < order.size(); ++k) {
      const std::int32_t v = order[k];
      if (v < 0 || v >= n || seen[static_cast<std::size_t>(v)]++)
        throw InvalidInput("the order of elimination has vertex " + std::to_string(v) + " at place " +
                           std::to_string(k) + ", expected each from 0 to " + std::to_string(n - 1) + " once");
    }
    return order;
  }

  void count() {
    for (const detail::Supernode& node : elimination_.supernodes) {
      const double w = node.width(), b = static_cast<double>(node.boundary.size());
      widest_ = std::max<std::int64_t>(widest_, node.width());
      factor_relaxes_ += w * (w + b) * (w + b);
      solve_relaxes_ += static_cast<double>(vertices()) * w * b + static_cast<double>(node.below) * (w * w + w * b);
      factor_elements_ += w * (w + 2 * b);
    }
  }

  detail::Elimination elimination_;
  std::int64_t widest_ = 0;
  double factor_relaxes_ = 0, solve_relaxes_ = 0, factor_elements_ = 0;
};

/// \brief The eliminated supernodes of a graph with weights: all distances are two sweeps away.
///
/// \tparam S  the semiring
template <Semiring S>
class SparseFactor {
 public:
  /// The type of a distance.
  using T = typename S::value_type;
  /// Where the factor and the distances are.
  using Host = Kokkos::DefaultHostExecutionSpace;

  /// \brief Eliminates all supernodes.
  /// \param exec       the instance to run on
  /// \param analysis   the structure of the network; it must outlive the factor
  /// \param edges      host container of edges, each of which the analysis has seen in some direction
  /// \param direction  whether the edges lead one way or both
  /// \throws InvalidInput, InvalidEdge  for an edge that is not of the analysed network, a vertex out of range, a NaN
  /// \throws OverflowRisk               when sums could overflow T
  /// \throws OutOfMemory                when the factor does not fit, before it is allocated
  /// \throws NegativeCycle              with a vertex on it; for other semirings than shortest paths, DivergentCycle
  ///
  /// SparseAnalysis::factor_relaxes() relaxes. Memory: factor_elements() elements, and the fronts that wait for their
  /// parents.
  template <std::ranges::contiguous_range Edges>
  SparseFactor(const Host& exec, const SparseAnalysis& analysis, const Edges& edges,
               Direction direction = Direction::directed)
      : exec_(exec), analysis_(analysis), structure_(analysis.elimination_) {
    const Kokkos::Profiling::ScopedRegion region("blockfw::sparse_factor");
    const auto arcs = arcs_of(edges, direction);
    detail::require_memory(exec, "the factor of " + std::to_string(analysis.vertices()) + " vertices",
                           analysis.factor_elements() * sizeof(T));
    eliminate(arcs);
  }

  /// An analysis that ends before the factor does not compile.
  template <std::ranges::contiguous_range Edges>
  SparseFactor(const Host& exec, const SparseAnalysis&& analysis, const Edges& edges,
               Direction direction = Direction::directed) = delete;

  /// \brief The distances from all vertices.
  /// \return an n x n matrix on the host; S::zero() without a path
  /// \throws OutOfMemory when it does not fit, before it is allocated
  ///
  /// SparseAnalysis::solve_relaxes() relaxes; writes each entry once. Memory: the result, and a few rows a thread.
  DistanceMatrix<T, Host> solve() const {
    const auto d = allocate_distances<T>(exec_, analysis_.vertices());
    from(structure_.order, [](std::int64_t source, std::size_t) { return source; }, d);
    return d;
  }

  /// \brief The distances from some vertices.
  /// \param sources  host container of vertices; a vertex may occur twice
  /// \return a matrix on the host with a row of n distances for each source, in their order
  /// \throws InvalidInput for a source out of range; OutOfMemory
  template <std::ranges::contiguous_range Sources>
  DistanceMatrix<T, Host> distances_from(const Sources& sources) const {
    const std::size_t rows = std::ranges::size(sources), n = structure_.order.size();
    std::vector<std::int32_t> vertices;
    for (const auto source : sources) {
      detail::require_vertex(source, analysis_.vertices());
      vertices.push_back(static_cast<std::int32_t>(source));
    }
    detail::require_memory(exec_, "distances from " + std::to_string(rows) + " vertices",
                           static_cast<double>(rows) * static_cast<double>(n) * sizeof(T));
    const DistanceMatrix<T, Host> d(Kokkos::view_alloc(exec_, "blockfw::distances", Kokkos::WithoutInitializing), rows,
                                    n);
    // Sources in the order of elimination: neighbours in it share their way up.
    std::vector<std::int64_t> row(rows);
    std::iota(row.begin(), row.end(), 0);
    std::sort(row.begin(), row.end(), [&](std::int64_t a, std::int64_t b) {
      return place(vertices[static_cast<std::size_t>(a)]) < place(vertices[static_cast<std::size_t>(b)]);
    });
    std::vector<std::int32_t> sorted;
    for (const std::int64_t r : row) sorted.push_back(vertices[static_cast<std::size_t>(r)]);
    from(sorted, [&](std::int64_t, std::size_t k) { return row[k]; }, d);
    return d;
  }

  /// The weights' range.
  WeightRange<T> range() const { return range_; }

 private:
  using Index = std::int32_t;
  /// An arc between numbers of the order of elimination.
  struct Arc {
    Index from, to;
    T weight;
  };
  /// A front's parts after the elimination: C (w x w), up (w x b), down (b x w), row by row.
  struct Front {
    std::size_t closed, up, down;
  };

  static std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }
  Index place(std::int32_t vertex) const { return structure_.place[index(vertex)]; }

  /// The arcs that matter, by the supernode of their earlier end.
  template <class Edges>
  std::vector<std::vector<Arc>> arcs_of(const Edges& edges, Direction direction) {
    using W = decltype(std::ranges::range_value_t<Edges>::weight);
    const std::int64_t n = analysis_.vertices();
    std::vector<std::vector<Arc>> arcs(structure_.supernodes.size());
    std::int64_t number = 0;
    for (const auto& edge : edges) {
      if (!detail::is_valid(edge, n)) detail::throw_invalid_edge<W>(detail::view_of(edges), number, n);
      const T weight = static_cast<T>(edge.weight);
      const std::int64_t at = number++;
      if (!detail::matters<S>(edge)) continue;
      range_.smallest = std::min(range_.smallest, weight);
      range_.largest = std::max(range_.largest, weight);
      const Index i = place(edge.from), j = place(edge.to), early = std::min(i, j), late = std::max(i, j);
      const Index owner = structure_.owner[index(early)];
      const detail::Supernode& node = structure_.supernodes[index(owner)];
      if (late >= node.last && !std::binary_search(node.boundary.begin(), node.boundary.end(), late))
        throw InvalidEdge(at, "from " + std::to_string(edge.from) + " to " + std::to_string(edge.to) +
                                  ", expected one of the analysed network");
      arcs[index(owner)].push_back({i, j, weight});
      if (direction == Direction::undirected) arcs[index(owner)].push_back({j, i, weight});
    }
    require_safe_sums<S>(n, range_);
    return arcs;
  }

  /// Eliminates the supernodes, children before parents.
  void eliminate(const std::vector<std::vector<Arc>>& arcs) {
    const std::size_t count = structure_.supernodes.size();
    std::vector<Index> local(structure_.order.size(), 0);
    std::vector<std::vector<T>> updates(count);
    std::vector<std::vector<Index>> children(count);
    fronts_.resize(count);
    for (std::size_t s = 0; s < count; ++s)
      if (const Index p = structure_.supernodes[s].parent; p >= 0) children[index(p)].push_back(static_cast<Index>(s));
    values_.reserve(static_cast<std::size_t>(analysis_.factor_elements()));
    std::vector<T> front;
    for (std::size_t s = 0; s < count; ++s) {
      const detail::Supernode& node = structure_.supernodes[s];
      const std::size_t w = index(node.width()), b = node.boundary.size(), m = w + b;
      for (std::size_t i = 0; i < w; ++i) local[index(node.first) + i] = static_cast<Index>(i);
      for (std::size_t i = 0; i < b; ++i) local[index(node.boundary[i])] = static_cast<Index>(w + i);
      front.assign(m * m, S::zero());
      for (std::size_t i = 0; i < w; ++i) front[i * m + i] = S::one();
      for (const Arc& arc : arcs[s]) {
        T& entry = front[index(local[index(arc.from)]) * m + index(local[index(arc.to)])];
        entry = S::relax(entry, arc.weight, S::one());
      }
      for (const Index c : children[s]) {
        const auto& boundary = structure_.supernodes[index(c)].boundary;
        const T* value = updates[index(c)].data();
        for (const Index i : boundary)
          for (const Index j : boundary) {
            T& entry = front[index(local[index(i)]) * m + index(local[index(j)])];
            entry = S::relax(entry, *value++, S::one());
          }
        updates[index(c)] = {};
      }
      close(front.data(), w, m, node.first);
      keep(s, front, w, m);
      if (b > 0) {
        updates[s].resize(b * b);
        for (std::size_t i = 0; i < b; ++i) std::copy_n(&front[(w + i) * m + w], b, &updates[s][i * b]);
      }
    }
  }

  /// Floyd-Warshall with the front's first w vertices as pivots.
  void close(T* front, std::size_t w, std::size_t m, Index first) const {
    for (std::size_t k = 0; k < w; ++k) {
      const T* const pivot = front + k * m;
      if (S::diverges(pivot[k])) detail::throw_cycle<S>(structure_.order[index(first) + k]);
      for (std::size_t i = 0; i < m; ++i) {
        const T to_pivot = front[i * m + k];
        if (i == k || to_pivot == S::zero()) continue;
        T* const row = front + i * m;
        for (std::size_t j = 0; j < m; ++j) row[j] = S::relax(row[j], to_pivot, pivot[j]);
      }
    }
  }

  void keep(std::size_t s, const std::vector<T>& front, std::size_t w, std::size_t m) {
    fronts_[s].closed = values_.size();
    for (std::size_t i = 0; i < w; ++i) values_.insert(values_.end(), &front[i * m], &front[i * m] + w);
    fronts_[s].up = values_.size();
    for (std::size_t i = 0; i < w; ++i) values_.insert(values_.end(), &front[i * m] + w, &front[i * m] + m);
    fronts_[s].down = values_.size();
    for (std::size_t i = w; i < m; ++i) values_.insert(values_.end(), &front[i * m], &front[i * m] + w);
  }

  // The sources of a block lie side by side: a vertex has a line of them, some vectors long.
  static constexpr int vector_width = detail::vector_bytes / int(sizeof(T)), vectors = 2;
  static constexpr std::size_t line = std::size_t(vector_width) * vectors;
  using V = detail::simd<T, vector_width>;

  /// Lines y(j) ← y(j) ⊕ (x(i) ⊗ factor(i, j)); the factor has `columns` columns.
  template <class X, class Y>
  static void relax_lines([[maybe_unused]] T* lines, [[maybe_unused]] std::size_t rows, [[maybe_unused]] const X& x,
                          [[maybe_unused]] std::size_t columns, [[maybe_unused]] const Y& y,
                          [[maybe_unused]] const T* factor, [[maybe_unused]] const T* from) {
    // (A device's compiler knows no vectors, and would instantiate ⊕ and ⊗ of them.)
    KOKKOS_IF_ON_HOST((constexpr std::size_t at_once = 4; std::size_t j = 0;
                       for (; j + at_once <= columns; j += at_once)
                           relax_some<at_once>(lines, rows, x, j, y, factor, columns, from);
                       for (; j < columns; ++j) relax_some<1>(lines, rows, x, j, y, factor, columns, from);))
  }
  template <std::size_t Lines, class X, class Y>
  static void relax_some(T* lines, std::size_t rows, const X& x, std::size_t j, const Y& y, const T* factor,
                         std::size_t columns, const T* from) {
    V sums[Lines][vectors];
    BLOCKFW_UNROLL
    for (std::size_t l = 0; l < Lines; ++l) BLOCKFW_UNROLL
    for (int v = 0; v < vectors; ++v) sums[l][v] = detail::load<V>(lines + y(j + l) * line + v * vector_width);
    for (std::size_t i = 0; i < rows; ++i) {
      V way[vectors];
      BLOCKFW_UNROLL
      for (int v = 0; v < vectors; ++v) way[v] = detail::load<V>(from + x(i) * line + v * vector_width);
      BLOCKFW_UNROLL
      for (std::size_t l = 0; l < Lines; ++l) {
        const V step = detail::broadcast<V>(factor[i * columns + j + l]);
        BLOCKFW_UNROLL
        for (int v = 0; v < vectors; ++v) sums[l][v] = S::relax(sums[l][v], way[v], step);
      }
    }
    BLOCKFW_UNROLL
    for (std::size_t l = 0; l < Lines; ++l) BLOCKFW_UNROLL
    for (int v = 0; v < vectors; ++v) detail::store(lines + y(j + l) * line + v * vector_width, sums[l][v]);
  }

  /// Computes rows of d for sources in the order of elimination; row(source, k) is the row of the k-th.
  template <class Row>
  void from(const std::vector<std::int32_t>& sources, const Row& row, const DistanceMatrix<T, Host>& d) const {
    const Kokkos::Profiling::ScopedRegion region("blockfw::sparse_solve");
    const std::size_t n = structure_.order.size(), blocks = detail::div_up(sources.size(), line);
    const auto finish = detail::finish_of<S>(analysis_.vertices(), range_);
    Kokkos::parallel_for(
        "blockfw::sparse_solve",
        Kokkos::RangePolicy<Host, Kokkos::Schedule<Kokkos::Dynamic>>(exec_, 0, static_cast<std::int64_t>(blocks))
            .set_chunk_size(1),
        [&](std::int64_t block) {
          thread_local std::vector<T> lines, saved;
          const std::size_t first = index(block) * line, count = std::min(line, sources.size() - first);
          lines.assign(n * line, S::zero());
          for (std::size_t k = 0; k < count; ++k) lines[index(place(sources[first + k])) * line + k] = S::one();
          sweep_up(lines.data(), saved, sources.data() + first, count);
          sweep_down(lines.data());
          write(lines.data(), count, finish, [&](std::size_t k) { return &d(row(sources[first + k], first + k), 0); });
        });
    exec_.fence("blockfw::sparse_solve");
  }

  /// Takes the sources up to the roots: from each supernode on their way to its boundary.
  void sweep_up(T* lines, std::vector<T>& saved, const std::int32_t* sources, std::size_t count) const {
    std::vector<Index> way;
    for (std::size_t k = 0; k < count; ++k)
      for (Index s = structure_.owner[index(place(sources[k]))]; s >= 0; s = structure_.supernodes[index(s)].parent)
        way.push_back(s);
    std::sort(way.begin(), way.end());
    way.erase(std::unique(way.begin(), way.end()), way.end());
    for (const Index s : way) {
      const detail::Supernode& node = structure_.supernodes[index(s)];
      const Front& front = fronts_[index(s)];
      const std::size_t w = index(node.width()), b = node.boundary.size(), base = index(node.first);
      saved.assign(lines + base * line, lines + (base + w) * line);
      const auto own = [](std::size_t i) { return i; };
      relax_lines(
          lines, w, own, b, [&](std::size_t j) { return index(node.boundary[j]); }, &values_[front.up], saved.data());
      relax_lines(lines, w, own, w, [&](std::size_t j) { return base + j; }, &values_[front.closed], saved.data());
    }
  }

  /// Takes what has come up to all vertices: from each supernode's boundary to its vertices, roots first.
  void sweep_down(T* lines) const {
    for (std::size_t s = structure_.supernodes.size(); s-- > 0;) {
      const detail::Supernode& node = structure_.supernodes[s];
      const std::size_t w = index(node.width()), b = node.boundary.size(), base = index(node.first);
      if (b > 0)
        relax_lines(
            lines, b, [&](std::size_t i) { return index(node.boundary[i]); }, w,
            [&](std::size_t j) { return base + j; }, &values_[fronts_[s].down], lines);
    }
  }

  /// Writes the lines as rows, vertices in the caller's order. (Some vertices at a time, so that a row gets whole cache
  /// lines: rows that lie a power of two apart would take each other's place in a cache.)
  template <class RowAt>
  void write(const T* lines, std::size_t count, const detail::Finish<T>& finish, const RowAt& row_at) const {
    const std::size_t n = structure_.order.size();
    constexpr T none = S::zero();
    constexpr std::size_t at_once = 256 / sizeof(T);
    T* rows[line];
    for (std::size_t k = 0; k < count; ++k) rows[k] = row_at(k);
    T tile[line][at_once];
    for (std::size_t first = 0; first < n; first += at_once) {
      const std::size_t some = std::min(at_once, n - first);
      for (std::size_t v = 0; v < some; ++v) {
        const T* const at = lines + index(structure_.place[first + v]) * line;
        for (std::size_t k = 0; k < line; ++k) tile[k][v] = at[k];
      }
      for (std::size_t k = 0; k < count; ++k) {
        if (finish.limit)
          for (std::size_t v = 0; v < some; ++v)
            if (none > T(0) ? tile[k][v] > *finish.limit : tile[k][v] < *finish.limit) tile[k][v] = none;
        std::copy_n(tile[k], some, rows[k] + first);
      }
    }
  }

  Host exec_;
  const SparseAnalysis& analysis_;
  const detail::Elimination& structure_;
  WeightRange<T> range_;
  std::vector<Front> fronts_;
  std::vector<T> values_;
};

}  // namespace blockfw
