// SPDX-License-Identifier: MIT
/// \file
/// \brief The questions that a network answers: tables of distances, pairs, rows, nearest places, vertices within a
/// limit, paths, summaries of all distances.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/elimination/best_path.hpp"
#include "blockfw/detail/elimination/cycles_of_arcs.hpp"
#include "blockfw/detail/elimination/factor.hpp"
#include "blockfw/detail/elimination/front_arcs.hpp"
#include "blockfw/detail/elimination/host_sweeps.hpp"
#include "blockfw/detail/elimination/host_table.hpp"
#include "blockfw/detail/elimination/in_reach.hpp"
#include "blockfw/detail/elimination/kept_labels.hpp"
#include "blockfw/detail/elimination/leaving_arcs.hpp"
#include "blockfw/detail/elimination/nearest_places.hpp"
#include "blockfw/detail/elimination/pair_distances.hpp"
#include "blockfw/detail/plan/finish.hpp"
#include "blockfw/detail/plan/potentials.hpp"
#include "blockfw/distances.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/network_answers.hpp"
#include "blockfw/ground/options.hpp"
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
#include <mutex>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace blockfw {

template <Semiring, class>
class Network;

namespace detail {
template <Semiring, class>
struct NetworkOfFactor;
}  // namespace detail

/// \brief The questions that a Network answers.
///
/// \tparam S     the semiring
/// \tparam Host  a host's execution space
template <Semiring S, class Host = Kokkos::DefaultHostExecutionSpace>
class NetworkQuestions {
  static_assert(is_host_space<Host>, "blockfw: a Network works on a host");
  static constexpr bool shortest = std::is_same_v<S, MinPlus<typename S::value_type>>;

 public:
  /// The type of a distance.
  using T = typename S::value_type;

  /// \brief Lets further questions run on another instance, with other threads.
  /// \param exec  the instance
  ///
  /// It must not run while other threads ask this object.
  void run_on(const Host& exec) { exec_ = exec; }

  /// The number of vertices.
  std::int64_t vertices() const { return analysis_->vertices(); }
  /// The structure: its order, its supernodes, its costs.
  const SparseAnalysis& analysis() const { return *analysis_; }
  /// Whether the distances are known to be the same in both directions.
  bool is_symmetric() const { return values_->symmetric; }
  /// The range of the weights.
  WeightRange<T> range() const { return range_; }

  /// \brief Makes the labels of all vertices and keeps them, for many single distances and paths.
  ///
  /// Then a distance takes a fraction of a microsecond in a network of some ten thousand vertices. The labels take
  /// label_bytes(), and about as long as a sweep of some hundred sources. A network with other weights has none until
  /// it is asked again. This must not run while other threads ask this object.
  /// \throws OutOfMemory if they do not fit; thrown before they are allocated
  void keep_labels();
  /// Whether the labels of all vertices are kept.
  bool has_labels() const { return labels_ != nullptr; }
  /// The memory of the labels of all vertices, in bytes.
  double label_bytes() const {
    return detail::bytes_of_kept_labels<T>(structure(), is_symmetric(), detail::Whole::all);
  }

  /// \brief The distances from some vertices to others.
  /// \param sources  host container of vertices. A vertex may occur twice.
  /// \param targets  likewise
  /// \return a matrix with a row for each source and a column for each target, in their orders. An entry is S::zero()
  ///         without a path.
  /// \throws InvalidInput for a vertex out of range; OutOfMemory
  ///
  /// O(sources · targets · p) relaxes at most, where p is the number of vertices above a vertex in the tree of
  /// supernodes: some hundred in road networks. For shortest paths a third of them is done, or less. Memory: the
  /// result, and p elements for each target.
  template <std::ranges::contiguous_range Sources, std::ranges::contiguous_range Targets>
  DistanceMatrix<T, Host> table(const Sources& sources, const Targets& targets) const {
    const auto d = allocate(std::ranges::size(sources), std::ranges::size(targets));
    table(sources, targets, d);
    return d;
  }

  /// \brief The same into the caller's memory.
  /// \param sources  host container of vertices. A vertex may occur twice.
  /// \param targets  likewise
  /// \param d        a matrix with contiguous rows
  /// \throws InvalidInput when d has another number of rows or columns
  template <std::ranges::contiguous_range Sources, std::ranges::contiguous_range Targets>
  void table(const Sources& sources, const Targets& targets, const DistanceMatrix<T, Host>& d) const {
    const auto from = numbers_of(sources), to = numbers_of(targets);
    require_shape(d, from.size(), to.size());
    write_table(from, to, d);
  }

