// SPDX-License-Identifier: MIT
/// \file
/// \brief The matrix that distances are solved in, and its memory.
#pragma once

#include "blockfw/detail/backend/backend.hpp"
#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/kernel/rounds.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace blockfw {

/// An n x n matrix of distances in the memory of a space: d(i, j) from i to j, infinity<T> without a path.
template <class T, class Space = Kokkos::DefaultExecutionSpace>
using DistanceMatrix = Kokkos::View<T**, Kokkos::LayoutRight, typename Space::memory_space>;

namespace detail {

/// \brief Checks that the distances of n vertices can be had.
/// \throws InvalidInput for n < 0; OutOfMemory
template <Element T, class ExecSpace>
void require_distances(const ExecSpace& exec, std::int64_t n, double besides = 0) {
  if (n < 0) throw InvalidInput("the number of vertices is " + std::to_string(n) + ", expected 0 or more");
  const double length = static_cast<double>(n);
  require_memory(exec, "the distances of " + std::to_string(n) + " vertices", length * length * sizeof(T), besides);
}

/// \brief Says that a matrix of weights has rank 2. \return nothing; for calls that are refused at compile time
template <class View>
DistanceMatrix<std::int32_t> refused_matrix() {
  static_assert(View::rank() == 2, "blockfw: a matrix of weights must be a view of rank 2");
  return {};
}

/// \brief Says that a number of vertices must be whole.
template <class N>
DistanceMatrix<std::int32_t> refused_number() {
  static_assert(std::is_integral_v<N>, "blockfw: the number of vertices must be an integer");
  return {};
}

}  // namespace detail

/// \brief Memory for the distances of n vertices, not yet filled.
/// \throws InvalidInput for n < 0; OutOfMemory when it does not fit, before it is allocated
template <Element T, class ExecSpace>
DistanceMatrix<T, ExecSpace> allocate_distances(const ExecSpace& exec, std::int64_t n) {
  detail::require_distances<T>(exec, n, n < 0 ? 0 : detail::workspace_bytes<T>(exec, n));
  const auto order = static_cast<std::size_t>(n);
  const DistanceMatrix<T, ExecSpace> d(Kokkos::view_alloc(exec, "blockfw::distances", Kokkos::WithoutInitializing),
                                       order, order);
  if constexpr (is_host_space<ExecSpace>) detail::prefer_large_pages(d.data(), d.size() * sizeof(T));
  return d;
}

}  // namespace blockfw
