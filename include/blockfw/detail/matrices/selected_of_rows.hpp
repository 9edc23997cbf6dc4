// SPDX-License-Identifier: MIT
/// \file
/// \brief The nearest entries of the rows of a matrix, and the entries within a limit, found where the matrix lies.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/detail/matrices/copies.hpp"
#include "blockfw/ground/answers.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace blockfw::detail {

/// Appends an array without gaps to a host's list. The copy is queued on exec.
template <class ExecSpace, class E, class Array>
void append_array(const ExecSpace& exec, std::vector<E>& list, const Array& from) {
  const std::size_t before = list.size();
  require_host_memory("answers about some vertices", static_cast<double>(before + from.size()) * sizeof(E));
  list.resize(before + from.size());
  copy_bytes<Kokkos::HostSpace, typename Array::memory_space>(exec, list.data() + before, from.data(),
                                                              from.size() * sizeof(E));
}

/// \brief Appends the `nearest.count` smallest entries of each row of a matrix, with their columns. Of equal entries
/// the first is nearer. Fences the instance.
/// \throws OutOfMemory
///
/// A thread takes a row, and keeps a sorted list.
template <class ExecSpace, class View, class T>
void append_nearest(const ExecSpace& exec, const View& d, NearestPlaces<T>& nearest) {
  using Memory = typename ExecSpace::memory_space;
  const std::size_t rows = d.extent(0), count = nearest.count;
  const auto columns = static_cast<std::int32_t>(d.extent(1));
  const auto last = static_cast<std::int64_t>(count) - 1;
  require_memory(exec, "the nearest places of " + std::to_string(rows) + " vertices",
                 static_cast<double>(rows) * static_cast<double>(count) * (sizeof(T) + sizeof(std::int32_t)));
  const Kokkos::View<std::int32_t**, Kokkos::LayoutRight, Memory> place(
      Kokkos::view_alloc(exec, "blockfw::nearest", Kokkos::WithoutInitializing), rows, count);
  const Kokkos::View<T**, Kokkos::LayoutRight, Memory> distance(
      Kokkos::view_alloc(exec, "blockfw::nearest", Kokkos::WithoutInitializing), rows, count);
  for_range(
      "blockfw::nearest", exec, 0, static_cast<std::int64_t>(rows), KOKKOS_LAMBDA(std::int64_t row) {
        for (std::int64_t i = 0; i <= last; ++i) place(row, i) = no_vertex, distance(row, i) = infinity<T>;
        T worst = infinity<T>;
        for (std::int32_t c = 0; c < columns; ++c) {
          const T length = d(row, c);
          if (!(length < worst)) continue;
          std::int64_t i = last;
          for (; i > 0 && length < distance(row, i - 1); --i) {
            distance(row, i) = distance(row, i - 1);
            place(row, i) = place(row, i - 1);
          }
          distance(row, i) = length;
          place(row, i) = c;
          worst = distance(row, last);
        }
      });
  append_array(exec, nearest.place, place);
  append_array(exec, nearest.distance, distance);
  exec.fence("blockfw::nearest");
}

/// The teams for the rows of a matrix.
template <class ExecSpace>
Kokkos::TeamPolicy<ExecSpace, Kokkos::IndexType<std::int64_t>> team_of_each_row(const ExecSpace& exec,
                                                                                std::size_t rows) {
  return {exec, static_cast<int>(rows), is_host_space<ExecSpace> ? 1 : 256};
}

/// \brief The number of entries of each row of a matrix that are at most `limit`. Fences the instance.
/// \param limit  less than infinity<T>
///
/// A team takes a row.
template <class ExecSpace, class View, class T>
std::vector<std::int64_t> counts_within(const ExecSpace& exec, const View& d, T limit) {
  using Memory = typename ExecSpace::memory_space;
  const std::size_t rows = d.extent(0);
  const auto columns = static_cast<std::int32_t>(d.extent(1));
  const auto policy = team_of_each_row(exec, rows);
  using Member = typename std::remove_const_t<decltype(policy)>::member_type;
  const Kokkos::View<std::int64_t*, Memory> counts(
      Kokkos::view_alloc(exec, "blockfw::within", Kokkos::WithoutInitializing), rows);
  for_teams(
      "blockfw::count_within", policy, KOKKOS_LAMBDA(const Member& team) {
        const int row = team.league_rank();
        std::int64_t count = 0;
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(team, columns),
            [&](std::int32_t c, std::int64_t& sum) { sum += d(row, c) <= limit ? 1 : 0; }, count);
        Kokkos::single(Kokkos::PerTeam(team), [&]() { counts(row) = count; });
      });
  std::vector<std::int64_t> on_host(rows);
  copy_array(
      exec,
      Kokkos::View<std::int64_t*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(on_host.data(), rows),
      counts);
  exec.fence("blockfw::within");
  return on_host;
}

/// \brief Appends the entries of each row of a matrix that are at most `limit`, with their columns. Fences the
/// instance.
/// \param limit  less than infinity<T>
/// \throws OutOfMemory
///
/// A team takes a row: it counts these entries first, and lists them when all rows are counted.
template <class ExecSpace, class View, class T>
void append_within(const ExecSpace& exec, const View& d, T limit, VerticesInReach<T>& found) {
  using Memory = typename ExecSpace::memory_space;
  const std::size_t rows = d.extent(0);
  const auto columns = static_cast<std::int32_t>(d.extent(1));
  const auto policy = team_of_each_row(exec, rows);
  using Member = typename std::remove_const_t<decltype(policy)>::member_type;
  std::vector<std::int64_t> start = counts_within(exec, d, limit);
  std::int64_t all = 0;
  const std::int64_t before = found.first.back();
  for (std::int64_t& count : start) {
    const std::int64_t here = count;
    count = all;
    all += here;
    found.first.push_back(before + all);
  }
  const auto size = static_cast<std::size_t>(all);
  require_memory(exec, "the vertices within the limit of " + std::to_string(rows) + " vertices",
                 static_cast<double>(size) * (sizeof(T) + sizeof(std::int32_t)));
  const auto first = in_space(exec, start);
  const Kokkos::View<std::int32_t*, Memory> vertex(
      Kokkos::view_alloc(exec, "blockfw::within", Kokkos::WithoutInitializing), size);
  const Kokkos::View<T*, Memory> distance(Kokkos::view_alloc(exec, "blockfw::within", Kokkos::WithoutInitializing),
                                          size);
  for_teams(
      "blockfw::within", policy, KOKKOS_LAMBDA(const Member& team) {
        const int row = team.league_rank();
        Kokkos::parallel_scan(Kokkos::TeamThreadRange(team, columns),
                              [&](std::int32_t c, std::int64_t& at, bool is_final) {
                                if (!(d(row, c) <= limit)) return;
                                if (is_final) {
                                  vertex(first(row) + at) = c;
                                  distance(first(row) + at) = d(row, c);
                                }
                                ++at;
                              });
      });
  append_array(exec, found.vertices, vertex);
  append_array(exec, found.distances, distance);
  exec.fence("blockfw::within");
}

}  // namespace blockfw::detail
