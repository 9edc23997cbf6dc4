// SPDX-License-Identifier: MIT
/// \file
/// \brief Sums of a second weight along the shortest paths of a network: the metres of the fastest way.
///
/// \code
///   const auto lengths = blockfw::SecondWeights(network, metres).table(depots, customers);
/// \endcode
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/base/two_sums.hpp"
#include "blockfw/detail/elimination/factor.hpp"
#include "blockfw/detail/elimination/front_arcs.hpp"
#include "blockfw/detail/elimination/fronts.hpp"
#include "blockfw/detail/elimination/host_sweeps.hpp"
#include "blockfw/detail/elimination/place.hpp"
#include "blockfw/detail/elimination/second_numbers.hpp"
#include "blockfw/detail/elimination/second_points.hpp"
#include "blockfw/detail/graph/arrival_lists.hpp"
#include "blockfw/detail/loops/threads.hpp"
#include "blockfw/detail/plan/finish.hpp"
#include "blockfw/edges.hpp"
#include "blockfw/end_points.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"
#include "blockfw/network.hpp"
#include "blockfw/network_factor.hpp"
#include "blockfw/network_questions.hpp"
#include "blockfw/sparse_analysis.hpp"

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace blockfw {

namespace detail {

/// \brief A network whose distances are both sums of a path.
/// \tparam Number  two sums, or the integer that has both
template <class Number, class Host>
class NetworkOfSums : public NetworkQuestions<MinPlus<Number>, Host> {
  using S = MinPlus<Number>;
  using Questions = NetworkQuestions<S, Host>;

 public:
  /// \brief Eliminates the vertices.
  /// \param arcs   no sum of their weights can reach infinity
  /// \param range  of integers, where some are negative
  /// \throws NegativeCycle with a vertex on the cycle; OutOfMemory
  NetworkOfSums(const Host& exec, std::shared_ptr<const SparseAnalysis> analysis, FrontArcs<Number> arcs,
                Direction direction, const WeightRange<Number>& range);
};

template <class Number, class Host>
NetworkOfSums<Number, Host>::NetworkOfSums(const Host& exec, std::shared_ptr<const SparseAnalysis> analysis,
                                           FrontArcs<Number> arcs, Direction direction,
                                           const WeightRange<Number>& range)
    : Questions(std::move(analysis)) {
  const Kokkos::Profiling::ScopedRegion region("blockfw::second_weights");
  this->arcs_ = std::move(arcs);
  auto values = Fronts<S, Host>(exec, this->structure(), this->arcs_).eliminate(direction == Direction::undirected, {});
  this->place_ = HostSweeps<S, Host>(exec, this->structure(),
                                     std::make_shared<const FactorValues<Number>>(std::move(values)), range);
}

}  // namespace detail

/// \brief A network, or one of roads with turns, with two weights of each edge. The first weight chooses the paths; the
/// second is summed along them. Of several shortest paths the path with the smallest second sum is taken.
///
/// The first weights are the weights of a network, in any type. The second weights are integers of up to 64 bits, whose
/// sums are exact, or floats or doubles.
///
/// Both weights of an edge are packed into one integer of 64 bits where that loses nothing. So all weights must be
/// whole multiples of a power of two, second weights must not be negative, and both sums must fit 62 bits. Otherwise a
/// distance is two numbers of 64 bits, which takes a few times as long.
///
/// **Rounding.** First weights of floats count as doubles. Their sums are exact if they fit 62 bits in whole multiples
/// of a power of two: integers, halves, or 0.1 in float. (Where some are negative: if they fit 53 bits.) If they do not
/// fit, sums round. Then a path is taken whose first sum, as computed, is the smallest. It is a shortest path up to
/// rounding, and its second sum may not be the smallest. (A cycle whose length vanishes in the sum may be on it.) So
/// give tenths as whole numbers of tenths. Second sums of doubles round, too, in the order of elimination: a pair may
/// differ from its entry of a table in the last digits. Packed sums are exact, and rounded once.
///
/// **Turns.** In a RoadNetwork the edges have second weights. A turn has no second weight, even if it has a cost.
///
/// **Negative weights.** First weights may be negative, as in the network. Second weights may be negative where first
/// sums are exact. A cycle with a first sum of 0 and a negative second sum, as computed, is refused, as then no second
/// sum is the smallest.
///
/// \tparam Host   a host's execution space
/// \tparam Sum    the type of a sum: double where the second weights are floats or doubles, else int64
/// \tparam Space  where large tables, rows and pairs are made: the host, or a device
///
/// Copies share all data. Any number of threads may ask at the same time.
template <class Host = Kokkos::DefaultHostExecutionSpace, class Sum = std::int64_t, class Space = Host>
class SecondWeights {
 public:
  /// The type of a sum.
  using T = Sum;

  /// \brief Eliminates the vertices of a network with both weights.
  /// \param network  a Network or a RoadNetwork: its edges, with the first weights. It need not outlive this object.
  /// \param second   host container of numbers, one for each edge, in the order of the edges
  /// \throws InvalidInput for another number of weights, one that is not finite, or negative ones as above
  /// \throws OverflowRisk if second sums could reach 2^60, or infinity in doubles
  /// \throws NegativeCycle if first weights of floats have one by rounding
  /// \throws OutOfMemory
  ///
  /// Packed, it takes the time of Network::with_weights() in 64 bits. Memory: analysis().factor_elements() numbers of 8
  /// bytes, or of 16 if the weights are not packed, and the second weights. For roads these are of
  /// RoadNetwork::network().
  template <detail::HasEdges Of, detail::SecondNumbers<Sum> Second>
    requires std::is_same_v<Space, Host>
  SecondWeights(const Of& network, const Second& second) : SecondWeights(Space(), network, second) {}

  /// \brief The same with a device, which makes large tables, rows and pairs. All answers are on the host.
  /// \param exec     the instance for large questions; see NetworkWithDevice. The device's memory has the factor again.
  ///                 (A host's instance is not used: the network has its own.)
  /// \param network  as above
  /// \param second   likewise
  template <detail::HasEdges Of, detail::SecondNumbers<Sum> Second>
  SecondWeights(const Space& exec, const Of& network, const Second& second)
      : second_(
            std::make_shared<const std::vector<Sum>>(detail::second_weights_of<Sum>(second, network.edges().size()))),
        of_(network.identity()),
        arrivals_(detail::arrivals_of(network)),
        sums_(sums_of(exec, network)) {}

  /// Lets further questions run on another instance, as Network::run_on().
  void run_on(const Host& exec) {
    std::visit([&](auto& sums) { sums.network.run_on(exec); }, sums_);
  }

  /// The number of vertices.
  std::int64_t vertices() const { return arrivals_.vertices(); }
  /// Whether both weights of an edge are packed into one integer.
  bool is_packed() const { return std::holds_alternative<InOneInteger>(sums_); }

  /// \brief The second sums of the best paths from some vertices to others.
  /// \param sources  host container of vertices. A vertex may occur twice.
  /// \param targets  likewise
  /// \return a matrix with a row for each source and a column for each target. An entry is infinity<T> without a path.
  /// \throws InvalidInput for a vertex out of range; OutOfMemory
  ///
  /// Packed weights take the time and the memory of Network::table() in 64 bits. Others take about six times the time
  /// of a table of doubles. Memory in this case: the result, and the memory of Network::for_rows_of_table() in numbers
  /// of 128 bits.
  template <std::ranges::contiguous_range Sources, std::ranges::contiguous_range Targets>
  DistanceMatrix<T, Host> table(const Sources& sources, const Targets& targets) const {
    const auto d = detail::allocate_rows<T>(exec(), std::ranges::size(sources), std::ranges::size(targets));
    const auto from = arrivals_.sources(sources);
    const auto to = arrivals_.targets(targets);
    std::visit(
        [&]<class Of>(const Of& sums) {
          if constexpr (std::is_same_v<Of, InOneInteger>)
            if (to.are_vertices()) {  // (both sums of a pair stand where the second will be)
              const DistanceMatrix<std::int64_t, Host> both(reinterpret_cast<std::int64_t*>(d.data()), d.extent(0),
                                                            d.extent(1));
              sums.network.table(from, to.vertices, both);
              return write(sums, both, to, 0, d);
            }
          sums.network.for_rows_of_table(from, to.vertices, [&](std::int64_t first, const auto& rows) {
            write(sums, rows, to, detail::at(first), d);
          });
        },
        sums_);
    return d;
  }

  /// \brief The second sums of the best paths of pairs: entry i is that from sources[i] to targets[i].
  /// \throws InvalidInput for a vertex out of range, or lists of different lengths
  template <std::ranges::contiguous_range Sources, std::ranges::contiguous_range Targets>
  std::vector<T> distances(const Sources& sources, const Targets& targets) const {
    const auto from = arrivals_.sources(sources);
    const auto to = arrivals_.targets(targets);
    detail::require_pairs(from.size(), std::ranges::size(targets));
    std::vector<T> result;
    result.reserve(from.size());
    std::visit(
        [&](const auto& sums) {
          const auto both = sums.network.distances(detail::ArrivalLists::of_pairs(from, to), to.vertices);
          for (std::size_t p = 0; p < from.size(); ++p)
            result.push_back(second_of(sums, to, p, [&](std::size_t c) { return both[c]; }));
        },
        sums_);
    return result;
  }

  /// \brief The second sums of the best paths from some points to others.
  /// \param network  the network, or the network of roads, that this object was made of, with the same weights
  /// \param from     the sources, made by it: points on edges, vertices, or points whose legs have second lengths
  /// \param to       the targets
  /// \return as above
  /// \throws InvalidInput for another network, or points of another network or for the other end. For a leg of a length
  ///                      other than 0 without a second length. For fractional second lengths or parts, if sums are
  ///                      integers. For a place on an edge of weight 0 with a second weight.
  /// \throws OverflowRisk as table() of end_points.hpp; OutOfMemory
  ///
  /// A place at a third of an edge's weight has a third of its second weight before it. First lengths are added up in
  /// W: where their sums round, any of the nearly shortest paths may be taken. It takes the time of both tables of the
  /// legs' vertices, with new labels of the targets for each block of rows. Each pair takes a sum for each leg and
  /// place.
  template <detail::HasEdges Of, Distance W>
  DistanceMatrix<T, Host> table(const Of& network, const EndPoints<MinPlus<W>>& from,
                                const EndPoints<MinPlus<W>>& to) const {
    return between(network, from, to, [](const auto&... all) { return detail::table_of_points(all...); });
  }
  /// \brief The same for pairs: entry i is the sum from point i of the sources to point i of the targets.
  /// \param network  as above
  /// \param from     the sources
  /// \param to       the targets, one for each source
  template <detail::HasEdges Of, Distance W>
  std::vector<T> distances(const Of& network, const EndPoints<MinPlus<W>>& from,
                           const EndPoints<MinPlus<W>>& to) const {
    return between(network, from, to, [](const auto&... all) { return detail::pairs_of_points(all...); });
  }

  /// \brief The second sums of the best paths from some vertices to all.
  /// \throws InvalidInput for a source out of range; OutOfMemory
  template <std::ranges::contiguous_range Sources>
  DistanceMatrix<T, Host> distances_from(const Sources& sources) const {
    const auto d = detail::allocate_rows<T>(exec(), std::ranges::size(sources), detail::at(vertices()));
    const auto from = arrivals_.sources(sources);
    const auto to = arrivals_.all_targets();
    std::visit(
        [&](const auto& sums) {
          const std::size_t at_once = sums.network.rows_at_once();
          for (std::size_t first = 0; first < from.size(); first += at_once) {
            const auto some = std::span(from).subspan(first, std::min(at_once, from.size() - first));
            write(sums, sums.network.distances_from(some), to, first, d);
          }
        },
        sums_);
    return d;
  }

 private:
  using Edges = std::vector<Edge<std::int64_t>>;
  /// A network of sums, and where its large questions are answered.
  template <class Number>
  using Asked = std::conditional_t<std::is_same_v<Space, Host>, detail::NetworkOfSums<Number, Host>,
                                   NetworkWithDevice<MinPlus<Number>, Space, Host>>;

  /// Both sums in one integer, the first in its high bits.
  struct InOneInteger {
    Asked<std::int64_t> network;
    int bits;     ///< the bits that hold every second sum
    double unit;  ///< the value of 1 in second sums

    Sum second(std::int64_t both) const {
      if (both == infinity<std::int64_t>) return infinity<Sum>;
      const std::int64_t sum = both & ((std::int64_t{1} << bits) - 1);
      return std::is_integral_v<Sum> ? static_cast<Sum>(sum) : static_cast<Sum>(static_cast<double>(sum) * unit);
    }
  };
  template <class First>
  struct InTwoNumbers {
    Asked<detail::TwoSums<First, Sum>> network;
    detail::Finish<MinPlus<First>> finish;

    Sum second(const detail::TwoSums<First, Sum>& both) const {
      return finish.marked(both.first) == infinity<First> ? infinity<Sum> : both.second;
    }
  };
  using Sums = std::variant<InOneInteger, InTwoNumbers<std::int64_t>, InTwoNumbers<double>>;

  /// A network without its weights.
  struct Plain {
    Space device;
    Host exec;
    std::shared_ptr<const SparseAnalysis> analysis;
    std::shared_ptr<const detail::ArcPlan> plan;
    Direction direction;
    std::function<std::int64_t(std::int64_t)> edge_of,
        vertex_of;  ///< the caller's edge of an edge of this network, and the caller's vertex
  };

  template <class W>
  Sums sums_of(const Space& device, const Network<MinPlus<W>, Host>& network) const {
    const auto same = [](std::int64_t index) { return index; };
    return eliminated({device, network.exec(), network.analysis_, network.arcs_.plan, network.direction(), same, same},
                      detail::first_weights_of(network.structure(), network.arcs_, network.edges()), *second_);
  }
  template <class W>
  Sums sums_of(const Space& device, const RoadNetwork<MinPlus<W>, Host>& roads) const {
    const auto ends = roads.ends();
    const auto& network = roads.network();
    const auto edge_of = [&](std::int64_t arc) { return ends.arrivals.road_of(detail::at(arc)) % second_->size(); };
    const auto vertex_of = [&](std::int64_t arrival) { return arrivals_.vertex_of(arrival); };
    // (In the network a change has given parallel arcs one weight.)
    return eliminated(
        {device, network.exec(), network.analysis_, network.arcs_.plan, network.direction(), edge_of, vertex_of},
        detail::first_weights_of(network.structure(), network.arcs_, ends.arrivals.edges(ends.roads)),
        ends.of_arcs(*second_));
  }

  /// Returns f(network, sums between its vertices, sources, targets), after a check that the points are of this
  /// network.
  template <class Of, class W, class F>
  auto between(const Of& of, const EndPoints<MinPlus<W>>& from, const EndPoints<MinPlus<W>>& to, const F& f) const {
    if (!detail::is_same(of_, of.identity()))
      throw InvalidInput("the network is not the one that the second weights belong to, or its weights were changed");
    const auto& network = detail::plain_of(of);
    detail::require_points_along(of, from.lists(), detail::PointRole::source);
    detail::require_points_along(of, to.lists(), detail::PointRole::target);
    SecondWeights plain = *this;
    plain.arrivals_ = detail::ArrivalLists(network.vertices());
    const detail::PointsWithSums<W, T> sources(of.edges(), *second_, from.lists()),
        targets(of.edges(), *second_, to.lists());
    return f(network, plain, sources, targets);
  }

  /// Chooses how both sums are held, and eliminates the vertices.
  template <class First>
  static Sums eliminated(const Plain& plain, const std::vector<Edge<First>>& edges, std::vector<Sum> second) {
    constexpr std::size_t lists_of_edges = 3, lists_of_numbers = 4;
    detail::require_host_memory(
        "both weights of " + std::to_string(edges.size()) + " edges",
        static_cast<double>(edges.size()) * (lists_of_edges * sizeof(Edge<First>) + lists_of_numbers * sizeof(First)));
    for (std::size_t e = 0; e < edges.size(); ++e)
      if (edges[e].weight == infinity<First>) second[e] = 0;  // (a closed edge is in no sum)
    const std::int64_t n = plain.analysis->vertices();
    const double longest = detail::longest_sum(second, n);
    const auto negative = std::ranges::find_if(second, [](Sum weight) { return weight < 0; });
    if (const std::optional<Edges> whole = detail::in_integers(edges)) {
      const auto range = detail::range_of_integers(*whole);
      if (std::is_integral_v<First> || detail::fits_integers(n, range)) {
        if (negative == second.end())
          if (auto packed = in_one_integer(plain, *whole, second, longest)) return std::move(*packed);
        return in_two_numbers(plain, *whole, second, detail::finish_of<MinPlus<std::int64_t>>(n, range));
      }
    }
    if (negative != second.end())
      throw InvalidInput("the second weight of edge " + std::to_string(plain.edge_of(negative - second.begin())) +
                         " is " + detail::digits_of(*negative) +
                         ", expected 0 or more where sums of the first weights round, or first weights that are whole");
    return in_two_numbers(plain, edges, second, detail::finish_of<MinPlus<First>>(n, WeightRange<First>()));
  }

  template <class First>
  static InTwoNumbers<First> in_two_numbers(const Plain& plain, const std::vector<Edge<First>>& edges,
                                            const std::vector<Sum>& second,
                                            const detail::Finish<MinPlus<First>>& finish) {
    using Both = detail::TwoSums<First, Sum>;
    const auto weight_of = [&](std::uint32_t e) {
      return edges[e].weight == infinity<First> ? infinity<Both> : Both(edges[e].weight, second[e]);
    };
    try {
      return {asked<Both>(plain, weight_of, WeightRange<Both>()), finish};
    } catch (const NegativeCycle& cycle) {
      const std::int64_t vertex = plain.vertex_of(cycle.vertex);
      if constexpr (std::is_floating_point_v<First>) throw NegativeCycle(vertex);
      throw InvalidInput("vertex " + std::to_string(vertex) +
                         " can return to itself with a first sum of 0 and a negative second sum, expected second sums "
                         "of 0 or more there");
    }
  }

  /// Packs both weights, if all sums fit.
  /// \param longest  a bound of the second sums, none of which is negative
  static std::optional<InOneInteger> in_one_integer(const Plain& plain, const Edges& first,
                                                    const std::vector<Sum>& second, double longest) {
    const auto whole = detail::multiples_of(second);
    if (!whole) return {};
    const double past = 1 + std::ldexp(longest, whole->digits);
    if (!(past < 0x1p60)) return {};
    const int bits = 1 + std::ilogb(past);
    Edges packed = first;
    for (std::size_t e = 0; e < packed.size(); ++e) {
      std::int64_t& weight = packed[e].weight;
      if (weight == infinity<std::int64_t>) continue;
      if (std::abs(static_cast<double>(weight)) >= std::ldexp(1., 61 - bits)) return {};
      weight = weight * (std::int64_t{1} << bits) + whole->numbers[e];
    }
    const std::int64_t n = plain.analysis->vertices();
    const auto range = detail::range_of_integers(packed);
    if (!detail::fits_integers(n, range)) return {};
    const auto weight_of = [&](std::uint32_t e) { return packed[e].weight; };
    return InOneInteger{asked<std::int64_t>(plain, weight_of, range), bits, std::ldexp(1., -whole->digits)};
  }

  /// The network of sums with weight_of(e) for edge e.
  template <class Number, class WeightOf>
  static Asked<Number> asked(const Plain& plain, const WeightOf& weight_of, const WeightRange<Number>& range) {
    const auto& edges = plain.plan->edge;
    detail::require_host_memory("both weights of " + std::to_string(edges.size()) + " arcs",
                                static_cast<double>(edges.size()) * sizeof(Number));
    detail::FrontArcs<Number> arcs{plain.plan, {}};
    arcs.weights.reserve(edges.size());
    for (const std::uint32_t e : edges) arcs.weights.push_back(weight_of(e));
    detail::NetworkOfSums<Number, Host> network(plain.exec, plain.analysis, std::move(arcs), plain.direction, range);
    if constexpr (std::is_same_v<Space, Host>)
      return network;
    else
      return {plain.device, network};
  }

  Host exec() const {
    return std::visit([](const auto& sums) { return sums.network.exec(); }, sums_);
  }

  /// The second sum to target j, of the entries of its vertices.
  template <class Of, class Entry>
  static Sum second_of(const Of& sums, const detail::TargetLists& to, std::size_t j, const Entry& entry) {
    using Number = std::decay_t<decltype(entry(j))>;
    return sums.second(to.are_vertices() ? entry(j) : to.template best<MinPlus<Number>>(j, entry));
  }

  /// Writes the second sums of some rows, from row `first` of d on.
  template <class Of, class Rows>
  static void write(const Of& sums, const Rows& rows, const detail::TargetLists& to, std::size_t first,
                    const DistanceMatrix<T, Host>& d) {
    constexpr std::size_t entries = 1 << 14;  // the entries of a task
    const std::size_t count = rows.extent(0), columns = d.extent(1);
    const std::size_t at_once = std::max<std::size_t>(1, entries / std::max<std::size_t>(rows.extent(1), 1));
    const bool single = to.are_vertices();
    detail::for_tasks(sums.network.exec(), static_cast<std::int64_t>(detail::div_up(count, at_once)),
                      "blockfw::second_sums", [&](std::int64_t task) {
                        const std::size_t begin = detail::at(task) * at_once;
                        for (std::size_t i = begin; i < std::min(count, begin + at_once); ++i) {
                          const auto entry = [&](std::size_t c) { return rows(i, c); };
                          if (single)
                            for (std::size_t j = 0; j < columns; ++j) d(first + i, j) = sums.second(rows(i, j));
                          else
                            for (std::size_t j = 0; j < columns; ++j) d(first + i, j) = second_of(sums, to, j, entry);
                        }
                      });
  }

  std::shared_ptr<const std::vector<Sum>> second_;  ///< the second weights of the edges, for points
  detail::Identity of_;                             ///< the identity of the network, or of the network of roads
  detail::ArrivalLists arrivals_;
  Sums sums_;
};

/// Sums in the type of the second weights, by the host.
template <template <Semiring, class> class Of, class W, class Host, std::ranges::contiguous_range Second>
SecondWeights(const Of<MinPlus<W>, Host>&, const Second&) -> SecondWeights<Host, detail::SumOfSecond<Second>>;

/// The same with a device.
template <class ExecSpace, template <Semiring, class> class Of, class W, class Host,
          std::ranges::contiguous_range Second>
SecondWeights(const ExecSpace&, const Of<MinPlus<W>, Host>&, const Second&)
    -> SecondWeights<Host, detail::SumOfSecond<Second>, ExecSpace>;

}  // namespace blockfw

