// SPDX-License-Identifier: MIT
/// \file
/// \brief Distances in a sparse graph by elimination in an order with little fill: analyse, factorise, solve.
///
/// Vertices are eliminated one supernode after the other, each with the vertices that it borders on by then (its
/// boundary): Floyd-Warshall of a small dense matrix, the front. A sweep from the root of the tree of supernodes down
/// then makes the distances of a chunk of vertices. Road networks take a thousandth of the relaxes of a dense solve.
/// (docs/sparse.md has the proof. Planken, de Weerdt and van der Krogt, "Computing all-pairs shortest paths by
/// leveraging low treewidth", JAIR 43, 2012; Sao et al., "A supernodal all-pairs shortest path algorithm", PPoPP 2020.)
///
/// solve() of solve.hpp chooses this by itself.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/elimination/cycles_of_arcs.hpp"
#include "blockfw/detail/elimination/device_sweeps.hpp"
#include "blockfw/detail/elimination/factor.hpp"
#include "blockfw/detail/elimination/fronts.hpp"
#include "blockfw/detail/elimination/host_sweeps.hpp"
#include "blockfw/detail/elimination/path_step.hpp"
#include "blockfw/detail/graph/elimination_order.hpp"
#include "blockfw/detail/graph/neighbours.hpp"
#include "blockfw/detail/graph/supernodes.hpp"
#include "blockfw/detail/host_tasks.hpp"
#include "blockfw/detail/plan/finish.hpp"
#include "blockfw/distances.hpp"
#include "blockfw/edges.hpp"
#include "blockfw/error.hpp"
#include "blockfw/matrix.hpp"
#include "blockfw/measures.hpp"
#include "blockfw/progress.hpp"
#include "blockfw/semiring.hpp"
#include "blockfw/weights.hpp"

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <ranges>
#include <span>
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
  /// \throws OutOfMemory                when the structure does not fit, before it is allocated
  ///
  /// O(n + edges) memory and about as much again for the fill; on the calling thread.
  template <std::ranges::contiguous_range Edges>
  SparseAnalysis(std::int64_t n, const Edges& edges) : SparseAnalysis(detail::neighbours_of(n, edges)) {}

  /// Refused at compile time: edges that are none.
  template <class Edges>
    requires(!std::ranges::contiguous_range<Edges>)
  SparseAnalysis(std::int64_t, const Edges&) {
    detail::require_edges<Edges>();
  }

  /// \brief The same with an order of the caller's.
  /// \param n      number of vertices
  /// \param edges  host container of edges
  /// \param order  order[k]: the vertex to eliminate as number k
  /// \param most_width  the most vertices of a supernode
  /// \throws InvalidInput when the order is no permutation of the vertices
  /// \throws OutOfMemory  when the structure does not fit, before it is allocated: an order may have any fill
  template <std::ranges::contiguous_range Edges>
  SparseAnalysis(std::int64_t n, const Edges& edges, const std::vector<std::int32_t>& order,
                 std::int32_t most_width = any_width)
      : SparseAnalysis(detail::neighbours_of(n, edges), permutation(n, order), most_width) {}

  /// \brief The structure in the built-in order, or nothing when that exceeds the limits.
  template <std::ranges::contiguous_range Edges>
  static std::optional<SparseAnalysis> within(const detail::OrderLimits& limits, std::int64_t n, const Edges& edges) {
    const detail::Neighbours neighbours = detail::neighbours_of(n, edges);
    const auto order = detail::minimum_degree_order(neighbours, limits);
    if (!order) return {};
    return SparseAnalysis(neighbours, *order);
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
  template <Semiring, class, class>
  friend class SparseFactor;
  static constexpr std::int32_t any_width = 1 << 30;

  explicit SparseAnalysis(const detail::Neighbours& neighbours)
      : SparseAnalysis(neighbours, *detail::minimum_degree_order(neighbours)) {}

  SparseAnalysis(const detail::Neighbours& neighbours, const std::vector<std::int32_t>& order,
                 std::int32_t most_width = any_width)
      : elimination_(detail::find_supernodes(neighbours, order, most_width, detail::available_host_bytes())) {
    count();
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
    const auto n = static_cast<double>(vertices());
    for (const detail::Supernode& node : elimination_.supernodes) {
      const double w = node.width(), b = static_cast<double>(node.boundary.size());
      widest_ = std::max<std::int64_t>(widest_, node.width());
      factor_relaxes_ += w * (w + b) * (w + b) + (node.leaf ? 0 : w * b * node.depth);
      solve_relaxes_ += n * w * b + (node.leaf ? w * b * node.depth : 0) + w * static_cast<double>(node.below);
      factor_elements_ += 2 * w * (b + static_cast<double>(detail::label_length(node)));
    }
  }

  detail::Elimination elimination_;
  std::int64_t widest_ = 0;
  double factor_relaxes_ = 0, solve_relaxes_ = 0, factor_elements_ = 0;
};

