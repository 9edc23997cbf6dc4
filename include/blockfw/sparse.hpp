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
/// solve() of solve.hpp chooses this method by itself, and solve() of multi_device.hpp keeps all distances on several
/// devices. Several factors of one graph, one on each device, answer without n x n memory:
///
/// \code
///   std::vector<blockfw::SparseFactor<blockfw::MinPlus<int>, Exec>> factors;
///   for (const Exec& device : devices.list()) factors.emplace_back(device, analysis, edges);
///   const auto all = blockfw::reach(factors);
/// \endcode
#pragma once

#include "blockfw/detail/backend/compiled.hpp"
#include "blockfw/detail/elimination/device_sweeps.hpp"
#include "blockfw/detail/elimination/front_arcs.hpp"
#include "blockfw/detail/elimination/place.hpp"
#include "blockfw/detail/loops/threads.hpp"
#include "blockfw/edges.hpp"
#include "blockfw/ground/answers.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"
#include "blockfw/network_questions.hpp"
#include "blockfw/sparse_analysis.hpp"

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace blockfw {

/// \brief The eliminated supernodes of a graph with weights. One sweep over them makes all distances.
///
/// The elimination is done, and the distances are made, where ExecSpace works. (A device leaves an elimination to the
/// host if sums need more bits than T has, or if rounding alone may make a cycle negative.) Its questions are those of
/// NetworkQuestions.
///
/// \tparam S          the semiring
/// \tparam ExecSpace  where the distances are to be
/// \tparam Place      the class that makes them: the host's or a device's
template <Semiring S, class ExecSpace = Kokkos::DefaultHostExecutionSpace,
          class Place = detail::place_for<S, ExecSpace>>
class SparseFactor : public NetworkQuestions<S, ExecSpace, Place> {
  using Questions = NetworkQuestions<S, ExecSpace, Place>;

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
      : Questions(std::shared_ptr<const SparseAnalysis>(std::shared_ptr<void>(), &analysis)) {  // (not owned)
    const Kokkos::Profiling::ScopedRegion region("blockfw::sparse_factor");
    eliminate(exec, std::span<const std::ranges::range_value_t<Edges>>(edges), options);
  }

  /// Refused at compile time: a temporary analysis, which would end before the factor.
  template <std::ranges::contiguous_range Edges>
  SparseFactor(const ExecSpace& exec, const SparseAnalysis&& analysis, const Edges& edges,
               const FactorOptions& = {}) = delete;

  /// \brief The factor of a network on a host, or of another factor there, for another place.
  /// \param exec     the instance to run on
  /// \param network  keeps its weights. The factor does not change with it.
  /// \throws OutOfMemory when the factor does not fit, before it is allocated
  ///
  /// The numbers are copied: nothing is eliminated. A device then makes the labels that it keeps.
  template <class Host>
    requires is_host_space<Host>
  SparseFactor(const ExecSpace& exec, const NetworkQuestions<S, Host>& network)
      : Questions(network, Place(exec, network.structure(), network.place_.values(), network.range())) {}

  /// \brief The distances from all vertices.
  /// \return an n x n matrix where ExecSpace works. An entry is S::zero() without a path.
  /// \throws OutOfMemory when it does not fit, before it is allocated
  ///
  /// It takes SparseAnalysis::solve_relaxes() relaxes, and writes each entry once. Memory: the result, and 2·p·c
  /// elements for each thread, about the size of a cache. Here p is the number of vertices of a path in the tree, and c
  /// the number of vertices of a batch. A device takes n·p elements.
  DistanceMatrix<T, ExecSpace> solve() const;

  /// \brief The same into the caller's memory.
  /// \param d         n x n view with contiguous rows. On a host, pages that nothing has touched are asked for as large
  ///                  ones.
  /// \param progress  called as progress(batches of vertices done, batches in all) from the calling thread, if set
  /// \throws InvalidInput when d is of another order
  void solve(const DistanceMatrix<T, ExecSpace>& d, const Progress& progress = {}) const;

  /// The same factor for another instance of a host: the numbers are shared, and the distances are made by this
  /// instance's threads.
  SparseFactor on(const ExecSpace& exec) const
    requires(Questions::on_host)
  {
    SparseFactor same = *this;
    same.run_on(exec);
    return same;
  }

 private:
  template <class E>
  void eliminate(const ExecSpace& exec, std::span<const E> edges, const FactorOptions& options);
};

// Functions that take long to compile are not defined in the class, as in network_questions.hpp.

template <Semiring S, class ExecSpace, class Place>
auto SparseFactor<S, ExecSpace, Place>::solve() const -> DistanceMatrix<T, ExecSpace> {
  const auto d = allocate_distances<T>(this->place_.exec(), this->vertices());
  solve(d);
  return d;
}

template <Semiring S, class ExecSpace, class Place>
void SparseFactor<S, ExecSpace, Place>::solve(const DistanceMatrix<T, ExecSpace>& d, const Progress& progress) const {
  const std::size_t n = this->structure().order.size();
  detail::require_shape(d, n, n);
  const Kokkos::Profiling::ScopedRegion region("blockfw::sparse_solve");
  this->place_.towards_all(detail::in_large_pages(d), progress);
}

/// \cond Doxygen takes this for another function than the private function above.
template <Semiring S, class ExecSpace, class Place>
template <class E>
void SparseFactor<S, ExecSpace, Place>::eliminate(const ExecSpace& exec, std::span<const E> edges,
                                                  const FactorOptions& options) {
  this->arcs_.plan =
      this->analysis_->arcs_->template get<S>(detail::host_of(exec), this->structure(), edges, options.direction);
  const auto range = detail::range_of<S>(edges, false);
  this->arcs_.weights = detail::weights_of<S>(*this->arcs_.plan, edges);
  this->place_ = Place::eliminated(exec, this->structure(), this->arcs_, range, options);
}
/// \endcond

/// Shortest paths in the type of the weights.
template <class ExecSpace, std::ranges::contiguous_range Edges>
SparseFactor(const ExecSpace&, const SparseAnalysis&, const Edges&, const FactorOptions& = {})
    -> SparseFactor<MinPlus<decltype(std::ranges::range_value_t<Edges>::weight)>, ExecSpace>;

namespace detail {

/// Calls f(factor, first, end) for each factor at the same time, with a part of the range [0, count).
/// \throws InvalidInput without a factor, or for factors of different graphs
template <class Factor, class F>
void divide(const std::vector<Factor>& factors, std::int64_t count, const F& f) {
  if (factors.empty()) throw InvalidInput("an empty list of factors, expected one or more");
  for (const Factor& factor : factors)
    if (factor.vertices() != factors.front().vertices())
      throw InvalidInput("the factors have ", factors.front().vertices(), " and ", factor.vertices(),
                         " vertices, expected as many of each");
  const auto parts = static_cast<std::int64_t>(factors.size());
  in_threads(static_cast<int>(parts),
             [&](int p) { f(factors[static_cast<std::size_t>(p)], count * p / parts, count * (p + 1) / parts); });
}

}  // namespace detail

/// \brief SparseFactor::reach() of all vertices, by several factors of the same graph.
/// \param factors  on different devices. (On a host one factor has all threads.)
/// \param towards  which distances count
/// \throws InvalidInput without a factor, or for factors of different graphs; OutOfMemory
///
/// Each device sums up some vertices. So it takes the time of one device, divided by the number of devices.
template <Semiring S, class ExecSpace>
std::vector<Reach<typename S::value_type>> reach(const std::vector<SparseFactor<S, ExecSpace>>& factors,
                                                 Towards towards = Towards::others) {
  const std::int64_t n = factors.empty() ? 0 : factors.front().vertices();
  std::vector<Reach<typename S::value_type>> all(static_cast<std::size_t>(n));
  detail::divide(factors, n, [&](const auto& factor, std::int64_t first, std::int64_t end) {
    std::ranges::copy(factor.reach(first, end, towards), all.begin() + first);
  });
  return all;
}

/// \brief SparseFactor::table() by several factors of the same graph, on the host.
/// \param factors  on different devices
/// \param sources  host container of vertices
/// \param targets  likewise
/// \return a matrix on the host, with a row for each source and a column for each target
/// \throws InvalidInput without a factor, for factors of different graphs, or for a vertex out of range; OutOfMemory
///
/// Each device makes the rows of some sources.
template <Semiring S, class ExecSpace, std::ranges::contiguous_range Sources, std::ranges::contiguous_range Targets>
DistanceMatrix<typename S::value_type, Kokkos::DefaultHostExecutionSpace> table(
    const std::vector<SparseFactor<S, ExecSpace>>& factors, const Sources& sources, const Targets& targets) {
  using T = typename S::value_type;
  using Host = Kokkos::DefaultHostExecutionSpace;
  const std::vector<std::int64_t> from(std::ranges::begin(sources), std::ranges::end(sources));
  const std::size_t columns = std::ranges::size(targets);
  detail::require_host_memory(
      "a table of " + std::to_string(from.size()) + " x " + std::to_string(columns) + " distances",
      static_cast<double>(from.size()) * static_cast<double>(columns) * sizeof(T));
  const DistanceMatrix<T, Host> all(Kokkos::view_alloc("blockfw::distances", Kokkos::WithoutInitializing), from.size(),
                                    columns);
  detail::divide(
      factors, static_cast<std::int64_t>(from.size()), [&](const auto& factor, std::int64_t first, std::int64_t end) {
        const auto rows = factor.table(std::vector<std::int64_t>(from.begin() + first, from.begin() + end), targets);
        Kokkos::deep_copy(Kokkos::subview(all, Kokkos::pair(first, end), Kokkos::ALL), rows);
      });
  return all;
}

}  // namespace blockfw

