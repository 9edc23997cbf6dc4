// SPDX-License-Identifier: MIT
/// \file
/// \brief Updates solved distances when an edge is added or gets shorter, or when a vertex is added.
///
/// Each update takes O(n²), a few reads of the matrix; a solve takes O(n³). (After an edge gets longer, or an edge or a
/// vertex is removed, only a new solve helps.)
#pragma once

#include "blockfw/detail/backend/unroll.hpp"
#include "blockfw/detail/backend/workspace.hpp"
#include "blockfw/detail/plan/entry_chunks.hpp"
#include "blockfw/detail/rounding.hpp"
#include "blockfw/edges.hpp"
#include "blockfw/error.hpp"
#include "blockfw/matrix.hpp"
#include "blockfw/semiring.hpp"
#include "blockfw/solve.hpp"
#include "blockfw/tile.hpp"
#include "blockfw/weights.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <string>
#include <type_traits>

namespace blockfw {

namespace detail {

/// The lengths of paths from each vertex to one place of the graph, or from there to each vertex.
template <class T, class ExecSpace>
using Line = Kokkos::View<T*, typename ExecSpace::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// \brief For one place in the graph (the end of a new edge, or a new vertex): the length of the path to it from each
/// vertex, and from it to each vertex.
template <class T, class ExecSpace>
class Detours {
  Workspace<ExecSpace> memory_;

 public:
  Detours(const ExecSpace& exec, std::int64_t n) : Detours(exec, n, n) {}
  /// For a part of the matrix: the paths to the place begin at its rows, those from there end at its columns.
  Detours(const ExecSpace& exec, std::int64_t rows, std::int64_t columns)
      : memory_(exec, static_cast<std::size_t>(rows + columns) * sizeof(T), "blockfw::lines"),
        to(reinterpret_cast<T*>(memory_.data()), static_cast<std::size_t>(rows)),
        from(to.data() + rows, static_cast<std::size_t>(columns)) {}

