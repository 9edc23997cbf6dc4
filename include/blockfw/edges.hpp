// SPDX-License-Identifier: MIT
/// \file
/// \brief Edge lists, and the functions that fill the solver's matrix from one.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/copies.hpp"
#include "blockfw/detail/launch.hpp"
#include "blockfw/error.hpp"
#include "blockfw/matrix.hpp"
#include "blockfw/semiring.hpp"
#include "blockfw/weights.hpp"

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <concepts>
#include <cstdint>
#include <ranges>
#include <string>
#include <type_traits>

namespace blockfw {

/// \brief An edge from → to of some length; vertices count from 0.
///
/// Edge<std::int32_t> is three 32-bit words without padding, as in a binary edge list
/// (io/binary_edges.hpp).
template <class T>
struct Edge {
  static_assert(bool(Distance<T>), "blockfw: the weight of an edge must be int16_t, int32_t, int64_t, float or double");
  std::int32_t from,  ///< the vertex where the edge begins
      to;             ///< the vertex where it ends
  T weight;           ///< its length, or its weight in another semiring
};

/// Thrown for an edge that names a vertex outside the graph, or whose weight is NaN or another that is refused.
struct InvalidEdge : InvalidInput {
  /// \param index   index of the edge in the list, 0-based
  /// \param reason  what is wrong with it, for what()
  InvalidEdge(std::int64_t index, const std::string& reason)
      : InvalidInput("edge " + std::to_string(index) + ": " + reason), edge(index) {}

