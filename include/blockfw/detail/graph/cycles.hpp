// SPDX-License-Identifier: MIT
/// \file
/// \brief Cycles of length zero in floats: the decision whether one is negative, and potentials that take rounding out
/// of a solve.
///
/// **The rule.** Let n be the number of vertices, and u the unit roundoff of the distances' type. Let t = N·u, where N
/// is the least power of two with N ≥ n. A cycle of weights w is negative if Σw < -t·Σ|w|. The computed sum of n floats
/// differs from Σw by at most (n - 1)·u·Σ|w|, whatever the order of the additions. (Jeannerod and Rump, "Improved error
/// bounds for inner products in floating-point arithmetic", SIAM J. Matrix Anal. Appl. 34, 2013.) So a negative cycle
/// has a negative sum in every place and by every method. Decimal weights lose up to u·Σ|w| when they become binary; t
/// covers this loss, too. There is an exception. All weights may be multiples of a unit so large that no sum of n
/// weights rounds (integers in floats, for example). Then t is 0: sums are exact.
///
/// **The strict rule.** A cycle is negative if Σw < 0. LongSum adds the weights exactly if all of them are multiples of
/// a unit, and n times the heaviest is below 2¹⁰⁵ units. So the same cycles are negative in every order of the vertices
/// and by every method. If the magnitudes differ by more, a cycle is negative if Σw < -N·2⁻⁶⁰·Σ|w|: a tolerance that
/// LongSum's rounding does not reach. A solve could round a negative cycle up to 0. So the decision comes before the
/// solve.
///
/// **The decision.** The method of Bellman and Ford, from all vertices at once, with the weights w + t·|w|. These
/// weights have a cycle below zero if, and only if, w has a negative cycle. Lengths have twice the precision of a
/// double, so that their rounding does not matter. A cycle in the graph of predecessors proves that there is a cycle
/// below zero. The lengths of paths with heavy edges could still hide a cycle of light edges. So further searches
/// follow. Each search leaves out the edges of more than 2⁻²⁰ of the heaviest weight of the search before. Then n edges
/// and lengths of n times the heaviest weight lose n²·2⁻¹⁰⁵ of that weight. This loss is less than the tolerance of a
/// cycle with an edge that the next search leaves out.
///
/// **The solve.** A second search, with w - t·|w|, tells whether a cycle is shorter than t·Σ|w|. If no cycle is, no
/// computed sum can be negative, and the solve goes on as it is. If a cycle is, rounding could make its sum negative.
/// Each round of a solve could double that error, and after some rounds no distance would be right. Then searches with
/// w + s·|w| follow, for s = 0, u, 4u, 16u, ..., until a search finds no cycle below zero. For decimal weights s is u
/// at most. The lengths of this search's paths, h, are potentials: except for s, w(i, j) + h(i) - h(j) is not negative.
/// The solve takes these weights, and 0 instead of a weight less than 0, so that nothing cancels. At the end each
/// distance from i to j is corrected by h(j) - h(i). Its error is the error of a solve without negative weights, plus
/// the rounding of h. That rounding is about n·u·(the largest sum of magnitudes of a path).
#pragma once

#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace blockfw::detail {

/// The t of the rule above, if sums round. It is a power of two, so that t·|w| is exact.
/// \param digits  the binary digits of the distances' type
inline double cycle_tolerance(std::int64_t n, int digits) {
  return std::ldexp(static_cast<double>(std::bit_ceil(static_cast<std::uint64_t>(n))), -digits);
}

/// The unit of which all weights must be multiples, so that no sum of n weights rounds; 0 if there is none.
/// \param heaviest  the largest magnitude of a weight
/// \param digits    the binary digits of a sum
inline double unit_of_exact_sums(std::int64_t n, double heaviest, int digits) {
  const double most = static_cast<double>(n) * heaviest;
  if (!(most > 0 && most < std::numeric_limits<double>::infinity())) return 0;
  // (Every double is a multiple of the least one.)
  return std::max(std::ldexp(1.0, std::ilogb(most) + 1 - digits), std::numeric_limits<double>::denorm_min());
}
/// Whether a weight is a multiple of the unit, or infinite. An infinite weight is no edge, or makes a sum infinite.
KOKKOS_FORCEINLINE_FUNCTION bool is_multiple(double weight, double unit) {
  const double times = weight / unit;
  return unit > 0 && times == Kokkos::floor(times);
}

