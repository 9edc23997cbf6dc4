// SPDX-License-Identifier: MIT
/// \file
/// \brief For each row of distances and each group of columns: how many columns are reached, and how far they are.
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
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace blockfw::detail {

/// \brief The members of all groups, group after group, in segments of one group each.
template <class ExecSpace>
struct GroupLists {
  template <class X>
  using List = Kokkos::View<X*, typename ExecSpace::memory_space>;

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
  List<std::int32_t> members;         ///< columns, ascending in each group
  List<double> weights;               ///< of the members, if there are any
  List<std::int32_t> begins;          ///< where a segment begins in the members; one more at the end
  List<std::int32_t> first_segments;  ///< of each group; one more at the end
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
  KOKKOS_FORCEINLINE_FUNCTION GroupAmount& operator+=(const GroupAmount& other) {
    number += other.number;
    sum += other.sum;
    return *this;
  }
};

/// \brief Some rows of distances, and where their sums are written: rows x groups.
template <class T, class ExecSpace>
struct RowsOfGroups : RowsOrColumns<T> {
  MatrixRef<double, ExecSpace> numbers, sums;
  T limit;  ///< the largest distance that counts

  template <class Amount>
  KOKKOS_FORCEINLINE_FUNCTION void write(std::int64_t row, std::int64_t group, const Amount& amount) const {
    numbers(row, group) = static_cast<double>(amount.number);
    sums(row, group) = static_cast<double>(amount.sum);
  }
};

/// \brief Sums of groups on a host: a thread takes a row, and some groups of it. The members of a group are added up
/// four at a time, always in the same order.
template <bool Weighted, class T, class ExecSpace>
void group_sums_by_threads(const ExecSpace& exec, const RowsOfGroups<T, ExecSpace>& rows,
                           const GroupLists<ExecSpace>& lists) {
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
      GroupAmount<T, Weighted> some[at_once];
      std::int64_t m = begins[first[group]];
      const std::int64_t end = begins[first[group + 1]];
      for (; m + at_once <= end; m += at_once) {
        BLOCKFW_UNROLL
        for (int i = 0; i < at_once; ++i)
          some[i].see(from[members[m + i] * rows.entry_step], rows.limit, weights + (Weighted ? m + i : 0));
      }
      for (; m < end; ++m) some[0].see(from[members[m] * rows.entry_step], rows.limit, weights + (Weighted ? m : 0));
      for (int i = 1; i < at_once; ++i) some[0] += some[i];
      rows.write(row, group, some[0]);
    }
  });
}

/// \brief Sums of groups on a device, always in the same order. It queues its work.
///
/// A team takes a row and some segments. Neighbouring threads take neighbouring members of a segment: as many threads
/// as an average segment has work for.
template <bool Weighted, class T, class ExecSpace>
void group_sums_by_teams(const ExecSpace& exec, const RowsOfGroups<T, ExecSpace>& rows,
                         const GroupLists<ExecSpace>& lists) {
  using Amount = GroupAmount<T, Weighted>;
  using Teams = Kokkos::TeamPolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>;
  using Scratch = UnmanagedView<Amount*, typename ExecSpace::scratch_memory_space>;
  constexpr int threads = 256, at_once = 4;
  constexpr std::int64_t most_teams = std::int64_t{1} << 20, most_bytes = std::int64_t{1} << 27;
  if (rows.count == 0 || lists.groups == 0) return;
  const std::int64_t segments = lists.segments, groups = lists.groups;
  const auto average = static_cast<std::int64_t>(lists.members.extent(0)) / segments;
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
                    amount.see(there[i], rows.limit, weights + (Weighted ? m + i * beside : 0));
                }
                for (; m < end; m += beside)
                  amount.see(from[members(m) * rows.entry_step], rows.limit, weights + (Weighted ? m : 0));
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

}  // namespace blockfw::detail
