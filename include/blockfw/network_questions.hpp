// SPDX-License-Identifier: MIT
/// \file
/// \brief The questions that networks and sparse factors answer: tables of distances, pairs, rows, nearest places,
/// vertices within a limit, paths, summaries of all distances.
#pragma once

#include "blockfw/detail/backend/compiled.hpp"
#include "blockfw/detail/elimination/best_path.hpp"
#include "blockfw/detail/elimination/factor.hpp"
#include "blockfw/detail/elimination/front_arcs.hpp"
#include "blockfw/detail/elimination/host_sweeps.hpp"
#include "blockfw/detail/elimination/kept_labels.hpp"
#include "blockfw/detail/elimination/labels.hpp"
#include "blockfw/detail/elimination/nearest_and_within.hpp"
#include "blockfw/detail/elimination/place.hpp"
#include "blockfw/detail/graph/supernodes.hpp"
#include "blockfw/detail/loops/threads.hpp"
#include "blockfw/detail/matrices/checks.hpp"
#include "blockfw/edges.hpp"
#include "blockfw/ground/answers.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"
#include "blockfw/sparse_analysis.hpp"

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <ranges>
#include <type_traits>
#include <utility>
#include <vector>

namespace blockfw {

/// \brief The questions about a network whose vertices are eliminated: a Network, a SparseFactor. Any number of threads
/// may ask at the same time.
///
/// \tparam S          the semiring
/// \tparam ExecSpace  where tables and rows are to be
/// \tparam Place      the class that holds the numbers: a host's or a device's
template <Semiring S, class ExecSpace = Kokkos::DefaultHostExecutionSpace,
          class Place = detail::place_for<S, ExecSpace>>
class NetworkQuestions {
  static constexpr bool shortest = std::is_same_v<S, MinPlus<typename S::value_type>>;

 protected:
  /// Whether the threads can be chosen, and labels kept.
  static constexpr bool on_host = requires(const Place& place, const ExecSpace& exec) { place.on(exec); };

 public:
  /// The type of a distance.
  using T = typename S::value_type;

  /// \brief Lets further questions run on another instance of a host, with other threads.
  /// \param exec  the instance
  ///
  /// It must not run while other threads ask this object.
  void run_on(const ExecSpace& exec)
    requires on_host
  {
    place_ = place_.on(exec);
  }

  std::int64_t vertices() const { return analysis_->vertices(); }  ///< the number of vertices
  /// The number of edges in the list from which the network or the factor was made.
  std::int64_t edge_count() const { return static_cast<std::int64_t>(arcs_.plan->edges); }
  const SparseAnalysis& analysis() const { return *analysis_; }  ///< its order, its supernodes, its costs
  bool is_symmetric() const { return place_.is_symmetric(); }    ///< whether the distances are known to be symmetric
  WeightRange<T> range() const { return place_.range(); }        ///< the range of the weights
  /// The number of rows to all vertices that are made efficiently together. On a host as many as 64 MB hold, but 64 or
  /// more for each thread; on a device 1024 or more.
  std::size_t rows_at_once() const { return place_.rows_at_once(); }
  /// The same for rows of a table with this number of columns.
  std::size_t rows_at_once(std::size_t columns) const { return place_.rows_of_table(columns); }
  /// The instance that the questions run on.
  ExecSpace exec() const { return place_.exec(); }
  detail::Identity identity() const { return leaving_; }  ///< identifies the edges and their weights. Not for callers.

  /// \brief Makes labels and keeps them on the host, for many single distances and paths.
  /// \param memory  the most bytes that they may take, besides 8 for each supernode; 0 frees them. If label_bytes() is
  ///                more, only the vertices at the top of the tree have labels.
  ///
  /// All labels take about as long as a sweep of some hundred sources. Then a distance takes a fraction of a
  /// microsecond in a network of some ten thousand vertices. In a road network of a million, 100 MB make it five times
  /// faster. A network with other weights has none. This must not run while other threads ask this object.
  /// \throws InvalidInput for memory that is negative or NaN
  /// \throws OutOfMemory if they do not fit; thrown before they are allocated. Then none are kept.
  void keep_labels(double memory = std::numeric_limits<double>::infinity())
    requires on_host
  {
    const Kokkos::Profiling::ScopedRegion region("blockfw::keep_labels");
    if (!(memory >= 0)) throw InvalidInput("the memory is " + detail::digits_of(memory) + ", expected 0 or more bytes");
    place_.keep_labels(memory);
  }
  /// Whether labels are kept, of all vertices or of some.
  bool has_labels() const
    requires on_host
  {
    return place_.on_host().kept != nullptr;
  }
  /// The memory of the labels of all vertices, in bytes.
  double label_bytes() const { return detail::bytes_of_kept_labels<T>(structure(), is_symmetric()); }

