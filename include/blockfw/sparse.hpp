// SPDX-License-Identifier: MIT
/// \file
/// \brief Distances in a sparse graph by elimination in an order with little fill: analyse, factorise, solve.
///
/// Vertices are eliminated one supernode after another. Each supernode is eliminated together with the vertices that it
/// borders on at that time, its boundary. An elimination is Floyd-Warshall of a small dense matrix, the front. A sweep
/// down from the root of the tree of supernodes then makes the distances of a batch of vertices. Road networks take a
/// thousandth of the relaxes of a dense solve. (docs/authors/elimination.md has the proof. Planken, de Weerdt and van
/// der Krogt, "Computing all-pairs shortest paths by leveraging low treewidth", JAIR 43, 2012; Sao et al., "A
/// supernodal all-pairs shortest path algorithm", PPoPP 2020.)
///
/// solve() of solve.hpp chooses this method by itself.
#pragma once

#include "blockfw/detail/backend/compiled.hpp"
#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/elimination/best_path.hpp"
#include "blockfw/detail/elimination/cycles_of_arcs.hpp"
#include "blockfw/detail/elimination/device_sweeps.hpp"
#include "blockfw/detail/elimination/factor.hpp"
#include "blockfw/detail/elimination/front_arcs.hpp"
#include "blockfw/detail/elimination/host_sweeps.hpp"
#include "blockfw/detail/elimination/leaving_arcs.hpp"
#include "blockfw/detail/elimination/vertex_labels.hpp"
#include "blockfw/detail/graph/supernodes.hpp"
#include "blockfw/detail/matrices/selected_of_rows.hpp"
#include "blockfw/detail/plan/finish.hpp"
#include "blockfw/detail/plan/potentials.hpp"
#include "blockfw/distances.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/network_answers.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/progress.hpp"
#include "blockfw/ground/reach.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/spaces.hpp"
#include "blockfw/ground/weights.hpp"
#include "blockfw/sparse_analysis.hpp"

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace blockfw {

namespace detail {

template <Semiring, class>
struct NetworkOfFactor;

template <Semiring S, class ExecSpace>
using sweeps_for = std::conditional_t<is_host_space<ExecSpace>, HostSweeps<S, ExecSpace>, DeviceSweeps<S, ExecSpace>>;

}  // namespace detail

/// \brief The eliminated supernodes of a graph with weights. One sweep over them makes all distances.
///
/// The elimination is done, and the distances are made, where ExecSpace works. (A device leaves an elimination to the
/// host if sums need more bits than T has, or if rounding alone may make a cycle negative.)
///
/// \tparam S          the semiring
/// \tparam ExecSpace  where the distances are to be
/// \tparam Sweeps     the class that makes them: the host's or a device's
template <Semiring S, class ExecSpace = Kokkos::DefaultHostExecutionSpace,
          class Sweeps = detail::sweeps_for<S, ExecSpace>>
class SparseFactor {
 public:
  /// The type of a distance.
  using T = typename S::value_type;

  /// \brief Eliminates all supernodes.
  /// \param exec       the instance to run on
  /// \param analysis   the structure of the network. It must outlive the factor.
  /// \param edges      host container of edges. They must be among the edges that the analysis has seen, in any
  ///                   direction.
  /// \param options    the direction, progress, strict cycles
  /// \throws InvalidInput, InvalidEdge  for an edge without a place in the structure, a vertex out of range, a NaN
  /// \throws OverflowRisk               when sums could overflow T
  /// \throws OutOfMemory                when the factor does not fit, before it is allocated
  /// \throws NegativeCycle              with a vertex on the cycle; for other semirings than shortest paths,
  ///                                    DivergentCycle
  ///
  /// It takes SparseAnalysis::factor_relaxes() relaxes. Memory: factor_elements() elements, and the fronts that wait
  /// for their parents. A device holds all fronts meanwhile, and keeps labels of vertices. An analysis keeps the places
  /// of the last edges, so that another factor of the same edges takes less time.
  ///
  /// Integers of 16 and 32 bits are safe if n - 1 of the heaviest edges fit, or all edges. If they do not fit, and no
  /// weight is negative, the elimination takes 64 bits and shows a better bound. It is the longest label up the tree
  /// and the longest label down the tree.
  template <std::ranges::contiguous_range Edges>
  SparseFactor(const ExecSpace& exec, const SparseAnalysis& analysis, const Edges& edges,
               const FactorOptions& options = {})
      : exec_(exec), structure_(&analysis.elimination_) {
    const Kokkos::Profiling::ScopedRegion region("blockfw::sparse_factor");
    eliminate(analysis, std::span<const std::ranges::range_value_t<Edges>>(edges), options);
  }

  /// Refused at compile time: a temporary analysis, which would end before the factor.
  template <std::ranges::contiguous_range Edges>
  SparseFactor(const ExecSpace& exec, const SparseAnalysis&& analysis, const Edges& edges,
               const FactorOptions& = {}) = delete;

  /// \brief The distances from all vertices.
  /// \return an n x n matrix where ExecSpace works. An entry is S::zero() without a path.
  /// \throws OutOfMemory when it does not fit, before it is allocated
  ///
  /// It takes SparseAnalysis::solve_relaxes() relaxes, and writes each entry once. Memory: the result, and 2·p·c
  /// elements for each thread, about the size of a cache. Here p is the number of vertices of a path in the tree, and c
  /// the number of vertices of a batch. A device takes n·p elements.
  DistanceMatrix<T, ExecSpace> solve() const;

  /// \brief The same into the caller's memory.
  /// \param d         n x n view with contiguous rows
  /// \param progress  called as progress(batches of vertices done, batches in all) from the calling thread, if set
  /// \throws InvalidInput when d is of another order
  void solve(const DistanceMatrix<T, ExecSpace>& d, const Progress& progress = {}) const;

  /// \brief The distances from some vertices.
  /// \param sources  host container of vertices. A vertex may occur twice.
  /// \return a matrix where ExecSpace works, with a row of n distances for each source, in their order
  /// \throws InvalidInput for a source out of range; OutOfMemory
  template <std::ranges::contiguous_range Sources>
  DistanceMatrix<T, ExecSpace> distances_from(const Sources& sources) const {
    return rows_from(numbers_of(sources));
  }

  /// \brief The distances from some vertices to others.
  /// \param sources  host container of vertices. A vertex may occur twice.
  /// \param targets  likewise
  /// \return a matrix where ExecSpace works, with a row for each source and a column for each target, in their orders
  /// \throws InvalidInput for a vertex out of range; OutOfMemory
  ///
  /// O(sources · targets · p) relaxes at most, where p is the number of vertices on a path of the tree. Memory: the
  /// result, and p elements for each target; a device takes p elements for each source, too. An analysis for tables
  /// (AnalysisOptions::purpose) makes p small.
  template <std::ranges::contiguous_range Sources, std::ranges::contiguous_range Targets>
  DistanceMatrix<T, ExecSpace> table(const Sources& sources, const Targets& targets) const {
    return table_of(numbers_of(sources), numbers_of(targets));
  }

  /// \brief The distances of pairs: entry i is the distance from sources[i] to targets[i]. The result is on the host.
  /// \param sources  host container of vertices
  /// \param targets  as many
  /// \throws InvalidInput for a vertex out of range, or lists of different lengths; OutOfMemory
  ///
  /// A pair takes two labels and a sum of their common part. Memory: a device takes two labels for each pair, some
  /// pairs at a time.
  template <std::ranges::contiguous_range Sources, std::ranges::contiguous_range Targets>
  std::vector<T> distances(const Sources& sources, const Targets& targets) const {
    return distances_of(numbers_of(sources), numbers_of(targets));
  }

  /// \brief Calls f(first, rows) for some rows of the distances at a time, in order. rows(r, v) is the distance from
  /// vertex first + r to v, in the memory where ExecSpace works.
  ///
  /// This is for graphs whose matrix does not fit the memory. Memory: twice the rows of a call, which are
  /// rows_at_once(): 64 for each thread, or some thousand on a device.
  /// \param f  called from the calling thread. It must not keep `rows`.
  /// \throws OutOfMemory; any exception of f
  template <class F>
  void for_whole_rows(const F& f) const {
    for_whole_rows(0, vertices(), f);
  }

  /// \brief The same for the vertices [first, end) alone. So several devices or ranks can take some rows each.
  /// \throws InvalidInput if these are no vertices; OutOfMemory; any exception of f
  template <class F>
  void for_whole_rows(std::int64_t first, std::int64_t end, const F& f) const {
    some_rows_at_a_time(first, end, [&](std::int64_t row, const DistanceMatrix<T, ExecSpace>& rows) { f(row, rows); });
  }

  /// \brief For each vertex a summary of the vertices that it reaches, or that reach it, as reach() of measures.hpp.
  /// This takes no n x n matrix. Eccentricities, diameter, centre and closeness follow from it.
  /// \param towards   which distances count
  /// \param progress  called as progress(batches of vertices done, batches in all) from the calling thread, if set
  ///
  /// It takes SparseAnalysis::solve_relaxes() relaxes. Memory: n entries, and the size of a cache for each thread. A
  /// device takes the rows (or columns) of some thousand vertices.
  std::vector<Reach<T>> reach(Towards towards = Towards::others, const Progress& progress = {}) const {
    return reach_of(structure_->place, towards, progress);
  }

  /// \brief The same for the vertices [first, end) alone. So several devices or ranks can take some vertices each; see
  /// reach() of factors.hpp.
  /// \throws InvalidInput if these are no vertices; OutOfMemory
  std::vector<Reach<T>> reach(std::int64_t first, std::int64_t end, Towards towards = Towards::others,
                              const Progress& progress = {}) const {
    require_vertices(first, end);
    const auto place = structure_->place.begin();
    return reach_of({place + first, place + end}, towards, progress);
  }

  /// \brief For each vertex the nearest of some places, by the shortest paths from the vertex.
  /// \param places  host container of vertices. A vertex may occur twice.
  /// \param count   places of each vertex
  /// \throws InvalidInput for a place out of range, a count below 1; OutOfMemory
  ///
  /// Of places at the same distance the first in the list is nearer. This makes a table of all vertices and the places,
  /// some rows at a time. On a host, Network::nearest() takes less time.
  template <std::ranges::contiguous_range Places>
  NearestPlaces<T> nearest(const Places& places, std::int64_t count = 1) const {
    return nearest_of(structure_->place, numbers_of(places), count);
  }
  /// \brief The same for some vertices only.
  /// \param vertices  host container of vertices
  /// \param places    likewise
  /// \param count     places of each vertex
  /// \return entry i · count + k for vertices[i]
  template <std::ranges::contiguous_range Vertices, std::ranges::contiguous_range Places>
  NearestPlaces<T> nearest(const Vertices& vertices, const Places& places, std::int64_t count) const {
    return nearest_of(numbers_of(vertices), numbers_of(places), count);
  }

  /// \brief The vertices within a limit of each source, with their distances.
  /// \param sources  host container of vertices. A vertex may occur twice.
  /// \param limit    the largest distance; a path of this length is within it
  /// \throws InvalidInput for a source out of range, a limit that is NaN; OutOfMemory
  ///
  /// This makes the rows of the sources, some at a time. On a host, Network::within() takes less time for small limits.
  template <std::ranges::contiguous_range Sources>
  VerticesInReach<T> within(const Sources& sources, T limit) const {
    static_assert(std::is_same_v<S, MinPlus<T>>, "blockfw: within() compares shortest distances");
    return detail::within_of_rows(exec_, numbers_of(sources), index(vertices()), limit,
                                  [&](const auto& some) { return rows_from(some); });
  }

  /// \brief The distance from vertex i to vertex j. It is S::zero() without a path.
  /// \throws InvalidInput for a vertex out of range
  ///
  /// Reads the labels of both vertices. O(vertices of a path of the tree, times a boundary).
  T distance(std::int64_t i, std::int64_t j) const;

  /// \brief The vertices of a best path from i to j, both included. It is empty without a path.
  /// \throws InvalidInput for a vertex out of range
  ///
  /// The search starts at i. It always continues from the vertex through which the best path to j leads; of several
  /// equally good vertices, from the vertex that was found last. So it leads straight to j where no sums round, and no
  /// vertex occurs twice. It takes a label for each edge that leaves a vertex of the search.
  std::vector<std::int32_t> path(std::int64_t i, std::int64_t j) const;

  /// The same factor for another instance of a host: the numbers are shared, and the distances are made by this
  /// instance's threads.
  SparseFactor on(const ExecSpace& exec) const
    requires is_host_space<ExecSpace>
  {
    SparseFactor same = *this;
    same.exec_ = exec;
    same.sweeps_ = sweeps_.on(exec);
    return same;
  }

  /// The number of rows that distances_from() makes efficiently together.
  std::size_t rows_at_once() const { return sweeps_.rows_at_once(); }
  /// The number of vertices.
  std::int64_t vertices() const { return static_cast<std::int64_t>(structure_->order.size()); }
  /// Whether the distances are the same in both directions.
  bool is_symmetric() const { return sweeps_.is_symmetric(); }
  /// The range of the weights.
  WeightRange<T> range() const { return range_; }

 private:
  void require_vertices(std::int64_t first, std::int64_t end) const {
    if (first < 0 || first > end || end > vertices())
      throw InvalidInput("vertices from " + std::to_string(first) + " to before " + std::to_string(end) +
                         " are asked for, expected some from 0 to " + std::to_string(vertices()));
  }
  template <class Vertices>
  std::vector<std::int32_t> numbers_of(const Vertices& list) const {
    std::vector<std::int32_t> numbers;
    numbers.reserve(std::ranges::size(list));
    for (const auto vertex : list) {
      detail::require_vertex(vertex, vertices());
      numbers.push_back(place(vertex));
    }
    return numbers;
  }
  std::vector<Reach<T>> reach_of(const std::vector<std::int32_t>& numbers, Towards towards,
                                 const Progress& progress) const;
  DistanceMatrix<T, ExecSpace> table_of(const std::vector<std::int32_t>& from,
                                        const std::vector<std::int32_t>& to) const;
  std::vector<T> distances_of(const std::vector<std::int32_t>& from, const std::vector<std::int32_t>& to) const;
  NearestPlaces<T> nearest_of(const std::vector<std::int32_t>& numbers, const std::vector<std::int32_t>& places,
                              std::int64_t count) const {
    static_assert(std::is_same_v<S, MinPlus<T>>, "blockfw: nearest() compares shortest distances");
    return detail::nearest_of_rows<T>(exec_, numbers, places.size(), count,
                                      [&](const auto& some) { return table_of(some, places); });
  }
  /// The distances from the vertices of these numbers, a row for each vertex.
  DistanceMatrix<T, ExecSpace> rows_from(const std::vector<std::int32_t>& numbers) const;
  /// for_whole_rows(): the same code for any f.
  using TakesRows = std::function<void(std::int64_t, const DistanceMatrix<T, ExecSpace>&)>;
  void some_rows_at_a_time(std::int64_t first, std::int64_t end, const TakesRows& f) const;
  /// Sets the distances of vertices to themselves, as rounding may have made them slightly wrong.
  void set_own(const auto& rows, const std::vector<std::int32_t>& numbers) const {
    if (detail::cancels<S>(range_)) detail::set_own<S>(exec_, rows, structure_->order, numbers);
  }
  detail::Finish<S> finish() const { return detail::finish_of<S>(vertices(), range_); }
  static std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

  std::int32_t place(std::int64_t vertex) const { return structure_->place[index(vertex)]; }

  template <class E>
  void eliminate(const SparseAnalysis& analysis, std::span<const E> edges, const FactorOptions& options);

  template <Semiring, class>
  friend struct detail::NetworkOfFactor;
  /// A factor whose numbers a host has made, with the analysis that it needs.
  SparseFactor(const ExecSpace& exec, std::shared_ptr<const SparseAnalysis> analysis, const detail::FrontArcs<T>& arcs,
               const WeightRange<T>& range, std::shared_ptr<const detail::FactorValues<T>> values)
      : exec_(exec),
        structure_(&analysis->elimination_),
        range_(range),
        sweeps_(Sweeps::of_values(exec, *structure_, *analysis->on_devices_, std::move(values))),
        arcs_(arcs),
        kept_(std::move(analysis)) {}

  ExecSpace exec_;
  const detail::Elimination* structure_;
  WeightRange<T> range_;
  Sweeps sweeps_;
  detail::FrontArcs<T> arcs_;
  std::shared_ptr<const SparseAnalysis> kept_;  ///< if the factor is a network's
  std::shared_ptr<detail::LazyLeavingArcs<T>> leaving_ = std::make_shared<detail::LazyLeavingArcs<T>>();
};

// Functions that take long to compile are not defined in the class. There they would be inline, and each file that
// calls them would compile them even if a library holds them (detail/backend/compiled.hpp).

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
void SparseFactor<S, ExecSpace, Sweeps>::some_rows_at_a_time(std::int64_t first, std::int64_t end,
                                                             const TakesRows& f) const {
  require_vertices(first, end);
  const std::size_t n = index(vertices()), most = std::min(index(end - first), sweeps_.rows_at_once());
  detail::require_memory(exec_, "distances from " + std::to_string(most) + " vertices",
                         2 * static_cast<double>(most) * static_cast<double>(n) * sizeof(T));
  const DistanceMatrix<T, ExecSpace> all_rows(
      Kokkos::view_alloc(exec_, "blockfw::distances", Kokkos::WithoutInitializing), most, n);
  for (std::int64_t next = first; next < end; next += static_cast<std::int64_t>(most)) {
    const std::size_t rows = std::min(most, index(end - next));
    const DistanceMatrix<T, ExecSpace> part =
        Kokkos::subview(all_rows, Kokkos::pair<std::size_t, std::size_t>(0, rows), Kokkos::ALL);
    const auto place = structure_->place.begin() + next;
    const std::vector<std::int32_t> numbers(place, place + static_cast<std::ptrdiff_t>(rows));
    sweeps_.rows_from(numbers, finish(), part);
    set_own(part, numbers);
    f(next, part);
  }
}

template <Semiring S, class ExecSpace, class Sweeps>
auto SparseFactor<S, ExecSpace, Sweeps>::table_of(const std::vector<std::int32_t>& from,
                                                  const std::vector<std::int32_t>& to) const
    -> DistanceMatrix<T, ExecSpace> {
  const Kokkos::Profiling::ScopedRegion region("blockfw::table");
  detail::require_memory(exec_,
                         "a table of " + std::to_string(from.size()) + " x " + std::to_string(to.size()) + " distances",
                         static_cast<double>(from.size()) * static_cast<double>(to.size()) * sizeof(T));
  const DistanceMatrix<T, ExecSpace> d(Kokkos::view_alloc(exec_, "blockfw::distances", Kokkos::WithoutInitializing),
                                       from.size(), to.size());
  sweeps_.table(from, to, finish(), detail::cancels<S>(range_), d);
  return d;
}

template <Semiring S, class ExecSpace, class Sweeps>
auto SparseFactor<S, ExecSpace, Sweeps>::distances_of(const std::vector<std::int32_t>& from,
                                                      const std::vector<std::int32_t>& to) const -> std::vector<T> {
  const Kokkos::Profiling::ScopedRegion region("blockfw::pairs");
  if (from.size() != to.size())
    throw InvalidInput("the pairs have " + std::to_string(from.size()) + " sources and " + std::to_string(to.size()) +
                       " targets, expected as many of each");
  std::vector<T> result(from.size());
  sweeps_.pairs(from, to, finish(), detail::cancels<S>(range_), result.data());
  return result;
}

template <Semiring S, class ExecSpace, class Sweeps>
auto SparseFactor<S, ExecSpace, Sweeps>::reach_of(const std::vector<std::int32_t>& numbers, Towards towards,
                                                  const Progress& progress) const -> std::vector<Reach<T>> {
  static_assert(std::is_same_v<S, MinPlus<T>>, "blockfw: reach() sums up shortest distances");
  const Kokkos::Profiling::ScopedRegion region("blockfw::sparse_reach");
  return towards == Towards::others ? sweeps_.template reach<detail::Sweep::from>(numbers, finish(), progress)
                                    : sweeps_.template reach<detail::Sweep::towards>(numbers, finish(), progress);
}

template <Semiring S, class ExecSpace, class Sweeps>
auto SparseFactor<S, ExecSpace, Sweeps>::distance(std::int64_t i, std::int64_t j) const -> T {
  detail::require_vertex(i, vertices());
  detail::require_vertex(j, vertices());
  return detail::pair_distance<S>({*structure_, sweeps_.values()}, place(i), place(j), finish(),
                                  detail::cancels<S>(range_));
}

template <Semiring S, class ExecSpace, class Sweeps>
std::vector<std::int32_t> SparseFactor<S, ExecSpace, Sweeps>::path(std::int64_t i, std::int64_t j) const {
  detail::require_vertex(i, vertices());
  detail::require_vertex(j, vertices());
  return detail::best_path<S>(*structure_, sweeps_.values(), nullptr, leaving_->template get<S>(*structure_, arcs_),
                              finish(), place(i), place(j));
}

/// \cond Doxygen takes this for another function than the private function above.
template <Semiring S, class ExecSpace, class Sweeps>
template <class E>
void SparseFactor<S, ExecSpace, Sweeps>::eliminate(const SparseAnalysis& analysis, std::span<const E> edges,
                                                   const FactorOptions& options) {
  arcs_.plan = analysis.arcs_->template get<S>(detail::host_of(exec_), *structure_, edges, options.direction);
  range_ = detail::range_of<S>(edges, false);
  arcs_.weights = detail::weights_of<S>(*arcs_.plan, edges);
  sweeps_ = Sweeps::eliminated(exec_, *structure_, *analysis.on_devices_, arcs_, range_, options);
}
/// \endcond

/// Shortest paths in the type of the weights.
template <class ExecSpace, std::ranges::contiguous_range Edges>
SparseFactor(const ExecSpace&, const SparseAnalysis&, const Edges&, const FactorOptions& = {})
    -> SparseFactor<MinPlus<decltype(std::ranges::range_value_t<Edges>::weight)>, ExecSpace>;

}  // namespace blockfw

