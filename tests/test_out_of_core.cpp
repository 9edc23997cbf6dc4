// Matrices that stream through a little memory: any budget, any order, stopped at any step and gone on with.
#include "graphs.hpp"
#include "spaces.hpp"

#include "blockfw/out_of_core.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using blockfw::OutOfCoreOptions;
using doctest::Contains;
using Exec = Kokkos::DefaultExecutionSpace;
using Host = Kokkos::DefaultHostExecutionSpace;
constexpr int block = 8;
using Small = blockfw::Tile<block>;

template <class T>
using HostMatrix = Kokkos::View<T**, Kokkos::LayoutRight, Kokkos::HostSpace>;

template <class T>
HostMatrix<T> matrix_of(const Graph& g) {
  const auto n = static_cast<std::size_t>(g.n);
  const HostMatrix<T> d("d", n, n);
  fill(d, g);
  return d;
}

/// Chunks of so many tiles.
template <class Phase, class T>
blockfw::detail::Chunks chunks_of(int n, int height) {
  return {n, Phase::block, height};
}

/// Solves on a host as a device would, by copies.
template <class T>
blockfw::OutOfCoreStats solve_copied(const HostMatrix<T>& d, int height, const OutOfCoreOptions& options = {}) {
  using Phase = blockfw::Phases<Small, Host, blockfw::MinPlus<T>>;
  const auto n = static_cast<std::int64_t>(d.extent(0));
  const blockfw::detail::HostRows<T> rows(d.data(), n, n);
  return blockfw::detail::stream<Phase, blockfw::detail::Copied<Host, T>>(
      Host{}, rows, chunks_of<Phase, T>(int(n), height), options, 0, [](std::int64_t) {});
}

}  // namespace

TEST_CASE_TEMPLATE("any order, any height of chunks", T, std::int16_t, std::int32_t, std::int64_t, float, double) {
  Random random(1);
  for (const int n : {1, 2, block - 1, block, block + 1, 3 * block, 61, 97}) {
    const Graph g = scattered(random, n, 4 * n, 0, heaviest(n));
    const auto expected = oracle::distances(g);
    for (const int height : {1, 2, 3, 5, 20}) {
      CAPTURE(n);
      CAPTURE(height);
      const auto d = matrix_of<T>(g);
      solve_copied<T>(d, height);
      CHECK(difference(d, expected) == "");
    }
    const auto d = matrix_of<T>(g);
    blockfw::out_of_core_floyd_warshall<Small>(Exec{}, d);
    CHECK(difference(d, expected) == "");
  }
}
