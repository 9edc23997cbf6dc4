// SPDX-License-Identifier: MIT
/// \file
/// \brief Rows of distances from points beside a network: sums of the points' legs and of rows from vertices.
#pragma once

#include "blockfw/detail/backend/compiled.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/elimination/nearest_and_within.hpp"
#include "blockfw/detail/elimination/place.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/detail/matrices/copies.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace blockfw::detail {

/// \brief c ⊕ (a ⊗ b), where a or b may be no path.
/// \param far  is set to 1 if a sum of integers reaches infinity<T> or -infinity<T>
///
/// (The sum of two numbers between these bounds always fits T. A number for "no path" is not added up, as a negative
/// length would turn the sum into a path.)
template <Semiring S, class T = typename S::value_type>
KOKKOS_FORCEINLINE_FUNCTION T relax_leg(T c, T a, T b, [[maybe_unused]] T& far) {
  constexpr T none = S::zero();
  const bool is_path = (a != none) & (b != none);
  if constexpr (sums_integers<S>) {
    const T sum = static_cast<T>(a + b);
    far = static_cast<T>(far | static_cast<T>(is_path & ((sum >= infinity<T>) | (sum <= -infinity<T>))));
  }
  return is_path ? S::relax(c, a, b) : c;
}

/// \throws OverflowRisk that names the point
template <class T>
[[noreturn]] void throw_far_sum(std::int64_t point) {
  throw OverflowRisk("point " + std::to_string(point) + ": the sum of a leg and a distance leaves the distances of " +
                     type_name<T>() + ", which lie between -infinity and infinity, " + std::to_string(infinity<T>) +
                     "; use " + wider_types<T>());
}

/// \brief c ⊕ the piece of an edge between two places on it; for shortest paths.
///
/// \param from, to    positions on the edge, from 0 to its weight. (Both have its sign, and so has the piece.)
/// \param undirected  whether the piece leads in both directions. If not, it leads only away from position 0.
/// \param alone       whether every path from and to these places follows a directed edge. Then the piece is the best
///                    path, as each other path goes round a cycle. It is taken as it is, since sums round.
template <Semiring S, class T = typename S::value_type>
KOKKOS_FORCEINLINE_FUNCTION T relax_piece(T c, T from, T to, bool undirected, bool alone) {
  const T step = static_cast<T>(to - from), back = static_cast<T>(from - to);
  const bool falls = (from < T(0)) | (to < T(0));
  if (undirected) return S::relax(c, falls == (step > T(0)) ? back : step, S::one());
  if (falls ? step > T(0) : step < T(0)) return c;
  return alone ? step : S::relax(c, step, S::one());
}

/// Whether points are for one end of paths, or for either.
enum class PointRole { either, source, target };

/// \brief Points beside a network, in compressed rows: the legs of each point, and its places on edges.
template <class T>
struct PointLists {
  std::int64_t vertices = 0;              ///< the number of vertices of the network
  std::vector<std::int64_t> first = {0};  ///< where the legs of each point begin, and the end of the last
  std::vector<std::int32_t> vertex;       ///< the vertex of each leg
  std::vector<T> length;                  ///< the length of each leg; every leg is a path
  std::vector<double> second;             ///< the second length of each leg; empty if no leg has one
  PointRole role = PointRole::either;

  bool undirected = false;                ///< whether the edges of the places are undirected
  std::vector<std::int64_t> first_place;  ///< where the places of each point begin; empty for points without places
  std::vector<std::int64_t> edge;         ///< the edge of each place; a point has at most one place on an edge
  std::vector<T> position;                ///< the part of the edge's weight before each place
  std::vector<std::int32_t> part;         ///< each leg's place p; ~p for a leg by the edge's part behind it; or empty
  Identity network;                       ///< the network of the places; no network for points without places
  Identity roads;  ///< the network of roads with turns that has the edges; no network for edges of a plain network

  std::size_t points() const { return first.size() - 1; }
  bool has_places() const { return !edge.empty(); }
  /// Whether the point has one place, on a directed edge.
  bool is_alone(std::size_t point) const { return !undirected && first_place[point + 1] - first_place[point] == 1; }

