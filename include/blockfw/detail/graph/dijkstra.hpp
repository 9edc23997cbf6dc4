// SPDX-License-Identifier: MIT
/// \file
/// \brief Dijkstra's search on a host: the distances from one vertex after another, without negative weights.
#pragma once

#include "blockfw/ground/semiring.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace blockfw::detail {

/// \brief Searches with a heap of four children, which a vertex enters once and climbs when it comes nearer.
///
/// O((n + edges) log n) for each source. (E. W. Dijkstra, "A note on two problems in connexion with graphs", 1959.)
template <class T>
class Dijkstra {
  using Index = std::int32_t;

 public:
  /// \param n  vertices of the graph
  explicit Dijkstra(std::size_t n) : place_(n) {}

  /// \brief Writes the distances from a vertex.
  /// \param first   vertex u has the edges [first[u], first[u + 1]), with their ends in `to` and their weights
  /// \param row     n distances; infinity<T> without a path
  void run(Index source, const std::int64_t* first, const Index* to, const T* weight, T* row) {
    for (std::size_t v = 0; v < place_.size(); ++v) {
      row[v] = infinity<T>;
      place_[v] = absent;
    }
    row[source] = T(0);
    heap_.clear();
    push({T(0), source});
    while (!heap_.empty()) {
      const Index u = pop().vertex;
      for (std::int64_t e = first[u]; e < first[u + 1]; ++e) {
        const Index v = to[e];
        const T length = static_cast<T>(row[u] + weight[e]);
        if (!(length < row[v])) continue;
        row[v] = length;
        if (place_[static_cast<std::size_t>(v)] == absent)
          push({length, v});
        else
          climb(static_cast<std::size_t>(place_[static_cast<std::size_t>(v)]), {length, v});
      }
    }
  }

 private:
  struct Entry {
    T length;
    Index vertex;
  };
  static constexpr Index absent = -1;
  static constexpr std::size_t children = 4;

  void put(std::size_t at, Entry entry) {
    heap_[at] = entry;
    place_[static_cast<std::size_t>(entry.vertex)] = static_cast<Index>(at);
  }
  void push(Entry entry) {
    heap_.push_back(entry);
    climb(heap_.size() - 1, entry);
  }
  void climb(std::size_t at, Entry entry) {
    while (at > 0) {
      const std::size_t parent = (at - 1) / children;
      if (!(entry.length < heap_[parent].length)) break;
      put(at, heap_[parent]);
      at = parent;
    }
    put(at, entry);
  }
  Entry pop() {
    const Entry least = heap_.front(), last = heap_.back();
    heap_.pop_back();
    place_[static_cast<std::size_t>(least.vertex)] = absent;
    if (heap_.empty()) return least;
    std::size_t at = 0;
    for (;;) {
      const std::size_t begin = children * at + 1,
                        end = begin + children < heap_.size() ? begin + children : heap_.size();
      if (begin >= end) break;
      std::size_t nearest = begin;
      for (std::size_t child = begin + 1; child < end; ++child)
        if (heap_[child].length < heap_[nearest].length) nearest = child;
      if (!(heap_[nearest].length < last.length)) break;
      put(at, heap_[nearest]);
      at = nearest;
    }
    put(at, last);
    return least;
  }

  std::vector<Entry> heap_;
  std::vector<Index> place_;  ///< of each vertex in the heap
};

}  // namespace blockfw::detail
