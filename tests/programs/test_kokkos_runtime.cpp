// SPDX-License-Identifier: MIT
// Kokkos is started once, by any of the threads that ask for it, and not again after its end. Calls before its start
// and after its end are refused.
#include "child.hpp"

#include <doctest/doctest.h>

#include <blockfw/apsp.hpp>
#include <blockfw/kokkos_runtime.hpp>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

namespace {

/// Checks calls that make an instance or memory of their own.
void check_refused(const std::string& state) {
  const std::string text = "Kokkos " + state +
                           ", expected a call between its start (Kokkos::ScopeGuard in main(), or "
                           "blockfw::start_kokkos()) and its end";
  const char* const expected = text.c_str();
  const std::vector<blockfw::Edge<int>> edges = {{0, 1, 5}};
  int d[4] = {};
  using Matrix = Kokkos::View<int**, Kokkos::LayoutRight, Kokkos::SharedSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  const Matrix matrix(d, 2, 2);
  CHECK_THROWS_WITH_AS(blockfw::solve(2, edges), expected, blockfw::InvalidInput);
  CHECK_THROWS_WITH_AS(blockfw::solve<blockfw::MaxMin<int>>(2, edges), expected, blockfw::InvalidInput);
  CHECK_THROWS_WITH_AS(blockfw::solve(matrix), expected, blockfw::InvalidInput);
  CHECK_THROWS_WITH_AS(blockfw::blocked_floyd_warshall(d, 2, 2), expected, blockfw::InvalidInput);
  CHECK_THROWS_WITH_AS(blockfw::blocked_floyd_warshall(matrix), expected, blockfw::InvalidInput);
  CHECK_THROWS_WITH_AS(blockfw::transitive_closure(2, edges), expected, blockfw::InvalidInput);
  CHECK_THROWS_WITH_AS(blockfw::Devices<>(), expected, blockfw::InvalidInput);
  const Folder folder;
  CHECK_THROWS_WITH_AS(blockfw::io::write_distances(folder / "d.bin", matrix), expected, blockfw::InvalidInput);
  const std::int32_t file[] = {2, 1, 0, 1, 5};
  write_file(folder / "graph", {reinterpret_cast<const char*>(file), sizeof file});
  CHECK_THROWS_WITH_AS(blockfw::io::read_binary_edges(folder / "graph"), expected, blockfw::InvalidInput);
  // Calls that do not need Kokkos still work.
  CHECK(blockfw::io::read_graph<int>(blockfw::io::InputFile("text", "0 1 5\n")).vertices == 2);
  CHECK(blockfw::SparseAnalysis(2, edges).vertices() == 2);
}

/// The error of checked_settings() for a variable of this value; empty if it accepts the value.
std::string refusal(const char* variable, const char* value) {
  const char* const before = std::getenv(variable);
  const std::string old = before == nullptr ? "" : before;
  setenv(variable, value, 1);
  std::string text;
  try {
    blockfw::checked_settings();
  } catch (const blockfw::InvalidInput& error) {
    text = error.what();
  }
  if (before == nullptr)
    unsetenv(variable);
  else
    setenv(variable, old.c_str(), 1);
  return text;
}

}  // namespace

TEST_CASE("calls before Kokkos starts") { check_refused("is not initialised"); }

#ifdef KOKKOS_ENABLE_OPENMP
TEST_CASE("more threads than Kokkos has room for, and what is no number of threads") {
  for (const std::string name : {"OMP_NUM_THREADS", "KOKKOS_NUM_THREADS"}) {
    CAPTURE(name);
    for (const std::string value : {"513", "600", "0", "-3", "abc", "3x", "99999999999", "1e2"}) {
      CAPTURE(value);
      CHECK(refusal(name.c_str(), value.c_str()) == name + " is '" + value + "', expected 1 to 512 threads");
    }
    for (const char* const value : {"1", "512", " 2 "}) CHECK(refusal(name.c_str(), value) == "");
  }
  CHECK(refusal("OMP_NUM_THREADS", "2,1") == "");
  CHECK(refusal("OMP_NUM_THREADS", "") == "");
  CHECK(refusal("KOKKOS_NUM_THREADS", "") == "KOKKOS_NUM_THREADS is '', expected 1 to 512 threads");
  for (const int threads : {0, 513})
    CHECK_THROWS_WITH_AS(blockfw::start_kokkos(Kokkos::InitializationSettings().set_num_threads(threads)),
                         ("the settings ask for " + std::to_string(threads) + " threads, expected 1 to 512").c_str(),
                         blockfw::InvalidInput);
}
#endif

TEST_CASE("threads that all ask for Kokkos find it started, and once it has ended it is refused") {
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) threads.emplace_back([] { blockfw::start_kokkos(); });
  for (std::thread& thread : threads) thread.join();
  REQUIRE(Kokkos::is_initialized());

  const std::vector<blockfw::Edge<int>> roads = {{0, 1, 5}, {1, 2, 2}, {0, 2, 9}};
  CHECK(Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, blockfw::solve(3, roads))(0, 2) == 7);

  Kokkos::finalize();
  CHECK_THROWS_WITH_AS(blockfw::start_kokkos(), "start_kokkos: Kokkos has ended, and starts once in a program",
                       blockfw::InvalidInput);
  check_refused("has ended");
}
