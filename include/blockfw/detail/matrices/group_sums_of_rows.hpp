// SPDX-License-Identifier: MIT
/// \file
/// \brief For each row of distances and each group of columns: how many columns are reached, and how far they are.
///
/// The loops over rows and groups are written once, for any rows. The class of the rows says which entries count, and
/// where the sums are written: within one limit, within a few limits, or with weights that decay.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/backend/workspace.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/base/lanes.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/detail/matrices/copies.hpp"
#include "blockfw/ground/answers.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace blockfw::detail {

/// \brief The members of all groups, group after group, in segments of one group each.
template <class ExecSpace>
struct GroupLists {
  /// \brief Sorts the columns by their groups, and copies the lists to the memory of exec.
  /// \param group_of  of each column; a negative number stands for no group
  /// \param count     the number of groups
  /// \param of        the weight of each column, or nothing
  /// \param most      members of a segment. Teams share a large group, and add up its segments afterwards.
  GroupLists(const ExecSpace& exec, const std::vector<std::int32_t>& group_of, std::int64_t count,
             std::span<const double> of, std::int64_t most)
      : groups(count) {
    require_host_memory(
        "the lists of " + std::to_string(count) + " groups",
        (4 * static_cast<double>(count) + 3 * static_cast<double>(group_of.size())) * sizeof(std::int32_t));
    std::vector<std::int32_t> first(static_cast<std::size_t>(count) + 1), next, sorted, begin_of, segment_of;
    for (const std::int32_t group : group_of)
      if (group >= 0) ++first[static_cast<std::size_t>(group) + 1];
    for (std::size_t g = 1; g < first.size(); ++g) first[g] += first[g - 1];
    next = first;
    sorted.resize(static_cast<std::size_t>(first.back()));
    for (std::size_t v = 0; v < group_of.size(); ++v)
      if (group_of[v] >= 0) sorted[at(next[at(group_of[v])]++)] = static_cast<std::int32_t>(v);
    std::vector<double> sorted_weights(of.empty() ? 0 : sorted.size());
    for (std::size_t m = 0; m < sorted_weights.size(); ++m) sorted_weights[m] = of[at(sorted[m])];
    for (std::size_t g = 0; g + 1 < first.size(); ++g) {
      segment_of.push_back(static_cast<std::int32_t>(begin_of.size()));
      std::int64_t begin = first[g];
      do {  // (An empty group has a segment, too.)
        begin_of.push_back(static_cast<std::int32_t>(begin));
        begin += most;
      } while (begin < first[g + 1]);
    }
    segments = static_cast<std::int64_t>(begin_of.size());
    segment_of.push_back(static_cast<std::int32_t>(segments));
    begin_of.push_back(first.back());
    members = in_space(exec, sorted);
    weights = in_space(exec, sorted_weights);
    begins = in_space(exec, begin_of);
    first_segments = in_space(exec, segment_of);
    exec.fence("blockfw::groups");  // (the lists on the host end here)
  }

  std::int64_t groups, segments;
  Array<std::int32_t, ExecSpace> members;         ///< columns, ascending in each group
  Array<double, ExecSpace> weights;               ///< of the members, if there are any
  Array<std::int32_t, ExecSpace> begins;          ///< where a segment begins in the members; one more at the end
  Array<std::int32_t, ExecSpace> first_segments;  ///< the first segment of each group; one more at the end
};

/// \brief The sums over some members of a group.
template <class T, bool Weighted>
struct GroupAmount {
  using Number = std::conditional_t<Weighted, double, std::int64_t>;
  using Sum = std::conditional_t<Weighted, double, typename Reach<T>::Sum>;
  Number number = 0;
  Sum sum = 0;

