// SPDX-License-Identifier: MIT
/// \file
/// \brief The place of several devices of one process, or of several groups of a host's threads. Their link copies
/// panels from device to device. Each device has one host thread.
#pragma once

#include "blockfw/detail/backend/compiled.hpp"
#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/backend/streams.hpp"
#include "blockfw/detail/matrices/copies.hpp"
#include "blockfw/detail/numbers/operations.hpp"
#include "blockfw/detail/shares/pivot_mirror.hpp"
#include "blockfw/detail/shares/place.hpp"
#include "blockfw/detail/shares/share_layout.hpp"
#include "blockfw/detail/shares/share_solver.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace blockfw::detail {

/// \brief The state that the host threads of one solve share.
template <class ExecSpace>
class PeerLinks {
 public:
  using Numbers = Operations<ExecSpace>;
  using Mirror = PivotMirror<ExecSpace>;

  /// \param make_numbers  make_numbers(s) returns the operations of share s, with the panels of two groups
  /// \param make_mirror   make_mirror(s, operations) returns the mirror of share s if half the work suffices, else null
  PeerLinks(const BlockCyclicMap& map, const std::vector<Group>& groups, const std::vector<ExecSpace>& devices,
            const std::function<std::unique_ptr<Numbers>(int)>& make_numbers,
            const std::function<std::unique_ptr<Mirror>(int, const Numbers&)>& make_mirror)
      : map_(map), groups_(groups) {
    using Api = Backend<ExecSpace>;
    for (int s = 0; s < map.parts(); ++s) {
      const ExecSpace& exec = devices[static_cast<std::size_t>(s)];
      for (const ExecSpace& other : devices) Api::connect(Api::device_of(exec), Api::device_of(other));
      auto numbers = make_numbers(s);
      auto mirror = make_mirror(s, *numbers);
      sides_.push_back(std::make_unique<Side>(exec, std::move(numbers), std::move(mirror)));
    }
  }

  const ExecSpace& ahead(int share) const { return side(share).ahead.exec(); }
  const Numbers& numbers(int share) const { return *side(share).numbers; }
  const Mirror* mirror(int share) const { return side(share).mirror.get(); }

  /// Calls f, which may wait for other shares. If f throws, the other shares stop waiting.
  template <class F>
  void guard(const F& f) {
    try {
      f();
    } catch (const Abandoned&) {
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
      changed_.notify_all();
    }
  }
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  template <class>
  friend class PeerLink;

  struct Abandoned {};
  struct Side {
    Side(const ExecSpace& exec, std::unique_ptr<Numbers> operations, std::unique_ptr<Mirror> pieces)
        : numbers(std::move(operations)),
          mirror(std::move(pieces)),
          ahead(exec, StreamPriority::high),
          sent{exec, exec},
          released{exec, exec},
          columns_sent(exec),
          rows_sent(exec) {}
    std::unique_ptr<Numbers> numbers;
    std::unique_ptr<Mirror> mirror;
    Stream<ExecSpace> ahead;
    // One event of even groups, one event of odd groups.
    Event<ExecSpace> sent[2], released[2];
    // (The next event is recorded when all shares have waited for the current one.)
    Event<ExecSpace> columns_sent, rows_sent;
    int last_released = -1, last_columns = 0;
  };
  Side& side(int share) { return *sides_[static_cast<std::size_t>(share)]; }
  const Side& side(int share) const { return *sides_[static_cast<std::size_t>(share)]; }

  template <class Condition>
  void wait_until(const Condition& condition) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return error_ || condition(); });
    if (error_) throw Abandoned{};
  }
  void post(int& last, int group) {
    const std::lock_guard lock(mutex_);
    last = group;
    changed_.notify_all();
  }

  const BlockCyclicMap& map_;
  const std::vector<Group>& groups_;
  std::vector<std::unique_ptr<Side>> sides_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::exception_ptr error_;
  int last_sent_ = -1, last_rows_ = 0;
};

/// \brief The peer link of one share (see ShareSolver). The owner of a group's pivots copies their right panels to all
/// other shares.
template <class ExecSpace>
class PeerLink {
 public:
  PeerLink(PeerLinks<ExecSpace>& links, int share) : links_(links), share_(share) {}

  void send_right(const ExecSpace& ahead, int group) {
    if (owner(group) != share_) return;
    auto& own = links_.side(share_);
    const Group& rounds = links_.groups_[static_cast<std::size_t>(group)];
    for (int s = 0; s < links_.map_.parts(); ++s) {
      if (s == share_) continue;
      auto& other = links_.side(s);
      if (group >= 2) {  // the copies replace the panels of group - 2
        links_.wait_until([&] { return other.last_released >= group - 2; });
        other.released[group % 2].wait(ahead);
      }
      for (int round = rounds.first; round <= rounds.last(); ++round)
        copy(ahead, other.numbers->right(round), own.numbers->right(round));
    }
    own.sent[group % 2].record(ahead);
    links_.post(links_.last_sent_, group);
  }

