// SPDX-License-Identifier: MIT
// Lists of edges: solved for all pairs, solved from some vertices, and their transitive closure; a part each.
// python/CMakeLists.txt compiles the parts one by one.
#include "edges.hpp"
#include "rooms.hpp"
#include "solver.hpp"

#ifndef BLOCKFW_IN_PART
#define BLOCKFW_IN_PART(number) 1
#endif

// Lists of edges: solved into the result's memory, or written into a matrix.
#if BLOCKFW_IN_PART(1)
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

namespace bindings {

BLOCKFW_PYTHON_READ_EDGES(, double)
BLOCKFW_PYTHON_READ_EDGES(, float)
BLOCKFW_PYTHON_READ_EDGES(, std::int32_t)
BLOCKFW_PYTHON_READ_EDGES(, std::int64_t)
BLOCKFW_PYTHON_READ_EDGES(, std::int16_t)

namespace {

blockfw::Method method_of(const std::string& name) {
  if (name == "automatic") return blockfw::Method::automatic;
  if (name == "dense") return blockfw::Method::dense;
  if (name == "sparse") return blockfw::Method::sparse;
  throw nb::value_error(("the method is '" + name + "', expected automatic, dense or sparse").c_str());
}

template <class T>
void solve_edges(const Matrix<T>& d, const ConstArray<std::int32_t>& from, const ConstArray<std::int32_t>& to,
                 const std::optional<AnyArray>& weights, bool loops, const std::string& semiring, bool directed,
                 const std::string& method, bool strict_cycles, const nb::object& progress) {
  const auto how = method_of(method);
  with_semiring<T>(semiring, [&]<class S>(S) {
    const auto n = static_cast<std::int64_t>(d.shape(0));
    const Turn turn(n);
    const auto edges = read_edges<T>(from, to, weights, loops, NoEdge::of<S>());
    solve_where_it_lies(d, false, [&](const auto& exec, const auto& there) {
      blockfw::solve_into<S>(
          exec, there, edges,
          {.direction = direction_of(directed),
           .method = how,
           .strict_cycles = strict_cycles,
           .progress = how == blockfw::Method::sparse ? watch(progress) : watch_rounds(progress, n)});
    });
  });
}

/// Fills d with edges, for solve_matrix() and the other solves of matrices.
template <class T>
Range<T> fill_edges(const Matrix<T>& d, const ConstArray<std::int32_t>& from, const ConstArray<std::int32_t>& to,
                    const std::optional<AnyArray>& weights, bool loops, const std::string& semiring, bool directed) {
  blockfw::WeightRange<T> range;
  with_semiring<T>(semiring, [&]<class S>(S) {
    const Turn turn(static_cast<std::int64_t>(d.shape(0)));
    const auto edges = read_edges<T>(from, to, weights, loops, NoEdge::of<S>());
    const auto direction = direction_of(directed);
    range = blockfw::fill_from_edges<S>(host(), view_of(d), edges, {.direction = direction});
    blockfw::detail::require_no_cycle_of_edge<S>(blockfw::detail::view_of(edges), range, direction);
  });
  return to_python(range);
}

}  // namespace

void bind_edges(nb::module_& m) {
  for_each_type([&]<class T>() {
    m.def("solve_edges", &solve_edges<T>, nb::arg("d").noconvert(), nb::arg("from_"), nb::arg("to"),
          nb::arg("weights").none(), nb::arg("loops"), nb::arg("semiring"), nb::arg("directed"), nb::arg("method"),
          nb::arg("strict_cycles"), nb::arg("progress").none());
    m.def("fill_edges", &fill_edges<T>, nb::arg("d").noconvert(), nb::arg("from_"), nb::arg("to"),
          nb::arg("weights").none(), nb::arg("loops"), nb::arg("semiring"), nb::arg("directed"));
  });
}

}  // namespace bindings
#endif

// Distances from some vertices, without the n x n matrix, and their trees.
#if BLOCKFW_IN_PART(2)
#include <nanobind/stl/optional.h>
#include <blockfw/network.hpp>
#include <blockfw/paths.hpp>
#include <blockfw/solve_from.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace bindings {

