// SPDX-License-Identifier: MIT
// Many small graphs of different orders: the numbers of bonds between the atoms of three molecules.
// Their matrices lie one after the other. One thread, or one team of a device, solves each.
#include <blockfw/apsp.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  using Exec = Kokkos::DefaultExecutionSpace;
  const std::vector<std::pair<int, int>> bonds[] = {{{0, 1}, {1, 2}}, {{0, 1}}, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}};
  const std::vector<int> orders = {3, 2, 4};

  const auto entries = static_cast<std::size_t>(blockfw::GraphBatch<int>::entries_of(orders));
  const Kokkos::View<int*, Exec::memory_space> d("d", entries), before("before", entries);
  const auto there = Kokkos::create_mirror_view(d), by = Kokkos::create_mirror_view(before);  // on the host
  const blockfw::GraphBatch<int, Kokkos::DefaultHostExecutionSpace> filled(orders, there);
  Kokkos::deep_copy(there, blockfw::infinity<int>);
  for (int g = 0; g < 3; ++g)
    for (const auto& [a, b] : bonds[g]) filled.matrix(g)(a, b) = filled.matrix(g)(b, a) = 1;
  Kokkos::deep_copy(d, there);

  const blockfw::GraphBatch<int> molecules(orders, d);
  const auto cycles = blockfw::batched_floyd_warshall(Exec(), molecules, {.predecessors = before});
  Kokkos::deep_copy(there, d), Kokkos::deep_copy(by, before);
  for (int g = 0; g < 3; ++g) {
    const int last = filled.order(g) - 1, bonds_between = filled.matrix(g)(0, last);
    std::printf("molecule %d: %d bonds from 0 to %d, by %d\n", g, bonds_between, last, by(filled.start(g) + last));
  }
  if (cycles != std::vector<std::int64_t>(3, blockfw::no_vertex)) return 1;  // (a negative cycle: not of bonds)
}

// Output:
// molecule 0: 2 bonds from 0 to 2, by 1
// molecule 1: 1 bonds from 0 to 1, by 0
// molecule 2: 1 bonds from 0 to 3, by 0