namespace detail {

template <Semiring S, class ExecSpace>
using sweeps_for = std::conditional_t<is_host_space<ExecSpace>, HostSweeps<S, ExecSpace>, DeviceSweeps<S, ExecSpace>>;

}  // namespace detail

/// \brief The eliminated supernodes of a graph with weights: all distances are one sweep away.
///
/// The elimination is done on the host. The distances are made where ExecSpace works.
///
/// \tparam S          the semiring
/// \tparam ExecSpace  where the distances are to be
/// \tparam Sweeps     how they are made; the host's or a device's way
template <Semiring S, class ExecSpace = Kokkos::DefaultHostExecutionSpace,
          class Sweeps = detail::sweeps_for<S, ExecSpace>>
class SparseFactor {
 public:
  /// The type of a distance.
  using T = typename S::value_type;

  /// \brief Eliminates all supernodes.
  /// \param exec       the instance to run on
  /// \param analysis   the structure of the network; it must outlive the factor
  /// \param edges      host container of edges: of those that the analysis has seen, in any direction
  /// \param direction  whether the edges lead one way or both
  /// \param progress   called as progress(vertices done, in all) from the calling thread, if set, after each large
  ///                   supernode and several times within it; each vertex counts twice, when it is eliminated and when
  ///                   it has its label
  /// \param strict_cycles  as in SolveOptions
  /// \throws InvalidInput, InvalidEdge  for an edge that the structure has no place for, a vertex out of range, a NaN
  /// \throws OverflowRisk               when sums could overflow T
  /// \throws OutOfMemory                when the factor does not fit, before it is allocated
  /// \throws NegativeCycle              with a vertex on it; for other semirings than shortest paths, DivergentCycle
  ///
  /// SparseAnalysis::factor_relaxes() relaxes. Memory: factor_elements() elements, and the fronts that wait for their
  /// parents.
  ///
  /// Integers of 16 and 32 bits are safe if n - 1 of the heaviest edges fit, or all edges. If not, and no weight is
  /// negative, the elimination takes 64 bits and shows a better bound: the longest label up the tree and the longest
  /// one down.
  template <std::ranges::contiguous_range Edges>
  SparseFactor(const ExecSpace& exec, const SparseAnalysis& analysis, const Edges& edges,
               Direction direction = Direction::directed, const Progress& progress = {}, bool strict_cycles = false)
      : exec_(exec), structure_(&analysis.elimination_) {
    const Kokkos::Profiling::ScopedRegion region("blockfw::sparse_factor");
    values_ = eliminate(std::span<const std::ranges::range_value_t<Edges>>(edges), direction, progress, strict_cycles);
    sweeps_ = Sweeps(exec, *structure_, *values_);
  }

  /// An analysis that ends before the factor does not compile.
  template <std::ranges::contiguous_range Edges>
  SparseFactor(const ExecSpace& exec, const SparseAnalysis&& analysis, const Edges& edges,
               Direction = Direction::directed, const Progress& = {}, bool strict_cycles = false) = delete;

  /// \brief The distances from all vertices.
  /// \return an n x n matrix where ExecSpace works; S::zero() without a path
  /// \throws OutOfMemory when it does not fit, before it is allocated
  ///
  /// SparseAnalysis::solve_relaxes() relaxes; writes each entry once. Memory: the result, and 2·p·c elements a thread,
  /// for paths of p vertices in the tree and chunks of c, about a cache's size; on a device n·p elements.
  DistanceMatrix<T, ExecSpace> solve() const;

  /// \brief The same into memory of the caller's.
  /// \param d         n x n view with contiguous rows
  /// \param progress  called as progress(chunks of vertices done, chunks in all) from the calling thread, if set
  /// \throws InvalidInput when d is of another order
  void solve(const DistanceMatrix<T, ExecSpace>& d, const Progress& progress = {}) const;

