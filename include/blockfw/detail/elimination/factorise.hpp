// SPDX-License-Identifier: MIT
/// \file
/// \brief The elimination of arcs, which makes the numbers of a sparse factor: in the type of the weights, or in 64
/// bits where sums might not fit.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/elimination/cycles_of_arcs.hpp"
#include "blockfw/detail/elimination/factor.hpp"
#include "blockfw/detail/elimination/front_arcs.hpp"
#include "blockfw/detail/elimination/fronts.hpp"
#include "blockfw/detail/elimination/labels.hpp"
#include "blockfw/detail/graph/supernodes.hpp"
#include "blockfw/detail/loops/threads.hpp"
#include "blockfw/detail/plan/potentials.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace blockfw::detail {

/// Raises a bound to a length, in each set of weights.
/// \tparam MayBeNone  whether an infinite length is no path, and is left out
template <bool MayBeNone, class T>
void raise_to(T& bound, const T& length) {
  if constexpr (is_per_set<T>)
    for (std::size_t set = 0; set < std::size(length.of); ++set) raise_to<MayBeNone>(bound.of[set], length.of[set]);
  else if (!MayBeNone || length < infinity<T>)
    bound = std::max(bound, length);
}

/// \brief A length that no distance exceeds, out of the largest numbers of each supernode.
///
/// A shortest path between vertices of one supernode, inside its subtree, is a number of `own`. Any other shortest path
/// goes up from its start and down to its end. Each of the two parts is empty, or an entry of a label above the
/// vertex's own supernode. The entry is at most the sum of the longest way to the boundary and the longest entry of a
/// label of the boundary's vertices.
/// \tparam T  a number, or one for each of several sets of weights
template <class T>
T bound_of_distances(const Elimination& structure, const FactorValues<T>& factor) {
  const auto longest = [](const T* lengths, std::size_t count) {
    T most{};
    for (std::size_t i = 0; i < count; ++i) raise_to<true>(most, lengths[i]);
    return most;
  };
  T own{}, there_and_back{};
  std::vector<T> entry(structure.supernodes.size());  // a bound of all entries of the labels of a supernode's vertices
  for (const Sweep sweep : {Sweep::from, Sweep::towards}) {
    T all_above{};
    for (std::size_t s = structure.supernodes.size(); s-- > 0;) {
      const Supernode& node = structure.supernodes[s];
      const std::size_t w = at(node.width()), b = node.boundary.size();
      T above{};
      for (std::size_t y = 0; y < b; ++y) raise_to<false>(above, entry[at(structure.owner[at(node.boundary[y])])]);
      if (b > 0) above += longest(factor.ways_of(opposite(sweep), s), w * b);
      entry[s] = longest(factor.own_of(sweep, s), w * w);
      raise_to<false>(own, entry[s]);
      raise_to<false>(all_above, above);
      raise_to<false>(entry[s], above);
    }
    there_and_back += all_above;
  }
  raise_to<false>(own, there_and_back);
  return own;
}