  const Line<T, ExecSpace> to, from;
  WeightRange<T> to_range, from_range;  ///< of the lengths of paths that exist
};

/// The length of a path and one more edge. An integer sum that reaches infinity becomes the largest integer: it must
/// not look like "no path", and require_safe() must find it.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T lengthened(T path, T edge) {
  const T sum = static_cast<T>(path + edge);
  return std::is_integral_v<T> && sum >= infinity<T> ? highest<T> : sum;
}

/// Throws OverflowRisk unless the sum of each length to a place and each one from there fits T and differs from "no
/// path".
/// \param a, b  the lengths to the place, and those from there
template <class T>
void require_safe(const WeightRange<T>& a, const WeightRange<T>& b) {
  if constexpr (std::is_integral_v<T>) {
    if (a.empty() || b.empty()) return;
    constexpr T limit = infinity<T>;  // (The sum of two lengths of smaller magnitude fits T.)
    const auto near = [](T length) { return length > -limit && length < limit; };
    if (!near(a.smallest) || !near(a.largest) || !near(b.smallest) || !near(b.largest) ||
        !near(static_cast<T>(a.smallest + b.smallest)) || !near(static_cast<T>(a.largest + b.largest)))
      throw OverflowRisk("new paths of lengths from " + std::to_string(a.smallest) + " + " +
                         std::to_string(b.smallest) + " to " + std::to_string(a.largest) + " + " +
                         std::to_string(b.largest) + " could reach infinity, " + std::to_string(limit) + ", in " +
                         type_name<T>() + "; solve again in a wider type");
  }
}

/// \brief result(i, j) ← min(old(i, j), to(i) + from(j)) for all entries of `old`, where both paths exist. Fences exec.
///
/// A device's thread updates one entry in each of several rows, and reads all before it writes any, to hide memory
/// latency. A host works on chunks of a row; in place it writes only chunks in which an entry falls.
///
/// \tparam InPlace  whether `old` is `result`; then entries (on a host: chunks) that stay the same are not written
template <bool InPlace, class T, class ExecSpace, class Result, class Old>
void take_detours(const ExecSpace& exec, const Result& result, const Old& old, const Detours<T, ExecSpace>& detours) {
  using Teams = Kokkos::TeamPolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>;
  constexpr bool on_host = is_host_space<ExecSpace>;
  constexpr int rows = on_host ? 1 : 8;
  const auto height = static_cast<std::int64_t>(old.extent(0)), n = static_cast<std::int64_t>(old.extent(1));
  if (height == 0 || n == 0) return;
  const auto to = detours.to, from = detours.from;
  const int league = static_cast<int>(div_up(height, rows));
  const EntryChunks<ExecSpace> chunks(n);
  Kokkos::parallel_for(
      "blockfw::take_detours", on_host ? Teams(exec, league, Kokkos::AUTO) : Teams(exec, league, 256),
      KOKKOS_LAMBDA(const typename Teams::member_type& team) {
        const std::int64_t first = team.league_rank() * rows;
        T there[rows];
        bool reached = false;
        for (int r = 0; r < rows; ++r) {
          there[r] = first + r < height ? to(first + r) : infinity<T>;
          reached = reached || there[r] != infinity<T>;
        }
        if (InPlace && !reached) return;
        const auto detour = [](T way, T onward) {
          const bool possible = (way != infinity<T>)&(onward != infinity<T>);
          return possible ? static_cast<T>(way + onward) : infinity<T>;
        };
        if (on_host) {
          const T way = there[0];
          Kokkos::parallel_for(Kokkos::TeamThreadRange(team, chunks.count()), [=](std::int64_t chunk) {
            int less = 0;
            if (InPlace) chunks.for_each(chunk, [&](int j) { less += detour(way, from(j)) < old(first, j); });
            if (InPlace && less == 0) return;
            chunks.for_each(chunk, [&](int j) {
              const T length = old(first, j), other = detour(way, from(j));
              result(first, j) = other < length ? other : length;
            });
          });
          return;
        }
        // (Captured by value: else the compiler must assume that writes to result change `there`.)
        Kokkos::parallel_for(Kokkos::TeamVectorRange(team, n), [=](std::int64_t j) {
          const T onward = from(j);
          T length[rows];
          BLOCKFW_UNROLL
          for (int r = 0; r < rows; ++r) length[r] = first + r < height ? old(first + r, j) : infinity<T>;
          BLOCKFW_UNROLL
          for (int r = 0; r < rows; ++r) {
            const T other = detour(there[r], onward);
            if (InPlace ? other < length[r] : first + r < height)
              result(first + r, j) = other < length[r] ? other : length[r];
          }
        });
      });
  exec.fence("blockfw::take_detours");
}

template <Element T>
void require_weight(T weight) {
  if (weight != weight) throw InvalidInput("the weight is NaN, expected a number");
  if constexpr (std::is_integral_v<T>)
    if (weight >= infinity<T> || weight <= -infinity<T>)
      throw OverflowRisk("the weight " + std::to_string(weight) + " is as far as infinity, " +
                         std::to_string(infinity<T>) + ", in " + type_name<T>() + "; solve again in a wider type");
}

/// The weight of a new edge in the type that holds the distances, T, or a narrower one than that of the weight.
/// \throws as require_weight()
template <Element T, Distance Wide>
T required_weight(Wide weight) {
  if constexpr (!std::is_same_v<T, Wide>)
    if (weight >= static_cast<Wide>(infinity<T>) || weight <= -static_cast<Wide>(infinity<T>))
      throw OverflowRisk("the weight " + std::to_string(weight) + " does not fit the " + std::to_string(8 * sizeof(T)) +
                         " bits that hold the distances; solve again");
  require_weight(static_cast<T>(weight));
  return static_cast<T>(weight);
}

/// \brief The lengths by a new edge, on the host: from each vertex to its end, and from there on.
template <class T>
class DetoursOnHost {
  using Numbers = Kokkos::View<T*, Kokkos::HostSpace>;

 public:
  /// \param to_tail    the distances from each vertex to the edge's beginning
  /// \param from_head  the distances from the edge's end to each vertex
  /// \throws as insert_edge()
  template <class Line>
  DetoursOnHost(const Line& to_tail, const Line& from_head, std::int64_t tail, T weight)
      : to("blockfw::lines", to_tail.extent(0)), from("blockfw::lines", to_tail.extent(0)) {
    WeightRange<T> to_range, from_range;
    const auto include = [](WeightRange<T>& range, T length) {
      if (length == infinity<T>) return;
      range.smallest = std::min(range.smallest, length);
      range.largest = std::max(range.largest, length);
    };
    for (std::size_t v = 0; v < to.extent(0); ++v) {
      to(v) = to_tail(v) == infinity<T> ? infinity<T> : lengthened(to_tail(v), weight);
      from(v) = from_head(v);
      include(to_range, to(v));
      include(from_range, from(v));
    }
    const T back = from(static_cast<std::size_t>(tail));
    if (back < infinity<T> && MinPlus<T>::diverges(static_cast<T>(weight + back))) throw NegativeCycle(tail);
    require_safe(to_range, from_range);
  }