  /// \brief Calls f(first, rows) for blocks of rows of a table, in order. rows(r, j) is the distance from
  /// sources[first + r] to targets[j].
  ///
  /// This is for tables that do not fit the memory.
  /// \param sources  host container of vertices
  /// \param targets  likewise
  /// \param f        called from the calling thread. It must not keep `rows`.
  /// \param at_once  the number of rows of a block; 0: as many as 64 MB hold, but 64 or more for each thread
  /// \throws InvalidInput for a vertex out of range; OutOfMemory; any exception of f
  template <std::ranges::contiguous_range Sources, std::ranges::contiguous_range Targets, class F>
  void for_rows_of_table(const Sources& sources, const Targets& targets, const F& f, std::int64_t at_once = 0) const {
    const auto from = numbers_of(sources), to = numbers_of(targets);
    const std::size_t most = at_once > 0 ? static_cast<std::size_t>(at_once) : rows_at_once(to.size());
    const auto block = allocate(std::min(most, from.size()), to.size());
    write_blocks(from, to, block, [&](std::size_t first, std::size_t rows) {
      f(static_cast<std::int64_t>(first),
        Kokkos::subview(block, Kokkos::pair<std::size_t, std::size_t>(0, rows), Kokkos::ALL));
    });
  }

  /// \brief The distances of pairs: entry i is the distance from sources[i] to targets[i].
  /// \throws InvalidInput for a vertex out of range, or lists of different lengths
  ///
  /// A pair takes some microseconds of a thread: two labels, and a sum of their common part. From half as
  /// many pairs as vertices on, the labels of all vertices are made first, if a quarter of the free memory holds them.
  /// Sums of floats may round otherwise with labels of all vertices than without.
  template <std::ranges::contiguous_range Sources, std::ranges::contiguous_range Targets>
  std::vector<T> distances(const Sources& sources, const Targets& targets) const {
    const auto from = numbers_of(sources), to = numbers_of(targets);
    require_pairs(from.size(), to.size());
    std::vector<T> result(from.size());
    write_pairs(from, to, result.data());
    return result;
  }

  /// \brief The distance from vertex i to vertex j. It is S::zero() without a path.
  /// \throws InvalidInput for a vertex out of range
  T distance(std::int64_t i, std::int64_t j) const { return one_distance(number_of(i), number_of(j)); }

  /// \brief The distances from some vertices to all.
  /// \param sources  host container of vertices. A vertex may occur twice.
  /// \return a matrix with a row of n distances for each source, in their order
  /// \throws InvalidInput for a source out of range; OutOfMemory
  ///
  /// A sweep over all supernodes: O(sources · analysis().solve_relaxes() / n).
  template <std::ranges::contiguous_range Sources>
  DistanceMatrix<T, Host> distances_from(const Sources& sources) const {
    const auto from = numbers_of(sources);
    const auto d = allocate(from.size(), static_cast<std::size_t>(vertices()));
    write_rows(from, d);
    return d;
  }

  /// \brief The same into the caller's memory.
  /// \param sources  host container of vertices
  /// \param d        a matrix with contiguous rows
  /// \throws InvalidInput when d has another number of rows or columns
  template <std::ranges::contiguous_range Sources>
  void distances_from(const Sources& sources, const DistanceMatrix<T, Host>& d) const {
    const auto from = numbers_of(sources);
    require_shape(d, from.size(), static_cast<std::size_t>(vertices()));
    write_rows(from, d);
  }

  /// \brief Calls f(first, rows) for blocks of rows of all distances, in order. rows(r, v) is the distance from vertex
  /// first + r to v.
  /// \param f        called from the calling thread. It must not keep `rows`.
  /// \param at_once  the number of rows of a block; 0: as many as 64 MB hold, but 64 or more for each thread
  /// \throws OutOfMemory; any exception of f
  template <class F>
  void for_whole_rows(const F& f, std::int64_t at_once = 0) const {
    some_rows_at_a_time([&](std::int64_t row, const DistanceMatrix<T, Host>& rows) { f(row, rows); }, at_once);
  }

