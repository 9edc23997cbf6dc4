// Out of core beside in memory: solves of random graphs of which the device (or host) may hold a share.
//
//   out_of_core [N...] [--share S...] [--host pinned|plain|staged...] [--repeat R]
//
// The matrix is on the host: in pinned memory, or in memory that the solve pins, or that goes by way of pinned memory.
// "Times in memory" is against the one-device solver in the same run, without any copies; the distances are held
// against its own by a checksum.

#include "bench.hpp"

#include <CLI/CLI.hpp>
#include <blockfw/out_of_core.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <limits>
#include <string>
#include <vector>

namespace {

using T = std::int32_t;
using Host = Kokkos::DefaultHostExecutionSpace;
using Pinned = Kokkos::View<T**, Kokkos::LayoutRight, Kokkos::SharedHostPinnedSpace>;
using Plain = Kokkos::View<T**, Kokkos::LayoutRight, Kokkos::HostSpace>;

/// The graph of bench::fill_random(), filled by the host.
template <class View>
void fill_on_host(const View& d) {
  const auto n = static_cast<std::int64_t>(d.extent(1));
  Kokkos::parallel_for("random_graph", Kokkos::RangePolicy<Host, Kokkos::IndexType<std::int64_t>>(0, n),
                       [=](std::int64_t i) {
                         for (std::int64_t j = 0; j < n; ++j) {
                           const std::uint64_t random = bench::random_at(static_cast<std::uint64_t>(i * n + j));
                           d(i, j) = i == j ? T(0) : static_cast<T>(1 + (random >> 32) % 100);
                         }
                       });
  Host().fence();
}

struct Result : bench::Result {
  blockfw::OutOfCoreStats stats;
};

template <class View>
Result out_of_core(std::int64_t n, const blockfw::OutOfCoreOptions& options, int repeat) {
  Result result;
  const auto order = static_cast<std::size_t>(n);
  const View d(Kokkos::view_alloc("distances", Kokkos::WithoutInitializing), order, order);
  for (int r = 0; r < repeat; ++r) {
    fill_on_host(d);
    const Kokkos::Timer timer;
    const auto stats = blockfw::out_of_core_floyd_warshall(bench::Exec{}, d, options);
    if (const double seconds = timer.seconds(); seconds < result.seconds) {
      result.seconds = seconds;
      result.stats = stats;
    }
  }
  result.sum = bench::checksum(Host{}, d);
  return result;
}

double rate(double bytes, double seconds) { return seconds > 0 ? bytes * 1e-9 / seconds : 0; }

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Out of core beside in memory");
  std::vector<std::int64_t> orders{4096};
  std::vector<double> shares{0.25};
  std::vector<std::string> hosts{"pinned", "plain", "staged"};
  int repeat = 1;
  app.add_option("N", orders, "orders")->capture_default_str();
  app.add_option("--share", shares, "what part of the matrix the budget is")->capture_default_str();
  app.add_option("--host", hosts, "memory of the host")
      ->check(CLI::IsMember({"pinned", "plain", "staged"}))
      ->capture_default_str();
  app.add_option("--repeat", repeat, "solves, of which the fastest counts")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  const Kokkos::ScopeGuard kokkos(Kokkos::InitializationSettings().set_disable_warnings(true));

  try {
    for (const std::int64_t n : orders) {
      const bench::Result memory = bench::solve_in_memory<T>(n, repeat);
      std::printf("n = %lld: %.3f s in memory, %.0f Grelax/s\n", static_cast<long long>(n), memory.seconds,
                  bench::relaxes(n) * 1e-9 / memory.seconds);
      std::printf("%6s %7s %8s %7s %9s %9s %8s %9s %9s %9s %9s %9s %9s %s\n", "share", "host", "GB used", "rows",
                  "seconds", "times", "prepared", "waited", "load s", "GB/s", "store s", "GB/s", "GB moved",
                  "checksum");
      std::fflush(stdout);
      for (const double share : shares)
        for (const std::string& host : hosts) {
          const blockfw::OutOfCoreOptions options{
              .memory = share * double(n) * double(n) * sizeof(T), .negative = false, .pin = host == "plain"};
          const Result result = host == "pinned" ? out_of_core<Pinned>(n, {options.memory, false, true, {}}, repeat)
                                                 : out_of_core<Plain>(n, options, repeat);
          const auto& s = result.stats;
          std::printf("%6.3f %7s %8.2f %7lld %9.3f %9.3f %8.3f %9.3f %9.3f %9.2f %9.3f %9.2f %9.1f %016llx%s\n", share,
                      host.c_str(), s.memory * 1e-9, static_cast<long long>(s.chunk_rows), result.seconds,
                      result.seconds / memory.seconds, s.preparing_seconds, s.waiting_seconds, s.load_seconds,
                      rate(s.loaded, s.load_seconds), s.store_seconds, rate(s.stored, s.store_seconds),
                      (s.loaded + s.stored) * 1e-9, static_cast<unsigned long long>(result.sum),
                      result.sum == memory.sum ? "" : " WRONG");
          std::fflush(stdout);
        }
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "out_of_core: %s\n", error.what());
    return 1;
  }
}
