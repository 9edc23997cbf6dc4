// SPDX-License-Identifier: MIT
/// \file
/// \brief An upper bound of all distances, which allows a narrower type; and copies back from that type. The bound is
/// found from a matrix, or from edges on several devices or ranks.
///
/// Suppose that no weight is negative. Capping all numbers at some B means that x becomes min(x, B). Capping commutes
/// with min, and with sums that are capped likewise. So a solve whose infinity is B gives exactly
/// min(distance, B). If every finite distance is known to be less than B, a result of B means that there is no path.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/backend/vectors.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/base/lanes.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/detail/loops/threads.hpp"
#include "blockfw/detail/matrices/copies.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace blockfw::detail {

/// \brief Upper bounds of the distances from a hub (column 0) and to it (column 1). A hub is a vertex through which
/// paths can lead.
template <class T, class ExecSpace>
using HubDistances = Kokkos::View<T* [2], Kokkos::LayoutLeft, typename ExecSpace::memory_space>;

/// The largest finite bound and the number of missing vertices, for the distances from a hub (0) and to it (1). A
/// missing vertex has no finite bound.
template <class T>
struct HubBounds {
  T farthest[2] = {0, 0};
  std::int64_t missing[2] = {0, 0};

  /// Upper bound of every finite distance: of paths through the hub, and of paths among the missing vertices of one
  /// direction. Valid only if no edge leads from a vertex with a bound in direction 0 to a vertex without one. Also, no
  /// edge may lead from a vertex without a bound in direction 1 to a vertex with one.
  T longest(T heaviest, T of_any_path) const {
    const std::int64_t among = std::max<std::int64_t>({1, missing[0], missing[1]}) - 1;
    const T aside =
        among > 0 && heaviest > of_any_path / static_cast<T>(among) ? of_any_path : static_cast<T>(among * heaviest);
    return std::max(static_cast<T>(farthest[0] + farthest[1]), aside);
  }
};

/// The vertex with the most outgoing edges among a few samples.
template <class ExecSpace, class View>
std::int64_t find_hub(const ExecSpace& exec, const View& d) {
  using T = typename View::non_const_value_type;
  using Rows = Kokkos::TeamPolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>;
  using Best = Kokkos::MaxLoc<std::int64_t, std::int64_t>;
  const auto n = extent_along(d, 0), samples = std::min<std::int64_t>(n, 64);
  typename Best::value_type best;
  reduce_teams(
      "blockfw::find_hub", Rows(exec, static_cast<int>(samples), Kokkos::AUTO),
      KOKKOS_LAMBDA(const typename Rows::member_type& team, typename Best::value_type& most) {
        const std::int64_t i = n * team.league_rank() / samples;
        std::int64_t edges = 0;
        Kokkos::parallel_reduce(
            Kokkos::TeamVectorRange(team, n),
            [&](std::int64_t j, std::int64_t& count) { count += d(i, j) < infinity<T> ? 1 : 0; }, edges);
        Kokkos::single(Kokkos::PerTeam(team), [&] {
          if (edges > most.val) most = {edges, i};
        });
      },
      Best(best));
  return best.loc;
}

template <class ExecSpace, class Distances>
HubBounds<typename Distances::value_type> hub_bounds(const ExecSpace& exec, const Distances& distances) {
  using T = typename Distances::value_type;
  HubBounds<T> bounds;
  for (int side = 0; side < 2; ++side)
    reduce_range(
        "blockfw::hub_bounds", exec, 0, distances.extent(0),
        KOKKOS_LAMBDA(std::int64_t v, T& farthest, std::int64_t& missing) {
          if (const T x = distances(v, side); x < infinity<T>)
            farthest = Kokkos::max(farthest, x);
          else
            ++missing;
        },
        Kokkos::Max<T>(bounds.farthest[side]), bounds.missing[side]);
  return bounds;
}

/// The weights of the hub's edges, from it and to it, as its first bounds.
template <class ExecSpace, class View, class Distances>
void set_hub_distances(const ExecSpace& exec, const View& d, std::int64_t hub, const Distances& distances) {
  for_range(
      "blockfw::hub_distances", exec, 0, d.extent(0), KOKKOS_LAMBDA(std::int64_t v) {
        distances(v, 0) = d(hub, v);
        distances(v, 1) = d(v, hub);
      });
}