  /// \brief For each vertex the nearest of some places, by the shortest paths from the vertex.
  /// \param places  host container of vertices. A vertex may occur twice.
  /// \param count   places of each vertex
  /// \throws InvalidInput for a place out of range, a count below 1; OutOfMemory
  ///
  /// Of places at the same distance the first in the list is nearer. A sweep towards the places: O(places ·
  /// solve_relaxes / n), and O(n · count) memory for each thread.
  template <std::ranges::contiguous_range Places>
  NearestPlaces<T> nearest(const Places& places, std::int64_t count = 1) const
    requires shortest
  {
    require_count(count);
    return nearest_of_all(numbers_of(places), static_cast<std::size_t>(count));
  }

  /// \brief The same for some vertices only.
  /// \param vertices  host container of vertices
  /// \param places    likewise
  /// \param count     places of each vertex
  /// \return entry i · count + k for vertices[i]
  ///
  /// A table of the vertices and the places, some rows at a time.
  template <std::ranges::contiguous_range Vertices, std::ranges::contiguous_range Places>
  NearestPlaces<T> nearest(const Vertices& vertices, const Places& places, std::int64_t count) const
    requires shortest
  {
    require_count(count);
    return nearest_of_some(numbers_of(vertices), numbers_of(places), static_cast<std::size_t>(count));
  }

  /// \brief The vertices within a limit of each source, with their distances.
  /// \param sources  host container of vertices. A vertex may occur twice.
  /// \param limit    the largest distance; a path of this length is within it
  /// \throws InvalidInput for a source out of range, a limit that is NaN
  ///
  /// Without negative weights it takes a time of O(vertices found · neighbours of a supernode), and the path of the
  /// source in the tree. With negative weights it looks at all vertices.
  template <std::ranges::contiguous_range Sources>
  VerticesInReach<T> within(const Sources& sources, T limit) const
    requires shortest
  {
    return find_within(numbers_of(sources), limit);
  }

  /// \brief The vertices of a best path from i to j, both included. It is empty without a path.
  /// \throws InvalidInput for a vertex out of range
  ///
  /// It takes a label for each edge that leaves a vertex of the path.
  std::vector<std::int32_t> path(std::int64_t i, std::int64_t j) const {
    return std::move(paths(std::vector<std::int64_t>{i}, std::vector<std::int64_t>{j}).vertices);
  }

  /// \brief Best paths of pairs: path p leads from sources[p] to targets[p].
  /// \throws InvalidInput for a vertex out of range, or lists of different lengths
  template <std::ranges::contiguous_range Sources, std::ranges::contiguous_range Targets>
  PathList paths(const Sources& sources, const Targets& targets) const {
    const auto from = numbers_of(sources), to = numbers_of(targets);
    require_pairs(from.size(), to.size());
    return find_paths(from, to);
  }

  /// \brief For each vertex a summary of the vertices that it reaches, or that reach it, as reach() of measures.hpp.
  /// \param towards   which distances count
  /// \param progress  called as progress(batches of vertices done, batches in all) from the calling thread, if set
  ///
  /// It takes analysis().solve_relaxes() relaxes. Memory: n entries, and the size of a cache for each thread.
  std::vector<Reach<T>> reach(Towards towards = Towards::others, const Progress& progress = {}) const
    requires shortest
  {
    const Kokkos::Profiling::ScopedRegion region("blockfw::network_reach");
    const detail::HostSweeps<S, Host> sweeps(exec_, structure(), values_);
    const auto& all = structure().place;
    return towards == Towards::others ? sweeps.template reach<detail::Sweep::from>(all, finish(), progress)
                                      : sweeps.template reach<detail::Sweep::towards>(all, finish(), progress);
  }

 private:
  template <Semiring, class>
  friend class Network;
  friend class detail::NetworkParts<S, Host>;
  friend struct detail::NetworkOfFactor<S, Host>;

  NetworkQuestions(const Host& exec, std::shared_ptr<const SparseAnalysis> analysis)
      : exec_(exec), analysis_(std::move(analysis)) {}

  const detail::Elimination& structure() const { return analysis_->elimination_; }

  Host exec_;
  std::shared_ptr<const SparseAnalysis> analysis_;
  detail::FrontArcs<T> arcs_;
  WeightRange<T> range_;
  std::shared_ptr<const detail::FactorValues<T>> values_;
  std::shared_ptr<const detail::KeptLabels<T>> labels_;  ///< if they are kept
  std::shared_ptr<detail::LazyLeavingArcs<T>> leaving_;

  using Table = detail::HostTable<S, Host>;
  using Numbers = std::vector<std::int32_t>;

