// SPDX-License-Identifier: MIT
/// \file
/// \brief Several sets of weights of one network: travel times by the hour, and their tables.
///
/// \code
///   const blockfw::WeightSets hours(network, seconds);   // seconds(h, e): of edge e in hour h
///   const auto tables = hours.table(depots, customers);  // tables(h, i, j): in hour h from depots[i] to customers[j]
/// \endcode
///
/// The sets are eliminated together, so that they share all work but the sums themselves. docs/networks.md shows all
/// calls.
#pragma once

#include "blockfw/detail/backend/compiled.hpp"
#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/elimination/factor.hpp"
#include "blockfw/detail/elimination/front_arcs.hpp"
#include "blockfw/detail/elimination/host_table.hpp"
#include "blockfw/detail/elimination/labels.hpp"
#include "blockfw/detail/elimination/place.hpp"
#include "blockfw/detail/elimination/sets.hpp"
#include "blockfw/detail/elimination/sets_factor.hpp"
#include "blockfw/detail/graph/arrival_lists.hpp"
#include "blockfw/detail/graph/supernodes.hpp"
#include "blockfw/detail/loops/threads.hpp"
#include "blockfw/edges.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"
#include "blockfw/network.hpp"

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace blockfw {

namespace detail {

/// Calls f(). An error about the weights names their set.
template <class F>
auto in_set(std::size_t set, const F& f) {
  const auto where = [set] { return "set " + std::to_string(set) + " of the weights: "; };
  try {
    return f();
  } catch (const NegativeCycle& error) {
    throw NegativeCycle(where(), error);
  } catch (const DivergentCycle& error) {
    throw DivergentCycle(where(), error);
  } catch (const InvalidEdge& error) {
    throw InvalidEdge(where(), error);
  } catch (const InvalidInput& error) {
    throw InvalidInput(where() + error.what());
  } catch (const OverflowRisk& error) {
    throw OverflowRisk(where() + error.what());
  }
}

}  // namespace detail

/// \brief Several sets of weights of one network, or of one network of roads with turns, for tables and pairs.
///
/// The answers are those of Network::with_weights() for each set. Integers are equal. (Sums of floats may round
/// differently.)
///
/// \tparam S     the semiring
/// \tparam Host  a host's execution space
///
/// Copies share all data. Any number of threads may ask at the same time.
template <Semiring S, class Host = Kokkos::DefaultHostExecutionSpace>
class WeightSets {
 public:
  /// The type of a distance.
  using T = typename S::value_type;
  /// \brief A table for each set: sets x sources x targets.
  ///
  /// With indices of type `std::int64_t` it may have more than 2^31 entries.
  using Tables = Kokkos::View<T***, Kokkos::LayoutRight, typename Host::memory_space>;

  /// \brief Eliminates the vertices of a network in all sets of weights.
  /// \param network  the vertices and the edges. It need not outlive this object. Its own weights do not matter.
  /// \param weights  a matrix that the host can read, with a row for each set and a column for each edge, in the order
  ///                 of the edges. S::zero() closes an edge in the set.
  /// \throws InvalidInput   for another number of columns; for a weight that the semiring does not take
  /// \throws OverflowRisk   when sums could overflow T
  /// \throws OutOfMemory    when the numbers do not fit, before they are allocated
  /// \throws NegativeCycle  with a vertex on the cycle; for other semirings DivergentCycle
  ///
  /// Errors about weights name the set.
  ///
  /// Several sets are worked on together: the numbers of these sets fill 32 bytes, such as 8 sets of 32 bits. It takes
  /// the relaxes of Network::with_weights() for each set, and all other work once for these sets. A set may have to be
  /// eliminated by itself, for example to find a negative cycle. Then all these sets take the time of with_weights().
  ///
  /// Memory: analysis().factor_elements() elements of the network for each set, half of them for undirected edges. The
  /// number of sets is rounded up to a multiple of the sets that are worked on together. Where sums need 64 bits, these
  /// sets also take 64 bits for each number during their elimination.
  template <MatrixView Weights>
  WeightSets(const Network<S, Host>& network, const Weights& weights)
      : WeightSets(network, weights_of(network, weights), weights.extent(0), detail::ArrivalLists(network.vertices())) {
  }

  /// \brief The same for roads with turns. All sets have the turns of the network.
  /// \param roads    the roads and the turns. It need not outlive this object. Its own weights do not matter.
  /// \param weights  with a column for each edge
  ///
  /// It takes the time and the memory of RoadNetwork::network() with these sets, and meanwhile a T for each arc and
  /// set.
  template <MatrixView Weights>
  WeightSets(const RoadNetwork<S, Host>& roads, const Weights& weights)
      : WeightSets(roads.network(), weights_of_arcs(roads, weights_of(roads, weights), weights.extent(0)),
                   weights.extent(0), detail::ArrivalLists(roads.ends().arrivals.first())) {}

  /// Lets further questions run on another instance, as Network::run_on().
  void run_on(const Host& exec) { exec_ = exec; }

  /// The number of sets.
  std::int64_t sets() const { return static_cast<std::int64_t>(ranges_.size()); }
  /// The number of vertices.
  std::int64_t vertices() const { return arrivals_.vertices(); }

  /// \brief The distances from some vertices to others in each set.
  /// \param sources  host container of vertices. A vertex may occur twice.
  /// \param targets  likewise
  /// \return entry (h, i, j) is the distance from sources[i] to targets[j] in set h. It is S::zero() without a path.
  /// \throws InvalidInput for a vertex out of range; OutOfMemory
  ///
  /// The labels of vertices are made for some sets at once, and their products set by set. Memory: the result, and for
  /// each of these sets the labels of the targets, as in Network::table(), and of up to 4096 sources. Roads also
  /// take a table to the targets' arrivals (see RoadNetwork) for each of these sets.
  template <std::ranges::contiguous_range Sources, std::ranges::contiguous_range Targets>
  Tables table(const Sources& sources, const Targets& targets) const {
    const auto from = arrivals_.sources(sources);
    const auto to = arrivals_.targets(targets);
    const Tables d = tables(ranges_.size(), from.size(), std::ranges::size(targets));
    write(from, to, d);
    return d;
  }

  /// \brief The same into the caller's memory.
  /// \param sources  host container of vertices. A vertex may occur twice.
  /// \param targets  likewise
  /// \param d        sets x sources x targets
  /// \throws InvalidInput when d has another shape
  template <std::ranges::contiguous_range Sources, std::ranges::contiguous_range Targets>
  void table(const Sources& sources, const Targets& targets, const Tables& d) const {
    const auto from = arrivals_.sources(sources);
    const auto to = arrivals_.targets(targets);
    const std::size_t expected[] = {ranges_.size(), from.size(), std::ranges::size(targets)};
    const auto shape = [](std::size_t sets, std::size_t rows, std::size_t columns) {
      return std::to_string(sets) + " x " + std::to_string(rows) + " x " + std::to_string(columns);
    };
    if (d.extent(0) != expected[0] || d.extent(1) != expected[1] || d.extent(2) != expected[2])
      throw InvalidInput("the tables '" + d.label() + "' are of " + shape(d.extent(0), d.extent(1), d.extent(2)) +
                         " entries, expected " + shape(expected[0], expected[1], expected[2]));
    write(from, to, d);
  }

  /// \brief The distances of pairs in each set.
  /// \param sources  host container of vertices
  /// \param targets  host container of the same size
  /// \return entry (h, p) is the distance from sources[p] to targets[p] in set h
  /// \throws InvalidInput for a vertex out of range, or lists of different lengths; OutOfMemory
  ///
  /// A pair takes two labels of all sets, as in Network::distances().
  template <std::ranges::contiguous_range Sources, std::ranges::contiguous_range Targets>
  DistanceMatrix<T, Host> distances(const Sources& sources, const Targets& targets) const {
    const auto from = arrivals_.sources(sources);
    const auto to = arrivals_.targets(targets);
    detail::require_pairs(from.size(), std::ranges::size(targets));
    return distances_of(from, to);
  }

 private:
  using Vertices = std::vector<std::int32_t>;
  using Values = detail::SetValues<T>;
  static constexpr std::size_t at_once = std::size_t{detail::sets_at_once<T>};

  /// The weights, set by set.
  template <class Of, class Weights>
  static std::vector<T> weights_of(const Of& network, const Weights& weights) {
    static_assert(detail::converts<typename Weights::non_const_value_type, T>,
                  "blockfw: the weights must convert to the distances' type without loss");
    require_reachable<Host, Weights>();
    const auto sets = static_cast<std::int64_t>(weights.extent(0)), edges = network.edge_count();
    if (weights.extent(1) != static_cast<std::size_t>(edges))
      throw InvalidInput("there are " + std::to_string(weights.extent(1)) + " weights in each set, expected " +
                         std::to_string(edges) + ", one for each edge");
    detail::require_host_memory(
        "the weights of " + std::to_string(edges) + " edges in " + std::to_string(sets) + " sets",
        static_cast<double>(sets) * static_cast<double>(edges) * sizeof(T));
    std::vector<T> all;
    all.reserve(weights.extent(0) * weights.extent(1));
    for (std::int64_t set = 0; set < sets; ++set)
      for (std::int64_t e = 0; e < edges; ++e) all.push_back(static_cast<T>(entry_at(weights, set, e)));
    return all;
  }

  /// The weights of the arcs of roads, set by set. (In a function template, as RoadNetwork may be unknown here.)
  template <class Roads>
  static std::vector<T> weights_of_arcs(const Roads& roads, const std::vector<T>& weights, std::size_t sets) {
    const auto ends = roads.ends();
    const std::size_t edges = roads.edges().size();
    detail::require_host_memory(
        "the weights of " + std::to_string(ends.arrivals.arcs()) + " arcs in " + std::to_string(sets) + " sets",
        static_cast<double>(sets) * static_cast<double>(ends.arrivals.arcs()) * sizeof(T));
    std::vector<T> all;
    all.reserve(sets * ends.arrivals.arcs());
    for (std::size_t set = 0; set < sets; ++set)
      detail::in_set(set, [&] {
        const auto mine = detail::reweighted(roads.edges(), std::span(weights).subspan(set * edges, edges));
        for (const Edge<T>& arc : ends.arcs_of(mine, roads.direction())) all.push_back(arc.weight);
      });
    return all;
  }

  /// \param weights   the weights, set by set
  /// \param arrivals  the caller's vertices
  WeightSets(const Network<S, Host>& network, const std::vector<T>& weights, std::size_t sets,
             detail::ArrivalLists arrivals);
  Tables tables(std::size_t sets, std::size_t rows, std::size_t columns) const;
  /// \param from, to  vertices of the network
  void write(const Vertices& from, const detail::TargetLists& to, const Tables& d) const;
  DistanceMatrix<T, Host> distances_of(const Vertices& from, const detail::TargetLists& to) const;

  /// Calls f(factor, first) for the sets from `first` on that are worked on at once.
  template <class F>
  void for_each_factor(const F& f) const {
    for (std::size_t first = 0; first < ranges_.size(); first += at_once)
      f(detail::SetsFactor<S>{*structure_, *values_[first / at_once],
                              std::span(ranges_).subspan(first, std::min(at_once, ranges_.size() - first))},
        first);
  }

  Host exec_;
  detail::ArrivalLists arrivals_;
  std::shared_ptr<const detail::Elimination> structure_;
  std::vector<std::shared_ptr<const Values>> values_;  ///< the factors of at_once sets each
  std::vector<WeightRange<T>> ranges_;                 ///< the range of the weights in each set
};

/// \brief The semiring of a network, or of roads.
// (Written out because Clang 21 ends by a fault where it makes the guide out of the constructor.)
template <template <Semiring, class> class Of, Semiring S, class Host, MatrixView Weights>
WeightSets(const Of<S, Host>&, const Weights&) -> WeightSets<S, Host>;

// Functions that take long to compile are not defined in the class, as in network.hpp.

template <Semiring S, class Host>
WeightSets<S, Host>::WeightSets(const Network<S, Host>& network, const std::vector<T>& weights, std::size_t sets,
                                detail::ArrivalLists arrivals)
    : exec_(network.exec()), arrivals_(std::move(arrivals)), structure_(network.analysis_, &network.structure()) {
  const Kokkos::Profiling::ScopedRegion region("blockfw::weight_sets");
  const std::span<const Edge<T>> edges(network.edges());
  const auto of_set = [&](std::size_t set) { return std::span(weights).subspan(set * edges.size(), edges.size()); };
  const bool symmetric = network.direction() == Direction::undirected && detail::is_commutative<S>;
  detail::require_memory(exec_, "the factors of " + std::to_string(sets) + " sets of weights",
                         static_cast<double>(detail::round_up(sets, at_once)) * network.analysis().factor_elements() *
                             sizeof(T) / (symmetric ? 2 : 1));
  for (std::size_t first = 0; first < sets; first += at_once) {
    std::vector<std::vector<Edge<T>>> some;  // the edges with the weights of each set
    for (std::size_t set = first; set < std::min(sets, first + at_once); ++set)
      detail::in_set(set, [&] {
        some.push_back(detail::reweighted(edges, of_set(set)));
        ranges_.push_back(detail::range_of<S>(std::span<const Edge<T>>(some.back()), true));
      });
    auto values = detail::factorise_together<S>(exec_, *structure_, network.arcs_.plan,
                                                std::span<const std::vector<Edge<T>>>(some),
                                                std::span<const WeightRange<T>>(ranges_).subspan(first), network.how_);
    if (!values)
      values = detail::joined_factors<S>(exec_, *structure_, symmetric, some.size(), [&](std::size_t set) {
        const auto eliminate = [&] { return network.with_weights(of_set(first + set)).place_.values(); };
        return detail::in_set(first + set, [&] { return arrivals_.by_vertices(eliminate); });
      });
    values_.push_back(std::make_shared<const Values>(std::move(*values)));
  }
}

template <Semiring S, class Host>
auto WeightSets<S, Host>::tables(std::size_t sets, std::size_t rows, std::size_t columns) const -> Tables {
  detail::require_memory(
      exec_,
      std::to_string(sets) + " tables of " + std::to_string(rows) + " x " + std::to_string(columns) + " distances",
      static_cast<double>(sets) * static_cast<double>(rows) * static_cast<double>(columns) * sizeof(T));
  return detail::in_large_pages(
      Tables(Kokkos::view_alloc(exec_, "blockfw::tables", Kokkos::WithoutInitializing), sets, rows, columns));
}

template <Semiring S, class Host>
void WeightSets<S, Host>::write(const Vertices& from, const detail::TargetLists& to, const Tables& d) const {
  const Kokkos::Profiling::ScopedRegion region("blockfw::tables_of_sets");
  const auto sources = structure_->numbers_of(from), targets = structure_->numbers_of(to.vertices);
  for_each_factor([&](const detail::SetsFactor<S>& factor, std::size_t first) {
    const auto fill = [&](T* begin, const Tables& into) {  // (memory of the caller's may have gaps)
      detail::write_table<detail::SetLabelMaker<S>>(exec_, factor, sources, targets, begin, into.stride(1),
                                                    into.stride(0));
    };
    if (to.are_vertices()) return fill(d.data() + first * d.stride(0), d);
    const Tables all = tables(factor.sets(), from.size(), to.vertices.size());
    fill(all.data(), all);
    detail::for_tasks(exec_, static_cast<std::int64_t>(from.size()), "blockfw::tables_of_sets", [&](std::int64_t task) {
      const std::size_t i = detail::at(task);
      for (std::size_t set = 0; set < all.extent(0); ++set)
        for (std::size_t j = 0; j < d.extent(2); ++j)
          d(first + set, i, j) = to.best<S>(j, [&](std::size_t c) { return all(set, i, c); });
    });
  });
}

template <Semiring S, class Host>
auto WeightSets<S, Host>::distances_of(const Vertices& from, const detail::TargetLists& to) const
    -> DistanceMatrix<T, Host> {
  const Kokkos::Profiling::ScopedRegion region("blockfw::pairs_of_sets");
  const auto sources = structure_->numbers_of(detail::ArrivalLists::of_pairs(from, to)),
             targets = structure_->numbers_of(to.vertices);
  const auto all = detail::allocate_rows<T>(exec_, ranges_.size(), sources.size());
  for_each_factor([&](const detail::SetsFactor<S>& factor, std::size_t first) {
    detail::pair_distances(exec_, factor, sources, targets, all.data() + first * sources.size());
  });
  if (to.are_vertices()) return all;
  const auto d = detail::allocate_rows<T>(exec_, ranges_.size(), from.size());
  for (std::size_t set = 0; set < ranges_.size(); ++set)
    for (std::size_t p = 0; p < from.size(); ++p) d(set, p) = to.best<S>(p, [&](std::size_t c) { return all(set, c); });
  return d;
}

}  // namespace blockfw

/// Several sets of weights.
#define BLOCKFW_COMPILED_WEIGHT_SETS(LINKAGE, S) LINKAGE template class blockfw::WeightSets<S>;

#if defined(BLOCKFW_COMPILED)
BLOCKFW_COMPILED_SHORTEST(BLOCKFW_COMPILED_WEIGHT_SETS, extern)
BLOCKFW_COMPILED_SEMIRINGS_INT32(BLOCKFW_COMPILED_WEIGHT_SETS, extern)
BLOCKFW_COMPILED_SEMIRINGS_DOUBLE(BLOCKFW_COMPILED_WEIGHT_SETS, extern)
#endif
