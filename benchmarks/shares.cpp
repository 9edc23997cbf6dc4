// How close the solver comes to the machine's own limit, by type and size; on a device, also how far it leaves the
// textbook's loops behind.

#include "bench.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <vector>

namespace {

template <class T>
void row(const char* name, const std::vector<std::int64_t>& sizes) {
  for (const std::int64_t n : sizes) {
    const auto weights = bench::random_graph<T>(n);
    const double before = blockfw::measure_limit<T>(bench::Exec{});
    const double seconds = bench::best_time<blockfw::detail::TunedTile>(weights, bench::repetitions(n, before));
    const double limit = std::max(before, blockfw::measure_limit<T>(bench::Exec{}));
    const double rate = bench::relaxes(n) / seconds;
    std::printf("| %-6s | %6lld | %9.2f | %8.1f | %7.1f | %5.1f%% |", name, static_cast<long long>(n), seconds * 1e3,
                rate * 1e-9, limit * 1e-9, 100 * rate / limit);
    if constexpr (!bench::on_host) {
      if (n <= 10000)
        std::printf(" %8.1f |", bench::best_time(weights, 1, bench::textbook_floyd_warshall<T>) / seconds);
      else
        std::printf("        - |");
    }
    std::printf("\n");
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  using Sizes = std::vector<std::int64_t>;
  Sizes sizes =
      bench::on_host ? Sizes{1000, 1024, 2000, 2048, 4096, 6000} : Sizes{1000, 2500, 5000, 7500, 10000, 20000, 40000};
  Sizes others = bench::on_host ? Sizes{2048, 4096} : Sizes{10000};
  CLI::App app("Share of the machine's add+min limit");
  app.add_option("--sizes", sizes, "orders of the int32 matrices")->capture_default_str();
  app.add_option("--other-sizes", others, "orders of the other types' matrices")->capture_default_str();
  CLI11_PARSE(app, argc, argv);

  const Kokkos::ScopeGuard kokkos(Kokkos::InitializationSettings().set_disable_warnings(true));
  std::printf("%s, %d threads", bench::Exec::name(), bench::Exec{}.concurrency());
  if (bench::on_host) std::printf(", %d-byte vectors", blockfw::detail::vector_bytes);
  std::printf("\n\n| type   |      n |        ms | Grelax/s |   limit |  share |%s\n",
              bench::on_host ? "" : " textbook / blockfw |");
  std::printf("| ------ | -----: | --------: | -------: | ------: | -----: |%s\n", bench::on_host ? "" : " -------: |");
  row<std::int32_t>("int32", sizes);
  row<std::int16_t>("int16", others);
  row<std::int64_t>("int64", others);
  row<float>("float", others);
  row<double>("double", others);
}