/// \brief One vertex's part of improve_hub_distances() on a host.
/// \param row       the vertex's edges
/// \param from_hub  the vertex's own bound from the hub
/// \param from, to  all bounds from the hub and to it
/// \return the length of the shortest path to the hub by an edge
template <class Level, class T>
BLOCKFW_ALWAYS_INLINE T improve_by_row(const T* row, std::int64_t n, T from_hub, T* from, const T* to) {
  constexpr int width = Level::bytes / static_cast<int>(sizeof(T)), step = 8 * width;
  using V = Lanes<Level, T, width>;
  using Marks = Lanes<Level, MaskElement<T>, width>;
  T nearest[width];
  std::fill_n(nearest, width, infinity<T>);
  const auto improve = [&](std::int64_t first, std::int64_t end) __attribute__((always_inline)) {
    for (std::int64_t v = first; v < end; ++v)
      if (const T sum = static_cast<T>(from_hub + row[v]); sum < from[v]) Kokkos::atomic_min(&from[v], sum);
  };
  V least = V::load(nearest);
  std::int64_t v = 0;
  for (; v + step <= n; v += step) {
    Marks nearer = Marks::broadcast(0);
    BLOCKFW_UNROLL
    for (int e = 0; e < step; e += width) {
      const V edges = V::load(row + v + e);
      least = V::smaller(edges + V::load(to + v + e), least);
      nearer = nearer | (V::broadcast(from_hub) + edges < V::load(from + v + e)).numbers();
    }
    if ((nearer < Marks::broadcast(0)).any()) improve(v, v + step);
  }
  improve(v, n);
  least.store(nearest);
  T to_hub = *std::min_element(nearest, nearest + width);
  for (; v < n; ++v) to_hub = std::min(to_hub, static_cast<T>(row[v] + to[v]));
  return to_hub;
}

/// Lowers each vertex's bounds by paths of one more edge, or of several. (A thread may read a bound while another
/// thread lowers it. It gets the old or the new bound, and both are valid.)
template <class ExecSpace, class View, class Distances>
void improve_hub_distances(const ExecSpace& exec, const View& d, const Distances& distances) {
  using T = typename View::non_const_value_type;
  using Rows = Kokkos::TeamPolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>;
  const auto n = extent_along(d, 0);
  if constexpr (is_host_space<ExecSpace> && Kokkos::is_view_v<View>) {
    if (d.stride(1) == 1) {
      require_vectors();
      for_range("blockfw::improve_hub_distances", exec, 0, n, [=](std::int64_t u) {
        const T to_hub = with_vectors([&](auto level) __attribute__((always_inline)) {
          return improve_by_row<decltype(level)>(&d(u, 0), n, T(distances(u, 0)), &entry_at(distances, 0, 0),
                                                 &entry_at(distances, 0, 1));
        });
        if (to_hub < distances(u, 1)) distances(u, 1) = to_hub;
      });
      return;
    }
  }
  const RowSegments<ExecSpace> segments(n);
  for_teams(
      "blockfw::improve_hub_distances", Rows(exec, static_cast<int>(n), Kokkos::AUTO),
      KOKKOS_LAMBDA(const typename Rows::member_type& team) {
        const std::int64_t u = team.league_rank();
        const T from_hub = distances(u, 0);
        T to_hub = infinity<T>;
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(team, segments.count()),
            [&](std::int64_t segment, T& least) {
              T nearest = infinity<T>;  // (in a register)
              int nearer = 0;
              segments.for_each(segment, [&](int v) {
                const T edge = d(u, v), onward = static_cast<T>(edge + entry_at(distances, v, 1));
                nearest = onward < nearest ? onward : nearest;
                nearer += static_cast<T>(from_hub + edge) < entry_at(distances, v, 0);
              });
              least = Kokkos::min(least, nearest);
              if (nearer == 0) return;
              segments.for_each(segment, [&](int v) {
                if (const T sum = static_cast<T>(from_hub + d(u, v)); sum < entry_at(distances, v, 0))
                  Kokkos::atomic_min(&entry_at(distances, v, 0), sum);
              });
            },
            Kokkos::Min<T>(to_hub));
        Kokkos::single(Kokkos::PerTeam(team), [&] {
          if (to_hub < distances(u, 1)) distances(u, 1) = to_hub;
        });
      });
}