  KOKKOS_FORCEINLINE_FUNCTION void see(T distance, T limit, const double* weight) {
    const bool counts = distance < infinity<T> && distance <= limit;
    if constexpr (Weighted) {
      number += if_it_counts(counts, *weight);
      sum += if_it_counts(counts, *weight * static_cast<double>(distance));
    } else {
      number += counts;
      sum += if_it_counts(counts, static_cast<Sum>(distance));
    }
  }
  /// Adds a member at any distance.
  void add(T distance, const double* weight) {
    if constexpr (Weighted) {
      number += *weight;
      sum += *weight * static_cast<double>(distance);
    } else {
      ++number;
      sum += static_cast<Sum>(distance);
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION GroupAmount& operator+=(const GroupAmount& other) {
    number += other.number;
    sum += other.sum;
    return *this;
  }
};

/// \brief Some rows of distances, and where their sums are written: rows x groups.
template <class T, class ExecSpace>
struct RowsWithSums : RowsOrColumns<T> {
  MatrixRef<double, ExecSpace> numbers, sums;

  template <class Amount>
  KOKKOS_FORCEINLINE_FUNCTION void write(std::int64_t row, std::int64_t group, const Amount& amount) const {
    numbers(row, group) = static_cast<double>(amount.number);
    sums(row, group) = static_cast<double>(amount.sum);
  }
};

/// \brief The same with one limit.
template <class T, class ExecSpace>
struct RowsOfGroups : RowsWithSums<T, ExecSpace> {
  template <bool Weighted>
  using AmountOf = GroupAmount<T, Weighted>;

  T limit;  ///< the largest distance that counts

  template <bool Weighted>
  KOKKOS_FORCEINLINE_FUNCTION void see(GroupAmount<T, Weighted>& amount, T distance, const double* weight) const {
    amount.see(distance, limit, weight);
  }
};

/// Sums of rows x groups x limits.
template <class ExecSpace>
using SumsOfLimits = Kokkos::View<double***, Kokkos::LayoutStride, typename ExecSpace::memory_space,
                                  Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// The limits that a thread adds up for at once.
inline constexpr int few_limits = 4;

/// \brief The sums over some members of a group within each of a few limits.
template <class T, bool Weighted>
struct FewAmounts {
  GroupAmount<T, Weighted> within[few_limits];

  KOKKOS_FORCEINLINE_FUNCTION FewAmounts& operator+=(const FewAmounts& other) {
    BLOCKFW_UNROLL
    for (int l = 0; l < few_limits; ++l) within[l] += other.within[l];
    return *this;
  }
};

/// \brief Some rows of distances with a few limits, and where their sums are written.
///
/// Each limit has the sums of RowsOfGroups, added up in the same order.
template <class T, class ExecSpace>
struct RowsOfFewLimits : RowsOrColumns<T> {
  template <bool Weighted>
  using AmountOf = FewAmounts<T, Weighted>;

  SumsOfLimits<ExecSpace> numbers, sums;
  std::int64_t first_limit;  ///< its index in the caller's list
  int limits_here;           ///< the number of limits here
  T limits[few_limits];      ///< the further elements may be any numbers

  template <bool Weighted>
  KOKKOS_FORCEINLINE_FUNCTION void see(FewAmounts<T, Weighted>& amounts, T distance, const double* weight) const {
    BLOCKFW_UNROLL
    for (int l = 0; l < few_limits; ++l) amounts.within[l].see(distance, limits[l], weight);
  }
  template <class Amounts>
  KOKKOS_FORCEINLINE_FUNCTION void write(std::int64_t row, std::int64_t group, const Amounts& amounts) const {
    BLOCKFW_UNROLL
    for (int l = 0; l < few_limits; ++l) {
      if (l >= limits_here) continue;
      numbers(row, group, first_limit + l) = static_cast<double>(amounts.within[l].number);
      sums(row, group, first_limit + l) = static_cast<double>(amounts.within[l].sum);
    }
  }
};

/// \brief Rows with sums of weights that decay.
///
/// A member counts as much as the decay at its distance says. The decay is known at the multiples of a width, and
/// linear between two of them. A negative distance counts as the distance 0 does.
template <class T, class ExecSpace>
struct RowsWithDecay : RowsWithSums<T, ExecSpace> {
  template <bool>
  using AmountOf = GroupAmount<T, true>;

  double width;         ///< the distance between neighbouring entries of the decay
  double last;          ///< the index of the decay's last entry; members farther away do not count
  const double* decay;  ///< last + 2 entries where the loop runs; the final one may be any finite number

  template <bool Weighted>
  KOKKOS_FORCEINLINE_FUNCTION void see(GroupAmount<T, true>& amount, T distance, const double* weight) const {
    // (The quotient is rounded correctly. So it is an integer where the distance is a multiple of the width.)
    const double widths = static_cast<double>(distance) / width;
    const bool counts = distance < infinity<T> && widths <= last;
    const double within = counts && widths > 0 ? widths : 0.;
    const auto entry = static_cast<std::int64_t>(within);
    double here = decay[entry] + (within - static_cast<double>(entry)) * (decay[entry + 1] - decay[entry]);
    if constexpr (Weighted) here *= *weight;
    amount.number += if_it_counts(counts, here);
    amount.sum += if_it_counts(counts, here * static_cast<double>(distance));
  }
};

/// \brief Sums of groups on a host: a thread takes a row, and some groups of it. The members of a group are added up
/// four at a time, always in the same order.
template <bool Weighted, class Rows, class ExecSpace>
void group_sums_by_threads(const ExecSpace& exec, const Rows& rows, const GroupLists<ExecSpace>& lists) {
  using T = typename Rows::value_type;
  using Amount = typename Rows::template AmountOf<Weighted>;
  constexpr std::int64_t groups_of_task = 256;
  const std::int64_t tasks_of_row = div_up(lists.groups, groups_of_task), groups = lists.groups;
  const std::int32_t *const members = lists.members.data(), *const begins = lists.begins.data(),
                            *const first = lists.first_segments.data();
  const double* const weights = lists.weights.data();
  for_range("blockfw::group_sums", exec, 0, rows.count * tasks_of_row, [=](std::int64_t task) {
    constexpr int at_once = 4;
    const std::int64_t row = task / tasks_of_row, begin = task % tasks_of_row * groups_of_task;
    const T* const from = rows.data + row * rows.step;
    for (std::int64_t group = begin; group < std::min(groups, begin + groups_of_task); ++group) {
      Amount some[at_once];
      std::int64_t m = begins[first[group]];
      const std::int64_t end = begins[first[group + 1]];
      for (; m + at_once <= end; m += at_once) {
        BLOCKFW_UNROLL
        for (int i = 0; i < at_once; ++i)
          rows.template see<Weighted>(some[i], from[members[m + i] * rows.entry_step],
                                      weights + (Weighted ? m + i : 0));
      }
      for (; m < end; ++m)
        rows.template see<Weighted>(some[0], from[members[m] * rows.entry_step], weights + (Weighted ? m : 0));
      for (int i = 1; i < at_once; ++i) some[0] += some[i];
      rows.write(row, group, some[0]);
    }
  });
}

/// \brief Sums of groups on a device, always in the same order. It queues its work.
///
/// A team takes a row and some segments. Neighbouring threads take neighbouring members of a segment: as many threads
/// as an average segment has work for.
template <bool Weighted, class Rows, class ExecSpace>
void group_sums_by_teams(const ExecSpace& exec, const Rows& rows, const GroupLists<ExecSpace>& lists) {
  using T = typename Rows::value_type;
  using Amount = typename Rows::template AmountOf<Weighted>;
  using Teams = Kokkos::TeamPolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>;
  using Scratch = UnmanagedView<Amount*, typename ExecSpace::scratch_memory_space>;
  constexpr int threads = 256, at_once = 4;
  constexpr std::int64_t most_teams = std::int64_t{1} << 20, most_bytes = std::int64_t{1} << 27;
  if (rows.count == 0 || lists.groups == 0) return;
  const std::int64_t segments = lists.segments, groups = lists.groups;
  const auto average = extent_along(lists.members, 0) / segments;
  int beside = 1;  // threads of a segment
  while (beside < threads && beside * at_once < average) beside *= 2;
  const int segments_of_team = threads / beside;
  const std::int64_t blocks = div_up(segments, segments_of_team);

  // Groups of several segments: first the amounts of all segments of some rows, then their sums.
  const bool in_segments = segments > groups;
  const std::int64_t bytes_of_row = segments * static_cast<std::int64_t>(sizeof(Amount));
  const std::int64_t rows_at_once =
      in_segments ? std::clamp<std::int64_t>(most_bytes / bytes_of_row, 1, rows.count) : rows.count;
  const Workspace<ExecSpace> memory(exec, in_segments ? static_cast<std::size_t>(rows_at_once * bytes_of_row) : 0,
                                    "blockfw::group_sums");
  Amount* const parts = in_segments ? reinterpret_cast<Amount*>(memory.data()) : nullptr;
  const auto members = lists.members, begins = lists.begins, first_segments = lists.first_segments;
  const double* const weights = lists.weights.data();
  for (std::int64_t first_row = 0; first_row < rows.count; first_row += rows_at_once) {
    const std::int64_t some_rows = std::min(rows_at_once, rows.count - first_row), tasks = some_rows * blocks;
    const auto league = static_cast<int>(std::min(tasks, most_teams));
    for_teams(
        "blockfw::group_sums",
        (is_host_space<ExecSpace> ? Teams(exec, league, Kokkos::AUTO) : Teams(exec, league, threads))
            .set_scratch_size(0, Kokkos::PerTeam(Scratch::shmem_size(threads))),
        KOKKOS_LAMBDA(const typename Teams::member_type& team) {
          const Scratch seen(team.team_scratch(0), threads);
          for (std::int64_t task = team.league_rank(); task < tasks; task += league) {
            const std::int64_t row = task / blocks, first = task % blocks * segments_of_team;
            const T* const from = rows.data + (first_row + row) * rows.step;
            Kokkos::parallel_for(Kokkos::TeamThreadRange(team, threads), [&](int thread) {
              const std::int64_t segment = first + thread / beside;
              Amount amount;
              if (segment < segments) {
                const std::int32_t end = begins(segment + 1);
                std::int32_t m = begins(segment) + thread % beside;
                for (; m + (at_once - 1) * beside < end; m += at_once * beside) {
                  T there[at_once];
                  BLOCKFW_UNROLL
                  for (int i = 0; i < at_once; ++i) there[i] = from[members(m + i * beside) * rows.entry_step];
                  BLOCKFW_UNROLL
                  for (int i = 0; i < at_once; ++i)
                    rows.template see<Weighted>(amount, there[i], weights + (Weighted ? m + i * beside : 0));
                }
                for (; m < end; m += beside)
                  rows.template see<Weighted>(amount, from[members(m) * rows.entry_step], weights + (Weighted ? m : 0));
              }
              seen(thread % beside * segments_of_team + thread / beside) = amount;
            });
            add_up_parts(team, seen, segments_of_team, beside);
            Kokkos::parallel_for(Kokkos::TeamThreadRange(team, segments_of_team), [&](int i) {
              if (first + i >= segments) return;
              if (in_segments)
                parts[row * segments + first + i] = seen(i);
              else
                rows.write(first_row + row, first + i, seen(i));
            });
            team.team_barrier();
          }
        });
    if (in_segments)
      for_range(
          "blockfw::group_sums_of_segments", exec, 0, some_rows * groups, KOKKOS_LAMBDA(std::int64_t at) {
            const std::int64_t row = at / groups, group = at % groups;
            Amount all;
            for (std::int32_t s = first_segments(group); s < first_segments(group + 1); ++s)
              all += parts[row * segments + s];
            rows.write(first_row + row, group, all);
          });
  }
}

/// \brief Sums of groups where ExecSpace works. On a device the work is queued.
template <bool Weighted, class Rows, class ExecSpace>
void group_sums_of_rows(const ExecSpace& exec, const Rows& rows, const GroupLists<ExecSpace>& lists) {
  if constexpr (is_host_space<ExecSpace>)
    group_sums_by_threads<Weighted>(exec, rows, lists);
  else
    group_sums_by_teams<Weighted>(exec, rows, lists);
}

/// \brief The number of the limits that a distance exceeds.
/// \param limits  one or more, ascending
///
/// The search has no branch that depends on a distance: processors would often predict that branch wrongly.
template <class T>
std::int64_t limits_below(std::span<const T> limits, T distance) {
  const T* first = limits.data();
  for (std::size_t size = limits.size(); size > 1;) {
    const std::size_t half = size / 2;
    first += first[half - 1] < distance ? half : 0;
    size -= half;
  }
  return first - limits.data() + (*first < distance ? 1 : 0);
}

/// \brief Sums of groups within many limits on a host, in one pass over the rows. Fences exec.
/// \param limits  in any order, each less than infinity<T>
/// \throws OutOfMemory
///
/// A member is added to the bin of the shortest limit that it is within. Afterwards each limit gets the sum of its bin
/// and of those before it. Some tables of bins take the members in turn, as in a histogram. If sums round, their order
/// matters. It depends on the limits, not on the threads.
template <bool Weighted, class T, class ExecSpace>
void group_sums_by_bins(const ExecSpace& exec, const RowsOrColumns<T>& rows, const GroupLists<ExecSpace>& lists,
                        const std::vector<T>& limits, const SumsOfLimits<ExecSpace>& numbers,
                        const SumsOfLimits<ExecSpace>& sums) {
  using Amount = GroupAmount<T, Weighted>;
  constexpr std::int64_t groups_of_task = 256, tables = 4;
  const auto count = static_cast<std::int64_t>(limits.size()), bins = count + 1;  // (the last one is beyond all limits)
  std::vector<std::int64_t> order(limits.size());
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return limits[at(a)] < limits[at(b)]; });
  std::vector<T> sorted;
  for (const std::int64_t l : order) sorted.push_back(limits[at(l)]);