/// Networks of sums: packed, and two numbers with the tables, pairs and rows of these.
#define BLOCKFW_COMPILED_TWO_SUMS(LINKAGE, FIRST, SECOND)                                                            \
  LINKAGE template class blockfw::detail::NetworkOfSums<blockfw::detail::TwoSums<FIRST, SECOND>,                     \
                                                        Kokkos::DefaultHostExecutionSpace>;                          \
  LINKAGE template void blockfw::NetworkQuestions<blockfw::MinPlus<blockfw::detail::TwoSums<FIRST, SECOND>>>::write( \
      const std::vector<std::int32_t>&, const std::vector<std::int32_t>*,                                            \
      const blockfw::DistanceMatrix<blockfw::detail::TwoSums<FIRST, SECOND>, Kokkos::DefaultHostExecutionSpace>&)    \
      const;                                                                                                         \
  LINKAGE template void                                                                                              \
  blockfw::NetworkQuestions<blockfw::MinPlus<blockfw::detail::TwoSums<FIRST, SECOND>>>::write_blocks(                \
      const std::vector<std::int32_t>&, const std::vector<std::int32_t>*, std::int64_t, std::int64_t,                \
      const std::function<void(std::int64_t, const blockfw::DistanceMatrix<blockfw::detail::TwoSums<FIRST, SECOND>,  \
                                                                           Kokkos::DefaultHostExecutionSpace>&)>&)   \
      const;                                                                                                         \
  LINKAGE template std::vector<blockfw::detail::TwoSums<FIRST, SECOND>>                                              \
  blockfw::NetworkQuestions<blockfw::MinPlus<blockfw::detail::TwoSums<FIRST, SECOND>>>::distances_of(                \
      const std::vector<std::int32_t>&, const std::vector<std::int32_t>&) const;
/// All networks of sums.
#define BLOCKFW_COMPILED_SUMS(LINKAGE)                                                                    \
  LINKAGE template class blockfw::detail::NetworkOfSums<std::int64_t, Kokkos::DefaultHostExecutionSpace>; \
  BLOCKFW_COMPILED_TWO_SUMS(LINKAGE, std::int64_t, std::int64_t)                                          \
  BLOCKFW_COMPILED_TWO_SUMS(LINKAGE, std::int64_t, double)                                                \
  BLOCKFW_COMPILED_TWO_SUMS(LINKAGE, double, std::int64_t)                                                \
  BLOCKFW_COMPILED_TWO_SUMS(LINKAGE, double, double)

#if defined(BLOCKFW_COMPILED)
BLOCKFW_COMPILED_SUMS(extern)
#endif
