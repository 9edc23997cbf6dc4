// The kernel of devices with a host's threads in the place of a device's: each of them one of a team of up to 64.
#include "graphs.hpp"

#include "blockfw/floyd_warshall.hpp"

namespace {

using blockfw::Target;
using blockfw::Tile;
using blockfw::Vendor;

// What is laid out differently: how many threads work in step, scratch for longer or shorter chunks and for one or two
// of them, one or two pivots at a time, 16-bit numbers in pairs or not.
struct Mi210 {
  static constexpr Target target{Vendor::amd, 0x90a, 64, 2048, 64 * 1024, 131072, 8};
};
struct P100 {
  static constexpr Target target{Vendor::nvidia, 60, 32, 2048, 64 * 1024, 65536, 4};
};
struct H200 {
  static constexpr Target target{Vendor::nvidia, 90, 32, 2048, 228 * 1024, 65536, 6};
};

using Host = Kokkos::DefaultHostExecutionSpace;

template <class T, class Shape, class Device>
auto solve(const Graph& g, const Host& exec = {}) {
  const auto order = static_cast<std::size_t>(g.n);
  const Kokkos::View<T**, Kokkos::LayoutRight, Kokkos::HostSpace> d("d", order, order);
  fill(d, g);
  using Phases = blockfw::Phases<Shape, Host, blockfw::MinPlus<T>, Device>;
  blockfw::detail::eliminate<Phases>(exec, blockfw::matrix_ref<Host>(d), blockfw::NoProgress{});
  exec.fence();
  return d;
}

template <class T, class Shape, class Device>
void check_graph(const Graph& g, bool negative_cycle = false, const Host& exec = {}) {
  const auto d = solve<T, Shape, Device>(g, exec);
  if (negative_cycle) {
    CHECK(blockfw::find_negative_cycle(exec, d).has_value());
    return;
  }
  if constexpr (std::is_integral_v<T>)
    blockfw::mark_unreachable(exec, d, static_cast<T>((g.n - 1) * 2 * heaviest(g.n)));
  exec.fence();
  CHECK(difference(d, oracle::distances(g)) == "");
}

template <class T, class Shape, class Device>
void check_shape() {
  const int block = Shape::block;
  CAPTURE(block);
  int next = 0;
  for (const int n : {0, 1, block - 1, block, block + 1, 3 * block - 2}) {
    CAPTURE(n);
    Random random(static_cast<unsigned>(n));
    for (int turn = 0; turn < 2; ++turn) {
      const Family& family = families[next++ % 9];  // those without negative cycles
      const std::string name = family.name;
      CAPTURE(name);
      if (n > 0) check_graph<T, Shape, Device>(family.make(random, n));
    }
  }
}

}  // namespace

TEST_SUITE("the device kernel on a host's threads") {
  TEST_CASE("there are enough threads for a team of 64") { REQUIRE(Host().concurrency() >= 64); }

  TEST_CASE("wavefronts of 64") {
    check_shape<std::int16_t, Tile<64, 8, 8>, Mi210>();
    check_shape<std::int32_t, Tile<64, 8, 8>, Mi210>();
    check_shape<float, Tile<64, 8, 8>, Mi210>();
    check_shape<std::int64_t, Tile<32, 2, 8>, Mi210>();  // 16 x 4 threads
    check_shape<double, Tile<20, 4, 4>, Mi210>();        // 25 threads, fewer than work in step
  }
  TEST_CASE("warps of 32") {
    check_shape<std::int16_t, Tile<64, 8, 8>, P100>();
    check_shape<std::int32_t, Tile<20, 4, 4>, P100>();
    check_shape<double, Tile<32, 4, 4>, P100>();
    check_shape<std::int16_t, Tile<32, 4, 4>, H200>();
    check_shape<float, Tile<64, 8, 8>, H200>();
  }
  TEST_CASE("teams that wait for each other") {  // two, of a thread each
    if constexpr (std::is_constructible_v<Host, int>) {
      const Host two(2);
      Random random(4);
      check_graph<std::int32_t, Tile<8, 8, 8>, Mi210>(complete(random, 330, heaviest(330)), false, two);
      check_graph<float, Tile<8, 8, 8>, H200>(shifted(complete(random, 330, 10), potentials(random, 330)), false, two);
    }
  }
  TEST_CASE("a negative cycle is left as evidence") {
    Random random(5);
    for (const int n : {1, 64, 150}) check_graph<std::int32_t, Tile<64, 8, 8>, Mi210>(with_ring(random, n, -1), true);

    // No pivot is taken that would double everything: it overflows by the end of the first tile.
    Graph g = complete(random, 150, 0);
    for (auto& e : g.edges) e.weight = -1000;
    const auto d = solve<std::int32_t, Tile<64, 8, 8>, Mi210>(g);
    for (std::size_t i = 0; i < d.extent(0); ++i)
      for (std::size_t j = 0; j < d.extent(1); ++j) REQUIRE((-5000 <= d(i, j) && d(i, j) < 0));
  }
}