namespace {

/// \brief The rows of distances by a network, where solve_from() would eliminate vertices.
/// \return whether a network has made the rows; if not, they are unspecified
template <class T, class Rows>
bool ask_network(const Rows& rows, const std::vector<blockfw::Edge<T>>& edges, std::span<const std::int32_t> sources,
                 blockfw::Direction direction, const blockfw::Progress& told) {
  constexpr std::size_t at_once_entries = std::size_t(1) << 22;
  const auto n = static_cast<std::int64_t>(rows.extent(1));
  try {
    const auto analysis = blockfw::analysis_if_rows(n, edges, static_cast<std::int64_t>(sources.size()));
    if (!analysis) return false;
    const blockfw::Network<blockfw::MinPlus<T>, Host> network(
        host(), n, edges,
        {.direction = direction, .order = analysis->order(), .progress = [](std::int64_t, std::int64_t) {
           check_signals();
         }});
    const auto threads = static_cast<std::size_t>(host().concurrency());
    const std::size_t at_once = std::max(64 * threads, at_once_entries / rows.extent(1));
    for (std::size_t first = 0; first < sources.size(); first += at_once) {
      const std::size_t last = std::min(sources.size(), first + at_once);
      network.distances_from(sources.subspan(first, last - first),
                             Kokkos::subview(rows, Kokkos::pair(first, last), Kokkos::ALL));
      told(static_cast<std::int64_t>(last), static_cast<std::int64_t>(sources.size()));
    }
    return true;
  } catch (const blockfw::OutOfMemory&) {  // a search needs less
    return false;
  }
}

/// Writes a row of n distances for each source, some sources at a time. If `before` has memory, it gets the
/// predecessors on the shortest paths.
template <class T>
void solve_from(const Matrix<T>& d, const std::optional<Matrix<std::int32_t>>& before,
                const ConstArray<std::int32_t>& from, const ConstArray<std::int32_t>& to,
                const std::optional<AnyArray>& weights, bool loops, const ConstArray<std::int32_t>& sources,
                bool directed, bool negative, bool strict_cycles, const nb::object& progress) {
  constexpr std::int64_t at_once_edges = std::int64_t(1) << 25;
  const auto n = static_cast<std::int64_t>(d.shape(1));
  const Turn turn(n);
  const auto edges = read_edges<T>(from, to, weights, loops);
  const auto direction = direction_of(directed);
  const auto work = static_cast<std::int64_t>(edges.size()) + n + 1;
  const auto at_once = static_cast<std::size_t>(std::max<std::int64_t>(host().concurrency(), at_once_edges / work));
  const std::span<const std::int32_t> all(sources.data(), sources.shape(0));
  const auto rows = view_of(d);
  const auto told = watch(progress);
  // (By elimination any negative cycle is an error, also one that no source reaches.)
  const bool done = !negative && ask_network<T>(rows, edges, all, direction, told);
  for (std::size_t first = 0; first < all.size() && !done; first += at_once) {
    const std::size_t last = std::min(all.size(), first + at_once);
    const auto found = blockfw::solve_from<T>(host(), n, edges, all.subspan(first, last - first),
                                              {.direction = direction, .strict_cycles = strict_cycles});
    Kokkos::deep_copy(host(), Kokkos::subview(rows, Kokkos::pair(first, last), Kokkos::ALL), found);
    told(static_cast<std::int64_t>(last), static_cast<std::int64_t>(all.size()));
  }
  if (!before) return;
  for (std::size_t s = 0; s < all.size(); ++s) {
    const auto tree =
        blockfw::tree_from(host(), Kokkos::subview(rows, s, Kokkos::ALL), all[s], edges, {.direction = direction});
    std::copy(tree.begin(), tree.end(), before->data() + static_cast<std::int64_t>(s) * n);
    check_signals();
  }
}

}  // namespace

void bind_sources(nb::module_& m) {
  for_each_type([&]<class T>() {
    m.def("solve_from", &solve_from<T>, nb::arg("d").noconvert(), nb::arg("before").none(), nb::arg("from_"),
          nb::arg("to"), nb::arg("weights").none(), nb::arg("loops"), nb::arg("sources"), nb::arg("directed"),
          nb::arg("negative"), nb::arg("strict_cycles"), nb::arg("progress").none());
  });
}

}  // namespace bindings
#endif

// The transitive closure: the vertices that each vertex reaches.
#if BLOCKFW_IN_PART(3)
#include <blockfw/transitive_closure.hpp>

#include <optional>

namespace bindings {

namespace {

/// Fills n x n truth values.
void transitive_closure(const Matrix<bool>& reached, const ConstArray<std::int32_t>& from,
                        const ConstArray<std::int32_t>& to, bool directed, const nb::object& progress) {
  const auto n = static_cast<std::int64_t>(reached.shape(0));
  const Turn turn(n);
  const auto edges = read_edges<std::int32_t>(from, to, {}, true);
  const auto bits =
      blockfw::transitive_closure(solver(), n, edges, {direction_of(directed), watch_rounds(progress, n)}).on_host();
  bool* const out = reached.data();
  Kokkos::parallel_for("blockfw::unpack_bits", Kokkos::RangePolicy<Host>(host(), 0, n), [=](std::int64_t i) {
    for (std::int64_t j = 0; j < n; ++j) out[i * n + j] = bits(i, j);
  });
}

}  // namespace

void bind_closure(nb::module_& m) {
  m.def("transitive_closure", &transitive_closure, nb::arg("reached").noconvert(), nb::arg("from_"), nb::arg("to"),
        nb::arg("directed"), nb::arg("progress").none());
}

}  // namespace bindings
#endif
