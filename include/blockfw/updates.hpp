/// \file
/// \brief Solved distances that stay right when the graph grows: by an edge, or a shorter one, or a vertex.
///
/// Each takes O(n²), a few reads of the matrix, where a solve takes O(n³). (After what gets longer, or goes, only a
/// solve helps.)
#pragma once

#include "blockfw/apsp.hpp"
#include "blockfw/edges.hpp"
#include "blockfw/error.hpp"
#include "blockfw/matrix.hpp"
#include "blockfw/semiring.hpp"
#include "blockfw/weights.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <ranges>
#include <string>
#include <type_traits>

namespace blockfw {

namespace detail {

/// The lengths of paths from each vertex to some place, or from there to each.
template <class T, class ExecSpace>
using Line = Kokkos::View<T*, typename ExecSpace::memory_space>;

template <class T, class ExecSpace>
Line<T, ExecSpace> allocate_line(const ExecSpace& exec, std::int64_t n) {
  return Line<T, ExecSpace>(Kokkos::view_alloc(exec, "blockfw::line", Kokkos::WithoutInitializing),
                            static_cast<std::size_t>(n));
}

/// The length of a path and an edge more; if it is as long as infinity, which no path may be, more than that.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T lengthened(T path, T edge) {
  constexpr T too_long = std::numeric_limits<T>::max();
  const T sum = static_cast<T>(path + edge);
  return std::is_integral_v<T> && sum >= infinity<T> ? too_long : sum;
}

/// The range of those lengths that are there; fences exec.
template <class T, class ExecSpace>
WeightRange<T> range_of(const ExecSpace& exec, const Line<T, ExecSpace>& line) {
  WeightRange<T> range;
  Kokkos::parallel_reduce(
      "blockfw::range", Kokkos::RangePolicy<ExecSpace>(exec, 0, line.extent(0)),
      KOKKOS_LAMBDA(std::size_t v, T& smallest, T& largest) {
        if (line(v) == infinity<T>) return;
        smallest = Kokkos::min(smallest, line(v));
        largest = Kokkos::max(largest, line(v));
      },
      Kokkos::Min<T>(range.smallest), Kokkos::Max<T>(range.largest));
  return range;
}

/// Throws unless each length of `to` and each of `from` together stay apart from "no path", and fit T.
template <class T, class ExecSpace>
void require_safe_detours(const ExecSpace& exec, const Line<T, ExecSpace>& to, const Line<T, ExecSpace>& from) {
  if constexpr (std::is_integral_v<T>) {
    const auto a = range_of<T>(exec, to), b = range_of<T>(exec, from);
    if (a.empty() || b.empty()) return;
    constexpr T limit = infinity<T>;  // (Two lengths, each nearer to 0 than this, have a sum that fits T.)
    const auto near = [](T length) { return length > -limit && length < limit; };
    if (!near(a.smallest) || !near(a.largest) || !near(b.smallest) || !near(b.largest) ||
        !near(static_cast<T>(a.smallest + b.smallest)) || !near(static_cast<T>(a.largest + b.largest)))
      throw OverflowRisk("new paths of lengths from " + std::to_string(a.smallest) + " + " +
                         std::to_string(b.smallest) + " to " + std::to_string(a.largest) + " + " +
                         std::to_string(b.largest) + " could reach infinity, " + std::to_string(limit) + ", in " +
                         type_name<T>() + "; solve again in a wider type");
  }
}

/// d(i, j) ← min(d(i, j), to(i) + from(j)) where both are there.
template <class T, class ExecSpace, class Matrix>
void take_detours(const ExecSpace& exec, const Matrix& d, const Line<T, ExecSpace>& to,
                  const Line<T, ExecSpace>& from) {
  using Rows = Kokkos::TeamPolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>;
  const auto n = static_cast<std::int64_t>(to.extent(0));
  Kokkos::parallel_for(
      "blockfw::take_detours", Rows(exec, static_cast<int>(n), Kokkos::AUTO),
      KOKKOS_LAMBDA(const typename Rows::member_type& team) {
        const std::int64_t i = team.league_rank();
        const T there = to(i);
        if (there == infinity<T>) return;
        Kokkos::parallel_for(Kokkos::TeamVectorRange(team, n), [&](std::int64_t j) {
          const T onward = from(j), detour = onward == infinity<T> ? onward : static_cast<T>(there + onward);
          if (detour < d(i, j)) d(i, j) = detour;
        });
      });
  exec.fence("blockfw::take_detours");
}

template <Distance T>
void require_weight(T weight) {
  if (weight != weight) throw InvalidInput("the weight is NaN, expected a number");
  if constexpr (std::is_integral_v<T>)
    if (weight >= infinity<T> || weight <= -infinity<T>)
      throw OverflowRisk("the weight " + std::to_string(weight) + " is as far as infinity, " +
                         std::to_string(infinity<T>) + ", in " + type_name<T>() + "; solve again in a wider type");
}

}  // namespace detail

