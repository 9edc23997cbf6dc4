// SPDX-License-Identifier: MIT
/// \file
/// \brief Updates solved distances when an edge is added or gets shorter, or when a vertex is added.
///
/// Each update takes O(n²), a few reads of the matrix; a solve takes O(n³). (After an edge gets longer, or an edge or a
/// vertex is removed, only a new solve helps.)
#pragma once

#include "blockfw/detail/backend/unroll.hpp"
#include "blockfw/detail/backend/vectors.hpp"
#include "blockfw/detail/backend/workspace.hpp"
#include "blockfw/detail/copies.hpp"
#include "blockfw/detail/in_parts.hpp"
#include "blockfw/detail/launch.hpp"
#include "blockfw/detail/rounding.hpp"
#include "blockfw/edges.hpp"
#include "blockfw/error.hpp"
#include "blockfw/matrix.hpp"
#include "blockfw/progress.hpp"
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

/// The lengths of paths from each vertex to one place (the end of a new edge, or a new vertex), and from there to each.
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

/// Throws OverflowRisk unless each sum of a length to a place and one from there fits T and is no "no path".
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

/// The length of a path by the place: to it, and on from there; infinity if either path does not exist.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T detour(T way, T onward) {
  const bool possible = (way != infinity<T>)&(onward != infinity<T>);
  return possible ? static_cast<T>(way + onward) : infinity<T>;
}

/// \brief take_detours() for a row whose numbers lie next to each other, with a level of vectors.
/// \param way  the length of the path from the row's vertex to the place
template <bool InPlace, class Level, class T>
BLOCKFW_ALWAYS_INLINE void detours_of_row(T way, const T* from, const T* old, T* result, std::int64_t n) {
  if (way == infinity<T>) {
    if (!InPlace) std::copy_n(old, n, result);
    return;
  }
  constexpr int width = Level::bytes / static_cast<int>(sizeof(T));
  using V = Lanes<Level, T, width>;
  const V none = V::broadcast(infinity<T>), there = V::broadcast(way);
  std::int64_t j = 0;
  for (; j + width <= n; j += width) {
    const V onward = V::load(from + j), before = V::load(old + j);
    const V other = choose(onward != none, there + onward, none);
    if (!InPlace || (other < before).any()) smaller(other, before).store(result + j);
  }
  for (; j < n; ++j) {
    const T other = detour(way, from[j]);
    if (!InPlace || other < old[j]) result[j] = other < old[j] ? other : old[j];
  }
}

/// \brief take_detours() on a host, row by row. In place it writes only vectors in which an entry falls.
template <bool InPlace, class T, class ExecSpace, class Result, class Old>
void take_detours_by_rows(const ExecSpace& exec, const Result& result, const Old& old,
                          const Detours<T, ExecSpace>& detours) {
  const auto to = detours.to, from = detours.from;
  const auto n = static_cast<std::int64_t>(old.extent(1));
  require_vectors();
  const bool contiguous = old.stride(1) == 1 && result.stride(1) == 1;
  detail::for_range("blockfw::take_detours", exec, 0, static_cast<std::int64_t>(old.extent(0)), [=](std::int64_t i) {
    const T way = to(i);
    if (contiguous) {
      KOKKOS_IF_ON_HOST((with_vectors([&](auto level) __attribute__((always_inline)) {
                           detours_of_row<InPlace, decltype(level)>(way, from.data(), &old(i, 0), &result(i, 0), n);
                         });))
    } else {
      for (std::int64_t j = 0; j < n; ++j) {
        const T length = old(i, j), other = detour(way, from(j));
        if (!InPlace || other < length) result(i, j) = other < length ? other : length;
      }
    }
  });
}

