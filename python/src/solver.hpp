// SPDX-License-Identifier: MIT
// Semirings by name, and solves of a matrix in the host's memory by the instance that solves.
#pragma once

#include "arrays.hpp"
#include "runtime.hpp"
#include "semirings.hpp"

#include <blockfw/solve.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>

namespace bindings {

/// Calls f(S()) with the semiring of that name.
template <class T, class F>
void with_semiring(const std::string& name, const F& f) {
  using namespace blockfw;
  if (name == "min_plus") return f(MinPlus<T>());
  if (name == "max_plus") return f(MaxPlus<T>());
  if (name == "max_min") return f(MaxMin<T>());
  if (name == "min_max") return f(MinMax<T>());
  if constexpr (std::is_floating_point_v<T>)
    if (name == "max_times") return f(MaxTimes<T>());
  if (name == "max_times")
    throw nb::type_error((std::string("the semiring 'max_times' is not available in ") + type_name<T>() +
                          ", expected float32 or float64")
                             .c_str());
  throw nb::value_error(
      ("the semiring is '" + name + "', expected min_plus, max_plus, max_min, min_max or max_times").c_str());
}

/// A range of weights, passed through Python: the smallest weight, the largest weight, the sum of all magnitudes; None
/// without weights.
template <class T>
using Range = std::optional<std::tuple<T, T, double>>;

template <class T>
Range<T> to_python(const blockfw::WeightRange<T>& range) {
  if (range.empty()) return {};
  return std::tuple(range.smallest, range.largest, range.total);
}
template <class T>
blockfw::WeightRange<T> from_python(const Range<T>& range) {
  if (!range) return {.total = 0};
  return {std::get<0>(*range), std::get<1>(*range), std::get<2>(*range)};
}

inline blockfw::Direction direction_of(bool directed) {
  return directed ? blockfw::Direction::directed : blockfw::Direction::undirected;
}

/// Calls solve(exec, matrix) with the matrix in memory that `exec` works on: itself, or a copy on the device and back.
template <class T, class Solve>
void solve_where_it_lies(const Matrix<T>& d, bool read, const Solve& solve) {
  const auto exec = solver();
  const auto there = view_of(d);
  if constexpr (on_host) {
    solve(exec, there);
  } else {
    const auto copy = blockfw::allocate_distances<T>(exec, static_cast<std::int64_t>(there.extent(0)));
    if (read) Kokkos::deep_copy(exec, copy, there);
    solve(exec, copy);
    Kokkos::deep_copy(exec, there, copy);
    exec.fence("blockfw::copy_to_host");
  }
}

}  // namespace bindings
