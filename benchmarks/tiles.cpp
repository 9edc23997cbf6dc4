// SPDX-License-Identifier: MIT
// Blocking factors and register tiles; the defaults of blockfw/detail/kernel/tuned_tiles.hpp come from here.

#include "bench.hpp"

#include <type_traits>

namespace {

using bench::Exec, bench::Orders, bench::Plan;
using blockfw::Tile;

template <class TileShape, class T>
void run(benchmark::State& state, std::int64_t n) {
  const auto weights = bench::kept_random_graph<T>(n);
  const Exec exec;
  bench::measure_solve(state, weights,
                       [&](const Exec&, const auto& d) { blockfw::blocked_floyd_warshall<TileShape>(exec, d); });
  bench::count_relaxes<T>(state, bench::relaxes(n));

  const auto d = blockfw::allocate_distances<T>(exec, n);
  Kokkos::deep_copy(exec, d, weights);
  state.counters["phase3"] = bench::time_phases<TileShape, T>(exec, d)[2];
  if constexpr (!bench::on_host) {
    using Phases = bench::PhasesOf<TileShape, T>;
    state.counters["resident"] = double(Phases::teams_at_once(exec)) * Phases::team_size / exec.concurrency();
  }
}

template <class T, class... Shapes>
void add_shapes(const Orders& orders) {
  for (const std::int64_t n : orders)
    (bench::add("tiles/" + bench::type_name<T>,
                {{"block", Shapes::block},
                 {"rows", bench::KernelOf<Shapes, T>::rows},
                 {"cols", bench::KernelOf<Shapes, T>::cols},
                 {"n", n}},
                [n](benchmark::State& state) { run<Shapes, T>(state, n); }),
     ...);
}

#if defined(BLOCKFW_BUILT_FOR_DEVICE)
template <class T>
void add_type(const Orders& orders) {
  add_shapes<T, Tile<8, 2, 2>, Tile<16, 2, 2>, Tile<16, 4, 4>, Tile<32, 2, 2>, Tile<32, 4, 4>, Tile<64, 4, 4>,
             Tile<64, 8, 4>, Tile<128, 8, 4>>(orders);
  // (For larger types, register tiles of this size would spill.)
  if constexpr (sizeof(T) <= 4) add_shapes<T, Tile<64, 8, 8>, Tile<128, 8, 8>>(orders);
}
#else
template <class T>
void add_type(const Orders& orders) {
  add_shapes<T, Tile<64>, Tile<128>, Tile<256>>(orders);
  // (Each shape takes seconds to compile.)
  if constexpr (std::is_same_v<T, std::int32_t>) {
    constexpr int vector_width = bench::vector_bytes / static_cast<int>(sizeof(T));
    add_shapes<T, Tile<8>, Tile<16>, Tile<32>, Tile<128, 4, 2 * vector_width>, Tile<128, 8, vector_width>,
               Tile<192, 12, 2 * vector_width>>(orders);
  }
}
#endif

}  // namespace

void bench::add_tiles(Plan plan) {
  const Orders orders = on_host ? of<std::int64_t>(plan, {1024}, {1024, 2048}, {1024, 2048, 4096})
                                : of<std::int64_t>(plan, {2500}, {2500, 5000, 10000}, {1000, 2500, 5000, 10000});
  add_type<std::int32_t>(orders);
  if (plan != Plan::full) return;
  const Orders others{on_host ? 2048 : 10000};
  add_type<std::int16_t>(others);
  add_type<float>(others);
  add_type<double>(others);
}
