// SPDX-License-Identifier: MIT
/// \file
/// \brief The rounds of a matrix whose chunks pass through a device (or a host's memory), a group of rounds per pass.
#pragma once

#include "blockfw/detail/backend/streams.hpp"
#include "blockfw/detail/chunks/chunks.hpp"
#include "blockfw/detail/numbers/operations.hpp"
#include "blockfw/ground/matrix.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>

namespace blockfw::detail {

/// \brief Queues the work on chunks on three streams. The bulk stream does most of the work. The ahead stream makes the
/// left panels of the next chunk. The chain stream closes the pivots of the next group. The ahead and the chain stream
/// have priority on a device.
template <class ExecSpace>
class ChunkSolver {
  using Part = blockfw::Part<Block>;
  using Tick = std::function<void()>;

 public:
  /// \param numbers  the operations, with panels of Chunks::lefts left panels
  ChunkSolver(const ExecSpace& exec, const Chunks& chunks, const Operations<ExecSpace>& numbers)
      : chunks_(chunks),
        numbers_(numbers),
        bulk_(exec),
        ahead_(exec, StreamPriority::high),
        chain_(exec, StreamPriority::high),
        made_{exec, exec},
        used_{exec, exec},
        closed_(exec) {
    if (chunks.order > 0) numbers.reserve_square(bulk_, static_cast<int>(chunks.rows(0)));
  }

  /// Queues a chunk step: the left panels first, as the rest of the chunk waits for them.
  /// \param d       the chunk
  /// \param worked  marks the end of earlier work on the chunk; recorded again after this step
  /// \param tick    called now and then
  void run(const ChunkStep& step, const Block& d, Event<ExecSpace>& worked, const Tick& tick) {
    const Part part{d, chunks_.first_tile(step.chunk), 0};
    if (step.through >= 0) {
      const int side = steps_++ % 2;
      worked.wait(ahead_.exec());
      used_[side].wait(ahead_.exec());
      if (step.through != group_) closed_.wait(ahead_.exec());  // (later, closed_ belongs to the next group)
      group_ = step.through;
      make_left(part, chunks_.group(step.through), side);
      made_[side].record(ahead_.exec());
      made_[side].wait(bulk_);
      update(part, chunks_.group(step.through), side, tick);
      used_[side].record(bulk_);
      worked.record(bulk_);
    }
    if (step.closes) {
      // (The new panels replace those of two groups before. All work that reads the old ones comes before this chunk's
      // update on the bulk stream.)
      worked.wait(chain_.exec());
      close(part, chunks_.group(step.chunk), tick);
      closed_.record(chain_.exec());
      worked.record(chain_.exec());
    }
  }

  void fence() const {
    for (const ExecSpace& stream : {bulk_, ahead_.exec(), chain_.exec()}) stream.fence("blockfw::out_of_core");
  }

 private:
  static constexpr int chain_left = 2;

  IndexRange all_rows(const Part& part) const { return {0, part.d.rows}; }
  IndexRange all_columns() const { return {0, static_cast<int>(chunks_.order)}; }
  /// The rows or columns of some tiles.
  IndexRange of(int tile, int count) const {
    const std::int64_t first = std::int64_t(tile) * chunks_.block;
    return {static_cast<int>(first),
            static_cast<int>(std::min(first + std::int64_t(count) * chunks_.block, chunks_.order) - first)};
  }
  IndexRange of(const Group& group) const { return of(group.first, group.count); }

  /// Closes the pivots of a group, whose rows the part holds, and makes their right panels. A host makes a few tile
  /// columns of these panels at a time, and calls tick between them.
  void close(const Part& part, const Group& group, const Tick& tick) {
    numbers_.close_square(chain_.exec(), part, group, chain_left, all_rows(part), of(group), bulk_,
                          [&](std::int64_t, std::int64_t) { tick(); });
    const int columns = static_cast<int>(chunks_.order), step = is_host_space<ExecSpace> ? 4 * chunks_.block : columns;
    for (int column = 0; column < columns; column += step) {
      numbers_.make_right(chain_.exec(), part, group, chain_left, all_rows(part),
                          {{column, std::min(step, columns - column)}, of(group)});
      tick();
    }
  }

  /// Makes the left panels of the group for a chunk of other rows.
  void make_left(const Part& part, const Group& group, int side) {
    numbers_.make_left(ahead_.exec(), part, group, side, of(group), {all_rows(part)});
  }

  /// Updates the chunk. A host updates a few tile rows at a time, and calls tick between them.
  void update(const Part& part, const Group& group, int side, const Tick& tick) {
    const int rows = part.d.rows, step = is_host_space<ExecSpace> ? 4 * chunks_.block : rows;
    for (int row = 0; row < rows; row += step) {
      numbers_.update(bulk_, part, group, side, {{row, std::min(step, rows - row)}}, {all_columns()});
      tick();
    }
  }

  const Chunks& chunks_;
  const Operations<ExecSpace>& numbers_;
  const ExecSpace bulk_;
  Stream<ExecSpace> ahead_, chain_;
  Event<ExecSpace> made_[2], used_[2], closed_;
  int steps_ = 0,   ///< the number of chunk updates so far; its parity chooses a left panel
      group_ = -1;  ///< the group of the last update
};

}  // namespace blockfw::detail
