// SPDX-License-Identifier: MIT
// The phases as called by other drivers, the tasks of phase 3, and index ranges.
#include "graphs.hpp"
#include "spaces.hpp"

#include "blockfw/detail/kernel/part.hpp"
#include "blockfw/detail/kernel/phases.hpp"
#include "blockfw/detail/kernel/task_order.hpp"

#include <algorithm>

namespace {

using T = std::int32_t;
constexpr int block = 8;

template <class Exec>
using PhasesOn = blockfw::Phases<blockfw::Tile<block>, Exec, blockfw::MinPlus<T>>;

using Host = Kokkos::DefaultHostExecutionSpace;
using HostPhases = PhasesOn<Host>;

/// A range of rows (or columns), made of tiles.
struct Range {
  int first, count;
  bool has(int row) const { return row >= first && row < first + count; }
};

template <class AnyPhases, class AnyMatrix>
typename AnyPhases::Ref ref(const AnyMatrix& m) {
  return typename AnyPhases::Ref(m.data(), Kokkos::LayoutStride(m.extent(0), m.stride(0), m.extent(1), m.stride(1)));
}

/// All rows of a range except the round's pivots.
blockfw::Selection without_pivots(const Range& rows, int start, int count) {
  return {{0, rows.count}, {start - rows.first, count}};
}

void copy(const blockfw::Message& from, const blockfw::Message& to) {
  REQUIRE(from.bytes == to.bytes);
  std::copy_n(from.data, from.bytes, to.data);
}

/// Solves a graph as several devices would. Each part of the rows and of the columns is a matrix with panels of its
/// own. Parts copy the pivot and the panels from each other.
HostMatrix<T> solve_in_parts(const Graph& g, const std::vector<Range>& down, const std::vector<Range>& across) {
  const Host exec;
  const auto order = static_cast<std::size_t>(g.n);
  const HostMatrix<T> whole("whole", order, order);
  fill(whole, g);

  std::vector<std::vector<HostPhases::GroupStorage>> panels(down.size());
  std::vector<std::vector<HostMatrix<T>>> memory(down.size());
  std::vector<std::vector<HostPhases::Part>> parts(down.size());
  for (std::size_t r = 0; r < down.size(); ++r)
    for (const Range& c : across) {
      memory[r].emplace_back("part", down[r].count, c.count);
      Kokkos::deep_copy(memory[r].back(),
                        blockfw::submatrix(ref<HostPhases>(whole), down[r].first, down[r].count, c.first, c.count));
      parts[r].push_back({ref<HostPhases>(memory[r].back()), down[r].first / block, c.first / block});
      panels[r].emplace_back(
          exec, blockfw::GroupStorageOptions{.order = g.n, .height = down[r].count, .width = c.count, .rounds = 1});
    }

  for (int k = 0; k * block < g.n; ++k) {
    const int start = k * block, count = std::min(block, g.n - start);
    std::size_t pr = 0, pc = 0;
    while (!down[pr].has(start)) ++pr;
    while (!across[pc].has(start)) ++pc;
    const auto right_pivot = [&](const HostPhases::GroupStorage& storage) {
      const blockfw::Message all = storage.right(k), pivot = storage.left_pivot(k);
      return blockfw::Message{all.data + (all.bytes - pivot.bytes), pivot.bytes};
    };
    HostPhases::close_pivot(exec, parts[pr][pc], k, panels[pr][pc].panels());
    for (std::size_t r = 0; r < down.size(); ++r)
      if (r != pr) copy(right_pivot(panels[pr][pc]), right_pivot(panels[r][pc]));
    for (std::size_t c = 0; c < across.size(); ++c)
      if (c != pc) copy(panels[pr][pc].left_pivot(k), panels[pr][c].left_pivot(k));
    for (std::size_t c = 0; c < across.size(); ++c)
      for (std::size_t r = 0; r < down.size(); ++r)
        if (r == pr || c == pc) HostPhases::update_panels(exec, parts[r][c], k, panels[r][c].panels());
    for (std::size_t r = 0; r < down.size(); ++r)
      for (std::size_t c = 0; c < across.size(); ++c) {
        if (r != pr) copy(panels[pr][c].right(k), panels[r][c].right(k));
        if (c != pc) copy(panels[r][pc].left(k), panels[r][c].left(k));
        HostPhases::update_through(exec, parts[r][c], k, k, panels[r][c].panels(),
                                   without_pivots(down[r], start, count), without_pivots(across[c], start, count));
      }
  }

  for (std::size_t r = 0; r < down.size(); ++r)
    for (std::size_t c = 0; c < across.size(); ++c)
      Kokkos::deep_copy(
          blockfw::submatrix(ref<HostPhases>(whole), down[r].first, down[r].count, across[c].first, across[c].count),
          memory[r][c]);
  exec.fence();
  return whole;
}

// The following tests run on the default space, a host or a device.

using Exec = Kokkos::DefaultExecutionSpace;
using Phases = PhasesOn<Exec>;
using Matrix = SharedMatrix<T>;

/// Does the rounds of one matrix one by one.
struct Rounds {
  explicit Rounds(const Matrix& matrix)
      : d{ref<Phases>(matrix)}, n(matrix.extent_int(0)), storage(exec, {.order = n, .height = n, .width = n}, exec) {}