  /// \brief The distances from some vertices to others.
  /// \param sources  host container of vertices. A vertex may occur twice.
  /// \param targets  likewise
  /// \return a matrix where ExecSpace works, with a row for each source and a column for each target, in their orders.
  ///         An entry is S::zero() without a path.
  /// \throws InvalidInput for a vertex out of range; OutOfMemory
  ///
  /// O(sources · targets · p) relaxes at most, where p is the number of vertices above a vertex in the tree of
  /// supernodes: some hundred in road networks. For shortest paths a host does a third of them, or less. Memory: the
  /// result, and p elements for each target; a device takes p elements for each source, too. An analysis for tables
  /// (AnalysisOptions::purpose) makes p small.
  template <std::ranges::contiguous_range Sources, std::ranges::contiguous_range Targets>
  DistanceMatrix<T, ExecSpace> table(const Sources& sources, const Targets& targets) const {
    const auto d = detail::allocate_rows<T>(place_.exec(), std::ranges::size(sources), std::ranges::size(targets));
    table(sources, targets, d);
    return d;
  }

  /// \brief The same into the caller's memory.
  /// \param sources  host container of vertices. A vertex may occur twice.
  /// \param targets  likewise
  /// \param d        a matrix with contiguous rows
  /// \throws InvalidInput when d has another number of rows or columns
  template <std::ranges::contiguous_range Sources, std::ranges::contiguous_range Targets>
  void table(const Sources& sources, const Targets& targets, const DistanceMatrix<T, ExecSpace>& d) const {
    const auto from = structure().numbers_of(sources), to = structure().numbers_of(targets);
    detail::require_shape(d, from.size(), to.size());
    write(from, &to, d);
  }

  /// \brief Calls f(first, rows) for blocks of rows of a table, in order. rows(r, j) is the distance from
  /// sources[first + r] to targets[j].
  ///
  /// This is for tables that do not fit the memory.
  /// \param sources  host container of vertices
  /// \param targets  likewise
  /// \param f        called from the calling thread. It must not keep `rows`.
  /// \param at_once  the number of rows of a block; 0: as many as 64 MB hold (256 MB on a device), but 64 or more for
  ///                 each thread
  /// \throws InvalidInput for a vertex out of range; OutOfMemory; any exception of f
  template <std::ranges::contiguous_range Sources, std::ranges::contiguous_range Targets, class F>
  void for_rows_of_table(const Sources& sources, const Targets& targets, const F& f, std::int64_t at_once = 0) const {
    const Numbers to = structure().numbers_of(targets);
    write_blocks(structure().numbers_of(sources), &to, 0, at_once, std::cref(f));
  }

  /// \brief The distances of pairs: entry i is the distance from sources[i] to targets[i]. The result is on the host.
  /// \param sources  host container of vertices
  /// \param targets  host container of the same size
  /// \throws InvalidInput for a vertex out of range, or lists of different lengths; OutOfMemory
  ///
  /// A pair takes some microseconds of a thread: two labels, and a sum of their common part. From half as many pairs as
  /// vertices on, a host makes the labels of all vertices first, if a quarter of the free memory holds them. Sums of
  /// floats may round otherwise with kept labels. A device takes two labels for each pair, some pairs at a time.
  template <std::ranges::contiguous_range Sources, std::ranges::contiguous_range Targets>
  std::vector<T> distances(const Sources& sources, const Targets& targets) const {
    return distances_of(structure().numbers_of(sources), structure().numbers_of(targets));
  }

