// Many small graphs at once: how much of the machine's limit, by order and, if asked, by the shape of the tile.
//
//   batch [--sizes N...] [--graphs G] [--shapes]

#include "bench.hpp"

#include <CLI/CLI.hpp>
#include <blockfw/batch.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <vector>

namespace {

using bench::Exec;
using blockfw::Tile;
using blockfw::detail::GraphTile;
using blockfw::detail::TileList;

template <class T>
using Graphs = Kokkos::View<T***, Kokkos::LayoutRight, typename Exec::memory_space>;

/// Work for a twentieth of a second or so at best, but no more than 2 GB.
template <class T>
std::int64_t graphs_of(std::int64_t n, double limit) {
  const double by_work = 0.05 * limit / bench::relaxes(n), bytes = static_cast<double>(n * n) * sizeof(T);
  return static_cast<std::int64_t>(std::clamp(by_work, 100.0, std::max(100.0, 2e9 / bytes)));
}

template <class T, class Solve>
double best_time(const Graphs<T>& d, const Solve& solve) {
  const Exec exec;
  const Kokkos::View<T**, Kokkos::LayoutRight, typename Exec::memory_space> rows(d.data(), d.extent(0) * d.extent(1),
                                                                                 d.extent(2));
  return bench::best_of(5, [&] { bench::fill_random(exec, rows, 0); }, [&] { solve(exec, d); });
}

template <class T>
void print_line(const char* type, const char* tile, const Graphs<T>& d, double limit, double seconds) {
  const auto graphs = static_cast<double>(d.extent(0));
  const auto n = static_cast<std::int64_t>(d.extent(1));
  std::printf("| %-6s | %5lld | %7.0f | %-20s | %9.3f | %8.1f | %5.1f%% |\n", type, static_cast<long long>(n), graphs,
              tile, 1e3 * seconds, 2e-9 * graphs * static_cast<double>(n * n) * sizeof(T) / seconds,
              100 * graphs * bench::relaxes(n) / seconds / limit);
  std::fflush(stdout);
}

template <class T, int Block, int Rows, int Cols, int Step, int Teams>
void shape(const char* type, const Graphs<T>& d, double limit, GraphTile<Block, Rows, Cols, Step, Teams>) {
  using Shape = GraphTile<Block, Rows, Cols, Step, Teams>;
  if (d.extent_int(1) > Block || d.extent_int(1) <= Block / 2 || (d.extent_int(1) <= 96 && Block > 96)) return;
  char name[32];
  std::snprintf(name, sizeof name, "%d, %d x %d, %d, %d", Block, Rows, Cols, Step, Teams);
  print_line(type, name, d, limit, best_time<T>(d, [](const Exec& exec, const Graphs<T>& batch) {
               blockfw::detail::close_graphs<Shape, T>(exec, blockfw::detail::batch_of<Exec>(batch));
             }));
}

template <class T, class... Shapes>
void batches(const char* type, const std::vector<std::int64_t>& sizes, std::int64_t graphs, bool shapes,
             TileList<Shapes...>) {
  const double limit = blockfw::measure_limit<T>(Exec{});
  for (const std::int64_t n : sizes) {
    const auto order = static_cast<std::size_t>(n);
    const std::int64_t count = graphs > 0 ? graphs : graphs_of<T>(n, limit);
    const Graphs<T> d("graphs", static_cast<std::size_t>(count), order, order);
    print_line(type, "the default", d, limit, best_time<T>(d, [](const Exec& exec, const Graphs<T>& batch) {
                 blockfw::batched_floyd_warshall(exec, batch);
               }));
    if (shapes) (shape<T>(type, d, limit, Shapes()), ...);
  }
}

// Block, register tile, pivots a step, teams a multiprocessor.
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
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

int main(int argc, char** argv) {
  std::vector<std::int64_t> sizes{8, 16, 32, 64, 96, 100, 128, 200, 256};
  std::int64_t graphs = 0;
  bool shapes = false;
  CLI::App app("Share of the machine's limit for batches of small graphs");
  app.add_option("--sizes", sizes, "orders of the matrices")->capture_default_str();
  app.add_option("--graphs", graphs, "how many; else work for a twentieth of a second")->check(CLI::PositiveNumber);
  app.add_flag("--shapes", shapes, "other tiles than the default, too");
  CLI11_PARSE(app, argc, argv);

  const Kokkos::ScopeGuard kokkos(Kokkos::InitializationSettings().set_disable_warnings(true));
  std::printf("| type   |     n |  graphs | tile                 |        ms |     GB/s | limit's |\n");
  std::printf("| ------ | ----: | ------: | -------------------- | --------: | -------: | ------: |\n");
  batches<std::int32_t>("int32", sizes, graphs, shapes, Words());
  batches<std::int16_t>("int16", sizes, graphs, shapes, Halves());
  batches<float>("float", sizes, graphs, false, TileList<>());
  batches<std::int64_t>("int64", sizes, graphs, shapes, LongWords());
  batches<double>("double", sizes, graphs, false, TileList<>());
}
