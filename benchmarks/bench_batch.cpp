// SPDX-License-Identifier: MIT
// Many small graphs at once, by type and order. A full plan on a device also varies the tile shape; the defaults of
// blockfw/batch.hpp come from there.

#include "bench.hpp"

#include <blockfw/batch.hpp>

#include <algorithm>

namespace {

using bench::Exec, bench::Orders, bench::Plan;
using blockfw::detail::GraphTile;
using blockfw::detail::TileList;

template <class T>
using Graphs = Kokkos::View<T***, Kokkos::LayoutRight, typename Exec::memory_space>;

/// Graphs for a twentieth of a second at the limit; at least 100, at most 0.5 GB (device: 2 GB), which no cache holds.
template <class T>
std::int64_t graphs_of(std::int64_t n, double limit) {
  const double by_work = 0.05 * limit / bench::relaxes(n), bytes = static_cast<double>(n * n) * sizeof(T);
  const double most = (bench::on_host ? 5e8 : 2e9) / bytes;
  return static_cast<std::int64_t>(std::clamp(by_work, 100.0, std::max(100.0, most)));
}

template <class T, class Solve>
void run(benchmark::State& state, std::int64_t n, const Solve& solve) {
  const Exec exec;
  const double limit = bench::limit_now<T>();
  const std::int64_t graphs = graphs_of<T>(n, limit);
  const auto order = static_cast<std::size_t>(n);
  const Graphs<T> d("graphs", static_cast<std::size_t>(graphs), order, order);
  const Kokkos::View<T**, Kokkos::LayoutRight, typename Exec::memory_space> rows(d.data(), d.extent(0) * order, order);
  bench::measure(state, exec, [&] { bench::fill_random(exec, rows, 0); }, [&] { solve(exec, d); });
  const auto count = static_cast<double>(graphs);
  bench::count_relaxes<T>(state, count * bench::relaxes(n), limit);
  state.counters["graphs"] = count;
  state.counters["bytes"] = 2 * count * static_cast<double>(n * n) * sizeof(T);
}

template <class T>
void add_type(const Orders& orders) {
  for (const std::int64_t n : orders)
    bench::add("batch/" + bench::type_name<T>, {{"n", n}}, [n](benchmark::State& state) {
      run<T>(state, n, [](const Exec& exec, const Graphs<T>& d) { blockfw::batched_floyd_warshall(exec, d); });
    });
}

template <class T, int Block, int Rows, int Cols, int Step, int Teams>
void add_shape(std::int64_t n, GraphTile<Block, Rows, Cols, Step, Teams>) {
  using Shape = GraphTile<Block, Rows, Cols, Step, Teams>;
  if (n > Block || n <= Block / 2 || (n <= 96 && Block > 96)) return;
  bench::add("batch/" + bench::type_name<T>,
             {{"block", Block}, {"rows", Rows}, {"cols", Cols}, {"step", Step}, {"teams", Teams}, {"n", n}},
             [n](benchmark::State& state) {
               run<T>(state, n, [](const Exec& exec, const Graphs<T>& d) {
                 blockfw::detail::close_graphs<Shape, blockfw::MinPlus<T>>(exec, blockfw::detail::batch_of<Exec>(d));
               });
             });
}

template <class T, class... Shapes>
void add_shapes(const Orders& orders, TileList<Shapes...>) {
  for ([[maybe_unused]] const std::int64_t n : orders) (add_shape<T>(n, Shapes()), ...);
}

// Block, register tile, pivots a step, teams a multiprocessor.
#if defined(BLOCKFW_BUILT_FOR_DEVICE)
using Words = TileList<GraphTile<16, 2, 4, 2, 32>, GraphTile<16, 4, 4, 2, 32>, GraphTile<32, 8, 8, 2, 16>,
                       GraphTile<32, 8, 4, 4, 16>, GraphTile<64, 8, 8, 2, 10>, GraphTile<64, 16, 4, 2, 8>,
                       GraphTile<64, 16, 8, 2, 10>, GraphTile<64, 16, 8, 4, 8>, GraphTile<96, 12, 12, 2, 4>,
                       GraphTile<112, 16, 8, 2, 3>, GraphTile<128, 8, 8, 2, 2>, GraphTile<128, 16, 4, 2, 2>>;
using Halves = TileList<GraphTile<64, 16, 4, 2, 8>, GraphTile<64, 16, 8, 2, 8>, GraphTile<64, 16, 8, 4, 8>,
                        GraphTile<64, 8, 8, 2, 8>, GraphTile<64, 8, 8, 4, 8>, GraphTile<96, 12, 6, 2, 4>,
                        GraphTile<128, 16, 4, 2, 2>, GraphTile<128, 16, 8, 2, 2>>;
using LongWords = TileList<GraphTile<96, 12, 4, 2, 2>, GraphTile<128, 16, 4, 2, 1>>;
#else
using Words = TileList<>;
using Halves = TileList<>;
using LongWords = TileList<>;
#endif

}  // namespace

void bench::add_batch(Plan plan) {
  if (plan == Plan::quick) return add_type<std::int32_t>({64});
  const Orders orders = of<std::int64_t>(plan, {}, {16, 32, 64, 128, 256}, {8, 16, 32, 64, 96, 100, 128, 200, 256});
  add_type<std::int32_t>(orders);
  if (plan != Plan::full) return;
  add_type<std::int16_t>(orders);
  add_type<float>(orders);
  add_type<std::int64_t>(orders);
  add_type<double>(orders);
  add_shapes<std::int32_t>(orders, Words());
  add_shapes<std::int16_t>(orders, Halves());
  add_shapes<std::int64_t>(orders, LongWords());
}
