// SPDX-License-Identifier: MIT
/// \file
/// \brief The search that paths.hpp and solve_from.hpp have in common. It works in rounds: each round follows the
/// adjacency lists of the vertices that the round before has changed (the frontier).
#pragma once

#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace blockfw::detail {

/// \brief Teams that follow adjacency lists. On a host a team is one thread. On a device a team follows several lists
/// at once, with 32 threads a list.
/// \param count  number of searches; one team does each search
template <class ExecSpace>
Kokkos::TeamPolicy<ExecSpace, Kokkos::IndexType<std::int64_t>> search_teams(const ExecSpace& exec, std::int64_t count) {
  using Teams = Kokkos::TeamPolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>;
  if constexpr (is_host_space<ExecSpace>)
    return Teams(exec, static_cast<int>(count), 1, 1);
  else
    return Teams(exec, static_cast<int>(count), Kokkos::AUTO, 32);
}

/// A set of vertices out of n, in the scratch memory of a team.
template <class ExecSpace>
class VertexSet {
  using Words =
      Kokkos::View<std::uint32_t*, typename ExecSpace::scratch_memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

 public:
  static std::size_t bytes(int n) { return Words::shmem_size(words(n)); }

  /// Takes its memory from `scratch`. Call clear() before use.
  template <class Scratch>
  KOKKOS_FUNCTION VertexSet(const Scratch& scratch, int n) : words_(scratch, words(n)) {}

  template <class Team>
  KOKKOS_FUNCTION void clear(const Team& team) const {
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, words_.extent_int(0)), [&](int w) { words_(w) = 0; });
  }

  /// Any thread of the team may call this.
  KOKKOS_FUNCTION void insert(int v) const {
    const std::uint32_t bit = std::uint32_t(1) << (v % 32);
    if constexpr (is_host_space<ExecSpace>)
      words_(v / 32) |= bit;
    else
      Kokkos::atomic_or(&words_(v / 32), bit);
  }

  /// Calls f(v) for each vertex of the set, all of which are in [low, high]. On a host the order is ascending. The
  /// team's threads divide the vertices among them.
  template <class Team, class F>
  KOKKOS_FUNCTION void for_each(const Team& team, int low, int high, const F& f) const {
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, low / 32, high / 32 + 1), [&](int w) {
      for (std::uint32_t rest = words_(w); rest != 0; rest &= rest - 1) f(32 * w + Kokkos::countr_zero(rest));
    });
  }

 private:
  static KOKKOS_FUNCTION std::size_t words(int n) { return static_cast<std::size_t>(div_up(n, 32)); }

  Words words_;
};

// Updates of a word that a team's threads share. They are atomic on a device, and plain on a host, where a team is one
// thread.

/// Sets the word to `wanted` if it is `expected`. \return whether it did
template <class ExecSpace, class Word>
KOKKOS_FORCEINLINE_FUNCTION bool team_claim(Word& word, Word expected, Word wanted) {
  if constexpr (is_host_space<ExecSpace>) {
    if (word != expected) return false;
    word = wanted;
    return true;
  } else {
    return Kokkos::atomic_compare_exchange(&word, expected, wanted) == expected;
  }
}

template <class ExecSpace, class Value>
KOKKOS_FORCEINLINE_FUNCTION void team_lower(Value& at, Value value) {
  if constexpr (is_host_space<ExecSpace>)
    at = Kokkos::min(at, value);
  else
    Kokkos::atomic_min(&at, value);
}

template <class ExecSpace>
KOKKOS_FORCEINLINE_FUNCTION void team_decrement(int& counter) {
  if constexpr (is_host_space<ExecSpace>)
    --counter;
  else
    Kokkos::atomic_dec(&counter);
}

/// \brief The frontier of a team's search and the next one, in the scratch memory of the team.
///
/// All threads of the team call each function.
template <class ExecSpace>
class Frontier {
  using Set = VertexSet<ExecSpace>;

 public:
  using Words = Kokkos::View<int*, typename ExecSpace::scratch_memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  static std::size_t bytes(int n) { return 2 * Set::bytes(n) + Words::shmem_size(3); }

  template <class Scratch>
  KOKKOS_FUNCTION Frontier(const Scratch& scratch, int n)
      : here_(scratch, n), next_(scratch, n), shared_(scratch, 3), n_(n) {}

  /// The frontier becomes the source alone. On return all threads see the team's earlier writes.
  template <class Team>
  KOKKOS_FUNCTION void start(const Team& team, int source) {
    here_.clear(team);
    next_.clear(team);
    team.team_barrier();
    Kokkos::single(Kokkos::PerTeam(team), [&] { here_.insert(source); });
    low_ = high_ = source;
  }

  /// The search's own word, which the team shares.
  KOKKOS_FORCEINLINE_FUNCTION int& word() const { return shared_(2); }

  KOKKOS_FUNCTION bool empty() const { return low_ > high_; }

  /// The next frontier. Any thread of the team may put a vertex into it.
  struct Next {
    Set set;
    Words bounds;

    KOKKOS_FORCEINLINE_FUNCTION void insert(int v) const {
      set.insert(v);
      team_lower<ExecSpace>(bounds(0), v);
      team_lower<ExecSpace>(bounds(1), -v);
    }
  };

  /// Calls f(u, next) for each vertex of the frontier; on a host in ascending order. (`next` is passed, not captured,
  /// so that its addresses stay in registers.)
  template <class Team, class F>
  KOKKOS_FORCEINLINE_FUNCTION void follow(const Team& team, const F& f) const {
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      shared_(0) = n_;
      shared_(1) = 1;
    });
    team.team_barrier();
    here_.for_each(team, low_, high_, [&f, next = Next{next_, shared_}](int u) { f(u, next); });
    team.team_barrier();
  }

  /// Calls f(v) for each vertex of the next frontier.
  template <class Team, class F>
  KOKKOS_FUNCTION void for_each_next(const Team& team, const F& f) const {
    next_.for_each(team, shared_(0), -shared_(1), f);
  }

  /// The next frontier becomes the frontier.
  template <class Team>
  KOKKOS_FUNCTION void advance(const Team& team) {
    here_.clear(team);
    low_ = shared_(0);
    high_ = -shared_(1);
    const Set emptied = here_;
    here_ = next_;
    next_ = emptied;
    team.team_barrier();
  }

 private:
  Set here_, next_;
  Words shared_;  ///< of the next frontier the smallest vertex, and the largest one's negative; the search's own word
  int n_, low_ = 0, high_ = -1;
};

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
  std::vector<Index> place_;  ///< the place of each vertex in the heap
};

}  // namespace blockfw::detail
