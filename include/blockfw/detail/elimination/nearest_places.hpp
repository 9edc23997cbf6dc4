// SPDX-License-Identifier: MIT
/// \file
/// \brief The places that are nearest to each vertex, or to some vertices.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/base/rounding.hpp"
#include "blockfw/detail/elimination/factor.hpp"
#include "blockfw/detail/elimination/host_sweep.hpp"
#include "blockfw/detail/elimination/vertex_labels.hpp"
#include "blockfw/detail/graph/supernodes.hpp"
#include "blockfw/detail/loops/threads.hpp"
#include "blockfw/detail/matrices/selected_of_rows.hpp"
#include "blockfw/detail/plan/finish.hpp"
#include "blockfw/ground/answers.hpp"
#include "blockfw/ground/semiring.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace blockfw::detail {

/// \brief Lists of the nearest places seen so far, of some vertices.
template <class T>
class NearestLists {
 public:
  NearestLists(std::size_t vertices, std::size_t count)
      : count_(count), place(vertices * count, no_vertex), distance(vertices * count, infinity<T>) {}

  /// Adds a place. Of places at the same distance, the first in the caller's list is nearer.
  void see(std::size_t vertex, std::int32_t which, T length) {
    T* const lengths = distance.data() + vertex * count_;
    std::int32_t* const places = place.data() + vertex * count_;
    const auto nearer = [&](std::size_t i) {
      return length < lengths[i] || (length == lengths[i] && length < infinity<T> && which < places[i]);
    };
    if (!nearer(count_ - 1)) return;
    std::size_t i = count_ - 1;
    for (; i > 0 && nearer(i - 1); --i) {
      lengths[i] = lengths[i - 1];
      places[i] = places[i - 1];
    }
    lengths[i] = length;
    places[i] = which;
  }
  void see_all(const NearestLists& other) {
    for (std::size_t i = 0; i < other.place.size(); ++i)
      if (other.place[i] >= 0) see(i / count_, other.place[i], other.distance[i]);
  }

 private:
  std::size_t count_;

 public:
  std::vector<std::int32_t> place;  ///< `count` of each vertex; no_vertex where there are fewer
  std::vector<T> distance;
};

/// \brief The nearest places of all vertices, by sweeps towards the places, on a host's threads.
/// \param places  numbers of the order of elimination
/// \param count   places of each vertex
/// \throws OutOfMemory if the lists do not fit; thrown before they are allocated
template <Semiring S, class Host, class T = typename S::value_type>
NearestPlaces<T> nearest_by_sweeps(const Host& exec, const HostFactor<S>& factor,
                                   const std::vector<std::int32_t>& places, std::size_t count) {
  require_vectors();
  const auto at = [](auto i) { return static_cast<std::size_t>(i); };
  const Elimination& structure = factor.structure;
  const Finish<S> finish = factor.finish();
  const bool own = factor.sets_own();
  const std::size_t n = structure.order.size(), threads = at(exec.concurrency());
  const std::size_t size = HostSweep<S>::batch_size(structure, places.size(), exec.concurrency());
  const std::size_t batches = div_up(places.size(), size),
                    workers = std::max<std::size_t>(1, std::min(threads, batches));
  require_memory(exec, "the nearest places of " + std::to_string(n) + " vertices",
                 static_cast<double>(workers + 1) * static_cast<double>(n) * static_cast<double>(count) *
                         (sizeof(T) + sizeof(std::int32_t)) +
                     static_cast<double>(workers) * 2 * static_cast<double>(size) *
                         static_cast<double>(structure.longest_path) * sizeof(T));
  std::vector<NearestLists<T>> lists(workers, NearestLists<T>(n, count));
  std::atomic<std::size_t> next = 0;
  if (batches > 0)
    for_tasks(exec, static_cast<std::int64_t>(workers), "blockfw::nearest", [&](std::int64_t worker) {
      HostSweep<S> sweep(structure, factor.values, size);
      for (std::size_t batch; (batch = next++) < batches;) {
        const std::size_t first = batch * size, some = std::min(size, places.size() - first);
        const std::vector<std::int32_t> members(places.begin() + static_cast<std::ptrdiff_t>(first),
                                                places.begin() + static_cast<std::ptrdiff_t>(first + some));
        sweep.template run<Sweep::towards>(members, [&](std::int32_t k, T* row) {
          finish.mark(row, some);
          if (own)
            for (std::size_t c = 0; c < some; ++c)
              if (members[c] == k) row[c] = S::one();
          for (std::size_t c = 0; c < some; ++c)
            lists[at(worker)].see(at(structure.order[at(k)]), static_cast<std::int32_t>(first + c), row[c]);
        });
      }
    });
  for (std::size_t w = 1; w < workers; ++w) lists[0].see_all(lists[w]);
  return {count, std::move(lists[0].place), std::move(lists[0].distance)};
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
    if (!some) return nearest_by_sweeps(place.exec(), place.on_host(), places, count);
  return nearest_by_tables(place, some ? *some : place.structure().place, places, count);
}

}  // namespace blockfw::detail
