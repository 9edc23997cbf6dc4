// SPDX-License-Identifier: MIT
/// \file
/// \brief Sums of a second weight between points beside a network. A sum has the second lengths of two legs, and the
/// second sum of a shortest path between these legs.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/elimination/place.hpp"
#include "blockfw/detail/elimination/point_questions.hpp"
#include "blockfw/detail/elimination/point_rows.hpp"
#include "blockfw/detail/graph/arrival_lists.hpp"
#include "blockfw/detail/graph/neighbours.hpp"
#include "blockfw/detail/loops/threads.hpp"
#include "blockfw/detail/matrices/checks.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace blockfw::detail {

/// \brief A second length in the type of the sums.
/// \param rounding  two bounds of the number's rounding error: a relative one and an absolute one. Both hold; 0: the
///                  number is exact.
/// \param what      the number's name, such as "a second length"
/// \throws InvalidInput for a number that is not whole where the sums are integers, or too large for sums
template <class Sum>
Sum as_sum(double number, std::pair<double, double> rounding, std::size_t point, const std::string& what) {
  const auto misfit = [&](const std::string& expected) {
    return InvalidInput("point " + std::to_string(point) + ": " + what + " is " + digits_of(number) + ", expected " +
                        expected);
  };
  if constexpr (std::is_floating_point_v<Sum>) {
    if (!(std::abs(number) < 0x1p1000)) throw misfit("a magnitude below 2^1000");
    return number;
  } else {
    const bool exact = rounding.first == 0;  // (else a fraction of a large number cannot be told from rounding)
    const double whole = std::rint(number);
    if (!(std::abs(number) < (exact ? 0x1p53 : 0x1p42)) ||
        std::abs(number - whole) > std::min(std::abs(number) * rounding.first, rounding.second))
      throw misfit(std::string("a whole number below 2^") + (exact ? "53" : "42") +
                   ", as the second weights are integers; second weights of doubles take any");
    return static_cast<Sum>(whole);
  }
}

/// \brief The second weight of the edge's part before a place.
/// \throws InvalidInput for a part that is no whole number where the sums are integers, and for an edge whose first
///                      weight alone is 0
template <class W, class Sum>
Sum second_before(W before, const Edge<W>& edge, Sum second, std::size_t point, std::int64_t index) {
  const W whole = edge.weight;
  const auto of_edge = [&] { return "the second weight " + digits_of(second) + " of edge " + std::to_string(index); };
  if (second == Sum(0)) return 0;
  if (whole == W(0))
    throw InvalidInput("point " + std::to_string(point) + ": no part of " + of_edge() +
                       ", whose weight is 0, lies before a place; expected a leg in place of it");
  const auto part = [&] { return "the part of " + of_edge() + " before its place"; };
  if constexpr (std::is_floating_point_v<Sum>) as_sum<Sum>(second, {}, point, of_edge());
  if (before == whole) return second;
  if (before == W(0)) return 0;
  const auto first = static_cast<double>(before), all = static_cast<double>(whole);
  if constexpr (std::is_integral_v<Sum>)
    if (std::is_integral_v<W> || (first == std::rint(first) && all == std::rint(all) && std::abs(all) < 0x1p62)) {
      const auto numerator = static_cast<std::int64_t>(before), denominator = static_cast<std::int64_t>(whole),
                 divisor = std::gcd(numerator, denominator), parts = denominator / divisor;
      if (second % parts == 0) return second / parts * (numerator / divisor);
      throw InvalidInput("point " + std::to_string(point) + ": " + part() + " is " + digits_of(before) + " / " +
                         digits_of(whole) + " of it, expected a whole number, as the second weights are integers; " +
                         "second weights of doubles take any");
    }
  constexpr bool rounds_more = std::is_same_v<W, float>;
  constexpr double epsilon =
      rounds_more ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
  return as_sum<Sum>(static_cast<double>(second) * (first / all), {8 * epsilon, rounds_more ? 0.25 : 0.001}, point,
                     part());
}

/// A network whose edges have weights: a plain one, or one of roads with turns.
template <class Of>
concept HasEdges = requires(const Of& of) {
  of.edges();
  of.identity();
};
template <class Of>
inline constexpr bool is_of_roads = requires(const Of& of) { of.ends(); };

/// The network whose vertices points have legs to.
template <HasEdges Of>
const auto& plain_of(const Of& of) {
  if constexpr (is_of_roads<Of>)
    return of.network();
  else
    return of;
}
/// The caller's vertices, as the vertices of this network.
template <HasEdges Of>
ArrivalLists arrivals_of(const Of& of) {
  if constexpr (is_of_roads<Of>)
    return ArrivalLists(of.ends().arrivals.first());
  else
    return ArrivalLists(of.vertices());
}