  /// \brief The distances from some vertices.
  /// \param sources  host container of vertices; a vertex may occur twice
  /// \return a matrix where ExecSpace works, with a row of n distances for each source, in their order
  /// \throws InvalidInput for a source out of range; OutOfMemory
  template <std::ranges::contiguous_range Sources>
  DistanceMatrix<T, ExecSpace> distances_from(const Sources& sources) const {
    std::vector<std::int32_t> numbers;
    for (const auto source : sources) {
      detail::require_vertex(source, vertices());
      numbers.push_back(structure_->place[index(source)]);
    }
    return rows_from(numbers);
  }

  /// \brief Calls f(first, rows) for blocks of rows of the distances, in order: rows(r, v) is the distance from vertex
  /// first + r to v, in the memory where ExecSpace works.
  ///
  /// For graphs whose matrix does not fit: the memory is that of two blocks, of 64 rows a thread, or 1024 on a device.
  /// \param f  called from the calling thread; it must not keep `rows`
  /// \throws OutOfMemory; what f throws
  template <class F>
  void for_each_block(const F& f) const {
    const std::size_t n = index(vertices()), most = std::min(n, sweeps_.rows_at_once());
    detail::require_memory(exec_, "distances from " + std::to_string(most) + " vertices",
                           2 * static_cast<double>(most) * static_cast<double>(n) * sizeof(T));
    const DistanceMatrix<T, ExecSpace> block(
        Kokkos::view_alloc(exec_, "blockfw::distances", Kokkos::WithoutInitializing), most, n);
    for (std::size_t first = 0; first < n; first += most) {
      const std::size_t rows = std::min(most, n - first);
      const auto part = Kokkos::subview(block, Kokkos::pair<std::size_t, std::size_t>(0, rows), Kokkos::ALL);
      const auto place = structure_->place.begin() + static_cast<std::ptrdiff_t>(first);
      const std::vector<std::int32_t> numbers(place, place + static_cast<std::ptrdiff_t>(rows));
      sweeps_.rows_from(numbers, finish(), part);
      set_own(part, numbers);
      f(static_cast<std::int64_t>(first), part);
    }
  }

  /// \brief For each vertex what it reaches, or what it is reached from, as reach() of measures.hpp, without the n x n
  /// matrix: eccentricities, diameter, centre and closeness follow from it.
  /// \param towards   which distances count
  /// \param progress  called as progress(chunks of vertices done, chunks in all) from the calling thread, if set
  ///
  /// SparseAnalysis::solve_relaxes() relaxes. Memory: n entries, and a cache's size a thread; on a device lines of some
  /// thousand vertices.
  std::vector<Reach<T>> reach(Towards towards = Towards::others, const Progress& progress = {}) const;

  /// \brief The distance from vertex i to vertex j; S::zero() without a path.
  /// \throws InvalidInput for a vertex out of range
  ///
  /// Reads the labels of both: O(vertices of a path of the tree, times a boundary).
  T distance(std::int64_t i, std::int64_t j) const;

  /// \brief The vertices of a best path from i to j, both included; empty without a path.
  /// \throws InvalidInput for a vertex out of range
  ///
  /// Searches from i, each time on from the vertex by which the best way to j leads: of several equally good ones, from
  /// that which was found last. So it leads straight to j where no sums round, and no vertex occurs twice. Takes a
  /// label for each edge that leaves a vertex of the search.
  std::vector<std::int32_t> path(std::int64_t i, std::int64_t j) const;

  /// Whether the distances are the same in both directions.
  bool symmetric() const { return values_->symmetric; }
  /// The weights' range.
  WeightRange<T> range() const { return range_; }

