// SPDX-License-Identifier: MIT
/// \file
/// \brief The vertices within a limit of a vertex, and the places that are nearest to each vertex, or to some vertices.
///
/// The entries of rows are selected where the matrix lies.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/elimination/factor.hpp"
#include "blockfw/detail/elimination/host_sweeps.hpp"
#include "blockfw/detail/elimination/labels.hpp"
#include "blockfw/detail/elimination/place.hpp"
#include "blockfw/detail/elimination/sorted_numbers.hpp"
#include "blockfw/detail/graph/supernodes.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/detail/loops/threads.hpp"
#include "blockfw/detail/matrices/checks.hpp"
#include "blockfw/detail/matrices/copies.hpp"
#include "blockfw/detail/plan/finish.hpp"
#include "blockfw/ground/answers.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace blockfw::detail {

/// Appends an array without gaps to a host's list. The copy is queued on exec.
template <class ExecSpace, class E, class Array>
void append_array(const ExecSpace& exec, std::vector<E>& list, const Array& from) {
  const std::size_t before = list.size();
  require_host_memory("answers about some vertices", static_cast<double>(before + from.size()) * sizeof(E));
  list.resize(before + from.size());
  copy_bytes<Kokkos::HostSpace, typename Array::memory_space>(exec, list.data() + before, from.data(),
                                                              from.size() * sizeof(E));
}

/// Vertices, or places, with distances, where an instance works.
template <class T, class ExecSpace>
struct ListedDistances {
  Kokkos::View<std::int32_t*, typename ExecSpace::memory_space> vertices;
  Kokkos::View<T*, typename ExecSpace::memory_space> distances;

  /// \param what  the entries, for the error
  /// \throws OutOfMemory
  ListedDistances(const ExecSpace& exec, const std::string& what, double count) {
    require_memory(exec, what, count * (sizeof(T) + sizeof(std::int32_t)));
    const auto size = static_cast<std::size_t>(count);
    vertices = new_array<std::int32_t>(exec, "blockfw::listed", size);
    distances = new_array<T>(exec, "blockfw::listed", size);
  }
  /// Appends them to lists on the host. Fences the instance.
  void append_to(const ExecSpace& exec, std::vector<std::int32_t>& to_vertices, std::vector<T>& to_distances) const {
    append_array(exec, to_vertices, vertices);
    append_array(exec, to_distances, distances);
    exec.fence("blockfw::listed");
  }
};

/// A vertex's nearest places so far, the nearest first; no_vertex where there are fewer.
template <class T>
struct NearestOfVertex {
  std::int32_t* places;
  T* distances;
  std::int64_t count;

  /// Adds a place. Of places at the same distance, the first in the caller's list is nearer.
  KOKKOS_FORCEINLINE_FUNCTION void see(std::int32_t place, T distance) const {
    const auto nearer = [&](std::int64_t i) {
      return distance < distances[i] || (distance == distances[i] && place < places[i]);
    };
    std::int64_t i = count - 1;
    if (!nearer(i)) return;
    for (; i > 0 && nearer(i - 1); --i) {
      distances[i] = distances[i - 1];
      places[i] = places[i - 1];
    }
    distances[i] = distance;
    places[i] = place;
  }
};

/// \brief Appends the `nearest.count` smallest entries of each row of a matrix, with their columns. Of equal entries
/// the first is nearer. Fences the instance.
/// \throws OutOfMemory
///
/// A thread takes a row, and keeps a sorted list.
template <class ExecSpace, class View, class T>
void append_nearest(const ExecSpace& exec, const View& d, NearestPlaces<T>& nearest) {
  const std::size_t rows = d.extent(0);
  const auto columns = static_cast<std::int32_t>(d.extent(1));
  const auto count = static_cast<std::int64_t>(nearest.count);
  const ListedDistances<T, ExecSpace> all(exec, "the nearest places of " + std::to_string(rows) + " vertices",
                                          static_cast<double>(rows) * static_cast<double>(count));
  for_range(
      "blockfw::nearest", exec, 0, rows, KOKKOS_LAMBDA(std::int64_t row) {
        const NearestOfVertex<T> mine{all.vertices.data() + row * count, all.distances.data() + row * count, count};
        for (std::int64_t i = 0; i < count; ++i) mine.places[i] = no_vertex, mine.distances[i] = infinity<T>;
        T worst = infinity<T>;
        for (std::int32_t c = 0; c < columns; ++c) {
          const T length = d(row, c);
          if (!(length < worst)) continue;
          mine.see(c, length);
          worst = mine.distances[count - 1];
        }
      });
  all.append_to(exec, nearest.place, nearest.distance);
}

