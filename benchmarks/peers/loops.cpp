// SPDX-License-Identifier: MIT
// Floyd-Warshall as textbooks have it: three loops. With OpenMP, threads divide the rows for each k.
#include "measure.hpp"

namespace {

void floyd_warshall(int* d, int n) {
  const auto row = [=](int i) { return d + static_cast<std::ptrdiff_t>(i) * n; };
  for (int k = 0; k < n; ++k) {
    const int* row_k = row(k);
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
    for (int i = 0; i < n; ++i) {
      int* row_i = row(i);
      const int to_k = row_i[k];
      for (int j = 0; j < n; ++j) row_i[j] = std::min(row_i[j], to_k + row_k[j]);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  const Matrix matrix = read_matrix(argv[1]);
  std::vector<int> d;
  measure(argv, [&] { d = matrix.entries; }, [&] { floyd_warshall(d.data(), static_cast<int>(matrix.n)); });
  write_matrix(argv[2], d.data(), d.size());
}