 private:
  /// The distances from the vertices of these numbers, a row for each.
  DistanceMatrix<T, ExecSpace> rows_from(const std::vector<std::int32_t>& numbers) const;
  /// Distances of vertices to themselves, of which rounding may have left a little.
  void set_own(const auto& rows, const std::vector<std::int32_t>& numbers) const {
    if (detail::cancels<S>(range_)) detail::set_own<S>(exec_, rows, structure_->order, numbers);
  }
  detail::Finish<S> finish() const { return detail::finish_of<S>(vertices(), range_); }
  static std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }
  std::int64_t vertices() const { return static_cast<std::int64_t>(structure_->order.size()); }

  std::int32_t place(std::int64_t vertex) const { return structure_->place[index(vertex)]; }
  std::size_t owner(std::int32_t number) const { return index(structure_->owner[index(number)]); }

  /// The arcs that matter, by the supernode of their earlier end.
  template <class E>
  detail::Arcs<T> arcs_of(std::span<const E> edges, Direction direction);

  using Values = detail::FactorValues<T>;

  template <class E>
  std::shared_ptr<const Values> eliminate(std::span<const E> edges, Direction direction, const Progress& progress,
                                          bool strict_cycles);

  /// Eliminates in 64 bits, and takes the numbers over if no distance can reach infinity.
  std::shared_ptr<const Values> eliminate_wide(const detail::Arcs<T>& arcs, bool symmetric,
                                               const Progress& progress) const
    requires std::is_integral_v<T>;

  /// A vertex with its whole label.
  struct Label {
    std::size_t node;
    std::vector<T> entries;
  };
  template <detail::Sweep Way>
  Label label(std::int32_t k) const {
    const std::size_t s = owner(k);
    const detail::Supernode& node = structure_->supernodes[s];
    Label result{s, std::vector<T>(index(node.path_length()))};
    detail::whole_label<S, Way>(*structure_, *values_, k, result.entries.data());
    return result;
  }

  /// The best path through a vertex that both labels have.
  T meet(const Label& from, const Label& to) const {
    std::size_t a = from.node, b = to.node;
    while (a != b) (a < b ? a : b) = index(structure_->supernodes[std::min(a, b)].parent);
    T best = S::zero();
    if (a == no_node) return best;
    const std::size_t common = index(structure_->supernodes[a].path_length());
    for (std::size_t x = 0; x < common; ++x) best = S::relax(best, from.entries[x], to.entries[x]);
    return best;
  }

  static constexpr std::size_t no_node = static_cast<std::size_t>(std::int64_t{-1});

  ExecSpace exec_;
  const detail::Elimination* structure_;
  WeightRange<T> range_;
  std::shared_ptr<const Values> values_;
  Sweeps sweeps_;
  detail::Arcs<T> leaving_;  ///< the arcs between numbers, by the one that they leave
};

// What costs time to compile is not in the class, or it would be inline, and compiled by each file that calls it even
// if a library holds it (detail/compiled).

template <Semiring S, class ExecSpace, class Sweeps>
auto SparseFactor<S, ExecSpace, Sweeps>::solve() const -> DistanceMatrix<T, ExecSpace> {
  const auto d = allocate_distances<T>(exec_, vertices());
  solve(d);
  return d;
}

template <Semiring S, class ExecSpace, class Sweeps>
void SparseFactor<S, ExecSpace, Sweeps>::solve(const DistanceMatrix<T, ExecSpace>& d, const Progress& progress) const {
  if (d.extent_int(0) != vertices() || d.extent_int(1) != vertices())
    throw InvalidInput("the matrix '" + d.label() + "' has " + std::to_string(d.extent(0)) + " rows and " +
                       std::to_string(d.extent(1)) + " columns, expected " + std::to_string(vertices()) + " of each");
  const Kokkos::Profiling::ScopedRegion region("blockfw::sparse_solve");
  sweeps_.towards_all(finish(), d, progress);
  set_own(d, structure_->place);
}

template <Semiring S, class ExecSpace, class Sweeps>
auto SparseFactor<S, ExecSpace, Sweeps>::rows_from(const std::vector<std::int32_t>& numbers) const
    -> DistanceMatrix<T, ExecSpace> {
  const std::size_t rows = numbers.size(), n = index(vertices());
  detail::require_memory(exec_, "distances from " + std::to_string(rows) + " vertices",
                         static_cast<double>(rows) * static_cast<double>(n) * sizeof(T));
  const DistanceMatrix<T, ExecSpace> d(Kokkos::view_alloc(exec_, "blockfw::distances", Kokkos::WithoutInitializing),
                                       rows, n);
  sweeps_.rows_from(numbers, finish(), d);
  set_own(d, numbers);
  return d;
}