  const std::int64_t tasks_of_row = div_up(lists.groups, groups_of_task), groups = lists.groups;
  const Parts parts(exec, 0, rows.count * tasks_of_row);
  if (parts.count == 0) return;
  const auto bytes = at(parts.count * tables * bins) * sizeof(Amount);
  require_host_memory("the sums of a row within " + std::to_string(count) + " limits", static_cast<double>(bytes));
  const Workspace<ExecSpace> memory(exec, bytes, "blockfw::group_sums");
  auto* const all = reinterpret_cast<Amount*>(memory.data());
  const std::int32_t *const members = lists.members.data(), *const begins = lists.begins.data(),
                            *const first = lists.first_segments.data();
  const double* const weights = lists.weights.data();
  const std::int64_t* const place = order.data();
  const std::span<const T> ascending(sorted);
  for_range("blockfw::group_sums", exec, 0, parts.count, [=](std::int64_t part) {
    Amount* const own = all + part * tables * bins;
    for (std::int64_t task = parts.first(part); task < parts.first(part + 1); ++task) {
      const std::int64_t row = task / tasks_of_row, begin = task % tasks_of_row * groups_of_task;
      const T* const from = rows.data + row * rows.step;
      const auto add = [&](std::int64_t table, std::int64_t m) {
        const T distance = from[members[m] * rows.entry_step];
        own[table * bins + limits_below(ascending, distance)].add(distance, weights + (Weighted ? m : 0));
      };
      for (std::int64_t group = begin; group < std::min(groups, begin + groups_of_task); ++group) {
        std::fill_n(own, tables * bins, Amount());
        std::int64_t m = begins[first[group]];
        const std::int64_t end = begins[first[group + 1]];
        for (; m + tables <= end; m += tables) {
          BLOCKFW_UNROLL
          for (std::int64_t t = 0; t < tables; ++t) add(t, m + t);
        }
        for (; m < end; ++m) add(0, m);
        Amount within;
        for (std::int64_t l = 0; l < count; ++l) {
          for (std::int64_t t = 0; t < tables; ++t) within += own[t * bins + l];
          numbers(row, group, place[l]) = static_cast<double>(within.number);
          sums(row, group, place[l]) = static_cast<double>(within.sum);
        }
      }
    }
  });
  exec.fence("blockfw::group_sums");  // (the lists on the host end here)
}

