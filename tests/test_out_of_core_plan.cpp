// SPDX-License-Identifier: MIT
// The plan of a solve out of core, on the host and in a file: any semiring, fewer bits, and the results of one
// instance.
#include "folder.hpp"
#include "graphs.hpp"
#include "last_edge.hpp"
#include "spaces.hpp"

#include "blockfw/io/distance_file.hpp"
#include "blockfw/measures.hpp"
#include "blockfw/out_of_core.hpp"
#include "blockfw/paths.hpp"
#include "blockfw/updates.hpp"

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

namespace {

using blockfw::OutOfCoreOptions;
using blockfw::io::DistanceFile;
using doctest::Contains;
using Exec = Kokkos::DefaultExecutionSpace;
using Host = Kokkos::DefaultHostExecutionSpace;
namespace fs = std::filesystem;

/// The number of entries that differ from a solve by one instance.
template <class View, class Expected>
int wrong_entries(const View& d, const Expected& expected) {
  int wrong = 0;
  for (std::size_t i = 0; i < d.extent(0); ++i)
    for (std::size_t j = 0; j < d.extent(1); ++j) wrong += d(i, j) != expected(i, j);
  return wrong;
}

template <class S>
auto solved_by_one(const Graph& g, const std::vector<blockfw::Edge<typename S::value_type>>& edges) {
  return readable(blockfw::solve<S>(Exec(), g.n, edges, {.method = blockfw::Method::dense, .narrow = false}));
}

/// A matrix on the host with the edges.
template <class S, class T = typename S::value_type>
HostMatrix<T> filled(const Graph& g, const std::vector<blockfw::Edge<T>>& edges, blockfw::WeightRange<T>& range) {
  const auto order = static_cast<std::size_t>(g.n);
  const HostMatrix<T> d("d", order, order);
  range = blockfw::fill_from_edges<S>(Host(), d, blockfw::detail::view_of(edges));
  return d;
}

template <class S>
void check_semiring(const Graph& g) {
  using T = typename S::value_type;
  const auto edges = edges_over<S>(g);
  const auto expected = solved_by_one<S>(g, edges);
  blockfw::WeightRange<T> range;
  const auto d = filled<S>(g, edges, range);
  blockfw::SolveReport report;
  int last = 0, calls = 0;
  blockfw::solve_out_of_core<S>(Exec(), d, range,
                                {{.progress = [&](std::int64_t done, std::int64_t) { last = static_cast<int>(done); },
                                  .meanwhile = [&] { ++calls; },
                                  .report = &report}});
  CHECK(wrong_entries(d, expected) == 0);
  CHECK(report.bits == 8 * int(sizeof(T)));
  CHECK(report.relaxes == double(g.n) * g.n * g.n);
  CHECK(last > 0);
  CHECK(calls == 1);

  const auto rounds_only = filled<S>(g, edges, range);
  for (std::size_t i = 0; i < rounds_only.extent(0); ++i) rounds_only(i, i) = S::zero();  // counts as one()
  blockfw::out_of_core_floyd_warshall<blockfw::Tile<8>, S>(Exec(), rounds_only);
  if constexpr (!std::is_same_v<S, blockfw::MaxPlus<T>>) CHECK(wrong_entries(rounds_only, expected) == 0);

  const Folder folder(in_memory());
  DistanceFile<S> file(folder / "out", g.n, "a graph");
  file.fill(edges);
  file.template solve<blockfw::Tile<8>>(Exec{});
  CHECK(wrong_entries(file.view(), expected) == 0);
}

/// Graphs large enough for fewer bits.
constexpr int large = on_device ? 3100 : 1100;
/// Edges a vertex. (With a device fewer passes look for a bound, as the host makes them.)
constexpr int degree = on_device ? 20 : 8;

/// The data of a work file's record about its rounds and its packed numbers.
struct Packed {
  std::int64_t pivots = 0, bits = 0, narrow = 0, head = 0;
};
Packed packed_of(const fs::path& record) {
  std::ifstream file(record);
  Packed packed;
  std::string name, value;
  while (file >> name && name != "pivots") {
  }
  file >> packed.pivots;
  while (file >> name >> value && name != "limit") {
  }
  file >> name >> packed.bits >> name >> packed.narrow >> name >> packed.head;
  REQUIRE(file);
  return packed;
}

struct Stop {};

}  // namespace