  Phases::Panels panels() const { return storage.panels(d.d); }
  void close(int k) const { Phases::close_pivot(exec, d, k, panels()); }
  void update_panels(int k) const { Phases::update_panels(exec, d, k, panels()); }
  blockfw::LookAheadProgress update_rest(int k) const { return Phases::update_rest(exec, d, k, panels()); }
  void update_through(int k) const {
    const auto rest = without_pivots({0, n}, k * block, std::min(block, n - k * block));
    Phases::update_through(exec, d, k, k, panels(), rest, rest);
  }

  Exec exec;
  Phases::Part d;
  int n;
  Phases::PanelStorage storage;
};

int differences(const Matrix& a, const Matrix& b) {
  int different = 0;
  for (int i = 0; i < a.extent_int(0); ++i)
    for (int j = 0; j < a.extent_int(1); ++j) different += a(i, j) != b(i, j);
  return different;
}

}  // namespace

TEST_CASE("rows and columns on several devices") {
  const int n = 61;
  const std::vector<Range> whole{{0, n}}, halves{{0, 24}, {24, n - 24}}, thirds{{0, 8}, {8, 40}, {48, n - 48}};
  Random random(5);
  for (const Graph& g : {scattered(random, n, 3 * n, 0, 50), complete(random, n, 1000),
                         shifted(scattered(random, n, 10 * n, 0, 50), potentials(random, n))}) {
    HostMatrix<T> expected("expected", n, n);
    fill(expected, g);
    blockfw::blocked_floyd_warshall<blockfw::Tile<block>, Host>(expected);
    if (!std::any_of(g.edges.begin(), g.edges.end(), [](const auto& e) { return e.weight < 0; }))
      CHECK(difference(expected, oracle::distances(g)) == "");
    oracle::Distances<std::int64_t> in_one(n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) in_one[static_cast<std::size_t>(i)].push_back(expected(i, j));

    CHECK(difference(solve_in_parts(g, whole, whole), in_one) == "");
    CHECK(difference(solve_in_parts(g, halves, whole), in_one) == "");
    CHECK(difference(solve_in_parts(g, whole, halves), in_one) == "");
    CHECK(difference(solve_in_parts(g, halves, thirds), in_one) == "");
    CHECK(difference(solve_in_parts(g, thirds, halves), in_one) == "");
  }
}

