// SPDX-License-Identifier: MIT
// A solve reports its progress, and its caller may stop it: an exception of the function of progress ends the work. The
// graph is a ring of 1000 stations, one minute from each to the next.
#include <blockfw/apsp.hpp>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <vector>

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  constexpr int n = 1000;
  std::vector<blockfw::Edge<int>> edges;
  edges.reserve(n);
  for (int station = 0; station < n; ++station) edges.push_back({station, (station + 1) % n, 1});

  std::atomic<bool> wanted = true;  // for a signal handler, or another thread
  const blockfw::Progress stop = [&](std::int64_t, std::int64_t) {
    if (!wanted) throw std::runtime_error("stopped");
  };
  const auto distance = blockfw::solve(n, edges, {.progress = stop});
  std::printf("solved: a matrix of %d rows\n", int(distance.extent(0)));

  wanted = false;
  try {
    blockfw::solve(n, edges, {.progress = stop});
  } catch (const std::runtime_error& reason) {
    std::printf("%s\n", reason.what());
  }
}

// Output:
// solved: a matrix of 1000 rows
// stopped
