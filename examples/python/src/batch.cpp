// SPDX-License-Identifier: MIT
// Many small graphs at once.
#include "arrays.hpp"
#include "conversion.hpp"
#include "rooms.hpp"
#include "runtime.hpp"

#include <blockfw/batch.hpp>
#include <blockfw/ground/error.hpp>
#include <blockfw/ground/weights.hpp>
#include <blockfw/solve.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

namespace bindings {

namespace {

template <class T>
using Batch = nb::ndarray<T, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

/// Reads the matrices in place.
template <class T, class View>
blockfw::WeightRange<T> prepare(const View& d) {
  const auto graphs = static_cast<std::int64_t>(d.extent(0)), n = static_cast<std::int64_t>(d.extent(1));
  std::int64_t refused = graphs * n * n;
  blockfw::WeightRange<T> range;
  Kokkos::parallel_reduce(
      "blockfw::prepare_batch", Kokkos::RangePolicy<Host>(host(), 0, graphs),
      [=](std::int64_t g, std::int64_t& first_refused, T& smallest, T& largest) {
        for (std::int64_t i = 0; i < n; ++i)
          for (std::int64_t j = 0; j < n; ++j)
            if (!read_in_place(d(g, i, j), i == j, smallest, largest))
              first_refused = std::min(first_refused, (g * n + i) * n + j);
      },
      Kokkos::Min<std::int64_t>(refused), Kokkos::Min<T>(range.smallest), Kokkos::Max<T>(range.largest));
  if (refused < graphs * n * n) {
    const std::int64_t g = refused / (n * n), i = refused / n % n, j = refused % n;
    throw blockfw::InvalidInput("graph " + std::to_string(g) + " of the batch holds " +
                                (d(g, i, j) < T(0) ? "-infinity" : "NaN") + " at (" + std::to_string(i) + ", " +
                                std::to_string(j) + "), expected a number or infinity");
  }
  return range;
}

/// Solves some graphs at a time, so that Ctrl-C is seen between them.
template <class View>
void solve_with_signals(const Exec& exec, const View& d) {
  constexpr double relaxes = on_host ? 4e9 : 1e12;  // (a tenth of a second, about)
  const auto n = static_cast<double>(d.extent(1));
  const std::size_t graphs = d.extent(0);
  const auto at_once = static_cast<std::size_t>(std::clamp(relaxes / (n * n * n), 1., 1e9));
  for (std::size_t first = 0; first < graphs; first += at_once) {
    const auto last = std::min(graphs, first + at_once);
    blockfw::batched_floyd_warshall(exec, Kokkos::subview(d, Kokkos::pair(first, last), Kokkos::ALL, Kokkos::ALL));
    exec.fence("blockfw::batch");
    check_signals();
  }
}

/// Solves the graphs of a batch once more of whose cycles one is negative as it is computed, and was not if it is of
/// length zero but for rounding.
/// \param weights  as the graphs were
/// \throws NegativeCycle
template <class View, class Weights, class T = typename View::non_const_value_type>
void solve_cancelling(const Exec& exec, const View& there, const std::vector<std::int64_t>& cycles,
                      const Weights& weights, const blockfw::WeightRange<T>& range) {
  for (std::size_t g = 0; g < cycles.size(); ++g) {
    if (cycles[g] < 0) continue;
    const auto one = blockfw::allocate_distances<T>(exec, static_cast<std::int64_t>(there.extent(1)));
    Kokkos::deep_copy(one, Kokkos::subview(weights, g, Kokkos::ALL, Kokkos::ALL));
    blockfw::solve_distances(exec, one, range);
    Kokkos::deep_copy(Kokkos::subview(there, g, Kokkos::ALL, Kokkos::ALL), one);
  }
}

template <class T>
void solve_batch(const Batch<T>& batch, bool strict_cycles) {
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
  const bool tolerant = std::is_floating_point_v<T> && range.any_negative() && !strict_cycles;
  if (tolerant) blockfw::detail::require_host_memory("a copy of the batch", static_cast<double>(d.size()) * sizeof(T));
  const Kokkos::View<T***, Kokkos::LayoutRight, Kokkos::HostSpace> weights(
      "blockfw::weights", tolerant ? d.extent(0) : 0, d.extent(1), d.extent(2));
  if (tolerant) Kokkos::deep_copy(weights, d);
  solve_with_signals(exec, there);
  if (range.any_negative()) {
    const auto cycles = blockfw::find_negative_cycles(exec, there);
    if constexpr (std::is_floating_point_v<T>)
      if (tolerant) solve_cancelling(exec, there, cycles, weights, range);
    if (!tolerant)
      for (const auto vertex : cycles)
        if (vertex >= 0) throw blockfw::NegativeCycle(vertex);
    if constexpr (std::is_integral_v<T>) blockfw::mark_unreachable(exec, there, blockfw::longest_path(n, range));
  }
  exec.fence("blockfw::batch");
  Kokkos::deep_copy(d, there);
}

}  // namespace

void bind_batch(nb::module_& m) {
  for_each_type([&]<class T>() {
    m.def("solve_batch", &solve_batch<T>, nb::arg("batch").noconvert(), nb::arg("strict_cycles"));
  });
}

}  // namespace bindings