/// \brief Checks points for sums of second weights.
/// \throws InvalidInput as require_points_of(), and for places on edges of another network
template <HasEdges Of, class W>
void require_points_along(const Of& of, const PointLists<W>& points, PointRole role) {
  require_points_of(plain_of(of), points, role);
  if (!points.has_places()) return;
  if constexpr (is_of_roads<Of>) {
    if (!is_same(points.roads, of.identity()))
      throw InvalidInput(
          "the points lie on edges of the plain network, or of other roads, expected points on these roads");
  } else {
    if (!is_same(points.roads, Identity()))
      throw InvalidInput("the points lie on roads of a network with turns, expected points on edges of this network");
  }
}

/// \brief Points with the second lengths of their legs and places.
template <class W, class Sum>
struct PointsWithSums {
  const PointLists<W>& lists;
  std::vector<Sum> leg;    ///< the second length of each leg
  std::vector<Sum> place;  ///< the second weight of the edge's part before each place

  /// \param edges   that the places are on, with their first weights: of the network, or of its roads
  /// \param second  their second weights
  /// \throws InvalidInput for a leg without a second length, unless its length is 0; for numbers that as_sum() or
  ///                      second_before() refuses
  PointsWithSums(std::span<const Edge<W>> edges, const std::vector<Sum>& second, const PointLists<W>& points)
      : lists(points) {
    leg.reserve(points.vertex.size());
    place.reserve(points.edge.size());
    for (std::size_t point = 0; point < points.points(); ++point) {
      if (points.has_places())
        for (std::size_t p = at(points.first_place[point]); p < at(points.first_place[point + 1]); ++p) {
          const std::size_t e = at(points.edge[p]);
          place.push_back(second_before(points.position[p], edges[e], second[e], point, points.edge[p]));
        }
      for_legs(points, point, [&](std::size_t l) { leg.push_back(second_length(second, point, l)); });
    }
  }

 private:
  Sum second_length(const std::vector<Sum>& second, std::size_t point, std::size_t l) const {
    if (lists.has_places()) {
      const bool behind = lists.part[l] < 0;
      const std::size_t p = at(behind ? ~lists.part[l] : lists.part[l]);
      return behind ? static_cast<Sum>(second[at(lists.edge[p])] - place[p]) : place[p];
    }
    if (!lists.second.empty()) return as_sum<Sum>(lists.second[l], {}, point, "a second length");
    if (lists.length[l] == W(0)) return Sum(0);
    throw InvalidInput("point " + std::to_string(point) +
                       " has a leg without a second length, expected one, or a leg of length 0");
  }
};

/// \brief Both sums of the best path so far: the second decides where the first sums are equal.
template <class W, class Sum>
struct BestSums {
  W first = infinity<W>;
  Sum second = infinity<Sum>;

  void offer(W other_first, Sum other_second) {
    if (other_first == infinity<W> || other_first > first || (other_first == first && !(other_second < second))) return;
    first = other_first;
    second = other_second;
  }
  /// \brief A leg and a path behind it, or before it.
  /// \param far  as of relax_leg()
  void offer(W leg, Sum second_of_leg, W path, Sum second_of_path, W& far) {
    offer(relax_leg<MinPlus<W>>(infinity<W>, leg, path, far), static_cast<Sum>(second_of_leg + second_of_path));
  }
};

/// The pieces of edges from a source to a target, as relax_pieces() takes them.
template <class W, class Sum>
void offer_pieces(BestSums<W, Sum>& best, const PointsWithSums<W, Sum>& from, std::size_t source,
                  const PointsWithSums<W, Sum>& to, std::size_t target) {
  for_pieces(from.lists, source, to.lists, target, [&](std::size_t p, std::size_t q, bool alone) {
    const W start = from.lists.position[p], end = to.lists.position[q];
    const W piece = relax_piece<MinPlus<W>>(infinity<W>, start, end, from.lists.undirected, false);
    const Sum forward = static_cast<Sum>(to.place[q] - from.place[p]);
    if (alone && piece != infinity<W>) best = {};  // (each other path goes round a cycle)
    best.offer(piece, piece == end - start ? forward : static_cast<Sum>(-forward));
  });
}

