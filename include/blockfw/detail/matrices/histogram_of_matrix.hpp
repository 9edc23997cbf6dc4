// SPDX-License-Identifier: MIT
/// \file
/// \brief Counts the entries of a matrix by bins of equal width.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/backend/vectors.hpp"
#include "blockfw/detail/backend/workspace.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/base/lanes.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/detail/matrices/copies.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

namespace blockfw::detail {

/// \brief The counter of each distance: 0 for negative distances, then a counter for each bin, then one for no path.
///
/// Bins are found by the reciprocal of the width, which takes a fraction of the time of a division. It is exact:
/// - of integers, the quotient (distance + 1/2) / width is 1/2 / width away from any integer, or more. The error of the
///   product is smaller;
/// - of floats, the product is corrected where the bin does not have the distance.
template <class T>
class CounterOfDistance {
  static constexpr bool integer = std::is_integral_v<T>;
  static constexpr bool wide = integer && sizeof(T) == 8;
  /// The type of the product.
  using Real = std::conditional_t<sizeof(T) <= 2 || std::is_same_v<T, float>, float, double>;

 public:
  CounterOfDistance(T width, std::int32_t bins)
      : bins_(bins), width_(width), negative_(static_cast<T>(-width)), reciprocal_(1 / static_cast<Real>(width)) {
    if constexpr (integer) {
      // The first distance of the last bin, unless that is no distance.
      const auto bins_below_infinity = static_cast<T>((infinity<T> - 1) / width);
      last_ = bins - 1 > bins_below_infinity ? static_cast<T>(infinity<T> - 1) : static_cast<T>(width * T(bins - 1));
      shift_ = static_cast<Real>(width) + Real(0.5);
      // (A double holds halves of numbers below 2^50, and products of these numbers are exact enough.)
      divides_ = wide && static_cast<double>(last_) + static_cast<double>(width) >= 0x1p50;
    }
  }

  /// The number of counters.
  KOKKOS_FORCEINLINE_FUNCTION std::int32_t counters() const { return bins_ + 2; }

  /// The counter of a distance.
  KOKKOS_FORCEINLINE_FUNCTION std::int32_t operator()(T distance) const {
    if (!(distance < infinity<T>)) return bins_ + 1;
    if constexpr (integer) {
      T x = distance < last_ ? distance : last_;
      x = x > negative_ ? x : negative_;
      if constexpr (wide) {
        if (divides_) return x < 0 ? 0 : static_cast<std::int32_t>(x / width_) + 1;
      }
      return static_cast<std::int32_t>((static_cast<Real>(x) + shift_) * reciprocal_);
    } else {
      if (distance < T(0)) return 0;
      const auto most = static_cast<T>(bins_ - 1), product = distance * reciprocal_;
      const auto bin = static_cast<std::int32_t>(product < most ? product : most);
      const auto begin = static_cast<T>(bin);
      return 1 + bin - (begin * width_ > distance) + (begin < most && (begin + 1) * width_ <= distance);
    }
  }

  /// The numbers that counters_of() takes at a time.
  template <class Level>
  static constexpr int vector_width = Level::bytes / static_cast<int>(sizeof(Real));

  /// The counters of some distances, with the vectors of a level.
  template <class Level>
  BLOCKFW_ALWAYS_INLINE void counters_of(const T* distances, std::int32_t* counters) const {
    using V = Lanes<Level, T, vector_width<Level>>;
    using Reals = Lanes<Level, Real, vector_width<Level>>;
    using Numbers = Lanes<Level, std::int32_t, vector_width<Level>>;
    const V all = V::load(distances);
    const Numbers reached = (all < V::broadcast(infinity<T>)).numbers().template as<std::int32_t>();
    Numbers found;
    if constexpr (integer) {
      const V x = V::larger(V::smaller(all, V::broadcast(last_)), V::broadcast(negative_));
      Reals real;
      if constexpr (sizeof(T) < 4)
        real = x.template as<std::int32_t>().template as<Real>();
      else
        real = x.template as<Real>();
      found = ((real + Reals::broadcast(shift_)) * Reals::broadcast(reciprocal_)).template as<std::int32_t>();
    } else {
      const V one = V::broadcast(T(1)), most = V::broadcast(static_cast<T>(bins_ - 1)), zero = V::broadcast(T(0));
      const V product = V::larger(V::smaller(all * V::broadcast(reciprocal_), most), zero);
      const Numbers bin = product.template as<std::int32_t>();
      const V begin = bin.template as<T>(), times = V::broadcast(width_);
      const V down = V::choose(begin * times > all, one, zero);
      const V up = V::choose((begin + one) * times <= all, one, zero);
      const V counter = V::smaller(begin - down + up, most) + one;
      found = V::choose(all < zero, zero, counter).template as<std::int32_t>();
    }
    Numbers::choose(reached < Numbers::broadcast(0), found, Numbers::broadcast(bins_ + 1)).store(counters);
  }

