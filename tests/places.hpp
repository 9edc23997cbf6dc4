// SPDX-License-Identifier: MIT
/// \file
/// \brief The places where a graph can be solved, with one function each, so that a test can run the same in all of
/// them. Include this before any other header of the library.
///
/// The constants of a place say which abilities it has:
///
/// |                 | fewest bits       | half the work                      | answers: rows, a pair, reach |
/// |-----------------|-------------------|------------------------------------|------------------------------|
/// | one instance    | 8 (a device's 16) | from half_from on                  | the matrix is there          |
/// | several devices | 8 (a device's 16) | from half_from vertices a share on | yes                          |
/// | MPI ranks       | 8 (a device's 16) | the same, by the default grid      | yes                          |
/// | out of core     | 16                | no                                 | the matrix is there          |
/// | a file          | 16                | no                                 | the file is there            |
#pragma once

#include "blockfw/detail/kernel/tuned_tiles.hpp"
#include "blockfw/detail/plan/narrow.hpp"
#include "blockfw/floyd_warshall.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

// Thresholds of few vertices, so that a plain loop can check larger graphs. (The tests of each place have the real
// thresholds.)
template <>
inline constexpr std::int64_t blockfw::detail::half_from<Kokkos::DefaultExecutionSpace> = 32;
template <>
inline constexpr std::int64_t blockfw::detail::narrow_from<Kokkos::DefaultExecutionSpace> = 64;
// The tiles of each type have another size. So the shares of narrower numbers have other rows.
template <>
struct blockfw::DefaultTile<Kokkos::DefaultExecutionSpace, std::int8_t> {
  using type = Tile<16>;
};
template <>
struct blockfw::DefaultTile<Kokkos::DefaultExecutionSpace, std::int16_t> {
  using type = Tile<10>;
};
template <>
struct blockfw::DefaultTile<Kokkos::DefaultExecutionSpace, std::int32_t> {
  using type = Tile<12>;
};
template <>
struct blockfw::DefaultTile<Kokkos::DefaultExecutionSpace, std::int64_t> {
  using type = Tile<14>;
};
template <>
struct blockfw::DefaultTile<Kokkos::DefaultExecutionSpace, float> {
  using type = Tile<16>;
};
template <>
struct blockfw::DefaultTile<Kokkos::DefaultExecutionSpace, double> {
  using type = Tile<12, 3, 4>;
};

#include "folder.hpp"
#include "graphs.hpp"
#include "instances.hpp"
#include "last_edge.hpp"
#include "shares.hpp"

#include "blockfw/io/distance_file.hpp"
#include "blockfw/out_of_core.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

/// The template instances that the programs of all places share (a part of test_places.cpp): the semirings of
/// test_places.cpp and test_shares.cpp, and the narrower types of their distances.
#define PLACES_INSTANCES(LINKAGE)                        \
  TEST_INT8(LINKAGE)                                     \
  TEST_INSTANCE(LINKAGE, blockfw::MinPlus<std::int16_t>) \
  TEST_INSTANCE(LINKAGE, blockfw::MinPlus<std::int32_t>) \
  TEST_INSTANCE(LINKAGE, blockfw::MinPlus<std::int64_t>) \
  TEST_INSTANCE(LINKAGE, blockfw::MinPlus<float>)        \
  TEST_INSTANCE(LINKAGE, blockfw::MinPlus<double>)       \
  TEST_INSTANCE(LINKAGE, blockfw::MaxPlus<std::int32_t>) \
  TEST_INSTANCE(LINKAGE, blockfw::MaxMin<float>)         \
  TEST_INSTANCE(LINKAGE, blockfw::MinMax<std::int64_t>)  \
  TEST_INSTANCE(LINKAGE, blockfw::MaxTimes<double>)      \
  TEST_NUMBERS(LINKAGE, LastEdge)                        \
  TEST_ROUNDS(LINKAGE, LastEdge)                         \
  TEST_DENSE(LINKAGE, LastEdge)                          \
  TEST_GUARD(LINKAGE, blockfw::MinPlus<float>)           \
  TEST_GUARD(LINKAGE, blockfw::MinPlus<double>)          \
  TEST_REACH(LINKAGE, std::int16_t)                      \
  TEST_REACH(LINKAGE, std::int32_t)                      \
  TEST_REACH(LINKAGE, std::int64_t)                      \
  TEST_REACH(LINKAGE, float)

PLACES_INSTANCES(extern)

/// The result of a solve in a place.
template <class T>
struct Found {
  HostMatrix<T> d;
  blockfw::SolveReport report = {};
  int bits = 0;  ///< the bits of a stored distance
};

template <class S>
using EdgesOver = std::vector<blockfw::Edge<typename S::value_type>>;

/// One instance.
struct OneInstance {
  static constexpr int fewest_bits = on_device ? 16 : 8;
  static constexpr auto narrow_from = blockfw::detail::narrow_from<Exec>;
  static bool halves() { return true; }
  static int parts() { return 1; }
  static std::string name() { return "one instance"; }

