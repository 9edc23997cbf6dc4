// SPDX-License-Identifier: MIT
/// \file
/// \brief Edges as entries of a matrix, and in memory that an instance can reach.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/detail/matrices/copies.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>
#include <type_traits>

namespace blockfw {

namespace detail {

/// On the host, prefetches the cache line of d(i, j), if that is an entry: edges come in random order, and so do the
/// accesses to memory.
template <class View>
KOKKOS_FORCEINLINE_FUNCTION void prefetch_entry([[maybe_unused]] const View& d, [[maybe_unused]] std::int64_t i,
                                                [[maybe_unused]] std::int64_t j) {
  KOKKOS_IF_ON_HOST(
      (const auto n = extent_along(d, 0); if (i >= 0 && i < n && j >= 0 && j < n) __builtin_prefetch(&d(i, j));))
}

/// Like Kokkos::atomic_compare_exchange. On a device that function locks 16-bit words, in memory of the first device
/// only.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T compare_exchange(T* at, T seen, T wanted) {
  if constexpr (sizeof(T) == 2) {
    KOKKOS_IF_ON_DEVICE((const auto place = reinterpret_cast<std::uintptr_t>(at);
                         auto* const word = reinterpret_cast<std::uint32_t*>(place & ~std::uintptr_t(3));
                         const int shift = place % 4 == 0 ? 0 : 16; std::uint32_t both = *word;
                         while (static_cast<T>(both >> shift) == seen) {
                           const std::uint32_t half = static_cast<std::uint16_t>(wanted);
                           const std::uint32_t next = (both & (0xffff0000u >> shift)) | half << shift;
                           const std::uint32_t found = Kokkos::atomic_compare_exchange(word, both, next);
                           if (found == both) return seen;
                           both = found;
                         } return static_cast<T>(both >> shift);))
    KOKKOS_IF_ON_HOST((return Kokkos::atomic_compare_exchange(at, seen, wanted);))
  } else {
    return Kokkos::atomic_compare_exchange(at, seen, wanted);
  }
}

/// Sets *at to the better of *at and value, atomically.
template <Semiring S, class T = typename S::value_type>
KOKKOS_FORCEINLINE_FUNCTION void atomic_improve(T* at, T value) {
  if constexpr (std::is_same_v<S, MinPlus<T>> && sizeof(T) > 2) {
    Kokkos::atomic_min(at, value);
  } else {
    for (T seen = *at;;) {
      const T better = S::relax(seen, value, S::one());
      if (better == seen) return;
      const T found = compare_exchange(at, seen, better);
      if (found == seen) return;
      seen = found;
    }
  }
}

/// Throws the error of edges(index). The first edge has number `number` in the message.
template <Semiring S, class Edges>
[[noreturn]] void throw_invalid_edge(const Edges& edges, std::int64_t index, std::int64_t n, std::int64_t number = 0) {
  const auto one = Kokkos::subview(edges, Kokkos::pair(index, index + 1));
  const auto on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, one);
  const auto e = on_host(0);
  const std::int32_t ends[] = {e.from, e.to};
  for (const std::int32_t vertex : ends)
    if (vertex < 0 || vertex >= n) throw InvalidEdge(number + index, vertex_out_of_range(vertex, n));
  throw InvalidEdge(number + index,
                    refused_weight<S>("the weight is ", static_cast<typename S::value_type>(e.weight), ""));
}

/// \throws InvalidEdge for a changed edge that the network does not have
template <class T>
[[noreturn]] void throw_no_edge(std::int64_t number, const Edge<T>& edge) {
  throw InvalidEdge(number, "from " + std::to_string(edge.from) + " to " + std::to_string(edge.to) +
                                ", expected one of the network's edges");
}