  /// Whether counters_of() is exact. It is not exact for integers so large that the bin takes a division.
  bool has_vectors() const { return !divides_; }

 private:
  std::int32_t bins_;
  T width_, negative_, last_ = T(0);
  Real reciprocal_, shift_ = 0;
  bool divides_ = false;
};

/// \brief The entries that are counted, row by row, or column by column if the entries of a column lie next to each
/// other. Then `row` stands for a column everywhere.
template <class T>
struct CountedEntries : RowsOrColumns<T> {
  /// \param first  row r belongs to vertex first + r, whose distance to itself does not count; nullopt: all entries
  ///               count
  template <class View>
  CountedEntries(const View& rows, std::optional<std::int64_t> first)
      : RowsOrColumns<T>(rows, by_rows(rows)),
        own(!first          ? this->length
            : by_rows(rows) ? *first
                            : -*first) {}

  std::int64_t own;  ///< entry row + own of a row is left out, if the row is so long

 private:
  template <class View>
  static bool by_rows(const View& rows) {
    return rows.stride(1) <= rows.stride(0) || rows.extent(0) <= 1;
  }
};

/// \brief Counts the entries [begin, end) of a row on a host.
/// \tparam Tables  the number of tables
template <class Level, int Tables, class T>
BLOCKFW_ALWAYS_INLINE void count_row(const CountedEntries<T>& entries, const CounterOfDistance<T>& counter_of,
                                     std::int64_t row, std::int64_t begin, std::int64_t end, std::uint32_t* tables) {
  constexpr int block = 256, width = CounterOfDistance<T>::template vector_width<Level>;
  const T* const from = entries.data + row * entries.step;
  const std::int64_t left_out = row + entries.own;
  if (left_out >= begin && left_out < end)
    --tables[counter_of(from[left_out * entries.entry_step])];  // (It may wrap, and the sum of all tables does, too.)
  const std::int32_t counters = counter_of.counters();
  std::int32_t found[block];
  T copies[block];
  for (; begin < end; begin += block) {
    const auto here = static_cast<int>(std::min<std::int64_t>(block, end - begin));
    const T* distances = from + begin;
    if (entries.entry_step != 1 || here < block) {
      for (int i = 0; i < here; ++i) copies[i] = from[(begin + i) * entries.entry_step];
      std::fill(copies + here, copies + block, T(0));
      distances = copies;
    }
    if (counter_of.has_vectors())
      for (int i = 0; i < block; i += width) counter_of.template counters_of<Level>(distances + i, found + i);
    else
      for (int i = 0; i < here; ++i) found[i] = counter_of(distances[i]);
    int i = 0;
    for (; i + Tables <= here; i += Tables) {
      BLOCKFW_UNROLL
      for (int t = 0; t < Tables; ++t) ++tables[t * counters + found[i + t]];
    }
    for (; i < here; ++i) ++tables[found[i]];
  }
}

/// \brief Counts entries on a host: each thread counts a part of all entries in tables of its own. Fences exec.
/// \param counts  an entry for each counter, to which the numbers are added
template <class T, class ExecSpace>
void count_by_threads(const ExecSpace& exec, const CountedEntries<T>& entries, const CounterOfDistance<T>& counter_of,
                      std::vector<std::int64_t>& counts) {
  constexpr std::int64_t least = 4096, most = std::int64_t{1} << 31;  // entries of a part; 32 bits count them
  require_vectors();
  const std::int64_t all = entries.count * entries.length;
  const auto parts = std::min<std::int64_t>(exec.concurrency(), div_up(all, least));
  if (parts == 0) return;
  const std::int32_t counters = counter_of.counters();
  // Some tables of a thread take the entries in turn: often the next entry has the same counter as this one, and its
  // increment would wait for the one before. Many counters have a single table.
  const int tables = counters <= 4096 ? 4 : 1;
  const std::int64_t of_part = round_up(std::int64_t{tables} * counters, 16);  // (no cache line of two parts)
  const auto bytes = static_cast<std::size_t>(parts * of_part) * sizeof(std::uint32_t);
  require_memory(exec, "the counters of a histogram", static_cast<double>(bytes));
  const Workspace<ExecSpace> memory(exec, bytes, "blockfw::histogram");
  auto* const of_parts = reinterpret_cast<std::uint32_t*>(memory.data());
  std::int64_t* const sums = counts.data();
  for (std::int64_t begin = 0; begin < all; begin += parts * most) {
    const std::int64_t end = std::min(all, begin + parts * most), each = div_up(end - begin, parts);
    for_range("blockfw::histogram", exec, 0, parts, [=]([[maybe_unused]] std::int64_t part) {
      std::uint32_t* const own = of_parts + part * of_part;
      std::fill_n(own, of_part, 0);
      const std::int64_t last = std::min(end, begin + (part + 1) * each);
      for (std::int64_t at = begin + part * each; at < last;) {
        [[maybe_unused]] const std::int64_t row = at / entries.length;
        const std::int64_t entry = at % entries.length;
        const std::int64_t stop = std::min(entries.length, entry + last - at);
        KOKKOS_IF_ON_HOST((with_vectors([&](auto level) __attribute__((always_inline)) {
                             using Level = decltype(level);
                             if (tables == 4)
                               count_row<Level, 4>(entries, counter_of, row, entry, stop, own);
                             else
                               count_row<Level, 1>(entries, counter_of, row, entry, stop, own);
                           });))
        at += stop - entry;
      }
    });
    for_range("blockfw::histogram_sums", exec, 0, counters, [=](std::int64_t i) {
      for (std::int64_t part = 0; part < parts; ++part) {
        std::uint32_t sum = 0;
        for (int t = 0; t < tables; ++t) sum += of_parts[part * of_part + t * counters + i];
        sums[i] += sum;
      }
    });
    exec.fence("blockfw::histogram");
  }
}

/// \brief Counts entries on a device. Fences exec.
/// \param counts  an entry for each counter, to which the numbers are added
///
/// A team counts parts of rows in its scratch, some tables of counters side by side, as neighbouring threads often have
/// the same counter. Then it adds its numbers to the common counters of all teams. Tables that do not fit the scratch
/// are left out.
template <class T, class ExecSpace>
void count_by_teams(const ExecSpace& exec, const CountedEntries<T>& entries, const CounterOfDistance<T>& counter_of,
                    std::vector<std::int64_t>& counts) {
  using Count = unsigned long long;  // (a type that devices add to in one instruction)
  using Teams = Kokkos::TeamPolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>;
  using Scratch = UnmanagedView<std::uint32_t*, typename ExecSpace::scratch_memory_space>;
  constexpr int threads = 256, most_tables = 8, scratch_counters = 4096;  // 16 KiB: many teams at once
  constexpr std::int64_t segment = 8192, most_teams = 2048;               // entries of a row; teams at once
  const std::int64_t segments = div_up(entries.length, segment), tasks = entries.count * segments;
  if (tasks == 0) return;

  const std::int32_t counters = counter_of.counters();
  // (A power of two, whose remainder takes one instruction. 0: the counters do not fit.)
  const auto tables =
      static_cast<int>(std::bit_floor(static_cast<unsigned>(std::min(most_tables, scratch_counters / counters))));
  const auto count = static_cast<std::size_t>(counters);
  require_memory(exec, "the counters of a histogram", static_cast<double>(count * sizeof(Count)));
  const Workspace<ExecSpace> memory(exec, count * sizeof(Count), "blockfw::histogram");
  const UnmanagedView<Count*, ExecSpace> sums(reinterpret_cast<Count*>(memory.data()), count);
  for_range("blockfw::histogram_zero", exec, 0, counters, KOKKOS_LAMBDA(std::int64_t i) { sums(i) = 0; });
  const int league = static_cast<int>(std::min(tasks, most_teams));
  const int in_scratch = tables * counters;
  for_teams(
      "blockfw::histogram",
      (is_host_space<ExecSpace> ? Teams(exec, league, Kokkos::AUTO) : Teams(exec, league, threads))
          .set_scratch_size(0, Kokkos::PerTeam(Scratch::shmem_size(static_cast<std::size_t>(in_scratch)))),
      KOKKOS_LAMBDA(const typename Teams::member_type& team) {
        const Scratch seen(team.team_scratch(0), static_cast<std::size_t>(in_scratch));
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, in_scratch), [&](int i) { seen(i) = 0; });
        team.team_barrier();
        for (std::int64_t task = team.league_rank(); task < tasks; task += league) {
          const std::int64_t row = task / segments, first = task % segments * segment;
          const auto here = static_cast<int>(Kokkos::min<std::int64_t>(segment, entries.length - first));
          const T* const from = entries.data + row * entries.step + first * entries.entry_step;
          Kokkos::parallel_for(Kokkos::TeamThreadRange(team, here), [&](int i) {
            if (row + entries.own == first + i) return;
            const std::int32_t counter = counter_of(from[i * entries.entry_step]);
            if (tables > 0)
              Kokkos::atomic_add(&seen((i & (tables - 1)) * counters + counter), std::uint32_t(1));
            else
              Kokkos::atomic_add(&sums(counter), Count(1));
          });
        }
        team.team_barrier();
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, tables > 0 ? counters : 0), [&](int i) {
          Count all = 0;
          for (int t = 0; t < tables; ++t) all += seen(t * counters + i);
          if (all > 0) Kokkos::atomic_add(&sums(i), all);
        });
      });
  std::vector<Count> copy(count);
  copy_array(exec, UnmanagedView<Count*, Kokkos::HostSpace>(copy.data(), count), sums);
  exec.fence("blockfw::histogram");
  for (std::size_t i = 0; i < count; ++i) counts[i] += static_cast<std::int64_t>(copy[i]);
}

}  // namespace blockfw::detail