/// The teams for the rows of a matrix.
template <class ExecSpace>
Kokkos::TeamPolicy<ExecSpace, Kokkos::IndexType<std::int64_t>> team_of_each_row(const ExecSpace& exec,
                                                                                std::size_t rows) {
  return {exec, static_cast<int>(rows), is_host_space<ExecSpace> ? 1 : 256};
}

/// \brief The number of entries of each row of a matrix that are within limits of the row. Fences the instance.
/// \param limits  `each` for each row, row by row; less than infinity<T>
/// \return as many numbers
///
/// A team takes a row.
template <class ExecSpace, class View, class T>
std::vector<std::int64_t> counts_within(const ExecSpace& exec, const View& d, const std::vector<T>& limits,
                                        std::size_t each) {
  const std::size_t rows = d.extent(0);
  const auto columns = static_cast<std::int32_t>(d.extent(1));
  const auto policy = team_of_each_row(exec, rows);
  using Member = typename std::remove_const_t<decltype(policy)>::member_type;
  const auto limit_of = in_space(exec, limits);
  const auto of_row = static_cast<std::int64_t>(each);
  const auto counts = new_array<std::int64_t>(exec, "blockfw::within", rows * each);
  for_teams(
      "blockfw::count_within", policy, KOKKOS_LAMBDA(const Member& team) {
        const int row = team.league_rank();
        for (std::int64_t at = row * of_row; at < (row + 1) * of_row; ++at) {
          const T limit = limit_of(at);
          std::int64_t count = 0;
          Kokkos::parallel_reduce(
              Kokkos::TeamThreadRange(team, columns),
              [&](std::int32_t c, std::int64_t& sum) { sum += d(row, c) <= limit ? 1 : 0; }, count);
          Kokkos::single(Kokkos::PerTeam(team), [&]() { counts(at) = count; });
        }
      });
  std::vector<std::int64_t> on_host;
  append_array(exec, on_host, counts);
  exec.fence("blockfw::within");
  return on_host;
}

/// \brief Appends the entries of each row of a matrix that are within a limit, with their columns. Fences the
/// instance.
/// \param limits  one for each row, less than infinity<T>
/// \throws OutOfMemory
///
/// A team takes a row: it counts these entries first, and lists them when all rows are counted.
template <class ExecSpace, class View, class T>
void append_within(const ExecSpace& exec, const View& d, const std::vector<T>& limits, VerticesInReach<T>& found) {
  const std::size_t rows = d.extent(0);
  const auto columns = static_cast<std::int32_t>(d.extent(1));
  const auto policy = team_of_each_row(exec, rows);
  using Member = typename std::remove_const_t<decltype(policy)>::member_type;
  const std::vector<std::int64_t> counts = counts_within(exec, d, limits, 1);
  std::vector<std::int64_t> start(rows);
  std::exclusive_scan(counts.begin(), counts.end(), start.begin(), std::int64_t{0});
  for (const std::int64_t count : counts) found.first.push_back(found.first.back() + count);
  const auto all = static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}));
  const ListedDistances<T, ExecSpace> listed(
      exec, "the vertices within the limit of " + std::to_string(rows) + " vertices", all);
  const auto first = in_space(exec, start);
  const auto limit_of = in_space(exec, limits);
  for_teams(
      "blockfw::within", policy, KOKKOS_LAMBDA(const Member& team) {
        const int row = team.league_rank();
        const T limit = limit_of(row);
        Kokkos::parallel_scan(Kokkos::TeamThreadRange(team, columns),
                              [&](std::int32_t c, std::int64_t& at, bool is_final) {
                                if (!(d(row, c) <= limit)) return;
                                if (is_final) {
                                  listed.vertices(first(row) + at) = c;
                                  listed.distances(first(row) + at) = d(row, c);
                                }
                                ++at;
                              });
      });
  listed.append_to(exec, found.vertices, found.distances);
}

/// \brief Finds the vertices within a limit of one vertex after another.
///
/// All paths into a subtree or out of it pass its boundary. So the label of the vertex ends with the lowest subtree
/// whose whole boundary is beyond the limit. The search goes down the tree from there, and leaves out other subtrees of
/// this kind. A vertex is reached from those of its boundary that are within the limit: all others would lead beyond
/// it. With negative weights nothing is left out.
template <Semiring S>
class InReach {
  using T = typename S::value_type;

 public:
  /// The structure and the numbers must outlive this object.
  explicit InReach(const HostFactor<S>& factor)
      : factor_(factor),
        labels_(factor),
        finish_(factor.finish()),
        own_(factor.sets_own()),
        prune_(!factor.range.any_negative()),
        distances_(at(factor.structure.longest_path)),
        near_(distances_.size() + 1) {}

