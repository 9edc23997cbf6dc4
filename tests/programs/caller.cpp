// SPDX-License-Identifier: MIT
// Calls apsp() as the program of a course does, which does not use Kokkos: on memory of its own, first from another
// thread, then from the main one. It then returns from main().
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include "apsp.hpp"

#include <doctest/doctest.h>

#if defined(WITH_CUDA)
#include <cuda_runtime_api.h>
#elif defined(WITH_HIP)
#include <hip/hip_runtime_api.h>
#endif

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

namespace {

using Matrix = std::vector<int>;

/// The device's memory, or the host's.
#if defined(WITH_CUDA)
bool allocate(int** p, std::size_t bytes) { return cudaMalloc(reinterpret_cast<void**>(p), bytes) == cudaSuccess; }
bool copy(int* to, const int* from, std::size_t bytes) {
  return cudaMemcpy(to, from, bytes, cudaMemcpyDefault) == cudaSuccess;
}
bool release(int* p) { return cudaFree(p) == cudaSuccess; }
#elif defined(WITH_HIP)
bool allocate(int** p, std::size_t bytes) { return hipMalloc(reinterpret_cast<void**>(p), bytes) == hipSuccess; }
bool copy(int* to, const int* from, std::size_t bytes) {
  return hipMemcpy(to, from, bytes, hipMemcpyDefault) == hipSuccess;
}
bool release(int* p) { return hipFree(p) == hipSuccess; }
#else
bool allocate(int** p, std::size_t bytes) {
  *p = new int[bytes / sizeof(int)];
  return true;
}
bool copy(int* to, const int* from, std::size_t bytes) {
  std::memcpy(to, from, bytes);
  return true;
}
bool release(int* p) {
  delete[] p;
  return true;
}
#endif

Matrix complete_graph(int n) {
  Matrix graph(static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
  std::mt19937 random(1);
  for (int& weight : graph) weight = static_cast<int>(1 + random() % 100'000);
  for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) graph[i * static_cast<std::size_t>(n) + i] = 0;
  return graph;
}

Matrix three_loops(std::size_t n, Matrix d) {
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) d[i * n + j] = std::min(d[i * n + j], d[i * n + k] + d[k * n + j]);
  return d;
}

bool solves(int n) {
  const Matrix graph = complete_graph(n);
  const std::size_t bytes = graph.size() * sizeof(int);
  Matrix result(graph.size());
  int* memory = nullptr;
  if (!allocate(&memory, bytes) || !copy(memory, graph.data(), bytes)) return false;
  apsp(n, memory);
  return copy(result.data(), memory, bytes) && release(memory) &&
         result == three_loops(static_cast<std::size_t>(n), graph);
}

}  // namespace

TEST_CASE("a caller that does not use Kokkos, first from another thread") {
  bool first = false;
  std::thread([&] { first = solves(300); }).join();
  CHECK(first);
  CHECK(solves(200));
}
