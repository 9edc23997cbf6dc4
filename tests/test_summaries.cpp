// SPDX-License-Identifier: MIT
// Histograms and sums by group of rows of distances, compared with loops over the oracle's distances.
#include "graphs.hpp"

#include "blockfw/group_sums.hpp"
#include "blockfw/measures.hpp"
#include "blockfw/multi_device.hpp"
#include "blockfw/network.hpp"
#include "blockfw/sparse.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using Host = Kokkos::DefaultHostExecutionSpace;

/// The numbers of pairs: in each bin, at negative distances, and without a path.
struct Counted {
  std::vector<std::int64_t> bins;
  std::int64_t negative = 0, unreachable = 0;

  Counted(std::int64_t width, std::size_t count) : bins(count), width_(width) {}

  /// Counts a pair at a distance. The bin is found without a division.
  void add(std::int64_t distance) {
    if (distance == oracle::unreachable<std::int64_t>) return void(++unreachable);
    if (distance < 0) return void(++negative);
    std::size_t bin = 0;
    while (bin + 1 < bins.size() && distance >= width_ * static_cast<std::int64_t>(bin + 1)) ++bin;
    ++bins[bin];
  }
  void add_all(const oracle::Distances<std::int64_t>& d) {
    for (std::size_t i = 0; i < d.size(); ++i)
      for (std::size_t j = 0; j < d.size(); ++j)
        if (i != j) add(d[i][j]);
  }

 private:
  std::int64_t width_;
};

template <class T>
void check(const blockfw::DistanceHistogram<T>& histogram, const Counted& expected) {
  CHECK(histogram.counts() == expected.bins);
  CHECK(histogram.negative() == expected.negative);
  CHECK(histogram.unreachable() == expected.unreachable);
}

/// Random groups of n vertices; some are in none.
std::vector<std::int32_t> random_groups(Random& random, std::size_t n, int groups) {
  std::vector<std::int32_t> group_of(n);
  for (auto& group : group_of) {
    group = uniform(random, -1, groups - 1);
    if (group < 0) group = blockfw::no_vertex;
  }
  return group_of;
}

/// Weights whose products with distances are exact.
std::vector<double> random_weights(Random& random, std::size_t n) {
  std::vector<double> weights(n);
  for (double& weight : weights) weight = uniform(random, -3, 20) / 4.;
  return weights;
}

template <class Sums>
void check_sums(const Sums& sums, const oracle::Distances<std::int64_t>& d, std::size_t first, std::size_t rows,
                const std::vector<std::int32_t>& group_of, std::size_t groups, const std::vector<double>& weights,
                std::int64_t limit) {
  const auto reached = readable(sums.reached), sum = readable(sums.sum);
  REQUIRE(reached.extent(0) == rows);
  REQUIRE(reached.extent(1) == groups);
  REQUIRE(sum.extent(0) == rows);
  REQUIRE(sum.extent(1) == groups);
  int wrong = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    std::vector<double> number(groups), far(groups);
    for (std::size_t v = 0; v < group_of.size(); ++v) {
      const std::int64_t distance = d[first + r][v];
      if (group_of[v] < 0 || distance == oracle::unreachable<std::int64_t> || distance > limit) continue;
      const double weight = weights.empty() ? 1 : weights[v];
      number[static_cast<std::size_t>(group_of[v])] += weight;
      far[static_cast<std::size_t>(group_of[v])] += weight * static_cast<double>(distance);
    }
    for (std::size_t g = 0; g < groups; ++g) wrong += reached(r, g) != number[g] || sum(r, g) != far[g];
  }
  CHECK(wrong == 0);
}

/// The sums within one of several limits.
struct SumsWithin {
  HostMatrix<double> reached, sum;

  template <class Sums>
  SumsWithin(const Sums& sums, std::size_t limit)
      : reached("reached", sums.reached.extent(0), sums.reached.extent(1)),
        sum("sum", sums.sum.extent(0), sums.sum.extent(1)) {
    const auto all_reached = readable(sums.reached), all_sums = readable(sums.sum);
    for (std::size_t r = 0; r < reached.extent(0); ++r)
      for (std::size_t g = 0; g < reached.extent(1); ++g) {
        reached(r, g) = all_reached(r, g, limit);
        sum(r, g) = all_sums(r, g, limit);
      }
  }
};

template <class Sums>
void check_limits(const Sums& sums, const oracle::Distances<std::int64_t>& d, std::size_t first, std::size_t rows,
                  const std::vector<std::int32_t>& group_of, std::size_t groups, const std::vector<double>& weights,
                  const std::vector<std::int64_t>& limits) {
  REQUIRE(sums.reached.extent(2) == limits.size());
  REQUIRE(sums.sum.extent(2) == limits.size());
  for (std::size_t l = 0; l < limits.size(); ++l)
    check_sums(SumsWithin(sums, l), d, first, rows, group_of, groups, weights, limits[l]);
}

