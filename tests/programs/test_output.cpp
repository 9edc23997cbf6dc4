// SPDX-License-Identifier: MIT
// Writes results from any memory to the homework's file: through buffers, with prepared pages or without them. Also
// tests refusals.
#include "../../programs/program.hpp"
#include "child.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <blockfw/io/binary_edges.hpp>
#include <blockfw/solve.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace {

using blockfw::io::OutputFile;
using doctest::Contains;
using Space = Kokkos::DefaultExecutionSpace;

/// Some distances, and the numbers that the file must hold for them.
template <class T>
struct Example {
  blockfw::DistanceMatrix<T, Space> d;
  std::vector<std::int32_t> expected;

  explicit Example(std::size_t n) : d("d", n, n), expected(n * n) {
    const auto on_host = Kokkos::create_mirror_view(d);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        const bool none = (i + j) % 5 == 0;
        expected[i * n + j] = none ? blockfw::infinity<std::int32_t> : static_cast<std::int32_t>(1000 * i + j) - 7;
        on_host(i, j) = none ? blockfw::infinity<T> : static_cast<T>(expected[i * n + j]);
      }
    Kokkos::deep_copy(d, on_host);
  }

  std::string bytes() const {
    return {reinterpret_cast<const char*>(expected.data()), expected.size() * sizeof(std::int32_t)};
  }
};

/// The bytes of the file that `write` makes.
template <class Write>
std::string written(std::size_t bytes, bool prepared, const Write& write) {
  const Folder folder;
  OutputFile file(folder / "out", bytes);
  if (prepared) file.prepare();
  write(file);
  CHECK(folder.files().empty());
  file.commit();
  CHECK(folder.files().size() == 1);
  return read_file(folder / "out");
}

}  // namespace

TEST_CASE_TEMPLATE("rows of distances: written through buffers of any size", T, std::int32_t, std::int64_t) {
  for (const std::size_t n : {1u, 2u, 61u, 200u}) {
    CAPTURE(n);
    const Example<T> example(n);
    const std::size_t row = n * sizeof(T);
    for (const bool prepared : {false, true}) {
      CHECK(written(n * n * 4, prepared, [&](OutputFile& file) {
              blockfw::io::write_binary_distances(file, example.d);
            }) == example.bytes());
      // Less than a row; one row; three rows and a part of one; half of the rows; all; more.
      for (const std::size_t bytes : {std::size_t(1), row, 3 * row + 1, n / 2 * row, n * row, 10 * n * row}) {
        CAPTURE(bytes);
        CHECK(written(n * n * 4, prepared, [&](OutputFile& file) {
                CHECK(blockfw::io::detail::append_through_buffers(file, Space(), example.d, 0, bytes) >= 0);
              }) == example.bytes());
      }
    }
  }
}

TEST_CASE("a distance that 32 bits cannot hold: named, whatever its buffer") {
  const Example<std::int64_t> example(50);
  const auto entry = Kokkos::subview(example.d, 33, 21);
  Kokkos::deep_copy(entry, std::int64_t(1) << 31);
  const Folder folder;
  for (const std::size_t bytes : {1u, 4000u, 1u << 20}) {
    OutputFile file(folder / "out", 10000);
    CHECK_THROWS_WITH_AS(blockfw::io::detail::append_through_buffers(file, Space(), example.d, 0, bytes),
                         "the distance from 33 to 21 is 2147483648, which the output's 32 bits cannot hold",
                         blockfw::OverflowRisk);
  }
  CHECK(folder.files().empty());
}

TEST_CASE("what is not all of a matrix") {
  const Example<std::int32_t> example(20);
  const auto part = Kokkos::subview(example.d, Kokkos::pair(0, 10), Kokkos::pair(0, 10));
  std::string expected;
  for (std::size_t i = 0; i < 10; ++i) expected += example.bytes().substr(i * 80, 40);
  CHECK(written(400, false, [&](OutputFile& file) {
          blockfw::io::detail::append_through_buffers(file, Space(), part, 0, 100);
        }) == expected);
  OutputFile file("/dev/null", 400);
  CHECK_THROWS_WITH_AS(
      blockfw::io::write_binary_distances(file, Kokkos::subview(example.d, Kokkos::pair(0, 10), Kokkos::ALL)),
      Contains("not a square matrix"), blockfw::InvalidInput);
}