/// \brief Looks for an upper bound of all finite distances, by passes over the edges. The bound must be below the last
/// limit; a few more passes try to bring it below an earlier limit.
///
/// No path is longer than n - 1 times the heaviest edge, or than the sum of all edges. If that bound is too large, one
/// vertex becomes the hub. Take a vertex that reaches the hub and a vertex that the hub reaches. Their distance is at
/// most the length of a path through the hub. So the hub's bounds need not be shortest distances, only lengths of
/// paths. A few passes over the edges make these lengths short. A path from a vertex that does not reach the hub stays
/// among vertices that do not reach it. A path to a vertex that the hub does not reach stays among vertices that the
/// hub does not reach.
///
/// \param n        number of vertices
/// \param range    range of the weights, none of which is negative
/// \param limits   ascending
/// \param passes   the most passes
/// \param start    start() chooses a hub and returns its bounds
/// \param improve  improve() lowers the hub's bounds by all edges, and returns the new bounds
/// \return the bound; nothing if a few passes find none below the last limit
///
/// One pass or two if there are many edges.
template <class T, class Start, class Improve>
std::optional<T> distance_bound(std::int64_t n, WeightRange<T> range, const std::vector<T>& limits, std::int64_t passes,
                                const Start& start, const Improve& improve) {
  if (range.empty()) return T(0);
  const T by_edges = longest_path(n, range);
  if (by_edges < limits.front()) return by_edges;
  if (range.smallest >= limits.back()) return std::nullopt;
  HubBounds<T> now = start();
  // When 16 bits suffice already, a bound for fewer bits is sought in at most three passes. After the first pass the
  // search goes on only while the bound is less than four times the limit of fewer bits.
  constexpr std::int64_t hopeful = 3;
  constexpr T near = 4;
  T least = by_edges;
  bool closed = now.missing[0] == 0 && now.missing[1] == 0;  // whether longest() is valid
  for (std::int64_t pass = 0, last = passes;; ++pass) {
    if (closed) least = std::min(least, now.longest(range.largest, by_edges));
    const auto fits = std::upper_bound(limits.begin(), limits.end(), least);
    if (fits == limits.begin() || pass == last) break;
    if (fits != limits.end() && *std::prev(fits) < infinity<std::int16_t> &&
        (pass >= hopeful || (pass > 0 && closed && least / near >= *std::prev(fits))))
      break;
    const HubBounds<T> before = now;
    now = improve();
    const auto unchanged = [&](int side) { return now.missing[side] == before.missing[side]; };
    closed = (now.missing[0] == 0 || unchanged(0)) && (now.missing[1] == 0 || unchanged(1));
    if (unchanged(0) && unchanged(1) && now.farthest[0] == before.farthest[0] && now.farthest[1] == before.farthest[1])
      last = pass + 1;
  }
  return least < limits.back() ? std::optional(least) : std::nullopt;
}

/// \brief The same for a matrix of weights.
///
/// A pass reads the matrix. There are at most 3 + n/vertices_a_pass, by default a few percent of a solve. Fences exec.
template <class ExecSpace, class View, class T = typename View::non_const_value_type>
std::optional<T> distance_bound(const ExecSpace& exec, const View& d, WeightRange<T> range,
                                const std::vector<T>& limits, std::int64_t vertices_a_pass = 1024) {
  const auto n = extent_along(d, 0);
  HubDistances<T, ExecSpace> distances;
  const auto start = [&] {
    distances = without_values<HubDistances<T, ExecSpace>>(exec, "blockfw::hub_distances", n);
    set_hub_distances(exec, d, find_hub(exec, d), distances);
    return hub_bounds(exec, distances);
  };
  return distance_bound(n, range, limits, 3 + n / vertices_a_pass, start, [&] {
    improve_hub_distances(exec, d, distances);
    return hub_bounds(exec, distances);
  });
}