/// \brief take_detours() on a device. A thread updates an entry in each of several rows, and reads all before it writes
/// any, to hide memory latency. In place it writes only entries that fall.
///
/// The rows of a result of n + 1 vertices begin anywhere in a line of memory, and a line that is written in two parts
/// costs more than one that is read twice. So neighbouring threads begin where a line of `result` begins. All rows of a
/// thread have this in common: they are as many rows apart as a line has entries.
template <bool InPlace, class T, class ExecSpace, class Result, class Old>
void take_detours_by_lines(const ExecSpace& exec, const Result& result, const Old& old,
                           const Detours<T, ExecSpace>& detours) {
  using Teams = Kokkos::TeamPolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>;
  // (Short teams, next to each other in a row: those that run at one time are in one part of the matrix, and none runs
  // long after the others.)
  constexpr int rows = 8, between = 128 / static_cast<int>(sizeof(T)), width = 1024;
  const auto height = static_cast<std::int64_t>(old.extent(0)), n = static_cast<std::int64_t>(old.extent(1));
  const auto to = detours.to, from = detours.from;
  const auto parts = static_cast<int>(div_up(n + between - 1, width));
  const std::int64_t firsts =
      height / (rows * between) * between + Kokkos::min<std::int64_t>(height % (rows * between), between);
  const int league = static_cast<int>(firsts * parts);
  const auto address = reinterpret_cast<std::uintptr_t>(result.data()) / sizeof(T);
  const auto old_step = static_cast<std::ptrdiff_t>(old.stride(0)),
             old_beside = static_cast<std::ptrdiff_t>(old.stride(1)),
             step = static_cast<std::ptrdiff_t>(result.stride(0)),
             beside = static_cast<std::ptrdiff_t>(result.stride(1));
  const auto* const old_data = old.data();
  T* const data = result.data();
  detail::for_teams(
      "blockfw::take_detours", is_host_space<ExecSpace> ? Teams(exec, league, Kokkos::AUTO) : Teams(exec, league, 256),
      KOKKOS_LAMBDA(const typename Teams::member_type& team) {
        const int row = team.league_rank() / parts, part = team.league_rank() % parts;
        const std::int64_t first = std::int64_t(row / between) * (rows * between) + row % between;
        T there[rows];
        bool reached = false;
        BLOCKFW_UNROLL
        for (int r = 0; r < rows; ++r) {
          there[r] = first + r * between < height ? to(first + r * between) : infinity<T>;
          reached = reached || there[r] != infinity<T>;
        }
        if (InPlace && !reached) return;
        const auto height_here = static_cast<int>(Kokkos::min<std::int64_t>(rows * between, height - first));
        const auto shift = static_cast<int>((address + static_cast<std::uintptr_t>(first * step)) % between);
        // (Captured by value: else the compiler must assume that writes to result change `there`.)
        Kokkos::parallel_for(Kokkos::TeamVectorRange(team, width), [=](int c) {
          const std::int64_t j = std::int64_t(part) * width + c - shift;
          if (j < 0 || j >= n) return;
          const T onward = from(j);
          const auto* old_entry = old_data + first * old_step + j * old_beside;
          T* entry = data + first * step + j * beside;
          T length[rows];
          BLOCKFW_UNROLL
          for (int r = 0; r < rows; ++r, old_entry += between * old_step)
            length[r] = r * between < height_here ? *old_entry : infinity<T>;
          BLOCKFW_UNROLL
          for (int r = 0; r < rows; ++r, entry += between * step) {
            const T other = detour(there[r], onward);
            if (InPlace ? other < length[r] : r * between < height_here) *entry = other < length[r] ? other : length[r];
          }
        });
      });
}

/// \brief result(i, j) ← min(old(i, j), to(i) + from(j)) for all entries of `old`, where both paths exist. Fences exec.
/// \tparam InPlace  whether `old` is `result`; then entries (on a host: vectors) that stay the same are not written
template <bool InPlace, class T, class ExecSpace, class Result, class Old>
void take_detours(const ExecSpace& exec, const Result& result, const Old& old, const Detours<T, ExecSpace>& detours) {
  if (old.extent(0) == 0 || old.extent(1) == 0) return;
  if constexpr (is_host_space<ExecSpace>)
    take_detours_by_rows<InPlace>(exec, result, old, detours);
  else
    take_detours_by_lines<InPlace>(exec, result, old, detours);
  exec.fence("blockfw::take_detours");
}