TEST_CASE("a pivot with a negative cycle: other tiles stay unchanged") {
  Random random(6);
  Graph g = complete(random, 3 * block, 1000);
  g.edges.push_back({1, 2, -5});
  g.edges.push_back({2, 1, 4});
  const auto order = static_cast<std::size_t>(g.n);
  const Matrix d("d", order, order), before("before", order, order);
  fill(d, g);
  const Rounds rounds(d);
  rounds.close(0);
  Kokkos::deep_copy(before, d);
  Kokkos::fence();
  CHECK(d(2, 2) < 0);
  rounds.update_panels(0);
  rounds.update_through(0);
  Kokkos::fence();
  CHECK(differences(d, before) == 0);
}

TEST_CASE("look-ahead: as the phases one by one, even past a pivot with a negative cycle") {
  for (const int cycle : {-1, 1, block + 1})
    for (const int n :
         {block + 3, 3 * block, 20 * block, 20 * block + 5, 61 * block - 5}) {  // (the last order has the longest lag)
      CAPTURE(cycle);
      CAPTURE(n);
      Random random(7);
      Graph g = complete(random, n, 1000);
      if (cycle >= 0) g.edges.push_back({cycle, cycle, -5});
      const int tiles = (n + block - 1) / block;

      const auto order = static_cast<std::size_t>(n);
      const Matrix one_by_one("one by one", order, order), ahead("ahead", order, order),
          at_once("at once", order, order);
      for (const auto& d : {one_by_one, ahead, at_once}) fill(d, g);
      {
        const Rounds rounds(one_by_one);
        for (int k = 0; k < tiles; ++k) {
          rounds.close(k);
          rounds.update_panels(k);
          rounds.update_through(k);
        }
      }
      {
        const Rounds rounds(ahead);
        blockfw::LookAheadProgress done = blockfw::LookAheadProgress::nothing;
        for (int k = 0; k < tiles; ++k) {
          if (done < blockfw::LookAheadProgress::pivot) rounds.close(k);
          if (done < blockfw::LookAheadProgress::panels) rounds.update_panels(k);
          done = rounds.update_rest(k);
          CHECK((done > blockfw::LookAheadProgress::nothing) == (k + 1 < tiles));
        }
      }
      blockfw::blocked_floyd_warshall<blockfw::Tile<block>>(Exec(), at_once);
      Kokkos::fence();
      CHECK(differences(one_by_one, ahead) == 0);
      CHECK(differences(one_by_one, at_once) == 0);
    }
}

TEST_CASE("rounds that do not fit: refused before any launch") {
  const Host exec;
  const HostMatrix<T> d("d", 3 * block, 3 * block);
  const HostPhases::Ref m = ref<HostPhases>(d);
  const HostPhases::GroupStorage storage(exec,
                                         {.order = 4 * block, .height = 3 * block, .width = 3 * block, .rounds = 1});
  const auto panels = storage.panels();
  CHECK_THROWS_AS(HostPhases::close_pivot(exec, {m}, 4, panels), blockfw::InvalidInput);
  CHECK_THROWS_AS(HostPhases::update_panels(exec, {m}, 4, panels), blockfw::InvalidInput);
  CHECK_THROWS_AS(static_cast<void>(HostPhases::update_rest(exec, {m}, 4, panels)), blockfw::InvalidInput);
  CHECK_THROWS_AS(HostPhases::close_pivot(exec, {m}, 3, panels), blockfw::InvalidInput);
  CHECK_THROWS_AS(HostPhases::close_pivot(exec, {m, 2, 0}, 1, panels), blockfw::InvalidInput);
}

TEST_CASE("panels that offsets of 32 bits cannot count: refused before their memory is allocated") {
  const Host exec;
  const int n = 40'000'000;
  using blockfw::InvalidInput;
  const char* const says = "a part of 40000000 x 40000000 is too large for panels of 8 pivots, name a smaller tile";
  CHECK_THROWS_WITH_AS(HostPhases::PanelStorage(exec, {.order = n, .height = n, .width = n}, exec), says, InvalidInput);
  CHECK_THROWS_WITH_AS(HostPhases::GroupStorage(exec, {.order = n, .height = n, .width = n, .rounds = 1}), says,
                       InvalidInput);
}

