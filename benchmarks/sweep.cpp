// Times tile shapes; the defaults of blockfw/tile.hpp come from here.

#include "bench.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <utility>
#include <vector>

namespace {

using Blocks = std::conditional_t<bench::on_host, std::integer_sequence<int, 64, 96, 128, 192, 256>,
                                  std::integer_sequence<int, 32, 64, 128>>;

/// Whether the shape exists, and on a device whether its teams and their register tiles are of a size to be tried.
template <class T>
constexpr bool makes_sense(int block, int rows, int cols) {
  if (block % rows != 0 || block % cols != 0) return false;
  const int threads = block / rows * (block / cols), bytes = rows * cols * static_cast<int>(sizeof(T));
  return bench::on_host || (threads >= 64 && threads <= 512 && bytes <= 256);
}

template <class T, int Block, int Rows, int Cols>
void shape(const bench::Matrix<T>& weights, double limit) {
  if constexpr (makes_sense<T>(Block, Rows, Cols)) {
    const std::int64_t n = weights.extent_int(0);
    const double seconds = bench::best_time<blockfw::Tile<Block, Rows, Cols>>(weights, bench::repetitions(n, limit));
    std::printf(" %5.1f%% |", 100 * bench::relaxes(n) / seconds / limit);
  } else {
    std::printf("      - |");
  }
  std::fflush(stdout);
}

template <class T, int Rows, int Cols, int... Block>
void blocks(const bench::Matrix<T>& weights, double limit, std::integer_sequence<int, Block...>) {
  std::printf("| %d x %d |", Rows, Cols);
  (shape<T, Block, Rows, Cols>(weights, limit), ...);
  std::printf("\n");
}

template <class T>
void sweep(const char* name, std::int64_t n) {
  constexpr int lanes = blockfw::detail::vector_bytes / static_cast<int>(sizeof(T));
  const double limit = blockfw::measure_limit<T>(bench::Exec{});
  const auto weights = bench::random_graph<T>(n);
  std::printf("\n%s, n = %lld, limit %.1f Grelax/s\n\n", name, static_cast<long long>(n), limit * 1e-9);
  []<int... Block>(std::integer_sequence<int, Block...>) {
    std::printf("| rows x columns |");
    (std::printf(" %d |", Block), ...);
    std::printf("\n| --- |");
    ((std::printf(" ---: |"), void(Block)), ...);
    std::printf("\n");
  }(Blocks());
  if constexpr (bench::on_host) {
    blocks<T, 4, 2 * lanes>(weights, limit, Blocks());
    blocks<T, 8, lanes>(weights, limit, Blocks());
    blocks<T, 8, 2 * lanes>(weights, limit, Blocks());
    blocks<T, 12, 2 * lanes>(weights, limit, Blocks());
  } else {
    blocks<T, 4, 4>(weights, limit, Blocks());
    blocks<T, 4, 8>(weights, limit, Blocks());
    blocks<T, 8, 4>(weights, limit, Blocks());
    blocks<T, 8, 8>(weights, limit, Blocks());
  }
}

}  // namespace

int main(int argc, char** argv) {
  using Sizes = std::vector<std::int64_t>;
  Sizes sizes = bench::on_host ? Sizes{1024, 2048, 4096} : Sizes{1000, 2500, 5000, 10000, 20000};
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