/// A factor.
#define BLOCKFW_COMPILED_ELIMINATE(LINKAGE, S)                                                             \
  LINKAGE template void blockfw::SparseFactor<S, blockfw::detail::compiled::Exec>::eliminate(              \
      const blockfw::SparseAnalysis&, std::span<const blockfw::Edge<blockfw::detail::compiled::Value<S>>>, \
      const blockfw::FactorOptions&);
/// The same with all answers.
#define BLOCKFW_COMPILED_FACTOR(LINKAGE, S) \
  BLOCKFW_COMPILED_ELIMINATE(LINKAGE, S)    \
  LINKAGE template class blockfw::SparseFactor<S, blockfw::detail::compiled::Exec>;
/// A factor over another semiring, and its answers: it has no reach().
#define BLOCKFW_COMPILED_SEMIRING_FACTOR(LINKAGE, S)                                                                  \
  BLOCKFW_COMPILED_ELIMINATE(LINKAGE, S)                                                                              \
  LINKAGE template blockfw::DistanceMatrix<blockfw::detail::compiled::Value<S>, blockfw::detail::compiled::Exec>      \
  blockfw::SparseFactor<S, blockfw::detail::compiled::Exec>::solve() const;                                           \
  LINKAGE template void blockfw::SparseFactor<S, blockfw::detail::compiled::Exec>::solve(                             \
      const blockfw::DistanceMatrix<blockfw::detail::compiled::Value<S>, blockfw::detail::compiled::Exec>&,           \
      const blockfw::Progress&) const;                                                                                \
  LINKAGE template blockfw::DistanceMatrix<blockfw::detail::compiled::Value<S>, blockfw::detail::compiled::Exec>      \
  blockfw::SparseFactor<S, blockfw::detail::compiled::Exec>::rows_from(const std::vector<std::int32_t>&) const;       \
  LINKAGE template void blockfw::SparseFactor<S, blockfw::detail::compiled::Exec>::some_rows_at_a_time(               \
      std::int64_t, std::int64_t, const blockfw::SparseFactor<S, blockfw::detail::compiled::Exec>::TakesRows&) const; \
  LINKAGE template blockfw::DistanceMatrix<blockfw::detail::compiled::Value<S>, blockfw::detail::compiled::Exec>      \
  blockfw::SparseFactor<S, blockfw::detail::compiled::Exec>::table_of(const std::vector<std::int32_t>&,               \
                                                                      const std::vector<std::int32_t>&) const;        \
  LINKAGE template std::vector<blockfw::detail::compiled::Value<S>>                                                   \
  blockfw::SparseFactor<S, blockfw::detail::compiled::Exec>::distances_of(const std::vector<std::int32_t>&,           \
                                                                          const std::vector<std::int32_t>&) const;    \
  LINKAGE template blockfw::detail::compiled::Value<S>                                                                \
  blockfw::SparseFactor<S, blockfw::detail::compiled::Exec>::distance(std::int64_t, std::int64_t) const;              \
  LINKAGE template std::vector<std::int32_t> blockfw::SparseFactor<S, blockfw::detail::compiled::Exec>::path(         \
      std::int64_t, std::int64_t) const;

#if defined(BLOCKFW_COMPILED)
BLOCKFW_COMPILED_SHORTEST(BLOCKFW_COMPILED_FACTOR, extern)
BLOCKFW_COMPILED_SEMIRINGS_INT32(BLOCKFW_COMPILED_SEMIRING_FACTOR, extern)
BLOCKFW_COMPILED_SEMIRINGS_DOUBLE(BLOCKFW_COMPILED_SEMIRING_FACTOR, extern)
#endif