/// A weight in the type of S. That type is the same or, for shortest paths in integers, a narrower one, at whose
/// infinity the weight is cut off.
template <Semiring S, class T, class Narrow = typename S::value_type>
KOKKOS_FORCEINLINE_FUNCTION Narrow narrowed(T x) {
  if constexpr (std::is_same_v<Narrow, T>)
    return x;
  else
    return x < static_cast<T>(infinity<Narrow>) ? static_cast<Narrow>(x) : infinity<Narrow>;
}

/// The least order at which the narrower solve saves more time than the bound and the conversions take.
template <class ExecSpace>
inline constexpr std::int64_t narrow_from = is_host_space<ExecSpace> ? 1024 : 3000;

/// \brief The narrower types in which distances over S may be solved if they hold all distances, the narrowest first.
/// Only shortest distances in integers have them: 8 bits where a place works on 8 bits, 16 bits, and for int64 also 32
/// bits.
/// \tparam bytes  whether 8 bits count. (Only hosts work on several 8-bit numbers at once.)
template <Semiring S, bool bytes>
struct Ladder {
  using T = typename S::value_type;

  /// Whether S has any narrower type.
  static constexpr bool any = std::is_same_v<S, MinPlus<T>> && std::is_integral_v<T> && (sizeof(T) > 2);

  /// \brief Calls f(Small()) for each type, the narrowest first, until f returns true.
  /// \return whether f has returned true
  template <class F>
  static bool find([[maybe_unused]] const F& f) {
    bool found = false;
    if constexpr (any && bytes) found = f(std::int8_t());
    if constexpr (any) found = found || f(std::int16_t());
    if constexpr (any && sizeof(T) > 4) found = found || f(std::int32_t());
    return found;
  }

  /// The infinities of the types, ascending: a type holds all distances below its infinity.
  static std::vector<T> limits() {
    std::vector<T> all;
    find([&]<class Small>(Small) {
      all.push_back(infinity<Small>);
      return false;
    });
    return all;
  }

  /// \brief Calls f(Small()) for the types that hold a longest distance, the narrowest first, until f returns true.
  /// \param longest  a bound of all distances; without one no type is known to hold them
  /// \return whether f has returned true
  template <class F>
  static bool take(const std::optional<T>& longest, const F& f) {
    return longest && find([&]<class Small>(Small small) { return *longest < infinity<Small> && f(small); });
  }

  /// Whether a type has this many bits.
  static bool has(std::int64_t bits) {
    return find([&]<class Small>(Small) { return bits == 8 * std::int64_t(sizeof(Small)); });
  }
};

/// The vertex that is left by the most edges of a few samples, and the number of these edges.
template <class Edges>
std::pair<std::int64_t, std::int64_t> find_hub_of_edges(const Edges& edges) {
  const auto count = extent_along(edges, 0), samples = std::min<std::int64_t>(count, 4096);
  std::map<std::int64_t, std::int64_t> leaving;
  for (std::int64_t sample = 0; sample < samples; ++sample) ++leaving[edges(count * sample / samples).from];
  const auto most = std::max_element(leaving.begin(), leaving.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most == leaving.end()) return {0, 0};
  return *most;
}

/// The hub's bounds on the host.
template <class T>
using HostHubDistances = HubDistances<T, Kokkos::DefaultHostExecutionSpace>;

