// SPDX-License-Identifier: MIT
// Networks that are asked many questions.
#include "arrays.hpp"
#include "points.hpp"
#include "rooms.hpp"
#include "runtime.hpp"
#include "solver.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <blockfw/edge_loads.hpp>
#include <blockfw/end_points.hpp>
#include <blockfw/ground/error.hpp>
#include <blockfw/group_sums.hpp>
#include <blockfw/io/network_file.hpp>
#include <blockfw/measures.hpp>
#include <blockfw/network.hpp>
#include <blockfw/network_factor.hpp>
#include <blockfw/second_weights.hpp>
#include <blockfw/turns.hpp>
#include <blockfw/weight_sets.hpp>
#ifdef BLOCKFW_PYTHON_METIS
#include <blockfw/orders/metis.hpp>
#endif
#ifdef BLOCKFW_PYTHON_AMD
#include <blockfw/orders/amd.hpp>
#endif

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace bindings {

namespace {

/// Calls f(first, last) for parts of a list, at least once, and looks for signals after each.
template <class F>
void in_parts(std::size_t size, std::size_t at_once, const F& f) {
  std::size_t first = 0;
  do {
    const std::size_t last = std::min(size, first + at_once);
    f(first, last);
    check_signals();
    first = last;
  } while (first < size);
}

/// The weights of `count` edges, 1 without an array.
template <class T, class Place>
std::vector<T> weights_of(std::size_t count, const std::optional<AnyArray>& weights, const Mask& mask,
                          const Place& place) {
  return numbers_in<T>(count, weights, mask, place, {"edge", "weight"}, T(1));
}

std::string between(std::int32_t from, std::int32_t to) {
  return "from " + std::to_string(from) + " to " + std::to_string(to);
}

template <class T>
std::vector<blockfw::Edge<T>> edges_of(const Vertices& from, const Vertices& to, const std::optional<AnyArray>& weights,
                                       const Mask& mask) {
  const auto tails = list_of(from), heads = list_of(to);
  const std::size_t count = tails.size();
  if (heads.size() != count || (weights && (weights->ndim() != 1 || weights->shape(0) != count)) ||
      (mask && mask->shape(0) != count))
    throw blockfw::InvalidInput("the edges begin at " + std::to_string(count) +
                                " vertices, expected as many ends and weights");
  const auto lengths = weights_of<T>(count, weights, mask, [&](std::size_t e) { return between(tails[e], heads[e]); });
  std::vector<blockfw::Edge<T>> edges;
  edges.reserve(count);
  for (std::size_t e = 0; e < count; ++e) edges.push_back({tails[e], heads[e], lengths[e]});
  return edges;
}

template <class Edges>
std::vector<std::int32_t> order_of(const std::string& name, [[maybe_unused]] std::int64_t n,
                                   [[maybe_unused]] const Edges& edges) {
  if (name == "auto") return {};
  if (name != "metis" && name != "amd")
    throw blockfw::InvalidInput("the order is '" + name + "', expected auto, amd, metis or an array of all vertices");
#ifdef BLOCKFW_PYTHON_METIS
  if (name == "metis") return blockfw::metis_order(n, edges);
#endif
#ifdef BLOCKFW_PYTHON_AMD
  if (name == "amd") return blockfw::amd_order(n, edges);
#endif
  throw blockfw::InvalidInput("the order '" + name + "' is of the component " + name +
                              ", without which this module was built");
}

/// The caller's order of elimination, or the order of a named method.
template <class Edges>
std::vector<std::int32_t> order_of(const std::string& name, const std::optional<Vertices>& places, std::int64_t n,
                                   const Edges& edges) {
  if (!places) return order_of(name, n, edges);
  return {list_of(*places).begin(), list_of(*places).end()};
}

/// The load of each edge.
/// \param demand  of pairs, or else 1
/// \param table   of all sources to all targets, in place of pairs
template <class Network, class List>
blockfw::EdgeLoads loads_in(const Network& network, const List& sources, const List& targets,
                            const std::optional<ConstArray<double>>& demand,
                            const std::optional<ConstMatrix<double>>& table, const blockfw::Progress& progress) {
  if (table) return blockfw::edge_loads(network, sources, targets, view_of(*table), progress);
  if (demand)
    return blockfw::edge_loads(network, sources, targets, std::span(demand->data(), demand->shape(0)), progress);
  return blockfw::edge_loads(network, sources, targets, progress);
}

/// The loads, and the demand without a path.
nb::tuple as_tuple(blockfw::EdgeLoads&& found) {
  return nb::make_tuple(as_array(std::move(found.loads)), found.unserved);
}

/// Where edges begin, where they end, their weights.
template <class T>
nb::tuple arrays_of(std::span<const blockfw::Edge<T>> edges) {
  std::vector<std::int32_t> from, to;
  std::vector<T> weights;
  for (const auto& edge : edges) {
    from.push_back(edge.from);
    to.push_back(edge.to);
    weights.push_back(edge.weight);
  }
  return nb::make_tuple(as_array(std::move(from)), as_array(std::move(to)), as_array(std::move(weights)));
}

/// The offsets of rows, their vertices, and the distances of these.
template <class T>
nb::tuple listed(blockfw::VerticesInReach<T> found) {
  return nb::make_tuple(as_array(std::move(found.first)), as_array(std::move(found.vertices)),
                        as_array(std::move(found.distances)));
}

/// Second weights of a network, with sums of a type. A GPU's module asks the GPU.
template <class Sum>
class SecondOf {
  using Sums = blockfw::SecondWeights<Host, Sum, std::conditional_t<on_host, Host, Exec>>;

 public:
  template <class Network>
  SecondOf(const Network& network, std::span<const Sum> weights) {
    if constexpr (on_host)
      sums_.reset(new Sums(network, weights));
    else
      sums_.reset(new Sums(solver(), network, weights));
  }

  nb::object table(const Vertices& sources, const Vertices& targets) const {
    auto found = [&] {
      const Turn turn(sums_->vertices());
      sums_->run_on(host());
      return sums_->table(list_of(sources), list_of(targets));
    }();
    return as_array(found);
  }
  nb::object distances(const Vertices& sources, const Vertices& targets) const {
    auto found = [&] {
      const Turn turn(sums_->vertices());
      sums_->run_on(host());
      return sums_->distances(list_of(sources), list_of(targets));
    }();
    return as_array(std::move(found));
  }
  /// The sums, on the threads of the call. During a turn.
  const Sums& sums() const {
    sums_->run_on(host());
    return *sums_;
  }

 private:
  std::unique_ptr<Sums, DeleteUnlessForked> sums_;
};

/// Several sets of weights of a network, or of one of roads, in one type.
template <class T>
class WeightSetsOf {
  using Sets = blockfw::WeightSets<blockfw::MinPlus<T>, Host>;

 public:
  template <class Network, class Weights>
  WeightSetsOf(const Network& network, const Weights& weights) : sets_(new Sets(network, weights)) {}

  /// \param d  the rows of all tables, set by set
  void table(const Matrix<T>& d, const Vertices& sources, const Vertices& targets) const {
    const Turn turn(sets_->vertices());
    sets_->run_on(host());
    const auto from = list_of(sources), to = list_of(targets);
    sets_->table(from, to, typename Sets::Tables(d.data(), sets(), from.size(), to.size()));
  }
  nb::object distances(const Vertices& sources, const Vertices& targets) const {
    auto found = [&] {
      const Turn turn(sets_->vertices());
      sets_->run_on(host());
      return sets_->distances(list_of(sources), list_of(targets));
    }();
    return as_array(found);
  }
  std::size_t sets() const { return static_cast<std::size_t>(sets_->sets()); }
  std::int64_t vertices() const { return sets_->vertices(); }

 private:
  std::unique_ptr<Sets, DeleteUnlessForked> sets_;
};

/// Several sets of weights of the edges of a network, or of one of roads.
/// \param sets     the number of sets
/// \param weights  set by set
template <class T, class Network>
std::unique_ptr<WeightSetsOf<T>> sets_in(const Network& network, std::size_t sets, const AnyArray& weights,
                                         const Mask& mask) {
  const std::span<const blockfw::Edge<T>> edges(network.edges());
  if (weights.ndim() != 1 || weights.shape(0) != sets * edges.size())
    throw blockfw::InvalidInput("there are " + std::to_string(weights.size()) + " weights, expected " +
                                std::to_string(sets) + " x " + std::to_string(edges.size()) +
                                ", one for each set and edge");
  const auto place = [&](std::size_t i) {
    const std::size_t e = i % edges.size();
    return "of edge " + std::to_string(e) + " " + between(edges[e].from, edges[e].to) + " in set " +
           std::to_string(i / edges.size());
  };
  const auto held = numbers_in<T>(sets * edges.size(), weights, mask, place, {"entry", "weight"}, T(1));
  const Kokkos::View<const T**, Kokkos::LayoutRight, Kokkos::HostSpace> matrix(held.data(), sets, edges.size());
  return std::make_unique<WeightSetsOf<T>>(network, matrix);
}

/// Second weights of the edges.
template <class Network, class Sum>
std::unique_ptr<SecondOf<Sum>> second_in(const Network& network, const ConstArray<Sum>& weights) {
  return std::make_unique<SecondOf<Sum>>(network, std::span<const Sum>(weights.data(), weights.shape(0)));
}

/// Second sums between points: a table, or pairs.
/// \param in_turn  in_turn(f) calls f during a turn, with the network or the network of roads of the points
template <class InTurn, class Sum, class Points>
nb::object sums_in(const InTurn& in_turn, const SecondOf<Sum>& second, const Points& sources, const Points& targets,
                   bool pairs) {
  if (pairs)
    return as_array(
        in_turn([&](const auto& network) { return second.sums().distances(network, sources.from(), targets.to()); }));
  return as_array(
      in_turn([&](const auto& network) { return second.sums().table(network, sources.from(), targets.to()); }));
}

/// A network in one type.
template <class T>
class NetworkOf {
  /// (A network runs on the threads of the call, not on the threads of its making.)
  struct Net : blockfw::Network<blockfw::MinPlus<T>, Host> {
    using Base = blockfw::Network<blockfw::MinPlus<T>, Host>;
    using Base::Base;
    explicit Net(Base&& base) : Base(std::move(base)) {}
  };
  /// The object that answers: in a module for GPUs, the network together with the GPU.
  using Asked = std::conditional_t<on_host, typename Net::Base, blockfw::NetworkWithDevice<blockfw::MinPlus<T>, Exec>>;
  using Points = PointsOf<T>;

 public:
  NetworkOf(std::int64_t n, const Vertices& from, const Vertices& to, const std::optional<AnyArray>& weights,
            const Mask& mask, bool directed, const std::string& order, const std::optional<Vertices>& places,
            bool strict_cycles, const nb::object& progress) {
    const Turn turn(n);
    const auto edges = edges_of<T>(from, to, weights, mask);
    blockfw::NetworkOptions options{
        .direction = direction_of(directed), .progress = watch(progress), .strict_cycles = strict_cycles};
    options.order = order_of(order, places, n, edges);
    network_.reset(new Net(host(), n, edges, options));
  }

  /// The same structure with other weights.
  std::unique_ptr<NetworkOf> with_weights(const AnyArray& weights, const Mask& mask) const {
    return in_turn([&](const Net& network) {
      const auto& edges = network.edges();
      if (weights.ndim() != 1 || weights.shape(0) != edges.size())
        throw blockfw::InvalidInput("there are " + std::to_string(weights.size()) + " weights, expected " +
                                    std::to_string(edges.size()) + ", one for each edge");
      const auto place = [&](std::size_t e) { return between(edges[e].from, edges[e].to); };
      return of(network.with_weights(weights_of<T>(edges.size(), weights, mask, place)));
    });
  }

  /// The same with other weights of the edges with these ends.
  std::unique_ptr<NetworkOf> with_changes(const Vertices& from, const Vertices& to, const AnyArray& weights,
                                          const Mask& mask) const {
    return in_turn([&](const Net& network) { return of(network.with_changes(edges_of<T>(from, to, weights, mask))); });
  }

  /// The same structure with several sets of weights.
  std::unique_ptr<WeightSetsOf<T>> with_sets(std::size_t sets, const AnyArray& weights, const Mask& mask) const {
    return in_turn([&](const Net& network) { return sets_in<T>(network, sets, weights, mask); });
  }
  template <class Sum>
  std::unique_ptr<SecondOf<Sum>> with_second(const ConstArray<Sum>& weights) const {
    return in_turn([&](const Net& network) { return second_in(network, weights); });
  }
  template <class Sum>
  nb::object along(const SecondOf<Sum>& second, const Points& sources, const Points& targets, bool pairs) const {
    return sums_in([&](const auto& f) { return in_turn(f); }, second, sources, targets, pairs);
  }

  void save(const std::string& name) const {
    in_turn([&](const Net& network) { blockfw::save_network(name, network); });
  }
  nb::bytes bytes() const {
    const std::string all = in_turn([&](const Net& network) { return blockfw::bytes_of_network(network); });
    return nb::bytes(all.data(), all.size());
  }
  static std::unique_ptr<NetworkOf> load(const std::string& name) {
    const Turn turn(0);
    return of(blockfw::load_network<blockfw::MinPlus<T>>(host(), name));
  }
  static std::unique_ptr<NetworkOf> of_bytes(const nb::bytes& bytes) {
    const std::span<const char> all(bytes.c_str(), bytes.size());
    const Turn turn(0);
    return of(blockfw::network_of_bytes<blockfw::MinPlus<T>>(host(), all));
  }

  std::unique_ptr<Points> points(std::int64_t count, const Vertices& point, const Vertices& vertex,
                                 const std::optional<AnyArray>& lengths, const Mask& mask,
                                 const std::optional<ConstArray<double>>& second) const {
    return in_turn([&](const Net& network) {
      return std::make_unique<Points>(blockfw::EndPoints<blockfw::MinPlus<T>>(
          network, count, Points::legs_of(point, vertex, lengths, mask), Points::second_of(second)));
    });
  }
  std::unique_ptr<Points> points_at(const Vertices& vertices) const {
    return in_turn([&](const Net& network) {
      return std::make_unique<Points>(blockfw::EndPoints<blockfw::MinPlus<T>>(network, list_of(vertices)));
    });
  }
  std::unique_ptr<Points> on_edges(std::int64_t count, const Vertices& point, const Vertices& edge,
                                   const std::optional<ConstArray<double>>& fractions,
                                   const std::optional<AnyArray>& at) const {
    return in_turn([&](const Net& network) {
      return std::make_unique<Points>(
          Points::on_edges(static_cast<const typename Net::Base&>(network), count, point, edge, fractions, at));
    });
  }

  /// The same questions of points.
  void table_of_points(const Matrix<T>& d, const Points& sources, const Points& targets) const {
    write_points(d, sources, &targets.to().lists());
  }
  void rows_of_points(const Matrix<T>& d, const Points& sources) const { write_points(d, sources, nullptr); }
  nb::object distances_of_points(const Points& sources, const Points& targets) const {
    return as_array(ask([&](const Asked& network) {
      return blockfw::detail::pairs_of_points<blockfw::MinPlus<T>>(network, sources.from().lists(),
                                                                   targets.to().lists(), check_signals);
    }));
  }
  nb::tuple nearest_of_points(const Points& places, std::int64_t count, const Points& of) const {
    auto found = ask([&](const Asked& network) { return blockfw::nearest(network, of.from(), places.to(), count); });
    return nb::make_tuple(as_array(std::move(found.place)), as_array(std::move(found.distance)));
  }
  nb::tuple within_of_points(const Points& sources, const ConstArray<T>& limits) const {
    return listed(ask([&](const Asked& network) { return blockfw::within(network, sources.from(), list_of(limits)); }));
  }
  nb::object count_within_of_points(const Points& sources, const ConstArray<T>& limits) const {
    return as_array(
        ask([&](const Asked& network) { return blockfw::count_within(network, sources.from(), list_of(limits)); }));
  }

  void table(const Matrix<T>& d, const Vertices& sources, const Vertices& targets) const {
    constexpr std::size_t least_rows = 8192, entries = std::size_t(1) << 28;
    ask([&](const Asked& network) {
      const auto to = list_of(targets);
      const auto rows = view_of(d);
      in_parts(sources.size(), std::max(least_rows, entries / std::max<std::size_t>(to.size(), 1)),
               [&](std::size_t first, std::size_t last) {
                 const auto from = list_of(sources).subspan(first, last - first);
                 const auto part = Kokkos::subview(rows, Kokkos::pair(first, last), Kokkos::ALL);
                 network.table(from, to, part);
               });
    });
  }

  void rows(const Matrix<T>& d, const Vertices& sources) const {
    constexpr std::size_t rows_of_thread = 64, entries = std::size_t(1) << 26;
    ask([&](const Asked& network) {
      const auto rows = view_of(d);
      const auto threads = static_cast<std::size_t>(host().concurrency());
      in_parts(sources.size(), std::max(rows_of_thread * threads, entries / std::max<std::size_t>(rows.extent(1), 1)),
               [&](std::size_t first, std::size_t last) {
                 const auto from = list_of(sources).subspan(first, last - first);
                 const auto part = Kokkos::subview(rows, Kokkos::pair(first, last), Kokkos::ALL);
                 network.distances_from(from, part);
               });
    });
  }

  nb::object distances(const Vertices& sources, const Vertices& targets) const {
    constexpr std::size_t pairs = std::size_t(1) << 20;
    return as_array(ask([&](const Asked& network) {
      if (sources.size() == targets.size() && sources.size() > pairs) {
        std::vector<T> all;
        all.reserve(sources.size());
        in_parts(sources.size(), pairs, [&](std::size_t first, std::size_t last) {
          const auto some = network.distances(list_of(sources).subspan(first, last - first),
                                              list_of(targets).subspan(first, last - first));
          all.insert(all.end(), some.begin(), some.end());
        });
        return all;
      }
      return network.distances(list_of(sources), list_of(targets));
    }));
  }

  void keep_labels(double memory) {
    const Turn turn(network_->vertices());
    has_labels_ = false;
    asked().keep_labels(memory);
    has_labels_ = asked().has_labels();
  }
  bool has_labels() const { return has_labels_; }
  double label_bytes() const { return network_->label_bytes(); }

  /// The offsets of the paths, and their vertices.
  nb::tuple paths(const Vertices& sources, const Vertices& targets) const {
    auto found = ask([&](const Asked& network) { return network.paths(list_of(sources), list_of(targets)); });
    return nb::make_tuple(as_array(std::move(found.first)), as_array(std::move(found.vertices)));
  }
  /// The same with their edges.
  nb::tuple path_edges(const Vertices& sources, const Vertices& targets) const {
    auto found = ask([&](const Asked& network) { return network.path_edges(list_of(sources), list_of(targets)); });
    return nb::make_tuple(as_array(std::move(found.first)), as_array(std::move(found.edges)));
  }

  nb::tuple edge_loads(const Vertices& sources, const Vertices& targets,
                       const std::optional<ConstArray<double>>& demand, const std::optional<ConstMatrix<double>>& table,
                       const nb::object& progress) const {
    return as_tuple(ask([&](const Asked& network) {
      return loads_in(network, list_of(sources), list_of(targets), demand, table, watch(progress));
    }));
  }

  /// The indices of the nearest places, and their distances, of all vertices or of some.
  nb::tuple nearest(const Vertices& places, std::int64_t count, const std::optional<Vertices>& of) const {
    auto found = ask([&](const Asked& network) {
      return of ? network.nearest(list_of(*of), list_of(places), count) : network.nearest(list_of(places), count);
    });
    return nb::make_tuple(as_array(std::move(found.place)), as_array(std::move(found.distance)));
  }

  /// The vertices within each source's limit.
  nb::tuple within(const Vertices& sources, const ConstArray<T>& limits) const {
    return listed(ask([&](const Asked& network) { return network.within(list_of(sources), list_of(limits)); }));
  }

  /// For each source the numbers of vertices within all limits.
  nb::object count_within(const Vertices& sources, const ConstArray<T>& limits) const {
    return as_array(ask([&](const Asked& network) { return network.count_within(list_of(sources), list_of(limits)); }));
  }

  nb::tuple edges() const { return arrays_of<T>(network_->edges()); }

  std::int64_t vertices() const { return network_->vertices(); }
  std::size_t edge_count() const { return network_->edges().size(); }
  bool directed() const { return network_->direction() == blockfw::Direction::directed; }

  static std::unique_ptr<NetworkOf> of(typename Net::Base&& network) {
    return std::unique_ptr<NetworkOf>(new NetworkOf(std::move(network)));
  }
  /// The network itself.
  const typename Net::Base& plain() const { return *network_; }

  /// Calls f with the network during a turn.
  template <class F>
  auto in_turn(const F& f) const {
    const Turn turn(network_->vertices());
    network_->run_on(host());
    return f(std::as_const(*network_));
  }

  /// Calls f during a turn, with the object that answers.
  template <class F>
  auto ask(const F& f) const {
    const Turn turn(network_->vertices());
    return f(std::as_const(asked()));
  }

 private:
  explicit NetworkOf(typename Net::Base&& network) : network_(new Net(std::move(network))) {}

  /// Writes rows of distances from points, and looks for signals after each block of them.
  /// \param targets  null: all vertices
  void write_points(const Matrix<T>& d, const Points& sources, const blockfw::detail::PointLists<T>* targets) const {
    ask([&](const Asked& network) {
      const blockfw::DistanceMatrix<T, Host> rows = view_of(d);
      blockfw::detail::write_points<blockfw::MinPlus<T>, Host>(network, sources.from().lists(), targets, &rows, 0,
                                                               [](std::int64_t, const auto&) { check_signals(); });
    });
  }

  /// The object that answers, on the threads of the call. During a turn.
  Asked& asked() const {
    network_->run_on(host());
    if constexpr (on_host) {
      return *network_;
    } else {
      if (!asked_) asked_.reset(new Asked(solver(), *network_));
      asked_->run_on(host());
      return *asked_;
    }
  }

  std::unique_ptr<Net, DeleteUnlessForked> network_;
  mutable std::unique_ptr<Asked, DeleteUnlessForked> asked_;  ///< of a GPU's module
  std::atomic<bool> has_labels_ = false;                      // (read without a turn)
};

/// A caller's turns between roads, and the rules for other turns.
struct GivenTurns {
  const Vertices &from, &to;
  const std::optional<AnyArray>& costs;  ///< without costs, the turns are forbidden
  const Mask& mask;
  const Vertices &only_from, &only_to;
  const std::string& u_turns;
  const std::optional<AnyArray>& u_turn_cost;

  template <class T>
  std::vector<blockfw::Turn<T>> list() const {
    const auto before = list_of(from), after = list_of(to);
    const auto place = [&](std::size_t i) {
      return "from road " + std::to_string(before[i]) + " to road " + std::to_string(after[i]);
    };
    const auto held = numbers_in<T>(before.size(), costs, mask, place, {"turn", "cost"}, blockfw::infinity<T>);
    std::vector<blockfw::Turn<T>> turns;
    turns.reserve(before.size());
    for (std::size_t i = 0; i < before.size(); ++i) turns.push_back({before[i], after[i], held[i]});
    return turns;
  }
  template <class T>
  blockfw::RoadOptions<T> rules(bool directed) const {
    blockfw::RoadOptions<T> options{.direction = direction_of(directed)};
    if (u_turns != "allowed")
      options.u_turns = u_turns == "forbidden" ? blockfw::UTurns::forbidden : blockfw::UTurns::dead_ends;
    if (u_turn_cost)
      options.u_turn_cost =
          numbers_in<T>(1, u_turn_cost, {}, [](std::size_t) { return "of U-turns"; }, {"rule", "cost"}, T(0))[0];
    const auto before = list_of(only_from), after = list_of(only_to);
    for (std::size_t i = 0; i < before.size(); ++i) options.only.emplace_back(before[i], after[i]);
    return options;
  }
};

/// A network of roads with turns in one type.
template <class T>
class RoadNetworkOf {
  using Roads = blockfw::RoadNetwork<blockfw::MinPlus<T>, Host>;
  using Points = PointsOf<T>;

 public:
  RoadNetworkOf(std::int64_t n, const Vertices& from, const Vertices& to, const std::optional<AnyArray>& weights,
                const Mask& mask, const Vertices& turn_from, const Vertices& turn_to,
                const std::optional<AnyArray>& costs, const Mask& cost_mask, const Vertices& only_from,
                const Vertices& only_to, const std::string& u_turns, const std::optional<AnyArray>& u_turn_cost,
                bool directed, const std::string& order, const std::optional<Vertices>& places, bool strict_cycles,
                const nb::object& progress) {
    const Turn turn(n);
    const GivenTurns given{turn_from, turn_to, costs, cost_mask, only_from, only_to, u_turns, u_turn_cost};
    const auto edges = edges_of<T>(from, to, weights, mask);
    auto options = given.rules<T>(directed);
    options.order = order_of(order, places, n, edges);
    options.progress = watch(progress);
    options.strict_cycles = strict_cycles;
    roads_.reset(new Roads(host(), n, edges, given.list<T>(), options));
  }

  /// The same roads out of their plain network.
  static std::unique_ptr<RoadNetworkOf> of_network(const NetworkOf<T>& network, std::int64_t n, const Vertices& from,
                                                   const Vertices& to, const std::optional<AnyArray>& weights,
                                                   const Mask& mask, const Vertices& turn_from, const Vertices& turn_to,
                                                   const std::optional<AnyArray>& costs, const Mask& cost_mask,
                                                   const Vertices& only_from, const Vertices& only_to,
                                                   const std::string& u_turns,
                                                   const std::optional<AnyArray>& u_turn_cost, bool directed) {
    const Turn turn(n);
    const GivenTurns given{turn_from, turn_to, costs, cost_mask, only_from, only_to, u_turns, u_turn_cost};
    return of(
        Roads(network.plain(), n, edges_of<T>(from, to, weights, mask), given.list<T>(), given.rules<T>(directed)));
  }

  /// The plain network. It shares the numbers.
  std::unique_ptr<NetworkOf<T>> network() const {
    const Turn turn(roads_->vertices());
    auto plain = roads_->network();
    return NetworkOf<T>::of(std::move(plain));
  }

  std::unique_ptr<RoadNetworkOf> with_weights(const AnyArray& weights, const Mask& mask) const {
    return in_turn([&](const Roads& roads) {
      const auto edges = roads.edges();
      if (weights.ndim() != 1 || weights.shape(0) != edges.size())
        throw blockfw::InvalidInput("there are " + std::to_string(weights.size()) + " weights, expected " +
                                    std::to_string(edges.size()) + ", one for each edge");
      const auto place = [&](std::size_t e) { return between(edges[e].from, edges[e].to); };
      return of(roads.with_weights(weights_of<T>(edges.size(), weights, mask, place)));
    });
  }
  std::unique_ptr<RoadNetworkOf> with_changes(const Vertices& from, const Vertices& to, const AnyArray& weights,
                                              const Mask& mask) const {
    return in_turn([&](const Roads& roads) { return of(roads.with_changes(edges_of<T>(from, to, weights, mask))); });
  }

  /// The same roads and turns with several sets of weights.
  std::unique_ptr<WeightSetsOf<T>> with_sets(std::size_t sets, const AnyArray& weights, const Mask& mask) const {
    return in_turn([&](const Roads& roads) { return sets_in<T>(roads, sets, weights, mask); });
  }
  template <class Sum>
  std::unique_ptr<SecondOf<Sum>> with_second(const ConstArray<Sum>& weights) const {
    return in_turn([&](const Roads& roads) { return second_in(roads, weights); });
  }
  template <class Sum>
  nb::object along(const SecondOf<Sum>& second, const Points& sources, const Points& targets, bool pairs) const {
    return sums_in([&](const auto& f) { return in_turn(f); }, second, sources, targets, pairs);
  }

  /// Points for the plain network.
  std::unique_ptr<Points> points(std::int64_t count, const Vertices& point, const Vertices& vertex,
                                 const std::optional<AnyArray>& lengths, const Mask& mask,
                                 const std::optional<ConstArray<double>>& second) const {
    return in_turn([&](const Roads& roads) {
      const auto legs = Points::legs_of(point, vertex, lengths, mask);
      const auto of_legs = Points::second_of(second);
      return both(roads.from_legs(count, legs, of_legs), roads.to_legs(count, legs, of_legs));
    });
  }
  std::unique_ptr<Points> points_at(const Vertices& vertices) const {
    return in_turn([&](const Roads& roads) {
      return both(roads.from_vertices(list_of(vertices)), roads.to_vertices(list_of(vertices)));
    });
  }
  std::unique_ptr<Points> on_edges(std::int64_t count, const Vertices& point, const Vertices& edge,
                                   const std::optional<ConstArray<double>>& fractions,
                                   const std::optional<AnyArray>& at) const {
    return in_turn([&](const Roads& roads) {
      return std::make_unique<Points>(Points::on_edges(roads, count, point, edge, fractions, at));
    });
  }

  /// The vertices within each source's limit, and their numbers within all limits.
  nb::tuple within(const Points& sources, const ConstArray<T>& limits) const {
    return listed(in_turn([&](const Roads& roads) { return roads.within(sources.from(), list_of(limits)); }));
  }
  nb::object count_within(const Points& sources, const ConstArray<T>& limits) const {
    return as_array(in_turn([&](const Roads& roads) { return roads.count_within(sources.from(), list_of(limits)); }));
  }

  /// The offsets of the paths, and their roads.
  nb::tuple paths(const Vertices& sources, const Vertices& targets) const {
    auto found = in_turn([&](const Roads& roads) { return roads.path_roads(list_of(sources), list_of(targets)); });
    return nb::make_tuple(as_array(std::move(found.first)), as_array(std::move(found.roads)));
  }
  /// The same with edges in place of roads.
  nb::tuple path_edges(const Vertices& sources, const Vertices& targets) const {
    auto found = in_turn([&](const Roads& roads) { return roads.path_edges(list_of(sources), list_of(targets)); });
    return nb::make_tuple(as_array(std::move(found.first)), as_array(std::move(found.edges)));
  }
  nb::tuple edge_loads(const Vertices& sources, const Vertices& targets,
                       const std::optional<ConstArray<double>>& demand, const std::optional<ConstMatrix<double>>& table,
                       const nb::object& progress) const {
    return as_tuple(in_turn([&](const Roads& roads) {
      return loads_in(roads, list_of(sources), list_of(targets), demand, table, watch(progress));
    }));
  }

  nb::tuple edges() const { return arrays_of<T>(roads_->edges()); }
  std::int64_t vertices() const { return roads_->vertices(); }
  std::size_t edge_count() const { return roads_->edges().size(); }
  bool directed() const { return roads_->direction() == blockfw::Direction::directed; }

  /// Calls f with the roads during a turn. They answer all questions.
  template <class F>
  auto in_turn(const F& f) const {
    const Turn turn(roads_->vertices());
    roads_->run_on(host());
    return f(std::as_const(*roads_));
  }
  template <class F>
  auto ask(const F& f) const {
    return in_turn(f);
  }

 private:
  explicit RoadNetworkOf(Roads&& roads) : roads_(new Roads(std::move(roads))) {}
  static std::unique_ptr<RoadNetworkOf> of(Roads&& roads) {
    return std::unique_ptr<RoadNetworkOf>(new RoadNetworkOf(std::move(roads)));
  }
  static std::unique_ptr<Points> both(blockfw::EndPoints<blockfw::MinPlus<T>> from,
                                      blockfw::EndPoints<blockfw::MinPlus<T>> to) {
    return std::make_unique<Points>(blockfw::PlacesOnEdges<blockfw::MinPlus<T>>{std::move(from), std::move(to)});
  }

  std::unique_ptr<Roads, DeleteUnlessForked> roads_;
};

/// Calls f(first, rows) for blocks of whole rows: of all vertices, or of points.
template <class T, class F>
void for_whole_rows(const blockfw::Network<blockfw::MinPlus<T>, Host>& network, const PointsOf<T>* of, const F& f) {
  of ? blockfw::for_whole_rows(network, of->from(), f) : network.for_whole_rows(f);
}
template <class T, class F>
void for_whole_rows(const blockfw::RoadNetwork<blockfw::MinPlus<T>, Host>& roads, const PointsOf<T>* of, const F& f) {
  of ? roads.for_whole_rows(of->from(), f) : roads.for_whole_rows(f);
}

/// The same, and the progress with the rows that are done. During a turn.
template <class T, class Network, class F>
void for_rows_with_progress(const Network& network, const PointsOf<T>* of, const nb::object& progress, const F& f) {
  const blockfw::Progress done = watch(progress);
  const std::int64_t count = of ? static_cast<std::int64_t>(of->size()) : network.vertices();
  for_whole_rows(network, of, [&](std::int64_t first, const auto& rows) {
    f(first, rows);
    done(first + static_cast<std::int64_t>(rows.extent(0)), count);
  });
}

/// \brief Summaries of all distances in one type.
/// \tparam N  NetworkOf or RoadNetworkOf
template <class N, class T>
struct SummariesOf {
  /// For each vertex: the number of vertices that it reaches, the sum of their distances, the longest distance.
  static nb::tuple reach(const N& n, bool from_others, const nb::object& progress) {
    std::vector<std::int64_t> vertices;
    std::vector<typename blockfw::Reach<T>::Sum> sum;
    std::vector<T> farthest;
    n.ask([&](const auto& network) {
      const auto towards = from_others ? blockfw::Towards::itself : blockfw::Towards::others;
      for (const auto& r : network.reach(towards, watch(progress))) {
        vertices.push_back(r.vertices);
        sum.push_back(r.sum);
        farthest.push_back(r.farthest);
      }
    });
    return nb::make_tuple(as_array(std::move(vertices)), as_array(std::move(sum)), as_array(std::move(farthest)));
  }

  /// The pairs of each bin, the pairs at a negative distance, the pairs without a path.
  static nb::tuple histogram(const N& n, T width, std::int64_t bins, const nb::object& progress) {
    blockfw::DistanceHistogram<T> histogram(width, bins);
    n.in_turn([&](const auto& network) {
      for_rows_with_progress<T>(network, nullptr, progress,
                                [&](std::int64_t first, const auto& rows) { histogram.add(host(), first, rows); });
    });
    return nb::make_tuple(as_array(histogram.counts()), histogram.negative(), histogram.unreachable());
  }

  /// \brief Writes for each row and group the number of reached vertices, or the sum of their weights, and the sum of
  /// distances.
  /// \param reached, sum  rows x groups; within several limits rows x (groups x limits)
  /// \param decay         the values of a decay, if there is one. Then `step` counts, and no limit.
  /// \param of            the points that have the rows; null: all vertices
  static void group_sums(const N& n, const Matrix<double>& reached, const Matrix<double>& sum, const Vertices& group_of,
                         const std::optional<ConstArray<double>>& weights, const ConstArray<T>& limits,
                         const std::optional<ConstArray<double>>& decay, double step, std::int64_t count,
                         const PointsOf<T>* of, const nb::object& progress) {
    blockfw::GroupOptions options{.groups = count};
    if (weights) options.weights.assign(list_of(*weights).begin(), list_of(*weights).end());
    const std::vector<std::int32_t> groups_of(list_of(group_of).begin(), list_of(group_of).end());
    const std::vector<T> within(list_of(limits).begin(), list_of(limits).end());
    blockfw::DistanceDecay by_decay{.step = step};
    if (decay) by_decay.values.assign(list_of(*decay).begin(), list_of(*decay).end());
    const auto all_reached = view_of(reached), all_sums = view_of(sum);
    n.in_turn([&](const auto& network) {
      const blockfw::VertexGroups<Host> groups(host(), groups_of, options);
      for_rows_with_progress<T>(network, of, progress, [&](std::int64_t first, const auto& rows) {
        const Kokkos::pair here(first, first + static_cast<std::int64_t>(rows.extent(0)));
        const auto some_reached = Kokkos::subview(all_reached, here, Kokkos::ALL);
        const auto some_sums = Kokkos::subview(all_sums, here, Kokkos::ALL);
        if (decay) {
          blockfw::group_sums(host(), rows, groups, by_decay, some_reached, some_sums);
        } else if (within.size() == 1) {
          blockfw::group_sums(host(), rows, groups, within.front(), some_reached, some_sums);
        } else {
          const auto by_limit = [&](const auto& matrix) {
            return typename blockfw::GroupSumsOfLimits<Host>::Array(matrix.data(), rows.extent(0),
                                                                    static_cast<std::size_t>(count), within.size());
          };
          blockfw::group_sums(host(), rows, groups, within, by_limit(some_reached), by_limit(some_sums));
        }
      });
    });
  }

  static void bind(nb::class_<N>& type) {
    type.def("reach", &reach, nb::arg("from_others"), nb::arg("progress").none())
        .def("histogram", &histogram, nb::arg("width"), nb::arg("bins"), nb::arg("progress").none())
        .def("group_sums", &group_sums, nb::arg("reached").noconvert(), nb::arg("sum").noconvert(), nb::arg("group_of"),
             nb::arg("weights").none(), nb::arg("limits"), nb::arg("decay").none(), nb::arg("step"), nb::arg("count"),
             nb::arg("of").none(), nb::arg("progress").none());
  }
};

}  // namespace

void bind_network(nb::module_& m) {
  const auto bind_second = [&]<class Sum>() {
    using Second = SecondOf<Sum>;
    nb::class_<Second>(m, (std::string("Second_") + numpy_name<Sum>()).c_str())
        .def("table", &Second::table, nb::arg("sources"), nb::arg("targets"))
        .def("distances", &Second::distances, nb::arg("sources"), nb::arg("targets"));
  };
  bind_second.template operator()<std::int64_t>();
  bind_second.template operator()<double>();
  for_each_type([&]<class T>() {
    using W = WeightSetsOf<T>;
    nb::class_<W>(m, (std::string("WeightSets_") + numpy_name<T>()).c_str())
        .def("table", &W::table, nb::arg("d").noconvert(), nb::arg("sources"), nb::arg("targets"))
        .def("distances", &W::distances, nb::arg("sources"), nb::arg("targets"))
        .def_prop_ro("sets", &W::sets)
        .def_prop_ro("vertices", &W::vertices);
    using N = NetworkOf<T>;
    nb::class_<PointsOf<T>>(m, (std::string("Points_") + numpy_name<T>()).c_str()).def("__len__", &PointsOf<T>::size);
    nb::class_<N> network(m, (std::string("Network_") + numpy_name<T>()).c_str());
    network
        .def(nb::init<std::int64_t, const Vertices&, const Vertices&, const std::optional<AnyArray>&, const Mask&, bool,
                      const std::string&, const std::optional<Vertices>&, bool, const nb::object&>(),
             nb::arg("n"), nb::arg("from_"), nb::arg("to"), nb::arg("weights").none(), nb::arg("mask").none(),
             nb::arg("directed"), nb::arg("order"), nb::arg("places").none(), nb::arg("strict_cycles"),
             nb::arg("progress").none())
        .def("with_weights", &N::with_weights, nb::arg("weights"), nb::arg("mask").none())
        .def("with_changes", &N::with_changes, nb::arg("from_"), nb::arg("to"), nb::arg("weights"),
             nb::arg("mask").none())
        .def("with_sets", &N::with_sets, nb::arg("sets"), nb::arg("weights"), nb::arg("mask").none())
        .def("with_second", &N::template with_second<std::int64_t>, nb::arg("weights").noconvert())
        .def("with_second", &N::template with_second<double>, nb::arg("weights").noconvert())
        .def("along", &N::template along<std::int64_t>, nb::arg("second"), nb::arg("sources"), nb::arg("targets"),
             nb::arg("pairs"))
        .def("along", &N::template along<double>, nb::arg("second"), nb::arg("sources"), nb::arg("targets"),
             nb::arg("pairs"))
        .def("save", &N::save, nb::arg("name"))
        .def("bytes", &N::bytes)
        .def_static("load", &N::load, nb::arg("name"))
        .def_static("of_bytes", &N::of_bytes, nb::arg("bytes"))
        .def("table", &N::table, nb::arg("d").noconvert(), nb::arg("sources"), nb::arg("targets"))
        .def("table", &N::table_of_points, nb::arg("d").noconvert(), nb::arg("sources"), nb::arg("targets"))
        .def("rows", &N::rows, nb::arg("d").noconvert(), nb::arg("sources"))
        .def("rows", &N::rows_of_points, nb::arg("d").noconvert(), nb::arg("sources"))
        .def("distances", &N::distances, nb::arg("sources"), nb::arg("targets"))
        .def("distances", &N::distances_of_points, nb::arg("sources"), nb::arg("targets"))
        .def("keep_labels", &N::keep_labels, nb::arg("memory"))
        .def_prop_ro("has_labels", &N::has_labels)
        .def_prop_ro("label_bytes", &N::label_bytes)
        .def("paths", &N::paths, nb::arg("sources"), nb::arg("targets"))
        .def("path_edges", &N::path_edges, nb::arg("sources"), nb::arg("targets"))
        .def("edge_loads", &N::edge_loads, nb::arg("sources"), nb::arg("targets"), nb::arg("demand").none(),
             nb::arg("table").none(), nb::arg("progress").none())
        .def("nearest", &N::nearest, nb::arg("places"), nb::arg("count"), nb::arg("of").none())
        .def("nearest", &N::nearest_of_points, nb::arg("places"), nb::arg("count"), nb::arg("of"))
        .def("within", &N::within, nb::arg("sources"), nb::arg("limits"))
        .def("within", &N::within_of_points, nb::arg("sources"), nb::arg("limits"))
        .def("count_within", &N::count_within, nb::arg("sources"), nb::arg("limits"))
        .def("count_within", &N::count_within_of_points, nb::arg("sources"), nb::arg("limits"))
        .def("points", &N::points, nb::arg("count"), nb::arg("point"), nb::arg("vertex"), nb::arg("lengths").none(),
             nb::arg("mask").none(), nb::arg("second").none())
        .def("points_at", &N::points_at, nb::arg("vertices"))
        .def("on_edges", &N::on_edges, nb::arg("count"), nb::arg("point"), nb::arg("edge"), nb::arg("fractions").none(),
             nb::arg("at").none())
        .def("edges", &N::edges)
        .def_prop_ro("vertices", &N::vertices)
        .def_prop_ro("edge_count", &N::edge_count)
        .def_prop_ro("directed", &N::directed);
    SummariesOf<N, T>::bind(network);
    using R = RoadNetworkOf<T>;
    nb::class_<R> roads(m, (std::string("RoadNetwork_") + numpy_name<T>()).c_str());
    roads
        .def(nb::init<std::int64_t, const Vertices&, const Vertices&, const std::optional<AnyArray>&, const Mask&,
                      const Vertices&, const Vertices&, const std::optional<AnyArray>&, const Mask&, const Vertices&,
                      const Vertices&, const std::string&, const std::optional<AnyArray>&, bool, const std::string&,
                      const std::optional<Vertices>&, bool, const nb::object&>(),
             nb::arg("n"), nb::arg("from_"), nb::arg("to"), nb::arg("weights").none(), nb::arg("mask").none(),
             nb::arg("turn_from"), nb::arg("turn_to"), nb::arg("costs").none(), nb::arg("cost_mask").none(),
             nb::arg("only_from"), nb::arg("only_to"), nb::arg("u_turns"), nb::arg("u_turn_cost").none(),
             nb::arg("directed"), nb::arg("order"), nb::arg("places").none(), nb::arg("strict_cycles"),
             nb::arg("progress").none())
        .def_static("of_network", &R::of_network, nb::arg("network"), nb::arg("n"), nb::arg("from_"), nb::arg("to"),
                    nb::arg("weights").none(), nb::arg("mask").none(), nb::arg("turn_from"), nb::arg("turn_to"),
                    nb::arg("costs").none(), nb::arg("cost_mask").none(), nb::arg("only_from"), nb::arg("only_to"),
                    nb::arg("u_turns"), nb::arg("u_turn_cost").none(), nb::arg("directed"))
        .def("network", &R::network)
        .def("with_weights", &R::with_weights, nb::arg("weights"), nb::arg("mask").none())
        .def("with_changes", &R::with_changes, nb::arg("from_"), nb::arg("to"), nb::arg("weights"),
             nb::arg("mask").none())
        .def("with_sets", &R::with_sets, nb::arg("sets"), nb::arg("weights"), nb::arg("mask").none())
        .def("with_second", &R::template with_second<std::int64_t>, nb::arg("weights").noconvert())
        .def("with_second", &R::template with_second<double>, nb::arg("weights").noconvert())
        .def("along", &R::template along<std::int64_t>, nb::arg("second"), nb::arg("sources"), nb::arg("targets"),
             nb::arg("pairs"))
        .def("along", &R::template along<double>, nb::arg("second"), nb::arg("sources"), nb::arg("targets"),
             nb::arg("pairs"))
        .def("points", &R::points, nb::arg("count"), nb::arg("point"), nb::arg("vertex"), nb::arg("lengths").none(),
             nb::arg("mask").none(), nb::arg("second").none())
        .def("points_at", &R::points_at, nb::arg("vertices"))
        .def("on_edges", &R::on_edges, nb::arg("count"), nb::arg("point"), nb::arg("edge"), nb::arg("fractions").none(),
             nb::arg("at").none())
        .def("within", &R::within, nb::arg("sources"), nb::arg("limits"))
        .def("count_within", &R::count_within, nb::arg("sources"), nb::arg("limits"))
        .def("paths", &R::paths, nb::arg("sources"), nb::arg("targets"))
        .def("path_edges", &R::path_edges, nb::arg("sources"), nb::arg("targets"))
        .def("edge_loads", &R::edge_loads, nb::arg("sources"), nb::arg("targets"), nb::arg("demand").none(),
             nb::arg("table").none(), nb::arg("progress").none())
        .def("edges", &R::edges)
        .def_prop_ro("vertices", &R::vertices)
        .def_prop_ro("edge_count", &R::edge_count)
        .def_prop_ro("directed", &R::directed);
    SummariesOf<R, T>::bind(roads);
  });
  m.def(
      "type_of_network",
      [](const std::string& name) {
        const nb::gil_scoped_release released;
        return blockfw::type_of_saved_network(name);
      },
      nb::arg("name"));
}

}  // namespace bindings
