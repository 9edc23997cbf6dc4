// SPDX-License-Identifier: MIT
/// \file
/// \brief The factor of several sets of weights: its elimination, and the labels of vertices in each set.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/elimination/factor.hpp"
#include "blockfw/detail/elimination/factorise.hpp"
#include "blockfw/detail/elimination/front_arcs.hpp"
#include "blockfw/detail/elimination/fronts.hpp"
#include "blockfw/detail/elimination/labels.hpp"
#include "blockfw/detail/elimination/sets.hpp"
#include "blockfw/detail/graph/supernodes.hpp"
#include "blockfw/detail/loops/threads.hpp"
#include "blockfw/detail/plan/finish.hpp"
#include "blockfw/detail/plan/potentials.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace blockfw::detail {

/// The numbers of a factor of up to sets_at_once<T> sets. A missing set counts as a set without edges.
template <class T>
using SetValues = FactorValues<PerSet<T, sets_at_once<T>>>;

/// \brief A factor of several sets of weights in the form that answers read. It owns nothing.
template <Semiring S>
struct SetsFactor {
  using Over = S;
  using T = typename S::value_type;

  const Elimination& structure;
  const SetValues<T>& values;
  std::span<const WeightRange<T>> ranges;  ///< the range of the weights in each set

  /// The numbers of all sets, as the numbers of a factor over the semiring of lists.
  HostFactor<EachSet<S, sets_at_once<T>>> numbers() const { return {structure, values, nullptr, {}}; }
  std::size_t sets() const { return ranges.size(); }
  /// Marks distances without a path.
  Finish<S> finish(std::size_t set) const { return finish_of<S>(structure.vertices(), ranges[set]); }
  /// Whether the distance of a vertex to itself is to be set to one(), as sums may round.
  bool sets_own(std::size_t set) const { return cancels<S>(ranges[set]); }
};

/// \brief Makes the labels of a block of vertices in several sets of weights.
///
/// The labels of all sets are made at once, some vertices at a time. The products of a table are made set by set: their
/// vectors are full without other sets, and each set leaves out other positions of labels.
template <Semiring S>
class SetLabelMaker {
  using T = typename S::value_type;
  using Lists = PerSet<T, sets_at_once<T>>;
  using OfAllSets = LabelMaker<EachSet<S, sets_at_once<T>>>;

 public:
  using Over = S;
  using Factor = SetsFactor<S>;

  /// The structure, the numbers and the ranges must outlive this object.
  explicit SetLabelMaker(const Factor& factor) : factor_(factor), maker_(factor.numbers()) {}

  /// \brief Writes the labels of a block.
  /// \param numbers  as for LabelMaker::make()
  /// \param labels   of a set as LabelMaker::make() writes them
  /// \param of_set   the elements from the labels of a set to the labels of the next set
  /// \return the length of the longest path
  template <Sweep Heading>
  std::size_t make(std::span<const std::int32_t> numbers, T* labels, std::size_t of_set) {
    constexpr std::size_t columns = LabelMaker<S>::columns, at_once = OfAllSets::columns;
    std::size_t longest = 0;
    for (const std::int32_t k : numbers)
      longest = std::max(longest, at(factor_.structure.supernodes[at(factor_.structure.owner[at(k)])].path_length()));
    for (std::size_t set = 0; set < factor_.sets(); ++set)
      std::fill_n(labels + set * of_set, longest * columns, S::zero());
    if (!lists_) lists_ = std::make_unique_for_overwrite<Lists[]>(at(factor_.structure.longest_path) * at_once);
    for (std::size_t first = 0; first < numbers.size(); first += at_once) {
      const auto some = numbers.subspan(first, std::min(at_once, numbers.size() - first));
      const std::size_t path = maker_.template make<Heading>(some, lists_.get());
      for (std::size_t x = 0; x < path; ++x)
        for (std::size_t set = 0; set < factor_.sets(); ++set)
          for (std::size_t c = 0; c < some.size(); ++c)
            labels[set * of_set + x * columns + first + c] = lists_[x * at_once + c].of[set];
    }
    return longest;
  }

 private:
  Factor factor_;
  OfAllSets maker_;
  std::unique_ptr<Lists[]> lists_;  ///< the labels of some vertices
};

/// \brief The weights of the arcs of a plan in each of some sets, over S, for an elimination over Over.
/// \param sets  the edges with the weights of each set
/// \throws OutOfMemory if they do not fit; thrown before they are allocated
template <Semiring Over, Semiring S, class Host, class T = typename S::value_type>
FrontArcs<PerSet<typename Over::value_type, sets_at_once<T>>> arcs_of_sets(const Host& exec,
                                                                           const std::shared_ptr<const ArcPlan>& plan,
                                                                           std::span<const std::vector<Edge<T>>> sets) {
  using Lists = EachSet<Over, sets_at_once<T>>;
  using W = typename Over::value_type;
  constexpr std::size_t at_once = 1 << 12;
  const std::size_t count = plan->edge.size();
  require_host_memory("the weights of " + std::to_string(count) + " arcs in " + std::to_string(sets.size()) + " sets",
                      static_cast<double>(count) * sizeof(typename Lists::value_type));
  FrontArcs<typename Lists::value_type> arcs{plan, {}};
  arcs.weights.resize(count);
  for_tasks(exec, static_cast<std::int64_t>(div_up(count, at_once)), "blockfw::arcs", [&](std::int64_t task) {
    const std::size_t first = at(task) * at_once;
    for (std::size_t a = first; a < std::min(count, first + at_once); ++a) {
      arcs.weights[a] = Lists::zero();
      for (std::size_t set = 0; set < sets.size(); ++set)
        if (const T weight = weight_of_arc<S>(sets[set][plan->edge[a]]); weight != S::zero())
          arcs.weights[a].of[set] = static_cast<W>(weight);
    }
  });
  return arcs;
}