  /// Calls f(vertex, distance) for each vertex at a distance of at most the limit from number k.
  template <class F>
  void find(std::int32_t k, T limit, const F& f) {
    const T reach = prune_ ? limit : S::zero();
    const std::int32_t top = labels_.template make<Sweep::from>(k, label_, [&](const Supernode& node, const T* label) {
      return std::ranges::none_of(node.positions, [&](std::int32_t p) { return label[at(p)] <= reach; });
    });
    const auto& nodes = factor_.structure.supernodes;
    for (const std::int32_t position : nodes[at(top)].positions) distances_[at(position)] = S::zero();
    const std::int64_t first = nodes[at(top)].subtree_first();
    for (std::int32_t s = top; s >= 0 && nodes[at(s)].first >= first;) {
      const Supernode& node = nodes[at(s)];
      const std::int64_t below = node.subtree_first();
      const bool above = below <= k && k < node.last;  // above number k, or its own
      const std::size_t b = node.positions.size();
      std::size_t near = 0;
      for (std::size_t y = 0; y < b; ++y) {
        near_[near] = {y, distances_[at(node.positions[y])]};
        near += near_[near].distance <= reach ? 1 : 0;
      }
      if (near == 0 && !above) {
        s = below > 0 ? factor_.structure.owner[at(below - 1)] : -1;
        continue;
      }
      const T* ways = factor_.values.ways_of(Sweep::from, at(s));
      for (std::int32_t i = 0; i < node.width(); ++i, ways += b) {
        T distance = above ? label_.entries[node.depth + i] : S::zero();
        for (std::size_t e = 0; e < near; ++e) distance = S::relax(distance, near_[e].distance, ways[near_[e].place]);
        distances_[at(node.depth + i)] = distance;
        if (!(distance <= limit)) continue;
        const std::int32_t number = node.first + i;
        distance = number == k && own_ ? S::one() : finish_.marked(distance);
        if (distance <= limit) f(factor_.structure.order[at(number)], distance);
      }
      --s;
    }
  }

  /// The vertices that find() finds, ascending, until the next call.
  const std::vector<std::pair<std::int32_t, T>>& list(std::int32_t k, T limit) {
    constexpr std::size_t few = 32;  // entries that are sorted by comparisons
    list_.clear();
    find(k, limit, [&](std::int32_t vertex, T distance) { list_.push_back({vertex, distance}); });
    const auto vertex_of = [](const auto& entry) { return entry.first; };
    if (list_.size() < few)
      std::ranges::sort(list_, std::less(), vertex_of);
    else
      sort_by_bits<8>(list_, memory_, vertex_of);
    return list_;
  }

 private:
  HostFactor<S> factor_;
  LabelMaker<S> labels_;
  Finish<S> finish_;
  bool own_, prune_;
  typename LabelMaker<S>::Label label_;
  struct Near {
    std::size_t place;
    T distance;
  };
  std::vector<T> distances_;  ///< by the position on a path
  std::vector<Near> near_;    ///< the vertices of a boundary that are within reach
  std::vector<std::pair<std::int32_t, T>> list_, memory_;
};

/// \brief Calls f(search, r) for the sources [begin, end), on a host's threads.
/// \throws OutOfMemory if f throws std::bad_alloc
template <Semiring S, class Host, class F>
void for_searches(const Host& exec, const HostFactor<S>& factor, std::size_t begin, std::size_t end, const F& f) {
  if (!for_workers(exec, begin, end, "blockfw::within", [&] { return InReach<S>(factor); }, f))
    throw OutOfMemory("the vertices within the limit of " + std::to_string(end) + " vertices do not fit");
}

/// \brief Searches from the first sources, or from all. The rows of the other sources take less time.
/// \param sources  numbers of the order of elimination
/// \param f        f(search, r) searches from sources[r], and returns the number of vertices found
/// \return the number of sources that are done; 0 on a device
/// \throws OutOfMemory
///
/// A search that finds all vertices takes 3 times as long as a row (measured: 62,500 vertices, two cores). So a few
/// sources are searched first. If they find a third of all vertices, or a negative weight makes searches see all, the
/// rows of the others are made.
template <class Place, class F>
std::size_t search_sources([[maybe_unused]] const Place& place, const std::vector<std::int32_t>& sources,
                           [[maybe_unused]] const F& f) {
  if constexpr (!Place::searches) {
    return 0;
  } else {
    constexpr std::size_t few = 8;
    const auto factor = place.on_host();
    const bool many = sources.size() > 2 * few;
    if (many && factor.range.any_negative()) return 0;
    std::atomic<std::int64_t> found = 0;
    const std::size_t first = many ? few : sources.size();
    for_searches(place.exec(), factor, 0, first, [&](auto& search, std::size_t r) { found += f(search, r); });
    if (3 * found > static_cast<std::int64_t>(first) * factor.vertices()) return first;
    // (Neighbours in the order of elimination use the same numbers.)
    const SortedNumbers rest{std::span(sources).subspan(first)};
    for_searches(place.exec(), factor, first, sources.size(),
                 [&](auto& search, std::size_t r) { f(search, first + rest.place[r - first]); });
    return sources.size();
  }
}