template <Semiring S, class ExecSpace, class Sweeps>
auto SparseFactor<S, ExecSpace, Sweeps>::reach(Towards towards, const Progress& progress) const
    -> std::vector<Reach<T>> {
  static_assert(std::is_same_v<S, MinPlus<T>>, "blockfw: reach() sums up shortest distances");
  const Kokkos::Profiling::ScopedRegion region("blockfw::sparse_reach");
  return towards == Towards::others ? sweeps_.template reach<detail::Sweep::from>(finish(), progress)
                                    : sweeps_.template reach<detail::Sweep::towards>(finish(), progress);
}

template <Semiring S, class ExecSpace, class Sweeps>
auto SparseFactor<S, ExecSpace, Sweeps>::distance(std::int64_t i, std::int64_t j) const -> T {
  detail::require_vertex(i, vertices());
  detail::require_vertex(j, vertices());
  if (i == j && detail::cancels<S>(range_)) return S::one();
  return finish().marked(meet(label<detail::Sweep::from>(place(i)), label<detail::Sweep::towards>(place(j))));
}

template <Semiring S, class ExecSpace, class Sweeps>
std::vector<std::int32_t> SparseFactor<S, ExecSpace, Sweeps>::path(std::int64_t i, std::int64_t j) const {
  detail::require_vertex(i, vertices());
  detail::require_vertex(j, vertices());
  const std::int32_t first = place(i), last = place(j);
  const auto end = label<detail::Sweep::towards>(last);
  const auto to_end = [&](std::int32_t k) { return finish().marked(meet(label<detail::Sweep::from>(k), end)); };
  constexpr std::int32_t none = -1;
  std::vector<std::int32_t> before(index(vertices()), none);
  const T length = to_end(first);
  if (i != j && length == S::zero()) return {};
  std::vector<detail::PathStep<S>> open = {detail::PathStep<S>::start(first, length)};
  for (std::int64_t found = 1; !open.empty();) {
    std::pop_heap(open.begin(), open.end());
    const auto step = open.back();
    open.pop_back();
    if (before[index(step.at)] != none) continue;
    before[index(step.at)] = step.before;
    if (step.at == last) break;
    for (std::size_t a = leaving_.first[index(step.at)]; a < leaving_.first[index(step.at) + 1]; ++a) {
      const auto& arc = leaving_.arcs[a];
      if (before[index(arc.to)] != none || !step.is_edge(arc.weight)) continue;
      open.push_back(step.by(arc.weight, arc.to, to_end(arc.to), found++, vertices()));
      std::push_heap(open.begin(), open.end());
    }
  }
  std::vector<std::int32_t> way;
  if (before[index(last)] == none) return way;
  for (std::int32_t k = last;; k = before[index(k)]) {
    way.push_back(structure_->order[index(k)]);
    if (k == first) break;
  }
  std::reverse(way.begin(), way.end());
  return way;
}

/// \cond Doxygen takes these for other functions than the private ones above.
template <Semiring S, class ExecSpace, class Sweeps>
template <class E>
auto SparseFactor<S, ExecSpace, Sweeps>::arcs_of(std::span<const E> edges, Direction direction) -> detail::Arcs<T> {
  static_assert(detail::converts<decltype(E::weight), T>,
                "blockfw: the weights must convert to the distances' type without loss");
  const std::int64_t n = vertices();
  const bool both = direction == Direction::undirected;
  detail::Arcs<T> arcs;
  const std::size_t count = (both ? 2 : 1) * edges.size();
  constexpr int copies = 3;  // as they come, by supernodes, by the vertex that they leave
  detail::require_host_memory("the lists of " + std::to_string(count) + " arcs",
                              copies * static_cast<double>(count) * sizeof(typename detail::Arcs<T>::Arc));
  arcs.arcs.reserve(count);
  range_.total = 0;
  std::int64_t number = 0;
  for (const auto& edge : edges) {
    if (!detail::is_valid<S>(edge, n)) detail::throw_invalid_edge<S>(detail::view_of(edges), number, n);
    const std::int64_t at = number++;
    if (!detail::matters<S>(edge)) continue;
    const T weight = static_cast<T>(edge.weight);
    range_.smallest = std::min(range_.smallest, weight);
    range_.largest = std::max(range_.largest, weight);
    range_.total += std::abs(static_cast<double>(weight));
    const std::int32_t i = place(edge.from), j = place(edge.to), late = std::max(i, j);
    const detail::Supernode& node = structure_->supernodes[owner(std::min(i, j))];
    if (late >= node.last && !std::binary_search(node.boundary.begin(), node.boundary.end(), late))
      throw InvalidEdge(at, "from " + std::to_string(edge.from) + " to " + std::to_string(edge.to) +
                                ", expected one of the analysed network");
    arcs.arcs.push_back({i, j, weight});
    if (both) arcs.arcs.push_back({j, i, weight});
  }
  return detail::sorted_by(arcs, static_cast<std::int64_t>(structure_->supernodes.size()),
                           [&](const auto& arc) { return owner(std::min(arc.from, arc.to)); });
}

