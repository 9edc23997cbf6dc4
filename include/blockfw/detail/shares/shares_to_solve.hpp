// SPDX-License-Identifier: MIT
/// \file
/// \brief Fills and solves shares with numbers of any type.
#pragma once

#include "blockfw/detail/backend/compiled.hpp"
#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/kernel/part.hpp"
#include "blockfw/detail/kernel/rounds.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/detail/numbers/numbers.hpp"
#include "blockfw/detail/numbers/operations.hpp"
#include "blockfw/detail/shares/place.hpp"
#include "blockfw/detail/shares/share_layout.hpp"
#include "blockfw/detail/shares/share_solver.hpp"
#include "blockfw/detail/shares/shares.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace blockfw::detail {

template <class ExecSpace>
void Shares<ExecSpace>::fill(const std::vector<AnyEdges>& edges) const {
  each("blockfw::fill", [&](int s, const ExecSpace& exec) {
    numbers_->fill(exec, block(s), edges[where_->index(s)]);
    lower_diagonal(s);
  });
}

template <class ExecSpace>
void Shares<ExecSpace>::copy_from(const HostEntries& weights) const {
  each("blockfw::copy_from", [&](int s, const ExecSpace& exec) {
    require_whole(weights);
    for_each_block(s, weights,
                   [&](const Block& own, const HostEntries& there) { numbers_->copy_in(exec, own, there); });
  });
}

template <class ExecSpace>
void Shares<ExecSpace>::fill_from(EntryType type, const ReadsRow& read) const {
  using Host = Kokkos::DefaultHostExecutionSpace;
  constexpr std::int64_t buffer_entries = std::int64_t(1) << 24;
  const bool same = type == numbers_->type();
  where_->together([&] {
    for (const int s : where_->own()) {
      const std::int64_t height = layout().rows(s), width = layout().columns(s),
                         at_once = std::max<std::int64_t>(1, buffer_entries / std::max<std::int64_t>(width, 1));
      const auto buffer = without_values<Array<std::byte, Kokkos::SharedHostPinnedSpace>>(
          "blockfw::buffer", at(std::min(at_once, height) * width) * entry_bytes());
      for (std::int64_t first = 0; first < height; first += at_once) {
        const std::int64_t count = std::min(at_once, height - first);
        for_range("blockfw::weights", Host(), 0, count, [&](std::int64_t i) {
          const std::int64_t row = layout().row(s, first + i);
          constexpr std::int64_t some = 512;
          alignas(8) std::byte wide[8 * some];
          layout().across.for_each_block(
              layout().column_part(s), [&](std::int64_t column, std::int64_t local, std::int64_t columns) {
                std::byte* const to = buffer.data() + at(i * width + local) * entry_bytes();
                if (same) return read(row, column, columns, to);
                for (std::int64_t c = 0; c < columns; c += some) {
                  read(row, column + c, std::min(some, columns - c), wide);
                  numbers_->narrow(type, wide, std::min(some, columns - c), to + at(c) * entry_bytes());
                }
              });
        });
        numbers_->copy_in(where_->exec(s), part(s, first, count, 0, width), rows_at(buffer.data(), count, width));
        where_->exec(s).fence("blockfw::weights");  // before the next rows
      }
    }
  });
}

template <class ExecSpace>
void Shares<ExecSpace>::fill_with_rows(EntryType type, const MakesRows& rows, std::int64_t at_once,
                                       const Progress& progress) const {
  where_->each([&](int s) {
    const std::int64_t height = layout().rows(s);
    if (progress && height == 0 && s == where_->first()) progress(1, 1);
    for (std::int64_t first = 0, count = 0; first < height; first += count) {
      count = std::min(at_once, height - first);
      const auto made = rows(where_->index(s), layout().down.whole(layout().row_part(s), first, count));
      const Block& found = made.second;
      layout().across.for_each_block(
          layout().column_part(s), [&](std::int64_t column, std::int64_t local, std::int64_t columns) {
            const Block some{found.data + at(column) * type.bytes, found.rows, static_cast<int>(columns), found.stride};
            numbers_->copy_narrowed(where_->exec(s), part(s, first, count, local, columns), type, some);
          });
      where_->exec(s).fence("blockfw::rows");
      if (progress && s == where_->first()) progress(first + count, height);
    }
  });
}

