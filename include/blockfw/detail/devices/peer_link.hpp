// SPDX-License-Identifier: MIT
/// \file
/// \brief The peer link: the devices of one process, one host thread each, copy panels from device to device.
#pragma once

#include "blockfw/detail/backend/streams.hpp"
#include "blockfw/detail/devices/block_cyclic_map.hpp"
#include "blockfw/detail/devices/pivot_mirror.hpp"
#include "blockfw/detail/kernel/group_panels.hpp"

#include <Kokkos_Core.hpp>

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

namespace blockfw::detail {

/// \brief The state that the host threads of one solve share.
template <class Phase, class ExecSpace>
class PeerLinks {
 public:
  using Storage = typename Phase::GroupStorage;
  using Mirror = PivotMirror<typename Phase::semiring, ExecSpace>;

  /// \param make_storage  make_storage(s) returns the panel storage of share s
  /// \param make_mirror   make_mirror(s) returns what travels of share s if half the work suffices, a Mirror; else null
  template <class MakeStorage, class MakeMirror>
  PeerLinks(const BlockCyclicMap& map, const std::vector<Group>& groups, const std::vector<ExecSpace>& devices,
            const MakeStorage& make_storage, const MakeMirror& make_mirror)
      : map_(map), groups_(groups) {
    using Api = Backend<ExecSpace>;
    for (int s = 0; s < map.parts(); ++s) {
      const ExecSpace& exec = devices[static_cast<std::size_t>(s)];
      for (const ExecSpace& other : devices) Api::connect(Api::device_of(exec), Api::device_of(other));
      sides_.push_back(std::make_unique<Side>(exec, make_storage(s), make_mirror(s)));
    }
  }

  const ExecSpace& ahead(int share) const { return side(share).ahead.exec(); }
  const Storage& storage(int share) const { return side(share).storage; }
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
    Side(const ExecSpace& exec, Storage&& panels, std::unique_ptr<Mirror> pieces)
        : storage(std::move(panels)),
          mirror(std::move(pieces)),
          ahead(exec, StreamPriority::high),
          sent{exec, exec},
          released{exec, exec},
          columns_sent(exec),
          rows_sent(exec) {}
    Storage storage;
    std::unique_ptr<Mirror> mirror;
    Stream<ExecSpace> ahead;
    // One of even groups, one of odd groups.
    Event<ExecSpace> sent[2], released[2];
    // (The next one is recorded when all shares have waited for this one.)
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

/// \brief The peer link of one share (see ShareSolver): the owner of a group's pivots copies their right panels to all
/// other shares.
template <class PeerLinks>
class PeerLink {
 public:
  PeerLink(PeerLinks& links, int share) : links_(links), share_(share) {}

  template <class ExecSpace>
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
        copy(ahead, other.storage.right(round), own.storage.right(round));
    }
    own.sent[group % 2].record(ahead);
    links_.post(links_.last_sent_, group);
  }

  template <class ExecSpace>
  void wait_for_right(const ExecSpace& ahead, int group) {
    if (owner(group) == share_) return;
    links_.wait_until([&] { return links_.last_sent_ >= group; });
    links_.side(owner(group)).sent[group % 2].wait(ahead);
  }

  // Buffers need no release: a share sends columns after it has taken the rows of the pivots before, which their owner
  // sends after it has taken all columns.

  template <class ExecSpace>
  void send_columns(const ExecSpace& ahead, int group) {
    ++mirrored_;
    if (owner(group) == share_) return;
    auto& own = links_.side(share_);
    const int pivots = pivots_of(group);
    copy(ahead, links_.side(owner(group)).mirror->gathered(share_, pivots), own.mirror->sent(share_, pivots));
    own.columns_sent.record(ahead);
    links_.post(own.last_columns, mirrored_);
  }

  template <class ExecSpace>
  void wait_for_columns(const ExecSpace& ahead, int group) {
    if (owner(group) != share_) return;
    for (int s = 0; s < links_.map_.parts(); ++s) {
      if (s == share_) continue;
      auto& other = links_.side(s);
      links_.wait_until([&] { return other.last_columns >= mirrored_; });
      other.columns_sent.wait(ahead);
    }
  }

  template <class ExecSpace>
  void send_rows(const ExecSpace& ahead, int group) {
    if (owner(group) != share_) return;
    auto& own = links_.side(share_);
    const int pivots = pivots_of(group);
    for (int s = 0; s < links_.map_.parts(); ++s)
      if (s != share_) copy(ahead, links_.side(s).mirror->scattered(pivots), own.mirror->sent(s, pivots));
    own.rows_sent.record(ahead);
    links_.post(links_.last_rows_, mirrored_);
  }

  template <class ExecSpace>
  void wait_for_rows(const ExecSpace& ahead, int group) {
    if (owner(group) == share_) return;
    links_.wait_until([&] { return links_.last_rows_ >= mirrored_; });
    links_.side(owner(group)).rows_sent.wait(ahead);
  }

  template <class ExecSpace>
  void release(const ExecSpace& bulk, int group) {
    auto& own = links_.side(share_);
    own.released[group % 2].record(bulk);
    links_.post(own.last_released, group);
  }

 private:
  int owner(int group) const { return links_.map_.owner(links_.groups_[static_cast<std::size_t>(group)].first); }

  template <class ExecSpace>
  static void copy(const ExecSpace& stream, const Message& to, const Message& from) {
    using Bytes = Kokkos::View<std::byte*, typename ExecSpace::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    Kokkos::deep_copy(stream, Bytes(to.data, to.bytes), Bytes(from.data, from.bytes));
  }

  int pivots_of(int group) const {
    const Group& rounds = links_.groups_[static_cast<std::size_t>(group)];
    return links_.map_.rows_of(owner(group), rounds.first, rounds.count).count;
  }

  PeerLinks& links_;
  int share_;
  int mirrored_ = 0;  ///< the number of groups whose columns have been sent
};

}  // namespace blockfw::detail