  /// The vertices of all legs, ascending, each once.
  std::vector<std::int32_t> distinct_vertices() const {
    std::vector<std::int32_t> list = vertex;
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    return list;
  }
  /// For each leg the index of its vertex in `columns`, a list like that of distinct_vertices().
  std::vector<std::int32_t> columns_of_legs(const std::vector<std::int32_t>& columns) const {
    std::vector<std::int32_t> result;
    result.reserve(vertex.size());
    for (const std::int32_t v : vertex)
      result.push_back(
          static_cast<std::int32_t>(std::lower_bound(columns.begin(), columns.end(), v) - columns.begin()));
    return result;
  }
};

/// \brief Sorts items by their points; items of one point keep their order.
/// \param first  becomes the start of each point's items, and the end of the last
/// \return the items' indices in that order
template <class Items>
std::vector<std::size_t> order_by_point(std::size_t points, const Items& items, std::vector<std::int64_t>& first) {
  first.assign(points + 1, 0);
  for (const auto& item : items) ++first[at(item.point) + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<std::int64_t> next(first.begin(), first.end() - 1);
  std::vector<std::size_t> order(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) order[at(next[at(items[i].point)]++)] = i;
  return order;
}

/// \brief Sorts points so that neighbours in the network follow each other: by their vertices' places.
/// \param place  place[v]: the number of vertex v in an order of elimination. Subtrees have numbers in a row.
/// \return the points in this order
template <class T>
std::vector<std::int32_t> order_by_place(const PointLists<T>& points, const std::vector<std::int32_t>& place) {
  std::vector<std::int32_t> least(points.points(), 0);  // the least place of each point's vertices
  for (std::size_t point = 0; point < points.points(); ++point)
    for (std::size_t leg = at(points.first[point]); leg < at(points.first[point + 1]); ++leg) {
      const std::int32_t mine = place[at(points.vertex[leg])];
      least[point] = leg == at(points.first[point]) ? mine : std::min(least[point], mine);
    }
  std::vector<std::int32_t> order(points.points());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::int32_t a, std::int32_t b) { return least[at(a)] < least[at(b)]; });
  return order;
}

/// \brief Groups of neighbouring points. The rows of distances from a group's vertices are made together, each once.
struct PointGroups {
  std::vector<std::int32_t> order;              ///< the points, group by group; empty if they keep their order
  std::vector<std::size_t> first = {0};         ///< where the points of each group begin, and the end of the last
  std::vector<std::size_t> first_vertex = {0};  ///< where the vertices of each group begin
  std::vector<std::int32_t> vertices;           ///< of each group, each once
  std::vector<std::int32_t> row;                ///< the number of each leg's vertex in the group

  /// \param together  the number of points that stay in one group: 1, or the points of a block of rows
  /// \param most      vertices of a group, unless `together` points have more
  /// \param by        another order of the points; or empty
  template <class T>
  PointGroups(const PointLists<T>& points, std::size_t together, std::size_t most, std::vector<std::int32_t> by = {})
      : order(std::move(by)), row(points.vertex.size()) {
    std::unordered_map<std::int32_t, std::int32_t> rows;
    const auto add = [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        for (std::size_t leg = at(points.first[point(i)]); leg < at(points.first[point(i) + 1]); ++leg) {
          const auto [entry, is_new] = rows.try_emplace(points.vertex[leg], static_cast<std::int32_t>(rows.size()));
          if (is_new) vertices.push_back(points.vertex[leg]);
          row[leg] = entry->second;
        }
    };
    for (std::size_t begin = 0; begin < points.points(); begin += together) {
      const std::size_t end = std::min(points.points(), begin + together), before = vertices.size();
      add(begin, end);
      if (rows.size() <= most || begin == first.back()) continue;
      vertices.resize(before);  // these points begin another group
      rows.clear();
      first.push_back(begin);
      first_vertex.push_back(before);
      add(begin, end);
    }
    first.push_back(points.points());
    first_vertex.push_back(vertices.size());
  }

