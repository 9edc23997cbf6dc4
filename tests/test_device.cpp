// SPDX-License-Identifier: MIT
// Orders that only a device solves fast, compared with the textbook's loops on that device.
#include "../benchmarks/graphs.hpp"
#include "spaces.hpp"

#include <doctest/doctest.h>

#include <cstdint>

namespace {

template <class T>
std::int64_t count_different(const bench::Matrix<T>& a, const bench::Matrix<T>& b) {
  const std::int64_t n = a.extent_int(0);
  std::int64_t different = 0;
  Kokkos::parallel_reduce(
      "different", Kokkos::RangePolicy<bench::Exec, Kokkos::IndexType<std::int64_t>>(0, n * n),
      KOKKOS_LAMBDA(const std::int64_t e, std::int64_t& sum) { sum += a(e / n, e % n) != b(e / n, e % n); }, different);
  return different;
}

/// Compares the library with the textbook's loops on a random graph whose lengths add up exactly in every type.
template <class T>
void check_solve(std::int64_t n, unsigned one_in) {
  CAPTURE(n);
  CAPTURE(one_in);
  const auto expected = bench::random_graph<T>(n, one_in), d = bench::random_graph<T>(n, one_in);
  bench::textbook(bench::Exec{}, expected, n);
  blockfw::blocked_floyd_warshall(d);
  CHECK(count_different<T>(d, expected) == 0);
}

}  // namespace

TEST_SUITE("orders for a device" * doctest::skip(!on_device)) {
  TEST_CASE("orders up to 10000") {
    for (const int n : {1001, 2049, 2500, 5003, 7500, 10000}) check_solve<std::int32_t>(n, 1);
    for (const int n : {1024, 4096, 7001}) check_solve<std::int32_t>(n, 200);
  }

  TEST_CASE_TEMPLATE("every type, with each of its tiles", T, std::int16_t, std::int32_t, std::int64_t, float, double) {
    for (const int n : {1500, 4001})
      for (const unsigned one_in : {1u, 100u}) check_solve<T>(n, one_in);
  }
}
