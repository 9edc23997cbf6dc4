// SPDX-License-Identifier: MIT
/// \file
/// \brief The rounds of a matrix whose chunks pass through a device (or a host's memory), a group of rounds per pass.
///
/// The chunk pipeline works beside the solve: one thread loads chunks to a few places in memory, and another stores
/// them.
#pragma once

#include "blockfw/detail/backend/streams.hpp"
#include "blockfw/detail/chunks/chunks.hpp"
#include "blockfw/detail/numbers/operations.hpp"
#include "blockfw/ground/matrix.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <chrono>
#include <concepts>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace blockfw::detail {

/// The number of chunks that a thread has copied, and the time that this took.
struct Traffic {
  double chunks = 0, seconds = 0;
};

/// \brief Transfers chunks to the places where they are solved, and back. out_of_core.hpp makes it of (exec, rows,
/// chunks, pin).
///
/// - load(place, chunk), store(place, chunk): return when the copy is done; each is called on one thread
/// - at(place, chunk): the rows of a chunk that is at a place
template <class Transfer>
concept ChunkTransfer = requires(Transfer& transfer, int place, int chunk) {
  transfer.load(place, chunk);
  transfer.store(place, chunk);
  { transfer.at(place, chunk) } -> std::same_as<Block>;
};

/// \brief The places for chunks, and the threads that load and store them.
///
/// A chunk may still be in its place when its next step comes. Then it is not loaded again. If its store has not
/// started yet, the store is left out, too.
///
/// \tparam Transfer  a ChunkTransfer
template <class ExecSpace, class Transfer>
class ChunkPipeline {
  static_assert(ChunkTransfer<Transfer>, "blockfw: a chunk transfer has load(), store() and at()");
  using Lock = std::unique_lock<std::mutex>;

 public:
  /// \param steps  all steps, in order
  /// \param first  the first group of these steps; all chunks have been through the earlier groups
  ChunkPipeline(const ExecSpace& exec, const Chunks& chunks, const std::vector<ChunkStep>& steps, int first,
                Transfer& transfer)
      : steps_(steps), transfer_(transfer), groups_(static_cast<std::size_t>(chunks.count()), first) {
    for (int p = 0; p < chunks.places(); ++p) places_.push_back(std::make_unique<ChunkPlace>(exec));
    loader_ = std::jthread([this] { guarded([this] { load_all(); }); });
    storer_ = std::jthread([this] { guarded([this] { store_all(); }); });
  }
  ChunkPipeline(const ChunkPipeline&) = delete;
  ChunkPipeline& operator=(const ChunkPipeline&) = delete;
  ~ChunkPipeline() {
    const Lock lock(mutex_);
    stopped_ = true;
    changed_.notify_all();
  }

  /// \brief Waits until the chunk of a step is loaded.
  /// \param tick  called about every 100 ms while this waits
  /// \return its place
  template <class Tick>
  int take(int step, const Tick& tick) {
    int place = -1;
    wait_ticking(
        [&] {
          place = find([&](const ChunkPlace& p) { return p.step == step && p.state == State::ready; });
          return place >= 0;
        },
        tick);
    return place;
  }

  /// The event that marks the end of the work on a chunk. Record it, then call put().
  Event<ExecSpace>& worked(int place) { return at(place).worked; }
  void put(int place) { set(place, State::worked); }

  /// Waits until all chunks are stored. Calls tick as take() does.
  template <class Tick>
  void drain(const Tick& tick) {
    wait_ticking([&] { return done_.steps == steps_.size(); }, tick);
  }

  /// The work that is done so far.
  struct Done {
    std::size_t steps = 0;   ///< finished steps
    int groups = 0;          ///< the least number of groups that any chunk has been through in its stored state
    Traffic loaded, stored;  ///< the traffic of each thread
  };
  Done done() const {
    const Lock lock(mutex_);
    Done now = done_;
    if (!groups_.empty()) now.groups = *std::min_element(groups_.begin(), groups_.end());
    return now;
  }