  std::int32_t number_of(std::int64_t vertex) const {
    detail::require_vertex(vertex, vertices());
    return structure().place[static_cast<std::size_t>(vertex)];
  }
  template <class Vertices>
  Numbers numbers_of(const Vertices& list) const {
    Numbers numbers;
    numbers.reserve(std::ranges::size(list));
    for (const auto vertex : list) numbers.push_back(number_of(static_cast<std::int64_t>(vertex)));
    return numbers;
  }
  static void require_pairs(std::size_t sources, std::size_t targets) {
    if (sources != targets)
      throw InvalidInput("there are " + std::to_string(sources) + " sources and " + std::to_string(targets) +
                         " targets, expected as many of each");
  }
  static void require_count(std::int64_t count) {
    if (count < 1)
      throw InvalidInput("the number of nearest places is " + std::to_string(count) + ", expected 1 or more");
  }
  static void require_shape(const DistanceMatrix<T, Host>& d, std::size_t rows, std::size_t columns) {
    if (d.extent(0) != rows || d.extent(1) != columns)
      throw InvalidInput("the matrix '" + d.label() + "' has " + std::to_string(d.extent(0)) + " rows and " +
                         std::to_string(d.extent(1)) + " columns, expected " + std::to_string(rows) + " and " +
                         std::to_string(columns));
  }
  DistanceMatrix<T, Host> allocate(std::size_t rows, std::size_t columns) const {
    detail::require_memory(exec_, "a table of " + std::to_string(rows) + " x " + std::to_string(columns) + " distances",
                           static_cast<double>(rows) * static_cast<double>(columns) * sizeof(T));
    return DistanceMatrix<T, Host>(Kokkos::view_alloc(exec_, "blockfw::distances", Kokkos::WithoutInitializing), rows,
                                   columns);
  }
  std::size_t rows_at_once(std::size_t columns) const {
    constexpr std::size_t bytes = std::size_t{1} << 26, of_thread = 64;
    const std::size_t fit = bytes / sizeof(T) / std::max<std::size_t>(columns, 1);
    return std::max(fit, of_thread * static_cast<std::size_t>(exec_.concurrency()));
  }

  detail::Finish<S> finish() const { return detail::finish_of<S>(vertices(), range_); }
  /// Whether rounding may have made the distance of a vertex to itself wrong.
  bool own() const { return detail::cancels<S>(range_); }

  void write_table(const Numbers& from, const Numbers& to, const DistanceMatrix<T, Host>& d) const;
  /// Writes as many rows of a table as `block` has into it, and calls f(first row, rows), again and again.
  void write_blocks(const Numbers& from, const Numbers& to, const DistanceMatrix<T, Host>& block,
                    const std::function<void(std::size_t, std::size_t)>& f) const;
  T one_distance(std::int32_t from, std::int32_t to) const;
  void write_pairs(const Numbers& from, const Numbers& to, T* distances) const;
  void write_rows(const Numbers& from, const DistanceMatrix<T, Host>& d) const;
  /// for_whole_rows(): the same code for any f.
  void some_rows_at_a_time(const std::function<void(std::int64_t, const DistanceMatrix<T, Host>&)>& f,
                           std::int64_t at_once) const;
  PathList find_paths(const Numbers& from, const Numbers& to) const;
  NearestPlaces<T> nearest_of_all(const Numbers& places, std::size_t count) const
    requires shortest;
  NearestPlaces<T> nearest_of_some(const Numbers& some, const Numbers& places, std::size_t count) const
    requires shortest;
  VerticesInReach<T> find_within(const Numbers& sources, T limit) const
    requires shortest;
};

// Functions that take long to compile are not defined in the class, as in sparse.hpp.

template <Semiring S, class Host>
void NetworkQuestions<S, Host>::write_table(const Numbers& from, const Numbers& to,
                                            const DistanceMatrix<T, Host>& d) const {
  const Kokkos::Profiling::ScopedRegion region("blockfw::table");
  detail::write_table<S>(exec_, structure(), *values_, from, to, finish(), own(), d);
}

template <Semiring S, class Host>
void NetworkQuestions<S, Host>::write_blocks(const Numbers& from, const Numbers& to,
                                             const DistanceMatrix<T, Host>& block,
                                             const std::function<void(std::size_t, std::size_t)>& f) const {
  const std::size_t most = block.extent(0);
  const Table distances(exec_, structure(), *values_, to, finish(), own());
  for (std::size_t first = 0; first < from.size(); first += most) {
    const std::size_t rows = std::min(most, from.size() - first);
    distances.rows(std::span(from).subspan(first, rows), block.data(), block.stride(0));
    f(first, rows);
  }
}