  std::size_t count() const { return first.size() - 1; }
  /// The point at a place among the points of all groups.
  std::size_t point(std::size_t place) const { return order.empty() ? place : at(order[place]); }
  std::size_t vertices_of(std::size_t group) const { return first_vertex[group + 1] - first_vertex[group]; }
  /// The most vertices that a group has.
  std::size_t most_vertices() const {
    std::size_t most = 0;
    for (std::size_t g = 0; g < count(); ++g) most = std::max(most, vertices_of(g));
    return most;
  }
  /// \brief The vertices of all groups. Each group is padded with vertex 0 to the size of the largest group, so that
  /// each block of rows belongs to one group. (The last group is not padded, unless it is empty.)
  std::vector<std::int32_t> padded() const {
    const std::size_t most = most_vertices();
    std::vector<std::int32_t> list;
    list.reserve(most * count());
    for (std::size_t g = 0; g < count(); ++g) {
      const auto begin = vertices.begin() + static_cast<std::ptrdiff_t>(first_vertex[g]);
      list.insert(list.end(), begin, begin + static_cast<std::ptrdiff_t>(vertices_of(g)));
      list.resize(g * most + (g + 1 < count() ? most : std::max<std::size_t>(vertices_of(g), 1)), 0);
    }
    return list;
  }
};

/// A source's place on an edge.
template <class T>
struct PlaceOfSource {
  std::int64_t first, end;  ///< the places of targets on the same edge
  T position;
  bool alone;  ///< see PointLists::is_alone()
};
/// A target's place on an edge.
template <class T>
struct PlaceOfTarget {
  std::int32_t point;
  T position;
  bool alone;
};

/// The legs and places of points, where an instance works.
template <class T, class ExecSpace>
struct PointArrays {
  template <class E>
  using Array = Kokkos::View<E*, typename ExecSpace::memory_space>;
  /// The legs of sources, or of targets.
  struct Legs {
    Array<std::int64_t> first;  ///< where the legs of each point begin, and the end of the last
    Array<std::int32_t> index;  ///< the row of the distances that belongs to a source's leg; a target's column
    Array<T> length;
  };

  Legs from, to;              ///< `to` is empty if there are no targets: the columns are all vertices
  Array<std::int32_t> order;  ///< of the sources, as PointGroups have it
  bool undirected = false;
  Array<std::int64_t> first_place;      ///< where the places of each source begin; empty without places
  Array<PlaceOfSource<T>> from_places;  ///< the places of all sources
  Array<PlaceOfTarget<T>> to_places;    ///< the places of all targets, sorted by their edges
  Array<std::int64_t> far;              ///< the first source with a sum that reaches infinity
};

/// \brief Writes rows of distances from sources.
/// \param distances  rows from vertices
/// \param first      the first of the sources in their order
/// \param count      of the sources
/// \param sums       memory for as many rows, of distances to the columns of `distances`; without targets it is d
/// \param d          a row for each of them; if they have an order, a row for each of all sources
///
/// A team makes a row in three steps. It finds the best sums of the source's legs and the rows of distances. It joins
/// these sums with the targets' legs. Then it joins the pieces of edges.
template <Semiring S, class ExecSpace, class T>
void write_point_rows(const ExecSpace& exec, const PointArrays<T, ExecSpace>& points,
                      const RowsOf<T, ExecSpace>& distances, std::int64_t first, std::size_t count,
                      const RowsOf<T, ExecSpace>& sums, const RowsOf<T, ExecSpace>& d) {
  const auto policy = team_of_each_row(exec, count);
  using Member = typename std::remove_const_t<decltype(policy)>::member_type;
  const auto columns = static_cast<std::int64_t>(sums.extent(1)), targets = static_cast<std::int64_t>(d.extent(1));
  const auto step = static_cast<std::int64_t>(distances.stride(0)),
             step_of_sums = static_cast<std::int64_t>(sums.stride(0)),
             step_of_d = static_cast<std::int64_t>(d.stride(0));
  const bool gathers = points.to.first.extent(0) > 0, has_places = points.first_place.extent(0) > 0,
             sorted = points.order.extent(0) > 0;
  for_teams(
      "blockfw::point_rows", policy, KOKKOS_LAMBDA(const Member& team) {
        const std::int64_t rank = team.league_rank(), source = sorted ? points.order(first + rank) : first + rank,
                           place = sorted ? source : rank;
        T far = 0;
        T* const mine = sums.data() + (gathers ? rank : place) * step_of_sums;
        T* const row = d.data() + place * step_of_d;
        // (Each thread takes the same columns for each leg.)
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, columns), [&](std::int64_t c) { mine[c] = S::zero(); });
        for (std::int64_t leg = points.from.first(source); leg < points.from.first(source + 1); ++leg) {
          const T length = points.from.length(leg);
          const T* const from = distances.data() + points.from.index(leg) * step;
          Kokkos::parallel_for(Kokkos::TeamThreadRange(team, columns),
                               [&](std::int64_t c) { mine[c] = relax_leg<S>(mine[c], length, from[c], far); });
        }
        if (gathers) {
          team.team_barrier();
          Kokkos::parallel_for(Kokkos::TeamThreadRange(team, targets), [&](std::int64_t j) {
            T best = S::zero();
            for (std::int64_t leg = points.to.first(j); leg < points.to.first(j + 1); ++leg)
              best = relax_leg<S>(best, mine[points.to.index(leg)], points.to.length(leg), far);
            row[j] = best;
          });
        }
        if (has_places) {
          for (std::int64_t p = points.first_place(source); p < points.first_place(source + 1); ++p) {
            team.team_barrier();  // (An edge has one place of a target; another edge may have another one.)
            const PlaceOfSource<T> piece = points.from_places(p);
            Kokkos::parallel_for(Kokkos::TeamThreadRange(team, piece.first, piece.end), [&](std::int64_t t) {
              const PlaceOfTarget<T> other = points.to_places(t);
              T& entry = row[other.point];
              entry =
                  relax_piece<S>(entry, piece.position, other.position, points.undirected, piece.alone && other.alone);
            });
          }
        }
        if (far != T(0)) Kokkos::atomic_min(&points.far(0), source);
      });
}