  /// \brief The distance from vertex i to vertex j. It is S::zero() without a path.
  /// \throws InvalidInput for a vertex out of range
  ///
  /// Reads the labels of both vertices. O(vertices of a path of the tree, times a boundary).
  T distance(std::int64_t i, std::int64_t j) const;

  /// \brief The distances from some vertices to all.
  /// \param sources  host container of vertices. A vertex may occur twice.
  /// \return a matrix where ExecSpace works, with a row of n distances for each source, in their order
  /// \throws InvalidInput for a source out of range; OutOfMemory
  ///
  /// It takes a sweep over all supernodes: O(sources · analysis().solve_relaxes() / n).
  template <std::ranges::contiguous_range Sources>
  DistanceMatrix<T, ExecSpace> distances_from(const Sources& sources) const {
    const auto d = detail::allocate_rows<T>(place_.exec(), std::ranges::size(sources), structure().order.size());
    distances_from(sources, d);
    return d;
  }

  /// \brief The same into the caller's memory.
  /// \param sources  host container of vertices
  /// \param d        a matrix with contiguous rows
  /// \throws InvalidInput when d has another number of rows or columns
  template <std::ranges::contiguous_range Sources>
  void distances_from(const Sources& sources, const DistanceMatrix<T, ExecSpace>& d) const {
    const auto from = structure().numbers_of(sources);
    detail::require_shape(d, from.size(), structure().order.size());
    write(from, nullptr, d);
  }

  /// \brief Calls f(first, rows) for blocks of rows of all distances, in order. rows(r, v) is the distance from vertex
  /// first + r to v, in the memory where ExecSpace works.
  ///
  /// This is for graphs whose matrix does not fit the memory.
  /// \param f        called from the calling thread. It must not keep `rows`.
  /// \param at_once  the number of rows of a block; 0: rows_at_once()
  /// \throws OutOfMemory; any exception of f
  template <class F>
  void for_whole_rows(const F& f, std::int64_t at_once = 0) const {
    write_blocks(structure().place, nullptr, 0, at_once, std::cref(f));
  }

  /// \brief The same for the vertices [first, end) alone. So several devices or ranks can take some rows each.
  /// \throws InvalidInput if these are no vertices; OutOfMemory; any exception of f
  template <class F>
  void for_whole_rows(std::int64_t first, std::int64_t end, const F& f) const {
    write_blocks(structure().numbers_from(first, end), nullptr, first, 0, std::cref(f));
  }

  /// \brief For each vertex the nearest of some places, by the shortest paths from the vertex.
  /// \param places  host container of vertices. A vertex may occur twice.
  /// \param count   places of each vertex
  /// \throws InvalidInput for a place out of range, a count below 1; OutOfMemory
  ///
  /// Of places at the same distance the first in the list is nearer. A host sweeps towards the places: O(places ·
  /// analysis().solve_relaxes() / n), and O(n · count) memory for each thread. A device makes a table of all vertices
  /// and the places, some rows at a time.
  template <std::ranges::contiguous_range Places>
  NearestPlaces<T> nearest(const Places& places, std::int64_t count = 1) const
    requires shortest
  {
    return find_nearest(nullptr, structure().numbers_of(places), count);
  }

  /// \brief The same for some vertices only.
  /// \param vertices  host container of vertices
  /// \param places    likewise
  /// \param count     places of each vertex
  /// \return entry i · count + k for vertices[i]
  ///
  /// It makes a table of the vertices and the places, some rows at a time.
  template <std::ranges::contiguous_range Vertices, std::ranges::contiguous_range Places>
  NearestPlaces<T> nearest(const Vertices& vertices, const Places& places, std::int64_t count) const
    requires shortest
  {
    const Numbers some = structure().numbers_of(vertices);
    return find_nearest(&some, structure().numbers_of(places), count);
  }

  /// \brief The vertices within a limit of each source, with their distances.
  /// \param sources  host container of vertices. A vertex may occur twice.
  /// \param limit    the largest distance; a path of this length is within it
  /// \throws InvalidInput for a source out of range, a limit that is NaN; OutOfMemory
  ///
  /// Without negative weights a host takes O(vertices found · neighbours of a supernode), and the source's path up the
  /// tree to a boundary beyond the limit. If most vertices are within it, it makes the sources' rows, as a device does.
  template <std::ranges::contiguous_range Sources>
  VerticesInReach<T> within(const Sources& sources, T limit) const
    requires shortest
  {
    const std::vector<T> limits(std::ranges::size(sources), detail::checked_limit(limit));
    return find_within(structure().numbers_of(sources), limits);
  }

