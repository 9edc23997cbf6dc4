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

/// A sum that no wrong entry is likely to leave as it is.
template <class Exec, class View>
std::uint64_t checksum(const Exec& exec, const View& d) {
  const auto n = static_cast<std::int64_t>(d.extent(1));
  std::uint64_t sum = 0;
  Kokkos::parallel_reduce(
      "checksum", Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(exec, 0, n * n),
      KOKKOS_LAMBDA(std::int64_t e, std::uint64_t& part) {
        part += static_cast<std::uint64_t>(d(e / n, e % n)) * bench::random_at(static_cast<std::uint64_t>(e));
      },
      sum);
  return sum;
}

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

struct Result {
  double seconds = std::numeric_limits<double>::infinity();
  std::uint64_t sum = 0;
  blockfw::OutOfCoreStats stats;
};

Result in_memory(std::int64_t n, int repeat) {
  Result result;
  const bench::Exec exec;
  const auto d = blockfw::allocate_distances<T>(exec, n);
  for (int r = 0; r <= repeat; ++r) {
    bench::fill_random(exec, d, 0);
    exec.fence();
    const Kokkos::Timer timer;
    blockfw::blocked_floyd_warshall(exec, d);
    exec.fence();
    if (r > 0) result.seconds = std::min(result.seconds, timer.seconds());  // the first warms up
  }
  result.sum = checksum(exec, d);
  return result;
}

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
  result.sum = checksum(Host{}, d);
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
      const Result memory = in_memory(n, repeat);
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
