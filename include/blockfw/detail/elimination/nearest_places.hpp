// SPDX-License-Identifier: MIT
/// \file
/// \brief The places that are nearest to each vertex.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/elimination/factor.hpp"
#include "blockfw/detail/elimination/host_sweep.hpp"
#include "blockfw/detail/elimination/host_table.hpp"
#include "blockfw/detail/graph/supernodes.hpp"
#include "blockfw/detail/loops/host_tasks.hpp"
#include "blockfw/detail/plan/finish.hpp"
#include "blockfw/ground/rounding.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/vertex.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
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

/// \brief The `count` nearest places of all vertices, by sweeps towards the places.
/// \param places  numbers of the order of elimination
/// \param own     whether the distance of a vertex to itself is to be set to one(), as sums may round
/// \throws OutOfMemory if the lists do not fit; thrown before they are allocated
template <Semiring S, class Host, class T = typename S::value_type>
NearestLists<T> nearest_places(const Host& exec, const Elimination& structure, const FactorValues<T>& factor,
                               const std::vector<std::int32_t>& places, std::size_t count, const Finish<S>& finish,
                               bool own) {
  require_vectors();
  const auto at = [](auto i) { return static_cast<std::size_t>(i); };
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
      HostSweep<S> sweep(structure, factor, size);
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
  return std::move(lists[0]);
}

/// \brief The `count` nearest places of some vertices, by a table of the vertices and the places.
/// \param vertices  numbers of the order of elimination
/// \param places    likewise
/// \param at_once   rows of the table that are made together
/// \param own       whether the distance of a vertex to itself is to be set to one(), as sums may round
template <Semiring S, class Host, class T = typename S::value_type>
NearestLists<T> nearest_places_of(const Host& exec, const Elimination& structure, const FactorValues<T>& factor,
                                  const std::vector<std::int32_t>& vertices, const std::vector<std::int32_t>& places,
                                  std::size_t count, std::size_t at_once, const Finish<S>& finish, bool own) {
  require_memory(
      exec, "the nearest places of " + std::to_string(vertices.size()) + " vertices",
      static_cast<double>(vertices.size()) * static_cast<double>(count) * (sizeof(T) + sizeof(std::int32_t)));
  NearestLists<T> lists(vertices.size(), count);
  const HostTable<S, Host> table(exec, structure, factor, places, finish, own);
  const std::size_t columns = places.size(), most = std::min(at_once, vertices.size());
  require_memory(exec, "a table of " + std::to_string(most) + " x " + std::to_string(columns) + " distances",
                 static_cast<double>(most) * static_cast<double>(columns) * sizeof(T));
  std::vector<T> block(most * columns);
  for (std::size_t first = 0; first < vertices.size(); first += most) {
    const std::size_t rows = std::min(most, vertices.size() - first);
    table.rows(std::span(vertices).subspan(first, rows), block.data(), columns);
    for_tasks(exec, static_cast<std::int64_t>(rows), "blockfw::nearest", [&](std::int64_t r) {
      const T* const row = block.data() + static_cast<std::size_t>(r) * columns;
      for (std::size_t c = 0; c < columns; ++c)
        lists.see(first + static_cast<std::size_t>(r), static_cast<std::int32_t>(c), row[c]);
    });
  }
  return lists;
}

}  // namespace blockfw::detail
