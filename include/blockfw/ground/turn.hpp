// SPDX-License-Identifier: MIT
/// \file
/// \brief Turns from road to road, and the options of a network of roads.
#pragma once

#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/semiring.hpp"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace blockfw {

/// \brief A turn from the end of a road to the start of a road, by the numbers of the roads.
///
/// Road e is edge e of the caller's list, from its `from` to its `to`. An undirected edge is two roads: of m edges,
/// road m + e leads along edge e in the other direction.
template <class T>
struct Turn {
  static_assert(
      bool(Distance<T>),
      "blockfw: the cost of a turn must be int16_t, int32_t, int64_t, float or double (write std::int64_t for "
      "long long)");
  std::int32_t from,  ///< a road that leads to a vertex
      to;             ///< a road that begins at this vertex
  T cost;             ///< is added to the length of a path. S::zero(), infinity<T> for shortest paths, forbids the turn
};

namespace detail {

/// Whether a type is a Turn, with a cost of any type. If the type of its cost is wrong, Turn says so itself.
template <class E>
inline constexpr bool is_turn = false;
template <class W>
inline constexpr bool is_turn<Turn<W>> = true;

}  // namespace detail

/// \brief Where U-turns are allowed. A U-turn leads from a road u → v into a road v → u.
///
/// The two roads of an undirected edge are each other's U-turn. A turn into another road back to u is no U-turn. If
/// edges are directed, the turn into any road v → u is a U-turn. A loop, a road v → v, has no U-turn. A closed road
/// counts as any other: closing a road does not make a dead end.
enum class UTurns {
  allowed,    ///< everywhere
  forbidden,  ///< nowhere
  dead_ends   ///< only at a v where each road that begins at v is a U-turn. A forbidden turn does not make a dead end
};

/// Options of a RoadNetwork.
template <class T>
struct RoadOptions {
  /// With undirected every edge is two roads (see Turn).
  Direction direction = Direction::directed;
  /// The rule for U-turns that the caller does not list.
  UTurns u_turns = UTurns::allowed;
  /// The cost of a U-turn where the rule allows it; without a value it is S::one(), which is 0 for shortest paths.
  std::optional<T> u_turn_cost = {};
  /// Pairs of roads: the first road may only continue by the second road of one of its pairs. This forbids all other
  /// turns of the first road, also turns of the rule and of the list of turns. A turn that is also in that list keeps
  /// its cost.
  std::vector<std::pair<std::int32_t, std::int32_t>> only = {};
  /// The order of elimination: order[k] is the caller's vertex to eliminate as number k. Without vertices, the order is
  /// found by approximate minimum degree.
  std::vector<std::int32_t> order = {};
  /// Called as progress(arrivals eliminated, in all) from the calling thread, if set; it may throw.
  Progress progress = {};
  /// As in SolveOptions.
  bool strict_cycles = false;
};

/// \brief The roads of some paths. Path p has the roads [first[p], first[p + 1]), in its order; it is empty without a
/// path, and if the path takes no road.
struct PathRoads {
  std::vector<std::int64_t> first = {0};  ///< where each path begins, and the end of the last
  std::vector<std::int32_t> roads;        ///< the roads of all paths, by the numbers that Turn has
};

}  // namespace blockfw
