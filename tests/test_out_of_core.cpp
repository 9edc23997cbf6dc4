// SPDX-License-Identifier: MIT
// Out-of-core solves with little memory: any budget, any order, stopped at any step and resumed.
#include "folder.hpp"
#include "graphs.hpp"
#include "spaces.hpp"

#include "blockfw/io/distance_file.hpp"
#include "blockfw/out_of_core.hpp"

#include <unistd.h>
#include <limits>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

namespace {

using blockfw::OutOfCoreOptions;
using doctest::Contains;
using Exec = Kokkos::DefaultExecutionSpace;
using Host = Kokkos::DefaultHostExecutionSpace;
constexpr int block = 8;
using Small = blockfw::Tile<block>;

namespace fs = std::filesystem;
using blockfw::io::DistanceFile;

template <class T>
blockfw::detail::HostRows rows_of(const HostMatrix<T>& d) {
  const auto n = static_cast<std::int64_t>(d.extent(0));
  return {d.data(), n, n};
}

template <class T>
using SmallPhases = blockfw::Phases<Small, Host, blockfw::MinPlus<T>>;

/// Solves on a host as a device does, by copies, in chunks of `height` tiles.
template <class T>
blockfw::OutOfCoreStats solve_copied(const blockfw::detail::HostRows& rows, int height,
                                     const OutOfCoreOptions& options = {}, std::int64_t pivots = 0) {
  return blockfw::detail::solve_chunks<blockfw::detail::Copied<Host>>(
      Host{}, blockfw::detail::numbers_of<SmallPhases<T>, Host>, rows, {rows.order(), block, height}, options, pivots);
}

struct Stop {};

/// Options that stop a solve after `calls` calls of progress.
OutOfCoreOptions stop_after(int& calls, double memory = 0) {
  return {.solve = {.progress =
                        [&calls](std::int64_t, std::int64_t) {
                          if (calls-- == 0) throw Stop{};
                        }},
          .memory = memory};
}

/// The least memory that is allowed: chunks have the height of one tile.
template <class T>
double least_memory(std::int64_t n) {
  const auto chunks = blockfw::detail::Chunks{n, block, 1};
  return blockfw::detail::bytes_of<blockfw::detail::TiledPhases<Small, Exec, blockfw::MinPlus<T>>>(chunks, !on_device);
}

const std::set<std::string> only_out = {"out"}, work = {"out.part", "out.part.state"};

template <class T>
HostMatrix<T> read_matrix(const fs::path& path, int n) {
  const HostMatrix<T> d("d", static_cast<std::size_t>(n), static_cast<std::size_t>(n));
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(d.data()), static_cast<std::streamsize>(d.size() * sizeof(T)));
  REQUIRE(fs::file_size(path) == d.size() * sizeof(T));
  return d;
}

template <class T>
Kokkos::View<blockfw::Edge<T>*, Kokkos::HostSpace> edge_view(const Graph& g) {
  const auto edges = edges_of<T>(g);
  const Kokkos::View<blockfw::Edge<T>*, Kokkos::HostSpace> view("edges", edges.size());
  std::copy(edges.begin(), edges.end(), view.data());
  return view;
}

/// Solves in a DistanceFile.
template <class T>
HostMatrix<T> solve_in_file(const Graph& g, double memory = 0) {
  const Folder folder(in_memory());
  {
    DistanceFile<T> file(folder / "out", g.n, "a graph");
    CHECK_FALSE(file.filled());
    file.fill(edge_view<T>(g));
    CHECK(file.filled());
    CHECK(folder.files() == work);
    try {
      file.template solve<Small>(Exec{}, {.memory = memory});
    } catch (const blockfw::NegativeCycle&) {
      CHECK(folder.files().empty());
      throw;
    }
    CHECK(folder.files() == work);
    file.commit();
  }
  CHECK(folder.files() == only_out);
  return read_matrix<T>(folder / "out", g.n);
}

}  // namespace

