// SPDX-License-Identifier: MIT
/// \file
/// \brief Sums of a second weight between points beside a network: those of legs, and of a shortest path between them.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/elimination/place.hpp"
#include "blockfw/detail/elimination/point_questions.hpp"
#include "blockfw/detail/elimination/point_rows.hpp"
#include "blockfw/detail/loops/threads.hpp"
#include "blockfw/detail/matrices/checks.hpp"
#include "blockfw/ground/digits.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace blockfw::detail {

/// \brief A second length of a point in the type of the sums.
/// \throws InvalidInput for a number that is not whole where the sums are integers, but for the rounding of a product
template <class Sum>
Sum as_sum(double number, std::size_t point) {
  if constexpr (std::is_floating_point_v<Sum>) {
    return number;
  } else {
    const double whole = std::rint(number), rounding = std::min(std::abs(number) * 0x1p-51, 0.001);
    if (std::abs(number - whole) <= rounding && std::abs(number) < 0x1p53) return static_cast<Sum>(whole);
    throw InvalidInput("point " + std::to_string(point) + ": a second length is " + digits_of(number) +
                       ", expected a whole number below 2^53, as the second weights are integers; second weights of "
                       "doubles take any");
  }
}

/// \brief Points with the second lengths of their legs and places.
template <class W, class Sum>
struct PointsWithSums {
  const PointLists<W>& lists;
  std::vector<Sum> leg;    ///< the second length of each leg
  std::vector<Sum> place;  ///< the second weight of the edge's part before each place