  std::int64_t edge;  ///< index in the list, 0-based
};

namespace detail {

/// Whether both vertices are in [0, n).
template <Distance W>
KOKKOS_FORCEINLINE_FUNCTION bool has_vertices(const Edge<W>& edge, std::int64_t n) {
  return edge.from >= 0 && edge.from < n && edge.to >= 0 && edge.to < n;
}

/// Whether both vertices are in [0, n), and the weight is one that the semiring takes.
template <Semiring S, Distance W>
KOKKOS_FORCEINLINE_FUNCTION bool is_valid(const Edge<W>& edge, std::int64_t n) {
  return has_vertices(edge, n) && is_weight<S>(static_cast<typename S::value_type>(edge.weight));
}

/// Whether a valid edge can change a result: one of weight zero() cannot, and a self loop only if its cycle diverges.
/// (An integer as far as infinity counts: it is a length that does not fit.)
template <Semiring S, Distance W>
KOKKOS_FORCEINLINE_FUNCTION bool matters(const Edge<W>& edge) {
  using T = typename S::value_type;
  const T weight = static_cast<T>(edge.weight);
  return (std::is_integral_v<T> || weight != S::zero()) && (edge.from != edge.to || S::diverges(weight));
}

template <class E>
concept OneEdge =
    requires { E::weight; } && Distance<decltype(E::weight)> && std::derived_from<E, Edge<decltype(E::weight)>>;

/// A rank-1 view of edges.
template <class Edges>
concept EdgeView = Kokkos::is_view_v<Edges> && (Edges::rank() == 1) && OneEdge<typename Edges::non_const_value_type>;

/// A contiguous container of edges on the host.
template <class Edges>
concept EdgeRange =
    !Kokkos::is_view_v<Edges> && std::ranges::contiguous_range<Edges> && OneEdge<std::ranges::range_value_t<Edges>>;

/// Whether a type is an Edge, of weights of any type: what is wrong with its weight, Edge says itself.
template <class E>
inline constexpr bool is_edge = false;
template <class W>
inline constexpr bool is_edge<Edge<W>> = true;

/// \brief Says why something is no list of edges. Calls that take edges have an overload for all else, which calls
/// this: so the compiler prints a sentence, and no list of functions that do not match.
template <class Edges>
constexpr void require_edges() {
  if constexpr (Kokkos::is_view_v<Edges>)
    static_assert(Edges::rank() == 1 && is_edge<typename Edges::non_const_value_type>,
                  "blockfw: a view of edges must be of rank 1, and its elements of type blockfw::Edge<W>, where W is "
                  "int16_t, int32_t, int64_t, float or double");
  else if constexpr (std::ranges::contiguous_range<Edges>)
    static_assert(is_edge<std::ranges::range_value_t<Edges>>,
                  "blockfw: the elements of a container of edges must be of type blockfw::Edge<W>, where W is int16_t, "
                  "int32_t, int64_t, float or double");
  else
    static_assert(
        bool(std::ranges::contiguous_range<Edges>),
        "blockfw: edges must be in a contiguous container (std::vector, std::array, std::span) or in a rank-1 "
        "view");
}

/// Whether every number of type W is one of type T.
template <class W, class T>
inline constexpr bool converts =
    std::is_integral_v<T> == std::is_integral_v<W> ? sizeof(W) <= sizeof(T)
                                                   : std::is_integral_v<W> && sizeof(W) < sizeof(T);

/// A view of the edges in a host container, which must outlive the view.
template <std::ranges::contiguous_range Edges>
auto view_of(const Edges& edges) {
  using E = std::ranges::range_value_t<Edges>;
  return Kokkos::View<const E*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(std::ranges::data(edges),
                                                                                            std::ranges::size(edges));
}

/// On the host, prefetches the cache line of d(i, j), if that is an entry: edges come in random order, and so do the
/// accesses to memory.
template <class View>
KOKKOS_FORCEINLINE_FUNCTION void prefetch_entry([[maybe_unused]] const View& d, [[maybe_unused]] std::int64_t i,
                                                [[maybe_unused]] std::int64_t j) {
  KOKKOS_IF_ON_HOST((const auto n = static_cast<std::int64_t>(d.extent(0));
                     if (i >= 0 && i < n && j >= 0 && j < n) __builtin_prefetch(&d(i, j), 1);))
}

/// Like Kokkos::atomic_compare_exchange, which on a device locks 16-bit words, in memory of the first device only.
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

inline void require_vertex(std::int64_t vertex, std::int64_t n) {
  if (vertex < 0 || vertex >= n)
    throw InvalidInput("vertex " + std::to_string(vertex) + " is out of range, " +
                       (n > 0 ? "expected 0 to " + std::to_string(n - 1) : "the graph has no vertices"));
}

/// Throws the error of edges(index). The first edge has number `number` in the message.
template <Semiring S, class Edges>
[[noreturn]] void throw_invalid_edge(const Edges& edges, std::int64_t index, std::int64_t n, std::int64_t number = 0) {
  const auto one = Kokkos::subview(edges, Kokkos::pair(index, index + 1));
  const auto on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, one);
  const auto e = on_host(0);
  const std::int32_t ends[] = {e.from, e.to};
  for (const std::int32_t vertex : ends)
    if (vertex < 0 || vertex >= n)
      throw InvalidEdge(number + index,
                        "vertex " + std::to_string(vertex) + " is out of range, " +
                            (n > 0 ? "expected 0 to " + std::to_string(n - 1) : "the graph has no vertices"));
  throw InvalidEdge(number + index,
                    refused_weight<S>("the weight is ", static_cast<typename S::value_type>(e.weight), ""));
}

}  // namespace detail

/// \brief The edges in memory that exec can reach: the view itself, or a copy in the memory of exec, queued on exec.
///
/// \param exec   the instance that is to read the edges
/// \param edges  rank-1 view, which must exist until the copy is done
/// \throws OutOfMemory when the copy does not fit, before it is allocated
template <class ExecSpace, class Edges>
auto reachable_edges(const ExecSpace& exec, const Edges& edges) {
  if constexpr (can_reach<ExecSpace, Edges>) {
    return edges;
  } else {
    detail::require_memory(exec, std::to_string(edges.extent(0)) + " edges",
                           static_cast<double>(edges.extent(0)) * sizeof(typename Edges::value_type));
    const Kokkos::View<typename Edges::non_const_value_type*, typename ExecSpace::memory_space> there(
        Kokkos::view_alloc(exec, "blockfw::edges", Kokkos::WithoutInitializing), edges.extent(0));
    detail::copy_array(exec, there, edges);
    return there;
  }
}