template <Semiring S, class Host>
void NetworkQuestions<S, Host>::keep_labels() {
  const Kokkos::Profiling::ScopedRegion region("blockfw::keep_labels");
  if (has_labels()) return;
  labels_ = std::make_shared<const detail::KeptLabels<T>>(
      detail::kept_labels<S>(exec_, structure(), *values_, detail::Whole::all));
}

template <Semiring S, class Host>
auto NetworkQuestions<S, Host>::one_distance(std::int32_t from, std::int32_t to) const -> T {
  return detail::pair_distance<S>({structure(), *values_, labels_.get()}, from, to, finish(), own());
}

template <Semiring S, class Host>
void NetworkQuestions<S, Host>::write_pairs(const Numbers& from, const Numbers& to, T* distances) const {
  detail::pair_distances<S>(exec_, structure(), *values_, labels_.get(), from, to, finish(), own(), distances);
}

template <Semiring S, class Host>
void NetworkQuestions<S, Host>::write_rows(const Numbers& from, const DistanceMatrix<T, Host>& d) const {
  const Kokkos::Profiling::ScopedRegion region("blockfw::network_rows");
  detail::HostSweeps<S, Host>(exec_, structure(), values_).rows_from(from, finish(), d);
  if (own()) detail::set_own<S>(exec_, d, structure().order, from);
}

template <Semiring S, class Host>
void NetworkQuestions<S, Host>::some_rows_at_a_time(
    const std::function<void(std::int64_t, const DistanceMatrix<T, Host>&)>& f, std::int64_t at_once) const {
  const auto n = static_cast<std::size_t>(vertices());
  const std::size_t most = at_once > 0 ? static_cast<std::size_t>(at_once) : rows_at_once(n);
  const auto block = allocate(std::min(most, n), n);
  for (std::size_t first = 0; first < n; first += most) {
    const std::size_t rows = std::min(most, n - first);
    const DistanceMatrix<T, Host> part =
        Kokkos::subview(block, Kokkos::pair<std::size_t, std::size_t>(0, rows), Kokkos::ALL);
    const auto place = structure().place.begin() + static_cast<std::ptrdiff_t>(first);
    write_rows(std::vector<std::int32_t>(place, place + static_cast<std::ptrdiff_t>(rows)), part);
    f(static_cast<std::int64_t>(first), part);
  }
}

template <Semiring S, class Host>
PathList NetworkQuestions<S, Host>::find_paths(const Numbers& from, const Numbers& to) const {
  detail::require_vectors();
  const auto& leaving = leaving_->template get<S>(structure(), arcs_);
  std::vector<std::vector<std::int32_t>> paths(from.size());
  detail::for_tasks(exec_, static_cast<std::int64_t>(from.size()), "blockfw::paths", [&](std::int64_t p) {
    const auto i = static_cast<std::size_t>(p);
    paths[i] = detail::best_path<S>(structure(), *values_, labels_.get(), leaving, finish(), from[i], to[i]);
  });
  PathList list;
  for (const auto& path : paths) {
    list.vertices.insert(list.vertices.end(), path.begin(), path.end());
    list.first.push_back(static_cast<std::int64_t>(list.vertices.size()));
  }
  return list;
}

template <Semiring S, class Host>
auto NetworkQuestions<S, Host>::nearest_of_all(const Numbers& places, std::size_t count) const -> NearestPlaces<T>
  requires shortest
{
  auto lists = detail::nearest_places<S>(exec_, structure(), *values_, places, count, finish(), own());
  return {count, std::move(lists.place), std::move(lists.distance)};
}

template <Semiring S, class Host>
auto NetworkQuestions<S, Host>::nearest_of_some(const Numbers& some, const Numbers& places, std::size_t count) const
    -> NearestPlaces<T>
  requires shortest
{
  auto lists = detail::nearest_places_of<S>(exec_, structure(), *values_, some, places, count,
                                            rows_at_once(places.size()), finish(), own());
  return {count, std::move(lists.place), std::move(lists.distance)};
}

template <Semiring S, class Host>
auto NetworkQuestions<S, Host>::find_within(const Numbers& sources, T limit) const -> VerticesInReach<T>
  requires shortest
{
  if (limit != limit) throw InvalidInput("the limit is NaN, expected a number");
  const Kokkos::Profiling::ScopedRegion region("blockfw::within");
  return detail::vertices_in_reach<S>(exec_, structure(), *values_, sources, limit, finish(), own(),
                                      !range_.any_negative());
}

}  // namespace blockfw