/// \brief Eliminates several sets of weights together.
/// \param sets    the edges with the weights of each set
/// \param ranges  of these weights
/// \return nothing if a set must be looked at by itself: sums might not fit, a cycle diverges, or the strict rule of
///         cycles holds for weights that may cancel
/// \throws OutOfMemory
///
/// It takes 64 bits where sums of nonnegative weights might not fit T, as factorise() does.
template <Semiring S, class Host, class T = typename S::value_type>
std::optional<SetValues<T>> factorise_together(const Host& exec, const Elimination& structure,
                                               const std::shared_ptr<const ArcPlan>& plan,
                                               std::span<const std::vector<Edge<T>>> sets,
                                               std::span<const WeightRange<T>> ranges, const FactorOptions& options) {
  constexpr int most = sets_at_once<T>;
  const bool symmetric = options.direction == Direction::undirected && is_commutative<S>;
  const auto all = [&](const auto& holds) { return std::all_of(ranges.begin(), ranges.end(), holds); };
  if (options.strict_cycles && !all([](const WeightRange<T>& range) { return !cancels<S>(range); })) return {};
  try {
    if (all([&](const WeightRange<T>& range) { return sums_fit<S>(structure.vertices(), range); })) {
      const auto arcs = arcs_of_sets<S, S>(exec, plan, sets);
      return Fronts<EachSet<S, most>, Host>(exec, structure, arcs).eliminate(symmetric, {});
    }
    if constexpr (std::is_same_v<S, MinPlus<T>> && std::is_integral_v<T> && sizeof(T) < 8)
      if (all([](const WeightRange<T>& range) { return !range.any_negative(); })) {
        using Wide = MinPlus<std::int64_t>;
        const auto arcs = arcs_of_sets<Wide, S>(exec, plan, sets);
        auto values = Fronts<EachSet<Wide, most>, Host>(exec, structure, arcs).eliminate(symmetric, {});
        const auto bound = bound_of_distances(structure, values);
        if (!std::all_of(std::begin(bound.of), std::end(bound.of), [](auto length) { return length < infinity<T>; }))
          return {};
        return converted<PerSet<T, most>>(exec, std::move(values), [](const auto& lengths) {
          PerSet<T, most> result;
          for (int set = 0; set < most; ++set) result.of[set] = in_fewer_bits<T>(lengths.of[set]);
          return result;
        });
      }
  } catch (const DivergentCycle&) {
  }
  return {};
}

/// \brief Joins the factors of sets that are eliminated one by one.
/// \param symmetric  whether the factors of all sets are known to be symmetric
/// \param sets       their number
/// \param values_of  values_of(set) is a pointer to the numbers of the factor of a set
/// \throws OutOfMemory if they do not fit; thrown before they are allocated
template <Semiring S, class Host, class ValuesOf, class T = typename S::value_type>
SetValues<T> joined_factors(const Host& exec, const Elimination& structure, bool symmetric, std::size_t sets,
                            const ValuesOf& values_of) {
  SetValues<T> all;
  all.symmetric = symmetric;
  all.start = starts_of(structure);
  const FactorStart end = all.start.back();
  using Lists = EachSet<S, sets_at_once<T>>;
  const auto without_edges = [&](const char* label, std::size_t count) {
    require_memory(exec, "the numbers of a factor", static_cast<double>(count) * sizeof(typename Lists::value_type));
    const auto array = SetValues<T>::allocate(label, count);
    std::fill_n(array.data(), count, Lists::zero());
    return array;
  };
  for (int sweep = 0; sweep < all.sweeps(); ++sweep) {
    all.ways[sweep] = without_edges("blockfw::ways", end.ways);
    all.own[sweep] = without_edges("blockfw::own", end.own);
  }
  for (std::size_t set = 0; set < sets; ++set) {
    const auto one = values_of(set);
    const auto copy = [set](const auto& to, const auto& from) {
      for (std::size_t i = 0; i < from.size(); ++i) to(i).of[set] = from(i);
    };
    for (int sweep = 0; sweep < all.sweeps(); ++sweep) {
      copy(all.ways[sweep], one->ways[one->index(Sweep(sweep))]);
      copy(all.own[sweep], one->own[one->index(Sweep(sweep))]);
    }
  }
  return all;
}

}  // namespace blockfw::detail