/// \brief The vertices within a limit of each source.
/// \param sources  numbers of the order of elimination
/// \param limits   one for each source, less than infinity<T>
/// \throws InvalidInput for another number of limits; OutOfMemory
template <class Place, class T = typename Place::T>
VerticesInReach<T> vertices_in_reach(const Place& place, const std::vector<std::int32_t>& sources,
                                     const std::vector<T>& limits) {
  require_limit_of_each(sources.size(), limits.size());
  std::vector<std::vector<std::pair<std::int32_t, T>>> lists(sources.size());
  const std::size_t searched = search_sources(place, sources, [&](auto& search, std::size_t r) {
    lists[r] = search.list(sources[r], limits[r]);
    return static_cast<std::int64_t>(lists[r].size());
  });
  VerticesInReach<T> found;
  std::size_t entries = 0;
  for (const auto& list : lists) entries += list.size();
  require_host_memory("answers about some vertices", static_cast<double>(entries) * (sizeof(std::int32_t) + sizeof(T)));
  found.vertices.reserve(entries);
  found.distances.reserve(entries);
  for (std::size_t r = 0; r < searched; ++r) {
    for (const auto& [vertex, distance] : lists[r]) {
      found.vertices.push_back(vertex);
      found.distances.push_back(distance);
    }
    found.first.push_back(static_cast<std::int64_t>(found.vertices.size()));
    lists[r] = {};
  }
  for_rows_from(place, std::span(sources).subspan(searched), place.rows_of_table(place.structure().order.size()),
                [&](std::size_t first, const auto& rows) {
                  const auto begin = limits.begin() + static_cast<std::ptrdiff_t>(searched + first);
                  const std::vector<T> of_rows(begin, begin + static_cast<std::ptrdiff_t>(rows.extent(0)));
                  append_within(place.exec(), rows, of_rows, found);
                });
  return found;
}

/// \brief The numbers of vertices within some limits of each source, before any is counted. Those of a source, one for
/// each limit, come after those of the source before.
/// \throws InvalidInput for no limits; OutOfMemory
template <class T>
std::vector<std::int64_t> zero_counts(std::size_t sources, const std::vector<T>& limits) {
  require_limits(limits.size());
  require_host_memory("the numbers of vertices within " + std::to_string(limits.size()) + " limits of " +
                          std::to_string(sources) + " sources",
                      static_cast<double>(sources) * static_cast<double>(limits.size()) * sizeof(std::int64_t));
  return std::vector<std::int64_t>(sources * limits.size());
}

/// Counts a vertex within each limit that its distance does not exceed.
/// \param counts  of a source
template <class T>
void count_vertex(T distance, const std::vector<T>& limits, std::int64_t* counts) {
  for (std::size_t l = 0; l < limits.size(); ++l) counts[l] += distance <= limits[l] ? 1 : 0;
}

/// \brief The numbers of vertices within some limits of each source.
/// \param sources  numbers of the order of elimination
/// \param limits   one or more for all sources, less than infinity<T>
/// \return as zero_counts() has them
/// \throws InvalidInput for no limits; OutOfMemory
///
/// A source is searched once, up to the largest limit.
template <class Place, class T = typename Place::T>
std::vector<std::int64_t> counts_in_reach(const Place& place, const std::vector<std::int32_t>& sources,
                                          const std::vector<T>& limits) {
  const std::size_t each = limits.size();
  std::vector<std::int64_t> counts = zero_counts(sources.size(), limits);
  const auto place_of = [&](std::size_t source) { return counts.begin() + static_cast<std::ptrdiff_t>(source * each); };
  const T largest = *std::max_element(limits.begin(), limits.end());
  const std::size_t searched = search_sources(place, sources, [&](auto& search, std::size_t r) {
    std::vector<std::int64_t> mine(each);
    std::int64_t found = 0;
    search.find(sources[r], largest, [&](std::int32_t, T distance) {
      ++found;
      count_vertex(distance, limits, mine.data());
    });
    std::copy(mine.begin(), mine.end(), place_of(r));
    return found;
  });
  for_rows_from(place, std::span(sources).subspan(searched), place.rows_of_table(place.structure().order.size()),
                [&](std::size_t first, const auto& rows) {
                  std::vector<T> of_rows;
                  for (std::size_t r = 0; r < rows.extent(0); ++r)
                    of_rows.insert(of_rows.end(), limits.begin(), limits.end());
                  std::ranges::copy(counts_within(place.exec(), rows, of_rows, each), place_of(searched + first));
                });
  return counts;
}