  /// \brief A place on an edge has as large a part of the second weight before it as of the first weight.
  /// \param network  has the edges with their first weights
  /// \param second   their second weights
  /// \throws InvalidInput for points of another network or role, for legs without second lengths, unless their lengths
  ///                      are 0; for a second length as as_sum()
  template <class Network>
  PointsWithSums(const Network& network, const std::vector<Sum>& second, const PointLists<W>& points, PointRole role)
      : lists(points) {
    require_points_of(network, points, role);
    const std::vector<Edge<W>>& edges = network.edges();
    if (edges.size() != second.size())
      throw InvalidInput("the network has " + std::to_string(edges.size()) + " edges, expected that of the " +
                         std::to_string(second.size()) + " second weights");
    if (points.has_places() && points.part.empty())
      throw InvalidInput("the points lie on roads of a network with turns, expected points on edges of this network");
    leg.reserve(points.vertex.size());
    place.reserve(points.edge.size());
    for (std::size_t point = 0; point < points.points(); ++point) {
      if (points.has_places())
        for (std::size_t p = at(points.first_place[point]); p < at(points.first_place[point + 1]); ++p) {
          const std::size_t e = at(points.edge[p]);
          const W before = points.position[p], whole = edges[e].weight;
          place.push_back(before == W(0) ? Sum(0)
                          : before == whole
                              ? second[e]
                              : as_sum<Sum>(static_cast<double>(second[e]) *
                                                (static_cast<double>(before) / static_cast<double>(whole)),
                                            point));
        }
      for_legs(points, point, [&](std::size_t l) {
        if (points.has_places()) {
          const std::int32_t part = points.part[l];
          const std::size_t p = at(part < 0 ? ~part : part);
          leg.push_back(part < 0 ? static_cast<Sum>(second[at(points.edge[p])] - place[p]) : place[p]);
        } else if (!points.second.empty()) {
          leg.push_back(as_sum<Sum>(points.second[l], point));
        } else if (points.length[l] == W(0)) {
          leg.push_back(Sum(0));
        } else {
          throw InvalidInput("point " + std::to_string(point) +
                             " has a leg without a second length, expected one, or a leg of length 0");
        }
      });
    }
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
  if (!from.lists.has_places() || !to.lists.has_places()) return;
  const bool alone = from.lists.is_alone(source) && to.lists.is_alone(target);
  for (std::size_t p = at(from.lists.first_place[source]); p < at(from.lists.first_place[source + 1]); ++p)
    for (std::size_t q = at(to.lists.first_place[target]); q < at(to.lists.first_place[target + 1]); ++q) {
      if (from.lists.edge[p] != to.lists.edge[q]) continue;
      const W start = from.lists.position[p], end = to.lists.position[q];
      const W piece = relax_piece<MinPlus<W>>(infinity<W>, start, end, from.lists.undirected, false);
      const Sum forward = static_cast<Sum>(to.place[q] - from.place[p]);
      if (alone && piece != infinity<W>) best = {};  // (each other path goes round a cycle)
      best.offer(piece, piece == end - start ? forward : static_cast<Sum>(-forward));
    }
}

/// \brief The second sums of the best paths from points to points.
/// \param first   the network of the first weights
/// \param second  has table(vertices, vertices) of second sums
/// \throws InvalidInput, OverflowRisk, OutOfMemory
template <class W, class Sum, class First, class Second>
auto table_of_points(const First& first, const Second& second, const PointsWithSums<W, Sum>& from,
                     const PointsWithSums<W, Sum>& to) {
  const auto d = allocate_rows<Sum>(first.exec(), from.lists.points(), to.lists.points());
  constexpr std::size_t entries = std::size_t{1} << 20;  // of best sums
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
  const std::vector<std::int32_t> columns = to.lists.distinct_vertices();
  const PointGroups groups(from.lists, 1, std::max<std::size_t>(1, first.rows_at_once(columns.size()) / 2));
  std::vector<std::size_t> column_of;
  for (const std::int32_t vertex : to.lists.vertex)
    column_of.push_back(
        static_cast<std::size_t>(std::lower_bound(columns.begin(), columns.end(), vertex) - columns.begin()));
  const std::size_t at_once = std::max<std::size_t>(1, entries / std::max<std::size_t>(columns.size(), 1));
  for (std::size_t g = 0; g < groups.count(); ++g) {
    const auto vertices = std::span(groups.vertices).subspan(groups.first_vertex[g], groups.vertices_of(g));
    const auto lengths = first.table(vertices, columns);
    const auto sums = second.table(vertices, columns);
    for (std::size_t begin = groups.first[g]; begin < groups.first[g + 1]; begin += at_once) {
      const std::size_t count = std::min(at_once, groups.first[g + 1] - begin);
      require_host_memory("the best sums of " + std::to_string(count) + " points",
                          static_cast<double>(count) * static_cast<double>(columns.size()) * sizeof(BestSums<W, Sum>));
      std::vector<BestSums<W, Sum>> best(count * columns.size());
      std::int64_t far_point = none;
      for_tasks(first.exec(), static_cast<std::int64_t>(count), "blockfw::sums_of_points", [&](std::int64_t task) {
        const std::size_t source = begin + at(task);
        const auto mine = std::span(best).subspan(at(task) * columns.size(), columns.size());
        W far = 0;
        for_legs(from.lists, source, [&](std::size_t leg) {
          const auto row = at(groups.row[leg]);
          for (std::size_t c = 0; c < columns.size(); ++c)
            mine[c].offer(from.lists.length[leg], from.leg[leg], lengths(row, c), sums(row, c), far);
        });
        for (std::size_t target = 0; target < to.lists.points(); ++target) {
          BestSums<W, Sum> of_pair;
          for_legs(to.lists, target, [&](std::size_t leg) {
            const BestSums<W, Sum>& until = mine[column_of[leg]];
            of_pair.offer(to.lists.length[leg], to.leg[leg], until.first, until.second, far);
          });
          offer_pieces(of_pair, from, source, to, target);
          d(source, target) = of_pair.second;
        }
        if (far != W(0)) Kokkos::atomic_min(&far_point, static_cast<std::int64_t>(source));
      });
      if (far_point != none) throw_far_sum<W>(far_point);
    }
  }
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
