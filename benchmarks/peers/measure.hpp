// SPDX-License-Identifier: MIT
// Shared by the peers written in C++, called as PROGRAM MATRIX RESULT RUNS SECONDS. The two files hold n x n integers
// of 32 bits; every run's seconds go to stdout, on one line.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <vector>

struct Matrix {
  std::size_t n = 0;
  std::vector<int> entries;
};

inline Matrix read_matrix(const char* path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const auto bytes = static_cast<std::size_t>(file.tellg());
  Matrix matrix{static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(bytes / sizeof(int))))), {}};
  matrix.entries.resize(bytes / sizeof(int));
  file.seekg(0);
  file.read(reinterpret_cast<char*>(matrix.entries.data()), static_cast<std::streamsize>(bytes));
  return matrix;
}

inline void write_matrix(const char* path, const int* entries, std::size_t count) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(entries), static_cast<std::streamsize>(count * sizeof(int)));
}

/// Prints the seconds of each run: RUNS of them, fewer once SECONDS are spent, at least one. prepare() is not timed.
template <class Prepare, class Solve>
void measure(char** argv, const Prepare& prepare, const Solve& solve) {
  const int runs = std::atoi(argv[3]);
  const double enough = std::atof(argv[4]);
  double spent = 0;
  for (int run = 0; run == 0 || (run < runs && spent < enough); ++run) {
    prepare();
    const auto start = std::chrono::steady_clock::now();
    solve();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::printf("%.9g ", seconds);
    spent += seconds;
  }
  std::printf("\n");
}