/// The decay at a distance, in whole numbers except for the last operation.
double decay_at(std::int64_t distance, std::int64_t step, const std::vector<double>& values) {
  distance = std::max<std::int64_t>(distance, 0);
  const auto entry = static_cast<std::size_t>(distance / step);
  const std::int64_t beyond = distance % step;
  if (entry >= values.size() || (entry + 1 == values.size() && beyond > 0)) return 0;
  if (beyond == 0) return values[entry];
  return values[entry] + (values[entry + 1] - values[entry]) * static_cast<double>(beyond) / static_cast<double>(step);
}

template <class Sums>
void check_decay(const Sums& sums, const oracle::Distances<std::int64_t>& d, const std::vector<std::int32_t>& group_of,
                 std::size_t groups, const std::vector<double>& weights, std::int64_t step,
                 const std::vector<double>& values) {
  const auto reached = readable(sums.reached), sum = readable(sums.sum);
  REQUIRE(reached.extent(0) == d.size());
  REQUIRE(reached.extent(1) == groups);
  int wrong = 0;
  for (std::size_t r = 0; r < d.size(); ++r) {
    std::vector<double> number(groups), far(groups);
    for (std::size_t v = 0; v < group_of.size(); ++v) {
      if (group_of[v] < 0 || d[r][v] == oracle::unreachable<std::int64_t>) continue;
      const double weight = decay_at(d[r][v], step, values) * (weights.empty() ? 1 : weights[v]);
      number[static_cast<std::size_t>(group_of[v])] += weight;
      far[static_cast<std::size_t>(group_of[v])] += weight * static_cast<double>(d[r][v]);
    }
    for (std::size_t g = 0; g < groups; ++g) wrong += reached(r, g) != number[g] || sum(r, g) != far[g];
  }
  CHECK(wrong == 0);
}

constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max(), below_all = -10000;

/// Limits in the type of the distances.
template <class T>
std::vector<T> limits_in(const std::vector<std::int64_t>& limits) {
  std::vector<T> held;
  for (const std::int64_t limit : limits)
    held.push_back(limit == no_limit ? blockfw::infinity<T> : static_cast<T>(limit));
  return held;
}

/// A matrix of random distances: short and negative distances, distances near the limits of the type, and no path.
template <class T>
HostMatrix<T> random_matrix(Random& random, std::size_t rows, std::size_t columns) {
  const HostMatrix<T> d("d", rows, columns);
  const auto far = static_cast<std::int64_t>(std::min<double>(static_cast<double>(blockfw::infinity<T>), 1e15)) - 1;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) {
      const int kind = uniform(random, 0, 9);
      d(i, j) = kind == 0   ? blockfw::infinity<T>
                : kind == 1 ? static_cast<T>(far - uniform(random, 0, 3))
                : kind == 2 ? static_cast<T>(-uniform(random, 1, 9000))
                            : static_cast<T>(uniform(random, 0, 4000));
    }
  return d;
}

/// The distances of a matrix whose entries are whole numbers.
template <class T>
oracle::Distances<std::int64_t> numbers_of(const HostMatrix<T>& d) {
  oracle::Distances<std::int64_t> numbers(d.extent(0), std::vector<std::int64_t>(d.extent(1)));
  for (std::size_t i = 0; i < d.extent(0); ++i)
    for (std::size_t j = 0; j < d.extent(1); ++j)
      numbers[i][j] =
          d(i, j) < blockfw::infinity<T> ? static_cast<std::int64_t>(d(i, j)) : oracle::unreachable<std::int64_t>;
  return numbers;
}

/// Calls check(view) for a copy of the matrix in each layout, in the memory of Exec.
template <class T, class Check>
void for_layouts(const HostMatrix<T>& d, const Check& check) {
  const std::size_t rows = d.extent(0), columns = d.extent(1);
  const Kokkos::View<T**, Kokkos::LayoutRight, Exec::memory_space> packed("packed", rows, columns);
  Kokkos::deep_copy(packed, d);
  const auto copy = [&]<class Layout>(Layout, std::size_t more) {
    const Kokkos::View<T**, Layout, Exec::memory_space> room("room", rows + more, columns + more);
    const auto part = Kokkos::subview(room, std::pair(more, more + rows), std::pair(more / 2, more / 2 + columns));
    Kokkos::deep_copy(Exec{}, part, packed);
    Exec().fence();
    check(part);
  };
  check(packed);
  copy(Kokkos::LayoutRight(), 3);
  copy(Kokkos::LayoutLeft(), 0);
  copy(Kokkos::LayoutLeft(), 3);
}

}  // namespace