/// A sum with twice the precision of a double. A sum that overflows is NaN, which is not less than any number.
struct LongSum {
  /// A sum below 2^digits units is exact if all its terms are multiples of the unit.
  static constexpr int digits = 105;

  double high = 0, low = 0;

  KOKKOS_FORCEINLINE_FUNCTION LongSum plus(double x) const {
    const double sum = high + x, added = sum - high;
    const double rest = ((high - (sum - added)) + (x - added)) + low, all = sum + rest;
    return {all, rest - (all - sum)};
  }
  KOKKOS_FORCEINLINE_FUNCTION bool operator<(const LongSum& other) const {
    return high < other.high || (high == other.high && low < other.low);
  }
  KOKKOS_FORCEINLINE_FUNCTION bool operator==(const LongSum& other) const {
    return high == other.high && low == other.low;
  }
};

/// The length of a path to a vertex, and its last edge.
struct Reached {
  LongSum length;
  double weight = 0;         ///< the weight of the last edge
  std::int32_t before = -1;  ///< the vertex where that edge begins; -1: there is no edge

  /// Takes another path, if it is shorter. Of equally long paths, the path by the smaller vertex stays, so that their
  /// order does not matter. If this path has no edge, it stays, too.
  KOKKOS_FORCEINLINE_FUNCTION void improve(const Reached& other) {
    const bool ties = other.length == length && other.before >= 0 && other.before < before;
    if (other.length < length || ties) *this = other;
  }
};

/// One more edge, whose weight counts as weight + tilt·|weight|.
KOKKOS_FORCEINLINE_FUNCTION Reached by_edge(const LongSum& path, std::int32_t from, double weight, double tilt) {
  return {path.plus(weight).plus(tilt * (weight < 0 ? -weight : weight)), weight, from};
}

/// The shorter paths that a round has found.
class ShorterPaths {
 public:
  explicit ShorterPaths(std::size_t n) : best_(n) {}

  /// Offers another path to v, which had the length `now`.
  void offer(std::size_t v, const LongSum& now, const Reached& path) {
    if (best_[v].before < 0) {
      if (!(path.length < now)) return;
      best_[v] = path;
      vertices_.push_back(static_cast<std::int32_t>(v));
    } else {
      best_[v].improve(path);
    }
  }

  /// \brief Takes the best paths of several finders. The result is the same for all finders.
  /// \param least  least(numbers) replaces each number of a vector by the least number that a finder passes
  template <class Least>
  void reduce(const Least& least) {
    constexpr double none = std::numeric_limits<double>::infinity();
    // One number of each path at a time, among the paths that are as good as the best in all numbers before.
    std::vector<char> best(best_.size());
    for (std::size_t v = 0; v < best.size(); ++v) best[v] = best_[v].before >= 0 ? 1 : 0;
    const auto compare = [&](const auto& number) {
      std::vector<double> numbers(best_.size(), none);
      for (std::size_t v = 0; v < best.size(); ++v)
        if (best[v]) numbers[v] = static_cast<double>(number(best_[v]));
      least(numbers);
      for (std::size_t v = 0; v < best.size(); ++v) {
        best[v] = best[v] && numbers[v] == static_cast<double>(number(best_[v]));
        if (numbers[v] < none) number(best_[v]) = static_cast<std::decay_t<decltype(number(best_[v]))>>(numbers[v]);
      }
    };
    compare([](auto& path) -> auto& { return path.length.high; });
    compare([](auto& path) -> auto& { return path.length.low; });
    compare([](auto& path) -> auto& { return path.before; });
    compare([](auto& path) -> auto& { return path.weight; });
    vertices_.clear();
    for (std::size_t v = 0; v < best_.size(); ++v)
      if (best_[v].before >= 0) vertices_.push_back(static_cast<std::int32_t>(v));
  }