/// \brief Rows of distances from sources to targets, or to all vertices, out of rows from the sources' vertices.
template <Semiring S, class ExecSpace>
class PointRows {
 public:
  using T = typename S::value_type;
  using Rows = RowsOf<T, ExecSpace>;
  /// Takes rows, with the number of the first one.
  using Takes = std::function<void(std::int64_t, const Rows&)>;

  /// \brief Copies the lists to where exec works. Fences exec.
  /// \param to       null: the columns are all vertices
  /// \param columns  the vertices of the targets' legs, ascending
  /// \param groups   of the sources. They must outlive this object.
  /// \param most     rows that are written together
  PointRows(const ExecSpace& exec, const PointLists<T>& from, const PointLists<T>* to,
            const std::vector<std::int32_t>& columns, const PointGroups& groups, std::size_t most);

  /// \brief Writes the rows of a group's points.
  /// \param distances  rows from the group's vertices
  /// \param d          memory of all rows, or of `most` rows
  /// \param whole      whether d is for all rows; it is if the groups have another order of the points
  /// \param f          gets the rows, some at a time, or all rows while they are written in another order; may be empty
  /// \throws OverflowRisk; any exception of f
  void write(std::size_t group, const Rows& distances, const Rows& d, bool whole, const Takes& f) const;

 private:
  void set_places(const PointLists<T>& from, const PointLists<T>& to);

  ExecSpace exec_;
  const PointGroups& groups_;
  std::size_t most_;
  PointArrays<T, ExecSpace> arrays_;
  Rows sums_;
};

// Functions that take long to compile are not defined in the class, as in network_questions.hpp.

template <Semiring S, class ExecSpace>
PointRows<S, ExecSpace>::PointRows(const ExecSpace& exec, const PointLists<T>& from, const PointLists<T>* to,
                                   const std::vector<std::int32_t>& columns, const PointGroups& groups,
                                   std::size_t most)
    : exec_(exec), groups_(groups), most_(std::max<std::size_t>(most, 1)) {
  arrays_.from = {in_space(exec_, from.first), in_space(exec_, groups.row), in_space(exec_, from.length)};
  arrays_.order = in_space(exec_, groups.order);
  const std::vector<std::int64_t> none = {static_cast<std::int64_t>(from.points())};
  arrays_.far = in_space(exec_, none);
  std::vector<std::int32_t> column_of;
  if (to) {
    column_of = to->columns_of_legs(columns);
    arrays_.to = {in_space(exec_, to->first), in_space(exec_, column_of), in_space(exec_, to->length)};
    sums_ = allocate_rows<T>(exec_, std::min(most_, from.points()), columns.size());
    if (from.has_places() && to->has_places()) set_places(from, *to);
  }
  exec_.fence("blockfw::point_rows");  // before the lists are freed
}

