// SPDX-License-Identifier: MIT
// A semiring of your own: the widest path, which is as wide as its narrowest edge. (blockfw has it, too, as MaxMin.)
// Bridges carry so many tons; which is the heaviest lorry that gets from one bank to another?
#include <blockfw/apsp.hpp>

#include <cstdio>
#include <vector>

struct Widest {
  using value_type = float;
  // No path: neutral for ⊕; a path joined to it by ⊗ is no path.
  static KOKKOS_FUNCTION constexpr float zero() { return 0; }
  // The empty path: neutral for ⊗.
  static KOKKOS_FUNCTION constexpr float one() { return 1e30F; }
  // c ⊕ (a ⊗ b), of numbers and of vectors.
  template <class V>
  static KOKKOS_FORCEINLINE_FUNCTION constexpr V relax(V c, V a, V b) {
    return blockfw::larger(blockfw::smaller(a, b), c);
  }
  // Whether a cycle gets better each time around.
  static KOKKOS_FORCEINLINE_FUNCTION constexpr bool diverges(float) { return false; }
};

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const int n = 4;
  const std::vector<blockfw::Edge<float>> bridges = {{0, 1, 40}, {1, 2, 7.5F}, {0, 2, 3}, {2, 3, 12}};

  auto width = blockfw::solve<Widest>(n, bridges);

  const auto tons = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, width);
  for (int to = 1; to < n; ++to) std::printf("from 0 to %d: %4.1f t\n", to, blockfw::entry_at(tons, 0, to));
  std::printf("from 3 to 0: %4.1f t\n", blockfw::entry_at(tons, 3, 0));
}

// Output:
// from 0 to 1: 40.0 t
// from 0 to 2:  7.5 t
// from 0 to 3:  7.5 t
// from 3 to 0:  0.0 t
