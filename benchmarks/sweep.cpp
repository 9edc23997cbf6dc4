// Times tile shapes; the defaults of blockfw/tile.hpp come from here.

#include "bench.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <vector>

namespace {

template <class T, int Block, int Rows, int Vectors>
void shape(const bench::Matrix<T>& weights, double limit) {
  constexpr int cols = Vectors * blockfw::detail::vector_bytes / static_cast<int>(sizeof(T));
  if constexpr (Block % Rows == 0 && Block % cols == 0) {
    const auto n = static_cast<std::int64_t>(weights.extent(0));
    const double seconds = bench::best_time<blockfw::Tile<Block, Rows, cols>>(weights, bench::repetitions(n, limit));
    const double rate = static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n) / seconds;
    std::printf(" %5.1f%% |", 100 * rate / limit);
  } else {
    std::printf("      - |");
  }
  std::fflush(stdout);
}

template <class T, int Rows, int Vectors>
void blocks(const bench::Matrix<T>& weights, double limit) {
  std::printf("| %d x %d |", Rows, Vectors);
  shape<T, 64, Rows, Vectors>(weights, limit);
  shape<T, 96, Rows, Vectors>(weights, limit);
  shape<T, 128, Rows, Vectors>(weights, limit);
  shape<T, 192, Rows, Vectors>(weights, limit);
  shape<T, 256, Rows, Vectors>(weights, limit);
  std::printf("\n");
}

template <class T>
void sweep(const char* name, std::int64_t n) {
  const double limit = blockfw::measure_limit<T>(bench::Exec{});
  const auto weights = bench::random_graph<T>(n);
  std::printf("\n%s, n = %lld, limit %.1f Grelax/s\n\n", name, static_cast<long long>(n), limit * 1e-9);
  std::printf("| rows x vectors |  64 |  96 | 128 | 192 | 256 |\n| --- | ---: | ---: | ---: | ---: | ---: |\n");
  blocks<T, 4, 2>(weights, limit);
  blocks<T, 8, 1>(weights, limit);
  blocks<T, 8, 2>(weights, limit);
  blocks<T, 12, 2>(weights, limit);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::int64_t> sizes = {1024, 2048, 4096};
  CLI::App app("Share of the machine's limit by tile shape");
  app.add_option("--sizes", sizes, "orders of the matrices")->capture_default_str();
  CLI11_PARSE(app, argc, argv);

  const Kokkos::ScopeGuard kokkos(Kokkos::InitializationSettings().set_disable_warnings(true));
  for (const std::int64_t n : sizes) {
    sweep<std::int16_t>("int16", n);
    sweep<std::int32_t>("int32", n);
    sweep<float>("float", n);
    sweep<double>("double", n);
  }
}