template <Semiring S, class ExecSpace>
void PointRows<S, ExecSpace>::set_places(const PointLists<T>& from, const PointLists<T>& to) {
  std::vector<PlaceOfTarget<T>> theirs;
  for (std::size_t j = 0; j < to.points(); ++j)
    for (std::size_t p = at(to.first_place[j]); p < at(to.first_place[j + 1]); ++p)
      theirs.push_back({static_cast<std::int32_t>(j), to.position[p], to.is_alone(j)});
  std::vector<std::size_t> order(theirs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t p, std::size_t q) { return to.edge[p] < to.edge[q]; });
  std::vector<PlaceOfTarget<T>> by_edge;
  std::vector<std::int64_t> edges;
  for (const std::size_t p : order) {
    by_edge.push_back(theirs[p]);
    edges.push_back(to.edge[p]);
  }
  std::vector<PlaceOfSource<T>> mine;
  for (std::size_t i = 0; i < from.points(); ++i)
    for (std::size_t p = at(from.first_place[i]); p < at(from.first_place[i + 1]); ++p) {
      const auto same = std::equal_range(edges.begin(), edges.end(), from.edge[p]);
      mine.push_back({same.first - edges.begin(), same.second - edges.begin(), from.position[p], from.is_alone(i)});
    }
  arrays_.undirected = from.undirected;
  arrays_.first_place = in_space(exec_, from.first_place);
  arrays_.from_places = in_space(exec_, mine);
  arrays_.to_places = in_space(exec_, by_edge);
  exec_.fence("blockfw::point_rows");  // before the lists are freed
}

template <Semiring S, class ExecSpace>
void PointRows<S, ExecSpace>::write(std::size_t group, const Rows& distances, const Rows& d, bool whole,
                                    const Takes& f) const {
  const std::size_t end = groups_.first[group + 1];
  for (std::size_t first = groups_.first[group]; first < end; first += most_) {
    const std::size_t count = std::min(most_, end - first), begin = whole ? first : 0;
    const Rows rows =
        groups_.order.empty() ? Rows(Kokkos::subview(d, Kokkos::pair(begin, begin + count), Kokkos::ALL)) : d;
    Rows sums = rows;
    if (arrays_.to.first.extent(0) > 0) sums = Kokkos::subview(sums_, Kokkos::pair(std::size_t(0), count), Kokkos::ALL);
    write_point_rows<S>(exec_, arrays_, distances, static_cast<std::int64_t>(first), count, sums, rows);
    if constexpr (sums_integers<S>) {
      std::vector<std::int64_t> far;
      append_array(exec_, far, arrays_.far);
      exec_.fence("blockfw::point_rows");
      // (In another order the first one is known at the end.)
      const bool is_known = groups_.order.empty() || first + count == groups_.first.back();
      if (is_known && at(far[0]) < groups_.first.back()) throw_far_sum<T>(far[0]);
    }
    if (f) f(static_cast<std::int64_t>(first), rows);
  }
}

}  // namespace blockfw::detail

/// The rows of points on a host; where the library's devices are no hosts, on these, too.
#if defined(BLOCKFW_BUILT_FOR_DEVICE)
#define BLOCKFW_COMPILED_POINTS(LINKAGE, S)                                                \
  LINKAGE template class blockfw::detail::PointRows<S, Kokkos::DefaultHostExecutionSpace>; \
  LINKAGE template class blockfw::detail::PointRows<S, blockfw::detail::compiled::Exec>;
#else
#define BLOCKFW_COMPILED_POINTS(LINKAGE, S) \
  LINKAGE template class blockfw::detail::PointRows<S, Kokkos::DefaultHostExecutionSpace>;
#endif

#if defined(BLOCKFW_COMPILED)
BLOCKFW_COMPILED_SEMIRINGS(BLOCKFW_COMPILED_POINTS, extern)
#endif