template <Semiring S, class ExecSpace, class Sweeps>
template <class E>
auto SparseFactor<S, ExecSpace, Sweeps>::eliminate(std::span<const E> edges, Direction direction,
                                                   const Progress& progress, bool strict_cycles)
    -> std::shared_ptr<const Values> {
  const auto arcs = arcs_of(edges, direction);
  leaving_ = detail::sorted_by(arcs, vertices(), [](const auto& arc) { return arc.from; });
  const auto host = detail::host_of(exec_);
  detail::require_accepted<S>(range_);
  const bool symmetric = direction == Direction::undirected && detail::is_commutative<S>;
  if constexpr (std::is_same_v<S, MinPlus<T>> && std::is_integral_v<T> && sizeof(T) < 8)
    if (!sums_fit<S>(vertices(), range_) && !range_.any_negative()) return eliminate_wide(arcs, symmetric, progress);
  require_safe_sums<S>(vertices(), range_);
  const auto eliminated = [&](const detail::Arcs<T>& some) {
    return std::make_shared<Values>(
        detail::Fronts<S, decltype(host)>(host, *structure_, some).eliminate(symmetric, progress));
  };
  if constexpr (detail::may_cancel<S>)
    if (!strict_cycles) return detail::eliminate_tolerantly<S>(*structure_, arcs, leaving_, eliminated);
  return eliminated(arcs);
}
/// \endcond

template <Semiring S, class ExecSpace, class Sweeps>
auto SparseFactor<S, ExecSpace, Sweeps>::eliminate_wide(const detail::Arcs<T>& arcs, bool symmetric,
                                                        const Progress& progress) const -> std::shared_ptr<const Values>
  requires std::is_integral_v<T>
{
  using Wide = std::int64_t;
  require_safe_sums<MinPlus<Wide>>(vertices(), {range_.smallest, range_.largest, range_.total});
  detail::Arcs<Wide> wide{arcs.first, {}};
  for (const auto& arc : arcs.arcs) wide.arcs.push_back({arc.from, arc.to, arc.weight});
  const auto host = detail::host_of(exec_);
  auto values = detail::Fronts<MinPlus<Wide>, decltype(host)>(host, *structure_, wide).eliminate(symmetric, progress);
  const Wide bound = detail::longest_distance(*structure_, values);
  if (bound >= infinity<T>)
    throw OverflowRisk("weights up to " + std::to_string(range_.largest) + ": a path could be as long as " +
                       std::to_string(bound) + ", expected less than infinity, " + std::to_string(infinity<T>) +
                       ", in " + type_name<T>() + "; use " + (sizeof(T) < 4 ? "int32, " : "") + "int64 or double");
  const auto narrow = [&](const auto& from) {
    detail::require_memory(exec_, "the numbers of a factor", static_cast<double>(from.size()) * sizeof(T));
    const auto to = Values::allocate("blockfw::narrow", from.size());
    for (std::size_t i = 0; i < from.size(); ++i) to(i) = static_cast<T>(std::min<Wide>(from(i), infinity<T>));
    return to;
  };
  return std::make_shared<Values>(Values{std::move(values.start),
                                         values.symmetric,
                                         {narrow(values.ways[0]), narrow(values.ways[1])},
                                         {narrow(values.labels[0]), narrow(values.labels[1])}});
}

/// Shortest paths in the type of the weights.
template <class ExecSpace, std::ranges::contiguous_range Edges, class... Direction>
SparseFactor(const ExecSpace&, const SparseAnalysis&, const Edges&, Direction...)
    -> SparseFactor<MinPlus<decltype(std::ranges::range_value_t<Edges>::weight)>, ExecSpace>;

}  // namespace blockfw

#if defined(BLOCKFW_COMPILED)
#include "blockfw/detail/compiled/sparse.hpp"
#endif
