// SPDX-License-Identifier: MIT
// Matrices in the host's memory: solved by one instance, solved in other places, multiplied; a part each.
// python/CMakeLists.txt compiles the parts one by one.
#include "rooms.hpp"
#include "solver.hpp"

#ifndef BLOCKFW_IN_PART
#define BLOCKFW_IN_PART(number) 1
#endif

// Matrices of weights: read into the result's memory, and solved there.
#if BLOCKFW_IN_PART(1)
#include "conversion.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <blockfw/ground/error.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace bindings {

namespace {

/// How entries are read.
template <class T>
struct Reading {
  T none, one;          ///< no path, and the diagonal
  bool zeros, ones;     ///< whether 0 is no edge; whether every edge has weight 1
  bool negative_loops;  ///< whether a negative diagonal entry is kept
  NoEdge no_edge;       ///< which other numbers are no edge
  bool infinite;        ///< whether an edge may be infinitely wide
};

/// The findings of one thread.
template <class T>
struct Seen {
  std::int64_t misfit = -1;  ///< the first entry that does not fit
  blockfw::WeightRange<T> range{.total = 0};
};

/// Entries of W by rows or columns; `step` from one row to the next.
template <class W>
struct Entries {
  const W* data;
  const bool* mask;  ///< or null: true is no edge
  std::int64_t step, entry_step, mask_step, mask_entry_step;
};

/// Reads rows [first, last) of n columns.
template <bool Contiguous, bool Masked, class T, class W>
Seen<T> read_rows(const Entries<W>& from, T* to, std::int64_t n, std::int64_t first, std::int64_t last,
                  const Reading<T>& how) {
  T smallest = std::numeric_limits<T>::max(), largest = std::numeric_limits<T>::lowest();
  double total = 0;
  std::int64_t wrong = -1;
  const NoEdge no_edge = how.no_edge;
  const auto read = [&](std::int64_t i, std::int64_t j) {
    const W weight = from.data[i * from.step + (Contiguous ? j : j * from.entry_step)];
    bool none = is_no_edge<T>(weight, no_edge) | (how.zeros & (weight == W(0)));
    if constexpr (Masked) none |= from.mask[i * from.mask_step + j * from.mask_entry_step];
    const bool good = none | how.ones | (is_weight<T>(weight, how.infinite) && fits<T>(weight));
    if (!good & (wrong < 0)) wrong = i * n + j;
    const T edge = how.ones ? T(1) : good && !none ? static_cast<T>(weight) : T(0);
    to[i * n + j] = none ? how.none : edge;
    if (i == j) return;
    smallest = (!none & (edge < smallest)) ? edge : smallest;
    largest = (!none & (edge > largest)) ? edge : largest;
    total += none ? 0 : std::abs(static_cast<double>(edge));
  };
  if (std::abs(from.entry_step) > std::abs(from.step))  // column by column, in the order of the memory
    for (std::int64_t j = 0; j < n; ++j)
      for (std::int64_t i = first; i < last; ++i) read(i, j);
  else
    for (std::int64_t i = first; i < last; ++i)
      for (std::int64_t j = 0; j < n; ++j) read(i, j);
  for (std::int64_t i = first; i < last; ++i) {
    T& diagonal = to[i * n + i];
    const bool loop = how.negative_loops && diagonal != how.none && diagonal < T(0);
    if (!loop) diagonal = how.one;
    if (loop) smallest = std::min(smallest, diagonal), largest = std::max(largest, diagonal);
  }
  return {wrong, {smallest, largest, total}};
}

/// Gives both entries of a pair the better one of their weights.
template <class T>
void symmetrise(const Host& exec, T* d, std::int64_t n, bool least) {
  constexpr std::int64_t block = 32;
  const std::int64_t blocks = (n + block - 1) / block;
  Kokkos::parallel_for("blockfw::symmetrise",
                       Kokkos::RangePolicy<Host, Kokkos::Schedule<Kokkos::Dynamic>>(exec, 0, blocks),
                       [=](std::int64_t b) {
                         for (std::int64_t c = b; c < blocks; ++c)
                           for (std::int64_t i = b * block; i < std::min(n, (b + 1) * block); ++i)
                             for (std::int64_t j = std::max(i + 1, c * block); j < std::min(n, (c + 1) * block); ++j) {
                               T &there = d[i * n + j], &back = d[j * n + i];
                               there = back = least ? std::min(there, back) : std::max(there, back);
                             }
                       });
}

template <class T, class W>
Range<T> read_as(const Matrix<T>& d, const AnyArray& weights, const std::optional<AnyArray>& mask,
                 const Reading<T>& how, bool directed) {
  const auto n = static_cast<std::int64_t>(d.shape(0));
  Entries<W> from{static_cast<const W*>(weights.data()), nullptr, weights.stride(0), weights.stride(1), 0, 0};
  if (mask) {
    from.mask = static_cast<const bool*>(mask->data());
    from.mask_step = mask->stride(0), from.mask_entry_step = mask->stride(1);
  }
  T* const to = d.data();
  constexpr std::int64_t rows = 16;
  const std::int64_t tasks = (n + rows - 1) / rows;
  std::int64_t wrong = n * n;
  blockfw::WeightRange<T> range{.total = 0};
  {
    const Turn turn(n);
    Kokkos::parallel_reduce(
        "blockfw::read_matrix", Kokkos::RangePolicy<Host>(host(), 0, tasks),
        [=](std::int64_t task, std::int64_t& first_wrong, T& smallest, T& largest, double& total) {
          const std::int64_t first = task * rows, last = std::min(n, first + rows);
          const Seen<T> seen = from.mask != nullptr   ? read_rows<false, true>(from, to, n, first, last, how)
                               : from.entry_step == 1 ? read_rows<true, false>(from, to, n, first, last, how)
                                                      : read_rows<false, false>(from, to, n, first, last, how);
          if (seen.misfit >= 0) first_wrong = std::min(first_wrong, seen.misfit);
          smallest = std::min(smallest, seen.range.smallest);
          largest = std::max(largest, seen.range.largest);
          total += seen.range.total;
        },
        Kokkos::Min<std::int64_t>(wrong), Kokkos::Min<T>(range.smallest), Kokkos::Max<T>(range.largest),
        Kokkos::Sum<double>(range.total));
    if (!directed) symmetrise(host(), to, n, how.none > how.one);
  }
  if (wrong < n * n) {
    const std::int64_t i = wrong / n, j = wrong % n;
    const W weight = from.data[i * from.step + j * from.entry_step];
    const std::string place = "at (" + std::to_string(i) + ", " + std::to_string(j) + ")";
    if (!is_weight<T>(weight, how.infinite)) throw blockfw::InvalidInput(no_weight(weight, place, how.no_edge));
    throw blockfw::InvalidInput(misfit<T>(weight, place));
  }
  return to_python(range);
}

/// Fills d with the weights of a matrix as a solve takes them. d may be the matrix itself.
template <class T>
Range<T> read_matrix(const Matrix<T>& d, const AnyArray& weights, const std::optional<AnyArray>& mask,
                     const std::string& semiring, bool directed, bool zeros, bool ones, bool negative_loops,
                     bool as_scipy) {
  Reading<T> how{T(0), T(0), zeros, ones, negative_loops, {}, false};
  with_semiring<T>(semiring, [&]<class S>(S) {
    how.none = S::zero(), how.one = S::one();
    how.no_edge = NoEdge::of<S>(as_scipy);
    how.infinite = how.one == blockfw::infinity<T> || how.one == -blockfw::infinity<T>;
  });
  const auto range =
      with_type_of(weights, [&](auto w) { return read_as<T, decltype(w)>(d, weights, mask, how, directed); });
  with_semiring<T>(semiring, [&]<class S>(S) {
    if (!blockfw::detail::may_be_cycles<S>(from_python(range), direction_of(directed))) return;
    const auto n = static_cast<std::int64_t>(d.shape(0));
    const Turn turn(n);
    const auto all = blockfw::detail::vertices_from(0, n);
    blockfw::detail::require_no_cycle_of_entry<S>(
        blockfw::detail::first_cycle_of_entry<S>(host(), view_of(d), all, all, n), n);
  });
  return range;
}

template <class T>
void solve_matrix(const Matrix<T>& d, const Range<T>& range, const std::string& semiring, bool strict_cycles,
                  const nb::object& progress) {
  with_semiring<T>(semiring, [&]<class S>(S) {
    const auto n = static_cast<std::int64_t>(d.shape(0));
    const Turn turn(n);
    solve_where_it_lies(d, true, [&](const auto& exec, const auto& there) {
      blockfw::solve_distances<S>(exec, there, from_python(range),
                                  {.strict_cycles = strict_cycles, .progress = watch_rounds(progress, n)});
    });
  });
}

}  // namespace

