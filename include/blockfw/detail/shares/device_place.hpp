// SPDX-License-Identifier: MIT
/// \file
/// \brief The place of several devices of one process, or of several groups of a host's threads. Their link copies
/// panels from device to device. Each device has one host thread.
#pragma once

#include "blockfw/detail/backend/compiled.hpp"
#include "blockfw/detail/backend/streams.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/kernel/part.hpp"
#include "blockfw/detail/loops/threads.hpp"
#include "blockfw/detail/matrices/copies.hpp"
#include "blockfw/detail/numbers/operations.hpp"
#include "blockfw/detail/shares/place.hpp"
#include "blockfw/detail/shares/share_layout.hpp"
#include "blockfw/detail/shares/share_solver.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace blockfw::detail {

template <class ExecSpace>
class PeerLinks;

/// \brief The peer link of one share (see ShareSolver), and the share. The owner of a group's pivots copies their right
/// panels to all other shares.
template <class ExecSpace>
class PeerLink {
 public:
  /// \param links  the links of all shares
  PeerLink(PeerLinks<ExecSpace>& links, const ExecSpace& exec, const ShareLayout& layout, int share,
           const ShareRounds<ExecSpace>& work)
      : task(exec, layout, share, work), links_(links), sent_(exec), released_(exec), columns_(exec), rows_(exec) {}

  ShareTask<ExecSpace> task;
  static constexpr bool across = false;

  // Buffers of columns and rows need no release. A share sends columns only after it has taken the rows of the previous
  // pivots. The owner of these pivots sends the rows only after it has taken all columns.

  void send(Sent kind, int group) {
    const bool to_owner = kind == Sent::columns;
    if (to_owner) ++mirrored_;
    if (owns(group) == to_owner) return;
    const int pivots = task.pivots(group);
    if (to_owner) {
      copy(owner(group).task.mirror->gathered(task.share, pivots), task.mirror->sent(task.share, pivots));
    } else {
      for_each_other([&](PeerLink& other) {
        if (kind == Sent::rows)
          return copy(other.task.mirror->scattered(pivots), task.mirror->sent(other.task.share, pivots));
        if (group >= 2) wait(other.released_, group - 2);  // the copies replace the panels of that group
        const Group& rounds = task.group(group);
        for (int round = rounds.first; round <= rounds.last(); ++round)
          copy(other.task.numbers->right(round), task.numbers->right(round));
      });
    }
    links_.post(mark(kind), task.ahead(), number(kind, group));
  }
  void wait_for(Sent kind, int group) {
    if (kind != Sent::columns) {
      if (!owns(group)) wait(owner(group).mark(kind), number(kind, group));
    } else if (owns(group)) {
      for_each_other([&](PeerLink& other) { wait(other.mark(kind), number(kind, group)); });
    }
  }

  void release(int group) { links_.post(released_, task.bulk, group); }

 private:
  friend class PeerLinks<ExecSpace>;

  /// A mark in a stream of this share, for other shares: the number of the last one, and the events of even and of odd
  /// numbers. (An event is recorded again when all shares that need it have waited for it.)
  struct Mark {
    explicit Mark(const ExecSpace& exec) : events{exec, exec} {}
    Event<ExecSpace> events[2];
    int last = -1;
  };

  bool owns(int group) const { return task.owner_of_rows(group) == task.share; }
  PeerLink& owner(int group) { return *links_.all_[at(task.owner_of_rows(group))]; }
  template <class F>
  void for_each_other(const F& f) {
    for (const auto& link : links_.all_)
      if (link.get() != this) f(*link);
  }

  Mark& mark(Sent kind) { return kind == Sent::right ? sent_ : kind == Sent::columns ? columns_ : rows_; }
  int number(Sent kind, int group) const { return kind == Sent::right ? group : mirrored_; }
  void wait(const Mark& mark, int number) { links_.wait(mark, task.ahead(), number); }
  void copy(const Message& to, const Message& from) const {
    using Memory = typename ExecSpace::memory_space;
    copy_bytes<Memory, Memory>(task.ahead(), to.data, from.data, to.bytes);
  }

  PeerLinks<ExecSpace>& links_;
  Mark sent_, released_, columns_, rows_;
  int mirrored_ = 0;  ///< the number of groups whose columns have been sent
};

/// \brief The links of the shares of one solve, whose host threads wait for each other.
template <class ExecSpace>
class PeerLinks {
  using Mark = typename PeerLink<ExecSpace>::Mark;

 public:
  /// \param devices  the instance of each share
  PeerLinks(const ShareLayout& layout, const std::vector<ExecSpace>& devices, const ShareRounds<ExecSpace>& work)
      : work_(work) {
    using Api = Backend<ExecSpace>;
    for (const ExecSpace& exec : devices) {
      for (const ExecSpace& other : devices) Api::connect(Api::device_of(exec), Api::device_of(other));
      all_.push_back(std::make_unique<PeerLink<ExecSpace>>(*this, exec, layout, static_cast<int>(all_.size()), work));
    }
  }