  template <class S, class Check, class T = typename S::value_type>
  Found<T> solve(int n, const EdgesOver<S>& edges, blockfw::SolveOptions options, const Check&) const {
    Found<T> found;
    options.report = &found.report;
    // (These are the steps of solve() of edges without elimination, which takes long to compile. test_sparse.cpp tests
    // it.)
    const auto d = blockfw::allocate_distances<T>(Exec(), n);
    const auto there = blockfw::reachable_edges(Exec(), blockfw::detail::view_of(edges));
    const auto range = blockfw::fill_from_edges<S>(Exec(), d, there, {.direction = options.direction});
    blockfw::solve_distances<S>(Exec(), d, range, options);
    found.d = readable(d);
    found.bits = found.report.bits;
    return found;
  }
};

/// Several devices, or ranks of MPI, which have different edges. Each process gets all distances.
struct InShares {
  static constexpr int fewest_bits = on_device ? 16 : 8;
  static constexpr auto narrow_from = blockfw::detail::narrow_from<Exec>;
  Place place;
  bool halves() const { return place.halves(); }
  int parts() const { return place.parts(); }
  std::string name() const { return place.name(); }

  /// \param check  check(d) is called with the solved distances
  template <class S, class Check, class T = typename S::value_type>
  Found<T> solve(int n, const EdgesOver<S>& edges, blockfw::SolveOptions options, const Check& check) const {
    Found<T> found;
    options.report = &found.report;
    const auto d = place.solve<S>(options, n, mine(edges));
    found.d = on_host(d);
    found.bits = d.bits();
    check(d);
    return found;
  }
};

/// The memory for chunks of the least height, in the type that takes the most memory.
template <class S>
double least_memory(int n, bool in_memory) {
  const auto of = [&]<class Held>(Held) {
    using Phase = blockfw::detail::TiledPhases<blockfw::TunedTile, Exec, Held>;
    return blockfw::detail::bytes_of<Phase>(blockfw::detail::Chunks{n, Phase::block, 1}, in_memory);
  };
  double bytes = of(S());
  blockfw::detail::HeldLadder<S>::find([&]<class Small>(Small) {
    bytes = std::max(bytes, of(blockfw::MinPlus<Small>()));
    return false;
  });
  return bytes;
}

/// A matrix of the host, some rows at a time.
struct OutOfCore {
  static constexpr int fewest_bits = 16;
  static constexpr auto narrow_from = blockfw::detail::narrow_from<Exec>;
  static bool halves() { return false; }
  static int parts() { return 1; }
  static std::string name() { return "out of core"; }

  template <class S, class Check, class T = typename S::value_type>
  Found<T> solve(int n, const EdgesOver<S>& edges, const blockfw::SolveOptions& options, const Check&) const {
    using Host = Kokkos::DefaultHostExecutionSpace;
    Found<T> found{HostMatrix<T>("d", static_cast<std::size_t>(n), static_cast<std::size_t>(n))};
    const auto range =
        blockfw::fill_from_edges<S>(Host(), found.d, blockfw::detail::view_of(edges), {.direction = options.direction});
    const auto stats = blockfw::solve_out_of_core<S>(
        Exec(), found.d, range,
        {.solve = {.narrow = options.narrow, .report = &found.report}, .memory = least_memory<S>(n, !on_device)});
    CHECK(stats.chunks > 3);
    found.bits = found.report.bits;
    return found;
  }
};

/// A matrix in a file, which is read again after the solve.
struct File {
  static constexpr int fewest_bits = 16;
  static constexpr auto narrow_from = blockfw::detail::narrow_from<Kokkos::DefaultHostExecutionSpace>;
  static bool halves() { return false; }
  static int parts() { return 1; }
  static std::string name() { return "a file"; }

  template <class S, class Check, class T = typename S::value_type>
  Found<T> solve(int n, const EdgesOver<S>& edges, const blockfw::SolveOptions& options, const Check&) const {
    Found<T> found{HostMatrix<T>("d", static_cast<std::size_t>(n), static_cast<std::size_t>(n))};
    const Folder folder(in_memory());
    try {
      blockfw::io::DistanceFile<S> file(folder / "distances", n, "a graph");
      file.fill(edges, {.direction = options.direction, .narrow = options.narrow});
      found.bits = file.bits();
      const auto stats = file.solve(Exec(), {.solve = {.report = &found.report}, .memory = least_memory<S>(n, false)});
      CHECK(stats.chunks > 3);
      file.commit();
    } catch (const blockfw::Error&) {
      CHECK(folder.files().empty());
      throw;
    }
    const std::string bytes = get(folder / "distances");
    REQUIRE(bytes.size() == found.d.size() * sizeof(T));
    std::memcpy(found.d.data(), bytes.data(), bytes.size());
    return found;
  }
};