TEST_CASE("semirings: on the host and in a file") {
  Random random(1);
  for (const int n : {1, 75, 300}) {
    CAPTURE(n);
    Graph g = scattered(random, n, 4 * n, 1, 100);
    check_semiring<blockfw::MaxMin<float>>(g);
    check_semiring<blockfw::MinMax<std::int32_t>>(g);
    check_semiring<blockfw::MaxTimes<double>>(g);
    check_semiring<blockfw::MaxPlus<std::int32_t>>(g);
  }
}

TEST_CASE("a solve on the host: checks weights and cycles") {
  const auto solve = [&]<class S>(S, const Graph& g, auto weight) {
    std::vector<blockfw::Edge<decltype(weight)>> edges;
    for (const auto& e : g.edges) edges.push_back({e.from, e.to, static_cast<decltype(weight)>(e.weight) * weight});
    blockfw::WeightRange<decltype(weight)> range;
    const auto d = filled<S>(g, edges, range);
    blockfw::solve_out_of_core<S>(Exec(), d, range);
    return d;
  };
  using Shortest = blockfw::MinPlus<int>;
  const Graph ring{3, {{0, 1, 1}, {1, 2, 1}, {2, 0, -3}}};
  CHECK_THROWS_AS(solve(Shortest(), ring, 1), blockfw::NegativeCycle);
  CHECK_THROWS_AS(solve(Shortest(), ring, 400'000'000), blockfw::OverflowRisk);
  CHECK_THROWS_AS(solve(blockfw::MaxPlus<int>(), ring, -1), blockfw::DivergentCycle);
  CHECK_THROWS_AS(solve(blockfw::MaxTimes<double>(), ring, 1.0), blockfw::InvalidInput);
  CHECK(solve(blockfw::MaxPlus<int>(), ring, 1)(0, 2) == 2);

  // Graphs with negative edges and with pairs without a path.
  Random random(2);
  for (const Family& family : families) {
    const std::string name = family.name;
    CAPTURE(name);
    const Answer answer(family.make(random, 60), blockfw::Direction::directed);
    check_against(answer, [&] { return solve(Shortest(), answer.graph, 1); });
  }
}

TEST_CASE("a transposed matrix: needs a commutative semiring") {
  using S = LastEdge;
  const Kokkos::View<int**, Kokkos::LayoutLeft, Kokkos::HostSpace> left("left", 4, 4);
  CHECK_THROWS_WITH_AS(
      blockfw::out_of_core_floyd_warshall<S>(Exec(), left),
      Contains("'left' are contiguous, expected contiguous rows, or a semiring whose member commutative is true"),
      blockfw::InvalidInput);
  const HostMatrix<int> d("d", 4, 4);
  Kokkos::deep_copy(d, S::zero());
  d(0, 1) = 7, d(1, 2) = 3, d(2, 3) = 5, d(0, 2) = 8;
  blockfw::out_of_core_floyd_warshall<S>(Exec(), d);
  CHECK(d(0, 2) == 3);
  CHECK(d(0, 3) == 5);
  CHECK(d(1, 3) == 5);
  CHECK(d(3, 0) == S::zero());
}