 private:
  enum class State { idle, loading, ready, worked, storing };
  /// The state of a place: the chunk that is there, its step, and the work on it.
  struct ChunkPlace {
    explicit ChunkPlace(const ExecSpace& exec) : worked(exec) {}
    State state = State::idle;
    int chunk = -1, step = -1;
    Event<ExecSpace> worked;
  };
  struct Stopped {};

  ChunkPlace& at(int place) { return *places_[static_cast<std::size_t>(place)]; }
  const ChunkStep& step_at(int place) { return steps_[static_cast<std::size_t>(at(place).step)]; }

  /// The place that meets the condition and has the earliest step, or -1.
  template <class Condition>
  int find(const Condition& condition) {
    int found = -1;
    for (int p = 0; p < static_cast<int>(places_.size()); ++p)
      if (condition(at(p)) && (found < 0 || at(p).step < at(found).step)) found = p;
    return found;
  }

  void load_all() {
    for (int step = 0; step < static_cast<int>(steps_.size()); ++step) {
      const int chunk = steps_[static_cast<std::size_t>(step)].chunk;
      int place = -1;
      bool here = false;
      {
        Lock lock(mutex_);
        wait(lock, [&] {
          place = find([&](const ChunkPlace& p) { return p.chunk == chunk; });
          here = place >= 0;
          if (here) return at(place).state == State::idle || at(place).state == State::worked;
          place = find([](const ChunkPlace& p) { return p.state == State::idle; });
          return place >= 0;
        });
        ChunkPlace& p = at(place);
        if (p.state == State::worked) ++done_.steps;  // the chunk stays, and need not be stored
        p.chunk = chunk;
        p.step = step;
        p.state = here ? State::ready : State::loading;
        changed_.notify_all();
      }
      if (here) continue;
      timed(done_.loaded, [&] { transfer_.load(place, chunk); });
      set(place, State::ready);
    }
  }

  void store_all() {
    Lock lock(mutex_);
    while (done_.steps < steps_.size()) {
      int place = -1;
      wait(lock, [&] {
        place = find([](const ChunkPlace& p) { return p.state == State::worked; });
        return place >= 0 || done_.steps == steps_.size();
      });
      if (place < 0) return;
      ChunkPlace& p = at(place);
      const int step = p.step;
      lock.unlock();
      p.worked.wait_on_host();  // on a device the work is only queued so far
      lock.lock();
      if (p.step != step || p.state != State::worked) continue;
      p.state = State::storing;
      const int chunk = p.chunk;
      lock.unlock();
      timed(done_.stored, [&] { transfer_.store(place, chunk); });
      lock.lock();
      groups_[static_cast<std::size_t>(chunk)] = step_at(place).groups();
      ++done_.steps;
      p.state = State::idle;
      changed_.notify_all();
    }
  }

  void set(int place, State state) {
    const Lock lock(mutex_);
    at(place).state = state;
    changed_.notify_all();
  }
  /// Calls f, which copies a chunk.
  template <class F>
  void timed(Traffic& traffic, const F& f) {
    const Kokkos::Timer timer;
    f();
    const double seconds = timer.seconds();
    const Lock lock(mutex_);
    traffic.chunks += 1;
    traffic.seconds += seconds;
  }

  template <class Condition>
  void wait(Lock& lock, const Condition& condition) {
    changed_.wait(lock, [&] { return stopped_ || condition(); });
    if (stopped_) throw Stopped{};
  }
  template <class Condition, class Tick>
  void wait_ticking(const Condition& condition, const Tick& tick) {
    Lock lock(mutex_);
    while (!changed_.wait_for(lock, std::chrono::milliseconds(100), [&] { return error_ || condition(); })) {
      lock.unlock();
      tick();
      lock.lock();
    }
    if (error_) std::rethrow_exception(error_);
  }

  template <class F>
  void guarded(const F& f) {
    try {
      f();
    } catch (const Stopped&) {
    } catch (...) {
      const Lock lock(mutex_);
      error_ = std::current_exception();
      changed_.notify_all();
    }
  }