  /// Copies those of a part of a matrix to memory of exec; fences exec.
  /// \param row, column  row(i) and column(j) are the vertices of the part's rows and columns
  template <class ExecSpace, class Row, class Column>
  void send(const ExecSpace& exec, const Detours<T, ExecSpace>& part, const Row& row, const Column& column) const {
    send(exec, part.to, to, row);
    send(exec, part.from, from, column);
  }

 private:
  template <class ExecSpace, class There, class Vertex>
  static void send(const ExecSpace& exec, const There& there, const Numbers& numbers, const Vertex& vertex) {
    const Numbers some(Kokkos::view_alloc("blockfw::lines", Kokkos::WithoutInitializing), there.extent(0));
    for (std::size_t i = 0; i < some.extent(0); ++i)
      some(i) = numbers(static_cast<std::size_t>(vertex(static_cast<std::int64_t>(i))));
    Kokkos::deep_copy(exec, there, some);
    exec.fence("blockfw::lines");  // before `some` goes
  }

  Numbers to, from;
};

}  // namespace detail

/// \brief Updates distances in place for one more edge from → to, or for a smaller weight of that edge.
///
/// \param exec    the instance to run on
/// \param d       solved distances, of any layout; unchanged when this throws
/// \param from    the vertex where the edge begins
/// \param to      the vertex where it ends
/// \param weight  its length
/// \throws InvalidInput   for a vertex out of range, a NaN, a matrix that is not square
/// \throws NegativeCycle  when the edge would close a negative cycle
/// \throws OverflowRisk   when a path through the edge could be as long as infinity
///
/// O(n²), one read of the matrix: it tries the path through the edge for each pair. Memory: 2n elements. Fences exec.
template <class ExecSpace, MatrixView View>
void insert_edge(const ExecSpace& exec, const View& d, std::int64_t from, std::int64_t to,
                 typename View::non_const_value_type weight) {
  using T = typename View::value_type;
  const auto m = matrix_ref<ExecSpace>(d);
  const auto n = static_cast<std::int64_t>(d.extent(0));
  detail::require_vertex(from, n);
  detail::require_vertex(to, n);
  detail::require_weight(weight);
  if (weight == infinity<T>) return;
  const bool transposed = d.stride(0) < d.stride(1);
  const std::int64_t tail = transposed ? to : from, head = transposed ? from : to;

  // Copies of the two lines, as d changes: the lengths to the end of the edge, and from there on.
  detail::Detours<T, ExecSpace> detours(exec, n);
  const auto by_edge = detours.to, onward = detours.from;
  int closes = 0;  // whether the edge closes a negative cycle; an int, as Kokkos for CUDA reduces words of 4 bytes
  Kokkos::parallel_reduce(
      "blockfw::lines", Kokkos::RangePolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>(exec, 0, n),
      KOKKOS_LAMBDA(std::int64_t v, T& to_least, T& to_most, T& from_least, T& from_most, int& any_cycle) {
        const T old = m(v, tail), in = old == infinity<T> ? infinity<T> : detail::lengthened(old, weight),
                out = m(head, v);
        by_edge(v) = in;
        onward(v) = out;
        if (in != infinity<T>) to_least = Kokkos::min(to_least, in), to_most = Kokkos::max(to_most, in);
        if (out != infinity<T>) from_least = Kokkos::min(from_least, out), from_most = Kokkos::max(from_most, out);
        if (v == tail && out < infinity<T> && MinPlus<T>::diverges(static_cast<T>(weight + out))) any_cycle = 1;
      },
      Kokkos::Min<T>(detours.to_range.smallest), Kokkos::Max<T>(detours.to_range.largest),
      Kokkos::Min<T>(detours.from_range.smallest), Kokkos::Max<T>(detours.from_range.largest),
      Kokkos::Max<int>(closes));
  if (closes > 0) throw NegativeCycle(from);
  detail::require_safe(detours.to_range, detours.from_range);
  if constexpr (std::is_same_v<typename View::array_layout, Kokkos::LayoutRight>)
    detail::take_detours<true>(exec, d, d, detours);  // the compiler knows that its rows are contiguous
  else
    detail::take_detours<true>(exec, m, m, detours);
}

