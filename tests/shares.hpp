// SPDX-License-Identifier: MIT
/// \file
/// \brief The places where a matrix lies in shares: several devices, and (with BLOCKFW_PLACE_OF_RANKS) ranks of MPI. A
/// test of either is written once, for `Place`, and compiled for each.
#pragma once

#include "graphs.hpp"

#include "blockfw/multi_device.hpp"
#ifdef BLOCKFW_PLACE_OF_RANKS
#include "ranks.hpp"
#endif

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

using Exec = Kokkos::DefaultExecutionSpace;

/// `count` instances: groups of a host's threads, or several instances on each device if there are fewer devices.
class Instances {
 public:
  explicit Instances(int count) {
    if constexpr (!on_device) {
      sets_.push_back(std::make_unique<blockfw::Devices<Exec>>(count));
      list_ = sets_.back()->list();
    } else {
      for (; static_cast<int>(list_.size()) < count; sets_.push_back(std::make_unique<blockfw::Devices<Exec>>())) {
        const blockfw::Devices<Exec>& all = *sets_.emplace_back(std::make_unique<blockfw::Devices<Exec>>());
        for (const Exec& exec : all.list())
          if (static_cast<int>(list_.size()) < count) list_.push_back(exec);
      }
    }
  }
  const std::vector<Exec>& list() const { return list_; }

 private:
  std::vector<std::unique_ptr<blockfw::Devices<Exec>>> sets_;
  std::vector<Exec> list_;
};

/// Several devices. The place outlives its solved distances.
class OnDevices {
 public:
  explicit OnDevices(int count) : devices_(std::make_shared<const Instances>(count)) {}

  static const char* where() { return "on several devices"; }
  std::string name() const { return std::to_string(parts()) + " shares"; }
  int parts() const { return static_cast<int>(devices_->list().size()); }
  /// Whether half the work is chosen for an undirected graph that is large enough.
  static bool halves() { return true; }

  /// Solves a graph: its order and this process's edges, or the matrix of its weights.
  template <class Over = void, class... Graph>
  auto solve(const blockfw::SolveOptions& options, const Graph&... graph) const {
    return blockfw::solve<Over>(devices_->list(), graph..., options);
  }
  /// A matrix that is not filled.
  template <class Over>
  blockfw::RowBlocks<Over, Exec> matrix(std::int64_t n) const {
    return {devices_->list(), n};
  }

 private:
  std::shared_ptr<const Instances> devices_;
};

#ifdef BLOCKFW_PLACE_OF_RANKS

/// Ranks of MPI in a grid. By default (no rows) they choose it, and take neighbouring rows for half the work.
struct OnRanks {
  blockfw::ProcessGrid grid = {};

  static const char* where() { return "on ranks"; }
  std::string name() const {
    return "ranks in " + std::to_string(grid.rows) + " x " + std::to_string(grid.columns) + ", blocks of " +
           std::to_string(grid.block_tiles);
  }
  static int parts() { return ranks(); }
  bool halves() const { return grid.rows == 0 || ranks() == 1; }

  template <class Over = void, class... Graph>
  auto solve(const blockfw::SolveOptions& options, const Graph&... graph) const {
    return blockfw::solve<Over>(MPI_COMM_WORLD, graph..., blockfw::RankOptions{options, grid});
  }
  template <class Over>
  blockfw::DistributedMatrix<Over, Exec> matrix(std::int64_t n) const {
    using Matrix = blockfw::DistributedMatrix<Over, Exec>;
    return {MPI_COMM_WORLD, n, grid.rows == 0 ? Matrix::neighbouring_rows(ranks(), n) : grid};
  }
};