  /// Does all rounds, on one host thread for each share. The instances of all shares are fenced on return.
  void solve() {
    static_assert(LinkReleases<PeerLink<ExecSpace>>);
    in_threads(static_cast<int>(all_.size()), [&](int s) {
      PeerLink<ExecSpace>& link = *all_[at(s)];
      try {
        ShareSolver(link.task, link).solve([&](int groups) {
          if (s == 0) work_.groups_done(link.task.bulk, groups);
        });
      } catch (const Abandoned&) {
      } catch (...) {  // the other shares stop waiting
        const std::lock_guard lock(mutex_);
        if (!error_) error_ = std::current_exception();
        changed_.notify_all();
      }
      link.task.ahead().fence("blockfw::floyd_warshall");  // (After an error it may still be busy.)
      link.task.bulk.fence("blockfw::floyd_warshall");
    });
    if (error_) std::rethrow_exception(error_);
  }

 private:
  friend class PeerLink<ExecSpace>;
  struct Abandoned {};

  void post(Mark& mark, const ExecSpace& stream, int number) {
    mark.events[number % 2].record(stream);
    const std::lock_guard lock(mutex_);
    mark.last = number;
    changed_.notify_all();
  }
  void wait(const Mark& mark, const ExecSpace& stream, int number) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return error_ || mark.last >= number; });
      if (error_) throw Abandoned{};
    }
    mark.events[number % 2].wait(stream);
  }

  const ShareRounds<ExecSpace>& work_;
  std::vector<std::unique_ptr<PeerLink<ExecSpace>>> all_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::exception_ptr error_;
};

/// \brief One process with an instance for each share. A share has neighbouring rows, and all columns.
template <class ExecSpace>
class DevicePlace final : public Place<ExecSpace> {
 public:
  /// \throws InvalidInput for no device, n < 0 or n >= 2^31
  DevicePlace(const std::vector<ExecSpace>& devices, std::int64_t n, const TileBytes& tile)
      : Place<ExecSpace>(layout_of(checked(devices, n), static_cast<int>(devices.size()), tile), 0, devices) {}

  static constexpr const char* where = "on several devices";

  const char* name() const override { return where; }
  void require_memory(const std::function<ShareBytes(int)>& bytes_of) const override {
    const int shares = this->count();
    // (On a host all shares lie in one memory, which counts as available until it is touched. So the check covers all
    // shares together.)
    double all = 0;
    for (int s = 0; s < shares; ++s) all += bytes_of(s).entries;
    for (int s = 0; s < shares; ++s) {
      const std::string kind = is_host_space<ExecSpace> ? "group of threads " : "device ";
      ShareBytes need = bytes_of(s);
      if (is_host_space<ExecSpace>) need.entries = all;
      this->require_share(s, shares > 1 ? kind + std::to_string(s) + ": " : "",
                          "the distances of " + std::to_string(this->layout().order) + " vertices", need);
    }
  }
  void rounds(const ShareRounds<ExecSpace>& work) const override {
    PeerLinks<ExecSpace>(this->layout(), this->instances(), work).solve();
  }

 private:
  static std::int64_t checked(const std::vector<ExecSpace>& devices, std::int64_t n) {
    if (devices.empty()) throw InvalidInput("an empty list of devices, expected one or more");
    require_order(n);
    if (n > std::numeric_limits<std::int32_t>::max())
      throw InvalidInput("the number of vertices is ", n, ", expected less than 2^31");
    return n;
  }

  static ShareLayout layout_of(std::int64_t n, int shares, const TileBytes& tile) {
    const BlockCyclicMap down(n, tile.tile, shares);
    return {n, down, {n, tile.tile, 1}, rounds_kept(n, down.rows(0), shares, tile)};
  }

  /// Two rounds on a host, more rounds on a device. A group has half of these rounds. On a device a tile is read and
  /// written once per group. The panels of a large matrix may take a twentieth of its memory.
  static int rounds_kept(std::int64_t n, std::int64_t rows, int shares, const TileBytes& tile) {
    constexpr int most = 16;
    if (is_host_space<ExecSpace>) return 2;
    if (n < 32768) return most;
    const double spared =
        1.05 * double(n) * double(n) / shares - double(rows) * double(leading_dimension<ExecSpace>(n, tile.entry));
    return static_cast<int>(std::clamp(spared * double(tile.entry) / tile.round(rows, n), 2.0, double(most)));
  }
};

}  // namespace blockfw::detail

#if defined(BLOCKFW_COMPILED)
extern template class blockfw::detail::DevicePlace<blockfw::detail::compiled::Exec>;
#endif