void bind_dense(nb::module_& m) {
  for_each_type([&]<class T>() {
    m.def("read_matrix", &read_matrix<T>, nb::arg("d").noconvert(), nb::arg("weights").noconvert(),
          nb::arg("mask").none(), nb::arg("semiring"), nb::arg("directed"), nb::arg("zeros"), nb::arg("ones"),
          nb::arg("negative_loops"), nb::arg("as_scipy"));
    m.def("solve_matrix", &solve_matrix<T>, nb::arg("d").noconvert(), nb::arg("range").none(), nb::arg("semiring"),
          nb::arg("strict_cycles"), nb::arg("progress").none());
  });
}

}  // namespace bindings
#endif

// Other places of a solve than one instance: several devices (or groups of a host's threads), and a limit of memory
// besides the matrix. The matrix may lie in a file (numpy.memmap).
#if BLOCKFW_IN_PART(2)
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <blockfw/multi_device.hpp>
#include <blockfw/out_of_core.hpp>

namespace bindings {

namespace {

/// Shortest paths of a matrix as read_matrix() leaves it, in place.
template <class T>
void solve_on_devices(const Matrix<T>& d, int count, bool strict_cycles, const nb::object& progress) {
  const auto n = static_cast<std::int64_t>(d.shape(0));
  const Turn turn(n);
  const blockfw::Devices<Exec> devices(count);
  blockfw::solve(devices.list(), view_of(d), {.strict_cycles = strict_cycles, .progress = watch_rounds(progress, n)})
      .copy_to(view_of(d));
}

/// Shortest paths of a matrix as read_matrix() leaves it, in place.
template <class T>
void solve_out_of_core(const Matrix<T>& d, const Range<T>& range, double memory, bool strict_cycles,
                       const nb::object& progress) {
  const Turn turn(static_cast<std::int64_t>(d.shape(0)));
  blockfw::solve_out_of_core(
      solver(), view_of(d), from_python(range),
      {.solve = {.strict_cycles = strict_cycles, .progress = watch(progress)}, .memory = memory});
}

}  // namespace

void bind_places(nb::module_& m) {
  for_each_type([&]<class T>() {
    m.def("solve_on_devices", &solve_on_devices<T>, nb::arg("d").noconvert(), nb::arg("count"),
          nb::arg("strict_cycles"), nb::arg("progress").none());
    m.def("solve_out_of_core", &solve_out_of_core<T>, nb::arg("d").noconvert(), nb::arg("range").none(),
          nb::arg("memory"), nb::arg("strict_cycles"), nb::arg("progress").none());
  });
}

}  // namespace bindings
#endif