/// \brief The nearest places of all vertices, by sweeps towards the places, on a host's threads.
/// \param places  numbers of the order of elimination
/// \param count   places of each vertex
/// \throws OutOfMemory if the lists do not fit; thrown before they are allocated
template <Semiring S, class Host, class T = typename S::value_type>
NearestPlaces<T> nearest_by_sweeps(const HostSweeps<S, Host>& place, const std::vector<std::int32_t>& places,
                                   std::size_t count) {
  const auto& order = place.structure().order;
  const bool own = place.on_host().sets_own();
  const std::size_t n = order.size(), workers = std::max(std::size_t{1}, at(place.batches_of(places.size()).threads));
  require_memory(place.exec(), "the nearest places of " + std::to_string(n) + " vertices",
                 static_cast<double>(workers + 1) * static_cast<double>(n) * static_cast<double>(count) *
                     (sizeof(T) + sizeof(std::int32_t)));
  std::vector<NearestPlaces<T>> lists(
      workers, {count, std::vector<std::int32_t>(n * count, no_vertex), std::vector<T>(n * count, infinity<T>)});
  const auto of_vertex = [&](NearestPlaces<T>& list, std::size_t v) {
    return NearestOfVertex<T>{&list.place[v * count], &list.distance[v * count], static_cast<std::int64_t>(count)};
  };
  std::atomic<std::size_t> started = 0;
  place.for_batches(places, {.may_keep_labels = false}, [&] {
    return [&, &mine = lists[started++]](HostSweep<S>& sweep, const auto& batch, std::size_t first) {
      sweep.template run<Sweep::towards>(batch, [&](std::int32_t v, T* row) {
        if (own)
          for (std::size_t c = 0; c < batch.size(); ++c)
            if (order[at(batch[c])] == v) row[c] = S::one();
        const NearestOfVertex<T> nearest = of_vertex(mine, at(v));
        for (std::size_t c = 0; c < batch.size(); ++c) nearest.see(static_cast<std::int32_t>(first + c), row[c]);
      });
    };
  });
  for (std::size_t w = 1; w < workers; ++w)
    for (std::size_t i = 0; i < n * count; ++i)
      if (lists[w].place[i] >= 0) of_vertex(lists[0], i / count).see(lists[w].place[i], lists[w].distance[i]);
  return std::move(lists[0]);
}

/// \brief The nearest places of some vertices, by a table of the vertices and the places, where the factor is.
/// \param vertices  numbers of the order of elimination
/// \param places    likewise
/// \param count     places of each vertex
/// \throws OutOfMemory
template <class Place, class T = typename Place::T>
NearestPlaces<T> nearest_by_tables(const Place& place, const std::vector<std::int32_t>& vertices,
                                   const std::vector<std::int32_t>& places, std::size_t count) {
  require_host_memory(
      "the nearest places of " + std::to_string(vertices.size()) + " vertices",
      static_cast<double>(vertices.size()) * static_cast<double>(count) * (sizeof(T) + sizeof(std::int32_t)));
  NearestPlaces<T> nearest{count, {}, {}};
  nearest.place.reserve(vertices.size() * count);
  nearest.distance.reserve(vertices.size() * count);
  place.for_rows_of_table(vertices, places, place.rows_of_table(places.size() + count),
                          [&](std::size_t, const auto& rows) { append_nearest(place.exec(), rows, nearest); });
  return nearest;
}

/// \brief The nearest places of some vertices, or of all.
/// \param some    numbers of the order of elimination, or null
/// \param places  likewise
template <class Place>
NearestPlaces<typename Place::T> nearest_places(const Place& place, const std::vector<std::int32_t>* some,
                                                const std::vector<std::int32_t>& places, std::size_t count) {
  if constexpr (Place::searches)
    if (!some) return nearest_by_sweeps(place, places, count);
  return nearest_by_tables(place, some ? *some : place.structure().place, places, count);
}

}  // namespace blockfw::detail
