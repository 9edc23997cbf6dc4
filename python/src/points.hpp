// SPDX-License-Identifier: MIT
// Callers' numbers in the type of a network's distances, and points beside a network.
#pragma once

#include "arrays.hpp"
#include "conversion.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <blockfw/end_points.hpp>
#include <blockfw/ground/edge.hpp>
#include <blockfw/ground/error.hpp>
#include <blockfw/ground/semiring.hpp>
#include <blockfw/ground/weights.hpp>
#include <blockfw/turns.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace bindings {

using Vertices = ConstArray<std::int32_t>;
using Mask = std::optional<ConstArray<bool>>;

/// An array's numbers.
template <class E>
std::span<const E> list_of(const ConstArray<E>& array) {
  return {array.data(), array.shape(0)};
}

/// The names of a list's items and of their numbers, for errors.
struct Named {
  const char *item, *number;
};

/// \brief A number of a caller's in the type of the distances: a weight of an edge, or a length.
///
/// A closed edge has the weight infinity<T>. The caller passes an infinite float, infinity<T> itself, or a masked
/// number.
/// \param index  of the item
/// \param place  the words for its place
template <class T, class W, class Place>
T number_in(W number, std::size_t index, const Place& place, const Named& named) {
  if (is_no_edge<double>(number, NoEdge{})) return blockfw::infinity<T>;
  if constexpr (std::is_integral_v<T> && std::is_integral_v<W>)
    if (std::cmp_equal(number, blockfw::infinity<T>)) return blockfw::infinity<T>;
  const auto item = [&] { return named.item + (" " + std::to_string(index)) + ": "; };
  if (!fits<T>(number)) throw blockfw::InvalidInput(item() + misfit<T>(number, place(index), named.number));
  if constexpr (std::is_integral_v<T>)
    if (is_far<T>(number)) throw blockfw::OverflowRisk(item() + too_far<T>(number, place(index), named.number));
  return static_cast<T>(number);
}

/// \brief The numbers of `count` items.
/// \param otherwise  the numbers without an array
template <class T, class Place>
std::vector<T> numbers_in(std::size_t count, const std::optional<AnyArray>& numbers, const Mask& mask,
                          const Place& place, const Named& named, T otherwise) {
  std::vector<T> held(count, otherwise);
  if (numbers)
    with_type_of(*numbers, [&](auto w) {
      const auto* const given = static_cast<const decltype(w)*>(numbers->data());
      const std::int64_t step = numbers->stride(0);
      for (std::size_t i = 0; i < count; ++i)
        if (!mask || !mask->data()[i])
          held[i] = number_in<T>(given[static_cast<std::int64_t>(i) * step], i, place, named);
    });
  for (std::size_t i = 0; mask && i < count; ++i)
    if (mask->data()[i]) held[i] = blockfw::infinity<T>;
  return held;
}

/// The position of a fraction of an edge. For integers it must be a whole number, except for the rounding of the
/// fraction, such as 1 - 0.7.
template <class T>
T position_of(double fraction, T weight, std::size_t place, std::int32_t edge) {
  const std::string item = "place " + std::to_string(place) + ": ";
  if (!(fraction >= 0 && fraction <= 1))
    throw blockfw::InvalidInput(item + "the fraction is " + digits_of(fraction) + ", expected 0 to 1");
  if (weight == blockfw::infinity<T> || fraction == 0) return 0;  // (closed, at no place)
  if (fraction == 1) return weight;
  const double length = static_cast<double>(weight), position = fraction * length;
  if constexpr (std::is_integral_v<T>) {
    const double whole = std::rint(position);
    if (blockfw::detail::magnitude(weight) >= std::uint64_t{1} << 53)
      throw blockfw::InvalidInput(item + "the weight " + std::to_string(weight) + " of edge " + std::to_string(edge) +
                                  " is 2^53 or more, too large for a fraction; pass at= a whole number");
    const double rounding = std::min(std::abs(length) * 0x1p-51, 0.001);
    if (std::abs(position - whole) > rounding)
      throw blockfw::InvalidInput(item + digits_of(fraction) + " of the weight " + std::to_string(weight) +
                                  " of edge " + std::to_string(edge) + " is no whole number, as distances of " +
                                  numpy_name<T>() + " are; pass at= a whole number, or make the network in float64");
    return static_cast<T>(whole);
  } else {
    return static_cast<T>(position);
  }
}

/// Points beside a network in one type.
template <class T>
class PointsOf {
  using S = blockfw::MinPlus<T>;

 public:
  explicit PointsOf(blockfw::EndPoints<S> points) : from_(std::move(points)) {}
  explicit PointsOf(blockfw::PlacesOnEdges<S> places) : from_(std::move(places.from)), to_(std::move(places.to)) {}

  /// The legs (point[i], vertex[i]) with their lengths; without lengths each leg has length 0.
  static std::vector<blockfw::Leg<T>> legs_of(const Vertices& point, const Vertices& vertex,
                                              const std::optional<AnyArray>& lengths, const Mask& mask) {
    const auto points = list_of(point), vertices = list_of(vertex);
    const auto place = [&](std::size_t i) { return "of point " + std::to_string(points[i]); };
    const auto held = numbers_in<T>(points.size(), lengths, mask, place, {"leg", "length"}, T(0));
    std::vector<blockfw::Leg<T>> legs;
    legs.reserve(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) legs.push_back({points[i], vertices[i], held[i]});
    return legs;
  }

  /// The second lengths of legs, if there are any.
  static std::span<const double> second_of(const std::optional<ConstArray<double>>& second) {
    return second ? list_of(*second) : std::span<const double>();
  }

  /// Points on edges, at fractions of the edges or at positions.
  template <class Network>
  static PointsOf on_edges(const Network& network, std::int64_t count, const Vertices& point, const Vertices& edge,
                           const std::optional<ConstArray<double>>& fractions, const std::optional<AnyArray>& at) {
    const auto points = list_of(point), indices = list_of(edge);
    const auto place = [&](std::size_t i) { return "of point " + std::to_string(points[i]); };
    auto positions = numbers_in<T>(points.size(), at, {}, place, {"place", "position"}, T(0));
    const auto& edges = network.edges();
    for (std::size_t i = 0; fractions && i < points.size(); ++i)
      if (indices[i] >= 0 && std::cmp_less(indices[i], edges.size()))  // (others are refused below)
        positions[i] =
            position_of(fractions->data()[i], edges[static_cast<std::size_t>(indices[i])].weight, i, indices[i]);
    std::vector<blockfw::PlaceOnEdge<T>> places;
    places.reserve(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) places.push_back({points[i], indices[i], positions[i]});
    return PointsOf(blockfw::on_edges(network, count, places));  // (of a network, or of one of roads)
  }

  /// As sources, and as targets.
  const blockfw::EndPoints<S>& from() const { return from_; }
  const blockfw::EndPoints<S>& to() const { return to_ ? *to_ : from_; }
  std::size_t size() const { return static_cast<std::size_t>(from_.points()); }

 private:
  blockfw::EndPoints<S> from_;
  std::optional<blockfw::EndPoints<S>> to_;
};

}  // namespace bindings