TEST_CASE("fewer bits from an order on") {  // (test_places.cpp has all cases, from a lower order on)
  const auto bits_of = [](std::int64_t n) {
    Random random(3);
    Graph g = scattered(random, static_cast<int>(n), 20 * static_cast<int>(n), 1, 100);
    std::erase_if(g.edges, [](const auto& e) { return e.from == 7 || e.to == 9; });
    g.edges.push_back({3, 4, 30'000});  // heavier than 16 bits hold, and on no shortest path
    const auto edges = edges_of<std::int32_t>(g);
    blockfw::WeightRange<std::int32_t> range;
    const auto d = filled<blockfw::MinPlus<std::int32_t>>(g, edges, range);
    blockfw::SolveReport report;
    blockfw::solve_out_of_core(Exec(), d, range, {.solve = {.report = &report}});
    CHECK(wrong_entries(d, solved_by_one<blockfw::MinPlus<std::int32_t>>(g, edges)) == 0);
    return report.bits;
  };
  CHECK(bits_of(blockfw::detail::narrow_from<Exec> - 1) == 32);
  CHECK(bits_of(blockfw::detail::narrow_from<Exec>) == 16);
}

TEST_CASE_TEMPLATE("rows with gaps, and columns, in fewer bits", T, std::int32_t, std::int64_t) {
  using S = blockfw::MinPlus<T>;
  Random random(4);
  const Graph g = scattered(random, large, degree * large, 1, 100);
  const auto edges = edges_of<T>(g);
  const auto expected = solved_by_one<S>(g, edges);
  const auto solve = [&](const auto& d) {
    const auto range = blockfw::fill_from_edges<S>(Host(), d, blockfw::detail::view_of(edges));
    blockfw::SolveReport report;
    blockfw::solve_out_of_core(Exec(), d, range, {.solve = {.report = &report}});
    CHECK(report.bits == 16);
    CHECK(wrong_entries(d, expected) == 0);
  };
  const auto order = static_cast<std::size_t>(large);
  const HostMatrix<T> padded("padded", order + 1, order + 9);
  Kokkos::deep_copy(padded, -7);
  solve(Kokkos::subview(padded, Kokkos::pair(1, large + 1), Kokkos::pair(2, large + 2)));
  int touched = 0;
  for (std::size_t i = 0; i <= order; ++i)
    for (std::size_t j = 0; j < order + 9; ++j) touched += padded(i, j) != -7 && (i < 1 || j < 2 || j >= order + 2);
  CHECK(touched == 0);
  solve(Kokkos::View<T**, Kokkos::LayoutLeft, Kokkos::HostSpace>("left", order, order));
}

TEST_CASE_TEMPLATE("a stopped solve in fewer bits: solved again", T, std::int32_t, std::int64_t) {
  using S = blockfw::MinPlus<T>;
  Random random(5);
  Graph g = scattered(random, large, degree * large, 1, std::is_same_v<T, std::int64_t> ? 30'000 : 100);
  g.edges.push_back({3, 4, 1'000'000'000});
  const auto edges = edges_of<T>(g);
  const auto expected = solved_by_one<S>(g, edges);
  blockfw::WeightRange<T> range;
  int stops = 0;
  for (bool stopped = true; stopped; stops += 40) {
    const auto d = filled<S>(g, edges, range);
    blockfw::SolveReport report;
    int calls = stops;
    stopped = false;
    try {
      blockfw::solve_out_of_core(Exec(), d, range, {{.progress = [&](std::int64_t, std::int64_t) {
                                   if (calls-- == 0) throw Stop{};
                                 }}});
    } catch (const Stop&) {
      stopped = true;
      int wrong = 0;
      for (std::size_t i = 0; i < d.extent(0); ++i)
        for (std::size_t j = 0; j < d.extent(1); ++j)
          wrong += d(i, j) < expected(i, j) || d(i, j) > blockfw::infinity<T>;
      CHECK(wrong == 0);
      blockfw::solve_out_of_core(Exec(), d, range, {.solve = {.report = &report}});
      CHECK(report.bits < 8 * int(sizeof(T)));
    }
    CHECK(wrong_entries(d, expected) == 0);
  }
  CHECK(stops > 100);
}

TEST_CASE_TEMPLATE("a stopped solve of a file in fewer bits: resumed, also while it is widened", T, std::int32_t,
                   std::int64_t) {
  using S = blockfw::MinPlus<T>;
  constexpr bool wide = std::is_same_v<T, std::int64_t>;
  Random random(6);
  for (const bool weighty : {false, true}) {
    if (weighty && !wide) continue;  // these weights are packed in 32 bits
    const Graph g = scattered(random, large, degree * large, 1, weighty ? 30'000 : 100);
    const auto edges = edges_of<T>(g);
    const auto expected = solved_by_one<S>(g, edges);
    const std::int64_t entries = std::int64_t(large) * large;
    int stops = 0, in_widening = 0, in_head = 0;
    // Stopped once in the rounds, and once at each call after them.
    for (int last = -1, stopped = 1; stopped > 0 || last == 0; ++last) {
      CAPTURE(last);
      stopped = 0;
      const Folder folder(in_memory());
      const fs::path part = folder / "out.part", state = folder / "out.part.state";
      int early = last < 0 ? 20 : 1 << 30, late = last < 0 ? 1 << 30 : last;
      for (bool done = false; !done;) {
        DistanceFile<T> file(folder / "out", large, "a graph");
        if (!file.filled()) file.fill(edges);
        CHECK(file.bits() == (weighty ? 32 : 16));
        try {
          file.solve(Exec{}, {{.progress = [&](std::int64_t now, std::int64_t all) {
                       if (early-- == 0 || (now == all && packed_of(state).pivots == large && late-- == 0))
                         throw Stop{};
                     }}});
          CHECK(wrong_entries(file.view(), expected) == 0);
          file.commit();
          done = true;
        } catch (const Stop&) {
          ++stopped;
        }
        if (done) break;
        // An interrupted step may leave any bytes in the place where it writes.
        const Packed packed = packed_of(state);
        REQUIRE(packed.narrow > 0);
        in_widening += packed.narrow < entries && packed.head == 0;
        in_head += packed.head > 0;
        const std::int64_t from = packed.head > 0 ? 0 : packed.narrow * packed.bits / 8,
                           to = packed.narrow * std::int64_t(sizeof(T));
        std::fstream bytes(part, std::ios::binary | std::ios::in | std::ios::out);
        bytes.seekp(from);
        bytes << std::string(static_cast<std::size_t>(to - from), 'x');
      }
      CHECK(get(folder / "out").size() == static_cast<std::size_t>(entries) * sizeof(T));
      stops += stopped;
    }
    CHECK(stops >= 3);
    CHECK(in_head == 1);
    if (!on_device) CHECK(in_widening == (wide && !weighty ? 0 : weighty ? 2 : 1));
  }
}

TEST_CASE("a file in fewer bits: its entries are read once they are solved") {
  const Folder folder(in_memory());
  Random random(7);
  const auto edges = edges_of<int>(scattered(random, large, degree * large, 1, 100));
  {
    DistanceFile<int> file(folder / "out", large, "a graph");
    file.fill(edges);
    const std::string message = (folder / "out.part").string() + ": holds numbers of 16 bits until it is solved";
    CHECK_THROWS_WITH_AS(file.view(), message.c_str(), blockfw::InvalidInput);
    CHECK_THROWS_WITH_AS(file.commit(), message.c_str(), blockfw::InvalidInput);
    CHECK_THROWS_WITH_AS(file.solve(Exec{}, {.solve = {.narrow = false}}),
                         "the option narrow is false, expected it as an option of fill(), which has chosen 16 bits",
                         blockfw::InvalidInput);
  }
  CHECK_THROWS_WITH_AS(DistanceFile<blockfw::MinMax<int>>(folder / "out", large, "a graph"),
                       Contains("(a graph, int32), expected (a graph, blockfw::MinMax<int>)"), blockfw::FileError);

  // Impossible records, and a record of the earlier format.
  const std::string record = get(folder / "out.part.state");
  const auto replaced = [&](const std::string& from, const std::string& to) {
    std::string changed = record;
    const std::size_t at = changed.find(from);
    REQUIRE(at != std::string::npos);
    put(folder / "out.part.state", changed.replace(at, from.size(), to));
    DistanceFile<int>(folder / "out", large, "a graph");
  };
  CHECK_NOTHROW(replaced("bits 16", "bits 16"));
  CHECK_THROWS_WITH_AS(replaced("bits 16", "bits 8"), Contains("out.part.state: is damaged; remove"),
                       blockfw::FileError);
  CHECK_THROWS_WITH_AS(replaced("\nnarrow ", "\nnarrow 9"), Contains("is damaged"), blockfw::FileError);
  CHECK_THROWS_WITH_AS(replaced("head 0", "head 9999999"), Contains("is damaged"), blockfw::FileError);
  CHECK_THROWS_WITH_AS(replaced("head 0\n", "head 3\nabc"), Contains("is damaged"), blockfw::FileError);
  CHECK_THROWS_WITH_AS(replaced("distances, 2", "distances, 1"), Contains("not the record of a solve"),
                       blockfw::FileError);
}

TEST_CASE("a solved file: a matrix on the host, for measures, paths and another edge") {
  const Folder folder;
  Random random(41);
  const Graph g = scattered(random, 300, 1200, 1, 100);
  const auto edges = edges_of<std::int32_t>(g);
  const auto one = blockfw::solve(Host(), g.n, edges);
  DistanceFile<std::int32_t> file(folder / "out", g.n, "a graph");
  file.fill(edges);
  file.solve(Exec());
  const auto d = file.view();
  const auto found = blockfw::reach(Host(), d), right = blockfw::reach(Host(), one);
  for (std::size_t v = 0; v < right.size(); ++v) CHECK(found[v].farthest == right[v].farthest);
  const blockfw::Paths paths(Host(), d, edges);
  const blockfw::Paths expected(Host(), one, edges);
  CHECK(paths.path(0, 299) == expected.path(0, 299));
  CHECK(paths.tree(7) == expected.tree(7));
  blockfw::insert_edge(Host(), d, 0, 299, 1);
  blockfw::insert_edge(Host(), one, 0, 299, 1);
  CHECK(wrong_entries(d, one) == 0);
}
