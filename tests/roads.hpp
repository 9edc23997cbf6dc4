// SPDX-License-Identifier: MIT
// Roads with turns, and an oracle of walks from road to road, for tests.
#pragma once

#include "graphs.hpp"
#include "semirings.hpp"

#include "blockfw/turns.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

using Host = Kokkos::DefaultHostExecutionSpace;
using blockfw::UTurns;
using Vertices = std::vector<std::int32_t>;
using Pair = std::pair<std::int32_t, std::int32_t>;

inline const Algebra shortest{[](double a, double b) { return std::min(a, b); },
                              [](double a, double b) { return a + b; }, std::numeric_limits<double>::infinity(), 0};

/// The roads, turns and rules of a test. The cost zero() forbids a turn, and the weight zero() closes a road.
struct Case {
  int n = 0;
  std::vector<blockfw::Edge<double>> edges;
  std::map<Pair, double> turns;
  std::set<Pair> only;
  Direction direction = Direction::directed;
  UTurns u_turns = UTurns::allowed;
  double u_turn = 0;  ///< the cost of a U-turn
};

/// A place where a walk may start: a road, and the part of its weight before the place.
struct Start {
  int road;
  double position;
};

/// The oracle: the lengths of walks from road to road, computed directly from the definition.
class Walks {
 public:
  Walks(const Algebra& algebra, const Case& given) : s_(algebra), c_(given), roads_(given.edges) {
    if (c_.direction == Direction::undirected)
      for (const auto& e : c_.edges) roads_.push_back({e.to, e.from, e.weight});
    for (int r = 0; r < roads(); ++r)
      for (int q = 0; q < roads(); ++q)
        if (road(r).to == road(q).from)
          if (const double price = cost(r, q); price != s_.zero) steps_.push_back({r, q, price});
  }
  int roads() const { return static_cast<int>(roads_.size()); }
  const blockfw::Edge<double>& road(int r) const { return roads_[static_cast<std::size_t>(r)]; }

  /// The cost of the turn from the end of road r into road q, which begins there.
  double cost(int r, int q) const {
    const auto begins_one = [&](const Pair& pair) { return pair.first == r; };
    const bool is_only = c_.only.count({r, q}) > 0;
    if (!is_only && std::any_of(c_.only.begin(), c_.only.end(), begins_one)) return s_.zero;
    if (const auto listed = c_.turns.find({r, q}); listed != c_.turns.end()) return listed->second;
    if (is_only || !is_u_turn(r, q)) return s_.one;
    bool is_dead_end = true;
    for (int other = 0; other < roads(); ++other)
      if (road(other).from == road(r).to) is_dead_end = is_dead_end && is_u_turn(r, other);
    const bool is_allowed = c_.u_turns == UTurns::allowed || (c_.u_turns == UTurns::dead_ends && is_dead_end);
    return is_allowed ? c_.u_turn : s_.zero;
  }

  /// Extends walks, given by their lengths at the ends of roads, until none gets better. The result is false if some
  /// walk gets better without end.
  bool extend(std::vector<double>& length) const {
    for (int round = 0; round <= roads(); ++round) {
      bool changed = false;
      for (const Step& step : steps_) {
        const double more = times(length[at(step.from)], times(step.cost, road(step.to).weight));
        changed = improve(length[at(step.to)], more) || changed;
      }
      if (!changed) return true;
    }
    return false;
  }
  bool has_bad_cycle() const {
    std::vector<double> length(roads_.size(), s_.one);
    return !extend(length);
  }
  /// Whether a walk from some road to vertex v and back to the road gets better.
  bool is_on_bad_cycle(std::int64_t v) const {
    for (int r = 0; r < roads(); ++r) {
      if (road(r).to != v) continue;
      std::vector<double> length(roads_.size(), s_.zero);
      length[at(r)] = s_.one;
      extend(length);
      if (length[at(r)] != s_.one) return true;
    }
    return false;
  }

  /// The walks from a vertex, at the ends of roads.
  std::vector<double> from_vertex(int v) const {
    std::vector<double> length(roads_.size(), s_.zero);
    for (int r = 0; r < roads(); ++r)
      if (road(r).from == v) length[at(r)] = road(r).weight;
    extend(length);
    return length;
  }
  /// The walks from a place.
  std::vector<double> from_place(int r, double position) const {
    std::vector<double> length(roads_.size(), s_.zero);
    length[at(r)] = road(r).weight - position;
    extend(length);
    return length;
  }
  double to_vertex(const std::vector<double>& length, int v) const {
    double best = s_.zero;
    for (int r = 0; r < roads(); ++r)
      if (road(r).to == v) improve(best, length[at(r)]);
    return best;
  }
  double to_place(const std::vector<double>& length, int q, double position) const {
    double best = s_.zero;
    if (road(q).weight == s_.zero) return best;
    for (const Step& step : steps_)
      if (step.to == q) improve(best, times(length[at(step.from)], times(step.cost, position)));
    return best;
  }
  bool improve(double& best, double length) const {
    const double better = s_.plus(best, length);
    const bool changed = better != best;
    best = better;
    return changed;
  }
  double times(double a, double b) const { return a == s_.zero || b == s_.zero ? s_.zero : s_.times(a, b); }
  const Algebra& algebra() const { return s_; }