/// The same bound out of the labels of all vertices. This bound is smaller, and takes longer to find.
template <class Host, class T>
T longest_distance(const Host& exec, const Elimination& structure, const FactorValues<T>& factor) {
  constexpr std::size_t columns = LabelMaker<MinPlus<T>>::columns;
  std::vector<std::int32_t> numbers(structure.order.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  const std::size_t tasks = div_up(numbers.size(), columns);
  struct Longest {
    T own = 0, above = 0;
  };
  T own = 0, there_and_back = 0;
  for (const Sweep sweep : {Sweep::from, Sweep::towards}) {
    std::vector<Longest> longest(tasks);
    for_tasks(exec, static_cast<std::int64_t>(tasks), "blockfw::longest_distance", [&](std::int64_t task) {
      const std::size_t first = at(task) * columns;
      LabelMaker<MinPlus<T>> maker({structure, factor, nullptr, {}});
      std::vector<T> labels(at(structure.longest_path) * columns);
      const auto some = std::span(numbers).subspan(first, std::min(columns, numbers.size() - first));
      if (sweep == Sweep::from)
        maker.template make<Sweep::from>(some, labels.data());
      else
        maker.template make<Sweep::towards>(some, labels.data());
      for (std::size_t c = 0; c < some.size(); ++c) {
        const Supernode& node = structure.supernodes[at(structure.owner[at(some[c])])];
        for (std::size_t x = 0; x < at(node.path_length()); ++x) {
          T& most = x < at(node.depth) ? longest[at(task)].above : longest[at(task)].own;
          if (const T length = labels[x * columns + c]; length < infinity<T>) most = std::max(most, length);
        }
      }
    });
    T above = 0;
    for (const Longest& some : longest) {
      own = std::max(own, some.own);
      above = std::max(above, some.above);
    }
    there_and_back += above;
  }
  return std::max(own, there_and_back);
}

/// \brief A factor with numbers of another type.
/// \param values   the numbers, which are not used again
/// \param convert  convert(number) makes a number of the other type
/// \throws OutOfMemory if they do not fit; thrown before they are allocated
template <class To, class Host, class From, class Convert>
FactorValues<To> converted(const Host& exec, FactorValues<From>&& values, const Convert& convert) {
  FactorValues<To> result;
  result.start = std::move(values.start);
  result.assign(values, [&](const char* label, const auto& from) {
    require_memory(exec, "the numbers of a factor", static_cast<double>(from.size()) * sizeof(To));
    const auto to = FactorValues<To>::allocate(label, from.size());
    for (std::size_t i = 0; i < from.size(); ++i) to(i) = convert(from(i));
    return to;
  });
  return result;
}

/// A length of 64 bits in a narrower type.
template <std::integral T>
T in_fewer_bits(std::int64_t length) {
  return static_cast<T>(std::min<std::int64_t>(length, infinity<T>));
}

/// \brief Eliminates in 64 bits, and copies the numbers to the narrower type if no distance can reach its infinity.
/// \param closed  as in factorise()
/// \throws OverflowRisk if a distance could reach it
template <class Host, std::integral T>
std::shared_ptr<const FactorValues<T>> factorise_wide(const Host& exec, const Elimination& structure,
                                                      const FrontArcs<T>& arcs, const WeightRange<T>& range,
                                                      bool symmetric, bool closed, const Progress& progress) {
  using Wide = std::int64_t;
  const auto n = static_cast<std::int64_t>(structure.order.size());
  require_safe_sums<MinPlus<Wide>>(n, {range.smallest, range.largest, range.total});
  FrontArcs<Wide> wide{arcs.plan, {}};
  require_host_memory("the weights of " + std::to_string(arcs.weights.size()) + " arcs in 64 bits",
                      static_cast<double>(arcs.weights.size()) * sizeof(Wide));
  for (const T weight : arcs.weights)
    wide.weights.push_back(closed && weight == infinity<T> ? infinity<Wide> : Wide{weight});
  auto values = Fronts<MinPlus<Wide>, Host>(exec, structure, wide).eliminate(symmetric, progress);
  Wide bound = bound_of_distances(structure, values);
  if (bound >= infinity<T>) bound = longest_distance(exec, structure, values);
  if (bound >= infinity<T>)
    throw OverflowRisk("weights up to " + std::to_string(range.largest) + ": a path could be as long as " +
                       std::to_string(bound) + ", expected less than infinity, " + std::to_string(infinity<T>) +
                       ", in " + type_name<T>() + "; use " + (sizeof(T) < 4 ? "int32, " : "") + "int64 or double");
  return std::make_shared<const FactorValues<T>>(
      converted<T>(exec, std::move(values), [](Wide length) { return in_fewer_bits<T>(length); }));
}

/// \brief Eliminates all supernodes; see SparseFactor.
/// \param closed  whether an integer weight of infinity is no edge. If not, the weight is a length that does not fit.
template <Semiring S, class Host, class T = typename S::value_type>
std::shared_ptr<const FactorValues<T>> factorise(const Host& exec, const Elimination& structure,
                                                 const FrontArcs<T>& arcs, const WeightRange<T>& range,
                                                 const FactorOptions& options, bool closed) {
  require_accepted<S>(range);
  require_no_cycle_of_arc<S>(structure, arcs, range, options.direction);
  const auto n = static_cast<std::int64_t>(structure.order.size());
  const bool symmetric = options.direction == Direction::undirected && is_commutative<S>;
  if constexpr (std::is_same_v<S, MinPlus<T>> && std::is_integral_v<T> && sizeof(T) < 8)
    if (!sums_fit<S>(n, range) && !range.any_negative())
      return factorise_wide(exec, structure, arcs, range, symmetric, closed, options.progress);
  require_safe_sums<S>(n, range);
  const auto eliminated = [&](const FrontArcs<T>& some) {
    return std::make_shared<FactorValues<T>>(
        Fronts<S, Host>(exec, structure, some).eliminate(symmetric, options.progress));
  };
  if constexpr (may_cancel<S>)
    if (cancels<S>(range)) return eliminate_cancelling<S>(structure, arcs, options.strict_cycles, eliminated);
  return eliminated(arcs);
}

}  // namespace blockfw::detail