/// \brief Checks edges, and calls f(e, edge) for each edge e that matters. Fences exec.
/// \tparam Ranged  whether to find the range of the weights
/// \param edges  rank-1 view that exec can reach
/// \param first  the number of edges(0), for the error of an invalid edge
/// \return the range of the weights as numbers of S, if Ranged; otherwise an empty range
/// \throws InvalidEdge for a vertex out of range, or a weight that the semiring does not take
template <Semiring S, bool Ranged = true, class ExecSpace, class Edges, class F, class T = typename S::value_type>
WeightRange<T> for_checked_edges(const char* label, const ExecSpace& exec, const Edges& edges, std::int64_t n,
                                 std::int64_t first, const F& f) {
  const auto count = extent_along(edges, 0);
  std::int64_t invalid = count;
  WeightRange<T> range;
  reduce_range(
      label, exec, 0, count,
      KOKKOS_LAMBDA(std::int64_t e, std::int64_t& first_invalid, T& smallest, T& largest, double& total) {
        const auto edge = edges(e);
        if (!is_valid<S>(edge, n)) {
          first_invalid = Kokkos::min(first_invalid, e);
          return;
        }
        if (!matters<S>(edge)) return;
        if constexpr (Ranged) {
          const T weight = static_cast<T>(edge.weight);
          smallest = Kokkos::min(smallest, weight);
          largest = Kokkos::max(largest, weight);
          total += Kokkos::abs(static_cast<double>(weight));
        }
        f(e, edge);
      },
      Kokkos::Min<std::int64_t>(invalid), Kokkos::Min<T>(range.smallest), Kokkos::Max<T>(range.largest),
      Kokkos::Sum<double>(range.total));
  if (invalid < count) throw_invalid_edge<S>(edges, invalid, n, first);
  return range;
}

/// \brief Fills a part of the matrix: weights at the places of `entries`, zero() elsewhere. Queued on exec.
/// \param entries  rank-1 view that exec can reach. A repeated place keeps the best weight. Lengths are cut off at the
///                 infinity of the matrix's type.
template <Semiring S, class ExecSpace, MatrixView View, class Entries>
void fill_part(const ExecSpace& exec, const View& d, const Entries& entries) {
  using T = typename View::non_const_value_type;
  fill_matrix(exec, d, S::zero());
  for_range(
      "blockfw::scatter_edges", exec, 0, entries.extent(0), KOKKOS_LAMBDA(std::int64_t e) {
        const auto entry = entries(e);
        constexpr bool cut_off = std::is_integral_v<T> && std::is_same_v<S, MinPlus<T>>;
        const T weight = cut_off && !(entry.weight < infinity<T>) ? infinity<T> : static_cast<T>(entry.weight);
        atomic_improve<S>(&entry_at(d, entry.from, entry.to), weight);
      });
}

/// \brief Sets each diagonal entry to one() unless it is better. For distances: to 0 unless it is negative. Queued on
/// exec.
/// \param d      some rows of the matrix
/// \param first  the vertex of its first row
template <Semiring S, class ExecSpace, MatrixView View>
void lower_diagonal(const ExecSpace& exec, const View& d, std::int64_t first) {
  for_range(
      "blockfw::diagonal", exec, 0, d.extent(0),
      KOKKOS_LAMBDA(std::int64_t i) { d(i, first + i) = S::relax(S::one(), d(i, first + i), S::one()); });
}

}  // namespace detail

/// \brief The edges in memory that exec can reach: the view itself, or a copy in the memory of exec, queued on exec.
///
/// \param exec   the instance that is to read the edges
/// \param list   rank-1 view, or host container, which must exist until the copy is done
/// \throws OutOfMemory when the copy does not fit, before it is allocated
template <class ExecSpace, class List>
auto reachable_edges(const ExecSpace& exec, const List& list) {
  if constexpr (!Kokkos::is_view_v<List>) {
    return reachable_edges(exec, detail::view_of(list));
  } else if constexpr (can_reach<ExecSpace, List>) {
    return list;
  } else {
    detail::require_memory(exec, std::to_string(list.extent(0)) + " edges",
                           static_cast<double>(list.extent(0)) * sizeof(typename List::value_type));
    using There = detail::Array<typename List::non_const_value_type, ExecSpace>;
    const auto there = detail::without_values<There>(exec, "blockfw::edges", list.extent(0));
    detail::copy_array(exec, there, list);
    return there;
  }
}

}  // namespace blockfw