/// \brief Sums of groups within several limits where ExecSpace works: rows x groups x limits. On a device the work is
/// queued.
/// \param limits  in any order, each less than infinity<T>
/// \throws OutOfMemory
///
/// A device reads the rows once for each few limits.
template <bool Weighted, class T, class ExecSpace>
void group_sums_of_limits(const ExecSpace& exec, const RowsOrColumns<T>& rows, const GroupLists<ExecSpace>& lists,
                          const std::vector<T>& limits, const SumsOfLimits<ExecSpace>& numbers,
                          const SumsOfLimits<ExecSpace>& sums) {
  constexpr std::size_t few = few_limits;
  if constexpr (is_host_space<ExecSpace>)
    if (limits.size() > few) return group_sums_by_bins<Weighted>(exec, rows, lists, limits, numbers, sums);
  for (std::size_t first = 0; first < limits.size(); first += few) {
    const std::size_t count = std::min(few, limits.size() - first);
    RowsOfFewLimits<T, ExecSpace> some{rows, numbers, sums, static_cast<std::int64_t>(first), static_cast<int>(count),
                                       {}};
    std::copy_n(limits.begin() + static_cast<std::ptrdiff_t>(first), count, some.limits);
    group_sums_of_rows<Weighted>(exec, some, lists);
  }
}

}  // namespace blockfw::detail