TEST_CASE_TEMPLATE("summaries: graphs of all families, from a matrix, a factor, a network, shares", T, ALL_TYPES) {
  Random random(1);
  for (const Family& family : families)
    for (const int n : {1, 2, 63, 131}) {
      const std::string name = family.name;
      CAPTURE(name);
      CAPTURE(n);
      const Answer answer(family.make(random, n), blockfw::Direction::directed);
      if (answer.negative_cycle) continue;
      const auto edges = edges_of<T>(answer.graph);
      const auto count = static_cast<std::size_t>(n);
      const int width = uniform(random, 1, heaviest(n));
      Counted expected(width, 7);
      expected.add_all(answer.distances);
      const auto empty = [&] { return blockfw::DistanceHistogram<T>(static_cast<T>(width), 7); };
      const auto group_of = random_groups(random, count, 5);
      const auto weights = random_weights(random, count);
      const int limit = uniform(random, -2, 2 * heaviest(n));
      const blockfw::VertexGroups<Exec> groups(Exec{}, group_of, {.groups = 5});
      const blockfw::VertexGroups<Exec> weighted(Exec{}, group_of, {.groups = 5, .weights = weights});
      const auto check_groups = [&](std::int64_t first, const auto& rows) {
        const auto from = static_cast<std::size_t>(first), of = rows.extent(0);
        check_sums(blockfw::group_sums(Exec{}, rows, groups), answer.distances, from, of, group_of, 5, {}, no_limit);
        check_sums(blockfw::group_sums(Exec{}, rows, weighted, static_cast<T>(limit)), answer.distances, from, of,
                   group_of, 5, weights, limit);
      };

      const auto d = blockfw::solve(n, edges);
      auto of_matrix = empty();
      of_matrix.add(Exec{}, 0, d);
      check(of_matrix, expected);
      CHECK(of_matrix.pairs() == std::int64_t{n} * (n - 1));
      check_groups(0, d);

      const blockfw::SparseAnalysis analysis(n, edges);
      const blockfw::SparseFactor<blockfw::MinPlus<T>, Exec> factor(Exec{}, analysis, edges);
      auto of_factor = empty();
      factor.for_whole_rows([&](std::int64_t first, const auto& rows) {
        of_factor.add(Exec{}, first, rows);
        check_groups(first, rows);
      });
      check(of_factor, expected);

      const blockfw::Network network(Host{}, n, edges);
      auto of_network = empty(), of_table = empty();
      const blockfw::VertexGroups<Host> on_host(Host{}, group_of, {.groups = 5});
      network.for_whole_rows(
          [&](std::int64_t first, const auto& rows) {
            of_network.add(Host{}, first, rows);
            check_sums(blockfw::group_sums(Host{}, rows, on_host, static_cast<T>(limit)), answer.distances,
                       static_cast<std::size_t>(first), rows.extent(0), group_of, 5, {}, limit);
          },
          7);
      check(of_network, expected);
      const std::vector<int> sources = {n - 1, 0}, targets = {0, n / 2};
      network.for_rows_of_table(sources, targets, [&](std::int64_t, const auto& rows) { of_table.add(Host{}, rows); });
      Counted of_pairs(width, 7);
      for (const int s : sources)
        for (const int t : targets)
          of_pairs.add(answer.distances[static_cast<std::size_t>(s)][static_cast<std::size_t>(t)]);
      check(of_table, of_pairs);
    }
}

TEST_CASE_TEMPLATE("sums by group within several limits: by threads, by bins and by teams", T, std::int32_t, double) {
  Random random(8);
  struct Case {
    std::size_t rows, columns;
    int groups;
    std::int64_t segment;
  };
  for (const Case& c : {Case{0, 0, 0, 5}, Case{3, 7, 0, 5}, Case{1, 1, 1, 5}, Case{17, 131, 1, 13},
                        Case{5, 1031, 3, 400}, Case{7, 257, 300, 2}}) {
    CAPTURE(c.columns);
    CAPTURE(c.groups);
    auto d = random_matrix<T>(random, c.rows, c.columns);
    for (std::size_t i = 0; i < d.size(); ++i)
      if (d.data()[i] < blockfw::infinity<T> && d.data()[i] > T(5000)) d.data()[i] = T(5000);
    // One limit is exactly a distance, and another limit is just below this distance.
    const auto numbers = numbers_of(d);
    const std::int64_t there = d.size() > 0 && numbers[0][0] < 5000 ? numbers[0][0] : 12;
    const auto group_of = random_groups(random, c.columns, c.groups);
    const auto weights = random_weights(random, c.columns);
    const std::vector<std::int64_t> one = {1000}, few = {no_limit, -1, there, there - 1},
                                    many = {4000, below_all, 700, 700, no_limit, -1, 2, 0, 3999, there};
    for (const auto& limits : {one, few, many}) {
      const auto held = limits_in<T>(limits);
      for (const bool weighted : {false, true}) {
        const auto used = weighted ? weights : std::vector<double>();
        const auto count = static_cast<std::size_t>(c.groups);
        const blockfw::VertexGroups<Exec> groups(Exec{}, group_of, {.groups = c.groups, .weights = used});
        for_layouts(d, [&](const auto& rows) {
          using Sums = blockfw::GroupSumsOfLimits<Exec>;
          using Array = Sums::Array;
          const auto sums = blockfw::group_sums(Exec{}, rows, groups, held);
          check_limits(sums, numbers, 0, c.rows, group_of, count, used, limits);

          namespace detail = blockfw::detail;
          const detail::GroupLists<Exec> lists(Exec{}, group_of, c.groups, used, c.segment);
          const detail::RowsOrColumns<T> of_rows(rows, true);
          const auto check_other = [&](const auto& write) {
            const Sums other{Array("reached", c.rows, count, held.size()), Array("sum", c.rows, count, held.size())};
            weighted ? write(other, std::true_type()) : write(other, std::false_type());
            Exec().fence();
            check_limits(other, numbers, 0, c.rows, group_of, count, used, limits);
          };
          check_other([&]<bool Weighted>(const Sums& other, std::bool_constant<Weighted>) {
            for (std::size_t first = 0; first < held.size(); first += detail::few_limits) {
              const std::size_t here = std::min<std::size_t>(detail::few_limits, held.size() - first);
              detail::RowsOfFewLimits<T, Exec> some{
                  of_rows, other.reached, other.sum, static_cast<std::int64_t>(first), static_cast<int>(here), {}};
              for (std::size_t l = 0; l < here; ++l) some.limits[l] = held[first + l];
              detail::group_sums_by_teams<Weighted>(Exec{}, some, lists);
            }
          });
          if constexpr (blockfw::is_host_space<Exec>)
            check_other([&]<bool Weighted>(const Sums& other, std::bool_constant<Weighted>) {
              detail::group_sums_by_bins<Weighted, T, Exec>(Exec{}, of_rows, lists, detail::checked_limits<T>(held),
                                                            other.reached, other.sum);
            });
        });
      }
    }
  }
}