  /// Moves the paths to `reached`, and returns their vertices, ascending.
  std::vector<std::int32_t> take(std::vector<Reached>& reached) {
    std::sort(vertices_.begin(), vertices_.end());
    for (const std::int32_t v : vertices_)
      reached[static_cast<std::size_t>(v)] = std::exchange(best_[static_cast<std::size_t>(v)], Reached{});
    return std::exchange(vertices_, {});
  }

 private:
  std::vector<Reached> best_;
  std::vector<std::int32_t> vertices_;
};

/// Edges that take part in a search: a weight w of no more than `most` in magnitude counts as w + tilt·|w|.
struct Tilted {
  double tilt;
  double most = std::numeric_limits<double>::max();

  KOKKOS_FORCEINLINE_FUNCTION bool has(double weight) const { return (weight < 0 ? -weight : weight) <= most; }
};

/// The edges of a graph, for a search. Weights have the sign of shortest paths.
struct CycleEdges {
  /// Does a round: offers the paths by the edges from the vertices `fell`, ascending. `now` holds the lengths before
  /// the round.
  std::function<void(const Tilted& tilted, const std::vector<Reached>& now, const std::vector<std::int32_t>& fell,
                     ShorterPaths& found)>
      round;
  /// The largest magnitude of a weight that is `most` or less; 0 if there is none.
  std::function<double(double most)> heaviest;
  /// Whether all weights are multiples of the unit; see is_multiple().
  std::function<bool(double unit)> are_multiples;
};

/// The rounds of Bellman and Ford from all vertices at once.
class CycleSearch {
 public:
  explicit CycleSearch(std::int64_t n) : reached_(static_cast<std::size_t>(n)) {}

  /// How a search ends: with a cycle below zero; without a cycle; or undecided, as sums overflow or exceed LongSum.
  enum class End { cycle, none, undecided };

  /// Continues the search from the lengths so far.
  End run(const Tilted& tilted, const CycleEdges& edges) {
    ShorterPaths found(reached_.size());
    std::vector<std::int32_t> fell(reached_.size());
    std::iota(fell.begin(), fell.end(), 0);
    std::size_t work = 0;  // since the last look for a cycle
    for (std::size_t rounds = 0; rounds <= reached_.size(); ++rounds) {
      edges.round(tilted, reached_, fell, found);
      fell = found.take(reached_);
      work += fell.size() + 1;
      if (!fell.empty() && work < reached_.size() && rounds < reached_.size()) continue;
      work = 0;
      if (find_cycle()) return below_zero(tilted.tilt) ? End::cycle : End::undecided;
      if (fell.empty()) return End::none;
    }
    return End::undecided;
  }

  /// A vertex on the cycle that was found.
  std::int64_t vertex() const { return vertex_; }

  /// The lengths of the paths in the original weights, once a search has ended without a cycle.
  std::vector<double> potentials() const {
    std::vector<LongSum> length(reached_.size());
    std::vector<char> known(reached_.size(), 0);
    std::vector<std::size_t> path;
    for (std::size_t v = 0; v < reached_.size(); ++v) {
      for (std::size_t at = v; !known[at]; at = before(at)) {
        path.push_back(at);
        known[at] = 1;
        if (reached_[at].before < 0) break;
      }
      for (; !path.empty(); path.pop_back())
        if (reached_[path.back()].before >= 0)
          length[path.back()] = length[before(path.back())].plus(reached_[path.back()].weight);
    }
    std::vector<double> result;
    result.reserve(length.size());
    for (const LongSum& sum : length) result.push_back(sum.high);
    return result;
  }

 private:
  std::size_t before(std::size_t v) const { return static_cast<std::size_t>(reached_[v].before); }

