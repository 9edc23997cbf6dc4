// SPDX-License-Identifier: MIT
// apsp, or apsp-mpi on a few ranks, and graphs for their tests.
#pragma once

#include "cases.hpp"

#include <doctest/doctest.h>

#include <random>
#include <sstream>
#include <string>
#include <vector>

struct Apsp : Program {
#ifdef APSP_MPI
  Apsp() : Program(APSP_MPI, {MPIEXEC, MPIEXEC_COUNT}) {}
#else
  Apsp() : Program(APSP) {}
#endif
};

inline const std::string overflowing = "0 1 1000000000\n1 2 1000000000\n";

/// A town of side x side crossings: streets both ways, of all lengths from 1 to 9, and some one way.
inline std::string streets(int side) {
  std::mt19937 random(7);
  std::ostringstream file;
  const auto street = [&](int from, int to) { file << from << ' ' << to << ' ' << 1 + random() % 9 << '\n'; };
  for (int v = 0; v < side * side; ++v) {
    if (v % side < side - 1) street(v, v + 1), street(v + 1, v);
    if (v + side < side * side) street(v, v + side);
    if (v + side < side * side && v % 3 != 0) street(v + side, v);
  }
  return file.str();
}

/// The option that solves a town by elimination. Without it a device solves a town of 625 crossings by the dense
/// method.
inline const std::string sparse = HAS_DEVICE ? " --method sparse" : "";

/// A graph of n vertices in which each has `edges` edges: too many for an elimination.
inline std::string crowd(unsigned n, unsigned edges, unsigned heaviest) {
  std::mt19937 random(3);
  std::ostringstream file;
  for (unsigned v = 0; v < n; ++v)
    for (unsigned e = 0; e < edges; ++e) {
      const unsigned to = static_cast<unsigned>(random() % n);
      file << v << ' ' << to << ' ' << random() % heaviest << '\n';
    }
  return file.str();
}

/// Edges between vertices 1 and 2, 3 and 4, and so on: no vertex can be left out.
inline std::string pairs(int count) {
  std::string file = "p sp " + std::to_string(2 * count) + ' ' + std::to_string(count) + '\n';
  for (int v = 1; v <= 2 * count; v += 2) file += "a " + std::to_string(v) + ' ' + std::to_string(v + 1) + " 1\n";
  return file;
}
