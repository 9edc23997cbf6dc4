// SPDX-License-Identifier: MIT
// Many small graphs at once.
#include "arrays.hpp"
#include "rooms.hpp"
#include "runtime.hpp"

#include <blockfw/batch.hpp>
#include <blockfw/error.hpp>
#include <blockfw/weights.hpp>

#include <cmath>
#include <string>

namespace bindings {

namespace {

template <class T>
using Batch = nb::ndarray<T, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

/// Reads the matrices in place: what is as far as infinity is no edge, and a diagonal entry is 0 unless it is negative.
template <class T, class View>
blockfw::WeightRange<T> prepare(const View& d) {
  const auto graphs = static_cast<std::int64_t>(d.extent(0)), n = static_cast<std::int64_t>(d.extent(1));
  std::int64_t nan = graphs;
  blockfw::WeightRange<T> range;
  Kokkos::parallel_reduce(
      "blockfw::prepare_batch", Kokkos::RangePolicy<Host>(host(), 0, graphs),
      [=](std::int64_t g, std::int64_t& first_nan, T& smallest, T& largest) {
        T* const graph = d.data() + g * n * n;
        for (std::int64_t i = 0; i < n; ++i)
          for (std::int64_t j = 0; j < n; ++j) {
            T& weight = graph[i * n + j];
            if (weight != weight) first_nan = std::min(first_nan, g);
            if (weight > blockfw::infinity<T>) weight = blockfw::infinity<T>;
            if (i == j && !(weight < T(0))) weight = T(0);
            if (weight == blockfw::infinity<T> || (i == j && weight == T(0))) continue;
            smallest = std::min(smallest, weight);
            largest = std::max(largest, weight);
          }
      },
      Kokkos::Min<std::int64_t>(nan), Kokkos::Min<T>(range.smallest), Kokkos::Max<T>(range.largest));
  if (nan < graphs)
    throw blockfw::InvalidInput("graph " + std::to_string(nan) +
                                " of the batch holds NaN, expected numbers or infinity");
  return range;
}

template <class T>
void solve_batch(const Batch<T>& batch) {
  const auto n = static_cast<std::int64_t>(batch.shape(1));
  const auto as_one = std::cbrt(static_cast<double>(batch.shape(0))) * static_cast<double>(n);
  const Turn turn(static_cast<std::int64_t>(as_one));
  const Kokkos::View<T***, Kokkos::LayoutRight, Kokkos::HostSpace> d(batch.data(), batch.shape(0), batch.shape(1),
                                                                     batch.shape(2));
  if (batch.shape(1) != batch.shape(2))
    throw blockfw::InvalidInput("the matrices of the batch have " + std::to_string(batch.shape(1)) + " rows and " +
                                std::to_string(batch.shape(2)) + " columns, expected square ones");
  const auto range = prepare<T>(d);
  blockfw::require_safe_sums(n, range);
  const auto exec = solver();
  const auto there = Kokkos::create_mirror_view_and_copy(typename Exec::memory_space(), d);
  blockfw::batched_floyd_warshall(exec, there);
  if (range.any_negative()) {
    for (const auto vertex : blockfw::find_negative_cycles(exec, there))
      if (vertex >= 0) throw blockfw::NegativeCycle(vertex);
    if constexpr (std::is_integral_v<T>) blockfw::mark_unreachable(exec, there, blockfw::longest_path(n, range));
  }
  exec.fence("blockfw::batch");
  Kokkos::deep_copy(d, there);
}

}  // namespace

void bind_batch(nb::module_& m) {
  for_each_type([&]<class T>() { m.def("solve_batch", &solve_batch<T>, nb::arg("batch").noconvert()); });
}

}  // namespace bindings