  const std::vector<ChunkStep>& steps_;
  Transfer& transfer_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::unique_ptr<ChunkPlace>> places_;
  std::vector<int> groups_;  ///< the number of groups that each chunk has been through in its stored state
  Done done_;                ///< without groups
  std::exception_ptr error_;
  bool stopped_ = false;
  std::jthread loader_, storer_;  // last, so that they end before other members are destroyed
};

/// \brief Queues the work on chunks on three streams. The bulk stream does most of the work. The ahead stream makes the
/// left panels of the next chunk. The chain stream closes the pivots of the next group. The ahead and the chain stream
/// have priority on a device.
template <class ExecSpace>
class ChunkSolver {
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

  /// Queued work ends before its memory is freed, also when an exception ends a solve.
  ~ChunkSolver() {
    for (const ExecSpace& stream : {bulk_, ahead_.exec(), chain_.exec()}) stream.fence("blockfw::out_of_core");
  }

  /// Queues a chunk step: the left panels first, as the rest of the chunk waits for them.
  /// \param d       the chunk
  /// \param worked  marks the end of earlier work on the chunk; recorded again after this step
  /// \param tick    called now and then
  void run(const ChunkStep& step, const Block& d, Event<ExecSpace>& worked, const Tick& tick) {
    const Part<Block> part{d, chunks_.first_tile(step.chunk), 0};
    if (step.through >= 0) {
      const int side = steps_++ % 2;
      const GroupOfPart through{part, chunks_.group(step.through), side};
      worked.wait(ahead_.exec());
      used_[side].wait(ahead_.exec());
      if (step.through != group_) closed_.wait(ahead_.exec());  // (later, closed_ belongs to the next group)
      group_ = step.through;
      numbers_.make_left(ahead_.exec(), through, of(through.group), {{0, d.rows}});
      made_[side].record(ahead_.exec());
      made_[side].wait(bulk_);
      in_parts(d.rows, tick,
               [&](const IndexRange& rows) { numbers_.update(bulk_, through, {rows}, {all_columns()}, {}); });
      used_[side].record(bulk_);
      worked.record(bulk_);
    }
    if (step.closes) {
      // (The new panels replace the panels of two groups before. All work that reads these old panels comes before this
      // chunk's update on the bulk stream.)
      worked.wait(chain_.exec());
      close({part, chunks_.group(step.chunk), chain_left}, tick);
      closed_.record(chain_.exec());
      worked.record(chain_.exec());
    }
  }

 private:
  static constexpr int chain_left = 2;

  IndexRange all_columns() const { return {0, static_cast<int>(chunks_.order)}; }
  /// The rows or columns of a group's pivots.
  IndexRange of(const Group& group) const {
    const std::int64_t first = std::int64_t(group.first) * chunks_.block;
    return {static_cast<int>(first),
            static_cast<int>(std::min(first + std::int64_t(group.count) * chunks_.block, chunks_.order) - first)};
  }

  /// Calls f for some rows (or columns) at a time. A host takes the rows of a few tiles at a time, and calls tick in
  /// between.
  template <class F>
  void in_parts(int count, const Tick& tick, const F& f) const {
    const int step = is_host_space<ExecSpace> ? 4 * chunks_.block : count;
    for (int first = 0; first < count; first += step) {
      f(IndexRange{first, std::min(step, count - first)});
      tick();
    }
  }

  /// Closes the pivots of a group, whose rows the part holds, and makes their right panels.
  void close(const GroupOfPart& own, const Tick& tick) {
    const IndexRange rows{0, own.part.d.rows}, pivots = of(own.group);
    numbers_.close_square(chain_.exec(), own, rows, pivots, bulk_, [&](std::int64_t, std::int64_t) { tick(); });
    in_parts(all_columns().count, tick,
             [&](const IndexRange& columns) { numbers_.make_right(chain_.exec(), own, rows, {columns, pivots}); });
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
