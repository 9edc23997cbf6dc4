// The time of each phase, one after the other and fenced, beside the solver's, in which they overlap.

#include "bench.hpp"

#include <CLI/CLI.hpp>

#include <array>
#include <cstdio>
#include <vector>

namespace {

/// Seconds in each phase.
using Seconds = std::array<double, 3>;

template <class T>
Seconds time_phases(const bench::Exec& exec, const bench::Matrix<T>& matrix) {
  using Phases = blockfw::Phases<blockfw::default_tile<bench::Exec, T>, bench::Exec, blockfw::MinPlus<T>>;
  const int n = matrix.extent_int(0), block = Phases::block;
  const typename Phases::Part all{blockfw::matrix_ref<bench::Exec>(matrix)};
  typename Phases::PanelStorage storage(exec, n, n, n, blockfw::LookAhead::no);
  Seconds seconds{};
  Kokkos::Timer timer;
  const auto lap = [&](std::size_t phase) {
    exec.fence();
    seconds[phase] += timer.seconds();
    timer.reset();
  };
  for (int k = 0; k * block < n; ++k) {
    const auto panels = storage.panels(all.d, k * block, k * block, std::min(block, n - k * block));
    timer.reset();
    Phases::close_pivot(exec, all, k, panels);
    lap(0);
    Phases::update_panels(exec, all, k, panels);
    lap(1);
    Phases::update_rest(exec, all, k, panels);
    lap(2);
  }
  return seconds;
}

template <class T>
void row(const char* name, const std::vector<std::int64_t>& sizes) {
  for (const std::int64_t n : sizes) {
    const auto weights = bench::random_graph<T>(n);
    const double limit = blockfw::measure_limit<T>(bench::Exec{});
    const int repetitions = bench::repetitions(n, limit);
    const double solver = bench::best_time<blockfw::detail::TunedTile>(weights, repetitions);
    Seconds phases{};
    double together = std::numeric_limits<double>::infinity();
    bench::best_time(weights, repetitions, [&](const bench::Exec& exec, const bench::Matrix<T>& d) {
      const Seconds seconds = time_phases<T>(exec, d);
      const double sum = seconds[0] + seconds[1] + seconds[2];
      if (sum < together) phases = seconds, together = sum;
    });
    std::printf("| %-6s | %6lld |", name, static_cast<long long>(n));
    for (const double seconds : phases) std::printf(" %10.2f |", seconds * 1e3);
    std::printf(" %8.2f | %9.2f | %17.2f |\n", together * 1e3, solver * 1e3, together / solver);
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  using Sizes = std::vector<std::int64_t>;
  Sizes sizes = bench::on_host ? Sizes{1000, 2000, 4000} : Sizes{1000, 2500, 5000, 10000, 20000};
  CLI::App app("Milliseconds of each phase");
  app.add_option("--sizes", sizes, "orders of the matrices")->capture_default_str();
  CLI11_PARSE(app, argc, argv);

  const Kokkos::ScopeGuard kokkos(Kokkos::InitializationSettings().set_disable_warnings(true));
  std::printf(
      "| type   |      n | phase 1 ms | phase 2 ms | phase 3 ms | together | solver ms | together / solver |\n");
  std::printf(
      "| ------ | -----: | ---------: | ---------: | ---------: | -------: | --------: | ----------------: |\n");
  row<std::int32_t>("int32", sizes);
  row<float>("float", sizes);
}