using Place = OnRanks;
/// The place of tests that need a single place.
inline Place usual_place() { return {}; }
/// All kinds of places.
inline std::vector<Place> places() {
  std::vector<Place> all;
  for (const auto& grid : grids()) all.push_back({grid});
  return all;
}
/// More places, for matrices of few vertices: with more shares than tiles, or with blocks of another size.
inline std::vector<Place> more_places() {
  std::vector<Place> all = places();
  for (auto grid : grids())
    for (grid.block_tiles = 1; grid.block_tiles < 4; ++grid.block_tiles)
      if (grid.rows > 0) all.push_back({grid});
  return all;
}
/// The n x n matrix on the host that f() returns on rank 0. (Only rank 0 calls f, as ranks share the machine's few
/// cores.)
template <class T, class F>
HostMatrix<T> on_first(int n, const F& f) {
  const HostMatrix<T> all("all", static_cast<std::size_t>(n), static_cast<std::size_t>(n));
  if (rank() == 0) {
    const auto found = f();
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) all(i, j) = found(i, j);
  }
  MPI_Bcast(all.data(), static_cast<int>(all.size() * sizeof(T)), MPI_BYTE, 0, MPI_COMM_WORLD);
  return all;
}
inline std::int64_t sum_of_ranks(std::int64_t x) {
  MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  return x;
}

#else  // one process, which has all edges, and all shares

using Place = OnDevices;
inline Place usual_place() { return Place(3); }
inline std::vector<Place> places() { return {Place(1), Place(2), Place(3), Place(4)}; }
inline std::vector<Place> more_places() { return {Place(1), Place(2), Place(3), Place(5), Place(10), Place(12)}; }
template <class T, class F>
HostMatrix<T> on_first(int, const F& f) {
  return f();
}
inline std::int64_t sum_of_ranks(std::int64_t x) { return x; }
inline int rank() { return 0; }
inline int ranks() { return 1; }
template <class E>
const std::vector<E>& mine(const std::vector<E>& edges) {
  return edges;
}

#endif

/// All distances, on every process.
template <class Shares>
auto on_host(const Shares& d) {
  using T = typename decltype(d.gather(0))::non_const_value_type;
  const int n = static_cast<int>(d.vertices());
  const HostMatrix<T> own("own", static_cast<std::size_t>(n), static_cast<std::size_t>(n));
  if (ranks() == 1) {
    d.copy_to(own);
    return own;
  }
  const auto gathered = d.gather(0);
  return on_first<T>(n, [&] { return gathered; });
}

/// The number of entries that differ.
template <class View, class Expected>
int wrong_entries(const View& d, const Expected& expected) {
  REQUIRE(d.extent(0) == expected.extent(0));
  REQUIRE(d.extent(1) == expected.extent(1));
  int wrong = 0;
  for (int i = 0; i < d.extent_int(0); ++i)
    for (int j = 0; j < d.extent_int(1); ++j) wrong += d(i, j) != expected(i, j);
  return wrong;
}

/// The distances by one instance, in all bits, which the first process finds.
template <class T, class W>
auto by_one(int n, const std::vector<blockfw::Edge<W>>& edges, blockfw::SolveOptions options = {}) {
  std::vector<blockfw::Edge<T>> wide;
  for (const auto& e : edges) wide.push_back({e.from, e.to, static_cast<T>(e.weight)});
  options.narrow = false;
  options.method = blockfw::Method::dense;
  return on_first<T>(n, [&] { return readable(blockfw::solve(Exec(), n, wide, options)); });
}

/// Checks that whole rows come in ascending order, in blocks of about the requested bytes, and each row on one process.
template <class Shares, class T>
void check_whole_rows(const Shares& d, const HostMatrix<T>& expected, std::initializer_list<std::size_t> sizes) {
  const int n = expected.extent_int(0);
  for (const std::size_t bytes : sizes) {
    std::int64_t next = 0, seen = 0, wrong = 0;
    d.for_whole_rows(
        [&](std::int64_t first, const auto& rows) {
          static_assert(std::is_same_v<typename std::decay_t<decltype(rows)>::value_type, T>);
          CHECK(first >= next);
          next = first + rows.extent_int(0);
          seen += rows.extent_int(0);
          CHECK(rows.extent_int(1) == n);
          CHECK(rows.span_is_contiguous());
          CHECK((rows.extent_int(0) == 1 || rows.extent(0) < 2 + bytes / (rows.extent(1) * sizeof(T))));
          for (int i = 0; i < rows.extent_int(0); ++i)
            for (int j = 0; j < n; ++j) wrong += rows(i, j) != expected(first + i, j);
        },
        bytes);
    CHECK(wrong == 0);
    CHECK(sum_of_ranks(seen) == n);
  }
}