  /// Whether the predecessors have a cycle. Stores its smallest vertex.
  bool find_cycle() {
    std::vector<std::size_t> seen(reached_.size(), 0);  // seen[v] - 1 is the vertex where the walk that saw v began
    for (std::size_t v = 0; v < reached_.size(); ++v) {
      std::size_t at = v;
      for (; seen[at] == 0; at = before(at)) {
        seen[at] = v + 1;
        if (reached_[at].before < 0) break;
      }
      if (reached_[at].before < 0 || seen[at] != v + 1) continue;
      vertex_ = static_cast<std::int64_t>(at);
      for (std::size_t w = before(at); w != at; w = before(w))
        vertex_ = std::min(vertex_, static_cast<std::int64_t>(w));
      return true;
    }
    return false;
  }

  bool below_zero(double tilt) const {
    LongSum sum;
    const auto first = static_cast<std::size_t>(vertex_);
    std::size_t at = first;
    do {
      sum = by_edge(sum, 0, reached_[at].weight, tilt).length;
      at = before(at);
    } while (at != first);
    return sum < LongSum{};
  }

  std::vector<Reached> reached_;
  std::int64_t vertex_ = -1;
};

/// \brief The decision on the cycles of a graph.
struct CycleVerdict {
  std::int64_t negative = -1;  ///< a vertex on a negative cycle, or -1
  std::vector<double>
      potentials;  ///< a potential for each vertex, if rounding matters because a cycle is short; else none
};

/// \brief Decides whether a cycle is negative, and whether potentials are needed. The verdict is empty if the sums of a
/// solve are exact.
/// \param n          number of vertices
/// \param digits     the binary digits of the distances' type
/// \param heaviest   the largest magnitude of a weight
/// \param strict     whether the strict rule holds
/// \param short_one  whether it is known that a cycle is so short that rounding matters
///
/// A search has as many rounds as a shortest path has edges. A round is O(edges of the vertices whose length fell).
inline CycleVerdict judge_cycles(std::int64_t n, int digits, double heaviest, const CycleEdges& edges, bool strict,
                                 bool short_one) {
  if (edges.are_multiples(unit_of_exact_sums(n, heaviest, digits))) return {};
  // A cycle of weights w is negative if Σw < -negative·Σ|w|. Computed sums may be negative if Σw < rounding·Σ|w|.
  const double rounding = cycle_tolerance(n, digits);
  double negative = rounding;
  if (strict)
    negative = edges.are_multiples(unit_of_exact_sums(n, heaviest, LongSum::digits)) ? 0 : cycle_tolerance(n, 60);

  using End = CycleSearch::End;
  CycleSearch search(n);
  const End first = search.run({negative}, edges);
  if (first == End::cycle) return {search.vertex(), {}};
  const auto lighter = [&](double most) { return edges.heaviest(0x1p-20 * most); };
  for (double most = lighter(edges.heaviest(Tilted{0}.most)); most > 0; most = lighter(most)) {
    CycleSearch among_light(n);
    if (among_light.run({negative, most}, edges) == End::cycle) return {among_light.vertex(), {}};
  }
  if (first == End::undecided) return {};
  auto potentials = search.potentials();
  if (!short_one && search.run({-rounding}, edges) == End::none) return {};
  const double roundoff = std::ldexp(1.0, -digits);
  for (double tilt = 0; tilt < rounding; tilt = std::max(roundoff, 4 * tilt)) {
    CycleSearch closer(n);
    if (closer.run({tilt}, edges) != End::none) continue;
    potentials = closer.potentials();
    break;
  }
  const bool finite = std::all_of(potentials.begin(), potentials.end(), [](double h) { return h - h == 0; });
  return finite ? CycleVerdict{-1, std::move(potentials)} : CycleVerdict{};
}