  /// The distances between all vertices.
  std::vector<std::vector<double>> all() const {
    std::vector<std::vector<double>> d;
    for (int v = 0; v < c_.n; ++v) {
      const auto length = from_vertex(v);
      d.emplace_back();
      for (int w = 0; w < c_.n; ++w) {
        d.back().push_back(to_vertex(length, w));
        if (v == w) improve(d.back().back(), s_.one);
      }
    }
    return d;
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  bool is_u_turn(int r, int q) const {
    const int m = static_cast<int>(c_.edges.size());
    if (road(r).from == road(r).to) return false;
    if (c_.direction == Direction::undirected) return q == (r < m ? r + m : r - m);
    return road(q).from == road(r).to && road(q).to == road(r).from;
  }

  /// A turn that is allowed.
  struct Step {
    int from, to;
    double cost;
  };

  Algebra s_;
  Case c_;
  std::vector<blockfw::Edge<double>> roads_;
  std::vector<Step> steps_;
};

inline Vertices every(int n) {
  Vertices list(static_cast<std::size_t>(n));
  std::iota(list.begin(), list.end(), 0);
  return list;
}

template <class S>
typename S::value_type in_type(const Algebra& algebra, double x) {
  using T = typename S::value_type;
  return x == algebra.zero ? S::zero() : x == algebra.one ? S::one() : static_cast<T>(x);
}

template <class S>
blockfw::RoadOptions<typename S::value_type> options_of(const Algebra& algebra, const Case& c) {
  blockfw::RoadOptions<typename S::value_type> options{.direction = c.direction, .u_turns = c.u_turns};
  if (c.u_turns != UTurns::forbidden && c.u_turn != algebra.one) options.u_turn_cost = in_type<S>(algebra, c.u_turn);
  options.only.assign(c.only.begin(), c.only.end());
  return options;
}
template <class S, class T = typename S::value_type>
std::vector<blockfw::Turn<T>> turns_of(const Algebra& algebra, const Case& c) {
  std::vector<blockfw::Turn<T>> turns;
  for (const auto& [roads, cost] : c.turns) turns.push_back({roads.first, roads.second, in_type<S>(algebra, cost)});
  if (!turns.empty()) turns.push_back(turns.front());  // (a turn that is listed twice)
  return turns;
}
template <class S, class T = typename S::value_type>
std::vector<blockfw::Edge<T>> edges_in(const Algebra& algebra, const Case& c) {
  std::vector<blockfw::Edge<T>> edges;
  for (const auto& e : c.edges) edges.push_back({e.from, e.to, in_type<S>(algebra, e.weight)});
  return edges;
}
template <class S>
blockfw::RoadNetwork<S> network_of(const Algebra& algebra, const Case& c) {
  return blockfw::by_roads<S>(Host(), c.n, edges_in<S>(algebra, c), turns_of<S>(algebra, c), options_of<S>(algebra, c));
}

/// A random graph with parallel roads and loops. Most roads have a road in the other direction. Some pairs of meeting
/// roads get turns.
inline Case random_case(Random& random, int n, double zero) {
  Case c;
  c.n = n;
  const auto weight = [&] { return uniform(random, 0, 9) == 0 ? zero : double(uniform(random, 0, 20)); };
  for (int e = 0; n > 0 && e < n + uniform(random, 0, n); ++e) {
    const int from = uniform(random, 0, n - 1), to = uniform(random, 0, n - 1);
    c.edges.push_back({from, to, weight()});
    if (uniform(random, 0, 3) > 0) c.edges.push_back({to, from, weight()});
    if (uniform(random, 0, 7) == 0) c.edges.push_back({from, to, weight()});
  }
  c.direction = uniform(random, 0, 1) == 0 ? Direction::directed : Direction::undirected;
  c.u_turns = std::array{UTurns::allowed, UTurns::forbidden, UTurns::dead_ends}[std::size_t(uniform(random, 0, 2))];
  return c;
}
/// Adds turns of random pairs of roads: about one pair of `rarely`.
inline void add_turns(Random& random, Case& c, const Algebra& algebra, int rarely, int most) {
  const Walks walks(algebra, c);
  for (int r = 0; r < walks.roads(); ++r)
    for (int q = 0; q < walks.roads(); ++q) {
      if (walks.road(r).to != walks.road(q).from || uniform(random, 1, rarely) > 1) continue;
      const int kind = uniform(random, 0, 9);
      if (kind == 0)
        c.only.insert({r, q});
      else
        c.turns[{r, q}] = kind < 5 ? algebra.zero : double(uniform(random, 0, most));
    }
}
