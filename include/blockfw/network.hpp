// SPDX-License-Identifier: MIT
/// \file
/// \brief A network that is asked many questions: tables of distances, pairs, nearest places, vertices within a limit,
/// paths, and the same with new weights.
///
/// \code
///   const blockfw::Network network(exec, n, edges, {.direction = blockfw::Direction::undirected});
///   const auto minutes = network.table(depots, customers);
/// \endcode
///
/// The vertices are eliminated once, as in sparse.hpp, in supernodes that suit tables. A road network of a million
/// vertices takes seconds and some hundred megabytes. Then a distance takes microseconds, and a table some nanoseconds
/// for each entry. The class is for hosts. docs/networks.md shows all calls.
#pragma once

#include "blockfw/detail/backend/compiled.hpp"
#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/elimination/factorise.hpp"
#include "blockfw/detail/elimination/front_arcs.hpp"
#include "blockfw/detail/plan/finish.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/network_questions.hpp"
#include "blockfw/sparse_analysis.hpp"

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace blockfw {

template <class Host, class Sum, class Asked>
class SecondWeights;
template <Semiring S, class Host>
class WeightSets;
template <Semiring S, class Host>
class RoadNetwork;

namespace detail {

/// \brief A caller's edges with weights of type T.
/// \throws OutOfMemory if they do not fit; thrown before they are allocated
template <Element T, class Edges>
std::vector<Edge<T>> copied_edges(const Edges& edges) {
  require_edges<Edges>();
  using W = decltype(std::ranges::range_value_t<Edges>::weight);
  static_assert(converts<W, T>, "blockfw: the weights must convert to the distances' type without loss");
  require_host_memory("the copy of " + std::to_string(std::ranges::size(edges)) + " edges",
                      static_cast<double>(std::ranges::size(edges)) * sizeof(Edge<T>));
  std::vector<Edge<T>> copy;
  copy.reserve(std::ranges::size(edges));
  for (const auto& edge : edges) copy.push_back({edge.from, edge.to, static_cast<T>(edge.weight)});
  return copy;
}

/// \brief Edges with other weights, one for each.
/// \throws InvalidInput for another number of weights; OutOfMemory as copied_edges()
template <Element T, class Weights>
std::vector<Edge<T>> reweighted(std::span<const Edge<T>> edges, const Weights& weights) {
  static_assert(converts<std::ranges::range_value_t<Weights>, T>,
                "blockfw: the weights must convert to the distances' type without loss");
  if (std::ranges::size(weights) != edges.size())
    throw InvalidInput("there are " + std::to_string(std::ranges::size(weights)) + " weights, expected " +
                       std::to_string(edges.size()) + ", one for each edge");
  std::vector<Edge<T>> copy = copied_edges<T>(edges);
  for (std::size_t e = 0; e < copy.size(); ++e) copy[e].weight = static_cast<T>(std::ranges::data(weights)[e]);
  return copy;
}

}  // namespace detail

/// \brief A sparse graph with weights, prepared for many questions.
///
/// \tparam S     the semiring
/// \tparam Host  a host's execution space
///
/// Copies share all data. Any number of threads may ask at the same time.
template <Semiring S, class Host = Kokkos::DefaultHostExecutionSpace>
class Network : public NetworkQuestions<S, Host> {
  static_assert(is_host_space<Host>, "blockfw: a Network works on a host");
  using Questions = NetworkQuestions<S, Host>;

 public:
  /// The type of a distance.
  using T = typename S::value_type;

  /// \brief Analyses the network and eliminates its vertices.
  /// \param exec     the instance to run on
  /// \param n        number of vertices
  /// \param edges    host container of edges. An edge of weight S::zero() (infinity<T> for shortest paths) is closed:
  ///                 it leads nowhere, until with_weights() opens it.
  /// \param options  the direction, an order of elimination, progress, strict cycles
  /// \throws InvalidInput, InvalidEdge  for n out of range, a vertex out of range, a NaN, an order that is no
  ///                                    permutation
  /// \throws OverflowRisk               when sums could overflow T
  /// \throws OutOfMemory                when the structure or the numbers do not fit, before they are allocated
  /// \throws NegativeCycle              with a vertex on the cycle; for other semirings DivergentCycle
  ///
  /// It takes analysis().factor_relaxes() relaxes. Memory: analysis().factor_elements() elements, and about 100 bytes
  /// for each vertex and 40 for each edge.
  template <std::ranges::contiguous_range Edges>
  Network(const Host& exec, std::int64_t n, const Edges& edges, const NetworkOptions& options = {})
      : Network(exec, detail::copied_edges<T>(edges), n, options) {}

  /// Refused at compile time: an argument that is no list of edges.
  template <class Edges>
    requires(!std::ranges::contiguous_range<Edges>)
  Network(const Host&, std::int64_t, const Edges&, const NetworkOptions& = {}) : Questions(nullptr) {
    detail::require_edges<Edges>();
  }

  /// \brief The same network with other weights. This takes a fraction of the time of a new network.
  /// \param weights  a weight for each edge, in the order of the edges; S::zero() closes an edge
  /// \throws InvalidInput for another number of weights; the other exceptions of the constructor
  template <std::ranges::contiguous_range Weights>
  Network with_weights(const Weights& weights) const {
    return Network(this->place_.exec(), this->analysis_, this->arcs_.plan,
                   detail::reweighted(std::span<const Edge<T>>(*edges_), weights), how_);
  }

  /// \brief The same network with other weights of some edges. Only the supernodes above these edges are eliminated
  /// again.
  /// \param changed  host container of edges. All edges from the same vertex to the same vertex get the weight;
  ///                 S::zero() closes them. In an undirected network edges in either direction get it.
  /// \throws InvalidEdge for an edge that the network does not have; the other exceptions of the constructor
  ///
  /// The result is the same as that of with_weights(), except that sums of floats may round differently. The first
  /// change of a network and its copies takes a whole elimination, and keeps data for the next changes: as much as the
  /// numbers or some times as much.
  template <std::ranges::contiguous_range Changed>
  Network with_changes(const Changed& changed) const {
    Network result = *this;
    result.change(changed);
    return result;
  }

  /// \brief Changes the weights of some edges of this network, as with_changes(). Copies of the network keep their
  /// weights.
  ///
  /// It must not run while other threads ask this object. After an exception the network is as before.
  template <std::ranges::contiguous_range Changed>
  void change(const Changed& changed) {
    apply(detail::copied_edges<T>(changed));
  }

  /// The direction of the edges.
  Direction direction() const { return how_.direction; }
  /// The edges, in the caller's order.
  const std::vector<Edge<T>>& edges() const { return *edges_; }

 private:
  friend class detail::NetworkParts<S, Host>;
  template <class, class, class>
  friend class SecondWeights;
  template <Semiring, class>
  friend class WeightSets;

  using Fronts = detail::Fronts<S, Host>;
  using Place = detail::HostSweeps<S, Host>;

  Network(const Host& exec, std::vector<Edge<T>>&& edges, std::int64_t n, const NetworkOptions& options);
  /// \param plan    of the edges, if there is one
  /// \param values  the numbers, if there are any
  Network(const Host& exec, std::shared_ptr<const SparseAnalysis> analysis, std::shared_ptr<const detail::ArcPlan> plan,
          std::vector<Edge<T>>&& edges, const FactorOptions& how,
          std::shared_ptr<const detail::FactorValues<T>> values = nullptr);
  void eliminate(const Host& exec, std::shared_ptr<const detail::FactorValues<T>> values = nullptr);
  void apply(const std::vector<Edge<T>>& changed);
  std::vector<std::int32_t> set_weights(const std::vector<Edge<T>>& changed);

  std::shared_ptr<const std::vector<Edge<T>>> edges_;
  FactorOptions how_;                                        ///< without progress
  std::shared_ptr<const typename Fronts::Updates> updates_;  ///< set once a change has made the updates
};

/// Shortest paths in the type of the weights.
template <class Host, std::ranges::contiguous_range Edges>
Network(const Host&, std::int64_t, const Edges&, const NetworkOptions& = {})
    -> Network<MinPlus<decltype(std::ranges::range_value_t<Edges>::weight)>, Host>;

// Functions that take long to compile are not defined in the class, as in sparse.hpp.

template <Semiring S, class Host>
Network<S, Host>::Network(const Host& exec, std::vector<Edge<T>>&& edges, std::int64_t n, const NetworkOptions& options)
    : Network(exec,
              std::make_shared<const SparseAnalysis>(
                  n, edges, AnalysisOptions{.purpose = Purpose::tables, .order = options.order}),
              nullptr, std::move(edges), {options.direction, options.progress, options.strict_cycles}) {}

template <Semiring S, class Host>
Network<S, Host>::Network(const Host& exec, std::shared_ptr<const SparseAnalysis> analysis,
                          std::shared_ptr<const detail::ArcPlan> plan, std::vector<Edge<T>>&& edges,
                          const FactorOptions& how, std::shared_ptr<const detail::FactorValues<T>> values)
    : Questions(std::move(analysis)),
      edges_(std::make_shared<const std::vector<Edge<T>>>(std::move(edges))),
      how_(how) {
  if (!plan)
    plan = std::make_shared<const detail::ArcPlan>(
        detail::plan_arcs<S>(exec, this->structure(), std::span<const Edge<T>>(*edges_), how.direction, true));
  this->arcs_.plan = std::move(plan);
  eliminate(exec, std::move(values));
  how_.progress = nullptr;
}

template <Semiring S, class Host>
void Network<S, Host>::eliminate(const Host& exec, std::shared_ptr<const detail::FactorValues<T>> values) {
  const Kokkos::Profiling::ScopedRegion region("blockfw::network");
  const std::span<const Edge<T>> edges(*edges_);
  const auto range = detail::range_of<S>(edges, true);
  this->arcs_.weights = detail::weights_of<S>(*this->arcs_.plan, edges);
  if (!values) values = detail::factorise<S>(exec, this->structure(), this->arcs_, range, how_, true);
  this->place_ = Place(exec, this->structure(), std::move(values), range);
}

template <Semiring S, class Host>
void Network<S, Host>::apply(const std::vector<Edge<T>>& changed) {
  if (changed.empty()) return;
  const Kokkos::Profiling::ScopedRegion region("blockfw::network_change");
  const Host exec = this->place_.exec();
  Network next = *this;
  const std::vector<std::int32_t> supernodes = next.set_weights(changed);
  const auto range = detail::range_of<S>(std::span<const Edge<T>>(*next.edges_), true);
  next.leaving_ = std::make_shared<detail::LazyLeavingArcs<T>>();
  const auto eliminate_all = [&] {
    next.place_ = Place(exec, this->structure(),
                        detail::factorise<S>(exec, this->structure(), next.arcs_, range, how_, true), range);
    next.updates_ = nullptr;
  };
  detail::require_accepted<S>(range);
  const double bytes = Fronts::elements_of_updates(this->structure()) * sizeof(T);
  const bool judged = (how_.strict_cycles && detail::cancels<S>(range)) ||  // before the elimination
                      detail::may_be_cycles<S>(range, how_.direction);
  if (judged || !sums_fit<S>(this->vertices(), range) || (!updates_ && bytes > detail::available_host_bytes() / 2)) {
    eliminate_all();
  } else {
    Fronts fronts(exec, this->structure(), next.arcs_, true);
    bool in_place = false;
    const auto eliminate_again = [&] {
      next.place_ = {};
      const auto& mine = this->place_.values();
      in_place = mine.use_count() == 1;
      std::atomic_thread_fence(std::memory_order_acquire);  // after the last reads of copies that are gone
      return fronts.eliminate_again(in_place ? *mine : mine->copy(), *updates_, supernodes);
    };
    try {
      try {
        const bool symmetric = how_.direction == Direction::undirected && detail::is_commutative<S>;
        auto values = updates_ ? eliminate_again() : fronts.eliminate(symmetric, {});
        next.place_ =
            Place(exec, this->structure(), std::make_shared<const detail::FactorValues<T>>(std::move(values)), range);
        next.updates_ = std::make_shared<const typename Fronts::Updates>(fronts.take_updates());
      } catch (const DivergentCycle&) {
        eliminate_all();  // this finds out whether rounding has made the cycle diverge
      }
    } catch (...) {
      updates_ = nullptr;
      if (in_place) this->eliminate(exec);
      throw;
    }
  }
  *this = std::move(next);
}

/// Sets the weights of edges and arcs.
/// \return the supernodes with changed arcs
template <Semiring S, class Host>
std::vector<std::int32_t> Network<S, Host>::set_weights(const std::vector<Edge<T>>& changed) {
  const detail::ArcPlan& plan = *this->arcs_.plan;
  auto edges = std::make_shared<std::vector<Edge<T>>>(*edges_);
  std::vector<std::int32_t> supernodes;
  for (std::size_t c = 0; c < changed.size(); ++c) {
    const Edge<T>& edge = changed[c];
    if (!detail::is_valid<S>(edge, this->vertices()))
      detail::throw_invalid_edge<S>(detail::view_of(changed), static_cast<std::int64_t>(c), this->vertices());
    detail::ArcPlan::Place there;
    const std::int32_t s = detail::find_place(this->structure(), edge, there);
    bool found = false;
    for (std::size_t a = plan.first[detail::at(s)]; a < plan.first[detail::at(s) + 1]; ++a) {
      const detail::ArcPlan::Place place = plan.places[a], back{place.column, place.row};
      if (place != there && !(how_.direction == Direction::undirected && back == there)) continue;
      Edge<T>& mine = (*edges)[plan.edge[a]];
      mine.weight = edge.weight;
      this->arcs_.weights[a] = detail::weight_of_arc<S>(mine);
      found = true;
    }
    if (!found) detail::throw_no_edge(static_cast<std::int64_t>(c), edge);
    supernodes.push_back(s);
  }
  edges_ = std::move(edges);
  return supernodes;
}

}  // namespace blockfw

/// A network.
#define BLOCKFW_COMPILED_NETWORK(LINKAGE, S) LINKAGE template class blockfw::Network<S>;

#if defined(BLOCKFW_COMPILED)
BLOCKFW_COMPILED_SHORTEST(BLOCKFW_COMPILED_NETWORK, extern)
BLOCKFW_COMPILED_SEMIRINGS_INT32(BLOCKFW_COMPILED_NETWORK, extern)
BLOCKFW_COMPILED_SEMIRINGS_DOUBLE(BLOCKFW_COMPILED_NETWORK, extern)
#endif