// Products of matrices in the host's memory.
#if BLOCKFW_IN_PART(3)
#include <nanobind/stl/string.h>
#include <blockfw/detail/backend/memory.hpp>
#include <blockfw/product.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace bindings {

namespace {

/// Matrices one after the other, without gaps.
template <class T>
using Matrices = nb::ndarray<T, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

template <class T>
auto on_host_of(const Matrices<T>& array) {
  return Kokkos::View<T***, Kokkos::LayoutRight, Kokkos::HostSpace>(array.data(), array.shape(0), array.shape(1),
                                                                    array.shape(2));
}

/// The matrices where the instance works: themselves, or a copy on the device.
template <class T>
auto there(const Exec& exec, const Matrices<T>& array) {
  const auto from = on_host_of(array);
  if constexpr (on_host) {
    return from;
  } else {
    using Number = std::remove_const_t<T>;
    blockfw::detail::require_memory(exec, "copies of the matrices", static_cast<double>(from.size()) * sizeof(Number));
    const Kokkos::View<Number***, Kokkos::LayoutRight, Exec::memory_space> copy(
        Kokkos::view_alloc(exec, "product", Kokkos::WithoutInitializing), from.extent(0), from.extent(1),
        from.extent(2));
    Kokkos::deep_copy(exec, copy, from);
    return copy;
  }
}

/// c ← a ⊗ b, or, with accumulate, c ⊕ a ⊗ b
template <class T>
void product(const Matrices<const T>& a, const Matrices<const T>& b, const Matrices<T>& c, const std::string& semiring,
             bool accumulate, const nb::object& progress) {
  with_semiring<T>(semiring, [&]<class S>(S) {
    const auto relaxes = static_cast<double>(c.size()) * static_cast<double>(a.shape(2));
    const Turn turn(relaxes < 1e6 ? 0 : static_cast<std::int64_t>(a.shape(1) + a.shape(2) + b.shape(2)));
    const auto exec = solver();
    const auto result = there(exec, c);
    blockfw::min_plus_product<S>(exec, there(exec, a), there(exec, b), result, {accumulate, watch(progress)});
    if constexpr (!on_host) Kokkos::deep_copy(exec, on_host_of(c), result);
    exec.fence("blockfw::product");
  });
}

}  // namespace

void bind_product(nb::module_& m) {
  for_each_type([&]<class T>() {
    m.def("product", &product<T>, nb::arg("a").noconvert(), nb::arg("b").noconvert(), nb::arg("c").noconvert(),
          nb::arg("semiring"), nb::arg("accumulate"), nb::arg("progress").none());
  });
}

}  // namespace bindings
#endif