template <class ExecSpace>
void Shares<ExecSpace>::solve(const AnyRange& range, const SolveOptions& options) const {
  const ShareSteps<ExecSpace> steps{*where_, entries(), [&](Direction direction) { return half_pays(direction); },
                                    [&](const TaskOptions& task, bool negative) { rounds(task, negative); }};
  numbers_->solve(steps, vertices(), range, options);
}

template <class ExecSpace>
void Shares<ExecSpace>::floyd_warshall(const TaskOptions& options, bool negative) const {
  const bool half = options.direction == Direction::undirected;
  where_->require_same({half}, "directions");
  if (half && !numbers_->commutes())
    throw InvalidInput("half the work for an undirected graph needs a semiring whose member commutative is true");
  if (half && !layout().has_neighbouring_rows())
    throw InvalidInput(
        "half the work for an undirected graph needs a grid of one column whose ranks have neighbouring rows, as "
        "neighbouring_rows() makes it");
  rounds(options, negative);
  if (layout().shares() == 1) where_->exec(0).fence("blockfw::floyd_warshall");
}

template <class ExecSpace>
std::vector<ShareEntries<ExecSpace>> Shares<ExecSpace>::entries() const {
  std::vector<ShareEntries<ExecSpace>> all;
  where_->together([&] {
    for (const int s : where_->own()) {
      all.push_back({where_->exec(s),
                     block(s),
                     layout().down.whole(layout().row_part(s), 0, layout().rows(s)),
                     layout().across.whole(layout().column_part(s), 0, layout().columns(s)),
                     {}});
      for_each_on_diagonal(
          s, [&](const Block& square, std::int64_t vertex) { all.back().squares.emplace_back(square, vertex); });
    }
  });
  return all;
}

/// Whether half the work takes less time for all shares, and there is memory for the pivots' rows that travel.
template <class ExecSpace>
bool Shares<ExecSpace>::half_pays(Direction direction) const {
  const auto pays = [&] {
    if (!numbers_->commutes() || !layout().has_neighbouring_rows() ||
        vertices() < half_from<ExecSpace> * layout().shares())
      return false;
    if (layout().shares() == 1)  // (no rows travel)
      return direction == Direction::undirected || numbers_->is_symmetric(where_->exec(0), block(0));
    if (direction == Direction::directed) return false;
    for (const int s : where_->own()) {
      const std::int64_t rows = layout().rows(s), pivots = layout().most_pivots();
      const double bytes = PivotMirror<ExecSpace>::bytes(rows, vertices(), static_cast<int>(pivots), entry_bytes()) +
                           numbers_->panel_bytes(rows, layout().columns(s), layout().kept_rounds, pivots);
      if ((is_host_space<ExecSpace> ? layout().shares() : 1) * bytes > available_bytes(where_->exec(s))) return false;
    }
    return true;
  };
  return where_->on_all(pays());
}

template <class ExecSpace>
void Shares<ExecSpace>::rounds(const TaskOptions& options, bool negative) const {
  where_->each([&](int s) { lower_diagonal(s); });
  if (layout().shares() == 1) return numbers_->solve_alone(where_->exec(0), block(0), options);
  ShareRounds<ExecSpace> work;
  work.groups = layout().groups();
  work.half = options.direction == Direction::undirected;
  work.numbers = [&](int s) {
    return numbers_->rounds(where_->exec(s), {.order = static_cast<int>(vertices()),
                                              .height = block(s).rows,
                                              .width = block(s).columns,
                                              .rounds = layout().kept_rounds,
                                              .negative = negative});
  };
  work.block = [&](int s) { return block(s); };
  work.groups_done = [&](const ExecSpace& exec, int groups) {
    if (!options.progress) return;
    exec.fence("blockfw::progress");
    options.progress(work.groups[at(groups - 1)].last() + 1, layout().down.tiles());
  };
  where_->rounds(work);
}

/// \brief Fills shares with edges that are spread for them. The weights may be of a wider type.
template <class T, class W, class ExecSpace>
void fill_shares(const Shares<ExecSpace>& shares, const SpreadEdges<T, W, ExecSpace>& edges) {
  std::vector<AnyEdges> all;
  for (const auto& some : edges.entries)
    all.push_back({reinterpret_cast<const std::byte*>(some.data()), entry_type<W>, extent_along(some, 0)});
  shares.fill(all);
}

}  // namespace blockfw::detail

#if defined(BLOCKFW_COMPILED)
extern template class blockfw::detail::Shares<blockfw::detail::compiled::Exec>;
#endif
