// What the peers written in C++ share: PROGRAM MATRIX RESULT, both n x n 32-bit integers; the seconds go to stdout.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
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

/// The best time of up to five runs, no more once five seconds are spent; prepare() is not timed.
template <class Prepare, class Solve>
double best_seconds(const Prepare& prepare, const Solve& solve) {
  double best = std::numeric_limits<double>::infinity(), spent = 0;
  for (int run = 0; run < 5 && spent < 5; ++run) {
    prepare();
    const auto start = std::chrono::steady_clock::now();
    solve();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    best = std::min(best, seconds);
    spent += seconds;
  }
  return best;
}