/// \brief Lowers each vertex's bounds by paths of one more edge, or of several, out of some edges. Fences exec.
/// \param entries    the edges; `from` is a row, `to` a vertex
/// \param first      the vertex of row 0
/// \param direction  with undirected each edge counts in both directions
/// \param distances  memory for the hub's bounds
/// \param before     the bounds
/// \param after      the lowered bounds; may be `before`
///
/// (A thread may read a bound while another thread lowers it. It gets the old or the new bound, and both are valid.)
template <class ExecSpace, class Entries, class Distances, class T = typename Distances::value_type>
void improve_hub_distances_by(const ExecSpace& exec, const Entries& entries, std::int64_t first, Direction direction,
                              const Distances& distances, const HostHubDistances<T>& before,
                              const HostHubDistances<T>& after) {
  const bool undirected = direction == Direction::undirected;
  copy_array(exec, distances, before);
  for_range(
      "blockfw::improve_hub_distances", exec, 0, entries.extent(0), KOKKOS_LAMBDA(std::int64_t e) {
        const auto entry = entries(e);
        const T weight = static_cast<T>(entry.weight);
        const auto lower = [&](std::int64_t u, std::int64_t v) {
          const T from_hub = distances(u, 0), to_hub = distances(v, 1);
          if (from_hub < infinity<T> && static_cast<T>(from_hub + weight) < distances(v, 0))
            Kokkos::atomic_min(&distances(v, 0), static_cast<T>(from_hub + weight));
          if (to_hub < infinity<T> && static_cast<T>(weight + to_hub) < distances(u, 1))
            Kokkos::atomic_min(&distances(u, 1), static_cast<T>(weight + to_hub));
        };
        const std::int64_t u = first + entry.from, v = entry.to;
        if (u == v) return;  // (The range of the weights leaves out self loops, so a sum with one could overflow.)
        lower(u, v);
        if (undirected) lower(v, u);
      });
  copy_array(exec, after, distances);
  exec.fence("blockfw::hub_distances");
}

/// \brief distance_bound() of edges in several places, whose bounds are combined on the host. Takes at most 16 + n/1024
/// passes.
/// \param find_hub  find_hub() is called before the first pass; it returns the vertex through which paths are to lead
/// \param improve   improve(distances) lowers the hub's bounds by all edges
template <class T, class FindHub, class Improve>
std::optional<T> distance_bound_of_edges(std::int64_t n, WeightRange<T> range, const std::vector<T>& limits,
                                         const FindHub& find_hub, const Improve& improve) {
  HostHubDistances<T> best;
  const auto bounds = [&] { return hub_bounds(Kokkos::DefaultHostExecutionSpace(), best); };
  const auto start = [&] {
    const std::int64_t hub = find_hub();
    best = HostHubDistances<T>("blockfw::hub_distances", at(n));
    std::fill_n(best.data(), best.size(), infinity<T>);
    best(hub, 0) = best(hub, 1) = T(0);
    return bounds();
  };
  return distance_bound(n, range, limits, 16 + n / 1024, start, [&] {
    improve(best);
    return bounds();
  });
}

/// \brief distance_bound() of edges that are spread over devices by the rows of their entries.
///
/// A pass reads every edge where it lies. Between passes the bounds, 2 n numbers a device, are combined on the host.
///
/// \param devices  an instance for each share
/// \param entries  entries[s] is a rank-1 view of the edges of share s; see improve_hub_distances_by(), directed
/// \param rows     rows of each share except the last
/// \param hub      hub() is the vertex through which paths are to lead
template <class T, class ExecSpace, class Entries, class Hub>
std::optional<T> distance_bound(const std::vector<ExecSpace>& devices, const std::vector<Entries>& entries,
                                std::int64_t rows, std::int64_t n, const Hub& hub, WeightRange<T> range,
                                const std::vector<T>& limits) {
  const auto order = at(n);
  std::vector<HubDistances<T, ExecSpace>> distances;
  std::vector<HostHubDistances<T>> seen;
  const auto find_hub = [&] {
    for (const ExecSpace& exec : devices) {
      distances.push_back(without_values<HubDistances<T, ExecSpace>>(exec, "blockfw::hub_distances", n));
      seen.emplace_back("blockfw::hub_distances", order);
    }
    return hub();
  };
  return distance_bound_of_edges(n, range, limits, find_hub, [&](const HostHubDistances<T>& best) {
    in_threads(static_cast<int>(devices.size()), [&](int share) {
      const auto s = at(share);
      improve_hub_distances_by(devices[s], entries[s], share * rows, Direction::directed, distances[s], best, seen[s]);
    });
    for (const HostHubDistances<T>& there : seen)
      for (int side = 0; side < 2; ++side)
        for (std::size_t v = 0; v < order; ++v) best(v, side) = std::min(best(v, side), there(v, side));
  });
}

}  // namespace blockfw::detail