  /// \brief The same with limits[i] for sources[i].
  /// \throws InvalidInput also for lists of different lengths
  template <std::ranges::contiguous_range Sources, std::ranges::contiguous_range Limits>
  VerticesInReach<T> within(const Sources& sources, const Limits& limits) const
    requires shortest
  {
    return find_within(structure().numbers_of(sources), detail::checked_limits<T>(limits));
  }

  /// \brief The number of vertices within a limit of each source, without the lists of within(), in its time.
  /// \param sources  host container of vertices. A vertex may occur twice.
  /// \param limit    the largest distance; a path of this length is within it
  /// \throws InvalidInput for a source out of range, a limit that is NaN; OutOfMemory
  template <std::ranges::contiguous_range Sources>
  std::vector<std::int64_t> count_within(const Sources& sources, T limit) const
    requires shortest
  {
    return find_counts(structure().numbers_of(sources), {detail::checked_limit(limit)});
  }

  /// \brief The same within each of some limits, in any order, in the time of the largest.
  /// \return entry i · limits + l for sources[i] and limits[l]
  /// \throws InvalidInput also for no limits
  template <std::ranges::contiguous_range Sources, std::ranges::contiguous_range Limits>
  std::vector<std::int64_t> count_within(const Sources& sources, const Limits& limits) const
    requires shortest
  {
    return find_counts(structure().numbers_of(sources), detail::checked_limits<T>(limits));
  }

  /// \brief The vertices of a best path from i to j, both included. It is empty without a path.
  /// \throws InvalidInput for a vertex out of range
  ///
  /// A search starts at i, and always continues from the vertex through which the best path to j leads. So it leads
  /// straight to j where no sums round, and no vertex occurs twice. It takes a label for each edge that leaves a vertex
  /// of the search.
  std::vector<std::int32_t> path(std::int64_t i, std::int64_t j) const {
    return find_paths({structure().number_of(i)}, {structure().number_of(j)}).vertices;
  }

  /// \brief Best paths of pairs: path p leads from sources[p] to targets[p].
  /// \throws InvalidInput for a vertex out of range, or lists of different lengths
  template <std::ranges::contiguous_range Sources, std::ranges::contiguous_range Targets>
  PathList paths(const Sources& sources, const Targets& targets) const {
    return find_paths(structure().numbers_of(sources), structure().numbers_of(targets));
  }

  /// \brief The edges of path(i, j) in its order, as indices in the list from which the network or the factor was made.
  /// It is empty without a path, and for i == j.
  /// \throws InvalidInput for a vertex out of range
  ///
  /// Of parallel edges, in either direction if they are undirected, the best one is taken; of equally good edges the
  /// first in the list.
  std::vector<std::int64_t> path_edges(std::int64_t i, std::int64_t j) const {
    return find_path_edges({structure().number_of(i)}, {structure().number_of(j)}).edges;
  }

  /// \brief The same for pairs: path p is that of paths(). (edge_loads.hpp sums up demand along the paths.)
  /// \throws InvalidInput for a vertex out of range, or lists of different lengths
  template <std::ranges::contiguous_range Sources, std::ranges::contiguous_range Targets>
  PathEdges path_edges(const Sources& sources, const Targets& targets) const {
    return find_path_edges(structure().numbers_of(sources), structure().numbers_of(targets));
  }

  /// \brief For each vertex a summary of the vertices that it reaches, or that reach it, as reach() of measures.hpp.
  /// This takes no n x n matrix. Eccentricities, diameter, centre and closeness follow from it.
  /// \param towards   which distances count
  /// \param progress  called as progress(batches of vertices done, batches in all) from the calling thread, if set
  ///
  /// It takes analysis().solve_relaxes() relaxes. Memory: n entries, and the size of a cache for each thread. A device
  /// takes the rows (or columns) of some thousand vertices.
  std::vector<Reach<T>> reach(Towards towards = Towards::others, const Progress& progress = {}) const
    requires shortest
  {
    return reach_of(structure().place, towards, progress);
  }