TEST_CASE("tiles of a device: go through all rounds in their order") {
  for (const int tiles : {1, 2, 3, 5, 16, 37})
    for (const int lag : {1, 2, 3, 7, 16})
      for (const int at_once : {1, 8, 500})
        for (const int rounds_at_once : {1, 3, tiles}) {
          CAPTURE(tiles);
          CAPTURE(lag);
          CAPTURE(at_once);
          CAPTURE(rounds_at_once);
          const int n = tiles * block - 3;
          const blockfw::detail::DeviceTaskOrder::Range all{0, tiles, n};
          const auto tile_count = static_cast<std::size_t>(tiles);
          std::vector<std::vector<int>> through(tile_count, std::vector<int>(tile_count, -1));

          int wrong = 0, before = -1;
          std::vector<int> in_round(tile_count, 0);
          for (int first = 0; first < tiles; first += rounds_at_once) {
            const int rounds = std::min(rounds_at_once, tiles - first);
            const blockfw::detail::DeviceTaskOrder tasks(all, all, block, lag, first, rounds, first == 0, at_once);
            for (int rank = 0; rank < tasks.all(); ++rank) {
              const int round = tasks.round(rank);
              const bool last = round + 1 == tiles, opens = round != before;
              wrong += round < before || round >= first + rounds;
              if (opens && before >= 0)  // the panels of this round are there
                for (std::size_t t = 0; t < tile_count; ++t) {
                  const auto pivot = static_cast<std::size_t>(round);
                  wrong += through[pivot][t] != round || through[t][pivot] != round;
                }
              before = round;
              if (round >= 0) ++in_round.at(static_cast<std::size_t>(round));
              const auto task = tasks.at(rank, round);
              if (!task.exists) continue;
              const int i = task.i.first / block, j = task.j.first / block;
              int& t = through.at(static_cast<std::size_t>(i)).at(static_cast<std::size_t>(j));
              const bool next_row = !last && i == round + 1, next_col = !last && j == round + 1;
              wrong += task.i.count != std::min(block, n - i * block) || task.j.count != std::min(block, n - j * block);
              wrong += task.in_next_rows != next_row || task.in_next_cols != next_col;
              if (round >= 0)
                wrong += t != task.since - 1 || round - task.since >= lag;  // (older panels are not kept)
              else
                wrong += t != -1 || task.since <= round || !(next_row || next_col);
              wrong += opens && !last && !(next_row && next_col);
              t = next_row || next_col ? round + 1 : round;
            }
            for (int round = first; round < first + rounds && round + 1 < tiles; ++round)
              wrong += in_round.at(static_cast<std::size_t>(round)) != tasks.size();
          }
          for (const auto& row : through)
            for (const int t : row) wrong += t != tiles - 1;
          CHECK(wrong == 0);
        }
}

TEST_CASE("index ranges: cover all but the pivot once") {
  for (int extent = 0; extent <= 12; ++extent)
    for (int pivot = -2; pivot <= extent + 2; ++pivot)
      for (int width = 1; width <= 4; ++width)
        for (int longest = 1; longest <= 5; ++longest) {
          CAPTURE(extent);
          CAPTURE(pivot);
          CAPTURE(width);
          CAPTURE(longest);
          const blockfw::detail::IndexRanges ranges({{0, extent}, {pivot, width}}, longest);
          std::vector<int> covered(static_cast<std::size_t>(extent), 0);
          for (int r = 0; r < ranges.size(); ++r) {
            const auto range = ranges[r];
            CHECK(range.count >= 1);
            CHECK(range.count <= longest);
            for (int t = range.first; t < range.first + range.count; ++t) ++covered.at(static_cast<std::size_t>(t));
          }
          for (int t = 0; t < extent; ++t)
            CHECK(covered[static_cast<std::size_t>(t)] == (t >= pivot && t < pivot + width ? 0 : 1));
          if (pivot >= 0 && pivot + width < extent) CHECK(ranges[ranges.before()].first == pivot + width);
        }
}