TEST_CASE_TEMPLATE("chunks: any order, any height", T, ALL_TYPES) {
  Random random(1);
  for (const int n : {1, 2, block - 1, block, block + 1, 3 * block, 61, 97}) {
    const Graph g = scattered(random, n, 4 * n, 0, heaviest(n));
    const auto expected = oracle::distances(g);
    for (const int height : {1, 2, 3, 5, 20}) {
      CAPTURE(n);
      CAPTURE(height);
      const auto d = host_matrix<T>(g);
      const auto stats = solve_copied<T>(rows_of(d), height, {.negative = false});
      CHECK(difference(d, expected) == "");
      CHECK(stats.chunk_rows == std::min(n, height * block));
      CHECK(stats.stored >= double(n) * n * sizeof(T));
    }
    const auto d = host_matrix<T>(g);
    blockfw::out_of_core_floyd_warshall<Small>(Exec{}, d);
    CHECK(difference(d, expected) == "");
  }
}

TEST_CASE("the tuned tile; no vertex") {
  Random random(2);
  const Graph g = scattered(random, 700, 3000, 0, 1000);
  const auto expected = oracle::distances(g);
  for (const bool pin : {false, true}) {
    const auto d = host_matrix<std::int32_t>(g);
    blockfw::out_of_core_floyd_warshall(Exec{}, d, {.pin = pin});
    CHECK(difference(d, expected) == "");
  }
  const HostMatrix<float> none("none", 0, 0);
  CHECK(blockfw::out_of_core_floyd_warshall(Exec{}, none).chunks == 0);
  const auto refuses = [&](const OutOfCoreOptions& options, const char* option) {
    CHECK_THROWS_WITH_AS(blockfw::out_of_core_floyd_warshall(Exec{}, none, options), Contains(option),
                         blockfw::InvalidInput);
    CHECK_THROWS_WITH_AS(blockfw::out_of_core_floyd_warshall<blockfw::MinPlus<float>>(Exec{}, none, options),
                         Contains(option), blockfw::InvalidInput);
  };
  blockfw::SolveReport report;
  refuses({.solve = {.direction = blockfw::Direction::undirected}}, "the option direction is set");
  refuses({.solve = {.method = blockfw::Method::sparse}}, "the option method is Method::sparse, expected automatic or");
  refuses({.solve = {.strict_cycles = true}},
          "the option strict_cycles is set, which out_of_core_floyd_warshall() does not use");
  refuses({.solve = {.meanwhile = [] {}}}, "the option meanwhile is set");
  refuses({.solve = {.report = &report}}, "the option report is set");
  const Folder folder(in_memory());
  DistanceFile<float> file(folder / "out", 0, "no graph");
  file.fill(edge_view<float>({0, {}}));
  file.solve(Exec{});
}

