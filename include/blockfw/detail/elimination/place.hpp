// SPDX-License-Identifier: MIT
/// \file
/// \brief The place of a factor: the contract between questions about a network and the class that holds its numbers.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/elimination/factor.hpp"
#include "blockfw/detail/graph/supernodes.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace blockfw::detail {

template <Semiring, class>
class HostSweeps;
template <Semiring, class>
class DeviceSweeps;

/// The place of a factor where ExecSpace works.
template <Semiring S, class ExecSpace>
using place_for = std::conditional_t<is_host_space<ExecSpace>, HostSweeps<S, ExecSpace>, DeviceSweeps<S, ExecSpace>>;

/// \brief Identifies the edges and the weights of a network. Copies of a network, and its factors at other places, have
/// the same identity. An identity owns nothing, and no object that is made later gets the same identity.
using Identity = std::weak_ptr<const void>;
inline bool is_same(const Identity& a, const Identity& b) { return !a.owner_before(b) && !b.owner_before(a); }

/// Rows of distances where ExecSpace works.
template <class T, class ExecSpace>
using RowsOf = Kokkos::View<T**, Kokkos::LayoutRight, typename ExecSpace::memory_space>;

/// \brief A factor's numbers where an execution space works, and the loops over them. Copies share the numbers.
///
/// Vertices are numbers of the order of elimination, in any order; a number may occur twice. Every answer marks the
/// distances without a path, and the distance of a vertex to itself where sums round. A lack of memory throws
/// OutOfMemory before the memory is taken.
template <class P>
concept FactorPlace = requires(const P place, const std::vector<std::int32_t> numbers,
                               const RowsOf<typename P::T, typename P::Space> rows, typename P::T* distances,
                               void (*f)(std::size_t, decltype(rows))) {
  // Whether questions about few vertices search the tree. If not, they read all distances.
  { P::searches } -> std::convertible_to<bool>;
  // The instance, the structure and the weights' range.
  { place.exec() } -> std::convertible_to<typename P::Space>;
  { place.structure() } -> std::same_as<const Elimination&>;
  { place.range() } -> std::same_as<WeightRange<typename P::T>>;
  { place.is_symmetric() } -> std::same_as<bool>;
  // The numbers and the labels in a host's memory.
  place.on_host();
  // Rows to all vertices, and rows of a table with this number of columns, that are made efficiently together.
  { place.rows_at_once() } -> std::same_as<std::size_t>;
  { place.rows_of_table(std::size_t{1}) } -> std::same_as<std::size_t>;
  // The distances from some vertices to all, and from some to some.
  place.rows_from(numbers, rows);
  place.table(numbers, numbers, rows);
  // f(first, rows) for blocks of rows of a table.
  place.for_rows_of_table(numbers, numbers, std::size_t{1}, f);
  // A distance for each pair, in a host's memory.
  place.pairs(numbers, numbers, distances);
};

/// \brief Calls f(place) with the place that answers a question of some rows and columns.
template <FactorPlace Place, class F>
auto answered_by(const Place& place, std::size_t, std::size_t, const F& f) {
  return f(place);
}

/// \brief Checks a matrix for distances.
/// \throws InvalidInput for another shape
template <class Rows>
void require_shape(const Rows& d, std::size_t rows, std::size_t columns) {
  if (d.extent(0) != rows || d.extent(1) != columns)
    throw InvalidInput("the matrix '" + d.label() + "' has " + std::to_string(d.extent(0)) + " rows and " +
                       std::to_string(d.extent(1)) + " columns, expected " + std::to_string(rows) + " and " +
                       std::to_string(columns));
}

/// \brief Checks the lists of pairs.
/// \throws InvalidInput for lists of different lengths
inline void require_pairs(std::size_t sources, std::size_t targets) {
  if (sources != targets)
    throw InvalidInput("there are " + std::to_string(sources) + " sources and " + std::to_string(targets) +
                       " targets, expected as many of each");
}

/// Asks for large pages for a large result on a host that nothing has probably touched yet. (The memory of smaller
/// arrays is mostly used again.)
template <class View>
View in_large_pages(const View& result) {
  constexpr std::size_t large = std::size_t{4} << 20;
  if constexpr (std::is_same_v<typename View::memory_space, Kokkos::HostSpace>)
    if (const std::size_t bytes = result.size() * sizeof(*result.data()); bytes >= large)
      prefer_large_pages(result.data(), bytes);
  return result;
}

/// \brief Allocates rows of distances.
/// \throws OutOfMemory when they do not fit, before they are allocated
template <class T, class ExecSpace>
RowsOf<T, ExecSpace> allocate_rows(const ExecSpace& exec, std::size_t rows, std::size_t columns) {
  require_memory(exec, "a table of " + std::to_string(rows) + " x " + std::to_string(columns) + " distances",
                 static_cast<double>(rows) * static_cast<double>(columns) * sizeof(T));
  return in_large_pages(
      RowsOf<T, ExecSpace>(Kokkos::view_alloc(exec, "blockfw::distances", Kokkos::WithoutInitializing), rows, columns));
}

/// \brief Calls make(first, rows) and then f(first, rows) for blocks of rows of distances, in order.
/// \param count, columns  rows of all blocks, and columns
/// \param most            rows of a block
/// \throws OutOfMemory; any exception of make and f
template <class T, class ExecSpace, class Make, class F>
void for_blocks(const ExecSpace& exec, std::size_t count, std::size_t columns, std::size_t most, const Make& make,
                const F& f) {
  if (count == 0) return;
  const auto block = allocate_rows<T>(exec, std::min(most, count), columns);
  for (std::size_t first = 0; first < count; first += most) {
    const RowsOf<T, ExecSpace> rows =
        Kokkos::subview(block, Kokkos::pair<std::size_t, std::size_t>(0, std::min(most, count - first)), Kokkos::ALL);
    make(first, rows);
    f(first, rows);
  }
}

/// \brief Calls f(first, rows) for blocks of rows of a table, in order; each is a table of its own.
/// \param most  rows of a block
/// \throws OutOfMemory; any exception of f
template <class Place, class F>
void blocks_of_table(const Place& place, std::span<const std::int32_t> sources, std::span<const std::int32_t> targets,
                     std::size_t most, const F& f) {
  const auto make = [&](std::size_t first, const auto& rows) {
    place.table(sources.subspan(first, rows.extent(0)), targets, rows);
  };
  for_blocks<typename Place::T>(place.exec(), sources.size(), targets.size(), most, make, f);
}

/// \brief Calls f(first, rows) for blocks of rows from some vertices to all, in order.
/// \param most  rows of a block
/// \throws OutOfMemory; any exception of f
template <FactorPlace Place, class F>
void for_rows_from(const Place& place, std::span<const std::int32_t> numbers, std::size_t most, const F& f) {
  const auto make = [&](std::size_t first, const auto& rows) {
    place.rows_from(numbers.subspan(first, rows.extent(0)), rows);
  };
  for_blocks<typename Place::T>(place.exec(), numbers.size(), place.structure().order.size(), most, make, f);
}

}  // namespace blockfw::detail
