// What fewer bits, half the work and other semirings make of the same random graph, and what paths cost, in one run:
// ratios to the int32 shortest paths of a directed graph, and to the machine's limit of add + min.
//
//   gains [N...]

#include "bench.hpp"

#include <CLI/CLI.hpp>
#include <blockfw/paths.hpp>
#include <blockfw/transitive_closure.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

using bench::Exec;

/// Seconds of solve() without its first step, the fastest of several.
template <class S, class T>
double best(const bench::Matrix<T>& weights, const blockfw::SolveOptions& options, T heaviest = 100) {
  return bench::best_time(weights, 5, [&](const Exec& exec, const bench::Matrix<T>& d) {
    blockfw::solve_distances<S>(exec, d, blockfw::WeightRange<T>{1, heaviest}, options);
  });
}

struct Table {
  std::int64_t n;
  double base, limit;

  void line(const char* what, double seconds) const {
    std::printf("%8lld %-44s %10.3f ms, %6.3f of int32's speed, %5.1f%% of its limit\n", static_cast<long long>(n),
                what, 1e3 * seconds, base / seconds, 100 * bench::relaxes(n) / seconds / limit);
    std::fflush(stdout);
  }
};

/// In place, as the library's function has it.
template <class S>
double in_place(const bench::Matrix<typename S::value_type>& weights) {
  return bench::best_time(weights, 5,
                          [](const Exec& exec, const auto& d) { blockfw::blocked_floyd_warshall(exec, d, S{}); });
}

/// Four edges from each vertex.
void scatter_bits(const blockfw::BitMatrix<Exec>& bits) {
  const auto words = bits.words();
  const std::int64_t n = bits.size();
  Kokkos::deep_copy(Exec{}, words, 0u);
  Kokkos::parallel_for(
      "scatter", Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(Exec{}, 0, 4 * n),
      KOKKOS_LAMBDA(std::int64_t e) {
        const auto to =
            static_cast<std::int64_t>(bench::random_at(static_cast<std::uint64_t>(e)) % static_cast<std::uint64_t>(n));
        Kokkos::atomic_or(&words(e / 4, to / 32), 1u << to % 32);
      });
}

/// What paths cost besides the solve, which took so many seconds, and all predecessors.
void print_paths(const bench::Matrix<std::int32_t>& weights, double solve) {
  const Exec exec;
  const auto d = blockfw::solve(exec, weights);
  const blockfw::Paths paths(exec, d, weights);
  const auto nothing = [] {};
  const double listing = bench::best_of(3, nothing, [&] { blockfw::Paths(exec, d, weights); });
  const double all = bench::best_of(3, nothing, [&] { paths.predecessors(); });
  const std::int64_t tight = paths.tight_edges();
  std::printf("%8lld %-44s %10.3f ms, %5.2f%% of the solve in as few bits as do\n", static_cast<long long>(d.extent(0)),
              ("paths: " + std::to_string(tight) + " tight edges").c_str(), 1e3 * listing, 100 * listing / solve);
  std::printf("%8lld %-44s %10.3f ms, %5.2f%%\n", static_cast<long long>(d.extent(0)), "all predecessors", 1e3 * all,
              100 * all / solve);
  std::fflush(stdout);
}

void print_lines(std::int64_t n) {
  using T = std::int32_t;
  using MinPlus = blockfw::MinPlus<T>;
  const auto directed = bench::random_graph<T>(n), symmetric = bench::random_graph<T>(n);
  blockfw::detail::mirror(Exec{}, symmetric);

  const blockfw::SolveOptions wide{.narrow = false};
  Table table{n, best<MinPlus>(directed, wide), blockfw::measure_limit<T>(Exec{})};
  table.line("32 bits, directed", table.base);
  table.line("32 bits, undirected", best<MinPlus>(symmetric, wide));
  double fewest = table.base;
  for (const T scale : {1, 100}) {  // (Longer distances, for a host has 8 bits, too.)
    blockfw::SolveReport report;
    blockfw::SolveOptions narrow;
    narrow.report = &report;
    const auto line = [&](const char* direction, const bench::Matrix<T>& weights) {
      const double seconds = best<MinPlus>(bench::scaled(weights, scale), narrow, T(100 * scale));
      table.line(("as few bits as do: " + std::to_string(report.bits) + ", " + direction).c_str(), seconds);
      fewest = std::min(fewest, seconds);
    };
    line("directed", directed);
    if (scale == 1) print_paths(directed, fewest);
    line("undirected", symmetric);
    if (!bench::on_host) break;
  }

  const blockfw::BitMatrix<Exec> bits(Exec{}, n);
  const double closure =
      bench::best_of(5, [&] { scatter_bits(bits); }, [&] { blockfw::transitive_closure(Exec{}, bits); });
  table.line("transitive closure, 32 a word", closure);

  const auto reals = bench::random_graph<float>(n);
  table.line("shortest paths, float", in_place<blockfw::MinPlus<float>>(reals));
  table.line("longest paths, int32", in_place<blockfw::MaxPlus<T>>(bench::scaled(directed, -1)));
  table.line("widest paths, int32", in_place<blockfw::MaxMin<T>>(directed));
  table.line("widest paths, float", in_place<blockfw::MaxMin<float>>(reals));
  table.line("bottlenecks, int32", in_place<blockfw::MinMax<T>>(directed));
  table.line("most reliable paths, float", in_place<blockfw::MaxTimes<float>>(bench::scaled(reals, 0.01f)));
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("What fewer bits, half the work and other semirings make of a graph");
  std::vector<std::int64_t> orders{4096};
  app.add_option("N", orders, "orders")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  const Kokkos::ScopeGuard kokkos(Kokkos::InitializationSettings().set_disable_warnings(true));
  for (const std::int64_t n : orders) print_lines(n);
}