TEST_CASE("limits below a distance") {
  const std::vector<int> all = {-5, 0, 0, 3, 8, 8, 9};
  for (std::size_t count = 1; count <= all.size(); ++count)
    for (int distance = -7; distance < 12; ++distance) {
      const std::span<const int> limits(all.data(), count);
      std::int64_t below = 0;
      for (const int limit : limits) below += limit < distance;
      CHECK(blockfw::detail::limits_below(limits, distance) == below);
    }
}

TEST_CASE_TEMPLATE("sums by group with weights that decay: by threads and by teams", T, std::int32_t, double) {
  Random random(9);
  struct Case {
    std::size_t rows, columns;
    int groups;
  };
  std::vector<double> whole;  // a value for each whole distance
  for (int k = 0; k < 3000; ++k) whole.push_back(k * 7 % 13 / 4.);
  for (const Case& c : {Case{0, 0, 0}, Case{1, 1, 1}, Case{5, 1031, 3}, Case{7, 257, 300}}) {
    CAPTURE(c.columns);
    auto d = random_matrix<T>(random, c.rows, c.columns);
    for (std::size_t i = 0; i < d.size(); ++i)  // (at the knots, too)
      if (uniform(random, 0, 4) == 0) d.data()[i] = static_cast<T>(512 * uniform(random, 0, 6));
    for (std::size_t i = 0; i < d.size(); ++i)
      if (d.data()[i] < blockfw::infinity<T> && d.data()[i] > T(5000)) d.data()[i] = T(5000);
    const auto numbers = numbers_of(d);
    const auto group_of = random_groups(random, c.columns, c.groups);
    const auto weights = random_weights(random, c.columns);
    // (The steps are powers of two: products and sums are exact.)
    const std::vector<double> flat = {1, 1};
    const blockfw::DistanceDecay decays[] = {{.step = 512, .values = {1, 0.5, 0.25, 0, 2, -1}},
                                             {.step = 2048, .values = {1, 0}},
                                             {.step = 2048, .values = flat},
                                             {.step = 1, .values = whole},
                                             {.step = 4, .values = {3}}};
    for (const auto& decay : decays)
      for (const bool weighted : {false, true}) {
        CAPTURE(decay.step);
        const auto used = weighted ? weights : std::vector<double>();
        const auto count = static_cast<std::size_t>(c.groups);
        const blockfw::VertexGroups<Exec> groups(Exec{}, group_of, {.groups = c.groups, .weights = used});
        const auto step = static_cast<std::int64_t>(decay.step);
        for_layouts(d, [&](const auto& rows) {
          const auto sums = blockfw::group_sums(Exec{}, rows, groups, decay);
          check_decay(sums, numbers, group_of, count, used, step, decay.values);

          namespace detail = blockfw::detail;
          const blockfw::GroupSums<Exec> by_teams{decltype(sums.reached)("reached", c.rows, count),
                                                  decltype(sums.sum)("sum", c.rows, count)};
          const detail::GroupLists<Exec> lists(Exec{}, group_of, c.groups, used, 200);
          const auto table = detail::table_of(Exec{}, decay);
          const detail::RowsWithDecay<T, Exec> with_decay{{{rows, true}, by_teams.reached, by_teams.sum},
                                                          decay.step,
                                                          static_cast<double>(decay.values.size() - 1),
                                                          table.data()};
          if (weighted)
            detail::group_sums_by_teams<true>(Exec{}, with_decay, lists);
          else
            detail::group_sums_by_teams<false>(Exec{}, with_decay, lists);
          Exec().fence();
          check_decay(by_teams, numbers, group_of, count, used, step, decay.values);
          if (decay.values == flat)  // this decay is a limit
            check_sums(sums, numbers, 0, c.rows, group_of, count, used, step);
        });
      }
  }
}