template <Element T>
void require_weight(T weight) {
  if (!is_weight<MinPlus<T>>(weight)) throw InvalidInput(refused_weight<MinPlus<T>>("the weight is ", weight, ""));
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
    const bool closes = back < infinity<T> && MinPlus<T>::diverges(static_cast<T>(weight + back));
    if (closes && negative_through(to, from)) throw NegativeCycle(tail);
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
    copy_array(exec, there, some);
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
/// \param weight  its length; of floats, infinity is no edge, and changes nothing
/// \throws InvalidInput   for a vertex out of range, a NaN, of floats -infinity, a matrix that is not square
/// \throws NegativeCycle  when the edge would close a negative cycle, of floats by more than rounding explains
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
  detail::reduce_range(
      "blockfw::lines", exec, 0, n,
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
  if (closes > 0 && detail::negative_through(by_edge, onward)) throw NegativeCycle(from);
  detail::require_safe(detours.to_range, detours.from_range);
  if constexpr (std::is_same_v<typename View::array_layout, Kokkos::LayoutRight>)
    detail::take_detours<true>(exec, d, d, detours);  // the compiler knows that its rows are contiguous
  else
    detail::take_detours<true>(exec, m, m, detours);
  detail::raise_own(exec, m);
}

namespace detail {

/// Throws unless each edge, on the host, begins or ends at the new vertex n, and its vertices and weight are valid.
template <Element T, class Edges>
void require_edges_of_vertex(const Edges& edges, std::int64_t n) {
  for (std::size_t e = 0; e < edges.extent(0); ++e) {
    const Edge<T> edge = edges(e);
    const auto index = static_cast<std::int64_t>(e);
    if (!is_valid<MinPlus<T>>(edge, n + 1)) throw_invalid_edge<MinPlus<T>>(edges, index, n + 1);
    if (edge.from != n && edge.to != n)
      throw InvalidEdge(index, "from " + std::to_string(edge.from) + " to " + std::to_string(edge.to) +
                                   ", expected one that begins or ends at the new vertex, " + std::to_string(n));
    require_weight(edge.weight);
  }
}

/// \brief Writes the new vertex's row and column, and the detours by it, for the vertices [first_vertex, end).
/// \param there  the edges, where exec can reach them
/// \return the first of these vertices on a negative cycle, or n + 1
template <class ExecSpace, class More, class View, class Edges, class T>
std::int64_t write_lines(const ExecSpace& exec, const More& more, const View& d, const Edges& there, bool both_ways,
                         Detours<T, ExecSpace>& detours, std::int64_t first_vertex, std::int64_t end) {
  const auto n = static_cast<std::int64_t>(d.extent(0)), count = static_cast<std::int64_t>(there.extent(0));
  const auto to_new = detours.to, from_new = detours.from;
  std::int64_t on_cycle = n + 1;
  WeightRange<T> to_range, from_range;
  detail::reduce_range(
      "blockfw::new_lines", exec, first_vertex, end,
      KOKKOS_LAMBDA(std::int64_t v, std::int64_t& cycle, T& to_least, T& to_most, T& from_least, T& from_most) {
        const auto length = [&](bool applies, std::int64_t first, std::int64_t last) {
          if (!applies) return infinity<T>;
          return first == last ? T(0) : first < n && last < n ? d(first, last) : infinity<T>;
        };
        const auto relax = [](T& best, T old, T weight) {
          if (old == infinity<T> || weight == infinity<T>) return;
          const T longer = lengthened(old, weight);
          if (best == infinity<T> || longer < best) best = longer;
        };
        T in = v == n ? T(0) : infinity<T>, out = in;
        // v → ... → x → n, and n → x → ... → v. (Reads of several edges at once, to hide memory latency.)
        constexpr int at_once = 4;
        for (std::int64_t e = 0; e < count; e += at_once) {
          T weight[at_once], old_in[at_once], old_out[at_once];
          BLOCKFW_UNROLL
          for (int i = 0; i < at_once; ++i) {
            const auto edge = there(Kokkos::min(e + i, count - 1));
            const std::int64_t x = edge.from == n ? edge.to : edge.from;
            weight[i] = edge.weight;
            old_in[i] = length(edge.to == n || both_ways, v, x);
            old_out[i] = length(edge.from == n || both_ways, x, v);
          }
          BLOCKFW_UNROLL
          for (int i = 0; i < at_once; ++i) {
            relax(in, old_in[i], weight[i]);
            relax(out, old_out[i], weight[i]);
          }
        }
        to_new(v) = in;
        from_new(v) = out;
        more(n, v) = out;
        more(v, n) = v < n ? in : out;
        if (in != infinity<T>) to_least = Kokkos::min(to_least, in), to_most = Kokkos::max(to_most, in);
        if (out != infinity<T>) from_least = Kokkos::min(from_least, out), from_most = Kokkos::max(from_most, out);
        if (in < infinity<T> && out < infinity<T> && MinPlus<T>::diverges(static_cast<T>(in + out)))
          cycle = Kokkos::min(cycle, v);
      },
      Kokkos::Min<std::int64_t>(on_cycle), Kokkos::Min<T>(to_range.smallest), Kokkos::Max<T>(to_range.largest),
      Kokkos::Min<T>(from_range.smallest), Kokkos::Max<T>(from_range.largest));
  const auto include = [](WeightRange<T>& all, const WeightRange<T>& some) {
    all.smallest = std::min(all.smallest, some.smallest);
    all.largest = std::max(all.largest, some.largest);
  };
  include(detours.to_range, to_range);
  include(detours.from_range, from_range);
  return std::min(on_cycle, n + 1);  // (If there is none, the reduction gives the largest integer.)
}

/// \brief add_vertex() without the checks of its arguments.
/// \tparam InPlace  whether d is the upper left part of `more`
template <bool InPlace, class ExecSpace, class More, class View, class Edges>
void write_with_vertex(const ExecSpace& exec, const More& more, const View& d, const Edges& edges, Direction direction,
                       const Progress& progress) {
  using T = typename More::value_type;
  const auto n = static_cast<std::int64_t>(d.extent(0)), count = static_cast<std::int64_t>(edges.extent(0));
  const auto there = reachable_edges(exec, edges);
  const bool both_ways = direction == Direction::undirected;
  Detours<T, ExecSpace> detours(exec, n + 1);
  std::int64_t on_cycle = n + 1;
  in_parts(exec, n + 1, count, 64, progress, [&](std::int64_t first, std::int64_t end) {
    on_cycle = std::min(on_cycle, write_lines(exec, more, d, there, both_ways, detours, first, end));
  });
  require_safe(detours.to_range, detours.from_range);  // (else a sum that overflows looks like a negative cycle)
  if (on_cycle <= n)
    if (const auto vertex = negative_through(detours.to, detours.from)) throw NegativeCycle(*vertex);
  take_detours<InPlace>(exec, more, d, detours);
  raise_own(exec, more);
}

}  // namespace detail

/// \brief Computes the distances of a graph with one more vertex, n, and its edges.
///
/// \param exec       the instance to run on
/// \param d          solved distances of n vertices, of any layout; only read
/// \param edges      a host container of the edges that begin or end at vertex n; of floats, infinity is no edge
/// \param direction  whether the edges lead one way or both
/// \param progress   called as progress(vertices done, n + 1), if set, as edges are joined to distances; it may throw
/// \return a matrix of n + 1 vertices
/// \throws InvalidEdge for an edge that does not begin or end at vertex n, has a vertex out of range or a NaN weight;
///         OutOfMemory; otherwise as insert_edge()
///
/// O(n² + n · edges). Memory: (n + 1)² elements for the result. Fences exec.
template <class ExecSpace, MatrixView View, std::ranges::contiguous_range Edges>
DistanceMatrix<typename View::non_const_value_type, ExecSpace> add_vertex(const ExecSpace& exec, const View& d,
                                                                          const Edges& edges,
                                                                          Direction direction = Direction::directed,
                                                                          const Progress& progress = {}) {
  using T = typename View::non_const_value_type;
  require_reachable<ExecSpace, View>();
  require_square(d);
  const auto n = static_cast<std::int64_t>(d.extent(0));
  const auto on_host = detail::view_of(edges);
  detail::require_edges_of_vertex<T>(on_host, n);
  const auto more = allocate_distances<T>(exec, n + 1);
  detail::write_with_vertex<false>(exec, more, d, on_host, direction, progress);
  return more;
}

/// \brief The same in memory of the caller's: a device takes nearly as long to allocate a matrix as to copy it.
///
/// \param exec       the instance to run on
/// \param more       square view of n + 1 vertices, of any layout, for the result. It shares no memory with d, or d is
///                   its upper left part; then only distances that get shorter are written, so a matrix with room for
///                   later vertices takes one read for each.
/// \param d          solved distances of n vertices, of any layout
/// \param edges      a host container of the edges that begin or end at vertex n; of floats, infinity is no edge
/// \param direction  whether the edges lead one way or both
/// \param progress   as above
/// \throws InvalidInput for `more` of another order; otherwise as the one above. d is unchanged when this throws.
///
/// O(n² + n · edges). Memory: 2n elements. Fences exec.
template <class ExecSpace, MatrixView More, MatrixView View, std::ranges::contiguous_range Edges>
void add_vertex(const ExecSpace& exec, const More& more, const View& d, const Edges& edges,
                Direction direction = Direction::directed, const Progress& progress = {}) {
  using T = typename View::non_const_value_type;
  static_assert(std::is_same_v<typename More::value_type, T>,
                "blockfw: the result must have the type of the distances, and not be const");
  require_reachable<ExecSpace, More>();
  require_reachable<ExecSpace, View>();
  require_square(d);
  require_square(more);
  if (more.extent(0) != d.extent(0) + 1)
    throw InvalidInput("the matrix '" + more.label() + "' has " + std::to_string(more.extent(0)) +
                       " rows, expected one more than '" + d.label() + "', which has " + std::to_string(d.extent(0)));
  const auto on_host = detail::view_of(edges);
  detail::require_edges_of_vertex<T>(on_host, static_cast<std::int64_t>(d.extent(0)));
  if (more.data() == d.data() && more.stride(0) == d.stride(0) && more.stride(1) == d.stride(1))
    detail::write_with_vertex<true>(exec, more, d, on_host, direction, progress);
  else
    detail::write_with_vertex<false>(exec, more, d, on_host, direction, progress);
}

}  // namespace blockfw