TEST_CASE("a file may be prepared at any time") {
  const std::string text(3'000'001, 'x');
  for (const bool prepared : {false, true})
    CHECK((written(text.size(), prepared, [&](OutputFile& file) {
             file.write(text.data(), 5'000);
             file.prepare();
             file.write(text.data(), text.size() - 5'000);
           }) == text));
  CHECK(written(0, true, [](OutputFile&) {}) == "");

  OutputFile device("/dev/null", 5);
  device.prepare();
  device.write("hello", 5);
  device.commit();
}

TEST_CASE("a file has as many bytes as were announced") {
  const Folder folder;
  for (const bool prepared : {false, true}) {
    OutputFile longer(folder / "out", 5), shorter(folder / "out", 5);
    if (prepared) longer.prepare(), shorter.prepare();
    CHECK_THROWS_WITH_AS(longer.write("hello!", 6), Contains("out: cannot write: more than the 5 bytes"),
                         blockfw::FileError);
    shorter.write("hell", 4);
    CHECK_THROWS_WITH_AS(shorter.commit(), Contains("out: cannot write: only 4 of the 5 bytes"), blockfw::FileError);
  }
  CHECK(folder.files().empty());
}

TEST_CASE("more than the memory is refused before it is asked for") {
  const Space exec;
  const auto what = std::string("the distances of 20000000 vertices need 1600000.0 GB of ") +
                    (blockfw::is_host_space<Space> ? "" : "device ") + "memory, ";
  CHECK_THROWS_WITH_AS(blockfw::allocate_distances<std::int32_t>(exec, 20'000'000), Contains(what.c_str()),
                       blockfw::OutOfMemory);
  CHECK_NOTHROW(blockfw::detail::require_memory(exec, "some bytes", 1, 0));
  CHECK_THROWS_AS(blockfw::detail::require_memory(exec, "some bytes", 1, 1e18), blockfw::OutOfMemory);
}

TEST_CASE("edges come to where they can be reached") {
  using Edges = Kokkos::View<blockfw::Edge<int>*, Kokkos::HostSpace>;
  const Edges edges("edges", 3);
  edges(2) = {1, 2, 3};
  const auto there = blockfw::reachable_edges(Space{}, edges);
  const auto back = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, there);
  CHECK(back.extent(0) == 3);
  CHECK(back(2).weight == 3);
  if (blockfw::is_host_space<Space>) CHECK(static_cast<const void*>(there.data()) == edges.data());
}

TEST_CASE("a speed stands beside a limit, in percent unless it is above the limit") {
  const blockfw::SolveReport all, half{.half = true};
  const auto beside = [](double limit, const blockfw::SolveReport& report) {
    return program::speed_beside(limit, "this machine's", 1000, 0.1, report, "int32, 2 threads");
  };
  CHECK(beside(20e9, all) == "10.0 Grelax/s, 50% of this machine's limit of 20.0 (int32, 2 threads)");
  CHECK(beside(20e9, half) == "5.0 Grelax/s, 25% of this machine's limit of 20.0 (int32, 2 threads)");
  CHECK(beside(10e9, all) == "10.0 Grelax/s, 100% of this machine's limit of 10.0 (int32, 2 threads)");
  CHECK(beside(45e6, all) ==
        "10.0 Grelax/s, above this machine's limit as measured, 0.0: other work has probably slowed that measurement "
        "(int32, 2 "
        "threads)");
}

TEST_CASE("the host has a time of its own while the rounds are under way") {
  int calls = 0;
  const std::vector<blockfw::Edge<int>> edges = {{0, 1, 5}, {1, 2, 2}};
  const auto d = blockfw::solve(3, edges, {.meanwhile = [&] { ++calls; }});
  CHECK(calls == 1);
  CHECK(Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, d)(0, 2) == 7);
}