  void wait_for_right(const ExecSpace& ahead, int group) {
    if (owner(group) == share_) return;
    links_.wait_until([&] { return links_.last_sent_ >= group; });
    links_.side(owner(group)).sent[group % 2].wait(ahead);
  }

  // Buffers need no release. A share sends columns only after it has taken the rows of the previous pivots. The owner
  // of these pivots sends the rows only after it has taken all columns.

  void send_columns(const ExecSpace& ahead, int group) {
    ++mirrored_;
    if (owner(group) == share_) return;
    auto& own = links_.side(share_);
    const int pivots = pivots_of(group);
    copy(ahead, links_.side(owner(group)).mirror->gathered(share_, pivots), own.mirror->sent(share_, pivots));
    own.columns_sent.record(ahead);
    links_.post(own.last_columns, mirrored_);
  }

  void wait_for_columns(const ExecSpace& ahead, int group) {
    if (owner(group) != share_) return;
    for (int s = 0; s < links_.map_.parts(); ++s) {
      if (s == share_) continue;
      auto& other = links_.side(s);
      links_.wait_until([&] { return other.last_columns >= mirrored_; });
      other.columns_sent.wait(ahead);
    }
  }

  void send_rows(const ExecSpace& ahead, int group) {
    if (owner(group) != share_) return;
    auto& own = links_.side(share_);
    const int pivots = pivots_of(group);
    for (int s = 0; s < links_.map_.parts(); ++s)
      if (s != share_) copy(ahead, links_.side(s).mirror->scattered(pivots), own.mirror->sent(s, pivots));
    own.rows_sent.record(ahead);
    links_.post(links_.last_rows_, mirrored_);
  }

  void wait_for_rows(const ExecSpace& ahead, int group) {
    if (owner(group) == share_) return;
    links_.wait_until([&] { return links_.last_rows_ >= mirrored_; });
    links_.side(owner(group)).rows_sent.wait(ahead);
  }

  void release(const ExecSpace& bulk, int group) {
    auto& own = links_.side(share_);
    own.released[group % 2].record(bulk);
    links_.post(own.last_released, group);
  }

 private:
  int owner(int group) const { return links_.map_.owner(links_.groups_[static_cast<std::size_t>(group)].first); }

  static void copy(const ExecSpace& stream, const Message& to, const Message& from) {
    using Memory = typename ExecSpace::memory_space;
    copy_bytes<Memory, Memory>(stream, to.data, from.data, to.bytes);
  }

  int pivots_of(int group) const {
    const Group& rounds = links_.groups_[static_cast<std::size_t>(group)];
    return links_.map_.rows_of(owner(group), rounds.first, rounds.count).count;
  }

  PeerLinks<ExecSpace>& links_;
  int share_;
  int mirrored_ = 0;  ///< the number of groups whose columns have been sent
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
      const ShareBytes own = bytes_of(s);
      try {
        detail::require_memory(this->exec(s), "the distances of " + std::to_string(this->layout().order) + " vertices",
                               is_host_space<ExecSpace> ? all : own.entries, own.panels);
      } catch (const OutOfMemory& error) {
        throw OutOfMemory((shares > 1 ? kind + std::to_string(s) + ": " : "") + error.what());
      }
    }
  }

  /// Runs one host thread for each share. The instances of all shares are fenced on return.
  void rounds(const ShareRounds<ExecSpace>& work) const override {
    const ShareLayout& layout = this->layout();
    PeerLinks<ExecSpace> links(
        layout.down, work.groups, this->instances(), work.numbers,
        [&](int s, const auto& numbers) { return work.mirror(this->exec(s), numbers, layout, s); });
    in_threads(this->count(), [&](int s) {
      const ExecSpace& exec = this->exec(s);
      links.guard([&] {
        PeerLink link(links, s);
        static_assert(LinkReleases<decltype(link), ExecSpace>);
        const ShareTask<ExecSpace> task{exec, links.ahead(s), links.numbers(s), work.block(s), layout,
                                        s,    work.groups,    links.mirror(s)};
        ShareSolver(task, link).solve([&](int groups) {
          if (s == 0) work.groups_done(exec, groups);
        });
      });
      links.ahead(s).fence("blockfw::floyd_warshall");  // (After an error it may still be busy.)
      exec.fence("blockfw::floyd_warshall");
    });
    links.rethrow();
  }

 private:
  static std::int64_t checked(const std::vector<ExecSpace>& devices, std::int64_t n) {
    if (devices.empty()) throw InvalidInput("an empty list of devices, expected one or more");
    if (n < 0) throw InvalidInput("the number of vertices is " + std::to_string(n) + ", expected 0 or more");
    if (n > std::numeric_limits<std::int32_t>::max())
      throw InvalidInput("the number of vertices is " + std::to_string(n) + ", expected less than 2^31");
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