TEST_CASE("summaries: rows of shares, on the devices that hold them") {
  Random random(2);
  const int n = 97;
  const Answer answer(scattered(random, n, 3 * n, 0, heaviest(n)), blockfw::Direction::directed);
  const blockfw::Devices<Exec> devices;
  blockfw::RowBlocks<int, Exec> blocks(devices.list(), n);
  blocks.solve(blocks.fill(edges_of<int>(answer.graph)));
  blockfw::DistanceHistogram<int> all(20, 9);
  const auto group_of = random_groups(random, n, 3);
  for (int s = 0; s < blocks.shares(); ++s) {
    if (blocks.rows(s) == 0) continue;
    blockfw::DistanceHistogram<int> here(20, 9);
    here.add(blocks.exec(s), blocks.first_row(s), blocks.view(s));
    all += here;
    const auto sums =
        blockfw::group_sums(blocks.exec(s), blocks.view(s), blockfw::VertexGroups(blocks.exec(s), group_of), 50);
    check_sums(sums, answer.distances, static_cast<std::size_t>(blocks.first_row(s)),
               static_cast<std::size_t>(blocks.rows(s)), group_of, 3, {}, 50);
    const auto within = blockfw::group_sums(blocks.exec(s), blocks.view(s),
                                            blockfw::VertexGroups(blocks.exec(s), group_of), {50, 20, 70, 5, 1000});
    check_limits(within, answer.distances, static_cast<std::size_t>(blocks.first_row(s)),
                 static_cast<std::size_t>(blocks.rows(s)), group_of, 3, {}, {50, 20, 70, 5, 1000});
  }
  Counted expected(20, 9);
  expected.add_all(answer.distances);
  check(all, expected);

  blockfw::DistanceHistogram<int> of_whole_rows(20, 9);
  blocks.for_whole_rows([&](std::int64_t first, const auto& rows) { of_whole_rows.add(Host{}, first, rows); },
                        16 * n * sizeof(int));
  check(of_whole_rows, expected);
}

TEST_CASE_TEMPLATE("histogram: by threads and by teams, matrices of any size and layout", T, ALL_TYPES) {
  Random random(3);
  struct Case {
    std::size_t rows, columns;
    int width;
    std::int64_t bins;
  };
  for (const Case& c : {Case{0, 0, 1, 1}, Case{1, 1, 1, 3}, Case{2, 257, 7, 13}, Case{67, 131, 1, 5000},
                        Case{5, 8209, 100, 20}, Case{131, 131, 16000, 2}, Case{31, 1031, 49, 60}}) {
    const auto d = random_matrix<T>(random, c.rows, c.columns);
    const auto numbers = numbers_of(d);
    const auto width = static_cast<T>(c.width);
    CAPTURE(c.columns);
    for (const bool all : {true, false}) {
      // (Row i is that of vertex first + i. Its distance to itself is left out, unless all entries count.)
      const std::size_t first = c.columns >= c.rows ? c.columns - c.rows : 0;
      Counted expected(c.width, static_cast<std::size_t>(c.bins));
      for (std::size_t i = 0; i < c.rows; ++i)
        for (std::size_t j = 0; j < c.columns; ++j)
          if (all || first + i != j) expected.add(numbers[i][j]);
      for_layouts(d, [&](const auto& rows) {
        blockfw::DistanceHistogram<T> histogram(width, c.bins);
        if (all)
          histogram.add(Exec{}, rows);
        else
          histogram.add(Exec{}, static_cast<std::int64_t>(first), rows);
        check(histogram, expected);

        std::vector<std::int64_t> counts(static_cast<std::size_t>(c.bins) + 2), by_bins;
        std::optional<std::int64_t> from;
        if (!all) from = static_cast<std::int64_t>(first);
        const blockfw::detail::CounterOfDistance<T> counter_of(width, static_cast<std::int32_t>(c.bins));
        blockfw::detail::count_by_teams(Exec{}, blockfw::detail::CountedEntries<T>(rows, from), counter_of, counts);
        CHECK(counts.front() == expected.negative);
        CHECK(counts.back() == expected.unreachable);
        by_bins.assign(counts.begin() + 1, counts.end() - 1);
        CHECK(by_bins == expected.bins);
      });
    }
  }
}