  /// \brief The same for the vertices [first, end) alone. So several devices or ranks can take some vertices each; see
  /// reach() of sparse.hpp.
  /// \throws InvalidInput if these are no vertices; OutOfMemory
  std::vector<Reach<T>> reach(std::int64_t first, std::int64_t end, Towards towards = Towards::others,
                              const Progress& progress = {}) const
    requires shortest
  {
    return reach_of(structure().numbers_from(first, end), towards, progress);
  }

 protected:
  template <Semiring, class, class>
  friend class NetworkQuestions;
  template <Semiring, class, class>
  friend class SparseFactor;
  template <Semiring, class, class, class>
  friend class NetworkWithDevice;

  /// A network whose numbers are made later.
  explicit NetworkQuestions(std::shared_ptr<const SparseAnalysis> analysis) : analysis_(std::move(analysis)) {}
  /// The same network at another place.
  template <class Space, class From>
  NetworkQuestions(const NetworkQuestions<S, Space, From>& network, Place place)
      : analysis_(network.analysis_), arcs_(network.arcs_), place_(std::move(place)), leaving_(network.leaving_) {}

  /// The tree of supernodes.
  const detail::Elimination& structure() const { return analysis_->elimination_; }

  std::shared_ptr<const SparseAnalysis> analysis_;  ///< the structure
  detail::FrontArcs<T> arcs_;                       ///< the edges
  Place place_;                                     ///< the numbers
  /// The edges by the vertex that they leave, for paths. Other weights have another object.
  std::shared_ptr<detail::LazyLeavingArcs<T>> leaving_ = std::make_shared<detail::LazyLeavingArcs<T>>();

 private:
  using Numbers = std::vector<std::int32_t>;
  using TakesRows = std::function<void(std::int64_t, const DistanceMatrix<T, ExecSpace>&)>;

