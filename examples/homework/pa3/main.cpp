// SPDX-License-Identifier: MIT
// Times apsp() on random complete graphs and compares it with the naive solver, one kernel a pivot:
//
//   pa3 [N...]

#include "apsp.hpp"

#include "../../../programs/command_line.hpp"

#include <CLI/CLI.hpp>
#include <Kokkos_Core.hpp>
#include <blockfw/kokkos_runtime.hpp>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <vector>

namespace {

using Graph = Kokkos::View<int**, Kokkos::LayoutRight>;
using Square = Kokkos::MDRangePolicy<Kokkos::Rank<2, Kokkos::Iterate::Right, Kokkos::Iterate::Right>>;

constexpr int heaviest = 100'000, largest = 10'000;  // their product is below "no path"

/// A pseudo-random number, always the same for the same edge.
KOKKOS_INLINE_FUNCTION std::uint32_t scramble(std::uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;  // the finish of splitmix64
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return static_cast<std::uint32_t>(x >> 32);
}

/// Weights from 1 to the heaviest, 0 on the diagonal.
void fill(const Graph& graph, std::uint64_t seed) {
  const int n = graph.extent_int(0);
  Kokkos::parallel_for(
      "pa3::fill", Square({0, 0}, {n, n}), KOKKOS_LAMBDA(int i, int j) {
        const std::uint64_t edge =
            (seed << 32) + static_cast<std::uint64_t>(i) * largest + static_cast<unsigned>(j) + 1;
        graph(i, j) = i == j ? 0 : static_cast<int>(1 + scramble(edge * 0x9e3779b97f4a7c15) % heaviest);
      });
  Kokkos::fence();
}

/// The solver that the course compares with: a launch for each pivot, a thread for each entry, in squares of 32 x 32
/// where a team can be that large.
void solve_naively(const Graph& graph) {
  using Policy = Kokkos::TeamPolicy<Kokkos::IndexType<int>>;
  const int n = graph.extent_int(0), side = 32, squares = (n + side - 1) / side;
  for (int k = 0; k < n; ++k)
    Kokkos::parallel_for(
        "pa3::naive", Policy(squares * squares, Kokkos::AUTO), KOKKOS_LAMBDA(const Policy::member_type& team) {
          const int row = team.league_rank() / squares * side, col = team.league_rank() % squares * side;
          Kokkos::parallel_for(Kokkos::TeamThreadRange(team, side * side), [&](int entry) {
            const int i = row + entry / side, j = col + entry % side;
            if (i < n && j < n) graph(i, j) = Kokkos::min(graph(i, j), graph(i, k) + graph(k, j));
          });
        });
  Kokkos::fence();
}

std::int64_t count_differences(const Graph& a, const Graph& b) {
  const int n = a.extent_int(0);
  std::int64_t different = 0;
  Kokkos::parallel_reduce(
      "pa3::compare", Square({0, 0}, {n, n}),
      KOKKOS_LAMBDA(int i, int j, std::int64_t& sum) { sum += a(i, j) != b(i, j); }, different);
  return different;
}

/// Prints a line. \return whether both solvers agree
bool compare(int n) {
  const auto order = static_cast<std::size_t>(n);
  const Graph graph("graph", order, order), expected("expected", order, order);
  constexpr int rounds = 2;
  double seconds = 0;
  for (int round = 0; round <= rounds; ++round) {  // the first to warm up
    fill(graph, order);
    const Kokkos::Timer timer;
    apsp(n, graph.data());
    if (round > 0) seconds += timer.seconds() / rounds;
  }
  fill(expected, order);
  const Kokkos::Timer timer;
  solve_naively(expected);
  const double naive = timer.seconds();
  const bool equal = count_differences(graph, expected) == 0;
  std::printf("%6d %10.6f %10.6f %7.1f   %s\n", n, seconds, naive, naive / seconds, equal ? "equal" : "DIFFERENT");
  std::fflush(stdout);
  return equal;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<int> orders = {500, 1000, 2000};
  CLI::App app("apsp() beside the naive solver, on random complete graphs");
  app.add_option("N", orders, "vertices")->check(CLI::Range(1, largest))->capture_default_str();
  try {
    program::parse(app, argc, argv);
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    std::fprintf(stderr, "pa3: %s\n", error.what());
    return 2;
  }

  try {
    const Kokkos::ScopeGuard kokkos(
        blockfw::checked_settings(Kokkos::InitializationSettings().set_disable_warnings(true)));
    std::printf("     n          s    naive s   ratio\n");
    bool equal = true;
    for (const int n : orders) equal = compare(n) && equal;
    return equal ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "pa3: %s\n", error.what());
    return 1;
  }
}