/// \brief The second sums of the best paths from points to points.
/// \param first   the network of the first weights
/// \param second  has table(vertices, vertices) of second sums
/// \throws InvalidInput, OverflowRisk, OutOfMemory
template <class W, class Sum, class First, class Second>
auto table_of_points(const First& first, const Second& second, const PointsWithSums<W, Sum>& from,
                     const PointsWithSums<W, Sum>& to) {
  const auto d = allocate_rows<Sum>(first.exec(), from.lists.points(), to.lists.points());
  constexpr std::size_t entries = std::size_t{1} << 20, least = 64;  // best sums at once, and points
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
  const std::vector<std::int32_t> columns = to.lists.distinct_vertices();
  const std::vector<std::int32_t> column_of = to.lists.columns_of_legs(columns);
  const std::size_t in_rows =
      std::max<std::size_t>(1, first.rows_at_once(columns.size() * (1 + sizeof(Sum) / sizeof(W))));
  PointGroups groups(from.lists, 1, in_rows);
  if (groups.count() > 1)
    groups = PointGroups(from.lists, 1, in_rows, order_by_place(from.lists, places_of(first.analysis().order())));
  const std::size_t at_once =
      std::min(from.lists.points(), std::max<std::size_t>(least, entries / std::max<std::size_t>(columns.size(), 1)));
  require_host_memory("the best sums of " + std::to_string(at_once) + " points",
                      static_cast<double>(at_once) * static_cast<double>(columns.size()) * sizeof(BestSums<W, Sum>));
  std::vector<BestSums<W, Sum>> best(at_once * columns.size());
  std::int64_t far_point = none;
  for (std::size_t g = 0; g < groups.count(); ++g) {
    const auto vertices = std::span(groups.vertices).subspan(groups.first_vertex[g], groups.vertices_of(g));
    const auto lengths = first.table(vertices, columns);
    const auto sums = second.table(vertices, columns);
    for (std::size_t begin = groups.first[g]; begin < groups.first[g + 1]; begin += at_once) {
      const std::size_t count = std::min(at_once, groups.first[g + 1] - begin);
      for_tasks(first.exec(), static_cast<std::int64_t>(count), "blockfw::sums_of_points", [&](std::int64_t task) {
        const std::size_t source = groups.point(begin + at(task));
        const auto mine = std::span(best).subspan(at(task) * columns.size(), columns.size());
        std::ranges::fill(mine, BestSums<W, Sum>());
        W far = 0;
        for_legs(from.lists, source, [&](std::size_t leg) {
          const auto row = at(groups.row[leg]);
          for (std::size_t c = 0; c < columns.size(); ++c)
            mine[c].offer(from.lists.length[leg], from.leg[leg], lengths(row, c), sums(row, c), far);
        });
        for (std::size_t target = 0; target < to.lists.points(); ++target) {
          BestSums<W, Sum> of_pair;
          for_legs(to.lists, target, [&](std::size_t leg) {
            const BestSums<W, Sum>& until = mine[at(column_of[leg])];
            of_pair.offer(to.lists.length[leg], to.leg[leg], until.first, until.second, far);
          });
          offer_pieces(of_pair, from, source, to, target);
          d(source, target) = of_pair.second;
        }
        if (far != W(0)) Kokkos::atomic_min(&far_point, static_cast<std::int64_t>(source));
      });
    }
  }
  if (far_point != none) throw_far_sum<W>(far_point);
  return d;
}

/// \brief The second sums of the best paths of pairs of points.
/// \param first   the network of the first weights
/// \param second  has distances(vertices, vertices) of second sums
/// \throws InvalidInput, OverflowRisk, OutOfMemory
template <class W, class Sum, class First, class Second>
std::vector<Sum> pairs_of_points(const First& first, const Second& second, const PointsWithSums<W, Sum>& from,
                                 const PointsWithSums<W, Sum>& to) {
  require_pairs(from.lists.points(), to.lists.points());
  std::vector<Sum> result;
  result.reserve(from.lists.points());
  for_pairs_of_legs(from.lists, to.lists,
                    [&](std::size_t begin, std::size_t end, const auto& sources, const auto& targets) {
                      const auto lengths = first.distances(sources, targets);
                      const auto sums = second.distances(sources, targets);
                      std::size_t next = 0;
                      for (std::size_t point = begin; point < end; ++point) {
                        BestSums<W, Sum> best;
                        W far = 0;
                        for_legs(from.lists, point, [&](std::size_t p) {
                          for_legs(to.lists, point, [&](std::size_t q) {
                            BestSums<W, Sum> until;
                            until.offer(from.lists.length[p], from.leg[p], lengths[next], sums[next], far);
                            best.offer(to.lists.length[q], to.leg[q], until.first, until.second, far);
                            ++next;
                          });
                        });
                        if (far != W(0)) throw_far_sum<W>(static_cast<std::int64_t>(point));
                        offer_pieces(best, from, point, to, point);
                        result.push_back(best.second);
                      }
                    });
  return result;
}

}  // namespace blockfw::detail