/// \brief Distances with one more edge from → to, or with that edge shorter than it was.
///
/// \param d  solved distances, of any layout; when this throws they are as they were
/// \throws InvalidInput   for a vertex out of range, a NaN, a matrix that is not square
/// \throws NegativeCycle  when the edge would close one
/// \throws OverflowRisk   when a path by way of it could be as long as infinity
///
/// O(n²), one read of the matrix: each pair may go by way of the edge, once. 2n elements of memory. exec is fenced.
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

  // Lines of their own, as d changes: to the end of the edge, and on from there.
  const auto by_edge = detail::allocate_line<T>(exec, n), onward = detail::allocate_line<T>(exec, n);
  Kokkos::parallel_for(
      "blockfw::lines", Kokkos::RangePolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>(exec, 0, n),
      KOKKOS_LAMBDA(std::int64_t v) {
        by_edge(v) = m(v, tail) == infinity<T> ? infinity<T> : detail::lengthened(m(v, tail), weight);
        onward(v) = m(head, v);
      });
  T back;
  Kokkos::deep_copy(exec, Kokkos::View<T, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(&back),
                    Kokkos::subview(onward, tail));
  exec.fence("blockfw::insert_edge");
  if (back != infinity<T> && MinPlus<T>::diverges(static_cast<T>(weight + back))) throw NegativeCycle(from);
  detail::require_safe_detours<T>(exec, by_edge, onward);
  detail::take_detours<T>(exec, m, by_edge, onward);
}

/// insert_edge() by another name: parallel edges count as the shortest of them.
template <class ExecSpace, MatrixView View>
void decrease_edge(const ExecSpace& exec, const View& d, std::int64_t from, std::int64_t to,
                   typename View::non_const_value_type weight) {
  insert_edge(exec, d, from, to, weight);
}

/// \brief Distances with one more vertex, n, whose edges are given.
///
/// \param d          solved distances of n vertices, of any layout; they are only read
/// \param edges      a host container of the edges that begin or end at vertex n
/// \param direction  whether they lead one way or both
/// \return a matrix of n + 1 vertices
/// \throws InvalidEdge for an edge without vertex n, of a vertex out of range or of a NaN weight; OutOfMemory; else as
///         insert_edge()
///
/// O(n² + n · edges), (n + 1)² elements for the result. exec is fenced.
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
    if (edge.from < 0 || edge.from > n || edge.to < 0 || edge.to > n || edge.weight != edge.weight)
      detail::throw_invalid_edge<T>(on_host, index, n + 1);
    if (edge.from != n && edge.to != n)
      throw InvalidEdge(index, "from " + std::to_string(edge.from) + " to " + std::to_string(edge.to) +
                                   ", expected one that begins or ends at the new vertex, " + std::to_string(n));
    detail::require_weight(edge.weight);
  }

  const auto more = allocate_distances<T>(exec, n + 1);
  const auto there = reachable_edges(exec, on_host);
  const auto to_new = detail::allocate_line<T>(exec, n + 1), from_new = detail::allocate_line<T>(exec, n + 1);
  const auto count = static_cast<std::int64_t>(there.extent(0));
  const bool both_ways = direction == Direction::undirected;
  std::int64_t on_cycle = n + 1;
  Kokkos::parallel_reduce(
      "blockfw::new_lines", Kokkos::RangePolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>(exec, 0, n + 1),
      KOKKOS_LAMBDA(std::int64_t v, std::int64_t& cycle) {
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
        if (in != infinity<T> && out != infinity<T> && MinPlus<T>::diverges(static_cast<T>(in + out)))
          cycle = Kokkos::min(cycle, v);
      },
      Kokkos::Min<std::int64_t>(on_cycle));
  if (on_cycle <= n) throw NegativeCycle(on_cycle);
  detail::require_safe_detours<T>(exec, to_new, from_new);

  using Rows = Kokkos::TeamPolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>;
  Kokkos::parallel_for(
      "blockfw::copy_distances", Rows(exec, static_cast<int>(n + 1), Kokkos::AUTO),
      KOKKOS_LAMBDA(const typename Rows::member_type& team) {
        const std::int64_t i = team.league_rank();
        Kokkos::parallel_for(Kokkos::TeamVectorRange(team, n + 1), [&](std::int64_t j) {
          more(i, j) = i == n ? from_new(j) : j == n ? to_new(i) : d(i, j);
        });
      });
  detail::take_detours<T>(exec, more, to_new, from_new);
  return more;
}

}  // namespace blockfw