  /// Writes rows of distances.
  /// \param to  the columns, if not all vertices
  void write(const Numbers& from, const Numbers* to, const DistanceMatrix<T, ExecSpace>& d) const;
  /// The same for blocks of rows, which are passed to f. The number of the first row is `first`.
  /// \param at_once  rows of a block; 0: the number that is made efficiently
  void write_blocks(const Numbers& from, const Numbers* to, std::int64_t first, std::int64_t at_once,
                    const TakesRows& f) const;
  std::vector<T> distances_of(const Numbers& from, const Numbers& to) const;
  PathList find_paths(const Numbers& from, const Numbers& to) const;
  PathEdges find_path_edges(const Numbers& from, const Numbers& to) const;
  /// \param some  the vertices whose nearest places are asked for; null: all
  NearestPlaces<T> find_nearest(const Numbers* some, const Numbers& places, std::int64_t count) const
    requires shortest;
  VerticesInReach<T> find_within(const Numbers& sources, const std::vector<T>& limits) const
    requires shortest;
  std::vector<std::int64_t> find_counts(const Numbers& sources, const std::vector<T>& limits) const
    requires shortest;
  std::vector<Reach<T>> reach_of(const Numbers& numbers, Towards towards, const Progress& progress) const
    requires shortest;
};

// Functions that take long to compile are not defined in the class. There they would be inline, and each file that
// calls them would compile them even if a library holds them (detail/backend/compiled.hpp).

template <Semiring S, class ExecSpace, class Place>
void NetworkQuestions<S, ExecSpace, Place>::write(const Numbers& from, const Numbers* to,
                                                  const DistanceMatrix<T, ExecSpace>& d) const {
  const Kokkos::Profiling::ScopedRegion region(to ? "blockfw::table" : "blockfw::network_rows");
  if (to)
    place_.table(from, *to, d);
  else
    place_.rows_from(from, d);
}

template <Semiring S, class ExecSpace, class Place>
void NetworkQuestions<S, ExecSpace, Place>::write_blocks(const Numbers& from, const Numbers* to, std::int64_t first,
                                                         std::int64_t at_once, const TakesRows& f) const {
  const auto give = [&](std::size_t row, const DistanceMatrix<T, ExecSpace>& rows) {
    f(first + static_cast<std::int64_t>(row), rows);
  };
  const auto most = static_cast<std::size_t>(at_once);
  if (to)
    place_.for_rows_of_table(from, *to, at_once > 0 ? most : place_.rows_of_table(to->size()), give);
  else
    detail::for_rows_from(place_, from, at_once > 0 ? most : place_.rows_at_once(), give);
}

template <Semiring S, class ExecSpace, class Place>
auto NetworkQuestions<S, ExecSpace, Place>::distances_of(const Numbers& from, const Numbers& to) const
    -> std::vector<T> {
  const Kokkos::Profiling::ScopedRegion region("blockfw::pairs");
  detail::require_pairs(from.size(), to.size());
  std::vector<T> result(from.size());
  place_.pairs(from, to, result.data());
  return result;
}

template <Semiring S, class ExecSpace, class Place>
auto NetworkQuestions<S, ExecSpace, Place>::distance(std::int64_t i, std::int64_t j) const -> T {
  return detail::pair_distance(place_.on_host(), structure().number_of(i), structure().number_of(j));
}

template <Semiring S, class ExecSpace, class Place>
PathList NetworkQuestions<S, ExecSpace, Place>::find_paths(const Numbers& from, const Numbers& to) const {
  const auto& leaving = leaving_->template get<S>(structure(), arcs_);
  return detail::best_paths(detail::host_of(place_.exec()), place_.on_host(), leaving, from, to);
}

template <Semiring S, class ExecSpace, class Place>
PathEdges NetworkQuestions<S, ExecSpace, Place>::find_path_edges(const Numbers& from, const Numbers& to) const {
  const auto& leaving = leaving_->template get<S>(structure(), arcs_);
  return detail::edges_of_best_paths(detail::host_of(place_.exec()), place_.on_host(), leaving, from, to);
}

template <Semiring S, class ExecSpace, class Place>
auto NetworkQuestions<S, ExecSpace, Place>::find_nearest(const Numbers* some, const Numbers& places,
                                                         std::int64_t count) const -> NearestPlaces<T>
  requires shortest
{
  const std::size_t of_vertex = detail::checked_count(count), rows = some ? some->size() : structure().order.size();
  return detail::answered_by(place_, rows, places.size(),
                             [&](const auto& place) { return detail::nearest_places(place, some, places, of_vertex); });
}

template <Semiring S, class ExecSpace, class Place>
auto NetworkQuestions<S, ExecSpace, Place>::find_within(const Numbers& sources, const std::vector<T>& limits) const
    -> VerticesInReach<T>
  requires shortest
{
  const Kokkos::Profiling::ScopedRegion region("blockfw::within");
  return detail::vertices_in_reach(place_, sources, limits);
}

template <Semiring S, class ExecSpace, class Place>
auto NetworkQuestions<S, ExecSpace, Place>::find_counts(const Numbers& sources, const std::vector<T>& limits) const
    -> std::vector<std::int64_t>
  requires shortest
{
  const Kokkos::Profiling::ScopedRegion region("blockfw::count_within");
  return detail::counts_in_reach(place_, sources, limits);
}

template <Semiring S, class ExecSpace, class Place>
auto NetworkQuestions<S, ExecSpace, Place>::reach_of(const Numbers& numbers, Towards towards,
                                                     const Progress& progress) const -> std::vector<Reach<T>>
  requires shortest
{
  const Kokkos::Profiling::ScopedRegion region("blockfw::network_reach");
  return towards == Towards::others ? place_.template reach<detail::Sweep::from>(numbers, progress)
                                    : place_.template reach<detail::Sweep::towards>(numbers, progress);
}

}  // namespace blockfw

/// The questions about networks on a host.
#define BLOCKFW_COMPILED_QUESTIONS(LINKAGE, S) LINKAGE template class blockfw::NetworkQuestions<S>;

#if defined(BLOCKFW_COMPILED)
BLOCKFW_COMPILED_SHORTEST(BLOCKFW_COMPILED_QUESTIONS, extern)
BLOCKFW_COMPILED_SEMIRINGS_INT32(BLOCKFW_COMPILED_QUESTIONS, extern)
BLOCKFW_COMPILED_SEMIRINGS_DOUBLE(BLOCKFW_COMPILED_QUESTIONS, extern)
#endif
