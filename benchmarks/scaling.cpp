// Several devices beside one: solves of random graphs by 1, 2, ... of them, and by the one-device solver, in one run.
//
//   scaling [N...] [--devices D...] [--on-each S] [--repeat R]
//
// Every line's distances are held against the first one's by a checksum. "Speed-up" is against the one-device solver.

#include "bench.hpp"

#include <CLI/CLI.hpp>
#include <blockfw/multi_device.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <limits>
#include <vector>

namespace {

using T = std::int32_t;

using bench::checksum, bench::Result;

Result several(const std::vector<bench::Exec>& devices, std::int64_t n, int repeat) {
  Result result;
  blockfw::RowBlocks<T> d(devices, n);
  for (int r = 0; r <= repeat; ++r) {
    for (int s = 0; s < d.shares(); ++s) {
      bench::fill_random(d.exec(s), d.view(s), d.first_row(s));
      d.exec(s).fence();
    }
    const Kokkos::Timer timer;
    d.floyd_warshall(false);
    if (r > 0) result.seconds = std::min(result.seconds, timer.seconds());
  }
  for (int s = 0; s < d.shares(); ++s) result.sum += checksum(d.exec(s), d.view(s), d.first_row(s));
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Several devices beside one");
  std::vector<std::int64_t> orders{4096};
  std::vector<int> counts{1, 2};
  int on_each = 1, repeat = 2;
  app.add_option("N", orders, "orders")->capture_default_str();
  app.add_option("--devices", counts, "how many devices")->capture_default_str();
  app.add_option("--on-each", on_each, "shares on each device")->capture_default_str();
  app.add_option("--repeat", repeat, "solves, of which the fastest counts")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  const Kokkos::ScopeGuard kokkos(Kokkos::InitializationSettings().set_disable_warnings(true));

  try {
    const double limit = blockfw::measure_limit<T>(bench::Exec{}) * 1e-9;
    std::printf("limit of one device %.0f Grelax/s (int32)\n", limit);
    std::printf("%8s %8s %8s %10s %9s %9s %s\n", "n", "devices", "shares", "ms", "of limit", "speed-up", "checksum");
    for (const std::int64_t n : orders) {
      const auto line = [&](int devices, int shares, const Result& result, const Result& one) {
        std::printf("%8lld %8d %8d %10.2f %8.1f%% %9.3f %016llx%s\n", static_cast<long long>(n), devices, shares,
                    1e3 * result.seconds, 100 * bench::relaxes(n) * 1e-9 / result.seconds / limit / devices,
                    one.seconds / result.seconds, static_cast<unsigned long long>(result.sum),
                    result.sum == one.sum ? "" : " WRONG");
        std::fflush(stdout);
      };
      const Result one = bench::solve_in_memory<T>(n, repeat);
      line(1, 0, one, one);
      for (const int count : counts) {
        std::vector<blockfw::Devices<bench::Exec>> devices;
        std::vector<bench::Exec> shares;
        for (int s = 0; s < on_each; ++s) devices.emplace_back(count);
        for (int d = 0; d < count; ++d)
          for (const auto& some : devices) shares.push_back(some.list()[static_cast<std::size_t>(d)]);
        line(count, count * on_each, several(shares, n, repeat), one);
      }
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "scaling: %s\n", error.what());
    return 1;
  }
}