/// \brief The same for lists of edges.
///
/// By the usual rule this is for a graph in which the computed length of a cycle diverges.
/// \param strict   whether the strict rule holds
/// \param leaving  leaving(u, f) calls f(v, weight) for each edge from u, with the sign of shortest paths
template <class T, class Leaving>
CycleVerdict judge_lists(std::int64_t n, bool strict, const Leaving& leaving) {
  const auto vertices = static_cast<std::size_t>(n);
  const auto heaviest_up_to = [&](double most) {
    double heaviest = 0;
    for (std::size_t u = 0; u < vertices; ++u)
      leaving(u, [&](std::size_t, double weight) {
        if (std::abs(weight) <= most) heaviest = std::max(heaviest, std::abs(weight));
      });
    return heaviest;
  };
  const auto are_multiples = [&](double unit) {
    bool all = true;
    for (std::size_t u = 0; u < vertices && all; ++u)
      leaving(u, [&](std::size_t, double weight) { all = all && is_multiple(weight, unit); });
    return all;
  };
  const auto round = [&](const Tilted& tilted, const std::vector<Reached>& now, const std::vector<std::int32_t>& fell,
                         ShorterPaths& found) {
    for (const std::int32_t u : fell) {
      const LongSum length = now[static_cast<std::size_t>(u)].length;
      leaving(static_cast<std::size_t>(u), [&](std::size_t v, double weight) {
        if (tilted.has(weight)) found.offer(v, now[v].length, by_edge(length, u, weight, tilted.tilt));
      });
    }
  };
  return judge_cycles(n, std::numeric_limits<T>::digits, heaviest_up_to(Tilted{0}.most),
                      {round, heaviest_up_to, are_multiples}, strict, !strict);
}

/// \brief The first vertex on a negative cycle through a place of a graph whose distances are known.
///
/// For floats the tolerance is 2·N·u times the largest of these distances, as Σ|w| is not known. It is 0 where no sum
/// rounds, as above. For integers there is no tolerance.
///
/// If no negative cycle is found, all paths to the place become longer by the tolerance. Then only truly shorter paths
/// by the place count, and rounding does not grow over many updates.
/// \param to_place, from_place  the lengths from each vertex to the place, and from the place to each vertex
template <class Lengths>
std::optional<std::int64_t> negative_through(const Lengths& to_place, const Lengths& from_place) {
  using T = typename Lengths::non_const_value_type;
  const auto to = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, to_place);
  const auto from = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, from_place);
  const auto n = static_cast<std::int64_t>(to.extent(0));
  const auto first_below = [&](auto least) -> std::optional<std::int64_t> {
    for (std::int64_t v = 0; v < n; ++v)
      if (to(v) < infinity<T> && from(v) < infinity<T> &&
          static_cast<decltype(least)>(to(v)) + static_cast<decltype(least)>(from(v)) < least)
        return v;
    return {};
  };
  if constexpr (std::is_integral_v<T>) {
    return first_below(std::int64_t{0});
  } else {
    const auto each = [&](const auto& f) {
      for (std::int64_t v = 0; v < n; ++v) {
        if (to(v) - to(v) == 0) f(static_cast<double>(to(v)));
        if (from(v) - from(v) == 0) f(static_cast<double>(from(v)));
      }
    };
    double most = 0;
    each([&](double length) { most = std::max(most, std::abs(length)); });
    const double unit = unit_of_exact_sums(n, most, std::numeric_limits<T>::digits);
    bool exact = true;
    each([&](double length) { exact = exact && is_multiple(length, unit); });
    const double slack = exact ? 0 : 2 * cycle_tolerance(n, std::numeric_limits<T>::digits) * most;
    if (const auto vertex = first_below(-slack)) return vertex;
    for (std::int64_t v = 0; v < n; ++v)
      if (to(v) < infinity<T>) to(v) = static_cast<T>(static_cast<double>(to(v)) + slack);
    Kokkos::deep_copy(to_place, to);
    return {};
  }
}

/// The weight of an edge i → j after the potentials have been taken out of it. It is not better than 0.
/// \param sign  -1 for longest paths, whose weights have the other sign
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T reduced_weight(T weight, double of_i, double of_j, double sign) {
  const double there = sign * static_cast<double>(weight);
  if (!(there - there == 0)) return weight;  // (infinite: no edge, or a path whose length no number corrects)
  const double reduced = LongSum{of_i, 0}.plus(-of_j).plus(there).high;
  return static_cast<T>(reduced > 0 ? sign * reduced : 0.0);
}

/// The length of a path i → j after the potentials have been put back.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T restored_length(T length, double of_i, double of_j, double sign) {
  const double correction = of_j - of_i;
  return static_cast<T>(static_cast<double>(length) + sign * correction);
}

}  // namespace blockfw::detail
