// SPDX-License-Identifier: MIT
// Loops, reductions and copies of a host, whose bodies are called by an address. Every index is visited once, in ranges
// and matrices of any size. Instances have any number of threads, and loops run inside other loops.
#include "spaces.hpp"

#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/detail/loops/threads.hpp"
#include "blockfw/detail/matrices/copies.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace {

namespace detail = blockfw::detail;
using Host = Kokkos::DefaultHostExecutionSpace;

/// An instance with all threads, and one or two instances with fewer threads.
std::vector<Host> instances() {
  std::vector<Host> all{Host()};
  for (const Host& part : Kokkos::Experimental::partition_space(Host(), std::vector<int>{1, 1})) all.push_back(part);
  return all;
}

constexpr std::int64_t sizes[] = {0, 1, 2, 3, 7, 1023, 1024, 1025, 2049};

template <class T>
using Matrix = Kokkos::View<T**, Kokkos::LayoutRight, Kokkos::HostSpace>;
template <class T>
using Columns = Kokkos::View<T**, Kokkos::LayoutLeft, Kokkos::HostSpace>;

/// d(i, j) = 3i + 5j
template <class View>
void number(const View& d) {
  for (std::size_t i = 0; i < d.extent(0); ++i)
    for (std::size_t j = 0; j < d.extent(1); ++j) d(i, j) = static_cast<typename View::value_type>(3 * i + 5 * j);
}

template <class View>
bool is_numbered(const View& d) {
  for (std::size_t i = 0; i < d.extent(0); ++i)
    for (std::size_t j = 0; j < d.extent(1); ++j)
      if (d(i, j) != static_cast<typename View::value_type>(3 * i + 5 * j)) return false;
  return true;
}

}  // namespace

TEST_CASE("loops and reductions: each index once") {
  for (const Host& exec : instances())
    for (const std::int64_t begin : {-5, 0, 3})
      for (const std::int64_t count : sizes) {
        std::vector<int> calls(static_cast<std::size_t>(count));
        detail::for_range("range", exec, begin, begin + count,
                          [&](std::int64_t i) { ++calls[static_cast<std::size_t>(i - begin)]; });
        CHECK(std::count(calls.begin(), calls.end(), 1) == count);
        std::int64_t sum = -1, most = -1;
        detail::reduce_range(
            "sum", exec, begin, begin + count,
            [](std::int64_t i, std::int64_t& all, std::int64_t& largest) {
              all += i;
              largest = std::max(largest, i);
            },
            sum, Kokkos::Max<std::int64_t>(most));
        CHECK(sum == count * begin + count * (count - 1) / 2);
        if (count > 0) CHECK(most == begin + count - 1);
      }
  int calls = 0;
  detail::for_range("none", Host(), 5, 2, [&](std::int64_t) { ++calls; });
  CHECK(calls == 0);
}

TEST_CASE("loops over a matrix: each pair once, whatever its shape") {
  for (const Host& exec : instances())
    for (const std::int64_t rows : {0, 1, 3, 70})
      for (const std::int64_t columns : sizes) {
        std::vector<int> calls(static_cast<std::size_t>(rows * columns));
        detail::for_square("square", exec, rows, columns,
                           [&](std::int64_t i, std::int64_t j) { ++calls[static_cast<std::size_t>(i * columns + j)]; });
        CHECK(std::count(calls.begin(), calls.end(), 1) == rows * columns);
      }
}

TEST_CASE("loops: over teams, and inside tasks of another instance") {
  using Teams = Kokkos::TeamPolicy<Host, Kokkos::IndexType<std::int64_t>>;
  for (const Host& exec : instances()) {
    std::vector<int> calls(100);
    detail::for_teams("teams", Teams(exec, 100, Kokkos::AUTO),
                      [&](const Teams::member_type& team) { ++calls[static_cast<std::size_t>(team.league_rank())]; });
    CHECK(std::count(calls.begin(), calls.end(), 1) == 100);
    std::int64_t sum = 0;
    detail::reduce_teams(
        "sum", Teams(exec, 100, Kokkos::AUTO),
        [](const Teams::member_type& team, std::int64_t& all) { all += team.league_rank(); }, sum);
    CHECK(sum == 4950);
    std::atomic<int> inner = 0;
    detail::for_tasks(exec, 5, "tasks", [&](std::int64_t task) { inner += static_cast<int>(task); });
    CHECK(inner == 10);
  }
}

TEST_CASE_TEMPLATE("copies of rows: any layout, with gaps", T, std::int8_t, std::int16_t, std::int32_t, double) {
  for (const Host& exec : instances())
    for (const std::size_t rows : {0u, 1u, 3u, 33u})
      for (const std::size_t columns : {0u, 1u, 5u, 1025u}) {
        const Matrix<T> from("from", rows, columns), to("to", rows, columns), wide("wide", rows, columns + 3);
        const Columns<T> left("left", rows, columns);
        const auto part = Kokkos::subview(wide, Kokkos::ALL, Kokkos::pair<std::size_t, std::size_t>(1, 1 + columns));
        number(from);
        detail::copy_rows(exec, to, from);
        CHECK(is_numbered(to));
        detail::copy_rows(exec, part, from);
        CHECK(is_numbered(part));
        detail::copy_rows(exec, left, part);
        CHECK(is_numbered(left));
        for (std::size_t i = 0; i < rows; ++i) CHECK((wide(i, 0) == T(0) && wide(i, columns + 1) == T(0)));
        detail::fill_matrix(exec, part, T(7));
        for (std::size_t i = 0; i < rows; ++i)
          for (std::size_t j = 0; j < columns + 3; ++j)
            if (wide(i, j) != (j > 0 && j <= columns ? T(7) : T(0))) FAIL("entry ", i, ", ", j);
        detail::copy_array(exec, to, to);  // onto itself
        CHECK(is_numbered(to));
      }
}

TEST_CASE("copies: refused between other shapes") {
  const Matrix<int> small("small", 2, 3), large("large", 3, 3);
  CHECK_THROWS_WITH_AS(detail::copy_rows(Host(), small, large),
                       "the matrix 'large' is 3 x 3, expected 2 x 3 as 'small'", blockfw::InvalidInput);
  CHECK_THROWS_WITH_AS(detail::copy_array(Host(), small, large),
                       "the array 'large' has 9 elements and 'small' 6, expected equal numbers without gaps",
                       blockfw::InvalidInput);
}
