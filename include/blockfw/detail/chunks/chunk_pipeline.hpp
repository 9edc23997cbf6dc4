// SPDX-License-Identifier: MIT
/// \file
/// \brief The chunk pipeline: beside the solve, one thread loads chunks to a few places in memory and another stores
/// them.
#pragma once

#include "blockfw/detail/backend/streams.hpp"
#include "blockfw/detail/chunks/chunks.hpp"
#include "blockfw/detail/numbers/operations.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <chrono>
#include <concepts>
#include <condition_variable>
#include <cstddef>
#include <exception>
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
    wait_ticking([&] { return done_ == steps_.size(); }, tick);
  }

  /// The number of finished steps.
  std::size_t done() const {
    const Lock lock(mutex_);
    return done_;
  }
  /// The least number of groups that any chunk has been through in its stored state.
  int groups() const {
    const Lock lock(mutex_);
    return groups_.empty() ? 0 : *std::min_element(groups_.begin(), groups_.end());
  }
  /// The traffic of each thread.
  Traffic loaded() const {
    const Lock lock(mutex_);
    return loaded_;
  }
  Traffic stored() const {
    const Lock lock(mutex_);
    return stored_;
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
        if (p.state == State::worked) ++done_;  // the chunk stays, and need not be stored
        p.chunk = chunk;
        p.step = step;
        p.state = here ? State::ready : State::loading;
        changed_.notify_all();
      }
      if (here) continue;
      const Kokkos::Timer timer;
      transfer_.load(place, chunk);
      count(loaded_, timer.seconds());
      set(place, State::ready);
    }
  }

  void store_all() {
    Lock lock(mutex_);
    while (done_ < steps_.size()) {
      int place = -1;
      wait(lock, [&] {
        place = find([](const ChunkPlace& p) { return p.state == State::worked; });
        return place >= 0 || done_ == steps_.size();
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
      const Kokkos::Timer timer;
      transfer_.store(place, chunk);
      count(stored_, timer.seconds());
      lock.lock();
      groups_[static_cast<std::size_t>(chunk)] = step_at(place).groups();
      ++done_;
      p.state = State::idle;
      changed_.notify_all();
    }
  }

  void set(int place, State state) {
    const Lock lock(mutex_);
    at(place).state = state;
    changed_.notify_all();
  }
  void count(Traffic& traffic, double seconds) {
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
  std::size_t done_ = 0;
  Traffic loaded_, stored_;
  std::exception_ptr error_;
  bool stopped_ = false;
  std::jthread loader_, storer_;  // last, so that they end before other members are destroyed
};

}  // namespace blockfw::detail
