// How close the solver comes to the machine's own limit, by type and size.

#include "bench.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <vector>

template <class T>
void row(const char* name, const std::vector<std::int64_t>& sizes) {
  for (const std::int64_t n : sizes) {
    const double before = blockfw::measure_limit<T>(bench::Exec{});
    const double seconds =
        bench::best_time<blockfw::detail::TunedTile>(bench::random_graph<T>(n), bench::repetitions(n, before));
    const double limit = std::max(before, blockfw::measure_limit<T>(bench::Exec{}));
    const double rate = static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n) / seconds;
    std::printf("| %-6s | %6lld | %9.2f | %7.1f | %7.1f | %5.1f%% |\n", name, static_cast<long long>(n), seconds * 1e3,
                rate * 1e-9, limit * 1e-9, 100 * rate / limit);
    std::fflush(stdout);
  }
}

int main(int argc, char** argv) {
  std::vector<std::int64_t> sizes = {1000, 1024, 2000, 2048, 4096, 6000}, others = {2048, 4096};
  CLI::App app("Share of the machine's add+min limit");
  app.add_option("--sizes", sizes, "orders of the int32 matrices")->capture_default_str();
  app.add_option("--other-sizes", others, "orders of the other types' matrices")->capture_default_str();
  CLI11_PARSE(app, argc, argv);

  const Kokkos::ScopeGuard kokkos(Kokkos::InitializationSettings().set_disable_warnings(true));
  std::printf("%s, %d threads, %d-byte vectors\n\n", bench::Exec::name(), bench::Exec{}.concurrency(),
              blockfw::detail::vector_bytes);
  std::printf("| type   |      n |        ms | Grelax/s |   limit | share |\n");
  std::printf("| ------ | -----: | --------: | ------: | ------: | -----: |\n");
  row<std::int32_t>("int32", sizes);
  row<std::int16_t>("int16", others);
  row<std::int64_t>("int64", others);
  row<float>("float", others);
  row<double>("double", others);
}