TEST_CASE_TEMPLATE("histogram: the ends of bins", T, ALL_TYPES) {
  Random random(4);
  const auto largest = static_cast<std::int64_t>(std::min<double>(
                           static_cast<double>(blockfw::infinity<T>),
                           std::is_floating_point_v<T> ? std::ldexp(1., std::numeric_limits<T>::digits) : 1e18)) -
                       1;
  for (int repetition = 0; repetition < 60; ++repetition) {
    const std::int64_t bins = uniform(random, 1, 4000);
    const std::int64_t most = std::max<std::int64_t>(1, largest / (repetition % 2 == 0 ? bins : 3));
    std::int64_t width = 1 + static_cast<std::int64_t>(static_cast<double>(most - 1) * uniform(random, 0, 1000) / 1000);
    if (repetition % 3 == 0) width = std::min<std::int64_t>(most, uniform(random, 1, 99));
    CAPTURE(width);
    CAPTURE(bins);
    std::vector<std::int64_t> numbers;
    std::vector<std::int64_t> expected(static_cast<std::size_t>(bins));
    for (std::int64_t bin = 0; bin < bins && width <= (largest - width) / (bin + 1); ++bin) {
      for (const std::int64_t within : {std::int64_t{0}, width - 1}) {
        numbers.push_back(bin * width + within);
        ++expected[static_cast<std::size_t>(bin)];
      }
    }
    numbers.push_back(largest);
    ++expected[static_cast<std::size_t>(std::min(bins - 1, largest / width))];
    const HostMatrix<T> d("d", 1, numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) d(0, i) = static_cast<T>(numbers[i]);
    blockfw::DistanceHistogram<T> histogram(static_cast<T>(width), bins);
    histogram.add(Host{}, d);
    CHECK(histogram.counts() == expected);
    const blockfw::detail::CounterOfDistance<T> counter_of(static_cast<T>(width), static_cast<std::int32_t>(bins));
    std::vector<std::int64_t> one_by_one(static_cast<std::size_t>(bins) + 2);
    for (std::size_t i = 0; i < numbers.size(); ++i) ++one_by_one[static_cast<std::size_t>(counter_of(d(0, i)))];
    CHECK(std::equal(expected.begin(), expected.end(), one_by_one.begin() + 1));
  }
}

TEST_CASE_TEMPLATE("histogram: floats that are no whole numbers, infinitely many bins away", T, float, double) {
  Random random(5);
  for (const T width : {T(0.1), T(1) / 3, T(1e-30), T(1e30), T(0.7)}) {
    constexpr int bins = 1000, n = 4096;
    const HostMatrix<T> d("d", 1, n);
    std::vector<std::int64_t> expected(bins);
    for (std::size_t i = 0; i < n; ++i) {
      const int bin = uniform(random, 0, 1100);
      T distance = static_cast<T>(bin) * width;  // where the bin begins
      const bool before = uniform(random, 0, 1) == 0 && bin > 0;
      if (before) distance = std::nextafter(distance, T(0));
      d(0, i) = distance;
      ++expected[static_cast<std::size_t>(std::min(bins - 1, bin - before))];
    }
    blockfw::DistanceHistogram<T> histogram(width, bins);
    histogram.add(Host{}, d);
    CHECK(histogram.counts() == expected);
    std::vector<std::int64_t> by_teams(bins + 2);
    blockfw::detail::count_by_teams(Host{}, blockfw::detail::CountedEntries<T>(d, std::nullopt),
                                    blockfw::detail::CounterOfDistance<T>(width, bins), by_teams);
    CHECK(std::equal(expected.begin(), expected.end(), by_teams.begin() + 1));
  }
  const HostMatrix<T> ends("ends", 1, 5);
  const T entries[] = {-std::numeric_limits<T>::min(), T(-0.), std::numeric_limits<T>::denorm_min(),
                       std::numeric_limits<T>::max(), std::numeric_limits<T>::infinity()};
  std::copy(std::begin(entries), std::end(entries), ends.data());
  blockfw::DistanceHistogram<T> histogram(std::numeric_limits<T>::min(), 10);
  histogram.add(Host{}, ends);
  CHECK(histogram.negative() == 1);
  CHECK(histogram.counts() == std::vector<std::int64_t>{2, 0, 0, 0, 0, 0, 0, 0, 0, 1});
  CHECK(histogram.unreachable() == 1);
}