/// \brief Fills the n x n matrix d: 0 on the diagonal, the lightest edge i → j at (i, j), infinity where there is none.
///
/// Parallel over the edges, in any order. Repeated edges keep the smallest weight, and a self loop counts only if it is
/// negative. A weight of infinity is no edge among floats, and among integers infinity<T> or more is an error
/// (OverflowRisk, by solve). Weights of another type W are converted to T. For other semirings the diagonal is one(),
/// the best edge is kept, zero() means no edge, and a self loop counts only if it diverges(). docs/weights.md has the
/// table.
///
/// \tparam Over  the semiring; if left out, shortest paths
/// \param exec   where to run; fenced, because the result is checked
/// \param d      square rank-2 view
/// \param edges  rank-1 view of Edge<W> in memory that exec can reach
/// \param direction  with undirected each edge counts in both directions
/// \return the range of the weights
/// \throws InvalidEdge for a vertex outside [0, n), or a weight that is NaN, of floats -infinity, or another that the
///         semiring does not accept; d is then unspecified
///
/// O(n² + edges); allocates no memory.
template <class Over = void, class ExecSpace, MatrixView View, class Edges>
WeightRange<typename View::non_const_value_type> fill_from_edges(const ExecSpace& exec, const View& d,
                                                                 const Edges& edges,
                                                                 Direction direction = Direction::directed) {
  using T = typename View::non_const_value_type;
  using S = semiring_of<Over, T>;
  using W = decltype(Edges::non_const_value_type::weight);
  require_reachable<ExecSpace, Edges>();
  static_assert(detail::converts<W, T>, "blockfw: the weights must convert to the distances' type without loss");
  const Kokkos::Profiling::ScopedRegion region("blockfw::fill_from_edges");
  matrix_ref<ExecSpace>(d);  // throws unless d is square

  const auto n = static_cast<std::int64_t>(d.extent(0)), count = static_cast<std::int64_t>(edges.extent(0));
  using Square = Kokkos::TeamPolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>;
  detail::for_teams(
      "blockfw::fill_infinity", Square(exec, static_cast<int>(n), Kokkos::AUTO),
      KOKKOS_LAMBDA(const typename Square::member_type& team) {
        const std::int64_t i = team.league_rank();
        Kokkos::parallel_for(Kokkos::TeamVectorRange(team, n),
                             [&](std::int64_t j) { d(i, j) = i == j ? S::one() : S::zero(); });
      });

  std::int64_t invalid = count;
  WeightRange<T> range;
  constexpr std::int64_t ahead = 32;  // in edges; enough that the entry is in a cache when it is needed
  const bool both_ways = direction == Direction::undirected;
  detail::reduce_range(
      "blockfw::scatter_edges", exec, 0, count,
      KOKKOS_LAMBDA(std::int64_t e, std::int64_t& first_invalid, T& smallest, T& largest, double& total) {
        const auto edge = edges(e);
        if (e + ahead < count) {
          const auto later = edges(e + ahead);
          detail::prefetch_entry(d, later.from, later.to);
        }
        if (!detail::is_valid<S>(edge, n)) {
          first_invalid = Kokkos::min(first_invalid, e);
          return;
        }
        if (!detail::matters<S>(edge)) return;
        const T weight = static_cast<T>(edge.weight);
        smallest = Kokkos::min(smallest, weight);
        largest = Kokkos::max(largest, weight);
        total += Kokkos::abs(static_cast<double>(weight));
        detail::atomic_improve<S>(&entry_at(d, edge.from, edge.to), weight);
        if (both_ways) detail::atomic_improve<S>(&entry_at(d, edge.to, edge.from), weight);
      },
      Kokkos::Min<std::int64_t>(invalid), Kokkos::Min<T>(range.smallest), Kokkos::Max<T>(range.largest),
      Kokkos::Sum<double>(range.total));
  if (invalid < count) detail::throw_invalid_edge<S>(edges, invalid, n);
  return range;
}

/// \brief The same for edges in a host container, of which a device gets a copy.
template <class Over = void, class ExecSpace, MatrixView View, std::ranges::contiguous_range Edges>
WeightRange<typename View::non_const_value_type> fill_from_edges(const ExecSpace& exec, const View& d,
                                                                 const Edges& edges,
                                                                 Direction direction = Direction::directed) {
  return fill_from_edges<Over>(exec, d, reachable_edges(exec, detail::view_of(edges)), direction);
}

}  // namespace blockfw

#if defined(BLOCKFW_COMPILED)
#include "blockfw/detail/compiled/edges.hpp"
#endif