/// The questions to a factor on a device, in a library that is built for devices.
#if defined(BLOCKFW_BUILT_FOR_DEVICE)
#define BLOCKFW_COMPILED_DEVICE_QUESTIONS(LINKAGE, S) \
  LINKAGE template class blockfw::NetworkQuestions<S, blockfw::detail::compiled::Exec>;
#else
#define BLOCKFW_COMPILED_DEVICE_QUESTIONS(LINKAGE, S)
#endif
/// A factor with all answers.
#define BLOCKFW_COMPILED_FACTOR(LINKAGE, S)                                                                        \
  BLOCKFW_COMPILED_DEVICE_QUESTIONS(LINKAGE, S)                                                                    \
  LINKAGE template class blockfw::SparseFactor<S, blockfw::detail::compiled::Exec>;                                \
  LINKAGE template void blockfw::SparseFactor<S, blockfw::detail::compiled::Exec>::eliminate(                      \
      const blockfw::detail::compiled::Exec&, std::span<const blockfw::Edge<blockfw::detail::compiled::Value<S>>>, \
      const blockfw::FactorOptions&);

#if defined(BLOCKFW_COMPILED)
BLOCKFW_COMPILED_SHORTEST(BLOCKFW_COMPILED_FACTOR, extern)
BLOCKFW_COMPILED_SEMIRINGS_INT32(BLOCKFW_COMPILED_FACTOR, extern)
BLOCKFW_COMPILED_SEMIRINGS_DOUBLE(BLOCKFW_COMPILED_FACTOR, extern)
#endif