TEST_CASE("memory: any size from the least on") {
  const int n = 20 * block + 3;
  Random random(3);
  const Graph g = scattered(random, n, 5 * n, 0, 1000);
  const auto expected = oracle::distances(g);
  const double least = least_memory<std::int32_t>(n);
  int rows = 0;
  for (const double memory : {least, least + 1, 1.1 * least, 1.5 * least, 2 * least, 5 * least, 1e8}) {
    CAPTURE(memory);
    const auto d = host_matrix<std::int32_t>(g);
    const auto stats = blockfw::out_of_core_floyd_warshall<Small>(Exec{}, d, {.memory = memory});
    CHECK(stats.memory <= memory);
    CHECK(stats.chunk_rows >= rows);
    rows = static_cast<int>(stats.chunk_rows);
    CHECK(difference(d, expected) == "");
  }
  CHECK(rows == 3 * block);  // there are at least seven chunks, of one height

  const auto d = host_matrix<std::int32_t>(g);
  for (const double memory : {1.0, 1e3, least - 1})
    CHECK_THROWS_WITH_AS(blockfw::out_of_core_floyd_warshall<Small>(Exec{}, d, {.memory = memory}),
                         Contains("163 vertices out of core need at least "), blockfw::OutOfMemory);
  const double infinite = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  for (const double memory : {-1.0, infinite, -infinite, nan}) {
    CAPTURE(memory);
    const auto text = "the memory to solve in is " + std::to_string(memory) +
                      ", expected bytes, or 0 for nine tenths of the available memory";
    const auto none = host_matrix<std::int32_t>(Graph{});
    for (const auto& matrix : {d, none})
      CHECK_THROWS_WITH_AS(blockfw::out_of_core_floyd_warshall<Small>(Exec{}, matrix, {.memory = memory}), text.c_str(),
                           blockfw::InvalidInput);
    CHECK_THROWS_WITH_AS(blockfw::require_out_of_core<float>(Exec{}, 10, memory), text.c_str(), blockfw::InvalidInput);
  }
  CHECK_THROWS_AS(blockfw::require_out_of_core<float>(Exec{}, 100'000'000, 1e9), blockfw::OutOfMemory);
  CHECK_THROWS_WITH_AS(blockfw::require_out_of_core<float>(Exec{}, 3'000'000'000, 1e9), Contains("3000000000"),
                       blockfw::InvalidInput);
}

TEST_CASE("views: contiguous rows or columns") {
  const int n = 50;
  const auto order = static_cast<std::size_t>(n);
  Random random(4);
  const Graph g = scattered(random, n, 4 * n, 0, 1000);
  const auto expected = oracle::distances(g);
  const auto check = [&](const auto& d) {
    fill(d, g);
    for (std::size_t i = 0; i < order; ++i) d(i, i) = static_cast<int>(i);  // counts as 0
    blockfw::out_of_core_floyd_warshall<Small>(Exec{}, d);
    CHECK(difference(d, expected) == "");
  };
  const HostMatrix<int> padded("padded", order + 1, order + 9);
  Kokkos::deep_copy(padded, -7);
  check(Kokkos::subview(padded, Kokkos::pair(1, n + 1), Kokkos::pair(2, n + 2)));
  int touched = 0;
  for (std::size_t i = 0; i <= order; ++i)
    for (std::size_t j = 0; j < order + 9; ++j) touched += padded(i, j) != -7 && (i < 1 || j < 2 || j >= order + 2);
  CHECK(touched == 0);
  check(Kokkos::View<int**, Kokkos::LayoutLeft, Kokkos::HostSpace>("left", order, order));
  check(Kokkos::View<int**, Kokkos::LayoutRight, Kokkos::SharedHostPinnedSpace>("pinned", order, order));

  const Kokkos::View<int**, Kokkos::LayoutStride, Kokkos::HostSpace> apart("apart",
                                                                           Kokkos::LayoutStride(order, 200, order, 2));
  CHECK_THROWS_WITH_AS(blockfw::out_of_core_floyd_warshall(Exec{}, apart),
                       Contains("'apart' has neither contiguous rows nor contiguous columns"), blockfw::InvalidInput);
  CHECK_THROWS_AS(blockfw::out_of_core_floyd_warshall(Exec{}, HostMatrix<int>("oblong", 3, 4)), blockfw::InvalidInput);

  // Copies, with gaps on one side or on both sides.
  for (const std::int64_t gap : {0, 5}) {
    const std::int64_t stride = n + gap;
    std::vector<int> memory(static_cast<std::size_t>(n * stride), -7);
    using Rows = Kokkos::View<int**, Kokkos::LayoutStride, Kokkos::HostSpace>;
    const Rows d(memory.data(), Kokkos::LayoutStride(order, static_cast<std::size_t>(stride), order, 1));
    fill(d, g);
    solve_copied<int>({memory.data(), n, stride}, 2);
    CHECK(difference(d, expected) == "");
    if (gap > 0) CHECK(memory[order] == -7);
  }
}

TEST_CASE_TEMPLATE("a stopped solve of a matrix, at any step: solved again", T, std::int32_t, float) {
  const int n = 5 * block + 3;
  Random random(5);
  for (const bool copied : {false, true})
    for (const int height : {1, 2}) {
      const Graph g = scattered(random, n, 4 * n, 0, 1000);
      const auto expected = oracle::distances(g);
      int stops = 0;
      for (bool stopped = true; stopped; ++stops) {
        CAPTURE(stops);
        const auto d = host_matrix<T>(g);
        const auto solve = [&](const OutOfCoreOptions& options) {
          if (copied)
            solve_copied<T>(rows_of(d), height, options);
          else
            blockfw::out_of_core_floyd_warshall<Small>(Exec{}, d, options);
        };
        int calls = stops;
        stopped = false;
        try {
          solve(stop_after(calls));
        } catch (const Stop&) {
          stopped = true;
          solve({});
        }
        CHECK(difference(d, expected) == "");
      }
      CHECK(stops > 10);
    }
}

TEST_CASE_TEMPLATE("a file: graphs of all families", T, ALL_TYPES) {
  Random random(6);
  for (const Family& family : families)
    for (const int n : {1, 30, 75}) {
      const std::string name = family.name;
      CAPTURE(name);
      CAPTURE(n);
      const Answer answer(family.make(random, n), blockfw::Direction::directed);
      check_against(answer, [&] { return solve_in_file<T>(answer.graph); });
      check_against(answer, [&] { return solve_in_file<T>(answer.graph, 2 * least_memory<T>(n) + 1e5); });
    }
}

// Two solves on a device take a fifth of a second to set up: not all steps are tried there.
constexpr int stride = std::is_same_v<Exec, Kokkos::DefaultHostExecutionSpace> ? 1 : 7;

TEST_CASE("a stopped solve of a file, at any step: resumed") {
  const int n = 9 * block - 3;
  Random random(7);
  for (const bool negative : {false, true})
    for (const double minutes : {0.0, 1e9}) {
      Graph g = scattered(random, n, 3 * n, 0, heaviest(n));
      if (negative) g = shifted(g, potentials(random, n));
      const auto expected = oracle::distances(g);
      const auto edges = edge_view<std::int32_t>(g);
      const double memory = 1e6;
      // Stopped once, at each step; then stopped repeatedly, a little later each time.
      const auto solve = [&](const auto& calls_of_attempt) {
        const Folder folder(in_memory());
        int attempt = 0;
        for (bool done = false; !done; ++attempt) {
          DistanceFile<std::int32_t> file(folder / "out", n, "a graph");
          CHECK(file.filled() == (attempt > 0));
          if (!file.filled()) file.fill(edges);
          int calls = calls_of_attempt(attempt);
          try {
            file.solve<Small>(Exec{}, stop_after(calls, memory), minutes);
            file.commit();
            done = true;
          } catch (const Stop&) {
            CHECK(folder.files() == work);
          }
        }
        CHECK(difference(read_matrix<std::int32_t>(folder / "out", n), expected) == "");
        return attempt;
      };
      int stops = 0;
      while (solve([&](int attempt) { return attempt == 0 ? stops : 1 << 30; }) > 1) stops += stride;
      CHECK(stops > 20);
      for (const int step : {1, 3, 7, 12}) CHECK(solve([&](int attempt) { return step * attempt; }) > 3);
    }
}

TEST_CASE("pivots on a negative cycle: lengths are not doubled") {
  Random random(17);
  Graph g = complete(random, 9 * block + 3, 0);
  for (auto& e : g.edges) e.weight = -1000;
  for (const int height : {1, 2, 4}) {
    CAPTURE(height);
    const auto d = host_matrix<int>(g);
    solve_copied<int>(rows_of(d), height);
    int out_of_bounds = 0;
    for (std::size_t i = 0; i < d.extent(0); ++i)
      for (std::size_t j = 0; j < d.extent(1); ++j) out_of_bounds += d(i, j) < -5000 || d(i, j) >= 0;
    CHECK(out_of_bounds == 0);
  }
}

TEST_CASE("a negative cycle: found after a stop, too") {
  Random random(8);
  const int n = 6 * block;
  const Graph g = with_ring(random, n, -1);
  bool stopped = true;
  for (int stops = 0; stopped; stops += stride) {
    CAPTURE(stops);
    const Folder folder(in_memory());
    stopped = false;
    const auto solve = [&](const OutOfCoreOptions& options) {
      DistanceFile<std::int32_t> file(folder / "out", n, "a graph");
      if (!file.filled()) file.fill(edge_view<std::int32_t>(g));
      file.solve<Small>(Exec{}, options, 0);
    };
    int calls = stops;
    try {
      solve(stop_after(calls));
      FAIL("no negative cycle");
    } catch (const blockfw::NegativeCycle&) {
    } catch (const Stop&) {
      stopped = true;
      CHECK(folder.files() == work);
      CHECK_THROWS_AS(solve({}), blockfw::NegativeCycle);
    }
    CHECK(folder.files().empty());
  }
}

TEST_CASE("a file by copies: read and written as it is") {
  const int n = 70;
  Random random(9);
  const Graph g = scattered(random, n, 4 * n, 0, 1000);
  const Folder folder(in_memory());
  DistanceFile<std::int32_t> file(folder / "out", n, "a graph");
  file.fill(edge_view<std::int32_t>(g));
  const int descriptor = ::open((folder / "out.part").c_str(), O_RDWR);
  const blockfw::detail::HostRows rows(file.view().data(), n, descriptor, "out.part");
  solve_copied<std::int32_t>(rows, 2);
  CHECK(difference(file.view(), oracle::distances(g)) == "");

  fs::resize_file(folder / "out.part", 5000);
  CHECK_THROWS_WITH_AS(solve_copied<std::int32_t>(rows, 2), Contains("out.part: byte "), blockfw::FileError);
  ::close(descriptor);
}

TEST_CASE("a work file that cannot be resumed: refused, and kept") {
  const Folder folder(in_memory());
  const fs::path out = folder / "out", part = folder / "out.part", state = folder / "out.part.state";
  const Graph g{20, {{0, 1, 5}}};
  const auto open = [&](int n = 20, const std::string& graph = "graph 1") {
    return std::make_unique<DistanceFile<float>>(out, n, graph);
  };
  open()->fill(edge_view<float>(g));
  REQUIRE(folder.files() == work);

  CHECK(open()->filled());
  const auto mine = open();
  CHECK_THROWS_WITH_AS(open(), (part.string() + ": is in use by another process").c_str(), blockfw::FileError);
  const_cast<std::unique_ptr<DistanceFile<float>>&>(mine).reset();

  CHECK_THROWS_WITH_AS(open(20, "graph 2"),
                       (state.string() +
                        ": belongs to another graph or type (graph 1, float), expected (graph 2, float); "
                        "remove " +
                        part.string() + " to start anew, or name another output")
                           .c_str(),
                       blockfw::FileError);
  CHECK_THROWS_WITH_AS(DistanceFile<int>(out, 20, "graph 1"), Contains("(graph 1, float), expected ("),
                       blockfw::FileError);
  CHECK_THROWS_WITH_AS(open(21), Contains("has 1600 bytes, expected 1764; remove it"), blockfw::FileError);

  const std::string record = [&] {
    std::ifstream file(state);
    return std::string{std::istreambuf_iterator<char>(file), {}};
  }();
  std::ofstream(state) << "something else";
  CHECK_THROWS_WITH_AS(open(), Contains("out.part.state: not the record of a solve; remove"), blockfw::FileError);
  std::ofstream(state) << record.substr(0, record.size() / 2 + 5);
  CHECK_THROWS_WITH_AS(open(), Contains("out.part.state: is "), blockfw::FileError);
  fs::remove(state);
  CHECK_THROWS_WITH_AS(open(), Contains("out.part: found without its record, "), blockfw::FileError);
  CHECK(folder.files() == std::set<std::string>{"out.part"});

  // A record without its work file is not used.
  fs::remove(part);
  std::ofstream(state) << record;
  CHECK_FALSE(open()->filled());
  CHECK(folder.files().empty());
}

TEST_CASE("work files: refused paths") {
  const Folder folder(in_memory());
  const auto open = [&](const fs::path& path) { DistanceFile<float>(path, 20, "graph 1"); };
  CHECK_THROWS_WITH_AS(open(folder / "no/out"), Contains("No such file"), blockfw::FileError);
  CHECK_THROWS_WITH_AS(open("/dev/null"),
                       "/dev/null: cannot write: not a regular file, expected one that can be "
                       "replaced",
                       blockfw::FileError);
  CHECK_THROWS_WITH_AS(open(folder / "."), Contains("not a regular file"), blockfw::FileError);
  CHECK_THROWS_WITH_AS(DistanceFile<double>(folder / "out", 1 << 26, "graph 1"), Contains("out.part: cannot write: "),
                       blockfw::FileError);
  CHECK(folder.files().empty());

  // After a bad edge no file is left.
  {
    DistanceFile<int> file(folder / "out", 2, "graph 1");
    CHECK_THROWS_AS(file.fill(edge_view<int>({2, {{0, 2, 1}}})), blockfw::InvalidEdge);
    CHECK_THROWS_AS(file.fill(edge_view<int>({2, {{0, 1, 1 << 30}}})), blockfw::OverflowRisk);
  }
  CHECK(folder.files().empty());

  // An earlier output stays until another replaces it, which takes over its permissions.
  std::ofstream(folder / "out") << "earlier";
  fs::permissions(folder / "out", fs::perms(0640));
  {
    DistanceFile<int> file(folder / "out", 2, "graph 1");
    file.fill(std::vector<blockfw::Edge<int>>{{0, 1, 1}});
    file.solve(Exec{});
    CHECK(fs::file_size(folder / "out") == 7);
    file.commit();
  }
  CHECK(fs::file_size(folder / "out") == 16);
  CHECK(fs::status(folder / "out").permissions() == fs::perms(0640));
}
