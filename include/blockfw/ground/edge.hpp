// SPDX-License-Identifier: MIT
/// \file
/// \brief An edge, and lists of edges.
#pragma once

#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <concepts>
#include <cstdint>
#include <ranges>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace blockfw {

/// \brief An edge from → to of some length; vertices count from 0.
///
/// Edge<std::int32_t> is three 32-bit words without padding, as in a binary edge list
/// (io/binary_edges.hpp).
template <class T>
struct Edge {
  static_assert(bool(Distance<T>),
                "blockfw: the weight of an edge must be int16_t, int32_t, int64_t, float or double (write std::int64_t "
                "for long long)");
  std::int32_t from,  ///< the vertex where the edge begins
      to;             ///< the vertex where it ends
  T weight;           ///< its length, or its weight in another semiring
};

/// Thrown for an edge that names a vertex outside the graph, or whose weight is refused, such as NaN.
struct InvalidEdge : InvalidInput {
  /// \param index   index of the edge in the list, 0-based
  /// \param reason  the error in the edge, for what()
  InvalidEdge(std::int64_t index, const std::string& reason)
      : InvalidInput("edge " + std::to_string(index) + ": " + reason), edge(index) {}
  /// \brief For an edge in one of several lists, or with one of several weights.
  /// \param where  the begin of the sentence
  /// \param error  in the edge
  InvalidEdge(const std::string& where, const InvalidEdge& error)
      : InvalidInput(where + error.what()), edge(error.edge) {}

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

/// Whether a valid edge can change a result. An edge of weight zero() cannot, and a self loop can only if its cycle
/// diverges. (An integer weight at or beyond infinity counts, too: it is a length that does not fit.)
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

/// Whether a type is an Edge, of weights of any type. If the type of its weight is wrong, Edge says so itself.
template <class E>
inline constexpr bool is_edge = false;
template <class W>
inline constexpr bool is_edge<Edge<W>> = true;

/// \brief Says why something is no list of edges. Calls that take edges have an overload for all other arguments, which
/// calls this function. So the compiler prints a sentence, and no list of functions that do not match.
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

/// A view of edges itself.
template <EdgeView Edges>
const Edges& view_of(const Edges& edges) {
  return edges;
}
/// A view of the edges in a host container, which must outlive the view.
template <std::ranges::contiguous_range Edges>
auto view_of(const Edges& edges) {
  using E = std::ranges::range_value_t<Edges>;
  return UnmanagedView<const E*, Kokkos::HostSpace>(std::ranges::data(edges), std::ranges::size(edges));
}

/// The type of the weights of a container or a view of edges.
template <class Edges>
using WeightOf =
    decltype(std::remove_cvref_t<decltype(view_of(std::declval<const Edges&>()))>::non_const_value_type::weight);

/// \brief The sentence about an index that is out of range.
/// \param what   the thing that has the index
/// \param count  the number of these things
/// \param none   the words for none
inline std::string out_of_range(const std::string& what, std::int64_t index, std::int64_t count,
                                const std::string& none) {
  return what + " " + std::to_string(index) + " is out of range, " +
         (count > 0 ? "expected 0 to " + std::to_string(count - 1) : none);
}
/// The same about a vertex of a graph with n vertices.
inline std::string vertex_out_of_range(std::int64_t vertex, std::int64_t n) {
  return out_of_range("vertex", vertex, n, "the graph has no vertices");
}

inline void require_vertex(std::int64_t vertex, std::int64_t n) {
  if (vertex < 0 || vertex >= n) throw InvalidInput(vertex_out_of_range(vertex, n));
}

/// \brief A caller's list of vertices of a graph with n vertices.
/// \throws InvalidInput for a vertex out of range
template <class List>
std::vector<std::int32_t> checked_vertices(const List& list, std::int64_t n) {
  std::vector<std::int32_t> vertices;
  vertices.reserve(std::ranges::size(list));
  for (const auto vertex : list) {
    require_vertex(static_cast<std::int64_t>(vertex), n);
    vertices.push_back(static_cast<std::int32_t>(vertex));
  }
  return vertices;
}

}  // namespace detail

/// Edges as calls take them: a contiguous container on the host, or a rank-1 view.
template <class Edges>
concept EdgeList = detail::EdgeView<Edges> || detail::EdgeRange<Edges>;

}  // namespace blockfw