/// \brief Computes the distances of a graph with one more vertex, n, and its edges.
///
/// \param exec       the instance to run on
/// \param d          solved distances of n vertices, of any layout; only read
/// \param edges      a host container of the edges that begin or end at vertex n
/// \param direction  whether the edges lead one way or both
/// \return a matrix of n + 1 vertices
/// \throws InvalidEdge for an edge that does not begin or end at vertex n, has a vertex out of range or a NaN weight;
///         OutOfMemory; otherwise as insert_edge()
///
/// O(n² + n · edges). Memory: (n + 1)² elements for the result. Fences exec.
template <class ExecSpace, MatrixView View, std::ranges::contiguous_range Edges>
DistanceMatrix<typename View::non_const_value_type, ExecSpace> add_vertex(const ExecSpace& exec, const View& d,
                                                                          const Edges& edges,
                                                                          Direction direction = Direction::directed) {
  using T = typename View::non_const_value_type;
  using E = Edge<T>;
  require_square(d);
  const auto n = static_cast<std::int64_t>(d.extent(0));
  const auto on_host = detail::view_of(edges);
  for (std::size_t e = 0; e < on_host.extent(0); ++e) {
    const E edge = on_host(e);
    const auto index = static_cast<std::int64_t>(e);
    if (!detail::is_valid(edge, n + 1)) detail::throw_invalid_edge<T>(on_host, index, n + 1);
    if (edge.from != n && edge.to != n)
      throw InvalidEdge(index, "from " + std::to_string(edge.from) + " to " + std::to_string(edge.to) +
                                   ", expected one that begins or ends at the new vertex, " + std::to_string(n));
    detail::require_weight(edge.weight);
  }

  const auto more = allocate_distances<T>(exec, n + 1);
  const auto there = reachable_edges(exec, on_host);
  detail::Detours<T, ExecSpace> detours(exec, n + 1);
  const auto to_new = detours.to, from_new = detours.from;
  const auto count = static_cast<std::int64_t>(there.extent(0));
  const bool both_ways = direction == Direction::undirected;
  std::int64_t on_cycle = n + 1;
  Kokkos::parallel_reduce(
      "blockfw::new_lines", Kokkos::RangePolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>(exec, 0, n + 1),
      KOKKOS_LAMBDA(std::int64_t v, std::int64_t& cycle, T& to_least, T& to_most, T& from_least, T& from_most) {
        T in = v == n ? T(0) : infinity<T>, out = in;
        for (std::int64_t e = 0; e < count; ++e) {
          const E edge = there(e);
          const auto relax = [&](T& best, bool applies, std::int64_t first, std::int64_t last) {
            if (!applies || edge.weight == infinity<T>) return;
            const T old = first == last ? T(0) : first < n && last < n ? d(first, last) : infinity<T>;
            if (old == infinity<T>) return;
            const T length = detail::lengthened(old, edge.weight);
            if (best == infinity<T> || length < best) best = length;
          };
          // v → ... → x → n, and n → x → ... → v.
          relax(in, edge.to == n, v, edge.from);
          relax(out, edge.from == n, edge.to, v);
          if (both_ways) {
            relax(in, edge.from == n, v, edge.to);
            relax(out, edge.to == n, edge.from, v);
          }
        }
        to_new(v) = in;
        from_new(v) = out;
        if (in != infinity<T>) to_least = Kokkos::min(to_least, in), to_most = Kokkos::max(to_most, in);
        if (out != infinity<T>) from_least = Kokkos::min(from_least, out), from_most = Kokkos::max(from_most, out);
        if (in != infinity<T> && out != infinity<T> && MinPlus<T>::diverges(static_cast<T>(in + out)))
          cycle = Kokkos::min(cycle, v);
      },
      Kokkos::Min<std::int64_t>(on_cycle), Kokkos::Min<T>(detours.to_range.smallest),
      Kokkos::Max<T>(detours.to_range.largest), Kokkos::Min<T>(detours.from_range.smallest),
      Kokkos::Max<T>(detours.from_range.largest));
  if (on_cycle <= n) throw NegativeCycle(on_cycle);
  detail::require_safe(detours.to_range, detours.from_range);
  Kokkos::parallel_for(
      "blockfw::new_vertex", Kokkos::RangePolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>(exec, 0, n + 1),
      KOKKOS_LAMBDA(std::int64_t v) {
        more(n, v) = from_new(v);
        more(v, n) = v < n ? to_new(v) : from_new(v);
      });
  detail::take_detours<false>(exec, more, d, detours);
  return more;
}

}  // namespace blockfw