TEST_CASE_TEMPLATE("sums by group: by threads and by teams, matrices of any size and layout", T, ALL_TYPES) {
  Random random(6);
  struct Case {
    std::size_t rows, columns;
    int groups;
    std::int64_t segment;
  };
  for (const Case& c :
       {Case{0, 0, 0, 5}, Case{3, 7, 0, 5}, Case{1, 1, 1, 5}, Case{67, 131, 1, 13}, Case{5, 1031, 3, 1000},
        Case{31, 257, 300, 2}, Case{2, 5003, 2, 100000}, Case{131, 61, 61, 7}}) {
    CAPTURE(c.columns);
    CAPTURE(c.groups);
    // (Sums of these distances are exact in every type.)
    auto d = random_matrix<T>(random, c.rows, c.columns);
    for (std::size_t i = 0; i < d.size(); ++i)
      if (d.data()[i] < blockfw::infinity<T> && d.data()[i] > T(5000)) d.data()[i] = T(5000);
    const auto numbers = numbers_of(d);
    const auto group_of = random_groups(random, c.columns, c.groups);
    const auto weights = random_weights(random, c.columns);
    for (const bool weighted : {false, true})
      for (const std::int64_t limit : {no_limit, std::int64_t{1000}, std::int64_t{-1}, below_all}) {
        const auto used = weighted ? weights : std::vector<double>();
        const blockfw::VertexGroups<Exec> groups(Exec{}, group_of, {.groups = c.groups, .weights = used});
        const auto count = static_cast<std::size_t>(c.groups);
        const T most = limit == no_limit ? blockfw::infinity<T> : static_cast<T>(limit);
        for_layouts(d, [&](const auto& rows) {
          const auto sums = blockfw::group_sums(Exec{}, rows, groups, most);
          check_sums(sums, numbers, 0, c.rows, group_of, count, used, limit);

          using Sums = blockfw::GroupSums<Exec>;
          const Sums by_teams{decltype(Sums::reached)("reached", c.rows, count),
                              decltype(Sums::sum)("sum", c.rows, count)};
          const blockfw::detail::GroupLists<Exec> lists(Exec{}, group_of, c.groups, used, c.segment);
          const blockfw::detail::RowsOfGroups<T, Exec> of_rows{{{rows, true}, by_teams.reached, by_teams.sum}, most};
          if (weighted)
            blockfw::detail::group_sums_by_teams<true>(Exec{}, of_rows, lists);
          else
            blockfw::detail::group_sums_by_teams<false>(Exec{}, of_rows, lists);
          Exec().fence();
          check_sums(by_teams, numbers, 0, c.rows, group_of, count, used, limit);
        });
      }
  }
}

TEST_CASE("sums by group: the number of groups") {
  const std::vector<std::int32_t> group_of = {2, blockfw::no_vertex, 0};
  CHECK(blockfw::VertexGroups(Exec{}, group_of).groups() == 3);
  CHECK(blockfw::VertexGroups(Exec{}, group_of, {.groups = 9}).groups() == 9);
  CHECK(blockfw::VertexGroups(Exec{}, group_of).vertices() == 3);
  CHECK_FALSE(blockfw::VertexGroups(Exec{}, group_of).weighted());
  CHECK(blockfw::VertexGroups(Exec{}, {}).groups() == 0);
  CHECK(blockfw::VertexGroups(Exec{}, {blockfw::no_vertex}).groups() == 0);
}

TEST_CASE("summaries: what is refused") {
  using blockfw::InvalidInput;
  using Histogram = blockfw::DistanceHistogram<double>;
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinite = std::numeric_limits<double>::infinity();
  CHECK_THROWS_WITH_AS(Histogram(nan, 3), "the width of a bin is nan, expected a positive number", InvalidInput);
  CHECK_THROWS_WITH_AS(Histogram(infinite, 3), "the width of a bin is inf, expected a positive number", InvalidInput);
  CHECK_THROWS_WITH_AS(blockfw::DistanceHistogram<int>(0, 3), "the width of a bin is 0, expected a positive number",
                       InvalidInput);
  CHECK_THROWS_WITH_AS(blockfw::DistanceHistogram<int>(-5, 3), "the width of a bin is -5, expected a positive number",
                       InvalidInput);
  CHECK_THROWS_AS(Histogram(std::numeric_limits<double>::denorm_min(), 3), InvalidInput);
  CHECK_THROWS_WITH_AS(Histogram(1, 0), "the number of bins is 0, expected 1 to 1048576", InvalidInput);
  CHECK_THROWS_WITH_AS(Histogram(1, -1), "the number of bins is -1, expected 1 to 1048576", InvalidInput);
  CHECK_THROWS_WITH_AS(Histogram(1, Histogram::most_bins + 1), "the number of bins is 1048577, expected 1 to 1048576",
                       InvalidInput);

  Histogram histogram(1, 3);
  const HostMatrix<double> d("d", 3, 4);
  CHECK_THROWS_WITH_AS(histogram.add(Host{}, 2, d),
                       "the rows 'd' are those of 3 vertices from vertex 2 on, expected vertices from 0 to 3, one for "
                       "each column",
                       InvalidInput);
  CHECK_THROWS_AS(histogram.add(Host{}, -1, d), InvalidInput);
  CHECK_THROWS_AS(histogram.add(Host{}, 0, HostMatrix<double>("d", 4, 3)), InvalidInput);
  CHECK(histogram.pairs() == 0);
  const Histogram known(2, {3, 0, 4}, 1, 6);
  CHECK(known.bins() == 3);
  CHECK(known.counts() == std::vector<std::int64_t>{3, 0, 4});
  CHECK(known.negative() == 1);
  CHECK(known.unreachable() == 6);
  CHECK(known.pairs() == 14);
  CHECK_THROWS_WITH_AS(Histogram(2, {3, -1}, 0, 0), "a number of pairs is -1, expected 0 or more", InvalidInput);
  CHECK_THROWS_AS(Histogram(2, {}, 0, 0), InvalidInput);
  CHECK_THROWS_WITH_AS(blockfw::DistanceHistogram<int>(5, 3) += blockfw::DistanceHistogram<int>(5, 4),
                       "the other histogram has 4 bins of width 5, expected 3 of width 5", InvalidInput);
  CHECK_THROWS_AS(blockfw::DistanceHistogram<int>(5, 3) += blockfw::DistanceHistogram<int>(6, 3), InvalidInput);

  using Groups = blockfw::VertexGroups<Host>;
  CHECK_THROWS_WITH_AS(Groups(Host{}, {0, -1}), "vertex 1 is in group -1, expected 0 or more, or no_vertex",
                       InvalidInput);
  CHECK_THROWS_WITH_AS(Groups(Host{}, {0, 2}, {.groups = 2}), "vertex 1 is in group 2, expected 0 to 1, or no_vertex",
                       InvalidInput);
  CHECK_THROWS_WITH_AS(Groups(Host{}, {0, 2}, {.groups = -2}), "the number of groups is -2, expected 0 to 2147483647",
                       InvalidInput);
  CHECK_THROWS_WITH_AS(Groups(Host{}, {0, 1}, {.weights = {1}}),
                       "there are 1 weights and groups of 2 vertices, expected as many of each", InvalidInput);
  CHECK_THROWS_WITH_AS(Groups(Host{}, {0, 1}, {.weights = {1, nan}}),
                       "the weight of vertex 1 is nan, expected a finite number", InvalidInput);
  const Groups groups(Host{}, {0, 1, 1, 0});
  CHECK_THROWS_WITH_AS(blockfw::group_sums(Host{}, d, groups, nan), "the limit is NaN, expected a number",
                       InvalidInput);
  CHECK_THROWS_WITH_AS(blockfw::group_sums(Host{}, HostMatrix<int>("d", 4, 3), groups),
                       "the rows 'd' have 3 columns, expected 4, one for each vertex of the groups", InvalidInput);
  const std::vector<double> limits = {1, 2}, with_nan = {1, nan};
  CHECK_THROWS_WITH_AS(blockfw::group_sums(Host{}, d, groups, std::vector<double>()),
                       "there are no limits, expected 1 or more", InvalidInput);
  CHECK_THROWS_WITH_AS(blockfw::group_sums(Host{}, d, groups, with_nan), "limit 1 is NaN, expected a number",
                       InvalidInput);
  CHECK_THROWS_WITH_AS(blockfw::group_sums(Host{}, HostMatrix<double>("d", 4, 3), groups, limits),
                       "the rows 'd' have 3 columns, expected 4, one for each vertex of the groups", InvalidInput);
  const blockfw::GroupSumsOfLimits<Host>::Array fits("fits", 3, 2, 2), other("other", 3, 2, 1);
  CHECK_THROWS_WITH_AS(blockfw::group_sums(Host{}, d, groups, limits, fits, other),
                       "the matrix 'other' has 3 rows, 2 columns and 1 limits, expected 3, 2 and 2", InvalidInput);
  const blockfw::DistanceDecay some_decay{.step = 1, .values = {1}};
  const auto refuses = [&](const blockfw::DistanceDecay& decay, const char* message) {
    CHECK_THROWS_WITH_AS(blockfw::group_sums(Host{}, d, groups, decay), message, InvalidInput);
  };
  refuses({.step = 0, .values = {1}}, "the step of the decay is 0.000000, expected a positive number");
  refuses({.step = -2, .values = {1}}, "the step of the decay is -2.000000, expected a positive number");
  refuses({.step = nan, .values = {1}}, "the step of the decay is nan, expected a positive number");
  refuses({.step = infinite, .values = {1}}, "the step of the decay is inf, expected a positive number");
  refuses({.step = 1, .values = {}}, "the decay has no values, expected 1 or more");
  refuses({.step = 1, .values = {1, infinite}}, "value 1 of the decay is inf, expected a finite number");
  CHECK_THROWS_WITH_AS(blockfw::group_sums(Host{}, HostMatrix<double>("d", 4, 3), groups, some_decay),
                       "the rows 'd' have 3 columns, expected 4, one for each vertex of the groups", InvalidInput);
  const HostMatrix<double> right("right", 3, 2), wrong("wrong", 3, 3);
  CHECK_THROWS_WITH_AS(blockfw::group_sums(Host{}, d, groups, some_decay, wrong, right),
                       "the matrix 'wrong' has 3 rows and 3 columns, expected 3 and 2", InvalidInput);
  CHECK_THROWS_WITH_AS(blockfw::group_sums(Host{}, d, groups, 1, right, wrong),
                       "the matrix 'wrong' has 3 rows and 3 columns, expected 3 and 2", InvalidInput);
}
